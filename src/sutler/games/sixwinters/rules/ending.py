"""Session end and campaign end (guide 11.2 to 11.7): results, clearing, burning, experience, the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.tables import ask, go_on
from sutler.games.sixwinters.box import (
    ABILITIES,
    CHARACTERS,
    FACES,
    HEROES,
    PASSES,
    RES,
    SEATS,
    SLOTS,
    STAGED_OBSTACLES,
    STAGES,
    YEARS,
)
from sutler.games.sixwinters.cards.vocabulary import SORCERY, operation
from sutler.games.sixwinters.phases_actions_events import E, P
from sutler.games.sixwinters.rules.cards import clear_path, clear_shared
from sutler.games.sixwinters.rules.common import clear_dice, on_frame, pop, run_effect, to_part, to_supply
from sutler.games.sixwinters.rules.heroes import clear_ability, is_unlocked
from sutler.games.sixwinters.rules.land import any_in_deck, n_in_deck
from sutler.games.sixwinters.rules.missions import is_met, resolve
from sutler.games.sixwinters.rules.overcome import end_overcoming
from sutler.games.sixwinters.rules.preparation import no_party
from sutler.games.sixwinters.rules.tracks import remove_scheme
from sutler.games.sixwinters.state import CARD_AT, FAILED, OPEN, OUTCOME, PART, PASSED, PLAYED, on_part

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, State


# --- The end of a pass and of a year (guide 11.1, 11.7, 12.1) ------------------------------------


@on_part("clear")
@rule
def step_clear(box: Box, state: State, events: Events) -> None:
    """11.1, 12.1, 11.7: after the first pass of a year another character goes; the last year has no session end."""
    if state.n_seats == 1 and box.options.solo == PASSES and state.pass_no == 0:
        second_pass(box, state, events)
    elif is_last(box, state):
        to_part(state, PART.result_order)
    else:
        ask(state, P.clear, 0)


@rule
def is_last(box: Box, state: State) -> bool:
    """11.7: is this the last year?"""
    return state.year >= YEARS


@rule
def second_pass(box: Box, state: State, events: Events) -> None:
    """12.1: the character leaves, everything else stays; another one plays the same year with the card at hand."""
    tell(events, E.second_pass, state.year)
    one = state.heroes[0]
    card = int(one.card)
    code = int(one.n_path)
    state.people[one.character].has_acted = PLAYED
    state.people[one.character].hero = NOBODY
    clear_mat(state, 0)
    state.pass_no = 1
    state.space = 0
    state.turn_no = 0
    clear_dice(state, 0)
    one.character = NOBODY
    one.slot = NOBODY
    one.out = 0
    one.card = card
    one.n_path = code
    to_part(state, PART.take)


@rule
def clear_mat(state: State, h: int) -> None:
    """11.3: dice on abilities and in slots go to the supply."""
    one = state.heroes[h]
    for k in range(ABILITIES):
        clear_ability(state, h, k)
        if one.stash[k] > 0:
            to_supply(state, (one.stash[k] - 1) // FACES, 1)
        one.stash[k] = 0


# --- Results (guide 11.2) ---------------------------------------------------------------------------------


@rule
def do_begin_with(box: Box, state: State, events: Events, seat: int, k: int) -> None:
    """3.4, 11.2: this mission is read first."""
    state.tasks_first = k
    tell(events, E.read_first, state.tasks[k].mission)
    if state.part < PART.take:
        to_part(state, PART.setup)
    else:
        to_part(state, PART.results)
    go_on(state)


@on_part("result_order")
@rule
def step_result_order(state: State) -> None:
    """11.2: players say which result is read first, if there are two to read."""
    if state.tasks[0].result == OPEN and state.tasks[0].mission >= 0:
        if state.tasks[1].result == OPEN and state.tasks[1].mission >= 0:
            ask(state, P.order, 0)
            return
    state.tasks_first = 0
    to_part(state, PART.results)


@on_part("results")
@rule
def step_results(box: Box, state: State, events: Events) -> None:
    """11.2: each mission that has no result yet is passed or failed, and its text applies."""
    if state.k < 2:
        k = int(state.k)
        if state.tasks_first == 1:
            k = 1 - k
        state.k += 1
        if state.tasks[k].mission >= 0 and state.tasks[k].result == OPEN:
            result = FAILED
            if is_met(box, state, k):
                result = PASSED
            resolve(box, state, events, k, result)
    else:
        to_part(state, PART.tidy)


@on_frame("result")
@rule
def step_result(box: Box, state: State, f: int) -> None:
    """11.2: the operations of a mission's pass or fail side."""
    k = int(state.frames[f].chosen)
    task = state.tasks[k]
    passed = task.result == PASSED
    pop(state)
    if passed:
        run_effect(state, box.mission[task.mission].passed, NOBODY, NOBODY, NOBODY)
    else:
        run_effect(state, box.mission[task.mission].failed, NOBODY, NOBODY, NOBODY)


# --- Clearing, burning, experience (guide 11.3 to 11.6) ------------------------------------------------------


@rule
def clear_table(box: Box, state: State) -> None:
    """11.3: assets, unfinished cards, pools, mats and the scheme; progress cards go back to their stages."""
    for r in range(RES):
        for v in range(FACES):
            to_supply(state, r, int(state.pools[r, v]))
            state.pools[r, v] = 0
            for slot in range(SLOTS):
                to_supply(state, r, int(state.assets[slot, r, v]))
                state.assets[slot, r, v] = 0
    for h in range(HEROES):
        clear_path(state, h)
        clear_mat(state, h)
    clear_shared(state)
    if state.severing > 0:
        to_supply(state, SORCERY, 1)
        state.severing = 0
    if state.scheme >= 0:
        remove_scheme(box, state)
    for seat in range(SEATS):
        clear_dice(state, seat)
    for i in range(STAGED_OBSTACLES):
        state.staged[i] = NOBODY
    for card in range(box.n_cards):
        at = state.card_at[card]
        if (
            at == CARD_AT.stage
            or at == CARD_AT.hero
            or at == CARD_AT.mission
            or at == CARD_AT.discard
            or at == CARD_AT.shared
        ):
            state.card_at[card] = CARD_AT.deck
            if box.card[card].stage == 0:
                state.card_at[card] = CARD_AT.not_yet


@rule
def burn_cards(box: Box, state: State, events: Events) -> None:
    """11.4: twice the year's number of cards of the lowest stage left, at random, none of the next."""
    stage = 1
    while stage < STAGES and n_in_deck(box, state, stage) == 0:
        stage += 1
    for _ in range(box.rules.burn_per_year * state.year):
        card = any_in_deck(box, state, stage)
        if card != NOBODY:
            state.card_at[card] = CARD_AT.burned
            state.card_burned[card] = state.year
            tell(events, E.card_burned, card)


@rule
def give_experience(box: Box, state: State, events: Events) -> None:
    """11.5, 14.40: the active characters, knocked out or not, and all unlocked ones in reserve."""
    for c in range(box.n_characters):
        if is_unlocked(state, c):
            if state.people[c].hero != NOBODY or state.people[c].has_acted == PLAYED:
                state.people[c].xp += box.rules.xp_active
            else:
                state.people[c].xp += box.rules.xp_reserve
            tell(events, E.experience, c, state.people[c].xp)


@rule
def write_journal(box: Box, state: State) -> None:
    """11.6: the year's missions, who was there, the conditions, the tracks."""
    page = state.journal[state.year - 1]
    for k in range(2):
        page.mission[k] = state.tasks[k].mission
        page.difficult[k] = state.tasks[k].difficult
        page.result[k] = state.tasks[k].result
    for h in range(state.n_heroes):
        page.character[h] = state.heroes[h].character
    for c in range(CHARACTERS):
        page.marks[c] = state.people[c].marks[0] | state.people[c].marks[1] << 3
        if state.people[c].has_acted == PLAYED:
            page.character[1] = c
    for r in range(RES):
        page.progress[r] = state.progress[r]
        page.threat[r] = state.threat[r]
    page.scheme = state.scheme
    page.turns = state.turn_no


@on_part("tidy")
@rule
def step_tidy(box: Box, state: State, events: Events) -> None:
    """11.3 to 11.7: the table is cleared, and the next year begins; after the last one the campaign is over."""
    write_journal(box, state)
    if is_last(box, state):
        finish(box, state, events, OUTCOME.lost)
        return
    give_experience(box, state, events)
    clear_table(box, state)
    tell(events, E.cleared_away)
    burn_cards(box, state, events)
    no_party(state)
    if state.session >= box.options.sessions:
        finish(box, state, events, OUTCOME.ended)
        return
    state.year += 1
    to_part(state, PART.restore)


@operation("campaign_failed", runs=False)
@rule
def finish(box: Box, state: State, events: Events, outcome: int) -> None:
    """11.7: the campaign is over: won, lost, or at the end of what the table wanted to play."""
    state.outcome = outcome
    if state.over.obstacle != NOBODY:
        end_overcoming(state)
    if outcome == OUTCOME.won:
        tell(events, E.won)
    elif outcome == OUTCOME.ended:
        tell(events, E.ended)
    else:
        tell(events, E.lost)
    while state.n_frames > 0:
        pop(state)
    state.phase = P.over


@rule
def finish_at_once(box: Box, state: State, events: Events) -> None:
    """14.22: won or lost in the middle of the session: the other mission is judged as it stands."""
    for k in range(2):
        task = state.tasks[k]
        if task.mission >= 0 and task.result == OPEN:
            task.result = FAILED
            if is_met(box, state, k):
                task.result = PASSED
            state.mission[task.mission] = task.result
            tell(events, E.passed if task.result == PASSED else E.failed, task.mission)
    write_journal(box, state)
    finish(box, state, events, int(state.outcome))
