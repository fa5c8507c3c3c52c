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


class BestTurn(Message):
    """The turn of a finished game after which a seat's chance to win had risen most.

    `decision`: the number of decisions made before it; `turn`, `phase`: that moment as in a `Standing`; `before`, `after`: the chance in
    hundredths before this turn and before the seat's next one, or at the end.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    seat: int
    decision: int
    turn: int | None = None
    phase: str = ""
    before: int = 0
    after: int = 0


class Standing(Message):
    """A table as a row of the lobby shows it, always derived from the table's events.

    Unknown fields are ignored, because another release may have written the row.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    table: str
    game: str
    title: str
    begun: bool = True
    """False while the game waits for players: no turn, phase or seat to act is told before that."""
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
    best_turns: tuple[BestTurn, ...] = ()
    """The best turn of each person, once they were found; see `table.best_turns`."""
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
