"""The land as people see it: regions with their piles, nine places, the obstacles in play, the way there."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sutler.core.plainly import members_of
from sutler.games.sixwinters.box import FACES, N_REGIONS, NO_MOVE, RES, SLOTS, STANDING
from sutler.games.sixwinters.printed import sentences
from sutler.games.sixwinters.rules.common import is_in
from sutler.games.sixwinters.rules.difficulty import BEARING, added_by
from sutler.games.sixwinters.rules.land import top_season
from sutler.games.sixwinters.rules.movement import (
    BY_FOOT,
    BY_GATE,
    BY_SHIP,
    dice_price,
    has_way,
    is_barred_way,
    pool_price,
    printed_price,
)
from sutler.games.sixwinters.state import DISCARD, counts_here
from sutler.games.sixwinters.vocabulary import (
    DO,
    ICONS,
    LOCATION_TAGS,
    REGIONS,
    RESOURCES,
    SEASONS,
    SKILLS,
    TAGS,
    TRACKS,
)

ROW_OF_SEASON = {"spring": 0, "summer": 1, "fall": 2}


def bits_of(number: int, names: Any) -> list[str]:
    """The names whose bits are set."""
    return [names[i] for i in members_of((number,))]


def die(asset: int) -> list[Any]:
    """An asset's number as a die."""
    return [RESOURCES[int(asset) // FACES], int(asset) % FACES + 1]


def assets_at(state: Any, slot: int) -> list[list[Any]]:
    """The dice at a place, by resource and value."""
    rows = zip(RESOURCES, state.assets[slot], strict=True)
    return [[name, v] for name, row in rows for v, n in enumerate(row, 1) if n for _ in range(n)]


def chain(state: Any, pile: int) -> list[int]:
    """Obstacles at a place or in a discard pile, in order."""
    out, card = list[int](), int(state.head[pile])
    while card >= 0:
        out.append(card)
        card = int(state.after[card])
    return out


def woken(box: Any, state: Any) -> list[int]:
    """The slots that the piles wake next, as they show now."""
    out = []
    for region in range(N_REGIONS):
        season = top_season(box, state, region)
        if season >= 0:
            row = ROW_OF_SEASON.get(SEASONS[season])
            out += [3 * region + row] if row is not None else [3 * region + i for i in range(3)]
    return out


def regions(box: Any, state: Any, names: Any) -> list[dict[str, Any]]:
    """Each region's draw pile: the season on its back, how many cards, what lies in the discards."""
    out = []
    for region in range(N_REGIONS):
        season = int(top_season(box, state, region))
        out.append(
            {
                "id": REGIONS[region],
                "season": SEASONS[season] if season >= 0 else None,
                "pile": int(state.n_draw[region]),
                "discards": [names["obstacle_called"][card] for card in chain(state, DISCARD + region)],
            }
        )
    return out


def slots(box: Any, state: Any, names: Any, me: int) -> list[dict[str, Any]]:
    """The nine places; `me`: the hero whose ways are told, or nobody."""
    wakes = woken(box, state)
    standing = [(int(one.slot), int(one.character)) for one in _standing(state)]
    here = int(state.heroes[me].slot) if me >= 0 else -1
    pools = _pools(box, state) if here >= 0 else {}
    out = []
    for slot in range(SLOTS):
        one = _slot(box, state, names, slot)
        one["characters"] = [character for at, character in standing if at == slot]
        one["wakes"] = slot in wakes
        one["go"] = None if here in (slot, -1) else _way(box, state, names, me, slot, pools[one["region"]])
        out.append(one)
    return out


def _standing(state: Any) -> list[Any]:
    """The heroes in play and on their feet."""
    return [state.heroes[h] for h in range(int(state.n_heroes)) if is_in(state, h)]


def _pools(box: Any, state: Any) -> dict[str, dict[str, int]]:
    """14.13: dice of pools that entering each region costs on top."""
    first = {REGIONS[box.place[slot].region]: slot for slot in range(SLOTS)}
    found = {
        region: {RESOURCES[r]: int(pool_price(box, state, there, r)) for r in range(RES)}
        for region, there in first.items()
    }
    return {region: {res: n for res, n in pool.items() if n} for region, pool in found.items()}


def _slot(box: Any, state: Any, names: Any, slot: int) -> dict[str, Any]:
    """What is printed at a place, and what lies there."""
    card = int(state.location_at[slot])
    place = box.place[slot]
    tags, icon, whose, move = _location(box.location[card])
    text = sentences(names, "location_text", card)
    actions = [line.removeprefix("Action: ") for line in text if line.startswith("Action: ")]
    return {
        "slot": slot,
        "region": REGIONS[place.region],
        "row": slot % 3,
        "res": RESOURCES[place.resource],
        "name": names["location_called"][card],
        "tags": list(tags),
        "icon": icon,
        "icon_of": whose,
        "move": dict(move),
        "action": " ".join(actions),
        "text": [line for line in text if not line.startswith("Action: ")],
        "assets": assets_at(state, slot),
        "obstacles": chain(state, slot),
    }


@lru_cache(maxsize=256)
def _location(one: Any) -> tuple[list[str], str, str, dict[str, Any]]:
    """What is printed on a location: its tags, its icon, of what, and what moving costs."""
    move = {REGIONS[r]: int(one.move[r]) or "no_move" for r in range(N_REGIONS)}
    return bits_of(one.tags, LOCATION_TAGS), "" if one.icon == 0 else ICONS[one.icon], icon_of(one), move


def icon_of(one: Any) -> str:
    """What a location's icon is of: a resource, a skill, a kind of stress."""
    lists = {"resource": RESOURCES, "skill": SKILLS, "stress": TRACKS}
    return str(lists[ICONS[one.icon]][one.icon_of]) if ICONS[one.icon] in lists else ""


def _way(box: Any, state: Any, names: Any, h: int, there: int, entering: dict[str, int]) -> dict[str, Any]:
    """What it costs to go there, the cheapest way, and why; `entering`: dice of pools that the region costs."""
    here = int(state.heroes[h].slot)
    pool = dict(entering)
    if is_barred_way(box, state, here, there):
        shut = here if printed_price(box, state, here, there) == NO_MOVE else there
        name = names["location_called"][state.location_at[shut]]
        return {"dice": None, "pool": pool, "why": f"{name} is entered and left only within its region.", "parts": []}
    ways = [how for how in (BY_FOOT, BY_SHIP, BY_GATE) if has_way(box, state, here, there, how)]
    prices = {how: int(dice_price(box, state, here, there, how)) for how in ways}
    how = min(ways, key=lambda one: (prices[one], one == BY_GATE))
    place = names["location_called"][state.location_at[here]]
    base = {
        BY_FOOT: int(printed_price(box, state, here, there)),
        BY_SHIP: int(box.rules.port_cost),
        BY_GATE: 0,
    }[how]
    told = {BY_FOOT: f"printed on {place}", BY_SHIP: "port to port", BY_GATE: "gate to gate, one stress"}[how]
    parts = [[told, base]]
    if prices[how] != base:
        parts.append(["cards in play", prices[how] - base])
    return {"dice": prices[how], "pool": pool, "why": "", "parts": parts}


def obstacles(box: Any, state: Any, names: Any) -> dict[str, dict[str, Any]]:
    """Every obstacle in play, by its card."""
    wanted = {int(card) for task in state.tasks for card in task.then_card if card >= 0}
    hard = _difficulties(box, state)
    movers = _movers(box, state, hard)
    return {
        str(card): _obstacle(box, state, names, card, now, card in wanted, card in movers) for card, now in hard.items()
    }


def _difficulties(box: Any, state: Any) -> dict[int, int]:
    """As `difficulty`, for all in play: which cards bear on it is asked once, not for every obstacle."""
    bearing = [i for i in range(state.n_ruled) if box.ops[state.ruled[i].op].op in BEARING]
    harder = box.rules.harder[state.n_seats]
    return {
        card: int(box.obstacle[card].difficulty + harder + sum(added_by(box, state, i, card) for i in bearing))
        for slot in range(SLOTS)
        for card in chain(state, slot)
    }


def _movers(box: Any, state: Any, hard: dict[int, int]) -> set[int]:
    """Where a woken slot is empty, the region's hardest obstacle moves there."""
    out = set()
    for region in range(N_REGIONS):
        season = int(top_season(box, state, region))
        row = ROW_OF_SEASON.get(SEASONS[season]) if season >= 0 else None
        found = [card for i in range(3) for card in chain(state, 3 * region + i)]
        if row is not None and found and not chain(state, 3 * region + row):
            out.add(max(found, key=lambda card: hard[card]))
    return out


def _obstacle(box: Any, state: Any, names: Any, card: int, now: int, wanted: bool, moves: bool) -> dict[str, Any]:
    one = box.obstacle[card]
    printed, harder = one.difficulty, box.rules.harder[state.n_seats]
    parts = [[words, n] for words, n in (("more players", harder), ("cards in play", now - printed - harder)) if n]
    threats, faded = _threats(box, state, card)
    return {
        "id": card,
        "name": names["obstacle_called"][card],
        "difficulty": now,
        "parts": parts,
        **_printed(one),
        "threats": threats + faded,
        "faded": faded,
        "text": sentences(names, "obstacle_text", card),
        "dice": [die(state.die_is[i]) for i in range(state.n_on_cards) if state.die_on[i] == card],
        "mission": wanted,
        "moves": moves,
    }


@lru_cache(maxsize=256)
def _printed(one: Any) -> dict[str, Any]:
    """What is printed on an obstacle, but for its text and faded threat tags."""
    return {
        "threats": [RESOURCES[r] for r in range(RES) for _ in range(int(one.threats[r]))],
        "printed": int(one.difficulty),
        "skill": SKILLS[one.skill],
        "stress": bits_of(one.stress_mask, TRACKS),
        "tags": bits_of(one.tags, TAGS),
        "season": SEASONS[one.season],
        "region": REGIONS[one.region],
    }


def _threats(box: Any, state: Any, card: int) -> tuple[list[str], list[str]]:
    """Threat tags that count, and those that do not now."""
    one = box.obstacle[card]
    counting, faded = list(_printed(one)["threats"]), list[str]()
    standing = one.effect[STANDING]
    for i in range(int(standing.first), int(standing.first + standing.n)):
        op = box.ops[i]
        if op.op == DO.extra_threat:
            here = counts_here(box, state, op, int(state.obstacle_at[card]))
            (counting if here else faded).extend([RESOURCES[op.resource]] * int(op.count_of))
    return counting, faded
