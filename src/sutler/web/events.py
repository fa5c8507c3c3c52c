"""The events of a table, as Pydantic models: a table's whole history is the list of its events, which is what the database keeps."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from sutler.web.typed_text import Name, Talk

SeatKind = Literal["me", "link", "bot", "file"]
Level = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24)]
"""A level of bots: easy, normal, hard, or one of the server's own `levels.toml` (see `sutler.bots`)."""


OptionValue = bool | int | float | str

MAX_SEATS = 6
MAX_FILE_BYTES = 2_000_000
"""The size of the largest game file that may be uploaded."""


class Message(BaseModel):
    """A Pydantic model that is immutable and refuses unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SeatPlan(Message):
    """The plan of one seat of a new table.

    `kind`: played by this browser ("me"), a friend with a link, a bot, or nobody (a game from a file).
    """

    kind: SeatKind
    name: Name
    level: Level = "normal"
    open: bool = False
    """May anybody take the seat from the lobby? Only where it is kept for a friend ("link")."""


MAX_CLOCK_S = 60 * 24 * 3600
"""The longest time for a move, in seconds: two months."""


class ClockPlan(Message):
    """The clock agreed for a table."""

    per: Literal["move", "game"]
    """Is `seconds` the time for each decision, or for all decisions of a seat together?"""
    seconds: int = Field(ge=5, le=MAX_CLOCK_S)
    refill: int = Field(default=0, ge=0, le=MAX_CLOCK_S)
    """Seconds added after each decision, where the time is for the whole game."""
    then: Literal["shown", "bot"] = "shown"
    """The consequence when the time is over: it is only shown, or a bot takes the seat."""


# --- Events ---------------------------------------------------------------------------------------


class Event(Message):
    """Something that happened at a table. `kind`, by which it is read back, is made from the class's name: `AskedBack` is "asked_back"."""

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
    """The id of the table of which this one is a rematch; "" for none."""
    box_toml: str = ""
    box_hash: str = ""
    edit: dict[str, Any] = {}
    """The entries of the box that differ from the printed one."""
    settings: dict[str, OptionValue] = {}
    """Single numbers of the box, by their paths."""
    opening: str = ""
    """The first state in base 64, where the game does not begin with its usual setup."""
    before: str = ""
    """The level of the bots that played up to the first state; "" where none did."""
    box: str = ""
    """The fingerprint of the whole box, which this game keeps even if the printed box changes later."""
    rules: str = ""
    """The fingerprint of the rules under which the game began."""
    nonce: str = ""
    seal: str = ""
    """A commitment (hash) to seed and nonce, shown from the start, so that nobody can choose another seed afterwards."""
    lesson: str = ""
    """The name of the lesson taught at this table; "" for none."""
    script: dict[str, Any] = {}
    """The lesson itself, where it came as an uploaded file."""
    coach: bool = False
    """Does a coach comment on every decision, for people who play their first game?"""
    clock: ClockPlan | None = None
    patience: int = Field(default=0, ge=0, le=MAX_CLOCK_S)
    """Seconds after which the other players may let a bot play for a person who does not come; 0: never."""
    waits: bool = False
    """Does the game begin only when all seats are taken?"""
    newcomers: bool = False
    """Are new players welcome in its open seats?"""
    counts: bool = False
    """May its moves be counted in the lab when it is over, without names or chat? Everybody reads this before they sit down."""


class Joined(Event):
    """A person took a seat that was kept for them."""

    seat: int
    name: Name
    asked: bool = True
    """Was it this seat's turn to decide? Otherwise no clock starts anew."""


class Mixed(Event):
    """A player's number was mixed into the seed, and the game dealt again, before anybody had moved."""

    seat: int
    number: str


class Renamed(Event):
    """A seat goes by another name from now on."""

    seat: int
    name: Name


class Acted(Event):
    """A seat took an action; `decision` is the number of decisions before it."""

    decision: int
    seat: int
    action: str
    instead_of: int | None = None
    """The seat whose turn it was, where the acting seat decided out of turn."""


class Undone(Event):
    """The game went back to the moment before decision `to`. `consent`: another seat that agreed; None where none had to."""

    seat: int
    to: int
    consent: int | None = None
    again: int = 0
    """The number of this undo among those after which new random numbers are drawn; 0: the same numbers stay, since none was seen yet."""
    rules_changed: bool = False
    """Was the game taken back because its rules have changed? Then no clock counts the time in between."""


class Resumed(Event):
    """The rules changed so that the game cannot be replayed any more: it continues from this stored state (base 64)."""

    seat: int
    decision: int
    state: str


class AskedBack(Event):
    """A seat asks the others for an undo of its decisions from number `to` on."""

    seat: int
    to: int


class AnsweredBack(Event):
    """Another seat refuses an undo; a seat that agrees causes the event `Undone` instead."""

    seat: int


class Proposed(Event):
    """A player proposes a decision to the team; another member must have seen the proposal before it is played."""

    seat: int
    decision: int
    action: str


class Noticed(Event):
    """Another member of the team has seen the proposal."""

    seat: int


class Ordered(Event):
    """A seat gives (`stands`) or withdraws a standing order (`core.play.standing_orders`). It is shown to nobody else."""

    seat: int
    order: str
    stands: bool = True


class Noted(Event):
    """Feedback of a player for the designer: a remark, or answers at the end of the game. It is shown to nobody else."""

    seat: int
    decision: int
    """The number of decisions made before."""
    text: Talk | Literal[""] = ""
    again: Literal["", "yes", "perhaps", "no"] = ""
    """Would they play it again?"""
    length: Literal["", "short", "right", "long"] = ""
    """How long the game felt."""


class Said(Event):
    """A line of chat. `seat`: None for a watcher."""

    seat: int | None
    name: Name
    text: Talk


class Hidden(Event):
    """A line of the chat was hidden by the administrator. `line`: its number, from 0."""

    line: int


class Begun(Event):
    """The game begins, though some seats are not taken yet."""

    seat: int


class StoodIn(Event):
    """A bot plays for a seat until its person comes, or comes back."""

    seat: int
    level: Level
    why: Literal["empty", "time", "agreed"]
    """Nobody has come yet; the clock has run out; the other players have agreed."""
    asked: bool = False
    """Was it this seat's turn to decide?"""


class Agreed(Event):
    """A player agrees that a bot plays for a seat whose person does not come."""

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
    """The number of places by which everybody moved: the player of seat `turned` has seat 0 at the new table."""


class Removed(Event):
    """The administrator removed the table; no other event of the table is kept."""


class Ended(Event):
    """The game is over. `scores`: in points, by seat."""

    scores: tuple[float, ...]


def are_private(events: Sequence[Event]) -> bool:
    """Is each of these events known to one seat only?"""
    return all(isinstance(event, Ordered | Noted) for event in events)


_kinds: Any = functools.reduce(operator.or_, Event.__subclasses__())
AnyEvent: Any = Annotated[_kinds, Field(discriminator="kind")]
ANY_EVENT: TypeAdapter[Event] = TypeAdapter(AnyEvent)
"""Reads an event of any kind from the JSON that the database keeps."""
