"""The events that a room is made of, as Pydantic models: what the store keeps of a table."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from sutler.web.names import Name, Talk

SeatKind = Literal["me", "link", "bot", "file"]
Level = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24)]
"""A level of bots: easy, normal, hard, and those of the server's own `levels.toml` (see `sutler.bots`)."""


OptionValue = bool | int | float | str

MAX_SEATS = 6
MAX_FILE_BYTES = 2_000_000
"""The largest game file that may be uploaded."""


class Message(BaseModel):
    """A model that refuses unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SeatPlan(Message):
    """The plan of a seat: played by this browser, a friend with a link, a bot, or nobody (a game from a file)."""

    kind: SeatKind
    name: Name
    level: Level = "normal"
    open: bool = False
    """May anybody take it from the lobby? Only where it is kept for a friend ("link")."""


MAX_CLOCK_S = 60 * 24 * 3600
"""The longest time for a move: two months."""


class ClockPlan(Message):
    """The clock agreed for a table; in seconds."""

    per: Literal["move", "game"]
    """Is the time for each decision, or for all decisions of a seat together?"""
    seconds: int = Field(ge=5, le=MAX_CLOCK_S)
    refill: int = Field(default=0, ge=0, le=MAX_CLOCK_S)
    """Seconds added after each decision, where the time is for the whole game."""
    then: Literal["shown", "bot"] = "shown"
    """The consequence when the time is over: only show it, or let a bot take the seat."""


# --- Events: the only thing a room is made of ---------------------------------------------------


class Event(Message):
    """Something that happened. `kind`, by which it is read back, is made from the class's name: `AskedBack` is "asked_back"."""

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
    """The edit of the box: how it differs from the printed one."""
    settings: dict[str, OptionValue] = {}
    """Single numbers of the box, by their paths."""
    opening: str = ""
    """The first state in base 64, where the game does not begin with its setup."""
    before: str = ""
    """The level of the bots that played what came before that state."""
    box: str = ""
    """The fingerprint of the whole box: the game keeps it, whatever is printed later."""
    rules: str = ""
    """The fingerprint of the rules the game began under."""
    nonce: str = ""
    seal: str = ""
    """A commitment to seed and nonce, shown from the start: nobody can choose another seed afterwards."""
    lesson: str = ""
    """The name of the lesson taught at this table."""
    script: dict[str, Any] = {}
    """The lesson itself, where it came as an uploaded file."""
    coach: bool = False
    """Does a coach comment on every decision? For a first game."""
    clock: ClockPlan | None = None
    patience: int = Field(default=0, ge=0, le=MAX_CLOCK_S)
    """Seconds after which the others may let a bot play for a person who does not come; 0: never."""
    waits: bool = False
    """Does the game begin only when everybody sits?"""
    newcomers: bool = False
    """Are new players welcome in its open seats?"""
    counts: bool = False
    """May its moves be counted in the lab when it is over, without names or talk? Everybody reads this before they sit down."""


class Joined(Event):
    """A friend took the seat that was kept for them."""

    seat: int
    name: Name
    asked: bool = True
    """Was it this seat's turn to decide? Otherwise nobody's time begins anew."""


class Mixed(Event):
    """A player's number was mixed into the seed, and the game dealt again; nobody had moved yet."""

    seat: int
    number: str


class Renamed(Event):
    """A seat goes by another name."""

    seat: int
    name: Name


class Acted(Event):
    """A seat took an action; `decision` is the number of decisions before it."""

    decision: int
    seat: int
    action: str
    instead_of: int | None = None
    """The seat that was to decide, where this one took the word from it."""


class Undone(Event):
    """The game went back to decision `to`: by the seat itself, or with another's consent."""

    seat: int
    to: int
    consent: int | None = None
    again: int = 0
    """The number of this undo among those that drew new random numbers; 0: none were drawn yet, so none are drawn again."""
    rules_changed: bool = False
    """Was it because of changed rules? Then nobody's time passed meanwhile."""


class Resumed(Event):
    """The rules changed so that the game could not be replayed: it continues from a stored state."""

    seat: int
    decision: int
    state: str


class AskedBack(Event):
    """A seat asks the others to undo its decisions since `to`."""

    seat: int
    to: int


class AnsweredBack(Event):
    """Another seat refuses an undo (consent is the event Undone)."""

    seat: int


class Proposed(Event):
    """Somebody proposes a decision of the team; the others see it before it holds."""

    seat: int
    decision: int
    action: str


class Noticed(Event):
    """Somebody else has seen the proposal."""

    seat: int


class Ordered(Event):
    """A seat's standing order (`core.play.orders`) holds from now on, or no longer. It is shown to nobody else."""

    seat: int
    order: str
    stands: bool = True


class Noted(Event):
    """Feedback of a player for the designer: a remark, or answers at the end. It is shown to nobody else."""

    seat: int
    decision: int
    """The number of decisions made by then."""
    text: Talk | Literal[""] = ""
    again: Literal["", "yes", "perhaps", "no"] = ""
    """Would they play it again?"""
    length: Literal["", "short", "right", "long"] = ""
    """How long the game felt."""


class Said(Event):
    """A line of chat. Seat None: a watcher."""

    seat: int | None
    name: Name
    text: Talk


class Hidden(Event):
    """A line of the chat was hidden by whoever keeps the house. line: its number, from 0."""

    line: int


class Begun(Event):
    """The game begins, though not everybody sits."""

    seat: int


class StoodIn(Event):
    """A bot plays for a seat until its person is there."""

    seat: int
    level: Level
    why: Literal["empty", "time", "agreed"]
    """Nobody has come yet; the clock has run out; the others have agreed."""
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
    """The lesson at this table moves to a step, forward or back."""

    step: int
    decision: int
    """The number of decisions when the step began."""


class Rematch(Event):
    """A rematch was opened at another table."""

    table: str
    name: Name
    turned: int = 0
    """The number of chairs by which everybody moved up: the player of seat `turned` has seat 0 there."""


class Removed(Event):
    """The administrator has removed the table; no other event of it is kept."""


class Ended(Event):
    """The game is over."""

    scores: tuple[float, ...]


def is_private(events: Sequence[Event]) -> bool:
    """Is each of these events known to one seat only?"""
    return all(isinstance(event, Ordered | Noted) for event in events)


_kinds: Any = functools.reduce(operator.or_, Event.__subclasses__())
AnyEvent: Any = Annotated[_kinds, Field(discriminator="kind")]
ANY_EVENT: TypeAdapter[Event] = TypeAdapter(AnyEvent)
"""Reads any event from what the store keeps."""


# --- Trouble, told in words ---------------------------------------------------------------------
