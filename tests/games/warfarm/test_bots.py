"""What the bots know of WARFARM: what they need not think about, and what their values should prefer."""

import sutler
from games.warfarm.farms import A, farms


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


def test_an_early_card_is_worth_more_than_a_late_one():
    """While the farms are small Farm I, with its cards for every turn, is better than one Resource; at the end it is not."""
    waits = {"farmers": 1, "water": 1}  # so that the game stops before the card is drawn
    assert chosen(farms("explore", {"explorers": 1, "farmers": 3}, waits)) == "explore Farm I"
    late = {"land": 11, "explorers": 1, "farmers": 10}
    assert chosen(farms("explore", late, waits)) == "explore Resource"
