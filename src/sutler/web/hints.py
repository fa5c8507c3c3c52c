"""What the strong bot would do, and how good it thinks that is."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLong
from dataclasses import dataclass
from typing import Any

from sutler.web.pages import plain
from sutler.web.protocol import Refused, Stale
from sutler.web.rooms import Room

PATIENCE = 20.0
"""Seconds to wait for advice."""


@dataclass(frozen=True)
class Advice:
    """A choice and, if the bot can say, its estimate in words."""

    action: str
    text: str
    estimate: str


def advise(room: Room, seats: tuple[int, ...]) -> Advice:
    """Ask the strong bot for the seat that is to decide. It is shown what that seat may see, nothing more."""
    with room.lock:
        seat, decision = room.pos.seat, room.decision
        if seat is None or seat not in seats:
            raise Refused("A hint is for the seat that decides, and that is not yours just now.")
        sees = room.snapshot(seat)
        labels = {choice.name: plain(choice.label) for choice in room.pos.choices(seat)}
    future: Future[tuple[str, str]] = room.house.later(lambda: _ask(room, sees))
    try:
        action, estimate = future.result(timeout=PATIENCE)
    except TooLong:
        future.cancel()
        raise Refused("The adviser is still thinking about something else. Ask again in a moment.") from None
    if decision != room.decision:
        raise Stale("The table has moved on meanwhile; ask again.")
    return Advice(action, labels.get(action, action), estimate)


def _ask(room: Room, sees: Any) -> tuple[str, str]:
    """The strong bot's choice and what it thinks of it: (action, estimate)."""
    bot = room.house.shelf.bot("hard")
    if not hasattr(bot, "explain"):
        return str(bot.choose(sees)), ""
    rows = bot.explain(sees)
    action, payoff, tried = rows[0]
    if not tried:
        return str(action), ""
    return str(action), f"it sees {payoff:.0%} in it, after {tried:,} tries"
