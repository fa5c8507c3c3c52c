"""Check that a release is ready, and build it; nothing is published.

    python tools/release.py 0.2.0            # print what is missing; changes nothing
    python tools/release.py 0.2.0 --build    # then check licences, pages and wheel, and build all files into dist/

Besides the sdist and the wheel for everybody it builds one for Linux and each of PYTHONS that brings its machine code, and writes
the libraries a house runs on with their hashes, and SHA256SUMS over all of it.

The version is that of the tag, `v0.2.0`. A person pushes and uploads, with the commands that are printed at the end.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import audit
from machine_code import MAX_FIRST_SIMULATION_S, UV, with_machine_code

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")

HASHES_NAME = "SHA256SUMS"
PYTHONS = ("3.11", "3.12", "3.13")
"""The versions of Python for which a wheel with machine code for Linux is built; with others, rules are compiled when first played."""

BENCHMARKED_PATHS = ("src/sutler/core", "src/sutler/games", "src/sutler/bots")

Check = Callable[[Path, str], Iterator[str]]
"""A check of the release: a function (root folder, version) that yields faults in words."""


def git(root: Path, *words: str) -> str:
    """The output of a git command."""
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def has_its_number(root: Path, version: str) -> Iterator[str]:
    """Check that the version is well-formed, and stands in CITATION.cff."""
    if not VERSION.fullmatch(version):
        yield f"{version!r} is no version: three numbers, such as 0.2.0, perhaps with a1, b1 or rc1 behind"
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    if cited is None or cited[1].strip("\"'") != version:
        yield f"CITATION.cff says {cited[1] if cited else 'nothing'}"


def is_in_changelog(root: Path, version: str) -> Iterator[str]:
    """Check that the first chapter of CHANGELOG.md is about this version, and not empty."""
    chapters = re.split(r"^## ", (root / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M)[1:]
    newest, _, told = chapters[0].partition("\n") if chapters else ("", "", "")
    if newest.split()[:1] != [version]:
        yield f"CHANGELOG.md begins with {newest or 'nothing'!r}, not with {version}"
    elif "- " not in told:
        yield f"CHANGELOG.md says nothing about {version}"


def is_committed(root: Path, version: str) -> Iterator[str]:
    """Check that everything is committed, on the branch main, and the tag does not exist yet."""
    if git(root, "status", "--porcelain"):
        yield "not everything is committed: git status"
    if (branch := git(root, "rev-parse", "--abbrev-ref", "HEAD")) != "main":
        yield f"this is the branch {branch}, not main"
    if git(root, "tag", "--list", f"v{version}"):
        yield f"the tag v{version} is there already"


def is_complete(root: Path, version: str) -> Iterator[str]:
    """Check that no game is marked as unfinished."""
    for path in sorted((root / "src/sutler/games").glob("*/UNFINISHED.md")):
        yield f"{path.parent.name} is not finished: {path.relative_to(root)}"


def is_measured(root: Path, version: str) -> Iterator[str]:
    """Check that benchmarks/VERSION.json is newer than the last change of rules or bots."""
    file = f"benchmarks/{version}.json"
    if not (root / file).exists():
        yield f"there is no {file}: sutler bench --json > {file}"
        return
    measured = git(root, "log", "-1", "--format=%H", "--", file)
    since = git(root, "rev-list", "--count", f"{measured}..HEAD", "--", *BENCHMARKED_PATHS) if measured else "0"
    if since != "0":
        yield f"{file} is older than {since} changes of rules or bots: sutler bench --json > {file}"


CHECKS: tuple[Check, ...] = (has_its_number, is_in_changelog, is_committed, is_complete, is_measured)
BUILD_CHECKS = (
    ("the licence of something packed is not told", ("-m", "pytest", "-q", "tests/test_notice.py")),
    ("the wheel does not play by itself", ("-m", "pytest", "-q", "tests/test_install.py", "-k", "not learned")),
    ("what is generated in docs/ is old", ("tools/docs.py", "--check")),
    ("the site of pages cannot be built", ("-m", "mkdocs", "build", "--quiet")),
)
"""Programs that must succeed before the build, each with what its failure means."""


def missing(root: Path, version: str) -> list[str]:
    """The faults that the CHECKS find, in words; [] if the release is ready."""
    return [fault for check in CHECKS for fault in check(root, version)]


def failed_checks(root: Path, runs: Sequence[tuple[str, Sequence[str]]] = BUILD_CHECKS) -> list[str]:
    """Run programs (licences, wheel, pages); returns a sentence for each that fails. `runs`: (what its failure means, command)."""
    return [
        f"{what}: python {' '.join(words)}"
        for what, words in runs
        if subprocess.run([sys.executable, *words], cwd=root, check=False).returncode
    ]


def build(root: Path, version: str) -> list[str]:
    """Build sdist and wheel; returns their faults in words: both must hold the licence, the guides, the boards and the fonts."""
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


def write_hashes(dist: Path, version: str) -> Path:
    """Write SHA256SUMS over all files of this version in a folder, as `sha256sum --check` reads it; returns its path."""
    files = sorted(path for path in dist.iterdir() if path.name.startswith(f"sutler-{version}") and path.is_file())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    sums = dist / HASHES_NAME
    sums.write_text("".join(lines), encoding="ascii")
    return sums


def write_requirements(dist: Path, version: str) -> Path:
    """Write the requirements file of all libraries that a server runs on, with hashes; returns its path."""
    file = dist / f"sutler-{version}-requirements.txt"
    file.write_text(audit.requirements(), encoding="utf-8")
    return file


def compiled_wheels(wheel: Path) -> list[str]:
    """Build and try a wheel with machine code for each of PYTHONS; returns faults in words."""
    faults = []
    for python in PYTHONS:
        if subprocess.run([UV, "python", "find", "--quiet", python], stdout=subprocess.DEVNULL, check=False).returncode:
            faults.append(f"there is no Python {python} here to compile with: uv python install {python}")
            continue
        made, seconds = with_machine_code(wheel, python, [])
        print(f"{made.name}: the first simulation after {seconds:.1f} s")
        if seconds > MAX_FIRST_SIMULATION_S:
            faults.append(f"{made.name}: the first simulation took {seconds:.1f} s, more than {MAX_FIRST_SIMULATION_S}")
    return faults


def main() -> int:
    """Check, build if asked, and print what a person does next. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("version", help="such as 0.2.0")
    parser.add_argument("--build", action="store_true", help="try and build the sdist and the wheel as well")
    asked = parser.parse_args()
    faults = missing(ROOT, asked.version)
    if asked.build and not faults:
        wheel = ROOT / f"dist/sutler-{asked.version}-py3-none-any.whl"
        faults = failed_checks(ROOT) or build(ROOT, asked.version) or compiled_wheels(wheel)
        if not faults:
            write_requirements(ROOT / "dist", asked.version)
            print(write_hashes(ROOT / "dist", asked.version))
    for fault in faults:
        print(f"  not yet: {fault}", file=sys.stderr)
    if faults:
        return 1
    print(f"{asked.version} is ready. What a person does now:")
    print("  .ci/run && make test-all                 # green, on a fresh clone of this commit")
    print(
        "  python studies/load.py; python studies/crash_recovery.py        # the figures in docs/hosting.md are of this machine"
    )
    print(f"  git tag -s v{asked.version} -m 'Sutler {asked.version}' && git push origin main v{asked.version}")
    print(f"  gpg --armor --detach-sign dist/{HASHES_NAME}    # both go beside the files, wherever they are offered")
    print(
        f"  uv publish dist/sutler-{asked.version}*.whl dist/sutler-{asked.version}.tar.gz"
        if asked.build
        else "  python tools/release.py VERSION --build"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
