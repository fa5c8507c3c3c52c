"""Versions of a game: options, numbers of the box and box files, as one writes them on a command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sutler.core.box import edited, read_toml
from sutler.core.game import Game
from sutler.core.registry import definition, load


def version(name: str, box: Path | Mapping[str, Any] | None = None, settings: Mapping[str, Any] | None = None) -> Game:
    """A game with an edit (a box file, or what it says) and settings laid over it; BoxError says what is wrong.

    `rules.buy_price=2` may be set even where the printed box leaves the table `rules` to its defaults.
    """
    printed, settings = definition(name).printed, settings or {}
    edit: Mapping[str, Any] = read_toml(box) if isinstance(box, Path) else box or {}
    missing = {key for key in settings if "." in key and key.partition(".")[0] not in {*printed, *edit, "options"}}
    if not missing:
        return load(name, box, settings)
    for key in sorted(missing):
        edit = edited(dict(edit), _nested(key.split("."), settings[key]))
    return load(name, edit, {key: value for key, value in settings.items() if key not in missing})


def _nested(path: list[str], value: Any) -> dict[str, Any]:
    """`{"rules": {"buy_price": 2}}`."""
    return {path[0]: _nested(path[1:], value) if len(path) > 1 else value}
