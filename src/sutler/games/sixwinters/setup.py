"""Setting up a campaign of Six Winters: markers, people, decks (guide 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.bits import has
from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import (
    ABILITIES,
    CARDS,
    CELLS,
    CHARACTERS,
    END_PARTS,
    GOALS,
    HEROES,
    N_REGIONS,
    N_SKILLS,
    OBSTACLES,
    RES,
    SLOTS,
    SPACES,
    STAGED_OBSTACLES,
    YEARS,
)
from sutler.games.sixwinters.state import CARD_AT, DRAW, OPEN, PART, PILES, RESERVE, UNLOCKED, WAITING, recount

if TYPE_CHECKING:
    from sutler.games.sixwinters.records import Box, State


@rule
def setup(box: Box, state: State) -> None:
    """Set up a campaign: markers, locations, obstacle decks, characters (2). `n_seats` and `rng` are set before, all else is zero."""
    state.year = box.options.start_year
    for r in range(RES):
        state.progress[r] = box.track[r].start_progress
        state.threat[r] = box.track[r].start_threat
        if box.track[r].has_threats == 1:
            state.threat[r] = max(1, min(SPACES, state.threat[r] + box.options.start_threats))
    state.scheme = NOBODY
    state.shared = NOBODY
    state.over.obstacle = NOBODY
    for i in range(STAGED_OBSTACLES):
        state.staged[i] = NOBODY
    for slot in range(SLOTS):
        state.location_at[slot] = box.place[slot].location
    for h in range(HEROES):
        clear_hero(state, h)
    for k in range(2):
        clear_task(state, k)
    for year in range(YEARS):
        clear_journal_page(state, year)
    set_up_people(box, state)
    set_up_cards(box, state)
    set_up_obstacles(box, state)
    state.part = PART.restore
    recount(box, state)


@rule
def clear_hero(state: State, hero: int) -> None:
    """Empty the record of the `hero`-th character in play: no character, no seat, nothing on the mat."""
    one = state.heroes[hero]
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
def clear_task(state: State, k: int) -> None:
    """Empty the record of the `k`-th mission of the session."""
    task = state.tasks[k]
    task.mission = NOBODY
    task.difficult = 0
    task.result = OPEN
    for i in range(GOALS):
        task.card[i] = NOBODY
    for i in range(END_PARTS):
        task.then[i] = WAITING
        task.then_card[i] = NOBODY


@rule
def clear_journal_page(state: State, year: int) -> None:
    """Empty the page of the journal for a year; years count from 0."""
    page = state.journal[year]
    for k in range(2):
        page.mission[k] = NOBODY
    for h in range(HEROES):
        page.character[h] = NOBODY
    page.scheme = NOBODY


@rule
def set_up_people(box: Box, state: State) -> None:
    """Fill in the character sheets of all characters, and unlock those that start unlocked (2.5, 12.13)."""
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
def set_up_cards(box: Box, state: State) -> None:
    """Put every progress card into the deck of its stage; shared cards wait for their mission (2.6)."""
    for card in range(CARDS):
        state.card_at[card] = CARD_AT.not_yet
        if card < box.n_cards and box.card[card].stage > 0:
            state.card_at[card] = CARD_AT.deck
    state.stage_no = 1


@rule
def set_up_obstacles(box: Box, state: State) -> None:
    """Shuffle the starting obstacles into the decks of their regions, and put all others into the reserve (2.4)."""
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
        shuffle_draw_pile(state, region)


@rule
def swap_pile_cards(state: State, region: int, i: int, j: int) -> None:
    """Exchange the cards `i` and `j` of a region's draw pile."""
    held = state.draw[region, i]
    state.draw[region, i] = state.draw[region, j]
    state.draw[region, j] = held


@rule
def shuffle_draw_pile(state: State, region: int) -> None:
    """Shuffle a region's draw pile; only the back of its top card is seen."""
    for i in range(state.n_draw[region] - 1, 0, -1):
        swap_pile_cards(state, region, i, below(state, i + 1))
    state.n_known[region] = 0
    state.n_seen[region] = min(1, state.n_draw[region])
