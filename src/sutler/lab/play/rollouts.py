"""Playing on from one moment of a game in several ways, to compare their outcomes in pairs.

All ways share the past and the dice. The values of cards (`lab.studies.impact`) and of decisions
(`lab.studies.decision_value`) are found so.
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

from sutler.bots import Bot, bot_of_level_in, bots_of
from sutler.bots.kit import Kit, copied, is_compiled, kit_of, packed
from sutler.core.bits import members
from sutler.core.definition import Definition
from sutler.core.events import new_buffer
from sutler.core.files.box import BoxError
from sutler.core.learners.returns import win_shares
from sutler.core.play.game import Game
from sutler.lab.play.figures import Numbers
from sutler.lab.play.provenance import descriptions_of_bots, provenance
from sutler.lab.play.query import Query
from sutler.lab.play.ray_cluster import Crew
from sutler.lab.play.simulate import MOST_DECISIONS, joined_states
from sutler.lab.stats.estimates import benjamini_hochberg, student_t, two_sided_p

MAX_DECISIONS_SCANNED = 2048  # decisions from the start of a game that are looked at
MIN_PAIRS = 10  # pairs of which something is said
SAMPLED_GAMES = 500  # that moments are picked from
SAMPLING_STREAM = 3000  # of the generator that picks them

Pair = tuple[float, float]
"""(share of the win, lead), or (mean, half its interval)."""
Moment = TypeVar("Moment")


@dataclass(frozen=True)
class Blank:
    """A box in which one card does nothing, and that card's number there.

    Its own, or the last one where copies are counted.
    """

    box: Any
    thing: int


class Table:
    """The players of rollouts, and their compiled code."""

    def __init__(self, game: Game, bots: Sequence[str | Bot], seats: int | None) -> None:
        players = [bot_of_level_in(one, game) for one in bots_of(bots)]
        if len(players) == 1:
            players *= game.best_seats if seats is None else seats
        if seats is not None and len(players) != seats:
            raise ValueError(f"{len(players)} bots do not fill {seats} seats")
        if not is_compiled(players) or any(getattr(one, "rounds", 1) == 0 for one in players):
            raise ValueError(
                "this wants bots of ours, searches with a number of rounds: random, greedy, search:rounds=20"
            )
        self.game, self.n, self.players = game, len(players), players
        self.names = [one.name for one in players]
        self.told = descriptions_of_bots(players, game)
        self.kit: Kit = kit_of(game)
        self.bots = packed(players, game)
        self._play = self.kit.game_loop.play
        self._blanks: dict[tuple[str, int], Blank | None] = {}
        self.refused: set[str] = set()
        """The reasons why cards that were asked about have no blank."""

    def blank(self, kind: str, thing: int) -> Blank | None:
        """The box in which this card does nothing, and its number there; None where the game has no such box."""
        if (kind, thing) not in self._blanks:
            self._blanks[kind, thing] = self._blanked(kind, thing)
        return self._blanks[kind, thing]

    def _blanked(self, kind: str, thing: int) -> Blank | None:
        try:
            sheet = getattr(self.game.sheet, "blanked", lambda kind, thing: None)(kind, thing)
        except BoxError as error:
            self.refused.add(str(error))
            return None
        if sheet is None:
            return None
        n = len(sheet.names()[kind])
        return Blank(self.game.packed(sheet), n - 1 if n > len(self.game.names[kind]) else thing)

    def play(self, box: Any, states: Any, seed: int, fresh: bool, kept: Any = None) -> tuple[Any, int]:
        """Play states to their ends with the same bots' luck for each.

        Returns the results and how many states were kept.
        """
        results = np.zeros(len(states), self.kit.result.dtype)
        results["seed"], results["most"] = seed, MOST_DECISIONS
        results["bots"][:, : self.n] = (np.arange(self.n) + seed) % self.n
        scratch = self.kit.scratch(tells=False)
        kept = self.kit.none_kept if kept is None else kept
        self._play(box, results, states, copied(self.bots), scratch, *self.kit.no_stats, kept, fresh)
        return results, int(scratch.recorder.n_kept)

    def after(self, state: Any, action: int, box: Any = None) -> Any:
        """A copy of the state, shape (1,), in which the action has been taken; in this box or the game's own."""
        states = joined_states(state)
        self.game.definition.apply(self.game.box if box is None else box, states[0], new_buffer(on=False), action)
        return states

    def metadata(self, games: int, seed: int) -> dict[str, Any]:
        """The metadata of what was found: provenance, bots, seats, games and seed."""
        return provenance(self.game) | {
            "title": self.game.title,
            "bots": sorted(set(self.told)),
            "seats": self.n,
            "games": games,
            "seed": seed,
            "refused": sorted(self.refused),
        }


@contextmanager
def worker_threads(query: Query, what: str) -> Iterator[Executor]:
    """The number of this machine's threads for a study; ValueError, naming the study, where the query names a cluster."""
    if isinstance(query.threads, Crew):
        raise ValueError(f"what {what} is worth is found on this machine only; a crew plays games")
    with ThreadPoolExecutor(query.threads or os.cpu_count() or 1) as pool:
        yield pool


def play_moments(
    pool: Executor, query: Query, moments: Sequence[Moment], go_on: Callable[[Moment], dict[str, Pair]]
) -> list[tuple[Moment, dict[str, Pair]]]:
    """Each moment with its outcomes by way. Ctrl-C ends it with those played by then, if there are any."""
    found: list[tuple[Moment, dict[str, Pair]]] = []
    try:
        for outcome in pool.map(lambda moment: (moment, go_on(moment)), moments):
            found.append(outcome)
            query.tell(len(found), len(moments))
    except KeyboardInterrupt:
        if not found:
            raise
    return found


def is_sound(definition: Definition, box: Any, state: Any, action: int | None = None) -> bool:
    """Does the game's own check accept the state in this box, and is there a legal action (this one, if given)?"""
    definition.recount(box, state)
    out = definition.actions.new_ids()
    if int(definition.check(box, state)) != 0:
        return False
    definition.legal(box, state, out)
    return bool(out.ids.any()) if action is None else action in members(out.ids)


def win_shares_of_seats(results: Any, n: int, together: bool) -> Numbers:
    """Each seat's share of the win, (games, seats); all of it, where all win `together`."""
    return np.asarray(win_shares(results["places"][:, :n], together), np.float64)


def outcomes_of_seat(table: Table, box: Any, states: Any, seed: int, seat: int) -> list[Pair]:
    """The (share of the win, lead over the mean of the others) of a seat in each game played on from these states.

    Its points where all win together.
    """
    results, _ = table.play(box, states.copy(), seed, False)
    together = bool(table.game.definition.COOPERATIVE)
    won, points = win_shares_of_seats(results, table.n, together), results["points"][:, : table.n]
    rest = (points.sum(axis=1) - points[:, seat]) / max(1, table.n - 1)
    lead = points[:, seat] - (0 if together else rest)
    return list(zip(won[:, seat].tolist(), lead.tolist(), strict=True))


def mean_and_half_width(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half its 95 % interval; nothing is said of fewer than FEWEST."""
    if len(values) < MIN_PAIRS:
        return (float("nan"), float("nan"))
    return float(np.mean(values)), student_t(len(values)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))


def beyond_chance(values: Sequence[tuple[float, float]], pairs: Sequence[int]) -> list[bool]:
    """A flag for each (mean, half interval) of so many pairs: is it different from zero, and not by chance among all of them?

    At most one in twenty such findings is due to chance, by Student's distribution: by the normal one, of cards drawn forty times it
    was more.
    """
    known = [(mean, half, n) for (mean, half), n in zip(values, pairs, strict=True) if not math.isnan(mean)]
    found = iter(benjamini_hochberg([_chance(*one) for one in known]) if known else [])
    return [False if math.isnan(mean) else bool(next(found)) for mean, _ in values]


def _chance(mean: float, half: float, n: int) -> float:
    """How often chance alone moves the mean of n numbers as far, given half its 95 % interval by Student."""
    if not half or not math.isfinite(half):
        return 0.0 if mean and half == 0 else 1.0
    return two_sided_p(n, abs(mean) / (half / student_t(n)))


def mean_in_words(value: tuple[float, float], share: bool = False) -> str:
    """A mean and half its interval, as people read it; a share in percentage points."""
    mean, half = value
    if math.isnan(mean):
        return "?"
    text = f"{100 * mean:+.1f} ± {100 * half:.1f} pp" if share else f"{mean:+.2f} ± {half:.2f}"
    return text.replace("-", "−")


def missing_blanks(about: Mapping[str, Any]) -> str:
    """The cards of which there is no blank, and why, in words."""
    return f" No blank: {'; '.join(about['refused'])}." if about["refused"] else ""
