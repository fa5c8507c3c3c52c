"""The checklist of a release, gone through by a program: what is missing is said, nothing is published.

    python tools/release.py 0.2.0            # is everything ready? changes nothing
    python tools/release.py 0.2.0 --build    # then tries licences, pages and the wheel, builds both files into dist/, looks into them

The version is the tag's, `v0.2.0`; a build takes it from there. What a release is made of is pushed by a person, with the lines
that are printed at the end.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")

MEASURED = ("src/sutler/core", "src/sutler/games", "src/sutler/bots")

Check = Callable[[Path, str], Iterator[str]]
"""Says what is wrong; nothing when all is well."""


def git(root: Path, *words: str) -> str:
    """What git says."""
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def has_its_number(root: Path, version: str) -> Iterator[str]:
    """The version is a version, and the one that is to be cited."""
    if not VERSION.fullmatch(version):
        yield f"{version!r} is no version: three numbers, such as 0.2.0, perhaps with a1, b1 or rc1 behind"
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    if cited is None or cited[1].strip("\"'") != version:
        yield f"CITATION.cff says {cited[1] if cited else 'nothing'}"


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


def is_measured(root: Path, version: str) -> Iterator[str]:
    """How fast it is was measured with what is released: benchmarks/VERSION.json is younger than the rules and the bots."""
    file = f"benchmarks/{version}.json"
    if not (root / file).exists():
        yield f"there is no {file}: sutler bench --json > {file}"
        return
    measured = git(root, "log", "-1", "--format=%H", "--", file)
    since = git(root, "rev-list", "--count", f"{measured}..HEAD", "--", *MEASURED) if measured else "0"
    if since != "0":
        yield f"{file} is older than {since} changes of rules or bots: sutler bench --json > {file}"


CHECKS: tuple[Check, ...] = (has_its_number, is_told, is_kept, is_complete, is_measured)
TRIED = (
    ("the licence of something packed is not told", ("-m", "pytest", "-q", "tests/test_notice.py")),
    ("the wheel does not play by itself", ("-m", "pytest", "-q", "tests/test_install.py", "-k", "not learned")),
    ("what is generated in docs/ is old", ("tools/docs.py", "--check")),
    ("the site of pages cannot be built", ("-m", "mkdocs", "build", "--quiet")),
)
"""What must run through before anything is built, and what it means when it does not."""


def missing(root: Path, version: str) -> list[str]:
    """Everything that is wrong."""
    return [fault for check in CHECKS for fault in check(root, version)]


def tried(root: Path, runs: Sequence[tuple[str, Sequence[str]]] = TRIED) -> list[str]:
    """What does not run through: licences, the wheel in an empty environment, the pages."""
    return [
        f"{what}: python {' '.join(words)}"
        for what, words in runs
        if subprocess.run([sys.executable, *words], cwd=root, check=False).returncode
    ]


def build(root: Path, version: str) -> list[str]:
    """Make both files, and what is wrong with them: each must hold the licence, the guides, the boards and the letters."""
    uv = shutil.which("uv") or str(root / ".tools" / "bin" / "uv")
    env = os.environ | {"SETUPTOOLS_SCM_PRETEND_VERSION": version}  # its tag comes last, when all is well
    words = [uv, "build", "--quiet", "--out-dir", str(root / "dist"), str(root)]
    if subprocess.run(words, env=env, check=False).returncode:
        print("once more, with the system's certificates", file=sys.stderr)
        subprocess.run(words, env=env | {"UV_NATIVE_TLS": "1"}, check=True)
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
    parser.add_argument("--build", action="store_true", help="try and build the sdist and the wheel as well")
    asked = parser.parse_args()
    faults = missing(ROOT, asked.version)
    if asked.build and not faults:
        faults = tried(ROOT) or build(ROOT, asked.version)
    for fault in faults:
        print(f"  not yet: {fault}", file=sys.stderr)
    if faults:
        return 1
    print(f"{asked.version} is ready. What a person does now:")
    print("  .ci/run                                  # green, on a fresh clone of this commit")
    print(
        "  python studies/load.py; python studies/crash_recovery.py        # the figures in docs/hosting.md are of this machine"
    )
    print(f"  git tag -s v{asked.version} -m 'Sutler {asked.version}' && git push origin main v{asked.version}")
    print(f"  uv publish dist/sutler-{asked.version}*" if asked.build else "  python tools/release.py VERSION --build")
    return 0


if __name__ == "__main__":
    sys.exit(main())
