"""Missions (guide 6.5, 11.2) and the dice of an overcoming (7.3 to 7.8), counted a second time on tables laid out at random."""

import random

import pytest

from games.sixwinters.scene import Scene
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import END_PARTS, FACES, GOALS, POOL, RES, SLOTS, SPACES
from sutler.games.sixwinters.cards.vocabulary import SORCERY
from sutler.games.sixwinters.rules import heroes, land, missions, overcome, payments, tracks

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_mission_still_wants(seed: int) -> None:
    """6.5, 11.2, 14.17: each symbol a card of its resource; then every obstacle overcome; a shared card, or the severing die, instead."""
    luck = random.Random(seed)
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box, state = scene.box, scene.state
    for number in range(len(scene.game.names["mission"])):
        task, printed = state.tasks[number % 2], box.mission[number]
        task.mission, task.difficult = number, luck.randrange(2)
        goal = [int(r) for r in printed.goal[task.difficult] if r >= 0]
        for i in range(GOALS):
            task.card[i] = luck.choice((NOBODY, 0, 5, 5)) if luck.random() < 0.7 else 7
        for i in range(END_PARTS):
            task.then[i] = luck.choice((s.WAITING, s.WANTED, s.OVERCOME_IT, s.OVERCOME_IT))
        task.result = luck.choice((s.OPEN, s.PASSED, s.FAILED))
        state.severing = luck.randrange(7)
        k = number % 2
        filled = [int(task.card[i]) != NOBODY for i in range(len(goal))]
        assert [int(missions.symbol(box, state, k, i)) for i in range(len(goal))] == goal
        assert bool(missions.has_goal(box, state, k)) == all(filled)
        for r in range(RES):
            free = [i for i, wanted in enumerate(goal) if wanted == r and not filled[i]]
            assert int(missions.open_symbol(box, state, k, r)) == (free[0] if free else NOBODY)
        if printed.shared != NOBODY:
            met = task.result == s.PASSED
        elif printed.severing:
            level = int(box.track[SORCERY].levels[int(state.threat[SORCERY]) - 1])
            met = state.severing > 0 and task.then[0] == s.WANTED and state.severing >= level
        else:
            met = all(filled) and all(task.then[i] == s.OVERCOME_IT for i in range(printed.n_then))
        assert bool(missions.is_met(box, state, k)) == bool(met), scene.game.names["mission"][number]
    state.tasks[0].mission = NOBODY
    assert not missions.is_met(box, state, 0)
    assert int(missions.symbol(box, state, 0, 0)) == NOBODY


@pytest.mark.parametrize("number", range(23))
def test_obstacles_overcome_count_for_the_mission_that_wants_them(number: int) -> None:
    """14.19: the very card it has brought, once; a mission with a result, or that waits, takes no note."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box, state = scene.box, scene.state
    printed = box.mission[number]
    if printed.severing or printed.n_then == 0:
        for result in (s.OPEN, s.PASSED):
            state.tasks[0].mission, state.tasks[0].result = number, result
            state.tasks[0].then[0], state.tasks[0].then_card[0] = s.WANTED, 30
            missions.obstacle_overcome(box, state, new_event_buffer(), 30)
            wanted = s.OVERCOME_IT if result == s.OPEN and not printed.severing else s.WANTED
            assert int(state.tasks[0].then[0]) == wanted
            state.tasks[0].then[0] = s.WANTED
        return
    for k in range(2):
        for result in (s.OPEN, s.FAILED):
            task = state.tasks[k]
            task.mission, task.result = number, result
            for i in range(printed.n_then):
                task.then[i], task.then_card[i] = s.WANTED, 30 + i
            state.n_frames = 0
            for i in range(printed.n_then):
                missions.obstacle_overcome(box, state, new_event_buffer(), 40 + i)
                assert int(task.then[i]) == s.WANTED
                before = int(state.n_frames)
                missions.obstacle_overcome(box, state, new_event_buffer(), 30 + i)
                assert int(task.then[i]) == (s.OVERCOME_IT if result == s.OPEN else s.WANTED)
                brings = result == s.OPEN and printed.ordered == 1 and i + 1 < printed.n_then
                assert int(state.n_frames) - before in ((1,) if brings else (0, 1 if printed.wins else 0))
            state.tasks[k].mission = NOBODY


def fighting(seed: int) -> Scene:
    """Three characters, two of them of one seat; some take part in overcoming; dice are set, rolled and cancelled."""
    luck = random.Random(seed)
    scene = Scene()
    names = scene.game.names
    where = [names["slot"][luck.randrange(SLOTS)] for _ in range(3)]
    who = luck.sample(list(names["character"]), 3)
    scene.heroes(
        *(f"{one} at {at}" for one, at in zip(who, where, strict=True)), seats=luck.choice(([0, 1, 1], [0, 0, 1]))
    )
    scene.obstacles(where[0], names["obstacle"][luck.randrange(scene.box.n_obstacles)]).ready()
    state, over = scene.state, scene.state.over
    over.obstacle = next(card for card in range(scene.box.n_obstacles) if land.is_in_play(state, card))
    over.joined, over.asked = luck.randint(1, 7), luck.randrange(8)
    for seat in range(2):
        for v in range(FACES):
            state.seats[seat].dice[v] = luck.randrange(3)
    for h in range(3):
        state.people[state.heroes[h].character].skills[:] = [luck.randrange(3) for _ in state.people[0].skills]
        for source in luck.sample(range(POOL), 6):
            over.react[h, source] = luck.randrange(3)
        for code in luck.sample(range(RES * FACES), 6):
            over.add[h, code] = luck.randrange(3)
    for v in range(FACES):
        over.rolled[v] = luck.randrange(3)
    if luck.random() < 0.3:
        state.heroes[luck.randrange(3)].slot = NOBODY
    return scene


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_dice_are_worth(seed: int) -> None:
    """7.6: each unspent action die and added asset of the value, with its owner's rank; shared dice once, with the better rank."""
    scene = fighting(seed)
    box, state, over = scene.box, scene.state, scene.state.over
    skill = int(box.obstacle[over.obstacle].skill)
    ranks = [int(state.people[one.character].skills[skill]) for one in state.heroes[:3]]
    in_it = [h for h in range(3) if int(over.joined) >> h & 1 and int(state.heroes[h].slot) != NOBODY]
    for v in range(FACES):
        worth = 0
        for seat in range(2):
            best = max((ranks[h] for h in in_it if int(state.heroes[h].seat) == seat), default=None)
            if best is not None:
                worth += int(state.seats[seat].dice[v]) * (v + 1 + best)
        for h in in_it:
            worth += sum(int(over.add[h, r * FACES + v]) for r in range(RES)) * (v + 1 + ranks[h])
        assert int(overcome.worth_of(box, state, v)) == worth
    assert int(overcome.n_joined(state)) == int(over.joined).bit_count()
    react = [[int(over.react[h, source]) for source in range(POOL)] for h in range(3)]
    added = [[int(over.add[h, code]) for code in range(RES * FACES)] for h in range(3)]
    assert int(overcome.n_laid(state)) == sum(map(sum, react)) + sum(map(sum, added))
    joined = [h for h in range(3) if int(over.joined) >> h & 1]
    dice = sum(int(state.seats[state.heroes[h].seat].dice.sum()) for h in joined)
    assert int(overcome.n_set(state)) == dice + sum(sum(react[h]) + sum(added[h]) for h in joined)


@pytest.mark.parametrize("seed", SEEDS)
def test_which_stress_dice_can_be_cancelled(seed: int) -> None:
    """7.5: by a reaction die that is not higher and has not cancelled another; each use is counted."""
    scene = fighting(seed)
    box, state, over = scene.box, scene.state, scene.state.over
    luck = random.Random(seed)
    for _ in range(12):
        left = [
            sum(
                int(over.react[h, w]) + sum(int(over.react[h, FACES + r * FACES + w]) for r in range(RES))
                for h in range(3)
            )
            - int(over.cancelled[:, w].sum())
            for w in range(FACES)
        ]
        assert [int(overcome.n_reactions(state, w)) for w in range(FACES)] == left
        ways = [(v, w) for v in range(FACES) for w in range(v + 1) if over.rolled[v] > 0 and left[w] > 0]
        assert [
            (v, w) for v in range(FACES) for w in range(FACES) if overcome.why_not_cancel(box, state, 0, v, w) == 0
        ] == ways
        assert bool(overcome.can_cancel(state)) == bool(ways)
        if not ways:
            break
        v, w = luck.choice(ways)
        before = int(over.rolled[v])
        overcome.do_cancel(box, state, new_event_buffer(), 0, v, w)
        assert int(over.rolled[v]) == before - 1


@pytest.mark.parametrize("seed", SEEDS)
def test_dice_of_a_round_go_to_the_supply(seed: int) -> None:
    """7.8, 14.71: assets whatever they did; action dice are no one's supply; of who falls only its own."""
    for whole in (True, False):
        scene = fighting(seed)
        state, over = scene.state, scene.state.over
        state.in_play[:] = 50
        gone = [0] * RES
        for h in range(3) if whole else (1,):
            for r in range(RES):
                gone[r] += sum(
                    int(over.react[h, FACES + r * FACES + v] + over.add[h, r * FACES + v]) for v in range(FACES)
                )
        if whole:
            overcome.spend_round(state)
            assert not any(x.any() for x in (over.react, over.add, over.rolled, over.cancelled))
        else:
            joined = int(over.joined)
            heroes.leave_overcoming(state, 1)
            assert int(over.joined) == joined & ~2
            assert not over.react[1].any()
            assert not over.add[1].any()
        assert [50 - int(n) for n in state.in_play] == gone


@pytest.mark.parametrize("seed", SEEDS)
def test_what_matching_dice_are_worth(seed: int) -> None:
    """11.1, 14.74: of every pool and of every place, if one of the obstacle's tags is theirs."""
    luck = random.Random(seed)
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    state = scene.state
    for r in range(RES):
        for v in range(FACES):
            state.pools[r, v] = luck.randrange(3)
            state.assets[luck.randrange(SLOTS), r, v] = luck.randrange(3)
    for card in luck.sample(range(scene.box.n_obstacles), 20):
        kinds = [r for r in range(RES) if s.n_threat_tags(scene.box, state, card, r) > 0]
        worth = sum((v + 1) * int(state.pools[r, v] + state.assets[:, r, v].sum()) for r in kinds for v in range(FACES))
        assert int(payments.worth_against(scene.box, state, card)) == worth


def test_a_table_full_of_sixes_is_counted_to_the_end() -> None:
    """7.6, 11.1: two kinds of dice, all of them and all sixes, are worth more than a small number holds."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box, state = scene.box, scene.state
    card = next(
        card
        for card in range(box.n_obstacles)
        if sum(s.n_threat_tags(box, state, card, r) > 0 for r in range(RES)) >= 2
    )
    kinds = [r for r in range(RES) if s.n_threat_tags(box, state, card, r) > 0]
    state.assets[0, :, FACES - 1] = int(box.rules.dice_each)
    assert int(payments.worth_against(box, state, card)) == len(kinds) * FACES * int(box.rules.dice_each) > 127
    state.over.obstacle, state.over.joined = card, 1
    state.over.add[0, [r * FACES + FACES - 1 for r in range(RES)]] = int(box.rules.dice_each)
    skill = int(box.obstacle[card].skill)
    state.people[state.heroes[0].character].skills[skill] = 3
    assert int(overcome.worth_of(box, state, FACES - 1)) == RES * int(box.rules.dice_each) * (FACES + 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_where_a_step_goes_that_has_no_room(seed: int) -> None:
    """12.5: along the wheel to the first track with room; out of Sorcery to the lowest of all, the first of equal ones."""
    luck = random.Random(seed)
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box, state = scene.box, scene.state
    for _ in range(20):
        state.progress[:] = [luck.choice((3, 7, SPACES, SPACES)) for _ in range(RES)]
        for r in range(RES):
            at, wanted = r, NOBODY
            for _ in range(RES):
                at = int(box.wheel[at])
                if at < 0:
                    break
                if state.progress[at] < SPACES:
                    wanted = at
                    break
            free = [other for other in range(RES) if state.progress[other] < SPACES]
            if wanted == NOBODY and free:
                wanted = min(free, key=lambda other: int(state.progress[other]))
            assert int(tracks.beyond(box, state, r)) == wanted


@pytest.mark.parametrize("seed", SEEDS)
def test_which_values_of_a_scheme_work(seed: int) -> None:
    """8.9, 14.8, 14.11: each value that lies there, up to the threat level of the scheme's own resource; the dice are rolled once."""
    luck = random.Random(seed)
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box, state = scene.box, scene.state
    state.scheme = luck.randrange(5)
    state.threat[:] = [luck.randint(1, SPACES) for _ in range(RES)]
    for r in range(RES):
        for v in range(FACES + 1):
            state.scheme_dice[r, v] = luck.choice((0, 0, 0, 1, 2))
    own = int(box.scheme[state.scheme].resource)
    level = int(box.track[own].levels[int(state.threat[own]) - 1])
    tracks.find_hits(box, state)
    hits = {v for v in range(1, FACES + 1) if state.scheme_dice[:, v].any() and v <= level}
    assert {v + 1 for v in range(FACES) if int(state.scheme_hits) >> v & 1} == hits
    total = [int(state.scheme_dice[r].sum()) for r in range(RES)]
    buffer = new_event_buffer()
    tracks.roll_scheme(box, state, buffer)
    assert [int(state.scheme_dice[r].sum()) for r in range(RES)] == total
    assert not state.scheme_dice[:, 0].any()
    told = [one for one in drain_events(scene.d.events, buffer) if one.kind == "scheme_rolled"]
    for r in range(RES):
        for v in range(1, FACES + 1):
            assert sum(one.args[:2] == (r, v) for one in told) == int(state.scheme_dice[r, v])
