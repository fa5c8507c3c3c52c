"""The value of cards, by intervention: after a seat has drawn a card, the game goes on with it and with something in its place.

The naive figure, how much more often seats win that drew the card, mixes the effect of the card with that of drawing many cards: a seat
that draws many draws each card more often, and wins more often. Here both games have the same past and the same dice, and only the card
differs. *Another* is a card drawn at random from the pile that the card came from, among those that seats draw at all, and the two
change places; a *blank* is the card itself, in the hand and without effect; for *none* the card is put back and the seat has one card less.

It works for games that keep their cards in sets or count them (`lab.play.card_locations`). For blanks the sheet must be able to blank a
card (`blanked(kind, i)`: the same box in which the card has no effect, or None), and where there are several piles, say to which of them a
card belongs (`pile(kind, i)`). Every exchange must pass the game's own `check`.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.core.chance import below, new_luck
from sutler.core.play.game import Game
from sutler.lab.play.card_locations import Draw, Places, cards_of
from sutler.lab.play.figures import Numbers
from sutler.lab.play.provenance import write_findings
from sutler.lab.play.query import Query
from sutler.lab.play.rollouts import (
    MAX_DECISIONS_SCANNED,
    SAMPLED_GAMES,
    SAMPLING_STREAM,
    RolloutTable,
    beyond_chance,
    is_sound,
    mean_and_half_width,
    outcomes_of_seat,
    play_moments,
    win_shares_of_seats,
    worker_threads,
)
from sutler.lab.play.simulate import joined_states

MAX_EXCHANGE_TRIES = 20  # tries to find another card that passes the game's check


@dataclass(frozen=True)
class Moment:
    """A draw from which the game is played on: its game's seed, the draw, and the state after it."""

    seed: int
    draw: Draw
    state: Any


@dataclass(frozen=True)
class CardValue:
    """The value of one card: what it adds to the share of wins and to the lead of a seat that drew it; and the naive figure."""

    name: str
    draws: int
    won_other: tuple[float, float]  # mean and half the 95 % interval
    lead_other: tuple[float, float]
    won_blank: tuple[float, float]
    lead_blank: tuple[float, float]
    won_none: tuple[float, float]
    lead_none: tuple[float, float]
    naive: tuple[float, float]  # share of wins of the seats that drew it minus that of the other seats

    stands: tuple[bool, bool] = (False, False)
    """Is the lead over another card, and over a blank, significant among all cards, at a false discovery rate of 5 %?"""

    @property
    def is_known(self) -> bool:
        """Were there enough draws to compare the card with another card?"""
        return not math.isnan(self.lead_other[0])


@dataclass(frozen=True)
class Impact:
    """The values of cards, the best first."""

    cards: tuple[CardValue, ...]
    about: dict[str, Any]

    def table(self) -> pl.DataFrame:
        """A table with one row a card."""
        rows = [
            {"card": one.name, "draws": one.draws, "stands_other": one.stands[0], "stands_blank": one.stands[1]}
            | {
                f"{name}{end}": value
                for name in ("won_other", "lead_other", "won_blank", "lead_blank", "won_none", "lead_none", "naive")
                for end, value in zip(("", "_half"), getattr(one, name), strict=True)
            }
            for one in self.cards
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def write(self, path: Path) -> None:
        """Write the table as .parquet (with versions and command inside) or .csv."""
        write_findings(self.table(), path, self.about)


def impact(
    query: Query,
    cards: Sequence[str] = (),
    per_game: int = 6,
    hand: str | None = None,
) -> Impact:
    """Play games, pick up to `per_game` draws in each, and play on from them with the card and with something in its place.

    `cards`: names of the cards asked about, all if empty. `hand`: the field of cards at the seats in which drawn cards arrive; None for
    `hand`, or else the first. Ctrl-C ends it with the draws played by then. ValueError where it cannot be asked, or for a cluster.
    """
    game, games, seed = query.version, query.games_or(SAMPLED_GAMES), query.seed
    with worker_threads(query, "a card") as pool:
        places, wanted = cards_asked_about(game, cards, hand)
        names = list(game.names[places.kind])
        table = RolloutTable(game, query.bots, query.seats)
        courses = list(pool.map(lambda k: _play_course(table, places, seed + k, wanted, per_game), range(games)))
        drawable = {thing for one in courses for thing in one.drawn_by}
        moments = [moment for one in courses for moment in one.moments]
        outcomes = play_moments(pool, query, moments, lambda moment: _play_variants(table, places, moment, drawable))
    tried_of = dict.fromkeys(names[thing] for thing in sorted({one.draw.thing for one, _ in outcomes}))
    found = [
        _card_value(
            name, {i for i, one in enumerate(names) if one == name}, outcomes, courses
        )  # cards of one name count as one
        for name in tried_of
    ]
    found.sort(key=lambda one: (not one.is_known, -one.lead_other[0]))
    draws = [one.draws for one in found]
    other, blank = (
        beyond_chance([getattr(one, f"lead_{instead}") for one in found], draws) for instead in ("other", "blank")
    )
    found = [replace(one, stands=(a, b)) for one, a, b in zip(found, other, blank, strict=True)]
    return Impact(tuple(found), table.metadata(games, seed) | {"kind": places.kind, "hand": places.hand.name})


def cards_asked_about(game: Game, cards: Sequence[str] = (), hand: str | None = None) -> tuple[Places, set[int]]:
    """(the fields where the game keeps its cards, the numbers of the cards asked about); ValueError where there are none."""
    places = cards_of(game.definition, hand)
    if not places.has_deck(game.new(game.min_seats, seed=1).state):
        raise ValueError(f"{game.title} has no deck to draw from; there is no card to ask about")
    names = [name.casefold() for name in game.names[places.kind]]
    if unknown := [one for one in cards if one.casefold() not in names]:
        near = difflib.get_close_matches(unknown[0].casefold(), names, n=2)
        meant = [game.names[places.kind][names.index(one)] for one in near]
        hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
        raise ValueError(f"there is no {places.kind} {unknown[0]!r} in {game.title}{hint}")
    asked = {one.casefold() for one in cards}
    return places, {i for i, name in enumerate(names) if not asked or name in asked}


@dataclass(frozen=True)
class _Course:
    """One whole game: the seats that drew each card, each seat's share of the win, and the draws picked from it."""

    drawn_by: dict[int, set[int]]
    won: Numbers
    moments: list[Moment]


def _play_course(table: RolloutTable, places: Places, seed: int, wanted: set[int], per_game: int) -> _Course:
    """Play one whole game, and pick up to `per_game` of its draws of `wanted` cards at random, each card at most once."""
    states = np.zeros(1, table.game.definition.state.dtype)
    states["n_seats"] = table.n
    kept = np.zeros(MAX_DECISIONS_SCANNED, states.dtype)
    results, n = table.play(table.game.box, states, seed, True, kept)
    names = table.game.names[places.kind]
    draws = places.draws(kept[:n], table.n)
    drawn_by: dict[int, set[int]] = {}
    for one in draws:
        drawn_by.setdefault(one.thing, set()).add(one.seat)
    asked = [one for one in draws if one.thing in wanted]
    luck = new_luck(seed, SAMPLING_STREAM)
    picked: list[Draw] = []
    while asked and len(picked) < per_game:
        one = asked[int(below(luck, len(asked)))]
        picked.append(one)
        # each card at most once in a game, so that its draws are independent
        asked = [other for other in asked if names[other.thing] != names[one.thing]]
    moments = [Moment(seed, one, kept[one.at : one.at + 1].copy()) for one in picked]
    return _Course(drawn_by, win_shares_of_seats(results, table.n, bool(table.game.definition.COOPERATIVE))[0], moments)


def _play_variants(
    table: RolloutTable, places: Places, moment: Moment, drawable: set[int]
) -> dict[str, tuple[float, float]]:
    """The outcomes of playing on from one draw, by variant: "with" the card, "other", "none", "blank", where possible.

    `drawable`: the numbers of the cards that seats draw at all.
    """
    draw, luck = moment.draw, new_luck(moment.seed * MAX_DECISIONS_SCANNED + moment.draw.at, SAMPLING_STREAM)
    definition, box = table.game.definition, table.game.box
    variants = {"with": moment.state.copy()}
    pile = getattr(table.game.sheet, "pile", lambda kind, thing: None)
    lying = [
        i
        for i in places.cards_in_source(moment.state[0], draw)
        if i in drawable and pile(places.kind, i) == pile(places.kind, draw.thing)
    ]
    for _ in range(min(MAX_EXCHANGE_TRIES, 4 * len(lying))):
        other = moment.state.copy()
        places.replace_drawn(other, draw, lying[int(below(luck, len(lying)))])
        if is_sound(definition, box, other[0]):
            variants["other"] = other
            break
    none = moment.state.copy()
    places.put_back(none, draw)
    if is_sound(definition, box, none[0]):
        variants["none"] = none
    found = dict(
        zip(
            variants,
            outcomes_of_seat(table, box, joined_states(*variants.values()), moment.seed, draw.seat),
            strict=True,
        )
    )
    blank, same = table.blank(places.kind, draw.thing), moment.state.copy()
    can = blank is not None and places.make_blank(same, draw.seat, draw.thing, blank.thing)
    if blank is not None and can and is_sound(definition, blank.box, same[0]):
        (found["blank"],) = outcomes_of_seat(table, blank.box, same, moment.seed, draw.seat)
    return found


def _card_value(
    name: str, things: set[int], tried: Sequence[tuple[Moment, Any]], courses: Sequence[_Course]
) -> CardValue:
    """The value of the card called `name`, from the outcomes of its draws. `things`: its numbers."""
    mine = [outcome for moment, outcome in tried if moment.draw.thing in things]

    def gain(which: int, instead: str) -> tuple[float, float]:
        return mean_and_half_width([one["with"][which] - one[instead][which] for one in mine if instead in one])

    having, lacking = _wins_with_and_without(things, courses)
    (a, half_a), (b, half_b) = mean_and_half_width(having), mean_and_half_width(lacking)
    naive = (a - b, math.hypot(half_a, half_b))
    pairs = [gain(which, instead) for instead in ("other", "blank", "none") for which in (0, 1)]
    return CardValue(name, len(mine), *pairs, naive)  # type: ignore[call-arg, arg-type]


def _wins_with_and_without(things: set[int], courses: Sequence[_Course]) -> tuple[list[float], list[float]]:
    """The shares of wins of seats that drew one of these cards, and of seats that did not."""
    sides: tuple[list[float], list[float]] = ([], [])
    for one in courses:
        for seat, won in enumerate(one.won):
            has = any(seat in one.drawn_by.get(thing, ()) for thing in things)
            sides[0 if has else 1].append(float(won))
    return sides
