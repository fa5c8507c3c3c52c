"""The state of a table's seats: who has come, the clock, bots that stand in, a game that has not begun.

All of it follows from the events and their times, so that it survives a restart; nothing here reads a clock by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sutler.web.events import (
    Acted,
    Agreed,
    Begun,
    CameBack,
    ClockPlan,
    Created,
    Event,
    Joined,
    Mixed,
    Resumed,
    StoodIn,
    Undone,
)


@dataclass
class Chairs:
    """The state of one table's seats. Durations are in seconds, times have a time zone."""

    created: Created
    taken: list[bool]
    """Whether somebody has come for a seat kept for a friend."""
    stood_in: dict[int, StoodIn] = field(default_factory=dict)
    """The seats in which a bot stands in for a person."""
    agreed: set[int] = field(default_factory=set)
    """The seats that agree to a bot in the absent person's seat."""
    since: datetime | None = None
    """When the seat that is to decide was asked; None: the game has not begun."""
    left: list[float] = field(default_factory=list)
    """Seconds that each seat had left when the present decision was asked, where the clock is for the whole game."""
    began: bool = False

    @classmethod
    def of(cls, created: Created) -> Chairs:
        """The chairs of a table that was just opened."""
        taken = [plan.kind != "link" for plan in created.seats]
        seconds = created.clock.seconds if created.clock else 0
        return cls(created, taken, left=[float(seconds)] * len(taken))

    @property
    def clock(self) -> ClockPlan | None:
        """The clock that was agreed on; None: none."""
        return self.created.clock

    @property
    def waiting(self) -> bool:
        """Does the game wait until everybody sits?"""
        return self.created.waits and not self.began and not all(self.taken)

    # --- What happens ---------------------------------------------------------------------------------

    def take(self, event: Event, at: datetime) -> None:
        """Apply an event of this time."""
        match event:
            case Acted(seat=seat):
                self._decided(seat, at)
            case Joined(seat=seat):  # perhaps it is they who are to decide; happens once a seat
                self.taken[seat] = True
                self.stood_in.pop(seat, None)
                self._ask(at)
            case StoodIn(seat=seat):
                self.stood_in[seat] = event
                if event.asked:
                    self._ask(at)
            case CameBack(seat=seat):
                self.stood_in.pop(seat, None)
                if event.asked:
                    self._ask(at)
            case Agreed(seat=seat):
                self.agreed.add(seat)
            case Begun():
                self.began = True
                self._ask(at)
            case Created() | Undone() | Resumed() | Mixed():
                self._ask(at)
            case _:
                pass

    def _decided(self, seat: int, at: datetime) -> None:
        """Take the time that a seat used for its decision off its clock, and add what the clock gives back."""
        if self.clock is not None and self.since is not None and seat not in self.stood_in and seat < len(self.left):
            spent = (at - self.since).total_seconds()
            self.left[seat] = max(0.0, self.left[seat] - spent) + self.clock.refill
        self.began = True
        self._ask(at)

    def _ask(self, at: datetime) -> None:
        self.since = None if self.waiting else at
        self.agreed.clear()

    # --- What can be asked ------------------------------------------------------------------------------

    def is_person(self, seat: int | None) -> bool:
        """Is this seat played by a person who has come, with no bot standing in?"""
        if seat is None or seat in self.stood_in:
            return False
        return self.created.seats[seat].kind in ("me", "link") and self.taken[seat]

    def level_of(self, seat: int) -> str:
        """The level of the bot that decides for this seat; "" where none does."""
        if seat in self.stood_in:
            return self.stood_in[seat].level
        plan = self.created.seats[seat]
        return plan.level if plan.kind == "bot" else ""

    def remaining(self, seat: int, to_act: int | None, now: datetime) -> float:
        """Seconds a seat has left, negative when it is over its time; only of use where there is a clock."""
        if self.clock is None:
            return 0.0
        whole = self.left[seat] if self.clock.per == "game" else float(self.clock.seconds)
        if seat != to_act or self.since is None or not self.is_person(seat):
            return whole
        return whole - (now - self.since).total_seconds()

    def deadline(self, to_act: int | None) -> datetime | None:
        """When a bot takes over from the person who is to decide; None where that is not agreed, or it is no person's turn."""
        if self.clock is None or self.clock.then != "bot" or self.since is None or not self.is_person(to_act):
            return None
        whole = self.left[to_act or 0] if self.clock.per == "game" else float(self.clock.seconds)
        return self.since + timedelta(seconds=whole)

    def patience_ends(self, to_act: int | None) -> datetime | None:
        """When those who stay may let a bot play for the absent person who is to decide; None: never."""
        if not self.created.patience or self.since is None or not self.is_person(to_act):
            return None
        return self.since + timedelta(seconds=self.created.patience)

    def may_come_back(self, seat: int) -> bool:
        """May the person take the seat back from the bot? Not where a clock for the whole game has run out."""
        stood = self.stood_in.get(seat)
        if stood is None or not self.taken[seat]:
            return False
        return stood.why != "time" or self.clock is None or self.clock.per == "move"
