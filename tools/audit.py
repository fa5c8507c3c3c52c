"""Look up known security faults of the libraries that a server runs on: `python tools/audit.py`, by pip-audit, for the versions of uv.lock.

Exit status 1: a fault is known. If pip-audit's data cannot be reached, that is printed and the status is 0, with `--required` 1.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("postgres", "passkey")
"""The optional dependencies that servers install."""
TIMEOUT_S = 300


def uv() -> str:
    """The path of the program uv."""
    return shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")


def requirements() -> str:
    """The libraries that a server runs on, with the versions and hashes of uv.lock, in the format of a requirements file."""
    extras = [word for extra in EXTRAS for word in ("--extra", extra)]
    words = [uv(), "export", "--quiet", "--frozen", "--no-dev", "--no-emit-project", "--no-header", *extras]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def report_summary(report: str, trouble: str) -> tuple[int | None, list[str]]:
    """(number of known faults, lines for people); the number is None where nothing could be looked up.

    `report`: pip-audit's JSON; `trouble`: its standard error. pip-audit counts libraries that it skipped as without faults; here they are
    listed as not looked up.
    """
    try:
        found = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        last = trouble.strip().splitlines()[-1:] or ["it printed nothing"]
        return None, [f"nothing was looked up: {last[0]}"]
    skipped = [one["name"] for one in found if "skip_reason" in one]
    looked_up = [one for one in found if "skip_reason" not in one]
    if not looked_up:
        return None, [f"nothing was looked up: none of {len(skipped)} libraries is known where pip-audit asks"]
    faults = [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'no version yet'}"
        for one in looked_up
        for fault in one["vulns"]
    ]
    lines = [f"{len(looked_up)} libraries were looked up; {len(faults)} known faults", *faults]
    return len(faults), lines + ([f"not looked up: {', '.join(skipped)}"] if skipped else [])


def audit() -> tuple[int | None, list[str]]:
    """Run pip-audit; returns (number of known faults, lines for people), see `report_summary`."""
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "requirements.txt"
        listed.write_text(requirements(), encoding="utf-8")
        words = [uv(), "tool", "run", "--quiet", "pip-audit", "--disable-pip", "--require-hashes", "--format", "json"]
        try:
            done = subprocess.run(
                [*words, "--progress-spinner", "off", "-r", str(listed)],
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, [f"nothing was looked up: no answer in {TIMEOUT_S} s"]
    return report_summary(done.stdout, done.stderr)


def main(words: Sequence[str] | None = None) -> int:
    """Run the audit and print its result; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--required", action="store_true", help="fail where nothing could be looked up")
    asked = parser.parse_args(words)
    faults, lines = audit()
    print("\n".join(lines))
    return int(asked.required) if faults is None else int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
