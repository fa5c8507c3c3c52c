"""`SeatView`: the legal actions and the knowledge of one seat, which a bot decides from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.core.actions import Action
from sutler.core.chance import REDEAL_STREAM, new_luck, reseed
from sutler.core.text.sentences import Speaker

if TYPE_CHECKING:
    from sutler.core.play.game import Game


class SeatView:
    """The open decision of one seat as a bot gets it.

    `world` is a redeal of the true state: everything that the seat cannot know, future dice included, is drawn anew, so no bot can peek.
    `legal`: the ids of the legal actions. `luck`: a source of random numbers for the bot.
    """

    def __init__(self, game: Game, state: Any, seat: int, legal: list[int], names: Sequence[str], seed: int) -> None:
        self.game = game
        self.seat = seat
        self.names = list(names)
        self.legal = legal
        self.luck = new_luck(seed, REDEAL_STREAM)
        self.world = self._redeal_state(state)

    def _redeal_state(self, state: Any) -> Any:
        """A copy of the state with everything that the seat cannot know drawn anew, future dice included."""
        world = self.game.definition.state.copy(state)
        self.game.definition.redeal(self.game.box, world, self.seat, self.luck)
        reseed(world, self.luck)
        return world

    def redeal(self) -> Any:
        """A state that agrees with everything this seat knows, with everything else drawn anew at each call."""
        return self._redeal_state(self.world)

    def actions(self) -> list[Action]:
        """The legal actions."""
        return [self.game.action_names[i] for i in self.legal]

    def view(self) -> dict[str, Any]:
        """The view of the seat, as plain data."""
        speaker = Speaker(self.game.names, self.names, self.game.tongue)
        view: dict[str, Any] = self.game.definition.view(self.game.box, self.world, speaker, self.seat)
        return view

    def observation(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The observation of the seat, as numbers for a learner: shape (N_OBSERVED,)."""
        d = self.game.definition
        out = np.zeros(d.N_OBSERVED, np.float32)
        d.observe(self.game.box, self.world, self.seat, out)
        return out
