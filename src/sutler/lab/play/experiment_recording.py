"""Recording every game of an experiment in more detail than `simulate`'s table has.

Compiled code keeps statistics of each game (`bots/kit/_game_statistics.py`). This module makes columns of them: who led, when the game was
decided, how it ended, and three list columns:

- `events`: count and total amount by kind of event and seat;
- `uses`: count and total amount by each thing that an event names ("placed", "card", "Wheat");
- `course`: score and belongings of every seat at each tenth of the game.

They are found without code for the game: from its events and their named parts, its scores, and the fields of its state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot
from sutler.bots.kit import pack_bots
from sutler.bots.kit.records import build_event_labels
from sutler.core.play.game import Game
from sutler.core.record import HEADER, Field, Record
from sutler.lab.play.ray_cluster import Order
from sutler.lab.play.simulate import Run

COURSE_POINTS = 11  # every tenth of the game, from its first decision to its end
MAX_NAMED_COLUMNS = 16  # a seat's field with more entries is not taken for a list of goods
OFFERED, TAKEN, UNASKED = range(3)  # counts of each action: offered, chosen, forced as the only legal one


@dataclass(frozen=True)
class Track:
    """A quantity of the state that is followed through a game: its holder (a seat or a power), its name, and its field."""

    holder: str  # "seat", or a kind of name, such as "power"
    name: str
    path: tuple[str, ...]
    index: int | None = None
    is_set: bool = False

    def read_values(self, states: Any, holder: int) -> Any:
        """The quantity of holder number `holder` in each of these states."""
        if len(self.path) == 2:
            values = states[self.path[0]][..., holder][self.path[1]]
        else:
            values = states[self.path[0]][..., holder, :] if self.is_set else states[self.path[0]][..., holder]
        if self.is_set:
            return np.bitwise_count(values).sum(axis=-1).astype(np.int32)
        return (values if self.index is None else values[..., self.index]).astype(np.int32)


def list_tracks(game: Game) -> list[Track]:
    """Every quantity that is followed through a game: what seats own, and what powers or another named kind own.

    A game's OWNED gives the label of a field in reports; an empty label leaves the field out.
    """
    found: list[Track] = []
    for one in game.definition.state.fields[len(HEADER) :]:
        holder = _find_holder_kind(game, one)
        if holder is None:
            continue
        if isinstance(one.type, Record):
            for inner in one.type.fields:
                found += _iter_field_tracks(game, holder, inner, (one.name, inner.name), inner.shape)
        else:
            found += _iter_field_tracks(game, holder, one, (one.name,), one.shape[1:])
    said: dict[str, str] = game.definition.OWNED or {}
    found = [replace(t, name=said.get(t.path[-1], "") or t.name) for t in found if said.get(t.path[-1], "said") != ""]
    names = [(track.holder, track.name) for track in found]
    twice = {name for name in names if names.count(name) > 1}
    return [replace(t, name=f"{t.path[-1]} {t.name}") if (t.holder, t.name) in twice else t for t in found]


def _find_holder_kind(game: Game, field: Field) -> str | None:
    """The kind of owner that the first index of a field counts: "seat" or a named kind; None if it counts no owners."""
    shape = field.shape[:-1] if field.is_set else field.shape
    if not shape or field.of == "seat":
        return None
    if field.by == "seat" or (field.by is None and shape[0] == game.max_seats):
        return "seat"
    if field.by is None or not isinstance(field.type, Record) or shape[0] > MAX_NAMED_COLUMNS:
        return None
    return field.by if len(game.names.get(field.by, ())) == shape[0] else None


def _iter_field_tracks(
    game: Game, holder: str, field: Field, path: tuple[str, ...], shape: tuple[int, ...]
) -> Iterator[Track]:
    """Yield the quantities in one field of a holder: the size of a set, each entry of a row of named numbers, or a single number.

    `path`: the names that lead to the field; `shape`: its shape without the holder's index.
    """
    words, listed = field.name.replace("_", " "), game.names.get(field.by or "", ())
    if isinstance(field.type, Record):
        return
    if field.is_set:
        if len(shape) == 1:
            yield Track(holder, words, path, None, True)
    elif len(shape) == 1 and field.of is None and len(listed) == shape[0] <= MAX_NAMED_COLUMNS:
        for i, name in enumerate(listed):
            yield Track(holder, name, path, i)
    elif not shape and field.of is None and not field.name.startswith(("is_", "has_")):
        yield Track(holder, words, path)


@dataclass(frozen=True)
class Use:
    """A part of an event that names a thing, such as the card that is placed. `first`: the index of its first counter."""

    event: str
    kind: str
    first: int
    names: tuple[str, ...]


@dataclass
class Span:
    """Recorded games: a table with a row for each game, and how often each action was offered, chosen and forced, (actions, seats, 3)."""

    games: pl.DataFrame
    choices: np.ndarray[Any, np.dtype[np.int64]]


@dataclass
class Recorder:
    """Plays spans of games between these bots and records them. `rotate`: bots change seats from game to game."""

    game: Game
    players: list[Bot]
    rotate: bool = True
    uses: list[Use] = field(default_factory=list)

    def __post_init__(self) -> None:
        d = self.game.definition
        self.columns = self.game.max_seats + 1
        self.labels = build_event_labels(d.events)
        first = 0
        for label, event_name in zip(self.labels, d.events.names, strict=True):
            event = d.events.events[event_name]
            for part, (_, kind) in enumerate(event.parts):
                if kind == "seat" or kind not in self.game.names:
                    continue
                names = tuple(self.game.names[kind])
                label["first"][part], label["names"][part] = first, len(names)
                self.uses.append(Use(event_name, kind, first, names))
                first += len(names) * self.columns
        self.n_slots = max(1, first)
        self.tracks = list_tracks(self.game)

    # --- playing ---

    def record_span(self, seed: int, first: int, end: int) -> Span:
        """Play and record the games from number `first` to `end` (not included) of an experiment whose game 0 has this seed."""
        run = Run(self.game, self.players, end - first, seed, self.rotate, first)
        scratch = run.kit.create_scratch(self.labels, notes_choices=True)
        stats, uses = run.kit.new_stats(end - first, self.n_slots)
        if run.plays_compiled:
            finals = run.play_span(pack_bots(self.players, self.game), scratch, 0, end - first, (stats, uses))
        else:
            finals = self._play_and_record_in_python(run, scratch, stats, uses)
        return Span(self._build_games_table(run, finals, stats, uses), scratch.recorder.choices.copy())

    def _play_and_record_in_python(self, run: Run, scratch: Any, stats: Any, use_counts: Any) -> Any:
        """Play games of bots that are plain Python, and record them by replaying them in compiled code; returns their last states."""
        kit, box = run.kit, self.game.box
        finals = np.zeros(run.games, self.game.definition.state.dtype)
        finals["n_seats"] = run.n_seats
        for one, state, row, used in zip(run.results, finals, stats, use_counts, strict=True):
            pos = run.play_row_in_python(one)
            again = kit.result.new()
            again["seed"] = one["seed"]
            kit.game_loop.go_to_first_decision(box, state, again, scratch, True)
            kit.recorder.update_stats(box, state, again, scratch, row, used)
            kit.recorder.count_events(scratch, again)
            for decision in pos.decisions:
                kit.recorder.take(box, state, again, scratch, decision.action)
                kit.recorder.update_stats(box, state, again, scratch, row, used)
                kit.recorder.count_events(scratch, again)
            one["endings"] = again["endings"]
        run.record_ends(finals, 0, run.games)
        return finals

    # --- writing down ---

    def _build_games_table(self, run: Run, finals: Any, stats: Any, use_counts: Any) -> pl.DataFrame:
        """A table with a row for each game. `finals`: the last states; `stats`: statistics of each game.

        `use_counts` has shape (game, slot, 2): counts and amounts.
        """
        n, rows = run.n_seats, run.results
        winner = np.argmin(rows["places"][:, :n], axis=1)
        each = np.arange(len(rows))
        shared = (rows["places"][:, :n] == 1).sum(axis=1) != 1
        decided = np.where(shared, rows["decisions"], stats["not_ahead"][each, winner])
        return run.table().with_columns(
            lead_changes=pl.Series(stats["lead_changes"]),
            decided=pl.Series(decided.astype(np.int32)),
            behind=pl.Series(stats["behind"][each, winner]),
            events=_group_rows_by_game(self._build_event_table(stats), len(rows)),
            uses=_group_rows_by_game(self._build_use_table(use_counts), len(rows)),
            course=_group_rows_by_game(self._build_course_table(run, finals, stats), len(rows)),
        )

    def _build_event_table(self, stats: Any) -> pl.DataFrame:
        """A table with one row for each game, kind of event and seat: how often the event happened, and its total amount."""
        game, kind, seat = np.nonzero(stats["counts"])
        names = self.game.definition.events.names
        return pl.DataFrame(
            {
                "game": game,
                "event": _to_enum_series(kind, names),
                "seat": _to_seat_series(seat, self.game.max_seats),
                "count": stats["counts"][game, kind, seat],
                "amount": stats["amounts"][game, kind, seat],
            }
        )

    def _build_use_table(self, use_counts: Any) -> pl.DataFrame:
        """A table with one row for each game, named thing and seat: count and total amount.

        The slots in `use_counts` are those of each named part of an event, one part after another (`Use.first`).
        """
        game, slot = np.nonzero(use_counts[:, :, 0])
        firsts = np.array([one.first for one in self.uses] or [0])
        which = np.searchsorted(firsts, slot, side="right") - 1
        place = slot - firsts[which]
        events = self.game.definition.events.names
        kinds = sorted({one.kind for one in self.uses})
        things = sorted({name for one in self.uses for name in one.names})
        at = {name: i for i, name in enumerate(things)}
        named = np.array([at[name] for one in self.uses for name in one.names] or [0])
        return pl.DataFrame(
            {
                "game": game,
                "event": _to_enum_series(
                    np.array([events.index(one.event) for one in self.uses] or [0])[which], events
                ),
                "kind": _to_enum_series(np.array([kinds.index(one.kind) for one in self.uses] or [0])[which], kinds),
                "name": _to_enum_series(named[slot // self.columns], things),
                "seat": _to_seat_series(place % self.columns, self.game.max_seats),
                "count": use_counts[game, slot, 0],
                "amount": use_counts[game, slot, 1],
            }
        )

    def _build_course_table(self, run: Run, finals: Any, stats: Any) -> pl.DataFrame:
        """A table of score and belongings at each tenth of a game, with a row for each game, tenth and holder.

        Values are read from the kept state that is nearest.
        """
        n_games, each = len(finals), np.arange(len(finals))
        decisions, stride = run.results["decisions"], stats["stride"]
        states = np.zeros((n_games, COURSE_POINTS), finals.dtype)
        scores = np.zeros((n_games, COURSE_POINTS, self.game.max_seats))
        for tenth in range(COURSE_POINTS - 1):
            moment = np.rint(tenth / (COURSE_POINTS - 1) * decisions / stride).astype(int)
            moment = np.minimum(moment, stats["n_moments"] - 1)
            states[:, tenth], scores[:, tenth] = stats["moments"][each, moment], stats["scores"][each, moment]
        states[:, -1], scores[:, -1] = finals, run.results["points"]
        whole = [self._build_holder_table(holder, run.n_seats, states, scores) for holder in self._list_holder_kinds()]
        return pl.concat(whole, how="diagonal_relaxed").with_columns(
            who=pl.col("who").cast(pl.Enum(self._list_all_holder_names(run)))
        )

    def _list_holder_kinds(self) -> list[str]:
        """The kinds of holders: "seat", then the others in alphabetical order."""
        return ["seat", *sorted({track.holder for track in self.tracks} - {"seat"})]

    def _list_holder_names(self, holder: str, n_seats: int) -> list[str]:
        """The names of all holders of a kind; for "seat", of the seats that play."""
        return [f"seat {i + 1}" for i in range(n_seats)] if holder == "seat" else list(self.game.names[holder])

    def _list_all_holder_names(self, run: Run) -> list[str]:
        """The names of all holders of all kinds, each once."""
        return list(
            dict.fromkeys(
                name for holder in self._list_holder_kinds() for name in self._list_holder_names(holder, run.n_seats)
            )
        )

    def _build_holder_table(self, holder: str, n_seats: int, states: Any, scores: Any) -> pl.DataFrame:
        """The table of all holders of one kind, with a row for each game and tenth of it. `states`, `scores`: shape (games, tenths, …)."""
        names = self._list_holder_names(holder, n_seats)
        size = states.size
        columns: dict[str, Any] = {
            "game": np.tile(np.repeat(np.arange(len(states)), COURSE_POINTS), len(names)),
            "at": np.tile(np.arange(COURSE_POINTS, dtype=np.int8) * 10, len(states) * len(names)),
            "who": np.repeat(names, size),
        }
        if holder == "seat":
            columns["seat"] = np.repeat(np.arange(n_seats, dtype=np.int8), size)
            columns["score"] = np.moveaxis(scores[:, :, :n_seats], 2, 0).astype(np.float32).ravel()
        for track in self.tracks:
            if track.holder == holder:
                columns[track.name] = np.stack([track.read_values(states, of) for of in range(len(names))]).ravel()
        return pl.DataFrame(columns)


def record_span_on_worker(order: Order, game: Game, first: int, end: int) -> Span:
    """Play and record, on a worker of a cluster, the games from number `first` to `end` (not included)."""
    return Recorder(game, order.players, order.rotate).record_span(order.seed, first, end)


def _to_enum_series(numbers: Any, names: list[str]) -> pl.Series:
    """Numbers replaced by the names they are indexes of, as a polars series of an enumeration."""
    words = names or [""]
    return pl.Series(words, dtype=pl.Enum(list(dict.fromkeys(words)))).gather(numbers)


def _to_seat_series(columns: Any, no_seat: int) -> pl.Series:
    """Seat numbers as a polars series, with null in place of `no_seat`, the number that stands for no seat."""
    return pl.Series(columns.astype(np.int8)).replace(no_seat, None)


def _group_rows_by_game(flat: pl.DataFrame, n_games: int) -> pl.Series:
    """For each of `n_games` games, a list of structs with the rows of this game, as a series; `flat`: a table with a column `game`."""
    parts = [name for name in flat.columns if name != "game"]
    made = flat.select("game", row=pl.struct(parts)).group_by("game", maintain_order=True).agg("row")
    every = pl.DataFrame({"game": np.arange(n_games)}).join(made, on="game", how="left", maintain_order="left")
    return every["row"].fill_null([])
