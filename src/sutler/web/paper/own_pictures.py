"""A designer's own pictures on cards: files in a folder, each named after its card.

A picture replaces the card's drawing, the first SVG of class `cut`, `plot` or `woodcut`. On a card without such a drawing it lies
behind the text, pale enough for the text to be read.
"""

from __future__ import annotations

import base64
import difflib
import re
from collections.abc import Collection
from pathlib import Path

from markupsafe import escape

TYPES = {
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
}
MAX_PICTURE_BYTES = 8_000_000
PLACE = re.compile(r'<svg class="((?:cut|plot|woodcut)\b[^"]*)"[^>]*>.*?</svg>', re.DOTALL)
"""The drawing in a card's HTML that a picture replaces."""
FOLDER = "pictures"


def to_file_name(name: str) -> str:
    """A card's name in the form of file names: small letters and digits, with one dash between words."""
    return re.sub(r"[^\w]+", "-", name.casefold()).strip("-_")


class OwnPictures:
    """The picture files in a folder, by the plain names of their cards.

    Raises ValueError, with the file's name, for one that is too large.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        there = sorted(folder.iterdir()) if folder else []
        self.files = {to_file_name(path.stem): path for path in there if path.suffix.lower() in TYPES}
        for path in self.files.values():
            if path.stat().st_size > MAX_PICTURE_BYTES:
                raise ValueError(f"{path}: a picture of more than {MAX_PICTURE_BYTES // 1_000_000} megabytes")

    def insert_picture(self, html: str, name: str) -> str:
        """A card's front (`html`) with the picture for the card of this name, if there is one."""
        path = self.files.get(to_file_name(name))
        if path is None:
            return html
        data = base64.b64encode(path.read_bytes()).decode()
        source = f'src="data:{TYPES[path.suffix.lower()]};base64,{data}" alt="{escape(name)}"'
        laid, n = PLACE.subn(lambda found: f'<img class="own-picture {found[1]}" {source}>', html, count=1)
        return laid if n else f'<img class="own-ground" {source}>{html}'

    def explain_unused(self, names: Collection[str]) -> list[str]:
        """A sentence for each picture that belongs to none of these pieces, with the most similar name."""
        known = {to_file_name(name): name for name in names}
        said = []
        for called, path in self.files.items():
            if called not in known:
                near = difflib.get_close_matches(called, known, n=1)
                meant = f"; did you mean {near[0]}{path.suffix}?" if near else ""
                said.append(f"{path}: no piece is called {path.stem!r}{meant}")
        return said
