"""Paths: the data folder and the database that are used by default."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """The data folder of the house, inside the user's."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(base) / "sutler"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def default_database() -> str:
    """The address of the database that is used unless another is named."""
    return f"sqlite:///{data_folder() / 'tables.sqlite'}"
