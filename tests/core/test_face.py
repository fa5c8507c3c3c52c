"""`import sutler` gives what docs/reference.md says, and takes what a stranger hands it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import sutler

PAGE = Path(__file__).parents[2] / "docs" / "reference.md"


def test_every_name_of_the_reference_is_there() -> None:
    """Under its own name at the top, the very thing that the page describes; and an editor is told of it."""
    named = re.findall(r"^::: (sutler\.[\w.]+)\.(\w+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(named) > 20
    for module, name in named:
        met, meant = getattr(sutler, name), getattr(importlib.import_module(module), name)
        assert met is meant or (name == "games" and met() == meant())  # the package of that name can be called
        assert name in dir(sutler)


def test_a_game_goes_by_its_name_and_bots_by_theirs() -> None:
    """As in `load`: what plays many games takes the name too, and bots in one text are several."""
    with pytest.raises(ValueError, match="2 bots do not fill 3 seats"):
        sutler.simulate("manor", "greedy,random", seats=3)
    with pytest.raises(ValueError, match="two games; compare two versions of one"):
        sutler.compare("manor", "bellum")
    assert [one.name for one in sutler.Query("manor", "greedy,random").bots] == ["greedy", "random"]  # type: ignore[union-attr]


@pytest.mark.parametrize("name", sutler.games())
def test_games_loaded_twice_have_boxes_of_their_own(name: str) -> None:
    """What was packed for one is copied for the next, by its options; another box is packed, and named, by itself."""
    one, two = sutler.load(name), sutler.load(name)
    printed = one.box.tobytes()
    assert two.box.tobytes() == one.pack_sheet(one.sheet).tobytes() == printed
    assert two.action_names is one.action_names
    two.box.options[0] += 1
    assert one.box.tobytes() == sutler.load(name).box.tobytes() == printed
    other = {option.name: not option.default for option in one.options() if option.kind == "flag"}
    for chosen in [{key: value} for key, value in other.items()][:3]:
        assert sutler.load(name, **chosen).box.tobytes() != printed
