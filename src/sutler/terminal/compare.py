"""`sutler compare`: does an edit make a difference?"""

from __future__ import annotations

import json as _json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box as boxes
from rich.table import Table

from sutler.terminal.asked import Asked, last_of
from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, settings_from, told
from sutler.terminal.keeping import check_out
from sutler.terminal.progress import Bar

if TYPE_CHECKING:
    from sutler.core.game import Game
    from sutler.lab.play.series import Series
    from sutler.lab.studies.compare import Comparison

STYLES = {"more": "bold green", "less": "bold red", "open": "yellow"}


@dataclass(frozen=True)
class Other:
    """What is otherwise at the other side's table."""

    bots: str = ""
    seats: int | None = None

    def series(self, series: Series) -> Series | None:
        """Who sits there; None: the same as at this side's."""
        from sutler.bots import bots_from

        return series.beside(bots_from(self.bots) if self.bots else (), self.seats)


def compare_in_terminal(
    asked: Asked,
    a: list[str],
    b: list[str],
    about: list[str],
    certainty: tuple[float, float, bool],
    other: Other,
    json: bool,
) -> None:
    """Play both sides until it is clear, or as clear as `certainty` asks (see `lab.studies.compare.Certainty`); Ctrl-C ends it early."""
    with told():
        check_out(asked.out, (".html", ".json", ".parquet"))
        name = asked.name
        from sutler.lab.play.ray_cluster import crew_at
        from sutler.lab.studies.compare import Certainty, is_same_box, require_askable, watch

        sides = side(name, a, asked.settings, "--a"), side(name, b, asked.settings, "--b")
        require_askable(*sides, asked.games, Certainty(*certainty))  # said before anything is compiled
        if is_same_box(*sides) and other == Other() and not json:
            console().print("Both sides are the same game: whatever differs is chance.", style="yellow")
        if not json:
            asked.warm(*sides)
        with crew_at(asked.ray) as crew, Bar(asked.games, "games a side", quiet=json) as bar:
            series = asked.series(crew, bar.to)
            found = last_of(watch(*sides, series, about, Certainty(*certainty), other.series(series)))
        if json:
            print(_json.dumps(found.data(), indent=1, default=str))
        else:
            show(found)
        if asked.out is not None:
            keep(found, asked.out)


def side(name: str, edits: list[str], settings: list[str], option: str) -> Game:
    """One side: `base`, a TOML file laid over the printed box, KEY=VALUE, or a file and some of these."""
    from sutler.core.game import load

    files = [one for one in edits if "=" not in one and one != "base"]
    if len(files) > 1:
        raise Trouble(f"{option}: one file at most, not {' and '.join(files)}")
    pairs = [one for one in edits if "=" in one]
    return load(name, Path(files[0]) if files else None, settings_from(settings) | settings_from(pairs))


def show(found: Comparison) -> None:
    """The answer, then every figure."""
    from sutler.lab.studies.compare import VERDICT_WORDS, interval_in_words

    out = console()
    out.print(f"\n{found.answer()}\n", style="bold")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("figure", no_wrap=True)
    for heading in ("a", "b", "b less a", "interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for one in found.effects:
        say = one.figure.say
        table.add_row(
            one.figure.label,
            say(one.a),
            say(one.b),
            say(one.effect, sign=True) if one.differ else "0",
            interval_in_words(one, " … ") if one.differ else "",
            VERDICT_WORDS[one.verdict],
            style=STYLES.get(one.verdict, "dim" if one.verdict != "open" else ""),
        )
    out.print(table)
    out.print(
        f"{found.games:,} games a side {found.who}, {at_tables(found)}, in {found.seconds:.0f} s, the same seeds on "
        f"both. All intervals together, at every "
        f"look, hold with {1 - found.alpha:.0%}.\n“No matter”: within {found.smallest:g} standard deviations of one game. "
        "pp: percentage points.",
        style="dim",
    )
    for said in [*found.beyond(), *found.outlook()]:
        out.print(said, style="dim")


def at_tables(found: Comparison) -> str:
    """How many sat at each side's table."""
    one, other = (side["seats"] for side in found.about["sides"].values())
    return f"{one} seats" if one == other else f"{one} and {other} seats"


def keep(found: Comparison, out: Path) -> None:
    """Write the answer: .json the figures, .parquet the games, .html a page."""
    from sutler.lab.play.files import atomic_file, write_atomically

    if out.suffix == ".json":
        write_atomically(out, _json.dumps(found.data(), indent=1, default=str))
    elif out.suffix == ".html":
        from sutler.lab.report.pages import comparison_page

        write_atomically(out, comparison_page(found))
    else:
        about: dict[str, Any] = {"sutler": _json.dumps(found.data(), default=str)}
        with atomic_file(out) as aside:
            found.games_of_both_sides().write_parquet(aside, metadata=about)
    console().print(f"Kept in {out}", style="dim")
