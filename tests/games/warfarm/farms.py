"""Words for WARFARM's tests: lay out three farms at any step of a turn, and read what each owns.

pos = farms("attack", {"land": 6, "soldiers": 1}, {"land": 6}, {"land": 6})
play(pos, "attack with a Soldier", "hit Farmland of seat 1")
assert owns(pos, 1, land=5)
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import sutler
from sutler.contract.helpers import given
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.play.game import Game
from sutler.core.play.position import Position
from sutler.games.warfarm import box as b
from sutler.games.warfarm.phases_actions_events import P
from sutler.games.warfarm.rules import turn as course

TOKENS = {"land": b.FARMLAND, "water": b.WATER, "steel": b.STEEL, "religion": b.RELIGION, "fire": b.FIRE}
SPOTS = {
    "farmers": b.FIELD,
    "land_farmers": b.LAND_FARMER,
    "explorers": b.CAMP,
    "soldiers": b.RESERVE,
    "guards": b.LAND_SOLDIER,
    "disciples": b.HOME,
    "cannons": b.PARK,
    "returning": b.RETURNING,
}
UNITS = {
    "n_farmers": b.FARMER,
    "n_explorers": b.EXPLORER,
    "n_soldiers": b.SOLDIER,
    "n_disciples": b.DISCIPLE,
    "n_cannons": b.CANNON,
}
PLAIN = {"farming", "praying", "is_bound", "peace"}
A, B, C = 0, 1, 2


def _seat(farm: dict[str, Any]) -> dict[str, Any]:
    """A farm in short words as the fields of the record."""
    farm = {"land": 6, **farm}
    goods = {TOKENS[key]: farm.pop(key, 0) for key in TOKENS}
    spots = {SPOTS[key]: farm.pop(key, 0) for key in SPOTS}
    spots |= {b.VISITING + seat: n for seat, n in farm.pop("visiting", {}).items()}
    spots |= {b.AWAY + b.DECK_NAMES.index(deck): n for deck, n in farm.pop("away", {}).items()}
    hand: dict[str, int] = {}
    for card in farm.pop("hand", []):
        hand[card] = hand.get(card, 0) + 1
    shown = dict(Counter(farm.pop("shown", [])))
    table, traps = farm.pop("table", []), farm.pop("traps", [])
    cards = [one if isinstance(one, tuple) else (one, {}) for one in table]
    holes = [one if isinstance(one, tuple) else (one, 0) for one in traps]
    fields: dict[str, Any] = {
        "goods": goods,
        "spots": spots,
        "hand": hand,
        "shown": shown,
        "table": [name for name, _ in cards],
        "posts": [[posts.get(row, 0) for _, posts in cards] for row in ("soldiers", "farmers", "workers")],
        "traps": [name for name, _ in holes],
        "trap_guards": [n for _, n in holes],
    }
    fields |= {key: farm.pop(key) for key in list(farm) if key in PLAIN}
    assert not farm, f"no such thing on a farm: {farm}"
    return fields


def farms(
    step: str, *seats: dict[str, Any], game: Game | None = None, active: int = A, seed: int = 0, **state: Any
) -> Position:
    """A position in which the active seat comes to a step of its turn; seats left out own 6 Farmland and nothing else."""
    rows = [_seat(seats[i] if i < len(seats) else {}) for i in range(3)]
    rules_of = game or sutler.load("warfarm", **state.pop("options", {}))
    pos = given(rules_of, 3, seed, phase="play", to_act=active, seats=rows, **state)
    pos.state.step = b.STEP_NAMES.index(step)
    pos.state.phase = P.moving
    told = new_event_buffer()
    course.proceed(pos.game.box, pos.state, told)
    pos.settle()
    pos.opening = (*drain_events(pos.game.definition.events, told), *pos.opening)
    return pos


def amount(pos: Position, seat: int, what: str) -> int:
    """How much of something a seat has."""
    me = pos.state.seats[seat]
    if what in TOKENS:
        return int(me.goods[TOKENS[what]])
    if what in SPOTS:
        return int(me.spots[SPOTS[what]])
    if what in UNITS:
        return int(me.goods[UNITS[what]])
    return int(me[what])


def owns(pos: Position, seat: int, **wanted: int) -> bool:
    """Does a seat have just so much of each? Says what differs when it does not."""
    found = {what: amount(pos, seat, what) for what in wanted}
    assert found == wanted, f"seat {seat} has {found}, not {wanted}"
    return True


def hand(pos: Position, seat: int) -> list[str]:
    """The names of a seat's hand cards."""
    cards = pos.state.seats[seat].hand
    return [name for card, name in enumerate(pos.game.names["card"]) for _ in range(int(cards[card]))]


def decks_of_hand(pos: Position, seat: int) -> list[str]:
    """The decks that a seat's hand cards came from."""
    by_name = {card.name: card.deck for card in pos.game.sheet.card}
    return sorted(by_name[name] for name in hand(pos, seat))


def table(pos: Position, seat: int) -> list[str]:
    """The names of a seat's Table cards."""
    me = pos.state.seats[seat]
    return [pos.game.names["card"][card] for card in me.table[: me.n_table]]


def traps(pos: Position, seat: int) -> list[str]:
    """The names of a seat's Traps."""
    me = pos.state.seats[seat]
    return [pos.game.names["card"][card] for card in me.traps[: me.n_traps]]


def pick(pos: Position, seat: int, spot: str) -> str:
    """The name of the action that picks a unit."""
    return f"pick seat {seat} {spot}"


def turn(pos: Position, seat: int) -> None:
    """Let everybody pass until this seat's turn has begun and asks for something past its first two steps."""
    for _ in range(60):
        if pos.over or (int(pos.state.active) == seat and int(pos.state.step) >= 2):
            return
        names = {action.name for action in pos.actions()}
        ways = [name for name in ("end playing", "end building", "leave on post", "end posting") if name in names]
        ways += [name for name in ("end attacking", "end exploring", "leave the Fire") if name in names]
        pos.play(ways[0])
    raise AssertionError("the turn never comes")
