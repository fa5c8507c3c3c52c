"""What the store keeps of a room, what the lobby says of it, and trouble in words: plain messages, nothing else."""

from __future__ import annotations

import functools
import operator
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from sutler.web.names import Name, Talk

SeatKind = Literal["me", "link", "bot", "file"]
Level = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24)]
"""A bot by its level: easy, normal, hard, and those of the house's own `levels.toml` (see `sutler.bots`)."""


OptionValue = bool | int | float | str

MAX_SEATS = 6
MAX_FILE = 2_000_000
"""Bytes of a game file somebody may upload."""


class Message(BaseModel):
    """A message; unknown parts are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SeatPlan(Message):
    """Who is to sit on a seat: this browser, a friend with the link, a bot, or nobody (a game from a file)."""

    kind: SeatKind
    name: Name
    level: Level = "normal"


LONGEST_TIME = 60 * 24 * 3600
"""Seconds: two months for a move are enough."""


class ClockPlan(Message):
    """How long whoever decides may take, agreed when the table is set up. Seconds."""

    per: Literal["move", "game"]
    """For every decision anew, or for all of a seat's together."""
    seconds: int = Field(ge=5, le=LONGEST_TIME)
    refill: int = Field(default=0, ge=0, le=LONGEST_TIME)
    """What comes back after each decision, where the time is for the game."""
    then: Literal["shown", "bot"] = "shown"
    """When it is out: nothing but being shown, or a bot takes the seat over."""


# --- Events: the only thing a room is made of ---------------------------------------------------


class Event(Message):
    """Something happened. Its kind, by which it is read back, is its class's name: `AskedBack` is "asked_back"."""

    kind: str = ""

    def __init_subclass__(cls, **more: Any) -> None:
        cls.kind = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        cls.__annotations__ = {"kind": Literal[cls.kind], **cls.__annotations__}
        super().__init_subclass__(**more)


class Created(Event):
    """A table was opened."""

    game: str
    options: dict[str, OptionValue] = {}
    seed: int
    seats: tuple[SeatPlan, ...]
    open_to_watch: bool = True
    after: str = ""
    """The table this one is a rematch of."""
    box_toml: str = ""
    box_hash: str = ""
    edit: dict[str, Any] = {}
    """In what the box differs from the printed one."""
    settings: dict[str, OptionValue] = {}
    """Single numbers of the box, by their paths."""
    opening: str = ""
    """A first state in base 64, where the game does not begin with its setup."""
    before: str = ""
    """The level of the bots that have played what lies before that state."""
    box: str = ""
    """All that was in the box, by its fingerprint: the game goes on with that, whatever is printed later."""
    rules: str = ""
    """A fingerprint of the rules it began under."""
    nonce: str = ""
    seal: str = ""
    """Made of seed and nonce, and shown from the start: nobody can choose another seed afterwards."""
    lesson: str = ""
    """The lesson that is taught here, by its name."""
    script: dict[str, Any] = {}
    """That lesson itself, where it came as a file of somebody's own."""
    coach: bool = False
    """Does a coach say at every decision what matters now? For a first game."""
    clock: ClockPlan | None = None
    patience: int = Field(default=0, ge=0, le=LONGEST_TIME)
    """After so many seconds those who stay may let a bot play for whoever does not come; 0: never."""
    waits: bool = False
    """Does the game begin only when everybody sits?"""
    counts: bool = False
    """May its moves be counted in the lab when it is over, without names or talk? Told to everybody before they sit down."""


class Joined(Event):
    """Somebody took the seat that was kept for a friend."""

    seat: int
    name: Name


class Mixed(Event):
    """A player's own number is mixed into the seed, and all is dealt anew: nobody has moved yet."""

    seat: int
    number: str


class Renamed(Event):
    """A seat goes by another name."""

    seat: int
    name: Name


class Acted(Event):
    """A seat did something; `decision` counts what was done before it."""

    decision: int
    seat: int
    action: str


class Undone(Event):
    """The game went back to this decision: by the seat itself, or with another's consent."""

    seat: int
    to: int
    consent: int | None = None
    again: int = 0
    """The how-manieth taking back that drew all luck to come anew; 0: none was drawn yet, so none is drawn anew."""


class Resumed(Event):
    """The rules have changed so that the game cannot be played again: it goes on from a state that was kept."""

    seat: int
    decision: int
    state: str


class AskedBack(Event):
    """A seat asks to take back what it did since decision `to`."""

    seat: int
    to: int


class AnsweredBack(Event):
    """Another seat refuses (a consent is told as Undone)."""

    seat: int


class Proposed(Event):
    """Somebody proposes a decision that is the team's; the others are to see it before it holds."""

    seat: int
    decision: int
    action: str


class Noticed(Event):
    """Somebody else has seen what was proposed."""

    seat: int


class Ordered(Event):
    """A seat's standing order (`orders`) stands from now on, or no longer. Nobody else hears of it."""

    seat: int
    order: str
    stands: bool = True


class Noted(Event):
    """What a player tells whoever designs the game: a remark, or answers at the end. Other pages never hear of it."""

    seat: int
    decision: int
    """How many decisions had been made."""
    text: Talk | Literal[""] = ""
    again: Literal["", "yes", "perhaps", "no"] = ""
    """Would they play it again?"""
    length: Literal["", "short", "right", "long"] = ""
    """How long it felt."""


class Said(Event):
    """Somebody said something. Seat None: a watcher."""

    seat: int | None
    name: Name
    text: Talk


class Begun(Event):
    """The game begins, though not everybody sits."""

    seat: int


class StoodIn(Event):
    """A bot plays for a seat until its person is there."""

    seat: int
    level: Level
    why: Literal["empty", "time", "agreed"]
    """Nobody has come yet; the clock has run out; those who stay have agreed."""
    asked: bool = False
    """Was it this seat's turn to decide?"""


class Agreed(Event):
    """Somebody agrees that a bot plays for a seat whose person does not come."""

    seat: int
    for_seat: int


class CameBack(Event):
    """A person takes the seat back from the bot that played for them."""

    seat: int
    asked: bool = False
    """Was it this seat's turn to decide?"""


class Taught(Event):
    """The lesson taught at this table comes, or goes back, to a step."""

    step: int
    decision: int
    """How many decisions there were when the step began."""


class Rematch(Event):
    """The same people sit down again at another table."""

    table: str
    name: Name
    turned: int = 0
    """By how many chairs everybody has moved up: who sat at `turned` sits at 0 there."""


class Removed(Event):
    """Whoever keeps the house has taken the table away; of what happened nothing else is kept."""


class Ended(Event):
    """The game is over."""

    scores: tuple[float, ...]


_kinds: Any = functools.reduce(operator.or_, Event.__subclasses__())
ANY_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[_kinds, Field(discriminator="kind")])
"""Reads any of them from what the store keeps."""


# --- Trouble, told in words ---------------------------------------------------------------------
