"""The rulings of the guide's chapter 14 that no other test has tried, and the parts of chapter 1."""

import pytest

from games.sixwinters.scene import Scene, assets, at, cell_name, dice, offers, pool
from sutler.contract.helpers import load_game, play
from sutler.core.events import new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.cards.vocabulary import (
    BODY,
    DIPLOMACY,
    DO,
    ESPIONAGE,
    MILITARY,
    PSYCHE,
    SORCERY,
    SUPPORT,
    TECHNOLOGY,
)
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules import heroes
from sutler.games.sixwinters.rules.common import region_of, roll_asset, run_effect, supply
from sutler.games.sixwinters.rules.effects.campaign import op_unlock
from sutler.games.sixwinters.rules.land import adds_to, attach, burn_obstacle, difficulty, discard, draw_obstacle, seek
from sutler.games.sixwinters.rules.missions import bring, is_met, look_at_missions, obstacle_overcome
from sutler.games.sixwinters.rules.preparation import scheme_level
from sutler.games.sixwinters.rules.tracks import burn_scheme, change_threat, find_hits, pool_cancels


def pair(here: str = "Parisa's Glen", there: str = "Loomwood", **options: object) -> Scene:
    """Thea and Keel."""
    return Scene(**options).heroes(f"Thea at {here}", f"Keel at {there}").dice([1, 3, 5], [2, 4])  # type: ignore[arg-type]


def quiet() -> object:
    """A buffer to tell into."""
    return new_event_buffer()


def woken(scene: Scene, name: str, slot: int = 4) -> Scene:
    """An obstacle's activation effect begins."""
    card = scene.number("obstacle", name)
    scene.ready()
    run_effect(scene.state, scene.box.obstacle[card].effect[b.MOMENT.activation], -1, slot, card)
    scene.state.phase = P.moving
    return scene


def test_dice_are_finite() -> None:
    """1.4, 1.5: twelve of each; what the supply lacks is not gained; an asset made by an effect is rolled."""
    scene = pair().pools(military=[1] * 11).ready()
    assert supply(scene.box, scene.state, MILITARY) == 1
    assert 1 <= roll_asset(scene.box, scene.state, quiet(), MILITARY, 0) <= 6
    assert roll_asset(scene.box, scene.state, quiet(), MILITARY, 0) == 0
    assert scene.state.in_play[MILITARY] == 12


def test_action_dice_and_conditions() -> None:
    """1.6, 1.8: action dice are the seat's own; a condition marked stays marked when the die is used up again."""
    scene = pair()
    pos = scene.go()
    assert (dice(pos, 0), dice(pos, 1)) == ([1, 3, 5], [2, 4])
    for _ in range(2):
        heroes.take_stress(scene.box, scene.state, quiet(), 1, BODY, 9)
    assert scene.state.people[2].marks[BODY] == 3


def test_threat_beyond_its_end() -> None:
    """14.6: each step that cannot be taken lays a die on the scheme; in year one, without a scheme, nothing."""
    scene = pair().threat(support=11).scheme("Siege and Volley").set(year=2).ready()
    change_threat(scene.box, scene.state, quiet(), SUPPORT, 3)
    assert (scene.state.threat[SUPPORT], scene.state.scheme_dice[SUPPORT, 0]) == (12, 2)
    scene = pair().threat(support=12).ready()
    change_threat(scene.box, scene.state, quiet(), SUPPORT, 3)
    assert scene.state.in_play[SUPPORT] == 0


def test_scheme_level_and_doubles() -> None:
    """14.8, 14.11: all dice are compared with the scheme's own threat level; two of a value work once."""
    scene = (
        pair()
        .scheme("Lies and Gold", "military 3", "diplomacy 3", "support 4")
        .threat(diplomacy=4, military=12)
        .ready()
    )
    find_hits(scene.box, scene.state)
    assert scene.state.scheme_hits == 1 << 2


def test_what_cancels() -> None:
    """14.9, 14.66: an asset of the die's resource, from any place; War of Attrition's pool dice cancel any die of its schemes."""
    scene = pair().scheme("Nowhere is Safe", "espionage 2").effects("War of Attrition").set(space=2)
    scene.assets("Hogel Manor", "military 6", "espionage 1", "espionage 5").pools(military=[2])
    scene.part(s.PART.trigger).set(k=1)
    pos = scene.go()
    assert offers(pos) == {"pay espionage 5", "pay pool military 2", "let it be"}
    assert pool_cancels(scene.box, pos.state, MILITARY)
    scene = pair().scheme("Lies and Gold", "diplomacy 2").effects("War of Attrition").ready()
    assert not pool_cancels(scene.box, scene.state, MILITARY)


def test_tariffs() -> None:
    """14.13: a die of the pool on top for every move into the region, also within it; with the pool empty there is no way."""
    scene = pair("Hogel Manor").scheme("Lies and Gold").set(lasting=0b100)
    refusal = scene.go().why_not("move to Settled Lands technology")
    assert refusal is not None
    assert refusal.rule == "5.10"
    scene = pair("Hogel Manor").scheme("Lies and Gold").set(lasting=0b100).pools(diplomacy=[6]).dice([3])
    pos = scene.go()
    play(pos, "move to Settled Lands technology", "pay pool Diplomacy 6")
    assert (pool(pos, "diplomacy"), dice(pos), int(pos.state.heroes[0].slot)) == ([], [], 7)


def test_burned_schemes() -> None:
    """14.14, 14.75: a burned scheme is gone with its dice, and is passed over from then on."""
    scene = pair().scheme("Siege and Volley", "military", "support 2").ready()
    burn_scheme(scene.box, scene.state, quiet())
    assert (scene.state.scheme, int(scene.state.in_play[MILITARY])) == (-1, 0)
    assert scheme_level(scene.box, scene.state, 0) == 0
    assert scheme_level(scene.box, scene.state, 1) > 0


def test_obstacles_after_progress() -> None:
    """14.19, 14.29: a sequence comes one by one; a burned step counts as done; one in play stays where it is."""
    scene = pair().mission("Forager's Curiosity", "The Blue Robe").ready()
    burn_obstacle(scene.box, scene.state, quiet(), scene.number("obstacle", "Forager's Turtle"))
    attach(scene.box, scene.state, quiet(), scene.number("obstacle", "Forager's Cloak"), 8)
    scene.state.tasks[0].card[0] = 0
    look_at_missions(scene.box, scene.state, quiet())
    scene.state.phase = P.moving
    pos = scene.go()
    assert at(pos, 8) == ["Forager's Cloak", "Forager's Tome"]
    assert [int(n) for n in pos.state.tasks[0].then[:3]] == [s.WANTED, s.WAITING, s.WAITING]
    obstacle_overcome(scene.box, scene.state, quiet(), scene.number("obstacle", "Forager's Tome"))
    scene.state.phase = P.moving
    pos = scene.go()
    assert [int(n) for n in pos.state.tasks[0].then[:3]] == [s.OVERCOME_IT, s.OVERCOME_IT, s.WANTED]
    assert at(pos, 1) == []


def test_two_masters_of_secrets() -> None:
    """14.19: side by side, the players choose which Master of Secrets goes where."""
    scene = pair().mission("The Betrayed", "The Blue Robe").ready()
    bring(scene.box, scene.state, 0)
    scene.state.phase = P.moving
    pos = scene.go()
    assert offers(pos) == {"target master of secrets 1", "target master of secrets 2"}
    play(pos, "target Master of Secrets 2")
    assert (at(pos, 2), at(pos, 6)) == (["Master of Secrets 2"], ["Master of Secrets 1"])


def severing(die: int, level_space: int) -> Scene:
    """The Severing overcome once more."""
    scene = pair().set(year=6, severing=die).mission("The Severing", "Served Cold").threat(sorcery=level_space)
    card = scene.number("obstacle", "The Severing")
    scene.obstacles("Gravewood", "The Severing").staged("Tinkering", "Cantrips", "Grand Tour", "Small Steps")
    scene.state.tasks[0].then[0], scene.state.tasks[0].then_card[0] = s.WANTED, card
    scene.ready()
    run_effect(scene.state, scene.box.obstacle[card].effect[b.MOMENT.overcome], 0, 8, card)
    scene.state.phase = P.moving
    return scene


def test_the_severing() -> None:
    """14.21, 14.68: the die goes up and is compared at once; if it is not enough a random season's event follows and the card moves."""
    pos = severing(2, 5).go()
    assert pos.over
    assert pos.state.outcome == 1
    pos = severing(1, 9).go()
    assert not pos.over
    assert at(pos, 5) == ["The Severing"]
    assert pos.state.severing == 2


def test_as_printed() -> None:
    """14.25, 14.70: The Rosy Freetrader goes to Brightdune and The Obfuscated Bribe to the Settled Lands."""
    rows = {}
    for mission in load_game("sixwinters").sheet.mission:
        for line in mission.failed:
            for op in line.ops:
                if op.op == "place_location":
                    rows[op.location] = op.any_slot_in
    assert (rows["The Rosy Freetrader"], rows["The Obfuscated Bribe"]) == ("brightdune", "settled_lands")


def test_difficult_lines_of_the_last_year() -> None:
    """14.26: the Military threat rises in every seasonal event step, before the event."""
    scene = pair().set(year=6).mission("Served Cold", "Beyond Brightdune", difficult=(1, 0))
    pos = scene.part(s.PART.event).go()
    assert pos.state.threat[MILITARY] == 6
    order = [one.kind for one in pos.opening]
    assert "threat_rose" in order


def test_goals_met_early() -> None:
    """14.30: a mission that is met is passed when the session ends, not before."""
    scene = pair().mission("The Blue Robe", "Honest Days Work").ready()
    scene.state.tasks[0].card[0], scene.state.tasks[0].card[1] = 0, 1
    assert is_met(scene.box, scene.state, 0)
    look_at_missions(scene.box, scene.state, quiet())
    assert scene.state.tasks[0].result == s.OPEN


def test_conditions_taken_and_recovered() -> None:
    """14.39: The Necromancer marks the next box as if the die had run out; Clove and Minx erases a mark, not the die's own."""
    scene = woken(pair("Parisa's Glen", "Hogel Manor").obstacles("Parisa's Glen", "The Necromancer"), "The Necromancer")
    pos = scene.go()
    assert (pos.state.heroes[0].box_no[PSYCHE], pos.state.people[0].marks[PSYCHE]) == (1, 1)
    assert pos.state.heroes[1].box_no[PSYCHE] == 0
    scene = pair("Parisa's Glen", "Hogel Manor").obstacles("Parisa's Glen", "Clove and Minx")
    scene.state.people[0].marks[PSYCHE] = 0b011
    scene.state.heroes[0].box_no[PSYCHE] = 2
    pos = woken(scene, "Clove and Minx").go()
    assert (pos.state.people[0].marks[PSYCHE], pos.state.heroes[0].box_no[PSYCHE]) == (0b010, 2)


def test_both_kinds_of_stress() -> None:
    """14.41: an Angry Mob's stress die gives so much of each kind."""
    scene = pair("Eastkeep").dice([6], []).obstacles("Eastkeep", "Angry Mob 1").threat(support=1)
    pos = scene.go()
    play(pos, "overcome Angry Mob 1", "roll")
    if pos.state.over.obstacle >= 0:
        pos.state.over.rolled[:] = [1, 0, 0, 0, 0, 0]
        pos.settle()
    taken = [one for decision in pos.decisions for one in decision.told if one.kind == "stressed"]
    assert len(taken) % 2 == 0


def test_bases_are_not_for_sale() -> None:
    """14.45: nothing in the advancement raises a base value."""
    pos = pair().person("Thea", xp=99).set(year=2).part(s.PART.advance).go()
    assert {one.split()[0] for one in offers(pos)} == {"raise", "gain", "ready"}


def test_creating_costs_stress() -> None:
    """14.49: The Throne Room costs a point of psyche once an action, however many dice are taken; effects cost nothing."""
    scene = (
        Scene()
        .location("The Throne Room", "The Empire espionage")
        .heroes("Thea at The Throne Room", "Keel at Loomwood")
    )
    pos = scene.dice([4]).pools(espionage=[1, 2]).go()
    play(pos, "create with action 4", "take die 1")
    assert pos.state.heroes[0].stress[PSYCHE] == 4
    roll_asset(scene.box, scene.state, quiet(), ESPIONAGE, 2)
    assert scene.state.heroes[0].stress[PSYCHE] == 4


def test_the_rosy_freetrader() -> None:
    """14.52: a guard drawn from the Empire's deck comes to The Rosy Freetrader, nothing else does."""
    scene = pair().location("The Rosy Freetrader", "Brightdune support")
    scene.heroes("Thea at Loomwood", "Keel at Loomwood").staged("Tinkering", "Cantrips", "Grand Tour", "Thieves Tools")
    guard = scene.number("obstacle", "Imperial Guard 1")
    row = list(scene.state.draw[0, :12])
    row.remove(guard)
    scene.state.draw[0, :12] = [*row, guard]
    pos = scene.part(s.PART.obstacles).set(n_due=1).go()
    assert at(pos, 4) == ["Imperial Guard 1"]


def test_guild_of_scribes() -> None:
    """14.53: an action die discards the top card of the Empire's obstacle pile."""
    scene = (
        Scene()
        .location("Guild of Scribes", "The Empire military")
        .heroes("Thea at Guild of Scribes", "Keel at Loomwood")
    )
    pos = scene.dice([2]).go()
    top = int(pos.state.draw[0, 11])
    play(pos, "location action with action 2")
    assert pos.state.head[s.DISCARD] == top


def test_order_of_prices() -> None:
    """14.54: number, guards left, bandits entered, then the weather, never below one; traps strike on entering."""
    from sutler.games.sixwinters.rules.actions import BY_FOOT, BY_GATE, dice_price

    scene = pair("Eastkeep").obstacles("Eastkeep", "Imperial Guard 1", "Imperial Guard 2")
    scene.scheme("Manufacturing Dissent").set(lasting=0b100).ready()
    assert dice_price(scene.box, scene.state, 0, 4, BY_FOOT) == 1 + 2 + 1
    scene.state.move_change, scene.state.move_least = -1, 1
    assert dice_price(scene.box, scene.state, 0, 4, BY_FOOT) == 3
    assert dice_price(scene.box, scene.state, 3, 5, BY_GATE) == 1
    scene = pair("Eastkeep").dice([1]).obstacles("Guild of Strategy", "Tripwire")
    pos = scene.go()
    play(pos, "move to The Empire technology")
    assert pos.state.heroes[0].box_no[BODY] == 1


def test_discards_itself() -> None:
    """14.56: Spy Unmasked empties the pool and is then discarded itself."""
    pos = woken(pair().pools(espionage=[3]).obstacles("Loomwood", "Spy Unmasked"), "Spy Unmasked").go()
    assert (pool(pos, "espionage"), at(pos, 5)) == ([], [])


def test_small_texts() -> None:
    """14.57: The Amber Hand counts issues and Angry Mobs; Repeating Histories bars the last die; Field Work lends its pool."""
    scene = pair().obstacles("Loomwood", "The Amber Hand", "Star-Crossed", "Angry Mob 1")
    pos = woken(scene, "The Amber Hand", 5).go()
    assert pos.state.heroes[0].stress[PSYCHE] == 5 - 4
    scene = pair().obstacles("Loomwood", "Repeating Histories").card(0, "Tinkering")
    row = scene.box.card[scene.number("card", "Tinkering")]
    scene.card(0, "Tinkering", (int(row.start), "sorcery 1"), (1, "military 2"))
    scene.assets("Parisa's Glen", "support 6")
    refusal = scene.go().why_not(f"put {cell_name(int(row.end))} Support 6")
    assert refusal is not None
    assert refusal.rule == "8.9"
    scene = pair().obstacles("Parisa's Glen", "Field Work").pools(technology=[4], support=[2]).dice([])
    pos = scene.go()
    play(pos, "create with pool Technology 4")
    assert (assets(pos, 4), pool(pos, "technology")) == (["support 2"], [])


def test_order_within_a_slot() -> None:
    """14.58, 14.67: the location first, then obstacles in their order; one that comes meanwhile joins the end."""
    scene = (
        pair("Loomwood").tops("fall", "summer", "fall").obstacles("Parisa's Glen", "Darkness Unmasked", "Bandit Camp")
    )
    scene.obstacles("Hogel Manor", "Zarrah")
    pos = scene.part(s.PART.activate).set(season_now=-1, k=3).go()
    told = [one for one in pos.opening if one.kind in ("woken", "obstacle_woken")]
    for decision_told in ([*pos.decisions[i].told] for i in range(len(pos.decisions))):
        told += decision_told
    assert told[0].kind == "woken"
    names = [scene.game.names["obstacle"][one.args[0]] for one in told if one.kind == "obstacle_woken"]
    assert names[0] == "Darkness Unmasked"
    assert "Zarrah" in at(pos, 4) or "Zarrah" in names


def test_piles_run_out() -> None:
    """14.59: a discarded obstacle goes to the pile of the region where it lay; an empty draw pile is made anew at once."""
    scene = pair().obstacles("Boar's Rift", "Tripwire").ready()
    discard(scene.box, scene.state, quiet(), scene.number("obstacle", "Tripwire"))
    assert scene.state.obstacle_at[scene.number("obstacle", "Tripwire")] == s.DISCARD + 1
    from sutler.games.sixwinters.rules.land import onto_discards, refill_draw

    for _ in range(11):
        card = draw_obstacle(scene.state, quiet(), 0)
        onto_discards(scene.state, card, 0)
    refill_draw(scene.state, quiet(), 0)
    assert scene.state.n_draw[0] == 11


def test_start_anywhere() -> None:
    """14.60, 14.64: any of the nine places; first cards are taken in seat order."""
    scene = pair().staged("Tinkering", "Cantrips", "Grand Tour", "Small Steps").part(s.PART.staging)
    pos = scene.go()
    assert pos.seat == 0
    play(pos, "take staged card bottom")
    assert pos.seat == 1
    play(pos, "take staged card bottom")
    assert len(offers(pos)) == 9


def test_the_team_decides() -> None:
    """14.63: what is nobody's own is asked of the first seat, in the actions step of whoever acts."""
    pos = load_game("sixwinters").new(3, 4)
    assert pos.seat == 0
    scene = pair("Hogel Manor", "Hogel Manor").tops("winter", "summer", "winter")
    scene.obstacles("Boar's Rift", "Angry Mob 1").obstacles("Loomwood", "Angry Mob 2")
    assert scene.part(s.PART.activate).set(season_now=-1, k=3).go().seat == 0


def test_stage_changes_midway() -> None:
    """14.65: the number of new obstacles was read before; Gathering Storm fills the row at once."""
    scene = (
        pair().staged("Tinkering", "Cantrips", "Grand Tour", "Small Steps").tops("fall", "fall", "winter").set(space=5)
    )
    pos = scene.part(s.PART.event).go()
    assert all(card >= 0 for card in pos.state.staged)
    assert scene.number("card", "Small Steps") not in list(pos.state.staged)


def test_alone() -> None:
    """14.71, 14.72: alone, the shared dice stay with the character that still stands; each player is one player."""
    scene = Scene(1).heroes("Thea at Loomwood", "Keel at Eastkeep").dice([1, 2, 3]).ready()
    heroes.knock_out(scene.box, scene.state, quiet(), 0)
    assert dice(scene.go()) == [1, 2, 3]
    scene = Scene(1).heroes("Thea at Loomwood", "Keel at Eastkeep").dice([1, 2, 3]).set(space=3)
    pos = scene.tops("summer", "winter", "winter").part(s.PART.event).go()
    assert len(dice(pos)) == 4


def test_names_within_their_kind() -> None:
    """14.77: The Resistance is an obstacle, a campaign effect and a progress card, and each is found as its own."""
    names = load_game("sixwinters").names
    for kind in ("obstacle", "effect", "card"):
        assert "The Resistance" in names[kind]
    assert "Geas" in names["reserve"]


@pytest.mark.parametrize("name", ["Yasmina", "Oniri", "Lucia"])
def test_unlocked_later(name: str) -> None:
    """14.44: with as many achievements as the number of the year."""
    scene = pair().set(year=4).ready()
    c = scene.number("character", name)
    op = next(one for one in scene.box.ops if one.op == DO.unlock_character and one.character == c)
    op_unlock(scene.box, scene.state, quiet(), op)
    assert (scene.state.people[c].state, scene.state.people[c].achievements) == (s.UNLOCKED, 4)


def test_copies() -> None:
    """14.29: a copy in the reserve goes before one in a deck, the lowest number first."""
    scene = pair().ready()
    op = scene.box.ops[scene.box.scheme[0].effect[3].first]
    assert scene.game.names["obstacle"][seek(scene.box, scene.state, op)] == "War Machines 1"
    assert difficulty(scene.box, scene.state, seek(scene.box, scene.state, op)) == 14
    assert (DIPLOMACY, SORCERY, TECHNOLOGY) == (4, 5, 1)


def test_piles_are_nobodys_region() -> None:
    """1.9, 1.11: what lies in a pile, in the reserve or nowhere has no region, and no card of a region speaks of it."""
    scene = pair().ready()
    op = next(one for one in scene.box.ops if one.op == DO.difficulty and one.scope == b.SCOPE.region)
    card = next(c for c in range(scene.box.n_obstacles) if scene.box.obstacle[c].tags & op.tags)
    elsewhere = (NOBODY, s.DRAW, s.DISCARD, s.RESERVE, s.BURNED)
    assert [region_of(scene.box, slot) for slot in elsewhere] == [NOBODY] * 5
    assert [bool(adds_to(scene.box, scene.state, op, source, card, source)) for source in (0, NOBODY)] == [True, False]
    assert not any(adds_to(scene.box, scene.state, op, 0, card, slot) for slot in elsewhere)


def test_prices_are_paid_in_full() -> None:
    """14.57: Spice of Thirst takes one off stress that comes, nothing off the price of a gate, of creating, of an ability."""
    gates = (
        Scene().location("House of Copper", "The Empire military").location("Shimmerhall", "Settled Lands technology")
    )
    field = Scene().location("Yearly Field", "The Empire military").pools(military=[6])
    person = Scene().person("Yasmina", achievements=3)
    for scene, who, prices in (
        (gates, "Thea at House of Copper", ("gate to Settled Lands technology", "suffer body")),
        (field, "Thea at Yearly Field", ("create by stress",)),
        (person, "Yasmina at Loomwood", ("ability 6",)),
    ):
        scene.heroes(who, "Keel at Loomwood").dice([1], [2])
        scene.state.reduced[BODY] = 1
        heroes.hit(scene.box, scene.state, quiet(), 0, BODY, 1)
        pos = scene.go()
        before = int(pos.state.heroes[0].stress[BODY])
        assert before == pos.state.people[pos.state.heroes[0].character].start[BODY]
        play(pos, *prices)
        assert pos.state.heroes[0].stress[BODY] == before - 1


def test_the_last_die_beside_a_guard() -> None:
    """14.54, 14.73: a die that leaves nothing to pay the guard with does not pay an ability that moves; an asset does."""

    def beside(dice: list[int]) -> Scene:
        """Thea with all achievements beside Captain Aldric, who asks one die of whoever leaves."""
        scene = Scene().person("Thea", achievements=5).heroes("Thea at Eastkeep", "Keel at Loomwood")
        return scene.dice(dice, [2]).obstacles("Eastkeep", "Captain Aldric")

    assert "ability 8" not in offers(beside([3]).go())
    assert "ability 8" in offers(beside([3, 4]).go())
    pos = beside([3]).assets("Eastkeep", "military 5").go()
    play(pos, "ability 8")
    assert offers(pos) == {f"to brightdune {slot}" for slot in ("military", "sorcery", "support")}
