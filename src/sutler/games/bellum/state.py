"""The state of Bellum se ipsum alet: the record, setting up (guide 4), what must always be true, small questions."""

from __future__ import annotations

from typing import Any

from sutler.core.chance import below
from sutler.core.record import HEADER, NOBODY, field, record, set_of
from sutler.core.rule import rule
from sutler.games.bellum.box import (
    ALL_ALLIED,
    CITY,
    CUT,
    HEXES,
    LEADERS,
    MAJOR,
    MINOR,
    NO_ALLIES,
    ONE_ALLIANCE,
    OUT,
    PHASE_NAMES,
    POWERS,
    RUIN,
    SITES,
    STANDARD,
)
from sutler.games.bellum.hexes import NONE, both, either, holds, how_many, is_any, keep, one, those

# Decisions: what `state.phase` may be. MOVING is no decision: the rules go on by themselves.
(
    MOVING,
    PLACE,
    ATTACK,
    COMMIT,
    ANSWER,
    REMOVE,
    RETREAT_FIRST,
    RETREAT,
    SIEGE,
    FORCE,
    FEED,
    PILLAGE,
    MOVE,
    OVER,
) = range(len(PHASE_NAMES))

# What `state.stage` may be: setting up, then the five phases of a turn (guide 7.1).
PREPARATION, BATTLE_PHASE, CITY_PHASE, INFLUENCE_PHASE, FEED_PHASE, LEADER_PHASE = range(6)

# How a game ends (guide 13).
NOT_ENDED, BY_SIEGES, BY_RUIN, BY_PEACE = range(4)

POWER = record(
    "Power",
    ("supply", "i2"),
    ("strength", "i2"),
    ("leader", "i2", 2, "hex"),  # where each leader stands; NOBODY: off the board
    ("held", "i1"),  # powers whose HQ token it has won, as bits
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
    ("side", "i2"),  # leaders on the attacker's side, as bits
    ("foes", "i2"),  # leaders on the defender's side
    ("commit", "i1", 2),  # hidden until both have chosen
    ("loser", "i1", (), "power"),
    ("to_retreat", "i2"),  # leaders that still have to
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
    ("fought", "i2"),  # enemy leaders fought in this phase, as bits
    ("moved", "i2"),  # leaders that have moved in this phase, as bits
    ("mover", "i1", (), "leader"),
    ("is_returning", "i1"),  # removed leaders come back instead of a march
    ("calls", "i1"),  # how often the other leader was called before anything happened: at most twice
    ("fed_from", "i2"),  # strength when feeding began
    ("n_fed", "i2"),  # tokens tilted in this phase
    ("n_pillaged", "i2"),
    set_of("reach", "in_range", HEXES),  # the hexes in range when feeding began
    set_of("area", "fed", HEXES),  # tokens tilted in this phase
    set_of("area", "pillaged", HEXES),
    field("powers", POWER, POWERS, by="power"),
    field("site", SITE, SITES, by="site"),
    field("fight", FIGHT),
)


# --- Small questions ----------------------------------------------------------


@rule
def plan_of(box: Any, state: Any) -> Any:
    """The map in play: the whole board, or the cut of three powers (14.8)."""
    return box.plan[state.plan]


@rule
def is_in_play(box: Any, state: Any, power: Any) -> Any:
    """Does this power take part?"""
    return box.plan[state.plan].in_play[power] == 1


@rule
def ally_of(box: Any, state: Any, power: Any) -> Any:
    """14.1: the allied power, NOBODY when it has none."""
    if state.allied == NO_ALLIES:
        return NOBODY
    ally = int(box.ally[power])
    if state.allied == ONE_ALLIANCE and state.leading != power and state.leading != ally:
        return NOBODY
    return ally


@rule
def is_enemy(box: Any, state: Any, power: Any, other: Any) -> Any:
    """Any other power in play that is no ally."""
    return other != power and is_in_play(box, state, other) and ally_of(box, state, power) != other


@rule
def where_is(state: Any, leader: Any) -> Any:
    """The hex of a leader, NOBODY when it is off the board."""
    return int(state.powers[leader >> 1].leader[leader & 1])


@rule
def leaders_of(state: Any, power: Any) -> Any:
    """The hexes of a power's leaders."""
    found = NONE
    for k in range(2):
        at = int(state.powers[power].leader[k])
        if at != NOBODY:
            found = either(found, one(at))
    return found


@rule
def all_leaders(state: Any) -> Any:
    """The hexes of every leader on the board."""
    found = NONE
    for power in range(POWERS):
        found = either(found, leaders_of(state, power))
    return found


@rule
def tokens_of(state: Any, power: Any) -> Any:
    """A power's tokens on areas, upright, tilted and tilted just now."""
    mine = either(those(state.powers[power].upright), those(state.powers[power].tilted))
    if state.stage == FEED_PHASE and state.power == power:
        mine = either(mine, those(state.fed))
    return mine


@rule
def sites_held(box: Any, state: Any, power: Any) -> Any:
    """The hexes of a power's HQ and of the cities with its upright token."""
    plan = plan_of(box, state)
    found = NONE
    if plan.hq[power] != NOBODY:
        found = one(int(box.site_hex[plan.hq[power]]))
    for site in range(box.n_sites):
        if state.site[site].holder == power:
            found = either(found, one(int(box.site_hex[site])))
    return found


@rule
def stands_at(box: Any, state: Any, power: Any, site: Any) -> Any:
    """9.1: has this power a leader at the site, with no river between?"""
    return is_any(both(leaders_of(state, power), those(plan_of(box, state).before[site])))


@rule
def both_stand_at(box: Any, state: Any, power: Any, site: Any) -> Any:
    """14.4: are both its leaders at the site?"""
    return how_many(both(leaders_of(state, power), those(plan_of(box, state).before[site]))) == 2


@rule
def tokens_on_board(box: Any, state: Any, power: Any) -> Any:
    """13.5: own tokens on areas, cities and the HQ, upright or tilted."""
    n = how_many(tokens_of(state, power))
    if plan_of(box, state).hq[power] != NOBODY:
        n += 1
    for site in range(box.n_sites):
        if state.site[site].holder == power:
            n += 1
        if state.site[site].besieger == power:
            n += 1
    return n


# --- Setting up (guide 4) -----------------------------------------------------


@rule
def setup(box: Any, state: Any) -> Any:
    """4: draw powers and turn order, place leaders and tokens. `n_seats` and `rng` are set; all else is zero."""
    state.plan = STANDARD
    if state.n_seats == 3 and box.options.three_cut == 1:
        state.plan = CUT
    state.power = NOBODY
    state.winner = NOBODY
    state.leading = NOBODY
    state.mover = NOBODY
    clear_fight(state)
    choose_alliances(box, state)
    draw_powers(box, state)
    for power in range(POWERS):
        place_power(box, state, power)
    plan = plan_of(box, state)
    for site in range(SITES):
        slot = state.site[site]
        slot.extent = NOBODY
        slot.holder = NOBODY
        slot.besieger = NOBODY
    for size in range(4):
        state.tiles[size] = box.rules.city_tiles[size]
    if box.options.random_tiles == 1:
        for site in range(box.n_sites):
            if plan.role[site] == CITY:
                deal_tile(state, site)
    state.stage = PREPARATION
    state.kth = state.n_powers - 1  # reversed turn order


@rule
def clear_fight(state: Any) -> Any:
    """No battle is on."""
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


@rule
def choose_alliances(box: Any, state: Any) -> Any:
    """14.1, 14.2: who is allied with whom at this table."""
    state.allied = NO_ALLIES
    if state.n_seats == 2 or (state.n_seats == 4 and box.options.alliance == 1):
        state.allied = ALL_ALLIED
    if state.n_seats == 3 and box.options.three_cut == 0:
        state.allied = ONE_ALLIANCE
        state.leading = box.options.pair
        if box.options.pair == NOBODY:
            state.leading = below(state, POWERS)


@rule
def draw_powers(box: Any, state: Any) -> Any:
    """4.2: which seat leads which power, and the order of their turns; by lot unless the table wants it fixed."""
    plan = plan_of(box, state)
    for power in range(POWERS):
        state.order[power] = NOBODY
        state.seat_of[power] = NOBODY
    state.n_powers = 0
    for power in range(POWERS):
        if plan.in_play[power] == 1:
            state.order[state.n_powers] = power
            state.n_powers += 1
    if box.options.drawn == 1:
        shuffle_order(state)
    seat = 0
    for k in range(state.n_powers):
        power = int(state.order[k])
        if state.seat_of[power] == NOBODY:
            state.seat_of[power] = seat
            ally = ally_of(box, state, power)
            if ally != NOBODY and state.n_seats < 4:
                state.seat_of[ally] = seat
            seat += 1
    if box.options.drawn == 1:
        shuffle_order(state)


@rule
def shuffle_order(state: Any) -> Any:
    """Put the powers in play into random order."""
    for i in range(state.n_powers - 1, 0, -1):
        j = below(state, i + 1)
        held = state.order[i]
        state.order[i] = state.order[j]
        state.order[j] = held


@rule
def place_power(box: Any, state: Any, power: Any) -> Any:
    """4.3: leaders and a token in the HQ, tokens on all areas next to it, both tracks at 6."""
    me = state.powers[power]
    plan = plan_of(box, state)
    me.leader[0] = NOBODY
    me.leader[1] = NOBODY
    if plan.in_play[power] == 1:
        home = int(plan.hq[power])
        me.supply = box.rules.start_supply
        me.strength = box.rules.start_strength
        me.leader[0] = box.site_hex[home]
        me.leader[1] = box.site_hex[home]
        keep(me.upright, those(plan.around[home]))


@rule
def deal_tile(state: Any, site: Any) -> Any:
    """4.5: one of the tiles that are left, at random."""
    left = 0
    for size in range(MINOR, MAJOR + 1):
        left += state.tiles[size]
    k = below(state, left)
    for size in range(MINOR, MAJOR + 1):
        if 0 <= k < state.tiles[size]:
            state.site[site].extent = size
        k -= int(state.tiles[size])
    state.tiles[state.site[site].extent] -= 1


def complete(box: Any, state: Any, written: frozenset[str]) -> None:
    """A position from a file that names the power to move: its turn begins, cities the file does not name are ruins."""
    if "power" not in written:
        return
    order = [int(power) for power in state.order[: state.n_powers]]
    state.kth = order.index(int(state.power)) if int(state.power) in order else 0
    if "stage" not in written:
        state.stage = BATTLE_PHASE
    for site in range(int(box.n_sites)):
        if box.plan[state.plan].role[site] == CITY and state.site[site].extent == NOBODY:
            state.site[site].extent = RUIN


@rule
def recount(box: Any, state: Any) -> Any:
    """Nothing is kept that could be counted anew."""
    return


# --- What must always be true ------------------------------------------------

FAULTS = (
    "",
    "two tokens lie on one area",
    "a token lies where none may",
    "two leaders stand on one area, or one where none may",
    "a level below zero",
    "the seat to act is not at the table",
    "a ruin, an HQ or a place out of play holds a city's tokens",
    "a besieger has no leader at the city",
    "the turn order is no order of the powers in play",
    "a power that is not in play has tokens or leaders",
)


@rule
def check(box: Any, state: Any) -> Any:
    """0, or the number of the fault in FAULTS."""
    if not 0 <= state.plan <= CUT or not 0 <= state.round_no < box.n_rounds or not 0 <= state.n_powers <= POWERS:
        return 8
    taken = those(state.pillaged)
    plan = plan_of(box, state)
    for power in range(POWERS):
        me = state.powers[power]
        tokens = tokens_of(state, power)
        if plan.in_play[power] == 0 and is_any(tokens):
            return 9
        if is_any(both(taken, tokens)) or is_any(both(those(me.upright), those(me.tilted))):
            return 1
        if both(tokens, those(plan.areas)) != tokens:
            return 2
        taken = either(taken, tokens)
        if me.supply < 0 or me.strength < 0:
            return 4
    fault = check_leaders(box, state)
    if fault == 0:
        fault = check_sites(box, state)
    if fault == 0 and not 0 <= state.to_act < state.n_seats:
        fault = 5
    if fault == 0:
        seen = 0
        for k in range(state.n_powers):
            power = int(state.order[k])
            if not 0 <= power < POWERS or not is_in_play(box, state, power):
                return 8
            if not 0 <= state.seat_of[power] < state.n_seats:
                return 5
            seen |= 1 << power
        for power in range(POWERS):
            if is_in_play(box, state, power) and not seen >> power & 1:
                return 8
    return fault


@rule
def check_leaders(box: Any, state: Any) -> Any:
    """One leader an area, on land; or at home in the HQ."""
    plan = plan_of(box, state)
    taken = NONE
    for leader in range(LEADERS):
        at = where_is(state, leader)
        if at == NOBODY:
            continue
        if not 0 <= at < HEXES or not is_in_play(box, state, leader >> 1):
            return 3
        home = plan.hq[leader >> 1] != NOBODY and at == box.site_hex[plan.hq[leader >> 1]]
        if not home and (holds(taken, at) or not holds(those(plan.land), at)):
            return 3
        taken = either(taken, one(at))
    return 0


@rule
def check_sites(box: Any, state: Any) -> Any:
    """Tokens and tiles only on cities that stand; a siege has its leader."""
    plan = plan_of(box, state)
    for site in range(SITES):
        slot = state.site[site]
        is_city = plan.role[site] == CITY and slot.extent > 0
        if not is_city and (slot.holder != NOBODY or slot.besieger != NOBODY):
            return 6
        if plan.role[site] == OUT and slot.extent != NOBODY:
            return 6
        if slot.besieger != NOBODY and not stands_at(box, state, int(slot.besieger), site):
            return 7
        if slot.besieger != NOBODY and slot.besieger == slot.holder:
            return 6
    return 0
