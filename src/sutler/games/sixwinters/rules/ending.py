"""Session end and campaign end (guide 11): paying obstacles off, results, clearing, burning, experience, the journal."""

from __future__ import annotations

from sutler.core.bits import allow
from sutler.core.chance import below
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import (
    ABILITIES,
    CHARACTERS,
    FACES,
    HEROES,
    PASSES,
    RES,
    SEATS,
    SLOTS,
    STAGED,
    STAGES,
    YEARS,
)
from sutler.games.sixwinters.rules.cards import clear_path, clear_shared
from sutler.games.sixwinters.rules.common import (
    K_SETTLE,
    ask,
    clear_dice,
    drop_asset,
    drop_pool_die,
    go_on,
    no_options,
    offer,
    pop,
    push,
    run_effect,
    to_supply,
)
from sutler.games.sixwinters.rules.effects import remove_scheme
from sutler.games.sixwinters.rules.heroes import is_unlocked
from sutler.games.sixwinters.rules.land import difficulty, discard, is_in_play
from sutler.games.sixwinters.rules.missions import is_met, resolve
from sutler.games.sixwinters.rules.turn import to_part
from sutler.games.sixwinters.state import (
    AT_HERO,
    CARD_BURNED,
    CARD_DISCARD,
    FAILED,
    IN_DECK,
    NOT_YET,
    ON_MISSION,
    ON_STAGE,
    OPEN,
    PASSED,
    RESTORE,
    RESULT_ORDER_PART,
    RESULTS_PART,
    SETUP_PART,
    SHARED,
    TAKE_PART,
    TIDY_PART,
    no_hero,
)
from sutler.games.sixwinters.table import A, E, P, R
from sutler.games.sixwinters.vocabulary import SORCERY

POOL = FACES + RES * FACES
ENDED = 3


# --- Paying obstacles off (guide 11.1) -------------------------------------------------------------------


@rule
def worth_against(box, state, card):
    """11.1, 14.74: pool dice and assets on locations that match one of an obstacle's tags, all together."""
    total = 0
    for r in range(RES):
        if box.obstacle[card].threats[r] > 0:
            for v in range(FACES):
                n = int(state.pools[r, v])
                for slot in range(SLOTS):
                    n += state.assets[slot, r, v]
                total += n * (v + 1)
    return total


@rule
def why_not_clear_obstacle(box, state, seat, card):
    """11.1: an obstacle in play whose difficulty the matching dice reach."""
    if card >= box.n_obstacles or not is_in_play(state, card):
        return R.not_in_play
    if worth_against(box, state, card) < difficulty(box, state, card):
        return R.not_payable
    return 0


@rule
def allow_clear_obstacle(box, state, seat, out):
    """11.1: the obstacles in play that can be paid off."""
    for slot in range(SLOTS):
        card = int(state.head[slot])
        while card >= 0:
            if why_not_clear_obstacle(box, state, seat, card) == 0:
                allow(out, A.clear_obstacle + card)
            card = int(state.after[card])


@rule
def do_clear_obstacle(box, state, events, seat, card):
    """11.1: now the dice, one after another, until they reach its difficulty; nothing is given back."""
    f = push(state, K_SETTLE, 0, 1, NOBODY)
    state.frames[f].obstacle = card
    go_on(state)


@rule
def step_settle(box, state, events, f):
    """11.1: the next die, or the obstacle is discarded."""
    frame = state.frames[f]
    card = int(frame.obstacle)
    if frame.a >= difficulty(box, state, card):
        tell(events, E.cleared, card)
        pop(state)
        discard(box, state, events, card)
        return
    no_options(state)
    for r in range(RES):
        if box.obstacle[card].threats[r] > 0:
            for v in range(FACES):
                if state.pools[r, v] > 0:
                    offer(state, POOL + r * FACES + v)
                for slot in range(SLOTS):
                    if state.assets[slot, r, v] > 0:
                        offer(state, FACES + r * FACES + v)
    ask(state, P.settle, 0)


@rule
def settle_with(state, events, source):
    """11.1: the die is spent; of like assets any one, since all are cleared away soon."""
    frame = state.frames[state.n_frames - 1]
    frame.a += source % FACES + 1
    if source >= POOL:
        drop_pool_die(state, (source - POOL) // FACES, source % FACES + 1)
    else:
        code = source - FACES
        for slot in range(SLOTS):
            if state.assets[slot, code // FACES, code % FACES] > 0:
                drop_asset(state, events, code // FACES, code % FACES + 1, slot)
                break
    go_on(state)


@rule
def do_go_on(box, state, events, seat):
    """11.1: no more obstacles are paid off."""
    to_part(state, RESULT_ORDER_PART)
    go_on(state)


@rule
def step_clear(box, state, events):
    """11.1, 12.1, 11.7: after the first pass of a year another character goes; the last year has no session end."""
    if state.n_seats == 1 and box.options.solo == PASSES and state.pass_no == 0:
        second_pass(box, state, events)
    elif is_last(box, state):
        to_part(state, RESULT_ORDER_PART)
    else:
        ask(state, P.clear, 0)


@rule
def is_last(box, state):
    """11.7: is this the last year?"""
    return state.year >= YEARS


@rule
def second_pass(box, state, events):
    """12.1: the character leaves, everything else stays; another one plays the same year with the card at hand."""
    tell(events, E.second_pass, state.year)
    one = state.heroes[0]
    card = int(one.card)
    code = int(one.n_path)
    state.people[one.character].has_acted = 1
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
    to_part(state, TAKE_PART)


@rule
def clear_mat(state, h):
    """11.3: dice on abilities and in slots go to the supply."""
    one = state.heroes[h]
    for k in range(ABILITIES):
        if one.used[k] > FACES:
            to_supply(state, (one.used[k] - 1 - FACES) // FACES, 1)
        if one.stash[k] > 0:
            to_supply(state, (one.stash[k] - 1) // FACES, 1)
        one.used[k] = 0
        one.stash[k] = 0
        one.stashed[k] = 0


# --- Results (guide 11.2) ---------------------------------------------------------------------------------


@rule
def do_begin_with(box, state, events, seat, k):
    """3.4, 11.2: this mission is read first."""
    state.tasks_first = k
    if state.part < TAKE_PART:
        to_part(state, SETUP_PART)
    else:
        to_part(state, RESULTS_PART)
    go_on(state)


@rule
def step_result_order(box, state, events):
    """11.2: players say which result is read first, if there are two to read."""
    if state.tasks[0].result == OPEN and state.tasks[0].mission >= 0:
        if state.tasks[1].result == OPEN and state.tasks[1].mission >= 0:
            ask(state, P.order, 0)
            return
    state.tasks_first = 0
    to_part(state, RESULTS_PART)


@rule
def step_results(box, state, events):
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
        to_part(state, TIDY_PART)


@rule
def step_result(box, state, events, f):
    """11.2: the operations of a mission's pass or fail side."""
    k = int(state.frames[f].a)
    task = state.tasks[k]
    passed = task.result == PASSED
    pop(state)
    if passed:
        run_effect(state, box.mission[task.mission].passed, NOBODY, NOBODY, NOBODY)
    else:
        run_effect(state, box.mission[task.mission].failed, NOBODY, NOBODY, NOBODY)


# --- Clearing, burning, experience (guide 11.3 to 11.6) ------------------------------------------------------


@rule
def clear_table(box, state):
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
    for i in range(STAGED):
        state.staged[i] = NOBODY
    for card in range(box.n_cards):
        at = state.card_at[card]
        if at == ON_STAGE or at == AT_HERO or at == ON_MISSION or at == CARD_DISCARD or at == SHARED:
            state.card_at[card] = IN_DECK
            if box.card[card].stage == 0:
                state.card_at[card] = NOT_YET


@rule
def burn_cards(box, state, events):
    """11.4: twice the year's number of cards of the lowest stage left, at random, none of the next."""
    stage = 1
    while stage < STAGES and n_of_stage(box, state, stage) == 0:
        stage += 1
    for _ in range(box.rules.burn_per_year * state.year):
        n = n_of_stage(box, state, stage)
        if n > 0:
            k = below(state, n)
            for card in range(box.n_cards):
                if state.card_at[card] == IN_DECK and box.card[card].stage == stage:
                    if k == 0:
                        state.card_at[card] = CARD_BURNED
                        state.card_burned[card] = state.year
                        tell(events, E.card_burned, card)
                        break
                    k -= 1


@rule
def n_of_stage(box, state, stage):
    """11.4: cards of a stage that are still in the campaign."""
    n = 0
    for card in range(box.n_cards):
        if state.card_at[card] == IN_DECK and box.card[card].stage == stage:
            n += 1
    return n


@rule
def give_experience(box, state):
    """11.5, 14.40: the active characters, knocked out or not, and all unlocked ones in reserve."""
    for c in range(box.n_characters):
        if is_unlocked(state, c):
            if state.people[c].hero != NOBODY or state.people[c].has_acted == 1:
                state.people[c].xp += box.rules.xp_active
            else:
                state.people[c].xp += box.rules.xp_reserve


@rule
def write_journal(box, state):
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
        if state.people[c].has_acted == 1:
            page.character[1] = c
    for r in range(RES):
        page.progress[r] = state.progress[r]
        page.threat[r] = state.threat[r]
    page.scheme = state.scheme
    page.turns = state.turn_no


@rule
def step_tidy(box, state, events):
    """11.3 to 11.7: the table is cleared, and the next year begins; after the last one the campaign is over."""
    write_journal(box, state)
    if is_last(box, state):
        finish(box, state, events, 2)
        return
    give_experience(box, state)
    clear_table(box, state)
    burn_cards(box, state, events)
    for h in range(HEROES):
        no_hero(state, h)
    for c in range(CHARACTERS):
        state.people[c].hero = NOBODY
        state.people[c].has_acted = 0
    if state.session >= box.options.sessions:
        finish(box, state, events, ENDED)
        return
    state.year += 1
    to_part(state, RESTORE)


@rule
def finish(box, state, events, outcome):
    """11.7: the campaign is over: won, lost, or at the end of what the table wanted to play."""
    state.outcome = outcome
    if outcome == 1:
        tell(events, E.won)
    elif outcome == ENDED:
        tell(events, E.ended)
    else:
        tell(events, E.lost)
    while state.n_frames > 0:
        pop(state)
    state.phase = P.over


@rule
def finish_at_once(box, state, events):
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
