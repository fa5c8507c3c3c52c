"""The best turns of a finished game: for each person, the turn after which their chance to win had risen most.

Chances are those that the end page's curve shows (`bots.kit.win_probability`), each estimated from what the person knew before a turn of
theirs, so that two of them can be compared. They are found once per game, in the background, and stored with the table's row in lists.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from sutler.bots.kit.win_probability import estimate_win_chances
from sutler.core.text.language import ENGLISH, use_language
from sutler.web.storage.listing_row import BestTurn
from sutler.web.table.table_as_seen import read_turn_and_phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sutler.core.play.position import Position
    from sutler.web.table.room import Room

MAX_ESTIMATES = 40
"""The most turns of one person for which a chance is estimated; of a longer game every second one, or fewer."""
MIN_RISE = 5
"""The least rise, in hundredths, that is told of."""


def may_be_analysed(room: Room) -> bool:
    """Is the game over, no lesson or puzzle, and are its rules compiled, so that estimates take little time?"""
    return room.pos.over and not room.created.lesson and not room.game.definition.home.interpreted


def find_best_turns(room: Room) -> tuple[BestTurn, ...]:
    """The best turn of each person at a finished table, for those whose chance rose by MIN_RISE or more in one of their turns."""
    with room.lock:
        pos, actions = room.pos.copy(), list(room.actions)
        people = [seat for seat, plan in enumerate(room.seats) if plan.kind in ("me", "link")]
    found = (find_best_turn(pos, seat, list_turns(actions, seat)) for seat in people)
    return tuple(one for one in found if one is not None)


def list_turns(actions: Sequence[tuple[int, object]], seat: int) -> list[int]:
    """The decisions (by number) with which turns of a seat begin: those before which another seat decided.

    `actions`: the game's decisions as (seat, action).
    """
    return [i for i, (who, _) in enumerate(actions) if who == seat and (i == 0 or actions[i - 1][0] != seat)]


def find_best_turn(pos: Position, seat: int, turns: Sequence[int]) -> BestTurn | None:
    """The turn after which the seat's chance to win had risen most; None where it never rose by MIN_RISE.

    `pos`: a finished game; `turns`: the decisions with which the seat's turns begin. The chance after the last turn is 100 for the
    winner, shared where several won, and 0 for everybody else.
    """
    picked = list(turns[:: -(-len(turns) // MAX_ESTIMATES) or 1])
    chances: list[tuple[int, int]] = []
    for decision in picked:
        known = estimate_win_chances(pos.at(decision).for_seat(seat))
        if known is None:
            return None
        chances.append((decision, round(100 * known[seat])))
    places = [int(place) for place in pos.places()]
    won = 0 if places[seat] != 1 else 100 if pos.game.definition.COOPERATIVE else round(100 / places.count(1))
    rises = [
        (after - before, decision, before, after)
        for (decision, before), (_, after) in itertools.pairwise([*chances, (-1, won)])
    ]
    rise, decision, before, after = max(rises, default=(0, 0, 0, 0))
    if rise < MIN_RISE:
        return None
    with use_language(ENGLISH):  # the row is stored, and read in any language
        turn, phase = read_turn_and_phase(pos.at(decision).view(None))
    return BestTurn(seat=seat, decision=decision, turn=turn, phase=phase, before=before, after=after)
