"""Games watched event by event: who did what, when, and what came just before; for questions that counting kinds cannot answer.

`watch(game, bots, ...)` plays games decision by decision and keeps every event that was told, in order, with the part of the
game it was told in (a year, a round: the number in the event that opens it). Slower than `simulate`, and it forgets nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot
from sutler.core.events import N_PARTS
from sutler.core.game import Game
from sutler.lab.simulate import MOST_DECISIONS, Progress, players_of, seating

Probe = Callable[[Any, Any], float]
"""What a game says of a position before a decision: (box, state) to a number, such as a chance."""


@dataclass(frozen=True)
class Watched:
    """Games watched: a row an event, a row a game, a row a probed decision."""

    game: Game
    games: int
    events: pl.DataFrame
    """game, i (the event's place), part, kind, args a to e."""
    ends: pl.DataFrame
    """game, won, score, decisions, parts, and the peak of every field asked for."""
    probes: pl.DataFrame
    """game, i (the next event's place), part, probe, value."""

    def of(self, *kinds: str) -> pl.DataFrame:
        """The events of some kinds."""
        return self.events.filter(pl.col("kind").is_in(kinds))

    def arg(self, kind: str, name: str) -> str:
        """The column in which an event's part stands."""
        parts = [one for one, _ in self.game.definition.events.events[kind].parts]
        if name not in parts:
            raise ValueError(f"event {kind} tells of {', '.join(parts) or 'nothing'}, not of {name}")
        return "abcde"[parts.index(name)]


@dataclass
class _Pad:
    """What is written down while games are played."""

    opens: str
    fields: Sequence[str]
    probes: Mapping[str, tuple[str, Probe]]
    rows: list[tuple[Any, ...]]
    ends: list[dict[str, Any]]
    probed: list[tuple[Any, ...]]


def watch(
    game: Game,
    bots: Sequence[str | Bot] = ("greedy",),
    seats: int | None = None,
    games: int = 100,
    seed: int = 1,
    opens: str = "",
    fields: Sequence[str] = (),
    probes: Mapping[str, tuple[str, Probe]] | None = None,
    progress: Progress | None = None,
) -> Watched:
    """Play `games` games between bots and write all of it down.

    `opens`: the event that opens a part; `fields`: number fields of the state whose peaks are kept; `probes`: by name, the
    block of actions before which one is asked, and the probe itself.
    """
    players = players_of(seating(bots, game, seats))
    pad = _Pad(opens, fields, probes or {}, [], [], [])
    for k in range(games):
        _watch_one(game, players, seed + k, k, pad)
        if progress:
            progress(k + 1, games)
    schema = {"game": pl.Int32, "i": pl.Int32, "part": pl.Int16, "kind": pl.String, **dict.fromkeys("abcde", pl.Int32)}
    events = pl.DataFrame(pad.rows, schema=schema, orient="row")
    probed = pl.DataFrame(
        pad.probed,
        schema={"game": pl.Int32, "i": pl.Int32, "part": pl.Int16, "probe": pl.String, "value": pl.Float64},
        orient="row",
    )
    return Watched(game, games, events, pl.DataFrame(pad.ends), probed)


def _watch_one(game: Game, players: Sequence[Bot], seed: int, k: int, pad: _Pad) -> None:
    pos = game.new(len(players), seed)
    part = count = 0
    peaks = {name: np.array(pos.state[name], np.int64) for name in pad.fields}
    won = False

    def tell(told: Any) -> None:
        nonlocal part, count, won
        for one in told:
            if one.kind == pad.opens:
                part = int(one.args[0])
            args = (*one.args, *(None,) * (N_PARTS - len(one.args)))
            pad.rows.append((k, count, part, one.kind, *args[:5]))
            count += 1

    tell(pos.opening)
    while not pos.over and len(pos.decisions) < MOST_DECISIONS:
        seat = pos.seat
        assert seat is not None
        action = players[(seat + k) % len(players)].choose(pos.for_seat(seat, seed))
        for name, (block, probe) in pad.probes.items():
            if action.block == block:
                pad.probed.append((k, count, part, name, float(probe(game.box, pos.state))))
        tell(pos.play(action))
        for name, peak in peaks.items():
            np.maximum(peak, pos.state[name], out=peak)
    places, scores = pos.places(), pos.scores()
    won = any(
        one.kind == game.definition.events.endings[0] for one in (pos.decisions[-1].told if pos.decisions else ())
    )
    end = {"game": k, "won": won, "place": places[0], "score": float(np.mean(scores)), "decisions": len(pos.decisions)}
    end |= {f"{name}_{i}": int(value) for name, peak in peaks.items() for i, value in enumerate(np.atleast_1d(peak))}
    pad.ends.append({**end, "parts": part})
