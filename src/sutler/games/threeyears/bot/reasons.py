"""The coach's reasons for preferring one position of Three Years of War to another: the parts of `evaluate`, with words for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import members
from sutler.core.rule import rule
from sutler.core.text.reason_figures import Count, Figure, largest_of_others
from sutler.games.threeyears.bot.evaluate import (
    cards_worth,
    expected_claim_worth,
    final_lead,
    renown_worth,
    rivals_worth,
    share_of_track_worth,
    tokens_worth,
    tracks_worth,
)
from sutler.games.threeyears.bot.interlude_forecast import seen_cards_worth
from sutler.games.threeyears.bot.worth import share_of_seasons_left
from sutler.games.threeyears.phases_actions_events import P

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.threeyears.records import Box, State

REASONS = (
    ("it brings you more Renown, or less Despair", "it costs you Renown, or brings Despair"),
    ("it takes you further on the tracks", "it takes you less far on the tracks"),
    ("it keeps the better hand", "it leaves you the poorer hand"),
    ("it leaves you more Writs and scouts, or the lead", "it leaves you fewer Writs and scouts, or without the lead"),
    ("it makes you likelier to win the claims", "it makes you less likely to win the claims"),
    ("it keeps the others back", "it helps another"),
    ("it suits what your scouts have seen", "it suits ill what your scouts have seen"),
    ("it decides the war for you", "it decides the war against you"),
)
"""Two sentences for each part that `reckon` computes: said of the position that has more of the part, and of the one that has less."""


def build_track_counter(track_number: int) -> Count:
    """A function (box, state, seat) that gives the level of a seat on one track, for a figure of the coach."""
    return lambda box, state, seat: state.seats[seat].tracks[track_number]


def build_set_counter(field: str) -> Count:
    """A function (box, state, seat) that gives the number of members of one set of a seat, for a figure of the coach."""
    return lambda box, state, seat: len(members(state.seats[seat][field]))


def renown_without_bonus(box: Box, state: State, seat: int) -> int:
    """The renown of a seat without the bonus of the tracks, in points."""
    return int(state.seats[seat].renown)


FIGURES = (
    Figure(0, "Renown", renown_without_bonus),
    Figure(0, "Despair", build_set_counter("despair"), is_welcome=False),
    Figure(0, "Hope", lambda box, state, seat: state.seats[seat].hope),
    Figure(1, "gold", build_track_counter(0)),
    Figure(1, "soldiers", build_track_counter(1)),
    Figure(1, "food", build_track_counter(2)),
    Figure(1, "holdings", build_track_counter(3)),
    Figure(2, "cards in hand", build_set_counter("hand")),
    Figure(3, "Writs", build_set_counter("writs")),
    Figure(3, "Scouts", lambda box, state, seat: state.seats[seat].scouts),
    Figure(5, "the most Renown of another", largest_of_others(renown_without_bonus), is_welcome=False),
)
"""The numbers that speak for the parts."""


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write each part of `evaluate` into `out`, in the order of REASONS; the parts add up to the evaluation."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    if state.phase == P.over:
        out[7] = final_lead(box, state, seat)
        return
    left = share_of_seasons_left(box, state)
    out[0] = renown_worth(box, state, seat, seat)
    out[1] = tracks_worth(box, state, seat, left)
    out[2] = cards_worth(box, state, seat, seat, left)
    out[3] = tokens_worth(state, seat, left)
    out[4] = expected_claim_worth(box, state, seat, seat, left)
    out[5] = -rivals_worth(box, state, seat, left)
    out[6] = seen_cards_worth(box, state, seat, seat, share_of_track_worth(left))
