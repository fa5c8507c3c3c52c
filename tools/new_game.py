"""`make new-game GAME=name`: copy the smallest game, Market, into src/sutler/games/name to begin from."""

from __future__ import annotations

import keyword
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SMALLEST = ROOT / "examples" / "market"
GAMES = ROOT / "src" / "sutler" / "games"


def main(name: str, games: Path = GAMES) -> int:
    """Copy and rename."""
    if not re.fullmatch(r"[a-z][a-z0-9]*", name) or keyword.iskeyword(name):
        print("make new-game GAME=name: a word of small letters and digits, such as GAME=harvest", file=sys.stderr)
        return 2
    folder = games / name
    if folder.exists():
        print(f"{folder} is there already", file=sys.stderr)
        return 2
    shutil.copytree(SMALLEST, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted(folder.iterdir()):
        text = path.read_text(encoding="utf-8")
        text = text.replace("sutler.games.market", f"sutler.games.{name}").replace("Market", name.capitalize())
        path.write_text(text, encoding="utf-8")
    print(f"{folder}: a copy of Market. Next: docs/write-a-game.md; then `sutler play {name}` and")
    print(f"  uv run pytest tests/contract -k {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2] or [""]))
