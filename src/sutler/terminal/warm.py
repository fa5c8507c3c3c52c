"""`sutler warm`: compile now, and show what is being compiled."""

from __future__ import annotations

from typing import Any

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, known_game, told


def warm_in_terminal(names: list[str]) -> None:
    """Compile these games, or all."""
    with told():
        from sutler.core.registry import definition, games
        from sutler.core.rule import PLAIN_ONLY, cache_root

        if PLAIN_ONLY:
            raise Trouble("SUTLER_PLAIN is set: rules run as plain Python, there is nothing to compile")
        wanted = [known_game(name) for name in names] or games()
        out = console()
        for name in wanted:
            seconds = show_warming(name)
            said = f"compiled in {seconds:.0f} s" if seconds else "was compiled already"
            out.print(f"{definition(name).info.title} {said}")
        out.print(f"The machine code lies in {cache_root()}", style="dim")


def show_warming(name: str) -> float:
    """Compile one game behind a progress bar; returns the seconds, 0 when there was nothing to do."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from sutler.core.registry import definition
    from sutler.core.warm import Step, warm_once

    found = definition(name)
    if found.home.is_warm:
        return 0.0
    out = console()
    if not out.is_terminal:
        out.print(f"Compiling the rules of {found.info.title} (once; kept for next time) …")
        return warm_once(found)
    columns: list[Any] = [
        SpinnerColumn(),
        TextColumn("{task.fields[title]}"),
        BarColumn(),
        TextColumn("{task.description}"),
    ]
    with Progress(*columns, TimeElapsedColumn(), console=out, transient=True) as bar:
        task = bar.add_task("", total=None, title=found.info.title)

        def progress(step: Step) -> None:
            bar.update(task, completed=step.done, total=step.total, description=f"{step.what}"[:50])

        return warm_once(found, progress, lambda: bar.update(task, description="another process is compiling it"))
