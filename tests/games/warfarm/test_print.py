"""Where print is explicit: a test from the printed words for each, and for the other reading where there is one (guide 15)."""

import pytest

import sutler
from games.warfarm.farms import A, B, C, farms, owns, pick, traps, turn
from sutler.contract.helpers import offered, play, said

KARMA = ["Defenseless Karma"]
BUSY = {"farmers": 1, "water": 1}


def storm(pos, seat, *targets):
    """Attack with one Soldier after another."""
    for target in targets:
        play(pos, "attack with a Soldier", target.format(seat))


LAND = "hit Farmland of seat {}"


# --- 12.10 Defenseless Karma: "if you lose more than 3 resources or units this round" ---------------


def test_each_victim_strikes_back():
    """10.2, 12.10: B and C each lose four Farmland to A, and both their Traps spring, B's first."""
    victim = {"land": 8, "traps": KARMA, **BUSY}
    pos = farms("attack", {"land": 12, "soldiers": 8, "water": 9}, victim, victim)
    storm(pos, B, *[LAND] * 4)
    storm(pos, C, *[LAND] * 4)
    assert (pos.seat, traps(pos, B), traps(pos, C)) == (B, [], KARMA)
    play(pos, "destroy Water", "destroy Water", "destroy Water")
    assert (pos.seat, traps(pos, C)) == (C, [])
    assert owns(pos, A, land=6, water=6)
    play(pos, "destroy Water", "destroy Water", "destroy Water")
    assert owns(pos, A, land=6, water=3)
    assert int(pos.state.active) == A


def test_karma_looks_at_the_round():
    """12.10: two lost to C, two more to A: the round has cost four, and A, who took the last, is struck."""
    farm_b = {"land": 8, "traps": KARMA, **BUSY}
    pos = farms("attack", {"land": 9, "soldiers": 2, "water": 3, "explorers": 1}, farm_b, {"soldiers": 2}, active=C)
    storm(pos, B, LAND, LAND)
    assert traps(pos, B) == KARMA
    turn(pos, A)
    play(pos, "end posting")
    storm(pos, B, LAND, LAND)
    assert (pos.seat, traps(pos, B)) == (B, [])
    assert owns(pos, A, land=6)
    assert owns(pos, C, land=6)


def test_karma_of_one_turn():
    """15.10: then neither turn has cost more than three."""
    farm_b = {"land": 8, "traps": KARMA, **BUSY}
    farm_a = {"land": 9, "soldiers": 2, "water": 3, "explorers": 1}
    pos = farms("attack", farm_a, farm_b, {"soldiers": 2}, active=C, options={"karma_turn": True})
    storm(pos, B, LAND, LAND)
    turn(pos, A)
    play(pos, "end posting")
    storm(pos, B, LAND, LAND)
    assert traps(pos, B) == KARMA
    assert owns(pos, A, land=9)


def test_losses_in_ones_own_turn_count():
    """12.10: a Farmland burns, two Soldiers fall in B's own attack, an Explorer to C's Guard: C took the last, and is struck."""
    farm_b = {"soldiers": 2, "explorers": 1, "land": 8, "farmers": 1, "traps": KARMA, "fire": 1}
    farm_c = {"guards": 2, "traps": ["Guard"], **BUSY}
    pos = farms("start", {}, farm_b, farm_c, active=B)
    play(pos, "end posting")
    for _ in range(2):
        play(pos, "attack with a Soldier", pick(pos, C, "Soldier guarding Farmland"))
    play(pos, "explore Resource")
    assert traps(pos, C) == []
    assert (int(pos.state.lost[B]), int(pos.state.robber[B])) == (4, C)
    play(pos, "end playing", "build Explorer")
    assert (pos.seat, traps(pos, B), int(pos.state.active)) == (B, [], C)
    assert owns(pos, C, land=3)
    assert "hit Farmland of seat 2" in offered(pos)


def test_nobody_is_struck_for_what_went_through_nobody():
    """12.10: four Soldiers that fell in one's own attack accuse nobody."""
    pos = farms("attack", {"soldiers": 4, "traps": KARMA}, {"guards": 4, "explorers": 1}, BUSY)
    for _ in range(4):
        play(pos, "attack with a Soldier", pick(pos, B, "Soldier guarding Farmland"))
    assert int(pos.state.lost[A]) == 4
    turn(pos, C)
    assert traps(pos, A) == KARMA


def test_what_is_paid_is_not_lost():
    """12.10: building, a sacrifice and the limits are no losses."""
    farm = {"land": 1, "farmers": 4, "water": 2, "religion": 3, "disciples": 1, "hand": ["The Great Fire", "Steel"]}
    pos = farms("play", farm, BUSY)
    play(pos, "play The Great Fire", "play Steel")
    play(pos, "build Explorer", "build Explorer", "build Soldier", "end posting", "end attacking", "end exploring")
    play(pos, pick(pos, A, "Farmer in the field"))
    assert int(pos.state.lost[A]) == 0


# --- 11.7, 12.11 Peace: "that player cannot attack you" ---------------------------------------------


@pytest.mark.parametrize(("breaks", "targets"), [(False, {C}), (True, {B, C})])
def test_life_or_death_and_the_peace(breaks, targets):
    """12.11, 15.11: B, at peace with A, is spared; by the option it is struck like C."""
    farm_a = {"hand": ["Life or Death", "Steel"]}
    pos = farms("play", farm_a, {"peace": 1 << A}, {"farmers": 1}, options={"life_breaks_peace": breaks})
    play(pos, "play Life or Death")
    assert {seat for seat in (B, C) if f"hit Farmland of seat {seat}" in offered(pos)} == targets
    if not breaks:
        assert pos.why_not("hit Farmland of seat 1").rule == "11.7"


# --- 3.5, 3.6 "if they stay on the board and are not protecting any table cards" ------------------------


def test_farmers_who_protect_a_card_bring_nothing():
    """3.5, 15.12: one in the field, one at the Farmland and two at work bring Water; the one on the Mine does not."""
    farm = {"farmers": 1, "land_farmers": 1, "table": ["Conscription Reform", ("Mine", {"farmers": 1})]}
    farm["table"].append(("Combine Harvester", {"workers": 1}))
    assert owns(farms("explore", farm), A, water=3)
    assert owns(farms("explore", farm, options={"workers_idle": True}), A, water=2)


@pytest.mark.parametrize(("idle", "water"), [(False, 2), (True, 0)])
def test_workers_whose_card_is_gone_have_farmed(idle, water):
    """3.5, 6.1: the Harvester is destroyed; the two go home and bring their Water all the same."""
    farm_b = {"table": [("Combine Harvester", {"workers": 2})]}
    pos = farms("attack", {"soldiers": 1, "explorers": 1}, farm_b, options={"workers_idle": idle})
    play(pos, "attack with a Soldier", "hit card of seat 1 1")
    assert owns(pos, B, farming=water)


# --- 11.8 "exchange Water with any resource" ---------------------------------------------------------


def test_fire_is_a_resource():
    """11.8, 15.13: for 1 Water; 15.13 leaves it out."""
    farm = {"water": 2, "table": ["Free Market Reform"]}
    pos = farms("play", farm)
    play(pos, "use Free Market Reform", "take Fire")
    assert owns(pos, A, water=1, fire=1)
    pos = farms("play", farm, options={"no_fire_trade": True})
    play(pos, "use Free Market Reform")
    assert "take Fire" not in offered(pos)
    assert pos.why_not("take Fire").rule == "15.13"
    assert pos.why_not("begin with Fire").rule == "2.3"


# --- 1.9 "face-down": a Trap is a secret --------------------------------------------------------------


def test_a_trap_of_a_plain_back_is_a_secret():
    """1.9, 15.9: B holds a card of Religion I and has laid down one; for A either may be the Trap. Without plain backs
    the back tells.
    """
    farm_b = {"traps": ["Guard"], "hand": ["Pious", "Steel"]}
    pos = farms("play", {"hand": ["Farmer"]}, farm_b)
    names = pos.game.names["card"]
    seen = {names[int(pos.for_seat(A, seed).redeal().seats[B].traps[0])] for seed in range(30)}
    assert seen == {"Guard", "Martyrdom"}
    assert pos.view(A)["seats"][B]["backs"] == [("Resource", 1), ("Military II", 1), ("Religion I", 1)]
    pos = farms("play", {"hand": ["Farmer"]}, farm_b, options={"hidden_traps": False})
    seen = {names[int(pos.for_seat(A, seed).redeal().seats[B].traps[0])] for seed in range(30)}
    assert seen == {"Guard"}


def test_redeals_keep_every_count_of_secret_traps():
    """1.9: how many cards of each deck a seat has, and how many lie face down, stays; so does every copy."""
    farm_b = {"traps": ["Guard", "Martyrdom"], "hand": ["Pious", "Execution", "Mine"]}
    pos = farms("play", {"hand": ["Farmer"]}, farm_b, {"traps": ["Martyrdom"], "hand": ["Tithing"]})
    kinds = set()
    for seed in range(40):
        twin = pos.copy()
        twin.state = pos.for_seat(A, seed).redeal()
        assert int(pos.game.definition.check(pos.game.box, twin.state)) == 0
        assert twin.view(A) == pos.view(A)
        kinds.add(tuple(traps(twin, B) + traps(twin, C)))
    assert len(kinds) > 4


def test_setting_a_secret_trap_tells_nothing():
    """4.5: the log says that a Trap was set; with backs of their own it names the deck."""
    pos = farms("play", {"hand": ["Guard", "Steel"]})
    assert said(pos, play(pos, "play Guard")) == ["Seat 1 sets a Trap"]
    pos = farms("play", {"hand": ["Guard", "Steel"]}, options={"hidden_traps": False})
    assert said(pos, play(pos, "play Guard")) == ["Seat 1 sets a Trap from Military II"]


def test_who_might_have_the_trap_is_asked():
    """10.3: B's Trap is a Guard, but it holds a card of Military I: the others learn nothing from its being asked."""
    farm_b = {"traps": ["Guard"], "hand": ["Mine"], **BUSY}
    pos = farms("build", {"farmers": 2, "steel": 1}, farm_b, options={"traps_optional": True})
    play(pos, "build Soldier")
    assert (pos.seat, offered(pos)) == (B, {"keep"})
    pos = farms("build", {"farmers": 2, "steel": 1}, {**farm_b, "hand": ["Steel"]}, options={"traps_optional": True})
    play(pos, "build Soldier")
    assert pos.seat == A


def test_secret_traps_are_targets_one_by_one():
    """1.4: nobody can tell which is which, so each is a choice of its own."""
    pos = farms("attack", {"soldiers": 1}, {"traps": ["Guard", "Guard"]})
    play(pos, "attack with a Soldier")
    assert {"hit trap of seat 1 1", "hit trap of seat 1 2"} <= offered(pos)
    pos = farms("attack", {"soldiers": 1}, {"traps": ["Guard", "Guard"]}, options={"hidden_traps": False})
    play(pos, "attack with a Soldier")
    assert "hit trap of seat 1 2" not in offered(pos)


# --- 15.2 What counts as movement ---------------------------------------------------------------------


MOVES = [
    (
        "play",
        {"water": 2, "table": ["Free Market Reform"], "hand": ["Steel"]},
        ("use Free Market Reform", "take Steel"),
    ),
    ("play", {"water": 6, "fire": 1, "hand": ["Steel"]}, ("put out a Fire",)),
    ("play", {"water": 2, "table": ["Shared Facility"], "hand": ["Steel"]}, ("use Shared Facility", "seize seat 2 1")),
    ("attack", {"disciples": 1}, ("send a Disciple to seat 1",)),
    ("explore", {"explorers": 2}, ("explore Resource",)),
]


@pytest.mark.parametrize(("step", "farm", "actions"), MOVES, ids=[moves[-1] for *_, moves in MOVES])
def test_what_moves(step, farm, actions):
    """15.2: an exchange, a Fire put out, a card taken, a unit sent."""
    pos = farms(step, farm, {}, {"table": ["Mine", "Temple"]}, quiet=3)
    pos.state.is_stirred = 0
    play(pos, *actions)
    assert int(pos.state.is_stirred) == 1


def test_a_harvest_of_land_moves():
    """15.2: Irrigation brings Farmland, and so something has happened in this round."""
    assert int(farms("produce", {"table": ["Irrigation"], "hand": ["Lost Homeland"]}).state.is_stirred) == 1
    assert int(farms("produce", {"table": ["Water Wheel"], "hand": ["Lost Homeland"]}).state.is_stirred) == 0


# --- 15.14 Draws with Table cards ----------------------------------------------------------------------


def test_draws_without_limit_and_with():
    """11.9, 15.14: as long as the Water lasts; with the option so many in a turn."""
    farm = {"water": 9, "table": ["Explorer's Association"], "hand": ["Steel"]}
    draw = ("use Explorer's Association", "draw from Farm I")
    pos = farms("play", farm)
    play(pos, *draw, *draw, *draw, *draw)
    assert owns(pos, A, water=1)
    pos = farms("play", farm, options={"most_draws": 2})
    play(pos, *draw, *draw)
    assert "use Explorer's Association" not in offered(pos)
    assert pos.why_not("use Explorer's Association").rule == "15.14"


def test_bots_bound_their_draws():
    """11.9: after twenty draws in a turn no bot thinks of another."""
    pos = farms("play", {"water": 99, "table": ["Explorer's Association"], "hand": ["Lost Homeland"]}, n_drawn=19)
    use = "use Explorer's Association"
    weighed = {action.name for action, *_ in sutler.bot("greedy").explain(pos.for_seat(A))}
    assert use in weighed
    pos.state.n_drawn = 20
    weighed = {action.name for action, *_ in sutler.bot("greedy").explain(pos.for_seat(A))}
    assert use not in weighed


def test_a_farm_that_feeds_itself_has_an_end():
    """1.2, 11.4: a Harvester brings as much Water as there is land, up to 9,999 in all; bots prefer to win."""
    farm = {
        "land": 9000,
        "water": 5000,
        "farmers": 1,
        "table": [("Combine Harvester", {"workers": 2}), "Free Market Reform"],
    }
    pos = farms("produce", farm)
    assert owns(pos, A, water=9999)
    farm = {"land": 900, "water": 50, "farmers": 11, "table": ["Free Market Reform"]}
    pos = farms("play", farm)
    bot = sutler.bot("greedy")
    for _ in range(4):
        if not pos.over:
            pos.play(bot.choose(pos.for_seat(A)))
    assert pos.over
    assert pos.places()[A] == 1


# --- 11.7, 12.10 Peace and Karma: "cannot attack you", "attack 3 of the attacker's Farmland" --------------


@pytest.mark.parametrize("breaks", [False, True])
def test_karma_and_the_peace(breaks):
    """12.10, 15.15: A attacks B under a contract that binds B; B's Karma stays set; by the option it springs."""
    farm_b = {"traps": ["Defenseless Karma"], **BUSY}
    farm_a = {"soldiers": 4, "peace": 1 << B}
    pos = farms("attack", farm_a, farm_b, options={"karma_breaks_peace": breaks})
    for _ in range(4):
        play(pos, "attack with a Soldier", "hit Farmland of seat 1")
    if "end attacking" in offered(pos):
        play(pos, "end attacking")
    assert traps(pos, B) == ([] if breaks else ["Defenseless Karma"])
    assert owns(pos, A, land=3 if breaks else 6)


@pytest.mark.parametrize("lasts", [False, True])
def test_the_end_of_a_peace(lasts):
    """11.7, 15.16: it ends with the next turn of whoever made it; by the option never."""
    pos = farms("end", {"peace": 1 << B, **BUSY}, {"soldiers": 1, **BUSY}, active=C, options={"peace_for_good": lasts})
    turn(pos, A)
    assert bool(int(pos.state.seats[A].peace)) == lasts


# --- 3.5, 7.3 "if they stay on the board and are not protecting any table cards" --------------------------


@pytest.mark.parametrize(("idle", "water"), [(False, 2), (True, 1)])
def test_who_serves_a_cannon_farms(idle, water):
    """7.3, 8.3, 15.17: of two Farmers one serves the Cannon; both bring Water, by the option one."""
    pos = farms("attack", {"cannons": 1, "farmers": 2}, options={"crews_idle": idle})
    play(pos, "attack with a Cannon", "hit Farmland of seat 1", "end attacking")
    turn(pos, A)
    assert owns(pos, A, water=water)


# --- 12.8 "Get 1 Fire every turn" -------------------------------------------------------------------------


def test_fire_is_taken_unasked():
    """12.8, 15.18: as a Mine's Steel; the option asks (see test_cards)."""
    pos = farms("produce", {"table": ["Fire", "Mine", "Fire"], **BUSY})
    assert owns(pos, A, fire=2, steel=1)
    assert "leave the Fire" not in offered(pos)


# --- 10.1 "springs": two Traps of one seat ------------------------------------------------------------------


@pytest.mark.parametrize(("one", "left"), [(False, []), (True, ["Martyrdom"])])
def test_traps_alike_of_one_seat(one, left):
    """10.2, 15.19: a Disciple is killed; both Martyrdoms of its owner answer, by the option one."""
    farm_b = {"disciples": 1, "traps": ["Martyrdom", "Martyrdom"], **BUSY}
    pos = farms("attack", {"soldiers": 1, **BUSY}, farm_b, options={"one_of_alike": one})
    play(pos, "attack with a Soldier", pick(pos, B, "Disciple at home"))
    assert traps(pos, B) == left
    assert owns(pos, B, religion=3 * (2 - len(left)))


@pytest.mark.parametrize(("one", "built", "taken"), [(False, 3, 2), (True, 3, 1), (False, 2, 2), (False, 1, 1)])
def test_reinforcements_alike_of_one_seat(one, built, taken):
    """10.2, 12.3, 15.19: so many Soldiers are built; each Trap takes one of them, the second one too that is left."""
    farm_a = {"farmers": 4, "steel": built}
    farm_b = {"traps": ["Forced Reinforcement", "Forced Reinforcement"], **BUSY}
    pos = farms("build", farm_a, farm_b, options={"one_of_alike": one})
    play(pos, *["build Soldier"] * built)
    assert owns(pos, B, soldiers=taken)
    assert owns(pos, A, soldiers=built - taken)
    assert traps(pos, B) == ["Forced Reinforcement"] * (2 - taken)
