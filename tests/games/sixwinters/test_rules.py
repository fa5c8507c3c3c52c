"""The rules of Six Winters by the guide's chapters."""

import pytest

from games.sixwinters.scene import Scene, assets, at, cell_name, dice, kinds, offers, pool
from sutler.contract.helpers import load_game, play
from sutler.core.events import new_event_buffer
from sutler.core.play.position import Position
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.cards.vocabulary import ESPIONAGE, MILITARY, RESOURCES, SORCERY, SUPPORT, TECHNOLOGY
from sutler.games.sixwinters.rules.ending import give_experience
from sutler.games.sixwinters.rules.land import difficulty


def pair(here: str = "Parisa's Glen", there: str = "Loomwood", **options: object) -> Scene:
    """Thea and Keel."""
    return Scene(**options).heroes(f"Thea at {here}", f"Keel at {there}").dice([1, 3, 5], [2, 4])  # type: ignore[arg-type]


def rule_of(pos: Position, action: str) -> str:
    """The paragraph that bars an action."""
    refusal = pos.why_not(action)
    assert refusal is not None, action
    return refusal.rule


def begun(seats: int = 2, seed: int = 1, **options: object) -> Position:
    """A new campaign."""
    return load_game("sixwinters", **options).new(seats, seed)


def to_place(pos: Position) -> Position:
    """Session start, the first choice of everything, up to the places."""
    while not any(one.startswith("start at") for one in offers(pos)):
        pos.play(pos.legal_ids()[0])
    return pos


# --- 1 to 3: the parts, setting up, session start ------------------------------------------------


def test_a_new_campaign() -> None:
    """1.1, 1.3, 2.1, 2.4, 2.5, 2.6: markers, decks of twelve, four characters, the rest in reserve."""
    state = begun().state
    assert list(state.progress) == [1] * 6
    assert list(state.threat) == [2, 1, 4, 5, 3, 4]
    assert list(state.n_draw) == [12, 12, 12]
    assert sum(int(one.state) == s.UNLOCKED for one in state.people) == 4
    assert sum(int(at) == s.RESERVE for at in state.obstacle_at[:101]) == 65


def test_the_first_session_is_laid_out() -> None:
    """3.1, 3.2: four staged cards of stage 1; the missions of year one are open, those of later years are not."""
    pos = begun()
    assert all(pos.game.box.card[c].stage == 1 for c in pos.state.staged)
    assert offers(pos) == {"undertake honest days work", "undertake friends in high places", "undertake the blue robe"}
    assert rule_of(pos, "undertake Imperial Seafood") == "3.2"


def test_the_last_year_has_three_missions() -> None:
    """3.2: in the sixth year only its three missions can be chosen."""
    pos = Scene().set(year=6).part(s.PART.restore).go()
    assert offers(pos) == {"undertake served cold", "undertake beyond brightdune", "undertake the severing"}
    assert rule_of(pos, "undertake Honest Days Work") == "3.2"


def test_difficulty() -> None:
    """3.3, 12.2: easy, either mission, or both; a table may fix it."""
    pos = begun()
    play(pos, "undertake Honest Days Work", "undertake The Blue Robe")
    assert offers(pos) == {"difficulty easy", "difficulty first", "difficulty second", "difficulty both"}
    play(pos, "difficulty second")
    assert [int(task.difficult) for task in pos.state.tasks] == [0, 1]
    pos = begun(difficulty="normal")
    play(pos, "undertake Honest Days Work", "undertake The Blue Robe")
    assert offers(pos) == {"difficulty first", "difficulty second"}
    assert rule_of(pos, "difficulty easy") == "12.2"


def test_mission_setup() -> None:
    """3.4: base lines always, the star line only at the difficult setting; the first mission named goes first."""
    pos = begun()
    play(pos, "undertake Honest Days Work", "undertake The Blue Robe", "difficulty first", "begin with first")
    assert at(pos, 3) == ["Rousing Speech"]
    assert at(pos, 4) == ["The Amber Hand"]
    assert at(pos, 5) == ["Animaelic Echoes 1"]
    assert at(pos, 8) == []


def test_characters_and_cards_and_places() -> None:
    """3.6, 3.9, 3.11, 3.12, 12.7: taken characters are gone, pools are rolled, one card each, any of nine places."""
    pos = begun(overflow=True, serve_both=True)
    play(
        pos, "undertake Honest Days Work", "undertake The Blue Robe", "difficulty easy", "begin with first", "take Keel"
    )
    assert "take keel" not in offers(pos)
    assert rule_of(pos, "take Keel") == "3.6"
    assert rule_of(pos, "take Lucia") == "3.6"
    to_place(pos)
    assert [len(pool(pos, name)) for name in RESOURCES] == [2, 1, 1, 1, 1, 1]
    assert [len(dice(pos, seat)) for seat in range(2)] == [5, 5]
    assert all(hero.card >= 0 for hero in pos.state.heroes[:2])
    assert len(offers(pos)) == 9


def test_reserve_actions_come_in_the_second_year() -> None:
    """3.7: not in year one; then each that stays, with a target, or nothing."""
    scene = pair().set(year=2).part(s.PART.reserve)
    pos = scene.go()
    assert "no action" in offers(pos)
    assert rule_of(pos, "reserve action Assassin") == "3.7"


def test_advancement() -> None:
    """3.8: experience buys ranks and achievements and clears conditions; without it the reason is told."""
    scene = pair().person("Thea", xp=17).set(year=2)
    scene.state.people[0].marks[1] = 1
    pos = scene.part(s.PART.advance).go()
    assert rule_of(pos, "clear shaken") == "3.8"
    play(pos, "gain the next achievement", "clear weary", "raise skill command" if False else "ready")
    assert (pos.state.people[0].achievements, pos.state.people[0].xp, pos.state.people[0].marks[1]) == (1, 6, 0)


def test_discards_are_shuffled_in() -> None:
    """3.10: at session start the discard piles go back into the draw piles."""
    scene = pair().obstacles("Eastkeep", "Tripwire")
    scene.ready()
    from sutler.core.events import new_event_buffer
    from sutler.games.sixwinters.rules.land import discard

    discard(scene.box, scene.state, new_event_buffer(), scene.number("obstacle", "Tripwire"))
    assert scene.state.n_draw[0] == 11
    pos = scene.part(s.PART.pools).go()
    assert pos.state.n_draw[0] == 12


# --- 4, 5: the turn and its actions ---------------------------------------------------------------


def test_seven_steps() -> None:
    """4.1, 8.1, 10.1: after all are done the turn runs to the next actions step, with new dice and saved ones."""
    scene = pair().staged("Tinkering", "Cantrips", "Grand Tour", "Small Steps").tops("winter", "winter", "winter")
    pos = scene.go()
    play(pos, "done, saving 2", "done, saving 0")
    assert pos.state.turn_no == 2
    assert {"woken", "obstacle_placed"} <= set(kinds(pos.decisions[-1].told)) or pos.state.phase != 0


def test_the_event_follows_the_piles() -> None:
    """4.2: two piles showing spring in spring: Heavy Rains takes each player's lowest die."""
    scene = pair().set(space=1).tops("spring", "spring", "winter")
    pos = scene.part(s.PART.event).go()
    assert (dice(pos, 0), dice(pos, 1)) == ([3, 5], [4])


def test_who_acts() -> None:
    """5.1: the word goes to whoever steps in; when it has gone round somebody must act or be done."""
    pos = pair().pools(support=[1]).go()
    play(pos, "step in second", "step in first", "step in second", "step in first")
    assert rule_of(pos, "step in second") == "5.1"
    play(pos, "create with action 3")
    assert pos.why_not("step in second") is None
    play(pos, "done, saving 0", "step in first")
    assert pos.seat == 0


def test_moving_is_paid() -> None:
    """5.2, 5.10: two dice of one's choice from Parisa's Glen to the Empire; they are named one by one."""
    pos = pair().go()
    play(pos, "move to The Empire military")
    assert offers(pos) == {"pay action 1", "pay action 3", "pay action 5"}
    play(pos, "pay action 5", "pay action 1")
    assert (dice(pos), pos.state.heroes[0].slot) == ([3], 0)
    assert rule_of(pos, "move to The Empire military") == "5.2"


def test_ports() -> None:
    """5.3, 14.76: from port to port for one die; the icon decides."""
    scene = (
        Scene()
        .location("Ma Bonnie's Squidery", "The Empire military")
        .location("Goldspike", "Settled Lands technology")
    )
    pos = scene.heroes("Thea at Ma Bonnie's Squidery", "Keel at Loomwood").dice([2]).go()
    assert rule_of(pos, "sail to Brightdune military") == "5.3"
    play(pos, "sail to Settled Lands technology")
    assert (pos.state.heroes[0].slot, dice(pos)) == (7, [])


def test_gates() -> None:
    """5.4: through a magic gate for one stress, of the kind one likes."""
    scene = (
        Scene().location("House of Copper", "The Empire military").location("Shimmerhall", "Settled Lands technology")
    )
    pos = scene.heroes("Thea at House of Copper", "Keel at Loomwood").go()
    assert rule_of(pos, "gate to Brightdune military") == "5.4"
    play(pos, "gate to Settled Lands technology")
    assert offers(pos) == {"suffer psyche", "suffer body"}
    play(pos, "suffer psyche")
    assert (pos.state.heroes[0].slot, pos.state.heroes[0].stress[0]) == (7, 4)


def test_a_location_action() -> None:
    """5.5, 14.51: Hogel Manor moves an issue from anywhere to anywhere, for any action die; without an issue it is not offered."""
    scene = pair("Hogel Manor").dice([6])
    assert rule_of(scene.go(), "location action with action 6") == "5.5"
    pos = pair("Hogel Manor").dice([6]).obstacles("Loomwood", "Star-Crossed").go()
    play(pos, "location action with action 6", "to The Empire military")
    assert at(pos, 0) == ["Star-Crossed"]


def test_skill_and_stress_icons() -> None:
    """5.6, 14.47, 14.48: with a skill icon one die takes up to the rank; a stress icon takes any value for stress."""
    scene = (
        Scene().location("Sightrock Keep", "Brightdune military").heroes("Menas at Sightrock Keep", "Keel at Loomwood")
    )
    pos = scene.dice([4]).pools(military=[1, 2, 4, 5]).go()
    assert rule_of(pos, "create by stress") == "5.6"
    play(pos, "create with action 4", "take die 1", "take die 4")
    assert assets(pos, 3) == ["military 1", "military 4"]
    scene = Scene().location("Yearly Field", "The Empire military").heroes("Menas at Yearly Field", "Keel at Loomwood")
    pos = scene.pools(military=[6]).go()
    play(pos, "create by stress")
    assert (assets(pos, 0), int(pos.state.heroes[0].stress[1])) == (["military 6"], 4)


def test_trade_with_a_skill_icon() -> None:
    """5.7, 14.47, 12.8: a skill icon trades several dice with one action die, unless the table says otherwise."""
    for option, most in (("both", 2), ("create", 1)):
        scene = Scene(skill_icon=option).location("Sightrock Keep", "Brightdune military")
        pos = scene.heroes("Menas at Sightrock Keep", "Keel at Loomwood").dice([4]).pools(military=[1, 1, 1]).go()
        play(pos, "trade with action 4")
        while any(one.startswith("turn") for one in offers(pos)):
            play(pos, "turn Military 1 Diplomacy")
        assert len(pool(pos, "diplomacy")) == most


def test_free_texts() -> None:
    """5.8, 14.50: The Obfuscated Bribe changes a point of psyche into one of body, never below 1."""
    scene = (
        Scene()
        .location("The Obfuscated Bribe", "Brightdune support")
        .heroes("Thea at The Obfuscated Bribe", "Keel at Loomwood")
    )
    pos = scene.go()
    for _ in range(3):
        play(pos, "use the location")
    assert [int(n) for n in pos.state.heroes[0].stress] == [2, 6]
    assert rule_of(pos, "use the location") == "5.5"


def test_saving_dice() -> None:
    """5.9: two at most."""
    pos = pair().go()
    assert {"done, saving 0", "done, saving 1", "done, saving 2"} <= offers(pos)
    pos = pair().dice([4]).go()
    assert rule_of(pos, "done, saving 2") == "5.9"


# --- 6: progress cards ------------------------------------------------------------------------------


def star_card(scene: Scene) -> tuple[str, int, int, int]:
    """A card with a star and nothing else, its start, the cell before the end and the end."""
    card = next(c for c in scene.game.sheet.card if c.reward == ["any"])
    row = scene.box.card[scene.number("card", card.name)]
    return card.name, int(row.start), 0, int(row.end)


def nearly_done(scene: Scene, name: str) -> int:
    """A card one die short of its end: every other cell holds a Support 1. Returns the end cell."""
    row = scene.box.card[scene.number("card", name)]
    near = [c for c in range(16) if row.cells[c].there and c != row.end]
    last = next(c for c in near if abs(c // 4 - row.end // 4) <= 1 and abs(c % 4 - row.end % 4) <= 1)
    scene.card(0, name, (last, "support 1"))
    for field in ("kind",):
        setattr(row.cells[row.end], field, 6)
    return int(row.end)


def test_the_star_and_the_mission() -> None:
    """6.3, 6.4, 6.5, 14.18: a star raises the track chosen, and the card serves that symbol; or it is discarded."""
    scene = (
        pair()
        .mission("Honest Days Work", "The Blue Robe")
        .assets("Parisa's Glen", "support 1", "support 2", "support 3")
    )
    scene.assets("Parisa's Glen", "support 4", "support 5", "support 6").staged("Tinkering", "Cantrips")
    name, *_ = star_card(scene)
    scene.card(0, name)
    from sutler.games.sixwinters.rules.common import KIND, push

    scene.ready()
    push(scene.state, KIND.complete, 0, 1, 0)
    scene.state.phase = 0
    pos = scene.go()
    play(pos, "raise Sorcery")
    assert offers(pos) == {"serve second sorcery", "discard card"}
    assert pos.state.progress[SORCERY] == 2
    play(pos, next(one for one in offers(pos) if one.startswith("serve")))
    assert pos.state.tasks[1].card[0] >= 0
    assert pos.state.phase != 0


def test_placing_only_next_to_the_last_die() -> None:
    """6.1, 6.2: the start first, then a neighbour; an asset must lie at one's place."""
    scene = pair().card(0, "Small Steps").assets("Parisa's Glen", "support 3").assets("Loomwood", "support 4")
    row = scene.box.card[scene.number("card", "Small Steps")]
    pos = scene.go()
    assert rule_of(pos, f"put {cell_name(int(row.end))} Support 3") == "6.1"
    assert rule_of(pos, f"put {cell_name(int(row.start))} Support 4") == "6.2"
    assert rule_of(pos, "put on the shared card Support 3") == "6.2"


def test_the_shared_card() -> None:
    """6.7, 14.20, 14.23: it comes when the Diplomacy track is completed, and anybody may place on it."""
    scene = pair().set(year=6).mission("Beyond Brightdune", "Served Cold").progress(diplomacy=12)
    scene.assets("Parisa's Glen", "support 2", "military 3")
    scene.staged("Tinkering", "Cantrips", "Grand Tour", "Small Steps")
    scene.part(s.PART.setup).set(k=4)
    scene.ready()
    from sutler.core.events import new_event_buffer
    from sutler.games.sixwinters.phases_actions_events import P
    from sutler.games.sixwinters.rules.missions import look_at_missions

    look_at_missions(scene.box, scene.state, new_event_buffer())
    scene.state.part, scene.state.phase = s.PART.actions, P.act
    pos = scene.go()
    assert rule_of(pos, "put on the shared card Military 3") == "6.1"  # its first cell asks for Support
    assert "put on the shared card military 3" not in offers(pos)
    play(pos, "put on the shared card Support 2")
    assert pos.state.shared_n == 1


# --- 7: overcoming --------------------------------------------------------------------------------


def test_together() -> None:
    """7.1, 7.2, 7.7: others here may join; who takes a stress die is chosen."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([6, 6], [5]).obstacles("Eastkeep", "Tripwire")
    pos = scene.go()
    assert rule_of(pos, "overcome Drauga") == "7.1"
    play(pos, "overcome Tripwire")
    assert offers(pos) == {"join", "stay out"}
    play(pos, "join", "roll", "roll")
    assert pos.state.phase != 0


def test_the_last_die_goes_into_an_ability() -> None:
    """14.61: whoever puts the last die into an ability, and has nothing at hand for it, gives up."""
    scene = Scene().heroes("Oniri at Eastkeep", "Keel at Loomwood").dice([6], [5]).obstacles("Eastkeep", "Tripwire")
    pos = scene.person("Oniri", achievements=6).go()
    play(pos, "overcome Tripwire", "ability 7")
    told = pos.play("to The Empire military")
    assert "given_up" not in kinds(told), "the asset lies here"
    pos.undo()
    told = pos.play("to The Empire technology")
    assert "given_up" in kinds(told)
    assert pos.state.over.obstacle == NOBODY


def test_an_obstacle_for_one() -> None:
    """7.2, 13.8: Starsalt is overcome alone: nobody is asked to join."""
    scene = Scene().heroes("Fuscus at Eastkeep", "Keel at Eastkeep").dice([6, 6], [5]).obstacles("Eastkeep", "Starsalt")
    pos = scene.go()
    play(pos, "overcome Starsalt")
    assert "join" not in offers(pos)


def test_barred() -> None:
    """7.1, 13.8: while Drauga is in play, obstacles with a Support threat cannot be overcome."""
    scene = pair("Eastkeep").obstacles("Eastkeep", "Angry Mob 1").obstacles("Loomwood", "Drauga")
    assert rule_of(scene.go(), "overcome Angry Mob 1") == "7.1"


def test_another_round() -> None:
    """7.8, 14.61: short of the difficulty the total is kept for another round, or lost."""
    scene = pair("Eastkeep").dice([1], []).obstacles("Eastkeep", "Captain Aldric").assets("Eastkeep", "support 1")
    pos = scene.go()
    play(pos, "overcome Captain Aldric", "roll")
    while not pos.over and not {"again", "give up"} <= offers(pos):
        pos.play("enough" if "enough" in offers(pos) else pos.legal_ids()[0])
    assert pos.state.over.total == 1
    play(pos, "give up")
    assert at(pos, 0) == ["Captain Aldric"]


# --- 8: the other steps ------------------------------------------------------------------------------


def test_refresh_keeps_what_is_there() -> None:
    """8.1, 14.5: pools are filled up to the level, surplus stays; dice leave abilities."""
    scene = pair().pools(support=[6, 6, 6], military=[]).part(s.PART.refresh)
    scene.state.heroes[0].used[1] = 1
    pos = scene.go()
    assert pool(pos, "support") == [6, 6, 6]
    assert len(pool(pos, "military")) == 1
    assert pos.state.heroes[0].used[1] == 0


def test_ties_in_activation() -> None:
    """8.4, 14.55: two obstacles of the same difficulty: the players choose which draws near."""
    scene = pair("Hogel Manor", "Hogel Manor").tops("winter", "summer", "winter")
    scene.obstacles("Boar's Rift", "Angry Mob 1").obstacles("Loomwood", "Angry Mob 2")
    pos = scene.part(s.PART.activate).set(season_now=-1, k=3).go()
    assert offers(pos) == {"target angry mob 1", "target angry mob 2"}
    play(pos, "target Angry Mob 2")
    assert at(pos, 4) == ["Angry Mob 2"]


# --- 9, 10, 11 -----------------------------------------------------------------------------------------


def test_achievements_by_deed() -> None:
    """9.6, 14.32, 12.6: overcoming a trap is Keel's deed, unless the table wants experience only."""
    for option, gained in (("both", 1), ("experience", 0)):
        scene = (
            Scene(deeds=option)
            .heroes("Keel at Eastkeep", "Thea at Loomwood")
            .dice([6, 6])
            .obstacles("Eastkeep", "Tripwire")
        )
        scene.threat(espionage=1).person("Keel", thievery=5)
        pos = scene.go()
        play(pos, "overcome Tripwire", "roll")
        while pos.state.n_frames:
            pos.play(pos.legal_ids()[-1])
        assert pos.state.people[2].achievements == gained


def test_reserve_action_burns() -> None:
    """9.7, 14.37: Sabotage burns a trap of any deck for good."""
    scene = Scene().heroes("Thea at Loomwood", "Menas at Loomwood").set(year=2).part(s.PART.reserve)
    scene.ready()
    pos = scene.go()
    play(pos, "reserve action Sabotage", "target Tripwire")
    assert pos.state.obstacle_at[scene.number("obstacle", "Tripwire")] == s.BURNED
    assert pos.state.n_draw[0] == 11


def test_stash() -> None:
    """9.9, 14.42: a die goes on the slot and comes off as an asset elsewhere; the slot holds one."""
    scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood").dice([1, 1]).person("Keel", achievements=5)
    pos = scene.assets("Eastkeep", "technology 4", "technology 2").go()
    assert rule_of(pos, "unstash 8") == "9.9"
    play(pos, "stash 8 4")
    assert rule_of(pos, "stash 8 2") == "9.9"
    play(pos, "move to The Empire technology")
    play(pos, "unstash 8")
    assert assets(pos, 1) == ["technology 4"]


def test_without_stash() -> None:
    """12.16, 14.42: the option takes the slots away; Menas's fifth achievement is a Military asset then."""
    scene = (
        Scene(stash=False).heroes("Keel at Eastkeep", "Menas at Loomwood").person("Keel", achievements=5).dice([1], [1])
    )
    pos = scene.assets("Eastkeep", "technology 4").go()
    assert rule_of(pos, "stash 8 4") == "9.4"
    menas = scene.box.character[1].ability[7]
    assert scene.game.names["op"][scene.box.ops[menas.effect.first].op - 1] == "add_asset"


def test_taking_it_for_another() -> None:
    """9.10, 14.46: Oniri may take body stress that another would take, as much as she likes."""
    scene = Scene().heroes("Thea at Loomwood", "Oniri at Eastkeep").person("Oniri", achievements=5)
    scene.dice([1], [1]).set(space=0).tops("winter", "winter", "winter")
    pos = scene.part(s.PART.event).go()
    assert offers(pos) >= {"amount 0", "amount 1", "amount 2"}
    before = [int(hero.stress[1]) for hero in pos.state.heroes[:2]]
    play(pos, "amount 2")
    after = [int(hero.stress[1]) for hero in pos.state.heroes[:2]]
    assert after[1] == before[1] - 2 or after != before


def test_experience() -> None:
    """11.5, 14.40: 25 for who went, 20 for who stayed, nothing for who is locked."""
    scene = pair()
    give_experience(scene.box, scene.state, new_event_buffer())
    assert [int(one.xp) for one in scene.state.people[:7]] == [25, 20, 25, 20, 0, 0, 0]


def test_the_session_ends() -> None:
    """11.2, 11.3, 11.6: missions are read, the table is cleared, the journal written, and the next year begins."""
    scene = pair().mission("The Blue Robe", "Honest Days Work").assets("Loomwood", "support 4").card(0, "Tinkering")
    pos = scene.part(s.PART.clear).go()
    while pos.state.year == 1:
        pos.play(pos.legal_ids()[0])
    assert int(sum(pos.state.assets.ravel())) == 0
    assert [int(m) for m in pos.state.journal[0].mission] == [scene.number("mission", "The Blue Robe"), 0]
    assert list(pos.state.journal[0].result) == [s.FAILED, s.FAILED]
    assert pos.state.threat[SORCERY] <= 4


def test_winning() -> None:
    """11.7, 14.22: passing The Severing wins at once, for every seat."""
    scene = pair().set(year=6, severing=2).mission("The Severing", "Served Cold").progress(sorcery=12).threat(sorcery=3)
    scene.state.tasks[0].then[0] = s.WANTED
    from sutler.core.events import new_event_buffer
    from sutler.games.sixwinters.rules.missions import settle_at_once

    scene.ready()
    settle_at_once(scene.box, scene.state, new_event_buffer(), 0)
    scene.state.phase = 0
    pos = scene.go()
    assert pos.over
    assert pos.places() == [1, 1]
    assert pos.state.mission[scene.number("mission", "Served Cold")] == s.FAILED


def test_nobody_left() -> None:
    """9.12: with everybody knocked out the turns go on, each when somebody lets it, up to the end of the session."""
    scene = pair().staged("Tinkering", "Cantrips", "Grand Tour", "Small Steps").set(turn_no=0)
    for hero in scene.state.heroes[:2]:
        hero.out, hero.slot = 1, s.NOBODY
    pos = scene.dice([], []).part(s.PART.event).go()
    turns = []
    while pos.state.part != s.PART.clear and pos.state.year == 1:
        assert offers(pos) == {"let the turn go on"}
        turns.append(int(pos.state.turn_no))
        play(pos, "let the turn go on")
    assert turns == list(range(1, len(turns) + 1))
    assert 4 <= len(turns) <= 8


# --- 12: numbers of players and options ------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "heroes", "n", "more"), [(1, 2, 7, 0), (2, 2, 5, 0), (3, 3, 5, 5), (4, 4, 4, 5)])
def test_numbers_of_players(seats: int, heroes: int, n: int, more: int) -> None:
    """12.1: characters, dice and difficulty for one to four."""
    pos = to_place(begun(seats))
    assert pos.state.n_heroes == heroes
    assert [len(dice(pos, seat)) for seat in range(seats)] == [n] * seats
    card = next(i for i in range(101) if 0 <= pos.state.obstacle_at[i] < 9)
    assert difficulty(pos.game.box, pos.state, card) >= pos.game.box.obstacle[card].difficulty + more


def test_one_after_the_other() -> None:
    """12.1: with `solo` = passes one character has five dice, and another plays the same year after it."""
    pos = to_place(begun(1, solo="passes"))
    assert (int(pos.state.n_heroes), len(dice(pos))) == (1, 5)
    scene = Scene(1, solo="passes").heroes("Thea at Loomwood").part(s.PART.clear)
    pos = scene.go()
    assert (int(pos.state.pass_no), int(pos.state.year)) == (1, 1)
    assert "take thea" not in offers(pos)


def test_other_options() -> None:
    """12.3, 12.4, 12.13, 12.14, 12.12: a later year, fewer sessions, more cards, other threats, and a year with one mission."""
    assert begun(start_year=3).state.year == 3
    assert begun(start_threats=2).state.threat[MILITARY] == 7
    pos = begun(unreachable=True)
    assert sum(int(n) for n in pos.state.n_draw) > 36
    keel, forager = pos.game.names["character"].index("Keel"), pos.game.names["reserve"].index("Forager")
    assert pos.state.people[keel].reserves >> forager & 1
    assert not begun().state.people[keel].reserves >> forager & 1
    scene = pair(sessions=1).part(s.PART.tidy)
    assert scene.go().over
    scene = Scene()
    for m in range(1, 23):
        scene.state.mission[m] = s.FAILED
    pos = scene.part(s.PART.restore).go()
    assert pos.state.tasks[1].mission == -1


def test_overflow() -> None:
    """12.5, 14.4, 14.73: a step beyond the last space is lost; with the option it goes along the wheel."""
    from sutler.core.events import new_event_buffer
    from sutler.games.sixwinters.rules.tracks import change_progress

    for option, there in ((False, 1), (True, 2)):
        scene = pair(overflow=option).progress(support=12)
        scene.ready()
        change_progress(scene.box, scene.state, new_event_buffer(), SUPPORT, 1)
        assert (scene.state.progress[SUPPORT], scene.state.progress[TECHNOLOGY]) == (12, there)


def test_critical() -> None:
    """12.10, 14.3: with the option a Military threat at level six ends the campaign; without it nothing happens."""
    from sutler.core.events import new_event_buffer
    from sutler.games.sixwinters.rules.tracks import change_threat

    for option, outcome in ((False, 0), (True, 2)):
        scene = pair(critical=option).threat(military=11)
        scene.ready()
        change_threat(scene.box, scene.state, new_event_buffer(), MILITARY, 1)
        assert scene.state.outcome == outcome


def test_two_symbols_and_scoring_tracks() -> None:
    """12.9, 12.11: a card may serve two symbols, and other tracks may score, if the table says so."""
    from sutler.games.sixwinters.scoring import team_points

    assert load_game("sixwinters", serve_both=True).box.options.serve_both == 1
    points = []
    for option in ("military, support", "sorcery, espionage"):
        scene = Scene(score_tracks=option).progress(sorcery=12)
        points.append(int(team_points(scene.box, scene.state)))
    assert points == [1, 6]
    assert ESPIONAGE != SORCERY
