"""The report: its figures are those of the games, it needs nothing but itself, and it says when there is too little to go by."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import sutler
from sutler.core.play.game import Game
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.experiment import Plan, explode_list_column, run
from sutler.lab.play.experiment_file import Sample, Unreadable, read
from sutler.lab.report import report_charts, result_tables, usage_tables
from sutler.lab.report.report import (
    DECIDED_FIGURE,
    SEEN_ONLY_VERDICT,
    build_oddity_claims,
    build_robustness,
    render_report,
    render_summary,
)
from sutler.lab.stats.estimates import compute_share_difference_interval
from sutler.lab.studies.claim_verdicts import CLAIM_VERDICTS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def market() -> Game:
    """The small game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
        game = sutler.load("market", rounds=10)
    game.definition.home.interpreted = True  # quicker than compiling it
    return game


@pytest.fixture(scope="module")
def file(market: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty games of it between a greedy and two random bots."""
    out = tmp_path_factory.mktemp("lab") / "market.parquet"
    run(Plan(market, ["greedy", "random", "random"], games=40, seed=3), out)
    return out


@pytest.fixture(scope="module")
def sample(file: Path) -> Sample:
    """The file, read back."""
    return read(file)


@pytest.fixture(scope="module")
def page(file: Path) -> str:
    """Its report."""
    return render_report(file)


def rows_of(page: str, caption: str) -> list[list[str]]:
    """The cells of a table on the page."""
    found = re.search(rf"<caption>{re.escape(caption)}.*?<tbody>(.*?)</tbody>", page, re.DOTALL)
    assert found, f"no table {caption!r}"
    rows = re.findall(r"<tr.*?</tr>", found[1], re.DOTALL)
    return [[re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]


def test_wins_are_those_of_the_games(file: Path, page: str) -> None:
    """Counted once more, by SQL, from the file."""
    firsts = " + ".join(f"(place_{seat} = 1)::int" for seat in range(3))
    for seat, row in enumerate(rows_of(page, "Wins by seat")):
        won, points = duckdb.sql(
            f"select sum(case when place_{seat} = 1 then 1.0 / ({firsts}) else 0 end), avg(score_{seat}) from '{file}'"
        ).fetchall()[0]
        assert row[:4] == [f"Seat {seat + 1}", "40", f"{won:,.1f}", f"{100 * float(won) / 40:.1f}\N{NO-BREAK SPACE}%"]
        assert row[5] == f"{points:.2f}"
    bots = {row[0]: row[1] for row in rows_of(page, "Wins by bot")}
    assert bots == {"greedy": "40", "random": "80"}


def test_length_and_lead_are_those_of_the_games(file: Path, page: str) -> None:
    """Means, quantiles and counts, by SQL."""
    mean, half = duckdb.sql(f"select avg(decisions), quantile_cont(decisions, 0.5) from '{file}'").fetchall()[0]
    row = next(row for row in rows_of(page, "Length of a game") if row[0] == "decisions")
    assert (row[1], row[4]) == (report_charts.format_number(mean), report_charts.format_number(half))
    counted = dict(duckdb.sql(f"select lead_changes, count(*) from '{file}' group by 1").fetchall())
    assert {int(row[0]): int(row[1]) for row in rows_of(page, "Changes of the lead")} == counted
    early = duckdb.sql(f"select avg((decided <= decisions * 0.5)::int) from '{file}'").fetchall()[0][0]
    assert rows_of(page, "Decided by then")[5] == ["50 %", f"{100 * early:.1f}\N{NO-BREAK SPACE}%"]


def test_wares_are_counted_as_bought(file: Path, page: str, sample: Sample) -> None:
    """Use and wins of every ware, from the events, by SQL."""
    firsts = " + ".join(f"(place_{seat} = 1)::int" for seat in range(3))
    won = " ".join(f"when seat = {seat} then (place_{seat} = 1)::int / ({firsts})" for seat in range(3))
    by_sql = duckdb.sql(
        f"""with bought as (
              select seed, place_0, place_1, place_2, unnest(uses, recursive := true) from '{file}')
            select name, count(*), sum(case {won} end) from bought where event = 'bought' group by name"""
    ).fetchall()
    expected = {name: (n, n / 40, float(wins)) for name, n, wins in by_sql}
    found = {row["name"]: row for row in usage_tables.build_impact_table(sample, "ware", "2.3").to_dicts()}
    for name, row in expected.items():
        assert [found[name][column] for column in ("seats", "per_game", "wins")] == pytest.approx(row)
    shown = {row[0]: row for row in rows_of(page, "Wares: use, and wins of those who did")}
    assert len(shown) == 16
    for name, (n, per_game, wins) in expected.items():
        assert float(shown[name][1]) == pytest.approx(per_game, abs=0.0051)
        assert shown[name][2:4] == [str(n), f"{100 * wins / n:.1f}\N{NO-BREAK SPACE}%"]
        gap = wins / n - (40 - wins) / (120 - n)
        assert shown[name][4] == report_charts.format_signed_points(gap)


def test_what_is_seldom_taken_is_listed(sample: Sample) -> None:
    """Of two wares offered a hundred times, the one taken once is listed and the one taken thirty times is not."""
    rows = [["buy", "buy Salt", 0, 60, 1, 0], ["buy", "buy Salt", 1, 40, 0, 0], ["buy", "buy Wine", 0, 100, 30, 0]]
    rows += [["buy", "buy Beer", 0, 1, 0, 0], ["work", "work", 0, 50, 0, 0]]
    found = usage_tables.list_seldom_taken_actions(Sample(sample.table, sample.about | {"choices": rows}))
    assert found.select("action", "offered", "taken", "share").rows() == [("buy Salt", 100, 1, 0.01)]
    assert found["usual"][0] == pytest.approx(31 / 201)


def test_the_course_is_that_of_the_games(file: Path, page: str, sample: Sample) -> None:
    """Coins of winners and of the others at the start and at the end."""
    assert result_tables.list_charted_tracks(sample) == ["score", "coins", "owned"]
    shown = {(row[0], row[1]): row for row in rows_of(page, "Owned on average, by part of the game")}
    assert shown["coins", "winners"][2] == "5"
    course = explode_list_column(pl.read_parquet(file), "course").filter(pl.col("at") == 100)
    won = sample.results.filter(pl.col("won") > 0).select("game", "seat")
    mean = course.join(won, on=["game", "seat"])["coins"].mean()
    assert shown["coins", "winners"][7] == report_charts.format_number(mean)


def test_paragraphs_that_never_came_to_pass_are_listed(file: Path, tmp_path: Path, sample: Sample) -> None:
    """2.2 and 2.3 happen in Market; without a purchase 2.3 would not, and the page says so."""
    found = {row["number"]: row for row in result_tables.build_rule_coverage(sample).to_dicts()}
    assert found["2.3"]["state"] == found["2.2"]["state"] == "fired"
    assert found["1.2"]["state"] == "silent"
    told = explode_list_column(sample.table, "events")
    taken = sample.choices.filter(pl.col("block") == "work")["taken"].sum()
    assert found["2.2"]["times"] == told.filter(pl.col("event") == "worked")["count"].sum() == taken
    poor = tmp_path / "poor.parquet"
    without = sample.table.with_columns(
        pl.col("events").list.eval(pl.element().filter(pl.element().struct["event"] != "bought")),
        pl.col("uses").list.head(0),
    )
    about = sample.about | {"choices": [row for row in sample.about["choices"] if row[0] != "buy"]}
    without.write_parquet(poor, metadata={"sutler": json.dumps(about)})
    page = render_report(poor)
    assert [row[0] for row in rows_of(page, "Rules that were never used")] == ["2.3"]
    assert "1 of the 5 rules we can watch was never used: 2.3 Buy" in page
    undone = {(row[0], row[1]): row[2] for row in rows_of(page, "Never done by these bots")}
    assert undone["events", "2.3"] == usage_tables.find_event_words(sample, "bought")
    assert undone["actions", "2.3"] == "buy"
    assert not [what for what, _ in undone if what == "endings"]  # the game's one ending was reached
    assert ("events", "2.3") not in {row[:2] for row in result_tables.find_never_done(sample).iter_rows()}


def test_a_small_sample_warns(page: str, market: Game, tmp_path: Path) -> None:
    """Forty games are few; random seats are no people; a thousand greedy games would need neither word."""
    assert "The sample is small: with 40 games" in page
    assert "40 games do not divide by 3 seats" in page
    out = tmp_path / "r.parquet"
    run(Plan(market, ["random"] * 2, games=4), out)
    assert "Every seat played at random" in render_report(out)
    table = pl.concat([pl.read_parquet(out)] * 250)
    even = table.with_columns(place_0=1 + pl.int_range(pl.len()) % 2, place_1=2 - pl.int_range(pl.len()) % 2)
    about = read(out).about | {"bots": [{"name": "greedy"}] * 2}
    assert result_tables.list_warnings(Sample(even, about)) == []


def test_the_page_needs_nothing_but_itself(page: str) -> None:
    """No address of anything is in it but its own sections; letters and pictures are inside."""
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#)""", page)
    assert set(re.findall(r"url\((.{10})", page)) == {"data:font/"}
    assert page.count("<svg") == page.count("<figure") == page.count("<figcaption") >= 10
    assert all(f'id="{key}"' in page for key in re.findall(r'href="#(\w+)"', page))
    assert "To make them again: <code>" in page


def test_bad_files_are_named(tmp_path: Path, file: Path) -> None:
    """Missing, cut short, something else: in words, with the file's name."""
    with pytest.raises(Unreadable, match=r"none\.parquet: there is no such file"):
        render_report(tmp_path / "none.parquet")
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(file.read_bytes()[:-400])
    with pytest.raises(Unreadable, match=r"cut\.parquet: not a whole Parquet file"):
        render_report(cut)
    other = tmp_path / "other.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(other)
    with pytest.raises(Unreadable, match=r"other\.parquet: no record of games"):
        render_report(other)


def test_histograms_count_everything() -> None:
    """Round steps, nothing left out, empty steps kept."""
    found = result_tables.build_histogram(pl.Series([0, 1, 1, 5]))
    assert found["low"].to_list() == [0, 1, 2, 3, 4, 5]
    assert found["count"].to_list() == [1, 2, 0, 0, 0, 1]
    wide = result_tables.build_histogram(pl.Series(range(-100, 900)))
    assert wide["count"].sum() == 1000
    assert set(wide["high"] - wide["low"]) == {50.0}
    stray = result_tables.build_histogram(pl.Series([*range(20)] * 20 + [60]))
    assert stray["high"][0] == 1
    assert len(result_tables.build_histogram(pl.Series([1] * 500 + [1_000_000]))) <= 3 * 24 + 1
    assert result_tables.build_histogram(pl.Series([], dtype=pl.Float64)).is_empty()


def test_differences_of_shares() -> None:
    """Against the worked example of Newcombe (1998): 56/70 against 48/80, by his method 10."""
    assert compute_share_difference_interval((56, 70), (48, 80)) == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert compute_share_difference_interval((1, 0), (1, 2)) == (-1.0, 1.0)


def test_labels_do_not_cover_each_other() -> None:
    """Names at the ends of lines are pushed apart, in their order."""
    assert report_charts.spread_labels([10, 11, 40]) == [10, 24, 40]
    assert report_charts.spread_labels([100, 99, 40], lowest=100) == [100, 86, 40]
    assert report_charts.choose_ticks(0, 1, 5) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert report_charts.format_signed_points(-0.1234) == "−12.3"


def test_from_the_command_line(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside the file, or where one says; trouble is told in words and ends with 2."""
    import typer

    from sutler.cli.design_commands.report import report_command

    copy = tmp_path / "market.parquet"
    shutil.copy(file, copy)
    report_command(file=copy)
    assert (tmp_path / "market.html").read_text(encoding="utf-8") == render_report(copy)
    for wrong, out, said in (
        (tmp_path / "nothing.parquet", None, "there is no such file"),
        (copy, copy, "written over it"),
        (copy, tmp_path / "no" / "f.html", "there is no such folder"),
    ):
        with pytest.raises(typer.Exit) as ended:
            report_command(file=wrong, out=out)
        assert ended.value.exit_code == 2
        assert said in capsys.readouterr().err


def test_every_headline_carries_its_verdict(
    market: Game, tmp_path: Path, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Held against other bots each claim holds, depends on the bot or has too few games; what is no figure is told as seen with these."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
    other = tmp_path / "random.parquet"
    run(Plan(market, ["random"] * 3, games=40, seed=3), other)
    across = build_robustness(sample, [read(other)])
    verdicts = re.findall(r'<li>.*?<span class="by">[^<]*; ([^<;]*)</span></li>', render_summary(sample, across))
    assert len(verdicts) == render_summary(sample).count("<li>") > 4
    assert set(verdicts) <= {*CLAIM_VERDICTS, SEEN_ONLY_VERDICT}
    assert verdicts.count(SEEN_ONLY_VERDICT) == len(build_oddity_claims(sample)) + 1, (
        "what repeats itself or is never done, and the rules"
    )
    here, there = ((one.table["decided"] / one.table["decisions"]).mean() for one in (sample, read(other)))
    line = next(one for one in across.judged_claims if one.figure == DECIDED_FIGURE)
    assert [mean for mean, _, _ in line.values] == pytest.approx([here, there])
    assert across.judge_claim_about([DECIDED_FIGURE.name]) == line.verdict


def test_the_first_page_says_how_games_end(sample: Sample) -> None:
    """Each way with its share, those that never came by name; where there is but one way, nothing."""
    assert "How games end." not in render_summary(sample)
    events = {
        "faith": ("8.1", "{seat} wins by faith"),
        "arms": ("8.2", "{seat} wins by arms"),
        "rounds": ("8.3", "The rounds are over"),
    }
    about = {**sample.about, "endings": list(events), "events": {**sample.about["events"], **events}}
    ended = ["arms"] * 30 + ["rounds"] * 9 + ["arms + rounds"]
    mixed = Sample(sample.table.with_columns(ending=pl.Series(ended)), about)
    assert [row[:2] for row in result_tables.build_ways_of_ending_table(mixed).rows()] == [
        ("arms", 31),
        ("rounds", 10),
        ("faith", 0),
    ]
    for _, games, share, low, high in result_tables.build_ways_of_ending_table(mixed).rows():
        assert low < share < high or (games == 0 and low == 0 < high)
    told = re.sub("<.*?>|\N{NO-BREAK SPACE}", "", render_summary(mixed))
    assert re.search(
        r"How games end\. “Wins by arms” 77\.5% \(.*?\), “The rounds are over” 25\.0% \(.*?\), never “Wins by faith” \(0 to",
        told,
    )


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="whole games of manor want compiled rules")
def test_a_report_of_manor(tmp_path: Path) -> None:
    """Nobody trades when it is not allowed, and the page says which paragraphs that leaves out."""
    run(Plan(sutler.load("manor", offers=0), ["greedy"] * 3, games=24), tmp_path / "m.parquet")
    page = render_report(tmp_path / "m.parquet")
    never = [row[0] for row in rows_of(page, "Rules that were never used")]
    assert {"4.1", "4.2"} <= set(never)
    assert "Cathedral" in page
    assert rows_of(page, "How games end") == [
        ["The game ends", "24", "100.0\N{NO-BREAK SPACE}%", rows_of(page, "Length of a game")[0][1]]
    ]


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="whole games want compiled rules")
@pytest.mark.parametrize("name", sutler.games())
def test_every_game_can_be_written_down(name: str, tmp_path: Path) -> None:
    """Two random games of each: scores at the end of the course are the scores, and there is a page."""
    game = sutler.load(name)
    plan = Plan(game, ["random"], games=2)
    table = run(plan, tmp_path / "f.parquet").collect()
    course = (
        explode_list_column(table, "course")
        .filter((pl.col("at") == 100) & pl.col("seat").is_not_null())
        .sort("game", "seat")
    )
    scores = [row[f"score_{seat}"] for row in table.to_dicts() for seat in range(len(plan.players))]
    assert course["score"].to_list() == pytest.approx(scores)
    assert f"{game.title}: 2 games" in render_report(tmp_path / "f.parquet")


@pytest.mark.browser
@pytest.mark.parametrize("dark", [False, True], ids=["day", "candle"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_wrong_for_axe(chromium: Any, page: str, tmp_path: Path, dark: bool, width: int) -> None:
    """In a browser: no violation, nothing wider than the window, nothing asked of the network."""
    from axe_playwright_python.sync_playwright import Axe

    where = tmp_path / "report.html"
    where.write_text(page, encoding="utf-8")
    asked: list[str] = []
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light")
    tab = context.new_page()
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(where.as_uri())
    found = [one["id"] for one in Axe().run(tab).response["violations"]]
    wide = tab.evaluate("document.documentElement.scrollWidth")
    context.close()
    assert found == []
    assert wide <= width
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_worse_than_the_rest_is_told_with_what_it_rests_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what stands out and surely lost, with its interval, its shrunk gap and the seats that had it; the surest comes first."""
    seldom = [("draft Mutiny", 680, 35), ("draft Ash", 400, 20), ("draft Bread", 90, 3), ("draft Luck", 30, 1)]
    monkeypatch.setattr(
        usage_tables,
        "list_seldom_taken_actions",
        lambda sample: pl.DataFrame(seldom, schema=["action", "offered", "taken"], orient="row"),
    )
    known = [  # name, seats that had it, gap, low, high, shrunk, stands out
        ("Ash", 90, -0.11, -0.20, -0.02, -0.08, True),
        ("Mutiny", 229, -0.174, -0.224, -0.125, -0.15, True),
        ("Bread", 40, -0.05, -0.15, 0.05, -0.01, True),
        ("Luck", 30, -0.2, -0.38, -0.02, -0.05, False),
        ("Feast", 300, -0.2, -0.25, -0.15, -0.19, True),
    ]
    columns = ["name", "seats", "gap", "low", "high", "shrunk", "stands_out"]
    monkeypatch.setattr(usage_tables, "list_kinds", lambda sample: ["claim"])
    monkeypatch.setattr(usage_tables, "find_main_rule", lambda sample, kind: "7.1")
    monkeypatch.setattr(
        usage_tables, "build_impact_table", lambda sample, kind, rule: pl.DataFrame(known, schema=columns, orient="row")
    )
    found = result_tables.find_dominated_choices(None)  # type: ignore[arg-type]
    assert found.rows() == [
        ("Mutiny", "claim", 680, 35, 229, -0.174, -0.224, -0.125, -0.15),
        ("Ash", "claim", 400, 20, 90, -0.11, -0.20, -0.02, -0.08),
    ]
