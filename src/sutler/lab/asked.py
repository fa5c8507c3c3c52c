"""A designer's own questions, declared by a game as data (`questions.toml` in its folder) and answered from many games.

A question has a kind, and a kind is one function: from the games to words, a picture and a table. A game adds questions
without code; what only its rules can tell (how large a risk was) it gives as probes, named functions of its own.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sutler.bots import Bot
from sutler.core.game import Game, load
from sutler.core.registry import folder_of, games
from sutler.lab.figures import named as named_figures
from sutler.lab.simulate import Progress
from sutler.lab.watching import Probe, Watched

FILE = "questions.toml"
FEWEST = 20
"""Games at a table beside the first, however small a part of those asked for that table has."""
ONE_BOT = "asked of these bots only"
Kind = Literal[
    "figures", "outcome", "count", "risk", "supply", "fates", "seats", "tables", "sweep", "changes", "without"
]


class Change(BaseModel):
    """One way to turn the game: a title, and the settings that turn it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    title: str
    set: dict[str, Any] = Field(min_length=1)


class Question(BaseModel):
    """One question as its game declares it; which fields a kind reads stands with the kind (`answered`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: Kind
    title: str
    says: str = ""
    event: str = ""
    of: str | list[str] = ""
    causes: dict[str, str] = {}
    cause: str = ""
    most: int = Field(12, ge=1)
    probe: str = ""
    passed: str = ""
    failed: str = ""
    field: str = ""
    setting: str = ""
    now: int = 0
    room: int = 0
    values: list[int | str] = []
    came: str = ""
    ends: dict[str, str] = {}
    stays: str = "still there"
    moved: str = ""
    clock: list[str] = []
    seats: list[int] = []
    events: dict[str, str] = {}
    entries: str = ""
    edit: str = ""
    names: list[str] = []
    piece: str = ""
    emptied: str | list[str] = ""
    figures: list[str] = []
    """Headline figures (`lab.figures`) by name, or by what their names begin with."""
    changes: list[Change] = []
    share: int = Field(1, ge=1)
    """Of tables played for this question alone: so many times fewer games each than were asked for."""

    @property
    def parts(self) -> list[str]:
        """The parts of the event that are told apart."""
        return [self.of] if isinstance(self.of, str) else list(self.of)


class ProbeSpec(BaseModel):
    """Probes asked before actions of a block: functions of one of the game's own modules."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    module: str
    names: list[str]


class Sheet(BaseModel):
    """A game's questions."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    opens: str = ""
    """The event that opens a part of the game: a year, a round."""
    part: str = "part"
    game: str = "game"
    """What one game is called: a campaign, a war."""
    intro: str = ""
    ladder: list[str] = []
    """Other bots: what is found between those asked is held against the same games between each of these."""
    probes: dict[str, ProbeSpec] = {}
    question: list[Question]


@dataclass(frozen=True)
class Asked:
    """What a kind of question is answered from."""

    name: str
    sheet: Sheet
    watched: Watched
    bots: Sequence[Bot]
    games: int
    seed: int
    tell: Progress
    seats: int = 2
    others: Sequence[Callable[[], tuple[str, Watched]]] = ()
    """The same games between each bot of the ladder: what it is called, and its games, played when first asked for."""

    def beside(self, share: int) -> int:
        """How many games a table played for one question alone has: a part of those asked for, FEWEST unless fewer were."""
        return max(min(FEWEST, self.games), self.games // share)

    def otherwise(self, settings: Mapping[str, Any], edit: Mapping[str, Any] | None = None) -> Game:
        """The game that is asked about, with these settings besides, or an edit of its box."""
        game = self.watched.game
        return load(self.name, edit, {**game.settings, **game.changed_options(), **settings})


@dataclass(frozen=True)
class Answer:
    """A question with what was found: sentences, pictures and tables as markup."""

    question: Question
    said: str
    body: tuple[str, ...]
    verdict: str = ONE_BOT
    """Whether other bots see it alike, or the change is beyond chance."""
    played: str = ""
    """How many games, at how many seats, between whom."""


def sheet_of(name: str) -> Sheet:
    """A game's questions; ValueError, in words, when it declares none or they cannot be read."""
    path = folder_of(name) / FILE
    if not path.exists():
        others = [other for other in games() if (folder_of(other) / FILE).exists()]
        some = "declares some" if len(others) == 1 else "do"
        there = f" ({', '.join(others)} {some})" if others else ""
        raise ValueError(f"{name} declares no questions of its own{there}; they stand in {FILE} in a game's folder")
    try:
        return Sheet.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}/{FILE}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{name}/{FILE}: {where}: {first['msg']}") from None


def probes_of(name: str, sheet: Sheet) -> dict[str, tuple[str, Probe]]:
    """By name: the block of actions before which a probe is asked, and the probe."""
    found: dict[str, tuple[str, Probe]] = {}
    for block, spec in sheet.probes.items():
        module = importlib.import_module(f"sutler.games.{name}.{spec.module}")
        found |= {one: (block, getattr(module, one)) for one in spec.names}
    return found


def check(game: Game, sheet: Sheet) -> None:
    """ValueError when a question speaks of an event or a figure that the game does not have, or of a change it refuses."""
    told = game.definition.events.events
    for one in sheet.question:
        named = [
            one.event,
            one.came,
            one.moved,
            one.passed,
            one.failed,
            *one.causes,
            *one.ends,
            *one.events,
            *one.clock,
            sheet.opens,
        ]
        for event in [name for name in named if name]:
            if event not in told:
                raise ValueError(f"{game.name}/{FILE}: {one.title!r} asks for event {event!r}; there is none such")
        there = named_figures(game, max(game.max_seats, 1))
        for figure in one.figures:
            if not any(name.startswith(figure) for name in there):
                raise ValueError(f"{game.name}/{FILE}: {one.title!r} asks for figure {figure!r}; there is none such")
        for change in one.changes:
            try:
                load(game.name, None, {**game.settings, **game.changed_options(), **change.set})
            except ValueError as error:
                raise ValueError(f"{game.name}/{FILE}: {change.title!r}: {error}") from None
