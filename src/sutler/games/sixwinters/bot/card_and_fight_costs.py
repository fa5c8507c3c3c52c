"""Plans of bots in Six Winters: the cost of the next die of a progress card, and the stress that fighting an obstacle may cost.

Nothing here is a rule of the game. `evaluate` and `prune` call these functions thousands of times a second, so each is a rough count and no
search: what a player sees at a glance on the card, in the pool and among the dice in hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import (
    ANY_RESOURCE,
    CELLS,
    FACES,
    N_REGIONS,
    NO_END,
    NO_MOVE,
    RELATION,
    RES,
    SLOTS,
    TURNS,
    YEARS,
)
from sutler.games.sixwinters.rules.actions import BY_FOOT, dice_price
from sutler.games.sixwinters.rules.cards import are_neighbours, fits_relation, is_wild, lies_on
from sutler.games.sixwinters.rules.common import n_assets, n_dice, pool_size, rank, region_of
from sutler.games.sixwinters.rules.land import difficulty, n_stress_dice
from sutler.games.sixwinters.state import WANTED

if TYPE_CHECKING:
    from sutler.games.sixwinters.bot.weights import Numbers
    from sutler.games.sixwinters.records import Box, Cell, Hero, State


AT_HAND = 0.237  # the cost of the next die of a card, in action dice, where an asset that fits lies there
PER_VALUE = 0.0391  # a higher die is harder to come by


# --- Progress cards ------------------------------------------------------------------------


@rule
def n_dice_to_complete(box: Box, state: State, hero: int) -> int:
    """The number of dice that a character's progress card still needs to be complete; NO_END when it cannot be completed any more."""
    one = state.heroes[hero]
    card = int(one.card)
    n = int(one.n_path)
    if n > 0:
        return int(box.card[card].need[one.path[n - 1], one.path_die[n - 1] % FACES])
    best = NO_END
    for v in range(FACES):
        best = min(best, int(box.card[card].need[box.card[card].start, v]))
    return best + 1


@rule
def highest_unspent_die(state: State, seat: int) -> int:
    """The value of a seat's highest unspent action die; 0 for none."""
    for v in range(FACES, 0, -1):
        if state.seats[seat].dice[v - 1] > 0:
            return v
    return 0


@rule
def can_be_next_cell(box: Box, hero: Hero, cell: int) -> bool:
    """May the next die of a character's progress card be put on this cell? `hero`: the character's record."""
    if box.card[hero.card].cells[cell].there == 0:
        return False
    if hero.n_path == 0:
        return cell == box.card[hero.card].start
    return are_neighbours(int(hero.path[hero.n_path - 1]), cell) and not lies_on(hero.path, int(hero.n_path), cell)


@rule
def next_cell_bits(box: Box, hero: Hero) -> int:
    """The cells of a character's progress card on which the next die may be put, as a bit set."""
    found = 0
    for cell in range(CELLS):
        if can_be_next_cell(box, hero, cell):
            found |= 1 << cell
    return found


@rule
def accepts_value_next(box: Box, hero: Hero, cell: int, value: int) -> bool:
    """May the next die of a character's path, put on this cell, have the value `value`? `hero`: the character's record."""
    print_of = box.card[hero.card].cells[cell]
    if print_of.value > 0 and print_of.value != value:
        return False
    if hero.n_path == 0 or print_of.relation == RELATION.any_value:
        return True
    return fits_relation(int(print_of.relation), int(hero.path_die[hero.n_path - 1]) % FACES + 1, value)


@rule
def accepts_resource(box: Box, state: State, printed_cell: Cell, resource: int) -> bool:
    """Does the cell accept a die of resource `resource`? `printed_cell`: the printed cell."""
    return (
        printed_cell.kind == ANY_RESOURCE
        or printed_cell.kind == resource
        or (state.effects != 0 and is_wild(box, state, resource))
    )


@rule
def next_value_bits(box: Box, hero: Hero, n_due: int, cells: int) -> int:
    """The die values that bring a progress card nearer to its end, as a bit set: six bits for each cell in `cells`, lowest cell first.

    `cells` is a bit set of at most eight cells; `n_due`: how many dice the card still needs.
    """
    found = 0
    at = 0
    for cell in range(CELLS):
        if cells >> cell == 0:
            break
        if cells >> cell & 1:
            for v in range(1, FACES + 1):
                if box.card[hero.card].need[cell, v - 1] < n_due and accepts_value_next(box, hero, cell, v):
                    found |= 1 << (at + v - 1)
            at += FACES
    return found


@rule
def next_die_cost(box: Box, state: State, weights: Numbers, hero: int, slot: int, cells: int, values: int) -> float:
    """The cost, in action dice, of the next die for a character's card if the character stands at `slot`.

    `cells` and `values` are the bit sets from `next_cell_bits` and `next_value_bits`.
    """
    one = state.heroes[hero]
    here = int(box.place[slot].resource)
    region = int(box.place[slot].region)
    top = highest_unspent_die(state, int(one.seat))
    can_trade = n_dice(state, int(one.seat)) > 1
    has_pool = pool_size(state, here) > 0
    has_assets = n_assets(state, slot) > 0
    best = weights.trapped
    for cell in range(CELLS):
        if cells >> cell == 0:
            break
        if cells >> cell & 1:
            print_of = box.card[one.card].cells[cell]
            if print_of.region < 0 or print_of.region == region:
                from_pool = accepts_resource(box, state, print_of, here)
                if from_pool and has_pool:
                    best = min(best, weights.to_roll)
                elif from_pool:
                    best = min(best, weights.empty)
                for v in range(1, FACES + 1):
                    if values >> (v - 1) & 1:
                        if from_pool and v <= top and state.pools[here, v - 1] > 0:
                            best = min(best, weights.to_create + PER_VALUE * v)
                        elif from_pool and v <= top and can_trade and is_one_trade_away(box, state, here, v):
                            best = min(best, weights.trade + 0.5 * PER_VALUE * v)
                        if has_assets and has_fitting_asset(box, state, slot, print_of, v):
                            return AT_HAND
            values >>= FACES
    if best == weights.trapped and not can_leave_within_region_only(box, state, slot):
        return weights.another_place
    return best


@rule
def is_one_trade_away(box: Box, state: State, resource: int, value: int) -> bool:
    """Is there a pool die of value `value` that can be traded into the resource `resource` in a single trade?"""
    for r in range(RES):
        if (
            r != resource
            and state.pools[r, value - 1] > 0
            and (box.wheel[r] == resource or (box.wheel[r] < 0 and box.wheel[resource] >= 0))
        ):
            return True
    return False


@rule
def cheapest_next_die_cost(box: Box, state: State, weights: Numbers, hero: int, n_due: int) -> float:
    """The lowest cost, in action dice, of the next die for the card of character `hero` over all places, with the cost of going there.

    `n_due`: how many dice the card still needs. A place without assets is computed only if its pool could be the cheaper source.
    """
    at = int(state.heroes[hero].slot)
    cells = next_cell_bits(box, state.heroes[hero])
    values = next_value_bits(box, state.heroes[hero], n_due, cells)
    best = next_die_cost(box, state, weights, hero, at, cells, values)
    region = NOBODY
    price = 0.0
    for slot in range(SLOTS):
        if slot != at and best > weights.way + AT_HAND:
            if region_of(box, slot) != region:  # a way costs the same to all places of a region (5.2, 14.54)
                region = region_of(box, slot)
                price = weights.way * dice_price(box, state, at, slot, BY_FOOT)
            if price + min(weights.to_create, weights.to_roll, weights.trade) < best or (
                price + AT_HAND < best and n_assets(state, slot) > 0
            ):
                best = min(best, price + next_die_cost(box, state, weights, hero, slot, cells, values))
    return best


@rule
def can_leave_within_region_only(box: Box, state: State, slot: int) -> bool:
    """Can characters leave the location at this slot only for places of its own region (14.69)?"""
    one = box.location[state.location_at[slot]]
    for region in range(N_REGIONS):
        if one.move[region] == NO_MOVE:
            return True
    return False


@rule
def has_fitting_asset(box: Box, state: State, slot: int, printed_cell: Cell, value: int) -> bool:
    """Is there an asset of value `value` at the slot, of a resource that the cell accepts? `printed_cell`: the printed cell."""
    for r in range(RES):
        if state.assets[slot, r, value - 1] > 0 and accepts_resource(box, state, printed_cell, r):
            return True
    return False


@rule
def is_last_session_of_part(box: Box, state: State) -> bool:
    """Does the game end with this session, before the campaign does (`sessions`, 12.4)? Then nothing is worth anything for later."""
    return state.session >= box.options.sessions and state.year < YEARS


@rule
def n_turns_left(box: Box, state: State) -> float:
    """The estimated number of turns left in this session, the present one included; a bonus turn to come counts 0.7."""
    left = 0.0
    for space in range(int(state.space), TURNS):
        if space == state.space or box.bonus[space] == 0:
            left += 1.0
        else:
            left += 0.7
    return left


# --- Obstacles --------------------------------------------------------------------------


@rule
def is_obstacle_wanted(state: State, card: int) -> bool:
    """Was this obstacle brought into play by a mission that still asks for it to be overcome?"""
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0:
            for i in range(len(task.then)):
                if task.then[i] == WANTED and task.then_card[i] == card:
                    return True
    return False


@rule
def best_fighter_rank(state: State, fighters: int, seat: int, skill: int) -> int:
    """The best rank in a skill among those of a seat's characters who fight.

    The dice that the seat's characters share count once, with this rank. `fighters`: all fighters as a bit set.
    """
    best = 0
    for h in range(state.n_heroes):
        if fighters >> h & 1 and state.heroes[h].seat == seat:
            best = max(best, rank(state, h, skill))
    return best


@rule
def progress_of_value(box: Box, state: State, fighters: int, skill: int, value_index: int) -> int:
    """The progress from dice of one value: the fighters' unspent action dice and added assets; `fighters`: a bit set.

    `value_index`: the value less one.
    """
    total = 0
    shared = -1
    for h in range(state.n_heroes):
        if fighters >> h & 1:
            seat = int(state.heroes[h].seat)
            if seat != shared:
                total += int(state.seats[seat].dice[value_index]) * (
                    value_index + 1 + best_fighter_rank(state, fighters, seat, skill)
                )
            shared = seat
            if state.over.joined >> h & 1:
                n = 0
                for res in range(RES):
                    n += state.over.add[h, res * FACES + value_index]
                total += n * (value_index + 1 + rank(state, h, skill))
    return total


@rule
def n_values_to_overcome(box: Box, state: State, fighters: int, card: int, progress_so_far: int) -> int:
    """The number of die values that must be counted until an obstacle is overcome: 1 to 6 in this round, 6 more for each further round.

    NO_END if the fighters have no dice that count.

    `fighters`: the fighters as a bit set; `progress_so_far`: the progress of earlier rounds.
    """
    due = difficulty(box, state, card) - progress_so_far
    skill = int(box.obstacle[card].skill)
    total = 0
    for v in range(FACES):
        total += progress_of_value(box, state, fighters, skill, v)
        if total >= due:
            return v + 1
    if total <= 0:
        return NO_END
    return min(NO_END, FACES * ((due + total - 1) // total))


@rule
def hero_stress_capacity(state: State, hero: int, track: int) -> float:
    """An estimate of the stress that character `hero` can take on a track before it is knocked out, in points."""
    one = state.heroes[hero]
    person = state.people[one.character]
    left = float(one.stress[track])
    for box_no in range(one.box_no[track] + 1, 4):
        if not person.marks[track] >> (box_no - 1) & 1:
            left += 0.8 * person.start[track]
    return left


@rule
def team_stress_capacity(box: Box, state: State, fighters: int, card: int) -> float:
    """An estimate of the stress that the fighters together can take before one is knocked out, in points; `fighters`: a bit set."""
    mask = box.obstacle[card].stress_mask
    least = 0.0
    for h in range(state.n_heroes):
        if fighters >> h & 1:
            mine = 1000.0
            for track in range(2):
                if mask >> track & 1:
                    mine = min(mine, hero_stress_capacity(state, h, track))
            least += mine
    return least


@rule
def expected_stress(box: Box, state: State, card: int, n_values: int) -> float:
    """The expected stress from overcoming an obstacle, in points; `n_values`: the number of die values counted (6 a round)."""
    dice = float(n_stress_dice(box, state, card))
    harm = 0.0
    while n_values > FACES:
        harm += 3.5 * dice
        n_values -= FACES
    return harm + dice * n_values * (n_values + 1) / 12.0
