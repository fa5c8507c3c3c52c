"""The coach's reasons for preferring one position of Three Years of War to another: the parts of `evaluate`, with words for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.threeyears.bot.evaluate import (
    cards_worth,
    expected_claim_worth,
    lead_at_the_end,
    renown_worth,
    rivals_worth,
    share_of_track_worth,
    tokens_worth,
    tracks_worth,
)
from sutler.games.threeyears.bot.interlude_forecast import seen_cards_worth
from sutler.games.threeyears.bot.worth import seasons_left
from sutler.games.threeyears.table import P

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


@rule
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write the parts of `evaluate` into `out`, in the order of REASONS; they add up to it."""
    for part in range(len(REASONS)):
        out[part] = 0.0
    if state.phase == P.over:
        out[7] = lead_at_the_end(box, state, seat)
        return
    left = seasons_left(box, state)
    out[0] = renown_worth(box, state, seat, seat)
    out[1] = tracks_worth(box, state, seat, left)
    out[2] = cards_worth(box, state, seat, seat, left)
    out[3] = tokens_worth(state, seat, left)
    out[4] = expected_claim_worth(box, state, seat, seat, left)
    out[5] = -rivals_worth(box, state, seat, left)
    out[6] = seen_cards_worth(box, state, seat, seat, share_of_track_worth(left))
