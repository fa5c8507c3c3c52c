"""Bellum: could a power that was broken (13.2) have helped it? python tools/ruin.py --games 40

Plays wars of four greedy bots. Where one ends because a power is broken, the war is taken back to the beginning of that
power's turn before its last (and of the one before that), the power plays this one turn at random, so many times, and all go
on as greedy bots until its last turn is over. Prints how often at least one of these turns saved it, and what it had when its
last turn began. "Other luck alone" is the same with the power's turn played as a greedy bot plays it, its defences drawn anew.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from typing import Any

import sutler
from sutler.core.position import Position

BOT = "greedy"
Turn = tuple[int, int]


def turn_of(pos: Position) -> Turn:
    """The round, and whose turn it is."""
    return int(pos.state.round_no), int(pos.state.power)


def is_broken(state: Any, power: int) -> bool:
    """13.2: neither supply nor strength."""
    return bool(state.powers[power].supply == 0 and state.powers[power].strength == 0)


def decide(pos: Position, seed: int) -> None:
    """One decision of a greedy bot."""
    assert pos.seat is not None
    pos.play(sutler.bot(BOT).choose(pos.for_seat(pos.seat, seed=seed)))


def war(seed: int) -> tuple[Position, list[tuple[Turn, Position]]]:
    """A war to its end, and where each turn began."""
    pos = sutler.load("bellum").new(4, seed=seed)
    turns: list[tuple[Turn, Position]] = []
    while not pos.over:
        if not turns or turns[-1][0] != turn_of(pos):
            turns.append((turn_of(pos), pos.copy()))
        decide(pos, 1000 * seed + len(pos.decisions))
    return pos, turns


def survives(start: Position, last: Turn, luck: random.Random, at_random: bool) -> bool:
    """Is the power whose turn begins here still whole when its turn `last` is over? at_random: how it plays this turn."""
    pos, power, began = start.copy(), turn_of(start)[1], False
    seat = int(pos.state.seat_of[power])
    while not pos.over:
        now = turn_of(pos)
        if began and now != last:
            return True
        began = began or now == last
        if at_random and now == turn_of(start) and pos.seat == seat:
            pos.play(luck.choice(list(pos.legal_ids())))
        else:
            decide(pos, luck.randrange(1 << 30))
    return not is_broken(pos.state, power)


def asked(seed: int, tries: int, found: Counter[str]) -> None:
    """One war's answers."""
    pos, turns = war(seed)
    broken = [power for power in range(4) if is_broken(pos.state, power)]
    if not broken:
        return
    found["wars that ended by ruin"] += 1
    own = [(turn, start) for turn, start in turns if turn[1] == broken[0]]
    last, at_last = own[-1]
    me = at_last.state.powers[broken[0]]
    found["supply left when its last turn began"] += int(me.supply > 0)
    found["no strength left when its last turn began"] += int(me.strength == 0)
    if len(own) > 1:
        after = next(start for turn, start in turns[[turn for turn, _ in turns].index(own[-2][0]) + 1 :])
        found["strength lost in the turns of others"] += int(me.strength < after.state.powers[broken[0]].strength)
    for back in (1, 2):
        if len(own) > back:
            for name, at_random in (("a random turn", True), ("other luck alone", False)):
                saved = sum(survives(own[-1 - back][1], last, random.Random(k), at_random) for k in range(tries))
                found[f"saved by {name}, {back} before its last"] += int(saved > 0)
                found[f"of all tries, saved by {name}, {back} before its last"] += saved


def main() -> None:
    """Count, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--tries", type=int, default=12)
    given = parser.parse_args()
    found: Counter[str] = Counter()
    for seed in range(given.seed, given.seed + given.games):
        asked(seed, given.tries, found)
    for what, n in found.items():
        print(f"{what}: {n}")


if __name__ == "__main__":
    main()
