"""A notebook of a design: versions of a box in one folder, questions about them, and the answers side by side.

    NOTEBOOK/notebook.json             the game, the versions in order, the questions
    NOTEBOOK/versions/NAME.toml        a version: an edit of the printed box
    NOTEBOOK/answers/NAME/1/           question 1 about that version: question, report and answer

An answer is stored with a key of all that it depends on: the question, the box and its options, the rules of the game and the code of
the bots. A question is not answered again while its key is unchanged.
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

from sutler.core.files.box import list_box_differences
from sutler.core.files.toml import parse_toml
from sutler.core.names import did_you_mean
from sutler.core.play.game import Game, load
from sutler.lab.box_numbers import collect_box_contents, list_changes_from_printed
from sutler.lab.designer.questions import GAMES_FILE, REPORT_FILE, Question, build_edited_game, require_askable_question
from sutler.lab.designer.worker import Tell, answer_into_folder
from sutler.lab.play.atomic_files import write_atomically
from sutler.lab.play.headline_figures import compute_game_figures, compute_joint_intervals
from sutler.lab.play.provenance import collect_provenance, hash_bots_code
from sutler.lab.report.study_pages import render_heading, render_note, render_page, render_text
from sutler.lab.stats.estimates import format_count_with_noun

BOOK_FILE, VERSIONS_FOLDER, ANSWERS_FOLDER, ANSWER_FILE = "notebook.json", "versions", "answers", "answer.json"
NAME_PATTERN = re.compile(r"\w[\w.-]{0,39}")
FIGURES_TOLD = 6  # headline figures in the answer to a question of kind `play`


@dataclass(frozen=True)
class Answered:
    """A stored answer: its text, the command that repeats it, its folder, and whether it is still valid (`holds`)."""

    said: str
    command: str
    folder: Path
    holds: bool


class Notebook:
    """The notebook in a folder; ValueError where the folder has none."""

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
    def create(cls, folder: Path, game: str) -> Notebook:
        """Create a notebook of a game without versions; ValueError where the folder is not empty."""
        if folder.exists() and any(folder.iterdir()):
            raise ValueError(f"{folder} is not empty: name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / BOOK_FILE, json.dumps({"game": game, "versions": [], "questions": []}))
        return cls(folder)

    def _save(self) -> None:
        """Write the notebook's file."""
        asked = [one.model_dump(exclude_defaults=True) | {"kind": one.kind, "game": one.game} for one in self.questions]
        book = {"game": self.game, "versions": self.versions, "questions": asked}
        write_atomically(self.folder / BOOK_FILE, json.dumps(book, indent=1))

    def add_version(self, edit: str, name: str = "") -> str:
        """Store a version, an edit as TOML (empty: the printed box), and return its name, by default its number.

        ValueError where the edit does not fit the box, or the name is taken or malformed.
        """
        name = name or str(len(self.versions) + 1)
        if not NAME_PATTERN.fullmatch(name):
            raise ValueError(f"--name {name}: a version's name is of letters, digits, points and dashes")
        if name in self.versions:
            raise ValueError(f"there is a version {name} already; a version stays as it is, name another")
        load(self.game, parse_toml(edit))
        (self.folder / VERSIONS_FOLDER).mkdir(exist_ok=True)
        write_atomically(self.folder / VERSIONS_FOLDER / f"{name}.toml", edit)
        self.versions.append(name)
        self._save()
        return name

    def find_edit(self, version: str) -> str:
        """The edit of a version as TOML; ValueError where there is no such version."""
        if version not in self.versions:
            known = ", ".join(self.versions)
            raise ValueError(
                f"there is no version {version!r}; there are {known}{did_you_mean(version, self.versions)}"
            )
        return (self.folder / VERSIONS_FOLDER / f"{version}.toml").read_text(encoding="utf-8")

    def build_game(self, version: str) -> Game:
        """The game with a version's box."""
        return load(self.game, parse_toml(self.find_edit(version)))

    def list_changes(self, version: str) -> list[str]:
        """The differences of a version from the version before it, one line each; of the first version, from the printed box."""
        at = self.versions.index(version)
        if at == 0:
            return list_changes_from_printed(self.build_game(version))
        before, after = self.build_game(self.versions[at - 1]), self.build_game(version)
        options = {key: before.chosen.get(key) for key in after.chosen if after.chosen[key] != before.chosen.get(key)}
        told = [f"{key}: {was} → {after.chosen[key]}" for key, was in options.items()]
        return told + list(list_box_differences(collect_box_contents(before), collect_box_contents(after)))

    def describe_changes(self, version: str) -> list[str]:
        """The differences of a version as in `list_changes`; a sentence where there are none."""
        alike = "As printed." if version == self.versions[0] else "As the version before it."
        return self.list_changes(version) or [alike]

    # --- Questions ---

    def apply_version_to_question(self, question: Question, version: str) -> Question:
        """A copy of a question of the notebook that asks about a version."""
        return question.model_copy(update={"game": self.game, "edit": self.find_edit(version)})

    def can_ask(self, question: Question, version: str) -> bool:
        """Can the question be asked about this version? Some questions need a change of the box, some the printed box."""
        try:
            require_askable_question(self.apply_version_to_question(question, version))
        except ValueError:
            return False
        return True

    def _folder_of(self, number: int, version: str) -> Path:
        """The folder of an answer. `number`: of the question, from 0."""
        return self.folder / ANSWERS_FOLDER / version / str(number + 1)

    def find_answer(self, question: Question, version: str) -> Answered | None:
        """The stored answer to a question about a version; None where there is none."""
        if question not in self.questions:
            return None
        folder = self._folder_of(self.questions.index(question), version)
        if not (folder / ANSWER_FILE).exists():
            return None
        kept = json.loads((folder / ANSWER_FILE).read_text(encoding="utf-8"))
        return Answered(
            kept["said"],
            kept["command"],
            folder,
            kept["key"] == hash_question(self.apply_version_to_question(question, version)),
        )

    def ask_question(
        self, question: Question, version: str, tell: Tell = lambda done, most, said: None
    ) -> tuple[Answered, bool]:
        """(the answer to a question about a version, whether games had to be played because no stored answer is valid).

        `tell` is called as games are done. ValueError where the question cannot be asked.
        """
        question = question.model_copy(update={"game": self.game, "edit": ""})
        kept = self.find_answer(question, version)
        if kept is not None and kept.holds:
            return kept, False
        whole = self.apply_version_to_question(question, version)
        require_askable_question(whole)
        if question not in self.questions:
            self.questions.append(question)
            self._save()
        folder = self._folder_of(self.questions.index(question), version)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / GAMES_FILE).unlink(missing_ok=True)
        said = ""

        def report_games_done(done: int, most: int, words: str) -> None:
            nonlocal said
            said = words or said
            tell(done, most, words)

        answer_into_folder(whole, folder, report_games_done)
        if question.kind == "play":
            said = describe_figures(build_edited_game(whole), pl.read_parquet(folder / GAMES_FILE))
        kept_words = {
            "key": hash_question(whole),
            "said": said or "see its page",
            "command": whole.build_command_line(),
        }
        write_atomically(folder / ANSWER_FILE, json.dumps(kept_words, indent=1))
        found = self.find_answer(question, version)
        assert found is not None
        return found, True


def format_title(question: Question) -> str:
    """A question in a few words, with its bots, seats and number of games, so that two of one kind can be told apart."""
    who = f", {question.seats} seats" if question.seats else ""
    return f"{question.title} ({question.bots}{who}, {question.games:,} games)"


def hash_question(question: Question) -> str:
    """A hash of everything that the answer to a question depends on: the question, the box and options, the rules, the code of bots."""
    game = build_edited_game(question)
    whole = [question.model_dump(), game.box_hash, game.chosen, game.definition.home.fingerprint, hash_bots_code(game)]
    return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()[:16]


def describe_figures(game: Game, table: pl.DataFrame) -> str:
    """The first FIGURES_TOLD headline figures of a table of games with their intervals, as text; shares come last."""
    found = compute_joint_intervals(compute_game_figures(game.definition, table))
    order = sorted(found, key=lambda one: one.share)
    told = [
        f"{one.label} {one.format_value(found[one][0])} ({one.format_interval(*found[one][1:])})"
        for one in order[:FIGURES_TOLD]
    ]
    return "; ".join(told) + "."


def render_notebook_page(book: Notebook, folder: Path) -> str:
    """The HTML page of a notebook: each version with its changes, then every question with its answers.

    `folder`: the folder the page is written to, for its links.
    """
    versions = format_count_with_noun(len(book.versions), "version")
    body = [render_note(f"{versions}, {format_count_with_noun(len(book.questions), 'question')}.")]
    for version in book.versions:
        body.append(render_heading(f"Version {version}"))
        body.append(f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in book.describe_changes(version))}</ul>")
    for question in book.questions:
        body.append(render_heading(format_title(question)))
        cells = [render_answer_cell(book, question, version, folder) for version in book.versions]
        heads = "".join(f'<th scope="col">{escape(one)}</th>' for one in book.versions)
        rows = f"<thead><tr>{heads}</tr></thead><tbody><tr>{''.join(cells)}</tr></tbody>"
        body.append(f'<div class="scroll"><table class="words">{rows}</table></div>')
    return render_page(
        f"{book.build_game(book.versions[0]).title}: notebook of a design", body, _collect_first_provenance(book)
    )


def render_answer_cell(book: Notebook, question: Question, version: str, place: Path) -> str:
    """A table cell with the answer to a question about a version, and a link to its report. `place`: the folder of the page."""
    kept = book.find_answer(question, version)
    if kept is None:
        return '<td class="quiet">not asked</td>'
    link = Path(os.path.relpath(kept.folder / REPORT_FILE, place)).as_posix()
    stale = "" if kept.holds else ' <span class="quiet">Asked before rules or bots changed.</span>'
    return f'<td>{render_text(kept.said)} <a href="{escape(link)}">page</a>{stale}</td>'


def _collect_first_provenance(book: Notebook) -> dict[str, Any]:
    """The provenance (versions, commit, command) of the notebook's first version."""
    return collect_provenance(book.build_game(book.versions[0]))


def list_answer_rows(book: Notebook) -> list[tuple[str, Sequence[str]]]:
    """Every question's title with its answers as texts, one for each version."""
    rows: list[tuple[str, Sequence[str]]] = []
    for question in book.questions:
        kept = [book.find_answer(question, version) for version in book.versions]
        rows.append(
            (
                format_title(question),
                ["not asked" if one is None else one.said + ("" if one.holds else " (stale)") for one in kept],
            )
        )
    return rows
