"""A designer's own pictures on cards: files in a folder, each called as its card.

A picture takes the place of the card's drawing, the first SVG of class `cut`, `plot` or `woodcut`. On a card without one it lies
behind the words, pale enough for them to be read.
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
"""The drawing that an own picture takes the place of."""
FOLDER = "pictures"


def plain_name(name: str) -> str:
    """A card's name as files are called: small letters and digits, one dash between words."""
    return re.sub(r"[^\w]+", "-", name.casefold()).strip("-_")


class OwnPictures:
    """The pictures in a folder, by the plain names of their cards; ValueError names a file that is too large."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        there = sorted(folder.iterdir()) if folder else []
        self.files = {plain_name(path.stem): path for path in there if path.suffix.lower() in TYPES}
        for path in self.files.values():
            if path.stat().st_size > MAX_PICTURE_BYTES:
                raise ValueError(f"{path}: a picture of more than {MAX_PICTURE_BYTES // 1_000_000} megabytes")

    def laid_into(self, html: str, name: str) -> str:
        """A card's front with its picture, if it has one."""
        path = self.files.get(plain_name(name))
        if path is None:
            return html
        data = base64.b64encode(path.read_bytes()).decode()
        source = f'src="data:{TYPES[path.suffix.lower()]};base64,{data}" alt="{escape(name)}"'
        laid, n = PLACE.subn(lambda found: f'<img class="own-picture {found[1]}" {source}>', html, count=1)
        return laid if n else f'<img class="own-ground" {source}>{html}'

    def why_unused(self, names: Collection[str]) -> list[str]:
        """A sentence for each picture that no piece is called after, with the name that was perhaps meant."""
        known = {plain_name(name): name for name in names}
        said = []
        for called, path in self.files.items():
            if called not in known:
                near = difflib.get_close_matches(called, known, n=1)
                meant = f"; did you mean {near[0]}{path.suffix}?" if near else ""
                said.append(f"{path}: no piece is called {path.stem!r}{meant}")
        return said
