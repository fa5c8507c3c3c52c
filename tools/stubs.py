"""Generate type stubs for the records of each game, so that editors complete `state.` and mypy checks the rules.

`python tools/stubs.py` writes `games/<game>/records.pyi`; `--check` reports those that are out of date.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sutler.core.play.registry import games, load_definition
from sutler.core.record import Field, Record

HEAD = '''"""Made by `python tools/stubs.py` from the records of {title}; edit those."""

from sutler.core.typing import Bits, Cube, Grid, Row, Word
'''


def type_of(one: Field) -> str:
    """The annotation of a record's field in a stub, such as `Row[int]`."""
    shape = one.shape[:-1] if one.is_set else one.shape
    if isinstance(one.type, Record):
        base = one.type.name
    elif one.is_set:
        base = "Bits"
    elif one.type.lstrip("<>=|") == "u8":
        base = "Word"
    else:
        base = "float" if one.type.lstrip("<>=|").startswith("f") else "int"
    return {0: base, 1: f"Row[{base}]", 2: f"Grid[{base}]", 3: f"Cube[{base}]"}[len(shape)]


def records_in(layout: Record, found: dict[str, Record]) -> dict[str, Record]:
    """Add a record and those nested in it to `found`, innermost first; returns `found`."""
    for one in layout.fields:
        if isinstance(one.type, Record):
            records_in(one.type, found)
    found.setdefault(layout.name, layout)
    return found


def stub_of(game: str) -> str:
    """The text of the stub for the records of a game: its box, its state, and the notes of its bots."""
    d = load_definition(game)
    found = records_in(d.state, records_in(d.box, {}))
    if d.NOTES is not None:
        records_in(d.NOTES, found)
    classes = []
    for name, layout in found.items():
        lines = [f"    {one.name}: {type_of(one)}" for one in layout.fields]
        classes.append("\n".join([f"class {name}:", *lines]))
    body = "\n\n".join([HEAD.format(title=d.info.title).rstrip(), *classes]) + "\n"
    unused = [word for word in ("Bits", "Cube", "Grid", "Row", "Word") if body.count(word) == 1]
    for word in unused:
        body = body.replace(f"{word}, ", "", 1).replace(f", {word}\n", "\n", 1)
    return body


def main(arguments: list[str]) -> int:
    """Write the stubs, or with --check report those that are out of date. Returns the exit status."""
    stale = 0
    for game in games():
        path: Path = load_definition(game).folder / "records.pyi"
        text = stub_of(game)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if "--check" in arguments:
            stale = 1
            print(f"{path} is out of date: python tools/stubs.py")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{path}: written")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
