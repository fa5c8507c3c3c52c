"""The view of Bellum: what a seat may know of the table, as plain data for people and for programs that draw it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sutler.core.fast_record_reading import Plain, list_set_members, read_box_plainly
from sutler.core.files.entry_records import read_entry
from sutler.core.record import NOBODY
from sutler.core.text.sentences import Speaker
from sutler.games.bellum import state as s
from sutler.games.bellum.box import CITY, HQ, LEADERS, MAJOR, POWERS, SIZE_NAMES, STAGE_NAMES, SYMBOLS, Round, S
from sutler.games.bellum.map_geometry import build_map_geometry
from sutler.games.bellum.phases_actions_events import PHASES, P, R
from sutler.games.bellum.rules.battle import group_of, why_not_attack, with_allies
from sutler.games.bellum.rules.city import round_of_fall, round_of_revolt, siege_symbol
from sutler.games.bellum.rules.common import ATTACKING
from sutler.games.bellum.rules.march import is_in_hand, reach_of
from sutler.games.bellum.rules.strength import (
    ally_bonus,
    attack_bonus,
    defence_bonus,
    defended_site,
    is_across_water,
    leader_bonus,
    most_to_commit,
    site_defence,
)
from sutler.games.bellum.rules.supply import range_of
from sutler.games.bellum.scoring import does_war_win, is_barred_from_winning, power_score, seat_score
from sutler.games.bellum.text import _
from sutler.games.bellum.text.marches import build_possible_marches


def _hex_codes(names: Any, hexes: Any) -> list[str]:
    """The codes of the hexes in a set."""
    return [names["code"][i] for i in list_set_members(hexes)]


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data, built field by field; a hidden commitment is included for its owner only."""
    names = speaker.names
    printed, here = read_box_plainly(box), Plain(state)  # fields are read plainly, rules are asked of the records
    sheet = (tuple(names["code"]), frozenset(_hex_codes(names, printed.sea)), tuple(names["river"]))
    drawn = build_map_geometry(*sheet)
    stage = STAGE_NAMES[state.stage]
    return {
        "year": int(box.year[state.round_no].year),
        "round": int(state.round_no),
        "rounds": [_round_view(box, here, k) for k in range(printed.n_rounds)],
        "phase": stage,
        "phases": _phase_names(box, state, speaker),
        "step": PHASES.words[state.phase],
        "power": None if state.power == NOBODY else names["power"][state.power],
        "order": [names["power"][power] for power in state.order[: state.n_powers]],
        "n_seats": int(state.n_seats),
        "seat": seat,
        "to_act": None if state.phase == P.over else int(state.to_act),
        "tinctures": {
            name: TINCTURES.get(colour, 5) for name, colour in zip(names["power"], names["colour"], strict=True)
        },
        "arms": _seat_colours(here, names),
        "allied": ("none", "one", "all")[state.allied],
        "options": {name: int(getattr(box.options, name)) for name in box.options.dtype.names},
        "seats": [_seat_view(box, state, here, speaker, one) for one in range(int(state.n_seats))],
        "powers": {
            names["power"][power]: _power_view(box, state, printed, here, speaker, power)
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
        "hexes": _hex_views(here, names, _printed_hexes(printed, here.plan, tuple(names["hex"]), *sheet)),
        "sites": _site_views(box, state, printed, here, names, drawn),
        "tiles": {name: int(state.tiles[i]) for i, name in enumerate(SIZE_NAMES) if i},
        "leaders": [
            _leader_view(box, state, names, one) for one in range(LEADERS) if s.is_in_play(box, state, one >> 1)
        ],
        "ranges": {
            names["power"][power]: _hex_codes(names, range_of(box, state, power))
            for power in range(POWERS)
            if s.is_in_play(box, state, power)
        },
        "marches": build_possible_marches(box, state, names),
        "fight": _battle_view(box, state, names, seat),
        "battles": _possible_battles(box, state, names),
        "ending": ("", "sieges", "ruin", "peace")[state.ending],
        "war_wins": bool(does_war_win(box, state)),
    }


TINCTURES = {"blue": 1, "red": 2, "yellow": 3, "black": 4, "green": 5, "purple": 6}
"""The number of the heraldic colour for each power's colour."""


def _seat_colours(state: Any, names: Any) -> list[int]:
    """The heraldic colour of each seat, which is that of its first power; empty before powers are drawn."""
    firsts = [powers_led_by(state, seat)[:1] for seat in range(int(state.n_seats))]
    return [TINCTURES.get(names["colour"][one], 5) for (one,) in firsts] if all(firsts) else []


def _phase_names(box: Any, state: Any, speaker: Speaker) -> list[tuple[str, str]]:
    """The phases of the present round, each as (key, name in the reader's language)."""
    shown: tuple[str, ...] = STAGE_NAMES[S.feed if box.year[state.round_no].quiet else S.battle :]
    if state.stage == S.preparation:
        shown = STAGE_NAMES[:1]
    return [(name, speaker.tongue(name.capitalize(), "title")) for name in shown]


def _round_view(box: Any, state: Any, round_index: int) -> dict[str, Any]:
    """The printed data of a round, and whether it is the present one."""
    return {
        **read_entry(Round, box.year[round_index]),
        "now": bool(round_index == state.round_no and state.stage != S.preparation),
    }


def powers_led_by(state: Any, seat: int) -> list[int]:
    """The numbers of the powers that a seat leads."""
    return [power for power in range(POWERS) if state.seat_of[power] == seat]


def _seat_view(box: Any, state: Any, plain_state: Plain, speaker: Speaker, seat: int) -> dict[str, Any]:
    """A seat's name, powers and score."""
    return {
        "seat": seat,
        "name": str(speaker.word("seat", seat)),
        "powers": [speaker.names["power"][power] for power in powers_led_by(plain_state, seat)],
        "score": int(seat_score(box, state, seat)),
        "barred": bool(is_barred_from_winning(box, state, seat)),
    }


def _power_view(
    box: Any, state: Any, printed: Plain, plain_state: Plain, speaker: Speaker, power: int
) -> dict[str, Any]:
    """A power as plain data."""
    names, me = speaker.names, plain_state.powers[power]
    lie = plain_state.site[: printed.n_sites]
    ally = s.ally_of(box, state, power)
    return {
        "name": names["power"][power],
        "adjective": names["adjective"][power],
        "colour": names["colour"][power],
        "seat": plain_state.seat_of[power],
        "ally": None if ally == NOBODY else names["power"][ally],
        "hq": names["site"][printed.plan[plain_state.plan].hq[power]],
        "supply": me.supply,
        "strength": me.strength,
        "score": int(power_score(box, state, power)),
        "held": [names["power"][other] for other in range(POWERS) if me.held >> other & 1],
        "lost_to": [names["power"][other] for other in range(POWERS) if plain_state.powers[other].held >> power & 1],
        "tokens": int(s.tokens_on_board(box, state, power)),
        "cities": [names["site"][site] for site, slot in enumerate(lie) if slot.holder == power],
        "sieges": [names["site"][site] for site, slot in enumerate(lie) if slot.besieger == power],
        "feeding": {"from": plain_state.fed_from, "tilted": plain_state.n_fed, "pillaged": plain_state.n_pillaged}
        if plain_state.power == power and plain_state.stage == S.feed
        else None,
    }


@lru_cache(maxsize=64)
def _printed_hexes(
    box: Plain, plan: int, called: tuple[str, ...], codes: tuple[str, ...], sea: frozenset[str], rivers: tuple[str, ...]
) -> list[dict[str, Any]]:
    """The printed data of every hex, with its place in the drawing."""
    cut, found = box.plan[plan], []
    land, areas = set(list_set_members(cut.land)), set(list_set_members(cut.areas))
    spots = build_map_geometry(codes, sea, rivers)["spots"]
    for h, site in enumerate(cut.site_at[: box.n_hexes]):
        code, name, is_sea = codes[h], called[h], codes[h] in sea
        x, y = spots[code]
        terrain = "site" if site != NOBODY else "land" if h in land else "sea" if h in areas else "closed"
        name = name.rsplit(" ", 1)[0] if is_sea else name
        found.append({"id": code, "name": name, "x": x, "y": y, "terrain": terrain, "water": is_sea})
    return found


def _hex_views(state: Any, names: Any, grounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every hex as plain data: its place in the drawing, its terrain, the token that lies there."""
    pillaged, fed = set(list_set_members(state.pillaged)), set(list_set_members(state.fed))
    owner: dict[int, tuple[str, bool]] = {}
    for power in range(POWERS):
        mine = state.powers[power]
        owner |= dict.fromkeys(list_set_members(mine.tilted), (names["power"][power], True))
        owner |= dict.fromkeys(list_set_members(mine.upright), (names["power"][power], False))
    if state.power != NOBODY:
        owner |= dict.fromkeys(fed, (names["power"][state.power], True))
    found, nobodys = [], (None, False)
    for h, ground in enumerate(grounds):
        whose, is_tilted = owner.get(h, nobodys)
        found.append({**ground, "owner": whose, "tilted": is_tilted, "fed": h in fed, "pillaged": h in pillaged})
    return found


def _year_of_round(box: Any, round_index: int) -> int | None:
    """The year of a round; None if the game ends before it."""
    return box.year[round_index].year if round_index < box.n_rounds else None


def _site_views(box: Any, state: Any, printed: Plain, here: Plain, names: Any, drawn: Any) -> list[dict[str, Any]]:
    """The cities and headquarters in play, with the years in which cities fall or revolt (9.1, 9.2, 9.3)."""
    now, held = here.round_no, {slot.resistance for slot in here.site[: printed.n_sites] if slot.holder != NOBODY}
    falls = [_year_of_round(printed, int(round_of_fall(box, state, symbol))) for symbol in range(len(SYMBOLS))]
    revolts = {symbol: _year_of_round(printed, int(round_of_revolt(box, state, symbol))) for symbol in held}
    would_fall = [printed.year[now].year] * 2 + [falls[siege_symbol(box, size, now)] for size in range(2, MAJOR + 1)]
    plan, found = printed.plan[here.plan], []
    for site in range(printed.n_sites):
        slot = here.site[site]
        if plan.role[site] not in (CITY, HQ):
            continue
        one = _site_view(printed, here, names, drawn, site)
        if slot.holder != NOBODY:
            one["resistance"], one["revolts"] = slot.resistance, revolts[slot.resistance]
        if slot.besieger != NOBODY:
            one["siege"], one["falls"] = SYMBOLS[slot.siege], falls[slot.siege]
        if plan.role[site] == CITY and slot.extent > 0:
            one["would_fall"] = would_fall[min(slot.extent, MAJOR)]
        found.append(one)
    return found


def _site_view(box: Any, state: Any, names: Any, drawn: Any, site: int) -> dict[str, Any]:
    """The plain data of a site, except for the years in which it falls or revolts, which `_site_views` adds."""
    plan, slot = box.plan[state.plan], state.site[site]
    role, whose = plan.role[site], plan.whose[site]
    code = names["code"][box.site_hex[site]]
    x, y = drawn["spots"][code]
    extent = max(0, slot.extent)
    return {
        "name": names["site"][site],
        "hex": code,
        "x": x,
        "y": y,
        "role": "hq" if role == HQ else "city",
        "power": None if whose == NOBODY else names["power"][whose],
        "size": None if role == HQ or slot.extent == NOBODY else SIZE_NAMES[slot.extent],
        "supply": box.year[state.round_no].hq_supply if role == HQ else box.rules.city_supply[extent],
        "defence": box.rules.hq_defence if role == HQ else box.rules.city_defence[extent],
        "evidence": names["evidence"][site],
        "holder": None if slot.holder == NOBODY else names["power"][slot.holder],
        "resistance": None,
        "revolts": None,
        "besieger": None if slot.besieger == NOBODY else names["power"][slot.besieger],
        "siege": None,
        "falls": None,
    }


def _leader_view(box: Any, state: Any, names: Any, leader: int) -> dict[str, Any]:
    """A leader as plain data, with the areas it can reach."""
    at = s.where_is(state, leader)
    reach: Any = (0, 0, 0)
    if state.phase != P.over and at != NOBODY:
        reach = reach_of(box, state, leader)
    return {
        "name": names["leader"][leader],
        "full": names["full"][leader],
        "cypher": names["cypher"][leader],
        "power": names["power"][leader >> 1],
        "hex": None if at == NOBODY else names["code"][at],
        "moving": bool(state.phase == P.move and is_in_hand(box, state, leader)),
        "moved": bool(state.moved >> leader & 1),
        "reach": _hex_codes(names, reach),
    }


# --- Battles, with every modifier named ---------------------------------------------


def battle_modifiers(
    box: Any, state: Any, names: Any, attackers: int, defenders: int, attacker: int, defender: int
) -> dict[str, Any]:
    """The modifiers of both sides of a battle, by name (8.6); `attackers`, `defenders`: the leaders as bit sets."""
    both, allied = _("both leaders"), _("allied leaders")
    attack = [(both, leader_bonus(box, attacker, attackers)), (allied, ally_bonus(box, attacker, attackers))]
    if is_across_water(box, state, attackers, defenders):
        attack.append((_("across a river"), -int(box.rules.river)))
    defence = [(both, leader_bonus(box, defender, defenders)), (allied, ally_bonus(box, defender, defenders))]
    site = defended_site(box, state, defender, defenders)
    if site != NOBODY:
        held = _("defending {site}", site=names["site"][site])
        defence.append((held, int(site_defence(box, state, defender, site))))
    return {
        "attacker": names["power"][attacker],
        "defender": names["power"][defender],
        "side": [names["leader"][i] for i in range(LEADERS) if attackers >> i & 1],
        "foes": [names["leader"][i] for i in range(LEADERS) if defenders >> i & 1],
        "attack": [(text, int(n)) for text, n in attack if n],
        "defence": [(text, int(n)) for text, n in defence if n],
        "attack_bonus": int(attack_bonus(box, state, attacker, attackers, defenders)),
        "defence_bonus": int(defence_bonus(box, state, defender, defenders)),
        "attack_most": int(most_to_commit(box, state, attacker, attackers)),
        "defence_most": int(most_to_commit(box, state, defender, defenders)),
        "committed": False,
        "own": None,
    }


def _battle_view(box: Any, state: Any, names: Any, seat: int | None) -> dict[str, Any] | None:
    """The plain data of the battle under way, or None; the attacker's commitment is included for the attacker's own seat only."""
    if state.phase not in (P.commit, P.answer):
        return None
    fight = state.fight
    attacker, defender = int(fight.attacker), int(fight.defender)
    told = battle_modifiers(box, state, names, int(fight.side), int(fight.foes), attacker, defender)
    told["committed"] = bool(state.phase == P.answer)
    if state.phase == P.answer and seat is not None and state.seat_of[attacker] == seat:
        told["own"] = int(fight.commit[ATTACKING])
    return told


def battle_against(box: Any, state: Any, names: Any, leader: int) -> dict[str, Any] | None:
    """The plain data of the battle that would begin with an attack on this leader; None if it cannot be attacked now."""
    power, foe = int(state.power), leader >> 1
    if state.phase != P.attack or why_not_attack(box, state, int(state.to_act), leader) != R.fine:
        return None
    group = group_of(box, state, power, foe, leader)
    side, foes = (int(with_allies(box, state, of, group)) for of in (power, foe))
    return {"target": names["leader"][leader]} | battle_modifiers(box, state, names, side, foes, power, foe)


def _possible_battles(box: Any, state: Any, names: Any) -> list[dict[str, Any]]:
    """The plain data of each battle that the seat to act could begin now."""
    return [told for leader in range(LEADERS) if (told := battle_against(box, state, names, leader))]
