"""What players tell whoever designs the game: a remark at any moment, and at the end two questions answered with a click each.

Only at tables that are counted in the lab, of which everybody was told before they sat down. What is told is an event of the room that no
other page hears of. `sutler playtest` puts it together for the designer, without names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sutler.core.language import _
from sutler.web.errors import Refused
from sutler.web.events import Event, Noted, Ordered

if TYPE_CHECKING:
    from sutler.web.routes.forms import Telling
    from sutler.web.table.room import Room

MOST_NOTES = 100
"""So many may be kept of one seat: nobody's words take the room of another's, and nobody hears by it how much others told."""


@dataclass(frozen=True)
class Shown:
    """A seat's own: what it has told so far, its answers, and whether it is time for them."""

    remarks: tuple[Noted, ...]
    again: str
    length: str
    over: bool
    questions: tuple[tuple[str, str, str, tuple[tuple[str, str], ...]], ...]
    """Each: its name, its words, what was answered, what may be."""


def is_private(events: Sequence[Event]) -> bool:
    """Is nothing told here that anybody but one seat may hear of?"""
    return all(isinstance(event, Ordered | Noted) for event in events)


def may_tell(room: Room, seats: Sequence[int]) -> bool:
    """May whoever plays these seats tell something here?"""
    return bool(room.created.counts and seats and not room.created.lesson)


def tell(room: Room, seats: Sequence[int], told: Telling) -> None:
    """One who plays here tells something. Refused, in words, where there is nobody to tell it to, or it is not time yet."""
    with room.lock:
        if not may_tell(room, seats):
            raise Refused("Only who plays at a table that is counted in the lab tells its designer something.")
        if (told.again or told.length) and not room.pos.over:
            raise Refused("How it was is asked when the game is over.")
        if not (told.text or told.again or told.length):
            raise Refused("Write a few words first.")
        if sum(one.seat == seats[0] for one in room.notes) >= MOST_NOTES:
            raise Refused("You have told so much at this table that no more is kept.")
        said = Noted(seat=seats[0], decision=room.decision, text=told.text, again=told.again, length=told.length)
        room.commit(said)


def answers(notes: Sequence[Noted], seat: int) -> tuple[str, str]:
    """What a seat answered to the two questions, as it said last; "" where it has not."""
    again = [one.again for one in notes if one.seat == seat and one.again]
    length = [one.length for one in notes if one.seat == seat and one.length]
    return again[-1] if again else "", length[-1] if length else ""


def shown(room: Room, seats: Sequence[int]) -> Shown | None:
    """What a page shows of it; None where there is nobody to tell. The caller holds the lock."""
    if not may_tell(room, seats):
        return None
    again, length = answers(room.notes, seats[0])
    remarks = tuple(one for one in room.notes if one.seat == seats[0] and one.text)
    likes = (("yes", _("Gladly")), ("perhaps", _("Perhaps")), ("no", _("Rather not")))
    lengths = (("short", _("Too short")), ("right", _("Just right")), ("long", _("Too long")))
    questions = (("again", _("Would you play it again?"), again, likes), ("length", _("It was"), length, lengths))
    return Shown(remarks, again, length, room.pos.over, questions)
