"""How far the chances that bots state can be believed: what is said at parts of a game, beside what came of it.

    python tools/calibration.py manor --games 1000                  # among normal bots: the chance by their judge
    python tools/calibration.py manor --games 300 --level hard      # among hard ones of 40 rounds: the chance that their search states

At 10, 25, 50 and 75 % of each game's decisions the seat that decides is asked, with what it may know, for its chance to win. A Brier
score is the mean square of what was stated less what came: 0 is perfect, and beside it stands that of who always says the even
share. `fitted` moves all chances on the scale of log odds, by a slope and a shift that fit the games with even seeds; its figures
are those of the games with odd ones. Prints lines of the tables in docs/bots.md.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np

import sutler
from sutler.bots import bot_from
from sutler.bots.kit import kit_of, packed
from sutler.core.game import Game
from sutler.core.seat import SeatView
from sutler.lab.simulate import Run, players_of

PARTS = (0.10, 0.25, 0.50, 0.75)
WORLDS = 4  # redeals over which the judge's chance is the mean
BINS = 10
NEAREST = 0.002  # to 0 and 1, on the scale of log odds
Numbers = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Said:
    """What was stated, what came of it, at which part of the game and in which game."""

    chance: Numbers
    won: Numbers
    part: Numbers
    seed: Numbers


def judged(view: SeatView) -> float:
    """The seat's chance by the game's judge, over some redeals of what it knows."""
    kit = kit_of(view.game)
    desk, total = kit.desk_for(view), 0.0
    for _ in range(WORLDS):
        kit.search.pay_cut(view.game.box, view.redeal(), desk)
        total += float(desk.search.payoff[view.seat])
    return total / WORLDS


def asked(game: Game, level: str, seats: int, games: int, seed: int) -> Said:
    """Play the games, play each again up to its parts, and ask there."""
    players = players_of([bot_from(level)] * seats)
    whole = Run(game, players, games, seed, rotate=False)
    bots, desk = packed(whole.players, game), whole.kit.desk(whole.labels)
    whole.play_span(bots, desk, 0, games)
    first = whole.results["places"][:, :seats] == 1
    shares = first / np.maximum(1, first.sum(axis=1))[:, None]
    rows: list[tuple[float, float, float, int]] = []
    for part in PARTS:
        again = Run(game, players, games, seed, rotate=False)
        again.results["most"] = np.maximum(1, (part * whole.results["decisions"]).astype(np.int64))
        for i, state in enumerate(again.play_span(bots, desk, 0, games)):
            pos = game.from_bytes(state.tobytes())
            if pos.seat is not None:
                view = pos.for_seat(pos.seat, seed + i)
                bot: Any = players[0]
                chance = bot.explain(view)[0][1] if level.startswith(("hard", "search")) else judged(view)
                rows.append((chance, float(shares[i][pos.seat]), part, seed + i))
    chance, won, at, seeds = map(np.array, zip(*rows, strict=True))
    return Said(chance, won, at, seeds)


def odds(chance: Numbers) -> Numbers:
    """The logarithm of the odds."""
    kept = np.clip(chance, NEAREST, 1 - NEAREST)
    return np.asarray(np.log(kept / (1 - kept)))


def moved(chance: Numbers, slope: float, shift: float) -> Numbers:
    """Chances moved on the scale of log odds."""
    return np.asarray(1 / (1 + np.exp(-(slope * odds(chance) + shift))))


def fitted(said: Said) -> tuple[float, float]:
    """Slope and shift that fit best: Newton's steps on the likelihood, each halved until it helps."""
    x = np.stack([odds(said.chance), np.ones(len(said.chance))])

    def loss(at: Numbers) -> float:
        along = at @ x
        return float(np.mean(np.logaddexp(0, along) - said.won * along))

    at = np.array([1.0, 0.0])
    for _ in range(25):
        stated = 1 / (1 + np.exp(-np.clip(at @ x, -30, 30)))
        steep = (x * (stated * (1 - stated))) @ x.T + 1e-6 * np.eye(2)
        step = np.linalg.solve(steep, x @ (said.won - stated))
        while loss(at + step) > loss(at) and np.abs(step).max() > 1e-9:
            step = step / 2
        at = at + step
    return float(at[0]), float(at[1])


def some(said: Said, which: Numbers) -> Said:
    """A part of them."""
    return Said(said.chance[which], said.won[which], said.part[which], said.seed[which])


def brier(chance: Numbers, said: Said) -> float:
    """The mean square of what was stated less what came."""
    return float(np.mean((chance - said.won) ** 2))


def main() -> None:
    """Ask, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--level", default="normal")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = sutler.load(given.game)
    if game.definition.COOPERATIVE:
        parser.error(f"in {game.title} all win together: its judge states no seat's chance")
    seats = given.seats or game.best_seats
    said = asked(game, given.level, seats, given.games, given.seed)
    head = f"| {given.game} | {given.level} | {seats} |"
    for part in PARTS:
        here = some(said, said.part == part)
        print(f"{head} {part:.0%} | {len(here.won):,} | {here.chance.mean():.1%} | {here.won.mean():.1%} "
              f"| {brier(here.chance, here):.3f} | {brier(np.full(len(here.won), 1 / seats), here):.3f} |")  # fmt: skip
    slope, shift = fitted(some(said, said.seed % 2 == 0))
    rest = some(said, said.seed % 2 == 1)
    print(f"{head} fitted: slope {slope:.2f}, shift {shift:+.2f} | {len(rest.won):,} | Brier {brier(rest.chance, rest):.3f} "
          f"| then {brier(moved(rest.chance, slope, shift), rest):.3f} |")  # fmt: skip
    for low in range(BINS):
        here = some(said, np.clip((said.chance * BINS).astype(int), 0, BINS - 1) == low)
        if len(here.won):
            print(f"| {given.game} | {given.level} | {low * 10}–{low * 10 + 10} % | {len(here.won):,} "
                  f"| {here.chance.mean():.1%} | {here.won.mean():.1%} |")  # fmt: skip


if __name__ == "__main__":
    main()
