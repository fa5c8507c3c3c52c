"""Progress bars for games and for compiling; shown only where the output is a terminal."""

from __future__ import annotations

import time
from typing import Any

from sutler.cli.console import make_console


class Bar:
    """A progress bar that disappears at the end: `with Bar(1000, "games") as bar: bar.to(done, 1000)`."""

    def __init__(self, total: int, unit: str = "games", quiet: bool = False) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns: list[Any] = [BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}")]
        out = self.out = make_console()  # where to print while the line stands
        self.unit = unit
        hidden = quiet or not out.is_terminal
        self.bar = Progress(*columns, TimeRemainingColumn(), console=out, transient=True, disable=hidden)
        self.task = self.bar.add_task("", total=total)
        self.start = time.perf_counter()
        self.kept = 0
        self.said = ""

    def __enter__(self) -> Bar:
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def resume_at(self, games_done: int) -> None:
        """Start the bar at `games_done`, the games that an interrupted run has played; they do not count for the speed."""
        self.kept = games_done
        self.bar.update(self.task, completed=games_done)

    def restart_count(self, label: str) -> None:
        """Set the count and the clock to 0 for the next games, and show the words `label` with them."""
        self.start, self.kept = time.perf_counter(), 0
        self.set_label(label)

    def set_label(self, label: str) -> None:
        """Show these words after the speed, such as how many versions are played."""
        self.said = f", {label}"

    def update_count(self, done: int, total: int) -> None:
        """Show that `done` of `total` units are done, and how many a second."""
        rate = (done - self.kept) / max(1e-9, time.perf_counter() - self.start)
        self.bar.update(self.task, completed=done, total=total, description=f"{rate:,.0f} {self.unit}/s{self.said}")


def compile_with_progress(name: str, everything: bool = False) -> float:
    """Compile one game with a progress bar; returns the seconds it took, 0 when there was nothing to do.

    `everything`: personas and judges in the lab and for learners too, and the trainings.
    """
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from sutler.core.compilation.warm import Scope, Step, compile_game_unless_warm, is_warm
    from sutler.core.play.registry import load_definition
    from sutler.core.rule import PLAIN_ONLY

    found = load_definition(name)
    scope = Scope.ALL if everything else Scope.LAB
    if PLAIN_ONLY or is_warm(found, scope):
        return 0.0
    out = make_console()
    if not out.is_terminal:
        out.print(f"Compiling the rules of {found.info.title} (once; kept for next time) …")
        return compile_game_unless_warm(found, scope=scope)
    columns: list[Any] = [
        SpinnerColumn(),
        TextColumn("{task.fields[title]}"),
        BarColumn(),
        TextColumn("{task.description}"),
    ]
    with Progress(*columns, TimeElapsedColumn(), console=out, transient=True) as bar:
        task = bar.add_task("", total=None, title=found.info.title)

        def show_step(step: Step) -> None:
            bar.update(task, completed=step.done, total=step.total, description=f"{step.what}"[:50])

        return compile_game_unless_warm(
            found, show_step, lambda: bar.update(task, description="another process is compiling it"), scope
        )
