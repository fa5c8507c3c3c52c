"""Decisions to be read and judged (studies/sample_decisions.py): drawn at random, shown as the seat sees them, reproducible to the byte."""

from __future__ import annotations

import sys
from io import StringIO
from types import ModuleType
from typing import Any

import pytest
from rich.console import Console

import programs
import sutler
from sutler.bots.greedy import GreedyBot
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.play.position import SeatView
from sutler.lab.play.simulate import play_game_in_python

SHORT = {"victory": 5, "offers": 0, "buys": 0, "swaps": 0, "hardships": 0}
FEW = 6


class Single(GreedyBot):
    """Sees but one sensible action where there are more than a few."""

    def explain(self, view: SeatView) -> list[Any]:
        """As the greedy bot, or its best only."""
        return super().explain(view)[: 1 if len(view.legal) > FEW else None]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The tool as a module."""
    return programs.study("sample_decisions")


@pytest.fixture(scope="module")
def played() -> list[Any]:
    """A short game of Medieval Manor between two greedy bots, and its bots."""
    game = sutler.load("manor", **SHORT)
    game.definition.home.interpreted = True
    players = build_repeatable_bots(["greedy", "greedy"], game)
    return [(play_game_in_python(game, players, 3), players)]


def text_of(tool: ModuleType, found: list[Any], beside: Any = None) -> str:
    """What the tool prints of them."""
    out = StringIO()
    for one in found:
        tool.show(one, Console(file=out, width=tool.LINE_CHARS, color_system=None), beside)
    return out.getvalue()


def test_the_same_lot_draws_the_same_decisions(tool: ModuleType, played: list[Any]) -> None:
    """To the byte, in the order of play; another lot draws others."""
    first, again, other = (tool.sample(played, 4, seed) for seed in (1, 1, 2))
    assert text_of(tool, first) == text_of(tool, again)
    numbers = [one.number for one in first]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 4
    assert numbers != [one.number for one in other]


def test_decisions_that_are_none_are_passed_over(tool: ModuleType, played: list[Any]) -> None:
    """However many are asked for, there are no more than those of which the bot looks at two actions."""
    pos = played[0][0]
    found = tool.sample([(pos, [Single(), Single()])], 10_000, 1)
    looked_at = [
        len(GreedyBot().explain(tool.bot_view(pos.at(k), pos.seed))) if 1 < one.n_legal <= FEW else 1
        for k, one in enumerate(pos.decisions)
    ]
    assert [one.number for one in found] == [k for k, n in enumerate(looked_at) if n > 1]
    assert all(one.chosen.id == pos.decisions[one.number].action for one in found)
    assert 0 < len(found) < len(pos.decisions)


def test_a_decision_is_laid_out_whole(tool: ModuleType, played: list[Any]) -> None:
    """Whose it is, what may be done in words, an arrow at what was done, another bot's numbers beside."""
    one = tool.sample(played, 1, 1)[0]
    text = text_of(tool, [one], build_repeatable_bots(["greedy"], one.moment.game)[0])
    assert f"game of seed 3 · decision {one.number} · {one.moment.names[one.moment.seat]}" in text
    assert f"Chosen: {one.chosen.name}, because: " in text
    assert next(line for line in text.splitlines() if line.startswith("→ ")).count(f"{one.rows[0][1]:+.3f}") == 2
    for choice in one.moment.choices(one.moment.seat):
        assert f"[{choice.name}; " in " ".join(text.split())


def test_a_game_with_options_is_asked_for(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--set victory=5`: the table says so."""
    sutler.load("manor").definition.home.interpreted = True
    options = [part for name, value in SHORT.items() for part in ("--set", f"{name}={value}")]
    monkeypatch.setattr(
        sys, "argv", ["decisions.py", "manor", "--bots", "greedy", "--seats", "2", *options, "--only", "3:9"]
    )
    tool.main()
    assert "5 victory tokens end it" in capsys.readouterr().out
