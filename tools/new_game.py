"""`make new-game GAME=name`: copy the smallest game, Market, and its tests into this tree; `sutler new-game` makes a project outside it."""

from __future__ import annotations

import sys
from pathlib import Path

from sutler.cli.developer_commands.new_game import copy_game_folder, find_market_folders, is_valid_game_name

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "src" / "sutler" / "games"
TESTS = ROOT / "tests" / "games"


def main(name: str, games: Path = GAMES, tests: Path = TESTS) -> int:
    """Copy Market under a new name. Returns the exit status: 2 if the name is bad or taken."""
    if not is_valid_game_name(name):
        print("make new-game GAME=name: a word of small letters and digits, such as GAME=harvest", file=sys.stderr)
        return 2
    folder = games / name
    if folder.exists():
        print(f"{folder} is there already", file=sys.stderr)
        return 2
    game, its_tests = find_market_folders()
    copy_game_folder(game, folder, name)
    copy_game_folder(its_tests, tests / name, name)
    print(f"{folder}: a copy of Market. Next: docs/write-a-game.md; then `sutler play {name}` and")
    print(f"  uv run pytest tests/games/{name} src/sutler/contract tests/contract -k {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2] or [""]))
