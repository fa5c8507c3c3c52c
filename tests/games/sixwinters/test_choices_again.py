"""What may be chosen, read a second time: missions (3.2, 3.3), reserve actions (3.7), cells (6.1), what an ability costs (9.4)."""

import random

import pytest

from games.sixwinters.scene import Scene
from sutler.core.events import new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import ANY_RESOURCE, FACES, PAY, POOL, RELATION, RES, SPACES, YEARS
from sutler.games.sixwinters.cards.vocabulary import DO
from sutler.games.sixwinters.phases_actions_events import R
from sutler.games.sixwinters.rules import abilities, actions, cards, common, heroes, preparation

SEEDS = range(10)


def pair() -> Scene:
    """Two characters of two seats."""
    return Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()


@pytest.mark.parametrize("year", range(1, YEARS + 1))
def test_which_missions_may_be_undertaken(year: int) -> None:
    """3.2: not undertaken before; of this year or earlier; or by a resource's level; in the last year the final ones alone."""
    luck = random.Random(year)
    scene = pair().set(year=year)
    box, state = scene.box, scene.state
    for _ in range(6):
        state.progress[:] = [luck.randint(1, SPACES) for _ in range(RES)]
        found = 0
        for number in range(box.n_missions):
            state.mission[number] = luck.choice((s.OPEN, s.OPEN, s.PASSED, s.FAILED))
            one = box.mission[number]
            if state.mission[number] != s.OPEN:
                wanted = False
            elif year == YEARS:
                wanted = one.year == YEARS
            elif one.resource != NOBODY:
                wanted = int(box.track[one.resource].levels[state.progress[one.resource] - 1]) >= one.level
            else:
                wanted = one.year <= year
            found += bool(wanted)
            assert (preparation.why_not_undertake(box, state, 0, number) == 0) == bool(wanted)
        assert preparation.why_not_undertake(box, state, 0, box.n_missions) == R.not_unlocked
        assert int(preparation.n_available(box, state)) == found


@pytest.mark.parametrize("n_missions", [0, 1, 2])
@pytest.mark.parametrize("fixed", [0, 1, 2, 3])
def test_how_hard_missions_may_be(fixed: int, n_missions: int) -> None:
    """3.3, 12.2: none, the first, the second, both; a table may fix how many; what is not there cannot be hard."""
    scene = pair()
    box, state = scene.d.box.copy(scene.box), scene.state
    box.options.difficulty = fixed
    for k in range(2):
        state.tasks[k].mission = k + 3 if k < n_missions else NOBODY
    for choice, hard in enumerate(([], [0], [1], [0, 1])):
        allowed = (fixed == 0 or fixed - 1 == len(hard)) and all(k < n_missions for k in hard)
        assert (preparation.why_not_level(box, state, 0, choice) == 0) == allowed
        for k in range(2):
            state.tasks[k].difficult = 0
        preparation.do_level(box, state, new_event_buffer(), 0, choice)
        got = [k for k in range(2) if state.tasks[k].difficult]
        assert got == [k for k in hard if k < n_missions]
        for k in range(n_missions):
            assert int(state.mission_difficult[k + 3]) == int(k in hard)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_is_free_and_who_may_act_in_reserve(seed: int) -> None:
    """3.6, 3.7, 14.36, 14.81: unlocked and led by nobody; with an action; a Geas comes first; the last for a second pass is kept."""
    luck = random.Random(seed)
    for solo in (False, True):
        scene = Scene(1, solo="passes").heroes("Thea at Eastkeep").ready() if solo else pair()
        box, state = scene.box, scene.state
        geas = next(a for a in range(box.n_reserves) if box.reserve[a].n == 0)
        for c in range(box.n_characters):
            person = state.people[c]
            if person.hero == NOBODY:
                person.state = luck.choice((s.LOCKED, s.UNLOCKED, s.UNLOCKED, s.DEAD))
                person.has_acted = luck.choice((0, 0, s.PLAYED, s.HELPED))
            person.reserves = luck.choice((0, 1, 2, 1 << geas | 1))
        free = [
            c
            for c in range(box.n_characters)
            if state.people[c].state not in (s.LOCKED, s.DEAD)
            and state.people[c].hero == NOBODY
            and state.people[c].has_acted == 0
        ]
        assert bool(preparation.is_anybody_free(box, state)) == bool(free)
        for c in range(box.n_characters):
            person = state.people[c]
            assert (preparation.why_not_take(box, state, 0, c) == 0) == (c in free)
            assert bool(heroes.is_unlocked(state, c)) == (person.state not in (s.LOCKED, s.DEAD))
            waits = solo and not [other for other in free if other != c]
            assert bool(preparation.must_wait(box, state, c)) == waits
            acts = person.state not in (s.LOCKED, s.DEAD) and person.hero == NOBODY and person.reserves != 0
            assert bool(preparation.may_act_in_reserve(box, state, c)) == (acts and not waits)
            bound = bool(int(person.reserves) >> geas & 1)
            assert int(preparation.must_obey(box, state, c)) == (geas if bound else NOBODY)
            state.k = c
            assert (preparation.why_not_no_action(box, state, 0) == 0) == (not bound)
            for action in range(box.n_reserves):
                reason = preparation.why_not_reserve_action(box, state, 0, action)
                if not int(person.reserves) >> action & 1:
                    assert reason == R.no_such_action
                elif bound:
                    assert reason == (0 if action == geas else R.must_obey)


@pytest.mark.parametrize("seed", SEEDS)
def test_where_an_asset_may_lie_on_a_card(seed: int) -> None:
    """6.1: from the start, cell by cell that touch; its kind, its value, its region, and what the die before asks of it."""
    luck = random.Random(seed)
    scene = pair()
    box, state = scene.box, scene.state
    one = state.heroes[0]
    for card in luck.sample(range(box.n_cards), 12):
        printed = box.card[card]
        cells = [cell for cell in range(16) if printed.cells[cell].there]
        n = luck.randrange(4)
        path = luck.sample(cells, min(n, len(cells)))
        n = len(path)
        for i, cell in enumerate(path):
            one.path[i], one.path_die[i] = cell, luck.randrange(RES * FACES)
        slot = luck.randrange(9)
        for cell in range(16):
            for code in luck.sample(range(RES * FACES), 12):
                r, v = divmod(code, FACES)
                spot = printed.cells[cell]
                if n == 0:
                    follows = cell == printed.start
                else:
                    last = path[-1]
                    follows = max(abs(last // 4 - cell // 4), abs(last % 4 - cell % 4)) == 1
                fits = spot.there == 1 and cell not in path and follows
                fits = fits and spot.kind in (ANY_RESOURCE, r) and spot.value in (0, v + 1)
                fits = fits and spot.region in (NOBODY, box.place[slot].region)
                if n and spot.relation != RELATION.any_value:
                    before = int(one.path_die[n - 1]) % FACES
                    fits = fits and v - before == {RELATION.plus_one: 1, RELATION.minus_one: -1}.get(
                        int(spot.relation), 0
                    )
                reason = cards.why_not_lie(box, state, card, one.path, one.path_die, n, cell, code, slot)
                assert (reason == 0) == bool(fits)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_an_ability_is_paid_with(seed: int) -> None:
    """9.4: the die of the kind, the resource and the value asked for that is there; a pool die only where cards let it serve."""
    luck = random.Random(seed)
    for c in range(7):
        scene = Scene()
        scene.heroes(
            f"{scene.game.names['character'][c]} at Eastkeep",
            f"{scene.game.names['character'][(c + 1) % 7]} at Loomwood",
        )
        state = scene.ready().state
        box = scene.d.box.copy(scene.box)
        slot = int(state.heroes[0].slot)
        for v in range(FACES):
            state.seats[0].dice[v] = luck.randrange(2)
            for r in range(RES):
                state.assets[slot, r, v], state.pools[r, v] = luck.randrange(2), luck.randrange(2)
        for k in range(len(box.character[c].ability)):
            one = box.character[c].ability[k]
            if one.there == 0 or one.effect.n == 0:
                continue
            op = box.ops[one.effect.first]
            if one.pay == PAY.asset and seed % 3:  # as a designer may print it: of any kind of die, the first too
                one.resource = luck.choice((NOBODY, *range(1, RES))) if seed % 3 == 1 else 0
            payable = []
            for source in range(POOL + RES * FACES):
                r, v = (source - FACES) // FACES, source % FACES
                right = one.value in (0, v + 1)
                if source < FACES:
                    there = one.pay == PAY.die and state.seats[0].dice[v] > 0
                elif source < POOL:
                    there = state.assets[slot, r, v] > 0 and one.resource in (NOBODY, r)
                else:
                    there = False
                wanted = right and there and abilities.pays_off(box, state, 0, op, source)
                assert (abilities.why_not_pay_ability(box, state, 0, k, source) == 0) == bool(wanted)
                payable.append(bool(wanted))
            free = one.pay in (PAY.stress, PAY.none)
            assert bool(abilities.can_pay(box, state, 0, k)) == (free or any(payable))


@pytest.mark.parametrize("seed", SEEDS)
def test_whether_there_are_dice_to_roll(seed: int) -> None:
    """14.73: besides the one that is paid, in the pools the ability speaks of; to explode, of its value."""
    luck = random.Random(seed)
    scene = pair()
    state = scene.state
    box = scene.d.box.copy(scene.box)
    op, slot = box.ops[1], int(state.heroes[0].slot)
    for _ in range(30):
        state.seats[0].dice[:], state.assets[slot] = 0, 0
        for _ in range(luck.randrange(4)):
            state.seats[0].dice[luck.randrange(FACES)] += 1
            state.assets[slot, luck.randrange(RES), luck.randrange(FACES)] += 1
        op.op, op.pools, op.value = luck.choice((DO.reroll, DO.explode)), luck.choice((1, 3)), luck.randint(1, FACES)
        source = luck.randrange(FACES)
        state.seats[0].dice[source] += 1
        values = [v for v in range(FACES) for _ in range(int(state.seats[0].dice[v]))]
        values += [v for v in range(FACES) for _ in range(int(state.assets[slot, :, v].sum()))] if op.pools & 2 else []
        if op.op == DO.explode:
            values = [v for v in values if v + 1 == op.value]
        left = len(values) - (source in values)
        assert bool(abilities.leaves_dice(state, 0, op, source)) == (left > 0)


@pytest.mark.parametrize("r", range(RES))
def test_the_scheme_is_that_of_the_highest_threat(r: int) -> None:
    """3.5, 14.14: from the second year on; a burned one is none; equal ones are drawn by lot."""
    for year in (1, 2):
        scene = pair().set(year=year)
        box, state = scene.box, scene.state
        state.threat[:] = 1
        state.threat[r] = SPACES
        own = [scheme for scheme in range(box.n_schemes) if int(box.scheme[scheme].resource) == r]
        preparation.step_scheme(box, state, new_event_buffer())
        if year == 1:
            assert int(state.scheme) == NOBODY
        elif own:
            assert int(state.scheme) in own
        for scheme in range(box.n_schemes):
            level = int(
                box.track[int(box.scheme[scheme].resource)].levels[state.threat[int(box.scheme[scheme].resource)] - 1]
            )
            assert int(preparation.scheme_level(box, state, scheme)) == level
            state.burned_schemes |= 1 << scheme
            assert int(preparation.scheme_level(box, state, scheme)) == 0
        preparation.step_scheme(box, state, new_event_buffer())
        assert int(state.scheme) == NOBODY


def test_who_acts_next() -> None:
    """5.1: whoever acts, as long as it is not done; then the next in order, round the table; nobody when all are done or out."""
    scene = Scene(4).heroes("Thea at Eastkeep", "Keel at Loomwood", "Menas at Eastkeep", "Fuscus at Eastkeep").ready()
    state = scene.state
    for actor in range(4):
        for done in range(16):
            for out in (0, 3, 8):
                state.actor = actor
                for h in range(4):
                    state.heroes[h].is_done = done >> h & 1
                    state.heroes[h].slot = NOBODY if out >> h & 1 else 0
                able = [(actor + k) % 4 for k in range(4) if not (done | out) >> (actor + k) % 4 & 1]
                assert int(actions.next_actor(state)) == (able[0] if able else NOBODY)
                among = 15 ^ done
                state.over.asked = done
                waiting = [h for h in range(4) if not (done | out) >> h & 1]
                assert int(common.next_unasked(state, 15)) == (waiting[0] if waiting else NOBODY)
                assert int(common.next_unasked(state, among)) == (waiting[0] if waiting else NOBODY)
                assert int(common.heroes_at(state, 0)) == 15 & ~out
