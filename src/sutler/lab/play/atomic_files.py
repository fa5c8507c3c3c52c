"""Files of results: each is written whole or not at all, and whether it can be written is tested before the first game."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """A file to write beside `path`; it takes its place when all went well, and is gone when it did not."""
    aside = path.with_stem(f"{path.stem}.new")
    try:
        yield aside
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, text: str) -> None:
    """Write a text to a file, whole or not at all, so that a reader never sees half of it."""
    with atomic_file(path) as aside:
        aside.write_text(text, encoding="utf-8")


def require_writable(path: Path) -> None:
    """Raise OSError when nothing can be written there; nothing is left behind."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file in it")
    aside = path.with_stem(f"{path.stem}.new")
    aside.touch()
    aside.unlink()
