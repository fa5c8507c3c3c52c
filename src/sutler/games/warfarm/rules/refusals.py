"""Why an action is not legal now, in words and by paragraph. `why_not` asks the very predicates that `legal` asks."""

from __future__ import annotations

from sutler.core.rule import rule
from sutler.games.warfarm.box import (
    CANNON,
    CANNON_WEAPON,
    CARD_SOLDIER,
    CONSCRIPTION,
    EXPLORER,
    FACILITY,
    FIRE,
    FOUNDRY,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    HOLES,
    HOME,
    HOMELAND,
    LAND_SOLDIER,
    MIRACLE,
    MOST_GUARDS,
    N_SPOTS,
    PACKAGE,
    PLAIN_SPOTS,
    RESERVE,
    RETURNING,
    SLOTS,
    SOLDIER_WEAPON,
    START_THINGS,
    STUDY,
    THINGS,
    TRAP_SOLDIER,
)
from sutler.games.warfarm.rules.attack import (
    can_guards_strike,
    can_hit_unit,
    can_hurl,
    can_ready,
    can_send,
    can_shoot,
    has_victim,
    hits_things,
    is_card_open,
    is_land_open,
    is_trap_open,
    may_attack,
    struck,
)
from sutler.games.warfarm.rules.build import can_build, can_work, has_tokens_for, may_arm, n_on_card, n_on_land
from sutler.games.warfarm.rules.common import (
    A_ARM_CARD,
    A_ARM_LAND,
    A_BEGIN,
    A_BIND,
    A_BUILD,
    A_DRAW,
    A_DROP,
    A_DROP_CARD,
    A_DROP_MIRACLE,
    A_DROP_TRAP,
    A_END_ATTACK,
    A_END_BUILD,
    A_END_EXPLORE,
    A_END_PLAY,
    A_END_POSTS,
    A_END_RECALL,
    A_ENOUGH,
    A_EXPLORE,
    A_EXTINGUISH,
    A_GUARD_CARD,
    A_GUARD_LAND,
    A_GUARD_TRAP,
    A_HIT_CARD,
    A_HIT_LAND,
    A_HIT_TRAP,
    A_HURL,
    A_PLAY,
    A_RAID,
    A_READY,
    A_RECALL_CARD,
    A_RECALL_LAND,
    A_RECALL_TRAP,
    A_REVEAL,
    A_SEIZE,
    A_SEND,
    A_STRIKE_CARD,
    A_STRIKE_LAND,
    A_STRIKE_TRAP,
    A_STRIP,
    A_SURRENDER,
    A_TAKE,
    A_UNIT,
    A_USE,
    A_WORK,
    can_pay,
    hole_of,
)
from sutler.games.warfarm.rules.play import (
    can_extinguish,
    can_pick,
    can_study,
    can_take,
    can_use,
    has_drawn_enough,
    is_at_peace,
    is_like_earlier,
    is_opponent,
    is_playable,
    is_trap_like_earlier,
    is_unlocked,
)
from sutler.games.warfarm.rules.upkeep import can_raid_farmers, is_farmer_spot
from sutler.games.warfarm.state import (
    BEGIN,
    BUILD,
    CALL_OVER,
    CHOOSE_DECK,
    CHOOSE_THING,
    EXPLORE,
    LOSE,
    MAKE_PEACE,
    OFFER_UP,
    PLAY,
    POST,
    RAID,
    RECALL,
    SEIZE,
    SPRING,
    STORM,
    STRIKE_BACK,
    TARGET,
    TORCH,
    TRIM_CARDS,
    TRIM_UNITS,
    n_at,
)

REFUSALS = (
    ("This is legal.", ""),
    ("That is not what is being asked now.", "1.8"),
    ("This is not among the three things one may begin with.", "2.3"),
    ("This card is not in your hand.", "4.1"),
    ("You cannot pay what this card costs.", "4.1"),
    ("You have too much Farmland for Lost Homeland.", "11.11"),
    ("No Explorer of yours came back from the Resource deck this turn.", "11.6"),
    ("There is no room for another card on your table.", "4.3"),
    ("This card does not lie on your table.", "4.8"),
    ("This card is not used like that: it works by itself.", "4.8"),
    ("You cannot pay for any use of this card now.", "4.8"),
    ("You have no Fire.", "4.9"),
    ("You have too little Water to put out a Fire.", "4.9"),
    ("This is not for sale.", "4.8"),
    ("You have too little to pay for this.", "4.8"),
    ("This seat is no opponent of yours, or is out.", "1.1"),
    ("There is no such Table card.", "11.10"),
    ("The card gives no access to this deck, or you cannot pay for it.", "4.8"),
    ("You have not unlocked this deck.", "8.2"),
    ("No unit stands there.", "1.4"),
    ("This unit cannot be chosen now.", "7.7"),
    ("The last Farmer cannot be taken.", "3.2"),
    ("You have too few tokens for this unit.", "5.1"),
    ("You have no Farmer left.", "5.1"),
    ("A Cannon needs the Cannon card on your table.", "5.2"),
    ("Nobody stands on this post.", "6.1"),
    ("You have no Soldier in reserve.", "6.2"),
    ("There is no such card or Trap.", "6.2"),
    ("Farmers guard only with Conscription Reform.", "6.4"),
    ("You have no Farmer in the field.", "6.4"),
    ("This card takes no more workers, or you have none at home.", "6.3"),
    ("You have no Soldier in reserve that can still attack.", "7.2"),
    ("No Cannon can shoot: it has shot, or no Farmer is there to serve it.", "7.3"),
    ("You have no Mercenaries left to send this turn.", "12.5"),
    ("You may not attack anybody now.", "7.1"),
    ("No Soldier stands on guard there, or it has acted already.", "7.6"),
    ("Guards only strike at Disciples that visit your board.", "7.6"),
    ("A Peace Contract binds you not to attack this seat.", "11.7"),
    ("You have no Disciple at home.", "7.5"),
    ("A guard stands before it: the guard must be hit first.", "7.8"),
    ("This cannot be attacked.", "7.7"),
    ("There is none of it left.", "12.10"),
    ("You hold no such Trap.", "10.1"),
    ("A Permanent stays where it is.", "9.2"),
    ("Nobody surrenders before the first turn.", "14.6"),
    ("Only hand cards count here.", "15.6"),
    ("No more guards fit there.", "6.2"),
    ("An equal card or Trap lies before this one: choose that.", "1.4"),
    ("No more cards may be drawn with Table cards this turn.", "15.14"),
    ("Fire is not for sale here.", "15.13"),
)
(
    FINE,
    NOT_NOW,
    NOT_TO_BEGIN,
    NOT_IN_HAND,
    TOO_DEAR,
    TOO_MUCH_LAND,
    NO_EXPLORER_BACK,
    NO_ROOM,
    NOT_ON_TABLE,
    NOT_USED,
    NO_USE,
    NO_FIRE,
    TOO_LITTLE_WATER,
    NOT_SOLD,
    TOO_POOR,
    NO_OPPONENT,
    NO_SUCH_CARD,
    NO_ACCESS,
    LOCKED,
    NO_UNIT,
    NOT_THIS_UNIT,
    LAST_FARMER,
    TOO_FEW_TOKENS,
    NO_FARMER,
    NO_FOUNDRY,
    EMPTY_POST,
    NO_RESERVE,
    NO_POST,
    NO_REFORM,
    NO_FIELD_HAND,
    NO_WORK,
    NO_ATTACKER,
    NO_SHOT,
    NO_HIRE,
    NO_VICTIM,
    NO_GUARD,
    ONLY_GUESTS,
    PEACE_HOLDS,
    NO_DISCIPLE,
    GUARDED,
    NO_TARGET,
    NONE_LEFT,
    NO_TRAP,
    STAYS,
    TOO_EARLY,
    HAND_ONLY,
    FULL,
    ALIKE,
    DRAWN_ENOUGH,
    NO_FIRE_TRADE,
) = range(len(REFUSALS))


@rule
def is_asked(phase, action):
    """Is an action of this block what the present decision is about?"""
    if action < A_RAID:
        return phase == BEGIN
    if action == A_RAID:
        return phase == RAID
    if action < A_PLAY:
        return phase == TORCH
    if action == A_EXTINGUISH:
        return phase == PLAY or phase == BUILD
    if action < A_TAKE:
        return phase == PLAY
    if action < A_BIND:
        return phase == CHOOSE_THING
    if action < A_SEIZE:
        return phase == MAKE_PEACE
    if action < A_DRAW:
        return phase == SEIZE
    if action < A_UNIT:
        return phase == CHOOSE_DECK
    if action < A_ENOUGH:
        return phase in (RAID, OFFER_UP, CALL_OVER, LOSE, TARGET, STRIKE_BACK, TRIM_UNITS)
    if action == A_ENOUGH:
        return phase == OFFER_UP
    if action <= A_END_BUILD:
        return phase == BUILD
    if action <= A_END_RECALL:
        return phase == RECALL
    if action <= A_END_POSTS:
        return phase == POST
    if action <= A_END_ATTACK:
        return phase == STORM
    if action < A_STRIP:
        return phase == TARGET or phase == STRIKE_BACK
    if action < A_EXPLORE:
        return phase == STRIKE_BACK
    if action <= A_END_EXPLORE:
        return phase == EXPLORE
    if action < A_REVEAL:
        return phase == TRIM_CARDS
    if action < A_SURRENDER:
        return phase == SPRING
    return True


@rule
def why_not_play(box, state, seat, card):
    """4.1."""
    if card >= box.n_cards or state.seats[seat].hand[card] <= 0:
        return NOT_IN_HAND
    if is_playable(box, state, seat, card):
        return FINE
    if not can_pay(box, state, seat, card):
        return TOO_DEAR
    if box.card[card].does == HOMELAND:
        return TOO_MUCH_LAND
    if box.card[card].does == PACKAGE:
        return NO_EXPLORER_BACK
    return NO_ROOM


@rule
def why_not_use(box, state, seat, card):
    """4.8."""
    me = state.seats[seat]
    for slot in range(me.n_table):
        if me.table[slot] == card:
            if can_use(box, state, seat, card):
                return FINE
            if box.card[card].coin == 0 and box.card[card].does != FACILITY:
                return NOT_USED
            if box.card[card].does == STUDY and has_drawn_enough(box, state):
                return DRAWN_ENOUGH
            return NO_USE
    return NOT_ON_TABLE


@rule
def why_not_card(box, state, seat, action):
    """4, 11 to 13: playing, using, and what follows."""
    if action < A_USE:
        return why_not_play(box, state, seat, action - A_PLAY)
    if action < A_EXTINGUISH:
        return why_not_use(box, state, seat, action - A_USE)
    if action == A_EXTINGUISH:
        if can_extinguish(box, state, seat):
            return FINE
        if state.seats[seat].goods[FIRE] == 0:
            return NO_FIRE
        return TOO_LITTLE_WATER
    if action == A_END_PLAY:
        return FINE
    if action < A_BIND:
        thing = action - A_TAKE
        if can_take(box, state, seat, int(state.card), thing):
            return FINE
        if box.card[state.card].prices[thing] < 0:
            return NOT_SOLD
        if THINGS[thing] == FIRE and box.options.no_fire_trade == 1:
            return NO_FIRE_TRADE
        return TOO_POOR
    if action < A_SEIZE:
        if is_opponent(state, seat, action - A_BIND):
            return FINE
        return NO_OPPONENT
    if action < A_DRAW:
        place = action - A_SEIZE
        other = place // SLOTS
        if not is_opponent(state, seat, other):
            return NO_OPPONENT
        if place % SLOTS >= state.seats[other].n_table:
            return NO_SUCH_CARD
        if is_like_earlier(state, other, place % SLOTS):
            return ALIKE
        return FINE
    deck = action - A_DRAW
    if can_study(box, state, seat, int(state.card), deck):
        return FINE
    if box.card[state.card].is_unlocked_only == 1 and not is_unlocked(box, state, seat, deck):
        return LOCKED
    return NO_ACCESS


@rule
def is_alike(box, state, owner, spot):
    """1.4: do these units stand on a card or Trap like an earlier one, with equal posts?"""
    if CARD_SOLDIER <= spot < TRAP_SOLDIER:
        return is_like_earlier(state, owner, (spot - CARD_SOLDIER) % SLOTS)
    if spot >= TRAP_SOLDIER:
        return is_trap_like_earlier(box, state, owner, spot - TRAP_SOLDIER, False)
    return False


@rule
def why_not_unit(box, state, seat, owner, spot):
    """3.2, 7.7, 7.8, 9.1, 12.10, 13.6 to 13.11: choosing a unit."""
    if n_at(state, owner, spot) <= 0:
        return NO_UNIT
    reason = why_not_pick(box, state, seat, owner, spot)
    if reason == FINE and is_alike(box, state, owner, spot):
        return ALIKE
    return reason


@rule
def why_not_pick(box, state, seat, owner, spot):
    """The same, leaving aside whether an equal unit is offered in its place."""
    phase = state.phase
    if phase == RAID:
        if owner != state.victim or not is_farmer_spot(box, state, owner, spot):
            return NOT_THIS_UNIT
        if not can_raid_farmers(state, owner):
            return LAST_FARMER
        return FINE
    if phase == STRIKE_BACK:
        if owner == struck(state):
            return FINE
        return NOT_THIS_UNIT
    if phase == TARGET:
        if can_hit_unit(state, seat, owner, spot):
            return FINE
        if not may_attack(state, seat, owner):
            return why_not_victim(state, seat, owner)
        if not hits_things(state, seat):
            return ONLY_GUESTS
        if RETURNING <= spot < PLAIN_SPOTS:
            return NO_TARGET
        return GUARDED
    if can_pick(box, state, seat, owner, spot):
        return FINE
    return NOT_THIS_UNIT


@rule
def why_not_victim(state, seat, other):
    """7.1, 11.7, 12.11: why this seat may not be attacked."""
    if not is_opponent(state, seat, other):
        return NO_OPPONENT
    if is_at_peace(state, seat, other):
        return PEACE_HOLDS
    return NO_VICTIM


@rule
def why_not_build(box, state, seat, unit):
    """5.1, 5.2."""
    if can_build(box, state, seat, unit):
        return FINE
    if unit == CANNON and state.seats[seat].works[FOUNDRY] == 0:
        return NO_FOUNDRY
    if not has_tokens_for(box, state, seat, unit):
        return TOO_FEW_TOKENS
    return NO_FARMER


@rule
def why_not_recall(state, seat, action):
    """6.1."""
    me = state.seats[seat]
    if action == A_RECALL_LAND:
        n = n_on_land(state, seat)
    elif action < A_RECALL_TRAP:
        slot = action - A_RECALL_CARD
        n = n_on_card(state, seat, slot)
        if n > 0 and is_like_earlier(state, seat, slot):
            return ALIKE
    else:
        n = me.trap_guards[action - A_RECALL_TRAP]
    if n > 0:
        return FINE
    return EMPTY_POST


@rule
def why_not_post(box, state, seat, action):
    """6.2 to 6.4."""
    me = state.seats[seat]
    if action < A_ARM_LAND:
        if me.spots[RESERVE] == 0:
            return NO_RESERVE
        if A_GUARD_CARD <= action < A_GUARD_TRAP and action - A_GUARD_CARD >= me.n_table:
            return NO_POST
        if action >= A_GUARD_TRAP and action - A_GUARD_TRAP >= me.n_traps:
            return NO_POST
        if A_GUARD_CARD <= action < A_GUARD_TRAP:
            if is_like_earlier(state, seat, action - A_GUARD_CARD):
                return ALIKE
            if me.posts[GUARD_SOLDIERS, action - A_GUARD_CARD] >= MOST_GUARDS:
                return FULL
        if action >= A_GUARD_TRAP:
            if is_trap_like_earlier(box, state, seat, action - A_GUARD_TRAP, True):
                return ALIKE
            if me.trap_guards[action - A_GUARD_TRAP] >= MOST_GUARDS:
                return FULL
        return FINE
    if action < A_WORK:
        if me.works[CONSCRIPTION] == 0:
            return NO_REFORM
        if not may_arm(state, seat):
            return NO_FIELD_HAND
        if action >= A_ARM_CARD and action - A_ARM_CARD >= me.n_table:
            return NO_POST
        if action >= A_ARM_CARD:
            if is_like_earlier(state, seat, action - A_ARM_CARD):
                return ALIKE
            if me.posts[GUARD_FARMERS, action - A_ARM_CARD] >= MOST_GUARDS:
                return FULL
        return FINE
    slot = action - A_WORK
    if slot >= me.n_table:
        return NO_POST
    if is_like_earlier(state, seat, slot):
        return ALIKE
    if can_work(box, state, seat, slot):
        return FINE
    return NO_WORK


@rule
def why_not_attack(state, seat, action):
    """7.1 to 7.6."""
    me = state.seats[seat]
    if not has_victim(state, seat):
        return NO_VICTIM
    if action < A_STRIKE_LAND:
        weapon = action - A_READY
        if can_ready(state, seat, weapon):
            return FINE
        if weapon == SOLDIER_WEAPON:
            return NO_ATTACKER
        if weapon == CANNON_WEAPON:
            return NO_SHOT
        return NO_HIRE
    if action < A_HURL:
        if action == A_STRIKE_LAND:
            n = me.spots[LAND_SOLDIER] - state.acted_land
        elif action < A_STRIKE_TRAP:
            slot = action - A_STRIKE_CARD
            n = me.posts[GUARD_SOLDIERS, slot] - state.acted_card[slot]
        else:
            hole = action - A_STRIKE_TRAP
            n = me.trap_guards[hole] - state.acted_trap[hole]
        if n <= 0:
            return NO_GUARD
        if can_guards_strike(state, seat):
            return FINE
        return ONLY_GUESTS
    if action < A_SEND:
        other = action - A_HURL
        if can_hurl(state, seat, other):
            return FINE
        if me.goods[FIRE] == 0:
            return NO_FIRE
        if not can_shoot(state, seat):
            return NO_SHOT
        return why_not_victim(state, seat, other)
    other = action - A_SEND
    if can_send(state, seat, other):
        return FINE
    if me.spots[HOME] == 0:
        return NO_DISCIPLE
    return why_not_victim(state, seat, other)


@rule
def why_not_hit(box, state, seat, action):
    """7.7, 7.8, 12.10."""
    if action < A_HIT_CARD:
        victim = action - A_HIT_LAND
        is_alike_one = False
        is_there = state.seats[victim].goods[0] > 0
        is_open = is_land_open(state, victim)
    elif action < A_HIT_TRAP:
        place = action - A_HIT_CARD
        victim = place // SLOTS
        is_there = place % SLOTS < state.seats[victim].n_table
        is_open = is_card_open(state, victim, place % SLOTS)
        is_alike_one = is_there and is_like_earlier(state, victim, place % SLOTS)
    else:
        place = action - A_HIT_TRAP
        victim = place // HOLES
        is_there = place % HOLES < state.seats[victim].n_traps
        is_open = is_trap_open(state, victim, place % HOLES)
        is_alike_one = is_there and is_trap_like_earlier(box, state, victim, place % HOLES, False)
    if state.phase == STRIKE_BACK:
        if victim != struck(state):
            return NO_OPPONENT
        if is_alike_one:
            return ALIKE
        if is_there:
            return FINE
        return NONE_LEFT
    if not may_attack(state, seat, victim):
        return why_not_victim(state, seat, victim)
    if not is_there:
        return NONE_LEFT
    if not hits_things(state, seat):
        return ONLY_GUESTS
    if is_alike_one:
        return ALIKE
    if is_open:
        return FINE
    return GUARDED


@rule
def why_not_drop(box, state, seat, action):
    """9.2."""
    me = state.seats[seat]
    if action < A_DROP_CARD:
        if me.hand[action - A_DROP] > 0:
            return FINE
        return NOT_IN_HAND
    if action < A_DROP_TRAP:
        if box.options.hand_limit_only == 1:
            return HAND_ONLY
        if action - A_DROP_CARD >= me.n_table:
            return NOT_ON_TABLE
        if is_like_earlier(state, seat, action - A_DROP_CARD):
            return ALIKE
        return FINE
    if action < A_DROP_MIRACLE:
        if box.options.hand_limit_only == 1:
            return HAND_ONLY
        if action - A_DROP_TRAP >= me.n_traps:
            return NO_TRAP
        if is_trap_like_earlier(box, state, seat, action - A_DROP_TRAP, True):
            return ALIKE
        return FINE
    if box.options.hand_limit_only == 1:
        return HAND_ONLY
    card = action - A_DROP_MIRACLE
    if me.shown[card] == 0:
        return NOT_ON_TABLE
    if box.card[card].type != MIRACLE:
        return STAYS
    return FINE


@rule
def why_not(box, state, action):
    """0 when the action is legal now, else the number of the reason in REFUSALS."""
    seat = int(state.to_act)
    if action == A_SURRENDER:
        if state.phase == BEGIN:
            return TOO_EARLY
        return FINE
    if not is_asked(state.phase, action):
        return NOT_NOW
    if action < A_RAID:
        if action - A_BEGIN in START_THINGS:
            return FINE
        return NOT_TO_BEGIN
    if A_PLAY <= action < A_UNIT:
        return why_not_card(box, state, seat, action)
    if A_UNIT <= action < A_ENOUGH:
        place = action - A_UNIT
        return why_not_unit(box, state, seat, place // N_SPOTS, place % N_SPOTS)
    if A_BUILD <= action < A_END_BUILD:
        return why_not_build(box, state, seat, EXPLORER + action - A_BUILD)
    if A_RECALL_LAND <= action < A_END_RECALL:
        return why_not_recall(state, seat, action)
    if A_GUARD_LAND <= action < A_END_POSTS:
        return why_not_post(box, state, seat, action)
    if A_READY <= action < A_END_ATTACK:
        return why_not_attack(state, seat, action)
    if A_HIT_LAND <= action < A_STRIP:
        return why_not_hit(box, state, seat, action)
    if A_STRIP <= action < A_EXPLORE:
        if state.seats[struck(state)].goods[action - A_STRIP] > 0 and action > A_STRIP:
            return FINE
        return NONE_LEFT
    if A_EXPLORE <= action < A_END_EXPLORE:
        if is_unlocked(box, state, seat, action - A_EXPLORE):
            return FINE
        return LOCKED
    if A_DROP <= action < A_REVEAL:
        return why_not_drop(box, state, seat, action)
    if action == A_REVEAL and hole_of(box, state, seat, int(state.trap_does)) < 0:
        return NO_TRAP
    return FINE
