"""Regenerate the golden playthroughs, passages, cards and the public face; their diff is part of the review of a rules change.

`python tools/golden.py face`: the public face alone.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from contract import public_face
from contract.passages import FOLDER, reprinted
from games.sixwinters import cards as sixwinters
from sutler.core.files.golden import main


def passages() -> None:
    """Regenerate the passages of all games, each as far as its actions are still legal."""
    for path in sorted(FOLDER.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        new = reprinted(path.stem, path)
        path.write_text(new, encoding="utf-8")
        if new != text:
            print(f"{path}: changed")


def cards() -> None:
    """Regenerate the descriptions of what each card of Six Winters does."""
    sixwinters.PATH.write_text(sixwinters.written(), encoding="utf-8")


def face() -> None:
    """Regenerate the list of what others may name of each game."""
    public_face.FILE.write_text(public_face.written(), encoding="utf-8")


if __name__ == "__main__":
    face()
    if sys.argv[1:] == ["face"]:
        sys.exit()
    passages()
    cards()
    sys.exit(main([str(path) for path in sorted(FOLDER.parent.glob("*.play"))]))
