"""Attacking (guide 7), winning and losing (14), the house rules (15). T1 to T55 are the cases of the rules notes."""

import pytest

import sutler
from games.warfarm.farms import A, B, C, decks_of_hand, farms, hand, owns, pick, table, traps, turn
from sutler.contract.helpers import offered, play, said
from sutler.games.warfarm.state import BY_FARM, BY_GROWTH, BY_MILITARY, BY_MIRACLES, BY_STANDSTILL, BY_TIME

LAND_B, LAND_C = "hit Farmland of seat 1", "hit Farmland of seat 2"
SOLDIER, CANNON = "attack with a Soldier", "attack with a Cannon"


# --- 7.2, 7.8 to 7.10 Soldiers ------------------------------------------------------------


def test_T12_an_attack_on_farmland():
    """7.2, 7.10: B loses a Farmland, A's Soldier returns, both draw a Resource card."""
    pos = farms("attack", {"soldiers": 1, "farmers": 1, "hand": []}, {"farmers": 1, "water": 1})
    play(pos, SOLDIER, LAND_B)
    assert owns(pos, B, land=5)
    assert owns(pos, A, soldiers=0, returning=1, n_soldiers=1)
    assert decks_of_hand(pos, A) == decks_of_hand(pos, B) == ["Resource"]


def test_T13_a_guard_falls_first():
    """7.8, 7.9: the first attack costs both Soldiers, the second the Farmland."""
    pos = farms("attack", {"soldiers": 2}, {"guards": 1, "farmers": 1, "water": 1})
    play(pos, SOLDIER)
    assert LAND_B not in offered(pos)
    assert pos.why_not(LAND_B).rule == "7.8"
    play(pos, pick(pos, B, "Soldier guarding Farmland"))
    assert owns(pos, A, n_soldiers=1)
    assert owns(pos, B, n_soldiers=0, land=6)
    assert hand(pos, A) == []
    play(pos, SOLDIER, LAND_B)
    assert owns(pos, B, land=5)


def test_T14_T15_a_guard_protects_one_thing():
    """6.2, 7.8: with the guard on the Water Wheel the Farmland is open and the Water Wheel is not."""
    pos = farms("attack", {"soldiers": 2}, {"table": [("Water Wheel", {"soldiers": 1})], "farmers": 1, "water": 1})
    play(pos, SOLDIER)
    assert LAND_B in offered(pos)
    assert pos.why_not("hit card of seat 1 1").rule == "7.8"
    play(pos, pick(pos, B, "Soldier guarding card 1"))
    assert owns(pos, A, n_soldiers=1)
    assert owns(pos, B, n_soldiers=0, n_hand=0)
    assert table(pos, B) == ["Water Wheel"]
    play(pos, SOLDIER, LAND_B)
    assert owns(pos, B, land=5, n_hand=1)


def test_T16_a_trap_that_is_attacked():
    """10.4, 7.10: it goes to the discards without effect, and both draw."""
    pos = farms("attack", {"soldiers": 1}, {"traps": ["Guard"], "farmers": 1, "water": 1})
    play(pos, SOLDIER, "hit trap of seat 1 1")
    assert traps(pos, B) == []
    assert owns(pos, A, n_hand=1)
    assert owns(pos, B, n_hand=1)
    assert int(pos.state.discards[pos.game.names["card"].index("Guard")]) == 1


def test_soldiers_in_reserve_defend_themselves():
    """7.9: attacked by a Soldier, both are removed; a Farmer at work is just removed."""
    farm = {"soldiers": 1, "farmers": 1, "water": 1, "table": [("Combine Harvester", {"workers": 1})]}
    pos = farms("attack", {"soldiers": 2}, farm)
    play(pos, SOLDIER, pick(pos, B, "Soldier in reserve"))
    assert owns(pos, A, n_soldiers=1, returning=0)
    play(pos, SOLDIER, pick(pos, B, "worker on card 1"))
    assert owns(pos, A, n_soldiers=1, returning=1)
    assert owns(pos, B, n_soldiers=0, n_farmers=1)


def test_farmers_on_guard_fall_with_the_attacker_and_after_the_soldiers():
    """7.8, 7.9, 11.3: a Farmer on guard is hit only when no Soldier guards beside it; then both fall."""
    farm = {"guards": 1, "land_farmers": 1, "table": [("Conscription Reform", {"soldiers": 1, "farmers": 1})]}
    pos = farms("attack", {"soldiers": 3}, {**farm, "farmers": 1, "water": 1})
    play(pos, SOLDIER)
    assert pos.why_not(pick(pos, B, "Farmer guarding Farmland")).rule == "7.8"
    assert pos.why_not(pick(pos, B, "Farmer guarding card 1")).rule == "7.8"
    play(pos, pick(pos, B, "Soldier guarding Farmland"), SOLDIER)
    play(pos, pick(pos, B, "Farmer guarding Farmland"))
    assert owns(pos, A, n_soldiers=1)
    assert owns(pos, B, guards=0, land_farmers=0, n_farmers=2)


def test_what_cannot_be_attacked():
    """7.7: no loose tokens, Permanents, Miracles, Explorers away or Soldiers returning."""
    farm = {
        "water": 5,
        "shown": ["The Great Flood"],
        "away": {"Resource": 1},
        "returning": 1,
        "explorers": 1,
        "cannons": 1,
        "disciples": 1,
        "visiting": {A: 1, C: 1},
        "hand": ["Steel"],
    }
    pos = farms("attack", {"soldiers": 1}, farm)
    play(pos, SOLDIER)
    mine = {name for name in offered(pos) if "seat 1" in name}
    spots = ("Explorer at home", "Cannon", "Disciple at home", "Disciple visiting seat 0", "Disciple visiting seat 2")
    assert mine == {LAND_B, *(pick(pos, B, spot) for spot in spots)}


def test_a_visiting_disciple_can_be_hit_by_a_third_seat():
    """7.7: B's Disciple at C is a target for A; A's own is none."""
    pos = farms("attack", {"soldiers": 1, "visiting": {C: 1}}, {"visiting": {C: 1}})
    play(pos, SOLDIER)
    assert pick(pos, B, "Disciple visiting seat 2") in offered(pos)
    assert pick(pos, A, "Disciple visiting seat 2") not in offered(pos)


def test_several_opponents_in_one_step():
    """7.1: one attack step, any number of attacks on any of the others, until A stops."""
    pos = farms("attack", {"soldiers": 3})
    play(pos, SOLDIER, LAND_B, SOLDIER, LAND_C, "end attacking")
    assert owns(pos, B, land=5)
    assert owns(pos, C, land=5)


# --- 7.3, 7.4 Cannons -----------------------------------------------------------------------


def test_T17_a_cannon_shoots_twice():
    """7.3: the guard, then a Farmland; the Cannon stays and loses nothing."""
    pos = farms("attack", {"cannons": 1, "farmers": 1}, {"guards": 1, "farmers": 1, "water": 1})
    play(pos, CANNON, pick(pos, B, "Soldier guarding Farmland"), CANNON, LAND_B)
    assert owns(pos, B, n_soldiers=0, land=5)
    assert owns(pos, A, n_cannons=1, farmers=1)
    assert pos.state.active != A  # no third shot


def test_T18_a_cannon_needs_a_farmer():
    """7.3: none in the field, no shot; and building Soldiers out of them matters."""
    pos = farms("attack", {"cannons": 1, "soldiers": 1, "table": [("Combine Harvester", {"workers": 2})]})
    assert CANNON not in offered(pos)
    assert pos.why_not(CANNON).rule == "7.3"


def test_T19_one_farmer_serves_one_cannon():
    """7.3: two Cannons, one Farmer: two shots, not four."""
    pos = farms("attack", {"cannons": 2, "farmers": 1, "soldiers": 1})
    play(pos, CANNON, LAND_B, CANNON, LAND_B)
    assert CANNON not in offered(pos)
    pos = farms("attack", {"cannons": 2, "farmers": 2})
    play(pos, *[CANNON, LAND_B] * 2, *[CANNON, LAND_C] * 2)
    assert owns(pos, B, land=4)
    assert owns(pos, C, land=4)


def test_T20_fire_is_shot():
    """7.4: B has the Fire, the Cannon is gone, the Farmer stays; guards do not stop it."""
    pos = farms("attack", {"cannons": 1, "farmers": 1, "fire": 1}, {"guards": 3, "farmers": 1, "water": 1})
    play(pos, "shoot Fire at seat 1")
    assert owns(pos, A, fire=0, n_cannons=0, farmers=1)
    assert owns(pos, B, fire=1, guards=3)


def test_fire_may_be_the_second_shot():
    """7.4: after one shot the same Cannon shoots the Fire; after two it cannot."""
    pos = farms("attack", {"cannons": 1, "farmers": 1, "fire": 1})
    play(pos, CANNON, LAND_B, "shoot Fire at seat 2")
    assert owns(pos, A, n_cannons=0)
    assert owns(pos, C, fire=1)
    pos = farms("attack", {"cannons": 1, "farmers": 1, "fire": 1, "soldiers": 1})
    play(pos, CANNON, LAND_B, CANNON, LAND_B)
    assert pos.why_not("shoot Fire at seat 1").rule == "7.3"
    pos = farms("attack", {"soldiers": 1, "cannons": 1, "farmers": 1})
    assert pos.why_not("shoot Fire at seat 1").rule == "4.9"


def test_the_cannon_that_shot_shoots_the_fire():
    """7.4: a Cannon that has shot once is the one that burns; the other still has both its shots."""
    pos = farms("attack", {"cannons": 2, "farmers": 2, "fire": 1, "explorers": 1})
    play(pos, CANNON, LAND_B, "shoot Fire at seat 1", CANNON, LAND_B)
    assert CANNON in offered(pos)
    play(pos, CANNON, LAND_B)
    assert owns(pos, B, land=3)
    assert CANNON not in offered(pos)


def test_fire_from_one_of_two_cannons():
    """7.4: the other one still shoots, with a Farmer of its own."""
    pos = farms("attack", {"cannons": 2, "farmers": 2, "fire": 1})
    play(pos, "shoot Fire at seat 1", CANNON, LAND_B, CANNON, LAND_B)
    assert owns(pos, A, n_cannons=1)
    pos = farms("attack", {"cannons": 2, "farmers": 1, "fire": 1, "soldiers": 1})
    play(pos, "shoot Fire at seat 1")
    assert CANNON not in offered(pos)  # its Farmer has served


# --- 7.5, 7.6 Disciples ----------------------------------------------------------------------------


def test_sending_disciples():
    """7.5: to either board; it brings no Religion meanwhile."""
    pos = farms("attack", {"disciples": 2, "praying": 2}, {"farmers": 1, "water": 1})
    play(pos, "send a Disciple to seat 1", "send a Disciple to seat 2")
    assert owns(pos, A, disciples=0, n_disciples=2)
    assert pos.state.seats[A].spots[7:10].tolist() == [0, 1, 1]


def test_T26_a_guard_kills_a_guest():
    """7.6: and stays on guard; each guard once, and nothing but guests."""
    pos = farms("attack", {"guards": 1}, {"visiting": {A: 2}})
    play(pos, "strike from Farmland")
    assert owns(pos, A, guards=1)
    assert owns(pos, B, n_disciples=1)
    assert pos.state.active != A


def test_guards_strike_at_nothing_else():
    """7.6: a guard on a card may strike too; Farmland is out of its reach, and without a guest it does nothing."""
    farm = {"table": [("Mine", {"soldiers": 1})], "traps": [("Guard", 1)], "soldiers": 1}
    pos = farms("attack", farm, {"visiting": {A: 1}}, {"visiting": {A: 1}})
    assert {"strike from card 1", "strike from trap 1"} <= offered(pos)
    play(pos, "strike from trap 1")
    assert offered(pos) == {pick(pos, seat, "Disciple visiting seat 0") for seat in (B, C)}
    assert pos.why_not(LAND_B).rule == "7.6"
    play(pos, pick(pos, C, "Disciple visiting seat 0"))
    assert owns(pos, C, n_disciples=0)
    assert pos.why_not("strike from trap 1").rule == "7.6"
    pos = farms("attack", {"guards": 1, "soldiers": 1})
    assert pos.why_not("strike from Farmland").rule == "7.6"


# --- 14 Winning and losing ---------------------------------------------------------------------------


def test_T47_the_farm_win():
    """14.1: FL 12, Fa 11, and a Farmer played."""
    pos = farms(
        "play", {"land": 12, "farmers": 9, "table": [("Combine Harvester", {"workers": 2})], "hand": ["Farmer"]}
    )
    play(pos, "play Farmer")
    assert (pos.over, pos.state.won_by, pos.state.winner) == (True, BY_FARM, A)
    assert pos.places() == [1, 2, 2]
    assert pos.scores() == [1, 0, 0]


def test_only_plain_farmers_count():
    """14.1: eleven Farmers and an Explorer do not win."""
    assert not farms("play", {"land": 12, "farmers": 11, "explorers": 1}).over


def test_T48_the_growth_win():
    """14.3: Di 10 and R 10; with R 9 not yet."""
    pos = farms("play", {"land": 12, "disciples": 10, "religion": 10})
    assert (pos.state.won_by, pos.state.winner) == (BY_GROWTH, A)
    assert not farms("play", {"land": 12, "disciples": 10, "religion": 9, "hand": ["Farmer"]}).over
    assert not farms("play", {"land": 12, "disciples": 9, "religion": 10, "hand": ["Farmer"]}).over


def test_T50_the_last_farmland():
    """14.2, 14.5, 7.10: B is out, only A draws; with C out already A wins."""
    pos = farms("attack", {"soldiers": 2}, {"land": 1, "disciples": 1, "hand": ["Steel"], "table": ["Mine"]})
    play(pos, SOLDIER, LAND_B)
    assert owns(pos, B, is_alive=0, n_disciples=0, n_hand=0)
    assert owns(pos, A, n_hand=1)
    assert int(pos.state.discards[pos.game.names["card"].index("Mine")]) == 1
    pos = farms("attack", {"soldiers": 2}, {"land": 1}, {"land": 0})
    play(pos, SOLDIER)  # the only target left
    assert (pos.state.won_by, pos.state.winner) == (BY_MILITARY, A)


def test_guests_go_home_from_a_farm_that_is_out():
    """14.5: C's Disciple visiting B goes home."""
    pos = farms("attack", {"soldiers": 2}, {"land": 1}, {"visiting": {B: 2}})
    play(pos, SOLDIER, LAND_B)
    assert owns(pos, C, disciples=2)


def test_T52_surrender():
    """14.6: B's pieces are gone, C and A play on; it is never in a bot's list, nor offered before the first turn."""
    pos = farms("play", {}, {"hand": ["Farmer"], "disciples": 2}, {"farmers": 1, "water": 1}, active=B)
    assert "surrender" not in offered(pos)
    assert [action.name for action in pos.asides()] == ["surrender"]
    assert "surrender" not in {action.name for action in pos.for_seat(B).actions()}
    play(pos, "surrender")
    assert owns(pos, B, is_alive=0, n_disciples=0, n_hand=0, land=0)
    assert pos.seat == C
    assert not pos.over
    play(pos, "surrender")
    assert (pos.state.won_by, pos.state.winner) == (BY_MILITARY, A)
    assert pos.asides() == []
    assert sutler.load("warfarm").new(seed=1).why_not("surrender").rule == "14.6"


def test_surrender_while_somebody_else_acts():
    """14.6: a seat asked for its losses may give up; the Miracle goes on with the next."""
    cards = {"disciples": 1, "religion": 3, "hand": ["The Great Flood", "Farmer"]}
    pos = farms("play", cards, {"farmers": 4, "explorers": 2}, {"farmers": 3, "explorers": 1, "soldiers": 1})
    play(pos, "play The Great Flood")
    assert pos.seat == B
    play(pos, "surrender")
    assert pos.seat == C
    assert owns(pos, B, is_alive=0)


def test_a_win_in_another_seats_turn():
    """14.7: B's tenth Religion comes from Martyrdom in A's turn."""
    pos = farms("attack", {"soldiers": 1}, {"land": 12, "disciples": 11, "religion": 7, "traps": ["Martyrdom"]})
    play(pos, SOLDIER, pick(pos, B, "Disciple at home"))
    assert (pos.state.won_by, pos.state.winner) == (BY_GROWTH, B)


def test_two_at_once():
    """14.7: A's turn, and both B and C qualify by Temples: B, who is next, wins."""
    temple = {"land": 12, "disciples": 10, "religion": 7, "table": ["Temple"]}
    pos = farms("play", {"hand": ["Burnt Offering to Elder Gods"], "disciples": 1}, temple, temple)
    play(pos, "play Burnt Offering to Elder Gods")
    assert (pos.state.won_by, pos.state.winner) == (BY_GROWTH, B)


@pytest.mark.parametrize(("repeat", "wins"), [(False, True), (True, False)])
def test_T45_T46_three_miracles(repeat, wins):
    """14.4: the third different Miracle wins; the same one three times does not."""
    fire = "The Great Fire"
    shown = [fire] if repeat else [fire, "The Great Flood"]
    pos = farms(
        "play",
        {"disciples": 2, "religion": 3, "shown": shown, "hand": [fire if repeat else "The Call from the Elder Gods"]},
    )
    names = pos.game.names["card"]
    pos.state.seats[A].miracles = sum(1 << names.index(one) for one in shown)
    play(pos, f"play {fire}" if repeat else "play The Call from the Elder Gods")
    assert pos.over == wins
    assert (int(pos.state.won_by) == BY_MIRACLES) == wins


# --- 15 House rules -------------------------------------------------------------------------------------


def test_T54_a_win_on_time():
    """15.1: FL 9, 9, 7 and units 5, 6, 3 at the end of round 60: the second seat wins, on time."""
    farm_a, farm_b = {"land": 9, "farmers": 5}, {"land": 9, "farmers": 6}
    pos = farms("end", farm_a, farm_b, {"land": 7, "farmers": 3}, active=C, round_no=60, first=A)
    assert pos.over
    assert int(pos.state.won_by) == BY_TIME
    assert pos.places() == [2, 1, 3]
    assert pos.scores() == [0, 1, 0]
    assert [line.rule for line in pos.breakdown(B)] == ["15.1"]


def test_level_on_time():
    """15.1: after Farmland and units come loose tokens other than Fire, then cards; then the win is shared."""
    pos = farms("end", {"water": 2}, {"steel": 1, "fire": 4}, {"religion": 2}, active=C, round_no=60)
    assert pos.places() == [1, 3, 1]
    assert pos.scores() == [0.5, 0, 0.5]
    pos = farms("end", {"hand": ["Steel"]}, {}, {}, active=C, round_no=60)
    assert pos.places() == [1, 2, 2]


def test_without_a_limit():
    """15.1: with 0 the sixtieth round is followed by another."""
    pos = farms("end", *[{"farmers": 1, "water": 1}] * 3, active=C, round_no=60, options={"max_rounds": 0})
    assert not pos.over
    assert int(pos.state.round_no) == 61


def test_without_a_standstill():
    """15.2: with 0 a tenth quiet round is followed by another."""
    pos = farms("end", *[{"farmers": 1, "water": 1}] * 3, active=C, quiet=9, options={"standstill_rounds": 0})
    assert not pos.over
    assert int(pos.state.quiet) == 10


def test_standstill():
    """15.2: three dead farms; after five rounds the game ends. With 0 it would not."""
    pos = farms("end", {"land": 7}, active=C)
    assert int(pos.state.won_by) == BY_STANDSTILL
    assert int(pos.state.round_no) == 6
    assert pos.places() == [1, 2, 2]
    pos = farms("end", {"land": 7}, active=C, options={"standstill_rounds": 0})
    assert int(pos.state.won_by) == BY_TIME


@pytest.mark.parametrize(("rounds", "why"), [(5, "nothing moved any more"), (0, "its last round is played")])
def test_what_ended_the_game_is_said(rounds, why):
    """15.1, 15.2: a game that stood still was told to be over "when time was up", in round 13 of 60."""
    pos = farms("end", {"land": 7}, active=C, options={"standstill_rounds": rounds})
    assert why in str(pos.prompt())
    assert [str(line.label[0]) for line in pos.breakdown(A)] == ["The best farm at the end"]


@pytest.mark.parametrize(("quiet", "is_over"), [(3, False), (4, True)])
def test_standstill_comes_with_the_fifth_quiet_round(quiet, is_over):
    """15.2: the round that ends is counted."""
    pos = farms("end", *[{"farmers": 1, "water": 1}] * 3, active=C, quiet=quiet)
    assert pos.over == is_over


def test_relief():
    """15.3: no units, no cards: a Farmer at the start of the turn; not with a card, not under Life or Death."""
    option = {"relief_farmer": True}
    pos = farms("end", {"land": 3}, {"hand": ["Steel"]}, {"is_bound": 1, "shown": ["Life or Death"]}, active=C,
                options=option)  # fmt: skip
    assert owns(pos, A, farmers=1)
    assert any("receives a Farmer" in line for line in said(pos, list(pos.opening)))
    turn(pos, B)
    assert owns(pos, B, farmers=0)
    assert owns(pos, C, farmers=0)
