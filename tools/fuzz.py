"""Random games under random mixes of all options, each decision held against a book that is kept from the log alone.

`python tools/fuzz.py bellum --decisions 2000 --seed 1` draws an option mix and a number of seats for each game, plays at random, compares
the book (`tests/games/GAME/bookkeeper.py`) with every public field after each decision, and asks the game's own check for faults. Prints
the number of decisions, games and differences; a difference is told with all that repeats it. Run it with SUTLER_PLAIN=1 for plain Python.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from contract.test_books import BOOKS
from sutler.core.files.box import BoxError, Option
from sutler.core.play.game import Game, load

LONGEST_GAME = 400
"""Decisions after which a game is left and another begins, so that many mixes are met."""


def draw_option_value(option: Option, luck: random.Random) -> int | bool | str:
    """A value of an option by lot: half the time its default, else any that it may have."""
    if luck.random() < 0.5 or option.kind == "text":
        return option.default
    if option.kind == "flag":
        return luck.random() < 0.5
    if option.kind == "choice":
        return luck.choice(option.choices).value
    low = int(option.low if option.low is not None else option.default)
    high = int(option.high if option.high is not None else max(low, int(option.default)))
    return luck.randint(low, high)


def begin_random_game(name: str, luck: random.Random) -> tuple[Game, dict[str, Any], int, int]:
    """A game with an option mix by lot, the mix, a number of seats and a seed; mixes that contradict themselves are drawn anew."""
    declared = {one.name: one for one in load(name).options()}
    while True:
        mix = {key: draw_option_value(one, luck) for key, one in declared.items()}
        try:
            game = load(name, **mix)
            seats, seed = luck.randint(game.min_seats, game.max_seats), luck.randrange(10**6)
            game.new(seats, seed)
        except BoxError:
            continue
        return game, game.changed_options(), seats, seed


def main() -> int:
    """Play until enough decisions are made; returns 1 if anything differed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", choices=BOOKS)
    parser.add_argument("--decisions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    luck, n, games, different = random.Random(asked.seed), 0, 0, 0
    while n < asked.decisions:
        game, mix, seats, seed = begin_random_game(asked.game, luck)
        pos, games = game.new(seats, seed), games + 1
        book: Any = BOOKS[asked.game](pos)
        for _ in range(min(LONGEST_GAME, asked.decisions - n)):
            if pos.over:
                break
            action = luck.choice(pos.actions())
            book.note(pos.play(action))
            n += 1
            wrong = book.differences(pos)
            if fault := int(game.definition.check(game.box, pos.state)):
                wrong = [f"fault {fault}", *wrong]
            if wrong:
                different += 1
                print(
                    f"{asked.game} {mix} seats {seats} seed {seed}, decision {len(pos.decisions)}, {action.name}: {wrong[:3]}"
                )
                break
    print(
        f"{asked.game}: {n} decisions in {games} games, each with a mix of options of its own; {different} differ",
        flush=True,
    )
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
