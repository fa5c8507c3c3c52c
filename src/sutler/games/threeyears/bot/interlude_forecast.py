"""A forecast of the interlude cards that a seat has seen as a scout (8.8), for bots, and the choice of the card to look at.

The average of an event whose card the seat has not seen is part of the worth of tracks and cards (`worth.py`). A seat that has seen the
card knows which track is compared, and what its expected rank on it, after all claims, will bring. `share` is the share (0 to 1) of their
full worth that tracks still have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import first_from
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.threeyears.bot.worth import NUMBERS_NOW, icons_worth, worth_of_track_steps
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

NEWS = 1.0  # the share of what a seen card would bring as all seats stand now that knowing it is worth
FADE = 0.75  # the factor for each season that comes before the card
NO_LOOK = -1


# --- The next card of an event -----------------------------------------------------


@rule
def year_of_next_card(state: State, event: int) -> int:
    """The year (from 0) in which the next card of an event is turned up; the number is also the card's place in its deck (9.1)."""
    if state.season > event or (state.season == event and state.card != NOBODY):
        return int(state.year) + 1
    return int(state.year)


@rule
def n_seasons_until_next_card(state: State, event: int) -> int:
    """The number of seasons from now until the next card of an event is turned up."""
    return (int(year_of_next_card(state, event)) - state.year) * SEASONS + event - state.season


@rule
def has_seen_next_card(state: State, viewer: int, event: int) -> bool:
    """Has the seat `viewer` seen the next card of an event as a scout (8.8)?"""
    return int(state.seats[viewer].seen_cards[event]) >> year_of_next_card(state, event) & 1 == 1


@rule
def best_event_to_look_at(box: Box, state: State, seat: int) -> int:
    """The event whose next card comes soonest, is not known to the seat, and can still be prepared for (8.8); NO_LOOK if there is none.

    For the event of the current season it is too late, because the claim cards are drafted. Looks at tokens are not considered: others'
    tokens cannot be acted on, and a seat's own Despair tells only how much Hope is worth.
    """
    for n in range(1, SEASONS):
        event = int(state.season + n) % SEASONS
        if year_of_next_card(state, event) < box.options.years and not has_seen_next_card(state, seat, event):
            return event
    return NO_LOOK


# --- The expected levels of all seats ----------------------------------------------


@rule
def n_icons_still_due(box: Box, state: State, seat: int, icon: int) -> int:
    """The number of times that an icon stands on the part of a seat's claim that is still to be resolved (7.2)."""
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
def expected_track_level(box: Box, state: State, seat: int, track: int) -> int:
    """The expected level of a seat on a track after it has resolved its claim."""
    n = state.seats[seat].tracks[track] + n_icons_still_due(box, state, seat, track)
    if track == GOLD:
        n += n_icons_still_due(box, state, seat, THIEF)
    elif track == SOLDIERS:
        n -= n_icons_still_due(box, state, seat, DEATH)
    elif track == FOOD:
        n -= n_icons_still_due(box, state, seat, RATS)
    else:
        n -= n_icons_still_due(box, state, seat, RUIN)
    return max(0, min(int(box.rules.track_max), int(n)))


# --- The worth of a card -----------------------------------------------------------


@rule
def market_worth(box: Box, state: State, seat: int, card: int, share_left: float) -> float:
    """The worth of a Marketplace card to a seat, in points: the gain from buying there (9.2)."""
    gold = expected_track_level(box, state, seat, GOLD)
    total = 0.0
    for row in range(ROWS):
        price = int(box.market[card].rows[row].price)
        gain = icons_worth(box, state, NUMBERS_NOW, seat, box.market[card].rows[row].gain, share_left)
        gain += share_left * worth_of_track_steps(box, NUMBERS_NOW, gold, -price, 0.0)
        if price <= gold and gain > 0.0:
            total += gain
            gold -= price
    return total


@rule
def battle_worth(box: Box, state: State, seat: int, card: int, share_left: float) -> float:
    """The worth of a Field of Battle card to a seat, in points, by the place that the seat is expected to reach (9.3, 9.4)."""
    track = int(box.battle[card].compare)
    mine = expected_track_level(box, state, seat, track)
    above = 0  # the number of different higher values, at most 2
    most = mine
    below = 0
    for other in range(state.n_seats):
        n = expected_track_level(box, state, other, track)
        if n > mine and above == 0:
            above = 1
            most = n
        elif n > mine and n != most:
            above = 2
        elif n < mine:
            below += 1
    if above == 0:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.battle[card].first, share_left)
    if above == 1:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.battle[card].second, share_left)
    if below == 0:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.battle[card].last, share_left)
    return 0.0


@rule
def reaping_worth(box: Box, state: State, seat: int, card: int, share_left: float) -> float:
    """The worth of a Reaping card to a seat, in points: a Despair if food is the resource it has less of, else one exchange (9.5, 9.6)."""
    food = expected_track_level(box, state, seat, FOOD)
    other = expected_track_level(box, state, seat, int(box.reaping[card].compare))
    if food < other:
        return -1.0 * box.mean_despair
    best = 0.0
    price = int(box.reaping[card].pay_food)
    if food > other and food >= price:
        for offer in range(box.reaping[card].n_offers):
            gain = icons_worth(box, state, NUMBERS_NOW, seat, box.reaping[card].offers[offer], share_left)
            best = max(best, gain + share_left * worth_of_track_steps(box, NUMBERS_NOW, food, -price, 0.0))
    return best


@rule
def bitter_months_worth(box: Box, state: State, seat: int, card: int, share: float) -> float:
    """The worth of a Bitter Months card to a seat, in points (9.7).

    The card compares the seat's Holdings with another of its tracks; the seat gets what the card gives for more, equal or fewer.
    """
    mine = expected_track_level(box, state, seat, HOLDINGS)
    other = expected_track_level(box, state, seat, int(box.bitter[card].compare))
    if mine > other:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.bitter[card].more, share)
    if mine == other:
        return icons_worth(box, state, NUMBERS_NOW, seat, box.bitter[card].equal, share)
    return icons_worth(box, state, NUMBERS_NOW, seat, box.bitter[card].fewer, share)


@rule
def event_worth(box: Box, state: State, seat: int, event: int, card: int, share_left: float) -> float:
    """The worth of an interlude card to a seat, in points, if all seats are at the levels expected of them (guide 9)."""
    if event == MARKETPLACE:
        return market_worth(box, state, seat, card, share_left)
    if event == BATTLE:
        return battle_worth(box, state, seat, card, share_left)
    if event == REAPING:
        return reaping_worth(box, state, seat, card, share_left)
    return bitter_months_worth(box, state, seat, card, share_left)


@rule
def seen_cards_worth(box: Box, state: State, seat: int, viewer: int, share_left: float) -> float:
    """The expected worth to a seat of the interlude cards that `viewer` has seen, in points; cards that come later count less."""
    total = 0.0
    for event in range(SEASONS):
        if has_seen_next_card(state, viewer, event):
            year = year_of_next_card(state, event)
            if year < box.options.years:
                worth = event_worth(box, state, seat, event, int(state.interludes[event, year]), share_left)
                total += NEWS * worth * FADE ** (1.0 * n_seasons_until_next_card(state, event))
    return total
