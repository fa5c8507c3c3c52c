"""Many games at once: the same table however many threads, games that can be played again, honest labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sutler
from sutler.bots import Bot, bot
from sutler.core.actions import Action
from sutler.core.play.position import SeatView
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.provenance import read_metadata, write_parquet_with_provenance
from sutler.lab.play.simulate import simulate
from sutler.lab.stats.estimates import build_win_rate_table, compute_wilson_interval

GAMES = 2 if PLAIN_ONLY else 130
slow_plain = pytest.mark.skipif(PLAIN_ONLY, reason="whole games of manor want compiled rules")


class First:
    """A bot of one's own: always the last action in the list."""

    name = "last"

    def choose(self, view: SeatView) -> Action:
        return view.actions()[-1]


def manor(**options: Any) -> sutler.Game:
    return sutler.load("manor", **{"offers": 0, "victory": 5, **options})


@slow_plain
@pytest.mark.compiled
@pytest.mark.parametrize("bots", [["random"] * 3, ["greedy", "random", "random"]], ids=["random", "greedy"])
def test_threads_make_no_difference(bots: list[str]) -> None:
    """One thread or three: the same rows in the same order."""
    one = simulate(manor(), bots, games=GAMES, seed=3, threads=1)
    three = simulate(manor(), bots, games=GAMES, seed=3, threads=3)
    assert one.equals(three)


@slow_plain
@pytest.mark.compiled
def test_threads_make_no_difference_to_a_search() -> None:
    """Nor does it where bots search."""
    bots: list[str | Bot] = [bot("search", rounds=4, horizon=2), "random"]
    tables = [simulate(manor(), bots, games=4, seed=3, threads=threads) for threads in (1, 2)]
    assert tables[0].equals(tables[1])


@slow_plain
@pytest.mark.compiled
def test_rows_say_what_happened() -> None:
    """Seeds in order, bots in rotation, places that fit the scores, one box."""
    game = manor()
    table = simulate(game, ["greedy", "random", "random"], games=12, seed=40)
    assert table["seed"].to_list() == list(range(40, 52))
    assert [table[f"bot_{seat}"].to_list().count("greedy") for seat in range(3)] == [4, 4, 4]
    for row in table.to_dicts():
        best = max(row[f"score_{seat}"] for seat in range(3))
        assert all(row[f"score_{seat}"] == best for seat in range(3) if row[f"place_{seat}"] == 1)
        assert row["finished"]
        assert row["turns"] >= 1
        assert row["decisions"] > 0
    assert table["box"].unique().to_list() == [game.box_hash]
    fixed = simulate(game, ["greedy", "random", "random"], games=6, seed=40, rotate=False)
    assert fixed["bot_0"].to_list() == ["greedy"] * 6


@slow_plain
@pytest.mark.compiled
def test_a_seed_deals_the_same_game_as_the_table() -> None:
    """A row's seed starts the very game that `game.new` starts: with one's own bot, every decision is the same too."""
    game = manor()
    fast = simulate(game, ["random"] * 3, games=3, seed=9, threads=1)
    again = simulate(game, ["random"] * 3, games=1, seed=10, threads=1, rotate=False)
    assert again["decisions"][0] == fast["decisions"][1]


@slow_plain
def test_bots_of_ones_own_play_in_python() -> None:
    """Anything with `choose` can sit down; the table has the same columns."""
    game = manor(victory=5)
    ours = simulate(game, ["random"] * 2, games=1, seed=1)
    theirs = simulate(game, [First(), "random"], games=2, seed=1)
    assert theirs.columns == ours.columns
    assert set(theirs["bot_0"].to_list()) == {"last", "random"}


@slow_plain
@pytest.mark.compiled
def test_events_are_counted_by_kind_and_seat() -> None:
    """Turns told are turns played; every seat feeds about as often."""
    table, told = simulate(manor(), ["random"] * 2, games=40, seed=2, events=True, threads=2)
    counts = {(row["event"], row["seat"]): row["count"] for row in told.to_dicts()}
    assert counts["turn", None] == table["turns"].sum()
    assert counts["ended", None] == 40
    assert counts["fed", 0] > 0
    assert counts["fed", 1] > 0
    one, alone = simulate(manor(), ["random"] * 2, games=40, seed=2, events=True, threads=1)
    assert alone.equals(told)
    assert one.equals(table)


@pytest.mark.compiled
def test_how_games_end_is_known_without_counting() -> None:
    """Where nobody counts events only the endings are told: the same table either way."""
    game = sutler.load("bellum")
    games = 1 if PLAIN_ONLY else 20
    counted, _ = simulate(game, ["random"], games=games, seed=5, events=True)
    assert simulate(game, ["random"], games=games, seed=5).equals(counted)
    assert (counted["ending"] != "").all()


@slow_plain
@pytest.mark.compiled
def test_progress_comes_to_the_end() -> None:
    """The last call says that all is done."""
    seen: list[tuple[int, int]] = []
    simulate(manor(), ["random"] * 2, games=200, progress=lambda done, games: seen.append((done, games)))
    assert seen[-1] == (200, 200)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@slow_plain
@pytest.mark.compiled
def test_parquet_tells_where_it_comes_from(tmp_path: Path) -> None:
    """Box, options, versions and command are in the file."""
    game = manor(victory=6)
    table = simulate(game, ["random"] * 2, games=5)
    write_parquet_with_provenance(table, tmp_path / "games.parquet", game, seed=1)
    assert pl.read_parquet(tmp_path / "games.parquet").equals(table)
    about = read_metadata(tmp_path / "games.parquet")
    assert about["box"] == game.box_hash
    assert about["options"] == {"offers": 0, "victory": 6}
    assert about["seed"] == 1
    assert {"sutler", "numpy", "numba"} <= set(about["versions"])


def test_what_cannot_be_played_is_said() -> None:
    """Seats, bots and games that do not fit."""
    game = manor()
    with pytest.raises(ValueError, match="2 bots do not fill 3 seats"):
        simulate(game, ["random", "random"], seats=3)
    with pytest.raises(ValueError, match="2 to 6 seats, not 7"):
        simulate(game, ["random"] * 7, games=1)
    with pytest.raises(ValueError, match="at least one game"):
        simulate(game, ["random"] * 2, games=0)
    with pytest.raises(ValueError, match="there is no bot"):
        simulate(game, ["nobody"] * 2, games=1)


def test_wilson_intervals() -> None:
    """Against the worked figures of the formula."""
    assert compute_wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-3)
    assert compute_wilson_interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-3)
    assert compute_wilson_interval(0, 0) == (0.0, 1.0)


def test_wins_share_a_first_place() -> None:
    """Two in first place have half a win each."""
    table = pl.DataFrame(
        {"bot_0": ["a", "a"], "bot_1": ["b", "b"], "score_0": [3.0, 5.0], "score_1": [3.0, 1.0]}
        | {"place_0": [1, 1], "place_1": [1, 2]}
    )
    found = {row["bot"]: row for row in build_win_rate_table(table).to_dicts()}
    assert found["a"]["wins"] == 1.5
    assert found["b"]["share"] == 0.25
    assert found["a"]["low"] < 0.75 < found["a"]["high"]
