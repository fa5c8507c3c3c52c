"""Playing many games at once: `simulate(game, bots=["greedy"], games=10_000, seed=1)` returns a table with a row for each game.

Games run in compiled code, several in each call, on as many threads as the machine has. Each game has its own seed (the first game's is
`seed`, each next one's is one more), and each bot its own random generator made from it. So the table does not depend on the number of
threads, and any game of it can be played again: `game.new(seats, seed=...)` deals the same cards.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Literal, overload

import numpy as np
import polars as pl

from sutler.bots import Bot, choose_checked_action, notify_finish, to_bots
from sutler.bots.kit import Kit, copy_packed_bots, find_user_bot_file, get_kit, is_compiled, is_search, pack_bots
from sutler.bots.kit.records import build_event_labels
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.compilation.warm import announce_if_compiling
from sutler.core.play.game import SEED_LIMIT, Game, load_if_named
from sutler.core.play.position import Position, Stuck
from sutler.lab.play.ray_cluster import Crew, Order
from sutler.lab.stats.estimates import format_count_with_noun

MOST_DECISIONS = 1_000_000  # a longer game is stopped there and marked as not finished
TURN_FIELDS = ("turn", "round_no", "year", "season_no")  # names of the state field that counts turns
ROLE_SEPARATOR = " + "  # between the names of several roles that one seat has
CHUNK_GAMES = 64
SEARCH_CHUNK_GAMES = 2
RANDOM_CHUNK_GAMES = 256  # for random bots; a call from Python costs as much as ten random games of Three Years of War

Progress = Callable[[int, int], None]
_labels_of = functools.cache(build_event_labels)  # parses event texts, which takes as long as a hundred games


@overload
def simulate(
    game: str | Game,
    bots: str | Sequence[str | Bot] = ...,
    games: int = ...,
    seed: int = ...,
    rotate: bool = ...,
    threads: int | Crew | None = ...,
    progress: Progress | None = ...,
    events: Literal[False] = ...,
    seats: int | None = ...,
) -> pl.DataFrame: ...


@overload
def simulate(
    game: str | Game,
    bots: str | Sequence[str | Bot] = ...,
    games: int = ...,
    seed: int = ...,
    rotate: bool = ...,
    threads: int | Crew | None = ...,
    progress: Progress | None = ...,
    *,
    events: Literal[True],
    seats: int | None = ...,
) -> tuple[pl.DataFrame, pl.DataFrame]: ...


def simulate(
    game: str | Game,
    bots: str | Sequence[str | Bot] = ("greedy",),
    games: int = 10_000,
    seed: int = 1,
    rotate: bool = True,
    threads: int | Crew | None = None,
    progress: Progress | None = None,
    events: bool = False,
    seats: int | None = None,
) -> pl.DataFrame | tuple[pl.DataFrame, pl.DataFrame]:
    """Play games between bots and return a table with a row for each game.

    `bots`: one for each seat, or one that sits in all of `seats` (None: the game's best number). `rotate`: bots change seats from game to
    game, so that each sits in every seat equally often. `threads`: a number of this machine's threads (None: all), or a crew (a cluster of
    other machines). `events`: also return a table that counts events by kind and seat; a crew cannot. `progress(done, games)` is called as
    games are done. A search limited by time is given `players.ROUNDS` rounds a decision instead, so that results can be repeated.
    ValueError where the bots do not fill the seats, or for a wrong seed or number of games.
    """
    if games < 1:
        raise ValueError(f"at least one game, not {games}")
    game = load_if_named(game)
    bots = seat_bots(bots, game, seats)
    require_valid_seeds(game, len(bots), seed, games)
    players = build_repeatable_bots(bots, game)
    if isinstance(threads, Crew):
        if events:
            raise ValueError("events are counted on this machine only; a crew plays games")
        return _simulate_on_cluster(threads, game, players, games, seed, rotate, progress)
    run = Run(game, players, games, seed, rotate)
    with announce_if_compiling(game, find_user_bot_file(players)):
        told = run.play_all_games(threads or os.cpu_count() or 1, progress, events)
    table = run.table()
    return (table, told) if told is not None else table


def _simulate_on_cluster(
    crew: Crew, game: Game, players: list[Bot], games: int, seed: int, rotate: bool, progress: Progress | None
) -> pl.DataFrame:
    """Play the games on a cluster, span by span, and return their table."""
    searches = any(map(is_search, players))
    size = SEARCH_CHUNK_GAMES if searches else max(CHUNK_GAMES, -(-games // (4 * crew.size)))
    spans = [(first, min(first + size, games)) for first in range(0, games, size)]
    parts: dict[int, pl.DataFrame] = {}
    done = 0
    for (first, end), table in crew.play_spans(
        Order.from_game(game, players, seed, rotate, simulate_span_on_worker), spans
    ):
        parts[first] = table
        done += end - first
        if progress:
            progress(done, games)
    return pl.concat([parts[first] for first, _ in spans])


def simulate_span_on_worker(order: Order, game: Game, first: int, end: int) -> pl.DataFrame:
    """Play, on a worker of a cluster, the games from number `first` to `end` (not included); return their part of the table."""
    run = Run(game, order.players, end - first, order.seed, order.rotate, first)
    run.play_all_games(threads=1)
    return run.table()


def play_games(
    game: Game, bots: Sequence[str | Bot], seed: int, games: int = 1, max_decisions: int = MOST_DECISIONS
) -> tuple[Any, Any]:
    """The result rows and the last states of games between compiled bots, each stopped after `max_decisions` decisions."""
    run = Run(game, build_repeatable_bots(bots, game), games, seed, rotate=False)
    run.results["most"] = max_decisions
    return run.results, run.play_span(
        pack_bots(run.players, game), run.kit.create_scratch(run.labels, tells=False), 0, games
    )


def seat_bots(bots: str | Sequence[str | Bot], game: Game, seats: int | None) -> list[str | Bot]:
    """The bots, one for each seat; a single bot is repeated. ValueError where they do not fill `seats` seats."""
    bots = to_bots(bots) if isinstance(bots, str) else bots
    if len(bots) == 1:
        bots = list(bots) * (game.best_seats if seats is None else seats)
    if seats is not None and seats != len(bots):
        raise ValueError(f"{len(bots)} bots do not fill {seats} seats")
    return list(bots)


def require_valid_seeds(game: Game, seats: int, seed: int, games: int) -> None:
    """Raise ValueError for a wrong number of seats, a wrong seed, or too few seeds for this many games from `seed` on."""
    game.blank(seats, seed)
    if games > SEED_LIMIT - seed:
        raise ValueError(f"each game has its own seed, and from {seed} on there are {SEED_LIMIT - seed}: not {games}")


def play_game_in_python(game: Game, players: Sequence[Bot], seed: int) -> Position:
    """The last position of a game between bots, one for each seat, played in Python; it is stopped after MOST_DECISIONS decisions."""
    pos = game.new(len(players), seed)
    while not pos.over and len(pos.decisions) < MOST_DECISIONS:
        seat = pos.seat
        assert seat is not None
        pos.play(choose_checked_action(players[seat], pos.for_seat(seat, seed)))
    notify_finish(dict(enumerate(players)), pos)
    return pos


class Run:
    """Consecutive games between bots, with their result rows, which are filled in as games are played.

    `first`: the number of the first game; `rotate`: bots change seats from game to game.
    """

    def __init__(self, game: Game, players: list[Bot], games: int, seed: int, rotate: bool, first: int = 0) -> None:
        self.game, self.players, self.games = game, players, games
        self.kit: Kit = get_kit(game)
        n = self.n_seats = len(players)
        self.results = np.zeros(games, self.kit.result.dtype)
        self.results["most"] = MOST_DECISIONS
        self.results["seed"] = np.arange(seed + first, seed + first + games)
        turns = np.arange(first, first + games) if rotate else np.zeros(games, np.int64)
        self.results["bots"][:, :n] = (np.arange(n)[None, :] + turns[:, None]) % n
        names = game.definition.state.dtype.names or ()
        self.turn_field = next((name for name in TURN_FIELDS if name in names), None)
        self.turns = np.zeros(games, np.int32)
        self.roles: dict[str, Any] = {}
        n_kinds = len(game.definition.events.names)
        self.counts = np.zeros((n_kinds, self.game.max_seats + 1), np.int64)
        self.labels = _labels_of(game.definition.events).copy()

    def play_all_games(
        self, threads: int, progress: Progress | None = None, events: bool = False
    ) -> pl.DataFrame | None:
        """Play all games and fill the result rows; with `events`, returns a table that counts events."""
        return (
            self._play_compiled(threads, progress, events)
            if self.plays_compiled
            else self._play_in_python(progress, events)
        )

    # --- in compiled code (where rules run as plain Python, the same code as plain Python) ---

    @property
    def plays_compiled(self) -> bool:
        """Can compiled code call all players?"""
        return is_compiled(self.players)

    def _play_compiled(self, threads: int, progress: Progress | None, events: bool) -> pl.DataFrame | None:
        """Play all games in compiled code on several threads, several games in each call."""
        size = SEARCH_CHUNK_GAMES if self.has_searching_bot else CHUNK_GAMES
        if all(one.name == "random" for one in self.players):
            size = RANDOM_CHUNK_GAMES
        size = max(1, min(size, -(-self.games // threads)))
        spans = [(first, min(first + size, self.games)) for first in range(0, self.games, size)]
        bots = pack_bots(self.players, self.game)
        scratches = [self.kit.create_scratch(self.labels, tells=events) for _ in range(min(threads, len(spans)))]

        def play_chunk(scratch: Any, span: tuple[int, int]) -> Any:
            self.play_span(bots, scratch, *span)
            return scratch

        done = 0
        with ThreadPoolExecutor(len(scratches)) as pool:
            waiting: dict[Future[Any], int] = {}
            free, at = list(scratches), 0
            while at < len(spans) or waiting:
                while free and at < len(spans):
                    span = spans[at]
                    waiting[pool.submit(play_chunk, free.pop(), span)] = span[1] - span[0]
                    at += 1
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    free.append(future.result())
                    done += waiting.pop(future)
                    if progress:
                        progress(done, self.games)
        for scratch in scratches:
            self.counts += scratch.recorder.counts
        return self._count_events() if events else None

    def play_span(self, bots: Any, scratch: Any, first: int, end: int, stats: Any = None) -> Any:
        """Play the games from row `first` to `end` (not included), fill their rows and `stats`, and return their last states.

        Raises Stuck where the rules force actions without end, or leave no action before the game is over.
        """
        rows = self.results[first:end]
        finals = np.zeros(end - first, self.game.definition.state.dtype)
        finals["n_seats"] = self.n_seats
        self.play_rows(rows, finals, bots, scratch, first, stats or self.kit.no_stats)
        self._require_ended(rows, finals)
        self.record_ends(finals, first, end)
        return finals

    def play_rows(self, rows: Any, finals: Any, bots: Any, scratch: Any, first: int, stats: Any) -> None:
        """Play one game for each of these rows in compiled code; `first`: the number of the first row."""
        play = self.kit.game_loop.play
        play(
            self.game.box, rows, finals, copy_packed_bots(bots), scratch, *stats, self.kit.no_kept_states, True
        )  # spans are played in parallel

    def _require_ended(self, rows: Any, finals: Any) -> None:
        """Raise Stuck where a game has no decision left though its rules do not say that it is over."""
        if rows["stuck"].any():
            seed = int(rows["seed"][np.argmax(rows["stuck"])])
            raise Stuck(f"{self.game.title}, seed {seed}: the rules force one action after another without end")
        at = np.flatnonzero(rows["finished"])
        for one in at[np.unique(finals["phase"][at], return_index=True)[1]]:
            if not self.game.definition.is_over(finals[one]):
                seed = int(rows["seed"][one])
                raise Stuck(f"{self.game.title}, seed {seed}: the rules leave nothing to do in a game that is not over")

    def record_ends(self, finals: Any, first: int, end: int) -> None:
        """Store in which turn (from 1) each game ended, and which role each seat had, as the last states say.

        Where a game adds points beyond its own score to break ties (BEYOND_SCORES), they are subtracted from the result rows.
        """
        d = self.game.definition
        if self.turn_field:
            counted_from = 1 if d.FIRST_TURN is None else d.FIRST_TURN
            self.turns[first:end] = finals[self.turn_field].astype(np.int32) - counted_from + 1
        if d.BEYOND_SCORES:
            points = self.results["points"][first:end]
            points -= np.rint(points / d.BEYOND_SCORES) * d.BEYOND_SCORES
        for kind, said in find_roles(self.game, finals, self.n_seats).items():
            whole = self.roles.setdefault(kind, np.full((self.games, self.n_seats), "", object))
            whole[first:end] = said

    @property
    def has_searching_bot(self) -> bool:
        """Does any of the bots search?"""
        return any(map(is_search, self.players))

    # --- in Python, for bots that are plain Python ---

    def _play_in_python(self, progress: Progress | None, events: bool) -> pl.DataFrame | None:
        """Play all games in Python, where each bot gets only its seat's view; with `events`, returns a table that counts events."""
        names = self.game.definition.events.names
        for i, row in enumerate(self.results):
            pos = self.play_row_in_python(row)
            self.record_ends(concatenate_states(pos.state), i, i + 1)
            for _, told in pos.told():
                kind = names.index(told.kind)
                part = int(self.labels["seat"][kind])
                self.counts[kind, told.args[part] if part >= 0 else -1] += 1
                row["endings"] |= self.labels["ending"][kind]
            if progress:
                progress(i + 1, self.games)
        return self._count_events() if events else None

    def play_row_in_python(self, row: Any) -> Position:
        """Play the game of one result row in Python, fill the row, and return the last position."""
        pos = play_game_in_python(
            self.game, [self.players[int(i)] for i in row["bots"][: self.n_seats]], int(row["seed"])
        )
        row["decisions"], row["finished"] = len(pos.decisions), pos.over
        row["points"][: self.n_seats], row["places"][: self.n_seats] = pos.scores(), pos.places()
        return pos

    # --- as tables ---

    def table(self) -> pl.DataFrame:
        """The table of games, with a row for each game."""
        n, rows = self.n_seats, self.results
        labels = self._list_bot_labels()
        columns: dict[str, Any] = {"seed": rows["seed"]}
        for seat in range(n):
            columns[f"bot_{seat}"] = [labels[i] for i in rows["bots"][:, seat]]
        for seat in range(n):
            columns[f"score_{seat}"] = rows["points"][:, seat]
        for seat in range(n):
            columns[f"place_{seat}"] = rows["places"][:, seat].astype(np.int8)
        for kind, said in self.roles.items():
            for seat in range(n):
                columns[f"{kind}_{seat}"] = pl.Series(said[:, seat], dtype=pl.String)
        columns["decisions"] = rows["decisions"]
        if self.turn_field:
            columns["turns"] = self.turns
        columns["finished"] = rows["finished"].astype(bool)
        columns["ending"] = pl.Series(self._list_ending_names(), dtype=pl.String)
        columns["box"] = [self.game.box_hash] * len(rows)
        return pl.DataFrame(columns)

    def _list_ending_names(self) -> list[str]:
        """The names of each game's endings, joined by " + "; empty where the game logged none."""
        names = self.game.definition.events.endings
        said = {
            int(told): " + ".join(name for k, name in enumerate(names) if told >> k & 1)
            for told in np.unique(self.results["endings"])
        }
        return [said[int(told)] for told in self.results["endings"]]

    def _list_bot_labels(self) -> list[str]:
        """A label for each bot: its name, with a number where bots of one name have different settings."""
        kinds: dict[str, list[Bot]] = {}
        for player in self.players:
            alike = kinds.setdefault(player.name, [])
            if player not in alike:
                alike.append(player)
        return [
            player.name if len(kinds[player.name]) == 1 else f"{player.name}-{kinds[player.name].index(player) + 1}"
            for player in self.players
        ]

    def _count_events(self) -> pl.DataFrame:
        """A table that counts events over all games: a row for each kind and seat, or a kind where the event has no seat."""
        table = self.game.definition.events
        rows: list[tuple[str, str, int | None, int]] = []
        for name in table.events:
            kind = table.names.index(name)
            for seat in range(self.n_seats):
                if self.labels["seat"][kind] >= 0:
                    rows.append((name, table.events[name].rule, seat, int(self.counts[kind, seat])))
            if self.labels["seat"][kind] < 0:
                rows.append((name, table.events[name].rule, None, int(self.counts[kind, -1])))
        schema = {"event": pl.String, "rule": pl.String, "seat": pl.Int8, "count": pl.Int64}
        return pl.DataFrame(rows, schema=schema, orient="row").with_columns(per_game=pl.col("count") / self.games)


def find_roles(game: Game, states: Any, n_seats: int) -> dict[str, Any]:
    """The role of each seat in each game, by kind of role, such as power or faction: arrays (games, seats) of names.

    The game's ROLES, such as `{"power": "seat_of"}`, name the state field that says which seat has each power, or which role each seat has.
    A seat with several roles has all their names, joined by ROLE_SEPARATOR.
    """
    found = {}
    for kind, name in (game.definition.ROLES or {}).items():
        names, values = game.names[kind], states[name]
        said = np.full((len(states), n_seats), "", object)
        of_seat = next(one for one in game.definition.state.fields if one.name == name).of == "seat"
        for k, row in enumerate(values):
            mine = enumerate(row) if of_seat else ((int(one), seat) for seat, one in enumerate(row[:n_seats]))
            for role, seat in mine:
                if 0 <= seat < n_seats and role >= 0:
                    said[k, seat] += ROLE_SEPARATOR * bool(said[k, seat]) + names[role]
        found[kind] = said
    return found


def concatenate_states(*parts: Any) -> Any:
    """Arrays of states, or single states, joined into one array of their dtype.

    `np.array` and `np.concatenate` would make another dtype with the same layout, which compiled code refuses.
    """
    lengths = [len(one) if isinstance(one, np.ndarray) else 1 for one in parts]
    out = np.zeros(sum(lengths), parts[0].dtype)
    ends = np.cumsum(lengths)
    for part, end, n in zip(parts, ends, lengths, strict=True):
        out[end - n : end] = part
    return out


# --- Trial games of a changed box ---


MAX_TRIAL_DECISIONS = 200_000
"""The number of decisions after which a trial game is stopped: nearly twice those of the longest game known to end."""
TRIAL_GAMES = 3
TRIAL_BOTS = ("random", "greedy")
"""Bots that play the trial games themselves; greedy bots replace all others, which take longer."""


def require_games_end(game: Game, bots: Sequence[str | Bot], seats: int | None, seed: int) -> None:
    """Raise ValueError where a changed box or changed options make a game stuck, or no trial game ends.

    At most TRIAL_GAMES games are played, each up to MAX_TRIAL_DECISIONS decisions. An unchanged game is not tried.
    """
    if not (game.edit or game.settings or game.changed_options()):
        return  # the unchanged game is known to end
    players = seat_bots(bots, game, seats)
    if not all(str(getattr(one, "name", one)) in TRIAL_BOTS for one in players):
        players = ["greedy"] * len(players)
    for k in range(TRIAL_GAMES):
        try:
            rows, _ = play_games(game, players, seed + k, max_decisions=MAX_TRIAL_DECISIONS)
        except Stuck as error:
            raise ValueError(f"{error}; what was changed cannot be played so: turn some of it back") from None
        if rows["finished"].all():
            return
    raise ValueError(
        f"{game.title}: with what was changed none of the first {format_count_with_noun(TRIAL_GAMES, 'game')} has ended after "
        f"{MAX_TRIAL_DECISIONS:,} decisions; turn some of it back, or change what ends the game"
    )
