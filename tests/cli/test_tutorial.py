"""docs/tutorial.md, from its first block to its last: files are written as it says, commands run with fewer games."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cli.conftest import ROOT

Run = Callable[..., Result]
PAGE = ROOT / "docs" / "tutorial.md"
FEW = {"compare": "200"}  # of other commands 24 games: a comparison wants more


def steps() -> list[tuple[str, str]]:
    """The page's blocks in order: ("toml", what a file holds), or ("sh", a command)."""
    found = re.findall(r"^```(toml|sh)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [
        (language, part) for language, text in found for part in ([text] if language == "toml" else text.splitlines())
    ]


def fewer(words: list[str]) -> list[str]:
    """The same command with as many games as a test has time for."""
    few = FEW.get(words[1], "24")
    return [few if before == "--games" else word for before, word in zip(["", *words], words, strict=False)]


@pytest.mark.compiled
@pytest.mark.timeout(900)
def test_every_step_of_the_tutorial(sutler: Run, home: Path) -> None:
    """Nothing fails, and what each step promises to leave is there."""
    said: dict[str, str] = {}
    for language, text in steps():
        if language == "toml":
            (home / text.split()[1]).write_text(text, encoding="utf-8")
            continue
        program, verb, *rest = fewer(shlex.split(text, comments=True))
        assert program == "sutler", text
        done = sutler(verb, *rest, typed="q\n")
        assert done.exit_code == 0, f"{text}\n{done.output}"
        said[verb] = done.output
    assert "1 difference from" in said["box"]
    assert "Dovecote" in said["impact"]
    for left in ("dovecote.parquet", "dovecote.html", "worth.html", "impact.html"):
        assert (home / left).stat().st_size > 1000, left
    assert "Dovecote" in (home / "dovecote.html").read_text(encoding="utf-8")
