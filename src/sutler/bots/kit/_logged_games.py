"""Template of games between bots that are logged in full (see `core.template`).

`_recorder` only counts events; here all events are kept in order, and for every decision the state and the action taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.copying import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit._game_loop import choose, close_game, open_game
    from sutler.bots.kit._recorder import count_events, take


@rule
def write_rows(told: Any, rows: Any, n: Any) -> Any:
    """Write the events of the buffer `told` behind the first `n` rows. Returns the new number, including events that had no room."""
    for k in range(min(int(told.n_told), len(told.rows))):
        if n < len(rows):
            copy_into(rows[n], told.rows[k])
        n += 1
    return n


@rule
def play_logged(box: Any, state: Any, one: Any, bots: Any, scratch: Any, rows: Any, moments: Any) -> Any:
    """Play one game from its seed; its events go into `rows`, its decisions into `moments`, as far as there is room.

    one: the game's Result row; `one.decisions` is the number of decisions. Returns the number of events.
    """
    n = open_game(box, state, one, scratch, True)
    n_rows = write_rows(scratch.told, rows, 0)
    count_events(scratch, one)
    while n > 0 and one.decisions < one.most:
        action = choose(box, state, bots, one, scratch, n)
        if one.decisions < len(moments):
            moment = moments[one.decisions]
            copy_into(moment.state, state)
            moment.at = n_rows
            moment.action = action
        n = take(box, state, one, scratch, action)
        n_rows = write_rows(scratch.told, rows, n_rows)
        count_events(scratch, one)
    close_game(box, state, one, n)
    return n_rows
