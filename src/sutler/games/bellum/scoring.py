"""Negotiation scores, ties and who wins (guide 13; alliances 14.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import ALL_ALLIED, NO_ALLIES, ONE_ALLIANCE, POWERS
from sutler.games.bellum.state import BY_SIEGES, NOT_ENDED, ally_of, is_enemy, is_in_play, tokens_on_board
from sutler.games.bellum.table import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.bellum.records import Box, State

BEYOND_SCORES = 100
"""More than any negotiation score."""

# --- Powers ------------------------------------------------------------------


@rule
def tokens_won(state: State, power: int) -> int:
    """13.4: how many enemy HQ tokens a power holds."""
    n = 0
    for other in range(POWERS):
        n += int(state.powers[power].held) >> other & 1
    return n


@rule
def tokens_lost(state: State, power: int) -> int:
    """13.4: how many others hold this power's token."""
    n = 0
    for other in range(POWERS):
        n += int(state.powers[other].held) >> power & 1
    return n


@rule
def level_of(state: State, power: int) -> int:
    """13.4: the higher of supply and strength."""
    return max(int(state.powers[power].supply), int(state.powers[power].strength))


@rule
def power_score(box: Box, state: State, power: int) -> int:
    """13.4: the higher level, 2 for each enemy token held, less 2 for each own token held by others."""
    return level_of(state, power) + int(box.rules.token_value) * (tokens_won(state, power) - tokens_lost(state, power))


@rule
def has_all_tokens(box: Box, state: State, power: int) -> bool:
    """13.1: a token of every enemy in play; allies count together (14.12)."""
    held = int(state.powers[power].held)
    ally = ally_of(box, state, power)
    if ally != NOBODY:
        held |= int(state.powers[ally].held)
    for other in range(POWERS):
        if is_enemy(box, state, power, other) and not held >> other & 1:
            return False
    return True


# --- Seats -------------------------------------------------------------------


@rule
def power_of(state: State, seat: int) -> int:
    """The first power this seat leads."""
    for power in range(POWERS):
        if state.seat_of[power] == seat:
            return power
    return NOBODY


@rule
def does_count(box: Box, state: State, power: int, ally: int) -> bool:
    """14.7: does this power of the one alliance of three seats count, and not its ally?

    The higher of supply and strength; if level the better score, then more tokens on the board.
    """
    if level_of(state, power) != level_of(state, ally):
        return level_of(state, power) > level_of(state, ally)
    if power_score(box, state, power) != power_score(box, state, ally):
        return power_score(box, state, power) > power_score(box, state, ally)
    return tokens_on_board(box, state, power) >= tokens_on_board(box, state, ally)


@rule
def counted_for(box: Box, state: State, seat: int) -> tuple[int, int]:
    """14.7, 14.12: the powers whose score and tokens count for a seat: its power and an ally's too; NOBODY where only one counts."""
    power = power_of(state, seat)
    ally = ally_of(box, state, power)
    if ally == NOBODY or state.allied == ALL_ALLIED:
        return power, ally
    if does_count(box, state, power, ally):
        return power, NOBODY
    return ally, NOBODY


@rule
def seat_score(box: Box, state: State, seat: int) -> int:
    """13.4, 14.12: a power's score; an alliance's sum; but one alliance among three seats counts its stronger power."""
    power, ally = counted_for(box, state, seat)
    if ally == NOBODY:
        return power_score(box, state, power)
    return power_score(box, state, power) + power_score(box, state, ally)


@rule
def seat_tokens(box: Box, state: State, seat: int) -> int:
    """13.5, 14.12: own tokens on the board, an ally's too; 14.7: but of one alliance those of the power that counts."""
    power, ally = counted_for(box, state, seat)
    if ally == NOBODY:
        return tokens_on_board(box, state, power)
    return tokens_on_board(box, state, power) + tokens_on_board(box, state, ally)


@rule
def has_won_by_sieges(box: Box, state: State, seat: int) -> bool:
    """13.1: is this the seat, or an ally of the power, that besieged every enemy HQ?"""
    if state.ending != BY_SIEGES:
        return False
    power = power_of(state, seat)
    ally = ally_of(box, state, power)
    return state.winner == power or (ally != NOBODY and state.winner == ally)


@rule
def is_barred(box: Box, state: State, seat: int) -> bool:
    """14.7: is this seat barred from winning? The one alliance of three seats is, once a power of it is broken."""
    if state.allied != ONE_ALLIANCE:
        return False
    power = power_of(state, seat)
    ally = ally_of(box, state, power)
    return ally != NOBODY and (state.powers[power].is_broken == 1 or state.powers[ally].is_broken == 1)


@rule
def is_same_side(box: Box, state: State, a: int, b: int) -> bool:
    """Do two seats play for one alliance?"""
    return state.allied != NO_ALLIES and ally_of(box, state, power_of(state, a)) == power_of(state, b)


@rule
def is_ahead(box: Box, state: State, a: int, b: int) -> bool:
    """13: is one seat ahead of another: by sieges; then by score; then by tokens on the board? A barred alliance is behind all (14.7)."""
    if has_won_by_sieges(box, state, a) != has_won_by_sieges(box, state, b):
        return has_won_by_sieges(box, state, a)
    if is_barred(box, state, a) != is_barred(box, state, b):
        return is_barred(box, state, b)
    if seat_score(box, state, a) != seat_score(box, state, b):
        return seat_score(box, state, a) > seat_score(box, state, b)
    return seat_tokens(box, state, a) > seat_tokens(box, state, b)


@rule
def is_sole_winner(box: Box, state: State, a: int, b: int) -> bool:
    """14.12: does an ally with at least twice the other's score take the alliance's victory alone?"""
    mine = power_score(box, state, power_of(state, a))
    other = power_score(box, state, power_of(state, b))
    return mine > other and mine >= 2 * other


@rule
def does_war_win(box: Box, state: State) -> bool:
    """13.6: does the war win: no power scores above 0 at the end, and nobody has besieged every HQ?"""
    if state.phase != P.over or state.ending in (NOT_ENDED, BY_SIEGES):
        return False
    for power in range(POWERS):
        if is_in_play(box, state, power) and power_score(box, state, power) > 0:
            return False
    return True


@rule
def verdict(box: Box, state: State, seat: int) -> int:
    """13.1, 14.7: what ranks a seat before or behind every score."""
    if has_won_by_sieges(box, state, seat):
        return BEYOND_SCORES
    if is_barred(box, state, seat):
        return -BEYOND_SCORES
    return 0


@rule
def score(box: Box, state: State, out: Numbers) -> None:
    """13.4: the negotiation score of every seat; 100 more for a win by sieges, 100 less for a barred alliance."""
    for seat in range(state.n_seats):
        out[seat] = seat_score(box, state, seat) + verdict(box, state, seat)


@rule
def rank(box: Box, state: State, out: Numbers) -> None:
    """13.5, 13.6, 14.12: each seat's place, from 1; equal seats share one; if the war wins, it takes the first place."""
    for seat in range(state.n_seats):
        place = 1
        for other in range(state.n_seats):
            if other != seat and not is_same_side(box, state, seat, other) and is_ahead(box, state, other, seat):
                place += 1
        if place == 1:
            for other in range(state.n_seats):
                if other != seat and is_same_side(box, state, seat, other) and is_sole_winner(box, state, other, seat):
                    place += 1
        if does_war_win(box, state):
            place += 1
        out[seat] = place
