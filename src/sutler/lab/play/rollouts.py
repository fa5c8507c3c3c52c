"""Rollouts: playing on from one state of a game in several ways, to compare the outcomes in pairs.

All ways share the past and the dice. So the values of cards (`lab.studies.card_value`) and of decisions (`lab.studies.decision_value`) are
found.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from sutler.bots import Bot, replace_level_bot, to_bots
from sutler.bots.kit import Kit, copy_packed_bots, get_kit, is_compiled, is_search_by_time, pack_bots
from sutler.core.bits import members
from sutler.core.definition import Definition
from sutler.core.events import new_event_buffer
from sutler.core.files.box import BoxError
from sutler.core.learners.returns import compute_win_shares
from sutler.core.play.game import Game
from sutler.lab.play.headline_figures import Numbers
from sutler.lab.play.provenance import collect_provenance, list_bot_descriptions
from sutler.lab.play.query import Query
from sutler.lab.play.ray_cluster import Crew
from sutler.lab.play.simulate import MOST_DECISIONS, concatenate_states
from sutler.lab.stats.estimates import compute_student_t, compute_two_sided_p, control_false_discoveries

MAX_DECISIONS_SCANNED = 2048  # of each game, from its start
MIN_PAIRS = 10  # of fewer pairs no mean is given
SAMPLED_GAMES = 500  # games from which states are picked, unless the query says how many
SAMPLING_STREAM = 3000  # stream of the random generator that picks them

Pair = tuple[float, float]
"""(share of the win, lead in points), or (mean, half its 95 % interval)."""
Moment = TypeVar("Moment")


@dataclass(frozen=True)
class Blank:
    """A box in which one card has no effect, and that card's number there.

    It is the card's own number, or the last one where copies are counted.
    """

    box: Any
    thing: int


class RolloutTable:
    """Bots with their compiled code, which play games on from given states.

    `bots`: one for each seat, or one that sits in all of `seats` (None: the game's best number). ValueError where the bots do not fill
    the seats, are plain Python, or search for a time instead of a number of rounds.
    """

    def __init__(self, game: Game, bots: Sequence[str | Bot], seats: int | None) -> None:
        players = [replace_level_bot(one, game) for one in to_bots(bots)]
        if len(players) == 1:
            players *= game.best_seats if seats is None else seats
        if seats is not None and len(players) != seats:
            raise ValueError(f"{len(players)} bots do not fill {seats} seats")
        if not is_compiled(players) or any(map(is_search_by_time, players)):
            raise ValueError(
                "this wants bots of ours, searches with a number of rounds: random, greedy, search:rounds=20"
            )
        self.game, self.n, self.players = game, len(players), players
        self.names = [one.name for one in players]
        self.told = list_bot_descriptions(players, game)
        self.kit: Kit = get_kit(game)
        self.bots = pack_bots(players, game)
        self._play = self.kit.game_loop.play
        self._blanks: dict[tuple[str, int], Blank | None] = {}
        self.refused: set[str] = set()
        """The reasons why cards that were asked about have no blank."""

    def find_blank(self, kind: str, card: int) -> Blank | None:
        """The box in which card number `card` of this kind has no effect, and its number there; None where there is no such box."""
        if (kind, card) not in self._blanks:
            self._blanks[kind, card] = self._build_blank(kind, card)
        return self._blanks[kind, card]

    def _build_blank(self, kind: str, card: int) -> Blank | None:
        """The box that `find_blank` caches, made now; where it cannot be made, the reason is added to `refused`."""
        try:
            sheet = getattr(self.game.sheet, "blanked", lambda kind, thing: None)(kind, card)
        except BoxError as error:
            self.refused.add(str(error))
            return None
        if sheet is None:
            return None
        n = len(sheet.names()[kind])
        return Blank(self.game.pack_sheet(sheet), n - 1 if n > len(self.game.names[kind]) else card)

    def play_to_end(self, box: Any, states: Any, seed: int, fresh: bool, kept_states: Any = None) -> tuple[Any, int]:
        """Play these states on to the ends of their games, in place; all states get equal random numbers.

        `seed`: of the random numbers; `fresh`: set up new games first; `kept_states`: an array for the states before each decision.
        Returns the result rows and how many states were kept.
        """
        results = np.zeros(len(states), self.kit.result.dtype)
        results["seed"], results["most"] = seed, MOST_DECISIONS
        results["bots"][:, : self.n] = (np.arange(self.n) + seed) % self.n
        scratch = self.kit.create_scratch(tells=False)
        kept_states = self.kit.no_kept_states if kept_states is None else kept_states
        self._play(box, results, states, copy_packed_bots(self.bots), scratch, *self.kit.no_stats, kept_states, fresh)
        return results, int(scratch.recorder.n_kept)

    def copy_after_action(self, state: Any, action: int, box: Any = None) -> Any:
        """A copy of the state, shape (1,), in which the action has been taken, in `box` or else in the game's own box."""
        states = concatenate_states(state)
        self.game.definition.apply(self.game.box if box is None else box, states[0], new_event_buffer(on=False), action)
        return states

    def collect_metadata(self, games: int, seed: int) -> dict[str, Any]:
        """The metadata of a study: provenance, bots, seats, games, seed, and why cards have no blank."""
        return collect_provenance(self.game) | {
            "title": self.game.title,
            "bots": sorted(set(self.told)),
            "seats": self.n,
            "games": games,
            "seed": seed,
            "refused": sorted(self.refused),
        }


@contextmanager
def open_thread_pool(query: Query, study_name: str) -> Iterator[Executor]:
    """Open a pool of the query's number of threads; ValueError, naming what is studied, where the query names a cluster."""
    if isinstance(query.threads, Crew):
        raise ValueError(f"what {study_name} is worth is found on this machine only; a crew plays games")
    with ThreadPoolExecutor(query.threads or os.cpu_count() or 1) as pool:
        yield pool


def play_moments(
    pool: Executor, query: Query, moments: Sequence[Moment], play_moment: Callable[[Moment], dict[str, Pair]]
) -> list[tuple[Moment, dict[str, Pair]]]:
    """Yield each moment with the outcomes of every way of playing on from it (`play_moment`).

    Ctrl-C ends it; the moments played by then are returned, if there are any.
    """
    found: list[tuple[Moment, dict[str, Pair]]] = []
    try:
        for outcome in pool.map(lambda moment: (moment, play_moment(moment)), moments):
            found.append(outcome)
            query.report_progress(len(found), len(moments))
    except KeyboardInterrupt:
        if not found:
            raise
    return found


def is_state_valid(definition: Definition, box: Any, state: Any, action: int | None = None) -> bool:
    """Does the game's check accept the state in this box, and is there a legal action (or is `action` legal, if given)?"""
    definition.recount(box, state)
    out = definition.actions.new_ids()
    if int(definition.check(box, state)) != 0:
        return False
    definition.legal(box, state, out)
    return bool(out.ids.any()) if action is None else action in members(out.ids)


def compute_seat_win_shares(results: Any, n_seats: int, cooperative: bool) -> Numbers:
    """Each seat's share of the win, shape (games, seats); in a cooperative game (`cooperative`) each winner's share is 1."""
    return np.asarray(compute_win_shares(results["places"][:, :n_seats], cooperative), np.float64)


def play_seat_outcomes(table: RolloutTable, box: Any, states: Any, seed: int, seat: int) -> list[Pair]:
    """The (share of the win, lead in points) of a seat at the end of each game played on from these states.

    The lead is over the mean of the other seats; in a cooperative game it is the seat's points.
    """
    results, _ = table.play_to_end(box, states.copy(), seed, False)
    together = bool(table.game.definition.COOPERATIVE)
    won, points = compute_seat_win_shares(results, table.n, together), results["points"][:, : table.n]
    rest = (points.sum(axis=1) - points[:, seat]) / max(1, table.n - 1)
    lead = points[:, seat] - (0 if together else rest)
    return list(zip(won[:, seat].tolist(), lead.tolist(), strict=True))


def mean_and_half_width(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half its 95 % interval; both are NaN for fewer than MIN_PAIRS values."""
    if len(values) < MIN_PAIRS:
        return (float("nan"), float("nan"))
    return float(np.mean(values)), compute_student_t(len(values)) * float(np.std(values, ddof=1)) / math.sqrt(
        len(values)
    )


def are_beyond_chance(values: Sequence[tuple[float, float]], pairs: Sequence[int]) -> list[bool]:
    """For each (mean, half its interval): is it different from zero, at a false discovery rate of 5 % among all? `pairs`: their numbers.

    P-values come from Student's distribution: with the normal one, cards drawn forty times were found too often.
    """
    known = [(mean, half, n) for (mean, half), n in zip(values, pairs, strict=True) if not math.isnan(mean)]
    found = iter(control_false_discoveries([_compute_p_value(*one) for one in known]) if known else [])
    return [False if math.isnan(mean) else bool(next(found)) for mean, _ in values]


def _compute_p_value(mean: float, half_width: float, n: int) -> float:
    """The p-value of a mean of n numbers, given half its 95 % interval by Student."""
    if not half_width or not math.isfinite(half_width):
        return 0.0 if mean and half_width == 0 else 1.0
    return compute_two_sided_p(n, abs(mean) / (half_width / compute_student_t(n)))


def format_mean_with_half_width(value: tuple[float, float], share: bool = False) -> str:
    """A mean and half its interval as text; with `share`, in percentage points; "?" where the value is not known."""
    mean, half = value
    if math.isnan(mean):
        return "?"
    text = f"{100 * mean:+.1f} ± {100 * half:.1f} pp" if share else f"{mean:+.2f} ± {half:.2f}"
    return text.replace("-", "−")


def describe_missing_blanks(metadata: Mapping[str, Any]) -> str:
    """A sentence with the reasons why some cards have no blank; "" if all have one. `metadata`: of a study."""
    return f" No blank: {'; '.join(metadata['refused'])}." if metadata["refused"] else ""
