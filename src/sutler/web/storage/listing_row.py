"""What the store keeps of a table for the lobby: a line, so that no room has to be opened to show it."""

from __future__ import annotations

from datetime import datetime

from pydantic import ConfigDict

from sutler.web.events import Message, SeatPlan


class Standing(Message):
    """What the lobby says of a table; derived from the room, never the other way round.

    A house of another release may have said more, or less, when it was kept.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    table: str
    game: str
    title: str
    turn: int | None = None
    phase: str = ""
    """As it is called in English."""
    step: int = 0
    """Of a lesson, from 1; and how many it has."""
    steps: int = 0
    to_act: int | None = None
    awaited: tuple[int, ...] = ()
    """Whose answer a proposal waits for, where the team decides together."""
    over: bool = False
    open_to_watch: bool = True
    seats: tuple[SeatPlan, ...] = ()
    winners: tuple[int, ...] = ()
    decisions: int = 0
    lesson: str = ""
    """The lesson that is taught there."""
    deadline: datetime | None = None
    """When a bot takes over from whoever is to decide, by the clock."""
    said: int = 0
    """So many things were said there."""
    seq: int = 0
    """After so many events."""
