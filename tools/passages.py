"""Choose the passages that `tests/contract/test_passages.py` replays: `python tools/passages.py warfarm --most 80`.

Games are played with all numbers of seats and all sets of options used in tests, at random and by a bot that is often random. A greedy
set cover then keeps those pieces that show most features that few others show: kinds of action, each with the kinds of event, the fields
and the arguments that occur with them.
"""

from __future__ import annotations

import argparse
import heapq
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import sutler
from contract.options import OPTION_SETS
from contract.passages import FOLDER, Passage, played, rules, written
from sutler.contract.cases import WITH_OPTIONS
from sutler.core.files.box import BoxError
from sutler.core.play.position import Position

PASSAGE_DECISIONS = 16
PASSAGES_PER_FEATURE = 3
RANDOM_SHARE = 0.4
"""Share of decisions that the bot takes at random."""


@dataclass
class Piece:
    """A run of decisions in a game: options, seats, the state before it, the actions' ids, and the features that it shows."""

    options: dict[str, Any] | int
    seats: int
    state: bytes
    actions: list[int]
    shows: set[tuple[Any, ...]]


def tables(game: str) -> Iterator[tuple[dict[str, Any] | int, int]]:
    """Yield all pairs (options, number of seats) to play with; an int stands for one of the game's OPTION_SETS."""
    sizes = range(sutler.load(game).min_seats, sutler.load(game).max_seats + 1)
    sets: list[dict[str, Any] | int] = [{}, *range(len(OPTION_SETS.get(game, [])))]
    sets += [dict(case.options) for case in WITH_OPTIONS if case.game == game]
    for options in sets:
        for seats in sizes:
            try:
                rules(game, options).blank(seats, 0)
            except BoxError:
                continue
            yield options, seats


def kinds_of_bytes(dtype: Any, path: str = "") -> list[str]:
    """The path of the field, without indices, that each byte of a record belongs to."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return kinds_of_bytes(base, path) * int(np.prod(shape))
    if dtype.fields is None:
        return [path] * dtype.itemsize
    out = [""] * dtype.itemsize
    for name, (inner, offset, *_) in dtype.fields.items():
        out[offset : offset + inner.itemsize] = kinds_of_bytes(inner, f"{path}.{name}")
    return out


def shown(pos: Position, before: bytes, kinds: list[str]) -> set[tuple[Any, ...]]:
    """The features that the last decision shows. `before`: the state before it; `kinds`: the result of `kinds_of_bytes`."""
    decision = pos.decisions[-1]
    action = pos.game.action_names[decision.action]
    changed = np.flatnonzero(np.frombuffer(before, np.uint8) != np.frombuffer(pos.to_bytes(), np.uint8))
    fields = {kinds[int(i)] for i in changed}
    found: set[tuple[Any, ...]] = {(action.block, *action.args[-1:]), (action.block, int(pos.state.phase))}
    found |= {(action.block, field) for field in fields}
    for told in decision.told:
        found |= {(action.block, told.kind), (told.kind, *told.args[1:2])}
    found |= {(one.kind, two.kind) for one, two in zip(decision.told, decision.told[1:], strict=False)}
    return found | ({("over", action.block)} if pos.over else set())


def pieces(game: str, options: dict[str, Any] | int, seats: int, seed: int, most: int) -> Iterator[Piece]:
    """Play a game of at most `most` decisions, and yield it in pieces of PASSAGE_DECISIONS."""
    pos, luck = rules(game, options).new(seats, seed), random.Random(seed)
    bot = sutler.bot("greedy") if seed % 2 else None
    kinds = kinds_of_bytes(pos.game.definition.state.struct)
    while not pos.over and len(pos.decisions) < most:
        piece = Piece(options, seats, pos.to_bytes(), [], set())
        while not pos.over and len(piece.actions) < PASSAGE_DECISIONS:
            before = pos.to_bytes()
            if bot and luck.random() > RANDOM_SHARE:
                action = bot.choose(pos.for_seat(int(pos.state.to_act), seed)).id
            else:
                action = luck.choice(pos.legal_ids())
            pos.play(action)
            piece.actions.append(action)
            piece.shows |= shown(pos, before, kinds)
        yield piece


def chosen(every: list[Piece], most: int) -> list[Piece]:
    """At most `most` pieces that together show most features (greedy set cover), each feature up to PASSAGES_PER_FEATURE times."""
    shows: Counter[tuple[Any, ...]] = Counter()

    def gain(piece: Piece) -> float:
        return sum(0.5 ** shows[one] for one in piece.shows if shows[one] < PASSAGES_PER_FEATURE)

    heap = [(-gain(piece), i) for i, piece in enumerate(every)]
    heapq.heapify(heap)
    out = []
    while heap and len(out) < most:
        _, i = heapq.heappop(heap)
        now = -gain(every[i])
        if heap and now > heap[0][0]:
            heapq.heappush(heap, (now, i))
        elif now < 0:
            out.append(every[i])
            shows.update(every[i].shows)
    return out


def main() -> int:
    """Play games, choose passages, write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--most", type=int, default=80, help="passages")
    parser.add_argument("--games", type=int, default=2, help="games at each table")
    parser.add_argument("--decisions", type=int, default=1000, help="of a game, at most")
    parser.add_argument("--tables", type=int, default=1000, help="at most so many tables, drawn by chance")
    told = parser.parse_args()
    places = list(tables(told.game))
    every = [
        piece
        for options, seats in random.Random(1).sample(places, min(told.tables, len(places)))
        for seed in range(told.games)
        for piece in pieces(told.game, options, seats, seed, told.decisions)
    ]
    kept = chosen(every, told.most)
    out = []
    for one in kept:
        pos = rules(told.game, one.options).from_bytes(one.state)
        out.append(Passage(one.options, one.seats, one.state, tuple(played(pos, one.actions))))
    path = FOLDER / f"{told.game}.txt"
    path.write_text(written(out), encoding="utf-8")
    print(f"{path.name}: {len(out)} passages of {len(every)} pieces, {sum(len(one.lines) for one in out)} decisions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
