"""Make each game's icon sprite, board/icons.svg, from the game-icons set.

    npm install --prefix /tmp/icons @iconify-json/game-icons
    python tools/icons.py /tmp/icons/node_modules/@iconify-json/game-icons/icons.json [--check]

A game's sprite holds the icons its box.toml names (every `icon = "..."`), and from tools/icons.toml those listed for
that game and those shared by all. The sprites are committed; --check only reports those that are out of date.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = ROOT / "tools" / "icons.toml"
GAMES = ROOT / "src" / "sutler" / "games"

OPENING = """<svg xmlns="http://www.w3.org/2000/svg">
<!-- Icons from https://game-icons.net, used under CC BY 3.0 (https://creativecommons.org/licenses/by/3.0/).
     Unchanged but for the removed background and fill, so that they take the colour of the text around them.
     Icons made by
{credits} -->
"""


def named_icons(entry: object) -> set[str]:
    """All values of keys `icon` in a box file, at any depth."""
    if isinstance(entry, dict):
        own = {entry["icon"]} if isinstance(entry.get("icon"), str) else set()
        return own.union(*(named_icons(value) for value in entry.values()))
    if isinstance(entry, list):
        return set().union(*(named_icons(value) for value in entry))
    return set()


def symbol(name: str, icon: dict, width: int, height: int) -> str:
    """One icon as a symbol `i-NAME`. It has no fill of its own: the page decides, as it does for text."""
    box = f"0 0 {icon.get('width', width)} {icon.get('height', height)}"
    body = re.sub(r' fill="currentColor"', "", icon["body"])
    return f'<symbol id="i-{name}" viewBox="{box}">{body}</symbol>\n'


def credits(names: list[str], author_of: dict[str, str]) -> str:
    """A line for each author with their icons, sorted by number."""
    made: dict[str, list[str]] = {}
    for name in names:
        made.setdefault(author_of[name], []).append(name)
    by_share = sorted(made.items(), key=lambda item: (-len(item[1]), item[0]))
    return "\n".join(f"     {author}: {', '.join(icons)}" for author, icons in by_share)


def sprite(names: list[str], icons: dict, author_of: dict[str, str]) -> str:
    """An SVG file with a symbol for each name."""
    size = icons["width"], icons["height"]
    symbols = (symbol(name, icons["icons"][name], *size) for name in names)
    return OPENING.format(credits=credits(names, author_of)) + "".join(symbols) + "</svg>\n"


def main(icons_file: str, *flags: str) -> int:
    """Write each game's sprite, or check it. Returns the exit status."""
    icons = json.loads(Path(icons_file).read_text(encoding="utf-8"))
    lists = tomllib.loads(LISTS.read_text(encoding="utf-8"))
    author_of = {name: author for author, names in lists["authors"].items() for name in names}
    status = 0
    for box in sorted(GAMES.glob("*/box.toml")):
        game = box.parent.name
        names = named_icons(tomllib.loads(box.read_text(encoding="utf-8")))
        names = sorted(names.union(lists["shared"], lists["games"].get(game, [])))
        if unknown := [name for name in names if name not in icons["icons"]]:
            sys.exit(f"{game}: no such icon: {', '.join(unknown)}")
        if nameless := [name for name in names if name not in author_of]:
            sys.exit(f"{game}: tools/icons.toml names no author for: {', '.join(nameless)}")
        target, text = box.parent / "board" / "icons.svg", sprite(names, icons, author_of)
        if "--check" in flags:
            fresh = target.exists() and target.read_text(encoding="utf-8") == text
            status |= not fresh
            print(f"{game}: {'as it should be' if fresh else 'stale'}")
        else:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
            print(f"{game}: {len(names)} icons, {len(text) // 1024} kB")
    return status


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
