"""What undertaking a mission brings that bots leave alone: the same position of a campaign played on with it and without.

    python tools/undertake.py "The Betrayed" --joins Lucia --games 600 --seed 800001

In each campaign of Six Winters between greedy bots the first choice of missions at which it is open is played on twice, once as the
bots would and once with this mission taken; its difficulty and the other mission they choose themselves. Intervals at 95 %.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import sutler
from sutler.bots.kit import packed
from sutler.bots.kit.repeatable import players_of
from sutler.core.game import Game
from sutler.games.sixwinters.box import YEARS
from sutler.games.sixwinters.scoring import WON
from sutler.games.sixwinters.state import PASSED, UNLOCKED
from sutler.games.sixwinters.table import P
from sutler.lab.play.simulate import Run, seat_bots

LONGEST = 4_000  # decisions of a campaign that are looked at
AGAIN = 100_000  # further on lie the seeds with which positions are played on


def played_on(game: Game, state: Any, seed: int, looked_at: int = 0) -> Any:
    """Play on from a state, or from a blank one where decisions are `looked_at`: it is left at the end. Returns their states."""
    seats = int(state[0]["n_seats"])
    run = Run(game, players_of(seat_bots(["greedy"], game, seats), game), 1, seed, rotate=False)
    desk, kept = run.kit.desk(run.labels, tells=False), np.zeros(looked_at, state.dtype)
    bots = packed(run.players, game)
    run.kit.games(None).play(game.box, run.results, state, bots, desk, *run.kit.no_books, kept, looked_at > 0)
    return kept[: int(desk.pen.n_kept)]


def first_open(game: Game, seats: int, seed: int, action: int) -> Any:
    """The state of a campaign at the first choice of missions that offers this one; None where none does."""
    blank = np.zeros(1, game.definition.state.dtype)
    blank["n_seats"] = seats
    kept = played_on(game, blank, seed, LONGEST)
    for state in kept[(kept["phase"] == P.missions) & (kept["year"] < YEARS)]:
        if action in game.from_bytes(state.tobytes()).legal_ids():
            return state
    return None


def main() -> None:
    """Play, and print a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mission")
    parser.add_argument("--joins", help="a character; how often it joins is told too")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--difficulty", default="normal")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = sutler.load("sixwinters", settings={"difficulty": asked.difficulty})
    mission = game.names["mission"].index(asked.mission)
    action = game.definition.actions.first["undertake"] + mission
    years, without, taken = list[int](), list[Any](), list[Any]()
    for seed in range(asked.seed, asked.seed + asked.games):
        state = first_open(game, asked.players, seed, action)
        if state is not None:
            years.append(int(state["year"]))
            pos = game.from_bytes(state.tobytes())
            pos.play(action)
            for found, data in ((without, state.tobytes()), (taken, pos.to_bytes())):
                found.append(np.frombuffer(data, state.dtype).copy())
                played_on(game, found[-1], seed + AGAIN)
    if len(taken) < 2:
        print(f"{asked.mission} was open in {len(taken)} of {asked.games} campaigns")
        return
    ends = np.concatenate(without), np.concatenate(taken)
    won = [end["outcome"] == WON for end in ends]
    gain = won[1].astype(float) - won[0]
    passed = ((ends[1]["journal"]["mission"] == mission) & (ends[1]["journal"]["result"] == PASSED)).any(axis=(1, 2))
    print(f"{asked.mission}: open in {len(gain)} of {asked.games} campaigns, first in year {np.mean(years):.1f}")
    print(f"    won without it {won[0].mean():.1%}, with it {won[1].mean():.1%}: {100 * gain.mean():+.1f} ", end="")
    print(f"± {196 * gain.std(ddof=1) / np.sqrt(len(gain)):.1f} points; passed {passed.sum()} times")
    if asked.joins:
        who = game.names["character"].index(asked.joins)
        joined = [int((end["people"]["state"][:, who] == UNLOCKED).sum()) for end in ends]
        print(f"    {asked.joins} joins in {joined[0]} without it, in {joined[1]} with it")


if __name__ == "__main__":
    main()
