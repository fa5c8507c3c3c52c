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
    """While the farms are small a card of level III is better than a Resource; at the end it is not."""
    waits = {"farmers": 1, "water": 1}  # so that the game stops before the card is drawn
    arms = {"explorers": 1, "soldiers": 4, "cannons": 1}
    assert chosen(farms("explore", {"land": 8, **arms}, waits)) == "explore Military III"
    assert chosen(farms("explore", {"land": 12, "farmers": 9, **arms}, waits)) == "explore Resource"


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
