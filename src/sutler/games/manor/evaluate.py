"""What a position is worth to a seat, for bots that look one move ahead; documented in the game's README.

Values are in victory tokens. They were set by hand from what things cost and bring, then tuned by matches of greedy
bots.
"""

from __future__ import annotations

from sutler.core.bits import count, first_from
from sutler.core.rule import rule
from sutler.games.manor.box import PEASANTS, TOKENS, VICTORY
from sutler.games.manor.rules.ending import hand_limit
from sutler.games.manor.scoring import end_value
from sutler.games.manor.state import FEEDING_PHASE, OVER, food_of, holder

HORIZON = 5.0  # turns an upgrade is expected to serve
TOKEN_WORTH = (0.20, 0.20, 0.22, 0.22, 1.0, 2.2)
CARD_WORTH = 0.25
EXTRA_CARD_WORTH = 0.05
HUNGER_WORTH = 2.5


@rule
def upgrade_worth(box, card, turns):
    """An upgrade's gains over the turns it will serve, its conversion and its lasting effects."""
    one = box.card[card]
    worth = 0.0
    for token in range(TOKENS):
        worth += one.gain[token] * TOKEN_WORTH[token] * turns
    if one.converts == 1:
        worth += 0.12 * turns
        if one.get[VICTORY] > 0:
            worth += 0.35 * turns
    return worth + one.hand_size * 0.08 * turns + one.discount * 0.15 * turns


@rule
def holdings(box, state, seat):
    """What a seat owns, in victory tokens."""
    me = state.seats[seat]
    worth = 1.0 * me.tokens[VICTORY]
    if state.phase == OVER:
        return worth
    left = box.options.victory - me.tokens[VICTORY]
    for other in range(state.n_seats):
        left = min(left, box.options.victory - state.seats[other].tokens[VICTORY])
    turns = min(HORIZON, 0.5 + left * 0.45)
    worth += end_value(box, state, seat)
    for token in range(TOKENS):
        if token != VICTORY and token != PEASANTS:
            n = me.tokens[token]
            worth += TOKEN_WORTH[token] * min(n, 8) + 0.05 * max(n - 8, 0)
    worth += (me.tokens[PEASANTS] - 1) * TOKEN_WORTH[PEASANTS] * min(1.0, turns / 3.0)
    hungry = me.tokens[PEASANTS] - 1 - food_of(state, seat)
    if hungry > 0 and state.stage < FEEDING_PHASE:
        worth -= HUNGER_WORTH * 0.6
    hand = count(state.seats[holder(box, seat)].hand)
    limit = hand_limit(box, state, seat)
    worth += CARD_WORTH * min(hand, limit) + EXTRA_CARD_WORTH * max(hand - limit, 0)
    worth += 0.3 * me.extra_next
    card = first_from(me.upgrades, 0)
    while card >= 0:
        worth += upgrade_worth(box, card, turns)
        card = first_from(me.upgrades, card + 1)
    return worth


@rule
def evaluate(box, state, seat):
    """How far a seat is ahead: its own holdings less the best of the others'."""
    best = -1000.0
    for other in range(state.n_seats):
        if other != seat:
            best = max(best, holdings(box, state, other))
    return holdings(box, state, seat) - 0.5 * best
