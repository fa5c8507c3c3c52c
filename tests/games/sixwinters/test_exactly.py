"""Each price and each bound exactly: what is just enough, and what is one too few."""

import pytest

from games.sixwinters.scene import Scene
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import RES, SLOTS, SPACES
from sutler.games.sixwinters.cards.vocabulary import SKILLS
from sutler.games.sixwinters.phases_actions_events import R
from sutler.games.sixwinters.rules import actions, common, heroes, land, overcome, payments, preparation, tracks, turn


def pair(**options: object) -> Scene:
    """Two characters of two seats."""
    return Scene(**options).heroes("Thea at Eastkeep", "Keel at Loomwood")  # type: ignore[arg-type]


def told(scene: Scene, rule: object, *what: object) -> list[tuple[str, tuple[int, ...]]]:
    """The events that a rule tells."""
    buffer = new_event_buffer()
    rule(scene.box, scene.state, buffer, *what)  # type: ignore[operator]
    return [(one.kind, tuple(int(n) for n in one.args)) for one in drain_events(scene.d.events, buffer)]


# --- Experience (guide 3.8) ------------------------------------------------------------------------


@pytest.mark.parametrize("skill", range(len(SKILLS)))
@pytest.mark.parametrize("rank", range(4))
def test_a_rank_costs_what_it_says(skill: int, rank: int) -> None:
    """3.8: a new skill 10, a further rank three times the new one, up to the highest; one point less is too little."""
    scene = pair().set(k=0).ready()
    person = scene.state.people[scene.number("character", "Thea")]
    price = 10 if rank == 0 else 3 * (rank + 1)
    for xp, enough in ((price - 1, False), (price, True)):
        person.xp, person.skills[skill] = xp, rank
        reason = preparation.why_not_raise_skill(scene.box, scene.state, 0, skill)
        if rank >= scene.box.rules.most_skill:
            assert reason == R.top_rank
        else:
            assert reason == (0 if enough else R.no_experience)
    if rank < scene.box.rules.most_skill:
        preparation.do_raise_skill(scene.box, scene.state, new_event_buffer(), 0, skill)
        assert (int(person.xp), int(person.skills[skill])) == (0, rank + 1)


def test_an_achievement_and_a_condition_cost_what_they_say() -> None:
    """3.8: with exactly the price, and the points are gone; with one less not."""
    scene = pair().set(k=0).ready()
    person = scene.state.people[scene.number("character", "Thea")]
    price = int(scene.box.rules.xp_achievement)
    for xp in (price - 1, price):
        person.xp, person.achievements = xp, 0
        assert (preparation.why_not_achieve(scene.box, scene.state, 0) == 0) == (xp == price)
    preparation.do_achieve(scene.box, scene.state, new_event_buffer(), 0)
    assert (int(person.xp), int(person.achievements)) == (0, 1)
    for k in range(6):
        price = int(scene.box.rules.clear[k % 3])
        for xp in (price - 1, price):
            person.xp, person.marks[:] = xp, 0
            assert preparation.why_not_clear_condition(scene.box, scene.state, 0, k) == R.not_marked
            person.marks[k // 3] = 1 << k % 3
            assert (preparation.why_not_clear_condition(scene.box, scene.state, 0, k) == 0) == (xp == price)
        preparation.do_clear_condition(scene.box, scene.state, new_event_buffer(), 0, k)
        assert (int(person.xp), int(person.marks[k // 3])) == (0, 0)


def test_nobody_has_more_achievements_than_there_are() -> None:
    """9.6: each in its turn up to the last of the sheet; after it nothing is gained or told."""
    scene = pair().ready()
    for c in range(scene.box.n_characters):
        most = int(scene.box.character[c].n_achievements)
        person = scene.state.people[c]
        person.achievements = 0
        for n in range(1, most + 1):
            events = told(scene, heroes.gain_achievement, c)
            assert [(kind, args[:2]) for kind, args in events] == [("achieved", (c, n))]
        assert told(scene, heroes.gain_achievement, c) == []
        assert int(person.achievements) == most


# --- Ways and dice (guide 5) ------------------------------------------------------------------------


def test_a_way_costs_exactly_what_the_card_says() -> None:
    """5.2: with just so many action dice one may go, with one less not; where there is no way all dice are of no use."""
    seen = set()
    for place in ("Eastkeep", "Loomwood"):
        scene = Scene().heroes(f"Thea at {place}", f"Keel at {place}").ready()
        here = scene.slot(place)
        for there in range(SLOTS):
            if there == here:
                continue
            price = int(scene.box.location[scene.state.location_at[here]].move[scene.box.place[there].region])
            for n in (price - 1, price):
                if n >= 0:
                    scene.state.seats[0].dice[:] = 0
                    scene.state.seats[0].dice[2] = n
                    if actions.is_barred_way(scene.box, scene.state, here, there):
                        continue
                    assert bool(actions.can_afford(scene.box, scene.state, 0, there, actions.BY_FOOT)) == (n == price)
                    seen.add(price)
    assert seen


@pytest.mark.parametrize("n", range(5))
def test_two_dice_at_most_are_saved(n: int) -> None:
    """5.9: no more than two, and no more than one has."""
    for have in range(4):
        scene = pair().dice([3] * have, [1]).ready()
        reason = actions.why_not_done(scene.box, scene.state, 0, n)
        assert (reason == 0) == (n <= min(2, have))


@pytest.mark.parametrize("r", range(RES))
def test_no_more_dice_than_the_supply_has(r: int) -> None:
    """1.4, 14.7: the last die may be taken, none after it; a raised track fills its pool up to its level and no further."""
    scene = pair().ready()
    most = int(scene.box.rules.dice_each)
    for n in (most - 1, most):
        scene.state.in_play[r] = n
        got = common.take_from_supply(scene.box, scene.state, new_event_buffer(), r)
        assert (bool(got), int(scene.state.in_play[r])) == (n < most, most)
    for space in range(1, SPACES + 1):
        scene.state.progress[r], scene.state.in_play[r] = space, 0
        scene.state.pools[r, :] = 0
        scene.state.pools[r, 3] = 1
        common.fill_pool(scene.box, scene.state, new_event_buffer(), r)
        level = int(scene.box.track[r].levels[space - 1])
        assert int(common.pool_size(scene.state, r)) == max(1, level)


# --- Overcoming and paying off (guide 7, 11.1) --------------------------------------------------------


@pytest.mark.parametrize("short", [0, 1])
def test_an_obstacle_is_overcome_at_exactly_its_difficulty(short: int) -> None:
    """7.6: the progress of all values so far reaches it, or lacks one."""
    scene = pair().obstacles("Eastkeep", "Tripwire").dice([4], [1]).ready()
    card = scene.number("obstacle", "Tripwire")
    over = scene.state.over
    over.obstacle, over.leader, over.joined, over.at = card, 0, 1, 3
    worth = int(overcome.worth_of(scene.box, scene.state, 3))
    assert worth > 0
    over.total = int(land.difficulty(scene.box, scene.state, card)) - worth - short
    f = common.push(scene.state, common.KIND.overcome, 0, 1, 0)
    events = told(scene, overcome.step_count, f)
    assert (("overcome", (card,)) in events) == (short == 0)
    assert [kind for kind, _ in events].count("tallied") == 1
    if short:
        assert int(over.at) == 4


@pytest.mark.parametrize("short", [0, 1])
def test_an_obstacle_is_paid_off_with_exactly_its_difficulty(short: int) -> None:
    """11.1: matching pool dice and assets from anywhere, together; one point less is too little."""
    scene = pair().obstacles("Eastkeep", "Tripwire").ready()
    card = scene.number("obstacle", "Tripwire")
    kinds = [r for r in range(RES) if s.n_threat_tags(scene.box, scene.state, card, r) > 0]
    due = int(land.difficulty(scene.box, scene.state, card)) - short
    scene.state.pools[:], scene.state.assets[:] = 0, 0
    for r in set(range(RES)) - set(kinds):
        scene.state.pools[r, 5] = 5
    scene.state.assets[scene.slot("Loomwood"), kinds[0], 0] = 1
    scene.state.pools[kinds[-1], 0] = due - 1
    assert int(payments.worth_against(scene.box, scene.state, card)) == due
    assert (payments.why_not_clear_obstacle(scene.box, scene.state, 0, card) == 0) == (short == 0)


# --- Tracks (guide 2.1, 8.6) ---------------------------------------------------------------------------


@pytest.mark.parametrize("r", range(RES))
def test_a_threat_stays_on_its_track(r: int) -> None:
    """14.6: between the first space and the last; a step beyond the last is a die on the scheme, in year one nothing."""
    for scheme in (NOBODY, 0):
        scene = pair().ready()
        scene.state.scheme = scheme
        if scene.box.track[r].has_threats == 0:
            assert told(scene, tracks.change_threat, r, 2) == []
            continue
        scene.state.threat[r] = SPACES - 1
        events = told(scene, tracks.change_threat, r, 3)
        assert events == [
            ("threat_rose", (r, SPACES)),
            *([("scheme_fed", (r, 2))] if scheme != NOBODY else []),
        ]
        scene.state.threat[r] = 3
        assert told(scene, tracks.change_threat, r, -2) == [("threat_fell", (r, 1))]
        assert told(scene, tracks.change_threat, r, -2) == [("threat_fell", (r, 1))]


@pytest.mark.parametrize("r", range(RES))
def test_progress_stays_on_its_track(r: int) -> None:
    """2.1, 14.4, 14.5: between the first space and the last; a step beyond it is wasted and said so."""
    scene = pair().ready()
    scene.state.progress[r] = SPACES - 1
    kinds = [one for one in told(scene, tracks.change_progress, r, 2) if one[0] in ("raised", "wasted")]
    assert kinds == [("raised", (r, SPACES)), ("wasted", (r,))]
    scene.state.progress[r] = 2
    assert told(scene, tracks.change_progress, r, -1) == [("lowered", (r, 1))]
    assert told(scene, tracks.change_progress, r, -3) == [("lowered", (r, 1))]


@pytest.mark.parametrize("tags", range(6))
def test_two_tags_are_free(tags: int) -> None:
    """8.6: each tag beyond two raises its threat by one; two do nothing and nothing is told of them."""
    scene = pair().ready()
    r = next(r for r in range(RES) if scene.box.track[r].has_threats == 1)
    scene.state.tags[:], scene.state.threat[:] = 0, 4
    scene.state.tags[r] = tags
    events = told(scene, turn.step_threats)
    assert int(scene.state.threat[r]) == 4 + max(0, tags - 2)
    assert (("tagged", (r, tags)) in events) == (tags > 2)


# --- Stress (guide 9.1, 9.2) ------------------------------------------------------------------------------


@pytest.mark.parametrize("track", range(2))
def test_a_die_falls_when_it_comes_to_zero(track: int) -> None:
    """9.1, 9.2: one point left is no fall; at zero it goes to the next unmarked box, after the third the character is out."""
    scene = pair().ready()
    one = scene.state.heroes[0]
    person = scene.state.people[one.character]
    start = int(person.start[track])
    one.stress[track] = 4
    heroes.take_stress(scene.box, scene.state, new_event_buffer(), 0, track, 3)
    assert (int(one.stress[track]), int(one.box_no[track])) == (1, 0)
    for box_no in (1, 2, 3):
        one.stress[track] = 2
        events = told(scene, heroes.take_stress, 0, track, 2)
        assert ("fell", (int(one.character), 3 * track + box_no - 1)) in events
        assert (int(one.stress[track]), int(one.box_no[track])) == (start, box_no)
        assert int(person.marks[track]) == (1 << box_no) - 1
    assert int(one.out) == 0
    one.stress[track] = 1
    heroes.take_stress(scene.box, scene.state, new_event_buffer(), 0, track, 1)
    assert (int(one.out), int(one.slot)) == (1, NOBODY)
    assert told(scene, heroes.take_stress, 0, track, 1) == []
