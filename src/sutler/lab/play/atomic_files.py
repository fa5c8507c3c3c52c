"""Writing result files whole or not at all, and testing before the first game whether a file can be written."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`. On success the file written there replaces `path`; on an error it is deleted."""
    aside = path.with_stem(f"{path.stem}.new")
    try:
        yield aside
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, text: str) -> None:
    """Write a text to a file, whole or not at all: a reader never sees half of it."""
    with atomic_file(path) as aside:
        aside.write_text(text, encoding="utf-8")


def require_writable(path: Path) -> None:
    """Raise OSError where a file cannot be written at `path`; a test file is written and deleted."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file in it")
    aside = path.with_stem(f"{path.stem}.new")
    aside.touch()
    aside.unlink()
