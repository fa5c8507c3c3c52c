"""Where a paragraph goes two ways, the way a full table seldom takes: what is missing, the last of a kind, the first of a row.

Each of these was written for a change of the rules that all other tests let pass (`make mutants GAME=sixwinters`).
"""

import pytest

from games.sixwinters.scene import Scene, assets, at, dice, kinds, offers, pool
from sutler.contract.helpers import play
from sutler.core.events import new_event_buffer
from sutler.core.play.position import Position
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.cards.vocabulary import BODY, PSYCHE, RESOURCES, SKILLS, TECHNOLOGY
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules import heroes
from sutler.games.sixwinters.rules.common import KIND, push, run_effect
from sutler.games.sixwinters.rules.land import discard, place_location
from sutler.games.sixwinters.rules.overcome import n_joined, worth_of
from sutler.games.sixwinters.rules.tracks import change_progress
from sutler.games.sixwinters.rules.turn import n_new_obstacles


def pair(here: str = "Parisa's Glen", there: str = "Loomwood", **options: object) -> Scene:
    """Thea and Keel."""
    return Scene(**options).heroes(f"Thea at {here}", f"Keel at {there}").dice([1, 3, 5], [2, 4])  # type: ignore[arg-type]


def begun(scene: Scene, effect: object, hero: int = -1, slot: int = -1, obstacle: int = -1) -> Position:
    """An effect of a card begins: the first decision it asks, or the one after it."""
    scene.ready()
    run_effect(scene.state, effect, hero, slot, obstacle)
    scene.state.phase = P.moving
    return scene.go()


def at_work(scene: Scene, name: str, moment: int = b.MOMENT.activation) -> Position:
    """What an obstacle at Parisa's Glen does when it wakes, or at another moment, begins."""
    card = scene.number("obstacle", name)
    return begun(scene, scene.box.obstacle[card].effect[moment], hero=0, slot=4, obstacle=card)


def refused(pos: Position, action: str, rule: str) -> None:
    """An action is neither offered nor allowed, by this paragraph."""
    assert action not in offers(pos)
    refusal = pos.why_not(action)
    assert refusal is not None
    assert refusal.rule == rule


# --- What an obstacle does (guide 8.4, 13) -------------------------------------------------------


def test_mana_forge_needs_a_die_in_the_supply() -> None:
    """1.4, 13.5: it may add a Sorcery die of any value; with all twelve in play nobody is asked."""
    scene = pair().obstacles("Parisa's Glen", "Mana Forge").pools(sorcery=[1] * 11)
    pos = at_work(scene, "Mana Forge")
    assert offers(pos) == {*(f"value {v}" for v in range(1, 7)), "no"}
    play(pos, "value 4")
    assert pool(pos, "sorcery") == [1] * 11 + [4]
    scene = pair().obstacles("Parisa's Glen", "Mana Forge").pools(sorcery=[1] * 12)
    assert not any(one.startswith("value") for one in offers(at_work(scene, "Mana Forge")))


def test_darkness_unmasked_finds_no_diplomat() -> None:
    """13.3: it draws a diplomat near; where none is in play nobody is asked, and the Diplomacy pool stays."""
    scene = pair().obstacles("Parisa's Glen", "Darkness Unmasked").pools(diplomacy=[2])
    pos = at_work(scene, "Darkness Unmasked")
    assert not any(one.startswith("target") for one in offers(pos))
    assert (at(pos, 4), pool(pos, "diplomacy")) == (["Darkness Unmasked"], [2])


def test_ley_lines_takes_dice_one_by_one() -> None:
    """13.5: any number of dice of the Sorcery pool become assets here, a 1 as well as any other; enough is enough."""
    scene = pair().obstacles("Parisa's Glen", "Following Ley Lines").pools(sorcery=[1, 4, 6])
    pos = at_work(scene, "Following Ley Lines", b.MOMENT.overcome)
    play(pos, "value 1", "value 6")
    assert (assets(pos, 4), pool(pos, "sorcery")) == (["sorcery 1", "sorcery 6"], [4])
    play(pos, "no")
    assert pool(pos, "sorcery") == [4]
    assert "value 4" not in offers(pos)


@pytest.mark.parametrize("gone", [0, 1])
def test_dice_lie_on_one_obstacle_each(gone: int) -> None:
    """1.11: of two obstacles with dice on them, the discarded one's dice go to the supply; the other keeps its own."""
    scene = pair().obstacles("Parisa's Glen", "Eight Ears", "Tripwire").ready()
    first, second = scene.number("obstacle", "Eight Ears"), scene.number("obstacle", "Tripwire")
    scene.state.die_on[:2], scene.state.die_is[:2], scene.state.n_on_cards = [first, second], [8, 9], 2
    scene.ready()
    discard(scene.box, scene.state, new_event_buffer(), (first, second)[gone])
    pos = scene.go()
    kept = ((second, 9), (first, 8))[gone]
    assert (int(pos.state.n_on_cards), int(pos.state.die_on[0]), int(pos.state.die_is[0])) == (1, *kept)
    assert pos.state.in_play[TECHNOLOGY] == 1


def test_zarrah_lets_each_set_a_die() -> None:
    """13.2: every character in the region takes a point of psyche and may set one action die to any value, one after another."""
    pos = at_work(pair().obstacles("Parisa's Glen", "Zarrah"), "Zarrah")
    assert offers(pos) == {"pay action 1", "pay action 3", "pay action 5", "no"}
    play(pos, "pay action 1", "value 6", "no")
    assert (dice(pos, 0), dice(pos, 1)) == ([3, 5, 6], [2, 4])
    assert [int(hero.stress[PSYCHE]) for hero in pos.state.heroes[:2]] == [4, 2]


def test_radia_sends_on_whoever_likes() -> None:
    """13.2: each character here may move to any other location: eight of them, or it stays."""
    pos = at_work(pair().obstacles("Parisa's Glen", "Radia"), "Radia")
    assert len(offers(pos)) == 9
    play(pos, "no")
    assert [int(hero.slot) for hero in pos.state.heroes[:2]] == [4, 5]


def test_doom_under_sightrock_takes_the_regions_support() -> None:
    """13.5: every Support asset in its region goes to the supply; other regions keep theirs, and the region its other assets."""
    scene = pair().obstacles("Parisa's Glen", "Doom Under Sightrock")
    scene.assets("Parisa's Glen", "support 3").assets("Loomwood", "support 2", "support 2", "sorcery 1")
    scene.assets("Eastkeep", "support 4").assets("Gravewood", "support 5")
    pos = at_work(scene, "Doom Under Sightrock")
    left = [assets(pos, slot) for slot in range(9) if assets(pos, slot)]
    assert left == [["support 4"], ["sorcery 1"], ["support 5"]]


# --- Seasons, locations, schemes (guide 4, 8) -------------------------------------------------------


def test_a_location_in_season_gives_its_asset() -> None:
    """8.2: the icon of a resource is a die of it, rolled, as an asset of the location; out of season it gives none."""
    for season, gives in (("summer", 1), ("fall", 0)):
        scene = (
            pair("Loomwood", "Loomwood").location("Guilder Farms", "Brightdune support").tops("fall", season, "fall")
        )
        scene.obstacles("Guilder Farms", "Tripwire")
        pos = scene.part(s.PART.activate).set(season_now=-1, k=3).go()
        assert len(assets(pos, 4)) == gives


def test_heavy_rains_takes_one_die_of_several_alike() -> None:
    """4.2, 13.5: each player discards the lowest action die: one, even if it has several of that value."""
    scene = pair().dice([2, 2, 5], [6]).set(space=1).tops("spring", "spring", "winter")
    pos = scene.part(s.PART.event).go()
    assert (dice(pos, 0), dice(pos, 1)) == ([2, 5], [])


@pytest.mark.parametrize(
    ("scheme", "effect", "name", "track", "mark"),
    [
        ("Manufacturing Dissent", "Society Unraveling", "Thea", PSYCHE, 0b100),
        ("Nowhere is Safe", "Poisons", "Keel", BODY, 0b100),
    ],
)
def test_harm_to_an_unlocked_character(scheme: str, effect: str, name: str, track: int, mark: int) -> None:
    """14.15: players aim it at any unlocked character, the first of the list too; it is marked, and no stress die moves."""
    scene = pair().scheme(scheme, "support")
    i = scene.number("scheme", scheme)
    v = [one.name for one in scene.game.sheet.scheme[i].effect].index(effect)
    pos = begun(scene, scene.box.scheme[i].effect[v])
    before = [int(n) for n in pos.state.heroes[0].stress]
    play(pos, f"choose {name}")
    assert pos.state.people[scene.number("character", name)].marks[track] == mark
    assert [int(n) for n in pos.state.heroes[0].stress] == before


def test_an_obstacle_comes_to_a_named_location() -> None:
    """3.4, 13.1: Selling Out lays Lily Manor on a Settled Lands slot, players say which, and Zarrah comes to where it lies."""
    scene = pair()
    pos = begun(scene, scene.box.mission[scene.number("mission", "Selling Out")].setup[0])
    play(pos, "to Settled Lands technology")
    lily = int(pos.state.location_at[7])
    assert (scene.game.names["location"][lily], at(pos, 7)) == ("Lily Manor", ["Zarrah"])


def test_lower_wash_brings_its_friends() -> None:
    """13.4: when Lower Wash comes into play, Friends in Low Places is attached to it."""
    scene = pair().ready()
    place_location(scene.box, scene.state, new_event_buffer(), scene.number("location", "Lower Wash"), 7)
    scene.state.phase = P.moving
    assert at(scene.go(), 7) == ["Friends in Low Places"]


def test_a_year_played_twice_brings_its_obstacles_once() -> None:
    """8.5, 12.1: one character after the other: the first meets new obstacles in first turns, the second in bonus turns."""
    for pass_no, space, due in ((0, 1, 2), (0, 2, 0), (1, 1, 0), (1, 2, 2)):
        scene = Scene(1, solo="passes").heroes("Thea at Loomwood").set(pass_no=pass_no, space=space, stage_no=1)
        assert int(n_new_obstacles(scene.box, scene.state)) == due


def test_who_is_knocked_out_does_not_act() -> None:
    """9.3, 9.12: with everybody knocked out nothing is left to do, and that is the reason told."""
    scene = pair()
    for hero in scene.state.heroes[:2]:
        hero.out, hero.slot = 1, s.NOBODY
    pos = scene.dice([6], [6]).part(s.PART.actions).go()
    assert offers(pos) == {"let the turn go on"}
    for action in ("move to The Empire military", "create with action 6"):
        refusal = pos.why_not(action)
        assert refusal is not None
        assert refusal.rule == "9.3"


def test_what_is_over_leaves_no_trace() -> None:
    """5.3: after sailing nothing is left of how one came, so that equal positions are equal byte by byte."""
    scene = Scene().location("Ma Bonnie's Squidery", "The Empire military")
    scene.location("Goldspike", "Settled Lands technology")
    pos = scene.heroes("Thea at Ma Bonnie's Squidery", "Keel at Loomwood").dice([2]).go()
    before = pos.state.frames.tobytes()
    play(pos, "sail to Settled Lands technology")
    assert int(pos.state.heroes[0].slot) == 7
    assert pos.state.frames.tobytes() == before


# --- Dice of a pool as action dice (guide 14.31, 14.57, 14.73) -------------------------------------------


def test_field_work_pays_for_abilities_and_trade() -> None:
    """14.57: where Field Work lies, each die of the Technology pool pays like an action die, and only dice that lie there."""
    scene = pair().dice([]).obstacles("Parisa's Glen", "Field Work").pools(technology=[4], support=[2])
    pos = scene.person("Thea", achievements=4).go()
    assert "trade with pool technology 4" in offers(pos)
    assert not {f"trade with pool technology {v}" for v in (1, 2, 3, 5, 6)} & offers(pos)
    play(pos, "ability 7")
    assert (pool(pos, "technology"), len(assets(pos, 4))) == ([], 1)
    pos = pair().dice([]).pools(technology=[4], support=[2]).person("Thea", achievements=4).go()
    refusal = pos.why_not("ability 7")
    assert refusal is not None
    assert refusal.rule == "9.4"


def test_the_network_pays_the_whole_way() -> None:
    """14.31, 5.10: without any action die, two Technology dice pay for the two that the Empire costs; one does not."""
    for n, may in ((1, False), (2, True)):
        scene = pair().dice([]).effects("Imperial Network").pools(technology=[3] * n)
        assert ("move to the empire military" in offers(scene.go())) is may


def test_the_speaker_takes_what_shows_the_value() -> None:
    """14.31, 5.6: the Speaker for the East takes every die of the value of the action die, one if there is one; else it is not offered."""
    for values, left in (([3], []), ([1, 3, 3], [1])):
        pos = pair().dice([3]).effects("Speaker for the East").pools(support=values).go()
        play(pos, "create with action 3", "take all of this value")
        assert pool(pos, "support") == left
    pos = pair().dice([3]).effects("Speaker for the East").pools(support=[1, 2]).go()
    play(pos, "create with action 3")
    assert "take all of this value" not in offers(pos)


# --- Abilities (guide 9.4) ----------------------------------------------------------------------------


def test_lucia_brings_a_discard_back() -> None:
    """9.4: which region's pile is asked where two have discards; its top card then lies on top of that region's draw pile."""
    scene = Scene().heroes("Lucia at Parisa's Glen", "Keel at Loomwood").dice([3], [2])
    scene.obstacles("Eastkeep", "Tripwire").obstacles("Boar's Rift", "Drauga").ready()
    for name in ("Tripwire", "Drauga"):
        discard(scene.box, scene.state, new_event_buffer(), scene.number("obstacle", name))
    pos = scene.go()
    play(pos, "ability 3")
    assert offers(pos) == {"pile the empire", "pile brightdune"}
    play(pos, "pile Brightdune")
    n = int(pos.state.n_draw[1])
    assert scene.game.names["obstacle"][pos.state.draw[1, n - 1]] == "Drauga"
    assert scene.game.names["obstacle"][pos.state.head[s.DISCARD]] == "Tripwire"
    assert pos.state.n_frames == 0


def test_nothing_to_roll_again() -> None:
    """9.4: any dice of one pool are rolled again; with neither action dice nor assets there is nothing to ask."""
    scene = pair().dice([], [])
    pos = begun(scene, scene.box.character[0].ability[0].effect, hero=0, slot=4)
    assert pos.state.n_frames == 0
    assert not any(one.startswith(("reroll", "pool of")) for one in offers(pos))


def test_an_ability_leads_to_the_first_place_too() -> None:
    """9.4: Keel moves to any Empire location, the first of the board as well."""
    pos = Scene().heroes("Keel at Loomwood", "Thea at Loomwood").dice([2], [1]).person("Keel", achievements=1).go()
    play(pos, "ability 4", "to The Empire military")
    assert (int(pos.state.heroes[0].slot), dice(pos)) == (0, [])


def test_no_ability_leads_out_of_a_place_without_a_way() -> None:
    """14.69, 14.73: Thea may move to any Brightdune location, but not from Whitehold, which is left only within the Empire."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([2]).person("Thea", achievements=5)
    assert "ability 8" in offers(scene.go())
    scene = Scene().heroes("Thea at Whitehold", "Keel at Loomwood").dice([2]).person("Thea", achievements=5)
    refused(scene.go(), "ability 8", "14.73")


def test_nobody_to_fetch() -> None:
    """9.4, 14.73: Menas has another character come to him; with everybody here already that is not offered."""
    scene = Scene().heroes("Menas at Loomwood", "Keel at Eastkeep").dice([2]).person("Menas", achievements=3)
    pos = scene.go()
    play(pos, "ability 6")
    assert [int(hero.slot) for hero in pos.state.heroes[:2]] == [5, 5]
    scene = Scene().heroes("Menas at Loomwood", "Keel at Loomwood").dice([2]).person("Menas", achievements=3)
    refused(scene.go(), "ability 6", "14.73")


def test_no_die_left_to_turn_an_asset_into() -> None:
    """1.4, 14.73: Keel turns any asset into a Technology one of its value; with all twelve in play that is not offered."""
    for n in (11, 12):
        scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood").dice([], [1]).person("Keel", achievements=4)
        pos = scene.assets("Eastkeep", "support 3").pools(technology=[1] * n).go()
        if n == 12:
            refused(pos, "ability 7", "14.73")
        else:
            play(pos, "ability 7")
            assert assets(pos, 0) == ["technology 3"]


def test_nothing_to_explode() -> None:
    """9.4, 14.73: Thea explodes fives; with a five in neither pool there is nothing to pay for, whatever else lies there."""
    for value in (4, 5):
        scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1, value], [1])
        pos = scene.assets("Eastkeep", "support 1", "technology 6").go()
        if value == 4:
            refused(pos, "ability 3", "9.4")
        else:
            assert "ability 3" in offers(pos)


@pytest.mark.parametrize(
    ("name", "value", "gains"), [("Yasmina", 5, 6), ("Yasmina", 6, 0), ("Fuscus", 2, 1), ("Fuscus", 1, 0)]
)
def test_one_higher_or_lower(name: str, value: int, gains: int) -> None:
    """9.4: Yasmina gains a die one higher, Fuscus one lower, up to 6 and down to 1: beyond that there is none to gain."""
    pos = Scene().heroes(f"{name} at Eastkeep", "Keel at Loomwood").dice([value], [1]).go()
    if gains:
        play(pos, "ability 3")
        assert dice(pos) == [gains]
    else:
        refused(pos, "ability 3", "9.4")


# --- Campaign effects (guide 9.11) -----------------------------------------------------------------


def test_support_costs_the_level_of_espionage() -> None:
    """9.11: Support spends as many Support pool dice as the Espionage threat level, and a spy is discarded; with fewer it cannot."""
    scene = pair().effects("Support").threat(espionage=4).obstacles("Loomwood", "Spy Unmasked")
    pos = scene.pools(support=[2, 5, 6]).go()
    play(pos, "use Support", "pay pool support 2", "pay pool support 6")
    assert (pool(pos, "support"), at(pos, 5)) == ([5], [])
    scene = pair().effects("Support").threat(espionage=4).obstacles("Loomwood", "Spy Unmasked")
    refused(scene.pools(support=[6]).go(), "use support", "9.4")


def test_grand_alliance_trades_two_for_one() -> None:
    """9.11, 13.5: two dice of one pool go to the supply, one is rolled into the next on the wheel; with one die it cannot."""
    pos = pair().effects("Grand Alliance").pools(technology=[3, 4, 6], support=[1]).go()
    play(pos, "use Grand Alliance", "pay pool technology 3", "pay pool technology 6")
    assert (pool(pos, "technology"), pool(pos, "support"), len(pool(pos, "espionage"))) == ([4], [1], 1)
    refused(pair().effects("Grand Alliance").pools(technology=[3], support=[1]).go(), "use grand alliance", "9.4")


# --- Reserve actions (guide 3.7) ---------------------------------------------------------------------


@pytest.mark.parametrize(("combat", "tactics"), [(2, 0), (1, 2)])
def test_military_tactician_teaches_what_he_knows(combat: int, tactics: int) -> None:
    """3.7, 14.33: Combat or Tactics of another in reserve rises by one, never above the rank of who teaches: what may not is not asked."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").set(year=2).part(s.PART.reserve)
    pos = scene.person("Fuscus", combat=combat, tactics=tactics).go()
    play(pos, "reserve action Military Tactician")
    skills = pos.state.people[scene.number("character", "Fuscus")].skills
    assert "choose combat" not in offers(pos)
    assert [int(skills[SKILLS.index(skill)]) for skill in ("combat", "tactics")] == [2, max(tactics, 1)]


def test_encouraging_words_for_the_first_of_all() -> None:
    """3.7, 14.35: another character in reserve, the first of the list too, loses a condition of the players' choice."""
    scene = Scene().heroes("Keel at Eastkeep", "Menas at Loomwood").set(year=2).part(s.PART.reserve)
    words = scene.number("reserve", "Encouraging Words")
    scene.state.people[scene.number("character", "Fuscus")].reserves = 1 << words
    thea = scene.state.people[scene.number("character", "Thea")]
    thea.reserves, thea.marks[PSYCHE], thea.marks[BODY] = 0, 0b011, 0b001
    pos = scene.go()
    play(pos, "reserve action Encouraging Words")
    assert offers(pos) == {"choose distracted", "choose angry", "choose weary"}
    play(pos, "choose weary")
    assert [int(n) for n in pos.state.people[scene.number("character", "Thea")].marks] == [0b011, 0]


# --- Completing a card (guide 6.5) --------------------------------------------------------------------


def completed(*missions: str, card: str = "Cantrips") -> Position:
    """Thea's card, of one resource, is completed."""
    scene = pair().mission(*missions).card(0, card).staged("Tinkering", "Grand Tour", "Small Steps", "Warmachine")
    scene.ready()
    push(scene.state, KIND.complete, 0, 1, 0)
    scene.state.phase = P.moving
    return scene.go()


def test_a_card_serves_one_of_two_missions() -> None:
    """6.5: where both missions have an open symbol of what it raised, players say which; or it goes to the discards."""
    pos = completed("The Blue Robe", "Imperial Seafood")
    assert offers(pos) == {"serve first sorcery", "serve second sorcery", "discard card"}
    play(pos, "serve second sorcery")
    cantrips = [int(at) for at in pos.state.card_at].index(s.CARD_AT.mission)
    assert pos.game.names["card"][cantrips] == "Cantrips"
    assert [int(task.card[0]) for task in pos.state.tasks] == [-1, cantrips]


def test_a_card_may_be_discarded() -> None:
    """6.5: a card that could serve may go to the discards all the same; then a staged one is taken."""
    pos = completed("The Blue Robe", "Imperial Seafood")
    play(pos, "discard card")
    assert pos.state.card_at[pos.game.names["card"].index("Cantrips")] == s.CARD_AT.discard
    assert pos.state.phase == P.staging


def test_a_card_that_serves_nothing() -> None:
    """6.5: where neither mission has a symbol of what it raised, it is discarded, and nobody is asked."""
    pos = completed("Honest Days Work", "Friends in High Places")
    card = pos.game.names["card"].index("Cantrips")
    assert pos.state.card_at[card] == s.CARD_AT.discard
    assert pos.state.phase == P.staging
    assert kinds(pos.opening).count("completed") == 1


# --- Overcoming (guide 7, 14.71) ------------------------------------------------------------------------


def overcoming(scene: Scene, name: str, joined: int) -> Scene:
    """Two characters in the middle of overcoming."""
    over = scene.state.over
    over.obstacle, over.leader, over.joined = scene.number("obstacle", name), 0, joined
    return scene.ready()


@pytest.mark.parametrize(
    ("ranks", "joined", "counts"),
    [((1, 3), 0b11, 3), ((3, 1), 0b11, 3), ((2, 2), 0b11, 2), ((1, 3), 0b01, 1)],
)
def test_shared_dice_count_once(ranks: tuple[int, int], joined: int, counts: int) -> None:
    """The notes on playing alone, 7.6: dice that two characters share count once, with the better rank of those who take part."""
    scene = Scene(1).heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([4, 4]).obstacles("Eastkeep", "Tripwire")
    for name, rank in zip(("Thea", "Keel"), ranks, strict=True):
        scene.person(name, thievery=rank)
    overcoming(scene, "Tripwire", joined)
    assert worth_of(scene.box, scene.state, 3) == 2 * (4 + counts)


def test_the_fallen_take_no_part() -> None:
    """9.3, 14.71: who falls while overcoming takes no further part; the other goes on alone."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([4], [4]).obstacles("Eastkeep", "Tripwire")
    overcoming(scene, "Tripwire", 0b11)
    assert n_joined(scene.state) == 2
    heroes.knock_out(scene.box, scene.state, new_event_buffer(), 0)
    assert (n_joined(scene.state), int(scene.state.over.joined)) == (1, 0b10)


def test_what_the_fallen_had_laid_down_is_spent() -> None:
    """14.71: the assets that the fallen character had added go to the supply, as its reaction dice do."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([4], [4]).obstacles("Eastkeep", "Tripwire")
    overcoming(scene, "Tripwire", 0b11)
    over, technology_5 = scene.state.over, TECHNOLOGY * 6 + 4
    over.add[0, technology_5], over.react[0, 6 + technology_5] = 2, 1
    scene.state.in_play[TECHNOLOGY] = 3
    heroes.knock_out(scene.box, scene.state, new_event_buffer(), 0)
    assert (int(over.add.sum()), int(over.react.sum()), int(scene.state.in_play[TECHNOLOGY])) == (0, 0, 0)


def test_nobody_takes_it_for_the_fallen() -> None:
    """9.3, 9.10, 14.41: an Angry Mob's die gives both kinds; whom the psyche stress knocks out takes no body stress, nor Oniri for it."""
    scene = Scene().heroes("Oniri at Eastkeep", "Keel at Eastkeep").dice([4], [4]).obstacles("Eastkeep", "Angry Mob 1")
    scene.person("Oniri", achievements=5)
    overcoming(scene, "Angry Mob 1", 0b11)
    keel, over = scene.state.heroes[1], scene.state.over
    keel.box_no[PSYCHE], keel.stress[PSYCHE] = 3, 1
    over.stage, over.hits, over.rolled[0] = s.STAGE.tally, 1, 1
    scene.state.frames[push(scene.state, KIND.overcome, 0, 1, 0)].slot = 0
    scene.state.phase = P.moving
    pos = scene.go()
    told = pos.play("choose second")
    assert [int(hero.out) for hero in pos.state.heroes[:2]] == [0, 1]
    assert int(pos.state.heroes[0].stress[BODY]) == 6
    assert "absorbed" not in kinds(told)


# --- Tracks (guide 12.5) ----------------------------------------------------------------------------------


def test_a_step_beyond_a_full_track() -> None:
    """12.5: along the wheel of trade to the first track that has room; from Sorcery to the lowest."""
    for full, raised in (
        (("support", "technology"), "espionage"),
        (("diplomacy",), "support"),
        (("sorcery",), "military"),
    ):
        scene = pair(overflow=True).progress(support=5, technology=5, espionage=5, military=4, diplomacy=5, sorcery=5)
        scene.progress(**dict.fromkeys(full, 12)).ready()
        before = int(scene.state.progress[RESOURCES.index(raised)])
        change_progress(scene.box, scene.state, new_event_buffer(), RESOURCES.index(full[0]), 1)
        assert scene.state.progress[RESOURCES.index(raised)] == before + 1
