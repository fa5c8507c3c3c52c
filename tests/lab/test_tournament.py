"""Tournaments: every table that is needed, places by chair, ratings and matrices that agree, controls that can fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sutler.bots import bot_from, parse_bots
from sutler.bots.search import SearchBot
from sutler.core.play.game import load
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.query import Query
from sutler.lab.report.study_pages import render_tournament_page
from sutler.lab.studies.tournament import (
    TableGames,
    Tournament,
    _build_table_games,
    describe_controls,
    describe_ladder,
    describe_strongest_bot,
    iter_tournament,
    list_all_seatings,
    list_ladder_entrants,
    list_ladder_seatings,
    run_tournament,
)


def manor() -> Any:
    return load("manor", None, {"offers": 0, "victory": 5})


def table(seating: tuple[int, ...], places: Any) -> TableGames:
    """A table whose chair k sat in seat k."""
    n = len(seating)
    return TableGames(
        seating, np.asarray(places, float), np.tile(np.arange(n, dtype=float), (len(places), 1)), pl.DataFrame()
    )


def tournament(*tables: TableGames, entrants: tuple[str, ...] = ("a", "b", "c")) -> Tournament:
    return Tournament(entrants, len(tables[0].seating), tables, len(tables), {"games": len(tables[0].places)})


def coin(games: int, first: float, seed: int = 1) -> Any:
    """Places of two chairs, of which the first wins that often."""
    won = np.random.default_rng(seed).random(games) < first
    return np.stack([np.where(won, 1, 2), np.where(won, 2, 1)], axis=1)


# --- Tables -------------------------------------------------------------------------


def test_every_table_that_is_needed() -> None:
    """Mirrors, and each pair in every split of the seats."""
    assert list_all_seatings(2, 3) == [(0, 0, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1)]
    assert len(list_all_seatings(4, 3)) == 4 + 6 * 2
    assert list_all_seatings(3, 2) == [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]


def test_a_ladder_asks_less() -> None:
    """Each rung against its equals, alone against the foot, and alone against the rung before."""
    assert list_ladder_seatings(3, 3) == [(0, 0, 0), (1, 1, 1), (2, 2, 2), (1, 0, 0), (2, 0, 0), (2, 1, 1)]
    assert list_ladder_entrants([5, 10]) == ["greedy", "search:rounds=5", "search:rounds=10"]
    for wrong in ([], [0, 5], [10, 5], [5, 5]):
        with pytest.raises(ValueError, match="a ladder goes up"):
            list_ladder_entrants(wrong)


def test_chairs_go_round_the_seats() -> None:
    """In game i, seat s is chair (s + i) mod n, as `simulate` seats them."""
    rows = pl.DataFrame({"seed": [1, 2, 3]} | {f"place_{s}": [s + 1] * 3 for s in range(3)} | {"bot_0": ["?"] * 3})
    found = _build_table_games((0, 0, 1), rows, ["a", "b"])
    assert found.places.tolist() == [[1, 2, 3], [3, 1, 2], [2, 3, 1]]
    assert found.won_by_seat().tolist() == [[1, 0, 0]] * 3
    assert found.rows["bot_0"].to_list() == ["a", "a", "b"]
    assert found.rows["table"].unique().to_list() == ["a+a+b"]


# --- What they say ------------------------------------------------------------------


def test_the_matrix_counts_pairs_of_seats() -> None:
    """One against two: ahead of both, of one, level with both."""
    found = tournament(table((0, 1, 1), [[1, 2, 3], [2, 1, 3], [1, 1, 1]]))
    ahead, behind = found.compute_share_ahead(0, 1), found.compute_share_ahead(1, 0)
    assert ahead is not None
    assert behind is not None
    assert ahead.value == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert ahead.value + behind.value == pytest.approx(1)
    assert found.compute_share_ahead(0, 2) is None
    alone = found.compute_wins_alone_against(0, 1)
    assert alone is not None
    assert alone.value == pytest.approx((1 + 0 + 1 / 3) / 3)


def test_ratings_order_by_strength_and_grow_surer() -> None:
    """a beats b, b beats c; more games, less doubt; equals stay equal."""
    strong = [table((0, 1), coin(300, 0.8)), table((1, 2), coin(300, 0.8, 2)), table((0, 2), coin(300, 0.9, 3))]
    (a, doubt), (b, _), (c, _) = tournament(*strong).compute_ratings()
    assert a > b > c
    few = [table(one.seating, one.places[:20]) for one in strong]
    assert tournament(*few).compute_ratings()[0][1] > 2 * doubt
    (x, dx), (y, dy) = tournament(table((0, 1), coin(400, 0.5, 4)), entrants=("x", "y")).compute_ratings()
    assert abs(x - y) < 2 * (dx + dy)
    assert "a is rated highest" in describe_strongest_bot(tournament(*strong))
    equals = tournament(table((0, 1), coin(400, 0.5, 6)), entrants=("x", "y"))
    assert describe_strongest_bot(equals).startswith("No bot is seen to be the strongest; the highest ratings are ")


def test_seats_of_one_bot_share_its_rating() -> None:
    """Two seats of the weaker one take both their steps: the sum of all steps is nought, as at a table of three."""
    (a, _), (b, _) = tournament(table((0, 1, 1), [[1, 2, 3]]), entrants=("a", "b")).compute_ratings()
    assert a - 25 == pytest.approx(25 - b)


def test_controls_can_fail() -> None:
    """Chairs of one bot that win alike pass; one that wins six in ten of 400 does not, and it is said."""
    fair = tournament(table((0, 0), coin(400, 0.5)), entrants=("a",))
    unfair = tournament(table((0, 0), coin(400, 0.6)), entrants=("a",))
    assert fair.compute_control(0).has_passed()  # type: ignore[union-attr]
    assert "come out even" in describe_controls(fair)
    assert not unfair.compute_control(0).has_passed()  # type: ignore[union-attr]
    assert "do NOT come out even: a" in describe_controls(unfair)
    unlucky = tournament(table((0, 0), [[1, 2]] * 9 + [[2, 1]] * 3), entrants=("a",))  # nine of twelve: it happens
    assert unlucky.compute_control(0).has_passed()  # type: ignore[union-attr]


def test_a_ladder_says_how_far_it_pays() -> None:
    """b beats a for sure, and so does c, which is too close to b; or nobody beats anybody."""
    first = table((1, 0), coin(200, 0.8))
    met = tournament(first, table((2, 0), coin(200, 0.8, 2)), table((2, 1), coin(200, 0.52, 3)))
    assert describe_ladder(met) == "Surely stronger than a: b, c. Surely stronger than the rung before: b."
    level = tournament(table((1, 0), coin(200, 0.5)), table((2, 1), coin(200, 0.52, 3)))
    assert describe_ladder(level) == "No rung surely beats a. No rung surely beats the one before in 200 games."


# --- Played -------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of games of manor want compiled rules")
def test_greedy_beats_random_and_mirrors_are_even(tmp_path: Path) -> None:
    """A small tournament of manor, its file and its page; the same again with more threads."""
    found = run_tournament(Query(manor(), ["random", "greedy"], seats=2, games=599, threads=1))
    assert found.about["games"] == 600
    ahead = found.compute_share_ahead(1, 0)
    assert ahead is not None
    assert ahead.low > 0.8
    assert all(found.compute_control(one).has_passed() for one in (0, 1))  # type: ignore[union-attr]
    found.write(tmp_path / "games.parquet")
    games = pl.read_parquet(tmp_path / "games.parquet")
    assert len(games) == 600 * 3
    assert games["seed"].n_unique() == 1800  # every table has seeds of its own
    mixed = games.filter(pl.col("table") == "random+greedy")
    assert mixed["bot_0"].value_counts()["count"].to_list() == [300, 300]
    assert (
        run_tournament(Query(manor(), ["random", "greedy"], seats=2, games=600, threads=3))
        .build_games_table()
        .equals(found.build_games_table())
    )
    page = render_tournament_page(found, ladder=False)
    assert "greedy is rated highest" in page
    assert page.count("<polyline") == 2


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of games of manor want compiled rules")
def test_a_small_ladder() -> None:
    """Greedy, then a few rounds of search; a ladder stopped early has a page too."""
    steps = list(
        iter_tournament(Query(manor(), list_ladder_entrants([2, 4]), 2, games=4, threads=1), list_ladder_seatings)
    )
    assert [len(one.tables) for one in steps] == [1, 2, 3, 4, 5, 6]
    assert "Does thinking longer pay?" in render_tournament_page(steps[-1], ladder=True)
    assert "Is every seat as good" in render_tournament_page(steps[0], ladder=True)


# --- Bots as one writes them --------------------------------------------------------


def test_bots_are_written_with_their_settings() -> None:
    """Whole numbers stay whole."""
    assert bot_from("search:rounds=40:wander=0.2") == SearchBot(rounds=40, wander=0.2)
    assert [one.name for one in parse_bots("greedy, random")] == ["greedy", "random"]
    for wrong in ("search:rounds", "search:rounds=many", "nobody", "search:depth=3", "greedy:redeals=0"):
        with pytest.raises(ValueError, match=r"KEY=NUMBER|there is no bot|no setting|from 1"):
            bot_from(wrong)


def test_who_cannot_meet() -> None:
    """One bot, or one twice."""
    for wrong in (["greedy"], ["greedy", "greedy"]):
        with pytest.raises(ValueError, match="two bots or more, each named once"):
            next(iter_tournament(Query(manor(), wrong)))
