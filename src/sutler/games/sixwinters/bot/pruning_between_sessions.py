"""Pruning in Six Winters outside the actions step: at a session's beginning, when the scheme is rolled, at a year's end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import allow, first_from, forbid, has, is_empty
from sutler.core.rule import rule
from sutler.games.sixwinters.bot.legal_action_bits import keep_only
from sutler.games.sixwinters.box import FACES, OBSTACLES
from sutler.games.sixwinters.phases_actions_events import A
from sutler.games.sixwinters.rules.common import threat_level
from sutler.games.sixwinters.rules.land import difficulty

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.sixwinters.records import Box, State


KEPT_XP = 6
"""Points of experience that a character keeps, to clear the first conditions of the year."""

# --- The session's beginning --------------------------------------------------------------------------------


@rule
def prune_difficulty(box: Box, state: State, out: Legal) -> None:
    """Keep one choice of difficulty: of two missions, the one that wins the campaign is not made difficult (3.3)."""
    for k in range(2):
        mission = int(state.tasks[k].mission)
        if mission >= 0 and box.mission[mission].severing == 1:
            forbid(out, A.level + 1 + k)


@rule
def prune_advancement(box: Box, state: State, out: Legal) -> None:
    """Forbid in `out` to end a character's advancement while it has KEPT_XP experience or more, if it can still spend it (3.8)."""
    if state.people[state.heroes[state.k].character].xp >= KEPT_XP:
        forbid(out, A.ready)
        if is_empty(out.ids):
            allow(out, A.ready)


# --- The scheme, the session's end -----------------------------------------------------------------------


@rule
def prune_scheme_answer(box: Box, state: State, out: Legal) -> None:
    """Keep one answer to a die of the scheme: cancel one that would take effect with the first die that can, leave any other (8.8)."""
    v = state.sub % FACES + 1
    works = v <= threat_level(box, state, int(box.scheme[state.scheme].resource))
    first = int(first_from(out.ids, A.pay))
    if works and first >= 0 and first < A.pay + 78:
        keep_only(out, first)
    else:
        keep_only(out, A.let_be)


@rule
def prune_obstacle_payment(box: Box, state: State, out: Legal) -> None:
    """Keep one payment for an obstacle: the lowest die that is enough, else the highest die (11.1)."""
    frame = state.frames[state.n_frames - 1]
    due = difficulty(box, state, int(frame.obstacle)) - frame.chosen
    high = -1
    high_v = 0
    enough = -1
    enough_v = FACES + 1
    for source in range(FACES, 78):
        if has(out.ids, A.pay + source):
            v = source % FACES + 1
            if v > high_v:
                high, high_v = source, v
            if v >= due and v < enough_v:
                enough, enough_v = source, v
    if enough >= 0:
        keep_only(out, A.pay + enough)
    elif high >= 0:
        keep_only(out, A.pay + high)


@rule
def prune_clearing(box: Box, state: State, out: Legal) -> None:
    """Keep the payments at the year's end: pay off every obstacle that can be paid for, since unspent dice are lost (11.1)."""
    card = int(first_from(out.ids, A.clear_obstacle))
    if 0 <= card < A.clear_obstacle + OBSTACLES:
        forbid(out, A.go_on)
