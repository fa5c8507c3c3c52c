"""What a game's folder brings is held against the contract when it is loaded, in words."""

from __future__ import annotations

from types import ModuleType

import pytest

import sutler
from sutler.core.definition import Definition
from sutler.core.generated_rules import RANK
from sutler.games.warfarm import GAME as WARFARM


def test_a_rule_of_ones_own_under_a_name_of_the_contract_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six Winters had an `outlook` of its own when searches began to ask games for one: its rules did not compile, and nothing said why."""
    own, brought = ModuleType("own"), {name: one for name, one in WARFARM._found.items() if one is not None}

    def defined() -> Definition:
        monkeypatch.setattr("sutler.core.definition.add_generated_rules", lambda *given: brought | vars(given[3][0]))
        return Definition(WARFARM.package, str(WARFARM.folder / "__init__.py"), own)

    vars(own)["is_quiet"] = lambda box, state: True
    told = r"warfarm: 'is_quiet' takes \(box, state\), the contract's takes \(state\); a rule of the game's own wants another name"
    with pytest.raises(TypeError, match=told):
        defined()
    vars(own)["is_quiet"] = lambda state: True
    assert defined().is_quiet is vars(own)["is_quiet"]
    vars(own)["narrow"] = lambda state, out: None
    with pytest.raises(TypeError, match=r"'narrow' takes \(state, out\), the contract's takes \(box, state, out\)"):
        defined()


def test_places_are_made_of_who_is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that says neither who is ahead nor which places seats have is told which of the two to write."""
    brought = {name: one for name, one in WARFARM._found.items() if name not in ("rank", "is_ahead")}
    monkeypatch.setattr("sutler.core.definition.add_generated_rules", lambda *given: brought)
    with pytest.raises(TypeError, match=r"asks for 'rank'; no module of the game has it; it is made of 'is_ahead'"):
        Definition(WARFARM.package, str(WARFARM.folder / "__init__.py"))
    assert "is_ahead(box, state, other, seat)" in RANK


def test_a_game_without_places_of_its_own_has_those_of_who_is_ahead() -> None:
    """WARFARM's are made, Bellum's are its own; both give each seat one, from 1."""
    pos = sutler.load("warfarm").new(seed=3)
    assert pos.game.definition.rank.plain.__module__ == "sutler.games.warfarm._contract"
    assert sutler.load("bellum").definition.rank.plain.__module__ == "sutler.games.bellum.scoring"
    assert min(pos.places()) == 1
