"""`make new-game GAME=name`: copy the smallest game, Market, and its tests into this tree to begin from."""

from __future__ import annotations

import keyword
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SMALLEST = ROOT / "examples" / "market"
GAMES = ROOT / "src" / "sutler" / "games"
TESTS = ROOT / "tests" / "games"


def copied(source: Path, target: Path, name: str) -> None:
    """A folder under another name, the old name replaced in its text files."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted(target.rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8").replace("sutler.games.market", f"sutler.games.{name}")
            text = text.replace("Market", name.capitalize()).replace('"market"', f'"{name}"')
            path.write_text(text.replace("tests/games/market", f"tests/games/{name}"), encoding="utf-8")
            if path.name == "test_market.py":
                path.rename(path.with_name(f"test_{name}.py"))


def main(name: str, games: Path = GAMES, tests: Path = TESTS) -> int:
    """Copy and rename."""
    if not re.fullmatch(r"[a-z][a-z0-9]*", name) or keyword.iskeyword(name):
        print("make new-game GAME=name: a word of small letters and digits, such as GAME=harvest", file=sys.stderr)
        return 2
    folder = games / name
    if folder.exists():
        print(f"{folder} is there already", file=sys.stderr)
        return 2
    copied(SMALLEST, folder, name)
    copied(TESTS / "market", tests / name, name)
    print(f"{folder}: a copy of Market. Next: docs/write-a-game.md; then `sutler play {name}` and")
    print(f"  uv run pytest tests/games/{name} tests/contract -k {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2] or [""]))
