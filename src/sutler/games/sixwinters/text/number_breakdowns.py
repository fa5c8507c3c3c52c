"""The parts that add up to numbers on the table: the score, tracks, rising threats, difficulties, progress in an overcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.text.sentences import Line, Sentence, Speaker, Sum, Word
from sutler.games.sixwinters.box import FACES, MISSIONS, RES, SLOTS, YEARS
from sutler.games.sixwinters.cards.card_texts import Called, _, translate_name
from sutler.games.sixwinters.cards.vocabulary import DO, RESOURCES, SKILLS, TECHNOLOGY
from sutler.games.sixwinters.rules.common import level
from sutler.games.sixwinters.rules.land import adds_to
from sutler.games.sixwinters.rules.overcome import counts_dice
from sutler.games.sixwinters.scoring import FIVE_POINT_TRACK, THREE_POINT_TRACK, mission_points, track_points
from sutler.games.sixwinters.state import OUTCOME, PASSED, n_threat_tags
from sutler.games.sixwinters.text.things_in_words import obstacle_word
from sutler.games.sixwinters.view.land import obstacles_in_pile

# --- The score --------------------------------------------------------------------------------------------------


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """The lines of the score, equal for every seat: missions, two tracks above their threats, the Technology level (11.8)."""
    lines = []
    for mission in range(MISSIONS):
        if state.mission[mission] >= PASSED:
            points = int(mission_points(box, state, mission))
            word = _(" passed") if state.mission[mission] == PASSED else _(" failed")
            hard = _(", difficult") if state.mission_difficult[mission] else ""
            label = (Word("em", Called(speaker.names)["mission"][mission]), f"{word}{hard}")
            lines.append(Line(label, points, "11.8"))
    which = int(box.options.score_tracks)
    for r, worth in ((FIVE_POINT_TRACK[which], box.rules.score_high), (THREE_POINT_TRACK[which], box.rules.score_low)):
        points = int(track_points(box, state, r, worth))
        if points:
            resource = translate_name("resource", RESOURCES[r].capitalize())
            lines.append(Line((_("{resource} progress above its threat", resource=resource),), points, "11.8"))
    return [*lines, Line((_("Technology level"),), int(level(box, state, TECHNOLOGY)), "11.8")]


# --- Other numbers -------------------------------------------------------------------------------------------------

SUMS = {"difficulty": Sum("How hard it is"), "overcome": Sum("What the dice bring if nobody falls")}


def account(box: Any, state: Any, speaker: Speaker, kind: str, key: str) -> list[Line]:
    """The lines that add up to a number on the table that a player asks about; empty if there is no such number.

    `kind`: "progress", "threat" or "rise" of the resource `key`, "difficulty" of the obstacle `key`, or "overcome".
    """
    if kind in ("progress", "threat", "rise") and key in RESOURCES:
        r = RESOURCES.index(key)
        if kind != "progress" and not box.track[r].has_threats:
            return []
        return _threat_rise_lines(box, state, speaker, r) if kind == "rise" else list(_track_lines(box, state, kind, r))
    in_play = [card for slot in range(SLOTS) for card in obstacles_in_pile(state, slot)]
    if kind == "difficulty" and key.isdecimal() and int(key) in in_play:
        return list(_difficulty_lines(box, state, speaker, int(key)))
    if kind == "overcome" and state.over.obstacle >= 0:
        return list(_overcome_lines(box, state, speaker))
    return []


def _track_lines(box: Any, state: Any, kind: str, resource: int) -> Iterator[Line]:
    """The lines that add up to the place of a track's marker: start, steps in each year of the journal, steps since then (2.1, 11.6)."""
    begin = box.track[resource].start_progress if kind == "progress" else box.track[resource].start_threat
    at, rule = int(begin), "6.3" if kind == "progress" else "8.6"
    yield Line((_("where the campaign begins"),), at, "2.1")
    told = False
    for year in range(YEARS):
        page = state.journal[year]
        if max(page.result) >= PASSED and (year + 1 < state.year or state.outcome != OUTCOME.open):
            then = int(page[kind][resource])
            if then != at:
                yield Line((_("year {n}", n=year + 1),), then - at, rule)
            at, told = then, True
    now = int(getattr(state, kind)[resource])
    if now != at:
        yield Line((_("since then") if told else _("since"),), now - at, rule)


def _threat_rise_lines(box: Any, state: Any, speaker: Speaker, resource: int) -> list[Line]:
    """The lines that add up to the next rise of a threat: the threat tags in play, less the free ones (8.6)."""
    lines = []
    for slot in range(SLOTS):
        for card in obstacles_in_pile(state, slot):
            n = int(n_threat_tags(box, state, card, resource))
            if n:
                where = Called(speaker.names)["location_called"][state.location_at[slot]]
                lines.append(Line((obstacle_word(speaker, card), _(" at {place}", place=where)), n, "1.11"))
    free = min(int(box.rules.tags_free), sum(int(line.points) for line in lines))
    return [*lines, Line((_("so many are free"),), -free, "8.6")] if free else []


def _difficulty_lines(box: Any, state: Any, speaker: Speaker, card: int) -> Iterator[Line]:
    """The lines that add up to an obstacle's difficulty: printed, by number of players, by cards in play, by dice on it (1.11, 12.1)."""
    yield Line((_("printed"),), int(box.obstacle[card].difficulty), "1.11")
    if players := int(box.rules.harder[state.n_seats]):
        yield Line((_("{n} players", n=int(state.n_seats)),), players, "12.1")
    slot = int(state.obstacle_at[card])
    for i in range(int(state.n_ruled)):
        row = state.ruled[i]
        op = box.ops[row.op]
        if op.op == DO.difficulty and adds_to(box, state, op, int(row.slot), card, slot):
            yield Line(_source_of_effect(state, speaker, row), int(op.by), "1.11")
        elif op.op == DO.difficulty_self and row.obstacle == card:
            on_it = [int(state.die_is[k]) for k in range(int(state.n_on_cards)) if state.die_on[k] == card]
            if on_it:
                yield Line((_("the dice on it"),), sum(one % FACES + 1 for one in on_it), "1.11")


def _source_of_effect(state: Any, speaker: Speaker, row: Any) -> Sentence:
    """The obstacle, the location or the scheme that a standing effect comes from, as a part of a sentence."""
    if row.obstacle >= 0:
        return (obstacle_word(speaker, int(row.obstacle)),)
    if row.slot >= 0:
        return (
            Word("place", Called(speaker.names)["location_called"][state.location_at[row.slot]], str(int(row.slot))),
        )
    return (Called(speaker.names)["scheme"][state.scheme] if state.scheme >= 0 else _("cards in play"),)


def _overcome_lines(box: Any, state: Any, speaker: Speaker) -> Iterator[Line]:
    """The lines that add up to the progress in an overcome if nobody is knocked out: earlier rounds, then each die with its rank (7.6)."""
    over = state.over
    skill = int(box.obstacle[over.obstacle].skill)
    if over.total:
        yield Line((_("so far"),), int(over.total), "7.8")
    first = int(over.at) if over.hits else 0
    for h in range(int(state.n_heroes)):
        if int(over.joined) >> h & 1:
            hero = state.heroes[h]
            rank = int(state.people[hero.character].skills[skill])
            own = state.seats[hero.seat].dice if counts_dice(box, state, h, skill) else [0] * FACES
            for v in range(first, FACES):
                added = sum(int(over.add[h, r * FACES + v]) for r in range(RES))
                if n := int(own[v]) + added:
                    dice = _("{n} dice of {value}", n=n, value=v + 1) if n > 1 else _("a die of {value}", value=v + 1)
                    who = Word("em", Called(speaker.names)["character"][hero.character])
                    ranked = f", {translate_name('skill', SKILLS[skill].capitalize())} {rank}" if rank else ""
                    label = (who, f": {dice}{ranked}")
                    yield Line(label, n * (v + 1 + rank), "7.6")
