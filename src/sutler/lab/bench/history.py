"""Comparing stored figures of `sutler bench` with new ones: which have changed beyond noise.

A figure is the median of a few runs, and is stored with its lowest and highest run. It has changed where all runs of one side lie above
all runs of the other and the medians differ by more than NOISE_SHARE. If the speed had not changed, five runs would lie wholly apart from
five others once in 126 figures; NOISE_SHARE allows for changes of the machine that five runs in a row do not show.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NOISE_SHARE = 0.10
"""The relative difference with which a machine does the same work an hour later."""
MORE_IS_BETTER = ("decisions/s", "games/s", "rounds/s", "times as fast")
"""Units of rates, where more is better; every other figure is a time or a size."""
COUNTED_FIGURES = ("length of a random game", "actions")
"""Figures that describe the game that was measured, not its speed."""


@dataclass(frozen=True)
class Change:
    """An earlier and a present measurement of one figure. `apart`: do all runs of one lie above all runs of the other?"""

    game: str
    name: str
    unit: str
    before: float
    now: float
    apart: bool

    @property
    def ratio(self) -> float:
        """The present value divided by the earlier one."""
        return self.now / self.before if self.before else 1.0

    @property
    def gain(self) -> float:
        """The improvement as a factor, above 1 where the present value is better; figures of which less is better are inverted."""
        return self.ratio if self.unit in MORE_IS_BETTER or not self.ratio else 1 / self.ratio

    @property
    def verdict(self) -> str:
        """The result of the comparison: "better", "worse", or "as before" if the runs overlap."""
        if not self.apart or self.name in COUNTED_FIGURES or 1 - NOISE_SHARE <= self.gain <= 1 / (1 - NOISE_SHARE):
            return "as before"
        return "better" if self.gain > 1 else "worse"


def read_bench_figures(path: Path) -> dict[str, Any]:
    """The figures by game in a file of `sutler bench --json`. ValueError where the file holds something else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if all("value" in one for game in found.values() for one in game["figures"].values()):
            return dict(found)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {getattr(error, 'strerror', None) or 'it is not text'}") from error
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise ValueError(f"{path} holds no figures of `sutler bench --json`: write them with it and name that file")


def iter_figure_changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Change]:
    """Yield the change of every figure that both measurements have, game by game."""
    for game in before.keys() & after.keys():
        old, new = before[game]["figures"], after[game]["figures"]
        for name in (one for one in new if one in old):
            a, b = old[name], new[name]
            apart = a["highest"] < b["lowest"] or b["highest"] < a["lowest"]
            yield Change(game, name, b["unit"], a["value"], b["value"], apart)


def list_setup_differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The reasons why two measurements should not be compared, such as different machines, one sentence each."""
    said = []
    for game in sorted(before.keys() & after.keys()):
        for what in ("machine", "options"):
            a, b = before[game][what], after[game][what]
            if a != b:
                said.append(f"{game} was measured with another {what.rstrip('s')}: {a}, now {b}.")
    return said
