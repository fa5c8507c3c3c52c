"""Played games as text: reprinted, they come out as they stand (5.4, 5.5, 5.8 and a course of random decisions)."""

from pathlib import Path

import pytest

from sutler.core.golden import reprint

FILES = sorted((Path(__file__).parent / "golden").glob("*.play"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden(path):
    """Every line: the choices offered and what changed. `python -m sutler.core.golden FILE` prints it anew after a change."""
    text = path.read_text(encoding="utf-8")
    assert "# stopped" not in text
    assert reprint(text, path.parent) == text
