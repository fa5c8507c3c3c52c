"""OpenSpiel: every game as one of its Python games (extra `openspiel`).

    import pyspiel
    import sutler.interop.openspiel          # registers sutler_manor, sutler_bellum, ...

    game = pyspiel.load_game("sutler_manor(players=3)")

Chance lies in the seed: two chance nodes at the root draw it, a digit each, and everything after follows. So a copied state foresees its
dice; who plans with hidden things uses `resample_from_infostate`, which redeals all that a seat cannot know, the dice to come included.

`sutler_manor(players=2,box=small.toml,deals=16)` lays a file over the printed box, and draws one of sixteen seeds in a single chance
node: a finite game, which on a small box can be walked through and solved (examples/learn/cfr.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.core.chance import REDEAL_STREAM, new_luck, reseed
from sutler.core.game import Game, load
from sutler.core.registry import games
from sutler.interop import wanted
from sutler.interop.session import Session

pyspiel: Any = wanted("pyspiel", "openspiel")

if TYPE_CHECKING:

    class _Game:
        def __init__(self, *_: Any) -> None: ...

    class _State:
        def __init__(self, *_: Any) -> None: ...

else:
    _Game, _State = pyspiel.Game, pyspiel.State

DIGIT = 1024  # chances of a chance node
DIGITS = 2  # chance nodes: some million games


def _type_of(name: str, title: str, low: int, high: int) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name=title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(high, 2),
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": low, "box": "", "deals": 0},
    )


class SutlerGame(_Game):
    """A game of ours as OpenSpiel's; `params` may name its number of players, a box and a number of deals.

    BoxError says what is wrong with a box.
    """

    kind: Any
    of: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        box, deals = str(given.get("box", "")), int(given.get("deals", 0))
        if deals < 0:
            raise ValueError(f"deals={deals}: name how many seeds there are, or 0 for some million")
        self.rules: Game = load(self.of, box or None)
        self.session = Session(self.rules, int(given.get("players", self.rules.min_seats)))
        self.chances, self.digits = (deals, 1) if deals else (DIGIT, DIGITS)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.session.n_actions,
            max_chance_outcomes=self.chances,
            num_players=self.session.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=1_000_000,
        )
        super().__init__(self.kind, info, {"players": self.session.seats, "box": box, "deals": deals})

    def new_initial_state(self) -> SutlerState:
        """The root of the game: the seed is not yet drawn."""
        return SutlerState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SutlerObserver:
        """An observer for observations and information states, which are one: a seat's view keeps what it has seen."""
        return SutlerObserver(self)


class SutlerState(_State):
    """A position: the digits of its seed while they are drawn, then the game."""

    def __init__(self, game: SutlerGame) -> None:
        super().__init__(game)
        self.session = game.session.copy()
        self.chances, self.most_digits = game.chances, game.digits
        self.digits: list[int] = []

    @property
    def is_dealt(self) -> bool:
        """Is the whole seed drawn?"""
        return len(self.digits) == self.most_digits

    def current_player(self) -> int:
        """The seat to act; chance at the root."""
        if not self.is_dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.session.over else self.session.seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next digit of the seed."""
        return [(digit, 1.0 / self.chances) for digit in range(self.chances)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.session.legal()

    def _apply_action(self, action: int) -> None:
        if not self.is_dealt:
            self.digits.append(int(action))
            if self.is_dealt:
                self.session.reset(sum(digit * DIGIT**k for k, digit in enumerate(self.digits)))
        else:
            self.session.step(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"digit {action}" if player == pyspiel.PlayerId.CHANCE else self.session.game.action_names[action].name

    def is_terminal(self) -> bool:
        """Has the game ended?"""
        return self.is_dealt and self.session.over

    def returns(self) -> list[float]:
        """The reward of each seat (see `Session.rewards`)."""
        return [float(x) for x in self.session.rewards()] if self.is_terminal() else [0.0] * self.session.seats

    def __str__(self) -> str:
        return f"seed {self.digits}, decision {self.session.decisions}"

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> SutlerState:
        """Another world that this seat could be in: everything it cannot know, and all chance to come, drawn again."""
        twin: SutlerState = self.clone()  # type: ignore[attr-defined]
        definition, box = self.session.game.definition, self.session.game.box
        luck = new_luck(int(probability_sampler() * (1 << 53)), REDEAL_STREAM)
        definition.redeal(box, twin.session.state, player_id, luck)
        reseed(twin.session.state, luck)
        return twin


class SutlerObserver:
    """The knowledge of a seat: `tensor` as numbers, `string_from` as words."""

    def __init__(self, game: SutlerGame) -> None:
        self.tensor = np.zeros(game.session.n_observed, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SutlerState, player: int) -> None:
        """Fill the tensor with what this seat may know."""
        self.tensor.fill(0)
        if state.is_dealt:
            self.tensor[:] = state.session.observation(player)

    def string_from(self, state: SutlerState, player: int) -> str:
        """The observation of a seat as text: equal for a seat if and only if its observations are."""
        if not state.is_dealt:
            return "nothing is dealt"
        seen = state.session.observation(player)
        return " ".join(f"{i}:{seen[i]:g}" for i in np.flatnonzero(seen))


def register() -> list[str]:
    """Register every game with OpenSpiel; returns their names there."""
    made = []
    for name in games():
        info = load(name).info
        kind = _type_of(f"sutler_{name}", info.title, *info.seats)
        if kind.short_name not in pyspiel.registered_names():
            pyspiel.register_game(kind, _class_of(name, kind))
        made.append(str(kind.short_name))
    return made


def _class_of(name: str, kind: Any) -> type[SutlerGame]:
    """The class of a game, which OpenSpiel finds by its name when it unpickles."""
    made = type(f"{name.capitalize()}Game", (SutlerGame,), {"kind": kind, "of": name, "__module__": __name__})
    globals()[made.__name__] = made
    return made


NAMES = register()
