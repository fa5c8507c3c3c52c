"""What a seat may know of Bellum, for people, bots and learners; and the words of prompts and choices.

Everything lies open but one thing: what the attacker has committed, until the defender has committed too (guide 8.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import floor, sin
from typing import Any

from sutler.core.actions import Action
from sutler.core.bits import has, members
from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.speech import Choice, Line, Prompt, Speaker
from sutler.core.text import Sentence, Word
from sutler.games.bellum import state as s
from sutler.games.bellum.box import (
    ACTIONS,
    CITY,
    HEXES,
    HQ,
    LEADERS,
    MAJOR,
    NO_ALLIES,
    PHASE_NAMES,
    POWERS,
    RUIN,
    SITES,
    SIZE_NAMES,
    STAGE_NAMES,
    SYMBOLS,
    centre,
    corners,
    neighbours,
)
from sutler.games.bellum.rules.battle import (
    ATTACKING,
    ally_bonus,
    attack_bonus,
    can_attack,
    defence_bonus,
    defended_site,
    group_of,
    is_across_water,
    leader_bonus,
    most_to_commit,
    site_defence,
    with_allies,
)
from sutler.games.bellum.rules.city import round_of_fall, round_of_revolt, siege_symbol, site_at_hand
from sutler.games.bellum.rules.feed import feeds_at_least, feeds_at_most, strength_after
from sutler.games.bellum.rules.march import halting_areas, is_asked, reach_of
from sutler.games.bellum.rules.supply import range_of
from sutler.games.bellum.scoring import (
    does_war_win,
    is_barred,
    is_same_side,
    level_of,
    power_score,
    seat_score,
    seat_tokens,
    tokens_lost,
    tokens_won,
    verdict,
)

# --- For bots and learners ----------------------------------------------------

PER_HEX = 8
PER_SITE = 12
PER_POWER = 10
N_OBSERVED = 24 + len(PHASE_NAMES) + HEXES * PER_HEX + SITES * PER_SITE + POWERS * PER_POWER
"""How many numbers `observe` writes: the table, the phase, every hex and site, each power from one's own on."""


@rule
def observe(box, state, seat, out):
    """The table as numbers; powers in order from the observer's first one. `out` is zeros, float32, N_OBSERVED long."""
    own = 0
    for power in range(POWERS - 1, -1, -1):
        if state.seat_of[power] == seat:
            own = power
    out[0] = state.round_no
    out[1] = state.stage
    out[2] = (state.power - own) % POWERS
    out[3] = state.seat_of[state.power] == seat
    out[4] = state.n_seats
    out[5] = state.allied
    out[6] = state.plan
    out[7] = state.n_fed
    out[8] = state.fed_from
    out[9] = box.year[state.round_no].hq_supply
    out[10] = box.year[state.round_no].siege
    out[11] = box.year[state.round_no].resistance
    out[12] = state.mover
    out[13] = state.fight.side
    out[14] = state.fight.foes
    if state.phase == s.ANSWER and state.seat_of[state.fight.attacker] == seat:
        out[15] = state.fight.commit[ATTACKING]
    out[16] = state.n_pillaged
    out[17] = state.moved
    for size in range(4):
        out[18 + size] = state.tiles[size]
    at = 24
    out[at + state.phase] = 1
    at += len(PHASE_NAMES)
    plan = s.plan_of(box, state)
    for h in range(box.n_hexes):
        if has(plan.land, h):
            out[at] = 1
        elif has(plan.areas, h):
            out[at] = -1
        for k in range(POWERS):
            one = state.powers[(own + k) % POWERS]
            if has(one.upright, h):
                out[at + 1] = k + 1
                out[at + 2] = 1
            elif has(one.tilted, h):
                out[at + 1] = k + 1
            if one.leader[0] == h or one.leader[1] == h:
                out[at + 3] = k + 1
        if has(state.pillaged, h):
            out[at + 4] = 1
        if has(state.fed, h):
            out[at + 5] = 1
        if has(state.in_range, h):
            out[at + 6] = 1
        out[at + 7] = plan.site_at[h] + 1
        at += PER_HEX
    at = 24 + len(PHASE_NAMES) + HEXES * PER_HEX
    for site in range(box.n_sites):
        slot = state.site[site]
        out[at] = plan.role[site]
        out[at + 1] = slot.extent
        if slot.holder != NOBODY:
            out[at + 2] = (slot.holder - own) % POWERS + 1
            out[at + 3] = slot.resistance
            out[at + 4] = slot.since
        if slot.besieger != NOBODY:
            out[at + 5] = (slot.besieger - own) % POWERS + 1
            out[at + 6] = slot.siege
            out[at + 7] = slot.opened
            out[at + 8] = slot.with_both
        if plan.whose[site] != NOBODY:
            out[at + 9] = (plan.whose[site] - own) % POWERS + 1
        at += PER_SITE
    at = 24 + len(PHASE_NAMES) + HEXES * PER_HEX + SITES * PER_SITE
    for k in range(POWERS):
        power = (own + k) % POWERS
        one = state.powers[power]
        out[at] = one.supply
        out[at + 1] = one.strength
        out[at + 2] = one.leader[0]
        out[at + 3] = one.leader[1]
        out[at + 4] = one.held
        out[at + 5] = state.seat_of[power] == seat
        out[at + 6] = plan.in_play[power]
        out[at + 7] = one.is_broken
        at += PER_POWER


@rule
def redeal(box, state, seat, luck):
    """8.1: only a commitment that is chosen and not yet shown is hidden; drawn anew for all but its owner."""
    if state.phase == s.ANSWER and state.seat_of[state.fight.attacker] != seat:
        most = most_to_commit(box, state, int(state.fight.attacker), int(state.fight.side))
        state.fight.commit[ATTACKING] = below(luck, most + 1)


# --- The map, for drawing -------------------------------------------------------

HEX_WIDTH = 34.0  # from the centre of a hex to a corner
HALF_HEIGHT = 29.445


@cache
def geometry(codes: tuple[str, ...], sea: frozenset[str], rivers: tuple[str, ...]) -> dict[str, Any]:
    """Where hexes lie, rivers run and the coast is, in units of the drawing."""
    spots = {code: _drawn(centre(code)) for code in codes}
    left = min(x for x, _ in spots.values()) - HEX_WIDTH
    top = min(y for _, y in spots.values()) - HALF_HEIGHT
    width = max(x for x, _ in spots.values()) + HEX_WIDTH - left
    height = max(y for _, y in spots.values()) + HALF_HEIGHT - top
    return {
        "left": left,
        "top": top,
        "width": round(width, 1),
        "height": round(height, 1),
        "spots": {code: (round(x - left, 1), round(y - top, 1)) for code, (x, y) in spots.items()},
        "rivers": [_course(text, left, top) for text in rivers],
        "shores": _shores(frozenset(codes), sea, left, top),
    }


def _shores(codes: frozenset[str], sea: frozenset[str], left: float, top: float) -> tuple[str, str]:
    """The outline of all land as a closed path, and as lines the sides where it meets the sea, ragged."""
    after: dict[tuple[int, int], tuple[tuple[int, int], bool]] = {}
    for code in sorted(codes - sea):
        x, y = centre(code)
        ring = [(x - 1, y - 1), (x + 1, y - 1), (x + 2, y), (x + 1, y + 1), (x - 1, y + 1), (x - 2, y)]
        for k, other in enumerate(neighbours(code)):  # side k, from the north on, begins at ring[k]
            if other not in codes or other in sea:
                after[ring[k]] = (ring[(k + 1) % 6], other in sea)
    land, coast = [], []
    while after:
        here = next(iter(after))
        points = []
        while here in after:
            there, is_coast = after.pop(here)
            side = _ragged(here, there) if is_coast else [_drawn(here)]
            points += side
            if is_coast:
                coast.append("M" + _line([*side, _drawn(there)], left, top))
            here = there
        land.append("M" + _line(points, left, top) + "Z")
    return "".join(land), "".join(coast)


def _line(points: list[tuple[float, float]], left: float, top: float) -> str:
    return "L".join(f"{x - left:.1f} {y - top:.1f}" for x, y in points)


def _ragged(a: tuple[int, int], b: tuple[int, int], pieces: int = 6) -> list[tuple[float, float]]:
    """A side of a hex as a coast: the same bays every time."""
    (ax, ay), (bx, by) = _drawn(a), _drawn(b)
    points = [(ax, ay)]
    for i in range(1, pieces):
        bay = sin(ax * 12.9898 + ay * 78.233 + i * 37.719) * 43758.5453
        away = ((bay - floor(bay)) - 0.5) * 7
        t = i / pieces
        points.append((ax + (bx - ax) * t - (by - ay) / 34 * away, ay + (by - ay) * t + (bx - ax) / 34 * away))
    return points


def _drawn(point: tuple[int, int]) -> tuple[float, float]:
    return point[0] * HEX_WIDTH / 2, point[1] * HALF_HEIGHT


def _course(text: str, left: float, top: float) -> dict[str, Any]:
    """A river as a chain of corners, and the level side its name is written on."""
    name, _, sides = text.partition(":")
    ends = [corners(side[:4]) & corners(side[5:]) for side in sides.split()]
    chain: list[tuple[int, int]] = []
    for k, pair in enumerate(ends):
        after = ends[k + 1] if k + 1 < len(ends) else set()
        if not chain:
            chain = sorted(pair, key=lambda corner: corner in after)
        else:
            chain += [corner for corner in pair if corner != chain[-1]]
    points = [(round(x - left, 1), round(y - top, 1)) for x, y in map(_drawn, chain)]
    level = [(a, b) for a, b in pairwise(points) if abs(a[1] - b[1]) < 1]
    middle = level[len(level) // 2] if level else (points[0], points[-1])
    label = (round((middle[0][0] + middle[1][0]) / 2, 1), round((middle[0][1] + middle[1][1]) / 2, 1))
    return {"name": name, "points": points, "label": label}


def _codes(names: Any, some: Any) -> list[str]:
    return [names["code"][i] for i in members(list(some))]


# --- For people -----------------------------------------------------------------


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data. Built from nothing: a hidden commitment is shown to its owner only."""
    names = speaker.names
    sea = frozenset(_codes(names, box.sea))
    drawn = geometry(tuple(names["code"]), sea, tuple(names["river"]))
    stage = STAGE_NAMES[state.stage]
    return {
        "year": int(box.year[state.round_no].year),
        "round": int(state.round_no),
        "rounds": [_round(box, state, k) for k in range(int(box.n_rounds))],
        "phase": stage,
        "phases": _phases(box, state),
        "step": PHASE_NAMES[state.phase],
        "power": None if state.power == NOBODY else names["power"][state.power],
        "order": [names["power"][power] for power in state.order[: state.n_powers]],
        "n_seats": int(state.n_seats),
        "seat": seat,
        "to_act": None if state.phase == s.OVER else int(state.to_act),
        "tinctures": {
            name: TINCTURES.get(colour, 5) for name, colour in zip(names["power"], names["colour"], strict=True)
        },
        "arms": _arms(state, names),
        "allied": ("none", "one", "all")[state.allied],
        "options": {name: int(getattr(box.options, name)) for name in box.options.dtype.names},
        "seats": [_seat(box, state, speaker, one) for one in range(int(state.n_seats))],
        "powers": {
            names["power"][power]: _power(box, state, speaker, power)
            for power in range(POWERS)
            if s.is_in_play(box, state, power)
        },
        "map": {
            "width": drawn["width"],
            "height": drawn["height"],
            "rivers": drawn["rivers"],
            "land": drawn["shores"][0],
            "coast": drawn["shores"][1],
        },
        "hexes": _hexes(box, state, names, drawn),
        "sites": [site for i in range(int(box.n_sites)) if (site := _site(box, state, names, drawn, i))],
        "tiles": {name: int(state.tiles[i]) for i, name in enumerate(SIZE_NAMES) if i},
        "leaders": [_leader(box, state, names, one) for one in range(LEADERS) if s.is_in_play(box, state, one >> 1)],
        "ranges": {
            names["power"][power]: _codes(names, range_of(box, state, power))
            for power in range(POWERS)
            if s.is_in_play(box, state, power)
        },
        "fight": _fight(box, state, names, seat),
        "battles": _battles(box, state, names),
        "ending": ("", "sieges", "ruin", "peace")[state.ending],
        "war_wins": bool(does_war_win(box, state)),
    }


TINCTURES = {"blue": 1, "red": 2, "yellow": 3, "black": 4, "green": 5, "purple": 6}
"""The house's tincture and hatching for a power's colour."""


def _arms(state: Any, names: Any) -> list[int]:
    """Each seat in the colour of its first power; none before the powers are drawn."""
    firsts = [_powers_of(state, seat)[:1] for seat in range(int(state.n_seats))]
    return [TINCTURES.get(names["colour"][one], 5) for (one,) in firsts] if all(firsts) else []


def _phases(box: Any, state: Any) -> list[tuple[str, str]]:
    if state.stage == s.PREPARATION:
        return [("preparation", "Preparation")]
    first = s.FEED_PHASE if box.year[state.round_no].is_quiet else s.BATTLE_PHASE
    return [(name, name.capitalize()) for name in STAGE_NAMES[first:]]


def _round(box: Any, state: Any, k: int) -> dict[str, Any]:
    year = box.year[k]
    return {
        "year": int(year.year),
        "siege": SYMBOLS[year.siege],
        "resistance": int(year.resistance),
        "hq_supply": int(year.hq_supply),
        "quiet": bool(year.is_quiet),
        "peace": bool(year.is_peace),
        "now": bool(k == state.round_no and state.stage != s.PREPARATION),
    }


def _powers_of(state: Any, seat: int) -> list[int]:
    return [power for power in range(POWERS) if state.seat_of[power] == seat]


def _seat(box: Any, state: Any, speaker: Speaker, seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "name": str(speaker.word("seat", seat)),
        "powers": [speaker.names["power"][power] for power in _powers_of(state, seat)],
        "score": int(seat_score(box, state, seat)),
        "barred": bool(is_barred(box, state, seat)),
    }


def _power(box: Any, state: Any, speaker: Speaker, power: int) -> dict[str, Any]:
    names, me = speaker.names, state.powers[power]
    ally = s.ally_of(box, state, power)
    return {
        "name": names["power"][power],
        "adjective": names["adjective"][power],
        "colour": names["colour"][power],
        "seat": int(state.seat_of[power]),
        "ally": None if ally == NOBODY else names["power"][ally],
        "hq": names["site"][s.plan_of(box, state).hq[power]],
        "supply": int(me.supply),
        "strength": int(me.strength),
        "score": int(power_score(box, state, power)),
        "held": [names["power"][other] for other in range(POWERS) if int(me.held) >> other & 1],
        "lost_to": [names["power"][other] for other in range(POWERS) if int(state.powers[other].held) >> power & 1],
        "tokens": int(s.tokens_on_board(box, state, power)),
        "cities": [names["site"][site] for site in range(int(box.n_sites)) if state.site[site].holder == power],
        "sieges": [names["site"][site] for site in range(int(box.n_sites)) if state.site[site].besieger == power],
        "feeding": {"from": int(state.fed_from), "tilted": int(state.n_fed), "pillaged": int(state.n_pillaged)}
        if state.power == power and state.stage == s.FEED_PHASE
        else None,
    }


def _hexes(box: Any, state: Any, names: Any, drawn: Any) -> list[dict[str, Any]]:
    """Every hex: where it is drawn, what it is, whose token lies there."""
    plan = s.plan_of(box, state)
    land, areas, sea = (set(members(some)) for some in (plan.land, plan.areas, box.sea))
    pillaged, fed = set(members(state.pillaged)), set(members(state.fed))
    owner: dict[int, tuple[str, bool]] = {}
    for power in range(POWERS):
        mine = state.powers[power]
        owner |= dict.fromkeys(members(mine.tilted), (names["power"][power], True))
        owner |= dict.fromkeys(members(mine.upright), (names["power"][power], False))
    if state.power != NOBODY:
        owner |= dict.fromkeys(fed, (names["power"][state.power], True))
    found = []
    for h, site in enumerate(plan.site_at[: int(box.n_hexes)].tolist()):
        code, name = names["code"][h], names["hex"][h]
        x, y = drawn["spots"][code]
        whose, is_tilted = owner.get(h, (None, False))
        found.append(
            {
                "id": code,
                "name": name.rsplit(" ", 1)[0] if h in sea else name,
                "x": x,
                "y": y,
                "terrain": "site" if site != NOBODY else "land" if h in land else "sea" if h in areas else "closed",
                "water": h in sea,
                "owner": whose,
                "tilted": is_tilted,
                "fed": h in fed,
                "pillaged": h in pillaged,
            }
        )
    return found


def _year_of(box: Any, k: int) -> int | None:
    return int(box.year[k].year) if k < box.n_rounds else None


def _site(box: Any, state: Any, names: Any, drawn: Any, site: int) -> dict[str, Any] | None:
    plan, slot = s.plan_of(box, state), state.site[site]
    role = int(plan.role[site])
    if role not in (CITY, HQ):
        return None
    code = names["code"][box.site_hex[site]]
    x, y = drawn["spots"][code]
    size = None if role == HQ or slot.extent == NOBODY else SIZE_NAMES[slot.extent]
    whose = int(plan.whose[site])
    supply = int(box.year[state.round_no].hq_supply) if role == HQ else int(box.rules.city_supply[max(0, slot.extent)])
    one = {
        "name": names["site"][site],
        "hex": code,
        "x": x,
        "y": y,
        "role": "hq" if role == HQ else "city",
        "power": None if whose == NOBODY else names["power"][whose],
        "size": size,
        "supply": supply,
        "defence": int(box.rules.hq_defence if role == HQ else box.rules.city_defence[max(0, slot.extent)]),
        "evidence": names["evidence"][site],
        "holder": None if slot.holder == NOBODY else names["power"][slot.holder],
        "resistance": None,
        "revolts": None,
        "besieger": None if slot.besieger == NOBODY else names["power"][slot.besieger],
        "siege": None,
        "falls": None,
    }
    if slot.holder != NOBODY:
        one["resistance"] = int(slot.resistance)
        one["revolts"] = _year_of(box, round_of_revolt(box, state, slot.resistance))
    if slot.besieger != NOBODY:
        one["siege"] = SYMBOLS[slot.siege]
        one["falls"] = _year_of(box, round_of_fall(box, state, slot.siege))
    if role == CITY and slot.extent > 0:
        one["would_fall"] = _would_fall(box, state, site)
    return one


def _would_fall(box: Any, state: Any, site: int) -> int | None:
    """9.1: the year in which a siege begun now would succeed."""
    size = int(state.site[site].extent)
    if size in (0, 1):
        return int(box.year[state.round_no].year)
    return _year_of(box, round_of_fall(box, state, siege_symbol(box, state, min(size, MAJOR))))


def _leader(box: Any, state: Any, names: Any, leader: int) -> dict[str, Any]:
    at = s.where_is(state, leader)
    reach: Any = (0, 0, 0)
    if state.phase != s.OVER and at != NOBODY:
        reach = reach_of(box, state, leader)
    return {
        "name": names["leader"][leader],
        "full": names["full"][leader],
        "cypher": names["cypher"][leader],
        "power": names["power"][leader >> 1],
        "hex": None if at == NOBODY else names["code"][at],
        "moving": bool(state.phase == s.MOVE and is_asked(box, state, leader)),
        "moved": bool(state.moved >> leader & 1),
        "reach": _codes(names, reach),
    }


# --- Battles, with every modifier named ---------------------------------------------


def _arithmetic(box: Any, state: Any, names: Any, side: int, foes: int, attacker: int, defender: int) -> dict[str, Any]:
    attack = [("both leaders", leader_bonus(box, attacker, side)), ("allied leaders", ally_bonus(box, attacker, side))]
    if is_across_water(box, state, side, foes):
        attack.append(("across a river", -int(box.rules.river)))
    defence = [("both leaders", leader_bonus(box, defender, foes)), ("allied leaders", ally_bonus(box, defender, foes))]
    site = defended_site(box, state, defender, foes)
    if site != NOBODY:
        defence.append((f"defending {names['site'][site]}", int(site_defence(box, state, defender, site))))
    return {
        "attacker": names["power"][attacker],
        "defender": names["power"][defender],
        "side": [names["leader"][i] for i in range(LEADERS) if side >> i & 1],
        "foes": [names["leader"][i] for i in range(LEADERS) if foes >> i & 1],
        "attack": [(text, int(n)) for text, n in attack if n],
        "defence": [(text, int(n)) for text, n in defence if n],
        "attack_bonus": int(attack_bonus(box, state, attacker, side, foes)),
        "defence_bonus": int(defence_bonus(box, state, defender, foes)),
        "attack_most": int(most_to_commit(box, state, attacker, side)),
        "defence_most": int(most_to_commit(box, state, defender, foes)),
        "committed": False,
        "own": None,
    }


def _fight(box: Any, state: Any, names: Any, seat: int | None) -> dict[str, Any] | None:
    if state.phase not in (s.COMMIT, s.ANSWER):
        return None
    fight = state.fight
    attacker, defender = int(fight.attacker), int(fight.defender)
    told = _arithmetic(box, state, names, int(fight.side), int(fight.foes), attacker, defender)
    told["committed"] = bool(state.phase == s.ANSWER)
    if state.phase == s.ANSWER and seat is not None and state.seat_of[attacker] == seat:
        told["own"] = int(fight.commit[ATTACKING])
    return told


def _battles(box: Any, state: Any, names: Any) -> list[dict[str, Any]]:
    if state.phase != s.ATTACK:
        return []
    power = int(state.power)
    found = []
    for leader in range(LEADERS):
        if can_attack(box, state, power, leader):
            group = group_of(box, state, power, leader >> 1, leader)
            side = int(with_allies(box, state, power, group))
            foes = int(with_allies(box, state, leader >> 1, group))
            found.append(
                {"target": names["leader"][leader]} | _arithmetic(box, state, names, side, foes, power, leader >> 1)
            )
    return found


# --- Prompts ------------------------------------------------------------------

PROMPTS = {
    s.PLACE: ("{power}, give a city its size.", "Sizes left: {tiles}. In reversed turn order, round and round.", "4.4"),
    s.ATTACK: (
        "{power}, do you attack?",
        "Both sides choose their strength in secret; hover to see what counts.",
        "8.3",
    ),
    s.COMMIT: ("{power}, how much strength do you commit?", "{sums}", "8.1"),
    s.ANSWER: ("{power}, how much strength do you commit?", "{enemy} has chosen in secret. {sums}", "8.1"),
    s.REMOVE: ("{power}, which leader is lost?", "There is no strength left to lose.", "8.7"),
    s.RETREAT_FIRST: ("{power}, who retreats first?", "Both leaders must go.", "8.8"),
    s.RETREAT: (
        "{power}, where does {leader} retreat?",
        "One step, away from the victors and from enemy tokens.",
        "8.8",
    ),
    s.SIEGE: ("{power}, do you besiege {site}?", "It is your ally's.", "14.10"),
    s.FORCE: (
        "{power}, do you force {site}?",
        "A storm costs it a size more; an ultimatum wants both leaders.",
        "14.4",
    ),
    s.FEED: (
        "{power}, which land feeds the army?",
        "{wanted}; strength is {n}. Choose tokens, or say how many: then the border feeds first.",
        "11.1",
    ),
    s.PILLAGE: ("{power}, do you pillage?", "Each area adds 1 to what was fed, and bears nothing more.", "14.5"),
    s.MOVE: (
        "{power}, where does {leader} march?",
        "Three areas over own tokens, one beyond them, none past contested land.",
        "12.1",
    ),
}


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The question of the present decision, in one sentence."""
    if state.phase == s.OVER:
        if does_war_win(box, state):
            return Prompt(("The war is the only winner.",), (), "13.6")
        number = {s.BY_SIEGES: "13.1", s.BY_RUIN: "13.2"}.get(int(state.ending), "13.3")
        return Prompt(("The war is over.",), (), number)
    text, help_text, number = PROMPTS[int(state.phase)]
    parts = _parts(box, state, speaker)
    if state.phase == s.MOVE and _asks_both(box, state):
        text = "{power}, which leader goes, and where?"
    elif state.phase == s.MOVE and s.where_is(state, int(state.mover)) == NOBODY:
        text, help_text, number = (
            "{power}, where does {leader} return?",
            "To free land next to the headquarters.",
            "12.5",
        )
    return Prompt(speaker.say(text, **parts), speaker.say(help_text, **parts), number, _left(box, state))


def _asks_both(box: Any, state: Any) -> bool:
    """12.4: may either leader be sent now?"""
    return bool(is_asked(box, state, int(state.mover) ^ 1))


def _parts(box: Any, state: Any, speaker: Speaker) -> dict[str, int | str]:
    power = int(state.power)
    parts: dict[str, int | str] = {"power": power}
    if state.phase == s.PLACE:
        parts["power"] = int(state.order[state.kth])
        parts["tiles"] = ", ".join(f"{int(state.tiles[i])} {SIZE_NAMES[i]}" for i in range(1, 4) if state.tiles[i])
    if state.phase in (s.COMMIT, s.ANSWER):
        fight = state.fight
        attacker, defender = int(fight.attacker), int(fight.defender)
        parts["power"] = attacker if state.phase == s.COMMIT else defender
        parts["enemy"] = speaker.names["power"][attacker]
        told = _arithmetic(box, state, speaker.names, int(fight.side), int(fight.foes), attacker, defender)
        parts["sums"] = f"{_sum(told, 'attack')}; {_sum(told, 'defence')}."
    if state.phase in (s.REMOVE, s.RETREAT_FIRST, s.RETREAT):
        parts["power"] = int(state.fight.loser)
        if state.fight.mover != NOBODY:
            parts["leader"] = int(state.fight.mover)
            parts["power"] = int(state.fight.mover) >> 1
        elif state.phase == s.RETREAT_FIRST:
            parts["power"] = next(p for p in range(POWERS) if state.seat_of[p] == state.to_act
                                  and int(state.fight.to_retreat) >> (2 * p) & 3 == 3)  # fmt: skip
    if state.phase in (s.SIEGE, s.FORCE):
        parts["site"] = site_at_hand(state)
    if state.phase == s.FEED:
        least, most = max(int(feeds_at_least(state, power)), int(state.n_fed)), int(feeds_at_most(state, power))
        parts["wanted"] = f"Tokens to tilt: {least}" if least == most else f"Tokens to tilt: {least} to {most}"
        parts["n"] = int(state.fed_from)
    if state.phase == s.MOVE:
        parts["leader"] = int(state.mover)
    return parts


def _sum(told: dict[str, Any], which: str) -> str:
    who = told["attacker"] if which == "attack" else told["defender"]
    named = [f"{n:+d} {text}".replace("-", "−") for text, n in told[which]]
    return f"{who}: {', '.join(named) if named else 'nothing added'}, at most {told[f'{which}_most']}"


def _left(box: Any, state: Any) -> Sentence:
    if state.phase == s.FEED:
        return (Word("num", str(int(state.n_fed))), " tilted")
    if state.phase == s.PILLAGE:
        return (Word("num", str(int(state.n_pillaged))), " pillaged")
    if state.phase == s.PLACE:
        n = sum(int(x) for x in state.tiles)
        return (Word("num", str(n)), " tiles left")
    return ()


# --- Choices ------------------------------------------------------------------

LABELS = {
    "place": "{site}: {size}",
    "attack": "Attack {leader}",
    "hold": "No battle",
    "commit": "{force}",
    "remove": "{leader}",
    "retreat_first": "{leader} first",
    "retreat": "{land}",
    "besiege": "Besiege {site}",
    "spare": "Leave it alone",
    "storm": "Storm {site}",
    "ultimatum": "Give an ultimatum",
    "wait": "Go on besieging",
    "tilt": "{hex}",
    "feed": "Feed {total}",
    "pillage": "Pillage {land}",
    "end_pillage": "No more",
    "lead": "{leader} first",
    "move": "{land}",
    "end_moves": "End the turn",
}


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """How the table shows one action: its words, what it would do, and the spot it aims at."""
    block = ACTIONS.blocks[action.block]
    parts: dict[str, int | str] = dict(zip(block.kinds, action.args, strict=True))
    at, rule_no = _spot(box, state, speaker, action), block.rule
    label = speaker.say(LABELS[action.block], **parts)
    if action.block == "move":
        leader, area = action.args
        both = state.phase == s.MOVE and _asks_both(box, state)
        if both:
            label = speaker.say("{leader}: {land}", **parts)
        if s.where_is(state, leader) == area:
            label, at = speaker.say("{leader} stays in {land}" if both else "Stay in {land}", **parts), None
        elif s.where_is(state, leader) == NOBODY:
            rule_no = "12.5"
    elif action.block == "lead" and s.where_is(state, action.args[0]) == NOBODY:
        label, rule_no = speaker.say("{leader} returns instead", leader=action.args[0]), "12.5"
    elif action.block == "lead" and state.phase == s.MOVE and s.where_is(state, int(state.mover)) == NOBODY:
        label = speaker.say("{leader} marches instead", leader=action.args[0])
    effect = tuple(_effect(box, state, speaker, action))
    return Choice(action.id, action.name, label, effect, at, rule_no, block.tone)


def _spot(box: Any, state: Any, speaker: Speaker, action: Action) -> str | None:
    """Where on the map an action aims: a hex by its code, a leader by name."""
    codes = speaker.names["code"]
    if action.block in ("retreat", "pillage", "tilt"):
        return f"hex:{codes[action.args[0]]}" if action.args[0] < len(codes) else None
    if action.block == "move":
        return f"hex:{codes[action.args[1]]}" if action.args[1] < len(codes) else None
    if action.block in ("place", "besiege", "storm", "ultimatum", "wait", "spare"):
        site = action.args[-1]
        return f"hex:{codes[box.site_hex[site]]}" if site < box.n_sites else None
    if action.block in ("attack", "remove", "retreat_first", "lead"):
        return f"leader:{speaker.names['leader'][action.args[0]]}"
    return None


def _effect(box: Any, state: Any, speaker: Speaker, action: Action) -> Iterator[Any]:
    """What an action would bring, in a few words."""
    power = int(state.power)
    if action.block == "place" and action.args[0]:
        yield f"supply {int(box.rules.city_supply[action.args[0]])}"
    elif action.block == "attack" and state.phase == s.ATTACK and can_attack(box, state, power, action.args[0]):
        leader = action.args[0]
        group = group_of(box, state, power, leader >> 1, leader)
        side = int(with_allies(box, state, power, group))
        foes = int(with_allies(box, state, leader >> 1, group))
        told = _arithmetic(box, state, speaker.names, side, foes, power, leader >> 1)
        yield f"{told['attack_bonus']:+d} against {told['defence_bonus']:+d}".replace("-", "−")
    elif action.block == "commit" and state.phase in (s.COMMIT, s.ANSWER):
        fight = state.fight
        if state.phase == s.COMMIT:
            bonus = int(attack_bonus(box, state, int(fight.attacker), int(fight.side), int(fight.foes)))
        else:
            bonus = int(defence_bonus(box, state, int(fight.defender), int(fight.foes)))
        if action.args[0] == 0:
            yield "loses to any strength"
        else:
            yield f"counts {action.args[0] + bonus}".replace("-", "−")
    elif action.block == "feed" and state.phase == s.FEED:
        yield f"strength {int(state.fed_from)} → {int(strength_after(box, int(state.fed_from), action.args[0]))}"
    elif action.block == "move" and state.phase == s.MOVE and action.args[1] < box.n_land:
        yield from _march(box, state, speaker.names, *action.args)


def _march(box: Any, state: Any, names: Any, leader: int, area: int) -> Iterator[str]:
    """12.2, 9.1, 9.5: whether the leader halts there, at which cities it stands, which sieges it gives up."""
    power, was = leader >> 1, s.where_is(state, leader)
    mate = s.where_is(state, leader ^ 1)
    told = []
    if was != area and area in members(list(halting_areas(box, state, power))):
        told.append("halts")
    for site in range(int(box.n_sites)):
        slot, plan = state.site[site], s.plan_of(box, state)
        before = plan.before[site]
        if has(before, area) and (slot.extent > RUIN or plan.role[site] == HQ):
            told.append(f"at {names['site'][site]}")
        elif slot.besieger == power and not has(before, area) and (mate == NOBODY or not has(before, mate)):
            told.append(f"gives up {names['site'][site]}")
    if told:
        yield ", ".join(told)


# --- Scores -------------------------------------------------------------------


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """13.4: each power's higher level and the tokens won and lost; 14.12 for allies."""
    lines = []
    value = int(box.rules.token_value)
    powers = _powers_of(state, seat)
    if state.allied != NO_ALLIES:
        powers += [ally for power in powers if (ally := s.ally_of(box, state, power)) not in (NOBODY, *powers)]
    counted = 0
    for power in powers:
        of = (speaker.word("power", power), ": ") if len(powers) > 1 else ()
        lines.append(Line((*of, "supply or strength"), int(level_of(state, power)), "13.4"))
        if tokens_won(state, power):
            lines.append(Line((*of, "tokens won"), value * int(tokens_won(state, power)), "13.4"))
        if tokens_lost(state, power):
            lines.append(Line((*of, "tokens lost"), -value * int(tokens_lost(state, power)), "13.4"))
        counted += int(power_score(box, state, power))
    total = int(seat_score(box, state, seat))
    if total != counted:
        lines.append(Line(("only the stronger power counts",), total - counted, "14.7"))
    beyond = int(verdict(box, state, seat))
    if beyond > 0:
        lines.append(Line(("every enemy headquarters besieged",), beyond, "13.1"))
    elif beyond < 0:
        lines.append(Line(("barred: a power of the alliance is broken",), beyond, "14.7"))
    if state.phase == s.OVER and _is_level(box, state, seat):
        tokens = f"tied, with {int(seat_tokens(box, state, seat))} tokens on the board"
        lines.append(Line((tokens,), 0, "13.5"))
    return lines


def _is_level(box: Any, state: Any, seat: int) -> bool:
    """13.5: does another side have the same score, so that tokens on the board decide?"""
    mine = int(seat_score(box, state, seat)) + int(verdict(box, state, seat))
    rivals = [one for one in range(int(state.n_seats)) if one != seat and not is_same_side(box, state, seat, one)]
    return any(mine == int(seat_score(box, state, one)) + int(verdict(box, state, one)) for one in rivals)
