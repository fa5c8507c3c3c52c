"""The checklist of a release, gone through by a program: what is missing is said, nothing is published.

    python tools/release.py 0.2.0            # is everything ready? changes nothing
    python tools/release.py 0.2.0 --build    # then builds the sdist and the wheel into dist/ and looks into both

The version stands in two files, `pyproject.toml` and `src/sutler/__init__.py`; its tag is `v0.2.0`. What a release is made of is
pushed by a person, with the lines that are printed at the end.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")

Check = Callable[[Path, str], Iterator[str]]
"""Says what is wrong; nothing when all is well."""


def git(root: Path, *words: str) -> str:
    """What git says."""
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def has_its_number(root: Path, version: str) -> Iterator[str]:
    """The version is a version, and stands in both files."""
    if not VERSION.fullmatch(version):
        yield f"{version!r} is no version: three numbers, such as 0.2.0, perhaps with a1, b1 or rc1 behind"
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if project != version:
        yield f"pyproject.toml says {project}"
    told = re.search(r'^__version__ = "(.+)"$', (root / "src/sutler/__init__.py").read_text(encoding="utf-8"), re.M)
    if told is None or told[1] != version:
        yield f"src/sutler/__init__.py says {told[1] if told else 'nothing'}"
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    if cited is not None and cited[1].strip("\"'") != version:
        yield f"CITATION.cff says {cited[1]}"


def is_told(root: Path, version: str) -> Iterator[str]:
    """CHANGELOG.md has a chapter for it, the first one, with something in it."""
    chapters = re.split(r"^## ", (root / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M)[1:]
    newest, _, told = chapters[0].partition("\n") if chapters else ("", "", "")
    if newest.split()[:1] != [version]:
        yield f"CHANGELOG.md begins with {newest or 'nothing'!r}, not with {version}"
    elif "- " not in told:
        yield f"CHANGELOG.md says nothing about {version}"


def is_kept(root: Path, version: str) -> Iterator[str]:
    """Everything is committed, on main, and no tag of that name is there."""
    if git(root, "status", "--porcelain"):
        yield "not everything is committed: git status"
    if (branch := git(root, "rev-parse", "--abbrev-ref", "HEAD")) != "main":
        yield f"this is the branch {branch}, not main"
    if git(root, "tag", "--list", f"v{version}"):
        yield f"the tag v{version} is there already"


def is_complete(root: Path, version: str) -> Iterator[str]:
    """No game is half built."""
    for path in sorted((root / "src/sutler/games").glob("*/UNFINISHED.md")):
        yield f"{path.parent.name} is not finished: {path.relative_to(root)}"


CHECKS: tuple[Check, ...] = (has_its_number, is_told, is_kept, is_complete)


def missing(root: Path, version: str) -> list[str]:
    """Everything that is wrong."""
    return [fault for check in CHECKS for fault in check(root, version)]


def build(root: Path, version: str) -> list[str]:
    """Make both files, and what is wrong with them: each must hold the licence, the guides, the boards and the letters."""
    uv = shutil.which("uv") or str(root / ".tools" / "bin" / "uv")
    subprocess.run([uv, "build", "--quiet", "--out-dir", str(root / "dist"), str(root)], check=True)
    wheel, source = root / f"dist/sutler-{version}-py3-none-any.whl", root / f"dist/sutler-{version}.tar.gz"
    with zipfile.ZipFile(wheel) as opened:
        in_wheel = opened.namelist()
    with tarfile.open(source) as archive:
        in_source = archive.getnames()
    wanted = ("/LICENSE", "/NOTICE", "/guide.md", "/board.html", ".woff2", "/box.toml")
    return [
        f"{file.name} holds no {end}"
        for file, names in ((wheel, in_wheel), (source, in_source))
        for end in wanted
        if not any(name.endswith(end) for name in names)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("version", help="such as 0.2.0")
    parser.add_argument("--build", action="store_true", help="build the sdist and the wheel as well")
    asked = parser.parse_args()
    faults = missing(ROOT, asked.version)
    if asked.build and not faults:
        faults = build(ROOT, asked.version)
    for fault in faults:
        print(f"  not yet: {fault}", file=sys.stderr)
    if faults:
        return 1
    print(f"{asked.version} is ready. What a person does now:")
    print("  .ci/run                                  # green, on a fresh clone of this commit")
    print(
        "  python tools/load.py; python tools/crash.py; sutler bench --json   # the figures in docs/ are of this machine"
    )
    print(f"  git tag -s v{asked.version} -m 'Sutler {asked.version}' && git push origin main v{asked.version}")
    print(f"  uv publish dist/sutler-{asked.version}*" if asked.build else "  python tools/release.py VERSION --build")
    return 0


if __name__ == "__main__":
    sys.exit(main())
