"""The contract: the functions that every game must provide, with their parameters. These are declarations only.

`Definition` asks a game's modules for every name in `RULES`; templates (`core.engine`, the bots') are written against these
and get the game's own when they are made for it. `box` is the game's box record, `state` its state record, `out` a set of
action ids, `events` a buffer that `tell` writes into, `seat` a seat's number, `luck` any record with a generator.
"""

from __future__ import annotations

from typing import Any

SHARED = ("setup", "start", "legal", "apply", "why_not", "redeal", "observe", "evaluate", "evaluate_noting", "prune")
"""Rules that are large in most games and called by many templates: compiled once and called by address (`core.compilation.compiler`)."""


def setup(box: Any, state: Any) -> None:
    """Set up the game: `state` is blank but for `n_seats` and `rng`."""


def recount(box: Any, state: Any) -> None:
    """Recompute the totals that the state stores for speed."""


def check(box: Any, state: Any) -> int:
    """Return 0 if the state is sound, else the number of its fault in the game's FAULTS."""
    raise NotImplementedError


def start(box: Any, state: Any, events: Any) -> None:
    """Play from the setup to the first decision."""


def legal(box: Any, state: Any, out: Any) -> None:
    """Add to `out`, which is empty, every action that may be taken now."""


def apply(box: Any, state: Any, events: Any, action: Any) -> None:
    """Take a legal action and play on to the next decision."""


def is_over(state: Any) -> bool:
    """Has the game ended?"""
    raise NotImplementedError


def is_midway(box: Any, state: Any) -> bool:
    """Has the seat to act begun something that it must carry through?"""
    raise NotImplementedError


def why_not(box: Any, state: Any, action: Any) -> int:
    """Return 0 if the action is legal, else the number of the refusal in the game's REFUSALS."""
    raise NotImplementedError


def score(box: Any, state: Any, out: Any) -> None:
    """Write each seat's points in this position into `out`."""


def rank(box: Any, state: Any, out: Any) -> None:
    """Write each seat's place in this position, from 1, into `out`; equal seats share one."""


def evaluate(box: Any, state: Any, seat: Any) -> float:
    """An estimate of how well a seat stands, for bots; higher is better."""
    raise NotImplementedError


def observe(box: Any, state: Any, seat: Any, out: Any) -> None:
    """Write what a seat may know, as numbers for a learner, into `out`."""


def redeal(box: Any, state: Any, seat: Any, luck: Any) -> None:
    """Draw again, with the random generator `luck`, everything that the seat cannot know."""


RULES = (
    setup,
    recount,
    check,
    start,
    legal,
    apply,
    is_over,
    is_midway,
    why_not,
    score,
    rank,
    evaluate,
    observe,
    redeal,
)


def prune(box: Any, state: Any, out: Any) -> None:
    """Remove from the legal actions those that no bot need consider. Optional."""
