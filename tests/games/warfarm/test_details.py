"""Small print of WARFARM that the longer tests pass by: what a change of one line of the rules once did unnoticed."""

import sutler
from games.warfarm.farms import A, B, C, farms, hand, owns, pick, table, traps
from sutler.contract.helpers import offered, play

BUSY = {"farmers": 1, "water": 1}


def lose_four(pos):
    """A takes four Farmland of B's, one after the other."""
    for _ in range(4):
        play(pos, "attack with a Soldier", "hit Farmland of seat 1")


def test_karma_takes_a_card_for_one_thing():
    """12.10: a card, a Trap and a Token, three things: after each of the first two there is one less to choose."""
    farm = {"land": 12, "soldiers": 4, "water": 3, "table": ["Mine"], "traps": ["Guard"]}
    pos = farms("attack", farm, {"traps": ["Defenseless Karma"], **BUSY})
    lose_four(pos)
    play(pos, "hit card of seat 0 1")
    assert (pos.seat, table(pos, A)) == (B, [])
    play(pos, "hit trap of seat 0 1")
    assert (pos.seat, traps(pos, A)) == (B, [])
    play(pos, "destroy Water")
    assert owns(pos, A, water=2)
    assert not any(name.startswith("destroy") for name in offered(pos))


def test_karma_may_strike_whoever_guards_a_card_or_a_trap():
    """6.2, 6.4, 12.10: a unit wherever it is, chosen by the card or the Trap it is at."""
    farm = {
        "land": 12,
        "soldiers": 4,
        "farmers": 1,
        "table": ["Conscription Reform", ("Temple", {"farmers": 1})],
        "traps": ["Martyrdom", ("Guard", 1)],
    }
    pos = farms("attack", farm, {"traps": ["Defenseless Karma"], **BUSY})
    lose_four(pos)
    guard = pick(pos, A, "Farmer guarding card 2")
    assert guard in offered(pos)
    assert pick(pos, A, "Farmer guarding card 1") not in offered(pos)
    assert {name for name in offered(pos) if "guarding trap" in name} == {pick(pos, A, "Soldier guarding trap 2")}
    play(pos, guard)
    assert owns(pos, A, n_farmers=1)


def test_karma_ends_with_the_farm_it_ends():
    """12.10, 14.5: the last of B's losses went through C, who is out; nothing is left to choose, A goes on; 10.1: it is discarded."""
    lost = {"lost": [0, 4, 0], "robber": [-1, C, -1]}
    pos = farms("attack", {"explorers": 1}, {"traps": ["Defenseless Karma"]}, {"land": 3, "farmers": 2}, **lost)
    assert (traps(pos, B), pos.state.seats[C].is_alive) == ([], 0)
    assert int(pos.state.discards[pos.game.names["card"].index("Defenseless Karma")]) == 1
    assert (pos.seat, "explore Resource" in offered(pos)) == (A, True)


def test_only_the_hand_is_discarded_where_it_alone_counts():
    """9.2, 15.6: with two hand cards and 1 Farmland a hand card goes; Table cards are not asked about."""
    farm = {"land": 1, "hand": ["Farmer", "Steel"], "table": ["Mine"] * 3, **BUSY}
    pos = farms("end", farm, {**BUSY}, options={"hand_limit_only": True})
    assert offered(pos) == {"discard Farmer", "discard Steel"}
    play(pos, "discard Steel")
    assert hand(pos, A) == ["Farmer"]


def test_open_backs_ask_only_whose_trap_it_may_be():
    """10.3, 15.7: with Traps of known decks, B's Military I card in hand makes nobody ask about its Religion I Trap."""
    trap = {"traps": ["Martyrdom"], "hand": ["Mine"], **BUSY}
    farm = {"farmers": 2, "steel": 1}
    open_backs = {"traps_optional": True, "hidden_traps": False}
    pos = farms("build", farm, trap, {**BUSY}, options=open_backs)
    play(pos, "build Soldier")
    assert pos.seat != B
    hidden = farms("build", farm, trap, {**BUSY}, options={"traps_optional": True})
    play(hidden, "build Soldier")
    assert (hidden.seat, offered(hidden)) == (B, {"keep"})
    assert owns(hidden, C, land=6)


def test_a_soldier_and_a_farmer_may_guard_together():
    """6.4, 7.8: one of each, beside each other, keeps the Farmland, and a card, closed."""
    both = {"soldiers": 1, "farmers": 1}
    farm = {"guards": 1, "land_farmers": 1, "table": ["Conscription Reform", ("Mine", both)], "water": 1}
    pos = farms("attack", {"soldiers": 1}, farm)
    play(pos, "attack with a Soldier")
    assert "hit card of seat 1 1" in offered(pos)
    assert "hit Farmland of seat 1" not in offered(pos)
    assert pos.why_not("hit card of seat 1 2").rule == "7.8"


def test_a_price_of_one_is_handed_over():
    """11.7: a contract for 1 Water, as a box may have it, is paid to B like one for 3."""
    cheap = sutler.load("warfarm", None, {"card.Peace Contract.pay.water": 1})
    pos = farms("play", {"water": 1, "hand": ["Peace Contract", "Mine"]}, {}, game=cheap)
    play(pos, "play Peace Contract", "make peace with seat 1")
    assert owns(pos, A, water=0)
    assert owns(pos, B, water=1)


def test_the_call_takes_and_tells_one_unit_at_a_time():
    """13.11, 12.10: four Farmers taken are four losses of B's, each of them told."""
    pos = farms("play", {"hand": ["The Call from the Elder Gods", "Mine"], "disciples": 2}, {"farmers": 4})
    play(pos, "play The Call from the Elder Gods")
    taken = [told.part("n") for told in pos.decisions[-1].told if told.kind == "taken"]
    assert taken == [1, 1, 1, 1]
    assert int(pos.state.lost[B]) == 4
    assert owns(pos, A, n_farmers=4)
