"""`sutler bench`: measure the speed of rules and bots on this machine, or compare it with an earlier measurement."""

from __future__ import annotations

import json as _json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, parse_settings, require_game_name
from sutler.cli.options import Seats, Settings, command
from sutler.cli.progress import compile_with_progress

CIRCUMSTANCES = ("options", "machine", "versions", "command")


@command
def bench_command(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all of them if left out.")] = None,
    seats: Seats = None,
    set_: Settings = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON, to keep and compare.")] = False,
    seconds: Annotated[float, typer.Option(min=0.05, help="Measure each figure for so long.")] = 2.0,
    compare: Annotated[
        Path | None,
        typer.Option(metavar="OLD.json", help="Beside what --json once wrote: what has changed beyond noise?"),
    ] = None,
) -> None:
    """Measure how fast the rules, the bots and a position's copy are on this machine."""
    if set_ and game is None:
        raise CommandError("--set needs a game: options are each game's own")
    if compare and json:
        raise CommandError("--compare prints tables: take --json in a run of its own")
    from sutler.core.play.registry import games
    from sutler.lab.bench.history import read_bench_figures

    before = read_bench_figures(compare) if compare else {}
    names = [require_game_name(game)] if game else games()
    if compare:
        names = [name for name in names if name in before]
        if not names:
            raise CommandError(f"{compare} has no figures of {game or 'any game there is'}")
    measured = {name: _measure_game(name, seats, set_ or [], seconds, quiet=json) for name in names}
    if json:
        print(_json.dumps(measured, indent=1))
    elif compare:
        _print_changes(before, measured)
    else:
        for name, found in measured.items():
            _print_figures(name, found)


def _measure_game(name: str, seats: int | None, settings: list[str], seconds: float, quiet: bool) -> dict[str, Any]:
    """The figures of one game, as `lab.bench.speed.bench` returns them. Compiles the game first; `quiet`: without a progress bar."""
    from sutler.core.play.game import load
    from sutler.lab.bench.speed import measure_game_to_dict

    if not quiet:
        compile_with_progress(name)
    return measure_game_to_dict(load(name, None, parse_settings(settings)), seconds, seats)


def _build_empty_table(title: str, *columns: str) -> Table:
    """An empty table with these columns, all but the first aligned to the right."""
    table = Table(title=title, box=boxes.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for n, column in enumerate(columns):
        table.add_column(column, justify="right" if n else "left")
    return table


def _format_figure(figure: float) -> str:
    """A figure as text: as a whole number from 100 on, else with four significant digits."""
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:,.4g}"


def _print_figures(name: str, figures: dict[str, Any]) -> None:
    """Print the figures of one game, and on what machine they were measured."""
    table = _build_empty_table(name, "what", "figure", "lowest to highest run")
    for what, one in figures["figures"].items():
        spread = (
            f"{_format_figure(one['lowest'])} to {_format_figure(one['highest'])}"
            if one["lowest"] < one["highest"]
            else ""
        )
        table.add_row(f"{what} ({one['unit']})", _format_figure(one["value"]), spread)
    make_console().print(table)
    make_console().print("\n".join(f"{what}: {figures[what]}" for what in CIRCUMSTANCES), style="dim", soft_wrap=True)


def _print_changes(before: dict[str, Any], now: dict[str, Any]) -> None:
    """Print each game's figures with earlier ones, and which of them changed beyond noise."""
    from sutler.lab.bench.history import NOISE_SHARE, iter_figure_changes, list_setup_differences

    told = list(iter_figure_changes(before, now))
    for name in now:
        table = _build_empty_table(name, "what", "then", "now", "times as good", "")
        for one in (one for one in told if one.game == name):
            style = {"better": "green", "worse": "red"}.get(one.verdict, "")
            row = (
                f"{one.name} ({one.unit})",
                _format_figure(one.before),
                _format_figure(one.now),
                f"{one.gain:.2f}",
                one.verdict,
            )
            table.add_row(*row, style=style)
        make_console().print(table)
    for sentence in list_setup_differences(before, now):
        make_console().print(sentence, style="yellow", soft_wrap=True)
    worse = sum(one.verdict == "worse" for one in told)
    better = sum(one.verdict == "better" for one in told)
    make_console().print(
        f"{worse} worse, {better} better, {len(told) - worse - better} as before: called a change where no run of then and of now"
        f" meet and the medians differ by more than {NOISE_SHARE:.0%}.",
        soft_wrap=True,
    )
