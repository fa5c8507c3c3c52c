"""Event logs of many games: which seat did what, when, and after what.

`play_and_log(game, bots, ...)` keeps every event in order, with the part of the game in which it happened: a year or a round, by the
number in the event that opens it. Where `simulate` would play the games in compiled code, so does this. A game's probes (measures of
positions) run in Python, so they are asked in the first MAX_PROBED_GAMES games only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot
from sutler.bots.kit import pack_bots
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.events import EVENT, N_PARTS
from sutler.core.play.game import Game
from sutler.lab.play.simulate import Progress, Run, concatenate_states, seat_bots

MAX_PROBED_GAMES = 250  # the number of first games in which probes are asked
EVENT_ROWS, DECISION_ROWS = 1 << 13, 1 << 11
"""Rows for the events and for the decisions of one game at first; a game that needs more is played again with more rows."""

Probe = Callable[[Any, Any], float]
"""A measure of a position before a decision, declared by the game: from (box, state) to a number, such as a chance."""


@dataclass(frozen=True)
class LoggedGames:
    """The event logs of games as polars tables: `events` with a row for each event, a table of games, a table of probed decisions."""

    game: Game
    games: int
    events: pl.DataFrame
    """Columns: game, i (the event's index in its game), part (of the game), kind, and its numbers a to e."""
    ends: pl.DataFrame
    """Columns: game, won, place, score, decisions, parts, and the peak of every state field that was asked for."""
    probes: pl.DataFrame
    """Columns: game, i (the index of the next event), part (of the game), probe (its name), value."""
    table: pl.DataFrame = field(default_factory=pl.DataFrame)
    """The games as `simulate` returns them: a row for each game, with bots, scores, places, length and ending."""

    def select_kinds(self, *kinds: str) -> pl.DataFrame:
        """The rows of `events` with one of these kinds."""
        return self.events.filter(pl.col("kind").is_in(kinds))

    def find_column(self, kind: str, name: str) -> str:
        """The column of `events` (a to e) that holds the number called `name` of this kind of event; ValueError where it has none."""
        parts = [one for one, _ in self.game.definition.events.events[kind].parts]
        if name not in parts:
            raise ValueError(f"event {kind} tells of {', '.join(parts) or 'nothing'}, not of {name}")
        return "abcde"[parts.index(name)]


@dataclass
class _GameLog:
    """The log of one game."""

    rows: np.ndarray[Any, Any]
    """The events, in order of play."""
    peaks: dict[str, np.ndarray[Any, Any]]
    probed: list[tuple[int, str, float]]
    """Probed decisions: the index of the next event, the name of the probe, its value."""


@dataclass
class _Buffers:
    """The arrays into which one thread logs a game; they are used again for the next game."""

    scratch: Any
    rows: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(EVENT_ROWS, EVENT.dtype))
    moments: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class LogSettings:
    """The choice of what is logged in addition to events: the event that opens a part of the game, state fields, and probes.

    Of the fields the peaks are kept. Each probe comes with the block of actions (verb) before whose decisions it is asked.
    """

    opens: str = ""
    fields: Sequence[str] = ()
    probes: Mapping[str, tuple[str, Probe]] = field(default_factory=dict)


def play_and_log(
    game: Game,
    bots: Sequence[str | Bot] = ("greedy",),
    seats: int | None = None,
    games: int = 100,
    seed: int = 1,
    wanted: LogSettings | None = None,
    progress: Progress | None = None,
) -> LoggedGames:
    """The logs of games played between bots from consecutive seeds; bots change seats from game to game.

    `seats`: the number of seats where one bot sits in all of them (None: the game's best number); `wanted`: what to log beside events.
    ValueError where the bots do not fill the seats.
    """
    players = build_repeatable_bots(seat_bots(bots, game, seats), game)
    run, wanted = Run(game, players, games, seed, rotate=True), wanted or LogSettings()
    work = _play_and_log_compiled if run.plays_compiled else _play_and_log_in_python
    threads = min(games, os.cpu_count() or 1) if run.plays_compiled else 1
    spans = [range(k, games, threads) for k in range(threads)]
    sheets: dict[int, _GameLog] = {}

    def log_games(span: range) -> None:
        buffers = _Buffers(run.kit.create_scratch(run.labels))
        for k in span:
            sheets[k] = work(run, k, wanted, buffers)
            if progress:
                progress(len(sheets), games)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(log_games, spans))
    return _build_log_tables(run, wanted, [sheets[k] for k in range(games)])


def _play_and_log_compiled(run: Run, game_number: int, settings: LogSettings, buffers: _Buffers) -> _GameLog:
    """The log of game `game_number`, played in compiled code; if the buffers are too small they are enlarged and it is played again."""
    kit = run.kit
    if not len(buffers.moments):
        buffers.moments = np.zeros(DECISION_ROWS, kit.moment.dtype)
    final = np.zeros(1, run.game.definition.state.dtype)
    final["n_seats"] = run.n_seats
    one, fresh = run.results[game_number], run.results[game_number].copy()
    bots = pack_bots(run.players, run.game)
    while True:
        state = final[0]
        n = kit.logged_games.play_logged_game(
            run.game.box, state, one, bots, buffers.scratch, buffers.rows, buffers.moments
        )
        decisions = int(one["decisions"])
        if n <= len(buffers.rows) and decisions <= len(buffers.moments):
            break
        buffers.rows = np.zeros(2 * n, EVENT.dtype)
        buffers.moments = np.zeros(2 * decisions, kit.moment.dtype)
        run.results[game_number] = fresh
        final[:] = np.zeros(1, final.dtype)
        final["n_seats"] = run.n_seats
    run.record_ends(final, game_number, game_number + 1)
    moments = buffers.moments[:decisions]
    peaks = {name: np.maximum(moments["state"][name].max(axis=0), final[name][0]) for name in settings.fields}
    return _GameLog(
        buffers.rows[:n].copy(),
        peaks,
        _ask_probes(run.game, moments, settings) if game_number < MAX_PROBED_GAMES else [],
    )


def _ask_probes(game: Game, decisions: Any, settings: LogSettings) -> list[tuple[int, str, float]]:
    """The values of all probes before decisions of their blocks, each as (index of the next event, name of the probe, value)."""
    found = []
    for name, (block, probe) in settings.probes.items():
        ids = game.definition.actions.ids(block)
        for i in np.flatnonzero((decisions["action"] >= ids.start) & (decisions["action"] < ids.stop)):
            found.append((int(decisions[i]["at"]), name, float(probe(game.box, decisions[i]["state"]))))
    return found


def _play_and_log_in_python(run: Run, game_number: int, settings: LogSettings, buffers: _Buffers) -> _GameLog:
    """The log of game `game_number`, played in Python, for bots that are plain Python."""
    pos = run.play_row_in_python(run.results[game_number])
    names = run.game.definition.events.names
    told = [(0, one) for one in pos.opening] + [
        (i, one) for i, each in enumerate(pos.decisions, 1) for one in each.told
    ]
    rows = np.zeros(len(told), EVENT.dtype)
    for row, (_, one) in zip(rows, told, strict=True):
        row["kind"] = names.index(one.kind)
        row["parts"][: len(one.args)] = one.args
        run.results[game_number]["endings"] |= run.labels["ending"][row["kind"]]
    moments = np.zeros(len(pos.decisions), run.kit.moment.dtype)
    for i, (moment, decision) in enumerate(zip(moments, pos.decisions, strict=True)):
        moment["state"] = np.frombuffer(decision.before, pos.state.dtype)[0]
        moment["action"], moment["at"] = decision.action, sum(1 for after, _ in told if after <= i)
    run.record_ends(concatenate_states(pos.state), game_number, game_number + 1)
    states = concatenate_states(moments["state"], pos.state)
    peaks = {name: states[name].max(axis=0) for name in settings.fields}
    return _GameLog(rows, peaks, _ask_probes(run.game, moments, settings) if game_number < MAX_PROBED_GAMES else [])


def _build_log_tables(run: Run, settings: LogSettings, logs: Sequence[_GameLog]) -> LoggedGames:
    """The logs of all games, joined into tables."""
    names = run.game.definition.events.names
    opening = names.index(settings.opens) if settings.opens else -1
    sizes = [len(one.rows) for one in logs]
    rows = np.concatenate([one.rows for one in logs])
    parts = [find_game_part_of_events(one.rows, opening) for one in logs]
    columns: dict[str, Any] = {
        "game": np.repeat(np.arange(len(logs), dtype=np.int32), sizes),
        "i": np.concatenate([np.arange(n, dtype=np.int32) for n in sizes]),
        "part": np.concatenate(parts),
        "kind": pl.Series(names, dtype=pl.Enum(names)).gather(rows["kind"].astype(np.uint32)),
        **{letter: rows["parts"][:, at] for at, letter in enumerate("abcde"[:N_PARTS])},
    }
    probed = [
        (k, at, int(parts[k][at - 1]) if at else 0, name, said)
        for k, one in enumerate(logs)
        for at, name, said in one.probed
    ]
    schema: Any = {"game": pl.Int32, "i": pl.Int32, "part": pl.Int16, "probe": pl.String, "value": pl.Float64}
    return LoggedGames(
        run.game,
        len(logs),
        pl.DataFrame(columns),
        _build_endings_table(run, logs, parts),
        pl.DataFrame(probed, schema=schema, orient="row"),
        run.table(),
    )


def find_game_part_of_events(rows: np.ndarray[Any, Any], opening_kind: int) -> np.ndarray[Any, Any]:
    """The number of the part of the game in which each event happened, shape (events,).

    It is the first number in the last event of kind `opening_kind`; 0 before the first such event.
    """
    opens = rows["kind"] == opening_kind
    last = np.maximum.accumulate(np.where(opens, np.arange(len(rows)), -1))
    return np.where(last >= 0, rows["parts"][last, 0], 0).astype(np.int16)


def _build_endings_table(run: Run, logs: Sequence[_GameLog], parts: Sequence[np.ndarray[Any, Any]]) -> pl.DataFrame:
    """A table with a row for each game: whether the first of its endings was met, seat 0's place, mean score, length, and peaks."""
    rows, n = run.results, run.n_seats
    columns: dict[str, Any] = {
        "game": np.arange(len(logs)),
        "won": (rows["endings"] & 1).astype(bool),
        "place": rows["places"][:, 0],
        "score": rows["points"][:, :n].mean(axis=1),
        "decisions": rows["decisions"],
        "parts": np.array([int(one[-1]) if len(one) else 0 for one in parts]),
    }
    for name in logs[0].peaks:
        peaks = np.stack([np.atleast_1d(one.peaks[name]) for one in logs])
        columns |= {f"{name}_{i}": peaks[:, i].astype(np.int64) for i in range(peaks.shape[1])}
    return pl.DataFrame(columns)
