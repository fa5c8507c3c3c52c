"""Template of the loop that plays whole games between bots in compiled code, many games a call (see `core.per_game_modules`).

Everything that lets bots play uses this loop; `_game_statistics` collects the statistics that are wanted beside the results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import count, nth
from sutler.core.chance import GAME_STREAM, below, seed_luck, seed_seat
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice, imagine
    from sutler.bots._search import search_choice
    from sutler.bots.kit import own_choice
    from sutler.bots.kit._game_statistics import count_events, take, take_forced_actions, update_stats
    from sutler.bots.kit.records import GREEDY, RANDOM, SEARCH
    from sutler.core.engine import STUCK
    from sutler.core.protocol import rank, score, setup, start


@rule
def decide(box: Any, state: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action of the bot for the seat to act, among those in `scratch.out`. The bot sees a redeal, never the state."""
    if bot.kind == RANDOM:
        return nth(scratch.out.ids, below(luck, count(scratch.out.ids)))
    imagine(box, scratch.world, state, int(state.to_act), luck)
    if bot.kind == GREEDY:
        return greedy_choice(box, scratch, bot, luck)
    if bot.kind == SEARCH:
        return search_choice(box, scratch, bot, luck)
    return own_choice(box, scratch, bot, luck)


@rule
def choose(box: Any, state: Any, bots: Any, one: Any, scratch: Any, n: Any) -> Any:
    """The action that the seat to act takes. one: the game's Result row; n: number of actions in `scratch.out`."""
    seat = int(state.to_act)
    bot = bots[one.bots[seat]]
    if bot.kind == RANDOM:  # as `decide` would, without the call
        return nth(scratch.out.ids, below(scratch.lucks[seat], n))
    return decide(box, state, scratch, bot, scratch.lucks[seat])


@rule
def go_to_first_decision(box: Any, state: Any, result: Any, scratch: Any, from_seed: Any) -> Any:
    """Go to the first decision: from the seed in the row `result` if `from_seed`, else from the given state.

    Returns the number of actions.
    """
    for seat in range(int(state.n_seats)):
        seed_seat(scratch.lucks[seat], int(result.seed), seat)
    if from_seed:
        seed_luck(state, int(result.seed), GAME_STREAM)
        setup(box, state)
        start(box, state, scratch.told)
    return take_forced_actions(box, state, scratch)


@rule
def write_game_result(box: Any, state: Any, result: Any, n_legal: Any) -> Any:
    """Write the result of a game into its row `result`.

    n_legal: number of actions at its end: 0 if it is over, STUCK, or more if it was cut.
    """
    result.finished = n_legal == 0
    result.stuck = n_legal == STUCK
    score(box, state, result.points)
    rank(box, state, result.places)


@rule
def play(
    box: Any, results: Any, states: Any, bots: Any, scratch: Any, stats: Any, uses: Any, kept: Any, fresh: Any
) -> Any:
    """Play each game of a chunk: from its seed if `fresh`, when its state is blank but for the number of seats; else from its state.

    results: Result rows; `seed`, `bots` and `most` (the greatest number of decisions) are read, the rest is filled in.
    bots: the array made by `kit.packed`. stats, uses: if not empty, the statistics of each game, and the counters of what its events
    name. kept: states before decisions are copied here as long as there is room.
    """
    for i in range(len(results)):
        one = results[i]
        state = states[i]
        n = go_to_first_decision(box, state, one, scratch, fresh)
        if len(stats) > 0:
            update_stats(box, state, one, scratch, stats[i], uses[i])
        count_events(scratch, one)
        while n > 0 and one.decisions < one.most:
            if scratch.recorder.n_kept < len(kept):
                copy_into(kept[scratch.recorder.n_kept], state)
                scratch.recorder.n_kept += 1
            n = take(box, state, one, scratch, choose(box, state, bots, one, scratch, n))
            if len(stats) > 0:
                update_stats(box, state, one, scratch, stats[i], uses[i])
            count_events(scratch, one)
        write_game_result(box, state, one, n)
