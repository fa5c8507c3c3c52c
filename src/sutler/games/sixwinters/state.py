"""The state of Six Winters: one record for a whole campaign, setting it up (guide 2), and what must always be true."""

from __future__ import annotations

from typing import Any

from sutler.core.bits import has
from sutler.core.chance import below
from sutler.core.record import HEADER, NOBODY, field, record, set_of
from sutler.core.rule import rule
from sutler.games.sixwinters.box import (
    ABILITIES,
    CARDS,
    CELLS,
    CHARACTERS,
    EFFECTS,
    FACES,
    GOALS,
    HEROES,
    LOCATIONS,
    MISSIONS,
    N_REGIONS,
    N_SKILLS,
    OBSTACLES,
    RES,
    SEATS,
    SLOTS,
    SPACES,
    STAGED,
    STAGES,
    STANDING,
    THEN,
    YEARS,
)
from sutler.games.sixwinters.table import F, P
from sutler.games.sixwinters.vocabulary import OP_NUMBERS, SORCERY

# Where an obstacle is: a slot, a region's draw or discard pile, the reserve, or nowhere any more (guide 1.11).
DRAW, DISCARD, RESERVE, BURNED = SLOTS, SLOTS + N_REGIONS, SLOTS + 2 * N_REGIONS, SLOTS + 2 * N_REGIONS + 1
PILES = RESERVE
# Where a progress card is (guide 6).
IN_DECK, ON_STAGE, AT_HERO, ON_MISSION, CARD_DISCARD, CARD_BURNED, NOT_YET, SHARED = range(8)
# What became of a mission, and of the obstacles it asks for.
OPEN, CURRENT, PASSED, FAILED = range(4)
WAITING, WANTED, OVERCOME_IT = range(3)
LOCKED, UNLOCKED, DEAD = range(3)

# The parts of a session (guide 3, 4, 11), in order: what `state.part` may be.
(
    RESTORE,
    MISSIONS_PART,
    DIFFICULTY_PART,
    ORDER_PART,
    SETUP_PART,
    SCHEME_PART,
    TAKE_PART,
    RESERVE_PART,
    ADVANCE_PART,
    POOLS_PART,
    STAGING_PART,
    PLACE_PART,
    EVENT_PART,
    ACTIONS_PART,
    REFRESH_PART,
    ACTIVATE_PART,
    OBSTACLES_PART,
    THREATS_PART,
    TRIGGER_PART,
    TIME_PART,
    CLEAR_PART,
    RESULT_ORDER_PART,
    RESULTS_PART,
    TIDY_PART,
) = range(24)

FRAMES, RULED, ON_CARDS = 16, 96, 24

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
    ("path", "i1", CELLS),  # the cells with a die, in order
    ("path_die", "i1", CELLS),  # the asset on each
    ("used", "i1", ABILITIES),  # 0, or 1 + the source of the die that lies on the ability
    ("stash", "i1", ABILITIES),  # the value of the die in a slot
    ("stashed", "i1", ABILITIES),  # how often the slot was used this turn
    ("is_done", "i1"),
    ("saves", "i1"),
)

SEAT = record("Seat", ("dice", "i1", FACES))  # unspent action dice by value

PERSON = record(
    "Person",
    ("state", "i1"),
    ("skills", "i1", N_SKILLS),
    ("start", "i1", 2),  # of the stress dice
    ("marks", "u1", 2),  # marked conditions, as bits
    ("xp", "i2"),
    ("achievements", "i1"),
    ("reserves", "u2"),  # reserve actions, as bits
    ("hero", "i1"),  # its place among those in play
    ("has_acted", "i1"),
)

TASK = record(  # a mission of this session
    "Task",
    ("mission", "i1", (), "mission"),
    ("difficult", "i1"),
    ("card", "i1", GOALS),  # the progress card on each symbol
    ("then", "i1", THEN),
    ("then_card", "i1", THEN),
    ("result", "i1"),
)

CHAPTER = record(  # a year of the journal
    "Chapter",
    ("mission", "i1", 2),
    ("difficult", "i1", 2),
    ("result", "i1", 2),
    ("character", "i1", HEROES),
    ("progress", "i1", RES),
    ("threat", "i1", RES),
    ("scheme", "i1"),
    ("turns", "i1"),
    ("marks", "u1", CHARACTERS),
)

OVERCOMING = record(
    "Overcoming",
    ("obstacle", "i1", (), "obstacle"),
    ("stage", "i1"),
    ("round_no", "i1"),
    ("total", "i2"),
    ("leader", "i1"),
    ("joined", "u1"),
    ("asked", "u1"),
    ("react", "i1", (HEROES, 42)),  # reaction dice by their source
    ("add", "i1", (HEROES, 36)),  # assets in the progress
    ("rolled", "i1", FACES),  # stress dice that nobody has cancelled
    ("cancelled", "i1", (FACES, FACES)),  # by value, and by the value of the reaction die
    ("at", "i1"),  # the value being tallied
    ("hits", "i1"),  # stress dice of it still to be taken
)

FRAME = record(  # something that is going on: an effect, a payment, stress
    "Frame",
    ("kind", "i1"),
    ("op", "i2"),
    ("left", "i2"),
    ("obstacle", "i2"),
    ("paid", "i1"),  # the source of the die that was paid
    ("slot", "i1"),
    ("hero", "i1"),
    ("step", "i1"),
    ("todo", "i2"),
    ("a", "i2"),
    ("b", "i2"),
    ("c", "i2"),
)

RULING = record("Ruling", ("op", "i2"), ("obstacle", "i1"), ("slot", "i1"))  # a standing effect in force, and where

STATE = record(
    "State",
    *HEADER,
    # the campaign
    ("year", "i1"),
    ("session", "i1"),
    ("outcome", "i1"),  # 1 won, 2 lost, 3 ended
    ("progress", "i1", RES),  # the markers' spaces, from 1
    ("threat", "i1", RES),
    field("people", PERSON, CHARACTERS, by="character"),
    ("effects", "u4"),  # campaign effects gained, as bits
    field("mission", "i1", MISSIONS, by="mission"),
    field("mission_difficult", "i1", MISSIONS, by="mission"),
    field("card_at", "i1", CARDS, by="card"),
    field("card_burned", "i1", CARDS, by="card"),  # the year it was burned in
    ("location_at", "i1", SLOTS, "location", "slot"),
    set_of("location", "burned_locations", LOCATIONS),
    field("obstacle_at", "i1", OBSTACLES, by="obstacle"),
    field("after", "i1", OBSTACLES, by="obstacle"),  # the next one in its chain
    ("head", "i1", PILES),  # of each slot's and each discard pile's chain
    ("draw", "i1", (N_REGIONS, OBSTACLES), None, None, "pile"),  # draw piles, the top last
    ("n_draw", "i1", N_REGIONS),
    ("n_known", "i1", N_REGIONS),  # cards from the top that everybody knows
    ("n_seen", "i1", N_REGIONS),  # cards from the top whose backs have been seen
    field("obstacle_burned", "i1", OBSTACLES, by="obstacle"),
    field("journal", CHAPTER, YEARS),
    # the session
    ("part", "i1"),
    ("k", "i2"),
    ("sub", "i2"),
    ("pass_no", "i1"),
    ("tasks_first", "i1"),  # which mission is read first
    field("tasks", TASK, 2),
    ("severing", "i1"),
    ("scheme", "i1", (), "scheme"),
    ("burned_schemes", "u1"),
    ("scheme_dice", "i1", (RES, FACES + 1)),  # by resource and value; 0: not rolled
    ("scheme_hits", "u1"),  # values that are to work, as bits
    ("lasting", "u1"),  # scheme effects in force, as bits
    ("scheme_none", "i1"),  # its scheme was burned in this session
    ("n_heroes", "i1"),
    field("heroes", HERO, HEROES),
    field("seats", SEAT, SEATS, by="seat"),
    ("pools", "i1", (RES, FACES)),
    ("assets", "i1", (SLOTS, RES, FACES)),
    ("in_play", "i1", RES),  # resource dice that are not in the supply
    ("die_on", "i1", ON_CARDS),  # dice that lie on obstacles: on which
    ("die_is", "i1", ON_CARDS),  # and which asset each is
    ("n_on_cards", "i1"),
    ("stage_no", "i1"),  # the stage of the progress draw pile
    ("staged", "i1", STAGED, "card"),  # from the top
    ("shared", "i1", (), "card"),
    ("shared_n", "i1"),
    ("shared_path", "i1", CELLS),
    ("shared_die", "i1", CELLS),
    # the turn
    ("space", "i1"),  # of the wheel of seasons
    ("turn_no", "i1"),
    ("symbols", "i1"),
    ("move_change", "i1"),
    ("move_least", "i1"),
    ("reduced", "i1", 2),  # stress that is not taken this season
    ("reduced_until", "i1", 2),
    set_of("obstacle", "woken", OBSTACLES),
    ("woken_slots", "u2"),
    ("season_now", "i1"),  # of the region being activated
    ("n_due", "i1"),  # obstacles still to be placed
    ("actor", "i1"),
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
    ("chosen", "i1", 42),  # dice chosen for a reroll
    ("added_value", "i1"),  # of the asset that an effect added last
    # counted for speed
    field("ruled", RULING, RULED, seen_by="derived"),
    ("n_ruled", "i1", (), None, None, "derived"),
    ("tags", "i1", RES, None, None, "derived"),  # threat tags in play
)

_EXTRA_THREAT = OP_NUMBERS["extra_threat"]


# --- Setting up a campaign (guide 2) -----------------------------------------------------


@rule
def setup(box: Any, state: Any) -> Any:
    """2: markers, locations, obstacle decks, characters. `n_seats` and `rng` are set; all else is zero."""
    state.year = box.options.start_year
    for r in range(RES):
        state.progress[r] = box.track[r].start_progress
        state.threat[r] = box.track[r].start_threat
        if box.track[r].has_threats == 1:
            state.threat[r] = max(1, min(SPACES, state.threat[r] + box.options.start_threats))
    state.scheme = NOBODY
    state.shared = NOBODY
    state.over.obstacle = NOBODY
    for i in range(STAGED):
        state.staged[i] = NOBODY
    for slot in range(SLOTS):
        state.location_at[slot] = box.place[slot].location
    for h in range(HEROES):
        no_hero(state, h)
    for k in range(2):
        no_task(state, k)
    for year in range(YEARS):
        no_chapter(state, year)
    setup_people(box, state)
    setup_cards(box, state)
    setup_obstacles(box, state)
    state.part = RESTORE
    recount(box, state)


@rule
def no_hero(state: Any, h: Any) -> Any:
    """A place among those in play that nobody has, with nothing on its mat."""
    one = state.heroes[h]
    one.character = NOBODY
    one.seat = NOBODY
    one.slot = NOBODY
    one.card = NOBODY
    one.out = 0
    one.is_done = 0
    one.saves = 0
    one.n_path = 0
    for track in range(2):
        one.stress[track] = 0
        one.box_no[track] = 0
    for i in range(CELLS):
        one.path[i] = 0
        one.path_die[i] = 0
    for k in range(ABILITIES):
        one.used[k] = 0
        one.stash[k] = 0
        one.stashed[k] = 0


@rule
def no_task(state: Any, k: Any) -> Any:
    """No mission yet."""
    task = state.tasks[k]
    task.mission = NOBODY
    task.difficult = 0
    task.result = OPEN
    for i in range(GOALS):
        task.card[i] = NOBODY
    for i in range(THEN):
        task.then[i] = WAITING
        task.then_card[i] = NOBODY


@rule
def no_chapter(state: Any, year: Any) -> Any:
    """An empty page of the journal."""
    page = state.journal[year]
    for k in range(2):
        page.mission[k] = NOBODY
    for h in range(HEROES):
        page.character[h] = NOBODY
    page.scheme = NOBODY


@rule
def setup_people(box: Any, state: Any) -> Any:
    """2.5, 12.13: a sheet for every character; four of them are unlocked."""
    for c in range(CHARACTERS):
        one = state.people[c]
        one.hero = NOBODY
        if c < box.n_characters:
            printed = box.character[c]
            if printed.starts == 1:
                one.state = UNLOCKED
            for skill in range(N_SKILLS):
                one.skills[skill] = printed.skills[skill]
            for track in range(2):
                one.start[track] = printed.start[track]
            if printed.reserve >= 0:
                one.reserves |= 1 << int(printed.reserve)
            if box.options.unreachable == 1:
                one.reserves |= int(printed.also_knows)


@rule
def setup_cards(box: Any, state: Any) -> Any:
    """2.6: every progress card in the deck of its stage; a shared card waits for its mission."""
    for card in range(CARDS):
        state.card_at[card] = NOT_YET
        if card < box.n_cards and box.card[card].stage > 0:
            state.card_at[card] = IN_DECK
    state.stage_no = 1


@rule
def setup_obstacles(box: Any, state: Any) -> Any:
    """2.4: the starting obstacles form three decks, all others lie in the reserve."""
    for pile in range(PILES):
        state.head[pile] = NOBODY
    for card in range(OBSTACLES):
        state.obstacle_at[card] = RESERVE
        state.after[card] = NOBODY
        if card < box.n_obstacles:
            one = box.obstacle[card]
            if one.starts == 1 or (box.options.unreachable == 1 and has(box.unreachable, card)):
                region = int(one.region)
                state.obstacle_at[card] = DRAW + region
                state.draw[region, state.n_draw[region]] = card
                state.n_draw[region] += 1
    for region in range(N_REGIONS):
        shuffle_draw(state, region)


@rule
def shuffle_draw(state: Any, region: Any) -> Any:
    """A draw pile in random order; only its top back is seen."""
    for i in range(state.n_draw[region] - 1, 0, -1):
        j = below(state, i + 1)
        held = state.draw[region, i]
        state.draw[region, i] = state.draw[region, j]
        state.draw[region, j] = held
    state.n_known[region] = 0
    state.n_seen[region] = min(1, state.n_draw[region])


# --- What is counted for speed ---------------------------------------------------------------


@rule
def rule_in_force(state: Any, op: Any, obstacle: Any, slot: Any) -> Any:
    """Note a standing effect."""
    if state.n_ruled < RULED:
        row = state.ruled[state.n_ruled]
        row.op = op
        row.obstacle = obstacle
        row.slot = slot
        state.n_ruled += 1


@rule
def recount(box: Any, state: Any) -> Any:
    """Count anew what is kept only for speed: the standing effects in force, and the threat tags in play."""
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
            rules_of(state, box.location[location].effect[STANDING], NOBODY, slot)
        card = state.head[slot]
        while card >= 0:
            rules_of(state, box.obstacle[card].effect[STANDING], card, slot)
            for r in range(RES):
                state.tags[r] += box.obstacle[card].threats[r]
            card = state.after[card]
    count_extra_tags(box, state)
    if state.scheme >= 0:
        for value in range(FACES):
            if state.lasting >> value & 1:
                rules_of(state, box.scheme[state.scheme].effect[value], NOBODY, NOBODY)
    for effect in range(EFFECTS):
        if state.effects >> effect & 1:
            rules_of(state, box.effect[effect], NOBODY, NOBODY)


@rule
def rules_of(state: Any, effect: Any, obstacle: Any, slot: Any) -> Any:
    """Note every row of a standing effect."""
    for op in range(effect.first, effect.first + effect.n):
        rule_in_force(state, op, obstacle, slot)


@rule
def count_extra_tags(box: Any, state: Any) -> Any:
    """1.11: faded threat tags that count where they are."""
    for i in range(state.n_ruled):
        row = state.ruled[i]
        op = box.ops[row.op]
        if op.op == _EXTRA_THREAT and row.slot >= 0 and counts_here(box, state, op, row.slot):
            state.tags[op.resource] += op.count_of


@rule
def counts_here(box: Any, state: Any, op: Any, slot: Any) -> Any:
    """Does a faded tag count at this slot: in its region, or at a place with one of its tags?"""
    if op.region >= 0 and box.place[slot].region != op.region:
        return False
    location = state.location_at[slot]
    return op.places == 0 or (location >= 0 and box.location[location].tags & op.places != 0)


# --- What must always be true ----------------------------------------------------------------


@rule
def check(box: Any, state: Any) -> Any:
    """0, or the number of the fault. What `recount` counts is compared by the engine."""
    if not 0 <= state.to_act < state.n_seats:
        return F.seat_missing
    if not 0 <= state.phase <= P.over:
        return F.no_phase
    for r in range(RES):
        if not (1 <= state.progress[r] <= SPACES and 1 <= state.threat[r] <= SPACES):
            return F.track_off
        if state.in_play[r] != dice_in_play(state, r) or state.in_play[r] > box.rules.dice_each:
            return F.supply
    for seat in range(SEATS):
        for v in range(FACES):
            if state.seats[seat].dice[v] < 0:
                return F.action_dice
    if not 0 <= state.n_frames <= FRAMES or state.n_ruled > RULED:
        return F.stack_off
    if not (1 <= state.year <= YEARS and 0 <= state.space < 8 and 0 <= state.part <= TIDY_PART):
        return F.time_off
    fault = check_obstacles(box, state)
    if fault == 0:
        fault = check_cards(box, state)
    if fault == 0:
        fault = check_people(box, state)
    return fault


@rule
def dice_in_play(state: Any, r: Any) -> Any:
    """1.4: every die of a resource that is not in the supply, counted; -1 when some number is below zero."""
    n = 0
    for v in range(FACES):
        one = state.pools[r, v]
        if one < 0:
            return -1
        n += one
        for slot in range(SLOTS):
            if state.assets[slot, r, v] < 0:
                return -1
            n += state.assets[slot, r, v]
        n += state.chosen[6 + r * FACES + v]
        for h in range(HEROES):
            n += state.over.react[h, 6 + r * FACES + v] + state.over.add[h, r * FACES + v]
    for v in range(FACES + 1):
        if state.scheme_dice[r, v] < 0:
            return -1
        n += state.scheme_dice[r, v]
    for i in range(state.n_on_cards):
        if state.die_is[i] // FACES == r:
            n += 1
    for i in range(state.shared_n):
        if state.shared_die[i] // FACES == r:
            n += 1
    if r == SORCERY and state.severing > 0:
        n += 1
    return n + dice_on_mats(state, r)


@rule
def dice_on_mats(state: Any, r: Any) -> Any:
    """Dice of a resource on progress cards, on abilities and in slots. A slot notes which asset it holds, plus one."""
    n = 0
    for h in range(HEROES):
        one = state.heroes[h]
        for i in range(one.n_path):
            if one.path_die[i] // FACES == r:
                n += 1
        for k in range(ABILITIES):
            if one.used[k] > FACES and one.used[k] <= 42 and (one.used[k] - 1 - FACES) // FACES == r:
                n += 1
            if one.stash[k] > 0 and (one.stash[k] - 1) // FACES == r:
                n += 1
    return n


@rule
def check_obstacles(box: Any, state: Any) -> Any:
    """Is each obstacle in exactly one place, and each chain what it says?"""
    n = 0
    for pile in range(PILES):
        card = state.head[pile]
        while card >= 0:
            if card >= box.n_obstacles or state.obstacle_at[card] != pile or n > OBSTACLES:
                return F.chain_broken
            n += 1
            card = state.after[card]
    for region in range(N_REGIONS):
        for i in range(state.n_draw[region]):
            if state.obstacle_at[state.draw[region, i]] != DRAW + region:
                return F.obstacle_lost
            n += 1
        if not state.n_known[region] <= state.n_seen[region] <= state.n_draw[region]:
            return F.obstacle_lost
    for card in range(box.n_obstacles):
        if state.obstacle_at[card] >= RESERVE:
            n += 1
    if n != box.n_obstacles:
        return F.obstacle_lost
    if state.over.obstacle >= 0 and not 0 <= state.obstacle_at[state.over.obstacle] < SLOTS:
        return F.overcome_off
    return 0


@rule
def check_cards(box: Any, state: Any) -> Any:
    """Are the cards in play where they say they are?"""
    for slot in range(SLOTS):
        if not 0 <= state.location_at[slot] < box.n_locations:
            return F.location_lost
        for other in range(slot):
            if state.location_at[other] == state.location_at[slot]:
                return F.location_lost
    staged = 0
    for i in range(STAGED):
        card = state.staged[i]
        if card >= 0:
            staged += 1
            if state.card_at[card] != ON_STAGE:
                return F.card_lost
    held = 0
    for h in range(HEROES):
        if state.heroes[h].card >= 0:
            held += 1
            if state.card_at[state.heroes[h].card] != AT_HERO:
                return F.card_lost
    for card in range(box.n_cards):
        if state.card_at[card] == ON_STAGE:
            staged -= 1
        if state.card_at[card] == AT_HERO:
            held -= 1
    if staged != 0 or held != 0 or not 1 <= state.stage_no <= STAGES:
        return F.card_lost
    return 0


@rule
def check_people(box: Any, state: Any) -> Any:
    """Stress dice, boxes, places and missions in range."""
    for h in range(state.n_heroes):
        one = state.heroes[h]
        if not NOBODY <= one.slot < SLOTS or (one.out == 1 and one.slot != NOBODY):
            return F.hero_off
        if one.character >= 0 and state.people[one.character].hero != h:
            return F.hero_off
        for track in range(2):
            if one.character >= 0 and (not 0 <= one.box_no[track] <= 3 or not 0 <= one.stress[track] <= FACES):
                return F.stress_off
    for k in range(2):
        if not NOBODY <= state.tasks[k].mission < box.n_missions:
            return F.mission_off
    return 0


# --- Scenario files ----------------------------------------------------------------------------


def complete(box: Any, state: Any, written: frozenset[str]) -> None:
    """What a scenario file leaves out: the stages burned in earlier years, piles in chains, dice out of the supply.

    A file that speaks of the year only is a session of that year from its first choice on, with the board of a fresh campaign.
    """
    if "card_at" not in written:
        _burn_earlier(box, state)
    for r in range(RES):
        state.in_play[r] = dice_in_play(state, r)
    _chain(box, state)


def _burn_earlier(box: Any, state: Any) -> None:
    """11.4: as many cards of each stage as earlier years would have burned, the first of the box."""
    for year in range(1, int(state.year)):
        due = int(box.rules.burn_per_year) * year
        for stage in range(1, STAGES + 1):
            cards = [c for c in range(box.n_cards) if box.card[c].stage == stage and state.card_at[c] == IN_DECK]
            if cards:
                for card in cards[:due]:
                    state.card_at[card] = CARD_BURNED
                    state.card_burned[card] = year
                break


def _chain(box: Any, state: Any) -> None:
    """1.11: obstacles that the file has put somewhere leave their draw pile and lie there in the order of the box."""
    placed = [
        c for c in range(box.n_obstacles) if state.obstacle_at[c] < DRAW or DISCARD <= state.obstacle_at[c] < RESERVE
    ]
    for pile in range(PILES):
        state.head[pile] = NOBODY
    for card in reversed(placed):
        state.after[card] = state.head[state.obstacle_at[card]]
        state.head[state.obstacle_at[card]] = card
    for region in range(N_REGIONS):
        left = [int(c) for c in state.draw[region, : state.n_draw[region]] if state.obstacle_at[c] == DRAW + region]
        state.draw[region, : len(left)] = left
        state.draw[region, len(left) :] = 0
        state.n_draw[region] = len(left)
        state.n_known[region] = 0
        state.n_seen[region] = min(1, len(left))
