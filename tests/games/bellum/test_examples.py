"""The worked cases W1 to W16 of the rulebook and of our notes, each checked as printed."""

import pytest

from games.bellum.table import (
    POWERS,
    after_battle,
    at_year,
    board,
    city_at,
    game,
    goals,
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
)
from sutler.contract.helpers import offered, play
from sutler.core.text.sentences import to_plain_text
from sutler.games.bellum.rules import battle

BERLIN = {"Berlin": ("medium", "Austria", 1)}
W1 = {
    "leaders": {"Gustav Adolf": "1005", "Banér": "0905", "Tilly": "1106", "Wallenstein": "0907"},
    "cities": BERLIN,
    "tokens": {"Austria": ["1104"]},
}
W1B = {"leaders": {"Gustav Adolf": "1204", "Tilly": "1106"}, "cities": BERLIN}


def fight(pos, attack, defence):
    """Attack Tilly, both commit in secret."""
    play(pos, "attack Tilly", f"commit {attack}", f"commit {defence}")
    return pos


def test_w1_battle_at_berlin():
    """8.1, 8.2, 8.4, 8.6: 8+1 against 3+2; Sweden keeps 1, Austria 4, and Tilly's one way out is 1206."""
    pos = game(**W1)
    assert offered(pos) == {"attack Tilly", "end battles"}
    play(pos, "attack Tilly")
    assert list(range(9)) == sorted(int(name.split()[1]) for name in offered(pos))
    assert (int(pos.state.fight.side), int(pos.state.fight.foes)) == (0b0011, 0b1000), "Wallenstein stands apart"
    told = [str(line.sentence[0]) + "".join(map(str, line.sentence[1:])) for line in pos.log(0)]
    assert "Sweden attacks Austria" in told
    play(pos, "commit 8", "commit 3")
    assert (after_battle(pos, "Sweden"), after_battle(pos, "Austria")) == (1, 4)
    assert place_of(pos, "Tilly") == "1206"
    lines = ["".join(map(str, line.sentence)) for line in pos.log(None)]
    assert "Sweden +1: both leaders take part" in lines
    assert "Austria +2: it defends Berlin" in lines
    assert "Sweden wins, 9 against 5" in lines
    assert not [line for line in lines if "across a river" in line]


def test_w1b_over_the_river():
    """8.6, 8.8: 4-1 against 2+2, the defender wins; Gustav may retreat to 1304 or 1305 only."""
    pos = fight(game(**W1B), 4, 2)
    assert (after_battle(pos, "Sweden"), after_battle(pos, "Austria")) == (3, 7)
    assert offered(pos) == {"retreat Hinterpommern", "retreat Neumark"}
    assert pos.seat == 0


def test_w1c_draw_and_zero():
    """8.1: on a draw the attacker wins without the extra 1; nobody commits: no battle; one alone does: it wins."""
    pos = fight(game(**W1), 4, 3)
    assert (after_battle(pos, "Sweden"), after_battle(pos, "Austria"), place_of(pos, "Tilly")) == (4, 5, "1206")
    pos = fight(game(**W1), 0, 0)
    assert (after_battle(pos, "Sweden"), after_battle(pos, "Austria"), place_of(pos, "Tilly")) == (None, None, "1106")
    assert strength(pos, "Austria") == 8
    assert pos.state.fight.attacker == -1
    pos = fight(game(**W1), 0, 1)
    assert (after_battle(pos, "Sweden"), after_battle(pos, "Austria")) == (7, 8)
    pos = fight(game(**W1B), 1, 0)
    assert (after_battle(pos, "Sweden"), after_battle(pos, "Austria")) == (8, 7)
    assert pos.seat == 1
    assert all(name.startswith("retreat") for name in offered(pos))


def test_w1c_more_than_the_level_counts_as_the_level():
    """8.1: a choice of 6 at strength 3 counts and costs 3."""
    pos = game(**W1, levels={"Sweden": (6, 3), "Austria": (6, 8)})
    play(pos, "attack Tilly")
    battle.do_commit(pos.game.box, pos.state, _silent(), 0, 6)
    assert int(pos.state.fight.commit[0]) == 3


def _silent():
    from sutler.core.events import new_event_buffer

    return new_event_buffer(on=False)


def test_w1d_removal():
    """8.7: at strength 3 Austria commits 3, has nothing left to lose but Tilly, and stays at 0."""
    pos = fight(game(**W1, levels={"Sweden": (6, 8), "Austria": (6, 3)}), 8, 3)
    assert (after_battle(pos, "Sweden"), after_battle(pos, "Austria"), place_of(pos, "Tilly")) == (1, 0, None)


def w2():
    return board(
        year=1632,
        leaders={"Gustav Adolf": "1005", "Banér": "0905", "Tilly": "1206", "Wallenstein": "0907"},
        cities=BERLIN,
    )


def test_w2_siege_of_berlin():
    """9.1 to 9.4: besieged 1632 with the half tile, taken 1634 as a minor city with tile 3, a ruin in 1646."""
    pos = w2()
    run(pos, "city")
    assert city_at(pos, "Berlin") == {
        "size": "medium", "holder": "Austria", "resistance": 1, "besieger": "Sweden", "siege": "half",
    }  # fmt: skip
    run(at_year(pos, 1634), "city")
    taken = {"size": "minor", "holder": "Sweden", "resistance": 3, "besieger": None, "siege": None}
    assert city_at(pos, "Berlin") == taken
    for year in range(1636, 1646, 2):
        run(at_year(pos, year), "city")
        assert city_at(pos, "Berlin") == taken
    run(at_year(pos, 1646), "city")
    assert city_at(pos, "Berlin")["size"] == "ruin"


def test_w2_broken_when_gustav_leaves():
    """9.5: token and tile come off as soon as no leader is left at the city."""
    pos = game(leaders={"Gustav Adolf": "1005", "Tilly": "1206"}, cities=BERLIN)
    assert city_at(pos, "Berlin")["besieger"] == "Sweden", "the city phase has passed"
    while pos.state.phase != 12:
        play(pos, max(offered(pos)))
    play(pos, "move Gustav Adolf Altmark")
    assert city_at(pos, "Berlin")["besieger"] is None
    assert city_at(pos, "Berlin")["holder"] == "Austria"


def test_w3_influence_after_the_fall():
    """10.1, 10.2, 10.4: what Berlin and the leaders place, replace, tilt and empty."""
    pos = board(
        year=1634,
        leaders={"Gustav Adolf": "1005", "Banér": "0905", "Tilly": "1206", "Wallenstein": "0907"},
        cities={"Berlin": ("minor", "Sweden", 3)},
        tokens={"Austria": ["1104", "1204", "1106", "1206"], "Sweden": ["1005", "0905"]},
        tilted={"Austria": ["1205"]},
    )
    run(pos, "influence")
    home = {"1002", "1003", "1102", "1104", "1202", "1203"}
    assert upright(pos, "Sweden") == {"1104", "1204", "1004", "1005", "0905", "0804"} | home
    assert tilted(pos, "Sweden") == {"1205"}
    assert upright(pos, "Austria") == {"1206"}
    assert tilted(pos, "Austria") == set()


W4 = {
    "year": 1630,
    "leaders": {"Gustav Adolf": "1306", "Banér": "1305", "Tilly": "1106"},
}


@pytest.mark.parametrize(
    ("swedish", "austrian", "berlin", "expected"),
    [
        (["1306", "1305", "1203"], ["1104", "1106", "1206"], False, 3),
        (["1306", "1305", "1203"], ["1104", "1106", "1206", "1205"], False, 0),
        (["1306", "1305"], ["1104", "1106", "1206"], False, 0),
        (["1306", "1305", "1203"], ["1104", "1106", "1206"], True, 3),
        (["1306", "1305", "1203"], ["1104", "1106", "1206", "1204"], True, 0),
    ],
    ids=["open", "both banks at Niederlausitz", "no token at sea", "Berlin alone", "Berlin and Stargard"],
)
def test_w4_supply_along_the_oder(swedish, austrian, berlin, expected):
    """10.3, 10.5, 10.6: the Oder leads to Stralsund as long as one bank of every side is free of enemies."""
    cities = {"Berlin": ("medium", "Austria", 1)} if berlin else {}
    pos = board(**W4, tokens={"Sweden": swedish, "Austria": austrian}, cities=cities)
    assert supply_of(pos, "Sweden") == expected
    assert ("1103" in in_range(pos, "Sweden")) == (expected > 0)


AREAS = ["1005", "0905", "1004", "0904", "0804", "1003"]


def w5(**more):
    return board(
        stage="feed",
        leaders={"Gustav Adolf": "1005", "Banér": "0905"},
        **{"tokens": {"Sweden": AREAS[:2]}, "tilted": {"Sweden": AREAS[2:]}, "levels": {"Sweden": (4, 5)}, **more},
    )


def test_w5_feed():
    """11.1 to 11.3: two upright tokens of six feed; strength falls from 5 to 3, the other four come upright."""
    pos = w5()
    run(pos, "feed")
    assert levels(pos, "Sweden") == (4, 3)
    assert (upright(pos, "Sweden"), tilted(pos, "Sweden")) == (set(AREAS[2:]), set(AREAS[:2]))


def test_w5_choice():
    """11.1, 11.2: all six upright and supply 9: five or six tokens, strength 5 or 6."""
    for total, expected in ((5, 5), (6, 6)):
        pos = game(
            stage="feed",
            leaders={"Gustav Adolf": "1005", "Banér": "0905"},
            tokens={"Sweden": AREAS},
            levels={"Sweden": (9, 5)},
        )
        assert {name for name in offered(pos) if name.startswith("feed")} == {"feed 5", "feed 6"}
        play(pos, f"feed {total}")
        assert strength(pos, "Sweden") == expected


def test_w6_movement():
    """12.1, 12.2: three areas over own tokens, one beyond, none past contested land: seventeen, with standing still."""
    pos = board(
        leaders={"Banér": "0907", "Wallenstein": "1008"},
        tokens={"Sweden": ["0907", "1006", "1106", "1205"], "Austria": ["1008"]},
    )
    expected = "0706 0707 0708 0806 0807 0808 0905 0906 0907 0908 1004 1005 1006 1007 1106 1205 1206"
    assert goals(pos, "Banér") == set(expected.split())


def test_w7_final_score():
    """13.2, 13.4, 13.5: 6, -4, 6 and 1; twelve tokens against ten, so Sweden wins."""
    pos = game(
        power="Austria",
        year=1634,
        levels={"Sweden": (2, 2), "Austria": (0, 0), "France": (4, 3), "Spain": (2, 3)},
        held={"Sweden": ["Austria", "Spain"], "France": ["Austria"]},
        tokens={"Sweden": ["0701", "0702", "0703", "0801", "0802", "0803", "0804", "0902", "0904", "0905", "1003"],
                "France": ["0108", "0109", "0110", "0111", "0112", "0210", "0211", "0309", "0310"]},
    )  # fmt: skip
    play(pos, "end turn")
    assert pos.over
    assert pos.scores() == [6, -4, 6, 1]
    assert pos.places() == [1, 4, 2, 3]
    on_board = [pos.view()["powers"][power]["tokens"] for power in POWERS]
    assert (on_board[0], on_board[2]) == (12, 10)
    told = {seat: [(to_plain_text(line.label), line.points) for line in pos.breakdown(seat)] for seat in range(4)}
    assert told[0] == [("supply or strength", 2), ("tokens won", 4), ("tied, with 12 tokens on the board", 0)]
    assert told[1] == [("supply or strength", 0), ("tokens lost", -4)]


W8 = {
    "options": {"alliance": True},
    "leaders": {"Gustav Adolf": "1104", "Richelieu": "1004", "Tilly": "1106"},
    "cities": {"Berlin": ("medium", "Austria", 4)},
    "tokens": {"Sweden": ["1003"]},
}


def test_w8_alliance():
    """14.1, 14.9 to 14.11: Richelieu adds 1; a draw; Sweden besieges Berlin beside him, and its token on 1003 stays."""
    pos = fight(game(**W8), 4, 3)
    assert [after_battle(pos, power) for power in POWERS[:3]] == [4, 5, None]
    assert strength(pos, "France") == 8
    assert offered(pos) == {"retreat Leipzig", "retreat Oberlausitz"}
    assert pos.seat == 1
    play(pos, "retreat Leipzig")
    assert city_at(pos, "Berlin")["besieger"] == "Sweden"
    assert "1003" in upright(pos, "Sweden") | tilted(pos, "Sweden")


def test_w9_out_of_range():
    """14.3: cut off from each other, Gustav may commit 2 and Banér 5."""
    pos = board(
        options={"out_of_range": True},
        leaders={"Gustav Adolf": "1306", "Banér": "0904"},
        tokens={"Sweden": ["1305", "1306", "0801", "0802", "0803", "0904", "1003"], "Austria": ["1104", "1204"]},
        levels={"Sweden": (6, 9)},
    )
    assert battle.most_to_commit(pos.game.box, pos.state, 0, 0b01) == 2
    assert battle.most_to_commit(pos.game.box, pos.state, 0, 0b10) == 5
    assert battle.most_to_commit(pos.game.box, pos.state, 0, 0b11) == 7


@pytest.mark.parametrize(("pillaged", "expected"), [(3, 5), (2, 4), (0, 3)])
def test_w10_pillage(pillaged, expected):
    """14.5: two fed and three pillaged keep strength 5; two pillaged give 4, none 3."""
    pos = game(
        stage="feed",
        options={"pillage": True},
        leaders={"Gustav Adolf": "1005", "Banér": "0905"},
        tokens={"Sweden": AREAS[:2]},
        tilted={"Sweden": AREAS[2:]},
        levels={"Sweden": (4, 5)},
    )
    for area in ("Prignitz", "Schwerin", "Lüneburg")[:pillaged]:
        play(pos, f"pillage {area}")
    play(pos, "end pillage")
    assert strength(pos, "Sweden") == expected
    assert len(upright(pos, "Sweden") | tilted(pos, "Sweden")) == 6 - pillaged


@pytest.mark.parametrize(
    ("size", "forced", "falls"),
    [
        ("minor", None, 1632), ("medium", None, 1634), ("major", None, 1636),
        ("medium", "storm", 1632), ("major", "storm", 1634),
        ("medium", "ultimatum", 1632), ("major", "ultimatum", 1634),
    ],
)  # fmt: skip
def test_w11_siege_clock(size, forced, falls):
    """9.1, 9.2, 14.4: minor at once, medium after one round, major after two; storm and ultimatum a round earlier."""
    pos = board(
        options={"forced_sieges": bool(forced)},
        leaders={"Gustav Adolf": "1005", "Banér": "1004"},
        cities={"Berlin": size},
    )
    for year in (1632, 1634, 1636):
        run(at_year(pos, year), "city")
        if forced and pos.state.phase == 9:
            pos.settle()
            assert offered(pos) == {"storm Berlin", "ultimatum Berlin", "go on besieging Berlin"}
            from sutler.games.bellum.rules import city

            getattr(city, f"do_{forced}")(pos.game.box, pos.state, _silent(), 0, pos.game.names["site"].index("Berlin"))
        assert (city_at(pos, "Berlin")["holder"] == "Sweden") == (year >= falls)
        if year >= falls:
            break
    smaller = {"major": "medium", "medium": "minor"}
    assert city_at(pos, "Berlin")["size"] == (smaller[size] if forced == "storm" else size)


def w12(**cities):
    around = ["1207", "1209", "1308", "1309", "1108", "1109"]
    return board(
        leaders={"Gustav Adolf": "1308"}, cities=cities, tokens={"Austria": around} if cities["Prag"] != "minor" else {}
    )


def test_w12_destruction():
    """9.1, 9.4, 10.1, 10.2: an enemy's minor city is ruined and its country emptied; a free one is occupied."""
    pos = w12(Prag=("minor", "Austria", 1))
    run(pos, "city")
    assert city_at(pos, "Prag") == {"size": "ruin", "holder": None, "resistance": None, "besieger": None, "siege": None}
    assert upright(pos, "Austria") == set()
    run(pos, "influence")
    assert upright(pos, "Sweden") == {"1308", "1307", "1407", "1408"} | {"1002", "1102", "1202", "1203", "1003", "1104"}
    pos = w12(Prag="minor")
    run(pos, "city")
    assert city_at(pos, "Prag")["holder"] == "Sweden"
    assert city_at(pos, "Prag")["size"] == "minor"


@pytest.mark.parametrize(("size", "after"), [("major", "medium"), ("medium", "minor"), ("minor", "ruin")])
def test_w13_revolt_clock(size, after):
    """9.3, 9.4: taken in 1622 with tile 3, it revolts in 1634 and shrinks."""
    pos = board(year=1624, cities={"Prag": (size, "Sweden", 3)})
    for year in range(1624, 1634, 2):
        run(at_year(pos, year), "city")
        assert city_at(pos, "Prag")["holder"] == "Sweden"
    run(at_year(pos, 1634), "city")
    assert city_at(pos, "Prag")["holder"] is None
    assert city_at(pos, "Prag")["size"] == after


def test_w14_start():
    """4.3, 7.2, 11.1, 11.3: six tokens each, all tilted in 1618; they cannot feed in 1620 and come upright after it."""
    pos = rules_with(city_tiles="random").new(seats=4, seed=1)
    home = {"1002", "1102", "1202", "1203", "1003", "1104"}
    assert tilted(pos, "Sweden") == home, "Sweden has fed and moves"
    assert all(len(upright(pos, power)) == 6 and levels(pos, power) == (6, 6) for power in POWERS[1:])
    play(pos, "move Gustav Adolf Rostock", "move Banér Vorpommern")
    assert levels(pos, "Sweden") == (6, 6)
    while not (pos.state.round_no == 1 and pos.state.power == 1):
        play(pos, "end turn" if "end turn" in offered(pos) else sorted(offered(pos))[0])
    assert {"1202", "1203", "1003", "1104"} <= upright(pos, "Sweden"), "1002 and 1102 are lost to free København"
    assert not tilted(pos, "Sweden") & home, "what fed in 1618 could not feed in 1620"


def test_w15_the_designers_play_report():
    """9.1, 10.3, 11.2, 12.1: the play report's marches; Berlin 1622, Danzig 1624, København 1626, Breslau 1628."""
    cities = dict.fromkeys(rules_with().names["site"][4:16], "major")
    cities |= {"Berlin": "medium", "Danzig": "medium", "Breslau": "medium", "København": "minor"}
    hqs = {
        "Wallenstein": "1310",
        "Tilly": "1310",
        "Richelieu": "0209",
        "Bourbon": "0209",
        "Spinola": "0307",
        "Ferdinand": "0307",
    }
    pos = board(
        "Sweden",
        1618,
        leaders={"Gustav Adolf": "1103", "Banér": "1103", **hqs},
        cities=cities,
        tokens={"Sweden": ["1002", "1102", "1202", "1203", "1003", "1104"]},
        levels={"Sweden": (6, 6)},
    )
    marches = {
        1618: (("Banér", "1304"), ("Gustav Adolf", "1104")),
        1620: (("Banér", "1403"),),
        1622: (("Gustav Adolf", "0803"),),
        1624: (("Gustav Adolf", "0902"), ("Banér", "1405")),
    }
    from sutler.games.bellum.rules import feed

    supplies, strengths, falls = [], [], {}
    for year in range(1618, 1630, 2):
        at_year(pos, year)
        if year > 1618:
            run(pos, "city")
            run(pos, "influence")
        run(pos, "feed")
        if pos.state.phase == 10:
            most = min(feed.feeds_at_most(pos.state, 0), strength(pos, "Sweden") + 2)
            feed.do_feed(pos.game.box, pos.state, _silent(), 0, most)
            while pos.state.phase == 0 and pos.state.stage == 4:
                feed.proceed_feed(pos.game.box, pos.state, _silent())
        supplies.append(levels(pos, "Sweden")[0])
        strengths.append(strength(pos, "Sweden"))
        for leader, where in marches.get(year, ()):
            assert where in goals(pos, leader), (year, leader)
            put(pos, leader, where)
        for name in ("Berlin", "Danzig", "København", "Breslau"):
            if city_at(pos, name)["holder"] == "Sweden":
                falls.setdefault(name, year)
    assert falls == {"Berlin": 1622, "Danzig": 1624, "København": 1626, "Breslau": 1628}
    assert supplies == [6, 6, 9, 13, 14, 18]
    assert strengths == [6, 5, 7, 9, 11, 13]


def test_w16_hq_siege():
    """9.6, 10.3: France alone at Bruxelles wins Spain's token, once; a Spaniard across the Schelde is no hindrance."""
    pos = board("France", 1632, leaders={"Richelieu": "0308", "Spinola": "0207"}, cities={})
    assert run(pos, "city") == ["France besieges Bruxelles and wins a token of Spain"]
    assert run(pos, "city") == []
    assert pos.state.powers[2].held == 1 << 3
    assert supply_of(pos, "Spain") == 3
    pos = board("France", 1632, leaders={"Richelieu": "0308", "Spinola": "0406"})
    assert run(pos, "city") == []
