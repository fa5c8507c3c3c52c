"""Prompts, choices, the log and the result of a game as text for the terminal (the table itself: `core.text.drawing`).

A game may draw its own table: `text/terminal.py` (in a small game `terminal.py`), with `draw(view)` giving anything Rich can print.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich import box as boxes
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from sutler.core.text.drawing import SEAT_MARKS, seat_style, seat_text
from sutler.core.text.language import HOUSE, Tongue, _
from sutler.core.text.sentences import number_choices

if TYPE_CHECKING:
    from sutler.core.play.position import Position
    from sutler.core.text.sentences import Choice, LogLine, Sentence

WORD_STYLES = {"card": "bold", "land": "italic green", "good": "bold", "token": "bold", "phase": "bold", "em": "italic"}


def render_sentence(sentence: Sentence | Iterable[Any], tongue: Tongue = HOUSE) -> Text:
    """A sentence with its marked words in the styles of their kinds. `tongue`: the texts of its game, for the kinds of dice."""
    text = Text()
    for part in sentence:
        kind = getattr(part, "kind", "")
        if kind == "seat":
            key = getattr(part, "key", "")
            text.append(str(part), seat_style(int(key)) if key.isdigit() else "bold")
        elif kind == "die" and str(part).isdigit():  # the page shows the kind of die by a picture
            text.append(
                _die_in_words(getattr(part, "key", "").partition(":")[0], str(part), tongue), WORD_STYLES.get(kind, "")
            )
        else:
            text.append(str(part), WORD_STYLES.get(kind, ""))
    return text


def _die_in_words(kind: str, value: str, tongue: Tongue) -> str:
    """A die in words, such as "action die 3".

    The page shows the kind of a die by a picture. `kind`: the resource in lower case, or "" for any die.
    """
    if not kind:
        return _("die {n}", n=value)
    resource = kind.capitalize()
    called = tongue(resource, "resource")
    return _("{kind} die {n}", kind=kind if called == resource else called, n=value)


def render_prompt(pos: Position, seat: int | None) -> Text:
    """The open question as a seat (None: a watcher) reads it, with what is left to do, its paragraph and its line of help."""
    prompt = pos.prompt(seat)
    text = Text("\n").append_text(render_sentence(prompt.text, pos.game.tongue))
    text.stylize("bold")
    if prompt.left:
        text.append("  ").append_text(render_sentence(prompt.left, pos.game.tongue))
    if prompt.rule:
        text.append(f"  [{prompt.rule}]", "dim")
    if prompt.help:
        text.append("\n").append_text(render_sentence(prompt.help, pos.game.tongue))
    return text


def render_choices(choices: Sequence[Choice], width: int, tongue: Tongue = HOUSE) -> Table:
    """The legal actions, numbered, with their effects; in two columns when there are many and the terminal's `width` allows it.

    Many that aim at fewer things, such as sizes of cities, get a row for each thing. `tongue`: the texts of the game.
    """
    if (rows_by_spot := _group_by_spot(choices)) is not None:
        return _render_rows_by_spot(rows_by_spot, tongue)
    columns = 2 if len(choices) > 9 and width >= 100 else 1
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for _column in range(columns):
        table.add_column(justify="right", style="bold")
        table.add_column()
        table.add_column(style="dim")
    cells = [
        _render_choice_cells(number, choice, tongue)
        for number, choice in zip(number_choices(choices), choices, strict=True)
    ]
    rows = -(-len(cells) // columns)
    for row in range(rows):
        line: list[RenderableType] = []
        for column in range(columns):
            at = column * rows + row
            line += cells[at] if at < len(cells) else ["", "", ""]
        table.add_row(*line)
    return table


MANY_CHOICES = 9
"""The most choices that have a line each, however many aim at one thing."""


def _group_by_spot(choices: Sequence[Choice]) -> list[list[tuple[int, Choice]]] | None:
    """[[(key, choice)]]: the choices by the spot they aim at, where several choices of one kind aim at each spot; else None."""
    if len(choices) <= MANY_CHOICES or len({one.block for one in choices}) > 1:
        return None
    rows: dict[str | None, list[tuple[int, Choice]]] = {}
    for number, choice in zip(number_choices(choices), choices, strict=True):
        rows.setdefault(choice.at, []).append((number, choice))
    return None if None in rows or min(map(len, rows.values())) < 2 else list(rows.values())


def _render_rows_by_spot(rows: Sequence[Sequence[tuple[int, Choice]]], tongue: Tongue) -> Table:
    """A row for each spot: the words that all its choices begin with, then the rest of each choice behind its key.

    An effect that is that of the choice above is not repeated.
    """
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    above: list[str] = []
    for row in rows:
        labels = [render_sentence(choice.label, tongue).plain.split(" ") for _key, choice in row]
        common = 0
        while len({words[common] for words in labels}) == 1 and all(len(words) > common + 1 for words in labels):
            common += 1
        effects = [render_sentence(choice.effect, tongue).plain for _key, choice in row]
        line: list[RenderableType] = [" ".join(labels[0][:common]).rstrip(":")]
        for column, ((key, _choice), words) in enumerate(zip(row, labels, strict=True)):
            effect = "" if effects[column : column + 1] == above[column : column + 1] else effects[column]
            cell = Text(f"{key:>2} ", "bold").append(" ".join(words[common:]), "not bold")
            line.append(cell.append(f"  {effect}".rstrip(), "not bold dim"))
        table.add_row(*line)
        above = effects
    return table


def _render_choice_cells(number: int, choice: Choice, tongue: Tongue) -> list[RenderableType]:
    """The cells of a choice's row: its key, its label with the effect, and its name where that differs."""
    label = render_sentence(choice.label, tongue)
    if choice.tone == "commit":
        label.append(" !", "bold red")
    if choice.effect:
        label.append("  ").append_text(render_sentence(choice.effect, tongue))
    return [
        str(number),
        label,
        choice.name if choice.name.casefold() != str(render_sentence(choice.label, tongue)).casefold() else "",
    ]


def render_log(lines: Sequence[LogLine]) -> Text:
    """Lines of the log, each with its paragraph."""
    text = Text()
    for line in lines:
        if line.heading:
            text.append("— ", "dim").append_text(Text(str(render_sentence(line.sentence)), "bold dim")).append(
                " —\n", "dim"
            )
        else:
            mark = SEAT_MARKS[line.seat % len(SEAT_MARKS)] if line.seat is not None else " "
            text.append(f"{mark} ", seat_style(line.seat) if line.seat is not None else "")
            text.append_text(render_sentence(line.sentence)).append(f"  {line.rule}\n", "dim")
    text.rstrip()
    return text


def render_results(pos: Position) -> Table:
    """The result of a finished game: places, points, and the parts of the points."""
    table = Table(title=_("The end"), box=boxes.SIMPLE_HEAD, title_justify="left")
    team = bool(pos.game.definition.COOPERATIVE)
    if not team:
        table.add_column(_("place"), justify="right")
        table.add_column(_("seat"))
    table.add_column(_("points"), justify="right")
    table.add_column(_("made of"))
    rows = sorted(pos.result(), key=lambda row: (row["place"], row["seat"]))
    for row in rows[:1] if team else rows:
        parts = Text()
        for line in row["lines"]:
            parts.append("" if not parts else "\n").append_text(render_sentence(line.label))
            parts.append(f" {line.points:+g}").append(f"  {line.rule}", "dim")
        who = () if team else (str(row["place"]), seat_text(row["seat"], pos.names[row["seat"]]))
        table.add_row(*who, f"{row['score']:g}", parts, end_section=True)
    return table
