"""The forms and JSON that browsers send, checked by Pydantic; and the schemas of forms whose fields depend on the game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from sutler.core.play.position import MAX_IN_A_ROW
from sutler.web.events import MAX_SEATS
from sutler.web.lobby.uploads import FILE_FIELDS
from sutler.web.names import MAX_NAME_CHARS, Name, Talk, plain_text


class FormModel(BaseModel):
    """A form that a browser sends; fields that are not declared are ignored."""

    model_config = ConfigDict(extra="ignore")


class PlayForm(FormModel):
    """A click: the action by name, and the decision it answers."""

    action: str
    decision: int
    eyes: int | None = None
    times: int = Field(default=1, ge=1, le=MAX_IN_A_ROW)


class PlayOnForm(FormModel):
    """The decision from which a finished game is to go on at a new table."""

    decision: int


class LessonForm(FormModel):
    """A button of a lesson (on, show, back, again), and the step it was shown at, counted from 1."""

    do: str
    step: int


class PuzzleForm(FormModel):
    """A button of a puzzle (back, again, show), and the number of decisions made when it was shown."""

    do: str
    decision: int


class UndoForm(FormModel):
    """Undo, a request to undo, or the answer to one."""

    decision: int
    yes: str = ""


class OrderForm(FormModel):
    """A standing order of a seat, given or withdrawn."""

    order: str = Field(max_length=40)
    seat: int
    stands: str = ""


class FeedbackForm(FormModel):
    """A player's feedback to the designer: a remark, or answers to questions."""

    text: Talk | Literal[""] = ""
    again: Literal["", "yes", "perhaps", "no"] = ""
    length: Literal["", "short", "right", "long"] = ""


class GoOnForm(FormModel):
    """How to continue a game after a change of rules: from where all agreed, or from a stored state (`kept`)."""

    kept: str = ""


class ShuffleForm(FormModel):
    """A browser's number for the shuffle, and the commitment (`bond`) it saw before."""

    number: Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
    bond: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class ChatForm(FormModel):
    """A line of chat."""

    text: Talk


class ReportForm(FormModel):
    """A report: about a seat ("seat:1") or a line of chat ("line:4", from 1), and why, in words."""

    about: Annotated[str, StringConstraints(pattern=r"^(seat:[0-5]|line:[1-9][0-9]{0,4})$")]
    reason: Talk


class NameForm(FormModel):
    """The form of a new name for a seat or a person."""

    name: Name


class ListedForm(FormModel):
    """Should one be listed among the best?"""

    listed: Literal["yes", ""] = ""


class ForgetForm(FormModel):
    """Erase what is kept of oneself; the box beside it must be ticked."""

    sure: Literal["yes"]


class BeginForm(FormModel):
    """Begin before everybody sits: with bots on empty seats, or without them."""

    bots: str = ""


class AbsentForm(FormModel):
    """The seat of a person who is away."""

    seat: int


class CodeForm(FormModel):
    """A code that another device of the same person shows."""

    code: str = Field(max_length=40)


class PushSubscription(FormModel):
    """A browser's push subscription: its endpoint, and its keys in base 64."""

    endpoint: str = Field(max_length=2000)
    public: str = Field(max_length=120)
    auth: str = Field(max_length=40)


class PushUnsubscription(FormModel):
    """The endpoint of a browser that wants no more notices."""

    endpoint: str = Field(max_length=2000)


class NewPasskey(FormModel):
    """A passkey that a browser has made, as WebAuthn writes it, and its name."""

    credential: dict[str, Any]
    called: Annotated[str, BeforeValidator(lambda text: plain_text(str(text))[:MAX_NAME_CHARS].strip())] = ""


class PasskeyAnswer(FormModel):
    """A passkey's answer to a challenge. `bring`: do the tables of this browser come along?"""

    credential: dict[str, Any]
    bring: bool = True


class PasskeyForm(FormModel):
    """One of a person's passkeys."""

    key: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class MailAddressForm(FormModel):
    """A mail address, as somebody typed it."""

    address: str = Field(max_length=200)


class OpenLinkForm(FormModel):
    """A link by mail is opened. `bring`: do the tables of this browser come along?"""

    bring: str = ""


class RemoveMailForm(FormModel):
    """One of a person's mail addresses, by its digest."""

    address: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


# --- Forms that depend on the game ------------------------------------------------------------------


TEXT_FIELD = {"type": "string"}


def form_schema(fields: dict[str, Any], files: tuple[str, ...] = (), more: bool = False) -> dict[str, Any]:
    """The schema of a form, for FastAPI's `openapi_extra`. `files`: its file fields; `more`: may it have other fields too?"""
    properties = fields | {name: {"type": "string", "contentMediaType": "application/octet-stream"} for name in files}
    schema = {"type": "object", "properties": properties, "additionalProperties": TEXT_FIELD if more else False}
    kinds = ["multipart/form-data"] if files else ["application/x-www-form-urlencoded"]
    return {"requestBody": {"content": {kind: {"schema": schema} for kind in kinds}, "required": True}}


class FindForm(FormModel):
    """The game one seeks players for."""

    game: str


SEAT_FIELD = {"anyOf": [{"enum": ["me", "link", "open", "none", "easy", "normal", "hard"]}, TEXT_FIELD]}
NEW_TABLE = form_schema(
    {"game": {"anyOf": [{"const": "manor"}, TEXT_FIELD]}}
    | {f"seat_{seat}": SEAT_FIELD for seat in range(MAX_SEATS)}
    | {f"name_{seat}": TEXT_FIELD for seat in range(MAX_SEATS)}
    | {
        "watch": {"anyOf": [{"enum": ["yes", "no"]}, TEXT_FIELD]},
        "coach": TEXT_FIELD,
        "before": {"anyOf": [{"enum": ["", "normal", "easy"]}, TEXT_FIELD]},
    }
    | dict.fromkeys(
        ("time", "clock", "refill", "then", "patience", "waits", "counts", "styles", "newcomers"), TEXT_FIELD
    )
    | {f"{kind}_{part}": TEXT_FIELD for kind in FILE_FIELDS for part in ("name", "text")},
    files=FILE_FIELDS,
    more=True,
)
"""A new table: who sits where, the game's options (`option_NAME`), files of one's own."""
QUESTION_FIELDS = ("game", "kind", "bots", "seats", "games", "seed", "settings", "edited", "edit")
FIELDS_OF_KINDS = ("over", "cards", "choices", "turn", "rounds", "bots_b", "seats_b", "give_up", "only", "want", "most")
QUESTION = form_schema(dict.fromkeys((*QUESTION_FIELDS, *FIELDS_OF_KINDS), TEXT_FIELD))
"""A question to the lab; each kind of question has fields of its own."""
