"""What is in a box, each number with its bounds and paragraph; in what two boxes differ; which numbers matter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import sutler
from sutler.cli import app
from sutler.lab.box_numbers import Part, list_parts
from sutler.lab.play.headline_figures import Figure
from sutler.lab.play.query import Query
from sutler.lab.report.design_pages import render_sensitivity_page
from sutler.lab.studies.sensitivity import (
    Sensitivity,
    Variation,
    find_numbers_to_vary,
    iter_sensitivity,
    list_neighbouring_values,
)

TURNS = Figure("turns", "length in turns", "")


def named(game: str) -> dict[str, Part]:
    """The parts of a printed box by name."""
    return {one.name: one for one in list_parts(sutler.load(game))}


def test_numbers_have_bounds_and_the_paragraph_that_reads_them() -> None:
    """As the box checks them, and as the rules that speak of them say; cards too."""
    manor = named("manor")
    assert (manor["rules.buy_price"].low, manor["rules.buy_price"].high, manor["rules.buy_price"].rule) == (
        1,
        99,
        "3.4",
    )
    assert (manor["victory"].low, manor["victory"].high, manor["victory"].rule) == (5, 40, "9.1")
    assert manor["no_map"].bounds == "yes or no"
    assert manor["card.Wheat.gain.crops"].value == 4
    assert named("bellum")["rules.token_value"].rule == "13.4"
    warfarm = named("warfarm")
    assert warfarm["rules.farm_win.farmland"].rule == "14.1"
    assert warfarm["card.Tithing.workers.disciple"].rule == "13.1"  # its own


@pytest.mark.parametrize("name", sutler.games())
def test_everything_has_a_paragraph_that_there_is(name: str) -> None:
    """No number without; none that the guide lacks; what is printed lies within its bounds."""
    game = sutler.load(name)
    for one in list_parts(game):
        assert game.guide.find_paragraph(one.rule.removeprefix("cf. ")) is not None, one
        if isinstance(one.value, int) and one.low is not None and one.high is not None:
            assert one.low <= one.value <= one.high, one


def test_box_show_and_diff() -> None:
    """Listed by words; unknown ones refused; differences with their paragraphs; whose box must be clear."""
    run = CliRunner().invoke
    shown = run(app, ["box", "show", "manor", "buy_price"])
    assert "rules.buy_price" in shown.output
    assert "3.4" in shown.output
    assert run(app, ["box", "show", "manor", "dragons"]).exit_code == 2
    assert "Did you mean Wheat" in " ".join(run(app, ["box", "show", "manor", "wheet"]).output.split())
    words = run(app, ["box", "show", "manor", "crops wheat"])
    assert "card.Wheat.gain.crops" in words.output
    options = run(app, ["box", "show", "manor", "options"]).output
    assert "offers" in options
    assert "rules." not in options
    told = run(app, ["box", "diff", "base", "victory=12", "--game", "manor"])
    assert "(9.1): 15 → 12" in told.output
    both = run(app, ["box", "diff", "rules.buy_price=2", "victory=12", "--game", "manor"])
    assert "rules.buy_price: 2 → 3 (3.4)" in both.output
    assert "(9.1): 15 → 12" in run(app, ["box", "diff", "manor", "victory=12"]).output, (
        "a game's name is its printed box"
    )
    assert run(app, ["box", "diff", "base", "victory=12"]).exit_code == 2
    assert "there is no such file" in run(app, ["box", "diff", "base", "nothere.toml"]).output


def test_steps_stay_within_bounds() -> None:
    """A fifth, one at the least; what lies outside is not tried."""
    assert list_neighbouring_values(Part("a", 10, 0, 99, "")) == [8, 12]
    assert list_neighbouring_values(Part("a", 1, 1, 99, "")) == [2]
    assert list_neighbouring_values(Part("a", 0, None, None, "")) == [-1, 1]
    manor = sutler.load("manor")
    assert {one.name.partition(".")[0] for one in find_numbers_to_vary(manor)} & {"card", "land"} == set()
    assert [one.name for one in find_numbers_to_vary(manor, ["card.Wheat"])] == [
        "card.Wheat.gain.crops",
        "card.Wheat.count",
    ]
    with pytest.raises(ValueError, match="no number called dragons"):
        find_numbers_to_vary(manor, ["dragons"])
    with pytest.raises(ValueError, match=r"no number called rulez .*did you mean 'rules'"):
        find_numbers_to_vary(manor, ["victory", "rulez"])  # the other name is not enough
    with pytest.raises(ValueError, match=r"did you mean 'rules\.buy_price'"):
        find_numbers_to_vary(manor, ["rules.buy_prise"])


def test_the_furthest_stands_on_top() -> None:
    """A tornado: by reach, and only what leaves out nothing is said to move a figure."""
    small, large = Part("small", 3, 0, 9, "1.1"), Part("large", 3, 0, 9, "1.2")
    turns = (
        Variation(small, 2, {TURNS: (0.1, 0.5)}),
        Variation(large, 2, {TURNS: (-2.0, 0.5)}),
        Variation(large, 4, {TURNS: (1.0, 0.5)}),
    )
    about = {
        "games": 10,
        "title": "A game",
        "bots": ["greedy"],
        "seats": 2,
        "refused": [],
        "versions": {},
        "command": "",
    }
    found = Sensitivity(turns, {TURNS: np.ones(10)}, about | {"rules": "", "made": ""})
    assert [part.name for part, _ in found.rank_numbers_by_effect(TURNS)] == ["large", "small"]
    assert found.answer(TURNS) == "1 number moves length in turns, most of all large; 1 is not seen to."
    assert "large 3 → 2 (1.2)" in render_sensitivity_page(found)


def test_every_number_of_a_game_is_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The little game of the examples: as many rounds more, as many turns more."""
    monkeypatch.setenv("SUTLER_GAMES", str(Path(__file__).parents[2] / "examples"))
    sutler.load("market").definition.home.interpreted = True
    *_, last = iter_sensitivity(Query("market", ["random"], 2, 4), only=["rounds"], figures=["turns"])
    by_value = {one.value: one.effects[last.figures[0]][0] for one in last.variations}
    assert min(by_value.values()) < 0 < max(by_value.values())
    assert [one.is_beyond_chance(last.figures[0]) for one in last.variations] == [True] * len(by_value)
