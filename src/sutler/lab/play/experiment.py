"""Experiments: `run(Plan(...), "F.parquet")` plays games and writes one Parquet file that describes itself.

Games are played in spans of consecutive numbers. Each finished span is written to the folder `F.parquet.parts` at once, so that an
interrupted experiment continues where it stopped when the same plan is run again; a folder whose `plan.json` differs is refused. In
the end the spans are merged into `F.parquet`, a row for each game, and `F.events.parquet`, a row for each kind of event and seat.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl

from sutler.bots import Bot
from sutler.bots.judge import Judge
from sutler.bots.kit import list_rule_files
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.bots.policy import Policy
from sutler.core.play.game import Game
from sutler.lab.play.atomic_files import atomic_file, write_atomically
from sutler.lab.play.cycles import find_cycles
from sutler.lab.play.experiment_recording import OFFERED, TAKEN, UNASKED, Recorder, Span, record_span_on_worker
from sutler.lab.play.provenance import bot_to_dict, collect_provenance, hash_bots_code
from sutler.lab.play.ray_cluster import Crew, Order
from sutler.lab.play.simulate import Progress, require_valid_seeds, seat_bots

SPAN_GAMES = 128  # a fixed number, so that one plan has the same spans on every machine
SEARCH_SPAN_GAMES = 4  # where a bot searches, which takes long
ROW_GROUP_GAMES = 2048  # games held in memory at once while the parts are merged into one file
FORMAT = 1
LIST_COLUMNS = ("events", "uses", "course")  # columns whose cells are lists of structs
Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


class Interrupted(Exception):
    """Raised when the user stops an experiment; finished spans are kept. `done`: the number of games in them."""

    def __init__(self, done: int, games: int, parts: Path) -> None:
        super().__init__(f"{done:,} of {games:,} games are kept in {parts}; the same command goes on from there")
        self.done = done


class Plan:
    """The plan of an experiment: the game with its box and options, bots, seed and number of games. It determines the results.

    `seats`: the number of seats where one bot sits in all of them (None: the game's best number); `rotate`: bots change seats from game
    to game. ValueError where the bots do not fill the seats, or where there are fewer than `games` seeds left.
    """

    def __init__(
        self,
        game: Game,
        bots: Sequence[str | Bot] = ("greedy",),
        games: int = 10_000,
        seed: int = 1,
        seats: int | None = None,
        rotate: bool = True,
    ) -> None:
        if games < 1:
            raise ValueError(f"at least one game, not {games}")
        self.game, self.games, self.seed, self.rotate = game, games, seed, rotate
        self.players = build_repeatable_bots(seat_bots(bots, game, seats), game)
        require_valid_seeds(game, len(self.players), seed, games)
        self.recorder = Recorder(game, self.players, rotate)
        searches = any(player.name == "search" for player in self.players)
        self.span = SEARCH_SPAN_GAMES if searches else SPAN_GAMES

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The (first game, end) of each span; the end is not included."""
        return [(first, min(first + self.span, self.games)) for first in range(0, self.games, self.span)]

    @property
    def bots_code(self) -> str:
        """A hash of the source code of the bots that play."""
        return hash_bots_code(self.game, list_rule_files(self.players))

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data with readable keys; parts can be merged only if their plans are equal."""
        game, players = self.game, self.players
        learned = b"".join(one.learned(game).to_json_text(game).encode() for one in players if isinstance(one, Judge))
        learned += b"".join(one.learned(game).file(game) for one in players if isinstance(one, Policy))
        return {
            "format": FORMAT,
            "game": self.game.name,
            "box": self.game.box_hash,
            "options": self.game.chosen,
            "bots": [bot_to_dict(player) for player in self.players],
            "seed": self.seed,
            "seats rotated": self.rotate,
            "games a part": self.span,
            "rules": self.game.definition.home.fingerprint,
            "bots' code": self.bots_code,
            "what judges learned": hashlib.sha256(learned).hexdigest()[:16],
        }

    def play_span(self, first: int, end: int) -> Span:
        """Play and record the games from number `first` to `end` (not included); the result depends on the plan and these numbers only."""
        return self.recorder.record_span(self.seed, first, end)


@dataclass
class PartsFolder:
    """The folder that keeps the finished parts (spans of games) of an experiment until its result file is written."""

    folder: Path
    plan: Plan

    @classmethod
    def open_beside(cls, out: Path, plan: Plan) -> PartsFolder:
        """The folder of parts for the result file `out`, created where it is missing.

        ValueError where it holds parts of another plan.
        """
        shelf = cls(out.with_name(f"{out.name}.parts"), plan)
        told, plan_file = json.loads(json.dumps(plan.to_dict(), default=str)), shelf.folder / "plan.json"
        shelf.folder.mkdir(exist_ok=True)
        if plan_file.exists():
            shelf._require_same_plan(told, plan_file)
        else:
            write_atomically(plan_file, json.dumps(told, indent=1))
        return shelf

    def _require_same_plan(self, identity: dict[str, Any], plan_file: Path) -> None:
        """Raise ValueError, naming the differences, unless the plan stored in the folder's plan file equals `identity`."""
        try:
            kept = json.loads(plan_file.read_text(encoding="utf-8"))
        except ValueError:
            kept = {}
        differing = [key for key in identity if kept.get(key) != identity[key]]
        if differing:
            was = "; ".join(
                f"{key} was {_short_json(kept.get(key))}, now {_short_json(identity[key])}" for key in differing
            )
            raise ValueError(
                f"{self.folder} holds the beginning of another experiment ({was}). "
                "Ask for the same again to go on with it, name another file, or delete the folder."
            )

    def get_part_path(self, first: int, end: int) -> Path:
        """The path of the part with the games from `first` to `end` (not included)."""
        return self.folder / f"{first:09d}-{end:09d}.parquet"

    def write_part(self, first: int, end: int, span: Span) -> None:
        """Write the part with the games from `first` to `end` (not included) into the folder, whole or not at all."""
        choices = json.dumps(_list_nonzero_entries(span.choices))
        path = self.get_part_path(first, end)
        with atomic_file(path) as aside:
            span.games.write_parquet(aside, metadata={"choices": choices})

    def has_part(self, first: int, end: int) -> bool:
        """Is the part with the games from `first` to `end` (not included) there and complete? A damaged one is deleted."""
        path = self.get_part_path(first, end)
        if not path.exists():
            return False
        try:
            whole = len(pl.read_parquet(path, columns=["seed"])) == end - first
        except (pl.exceptions.PolarsError, OSError):
            whole = False
        if not whole:
            path.unlink()
        return whole

    def read_games(self) -> pl.LazyFrame:
        """The games of all parts in order, as a lazy table that reads one part after another."""
        return pl.scan_parquet([self.get_part_path(*span) for span in self.plan.spans])

    def sum_choice_counts(self) -> Any:
        """How often each action was offered, chosen and forced over all parts, shape (actions, seats, 3)."""
        counted = np.zeros((self.plan.game.definition.actions.n, self.plan.game.max_seats, 3), np.int64)
        for span in self.plan.spans:
            where, counts = json.loads(pl.read_parquet_metadata(self.get_part_path(*span))["choices"])
            counted.ravel()[where] += counts
        return counted


def _short_json(value: Any) -> str:
    """A value as JSON, cut to 60 characters."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def _list_nonzero_entries(counts: Any) -> list[list[int]]:
    """The entries of an array that are not zero: [indexes in the flattened array, values]."""
    flat = counts.ravel()
    where = np.flatnonzero(flat)
    return [where.tolist(), flat[where].tolist()]


def run(
    plan: Plan,
    out: Path,
    threads: int | Crew | None = None,
    progress: Progress | None = None,
    report_kept: Callable[[int], None] | None = None,
    search_cycles: bool = True,
) -> pl.LazyFrame:
    """Play the spans that are missing, write `out` and `.events.parquet` beside it, and return the lazy table of games.

    `threads`: a number of threads of this machine (None: all), or a crew (a cluster of other machines). `progress(done, games)` is
    called after each span; `report_kept(done)` once at the start, with the number of games kept from an earlier run. `search_cycles`:
    also search games for cycles of play, which takes as long as hundreds of games. No step holds all games in memory at once.

    Raises Interrupted when the user stops it; finished spans are kept then.
    """
    shelf = PartsFolder.open_beside(out, plan)
    missing = [span for span in plan.spans if not shelf.has_part(*span)]
    done = plan.games - sum(end - first for first, end in missing)
    if report_kept:
        report_kept(done)
    try:
        if isinstance(threads, Crew):
            playing = _play_on_cluster(plan, shelf, missing, threads)
        else:
            playing = _play_on_threads(plan, shelf, missing, threads or os.cpu_count() or 1)
        with contextlib.closing(playing) as played:
            for first, end in played:
                done += end - first
                if progress:
                    progress(done, plan.games)
    except KeyboardInterrupt:
        done = sum(end - first for first, end in plan.spans if shelf.has_part(first, end))
        raise Interrupted(done, plan.games, shelf.folder) from None
    return _merge_parts(plan, shelf, out, search_cycles)


def _play_on_threads(
    plan: Plan, shelf: PartsFolder, missing: list[tuple[int, int]], threads: int
) -> Generator[tuple[int, int], None, None]:
    """Play the missing spans on several threads, and yield each one when it is written.

    When the iterator is closed, it waits for the spans that are being played.
    """

    def play_span(first: int, end: int) -> tuple[int, int]:
        """Play one span, write it, and return it."""
        shelf.write_part(first, end, plan.play_span(first, end))
        return first, end

    if plan.game.definition.home.interpreted or threads == 1:
        for first, end in missing:
            yield play_span(first, end)
        return
    with ThreadPoolExecutor(threads) as pool:
        left, busy = iter(missing), set[Future[tuple[int, int]]]()
        while True:
            while len(busy) < threads and (span := next(left, None)) is not None:
                busy.add(pool.submit(play_span, *span))
            if not busy:
                return
            finished, busy = wait(busy, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()


def _play_on_cluster(
    plan: Plan, shelf: PartsFolder, missing: list[tuple[int, int]], crew: Crew
) -> Generator[tuple[int, int], None, None]:
    """Have a cluster play the missing spans, and yield each one when it is written on this machine."""
    order = Order.from_game(plan.game, plan.players, plan.seed, plan.rotate, record_span_on_worker)
    with contextlib.closing(crew.play_spans(order, missing)) as played:
        for span, result in played:
            shelf.write_part(*span, result)
            yield span


def _merge_parts(plan: Plan, shelf: PartsFolder, out: Path, search_cycles: bool) -> pl.LazyFrame:
    """Merge all parts into the result file with its metadata, write the table of events beside it, and delete the parts."""
    games = shelf.read_games()
    seen = games.select("seed", "decisions").collect()
    about = collect_provenance(plan.game) | collect_rule_names(plan.game) | {"bots_code": plan.bots_code} | {
        "format": FORMAT,
        "edit": plan.game.edit,
        "seed": plan.seed,
        "games": plan.games,
        "seats": len(plan.players),
        "rotated": plan.rotate,
        "bots": [bot_to_dict(player) for player in plan.players],
        "choices": _list_choice_counts(plan.game, shelf.sum_choice_counts()),
        "cycles": find_cycles(plan.game, plan.players, seen, plan.rotate) if search_cycles else [],
    }  # fmt: skip
    with atomic_file(out) as aside, atomic_file(out.with_suffix(".events.parquet")) as beside:
        games.sink_parquet(aside, metadata={"sutler": json.dumps(about, default=str)}, row_group_size=ROW_GROUP_GAMES)
        told = count_events_by_seat(pl.scan_parquet(aside), plan.games)
        told.write_parquet(beside, metadata={"sutler": json.dumps(collect_provenance(plan.game))})
    shutil.rmtree(shelf.folder)
    return pl.scan_parquet(out)


def collect_rule_names(game: Game) -> dict[str, Any]:
    """The names, paragraphs and texts of the game that the numbers in a record refer to, so that a file explains itself."""
    d = game.definition
    return {
        "title": game.title,
        "cooperative": bool(d.COOPERATIVE),
        "events": {name: [event.rule, event.text, event.heading] for name, event in d.events.events.items()},
        "endings": list(d.events.endings),
        "blocks": {name: [block.rule, list(block.kinds)] for name, block in d.actions.blocks.items()},
        "names": {kind: list(game.names[kind]) for kind in list_named_kinds(game)},
        "paragraphs": [[one.number, one.chapter, one.title, one.kind] for one in game.guide.paragraphs],
    }


def list_named_kinds(game: Game) -> list[str]:
    """The kinds of things, such as "card", that events or actions name, sorted; "seat" is left out."""
    d = game.definition
    kinds = {kind for event in d.events.events.values() for _, kind in event.parts}
    kinds |= {kind for block in d.actions.blocks.values() for kind in block.kinds}
    return sorted(kind for kind in kinds if kind in game.names and kind != "seat")


def _list_choice_counts(game: Game, counts: Any) -> list[list[Any]]:
    """A list [block, action, seat, offered, chosen, forced] for each action and seat that was counted at least once."""
    rows = []
    for action, seat in zip(*np.nonzero(counts.sum(axis=2)), strict=True):
        one, n = game.action_names[int(action)], counts[action, seat]
        rows.append([one.block, one.name, int(seat), int(n[OFFERED]), int(n[TAKEN]), int(n[UNASKED])])
    return rows


def explode_list_column(table: Frame, column: str) -> Frame:
    """A table with a row for each entry of a list column (`events`, `uses` or `course`); its column `game` counts games from 0."""
    return table.with_row_index("game").select("game", column).explode(column).unnest(column)


def count_events_by_seat(table: pl.LazyFrame, games: int) -> pl.DataFrame:
    """A table with a row for each kind of event and seat (null where an event has none), summed over `games` games.

    Columns: count, amount, games in which it happened, count per game, and share of the games.
    """
    return (
        explode_list_column(table, "events")
        .group_by("event", "seat")
        .agg(count=pl.col("count").sum(), amount=pl.col("amount").cast(pl.Int64).sum(), games=pl.len())
        .with_columns(per_game=pl.col("count") / games, share_of_games=pl.col("games") / games)
        .sort("event", "seat")
        .collect(engine="streaming")
    )
