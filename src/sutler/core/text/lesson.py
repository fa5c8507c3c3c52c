"""Lessons: scenarios with a teacher, written as TOML files in a game's folder `lessons/`.

A lesson holds everything a scenario file may hold, and besides the learner's seat (`you`), `names`, `seed`, `minutes` and the steps:

[[step]]
say = "Where does *Wheat* bring the most?"      # one sentence; its subject stands between stars
more = "4 printed. The land may add."           # what one must know to do it
point = "card:Wheat"                            # the one spot of the table that is lit
wait = ["place Wheat", ["on Village", "on Market"]]     # what the learner does; a list inside: any of these
other = { "on Poor Fields" = "One land brings 6.", "*" = "First the harvest." }     # answers to other legal actions
others = ["place Timber"]                       # what the other seats then do, by name: nothing is left to luck

A lesson is played by the rules like any game; `rehearse` plays it to its end and says what does not fit, by file, step and field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sutler.core.files.box import BoxError, Entry, read_toml, validate_sheet
from sutler.core.files.scenario import Scenario
from sutler.core.play.game import build_scenario_position, make_scenario_player
from sutler.core.play.position import IllegalAction, Position

if TYPE_CHECKING:
    from sutler.core.play.game import Bots, Game

MAX_SAY_CHARS = 90
"""The most characters of a step's sentence; the box on the page that shows it has room for no more."""
NOT_AWAITED_TEXT = "That can be done here, too. For this lesson do what is lit."
READ_FIRST_TEXT = "In a moment: go on first."


class Step(Entry):
    """One step of a lesson: a sentence, and the actions that it waits for; the fields are as in the file (see above)."""

    say: str
    more: str = ""
    point: str = ""
    wait: list[str | list[str]] = []
    other: dict[str, str] = {}
    others: list[str] = []
    end: Literal["", "over", "stop"] = ""

    def list_awaited_actions(self, done: int) -> tuple[str, ...]:
        """The names of the actions any of which the step waits for, after `done` of its actions were taken; empty: it waits for none."""
        if done >= len(self.wait):
            return ()
        one = self.wait[done]
        return (one,) if isinstance(one, str) else tuple(one)

    def find_reply(self, action: str) -> str:
        """The text shown to a learner who takes a legal action that the step does not wait for."""
        if not self.wait:
            return self.other.get("*", READ_FIRST_TEXT)
        return next(
            (text for pattern, text in self.other.items() if _matches_pattern(pattern, action)), NOT_AWAITED_TEXT
        )


class Lesson(Scenario):
    """The content of a lesson's file."""

    minutes: int
    you: int = 0
    names: list[str]
    seed: int = 0
    step: list[Step]


@dataclass(frozen=True)
class Moment:
    """The state of a lesson that is played through as a test: the present step, its number from 1, and the position."""

    number: int
    step: Step
    position: Position
    """The position as the step begins. It is played on when the next moment is drawn from the iterator, so copy it to keep it."""


def read_lessons(folder: Path) -> dict[str, Lesson]:
    """{name: lesson} of the lessons in a game's folder, in the order of their files' names; BoxError names the file and the field."""
    return {path.stem: read_lesson(path) for path in sorted((folder / "lessons").glob("*.toml"))}


def read_lesson(path: Path) -> Lesson:
    """The lesson in a file; BoxError names file, step and field."""
    return parse_lesson(read_toml(path), str(path))


def parse_lesson(data: Mapping[str, Any], path: str) -> Lesson:
    """The lesson in data read from `path`; BoxError names file, step and field."""
    steps = data.get("step", ())
    for number, step in enumerate(steps if isinstance(steps, list) else (), 1):
        validate_sheet(Step, step, f"{path}: step {number}")
    lesson = validate_sheet(Lesson, data, path)
    if len(lesson.names) != lesson.seats:
        raise BoxError(f"{path}: field names: {len(lesson.names)} names, {lesson.seats} seats")
    if not 0 <= lesson.you < lesson.seats:
        raise BoxError(f"{path}: field you: there is no seat {lesson.you}")
    if not lesson.step or not lesson.step[-1].end:
        raise BoxError(f"{path}: step {len(lesson.step)}, field end: the last step says how the lesson ends")
    for number, one in enumerate(lesson.step, 1):
        if len(one.say) > MAX_SAY_CHARS:
            raise BoxError(f"{path}: step {number}, field say: {len(one.say)} letters, {MAX_SAY_CHARS} fit")
        if one.say.count("*") != 2:
            raise BoxError(f"{path}: step {number}, field say: one thing stands between stars")
        if not one.point:
            raise BoxError(f"{path}: step {number}, field point: one thing is lit")
        if one.end and number < len(lesson.step):
            raise BoxError(f"{path}: step {number}, field end: only the last step ends the lesson")
    return lesson


def build_opening_position(lesson: Lesson, game: Game, source: str = "lesson", bots: Bots | None = None) -> Position:
    """The position that a lesson begins with; `bots` finds a bot by its level, as for a scenario."""
    if lesson.game != game.name:
        raise BoxError(f"{source}: field game: this is a lesson of {lesson.game!r}, not of {game.name!r}")
    return build_scenario_position(
        game, lesson, lesson.seed, lesson.names, source, make_scenario_player(lesson, bots, source)
    )


def play_lesson(lesson: Lesson, game: Game, source: str = "lesson", bots: Bots | None = None) -> Iterator[Moment]:
    """Play a lesson to its end and yield each step; BoxError says what the rules refuse, by file, step and field."""
    pos = build_opening_position(lesson, game, source, bots)
    for number, step in enumerate(lesson.step, 1):
        where = f"{source}: step {number}, field"
        yield Moment(number, step, pos)
        for done in range(len(step.wait)):
            if pos.seat != lesson.you:
                raise BoxError(
                    f"{where} wait: {_get_name_to_act(pos)} is to decide when {step.list_awaited_actions(done)[0]!r} is waited for"
                )
            for action in reversed(step.list_awaited_actions(done)):
                if refusal := pos.why_not(action):
                    raise BoxError(f"{where} wait: {action!r}: {refusal.text}{_format_legal_actions(pos)}")
            pos.play(step.list_awaited_actions(done)[0])
        for action in step.others:
            try:
                pos.play(action)
            except IllegalAction as error:
                raise BoxError(f"{where} others: {action!r}: {error.reason}{_format_legal_actions(pos)}") from None
        for pattern in step.other:
            if not any(_matches_pattern(pattern, game.action_names[i].name) for i in range(len(game.action_names))):
                raise BoxError(f"{where} other: no action is called {pattern!r}")
        if step.end == "over" and not pos.over:
            raise BoxError(
                f"{where} end: the game is not over; {_get_name_to_act(pos)} is to decide{_format_legal_actions(pos)}"
            )


def is_awaited(action: str, awaited: Sequence[str]) -> bool:
    """Is this one of the actions waited for? Case does not matter."""
    return " ".join(action.split()).casefold() in (one.casefold() for one in awaited)


def list_spot_names(point: str, names: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The names that a lesson's spot may have on the table, where lands and seats are named by number.

    `point`: the spot as the lesson has it ("land:Village"); `names`: the game's lists of names.
    """
    kind, _, called = point.partition(":")
    wanted = called.casefold()
    numbers = [
        i for i, name in enumerate(names.get({"space": "land"}.get(kind, kind), ())) if name.casefold() == wanted
    ]
    return (point, *(f"{kind}:{number}" for number in numbers))


def _matches_pattern(pattern: str, action: str) -> bool:
    """Does an action match a name in which * stands for any text?"""
    parts = (re.escape(part) for part in pattern.split("*"))
    return re.fullmatch(".*".join(parts), action, re.IGNORECASE) is not None


def _get_name_to_act(pos: Position) -> str:
    """The name of the player to act, or "nobody"."""
    return "nobody" if pos.seat is None else pos.names[pos.seat]


def _format_legal_actions(pos: Position) -> str:
    """The legal actions, in words, for the author of the lesson."""
    names = [action.name for action in pos.actions()]
    few = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
    return f" ({_get_name_to_act(pos)} may: {few})" if names else ""
