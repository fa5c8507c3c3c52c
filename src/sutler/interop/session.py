"""One game as learning programs see it: the seat to act, its observation, the legal actions, each seat's reward.

The adapters to the libraries are built on this class, so that rules, rewards and rounding are equal in all of them.
"""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

import numpy as np

from sutler.core.actions import IllegalAction, to_action_id
from sutler.core.bits import has, members
from sutler.core.engine import BEGIN, SETTLE
from sutler.core.events import new_event_buffer
from sutler.core.learners.encoding import Encoding, Kind
from sutler.core.learners.returns import compute_returns, compute_win_shares
from sutler.core.play.game import SEED_LIMIT, Game, load
from sutler.core.play.position import SeatView
from sutler.core.text.drawing import draw_table_as_text

DRAWN_SEED_LIMIT = 1 << 53
"""Seeds that environments draw themselves lie below this number, so that a float64 holds them exactly."""
MAX_EPISODE_STEPS = 100_000
"""The learner's decisions after which a game is cut (truncated), unless the caller gives another number."""
NOT_BEGUN = "No game is on the table yet: call reset first."

Observation = np.ndarray[Any, np.dtype[np.float32]]
Mask = np.ndarray[Any, np.dtype[np.int8]]
Rewards = np.ndarray[Any, np.dtype[np.float32]]


def load_game_with_options(game: str | Game, options: dict[str, Any] | None) -> Game:
    """The game of this name, loaded with these options, or the loaded game that is given; ValueError for a loaded game with options."""
    if isinstance(game, str):
        return load(game, None, options or {})
    if options:
        named = ", ".join(options)
        raise ValueError(
            f"{game.title} has been loaded already; its options ({named}) go there: load({game.name!r}, ...)"
        )
    return game


class Session:
    """One game, from its setup to its end, as learning programs see it; `reset` sets up a new one."""

    def __init__(self, game: Game, seats: int | None = None, encoding: Kind = "raw", compact: bool = False) -> None:
        self.game = game
        self.seats = game.min_seats if seats is None else seats
        game.blank(self.seats, 0)  # a wrong number of seats is said at once
        self.encoding = Encoding(game, self.seats, encoding, compact)
        self._silent = new_event_buffer(on=False)
        self._out = game.definition.actions.new_ids()
        self.decisions = 0
        self.seed = 0
        self.state: Any = None

    @property
    def n_actions(self) -> int:
        """The number of ids in the action table."""
        return int(self.game.definition.actions.n)

    @property
    def n_observed(self) -> int:
        """The length of an encoded observation."""
        return self.encoding.n

    def reset(self, seed: int) -> None:
        """Set up a new game of this seed."""
        definition = self.game.definition
        self.state, self.seed, self.decisions = self.game.blank(self.seats, seed % SEED_LIMIT), seed % SEED_LIMIT, 0
        definition.engine.go(self.game.box, self.state, self._silent, self._out, definition.asked, BEGIN)

    @property
    def over(self) -> bool:
        """Has the game ended? RuntimeError before the first one has begun."""
        if self.state is None:
            raise RuntimeError(NOT_BEGUN)
        return bool(self.game.definition.has_ended(self.state))

    @property
    def seat(self) -> int:
        """The seat to act; at the end the seat that acted last. RuntimeError before the first game has begun."""
        if self.state is None:
            raise RuntimeError(NOT_BEGUN)
        return int(self.state.to_act)

    def legal(self) -> list[int]:
        """The ids of the legal actions, ascending; none when the game is over."""
        return [] if self.over else members(self._out.ids)

    def mask(self) -> Mask:
        """The mask of legal actions: int8 of shape (n_actions,), 1 for each; at the end all ones, so that no policy divides by 0."""
        if self.over:
            return np.ones(self.n_actions, np.int8)
        out = np.zeros(self.n_actions, np.int8)
        out[self.legal()] = 1
        return out

    def observation(self, seat: int) -> Observation:
        """The observation of a seat: shape (n_observed,), float32; `encoding.names` says what each number is."""
        out = np.zeros(self.encoding.n_raw, np.float32)
        self.game.definition.observe(self.game.box, self.state, seat, out)
        seen: Observation = self.encoding.encode(out)
        return seen

    def step(self, action: int) -> None:
        """Take an action of the seat to act, and go to the next decision. IllegalAction says why not, with the paragraph."""
        definition, action = self.game.definition, self.require_legal(action)
        definition.engine.go(self.game.box, self.state, self._silent, self._out, definition.asked, action)
        self.decisions += 1

    def require_legal(self, action: int) -> int:
        """The action as an int, if it is legal; else IllegalAction with the reason and the paragraph."""
        if self.over:
            raise IllegalAction("The game is over; set the table anew with reset.")
        action = to_action_id(action)
        if not 0 <= action < self.n_actions:
            raise IllegalAction(
                f"{self.game.title} has no action number {action}: they run from 0 to {self.n_actions - 1}"
            )
        if not has(self._out.ids, action):
            self._raise_illegal(action)
        return action

    def _raise_illegal(self, action: int) -> None:
        """Raise IllegalAction with the reason why an action is not legal now."""
        definition, one = self.game.definition, self.game.action_names[action]
        refusal = definition.REFUSALS[int(definition.why_not(self.game.box, self.state, action))]
        raise IllegalAction(f"{one.name}: {refusal.text}", refusal.rule or one.rule)

    def rewards(self) -> Rewards:
        """The reward of each seat: shape (seats,), float32, between -1 and 1; zero before the end.

        The winner has 1, the others -1 / (seats - 1); several winners share, so that the sum is zero. Where all play together, each has
        tanh(score / scale / 2) with the game's `SCALE`.
        """
        return np.asarray(self.returns(), np.float32)

    def returns(self) -> list[float]:
        """The rewards of the seats in double precision (see `rewards`)."""
        if not self.over:
            return [0.0] * self.seats
        points, definition = np.zeros(self.seats), self.game.definition
        definition.score(self.game.box, self.state, points)
        return [float(one) for one in compute_returns(definition, points[None], self._compute_places()[None])[0]]

    def win_shares(self) -> list[float]:
        """Each seat's share of the win, 0 to 1: 1 / k for each of k winners; 0 before the end.

        Where all play together, all have 1 if they won.
        """
        if not self.over:
            return [0.0] * self.seats
        return [
            float(one)
            for one in compute_win_shares(self._compute_places()[None], bool(self.game.definition.COOPERATIVE))[0]
        ]

    def _compute_places(self) -> Any:
        """Each seat's place, from 1: shape (seats,)."""
        places = np.zeros(self.seats)
        self.game.definition.rank(self.game.box, self.state, places)
        return places

    def to_seat_view(self) -> SeatView:
        """The `SeatView` of the open decision, for one of this project's bots."""
        names = [f"Seat {seat + 1}" for seat in range(self.seats)]
        mixed = hashlib.sha256(f"{self.seed} {self.decisions}".encode()).digest()
        return SeatView(self.game, self.state, self.seat, self.legal(), names, int.from_bytes(mixed[:7], "big"))

    def render_text(self, seat: int | None) -> str:
        """The table drawn as text, as a seat (None: a watcher) may see it. RuntimeError before the first game has begun."""
        if self.state is None:
            raise RuntimeError(NOT_BEGUN)
        return draw_table_as_text(self.game.from_bytes(self.state.tobytes()), seat)

    def render_picture(self, seat: int | None) -> Any:
        """The table as a picture (`table_pictures`), as a seat (None: a watcher) may see it. RuntimeError before the first game."""
        if self.state is None:
            raise RuntimeError(NOT_BEGUN)
        from sutler.interop.table_pictures import render_picture

        return render_picture(self.game.from_bytes(self.state.tobytes()), seat)

    def copy(self) -> Session:
        """A copy that shares no mutable part with the original."""
        twin = object.__new__(Session)  # what __init__ looks into is known to be right
        twin.game, twin.seats, twin.encoding = self.game, self.seats, self.encoding
        twin.seed, twin.decisions = self.seed, self.decisions
        twin._silent, twin._out = new_event_buffer(on=False), self.game.definition.actions.new_ids()
        twin.state = None if self.state is None else self.game.definition.state.copy(self.state)
        twin._out.ids[:] = self._out.ids
        return twin

    def __reduce__(self) -> Any:
        """Pickle the session for another process: its game by name, edit and settings, and the state as bytes."""
        rules = json.dumps([self.game.name, self.game.edit, {**self.game.settings, **self.game.changed_options()}])
        data = None if self.state is None else self.state.tobytes()
        coded = self.encoding.kind, self.encoding.compact
        return _restore_session, (rules, self.seats, coded, self.seed, self.decisions, data)

    def __deepcopy__(self, memo: Any) -> Session:
        """A copy of the session (see `copy`); rules and box are shared."""
        return self.copy()


@functools.cache
def _load_described_game(rules: str) -> Game:
    """The game described by the JSON text of `Session.__reduce__`, cached."""
    name, edit, settings = json.loads(rules)
    return load(name, edit or None, settings)


def _restore_session(
    rules: str, seats: int, coded: tuple[Kind, bool], seed: int, decisions: int, data: bytes | None
) -> Session:
    """The session that `Session.__reduce__` described."""
    session = Session(_load_described_game(rules), seats, *coded)
    if data is not None:
        definition = session.game.definition
        session.seed, session.decisions, session.state = seed, decisions, definition.state.from_bytes(data)
        definition.engine.go(session.game.box, session.state, session._silent, session._out, definition.asked, SETTLE)
    return session


def compute_observation_bounds(session: Session) -> tuple[Observation, Observation]:
    """(lowest, highest) values of each number of an encoded observation: two arrays of shape (n_observed,)."""
    return session.encoding.low, session.encoding.high
