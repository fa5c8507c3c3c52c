"""Pictures of the findings: drawn from a table of the lab, in the order asked for; nothing is drawn of nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "findings.py"
TABLE = """figure,label,bot,mean,low,high
seat_1,won by seat 1,greedy,0.4,0.35,0.45
seat_2,won by seat 2,greedy,0.2,0.15,0.24
seat_3,won by seat 3,greedy,0.3,0.2,0.4
"""


def drawn(folder: Path, *said: str) -> subprocess.CompletedProcess[str]:
    """The tool, on the table above."""
    (folder / "it.csv").write_text(TABLE, encoding="utf-8")
    words = [sys.executable, str(TOOL), str(folder / "it.csv"), str(folder / "it.svg"), *said]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_values_with_their_intervals(tmp_path: Path) -> None:
    """More than even, less, and neither; the order is the one asked for, and each stands alone as a picture."""
    done = drawn(tmp_path, "--only", "figure=seat_2,seat_1,seat_3", "--even", "0.3")
    assert done.returncode == 0, done.stderr
    picture = (tmp_path / "it.svg").read_text(encoding="utf-8")
    assert picture.startswith('<svg viewBox="-12 -12 464 ')
    assert 'width="464" height="' in picture, "no wider than its letters are made for"
    at = [picture.index(f"won by seat {seat}, greedy") for seat in (2, 1, 3)]
    assert at == sorted(at)
    assert [picture.count(f'<g class="{tone}">') for tone in ("more", "less", "plain")] == [1, 1, 1]


def test_nothing_there(tmp_path: Path) -> None:
    """Said, and no picture left."""
    done = drawn(tmp_path, "--only", "figure=seat_9")
    assert done.returncode != 0
    assert "nothing there with figure=seat_9" in done.stderr
    assert not (tmp_path / "it.svg").exists()


def test_a_ladder_in_its_place(tmp_path: Path) -> None:
    """A row a figure, a column a bot, the verdict; what stands around the old table stays."""
    rows = "seat_1,won by seat 1,greedy,90,0.25,0.2,0.3,holds\nseat_1,won by seat 1,search,9,0.5,0.1,0.9,holds\n"
    rows += "turns,length in turns,greedy,90,11.04,10,12.26,few\nturns,length in turns,search,9,9,8,10,few\n"
    (tmp_path / "it.csv").write_text(f"figure,label,bot,games,mean,low,high,verdict\n{rows}", encoding="utf-8")
    page = tmp_path / "it.md"
    page.write_text("# Found\n\n## Between other bots\n\nBy a command.\n\n| old |\n|---|\n\nBelow.\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, TOOL, tmp_path / "it.csv", page], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert page.read_text(encoding="utf-8") == (
        "# Found\n\n## Between other bots\n\nBy a command.\n\n"
        "| figure | greedy, 90 games | search, 9 games | verdict |\n| --- | --- | --- | --- |\n"
        "| won by seat 1 | 25.0 % (20.0–30.0 %) | 50.0 % (10.0–90.0 %) | holds |\n"
        "| length in turns | 11.0 (10.0–12.3) | 9.0 (8.0–10.0) | few |\n\nBelow.\n"
    )
    old = "\n## Before\n\n| old |\n|---|\n"
    page.write_text(f"## Between other bots\n{old}", encoding="utf-8")
    subprocess.run([sys.executable, TOOL, tmp_path / "it.csv", page], check=True)
    assert page.read_text(encoding="utf-8").endswith(f"| few |\n{old}"), "a table of another section stays"
