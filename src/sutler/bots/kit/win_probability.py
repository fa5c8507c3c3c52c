"""Calibrated win probabilities: a stated chance of 70 % comes true in about 70 of 100 games.

A game's `evaluate` orders positions well but is overconfident as a probability. `chances.toml` in the game's folder says, for each number
of seats and several times of a game, how much a lead counts (`sure`) and what it is worth to be the seat to move (`turn`; in cooperative
games: the log odds of winning at a lead of 0). The file is fitted by `python studies/calibration.py GAME --fit` on games of normal bots.
It is used where a chance is shown to people and for the payoffs of a search; other bots decide by `evaluate` alone.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots.kit.default_rules import report_no_progress
from sutler.bots.kit.records import KNOTS, Numbers, find_scale
from sutler.core.definition import Definition
from sutler.core.per_game_modules import build_module_from_source
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView
from sutler.core.text.language import _

CHANCES_FILE = "chances.toml"
REDEALS = 4  # number of redeals over which a lead is averaged
MAX_LEAD = 30.0  # in units of the game's SCALE; larger leads count as this


@dataclass(frozen=True)
class Correction:
    """A curve that turns leads into win chances, for one number of seats.

    at: times of a game (`Corrections.compute_game_progress`); sure, turn: the two numbers at each of them, linear in between.
    """

    seats: int
    at: tuple[float, ...]
    sure: tuple[float, ...]
    turn: tuple[float, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the games it was fitted on, where they are not the printed ones."""
    games: int = 0
    """The number of games it was fitted on."""

    def __post_init__(self) -> None:
        if not len(self.at) == len(self.sure) == len(self.turn) > 0 or min(self.sure) < 0:
            raise ValueError("a correction has as many numbers of each kind, and sureness is 0 or more")

    def is_fitted_for(self, game: Game, seats: int) -> bool:
        """Was it fitted for this number of seats and these options?"""
        return seats == self.seats and all(game.chosen[name] == value for name, value in self.options.items())

    def compute_win_chances(self, leads: Numbers, game_time: float, seat: int, cooperative: bool) -> Numbers:
        """The win chance of each seat, shape (seats,), between 0 and 1.

        leads: of each seat, in units of SCALE. seat: the seat to move. cooperative: True in a cooperative game, where all have the same.
        """
        sure, turn = (float(np.interp(game_time, self.at, row)) for row in (self.sure, self.turn))
        if cooperative:
            return np.full(len(leads), 1 / (1 + np.exp(-np.clip(sure * leads[seat] + turn, -MAX_LEAD, MAX_LEAD))))
        along = sure * leads
        along[seat] += turn
        raw = np.exp(along - along.max())
        return np.asarray(raw / raw.sum())


@dataclass(frozen=True)
class Corrections:
    """The content of a game's `chances.toml`.

    clock: the fields of the state whose weighted sum is the time of a game, with weights. needs: options without which none of the
    curves says anything, as where a shorter game is neither won nor lost.
    """

    clock: Mapping[str, float]
    rows: Sequence[Correction]
    needs: Mapping[str, Any] = field(default_factory=dict)

    def find_row(self, game: Game, seats: int) -> Correction | None:
        """The curve for this number of seats and the options of this game; None where there is none."""
        if any(game.chosen[name] != value for name, value in self.needs.items()):
            return None
        return next((row for row in self.rows if row.is_fitted_for(game, seats)), None)

    def compute_game_progress(self, state: Any) -> float:
        """A number that says how much of the game has passed: the weighted sum of public fields."""
        return sum(worth * float(state[name]) for name, worth in self.clock.items())


@functools.cache
def load_corrections(definition: Definition) -> Corrections | None:
    """The content of a game's `chances.toml`; None where the game has no such file."""
    path = definition.folder / CHANCES_FILE
    return read_corrections(path) if path.exists() else None


def read_corrections(path: Path) -> Corrections:
    """The content of a `chances.toml`."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    rows = []
    for row in told["row"]:
        at, sure, turn = (tuple(map(float, row[key])) for key in ("at", "sure", "turn"))
        rows.append(Correction(row["seats"], at, sure, turn, row.get("options", {}), row["games"]))
    return Corrections(told["clock"], rows, told.get("needs", {}))


def build_curves(definition: Definition) -> Numbers:
    """The curves by which a search turns leads into win chances: rows `at`, `sure` and `turn` by number of seats, (seats + 1, 3, KNOTS).

    A number of seats without a curve gets that of the nearest one. A game without `chances.toml`, or with a `judge_course` that
    already gives chances, gets a curve by which a lead of SCALE makes one seat e times as likely to win as another.
    """
    found = np.zeros((definition.info.seats[1] + 1, 3, KNOTS))
    found[:, 0], found[:, 1] = np.arange(KNOTS), 1.0
    known = load_corrections(definition)
    if known and definition.judge_course is None and not definition.COOPERATIVE:
        for seats in range(len(found)):
            row = min(known.rows, key=lambda one: (abs(one.seats - seats), one.seats))
            times = np.concatenate([row.at, row.at[-1] + 1 + np.arange(KNOTS - len(row.at))])
            found[seats] = times, *(np.interp(times, row.at, one) for one in (row.sure, row.turn))
    return found


def build_time_rule(definition: Definition) -> Any:
    """The rule `time_of(state)`, generated from the clock in the game's `chances.toml`: how far a game has come."""
    known = load_corrections(definition)
    if known is None:
        return report_no_progress
    told = " + ".join(f"{worth} * state.{name}" for name, worth in known.clock.items())
    source = f"from sutler.core.rule import rule\n@rule\ndef time_of(state):\n    return {told}\n"
    return build_module_from_source(
        f"{definition.package}._time", Path(f"{definition.name}-time.py"), source, definition.home
    ).time_of


def estimate_leads(view: SeatView, redeals: int = REDEALS) -> Numbers:
    """The lead of every seat by `evaluate`, in units of SCALE, as the mean over `redeals` redeals; shape (seats,)."""
    total = np.zeros(int(view.world.n_seats))
    for _world in range(redeals):
        world = view.redeal()
        total += [_evaluate_redeal(view.game, world, seat) for seat in range(len(total))]
    return np.clip(total / redeals / find_scale(view.game.definition), -MAX_LEAD, MAX_LEAD)


def _evaluate_redeal(game: Game, redeal: Any, seat: int) -> float:
    """The value of `evaluate` in one redeal; for a game that names its parts it is their sum, which hints compile anyway."""
    known = game.definition
    if known.reasons is None:
        return float(known.evaluate(game.box, redeal, seat))
    parts = np.zeros(len(known.reasons.REASONS))
    known.reasons.reckon(game.box, redeal, seat, parts)
    return float(parts.sum())


def estimate_win_chances(view: SeatView, redeals: int = REDEALS) -> Numbers | None:
    """The win chance of each seat, shape (seats,), as far as the seat to move can know; None where no curve fits this table."""
    known = load_corrections(view.game.definition)
    together = bool(view.game.definition.COOPERATIVE)
    row = known.find_row(view.game, int(view.world.n_seats)) if known else None
    if known is None or row is None:
        return None
    return row.compute_win_chances(
        estimate_leads(view, redeals), known.compute_game_progress(view.world), view.seat, together
    )


def describe_win_chance(view: SeatView) -> str:
    """The win chance of the seat to move as a sentence without its full stop; "" where no curve fits this table."""
    known = estimate_win_chances(view)
    if known is None:
        return ""
    hundred = min(99, max(1, round(100 * float(known[view.seat]))))
    if view.game.definition.COOPERATIVE:
        return _("of games that stand like this about {n} in 100 are won", n=hundred)
    return _("of games that stand like this you win about {n} in 100", n=hundred)
