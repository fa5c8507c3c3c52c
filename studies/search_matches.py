"""Measure today's search bot against an earlier version of it, or against greedy bots, with equal processor time.

    python studies/search_matches.py all --games 400                    # one of today's among those before, at equal time
    python studies/search_matches.py all --games 1000 --among greedy    # one of today's, and one of those before, among greedy bots
    python studies/search_matches.py manor --rounds 400 --games 400     # as long as the table's hard bot thinks
    python studies/search_matches.py warfarm --bot policy               # one search by the policy among today's, at equal time
    python studies/search_matches.py threeyears --try trust=0.02 --try trust=0.05:differ=0.05 --games 200

The earlier version is today's search with other settings (`BEFORE`): the tree decides how all rounds are used, the action tried most is
taken, and a clear lead (`SCALE`) by `evaluate` makes a seat e times as likely to win, at any time of the game. Processor seconds are
measured at tables with one kind of bot in all seats; the tested search then gets as many rounds as fit into the other's time. In Six
Winters, where all win together, campaigns are played on the same seeds as those of greedy bots:

    python studies/sixwinters_campaigns.py --bots search:rounds=40:horizon=6 --players 2 --difficulty normal --games 400 \\
        --seed 510001 --against greedy
    python studies/sixwinters_campaigns.py --bots search:rounds=40:horizon=6:candidates=0:chances=0:curiosity=1 --players 2 \\
        --difficulty normal --games 400 --seed 510001 --against greedy
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence

import sutler
from sutler.bots import to_bots
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.play.game import Game
from sutler.lab.play.simulate import Run
from sutler.lab.stats.estimates import compute_wilson_interval

SHORT = 100  # a game's SHORT_SEARCH holds for searches of at most so many rounds
BEFORE = {
    "manor": "candidates=0:chances=0:curiosity=1",
    "bellum": "candidates=0:chances=0:curiosity=1",
    "threeyears": "candidates=0:chances=0",
    "warfarm": "candidates=0:chances=0:curiosity=1:horizon=12",  # and the game's SHORT_SEARCH
}
"""{game: settings of the search} that make it decide as at commit 9fc739f3."""
TODAY = "candidates=8:chances=1:curiosity=0.3:calm=1"
"""The settings of the search that is tried if the command line names none."""


def played(game: Game, bots: Sequence[str], games: int, seed: int, threads: int) -> Run:
    """Games between these bots, one a seat, seats rotated."""
    run = Run(game, build_repeatable_bots(to_bots(",".join(bots)), game), games, seed, True)
    run.play_all_games(threads=threads)
    return run


def seconds_per_game(game: Game, bot: str, seats: int, games: int, seed: int) -> float:
    """The mean processor seconds of a game in which this bot sits in every seat."""
    played(game, [bot] * seats, 1, seed, 1)  # nothing is compiled while the clock runs
    before = time.process_time()
    played(game, [bot] * seats, games, seed, 1)
    return (time.process_time() - before) / games


def equal_rounds(
    game: Game, bot: str, settings: str, before: str, seats: int, rounds: int, games: int, seed: int
) -> tuple[int, float, float]:
    """(rounds, seconds, seconds): the rounds with which a search takes the time of the bot `before`, and a game's seconds of both."""
    wanted, took = seconds_per_game(game, before, seats, games, seed), 0.0
    least, most = (2, SHORT) if rounds <= SHORT else (SHORT + 1, 1_000_000)
    for _ in range(3):
        took = seconds_per_game(game, search(rounds, settings, bot), seats, games, seed)
        if abs(took / wanted - 1) < 0.05:
            break
        rounds = max(least, min(most, round(rounds * wanted / took)))
    return rounds, took, wanted


def search(rounds: int, settings: str, bot: str = "search") -> str:
    """The name of a bot that searches, with these rounds and settings."""
    return f"{bot}:rounds={rounds}" + (f":{settings}" if settings else "")


def wins(run: Run, seats: int) -> float:
    """The number of games that the first bot won; a shared first place counts in parts."""
    total = 0.0
    for row in run.results:
        first = row["places"][:seats] == 1
        total += float(first[row["bots"][:seats] == 0].sum() / first.sum())
    return total


def match(game: Game, settings: str, among: str, rounds: int, given: argparse.Namespace) -> str:
    """Play a match of one search among the bots `among`; returns a line with the share of games that it won."""
    seats, said = game.best_seats, ""
    if not given.among:
        rounds, took, wanted = equal_rounds(game, given.bot, settings, among, seats, rounds, given.timed, given.seed)
        said = f", {took:.3f} and {wanted:.3f} processor seconds a game"
    one = search(rounds, settings, given.bot)
    won = wins(played(game, [one] + [among] * (seats - 1), given.games, given.seed, given.threads), seats)
    low, high = compute_wilson_interval(won, given.games)
    share = f"{100 * won / given.games:.1f} % ({100 * low:.1f}–{100 * high:.1f}) of {given.games}"
    return f"{game.name}: {one} among {among}: {share}{said}"


def main() -> None:
    """Play the matches that the command line asks for, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=["all", *sorted(BEFORE)])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=40001)
    parser.add_argument("--rounds", type=int, default=40, help="rounds of the search before")
    parser.add_argument(
        "--bot", default="search", help="the bot that searches; for another than `search` today's is the one before"
    )
    parser.add_argument(
        "--among", help="a bot to play among, in place of the search before; nobody's time is equalled then"
    )
    parser.add_argument(
        "--try", dest="settings", action="append", help="settings of the search (several times for several)"
    )
    parser.add_argument("--timed", type=int, default=20, help="games by which processor seconds are measured")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    for name in sorted(BEFORE) if given.game == "all" else [given.game]:
        game = sutler.load(name)
        before, today = (BEFORE[name], TODAY) if given.bot == "search" else ("", "")
        tried = given.settings or ([before, TODAY] if given.among and today else [today])
        for settings in tried:
            among = given.among or search(given.rounds, before)
            print(match(game, settings, among, given.rounds, given), flush=True)


if __name__ == "__main__":
    main()
