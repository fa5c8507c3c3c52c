"""What the records hold is written down beside them, and fresh."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_stubs_are_fresh() -> None:
    """`python tools/stubs.py` would change nothing."""
    done = subprocess.run(
        [sys.executable, "tools/stubs.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
