"""Negotiation scores, ties and winners of Bellum (guide 13; alliances 14.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.bellum.box import ALL_ALLIED, NO_ALLIES, ONE_ALLIANCE, POWERS
from sutler.games.bellum.phases_actions_events import P
from sutler.games.bellum.state import BY_SIEGES, NOT_ENDED, ally_of, is_enemy, is_in_play, tokens_on_board

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.bellum.records import Box, State

BEYOND_SCORES = 100
"""Points that lie beyond any negotiation score."""

# --- Powers ------------------------------------------------------------------


@rule
def tokens_won(state: State, power: int) -> int:
    """The number of enemy HQ tokens that a power holds (13.4)."""
    n = 0
    for other in range(POWERS):
        n += int(state.powers[power].held) >> other & 1
    return n


@rule
def tokens_lost(state: State, power: int) -> int:
    """The number of other powers that hold this power's HQ token (13.4)."""
    n = 0
    for other in range(POWERS):
        n += int(state.powers[other].held) >> power & 1
    return n


@rule
def higher_level(state: State, power: int) -> int:
    """The higher of a power's supply and strength (13.4)."""
    return max(int(state.powers[power].supply), int(state.powers[power].strength))


@rule
def power_score(box: Box, state: State, power: int) -> int:
    """The score of a power: its higher level, plus 2 for each enemy HQ token it holds, less 2 for each of its own tokens lost (13.4)."""
    return higher_level(state, power) + int(box.rules.token_value) * (
        tokens_won(state, power) - tokens_lost(state, power)
    )


@rule
def has_all_tokens(box: Box, state: State, power: int) -> bool:
    """Does the power hold a token of every enemy in play? Those of its ally count too (13.1, 14.12)."""
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
def power_of_seat(state: State, seat: int) -> int:
    """The first power that a seat leads; NOBODY if it leads none."""
    for power in range(POWERS):
        if state.seat_of[power] == seat:
            return power
    return NOBODY


@rule
def counts_instead_of_ally(box: Box, state: State, power: int, ally: int) -> bool:
    """In the single alliance of three seats, does the score of `power` count, and not that of `ally` (14.7)?

    The one with the higher level counts; if these are equal the one with the better score, then the one with more tokens on the board.
    """
    if higher_level(state, power) != higher_level(state, ally):
        return higher_level(state, power) > higher_level(state, ally)
    if power_score(box, state, power) != power_score(box, state, ally):
        return power_score(box, state, power) > power_score(box, state, ally)
    return tokens_on_board(box, state, power) >= tokens_on_board(box, state, ally)


@rule
def powers_counted_for_seat(box: Box, state: State, seat: int) -> tuple[int, int]:
    """(a seat's power, its ally), with NOBODY in place of one whose score and tokens do not count for the seat (14.7, 14.12).

    NOBODY stands in place of one that does not count.
    """
    power = power_of_seat(state, seat)
    ally = ally_of(box, state, power)
    if ally == NOBODY or state.allied == ALL_ALLIED:
        return power, ally
    if counts_instead_of_ally(box, state, power, ally):
        return power, NOBODY
    return ally, NOBODY


@rule
def seat_score(box: Box, state: State, seat: int) -> int:
    """The score of a seat: that of its power; for allies the sum (13.4, 14.12).

    In the single alliance of three seats it is the score of the stronger power.
    """
    power, ally = powers_counted_for_seat(box, state, seat)
    if ally == NOBODY:
        return power_score(box, state, power)
    return power_score(box, state, power) + power_score(box, state, ally)


@rule
def seat_tokens(box: Box, state: State, seat: int) -> int:
    """The tokens on the board that count for a seat: its power's and its ally's, or one power's only (13.5, 14.12, 14.7)."""
    power, ally = powers_counted_for_seat(box, state, seat)
    if ally == NOBODY:
        return tokens_on_board(box, state, power)
    return tokens_on_board(box, state, power) + tokens_on_board(box, state, ally)


@rule
def has_won_by_sieges(box: Box, state: State, seat: int) -> bool:
    """Has the seat won by sieges: did its power, or that power's ally, win the token of every enemy HQ (13.1)?"""
    if state.ending != BY_SIEGES:
        return False
    power = power_of_seat(state, seat)
    ally = ally_of(box, state, power)
    return state.winner == power or (ally != NOBODY and state.winner == ally)


@rule
def is_barred_from_winning(box: Box, state: State, seat: int) -> bool:
    """Is the seat barred from winning? The single alliance of three seats is, once one of its powers is broken (14.7)."""
    if state.allied != ONE_ALLIANCE:
        return False
    power = power_of_seat(state, seat)
    ally = ally_of(box, state, power)
    return ally != NOBODY and (state.powers[power].is_broken == 1 or state.powers[ally].is_broken == 1)


@rule
def are_allied_seats(box: Box, state: State, seat: int, other_seat: int) -> bool:
    """Do two seats belong to one alliance?"""
    return state.allied != NO_ALLIES and ally_of(box, state, power_of_seat(state, seat)) == power_of_seat(
        state, other_seat
    )


@rule
def is_ahead(box: Box, state: State, a: int, b: int) -> bool:
    """Is seat `a` ahead of seat `b`: by sieges, then by score, then by tokens on the board (13)? A barred alliance is behind all (14.7)."""
    if has_won_by_sieges(box, state, a) != has_won_by_sieges(box, state, b):
        return has_won_by_sieges(box, state, a)
    if is_barred_from_winning(box, state, a) != is_barred_from_winning(box, state, b):
        return is_barred_from_winning(box, state, b)
    if seat_score(box, state, a) != seat_score(box, state, b):
        return seat_score(box, state, a) > seat_score(box, state, b)
    return seat_tokens(box, state, a) > seat_tokens(box, state, b)


@rule
def is_sole_winner(box: Box, state: State, seat: int, ally_seat: int) -> bool:
    """Does `seat` win alone, without its ally in `ally_seat`, because its score is at least twice the ally's (14.12)?"""
    mine = power_score(box, state, power_of_seat(state, seat))
    other = power_score(box, state, power_of_seat(state, ally_seat))
    return mine > other and mine >= 2 * other


@rule
def does_war_win(box: Box, state: State) -> bool:
    """Does the war win: at the end no power scores above 0, and nobody has besieged every HQ (13.6)?"""
    if state.phase != P.over or state.ending in (NOT_ENDED, BY_SIEGES):
        return False
    for power in range(POWERS):
        if is_in_play(box, state, power) and power_score(box, state, power) > 0:
            return False
    return True


@rule
def verdict_points(box: Box, state: State, seat: int) -> int:
    """The points added to a seat's score for the verdict: many for a win by sieges, as many below 0 if barred, else 0 (13.1, 14.7)."""
    if has_won_by_sieges(box, state, seat):
        return BEYOND_SCORES
    if is_barred_from_winning(box, state, seat):
        return -BEYOND_SCORES
    return 0


@rule
def score(box: Box, state: State, out: Numbers) -> None:
    """Write each seat's score into `out`: its negotiation score, with 100 added for a win by sieges, or subtracted if barred (13.4)."""
    for seat in range(state.n_seats):
        out[seat] = seat_score(box, state, seat) + verdict_points(box, state, seat)


@rule
def rank(box: Box, state: State, out: Numbers) -> None:
    """Write each seat's rank into `out`, from 1; equal seats share one; if the war wins, it takes rank 1 (13.5, 13.6, 14.12)."""
    for seat in range(state.n_seats):
        place = 1
        for other in range(state.n_seats):
            if other != seat and not are_allied_seats(box, state, seat, other) and is_ahead(box, state, other, seat):
                place += 1
        if place == 1:
            for other in range(state.n_seats):
                if (
                    other != seat
                    and are_allied_seats(box, state, seat, other)
                    and is_sole_winner(box, state, other, seat)
                ):
                    place += 1
        if does_war_win(box, state):
            place += 1
        out[seat] = place
