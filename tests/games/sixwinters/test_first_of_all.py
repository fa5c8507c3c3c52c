"""The first of its kind is one like any: obstacle, progress card, mission, scheme and location number 0 (none is numbered in print)."""

import pytest

from games.sixwinters.scene import Scene, offers
from sutler.core.bits import has, members
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import FACES, RES, SPACES
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules import cards, land, payments, tracks, turn

FIRST_OBSTACLE = "Orb of Seeing"
FIRST_CARD = "Tinkering"


def allowed(scene: Scene, rule: object, *what: object) -> list[int]:
    """The actions that a rule marks."""
    out = scene.d.actions.new_ids()
    rule(scene.box, scene.state, *what, out)  # type: ignore[operator]
    return list(members(out.ids))


def told(scene: Scene, rule: object, *what: object) -> list[str]:
    """The kinds of events that a rule tells."""
    buffer = new_event_buffer()
    rule(scene.box, scene.state, buffer, *what)  # type: ignore[operator]
    return [one.kind for one in drain_events(scene.d.events, buffer)]


@pytest.mark.parametrize("names", [(FIRST_OBSTACLE,), (FIRST_OBSTACLE, "Tripwire"), ("Tripwire", FIRST_OBSTACLE)])
def test_the_first_obstacle_is_overcome_paid_off_and_woken(names: tuple[str, ...]) -> None:
    """7.1, 8.2, 11.1: alone at a place, and before or after another one there."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").obstacles("Eastkeep", *names).dice([3, 3], [1])
    assert scene.number("obstacle", FIRST_OBSTACLE) == 0
    assert {name for name in offers(scene.go()) if name.startswith("overcome")} == {
        f"overcome {name}".casefold() for name in names
    }
    for r in range(RES):
        scene.state.pools[r, FACES - 1] = 9
    assert len(allowed(scene, payments.allow_clear_obstacle, 0)) == len(names)
    slot = scene.slot("Eastkeep")
    scene.state.sub = 1
    for n in range(len(names)):
        turn.wake_obstacle(scene.box, scene.state, new_event_buffer(), slot)
        assert len(members(scene.state.woken)) == n + 1
    assert has(scene.state.woken, 0)


def test_the_first_obstacle_comes_near() -> None:
    """8.3: as the only one of its region it moves to where nothing lies, and is not woken there."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").obstacles("Loomwood", FIRST_OBSTACLE)
    scene.ready()
    there = next(i for i in range(9) if i // 3 == scene.slot("Loomwood") // 3 and scene.state.head[i] == NOBODY)
    scene.state.sub, scene.state.k = 2, there
    turn.draw_near(scene.box, scene.state, new_event_buffer(), there)
    assert int(scene.state.obstacle_at[0]) == there
    assert has(scene.state.woken, 0)


def test_the_first_progress_card_is_filled() -> None:
    """6.2: the asset that its first cell asks for lies on it."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").card(0, FIRST_CARD).ready()
    assert scene.number("card", FIRST_CARD) == 0
    card = scene.box.card[0]
    cell = int(card.start)
    wanted = card.cells[cell]
    r, v = max(0, int(wanted.kind)) % RES, max(1, int(wanted.value))
    slot = scene.slot("Eastkeep")
    scene.state.assets[slot, r, v - 1] = 1
    scene.state.actor = 0
    code = r * FACES + v - 1
    assert cards.why_not_put(scene.box, scene.state, 0, cell, code) == 0
    assert len(allowed(scene, cards.allow_put, 0)) >= 1


def test_the_first_progress_card_is_staged_and_discarded() -> None:
    """6.6, 8.5: it slides down, is the lowest, may be taken, and goes to the discards."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    state, last = scene.state, len(scene.state.staged) - 1
    for i in range(last + 1):
        if state.staged[i] != NOBODY:
            land.discard_staged(state, new_event_buffer(), i)
    state.staged[last - 1] = 0
    state.card_at[0] = s.CARD_AT.stage
    assert int(land.bottom_staged(state)) == last - 1
    assert cards.why_not_pick(scene.box, state, 0, last - 1) == 0
    assert cards.why_not_pick(scene.box, state, 0, last) != 0
    land.refill_staging(scene.box, state, new_event_buffer())
    assert int(state.staged[last]) == 0
    assert all(card != NOBODY for card in state.staged)
    buffer = new_event_buffer()
    land.discard_staged(state, buffer, last)
    assert [one.kind for one in drain_events(scene.d.events, buffer)] == ["card_discarded"]
    assert (int(state.card_at[0]), int(state.staged[last])) == (s.CARD_AT.discard, NOBODY)


@pytest.mark.parametrize("number", [0, 1])
def test_every_scheme_is_fed_triggered_and_taken_away(number: int) -> None:
    """8.7, 8.8, 14.75: the first scheme as well as the second; without one nothing of it happens."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood")
    name = scene.game.names["scheme"][number]
    scene.scheme(name, "military", "military").ready()
    scene.state.part, scene.state.phase = s.PART.trigger, P.moving
    assert "scheme_rolled" in told(scene, tracks.step_trigger)
    for r in range(RES):
        scene.state.threat[r] = SPACES
    fed = told(scene, tracks.change_threat, 0, 2)
    assert ("scheme_fed" in fed) == (scene.box.track[0].has_threats == 1)
    assert told(scene, tracks.burn_scheme) == ["scheme_gone"]
    assert int(scene.state.scheme) == NOBODY
    assert told(scene, tracks.burn_scheme) == []
