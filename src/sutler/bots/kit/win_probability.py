"""Win probabilities for people: the evaluation's lead, calibrated so that a stated chance comes true as often as it says.

A game's `evaluate` orders positions well and is far too sure of itself. `chances.toml` in the game's folder says, for each number of
seats, how much a lead counts at which time of a game (`sure`), and what it is worth to be the seat that decides (`turn`; where all
win together, how likely that is where the evaluation sees nothing either way). It is made by `python studies/calibration.py GAME --fit`
from games of normal bots, and is used where a chance is shown and where a search is paid; all other bots decide by `evaluate` alone.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots.kit.defaults import no_time
from sutler.bots.kit.records import KNOTS, Numbers, scale_of
from sutler.core.definition import Definition
from sutler.core.play.game import Game
from sutler.core.play.seat import SeatView
from sutler.core.template import generate
from sutler.core.text.language import _

CHANCES_FILE = "chances.toml"
REDEALS = 4  # redeals over which the judge's lead is the mean
MAX_LEAD = 30.0  # of the game's scale: what is more is won already


@dataclass(frozen=True)
class Correction:
    """The curve from leads to chances, for one number of seats. at: times of a game; sure, turn: at each of them, linear between."""

    seats: int
    at: tuple[float, ...]
    sure: tuple[float, ...]
    turn: tuple[float, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options it was measured with, where they are not the printed ones."""
    games: int = 0
    """The number of games it was fitted on."""

    def __post_init__(self) -> None:
        if not len(self.at) == len(self.sure) == len(self.turn) > 0 or min(self.sure) < 0:
            raise ValueError("a correction has as many numbers of each kind, and sureness is 0 or more")

    def fits(self, game: Game, seats: int) -> bool:
        """Was it measured for this table?"""
        return seats == self.seats and all(game.chosen[name] == value for name, value in self.options.items())

    def chances(self, leads: Numbers, time: float, seat: int, together: bool) -> Numbers:
        """Each seat's chance to win, where this seat decides; where all win together, everybody has the same."""
        sure, turn = (float(np.interp(time, self.at, row)) for row in (self.sure, self.turn))
        if together:
            return np.full(len(leads), 1 / (1 + np.exp(-np.clip(sure * leads[seat] + turn, -MAX_LEAD, MAX_LEAD))))
        along = sure * leads
        along[seat] += turn
        raw = np.exp(along - along.max())
        return np.asarray(raw / raw.sum())


@dataclass(frozen=True)
class Corrections:
    """The corrections in a game's file. clock: the fields of its state that tell the time, and what one of each is worth."""

    clock: Mapping[str, float]
    rows: Sequence[Correction]

    def time(self, state: Any) -> float:
        """How far the game has come, as a number that everybody may know."""
        return sum(worth * float(state[name]) for name, worth in self.clock.items())


@functools.cache
def corrections(definition: Definition) -> Corrections | None:
    """The corrections of a game; None where it has none."""
    path = definition.folder / CHANCES_FILE
    return read(path) if path.exists() else None


def read(path: Path) -> Corrections:
    """The corrections in a file."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    rows = []
    for row in told["row"]:
        at, sure, turn = (tuple(map(float, row[key])) for key in ("at", "sure", "turn"))
        rows.append(Correction(row["seats"], at, sure, turn, row.get("options", {}), row["games"]))
    return Corrections(told["clock"], rows)


def curves(definition: Definition) -> Numbers:
    """How a search turns leads into chances: for each number of seats the rows `at`, `sure` and `turn`, shape (seats + 1, 3, KNOTS).

    Where a number of seats was not measured, those of the nearest; where the game was not, or where its `judge_course` speaks of
    chances itself, a lead of SCALE makes one seat e times as likely to win as another.
    """
    found = np.zeros((definition.info.seats[1] + 1, 3, KNOTS))
    found[:, 0], found[:, 1] = np.arange(KNOTS), 1.0
    known = corrections(definition)
    if known and definition.judge_course is None and not definition.COOPERATIVE:
        for seats in range(len(found)):
            row = min(known.rows, key=lambda one: (abs(one.seats - seats), one.seats))
            times = np.concatenate([row.at, row.at[-1] + 1 + np.arange(KNOTS - len(row.at))])
            found[seats] = times, *(np.interp(times, row.at, one) for one in (row.sure, row.turn))
    return found


def time_rule(definition: Definition) -> Any:
    """The rule that tells how far a state of this game has come, on the clock of `chances.toml`; it is made from that file."""
    known = corrections(definition)
    if known is None:
        return no_time
    told = " + ".join(f"{worth} * state.{name}" for name, worth in known.clock.items())
    source = f"from sutler.core.rule import rule\n@rule\ndef time_of(state):\n    return {told}\n"
    return generate(f"{definition.package}._time", Path(f"{definition.name}-time.py"), source, definition.home).time_of


def leads(view: SeatView, worlds: int = REDEALS) -> Numbers:
    """The lead of every seat, in parts of the game's scale: the mean over redeals of what the seat knows."""
    total = np.zeros(int(view.world.n_seats))
    for _world in range(worlds):
        world = view.redeal()
        total += [_judged(view.game, world, seat) for seat in range(len(total))]
    return np.clip(total / worlds / scale_of(view.game.definition), -MAX_LEAD, MAX_LEAD)


def _judged(game: Game, world: Any, seat: int) -> float:
    """The value of `evaluate`, as the sum of its parts where the game names them: these are compiled for hints anyway."""
    known = game.definition
    if known.reasons is None:
        return float(known.evaluate(game.box, world, seat))
    parts = np.zeros(len(known.reasons.REASONS))
    known.reasons.reckon(game.box, world, seat, parts)
    return float(parts.sum())


def chances(view: SeatView, worlds: int = REDEALS) -> Numbers | None:
    """Each seat's chance to win as the seat that decides may know it; None where the game has not been measured with these seats."""
    known = corrections(view.game.definition)
    together = bool(view.game.definition.COOPERATIVE)
    for row in known.rows if known else ():
        if row.fits(view.game, int(view.world.n_seats)):
            assert known is not None
            return row.chances(leads(view, worlds), known.time(view.world), view.seat, together)
    return None


def in_words(view: SeatView) -> str:
    """The deciding seat's chance as a sentence without its full stop; "" where nothing was measured."""
    known = chances(view)
    if known is None:
        return ""
    hundred = min(99, max(1, round(100 * float(known[view.seat]))))
    if view.game.definition.COOPERATIVE:
        return _("of games that stand like this about {n} in 100 are won", n=hundred)
    return _("of games that stand like this you win about {n} in 100", n=hundred)
