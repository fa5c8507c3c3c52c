"""What the bots know of WARFARM: what they need not think about, and what their values should prefer."""

import itertools

import sutler
from games.warfarm.farms import A, B, C, farms
from sutler.games.warfarm.bot import evaluate, threats
from sutler.games.warfarm.bot import worth as worth_module


def thought_about(pos):
    """The actions that the greedy bot weighs."""
    return {action.name for action, *_ in sutler.bot("greedy").explain(pos.for_seat(A))}


def chosen(pos):
    """The greedy bot's choice."""
    return sutler.bot("greedy").choose(pos.for_seat(A)).name


def test_what_only_brings_something_is_played():
    pos = farms("play", {"hand": ["Mine", "Peace Contract"], "water": 3})
    assert thought_about(pos) == {"play Mine"}
    pos = farms("play", {"hand": ["Peace Contract"], "water": 3})
    assert thought_about(pos) == {"play Peace Contract", "end playing"}


def test_the_order_counts_while_something_doubles():
    pos = farms("play", {"hand": ["Steel", "Farmland", "Resource Management"]})
    assert thought_about(pos) >= {"play Steel", "play Farmland", "play Resource Management"}


def test_an_explorer_at_home_is_sent_out():
    pos = farms("explore", {"explorers": 1, "farmers": 3})
    assert thought_about(pos) == {"explore Resource", "explore Farm I"}


def test_a_win_at_hand_is_taken():
    assert chosen(farms("play", {"land": 12, "farmers": 11, "hand": ["Wild"]})) == "play Wild"
    assert chosen(farms("attack", {"soldiers": 2}, {"land": 1}, {"land": 0})) == "attack with a Soldier"


def test_a_search_wins_rather_than_stay_sure_of_it():
    """14.2: the last Farmland of the last opponent is taken, however good things stand if it is left for another day."""
    cards = {"table": ["Mine"], "hand": ["Farmer", "Farmland", "Wild", "Wild", "Wild"]}
    pos = farms("attack", {"land": 7, "soldiers": 2, "returning": 5, **cards}, {"land": 1}, {"land": 0})
    rows = sutler.bot("search", rounds=400).explain(pos.for_seat(A))
    worth = {action.name: payoff for action, payoff, _ in rows}
    assert rows[0][0].name == "attack with a Soldier"
    assert worth["attack with a Soldier"] >= worth["end attacking"]


def test_an_early_card_is_worth_more_than_a_late_one():
    """While the farms are small a card of level II (Active Troops, Mercenaries) is better than a Resource; at the end it is not."""
    waits = {"farmers": 1, "water": 1}  # so that the game stops before the card is drawn
    arms = {"explorers": 1, "soldiers": 4, "cannons": 1}
    assert chosen(farms("explore", {"land": 8, **arms}, waits)) == "explore Military II"
    assert chosen(farms("explore", {"land": 12, "farmers": 10, **arms}, waits)) == "explore Resource"


def test_what_saves_a_farm_is_kept():
    """9.2: with more cards than Farmland, the Farmland in the hand is not thrown away: it makes room next turn."""
    pos = farms("end", {"land": 2, "hand": ["Farmland", "Steel", "Execution"]}, {"farmers": 1, "water": 1})
    assert thought_about(pos) == {"discard Steel", "discard Execution"}


def test_raids_go_where_nobody_stops_them():
    """3.2, 7.6: the Disciple goes to C; B has Soldiers at home."""
    pos = farms("attack", {"disciples": 1, "farmers": 2}, {"guards": 2, "farmers": 2}, {"farmers": 2, "water": 1})
    assert chosen(pos) == "send a Disciple to seat 2"


def test_guests_are_killed():
    """7.6: a guard that can kill a guest does."""
    pos = farms("attack", {"guards": 1, "farmers": 2}, {"visiting": {A: 1}, "farmers": 2}, {"farmers": 2})
    assert chosen(pos) == "strike from Farmland"


def test_the_first_hands_are_held_dear():
    """3.5: the first Farmers, or Explorers who will be Farmers again, keep Water coming in; a third is worth what he works."""
    boxes = [farms("build", {"farmers": n}) for n in range(4)] + [farms("build", {"farmers": 1, "explorers": 1})]
    worth = [evaluate.farm_worth(pos.game.box, pos.state, A) for pos in boxes]
    more = [after - before for before, after in itertools.pairwise(worth[:4])]
    parts = [min(1.0, max(0.0, evaluate.FIRST_FEW_HANDS - n)) for n in range(3)]
    assert parts[0] == 1.0
    assert parts[2] == 0.0
    assert [round(one - evaluate.HAND, 6) for one in more] == [round(part * evaluate.FIRST_HANDS, 6) for part in parts]
    assert worth[4] == worth[2]


# --- What a farm has to fear (threats.py) ---


def feared(*of):
    """The Farmland that A may lose before its next turn."""
    return threats.expected_hits(farms("end", *of).state, A)


def test_open_farms_share_what_may_strike_them():
    """7.2: B's three Soldiers, home or returning, may come to A or to C; those on guard stay where they are."""
    assert feared({"land": 6}, {"soldiers": 2, "returning": 1, "guards": 4}, {}) == 1.5


def test_a_struck_farm_is_no_safer_for_it():
    """7.2: attacks for which no Farmland is left are feared as well, so that striking it never helps its owner."""
    farm = [
        threats.cost_of_expected_hits(farms("end", {"land": land}, {"soldiers": 6}, {}).state, A) for land in (6, 3, 1)
    ]
    assert farm[0] < farm[1] < farm[2]


def test_nobody_guards_in_a_turn_of_surprise_and_nobody_strikes_in_peace():
    """11.7, 12.9: what a Once card does for a turn is seen in what a farm has to fear."""
    state = farms("attack", {"guards": 2}, {"soldiers": 4}, {"land": 0}).state
    assert threats.expected_hits(state, A) == 2.0
    state.seats[A].peace = 1 << B
    assert threats.expected_hits(state, A) == 0.0
    state.seats[A].peace, state.is_surprise, state.to_act = 0, 1, A
    assert threats.n_guards(state, A) == 2.0
    state.to_act = B
    assert threats.expected_hits(state, A) == 4.0


# --- What armies and victories are worth ---


def test_an_army_is_worth_less_beyond_what_is_needed():
    """As many as the strongest neighbour can attack with, and a few: a further Soldier is worth `SOLDIER_MORE`."""
    them = {"soldiers": 3}
    many = [farms("end", {"land": 20, "guards": n}, them, {}) for n in range(12)]
    worth = [worth_of_units(pos) for pos in many]
    more = [round(after - before, 6) for before, after in itertools.pairwise(worth)]
    assert more[0] == worth_module.SOLDIER_EACH
    assert more[-1] == worth_module.SOLDIER_MORE
    assert worth_module.SOLDIER_MORE < worth_module.SOLDIER_EACH


def worth_of_units(pos):
    """What A's units are worth."""
    return worth_module.units_worth(pos.game.box, pos.state, A, 1.0)


def test_a_victory_is_worth_more_the_nearer_and_the_safer_it_is():
    """14.1, 14.3: by what is missing; what may strike the farm before its next turn puts it off."""
    near = [farms("end", {"land": 12, "farmers": n}, {}, {}) for n in (4, 8, 11)]
    worth = [evaluate.own_victories_worth(pos.game.box, pos.state, A) for pos in near]
    assert worth[0] < worth[1] < worth[2]
    pos = farms("end", {"land": 12, "farmers": 11}, {"soldiers": 6}, {})
    assert evaluate.own_victories_worth(pos.game.box, pos.state, A) < worth[2] / 2
    pray = [farms("end", {"land": 10, "disciples": n, "religion": 9}, {}, {}) for n in (4, 9)]
    worth = [evaluate.own_victories_worth(pos.game.box, pos.state, A) for pos in pray]
    assert worth[0] < worth[1] / 2


def test_of_two_left_each_gains_what_the_other_loses():
    """14.2: nobody else is there to gain by it."""
    pos = farms("end", {"land": 6}, {"land": 6}, {"land": 0})
    time = evaluate.share_of_game_left_by_farms_and_armies(pos.game.box, pos.state)
    assert evaluate.rivals_worth(pos.game.box, pos.state, A, time) == evaluate.DUEL * evaluate.total_worth(
        pos.game.box, pos.state, B, time
    )


def test_attacks_go_where_fewer_guards_stand():
    """7.8: with a guard A is spared most of them, and what comes must beat him first."""
    spared = threats.SPARED_SHARE * 10 - 1
    assert abs(feared({"guards": 1}, {"soldiers": 10}, {}) - spared) < 1e-9
    assert abs(feared({"land": 9}, {"soldiers": 10}, {"guards": 1}) - (1 - threats.SPARED_SHARE) * 10) < 1e-9


def test_whoever_is_left_alone_with_an_army_fears_all_of_it():
    """14.5: nobody else is there to be struck."""
    assert feared({"guards": 1}, {"soldiers": 4}, {"land": 0}) == 3.0


def test_what_can_be_built_and_sent_at_once_is_feared():
    """5.1: a Farmer with a Steel; Cannons strike twice, with a Farmer each; Active Troops strike from their posts."""
    assert abs(feared({}, {"farmers": 2, "steel": 3}, {}) - 0.5 * 2 * threats.RECRUIT) < 1e-9
    assert threats.n_attacks_next_turn(farms("end", {"cannons": 2, "farmers": 1}, {}, {}).state, A) == 2.0
    assert threats.n_attacks_next_turn(farms("end", {"guards": 2, "table": ["Active Troops"]}, {}, {}).state, A) == 2.0


def test_an_army_counts_beyond_the_fewest_guards():
    """7.8: when all are guarded, the weakest guard is what must be broken; an open farm is what it plunders anyway."""
    guarded = farms("end", {"soldiers": 3}, {"guards": 2}, {"guards": 1}).state
    assert threats.spare_attacks_worth(guarded, A) == 2 * threats.BREACH
    assert threats.spare_attacks_worth(farms("end", {"soldiers": 3}, {"guards": 2}, {}).state, A) == 0.0


def test_how_near_a_seat_is_to_being_the_last():
    """14.2: by what the others have left, up to twelve."""
    state = farms("end", {}, {"land": 2}, {"land": 1}).state
    assert threats.share_of_arms_victory(state, A) == 0.75
    assert threats.share_of_arms_victory(state, B) == 1 - 7 / 12
    assert threats.share_of_arms_victory(state, C) == 1 - 8 / 12


def test_a_settler_gathers_hands_for_the_dearest_farm_deck():
    """5.1, 8.2: Explorers until there are more hands than Farm III asks for; then five Farmers stay, and the rest goes there."""

    def does(pos):
        return sutler.bot("settler").choose(pos.for_seat(A)).name

    assert does(farms("build", {"land": 12, "farmers": 5, "water": 4})) == "build Explorer"
    assert does(farms("build", {"land": 12, "farmers": 6, "water": 4})) == "build Explorer"
    assert does(farms("build", {"land": 12, "farmers": 5, "explorers": 1, "water": 4})) == "end building"
    armed = {"soldiers": 4, "cannons": 1, "explorers": 1, "land": 12}
    assert does(farms("explore", {"farmers": 5, **armed})) == "explore Farm III"
