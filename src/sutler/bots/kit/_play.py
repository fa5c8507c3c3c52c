"""Template: whole games between bots, in compiled code, a chunk of games a call (see `core.template`).

One loop for all who let bots play: what is written down beside the results is the pen's affair (`_pen`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import count, nth
from sutler.core.chance import GAME_STREAM, below, seed_luck, seed_seat
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice, imagine
    from sutler.bots._search import search_choice
    from sutler.bots.kit import own_choice
    from sutler.bots.kit._pen import keep_state, settle_noting, take, write
    from sutler.bots.kit.records import GREEDY, RANDOM, SEARCH
    from sutler.core.engine import STUCK
    from sutler.core.protocol import rank, score, setup, start


@rule
def decide(box: Any, state: Any, desk: Any, bot: Any, luck: Any) -> Any:
    """What the bot of the seat to act does; `desk.out` holds what it may. It is shown a redeal, never the state."""
    if bot.kind == RANDOM:
        return nth(desk.out.ids, below(luck, count(desk.out.ids)))
    imagine(box, desk.world, state, int(state.to_act), luck)
    if bot.kind == GREEDY:
        return greedy_choice(box, desk, bot, luck)
    if bot.kind == SEARCH:
        return search_choice(box, desk, bot, luck)
    return own_choice(box, desk, bot, luck)


@rule
def open_game(box: Any, state: Any, one: Any, desk: Any, pen: Any, i: Any) -> Any:
    """Set the table of game `i`, go to its first decision and write down how it stands. Returns how many actions there are."""
    seed_luck(state, int(one.seed), GAME_STREAM)
    setup(box, state)
    start(box, state, desk.told)
    n = settle_noting(box, state, desk, pen)
    write(box, state, one, desk, pen, i)
    return n


@rule
def play_game(box: Any, state: Any, one: Any, bots: Any, desk: Any, pen: Any, i: Any, n: Any) -> Any:
    """From a decision among `n` actions to the end."""
    while n > 0 and one.decisions < one.most:
        keep_state(state, pen)
        seat = int(state.to_act)
        bot = bots[one.bots[seat]]
        if bot.kind == RANDOM:  # as `decide` would, without the call
            action = nth(desk.out.ids, below(desk.lucks[seat], n))
        else:
            action = decide(box, state, desk, bot, desk.lucks[seat])
        n = take(box, state, one, desk, pen, i, action)
    one.finished = n == 0
    one.stuck = n == STUCK
    score(box, state, one.points)
    rank(box, state, one.places)


@rule
def play(box: Any, results: Any, states: Any, bots: Any, desk: Any, pen: Any, fresh: Any) -> Any:
    """Play each game of a chunk: `fresh` ones from their seed, their states blank but for the seats, others from their states.

    `results[i].seed`, `.bots` and `.most` say which, by whom and how far.
    """
    for i in range(len(results)):
        one = results[i]
        state = states[i]
        for seat in range(int(state.n_seats)):
            seed_seat(desk.lucks[seat], int(one.seed), seat)
        if fresh:
            n = open_game(box, state, one, desk, pen, i)
        else:
            n = settle_noting(box, state, desk, pen)
        play_game(box, state, one, bots, desk, pen, i, n)
