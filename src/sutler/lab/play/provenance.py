"""Provenance of figures, as printed beside them: game, box, versions, command, and exactly which bots played."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot, bot_from
from sutler.bots.kit import Settings
from sutler.bots.kit.repeatable import players_of
from sutler.core.game import Game
from sutler.version import installed_version


def bots_in_words(bots: Sequence[str], seats: int) -> str:
    """The bots of games, in the words that stand beside a claim: `between greedy bots`, `between greedy and search (rounds 20) bots`."""
    names = list(dict.fromkeys(bots))
    return f"between {' and '.join(names)} bots" if seats > 1 else f"played by a {names[0]} bot"


def descriptions_of_bots(bots: Sequence[str | Bot], game: Game) -> list[str]:
    """The bots in words, each with every setting that is not its usual one."""
    return [bot_in_words(describe(one)) for one in players_of(bots, game)]


def write_parquet(table: pl.DataFrame, path: str | Path, game: Game, **about: Any) -> None:
    """Write a table as Parquet with what is needed to make it again in its metadata: box, options, versions, command."""
    table.write_parquet(path, metadata={"sutler": json.dumps(provenance(game) | about, default=str)})


def write_findings(table: pl.DataFrame, path: Path, about: dict[str, Any]) -> None:
    """Write findings as .parquet (with versions and command inside) or .csv."""
    if path.suffix == ".csv":
        table.write_csv(path)
    else:
        table.write_parquet(path, metadata={"sutler": json.dumps(about, default=str)})


def read_metadata(path: str | Path) -> dict[str, Any]:
    """The metadata that `write_parquet` left."""
    about: dict[str, Any] = json.loads(pl.read_parquet_metadata(path)["sutler"])
    return about


def provenance(game: Game) -> dict[str, Any]:
    """Game, box, options, versions, command and time, as plain data."""
    return {
        "game": game.name,
        "box": game.box_hash,
        "options": game.changed_options(),
        "settings": game.settings,
        "rules": game.definition.home.fingerprint,
        "versions": {
            "sutler": installed_version(),
            "python": sys.version.split()[0],
            "numpy": np.__version__,
            "numba": version("numba"),
            "polars": pl.__version__,
        },
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def describe(player: Bot) -> dict[str, Any]:
    """A bot's name and settings as plain data."""
    return {"name": player.name, **(asdict(player) if isinstance(player, Settings) else {})}


def bot_in_words(told: dict[str, Any]) -> str:
    """A bot of the metadata in words, with every setting that is not its usual one: exactly what played."""
    try:
        usual = describe(bot_from(told["name"]))
    except ValueError:
        usual = {}
    own = [f"{key} {value}" for key, value in told.items() if key != "name" and usual.get(key) != value]
    return f"{told['name']} ({', '.join(own)})" if own else str(told["name"])
