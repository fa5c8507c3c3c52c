"""Bounds: each price exactly, each limit exactly, and the first card of a box like any other."""

import pytest

from games.manor.table import hand, play, table
from games.manor.test_upgrade import with_first
from sutler.contract.helpers import given
from sutler.core.bits import add, clear, remove
from sutler.games.manor.box import CARD_TOKEN, PEASANTS, TOKEN_NAMES
from sutler.games.manor.phases_actions_events import R
from sutler.games.manor.rules.convert import why_not_exchange

GAME = table().game
CARDS = GAME.names["card"]
CONVERTING = [name for i, name in enumerate(CARDS) if GAME.box.card[i].convert.there == 1]


@pytest.mark.parametrize("name", CONVERTING)
def test_a_conversion_costs_what_it_says(name):
    """5.4, 6.2: with exactly the price it can be made, with one less of anything not; one peasant always stays."""
    card = CARDS.index(name)
    give = GAME.box.card[card].convert.give
    n_cards = int(give[CARD_TOKEN])
    pos = table(deck=["Stone", "Iron Ore", "Rye"])
    box, state = pos.game.box, pos.state
    me, held = state.seats[0].tokens, state.seats[0].hand
    clear(held)
    for other in range(n_cards):
        add(held, other)
    price = [int(give[token]) + (token == PEASANTS) for token in range(len(TOKEN_NAMES))]
    me[:] = price
    assert why_not_exchange(box, state, 0, card) == R.fine
    for token in range(len(TOKEN_NAMES)):
        if give[token] > 0:
            me[token] -= 1
            assert why_not_exchange(box, state, 0, card) == R.too_little
            me[token] += 1
    if n_cards:
        remove(held, 0)
        assert why_not_exchange(box, state, 0, card) == R.too_little


def test_the_first_card_of_a_box_is_traded_and_said_so():
    """4.1, 4.2: offered, asked for and handed over like any card."""
    game = with_first("Wheat")
    mine = {"hand": ["Wheat", "Corn"], "tokens": {"peasants": 2, "gold": 1}}
    other = {"hand": ["Mine"], "tokens": {"peasants": 2, "crops": 1}}
    for giver in (0, 1):
        seats = [mine, other] if giver == 0 else [other, mine]
        pos = given(game, 2, 0, seats=seats, lord=0, to_act=0, phase="offer")
        play(pos, "offer seat 1")
        play(pos, "give Wheat" if giver == 0 else "want Wheat", "send")
        told = [event.kind for event in pos.decisions[-1].told]
        assert ("offered_card" if giver == 0 else "wanted_card") in told
        play(pos, "accept")
        assert "gave_card" in [event.kind for event in pos.decisions[-1].told]
        assert ("Wheat" in hand(pos, 0), "Wheat" in hand(pos, 1)) == (giver == 1, giver == 0)


def test_heresy_takes_the_first_card_of_a_box_and_says_so():
    """3.3: every card of every hand is named."""
    mine = {"hand": ["Small Game", "Wheat"], "tokens": {"peasants": 2}}
    other = {"hand": ["Corn", "Rye"], "tokens": {"peasants": 2}}
    pos = given(with_first("Wheat"), 2, 0, seats=[mine, other], lord=0, to_act=0, phase="work", deck=["Heresy"])
    play(pos, "place Small Game")
    lost = {pos.game.names["card"][event.args[1]] for _, event in pos.told() if event.kind == "lost_card"}
    assert lost == {"Wheat", "Corn", "Rye"}
