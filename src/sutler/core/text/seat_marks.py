"""The mark and the colour of each seat in a terminal; two signs, so that seats can be told apart without colours."""

from __future__ import annotations

from rich.text import Text

SEAT_MARKS = ("●", "▲", "■", "◆", "★", "✚")
SEAT_STYLES = ("bold cyan", "bold yellow", "bold magenta", "bold green", "bold red", "bold blue")


def seat_style(seat: int) -> str:
    """A seat's colour, as a style of `rich`."""
    return SEAT_STYLES[seat % len(SEAT_STYLES)]


def seat_text(seat: int, name: str) -> Text:
    """A seat's mark and name."""
    return Text(f"{SEAT_MARKS[seat % len(SEAT_MARKS)]} {name}", seat_style(seat))
