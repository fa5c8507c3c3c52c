"""The books that are kept from logs notice what they are for: a line left out, and a number that is not what happened."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from contract.bookkeeping import Book
from contract.options import ADVANCED, ARMED_FARMS, EASY_YEARS, RICH_FARMS
from games.bellum.bookkeeper import WarBook as BellumBook
from games.manor.bookkeeper import ManorBook
from games.sixwinters.bookkeeper import CampaignBook
from games.threeyears.bookkeeper import WarBook as YearsBook
from games.warfarm.bookkeeper import FarmBook
from sutler.core.events import Told
from sutler.core.play.game import load

BOOKS: dict[str, type[Book]] = {
    "manor": ManorBook,
    "warfarm": FarmBook,
    "bellum": BellumBook,
    "threeyears": YearsBook,
    "sixwinters": CampaignBook,
}
COURSES: list[tuple[str, int, dict[str, Any], int]] = [
    ("manor", 4, {"victory": 40, "start_upgrades": 2}, 20),
    ("warfarm", 3, {"unlock_once": True, **RICH_FARMS}, 33),
    ("warfarm", 3, {**RICH_FARMS, **ARMED_FARMS}, 33),
    ("bellum", 4, {"alliance": True, **ADVANCED}, 20),
    ("threeyears", 4, {}, 25),
    ("sixwinters", 2, {**EASY_YEARS, "unreachable": True, "overflow": True}, 45),
]
"""Tables whose random games, of the seed below, bring so many kinds of lines at least that the game's book writes down."""
SEED = 3
STEPS = 900
LATER = 400
"""Decisions after the first fault in which it has to be seen."""
SAYS_NO_MORE: dict[str, set[str]] = {
    "bellum": {"stormed"},  # the city is occupied in the next line
    "sixwinters": {"reserve_acted"},  # most such actions can be done each year
    "threeyears": {"drew", "matched"},  # each card is dealt in a line of its own; what is matched stays
    "warfarm": {"used"},  # counts only where a card is drawn with it, which not every game does
}
"""Lines that only repeat or check what another line of the same decision says."""
FAULTS = (AssertionError, ValueError, IndexError, KeyError, StopIteration)
"""What a book may also say when a line cannot be."""


def course(name: str, seats: int, options: dict[str, Any]) -> tuple[Any, list[tuple[list[Told], Any]]]:
    """What a random game begins with, and each decision's lines with the state after them."""
    game, luck = load(name, **options), random.Random(SEED)
    pos = game.new(seats, SEED)
    begun = SimpleNamespace(game=game, n_seats=seats, seed=SEED, opening=list(pos.opening), state=pos.state.copy())
    decisions = []
    for _ in range(STEPS):
        if pos.over:
            break
        told = list(pos.play(luck.choice(pos.legal_ids())))
        decisions.append((told, SimpleNamespace(game=game, n_seats=seats, state=pos.state.copy())))
    return begun, decisions


def is_seen(
    book: type[Book],
    begun: Any,
    decisions: list[tuple[list[Told], Any]],
    kind: str,
    planted: Callable[[Told], list[Told]],
) -> bool:
    """Does the book differ soon after the first lines of this kind have been told otherwise?"""
    first = next(i for i, (told, _) in enumerate(decisions) if any(one.kind == kind for one in told))
    kept = book(begun)
    for told, _ in decisions[:first]:
        kept.note(told)
    try:
        for told, there in decisions[first : first + LATER]:
            kept.note([other for one in told for other in (planted(one) if one.kind == kind else [one])])
            if kept.differences(there):
                return True
    except FAULTS:
        return True
    return False


def one_more(told: Told) -> list[Told]:
    """The line with its count wrong by one."""
    at = [name for name, _ in told.event.parts].index("n")
    return [Told(told.kind, told.event, told.audience, (*told.args[:at], told.args[at] + 1, *told.args[at + 1 :]))]


@pytest.mark.parametrize("name", BOOKS)
def test_every_kind_of_line_is_written_down_or_changes_nothing(name: str) -> None:
    """A new event that its book does not know is told here, not passed over."""
    book = BOOKS[name]
    unknown = {kind for kind in load(name).definition.events.names if not hasattr(book, f"_{kind}")}
    assert unknown == set(book.CHANGES_NOTHING.split())


@pytest.mark.parametrize(("name", "seats", "options", "many"), COURSES)
def test_a_line_left_out_or_a_wrong_number_is_seen(name: str, seats: int, options: dict[str, Any], many: int) -> None:
    """Each kind of line that a book writes down, in a random game: without it, or with one more, the book differs."""
    book = BOOKS[name]
    begun, decisions = course(name, seats, options)
    told = {one.kind: one for lines, _ in decisions for one in lines if hasattr(book, f"_{one.kind}")}
    silent = {kind for kind in told if not is_seen(book, begun, decisions, kind, lambda one: [])}
    counted = [kind for kind, one in told.items() if "n" in dict(one.event.parts)]
    wrong = {kind for kind in counted if not is_seen(book, begun, decisions, kind, one_more)}
    assert len(told) >= many, sorted(told)
    assert silent <= SAYS_NO_MORE.get(name, set()), "left out, and nobody notices"
    assert wrong <= SAYS_NO_MORE.get(name, set()), "wrong by one, and nobody notices"
