"""Template: the searching bot of any game: Monte Carlo tree search over redeals (information-set MCTS, open loop).

Each round starts from a fresh redeal of what the seat knows, so no round sees the truth and every round sees other cards and dice.
One tree serves them all: a node is a sequence of actions, whatever chance did in between, and each of its children remembers how
often it was *possible* as well as how often it was taken (Cowling, Powley and Whitehouse, 2012). Where a node is reached for
the second time its actions get a prior from the greedy bot's values (PUCT); from a new node the game goes on by a short greedy
course, and where that is cut the game's `evaluate` says how good it is for each seat. Every seat's payoff is its chance of winning, in
a finished game with a little more or less for the score, and each seat maximises its own, so that any number of seats, alliances and
cooperative games need nothing special.

It works in a scratch record (`bots.kit.records`): `scratch.world` is a redeal and `scratch.out` what is legal in it; the tree and all
that a round needs lie in `scratch.search`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sutler.core.bits import assign, count, first_from, has, nth, remove
from sutler.core.chance import below, draw32
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import best_of, imagine, keep_sensible, lay_out, weigh
    from sutler.bots.kit._incremental import evaluate_noting
    from sutler.bots.kit._incremental import evaluate_noting as judge_course
    from sutler.bots.kit.defaults import always_quiet as is_quiet
    from sutler.bots.kit.records import PATH
    from sutler.core.engine import advance
    from sutler.core.protocol import is_over, rank, score

NO_NODE = -1
MAX_COURSE_DECISIONS = 300  # decisions after its horizon in which a course has to come to where it may be cut
SCORE = 0.1  # of a payoff, what the score of a finished game makes
SHARPER = 2.0  # what is gained in a few decisions is little beside the scale of a whole game
UNIT32 = 1.0 / 4294967296.0


@rule
def squash(x: Any) -> Any:
    """A number mapped to between 0 and 1 (logistic curve)."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


@rule
def pay_end(box: Any, state: Any, scratch: Any, bot: Any) -> Any:
    """The payoffs of a finished game: the win, shared by those in first place, and a little for the score.

    To win alone is worth no less, and to lose no more, than the surest chance of it where a game was cut (`pay_cut`): else a search
    would rather be sure of winning than win. Where all win together `evaluate` says what winning is worth, in the unit in which
    games that are cut are judged.
    """
    work = scratch.search
    n = int(state.n_seats)
    if scratch.cooperative:
        pay_cut(box, state, scratch, bot)
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
        ahead = SCORE * (squash((work.points[seat] - mean) / bot.own[0]) - 0.5)
        if work.rank[seat] != 1:
            work.payoff[seat] = min(0.0, ahead)
        elif winners == 1:
            work.payoff[seat] = 1.0 + max(0.0, ahead)
        else:
            work.payoff[seat] = 1.0 / winners + ahead


@rule
def pay_cut(box: Any, state: Any, scratch: Any, bot: Any) -> Any:
    """The payoffs of a game cut short: the chance each seat has, judged by `judge_course`; `bot.own[0]`: the lead that counts as clear.

    Where nobody plays against anybody, it is what has been gained since the root: there all positions of a game that goes well are
    worth much, and next to each other they would look the same.
    """
    work = scratch.search
    n = int(state.n_seats)
    if scratch.cooperative or n == 1:
        for seat in range(n):
            gain = evaluate_noting(box, state, seat, scratch.greedy.notes) - work.tree[0].estimate
            work.payoff[seat] = squash(SHARPER * gain / bot.own[0])
        return
    best = -1e30
    for seat in range(n):
        work.payoff[seat] = judge_course(box, state, seat, scratch.greedy.notes) / bot.own[0]
        best = max(best, work.payoff[seat])
    total = 0.0
    for seat in range(n):
        work.payoff[seat] = math.exp(max(-30.0, work.payoff[seat] - best))
        total += work.payoff[seat]
    for seat in range(n):
        work.payoff[seat] /= total


@rule
def new_node(work: Any, action: Any, seat: Any, sibling: Any) -> Any:
    """A node for an action of a seat, put before its sibling; NO_NODE when the tree is full."""
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
def new_tree(work: Any) -> Any:
    """Empty the tree, leaving its root."""
    work.n_nodes = 0
    new_node(work, -1, -1, NO_NODE)


@rule
def grow(box: Any, scratch: Any, node: Any, bot: Any) -> Any:
    """Give a node its children: the sensible actions of this world, with priors from the greedy values."""
    work = scratch.search
    options = scratch.greedy.options
    value = scratch.greedy.value
    seat = int(work.state.to_act)
    n = lay_out(box, work.state, work.out, scratch.greedy)
    if n > 1:
        weigh(box, work.state, scratch, seat, bot.nodes)
    best = -1e30
    action = first_from(options.ids, 0)
    while action >= 0:
        best = max(best, value[action])
        action = first_from(options.ids, action + 1)
    total = 0.0
    action = first_from(options.ids, 0)
    while action >= 0:
        total += math.exp(max(-30.0, (value[action] - best) / bot.warmth))
        action = first_from(options.ids, action + 1)
    action = first_from(options.ids, 0)
    while action >= 0:
        at = new_node(work, action, seat, work.tree[node].child)
        if at == NO_NODE:
            return
        share = math.exp(max(-30.0, (value[action] - best) / bot.warmth)) / total
        work.tree[at].prior = (1.0 - bot.open_mind) * share + bot.open_mind / n
        work.tree[at].estimate = value[action]
        work.tree[node].child = at
        action = first_from(options.ids, action + 1)


@rule
def admit_new(work: Any, node: Any) -> Any:
    """Add children for actions that this world allows and no earlier one did; `work.fresh` holds those without a node."""
    action = first_from(work.fresh.ids, 0)
    while action >= 0:
        at = new_node(work, action, int(work.state.to_act), work.tree[node].child)
        if at == NO_NODE:
            return
        work.tree[at].prior = 1.0 / (1.0 + count(work.out.ids))
        work.tree[node].child = at
        action = first_from(work.fresh.ids, action + 1)


@rule
def select(box: Any, work: Any, node: Any, bot: Any) -> Any:
    """The child to follow in this world: the seat's mean payoff, plus a bonus for likely and little tried ones."""
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
    admit_new(work, node)
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
def play_on(box: Any, scratch: Any, bot: Any, luck: Any, n: Any) -> Any:
    """Play a short course of mostly greedy moves from a new node, cut where the game's judgement can be trusted (`is_quiet`).

    Returns how many actions are open at its end, 0: the game is over.
    """
    work = scratch.search
    options = scratch.greedy.options
    state = work.state
    for played in range(bot.horizon + MAX_COURSE_DECISIONS):
        if n <= 0 or (played >= bot.horizon and is_quiet(state)):
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
        n = advance(box, state, scratch.silent, work.out, scratch.asked, action)
    return n


@rule
def descend(box: Any, scratch: Any, bot: Any) -> Any:
    """Go from the root to a new node, leaving the way in `path` and its depth in `depth`. Returns how many actions are open there."""
    work = scratch.search
    n = count(work.out.ids)
    node = 0
    work.depth = 0
    work.path[0] = 0
    while n > 0 and work.depth < PATH - 1:
        if work.tree[node].child == NO_NODE:
            if node != 0 and work.tree[node].visits == 0:
                break
            grow(box, scratch, node, bot)
            if work.tree[node].child == NO_NODE:
                break
        chosen = select(box, work, node, bot)
        if chosen == NO_NODE:
            break
        node = chosen
        work.depth += 1
        work.path[work.depth] = node
        n = advance(box, work.state, scratch.silent, work.out, scratch.asked, int(work.tree[node].action))
    return n


@rule(shared=True)
def search_on(box: Any, scratch: Any, bot: Any, luck: Any, rounds: Any) -> Any:
    """Search a planted tree for n more rounds."""
    work = scratch.search
    if work.tree[0].visits == 0:  # what the root is worth: only `pay_cut` asks, where nobody plays against anybody
        work.tree[0].estimate = evaluate_noting(box, scratch.world, int(scratch.world.to_act), scratch.greedy.notes)
    for _ in range(rounds):
        imagine(box, work.state, scratch.world, int(scratch.world.to_act), luck)
        assign(work.out.ids, scratch.out.ids)
        n = descend(box, scratch, bot)
        n = play_on(box, scratch, bot, luck, n)
        if n == 0 and is_over(work.state):
            pay_end(box, work.state, scratch, bot)
        else:
            pay_cut(box, work.state, scratch, bot)
        work.tree[0].visits += 1
        for step in range(1, work.depth + 1):
            one = work.tree[work.path[step]]
            one.visits += 1
            one.total += work.payoff[one.seat]


@rule
def most_visited(tree: Any) -> Any:
    """The root's action that was tried most; among equals the better one, then the lower id."""
    best = NO_NODE
    at = int(tree[0].child)
    while at != NO_NODE:
        one = tree[at]
        if best == NO_NODE or one.visits > tree[best].visits:
            best = at
        elif one.visits == tree[best].visits and one.total >= tree[best].total:
            best = at
        at = int(one.sibling)
    if best == NO_NODE:
        return NO_NODE
    return int(tree[best].action)


@rule
def is_settled(tree: Any, rounds: Any) -> Any:
    """Is the leading action of the root out of reach: can no other be tried as often within `rounds` more rounds?"""
    most = 0
    next_most = 0
    at = int(tree[0].child)
    while at != NO_NODE:
        visits = int(tree[at].visits)
        if visits > most:
            next_most = most
            most = visits
        elif visits > next_most:
            next_most = visits
        at = int(tree[at].sibling)
    return most - next_most > rounds


@rule(shared=True)
def search_choice(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The decision after `bot.rounds` rounds, or fewer if they have settled which action is tried most."""
    work = scratch.search
    assign(work.allowed.ids, scratch.out.ids)
    keep_sensible(box, scratch.world, work.allowed)
    first = first_from(work.allowed.ids, 0)
    if count(work.allowed.ids) == 1:
        return first
    new_tree(work)
    left = int(bot.rounds)
    while left > 0 and not is_settled(work.tree, left):
        search_on(box, scratch, bot, luck, 1)
        left -= 1
    action = most_visited(work.tree)
    if action == NO_NODE:
        return first
    return action
