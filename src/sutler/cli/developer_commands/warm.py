"""`sutler warm`: compile the rules of games now, with a progress bar."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, require_game_name
from sutler.cli.options import command
from sutler.cli.progress import compile_with_progress


@command
def warm_command(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; all if left out.")
    ] = None,
) -> None:
    """Compile the rules now, so that nothing has to be compiled later."""
    from sutler.core.compilation.warm import is_warm
    from sutler.core.play.registry import games, load_definition
    from sutler.core.rule import PLAIN_ONLY, find_cache_root

    if PLAIN_ONLY:
        raise CommandError("SUTLER_PLAIN is set: rules run as plain Python, there is nothing to compile")
    wanted = [require_game_name(name) for name in names or []] or games()
    out = make_console()
    cold = [name for name in wanted if not is_warm(load_definition(name))]
    for name in wanted:
        if name not in cold:
            out.print(f"{load_definition(name).info.title} was compiled already")
    if len(cold) == 1:
        seconds = compile_with_progress(cold[0], everything=True)
        out.print(f"{load_definition(cold[0]).info.title} compiled in {seconds:.0f} s")
    elif cold:
        _compile_games_in_parallel(cold)
    out.print(f"The machine code lies in {find_cache_root()}", style="dim")


def _count_source_bytes(folder: Path) -> int:
    """The size in bytes of a folder's Python files, a rough measure of how long its rules take to compile."""
    return sum(path.stat().st_size for path in folder.rglob("*.py"))


def _compile_games_in_parallel(names: list[str]) -> None:
    """Compile several games, each in its own process, one on each processor; games with the most source first."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

    from sutler.core.compilation.warm import Step, compile_in_other_process
    from sutler.core.play.registry import load_definition

    out = make_console()
    names = sorted(names, key=lambda name: -_count_source_bytes(load_definition(name).home.folder))
    columns: list[Any] = [
        SpinnerColumn(),
        TextColumn("{task.fields[title]}"),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
    ]
    troubles: dict[str, str] = {}
    with (
        Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar,
        ThreadPoolExecutor(os.cpu_count() or 1) as pool,
    ):

        def compile_game(name: str, task: TaskID) -> None:
            title = load_definition(name).info.title
            begun = time.perf_counter()

            def show_step(step: Step) -> None:
                bar.update(task, completed=step.done, total=step.total, description=step.what[:50])

            bar.start_task(task)
            trouble = compile_in_other_process(name, show_step)
            if trouble:
                troubles[title] = trouble
            else:
                out.print(f"{title} compiled in {time.perf_counter() - begun:.0f} s")
            bar.remove_task(task)

        tasks = [
            bar.add_task("waiting", total=None, start=False, title=load_definition(name).info.title) for name in names
        ]
        if not out.is_terminal:
            out.print(f"Compiling the rules of {len(names)} games (once; kept for next time) …")
        list(pool.map(compile_game, names, tasks))
    if troubles:
        raise CommandError("; ".join(f"{title} could not be compiled ({why})" for title, why in troubles.items()))
