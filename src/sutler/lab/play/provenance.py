"""Provenance of figures, as printed beside them: game, box, versions, commit, command, and exactly which bots played, with their code."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot, bot_from
from sutler.bots.kit import BOTS, Settings
from sutler.bots.kit.repeatable import players_of
from sutler.core.play.game import Game
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
    """Game, box, options, versions, commit, the code of the bots, command and time, as plain data.

    The time is that of SOURCE_DATE_EPOCH where it is set: then what is made twice is equal to the byte.
    """
    return {
        "game": game.name,
        "box": game.box_hash,
        "options": game.changed_options(),
        "settings": game.settings,
        "rules": game.definition.home.fingerprint,
        "bots_code": bots_code(game),
        "commit": commit(),
        "versions": {
            "sutler": installed_version(),
            "python": sys.version.split()[0],
            "numpy": np.__version__,
            "numba": version("numba"),
            "polars": pl.__version__,
        },
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(_made_at())),
    }


def _made_at() -> float:
    """The time of making, in seconds: of SOURCE_DATE_EPOCH where that is set."""
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    return float(told) if told.isdigit() else time.time()


def bots_code(game: Game, own: Sequence[Path] = ()) -> str:
    """A hash of the code of all bots that come with Sutler and with the game, what they learned, and of these files of one's own."""
    folder = Path(game.definition.home.folder) / "bot"
    files = [path for place in (BOTS, folder) for path in sorted(place.rglob("*")) if path.suffix in (".py", ".json")]
    digest = hashlib.sha256()
    for path in [*files, *own]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def commit() -> str:
    """The commit of the checkout from which Sutler runs, with a plus where files were changed since; empty where it is installed."""
    root, git = Path(__file__).parents[4], shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    said = [
        subprocess.run([git, "-C", str(root), *words], capture_output=True, text=True, check=False).stdout.strip()
        for words in (("rev-parse", "--short=12", "HEAD"), ("status", "--porcelain", "--untracked-files=no", "src"))
    ]
    return said[0] + ("+" if said[1] else "")


def describe(player: Bot) -> dict[str, Any]:
    """A bot's name and settings as plain data."""
    return {"name": player.name, **(asdict(player) if isinstance(player, Settings) else {})}


def bots_as_typed(bots: Sequence[str | Bot]) -> str:
    """The bots as `--bots` takes them: `greedy,search:rounds=20`, each with every setting that is not its usual one."""
    return ",".join(one if isinstance(one, str) else _bot_as_typed(describe(one)) for one in bots)


def _bot_as_typed(told: dict[str, Any]) -> str:
    return ":".join([str(told["name"]), *(f"{key}={value}" for key, value in _own_settings(told))])


def _own_settings(told: dict[str, Any]) -> list[tuple[str, Any]]:
    """The settings of a bot of the metadata that are not its usual ones."""
    try:
        usual = describe(bot_from(told["name"]))
    except ValueError:
        usual = {}
    return [(key, value) for key, value in told.items() if key != "name" and usual.get(key) != value]


def bot_in_words(told: dict[str, Any]) -> str:
    """A bot of the metadata in words, with every setting that is not its usual one: exactly what played."""
    own = [f"{key} {value}" for key, value in _own_settings(told)]
    return f"{told['name']} ({', '.join(own)})" if own else str(told["name"])
