"""Games as decisions, for imitation and statistics: a row each, with what the seat could know, what was legal, what it did.

The columns are those of `columns_of`; docs/learn.md explains them. The file says of itself what its observations are made of
(`spec_in`).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot
from sutler.bots.kit import is_compiled, kit_of, own_files, packed, template_variant
from sutler.bots.kit.records import LUCK
from sutler.bots.kit.repeatable import players_of
from sutler.core.encoding import Encoding, Kind
from sutler.core.game import Game
from sutler.core.gamefile import parsed
from sutler.core.position import Position
from sutler.core.record import field, record
from sutler.core.replay import replay
from sutler.core.returns import returns_from
from sutler.lab.play.simulate import play_position_out, seat_bots

TEMPLATE = Path(__file__).with_name("_decisions.py")
MAX_ROWS_HELD = 4096
"""Decisions held at once: observations are wide."""
MAX_GAME_DECISIONS = 1_000_000
SPEC = "sutler"
"""The key of the file's metadata under which it describes itself."""

Played = tuple[str, Position, Sequence[str]]
"""A game: its name, the position at its end, and who sat in each seat."""


def columns_of(encoding: Encoding) -> dict[str, Any]:
    """The columns of a file and their types."""
    return {
        "played": pl.String,
        "decision": pl.UInt32,
        "seat": pl.UInt8,
        "seats": pl.UInt8,
        "player": pl.String,
        "observation": pl.Array(pl.Float32, encoding.n),
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


def spec_of(game: Game, encoding: Encoding) -> str:
    """A description of a file's observations and actions as JSON: the game, its options, every number's name, every action's."""
    told: dict[str, Any] = {"game": game.name, "title": game.title, "options": game.chosen, "box": game.box_hash}
    told |= {"encoding": encoding.kind, "compact": encoding.compact, "observation": encoding.names}
    told |= {"low": encoding.low.tolist(), "high": encoding.high.tolist()}
    told |= {"fields": [asdict(one) for one in game.observation_spec()]}
    told |= {"actions": [game.action_names[i].name for i in range(len(game.action_names))]}
    return json.dumps(told, default=str)


def spec_in(path: Path) -> dict[str, Any]:
    """The description that an exported file carries (`spec_of`)."""
    found: dict[str, Any] = json.loads(pl.read_parquet_metadata(path)[SPEC])
    return found


def from_files(paths: Iterable[Path]) -> Iterator[Played]:
    """Yield games from game files, replayed move by move; GameFileError names the first that does not replay."""
    for path in paths:
        pos = replay(parsed(path.read_text(encoding="utf-8"), path.name), path.name)
        yield path.stem, pos, pos.names


def from_bots(
    game: Game, bots: Sequence[str | Bot], games: int, seed: int, seats: int | None = None
) -> Iterator[Played]:
    """Games played now, one after the other in Python; the bots change seats from game to game. ValueError when they fill no table."""
    players = players_of(seat_bots(bots, game, seats), game)
    n = len(players)
    for i in range(games):
        sit = [players[(seat + i) % n] for seat in range(n)]
        yield f"seed {seed + i}", play_position_out(game, sit, seed + i), [one.name for one in sit]


def rows_of(one: Played, encoding: Encoding) -> Iterator[dict[str, Any]]:
    """Yield a row for every decision of a game, with what the seat that took it knew then."""
    name, end, players = one
    game, d = end.game, end.game.definition
    scores, places = end.scores(), end.places()
    returns = returns_from(d, np.array([scores], float), np.array([places]))[0] if end.over else np.zeros(end.n_seats)
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


class _File:
    """A file being written: parts in a folder beside it, joined at the end."""

    def __init__(self, to: Path, folder: str) -> None:
        self.to, self.folder = to, Path(folder)
        self.parts: list[Path] = []

    def add(self, part: pl.DataFrame) -> None:
        """Write these rows down."""
        self.parts.append(self.folder / f"{len(self.parts):06}.arrow")
        part.write_ipc(self.parts[-1])

    def close(self, spec: str) -> None:
        """Join the parts into the file, with its description."""
        pl.scan_ipc(self.parts).sink_parquet(self.folder / "whole", metadata={SPEC: spec}, statistics=False)
        (self.folder / "whole").replace(self.to)


def export(
    games: Iterable[Played],
    to: Path,
    progress: Callable[[int], None] | None = None,
    encoding: Kind = "raw",
) -> tuple[int, int]:
    """Write the decisions of these games into one Parquet file; returns (games, decisions).

    ValueError for games of two titles, or for none.
    """
    n_games = n_rows = 0
    first: Game | None = None
    with tempfile.TemporaryDirectory(dir=to.resolve().parent, prefix=f".{to.name}-") as folder:
        file, held = _File(to, folder), list[dict[str, Any]]()
        for one in games:
            game = one[1].game
            if first is None:
                first, coded = game, Encoding(game, game.max_seats, encoding)
                columns = columns_of(coded)
            if game.title != first.title:
                raise ValueError(
                    f"{one[0]} is a game of {game.title}, those before it of {first.title}: one file, one game"
                )
            n_games += 1
            for row in rows_of(one, coded):
                held.append(row)
                n_rows += 1
                if len(held) >= MAX_ROWS_HELD:
                    file.add(_frame(held, columns))
            if progress:
                progress(n_games)
        if first is None:
            raise ValueError("no game to write down")
        if held or not file.parts:
            file.add(_frame(held, columns))
        file.close(spec_of(first, coded))
    return n_games, n_rows


def _frame(held: list[dict[str, Any]], columns: dict[str, Any]) -> pl.DataFrame:
    """A table of rows, which are held no longer."""
    seen = np.array([row.pop("observation") for row in held], np.float32).reshape(
        len(held), columns["observation"].size
    )
    schema = {name: kind for name, kind in columns.items() if name != "observation"}
    made = pl.DataFrame(held, schema=schema, orient="row").with_columns(
        pl.Series("observation", seen, columns["observation"])
    )
    held.clear()
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
    """Let bots play and write their decisions into one Parquet file; returns (games, decisions).

    The bots change seats from game to game. `encoding`, `compact`: how observations are written (`core.encoding`). Bots that do not
    decide in compiled code are asked one by one, with all seats in the observation. ValueError when they fill no table.
    """
    players = players_of(seat_bots(bots, game, seats), game)
    if not is_compiled(players):
        return export(from_bots(game, players, games, seed), to, progress, encoding)
    n_rows = 0
    game.blank(len(players), seed)  # a wrong number of seats is said at once
    coded = Encoding(game, len(players), encoding, compact)
    with tempfile.TemporaryDirectory(dir=to.resolve().parent, prefix=f".{to.name}-") as folder:
        file = _File(to, folder)
        for done, part in _Bookkeeper(game, players, coded).parts(games, seed):
            file.add(part)
            n_rows += part.height
            if progress:
                progress(done)
        file.close(spec_of(game, coded))
    return games, n_rows


class _Bookkeeper:
    """Games of compiled bots, and the book in which every decision is written down."""

    def __init__(self, game: Game, players: Sequence[Bot], encoding: Encoding) -> None:
        definition, kit, own = game.definition, kit_of(game), next(iter(own_files(players)), None)
        engine = definition.engine
        given = {"advance": engine.advance, "begin": engine.begin, "decide": kit.game_loop(own).decide}
        self.made = definition.template(TEMPLATE, template_variant(own), **given)
        self.game, self.players, self.encoding, self.columns = game, players, encoding, columns_of(encoding)
        self.bots, self.scratch, self.blank = packed(players, game), kit.scratch(tells=False), definition.state.new()
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
        rows = MAX_ROWS_HELD
        self.numbers, self.seats, self.actions = (
            np.zeros(rows, np.uint32),
            np.zeros(rows, np.uint8),
            np.zeros(rows, np.uint16),
        )
        self.legal = np.zeros((rows, len(self.row.out.ids)), np.uint64)
        self.seen = np.zeros((rows, definition.N_OBSERVED), np.float32)
        self.names = pl.Series([game.action_names[i].name for i in range(len(game.action_names))])

    def parts(self, games: int, seed: int) -> Iterator[tuple[int, pl.DataFrame]]:
        """Play, and yield how many games are done and their decisions, a few thousand at a time; none before its game is over."""
        at, waiting, held = 0, list[tuple[int, int, int]](), list[pl.DataFrame]()
        ends: dict[int, tuple[Any, Any, bool]] = {}
        for i in range(games):
            self._open(i, seed)
            going_on = True
            while going_on:
                begun, at = at, int(self._play_on(at))
                waiting.append((begun, at, i))
                going_on = bool(self.row.n > 0 and self.row.decisions < MAX_GAME_DECISIONS)
                if not going_on:
                    ends[i] = self._end()
                if at == MAX_ROWS_HELD:
                    held.append(self._part(waiting, at, seed))
                    at, waiting = 0, []
            if held:
                yield i + 1, self._finished(held, ends)
                held, ends = [], {k: one for k, one in ends.items() if k == i}
        if at:
            yield games, self._finished([self._part(waiting, at, seed)], ends)

    def _end(self) -> tuple[Any, Any, bool]:
        """The scores and places of the game on the table, and whether it came to its end."""
        n = len(self.players)
        return self.row.points[:n].copy(), self.row.places[:n].copy(), bool(self.row.n == 0)

    def _open(self, i: int, seed: int) -> None:
        n, row = len(self.players), self.row
        row.seed, row.state.n_seats = seed + i, n
        row.sit[:n] = (np.arange(n) + i) % n
        self.made.open_game(self.game.box, row, self.blank, self.scratch)

    def _play_on(self, at: int) -> Any:
        book = (self.numbers, self.seats, self.actions, self.legal, self.seen)
        return self.made.play_on(self.game.box, self.row, self.scratch, self.bots, book, at, MAX_GAME_DECISIONS)

    def _part(self, waiting: list[tuple[int, int, int]], n: int, seed: int) -> pl.DataFrame:
        """The rows of the book as a table; how their games ended is not yet in it."""
        numbers, seats, actions = (
            one[:n].copy() for one in (self.numbers, self.seats, self.actions)
        )  # the book goes on
        who = np.concatenate([np.full(end - begun, i) for begun, end, i in waiting])
        sit, names = (seats + who) % len(self.players), pl.Series([one.name for one in self.players])
        marks = np.unpackbits(self.legal[:n].view(np.uint8), axis=1, bitorder="little")
        rows, ids = np.divmod(np.flatnonzero(marks.view(np.bool_)), marks.shape[1])
        legal = pl.DataFrame({"row": rows.astype(np.uint32), "id": ids.astype(np.uint16)})
        return pl.DataFrame(
            {
                "game": who,
                "played": pl.Series([f"seed {seed + i}" for i in range(who[0], who[-1] + 1)]).gather(who - who[0]),
                "decision": numbers,
                "seat": seats,
                "seats": np.full(n, len(self.players), np.uint8),
                "player": names.gather(sit),
                "observation": self.encoding.encode(self.seen[:n].copy() if self.encoding.is_plain else self.seen[:n]),
                "legal": legal.group_by("row", maintain_order=True).agg("id")["id"],
                "action": actions,
                "name": self.names.gather(actions),
            }
        )

    def _finished(self, parts: list[pl.DataFrame], ends: dict[int, tuple[Any, Any, bool]]) -> pl.DataFrame:
        """The rows, one table after the other, with the end of their games."""
        part = pl.concat(parts)
        first = int(part["game"][0])
        games = [ends[i] for i in range(first, int(part["game"][-1]) + 1)]
        points, places = np.array([one[0] for one in games]), np.array([one[1] for one in games])
        over = np.array([one[2] for one in games])
        returns = np.where(over[:, None], returns_from(self.game.definition, points, places), 0.0).astype(np.float32)
        which, seat = part["game"].to_numpy() - first, part["seat"].to_numpy()
        ended = {
            "over": over[which],
            "score": points[which, seat],
            "place": places[which, seat].astype(np.uint8),
            "return": returns[which, seat],
            "returns": pl.Series(returns.tolist(), dtype=pl.List(pl.Float32)).gather(which),
            "box": pl.repeat(self.game.box_hash, part.height, eager=True),
        }
        return part.with_columns(**ended).select(list(self.columns)).cast(pl.Schema(self.columns))


def warm_export(game: Game) -> None:
    """Compile what exporting bots' games calls, or load it from the cache."""
    players = players_of(["random"] * game.min_seats, game)
    book = _Bookkeeper(game, players, Encoding(game, len(players)))
    book._open(0, 1)
    book._play_on(MAX_ROWS_HELD - 2)
