"""The checklist of a release finds what is missing."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import release  # noqa: E402


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project that is ready to be released as 1.2.0."""
    files = {
        "benchmarks/1.2.0.json": "{}",
        "src/sutler/games/manor/box.toml": "",
        "CITATION.cff": "version: 1.2.0\n",
        "CHANGELOG.md": "# Changes\n\n## 1.2.0\n\n- Something.\n\n## 1.1.0\n\n- Else.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "everything"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    return tmp_path


def test_what_is_ready_is_ready(project: Path) -> None:
    """Nothing is found missing."""
    assert release.missing(project, "1.2.0") == []


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("CITATION.cff", "1.2.0", "1.1.0", "CITATION.cff says 1.1.0"),
        ("CHANGELOG.md", "## 1.2.0\n\n- Something.\n\n", "", "begins with '1.1.0'"),
        ("CHANGELOG.md", "- Something.", "", "says nothing about 1.2.0"),
        ("src/sutler/games/manor/UNFINISHED.md", "", "The end is missing.", "manor is not finished"),
    ],
)
def test_what_is_missing_is_told(project: Path, file: str, old: str, new: str, told: str) -> None:
    """Each thing by itself, in words; and that it is not committed."""
    path = project / file
    path.write_text(path.read_text().replace(old, new, 1) if path.exists() else new)
    found = release.missing(project, "1.2.0")
    assert len(found) == 2
    assert any(told in one for one in found)
    assert any("not everything is committed" in one for one in found)


def test_a_version_is_three_numbers_and_new(project: Path) -> None:
    """No other word will do, and no tag that is there."""
    assert any("is no version" in one for one in release.missing(project, "next"))
    subprocess.run(["git", "tag", "v1.2.0"], cwd=project, check=True)
    assert release.missing(project, "1.2.0") == ["the tag v1.2.0 is there already"]


def commit(project: Path, file: str, text: str = "") -> None:
    """Write a file, or take it away, and keep that."""
    path = project / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text) if text else path.unlink()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    for words in (["add", "-A"], ["commit", "-qm", file]):
        subprocess.run([*git, *words], cwd=project, check=True)


def test_speed_is_measured_with_what_is_released(project: Path) -> None:
    """A change of rules or bots after the measuring is told; one of the pages is not; without figures there is no release."""
    commit(project, "docs/play.md", "Playing.")
    assert release.missing(project, "1.2.0") == []
    commit(project, "src/sutler/games/manor/rules.py", "WAGE = 2")
    assert release.missing(project, "1.2.0") == [
        "benchmarks/1.2.0.json is older than 1 changes of rules or bots: sutler bench --json > benchmarks/1.2.0.json"
    ]
    commit(project, "benchmarks/1.2.0.json")
    assert "there is no benchmarks/1.2.0.json" in release.missing(project, "1.2.0")[0]


def test_what_does_not_run_through_is_named(tmp_path: Path) -> None:
    """With the command that shows why."""
    runs = (("the wheel is empty", ("-c", "raise SystemExit(3)")), ("the pages are old", ("-c", "pass")))
    assert release.failed_checks(tmp_path, runs) == ["the wheel is empty: python -c raise SystemExit(3)"]


def test_this_project_says_one_version() -> None:
    """What is to be cited is what CHANGELOG tells of first."""
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1].split()[0]
    assert list(release.has_its_number(ROOT, newest)) == []
    assert list(release.is_in_changelog(ROOT, newest)) == []
