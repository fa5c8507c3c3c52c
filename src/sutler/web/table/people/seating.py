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
    """Seconds that each seat had left when the present decision was first asked, where the clock is for the whole game."""
    used: float = 0.0
    """Seconds of the present decision that passed before `since`: it was asked before, and taken back, or a bot stood in."""
    first: datetime | None = None
    """When the present decision was first asked."""
    earlier: dict[int, tuple[datetime | None, list[float]]] = field(default_factory=dict)
    """`first` and `left` of each decision that was made."""
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
            case Acted():
                self._decided(event, at)
            case Joined(seat=seat):
                waited = self.waiting
                self.taken[seat] = True
                self.stood_in.pop(seat, None)
                if event.asked or waited:
                    self._ask(at)
            case StoodIn(seat=seat):
                if event.asked and self.is_person(seat):
                    self.used += self._passed(at)
                self.stood_in[seat] = event
                if event.asked:
                    self._ask_again(at)
            case CameBack(seat=seat):
                self.stood_in.pop(seat, None)
                if event.asked:
                    self._ask_again(at)
            case Agreed(seat=seat):
                self.agreed.add(seat)
            case Begun():
                self.began = True
                self._ask(at)
            case Undone():
                self._take_back(event, at)
            case Created() | Resumed() | Mixed():
                self._ask(at)
            case _:
                pass

    def _passed(self, at: datetime) -> float:
        """Seconds since the seat that is to decide was asked."""
        return (at - self.since).total_seconds() if self.since is not None else 0.0

    def _decided(self, event: Acted, at: datetime) -> None:
        """Take the time that was used for a decision off the clock of who was asked, and add what the clock gives back.

        Nothing comes back to a seat from which another took the word, nor for what a bot decided.
        """
        seat = event.seat if event.instead_of is None else event.instead_of
        self.earlier[event.decision] = (self.first, list(self.left))
        if self.clock is not None and self.since is not None and seat < len(self.left):
            stood_in = seat in self.stood_in
            spent = self.used + (0.0 if stood_in else self._passed(at))
            refill = 0 if stood_in or event.instead_of is not None else self.clock.refill
            self.left[seat] = max(0.0, self.left[seat] - spent) + refill
        self.began = True
        self._ask(at)

    def _take_back(self, event: Undone, at: datetime) -> None:
        """Give everybody the time back that they had when a decision was first asked; who made it pays for all that passed since.

        So a second is always somebody's, and none is given back for a decision that does not stand.
        """
        first, left = self.earlier.get(event.to, (None, self.left))
        self.earlier = {decision: kept for decision, kept in self.earlier.items() if decision < event.to}
        self.left = list(left)
        self._ask(at)
        if first is not None and not event.rules_changed:
            self.first, self.used = first, (at - first).total_seconds()

    def _ask(self, at: datetime) -> None:
        """Ask a new decision."""
        self.used = 0.0
        self._ask_again(at)
        self.first = self.since

    def _ask_again(self, at: datetime) -> None:
        """Ask the present decision of somebody else: a bot that stands in, or the person who is back."""
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
        return whole - self.used - (now - self.since).total_seconds()

    def remaining_after_undo(self, seat: int, to: int, now: datetime) -> float | None:
        """Seconds that a seat would have for its decision `to` if it were taken back now; None where no clock counts them."""
        first, left = self.earlier.get(to, (None, self.left))
        if self.clock is None or first is None:
            return None
        whole = left[seat] if self.clock.per == "game" else float(self.clock.seconds)
        return whole - (now - first).total_seconds()

    def deadline(self, to_act: int | None) -> datetime | None:
        """When a bot takes over from the person who is to decide; None where that is not agreed, or it is no person's turn."""
        if self.clock is None or self.clock.then != "bot" or self.since is None or not self.is_person(to_act):
            return None
        whole = self.left[to_act or 0] if self.clock.per == "game" else float(self.clock.seconds)
        return self.since + timedelta(seconds=whole - self.used)

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
