"""Thrifty: prefers what the game calls a quiet way round, or otherwise the action that leaves it best off for sure."""

from __future__ import annotations

from dataclasses import dataclass

from sutler import SeatView
from sutler.core.actions import Action
from sutler.core.chance import below


@dataclass(frozen=True)
class Thrifty:
    """Takes one of the quiet actions, if there is any, and once in so many decisions whatever it likes."""

    name = "thrifty"

    whim: int = 8

    def choose(self, view: SeatView) -> Action:
        """A quiet action, most of the time."""
        blocks = view.game.definition.actions.blocks
        quiet = [action for action in view.actions() if blocks[action.block].tone == "quiet"]
        offered = quiet if quiet and below(view.luck, self.whim) else view.actions()
        return offered[int(below(view.luck, len(offered)))]
