"""How far the chances that people are shown can be believed: what is said at parts of a game, beside what came of it.

    python tools/calibration.py manor --games 1000                  # among normal bots
    python tools/calibration.py manor --games 300 --level search:rounds=40
    python tools/calibration.py manor --games 2000 --fit            # makes the game's chances.toml, from other seeds
    python tools/calibration.py --picture docs/pictures/calibration.svg     # of the second table of docs/bots.md

At 10, 25, 50 and 75 % of each game's decisions the seat that decides is asked, with what it may know, for its chance to win, as the
table shows it (`bots.kit.win_probability`). A Brier score is the mean square of what was stated less what came: 0 is perfect;
beside it stand that of the judge as it is, and that of who always says the even share (where all win together: how often these
were won). Of each game one answer, at any time of it, goes into the table of what was stated and what came; so the answers there
do not hang together.

`--fit` looks at MOMENTS of each game, at times spread over it, and finds the numbers under which what came is likeliest, a little
drawn towards their neighbours in time. Numbers of seats that are not named are kept as they are. Prints lines of docs/bots.md.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import sutler
from sutler.bots import bot_from
from sutler.bots.kit import packed
from sutler.bots.kit.repeatable import players_of
from sutler.bots.kit.win_probability import CHANCES_FILE, Correction, Corrections, corrections, leads, read
from sutler.core.game import Game
from sutler.core.seat import SeatView
from sutler.lab.play.files import write_atomically
from sutler.lab.play.simulate import Run
from sutler.lab.stats.measures import wilson

PAGE = Path(__file__).parent.parent / "docs/bots.md"
PARTS = (0.10, 0.25, 0.50, 0.75)
MOMENTS = 8  # of a game, for a fit
SPAN = 50  # games played at a time: their states are kept
KNOTS = (0.03, 0.2, 0.45, 0.7, 0.95)  # of all times seen, where the numbers of a fit stand
EVENNESS = 30.0  # how strongly neighbours in time are drawn together
BINS = 10
CLOCKS = {
    "manor": {"turn": 1},
    "bellum": {"round_no": 1},
    "threeyears": {"year": 4, "season": 1},
    "warfarm": {"round_no": 1},
    "sixwinters": {"year": 4, "turn_no": 1},
}
Numbers = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Asked:
    """Questions put in games: every seat's lead (n, seats), the time, who was asked, each seat's part of the win, where, in which game."""

    leads: Numbers
    time: Numbers
    seat: Numbers
    won: Numbers
    part: Numbers
    seed: Numbers

    def some(self, which: Numbers) -> Asked:
        """A part of them."""
        return Asked(*(getattr(self, name)[which] for name in self.__dataclass_fields__))

    @property
    def came(self) -> Numbers:
        """What came for those who were asked."""
        return np.asarray(self.won[np.arange(len(self.seat)), self.seat])


def shares(game: Game, rows: Any, finals: Any, seats: int) -> Numbers:
    """Each seat's part of the win; where all win together everybody's is the whole."""
    if game.definition.COOPERATIVE:
        return np.repeat((finals["outcome"] == 1).astype(float)[:, None], seats, 1)
    first = rows["places"][:, :seats] == 1
    return np.asarray(first / np.maximum(1, first.sum(axis=1))[:, None])


def asked(game: Game, clock: dict[str, float], level: str, seats: int, games: int, seed: int) -> Asked:
    """Play the games, and ask at their PARTS and at MOMENTS spread over each (whose part is 0)."""
    run = Run(game, players_of([bot_from(level)] * seats, game), games, seed, rotate=False)
    bots, desk, rng = packed(run.players, game), run.kit.desk(run.labels), np.random.default_rng(seed)
    found: list[tuple[Any, ...]] = []
    time = Corrections(clock, ()).time
    for first in range(0, games, SPAN):
        rows = run.results[first : first + SPAN]
        books = run.kit.books(len(rows))
        finals = run.play_span(bots, desk, first, first + len(rows), books)
        won = shares(game, rows, finals, seats)
        for i, book in enumerate(books[0]):
            n = int(book["n_moments"])
            picked = [(part, round(part * rows["decisions"][i] / book["stride"])) for part in PARTS]
            picked += [(0.0, int(one)) for one in rng.integers(0, n, MOMENTS)]
            for part, at in picked:
                state = book["moments"][min(at, n - 1)]
                if not game.definition.is_over(state):
                    view = SeatView(game, state, int(state["to_act"]), [], (), seed + first + i)
                    found.append((leads(view), time(state), view.seat, won[i], part, seed + first + i))
    return Asked(*map(np.array, zip(*found, strict=True)))


# --- The fit ---


def weights_at(time: Numbers, at: Numbers) -> Numbers:
    """How much of each knot there is at these times: shape (n, knots)."""
    return np.stack([np.interp(time, at, row) for row in np.eye(len(at))], axis=1)


def terms(said: Asked, at: Numbers, together: bool) -> Numbers:
    """What each number of the fit is multiplied with: shape (n, seats or 1, 2 × knots)."""
    by_knot = weights_at(said.time, at)[:, None, :]
    if together:
        lead = said.leads[np.arange(len(said.seat)), said.seat][:, None, None]
        return np.concatenate([by_knot * lead, by_knot], axis=2)
    mine = (np.arange(said.leads.shape[1]) == said.seat[:, None])[:, :, None]
    return np.concatenate([by_knot * said.leads[:, :, None], by_knot * mine], axis=2)


def fitted(said: Asked, at: Numbers, together: bool) -> tuple[Numbers, Numbers]:
    """`sure` and `turn` at each knot: Newton's steps on the likelihood, each halved until it helps."""
    x = terms(said, at, together)
    if together:  # against a second that has nothing: winning or not
        x = np.concatenate([x, np.zeros_like(x)], axis=1)
        won = np.stack([said.came, 1 - said.came], axis=1)
    else:
        won = said.won
    steps = np.diff(np.eye(len(at)), axis=0)
    pull = EVENNESS * np.kron(np.eye(2), steps.T @ steps) + 1e-3 * np.eye(x.shape[2])

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


def fit(said: Asked, options: dict[str, Any], together: bool) -> Correction:
    """The correction for one number of seats."""
    spread = said.some(said.part == 0)
    at = np.unique(np.quantile(spread.time, KNOTS).round())
    sure, turn = fitted(spread, at, together)
    rows = ([round(float(one), 3) for one in row] for row in (at, sure, turn))
    return Correction(said.leads.shape[1], *map(tuple, rows), options, len(np.unique(said.seed)))  # type: ignore[arg-type]


def written(name: str, clock: dict[str, float], rows: list[Correction], how: str) -> str:
    """The file."""

    def listed(row: tuple[float, ...]) -> str:
        return ", ".join(f"{one:g}" for one in row)

    lines = [f"# How leads become chances (bots/kit/win_probability.py). Made by: {how}", ""]
    lines += ["[clock]", *(f"{key} = {worth:g}" for key, worth in clock.items())]
    for row in sorted(rows, key=lambda one: (one.seats, sorted(one.options.items()))):
        lines += ["", "[[row]]", f"seats = {row.seats}"]
        if row.options:
            lines.append("options = { " + ", ".join(f'{key} = "{value}"' for key, value in row.options.items()) + " }")
        lines += [f"{key} = [{listed(getattr(row, key))}]" for key in ("at", "sure", "turn")] + [f"games = {row.games}"]
    return "\n".join(lines) + "\n"


# --- What is said, beside what came ---


def stated(said: Asked, row: Correction, together: bool) -> Numbers:
    """The chance that each of those asked is told."""
    each = zip(said.leads, said.time, said.seat, strict=True)
    return np.array([row.chances(one, time, seat, together)[seat] for one, time, seat in each])


def brier(chance: Numbers | float, came: Numbers) -> float:
    """The mean square of what was stated less what came."""
    return float(np.mean((chance - came) ** 2))


def one_a_game(said: Asked) -> Asked:
    """Of each game one of the answers at any time."""
    spread = said.some(said.part == 0)
    return spread.some(np.unique(spread.seed, return_index=True)[1])


def bins(chance: Numbers, came: Numbers) -> list[tuple[int, int, float, float, float, float]]:
    """By tenths of what was stated: the tenth, how many, what was stated, what came, and its interval."""
    found = []
    which = np.clip((chance * BINS).astype(int), 0, BINS - 1)
    for low in range(BINS):
        here = which == low
        if n := int(here.sum()):
            found.append((low, n, float(chance[here].mean()), float(came[here].mean()), *wilson(came[here].sum(), n)))
    return found


def told(name: str, level: str, said: Asked, row: Correction, together: bool) -> list[str]:
    """The lines of the first table."""
    raw = Correction(row.seats, (0.0,), (1.0,), (0.0,))
    seats = f"{row.seats}" + "".join(f", {value}" for value in row.options.values())
    lines = []
    for part in PARTS:
        here = said.some(said.part == part)
        chance, came = stated(here, row, together), here.came
        even = float(came.mean()) if together else 1 / row.seats
        scores = [brier(one, came) for one in (chance, stated(here, raw, together), even)]
        lines.append(
            f"| {name} | {level} | {seats} | {part:.0%} | {len(came):,} | {chance.mean():.1%} | {came.mean():.1%} | "
            + " | ".join(f"{one:.3f}" for one in scores)
            + f" | {'' if scores[0] <= scores[2] else 'worse than the even share'}"
        )
    return lines


LINE = re.compile(r"\| (\w+) \| \d+–\d+ % \| [\d,]+ \| ([\d.]+)% \| ([\d.]+)% \| ([\d.]+)%–([\d.]+)% \|")


def drawn(page: str) -> str:
    """The lines of the second table, as a page tells them, as a picture for each game: what was stated, what came, its interval."""
    side, gap, top = 150, 34, 26
    found: dict[str, list[tuple[float, ...]]] = {}
    for name, *row in LINE.findall(page):
        found.setdefault(sutler.load(name).title, []).append(tuple(float(one) / 100 for one in row))
    parts = []
    for k, (name, rows) in enumerate(found.items()):
        left = 40 + k * (side + gap)

        def x(value: float, left: int = left) -> float:
            return left + side * value

        def y(value: float) -> float:
            return top + side * (1 - value)

        parts.append(f'<text class="middle" x="{x(0.5)}" y="16">{name}</text>')
        for tick in (0, 0.5, 1):
            parts.append(f'<path class="grid" d="M{x(0)} {y(tick)}H{x(1)}M{x(tick)} {y(0)}V{y(1)}"/>')
            parts.append(f'<text class="tick middle" x="{x(tick)}" y="{y(0) + 15}">{tick * 100:.0f} %</text>')
            if k == 0:
                parts.append(f'<text class="tick end" x="{x(0) - 5}" y="{y(tick) + 4}">{tick * 100:.0f} %</text>')
        parts.append(f'<path class="even" d="M{x(0)} {y(0)}L{x(1)} {y(1)}"/>')
        for at, share, low, high in rows:
            parts.append(f'<path class="span" d="M{x(at):.1f} {y(low):.1f}V{y(high):.1f}"/>')
            parts.append(f'<circle cx="{x(at):.1f}" cy="{y(share):.1f}" r="3.5"/>')
    width, height = 40 + len(found) * (side + gap), top + side + 40
    parts.append(f'<text class="tick middle" x="{width / 2}" y="{height - 6}">stated; upwards: won</text>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="0 0 {width} {height}">{STYLE}{"".join(parts)}</svg>\n'


STYLE = """<style>
text { font: 13px Georgia, "Times New Roman", serif; fill: #3b2f20; } .tick { font-size: 11px; fill: #6b5a42; }
.end { text-anchor: end; } .middle { text-anchor: middle; } .grid { stroke: #e3d9c3; } .even { stroke: #6b5a42; stroke-dasharray: 4 4; }
.span { stroke: #8a2f1f; stroke-width: 1.75; } circle { fill: #8a2f1f; }
</style><rect width="100%" height="100%" fill="#fbf7ee"/>"""


# --- What is asked for ---


def tables(name: str, given: argparse.Namespace) -> list[tuple[dict[str, Any], int]]:
    """The options and the numbers of seats that are asked for, in this game."""
    game = sutler.load(name)
    named = [dict(one.split("=", 1) for one in given.option)] if given.option else [{}]
    if not given.option and "difficulty" in game.chosen:
        named = [{"difficulty": one} for one in ("ask", "easy", "normal", "difficult")]
    seats = given.seats or (game.best_seats,)
    if given.fit and not given.seats:
        seats = tuple(range(game.min_seats, game.max_seats + 1))
    return [(options, n) for options in named for n in seats]


def fit_all(name: str, given: argparse.Namespace) -> None:
    """Make the game's file."""
    path = sutler.load(name).folder / CHANCES_FILE
    clock = CLOCKS.get(name) or read(path).clock
    rows = list(read(path).rows) if path.exists() else []
    for options, seats in tables(name, given):
        game = sutler.load(name, **options)
        said = asked(game, dict(clock), given.level, seats, given.games, given.seed)
        row = fit(said, options, bool(game.definition.COOPERATIVE))
        rows = [one for one in rows if (one.seats, one.options) != (seats, options)] + [row]
        how = f"python tools/calibration.py {name} --fit --seed {given.seed}"
        write_atomically(path, written(name, dict(clock), rows, how))
        print(row, flush=True)


def measure(name: str, given: argparse.Namespace) -> None:
    """Print a game's lines."""
    known, kept = corrections(sutler.load(name).definition), []
    if known is None:
        raise SystemExit(f"{name} has no {CHANCES_FILE}; --fit makes one")
    for options, seats in tables(name, given):
        game = sutler.load(name, **options)
        row = next(one for one in known.rows if one.fits(game, seats))
        together = bool(game.definition.COOPERATIVE)
        said = asked(game, dict(known.clock), given.level, seats, given.games, given.seed)
        print(*told(name, given.level, said, row, together), sep="\n", flush=True)
        once = one_a_game(said)
        kept.append((stated(once, row, together), once.came))
    chance, came = (np.concatenate([one[i] for one in kept]) for i in (0, 1))
    for low, n, at, share, least, most in bins(chance, came):
        inside = "" if least <= at <= most else "outside"
        print(
            f"| {name} | {low * 10}–{low * 10 + 10} % | {n:,} | {at:.1%} | {share:.1%} | {least:.1%}–{most:.1%} | {inside}"
        )


def main() -> None:
    """Fit, or ask and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*")
    parser.add_argument("--level", default="normal")
    parser.add_argument("--seats", type=lambda given: tuple(map(int, given.split(","))), help="with commas between")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=1000, help="for each number of seats and each difficulty")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--picture", type=Path, help="draw the second table of docs/bots.md")
    given = parser.parse_args()
    given.seed = given.seed or (500_001 if given.fit else 1)
    for name in given.game:
        (fit_all if given.fit else measure)(name, given)
    if given.picture:
        write_atomically(given.picture, drawn(PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
