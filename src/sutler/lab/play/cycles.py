"""Cycles in play: the longest games and a few others are replayed, and their actions are searched for repetitions.

A cycle is a sequence of actions, by any seats, that is repeated at least MIN_REPEATS times in a row. The gains of a seat in each round
of the cycle show whether it pays. A cycle is kept with the seed of its game and the number of its first decision, so it can be viewed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot, bot
from sutler.bots.kit import pack_bots
from sutler.core.bits import members
from sutler.core.engine import SETTLE
from sutler.core.events import SILENT
from sutler.core.play.game import Game, load
from sutler.core.play.position import Position
from sutler.lab.play.experiment_recording import list_tracks
from sutler.lab.play.simulate import Run, concatenate_states

LONGEST_GAMES, OTHER_GAMES = 3, 3  # numbers of games that are searched for cycles
MAX_DECISIONS_SEARCHED = 3000  # of each game, from its start
MAX_DECISIONS_REPLAYED = 20_000  # where a user views a game
MAX_CYCLE_ACTIONS = 48  # in one round of a cycle
MIN_REPEATS = 10  # rounds in a row, from which on a repetition counts as a cycle
SeatAction = tuple[int, int]  # a seat and an action


@dataclass(frozen=True)
class Cycle:
    """A repeated sequence of actions, and where it is: in the game with this seed, after `at` decisions, `repeats` times."""

    seed: int
    at: int
    repeats: int
    decisions: int
    """The number of decisions of the game that were searched."""
    actions: list[tuple[int, str, str]]
    """The (seat, action, paragraph of the rules) of each action in one round of the cycle."""
    gains: dict[str, float]
    """The gain per round of the seat that acts first in the cycle, by the name of what it gains; zeros are left out."""

    @property
    def is_profitable(self) -> bool:
        """Does each repetition gain something for the seat that acts first, and lose it nothing counted in `gains`?"""
        return bool(self.gains) and min(self.gains.values()) > 0


def find_longest_cycle(actions: Sequence[SeatAction]) -> tuple[int, int, int] | None:
    """The longest repetition in a list of (seat, action), as (start, actions in one round, rounds); None where nothing repeats."""
    best: tuple[int, int, int] | None = None
    numbers = np.unique(np.array(actions, np.int64).reshape(-1, 2), axis=0, return_inverse=True)[1].ravel()
    for period in range(1, min(MAX_CYCLE_ACTIONS, len(numbers) // MIN_REPEATS) + 1):
        same = np.concatenate(([False], numbers[period:] == numbers[:-period], [False]))
        edges = np.flatnonzero(same[1:] != same[:-1]).reshape(-1, 2)
        for begin, end in edges:
            repeats = int(end - begin) // period + 1
            if repeats >= MIN_REPEATS and (best is None or repeats * period > best[1] * best[2]):
                best = int(begin), period, repeats
    return best


def find_cycles(game: Game, players: list[Bot], table: pl.DataFrame, rotate: bool) -> list[dict[str, Any]]:
    """The cycles in the longest games of an experiment and in a few others, as plain data, the longest first.

    `table`: the table of games, in order; `rotate`: whether bots changed seats from game to game.
    """
    found = []
    for k in select_games_to_search(table):
        seed = int(table["seed"][k])
        run = Run(game, players, 1, seed - k, rotate, k)
        states, done = _replay_states_and_actions(run)
        where = find_longest_cycle(done)
        if where is not None:
            begin, period, repeats = where
            names = [(seat, game.action_names[action]) for seat, action in done[begin : begin + period]]
            actions = [(seat, one.name, one.rule) for seat, one in names]
            gains = _compute_gains_per_round(game, states, done[begin][0], where)
            found.append(Cycle(seed, begin, repeats, len(done), actions, gains))
    found.sort(key=lambda one: -one.repeats * len(one.actions))
    return [asdict(one) | {"pays": one.is_profitable} for one in found]


def replay_game(metadata: dict[str, Any], game_number: int) -> Position:
    """Replay game number `game_number` (from 0) of an experiment and return its last position.

    `metadata`: the metadata of the experiment's file.

    ValueError where the rules, the box or the bots have changed since, so that the game would differ.
    """
    game = load(metadata["game"], metadata["edit"] or None, {**metadata["options"], **metadata["settings"]})
    if game.definition.home.fingerprint != metadata["rules"] or game.box_hash != metadata["box"]:
        raise ValueError("these games were played by other rules or another box; play them again to look at one")
    try:
        players = [bot(**one) for one in metadata["bots"]]
    except ValueError as error:
        raise ValueError(f"a game is played again by the bots that played it: {error}") from None
    _, done = _replay_states_and_actions(
        Run(game, players, 1, int(metadata["seed"]), metadata["rotated"], game_number), MAX_DECISIONS_REPLAYED
    )
    pos = game.new(len(players), int(metadata["seed"]) + game_number)
    for _, action in done:
        pos.play(action)
    return pos


def select_games_to_search(table: pl.DataFrame) -> list[int]:
    """The row numbers of the games to search for cycles: the longest ones and a few of the others, evenly spaced."""
    order = np.argsort(-table["decisions"].to_numpy(), kind="stable")
    rest = order[LONGEST_GAMES:]
    return [int(k) for k in (*order[:LONGEST_GAMES], *rest[:: max(1, len(rest) // OTHER_GAMES)][:OTHER_GAMES])]


def _replay_states_and_actions(run: Run, max_decisions: int = MAX_DECISIONS_SEARCHED) -> tuple[Any, list[SeatAction]]:
    """The states of a game before each decision, and the (seat, action) of each; at most `max_decisions` decisions are replayed."""
    run.results["most"] = max_decisions
    if not run.plays_compiled:
        pos = run.play_row_in_python(run.results[0])
        moments = [pos.at(k) for k in range(min(max_decisions, len(pos.decisions)) + 1)]
        return concatenate_states(*(one.state for one in moments)), [
            (one.seat, one.action) for one in pos.decisions[:max_decisions]
        ]
    game, scratch = run.game, run.kit.create_scratch(run.labels)
    kept, finals = (np.zeros(n, game.definition.state.dtype) for n in (max_decisions, 1))
    finals["n_seats"] = run.n_seats
    bots = pack_bots(run.players, game)
    run.kit.game_loop.play(game.box, run.results, finals, bots, scratch, *run.kit.no_stats, kept, True)
    states = concatenate_states(kept[: int(scratch.recorder.n_kept)], finals)
    slices, close = [states[k : k + 1] for k in range(len(states))], _unpadded_dtype(states.dtype)
    ends = [one.tobytes() for one in states.astype(close)]
    return states, [_find_action_between(game, one, end, close) for one, end in zip(slices, ends[1:], strict=False)]


def _unpadded_dtype(layout: Any) -> Any:
    """The dtype of a record without padding between its fields, so that equal states have equal bytes."""
    if layout.subdtype:
        one, shape = layout.subdtype
        return np.dtype((_unpadded_dtype(one), shape))
    return np.dtype([(name, _unpadded_dtype(layout[name])) for name in layout.names]) if layout.names else layout


def _find_action_between(game: Game, before: Any, after: bytes, unpadded: Any) -> SeatAction:
    """The (seat, action) that leads from one state to the next; ValueError where no legal action does.

    `before`: an array of one state; `after`: the bytes of the next state in the dtype `unpadded`.
    """
    engine, asked = game.definition.engine, game.definition.asked
    out, trial = game.definition.actions.ids_record.new(), before.copy()[0]
    engine.go(game.box, trial, SILENT, out, asked, SETTLE)
    for action in members(out.ids):
        trial = before.copy()
        engine.go(game.box, trial[0], SILENT, out, asked, int(action))
        if trial.astype(unpadded).tobytes() == after:
            return int(before[0].to_act), int(action)
    raise ValueError(f"{game.title}: no action leads from one state to the next")


def _compute_gains_per_round(game: Game, states: Any, seat: int, cycle: tuple[int, int, int]) -> dict[str, float]:
    """{what a seat owns: how much of it the seat gains in each round of a cycle}. `cycle`: (start, actions in a round, rounds)."""
    begin, period, repeats = cycle
    ends = states[[begin, begin + period * (repeats - 1)]]
    each = {}
    for track in list_tracks(game):
        if track.holder == "seat":
            first, last = (float(value) for value in track.read_values(ends, seat))
            if first != last:
                each[track.name] = (last - first) / (repeats - 1)
    return each
