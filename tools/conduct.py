"""How bots behave where bots are apt to be foolish: attacks with nothing, forfeits, cards thrown away, idle looks, deals.

    python tools/conduct.py bellum --games 1000                     # among normal bots, as many seats as are best
    python tools/conduct.py bellum --games 200 --bots search:rounds=40
    python tools/conduct.py threeyears --games 1000 --looked 40     # of the first 40 games every look is followed to the end
    python tools/conduct.py manor --seats 3

A look has changed a decision if the bot that made it later decides otherwise than if it knew all but this: asked with two lots of
redeals it must say the same with both, knowing, and something else with both, not knowing. Prints lines of docs/bots.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl

import sutler
from sutler.bots import bot_from
from sutler.bots.greedy import GreedyBot
from sutler.bots.kit.repeatable import players_of
from sutler.core.game import Game
from sutler.core.position import Position
from sutler.core.seat import SeatView
from sutler.lab.play.event_stream import Watched, watch
from sutler.lab.play.series import Series
from sutler.lab.play.simulate import seat_bots
from sutler.lab.stats.measures import wilson

SEEN = ("seen_despair", "seen_writs", "seen_cards")  # what a seat of Three Years of War has looked at
REDEALS = 16
LOTS = (1, 2)


def share(part: float, whole: int) -> str:
    """So many of so many, with the interval at 95 %."""
    if whole == 0:
        return "none of 0"
    low, high = wilson(part, whole)
    return f"{part:,.0f} of {whole:,}, {100 * part / whole:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def mean(counts: pl.Series, games: int) -> str:
    """How often a game, with the interval at 95 %."""
    each = np.zeros(games)
    each[: len(counts)] = counts.to_numpy()
    return f"{each.mean():.2f} ± {1.96 * each.std(ddof=1) / np.sqrt(games):.2f} a game"


def per_game(seen: Watched, *kinds: str) -> str:
    """How often a game something is told."""
    return mean(seen.of(*kinds).group_by("game").len()["len"], seen.games)


# --- One game each ------------------------------------------------------------


def of_bellum(seen: Watched, asked: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Battles: what was committed, first by the attacker, then by the defender (8.1)."""
    told = seen.of("commits").sort("game", "i")[seen.column_of("commits", "n")].to_numpy()
    attack, answer = told[::2], told[1::2]
    yield "battles", f"{len(attack) / seen.games:.2f} a game"
    yield "attacks that commit 0", share(int((attack == 0).sum()), len(attack))
    yield "battles in which both commit", share(int(((attack > 0) & (answer > 0)).sum()), len(attack))


def of_manor(seen: Watched, asked: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Deals (4.2)."""
    yield "deals", per_game(seen, "traded")


def of_threeyears(seen: Watched, asked: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Cards thrown away at the hand limit (9.8), and what looks were good for (8.8)."""
    yield "cards thrown away at the hand limit", per_game(seen, "dropped")
    yield "looks", per_game(seen, "looked_event", "looked_despair", "looked_writ")
    counts = np.zeros(2, np.int64)
    for seed in range(asked.seed, asked.seed + asked.looked):
        counts += looks_that_count(seen.game, asked, seed)
    yield f"looks that change a later decision, {asked.looked} games", share(int(counts[1]), int(counts[0]))


# --- Looks ----------------------------------------------------------------------


def choice(pos: Position, seat: int, lot: int, state: Any) -> int:
    """What the greedy bot decides there, from many redeals of what a state lets the seat know."""
    view = SeatView(pos.game, state, seat, pos.legal_ids(), pos.names, lot)
    return GreedyBot(redeals=REDEALS).choose(view).id


def changes(pos: Position, seat: int, learned: dict[str, Any]) -> bool:
    """Does what was learned by a look matter to this decision?"""
    blank = pos.state.copy()
    for name, bits in learned.items():
        blank.seats[name][seat] &= ~bits
    knowing = {choice(pos, seat, lot, pos.state) for lot in LOTS}
    without = {choice(pos, seat, lot, blank) for lot in LOTS}
    return len(knowing) == len(without) == 1 and knowing != without


def looks_that_count(game: Game, asked: argparse.Namespace, seed: int) -> Any:
    """Of a game: looks made, and those that have changed a decision."""
    players = players_of(seat_bots([bot_from(one) for one in asked.bots.split(",")], game, asked.seats), game)
    pos = game.new(len(players), seed)
    open_looks: list[tuple[int, dict[str, Any]]] = []
    found = np.zeros(2, np.int64)
    while not pos.over:
        seat = pos.seat
        assert seat is not None
        still = []
        for owner, learned in open_looks:
            if owner == seat and len(pos.legal_ids()) > 1 and changes(pos, seat, learned):
                found[1] += 1
            else:
                still.append((owner, learned))
        open_looks = still
        before = {name: np.array(pos.state.seats[name][seat]) for name in SEEN}
        pos.play(players[seat].choose(pos.for_seat(seat, seed)))
        learned = {name: np.array(pos.state.seats[name][seat]) & ~before[name] for name in SEEN}
        if any(bits.any() for bits in learned.values()):
            found[0] += 1
            open_looks.append((seat, learned))
    return found


ASKED: dict[str, Callable[[Watched, argparse.Namespace], Iterator[tuple[str, str]]]] = {
    "bellum": of_bellum,
    "manor": of_manor,
    "threeyears": of_threeyears,
}


def main() -> None:
    """Play, count, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(ASKED))
    parser.add_argument("--bots", default="normal")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--looked", type=int, default=40, help="games of Three Years whose looks are followed")
    asked = parser.parse_args()
    game = sutler.load(asked.game)
    series = Series(asked.bots, asked.seats, asked.games, asked.seed)
    seen = watch(game, series.bots, series.seats, asked.games, asked.seed)
    seats = asked.seats or game.best_seats
    for name, told in ASKED[asked.game](seen, asked):
        print(f"| {asked.game} | {asked.bots} | {seats} | {asked.games:,} | {name} | {told} |", flush=True)


if __name__ == "__main__":
    main()
