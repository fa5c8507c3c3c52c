"""Reading a page of the documentation as somebody does who types along: files are written as it says, commands tried with fewer games."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

FEW = {
    "tournament": 2,
    "compare": 200,
    "sensitivity": 4,
    "goal": 4,
    "tune": 4,
    "skill": 2,
    "across": 10,
    "hidden": 10,
    "export": 10,
}
"""Games for a command, where 24 would be too few to say anything or too many to wait for."""
FEWER = {"--games": None, "--searched": "2", "--ladder": "2,4"}
"""Options that say how much is played, and what a test says instead; None: as in FEW."""
PLAYS = {
    "simulate",
    "compare",
    "sweep",
    "across",
    "sensitivity",
    "goal",
    "tune",
    "skill",
    "hidden",
    "tournament",
    "impact",
}
"""Commands that take `--games`."""
GENERATED = re.compile(r"<!-- file: .*?<!-- end -->", re.DOTALL)
FENCE = re.compile(r"^```(toml|sh)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def steps(page: Path) -> list[tuple[str, str]]:
    """The page's blocks in order: ("toml", what a file holds), or ("sh", one command)."""
    text = GENERATED.sub("", page.read_text(encoding="utf-8"))
    return [
        (language, part)
        for language, block in FENCE.findall(text)
        for part in ([block] if language == "toml" else filter(None, block.splitlines()))
    ]


def write(text: str, folder: Path) -> None:
    """A file whose first line names it, `# press.toml`; what has no name is part of another and is left out."""
    if named := re.match(r"# ([\w.-]+\.toml)\b", text):
        (folder / named[1]).write_text(text, encoding="utf-8")


def typed(line: str) -> list[str]:
    """The words of a command, with as many games as a test has time for."""
    words = shlex.split(line, comments=True)
    if words[0] != "sutler":
        return words
    few = str(FEW.get(words[1], 24)) if len(words) > 1 else ""
    if "search:" in line:
        few = "2"  # a search takes as long as a hundred games by greedy
    for at, word in enumerate(words[:-1]):
        if word in FEWER:
            words[at + 1] = FEWER[word] or few
    if words[1:2] and words[1] in PLAYS and "--games" not in words:
        words += ["--games", few]
    if words[1:2] == ["tune"]:
        words += ["--versions", "4", "--most", "200", "--confirm", "1"]
    if words[1:2] == ["tournament"] and "--seats" not in words:
        words += ["--seats", "2"]  # a table for each pairing and each bot by itself, and not five of four
    return words
