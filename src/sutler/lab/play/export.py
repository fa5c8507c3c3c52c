"""Exporting played games as decisions, for imitation learning and statistics: one row for each decision.

A row has what the seat knew, which actions were legal, and which one it took (`list_column_types`; docs/learn.md explains the columns).
The file is Parquet or, where its name ends in `.arrow`, Arrow (`decision_files`); it describes its observations itself (`spec_in`).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot
from sutler.bots.kit import find_user_bot_file, get_kit, is_compiled, pack_bots
from sutler.bots.kit.records import LUCK
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.compilation.warm import announce_if_compiling
from sutler.core.files.gamefile import parse_game_file
from sutler.core.files.replay import replay
from sutler.core.learners.encoding import Encoding, Kind
from sutler.core.learners.returns import compute_returns
from sutler.core.play.game import Game
from sutler.core.play.position import Position
from sutler.core.record import field, record
from sutler.lab.play.decision_files import DecisionFile, open_decision_file
from sutler.lab.play.simulate import play_game_in_python, seat_bots

TEMPLATE = Path(__file__).with_name("_decision_recording.py")
MAX_ROWS_HELD = 4096
"""Decisions held in memory at once, which make one row group of the file; a group has a cost, and observations are wide."""
MEAN_LEGAL = 64
"""Legal actions for each decision that the arrays have room for; where there are more on average, fewer decisions are held."""
MAX_GAME_DECISIONS = 1_000_000
Played = tuple[str, Position, Sequence[str]]
"""A played game: its name, the position at its end, and the name of the player in each seat."""


def list_column_types(encoding: Encoding) -> dict[str, Any]:
    """The columns of a file of decisions and their polars types."""
    return {
        "played": pl.String,
        "decision": pl.UInt32,
        "seat": pl.UInt8,
        "seats": pl.UInt8,
        "player": pl.String,
        "observation": pl.Array(pl.Series(np.zeros(0, encoding.dtype)).dtype, encoding.n),
        "legal": pl.List(pl.UInt16),
        "action": pl.UInt16,
        "name": pl.String,
        "over": pl.Boolean,
        "score": pl.Float64,
        "place": pl.UInt8,
        "return": pl.Float32,
        "returns": pl.List(pl.Float32),
        "box": pl.String,
    }


def build_file_description(game: Game, encoding: Encoding) -> str:
    """A description of the file as JSON: the game, its options, the encoding, the name of each observed number and of each action."""
    told: dict[str, Any] = {"game": game.name, "title": game.title, "options": game.chosen, "box": game.box_hash}
    told |= {"encoding": encoding.kind, "compact": encoding.compact, "observation": encoding.names}
    told |= {"low": encoding.low.tolist(), "high": encoding.high.tolist()}
    told |= {"fields": [asdict(one) for one in game.observation_spec()]}
    told |= {"actions": [game.action_names[i].name for i in range(len(game.action_names))]}
    return json.dumps(told, default=str)


def iter_games_from_files(paths: Iterable[Path]) -> Iterator[Played]:
    """Yield the games in these game files, replayed; GameFileError names the first file that does not replay."""
    for path in paths:
        pos = replay(parse_game_file(path.read_text(encoding="utf-8"), path.name), path.name)
        yield path.stem, pos, pos.names


def iter_games_between_bots(
    game: Game, bots: Sequence[str | Bot], games: int, seed: int, seats: int | None = None
) -> Iterator[Played]:
    """Yield `games` games between bots, played now and in Python; the bots change seats from game to game.

    ValueError where the bots do not fill the seats.
    """
    players = build_repeatable_bots(seat_bots(bots, game, seats), game)
    n = len(players)
    for i in range(games):
        sit = [players[(seat + i) % n] for seat in range(n)]
        yield f"seed {seed + i}", play_game_in_python(game, sit, seed + i), [one.name for one in sit]


def iter_decision_rows(played: Played, encoding: Encoding) -> Iterator[dict[str, Any]]:
    """Yield a row for every decision of a game, as a mapping of columns to values; the observation is that of the deciding seat."""
    name, end, players = played
    game, d = end.game, end.game.definition
    scores, places = end.scores(), end.places()
    returns = (
        compute_returns(d, np.array([scores], float), np.array([places]))[0] if end.over else np.zeros(end.n_seats)
    )
    for number, decision in enumerate(end.decisions):
        then = game.from_bytes(decision.before)
        seen = np.zeros(d.N_OBSERVED, np.float32)
        d.observe(game.box, then.state, decision.seat, seen)
        yield {
            "played": name,
            "decision": number,
            "seat": decision.seat,
            "seats": end.n_seats,
            "player": players[decision.seat],
            "observation": encoding.encode(seen),
            "legal": then.legal_ids(),
            "action": decision.action,
            "name": game.action_names[decision.action].name,
            "over": end.over,
            "score": scores[decision.seat],
            "place": places[decision.seat],
            "return": returns[decision.seat],
            "returns": returns.tolist(),
            "box": game.box_hash,
        }


def export(
    games: Iterable[Played],
    to: Path,
    progress: Callable[[int], None] | None = None,
    encoding: Kind = "raw",
) -> tuple[int, int]:
    """Write the decisions of these games into the file `to`; return the number of games and the number of decisions.

    `progress` is called with the number of games done; `encoding`: how observations are written. ValueError where two games differ in
    title, or where there is no game.
    """
    n_games = n_rows = 0
    with contextlib.ExitStack() as stack:
        file: DecisionFile | None = None
        held = list[dict[str, Any]]()
        for one in games:
            game = one[1].game
            if file is None:
                first, coded = game, Encoding(game, game.max_seats, encoding)
                columns = list_column_types(coded)
                file = stack.enter_context(
                    open_decision_file(to, columns, build_file_description(first, coded), MAX_ROWS_HELD)
                )
            if game.title != first.title:
                raise ValueError(
                    f"{one[0]} is a game of {game.title}, those before it of {first.title}: one file, one game"
                )
            n_games += 1
            for row in iter_decision_rows(one, coded):
                held.append(row)
                n_rows += 1
                if len(held) >= MAX_ROWS_HELD:
                    file.add_rows(_build_table_and_clear(held, columns))
            if progress:
                progress(n_games)
        if file is None:
            raise ValueError("no game to write down")
        if held:
            file.add_rows(_build_table_and_clear(held, columns))
    return n_games, n_rows


def _build_table_and_clear(rows: list[dict[str, Any]], columns: dict[str, Any]) -> pl.DataFrame:
    """A table of these rows; the list of rows is emptied afterwards."""
    seen = np.array([row.pop("observation") for row in rows], np.float32)
    schema = {name: kind for name, kind in columns.items() if name != "observation"}
    made = pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.Series("observation", seen).cast(columns["observation"])
    )
    rows.clear()
    return made.select(list(columns))


# --- Bots, in compiled code -------------------------------------------------------


def export_bots(
    game: Game,
    bots: str | Sequence[str | Bot],
    games: int,
    to: Path,
    *,
    seed: int = 1,
    seats: int | None = None,
    encoding: Kind = "raw",
    compact: bool = False,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]:
    """Let bots play games and write their decisions into the file `to`; return the number of games and the number of decisions.

    The bots change seats from game to game. `encoding`, `compact`: how observations are written (`core.learners.encoding`). Bots that
    do not decide in compiled code play in Python, with all seats in the observation. `progress` is called with the number of games
    done. ValueError where the bots do not fill the seats.
    """
    players = build_repeatable_bots(seat_bots(bots, game, seats), game)
    if not is_compiled(players):
        return export(iter_games_between_bots(game, players, games, seed), to, progress, encoding)
    n_rows = 0
    game.blank(len(players), seed)  # raises ValueError for a wrong number of seats, before any game is played
    coded = Encoding(game, len(players), encoding, compact)
    keeper = _DecisionRecorder(game, players, coded)
    own = find_user_bot_file(players)
    with (
        open_decision_file(to, keeper.columns, build_file_description(game, coded), MAX_ROWS_HELD) as file,
        announce_if_compiling(game, own),
    ):
        for done, part in keeper.parts(games, seed):
            file.add_rows(part)
            n_rows += part.height
            if progress:
                progress(done)
    return games, n_rows


_End = tuple[Any, Any, bool]
"""The end of a game: the seats' scores, the seats' places, and whether the game was finished."""


@dataclass
class _RecordedDecisions:
    """Recorded decisions as arrays with one entry for each decision.

    Only `ids` is longer: it holds the legal actions of all decisions, one decision after another.
    """

    games: Any
    ids: Any
    numbers: Any
    seats: Any
    actions: Any
    ends: Any
    seen: Any


class _DecisionRecorder:
    """Plays games between compiled bots and records every decision in arrays."""

    def __init__(self, game: Game, players: Sequence[Bot], encoding: Encoding) -> None:
        definition, kit = game.definition, get_kit(game)
        engine = definition.engine
        given = {"advance": engine.advance, "begin": engine.begin, "decide": kit.game_loop.decide}
        self.made = definition.instantiate_template(TEMPLATE, **given)
        self.game, self.players, self.encoding, self.columns = game, players, encoding, list_column_types(encoding)
        self.bots, self.scratch, self.blank = (
            pack_bots(players, game),
            kit.create_scratch(tells=False),
            definition.state.new(),
        )
        seats = game.max_seats
        self.row: Any = record(
            "Game",
            field("state", definition.state),
            field("out", definition.actions.ids_record),
            field("lucks", LUCK, seats),
            ("seed", "i8"),
            ("n", "i8"),
            ("decisions", "i8"),
            field("sit", "i4", (seats,)),
            field("points", "f8", (seats,)),
            field("places", "f8", (seats,)),
        ).new()
        self.whole = encoding.kind == "raw"  # raw numbers go into the file as recorded; others are encoded then
        self.kind = encoding.dtype if self.whole else np.dtype(np.float32)
        runs = [] if encoding.is_plain or not self.whole else encoding.runs
        self.runs = np.array(runs, np.int64).reshape(-1, 3)
        self.raw = np.zeros(definition.N_OBSERVED, self.kind)
        self._allocate_arrays()
        self.names = pl.Series([game.action_names[i].name for i in range(len(game.action_names))])

    def parts(self, games: int, seed: int) -> Iterator[tuple[int, pl.DataFrame]]:
        """Play games and yield (number of games done, table of decisions) whenever the arrays are full and a game has ended."""
        at, waiting, full = 0, list[tuple[int, int, int]](), list[_RecordedDecisions]()
        ends: dict[int, _End] = {}
        for i in range(games):
            self._start_game(i, seed)
            going_on = True
            while going_on:
                begun, at = at, int(self._record_from_row(at))
                waiting.append((begun, at, i))
                going_on = bool(self.row.n > 0 and self.row.decisions < MAX_GAME_DECISIONS)
                if going_on:
                    full.append(self._detach_rows(waiting, at))
                    at, waiting = 0, []
                else:
                    ends[i] = self._read_game_end()
            for one in full:
                yield i + 1, self._build_decision_table(one, ends, seed)
            if full:
                full, ends = [], {i: ends[i]}
        if at:
            yield games, self._build_decision_table(self._detach_rows(waiting, at), ends, seed)

    def _allocate_arrays(self) -> None:
        """Make new arrays for the next decisions; the old ones belong to the table made from them."""
        rows, n_ids = MAX_ROWS_HELD, len(self.row.out.ids) * 64
        self.numbers, self.actions = np.zeros(rows, np.uint32), np.zeros(rows, np.uint16)
        self.seats, self.ends = np.zeros(rows, np.uint8), np.zeros(rows, np.int64)
        self.ids = np.empty(max(n_ids, rows * MEAN_LEGAL), np.uint16)
        self.seen = np.empty((rows, self.encoding.n if self.whole else self.encoding.n_raw), self.kind)

    def _read_game_end(self) -> _End:
        """The scores and places of the game being played, and whether it is finished."""
        n = len(self.players)
        return self.row.points[:n].copy(), self.row.places[:n].copy(), bool(self.row.n == 0)

    def _start_game(self, game_number: int, seed: int) -> None:
        """Set up game number `game_number`, with its own seed and its own order of the bots."""
        n, row = len(self.players), self.row
        row.seed, row.state.n_seats = seed + game_number, n
        row.sit[:n] = (np.arange(n) + game_number) % n
        self.made.start_game(self.game.box, row, self.blank, self.scratch)

    def _record_from_row(self, row: int) -> Any:
        """Play the game on, recording from row `row`, until it ends or the arrays are full; returns the next row."""
        book = (self.numbers, self.seats, self.actions, self.ids, self.ends, self.seen, self.raw, self.runs)
        return self.made.play_and_record_decisions(
            self.game.box, self.row, self.scratch, self.bots, book, row, MAX_GAME_DECISIONS
        )

    def _detach_rows(self, waiting: list[tuple[int, int, int]], n_rows: int) -> _RecordedDecisions:
        """The first `n_rows` recorded rows with the number of each row's game; further rows are recorded in new arrays.

        `waiting`: (first row, end, game) of each stretch of rows.
        """
        games = np.concatenate([np.full(end - begun, i) for begun, end, i in waiting])
        columns = (self.numbers, self.seats, self.actions, self.ends, self.seen)
        taken = _RecordedDecisions(games, self.ids, *(one[:n_rows] for one in columns))
        self._allocate_arrays()
        return taken

    def _build_decision_table(self, recorded: _RecordedDecisions, ends: dict[int, _End], seed: int) -> pl.DataFrame:
        """A table of recorded decisions with the results of their games (`ends`, by number).

        It is made in one call of polars, since each call is slow.
        """
        n, first = len(recorded.games), int(recorded.games[0])
        known = [ends[i] for i in range(first, int(recorded.games[-1]) + 1)]
        points, places = np.array([one[0] for one in known]), np.array([one[1] for one in known])
        over = np.array([one[2] for one in known])
        returns = np.where(over[:, None], compute_returns(self.game.definition, points, places), 0.0).astype(np.float32)
        which, seat = recorded.games - first, recorded.seats
        sit = (seat + recorded.games) % len(self.players)
        starts = np.concatenate([[0], recorded.ends[:-1]])
        ids, played = (
            pl.Series(recorded.ids[: recorded.ends[-1]]),
            [f"seed {seed + first + k}" for k in range(len(known))],
        )
        made: dict[str, pl.Expr] = {
            "played": _gather_column(pl.Series(played), which),
            "decision": _literal_column(recorded.numbers),
            "seat": _literal_column(seat),
            "seats": _literal_column(np.full(n, len(self.players), np.uint8)),
            "player": _gather_column(pl.Series([one.name for one in self.players]), sit),
            "observation": _literal_column(recorded.seen if self.whole else self.encoding.encode(recorded.seen)),
            "legal": pl.lit(pl.Series([ids])).list.slice(
                _literal_column(starts), _literal_column(recorded.ends - starts)
            ),
            "action": _literal_column(recorded.actions),
            "name": _gather_column(self.names, recorded.actions),
            "over": _literal_column(over[which]),
            "score": _literal_column(points[which, seat]),
            "place": _literal_column(places[which, seat].astype(np.uint8)),
            "return": _literal_column(returns[which, seat]),
            "returns": _gather_column(pl.Series(returns.tolist(), dtype=pl.List(pl.Float32)), which),
            "box": _gather_column(pl.Series([self.game.box_hash]), np.zeros(n, np.uint32)),
        }
        return pl.select([one.alias(name) for name, one in made.items()])


def _literal_column(numbers: Any) -> pl.Expr:
    """A literal column of these numbers."""
    return pl.lit(pl.Series(numbers))


def _gather_column(values: pl.Series, indexes: Any) -> pl.Expr:
    """A column of the entries of `values` at the indexes `indexes`."""
    return pl.lit(values).gather(_literal_column(indexes.astype(np.uint32)))


def warm_export(game: Game, bot: str | Bot = "random") -> None:
    """Compile, or load from the cache, the code that exports bots' games, for raw observations and for encoded ones."""
    players = build_repeatable_bots([bot, *["random"] * (game.min_seats - 1)], game)
    for kind in ("raw", "scaled"):
        keeper = _DecisionRecorder(game, players, Encoding(game, len(players), kind))
        keeper._start_game(0, 1)
        keeper._record_from_row(MAX_ROWS_HELD - 2)
