"""The rules of Bellum, paragraph by paragraph; the worked cases stand in test_examples.py."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import sutler
import sutler.games.bellum
from games.bellum import table
from games.bellum.table import (
    POWERS,
    after_battle,
    at_year,
    board,
    city_at,
    game,
    goals,
    hex_of,
    in_range,
    levels,
    place_of,
    put,
    rules_with,
    run,
    strength,
    supply_of,
    tilted,
    upright,
    why,
)
from sutler.contract.helpers import offered, play, walk
from sutler.core.bits import members
from sutler.core.events import new_event_buffer
from sutler.core.files.box import BoxError
from sutler.core.text.sentences import to_plain_text
from sutler.games.bellum import scoring
from sutler.games.bellum import state as s
from sutler.games.bellum.phases_actions_events import P, R
from sutler.games.bellum.rules import battle, city, feed, retreat
from sutler.games.bellum.rules import strength as strengths
from sutler.games.bellum.rules.ending import end_by_peace

HOME = {"1002", "1102", "1202", "1203", "1003", "1104"}
BERLIN = {"Berlin": ("medium", "Austria", 1)}


def land_of(some):
    """The land areas in a set of hexes."""
    return set(members(list(some)))


def silent():
    return new_event_buffer(on=False)


def fight(pos, attack, defence, target="Tilly"):
    play(pos, f"attack {target}", f"commit {attack}", f"commit {defence}")
    return pos


# --- 4 Setting up ------------------------------------------------------------------------------


def test_4_1_alternative_headquarters():
    """4.1: Konstanz and Utrecht are HQs, Besançon and Antwerpen cities; still twelve."""
    pos = rules_with(alternative_hqs=True).new(4)
    sites = {site["name"]: site for site in pos.view(0)["sites"]}
    assert {name: site["power"] for name, site in sites.items() if site["role"] == "hq"} == {
        "Stralsund": "Sweden", "Wien": "Austria", "Konstanz": "France", "Utrecht": "Spain",
    }  # fmt: skip
    assert {"Besançon", "Antwerpen"} <= set(sites)
    assert not {"Paris", "Bruxelles"} & set(sites)
    assert sum(site["role"] == "city" for site in sites.values()) == 12


def test_4_2_powers_and_order_are_drawn():
    """4.2: every seat may lead every power, and every power may begin; each power has one seat."""
    leads, first, game = set(), set(), sutler.load("bellum")
    for seed in range(60):
        pos = game.new(4, seed=seed)
        assert sorted(pos.state.seat_of) == [0, 1, 2, 3]
        assert sorted(pos.state.order) == [0, 1, 2, 3]
        leads |= {(power, int(seat)) for power, seat in enumerate(pos.state.seat_of)}
        first.add(int(pos.state.order[0]))
    assert len(leads) == 16
    assert first == {0, 1, 2, 3}


def test_4_2_a_seat_wears_the_colour_of_its_power():
    """4.2: in its panel, in the reckoning and on the map alike; leading two powers, that of the first."""
    view = sutler.load("bellum").new(4, seed=5).view(None)
    for seat, arms in zip(view["seats"], view["arms"], strict=True):
        assert arms == view["tinctures"][seat["powers"][0]]
    assert sorted(view["arms"]) == [1, 2, 3, 4]
    assert len(sutler.load("bellum").new(2, seed=5).view(None)["arms"]) == 2


def test_4_3_what_you_begin_with():
    """4.3: leaders in the HQ, a token in it and on each area next to it, levels 6 and 6."""
    pos = rules_with().new(4)
    assert [upright(pos, power) for power in POWERS] == [
        HOME,
        {"1209", "1210", "1309", "1311", "1409", "1410"},
        {"0109", "0110", "0208", "0210", "0309", "0310"},
        {"0206", "0207", "0306", "0308", "0406", "0407"},
    ]
    for power, home in zip(POWERS, ("1103", "1310", "0209", "0307"), strict=True):
        assert levels(pos, power) == (6, 6)
        leaders = [one for one in pos.view(0)["leaders"] if one["power"] == power]
        assert [one["hex"] for one in leaders] == [home, home]
        assert pos.view(0)["powers"][power]["tokens"] == 7


def test_4_4_tiles_in_reversed_turn_order():
    """4.4: last in turn order places first, round and round; a size runs out; no HQ; then the first turn begins."""
    pos = rules_with().new(4)
    assert pos.seat == 3
    assert len(offered(pos)) == 36
    play(pos, "place major Berlin")
    assert pos.seat == 2
    assert why(pos, "place minor Berlin") == ("This city has its tile already.", "4.4")
    assert why(pos, "place minor Wien") == ("This is no city in this game.", "4.4")
    assert why(pos, "place ruin Prag") == ("A ruin is no tile to place.", "4.4")
    play(pos, "place major Prag", "place major Danzig", "place major Utrecht")
    assert pos.seat == 3
    assert why(pos, "place major Breslau") == ("All tiles of this size are placed.", "4.4")
    while pos.view(0)["step"] == "place":
        play(pos, sorted(offered(pos))[0])
    sizes = [site["size"] for site in pos.view(0)["sites"] if site["role"] == "city"]
    assert sorted(sizes) == ["major"] * 4 + ["medium"] * 4 + ["minor"] * 4
    assert pos.view(0)["power"] == "Sweden"


def test_4_5_tiles_by_lot():
    """4.5: four of each, in another order each time; with eight cities the rest of the pool is not used."""
    seen = set()
    for seed in range(5):
        pos = rules_with(city_tiles="random").new(4, seed=seed)
        sizes = [site["size"] for site in pos.view(0)["sites"] if site["role"] == "city"]
        assert sorted(sizes) == ["major"] * 4 + ["medium"] * 4 + ["minor"] * 4
        seen.add(tuple(sizes))
    assert len(seen) > 1
    pos = rules_with(city_tiles="random", three="cut").new(3)
    sizes = [site["size"] for site in pos.view(0)["sites"] if site["role"] == "city"]
    assert len(sizes) == 8
    assert all(sizes.count(size) <= 4 for size in ("minor", "medium", "major"))


# --- 7 The turn ------------------------------------------------------------------------------------


def test_7_1_and_7_2_phases_and_the_first_round():
    """7.1, 7.2: 1618 has only feed and leader; from 1620 battle comes first; the marker moves after the last power."""
    pos = rules_with(city_tiles="random").new(4)
    assert [key for key, _ in pos.view(0)["phases"]] == ["feed", "leader"]
    turns = [to_plain_text(line.sentence) for line in pos.log(0) if line.kind in ("year", "turn")]
    assert turns == ["1618", "Sweden"]
    while pos.view(0)["year"] == 1618:
        play(pos, "end turn" if "end turn" in offered(pos) else sorted(offered(pos))[0])
    assert [key for key, _ in pos.view(0)["phases"]] == ["battle", "city", "influence", "feed", "leader"]
    turns = [to_plain_text(line.sentence) for line in pos.log(0) if line.kind in ("year", "turn")]
    assert turns == ["1618", "Sweden", "Austria", "France", "Spain", "1620", "Sweden"]


# --- 8 Battle ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("swede", "austrian", "linked"),
    [
        ("1005", "1006", True),  # across the Elbe
        ("1005", "1106", True),  # both at Berlin
        ("1005", "0907", False),
        ("1003", "1104", True),  # side by side
        ("1209", "1410", False),  # both at Wien, a headquarters
        ("0902", "0801", True),
        ("1308", "1108", True),  # a ruin between them: Prag
    ],
)
def test_8_3_adjacency(swede, austrian, linked):
    """8.3: areas side by side, or both at one city, ruins too, rivers or not."""
    pos = board(leaders={"Gustav Adolf": swede, "Tilly": austrian})
    assert bool(strengths.are_linked(pos.game.box, pos.state, 0, 3)) == linked


@pytest.mark.parametrize("apart", [False, True])
def test_8_3_headquarters_that_relay_nothing(apart):
    """8.3, 8.8: on two sides of Wien leaders are adjacent, and flee each other, but by option; at Berlin always."""
    pos = board(leaders={"Gustav Adolf": "1209", "Tilly": "1410"}, options={"hqs_apart": apart})
    assert bool(strengths.are_linked(pos.game.box, pos.state, 0, 3)) != apart
    assert bool(strengths.are_linked_dry(pos.game.box, pos.state, 0, 3)) <= (not apart)
    watched = table.codes(pos, retreat.watched_by(pos.game.box, pos.state, 0))
    assert ("1410" in watched) != apart
    assert {"1208", "1309"} <= watched
    pos = board(leaders={"Gustav Adolf": "1005", "Tilly": "1106"}, options={"hqs_apart": apart})
    assert strengths.are_linked(pos.game.box, pos.state, 0, 3)


def test_8_3_began_adjacent():
    """8.3: who was not adjacent when the phase began cannot attack; and nobody has to."""
    pos = game(leaders={"Gustav Adolf": "1005", "Tilly": "1006", "Richelieu": "1004"})
    assert offered(pos) == {"attack Tilly", "attack Richelieu", "end battles"}
    assert why(pos, "attack Wallenstein") == ("This leader is not on the board.", "8.3")
    assert why(pos, "attack Banér") == ("This is your own leader.", "8.3")
    pos.state.began = 1 << 2  # as if only France had been adjacent
    assert battle.why_not_attack(pos.game.box, pos.state, 0, 3) == R.not_begun
    play(pos, "end battles")
    assert pos.view(0)["phase"] in ("feed", "leader")


def test_8_4_all_that_hang_together():
    """8.4: a chain of leaders of the two powers is one battle; third powers neither join nor link."""
    pos = game(
        leaders={"Gustav Adolf": "1005", "Tilly": "1006", "Banér": "1007", "Wallenstein": "1008", "Richelieu": "0906"}
    )
    assert why(pos, "attack Tilly") == ("These leaders fight together: attack the first of them.", "8.4")
    play(pos, "attack Wallenstein")
    assert (int(pos.state.fight.side), int(pos.state.fight.foes)) == (0b0011, 0b1100)
    pos = game(leaders={"Gustav Adolf": "1005", "Richelieu": "1006", "Tilly": "1007"})
    assert offered(pos) == {"attack Richelieu", "end battles"}


def test_8_5_nobody_twice():
    """8.5: several enemies one after another, none a second time."""
    pos = game(leaders={"Gustav Adolf": "1005", "Tilly": "1006", "Richelieu": "1004"})
    fight(pos, 0, 0)
    assert offered(pos) == {"attack Richelieu", "end battles"}
    assert why(pos, "attack Tilly") == ("You have fought these leaders already.", "8.5")
    fight(pos, 0, 0, "Richelieu")
    assert pos.view(0)["phase"] != "battle"


@pytest.mark.parametrize(
    ("cities", "austrian", "bonus"),
    [
        ({"Berlin": ("minor", "Austria", 1)}, "1106", 1),
        ({"Berlin": ("medium", "Austria", 1)}, "1106", 2),
        ({"Berlin": ("major", "Austria", 1)}, "1106", 3),
        ({"Berlin": ("medium", "Austria", 1), "Dresden": ("major", "Austria", 1)}, "1106", 3),
        ({"Berlin": ("medium", "France", 1)}, "1106", 0),
        ({"Berlin": "major"}, "1106", 0),
        ({"Berlin": ("medium", "Austria", 1)}, "1204", 2),  # the Oder does not matter
        ({"Berlin": ("medium", None, None, "Austria", "half", "1630")}, "1106", 0),  # a besieger outside the walls
    ],
)
def test_8_6_city_bonus(cities, austrian, bonus):
    """8.6: only the highest of the defender's own upright cities, rivers or not."""
    pos = board(leaders={"Gustav Adolf": "1005", "Tilly": austrian}, cities=cities)
    assert battle.defence_bonus(pos.game.box, pos.state, 1, 0b1000) == bonus


def test_8_5_a_beaten_leader_shields_nobody():
    """8.4, 8.5: a leader already fought, fallen back next to a fresh one, is drawn into the battle and hinders it not."""
    pos = game(leaders={"Gustav Adolf": "1304", "Wallenstein": "1404", "Tilly": "1306", "Banér": "1205"})
    assert offered(pos) == {"attack Wallenstein", "attack Tilly", "end battles"}
    play(pos, "attack Wallenstein", "commit 3", "commit 0", "retreat Posen")
    assert offered(pos) == {"attack Tilly", "end battles"}, "Banér began next to Tilly, and neither has fought"
    battle_at_hand = pos.view(0)["battles"][0]
    assert (battle_at_hand["side"], battle_at_hand["foes"]) == (["Banér"], ["Wallenstein", "Tilly"])
    assert battle_at_hand["defence"] == [("both leaders", 1)], "all adjacent leaders take part, the beaten one too"
    assert why(pos, "attack Wallenstein") == ("These leaders fight together: attack the first of them.", "8.4")
    assert pos.why_not("attack Tilly") is None
    fight(pos, 0, 0)
    assert pos.view(0)["phase"] != "battle", "now nobody is left to fight"


def test_8_6_hq_bonus():
    """8.6: an own HQ adds 3; the attacker never has a city's bonus."""
    pos = board(leaders={"Gustav Adolf": "1003", "Tilly": "1004"}, cities=BERLIN)
    assert battle.defence_bonus(pos.game.box, pos.state, 0, 0b01) == 3
    assert battle.attack_bonus(pos.game.box, pos.state, 0, 0b01, 0b1000) == 0


def test_8_6_across_water_only_when_every_link_is():
    """8.6: one dry link is enough to spare the attacker the deduction."""
    pos = board(leaders={"Gustav Adolf": "0905", "Tilly": "1004"})
    assert battle.is_across_water(pos.game.box, pos.state, 0b01, 0b1000)
    put(pos, "Banér", "1003")
    assert not battle.is_across_water(pos.game.box, pos.state, 0b11, 0b1000)


def test_8_6_cities_are_bridges_by_option():
    """8.6: Gustav and Tilly are linked through Berlin alone, the Oder between Berlin and Tilly; the option bridges it."""
    for bridges in (False, True):
        pos = board(leaders={"Gustav Adolf": "1005", "Tilly": "1204"}, options={"city_bridges": bridges})
        assert strengths.are_linked(pos.game.box, pos.state, 0, 3)
        assert battle.is_across_water(pos.game.box, pos.state, 0b01, 0b1000) != bridges
        put(pos, "Gustav Adolf", "0905")
        put(pos, "Tilly", "1004")
        assert battle.is_across_water(pos.game.box, pos.state, 0b01, 0b1000), "no city between these two"


def test_8_7_removal_is_a_choice_between_two():
    """8.7: with two leaders in the battle the loser chooses which is lost; the other retreats."""
    leaders = {"Gustav Adolf": "1005", "Banér": "1004", "Tilly": "1006", "Wallenstein": "0906"}
    pos = fight(game(leaders=leaders, levels={"Austria": (6, 2)}), 8, 2, "Wallenstein")
    assert pos.seat == 1
    assert offered(pos) == {"remove Tilly", "remove Wallenstein"}
    assert why(pos, "remove Banér") == ("Only one of the loser's leaders that took part is removed.", "8.7")
    play(pos, "remove Tilly")
    assert place_of(pos, "Tilly") is None
    assert strength(pos, "Austria") == 0
    assert why(pos, "retreat Havelland")[1] == "8.8"


def test_8_8_where_a_retreat_may_lead():
    """8.8: not onto leaders or enemy tokens, not next to a victor, not through a city; each with its reason."""
    pos = fight(
        game(
            leaders={"Gustav Adolf": "1204", "Tilly": "1106", "Richelieu": "1305"},
            cities=BERLIN,
            tokens={"France": ["1304"]},
        ),
        4, 4,
    )  # fmt: skip
    assert place_of(pos, "Gustav Adolf") is None, "1304 is French, 1305 taken, the rest linked to Tilly through Berlin"
    pos = fight(game(leaders={"Gustav Adolf": "1204", "Tilly": "1106"}, cities=BERLIN), 4, 4)
    assert why(pos, "retreat Posen") == ("A retreat goes one step to an adjacent land area.", "8.8")
    assert why(pos, "retreat Vorpommern") == ("This area is adjacent to a leader of the winning side.", "8.8")
    assert why(pos, "retreat Sternberg") == ("This area is adjacent to a leader of the winning side.", "8.8")


@pytest.mark.parametrize(("pursuit", "is_open"), [("side", False), ("battle", True)])
def test_8_8_who_pursues(pursuit, is_open):
    """8.8: Wallenstein did not fight, but is of the winning side: 1305 next to him is closed, unless only fighters pursue."""
    leaders = {"Gustav Adolf": "1204", "Tilly": "1106", "Wallenstein": "1405"}
    given = {"cities": BERLIN, "tokens": {"France": ["1304"]}, "options": {"pursuit": pursuit}}
    pos = fight(game(leaders=leaders, **given), 4, 4)
    assert place_of(pos, "Wallenstein") == "1405"
    assert place_of(pos, "Gustav Adolf") == ("1305" if is_open else None), "the one way out lies next to Wallenstein"


def test_8_9_passing_the_first_leaders_area():
    """8.9: the second leader, with no way of its own, passes the first one's new area."""
    leaders = {"Gustav Adolf": "1112", "Banér": "1211", "Tilly": "1312", "Wallenstein": "1210"}
    tokens = {"France": ["1111", "1110", "1209"]}
    pos = game(power="Austria", leaders=leaders, tokens=tokens)
    pos.state.fight.attacker, pos.state.fight.defender, pos.state.fight.loser = 1, 0, 0
    pos.state.fight.to_retreat = 0b11
    free = land_of(retreat.retreats_of(pos.game.box, pos.state, 0))
    own = {hex_of("1011")}
    assert free == own, "only 1011 is open to Gustav"
    pos.state.powers[0].leader[0] = hex_of("1011")
    pos.state.fight.first_to[0] = hex_of("1011")
    put(pos, "Banér", "1112")
    passed = land_of(retreat.retreats_of(pos.game.box, pos.state, 1))
    assert passed
    assert hex_of("1011") not in passed


# --- 9 Cities -------------------------------------------------------------------------------------------


def test_8_8_an_ally_of_the_winner_bars_a_retreat():
    """8.8: the winning side's leaders are its allies' too, and the reason says so."""
    pos = game(
        options={"alliance": True},
        leaders={"Gustav Adolf": "0908", "Tilly": "1008", "Richelieu": "1010"},
    )
    fight(pos, 8, 1)
    assert offered(pos) == {"retreat Egerland", "retreat Pilsen"}
    assert why(pos, "retreat Niederbayern") == ("This area is adjacent to a leader of the winning side.", "8.8")


def test_9_1_alone_and_on_the_dry_side():
    """9.1: a leader across the river neither besieges nor hinders; a rival on the dry side does."""
    pos = board(leaders={"Gustav Adolf": "1204"}, cities={"Berlin": "medium"})
    run(pos, "city")
    assert city_at(pos, "Berlin")["besieger"] is None
    pos = board(leaders={"Gustav Adolf": "1005", "Tilly": "1204"}, cities={"Berlin": "medium"})
    run(pos, "city")
    assert city_at(pos, "Berlin")["besieger"] == "Sweden"
    pos = board(leaders={"Gustav Adolf": "1005", "Tilly": "1104"}, cities={"Berlin": "medium"})
    run(pos, "city")
    assert city_at(pos, "Berlin")["besieger"] is None


def test_9_1_a_new_siege_ends_the_old_one():
    """9.1: a tilted token of another goes; its upright token and resistance tile stay."""
    pos = board(
        leaders={"Gustav Adolf": "1005", "Tilly": "1106"},
        cities={"Berlin": ("major", "France", 4, "Austria", "half", "1630")},
    )
    put(pos, "Tilly", "1206")
    told = run(pos, "city")
    assert "The siege of Berlin by Austria is broken" in told
    assert city_at(pos, "Berlin") == {
        "size": "major", "holder": "France", "resistance": 4, "besieger": "Sweden", "siege": "full",
    }  # fmt: skip


def test_9_2_an_enemy_who_came_meanwhile():
    """9.2: does not stop a siege that succeeds."""
    pos = board(
        year=1634,
        leaders={"Gustav Adolf": "1005", "Tilly": "1106"},
        cities={"Berlin": ("medium", None, None, "Sweden", "half", "1632")},
    )
    run(pos, "city")
    assert city_at(pos, "Berlin")["holder"] == "Sweden"
    assert city_at(pos, "Berlin")["size"] == "medium"


def test_9_3_revolt_leaves_a_foreign_siege():
    """9.3: token and tile go, the city shrinks, another's siege goes on; not in the round it was taken."""
    pos = board(
        year=1634,
        leaders={"Tilly": "1106"},
        cities={"Berlin": ("major", "Sweden", 3, "Austria", "full", "1632")},
    )
    run(pos, "city")
    assert city_at(pos, "Berlin") == {
        "size": "medium", "holder": None, "resistance": None, "besieger": "Austria", "siege": "full",
    }  # fmt: skip
    pos = board(year=1634, cities={"Berlin": ("major", "Sweden", 3)})
    pos.state.site[pos.game.names["site"].index("Berlin")].since = pos.state.round_no
    run(pos, "city")
    assert city_at(pos, "Berlin")["holder"] == "Sweden"


def test_9_4_ruins_are_never_taken():
    """9.4: a ruin is not besieged."""
    pos = board(leaders={"Gustav Adolf": "1005"}, cities={"Berlin": "ruin"})
    assert run(pos, "city") == []


def test_9_5_broken_by_a_retreat():
    """9.5: a besieger driven off loses the siege at once."""
    pos = game(
        power="Austria",
        leaders={"Gustav Adolf": "1005", "Tilly": "1006"},
        cities={"Berlin": ("major", None, None, "Sweden", "full", "1630")},
        levels={"Sweden": (6, 2), "Austria": (6, 8)},
    )
    fight(pos, 8, 1, "Gustav Adolf")
    if pos.seat == 0:
        play(pos, sorted(offered(pos))[0])
    assert city_at(pos, "Berlin")["besieger"] != "Sweden"


def test_9_6_own_and_allied_headquarters_win_nothing():
    """9.6, 14.10: no token for the own HQ, nor for an ally's."""
    pos = board(leaders={"Gustav Adolf": "1104"})
    assert run(pos, "city") == []
    pos = board(options={"alliance": True}, leaders={"Gustav Adolf": "0110"})
    assert run(pos, "city") == []


def test_9_7_one_change_a_phase():
    """9.7: a city that revolts is besieged again only a turn later."""
    pos = board(year=1634, leaders={"Gustav Adolf": "1005"}, cities={"Berlin": ("medium", "Sweden", 3)})
    run(pos, "city")
    assert city_at(pos, "Berlin")["besieger"] is None
    run(at_year(pos, 1636), "city")
    assert city_at(pos, "Berlin")["holder"] == "Sweden"


# --- 10 Influence, range, supply ---------------------------------------------------------------------------


def test_10_1_free_cities_and_enemies_take_away():
    """10.1: next to a free city, or to an enemy's leader with no river between, own tokens go; a siege reaches nothing."""
    pos = board(tokens={"Sweden": ["1005", "1006", "1008"]}, leaders={"Tilly": "1007"}, cities={"Berlin": "minor"})
    run(pos, "influence")
    assert not {"1005", "1006", "1008"} & upright(pos, "Sweden")
    besieged = {"Berlin": ("major", None, None, "Austria", "full", "1630")}
    pos = board(tokens={"Sweden": ["1204", "1104"]}, leaders={"Tilly": "1106"}, cities=besieged)
    run(pos, "influence")
    assert "1204" in upright(pos, "Sweden")


def test_10_2_tilt_is_handed_on():
    """10.2, 11.3: a tilted token is replaced by a tilted one, which comes upright after feeding."""
    pos = board(leaders={"Gustav Adolf": "1005"}, tilted={"Austria": ["0906", "1004"]})
    run(pos, "influence")
    assert "1004" in tilted(pos, "Sweden")
    assert "0906" in tilted(pos, "Austria"), "beyond the Elbe"
    run(pos, "feed")
    pos.settle()
    assert "1004" in tilted(pos, "Sweden") | upright(pos, "Sweden")


def test_10_3_supply_counts_what_is_in_range():
    """10.3: major 6, medium 4, minor 2, the HQ what the round says, each only in range."""
    cities = {"Berlin": ("major", "Sweden", 1), "Dresden": ("medium", "Sweden", 1), "Prag": ("minor", "Sweden", 1)}
    pos = board(leaders={"Gustav Adolf": "1104"}, cities=cities)
    assert supply_of(pos, "Sweden") == 3 + 6
    pos = board(leaders={"Gustav Adolf": "1104"}, cities=cities, tokens={"Sweden": ["1106", "1207"]})
    assert supply_of(pos, "Sweden") == 3 + 6 + 4 + 2
    assert supply_of(board(cities=cities), "Sweden") == 0


def test_10_4_a_leaders_area_is_never_contested():
    """10.4: between two leaders the area is emptied, under one it is his."""
    pos = board(leaders={"Gustav Adolf": "0907", "Tilly": "0908"}, tokens={"France": ["1007"], "Austria": ["0907"]})
    run(pos, "influence")
    assert "0907" in upright(pos, "Sweden")
    assert not {"1007"} & (upright(pos, "Sweden") | upright(pos, "France"))


def test_10_4_nobody_elses_leader_is_contested_either():
    """10.4, 14.11: no area with a leader in it is contested: not an enemy's in a quarrel of allies, not an ally's."""
    quarrel = {
        "options": {"alliance": True},
        "cities": {"Braunschweig": ("medium", "France", 4)},
        "tokens": {"Austria": ["0906"], "France": ["0806"]},
    }
    pos = board(leaders={"Gustav Adolf": "0905", "Tilly": "0906"}, **quarrel)
    run(pos, "influence")
    assert "0906" in upright(pos, "Austria"), "Gustav and French Braunschweig meet at Tilly's own area"
    pos = board(leaders={"Gustav Adolf": "0905", "Tilly": "1006"}, **quarrel)
    run(pos, "influence")
    assert "0906" not in upright(pos, "Austria"), "without a leader in it the same area is emptied"
    meeting = {"leaders": {"Gustav Adolf": "0907", "Richelieu": "0908", "Tilly": "1008"}}
    pos = board(options={"alliance": True}, tokens={"France": ["0908", "1007"]}, **meeting)
    run(pos, "influence")
    assert "0908" in upright(pos, "France"), "Richelieu's own area, between Gustav and Tilly"
    assert "1007" not in upright(pos, "France"), "the area beside it is contested"


def test_10_5_paths_over_tilted_tokens():
    """10.5: a path needs own tokens, upright or tilted; rivers do not block it, gaps do."""
    chain = {"tokens": {"Sweden": ["1004"]}, "tilted": {"Sweden": ["0905"]}}
    pos = board(leaders={"Gustav Adolf": "0906"}, **chain)
    assert {"0905", "1004"} <= in_range(pos, "Sweden")
    pos = board(leaders={"Gustav Adolf": "0907"}, **chain)
    assert "1004" not in in_range(pos, "Sweden")


def test_10_6_rivers_that_meet_join():
    """10.6: down the Main, up the Rhine; an enemy on both banks closes it."""
    where = {"leaders": {"Gustav Adolf": "0908"}, "tokens": {"Sweden": ["0506"]}}
    assert "0506" in in_range(board(**where), "Sweden")
    where["tokens"] |= {"France": ["0607", "0608"]}
    assert "0506" not in in_range(board(**where), "Sweden")


# --- 11 Feeding ------------------------------------------------------------------------------------------------


def test_11_1_reasons():
    """11.1: no more than supply, no fewer than strength, only upright tokens in range."""
    pos = game(
        stage="feed",
        leaders={"Gustav Adolf": "1005", "Banér": "0905"},
        tokens={"Sweden": ["1005", "0905", "1004", "0904", "0804", "1512"]},
        tilted={"Sweden": ["0906"]},
        levels={"Sweden": (4, 3)},
    )
    assert {one for one in offered(pos) if one.startswith("feed")} == {"feed 3", "feed 4"}
    assert why(pos, "feed 2") == ("You must feed your strength level as far as you can.", "11.1")
    assert why(pos, "feed 5") == ("You cannot feed with more tokens than your supply and range allow.", "11.1")
    assert why(pos, "tilt Plattensee") == ("This token is out of range of your leaders.", "11.1")
    assert why(pos, "tilt Magdeburg") == ("You have no upright token here.", "11.1")
    play(pos, "tilt Havelland", "tilt Altmark", "tilt Prignitz")
    assert offered(pos) >= {"feed 3", "feed 4"}
    play(pos, "feed 3")
    assert tilted(pos, "Sweden") == {"1005", "0905", "1004"}
    assert {"0906", "1512"} <= upright(pos, "Sweden")


def test_11_1_order_has_no_effect():
    """11.1: the same tokens in another order leave the same table."""
    tables = []
    for order in (("Havelland", "Altmark"), ("Altmark", "Havelland")):
        pos = game(
            stage="feed",
            leaders={"Gustav Adolf": "1005", "Banér": "0905"},
            tokens={"Sweden": ["1005", "0905", "1004", "0904"]},
            levels={"Sweden": (9, 2)},
        )
        play(pos, *(f"tilt {name}" for name in order), "feed 2")
        tables.append(pos.to_bytes())
    assert tables[0] == tables[1]


@pytest.mark.parametrize(("level", "fed", "after"), [(6, 0, 4), (6, 5, 5), (6, 8, 8), (6, 11, 8), (1, 0, 0), (0, 0, 0)])
def test_11_2_never_more_than_two(level, fed, after):
    """11.2: strength follows the fed tokens by 2 at most, and stops at 0."""
    assert feed.strength_after(rules_with().box, level, fed) == after


def test_11_4_by_number_the_border_feeds_first():
    """11.4: the token next to an enemy feeds before the others."""
    pos = game(
        stage="feed",
        leaders={"Gustav Adolf": "1005", "Banér": "0905", "Tilly": "0802"},
        tokens={"Sweden": ["1005", "0905", "0904", "1004", "0803"]},
        levels={"Sweden": (9, 1)},
    )
    play(pos, "feed 1")
    assert tilted(pos, "Sweden") == {"0803"}


# --- 12 Marching --------------------------------------------------------------------------------------------------


def test_12_2_what_halts_and_what_does_not():
    """12.2: enemy tokens and reach halt; free cities do not; leaders, sea, cities and HQs are never entered."""
    own = ["1004", "0904", "0804", "0803"]
    pos = board(leaders={"Gustav Adolf": "1004"}, tokens={"Sweden": own})
    assert "0802" in goals(pos, "Gustav Adolf"), "two areas over own tokens, the third beyond"
    pos = board(leaders={"Gustav Adolf": "1004"}, tokens={"Sweden": own[:3], "Spain": ["0803"]})
    assert "0803" in goals(pos, "Gustav Adolf")
    assert "0802" not in goals(pos, "Gustav Adolf"), "a Spanish token halts"
    pos = board(leaders={"Gustav Adolf": "1004"}, tokens={"Sweden": own}, cities={"Braunschweig": "major"})
    assert "0803" in goals(pos, "Gustav Adolf"), "a free city does not halt"
    pos = board(leaders={"Gustav Adolf": "1004", "Tilly": "0904"}, tokens={"Sweden": own})
    assert not {"0904", "1002", "1103", "1105"} & goals(pos, "Gustav Adolf")


def test_12_2_a_choice_says_what_the_march_brings():
    """12.2, 9.1, 9.5: the table names the halt, the city one would stand at, and the siege one would give up."""
    pos = game(
        leaders={"Gustav Adolf": "1005", "Tilly": "1206"},
        cities={"Berlin": ("medium", "Austria", 1), "Braunschweig": "minor"},
    )
    while pos.state.phase != P.move:
        play(pos, max(offered(pos)))
    said = {choice.name: to_plain_text(choice.effect) for choice in pos.choices() if choice.name.startswith("move")}
    assert said["move Gustav Adolf Niederlausitz"] == "halts, at Berlin"
    assert said["move Gustav Adolf Schwerin"] == "gives up Berlin"
    assert said["move Gustav Adolf Altmark"] == "at Braunschweig, gives up Berlin"
    assert said["move Gustav Adolf Havelland"] == "at Berlin"


def test_12_3_out_of_headquarters():
    """12.3: in the first turn nobody stays in the HQ, and the first must not shut the other in."""
    pos = rules_with(city_tiles="random").new(4)
    assert why(pos, "end turn") == ("Leaders must leave their headquarters in the first turn.", "12.3")
    assert {"move Gustav Adolf Rostock", "move Gustav Adolf Vorpommern"} <= offered(pos)
    hqs = {"Gustav Adolf": "1103", "Banér": "1103"}
    allied = {"alliance": True}
    pos = board(year=1618, leaders={**hqs, "Richelieu": "1003"}, tokens={"Sweden": ["1104"]}, options=allied)
    assert "1104" not in goals(pos, "Gustav Adolf"), "the one way out is left for Banér"
    assert goals(pos, "Gustav Adolf")


def test_12_4_order_and_standing_still():
    """12.4: either leader first, each once; standing still is a choice."""
    pos = game(stage="feed", leaders={"Gustav Adolf": "1005", "Banér": "0905"})
    assert {"lead Banér", "move Gustav Adolf Havelland", "end turn"} <= offered(pos)
    assert why(pos, "move Banér Schwerin") == ("Another leader is being moved.", "12.4")
    assert why(pos, "move Tilly Schwerin") == ("This is not your leader.", "12.4")
    play(pos, "lead Banér", "lead Gustav Adolf")
    assert why(pos, "lead Banér") == ("You have called to and fro: send either leader now.", "12.4")
    both = pos.copy()
    play(both, "move Gustav Adolf Prignitz")
    assert offered(both) >= {"move Banér Schwerin", "end turn"}
    assert not any(name.startswith(("lead", "move Gustav")) for name in offered(both))
    texts = {choice.id: to_plain_text(choice.label) for choice in pos.choices(0)}
    assert texts[pos.action("move Banér Schwerin").id] == "Banér: Schwerin"
    assert texts[pos.action("move Banér Altmark").id] == "Banér stays in Altmark"
    play(pos, "move Banér Schwerin")
    assert why(pos, "move Banér Altmark") == ("This leader has moved already.", "12.4")
    assert why(pos, "move Gustav Adolf Schwerin") == ("A leader stands there.", "12.2")
    assert why(pos, "move Gustav Adolf Bern")[1] == "12.1"


def test_12_5_returning_instead_of_marching():
    """12.5: a removed leader comes back next to the HQ, and then nobody marches; or somebody marches and it does not."""
    pos = game(stage="feed", leaders={"Gustav Adolf": "1005", "Tilly": "1104"})
    assert "lead Banér" in offered(pos)
    play(pos, "lead Banér")
    assert offered(pos) == {"move Banér Rostock", "lead Gustav Adolf", "end turn"}, "Vorpommern is taken"
    back = pos.copy()
    play(back, "lead Gustav Adolf")
    assert {"move Gustav Adolf Havelland", "move Gustav Adolf Leipzig", "move Banér Rostock"} <= offered(back)
    play(back, "move Gustav Adolf Leipzig")
    assert place_of(back, "Gustav Adolf") == "1006", "calling Banér has settled nothing"
    assert why(pos, "move Banér Stargard") == (
        "A removed leader returns to a free area next to its headquarters.",
        "12.5",
    )
    play(pos, "move Banér Rostock")
    assert place_of(pos, "Banér") == "1003"
    assert pos.seat != 0
    pos = game(stage="feed", leaders={"Gustav Adolf": "1005", "Tilly": "1104"})
    play(pos, "move Gustav Adolf Prignitz")
    assert pos.seat != 0, "who has marched returns nobody"


# --- 13 The peace ---------------------------------------------------------------------------------------------------


def test_13_1_all_tokens_win_at_once():
    """13.1: the last HQ token ends the game in the city phase."""
    pos = game(
        leaders={"Gustav Adolf": "0110", "Tilly": "1311"},
        held={"Sweden": ["Austria", "Spain"]},
        levels={"Sweden": (0, 1), "Austria": (9, 15)},
    )
    assert pos.over
    assert pos.view(0)["ending"] == "sieges"
    assert pos.places()[0] == 1
    assert pos.scores()[0] == 1 + 6 + 100


def test_13_3_peace_in_1648():
    """13.3: the game ends when the marker reaches the last space."""
    pos = game(power="Spain", year=1646, leaders={"Spinola": "0406"})
    while not pos.over:
        play(pos, "end turn" if "end turn" in offered(pos) else sorted(offered(pos))[0])
    assert pos.view(None)["ending"] == "peace"
    assert pos.view(None)["year"] == 1648


def test_13_5_tokens_break_ties_and_equal_seats_share():
    """13.5: tilted tokens count as much; still equal: both win."""
    levels_ = dict.fromkeys(POWERS, (0, 4))
    pos = board(levels=levels_, tilted={"France": ["0112"]})
    assert pos.places() == [2, 2, 1, 2]
    pos = board(levels=levels_)
    assert pos.places() == [1, 1, 1, 1]


def test_13_6_the_war_wins():
    """13.6: with every score at 0 or below nobody is first, and the table says so."""
    pos = game(power="Austria", levels=dict.fromkeys(POWERS, (0, 0)))
    play(pos, "end turn")
    assert pos.over
    assert min(pos.places()) == 2
    assert [told.kind for told in pos.decisions[-1].told][-1] == "war_wins"
    assert pos.view(None)["war_wins"]
    assert to_plain_text(pos.prompt(0).text) == "The war is the only winner."


@pytest.mark.parametrize(("level", "told"), [(0, ["by_peace", "war_wins"]), (3, ["by_peace"])])
def test_13_6_the_war_may_win_at_the_peace(level, told):
    """13.6, 13.3: said in 1648 as well, and only where no power has more than 0."""
    pos, events = game(power="Austria", levels=dict.fromkeys(POWERS, (level, level))), new_event_buffer()
    end_by_peace(pos.game.box, pos.state, events)
    assert [one.kind for one in pos.game.definition.events.read_events(events)] == told


# --- 14 Alliances, fewer seats, advanced rules ---------------------------------------------------------------------


def test_14_1_allies_do_not_fight():
    """14.1, 14.9: an ally is no target."""
    pos = game(options={"alliance": True}, leaders={"Gustav Adolf": "1005", "Richelieu": "1004", "Tilly": "1006"})
    assert offered(pos) == {"attack Tilly", "end battles"}
    assert why(pos, "attack Richelieu") == ("Allies do not fight each other.", "14.9")


def test_14_2_two_seats_lead_two_powers_each():
    """14.2: both allies belong to one seat, all four keep their turns."""
    pos = rules_with().new(2)
    seats = [int(x) for x in pos.state.seat_of]
    assert seats[0] == seats[2] != seats[1] == seats[3]
    assert pos.view(0)["order"] == list(POWERS)
    assert pos.view(0)["allied"] == "all"


def test_14_4_storm_and_ultimatum():
    """14.4: one round short of success; an ultimatum wants both leaders then and now; a storm may leave a ruin."""
    pos = game(
        options={"forced_sieges": True},
        leaders={"Gustav Adolf": "1005"},
        cities={"Berlin": ("medium", "Austria", 1)},
    )
    assert offered(pos) == {"storm Berlin", "go on besieging Berlin"}
    assert why(pos, "ultimatum Berlin")[1] == "14.4"
    assert why(pos, "storm Prag") == ("This siege is not the one in question.", "14.4")
    play(pos, "storm Berlin")
    assert city_at(pos, "Berlin")["size"] == "ruin"
    assert city_at(pos, "Berlin")["holder"] is None


def test_14_5_pillaged_land_stays_bare():
    """14.5: only land tokens in range, even beyond the supply; nothing is placed there again."""
    pos = game(
        stage="feed",
        options={"pillage": True},
        leaders={"Gustav Adolf": "1104"},
        tokens={"Sweden": ["1104", "1003", "1203", "1512"]},
        levels={"Sweden": (1, 3)},
    )
    play(pos, "feed 1")
    assert why(pos, "pillage Plattensee") == ("Only own tokens on land in range can be pillaged.", "14.5")
    assert why(pos, "pillage Altmark") == ("You have no token here to pillage.", "14.5")
    play(pos, "pillage Vorpommern", "pillage Rostock")
    assert strength(pos, "Sweden") == 3
    run(pos, "influence")
    assert not {"1104", "1003"} & upright(pos, "Sweden")


def test_14_6_options_go_together():
    """14.6: every option at once, at every number of seats, from beginning to end."""
    everything = {
        "alliance": True, "alternative_hqs": True, "out_of_range": True, "forced_sieges": True, "pillage": True,
        "city_tiles": "random", "drawn": True, "pursuit": "battle", "city_bridges": True, "sieges_across_rivers": True,
        "siege_after_revolt": True, "besieged_reach": True, "free_cities_stop": True, "ranges_apart": True, "hq_is_city": True,
        "hqs_apart": False,
    }  # fmt: skip
    for seats, three in ((2, "alliance"), (3, "alliance"), (3, "cut"), (4, "alliance")):
        pos = sutler.load("bellum", **everything, three=three).new(seats, seed=4)
        while not pos.over:
            ids = pos.legal_ids()
            pos.play(ids[len(pos.decisions) * 7 % len(ids)])
            assert not pos.game.definition.check(pos.game.box, pos.state)
        assert len(pos.scores()) == seats


def three_with_alliance(**what):
    return board(options={"three": "alliance", "pair": "sweden"}, seats=3, **what)


def test_14_7_one_alliance_of_three_seats():
    """14.7: the stronger power counts; a broken one bars the alliance; the others are nobody's allies."""
    pos = three_with_alliance(levels={"Sweden": (3, 2), "France": (1, 5), "Austria": (4, 4), "Spain": (2, 2)})
    assert pos.scores() == [5, 4, 2]
    assert pos.places() == [1, 2, 3]
    assert s.ally_of(pos.game.box, pos.state, 1) == s.NOBODY
    pos.state.powers[0].is_broken = 1
    assert pos.places() == [3, 1, 2]
    assert pos.scores()[0] == 5 - 100
    assert [to_plain_text(line.label) for line in pos.breakdown(0)][-1].startswith("barred")


def test_14_12_a_broken_power_bars_no_alliance_of_four_seats():
    """14.12, 14.7: only the one alliance of three seats cannot win then; elsewhere the sums count."""
    levels = {"Sweden": (0, 0), "France": (7, 5), "Austria": (3, 2), "Spain": (2, 2)}
    for pos in (board(options={"alliance": True}, levels=levels), board(seats=2, levels=levels)):
        pos.state.powers[0].is_broken = 1
        assert max(pos.scores()) == 7
        assert pos.places()[pos.state.seat_of[2]] == 1


def test_14_7_ties_by_the_power_that_counts():
    """14.7, 13.5: a tie is broken by the tokens of the one power that counts, not by both allies'."""
    pos = three_with_alliance(
        levels={"Sweden": (5, 2), "France": (1, 4), "Austria": (5, 4), "Spain": (2, 2)},
        tokens={"Sweden": ["1005"], "France": ["0308", "0309", "0408"], "Austria": ["1209", "1308"]},
    )
    assert pos.scores() == [5, 5, 2]
    assert pos.places() == [2, 1, 3], "Sweden has 2 tokens with its HQ, Austria 3; France's 4 do not count"
    pos = three_with_alliance(
        levels={"Sweden": (5, 2), "France": (1, 5), "Austria": (5, 4), "Spain": (2, 2)},
        tokens={"Sweden": ["1005"], "France": ["0308", "0309", "0408"], "Austria": ["1209", "1308"]},
    )
    assert pos.places() == [1, 2, 3], "both powers level: the one with more tokens counts, France with 4"


def test_14_7_tokens_for_the_win():
    """14.7, 13.1: the alliance needs two enemy tokens, a single power three."""
    pos = three_with_alliance(held={"Sweden": ["Austria"], "France": ["Spain"], "Austria": ["Sweden", "France"]})
    assert scoring.has_all_tokens(pos.game.box, pos.state, 0)
    assert not scoring.has_all_tokens(pos.game.box, pos.state, 1)


def test_14_8_three_powers_on_a_smaller_map():
    """14.8: Spain in Utrecht with five areas, eight cities, nothing west of the Rhine or east of the Oder."""
    pos = rules_with(three="cut", city_tiles="random").new(3)
    view = pos.view(0)
    assert set(view["powers"]) == {"Sweden", "Austria", "Spain"}
    assert sum(site["role"] == "city" for site in view["sites"]) == 8
    assert upright(pos, "Spain") == {"0305", "0306", "0404", "0505", "0506"}
    closed = {hex_["id"] for hex_ in view["hexes"] if hex_["terrain"] == "closed"}
    assert {"0406", "0711", "1204", "1503"} <= closed
    assert sum(hex_["terrain"] == "land" for hex_ in view["hexes"]) == 69
    assert why(pos, "move Gustav Adolf Stargard") == ("This hex is closed in this game.", "14.8")


def test_14_9_allies_take_part_and_retreat():
    """14.9: each allied leader adds 1, pays nothing, and retreats with a beaten side, its own seat choosing."""
    pos = game(
        options={"alliance": True},
        leaders={"Gustav Adolf": "1005", "Tilly": "1006", "Spinola": "0906", "Ferdinand": "0808"},
    )
    assert pos.view(0)["battles"][0]["defence"] == [("allied leaders", 1)]
    fight(pos, 8, 1)
    seats = []
    while pos.view(0)["step"].startswith("retreat"):
        seats.append(pos.seat)
        play(pos, sorted(offered(pos))[0])
    assert strength(pos, "Spain") == 8
    assert place_of(pos, "Spinola") != "0906"
    assert place_of(pos, "Ferdinand") == "0808", "he is linked to nobody of the other side"
    assert seats == sorted(seats)
    assert after_battle(pos, "Austria") == 8 - 1 - 1


def test_14_10_an_allys_city_is_besieged_on_purpose():
    """14.10: asked, never automatic; broken when the ally comes."""
    start = {"options": {"alliance": True}, "leaders": {"Gustav Adolf": "1005"}}
    pos = game(**start, cities={"Berlin": ("medium", "France", 4)})
    assert offered(pos) == {"besiege Berlin", "spare Berlin"}
    assert why(pos, "besiege Prag") == ("This is not the city in question.", "14.10")
    kept = pos.copy()
    play(kept, "spare Berlin")
    assert city_at(kept, "Berlin")["besieger"] is None
    play(pos, "besiege Berlin")
    assert city_at(pos, "Berlin")["besieger"] == "Sweden"
    put(pos, "Richelieu", "1106")
    city.break_sieges(pos.game.box, pos.state, silent())
    assert city_at(pos, "Berlin")["besieger"] is None


def test_14_11_leader_against_allied_city():
    """14.11: an area between one ally's leader and the other's city is emptied; between two leaders it stays."""
    pos = board(
        options={"alliance": True},
        leaders={"Gustav Adolf": "0905"},
        cities={"Braunschweig": ("medium", "France", 4)},
        tokens={"France": ["0906", "0806"], "Sweden": ["0804"]},
    )
    run(pos, "influence")
    assert not {"0906", "0804"} & (upright(pos, "Sweden") | upright(pos, "France"))
    assert "0806" in upright(pos, "France"), "out of Gustav's reach"
    assert "0905" in upright(pos, "Sweden"), "his own area"


def test_14_11_a_headquarters_is_no_city():
    """14.11: the other ally's city contests, its HQ does not; leaders of both at the city's area change nothing."""
    pos = board(options={"alliance": True}, leaders={"Richelieu": "1004"}, tokens={"Sweden": ["1003"]})
    run(pos, "influence")
    run(at_year(pos, 1632, "France"), "influence")
    assert "1003" in upright(pos, "Sweden"), "next to Stralsund and to Richelieu"
    pos = board(
        options={"alliance": True},
        leaders={"Gustav Adolf": "0905", "Richelieu": "0907"},
        cities={"Braunschweig": ("medium", "France", 4)},
        tokens={"France": ["0906"]},
    )
    run(pos, "influence")
    assert "0906" not in upright(pos, "France"), "reached by both leaders, but also by the other ally's city"


def test_14_12_allies_win_together_or_one_alone():
    """14.12: the higher sum wins; an ally with twice the other's score wins alone."""
    four = {"options": {"alliance": True}}
    pos = board(**four, levels={"Sweden": (5, 0), "France": (4, 0), "Austria": (8, 0), "Spain": (0, 0)})
    assert pos.scores() == [9, 8, 9, 8]
    assert pos.places() == [1, 3, 1, 3]
    pos = board(**four, levels={"Sweden": (8, 0), "France": (4, 0), "Austria": (3, 0), "Spain": (2, 0)})
    assert pos.places() == [1, 3, 2, 3]


# --- The secret ------------------------------------------------------------------------------------------------------


def test_8_1_nobody_sees_the_attackers_choice():
    """8.1: two tables that differ only in the hidden commitment are the same for all but the attacker."""
    leaders = {"Gustav Adolf": "1005", "Tilly": "1006"}
    tables = []
    for force in (1, 7):
        pos = game(leaders=leaders)
        play(pos, "attack Tilly", f"commit {force}")
        tables.append(pos)
    for viewer in (1, 2, 3, None):
        assert tables[0].view(viewer) == tables[1].view(viewer)
        assert [line.sentence for line in tables[0].log(viewer)] == [line.sentence for line in tables[1].log(viewer)]
        if viewer is not None:
            assert np.array_equal(tables[0].for_seat(viewer).observation(), tables[1].for_seat(viewer).observation())
    assert tables[0].legal_ids() == tables[1].legal_ids()
    assert tables[0].view(0)["fight"]["own"] == 1
    worlds = {int(tables[0].for_seat(1, seed=k).redeal().fight.commit[0]) for k in range(80)}
    assert worlds == set(range(9))
    assert {int(tables[0].for_seat(0, seed=k).redeal().fight.commit[0]) for k in range(9)} == {1}


# --- The box -----------------------------------------------------------------------------------------------------------


def test_3_4_the_board_is_what_the_notes_say():
    """3.4: 113 land, 43 sea, 16 places of sites; every HQ has six neighbours; no two sites touch; land hangs together."""
    pos = rules_with().new(4)
    view = pos.view(None)
    kinds = [hex_["terrain"] for hex_ in view["hexes"]]
    assert (kinds.count("land"), kinds.count("sea"), kinds.count("site")) == (113, 43, 16)
    box = pos.game.box
    assert int(box.n_sides) == 91
    for name in ("Stralsund", "Paris", "Wien", "Bruxelles", "Utrecht", "Konstanz"):
        site = pos.game.names["site"].index(name)
        assert len(members(box.near[box.site_hex[site]])) == 6
    sites = {int(h) for h in box.site_hex[: int(box.n_sites)]}
    assert not any(set(members(box.near[h])) & sites for h in sites)
    far = box.plan[0].marches
    printed = {"Stralsund": {"Berlin": 1, "Prag": 6, "Wien": 9, "Paris": 11}, "Paris": {"Konstanz": 4, "Bruxelles": 2}}
    for home, distances in printed.items():
        at = int(box.site_hex[pos.game.names["site"].index(home)])
        for name, n in distances.items():
            assert far[pos.game.names["site"].index(name)][at] == n, (home, name)


def printed_scenarios():
    """The scenarios of the printed box, with Berlin no city."""
    sheet = tomllib.loads((Path(sutler.games.bellum.__file__).parent / "box.toml").read_text(encoding="utf-8"))
    return [{**one, "cities": [name for name in one["cities"] if name != "Berlin"]} for one in sheet["scenario"]]


def test_the_map_is_data():
    """Another map is another file: its lists replace the printed ones; faults are told in words."""
    tiny = {
        "map": {
            "land": ["0102 West", "0201 Nord", "0203 Süd", "0302 Mitte", "0402 Ost", "0502 Ferne", "0601 Rand"],
            "sea": ["0101 Meer"],
        },
    }
    with pytest.raises(BoxError, match="Seine"):
        sutler.load("bellum", box=tiny)
    with pytest.raises(BoxError, match="named twice"):
        sutler.load("bellum", box={"map": {"land": ["0108 Picardie", "0108 Noch eins"]}})
    near = {"scenario": [{**one, "hq": {**one["hq"], "Austria": "Berlin"}} for one in printed_scenarios()]}
    with pytest.raises(BoxError, match="Stralsund and Berlin are too near"):
        sutler.load("bellum", box=near)
    moved = {"rules": {"start_strength": 9}}
    assert levels(sutler.load("bellum", box=moved).new(4), "France") == (6, 9)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_war_on_another_map(seats):
    """The small map of the examples: 63 hexes, four HQs, three cities; a whole war is played and drawn on it."""
    rules = sutler.load("bellum", box="examples/maps/small-war.toml")
    pos = rules.new(seats, seed=4)
    for here in walk(pos, seed=1):
        assert rules.definition.check(rules.box, here.state) == 0
    assert pos.over
    view = pos.view()
    assert len(view["hexes"]) == 63
    assert {site["name"] for site in view["sites"]} >= {"Nordburg", "Ostheim", "Mittelmark", "Unterfeld"}
    assert view["map"]["rivers"][0]["name"] == "Grenzbach"
    assert [year["peace"] for year in view["rounds"]] == [False] * 7 + [True]


def test_state_is_small_and_names_read_well():
    """The record stays far below 8 KB; actions are called as a player would."""
    d = rules_with().definition
    assert d.state.dtype.itemsize < 1024
    assert d.actions.n < 2000
    names = rules_with().action_names
    for name in (
        "move Banér Holstein",
        "attack Tilly",
        "commit 7",
        "storm Berlin",
        "tilt Öresund 1002",
        "place major Prag",
    ):
        assert names.find_action(name) is not None, name


# --- What the other chapters say ------------------------------------------------------------------------


def test_1_1_eight_leaders_and_one_strength_a_power():
    """1.1, 2.1: four powers with two leaders each; strength belongs to the power."""
    view = rules_with().new(4).view(None)
    assert set(view["powers"]) == set(POWERS)
    assert {name: [one["name"] for one in view["leaders"] if one["power"] == name] for name in POWERS} == {
        "Sweden": ["Gustav Adolf", "Banér"], "Austria": ["Wallenstein", "Tilly"],
        "France": ["Richelieu", "Bourbon"], "Spain": ["Spinola", "Ferdinand"],
    }  # fmt: skip


def test_1_2_every_ending_is_reachable():
    """1.2, 13.2: random wars end by ruin long before 1648, and somebody is first."""
    pos = rules_with(city_tiles="random").new(4, seed=11)
    while not pos.over:
        ids = pos.legal_ids()
        pos.play(ids[len(pos.decisions) * 11 % len(ids)])
    assert pos.view(None)["ending"] in ("ruin", "sieges", "peace")
    broken = [it for it in pos.view(None)["powers"].values() if it["supply"] == 0 and it["strength"] == 0]
    assert broken or pos.view(None)["ending"] != "ruin"


def test_2_2_one_token_an_area():
    """2.2: two tokens on one area are no position; nor is a token where none may lie."""
    with pytest.raises(BoxError, match="two tokens"):
        board(tokens={"Sweden": ["1005"], "France": ["1005"]})
    with pytest.raises(BoxError, match="where none may"):
        board(tokens={"Sweden": ["1105"]})


def test_2_3_levels_never_fall_below_zero():
    """2.3: a level below zero is no position."""
    with pytest.raises(BoxError, match="below zero"):
        board(levels={"Sweden": (0, -1)})


def test_3_1_leaders_stay_on_land():
    """3.1: no leader at sea, in a city or in another's HQ."""
    for where in ("1002", "1105", "1310"):
        with pytest.raises(BoxError, match="where none may"):
            board(leaders={"Banér": where})


def test_3_2_a_city_is_free_while_no_token_lies_on_it():
    """3.2: besieged or occupied it is free no more."""
    from sutler.games.bellum.rules.influence import is_free

    pos = board(
        leaders={"Tilly": "1006"},
        cities={
            "Berlin": "major", "Prag": ("major", "Sweden", 1), "Breslau": "ruin",
            "Dresden": "minor", "München": ("major", None, None, None),
        },
    )  # fmt: skip
    sites = pos.game.names["site"]
    free = {name for name in sites if is_free(pos.game.box, pos.state, sites.index(name))}
    assert free == {"Berlin", "Dresden", "München"}


def test_3_3_the_round_track():
    """3.3: fifteen rounds and the peace; symbols in turn; HQs supply 6, 6, 5, 5 and so on down to 0."""
    rounds = rules_with().new(4).view(None)["rounds"]
    assert [one["year"] for one in rounds] == list(range(1618, 1650, 2))
    assert [one["hq_supply"] for one in rounds[:15]] == [6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 0]
    assert [one["siege"] for one in rounds] == ["half", "full"] * 8
    assert [one["resistance"] for one in rounds[:7]] == [1, 2, 3, 4, 5, 6, 1]
    assert [one["peace"] for one in rounds] == [False] * 15 + [True]


def test_5_1_cut_the_chain_and_supply_is_gone():
    """5.1: the same army, with and without the token in between."""
    chain = {"leaders": {"Gustav Adolf": "0905"}, "tokens": {"Sweden": ["0904", "0804", "1003"]}}
    assert supply_of(board(**chain), "Sweden") == 3
    chain["tokens"]["Sweden"].remove("1003")
    assert supply_of(board(**chain), "Sweden") == 0


def test_15_1_rulings_and_reconstructions_are_listed():
    """15.1, 15.2: chapter 15 names exactly the paragraphs that hold a ruling, and those that hold a reconstruction."""
    import re

    guide = rules_with().guide
    listed = {number: set(re.findall(r"\d+\.\d+", guide.find_paragraph(number).text)) for number in ("15.1", "15.2")}
    assert listed["15.1"] == {one.number for one in guide.paragraphs if one.kind == "ruling"}
    assert listed["15.2"] == {one.number for one in guide.paragraphs if one.kind == "reconstruction"}


# --- Print read in two ways: the option is the other reading --------------------------------------------------


@pytest.mark.parametrize(("across", "besieger"), [(False, None), (True, "Austria")])
def test_9_5_a_siege_kept_up_across_a_river(across, besieger):
    """9.5: Tilly steps over the river at Berlin; by option his siege stays until Gustav comes to the near bank (9.1)."""
    besieged = {"Berlin": ("major", None, None, "Austria", "half", "1630")}
    pos = board(power="Sweden", leaders={"Tilly": "1106"}, cities=besieged, options={"sieges_across_rivers": across})
    put(pos, "Tilly", "1204")
    city.break_sieges(pos.game.box, pos.state, new_event_buffer())
    assert city_at(pos, "Berlin")["besieger"] == besieger
    put(pos, "Gustav Adolf", "1005")
    told = run(pos, "city")
    assert city_at(pos, "Berlin")["besieger"] == "Sweden"
    assert ("The siege of Berlin by Austria is broken" in told) == across
    put(pos, "Gustav Adolf", "0907")
    city.break_sieges(pos.game.box, pos.state, new_event_buffer())
    assert city_at(pos, "Berlin")["besieger"] is None, "nobody next to the city, on no bank"


@pytest.mark.parametrize(("at_once", "besieger"), [(False, None), (True, "Sweden")])
def test_9_7_a_siege_after_a_revolt(at_once, besieger):
    """9.7: a major city revolts and is besieged again in the same phase only by option."""
    options = {"siege_after_revolt": at_once}
    pos = board(year=1634, leaders={"Gustav Adolf": "1005"}, cities={"Berlin": ("major", "Sweden", 3)}, options=options)
    run(pos, "city")
    assert city_at(pos, "Berlin")["size"] == "medium"
    assert city_at(pos, "Berlin")["besieger"] == besieger


@pytest.mark.parametrize("reaches", [False, True])
def test_10_1_a_besieged_city_that_still_reaches(reaches):
    """10.1: next to a city that is besieged and not occupied a token goes only by option."""
    besieged = {"Berlin": ("major", None, None, "Austria", "full", "1630")}
    what = {"tokens": {"Sweden": ["1204"]}, "leaders": {"Tilly": "1106"}, "cities": besieged}
    pos = board(**what, options={"besieged_reach": reaches})
    run(pos, "influence")
    assert ("1204" in upright(pos, "Sweden")) != reaches


@pytest.mark.parametrize("stop", [False, True])
def test_12_2_free_cities_that_stop(stop):
    """12.2: a free Braunschweig beside the way halts a leader only by option."""
    own = ["1004", "0904", "0804", "0803"]
    what = {"leaders": {"Gustav Adolf": "1004"}, "tokens": {"Sweden": own}, "cities": {"Braunschweig": "major"}}
    pos = board(**what, options={"free_cities_stop": stop})
    assert ("0705" in goals(pos, "Gustav Adolf")) != stop


@pytest.mark.parametrize(("apart", "most"), [(False, 3), (True, 6)])
def test_14_3_ranges_of_two_leaders(apart, most):
    """14.3: three tokens in range of both leaders count once, by option for each."""
    pos = board(
        options={"out_of_range": True, "ranges_apart": apart},
        leaders={"Gustav Adolf": "0801", "Banér": "0803"},
        tokens={"Sweden": ["0801", "0802", "0803"]},
        levels={"Sweden": (6, 9)},
    )
    assert battle.most_to_commit(pos.game.box, pos.state, 0, 0b11) == most
    assert battle.most_to_commit(pos.game.box, pos.state, 0, 0b01) == 3


@pytest.mark.parametrize("is_city", [False, True])
def test_14_11_a_headquarters_that_is_a_city(is_city):
    """14.11: next to Stralsund and to Richelieu the Swedish token stays, by option it goes."""
    options = {"alliance": True, "hq_is_city": is_city}
    pos = board(options=options, leaders={"Richelieu": "1004"}, tokens={"Sweden": ["1003"]})
    run(pos, "influence")
    assert ("1003" in upright(pos, "Sweden")) != is_city
