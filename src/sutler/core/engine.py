"""Template: the course of any game, compiled once per game (see `core.template`).

A *decision* is a choice among two or more legal actions; a choice with one is taken for the seat, unless its block is
always asked. `out` is the caller's set of action ids, `asked` the set of those that are always asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import clear, count, first_from, has, nth
from sutler.core.chance import below
from sutler.core.rule import rule

if TYPE_CHECKING:
    setup: Any
    start: Any
    legal: Any
    apply: Any
    is_over: Any
    redeal: Any


@rule
def settle(box: Any, state: Any, events: Any, out: Any, asked: Any) -> Any:
    """Take forced choices until a real one; `out` then holds its actions. Returns how many, 0 when the game is over."""
    while not is_over(state):
        clear(out.ids)
        legal(box, state, out)
        n = count(out.ids)
        if n != 1:
            return n
        action = first_from(out.ids, 0)
        if has(asked.ids, action):
            return n
        apply(box, state, events, action)
    clear(out.ids)
    return 0


@rule
def begin(box: Any, state: Any, events: Any, out: Any, asked: Any) -> Any:
    """Set the table (n_seats and rng are given) and go to the first decision."""
    setup(box, state)
    start(box, state, events)
    return settle(box, state, events, out, asked)


@rule
def advance(box: Any, state: Any, events: Any, out: Any, asked: Any, action: Any) -> Any:
    """Take one legal action and go to the next decision. Returns how many actions it offers, 0 if the game is over."""
    apply(box, state, events, action)
    return settle(box, state, events, out, asked)


@rule
def play_out(box: Any, state: Any, events: Any, out: Any, asked: Any, luck: Any, most: Any) -> Any:
    """Play at random from a decision whose actions are in `out`: to the end or `most` decisions. Returns how many."""
    n = count(out.ids)
    decisions = 0
    while n > 0 and decisions < most:
        action = nth(out.ids, below(luck, n))
        n = advance(box, state, events, out, asked, action)
        decisions += 1
    return decisions
