"""Small print of WARFARM that the longer tests pass by: what a change of one line of the rules once did unnoticed."""

import sutler
from games.warfarm.farms import A, B, C, farms, hand, owns, pick, table, traps
from sutler.contract.helpers import offered, play
from sutler.games.warfarm import box as b
from sutler.games.warfarm.rules import goods

BUSY = {"farmers": 1, "water": 1}
NOT_THIS_UNIT = "This unit cannot be chosen now."


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
    taken = [told.get_part("n") for told in pos.decisions[-1].told if told.kind == "taken"]
    assert taken == [1, 1, 1, 1]
    assert int(pos.state.lost[B]) == 4
    assert owns(pos, A, n_farmers=4)


def test_what_is_offered_up_is_destroyed():
    """13.6, 7.7: the log says that A destroys a unit of B's, as of an attack; a toll is lost by whoever pays it."""
    pos = farms("play", {"hand": ["Burnt Offering to Elder Gods", "Mine"], "disciples": 1}, {"cannons": 1, "guards": 1})
    told = play(pos, "play Burnt Offering to Elder Gods", pick(pos, B, "Cannon"))
    assert [(one.get_part("seat"), one.get_part("victim")) for one in told if one.kind == "killed"] == [(A, B)]
    assert not [one for one in told if one.kind == "lost" and one.get_part("seat") == B]


def test_karma_strikes_nobody_but_the_robber():
    """12.10, 1.4: neither C's Farmer nor B's own is there to be chosen, and of equal cards the first."""
    farm = {"land": 12, "soldiers": 4, "guards": 1, "table": [("Mine", {"soldiers": 1})] * 2}
    pos = farms("attack", farm, {"traps": ["Defenseless Karma"], **BUSY}, {**BUSY})
    lose_four(pos)
    assert pick(pos, A, "Soldier guarding Farmland") in offered(pos)
    for owner in (B, C):
        assert pos.why_not(pick(pos, owner, "Farmer in the field")).text == NOT_THIS_UNIT
    assert pos.why_not(pick(pos, A, "Soldier guarding card 2")).rule == "1.4"


def test_what_karma_takes_is_lost():
    """12.10: 3 Farmland and 3 tokens struck are six losses of A's, and went through B."""
    pos = farms("attack", {"land": 12, "soldiers": 4, "water": 4}, {"traps": ["Defenseless Karma"], **BUSY})
    lose_four(pos)
    play(pos, *["destroy Water"] * 3)
    assert (int(pos.state.lost[A]), int(pos.state.robber[A])) == (6, B)


def test_units_that_cannot_be_chosen_are_refused():
    """13.6, 13.9, 13.11, 9.1: none that is returning, none of one's own for The Call, none of another's where one's own are given up."""
    gods = {"disciples": 2, "farmers": 1, "religion": 3}
    away = {"returning": 1, "farmers": 2, "cannons": 3}
    pos = farms("play", {"hand": ["Burnt Offering to Elder Gods", "Mine"], **gods}, away)
    play(pos, "play Burnt Offering to Elder Gods")
    assert pos.why_not(pick(pos, B, "Soldier returning")).text == NOT_THIS_UNIT
    pos = farms("play", {"hand": ["The Call from the Elder Gods", "Mine"], **gods}, away)
    play(pos, "play The Call from the Elder Gods")
    assert pos.why_not(pick(pos, A, "Farmer in the field")).text == NOT_THIS_UNIT
    pos = farms("play", {"hand": ["The Great Flood", "Mine"], **gods}, away)
    play(pos, "play The Great Flood")
    assert (pos.seat, pos.why_not(pick(pos, A, "Farmer in the field")).text) == (B, NOT_THIS_UNIT)
    pos = farms("end", {"land": 1, "farmers": 1, "explorers": 1}, away)
    assert pos.why_not(pick(pos, B, "Cannon")).text == NOT_THIS_UNIT


def test_over_the_limit_with_one_kind_of_card():
    """9.2: Table cards alone, or Traps alone, are more than the Farmland too."""
    pos = farms("end", {"land": 1, "table": ["Mine", "Temple"]}, {**BUSY})
    assert offered(pos) == {"discard from table 1", "discard from table 2"}
    pos = farms("end", {"land": 1, "traps": ["Guard", "Martyrdom"]}, {**BUSY})
    assert offered(pos) == {"discard Trap at 1", "discard Trap at 2"}


def test_permanents_alone_are_no_cards_to_give_up():
    """4.6, 9.2: with two of them, as a box may bring it about, and one Farmland, nothing is asked."""
    pos = farms("end", {"land": 1, "shown": ["Life or Death"] * 2}, {**BUSY})
    assert (pos.seat, int(pos.state.active)) == (B, B)


def test_the_disciple_given_up_comes_from_the_card_it_works_on():
    """4.1: of two Tithings the second has one: nobody else is at home or on guard."""
    farm = {"table": ["Tithing", ("Tithing", {"workers": 1})], "hand": ["Burnt Offering to Elder Gods", "Mine"]}
    pos = farms("play", farm, {"cannons": 3})
    play(pos, "play Burnt Offering to Elder Gods")
    assert pos.state.seats[A].posts.tolist()[2][:2] == [0, 0]
    assert owns(pos, A, n_disciples=0)


def test_religion_too_has_an_end():
    """1.2, 3.6: of five Disciples' Religion the first two come in: then there are 9,999."""
    pos = farms("start", {"religion": 9997, "disciples": 5, "praying": 5, **BUSY}, {**BUSY})
    assert owns(pos, A, religion=9999)


def test_guards_stay_with_their_traps():
    """4.5, 6.4: the first of three Traps is given up; who guards the others still does."""
    farm = {"land": 2, "soldiers": 1, "traps": ["Guard", ("Martyrdom", 1), "Ascetic Monk"]}
    pos = farms("end", farm, {**BUSY})
    play(pos, "discard Trap at 1")
    assert traps(pos, A) == ["Martyrdom", "Ascetic Monk"]
    assert pos.state.seats[A].trap_guards.tolist()[:3] == [1, 0, 0]


def test_with_everybody_at_peace_there_is_no_attack():
    """7.1, 11.7: A is bound to both; its Soldier stays at home, for there is nobody to attack."""
    bound = {"peace": 1 << A, **BUSY}
    pos = farms("attack", {"soldiers": 1, "explorers": 1}, bound, bound)
    assert "explore Resource" in offered(pos)
    pos = farms("attack", {"soldiers": 1, "explorers": 1}, bound, {**BUSY})
    play(pos, "attack with a Soldier")
    assert pos.why_not("hit Farmland of seat 1").rule == "11.7"


def test_whose_work_is_destroyed_still_brings_religion():
    """3.6, 7.7: the Disciple on B's Tithing goes home; it has been on the board all along."""
    pos = farms("attack", {"soldiers": 1}, {"table": [("Tithing", {"workers": 1})], **BUSY})
    play(pos, "attack with a Soldier", "hit card of seat 1 1")
    assert owns(pos, B, religion=1, disciples=1)


def test_a_monk_held_back_once_is_asked_again():
    """10.3, 13.7: two Table cards fall one after the other: B may reveal its Monk for the second."""
    farm = {"table": ["Mine", "Temple"], "traps": ["Ascetic Monk"], **BUSY}
    pos = farms("attack", {"soldiers": 2}, farm, options={"traps_optional": True})
    play(pos, "attack with a Soldier", "hit card of seat 1 1")
    assert (pos.seat, offered(pos)) == (B, {"keep", "reveal"})
    play(pos, "keep", "attack with a Soldier", "hit card of seat 1 1")
    assert (pos.seat, offered(pos)) == (B, {"keep", "reveal"})


def test_who_is_away_pays_no_price():
    """4.1: Disciples on visits, Soldiers on their way home and Explorers away are not on the board; nobody else is missed there."""
    pos = farms("play", {"farmers": 3, "soldiers": 2, "disciples": 2, "cannons": 1})
    me = pos.state.seats[A]
    for spot, unit in ((b.AWAY + 2, b.EXPLORER), (b.VISITING + C, b.DISCIPLE), (b.RETURNING, b.SOLDIER)):
        me.spots[spot] += 1
        me.goods[unit] += 1
    units = (b.FARMER, b.EXPLORER, b.SOLDIER, b.DISCIPLE, b.CANNON)
    assert [int(goods.n_on_board(pos.state, A, unit)) for unit in units] == [3, 0, 2, 2, 1]
