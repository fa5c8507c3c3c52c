"""The row of a table in lists of the lobby, stored in the database so that no table has to be loaded to show it."""

from __future__ import annotations

from datetime import datetime

from pydantic import ConfigDict

from sutler.web.events import ClockPlan, Message, SeatPlan


class Offer(Message):
    """The open seats of a table that waits for players (`free`), and the terms of its game."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    free: tuple[int, ...]
    as_printed: bool = True
    """Is the game played with the printed box and options, from its beginning?"""
    newcomers: bool = False
    clock: ClockPlan | None = None


class Standing(Message):
    """A table as a row of the lobby shows it, always derived from the table's events.

    Unknown fields are ignored, because another release may have written the row.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    table: str
    game: str
    title: str
    turn: int | None = None
    phase: str = ""
    """The phase of the game, in English."""
    step: int = 0
    """The current step of a lesson, from 1; `steps` is the number of its steps."""
    steps: int = 0
    to_act: int | None = None
    awaited: tuple[int, ...] = ()
    """The seats whose answer to a proposal is awaited, where a team decides together."""
    over: bool = False
    open_to_watch: bool = True
    seats: tuple[SeatPlan, ...] = ()
    winners: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    """The place of each seat, from 1, when the game is over."""
    rated: bool = False
    """Does the game count for its players' ratings?"""
    decisions: int = 0
    lesson: str = ""
    """The name of the lesson taught at the table."""
    deadline: datetime | None = None
    """The time at which the clock lets a bot take over from the seat that is to decide; None where it does not."""
    offer: Offer | None = None
    """The seats that anybody may take; None where there are none."""
    said: int = 0
    """The number of chat lines."""
    seq: int = 0
    """The number of events the row was derived from."""
