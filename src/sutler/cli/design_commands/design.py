"""`sutler design`: a designer's notebook, with versions of a box, questions about them, and answers side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.errors import require_game_name
from sutler.cli.options import command
from sutler.cli.output_file import require_writable_out
from sutler.cli.progress import Bar, compile_with_progress

if TYPE_CHECKING:
    from sutler.lab.designer.design_notebook import Notebook

design_app = typer.Typer(no_args_is_help=True, help="Keep a notebook of a design: versions, questions, answers.")
Book = Annotated[Path, typer.Argument(metavar="NOTEBOOK", help="The notebook's folder.", show_default=False)]


@dataclass(frozen=True)
class Asked:
    """The options of a question to the lab; an option that is left out has its usual value."""

    games: Annotated[int | None, typer.Option(help="Games of a version, at most.", show_default=False)] = None
    bots: Annotated[str | None, typer.Option(help="The bots, as for `simulate`.", show_default=False)] = None
    seats: Annotated[int | None, typer.Option(help="How many sit at the table.", show_default=False)] = None
    want: Annotated[str | None, typer.Option(help="Of `goal`: decisions=-20%.", show_default=False)] = None
    over: Annotated[str | None, typer.Option(help="Of `range`: rules.buy_price=1..8.", show_default=False)] = None
    only: Annotated[str | None, typer.Option(help="Of `matters`, `goal`: names.", show_default=False)] = None
    cards: Annotated[str | None, typer.Option(help="Of `worth`: names of cards.", show_default=False)] = None
    choices: Annotated[str | None, typer.Option(help="Of `choice`: kinds of decisions.", show_default=False)] = None


@design_app.command("new")
@command
def design_new_command(
    notebook: Book,
    game: Annotated[str | None, typer.Option(help="Whose box; of a new notebook.", show_default=False)] = None,
    box: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The version: an edit; the printed box if left out.", show_default=False),
    ] = None,
    name: Annotated[str, typer.Option(help="The version's name; its number if left out.")] = "",
) -> None:
    """Begin a notebook of a design, or add a version to one, and print what changed."""
    from sutler.lab.designer.design_notebook import BOOK_FILE, Notebook

    edit = box.read_text(encoding="utf-8") if box is not None else ""
    is_new = not (notebook / BOOK_FILE).exists()
    if is_new and game is None:
        raise ValueError(f"{notebook} is a new notebook: of which game? sutler design new {notebook} --game GAME")
    book = Notebook.create(notebook, require_game_name(game or "")) if is_new else Notebook(notebook)
    kept = book.add_version(edit, name)
    out = make_console()
    out.print(f"Version {kept} is kept in {notebook}.", style="bold")
    for line in book.describe_changes(kept):
        out.print(f"  {line}")
    out.print(f"sutler design ask {notebook} play", style="dim")


@design_app.command("ask")
@command
def design_ask_command(
    notebook: Book,
    kind: Annotated[
        str | None,
        typer.Argument(
            help="play, change, range, worth, choice, ladder, matters, goal or hidden; every question of the notebook if left out.",
            show_default=False,
        ),
    ] = None,
    version: Annotated[
        str | None, typer.Option(help="Of which version; the newest if left out.", show_default=False)
    ] = None,
    *,
    asked: Asked,
) -> None:
    """Answer a question about a version, or all questions of the notebook; stored answers are used again."""
    from sutler.lab.designer.design_notebook import Notebook
    from sutler.lab.designer.questions import COMMANDS, Question

    book = Notebook(notebook)
    if not book.versions:
        raise ValueError(f"there is no version yet: sutler design new {notebook}")
    at = version or book.versions[-1]
    book.find_edit(at)
    if kind is not None and kind not in COMMANDS:
        raise ValueError(f"there is no question {kind!r}; there are {', '.join(COMMANDS)}")
    if kind is None:
        questions = [one for one in book.questions if book.can_ask(one, at)]
    else:
        given: dict[str, Any] = {key: value for key, value in vars(asked).items() if value is not None}
        questions = [Question.model_validate({"kind": kind, "game": book.game, **given})]
    if not questions:
        raise ValueError(f"nothing was asked yet: sutler design ask {notebook} play")
    compile_with_progress(book.game)
    for question in questions:
        _ask_and_print_answer(book, question, at)


def _ask_and_print_answer(notebook: Notebook, question: Any, version: str) -> None:
    """Ask a question of a version of the notebook's game, and print the answer and where its page lies."""
    from sutler.lab.designer.design_notebook import format_title

    out = make_console()
    with Bar(question.games) as bar:
        found, played = notebook.ask_question(
            question, version, lambda done, most, said: bar.update_count(done, most or question.games)
        )
    out.print(f"\n{format_title(question)}, version {version}", style="bold")
    out.print(found.said)
    again = "" if played else "Asked before; rules, bots and box are the same. "
    out.print(f"{again}Its page: {found.folder / 'report.html'}", style="dim")


@design_app.command("show")
@command
def design_show_command(
    notebook: Book,
    out: Annotated[Path | None, typer.Option(metavar="F.html", help="Keep it, to read.", show_default=False)] = None,
) -> None:
    """Show versions and answers side by side, and what changed between them."""
    require_writable_out(out, (".html",))
    from sutler.lab.designer.design_notebook import Notebook, list_answer_rows, render_notebook_page
    from sutler.lab.play.atomic_files import write_atomically

    book, screen = Notebook(notebook), make_console()
    for version in book.versions:
        screen.print(f"Version {version}", style="bold")
        for line in book.describe_changes(version):
            screen.print(f"  {line}")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column("question")
    for version in book.versions:
        table.add_column(version)
    for title, answers in list_answer_rows(book):
        table.add_row(title, *answers)
    screen.print(table if book.questions else f"Nothing was asked yet: sutler design ask {notebook} play")
    if out is not None:
        write_atomically(out, render_notebook_page(book, out.resolve().parent))
        screen.print(f"Kept in {out}", style="dim")
