"""The questions of Six Winters name what they are about, whatever asks them."""

from __future__ import annotations

from games.sixwinters.scene import Scene
from sutler.contract.helpers import play
from sutler.core.events import new_event_buffer
from sutler.core.play.position import Position
from sutler.core.text.sentences import to_plain_text
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.phases_actions_events import PHASES, P
from sutler.games.sixwinters.rules.common import KIND
from sutler.games.sixwinters.rules.heroes import pay_stress
from sutler.games.sixwinters.rules.land import difficulty
from sutler.games.sixwinters.text.prompts import BY_FRAME, BY_PART, PROMPTS


def asked(pos: Position) -> tuple[str, str]:
    """The question and its help."""
    prompt = pos.prompt(pos.seat)
    return to_plain_text(prompt.text), to_plain_text(prompt.help)


def test_every_phase_has_its_questions() -> None:
    """Each phase in which somebody decides, and each thing that asks in a phase of others."""
    decided = [name for name, row in PHASES.phases.items() if name != "moving" and not row.over]
    assert set(decided) <= set(PROMPTS)
    assert {*BY_FRAME.values(), *BY_PART.values()} <= set(PROMPTS)
    assert all(help_text for _, help_text in PROMPTS.values())


def test_11_1_paying_an_obstacle_off_names_it_and_what_is_paid() -> None:
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").pools(military=[6, 6, 5, 4, 3])
    scene.obstacles("Loomwood", "Legionary 3").part(s.PART.clear)
    pos = scene.go()
    play(pos, "discard Legionary 3")
    due = int(difficulty(scene.box, pos.state, scene.number("obstacle", "Legionary 3")))
    assert asked(pos)[0].endswith("pay for Legionary.")
    assert asked(pos)[1] == f"Dice of its threats: 0 of {due} paid; no change is given."
    play(pos, "pay pool Military 3")
    assert asked(pos)[1] == f"Dice of its threats: 3 of {due} paid; no change is given."


def test_11_2_the_order_of_results_is_no_setup() -> None:
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").mission("Honest Days Work", "The Blue Robe")
    pos = scene.part(s.PART.result_order).go()
    assert pos.state.phase == P.order
    assert asked(pos)[0] == "Which mission’s result is read first?"
    pos = scene.part(s.PART.order).go()
    assert asked(pos)[0] == "Which mission is set up first?"


def test_8_3_a_tie_says_what_moves_where() -> None:
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").obstacles("Loomwood", "Legionary 1", "Legionary 2")
    slot = scene.slot("Parisa's Glen")
    season = ("spring", "summer", "fall")[slot % 3]
    scene.tops("winter", season, "winter").part(s.PART.activate)
    scene.state.k, scene.state.season_now = slot, scene.box.place[slot].season
    pos = scene.go()
    assert pos.state.phase == P.choose_obstacle
    assert asked(pos)[0] == "Parisa's Glen wakes and nothing lies there: which obstacle moves to it?"
    assert "hardest of the region" in asked(pos)[1]


def test_5_4_a_gate_says_where_it_leads() -> None:
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([1], [2])
    names = scene.game.names
    gates = [i for i in range(scene.box.n_locations) if scene.box.location[i].icon == 2][:2]
    scene.location(names["location"][gates[0]], "Brightdune Support").location(
        names["location"][gates[1]], "Settled Lands Diplomacy"
    )
    scene.state.heroes[0].slot = scene.slot(names["location"][gates[0]])
    pos = scene.go()
    pos.play(next(one for one in pos.actions() if one.block == "gate"))
    assert pos.state.phase == P.choose_track
    text, more = asked(pos)
    assert text.endswith(f"psyche or body for the gate to {names['location_called'][gates[1]]}?")
    assert more == "1 stress of the one you choose, then Thea is there."


def test_8_8_the_scheme_says_whether_cancelling_one_die_is_enough() -> None:
    """8.9: an effect happens once, however many dice match: where others cannot be cancelled, one alone brings nothing."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").set(year=2, k=1, turn_no=2)
    scene.scheme("Source of All Mana", "espionage 1", "support 1", "support 1").assets("Eastkeep", "espionage 4")
    scene.state.part, scene.state.phase, scene.state.k, scene.state.sub = s.PART.trigger, P.moving, 1, 0
    pos = scene.go()
    text, more = asked(pos)
    assert "Espionage 1. Cancel it?" in text
    assert (
        "2 other dice show a 1, and the effect happens once for all of them; 0 of those can still be cancelled." in more
    )


def test_9_10_who_takes_stress_for_whom() -> None:
    scene = Scene().heroes("Thea at Eastkeep", "Oniri at Eastkeep").dice([1], [2]).person("Oniri", achievements=6)
    scene.ready()
    pay_stress(scene.box, scene.state, new_event_buffer(), 0, 1, 3)
    assert scene.state.frames[0].kind == KIND.stress
    scene.state.phase = P.moving
    pos = scene.go()
    assert asked(pos)[0].endswith("how much of Thea’s 3 body stress does Oniri take instead?")
