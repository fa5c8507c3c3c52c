"""Template of games between bots that are logged in full (see `core.per_game_modules`).

`_game_statistics` only counts events; here all events are kept in order, and for every decision the state and the action taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit._game_loop import choose, go_to_first_decision, write_game_result
    from sutler.bots.kit._game_statistics import count_events, take


@rule
def append_event_rows(buffer: Any, rows: Any, n_rows: Any) -> Any:
    """Write the events of `buffer` behind the first `n_rows` rows; return the new number of rows.

    The number includes events for which there was no room.
    """
    for k in range(min(int(buffer.n_told), len(buffer.rows))):
        if n_rows < len(rows):
            copy_into(rows[n_rows], buffer.rows[k])
        n_rows += 1
    return n_rows


@rule
def play_logged_game(
    box: Any, state: Any, result: Any, bots: Any, scratch: Any, event_rows: Any, decision_rows: Any
) -> Any:
    """Play one game from its seed; its events go into `event_rows`, its decisions into `decision_rows`, as far as there is room.

    result: the game's Result row; `result.decisions` is the number of decisions. Returns the number of events.
    """
    n = go_to_first_decision(box, state, result, scratch, True)
    n_rows = append_event_rows(scratch.told, event_rows, 0)
    count_events(scratch, result)
    while n > 0 and result.decisions < result.most:
        action = choose(box, state, bots, result, scratch, n)
        if result.decisions < len(decision_rows):
            moment = decision_rows[result.decisions]
            copy_into(moment.state, state)
            moment.at = n_rows
            moment.action = action
        n = take(box, state, result, scratch, action)
        n_rows = append_event_rows(scratch.told, event_rows, n_rows)
        count_events(scratch, result)
    write_game_result(box, state, result, n)
    return n_rows
