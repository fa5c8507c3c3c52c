"""Why one action is better than another, in words and numbers, from the parts of the game's `evaluate` after each of them.

A game names the parts in `REASONS` of its `bot/reasons.py`, and in `FIGURES` the numbers that can be counted for them; the rule `reckon`
there computes the worth of each part (docs/bots.md). Both actions are tried in the same redeals, in which hidden cards are dealt anew, so
that no secret is told; each is carried through to the end of its compound move as the greedy bot would. Where no figure speaks for the
advice, the reason is the result of the search: how each action fared when it was played on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.bots.greedy import GreedyBot
from sutler.bots.kit import kit_of
from sutler.core.actions import Action
from sutler.core.plain_view import plain_rules
from sutler.core.play.seat import SeatView
from sutler.core.text.language import HOUSE, Tongue, _, listed
from sutler.core.text.reason_figures import Figure

if TYPE_CHECKING:
    from sutler.core.play.position import Position

REDEALS = 4
MAX_STEPS_OF_MOVE = 8  # of one move that is carried through
MIN_SHARE_OF_SCALE = 0.04  # of the game's scale: less is no reason
MAX_REASONS = 2
MAX_FIGURES = 2
MIN_DIFFERENCE = 0.5  # of a figure, on the average of the redeals: less would be told as two equal numbers
BEST, OTHER, NOW = range(3)
MAX_LEFT_OUT = 4  # actions looked at where a bot thought of one only
Row = tuple[Action, float, int]
"""An action in the thoughts of a bot (`explain`): itself, its value and how often it was played on."""


def why(view: SeatView, thought: Sequence[Row], by: Any = None, worlds: int = REDEALS) -> str:
    """The reason for the first of these actions rather than the second: a sentence without its full stop, "" where none can be given.

    thought: the actions as the bot's `explain` gives them, the best first. by: the bot that gives the advice; a learned judge multiplies
    the parts by its own factors (`Judge.weighed`). worlds: number of redeals over which parts and figures are averaged.
    """
    if len(thought) < 2:
        return ""
    known, tongue = view.game.definition.reasons, view.game.tongue
    if known is None:
        return fared(thought)
    best, other = thought[0][0], thought[1][0]
    figures: tuple[Figure, ...] = getattr(known, "FIGURES", ())
    total, counts = np.zeros(len(known.REASONS)), np.zeros((3, len(figures)))
    for _world in range(worlds):
        world = view.redeal().tobytes()
        counts[NOW] += _counts(view, figures, view.game.from_bytes(world))
        for which, action in enumerate((best, other)):
            pos = carried_through(view, world, action)
            if pos is not None:
                total += (1 - 2 * which) * _parts(view, known, pos)
                counts[which] += _counts(view, figures, pos)
    if hasattr(by, "weighed"):
        total *= by.weighed(view.game)
    more, counts = total / worlds / kit_of(view.game).scale, counts / worlds
    for pattern, pair in ((_("{what} {n} instead of {m}"), [BEST, OTHER]), (_("{what} {n}, now {m}"), [BEST, NOW])):
        told = telling_figures(more, counts[pair], figures)
        if told:
            rows = [(tongue(figures[i].what), *(round(float(one)) for one in counts[pair, i])) for i in told]
            numbers = ", ".join(pattern.format(what=what, n=n, m=m) for what, n, m in rows)
            speaks_for_it = figures[told[0]].part in weightiest(more)
            return differences_in_words(more, known.REASONS, tongue, numbers, speaks_for_it)
        if played := fared(thought):
            return differences_in_words(more, known.REASONS, tongue, played)
    return differences_in_words(more, known.REASONS, tongue)


def beside_another(view: SeatView, thought: Sequence[Row]) -> Sequence[Row]:
    """The actions that a bot thought of; if it is one only, with the best of a few others (at most MAX_LEFT_OUT) behind it."""
    known = view.game.definition.reasons
    others = [one for one in view.actions() if thought and one.id != thought[0][0].id]
    if len(thought) != 1 or known is None or not others:
        return thought
    step = -(-len(others) // MAX_LEFT_OUT)
    world = view.redeal().tobytes()
    worths = {
        one: _parts(view, known, pos).sum() for one in others[::step] if (pos := carried_through(view, world, one))
    }
    return [*thought, (max(worths, key=lambda one: worths[one]), 0.0, 0)] if worths else thought


def fared(thought: Sequence[Row]) -> str:
    """How the first two of these actions fared when a search played them on, in words; "" where it did not."""
    (_one, value, tried), (_other, next_value, next_tried) = thought[:2]
    if not tried or not next_tried:
        return ""
    n, m = round(100 * value), round(100 * next_value)
    if n > m:
        return _("played on, it is rated {n} in 100, the next best {m}", n=n, m=m)
    return _("played on, it is rated about as high as the next best: {n} and {m} in 100", n=n, m=m)


def telling_figures(more: Any, counts: Any, figures: Sequence[Figure]) -> list[int]:
    """The indexes of the figures, at most two, that speak for the first of two positions; those of the weightiest parts first.

    more: by how much each part is higher there, in units of the game's SCALE; counts: mean figures of either position, shape (2, figures).
    """
    gain = [(n - m) * (1 if figure.is_welcome else -1) for figure, n, m in zip(figures, *counts, strict=True)]
    told = [i for i in range(len(figures)) if gain[i] >= MIN_DIFFERENCE and round(counts[0][i]) != round(counts[1][i])]
    told.sort(key=lambda i: (more[figures[i].part] <= MIN_SHARE_OF_SCALE, -more[figures[i].part], i))
    return told[:MAX_FIGURES]


def weightiest(more: Any) -> list[int]:
    """The indexes of the parts, at most two, that are most in favour of an action. more: as in `telling_figures`."""
    order = sorted(range(len(more)), key=lambda i: -abs(more[i]))
    return [i for i in order if more[i] > MIN_SHARE_OF_SCALE][:MAX_REASONS]


def differences_in_words(
    more: Any, names: Any, tongue: Tongue = HOUSE, numbers: str = "", speak_for_it: bool = True
) -> str:
    """The largest differences in words: up to two parts in favour, then one against if it weighs as much as those.

    more: for each part by how much it is higher after the advised action, in units of the game's SCALE. names: REASONS of the game.
    The part against is worded as a comparison, since an action that brings less does not cost anything. numbers: figures in words, put in
    brackets if they speak for the first part (`speak_for_it`).
    """
    gains = weightiest(more)
    if not gains:
        return numbers
    text = listed([tongue(names[i][0]) for i in gains])
    if numbers:
        text = _("{reason} ({numbers})", reason=text, numbers=numbers) if speak_for_it else f"{text}; {numbers}"
    order = sorted(range(len(names)), key=lambda i: -abs(more[i]))
    losses = [i for i in order if more[i] < -max(MIN_SHARE_OF_SCALE, more[gains[-1]])][:1]
    return text + "".join(tongue("; in favour of the next best: {reason}", reason=tongue(names[i][0])) for i in losses)


def _parts(view: SeatView, known: Any, pos: Position) -> Any:
    """The parts of `evaluate` in a position, shape (parts,)."""
    out = np.zeros(len(known.REASONS))
    known.reckon(view.game.box, pos.state, view.seat, out)
    return out


def _counts(view: SeatView, figures: Sequence[Figure], pos: Position) -> Any:
    """The values of the figures in a position, shape (figures,)."""
    with plain_rules():
        return np.array([float(one.of(view.game.box, pos.state, view.seat)) for one in figures])


def carried_through(view: SeatView, world: bytes, action: Action) -> Position | None:
    """The position after an action in one redeal, its compound move completed by the greedy bot; None where it is not legal there."""
    game, seat = view.game, view.seat
    pos = game.from_bytes(world)
    if action.id not in pos.legal_ids():
        return None
    pos.play(action)
    for _step in range(MAX_STEPS_OF_MOVE):
        if pos.seat != seat or not game.definition.is_midway(game.box, pos.state):
            break
        pos.play(GreedyBot().choose(pos.for_seat(seat)))
    return pos
