"""Games as decisions, for imitation and statistics.

A row each, with what the seat could know, what was legal, what it did.

The columns are those of `COLUMNS`; docs/learn.md explains them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot
from sutler.bots.kit.repeatable import players_of
from sutler.core.game import Game
from sutler.core.gamefile import parsed
from sutler.core.position import Position
from sutler.core.replay import replay
from sutler.lab.play.simulate import play_position_out, seat_bots

MAX_ROWS_HELD = 4096
"""Decisions held at once: observations are wide."""

Played = tuple[str, Position, Sequence[str]]
"""A game: its name, the position at its end, and who sat in each seat."""

COLUMNS: dict[str, Any] = {
    "played": pl.String,
    "decision": pl.UInt32,
    "seat": pl.UInt8,
    "seats": pl.UInt8,
    "player": pl.String,
    "observation": pl.List(pl.Float32),
    "legal": pl.List(pl.UInt16),
    "action": pl.UInt16,
    "name": pl.String,
    "over": pl.Boolean,
    "score": pl.Float64,
    "place": pl.UInt8,
    "box": pl.String,
}


def from_files(paths: Iterable[Path]) -> Iterator[Played]:
    """Yield games from game files, replayed move by move; GameFileError names the first that does not replay."""
    for path in paths:
        pos = replay(parsed(path.read_text(encoding="utf-8"), path.name), path.name)
        yield path.stem, pos, pos.names


def from_bots(
    game: Game, bots: Sequence[str | Bot], games: int, seed: int, seats: int | None = None
) -> Iterator[Played]:
    """Games played now; the bots change seats from game to game. ValueError when they do not fill a table."""
    players = players_of(seat_bots(bots, game, seats), game)
    n = len(players)
    for i in range(games):
        sit = [players[(seat + i) % n] for seat in range(n)]
        yield f"seed {seed + i}", play_position_out(game, sit, seed + i), [one.name for one in sit]


def rows_of(one: Played) -> Iterator[dict[str, Any]]:
    """Yield a row for every decision of a game, with what the seat that took it knew then."""
    name, end, players = one
    game, d = end.game, end.game.definition
    scores, places = end.scores(), end.places()
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
            "observation": seen.tolist(),
            "legal": then.legal_ids(),
            "action": decision.action,
            "name": game.action_names[decision.action].name,
            "over": end.over,
            "score": scores[decision.seat],
            "place": places[decision.seat],
            "box": game.box_hash,
        }


def export(games: Iterable[Played], to: Path, progress: Callable[[int], None] | None = None) -> tuple[int, int]:
    """Write the decisions of these games into one Parquet file; returns (games, decisions).

    ValueError for games of two titles.
    """
    n_games = n_rows = 0
    title = ""
    with tempfile.TemporaryDirectory(dir=to.resolve().parent, prefix=f".{to.name}-") as folder:
        held: list[dict[str, Any]] = []
        parts: list[Path] = []

        def lay_down() -> None:
            parts.append(Path(folder) / f"{len(parts):06}.parquet")
            pl.DataFrame(held, schema=COLUMNS, orient="row").write_parquet(parts[-1])
            held.clear()

        for one in games:
            title = title or one[1].game.title
            if one[1].game.title != title:
                raise ValueError(
                    f"{one[0]} is a game of {one[1].game.title}, those before it of {title}: one file, one game"
                )
            n_games += 1
            for row in rows_of(one):
                held.append(row)
                n_rows += 1
                if len(held) >= MAX_ROWS_HELD:
                    lay_down()
            if progress:
                progress(n_games)
        lay_down()
        pl.scan_parquet(parts).sink_parquet(Path(folder) / "whole")
        (Path(folder) / "whole").replace(to)
    return n_games, n_rows
