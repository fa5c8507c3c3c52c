"""Template: games from their beginning or from any decision to their end, keeping every decision's state (see `core.template`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.chance import seed_luck
from sutler.core.copying import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    advance: Any
    begin: Any
    settle: Any
    decide: Any
    rank: Any
    score: Any


@rule
def play_on(
    box: Any,
    results: Any,
    states: Any,
    fresh: Any,
    kept: Any,
    bots: Any,
    tree: Any,
    work: Any,
    greedy: Any,
    events: Any,
    asked: Any,
    reluctance: Any,
    most: Any,
    scale: Any,
    cooperative: Any,
) -> Any:
    """Play each state to the end; `fresh` ones are blank and begin. Returns how many states were kept: all before a decision."""
    n_kept = 0
    for i in range(len(results)):
        one = results[i]
        state = states[i]
        n_seats = int(state.n_seats)
        for seat in range(n_seats):
            seed_luck(work.lucks[seat], int(one.seed), 1000 + seat)
        n = 0
        if fresh:
            n = begin(box, state, events, work.played, asked)
        else:
            n = settle(box, state, events, work.played, asked)
        while n > 0 and one.decisions < most:
            if n_kept < len(kept):
                copy_into(kept[n_kept], state)
                n_kept += 1
            seat = int(state.to_act)
            action = decide(
                box,
                state,
                work.played,
                tree,
                work,
                greedy,
                events,
                asked,
                reluctance,
                bots[one.bots[seat]],
                work.lucks[seat],
                scale,
                cooperative,
            )
            n = advance(box, state, events, work.played, asked, action)
            one.decisions += 1
        one.finished = n == 0
        score(box, state, one.points)
        rank(box, state, one.places)
    return n_kept
