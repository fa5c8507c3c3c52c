"""Where the house keeps its things."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Where the house keeps things: the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(base) / "sutler"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def default_database() -> str:
    """Where games are kept unless told otherwise."""
    return f"sqlite:///{data_folder() / 'tables.sqlite'}"
