"""Template: the searching bot of any game: Monte Carlo tree search over redeals (information-set MCTS, open loop).

Each round starts from a fresh redeal of what the seat knows, so no round sees the truth and every round sees other cards and dice.
One tree serves them all: a node is a sequence of actions, whatever chance did in between, and each of its children remembers how
often it was *possible* as well as how often it was taken (Cowling, Powley and Whitehouse, 2012). Where a node is reached for
the second time its actions get a prior from the greedy bot's values (PUCT); from a new node the game goes on by a short greedy
course, and where that is cut the game's `evaluate` says how good it is for each seat. Every seat's payoff lies in 0..1 and each
seat maximises its own, so that any number of seats, alliances and cooperative games need nothing special.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sutler.core.bits import assign, count, first_from, has, nth, remove
from sutler.core.chance import below, draw32
from sutler.core.rule import rule

if TYPE_CHECKING:
    PATH: int
    advance: Any
    evaluate: Any
    is_over: Any
    legal: Any
    rank: Any
    score: Any
    greedy_values: Any
    best_of: Any
    imagine: Any
    keep_sensible: Any
    reset_values: Any
    weigh: Any

NO_NODE = -1
WON = 0.9  # of a payoff, what winning makes; the rest is the score
UNIT32 = 1.0 / 4294967296.0


@rule
def squash(x: Any) -> Any:
    """Any number as one between 0 and 1."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


@rule
def pay_end(box: Any, state: Any, work: Any, scale: Any, cooperative: Any) -> Any:
    """The payoffs of a finished game: the win, shared by those in first place, and a little for the score."""
    n = int(state.n_seats)
    rank(box, state, work.rank)
    score(box, state, work.points)
    winners = 0
    mean = 0.0
    for seat in range(n):
        mean += work.points[seat] / n
        if work.rank[seat] == 1:
            winners += 1
    for seat in range(n):
        if cooperative:
            work.payoff[seat] = squash(work.points[seat] / scale)
        else:
            share = 0.0
            if work.rank[seat] == 1:
                share = 1.0 / winners
            work.payoff[seat] = WON * share + (1.0 - WON) * squash((work.points[seat] - mean) / scale)


@rule
def pay_cut(box: Any, state: Any, work: Any, scale: Any, cooperative: Any) -> Any:
    """The payoffs of a game cut short: the chance each seat has, judged by `evaluate`."""
    n = int(state.n_seats)
    if cooperative or n == 1:
        for seat in range(n):
            work.payoff[seat] = squash(evaluate(box, state, seat) / scale)
        return
    best = -1e30
    for seat in range(n):
        work.payoff[seat] = evaluate(box, state, seat) / scale
        best = max(best, work.payoff[seat])
    total = 0.0
    for seat in range(n):
        work.payoff[seat] = math.exp(max(-30.0, work.payoff[seat] - best))
        total += work.payoff[seat]
    for seat in range(n):
        work.payoff[seat] /= total


@rule
def new_node(tree: Any, work: Any, action: Any, seat: Any, sibling: Any) -> Any:
    """A node for an action of a seat, put before its sibling; NO_NODE when the tree is full."""
    if work.n_nodes >= len(tree):
        return NO_NODE
    at = int(work.n_nodes)
    work.n_nodes += 1
    one = tree[at]
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
def plant(tree: Any, work: Any) -> Any:
    """An empty tree: its root."""
    work.n_nodes = 0
    new_node(tree, work, -1, -1, NO_NODE)


@rule
def grow(
    box: Any, tree: Any, node: Any, work: Any, greedy: Any, events: Any, asked: Any, reluctance: Any, bot: Any
) -> Any:
    """Give a node its children: the sensible actions of this world, with priors from the greedy values."""
    state = work.state
    seat = int(state.to_act)
    assign(greedy.options.ids, work.out.ids)
    keep_sensible(box, state, greedy.options)
    reset_values(greedy.value, greedy.options)
    n = count(greedy.options.ids)
    if n > 1:
        weigh(box, state, greedy, events, asked, reluctance, seat, greedy.options, bot.nodes)
    best = -1e30
    action = first_from(greedy.options.ids, 0)
    while action >= 0:
        best = max(best, greedy.value[action])
        action = first_from(greedy.options.ids, action + 1)
    total = 0.0
    action = first_from(greedy.options.ids, 0)
    while action >= 0:
        total += math.exp(max(-30.0, (greedy.value[action] - best) / bot.warmth))
        action = first_from(greedy.options.ids, action + 1)
    action = first_from(greedy.options.ids, 0)
    while action >= 0:
        at = new_node(tree, work, action, seat, tree[node].child)
        if at == NO_NODE:
            return
        share = math.exp(max(-30.0, (greedy.value[action] - best) / bot.warmth)) / total
        tree[at].prior = (1.0 - bot.open_mind) * share + bot.open_mind / n
        tree[at].estimate = greedy.value[action]
        tree[node].child = at
        action = first_from(greedy.options.ids, action + 1)


@rule
def admit_new(box: Any, tree: Any, node: Any, work: Any, bot: Any) -> Any:
    """Actions that this world allows and no earlier one did join the children. `work.fresh` holds the legal ones without a node."""
    keep = count(work.fresh.ids)
    if keep == 0:
        return
    action = first_from(work.fresh.ids, 0)
    while action >= 0:
        at = new_node(tree, work, action, int(work.state.to_act), tree[node].child)
        if at == NO_NODE:
            return
        tree[at].prior = 1.0 / (1.0 + count(work.out.ids))
        tree[node].child = at
        action = first_from(work.fresh.ids, action + 1)


@rule
def select(box: Any, tree: Any, node: Any, work: Any, bot: Any) -> Any:
    """The child to follow in this world: the seat's mean payoff, plus more the likelier and the less tried it is."""
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
    admit_new(box, tree, node, work, bot)
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
def play_on(
    box: Any, work: Any, greedy: Any, events: Any, asked: Any, reluctance: Any, bot: Any, luck: Any, n: Any
) -> Any:
    """From a new node on: a short course of mostly greedy moves. Returns how many actions are open at its end, 0: the game is over."""
    state = work.state
    for _ in range(bot.horizon):
        if n == 0:
            break
        seat = int(state.to_act)
        if draw32(luck.rng) * UNIT32 < bot.wander:
            assign(greedy.options.ids, work.out.ids)
            keep_sensible(box, state, greedy.options)
            action = nth(greedy.options.ids, below(luck, count(greedy.options.ids)))
        else:
            assign(greedy.options.ids, work.out.ids)
            keep_sensible(box, state, greedy.options)
            if count(greedy.options.ids) == 1:
                action = first_from(greedy.options.ids, 0)
            else:
                reset_values(greedy.value, greedy.options)
                weigh(box, state, greedy, events, asked, reluctance, seat, greedy.options, bot.playout_nodes)
                action = best_of(greedy.value, greedy.options, luck, 0.0)
        n = advance(box, state, events, work.out, asked, action)
    return n


@rule
def search_on(
    box: Any,
    world: Any,
    out: Any,
    seat: Any,
    tree: Any,
    work: Any,
    greedy: Any,
    events: Any,
    asked: Any,
    reluctance: Any,
    bot: Any,
    luck: Any,
    rounds: Any,
    scale: Any,
    cooperative: Any,
) -> Any:
    """So many rounds more on a planted tree. `out` holds the actions that are legal for the seat now."""
    for _ in range(rounds):
        imagine(box, work.state, world, seat, luck)
        assign(work.out.ids, out.ids)
        n = count(out.ids)
        node = 0
        depth = 0
        work.path[0] = 0
        while n > 0 and depth < PATH - 1:
            if tree[node].child == NO_NODE:
                if node != 0 and tree[node].visits == 0:
                    break
                grow(box, tree, node, work, greedy, events, asked, reluctance, bot)
                if tree[node].child == NO_NODE:
                    break
            chosen = select(box, tree, node, work, bot)
            if chosen == NO_NODE:
                break
            node = chosen
            depth += 1
            work.path[depth] = node
            n = advance(box, work.state, events, work.out, asked, int(tree[node].action))
        n = play_on(box, work, greedy, events, asked, reluctance, bot, luck, n)
        if n == 0 and is_over(work.state):
            pay_end(box, work.state, work, scale, cooperative)
        else:
            pay_cut(box, work.state, work, scale, cooperative)
        tree[0].visits += 1
        for step in range(1, depth + 1):
            one = tree[work.path[step]]
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
def search_choice(
    box: Any,
    world: Any,
    out: Any,
    seat: Any,
    tree: Any,
    work: Any,
    greedy: Any,
    events: Any,
    asked: Any,
    reluctance: Any,
    bot: Any,
    luck: Any,
    scale: Any,
    cooperative: Any,
) -> Any:
    """The decision after `bot.rounds` rounds."""
    assign(work.allowed.ids, out.ids)
    keep_sensible(box, world, work.allowed)
    if count(work.allowed.ids) == 1:
        return first_from(work.allowed.ids, 0)
    plant(tree, work)
    search_on(
        box, world, out, seat, tree, work, greedy, events, asked, reluctance, bot, luck, bot.rounds, scale, cooperative
    )
    action = most_visited(tree)
    if action == NO_NODE:
        return first_from(work.allowed.ids, 0)
    return action
