"""Position files of Bellum: what the file says is what the position is, or the field that does not agree is named."""

from typing import Any

import pytest

from games.bellum.table import board, city_at, name_of, rules_with, run
from sutler.contract.helpers import given, offered
from sutler.core.files.box import BoxError

GAME = rules_with()
AT_WAR = {"power": "Sweden", "round_no": "1632"}
FIVE = ("Berlin", "Prag", "Danzig", "Breslau", "Dresden")
GUSTAV = {"powers": {"Sweden": {"leader": [name_of("1005"), -1]}}}


def laid(seats: int = 4, **state: Any):
    return given(GAME, seats, **state)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({**AT_WAR, "phase": "move"}, "phase: leave it out"),
        ({"phase": "attack"}, "phase: leave it out"),
        ({"stage": "feed"}, "stage: say whose turn it is"),
        ({"round_no": "1632"}, "round_no: say whose turn it is"),
        ({**AT_WAR, "stage": "preparation"}, "stage: .* the city tiles lie already"),
        ({"power": "Sweden", "stage": "battle"}, "stage: in the first round"),
        ({"power": "Sweden", "round_no": "1648"}, "round_no: in the year of the peace"),
        ({**AT_WAR, "mover": "Banér"}, "mover: it follows"),
        ({**AT_WAR, "moved": 3}, "moved: it follows"),
        ({**AT_WAR, "fought": 4}, "fought: it follows"),
        ({**AT_WAR, "fight": {"attacker": "Sweden"}}, "fight: it follows"),
        ({**AT_WAR, "to_act": 1}, "to_act: it follows"),
        ({**AT_WAR, "n_fed": 2}, "n_fed: it follows"),
        ({**AT_WAR, "plan": 1}, "plan: the options"),
        ({**AT_WAR, "allied": 2}, "allied: the options"),
        ({**AT_WAR, "tiles": {"major": 3}}, "tiles: what is left"),
        ({"site": {city: {"extent": "major"} for city in FIVE}}, "5 major cities"),
        ({**AT_WAR, "phase": "over", "winner": "Spain"}, "winner: it follows"),
        ({**AT_WAR, "site": {"Berlin": {"extent": "major", "resistance": 3}}}, "resistance: there is no holder"),
        ({**AT_WAR, "site": {"Berlin": {"extent": "major", "siege": "half"}}}, "siege: there is no besieger"),
        ({**AT_WAR, "site": {"Berlin": {"extent": "major", "holder": "Spain", "resistance": 9}}}, "no year shows 9"),
        (
            {**AT_WAR, "site": {"Berlin": {"extent": "major", "holder": "Spain", "resistance": 5, "since": "1618"}}},
            "that year showed 1",
        ),
        ({**AT_WAR, "site": {"Berlin": {"extent": "major", "holder": "Spain", "since": "1640"}}}, "still to come"),
        (
            {**AT_WAR, **GUSTAV, "site": {"Berlin": {"extent": "minor", "holder": "Austria", "besieger": "Sweden"}}},
            "at a minor city that is held",
        ),
        ({**AT_WAR, **GUSTAV, "site": {"Berlin": {"extent": "ruin", "besieger": "Sweden"}}}, "at a ruin"),
        ({**AT_WAR, "site": {"Berlin": {"extent": "major", "besieger": "Sweden"}}}, "no leader at the city"),
        ({**AT_WAR, "powers": {"Spain": {"held": 8}}}, "held: tokens are won of enemies"),
        ({**AT_WAR, "powers": {"Spain": {"is_broken": True, "supply": 0, "strength": 0}}}, "is_broken: that ends the war"),
        ({**AT_WAR, "site": {"Wien": {"extent": "major"}}}, "an HQ"),
        ({**AT_WAR, "site": {"Besançon": {"extent": "major"}}}, "out of play"),
    ],
)  # fmt: skip
def test_what_does_not_agree_is_named(state: dict[str, Any], why: str) -> None:
    """4.4, 7.1, 9.1 to 9.3: a file that says what cannot be so, or what would not count, is refused by name."""
    with pytest.raises(BoxError, match=why):
        laid(**state)


def test_allies_sit_together() -> None:
    """14.2: at a table of two each seat leads both allies."""
    with pytest.raises(BoxError, match="seat_of: allies"):
        laid(2, **AT_WAR, seat_of=[0, 1, 1, 0])
    with pytest.raises(BoxError, match="power: this power is not in play"):
        given(rules_with(three="cut"), 3, power="France")


def test_the_turn_begins_where_the_file_says() -> None:
    """7.1, 7.2: at the stage it names; in the first round at the feed phase, else at the battles."""
    leaders = {"powers": {"Sweden": {"leader": [name_of("1005"), -1]}, "Austria": {"leader": [name_of("1006"), -1]}}}
    assert "attack Wallenstein" in offered(laid(**AT_WAR, **leaders))
    assert "end turn" in offered(laid(**AT_WAR, **leaders, stage="leader"))
    assert laid(power="Austria").view()["phase"] in ("feed", "leader")
    assert laid(**AT_WAR, **leaders).view()["power"] == "Sweden"


def test_tiles_and_tokens_go_together() -> None:
    """9.1 to 9.3: the year and the symbol that are left out are the latest that fit, and they count."""
    taken = board("Sweden", 1632, cities={"Berlin": ("major", "Sweden", 2)})
    assert city_at(taken, "Berlin")["resistance"] == 2
    run(taken, "city")
    assert city_at(taken, "Berlin")["holder"] is None, "taken in 1620, it revolts in 1632"
    fresh = laid(**AT_WAR, phase="over", site={"Berlin": {"extent": "major", "holder": "Sweden"}})
    assert city_at(fresh, "Berlin")["resistance"] == 2
    run(fresh, "city")
    assert city_at(fresh, "Berlin")["holder"] == "Sweden", "taken in this very round"
    siege = laid(**AT_WAR, **GUSTAV, phase="over", site={"Berlin": {"extent": "medium", "besieger": "Sweden"}})
    assert city_at(siege, "Berlin")["siege"] == "full", "begun in 1630, with the other symbol"
    run(siege, "city")
    assert city_at(siege, "Berlin")["holder"] == "Sweden"


def test_city_tiles_left_follow_from_those_that_lie() -> None:
    """4.4: half the tiles placed, the rest is placed in play; during the war none are left."""
    pos = laid(site={"Berlin": {"extent": "major"}, "Prag": {"extent": "major"}})
    assert pos.view()["tiles"] == {"minor": 4, "medium": 4, "major": 2}
    assert "place major Berlin" not in offered(pos)
    assert set(laid(**AT_WAR).view()["tiles"].values()) == {0}


def test_a_siege_outlives_the_revolt_that_makes_its_city_minor() -> None:
    """9.3, 9.4: the city is free and smaller, and token and tile of the besieger stay: a file may say so."""
    pos = laid(**AT_WAR, **GUSTAV, site={"Berlin": {"extent": "minor", "besieger": "Sweden", "opened": "1632"}})
    berlin = city_at(pos, "Berlin")
    assert (berlin["size"], berlin["holder"], berlin["besieger"]) == ("minor", None, "Sweden")


def test_a_war_that_is_over_says_how() -> None:
    """13.1 to 13.3: tokens of every enemy, a broken power, or peace."""
    assert laid(**AT_WAR, phase="over").view()["ending"] == "peace"
    won = laid(**AT_WAR, phase="over", powers={"France": {"held": 0b1011}})
    assert (won.view()["ending"], won.places()[2]) == ("sieges", 1)
    broken = {"Spain": {"is_broken": True, "supply": 0, "strength": 0}}
    assert laid(**AT_WAR, phase="over", powers=broken).view()["ending"] == "ruin"
