"""The forms and JSON that browsers send, checked by Pydantic."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from sutler.web.names import MAX_NAME_CHARS, Name, Talk, plain_text


class FormModel(BaseModel):
    """What a browser sends; fields that are not declared are ignored."""

    model_config = ConfigDict(extra="ignore")


class PlayForm(FormModel):
    """A click: the action by name, and the decision it answers."""

    action: str
    decision: int
    eyes: int | None = None


class LessonForm(FormModel):
    """A button of a lesson (on, show, back, again), and the step it was shown at, counted from 1."""

    do: str
    step: int


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
    """What a player tells the designer: a remark, or answers to questions."""

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


class NameForm(FormModel):
    """A name."""

    name: Name


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
