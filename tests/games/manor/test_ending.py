"""Guide 8: the end phase and winning."""

import pytest

import sutler
from games.manor.table import cards, hand, has, offered, phase, play, refused, table, tokens
from sutler.contract.helpers import given, said
from sutler.games.manor.box import MAX_TURN

MANY = ["Wool", "Goats", "Beans", "Rye", "Oats", "Corn", "Stone"]


def ending(*seats, **more):
    """The end phase, seat 0 about to discard (it must hold more than it may)."""
    return table(*seats, phase="limit", **more)


def test_down_to_three_cards():
    """8.1: each seat in turn from the Lord, choosing which to keep."""
    pos = ending({"hand": MANY[:5]}, {"hand": MANY[5:]})
    assert offered(pos) == {f"discard {card}" for card in MANY[:5]}
    assert refused(pos, "discard Corn") == "8.1"
    play(pos, "discard Goats", "discard Rye")
    assert "Seat 1 discards Rye" in said(pos, list(pos.decisions[-1].told))
    assert hand(pos, 0) >= {"Wool", "Beans", "Oats"}
    assert cards(pos, pos.state.discards) == {"Goats", "Rye"}
    assert pos.state.turn == 2  # the other seat had nothing to discard


def test_turns_are_counted_as_far_as_the_number_goes():
    """8.2: a game that nobody wins goes on for ever; the count of its turns stays where it ends."""
    pos = ending({"hand": MANY[:4]}, {}, turn=MAX_TURN)
    play(pos, "discard Goats")
    assert int(pos.state.turn) == MAX_TURN
    pos = ending({"hand": MANY[:4]}, {}, turn=32767)
    play(pos, "discard Goats")
    assert int(pos.state.turn) == MAX_TURN


@pytest.mark.parametrize(("owned", "limit"), [([], 3), (["Warehouse"], 4), (["Warehouse", "Printing Press"], 5)])
def test_larger_hands(owned, limit):
    """8.1: Warehouse and Printing Press each let one keep 1 more, as long as one owns them (the author's answer)."""
    pos = ending({"hand": MANY, "upgrades": owned})
    n = 0
    while phase(pos) == "limit":
        play(pos, min(offered(pos)))
        n += 1
    assert n == 7 - limit
    assert pos.view()["seats"][0]["hand_limit"] == limit


@pytest.mark.parametrize(("victory", "ends"), [(14, False), (15, True), (19, True)])
def test_when_the_game_ends(victory, ends):
    """8.2: with 15 victory tokens or more, after everybody has discarded."""
    pos = ending({"hand": MANY[:4]}, {"victory": victory, "hand": MANY[4:]})
    play(pos, "discard Wool")
    assert pos.over == ends
    assert ("ended" in [event.kind for event in pos.decisions[-1].told]) == ends
    assert (pos.seat is None) == ends
    assert pos.state.turn == (1 if ends else 2)


def test_only_the_count_at_the_end_of_the_turn_matters():
    """8.2: having had 15 in between ends nothing."""
    pos = table({"victory": 16, "peasants": 3, "gold": 2, "upgrades": ["Inn"], "hand": MANY[:4]}, phase="use")
    play(pos, "use Inn")  # 17; then hunger takes 2, leaving 15
    play(pos, "discard Wool")
    assert pos.over
    pos = table({"victory": 15, "peasants": 3, "gold": 2, "upgrades": ["Inn"], "hand": MANY[:4]}, phase="use")
    play(pos, "done", "discard Wool")  # hunger: 13
    assert not pos.over
    assert has(pos, 0)["victory"] == 13


def test_end_values_do_not_help_to_end_the_game():
    """8.2: they count only when the game is over."""
    pos = ending({"victory": 14, "upgrades": ["Wind Mill", "University"], "hand": MANY[:4]})
    play(pos, "discard Wool")
    assert not pos.over
    assert pos.scores()[0] == 14


@pytest.mark.parametrize(
    ("owned", "worth"),
    [
        (["Brick Maker"], 1),
        (["Wind Mill"], 2),
        (["University"], 1),
        (["University", "Inn", "Mine"], 3),
        (["University", "Brick Maker", "Wind Mill"], 6),
        (["Inn", "Mine"], 0),
    ],
)
def test_values_at_the_end(owned, worth):
    """8.3: Brick Maker 1, Wind Mill 2, University 1 for each upgrade of its owner, itself included."""
    pos = ending({"victory": 15, "hand": MANY[:4]}, {"victory": 3, "upgrades": owned})
    play(pos, "discard Wool")
    assert pos.over
    assert pos.scores() == [15, 3 + worth]
    lines = pos.result()[1]["lines"]
    assert sum(line.points for line in lines) == 3 + worth
    assert len(lines) == 1 + sum(card in ("Brick Maker", "Wind Mill", "University") for card in owned)
    told = said(pos, list(pos.decisions[-1].told))
    assert ("University is worth 3 victory to Seat 2" in told) == ("University" in owned and len(owned) == 3)


@pytest.mark.parametrize(
    ("one", "two", "places"),
    [
        ({"victory": 16}, {"victory": 15}, [1, 2]),
        ({"victory": 15}, {"victory": 15, "upgrades": ["Inn"]}, [2, 1]),
        ({"victory": 15, "gold": 9}, {"victory": 15, "upgrades": ["Inn"]}, [2, 1]),
        ({"victory": 15, "gold": 2}, {"victory": 15, "gold": 1}, [1, 2]),
        ({"victory": 15, "upgrades": ["Mine"], "gold": 1}, {"victory": 15, "upgrades": ["Inn"], "gold": 3}, [2, 1]),
        ({"victory": 15, "gold": 2, "crops": 9}, {"victory": 15, "gold": 2, "peasants": 9}, [1, 1]),
        ({"victory": 14, "upgrades": ["Wind Mill"]}, {"victory": 15, "upgrades": ["Inn"]}, [1, 2]),
    ],
)
def test_winner_and_ties(one, two, places):
    """8.4: victory, then upgrades, then gold, else they share the place."""
    pos = ending({**one, "hand": MANY[:4]}, two, {"victory": 15, "hand": []}, n=3)
    play(pos, "discard Wool")
    assert pos.over
    mine = pos.places()[:2]
    assert [1 + sum(other < place for other in mine) for place in mine] == places
    assert tokens(pos, 2)["victory"] == 15


def test_a_scenario_may_stand_at_the_end():
    """8.2: nothing more can be done when the game is over."""
    pos = given("manor", phase="over", stage="end")
    assert pos.over
    assert pos.prompt(0).rule == "8.2"
    assert pos.actions() == []
    with pytest.raises(sutler.IllegalAction, match="over"):
        pos.play("pass")


def test_a_card_of_somebody_else_is_not_discarded():
    """8.1: from one's own hand; the reason stands beside what is offered."""
    pos = ending({"hand": MANY[:5]}, {"hand": MANY[5:]})
    assert not {f"discard {card}" for card in MANY[5:]} & offered(pos)
    assert {pos.why_not(f"discard {card}").text for card in MANY[5:]} == {"This card is not in your hand."}
