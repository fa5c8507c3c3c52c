"""Feedback of players to the game's designer: a remark at any moment, and at the end two questions, answered with a click each.

Only at tables that the lab may count, as all players were told before they sat down. Feedback is an event of the table that no other
page learns of. `sutler playtest` collects it for the designer, without names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sutler.core.text.language import _
from sutler.web.errors import Refused
from sutler.web.events import Noted
from sutler.web.table.room import Room

MAX_NOTES_EACH = 100
"""The most remarks of one seat. Counted for each seat, so that a refusal does not reveal how much others wrote."""


@dataclass(frozen=True)
class FeedbackPanel:
    """The feedback that a seat has given so far, and the questions with its answers, for the seat's page."""

    remarks: tuple[Noted, ...]
    again: str
    length: str
    over: bool
    questions: tuple[tuple[str, str, str, tuple[tuple[str, str], ...]], ...]
    """Each question: (name, text, the answer given, the possible answers as (value, text))."""


def may_give_feedback(room: Room, seats: Sequence[int]) -> bool:
    """May the player of these seats give feedback at this table?"""
    return bool(room.created.counts and seats and not room.created.lesson)


def give_feedback(room: Room, seats: Sequence[int], text: str = "", again: str = "", length: str = "") -> None:
    """Store a player's feedback. Raises Refused where they may not give any, or answer the questions before the game is over.

    `text`: a remark; `again`: would they play again ("yes", "perhaps", "no")? `length`: how long it felt ("short", "right", "long").
    """
    with room.lock:
        if not may_give_feedback(room, seats):
            raise Refused("Only who plays at a table that is counted in the lab tells its designer something.")
        if (again or length) and not room.pos.over:
            raise Refused("How it was is asked when the game is over.")
        if not (text or again or length):
            raise Refused("Write a few words first.")
        if sum(one.seat == seats[0] for one in room.notes) >= MAX_NOTES_EACH:
            raise Refused("You have told so much at this table that no more is kept.")
        said = {"text": text, "again": again, "length": length}
        room.commit_events(Noted.model_validate({"seat": seats[0], "decision": room.decision, **said}))


def find_last_answers(notes: Sequence[Noted], seat: int) -> tuple[str, str]:
    """A seat's last answers to the two questions (again, length); "" where it has not answered."""
    again = [one.again for one in notes if one.seat == seat and one.again]
    length = [one.length for one in notes if one.seat == seat and one.length]
    return again[-1] if again else "", length[-1] if length else ""


def build_feedback_panel(room: Room, seats: Sequence[int]) -> FeedbackPanel | None:
    """The feedback panel for the page of these seats; None where they may not give feedback. The caller holds the lock."""
    if not may_give_feedback(room, seats):
        return None
    again, length = find_last_answers(room.notes, seats[0])
    remarks = tuple(one for one in room.notes if one.seat == seats[0] and one.text)
    likes = (("yes", _("Gladly")), ("perhaps", _("Perhaps")), ("no", _("Rather not")))
    lengths = (("short", _("Too short")), ("right", _("Just right")), ("long", _("Too long")))
    questions = (("again", _("Would you play it again?"), again, likes), ("length", _("It was"), length, lengths))
    return FeedbackPanel(remarks, again, length, room.pos.over, questions)
