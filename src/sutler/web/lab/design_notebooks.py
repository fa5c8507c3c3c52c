"""Notebooks of designs on the lab's page (`sutler serve --notebook FOLDER`): versions, questions and answers side by side, read only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sutler.web.errors import Lost

if TYPE_CHECKING:
    from sutler.lab.designer.design_notebook import Notebook


@dataclass(frozen=True)
class Cell:
    """The answer to a question about one version of a design, as a cell of a table; empty if the question was not asked.

    `holds`: are rules, bots and box unchanged since?
    """

    version: str
    said: str = ""
    link: str = ""
    holds: bool = True


@dataclass(frozen=True)
class NotebookView:
    """A notebook as its page shows it."""

    name: str
    title: str
    versions: list[tuple[str, list[str]]]
    """Each version with the changes made in it."""
    questions: list[tuple[str, list[Cell]]]


class Notebooks:
    """The notebooks that a server shows. They are files of the administrator; nothing is written to them."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        """Raises ValueError, with the name of the folder, for one that is no notebook."""
        from sutler.lab.designer.design_notebook import Notebook

        self._folders: dict[str, Path] = {}
        for folder in folders:
            Notebook(folder)
            self._folders.setdefault(folder.resolve().name, folder)
        self._shown: dict[str, tuple[list[tuple[str, int]], NotebookView]] = {}

    @property
    def names(self) -> list[str]:
        """The names of the notebooks' folders, by which pages ask for them."""
        return list(self._folders)

    def _load_notebook(self, name: str) -> Notebook:
        """The notebook in the folder of this name. Raises Lost where there is none."""
        from sutler.lab.designer.design_notebook import Notebook

        try:
            return Notebook(self._folders[name])
        except (KeyError, ValueError):
            raise Lost("There is no such notebook.") from None

    def load_view(self, name: str) -> NotebookView:
        """A notebook's versions and answers, read again only if one of its files has changed.

        Raises Lost where there is no such notebook.
        """
        book = self._load_notebook(name)
        stamps = sorted((str(path), path.stat().st_mtime_ns) for path in book.folder.rglob("*") if path.is_file())
        known = self._shown.get(name)
        if known is None or known[0] != stamps:
            known = self._shown[name] = stamps, _build_view(name, book)
        return known[1]

    def find_report_page(self, name: str, version: str, number: int) -> Path:
        """The path of the page of an answer. `number`: the question's, from 1. Raises Lost where there is none."""
        from sutler.lab.designer.questions import REPORT_FILE

        book = self._load_notebook(name)
        if version in book.versions and 1 <= number <= len(book.questions):
            kept = book.find_answer(book.questions[number - 1], version)
            if kept is not None and (path := kept.folder / REPORT_FILE).is_file():
                return path
        raise Lost("This was not asked.")


def _build_view(name: str, book: Notebook) -> NotebookView:
    """A notebook as its page shows it. `name`: of its folder."""
    from sutler.lab.designer.design_notebook import format_title

    questions = []
    for number, question in enumerate(book.questions, 1):
        cells = []
        for version in book.versions:
            kept = book.find_answer(question, version)
            link = f"{version}/{number}/report.html"
            cells.append(Cell(version) if kept is None else Cell(version, kept.said, link, kept.holds))
        questions.append((format_title(question), cells))
    title = book.build_game(book.versions[0]).title if book.versions else book.game
    return NotebookView(name, title, [(one, book.list_changes(one)) for one in book.versions], questions)
