"""The course of the war (guide 3): whose rules go on when nobody has a decision to make, and what ends a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import go_on
from sutler.games.threeyears.box import S
from sutler.games.threeyears.phases_actions_events import P
from sutler.games.threeyears.rules.claims import OPEN, proceed_claims, proceed_draft
from sutler.games.threeyears.rules.common import next_in_turn
from sutler.games.threeyears.rules.ending import proceed_end
from sutler.games.threeyears.rules.gains import reveal_writ
from sutler.games.threeyears.rules.icons import do_keep_at_loss, resolve_icons
from sutler.games.threeyears.rules.influence import proceed_bidding, start_bidding
from sutler.games.threeyears.rules.interludes import end_harvest, end_window_turn, proceed_interlude, proceed_limit
from sutler.games.threeyears.rules.scouting import end_scouting
from sutler.games.threeyears.rules.stakes import proceed_stakes
from sutler.games.threeyears.rules.taxes import levy, start_season

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.threeyears.records import Box, State

# --- The course of the game (guide 3) -----------------------------------------


@rule
def proceed(box: Box, state: State, events: Events) -> None:
    """3.2: icons under way first, then the season goes on, until somebody has a decision to make or the war is over."""
    while state.phase == P.moving:
        if state.actor != NOBODY:
            resolve_icons(box, state, events)
        elif state.stage == S.influence:
            proceed_bidding(box, state, events)
        elif state.stage == S.taxes:
            levy(box, state, events)
            start_bidding(box, state, events)
        elif state.stage == S.stakes:
            proceed_stakes(box, state, events)
        elif state.stage == S.draft:
            proceed_draft(box, state, events)
        elif state.stage == S.claims:
            proceed_claims(box, state, events)
        elif state.stage == S.interlude:
            proceed_interlude(box, state, events)
        elif state.stage == S.hand_limit:
            proceed_limit(box, state, events)
        else:
            proceed_end(box, state, events)


@rule
def start(box: Box, state: State, events: Events) -> None:
    """From the set-up table to the first decision."""
    go_on(state)
    start_season(box, state, events)
    proceed(box, state, events)


# --- Answers that belong to more than one question ------------------------------


@rule
def do_reveal(box: Box, state: State, events: Events, seat: int, kind: int) -> None:
    """8.7: the Writ is applied; a decision that it may have changed is put anew."""
    reveal_writ(box, state, events, seat, kind)
    if state.phase == P.window and state.stage == S.interlude:
        end_window_turn(state, True)
    elif state.phase in (P.window, P.last_chance, P.resolve, P.market, P.reap):
        go_on(state)


@rule
def do_keep(box: Box, state: State, events: Events, seat: int) -> None:
    """8.7: no Writ now."""
    if state.phase == P.last_chance:
        do_keep_at_loss(state, seat)
    elif state.stage in (S.draft, S.claims):
        state.step = OPEN
        go_on(state)
    else:
        end_window_turn(state, False)


@rule
def do_done(box: Box, state: State, events: Events, seat: int) -> None:
    """No more looks, purchases or exchanges."""
    if state.phase == P.look:
        end_scouting(state)
        return
    if state.phase == P.reap:
        end_harvest(box, state, events, seat)
    next_in_turn(state)
    go_on(state)
