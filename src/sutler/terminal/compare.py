"""`sutler compare`: does an edit make a difference?"""

from __future__ import annotations

import json as _json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box as boxes
from rich.table import Table

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, known_game, settings_from, told
from sutler.terminal.keeping import check_out
from sutler.terminal.progress import Bar
from sutler.terminal.warm import show_warming

if TYPE_CHECKING:
    from sutler.core.game import Game
    from sutler.lab.compare import Comparison

STYLES = {"more": "bold green", "less": "bold red", "open": "yellow"}


def compare_in_terminal(
    game: str,
    a: list[str],
    b: list[str],
    bots: str,
    seats: int | None,
    settings: list[str],
    games: int,
    alpha: float,
    smallest: float,
    about: list[str],
    seed: int,
    json: bool,
    out: Path | None,
    ray: str | None = None,
    bots_b: str = "",
    seats_b: int | None = None,
    give_up: bool = False,
) -> None:
    """Play both sides until it is clear; Ctrl-C ends it early with what is known by then."""
    with told():
        check_out(out, (".html", ".json", ".parquet"))
        name = known_game(game)
        from sutler.bots import bots_from
        from sutler.lab.compare import is_same, watch
        from sutler.lab.crew import crew_at

        sides = side(name, a, settings, "--a"), side(name, b, settings, "--b")
        others = bots_from(bots_b) if bots_b else None
        alike = others is None and seats_b is None
        if alike and is_same(*sides) and not json:
            console().print("Both sides are the same game: whatever differs is chance.", style="yellow")
        players = bots_from(bots)
        if not json and ray is None:
            show_warming(name)
        found: Comparison | None = None
        with crew_at(ray) as crew, Bar(games, "games a side", quiet=json) as bar:
            try:
                for so_far in watch(
                    *sides, players, seats, games, seed, alpha, smallest, about, crew, bar.to, others, seats_b, give_up
                ):
                    found = so_far
            except KeyboardInterrupt:
                if found is None:
                    raise
        assert found is not None
        if json:
            print(_json.dumps(found.data(), indent=1, default=str))
        else:
            show(found)
        if out is not None:
            keep(found, out)


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
    from sutler.lab.compare import VERDICTS, span

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
            span(one, " … ") if one.differ else "",
            VERDICTS[one.verdict],
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
    from sutler.lab.files import put, whole

    if out.suffix == ".json":
        put(out, _json.dumps(found.data(), indent=1, default=str))
    elif out.suffix == ".html":
        from sutler.lab.pages import comparison_page

        put(out, comparison_page(found))
    else:
        about: dict[str, Any] = {"sutler": _json.dumps(found.data(), default=str)}
        with whole(out) as aside:
            found.both().write_parquet(aside, metadata=about)
    console().print(f"Kept in {out}", style="dim")
