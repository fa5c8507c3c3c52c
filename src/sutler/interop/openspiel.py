"""OpenSpiel: every game as one of its Python games (extra `openspiel`).

    import pyspiel
    import sutler.interop.openspiel          # registers sutler_manor, sutler_bellum, ...

    game = pyspiel.load_game("sutler_manor(players=3)")

All chance is in the seed: two chance nodes at the root draw it, a digit each, and everything random follows from it. A cloned state
therefore rolls the same dice as the original; programs that plan with hidden information use `resample_from_infostate`, which deals anew
all that a seat cannot know, future dice included.

Utilities are zero-sum, but identical where all play together. An information state is the seat's observation and a digest of all it saw
and did at its earlier decisions: perfect recall, as text only, since no tensor holds it. Two states that differ print differently.

`sutler_manor(players=2,box=small.toml,deals=16)` lays a file over the printed box, and draws one of sixteen seeds in a single chance
node: a finite game, which on a small box can be walked through and solved (examples/learn/cfr.py).
"""

from __future__ import annotations

import functools
import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.core.files.toml import read_toml_file
from sutler.core.learners.observation import MEASURED
from sutler.core.optional_imports import import_optional
from sutler.core.play.registry import find_game_folder, games, load_definition

pyspiel: Any = import_optional("pyspiel", "openspiel")

if TYPE_CHECKING:
    from sutler.core.play.game import Game

    class _Game:
        def __init__(self, *_: Any) -> None: ...

    class _State:
        def __init__(self, *_: Any) -> None: ...

else:
    _Game, _State = pyspiel.Game, pyspiel.State

DIGIT = 1024  # outcomes of a chance node
DIGITS = 2  # the number of chance nodes; together about a million games
GAME_LENGTHS, LONGEST_UNKNOWN = 10, 1_000_000
"""OpenSpiel's `max_game_length`: GAME_LENGTHS times the longest random game that was measured; LONGEST_UNKNOWN if none was."""


@functools.cache
def _read_game_measures(name: str) -> dict[str, Any]:
    """{"longest": the most decisions of a random game, "together": do all play together?} from a game's `learners.toml`.

    Without that table only "together", from the game's definition.
    """
    path = find_game_folder(name) / MEASURED
    said: dict[str, Any] = read_toml_file(path).get("play", {}) if path.exists() else {}
    return said or {"together": bool(load_definition(name).COOPERATIVE)}


def _build_game_type(name: str) -> Any:
    """OpenSpiel's description of a game, made from its box file, without importing its rules."""
    kind, info = pyspiel.GameType, read_toml_file(find_game_folder(name) / "box.toml").get("game", {})
    low, high = info["seats"]
    return kind(
        short_name=f"sutler_{name}",
        long_name=info["title"],
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.IDENTICAL if _read_game_measures(name)["together"] else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(high, 2),
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": low, "box": "", "deals": 0},
    )


class SutlerGame(_Game):
    """One of this project's games as an OpenSpiel game. `params`: its number of "players", a "box" (TOML file), a number of "deals".

    BoxError says what is wrong with a box.
    """

    kind: Any
    of: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        box, deals = str(given.get("box", "")), int(given.get("deals", 0))
        if deals < 0:
            raise ValueError(f"deals={deals}: name how many seeds there are, or 0 for some million")
        from sutler.core.play.game import load
        from sutler.interop.session import Session

        self.rules: Game = load(self.of, box or None)
        self.session = Session(self.rules, int(given.get("players", self.rules.min_seats)))
        self.chances, self.digits = (deals, 1) if deals else (DIGIT, DIGITS)
        together, seats, measured = (
            bool(self.rules.definition.COOPERATIVE),
            self.session.seats,
            _read_game_measures(self.of),
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=self.session.n_actions,
            max_chance_outcomes=self.chances,
            num_players=seats,
            min_utility=-1.0 if together or seats == 1 else -1.0 / (seats - 1),
            max_utility=1.0,
            utility_sum=None if together else 0.0,
            max_game_length=GAME_LENGTHS * measured["longest"] if "longest" in measured else LONGEST_UNKNOWN,
        )
        super().__init__(self.kind, info, {"players": self.session.seats, "box": box, "deals": deals})

    def new_initial_state(self) -> SutlerState:
        """The root of the game: the seed is not yet drawn."""
        return SutlerState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SutlerObserver:
        """An observer of a seat's present observation or, with perfect recall, of its information state."""
        return SutlerObserver(self, bool(iig_obs_type is not None and iig_obs_type.perfect_recall))


class SutlerState(_State):
    """A position of an OpenSpiel game: first the digits of its seed, while chance nodes draw them, then the game being played."""

    def __init__(self, game: SutlerGame) -> None:
        super().__init__(game)
        self.session = game.session.copy()
        self.chances, self.most_digits = game.chances, game.digits
        self.digits: list[int] = []
        self.recalled = [b""] * self.session.seats

    @property
    def is_dealt(self) -> bool:
        """Are all digits of the seed drawn, and so the game dealt?"""
        return len(self.digits) == self.most_digits

    def current_player(self) -> int:
        """The seat to act; OpenSpiel's id for chance at the root, and for a terminal state at the end."""
        if not self.is_dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.session.over else self.session.seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(digit, its probability) for each possible next digit of the seed; all are equally likely."""
        return [(digit, 1.0 / self.chances) for digit in range(self.chances)]

    def _legal_actions(self, player: int) -> list[int]:
        """The ids of the player's legal actions, ascending (a method that OpenSpiel calls)."""
        return self.session.legal()

    def _apply_action(self, action: int) -> None:
        """Take an action, or draw the next digit of the seed (a method that OpenSpiel calls)."""
        if not self.is_dealt:
            self.digits.append(int(action))
            if self.is_dealt:
                self.session.reset(sum(digit * DIGIT**k for k, digit in enumerate(self.digits)))
        else:
            seat, seen = self.session.seat, self.session.observation(self.session.seat)
            self.session.step(int(action))
            done = self.recalled[seat] + seen.tobytes() + int(action).to_bytes(4, "little")
            self.recalled[seat] = hashlib.sha256(done).digest()

    def _action_to_string(self, player: int, action: int) -> str:
        """The name of an action or of a digit (a method that OpenSpiel calls)."""
        return f"digit {action}" if player == pyspiel.PlayerId.CHANCE else self.session.game.action_names[action].name

    def is_terminal(self) -> bool:
        """Has the game ended?"""
        return self.is_dealt and self.session.over

    def returns(self) -> list[float]:
        """The reward of each seat (see `Session.rewards`)."""
        return self.session.returns() if self.is_terminal() else [0.0] * self.session.seats

    def __str__(self) -> str:
        """The state in a line: its seed, what was done, and a digest of the position, which redealing changes."""
        if not self.is_dealt:
            return f"seed {self.digits}"
        done = " ".join(str(one) for one in self.history()[len(self.digits) :])  # type: ignore[attr-defined]
        position = hashlib.sha256(self.session.state.tobytes()).hexdigest()[:16]
        return f"seed {self.digits}, decision {self.session.decisions}, position {position}, after {done or 'nothing'}"

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> SutlerState:
        """A state that this seat cannot tell from the present one: everything it cannot know, and all future chance, drawn at random again.

        `probability_sampler`: a function that returns a random number from 0 to 1.
        """
        from sutler.core.chance import REDEAL_STREAM, new_luck, reseed
        from sutler.interop.session import DRAWN_SEED_LIMIT

        twin: SutlerState = self.clone()  # type: ignore[attr-defined]
        definition, box = self.session.game.definition, self.session.game.box
        luck = new_luck(int(probability_sampler() * DRAWN_SEED_LIMIT), REDEAL_STREAM)
        definition.redeal(box, twin.session.state, player_id, luck)
        reseed(twin.session.state, luck)
        return twin


class SutlerObserver:
    """Reads a seat's knowledge from states: `tensor` holds it as numbers, `string_from` gives text. `recalls`: with perfect recall."""

    def __init__(self, game: SutlerGame, recalls: bool = False) -> None:
        self.tensor = np.zeros(0 if recalls else game.session.n_observed, np.float32)
        self.dict = {} if recalls else {"observation": self.tensor}
        self.recalls = recalls

    def set_from(self, state: SutlerState, player: int) -> None:
        """Fill the tensor with the seat's observation; with perfect recall there is no tensor, and nothing happens."""
        if self.recalls:
            return
        self.tensor.fill(0)
        if state.is_dealt:
            self.tensor[:] = state.session.observation(player)

    def string_from(self, state: SutlerState, player: int) -> str:
        """The seat's knowledge as text; two texts are equal if and only if the knowledge is."""
        if not state.is_dealt:
            return "nothing is dealt"
        seen = state.session.observation(player)
        text = " ".join(f"{i}:{seen[i]:g}" for i in np.flatnonzero(seen))
        return f"{text} after {state.recalled[player].hex()[:32] or 'nothing'}" if self.recalls else text


def register() -> list[str]:
    """Register every game with OpenSpiel, without importing its rules; returns their names there."""
    made, known = [], set(pyspiel.registered_names())
    for name in games():
        if f"sutler_{name}" not in known:
            kind = _build_game_type(name)
            pyspiel.register_game(kind, _build_game_class(name, kind))
        made.append(f"sutler_{name}")
    return made


def _build_game_class(name: str, kind: Any) -> type[SutlerGame]:
    """The class of a game, put into this module under its name so that pickle finds it."""
    made = type(f"{name.capitalize()}Game", (SutlerGame,), {"kind": kind, "of": name, "__module__": __name__})
    globals()[made.__name__] = made
    return made


NAMES = register()
