"""The folder and the database that this server uses unless others are named."""

from __future__ import annotations

import os
from pathlib import Path


def get_data_folder() -> Path:
    """The folder of this server's data, inside the user's data folder (XDG_DATA_HOME); created if missing."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(base) / "sutler"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def get_default_database_url() -> str:
    """The address (URL) of the SQLite database that is used unless another is named."""
    return f"sqlite:///{get_data_folder() / 'tables.sqlite'}"
