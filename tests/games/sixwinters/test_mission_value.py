"""What bots of Six Winters see in a mission: what its results bring the campaign as it stands, and what it asks of the team."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.sixwinters.scene import Scene
from sutler.games.sixwinters.bot import card_and_fight_costs, mission_value
from sutler.games.sixwinters.bot.weights import WEIGHTS
from sutler.games.sixwinters.rules.preparation import why_not_undertake
from sutler.games.sixwinters.state import FAILED, LOCKED, PART, UNLOCKED


def results(scene: Scene, name: str) -> tuple[float, float]:
    """What passing and failing a mission bring, beside its points."""
    printed = scene.box.mission[scene.number("mission", name)]
    passed, failed = (
        float(mission_value.result_worth(scene.box, scene.state, WEIGHTS, one))
        for one in (printed.passed, printed.failed)
    )
    return passed, failed


def chosen_first(year: int, gone: Sequence[str] = (), threat: int = 3, **progress: int) -> list[str]:
    """The two missions that a bot would undertake, of those it may, when these are gone."""
    scene = Scene().heroes("Thea at Whitehold", "Menas at Eastkeep").progress(**progress)
    state, box = scene.state, scene.box
    state.year, state.part, state.turn_no = year, PART.missions, 0
    state.threat[:] = [threat] * len(state.threat)
    for name in gone:
        state.mission[scene.number("mission", name)] = FAILED
    worth, task = {}, state.tasks[0]
    for mission in range(int(box.n_missions)):
        if why_not_undertake(box, state, 0, mission) == 0:
            task.mission, state.severing = mission, int(box.mission[mission].severing)
            name = scene.game.names["mission"][mission]
            worth[name] = float(
                mission_value.mission_worth(box, state, WEIGHTS, 0, card_and_fight_costs.n_turns_left(box, state))
            )
    return sorted(worth, key=lambda name: -worth[name])[:2]


def test_a_character_that_joins_whatever_the_result_counts_in_both() -> None:
    """11.2: the more the sooner, and nothing once it has joined."""
    for name, who in (("Forager's Curiosity", "Yasmina"), ("Death Captured", "Oniri"), ("The Betrayed", "Lucia")):
        scene = Scene().threat(sorcery=1)
        c = scene.number("character", who)
        worth = {}
        for year in (2, 4):
            for state in (LOCKED, UNLOCKED):
                scene.state.year, scene.state.people[c].state = year, state
                worth[year, state] = results(scene, name)
        for side in (0, 1):
            early, late = (worth[year, LOCKED][side] - worth[year, UNLOCKED][side] for year in (2, 4))
            assert early == pytest.approx(2 * late)
            assert late > 0
            assert worth[2, UNLOCKED][side] == worth[4, UNLOCKED][side]


def test_who_can_more_is_worth_more() -> None:
    scene = Scene()
    known = [
        float(mission_value.printed_skills_worth(scene.box, WEIGHTS, scene.number("character", who)))
        for who in ("Oniri", "Yasmina", "Menas")
    ]
    assert known[0] > known[1] > known[2]


def test_a_threat_is_lowered_as_far_as_there_is_one() -> None:
    """2.1: The Blue Robe failed lowers Sorcery's by two, from the second space by one, from the first by none."""
    found = {space: results(Scene().threat(sorcery=space), "The Blue Robe")[1] for space in (1, 2, 3, 9)}
    assert found[1] == 0
    assert found[9] == found[3] == pytest.approx(2 * found[2])
    assert found[2] == pytest.approx(mission_value.THREAT[5])


def test_an_effect_that_the_campaign_has_brings_nothing_more() -> None:
    assert results(Scene(), "Opening the Veil")[0] == pytest.approx(mission_value.EFFECT - mission_value.BURDEN)
    assert results(Scene().effects("Transmutation"), "Opening the Veil")[0] == pytest.approx(-mission_value.BURDEN)


def test_what_may_be_left_is_left_when_it_costs_more_than_it_brings() -> None:
    """Honest Days Work passed: Fuscus may go on smuggling, which raises the Support threat, unless it stands at its end."""
    scene = Scene().threat(support=1)
    smuggling = mission_value.RESERVE_ACTION - mission_value.DECK_BURDEN - mission_value.THREAT[0]
    assert results(scene, "Honest Days Work")[0] == pytest.approx(max(0.0, smuggling))
    assert results(Scene().threat(support=12), "Honest Days Work")[0] == pytest.approx(
        smuggling + mission_value.THREAT[0]
    )


def test_an_obstacle_asks_less_of_those_who_know_its_skill() -> None:
    """14.19: Death Captured wants The Necromancer overcome, 17 with Lore."""
    asked = []
    for lore in (0, 2, 5):
        scene = Scene().mission("Death Captured")
        for person in scene.state.people:
            person.skills[:] = 0
        scene.person("Thea", lore=lore)
        asked.append(float(mission_value.mission_work_left(scene.box, scene.state, WEIGHTS, 0)))
    assert asked[0] > asked[1] > asked[2]


def test_a_symbol_asks_less_where_dice_are_many() -> None:
    few = Scene().progress(diplomacy=2).mission("Friends in High Places")
    many = Scene().progress(diplomacy=9).mission("Friends in High Places")
    assert float(mission_value.mission_work_left(few.box, few.state, WEIGHTS, 0)) > float(
        mission_value.mission_work_left(many.box, many.state, WEIGHTS, 0)
    )


EARLY = ("Honest Days Work", "The Blue Robe")
LATER = (*EARLY, "Oath of the Hawkleader", "Imperial Seafood")
LAST = (
    *(*EARLY, "Oath of the Hawkleader", "Friends in High Places", "Alone in the Empire", "Longstanding Traditions"),
    *("Opening the Veil", "Chosen of Brightdune", "Friends Like These"),
)
CHOSEN = [
    (1, (), {}, {"The Blue Robe", "Honest Days Work"}),
    (2, EARLY, {"sorcery": 1}, {"Oath of the Hawkleader", "Imperial Seafood"}),
    (2, LATER, {"sorcery": 1}, {"Friends in High Places"}),
    (3, LATER, {"sorcery": 8, "espionage": 5}, {"Street Smarts", "Alone in the Empire"}),
    (
        3,
        (*LATER, "Alone in the Empire"),
        {"sorcery": 8, "support": 8},
        {"The Adults Are Talking", "Longstanding Traditions"},
    ),
    (
        *(3, (*LATER, "Alone in the Empire", "Longstanding Traditions"), {"sorcery": 8}),
        {"Death Captured", "Forager's Curiosity"},
    ),
    (4, LATER, {"sorcery": 9, "military": 8}, {"No Half Measures", "Opening the Veil"}),
    (
        *(4, LAST[:-2], {"technology": 6, "sorcery": 1}),
        {"Chosen of Brightdune", "War Machines"},
    ),
    (5, (*LATER, "Opening the Veil"), {"diplomacy": 11}, {"Hearts and Minds", "Friends Like These"}),
    (5, (*LAST, "Imperial Seafood"), {"diplomacy": 5, "sorcery": 1}, {"Selling Out", "For the Greater Good"}),
    (5, (*LAST, "Street Smarts"), {"espionage": 9, "sorcery": 1}, {"The Betrayed", "Imperial Seafood"}),
    (6, LAST, {"sorcery": 12, "espionage": 9}, {"The Severing", "Served Cold"}),
    (6, LAST, {"sorcery": 2, "espionage": 2, "diplomacy": 11}, {"Beyond Brightdune", "The Severing"}),
]
"""The year, the missions gone, the progress tracks; the missions that a bot would undertake."""


def test_every_mission_is_undertaken_somewhere() -> None:
    """3.2: what is chosen goes by the tracks, by what is gone, and by what is still to be had."""
    found = [set(chosen_first(year, gone, **tracks)) for year, gone, tracks, _ in CHOSEN]
    assert found == [chosen for *_, chosen in CHOSEN]
    assert len(set().union(*found)) == Scene().box.n_missions
