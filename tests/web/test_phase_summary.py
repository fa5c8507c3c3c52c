"""A phase that is over, in short: what each seat did and gained, told from the log before the heading of the next."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sutler.core.play.registry import load_definition
from sutler.core.text.sentences import LogLine, Speaker, Word, to_plain_text
from sutler.web.view import game_log, phase_summary

from .short import FORMS

SPEAKER = Speaker({})
AGNES, PERRIN = Word("seat", "Agnes", "0"), Word("seat", "Perrin", "1")


def line(index: int, kind: str, *parts: Any, heading: bool = False) -> LogLine:
    return LogLine(index, 1, parts, "", kind, "", heading)


def work(*after: LogLine) -> list[LogLine]:
    """A work phase of Medieval Manor, and what comes after it."""
    found = [line(0, "phase", "work", heading=True)]
    for seat, card, land, n in (
        (AGNES, "Wheat", "Good Fields", 3),
        (PERRIN, "Quarry", "Hills", 2),
        (AGNES, "Mill", "River", 1),
    ):
        found.append(line(len(found), "placed", seat, " plays ", Word("card", card), " on ", Word("land", land)))
        gained = (seat, " gains ", Word("num", str(n)), " ", Word("good", "crops", "crops"))
        found.append(line(len(found), "gained", *gained))
    return [*found, *after]


def test_a_phase_is_told_in_short_for_each_seat() -> None:
    """Cards of one seat are named together, one alone with its place; what was gained is added up."""
    lines = work(line(7, "phase", "upgrade", heading=True))
    found = phase_summary.summarise_phase_before(lines, 7, "manor", frozenset(game_log.GAINS))
    assert found is not None
    assert (found.heading, [to_plain_text(one.sentence) for one in found.parts]) == (
        "work",
        ["Agnes plays Wheat, Mill", "Perrin plays Quarry on Hills"],
    )
    assert [[one.n for one in game_log.sum_amounts(part.counted)] for part in found.parts] == [[4], [2]]


def test_it_stands_before_the_heading_that_ends_the_phase_and_comes_once() -> None:
    lines = work(line(7, "phase", "upgrade", heading=True))
    view = {"cards": {}}
    html = game_log.render_lines(lines, [0], SPEAKER, "manor", view)
    assert html.index("Work, in short") < html.index("Upgrade")
    assert html.count("in-short") == 1
    assert "in-short" in game_log.render_lines(lines, [0], SPEAKER, "manor", view, start=7), (
        "a page that has the rest is sent it too"
    )
    assert "in-short" not in game_log.render_lines(lines[:7], [0], SPEAKER, "manor", view), "a phase that goes on"
    short = [lines[0], *lines[1:3], line(3, "phase", "upgrade", heading=True)]
    assert "in-short" not in game_log.render_lines(short, [0], SPEAKER, "manor", view), "two lines need no summary"


@pytest.mark.parametrize("game", FORMS)
def test_what_a_board_wants_told_are_events_of_its_game(game: str) -> None:
    asked, events = phase_summary._read_summary_settings(game, "en"), load_definition(game).events.events
    assert {*asked.get("told", ()), *asked.get("until", ()), *([asked["of"]] if asked else [])} <= set(events)
    assert all(events[kind].heading for kind in asked.get("until", ()))


def test_numbers_are_told_as_they_stand_at_the_end() -> None:
    power = Word("power", "Sweden", "0")
    supply = [line(i + 1, "supply", power, ": supply ", Word("num", str(n))) for i, n in enumerate((5, 6, 7, 8))]
    lines = [line(0, "year", "1630", heading=True), *supply, line(5, "year", "1631", heading=True)]
    found = phase_summary.summarise_phase_before(lines, 5, "bellum", frozenset(game_log.GAINS))
    assert found is not None
    assert [to_plain_text(one.sentence) for one in found.parts] == ["Sweden: supply 8"]
    assert re.sub("<.*?>", "", game_log.render_lines(lines, [0], SPEAKER, "bellum", {})).endswith("1631")
