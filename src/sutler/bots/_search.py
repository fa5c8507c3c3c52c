"""Template: the searching bot of any game: Monte Carlo tree search over redeals (information-set MCTS, open loop).

Each round starts from a redeal of what the seat knows, so no round sees the truth. One tree serves them all: a node is a sequence of
actions, whatever chance did in between, and each of its children remembers how often it was *possible* as well as how often it was
taken (Cowling, Powley and Whitehouse, 2012). Where a node is reached for the second time its actions get a prior from the greedy
bot's values (PUCT); from a new node the game goes on by a short greedy course. Where that is cut, the game's `evaluate` and its
`chances.toml` say how likely each seat is to win; a finished game pays that, with a little more or less for the score. Each seat
maximises its own payoff, so that any number of seats, alliances and cooperative games need nothing special.

What is decided is the root's action, so its rounds go to few: the most promising ones share them, ever fewer towards the end
(sequential halving, as in Danihelka and others, 2022). They are tried in sweeps, one after the other on the same redeal with the same
luck, so that what is compared is the actions and not the cards. What counts is an action's mean payoff; as long as it was tried
rarely, its prior counts beside it (`promise`).

It works in a scratch record (`bots.kit.records`): `scratch.world` is a redeal and `scratch.out` what is legal in it; the tree and all
that a round needs lie in `scratch.search`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sutler.core.bits import add, assign, clear, count, first_from, has, is_empty, nth, remove
from sutler.core.chance import below, draw32
from sutler.core.copying import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import best_of, imagine, keep_sensible, lay_out, weigh
    from sutler.bots.kit._incremental import evaluate_noting
    from sutler.bots.kit._incremental import evaluate_noting as judge_course
    from sutler.bots.kit.defaults import always_quiet as is_quiet
    from sutler.bots.kit.defaults import no_time as time_of
    from sutler.bots.kit.records import KNOTS, PATH
    from sutler.core.engine import advance
    from sutler.core.protocol import is_over, rank, score

NO_NODE = -1
MAX_COURSE_DECISIONS = 300  # decisions after its horizon in which a course has to come to where it may be cut
SCORE = 0.1  # of a payoff, what the score of a finished game makes
SHARPER = 2.0  # what is gained in a few decisions is little beside the scale of a whole game
UNIT32 = 1.0 / 4294967296.0
MIN_PRIOR = 1e-6
SPREAD = 0.02  # the variance of payoffs that is supposed before any are seen
SPREAD_ROUNDS = 4.0  # how many rounds that counts as
AT, SURE, TURN = range(3)  # the rows of a curve from leads to chances


@rule
def squash(x: Any) -> Any:
    """A number mapped to between 0 and 1 (logistic curve)."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


@rule
def on_curve(curves: Any, n: Any, row: Any, time: Any) -> Any:
    """The number of the curve for n seats at a time: linear between its knots, level beyond them."""
    if time <= curves[n, AT, 0]:
        return curves[n, row, 0]
    for k in range(KNOTS - 1):
        if time < curves[n, AT, k + 1]:
            part = (time - curves[n, AT, k]) / (curves[n, AT, k + 1] - curves[n, AT, k])
            return curves[n, row, k] + part * (curves[n, row, k + 1] - curves[n, row, k])
    return curves[n, row, KNOTS - 1]


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

    What a lead is worth, and to be the seat that decides, says the game's curve at this time of it, if the bot goes by `chances`.
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
    sure = 1.0
    turn = 0.0
    if bot.chances != 0:
        time = time_of(state)
        sure = on_curve(scratch.curves, n, SURE, time)
        if bot.chances == 1:
            turn = on_curve(scratch.curves, n, TURN, time)
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
    work.settled = 0
    work.squares = 0.0
    clear(work.rivals.ids)
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
def noise_rounds(rounds: Any, mean: Any, squares: Any, bot: Any) -> Any:
    """How many rounds of an action tell as much as its prior: the more, the more payoffs vary. `squares`: the sum of theirs."""
    spread = max(0.0, squares - rounds * mean * mean) + SPREAD_ROUNDS * SPREAD
    return spread / (rounds + SPREAD_ROUNDS) / (bot.differ * bot.differ)


@rule
def weight_of_prior(visits: Any, noise: Any, bot: Any) -> Any:
    """How many rounds the prior of an action counts as, beside its visits: noise wears off with them, what courses get wrong does not."""
    return noise + visits * bot.error * bot.error / (bot.differ * bot.differ)


@rule
def promise(visits: Any, total: Any, prior: Any, mean: Any, noise: Any, bot: Any) -> Any:
    """The worth of an action of the root, by its payoffs and its prior; `mean`: the payoff of all the root's rounds."""
    weight = weight_of_prior(visits, noise, bot)
    foreseen = mean + bot.trust * math.log(max(MIN_PRIOR, prior))
    return (total + weight * foreseen) / (visits + weight)


@rule
def most_promising(work: Any, bot: Any, least: Any) -> Any:
    """The root's child that promises most, of those tried so often that are no rivals yet; among equals that of the lowest action."""
    root = work.tree[0]
    mean = root.total / max(1.0, float(root.visits))
    noise = noise_rounds(root.visits, mean, work.squares, bot)
    best = NO_NODE
    work.most = 0.0
    at = int(root.child)
    while at != NO_NODE:
        one = work.tree[at]
        if one.visits >= least and not has(work.rivals.ids, int(one.action)):
            worth = promise(one.visits, one.total, one.prior, mean, noise, bot)
            if best == NO_NODE or worth > work.most or (worth == work.most and one.action < work.tree[best].action):
                best = at
                work.most = worth
                weight = weight_of_prior(one.visits, noise, bot)
                work.unsure = bot.differ * math.sqrt(weight / (one.visits + weight))
        at = int(one.sibling)
    return best


@rule
def begin_sweep(work: Any, bot: Any, goal: Any) -> Any:
    """Name the rivals of the next sweep: `bot.candidates` actions at first, half as many after each of equal parts of the rounds.

    Those that can hardly catch up with the best are left out; once it is alone the search is settled.
    """
    halvings = math.log2(max(2.0, float(bot.candidates)))
    done = min(1.0, work.tree[0].visits / max(1.0, float(goal)))
    places = max(2, math.ceil(bot.candidates * 2.0 ** -math.floor(done * halvings)))
    clear(work.rivals.ids)
    reach = -1e30
    for place in range(places):
        at = most_promising(work, bot, 0)
        if at == NO_NODE or work.most < reach:
            break
        if place == 0 and work.tree[0].visits > 0:
            reach = work.most - bot.clear * work.unsure
        add(work.rivals.ids, int(work.tree[at].action))
    work.settled = int(count(work.rivals.ids) == 1)


@rule
def next_rival(work: Any) -> Any:
    """The root's child whose turn it is in this sweep."""
    action = first_from(work.rivals.ids, 0)
    remove(work.rivals.ids, action)
    at = int(work.tree[0].child)
    while at != NO_NODE and work.tree[at].action != action:
        at = int(work.tree[at].sibling)
    return at


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
        if node == 0 and bot.candidates > 0:
            chosen = next_rival(work)
        else:
            chosen = select(box, work, node, bot)
        if chosen == NO_NODE:
            break
        node = chosen
        work.depth += 1
        work.path[work.depth] = node
        n = advance(box, work.state, scratch.silent, work.out, scratch.asked, int(work.tree[node].action))
    return n


@rule(shared=True)
def search_on(box: Any, scratch: Any, bot: Any, luck: Any, rounds: Any, goal: Any) -> Any:
    """Search a planted tree for n more rounds, fewer where that settles it; `goal`: how many it is likely to have in all."""
    work = scratch.search
    root = work.tree[0]
    seat = int(scratch.world.to_act)
    if root.visits == 0:
        # what the root is worth: only `pay_cut` asks, where nobody plays against anybody
        root.estimate = evaluate_noting(box, scratch.world, seat, scratch.greedy.notes)
        if bot.candidates > 0:
            copy_into(work.state, scratch.world)
            assign(work.out.ids, scratch.out.ids)
            grow(box, scratch, 0, bot)
    for _ in range(rounds):
        if bot.candidates > 0:
            if is_empty(work.rivals.ids):
                begin_sweep(work, bot, goal)
                copy_into(work.luck, luck)
            else:
                copy_into(luck, work.luck)
            if work.settled != 0:
                return
        imagine(box, work.state, scratch.world, seat, luck)
        assign(work.out.ids, scratch.out.ids)
        n = descend(box, scratch, bot)
        n = play_on(box, scratch, bot, luck, n)
        if n == 0 and is_over(work.state):
            pay_end(box, work.state, scratch, bot)
        else:
            pay_cut(box, work.state, scratch, bot)
        root.visits += 1
        root.total += work.payoff[seat]
        work.squares += work.payoff[seat] * work.payoff[seat]
        for step in range(1, work.depth + 1):
            one = work.tree[work.path[step]]
            one.visits += 1
            one.total += work.payoff[one.seat]


@rule
def most_visited(tree: Any) -> Any:
    """The root's child that was tried most; among equals the better one, then the lower id."""
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
def is_settled(work: Any, bot: Any, rounds: Any) -> Any:
    """Is the search settled; where visits decide: can no other action of the root be tried as often within `rounds` more rounds?"""
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
    return most - next_most > rounds


@rule(shared=True)
def search_choice(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The decision after `bot.rounds` rounds, or fewer where nothing is left to decide."""
    work = scratch.search
    assign(work.allowed.ids, scratch.out.ids)
    keep_sensible(box, scratch.world, work.allowed)
    first = first_from(work.allowed.ids, 0)
    if count(work.allowed.ids) == 1:
        return first
    new_tree(work)
    left = int(bot.rounds)
    while left > 0 and not is_settled(work, bot, left):
        search_on(box, scratch, bot, luck, 1, bot.rounds)
        left -= 1
    if bot.candidates > 0:
        clear(work.rivals.ids)
        best = most_promising(work, bot, 1)
    else:
        best = most_visited(work.tree)
    if best == NO_NODE:
        return first
    return int(work.tree[best].action)
