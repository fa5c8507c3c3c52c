"""The game loop of any game (a template, compiled once for each game): find legal actions, take forced ones, apply the chosen.

A *decision* is a choice among two or more legal actions; a single legal action is taken for the seat, unless its block is
always asked. `out` is the caller's set of action ids, `asked` the set of those that are always asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import clear, count, first_from, has
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.core.protocol import apply, is_over, legal, setup, start

BEGIN, SETTLE = -2, -1  # passed to `go` in place of an action
MAX_FORCED = 10_000  # forced actions in a row: more means that the rules loop for ever
STUCK = -1


@rule
def offer(box: Any, state: Any, out: Any) -> Any:
    """Fill `out` with the legal actions. Returns how many there are, 0 when the game is over."""
    clear(out.ids)
    if is_over(state):
        return 0
    legal(box, state, out)
    return count(out.ids)


@rule
def settle(box: Any, state: Any, events: Any, out: Any, asked: Any) -> Any:
    """Take forced actions until there is a real decision, whose actions `out` then holds; return their number, 0 when the game is over.

    Returns STUCK when the rules force one action after another without end; the caller in Python raises the error.
    """
    for _ in range(MAX_FORCED):
        n = offer(box, state, out)
        if n != 1:
            return n
        action = first_from(out.ids, 0)
        if has(asked.ids, action):
            return n
        apply(box, state, events, action)
    return STUCK


@rule
def begin(box: Any, state: Any, events: Any, out: Any, asked: Any) -> Any:
    """Set up the game (`n_seats` and `rng` are given) and go to the first decision; return the number of legal actions there."""
    setup(box, state)
    start(box, state, events)
    return settle(box, state, events, out, asked)


@rule
def advance(box: Any, state: Any, events: Any, out: Any, asked: Any, action: Any) -> Any:
    """Take one legal action and go to the next decision; return the number of legal actions there, 0 when the game is over."""
    apply(box, state, events, action)
    return settle(box, state, events, out, asked)


@rule
def go(box: Any, state: Any, events: Any, out: Any, asked: Any, action: Any) -> Any:
    """Call `advance` with this action; or `begin` for BEGIN, `settle` for SETTLE, in place of an action.

    It is the one function that Python calls, so that rules are compiled once.
    """
    if action == BEGIN:
        return begin(box, state, events, out, asked)
    if action == SETTLE:
        return settle(box, state, events, out, asked)
    return advance(box, state, events, out, asked, action)
