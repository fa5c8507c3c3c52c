"""Guide 4: the trade phase."""

from games.manor.table import hand, has, offered, phase, play, refused, stage, table, tokens, upgrades
from sutler.contract.helpers import said


def offering(*seats, n=2, **more):
    """The trade phase, seat 0 about to choose a partner (or, with two seats, writing an offer already)."""
    return table(*seats, n=n, phase="offer", **more)


def test_everything_both_agree_on():
    """4.1: goods, peasants, victory tokens and cards from the hand change seats."""
    pos = offering(
        {"gold": 3, "peasants": 3, "hand": ["Wheat", "Corn"]}, {"victory": 2, "animals": 1, "hand": ["Mine"]}
    )
    play(pos, "offer seat 1", "give gold", "give gold", "give peasants", "give Wheat")
    play(pos, "want victory", "want animals", "want Mine", "send", "accept")
    assert tokens(pos, 0) == {"gold": 1, "victory": 1, "animals": 1}
    assert tokens(pos, 1) == {"gold": 2, "victory": 1}
    assert (has(pos, 0)["peasants"], has(pos, 1)["peasants"]) == (2, 3)
    assert (hand(pos, 0), hand(pos, 1)) == ({"Corn", "Mine"}, {"Wheat"})


def test_upgrades_and_lordship_are_not_for_trade():
    """4.1: no action gives an upgrade in play or the lordship."""
    pos = offering({"upgrades": ["Mine"], "gold": 1}, {"upgrades": ["Inn"], "hand": ["Wheat"]})
    play(pos, "offer seat 1")
    assert offered(pos) == {"give gold", "give peasants", "want peasants", "want Wheat", "cancel"}
    assert refused(pos, "give Mine") == "4.1"
    assert refused(pos, "want Inn") == "4.3"
    assert (upgrades(pos, 0), pos.state.lord) == ({"Mine"}, 0)


def test_offers_go_round_from_the_lord():
    """4.2: each seat in turn from the Lord clockwise."""
    pos = offering(n=3, lord=2, to_act=2)
    order = []
    while stage(pos) == "trade":
        order.append(pos.seat)
        play(pos, "done")
    assert order == [2, 0, 1]


def test_an_offer_may_be_a_gift():
    """4.2: one side may be empty, both may not."""
    pos = offering({"gold": 1})
    play(pos, "offer seat 1")
    assert refused(pos, "send") == "4.2"
    play(pos, "give gold", "send")
    assert pos.seat == 1
    assert offered(pos) == {"accept", "decline", "counter"}
    play(pos, "accept")
    assert tokens(pos, 1) == {"gold": 1}


def test_an_offer_is_read_out():
    """4.2: everybody hears what is given and what is wanted, how much of it, and nothing else."""
    pos = offering({"gold": 2, "hand": ["Corn"]}, {"crops": 1, "hand": ["Mine"]}, n=3)
    play(pos, "offer seat 1", "give gold", "give gold", "give Corn", "want crops", "want Mine", "send")
    told = said(pos, list(pos.decisions[-1].told))
    assert told == [
        "Seat 1 makes Seat 2 an offer",
        "Seat 1 would give 2 gold",
        "Seat 1 would give Corn",
        "Seat 1 wants 1 crop",
        "Seat 1 wants Mine",
    ]


def test_the_other_seat_may_decline():
    """4.2: then nothing changes hands, and the same seat may offer again."""
    pos = offering({"gold": 1}, {"crops": 1})
    play(pos, "offer seat 1", "give gold", "want crops", "send", "decline")
    assert (tokens(pos, 0), tokens(pos, 1)) == ({"gold": 1}, {"crops": 1})
    assert (pos.seat, phase(pos)) == (0, "offer")
    assert pos.view()["offer"] is None


def test_an_offer_may_be_answered_by_another():
    """4.2: the other seat offers something else, from a blank slip; whoever began takes it, and everybody hears."""
    pos = offering({"gold": 1, "animals": 2}, {"crops": 1, "victory": 1}, n=3)
    play(pos, "offer seat 1", "give gold", "want victory", "send", "counter")
    assert (pos.seat, phase(pos), pos.view()["offer"]["give"]) == (1, "compose", {})
    assert (pos.view()["offer"]["from"], pos.view()["offer"]["to"]) == (1, 0)
    play(pos, "give crops", "want animals", "want animals", "send")
    assert said(pos, list(pos.decisions[-1].told)) == [
        "Seat 2 would rather offer Seat 1 something else",
        "Seat 2 would give 1 crop",
        "Seat 2 wants 2 animals",
    ]
    assert (pos.seat, phase(pos)) == (0, "answer")
    assert "Seat 2" in str(pos.prompt(0))
    play(pos, "accept")
    assert (tokens(pos, 0), tokens(pos, 1)) == ({"gold": 1, "crops": 1}, {"animals": 2, "victory": 1})
    assert (pos.seat, phase(pos)) == (0, "offer")  # whose turn it is goes on


def test_an_answer_is_not_answered_by_a_third_offer():
    """4.2: it is taken or declined; it counts among nobody's offers."""
    pos = offering({"gold": 3}, {"crops": 1})
    play(pos, "offer seat 1", "give gold", "send", "counter", "want gold", "want gold", "send")
    assert offered(pos) == {"accept", "decline"}
    assert refused(pos, "counter") == "4.2"
    play(pos, "decline")
    assert (tokens(pos, 0), tokens(pos, 1)) == ({"gold": 3}, {"crops": 1})
    assert [seat["offers_left"] for seat in pos.view()["seats"]] == [2, 3]
    assert (pos.seat, phase(pos)) == (0, "offer")


def test_an_answer_torn_up_declines():
    """4.2: the first offer is gone with it, and counts; the answer counts for nobody, however often."""
    pos = offering({"gold": 3}, {"crops": 1})
    for left in (2, 1):
        play(pos, "offer seat 1", "give gold", "send", "counter", "want gold", "cancel")
        assert said(pos, list(pos.decisions[-1].told)) == ["Seat 2 declines the offer of Seat 1"]
        assert [seat["offers_left"] for seat in pos.view()["seats"]] == [left, 3]
        assert pos.view()["offer"] is None


def test_an_answer_asks_only_for_what_is_there():
    """4.3: limits hold for it as for any offer, now those of the other side."""
    pos = offering({"gold": 1}, {"crops": 1})
    play(pos, "offer seat 1", "give gold", "send", "counter", "give crops", "want gold")
    assert refused(pos, "give crops") == "4.3"
    assert refused(pos, "want gold") == "4.3"
    assert refused(pos, "want crops") == "4.3"


def test_three_offers_a_turn():
    """4.2: accepted or declined: three a seat a turn; the next seat has three of its own."""
    pos = offering({"gold": 9}, {"gold": 9})
    play(pos, "offer seat 1", "give gold", "send", "accept")
    play(pos, "offer seat 1", "give gold", "send", "decline")
    play(pos, "offer seat 1", "give gold", "send", "decline")
    assert (pos.seat, phase(pos)) == (1, "offer")
    assert "2 offers left" not in str(pos.prompt(1))
    for _ in range(3):
        play(pos, "offer seat 0", "give gold", "send", "decline")
    assert stage(pos) != "trade"


def test_a_slip_torn_up_is_no_offer():
    """4.2: torn up before it is sent it does not count; from the fourth in a turn on it does."""
    pos = offering({"gold": 9}, {"gold": 9})
    for _ in range(3):
        play(pos, "offer seat 1", "give gold", "cancel")
    assert pos.view()["seats"][0]["offers_left"] == 3
    play(pos, "offer seat 1", "give gold", "send", "decline")
    assert pos.view()["seats"][0]["offers_left"] == 2
    play(pos, "offer seat 1", "cancel", "offer seat 1", "give gold", "cancel")
    assert (pos.seat, phase(pos)) == (1, "offer")  # one declined, two torn up beyond the three
    assert pos.view()["seats"][1]["offers_left"] == 3


def test_an_offer_goes_to_another_seat_at_the_table():
    """4.2: not to oneself, not to an empty chair."""
    pos = offering({"gold": 9}, n=3)
    assert offered(pos) == {"offer seat 1", "offer seat 2", "done"}
    assert refused(pos, "offer seat 0") == "4.2"
    assert refused(pos, "offer seat 3") == "4.2"


def test_only_what_the_two_have():
    """4.3: not more than one has, not more than they have, no card twice."""
    pos = offering({"gold": 1, "hand": ["Wheat"]}, {"crops": 1, "hand": ["Corn"]})
    play(pos, "offer seat 1", "give gold", "want crops", "give Wheat", "want Corn")
    assert refused(pos, "give gold") == "4.3"
    assert refused(pos, "give animals") == "4.3"
    assert refused(pos, "want crops") == "4.3"
    assert refused(pos, "want gold") == "4.3"  # what I give is not theirs yet
    assert refused(pos, "give Wheat") == "4.3"
    assert refused(pos, "want Corn") == "4.3"


def test_nobody_trades_away_the_last_peasant():
    """4.3: neither given nor asked for."""
    pos = offering({"peasants": 2, "gold": 1}, {"peasants": 1})
    play(pos, "offer seat 1", "give peasants")
    assert refused(pos, "give peasants") == "4.3"
    assert refused(pos, "want peasants") == "4.3"


def test_a_peasant_works_and_eats_where_it_lives():
    """4.3: a traded peasant acts for its new seat in this turn's work phase and eats at its table."""
    pos = offering({"peasants": 2}, {"peasants": 2, "hand": ["Beans", "Rye", "Corn", "Oats"], "crops": 3, "animals": 3})
    play(pos, "offer seat 1", "give peasants", "send", "accept", "done", "done")
    assert pos.view()["seats"][1]["actions_left"] == 3
    play(pos, "place Beans", "on Good Fields", "place Rye", "on Poor Fields", "place Corn", "feed crops 1")
    fed = [event.get_part("n") for _, event in pos.told() if event.kind == "fed"]
    assert fed == [2]
