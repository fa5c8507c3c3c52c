"""Measure the scales of a game's observation for learning programs: python tools/learners.py [GAME …] writes games/GAME/learners.toml.

The state's declaration gives only the integer types of counts. How large counts become is measured in games of random and of greedy
bots, at the fewest and the most seats; `scale` is twice the largest value. `longest` is the most decisions that a random game had. The
parts [bits] and [ids] are written by hand and kept.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import sutler
from sutler.core.files.toml import read_toml_file
from sutler.core.learners.observation import COUNT, MEASURED

GAMES, STEPS = 32, 150
HEAD = "# For learners (docs/learn.md): [play] and [largest] are measured by tools/learners.py.\n"


def extremes(game: sutler.Game, bots: str, seats: int, seed: int = 1) -> tuple[Any, Any]:
    """(smallest, largest) value of each number of the observation, in many games of random or greedy play."""
    many = sutler.vector(game, num_envs=GAMES, seats=seats, threads=1, copy=False, max_episode_steps=4000)
    seen, _ = many.reset(seed=seed)
    low, high = seen.min(axis=0), seen.max(axis=0)
    for k in range(STEPS * (8 if bots == "random" else 1)):
        seen, *_ = many.step(many.sample() if bots == "random" or k % 8 == 7 else many.decide(bots))
        low, high = np.minimum(low, seen.min(axis=0)), np.maximum(high, seen.max(axis=0))
    many.close()
    return low, high


def longest(game: sutler.Game, seats: int, kept: int) -> int:
    """The most decisions of one of GAMES random games, or `kept`, the longest known so far, if that is more."""
    many = sutler.vector(game, num_envs=GAMES, seats=seats, threads=1, copy=False, observe=False)
    many.reset(seed=1)
    most, done = kept, np.zeros(GAMES, bool)
    while not done.all():
        before = many.rows["game_steps"].copy()
        ends = many.step(many.sample())[2]
        most, done = max(most, int(before[ends].max(initial=-1)) + 1), done | ends
    many.close()
    return most


def measured(game: sutler.Game) -> dict[str, int]:
    """{field: twice the largest absolute value that was met} of each counted field that was ever other than 0."""
    met = [extremes(game, bots, seats) for bots in ("random", "greedy") for seats in {game.min_seats, game.max_seats}]
    size = np.max([np.maximum(-low, high) for low, high in met], axis=0).astype(np.float32)
    largest = {
        one.name: int(one.slice_observation(size).max(initial=0))
        for one in game.observation_spec()
        if one.kind == COUNT
    }
    return {name: 2 * value for name, value in largest.items() if value}


def main(names: list[str]) -> None:
    """Measure these games, or all of them, and write their `learners.toml`."""
    for name in names or sutler.games():
        game = sutler.load(name)
        path = game.folder / MEASURED
        kept = read_toml_file(path) if path.exists() else {}
        most = kept.get("play", {}).get("longest", 0)
        for seats in {game.min_seats, game.max_seats}:
            most = longest(game, seats, most)
        together = str(bool(game.definition.COOPERATIVE)).lower()
        lines = [HEAD, "[play]", f"together = {together}", f"longest = {most}", ""]
        for part in ("bits", "ids"):
            if kept.get(part):
                lines += [
                    f"[{part}]",
                    *(f"{json.dumps(key)} = {json.dumps(value)}" for key, value in kept[part].items()),
                    "",
                ]
        largest = measured(game)
        lines += ["[largest]", *(f"{json.dumps(key)} = {value}" for key, value in largest.items())]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{path}: {len(largest)} counts")


if __name__ == "__main__":
    main(sys.argv[1:])
