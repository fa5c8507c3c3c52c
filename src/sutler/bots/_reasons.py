"""Why one action is better than another, in words, from the parts of the game's `evaluate` after each of them.

A game names the parts in `REASONS` of its `bot/reasons.py`; the rule `reckon` there computes the worth of each part (docs/bots.md).
Both actions are tried in the same redeals, in which hidden cards are dealt anew, so that no secret is told; each is carried through to
the end of its compound move as the greedy bot would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.bots.greedy import GreedyBot
from sutler.bots.kit import kit_of
from sutler.core.actions import Action
from sutler.core.play.seat import SeatView
from sutler.core.text.language import HOUSE, Tongue, listed

if TYPE_CHECKING:
    from sutler.core.play.position import Position

REDEALS = 4
MAX_STEPS_OF_MOVE = 8  # of one move that is carried through
MIN_SHARE_OF_SCALE = 0.04  # of the game's scale: less is no reason
MAX_REASONS = 2


def why(view: SeatView, best: Action, other: Action, by: Any = None, worlds: int = REDEALS) -> str:
    """The reason for the action `best` rather than `other`: a sentence without its full stop, or "" where no part differs enough.

    by: the bot that gives the advice; a learned judge multiplies the parts by its own factors (`Judge.weighed`).
    worlds: number of redeals over which the parts are averaged.
    """
    known = view.game.definition.reasons
    if known is None:
        return ""
    names = known.REASONS
    total = np.zeros(len(names))
    for _ in range(worlds):
        world = view.redeal().tobytes()
        total += _parts(view, known, world, best) - _parts(view, known, world, other)
    if hasattr(by, "weighed"):
        total *= by.weighed(view.game)
    return differences_in_words(total / worlds / kit_of(view.game).scale, names, view.game.tongue)


def differences_in_words(more: Any, names: Any, tongue: Tongue = HOUSE) -> str:
    """The largest differences in words: up to two parts in favour, then one against if it weighs as much as those.

    more: for each part by how much it is higher after the advised action, in units of the game's SCALE. names: REASONS of the game.
    The part against is worded as a comparison ("in favour of the next best"), since an action that brings less does not cost anything.
    """
    order = sorted(range(len(names)), key=lambda i: -abs(more[i]))
    gains = [i for i in order if more[i] > MIN_SHARE_OF_SCALE][:MAX_REASONS]
    if not gains:
        return ""
    text = listed([tongue(names[i][0]) for i in gains])
    losses = [i for i in order if more[i] < -max(MIN_SHARE_OF_SCALE, more[gains[-1]])][:1]
    return text + "".join(tongue("; in favour of the next best: {reason}", reason=tongue(names[i][0])) for i in losses)


def _parts(view: SeatView, known: Any, world: bytes, action: Action) -> Any:
    """The parts of `evaluate` after the action in one redeal, shape (parts,); zeros where the action is not legal in it."""
    out = np.zeros(len(known.REASONS))
    pos = carried_through(view, world, action)
    if pos is not None:
        known.reckon(view.game.box, pos.state, view.seat, out)
    return out


def carried_through(view: SeatView, world: bytes, action: Action) -> Position | None:
    """The position after an action in one redeal, its compound move completed by the greedy bot; None where it is not legal there."""
    game, seat = view.game, view.seat
    pos = game.from_bytes(world)
    if action.id not in pos.legal_ids():
        return None
    pos.play(action)
    for _ in range(MAX_STEPS_OF_MOVE):
        if pos.seat != seat or not game.definition.is_midway(game.box, pos.state):
            break
        pos.play(GreedyBot().choose(pos.for_seat(seat)))
    return pos
