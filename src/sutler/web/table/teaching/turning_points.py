"""The turning points of a finished game for its end page: the decisions that cost people most, found once per table.

`lab.studies.costly_decisions` finds them.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sutler.web.errors import Refused, Secret
from sutler.web.jobs.job_queue import HINT_LANE
from sutler.web.table.best_turns import may_be_analysed
from sutler.web.table.room import Room

if TYPE_CHECKING:
    from concurrent.futures import Future

    from sutler.core.play.position import Position
    from sutler.core.text.sentences import Sentence
    from sutler.lab.studies.costly_decisions import CostlyDecision

PATIENCE_S = 60.0
"""Seconds that a page waits for the turning points."""


@dataclass(frozen=True)
class TurningPoint:
    """A decision that lowered its seat's chance to win, in words.

    `question`: what was decided; `taken`, `instead`: the choice made and a better one; `won`, `won_instead`: games won in 100 that were
    played on after each.
    """

    decision: int
    seat: int
    question: Sentence
    taken: str
    instead: str
    won: int
    won_instead: int


@dataclass(frozen=True)
class Review:
    """The turning points of a game, in order, and the number of games behind each figure."""

    points: tuple[TurningPoint, ...]
    games: int


async def find_turning_points(room: Room) -> Review:
    """The turning points of a finished game.

    Raises Secret while the game goes on; raises Refused where it cannot be reviewed or takes too long.
    """
    asked = await asyncio.to_thread(_request_review, room)
    try:
        found = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(asked)), PATIENCE_S)
    except TimeoutError:
        raise Refused("Looking back takes longer than usual. Open this page again in a minute.") from None
    return await asyncio.to_thread(_describe_costly_decisions, room, found)


def get_known_review(room: Room) -> Review | None:
    """The turning points, if they were found already; else None."""
    with room.lock:
        asked = room.review
    return _describe_costly_decisions(room, asked.result()) if asked is not None and is_review_done(asked) else None


def is_review_done(asked: Future[list[CostlyDecision]]) -> bool:
    """Is this future of a review done, without an error?"""
    return asked.done() and not asked.cancelled() and asked.exception() is None


def list_reviewed_seats(room: Room) -> frozenset[int]:
    """The seats whose decisions are reviewed: those of people, or all where only bots played."""
    people = frozenset(seat for seat, plan in enumerate(room.seats) if plan.kind != "bot")
    return people or frozenset(range(len(room.seats)))


def _request_review(room: Room) -> Future[list[CostlyDecision]]:
    """A future of the costly decisions of a finished game, the same for everybody who asks.

    Raises Secret and Refused as `find_turning_points`.
    """
    with room.lock:
        if not room.pos.over:
            raise Secret("A game is looked back on when it is over.")
        if not may_be_analysed(room):
            raise Refused(
                "The rules of {game} are still being compiled here. Try again in a minute.", game=room.game.title
            )
        if room.review is None or (
            room.review.done() and not is_review_done(room.review)
        ):  # a failed review is tried again
            pos, seats = room.pos.copy(), list_reviewed_seats(room)
            room.review = room.services.jobs.submit_job(lambda: _find_costly_decisions(pos, seats), HINT_LANE)
        return room.review


def _find_costly_decisions(pos: Position, seats: frozenset[int]) -> list[CostlyDecision]:
    """The decisions of these seats that cost most in a finished game."""
    from sutler.lab.studies.costly_decisions import find_costly_decisions

    return find_costly_decisions(pos, seats)


def _describe_costly_decisions(room: Room, found: list[CostlyDecision]) -> Review:
    """These decisions as turning points in the reader's language."""
    points = []
    with room.lock:
        for one in found:
            then = room.pos.at(one.decision)
            taken, instead = one.format_choices(room.pos)
            question = then.prompt(one.seat).text
            won, won_instead = (round(100 * share) for share in (one.won, one.won_instead))
            points.append(TurningPoint(one.decision, one.seat, question, taken, instead, won, won_instead))
    return Review(tuple(points), found[0].pairs if found else 0)
