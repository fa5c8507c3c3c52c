"""Template: games between bots, every decision written down with what the seat knew (see `core.template`, `lab.play.export`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import assign, first_from
from sutler.core.chance import GAME_STREAM, seed_luck, seed_seat
from sutler.core.copying import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit._game_loop import decide
    from sutler.core.engine import advance, begin
    from sutler.core.protocol import observe, rank, score


@rule
def open_game(box: Any, game: Any, blank: Any, scratch: Any) -> Any:
    """Set up the game of a seed, and go to its first decision."""
    seats = int(game.state.n_seats)
    copy_into(game.state, blank)
    game.state.n_seats = seats
    seed_luck(game.state, int(game.seed), GAME_STREAM)
    for seat in range(seats):
        seed_seat(game.lucks[seat], int(game.seed), seat)
    game.decisions = 0
    game.n = begin(box, game.state, scratch.silent, game.out, scratch.asked)
    return 0


@rule
def copy_run(raw: Any, seen: Any, run: Any) -> Any:
    """Copy a run of an observation, through slices: with sums as indexes it would go number by number."""
    seen[run[1] : run[1] + run[2]] = raw[run[0] : run[0] + run[2]]


@rule
def play_on(box: Any, game: Any, scratch: Any, bots: Any, book: Any, at: Any, most: Any) -> Any:
    """Play a game on and write down its decisions from row `at` on, until it ends or the book is full; returns the next row.

    The book has an array for each column: the legal ids lie one row after the other, with where each row's end. Of an observation
    the runs that are kept are copied: where they begin, where they go, how many numbers. Without runs it is written where it stays.
    """
    numbers, seats, actions, ids, ends, seen, raw, runs = book
    end = ends[at - 1] if at > 0 else 0
    while game.n > 0 and at < len(actions) and end + game.n <= len(ids) and game.decisions < most:
        seat = int(game.state.to_act)
        numbers[at] = game.decisions
        seats[at] = seat
        action = first_from(game.out.ids, 0)
        while action >= 0:
            ids[end] = action
            end += 1
            action = first_from(game.out.ids, action + 1)
        ends[at] = end
        written = raw if len(runs) > 0 else seen[at]
        written[:] = 0
        observe(box, game.state, seat, written)
        for k in range(len(runs)):
            copy_run(raw, seen[at], runs[k])
        assign(scratch.out.ids, game.out.ids)
        action = decide(box, game.state, scratch, bots[game.sit[seat]], game.lucks[seat])
        actions[at] = action
        at += 1
        game.decisions += 1
        game.n = advance(box, game.state, scratch.silent, game.out, scratch.asked, action)
    score(box, game.state, game.points)
    rank(box, game.state, game.places)
    return at
