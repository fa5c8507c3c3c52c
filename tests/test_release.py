"""A release comes with hashes that can be checked, and known faults of libraries are asked for and not made up."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from programs import TOOLS, tool


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    return tool("release")


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="there is no sha256sum here")
def test_hashes_are_those_of_the_files_and_nothing_else_is_among_them(release: ModuleType, tmp_path: Path) -> None:
    for name in ("sutler-0.2.0.tar.gz", "sutler-0.2.0-py3-none-any.whl", "sutler-0.1.0.tar.gz", "notes.txt"):
        (tmp_path / name).write_bytes(name.encode())
    sums = release.write_hashes(tmp_path, "0.2.0")
    check = ["sha256sum", "--check", "--strict", sums.name]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.count(": OK")) == (0, 2), done.stderr
    assert "0.1.0" not in sums.read_text()
    (tmp_path / "sutler-0.2.0.tar.gz").write_bytes(b"another file")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode == 1


def test_the_libraries_of_a_house_are_told_with_their_hashes(release: ModuleType, tmp_path: Path) -> None:
    if not Path(release.audit.uv()).exists():
        pytest.skip("there is no uv here")
    text = release.write_requirements(tmp_path, "0.2.0").read_text(encoding="utf-8")
    libraries = [line for line in text.splitlines() if "==" in line]
    assert {"fastapi", "psycopg", "webauthn", "segno"} <= {line.split("==")[0].partition("[")[0] for line in libraries}
    assert "pytest==" not in text
    assert "sutler==" not in text
    assert text.count("--hash=sha256:") >= len(libraries)


SOUND = {"name": "a", "version": "1", "vulns": []}
FAULTY = {
    "name": "b",
    "version": "2",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"]}, {"id": "PYSEC-2", "fix_versions": []}],
}
SKIPPED = {"name": "c", "skip_reason": "Dependency not found on PyPI and could not be audited: c (1)"}


@pytest.mark.parametrize(
    ("report", "faults", "words"),
    [
        (json.dumps({"dependencies": [SOUND, FAULTY, SKIPPED]}), 2, "b 2: PYSEC-1, mended in 3"),
        (json.dumps({"dependencies": [SOUND, SKIPPED]}), 0, "not looked up: c"),
        (json.dumps({"dependencies": [SKIPPED]}), None, "nothing was looked up"),
        ("", None, "nothing was looked up: no route"),
    ],
    ids=["faulty", "sound", "all skipped", "no answer"],
)
def test_what_was_not_looked_up_is_not_called_sound(report: str, faults: int | None, words: str) -> None:
    found, lines = tool("audit").report_summary(report, "first\nno route\n")
    assert found == faults
    assert any(words in line for line in lines), lines


@pytest.mark.parametrize(
    ("faults", "words", "status"), [(0, [], 0), (2, [], 1), (None, [], 0), (None, ["--required"], 1)]
)
def test_only_a_known_fault_fails(
    faults: int | None,
    words: list[str],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = tool("audit")
    monkeypatch.setattr(program, "audit", lambda: (faults, ["said"]))
    assert program.main(words) == status
    assert capsys.readouterr().out == "said\n"


def test_it_runs_where_ci_runs() -> None:
    assert "make audit" in (TOOLS.parent / ".ci" / "run").read_text()
    assert sys.version_info >= (3, 11)
