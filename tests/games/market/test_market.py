"""The example game, paragraph by paragraph: how a test of a rule reads. Run with

SUTLER_GAMES=examples pytest tests/games/market
"""

import pytest

import sutler
from sutler.contract.helpers import given, offered, play, said, walk

if "market" not in sutler.games():
    pytest.skip("Market is on the shelf with SUTLER_GAMES=examples", allow_module_level=True)


def at_the_stall(n=2, **state):
    """Seat 1's turn, Linen (2), Velvet (5) and Wine (5) on the stall; the rest is in the cart."""
    return given("market", n, phase="choose", **{"stall": ["Linen", "Velvet", "Wine"], **state})


def refused(pos, action):
    """The paragraph that stands in the way of an action."""
    return pos.why_not(action).rule


def test_five_coins_and_a_customer_each():
    """1.1: coins for everybody, and customers of which no two are alike."""
    for seed in range(40):
        pos = sutler.load("market").new(seats=4, seed=seed)
        assert [seat["coins"] for seat in pos.view()["seats"]] == [5, 5, 5, 5]
        assert sorted(pos.state.customer) == [0, 1, 2, 3]


def test_customers_are_secret_to_the_end():
    """1.2: a seat sees its own, a watcher none; when the game is over everybody sees all."""
    pos = sutler.load("market", rounds=5).new(seats=3, seed=2)
    for seat in range(3):
        shown = [row["customer"] for row in pos.view(seat)["seats"]]
        assert [customer is None for customer in shown] == [other != seat for other in range(3)]
    assert [row["customer"] for row in pos.view(None)["seats"]] == [None] * 3
    *_, last = walk(pos)
    assert None not in [row["customer"] for row in last.view(None)["seats"]]


def test_three_wares_lie_on_the_stall():
    """1.3: three on the stall, all others in the cart, both open to everybody."""
    view = sutler.load("market").new(seats=2, seed=1).view(None)
    assert len(view["stall"]) == 3
    assert len(view["cart"]) == 13
    assert not set(view["stall"]) & set(view["cart"])


def test_turns_go_round_and_a_round_is_everybody():
    """1.4, 2.5: seat 1 begins, in order; after the last one a new round begins."""
    pos = sutler.load("market").new(seats=3, seed=1)
    order = []
    for _ in range(4):
        order.append((pos.seat, pos.view()["round"]))
        told = play(pos, "work")
    assert order == [(0, 1), (1, 1), (2, 1), (0, 2)]
    assert said(pos, told) == ["Seat 1 takes 2 coins"]


def test_one_thing_a_turn():
    """2.1: work or buy; then it is the next seat's turn. A seat that can only work is asked all the same."""
    pos = at_the_stall(coins=[2, 1])
    assert offered(pos) == {"work", "buy Linen"}
    play(pos, "buy Linen")
    assert pos.seat == 1
    assert offered(at_the_stall(coins=[0, 0])) == {"work"}


def test_work_brings_two_coins():
    """2.2: from the bank."""
    pos = at_the_stall(coins=[4, 0])
    play(pos, "work")
    assert list(pos.state.coins[:2]) == [6, 0]


def test_buying():
    """2.3: what lies on the stall, for its price; not what is dearer, nor what is still in the cart."""
    pos = at_the_stall(coins=[4, 0])
    assert refused(pos, "buy Velvet") == "2.3"
    assert pos.why_not("buy Ham").text == "That ware is not on the stall."
    play(pos, "buy Linen")
    assert pos.state.coins[0] == 2
    assert pos.view()["seats"][0]["wares"] == ["Linen"]


def test_the_next_ware_comes_at_once():
    """2.4: from the cart, while there is one."""
    pos = at_the_stall(coins=[9, 9], cart=["Salt"], owned=[["Ham"], EVERYTHING_ELSE])
    told = play(pos, "buy Linen")
    assert "Salt comes to the stall" in said(pos, told)
    play(pos, "buy Salt")
    assert pos.view()["stall"] == ["Velvet", "Wine"]


EVERYTHING_ELSE = [
    *("Cheese", "Cider", "Kettle", "Plough", "Ribbon", "Carpet", "Honey", "Beer", "Brandy", "Nails", "Sickle"),
]


def test_it_ends_after_the_last_round():
    """3.1: twenty rounds, or as the option says."""
    for rounds in (20, 5):
        *_, last = walk(sutler.load("market", rounds=rounds).new(seats=2, seed=1))
        assert last.over
        assert last.view()["round"] == rounds
        assert len(last.decisions) == 2 * rounds


def test_points_and_the_customer():
    """3.2, 3.3: printed worth, twice for what the customer wants."""
    pos = at_the_stall(customer=["drink", "iron"], owned=[["Cider", "Cheese"], ["Plough"]])
    assert pos.scores() == [2 * 2 + 3, 2 * 7]
    assert [line.points for line in pos.breakdown(0)] == [3, 4]


def test_coins_part_equal_seats():
    """3.4: equal points, more coins; equal in both, a shared place."""
    equal = {"customer": ["cloth", "food"], "owned": [["Cider"], ["Beer", "Nails"]]}
    assert at_the_stall(coins=[3, 4], **equal).places() == [2, 1]
    assert at_the_stall(coins=[4, 4], **equal).places() == [1, 1]
