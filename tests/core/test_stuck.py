"""Rules that lead to no decision raise `Stuck`, with the position and the way there, instead of hanging a table or a test."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ONLY_WORK = ("if state.coins[seat] < box.ware[ware].cost:", "if True:")
CASES = {
    "in a circle": (
        [
            ONLY_WORK,
            ("free=True, ask=True", "free=True"),
            ("elif state.round_no == box.options.rounds:", "elif False:"),
            ("state.round_no += 1", "pass"),
        ],
        "the rules force one action after another without end at the start",
    ),
    "nothing to do": (
        [
            ONLY_WORK,
            ('when="choose", free=True, ask=True', 'when="choose"'),
            (
                "def why_not_buy",
                "def why_not_work(box, state, seat):\n    return R.too_dear\n\n\n@rule\ndef why_not_buy",
            ),
        ],
        "the rules leave nothing to do at the start, in phase 0 with seat 0 to act",
    ),
    "later on": (
        [
            ("state.coins[seat] -= box.ware[ware].cost", "state.phase = P.shut"),
            ('Phase("3.1", over=True)', 'Phase("3.1", over=True), shut=Phase("3.1")'),
        ],
        "the rules leave nothing to do after 'buy Cheese', decision 3, in phase 2 with seat 1 to act",
    ),
}
PLAY = """
import sutler
from sutler.core.play.position import Stuck

game = sutler.load("market")
try:
    pos = game.new(2, 5)
    pos.play("work")
    pos.play("work")
    ware = next(action.name for action in pos.actions() if action.block == "buy")
    pos.play(ware)
except Stuck as stuck:
    print(stuck)
try:
    sutler.simulate(game, ["random"], games=2, seed=1, threads=1)
except Stuck as stuck:
    print(stuck)
"""


@pytest.mark.parametrize("case", CASES)
def test_stuck_rules_are_told(case: str, tmp_path: Path) -> None:
    """The smallest game with a rule broken: the engine says where it stands instead of going on for ever."""
    shutil.copytree(ROOT / "examples" / "market", tmp_path / "market", ignore=shutil.ignore_patterns("__pycache__"))
    changes, message = CASES[case]
    for old, new in changes:
        found = [path for path in (tmp_path / "market").glob("*.py") if old in path.read_text(encoding="utf-8")]
        assert len(found) == 1, old
        found[0].write_text(found[0].read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    env = os.environ | {"SUTLER_GAMES": str(tmp_path), "SUTLER_PLAIN": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", PLAY], env=env, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    at_the_table, simulated = done.stdout.splitlines()
    assert at_the_table.startswith(f"Market, 2 seats, seed 5: {message}")
    assert simulated.startswith("Market, seed ")
    assert " ".join(message.split()[:4]) in simulated
