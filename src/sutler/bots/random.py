"""The random bot: every legal action is equally likely."""

from __future__ import annotations

from dataclasses import dataclass

from sutler.bots.kit import Settings
from sutler.bots.kit.records import RANDOM
from sutler.core.actions import Action
from sutler.core.chance import below
from sutler.core.play.position import SeatView


@dataclass(frozen=True)
class RandomBot(Settings):
    """The bot that draws among the legal actions: the weakest one, against which others are measured."""

    name = "random"
    kind = RANDOM

    def choose(self, view: SeatView) -> Action:
        """A legal action, drawn with the view's random generator."""
        return view.game.action_names[view.legal[int(below(view.luck, len(view.legal)))]]

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """The actions with their probabilities: (action, probability, 0)."""
        return [(action, 1.0 / len(view.legal), 0) for action in view.actions()]
