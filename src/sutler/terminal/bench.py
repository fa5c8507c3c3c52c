"""`sutler bench`: how fast things are on this machine."""

from __future__ import annotations

import json
from typing import Any

from rich import box as boxes
from rich.table import Table

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, known_game, settings_from, told
from sutler.terminal.warm import show_warming


def bench_in_terminal(game: str | None, seats: int | None, settings: list[str], as_json: bool, seconds: float) -> None:
    """Measure one game or all, as a table or as JSON."""
    with told():
        if settings and game is None:
            raise Trouble("--set needs a game: options are each game's own")
        from sutler.core.game import load
        from sutler.core.registry import games
        from sutler.lab.bench import bench

        measured: dict[str, Any] = {}
        for name in [known_game(game)] if game else games():
            if not as_json:
                show_warming(name)
            measured[name] = bench(load(name, None, settings_from(settings)), seconds, seats)
        if as_json:
            print(json.dumps(measured, indent=1))
            return
        for name, figures in measured.items():
            table = Table(title=name, box=boxes.SIMPLE_HEAD, title_justify="left", pad_edge=False)
            table.add_column("what")
            table.add_column("figure", justify="right")
            facts = []
            for what, figure in figures.items():
                if isinstance(figure, (int, float)):
                    table.add_row(what, f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:,.4g}")
                else:
                    facts.append(f"{what}: {figure}")
            console().print(table)
            console().print("\n".join(facts), style="dim", soft_wrap=True)
