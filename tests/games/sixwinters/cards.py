"""Every card at work on a full table, each step checked by all that it does, as in `contract.passages`.

    Drauga: activation
    begins kf0 Qb3f
    412 Qf aZ3 kk0f

The first line of a card is a check of each event and of each value that changed until something was asked; then follows one
line a decision. Answers are drawn by chance, twice. Then follows each card on tables where things are otherwise: little or
nothing left in pools, piles and supply, tracks at their ends, characters hurt or gone, other cards lying about, and a few
decisions more. `make golden` prints them anew.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import zip_longest
from typing import Any

from contract.passages import FOLDER, check, line_of
from games.sixwinters.scene import Scene
from sutler.contract.helpers import load_game
from sutler.core.events import new_event_buffer
from sutler.core.play.position import Position
from sutler.core.record import NOBODY
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.cards.vocabulary import RESOURCES
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules import land
from sutler.games.sixwinters.rules.common import run_effect

PATH = FOLDER.parent / "cards" / "sixwinters.txt"
STRUCK = {"Mana Backlash": "Boar's Rift", "Heat Wave": "Whitehold"}  # where an event strikes that strikes at one place
MOMENTS = {"enter": b.MOMENT.enter, "activation": b.MOMENT.activation, "overcome": b.MOMENT.overcome}
ANSWERS = 2  # times that a card is carried out
MOST = 40  # decisions of one card
LONG = 30  # decisions of a part of the session, and of what follows
OTHER_TABLES: tuple[dict[str, Any], ...] = (
    {"seats": 3},
    {"seats": 1, "overflow": True, "serve_both": True, "rules.progress_cost": 1},
)  # seats and options of the tables where things are otherwise
LAID: ContextVar[dict[str, Any]] = ContextVar("LAID", default={})  # noqa: B039
"""Seats and options of the tables that are laid out now."""
MORE = 3  # decisions on such a table after a card has done what it does


def full_table(year: int = 3) -> Scene:
    """Two characters in Brightdune, dice everywhere, a few obstacles of every kind."""
    scene = (
        Scene(seed=5, **LAID.get())
        .heroes("Thea at Parisa's Glen", "Keel at Parisa's Glen")
        .dice([1, 2, 3, 4, 5, 6], [2, 4, 5])
    )
    scene.set(year=year).person("Thea", achievements=6, xp=99).person("Keel", achievements=6)
    for name in RESOURCES:
        scene.pools(**{name: [2, 4, 5]})
        scene.assets("Parisa's Glen", f"{name} 3", f"{name} 6").assets("Whitehold", f"{name} 2")
    scene.obstacles("Eastkeep", "Imperial Guard 1", "Legionary 1", "Spy Unmasked")
    scene.obstacles("Loomwood", "Drauga", "Culture Clash").obstacles(
        "Hogel Manor", "Taichu", "Wine and Roses", "Tripwire"
    )
    scene.staged("Tinkering", "Cantrips", "Grand Tour", "Small Steps")
    scene.state.people[scene.number("character", "Menas")].marks[1] = 1
    scene.state.people[scene.number("character", "Thea")].marks[0] = 4
    return scene


@dataclass
class Case:
    """A card's effect about to begin: how its table is laid out, with whom, where; or the action that begins it."""

    name: str
    lay: Callable[[], Scene]  # called when the case is tried: whoever asks for one card does not lay out all tables
    effect: Any = None
    hero: int = -1
    place: str = ""
    obstacle: int = -1
    first: str = ""
    least: int = 0  # decisions, whether or not anything goes on
    more: int = 0  # decisions after nothing goes on any more; then answers are drawn once

    def begin(self) -> tuple[Any, Position]:
        """The state before, and the position at the first decision."""
        scene = self.lay()
        slot = scene.slot(self.place) if self.place else -1
        before = scene.d.state.copy(scene.ready().state)
        if self.effect is not None:
            run_effect(scene.state, self.effect, self.hero, slot, self.obstacle)
            scene.state.phase = P.moving
        return before, scene.go()


def with_obstacle(card: int, place: str) -> Scene:
    """A full table with this obstacle as well."""
    scene = full_table()
    name = scene.game.names["obstacle"][card]
    scene.obstacles(place, name)
    if name == "Eight Ears":
        scene.state.die_on[0], scene.state.die_is[0], scene.state.n_on_cards = card, 8, 1
    return scene


def obstacles() -> Iterator[Case]:
    """1.11, 9.8: what an obstacle does when it comes, wakes, is overcome."""
    game = load_game("sixwinters")
    for card, one in enumerate(game.sheet.obstacle):
        place = "Eastkeep" if one.name == "Northern Patrol" else "Parisa's Glen"
        for effect in one.effect:
            if effect.when in MOMENTS:
                row = game.box.obstacle[card].effect[MOMENTS[effect.when]]
                name = f"{game.names['obstacle'][card]}: {effect.when}"
                yield Case(name, partial(with_obstacle, card, place), row, hero=0, place=place, obstacle=card)


def at_location(i: int) -> Scene:
    """A full table with both characters at this location."""
    scene = full_table()
    if i not in list(scene.state.location_at):
        scene.state.location_at[4] = i
    for hero in range(2):
        scene.state.heroes[hero].slot = list(scene.state.location_at).index(i)
    return scene


def locations() -> Iterator[Case]:
    """1.9, 5.5, 13.4: a location's texts, with both characters there."""
    game = load_game("sixwinters")
    for i, card in enumerate(game.sheet.location):
        for word, moment in (("action", b.MOMENT.action), ("free", b.MOMENT.free), ("comes", b.MOMENT.enter_play)):
            effect = game.box.location[i].effect[moment]
            if effect.n:
                place = game.names["location"][i]
                yield Case(f"{card.name}: {word}", partial(at_location, i), effect, hero=0, place=place)


def for_event(name: str) -> Scene:
    """A full table, its first character where this seasonal event strikes."""
    scene = full_table()
    if name in STRUCK:
        scene.state.heroes[0].slot = scene.slot(STRUCK[name])
    return scene


def with_scheme(name: str) -> Scene:
    """A full table under this scheme, far on."""
    return full_table().scheme(name, "support").progress(support=6, military=6, diplomacy=6)


def events_and_schemes() -> Iterator[Case]:
    """4.2, 8.9: seasonal events, and each effect of each scheme."""
    game = load_game("sixwinters")
    for event in game.sheet.event:
        season = ("winter", "spring", "summer", "fall").index(event.season)
        yield Case(event.name, partial(for_event, event.name), game.box.event[season, event.symbols])
    for i, card in enumerate(game.sheet.scheme):
        for v, one in enumerate(card.effect):
            if not game.box.scheme[i].lasts >> v & 1:
                yield Case(f"{card.name}: {one.name}", partial(with_scheme, card.name), game.box.scheme[i].effect[v])


def with_mission(name: str, year: int) -> Scene:
    """A full table with this mission, made difficult."""
    return full_table(year=year).mission(name, difficult=(1, 0))


def missions() -> Iterator[Case]:
    """3.4, 11.2: a mission's setup at both settings, its pass side and its fail side."""
    game = load_game("sixwinters")
    for i, card in enumerate(game.sheet.mission):
        row = game.box.mission[i]
        lay = partial(with_mission, card.name, card.unlock.year or 3)
        effects = {"setup": row.setup[0], "difficult setup": row.setup[1], "passed": row.passed, "failed": row.failed}
        for word, effect in effects.items():
            if effect.n:
                yield Case(f"{card.name}: {word}", lay, effect)


def with_person(name: str) -> Scene:
    """A full table with this character in place of the first."""
    other = "Thea" if name != "Thea" else "Keel"
    return full_table().heroes(f"{name} at Parisa's Glen", f"{other} at Parisa's Glen").person(name, achievements=6)


def in_reserve(i: int) -> Scene:
    """A full table in whose reserve Fuscus has this action."""
    scene = full_table()
    fuscus = scene.state.people[scene.number("character", "Fuscus")]
    fuscus.reserves, fuscus.skills[4] = 1 << i, 4
    return scene.part(s.PART.reserve)


def with_effect(name: str) -> Scene:
    """A full table with this campaign effect."""
    return full_table().effects(name)


def people() -> Iterator[Case]:
    """9.4, 9.7, 9.11: every ability, reserve action and campaign effect that is used by an action."""
    sheet = load_game("sixwinters").sheet
    for card in sheet.character:
        for k in range(len(card.ability)):
            yield Case(f"{card.name}: {k + 1}", partial(with_person, card.name), first=f"ability {k + 1}")
    for i, action in enumerate(sheet.reserve_action):
        yield Case(action.name, partial(in_reserve, i), first=f"reserve action {action.name}")
    for card in sheet.campaign_effect:
        yield Case(card.name, partial(with_effect, card.name), first=f"use {card.name}")


def before_part(k: int, part: int) -> Scene:
    """A full table about to enter a part of the session, each time with other missions and another scheme."""
    sheet = load_game("sixwinters").sheet
    scene = full_table().scheme(sheet.scheme[k % 5].name, "military", "support", "sorcery", "diplomacy")
    scene.mission(*(sheet.mission[(2 * k + i) % len(sheet.mission)].name for i in range(2)), difficult=(k % 2, 0))
    scene.obstacles("Parisa's Glen", "Imperial Guard 2", "Legionary 2")
    if part >= s.PART.event:
        scene.card(0, "On Two Fronts")
    return scene.part(part)


def parts() -> Iterator[Case]:
    """3, 4, 11: a session from each of its parts on."""
    for k, name in enumerate(name for name in s.PART if name != "restore"):
        yield Case(name, partial(before_part, k, getattr(s.PART, name)), least=LONG)


# --- Tables where things are otherwise --------------------------------------------------------


def otherwise(lay: Callable[[], Scene], name: str, options: dict[str, Any]) -> Scene:
    """A table of a card with much of it changed by lot; the first character stays where the card finds it."""
    luck, token = random.Random(name), LAID.set(options)
    try:
        scene = lay()
    finally:
        LAID.reset(token)
    box, state = scene.box, scene.state
    here = int(state.heroes[0].slot)
    named = (here, scene.slot("Eastkeep"))  # where cards are laid
    others = [slot for slot in range(b.SLOTS) if slot not in named and luck.random() < 0.5]
    hurt(scene, luck)
    for slot in others:
        if luck.random() < 0.4:
            spare = [i for i in range(box.n_locations) if i not in list(state.location_at)]
            state.location_at[slot] = luck.choice(spare)
        while state.head[slot] != NOBODY and luck.random() < 0.6:
            land.discard(box, state, new_event_buffer(), int(state.head[slot]))
    for card in luck.sample(range(box.n_obstacles), 5):
        if s.DRAW <= state.obstacle_at[card] < s.RESERVE:
            land.attach(box, state, new_event_buffer(), card, luck.choice((here, *others)))
    for region in range(b.N_REGIONS):
        keep = luck.choice((1, 2, 40))
        while state.n_draw[region] > keep:
            top = int(state.draw[region, state.n_draw[region] - 1])
            land.onto_discards(state, top, region)
    lose_cards(scene, luck)
    change_dice(scene, luck, others or [here])
    return scene.ready()


def hurt(scene: Scene, luck: random.Random) -> None:
    """Characters at their last, or knocked out; of those in reserve some hurt, some unlocked or dead; other ranks, fewer dice."""
    state = scene.state
    for c in range(scene.box.n_characters):
        one = state.people[c]
        one.skills[:] = [luck.randrange(5) for _ in one.skills]
        one.marks[:] = [luck.choice((0, 1, 5, 7)) for _ in range(2)]
        if one.hero == NOBODY:
            one.state = luck.choice((s.UNLOCKED, s.UNLOCKED, s.LOCKED, s.DEAD))
    for h in range(int(state.n_heroes)):
        one = state.heroes[h]
        for track in range(2):
            one.stress[track], one.box_no[track] = luck.randint(1, b.FACES), luck.randrange(4)
            state.people[one.character].marks[track] |= (1 << int(one.box_no[track])) - 1
        if h > 0 and luck.random() < 0.6:
            one.slot = luck.choice((NOBODY, *range(b.SLOTS)))
            one.out = int(one.slot == NOBODY)
    for seat in range(b.SEATS):
        state.seats[seat].dice[:] = [luck.choice((0, 1, 2)) if seat < state.n_seats else 0 for _ in range(b.FACES)]


def lose_cards(scene: Scene, luck: random.Random) -> None:
    """Staged cards missing, and a deck that has run out."""
    state = scene.state
    for i in range(b.STAGED_OBSTACLES):
        if state.staged[i] >= 0 and luck.random() < 0.3:
            state.card_at[state.staged[i]], state.staged[i] = s.CARD_AT.discard, NOBODY
    if luck.random() < 0.4:
        state.stage_no = luck.randint(1, b.STAGES)
        for card in range(scene.box.n_cards):
            if state.card_at[card] == s.CARD_AT.deck and luck.random() < 0.9:
                state.card_at[card] = luck.choice((s.CARD_AT.burned, s.CARD_AT.discard))


def change_dice(scene: Scene, luck: random.Random, others: list[int]) -> None:
    """Pools and places emptied or filled, of some kinds all twelve dice in play; tracks near their ends; other effects and schemes."""
    state = scene.state
    for r in range(b.RES):
        if luck.random() < 0.5:
            state.pools[r] = luck.choice(([0] * 6, [1, 0, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0], [0, 0, 0, 0, 1, 1]))
        for slot in range(b.SLOTS):
            if luck.random() < 0.3:
                state.assets[slot, r] = luck.choice(([0] * 6, [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 2]))
        state.progress[r] = luck.choice((1, 2, 11, 12, int(state.progress[r])))
        state.threat[r] = luck.choice((1, 2, 11, 12, int(state.threat[r])))
    if luck.random() < 0.5:
        state.effects |= 1 << luck.randrange(scene.box.n_effects)
    if state.scheme == NOBODY and luck.random() < 0.4:
        state.scheme = luck.randrange(scene.box.n_schemes)
        state.lasting = luck.randrange(64) & int(scene.box.scheme[state.scheme].lasts)
        state.scheme_dice[luck.randrange(b.RES), luck.randrange(1 + b.FACES)] += 1
    for track in range(2):
        state.reduced[track] = luck.choice((0, 0, 1))
        state.reduced_until[track] = luck.randrange(3)
    for r in range(b.RES):
        short = int(scene.box.rules.dice_each) - n_dice_in_play(state, r)
        for _ in range(-short):
            kept = [(slot, v) for slot in range(b.SLOTS) for v in range(b.FACES) if state.assets[slot, r, v] > 0]
            slot, v = luck.choice(kept)
            state.assets[slot, r, v] -= 1
        if short > 0 and luck.random() < 0.3:
            state.assets[luck.choice(others), r, luck.randrange(b.FACES)] += max(0, short - luck.randrange(2))


@cache
def cases() -> dict[str, Case]:
    """All of them by name."""
    printed = (*obstacles(), *locations(), *events_and_schemes(), *missions(), *people(), *parts())
    found = {case.name: case for case in printed}
    for k, options in enumerate(OTHER_TABLES, 1):
        for case in printed:
            name = f"{case.name}, otherwise {k}"
            found[name] = replace(case, name=name, lay=partial(otherwise, case.lay, name, options), more=MORE)
    return found


Step = tuple[str, list[list[str]]]
"""A line, and in words what each of its checks stands for."""


def carried_out(name: str) -> Iterator[Step]:
    """A card, each time with other answers, until nothing goes on any more; what asks nothing once."""
    for seed in range(1 if cases()[name].more else ANSWERS):
        steps = list(_once(cases()[name], random.Random(seed)))
        yield from steps
        if len(steps) == 1:
            return


def _once(case: Case, luck: random.Random) -> Iterator[Step]:
    before, pos = case.begin()
    events = [f"{told.kind} {told.args} to {told.audience}" for told in pos.opening]
    changes = pos.game.definition.state.list_changes(before, pos.state)
    yield " ".join(["begins", *("".join(map(check, part)) or "-" for part in (events, changes))]), [events, changes]
    waits, more = bool(case.first), case.more
    for number in range(max(MOST, case.least)):
        if pos.over:
            break
        if not waits and not pos.state.n_frames and number >= case.least:
            more -= 1
            if more < 0:
                break
        names = {pos.game.action_names[i].name.casefold(): i for i in pos.legal_ids()}
        if not waits:
            action = luck.choice(list(names.values()))
        elif (wanted := case.first.casefold()) in names or "no action" in names:
            action = names.get(wanted, names.get("no action", -1))
            waits = wanted not in names
        else:
            break
        yield line_of(pos, action, False)


def written() -> str:
    """The text of the file: all cards with their lines."""
    return "".join(f"{name}\n" + "".join(f"    {line}\n" for line, _ in carried_out(name)) for name in cases())


def kept() -> dict[str, list[str]]:
    """The lines of each card in the file."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in PATH.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            found[name].append(line.strip())
        else:
            name = line
            found[name] = []
    return found


def difference(name: str, lines: list[str]) -> str:
    """Where a card first does something else than is kept, in words; empty when it does the same."""
    steps = zip_longest(lines, carried_out(name))
    for number, (line, step) in enumerate(steps, 1):
        now, said = step or ("missing", [])
        if now != line:
            return f"line {number} is now {now}: {said}"
    return ""
