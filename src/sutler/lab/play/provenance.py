"""Provenance of results: game, box, versions, commit, command, and exactly which bots played, with a hash of their code."""

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
from sutler.bots.kit import BOTS, Settings, judge_network, policy_network
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.bots.kit.win_probability import CHANCES_FILE
from sutler.core.fingerprint import hash_meaning_of_module
from sutler.core.play.game import Game
from sutler.version import installed_version

LEARNED_FILES = (judge_network.FILE, policy_network.FILE, CHANCES_FILE)
"""Files in a game's folder by which bots decide: a judge's and a policy's weights, and the chances that pay a search's rounds."""


def describe_bots_for_claim(bots: Sequence[str], seats: int) -> str:
    """A phrase that names the bots behind a claim: `between greedy and search (rounds 20) bots`, `played by a greedy bot`."""
    names = list(dict.fromkeys(bots))
    return f"between {' and '.join(names)} bots" if seats > 1 else f"played by a {names[0]} bot"


def list_bot_descriptions(bots: Sequence[str | Bot], game: Game) -> list[str]:
    """A description of each bot, with every setting that differs from its default."""
    return [describe_bot(bot_to_dict(one)) for one in build_repeatable_bots(bots, game)]


def write_parquet_with_provenance(table: pl.DataFrame, path: str | Path, game: Game, **about: Any) -> None:
    """Write a table as Parquet, with all that is needed to make it again in its metadata: box, options, versions, command, `about`."""
    table.write_parquet(path, metadata={"sutler": json.dumps(collect_provenance(game) | about, default=str)})


def write_findings(table: pl.DataFrame, path: Path, about: dict[str, Any]) -> None:
    """Write a table of findings as .csv, or as .parquet with `about` in its metadata."""
    if path.suffix == ".csv":
        table.write_csv(path)
    else:
        table.write_parquet(path, metadata={"sutler": json.dumps(about, default=str)})


def read_metadata(path: str | Path) -> dict[str, Any]:
    """The metadata of a file that `write_parquet` wrote."""
    about: dict[str, Any] = json.loads(pl.read_parquet_metadata(path)["sutler"])
    return about


def collect_provenance(game: Game) -> dict[str, Any]:
    """Game, box, options, versions, commit, hash of the bots' code, command and time, as plain data.

    The time is that of the environment variable SOURCE_DATE_EPOCH where it is set, so that a file made twice is equal byte for byte.
    """
    return {
        "game": game.name,
        "box": game.box_hash,
        "options": game.changed_options(),
        "settings": game.settings,
        "rules": game.definition.home.fingerprint,
        "bots_code": hash_bots_code(game),
        "commit": find_commit(),
        "versions": {
            "sutler": installed_version(),
            "python": sys.version.split()[0],
            "numpy": np.__version__,
            "numba": version("numba"),
            "polars": pl.__version__,
        },
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(_creation_time())),
    }


def _creation_time() -> float:
    """The current time in seconds since 1970, or that of SOURCE_DATE_EPOCH where it is set."""
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    return float(told) if told.isdigit() else time.time()


def hash_bots_code(game: Game, user_files: Sequence[Path] = ()) -> str:
    """A hash of everything that bots' decisions depend on: Sutler's bots, the game's bot code, and learned weights.

    `user_files`: the files of a user's own bots, which count too. Docstrings, comments and annotations do not.
    """
    folder = Path(game.definition.home.folder)
    places = (BOTS, folder / "bot")
    files = [path for place in places for path in sorted(place.rglob("*")) if path.suffix in (".py", ".json")]
    files += [folder / name for name in LEARNED_FILES if (folder / name).exists()]
    digest = hashlib.sha256()
    for path in [*files, *user_files]:
        digest.update(hash_meaning_of_module(path) if path.suffix == ".py" else path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def find_commit() -> str:
    """The commit of the checkout that Sutler runs from, with "+" if files were changed; empty where there is no checkout."""
    root, git = Path(__file__).parents[4], shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    said = [
        subprocess.run([git, "-C", str(root), *words], capture_output=True, text=True, check=False).stdout.strip()
        for words in (("rev-parse", "--short=12", "HEAD"), ("status", "--porcelain", "--untracked-files=no", "src"))
    ]
    return said[0] + ("+" if said[1] else "")


def bot_to_dict(bot: Bot) -> dict[str, Any]:
    """A bot's name and all its settings as plain data."""
    return {"name": bot.name, **(asdict(bot) if isinstance(bot, Settings) else {})}


def format_bots_option(bots: Sequence[str | Bot]) -> str:
    """The bots as the option `--bots` takes them: `greedy,search:rounds=20`, with every setting that differs from its default."""
    return ",".join(one if isinstance(one, str) else _format_bot_option(bot_to_dict(one)) for one in bots)


def _format_bot_option(bot_data: dict[str, Any]) -> str:
    """A bot as `--bots` takes it, from its name and settings as plain data."""
    return ":".join([str(bot_data["name"]), *(f"{key}={value}" for key, value in _find_changed_settings(bot_data))])


def _find_changed_settings(bot_data: dict[str, Any]) -> list[tuple[str, Any]]:
    """The settings of a bot that differ from its defaults; `bot_data`: its name and settings as plain data."""
    try:
        usual = bot_to_dict(bot_from(bot_data["name"]))
    except ValueError:
        usual = {}
    return [(key, value) for key, value in bot_data.items() if key != "name" and usual.get(key) != value]


def describe_bot(bot_data: dict[str, Any]) -> str:
    """A bot's name with every setting that differs from its default; `bot_data`: its name and settings as plain data (`describe`)."""
    own = [f"{key} {value}" for key, value in _find_changed_settings(bot_data)]
    return f"{bot_data['name']} ({', '.join(own)})" if own else str(bot_data["name"])
