"""Print the golden playthroughs anew; the diff of a rules change is its review."""

import sys
from pathlib import Path

from sutler.core.golden import main

GOLDEN = Path(__file__).parent.parent / "tests" / "golden"

if __name__ == "__main__":
    sys.exit(main([str(path) for path in sorted(GOLDEN.glob("*.play"))]))
