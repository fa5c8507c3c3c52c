"""The land as people see it: regions with their piles, the nine places, the obstacles in play, the cost of each way."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from sutler.core.fast_record_reading import cache_piece_of_view, list_set_members, read_rows
from sutler.games.sixwinters.box import FACES, MOMENT, N_REGIONS, NO_MOVE, RES, SLOTS
from sutler.games.sixwinters.cards.card_texts import Called, _, remove_beginning, sentences_of_card
from sutler.games.sixwinters.cards.vocabulary import (
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
from sutler.games.sixwinters.rules.actions import (
    BY_FOOT,
    BY_GATE,
    BY_SHIP,
    dice_price,
    has_way,
    is_barred_way,
    pool_price,
    printed_price,
)
from sutler.games.sixwinters.rules.common import is_in
from sutler.games.sixwinters.rules.land import added_by, adds_to, top_season
from sutler.games.sixwinters.state import DISCARD, does_threat_tag_count

ROW_OF_SEASON = {"spring": 0, "summer": 1, "fall": 2}
"""The row of the slot, from the top of a region, that each season wakes; winter wakes all three."""


def names_of_bits(bits: int, names: Any) -> list[str]:
    """The names whose bits are set in `bits`."""
    return [names[i] for i in list_set_members((bits,))]


def asset_die(asset: int) -> list[Any]:
    """The die that an asset's number stands for, as [resource, value]."""
    return [RESOURCES[int(asset) // FACES], int(asset) % FACES + 1]


def assets_at_slot(state: Any, slot: int) -> list[list[Any]]:
    """The assets at a place as [resource, value], sorted by resource and value."""
    rows = zip(RESOURCES, state.assets[slot], strict=True)
    return [[name, v] for name, row in rows for v, n in enumerate(row, 1) if n for _ in range(n)]


def obstacles_in_pile(state: Any, pile: int) -> list[int]:
    """The obstacles at a place or in a discard pile, by card number and in order."""
    out, card = list[int](), int(state.head[pile])
    while card >= 0:
        out.append(card)
        card = int(state.after[card])
    return out


def waking_slots(box: Any, state: Any) -> list[int]:
    """The slots that would wake next, according to the seasons that the piles show now."""
    out = []
    for region in range(N_REGIONS):
        season = top_season(box, state, region)
        if season >= 0:
            row = ROW_OF_SEASON.get(SEASONS[season])
            out += [3 * region + row] if row is not None else [3 * region + i for i in range(3)]
    return out


def regions_view(box: Any, state: Any, names: Any) -> list[dict[str, Any]]:
    """Each region's draw pile: the season on its back, the number of its cards, and the obstacles in its discard pile."""
    out = []
    for region in range(N_REGIONS):
        season = int(top_season(box, state, region))
        out.append(
            {
                "id": REGIONS[region],
                "season": SEASONS[season] if season >= 0 else None,
                "pile": int(state.n_draw[region]),
                "discards": [names["obstacle_called"][card] for card in obstacles_in_pile(state, DISCARD + region)],
            }
        )
    return out


def slots_view(box: Any, state: Any, names: Any, hero: int) -> list[dict[str, Any]]:
    """The nine places as plain data; `hero`: the number of the character whose ways are shown, -1 for none."""
    wakes = waking_slots(box, state)
    standing = [(int(one.slot), int(one.character)) for one in _standing_heroes(state)]
    here = int(state.heroes[hero].slot) if hero >= 0 else -1
    go = _ways_from(box, names, here, *_ways_cache_key(state)) if here >= 0 else [None] * SLOTS
    out = []
    for slot in range(SLOTS):
        one = _slot_view(box, state, names, slot)
        one["characters"] = [character for at, character in standing if at == slot]
        one["wakes"] = slot in wakes
        one["go"] = go[slot]
        out.append(one)
    return out


def _standing_heroes(state: Any) -> list[Any]:
    """The characters in play that are on their feet."""
    return [state.heroes[h] for h in range(int(state.n_heroes)) if is_in(state, h)]


# --- The ways from a place ---------------------------------------------------------------------------------


class _Ruled(NamedTuple):
    """A standing effect in force: one row of the list `state.ruled`."""

    op: int
    obstacle: int
    slot: int


class _Ground(NamedTuple):
    """The fields of a state that the ways of moving depend on, as a small record in place of the state, so that ways can be cached."""

    location_at: tuple[int, ...]
    ruled: tuple[_Ruled, ...]
    n_ruled: int
    move_change: int
    move_least: int


def _ways_cache_key(state: Any) -> tuple[Any, ...]:
    """The fields of a state that the ways depend on, as a plain tuple, which serves as a cache key."""
    ruled = read_rows(state, "ruled", state.n_ruled)
    return tuple(state.location_at), ruled, state.move_change, state.move_least


@cache_piece_of_view
def _ways_from(
    box: Any, names: Any, from_slot: int, locations: Any, ruled: Any, change: int, least: int
) -> list[dict[str, Any] | None]:
    """The way from place `from_slot` to each place, with its cost; None for `from_slot` itself."""
    ground = _Ground(locations, tuple(_Ruled(*one) for one in ruled), len(ruled), change, least)
    pools = _entry_pool_costs(box, ground)
    return [
        None
        if there == from_slot
        else _cheapest_way(box, ground, names, from_slot, there, pools[REGIONS[box.place[there].region]])
        for there in range(SLOTS)
    ]


def _entry_pool_costs(box: Any, state: Any) -> dict[str, dict[str, int]]:
    """The pool dice that entering each region costs besides action dice (14.13)."""
    first = {REGIONS[box.place[slot].region]: slot for slot in range(SLOTS)}
    found = {
        region: {RESOURCES[r]: int(pool_price(box, state, there, r)) for r in range(RES)}
        for region, there in first.items()
    }
    return {region: {res: n for res, n in pool.items() if n} for region, pool in found.items()}


def _slot_view(box: Any, state: Any, names: Any, slot: int) -> dict[str, Any]:
    """The printed data of a place, and the assets and obstacles that lie there."""
    printed = _printed_place(box, names, slot, int(state.location_at[slot]))
    return {**printed, "assets": assets_at_slot(state, slot), "obstacles": obstacles_in_pile(state, slot)}


@cache_piece_of_view
def _printed_place(box: Any, names: Any, slot: int, card: int) -> dict[str, Any]:
    """The printed data of a place; `card`: the number of the location that lies there."""
    place = box.place[slot]
    tags, icon, whose, move = _printed_location(box.location[card])
    text = sentences_of_card(names, "location_text", card)
    actions = [remove_beginning(line, "Action: ") for line in text]
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
        "action": " ".join(one for one in actions if one is not None),
        "text": [line for line, action in zip(text, actions, strict=True) if action is None],
    }


@lru_cache(maxsize=256)
def _printed_location(one: Any) -> tuple[list[str], str, str, dict[str, Any]]:
    """The printed data of a location: tags, kind of icon, what the icon shows, the costs of moving."""
    move = {REGIONS[r]: int(one.move[r]) or "no_move" for r in range(N_REGIONS)}
    return names_of_bits(one.tags, LOCATION_TAGS), "" if one.icon == 0 else ICONS[one.icon], icon_name(one), move


def icon_name(one: Any) -> str:
    """The name of the resource, the skill or the kind of stress that a location's icon shows; "" for an icon that shows none of these."""
    lists = {"resource": RESOURCES, "skill": SKILLS, "stress": TRACKS}
    return str(lists[ICONS[one.icon]][one.icon_of]) if ICONS[one.icon] in lists else ""


def _cheapest_way(
    box: Any, state: Any, names: Any, from_slot: int, to_slot: int, entering: dict[str, int]
) -> dict[str, Any]:
    """The cheapest way from place `from_slot` to place `to_slot`, with the parts of its cost.

    `entering`: pool dice that the region costs.
    """
    pool = dict(entering)
    if is_barred_way(box, state, from_slot, to_slot):
        shut = from_slot if printed_price(box, state, from_slot, to_slot) == NO_MOVE else to_slot
        name = Called(names)["location_called"][state.location_at[shut]]
        why = _("{name} is entered and left only within its region.", name=name)
        return {"dice": None, "pool": pool, "why": why, "parts": []}
    ways = [how for how in (BY_FOOT, BY_SHIP, BY_GATE) if has_way(box, state, from_slot, to_slot, how)]
    prices = {how: int(dice_price(box, state, from_slot, to_slot, how)) for how in ways}
    how = min(ways, key=lambda one: (prices[one], one == BY_GATE))
    place = Called(names)["location_called"][state.location_at[from_slot]]
    base = {
        BY_FOOT: int(printed_price(box, state, from_slot, to_slot)),
        BY_SHIP: int(box.rules.port_cost),
        BY_GATE: 0,
    }[how]
    told = {
        BY_FOOT: _("printed on {place}", place=place),
        BY_SHIP: _("port to port"),
        BY_GATE: _("gate to gate, one stress"),
    }[how]
    parts = [[told, base]]
    if prices[how] != base:
        parts.append([_("cards in play"), prices[how] - base])
    return {"dice": prices[how], "pool": pool, "why": "", "parts": parts}


# --- Obstacles ----------------------------------------------------------------------------------------------


def obstacles_view(box: Any, state: Any, names: Any) -> dict[str, dict[str, Any]]:
    """Every obstacle in play as plain data, by the number of its card."""
    wanted = {int(card) for task in state.tasks for card in task.then_card if card >= 0}
    chains = [obstacles_in_pile(state, slot) for slot in range(SLOTS)]
    hard = _difficulties_by_card(box, state, chains)
    movers = _moving_obstacles(box, state, chains, hard)
    on_cards = list(zip(state.die_on, state.die_is, strict=True))[: state.n_on_cards]
    harder = box.rules.harder[state.n_seats]
    out = {}
    for card, now in hard.items():
        dice = tuple(asset for on, asset in on_cards if on == card)
        here = tuple(
            bool(does_threat_tag_count(box, state, op, int(state.obstacle_at[card])))
            for op in _fading_tag_operations(box, card)
        )
        lying = _Lying(card, now, harder, dice, here, card in wanted, card in movers)
        out[str(card)] = _obstacle_view(box, names, lying)
    return out


def _difficulties_by_card(box: Any, state: Any, chains: list[list[int]]) -> dict[int, int]:
    """The difficulty of each obstacle in play, by card number.

    The cards that change difficulties are looked up once for all obstacles.
    """
    ruled = [(box.ops[op].op, op, source) for op, _, source in read_rows(state, "ruled", state.n_ruled)]
    bearing = tuple((op, source) for kind, op, source in ruled if kind == DO.difficulty)
    own = [i for i, (kind, _, _) in enumerate(ruled) if kind == DO.difficulty_self]
    harder = box.rules.harder[state.n_seats]
    return {
        card: _difficulty_at(box, state, card, slot, bearing)
        + int(harder + sum(added_by(box, state, i, card) for i in own))
        for slot, cards in enumerate(chains)
        for card in cards
    }


def _difficulty_at(box: Any, state: Any, card: int, slot: int, bearing: tuple[tuple[int, int], ...]) -> int:
    """The difficulty of an obstacle at a slot: the printed one, changed by the standing effects that concern it there.

    `bearing`: operations that change difficulties, each with the slot of the card it stands on.
    """
    more = sum(box.ops[op].by for op, source in bearing if adds_to(box, state, box.ops[op], source, card, slot))
    return int(box.obstacle[card].difficulty + more)


def _moving_obstacles(box: Any, state: Any, chains: list[list[int]], difficulties: dict[int, int]) -> set[int]:
    """The obstacles that will move in the next activation: the hardest one of each region whose waking slot is empty."""
    out = set()
    for region in range(N_REGIONS):
        season = int(top_season(box, state, region))
        row = ROW_OF_SEASON.get(SEASONS[season]) if season >= 0 else None
        found = [card for i in range(3) for card in chains[3 * region + i]]
        if row is not None and found and not chains[3 * region + row]:
            out.add(max(found, key=lambda card: difficulties[card]))
    return out


class _Lying(NamedTuple):
    """The facts about an obstacle in play from which its view is made.

    `harder`: the difficulty that the number of players adds; `here`: for each faded threat tag, whether it counts at this place; `wanted`:
    a mission asks for the obstacle; `moves`: it will move in the next activation.
    """

    card: int
    difficulty: int
    harder: int
    dice: tuple[Any, ...]
    here: tuple[bool, ...]
    wanted: bool
    moves: bool


@cache_piece_of_view
def _obstacle_view(box: Any, names: Any, it: _Lying) -> dict[str, Any]:
    """An obstacle in play as plain data."""
    one = box.obstacle[it.card]
    printed = one.difficulty
    added = ((_("more players"), it.harder), (_("cards in play"), it.difficulty - printed - it.harder))
    threats, faded = list(_printed_obstacle(one)["threats"]), list[str]()
    for op, counts in zip(_fading_tag_operations(box, it.card), it.here, strict=True):
        (threats if counts else faded).extend([RESOURCES[op.resource]] * int(op.count_of))
    return {
        "id": it.card,
        "name": names["obstacle_called"][it.card],
        "difficulty": it.difficulty,
        "parts": [[words, n] for words, n in added if n],
        **_printed_obstacle(one),
        "threats": threats + faded,
        "faded": faded,
        "text": sentences_of_card(names, "obstacle_text", it.card),
        "dice": [asset_die(asset) for asset in it.dice],
        "mission": it.wanted,
        "moves": it.moves,
    }


@lru_cache(maxsize=512)
def _fading_tag_operations(box: Any, card: int) -> list[Any]:
    """The operations on a card that give it threat tags which count in some places only."""
    standing = box.obstacle[card].effect[MOMENT.standing]
    all_of_it = (box.ops[i] for i in range(int(standing.first), int(standing.first + standing.n)))
    return [op for op in all_of_it if op.op == DO.extra_threat]


@lru_cache(maxsize=256)
def _printed_obstacle(one: Any) -> dict[str, Any]:
    """The printed data of an obstacle, without its text and without faded threat tags."""
    return {
        "threats": [RESOURCES[r] for r in range(RES) for _ in range(int(one.threats[r]))],
        "printed": int(one.difficulty),
        "skill": SKILLS[one.skill],
        "stress": names_of_bits(one.stress_mask, TRACKS),
        "tags": names_of_bits(one.tags, TAGS),
        "season": SEASONS[one.season],
        "region": REGIONS[one.region],
    }
