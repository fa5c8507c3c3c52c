"""Recording every game of an experiment in more detail than `simulate`'s table has.

Compiled code keeps statistics of each game (`bots/kit/_recorder.py`). This module makes columns of them: who led, when the game was
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
from sutler.bots.kit import packed
from sutler.bots.kit.records import labels_of
from sutler.core.play.game import Game
from sutler.core.record import HEADER, Field, Record
from sutler.lab.play.ray_cluster import Order
from sutler.lab.play.simulate import Run

COURSE_POINTS = 11  # every tenth of the game, from its first decision to its end
MAX_NAMED_COLUMNS = 16  # a seat's field with more entries is not taken for a list of goods
OFFERED, TAKEN, UNASKED = range(3)  # counts of each action: offered, chosen, forced as the only legal one


@dataclass(frozen=True)
class Track:
    """A quantity in the state that is followed through a game: its holder, its name, and the field where it stands."""

    holder: str  # "seat", or a kind of name, such as "power"
    name: str
    path: tuple[str, ...]
    index: int | None = None
    is_set: bool = False

    def read(self, states: Any, of: int) -> Any:
        """The quantity of holder number `of` in each of these states."""
        if len(self.path) == 2:
            values = states[self.path[0]][..., of][self.path[1]]
        else:
            values = states[self.path[0]][..., of, :] if self.is_set else states[self.path[0]][..., of]
        if self.is_set:
            return np.bitwise_count(values).sum(axis=-1).astype(np.int32)
        return (values if self.index is None else values[..., self.index]).astype(np.int32)


def tracks_of(game: Game) -> list[Track]:
    """Every quantity that seats own, or that powers or another named kind own where a field of the state has one entry for each.

    A game's OWNED gives the label of a field in reports; an empty label leaves the field out.
    """
    found: list[Track] = []
    for one in game.definition.state.fields[len(HEADER) :]:
        holder = _holder(game, one)
        if holder is None:
            continue
        if isinstance(one.type, Record):
            for inner in one.type.fields:
                found += _tracks(game, holder, inner, (one.name, inner.name), inner.shape)
        else:
            found += _tracks(game, holder, one, (one.name,), one.shape[1:])
    said: dict[str, str] = game.definition.OWNED or {}
    found = [replace(t, name=said.get(t.path[-1], "") or t.name) for t in found if said.get(t.path[-1], "said") != ""]
    names = [(track.holder, track.name) for track in found]
    twice = {name for name in names if names.count(name) > 1}
    return [replace(t, name=f"{t.path[-1]} {t.name}") if (t.holder, t.name) in twice else t for t in found]


def _holder(game: Game, one: Field) -> str | None:
    """The kind that the first index of a field counts: "seat", or a named kind that owns things; None for neither."""
    shape = one.shape[:-1] if one.is_set else one.shape
    if not shape or one.of == "seat":
        return None
    if one.by == "seat" or (one.by is None and shape[0] == game.max_seats):
        return "seat"
    if one.by is None or not isinstance(one.type, Record) or shape[0] > MAX_NAMED_COLUMNS:
        return None
    return one.by if len(game.names.get(one.by, ())) == shape[0] else None


def _tracks(game: Game, holder: str, one: Field, path: tuple[str, ...], shape: tuple[int, ...]) -> Iterator[Track]:
    """Yield the quantities in one field of a holder: the size of a set, each entry of a row of named numbers, or a single number.

    `path`: the names that lead to the field; `shape`: its shape without the holder's index.
    """
    words, listed = one.name.replace("_", " "), game.names.get(one.by or "", ())
    if isinstance(one.type, Record):
        return
    if one.is_set:
        if len(shape) == 1:
            yield Track(holder, words, path, None, True)
    elif len(shape) == 1 and one.of is None and len(listed) == shape[0] <= MAX_NAMED_COLUMNS:
        for i, name in enumerate(listed):
            yield Track(holder, name, path, i)
    elif not shape and one.of is None and not one.name.startswith(("is_", "has_")):
        yield Track(holder, words, path)


@dataclass(frozen=True)
class Use:
    """A part of an event that names a thing, such as the card in `placed`. `first`: its first slot in the array of counts."""

    event: str
    kind: str
    first: int
    names: tuple[str, ...]


@dataclass
class Span:
    """Recorded games: a table with one row a game, and how often each action was offered, chosen and forced, (actions, seats, 3)."""

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
        self.labels = labels_of(d.events)
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
        self.tracks = tracks_of(self.game)

    # --- playing ---

    def span(self, seed: int, first: int, end: int) -> Span:
        """Play and record the games from number `first` to `end` (not included) of an experiment whose game 0 has this seed."""
        run = Run(self.game, self.players, end - first, seed, self.rotate, first)
        scratch = run.kit.scratch(self.labels, notes_choices=True)
        stats, uses = run.kit.new_stats(end - first, self.n_slots)
        if run.plays_compiled:
            finals = run.play_span(packed(self.players, self.game), scratch, 0, end - first, (stats, uses))
        else:
            finals = self._play_in_python(run, scratch, stats, uses)
        return Span(self._table(run, finals, stats, uses), scratch.recorder.choices.copy())

    def _play_in_python(self, run: Run, scratch: Any, stats: Any, uses: Any) -> Any:
        """Play games of bots that are plain Python, and record them by replaying them in compiled code; returns their last states."""
        kit, box = run.kit, self.game.box
        finals = np.zeros(run.games, self.game.definition.state.dtype)
        finals["n_seats"] = run.n_seats
        for one, state, row, used in zip(run.results, finals, stats, uses, strict=True):
            pos = run.play_one(one)
            again = kit.result.new()
            again["seed"] = one["seed"]
            kit.game_loop.open_game(box, state, again, scratch, True)
            kit.recorder.write_stats(box, state, again, scratch, row, used)
            kit.recorder.count_events(scratch, again)
            for decision in pos.decisions:
                kit.recorder.take(box, state, again, scratch, decision.action)
                kit.recorder.write_stats(box, state, again, scratch, row, used)
                kit.recorder.count_events(scratch, again)
            one["endings"] = again["endings"]
        run.record_ends(finals, 0, run.games)
        return finals

    # --- writing down ---

    def _table(self, run: Run, finals: Any, stats: Any, uses: Any) -> pl.DataFrame:
        """A table with one row a game. `finals`: the last states; `stats`: statistics of each game.

        `uses` has shape (game, slot, 2): counts and amounts.
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
            events=_as_lists(self._event_counts(stats), len(rows)),
            uses=_as_lists(self._use_counts(uses), len(rows)),
            course=_as_lists(self._course(run, finals, stats), len(rows)),
        )

    def _event_counts(self, stats: Any) -> pl.DataFrame:
        """A table with one row for each game, kind of event and seat: how often the event happened, and its total amount."""
        game, kind, seat = np.nonzero(stats["counts"])
        names = self.game.definition.events.names
        return pl.DataFrame(
            {
                "game": game,
                "event": _enum_series(kind, names),
                "seat": _seat_series(seat, self.game.max_seats),
                "count": stats["counts"][game, kind, seat],
                "amount": stats["amounts"][game, kind, seat],
            }
        )

    def _use_counts(self, uses: Any) -> pl.DataFrame:
        """A table with one row for each game, named thing and seat: count and total amount.

        The slots in `uses` are those of each named part of an event, one part after another (`Use.first`).
        """
        game, slot = np.nonzero(uses[:, :, 0])
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
                "event": _enum_series(np.array([events.index(one.event) for one in self.uses] or [0])[which], events),
                "kind": _enum_series(np.array([kinds.index(one.kind) for one in self.uses] or [0])[which], kinds),
                "name": _enum_series(named[slot // self.columns], things),
                "seat": _seat_series(place % self.columns, self.game.max_seats),
                "count": uses[game, slot, 0],
                "amount": uses[game, slot, 1],
            }
        )

    def _course(self, run: Run, finals: Any, stats: Any) -> pl.DataFrame:
        """A table of score and belongings at each tenth of a game, from the nearest kept state: one row a game, tenth and holder."""
        n_games, each = len(finals), np.arange(len(finals))
        decisions, stride = run.results["decisions"], stats["stride"]
        states = np.zeros((n_games, COURSE_POINTS), finals.dtype)
        scores = np.zeros((n_games, COURSE_POINTS, self.game.max_seats))
        for tenth in range(COURSE_POINTS - 1):
            moment = np.rint(tenth / (COURSE_POINTS - 1) * decisions / stride).astype(int)
            moment = np.minimum(moment, stats["n_moments"] - 1)
            states[:, tenth], scores[:, tenth] = stats["moments"][each, moment], stats["scores"][each, moment]
        states[:, -1], scores[:, -1] = finals, run.results["points"]
        whole = [self._rows_of_holders(holder, run.n_seats, states, scores) for holder in self._holder_kinds()]
        return pl.concat(whole, how="diagonal_relaxed").with_columns(
            who=pl.col("who").cast(pl.Enum(self._all_holder_names(run)))
        )

    def _holder_kinds(self) -> list[str]:
        """The kinds of holders: "seat", then the others in alphabetical order."""
        return ["seat", *sorted({track.holder for track in self.tracks} - {"seat"})]

    def _holder_names(self, holder: str, n_seats: int) -> list[str]:
        """The names of all holders of a kind; for "seat", of the seats that play."""
        return [f"seat {i + 1}" for i in range(n_seats)] if holder == "seat" else list(self.game.names[holder])

    def _all_holder_names(self, run: Run) -> list[str]:
        """The names of all holders of all kinds, each once."""
        return list(
            dict.fromkeys(name for holder in self._holder_kinds() for name in self._holder_names(holder, run.n_seats))
        )

    def _rows_of_holders(self, holder: str, n_seats: int, states: Any, scores: Any) -> pl.DataFrame:
        """The table of all holders of one kind, with one row a game and tenth of it. `states`, `scores`: shape (games, tenths, …)."""
        names = self._holder_names(holder, n_seats)
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
                columns[track.name] = np.stack([track.read(states, of) for of in range(len(names))]).ravel()
        return pl.DataFrame(columns)


def recorded_span(order: Order, game: Game, first: int, end: int) -> Span:
    """Play and record the games from number `first` to `end` (not included) on a worker of a cluster."""
    return Recorder(game, order.players, order.rotate).span(order.seed, first, end)


def _enum_series(numbers: Any, names: list[str]) -> pl.Series:
    """Numbers as the names they are indexes of, stored as an enumeration."""
    words = names or [""]
    return pl.Series(words, dtype=pl.Enum(list(dict.fromkeys(words)))).gather(numbers)


def _seat_series(columns: Any, none: int) -> pl.Series:
    """Seat numbers, with null in place of the number `none`, which stands for no seat."""
    return pl.Series(columns.astype(np.int8)).replace(none, None)


def _as_lists(flat: pl.DataFrame, n_games: int) -> pl.Series:
    """A table with a column `game` as a list of structs for each of `n_games` games."""
    parts = [name for name in flat.columns if name != "game"]
    made = flat.select("game", row=pl.struct(parts)).group_by("game", maintain_order=True).agg("row")
    every = pl.DataFrame({"game": np.arange(n_games)}).join(made, on="game", how="left", maintain_order="left")
    return every["row"].fill_null([])
