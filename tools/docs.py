"""Generate parts of docs/: tables of each game's actions, events, refusals and options, and blocks that repeat other files.

    python tools/docs.py            write them
    python tools/docs.py --check    only report which are out of date

A block of a page begins with `<!-- file: PATH -->` (shows that file), `<!-- games -->` (lists the games), `<!-- bench: PATH -->` (figures
of a file that `sutler bench --json` wrote) or `<!-- skill: FOLDER -->` (files of `sutler skill --out`) and ends with `<!-- end -->`. The
picture of the bots' calibration is drawn from a table in docs/bots.md.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.play.game import Game

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
BLOCK = re.compile(r"(<!-- (file|games|bench|skill):? ?(\S*) -->\n).*?(<!-- end -->)", re.DOTALL)
FIGURES = {  # beginning of a benchmark's name: (its name on the page, the number of its units in one unit of the page)
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
CALIBRATION_ROW = re.compile(r"\| (\w+) \| \d+–\d+ % \| [\d,]+ \| ([\d.]+)% \| ([\d.]+)% \| ([\d.]+)%–([\d.]+)% \|")
PICTURE_STYLE = """<style>
text { font: 13px Georgia, "Times New Roman", serif; fill: #3b2f20; } .tick { font-size: 11px; fill: #6b5a42; }
.end { text-anchor: end; } .middle { text-anchor: middle; } .grid { stroke: #e3d9c3; } .even { stroke: #6b5a42; stroke-dasharray: 4 4; }
.span { stroke: #8a2f1f; stroke-width: 1.75; } circle { fill: #8a2f1f; }
</style><rect width="100%" height="100%" fill="#fbf7ee"/>"""
CODE_LANGUAGES = {".txt": "text", ".py": "python", ".toml": "toml", ".md": "markdown"}


def with_blocks(page: str) -> str:
    """A page with all its generated blocks made anew."""
    generators = {"file": file_block, "games": games_table, "bench": benchmark_table, "skill": skill_table}
    return BLOCK.sub(lambda match: f"{match[1]}{generators[match[2]](match[3])}\n{match[4]}", page)


def file_block(path: str) -> str:
    """A Markdown block of code with the text of a file. `path`: from the project's root."""
    text = (ROOT / path).read_text(encoding="utf-8").rstrip("\n")
    return f"```{CODE_LANGUAGES[Path(path).suffix]}\n{text}\n```"


def benchmark_table(path: str) -> str:
    """A Markdown table of a file that `sutler bench --json` wrote: a column for each game, a row for each of FIGURES."""
    from sutler.core.play.registry import load_definition
    from sutler.lab.bench.history import read_bench_figures

    by_game = read_bench_figures(ROOT / path)
    lines = table("", *(load_definition(name).info.title for name in by_game))[1:]
    for start, (name, unit) in FIGURES.items():
        found = (next(v for k, v in one["figures"].items() if k.startswith(start)) for one in by_game.values())
        lines.append(row(name, *(f"{_three_digits(one['value'] / unit):,.15g}" for one in found)))
    return "\n".join(lines)


def skill_table(folder: str) -> str:
    """Markdown tables of the files that `sutler skill --out FOLDER/GAME.json` wrote: a row for each step, and the commands' times."""
    import json

    from sutler.lab.studies.skill import PARTS, describe_depth, parse_ladders

    lines = table("game, from its foot to its top", "Elo", *PARTS)[1:]
    told = table("command", "processor")
    for path in sorted((ROOT / folder).glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        for title, steps in parse_ladders(data).items():
            lines.append(row(f"**{title}**", f"**{describe_depth(steps)}**", *[""] * len(PARTS)))
            lines += [row(f"{one.label}, {one.deals} deals", one.elo_in_words, *one.parts) for one in steps]
        command = data["command"].partition(" --out")[0]
        told.append(row(f"`{command}`", f"{data['processor_seconds'] / 60:.1f} minutes"))
    return "\n".join([*lines, *told])


def _three_digits(value: float) -> float:
    """The value rounded to three digits; whole numbers below 10,000 as they are."""
    return float(value if float(value).is_integer() and value < 10_000 else f"{value:.3g}")


def cell(text: object) -> str:
    """A text escaped for a cell of a Markdown table."""
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(*heads: str) -> list[str]:
    """The heading lines of a Markdown table with these columns, after an empty line."""
    return ["", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]


def row(*cells: object) -> str:
    """A row of a Markdown table, its cells escaped."""
    return "| " + " | ".join(cell(one) for one in cells) + " |"


def tables_of(name: str) -> str:
    """The text of the page docs/games/NAME.md: the tables of one game."""
    from sutler.core.play.game import Game
    from sutler.core.play.registry import load_definition

    d = load_definition(name)
    d.home.interpreted = True
    game = Game(d)
    lines = [f"# {game.title}: tables", "", "*Made by `python tools/docs.py` from the game's own tables; edit those.*"]
    for part in (options_of, actions_of, events_of, observation_of, view_of, state_of):
        lines += part(game)
    return "\n".join(lines) + "\n"


def options_of(game: Game) -> Iterator[str]:
    """Yield the lines of the chapter on a game's options."""
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
    """Yield the lines of the chapter on a game's action ids, block by block."""
    actions = game.definition.actions
    yield from ("", f"## Actions ({actions.n} ids)")
    yield from table("ids", "block", "its parts", "example", "asked when alone", "paragraph")
    for name, block in actions.blocks.items():
        ids = actions.ids(name)
        span = f"{ids.start}–{ids.stop - 1}" if len(ids) > 1 else str(ids.start)
        example = game.action_names[ids.start].name
        yield row(span, f"`{name}`", ", ".join(block.kinds), f"`{example}`", "yes" if block.ask else "", block.rule)


def events_of(game: Game) -> Iterator[str]:
    """Yield the lines of the chapters on a game's events and its refusals of actions."""
    yield from ("", "## Events", *table("event", "sentence", "paragraph"))
    for kind, event in game.definition.events.events.items():
        yield row(f"`{kind}`", event.text, event.rule)
    yield from ("", "## Refusals", *table("why not", "paragraph"))
    for one in game.definition.REFUSALS.list_game_refusals():
        yield row(one.text, one.rule or "the action's own")


def observation_of(game: Game) -> Iterator[str]:
    """Yield the lines of the chapter on a game's observation, field by field."""
    spec = game.observation_spec()
    if spec:
        yield from ("", "## Observation", "", f"{game.definition.N_OBSERVED} numbers (float32).")
        yield from table("field", "from", "shape", "kind", "scale", "what it is")
    for one in spec or ():
        shape = " × ".join(str(n) for n in one.shape) or "1"
        kind = f"{one.kind}: {one.cardinality}" if one.cardinality else one.kind
        yield row(f"`{one.name}`", one.offset, shape, kind, f"{one.scale:g}", one.meaning)


def view_of(game: Game) -> Iterator[str]:
    """Yield the lines of the chapter on a game's view, by the keys that a watcher sees at the start."""
    yield from ("", "## View", "", "What a watcher sees at the start, by key:", *table("key", "kind"))
    for key, value in game.new(seats=game.min_seats, seed=1).view(None).items():
        kind = "nothing" if value is None else type(value).__name__
        if isinstance(value, list) and value and isinstance(value[0], dict):
            kind = f"list of tables: {', '.join(f'`{one}`' for one in value[0])}"
        yield row(f"`{key}`", kind)


def state_of(game: Game) -> Iterator[str]:
    """Yield the lines of the chapter on a game's state, field by field."""
    d = game.definition
    yield from ("", "## State", "", f"{d.state.dtype.itemsize} bytes; the box takes {d.box.dtype.itemsize}.")
    yield from table("field", "type")
    for one in d.state.fields:
        base = one.type if isinstance(one.type, str) else one.type.name
        shape = f" × {' × '.join(str(n) for n in one.shape)}" if one.shape else ""
        yield row(f"`{one.name}`", f"set of {one.of}" if one.is_set else f"{base}{shape}")


def games_table(_: str = "") -> str:
    """A Markdown table of all games, for README.md."""
    from sutler.core.play.registry import games, load_definition

    lines = table("game", "seats", "minutes", "what it is")[1:]
    for name in games():
        info = load_definition(name).info
        low, high = info.seats
        link = f"[**{info.title}**](src/sutler/games/{name}/README.md), {info.designer}"
        lines.append(row(link, f"{low}–{high}" if low < high else low, info.minutes, info.tagline))
    return "\n".join(lines)


def calibration_picture(page: str) -> str:
    """An SVG file with a calibration diagram for each game (stated chance, share of wins, 95 % interval), from the text of docs/bots.md."""
    from sutler.core.play.registry import load_definition

    side, gap, top = 150, 34, 26  # px
    found: dict[str, list[tuple[float, ...]]] = {}
    for name, *row in CALIBRATION_ROW.findall(page):
        found.setdefault(load_definition(name).info.title, []).append(tuple(float(one) / 100 for one in row))
    parts = []
    for k, (name, rows) in enumerate(found.items()):
        left = 40 + k * (side + gap)

        def x(value: float, left: int = left) -> float:
            return left + side * value

        def y(value: float) -> float:
            return top + side * (1 - value)

        parts.append(f'<text class="middle" x="{x(0.5)}" y="16">{name}</text>')
        for tick in (0, 0.5, 1):
            parts.append(f'<path class="grid" d="M{x(0)} {y(tick)}H{x(1)}M{x(tick)} {y(0)}V{y(1)}"/>')
            parts.append(f'<text class="tick middle" x="{x(tick)}" y="{y(0) + 15}">{tick * 100:.0f} %</text>')
            if k == 0:
                parts.append(f'<text class="tick end" x="{x(0) - 5}" y="{y(tick) + 4}">{tick * 100:.0f} %</text>')
        parts.append(f'<path class="even" d="M{x(0)} {y(0)}L{x(1)} {y(1)}"/>')
        for at, share, low, high in rows:
            parts.append(f'<path class="span" d="M{x(at):.1f} {y(low):.1f}V{y(high):.1f}"/>')
            parts.append(f'<circle cx="{x(at):.1f}" cy="{y(share):.1f}" r="3.5"/>')
    width, height = 40 + len(found) * (side + gap), top + side + 40
    parts.append(f'<text class="tick middle" x="{width / 2}" y="{height - 6}">stated; upwards: won</text>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="0 0 {width} {height}">{PICTURE_STYLE}{"".join(parts)}</svg>\n'


def generated_pages() -> dict[Path, str]:
    """{path: text that it should have} of every page that is generated, wholly or in part."""
    os.environ["SUTLER_GAMES"] = ""
    from sutler.core.play.registry import games

    pages = {DOCS / "games" / f"{name}.md": tables_of(name) for name in games()}
    for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        if BLOCK.search(text):
            pages[path] = with_blocks(text)
    pages[DOCS / "pictures" / "calibration.svg"] = calibration_picture((DOCS / "bots.md").read_text(encoding="utf-8"))
    return pages


def main() -> int:
    """Write the pages, or with --check report those that are out of date. Returns the exit status."""
    check = "--check" in sys.argv[1:]
    stale = []
    for path, text in generated_pages().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{path}: {'out of date; run python tools/docs.py' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
