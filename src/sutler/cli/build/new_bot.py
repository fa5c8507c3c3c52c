"""`sutler bot new FOLDER`: what a learner begins with, copied: programs that train, the bot that plays by what they learned."""

from __future__ import annotations

import shutil
from pathlib import Path

import sutler
from sutler.cli.drawing import console
from sutler.cli.errors import Trouble

SHIPPED = Path(sutler.__file__).parent / "learner"
CHECKOUT = Path(sutler.__file__).parents[2] / "examples" / "learn"
MADE = ("__pycache__", "*.npz", "*.csv", "*.svg")  # by the programs, in a tree of the project's own


def begin(folder: Path) -> None:
    """Copy it, and say what comes next."""
    if folder.exists():
        raise Trouble(f"{folder} is there already; choose another name")
    shutil.copytree(SHIPPED if SHIPPED.is_dir() else CHECKOUT, folder, ignore=shutil.ignore_patterns(*MADE))
    shown = folder if folder.is_absolute() else f"./{folder}"
    for said in (
        f"{folder}: a program that learns, and a bot that plays by what it learned. Next:",
        f"  python {shown}/ppo.py manor --set offers=0 --minutes 10",
        f"  sutler simulate manor --bots {shown}/bots/learned.py,random --seats 2 --set offers=0 --games 20",
        f"  SUTLER_BOTS={shown}/bots sutler serve --open",
        'It needs JAX: pip install "sutler[train]". What the files do stands in each, and in Sutler\'s docs/learn.md.',
    ):
        console().print(said, markup=False, highlight=False, soft_wrap=True)
