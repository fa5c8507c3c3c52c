"""Every card at least once: each effect is carried out on a full table, whatever is asked is answered, and the table stays sound.

The parameters of a test are the names of the cards: the list of passed tests is the table of card and test.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.sixwinters import cards
from games.sixwinters.cards import MOMENTS, full_table
from games.sixwinters.scene import Scene, run
from sutler.contract.helpers import load_game
from sutler.core.events import new_event_buffer
from sutler.core.play.position import Position
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.cards.vocabulary import RESOURCES
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules.actions import BY_FOOT, dice_price
from sutler.games.sixwinters.rules.common import run_effect

SHEET = load_game("sixwinters").sheet
KEPT = cards.kept()


def carried_out(scene: Scene, effect: Any, hero: int = 0, slot: int = 4, obstacle: int = -1, seed: int = 1) -> Position:
    """The effect, and an answer at random to whatever it asks, until nothing is going on any more."""
    scene.ready()
    run_effect(scene.state, effect, hero, slot, obstacle)
    scene.state.phase = P.moving
    pos, luck = scene.go(), random.Random(seed)
    for _ in range(200):
        if pos.over or (pos.state.n_frames == 0 and pos.state.phase == P.act):
            break
        pos.play(luck.choice(pos.legal_ids()))
        fault = int(scene.d.check(scene.box, pos.state))
        assert fault == 0, scene.d.FAULTS[fault]
    else:
        raise AssertionError("it never ends")
    return pos


def changed(scene: Scene, before: Any, pos: Position) -> list[str]:
    """What an effect changed, the dice to come apart."""
    lines = scene.d.state.list_changes(before, pos.state)
    return [
        line for line in lines if not line.startswith(("rng", "phase", "answer", "to_act", "may_decline", "options"))
    ]


EFFECTS = [
    pytest.param(i, one.when, id=f"{card.name}: {one.when}")
    for i, card in enumerate(SHEET.obstacle)
    for one in card.effect
    if one.when in MOMENTS
]


@pytest.mark.parametrize(("card", "when"), EFFECTS)
def test_obstacle(card: int, when: str) -> None:
    """1.11, 8.4, 9.8, 13.2, 13.3: what an obstacle does, on a table where it finds what it needs."""
    scene = full_table()
    slot = 0 if SHEET.obstacle[card].name == "Northern Patrol" else 4
    name = scene.game.names["obstacle"][card]
    scene.obstacles("Eastkeep" if slot == 0 else "Parisa's Glen", name)
    if name == "Eight Ears":
        scene.state.die_on[0], scene.state.die_is[0], scene.state.n_on_cards = card, 8, 1
    scene.ready()
    before = scene.d.state.copy(scene.state)
    pos = carried_out(scene, scene.box.obstacle[card].effect[MOMENTS[when]], slot=slot, obstacle=card)
    if name != "The Severing":
        assert changed(scene, before, pos) or any(op.optional for one in SHEET.obstacle[card].effect for op in one.ops)


@pytest.mark.parametrize("i", range(len(SHEET.location)), ids=[card.name for card in SHEET.location])
def test_location(i: int) -> None:
    """1.9, 5.5, 5.8, 13.4: a location is put on a slot, and its texts do what they say."""
    scene = full_table()
    if i not in list(scene.state.location_at):
        scene.state.location_at[4] = i
    slot = list(scene.state.location_at).index(i)
    for moment in (b.MOMENT.action, b.MOMENT.free, b.MOMENT.enter_play):
        effect = scene.box.location[i].effect[moment]
        if effect.n:
            here = full_table()
            if i not in list(here.state.location_at):
                here.state.location_at[4] = i
            for hero in range(2):
                here.state.heroes[hero].slot = slot
            before = here.d.state.copy(here.state)
            assert changed(here, before, carried_out(here, effect, slot=slot))


@pytest.mark.parametrize("i", range(16), ids=[card.name for card in SHEET.event])
def test_seasonal_event(i: int) -> None:
    """4.2, 13.5: each of the sixteen events changes something on a full table."""
    card = SHEET.event[i]
    scene = full_table()
    if card.name == "Mana Backlash":
        scene.state.heroes[0].slot = scene.slot("Boar's Rift")
    if card.name == "Heat Wave":
        scene.state.heroes[0].slot = scene.slot("Whitehold")
    season = ("winter", "spring", "summer", "fall").index(card.season)
    before = scene.d.state.copy(scene.ready().state)
    assert changed(scene, before, carried_out(scene, scene.box.event[season, card.symbols], hero=-1, slot=-1))


@pytest.mark.parametrize(
    ("i", "v"),
    [(i, v) for i in range(5) for v in range(6)],
    ids=[one.name for card in SHEET.scheme for one in card.effect],
)
def test_scheme_effect(i: int, v: int) -> None:
    """8.9, 13.7, 14.15, 14.16: each effect of each scheme; those that last are in force until the next trigger."""
    scene = full_table().scheme(SHEET.scheme[i].name, "support")
    scene.progress(support=6, military=6, diplomacy=6)
    before = scene.d.state.copy(scene.ready().state)
    if scene.box.scheme[i].lasts >> v & 1:
        scene.state.lasting = 1 << v
        scene.ready()
        assert scene.state.n_ruled > before.n_ruled
    else:
        pos = carried_out(scene, scene.box.scheme[i].effect[v], hero=-1, slot=-1)
        assert changed(scene, before, pos)
        assert pos.over == (SHEET.scheme[i].effect[v].name == "Apotheosis")


@pytest.mark.parametrize("i", range(len(SHEET.mission)), ids=[card.name for card in SHEET.mission])
def test_mission(i: int) -> None:
    """3.4, 11.2, 14.24, 14.27, 14.44: a mission's setup at both settings, its pass side and its fail side."""
    card = SHEET.mission[i]
    row = load_game("sixwinters").box.mission[i]
    for effect in (row.setup[0], row.setup[1], row.passed, row.failed):
        scene = full_table(year=card.unlock.year or 3).mission(card.name, difficult=(1, 0))
        before = scene.d.state.copy(scene.ready().state)
        if effect.n:
            pos = carried_out(scene, effect, hero=-1, slot=-1)
            ops = [int(scene.box.ops[k].op) for k in range(effect.first, effect.first + effect.n)]
            words = {scene.game.names["op"][op - 1] for op in ops}
            quiet = {"each_seasonal_event", "campaign_failed", "choice", "place_location", "place_obstacle"}
            assert changed(scene, before, pos) or words <= quiet
            assert pos.over == ("campaign_won" in words)
            if "add_to_deck" in words:
                assert "obstacle_shuffled" in [told.kind for _, told in pos.told()]


@pytest.mark.parametrize("i", range(16), ids=[card.name for card in SHEET.campaign_effect])
def test_campaign_effect(i: int) -> None:
    """9.11, 13.8, 14.23, 14.28: what is used can be used and changes something; what holds is in force."""
    card = SHEET.campaign_effect[i]
    scene = full_table().effects(card.name).assets("Parisa's Glen", "diplomacy 1", "diplomacy 3", "diplomacy 6")
    scene.pools(technology=[6, 6])
    for name in RESOURCES:
        scene.assets("Parisa's Glen", f"{name} 1")
    pos = scene.go()
    if scene.state.n_ruled and any(
        scene.state.ruled[k].op == scene.box.effect[i].first for k in range(scene.state.n_ruled)
    ):
        return
    before = scene.d.state.copy(pos.state)
    pos.play(f"use {card.name}")
    luck = random.Random(2)
    while not (pos.over or pos.state.n_frames == 0):
        pos.play(luck.choice(pos.legal_ids()))
    assert changed(scene, before, pos)


@pytest.mark.parametrize("i", range(12), ids=[card.name for card in SHEET.reserve_action])
def test_reserve_action(i: int) -> None:
    """3.7, 9.7, 14.33, 14.34, 14.35, 14.36, 14.37, 14.78: each reserve action finds its target and does what it says."""
    scene = full_table()
    fuscus = scene.number("character", "Fuscus")
    scene.state.people[fuscus].reserves = 1 << i
    scene.state.people[fuscus].skills[4] = 4
    scene.part(s.PART.reserve)
    before = scene.d.state.copy(scene.ready().state)
    pos = scene.go()
    while pos.state.part == s.PART.reserve and pos.state.k < fuscus:
        pos.play("no action")
    if SHEET.reserve_action[i].name != "Geas":  # which must be taken, so nobody is asked
        pos.play(f"reserve action {SHEET.reserve_action[i].name}")
    luck = random.Random(1)
    while not pos.over and pos.state.part == s.PART.reserve and pos.state.phase != P.reserve:
        pos.play(luck.choice(pos.legal_ids()))
    assert [line for line in changed(scene, before, pos) if not line.startswith(("part", "k "))]


ABILITIES = [
    pytest.param(card.name, k, id=f"{card.name}: {k + 1}") for card in SHEET.character for k in range(len(card.ability))
]


@pytest.mark.parametrize(("name", "k"), ABILITIES)
def test_ability(name: str, k: int) -> None:
    """9.4, 9.5, 13.6, 14.43, 14.46: every ability of every character can be used and changes something."""
    other = "Thea" if name != "Thea" else "Keel"
    scene = Scene(seed=4).heroes(f"{name} at Eastkeep", f"{other} at Loomwood").dice([1, 2, 3, 4, 5, 6], [1])
    scene.person(name, achievements=6).pools(sorcery=[2, 4]).staged(
        "Tinkering", "Cantrips", "Grand Tour", "Small Steps"
    )
    scene.location("Wrenhouse", "Settled Lands diplomacy").obstacles("Loomwood", "Bandit Camp")
    for resource in RESOURCES:
        scene.assets("Eastkeep", f"{resource} 4", f"{resource} 5")
    discarded = scene.number("obstacle", "Tripwire")
    scene.ready()
    from sutler.games.sixwinters.rules.land import onto_discards

    onto_discards(scene.state, discarded, 0)
    row = scene.box.character[scene.number("character", name)].ability[k]
    word = scene.game.names["op"][scene.box.ops[row.effect.first].op - 1]
    pos = scene.go()
    if word == "stash":
        resource = RESOURCES[scene.box.ops[row.effect.first].resource]
        pos.play(f"stash {k + 1} 4")
        assert pos.state.heroes[0].stash[k] == RESOURCES.index(resource) * 6 + 4
        return
    if word == "absorb_stress":
        assert pos.why_not(f"ability {k + 1}") is not None
        return
    before = scene.d.state.copy(pos.state)
    pos.play(f"ability {k + 1}")
    luck = random.Random(3)
    while not pos.over and pos.state.n_frames > 0:
        pos.play(luck.choice(pos.legal_ids()))
        assert int(scene.d.check(scene.box, pos.state)) == 0
    assert changed(scene, before, pos)


TOLD_ALONE = {
    "Repeating Histories",
    "Hidden Outpost",
    "Prismatic Lotus",
    "Starsalt",
    "Eight Ears",
}  # below, the first in test_rulings, the last in test_corners


def holds(card: Any) -> bool:
    """Has it a text that holds as long as it lies there?"""
    return any(one.when in ("passive", "leave") for one in card.effect)


STANDING = [
    *((f"obstacle {one.name}", i) for i, one in enumerate(SHEET.obstacle) if holds(one) and one.name not in TOLD_ALONE),
    *((f"location {one.name}", i) for i, one in enumerate(SHEET.location) if holds(one)),
]
NEAR, FAR = 2, 60  # decisions, after what is begun first and without that


@pytest.mark.parametrize(("name", "i"), STANDING, ids=[name for name, _ in STANDING])
def test_what_holds_while_a_card_lies_there(name: str, i: int) -> None:
    """9.12, 13.2: a table with the card and one where it says nothing go on otherwise: other choices, or what they do."""
    kind, _, called = name.partition(" ")
    cards_of = getattr(load_game("sixwinters").box, kind)
    printed = cards_of[i].copy()
    tries = [(place, first) for first in ("", "move ") for place in ("Parisa's Glen", "Eastkeep")]
    try:
        for place, first in tries:
            told = with_card(kind, i, called, place, first)
            cards_of[i].effect[b.MOMENT.standing].n = 0
            if kind == "obstacle":
                cards_of[i].words[:] = 0
            silent = with_card(kind, i, called, place, first)
            cards_of[i] = printed
            if told != silent:
                return
        raise AssertionError("whether it says anything makes no difference")
    finally:
        cards_of[i] = printed


@pytest.mark.parametrize(("name", "asked"), [("Prismatic Lotus", False), ("Starsalt", False), ("Tripwire", True)])
def test_nobody_joins_against_what_is_overcome_alone(name: str, asked: bool) -> None:
    """7.2, 13.2: of two who stand there the other is asked, unless the card forbids it."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([5, 6], [5, 6])
    pos = scene.obstacles("Eastkeep", name).go()
    pos.play(f"overcome {name}")
    assert (pos.state.phase == P.join) == asked


def test_a_hidden_outpost_makes_the_way_to_brightdune_short() -> None:
    """5.2, 13.2: from where it lies one action die, to Brightdune only."""
    prices = list[list[int]]()
    for names in ((), ("Hidden Outpost",)):
        scene = Scene().heroes("Thea at Guild of Strategy", "Keel at Loomwood").dice([5, 6, 6], [5])
        state = scene.obstacles("Guild of Strategy", *names).go().state
        here = int(state.heroes[0].slot)
        prices.append([int(dice_price(scene.box, state, here, there, BY_FOOT)) for there in (4, 7)])
    (far, other), (near, same) = prices
    assert far > near == 1
    assert other == same


Step = tuple[int, bytes]
"""How many choices there were, and the table, but for the list of what holds."""


def with_card(kind: str, i: int, called: str, place: str, first: str) -> list[Step]:
    """How a table goes on on which this card lies, and both characters stand there."""
    scene = full_table(year=6).threat(**dict.fromkeys(RESOURCES[2:], 9)).card(0, "On Two Fronts")
    slot = scene.slot(place)
    if kind == "obstacle":
        scene.obstacles(place, called)
        if called == "Eight Ears":
            scene.state.die_on[0], scene.state.die_is[0], scene.state.n_on_cards = i, 8, 1
    elif i in list(scene.state.location_at):
        slot = list(scene.state.location_at).index(i)
    else:
        scene.state.location_at[slot] = i
    if called.startswith("Desolation"):
        scene.obstacles(called, "Legionary 2")
    for hero in range(2):
        scene.state.heroes[hero].slot = slot
    pos = scene.go()
    if not first:
        return list(gone_on(pos, FAR))
    found = list[Step]()
    for begun in sorted(one.name for one in pos.actions() if one.name.startswith(first)):
        other = pos.copy()
        other.play(begun)
        found += gone_on(other, NEAR)
    return found


def gone_on(pos: Position, most: int) -> Iterator[Step]:
    """So many decisions by lot."""
    luck = random.Random(1)
    for _ in range(most):
        if pos.over:
            return
        legal, table = pos.legal_ids(), pos.game.definition.state.copy(pos.state)
        table["ruled"], table["n_ruled"] = 0, 0
        yield len(legal), table.tobytes()
        pos.play(luck.choice(legal))


def test_the_rules_move_on_by_themselves() -> None:
    """1.12: where nothing is open to choose, the game goes on to the next decision."""
    scene = full_table().part(s.PART.refresh)
    scene.ready()
    told = run(scene.game, scene.state)
    assert scene.state.phase != P.moving
    assert told or new_event_buffer().n_told == 0


@pytest.mark.parametrize("name", KEPT)
def test_a_card_does_what_it_did(name: str) -> None:
    """If this fails, a card broke, or it was changed on purpose: then `make golden` prints the cards anew."""
    assert cards.difference(name, KEPT[name]) == ""


def test_every_card_is_kept() -> None:
    """Each effect of each card has its lines, in the order of the box."""
    assert list(cards.cases()) == list(KEPT)
