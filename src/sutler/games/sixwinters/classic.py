"""What a position of Six Winters was worth to the first bots: the judgement of `classic-greedy`, kept for comparison.

They fought where they stood and walked to no obstacle, left skills unlearned, and did not trade or sail. They judged in other numbers
(`FIRST`); the rest is told in `plan.py`, `fights.py`, `pruning.py` and `evaluate.py` of `bot/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import has
from sutler.core.rule import rule
from sutler.core.weights import weights
from sutler.games.sixwinters.bot.evaluate import outlook
from sutler.games.sixwinters.bot.fights import fight_worth
from sutler.games.sixwinters.bot.masks import only
from sutler.games.sixwinters.bot.plan import TO_CREATE, is_wanted, next_cells, next_die, next_values
from sutler.games.sixwinters.bot.pruning import (
    HARVEST,
    PULL,
    SPARE_PRICE,
    STEP_PRICE,
    TOMORROW,
    abilities_that,
    at_once,
    keep_acts,
    next_on_card,
    prune_step,
)
from sutler.games.sixwinters.bot.weights import NEVER_WORTH_IT, NUMBERS, RANKS, TO_TRADE
from sutler.games.sixwinters.box import NEVER, SLOTS
from sutler.games.sixwinters.rules.actions import BY_FOOT, dice_price
from sutler.games.sixwinters.rules.common import heroes_at, n_dice, pool_size
from sutler.games.sixwinters.table import A, P

if TYPE_CHECKING:
    from sutler.core.typing import Legal
    from sutler.games.sixwinters.bot.weights import Numbers
    from sutler.games.sixwinters.records import Box, State

FIRST: Numbers = weights(
    NUMBERS,
    step=(1.0, 1.0, 0.9, 1.1, 0.8, 3.0),
    skill=(0.35, 0.35, 0.9, 0.35, 0.4, 0.35, 0.35, 0.35),
    rank=range(RANKS),
    lore_last=0.0,
    trade=NEVER_WORTH_IT,
    way=NEVER_WORTH_IT,
    shy=0.5,
    calm_end=1.0,
    next_year=0.0,
    far=0.0,
    winning=0.0,
    newcomer=0.0,
)
GATHER = 1.5  # a character where a great obstacle waits that a mission wants
GREAT = 20
OBSTACLE = 0.3


@rule
def pull(box: Box, state: State, h: int, slot: int) -> float:
    """What fights a place promises to somebody who comes there."""
    best = 0.0
    who = heroes_at(state, slot) | 1 << h
    card = int(state.head[slot])
    while card >= 0:
        worth = fight_worth(box, state, FIRST, card, who, 0)
        if worth < 1.0 and box.obstacle[card].difficulty >= GREAT and is_wanted(state, card):
            worth = GATHER  # somebody has to be there first
        best += max(0.0, worth)
        card = int(state.after[card])
    return best


@rule
def best_move(box: Box, state: State, h: int, due: int, here: float, out: Legal) -> int:
    """The place to walk to, for the next die of the card or for a fight; -1: none is worth its price."""
    best = 0.1
    chosen = -1
    dice = n_dice(state, int(state.heroes[h].seat))
    spare = max(0, dice - 2)
    at = int(state.heroes[h].slot)
    cells = 0
    values = 0
    if due < NEVER:
        cells = next_cells(box, state.heroes[h])
        values = next_values(box, state.heroes[h], due, cells)
    stay = HARVEST * min(dice, pool_size(state, int(box.place[at].resource)))
    if dice >= 3:
        stay += PULL * pull(box, state, h, at)
    for slot in range(SLOTS):
        if has(out.ids, A.move + slot):
            price = dice_price(box, state, at, slot, BY_FOOT)
            worth = -SPARE_PRICE * min(price, spare) - STEP_PRICE * max(0, price - spare)
            if due < NEVER and dice - price > 0:
                worth += here - next_die(box, state, FIRST, h, slot, cells, values)
            elif due < NEVER:
                worth += TOMORROW * (here - next_die(box, state, FIRST, h, slot, cells, values))
            worth += HARVEST * min(dice - price, pool_size(state, int(box.place[slot].resource))) - stay
            if dice - price >= 2:
                worth += PULL * pull(box, state, h, slot)
            if worth > best:
                best = worth
                chosen = A.move + slot
    return chosen


@rule
def prune_act(box: Box, state: State, out: Legal) -> None:
    """5.1: put, fight, create, walk, use what brings dice; when nothing of it is left, done."""
    h = int(state.actor)
    due, here = next_on_card(box, state, FIRST, h)
    action = at_once(box, state, FIRST, h, due, here, out)
    if action >= 0:
        only(out, action)
        return
    dice = n_dice(state, int(state.heroes[h].seat))
    powers = abilities_that(box, state, h, out, here >= TO_TRADE, True)
    walk = -1
    if here >= TO_CREATE + 0.25 and dice > 0:
        walk = best_move(box, state, h, due, here, out)
    keep_acts(box, state, h, here, here < TO_TRADE or dice > 1, powers, (walk, -1, -1, -1), out)


@rule
def prune(box: Box, state: State, out: Legal) -> None:
    """What a bot looks at: at a year's beginning, whatever is open."""
    if state.phase == P.act:
        prune_act(box, state, out)
    else:
        prune_step(box, state, FIRST, out)


@rule
def land_worth(box: Box, state: State) -> float:
    """The obstacles in play, and who stands where a mission wants a great one overcome."""
    worth = 0.0
    for slot in range(SLOTS):
        card = int(state.head[slot])
        while card >= 0:
            worth -= OBSTACLE
            if box.obstacle[card].difficulty >= GREAT and is_wanted(state, card):
                for h in range(state.n_heroes):
                    if state.heroes[h].slot == slot:
                        worth += GATHER
            card = int(state.after[card])
    return worth


@rule
def evaluate(box: Box, state: State, seat: int) -> float:
    """What the position is worth to the team, whoever asks."""
    return outlook(box, state, FIRST, land_worth(box, state))
