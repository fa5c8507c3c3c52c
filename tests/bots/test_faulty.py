"""A bot of somebody's own that fails: whose fault it is, where, and why; and the check tells it for each decision."""

from __future__ import annotations

from pathlib import Path

import pytest

import sutler
from sutler.bots import BotFault, bot_from
from sutler.cli.developer_commands.bot import Findings, play_trial_game
from sutler.core.play.game import Game

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The small example game, not compiled."""
    monkeypatch.setenv("SUTLER_GAMES", str(EXAMPLES))
    game = sutler.load("market")
    monkeypatch.setattr(game.definition.home, "interpreted", True)
    return game


def made(tmp_path: Path, line: str) -> str:
    """A bot in a file, whose fourth line decides."""
    path = tmp_path / "mine.py"
    path.write_text(f"class Mine:\n    name = 'mine'\n    def choose(self, view):\n        {line}\n")
    return str(path)


def test_a_bot_that_fails_is_named_with_its_line(market: Game, tmp_path: Path) -> None:
    """Not as a fault of ours."""
    with pytest.raises(BotFault, match=r"mine\.py, line 4: the bot fails: IndexError"):
        sutler.simulate(market, [made(tmp_path, "return view.legal[1000]")], games=1, seats=2)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("return view.legal[1000]", "line 4: the bot fails: IndexError"),
        ("return 5000", "no action number 5000"),
        ("return None", "one whole number, not None"),
        ("return view.legal[0]", ""),
    ],
)
def test_the_check_goes_on(market: Game, tmp_path: Path, line: str, told: str) -> None:
    """Each fault is written down, the first legal action is taken, and the game comes to its end; an id is an action too."""
    found = Findings()
    play_trial_game(market, [bot_from(made(tmp_path, line)), bot_from("random")], 0, 1, found)
    assert found.decisions > 5
    assert len(found.wrong) == (found.decisions if told else 0)
    assert all(told in one for one in found.wrong)
