"""What happens to characters and to the campaign (9.1 to 9.6, 13.2, 13.7), reckoned a second time."""

import random

import pytest

from games.sixwinters.scene import Scene
from games.sixwinters.test_second_reading import Table
from sutler.core.bits import add, clear, members
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import ADDED_ASSET, ALL, FACES, MOMENT, RES, XP_ONLY
from sutler.games.sixwinters.cards.vocabulary import BODY, DO, PSYCHE, SORCERY
from sutler.games.sixwinters.rules import actions, cards, common, heroes, land, overcome
from sutler.games.sixwinters.rules.effects import campaign, people, who

SEEDS = range(8)


def told(scene: Scene, box: object, rule: object, *what: object) -> list[tuple[str, tuple[int, ...]]]:
    """The events that a rule tells."""
    buffer = new_event_buffer()
    rule(box, scene.state, buffer, *what)  # type: ignore[operator]
    return [(one.kind, tuple(int(n) for n in one.args)) for one in drain_events(scene.d.events, buffer)]


@pytest.mark.parametrize("seed", SEEDS)
def test_how_much_stress_an_operation_gives(seed: int) -> None:
    """13.2: what it says, or the value of the asset just added, and so much more for each obstacle in play with a tag or by name."""
    table = Table(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    state.added_value = 5
    for _ in range(10):
        op.psyche, op.body = luck.choice((0, 2, ADDED_ASSET)), luck.choice((0, 1, ADDED_ASSET))
        op.per_psyche, op.per_body, op.tags = luck.randrange(3), luck.randrange(3), table.tags()
        clear(op.named)
        named = luck.sample(range(box.n_obstacles), 5)
        for card in named:
            add(op.named, card)
        n = sum(
            table.is_in_play(card) and (int(box.obstacle[card].tags) & int(op.tags) != 0 or card in named)
            for card in range(box.n_obstacles)
        )
        for track, base, per in ((PSYCHE, op.psyche, op.per_psyche), (BODY, op.body, op.per_body)):
            wanted = (5 if base == ADDED_ASSET else int(base)) + n * int(per)
            assert int(people.amount_of(box, state, op, track)) == wanted


@pytest.mark.parametrize("by", [1, 2])
@pytest.mark.parametrize("most", [ALL, 1, 2])
def test_a_rank_rises_no_higher_than_it_may(by: int, most: int) -> None:
    """1.7: up to the highest rank, or the one the card names; and it never falls."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    top = int(scene.box.rules.most_skill)
    for rank in range(top + 1):
        person = scene.state.people[0]
        person.skills[1] = rank
        people.raise_rank(scene.box, scene.state, new_event_buffer(), 0, 1, by, most)
        assert int(person.skills[1]) == max(rank, min(rank + by, top, top if most == ALL else most))


@pytest.mark.parametrize("track", [PSYCHE, BODY])
@pytest.mark.parametrize("other_up", [False, True])
def test_who_is_knocked_out_leaves_and_its_dice_with_it(other_up: bool, track: int) -> None:
    """9.3, 14.40, 14.71: unless its seat has another character on its feet; what it has set in an overcoming is spent."""
    scene = (
        Scene().heroes("Thea at Eastkeep", "Keel at Loomwood", "Menas at Eastkeep", seats=[0, 0, 1]).dice([2, 5], [3])
    )
    state = scene.ready().state
    if not other_up:
        state.heroes[1].slot = NOBODY
    state.over.obstacle, state.over.joined = 5, 0b101
    state.over.react[0, 3] = 1
    events = told(scene, scene.box, heroes.knock_out, 0)
    assert events[0] == ("knocked_out", (int(state.heroes[0].character),))
    assert ("dice_lost" in [kind for kind, _ in events]) == (not other_up)
    assert int(state.seats[0].dice.sum()) == (2 if other_up else 0)
    assert (int(state.heroes[0].out), int(state.heroes[0].slot), int(state.over.joined)) == (1, NOBODY, 0b100)
    assert not state.over.react[0].any()
    assert int(state.seats[1].dice.sum()) == 1
    before = [int(n) for n in state.heroes[0].stress]
    heroes.hit(scene.box, state, new_event_buffer(), 0, track, 3)
    assert [int(n) for n in state.heroes[0].stress] == before, "nothing happens to who is out"


@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize("less", range(3))
def test_what_takes_stress_off(less: int, n: int) -> None:
    """9.1, 14.57: so much less comes to a character, of this track; a price is paid in full."""
    for track in (PSYCHE, BODY):
        scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
        state, one = scene.state, scene.state.heroes[0]
        one.stress[:] = 6
        state.reduced[track] = less
        heroes.hit(scene.box, state, new_event_buffer(), 0, track, n)
        assert int(one.stress[track]) == 6 - max(0, n - less)
        heroes.hit(scene.box, state, new_event_buffer(), 0, 1 - track, n)
        assert int(one.stress[1 - track]) == 6 - n
        one.stress[:] = 6
        heroes.pay_stress(scene.box, state, new_event_buffer(), 0, track, n)
        assert int(one.stress[track]) == 6 - n


@pytest.mark.parametrize("seed", SEEDS)
def test_which_conditions_can_be_erased(seed: int) -> None:
    """3.8, 14.39: those marked, but not the box on which the die of a character in play lies."""
    luck = random.Random(seed)
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    state = scene.state
    for c in range(scene.box.n_characters):
        person = state.people[c]
        person.marks[:] = luck.randrange(8), luck.randrange(8)
        h = int(person.hero)
        if h != NOBODY:
            state.heroes[h].box_no[:] = luck.randrange(4), luck.randrange(4)
        for tracks in range(1, 4):
            common.no_options(state)
            heroes.offer_conditions(state, c, tracks)
            wanted = [
                3 * track + box_no - 1
                for track in range(2)
                for box_no in range(1, 4)
                if tracks >> track & 1
                and int(person.marks[track]) >> box_no - 1 & 1
                and (h == NOBODY or int(state.heroes[h].box_no[track]) != box_no)
            ]
            assert list(members(state.options)) == wanted
        for track in range(2):
            if h != NOBODY:
                free = [
                    k
                    for k in range(int(state.heroes[h].box_no[track]) + 1, 4)
                    if not int(person.marks[track]) >> k - 1 & 1
                ]
                assert int(heroes.next_box(state, h, track)) == (free[0] if free else 0)


@pytest.mark.parametrize("year", range(1, 7))
def test_who_is_unlocked_brings_as_much_as_the_year(year: int) -> None:
    """11.2, 14.44: achievements by the number of the year; only who is locked; who is dead stays so."""
    for before in (s.LOCKED, s.UNLOCKED, s.DEAD):
        scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").set(year=year).ready()
        box, state = scene.d.box.copy(scene.box), scene.state
        c = scene.number("character", "Fuscus")
        op, person = box.ops[1], state.people[c]
        op.character, person.state, person.achievements = c, before, 0
        events = told(scene, box, campaign.op_unlock, op)
        if before == s.LOCKED:
            assert events == [("unlocked", (c,))]
            assert (int(person.state), int(person.achievements)) == (
                s.UNLOCKED,
                min(year, int(box.character[c].n_achievements)),
            )
        else:
            assert (events, int(person.state), int(person.achievements)) == ([], before, 0)


@pytest.mark.parametrize("at", range(FACES + 1))
def test_the_severing_die(at: int) -> None:
    """14.21, 14.68: laid once, if the supply has a die; then it goes up, never beyond six; not laid, nothing goes up."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box, state = scene.d.box.copy(scene.box), scene.state
    op = box.ops[1]
    f = common.push(state, common.KIND.ops, 1, 1, NOBODY)
    op.by, op.value, state.severing = 0, 3, at
    left = int(state.in_play[SORCERY])
    campaign.op_severing(box, state, new_event_buffer(), op, f)
    assert int(state.severing) == (3 if at == 0 else at)
    assert int(state.in_play[SORCERY]) - left == (at == 0)
    state.severing, op.by = at, 2
    events = told(scene, box, campaign.op_severing, op, f)
    assert int(state.severing) == (0 if at == 0 else min(FACES, at + 2))
    assert ("severed" in [kind for kind, _ in events]) == (at > 0)
    state.severing, op.by = 0, 0
    state.in_play[SORCERY] = int(box.rules.dice_each)
    campaign.op_severing(box, state, new_event_buffer(), op, f)
    assert int(state.severing) == 0


def test_texts_that_need_the_obstacle_where_it_is() -> None:
    """14.21: an overcome text that moves the card, one that gives up the dice on it, and all others."""
    box = Scene().box
    for card in range(box.n_obstacles):
        effect = box.obstacle[card].effect[MOMENT.overcome]
        kinds = [int(box.ops[i].op) for i in range(effect.first, effect.first + effect.n)]
        firsts = [kind for kind in kinds if kind in (DO.move_self, DO.card_dice_to_assets)]
        wanted = 0 if not firsts else 2 if firsts[0] == DO.move_self else 1
        assert int(overcome.goes_first(box, card)) == wanted


@pytest.mark.parametrize("deeds", ["experience", "both", "deeds"])
@pytest.mark.parametrize("seed", SEEDS)
def test_who_has_done_a_deed(seed: int, deeds: str) -> None:
    """9.6, 14.32: of those who took part whoever's deed is against a tag of the obstacle, unless experience alone counts."""
    luck = random.Random(seed)
    scene = Scene(4, deeds=deeds)
    names = luck.sample(list(scene.game.names["character"]), 4)
    scene.heroes(*(f"{name} at Eastkeep" for name in names)).ready()
    box, state = scene.box, scene.state
    found = set()
    for card in luck.sample(range(box.n_obstacles), 30):
        joined = luck.randrange(16)
        for one in state.people:
            one.achievements = 0
        frame = state.frames[common.push(state, common.KIND.aftermath, 0, 1, 0)]
        frame.obstacle, frame.todo, frame.chosen = card, joined, 0
        overcome.step_aftermath(box, state, new_event_buffer(), frame)
        for h in range(4):
            c = int(state.heroes[h].character)
            done = joined >> h & 1 and int(box.obstacle[card].tags) & int(box.character[c].deeds)
            wanted = bool(done) and box.options.deeds != XP_ONLY
            assert bool(state.people[c].achievements) == wanted
            found.add((bool(joined >> h & 1), wanted))
        state.n_frames = 0
    assert (True, False) in found


@pytest.mark.parametrize("change", [-2, -1, 0, 1, 2])
def test_ways_are_dearer_or_cheaper_and_said_so(change: int) -> None:
    """14.54: by so much, until the turn ends; of no change nothing is said."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box = scene.d.box.copy(scene.box)
    op = box.ops[1]
    op.change, op.minimum = change, 1
    buffer = new_event_buffer()
    campaign.op_move_cost(scene.state, buffer, op)
    events = [(one.kind, int(one.args[0])) for one in drain_events(scene.d.events, buffer)]
    kind = "ways_dearer" if change > 0 else "ways_cheaper"
    assert events == ([(kind, abs(change))] if change else [])
    assert (int(scene.state.move_change), int(scene.state.move_least)) == (change, 1)


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("kinds", [1, 2])
def test_how_many_missions_a_card_serves(kinds: int, both: bool) -> None:
    """6.5, 14.18: one symbol; by option another one of another resource that it has raised, if one is open."""
    scene = Scene(serve_both=both).heroes("Thea at Eastkeep", "Keel at Loomwood")
    scene.mission("The Blue Robe", "Imperial Seafood").card(0, "Cantrips").ready()
    box, state = scene.box, scene.state
    wanted = [(k, int(box.mission[state.tasks[k].mission].goal[0, 0])) for k in range(2)]
    frame = state.frames[common.push(state, common.KIND.complete, 0, 1, 0)]
    frame.step, frame.todo = cards.SERVE_STEP, 0
    for _, r in wanted[:kinds]:
        frame.todo |= 1 << r
    k, r = wanted[0]
    more = [one for one in range(RES) if int(frame.todo) >> one & 1 and one != r]
    card = int(state.heroes[0].card)
    cards.do_serve(box, state, new_event_buffer(), 0, k, r)
    assert card in [int(one) for one in state.tasks[k].card]
    assert int(state.card_at[card]) == s.CARD_AT.mission
    goes_on = both and bool(more)
    assert int(frame.step) == (cards.SERVE_STEP if goes_on else cards.TAKE_STEP)
    assert int(state.heroes[0].card) == (card if goes_on else NOBODY)


def test_of_options_that_bring_nothing_none_happens() -> None:
    """14.73: where neither would change anything nothing is asked and nothing is done; where one would, that one is."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box, state = scene.d.box.copy(scene.box), scene.state
    for row, r in ((2, 0), (3, 1)):
        box.ops[row].op, box.ops[row].resource, box.ops[row].by = DO.progress, r, -1
    op = box.ops[1]
    op.n_options, op.optional = 2, 0
    op.first[:2], op.n[:2] = (2, 3), 1
    for high in ([], [0], [1]):
        state.progress[:] = 1
        state.progress[high] = 4
        state.n_frames = 0
        f = common.push(state, common.KIND.ops, 1, 1, 0)
        is_over = who.op_choice(box, state, op, state.frames[f], f)
        assert bool(is_over) == (not high)
        assert int(state.n_frames) == (2 if high else 1)
        if high:
            assert int(state.frames[1].op) == 2 + high[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_as_many_stress_dice_are_rolled_as_the_obstacle_says(seed: int) -> None:
    """7.4: no more and no fewer; each value that has come is named with how many; what was cancelled before is forgotten."""
    table = Table(seed)
    box, state, over = table.box, table.state, table.state.over
    for card in [card for slot in range(9) for card in table.lying(slot)]:
        over.obstacle = card
        over.rolled[:], over.cancelled[:] = 2, 1
        buffer = new_event_buffer()
        overcome.roll_stress(box, state, buffer)
        assert int(over.rolled.sum()) == int(land.n_stress_dice(box, state, card))
        assert not over.cancelled.any()
        events = [tuple(int(n) for n in one.args[:2]) for one in drain_events(table.scene.d.events, buffer)]
        assert events == [(int(n), v + 1) for v, n in enumerate(over.rolled) if n]


@pytest.mark.parametrize("due", range(4))
@pytest.mark.parametrize("seed", range(4))
def test_completing_costs_the_lowest_assets(seed: int, due: int) -> None:
    """6.3: as many as the box says, the lowest first, of equal ones the first kind."""
    table = Table(seed)
    box, state = table.box, table.state
    box.rules.progress_cost = due
    slot = max(range(9), key=lambda one: int(state.assets[one].sum()))
    lying = [(v, r) for v in range(FACES) for r in range(RES) for _ in range(int(state.assets[slot, r, v]))]
    cards.pay_more(box, state, new_event_buffer(), slot)
    left = [(v, r) for v in range(FACES) for r in range(RES) for _ in range(int(state.assets[slot, r, v]))]
    assert left == lying[due:]


def test_who_is_out_goes_nowhere() -> None:
    """5.2, 9.3: a way that was begun is given up, and nothing more is paid for it."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1, 2, 3], [1]).ready()
    state = scene.state
    actions.set_out(scene.box, state, 0, scene.slot("Loomwood"), actions.BY_FOOT)
    state.heroes[0].slot = NOBODY
    actions.step_move(scene.box, state, new_event_buffer(), state.frames[0])
    assert (int(state.n_frames), int(state.heroes[0].slot), int(state.seats[0].dice.sum())) == (0, NOBODY, 3)


def test_whom_an_operation_on_a_character_changes() -> None:
    """14.73: who has the reserve action already gains none; anybody can be marked or leave, whatever actions he has."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box = scene.d.box.copy(scene.box)
    op = box.ops[1]
    op.number = 2
    for has_it in (False, True):
        scene.state.people[5].reserves = 0b100 if has_it else 0b011
        op.op = DO.gain_reserve_action
        assert bool(who.may_gain(box, scene.state, op, 5, 0)) == (not has_it)
        for other in (DO.condition, DO.kill_character):
            op.op = other
            assert who.may_gain(box, scene.state, op, 5, 0)
