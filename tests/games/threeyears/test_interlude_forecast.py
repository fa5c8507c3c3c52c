"""What bots make of interlude cards that they have seen (8.8, 9; `interlude_forecast.py`)."""

import pytest

from sutler.games.threeyears.bot.evaluate import evaluate
from sutler.games.threeyears.bot.interlude_forecast import event_worth, expected_track_level, seen_cards_worth
from sutler.games.threeyears.box import CARDS, ICON_NAMES

from .table import GAME, blank, drafting, names_of, offer

BOX = GAME.box


def next_card(state, card):
    """This card is the next of its event; returns which event that is."""
    event, number = divmod(names_of(GAME, "interlude").index(card), CARDS)
    deck = state.interludes[event]
    place = list(deck).index(number)
    deck[place], deck[state.year] = deck[state.year], number
    return event


def worth(card, seat, season, **tracks):
    """What the card would bring a seat, in points, its tracks being worth nothing: renown and Despair alone."""
    state = blank(3, season=season, **tracks)
    event = next_card(state, card)
    return event_worth(BOX, state, seat, event, int(state.interludes[event, state.year]), 0.0)


@pytest.mark.parametrize(
    ("soldiers", "points"),
    [([6, 5, 4], [3, 1, -1]), ([5, 5, 5], [3, 3, 3]), ([6, 4, 4], [3, 1, 1]), ([4, 6, 6], [1, 3, 3])],
)
def test_a_battle_ranks_as_the_rules_do(soldiers, points):
    """9.3, 9.4: No Quarter Given: 3 renown, 1 renown, a Despair; level are level."""
    found = [worth("No Quarter Given", seat, "summer", soldiers=soldiers) for seat in range(3)]
    assert found == pytest.approx([n if n > 0 else -BOX.mean_despair for n in points])


def test_a_battle_has_a_middle_that_gets_nothing():
    """9.4: neither second nor last."""
    state = blank(4, season="summer", soldiers=[7, 6, 5, 4])
    event = next_card(state, "No Quarter Given")
    assert event_worth(BOX, state, 2, event, int(state.interludes[event, 0]), 0.0) == 0.0


def test_less_food_costs_a_despair():
    """9.5."""
    assert worth("Bread before Banners", 0, "autumn", food=[3], soldiers=[4]) == pytest.approx(-BOX.mean_despair)
    assert worth("Bread before Banners", 0, "autumn", food=[4], soldiers=[4]) == 0.0


def test_holdings_shelter():
    """9.7: The Longest Night: a Hope for more than soldiers, a Despair for fewer."""
    more, equal, fewer = (worth("The Longest Night", 0, "winter", holdings=[5], soldiers=[n]) for n in (4, 5, 6))
    assert more > equal == 0.0 > fewer


def test_who_has_seen_the_card_reckons_with_it_after_the_claims():
    """7.2, 8.8: two soldiers on the own claim make it first; only who has seen the card knows that soldiers are compared."""
    state = blank(3, season="summer", soldiers=[5, 6, 3])
    offer(state, "Deserters Come In", "Walls before Harvest")
    drafting(state)
    event = next_card(state, "No Quarter Given")
    share = {}
    for seen in (False, True):
        state.seats[0].seen_cards[event] = seen << state.year
        for slot in (0, 1):
            state.seats[0].claim, state.taker[:] = slot, -1
            state.taker[slot] = 0
            share[seen, slot] = evaluate(BOX, state, 0)
            assert expected_track_level(BOX, state, 0, ICON_NAMES.index("soldiers")) == (7, 5)[slot]
    assert share[True, 0] - share[True, 1] > share[False, 0] - share[False, 1] + 1.5
    assert seen_cards_worth(BOX, state, 1, 1, 1.0) == 0.0
