"""Scenario files of Six Winters: filling in the part of a position that a file leaves out."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sutler.core.record import NOBODY
from sutler.games.sixwinters.box import N_REGIONS, RES, STAGES
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.state import CARD_AT, DISCARD, DRAW, PILES, RESERVE

AT = "obstacle_at["
"""The beginning of the paths under which a scenario file places obstacles."""


def complete(box: Any, state: Any, written: Collection[str]) -> None:
    """Fill in the fields that a scenario file leaves out: progress cards burned earlier, the order of piles, the count of dice in play.

    `written`: the paths of the fields that the file sets. A file that names only the year is the beginning of that year's session, with
    the board of a fresh campaign.
    """
    if "card_at" not in written:
        _burn_cards_of_earlier_years(box, state)
    for r in range(RES):
        state.in_play[r] = n_dice_in_play(state, r)
    _lay_down_obstacles(box, state, written)


def _burn_cards_of_earlier_years(box: Any, state: Any) -> None:
    """Burn as many cards of each stage as earlier years would have burned, the first ones of the box (11.4)."""
    for year in range(1, int(state.year)):
        due = int(box.rules.burn_per_year) * year
        for stage in range(1, STAGES + 1):
            cards = [c for c in range(box.n_cards) if box.card[c].stage == stage and state.card_at[c] == CARD_AT.deck]
            if cards:
                for card in cards[:due]:
                    state.card_at[card] = CARD_AT.burned
                    state.card_burned[card] = year
                break


def _lay_down_obstacles(box: Any, state: Any, written: Collection[str]) -> None:
    """Take the obstacles that the file places out of their draw piles, and lay them down in the order of the file (1.11).

    At a place the first named came first, in a discard pile the first named lies on top.
    """
    named = [int(path[len(AT) : -1]) for path in written if path.startswith(AT)]
    rest = [c for c in range(box.n_obstacles) if c not in named]
    placed = [c for c in named + rest if state.obstacle_at[c] < DRAW or DISCARD <= state.obstacle_at[c] < RESERVE]
    for pile in range(PILES):
        state.head[pile] = NOBODY
    for card in reversed(placed):
        state.after[card] = state.head[state.obstacle_at[card]]
        state.head[state.obstacle_at[card]] = card
    for region in range(N_REGIONS):
        left = [int(c) for c in state.draw[region, : state.n_draw[region]] if state.obstacle_at[c] == DRAW + region]
        state.draw[region, : len(left)] = left
        state.draw[region, len(left) :] = 0
        state.n_draw[region] = len(left)
        state.n_known[region] = 0
        state.n_seen[region] = min(1, len(left))
