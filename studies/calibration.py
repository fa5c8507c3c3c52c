"""Measure how well the chances of winning that people are shown are calibrated, or fit them.

    python studies/calibration.py manor --games 1000                  # among normal bots
    python studies/calibration.py manor --games 300 --level search:rounds=40
    python studies/calibration.py manor --games 2000 --fit            # writes the game's chances.toml, from other seeds
    python studies/calibration.py manor --policy manor-policy.npz     # and what a learned policy foresees, beside it

At 10, 25, 50 and 75 % of each game's decisions, the chance of the seat to move is computed from what that seat may know, as the table
shows it (`bots.kit.win_probability`). The first table gives Brier scores (mean squared error of the stated chance; 0 is perfect): of these
chances, of the evaluation without correction, of always stating the even share (in cooperative games the share of games won) and, with
`--policy`, of what that policy foresees. The
second table groups the chances by tenths and uses one random moment of each game, so that its rows are independent.

`--fit` uses FIT_MOMENTS random moments of each game and maximises the likelihood of the results, with a small penalty on differences
between neighbouring knots. Rows for other numbers of seats are kept. Both tables are printed as rows for docs/bots.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import sutler
from sutler.bots import bot_from
from sutler.bots.kit import pack_bots
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.bots.kit.win_probability import (
    CHANCES_FILE,
    Correction,
    Corrections,
    estimate_leads,
    load_corrections,
    read_corrections,
)
from sutler.bots.policy import Policy, predict_win_probabilities
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView
from sutler.lab.play.atomic_files import write_atomically
from sutler.lab.play.simulate import Run
from sutler.lab.stats.estimates import compute_wilson_interval

GAME_PARTS = (0.10, 0.25, 0.50, 0.75)
"""Shares of a game's decisions at which the chances are measured."""
FIT_MOMENTS = 8
"""Random moments of each game, for a fit and for the second table."""
BATCH_GAMES = 50
"""Games played at a time; all their states are in memory."""
KNOT_QUANTILES = (0.03, 0.2, 0.45, 0.7, 0.95)
"""The fitted curves have their knots at these quantiles of the times in the data."""
SMOOTHNESS_PENALTY = 30.0
"""Weight of the squared difference between neighbouring knots in the loss."""
BINS = 10
CLOCK_WEIGHTS = {  # {game: {field of its state: its weight}}: the weighted sum is the game's time
    "manor": {"turn": 1},
    "bellum": {"round_no": 1},
    "threeyears": {"year": 4, "season": 1},
    "warfarm": {"round_no": 1},
    "sixwinters": {"year": 4, "turn_no": 1},
}
Numbers = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Moments:
    """n moments of games. leads, won: shape (n, seats), each seat's lead and its share of the later win. time (by CLOCK_WEIGHTS), seat (to
    move), seed (of the game): shape (n,). part: the share of the game's decisions made, 0 for a random moment."""

    leads: Numbers
    time: Numbers
    seat: Numbers
    won: Numbers
    part: Numbers
    seed: Numbers
    foreseen: Numbers
    """The win probability that a learned policy gives the seat to move: shape (n,); 0 where no policy was asked."""

    def subset(self, which: Numbers) -> Moments:
        """The moments selected by a mask or by indices."""
        return Moments(*(getattr(self, name)[which] for name in self.__dataclass_fields__))

    @property
    def outcome(self) -> Numbers:
        """The share of the win that the seat to move got in the end: shape (n,)."""
        return np.asarray(self.won[np.arange(len(self.seat)), self.seat])


def win_shares(game: Game, rows: Any, finals: Any, seats: int) -> Numbers:
    """Each seat's share of the win: shape (games, seats). In a cooperative game 1 for all or 0 for all."""
    if game.definition.COOPERATIVE:
        return np.repeat((finals["outcome"] == 1).astype(float)[:, None], seats, 1)
    first = rows["places"][:, :seats] == 1
    return np.asarray(first / np.maximum(1, first.sum(axis=1))[:, None])


def sampled_moments(
    game: Game, clock: dict[str, float], level: str, seats: int, games: int, seed: int, policy: str = ""
) -> Moments:
    """Play games between bots of one level, and return the moments at GAME_PARTS and FIT_MOMENTS random ones of each game.

    `clock`: weights of the fields that make a game's time; `policy`: the file of a learned policy to ask as well, or "".
    """
    network = Policy(policy).packed(game) if policy else None
    run = Run(game, build_repeatable_bots([bot_from(level)] * seats, game), games, seed, rotate=False)
    bots, scratch, rng = pack_bots(run.players, game), run.kit.create_scratch(run.labels), np.random.default_rng(seed)
    found: list[tuple[Any, ...]] = []
    time = Corrections(clock, ()).compute_game_progress
    for first in range(0, games, BATCH_GAMES):
        rows = run.results[first : first + BATCH_GAMES]
        stats = run.kit.new_stats(len(rows))
        finals = run.play_span(bots, scratch, first, first + len(rows), stats)
        won = win_shares(game, rows, finals, seats)
        for i, row in enumerate(stats[0]):
            n = int(row["n_moments"])
            picked = [(part, round(part * rows["decisions"][i] / row["stride"])) for part in GAME_PARTS]
            picked += [(0.0, int(one)) for one in rng.integers(0, n, FIT_MOMENTS)]
            for part, at in picked:
                state = row["moments"][min(at, n - 1)]
                if not game.definition.is_over(state):
                    view = SeatView(game, state, int(state["to_act"]), [], (), seed + first + i)
                    learned = 0.0 if network is None else float(predict_win_probabilities(view, network)[view.seat])
                    found.append(
                        (estimate_leads(view), time(state), view.seat, won[i], part, seed + first + i, learned)
                    )
    return Moments(*map(np.array, zip(*found, strict=True)))


# --- The fit ------------------------------------------------------------------


def weights_at(time: Numbers, at: Numbers) -> Numbers:
    """Weights of linear interpolation between the knots `at`: shape (n, knots)."""
    return np.stack([np.interp(time, at, row) for row in np.eye(len(at))], axis=1)


def design_matrix(moments: Moments, at: Numbers, together: bool) -> Numbers:
    """The design matrix: shape (n, seats, 2 × knots); in a cooperative game (n, 1, 2 × knots)."""
    by_knot = weights_at(moments.time, at)[:, None, :]
    if together:
        lead = moments.leads[np.arange(len(moments.seat)), moments.seat][:, None, None]
        return np.concatenate([by_knot * lead, by_knot], axis=2)
    mine = (np.arange(moments.leads.shape[1]) == moments.seat[:, None])[:, :, None]
    return np.concatenate([by_knot * moments.leads[:, :, None], by_knot * mine], axis=2)


def fitted(moments: Moments, at: Numbers, together: bool) -> tuple[Numbers, Numbers]:
    """Fit `sure` and `turn` at each knot: Newton's method on the penalised likelihood, with steps halved until they improve it."""
    x = design_matrix(moments, at, together)
    if together:  # a logistic regression: winning against losing
        x = np.concatenate([x, np.zeros_like(x)], axis=1)
        won = np.stack([moments.outcome, 1 - moments.outcome], axis=1)
    else:
        won = moments.won
    steps = np.diff(np.eye(len(at)), axis=0)
    pull = SMOOTHNESS_PENALTY * np.kron(np.eye(2), steps.T @ steps) + 1e-3 * np.eye(x.shape[2])

    def loss(now: Numbers) -> float:
        along = x @ now
        top = along.max(axis=1, keepdims=True)
        whole = top[:, 0] + np.log(np.exp(along - top).sum(axis=1))
        return float((whole - (won * along).sum(axis=1)).sum() + 0.5 * now @ pull @ now)

    now = np.concatenate([np.full(len(at), 0.5), np.zeros(len(at))])
    for _ in range(40):
        along = x @ now
        p = np.exp(along - along.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        mean = np.einsum("ns,nsk->nk", p, x)
        steep = np.einsum("ns,nsk,nsl->kl", p, x, x) - mean.T @ mean + pull
        step = np.linalg.solve(steep, np.einsum("ns,nsk->k", won - p, x) - pull @ now)
        while loss(now + step) > loss(now) and np.abs(step).max() > 1e-9:
            step = step / 2
        now = now + step
    return np.maximum(now[: len(at)], 0.0), now[len(at) :]


def fit(moments: Moments, options: dict[str, Any], together: bool) -> Correction:
    """Fit the correction for one number of seats and these options."""
    spread = moments.subset(moments.part == 0)
    at = np.unique(np.quantile(spread.time, KNOT_QUANTILES).round())
    sure, turn = fitted(spread, at, together)
    rows = ([round(float(one), 3) for one in row] for row in (at, sure, turn))
    return Correction(moments.leads.shape[1], *map(tuple, rows), options, len(np.unique(moments.seed)))  # type: ignore[arg-type]


def file_text(
    name: str, clock: dict[str, float], rows: list[Correction], how: str, needs: Mapping[str, Any] | None = None
) -> str:
    """The text of chances.toml. how: the command that made it; needs: the options without which no curve holds."""

    def listed(row: tuple[float, ...]) -> str:
        return ", ".join(f"{one:g}" for one in row)

    lines = [f"# How leads become chances (bots/kit/win_probability.py). Made by: {how}", ""]
    lines += ["[clock]", *(f"{key} = {worth:g}" for key, worth in clock.items())]
    if needs:
        lines += ["", "[needs]", *(f"{key} = {value}" for key, value in needs.items())]
    for row in sorted(rows, key=lambda one: (one.seats, sorted(one.options.items()))):
        lines += ["", "[[row]]", f"seats = {row.seats}"]
        if row.options:
            lines.append("options = { " + ", ".join(f'{key} = "{value}"' for key, value in row.options.items()) + " }")
        lines += [f"{key} = [{listed(getattr(row, key))}]" for key in ("at", "sure", "turn")] + [f"games = {row.games}"]
    return "\n".join(lines) + "\n"


# --- Measures -----------------------------------------------------------------


def stated(moments: Moments, row: Correction, together: bool) -> Numbers:
    """The corrected win probability of the seat to move at each moment: shape (n,)."""
    each = zip(moments.leads, moments.time, moments.seat, strict=True)
    return np.array([row.compute_win_chances(one, time, seat, together)[seat] for one, time, seat in each])


def brier(chance: Numbers | float, outcome: Numbers) -> float:
    """The Brier score: the mean squared difference of stated chance and outcome."""
    return float(np.mean((chance - outcome) ** 2))


def one_per_game(moments: Moments) -> Moments:
    """One random moment of each game."""
    spread = moments.subset(moments.part == 0)
    return spread.subset(np.unique(spread.seed, return_index=True)[1])


def bins(chance: Numbers, outcome: Numbers) -> list[tuple[int, int, float, float, float, float]]:
    """(tenth, n, mean stated chance, share won, low, high) for each tenth of the stated chance that is not empty; 95 % intervals."""
    found = []
    which = np.clip((chance * BINS).astype(int), 0, BINS - 1)
    for low in range(BINS):
        here = which == low
        if n := int(here.sum()):
            found.append(
                (
                    low,
                    n,
                    float(chance[here].mean()),
                    float(outcome[here].mean()),
                    *compute_wilson_interval(outcome[here].sum(), n),
                )
            )
    return found


def score_rows(name: str, level: str, moments: Moments, row: Correction, together: bool) -> list[str]:
    """Rows of the first table (Brier scores) for docs/bots.md, one for each of GAME_PARTS."""
    raw = Correction(row.seats, (0.0,), (1.0,), (0.0,))
    seats = f"{row.seats}" + "".join(f", {value}" for value in row.options.values())
    lines = []
    for part in GAME_PARTS:
        here = moments.subset(moments.part == part)
        chance, outcome = stated(here, row, together), here.outcome
        even = float(outcome.mean()) if together else 1 / row.seats
        learned = [here.foreseen] if here.foreseen.any() else []
        scores = [brier(one, outcome) for one in (chance, stated(here, raw, together), even, *learned)]
        lines.append(
            f"| {name} | {level} | {seats} | {part:.0%} | {len(outcome):,} | {chance.mean():.1%} | {outcome.mean():.1%} | "
            + " | ".join(f"{one:.3f}" for one in scores)
            + f" | {'' if scores[0] <= scores[2] else 'worse than the even share'}"
        )
    return lines


# --- The command line ---------------------------------------------------------


def tables(name: str, given: argparse.Namespace) -> list[tuple[dict[str, Any], int]]:
    """The pairs (options, number of seats) that the command line asks for in this game."""
    game = sutler.load(name)
    named = [dict(one.split("=", 1) for one in given.option)] if given.option else [{}]
    if not given.option and "difficulty" in game.chosen:
        named = [{"difficulty": one} for one in ("ask", "easy", "normal", "difficult")]
    seats = given.seats or (game.best_seats,)
    if given.fit and not given.seats:
        seats = tuple(range(game.min_seats, game.max_seats + 1))
    return [(options, n) for options in named for n in seats]


def fit_all(name: str, given: argparse.Namespace) -> None:
    """Fit the corrections of a game for all options and seats asked for; writes its chances.toml after each fit."""
    path = sutler.load(name).folder / CHANCES_FILE
    kept = read_corrections(path) if path.exists() else Corrections({}, ())
    clock, rows = CLOCK_WEIGHTS.get(name) or kept.clock, list(kept.rows)
    for options, seats in tables(name, given):
        game = sutler.load(name, **options)
        moments = sampled_moments(game, dict(clock), given.level, seats, given.games, given.seed)
        row = fit(moments, options, bool(game.definition.COOPERATIVE))
        rows = [one for one in rows if (one.seats, one.options) != (seats, options)] + [row]
        how = f"python studies/calibration.py {name} --fit --seed {given.seed}"
        write_atomically(path, file_text(name, dict(clock), rows, how, kept.needs))
        print(row, flush=True)


def measure(name: str, given: argparse.Namespace) -> None:
    """Print a game's rows of both tables. SystemExit if it has no chances.toml."""
    known, kept = load_corrections(sutler.load(name).definition), []
    if known is None:
        raise SystemExit(f"{name} has no {CHANCES_FILE}; --fit makes one")
    for options, seats in tables(name, given):
        game = sutler.load(name, **options)
        row = next(one for one in known.rows if one.is_fitted_for(game, seats))
        together = bool(game.definition.COOPERATIVE)
        moments = sampled_moments(game, dict(known.clock), given.level, seats, given.games, given.seed, given.policy)
        print(*score_rows(name, given.level, moments, row, together), sep="\n", flush=True)
        once = one_per_game(moments)
        kept.append((stated(once, row, together), once.outcome))
    chance, outcome = (np.concatenate([one[i] for one in kept]) for i in (0, 1))
    for low, n, at, share, least, most in bins(chance, outcome):
        inside = "" if least <= at <= most else "outside"
        print(
            f"| {name} | {low * 10}–{low * 10 + 10} % | {n:,} | {at:.1%} | {share:.1%} | {least:.1%}–{most:.1%} | {inside}"
        )


def main() -> None:
    """Fit or measure each game that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--level", default="normal")
    parser.add_argument(
        "--seats", type=lambda given: tuple(map(int, given.split(","))), help="numbers of seats, separated by commas"
    )
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=1000, help="for each number of seats and each difficulty")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--policy", default="", metavar="FILE", help="a learned policy whose Brier scores stand beside")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    given.seed = given.seed or (500_001 if given.fit else 1)
    for name in given.game:
        (fit_all if given.fit else measure)(name, given)


if __name__ == "__main__":
    main()
