"""Make what is generated in docs/: tables of each game's actions, events, refusals and options, and files shown in pages.

    python tools/docs.py            write them
    python tools/docs.py --check    only say whether they are fresh

In a page, what stands between `<!-- file: PATH -->` and `<!-- end -->` is that file; after `<!-- games -->`, the games; after
`<!-- bench: PATH -->`, the figures that `sutler bench --json` left there. A picture of what is stated and what comes is
drawn of a table in bots.md.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.game import Game

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
MARK = re.compile(r"(<!-- (file|games|bench):? ?(\S*) -->\n).*?(<!-- end -->)", re.DOTALL)
FIGURES = {  # by the beginning of its name: what the page calls it, and how many of its units are one of the page's
    "random play": ("random play, million decisions/s", 1e6),
    "length": ("a random game, decisions", 1),
    "greedy play": ("greedy play, decisions/s", 1),
    "search": ("search, rounds/s", 1),
    "copy": ("copy of a state, ns", 1),
    "state": ("a state, bytes", 1),
    "warm start": ("warm start of a process to the first decision, s", 1),
    "two threads": ("two threads against one, interleaved, times as fast", 1),
    "view for": ("a view for a table, 99 of 100 within, ms", 1),
    "prompt for": ("its prompt, likewise", 1),
    "choices for": ("its choices", 1),
    "can_undo for": ("what may be taken back", 1),
    "why_not for": ("why something cannot be done", 1),
}
KINDS = {".py": "python", ".toml": "toml", ".md": "markdown"}


def filled(page: str) -> str:
    """A page with what stands between its marks put in anew."""
    makers = {"file": shown, "games": list_of_games, "bench": standing}
    return MARK.sub(lambda match: f"{match[1]}{makers[match[2]](match[3])}\n{match[4]}", page)


def shown(path: str) -> str:
    """A file, as a block of code."""
    text = (ROOT / path).read_text(encoding="utf-8").rstrip("\n")
    return f"```{KINDS[Path(path).suffix]}\n{text}\n```"


def standing(path: str) -> str:
    """A kept bench as a table: a column a game, a row a figure."""
    from sutler.core.registry import definition
    from sutler.lab.bench.history import read_figures

    by_game = read_figures(ROOT / path)
    lines = table("", *(definition(name).info.title for name in by_game))[1:]
    for start, (name, unit) in FIGURES.items():
        found = (next(v for k, v in one["figures"].items() if k.startswith(start)) for one in by_game.values())
        lines.append(row(name, *(f"{_three_digits(one['value'] / unit):,.15g}" for one in found)))
    return "\n".join(lines)


def _three_digits(value: float) -> float:
    return float(value if float(value).is_integer() and value < 10_000 else f"{value:.3g}")


def cell(text: object) -> str:
    """Text for a table."""
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(*heads: str) -> list[str]:
    """The head of a table."""
    return ["", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]


def row(*cells: object) -> str:
    """A row of a table."""
    return "| " + " | ".join(cell(one) for one in cells) + " |"


def tables_of(name: str) -> str:
    """The tables of one game."""
    from sutler.core.game import Game
    from sutler.core.registry import definition

    d = definition(name)
    d.home.interpreted = True
    game = Game(d)
    lines = [f"# {game.title}: tables", "", "*Made by `python tools/docs.py` from the game's own tables; edit those.*"]
    for part in (options_of, actions_of, told_of, observation_of, view_of, state_of):
        lines += part(game)
    return "\n".join(lines) + "\n"


def options_of(game: Game) -> Iterator[str]:
    """What may be chosen before a game."""
    yield from ("", "## Options", *table("option", "what it does", "values", "default", "paragraph"))
    for option in game.options():
        if option.kind == "number":
            values = f"{option.low} to {option.high}"
        elif option.kind == "choice":
            values = ", ".join(str(choice.value) for choice in option.choices)
        else:
            values = {"flag": "yes or no", "text": "text"}[option.kind]
        yield row(f"`{option.name}`", option.text, values, option.default, option.rule)


def actions_of(game: Game) -> Iterator[str]:
    """The ids, block by block."""
    actions = game.definition.actions
    yield from ("", f"## Actions ({actions.n} ids)")
    yield from table("ids", "block", "its parts", "example", "asked when alone", "paragraph")
    for name, block in actions.blocks.items():
        ids = actions.ids(name)
        span = f"{ids.start}–{ids.stop - 1}" if len(ids) > 1 else str(ids.start)
        example = game.action_names[ids.start].name
        yield row(span, f"`{name}`", ", ".join(block.kinds), f"`{example}`", "yes" if block.ask else "", block.rule)


def told_of(game: Game) -> Iterator[str]:
    """What is told of what happened, and of what may not be done."""
    yield from ("", "## Events", *table("event", "sentence", "paragraph"))
    for kind, event in game.definition.events.events.items():
        yield row(f"`{kind}`", event.text, event.rule)
    yield from ("", "## Refusals", *table("why not", "paragraph"))
    for one in game.definition.REFUSALS.own():
        yield row(one.text, one.rule or "the action's own")


def observation_of(game: Game) -> Iterator[str]:
    """What a learner is handed, number by number."""
    spec = game.observation_spec()
    if spec:
        yield from ("", "## Observation", "", f"{game.definition.N_OBSERVED} numbers (float32).")
        yield from table("field", "from", "shape", "what it is")
    for one in spec or ():
        shape = " × ".join(str(n) for n in one.shape) or "1"
        yield row(f"`{one.name}`", one.offset, shape, one.meaning)


def view_of(game: Game) -> Iterator[str]:
    """What a watcher is shown."""
    yield from ("", "## View", "", "What a watcher sees at the start, by key:", *table("key", "kind"))
    for key, value in game.new(seats=game.min_seats, seed=1).view(None).items():
        kind = "nothing" if value is None else type(value).__name__
        if isinstance(value, list) and value and isinstance(value[0], dict):
            kind = f"list of tables: {', '.join(f'`{one}`' for one in value[0])}"
        yield row(f"`{key}`", kind)


def state_of(game: Game) -> Iterator[str]:
    """The record, field by field."""
    d = game.definition
    yield from ("", "## State", "", f"{d.state.dtype.itemsize} bytes; the box takes {d.box.dtype.itemsize}.")
    yield from table("field", "type")
    for one in d.state.fields:
        base = one.type if isinstance(one.type, str) else one.type.name
        shape = f" × {' × '.join(str(n) for n in one.shape)}" if one.shape else ""
        yield row(f"`{one.name}`", f"set of {one.of}" if one.is_set else f"{base}{shape}")


def list_of_games(_: str = "") -> str:
    """The games, for the front page."""
    from sutler.core.registry import definition, games

    lines = table("game", "seats", "minutes", "what it is")[1:]
    for name in games():
        info = definition(name).info
        low, high = info.seats
        link = f"[**{info.title}**](src/sutler/games/{name}/README.md), {info.designer}"
        lines.append(row(link, f"{low}–{high}" if low < high else low, info.minutes, info.tagline))
    return "\n".join(lines)


def wanted() -> dict[Path, str]:
    """Every generated page and what it should say."""
    os.environ["SUTLER_GAMES"] = ""
    from calibration import drawn  # beside this file

    from sutler.core.registry import games

    pages = {DOCS / "games" / f"{name}.md": tables_of(name) for name in games()}
    for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        if MARK.search(text):
            pages[path] = filled(text)
    pages[DOCS / "pictures" / "calibration.svg"] = drawn((DOCS / "bots.md").read_text(encoding="utf-8"))
    return pages


def main() -> int:
    """Write, or check."""
    check = "--check" in sys.argv[1:]
    stale = []
    for path, text in wanted().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{path}: {'not fresh; run python tools/docs.py' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
