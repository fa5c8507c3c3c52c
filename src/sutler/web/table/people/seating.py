"""The state of a table's seats: who has come, the clock, bots that stand in, and whether the game has begun.

All of it follows from the events and their times, so that it survives a restart; nothing here reads a clock.
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
    """For each seat, whether its person has come (always true for seats that are not kept for a friend)."""
    stood_in: dict[int, StoodIn] = field(default_factory=dict)
    """The seats in which a bot plays for a person, with the event that began it."""
    agreed: set[int] = field(default_factory=set)
    """The seats that agree to a bot in the absent person's seat."""
    since: datetime | None = None
    """The time at which the present decision was last put to its seat; None before the game begins."""
    left: list[float] = field(default_factory=list)
    """Seconds that each seat had left at the beginning of the present decision, if the clock is for the whole game."""
    used: float = 0.0
    """Seconds of the present decision that passed before `since`, such as before a bot stood in, or before an undo."""
    first: datetime | None = None
    """The time at which the present decision was first put to its seat."""
    earlier: dict[int, tuple[datetime | None, list[float]]] = field(default_factory=dict)
    """`first` and `left` at the beginning of each decision that was made."""
    began: bool = False

    @classmethod
    def from_plan(cls, created: Created) -> Chairs:
        """The state of the seats of a new table: only seats kept for friends are not taken, and each clock has its full time."""
        taken = [plan.kind != "link" for plan in created.seats]
        seconds = created.clock.seconds if created.clock else 0
        return cls(created, taken, left=[float(seconds)] * len(taken))

    @property
    def clock(self) -> ClockPlan | None:
        """The clock that was agreed for the table; None for none."""
        return self.created.clock

    @property
    def waiting(self) -> bool:
        """Does the game wait for people to take seats that are kept for them?"""
        return self.created.waits and not self.began and not all(self.taken)

    # --- Events ---------------------------------------------------------------------------------------

    def apply_event(self, event: Event, at: datetime) -> None:
        """Apply an event that happened at this time."""
        match event:
            case Acted():
                self._charge_decision_time(event, at)
            case Joined(seat=seat):
                waited = self.waiting
                self.taken[seat] = True
                self.stood_in.pop(seat, None)
                if event.asked or waited:
                    self._start_decision_time(at)
            case StoodIn(seat=seat):
                if event.asked and self.is_person(seat):
                    self.used += self._seconds_since_question(at)
                self.stood_in[seat] = event
                if event.asked:
                    self._restart_decision_time(at)
            case CameBack(seat=seat):
                self.stood_in.pop(seat, None)
                if event.asked:
                    self._restart_decision_time(at)
            case Agreed(seat=seat):
                self.agreed.add(seat)
            case Begun():
                self.began = True
                self._start_decision_time(at)
            case Undone():
                self._restore_clocks(event, at)
            case Created() | Resumed() | Mixed():
                self._start_decision_time(at)
            case _:
                pass

    def _seconds_since_question(self, at: datetime) -> float:
        """Seconds from `since`, when the present decision was last put to its seat, to this time."""
        return (at - self.since).total_seconds() if self.since is not None else 0.0

    def _charge_decision_time(self, event: Acted, at: datetime) -> None:
        """Subtract the time of a decision from the clock of the seat whose turn it was, and add the clock's refill.

        There is no refill where another seat decided out of turn, or a bot that stood in.
        """
        seat = event.seat if event.instead_of is None else event.instead_of
        self.earlier[event.decision] = (self.first, list(self.left))
        if self.clock is not None and self.since is not None and seat < len(self.left):
            stood_in = seat in self.stood_in
            spent = self.used + (0.0 if stood_in else self._seconds_since_question(at))
            refill = 0 if stood_in or event.instead_of is not None else self.clock.refill
            self.left[seat] = max(0.0, self.left[seat] - spent) + refill
        self.began = True
        self._start_decision_time(at)

    def _restore_clocks(self, event: Undone, at: datetime) -> None:
        """Set the clocks back to the beginning of the decision that is undone; its seat pays for all the time since.

        So every second counts for some seat, and none is given back for a decision that was undone.
        """
        first, left = self.earlier.get(event.to, (None, self.left))
        self.earlier = {decision: kept for decision, kept in self.earlier.items() if decision < event.to}
        self.left = list(left)
        self._start_decision_time(at)
        if first is not None and not event.rules_changed:
            self.first, self.used = first, (at - first).total_seconds()

    def _start_decision_time(self, at: datetime) -> None:
        """Start the time of a new decision."""
        self.used = 0.0
        self._restart_decision_time(at)
        self.first = self.since

    def _restart_decision_time(self, at: datetime) -> None:
        """Restart the time of the present decision, for a bot that stands in or a person who is back."""
        self.since = None if self.waiting else at
        self.agreed.clear()

    # --- Queries ----------------------------------------------------------------------------------------

    def is_person(self, seat: int | None) -> bool:
        """Is this seat played by a person who has come, with no bot standing in? False for None."""
        if seat is None or seat in self.stood_in:
            return False
        return self.created.seats[seat].kind in ("me", "link") and self.taken[seat]

    def get_bot_level(self, seat: int) -> str:
        """The level of the bot that decides for this seat; "" where none does."""
        if seat in self.stood_in:
            return self.stood_in[seat].level
        plan = self.created.seats[seat]
        return plan.level if plan.kind == "bot" else ""

    def compute_remaining(self, seat: int, to_act: int | None, now: datetime) -> float:
        """Seconds that a seat has left, negative when its time is over; meaningless without a clock.

        `to_act`: the seat that is to decide.
        """
        if self.clock is None:
            return 0.0
        whole = self.left[seat] if self.clock.per == "game" else float(self.clock.seconds)
        if seat != to_act or self.since is None or not self.is_person(seat):
            return whole
        return whole - self.used - (now - self.since).total_seconds()

    def compute_remaining_after_undo(self, seat: int, decision: int, now: datetime) -> float | None:
        """Seconds that a seat would have for decision `decision` if it were undone now; None without a clock."""
        first, left = self.earlier.get(decision, (None, self.left))
        if self.clock is None or first is None:
            return None
        whole = left[seat] if self.clock.per == "game" else float(self.clock.seconds)
        return whole - (now - first).total_seconds()

    def compute_deadline(self, to_act: int | None) -> datetime | None:
        """The time at which a bot takes over from the person who is to decide (seat `to_act`); None where none does."""
        if self.clock is None or self.clock.then != "bot" or self.since is None or not self.is_person(to_act):
            return None
        whole = self.left[to_act or 0] if self.clock.per == "game" else float(self.clock.seconds)
        return self.since + timedelta(seconds=whole - self.used)

    def compute_patience_end(self, to_act: int | None) -> datetime | None:
        """The time from which the others may let a bot play for the absent person in the seat `to_act`; None if they never may."""
        if not self.created.patience or self.since is None or not self.is_person(to_act):
            return None
        return self.since + timedelta(seconds=self.created.patience)

    def may_take_back_seat(self, seat: int) -> bool:
        """May the person take the seat back from the bot? Not where a clock for the whole game has run out."""
        stood = self.stood_in.get(seat)
        if stood is None or not self.taken[seat]:
            return False
        return stood.why != "time" or self.clock is None or self.clock.per == "move"
