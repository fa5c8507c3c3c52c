"""A forecast of the interlude cards that a seat has seen (8.8, 9), for bots, and which are worth a look.

The average of an event that nobody has looked ahead at is in the worth of tracks and cards (`worth.py`). A seat that has seen its
card knows which track is compared, and what its expected rank there, after all claims, will bring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import first_from
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.bot.worth import NUMBERS_NOW, change_worth, icons_worth
from sutler.games.threeyears.box import (
    BATTLE,
    DEATH,
    FOOD,
    GOLD,
    HOLDINGS,
    MARKETPLACE,
    RATS,
    REAPING,
    ROWS,
    RUIN,
    SEASONS,
    SOLDIERS,
    THIEF,
    S,
)

if TYPE_CHECKING:
    from sutler.games.threeyears.records import Box, State

NEWS = 1.0  # of what a card would bring as all stand now, what it is worth to have seen it
FADE = 0.75  # for each season that is still to come before
NO_LOOK = -1


# --- Which card comes next ---------------------------------------------------------


@rule
def year_of_next(state: State, event: int) -> int:
    """9.1: the year in which the event's next card is turned up, which is also the card's place in its deck."""
    if state.season > event or (state.season == event and state.card != NOBODY):
        return int(state.year) + 1
    return int(state.year)


@rule
def seasons_on(state: State, event: int) -> int:
    """The number of seasons between now and the event's next card."""
    return (int(year_of_next(state, event)) - state.year) * SEASONS + event - state.season


@rule
def has_seen_next(state: State, viewer: int, event: int) -> bool:
    """8.8: does this seat know the event's next card?"""
    return int(state.seats[viewer].seen_cards[event]) >> year_of_next(state, event) & 1 == 1


@rule
def worth_looking_at(box: Box, state: State, seat: int) -> int:
    """8.8: the event with the nearest card that the seat does not know and can still prepare for; NO_LOOK: none.

    For the event of this very season it is too late, the claims are drafted. What else a look can show cannot be acted on: not the
    tokens of others, and of the own Despair only how much Hope is worth.
    """
    for n in range(1, SEASONS):
        event = int(state.season + n) % SEASONS
        if year_of_next(state, event) < box.options.years and not has_seen_next(state, seat, event):
            return event
    return NO_LOOK


# --- How all are likely to stand ----------------------------------------------------


@rule
def still_due(box: Box, state: State, seat: int, icon: int) -> int:
    """7.2: how often an icon stands on what the seat has still to resolve of its claim."""
    me = state.seats[seat]
    if me.claim == NOBODY or state.stage > S.claims:
        return 0
    if state.stage == S.claims and (me.marker < state.kth + 1 or (me.marker == state.kth + 1 and state.step >= 2)):
        if state.actor == seat:
            return int(state.due[icon])
        return 0
    n = int(box.claim[state.offer[me.claim]].icons[icon])
    card = first_from(state.tied[me.claim], 0)
    while card >= 0:
        n += box.card[card].symbols[icon]
        card = first_from(state.tied[me.claim], card + 1)
    return n


@rule
def level_ahead(box: Box, state: State, seat: int, track: int) -> int:
    """The level of the seat on a track after its claim."""
    n = state.seats[seat].tracks[track] + still_due(box, state, seat, track)
    if track == GOLD:
        n += still_due(box, state, seat, THIEF)
    elif track == SOLDIERS:
        n -= still_due(box, state, seat, DEATH)
    elif track == FOOD:
        n -= still_due(box, state, seat, RATS)
    else:
        n -= still_due(box, state, seat, RUIN)
    return max(0, min(int(box.rules.track_max), int(n)))


# --- What a card brings --------------------------------------------------------------


@rule
def market_worth(box: Box, state: State, seat: int, card: int, share: float) -> float:
    """9.2: what the seat would gain by buying."""
    gold = level_ahead(box, state, seat, GOLD)
    total = 0.0
    for row in range(ROWS):
        price = int(box.market[card].rows[row].price)
        gain = icons_worth(box, state, NUMBERS_NOW, seat, box.market[card].rows[row].gain, share)
        gain += share * change_worth(box, NUMBERS_NOW, gold, -price, 0.0)
        if price <= gold and gain > 0.0:
            total += gain
            gold -= price
    return total


@rule
def battle_worth(box: Box, state: State, seat: int, card: int, share: float) -> float:
    """9.3, 9.4: what the seat gains as first, second or last of those compared."""
    track = int(box.battle[card].compare)
    mine = level_ahead(box, state, seat, track)
    above = 0  # how many different values are higher
    most = mine
    below = 0
    for other in range(state.n_seats):
        n = level_ahead(box, state, other, track)
        if n > mine and above == 0:
            above = 1
            most = n
        elif n > mine and n != most:
            above = 2
        elif n < mine:
            below += 1
    if above == 0:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.battle[card].first, share)
    if above == 1:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.battle[card].second, share)
    if below == 0:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.battle[card].last, share)
    return 0.0


@rule
def reaping_worth(box: Box, state: State, seat: int, card: int, share: float) -> float:
    """9.5, 9.6: what the seat gains: a Despair for less food than what is compared; for more, the better exchange, once."""
    food = level_ahead(box, state, seat, FOOD)
    other = level_ahead(box, state, seat, int(box.reaping[card].compare))
    if food < other:
        return -1.0 * box.mean_despair
    best = 0.0
    price = int(box.reaping[card].pay_food)
    if food > other and food >= price:
        for offer in range(box.reaping[card].n_offers):
            gain = icons_worth(box, state, NUMBERS_NOW, seat, box.reaping[card].offers[offer], share)
            best = max(best, gain + share * change_worth(box, NUMBERS_NOW, food, -price, 0.0))
    return best


@rule
def bitter_worth(box: Box, state: State, seat: int, card: int, share: float) -> float:
    """9.7: what the seat gains with more holdings than what is compared, as many, or fewer."""
    mine = level_ahead(box, state, seat, HOLDINGS)
    other = level_ahead(box, state, seat, int(box.bitter[card].compare))
    if mine > other:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.bitter[card].more, share)
    if mine == other:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.bitter[card].equal, share)
    return icons_worth(box, state, NUMBERS_NOW, seat, box.bitter[card].fewer, share)


@rule
def event_worth(box: Box, state: State, seat: int, event: int, card: int, share: float) -> float:
    """9: what a card would bring the seat, with everybody's expected levels after their claims."""
    if event == MARKETPLACE:
        return market_worth(box, state, seat, card, share)
    if event == BATTLE:
        return battle_worth(box, state, seat, card, share)
    if event == REAPING:
        return reaping_worth(box, state, seat, card, share)
    return bitter_worth(box, state, seat, card, share)


@rule
def seen_cards_worth(box: Box, state: State, seat: int, viewer: int, share: float) -> float:
    """The expected worth to a seat of the cards that the viewer has seen, later ones counting less."""
    total = 0.0
    for event in range(SEASONS):
        if has_seen_next(state, viewer, event):
            year = year_of_next(state, event)
            if year < box.options.years:
                worth = event_worth(box, state, seat, event, int(state.interludes[event, year]), share)
                total += NEWS * worth * FADE ** (1.0 * seasons_on(state, event))
    return total
