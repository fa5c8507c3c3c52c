"""What lies where (guide 1.9 to 1.11, 6.6, 8.5): locations, obstacles and how hard they are, draw piles, the staged cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import has
from sutler.core.chance import below
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import ALL, FACES, MOMENT, N_REGIONS, RES, SCOPE, SLOTS, STAGED_OBSTACLES, STAGES
from sutler.games.sixwinters.cards.vocabulary import DO, operation
from sutler.games.sixwinters.phases_actions_events import E
from sutler.games.sixwinters.rules.common import region_of, run_effect, threat_level, to_supply
from sutler.games.sixwinters.setup import shuffle_draw_pile
from sutler.games.sixwinters.state import BURNED, CARD_AT, DISCARD, DRAW, RESERVE, n_threat_tags, recount

if TYPE_CHECKING:
    from sutler.core.typing import Bits, Events
    from sutler.games.sixwinters.records import Box, Op, State


@rule
def matches(box: Box, state: State, card: int, tags: int, threat: int, skill: int) -> bool:
    """14.1: has an obstacle one of these tags, this threat tag, this skill? What is not named is not asked."""
    one = box.obstacle[card]
    if tags != 0 and one.tags & tags == 0:
        return False
    if threat >= 0 and n_threat_tags(box, state, card, threat) == 0:
        return False
    return skill < 0 or one.skill == skill


@rule
def difficulty(box: Box, state: State, card: int) -> int:
    """1.11: an obstacle's difficulty as it stands: printed, the players', and what cards in play add."""
    total = int(box.obstacle[card].difficulty) + int(box.rules.harder[state.n_seats])
    for i in range(state.n_ruled):
        kind = box.ops[state.ruled[i].op].op
        if kind == DO.difficulty or kind == DO.difficulty_self:
            total += added_by(box, state, i, card)
    return total


@operation("difficulty", needs="by scope", may="tags threat", holds=True)
@operation("difficulty_self", needs="plus", holds=True)
@rule
def added_by(box: Box, state: State, i: int, card: int) -> int:
    """1.11: what one card in play (the i-th of those that rule) adds to an obstacle's difficulty."""
    row = state.ruled[i]
    op = box.ops[row.op]
    if op.op == DO.difficulty and adds_to(box, state, op, row.slot, card, int(state.obstacle_at[card])):
        return int(op.by)
    total = 0
    if op.op == DO.difficulty_self and row.obstacle == card:
        for k in range(state.n_on_cards):
            if state.die_on[k] == card:
                total += state.die_is[k] % FACES + 1
    return total


@rule
def is_in_scope(box: Box, op: Op, slot: int, at: int) -> bool:
    """13.5: does an operation reach this place, from where it lies?"""
    if op.scope == SCOPE.all:
        return True
    if op.scope == SCOPE.here:
        return slot == at
    region = region_of(box, slot)
    return region != NOBODY and region == region_of(box, at)


@rule
def adds_to(box: Box, state: State, op: Op, source: int, card: int, slot: int) -> bool:
    """Does a modifier from a source's slot apply to an obstacle at another?"""
    return matches(box, state, card, op.tags, op.threat, NOBODY) and is_in_scope(box, op, slot, source)


@operation("stress_pool_sum", needs="resources", holds=True)
@rule
def n_stress_dice(box: Box, state: State, card: int) -> int:
    """7.4: as many as the highest threat level among its tags; a few cards say otherwise."""
    for i in range(state.n_ruled):
        row = state.ruled[i]
        if row.obstacle == card and box.ops[row.op].op == DO.stress_pool_sum:
            total = 0
            for r in range(RES):
                if box.ops[row.op].resources >> r & 1:
                    total += threat_level(box, state, r)
            return total
    most = 0
    for r in range(RES):
        if n_threat_tags(box, state, card, r) > 0:
            most = max(most, threat_level(box, state, r))
    return most


@operation("forbid_overcome", needs="threat", holds=True)
@rule
def is_barred(box: Box, state: State, card: int) -> bool:
    """7.1: does a card in play forbid overcoming this one?"""
    for i in range(state.n_ruled):
        op = box.ops[state.ruled[i].op]
        if op.op == DO.forbid_overcome and op.threat >= 0 and n_threat_tags(box, state, card, op.threat) > 0:
            return True
    return False


@operation("no_teamwork", holds=True)
@rule
def is_for_one(box: Box, state: State, card: int) -> bool:
    """7.2: an obstacle that characters may not overcome together."""
    for i in range(state.n_ruled):
        row = state.ruled[i]
        if row.obstacle == card and box.ops[row.op].op == DO.no_teamwork:
            return True
    return False


@rule
def is_meant_obstacle(box: Box, state: State, op: Op, own: int, card: int) -> bool:
    """13.3: in play, with the tags, threat, skill and stress asked for, in the region, not too hard, not the card `own` itself."""
    if not is_in_play(state, card) or not matches(box, state, card, op.tags, op.threat, op.skill):
        return False
    if op.stress_mask != 0 and box.obstacle[card].stress_mask & op.stress_mask == 0:
        return False
    if op.region >= 0 and region_of(box, int(state.obstacle_at[card])) != op.region:
        return False
    if op.not_self == 1 and card == own:
        return False
    return op.most == ALL or difficulty(box, state, card) <= op.most


# --- Chains and piles (guide 1.11) ---------------------------------------------------------


@rule
def unchain(state: State, card: int) -> None:
    """Take an obstacle out of wherever it is; it is nowhere until it is put somewhere."""
    pile = int(state.obstacle_at[card])
    if pile < DRAW or DISCARD <= pile < RESERVE:
        before = NOBODY
        one = int(state.head[pile])
        while one != card:
            before = one
            one = int(state.after[one])
        if before == NOBODY:
            state.head[pile] = state.after[card]
        else:
            state.after[before] = state.after[card]
        state.after[card] = NOBODY
    elif pile < DISCARD:
        leave_draw(state, card, pile - DRAW)
    state.obstacle_at[card] = RESERVE


@rule
def leave_draw(state: State, card: int, region: int) -> None:
    """Take an obstacle out of a draw pile; what is known of the pile's top stays known."""
    n = int(state.n_draw[region])
    at = 0
    for i in range(n):
        if state.draw[region, i] == card:
            at = i
    depth = n - at  # 1: the top
    for i in range(at, n - 1):
        state.draw[region, i] = state.draw[region, i + 1]
    state.draw[region, n - 1] = 0
    state.n_draw[region] = n - 1
    if depth <= state.n_known[region]:
        state.n_known[region] -= 1
    if depth <= state.n_seen[region]:
        state.n_seen[region] -= 1
    if state.n_seen[region] == 0:
        state.n_seen[region] = min(1, n - 1)


@rule
def attach(box: Box, state: State, events: Events, card: int, slot: int) -> None:
    """1.11: an obstacle comes to a place, after those that lie there."""
    unchain(state, card)
    state.obstacle_at[card] = slot
    if state.head[slot] == NOBODY:
        state.head[slot] = card
    else:
        one = int(state.head[slot])
        while state.after[one] != NOBODY:
            one = int(state.after[one])
        state.after[one] = card
    recount(box, state)


@rule
def place(box: Box, state: State, events: Events, card: int, slot: int) -> None:
    """8.5: an obstacle comes into play."""
    attach(box, state, events, card, slot)
    tell(events, E.obstacle_placed, card, state.location_at[slot])


@rule
def move_obstacle(box: Box, state: State, events: Events, card: int, slot: int) -> None:
    """8.3: an obstacle in play goes to another place; where it is already, it stays."""
    if state.obstacle_at[card] != slot:
        attach(box, state, events, card, slot)
        tell(events, E.obstacle_moved, card, state.location_at[slot])


@rule
def onto_discards(state: State, card: int, region: int) -> None:
    """On top of a region's discard pile."""
    unchain(state, card)
    state.obstacle_at[card] = DISCARD + region
    state.after[card] = state.head[DISCARD + region]
    state.head[DISCARD + region] = card


@rule
def discard(box: Box, state: State, events: Events, card: int) -> None:
    """1.11, 14.59: an obstacle in play goes to the discard pile of the region it lies in; dice on it to the supply."""
    region = region_of(box, int(state.obstacle_at[card]))
    drop_dice_on(state, card)
    onto_discards(state, card, region)
    recount(box, state)
    tell(events, E.obstacle_discarded, card)
    refill_draw(state, events, region)


@rule
def burn_obstacle(box: Box, state: State, events: Events, card: int) -> None:
    """1.11: out of the campaign for good."""
    in_play = is_in_play(state, card)
    from_pile = int(state.obstacle_at[card])
    drop_dice_on(state, card)
    unchain(state, card)
    state.obstacle_at[card] = BURNED
    state.obstacle_burned[card] = state.year
    if in_play:
        recount(box, state)
    elif DRAW <= from_pile < DISCARD:
        refill_draw(state, events, from_pile - DRAW)
    tell(events, E.obstacle_burned, card)


@rule
def take_die_off(state: State, i: int) -> None:
    """A die that lies on an obstacle is taken off; the last one on the list stands in its place."""
    last = state.n_on_cards - 1
    state.die_on[i] = state.die_on[last]
    state.die_is[i] = state.die_is[last]
    state.die_on[last] = 0
    state.die_is[last] = 0
    state.n_on_cards = last


@rule
def drop_dice_on(state: State, card: int) -> None:
    """Dice on an obstacle go to the supply."""
    i = 0
    while i < state.n_on_cards:
        if state.die_on[i] == card:
            to_supply(state, state.die_is[i] // FACES, 1)
            take_die_off(state, i)
        else:
            i += 1


@rule
def refill_draw(state: State, events: Events, region: int) -> None:
    """14.59: a draw pile that has run out is made anew from the discards at once."""
    if state.n_draw[region] > 0 or state.head[DISCARD + region] == NOBODY:
        return
    while state.head[DISCARD + region] != NOBODY:
        card = int(state.head[DISCARD + region])
        unchain(state, card)
        put_in_draw(state, card, region)
    shuffle_draw_pile(state, region)
    tell(events, E.reshuffled, region)


@rule
def put_in_draw(state: State, card: int, region: int) -> None:
    """On top of a draw pile, known to all until it is shuffled."""
    unchain(state, card)
    state.draw[region, state.n_draw[region]] = card
    state.n_draw[region] += 1
    state.obstacle_at[card] = DRAW + region
    state.n_known[region] += 1
    state.n_seen[region] += 1


@rule
def draw_obstacle(state: State, events: Events, region: int) -> int:
    """1.11: the top card of a region's draw pile; NOBODY when both piles are empty. It is nowhere until it is put somewhere."""
    refill_draw(state, events, region)
    n = int(state.n_draw[region])
    if n == 0:
        return NOBODY
    card = int(state.draw[region, n - 1])
    unchain(state, card)
    return card


@rule
def top_season(box: Box, state: State, region: int) -> int:
    """4.2: the season on top of a draw pile; NOBODY when there is none."""
    n = state.n_draw[region]
    if n == 0:
        return NOBODY
    return int(box.obstacle[state.draw[region, n - 1]].season)


@rule
def n_showing(box: Box, state: State, season: int) -> int:
    """4.2: how many draw piles show a season."""
    n = 0
    for region in range(N_REGIONS):
        if top_season(box, state, region) == season:
            n += 1
    return n


@rule
def is_in_play(state: State, card: int) -> bool:
    """1.11: does this obstacle lie at a place?"""
    return 0 <= state.obstacle_at[card] < SLOTS


@rule
def seek(box: Box, state: State, op: Op) -> int:
    """14.29: the copy that an effect means: one in the reserve before one in a deck, the lowest number first."""
    found = NOBODY
    for card in range(box.n_obstacles):
        if has(op.named, card):
            if state.obstacle_at[card] == RESERVE:
                return card
            if DRAW <= state.obstacle_at[card] < RESERVE and found == NOBODY:
                found = card
    return found


@rule
def fetch(box: Box, state: State, events: Events, card: int, slot: int) -> None:
    """3.4, 14.29: a card from the reserve or a deck comes into play; the deck is shuffled."""
    pile = int(state.obstacle_at[card])
    attach(box, state, events, card, slot)
    tell(events, E.obstacle_fetched, card, state.location_at[slot])
    if DRAW <= pile < DISCARD:
        refill_draw(state, events, pile - DRAW)
        shuffle_draw_pile(state, pile - DRAW)


# --- Locations (guide 1.9) ---------------------------------------------------------------


@rule
def location_in_reserve(box: Box, state: State, op: Op) -> int:
    """14.24: the first copy of a location that lies in the reserve; NOBODY when none does."""
    for card in range(box.n_locations):
        if has(op.lands, card) and is_spare(state, card):
            return card
    return NOBODY


@rule
def is_spare(state: State, card: int) -> bool:
    """Is this location in the reserve: neither in play nor burned?"""
    if has(state.burned_locations, card):
        return False
    for slot in range(SLOTS):
        if state.location_at[slot] == card:
            return False
    return True


@rule
def place_location(box: Box, state: State, events: Events, card: int, slot: int) -> None:
    """14.16, 14.24: a location comes into play; the old one goes to the reserve, all that lies there stays."""
    tell(events, E.location_placed, card, state.location_at[slot])
    state.location_at[slot] = card
    recount(box, state)
    run_effect(state, box.location[card].effect[MOMENT.enter_play], NOBODY, slot, NOBODY)


@rule
def slots_with(state: State, named: Bits) -> int:
    """Where the locations of a set lie, as bits."""
    found = 0
    for slot in range(SLOTS):
        if state.location_at[slot] >= 0 and has(named, state.location_at[slot]):
            found |= 1 << slot
    return found


@rule
def n_in_deck(box: Box, state: State, stage: int) -> int:
    """6.6: how many cards of a stage are in its deck."""
    n = 0
    for card in range(box.n_cards):
        if state.card_at[card] == CARD_AT.deck and box.card[card].stage == stage:
            n += 1
    return n


@rule
def has_deck(box: Box, state: State, stage: int) -> bool:
    """6.6: is a card of a stage left in its deck?"""
    for card in range(box.n_cards):
        if state.card_at[card] == CARD_AT.deck and box.card[card].stage == stage:
            return True
    return False


@rule
def next_stage(box: Box, state: State) -> None:
    """6.6: when the deck has run out, the next stage's comes; the last stage is made anew from its discards."""
    while not has_deck(box, state, state.stage_no) and state.stage_no < STAGES:
        state.stage_no += 1
    if not has_deck(box, state, state.stage_no):
        for card in range(box.n_cards):
            if state.card_at[card] == CARD_AT.discard and box.card[card].stage == state.stage_no:
                state.card_at[card] = CARD_AT.deck


@rule
def any_in_deck(box: Box, state: State, stage: int) -> int:
    """6.6: a card of a stage that is in its deck, at random: nobody knows the order. NOBODY when there is none."""
    n = n_in_deck(box, state, stage)
    if n == 0:
        return NOBODY
    k = below(state, n)
    for card in range(box.n_cards):
        if state.card_at[card] == CARD_AT.deck and box.card[card].stage == stage:
            if k == 0:
                return card
            k -= 1
    return NOBODY


@rule
def draw_card(box: Box, state: State) -> int:
    """6.6: a card of the present stage leaves the deck; NOBODY when there is none."""
    next_stage(box, state)
    card = any_in_deck(box, state, state.stage_no)
    if card != NOBODY:
        state.card_at[card] = CARD_AT.stage
        next_stage(box, state)
    return card


@rule
def refill_staging(box: Box, state: State, events: Events) -> None:
    """6.6: cards slide down, new ones come on top."""
    at = STAGED_OBSTACLES - 1
    for i in range(STAGED_OBSTACLES - 1, -1, -1):
        card = state.staged[i]
        if card >= 0:
            state.staged[i] = NOBODY
            state.staged[at] = card
            at -= 1
    while at >= 0:
        card = draw_card(box, state)
        if card == NOBODY:
            return
        state.staged[at] = card
        tell(events, E.staged, card)
        at -= 1


@rule
def discard_staged(state: State, events: Events, i: int) -> None:
    """8.5: a staged card is discarded."""
    if state.staged[i] >= 0:
        tell(events, E.card_discarded, state.staged[i])
        state.card_at[state.staged[i]] = CARD_AT.discard
        state.staged[i] = NOBODY


@rule
def bottom_staged(state: State) -> int:
    """8.5: the lowest staged card's place; NOBODY when there is none."""
    for i in range(STAGED_OBSTACLES - 1, -1, -1):
        if state.staged[i] >= 0:
            return i
    return NOBODY


@operation("redirect_new_obstacles", needs="deck tags to", holds=True)
@rule
def place_new(box: Box, state: State, events: Events) -> None:
    """8.5, 14.52, 14.65: one obstacle at the slot of the bottom staged card, which is discarded."""
    i = bottom_staged(state)
    if i == NOBODY:
        return
    slot = int(box.card[state.staged[i]].slot)
    discard_staged(state, events, i)
    region = region_of(box, slot)
    card = draw_obstacle(state, events, region)
    if card == NOBODY:
        return
    for k in range(state.n_ruled):
        row = state.ruled[k]
        op = box.ops[row.op]
        if (
            op.op == DO.redirect_new_obstacles
            and op.deck == region
            and row.slot >= 0
            and matches(box, state, card, op.tags, NOBODY, NOBODY)
        ):
            slot = int(row.slot)
    place(box, state, events, card, slot)
    refill_draw(state, events, region)
