"""Template of the searching bot, compiled for each game: Monte Carlo tree search over redeals (information-set MCTS, open loop).

Each round starts from a redeal, in which the cards that the seat cannot see are dealt anew, so no round sees the true state. All rounds
share one tree: a node stands for a sequence of actions, whatever chance did in between, and each child counts how often it was
*possible* as well as how often it was taken (Cowling, Powley and Whitehouse, 2012). When a node is reached for the second time, its
actions get priors from the greedy bot's values (PUCT). From a new node the game is played on for a short course of greedy moves. Where
that is cut, the game's `evaluate` and `chances.toml` give each seat's win chance; a finished game pays 1 for the win, corrected a
little by the score. Each seat maximises its own payoff, so games with any number of seats, alliances and cooperative games need no
special treatment.

Only the root's action is decided, so the root's rounds are shared among a few promising actions, ever fewer towards the end (sequential
halving, as in Danihelka and others, 2022). They are tried in sweeps: one after the other on the same redeal with the same random
numbers, so that the difference between them is not one of cards. An action is judged by its mean payoff and, as long as it was tried
rarely, by its prior (`promise`).

All memory lies in a scratch record (`bots.kit.records`): `scratch.world` is a redeal, `scratch.out` the actions legal in it, and
`scratch.search` the tree with everything a round needs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sutler.core.bits import add, assign, clear, count, first_from, has, is_empty, nth, remove
from sutler.core.chance import below, draw32
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import best_of, imagine, keep_sensible, lay_out, weigh
    from sutler.bots.kit._evaluate_without_notes import evaluate_noting
    from sutler.bots.kit._evaluate_without_notes import evaluate_noting as judge_course
    from sutler.bots.kit.default_rules import correct_payoffs, correct_values
    from sutler.bots.kit.default_rules import is_always_quiet as is_quiet
    from sutler.bots.kit.default_rules import report_no_progress as time_of
    from sutler.bots.kit.records import KNOTS, PATH
    from sutler.core.engine import advance
    from sutler.core.protocol import is_over, rank, score

NO_NODE = -1
MAX_COURSE_DECISIONS = 300  # decisions after the horizon until a course is cut even in a position that is not quiet
SCORE = 0.1  # the part of a payoff that depends on the score of a finished game
SHARPER = 2.0  # factor for gains since the root in games without opponents: in a few decisions they are small beside the game's SCALE
UNIT32 = 1.0 / 4294967296.0
MIN_PRIOR = 1e-6
SPREAD = 0.02  # prior guess of the variance of payoffs
SPREAD_ROUNDS = 4.0  # number of rounds that this guess counts as
AT, SURE, TURN = range(3)  # rows of a curve from leads to chances (`kit.win_probability.curves`)


@rule
def logistic(x: Any) -> Any:
    """The logistic function of x, between 0 and 1."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


@rule
def interpolate_curve(curves: Any, n_seats: Any, row: Any, time: Any) -> Any:
    """The value at a time of the game of one row of the curve for `n_seats` seats: linear between knots, constant beyond them."""
    if time <= curves[n_seats, AT, 0]:
        return curves[n_seats, row, 0]
    for k in range(KNOTS - 1):
        if time < curves[n_seats, AT, k + 1]:
            part = (time - curves[n_seats, AT, k]) / (curves[n_seats, AT, k + 1] - curves[n_seats, AT, k])
            return curves[n_seats, row, k] + part * (curves[n_seats, row, k + 1] - curves[n_seats, row, k])
    return curves[n_seats, row, KNOTS - 1]


@rule
def write_final_payoffs(box: Any, state: Any, scratch: Any, bot: Any) -> Any:
    """Write the payoff of each seat of a finished game: 1 for the win, shared by those in first place, and a little for the score.

    A sole winner gets at least 1 and a loser at most 0, the limits of the win chances that games cut short are paid
    (`write_cut_payoffs`): otherwise a search would rather be sure to win than win. In cooperative games `write_cut_payoffs` pays
    finished games too.
    """
    work = scratch.search
    n = int(state.n_seats)
    if scratch.cooperative:
        write_cut_payoffs(box, state, scratch, bot)
        return
    rank(box, state, work.rank)
    score(box, state, work.points)
    winners = 0
    mean = 0.0
    for seat in range(n):
        mean += work.points[seat] / n
        if work.rank[seat] == 1:
            winners += 1
    for seat in range(n):
        ahead = SCORE * (logistic((work.points[seat] - mean) / bot.own[0]) - 0.5)
        if work.rank[seat] != 1:
            work.payoff[seat] = min(0.0, ahead)
        elif winners == 1:
            work.payoff[seat] = 1.0 + max(0.0, ahead)
        else:
            work.payoff[seat] = 1.0 / winners + ahead


@rule
def write_cut_payoffs(box: Any, state: Any, scratch: Any, bot: Any) -> Any:
    """Write the payoff of each seat of a game that was cut short: the seat's win chance, from the leads by `judge_course`.

    `bot.own[0]` is the size of a clear lead. With `bot.chances` the game's curve says how much a lead counts at this time of the game,
    and (1 only) how much it is worth to be the seat to move. In cooperative and solo games the payoff is the gain since the root,
    because there all positions of a game that goes well have high values that differ little.
    """
    work = scratch.search
    n = int(state.n_seats)
    if scratch.cooperative or n == 1:
        for seat in range(n):
            gain = evaluate_noting(box, state, seat, scratch.greedy.notes) - work.tree[0].estimate
            work.payoff[seat] = logistic(SHARPER * gain / bot.own[0])
        return
    sure = 1.0
    turn = 0.0
    if bot.chances != 0:
        time = time_of(state)
        sure = interpolate_curve(scratch.curves, n, SURE, time)
        if bot.chances == 1:
            turn = interpolate_curve(scratch.curves, n, TURN, time)
    best = -1e30
    for seat in range(n):
        work.payoff[seat] = sure * (judge_course(box, state, seat, scratch.greedy.notes) / bot.own[0])
        if seat == state.to_act:
            work.payoff[seat] += turn
        best = max(best, work.payoff[seat])
    total = 0.0
    for seat in range(n):
        work.payoff[seat] = math.exp(max(-30.0, work.payoff[seat] - best))
        total += work.payoff[seat]
    for seat in range(n):
        work.payoff[seat] /= total


@rule
def add_node(work: Any, action: Any, seat: Any, sibling: Any) -> Any:
    """Add a node for an action of a seat; `sibling` is the next child of its parent. Returns its index, NO_NODE if the tree is full."""
    if work.n_nodes >= len(work.tree):
        return NO_NODE
    at = int(work.n_nodes)
    work.n_nodes += 1
    one = work.tree[at]
    one.action = action
    one.seat = seat
    one.child = NO_NODE
    one.sibling = sibling
    one.visits = 0
    one.possible = 0
    one.total = 0.0
    one.prior = 0.0
    one.estimate = 0.0
    return at


@rule
def reset_tree(work: Any) -> Any:
    """Make the tree empty but for its root."""
    work.n_nodes = 0
    work.settled = 0
    work.squares = 0.0
    clear(work.rivals.ids)
    add_node(work, -1, -1, NO_NODE)


@rule
def add_children(box: Any, scratch: Any, node: Any, bot: Any) -> Any:
    """Add the children of a node: the sensible actions in this world, with priors from the greedy bot's values."""
    work = scratch.search
    options = scratch.greedy.options
    value = scratch.greedy.value
    seat = int(work.state.to_act)
    n = lay_out(box, work.state, work.out, scratch.greedy)
    warmth = bot.warmth
    if n > 1:
        weigh(box, work.state, scratch, seat, bot.nodes)
        warmth = correct_values(box, work.state, scratch, bot)
    best = -1e30
    action = first_from(options.ids, 0)
    while action >= 0:
        best = max(best, value[action])
        action = first_from(options.ids, action + 1)
    total = 0.0
    action = first_from(options.ids, 0)
    while action >= 0:
        total += math.exp(max(-30.0, (value[action] - best) / warmth))
        action = first_from(options.ids, action + 1)
    action = first_from(options.ids, 0)
    while action >= 0:
        at = add_node(work, action, seat, work.tree[node].child)
        if at == NO_NODE:
            return
        share = math.exp(max(-30.0, (value[action] - best) / warmth)) / total
        work.tree[at].prior = (1.0 - bot.open_mind) * share + bot.open_mind / n
        work.tree[at].estimate = value[action]
        work.tree[node].child = at
        action = first_from(options.ids, action + 1)


@rule
def add_new_children(work: Any, node: Any) -> Any:
    """Add children to a node for the actions in `work.fresh`, which no earlier redeal allowed."""
    action = first_from(work.fresh.ids, 0)
    while action >= 0:
        at = add_node(work, action, int(work.state.to_act), work.tree[node].child)
        if at == NO_NODE:
            return
        work.tree[at].prior = 1.0 / (1.0 + count(work.out.ids))
        work.tree[node].child = at
        action = first_from(work.fresh.ids, action + 1)


@rule
def select_child(box: Any, work: Any, node: Any, bot: Any) -> Any:
    """The index of the child to follow in this world (PUCT): highest mean payoff plus a bonus for a high prior and few visits."""
    tree = work.tree
    assign(work.fresh.ids, work.out.ids)
    keep_sensible(box, work.state, work.fresh)
    assign(work.allowed.ids, work.fresh.ids)
    visits = 0
    total = 0.0
    at = int(tree[node].child)
    while at != NO_NODE:
        one = tree[at]
        if has(work.allowed.ids, int(one.action)):
            remove(work.fresh.ids, int(one.action))
            visits += one.visits
            total += one.total
        at = int(one.sibling)
    add_new_children(work, node)
    hope = 0.5
    if visits > 0:
        hope = total / visits - bot.doubt
    best = -1e30
    chosen = NO_NODE
    at = int(tree[node].child)
    while at != NO_NODE:
        one = tree[at]
        if has(work.allowed.ids, int(one.action)):
            one.possible += 1
            mean = hope
            if one.visits > 0:
                mean = one.total / one.visits
            worth = mean + bot.curiosity * one.prior * math.sqrt(float(one.possible)) / (1.0 + one.visits)
            if worth > best:
                best = worth
                chosen = at
        at = int(one.sibling)
    return chosen


@rule
def play_until_quiet(box: Any, scratch: Any, bot: Any, luck: Any, n_legal: Any) -> Any:
    """Play some mostly greedy moves from a new node, until `evaluate` can be trusted there (the game's `is_quiet`).

    n_legal: number of legal actions at its begin. Returns their number at its end; 0 if the game is over.
    """
    work = scratch.search
    options = scratch.greedy.options
    state = work.state
    for played in range(bot.horizon + MAX_COURSE_DECISIONS):
        if n_legal <= 0 or (played >= bot.horizon and is_quiet(state)):
            break
        wanders = draw32(luck.rng) * UNIT32 < bot.wander
        n_options = lay_out(box, state, work.out, scratch.greedy)
        if wanders:
            action = nth(options.ids, below(luck, n_options))
        elif n_options == 1:
            action = first_from(options.ids, 0)
        else:
            weigh(box, state, scratch, int(state.to_act), bot.playout_nodes)
            action = best_of(scratch.greedy.value, options, luck, 0.0)
        n_legal = advance(box, state, scratch.silent, work.out, scratch.asked, action)
    return n_legal


@rule
def compute_noise_rounds(rounds: Any, mean: Any, squares: Any, bot: Any) -> Any:
    """The number of rounds whose results tell as much about an action as the action's prior does, from the variance of payoffs.

    rounds, mean: number and mean of the root's payoffs; squares: the sum of their squares.
    """
    spread = max(0.0, squares - rounds * mean * mean) + SPREAD_ROUNDS * SPREAD
    return spread / (rounds + SPREAD_ROUNDS) / (bot.differ * bot.differ)


@rule
def compute_prior_weight(visits: Any, noise: Any, bot: Any) -> Any:
    """The number of rounds that an action's prior counts as, beside its visits.

    It grows with the visits by the error of played courses (`bot.error`), which more rounds do not reduce.
    """
    return noise + visits * bot.error * bot.error / (bot.differ * bot.differ)


@rule
def compute_promise(visits: Any, total: Any, prior: Any, mean: Any, noise: Any, bot: Any) -> Any:
    """The estimated win chance of an action of the root, from its payoffs and its prior. mean: the mean payoff of the root's rounds."""
    weight = compute_prior_weight(visits, noise, bot)
    foreseen = mean + bot.trust * math.log(max(MIN_PRIOR, prior))
    return (total + weight * foreseen) / (visits + weight)


@rule
def find_most_promising(work: Any, bot: Any, min_visits: Any) -> Any:
    """The child of the root with the highest estimated win chance, among those with `min_visits` visits that are no rivals; NO_NODE: none.

    Rivals are the children in `work.rivals`. The estimate is left in `work.most`, its standard error in `work.unsure`. Of equal
    children it is the one with the lowest action.
    """
    root = work.tree[0]
    mean = root.total / max(1.0, float(root.visits))
    noise = compute_noise_rounds(root.visits, mean, work.squares, bot)
    best = NO_NODE
    work.most = 0.0
    at = int(root.child)
    while at != NO_NODE:
        one = work.tree[at]
        if one.visits >= min_visits and not has(work.rivals.ids, int(one.action)):
            worth = compute_promise(one.visits, one.total, one.prior, mean, noise, bot)
            if best == NO_NODE or worth > work.most or (worth == work.most and one.action < work.tree[best].action):
                best = at
                work.most = worth
                weight = compute_prior_weight(one.visits, noise, bot)
                work.unsure = bot.differ * math.sqrt(weight / (one.visits + weight))
        at = int(one.sibling)
    return best


@rule
def start_sweep(work: Any, bot: Any, total_rounds: Any) -> Any:
    """Choose the actions that the next sweep tries, and put them into `work.rivals`.

    These are `bot.candidates` at first, and half as many after each equal part of `total_rounds`. Actions that are more than
    `bot.clear` standard errors behind the best are left out; when one is left the search is settled.
    """
    halvings = math.log2(max(2.0, float(bot.candidates)))
    done = min(1.0, work.tree[0].visits / max(1.0, float(total_rounds)))
    places = max(2, math.ceil(bot.candidates * 2.0 ** -math.floor(done * halvings)))
    clear(work.rivals.ids)
    reach = -1e30
    for place in range(places):
        at = find_most_promising(work, bot, 0)
        if at == NO_NODE or work.most < reach:
            break
        if place == 0 and work.tree[0].visits > 0:
            reach = work.most - bot.clear * work.unsure
        add(work.rivals.ids, int(work.tree[at].action))
    work.settled = int(count(work.rivals.ids) == 1)


@rule
def pop_next_rival(work: Any) -> Any:
    """The child of the root for the next action of this sweep; the action is removed from `work.rivals`."""
    action = first_from(work.rivals.ids, 0)
    remove(work.rivals.ids, action)
    at = int(work.tree[0].child)
    while at != NO_NODE and work.tree[at].action != action:
        at = int(work.tree[at].sibling)
    return at


@rule
def descend_to_new_node(box: Any, scratch: Any, bot: Any) -> Any:
    """Go down the tree from the root to a new node, and return the number of legal actions there.

    The way is left in `path` and `depth` of `scratch.search`.
    """
    work = scratch.search
    n = count(work.out.ids)
    node = 0
    work.depth = 0
    work.path[0] = 0
    while n > 0 and work.depth < PATH - 1:
        if work.tree[node].child == NO_NODE:
            if node != 0 and work.tree[node].visits == 0:
                break
            add_children(box, scratch, node, bot)
            if work.tree[node].child == NO_NODE:
                break
        if node == 0 and bot.candidates > 0:
            chosen = pop_next_rival(work)
        else:
            chosen = select_child(box, work, node, bot)
        if chosen == NO_NODE:
            break
        node = chosen
        work.depth += 1
        work.path[work.depth] = node
        n = advance(box, work.state, scratch.silent, work.out, scratch.asked, int(work.tree[node].action))
    return n


@rule(shared=True)
def search_more_rounds(box: Any, scratch: Any, bot: Any, luck: Any, rounds: Any, total_rounds: Any) -> Any:
    """Search a tree begun by `reset_tree` for `rounds` more rounds, fewer if that settles it.

    total_rounds: the number of rounds that it is likely to have in all, from which the size of sweeps is computed.
    """
    work = scratch.search
    root = work.tree[0]
    seat = int(scratch.world.to_act)
    if root.visits == 0:
        # what the root is worth: only `write_cut_payoffs` asks, where nobody plays against anybody
        root.estimate = evaluate_noting(box, scratch.world, seat, scratch.greedy.notes)
        if bot.candidates > 0:
            copy_into(work.state, scratch.world)
            assign(work.out.ids, scratch.out.ids)
            add_children(box, scratch, 0, bot)
    for _ in range(rounds):
        if bot.candidates > 0:
            if is_empty(work.rivals.ids):
                start_sweep(work, bot, total_rounds)
                copy_into(work.luck, luck)
            else:
                copy_into(luck, work.luck)
            if work.settled != 0:
                return
        imagine(box, work.state, scratch.world, seat, luck)
        assign(work.out.ids, scratch.out.ids)
        n = descend_to_new_node(box, scratch, bot)
        n = play_until_quiet(box, scratch, bot, luck, n)
        if n == 0 and is_over(work.state):
            write_final_payoffs(box, work.state, scratch, bot)
        else:
            write_cut_payoffs(box, work.state, scratch, bot)
            correct_payoffs(box, work.state, scratch, bot)
        root.visits += 1
        root.total += work.payoff[seat]
        work.squares += work.payoff[seat] * work.payoff[seat]
        for step in range(1, work.depth + 1):
            one = work.tree[work.path[step]]
            one.visits += 1
            one.total += work.payoff[one.seat]


@rule
def find_most_visited_child(tree: Any) -> Any:
    """The root's child with most visits; of equals the one that paid more, then the one with the lower id."""
    best = NO_NODE
    at = int(tree[0].child)
    while at != NO_NODE:
        one = tree[at]
        if best == NO_NODE or one.visits > tree[best].visits:
            best = at
        elif one.visits == tree[best].visits and one.total >= tree[best].total:
            best = at
        at = int(one.sibling)
    return best


@rule
def is_choice_settled(work: Any, bot: Any, rounds_left: Any) -> Any:
    """Can `rounds_left` more rounds not change the choice any more?

    They cannot if one candidate is left, or one action is ahead by more visits than that.
    """
    if bot.candidates > 0:
        return work.settled != 0
    most = 0
    next_most = 0
    at = int(work.tree[0].child)
    while at != NO_NODE:
        visits = int(work.tree[at].visits)
        if visits > most:
            next_most = most
            most = visits
        elif visits > next_most:
            next_most = visits
        at = int(work.tree[at].sibling)
    return most - next_most > rounds_left


@rule(shared=True)
def search_choice(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action chosen after `bot.rounds` rounds, or fewer if they can no longer change it."""
    work = scratch.search
    assign(work.allowed.ids, scratch.out.ids)
    keep_sensible(box, scratch.world, work.allowed)
    first = first_from(work.allowed.ids, 0)
    if count(work.allowed.ids) == 1:
        return first
    reset_tree(work)
    left = int(bot.rounds)
    while left > 0 and not is_choice_settled(work, bot, left):
        search_more_rounds(box, scratch, bot, luck, 1, bot.rounds)
        left -= 1
    if bot.candidates > 0:
        clear(work.rivals.ids)
        best = find_most_promising(work, bot, 1)
    else:
        best = find_most_visited_child(work.tree)
    if best == NO_NODE:
        return first
    return int(work.tree[best].action)
