"""The state of Six Winters: one record for a whole campaign, with a few counts that are kept for speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.names import Numbers
from sutler.core.record import HEADER, NOBODY, field, record, set_of
from sutler.core.rule import rule
from sutler.core.rule_tables import RuleTable
from sutler.games.sixwinters.box import (
    ABILITIES,
    CARD_PLACE_NAMES,
    CARDS,
    CELLS,
    CHARACTERS,
    EFFECTS,
    END_PARTS,
    FACES,
    GOALS,
    HEROES,
    LOCATIONS,
    MISSIONS,
    MOMENT,
    N_REGIONS,
    N_SKILLS,
    OBSTACLES,
    OUTCOME_NAMES,
    OVERCOMING_STAGE_NAMES,
    PART_NAMES,
    POOL,
    RES,
    SEATS,
    SLOTS,
    STAGED_OBSTACLES,
    YEARS,
)
from sutler.games.sixwinters.cards.vocabulary import DO, operation

if TYPE_CHECKING:
    from sutler.games.sixwinters.records import Box, Effect, Op, State


# Where an obstacle is: a slot, a region's draw or discard pile, the reserve, or nowhere any more (guide 1.11).
DRAW, DISCARD, RESERVE, BURNED = SLOTS, SLOTS + N_REGIONS, SLOTS + 2 * N_REGIONS, SLOTS + 2 * N_REGIONS + 1
PILES = RESERVE
# Where a progress card is (guide 6).
CARD_AT = Numbers("place", CARD_PLACE_NAMES)
# What became of a mission, and of the obstacles it asks for.
OPEN, CURRENT, PASSED, FAILED = range(4)
WAITING, WANTED, OVERCOME_IT = range(3)
LOCKED, UNLOCKED, DEAD = range(3)
# What a character has done in a year of two passes (guide 12.1, 14.81).
IDLE, PLAYED, HELPED = range(3)
# How the campaign has ended, if it has.
OUTCOME = Numbers("outcome", OUTCOME_NAMES)

PART = Numbers("part", PART_NAMES)
"""The parts of a session, in order: the values of `state.part` (guide 3, 4, 11)."""
PART_RULES = RuleTable(PART, ("box", "state", "events"))
on_part = PART_RULES.of

FRAMES, MAX_RULINGS, ON_CARDS = 16, 96, 24

HERO = record(
    "Hero",
    ("character", "i1", (), "character"),
    ("seat", "i1", (), "seat"),
    ("slot", "i1", (), "slot"),
    ("out", "i1"),
    ("stress", "i1", 2),  # the values of the stress dice
    ("box_no", "i1", 2),  # where they lie: 0 the start, 1 to 3 the conditions
    ("card", "i1", (), "card"),
    ("n_path", "i1"),
    field("path", "i1", CELLS, named="cell"),  # the cells with a die, in order
    field("path_die", "i1", CELLS, named="asset"),  # the asset on each
    field("used", "i1", ABILITIES, named="die_on_ability"),  # 0, or 1 + the source of the die that lies on the ability
    field("stash", "i1", ABILITIES, named="die_in_slot"),  # 0, or 1 + the asset whose die lies in the slot
    ("stashed", "i1", ABILITIES),  # how often the slot was used this turn
    ("is_done", "i1"),
    ("saves", "i1"),
)

SEAT = record("Seat", ("dice", "i1", FACES))  # unspent action dice by value

PERSON = record(
    "Person",
    field("state", "i1", named="person_state"),
    ("skills", "i1", N_SKILLS),
    ("start", "i1", 2),  # of the stress dice
    field("marks", "u1", 2, by="track", bits="condition", each=3),  # marked conditions, as bits
    ("xp", "i2"),
    ("achievements", "i1"),
    field("reserves", "u2", bits="reserve"),  # reserve actions, as bits
    field("hero", "i1", named="hero"),  # its place among those in play
    ("has_acted", "i1"),  # this year: PLAYED a pass, or HELPED in reserve before another's pass
)

TASK = record(  # a mission of this session
    "Task",
    ("mission", "i1", (), "mission"),
    ("difficult", "i1"),
    field("card", "i1", GOALS, named="card"),  # the progress card on each symbol
    field("then", "i1", END_PARTS, named="goal_state"),
    field("then_card", "i1", END_PARTS, named="obstacle"),
    field("result", "i1", named="mission_state"),
)

CHAPTER = record(  # a year of the journal
    "Chapter",
    field("mission", "i1", 2, named="mission"),
    ("difficult", "i1", 2),
    field("result", "i1", 2, named="mission_state"),
    field("character", "i1", HEROES, named="character"),
    ("progress", "i1", RES),
    ("threat", "i1", RES),
    field("scheme", "i1", named="scheme"),
    ("turns", "i1"),
    field("marks", "u1", CHARACTERS, by="character", bits="condition"),
)

OVERCOMING = record(
    "Overcoming",
    ("obstacle", "i1", (), "obstacle"),
    field("stage", "i1", named="overcoming_stage"),
    ("round_no", "i1"),
    ("total", "i2"),
    field("leader", "i1", named="hero"),
    field("joined", "u1", bits="hero"),
    field("asked", "u1", bits="hero"),
    ("react", "i1", (HEROES, POOL)),  # reaction dice by their source
    ("add", "i1", (HEROES, RES * FACES)),  # assets in the progress
    ("rolled", "i1", FACES),  # stress dice that nobody has cancelled
    ("cancelled", "i1", (FACES, FACES)),  # by value, and by the value of the reaction die
    ("at", "i1"),  # the value being tallied
    ("hits", "i1"),  # stress dice of it still to be taken
)

FRAME = record(  # something that is going on: an effect, a payment, stress
    "Frame",
    field("kind", "i1", named="frame_kind"),
    field("op", "i2", named="operation"),
    ("left", "i2"),
    field("obstacle", "i2", named="obstacle"),
    field("paid", "i1", named="source"),  # the source of the die that was paid
    field("slot", "i1", named="slot"),
    field("hero", "i1", named="hero"),
    ("step", "i1"),
    ("todo", "i2"),  # who or how much is still to come, as the kind says
    (
        "chosen",
        "i2",
    ),  # what it is about, or was chosen first: a place, a card, a person, a track, an ability, a value, a mission
    ("detail", "i2"),  # of that: the way gone, the points of stress, the obstacle of a mission
    ("target", "i2"),  # who teaches in reserve; 1 + the obstacle that was aimed at when the price was paid
)

RULING = record("Ruling", ("op", "i2"), ("obstacle", "i1"), ("slot", "i1"))  # a standing effect in force, and where

STATE = record(
    "State",
    *HEADER,
    # the campaign
    ("year", "i1"),
    ("session", "i1"),
    field("outcome", "i1", named="outcome"),
    ("progress", "i1", RES),  # the markers' spaces, from 1
    ("threat", "i1", RES),
    field("people", PERSON, CHARACTERS, by="character"),
    field("effects", "u4", bits="effect"),  # campaign effects gained, as bits
    field("mission", "i1", MISSIONS, by="mission", named="mission_state"),
    field("mission_difficult", "i1", MISSIONS, by="mission"),
    field("card_at", "i1", CARDS, by="card", named="card_place"),
    field("card_burned", "i1", CARDS, by="card"),  # the year it was burned in
    ("location_at", "i1", SLOTS, "location", "slot"),
    set_of("location", "burned_locations", LOCATIONS),
    field("obstacle_at", "i1", OBSTACLES, by="obstacle", named="obstacle_place"),
    field("after", "i1", OBSTACLES, by="obstacle", named="obstacle"),  # the next one in its chain
    field("head", "i1", PILES, named="obstacle"),  # of each slot's and each discard pile's chain
    field("draw", "i1", (N_REGIONS, OBSTACLES), seen_by="pile", named="obstacle"),  # draw piles, the top last
    ("n_draw", "i1", N_REGIONS),
    ("n_known", "i1", N_REGIONS),  # cards from the top that everybody knows
    ("n_seen", "i1", N_REGIONS),  # cards from the top whose backs have been seen
    field("obstacle_burned", "i1", OBSTACLES, by="obstacle"),
    field("journal", CHAPTER, YEARS),
    # the session
    field("part", "i1", named="part"),
    ("k", "i2"),
    ("sub", "i2"),
    ("pass_no", "i1"),
    field("tasks_first", "i1", named="pair"),  # which mission is read first
    field("tasks", TASK, 2),
    ("severing", "i1"),
    ("scheme", "i1", (), "scheme"),
    field("burned_schemes", "u1", bits="scheme"),
    ("scheme_dice", "i1", (RES, FACES + 1)),  # by resource and value; 0: not rolled
    field("scheme_hits", "u1", bits="value"),  # values that are to work, as bits
    field("lasting", "u1", bits="value"),  # scheme effects in force, as bits
    ("scheme_none", "i1"),  # its scheme was burned in this session
    ("n_heroes", "i1"),
    field("heroes", HERO, HEROES),
    field("seats", SEAT, SEATS, by="seat"),
    ("pools", "i1", (RES, FACES)),
    ("assets", "i1", (SLOTS, RES, FACES)),
    ("in_play", "i1", RES),  # resource dice that are not in the supply
    field("die_on", "i1", ON_CARDS, named="obstacle"),  # dice that lie on obstacles: on which
    field("die_is", "i1", ON_CARDS, named="asset"),  # and which asset each is
    ("n_on_cards", "i1"),
    ("stage_no", "i1"),  # the stage of the progress draw pile
    ("staged", "i1", STAGED_OBSTACLES, "card"),  # from the top
    ("shared", "i1", (), "card"),
    ("shared_n", "i1"),
    field("shared_path", "i1", CELLS, named="cell"),
    field("shared_die", "i1", CELLS, named="asset"),
    # the turn
    ("space", "i1"),  # of the wheel of seasons
    ("turn_no", "i1"),
    ("symbols", "i1"),
    ("move_change", "i1"),
    ("move_least", "i1"),
    ("reduced", "i1", 2),  # stress that is not taken this season
    ("reduced_until", "i1", 2),
    set_of("obstacle", "woken", OBSTACLES),
    field("woken_slots", "u2", bits="slot"),
    field("season_now", "i1", named="season"),  # of the region being activated
    ("n_due", "i1"),  # obstacles still to be placed
    field("actor", "i1", named="hero"),
    ("n_passes", "i1"),
    # what is being done
    field("over", OVERCOMING),
    field("frames", FRAME, FRAMES),
    ("n_frames", "i1"),
    ("answer", "i2"),
    set_of("choice", "options", 128),  # what may be chosen now
    ("may_decline", "i1"),
    ("owed", "i1"),  # action dice
    ("owed_pool", "i1", RES),
    ("picked", "i2"),  # an action die's value, an obstacle being paid for, …
    ("n_taken", "i1"),
    ("chosen", "i1", POOL),  # dice chosen for a reroll
    ("added_value", "i1"),  # of the asset that an effect added last
    # counted for speed
    field("ruled", RULING, MAX_RULINGS, seen_by="derived"),
    ("n_ruled", "i1", (), None, None, "derived"),
    ("tags", "i1", RES, None, None, "derived"),  # threat tags in play
)

# --- What is counted for speed ---------------------------------------------------------------


@rule
def note_operation_in_force(state: State, operation: int, obstacle: int, slot: int) -> None:
    """Add an operation to the standing effects in force, with the obstacle and the slot it belongs to (NOBODY for none)."""
    if state.n_ruled < MAX_RULINGS:
        row = state.ruled[state.n_ruled]
        row.op = operation
        row.obstacle = obstacle
        row.slot = slot
        state.n_ruled += 1


@rule
def recount(box: Box, state: State) -> None:
    """Recompute the fields that are kept only for speed: the standing effects in force, and the threat tags in play."""
    for i in range(state.n_ruled):
        state.ruled[i].op = 0
        state.ruled[i].obstacle = 0
        state.ruled[i].slot = 0
    state.n_ruled = 0
    for r in range(RES):
        state.tags[r] = 0
    for slot in range(SLOTS):
        location = state.location_at[slot]
        if location >= 0:
            note_effect_in_force(state, box.location[location].effect[MOMENT.standing], NOBODY, slot)
        card = state.head[slot]
        while card >= 0:
            note_effect_in_force(state, box.obstacle[card].effect[MOMENT.standing], card, slot)
            for r in range(RES):
                state.tags[r] += n_threat_tags(box, state, card, r)
            card = state.after[card]
    count_threat_tags_of_locations(box, state)
    if state.scheme >= 0:
        for value in range(FACES):
            if state.lasting >> value & 1:
                note_effect_in_force(state, box.scheme[state.scheme].effect[value], NOBODY, NOBODY)
    for effect in range(EFFECTS):
        if state.effects >> effect & 1:
            note_effect_in_force(state, box.effect[effect], NOBODY, NOBODY)


@rule
def note_effect_in_force(state: State, effect: Effect, obstacle: int, slot: int) -> None:
    """Add every operation of a standing effect to those in force, with the obstacle and the slot it belongs to (NOBODY for none)."""
    for op in range(effect.first, effect.first + effect.n):
        note_operation_in_force(state, op, obstacle, slot)


@operation("extra_threat", needs="resource count", may="if_region if_location_tags", holds=True)
@rule
def n_threat_tags(box: Box, state: State, card: int, resource: int) -> int:
    """The number of threat tags of a resource on an obstacle: those printed, and faded ones where they count (1.11, 14.80)."""
    n = int(box.obstacle[card].threats[resource])
    slot = int(state.obstacle_at[card])
    if 0 <= slot < SLOTS:
        standing = box.obstacle[card].effect[MOMENT.standing]
        for i in range(standing.first, standing.first + standing.n):
            op = box.ops[i]
            if op.op == DO.extra_threat and op.resource == resource and does_threat_tag_count(box, state, op, slot):
                n += int(op.count_of)
    return n


@rule
def count_threat_tags_of_locations(box: Box, state: State) -> None:
    """Add to the counts the threat tags of locations, which only a designer's box has (1.11)."""
    for i in range(state.n_ruled):
        row = state.ruled[i]
        op = box.ops[row.op]
        if (
            op.op == DO.extra_threat
            and row.obstacle < 0
            and row.slot >= 0
            and does_threat_tag_count(box, state, op, row.slot)
        ):
            state.tags[op.resource] += op.count_of


@rule
def does_threat_tag_count(box: Box, state: State, op: Op, slot: int) -> bool:
    """Does a faded threat tag count for an obstacle at this slot, by the slot's region or the tags of its location?"""
    if op.region >= 0 and box.place[slot].region != op.region:
        return False
    location = state.location_at[slot]
    return op.places == 0 or (location >= 0 and box.location[location].tags & op.places != 0)


# The stages of an overcome's round.
STAGE = Numbers("stage", OVERCOMING_STAGE_NAMES)
