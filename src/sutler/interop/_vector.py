"""Template: many games stepped in compiled code, a range of rows in each call (see `core.per_game_modules`, `interop.vector`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.core.bits import assign, count, has, mark_set, nth
from sutler.core.chance import GAME_STREAM, below, seed_luck, seed_seat
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit._game_loop import decide
    from sutler.core.engine import advance, begin
    from sutler.core.protocol import is_over, observe, rank, score

COPY, SCALE, RANK, SPREAD = range(4)
LEARNER = -1
NONE = -1
LABEL_STREAM = 2  # the random stream of `write_bot_actions`, of its own so that asking a bot changes no game


@rule
def deal_new_game(box: Any, row: Any, blank: Any, scratch: Any, bots: Any) -> Any:
    """Set up a new game in a row, and let the bots play to the learner's first decision.

    A game that ends before that is followed by another. `blank`: a state to begin from; the game is dealt from the row's seed, which
    then grows by its stride.
    """
    n = 0
    while n <= 0:
        seats = int(row.state.n_seats)
        copy_into(row.state, blank)
        row.state.n_seats = seats
        seed_luck(row.state, int(row.seed), GAME_STREAM)
        seed_luck(row.label_luck, int(row.seed), LABEL_STREAM)
        for seat in range(seats):
            seed_seat(row.lucks[seat], int(row.seed), seat)
        if row.rotates:
            row.own = row.seed % seats
        row.seed += row.stride
        row.game_steps = 0
        n = let_bots_play(box, row, scratch, bots, begin(box, row.state, scratch.silent, row.out, scratch.asked))


@rule
def let_bots_play(box: Any, row: Any, scratch: Any, bots: Any, n: Any) -> Any:
    """Let the bots play until the learner's next decision or the end; return the number of legal actions, at the end 0 or less.

    `bots`: by seat, counted from the learner's own. `n`: the number of legal actions now.
    """
    while n > 0:
        seat = int(row.state.to_act)
        k = (seat - int(row.own)) % int(row.state.n_seats)
        if bots[k].kind == LEARNER:
            return n
        assign(scratch.out.ids, row.out.ids)
        action = decide(box, row.state, scratch, bots[k], row.lucks[seat])
        n = advance(box, row.state, scratch.silent, row.out, scratch.asked, action)
    return n


@rule
def is_legal(row: Any, action: Any) -> Any:
    """Is `action` the id of a legal action in a row's game?"""
    return action >= 0 and action < len(row.out.ids) * 64 and has(row.out.ids, action)


@rule
def find_first_illegal(rows: Any, actions: Any, first: Any, end: Any) -> Any:
    """The first row from `first` up to, not including, `end` whose action is illegal; NONE if there is none."""
    for i in range(first, end):
        if not rows[i].waits and not is_legal(rows[i], actions[i]):
            return i
    return NONE


@rule
def step(
    box: Any, rows: Any, blank: Any, scratch: Any, bots: Any, shown: Any, fresh: Any, actions: Any, stretch: Any
) -> Any:
    """Take a legal action in each game of a range of rows, and deal a new game where one has ended.

    `fresh`: deal a new game in every row. Both are one rule, since two would compile the bots twice. `stretch`: (first row, the row
    after the last, the learner's decisions after which a game is cut, does an ended game wait for the next step to be dealt anew).
    `shown`: arrays for (observations, masks, last observations, last masks, the encoding's plan, one raw observation); where an ended
    game does not wait, the knowledge at its end of the seat that acted goes to the "last" arrays.
    """
    seen, masks, last_seen, last_masks, plan, raw = shown
    for i in range(stretch[0], stretch[1]):
        row = rows[i]
        row.over = 0
        row.cut = 0
        if fresh or row.waits:
            row.waits = 0
            deal_new_game(box, row, blank, scratch, bots)
        else:
            take_learner_action(box, row, scratch, bots, actions[i], stretch[2])
            if (row.over or row.cut) and stretch[3]:
                row.waits = 1
            elif row.over or row.cut:
                write_observation(box, row, int(row.actor), last_seen[i], last_masks[i], plan, raw)
                deal_new_game(box, row, blank, scratch, bots)
        if row.waits:
            write_observation(box, row, int(row.actor), seen[i], masks[i], plan, raw)
        else:
            write_observation(box, row, int(row.state.to_act), seen[i], masks[i], plan, raw)


@rule
def take_learner_action(box: Any, row: Any, scratch: Any, bots: Any, action: Any, limit: Any) -> Any:
    """Take the learner's action and let the bots answer; sets `over`, `cut` and, at the end, points and places in the row.

    `limit`: the learner's decisions after which a game is cut.
    """
    row.actor = row.state.to_act
    n = advance(box, row.state, scratch.silent, row.out, scratch.asked, action)
    n = let_bots_play(box, row, scratch, bots, n)
    row.steps += 1
    row.game_steps += 1
    row.over = n <= 0
    row.cut = n > 0 and row.game_steps >= limit
    if row.over:
        score(box, row.state, row.points)
        rank(box, row.state, row.places)


@rule
def write_observation(box: Any, row: Any, seat: Any, seen: Any, mask: Any, plan: Any, raw: Any) -> Any:
    """Write a seat's observation into `seen`, unless that is empty, and into `mask` a 1 for each legal action; at the end all ones.

    A policy divides by the sum over the legal actions, so a mask without a single 1 would give no numbers. `plan`: how to encode, empty
    for raw numbers; `raw`: memory for one raw observation.
    """
    if len(seen) > 0:
        seen[:] = 0
        if len(plan) == 0:
            observe(box, row.state, seat, seen)
        else:
            raw[:] = 0
            observe(box, row.state, seat, raw)
            encode(raw, seen, plan)
    mask[:] = 0
    if is_over(row.state):
        mask[:] = 1
    else:
        mark_set(mask, 0, row.out.ids)


@rule
def encode(raw: Any, seen: Any, plan: Any) -> Any:
    """Encode a raw observation into `seen` by the rows of `plan` (`core.learners.encoding`)."""
    for k in range(len(plan)):
        one = plan[k]
        x = raw[one.source]
        target = one.target
        if one.how == COPY:
            seen[target] = x
        elif one.how == SCALE:
            seen[target] = min(np.float32(1), max(np.float32(-1), x * one.factor))
        elif one.how == RANK:
            seen[target] = x if x < 0 else x * one.factor
        elif one.how == SPREAD:
            if x >= 0 and x < one.width:
                seen[target + int(x)] = 1
        else:
            word = max(0, int(x))
            for b in range(one.width):
                seen[target + b] = word >> b & 1


@rule
def write_observations(box: Any, rows: Any, shown: Any, first: Any, end: Any) -> Any:
    """Write the observations and masks of the rows from `first` up to, not including, `end` again; `shown` as for `step`."""
    for i in range(first, end):
        seat = int(rows[i].actor) if rows[i].waits else int(rows[i].state.to_act)
        write_observation(box, rows[i], seat, shown[0][i], shown[1][i], shown[4], shown[5])


@rule
def write_bot_actions(box: Any, rows: Any, scratch: Any, bots: Any, who: Any, labels: Any, stretch: Any) -> Any:
    """Write into `labels`, for each game of a range of rows, the action that a bot would take; `who`: the index of that bot, by game."""
    for i in range(stretch[0], stretch[1]):
        row = rows[i]
        labels[i] = 0
        if row.waits:
            continue
        assign(scratch.out.ids, row.out.ids)
        labels[i] = decide(box, row.state, scratch, bots[who[i]], row.label_luck)


@rule
def draw_legal_actions(rows: Any, actions: Any, first: Any, end: Any) -> Any:
    """Write into `actions`, for each game of a range of rows, a random legal action, drawn by the generator of the seat to act."""
    for i in range(first, end):
        row = rows[i]
        ids = row.out.ids
        actions[i] = 0
        if row.waits:
            continue
        actions[i] = nth(ids, below(row.lucks[int(row.state.to_act)], count(ids)))
