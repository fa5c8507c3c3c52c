"""The forms and JSON that browsers send, checked by Pydantic; and schemas of forms whose fields depend on the game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from sutler.core.play.position import MAX_IN_A_ROW
from sutler.web.events import MAX_SEATS
from sutler.web.lobby.uploads import FILE_FIELDS
from sutler.web.typed_text import MAX_NAME_CHARS, Name, Talk, clean_text


class FormModel(BaseModel):
    """A form that a browser sends; undeclared fields are ignored."""

    model_config = ConfigDict(extra="ignore")


class PlayForm(FormModel):
    """A click: the action by name, the number of decisions that the page has seen, and how often to play the action in a row."""

    action: str
    decision: int
    eyes: int | None = None
    times: int = Field(default=1, ge=1, le=MAX_IN_A_ROW)


class PlayOnForm(FormModel):
    """The decision from which a finished game goes on at a new table."""

    decision: int


class LessonForm(FormModel):
    """A button of a lesson's panel (on, show, back, again), and the step that the page shows, from 1."""

    do: str
    step: int


class PuzzleForm(FormModel):
    """A button of a puzzle's panel (back, again, show), and the number of decisions that the page has seen."""

    do: str
    decision: int


class UndoForm(FormModel):
    """An undo, a request for one, or the answer to one (`yes`); with the number of decisions that the page has seen."""

    decision: int
    yes: str = ""


class OrderForm(FormModel):
    """A standing order of a seat, given (`stands`) or withdrawn."""

    order: str = Field(max_length=40)
    seat: int
    stands: str = ""


class FeedbackForm(FormModel):
    """A player's feedback for the designer: a remark, or answers to the questions."""

    text: Talk | Literal[""] = ""
    again: Literal["", "yes", "perhaps", "no"] = ""
    length: Literal["", "short", "right", "long"] = ""


class GoOnForm(FormModel):
    """The way to continue a game after a change of rules: from a stored state (`kept`), or from the last decision that agrees."""

    kept: str = ""


class ShuffleForm(FormModel):
    """A browser's number for the shuffle, and the commitment (`bond`) that it has seen."""

    number: Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
    bond: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class ChatForm(FormModel):
    """A line of chat."""

    text: Talk


class ReportForm(FormModel):
    """A report about a seat ("seat:1") or a line of chat ("line:4", from 1), with the reason in words."""

    about: Annotated[str, StringConstraints(pattern=r"^(seat:[0-5]|line:[1-9][0-9]{0,4})$")]
    reason: Talk


class MuteForm(FormModel):
    """A seat whose person the viewer mutes for themselves (`muted` "yes"), or hears again ("")."""

    seat: Annotated[int, Field(ge=0, le=5)]
    muted: Literal["yes", ""] = ""


class NameForm(FormModel):
    """A new name for a seat or a person."""

    name: Name


class AgainForm(FormModel):
    """The finished table whose people are to play again."""

    table: Annotated[str, StringConstraints(pattern="^[a-z2-7]{12}$")]


class ListedForm(FormModel):
    """Whether a person wants to be listed among the best players."""

    listed: Literal["yes", ""] = ""


class ForgetForm(FormModel):
    """A person's wish to have their data deleted; the checkbox beside it must be ticked."""

    sure: Literal["yes"]


class BeginForm(FormModel):
    """The wish to begin before all seats are taken: with bots in empty seats (`bots`), or without."""

    bots: str = ""


class AbsentForm(FormModel):
    """The seat of a person who is absent."""

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
    """The endpoint of a push subscription that is to be deleted."""

    endpoint: str = Field(max_length=2000)


class NewPasskey(FormModel):
    """A passkey that a browser has made, as WebAuthn writes it, and the name for it."""

    credential: dict[str, Any]
    called: Annotated[str, BeforeValidator(lambda text: clean_text(str(text))[:MAX_NAME_CHARS].strip())] = ""


class PasskeyAnswer(FormModel):
    """A passkey's answer to a challenge. `bring`: are this browser's tables moved to the passkey's owner?"""

    credential: dict[str, Any]
    bring: bool = True


class PasskeyForm(FormModel):
    """One of a person's passkeys, by its id."""

    key: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class MailAddressForm(FormModel):
    """A mail address as somebody typed it."""

    address: str = Field(max_length=200)


class OpenLinkForm(FormModel):
    """The wish to open a link by mail. `bring`: are this browser's tables moved to the owner of the address?"""

    bring: str = ""


class RemoveMailForm(FormModel):
    """One of a person's mail addresses, by its digest."""

    address: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


# --- Forms that depend on the game ------------------------------------------------------------------


TEXT_FIELD = {"type": "string"}


def build_form_schema(fields: dict[str, Any], files: tuple[str, ...] = (), more: bool = False) -> dict[str, Any]:
    """The schema of a form for FastAPI's `openapi_extra`. `files`: names of file fields; `more`: may it have other fields too?"""
    properties = fields | {name: {"type": "string", "contentMediaType": "application/octet-stream"} for name in files}
    schema = {"type": "object", "properties": properties, "additionalProperties": TEXT_FIELD if more else False}
    kinds = ["multipart/form-data"] if files else ["application/x-www-form-urlencoded"]
    return {"requestBody": {"content": {kind: {"schema": schema} for kind in kinds}, "required": True}}


class FindForm(FormModel):
    """The game for which a person seeks players."""

    game: str


SEAT_FIELD = {"anyOf": [{"enum": ["me", "link", "open", "none", "easy", "normal", "hard"]}, TEXT_FIELD]}
NEW_TABLE = build_form_schema(
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
"""The schema of the form for a new table: seats and names, the game's options (`option_NAME`), uploaded files."""
QUESTION_FIELDS = ("game", "kind", "bots", "seats", "games", "seed", "settings", "edited", "edit")
FIELDS_OF_KINDS = ("over", "cards", "choices", "turn", "rounds", "bots_b", "seats_b", "give_up", "only", "want", "most")
QUESTION = build_form_schema(dict.fromkeys((*QUESTION_FIELDS, *FIELDS_OF_KINDS), TEXT_FIELD))
"""The schema of the form for a question to the lab; each kind of question has fields of its own."""
