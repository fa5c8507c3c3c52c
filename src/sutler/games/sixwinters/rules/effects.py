"""What cards do (guide 13): the operations of an effect, one after another. Here those on characters and on the campaign."""

from __future__ import annotations

from sutler.core.bits import has
from sutler.core.chance import die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import (
    ADDED_ASSET,
    ALL,
    FACES,
    OWN_RANK,
    RES,
    SLOTS,
    SPACES,
)
from sutler.games.sixwinters.rules.common import (
    K_OPS,
    advance,
    ask,
    fill_pool,
    here,
    is_in,
    n_options,
    no_options,
    offer,
    push,
    rank,
    region_of,
    run_effect,
    seat_for,
    take_from_supply,
    threat_level,
    to_supply,
)
from sutler.games.sixwinters.rules.heroes import (
    arrive,
    clear_mark,
    hit,
    is_unlocked,
    leave_campaign,
    mark_condition,
    next_box,
    offer_conditions,
    take_condition,
)
from sutler.games.sixwinters.rules.land import n_showing
from sutler.games.sixwinters.rules.missions import look_at_missions, settle_at_once
from sutler.games.sixwinters.state import DEAD, LOCKED, UNLOCKED, recount
from sutler.games.sixwinters.table import E, P
from sutler.games.sixwinters.vocabulary import (
    BODY,
    DO,
    FALL,
    MILITARY,
    PSYCHE,
    SORCERY,
    SPRING,
    SUMMER,
    WHO,
    WINTER,
)

W_HERE, W_REGION, W_ONE_REGION, W_ONE_REGIONS = (
    WHO.index(w) for w in ("here", "region", "one_in_region", "one_in_regions")
)
W_REGIONS, W_LOCATIONS, W_ALL, W_OTHER = (WHO.index(w) for w in ("in_regions", "at_locations", "all", "other"))
W_RESERVE, W_UNLOCKED, W_EACH, W_ANY = (
    WHO.index(w) for w in ("other_reserve", "one_unlocked", "each_player", "any_character")
)


# --- Who is meant (guide 13.1) --------------------------------------------------------------


@rule
def stands_there(box, state, op, h, slot):
    """13.1: is a character at a place with one of the op's location tags and in one of its regions?"""
    at = state.heroes[h].slot
    location = state.location_at[at]
    if op.places != 0 and box.location[location].tags & op.places == 0:
        return False
    return op.regions == 0 or op.regions >> region_of(box, at) & 1 == 1


@rule
def is_meant(box, state, op, h, hero, slot):
    """13.1: is this character among those an operation means? `hero` acts, `slot` is where the card lies."""
    if not is_in(state, h):
        return False
    at = int(state.heroes[h].slot)
    who = op.who
    if who == W_HERE:
        return at == slot
    if who == W_REGION or who == W_ONE_REGION:
        return region_of(box, at) == region_of(box, slot)
    if who == W_ALL or who == W_EACH or who == W_ANY:
        return True
    if who == W_REGIONS or who == W_ONE_REGIONS or who == W_LOCATIONS:
        return stands_there(box, state, op, h, slot)
    if who == W_OTHER:
        return h != hero
    return h == hero


@rule
def meant(box, state, op, frame):
    """13.1: the characters in play that an operation means, as bits."""
    slot = here(state, frame)
    found = 0
    for h in range(state.n_heroes):
        if is_meant(box, state, op, h, frame.hero, slot):
            found |= 1 << h
    return found


@rule
def find_meant(box, state, op, frame):
    """13.1: note in `todo` who is meant. False while the players still have to choose one of several (14.55)."""
    if frame.step == 0:
        frame.todo = meant(box, state, op, frame)
        frame.step = 2
        if op.who == W_ONE_REGION or op.who == W_ONE_REGIONS:
            no_options(state)
            for h in range(state.n_heroes):
                if frame.todo >> h & 1:
                    offer(state, h)
            if n_options(state) > 1:
                frame.step = 1
                ask(state, P.choose_hero, seat_for(state, NOBODY))
                return False
            no_options(state)
    elif frame.step == 1:
        frame.todo = 1 << int(state.answer)
        frame.step = 2
    return True


@rule
def next_todo(state, frame):
    """The next character to whom it happens; NOBODY when all have had it."""
    for h in range(state.n_heroes):
        if frame.todo >> h & 1:
            return h
    return NOBODY


@rule
def offer_people(box, state, op, frame):
    """13.1: characters of the campaign that an operation means: any unlocked one, or another one in reserve."""
    no_options(state)
    for c in range(box.n_characters):
        if is_unlocked(state, c):
            if op.who != W_RESERVE or (state.people[c].hero < 0 and c != frame.c):
                offer(state, c)


@rule
def choose_person(box, state, op, frame):
    """14.15: players choose a character. False while they do; `frame.a` then is the character, NOBODY if there is none."""
    if frame.step == 0:
        offer_people(box, state, op, frame)
        frame.step = 1
        frame.a = NOBODY
        if n_options(state) > 0:
            ask(state, P.choose_character, seat_for(state, NOBODY))
            return False
    elif frame.step == 1:
        frame.a = state.answer
        frame.step = 2
    return True


# --- Stress and conditions (guide 9) --------------------------------------------------------


@rule
def amount_of(box, state, op, track):
    """13.2: how much stress of a track an operation gives."""
    n = int(op.psyche)
    per = int(op.per_psyche)
    if track == BODY:
        n = int(op.body)
        per = int(op.per_body)
    if n == ADDED_ASSET:
        n = int(state.added_value)
    if per > 0:
        for card in range(box.n_obstacles):
            if 0 <= state.obstacle_at[card] < SLOTS:
                if box.obstacle[card].tags & op.tags != 0 or has(op.named, card):
                    n += per
    return n


@rule
def op_stress(box, state, events, f):
    """13.2: each character meant takes so much; psyche first, then body, one after another."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if not find_meant(box, state, op, frame):
        return False
    while True:
        h = next_todo(state, frame)
        if h == NOBODY:
            return True
        if op.below == 0 or rank(state, h, op.skill) < op.below:
            if frame.step == 2:
                frame.step = 3
                hit(box, state, events, h, PSYCHE, amount_of(box, state, op, PSYCHE))
                if state.n_frames > f + 1:
                    return False
            frame.step = 2
            frame.todo &= ~(1 << h)
            hit(box, state, events, h, BODY, amount_of(box, state, op, BODY))
            if state.n_frames > f + 1:
                return False
        else:
            frame.todo &= ~(1 << h)


@rule
def op_condition(box, state, events, f):
    """14.15, 14.39: a condition is marked on any sheet, or taken by characters in play as if the die had run out."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if op.who == W_UNLOCKED:
        if not choose_person(box, state, op, frame):
            return False
        if frame.a >= 0:
            mark_condition(state, events, frame.a, op.track, max(1, op.box_no))
        return True
    if not find_meant(box, state, op, frame):
        return False
    for h in range(state.n_heroes):
        if frame.todo >> h & 1:
            for _ in range(op.count_of):
                take_condition(box, state, events, h, op.track)
    return True


@rule
def op_recover(box, state, events, f):
    """14.39: each character meant erases a condition of its choice."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if frame.step == 0:
        frame.todo = meant(box, state, op, frame)
        frame.step = 1
    elif frame.step == 2:
        h = next_todo(state, frame)
        clear_mark(state, events, state.heroes[h].character, op.track, state.answer % 3 + 1)
        frame.todo &= ~(1 << h)
        frame.step = 1
    while True:
        h = next_todo(state, frame)
        if h == NOBODY:
            return True
        no_options(state)
        offer_conditions(state, state.heroes[h].character, 1 << int(op.track))
        if n_options(state) > 0:
            frame.step = 2
            ask(state, P.choose_condition, seat_for(state, h))
            return False
        frame.todo &= ~(1 << h)


@rule
def op_condition_for_skill(box, state, events, f):
    """14.39: the character may take a condition to gain a rank."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    h = int(frame.hero)
    if not is_in(state, h) or next_box(state, h, op.track) == 0:
        return True
    if frame.step == 0:
        frame.step = 1
        return confirm(state, op, h)
    if state.answer == 1:
        c = int(state.heroes[h].character)
        take_condition(box, state, events, h, op.track)
        raise_rank(box, state, events, c, op.skill, op.by, box.rules.most_skill)
    return True


@rule
def confirm(state, op, h):
    """1.12: ask whether a may is taken; what is no may happens. Returns False: wait for the answer."""
    no_options(state)
    if op.optional == 0:
        state.answer = 1
        return False
    state.may_decline = 1
    ask(state, P.confirm, seat_for(state, h))
    return False


@rule
def op_set_stress_die(box, state, events, f):
    """13.2: each character meant sets a stress die, if it likes."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if frame.step == 0:
        frame.todo = meant(box, state, op, frame)
        frame.step = 1
    elif frame.step == 2:
        h = next_todo(state, frame)
        if state.answer == 1:
            state.heroes[h].stress[op.track] = op.value
        frame.todo &= ~(1 << h)
        frame.step = 1
    h = next_todo(state, frame)
    if h == NOBODY:
        return True
    frame.step = 2
    return confirm(state, op, h)


@rule
def raise_rank(box, state, events, c, skill, by, most):
    """1.7: a skill rises, to its highest rank at most."""
    n = int(state.people[c].skills[skill])
    n = max(n, min(n + by, most, box.rules.most_skill))
    state.people[c].skills[skill] = n
    tell(events, E.skill_bought, c, skill, n)


@rule
def op_skill_up(box, state, events, f):
    """13.2, 14.33: a skill rises: of the character who overcame, or of another in reserve, taught by this one."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if op.who != W_RESERVE:
        if is_in(state, frame.hero):
            c = int(state.heroes[frame.hero].character)
            raise_rank(box, state, events, c, op.skill, op.by, ALL)
        return True
    if frame.step < 2 and not choose_person(box, state, op, frame):
        return False
    if frame.a < 0:
        return True
    if frame.step < 3:
        offer_lessons(box, state, op, int(frame.a), int(frame.c))
        frame.step = 3
        if n_options(state) == 0:
            return True
        ask(state, P.choose_skill, seat_for(state, NOBODY))
        return False
    raise_rank(box, state, events, int(frame.a), state.answer, op.by, ALL)
    return True


@rule
def offer_lessons(box, state, op, pupil, teacher):
    """14.33: skills in which the pupil can still rise, never above the teacher's rank."""
    no_options(state)
    for skill in range(8):
        if op.skills >> skill & 1:
            most = int(box.rules.most_skill)
            if op.most == OWN_RANK:
                most = int(state.people[teacher].skills[skill])
            elif op.most != ALL:
                most = int(op.most)
            if state.people[pupil].skills[skill] + op.by <= most:
                offer(state, skill)


@rule
def op_person(box, state, events, f):
    """13.2: another character in reserve loses a condition, or its base value rises (14.35)."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if frame.step < 2 and not choose_person(box, state, op, frame):
        return False
    if frame.a < 0:
        return True
    if op.op == DO.base_stress_up:
        person = state.people[frame.a]
        person.start[op.track] = max(person.start[op.track], min(person.start[op.track] + op.by, op.most, FACES))
        return True
    if frame.step < 3:
        no_options(state)
        offer_conditions(state, int(frame.a), 3)
        frame.step = 3
        if n_options(state) == 0:
            return True
        ask(state, P.choose_condition, seat_for(state, NOBODY))
        return False
    clear_mark(state, events, int(frame.a), state.answer // 3, state.answer % 3 + 1)
    return True


@rule
def op_shift_stress(box, state, events, f):
    """14.50: one point for one; the one never below 1, the other never above 6."""
    op = box.ops[state.frames[f].op]
    one = state.heroes[state.frames[f].hero]
    if one.stress[op.track] > 1 and one.stress[op.track_to] < FACES:
        one.stress[op.track] -= 1
        one.stress[op.track_to] += 1
    return True


@rule
def op_pay_stress(box, state, events, f):
    """9.4: stress as a price."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if frame.step == 0:
        frame.step = 1
        hit(box, state, events, int(frame.hero), BODY, int(op.body))
        hit(box, state, events, int(frame.hero), PSYCHE, int(op.psyche))
        if state.n_frames > f + 1:
            return False
    return True


# --- Tracks (guide 2.1, 8.6) -----------------------------------------------------------------


@rule
def change_threat(box, state, events, r, by):
    """14.6: a threat marker moves; a step beyond the last space is a die on the scheme instead, nothing in year one."""
    if box.track[r].has_threats == 0:
        return
    for _ in range(by):
        if state.threat[r] < SPACES:
            state.threat[r] += 1
            tell(events, E.threat_rose, r, state.threat[r])
        elif state.scheme >= 0:
            feed_scheme(box, state, events, r, 1)
    if by < 0:
        state.threat[r] = max(1, state.threat[r] + by)
        tell(events, E.threat_fell, r, state.threat[r])
    if (
        box.options.critical == 1
        and by > 0
        and (r == MILITARY or r == SORCERY)
        and threat_level(box, state, r) == FACES
    ):
        state.outcome = 2


@rule
def feed_scheme(box, state, events, r, n):
    """8.7: dice of a resource are laid on the scheme, not rolled, as far as the supply has them."""
    laid = 0
    for _ in range(n):
        if take_from_supply(box, state, events, r):
            state.scheme_dice[r, 0] += 1
            laid += 1
    if laid > 0:
        tell(events, E.scheme_fed, r, laid)


@rule
def beyond(box, state, r):
    """12.5: where a step goes that a full track cannot take: along the wheel; from Sorcery to the lowest track."""
    at = int(r)
    for _ in range(RES):
        at = int(box.wheel[at])
        if at < 0:
            break
        if state.progress[at] < SPACES:
            return at
    best = NOBODY
    for other in range(RES):
        if state.progress[other] < SPACES and (best < 0 or state.progress[other] < state.progress[best]):
            best = other
    return best


@rule
def change_progress(box, state, events, r, by):
    """2.1, 14.4, 14.5, 14.7: a progress marker moves; a raised track fills its pool at once."""
    for _ in range(by):
        at = int(r)
        if state.progress[at] == SPACES and box.options.overflow == 1:
            at = beyond(box, state, at)
        if at < 0 or state.progress[at] == SPACES:
            tell(events, E.wasted, r)
        else:
            state.progress[at] += 1
            tell(events, E.raised, at, state.progress[at])
            fill_pool(box, state, events, at)
    if by < 0:
        state.progress[r] = max(1, state.progress[r] + by)
        tell(events, E.lowered, r, state.progress[r])
    look_at_missions(box, state, events)


# --- The campaign (guide 11) -------------------------------------------------------------------


@rule
def unlock(box, state, events, c):
    """11.2, 14.44: a character is unlocked, with as many achievements as the number of the year."""
    person = state.people[c]
    if person.state == LOCKED:
        person.state = UNLOCKED
        person.achievements = min(state.year, box.character[c].n_achievements)
        tell(events, E.unlocked, c)


@rule
def op_reserve_action(box, state, events, f):
    """11.2: a character gains a reserve action; without a name players choose who."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if op.character >= 0:
        frame.a = op.character
        if state.people[op.character].state == DEAD:
            return True
    elif not choose_person(box, state, op, frame):
        return False
    if frame.a >= 0:
        state.people[frame.a].reserves |= 1 << int(op.number)
        tell(events, E.reserve_gained, frame.a, op.number)
    return True


@rule
def op_kill(box, state, events, f):
    """8.9: an unlocked character leaves the campaign, players choose."""
    frame = state.frames[f]
    if not choose_person(box, state, box.ops[frame.op], frame):
        return False
    if frame.a >= 0:
        leave_campaign(box, state, events, int(frame.a))
    return True


@rule
def burn_scheme(box, state, events):
    """14.75: its dice go to the supply; there is no scheme until the session ends."""
    if state.scheme < 0:
        return
    state.burned_schemes |= 1 << int(state.scheme)
    tell(events, E.scheme_gone, state.scheme)
    remove_scheme(box, state)


@rule
def remove_scheme(box, state):
    """14.14: the scheme is taken away with its dice."""
    for r in range(RES):
        for v in range(FACES + 1):
            to_supply(state, r, int(state.scheme_dice[r, v]))
            state.scheme_dice[r, v] = 0
    state.scheme = NOBODY
    state.scheme_hits = 0
    state.lasting = 0
    recount(box, state)


@rule
def op_severing(box, state, events, f):
    """14.21, 14.68: the die is laid or goes up; it is compared at once, and only then a season's event follows."""
    op = box.ops[state.frames[f].op]
    if op.by == 0:
        if state.severing == 0 and take_from_supply(box, state, events, SORCERY):
            state.severing = op.value
        return True
    if state.severing == 0:
        return True
    state.severing = min(FACES, state.severing + op.by)
    tell(events, E.severed, state.severing)
    for k in range(2):
        if state.tasks[k].mission >= 0 and box.mission[state.tasks[k].mission].severing == 1:
            settle_at_once(box, state, events, k)
    if state.outcome == 0 and state.n_frames == f + 1:
        v = die(state, FACES)
        season = WINTER
        if v == 1:
            season = SPRING
        elif v == 2:
            season = SUMMER
        elif v == 3:
            season = FALL
        advance(state, f)
        run_effect(state, box.event[season, n_showing(box, state, season)], NOBODY, NOBODY, NOBODY)
        return False
    return True


@rule
def op_choice(box, state, events, f):
    """1.12: a may, or one of several; what is chosen happens next."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if frame.step == 0:
        no_options(state)
        frame.step = 1
        if op.n_options > 1:
            for k in range(op.n_options):
                offer(state, k)
            ask(state, P.choose_option, seat_for(state, int(frame.hero)))
            return False
        confirm(state, op, int(frame.hero))
        return False
    k = 0
    if op.n_options > 1:
        k = int(state.answer)
    elif state.answer != 1:
        return True
    advance(state, f)
    inner = push(state, K_OPS, int(op.first[k]), int(op.n[k]), int(frame.hero))
    state.frames[inner].slot = frame.slot
    state.frames[inner].obstacle = frame.obstacle
    state.frames[inner].c = frame.c
    return False


@rule
def op_set_action_die(box, state, events, f):
    """14.57: each character meant may set one of its action dice to any value."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if frame.step == 0:
        frame.todo = meant(box, state, op, frame)
        frame.step = 1
    elif frame.step == 2:
        frame.step = 1
        if state.answer >= 0:
            frame.a = state.answer
            frame.step = 3
            no_options(state)
            for v in range(FACES):
                offer(state, v)
            ask(state, P.choose_value, seat_for(state, next_todo(state, frame)))
            return False
        frame.todo &= ~(1 << next_todo(state, frame))
    elif frame.step == 3:
        seat = int(state.heroes[next_todo(state, frame)].seat)
        state.seats[seat].dice[frame.a] -= 1
        state.seats[seat].dice[state.answer] += 1
        frame.todo &= ~(1 << next_todo(state, frame))
        frame.step = 1
    return ask_action_die(box, state, op, frame)


@rule
def ask_action_die(box, state, op, frame):
    """The next character that has a die to set is asked which; True when none is left."""
    while True:
        h = next_todo(state, frame)
        if h == NOBODY:
            return True
        no_options(state)
        for v in range(FACES):
            if state.seats[state.heroes[h].seat].dice[v] > 0:
                offer(state, v)
        if n_options(state) > 0:
            frame.step = 2
            state.may_decline = op.optional
            ask(state, P.choose_die, seat_for(state, h))
            return False
        frame.todo &= ~(1 << h)


@rule
def op_free_move(box, state, events, f):
    """13.2, 14.69: each character meant may move to any other place; no location bars what a card does."""
    frame = state.frames[f]
    op = box.ops[frame.op]
    if frame.step == 0:
        frame.todo = meant(box, state, op, frame)
        frame.step = 1
    elif frame.step == 2:
        h = next_todo(state, frame)
        frame.todo &= ~(1 << h)
        frame.step = 1
        if state.answer >= 0:
            arrive(box, state, events, h, int(state.answer))
            tell(events, E.moved, state.heroes[h].character, state.location_at[state.answer])
            if state.n_frames > f + 1:
                return False
    while True:
        h = next_todo(state, frame)
        if h == NOBODY:
            return True
        if is_in(state, h):
            no_options(state)
            for slot in range(SLOTS):
                if slot != state.heroes[h].slot:
                    offer(state, slot)
            state.may_decline = op.optional
            frame.step = 2
            ask(state, P.choose_slot, seat_for(state, h))
            return False
        frame.todo &= ~(1 << h)
