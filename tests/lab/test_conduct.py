"""How bots behave where they are apt to be foolish (tools/conduct.py): counted rightly in games whose counts are known by hand."""

from __future__ import annotations

import argparse
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

import programs
import sutler
from sutler.core.position import Position
from sutler.lab.play.event_stream import Watched

ASKED = argparse.Namespace(seed=1, looked=0, bots="greedy", seats=None)


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The tool as a module."""
    return programs.tool("conduct")


def planted(name: str, *games: list[tuple[str, dict[str, int]]]) -> Watched:
    """Games of which nothing was told but these events, each with the parts of it that matter."""
    game, rows = sutler.load(name), []
    for number, told in enumerate(games):
        for i, (kind, parts) in enumerate(told):
            letters = dict.fromkeys("abcde", -1)
            names = [part for part, _ in game.definition.events.events[kind].parts]
            rows.append(
                {
                    "game": number,
                    "i": i,
                    "kind": kind,
                    **letters,
                    **{"abcde"[names.index(p)]: n for p, n in parts.items()},
                }
            )
    return Watched(game, len(games), pl.DataFrame(rows), pl.DataFrame(), pl.DataFrame())


def said(tool: ModuleType, seen: Watched, asked: argparse.Namespace = ASKED) -> dict[str, str]:
    """What is told of them, by name."""
    return dict(tool.ASKED[seen.game.name](seen, asked))


def battles(*commitments: int) -> list[tuple[str, dict[str, int]]]:
    """Battles: what the attacker and then the defender commits."""
    return [("commits", {"n": n}) for n in commitments]


def test_battles_are_counted_by_who_commits_what(tool: ModuleType) -> None:
    """Five battles of two wars: two attacks with nothing, one forfeit by the defender, two to which both commit something."""
    told = said(tool, planted("bellum", battles(0, 2, 3, 1), battles(2, 0, 1, 1, 0, 1)))
    assert told["battles"] == "2.50 a game"
    assert told["attacks that commit 0"].startswith("2 of 5, 40.0 % (")
    assert told["battles in which both commit"].startswith("2 of 5, 40.0 % (")


def test_deals_are_counted_by_game_with_those_that_have_none(tool: ModuleType) -> None:
    """Five deals in three games, none of them in the last; their mean and 1.96 of its errors."""
    deal: tuple[str, dict[str, int]] = ("traded", {})
    told = said(tool, planted("manor", [deal] * 4, [deal], []))
    assert told["deals"] == f"1.67 ± {1.96 * np.std([4, 1, 0], ddof=1) / 3**0.5:.2f} a game"


def test_looks_of_every_kind_are_counted_and_cards_thrown_away(tool: ModuleType) -> None:
    """Three looks, each at something else, in one of two games; one card thrown away in each. No look is followed."""
    looks = [(kind, dict[str, int]()) for kind in ("looked_event", "looked_despair", "looked_writ")]
    told = said(tool, planted("threeyears", [*looks, ("dropped", {})], [("dropped", {})]))
    assert told["looks"].startswith("1.50 ± ")
    assert told["cards thrown away at the hand limit"] == "1.00 ± 0.00 a game"
    assert told["looks that change a later decision, 0 games"] == "none of 0"


class Scripted:
    """A game of Three Years' shape whose decisions are written down: who decides, among how many, and what that seat learns by it."""

    names = ("", "")

    def __init__(self, *course: tuple[int, int, int]) -> None:
        self.course, self.at = course, 0
        self.state = SimpleNamespace(
            seats={name: np.zeros(2, np.int64) for name in ("seen_despair", "seen_writs", "seen_cards")}
        )

    def new(self, seats: int, seed: int) -> Scripted:
        """Itself, at its beginning."""
        return self

    @property
    def over(self) -> bool:
        """Has everything been decided?"""
        return self.at == len(self.course)

    @property
    def seat(self) -> int:
        """Who decides."""
        return self.course[self.at][0]

    def legal_ids(self) -> list[int]:
        """As many as are written."""
        return list(range(self.course[self.at][1]))

    def for_seat(self, seat: int, seed: int) -> Any:
        """Nothing that the players want."""

    def play(self, action: Any) -> None:
        """The seat learns what is written."""
        seat, _, learned = self.course[self.at]
        self.state.seats["seen_writs"][seat] |= learned
        self.at += 1


def test_a_look_counts_once_and_for_its_owner(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 0 looks twice and seat 1 once; of what was learned only the first matters, at the owner's second real choice after it."""
    course = Scripted(
        (0, 3, 1),  # looks
        (0, 1, 0),  # has no choice: nothing is asked
        (1, 2, 4),  # looks; the first look is none of this seat's
        (0, 2, 2),  # looks again; the first look does not matter yet
        (0, 2, 0),  # it matters, the second does not
        (0, 2, 0),  # the first is settled, the second does not matter
    )
    asked: list[tuple[int, int, int]] = []

    def changes(pos: Any, seat: int, learned: dict[str, Any]) -> bool:
        asked.append((pos.at, seat, int(learned["seen_writs"])))
        return int(learned["seen_writs"]) == 1 and pos.at == 4

    monkeypatch.setattr(tool, "changes", changes)
    monkeypatch.setattr(tool, "seat_bots", lambda bots, game, seats: bots)
    player = SimpleNamespace(choose=lambda view: 0)
    monkeypatch.setattr(tool, "players_of", lambda bots, game: [player, player])
    assert tool.looks_that_count(course, ASKED, 1).tolist() == [3, 1]
    assert asked == [(3, 0, 1), (4, 0, 1), (4, 0, 2), (5, 0, 2)]


@pytest.mark.parametrize(
    ("knowing", "blank", "counts"),
    [((7, 7), (5, 5), True), ((7, 7), (7, 7), False), ((7, 6), (5, 5), False), ((7, 7), (5, 7), False)],
    ids=["otherwise", "the same", "wavers, knowing", "wavers, not knowing"],
)
def test_a_look_changes_what_both_lots_say_otherwise(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, knowing: tuple[int, int], blank: tuple[int, int], counts: bool
) -> None:
    """Sure on both sides, and not of the same."""
    pos = sutler.load("threeyears").new(4, 1)
    pos.state.seats["seen_writs"][2, 0] = 5

    def choice(at: Position, seat: int, lot: int, state: Any) -> int:
        seen = int(state.seats["seen_writs"][seat, 0])
        assert seen in (5, 4)
        return (knowing if seen == 5 else blank)[lot - 1]

    monkeypatch.setattr(tool, "choice", choice)
    learned = {name: np.zeros_like(pos.state.seats[name][2]) for name in tool.SEEN}
    learned["seen_writs"][0] = 1
    assert tool.changes(pos, 2, learned) == counts
    assert int(pos.state.seats["seen_writs"][2, 0]) == 5
