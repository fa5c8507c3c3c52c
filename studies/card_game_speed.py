"""Measure a card game's file against the same game in Python: processor time a decision, and to compile.

Market (`examples/market`) and Market Stalls (`examples/cards/stalls.toml`) play the same games. Time is that of this process on all its
threads, so it means something on a busy machine too. Compiling is measured where nothing is in the cache but core: SUTLER_CACHE=…
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"
os.environ["SUTLER_GAMES"] = str(EXAMPLES)

import sutler  # noqa: E402  the shelf is named first
from sutler.cardkit.installed_card_games import card_game  # noqa: E402
from sutler.core.compilation.warm import compile_game_unless_warm  # noqa: E402
from sutler.lab.play.simulate import play_games  # noqa: E402

GAMES = {"random": 400_000, "greedy": 40_000}
SEATS = 3


def processor_seconds() -> float:
    """The seconds of processor time used by this process and by child processes that have ended."""
    return sum(os.times()[:4])


def main() -> int:
    """Print a line for each measure."""
    games = {"Python": sutler.load("market"), "a file": card_game(EXAMPLES / "cards" / "stalls.toml")}
    for name, game in games.items():
        begun = processor_seconds()
        compile_game_unless_warm(game.definition, lambda step: None, lambda: None)
        print(f"compiling, {name}: {processor_seconds() - begun:.1f} s")
    for bot, n in GAMES.items():
        for name, game in games.items():
            play_games(game, [bot] * SEATS, seed=0, games=20)
            begun = processor_seconds()
            rows, _ = play_games(game, [bot] * SEATS, seed=1, games=n)
            spent = processor_seconds() - begun
            print(f"{bot}, {name}: {spent / int(rows['decisions'].sum()) * 1e9:.0f} ns a decision")
    return 0


if __name__ == "__main__":
    sys.exit(main())
