"""Store games of a release, which every later release must open: `tests/kept/<version>/<game>-<seats>.json`.

    python tools/keep_games.py            # at a release: one new game of each, at its fewest and most seats
    python tools/keep_games.py sixwinters # of this game only, in addition
    python tools/keep_games.py --note     # after an intended change of rules: note which games break, and where

Broken games are noted in `tests/kept/breaks.toml`; its diff is part of the review of the change.
"""

import argparse
import random
import sys
from pathlib import Path

import sutler
from sutler.core.files.gamefile import GameFileError, parse_game_file
from sutler.core.files.replay import replay_to_break

KEPT = Path(__file__).parent.parent / "tests" / "kept"
MAX_DECISIONS = 600
"""The number of decisions after which a game is stored unfinished, since some random games last for thousands."""
HEAD = "# Games of earlier releases that changed rules lead elsewhere, and after how many decisions (-1: none is possible)."


def main() -> int:
    """Run the command line: keep new games unless --note is given, then note which games break."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=sutler.games())
    parser.add_argument("--note", action="store_true")
    asked = parser.parse_args()
    if not asked.note:
        keep(KEPT / sutler.__version__, asked.games)
    note()
    return 0


def keep(folder: Path, games: list[str]) -> None:
    """Play a random game of each of `games` at its fewest and at its most seats, and save them in `folder` in place of older ones."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in games:
        for old in folder.glob(f"{name}-*.json"):
            old.unlink()
        game = sutler.load(name)
        for seats in sorted({max(2, game.min_seats), game.max_seats}):
            pos, luck = game.new(seats, seed=1618), random.Random(seats)
            while not pos.over and len(pos.decisions) < MAX_DECISIONS:
                pos.play(luck.choice(pos.legal_ids()))
            pos.save(folder / f"{name}-{seats}.json")
            print(f"{name}, {seats} seats: {len(pos.decisions)} decisions")


def note() -> None:
    """Write `breaks.toml`: which stored games break under today's rules, and after how many decisions."""
    lines = [HEAD]
    for folder in sorted(path for path in KEPT.iterdir() if path.is_dir()):
        broken = {path.stem: where for path in sorted(folder.glob("*.json")) if (where := breaks(path)) is not None}
        lines += [f'["{folder.name}"]', *(f"{name} = {where}" for name, where in broken.items())]
    (KEPT / "breaks.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def breaks(path: Path) -> int | None:
    """The number of decisions after which a stored game breaks; -1 if it cannot begin; None if it replays to the byte."""
    try:
        _, broken = replay_to_break(parse_game_file(path.read_text(encoding="utf-8")))
    except GameFileError:
        return -1
    return None if broken is None else broken.decision


if __name__ == "__main__":
    sys.exit(main())
