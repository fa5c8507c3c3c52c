"""A second count of Bellum, from print and the map file alone (thirty_years.py), against the rules on drawn boards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.bellum.table import POWERS, board, code, game, levels, rules_with, run, supply_of
from sutler.contract.helpers import offered, play
from sutler.core.play.game import Position

from naive.thirty_years import MAP, War, spot

BOARDS = 40
LAND = sorted(f"{c:02d}{r:02d}" for c, r in MAP.land)
SEA = sorted(f"{c:02d}{r:02d}" for c, r in MAP.sea)
ALLY = {"Sweden": "France", "France": "Sweden", "Austria": "Spain", "Spain": "Austria"}
YEARS = range(1620, 1648, 2)
NAMES = rules_with().names
CITIES = [site["name"] for site in rules_with().new(4).view()["sites"] if site["role"] == "city"]
HEX_OF = {site["name"]: spot(site["hex"]) for site in rules_with().new(4).view()["sites"]}


def drawn(luck: random.Random, begin: bool = False) -> Position:
    """A board drawn by lot: leaders close together, tokens in patches, cities in every state, allied or not."""
    allied = luck.random() < 0.5
    centre = spot(luck.choice(LAND))
    near = sorted(LAND, key=lambda c: abs(spot(c)[0] - centre[0]) + abs(spot(c)[1] - centre[1]) + luck.random() * 3)
    names = [name for name in NAMES["leader"] if luck.random() < 0.85]
    leaders = dict(zip(names, luck.sample(near[:24], len(names)), strict=True))
    owners: dict[str, list[str]] = {power: [] for power in POWERS}
    lying: dict[str, list[str]] = {power: [] for power in POWERS}
    for area in [*LAND, *SEA]:
        if luck.random() < 0.6:
            luck.choice([owners, owners, lying])[luck.choice(POWERS)].append(area)
    free = [area for area in LAND if not any(area in some for some in (*owners.values(), *lying.values()))]
    war = {"leaders": leaders, "tokens": owners, "tilted": lying, "pillaged": luck.sample(free, min(4, len(free)))}
    cities: dict[str, Any] = {}
    for name in CITIES:
        size = luck.choice(["ruin", "minor", "medium", "major", "medium", "major"])
        holder = luck.choice([None, *POWERS]) if size != "ruin" else None
        there = {NAMES["leader"].index(one) // 2 for one, at in leaders.items() if MAP.is_dry(spot(at), HEX_OF[name])}
        besiegers = [
            power
            for power in sorted(POWERS[one] for one in there)
            if power != holder and not (allied and holder == ALLY[power] and POWERS.index(holder) in there)
        ]
        siege = (
            (luck.choice([None, *besiegers]), luck.choice(["half", "full"]), 0) if size not in ("ruin", "minor") else ()
        )
        cities[name] = (size, holder, luck.randint(1, 6), *(siege if siege and siege[0] else ()))
    build = game if begin else board
    return build(
        luck.choice(POWERS), luck.choice(YEARS), cities=cities, options={"alliance": allied},
        levels={power: (luck.randint(0, 12), luck.randint(0, 9)) for power in POWERS}, **war,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(BOARDS))
def test_influence_supply_and_feeding(seed: int) -> None:
    """10, 11: what each power's influence phase leaves on the map, its supply, and how many tokens it may tilt."""
    pos = drawn(random.Random(seed))
    for power in POWERS:
        pos.state.power = POWERS.index(power)
        war = War(pos.view())
        assert supply_of(pos, power) == war.supply(power), power
        reached = war.in_range(power, war.at(power))
        shown = {spot(one) for one in pos.view()["ranges"][power]}
        assert shown == reached, (power, shown ^ reached)
        expected = war.influence(power)
        run(pos, "influence")
        war = War(pos.view())
        wrong = {at for at in war.areas if war.token.get(at) != expected.get(at)}
        assert not wrong, {at: (war.token.get(at), expected.get(at)) for at in wrong}
        assert levels(pos, power)[0] == war.supply(power)
        fed = pos.copy()
        supply, strength = levels(fed, power)
        least, most = war.feeding(power, supply, strength)
        run(fed, "feed")
        if fed.view()["step"] == "feed":
            asked = fed.game.from_bytes(fed.to_bytes())
            totals = [int(name.split()[1]) for name in offered(asked) if name.startswith("feed")]
            assert (min(totals), max(totals)) == (least, most)
        else:
            assert levels(fed, power)[1] == max(0, min(max(least, strength - 2), strength + 2))


@pytest.mark.parametrize("seed", range(BOARDS))
def test_cities(seed: int) -> None:
    """9: size, tokens and tiles of every city after the phase; where an ally's siege is asked for, up to there."""
    pos = drawn(random.Random(1000 + seed))
    power = NAMES["power"][pos.state.power]
    expected = War(pos.view()).city_phase(power)
    run(pos, "city")
    asked = pos.view()["step"] == "siege"
    for site in pos.view()["sites"]:
        if site["role"] != "city":
            continue
        found = (site["size"], site["holder"], site["resistance"], site["besieger"], site["siege"])
        is_allys = site["holder"] is not None and pos.view()["powers"][power]["ally"] == site["holder"]
        assert found == expected[site["name"]] or asked or is_allys, site["name"]


@pytest.mark.parametrize("seed", range(BOARDS))
def test_marches(seed: int) -> None:
    """12: where each leader may go, standing still included."""
    pos = drawn(random.Random(2000 + seed), begin=True)
    while not pos.over and pos.view()["step"] != "move":
        play(pos, max(offered(pos)))
    if pos.over:
        return
    war = War(pos.view())
    mover = NAMES["leader"][pos.state.mover]
    found = {
        spot(code(name.removeprefix(f"move {mover} "))) for name in offered(pos) if name.startswith(f"move {mover}")
    }
    if mover in war.leaders:
        power, start = war.leaders[mover]
        assert found == war.marches(power, start) | {start}


@pytest.mark.parametrize("seed", range(3 * BOARDS))
def test_battles_and_retreats(seed: int) -> None:
    """8: who takes part, and every area a beaten leader may retreat to."""
    luck = random.Random(3000 + seed)
    pos = drawn(luck, begin=True)
    attacks = sorted(name for name in offered(pos) if name.startswith("attack"))
    if pos.view()["step"] != "attack" or not attacks:
        return
    war, attack = War(pos.view()), luck.choice(attacks)
    target = attack.removeprefix("attack ")
    told = next(one for one in pos.view()["battles"] if one["target"] == target)
    attacker, defender = told["attacker"], told["defender"]
    group = war.battle(attacker, defender, target)
    of = {name: whose for name, (whose, _) in war.leaders.items()}
    assert {name for name in told["side"] if of[name] == attacker} == {name for name in group if of[name] == attacker}
    assert {name for name in told["foes"] if of[name] == defender} == {name for name in group if of[name] == defender}
    play(pos, attack)
    for _ in range(2):
        if pos.view()["step"] in ("commit", "answer"):
            play(pos, luck.choice(sorted(offered(pos))))
    first: dict[str, tuple[int, int]] = {}
    while pos.view()["step"].startswith("re"):
        war = War(pos.view())
        names = offered(pos)
        if pos.view()["step"] == "retreat":
            leader = NAMES["leader"][pos.state.fight.mover]
            loser, winner = (
                (attacker, defender) if pos.state.fight.loser == POWERS.index(attacker) else (defender, attacker)
            )
            assert of[leader] in (loser, war.ally[loser])
            winners = [winner, *filter(None, [war.ally[winner]])]
            expected = war.retreats(leader, winners)
            passing = first.get(of[leader])
            if not expected and passing in (None, *()):
                pytest.fail(f"{leader} has no way and is asked")
            if not expected:
                expected = war.retreats(leader, winners, start=passing)
            assert {spot(code(name.removeprefix("retreat "))) for name in names} == expected
        choice = luck.choice(sorted(names))
        if choice.startswith("retreat ") and pos.view()["step"] == "retreat":
            first[of[leader]] = spot(code(choice.removeprefix("retreat ")))
        play(pos, choice)
