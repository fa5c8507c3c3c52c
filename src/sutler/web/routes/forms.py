"""What a browser sends to a table, and what of it is let in."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from sutler.web.names import LONGEST_NAME, Name, Talk, plain_text


class Sent(BaseModel):
    """What a browser sends; whatever else it says is passed over."""

    model_config = ConfigDict(extra="ignore")


class Play(Sent):
    """A click: the action by name, the decision it answers."""

    action: str
    decision: int
    eyes: int | None = None


class Guidance(Sent):
    """A button of a lesson's slip (on, show, back, again), and the step it stood at, counted from 1."""

    do: str
    step: int


class Back(Sent):
    """Undo, or the question whether one may."""

    decision: int
    yes: str = ""


class GivenOrder(Sent):
    """A standing order of a seat: given, or taken back."""

    order: str = Field(max_length=40)
    seat: int
    stands: str = ""


class Telling(Sent):
    """What a player tells the designer: words, or an answer."""

    text: Talk | Literal[""] = ""
    again: Literal["", "yes", "perhaps", "no"] = ""
    length: Literal["", "short", "right", "long"] = ""


class GoingOn(Sent):
    """How a game goes on that changed rules lead elsewhere: from where all agreed, or from a state that was kept."""

    kept: str = ""


class OwnNumber(Sent):
    """A number that a browser gives to the shuffle, and the bond it saw before."""

    number: Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
    bond: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class Saying(Sent):
    """Words said at the table."""

    text: Talk


class Called(Sent):
    """A name."""

    name: Name


class Beginning(Sent):
    """The game is to begin before all sit: with bots on empty seats, or without."""

    bots: str = ""


class Absent(Sent):
    """The seat whose person does not come."""

    seat: int


class Code(Sent):
    """A code that another device of the same person has shown."""

    code: str = Field(max_length=40)


class Bell(Sent):
    """Where a browser is told of its owner's turns, and what messages to it are covered with, in base 64."""

    endpoint: str = Field(max_length=2000)
    public: str = Field(max_length=120)
    auth: str = Field(max_length=40)


class Silence(Sent):
    """A browser that is told no more."""

    endpoint: str = Field(max_length=2000)


class Brought(Sent):
    """A passkey that a browser has made, as WebAuthn writes it, and what its owner calls it."""

    credential: dict[str, Any]
    called: Annotated[str, BeforeValidator(lambda text: plain_text(str(text))[:LONGEST_NAME].strip())] = ""


class Answering(Sent):
    """What a passkey says to the house's question; `bring`: do the tables of this browser come along?"""

    credential: dict[str, Any]
    bring: bool = True


class OnePasskey(Sent):
    """One of a person's passkeys."""

    key: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class MailAddress(Sent):
    """A mail address, as somebody has typed it."""

    address: str = Field(max_length=200)


class Bringing(Sent):
    """A link by mail is opened; `bring`: do the tables of this browser come along?"""

    bring: str = ""


class OneMail(Sent):
    """One of a person's mail addresses, by what is kept of it."""

    address: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
