"""Any position fits into a file: positions of random games, written as scenarios by names, load to the very same position."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import sutler
from contract.options import OPTION_SETS
from sutler.contract.cases import GAMES
from sutler.core.files.box import BoxError
from sutler.core.files.scenario_writer import build_scenario, format_scenario
from sutler.core.play.game import load_position

EACH = {"sixwinters": 37}
"""Decisions between one position that is written and the next, by game."""
USUAL_EACH = 11
STEPS = 150
OPTIONS = [(game, options) for game in GAMES for options in OPTION_SETS.get(game, [{}])]


@pytest.mark.parametrize(("game", "options"), OPTIONS, ids=lambda one: one if isinstance(one, str) else "")
def test_a_position_written_as_a_file_is_the_same_position(game: str, options: dict[str, Any], tmp_path: Path) -> None:
    """Equal but for luck, in the middle of a move too; every seat sees the same and may do the same."""
    rules, luck = sutler.load(game, **options), random.Random(5)
    for seats in range(rules.min_seats, rules.max_seats + 1):
        try:
            pos = rules.new(seats, seed=seats)
        except BoxError:  # options for tables of another size
            continue
        for n in range(STEPS):
            if pos.over:
                break
            pos.play(luck.choice(pos.legal_ids()))
            if n % EACH.get(game, USUAL_EACH) == seats:
                file = tmp_path / f"{n}.toml"
                file.write_text(
                    format_scenario(build_scenario(pos).model_copy(update={"options": {}})), encoding="utf-8"
                )
                back = load_position(rules, file, seats, seed=pos.seed, names=pos.names)
                back.state.rng[:] = pos.state.rng
                assert back.to_bytes() == pos.to_bytes(), pos.game.definition.STATE.list_changes(pos.state, back.state)[
                    :5
                ]
                assert back.legal_ids() == pos.legal_ids()
                for eyes in (None, *range(seats)):
                    assert back.view(eyes) == pos.view(eyes)
