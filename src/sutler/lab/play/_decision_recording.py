"""Template, compiled once for each game: bots play, and every decision is written into arrays with the observation of its seat.

`lab.play.export` fills its files from these arrays; `core.per_game_modules` explains how a template gets the rules of a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import assign, first_from
from sutler.core.chance import GAME_STREAM, seed_luck, seed_seat
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit._game_loop import decide
    from sutler.core.engine import advance, begin
    from sutler.core.protocol import observe, rank, score


@rule
def start_game(box: Any, game: Any, blank_state: Any, scratch: Any) -> Any:
    """Set up one game from its seed and play it on to its first decision; always returns 0.

    `game`: the record of the game, whose seed and number of seats are set; `blank_state`: a state before set-up, which is copied into it.
    """
    seats = int(game.state.n_seats)
    copy_into(game.state, blank_state)
    game.state.n_seats = seats
    seed_luck(game.state, int(game.seed), GAME_STREAM)
    for seat in range(seats):
        seed_seat(game.lucks[seat], int(game.seed), seat)
    game.decisions = 0
    game.n = begin(box, game.state, scratch.silent, game.out, scratch.asked)
    return 0


@rule
def copy_observation_span(raw_observation: Any, exported: Any, span: Any) -> Any:
    """Copy a run of numbers from a raw observation to an exported one.

    `span`: (start in the raw observation, start in the exported one, length).
    """
    for k in range(span[2]):  # not by slices: Numba would compile the words in which two lengths differ
        exported[span[1] + k] = raw_observation[span[0] + k]


@rule
def play_and_record_decisions(
    box: Any, game: Any, scratch: Any, bots: Any, arrays: Any, row: Any, max_decisions: Any
) -> Any:
    """Play a game on and write down its decisions from row `row` on, until the game ends or the arrays are full; returns the next row.

    `arrays` is a tuple of arrays: the decision's number, its seat, the action, the ids of the legal actions (the ids of one decision after
    those of another), where the ids of each decision end, the observations, room for one raw observation, and the runs (start, new start,
    length) of the raw observation that are kept. Without runs the raw observation is kept whole. A game stops after `max_decisions`
    decisions.
    """
    numbers, seats, actions, ids, ends, seen, raw, runs = arrays
    end = ends[row - 1] if row > 0 else 0
    while game.n > 0 and row < len(actions) and end + game.n <= len(ids) and game.decisions < max_decisions:
        seat = int(game.state.to_act)
        numbers[row] = game.decisions
        seats[row] = seat
        action = first_from(game.out.ids, 0)
        while action >= 0:
            ids[end] = action
            end += 1
            action = first_from(game.out.ids, action + 1)
        ends[row] = end
        written = raw if len(runs) > 0 else seen[row]
        written[:] = 0
        observe(box, game.state, seat, written)
        for k in range(len(runs)):
            copy_observation_span(raw, seen[row], runs[k])
        assign(scratch.out.ids, game.out.ids)
        action = decide(box, game.state, scratch, bots[game.sit[seat]], game.lucks[seat])
        actions[row] = action
        row += 1
        game.decisions += 1
        game.n = advance(box, game.state, scratch.silent, game.out, scratch.asked, action)
    score(box, game.state, game.points)
    rank(box, game.state, game.places)
    return row
