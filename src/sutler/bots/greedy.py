"""The greedy bot: looks one move ahead and takes what the game's `evaluate` values most (see `_greedy`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sutler.bots import choose_quick_bot
from sutler.bots.kit import Settings, find_only_action, get_kit, replace_illegal_action
from sutler.bots.kit.records import GREEDY
from sutler.core.actions import Action
from sutler.core.bits import members
from sutler.core.play.position import SeatView

NODES_IN_PLAIN = 40


@dataclass(frozen=True)
class GreedyBot(Settings):
    """The bot that looks one move ahead and takes the move after which the game's `evaluate` is highest.

    redeals: number of times the hidden cards are dealt anew; the value of an action is the mean over them.
    nodes: number of positions looked at, at most, to carry one compound move through.
    noise: width of the random error added to each value, in units of the game's SCALE; 0 for none.
    blunders: share (0 to 1) of decisions that are taken at random.
    """

    name = "greedy"
    kind = GREEDY

    redeals: int = 1
    nodes: int = 200
    noise: float = 0.0
    blunders: float = 0.0

    def __post_init__(self) -> None:
        if self.redeals < 1 or self.nodes < 1:
            raise ValueError("greedy: redeals and nodes are whole numbers from 1")
        if self.noise < 0 or not 0 <= self.blunders <= 1:
            raise ValueError("greedy: noise is 0 or more, blunders a share from 0 to 1")

    def choose(self, view: SeatView) -> Action:
        """The action of the highest value."""
        if only := find_only_action(view):
            return only
        if (other := choose_quick_bot(self, view.game)) is not self:
            decided: Action = other.choose(view)
            return decided
        kit = get_kit(view.game)
        choice = kit.greedy.greedy_choice(
            view.game.box, kit.scratch_for_view(view), self._pack_settings_for_table(view), view.luck
        )
        return view.game.action_names[replace_illegal_action(view, int(choice))]

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """The actions with their values, the best first: (action, value, 0).

        A value is the difference to the mean of all actions, in units of the game's SCALE; the 0 stands where a search counts visits.
        """
        if (other := choose_quick_bot(self, view.game)) is not self:
            return list(other.explain(view))
        kit, bot = get_kit(view.game), replace(self, blunders=0.0)._pack_settings_for_table(view)
        scratch = kit.scratch_for_view(view)
        kit.greedy.greedy_choice(view.game.box, scratch, bot, view.luck)
        return rank_by_value(view, scratch, kit.scale)

    def _pack_settings_for_table(self, view: SeatView) -> Any:
        """The bot's settings as a record; with fewer positions to look at as long as the rules are not compiled, since somebody waits."""
        bot = self.packed(view.game)
        if view.game.definition.home.interpreted:
            bot.redeals, bot.nodes = 1, min(self.nodes, NODES_IN_PLAIN)
        return bot


def rank_by_value(view: SeatView, scratch: Any, scale: float) -> list[tuple[Action, float, int]]:
    """The actions and values that a greedy decision has left in its scratch record, as `GreedyBot.explain` returns them."""
    names, options = view.game.action_names, members(scratch.greedy.options.ids)
    values = np.array([scratch.greedy.value[i] for i in options])
    values = (values - values.mean()) / scale
    return sorted(((names[i], float(v), 0) for i, v in zip(options, values, strict=True)), key=lambda row: -row[1])
