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
from sutler.bots.kit import get_kit
from sutler.core.actions import Action
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.play.position import SeatView
from sutler.core.text.language import HOUSE, Tongue, _, join_with_and
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


def explain_first_choice(view: SeatView, ranked: Sequence[Row], adviser: Any = None, rule_of_thumb: str = "") -> str:
    """The reason for the first of these actions rather than the second: a sentence without its full stop, "" where none can be given.

    ranked: the actions as the bot's `explain` gives them, the best first. adviser: the bot that gives the advice; a learned judge
    multiplies the parts by its own factors (`Judge.get_part_factors`). Parts and figures are averaged over REDEALS redeals.
    rule_of_thumb: what the game's author says for such an action; it stands instead of a number that the next best action brings too, of
    a number that hardly matters, and of a part that no number explains.
    """
    if len(ranked) < 2:
        return rule_of_thumb
    known, tongue = view.game.definition.reasons, view.game.tongue
    played = describe_search_results(ranked)
    says_nothing = bool(rule_of_thumb) and not is_ahead_in_search(ranked)  # that both win as often is no reason
    if known is None:
        return rule_of_thumb if says_nothing else played
    best, other = ranked[0][0], ranked[1][0]
    figures: tuple[Figure, ...] = getattr(known, "FIGURES", ())
    total, counts = np.zeros(len(known.REASONS)), np.zeros((3, len(figures)))
    for _world in range(REDEALS):
        world = view.redeal().tobytes()
        counts[NOW] += _count_figures(view, figures, view.game.from_bytes(world))
        for which, action in enumerate((best, other)):
            pos = play_action_through(view, world, action)
            if pos is not None:
                total += (1 - 2 * which) * _evaluate_parts(view, known, pos)
                counts[which] += _count_figures(view, figures, pos)
    if hasattr(adviser, "get_part_factors"):
        total *= adviser.get_part_factors(view.game)
    more, counts = total / REDEALS / get_kit(view.game).scale, counts / REDEALS
    for pattern, pair in ((_("{what} {n} instead of {m}"), [BEST, OTHER]), (_("{what} {n}, now {m}"), [BEST, NOW])):
        told = find_telling_figures(more, counts[pair], figures)
        if not told and played:
            return rule_of_thumb if says_nothing else describe_differences(more, known.REASONS, tongue, played)
        if not told:
            continue
        speaks_for_it = figures[told[0]].part in find_weightiest_parts(more)
        is_shared = pair[1] == NOW and all(round(counts[BEST, i]) == round(counts[OTHER, i]) for i in told)
        if rule_of_thumb and (is_shared or not speaks_for_it):
            break
        rows = [(tongue(figures[i].what), *(round(float(one)) for one in counts[pair, i])) for i in told]
        numbers = ", ".join(pattern.format(what=what, n=n, m=m) for what, n, m in rows)
        if is_shared:
            numbers = _("{numbers}, with the next best too", numbers=numbers)
        return describe_differences(more, known.REASONS, tongue, numbers, speaks_for_it)
    return rule_of_thumb or describe_differences(more, known.REASONS, tongue)


def add_best_other_action(view: SeatView, ranked: Sequence[Row]) -> Sequence[Row]:
    """The actions with values that a bot gave; if it gave only one, followed by the best of at most MAX_LEFT_OUT others."""
    known = view.game.definition.reasons
    others = [one for one in view.actions() if ranked and one.id != ranked[0][0].id]
    if len(ranked) != 1 or known is None or not others:
        return ranked
    step = -(-len(others) // MAX_LEFT_OUT)
    world = view.redeal().tobytes()
    worths = {
        one: _evaluate_parts(view, known, pos).sum()
        for one in others[::step]
        if (pos := play_action_through(view, world, one))
    }
    return [*ranked, (max(worths, key=lambda one: worths[one]), 0.0, 0)] if worths else ranked


def describe_search_results(ranked: Sequence[Row]) -> str:
    """A phrase that compares the results of the first two of these actions in a search; "" if they were not searched."""
    if not all(tried for _action, _value, tried in ranked[:2]):
        return ""
    n, m = _count_wins_of_100(ranked)
    if n > m:
        return _("played on, it wins about {n} games of 100, the next best {m}", n=n, m=m)
    return _("played on, it wins as often as the next best: about {n} games of 100", n=n)


def is_ahead_in_search(ranked: Sequence[Row]) -> bool:
    """Were the first two of these actions searched, and does the first win more games of 100?"""
    n, m = _count_wins_of_100(ranked)
    return n > m and all(tried for _action, _value, tried in ranked[:2])


def _count_wins_of_100(ranked: Sequence[Row]) -> tuple[int, int]:
    """How many games of 100 the first two of these actions win, by their values in a search."""
    # a payoff with a margin of victory in it may lie a little beyond 0 and 1; of 100 nobody has more than all
    n, m = (round(100 * min(max(value, 0.0), 1.0)) for _action, value, _tried in ranked[:2])
    return n, m


def find_telling_figures(part_gains: Any, mean_figures: Any, figures: Sequence[Figure]) -> list[int]:
    """The indexes of at most two figures that speak for the first of two positions; figures of the weightiest parts come first.

    part_gains: by how much each part is higher there, in units of the game's SCALE; mean_figures: mean figures of either position,
    shape (2, figures).
    """
    gain = [(n - m) * (1 if figure.is_welcome else -1) for figure, n, m in zip(figures, *mean_figures, strict=True)]
    told = [
        i
        for i in range(len(figures))
        if gain[i] >= MIN_DIFFERENCE and round(mean_figures[0][i]) != round(mean_figures[1][i])
    ]
    told.sort(key=lambda i: (part_gains[figures[i].part] <= MIN_SHARE_OF_SCALE, -part_gains[figures[i].part], i))
    return told[:MAX_FIGURES]


def find_weightiest_parts(part_gains: Any) -> list[int]:
    """The indexes of the two parts that speak most for an action; fewer if fewer speak for it."""
    order = sorted(range(len(part_gains)), key=lambda i: -abs(part_gains[i]))
    return [i for i in order if part_gains[i] > MIN_SHARE_OF_SCALE][:MAX_REASONS]


def describe_differences(
    part_gains: Any, names: Any, tongue: Tongue = HOUSE, numbers: str = "", numbers_in_favour: bool = True
) -> str:
    """The largest differences between two actions in words: up to two parts in favour, and one against if it weighs as much.

    part_gains: for each part by how much it is higher after the advised action, in units of the game's SCALE. names: REASONS of the
    game. The part against is worded as a comparison, since an action that brings less does not cost anything. numbers: figures in
    words, put in brackets if they speak for the first part (`numbers_in_favour`).
    """
    gains = find_weightiest_parts(part_gains)
    if not gains:
        return numbers
    text = join_with_and([tongue(names[i][0]) for i in gains])
    if numbers:
        text = _("{reason} ({numbers})", reason=text, numbers=numbers) if numbers_in_favour else f"{text}; {numbers}"
    order = sorted(range(len(names)), key=lambda i: -abs(part_gains[i]))
    losses = [i for i in order if part_gains[i] < -max(MIN_SHARE_OF_SCALE, part_gains[gains[-1]])][:1]
    return text + "".join(tongue("; in favour of the next best: {reason}", reason=tongue(names[i][0])) for i in losses)


def _evaluate_parts(view: SeatView, known: Any, pos: Position) -> Any:
    """The parts of `evaluate` in a position, shape (parts,)."""
    out = np.zeros(len(known.REASONS))
    known.reckon(view.game.box, pos.state, view.seat, out)
    return out


def _count_figures(view: SeatView, figures: Sequence[Figure], pos: Position) -> Any:
    """The values of the figures in a position, shape (figures,)."""
    with run_rules_plainly():
        return np.array([float(one.of(view.game.box, pos.state, view.seat)) for one in figures])


def play_action_through(view: SeatView, redeal: bytes, action: Action) -> Position | None:
    """The position after an action in one redeal, its compound move completed by the greedy bot; None where it is not legal there."""
    game, seat = view.game, view.seat
    pos = game.from_bytes(redeal)
    if action.id not in pos.legal_ids():
        return None
    pos.play(action)
    for _step in range(MAX_STEPS_OF_MOVE):
        if pos.seat != seat or not game.definition.is_midway(game.box, pos.state):
            break
        pos.play(GreedyBot().choose(pos.for_seat(seat)))
    return pos
