"""Positions laid out in files: the worked examples that come with the game, and what contradicts itself."""

import pytest

import sutler
from sutler.contract.helpers import given
from sutler.core.files.box import BoxError
from sutler.core.files.scenario import read_game_scenarios
from sutler.games.threeyears.box import S
from sutler.games.threeyears.phases_actions_events import P

from .table import GAME, despair, log, offered, plays, tracks


def at(name):
    return GAME.new(position=name)


def test_at_least_six_come_with_the_game():
    """Each says what it shows and by which paragraph, and opens with a decision."""
    bundled = read_game_scenarios(GAME.folder)
    assert len(bundled) >= 6
    for name, one in bundled.items():
        assert one.title, name
        assert "." in one.text.rpartition("(")[2], name
        assert at(name).legal_ids(), name


def test_first_to_pass():
    """5.9, 5.10, E1: marker 5, the lead marker and a Despair, nothing else."""
    pos = at("first-to-pass")
    before = (tracks(pos, 1), int(pos.state.seats[1].hope), int(pos.state.seats[1].renown))
    pos.play("pass")
    assert (int(pos.state.seats[1].marker), int(pos.state.lead), despair(pos, 1)) == (5, 1, 1)
    assert (tracks(pos, 1), int(pos.state.seats[1].hope), int(pos.state.seats[1].renown)) == before


def test_match_or_raise():
    """5.4, 5.5, E5 to E7: two Summer icons, or three of another season; two Winter icons are too few."""
    assert plays(at("match-or-raise")) == {"summer 2", "summer 1+1", "spring 2+1", "spring 1+1+1"}


def test_no_over_paying():
    """5.8, E9 to E12: one Spring card, or two Summer icons."""
    assert plays(at("over-paying")) == {"spring 1", "spring 2", "summer 2", "summer 1+1"}


def test_seasonal_stakes():
    """6.1, 6.2, X12: two Winter cards become stakes, and whoever passed first ties them."""
    pos = at("seasonal-stakes")
    pos.play("pass")
    assert (pos.seat, pos.state.phase) == (1, P.stake)
    assert offered(pos) == {"stake Hanging Judge", "stake Keeper of the Mouldy Store"}


def test_a_thief_and_an_empty_purse():
    """8.3, 8.13, E14."""
    pos = at("empty-purse")
    for action in ("draft Light Fingers on Market Day", "draft Masons for Hire", "target seat 1", "target seat 1"):
        pos.play(action)
    assert tracks(pos, 0)[0] == 5
    assert "Seat 2 has no gold left to lose" in log(pos)


def test_four_gold():
    """9.2, E18: three purchases, no row twice, four gold."""
    pos = at("four-gold")
    pos.play("buy row 1")
    assert pos.why_not("buy row 1").rule == "9.2"
    pos.play("buy row 2")
    pos.play("buy row 3")
    assert (tracks(pos, 0), int(pos.state.seats[0].renown)) == ([0, 6, 6, 5], 2)


@pytest.mark.parametrize(("action", "standing"), [("keep", [0, 0, 1, 1]), ("reveal 2 Soldiers", [0, 0, 2, 1])])
def test_second_or_last(action, standing):
    """8.7, 9.4, X19: level they are second; with a Writ revealed first, one is second and the other last."""
    pos = at("second-or-last")
    pos.play(action)
    assert [int(pos.state.seats[seat].standing) for seat in range(4)] == standing


def test_a_surplus():
    """9.5, 9.6, X22: 6 food against 4 soldiers, twice exchanged, then level and no Despair."""
    pos = at("surplus")
    pos.play("exchange for offer 1")
    pos.play("exchange for offer 1")
    assert (tracks(pos, 0), despair(pos, 0)) == ([7, 4, 4, 5], 0)
    assert despair(pos, 2) == 1


def test_renown_for_gold():
    """10.4, E15."""
    pos = at("renown-for-gold")
    pos.play("discard Cattle Broker")
    assert [line.points for line in (pos.breakdown(seat)[1] for seat in range(5))] == [4, 2, 2, 0, 0]


# --- What contradicts itself (refused by name) -------------------------------------------

SPRING = ["Toll at the Thawed Ford", "The Seed Wagons", "Masons for Hire"]
BIDDING = {"phase": "bid", "season": "Spring", "offer": SPRING}
CARDS = [{"hand": ["Seed Merchant"]}, {"hand": ["Guild Treasurer"]}, {"hand": ["Cattle Broker"]}]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"total": 2}, "total"),
        ({"offer": SPRING[:2]}, "offer"),
        ({"offer": [*SPRING[:2], "Pikes for Wages"]}, "offer[2]"),
        ({"bidder": 1, "to_act": 0}, "bidder"),
        ({"phase": "draft"}, "seats[].marker"),
        ({"phase": "look"}, "phase"),
        ({"phase": "market"}, "card"),
        ({"phase": "market", "season": "Summer", "offer": [], "card": 0}, "season"),
        ({"phase": "limit"}, "season"),
        ({"year": 3}, "year"),
        ({"stage": "draft"}, "stage"),
        ({"hopes": 3}, "Hope"),
        ({"writ_face": {f"Writ {i}": "3 Gold" for i in (1, 2)}}, "writ_face[1]"),
        ({"seats": [{"marker": 2}, {}, {}]}, "seats[].marker"),
        ({"lead": 0, "seats": [{}, {"marker": 3}, {}]}, "lead"),
    ],
)
def test_contradictions_are_refused(wrong, named):
    """What a file says is what the position is, or the field is named that does not agree."""
    seats = [{**one, **more} for one, more in zip(CARDS, wrong.get("seats", [{}, {}, {}]), strict=True)]
    with pytest.raises(BoxError, match=named.replace("[", r"\[").replace("]", r"\]")):
        given("threeyears", 3, **{**BIDDING, **wrong, "seats": seats})


def test_what_is_left_out_follows():
    """Whoever holds the highest marker is lead player; the total is that of the last set; tokens given leave their supply."""
    seats = [
        {"hand": ["Seed Merchant", "Tax Farmer"], "hope": 2},
        {"marker": 3, "hand": []},
        {"hand": ["Cattle Broker"]},
    ]
    seats[2]["shown"] = ["Reeve of the Lower Fields"]
    pos = given("threeyears", 3, to_act=0, seats=seats, **BIDDING)
    assert (int(pos.state.lead), int(pos.state.total), int(pos.state.hopes), pos.seat) == (1, 1, 8, 0)
    assert pos.state.stage == S.influence


def test_a_season_begins_with_its_taxes():
    """Without a phase the game begins with the taxes, and nothing of that season may have happened."""
    pos = given("threeyears", 3, season="Autumn", year=1, lead=2)
    assert (pos.seat, int(pos.state.season), int(pos.state.year)) == (2, 2, 1)
    with pytest.raises(BoxError, match=r"total.*taxes"):
        given("threeyears", 3, season="Autumn", total=2)
    with pytest.raises(BoxError, match=r"marker.*taxes"):
        given("threeyears", 3, seats=[{"marker": 3}])


def test_a_war_of_one_year():
    """11.4: a year beyond the war of the file is refused."""
    with pytest.raises(BoxError, match="year"):
        given(sutler.load("threeyears", years=1), 3, year=1)


def test_the_last_to_draft_in_a_file():
    """7.1, 8.7: a window with one claim card left is that of the last to draft, before the first claim is resolved."""
    claims = ["Tithe Barn Dues", "The Seed Wagons"]
    laid = {
        "phase": "window",
        "season": "Spring",
        "offer": claims,
        "taker": ["seat 0"],
        "writ_face": {"Writ 1": "1 Hope"},
    }
    seats = [{"marker": 1, "hand": []}, {"marker": 2, "hand": [], "writs": ["Writ 1"]}]
    pos = given(GAME, 2, to_act=1, seats=seats, **laid)
    assert (pos.seat, pos.state.phase, pos.state.stage) == (1, P.window, S.draft)
    assert offered(pos) == {"keep", "reveal 1 Hope"}
    with pytest.raises(BoxError, match="last claim card"):
        given(
            GAME, 2, to_act=0, seats=[{"marker": 1, "hand": [], "writs": ["Writ 1"]}, {"marker": 2, "hand": []}], **laid
        )
