"""The bots at a table: one decision at a time, after a pause in which one can see what happened. Clicks never wait for them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

from sutler.web import entering
from sutler.web.errands import IDLE, QUICK, SLOW, Lane
from sutler.web.protocol import Stale

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.seat import SeatView
    from sutler.web.rooms import Room


class Player(Protocol):
    """A bot that decides, and can say what it thinks of each choice."""

    def choose(self, view: SeatView) -> Action:
        """One of the view's legal actions."""
        ...

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """Per action, the best first: itself, its worth, how often it was tried."""
        ...


LOG = logging.getLogger("sutler.web")
AT_ONCE = ("easy", "normal")
"""The levels that decide at once; any other may search."""
AGAIN = 5.0
"""Seconds after which it is tried again, where a decision could not be kept."""


def wake(room: Room, pause: float | None = None) -> None:
    """If a bot is to decide, its decision is put in line, to be begun after a pause."""
    with room.lock:
        seat = room.pos.seat
        if room.thinking or room.broken is not None or seat is None or room.seats[seat].kind != "bot":
            return
        room.thinking = True
        room.house.errands.add(
            lambda: _decide(room), lane_of(room, seat), room.house.bot_pause if pause is None else pause
        )


def lane_of(room: Room, seat: int) -> Lane:
    """Does anybody wait for this bot, and does it search?"""
    if not any(plan.kind in ("me", "link") and room.taken[i] for i, plan in enumerate(room.seats)):
        return IDLE
    return QUICK if room.seats[seat].level in AT_ONCE else SLOW


def _decide(room: Room) -> None:
    """Think, and play it if nobody has taken back or moved meanwhile; then the next bot stands in line, if there is one."""
    try:
        with room.lock:
            seat, decision = room.pos.seat, room.decision
            sees = room.snapshot(seat) if seat is not None and room.seats[seat].kind == "bot" else None
        action = _choice(room, sees, decision) if sees is not None else ""
        with room.lock:
            if (
                action
                and seat is not None
                and decision == room.decision
                and seat == room.pos.seat
                and not room.house.closing.is_set()
            ):
                room.play(seat, entering.gives_way(room, seat, action) or action)
    except Stale:  # somebody else wrote to this table first; the room has been read again
        pause = room.house.bot_pause
    except Exception:
        LOG.exception("nothing came of decision %d at table %s; it will be tried again", room.decision, room.id)
        pause = AGAIN
    else:
        pause = room.house.bot_pause
    room.thinking = False
    wake(room, pause)


def _choice(room: Room, sees: SeatView, decision: int) -> str:
    level = room.seats[sees.seat].level
    try:
        return str(room.house.bot(level).choose(sees).name)
    except Exception:  # a bot that stumbles must not stop the game
        LOG.exception("the %s bot stumbled at table %s, decision %d", level, room.id, decision)
        return sees.actions()[0].name
