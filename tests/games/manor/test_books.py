"""The log is enough to keep the books: every token gained, lost, paid, eaten or given stands in it."""

import re

import pytest

from sutler.contract.cases import EVERY_CASE, Case
from sutler.contract.helpers import walk
from sutler.core.play.position import Position
from sutler.core.text.sentences import to_plain_text
from sutler.games.manor.box import TOKEN_NAMES

CROPS, ANIMALS, VICTORY, PEASANTS = (TOKEN_NAMES.index(name) for name in ("crops", "animals", "victory", "peasants"))
CASES = [case for case in EVERY_CASE if case.game == "manor"]


def entries(told):
    """One event as (seat, token, change)."""
    kind = told.kind
    part = dict(zip((name for name, _ in told.event.parts), told.args, strict=True))
    seat = part.get("seat")
    if kind == "gained":
        return [(seat, part["token"], part["n"])]
    if kind in ("lost", "paid"):
        return [(seat, part["token"], -part["n"])]
    if kind == "gave_up":
        return [(seat, part["token"], -1)]
    if kind == "gave":
        return [(seat, part["token"], -part["n"]), (part["other"], part["token"], part["n"])]
    if kind == "stole":
        return [(seat, part["token"], 1), (part["victim"], part["token"], -1)]
    if kind == "sold":
        return [(seat, part["token"], 1)]
    if kind in ("fed", "grew"):
        assert part["n"] == part["n2"] + part["n3"]
        grown = [(seat, PEASANTS, 1)] if kind == "grew" else []
        return [(seat, CROPS, -part["n2"]), (seat, ANIMALS, -part["n3"]), *grown]
    if kind == "end_value":
        return [(seat, VICTORY, part["n"])]
    return []


def held(pos: Position):
    """What every seat has."""
    return [[int(n) for n in pos.state.seats[seat].tokens] for seat in range(pos.n_seats)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_log_keeps_the_books(case: Case) -> None:
    """1.2, 7.1: from what everybody began with and the log alone, what everybody has after each decision."""
    pos = case.new_position(seed=5)
    begun = pos.game.definition.state.from_bytes(pos.opening_state)
    books = [[int(n) for n in begun.seats[seat].tokens] for seat in range(case.seats)]
    for here in walk(pos, seed=5, most=400):
        for told in here.decisions[-1].told if here.decisions else ():
            for seat, token, change in entries(told):
                books[seat][token] += change
        assert books == held(here), here.decisions[-1]


@pytest.mark.parametrize("case", CASES[:2], ids=str)
def test_one_is_one(case: Case) -> None:
    """1.2: cards, questions, choices and log say "1 crop", never "1 crops" or "2 crop"."""
    wrong = re.compile(
        r"\b1 (crops|animals|resources|peasants|goods|cards|upgrades|offers|actions)\b"
        r"|\b(0|[2-9]|1\d+) (crop|animal|resource|peasant|good|card|upgrade|offer|action)\b"
    )
    pos = case.new_position(seed=2)
    for card in pos.view()["cards"].values():
        assert not wrong.search(". ".join([card["text"], *card["harm"]])), card["text"]
    for here in walk(pos, seed=2, most=500):
        said = [
            to_plain_text(here.prompt(None).text),
            to_plain_text(here.prompt(None).help),
            to_plain_text(here.prompt(None).left),
        ]
        said += [to_plain_text(choice.label) for choice in here.choices()] + [
            to_plain_text(choice.effect) for choice in here.choices()
        ]
        said += [to_plain_text(line.sentence) for line in here.log(None, len(here.decisions))]
        assert not [text for text in said if wrong.search(text)]
