"""Corners of Six Winters (guide 14.73, 14.79 to 14.81): tags that count somewhere, abilities in an overcome, what would bring nothing."""

from __future__ import annotations

import random

import pytest

from contract.options import EASY_END, EASY_YEARS
from games.sixwinters.scene import Scene, assets, dice, kinds, offers, pool
from sutler.contract.helpers import play
from sutler.core.actions import Action
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.play.game import load
from sutler.core.play.position import Position
from sutler.core.text.sentences import to_plain_text
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import UNTIL
from sutler.games.sixwinters.cards.vocabulary import DO, SORCERY, SUPPORT
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules.common import KIND, push, run_effect
from sutler.games.sixwinters.rules.land import difficulty, is_barred, matches, n_stress_dice
from sutler.games.sixwinters.rules.payments import worth_against
from sutler.games.sixwinters.state import n_threat_tags

# --- Tags that count somewhere (14.80) ----------------------------------------------------------


def restless(place: str) -> tuple[Scene, int]:
    """Restless Dead at a place, with Support at level 5 and Sorcery at level 1."""
    scene = Scene().heroes(f"Thea at {place}", "Keel at Eastkeep").dice([1, 3, 5], [2, 4]).threat(support=10, sorcery=1)
    scene.obstacles(place, "Restless Dead 1").pools(support=[6, 6, 6])
    return scene.ready(), scene.number("obstacle", "Restless Dead 1")


def test_14_80_a_faded_tag_that_counts_is_a_tag() -> None:
    """14.80: where it counts it gives stress dice, is meant, barred and paid off; elsewhere it is not there."""
    scene, card = restless("Hogel Manor")  # rural
    box, state = scene.box, scene.state
    assert (n_threat_tags(box, state, card, SUPPORT), n_threat_tags(box, state, card, SORCERY)) == (1, 1)
    levels = [int(box.track[r].levels[state.threat[r] - 1]) for r in (SUPPORT, SORCERY)]
    assert levels[0] > levels[1]
    assert n_stress_dice(box, state, card) == levels[0]
    assert matches(box, state, card, 0, SUPPORT, -1)
    assert worth_against(box, state, card) == 18
    assert not is_barred(box, state, card)
    scene.obstacles("Loomwood", "Drauga")
    assert is_barred(box, state, card)
    scene, card = restless("Loomwood")  # wilderness
    assert n_threat_tags(scene.box, scene.state, card, SUPPORT) == 0
    assert n_stress_dice(scene.box, scene.state, card) == levels[1]
    assert not matches(scene.box, scene.state, card, 0, SUPPORT, -1)
    assert worth_against(scene.box, scene.state, card) == 0


def test_14_80_what_is_counted_is_the_sum_of_what_each_bears() -> None:
    """14.80, 8.6: the tags in play are those of the obstacles in play, however they are looked at."""
    scene, _ = restless("Hogel Manor")
    scene.obstacles("Loomwood", "Legionary 1", "Drauga").ready()
    in_play = [card for card in range(scene.box.n_obstacles) if 0 <= scene.state.obstacle_at[card] < 9]
    for r in range(6):
        assert scene.state.tags[r] == sum(n_threat_tags(scene.box, scene.state, card, r) for card in in_play)


# --- Abilities in an overcome (9.4, 14.79) ---------------------------------------------------------


def fighting(scene: Scene, *steps: str) -> Position:
    """The position in which seat 0 sets its dice against Legionary 1."""
    pos = scene.go()
    play(pos, "overcome Legionary 1", *steps)
    assert pos.state.phase == P.allocate
    return pos


def thea(place: str = "Boar's Rift", *others: str) -> Scene:
    """Thea with all her achievements beside Legionary 1."""
    who = others or ("Keel at Loomwood",)
    scene = Scene().heroes(f"Thea at {place}", *who).dice([1, 3, 5], [2, 4]).person("Thea", achievements=6)
    return scene.obstacles(place, "Legionary 1")


def test_9_4_every_ability_before_the_stress_dice_of_a_round() -> None:
    """9.4: not those about dice alone: Thea may put the staged cards in another order while she sets her dice."""
    scene = thea().staged("Tinkering", "Thieves Tools", "Out in the Cold", "Cantrips")
    pos = fighting(scene)
    texts = [to_plain_text(pos.choice(one.id).label) for one in pos.actions() if one.block == "ability"]
    assert any("order" in one.casefold() for one in texts), texts
    assert any("Brightdune" in one for one in texts), texts


def test_9_9_a_die_on_the_mat_may_be_brought_in() -> None:
    """9.9: a slot is used in an overcome too, and the die in it is a die left for another round."""
    scene = (
        Scene().heroes("Menas at Boar's Rift", "Keel at Loomwood").dice([2], [4]).assets("Boar's Rift", "military 5")
    )
    scene.obstacles("Boar's Rift", "Legionary 1").person("Menas", achievements=6)
    pos = fighting(scene)
    stash = next(one for one in offers(pos) if one.startswith("stash"))
    play(pos, stash)
    assert pos.state.phase == P.allocate
    slot = scene.slot("Boar's Rift")
    assert list(assets(pos, slot)) == []
    play(pos, stash.replace("stash", "unstash").rsplit(" ", 1)[0])
    assert list(assets(pos, slot)) == ["military 5"]


def test_14_79_who_goes_away_takes_no_further_part() -> None:
    """14.79: its dice of the round are spent; alone, the obstacle stays; another who joined leads on."""
    pos = fighting(thea("Boar's Rift"))
    move = next(
        one
        for one in pos.actions()
        if one.block == "ability" and "Brightdune" in to_plain_text(pos.choice(one.id).label)
    )
    play(pos, "react with action 1", move.name)
    while pos.state.phase == P.pay:
        pos.play(pos.actions()[0])
    told = pos.play(next(one for one in pos.actions() if one.block == "to"))
    assert {"left_it", "given_up"} <= {one.kind for one in told}
    assert pos.state.phase == P.act
    assert pos.state.over.obstacle < 0
    assert dice(pos, 0) == [5]


# --- What would bring nothing (14.73) --------------------------------------------------------------


PROMISES = "Hollow Promises"
OTHERWISE = {"no action", "reserve action hollow promises"}


def reserve(actor: str, **marks: int) -> Position:
    """Year two, Thea and Keel go, `actor` is asked what it does in reserve."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").set(year=2)
    for c in range(scene.box.n_characters):
        scene.state.people[c].state = s.UNLOCKED
        scene.state.people[c].reserves = 0
    own = int(scene.box.character[scene.number("character", actor)].reserve)
    scene.state.people[scene.number("character", actor)].reserves = 1 << own | 1 << scene.number("reserve", PROMISES)
    for name, bits in marks.items():
        scene.state.people[scene.number("character", name)].marks[0] = bits
    return scene.part(s.PART.reserve).go()


def test_14_73_nobody_is_healed_who_is_whole() -> None:
    """14.73: Magical Healing needs somebody else in reserve with a marked condition, and offers nobody else."""
    assert offers(reserve("Yasmina")) == OTHERWISE
    pos = reserve("Yasmina", Lucia=1)
    assert offers(pos) == OTHERWISE | {"reserve action magical healing"}
    play(pos, "reserve action magical healing")  # one possibility alone is done without asking (1.12)
    assert pos.state.people[pos.game.names["character"].index("Lucia")].marks[0] == 0


def test_14_73_no_base_beyond_six() -> None:
    """14.73, 14.35: Deathtouched on somebody whose body starts at 6 already is not offered."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").set(year=2)
    for c in range(scene.box.n_characters):
        scene.state.people[c].state, scene.state.people[c].reserves = s.UNLOCKED, 0
        scene.state.people[c].start[1] = 6
    oniri = scene.number("character", "Oniri")
    scene.state.people[oniri].reserves = 1 << int(scene.box.character[oniri].reserve) | 1 << scene.number(
        "reserve", PROMISES
    )
    assert offers(scene.part(s.PART.reserve).go()) == OTHERWISE


def test_14_73_nobody_is_taught_what_he_knows() -> None:
    """14.73, 14.33: a Military Tactician without ranks has nothing to teach; with them he is offered pupils who can learn."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").set(year=2)
    for c in range(scene.box.n_characters):
        scene.state.people[c].state, scene.state.people[c].reserves = s.UNLOCKED, 0
        scene.state.people[c].skills[:] = 5
    menas = scene.number("character", "Menas")
    own = int(scene.box.character[menas].reserve)
    scene.state.people[menas].reserves = 1 << own | 1 << scene.number("reserve", PROMISES)
    fuscus = scene.number("character", "Fuscus")
    pos = scene.part(s.PART.reserve).go()
    assert offers(pos) == OTHERWISE
    scene.state.people[fuscus].skills[4] = 2
    pos = scene.part(s.PART.reserve).go()
    play(pos, "reserve action military tactician")
    assert pos.state.people[fuscus].skills[4] == 3


@pytest.mark.parametrize(("progress", "threat", "offered"), [(12, 1, False), (12, 4, True), (3, 1, True)])
def test_14_73_an_effect_none_of_whose_options_would_do_anything(progress: int, threat: int, offered: bool) -> None:
    """14.73: Sunriders on a full track with nothing gathering is not offered, nor is an option that does nothing."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1], [2]).effects("Sunriders")
    pos = scene.assets("Eastkeep", "diplomacy 3").progress(military=progress).threat(military=threat).go()
    assert ("use sunriders" in offers(pos)) == offered
    if offered:
        play(pos, "use sunriders")
        after = (int(pos.state.progress[3]), int(pos.state.threat[3]))
        assert after != (progress, threat)  # one possibility alone is done without asking (1.12)


# --- Two passes (14.81) ------------------------------------------------------------------------------


def test_14_81_who_acts_in_reserve_does_not_go_in_the_same_year() -> None:
    """14.81: nor does the last one left for the second pass act in reserve."""
    scene = Scene(1, solo="passes").heroes("Thea at Eastkeep").set(year=2)
    for name in ("Keel", "Menas", "Fuscus"):
        scene.state.people[scene.number("character", name)].state = s.UNLOCKED
    pos = scene.part(s.PART.reserve).go()
    asked = []
    while pos.state.part == s.PART.reserve:
        if pos.state.phase == P.reserve:
            asked.append(pos.game.names["character"][int(pos.state.k)])
        pos.play(pos.actions()[0])
    assert len(asked) == 2
    acted = [pos.game.names["character"][c] for c in range(7) if pos.state.people[c].has_acted == s.HELPED]
    assert sorted(acted) == sorted(asked)
    scene.state.pass_no = 1
    scene.state.people[scene.number("character", "Thea")].hero = -1
    scene.state.people[scene.number("character", "Thea")].has_acted = s.PLAYED
    scene.state.heroes[0].character = -1
    pos = scene.part(s.PART.take).go()
    left = {"Keel", "Menas", "Fuscus"} - set(asked)
    assert offers(pos) == {f"take {one.casefold()}" for one in left} or pos.state.part > s.PART.take


# --- An offered action changes more than its price (14.73) ------------------------------------------------

ASIDE = (
    *(
        "rng",
        "to_act",
        "phase",
        "answer",
        "options",
        "may_decline",
        "n_passes",
        "frames",
        "n_frames",
        "picked",
        "chosen",
    ),
    *("added_value", "in_play", "k", "part", "sub", "actor", "ruled", "n_ruled"),
)
"""Fields that say what is going on."""
PRICE = ("].dice[", "assets[", "pools[", "].stress[")
"""Fields that hold what is paid with: less of it is a price, more of it is not."""
WORTH_ASKING = ("ability", "effect", "use_location", "free_effect", "reserve_action", "create_by_stress")
TRIALS = 8
"""Ways in which an action is carried on, before it is said to be of no use."""


def leaves(pos: Position) -> dict[str, object]:
    """Every plain value of the state, by its path."""
    found: dict[str, object] = {}
    for path, one, value in pos.game.definition.STATE.iter_values(pos.state):
        if path.partition(".")[0].partition("[")[0] not in ASIDE and not path.endswith("has_acted"):
            found[path] = tuple(value.tolist()) if one.is_set else int(value)
    return found


def is_price_only(before: dict[str, object], after: dict[str, object]) -> bool:
    """Has nothing changed but that dice, or points of stress, are fewer? A die that lies on an ability is a price too."""
    for path, was in before.items():
        now = after[path]
        if was != now and ".used[" not in path:
            is_less = isinstance(was, int) and isinstance(now, int) and now < was
            if not (any(one in path for one in PRICE) and is_less):
                return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_14_73_an_offered_action_changes_more_than_its_price(seed: int) -> None:
    """Random positions of random campaigns, each action of a kind that might do nothing carried on at random to its end, a few times."""
    options = ({}, EASY_YEARS, {"solo": "passes"}, EASY_END)[seed % 4]
    seats = 1 if "solo" in options else 2 + seed % 3
    luck = random.Random(seed)
    pos = load("sixwinters", **options).new(seats, seed)
    tried = 0
    for _ in range(260):
        if pos.over:
            break
        for action in pos.actions():
            if action.block in WORTH_ASKING and luck.random() < 0.3:
                tried += 1
                assert any(is_of_use(pos, action, luck) for _ in range(TRIALS)), action.name
        pos.play(luck.choice(pos.actions()))
    assert tried > 5


def is_of_use(pos: Position, action: Action, luck: random.Random) -> bool:
    """Does the action change something besides its price, carried on at random until nothing of it is left to do?"""
    trial, before = pos.copy(), leaves(pos)
    trial.reseed_after_undo(luck.randrange(1 << 20))
    frames = int(pos.state.n_frames)
    trial.play(action)
    for _ in range(30):
        if trial.over or (
            int(trial.state.n_frames) <= frames and trial.state.phase in (pos.state.phase, P.act, P.allocate)
        ):
            break
        trial.play(luck.choice(trial.actions()))
    return not is_price_only(before, leaves(trial))


# --- What the log seldom has to tell (NEVER of the coverage test) ---------------------------------------------


def told_by(scene: Scene, ops: list[dict[str, object]], slot: int = 4) -> list[str]:
    """What is told when a season's event of a designer's box does these operations."""
    season = {"name": "Test", "season": "winter", "symbols": 0, "text": "Test.", "ops": ops}
    rest = [one for one in scene.d.printed["event"] if (one["season"], one["symbols"]) != ("winter", 0)]
    box = load("sixwinters", box={"replace": ["event"], "event": [season, *rest]}).box
    scene.ready()
    run_effect(scene.state, box.event[0, 0], 0, slot, -1)
    scene.state.phase = P.moving
    buffer = new_event_buffer()
    scene.d.start(box, scene.state, buffer)
    return [one.kind for one in drain_events(scene.d.events, buffer)]


def test_14_54_dearer_ways_are_told() -> None:
    """14.54: as cheaper ones are; no printed event makes ways dearer, a designer's may."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1], [2])
    assert "ways_dearer" in told_by(scene, [{"op": "move_cost", "change": 1, "until": "turn_end"}])


def test_13_5_a_pool_die_that_becomes_an_asset_is_told() -> None:
    """13.5: out of the pool, to the place."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1], [2]).pools(sorcery=[5, 2]).ready()
    row = next(i for i in range(scene.box.n_ops) if scene.box.ops[i].op == DO.pool_to_assets)
    frame = push(scene.state, KIND.ops, row, 1, 0)
    scene.state.frames[frame].slot, scene.state.phase = scene.slot("Eastkeep"), P.moving
    pos = scene.go()
    assert "pool_placed" in [one.kind for one in pos.play("value 5")]
    assert assets(pos, scene.slot("Eastkeep")) == ["sorcery 5"]


def test_14_79_an_obstacle_that_is_gone_is_no_longer_overcome() -> None:
    """14.79: Military Sabotage discards the very unit that is being overcome."""
    scene = Scene().heroes("Thea at Loomwood", "Keel at Eastkeep").dice([1, 3], [2]).effects("Military Sabotage")
    scene.obstacles("Loomwood", "Legionary 1").pools(technology=[6, 6, 6, 6, 6, 6])
    pos = scene.go()
    play(pos, "overcome Legionary 1")
    told = list(pos.play("use Military Sabotage"))
    while pos.state.phase in (P.choose_die, P.choose_obstacle):
        told += pos.play(pos.actions()[0])
    assert "out_of_reach" in {one.kind for one in told}
    assert pos.state.phase == P.act
    assert pos.state.over.obstacle < 0


def test_13_5_dice_on_a_card_make_it_harder() -> None:
    """13.5: Eight Ears is as much harder as the dice on it show."""
    scene = Scene().heroes("Thea at Loomwood", "Keel at Eastkeep").dice([1], [2]).obstacles("Loomwood", "Eight Ears")
    card = scene.ready().number("obstacle", "Eight Ears")
    before = int(difficulty(scene.box, scene.state, card))
    scene.state.die_on[0], scene.state.die_is[0], scene.state.n_on_cards = card, 6 + 3, 1
    assert int(difficulty(scene.ready().box, scene.state, card)) == before + 4


@pytest.mark.parametrize(
    ("space", "tops", "ended"),
    [
        (1, ("spring", "fall", "fall"), {UNTIL.turn_end}),
        (1, ("fall", "fall", "fall"), {UNTIL.turn_end, UNTIL.season_end}),
        (6, ("fall", "summer", "fall"), {UNTIL.turn_end, UNTIL.season_end, UNTIL.session_end}),
    ],
    ids=["next turn", "next season", "session over"],
)
def test_14_57_what_takes_stress_off_ends_when_its_card_says(
    space: int, tops: tuple[str, ...], ended: set[int]
) -> None:
    """14.57, 10.1: with the turn, with the season (Spice of Thirst) or with the session, and the log says so."""
    for until in (UNTIL.turn_end, UNTIL.season_end, UNTIL.session_end):
        scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").dice([1], [1]).tops(*tops)
        scene.state.reduced[1], scene.state.reduced_until[1] = 1, until
        pos = scene.set(space=space).part(s.PART.time).go()
        assert (int(pos.state.reduced[1]) == 0) == (until in ended)
        assert ("relief_ended" in kinds(pos.opening)) == (until in ended)


def test_1_12_who_is_asked_to_join_is_asked_at_its_own_seat() -> None:
    """1.12, 7.2: Keel of the second seat begins; whether Thea joins, the first character of all, is asked of the first seat."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([3], [4]).obstacles("Eastkeep", "Legionary 1")
    pos = scene.go()
    play(pos, "step in second", "overcome Legionary 1")
    assert (pos.seat, pos.state.phase) == (0, P.join)


def test_13_8_a_pool_die_pays_as_much_of_the_way_as_an_action_die() -> None:
    """13.8, 5.10: Boar's Rift to Eastkeep costs two; Resistance Connections pays one of them, the last action die the other."""
    scene = Scene().heroes("Thea at Boar's Rift", "Keel at Loomwood").dice([3], [5])
    pos = scene.effects("Resistance Connections").pools(espionage=[2, 4]).go()
    play(pos, "move to the Empire Military", "pay pool espionage 2")
    assert offers(pos) == {"pay action 3", "pay pool espionage 4"}
    play(pos, "pay action 3")
    assert int(pos.state.heroes[0].slot) == scene.slot("Eastkeep")
    assert (dice(pos), pool(pos, "espionage")) == ([], [4])
