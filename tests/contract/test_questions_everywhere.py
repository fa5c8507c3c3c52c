"""Every phase of every game asks about what it means: each name in a question is meant by a legal action, or stands in the state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contract.options import ARMED_FARMS, EASY_MISSIONS, RICH_FARMS
from contract.passages import FOLDER, read
from sutler.contract.cases import GAMES
from sutler.contract.helpers import walk
from sutler.contract.test_prompts import find_named_things, list_things_in_legal_actions, list_things_in_state
from sutler.core.files.golden import parse_golden_file
from sutler.core.play.game import load
from sutler.core.play.position import Position
from sutler.core.text.sentences import to_plain_text

RICH: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "sixwinters": [(4, EASY_MISSIONS)],
    "warfarm": [(3, {**RICH_FARMS}), (3, {**RICH_FARMS, **ARMED_FARMS})],
}
"""By game: tables whose random games come to the phases that no passage has."""
SEEDS, STEPS = (3, 5), 1500
PLAYED = Path(__file__).parents[1] / "golden"
"""Games of the rulebooks' examples, from written positions: they come to the phases that are rare."""


def positions(game: str) -> Iterator[Position]:
    """All positions of kept passages and examples, and of random games of rich tables; of a game without passages those of random games."""
    kept = FOLDER / f"{game}.txt"
    if not kept.exists():
        for seed in SEEDS:
            yield from walk(load(game).new(seed=seed), seed, STEPS)
        return
    for passage in read(kept):
        pos = passage.begin(game)
        for action in passage.actions:
            yield pos
            pos.play(action)
    for file in sorted(PLAYED.glob(f"rulebook-{game}-*.play")):
        play = parse_golden_file(file.read_text(encoding="utf-8"))
        pos = play.build_first_position(PLAYED)
        for line in play.lines:
            yield pos
            if not line.startswith("#"):
                pos.play(line)
        yield pos
    for seats, options in RICH.get(game, []):
        for seed in SEEDS:
            yield from walk(load(game, **options).new(seats, seed), seed, STEPS)


@pytest.mark.parametrize("game", GAMES)
def test_each_phase_asks_about_what_it_means(game: str) -> None:
    """In positions that come to every phase there is."""
    table, asked = load(game).definition.phases, set[str]()
    for pos in positions(game):
        if pos.over:
            continue
        prompt, about = pos.prompt(pos.seat), list_things_in_legal_actions(pos)
        for kind, number, name in find_named_things(prompt.text, pos.game.names):
            assert (kind, number) in about or (kind, number) in list_things_in_state(pos), (
                f"{to_plain_text(prompt.text)!r} names {name}"
            )
        phase = list(table.phases)[int(pos.state.phase)]
        assert to_plain_text(prompt.text).strip(), phase
        assert to_plain_text(prompt.help).strip(), to_plain_text(prompt.text)
        asked.add(phase)
    every = {name for name, row in table.phases.items() if not row.over and name != "moving"}
    if (FOLDER / f"{game}.txt").exists():  # two random games of somebody's own need not come everywhere
        assert every <= asked
    assert asked
