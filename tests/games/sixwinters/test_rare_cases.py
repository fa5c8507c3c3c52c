"""Cases that a table seldom comes to: each where it is just so, and where it is just not, counted from print."""

from typing import Any

import pytest

from games.sixwinters.scene import Scene, offers, pool
from sutler.contract.helpers import load_game, play
from sutler.core.bits import add, clear, members
from sutler.core.chance import die
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import TO
from sutler.games.sixwinters.cards.vocabulary import (
    BODY,
    DIPLOMACY,
    DO,
    MILITARY,
    PSYCHE,
    SKILLS,
    SORCERY,
    SUPPORT,
    WHO,
)
from sutler.games.sixwinters.phases_actions_events import P, R
from sutler.games.sixwinters.rules import (
    abilities,
    actions,
    cards,
    common,
    ending,
    heroes,
    missions,
    overcome,
    preparation,
    tracks,
)
from sutler.games.sixwinters.rules import land as on_land
from sutler.games.sixwinters.rules.common import KIND, push
from sutler.games.sixwinters.rules.effects import campaign, dice, land, people, who
from sutler.games.sixwinters.rules.land import n_showing

SHEET = load_game("sixwinters").sheet


def pair(here: str = "Parisa's Glen", **options: object) -> Scene:
    """Thea and Keel."""
    return Scene(**options).heroes(f"Thea at {here}", "Keel at Loomwood")  # type: ignore[arg-type]


def told(scene: Scene, rule: Any, *what: object, box: Any = None) -> list[tuple[str, tuple[int, ...]]]:
    """What a rule tells."""
    buffer = new_event_buffer()
    rule(scene.box if box is None else box, scene.state, buffer, *what)
    return [(one.kind, tuple(int(n) for n in one.args)) for one in drain_events(scene.d.events, buffer)]


# --- Actions (guide 5) ------------------------------------------------------------------------------


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_the_speaker_takes_all_before_any_other_die(rank: int) -> None:
    """14.31: all dice of the value, or dice one by one as far as the rank goes; after the first of these no longer all."""
    scene = pair().location("Amaranth Bourne", "Brightdune support").person("Thea", survival=rank)
    pos = scene.effects("Speaker for the East").dice([3], []).pools(support=[3, 3, 3, 3]).go()
    play(pos, "create with action 3")
    assert "take all of this value" in offers(pos)
    play(pos, "take die 3")
    assert "take all of this value" not in offers(pos)
    assert (pos.state.phase == P.create) == (rank > 1)
    if rank > 1:
        assert pos.why_not("take all of this value") is not None


@pytest.mark.parametrize("v", range(1, b.FACES + 1))
def test_the_speaker_takes_all_of_any_value(v: int) -> None:
    """14.31: a 1 as well as a 6: every die that shows what the action die shows, and no other."""
    pos = pair().effects("Speaker for the East").dice([v], []).pools(support=[1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]).go()
    play(pos, f"create with action {v}", "take all of this value")
    assert pool(pos, "support") == [w for w in range(1, b.FACES + 1) for _ in range(2) if w != v]


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("what", ["create with pool technology 4", "trade with pool technology 4", "ability 7"])
def test_each_pool_die_serves_where_field_work_lies(what: str, n: int) -> None:
    """14.57: one Technology die is enough for whatever an action die pays, and none is too few."""
    scene = pair("Eastkeep").obstacles("Eastkeep", "Field Work").dice([], []).person("Thea", achievements=4)
    pos = scene.pools(technology=[4] * n, support=[1], military=[1], espionage=[1], diplomacy=[1]).go()
    assert (what in offers(pos)) == (n > 0)
    if n > 0:
        play(pos, what)
        assert pool(pos, "technology") == [4] * (n - 1)
        assert int(pos.game.definition.check(pos.game.box, pos.state)) == 0


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_pool_die_pays_a_locations_action(n: int) -> None:
    """5.5, 14.57: Sightrock Keep moves a unit for an action die of any value, or for a Technology die where Field Work lies."""
    scene = pair("Brightdune support").location("Sightrock Keep", "Brightdune support").dice([], [])
    scene.obstacles("Brightdune support", "Field Work").obstacles("Loomwood", "Legionary 1")
    pos = scene.pools(technology=[4] * n).go()
    name = "location action with pool technology 4"
    assert (name in offers(pos)) == (n > 0)
    if n > 0:
        play(pos, name)
        assert pool(pos, "technology") == [4] * (n - 1)


@pytest.mark.parametrize("by_stress", [False, True])
def test_war_fatigue_lets_no_military_be_created_in_brightdune(by_stress: bool) -> None:
    """8.9: while that effect lasts no Military asset is created there, with a die or by stress; Support is, and elsewhere it is."""
    scheme, v = next(
        (i, v) for i, one in enumerate(SHEET.scheme) for v, e in enumerate(one.effect) if e.name == "War Fatigue"
    )
    for resource, region in (("military", "Brightdune"), ("support", "Brightdune"), ("military", "The Empire")):
        for lasting in (0, 1 << v):
            place = f"{region} {resource}"
            scene = pair(place).dice([6], []).pools(**{resource: [1]}).scheme(SHEET.scheme[scheme].name)
            scene.state.lasting = lasting
            if by_stress:
                scene.location("The Weird Rock", place)
            pos = scene.go()
            name = "create by stress" if by_stress else "create with action 6"
            is_free = not (lasting and resource == "military" and region == "Brightdune")
            assert (name in offers(pos)) == is_free
            assert (pos.why_not(name) is None) == is_free


@pytest.mark.parametrize("cost", [0, 1, 2])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_completing_wants_as_many_more_assets_as_it_costs(cost: int, n: int) -> None:
    """6.3: the last die, and what completing costs on top, all at the place."""
    scene = pair(**{"rules.progress_cost": cost})  # type: ignore[arg-type]
    scene.card(0, "On Two Fronts").assets("Parisa's Glen", *["support 3"] * n)
    state = scene.ready().state
    end = int(scene.box.card[state.heroes[0].card].end)
    reason = cards.why_not_put(scene.box, state, 0, end, SUPPORT * b.FACES + 2)
    assert (reason == R.costs_more) == (n - 1 < cost)


# --- Overcoming (guide 7) -----------------------------------------------------------------------------


@pytest.mark.parametrize("joined", [0b01, 0b10, 0b11])
@pytest.mark.parametrize("what", ["nothing", "die", "asset", "stash"])
def test_what_another_round_can_be_fought_with(what: str, joined: int) -> None:
    """7.8, 9.9, 14.61: an action die, an asset at hand or a die on the mat of somebody who takes part and is on its feet."""
    scene = Scene(stash=True).heroes("Menas at Eastkeep", "Keel at Loomwood").dice([], [])
    scene.person("Menas", achievements=6)
    if what == "die":
        scene.dice([4], [])
    elif what == "asset":
        scene.assets("Eastkeep", "support 2")
    state = scene.ready().state
    k = next(
        k
        for k, one in enumerate(scene.box.character[scene.number("character", "Menas")].ability)
        if scene.box.ops[one.effect.first].op == DO.stash
    )
    state.heroes[0].stash[k] = int(what == "stash")
    state.over.obstacle, state.over.joined = 0, joined
    assert bool(overcome.has_more(scene.box, state)) == (what != "nothing" and joined & 1 == 1)
    assert bool(overcome.may_still_set(scene.box, state)) == (what in ("asset", "stash") and joined & 1 == 1)
    state.over.asked = joined
    assert not overcome.may_still_set(scene.box, state)
    state.heroes[0].slot = NOBODY
    assert not overcome.has_more(scene.box, state)


def test_only_the_seat_of_whoever_sets_dice_uses_its_abilities() -> None:
    """9.4: in an overcome the character whose dice are being set, at its own seat; outside the acting one."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([5], [5]).obstacles("Eastkeep", "Tripwire")
    state = scene.ready().state
    assert [int(abilities.user(state, seat)) for seat in range(2)] == [0, NOBODY]
    state.phase, state.over.obstacle, state.over.leader = P.allocate, scene.number("obstacle", "Tripwire"), 0
    state.over.joined = 0b11
    for asked, wanted in ((0b00, [0, NOBODY]), (0b01, [NOBODY, 1]), (0b11, [0, NOBODY])):
        state.over.asked = asked
        assert [int(abilities.user(state, seat)) for seat in range(2)] == wanted


# --- Tracks, schemes and missions (guide 2, 8, 11) --------------------------------------------------------


@pytest.mark.parametrize("critical", [False, True])
@pytest.mark.parametrize("r", range(b.RES))
@pytest.mark.parametrize("by", [-1, 0, 1])
def test_a_critical_threat(r: int, by: int, critical: bool) -> None:
    """12.10: with the option a Military or Sorcery threat that rises to level six loses the campaign, and nothing else does."""
    for space in (1, 10, 11, 12):
        scene = pair(critical=critical)
        scene.state.threat[r] = space
        level = int(scene.box.track[r].levels[max(1, min(b.SPACES, space + by)) - 1])
        tracks.change_threat(scene.box, scene.state, new_event_buffer(), r, by)
        lost = critical and by > 0 and r in (MILITARY, SORCERY) and level == 6
        assert int(scene.state.outcome) == (s.OUTCOME.lost if lost else s.OUTCOME.open)


def test_the_season_of_the_severing_die() -> None:
    """14.21, 14.68: 1 is spring, 2 summer, 3 fall, 4 to 6 winter: that season's event follows, for as many piles as show it."""
    scene = pair().threat(sorcery=12).tops("summer", "fall", "winter").set(severing=1)
    state = scene.ready().state
    box = scene.d.box.copy(scene.box)
    box.ops[1].by = 1
    seen = set[int]()
    while len(seen) < b.FACES:
        rolled = int(die(scene.d.state.copy(state), b.FACES))
        tried = scene.d.state.copy(state)
        f = push(tried, KIND.ops, 1, 1, NOBODY)
        assert not campaign.op_severing(box, tried, new_event_buffer(), box.ops[1], f)
        season = ("winter", "spring", "summer", "fall").index(
            {1: "spring", 2: "summer", 3: "fall"}.get(rolled, "winter")
        )
        event = box.event[season, n_showing(box, tried, season)]
        top = tried.frames[tried.n_frames - 1]
        assert (int(top.op), int(top.left)) == (int(event.first), int(event.n))
        seen.add(rolled)
        die(state, b.FACES)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("i", [i for i, one in enumerate(SHEET.mission) if one.goal_base])
def test_a_mission_is_passed_with_all_that_it_asks_for(i: int, side: int) -> None:
    """11.2, 14.17: at the year's end every symbol of its setting filled and every obstacle it names overcome; one less is failed."""
    name = load_game("sixwinters").names["mission"][i]
    goals = len(SHEET.mission[i].goal_difficult if side else SHEET.mission[i].goal_base)
    for missing in range(-1, goals + int(load_game("sixwinters").box.mission[i].n_then)):
        scene = pair().mission(name, difficult=(side, 0)).set(year=3)
        state = scene.ready().state
        task = state.tasks[0]
        for n in range(goals):
            task.card[n] = NOBODY if n == missing else n
        for n in range(int(scene.box.mission[i].n_then)):
            task.then[n] = s.WANTED if goals + n == missing else s.OVERCOME_IT
        state.part, state.k = s.PART.results, 0
        assert told(scene, ending.step_results) == [("passed" if missing < 0 else "failed", (i,))]
        assert int(state.mission[i]) == (s.PASSED if missing < 0 else s.FAILED)
        symbols = [missions.open_symbol(scene.box, state, 0, r) for r in range(b.RES)]
        assert [n for n in symbols if n >= 0] == ([missing] if 0 <= missing < goals else [])


@pytest.mark.parametrize("n", [0, 1, 2])
def test_the_order_of_missions_is_asked_of_two(n: int) -> None:
    """3.4: which is set up first is asked where there are two."""
    scene = pair().mission(*["Honest Days Work", "The Blue Robe"][:n]).part(s.PART.order).set(tasks_first=1)
    preparation.step_order(scene.state)
    assert (scene.state.phase == P.order) == (n == 2)
    assert (int(scene.state.part), int(scene.state.tasks_first)) == ((s.PART.order, 1) if n == 2 else (s.PART.setup, 0))


def test_a_campaign_that_ends_in_the_middle_of_an_overcome() -> None:
    """11.7: nothing is being overcome any more, nothing goes on, and it is told how it ended."""
    for outcome, kind in ((s.OUTCOME.won, "won"), (s.OUTCOME.lost, "lost"), (s.OUTCOME.ended, "ended")):
        scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").obstacles("Eastkeep", "Tripwire")
        state = scene.ready().state
        state.over.obstacle, state.over.joined, state.over.total = scene.number("obstacle", "Tripwire"), 1, 5
        push(state, KIND.overcome, 0, 1, 0)
        assert told(scene, ending.finish, outcome) == [(kind, ())]
        assert (int(state.over.obstacle), int(state.over.joined), int(state.over.total)) == (NOBODY, 0, 0)
        assert (int(state.n_frames), int(state.phase), int(state.outcome)) == (0, P.over, outcome)


# --- Session start (guide 3) --------------------------------------------------------------------------


@pytest.mark.parametrize(("year", "pass_no"), [(1, 0), (1, 1), (2, 0), (2, 1), (6, 1)])
def test_what_comes_after_the_characters_are_chosen(year: int, pass_no: int) -> None:
    """3.7, 3.8, 12.1: reserve actions and experience from the second year on; in a second pass experience only."""
    scene = Scene(1, solo="passes").set(year=year, pass_no=pass_no)
    scene.state.n_heroes = 1
    scene.state.heroes[0].seat = 0
    scene.state.people[scene.number("character", "Thea")].xp = 30
    pos = scene.part(s.PART.take).go()
    play(pos, "take Thea")
    seen = [int(pos.state.phase)]
    while pos.state.phase in (P.reserve, P.advance):
        play(pos, "no action" if pos.state.phase == P.reserve else "ready")
        seen.append(int(pos.state.phase))
    assert (P.reserve in seen) == (year > 1 and pass_no == 0)
    assert (P.advance in seen) == (year > 1)


@pytest.mark.parametrize(("deeds", "may"), [("deeds", False), ("experience", True), ("both", True)])
def test_whether_an_achievement_may_be_bought(deeds: str, may: bool) -> None:
    """3.8, 12.6: for experience, unless the table plays by deeds only."""
    scene = pair(deeds=deeds).set(k=0).ready()
    scene.state.people[scene.number("character", "Thea")].xp = 99
    reason = preparation.why_not_achieve(scene.box, scene.state, 0)
    assert reason == (0 if may else R.by_deeds_only)


@pytest.mark.parametrize("left", ["wilderness", "eldritch", "rural", ""])
def test_the_forager_wants_a_place_in_reserve(left: str) -> None:
    """3.7, 9.7: any wilderness or eldritch location of the reserve; with none left he has nothing to do."""
    scene = pair().set(year=2)
    state = scene.state
    other = scene.number("character", "Fuscus")
    action = scene.number("reserve", "Forager")
    state.people[other].reserves = 1 << action
    spare = [i for i in range(scene.box.n_locations) if i not in list(state.location_at)]
    kept = [i for i in spare if left in SHEET.location[i].tags][:1]
    for i in set(spare) - set(kept):
        add(state.burned_locations, i)
    state.k = other
    reason = preparation.why_not_reserve_action(scene.box, state, 0, action)
    assert (reason == 0) == (bool(kept) and left in ("wilderness", "eldritch"))


# --- What cards do (guide 13) -------------------------------------------------------------------------


def test_a_location_may_bear_a_threat_tag() -> None:
    """1.11: of a designer's box: counted once where its region and tags are those asked for, by as many as it says."""
    scene = pair().ready()
    box, state = scene.d.box.copy(scene.box), scene.state
    location = int(state.location_at[4])
    box.location[location].effect[b.MOMENT.standing].first, box.location[location].effect[b.MOMENT.standing].n = 1, 1
    op, before = box.ops[1], int(state.tags[DIPLOMACY])
    op.op, op.resource, op.count_of = DO.extra_threat, DIPLOMACY, 2
    region, tags = int(box.place[4].region), int(box.location[location].tags)
    for asked in (NOBODY, *range(b.N_REGIONS)):
        for places in (0, tags, 0xFF & ~tags):
            op.region, op.places = asked, places
            s.recount(box, state)
            counts = asked in (NOBODY, region) and (places == 0 or places & tags != 0)
            assert int(state.tags[DIPLOMACY]) - before == (2 if counts else 0)


def test_dice_of_one_card_leave_those_of_another() -> None:
    """13.5: what lies on this obstacle becomes assets here, all of it; what lies on others stays on them."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").obstacles("Eastkeep", "Eight Ears", "Tripwire")
    one, other = scene.number("obstacle", "Eight Ears"), scene.number("obstacle", "Tripwire")
    for order in ([one, other, one], [other, one, other], [other, other, one], [one, one, other]):
        state = scene.d.state.copy(scene.ready().state)
        for i, card in enumerate(order):
            state.die_on[i], state.die_is[i] = card, i * b.FACES + i
        state.n_on_cards = len(order)
        frame = state.frames[push(state, KIND.ops, 1, 1, 0)]
        frame.obstacle = one
        dice.op_card_dice(state, new_event_buffer(), frame)
        left = [(int(state.die_on[i]), int(state.die_is[i])) for i in range(int(state.n_on_cards))]
        assert sorted(left) == [(card, i * b.FACES + i) for i, card in enumerate(order) if card == other]
        here = [int(state.assets[scene.slot("Eastkeep"), i, i]) for i in range(len(order))]
        assert here == [int(card == one) for card in order]


@pytest.mark.parametrize("have", [0, 1, 2, 3])
def test_of_an_exchange_all_is_paid_or_nothing_comes(have: int) -> None:
    """9.11: two assets of one resource are spent, then one of the other is rolled; where they run out nothing comes."""
    scene = pair().assets("Parisa's Glen", *["support 3"] * have)
    state = scene.ready().state
    box = scene.d.box.copy(scene.box)
    op = box.ops[1]
    op.resource, op.count_of, op.gain, op.gains = SUPPORT, 2, MILITARY, 1
    frame = state.frames[push(state, KIND.ops, 1, 1, 0)]
    frame.slot, frame.step, frame.todo = 4, 0, 0
    while not dice.op_exchange(box, state, new_event_buffer(), op, frame):
        assert frame.step == 1
    n = [int(state.assets[4, r].sum()) for r in (SUPPORT, MILITARY)]
    assert n == ([have - 2, 1] if have >= 2 else [0, 0])


@pytest.mark.parametrize("have", [0, 1, 2])
def test_what_is_not_paid_for_does_not_happen(have: int) -> None:
    """9.11: an asset of the value at the character's place is spent; where none is, what it pays for is left out."""
    scene = pair().assets("Parisa's Glen", *["support 3"] * have, "support 2").assets("Eastkeep", "support 3")
    state = scene.ready().state
    op = scene.d.box.copy(scene.box).ops[1]
    op.resource, op.value = SUPPORT, 3
    frame = state.frames[push(state, KIND.ops, 1, 4, 0)]
    frame.slot = 4
    dice.op_pay_asset(state, new_event_buffer(), op, frame)
    assert int(state.assets[4, SUPPORT, 2]) == max(0, have - 1)
    assert int(state.assets[4, SUPPORT, 1]) == 1
    assert int(frame.left) == (4 if have else 1)


@pytest.mark.parametrize("optional", [0, 1])
def test_only_a_may_is_asked(optional: int) -> None:
    """1.12: what may be done is asked of whoever it concerns, what is to be done is not."""
    scene = pair().ready()
    state, op = scene.state, scene.d.box.copy(scene.box).ops[1]
    frame = state.frames[push(state, KIND.ops, 1, 1, 1)]
    frame.step, op.optional, state.answer, state.to_act = 0, optional, 7, 0
    assert not who.confirm(state, frame, op, 1)
    assert int(frame.step) == 1
    if optional:
        assert (int(state.phase), int(state.may_decline), int(state.to_act)) == (P.confirm, 1, 1)
    else:
        assert (int(state.phase), int(state.may_decline), int(state.answer)) == (P.act, 0, 1)


@pytest.mark.parametrize("ordered", [0, 1])
def test_whether_it_matters_which_copy_comes(ordered: int) -> None:
    """14.19: only where a later step of the mission, side by side with this one, asks for a copy of the same obstacle."""
    scene = pair().mission("Honest Days Work")
    box = scene.d.box.copy(scene.box)
    printed = box.mission[scene.state.tasks[0].mission]
    printed.n_then, printed.ordered = 3, ordered
    printed.then_group[:3] = [5, 6, 5]
    found = [bool(missions.waits_for_more(box, scene.state, 0, i)) for i in range(3)]
    assert found == ([True, False, False] if not ordered else [False] * 3)


def frame_of(scene: Scene, hero: int = 0, slot: int = NOBODY, obstacle: int = NOBODY) -> tuple[Any, Any, Any, int]:
    """A box of its own, its first operation, and a frame in which that is about to begin."""
    scene.ready()
    box = scene.d.box.copy(scene.box)
    f = push(scene.state, KIND.ops, 1, 1, hero)
    frame = scene.state.frames[f]
    frame.slot, frame.obstacle = slot, obstacle
    op = box.ops[1]
    for name in ("places", "regions", "tags", "below", "per_psyche", "per_body", "optional", "count_of"):
        setattr(op, name, 0)
    op.threat = op.skill = op.region = NOBODY
    return box, op, frame, f


@pytest.mark.parametrize("answers", [(0, 0), (2, 3), (3, 1), (1, 0)])
def test_oniri_takes_as_much_of_each_as_she_likes(answers: tuple[int, int]) -> None:
    """9.10, 13.2: three points of body stress for each of three; of those of the two others she takes what she says, one by one."""
    scene = Scene(3).heroes("Oniri at Eastkeep", "Thea at Loomwood", "Keel at Eastkeep").person("Oniri", achievements=5)
    for h in range(3):
        scene.state.heroes[h].stress[:] = 6
    box, op, frame, f = frame_of(scene)
    state = scene.state
    oniri = state.heroes[0]
    oniri.box_no[BODY], oniri.stress[BODY] = 0, 6
    op.op, op.who, op.psyche, op.body = DO.stress, WHO.all, 1, 3
    asked = list[int]()
    while not people.op_stress(box, state, new_event_buffer(), op, frame, f):
        top = state.frames[state.n_frames - 1]
        heroes.step_stress(box, state, new_event_buffer(), top)
        assert (int(state.to_act), list(members(state.options))) == (0, [0, 1, 2, 3])
        assert int(state.n_frames) == f + 2
        state.answer = answers[len(asked)]
        asked.append(int(top.hero))
        heroes.step_stress(box, state, new_event_buffer(), top)
        assert int(state.n_frames) == f + 1
    assert asked == [1, 2]
    assert [int(state.heroes[h].stress[PSYCHE]) for h in range(3)] == [5, 5, 5]
    assert [int(state.heroes[h].stress[BODY]) for h in (1, 2)] == [3 + n for n in answers]
    fallen = sum(answers) >= 3  # at zero the die goes to its base in the next box, and what is left goes on from there
    assert int(oniri.box_no[BODY]) == int(fallen)
    base = int(state.people[oniri.character].start[BODY])
    assert int(oniri.stress[BODY]) == (base - (sum(answers) - 3) if fallen else 3 - sum(answers))


@pytest.mark.parametrize(
    "op_name", ["skill_up", "clear_condition", "base_stress_up", "kill_character", "gain_reserve_action"]
)
def test_with_nobody_in_reserve_nothing_happens(op_name: str) -> None:
    """14.15, 14.73: where no character is there to whom it would bring something nobody is asked, and nothing is told or changed."""
    scene = pair()
    for c in range(scene.box.n_characters):
        one = scene.state.people[c]
        one.state = s.LOCKED
        one.marks[:] = 1
    box, op, frame, _ = frame_of(scene, hero=NOBODY)
    op.op, op.who, op.character, op.skills, op.most, op.by = (
        getattr(DO, op_name),
        WHO.other_reserve,
        NOBODY,
        0xFF,
        b.ALL,
        1,
    )
    rule = {
        "skill_up": people.op_skill_up,
        "kill_character": campaign.op_kill,
        "gain_reserve_action": campaign.op_reserve_action,
    }.get(op_name, people.op_person)
    before = [bytes(one.tobytes()) for one in scene.state.people]
    buffer = new_event_buffer()
    assert rule(box, scene.state, buffer, op, frame)
    assert (int(buffer.n_told), int(scene.state.phase)) == (0, P.act)
    assert [bytes(one.tobytes()) for one in scene.state.people] == before


@pytest.mark.parametrize("dice_of", [([], []), ([], [3]), ([2, 2], []), ([1, 5], [6])])
def test_who_has_no_die_to_set_is_passed_over(dice_of: tuple[list[int], list[int]]) -> None:
    """14.57: each character meant may set one of its action dice; one that has none is not asked."""
    scene = pair().dice(*dice_of)
    box, op, frame, _ = frame_of(scene)
    op.op, op.who, op.optional = DO.set_action_die, WHO.all, 1
    state, asked = scene.state, []
    while not people.op_set_action_die(box, state, new_event_buffer(), op, frame):
        asked.append((int(state.to_act), [v + 1 for v in members(state.options)]))
        state.answer = NOBODY
    assert asked == [(seat, sorted(set(values))) for seat, values in enumerate(dice_of) if values]


def test_who_goes_where_something_waits_meets_it_first() -> None:
    """13.2, 14.54: of two that may move the second is asked once what the first has met is done with."""
    scene = pair()
    waiting = next(i for i in range(scene.box.n_obstacles) if scene.box.obstacle[i].effect[b.MOMENT.enter].n > 0)
    scene.obstacles("Whitehold", scene.game.names["obstacle"][waiting])
    there = scene.slot("Whitehold")
    box, op, frame, f = frame_of(scene)
    op.op, op.who, op.optional = DO.free_move, WHO.all, 1
    state = scene.state
    assert not people.op_free_move(box, state, new_event_buffer(), op, frame, f)
    assert (int(state.to_act), list(members(state.options))) == (0, [slot for slot in range(b.SLOTS) if slot != 4])
    state.answer = there
    assert not people.op_free_move(box, state, new_event_buffer(), op, frame, f)
    assert int(state.heroes[0].slot) == there
    assert int(state.n_frames) == f + 2
    state.n_frames = f + 1
    assert not people.op_free_move(box, state, new_event_buffer(), op, frame, f)
    assert int(state.to_act) == 1
    state.answer = NOBODY
    assert people.op_free_move(box, state, new_event_buffer(), op, frame, f)
    assert int(state.heroes[1].slot) == scene.slot("Loomwood")


@pytest.mark.parametrize("where", ["in play", "in reserve", "burned"])
def test_a_location_comes_from_the_reserve_only(where: str) -> None:
    """14.16, 14.24: in play already, or gone for good: nothing happens; else it lies where the text says, and is told."""
    scene = pair()
    state = scene.state
    card = next(i for i in range(scene.box.n_locations) if i not in list(state.location_at))
    if where == "in play":
        state.location_at[7] = card
    elif where == "burned":
        add(state.burned_locations, card)
    box, op, frame, _ = frame_of(scene, slot=4)
    clear(op.lands)
    add(op.lands, card)
    op.to = TO.here
    before = list(state.location_at)
    buffer = new_event_buffer()
    assert land.op_place_location(box, state, buffer, op, frame)
    assert list(state.location_at) == ([*before[:4], card, *before[5:]] if where == "in reserve" else before)
    kinds = [one.kind for one in drain_events(scene.d.events, buffer)]
    assert kinds == (["location_placed"] if where == "in reserve" else [])


@pytest.mark.parametrize("lies", [False, True])
def test_an_obstacle_that_is_gone_moves_nowhere(lies: bool) -> None:
    """13.3: what its text would move is no longer in play: it stays where it is."""
    scene = pair()
    card = scene.number("obstacle", "Tripwire")
    if lies:
        scene.obstacles("Eastkeep", "Tripwire")
    box, op, frame, _ = frame_of(scene, obstacle=card)
    op.to, op.slots = TO.slot, 1 << scene.slot("Whitehold")
    clear(op.lands)
    before = int(scene.state.obstacle_at[card])
    assert land.op_move_self(box, scene.state, new_event_buffer(), op, frame)
    assert int(scene.state.obstacle_at[card]) == (scene.slot("Whitehold") if lies else before)


@pytest.mark.parametrize("answer", [2, 6])
def test_a_named_obstacle_comes_to_one_of_several_places(answer: int) -> None:
    """3.4, 14.29: asked where, once; then it lies there."""
    scene = pair()
    card = next(i for i in range(scene.box.n_obstacles) if int(scene.state.obstacle_at[i]) == s.RESERVE)
    box, op, frame, _ = frame_of(scene, hero=NOBODY)
    clear(op.lands)
    clear(op.named)
    add(op.named, card)
    op.to, op.slots = TO.choice, 1 << 2 | 1 << 6
    assert not land.op_place_obstacle(box, scene.state, new_event_buffer(), op, frame)
    assert list(members(scene.state.options)) == [2, 6]
    scene.state.answer = answer
    assert land.op_place_obstacle(box, scene.state, new_event_buffer(), op, frame)
    assert int(scene.state.obstacle_at[card]) == answer


@pytest.mark.parametrize("answer", [1, common.DECLINED])
@pytest.mark.parametrize("box_no", range(4))
@pytest.mark.parametrize("rank", [0, 4, 5])
def test_a_condition_for_a_rank(rank: int, box_no: int, answer: int) -> None:
    """14.39: who has a condition left may take it and gains a rank, five at most; who has none left is not asked."""
    scene = pair().person("Thea", survival=rank)
    box, op, frame, _ = frame_of(scene)
    state, thea = scene.state, scene.state.people[scene.number("character", "Thea")]
    state.heroes[0].box_no[BODY], thea.marks[BODY] = box_no, (1 << box_no) - 1
    op.optional, op.track, op.skill, op.by = 1, BODY, SKILLS.index("survival"), 1
    is_done = people.op_condition_for_skill(box, state, new_event_buffer(), op, frame)
    assert bool(is_done) == (box_no == 3)
    if not is_done:
        assert (int(state.phase), int(state.may_decline)) == (P.confirm, 1)
        state.answer = answer
        assert people.op_condition_for_skill(box, state, new_event_buffer(), op, frame)
    taken = not is_done and answer == 1
    assert int(thea.marks[BODY]) == (1 << box_no + taken) - 1
    assert int(thea.skills[SKILLS.index("survival")]) == min(5, rank + taken)


@pytest.mark.parametrize("r", range(b.RES))
@pytest.mark.parametrize("w", [1, 3, 6])
def test_a_pool_die_goes_for_a_die_of_the_scheme(r: int, w: int) -> None:
    """8.8, 14.66: the die and the pool die that cancels it go to the supply, one of each, and it is told."""
    scene = pair().scheme(SHEET.scheme[0].name, "diplomacy 1", "diplomacy 1")
    scene.state.pools[r, w - 1] = 2
    state = scene.ready().state
    state.sub = DIPLOMACY * b.FACES
    before = [int(n) for n in state.in_play]
    buffer = new_event_buffer()
    tracks.cancel_scheme_die(scene.box, state, buffer, b.FACES + b.RES * b.FACES + r * b.FACES + w - 1)
    assert [one.kind for one in drain_events(scene.d.events, buffer)] == ["pool_lost", "scheme_cancelled"]
    assert (int(state.pools[r, w - 1]), int(state.scheme_dice[DIPLOMACY, 1])) == (1, 1)
    assert [n - int(state.in_play[i]) for i, n in enumerate(before)] == [
        (i == r) + (i == DIPLOMACY) for i in range(b.RES)
    ]


@pytest.mark.parametrize("ordered", [0, 1])
@pytest.mark.parametrize("left", ["", "draw", "reserve", "play"])
def test_what_a_mission_brings(left: str, ordered: int) -> None:
    """14.19, 14.29: the copy that is left, from a deck, the reserve or where it lies; burned, the step counts as done."""
    scene = pair().mission("Honest Days Work")
    box, state = scene.d.box.copy(scene.box), scene.ready().state
    card = scene.number("obstacle", "Legionary 1")
    group = int(box.obstacle[card].group)
    copies = [i for i in range(box.n_obstacles) if int(box.obstacle[i].group) == group]
    for i in copies:
        on_land.burn_obstacle(box, state, new_event_buffer(), i)
    if left == "draw":
        on_land.put_in_draw(state, card, 1)
    elif left == "reserve":
        state.obstacle_at[card] = s.RESERVE
    elif left == "play":
        on_land.attach(box, state, new_event_buffer(), card, 2)
    printed, task = box.mission[state.tasks[0].mission], state.tasks[0]
    printed.n_then, printed.ordered = 2, ordered
    printed.then_group[:2], printed.then_slot[:2] = [group, group], [6, 7]
    missions.bring(box, state, 0)
    assert [int(one) for one in task.then[:2]] == [s.WANTED, s.WAITING if ordered else s.WANTED]
    for _ in range(2):
        if state.n_frames > 0:
            missions.step_bring(box, state, new_event_buffer(), state.frames[state.n_frames - 1])
    wanted = [s.WANTED, s.WAITING if ordered else s.OVERCOME_IT] if left else [s.OVERCOME_IT] * 2
    assert [int(one) for one in task.then[:2]] == wanted
    assert [int(one) for one in task.then_card[:2]] == ([card, NOBODY] if left else [NOBODY] * 2)
    if left:
        assert int(state.obstacle_at[card]) == (2 if left == "play" else 6)


def test_a_geas_is_used_up() -> None:
    """14.36: it is done and gone, other reserve actions stay; nothing else happens."""
    scene = pair().set(year=2)
    state, geas = scene.ready().state, scene.number("reserve", "Geas")
    state.k = c = scene.number("character", "Fuscus")
    state.people[c].reserves = 0b11 | 1 << geas
    assert told(scene, preparation.do_reserve_action, 0, geas) == [("reserve_acted", (c, geas))]
    assert int(state.people[c].reserves) == 0b11 & ~(1 << geas)
    assert (int(state.n_frames), int(state.k)) == (0, c + 1)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_total_above_the_difficulty_is_wanted(more: int) -> None:
    """9.11, 14.28: pool dice worth more than the difficulty of an obstacle that is meant; else nothing is asked and nothing happens."""
    scene = pair().obstacles("Eastkeep", "Tripwire")
    box, op, frame, _ = frame_of(scene)
    state, card = scene.state, scene.number("obstacle", "Tripwire")
    due = int(on_land.difficulty(box, state, card)) + more
    state.pools[:], op.resource, op.price = 0, MILITARY, 1
    state.pools[MILITARY, 0] = due
    aim = box.ops[2]
    aim.tags, aim.threat, aim.skill = int(box.obstacle[card].tags), NOBODY, NOBODY
    frame.left = 2
    assert bool(dice.op_pay_pool(box, state, new_event_buffer(), op, frame)) == (more <= 0)
    assert int(frame.left) == (1 if more <= 0 else 2)
    assert list(members(state.options)) == ([card] if more > 0 else [])


@pytest.mark.parametrize("r", range(b.RES))
@pytest.mark.parametrize("v", range(b.FACES))
def test_any_die_that_serves_is_itself_spent(r: int, v: int) -> None:
    """5.10, 14.57: an action die, or a pool die of any resource and value that may stand for one: just that die goes."""
    scene = pair().dice([v + 1, v + 1], [])
    state = scene.state
    state.pools[:] = 2
    state.pools[r, v] = 1
    scene.ready()
    assert [actions.source_of(one) for one in range(b.FACES)] == list(range(b.FACES))
    before = [int(n) for n in state.in_play]
    one = b.FACES + r * b.FACES + v
    actions.spend(state, new_event_buffer(), 0, actions.source_of(one), NOBODY)
    wanted = [[2] * b.FACES for _ in range(b.RES)]
    wanted[r][v] = 0
    assert state.pools.astype(int).tolist() == wanted
    assert [n - int(state.in_play[i]) for i, n in enumerate(before)] == [int(i == r) for i in range(b.RES)]
    assert int(state.seats[0].dice.sum()) == 2
    actions.spend(state, new_event_buffer(), 0, actions.source_of(v), NOBODY)
    assert int(state.seats[0].dice[v]) == 1
    assert state.pools.astype(int).tolist() == wanted


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("mission", [0, 1, -1])
def test_the_severing_may_be_any_mission_of_a_box(mission: int, which: int) -> None:
    """14.21: whichever of the two it is, also the first or the last of a designer's box: reached, it is passed at once."""
    scene = pair().threat(sorcery=1).set(year=6, severing=1)
    box, op, frame, f = frame_of(scene)
    mission %= int(box.n_missions)
    for i in range(box.n_missions):
        box.mission[i].severing = box.mission[i].wins = int(i == mission)
    state = scene.state
    task = state.tasks[which]
    task.mission, task.then[0] = mission, s.WANTED
    op.by = 1
    campaign.op_severing(box, state, new_event_buffer(), op, f)
    assert int(task.result) == s.PASSED
    assert int(frame.op) == 1


@pytest.mark.parametrize("answer", range(3))
@pytest.mark.parametrize("track", [PSYCHE, BODY])
@pytest.mark.parametrize("marks", [0b111, 0b101, 0b000])
def test_each_erases_a_condition_of_its_choice(marks: int, track: int, answer: int) -> None:
    """14.39: of this track, one of those that are marked; both characters one after another, and who has none is not asked."""
    scene = pair()
    box, op, frame, _ = frame_of(scene)
    op.op, op.who, op.track = DO.recover_condition, WHO.all, track
    state, told_of = scene.state, []
    thea, keel = (state.people[state.heroes[h].character] for h in range(2))
    thea.marks[:], keel.marks[:] = 0b111, 0b111
    thea.marks[track] = marks
    buffer = new_event_buffer()
    while not people.op_recover(box, state, buffer, op, frame):
        choices = list(members(state.options))
        mine = marks if state.to_act == 0 else 0b111
        assert choices == [3 * track + k for k in range(3) if mine >> k & 1]
        state.answer = choices[answer % len(choices)]
        told_of.append((int(state.to_act), int(state.answer) - 3 * track))
    assert [seat for seat, _ in told_of] == ([0, 1] if marks else [1])
    gone = dict(told_of)
    assert int(thea.marks[track]) == (marks & ~(1 << gone[0]) if marks else 0)
    assert int(keel.marks[track]) == 0b111 & ~(1 << gone[1])
    assert [int(one.marks[1 - track]) for one in (thea, keel)] == [0b111, 0b111]
    lines = [
        tuple(int(n) for n in one.args[:2]) for one in drain_events(scene.d.events, buffer) if one.kind == "recovered"
    ]
    assert lines == [(int(state.heroes[seat].character), 3 * track + k) for seat, k in told_of]


@pytest.mark.parametrize("slot", [NOBODY, 0, 4])
@pytest.mark.parametrize("count", [1, 2, b.ANY_NUMBER])
def test_pool_dice_become_assets_where_there_is_a_place(count: int, slot: int) -> None:
    """13.5: as many as said, or as many as players like; of a text that lies nowhere none, and nobody is asked."""
    scene = pair().pools(support=[1, 4, 4])
    box, op, frame, _ = frame_of(scene, slot=slot)
    assert box is not None
    op.resource, op.count_of = SUPPORT, count
    state, asked = scene.state, 0
    while not dice.op_pool_to_assets(state, new_event_buffer(), op, frame):
        assert int(state.may_decline) == int(count == b.ANY_NUMBER)
        state.answer = max(members(state.options))
        asked += 1
    wanted = 0 if slot == NOBODY else min(3, count)
    assert asked == wanted
    assert sum(int(state.assets[at, SUPPORT].sum()) for at in range(b.SLOTS)) == wanted
    assert int(state.pools[SUPPORT].sum()) == 3 - wanted
    if wanted:
        assert int(state.assets[slot, SUPPORT, 3]) == min(2, wanted)


@pytest.mark.parametrize("at", range(s.BURNED + 1))
def test_where_a_text_speaks_of(at: int) -> None:
    """13.1, 14.55: where its obstacle lies now, the first place and the last; of one that lies in a pile or nowhere, where it began."""
    scene = pair()
    card = scene.number("obstacle", "Tripwire")
    _, _, frame, _ = frame_of(scene, slot=3, obstacle=card)
    scene.state.obstacle_at[card] = at
    assert int(common.here(scene.state, frame)) == (at if at < b.SLOTS else 3)
    frame.obstacle = NOBODY
    assert int(common.here(scene.state, frame)) == 3


@pytest.mark.parametrize("n", [1, 2, 3])
def test_each_sentence_of_a_text_counts_from_nothing(n: int) -> None:
    """13.5: as many assets as one sentence says, then as many as the next one says: what the first counted is not counted again."""
    scene = pair().assets("Parisa's Glen", *["support 3"] * 4, *["military 3"] * 4)
    box, op, frame, f = frame_of(scene, slot=4)
    state, ops = scene.state, box.ops
    for i, r in ((1, SUPPORT), (2, MILITARY)):
        ops[i].op, ops[i].count_of, ops[i].which = DO.remove_assets, n, b.WHICH.all
        ops[i].scope, ops[i].resources = b.SCOPE.here, 1 << r
    frame.left = 2
    for i, r in ((1, SUPPORT), (2, MILITARY)):
        assert (int(frame.op), int(frame.left), int(frame.step), int(frame.todo)) == (i, 3 - i, 0, 0)
        while not dice.op_remove_assets(box, state, new_event_buffer(), ops[i], frame):
            assert state.n_frames == f + 1
        assert int(state.assets[4, r].sum()) == 4 - n
        common.advance(state, f)
    assert op is not None


@pytest.mark.parametrize("how", [actions.BY_FOOT, actions.BY_SHIP, actions.BY_GATE, actions.BY_ABILITY])
@pytest.mark.parametrize("set_to", [0, 1, 9])
@pytest.mark.parametrize("lies_here", [False, True])
@pytest.mark.parametrize("region_to", [NOBODY, 0, 1])
def test_a_card_that_sets_the_price_of_ways_from_its_place(
    how: int, set_to: int, lies_here: bool, region_to: int
) -> None:
    """5.2, 14.54: on foot, from where it lies, into the region it names, no dearer than it says; other ways are as they were."""
    scene = pair().ready()
    box, state = scene.d.box.copy(scene.box), scene.state
    here, there = scene.slot("Parisa's Glen"), scene.slot("Eastkeep")
    state.n_ruled = 0
    before = int(actions.dice_price(box, state, here, there, how))
    op, row = box.ops[1], state.ruled[0]
    op.op, op.from_here, op.price, op.region_to, op.extra, op.extra_pool = DO.move_cost, 1, set_to, region_to, 0, NOBODY
    row.op, row.slot, row.obstacle, state.n_ruled = 1, here if lies_here else there, NOBODY, 1
    holds = lies_here and set_to > 0 and how == actions.BY_FOOT and region_to in (NOBODY, int(box.place[there].region))
    wanted = min(before, set_to) if holds else before
    assert int(actions.dice_price(box, state, here, there, how)) == wanted


@pytest.mark.parametrize("n", [0, 1])
def test_a_campaign_effect_without_words_is_not_used(n: int) -> None:
    """9.11, 14.73: one of a designer's box that says nothing does nothing; with an asset to pay and something to do it is."""
    scene = pair().assets("Parisa's Glen", "support 3")
    box, op, _, _ = frame_of(scene)
    state = scene.state
    state.n_frames, state.effects = 0, 1
    op.op, op.resource, op.value = DO.pay_asset, SUPPORT, 3
    box.effect[0].first, box.effect[0].n = 1, n
    assert int(abilities.why_not_effect(box, state, 0, 0)) == (0 if n else R.to_no_avail)
