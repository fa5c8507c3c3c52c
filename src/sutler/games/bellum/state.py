"""The state of Bellum se ipsum alet: its record, and functions that read single facts from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import bit, has
from sutler.core.record import HEADER, NOBODY, field, record, set_of
from sutler.core.rule import rule
from sutler.games.bellum.box import (
    HEXES,
    NO_ALLIES,
    ONE_ALLIANCE,
    POWERS,
    SITES,
    S,
)
from sutler.games.bellum.hexes import NONE, intersection, n_hexes, read_hexes, single_hex, union

if TYPE_CHECKING:
    from sutler.core.typing import Word
    from sutler.games.bellum.hexes import Hexes
    from sutler.games.bellum.records import Box, Plan, State

# How a game ends (guide 13).
NOT_ENDED, BY_SIEGES, BY_RUIN, BY_PEACE = range(4)

POWER = record(
    "Power",
    ("supply", "i2"),
    ("strength", "i2"),
    ("leader", "i2", 2, "hex"),  # where each leader stands; NOBODY: off the board
    field("held", "i1", bits="power"),  # powers whose HQ token it has won, as bits
    ("is_broken", "i1"),  # ended a turn with supply 0 and strength 0
    set_of("area", "upright", HEXES),  # areas with an own upright token
    set_of("area", "tilted", HEXES),
)

SITE = record(
    "Site",
    ("extent", "i1", (), "size"),  # RUIN, MINOR, MEDIUM or MAJOR; NOBODY: no tile yet, or no city
    ("holder", "i1", (), "power"),  # whose upright token lies on it
    ("resistance", "i1"),  # the symbol on its resistance tile
    ("since", "i1", (), "year"),  # the round it was occupied
    ("besieger", "i1", (), "power"),  # whose tilted token lies on it
    ("siege", "i1", (), "symbol"),  # the symbol on its siege tile
    ("opened", "i1", (), "year"),  # the round the siege began
    ("with_both", "i1"),  # both leaders stood at it then
)

FIGHT = record(
    "Fight",
    ("attacker", "i1", (), "power"),
    ("defender", "i1", (), "power"),
    field("side", "i2", bits="leader"),  # leaders on the attacker's side, as bits
    field("foes", "i2", bits="leader"),  # leaders on the defender's side
    field("commit", "i1", 2, seen_by="commitment"),  # hidden until both have chosen
    ("loser", "i1", (), "power"),
    field("to_retreat", "i2", bits="leader"),  # leaders that still have to
    ("first_to", "i2", POWERS, "hex"),  # where a power's first retreating leader went
    ("mover", "i1", (), "leader"),
)

STATE = record(
    "State",
    *HEADER,
    ("plan", "i1"),
    ("allied", "i1"),  # NO_ALLIES, ONE_ALLIANCE or ALL_ALLIED
    ("leading", "i1", (), "power"),  # one power of the one alliance
    ("seat_of", "i1", POWERS, "seat"),
    ("order", "i1", POWERS, "power"),  # turn order
    ("n_powers", "i1"),
    ("kth", "i1"),  # how far the round has got in the turn order
    ("round_no", "i1", (), "year"),
    ("stage", "i1", (), "stage"),
    ("step", "i1"),  # how far the stage has got
    ("power", "i1", (), "power"),  # whose turn it is
    ("ending", "i1"),
    ("winner", "i1", (), "power"),  # who won by sieges
    field("tiles", "i1", 4, by="size"),  # city tiles left
    ("began", "i2"),  # pairs (own leader, enemy power) linked when the battle phase began: bit 4 * leader + power
    field("fought", "i2", bits="leader"),  # enemy leaders fought in this phase, as bits
    field("moved", "i2", bits="leader"),  # leaders that have moved in this phase, as bits
    ("mover", "i1", (), "leader"),
    ("is_returning", "i1"),  # removed leaders come back instead of a march
    ("calls", "i1"),  # how often the other leader was called before anything happened: at most twice
    ("fed_from", "i2"),  # strength when feeding began
    ("n_fed", "i2"),  # tokens tilted in this phase
    ("n_pillaged", "i2"),
    set_of("reach", "in_range", HEXES),  # the hexes in range, from the influence phase to the end of feeding
    set_of("area", "fed", HEXES),  # tokens tilted in this phase
    set_of("area", "pillaged", HEXES),
    field("powers", POWER, POWERS, by="power"),
    field("site", SITE, SITES, by="site"),
    field("fight", FIGHT),
)


# --- Small questions ----------------------------------------------------------


@rule
def plan_of(box: Box, state: State) -> Plan:
    """The record of the map in play: the whole board, or the part of it for three powers (14.8)."""
    return box.plan[state.plan]


@rule
def is_in_play(box: Box, state: State, power: int) -> bool:
    """Does this power take part in the game?"""
    return box.plan[state.plan].in_play[power] == 1


@rule
def ally_of(box: Box, state: State, power: int) -> int:
    """The power that is allied with this one, NOBODY when there is none (14.1)."""
    if state.allied == NO_ALLIES:
        return NOBODY
    ally = int(box.ally[power])
    if state.allied == ONE_ALLIANCE and state.leading != power and state.leading != ally:
        return NOBODY
    return ally


@rule
def links_at(box: Box, state: State, hex_number: int) -> Word:
    """The sites that connect leaders across a hex: next to the hex, and counted for adjacency, as a bit set (8.3).

    With the option `hqs_apart`, no HQ is among them.
    """
    plan = plan_of(box, state)
    sites = plan.touches[hex_number]
    if box.options.hqs_apart == 1:
        for power in range(POWERS):
            if plan.hq[power] != NOBODY:
                sites &= ~bit(plan.hq[power])
    return sites


@rule
def is_enemy(box: Box, state: State, power: int, other: int) -> bool:
    """Is `other` an enemy of `power`: in play, and not its ally?"""
    return other != power and is_in_play(box, state, other) and ally_of(box, state, power) != other


@rule
def enemies_of(box: Box, state: State, power: int) -> int:
    """The enemies of a power, as a bit set."""
    found = 0
    for other in range(POWERS):
        if is_enemy(box, state, power, other):
            found |= 1 << other
    return found


@rule
def is_held_by_any(state: State, site: int, power_bits: int) -> bool:
    """Does one of these powers have its upright token on the site? `power_bits`: a bit set."""
    return (power_bits << 1) >> (int(state.site[site].holder) + 1) & 1 != 0


@rule
def place_in_order(state: State, power: int) -> int:
    """The place of a power in the turn order, from 0 (4.2)."""
    for k in range(state.n_powers):
        if state.order[k] == power:
            return k
    return 0


@rule
def where_is(state: State, leader: int) -> int:
    """The hex of a leader; NOBODY when it is off the board."""
    return int(state.powers[leader >> 1].leader[leader & 1])


@rule
def leaders_of(state: State, power: int) -> Hexes:
    """The set of hexes of a power's leaders."""
    found = NONE
    for k in range(2):
        at = int(state.powers[power].leader[k])
        if at != NOBODY:
            found = union(found, single_hex(at))
    return found


@rule
def all_leaders(state: State) -> Hexes:
    """The set of hexes of all leaders on the board."""
    found = NONE
    for power in range(POWERS):
        found = union(found, leaders_of(state, power))
    return found


@rule
def tokens_of(state: State, power: int) -> Hexes:
    """The set of areas with a power's tokens, upright or tilted; tokens tilted in the present feed phase are included."""
    mine = union(read_hexes(state.powers[power].upright), read_hexes(state.powers[power].tilted))
    if state.stage == S.feed and state.power == power:
        mine = union(mine, read_hexes(state.fed))
    return mine


@rule
def sites_held(box: Box, state: State, power: int) -> Hexes:
    """The set of hexes of a power's HQ and of the cities with its upright token."""
    plan = plan_of(box, state)
    found = single_hex(int(box.site_hex[plan.hq[power]]))
    for site in range(box.n_sites):
        if state.site[site].holder == power:
            found = union(found, single_hex(int(box.site_hex[site])))
    return found


@rule
def sites_stood_at(box: Box, state: State, power: int) -> int:
    """The sites where this power has a leader, with no river between, as a bit set (9.1)."""
    plan = plan_of(box, state)
    found = 0
    for k in range(2):
        at = int(state.powers[power].leader[k])
        if at != NOBODY:
            found |= int(plan.stood_at[at])
    return found


@rule
def stands_at(box: Box, state: State, power: int, site: int) -> bool:
    """Has this power a leader at the site, with no river between (9.1)?"""
    before = plan_of(box, state).before[site]
    for k in range(2):
        at = int(state.powers[power].leader[k])
        if at != NOBODY and has(before, at):
            return True
    return False


@rule
def both_stand_at(box: Box, state: State, power: int, site: int) -> bool:
    """Do both leaders of the power stand at the site (14.4)?"""
    return n_hexes(intersection(leaders_of(state, power), read_hexes(plan_of(box, state).before[site]))) == 2


@rule
def tokens_on_board(box: Box, state: State, power: int) -> int:
    """The number of a power's tokens on areas, cities and its HQ, upright or tilted (13.5)."""
    n = n_hexes(tokens_of(state, power))
    if plan_of(box, state).hq[power] != NOBODY:
        n += 1
    for site in range(box.n_sites):
        if state.site[site].holder == power:
            n += 1
        if state.site[site].besieger == power:
            n += 1
    return n


@rule
def clear_fight(state: State) -> None:
    """Set the record of the battle to "no battle under way"."""
    fight = state.fight
    fight.attacker = NOBODY
    fight.defender = NOBODY
    fight.loser = NOBODY
    fight.mover = NOBODY
    fight.side = 0
    fight.foes = 0
    fight.to_retreat = 0
    for power in range(POWERS):
        fight.first_to[power] = NOBODY
    fight.commit[0] = 0
    fight.commit[1] = 0
