"""A notebook of a design: versions of a box in one folder, the questions asked of them, and their answers side by side.

    NOTEBOOK/notebook.json             the game, the versions in order, the questions
    NOTEBOOK/versions/NAME.toml        a version: an edit of the printed box
    NOTEBOOK/answers/NAME/1/           the first question, asked of that version: question, report and answer

An answer is kept with a key of all that it depends on: the question, the box and its options, the rules of the game and the code of
the bots. What has its key already is not asked again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from sutler.core.files.differences import differences
from sutler.core.files.toml import toml_of
from sutler.core.play.game import Game, load
from sutler.core.spelling import did_you_mean
from sutler.lab.designer.questions import GAMES_FILE, REPORT_FILE, Question, check_question, edited_game
from sutler.lab.designer.worker import Tell, answer
from sutler.lab.inventory import box_contents, changes_from_printed
from sutler.lab.play.atomic_files import write_atomically
from sutler.lab.play.figures import figures_of_games, intervals
from sutler.lab.play.provenance import bots_code, provenance
from sutler.lab.report.study_pages import heading, note, page

BOOK_FILE, VERSIONS_FOLDER, ANSWERS_FOLDER, ANSWER_FILE = "notebook.json", "versions", "answers", "answer.json"
NAME_PATTERN = re.compile(r"\w[\w.-]{0,39}")
FIGURES_TOLD = 6  # of a version that was played


@dataclass(frozen=True)
class Answered:
    """An answer that is kept: its words, the command that makes it again, and whether all that it depends on is still the same."""

    said: str
    command: str
    folder: Path
    holds: bool


class Notebook:
    """The notebook in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            book = json.loads((folder / BOOK_FILE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ValueError(
                f"{folder} is no notebook; begin one with: sutler design new {folder} --game GAME"
            ) from None
        self.game: str = book["game"]
        self.versions: list[str] = book["versions"]
        self.questions = [Question.model_validate(one) for one in book["questions"]]

    @classmethod
    def begin(cls, folder: Path, game: str) -> Notebook:
        """A new notebook of a game, without versions; ValueError where the folder holds something else."""
        if folder.exists() and any(folder.iterdir()):
            raise ValueError(f"{folder} is not empty: name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / BOOK_FILE, json.dumps({"game": game, "versions": [], "questions": []}))
        return cls(folder)

    def _keep(self) -> None:
        asked = [one.model_dump(exclude_defaults=True) | {"kind": one.kind, "game": one.game} for one in self.questions]
        book = {"game": self.game, "versions": self.versions, "questions": asked}
        write_atomically(self.folder / BOOK_FILE, json.dumps(book, indent=1))

    def add(self, edit: str, name: str = "") -> str:
        """Keep a version, an edit as TOML (empty: the printed box), tried on the box; returns its name. ValueError where it cannot be."""
        name = name or str(len(self.versions) + 1)
        if not NAME_PATTERN.fullmatch(name):
            raise ValueError(f"--name {name}: a version's name is of letters, digits, points and dashes")
        if name in self.versions:
            raise ValueError(f"there is a version {name} already; a version stays as it is, name another")
        load(self.game, toml_of(edit))
        (self.folder / VERSIONS_FOLDER).mkdir(exist_ok=True)
        write_atomically(self.folder / VERSIONS_FOLDER / f"{name}.toml", edit)
        self.versions.append(name)
        self._keep()
        return name

    def edit_of(self, version: str) -> str:
        """The edit of a version as TOML; ValueError where there is no such version."""
        if version not in self.versions:
            known = ", ".join(self.versions)
            raise ValueError(
                f"there is no version {version!r}; there are {known}{did_you_mean(version, self.versions)}"
            )
        return (self.folder / VERSIONS_FOLDER / f"{version}.toml").read_text(encoding="utf-8")

    def box_of(self, version: str) -> Game:
        """The game with a version's box."""
        return load(self.game, toml_of(self.edit_of(version)))

    def changes(self, version: str) -> list[str]:
        """The differences of a version from the one before it, of the first from the printed box, in words, a line each."""
        at = self.versions.index(version)
        if at == 0:
            return changes_from_printed(self.box_of(version))
        before, after = self.box_of(self.versions[at - 1]), self.box_of(version)
        options = {key: before.chosen.get(key) for key in after.chosen if after.chosen[key] != before.chosen.get(key)}
        told = [f"{key}: {was} → {after.chosen[key]}" for key, was in options.items()]
        return told + list(differences(box_contents(before), box_contents(after)))

    # --- Questions ---

    def asked(self, question: Question, version: str) -> Question:
        """A question of the notebook, asked of a version."""
        return question.model_copy(update={"game": self.game, "edit": self.edit_of(version)})

    def fits(self, question: Question, version: str) -> bool:
        """Can a question be asked of this version? Some are about a change, some about the printed box only."""
        try:
            check_question(self.asked(question, version))
        except ValueError:
            return False
        return True

    def _folder_of(self, number: int, version: str) -> Path:
        return self.folder / ANSWERS_FOLDER / version / str(number + 1)

    def answer_of(self, question: Question, version: str) -> Answered | None:
        """The answer that is kept; None where the question was never asked of this version."""
        if question not in self.questions:
            return None
        folder = self._folder_of(self.questions.index(question), version)
        if not (folder / ANSWER_FILE).exists():
            return None
        kept = json.loads((folder / ANSWER_FILE).read_text(encoding="utf-8"))
        return Answered(kept["said"], kept["command"], folder, kept["key"] == key_of(self.asked(question, version)))

    def ask(
        self, question: Question, version: str, tell: Tell = lambda done, most, said: None
    ) -> tuple[Answered, bool]:
        """The answer to a question about a version, and whether it had to be played: one that is kept and holds is not asked again."""
        question = question.model_copy(update={"game": self.game, "edit": ""})
        kept = self.answer_of(question, version)
        if kept is not None and kept.holds:
            return kept, False
        whole = self.asked(question, version)
        check_question(whole)
        if question not in self.questions:
            self.questions.append(question)
            self._keep()
        folder = self._folder_of(self.questions.index(question), version)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / GAMES_FILE).unlink(missing_ok=True)
        said = ""

        def told(done: int, most: int, words: str) -> None:
            nonlocal said
            said = words or said
            tell(done, most, words)

        answer(whole, folder, told)
        if question.kind == "play":
            said = figures_in_words(edited_game(whole), pl.read_parquet(folder / GAMES_FILE))
        kept_words = {"key": key_of(whole), "said": said or "see its page", "command": whole.command()}
        write_atomically(folder / ANSWER_FILE, json.dumps(kept_words, indent=1))
        found = self.answer_of(question, version)
        assert found is not None
        return found, True


def title_of(question: Question) -> str:
    """A question of a notebook in a few words, with its games and bots, by which two of a kind are told apart."""
    who = f", {question.seats} seats" if question.seats else ""
    return f"{question.title} ({question.bots}{who}, {question.games:,} games)"


def key_of(question: Question) -> str:
    """A hash of all that an answer depends on: the question, the box and its options, the rules, and the code of the bots."""
    game = edited_game(question)
    whole = [question.model_dump(), game.box_hash, game.chosen, game.definition.home.fingerprint, bots_code(game)]
    return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()[:16]


def figures_in_words(game: Game, table: pl.DataFrame) -> str:
    """The first figures of a version's games with their intervals, lengths and scores before shares."""
    found = intervals(figures_of_games(game.definition, table))
    order = sorted(found, key=lambda one: one.share)
    told = [f"{one.label} {one.say(found[one][0])} ({one.span(*found[one][1:])})" for one in order[:FIGURES_TOLD]]
    return "; ".join(told) + "."


def notebook_page(book: Notebook, place: Path) -> str:
    """The page of a notebook: each version with what changed, then every question with its answers; `place`: the folder it lies in."""
    body = [note(f"{len(book.versions)} versions, {len(book.questions)} questions.")]
    for version in book.versions:
        changed = book.changes(version)
        body.append(heading(f"Version {version}"))
        items = "".join(f"<li>{escape(one)}</li>" for one in changed)
        body.append(f"<ul>{items}</ul>" if changed else note("As printed, or as the version before it."))
    for question in book.questions:
        body.append(heading(title_of(question)))
        cells = [cell_of(book, question, version, place) for version in book.versions]
        heads = "".join(f'<th scope="col">{escape(one)}</th>' for one in book.versions)
        rows = f"<thead><tr>{heads}</tr></thead><tbody><tr>{''.join(cells)}</tr></tbody>"
        body.append(f'<div class="scroll"><table class="words">{rows}</table></div>')
    return page(f"{book.box_of(book.versions[0]).title}: notebook of a design", body, _about(book))


def cell_of(book: Notebook, question: Question, version: str, place: Path) -> str:
    """A cell with the answer to a question about a version, and a link to its page."""
    kept = book.answer_of(question, version)
    if kept is None:
        return '<td class="quiet">not asked</td>'
    link = Path(os.path.relpath(kept.folder / REPORT_FILE, place)).as_posix()
    stale = "" if kept.holds else ' <span class="quiet">Asked before rules or bots changed.</span>'
    return f'<td>{escape(kept.said)} <a href="{escape(link)}">page</a>{stale}</td>'


def _about(book: Notebook) -> dict[str, Any]:
    return provenance(book.box_of(book.versions[0]))


def rows_side_by_side(book: Notebook) -> list[tuple[str, Sequence[str]]]:
    """Every question with its answers, a text for each version."""
    rows: list[tuple[str, Sequence[str]]] = []
    for question in book.questions:
        kept = [book.answer_of(question, version) for version in book.versions]
        rows.append(
            (
                title_of(question),
                ["not asked" if one is None else one.said + ("" if one.holds else " (stale)") for one in kept],
            )
        )
    return rows
