"""Pictures of the table for learning libraries (`render_mode="rgb_array"`): the terminal's drawing painted letter by letter.

Every picture has one size, as programs that make films of them need it. It is drawn with Pillow and a font in the folder `fonts`.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme

from sutler.core.optional_imports import import_optional
from sutler.core.text.drawing import TEXT_CHARS, draw_table

if TYPE_CHECKING:
    from sutler.core.play.position import Position

FONTS = Path(__file__).with_name("fonts")
FONT_PX = 15
CELL_WIDTH_PX, CELL_HEIGHT_PX = 9, 18
LINES = 64
"""The number of lines of text that a picture has room for; a longer drawing is scaled down."""
MARGIN_PX = 12
SHAPE = (LINES * CELL_HEIGHT_PX + 2 * MARGIN_PX, TEXT_CHARS * CELL_WIDTH_PX + 2 * MARGIN_PX, 3)
"""The shape of every picture's array: height and width in pixels, 3 colours."""
PAPER, INK = (30, 27, 24), (226, 217, 201)
THEME = TerminalTheme(
    PAPER,
    INK,
    [PAPER, (214, 95, 82), (137, 178, 105), (217, 176, 84), (111, 155, 205), (190, 132, 184), (105, 184, 181), INK],
    [
        *((120, 112, 102), (232, 120, 106), (160, 202, 128), (238, 201, 110)),
        *((138, 181, 229), (213, 158, 207), (131, 208, 205), (250, 245, 236)),
    ],
)
FADED = 0.55
"""The share of a dim letter's own colour in its mix with the background."""


def render_picture(pos: Position, seat: int | None) -> np.ndarray[Any, Any]:
    """The picture of the table as a seat (None: a watcher) may see it: uint8 of shape SHAPE. `optional_imports.Missing` without Pillow."""
    image = import_optional("PIL.Image", "gym")
    lines = _render_lines(pos, seat)
    height = max(SHAPE[0], len(lines) * CELL_HEIGHT_PX + 2 * MARGIN_PX)
    drawn = image.new("RGB", (SHAPE[1], height), PAPER)
    pen = import_optional("PIL.ImageDraw", "gym").Draw(drawn)
    for row, line in enumerate(lines):
        column = 0
        for text, style in line:
            _draw_text(pen, text, style, column, row)
            column += len(text)
    if height > SHAPE[0]:
        small = drawn.resize((SHAPE[1] * SHAPE[0] // height, SHAPE[0]), image.Resampling.LANCZOS)
        drawn = image.new("RGB", (SHAPE[1], SHAPE[0]), PAPER)
        drawn.paste(small, (0, 0))
    return np.asarray(drawn).copy()


def _render_lines(pos: Position, seat: int | None) -> list[list[tuple[str, Style]]]:
    """The lines of the terminal's drawing, each as (text, style) pieces."""
    console = Console(width=TEXT_CHARS, color_system="truecolor", force_terminal=True, file=None, legacy_windows=False)
    plain = Style()
    return [[(one.text, one.style or plain) for one in line] for line in console.render_lines(draw_table(pos, seat))]


def _draw_text(pen: Any, text: str, style: Style, column: int, row: int) -> None:
    """Draw a piece of a line, each letter in its cell, from this column and row on."""
    ink, paper = _to_rgb(style.color, True), _to_rgb(style.bgcolor, False)
    if style.reverse:
        ink, paper = paper, ink
    if style.dim:
        ink = _mix_colours(ink, paper)
    left, top = MARGIN_PX + column * CELL_WIDTH_PX, MARGIN_PX + row * CELL_HEIGHT_PX
    if paper != PAPER:
        right = left + len(text) * CELL_WIDTH_PX - 1
        pen.rectangle((left, top, right, top + CELL_HEIGHT_PX - 1), fill=paper)
    font = _load_font(bool(style.bold))
    for k, letter in enumerate(text):
        if letter != " ":
            pen.text((left + k * CELL_WIDTH_PX, top), letter, fill=ink, font=font)


def _to_rgb(color: Color | None, ink: bool) -> tuple[int, int, int]:
    """A colour of the terminal as (red, green, blue); `ink`: the default colour is that of letters, not of the background."""
    found = (color or Color.default()).get_truecolor(THEME, foreground=ink)
    return found.red, found.green, found.blue


def _mix_colours(ink: tuple[int, int, int], paper: tuple[int, int, int]) -> tuple[int, int, int]:
    """The colour of dim letters, between the letters' colour `ink` and the background's `paper`."""
    red, green, blue = (int(FADED * a + (1 - FADED) * b) for a, b in zip(ink, paper, strict=True))
    return red, green, blue


@functools.cache
def _load_font(bold: bool) -> Any:
    """The font for letters, regular or bold; cached."""
    weight = 700 if bold else 400
    return import_optional("PIL.ImageFont", "gym").truetype(
        FONTS / f"dejavu-sans-mono-latin-{weight}-normal.ttf", FONT_PX
    )
