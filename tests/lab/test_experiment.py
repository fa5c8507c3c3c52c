"""The record of an experiment: the games that `simulate` plays, written down in full, and nothing lost by an interruption."""

from __future__ import annotations

import itertools
import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import sutler
from sutler.bots import Bot
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.actions import Action
from sutler.core.fingerprint import hash_meaning_of_module
from sutler.core.play.game import Game
from sutler.core.play.position import Position, SeatView
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play import experiment
from sutler.lab.play.experiment import Interrupted, Plan, explode_list_column, run
from sutler.lab.play.experiment_recording import COURSE_POINTS, Recorder
from sutler.lab.play.provenance import find_commit, hash_bots_code, read_metadata
from sutler.lab.play.simulate import simulate

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["market", pytest.param("manor", marks=pytest.mark.compiled)])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A small game, and the model one where it is fast."""
    if request.param == "manor":
        if PLAIN_ONLY:
            pytest.skip("whole games of manor want compiled rules")
        return sutler.load("manor", offers=0, victory=5)
    return small(monkeypatch)


def small(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Market, from the examples."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
    market = sutler.load("market", rounds=12)
    market.definition.home.interpreted = True  # quicker than compiling it
    return market


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The small game."""
    return small(monkeypatch)


def played(game: Game, bots: list[str | Bot], seed: int) -> Position:
    """A game of a table, played again by the Python face, bots without luck of their own."""
    pos = game.new(len(bots), seed)
    for action in actions_of(game, bots, seed):
        pos.play(action)
    return pos


class First:
    """A bot without luck: always the first action in the list."""

    name = "first"

    def choose(self, view: SeatView) -> Action:
        return view.actions()[0]


def actions_of(game: Game, bots: list[str | Bot], seed: int) -> list[int]:
    """What `First` does in every seat."""
    pos = game.new(len(bots), seed)
    while not pos.over:
        pos.play(pos.legal_ids()[0])
    return [one.action for one in pos.decisions]


def test_the_games_are_those_of_simulate(game: Game) -> None:
    """Writing down changes nothing: the same rows, however they are cut into spans."""
    bots = ["greedy", "random"]
    plain = simulate(game, bots, games=6, seed=5)
    recorder = Recorder(game, build_repeatable_bots(bots, game))
    whole, halves = (
        recorder.record_span(5, 0, 6).games,
        [recorder.record_span(5, 0, 2).games, recorder.record_span(5, 2, 6).games],
    )
    assert whole.select(plain.columns).equals(plain)
    assert pl.concat(halves).equals(whole)


def test_events_are_those_of_the_log(game: Game) -> None:
    """Counted by kind, seat and thing, they are what the Python face tells of the same games."""
    bots: list[str | Bot] = [First(), First()]
    table = Recorder(game, build_repeatable_bots(bots, game)).record_span(3, 0, 2).games
    names = game.names
    for number in range(2):
        pos = played(game, bots, 3 + number)
        told = [one for _, one in pos.told()]
        expected: Counter[tuple[str, int | None]] = Counter()
        things: Counter[tuple[str, str, str]] = Counter()
        for one in told:
            parts = dict(zip((name for name, _ in one.event.parts), one.args, strict=True))
            expected[one.kind, parts.get("seat")] += 1
            for (_, kind), value in zip(one.event.parts, one.args, strict=True):
                if kind != "seat" and kind in names and 0 <= value < len(names[kind]):
                    things[one.kind, kind, names[kind][value]] += 1
        rows = explode_list_column(table[number : number + 1], "events").to_dicts()
        assert {(row["event"], row["seat"]): row["count"] for row in rows} == expected
        found: Counter[tuple[str, str, str]] = Counter()
        for row in explode_list_column(table[number : number + 1], "uses").to_dicts():
            found[row["event"], row["kind"], row["name"]] += row["count"]
        assert found == things


def test_the_lead_is_followed(game: Game) -> None:
    """Changes of the lead, when it was decided and how far behind the winner had been: as told by the scores."""
    bots: list[str | Bot] = [First(), First()]
    table = Recorder(game, build_repeatable_bots(bots, game)).record_span(3, 0, 4).games
    for number, row in enumerate(table.to_dicts()):
        pos = game.new(2, 3 + number)
        scores = [pos.scores()]
        for action in actions_of(game, bots, 3 + number):
            pos.play(action)
            scores.append(pos.scores())
        ahead = [None if a == b else int(b > a) for a, b in scores]
        leaders = [one for one in ahead if one is not None]
        assert row["lead_changes"] == sum(a != b for a, b in itertools.pairwise(leaders))
        places = pos.places()
        if places[0] != places[1]:
            winner = places.index(1)
            assert row["decided"] == max((i for i, one in enumerate(ahead) if one != winner), default=0)
            assert row["behind"] == max(score[1 - winner] - score[winner] for score in [*scores, [0.0, 0.0]])


def test_the_course_ends_at_the_score(game: Game) -> None:
    """Eleven moments a seat, the last one the end of the game; the first is the set table."""
    table = Recorder(game, build_repeatable_bots(["random", "random"], game)).record_span(1, 0, 3).games
    course = explode_list_column(table, "course")
    for number, row in enumerate(table.to_dicts()):
        seats = course.filter((pl.col("game") == number) & pl.col("seat").is_not_null())
        assert len(seats) == 2 * COURSE_POINTS
        last = seats.filter(pl.col("at") == 100).sort("seat")["score"].to_list()
        assert last == [row["score_0"], row["score_1"]]
        first = seats.filter(pl.col("at") == 0)["score"].to_list()
        assert first == game.new(2, row["seed"]).scores()


def test_offers_are_counted(market: Game) -> None:
    """In Market one may always work, and every decision takes one action."""
    span = Recorder(market, build_repeatable_bots(["random", "random"], market)).record_span(1, 0, 3)
    offered, taken, unasked = span.choices.sum(axis=1).T
    decisions = span.games["decisions"].sum()
    assert taken.sum() == decisions
    assert offered[market.action_names.find_action("work").id] == decisions
    assert unasked.sum() == 0
    assert (taken <= offered).all()


def plan(game: Game, **changed: Any) -> Plan:
    """Ten games in spans of four."""
    made = Plan(game, **{"bots": ["random", "random"], "games": 10, "seed": 7, **changed})
    made.span = 4
    return made


def test_one_file_tells_all_of_it(market: Game, tmp_path: Path) -> None:
    """Box, options, bots, versions and command are inside; Polars and DuckDB read the rows alike."""
    out = tmp_path / "f.parquet"
    table = run(plan(market), out).collect()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.events.parquet", "f.parquet"]
    assert pl.read_parquet(out).equals(table)
    assert table.select(simulate(market, ["random"] * 2, games=10, seed=7).columns).equals(
        simulate(market, ["random"] * 2, games=10, seed=7)
    )
    about = read_metadata(out)
    assert (about["box"], about["options"], about["seed"], about["games"]) == (market.box_hash, {"rounds": 12}, 7, 10)
    assert [one["name"] for one in about["bots"]] == ["random", "random"]
    assert {"sutler", "numpy", "numba", "polars", "python"} <= set(about["versions"])
    assert about["command"]
    by_sql = duckdb.sql(
        f"""select event, seat, sum("count") as n
            from (select unnest(events, recursive := true) from '{out}') group by event, seat"""
    ).fetchall()
    bought = {seat: n for event, seat, n in by_sql if event == "bought"}
    told = pl.read_parquet(tmp_path / "f.events.parquet")
    assert bought == dict(told.filter(pl.col("event") == "bought").select("seat", "count").iter_rows())
    assert sum(bought.values()) == explode_list_column(table, "uses").filter(pl.col("event") == "bought")["count"].sum()
    assert duckdb.sql(f"select count(*), min(seed), max(seed) from '{out}'").fetchall() == [(10, 7, 16)]
    rows = duckdb.sql(f"select event, seat, count from '{tmp_path / 'f.events.parquet'}'").fetchall()
    assert len(rows) == len(told)


def test_the_file_is_made_a_piece_at_a_time(market: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are read one after the other and written in groups, so that a million games need no more memory than a thousand."""
    whole = run(plan(market), tmp_path / "whole.parquet").collect()
    monkeypatch.setattr(experiment, "ROW_GROUP_GAMES", 3)
    assert run(plan(market), tmp_path / "f.parquet").collect().equals(whole)
    groups = duckdb.sql(
        f"select distinct row_group_id, row_group_num_rows from parquet_metadata('{tmp_path}/f.parquet')"
    )
    assert sorted(groups.fetchall()) == [(0, 3), (1, 3), (2, 3), (3, 1)]


def stop_after(n: int) -> Callable[[int, int], None]:
    """A Ctrl-C after so many games."""

    def progress(done: int, games: int) -> None:
        if done >= n:
            raise KeyboardInterrupt

    return progress


def test_an_interrupted_run_goes_on(market: Game, tmp_path: Path) -> None:
    """What is finished is kept and not played again; the end is the same as without the interruption."""
    out = tmp_path / "f.parquet"
    with pytest.raises(Interrupted, match=r"8 of 10 games are kept in .*f\.parquet\.parts"):
        run(plan(market), out, threads=1, progress=stop_after(8))
    assert not out.exists()
    kept: list[int] = []
    seen: list[int] = []
    table = run(
        plan(market), out, threads=1, progress=lambda done, _: seen.append(done), report_kept=kept.append
    ).collect()
    assert (kept, seen) == ([8], [10])
    assert table.equals(run(plan(market), tmp_path / "g.parquet").collect())
    assert read_metadata(out)["choices"] == read_metadata(tmp_path / "g.parquet")["choices"]


def test_more_games_of_the_same_go_on_too(market: Game, tmp_path: Path) -> None:
    """The number of games is no part of what must be the same: whole spans serve a longer run."""
    out = tmp_path / "f.parquet"
    with pytest.raises(Interrupted):
        run(plan(market), out, threads=1, progress=stop_after(4))
    kept: list[int] = []
    assert len(run(plan(market, games=14), out, threads=1, report_kept=kept.append).collect()) == 14
    assert kept == [4]


def test_parts_of_something_else_are_refused(market: Game, tmp_path: Path) -> None:
    """Another seed, option or bot: said in words, and nothing is touched."""
    out = tmp_path / "f.parquet"
    with pytest.raises(Interrupted):
        run(plan(market), out, threads=1, progress=stop_after(4))
    with pytest.raises(ValueError, match=r"another experiment .*seed was 7, now 8.*delete the folder"):
        run(plan(market, seed=8), out)
    with pytest.raises(ValueError, match="bots was"):
        run(plan(market, bots=["greedy", "random"]), out)
    other = sutler.load("market", rounds=12, settings={"rules.wage": 3})
    with pytest.raises(ValueError, match="box was"):
        run(plan(other), out)
    assert len(list((tmp_path / "f.parquet.parts").glob("*.parquet"))) == 1


def test_a_part_cut_short_is_played_again(market: Game, tmp_path: Path) -> None:
    """A crash may leave half a file; it counts as nothing."""
    out = tmp_path / "f.parquet"
    with pytest.raises(Interrupted):
        run(plan(market), out, threads=1, progress=stop_after(8))
    part = sorted((tmp_path / "f.parquet.parts").glob("*.parquet"))[0]
    part.write_bytes(part.read_bytes()[:200])
    kept: list[int] = []
    table = run(plan(market), out, threads=1, report_kept=kept.append).collect()
    assert kept == [4]
    assert table["seed"].to_list() == list(range(7, 17))


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="threads play compiled rules")
def test_the_same_experiment_is_the_same_file_to_the_byte(
    market: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With SOURCE_DATE_EPOCH, as reproducible builds have it; without, only the time of making differs. The file names bots and commit."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764100000")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        run(Plan(market, ["random", "greedy"], games=6), tmp_path / name / "f.parquet")
    assert (tmp_path / "one" / "f.parquet").read_bytes() == (tmp_path / "two" / "f.parquet").read_bytes()
    assert (tmp_path / "one" / "f.events.parquet").read_bytes() == (tmp_path / "two" / "f.events.parquet").read_bytes()
    about = read_metadata(tmp_path / "one" / "f.parquet")
    assert about["made"] == "2025-11-25T19:46:40Z"
    assert len(about["bots_code"]) == 16
    assert about["commit"] == find_commit()


@pytest.mark.parametrize("learned", ["judge.json", "policy.npz", "chances.toml", "bot/evaluate.py"])
def test_bots_are_others_where_what_they_learned_is(
    market: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learned: str
) -> None:
    """A record names its bots by a hash: of their code, and of the files in the game's folder by which they decide."""
    folder = tmp_path / "market"
    shutil.copytree(market.definition.home.folder, folder)
    monkeypatch.setattr(market.definition.home, "folder", folder)
    before = hash_bots_code(market)
    (folder / learned).parent.mkdir(exist_ok=True)
    (folder / learned).write_bytes(b"learned = 'anew'  # and told\n")
    assert hash_bots_code(market) != before
    assert hash_bots_code(market) == hash_bots_code(market)


def test_bots_stay_the_same_where_only_a_comment_changes(
    market: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written for people is no part of how a bot decides."""
    folder = tmp_path / "market"
    shutil.copytree(market.definition.home.folder, folder)
    monkeypatch.setattr(market.definition.home, "folder", folder)
    (folder / "bot").mkdir(exist_ok=True)
    hashes = []
    for name, code in (
        ("a", "WORTH = 2\n"),
        ("b", '"""How it judges."""\n\nWORTH = 2  # coins\n'),
        ("c", "WORTH = 3\n"),
    ):
        (folder / "bot" / "judgement.py").write_text(code, encoding="utf-8")
        hash_meaning_of_module.cache_clear()
        hashes.append((name, hash_bots_code(market)))
    hash_meaning_of_module.cache_clear()
    assert hashes[0][1] == hashes[1][1] != hashes[2][1]


def test_threads_make_no_difference(tmp_path: Path) -> None:
    """One thread or three: the same file but for its time."""
    made = plan(sutler.load("manor", offers=0, victory=5), bots=["random"] * 3)
    one, three = (run(made, tmp_path / f"{n}.parquet", threads=n) for n in (1, 3))
    assert one.collect().equals(three.collect())


def test_what_cannot_be_played_is_said(market: Game) -> None:
    """Before anything is written."""
    with pytest.raises(ValueError, match="2 bots do not fill 3 seats"):
        Plan(market, ["random", "random"], seats=3)
    with pytest.raises(ValueError, match="at least one game"):
        Plan(market, games=0)


def test_a_long_game_keeps_few_moments(market: Game) -> None:
    """The stats has a fixed size: when it is full every second moment goes, so that they stay evenly spread."""
    from sutler.bots.kit import get_kit
    from sutler.bots.kit.records import MOMENTS

    kit = get_kit(market)
    stats, state = np.zeros(1, kit.stats_record.dtype)[0], market.new(2, 1).state
    stats.stride = 1
    for decision in range(1000):
        state.round_no = decision % 100
        kit.recorder.keep_state(state, stats, decision)
    assert stats.stride == 32
    assert stats.n_moments == 1 + 999 // 32 <= MOMENTS
    assert [int(one.round_no) for one in stats.moments[: stats.n_moments]] == [
        32 * k % 100 for k in range(stats.n_moments)
    ]


def test_the_plan_is_told_in_full(market: Game) -> None:
    """All that determines the result is in it, and is plain data."""
    told = json.loads(json.dumps(plan(market).to_dict(), default=str))
    assert set(told) >= {"game", "box", "options", "bots", "seed", "rules"}
    assert told["options"] == {"rounds": 12}
    assert experiment.SEARCH_SPAN_GAMES < experiment.SPAN_GAMES
