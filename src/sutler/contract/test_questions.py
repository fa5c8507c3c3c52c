"""Questions name what they are about: whatever a prompt names is among what the legal actions mean, or stands in the state."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from sutler.contract.cases import SMALLEST_TABLES, Case
from sutler.contract.helpers import walk
from sutler.core.play.position import Position
from sutler.core.text.marked_text import Sentence, Word, plain

GAMES_PLAYED = 3
STEPS = 150
FEW_QUESTIONS = 5
"""The questions of one phase below which naming the first thing of a kind may be chance."""


def named_in(text: Sentence, names: Any) -> list[tuple[str, int, str]]:
    """Kind, number and name of each thing that a sentence names."""
    found = []
    for word in text:
        if isinstance(word, Word) and word.kind in names and word.kind != "seat":
            listed = list(names[word.kind])
            at = listed.index(word.key) if word.key in listed else int(word.key)
            found.append((word.kind, at, word.text))
    return found


def meant(pos: Position) -> set[tuple[str, int]]:
    """Kind and number of all that the legal actions speak of."""
    blocks = pos.game.definition.actions.blocks
    return {pair for one in pos.actions() for pair in zip(blocks[one.block].kinds, one.args, strict=True)}


def stored(pos: Position) -> set[tuple[str, int]]:
    """Kind and number of all that the state names, by what a field says its numbers are of, or by its name."""
    leaves = pos.game.definition.STATE.leaves(pos.state)
    return {(one.of or one.name, int(value)) for _, one, value in leaves if not one.is_set}


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_a_question_names_what_it_is_about(case: Case) -> None:
    """A name that the state does not have is wrong; so is the first thing of a kind, in every question of a phase: a field nobody set."""
    zeros: dict[tuple[int, str], list[str]] = defaultdict(list)
    others = set[tuple[int, str]]()
    for seed in range(GAMES_PLAYED):
        for pos in walk(case.new(seed), seed, STEPS):
            if pos.over:
                break
            prompt = pos.prompt(pos.seat)
            for kind, number, name in named_in(prompt.text, pos.game.names):
                if (kind, number) in meant(pos):
                    others.add((int(pos.state.phase), kind))
                    continue
                assert (kind, number) in stored(pos), f"{plain(prompt.text)!r} names {name}"
                if number:
                    others.add((int(pos.state.phase), kind))
                else:
                    zeros[int(pos.state.phase), kind].append(plain(prompt.text))
    for key, asked in zeros.items():
        assert key in others or len(asked) < FEW_QUESTIONS, f"always the same: {asked[0]!r}, {len(asked)} times"


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_help_says_what_follows(case: Case) -> None:
    """Under every question stands a line of help."""
    silent = {
        plain(pos.prompt(pos.seat).text)
        for seed in range(GAMES_PLAYED)
        for pos in walk(case.new(seed), seed, STEPS)
        if not pos.over and not plain(pos.prompt(pos.seat).help).strip()
    }
    assert not silent
