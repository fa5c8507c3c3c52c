"""Print the golden playthroughs and the passages anew; the diff of a rules change is its review."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from contract.passages import FOLDER, reprinted
from sutler.core.golden import main


def passages() -> None:
    """Print the passages of all games anew, each as far as its actions are legal still."""
    for path in sorted(FOLDER.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        new = reprinted(path.stem, path)
        path.write_text(new, encoding="utf-8")
        if new != text:
            print(f"{path}: changed")


if __name__ == "__main__":
    passages()
    sys.exit(main([str(path) for path in sorted(FOLDER.parent.glob("*.play"))]))
