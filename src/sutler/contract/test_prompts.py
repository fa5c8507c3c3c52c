"""Contract tests of prompts: each thing that a question names is a part of a legal action or stands in the state."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from sutler.contract.cases import SMALLEST_TABLES, Case
from sutler.contract.helpers import walk
from sutler.core.play.position import Position
from sutler.core.text.sentences import Sentence, Word, to_plain_text

GAMES_PLAYED = 3
STEPS = 150
FEW_QUESTIONS = 5
"""With fewer questions of a phase than this, it may be chance that all of them name the first thing of a kind."""


def find_named_things(text: Sentence, names: Any) -> list[tuple[str, int, str]]:
    """(kind, index, name) of each thing that a sentence names, other than seats."""
    found = []
    for word in text:
        if isinstance(word, Word) and word.kind in names and word.kind != "seat":
            listed = list(names[word.kind])
            at = listed.index(word.key) if word.key in listed else int(word.key)
            found.append((word.kind, at, word.text))
    return found


def list_things_in_legal_actions(pos: Position) -> set[tuple[str, int]]:
    """(kind, index) of each thing that is a part of a legal action."""
    blocks = pos.game.definition.actions.blocks
    return {pair for one in pos.actions() for pair in zip(blocks[one.block].kinds, one.args, strict=True)}


def list_things_in_state(pos: Position) -> set[tuple[str, int]]:
    """(kind, number) of each value in the state; the kind is what the field's numbers are of, or else the field's name."""
    leaves = pos.game.definition.STATE.iter_values(pos.state)
    return {(one.of or one.name, int(value)) for _, one, value in leaves if not one.is_set}


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_a_question_names_what_it_is_about(case: Case) -> None:
    """A question names only things in the legal actions or in the state, and not always the first of a kind, as an unset field would."""
    zeros: dict[tuple[int, str], list[str]] = defaultdict(list)
    others = set[tuple[int, str]]()
    for seed in range(GAMES_PLAYED):
        for pos in walk(case.new_position(seed), seed, STEPS):
            if pos.over:
                break
            prompt = pos.prompt(pos.seat)
            for kind, number, name in find_named_things(prompt.text, pos.game.names):
                if (kind, number) in list_things_in_legal_actions(pos):
                    others.add((int(pos.state.phase), kind))
                    continue
                assert (kind, number) in list_things_in_state(pos), f"{to_plain_text(prompt.text)!r} names {name}"
                if number:
                    others.add((int(pos.state.phase), kind))
                else:
                    zeros[int(pos.state.phase), kind].append(to_plain_text(prompt.text))
    for key, asked in zeros.items():
        assert key in others or len(asked) < FEW_QUESTIONS, f"always the same: {asked[0]!r}, {len(asked)} times"


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_every_question_has_help(case: Case) -> None:
    """Every question has a line of help."""
    silent = {
        to_plain_text(pos.prompt(pos.seat).text)
        for seed in range(GAMES_PLAYED)
        for pos in walk(case.new_position(seed), seed, STEPS)
        if not pos.over and not to_plain_text(pos.prompt(pos.seat).help).strip()
    }
    assert not silent
