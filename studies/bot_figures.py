"""Write the tables of docs/bots.md: who wins how often among whom, and whether the chances that people are shown come true.

    python studies/bot_figures.py                        every table of docs/bot-figures.toml, into docs/bots.md
    python studies/bot_figures.py manor warfarm-plans    these tables only
    python studies/bot_figures.py manor --row policy     of these only rows that begin with a bot of this name
    python studies/bot_figures.py --old                  only rows that are missing, or that other bots played than today's
    python studies/bot_figures.py --check --games 150    write nothing: play a row's first games, and say which rows lie outside what these tell

A table of the list has a `name`, the one of its marks in the page (`<!-- figures NAME -->` to `<!-- end of NAME -->`), and a `kind`:

- `matches`: one bot among bots of another kind, seats rotated. A row has `one`, `among`, `games` and `seed`; the table may say `game`,
  `seats`, `among`, `games` and `seed` for all its rows. `plans = true` prints fewer columns, since the command is the same but for a name.
- `campaigns`: tables of bots of one kind in a game that all win together. A row has `one`, `seats`, `difficulty`, `games` and `seed`.
- `chances`: Brier scores of the chances of winning, and `tenths`: how often came what was stated. A row has `game` and `games`.

A shared first place counts in parts; intervals are Wilson's at 95 %. The last cell of a row is the day, and the first six characters of the
hash of the code and weights of the bots that played (`sutler.lab.play.provenance`).
"""

from __future__ import annotations

import argparse
import re
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import calibration
import numpy as np
import polars as pl

import sutler
from sutler.bots.kit.win_probability import load_corrections
from sutler.cli.errors import parse_settings
from sutler.lab.play.headline_figures import compute_win_shares
from sutler.lab.play.provenance import hash_bots_code
from sutler.lab.stats.estimates import compute_wilson_interval

ROOT = Path(__file__).resolve().parent.parent
LIST, PAGE = ROOT / "docs" / "bot-figures.toml", ROOT / "docs" / "bots.md"
Z_CHECK = 3.29
"""Half the width of a check's interval in standard errors: of a thousand true rows one lies outside."""
