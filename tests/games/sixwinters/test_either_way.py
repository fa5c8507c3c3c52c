"""Where a paragraph goes two ways, the way a full table seldom takes: what is missing, the last of a kind, the first of a row.

Each of these was written for a change of the rules that all other tests let pass (`make mutants GAME=sixwinters`).
"""

import pytest

from games.sixwinters.scene import Scene, assets, at, dice, kinds, offers, pool
from sutler.contract.helpers import play
from sutler.core.events import new_buffer
from sutler.core.position import Position
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.rules import heroes
from sutler.games.sixwinters.rules.common import K_COMPLETE, push, run_effect
from sutler.games.sixwinters.rules.land import discard
from sutler.games.sixwinters.rules.tally import n_joined, worth_of
from sutler.games.sixwinters.rules.tracks import change_progress
from sutler.games.sixwinters.table import P
from sutler.games.sixwinters.vocabulary import BODY, PSYCHE, RESOURCES, TECHNOLOGY


def pair(here: str = "Parisa's Glen", there: str = "Loomwood", **options: object) -> Scene:
    """Thea and Keel."""
    return Scene(**options).heroes(f"Thea at {here}", f"Keel at {there}").dice([1, 3, 5], [2, 4])  # type: ignore[arg-type]


def begun(scene: Scene, effect: object, hero: int = -1, slot: int = -1, obstacle: int = -1) -> Position:
    """An effect of a card begins: the first decision it asks, or the one after it."""
    scene.ready()
    run_effect(scene.state, effect, hero, slot, obstacle)
    scene.state.phase = P.moving
    return scene.go()


def at_work(scene: Scene, name: str, moment: int = b.ACTIVATION) -> Position:
    """What an obstacle at Parisa's Glen does when it wakes, or at another moment, begins."""
    card = scene.number("obstacle", name)
    return begun(scene, scene.box.obstacle[card].effect[moment], hero=0, slot=4, obstacle=card)


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
    pos = at_work(scene, "Following Ley Lines", b.OVERCOME)
    play(pos, "value 1", "value 6")
    assert (assets(pos, 4), pool(pos, "sorcery")) == (["sorcery 1", "sorcery 6"], [4])
    play(pos, "no")
    assert pool(pos, "sorcery") == [4]
    assert "value 4" not in offers(pos)


def test_dice_lie_on_one_obstacle_each() -> None:
    """1.11: of two obstacles with dice on them, the discarded one's dice go to the supply; the other keeps its own."""
    scene = pair().obstacles("Parisa's Glen", "Eight Ears", "Tripwire").ready()
    first, second = scene.number("obstacle", "Eight Ears"), scene.number("obstacle", "Tripwire")
    scene.state.die_on[:2], scene.state.die_is[:2], scene.state.n_on_cards = [first, second], [8, 9], 2
    scene.ready()
    discard(scene.box, scene.state, new_buffer(), first)
    pos = scene.go()
    assert (int(pos.state.n_on_cards), int(pos.state.die_on[0]), int(pos.state.die_is[0])) == (1, second, 9)
    assert pos.state.in_play[TECHNOLOGY] == 1


# --- Seasons, locations, schemes (guide 4, 8) -------------------------------------------------------


def test_a_location_in_season_gives_its_asset() -> None:
    """8.2: the icon of a resource is a die of it, rolled, as an asset of the location; out of season it gives none."""
    for season, gives in (("summer", 1), ("fall", 0)):
        scene = (
            pair("Loomwood", "Loomwood").location("Guilder Farms", "Brightdune support").tops("fall", season, "fall")
        )
        scene.obstacles("Guilder Farms", "Tripwire")
        pos = scene.part(s.ACTIVATE_PART).set(season_now=-1, k=3).go()
        assert len(assets(pos, 4)) == gives


def test_heavy_rains_takes_one_die_of_several_alike() -> None:
    """4.2, 13.5: each player discards the lowest action die: one, even if it has several of that value."""
    scene = pair().dice([2, 2, 5], [6]).set(space=1).tops("spring", "spring", "winter")
    pos = scene.part(s.EVENT_PART).go()
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
        discard(scene.box, scene.state, new_buffer(), scene.number("obstacle", name))
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


def test_encouraging_words_for_the_first_of_all() -> None:
    """3.7, 14.35: another character in reserve, the first of the list too, loses a condition of the players' choice."""
    scene = Scene().heroes("Keel at Eastkeep", "Menas at Loomwood").set(year=2).part(s.RESERVE_PART)
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
    push(scene.state, K_COMPLETE, 0, 1, 0)
    scene.state.phase = P.moving
    return scene.go()


def test_a_card_serves_one_of_two_missions() -> None:
    """6.5: where both missions have an open symbol of what it raised, players say which; or it goes to the discards."""
    pos = completed("The Blue Robe", "Imperial Seafood")
    assert offers(pos) == {"serve 0 sorcery", "serve 1 sorcery", "discard card"}
    play(pos, "serve 1 sorcery")
    cantrips = [int(at) for at in pos.state.card_at].index(s.ON_MISSION)
    assert pos.game.names["card"][cantrips] == "Cantrips"
    assert [int(task.card[0]) for task in pos.state.tasks] == [-1, cantrips]


def test_a_card_that_serves_nothing() -> None:
    """6.5: where neither mission has a symbol of what it raised, it is discarded, and nobody is asked."""
    pos = completed("Honest Days Work", "Friends in High Places")
    card = pos.game.names["card"].index("Cantrips")
    assert pos.state.card_at[card] == s.CARD_DISCARD
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
    heroes.knock_out(scene.box, scene.state, new_buffer(), 0)
    assert (n_joined(scene.state), int(scene.state.over.joined)) == (1, 0b10)


def test_what_the_fallen_had_laid_down_is_spent() -> None:
    """14.71: the assets that the fallen character had added go to the supply, as its reaction dice do."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([4], [4]).obstacles("Eastkeep", "Tripwire")
    overcoming(scene, "Tripwire", 0b11)
    over, technology_5 = scene.state.over, TECHNOLOGY * 6 + 4
    over.add[0, technology_5], over.react[0, 6 + technology_5] = 2, 1
    scene.state.in_play[TECHNOLOGY] = 3
    heroes.knock_out(scene.box, scene.state, new_buffer(), 0)
    assert (int(over.add.sum()), int(over.react.sum()), int(scene.state.in_play[TECHNOLOGY])) == (0, 0, 0)


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
        change_progress(scene.box, scene.state, new_buffer(), RESOURCES.index(full[0]), 1)
        assert scene.state.progress[RESOURCES.index(raised)] == before + 1
