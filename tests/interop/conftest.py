"""What several tests of learners' interfaces share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sutler

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def example() -> Any:
    """The small game stands beside the large ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
        game = sutler.load("market")
        game.definition.home.interpreted = True  # quicker than compiling it
        yield game
