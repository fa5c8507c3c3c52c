"""The turn and its steps (guide 2 to 9). T1 to T55 are the cases of the rules notes."""

from collections import Counter

import pytest

import sutler
from games.warfarm.farms import A, B, C, amount, decks_of_hand, farms, hand, owns, pick, table, traps, turn
from sutler.contract.helpers import given, offered, play, said
from sutler.games.warfarm.box import MOST_GUARDS

FIRST = {"first_seat": 0}


def opening(*choices: str) -> sutler.Position:
    """A new game in which seat 0 begins, after the choices of 2.3."""
    pos = sutler.load("warfarm", **FIRST).new(seed=1)
    play(pos, *choices)
    return pos


# --- 2 Setting up ---------------------------------------------------------------------


def test_three_equal_farms():
    """2.1: 6 Farmland, 2 Farmers, 3 Water, no cards; three seats and no other number."""
    pos = opening()
    for seat in (A, B, C):
        assert owns(pos, seat, land=6, water=3, farmers=2, n_hand=0, steel=0, religion=0)
    with pytest.raises(ValueError, match="for 3 seats, not"):
        sutler.load("warfarm").new(2)


def test_who_begins():
    """2.2, 15.8: by lot, or the seat that was named."""
    lots = {int(sutler.load("warfarm").new(seed=seed).state.first) for seed in range(20)}
    assert lots == {0, 1, 2}
    assert sutler.load("warfarm", first_seat=2).new(seed=1).seat == C


def test_T1_one_thing_more():
    """2.3: A takes Steel; then B and C choose, in turn order."""
    pos = opening()
    assert offered(pos) == {"begin with Farmer", "begin with Steel", "begin with Religion"}
    assert pos.why_not("begin with Farmland").rule == "2.3"
    play(pos, "begin with Steel")
    assert owns(pos, A, land=6, farmers=2, water=3, steel=1, n_hand=0)
    assert pos.seat == B
    play(pos, "begin with Religion")
    play(pos, "begin with Farmer")
    assert owns(pos, B, religion=1)
    assert owns(pos, C, farmers=3)
    assert pos.seat == A


def test_T2_T4_the_first_turn_begins_with_building():
    """2.4: no cards, no Water before it; A builds a Soldier at once. The same holds for B's first turn."""
    pos = opening("begin with Steel", "begin with Steel", "begin with Steel")
    assert owns(pos, A, water=3)
    assert "build Soldier" in offered(pos)
    play(pos, "build Soldier")
    assert owns(pos, A, farmers=1, n_soldiers=1, steel=0)
    turn(pos, B)
    assert owns(pos, B, water=3)
    assert "build Soldier" in offered(pos)
    turn(pos, A)
    assert owns(pos, A, water=4)  # round two: one Farmer has farmed


def test_cards_won_before_the_first_turn_stay_in_hand():
    """2.4: B has spoils of an attack but plays nothing in its first turn."""
    pos = farms("attack", {"soldiers": 1}, {"farmers": 1, "water": 1}, round_no=1)
    play(pos, "attack with a Soldier", "hit Farmland of seat 1")
    turn(pos, B)
    assert len(hand(pos, B)) == 1
    assert "end playing" not in offered(pos)
    assert "build Explorer" in offered(pos)


# --- 3 Draw and produce ------------------------------------------------------------------


def test_T5_T6_farmers_bring_water():
    """3.5: 3 that farmed bring 3; one killed since, 2."""
    assert owns(farms("produce", {"farmers": 3, "farming": 3}), A, water=3)
    pos = farms("attack", {"soldiers": 1}, {"farmers": 3, "farming": 3})
    play(pos, "attack with a Soldier", pick(pos, B, "Farmer in the field"))
    turn(pos, B)
    assert owns(pos, B, water=2)


def test_newcomers_bring_nothing_yet():
    """1.4, 3.5: of three in the field two have farmed; when one is killed, it is the newcomer."""
    pos = farms("attack", {"soldiers": 1}, {"farmers": 3, "farming": 2})
    play(pos, "attack with a Soldier", pick(pos, B, "Farmer in the field"))
    turn(pos, B)
    assert owns(pos, B, water=2, farmers=2)


def test_T7_an_explorer_comes_back():
    """3.4: one Resource card; the Explorer is a Farmer and brings no Water now."""
    pos = farms("produce", {"away": {"Resource": 1}})
    assert decks_of_hand(pos, A) == ["Resource"]
    assert owns(pos, A, n_explorers=0, farmers=1, water=0)


def test_explorers_draw_from_their_decks():
    """3.4: one card for each Explorer, from the deck it went to, even if that is locked again."""
    pos = farms("produce", {"away": {"Resource": 1, "Military II": 2}})
    assert decks_of_hand(pos, A) == ["Military II", "Military II", "Resource"]
    assert owns(pos, A, n_farmers=3)


def test_disciples_bring_religion():
    """3.6: those at home or at work at the end of the last turn that still are; not one back from a raid."""
    assert owns(farms("produce", {"disciples": 3, "praying": 2}), A, religion=2)
    farm = {"disciples": 2, "table": [("Tithing", {"workers": 1})]}  # the others have nothing to do
    assert owns(farms("end", farm), A, religion=3)
    assert owns(farms("end", farm, options={"workers_idle": True}), A, religion=2)
    pos = farms("start", {"visiting": {B: 1}, "disciples": 1, "praying": 1}, {"farmers": 2})
    play(pos, "raid Farmland")
    assert owns(pos, A, religion=1, disciples=2)


def test_a_disciple_killed_at_home_prays_no_more():
    """3.6, 1.4: of two that prayed one is killed: one Religion; of two of which one has prayed, the other is lost first."""
    for praying, brought in ((2, 1), (1, 1)):
        pos = farms("attack", {"soldiers": 1, "explorers": 1}, {"disciples": 2, "praying": praying, "hand": ["Steel"]})
        play(pos, "attack with a Soldier", pick(pos, B, "Disciple at home"))
        assert owns(pos, B, n_disciples=1, praying=brought)
        turn(pos, B)
        assert owns(pos, B, religion=brought)


def test_T53_an_empty_deck_is_shuffled():
    """3.8: twelve discards, one is drawn, eleven are the new deck."""
    others = ["Farmland"] * 10 + ["Steel"] * 10 + ["Wild"] * 8
    pos = farms("produce", {"away": {"Resource": 1}}, {}, {"hand": others}, discards={"Farmer": 12})
    assert hand(pos, A) == ["Farmer"]
    assert int(pos.state.deck[0]) == 11
    assert int(pos.state.discards.sum()) == 0
    assert any("shuffled" in line for line in said(pos, list(pos.opening)))


def test_nothing_is_shuffled_where_there_are_no_discards():
    """3.8: all Resource cards are in hands: nothing is drawn, nothing shuffled, and the log says so."""
    everything = ["Farmer"] * 12 + ["Farmland"] * 10 + ["Steel"] * 10 + ["Wild"] * 8
    pos = farms("produce", {"away": {"Resource": 1}}, {}, {"hand": everything})
    lines = said(pos, list(pos.opening))
    assert hand(pos, A) == []
    assert any("is empty" in line for line in lines)
    assert not any("shuffled" in line for line in lines)


# --- 3.1 to 3.3 The start of a turn ---------------------------------------------------------


def test_T21_fire_burns_and_is_put_out():
    """3.1, 4.9: B with 1 Fire loses a Farmland, then puts it out with 5 of 7 Water."""
    pos = farms("start", {}, {"fire": 1, "land": 3, "water": 7}, active=B)
    assert owns(pos, B, land=2)
    play(pos, "put out a Fire")
    assert owns(pos, B, fire=0, water=2)


def test_T22_fire_burns_once_however_much():
    """3.1, 15.4: 2 Fires cost one Farmland; with the option, two."""
    farm = {"fire": 2, "land": 3, "farmers": 1, "water": 1}
    assert owns(farms("start", farm), A, land=2)
    assert owns(farms("start", farm, options={"fire_stacks": True}), A, land=1)


def test_T23_fire_can_end_a_farm():
    """3.1, 14.5: the last Farmland burns; B is out and the turn passes on."""
    pos = farms("start", {"farmers": 1, "water": 1}, {"fire": 1, "land": 1}, {"farmers": 1, "water": 1}, active=B)
    assert owns(pos, B, land=0, is_alive=0, fire=0)
    assert pos.seat == C


def test_T24_a_raid():
    """3.2: A's Disciple takes a Farmland or a Farmer and comes home without bringing Religion."""
    for choice, land, farmers in (("raid Farmland", 7, 0), (pick(None, B, "Farmer in the field"), 6, 1)):
        pos = farms("start", {"visiting": {B: 1}}, {"farmers": 2})
        assert offered(pos) == {"raid Farmland", "pick seat 1 Farmer in the field"}
        play(pos, choice)
        assert owns(pos, A, land=land, farmers=farmers, disciples=1, religion=0)
        assert owns(pos, B, land=13 - land - 1 if land == 7 else 6, farmers=2 - farmers)
        assert pos.state.seats[A].n_hand == pos.state.seats[B].n_hand == 0  # 7.10 does not apply


def test_T25_the_last_farmer_is_not_taken():
    """3.2: from B with one Farmer only Farmland can be taken, and nobody is asked."""
    pos = farms("start", {"visiting": {B: 1}}, {"farmers": 1})
    assert owns(pos, A, land=7, disciples=1)
    assert owns(pos, B, land=5, farmers=1)


def test_farmers_on_guard_and_at_work_can_be_taken():
    """3.2: each place is a choice of its own; equal cards with equal posts are one."""
    host = {
        "farmers": 1,
        "land_farmers": 1,
        "table": [
            ("Combine Harvester", {"workers": 1}),
            ("Combine Harvester", {"workers": 1}),
            ("Conscription Reform", {"farmers": 1}),
        ],
    }
    pos = farms("start", {"visiting": {B: 1}}, host)
    assert offered(pos) == {
        "raid Farmland",
        *(
            pick(pos, B, spot)
            for spot in (
                "Farmer in the field",
                "Farmer guarding Farmland",
                "worker on card 1",
                "Farmer guarding card 3",
            )
        ),
    }
    play(pos, pick(pos, B, "worker on card 1"))
    assert owns(pos, A, farmers=1)
    assert owns(pos, B, n_farmers=4)


def test_a_disciple_may_be_sent_again():
    """3.2, 7.5: home from a raid, it may go out in the same turn."""
    pos = farms("start", {"visiting": {B: 1}}, {"farmers": 1})
    assert "send a Disciple to seat 1" in offered(pos)


def test_T29_soldiers_return():
    """3.3, 7.2: returning Soldiers are no targets and guard nothing; at the owner's next turn they are home."""
    pos = farms("attack", {"returning": 2}, {"soldiers": 1}, active=B)
    play(pos, "attack with a Soldier")
    assert {"hit Farmland of seat 0", "hit Farmland of seat 2"} == offered(pos)
    assert pos.why_not(pick(pos, A, "Soldier returning")).rule == "7.7"
    play(pos, "hit Farmland of seat 0")
    turn(pos, A)
    assert owns(pos, A, soldiers=2, returning=0)


# --- 5 Build -------------------------------------------------------------------------------------


def test_T3_two_explorers():
    """5.1: Fa 2 and W 3 become two Explorers and W 1."""
    pos = farms("build", {"farmers": 2, "water": 3})
    play(pos, "build Explorer", "build Explorer")
    assert owns(pos, A, farmers=0, explorers=2, water=1)


def test_what_units_cost():
    """5.1: a Farmer and a token each; without a Farmer, or without the token, none."""
    pos = farms("build", {"farmers": 1, "steel": 1, "religion": 1, "water": 1})
    assert offered(pos) == {"build Explorer", "build Soldier", "build Disciple", "end building"}
    play(pos, "build Disciple")
    assert owns(pos, A, farmers=0, disciples=1, religion=0)
    pos = farms("build", {"farmers": 1, "steel": 1})
    assert offered(pos) == {"build Soldier", "end building"}
    assert pos.why_not("build Explorer").text.startswith("You have too few tokens")
    pos = farms("build", {"steel": 1, "fire": 1, "water": 6})
    assert pos.why_not("build Soldier").text == "You have no Farmer left."


def test_cannons_need_the_card():
    """5.2, 12.1: 2 Steel, and the Cannon card; no Farmer goes into it, and losing the card later does not matter."""
    pos = farms("build", {"farmers": 1, "steel": 2})
    assert pos.why_not("build Cannon").rule == "5.2"
    pos = farms("build", {"steel": 4, "table": ["Cannon"]}, {"soldiers": 1})
    play(pos, "build Cannon", "build Cannon")
    assert owns(pos, A, cannons=2, steel=0)
    turn(pos, B)
    play(pos, "end posting", "attack with a Soldier", "hit card of seat 0 1")
    assert owns(pos, A, cannons=2)


def test_building_takes_farmers_from_work_when_none_is_in_the_field():
    """4.1, 5.1: units spent come from home first, then from guard, then from work."""
    pos = farms(
        "build",
        {
            "farmers": 1,
            "water": 3,
            "land_farmers": 1,
            "table": ["Conscription Reform", ("Combine Harvester", {"workers": 2})],
        },
    )
    play(pos, "build Explorer")
    assert owns(pos, A, farmers=0, land_farmers=1, explorers=1)
    play(pos, "build Explorer")
    assert owns(pos, A, land_farmers=0, explorers=2, n_farmers=2)
    play(pos, "build Explorer")
    assert int(pos.state.seats[A].posts[2, 1]) == 1


def test_fire_can_be_put_out_while_building():
    """4.9: in step 5 as well."""
    pos = farms("build", {"fire": 1, "water": 5})
    play(pos, "put out a Fire")
    assert owns(pos, A, fire=0, water=0)


# --- 6 Defend ---------------------------------------------------------------------------------------


def test_posts():
    """6.1, 6.2: Soldiers go to the Farmland, a card, a Trap, or stay in reserve."""
    pos = farms("defend", {"soldiers": 4, "table": ["Mine"], "traps": ["Guard"]})
    assert offered(pos) == {"guard Farmland", "guard card 1", "guard trap 1", "end posting"}
    play(pos, "guard Farmland", "guard card 1", "guard trap 1", "end posting")
    assert owns(pos, A, soldiers=1, guards=1, n_soldiers=4)
    assert (int(pos.state.seats[A].posts[0, 0]), int(pos.state.seats[A].trap_guards[0])) == (1, 1)


def test_posts_hold_until_they_are_called_in():
    """6.1: what stands may stay, or come home and be posted anew."""
    farm = {"guards": 2, "soldiers": 0, "table": [("Mine", {"soldiers": 1})], "traps": [("Guard", 1)]}
    pos = farms("defend", farm)
    assert offered(pos) == {
        "call in from Farmland",
        "call in from card 1",
        "call in from trap 1",
        "leave on post",
    }
    play(pos, "call in from Farmland", "call in from card 1", "call in from trap 1")
    assert owns(pos, A, soldiers=4, guards=0)
    assert offered(pos) == {"guard Farmland", "guard card 1", "guard trap 1", "end posting"}


def test_each_trap_has_posts_of_its_own():
    """6.1, 6.2: from the second Trap as from the first; a post that is full takes nobody."""
    farm = {"soldiers": 1, "land": 120, "traps": [("Guard", 1), ("Martyrdom", MOST_GUARDS)]}
    pos = farms("defend", farm)
    assert offered(pos) == {"call in from trap 1", "call in from trap 2", "leave on post"}
    play(pos, "leave on post")
    assert offered(pos) == {"guard Farmland", "guard trap 1", "end posting"}
    assert pos.why_not("guard trap 2").rule == "6.2"


def test_equal_cards_are_one_choice():
    """1.4: two Mines with equal posts are one choice; when one has a guard they are two."""
    pos = farms("defend", {"soldiers": 2, "table": ["Mine", "Mine"]})
    assert offered(pos) == {"guard Farmland", "guard card 1", "end posting"}
    assert pos.why_not("guard card 2").rule == "1.4"
    play(pos, "guard card 1")
    assert offered(pos) == {"guard Farmland", "guard card 1", "guard card 2", "end posting"}


def test_workers():
    """6.3: a Harvester takes two Farmers, Tithing one Disciple; a Mine takes nobody."""
    pos = farms("defend", {"farmers": 3, "disciples": 1, "table": ["Mine", "Tithing", "Combine Harvester"]})
    assert offered(pos) == {"work on card 2", "work on card 3", "end posting"}
    play(pos, "work on card 2", "work on card 3", "work on card 3")
    assert pos.state.seats[A].posts[2].tolist()[:3] == [0, 1, 2]
    assert owns(pos, A, farmers=1, disciples=0, n_farmers=3, n_disciples=1)


def test_farmers_guard_only_with_the_reform():
    """6.4, 11.3: over Farmland and Table cards, not over Traps; without the Reform not at all."""
    pos = farms("defend", {"farmers": 2, "traps": ["Guard"], "table": ["Conscription Reform"]})
    assert offered(pos) == {"Farmer guards Farmland", "Farmer guards card 1", "end posting"}
    play(pos, "Farmer guards Farmland", "Farmer guards card 1")
    assert owns(pos, A, farmers=0, land_farmers=1, n_farmers=2)
    pos = farms("defend", {"farmers": 2, "soldiers": 1, "table": ["Mine"]})
    assert pos.why_not("Farmer guards Farmland").rule == "6.4"


def test_farmers_on_guard_go_home_when_the_reform_is_lost():
    """6.4: they stand in the field at once; those at the Farmland have farmed, those on a card have not."""
    farm = {"land_farmers": 2, "table": ["Conscription Reform", ("Mine", {"farmers": 1})]}
    pos = farms("attack", {"soldiers": 2}, farm)
    play(pos, "attack with a Soldier", "hit card of seat 1 1")
    assert owns(pos, B, land_farmers=0, farmers=3, farming=2)


# --- 8 Explore and farm ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("farm", "decks"),
    [
        ({"farmers": 3}, ["Farm I"]),
        ({"farmers": 4}, ["Farm I", "Farm II"]),
        ({"farmers": 5}, ["Farm I", "Farm II", "Farm III"]),
        ({"farmers": 2, "explorers": 2}, []),
        ({"soldiers": 1}, ["Military I"]),
        ({"guards": 4}, ["Military I", "Military II"]),
        ({"soldiers": 2, "returning": 1}, ["Military I", "Military II"]),
        ({"soldiers": 4, "cannons": 1}, ["Military I", "Military II", "Military III"]),
        ({"disciples": 1}, ["Religion I"]),
        ({"disciples": 1, "visiting": {1: 1}}, ["Religion I", "Religion II"]),
        ({"disciples": 4}, ["Religion I", "Religion II", "Religion III"]),
    ],
    ids=str,
)
def test_T8_T9_T10_T11_unlocking(farm, decks):
    """8.2: what opens each deck, wherever the units are; the Resource deck is open to all, Explorers are no Farmers."""
    pos = farms("explore", {"explorers": 1, **farm})
    assert offered(pos) == {"end exploring", "explore Resource", *(f"explore {deck}" for deck in decks)}


def test_exploring():
    """8.1: an Explorer is away until the next turn."""
    pos = farms("explore", {"explorers": 2, "soldiers": 1})
    play(pos, "explore Military I")
    assert pos.state.seats[A].spots[11 + 4] == 1
    assert pos.why_not("explore Farm I").rule == "8.2"
    play(pos, "end exploring")
    assert decks_of_hand(pos, A) == ["Military I"]


def test_unlocked_once_and_for_all():
    """15.5: with the option a deck stays open after the Soldier is gone."""
    for option, is_open in ((False, False), (True, True)):
        pos = farms("play", {"explorers": 1, "soldiers": 1, "hand": ["Steel"], "table": ["Execution"]},
                    options={"unlock_once": option})  # fmt: skip
        play(pos, "use Execution", "draw from Military I", "end playing")
        assert ("explore Military I" in offered(pos)) == is_open


def test_farming():
    """8.3, 7.3, 15.17: all in the field farm, by option but the one who served a Cannon."""
    pos = farms("attack", {"farmers": 3, "cannons": 1}, options={"crews_idle": True})
    play(pos, "attack with a Cannon", "hit Farmland of seat 1", "end attacking")
    turn(pos, A)
    assert owns(pos, A, water=2)


# --- 9 End of the turn ------------------------------------------------------------------------------------


def test_T49_units_and_cards_are_cut_down():
    """9.1, 9.2: FL 6, units 8, cards 7: two units and one card are given up."""
    pos = farms(
        "end",
        {
            "land": 6,
            "farmers": 4,
            "returning": 1,
            "visiting": {B: 1},
            "disciples": 2,
            "hand": ["Farmer", "Farmer", "Steel"],
            "table": ["Mine", "Mine"],
            "traps": ["Guard"],
            "shown": ["The Great Fire"],
        },
        {"farmers": 1, "water": 1},
    )
    units = ("Farmer in the field", "Disciple at home", "Disciple visiting seat 1", "Soldier returning")
    assert offered(pos) == {pick(pos, A, spot) for spot in units}
    play(pos, pick(pos, A, "Farmer in the field"), pick(pos, A, "Disciple visiting seat 1"))
    assert offered(pos) == {
        "discard Farmer",
        "discard Steel",
        "discard Miracle The Great Fire",
        "discard from table 1",
        "discard Trap at 1",
    }
    play(pos, "discard from table 1")
    assert table(pos, A) == ["Mine"]
    assert traps(pos, A) == ["Guard"]
    assert pos.seat == B


def test_each_kind_of_card_can_be_discarded():
    """9.2: a hand card, a Trap, a Miracle, a Table card with a unit on it."""
    farm = {
        "land": 3,
        "soldiers": 1,
        "hand": ["Farmer", "Farmer", "Steel"],
        "traps": [("Guard", 1)],
        "shown": ["The Great Fire"],
        "table": [("Mine", {"soldiers": 1})],
    }
    pos = farms("end", farm, {"farmers": 1, "water": 1})
    play(pos, "discard Miracle The Great Fire", "discard Trap at 1", "discard from table 1")
    assert owns(pos, A, soldiers=3)
    assert hand(pos, A) == ["Farmer", "Farmer", "Steel"]
    assert Counter(pos.state.discards.tolist())[1] == 3


def test_a_permanent_stays():
    """4.6, 9.2: it counts against the limit but cannot be discarded."""
    pos = farms(
        "end", {"land": 1, "shown": ["The Great Fire", "The Great Flood", "Life or Death"]}, {"hand": ["Steel"]}
    )
    assert offered(pos) == {"discard Miracle The Great Fire", "discard Miracle The Great Flood"}
    assert pos.why_not("discard Miracle Life or Death").rule == "9.2"


def test_a_miracle_too_many_is_given_up_and_a_permanent_too_many_stays():
    """4.6, 9.2: with nothing else to give up, the one is asked about, and with the other the turn passes."""
    pos = farms("end", {"land": 1, "shown": ["The Great Fire", "The Great Flood"]}, {"hand": ["Steel"]})
    assert offered(pos) == {"discard Miracle The Great Fire", "discard Miracle The Great Flood"}
    pos = farms("end", {"land": 1, "shown": ["Life or Death", "Life or Death"]}, {"hand": ["Steel"]})
    assert pos.seat == B


def test_the_hand_alone_can_be_the_limit():
    """15.6: three hand cards and four Table cards are fine with 3 Farmland."""
    farm = {"land": 3, "hand": ["Farmer"] * 3, "table": ["Mine"] * 4}
    pos = farms("end", farm, {"farmers": 1, "water": 1}, options={"hand_limit_only": True})
    assert pos.seat == B
    pos = farms("end", {**farm, "hand": ["Farmer", "Steel", "Steel", "Wild"]}, options={"hand_limit_only": True})
    assert offered(pos) == {"discard Farmer", "discard Steel", "discard Wild"}
    assert pos.why_not("discard from table 1").rule == "15.6"


def test_a_forced_discard_of_equal_hand_cards_is_asked():
    """1.9: it would tell the others what the hand holds if it were taken unasked."""
    pos = farms("end", {"land": 1, "hand": ["Farmer", "Farmer"]})
    assert offered(pos) == {"discard Farmer"}


# --- 1.8 Turns and rounds -------------------------------------------------------------------------------------


def test_turns_go_round():
    """1.8: A, B, C, and a new round when it is the first seat's turn again."""
    pos = farms("explore", *({"explorers": 1, "water": 9, "farmers": 1} for _ in range(3)))
    order = []
    for _ in range(12):
        order.append((int(pos.state.round_no), pos.seat))
        ends = [name for name in ("end playing", "end building", "end exploring") if name in offered(pos)]
        play(pos, ends[0])
    assert list(dict.fromkeys(order))[:5] == [(2, A), (2, B), (2, C), (3, A), (3, B)]


def test_seats_that_are_out_are_passed_over():
    """1.8, 14.5: the turn goes from A to C, and the round still counts when the first seat is out."""
    pos = farms("end", {"farmers": 1, "water": 1}, {"land": 0}, {"farmers": 1, "water": 1})
    assert pos.seat == C
    pos = farms("end", {"land": 0}, {}, {"farmers": 1, "water": 1}, active=C)
    assert int(pos.state.round_no) == 3


def test_the_decks_hidden_order_is_nobodys():
    """1.9: the same draw in another world brings another card; nothing in the state says which comes next."""
    drawn = {hand(farms("produce", {"away": {"Farm I": 1}}, seed=seed), A)[0] for seed in range(12)}
    assert drawn == {"Water Wheel", "Irrigation", "Conscription Reform"}


def test_given_knows_the_game():
    """A scenario that says nothing is the game as set up."""
    assert offered(given("warfarm", 3)) == {"begin with Farmer", "begin with Steel", "begin with Religion"}
    assert amount(given("warfarm", 3), B, "land") == 6


def test_nobody_is_called_in_from_a_trap_that_nobody_guards():
    """6.1: one is asked whom to call in where somebody stands guard; beside a bare Trap posting begins at once."""
    bare = farms("defend", {"soldiers": 1, "traps": ["Martyrdom"]})
    assert offered(bare) == {"guard Farmland", "guard trap 1", "end posting"}
    guarded = farms("defend", {"soldiers": 1, "traps": [("Martyrdom", 1)]})
    assert offered(guarded) == {"leave on post", "call in from trap 1"}
