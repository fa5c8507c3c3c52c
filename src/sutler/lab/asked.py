"""A designer's own questions, declared by a game as data (`questions.toml` in its folder) and answered from many games.

A question has a kind, and a kind is one function: from the games to words, a picture and a table. A game adds questions
without code; what only its rules can tell (how large a risk was) it gives as probes, named functions of its own.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sutler.bots import Bot
from sutler.core.game import Game, load
from sutler.core.registry import folder_of
from sutler.lab.simulate import Progress, provenance
from sutler.lab.watching import Probe, Watched, watch

FILE = "questions.toml"
Kind = Literal["outcome", "count", "risk", "supply", "fates", "seats", "sweep", "without"]


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
    opens: str
    part: str = "part"
    intro: str = ""
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


@dataclass(frozen=True)
class Answer:
    """A question with what was found: sentences, pictures and tables as markup."""

    question: Question
    said: str
    body: tuple[str, ...]


def sheet_of(name: str) -> Sheet:
    """A game's questions; ValueError, in words, when it declares none or they cannot be read."""
    path = folder_of(name) / FILE
    if not path.exists():
        raise ValueError(f"{name} declares no questions; write {FILE} in its folder")
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


def ask(
    name: str,
    bots: Sequence[Bot],
    games: int,
    seats: int | None = None,
    seed: int = 1,
    settings: dict[str, Any] | None = None,
    progress: Callable[[str, int, int], None] = lambda what, done, most: None,
) -> list[Answer]:
    """Play, and answer every question that the game declares. `progress(what, done, of how many)`."""
    from sutler.lab.asking import ANSWERS

    sheet = sheet_of(name)
    game = load(name, None, settings)
    check(game, sheet)
    fields = [one.field for one in sheet.question if one.field]
    watched = watch(
        game,
        bots,
        seats,
        games,
        seed,
        sheet.opens,
        fields,
        probes_of(name, sheet),
        lambda k, n: progress("games", k, n),
    )
    answers = []
    for k, question in enumerate(sheet.question, 1):
        tell = partial(progress, f"question {k}")
        answers.append(ANSWERS[question.kind](question, Asked(name, sheet, watched, bots, games, seed, tell)))
    return answers


def check(game: Game, sheet: Sheet) -> None:
    """ValueError when a question speaks of an event that the game does not tell."""
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
        ]
        for event in [name for name in named if name]:
            if event not in told:
                raise ValueError(f"{game.name}/{FILE}: {one.title!r} asks for event {event!r}; there is none such")


def page_of(name: str, answers: Sequence[Answer], watched_games: int, seats: int, seed: int) -> str:
    """All answers as one page."""
    from html import escape

    from sutler.lab.pages import heading, lead, note, page

    game, sheet = load(name), sheet_of(name)
    body = [lead(f"{watched_games:,} games at {seats} seats, from seed {seed}."), note(sheet.intro)]
    listed = "".join(f'<li><a href="#q{k}">{escape(one.question.title)}</a></li>' for k, one in enumerate(answers, 1))
    body.append(f"<ol>{listed}</ol>")
    for k, one in enumerate(answers, 1):
        body += [f'<section id="q{k}">', heading(f"{k}. {one.question.title}"), note(one.question.says), lead(one.said)]
        body += [*one.body, "</section>"]
    return page(f"{game.title}: what its designer asks", body, provenance(game))


def keep(path: Path, text: str) -> None:
    """All of it or nothing."""
    aside = path.with_suffix(".new")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)
