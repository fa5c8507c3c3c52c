"""What coaches say stands beside questions that their games ask, and is short."""

from __future__ import annotations

import pytest

from sutler.core.play.game import load as load_game
from sutler.core.play.registry import games, load_definition
from sutler.core.text.coaching import CoachMemory, read_coaching

MAX_SAYING_CHARS = 130
"""What the coach's slip on a phone has room for beside the advice."""


@pytest.mark.parametrize("game", games())
def test_a_coach_speaks_of_what_is_asked(game: str) -> None:
    """Five sentences or more, each about phases that there are; what is preferred is an action of the game."""
    told = load_definition(game)
    coaching, phases = read_coaching(told.folder), set(told.phases.words)
    assert len(coaching.say) >= 5
    spoken_of = [one.at for one in [*coaching.say, *coaching.thumb, *coaching.rather]]
    assert {at for some in spoken_of for at in some} <= phases
    assert [one.text for one in coaching.say if len(one.text) > MAX_SAYING_CHARS] == []
    for one in [*coaching.rather, *(some for some in [*coaching.say, *coaching.thumb] if some.action)]:
        verbs = {(block.verb or name).replace("_", " ").split()[0] for name, block in told.actions.blocks.items()}
        assert one.action.split()[0].rstrip(",") in {verb.rstrip(",") for verb in verbs}


def test_a_phase_without_a_sentence_has_none() -> None:
    coaching = read_coaching(load_definition("sixwinters").folder)
    assert coaching.list_sayings("over", "pass") == []
    assert coaching.find_preference("act") is None
    assert coaching.find_preference("difficulty").action == "difficulty easy"  # type: ignore[union-attr]


def test_what_is_said_fits_what_is_advised() -> None:
    """Of one question: whoever is told to fight hears of fights, whoever is told to end the turn does not."""
    coaching = read_coaching(load_definition("sixwinters").folder)
    actions = ("overcome Radia", "done, saving 2", "create with 4", "move to Brightdune military")
    assert len({coaching.list_sayings("act", one)[0] for one in actions}) == len(actions)
    assert len({coaching.list_rules_of_thumb("act", one)[0] for one in actions}) == len(actions)


@pytest.mark.parametrize("game", games())
def test_no_sentence_of_a_coach_hides_another(game: str) -> None:
    """The first that fits is said first, so one about any action comes after those about some."""
    coaching = read_coaching(load_definition(game).folder)
    for some in (coaching.say, coaching.thumb):
        hidden = [
            late.text
            for i, late in enumerate(some)
            if all(
                any(early.is_about(at, late.action) and early.action != late.action for early in some[:i])
                for at in late.at
            )
        ]
        assert hidden == []
        assert len({(one.text, at, one.action) for one in some for at in one.at}) == sum(len(one.at) for one in some)


@pytest.mark.parametrize("game", games())
def test_a_coach_has_a_rule_of_thumb_for_every_action(game: str) -> None:
    """Where no number speaks for what is advised, the author of the lessons does, whatever is advised and whenever."""
    told = load_game(game)
    coaching, actions = read_coaching(told.folder), told.definition.actions
    names = {told.action(name).block: str(name) for name in reversed(list(told.action_names))}
    silent = [
        f"{phase.replace('_', ' ')}: {names[block]}"
        for block, row in actions.blocks.items()
        if not row.aside
        for phase in actions.phases(block)
        if not coaching.list_rules_of_thumb(phase.replace("_", " "), names[block])
        and not coaching.find_preference(phase.replace("_", " "))
    ]
    assert silent == []


def test_nothing_is_said_twice() -> None:
    """A sentence is said once at a table, and no reason follows itself."""
    memory = CoachMemory()
    assert memory.pick_saying(["first", "second"]) == "first"
    memory.note_advice("first", "why")
    assert memory.pick_saying(["first", "second"]) == "second"
    assert memory.pick_reason(["why", "because"]) == "because"
    memory.note_advice("second", "because")
    assert memory.pick_saying(["first", "second"]) == ""
    assert memory.pick_reason(["why", "because"]) == "why"
    assert memory.pick_reason(["because", ""]) == ""
