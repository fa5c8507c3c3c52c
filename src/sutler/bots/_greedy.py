"""Template of the greedy bot, compiled for each game (see `core.per_game_modules`): it looks one move ahead and takes the best.

A *move* is one action and the further ones that complete it: as long as the same seat is in the middle of a compound move (a card is
chosen, its place is not), every continuation is tried, up to `DEPTH` steps and a number of positions, and the best end counts. The
value of a position is the game's `evaluate`, which may reuse what it computed for the position before (`notes`). All memory lies in
a scratch record (`bots.kit.records`): `scratch.world` is a redeal, never the true state, `scratch.out` the actions legal in it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sutler.core.bits import assign, count, first_from, is_empty, nth
from sutler.core.chance import below, draw32, reseed
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit._evaluate_without_notes import evaluate_noting
    from sutler.bots.kit.default_rules import prune_nothing as narrow
    from sutler.bots.kit.records import DEPTH
    from sutler.core.engine import advance
    from sutler.core.protocol import is_midway, legal, prune, redeal

LOWEST_VALUE = -1e30
EQUAL_WITHIN = 1e-9  # values closer than this are the same, and luck decides
UNIT32 = 1.0 / 4294967296.0


@rule
def imagine(box: Any, world: Any, true_state: Any, seat: Any, luck: Any) -> Any:
    """Make `world` a redeal of the state `true_state`: hidden cards are dealt anew and future chance gets a new seed."""
    copy_into(world, true_state)
    redeal(box, world, seat, luck)
    reseed(world, luck)


@rule
def keep_sensible(box: Any, state: Any, out: Any) -> Any:
    """Remove from the legal actions in `out` those that the game's `prune` calls senseless, unless all would go."""
    prune(box, state, out)
    if is_empty(out.ids):
        legal(box, state, out)


@rule
def keep_promising(box: Any, state: Any, out: Any) -> Any:
    """Keep in `out` only the actions that may lead to the best end of a compound move, by the game's `prune` and `narrow`."""
    keep_sensible(box, state, out)
    narrow(box, state, out)


@rule
def is_in_compound_move(box: Any, state: Any, seat: Any, n_legal: Any) -> Any:
    """Is the seat in the middle of a compound move (several actions that are judged together)? `n_legal`: number of its legal actions."""
    return n_legal > 0 and state.to_act == seat and is_midway(box, state)


@rule
def find_best_end_value(box: Any, scratch: Any, seat: Any, max_positions: Any) -> Any:
    """The value of the best end of the compound move begun in `scratch.greedy.states[0]`, among at most `max_positions` positions.

    A depth-first search: `states`, `outs`, `cursor` and `toll` hold, for each step, the state, its actions, the next action to try and
    the reluctance summed up so far.
    """
    work = scratch.greedy
    best = LOWEST_VALUE
    tried = 0
    level = 0
    keep_promising(box, work.states[0], work.outs[0])
    work.cursor[0] = first_from(work.outs[0].ids, 0)
    work.toll[0] = 0.0
    while level >= 0:
        action = int(work.cursor[level])
        if action < 0 or (tried >= max_positions and best > LOWEST_VALUE):
            level -= 1
            continue
        work.cursor[level] = first_from(work.outs[level].ids, action + 1)
        tried += 1
        child = level + 1
        toll = work.toll[level] + scratch.reluctance[action]
        copy_into(work.states[child], work.states[level])
        n = advance(box, work.states[child], scratch.silent, work.outs[child], scratch.asked, action)
        if child < DEPTH and tried < max_positions and is_in_compound_move(box, work.states[child], seat, n):
            keep_promising(box, work.states[child], work.outs[child])
            work.cursor[child] = first_from(work.outs[child].ids, 0)
            work.toll[child] = toll
            level = child
        else:
            best = max(best, evaluate_noting(box, work.states[child], seat, work.notes) - toll)
    return best


@rule(shared=True)
def weigh(box: Any, world: Any, scratch: Any, seat: Any, max_positions: Any) -> Any:
    """Add the value that each option has in this world to `scratch.greedy.value`.

    `max_positions`: number of positions a compound move may take.
    """
    work = scratch.greedy
    action = first_from(work.options.ids, 0)
    while action >= 0:
        copy_into(work.states[0], world)
        n = advance(box, work.states[0], scratch.silent, work.outs[0], scratch.asked, action)
        if is_in_compound_move(box, work.states[0], seat, n):
            value = find_best_end_value(box, scratch, seat, max_positions)
        else:
            value = evaluate_noting(box, work.states[0], seat, work.notes)
        work.value[action] += value - scratch.reluctance[action]
        action = first_from(work.options.ids, action + 1)


@rule
def best_of(value: Any, options: Any, luck: Any, noise: Any) -> Any:
    """The action with the highest value among `options`; of equal ones a random one.

    noise: width of the logistic error added to each value, in the unit of the values; 0 for none.
    """
    best = LOWEST_VALUE
    chosen = -1
    n_equal = 0
    action = first_from(options.ids, 0)
    while action >= 0:
        v = value[action]
        if noise > 0.0:
            u = (draw32(luck.rng) + 0.5) * UNIT32
            v += noise * math.log(u / (1.0 - u))
        if v > best + EQUAL_WITHIN:
            best = v
            chosen = action
            n_equal = 1
        elif v > best - EQUAL_WITHIN:
            n_equal += 1
            if below(luck, n_equal) == 0:
                chosen = action
        action = first_from(options.ids, action + 1)
    return chosen


@rule
def lay_out(box: Any, world: Any, legal_now: Any, work: Any) -> Any:
    """Make the sensible actions among `legal_now` the options in `work`, each with value 0; return their number."""
    assign(work.options.ids, legal_now.ids)
    keep_sensible(box, world, work.options)
    action = first_from(work.options.ids, 0)
    while action >= 0:
        work.value[action] = 0.0
        action = first_from(work.options.ids, action + 1)
    return count(work.options.ids)


@rule
def greedy_values(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """Write the sensible actions into `options` and their mean values over `bot.redeals` redeals into `value`; return their number.

    The world at hand is the first redeal; each further one is dealt from it. With one option no value is computed.
    """
    work = scratch.greedy
    seat = int(scratch.world.to_act)
    n = lay_out(box, scratch.world, scratch.out, work)
    if n > 1:
        weigh(box, scratch.world, scratch, seat, bot.nodes)
        for _ in range(1, bot.redeals):
            imagine(box, work.world, scratch.world, seat, luck)
            weigh(box, work.world, scratch, seat, bot.nodes)
        action = first_from(work.options.ids, 0)
        while action >= 0:
            work.value[action] /= bot.redeals
            action = first_from(work.options.ids, action + 1)
    return n


@rule(shared=True)
def greedy_choice(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action that the greedy bot chooses."""
    if bot.blunders > 0.0 and draw32(luck.rng) * UNIT32 < bot.blunders:
        return nth(scratch.out.ids, below(luck, count(scratch.out.ids)))
    copy_into(scratch.greedy.notes, scratch.greedy.no_notes)  # who decided before may judge by other numbers
    n = greedy_values(box, scratch, bot, luck)
    if n == 1:
        return first_from(scratch.greedy.options.ids, 0)
    return best_of(scratch.greedy.value, scratch.greedy.options, luck, bot.noise)


@rule
def copy_each_state_to_next(states: Any, copies: Any) -> Any:
    """Copy n times from one of the states to the next, in turn; used to measure how long a copy takes (`lab.bench.speed`)."""
    last = len(states) - 1
    at = 0
    for _ in range(copies):
        copy_into(states[at + 1 if at < last else 0], states[at])
        at = at + 1 if at < last else 0
