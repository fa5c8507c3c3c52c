"""Tables of docs/bots.md (studies/bot_figures.py): rows are played and written; a row that its games speak against is a fault."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import programs

ROOT = Path(__file__).parents[2]
TABLE = {"name": "small", "kind": "matches", "game": "market", "seats": 3, "among": "random", "games": 60}
PAGE = "# Bots\n\n<!-- figures small -->\n<!-- end of small -->\n\nBelow.\n"
GAMES = 100
"""Games of each row that are played again."""


@pytest.fixture(scope="module")
def figures() -> Any:
    """The study as a module."""
    return programs.study("bot_figures")


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch, figures: Any) -> dict[str, Any]:
    """A table of one row in the small game of the examples, whose rules run as plain Python."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
    figures.load_game("market").definition.home.interpreted = True
    return {**TABLE, "rows": [{"one": "greedy"}]}


def listed(figures: Any) -> list[dict[str, Any]]:
    """The tables of the list."""
    tables: list[dict[str, Any]] = tomllib.loads(figures.LIST.read_text(encoding="utf-8"))["table"]
    return tables


def test_a_row_is_played_and_written(figures: Any, market: dict[str, Any]) -> None:
    """The line names the bots and the command; read back from the page it tells the same share, and today's bots."""
    (row,) = figures.read_rows(market, PAGE)
    assert row.told == ()
    assert figures.list_arithmetic_faults([row]) == ["small, greedy, random, 3: not in the page"]
    won, games = figures.play_match(row, 60)
    line = figures.format_win_row(row, won, games)
    assert line.startswith(f"| greedy | random | 3 | {100 * won / 60:.1f} | ")
    assert "| 33.3 | 60 | `sutler simulate market --bots greedy,random,random --games 60` |" in line
    page = figures.replace_block(PAGE, market, [figures.replace(row, told=(line,))])
    assert page.startswith("# Bots\n\n<!-- figures small -->\n| one | among |")
    assert page.endswith("<!-- end of small -->\n\nBelow.\n")
    (again,) = figures.read_rows(market, page)
    assert again.told == (line,)
    assert again.is_of_todays_bots
    assert again.share == pytest.approx(won / 60, abs=0.0006)
    assert figures.list_arithmetic_faults([again]) == []
    assert figures.find_faults([again], 60) == []
    assert figures.replace_block(page, market, [again]) == page


def test_of_two_the_one_is_who_stands_first(figures: Any, market: dict[str, Any]) -> None:
    """At a table of two either bot sits alone: the share was at times that of the other."""
    rows = [{"one": "greedy", "seats": 2}, {"one": "random", "among": "greedy", "seats": 2}]
    greedy, other = figures.read_rows({**market, "rows": rows}, PAGE)
    won, games = figures.play_match(greedy, 40)
    assert won > 0.7 * games
    assert figures.play_match(other, 40)[0] < 0.3 * games


def test_a_row_that_its_games_speak_against_is_a_fault(figures: Any, market: dict[str, Any]) -> None:
    """Another share, and an interval of other games."""
    (row,) = figures.read_rows(market, PAGE)
    low, high = figures.compute_wilson_interval(0.6, 60)
    false = figures.replace(
        row, told=(f"| greedy | random | 3 | 1.0 | {100 * low:.1f}–{100 * high:.1f} | 33.3 | 60 | `x` | 2026-11-01 |",)
    )
    assert not false.is_of_todays_bots
    assert figures.list_arithmetic_faults([false]) == []
    (fault,) = figures.find_faults([false], 60)
    assert fault.startswith("small, greedy, random, 3: the page says 1.0, the first 60 games ")
    narrow = figures.replace(false, told=("| greedy | random | 3 | 1.0 | 0.9–1.1 | 33.3 | 60 | `x` | 2026-11-01 |",))
    assert figures.list_arithmetic_faults([narrow]) == ["small, greedy, random, 3: its interval is that of other games"]


def test_bots_are_named_for_readers(figures: Any) -> None:
    """Settings follow the name; a file goes by its own."""
    assert figures.format_bot("search:rounds=40") == "search, 40 rounds"
    assert figures.format_bot("studies/opponents/trader.py:Trader:dear=2") == "trader, dear=2"


def test_the_page_has_each_row_of_the_list(figures: Any) -> None:
    """With the interval of its share and games; and no line besides."""
    page = figures.PAGE.read_text(encoding="utf-8")
    for table in listed(figures):
        rows = figures.read_rows(table, page)
        assert figures.list_arithmetic_faults(rows) == []
        lines = [line for line in figures.find_block(table["name"], page).splitlines()[2:] if line]
        assert sorted(lines) == sorted(line for row in rows for line in row.told), table["name"]


def test_of_no_plan_is_it_seen_that_it_wins_more_than_its_share(figures: Any) -> None:
    """As the page says: the even share lies in each interval, or above it."""
    page = figures.PAGE.read_text(encoding="utf-8")
    assert "Of no persona is it seen to win more than its even share." in page
    for table in (one for one in listed(figures) if one.get("plans")):
        for row in figures.read_rows(table, page):
            low = float(figures.split_cells(row.told[0])[2].split("–")[0])
            assert low <= 100 / table["seats"], row.told


@pytest.mark.compiled
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "name",
    [
        "manor",
        "bellum",
        "warfarm",
        "sixwinters",
        "manor-plans",
        "bellum-plans",
        "bellum-judges",
        "threeyears-plans",
        "warfarm-plans",
    ],
)
def test_rows_are_what_their_first_games_tell(figures: Any, name: str) -> None:
    """Those that take few seconds; the share in the page lies in the interval of the row's first games."""
    page = figures.PAGE.read_text(encoding="utf-8")
    (table,) = (one for one in listed(figures) if one["name"] == name)
    rows = figures.read_rows(table, page)
    assert [row for row in rows if not row["slow"]]
    assert figures.find_faults(rows, GAMES) == [], f"python studies/bot_figures.py {name} --old plays them again"
