"""8.7, as a property: "A player may reveal a Writ token at any time" (print, Writ Tokens).

The guide lists the moments at which the table asks. Here a Writ is revealed before every single event of random wars, also where nobody is
asked: at none of these moments may that be better for its owner than to have revealed it just before the decision, or just after it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import sutler
from sutler.core import events as core_events
from sutler.core.bits import count, members
from sutler.core.events import new_event_buffer
from sutler.core.play.game import Game
from sutler.games.threeyears.phases_actions_events import A, P
from sutler.games.threeyears.rules import icons, interludes
from sutler.games.threeyears.rules.gains import reveal_writ, writ_of_kind

from .table import GAME

OPTIONS = [{}, {"one_despair": True}, {"own_targets": False, "exchange_once": True}]


@dataclass
class Interruption:
    """Reveals a Writ before the event with this number of a decision; counts the events."""

    game: Game
    number: int = -1
    seat: int = 0
    kind: int = 0
    state: Any = None
    told: int = 0
    revealing: bool = False

    def before_event(self, events: Any) -> None:
        """An event is about to be told."""
        if self.revealing:
            return
        if self.told == self.number and writ_of_kind(self.state, self.seat, self.kind) >= 0:
            self.revealing = True
            reveal_writ(self.game.box, self.state, events, self.seat, self.kind)
            self.revealing = False
        self.told += 1


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> list[Interruption]:
    """Whoever stands in this list hears of each event before it is told."""
    hearing: list[Interruption] = []
    write = core_events._write

    def listen(events: Any, *parts: Any) -> None:
        for one in tuple(hearing):
            one.before_event(events)
        write(events, *parts)

    monkeypatch.setattr(core_events, "_write", listen)
    return hearing


def play(hearing: list[Interruption], state: Any, action: int, one: Interruption) -> Any:
    """Where this action leads from a state, with the interruption."""
    d, one.state = one.game.definition, one.game.definition.state.copy(state)
    hearing.append(one)
    d.engine.go(one.game.box, one.state, new_event_buffer(), d.actions.new_ids(), d.asked, action)
    hearing.clear()
    return one.state


def gained(state: Any, seat: int) -> tuple[int, ...]:
    """What a seat would have more of, each by itself."""
    me = state.seats[seat]
    return (*map(int, me.tracks), int(me.renown), int(me.hope), -int(me.doom), -count(me.despair))


def revealed(game: Game, state: Any, seat: int, kind: int) -> Any:
    """This state, with a Writ revealed."""
    there = game.definition.state.copy(state)
    reveal_writ(game.box, there, new_event_buffer(), seat, kind)
    return there


def as_the_table_asks(
    hearing: list[Interruption], game: Game, state: Any, seat: int, kind: int
) -> Iterator[tuple[int, ...]]:
    """What a seat has that reveals its Writ from now on: at once, or at any question whether it does, and the war goes on."""
    yield gained(revealed(game, state, seat, kind), seat)
    while state.phase in (P.window, P.last_chance) and int(state.to_act) == seat:
        yield gained(play(hearing, state, A.reveal + kind, Interruption(game)), seat)
        state = play(hearing, state, A.keep, Interruption(game))
        if writ_of_kind(state, seat, kind) >= 0:
            yield gained(revealed(game, state, seat, kind), seat)


def missed_moments(hearing: list[Interruption], seats: int, seed: int, options: dict[str, Any]) -> Iterator[str | None]:
    """For each moment of a random war at which a Writ might be revealed: None, or what its owner cannot have as the table asks."""
    game = sutler.load("threeyears", **options) if options else GAME
    luck, pos = random.Random(seed), game.new(seats, seed=seed)
    while not pos.over:
        action, state = luck.choice(pos.legal_ids()), pos.state
        for seat in range(seats):
            for kind in sorted({int(state.writ_face[token]) for token in members(state.seats[seat].writs)}):
                plain = Interruption(game)
                after = play(hearing, state, action, plain)
                if writ_of_kind(after, seat, kind) < 0:
                    continue  # it was revealed by this very action
                others = list(as_the_table_asks(hearing, game, after, seat, kind))
                before = revealed(game, state, seat, kind)
                if pos.seat == seat and not game.definition.why_not(game.box, before, action):
                    others.append(gained(play(hearing, before, action, Interruption(game)), seat))
                for number in range(plain.told):
                    there = play(hearing, state, action, Interruption(game, number, seat, kind))
                    reached = gained(there, seat)
                    better = [all(a >= b for a, b in zip(other, reached, strict=True)) for other in others]
                    name = pos.game.action_names[action].name
                    yield None if any(better) else f"seed {seed}, {name}, event {number}: {reached}, not {others}"
        pos.play(action)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_at_no_moment_in_between_a_writ_is_worth_more(
    interrupt: list[Interruption], seats: int, options: dict[str, Any]
) -> None:
    told = [one for seed in range(5) for one in missed_moments(interrupt, seats, 100 * seats + seed, options)]
    assert len(told) > 100
    assert [one for one in told if one is not None] == []


def test_a_moment_that_is_left_out_is_found(interrupt: list[Interruption], monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: nobody is asked before a Despair."""
    for module in (icons, interludes):
        monkeypatch.setattr(module, "writs_of", lambda state, seat: 0)
    assert any(one is not None for seed in range(12) for one in missed_moments(interrupt, 5, 500 + seed, {}))
