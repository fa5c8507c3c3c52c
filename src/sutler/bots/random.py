"""The random bot: every legal action is equally likely."""

from __future__ import annotations

from sutler.core.actions import Action
from sutler.core.chance import below
from sutler.core.game import SeatView


class RandomBot:
    """Plays anything legal; the floor that every other bot is measured from."""

    name = "random"

    def choose(self, view: SeatView) -> Action:
        """A legal action, drawn on the view's own generator."""
        return view.game.action_names[view.legal[int(below(view.luck, len(view.legal)))]]
