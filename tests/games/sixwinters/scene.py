"""Positions of Six Winters laid out by names: `Scene().heroes("Keel at Eastkeep").dice([3, 3, 4]).go()`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sutler.contract.helpers import load_game
from sutler.core.bits import members
from sutler.core.events import Told
from sutler.core.play.position import Position
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.cards.vocabulary import RESOURCES, SKILLS
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.phases_actions_events import P


def cell_name(cell: int) -> str:
    """A cell of a progress card by its row and column, as actions name it."""
    return f"{cell // 4 + 1}.{cell % 4 + 1}"


class Scene:
    """A position in the actions step, easily changed before it is played from."""

    def __init__(self, seats: int = 2, seed: int = 0, **options: Any) -> None:
        self.game = load_game("sixwinters", **options)
        self.d = self.game.definition
        self.box = self.game.box
        self.state = self.game.blank(seats, seed)
        self.d.setup(self.box, self.state)
        self.state.part = s.PART.actions
        self.state.phase = P.act
        self.state.turn_no = 1
        self.state.session = 1

    def number(self, of: str, name: str) -> int:
        """A thing's number by its name."""
        return [one.casefold() for one in self.game.names[of]].index(name.casefold())

    def slot(self, place: str) -> int:
        """The slot of a location, by the location's name or the slot's."""
        found = [i for i in range(9) if self.game.names["location"][self.state.location_at[i]] == place]
        return found[0] if found else self.number("slot", place)

    def heroes(self, *who: str, seats: Sequence[int] = ()) -> Scene:
        """Who stands where: "Keel at Goldspike"; seat by seat, unless said otherwise."""
        self.state.n_heroes = len(who)
        for h, one in enumerate(who):
            name, _, place = one.partition(" at ")
            c, hero = self.number("character", name), self.state.heroes[h]
            hero.character, hero.slot = c, self.slot(place)
            hero.seat = seats[h] if seats else min(h, int(self.state.n_seats) - 1)
            self.state.people[c].state, self.state.people[c].hero = s.UNLOCKED, h
            for track in range(2):
                hero.stress[track] = self.state.people[c].start[track]
        return self

    def dice(self, *values: Iterable[int]) -> Scene:
        """Unspent action dice, seat by seat."""
        for seat, some in enumerate(values):
            self.state.seats[seat].dice[:] = 0
            for v in some:
                self.state.seats[seat].dice[v - 1] += 1
        return self

    def pools(self, **pools: Iterable[int]) -> Scene:
        """Dice in pools."""
        for name, values in pools.items():
            for v in values:
                self.state.pools[RESOURCES.index(name), v - 1] += 1
        return self

    def assets(self, place: str, *dice: str) -> Scene:
        """Assets at a place: "technology 5"."""
        for one in dice:
            name, v = one.split()
            self.state.assets[self.slot(place), RESOURCES.index(name), int(v) - 1] += 1
        return self

    def location(self, name: str, slot: str) -> Scene:
        """A location on a slot."""
        self.state.location_at[self.number("slot", slot)] = self.number("location", name)
        return self

    def obstacles(self, place: str, *names: str) -> Scene:
        """Obstacles at a place, in this order."""
        from sutler.games.sixwinters.rules.land import attach

        self.d.recount(self.box, self.state)
        for name in names:
            from sutler.core.events import new_event_buffer

            attach(self.box, self.state, new_event_buffer(), self.number("obstacle", name), self.slot(place))
        return self

    def mission(self, *names: str, difficult: Sequence[int] = (0, 0)) -> Scene:
        """The missions of the session."""
        for k, name in enumerate(names):
            task = self.state.tasks[k]
            task.mission, task.difficult = self.number("mission", name), difficult[k]
            self.state.mission[task.mission] = s.CURRENT
            self.state.mission_difficult[task.mission] = difficult[k]
        return self

    def card(self, h: int, name: str, *path: tuple[int, str]) -> Scene:
        """A progress card on a mat, with dice on cells (counted from 0 in rows of four)."""
        hero, card = self.state.heroes[h], self.number("card", name)
        hero.card, self.state.card_at[card] = card, s.CARD_AT.hero
        for cell, die in path:
            resource, v = die.split()
            hero.path[hero.n_path] = cell
            hero.path_die[hero.n_path] = RESOURCES.index(resource) * 6 + int(v) - 1
            hero.n_path += 1
        return self

    def staged(self, *names: str) -> Scene:
        """The staged cards from the top."""
        for i, name in enumerate(names):
            self.state.staged[i] = self.number("card", name)
            self.state.card_at[self.state.staged[i]] = s.CARD_AT.stage
        return self

    def tops(self, *seasons: str) -> Scene:
        """The season on top of each draw pile: a card of that season is brought to the top."""
        for region, season in enumerate(seasons):
            wanted = ("winter", "spring", "summer", "fall").index(season)
            n = int(self.state.n_draw[region])
            for i in range(n):
                if self.box.obstacle[self.state.draw[region, i]].season == wanted:
                    a, b = int(self.state.draw[region, i]), int(self.state.draw[region, n - 1])
                    self.state.draw[region, i], self.state.draw[region, n - 1] = b, a
                    break
            else:
                raise AssertionError(f"no card of {season} in pile {region}")
        return self

    def scheme(self, name: str, *dice: str) -> Scene:
        """A scheme with dice on it, not rolled: "military"; or rolled: "diplomacy 3"."""
        self.state.scheme = self.number("scheme", name)
        for one in dice:
            resource, _, v = one.partition(" ")
            self.state.scheme_dice[RESOURCES.index(resource), int(v or 0)] += 1
        return self

    def effects(self, *names: str) -> Scene:
        """Campaign effects gained."""
        for name in names:
            self.state.effects |= 1 << self.number("effect", name)
        return self

    def threat(self, **spaces: int) -> Scene:
        """Threat markers."""
        for name, space in spaces.items():
            self.state.threat[RESOURCES.index(name)] = space
        return self

    def progress(self, **spaces: int) -> Scene:
        """Progress markers."""
        for name, space in spaces.items():
            self.state.progress[RESOURCES.index(name)] = space
        return self

    def person(self, name: str, **skills: int) -> Scene:
        """Ranks of a character; also `achievements`, `xp`."""
        one = self.state.people[self.number("character", name)]
        for key, value in skills.items():
            if key in SKILLS:
                one.skills[SKILLS.index(key)] = value
            else:
                setattr(one, key, value)
        return self

    def set(self, **fields: int) -> Scene:
        """Plain fields of the state."""
        for key, value in fields.items():
            setattr(self.state, key, value)
        return self

    def part(self, part: int) -> Scene:
        """Another part of the session, its first step still to come."""
        self.state.part, self.state.phase, self.state.k, self.state.sub = part, P.moving, 0, 0
        return self

    def ready(self) -> Scene:
        """Counts made anew."""
        for r in range(6):
            self.state.in_play[r] = n_dice_in_play(self.state, r)
        self.d.recount(self.box, self.state)
        return self

    def go(self) -> Position:
        """The position; if no decision is open, the rules move on to the next."""
        self.ready()
        pos = Position(self.game, self.state, 0)
        if self.state.phase == P.moving:
            from sutler.core.events import drain_events, new_event_buffer

            buffer = new_event_buffer()
            self.d.start(self.box, self.state, buffer)
            pos.settle()
            pos.opening = (*drain_events(self.d.events, buffer), *pos.opening)
        else:
            pos.settle()
        assert int(self.d.check(self.box, pos.state)) == 0, self.d.FAULTS[int(self.d.check(self.box, pos.state))]
        return pos


def offers(pos: Position) -> set[str]:
    """The names of the legal actions, in small letters."""
    return {action.name.casefold() for action in pos.actions()}


def pool(pos: Position, name: str) -> list[int]:
    """The values in a pool."""
    return [v + 1 for v in range(6) for _ in range(pos.state.pools[RESOURCES.index(name), v])]


def dice(pos: Position, seat: int = 0) -> list[int]:
    """A seat's unspent action dice."""
    return [v + 1 for v in range(6) for _ in range(pos.state.seats[seat].dice[v])]


def assets(pos: Position, slot: int) -> list[str]:
    """The assets on a slot."""
    return [
        f"{r} {v + 1}" for i, r in enumerate(RESOURCES) for v in range(6) for _ in range(pos.state.assets[slot, i, v])
    ]


def at(pos: Position, slot: int) -> list[str]:
    """The obstacles on a slot, in order."""
    found, card = [], int(pos.state.head[slot])
    while card != NOBODY:
        found.append(pos.game.names["obstacle"][card])
        card = int(pos.state.after[card])
    return found


def kinds(told: Iterable[Told]) -> list[str]:
    """The kinds of what was told."""
    return [one.kind for one in told]


def names(pos: Position, of: str, words: Any) -> list[str]:
    """A set as names."""
    return [pos.game.names[of][i] for i in members(words)]


def run(game: Any, state: Any) -> list[Told]:
    """The rules move on from where no decision is open, as far as the next one."""
    from sutler.core.events import drain_events, new_event_buffer

    buffer = new_event_buffer()
    game.definition.start(game.box, state, buffer)
    return drain_events(game.definition.events, buffer)


Lines = Mapping[str, Sequence[str]]
