"""A designer's questions that a game declares as data (`questions.toml` in its folder), answered from many games.

Every question has a kind, and each kind is answered by one function, with sentences, a chart and a table. So a game adds questions
without code. A measure that only its rules can compute, such as the size of a risk, is a probe: a named function of the game.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sutler.bots import bot_from
from sutler.core.play.game import Game, load
from sutler.core.play.registry import find_game_folder, games
from sutler.lab.play.bot_groups import MIN_SIDE_TABLE_GAMES, Group
from sutler.lab.play.event_logs import LoggedGames, Probe
from sutler.lab.play.headline_figures import list_figure_names as named_figures
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import Progress
from sutler.lab.stats.estimates import format_count_with_noun

QUESTIONS_FILE = "questions.toml"
ONE_BOT_VERDICT = "asked of these bots only"
Kind = Literal[
    "figures", "outcome", "count", "risk", "supply", "fates", "seats", "tables", "sweep", "changes", "without"
]


class Change(BaseModel):
    """A change of the game that a question is about: its title, and the settings that make the change."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    title: str
    set: dict[str, Any] = Field(min_length=1)


class Question(BaseModel):
    """A question that a game declares. A comment above the function that answers its kind says which fields that kind reads."""

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
    """Names of headline figures (`lab.play.headline_figures`), or beginnings of their names."""
    changes: list[Change] = []
    share: int = Field(1, ge=1)
    """A divisor: games played for this question alone are this many times fewer than those asked for."""

    @property
    def key_parts(self) -> list[str]:
        """The named numbers of the event by which things are told apart, such as the card that is played."""
        return [self.of] if isinstance(self.of, str) else list(self.of)


class ProbeSpec(BaseModel):
    """Functions (probes) asked before actions of one block, by name, and the module of the game that has them."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    module: str
    names: list[str]


class Sheet(BaseModel):
    """All questions that a game declares."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    opens: str = ""
    """The event that opens a part of the game, such as a year or a round."""
    part: str = "part"
    game: str = "game"
    """The word for one game, such as "campaign" or "war"."""
    intro: str = ""
    ladder: list[str] = []
    """Other bots: each finding is compared with games between each of them."""
    probes: dict[str, ProbeSpec] = {}
    question: list[Question]

    def get_question_number(self, question: Question) -> int:
        """The number of a question, from 1."""
        return self.question.index(question) + 1


@dataclass(frozen=True)
class QuestionContext:
    """The data from which answers are computed: the query, the questions, the logged games, and other bots' games."""

    query: Query
    sheet: Sheet
    watched: LoggedGames
    tell: Progress
    others: Sequence[Group] = ()
    """The groups of the ladder's bots."""
    unable: Sequence[str] = ()
    """The names of the ladder's bots that cannot play a version that the question needs."""

    def keep_bots_able_to_play(self, versions: Sequence[Game]) -> QuestionContext:
        """A copy of the context without ladder bots that cannot play all of these versions."""
        able = [one for one in self.others if all(one.can_play(game) for game in versions)]
        return replace(self, others=able, unable=[one.name for one in self.others if one not in able])

    @property
    def groups(self) -> list[Group]:
        """The groups of games by which claims are judged: the query's bots first, then each other bot of the ladder."""
        return [Group(self.query.bots, lambda: self.watched, self.query.seed, self.tell), *self.others]

    def count_games_for_further_questions(self, divisor: int) -> int:
        """The number of games to play for one question alone: the query's number divided by `divisor`, but not below a minimum."""
        games = self.query.get_games_or(self.watched.games)
        return max(min(MIN_SIDE_TABLE_GAMES, games), games // divisor)

    def load_variant(self, settings: Mapping[str, Any], edit: Mapping[str, Any] | None = None) -> Game:
        """The game that was logged, with further settings or an edit of its box."""
        game = self.watched.game
        return load(game.name, edit, {**game.settings, **game.changed_options(), **settings})


@dataclass(frozen=True)
class Answer:
    """The answer to a question: sentences, charts and tables as HTML, the verdict, and the games it is computed from."""

    question: Question
    said: str
    """The sentences; those about one change or one figure each stand in a line of their own."""
    body: tuple[str, ...]
    verdict: str = ONE_BOT_VERDICT
    """Whether the answer holds between other bots, or whether a change is beyond chance, in words."""
    played: str = ""
    """The games that the answer rests on: their number, seats and bots, in words."""

    @property
    def short_verdict(self) -> str:
        """The verdict without the names of the figures: "3 of 9 differences beyond chance", "depends on the bot; too few games"."""
        first = (
            self.verdict.partition(". Between other bots: ")[0].partition(", ")[0]
            if "beyond chance" in self.verdict
            else ""
        )
        kinds = (part.partition(": ")[0] for part in self.verdict.split("; "))
        return first or "; ".join(dict.fromkeys(kinds))


def load_question_sheet(name: str) -> Sheet:
    """The questions that the game `name` declares; ValueError where there are none or they cannot be read."""
    path = find_game_folder(name) / QUESTIONS_FILE
    if not path.exists():
        others = [other for other in games() if (find_game_folder(other) / QUESTIONS_FILE).exists()]
        some = "declares some" if len(others) == 1 else "do"
        there = f" ({', '.join(others)} {some})" if others else ""
        raise ValueError(
            f"{name} declares no questions of its own{there}; they stand in {QUESTIONS_FILE} in a game's folder"
        )
    try:
        return Sheet.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}/{QUESTIONS_FILE}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{name}/{QUESTIONS_FILE}: {where}: {first['msg']}") from None


def load_probes(name: str, sheet: Sheet) -> dict[str, tuple[str, Probe]]:
    """The probes of the game `name` by their names: (block of actions before which the probe is asked, function)."""
    found: dict[str, tuple[str, Probe]] = {}
    for block, spec in sheet.probes.items():
        module = importlib.import_module(f"sutler.games.{name}.{spec.module}")
        found |= {one: (block, getattr(module, one)) for one in spec.names}
    return found


def require_question_numbers(name: str, sheet: Sheet, only: Sequence[int]) -> None:
    """Raise ValueError where `only` has a number for which the game declares no question."""
    if beyond := [k for k in only if not 1 <= k <= len(sheet.question)]:
        n = len(sheet.question)
        raise ValueError(f"{name} declares {n} questions; there is no number {beyond[0]}, name one from 1 to {n}")


def check_sheet(game: Game, sheet: Sheet, seats: int | None = None, only: Sequence[int] = ()) -> None:
    """Raise ValueError, before any game is played, where a question names something that the game or its box does not have.

    `seats`: the number of seats of the logged games; `only`: the numbers of the questions to check, all if empty.
    """
    told = game.definition.events.events
    if sheet.opens and sheet.opens not in told:
        raise ValueError(f"{game.name}/{QUESTIONS_FILE}: opens with event {sheet.opens!r}; there is none such")
    for block in sheet.probes:
        if block not in game.definition.actions.blocks:
            raise ValueError(
                f"{game.name}/{QUESTIONS_FILE}: probes are asked before action {block!r}; there is none such"
            )
    for bot in sheet.ladder:
        bot_from(bot)
    for k, one in enumerate(sheet.question, 1):
        if not only or k in only:
            try:
                _require_known_events(game, one)
                _require_known_figures(game, one, game.best_seats if seats is None else seats)
                _require_loadable_versions(game, one)
            except ValueError as error:
                raise ValueError(f"{game.name}/{QUESTIONS_FILE}: {one.title!r}: {error}") from None


def _require_known_events(game: Game, question: Question) -> None:
    """Raise ValueError where the question names an event, a part of an event or a state field that does not exist."""
    told = game.definition.events.events
    named = [
        question.event,
        question.came,
        question.moved,
        question.passed,
        question.failed,
        *question.causes,
        *question.ends,
        *question.events,
        *question.clock,
    ]
    for event in filter(None, named):
        if event not in told:
            raise ValueError(f"asks for event {event!r}; there is none such")
    for event in filter(None, [question.event, question.came, question.moved, *question.ends]):
        parts = [part for part, _ in told[event].parts]
        if missing := [part for part in question.key_parts if part and part not in parts]:
            raise ValueError(f"event {event} tells of {', '.join(parts) or 'nothing'}, not of {missing[0]}")
    if question.field and question.field not in (game.definition.state.dtype.names or ()):
        raise ValueError(f"asks for field {question.field!r} of the state; there is none such")


def _require_known_figures(game: Game, question: Question, seats: int) -> None:
    """Raise ValueError where the question names a number of seats or a figure that the game does not have."""
    if refused := [n for n in question.seats if not game.min_seats <= n <= game.max_seats]:
        raise ValueError(f"{game.title} is for {game.seats_in_words}, not {refused[0]}")
    sizes = question.seats if question.kind == "tables" else [seats]
    for n in sizes if question.figures else []:
        there = named_figures(game, n)
        for figure in question.figures:
            if not any(name.startswith(figure) for size in sizes for name in named_figures(game, size)):
                raise ValueError(
                    f"asks for figure {figure!r}; there is none such at {format_count_with_noun(n, 'seat')}"
                )
        if not any(name.startswith(tuple(question.figures)) for name in there):
            raise ValueError(
                f"games at {format_count_with_noun(n, 'seat')} have no figure {' or '.join(question.figures)}"
            )


def _require_loadable_versions(game: Game, question: Question) -> None:
    """Raise ValueError where a version that the question plays cannot be loaded, or an entry that it names is missing."""
    tried: list[tuple[str, Mapping[str, Any]]] = [(change.title, change.set) for change in question.changes]
    if question.kind == "sweep":
        tried += [(f"{question.setting} = {value}", {question.setting: int(value)}) for value in question.values]
    if question.kind == "supply" and question.setting:
        tried.append((f"{question.setting} = {question.room}", {question.setting: question.room}))
    for title, settings in tried:
        try:
            load(game.name, None, {**game.settings, **game.changed_options(), **settings})
        except ValueError as error:
            raise ValueError(f"{title!r}: {error}") from None
    if question.entries and question.names:
        there = [str(entry["name"]) for entry in game.definition.printed.get(question.entries, [])]
        if missing := [name for name in question.names if name not in there]:
            raise ValueError(f"no {question.entries} of the box is called {missing[0]!r}; there are {', '.join(there)}")
