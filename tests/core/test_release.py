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
        "pyproject.toml": '[project]\nname = "sutler"\nversion = "1.2.0"\n',
        "src/sutler/__init__.py": '__version__ = "1.2.0"\n',
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
        ("pyproject.toml", "1.2.0", "1.1.0", "pyproject.toml says 1.1.0"),
        ("src/sutler/__init__.py", "1.2.0", "1.1.0", "src/sutler/__init__.py says 1.1.0"),
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


def test_this_project_says_one_version() -> None:
    """In all its files."""
    import sutler

    assert list(release.has_its_number(ROOT, sutler.__version__)) == []
    assert list(release.is_told(ROOT, sutler.__version__)) == []
