"""Encodings of observations for neural networks: raw numbers, scaled ones, or ids as one number for each possible value (one-hot).

    coded = Encoding(sutler.load("manor"), seats=2, encoding="onehot", compact=True)
    numbers = coded.encode(raw)      # coded.names says what each is, coded.low and coded.high how far it goes

"raw": what the game writes. "scaled": counts by their `scale`, cut at -1 and 1; ids and seats by how many there are; -1 where nothing is
named. "onehot": a number for each thing that an id or a seat may name, all 0 for none; counts scaled. In both, sets are one number
for each thing in them. `compact` leaves out the seats that nobody sits in. `game.observation_spec()` is the table all this is made from.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Literal, get_args

import numpy as np

from sutler.core.learners.observation import BITS, ID, SEAT, Observed
from sutler.core.play.game import Game
from sutler.core.record import record

Kind = Literal["raw", "scaled", "onehot"]
KINDS: tuple[Kind, ...] = get_args(Kind)
COPY, SCALE, RANK, SPREAD, SPLIT = range(5)
"""How a number is encoded. COPY: unchanged; SCALE: times a factor, clipped to -1 and 1; RANK: times a factor, but -1 stays -1;
SPREAD: one-hot; SPLIT: its bits, one number each."""

NUMBER = record("Number", ("source", "i4"), ("target", "i4"), ("how", "i4"), ("width", "i4"), ("factor", "f4"))
"""How one number of an observation is encoded: its index in the observation, its first index in the encoding, the way, width and factor."""


class Encoding:
    """The layout of encoded observations of a game with this number of seats. ValueError for an unknown encoding.

    `compact`: leave out the seats that the game could have and this table has not.
    """

    def __init__(self, game: Game, seats: int, encoding: Kind = "raw", compact: bool = False) -> None:
        if encoding not in KINDS:
            raise ValueError(f"encoding is one of {', '.join(KINDS)}, not {encoding!r}")
        self.kind, self.compact, self.seats = encoding, compact, seats
        self.n_raw = int(game.definition.N_OBSERVED)
        rows: list[tuple[Any, ...]] = []
        names: list[str] = []
        low: list[float] = []
        high: list[float] = []
        for one, source, path in self._iter_numbers(game):
            row, more, (least, most) = self._build_plan_row(one, source, len(names), path)
            rows.append(row)
            names += more
            low += [least] * len(more)
            high += [most] * len(more)
        self.names = names
        self.low, self.high = np.array(low, np.float32), np.array(high, np.float32)
        self.plan = np.array(rows, NUMBER.struct).view(NUMBER.dtype)
        self.runs = _find_runs_of_neighbours(self.plan[self.plan["how"] == COPY])
        self.is_plain = encoding == "raw" and len(rows) == self.n_raw

    @property
    def dtype(self) -> Any:
        """The smallest number type that holds the encoded numbers in a file: an integer type for "raw", else float32."""
        if self.kind == "raw":
            for one in (np.int8, np.int16, np.int32):
                if np.iinfo(one).min <= self.low.min() and self.high.max() <= np.iinfo(one).max:
                    return np.dtype(one)
        return np.dtype(np.float32)

    @property
    def n(self) -> int:
        """The number of encoded numbers."""
        return len(self.names)

    def _iter_numbers(self, game: Game) -> Iterator[tuple[Observed, int, str]]:
        """Yield (field, index in the observation, name such as "seats[0].tokens[1]") of every number that is kept, in order."""
        found = []
        for one in game.observation_spec():
            for at in product(*(range(size) for size in one.shape)):
                if self.compact and any(
                    i >= self.seats and axis == SEAT for i, axis in zip(at, one.axes, strict=False)
                ):
                    continue
                source = one.offset + sum(i * step for i, step in zip(at, one.steps, strict=True))
                found.append((source, one, one.name + "".join(f"[{i}]" for i in at)))
        for source, one, path in sorted(found, key=lambda row: row[0]):
            yield one, source, path

    def _build_plan_row(
        self, one: Observed, source: int, target: int, path: str
    ) -> tuple[Any, list[str], tuple[float, float]]:
        """(the row of the plan for one observed number, the names of its encoded numbers, their lowest and highest value).

        `source`: its index in the observation; `target`: its first index in the encoding; `path`: its name.
        """
        if self.kind == "raw" or (one.kind == BITS and not one.cardinality):
            return (source, target, COPY, 1, 1.0), [path], (one.low, one.high)
        if one.kind == BITS:
            return (source, target, SPLIT, one.cardinality, 1.0), _build_value_names(path, one.cardinality), (0.0, 1.0)
        n = one.cardinality
        if one.kind in (ID, SEAT) and self.kind == "onehot":
            n = self.seats if one.kind == SEAT and self.compact else n
            return (source, target, SPREAD, n, 1.0), _build_value_names(path, n), (0.0, 1.0)
        if one.kind in (ID, SEAT):  # -1 stays -1, and the others lie between 0 and 1
            return (source, target, RANK, 1, 1.0 / max(1, n - 1)), [path], (-1.0, 1.0)
        return (source, target, SCALE, 1, 1.0 / one.scale), [path], (max(-1.0, one.low), 1.0)

    def encode(self, raw: Any) -> Any:
        """Encode one observation or many: float32 of shape (..., n_raw) becomes float32 of shape (..., n)."""
        raw = np.asarray(raw, np.float32)
        if self.is_plain:
            return raw
        out = np.zeros((*raw.shape[:-1], self.n), np.float32)
        plan, flat, to = self.plan, raw.reshape(-1, self.n_raw), out.reshape(-1, self.n)
        for how in (COPY, SCALE, RANK, SPREAD, SPLIT):
            rows = plan[plan["how"] == how]
            if how == COPY:
                for source, target, n in self.runs:
                    to[:, target : target + n] = flat[:, source : source + n]
                continue
            x, target, width = flat[:, rows["source"]], rows["target"], rows["width"]
            if how == SCALE:
                to[:, target] = np.clip(x * rows["factor"], -1, 1)
            elif how == RANK:
                to[:, target] = np.where(x < 0, -1, x * rows["factor"])
            elif how == SPREAD:
                game, number = np.nonzero((x >= 0) & (x < width))
                to[game, target[number] + x[game, number].astype(int)] = 1
            else:
                for k in range(int(width.max(initial=0))):
                    some = width > k
                    to[:, target[some] + k] = np.maximum(x[:, some], 0).astype(np.int64) >> k & 1
        return out


def _build_value_names(path: str, n: int) -> list[str]:
    """Names for n numbers that one number becomes: "PATH=0", "PATH=1" and so on."""
    return [f"{path}={k}" for k in range(n)]


def _find_runs_of_neighbours(rows: Any) -> list[tuple[int, int, int]]:
    """Runs of numbers that are neighbours before and after encoding: (first index before, first index after, length)."""
    breaks = np.flatnonzero((np.diff(rows["source"]) != 1) | (np.diff(rows["target"]) != 1)) + 1
    runs = [one for one in np.split(np.arange(len(rows)), breaks) if len(one)]
    return [(int(rows["source"][one[0]]), int(rows["target"][one[0]]), len(one)) for one in runs]
