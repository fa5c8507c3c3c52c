"""What the store keeps of a room, what the lobby says of it, and trouble in words: plain messages, nothing else."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from sutler.core.language import _

SeatKind = Literal["me", "link", "bot", "file"]
Level = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24)]
"""A bot by its level: easy, normal, hard, and those of the house's own `levels.toml` (see `sutler.bots`)."""
LONGEST_NAME = 24


def plain_text(text: str) -> str:
    """Words as everybody writes them: one form of each letter, nothing that cannot be seen, single spaces."""
    usual = unicodedata.normalize("NFKC", text)
    return " ".join("".join(" " if c.isspace() else c for c in usual if c.isspace() or _is_seen(c)).split())


def _is_seen(character: str) -> bool:
    return not unicodedata.category(character).startswith("C")


def apart(name: str, others: Iterable[str]) -> str:
    """A name that nobody else at the table has: with a number behind it, if it must be."""
    taken = {other.casefold() for other in others}
    found, number = name, 2
    while found.casefold() in taken:
        behind = f" {number}"
        found, number = name[: LONGEST_NAME - len(behind)].rstrip() + behind, number + 1
    return found


Name = Annotated[
    str, BeforeValidator(lambda text: plain_text(str(text))[:LONGEST_NAME].strip()), StringConstraints(min_length=1)
]
Talk = Annotated[
    str, BeforeValidator(lambda text: plain_text(str(text))), StringConstraints(min_length=1, max_length=500)
]
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


class Created(Message):
    """A table was opened."""

    kind: Literal["created"] = "created"
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


class Joined(Message):
    """Somebody took the seat that was kept for a friend."""

    kind: Literal["joined"] = "joined"
    seat: int
    name: Name


class Mixed(Message):
    """A player's own number is mixed into the seed, and all is dealt anew: nobody has moved yet."""

    kind: Literal["mixed"] = "mixed"
    seat: int
    number: str


class Renamed(Message):
    """A seat goes by another name."""

    kind: Literal["renamed"] = "renamed"
    seat: int
    name: Name


class Acted(Message):
    """A seat did something; `decision` counts what was done before it."""

    kind: Literal["acted"] = "acted"
    decision: int
    seat: int
    action: str


class Undone(Message):
    """The game went back to this decision: by the seat itself, or with another's consent."""

    kind: Literal["undone"] = "undone"
    seat: int
    to: int
    consent: int | None = None
    again: int = 0
    """The how-manieth taking back that drew all luck to come anew; 0: none was drawn yet, so none is drawn anew."""


class Resumed(Message):
    """The rules have changed so that the game cannot be played again: it goes on from a state that was kept."""

    kind: Literal["resumed"] = "resumed"
    seat: int
    decision: int
    state: str


class AskedBack(Message):
    """A seat asks to take back what it did since decision `to`."""

    kind: Literal["asked_back"] = "asked_back"
    seat: int
    to: int


class AnsweredBack(Message):
    """Another seat refuses (a consent is told as Undone)."""

    kind: Literal["answered_back"] = "answered_back"
    seat: int


class Proposed(Message):
    """Somebody proposes a decision that is the team's; the others are to see it before it holds."""

    kind: Literal["proposed"] = "proposed"
    seat: int
    decision: int
    action: str


class Noticed(Message):
    """Somebody else has seen what was proposed."""

    kind: Literal["noticed"] = "noticed"
    seat: int


class Ordered(Message):
    """A seat's standing order (`orders`) stands from now on, or no longer. Nobody else hears of it."""

    kind: Literal["ordered"] = "ordered"
    seat: int
    order: str
    stands: bool = True


class Noted(Message):
    """What a player tells whoever designs the game: a remark, or answers at the end. Other pages never hear of it."""

    kind: Literal["noted"] = "noted"
    seat: int
    decision: int
    """How many decisions had been made."""
    text: Talk | Literal[""] = ""
    again: Literal["", "yes", "perhaps", "no"] = ""
    """Would they play it again?"""
    length: Literal["", "short", "right", "long"] = ""
    """How long it felt."""


class Said(Message):
    """Somebody said something. Seat None: a watcher."""

    kind: Literal["said"] = "said"
    seat: int | None
    name: Name
    text: Talk


class Begun(Message):
    """The game begins, though not everybody sits."""

    kind: Literal["begun"] = "begun"
    seat: int


class StoodIn(Message):
    """A bot plays for a seat until its person is there."""

    kind: Literal["stood_in"] = "stood_in"
    seat: int
    level: Level
    why: Literal["empty", "time", "agreed"]
    """Nobody has come yet; the clock has run out; those who stay have agreed."""
    asked: bool = False
    """Was it this seat's turn to decide?"""


class Agreed(Message):
    """Somebody agrees that a bot plays for a seat whose person does not come."""

    kind: Literal["agreed"] = "agreed"
    seat: int
    for_seat: int


class CameBack(Message):
    """A person takes the seat back from the bot that played for them."""

    kind: Literal["came_back"] = "came_back"
    seat: int
    asked: bool = False
    """Was it this seat's turn to decide?"""


class Taught(Message):
    """The lesson taught at this table comes, or goes back, to a step."""

    kind: Literal["taught"] = "taught"
    step: int
    decision: int
    """How many decisions there were when the step began."""


class Rematch(Message):
    """The same people sit down again at another table."""

    kind: Literal["rematch"] = "rematch"
    table: str
    name: Name
    turned: int = 0
    """By how many chairs everybody has moved up: who sat at `turned` sits at 0 there."""


class Removed(Message):
    """Whoever keeps the house has taken the table away; of what happened nothing else is kept."""

    kind: Literal["removed"] = "removed"


class Ended(Message):
    """The game is over."""

    kind: Literal["ended"] = "ended"
    scores: tuple[float, ...]


Event = Annotated[
    Created
    | Joined
    | Mixed
    | Renamed
    | Acted
    | Undone
    | Resumed
    | AskedBack
    | AnsweredBack
    | Proposed
    | Noticed
    | Ordered
    | Noted
    | Said
    | Begun
    | StoodIn
    | Agreed
    | CameBack
    | Taught
    | Rematch
    | Ended
    | Removed,
    Field(discriminator="kind"),
]


# --- Trouble, told in words ---------------------------------------------------------------------


class Trouble(Exception):
    """Something asked for cannot be done: a sentence for who asked, in their language; a rule's paragraph."""

    status = 400

    def __init__(self, text: str, /, rule: str = "", status: int | None = None, **fields: object) -> None:
        self.text = _(text, **fields)
        super().__init__(self.text)
        self.rule = rule
        if status is not None:
            self.status = status


class Stale(Trouble):
    """An answer to a question that is no longer asked."""

    status = 409


class Used(Trouble):
    """What works once has been used."""

    status = 410


class Refused(Trouble):
    """The rules, or the table's manners, stand in the way."""

    status = 422


class Secret(Trouble):
    """It will be told when the game is over, and to nobody before."""

    status = 403


class TooMany(Trouble):
    """More than the house bears."""

    status = 429


class Lost(Trouble):
    """Nothing is found under this address."""

    status = 404
