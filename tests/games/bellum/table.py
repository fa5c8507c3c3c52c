"""Positions of Bellum by hex codes and names, for its tests.

pos = board("Sweden", 1632, leaders={"Gustav Adolf": "1005"}, tokens={"Austria": ["1204"]}, cities={"Berlin": "medium"})

The board is bare unless more is said: no tokens, no leaders, every city a ruin. Seat 0 leads Sweden.
`board` gives a table at rest, for single phases (`run`); `game` begins the turn, for actions by name.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sutler
from sutler.contract.helpers import given
from sutler.core.bits import members
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.play.game import Game
from sutler.core.play.position import Position
from sutler.games.bellum import state as s
from sutler.games.bellum.box import S
from sutler.games.bellum.phases_actions_events import P
from sutler.games.bellum.rules import battle, city, feed, influence, march, supply

POWERS = ("Sweden", "Austria", "France", "Spain")
STAGES = {
    "battle": (S.battle, battle.proceed_battle),
    "city": (S.city, city.proceed_city),
    "influence": (S.influence, influence.proceed_influence),
    "feed": (S.feed, feed.proceed_feed),
}


@cache
def rules_with(settings: tuple[tuple[str, Any], ...] = (), **options: Any) -> Game:
    """The game with these options and settings; powers and turn order as printed unless the test wants them drawn."""
    return sutler.load("bellum", None, dict(settings), **{"drawn": False, **options})


def code(name: str) -> str:
    """A hex's code by its name."""
    names = rules_with().names
    return str(names["code"][names["hex"].index(name)])


def hex_of(where: str) -> int:
    """A hex's number by code."""
    return list(rules_with().names["code"]).index(where)


def name_of(where: str) -> str:
    """A hex's name by code."""
    return str(rules_with().names["hex"][hex_of(where)])


def _state(power, year, leaders, tokens, tilted, pillaged, cities, levels, held, more):
    names = rules_with().names
    powers = {}
    for i, one in enumerate(POWERS):
        mine = names["leader"][2 * i : 2 * i + 2]
        supply_level, strength = levels.get(one, (6, 8))
        powers[one] = {
            "leader": [name_of(leaders[name]) if name in leaders else -1 for name in mine],
            "upright": [name_of(where) for where in tokens.get(one, ())],
            "tilted": [name_of(where) for where in tilted.get(one, ())],
            "supply": supply_level,
            "strength": strength,
            "held": sum(1 << POWERS.index(other) for other in held.get(one, ())),
        }
    site = {}
    for name, what in cities.items():
        size, holder, resistance, besieger, symbol, opened = (
            *((what,) if isinstance(what, str) else what),
            *[None] * 5,
        )[:6]
        site[name] = {"extent": size}
        if holder:
            site[name] |= {"holder": holder, "resistance": resistance or 0}
        if besieger:
            site[name] |= {"besieger": besieger, "siege": symbol, "opened": opened}
    return {
        "power": power,
        "round_no": names["year"].index(str(year)),
        "powers": powers,
        "site": site,
        "pillaged": [name_of(where) for where in pillaged],
        **more,
    }


def board(
    power="Sweden",
    year=1632,
    leaders=(),
    tokens=(),
    tilted=(),
    pillaged=(),
    cities=(),
    levels=(),
    held=(),
    options=(),
    seats=4,
    resting=True,
    **more,
) -> Position:
    """A table at rest (the game counts as over) on which `run` plays single phases."""
    if resting:
        more = {"phase": "over", **more}
    state = _state(
        power, year, dict(leaders), dict(tokens), dict(tilted), pillaged, dict(cities), dict(levels), dict(held), more
    )
    return given(rules_with(**dict(options)), seats, **state)


def game(*args: Any, **what: Any) -> Position:
    """The same, with the turn of the power begun: the first decision is open."""
    return board(*args, resting=False, **what)


def run(pos: Position, stage: str) -> list[str]:
    """Play one phase of the power whose turn it is, up to a decision or its end; what was told, as sentences."""
    state, buffer = pos.state, new_event_buffer()
    state.stage, proceed = STAGES[stage]
    state.phase, state.step, state.ending = P.moving, 0, s.NOT_ENDED
    while state.phase == P.moving and state.stage == STAGES[stage][0]:
        proceed(pos.game.box, state, buffer)
    return ["".join(map(str, pos.speaker.tell(told))) for told in drain_events(pos.game.definition.events, buffer)]


def at_year(pos: Position, year: int, power: str | None = None) -> Position:
    """Put the marker on another year, and perhaps another power to move."""
    pos.state.round_no = pos.game.names["year"].index(str(year))
    if power:
        pos.state.power = POWERS.index(power)
    return pos


def codes(pos: Position, words: Any) -> set[str]:
    """A set of hexes as codes."""
    return {str(pos.game.names["code"][i]) for i in members(words)}


def upright(pos: Position, power: str) -> set[str]:
    return codes(pos, pos.state.powers[POWERS.index(power)].upright)


def tilted(pos: Position, power: str) -> set[str]:
    return codes(pos, pos.state.powers[POWERS.index(power)].tilted)


def levels(pos: Position, power: str) -> tuple[int, int]:
    one = pos.state.powers[POWERS.index(power)]
    return int(one.supply), int(one.strength)


def strength(pos: Position, power: str) -> int:
    return levels(pos, power)[1]


def after_battle(pos: Position, power: str) -> int | None:
    """The strength told at the end of the last battle (the turn goes on by itself); None when there was none."""
    told = [one for _, one in pos.told() if one.kind == "strength" and one.args[0] == POWERS.index(power)]
    return told[-1].args[2] if told else None


def place_of(pos: Position, leader: str) -> str | None:
    """The hex code of a leader, None off the board."""
    at = int(s.where_is(pos.state, pos.game.names["leader"].index(leader)))
    return None if at == s.NOBODY else str(pos.game.names["code"][at])


def put(pos: Position, leader: str, where: str | None) -> Position:
    """Set a leader down somewhere, or take it off."""
    number = pos.game.names["leader"].index(leader)
    pos.state.powers[number // 2].leader[number % 2] = -1 if where is None else hex_of(where)
    return pos


def city_at(pos: Position, name: str) -> dict[str, Any]:
    """A city's tiles and tokens, in words."""
    names, slot = pos.game.names, pos.state.site[pos.game.names["site"].index(name)]
    return {
        "size": names["size"][slot.extent],
        "holder": names["power"][slot.holder] if slot.holder >= 0 else None,
        "resistance": int(slot.resistance) if slot.holder >= 0 else None,
        "besieger": names["power"][slot.besieger] if slot.besieger >= 0 else None,
        "siege": names["symbol"][slot.siege] if slot.besieger >= 0 else None,
    }


def in_range(pos: Position, power: str) -> set[str]:
    """Codes of everything in range of a power."""
    found = supply.range_of(pos.game.box, pos.state, POWERS.index(power))
    return codes(pos, list(found))


def supply_of(pos: Position, power: str) -> int:
    state, number = pos.state.copy(), POWERS.index(power)
    state.in_range[:] = supply.range_of(pos.game.box, state, number)
    return int(supply.supply_of(pos.game.box, state, number))


def goals(pos: Position, leader: str) -> set[str]:
    """Codes of where a leader may march."""
    number = pos.game.names["leader"].index(leader)
    return codes(pos, list(march.destinations(pos.game.box, pos.state, number)))


def why(pos: Position, action: str) -> tuple[str, str]:
    refusal = pos.why_not(action)
    assert refusal is not None, f"{action} is legal"
    return refusal.text, refusal.rule
