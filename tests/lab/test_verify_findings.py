"""Findings (studies/verify_findings.py): claims are computed from recorded games, changes on equal seeds; results land in their place."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import programs
import sutler
from sutler.lab.play.experiment import Plan, run
from sutler.lab.play.experiment_file import Sample, read
from sutler.lab.studies.claim_verdicts import (
    ONE_BOT_VERDICT,
    SIDE_ONLY_VERDICT,
    SIDE_VERDICT,
    TOO_FEW_VERDICT,
    Level,
    Proportion,
    Shift,
)

ROOT = Path(__file__).parents[2]
SHEET = """
game = "market"
seats = 3
bot = [
  { name = "greedy", bot = "greedy", games = 40, beside = 30 },
  { name = "random", bot = "random", games = 40, beside = 30 },
]
[[finding]]
name = "coins"
alt = "Coins"
claim = [
  { label = "coins more", ahead = "coins", at = 50 },
  { label = "turns", figure = "turns", with = { rounds = 12 } },
  { label = "never cut", figure = "unfinished" },
]
[[finding]]
name = "told"
alt = "Known"
between = ["random"]
claim = [{ label = "from elsewhere", known = [[0.5, 0.4, 0.6]], share = true, even = 0.1 }]
"""
PAGE = """# Found

<!-- found coins -->what stood<!-- end of coins -->

Below.

<!-- found told --><!-- end of told -->

## Between other bots

| old |
|---|
"""


@pytest.fixture(scope="module")
def verify_findings() -> Any:
    """The study as a module."""
    return programs.study("verify_findings")


@pytest.fixture(scope="module")
def records(verify_findings: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Games of the small game between two kinds of bots, as printed and longer."""
    folder = tmp_path_factory.mktemp("records")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
        for rounds, suffix, games in ((None, "", 40), (12, "-rounds=12", 30)):
            game = sutler.load("market", **({"rounds": rounds} if rounds else {}))
            game.definition.home.interpreted = True  # quicker than compiling it
            for bot in ("greedy", "random"):
                run(Plan(game, [bot], games=games, seed=1, seats=3), folder / f"market-{bot}{suffix}.parquet")
        yield verify_findings.Records(tomllib.loads(SHEET), folder)


@pytest.fixture(scope="module")
def sample(records: Any) -> Sample:
    """The greedy games as printed."""
    return read(records.folder / "market-greedy.parquet")


def test_winners_ahead(verify_findings: Any, sample: Sample) -> None:
    """Of every game that one seat wins: what it has less the mean of the others, counted by hand."""
    course = sample.course.filter(pl.col("at") == 50)
    by_hand = []
    for game in range(sample.games):
        places = [sample.table[f"place_{seat}"][game] for seat in range(3)]
        if places.count(1) != 1:
            continue
        coins = {row["seat"]: row["coins"] for row in course.filter(pl.col("game") == game).iter_rows(named=True)}
        others = [coins[seat] for seat in range(3) if places[seat] != 1]
        by_hand.append(coins[places.index(1)] - sum(others) / 2)
    assert sorted(verify_findings.winner_margins(sample, "coins", 50)) == pytest.approx(sorted(by_hand))


def test_owners(verify_findings: Any, sample: Sample) -> None:
    """Seats of which an event tells, once a game each, and their part of the win."""
    name = sample.uses.filter(pl.col("event").cast(pl.String) == "bought")["name"].cast(pl.String)[0]
    part = verify_findings.owner_wins(sample, "bought", name)
    assert isinstance(part, Proportion)
    bought = {
        (row["game"], row["seat"]) for row in verify_findings.event_rows(sample, "bought", name).iter_rows(named=True)
    }
    assert float(part.of.sum()) == len(bought)
    won = {(row["game"], row["seat"]): row["won"] for row in sample.results.iter_rows(named=True)}
    assert float(part.hits.sum()) == pytest.approx(sum(won[one] for one in bought))
    with pytest.raises(SystemExit, match="never names 'Nobody'"):
        verify_findings.event_rows(sample, "bought", "Nobody")


def test_a_change_by_the_same_seeds(verify_findings: Any, records: Any) -> None:
    """Twelve rounds against what is printed: the first 30 games of both sides; as a level only what is there then."""
    kind = records.kinds[0]
    shift = verify_findings.observation(records, kind, {"figure": "turns", "with": {"rounds": 12}})
    assert isinstance(shift, Shift)
    assert len(shift.before) == len(shift.after) == 30
    assert np.all(shift.after == 12)
    assert records.sample(kind, {"with": {"rounds": 12}, "of": [20, 20]}).games == 20, (
        "what lies there beyond is not counted"
    )
    there = verify_findings.observation(records, kind, {"figure": "turns", "with": {"rounds": 12}, "level": True})
    assert isinstance(there, Level)
    assert np.all(there.values == 12)


def test_the_page(verify_findings: Any, records: Any, tmp_path: Path) -> None:
    """Figures and picture between a finding's marks, nothing else of the page touched; a finding without marks is refused."""
    page = tmp_path / "market.md"
    page.write_text(PAGE, encoding="utf-8")
    verify_findings.update_page(records, page, [])
    text = page.read_text(encoding="utf-8")
    assert "what stood" not in text
    assert "| old |" not in text
    assert "\n\nBelow.\n\n" in text
    assert "![Coins](market-coins.svg)\n\n| between | coins more | turns | never cut |\n" in text
    assert f"| random | 50.0 % (40.0–60.0) |\n| **verdict** | {ONE_BOT_VERDICT} |" in text
    assert f"| {TOO_FEW_VERDICT} |" in text
    assert "| figure | greedy, 40 games | random, 40 games | verdict |" in text
    picture = (tmp_path / "market-coins.svg").read_text(encoding="utf-8")
    assert picture.count("<circle") == 2, "one bar a kind of bots, of the first claim only"
    assert (tmp_path / "market-told.svg").read_text(encoding="utf-8").count('<g class="more">') == 1
    page.write_text("# Found\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="found coins"):
        verify_findings.update_page(records, page, ["coins"])


def test_the_ladder_replaces_the_old_table(verify_findings: Any) -> None:
    """A row for each figure, a column for each bot, the verdict; text around the old table and tables of other sections stay."""
    table = pl.DataFrame(
        [
            ("won by seat 1", "greedy", 90, 0.25, 0.2, 0.3, "holds"),
            ("won by seat 1", "search", 9, 0.5, 0.1, 0.9, "holds"),
            ("length in turns", "greedy", 90, 11.04, 10.0, 12.26, "few"),
            ("length in turns", "search", 9, 9.0, 8.0, 10.0, "few"),
        ],
        schema=["label", "bot", "games", "mean", "low", "high", "verdict"],
        orient="row",
    )
    ladder = verify_findings.ladder_table(table)
    page = "# Found\n\n## Between other bots\n\nBy a command.\n\n| old |\n|---|\n\nBelow.\n"
    assert verify_findings.replaced_ladder(page, ladder) == (
        "# Found\n\n## Between other bots\n\nBy a command.\n\n"
        "| figure | greedy, 90 games | search, 9 games | verdict |\n| --- | --- | --- | --- |\n"
        "| won by seat 1 | 25.0 % (20.0–30.0 %) | 50.0 % (10.0–90.0 %) | holds |\n"
        "| length in turns | 11.0 (10.0–12.3) | 9.0 (8.0–10.0) | few |\n\nBelow.\n"
    )
    old = "\n## Before\n\n| old |\n|---|\n"
    assert verify_findings.replaced_ladder(f"## Between other bots\n{old}", ladder).endswith(f"| few |\n{old}")
    with pytest.raises(SystemExit, match="Between other bots"):
        verify_findings.replaced_ladder("# Found\n", ladder)


def test_verdicts_of_what_a_page_prints(verify_findings: Any) -> None:
    """Values and intervals as printed are enough for a verdict; only the verdicts of the tables change."""
    table = (
        "| between | Spain | points more | turns |\n| --- | --- | --- | --- |\n"
        "| greedy | 8.0 % (6.4–9.8) | +21.9 points (+18.0 to +25.0) | 10.2 (10.1–10.3) |\n"
        "| search | 16.3 % (13.0–20.0) | +5.7 points (+1.0 to +10.0) | 10.3 (10.1–10.5) |\n"
        "| **verdict** | holds | holds | few |"
    )
    anew = verify_findings.judged_anew(table, [0.25, 0.0, None])
    assert anew.splitlines()[-1] == f"| **verdict** | {SIDE_VERDICT} | {SIDE_VERDICT} | holds |"
    assert anew.splitlines()[:-1] == table.splitlines()[:-1]
    page = (
        "# Found\n\n## Between other bots\n\n| figure | a, 9 games | b, 9 games | verdict |\n| --- | --- | --- | --- |\n"
        "| won by seat 1 | 60.0 % (58.0–62.0 %) | 55.0 % (53.0–57.0 %) | holds |\n"
        "| won by nobody | 0.0 % (0.0–0.1 %) | 0.0 % (0.0–0.1 %) | few |\n| score | −1.5 (−1.6–−1.4) | 9.5 (9.4–9.6) | holds |\n\nBelow.\n"
    )
    told = verify_findings.ladder_judged_anew(page, 2).splitlines()
    assert [line.split(" | ")[-1] for line in told if line.startswith(("| won", "| score"))] == [
        f"{SIDE_ONLY_VERDICT} |", "holds |", "depends on the bot |",
    ]  # fmt: skip
    assert told[-1] == "Below."


def test_a_picture_of_its_own(verify_findings: Any) -> None:
    """A margin on every side, and no wider than its letters are made for."""
    bars = [verify_findings.Bar("won by seat 2, greedy", 0.1, 0.2, 0.3, "20 %", "more")]
    picture = verify_findings.standalone(verify_findings.render_interval_bars(bars, 0.3, "%"))
    assert picture.startswith('<svg viewBox="-12 -12 464 ')
    assert 'width="464" height="' in picture
