"""Comparisons: intervals that hold at every look, error rates as stated, honest answers."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import programs
from sutler.core.play.game import load
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.experiment import Interrupted
from sutler.lab.play.headline_figures import (
    Figure,
    compute_interval,
    compute_joint_intervals,
    compute_table_figures,
    describe_constant_shares,
    select_figures,
)
from sutler.lab.play.query import Query
from sutler.lab.report.study_pages import list_side_changes, render_comparison_page
from sutler.lab.stats.anytime_intervals import (
    FIRST_LOOK_GAMES,
    PILOT_PAIRS,
    compute_bounds_from_pilot,
    compute_max_unseen_share,
    iter_inspection_sizes,
)
from sutler.lab.stats.anytime_intervals import compute_anytime_interval as sequence
from sutler.lab.stats.estimates import (
    build_win_rate_table,
    compute_bonferroni_z,
    compute_student_t,
    compute_wilson_interval,
)
from sutler.lab.studies.compare import (
    Certainty,
    Comparison,
    _describe_heavy_tail,
    compare,
    is_same_box,
    iter_comparisons,
    judge_figure,
    judge_figures,
)
from sutler.lab.studies.comparison_calibration import iter_block_trials, iter_trials, summarise_trials

ROOT = Path(__file__).parents[2]
POINTS = Figure("points", "points", "")
DECISIONS = Figure("decisions", "length in decisions", "")
SHARE = Figure("share", "share", "", share=True)
SCORE = Figure("score", "mean score", "")
SIDES = {side: {"bots": ["greedy"], "seats": 2} for side in ("a", "b")}

slow_plain = pytest.mark.skipif(PLAIN_ONLY, reason="whole games of manor want compiled rules")
compiled = pytest.mark.compiled


def manor(**settings: Any) -> Any:
    return load("manor", None, {"offers": 0, "victory": 5, **settings})


def games(n: int, seed: int, shift: float = 0.0) -> dict[Figure, Any]:
    """Made-up figures: points with a shift, a share without."""
    luck = np.random.default_rng(seed)
    return {POINTS: luck.exponential(4.0, n) + shift, SHARE: (luck.random(n) < 0.3).astype(float)}


# --- Intervals --------------------------------------------------------------------


def test_the_interval_is_that_of_the_paper() -> None:
    """Three numbers worked by hand: a candidate is given up when sum ln(1 + stake (x - m)) exceeds ln(2 / alpha)."""
    ones = np.ones(400)
    low, high = sequence(ones, 0.0, 1.0, 0.05)
    assert high == pytest.approx(1.0, abs=1e-4)
    spread, fortune = [0.25], 0.0  # of numbers all alike: (0.25 + sum of squares to the running mean) / (n + 1)
    squares = 0.0
    for n in range(1, 401):
        mean = (0.5 + n) / (n + 1)
        squares += (1 - mean) ** 2
        spread.append((0.25 + squares) / (n + 1))
    for n in range(1, 401):
        patience = 2000 + n * math.log1p(n / 2000)
        stake = min(math.sqrt(2 * math.log(40) / (spread[n - 1] * patience)), 0.5 / low)
        fortune += math.log1p(stake * (1 - low))
    assert fortune == pytest.approx(math.log(40), abs=0.01)
    assert 0.95 < low < 1.0


def test_intervals_are_as_wide_as_they_must_be() -> None:
    """Narrower with more games, wider than the usual interval of one look, and not by much more than half."""
    luck = np.random.default_rng(3)
    x = luck.beta(4, 4, 8000)
    widths = [float(np.diff(sequence(x[:n], 0.0, 1.0, 0.05))[0]) for n in (500, 2000, 8000)]
    usual = [2 * 1.96 * float(x.std()) / math.sqrt(n) for n in (500, 2000, 8000)]
    assert widths == sorted(widths, reverse=True)
    assert all(1.0 < width / one < 2.2 for width, one in zip(widths, usual, strict=True))


def test_the_bounds_may_be_anywhere() -> None:
    """The interval of a + b x is that of x, moved and stretched; of 1 - x its mirror."""
    x = np.random.default_rng(5).random(1000)
    low, high = sequence(x, 0.0, 1.0, 0.05)
    assert sequence(3 + 10 * x, 3.0, 13.0, 0.05) == pytest.approx((3 + 10 * low, 3 + 10 * high), abs=1e-6)
    assert sequence(1 - x, 0.0, 1.0, 0.05) == pytest.approx((1 - high, 1 - low), abs=1e-3)


@pytest.mark.parametrize("chance", [0.5, 0.02, 0.002])
def test_a_mean_stays_inside_at_every_look(chance: float) -> None:
    """Of 300 runs of rare things, looked at after every fifth game to 3,000, at most one in twenty ever leaves the interval;
    the usual interval loses far more."""
    luck = np.random.default_rng(1)
    ever = usual = 0
    for _ in range(300):
        x = (luck.random(3000) < chance).astype(float)
        found = [(n, sequence(x[:n], 0.0, 1.0, 0.05)) for n in range(FIRST_LOOK_GAMES, 3001, 100)]
        ever += any(not low <= chance <= high for _, (low, high) in found)
        usual += any(
            abs(x[:n].mean() - chance) > 1.96 * x[:n].std() / math.sqrt(n) for n in range(FIRST_LOOK_GAMES, 3001, 100)
        )
    assert ever <= 15
    assert usual > 60


def test_bounds_hold_a_light_tail_and_cut_a_heavy_one() -> None:
    """Of normal numbers hardly one in a thousand lies beyond; of a tail like WARFARM's none of it lies within."""
    luck = np.random.default_rng(6)
    low, high = compute_bounds_from_pilot(luck.normal(0, 1, 2 * PILOT_PAIRS))
    assert np.mean(np.abs(luck.normal(0, 1, 100_000)) > min(-low, high)) < 0.01
    heavy = luck.normal(300, 60, 100_000)
    heavy[::600] = 70_000.0
    low, high = compute_bounds_from_pilot(heavy[: 2 * PILOT_PAIRS])
    assert 400 < high < 1_000
    assert compute_bounds_from_pilot(np.full(100, 12.0)) == (11.0, 13.0)


def test_what_was_never_seen_may_still_be() -> None:
    """Three in n, as the rule of three has it for 5 %; more for less."""
    assert compute_max_unseen_share(1000, 0.05) == pytest.approx(3 / 1000, rel=0.01)
    assert compute_max_unseen_share(1000, 0.005) > compute_max_unseen_share(1000, 0.05)


def test_looks_are_multiples_and_end_where_told() -> None:
    """From the first look on, ever further apart, in whole rotations."""
    found = list(iter_inspection_sizes(5000, 3))
    assert found[0] >= FIRST_LOOK_GAMES
    assert found[-1] == 4998
    assert all(n % 3 == 0 for n in found)
    gaps = np.diff(found[:-1])
    assert (np.diff(gaps) >= -3).all()


# --- Verdicts ---------------------------------------------------------------------


def test_verdicts() -> None:
    """More, less, no matter, the same, unclear."""
    luck = np.random.default_rng(2)
    a = luck.normal(0, 1, 4000)
    assert judge_figure(POINTS, a, a + 0.5 + luck.normal(0, 0.1, 4000), 0.05, 0.1).verdict == "more"
    assert judge_figure(POINTS, a, a - 0.5 + luck.normal(0, 0.1, 4000), 0.05, 0.1).verdict == "less"
    assert judge_figure(POINTS, a, a + luck.normal(0, 0.1, 4000), 0.05, 0.1).verdict == "alike"
    assert judge_figure(POINTS, a, a, 0.05, 0.1).verdict == "same"
    assert judge_figure(POINTS, a[:FIRST_LOOK_GAMES], a[:FIRST_LOOK_GAMES], 0.05, 0.1).verdict == "open"
    assert judge_figure(POINTS, a[:300], luck.normal(0, 1, 300), 0.05, 0.1).verdict == "open"


def test_few_differing_games_prove_nothing() -> None:
    """Ten games of a thousand that differ, all in one direction, are no limit theorem."""
    a = np.zeros(1000)
    b = np.zeros(1000)
    b[::100] = 1.0
    found = judge_figure(SHARE, a, b, 0.05, 0.1)
    assert found.differ == 10
    assert found.low < 0 < found.high
    b[::10] = 1.0
    assert judge_figure(SHARE, a, b, 0.05, 0.1).verdict == "more"


def test_the_error_is_split_among_the_figures() -> None:
    """Two figures, and the share of games beyond the bounds of one: each interval is that of a third of the error."""
    a, b = games(1000, 1), games(1000, 2)
    both = judge_figures(a, b, alpha=0.05)
    alone = judge_figure(POINTS, a[POINTS], b[POINTS], 0.05 / 3, 0.1)
    assert both[0] == alone


def test_whole_rotations_count_as_one() -> None:
    """Where bots differ, what seats add to the noise cancels within a rotation."""
    luck = np.random.default_rng(4)
    seats = np.tile([0.0, 5.0, -5.0], 1600)
    a, b = luck.normal(0, 1, 4800), luck.normal(0, 1, 4800)
    by_game = judge_figure(POINTS, a, b + seats, 0.05, 0.1)
    by_rotation = judge_figure(POINTS, a, b + seats, 0.05, 0.1, rotation=3)
    assert by_rotation.units == 1600 - PILOT_PAIRS
    assert by_rotation.share_of_pairs_that_differ <= 1.0, "of all pairs, not of those that are judged only"
    assert by_rotation.effect == pytest.approx(float((b + seats - a)[3 * PILOT_PAIRS :].mean()), abs=0.01)
    assert by_rotation.high - by_rotation.low < (by_game.high - by_game.low) / 2


# --- Error rates ------------------------------------------------------------------


def test_error_rates_are_what_is_said() -> None:
    """Nothing changed: at most 5 % of comparisons err anywhere. A shift of a quarter of a standard deviation: nearly all see it."""
    pool = games(20_000, 1)
    nothing = summarise_trials(list(iter_trials(pool, pool, 300, 3000, seed=1, paired=False)))
    assert compute_wilson_interval(nothing["wrong"], 300)[0] <= 0.05
    assert nothing["wrong"] <= 15
    assert nothing["careless"] > 60
    moved = summarise_trials(list(iter_trials(pool, games(20_000, 2, shift=1.0), 100, 3000, seed=2, paired=False)))
    assert moved["by_figure"]["points"] >= 95
    assert moved["wrong"] <= 5


def heavy(n: int, seed: int, longer: float = 0.0) -> dict[Figure, Any]:
    """Lengths of games of which one in 600 repeats itself for some 75,000 decisions, as WARFARM's did."""
    luck = np.random.default_rng(seed)
    lengths = luck.normal(300, 60, n) + longer
    lengths[luck.random(n) < 1 / 600] = 75_000.0
    return {DECISIONS: lengths}


def test_a_heavy_tail_breaks_no_promise() -> None:
    """A plain mean's usual interval is nearly always wrong; what is judged here is not, and a real change is still seen."""
    a, b = heavy(30_000, 1), heavy(30_000, 2)
    nothing = summarise_trials(list(iter_trials(a, b, 300, 3000, seed=1, paired=False)))
    assert nothing["wrong"] <= 15
    assert nothing["careless"] > 150
    moved = summarise_trials(list(iter_trials(a, heavy(30_000, 3, longer=30.0), 60, 3000, seed=2, paired=False)))
    assert moved["wrong"] <= 3
    assert moved["by_figure"]["decisions"] >= 57


def test_rotations_break_no_promise() -> None:
    """Where bots differ, seats count by whole rotations, and the truth of a trial is of the same: of single games nearly all erred."""
    luck, n = np.random.default_rng(7), 3000

    def rotated(longer: float) -> dict[Figure, Any]:
        return {DECISIONS: luck.gamma(4, 40, n) * (1 + longer * (np.arange(n) % 3))}

    found = summarise_trials(list(iter_trials(rotated(0.5), rotated(1.0), 40, 1500, seed=3, paired=True, rotation=3)))
    assert found["wrong"] <= 5
    assert found["by_figure"]["decisions"] == 40


def test_a_tail_that_grows_is_seen_as_long_games() -> None:
    """Six times as many games that never end: said by their share; the plain mean is called none to go by."""
    a, b = heavy(6000, 4), heavy(6000, 5)
    b[DECISIONS][60::100] = 75_000.0
    effects = {one.figure.name: one for one in judge_figures(a, b)}
    assert effects["long"].verdict == "more"
    assert effects["long"].effect == pytest.approx(1 / 100, abs=0.003)
    c = heavy(6000, 6)
    c[DECISIONS][np.flatnonzero(c[DECISIONS] > 1000)[4:]] = 300.0
    few = judge_figures(c, c)[0].tail
    assert few is not None
    assert few.is_heavy


def test_what_is_no_length_is_not_said_to_be_long() -> None:
    """Margins that five games make up: the share of long games says nothing of them."""
    margins = np.zeros(400)
    margins[::80] = 90.0
    found, _ = judge_figures({POINTS: margins}, {POINTS: margins})
    assert found.tail is not None
    assert found.tail.is_heavy
    said = _describe_heavy_tail(found, found.tail)
    assert "5 games make up 100% of the plain means, 1.12 and 1.12; go by the share of strays." in said
    assert "long" not in said


def test_a_plain_mean_that_says_otherwise_is_warned_of() -> None:
    """Everybody has a point less, one game in fifty is a jackpot of a hundred: usually less, on plain average more. Both are said."""
    luck, warned = np.random.default_rng(3), 0
    for _ in range(20):
        a = luck.normal(10, 1, 3000)
        b = np.where(luck.random(3000) < 0.02, 110.0, luck.normal(9, 1, 3000))
        effects = judge_figures({POINTS: a}, {POINTS: b})
        found = Comparison(3000, 3000, 0.05, 0.1, effects, (), 0.0, {"sides": SIDES})  # type: ignore[arg-type]
        said = found.answer()
        beyond = next(one for one in effects if one.figure.name == "points_beyond")
        assert effects[0].plain_effect == pytest.approx(float(b.mean() - a.mean()))
        if "usual points −" in said:  # else the pilot had so many jackpots that they are no strays
            assert "Careful: the plain mean of points changes by +" in said
            assert beyond.verdict == "more"
            warned += 1
    assert warned >= 12
    still = judge_figures({POINTS: a}, {POINTS: a + luck.normal(0, 0.1, 3000)})
    assert not any(one.is_contradicted for one in still)


def test_games_that_differ_more_are_seen_where_their_mean_stays() -> None:
    """Scores as far apart again: the mean does not move, their middle half does."""
    luck = np.random.default_rng(5)
    a, b = luck.normal(20, 3, 6000), luck.normal(20, 6, 6000)
    by_name = {one.figure.name: one for one in judge_figures({SCORE: a}, {SCORE: b})}
    assert by_name["score"].verdict != "more"
    assert by_name["score_middle_half"].verdict == "more"
    assert by_name["score_middle_half"].a == pytest.approx(2 * 0.4728 * 3, rel=0.05), "the third and the sixth of eight"
    alike = {one.figure.name: one for one in judge_figures({SCORE: a}, {SCORE: luck.normal(20, 3, 6000)})}
    assert alike["score_middle_half"].verdict in ("alike", "open")
    assert by_name["score_middle_half"].units == 750 - PILOT_PAIRS, "eight games make one number"


@pytest.mark.parametrize("jackpot", [100.0, 1e6])
def test_the_middle_half_does_not_see_a_tail(jackpot: float) -> None:
    """One game in fifty brings a jackpot on the second side only: how far two games are apart would be another, the middle half is not."""
    luck = np.random.default_rng(6)
    for _ in range(5):
        a, b = luck.normal(20, 3, 6000), luck.normal(20, 3, 6000)
        b[luck.random(6000) < 0.02] = jackpot
        by_name = {one.figure.name: one for one in judge_figures({SCORE: a}, {SCORE: b})}
        middle = by_name["score_middle_half"]
        assert middle.verdict in ("alike", "open")
        assert abs(middle.effect) < 0.3
        assert middle.near == pytest.approx(0.1 * 2.837, rel=0.05), "a tenth of itself"


def test_every_answer_rounds_the_games_still_needed_alike() -> None:
    """An answer said 77,000 where its outlook said 100,000."""
    luck = np.random.default_rng(8)
    a = luck.normal(10, 1, 400)
    effects = judge_figures({POINTS: a}, {POINTS: a + luck.normal(0.03, 1, 400)})
    found = Comparison(400, 400, 0.05, 0.1, effects, (), 0.0, {"sides": SIDES})  # type: ignore[arg-type]
    advised = re.search(r"try --games (\d+)", found.answer())
    assert advised is not None
    assert f"--games {advised[1]} for" in found.list_games_that_would_settle()[-1]


def test_too_small_is_told_in_each_figures_own_unit() -> None:
    """Two points of a share of games, at two seats as at six; a tenth of a standard deviation of the others."""
    a, b = games(2000, 1), games(2000, 2)
    by_name = {one.figure.name: one for one in judge_figures(a, b)}
    assert by_name["share"].near == 0.02
    assert by_name["points"].near == pytest.approx(0.1 * a[POINTS].std())
    found = Comparison(2000, 2000, 0.05, 0.1, tuple(by_name.values()), (), 0.0, {"sides": SIDES})  # type: ignore[arg-type]
    points = f"{by_name['points'].near:.2f} of points"
    said = f"“Too small to matter”: surely less than 2 points of a hundred for a share of games, {points}."
    assert found.describe_differences_too_small() == said


def test_what_matters_comes_first() -> None:
    """What moved, what surely did not, what is open with the games it takes: in this order."""
    luck = np.random.default_rng(8)
    a, b = games(6000, 1), games(6000, 2)
    a[SCORE], b[SCORE] = luck.normal(20, 3, 6000), luck.normal(25, 3, 6000)
    a[DECISIONS] = b[DECISIONS] = luck.normal(300, 30, 6000)
    rare = Figure("rare", "rare thing", "", share=True)
    a[rare], b[rare] = ((luck.random(6000) < 0.5 + by).astype(float) for by in (0.0, 0.015))
    found = Comparison(6000, 9000, 0.05, 0.1, judge_figures(a, b), (), 0.0, {"sides": SIDES})  # type: ignore[arg-type]
    said = found.answer()
    moved, still, open_ = (
        said.index(words) for words in ("It makes a difference", "Surely not by anything that matters", "Still open")
    )
    assert moved < still < open_
    assert "rare thing between" in said[open_:]
    assert "For an answer try --games " in said[open_:]
    assert found.data()["settled"] is False


def test_bots_that_never_win_are_said_to_say_nothing_of_winning() -> None:
    """A co-operative game that is lost at every value."""
    nobody = Figure("nobody", "won by nobody", "", share=True)
    assert describe_constant_shares({nobody: [1.0, 1.0]})[0].endswith("ask stronger ones, such as --bots judge.")
    assert describe_constant_shares({nobody: [0.0, 0.0]}, cooperative=True)[0].startswith("These bots always win it")
    assert describe_constant_shares({nobody: [0.0, 0.0]}) == []
    assert describe_constant_shares({nobody: [1.0, 0.9]}) == []


def test_a_share_has_one_interval_everywhere() -> None:
    """The seats' intervals of a sweep are those of a report: they hold for all seats together."""
    luck = np.random.default_rng(2)
    won = luck.integers(0, 3, 300)
    seats = {
        Figure(f"seat_{k + 1}", f"won by seat {k + 1}", "", share=True): (won == k).astype(float) for k in range(3)
    }
    places = {f"place_{k}": [1 if one == k else 2 for one in won] for k in range(3)}
    table = pl.DataFrame(
        places | {f"score_{k}": [0.0] * 300 for k in range(3)} | {f"bot_{k}": [f"s{k}"] * 300 for k in range(3)}
    )
    by_report = {
        row["bot"]: (row["share"], row["low"], row["high"])
        for row in build_win_rate_table(table, compute_bonferroni_z(3)).to_dicts()
    }
    for k, value in enumerate(compute_joint_intervals(seats).values()):
        assert value == pytest.approx(by_report[f"s{k}"])


def test_blocks_use_no_game_twice() -> None:
    """A pool of 4,000 games has two comparisons of a thousand games a side."""
    assert len(list(iter_block_trials(games(4000, 1), 1000))) == 2


# --- Games ------------------------------------------------------------------------


@slow_plain
@compiled
def test_an_edit_is_seen() -> None:
    """Three tokens more to win: games are longer, and the winner has more."""
    found = compare(Query(manor(), ["random"], 2, 2000, threads=1), manor(victory=8))
    verdicts = {one.figure.name: one.verdict for one in found.effects}
    assert verdicts["turns"] == verdicts["decisions"] == verdicts["winner_score"] == "more"
    assert "usual length in turns +" in found.answer()
    assert found.join_games_of_both_sides()["side"].value_counts().sort("side")["count"].to_list() == [found.games] * 2
    assert render_comparison_page(found).count("<circle") >= 8


@slow_plain
@compiled
def test_a_box_alike_is_the_same_in_every_game() -> None:
    """Paired to the last decision; it stops as soon as that says enough."""
    a, b = manor(), load("manor", None, {"offers": 0, "victory": 5, "card.Wheat.gain.crops": 4})
    assert is_same_box(a, b)
    found = compare(Query(a, ["random"], 2, 5000, threads=1), b)
    assert {one.verdict for one in found.effects} == {"same"}
    assert found.games < 2000, "the middle half has one number for eight games, but knows that none of them differs"
    assert "Nothing that matters moves" in found.answer()


@slow_plain
@compiled
def test_not_enough_games_is_said_with_what_remains() -> None:
    """The interval that is left stands in the answer."""
    found = compare(Query(manor(), ["random"], 2, 200, threads=1), manor(start_crops=5), figures=["seat_1"])
    assert not found.is_settled
    assert "Nothing is decided by 200 games a side between random bots: won by seat 1 between" in found.answer()


@slow_plain
@compiled
def test_the_same_seed_gives_the_same_answer() -> None:
    """However many threads; and an answer stopped early is the beginning of the long one."""
    query = Query(manor(), ["greedy", "random"], games=300, seed=5, threads=1)
    one = list(iter_comparisons(query, manor(victory=6)))
    three = list(iter_comparisons(replace(query, threads=3), manor(victory=6)))
    assert [found.list_effect_rows() for found in one] == [found.list_effect_rows() for found in three]
    assert one[0].games == 200
    assert {figure.name for figure in compute_table_figures(one[0].tables[0])} >= {"bot_greedy", "bot_random"}


def test_what_cannot_be_asked() -> None:
    """Too few games, no error, unknown figures."""
    game = manor()
    for most, certainty in ((10, Certainty()), (200, Certainty(alpha=0.0)), (200, Certainty(smallest=0.0))):
        with pytest.raises(ValueError, match=r"at least 200|alpha"):
            next(iter_comparisons(Query(game, ["random"], games=most), game, certainty=certainty))
    with pytest.raises(ValueError, match="there is no figure 'luck'; there are points, share"):
        select_figures(games(3, 1), ["luck"])


@pytest.mark.parametrize("ask", ["compare", "sweep", "sensitivity", "goal"])
def test_a_figure_that_is_not_there_is_told_before_the_first_game(ask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a large game it took a minute of compiling to learn of a slip of the pen."""
    from sutler.lab.play import simulate
    from sutler.lab.studies import goal, sensitivity, sweep

    def played(*_: Any, **__: Any) -> None:
        raise AssertionError("a game was begun")

    for module in ("compare", "sweep", "sensitivity"):
        monkeypatch.setattr(f"sutler.lab.studies.{module}.simulate", played)
    monkeypatch.setattr(simulate, "simulate", played)
    query = Query("manor", ["greedy", "random", "random"], games=200)
    asked = {
        "compare": lambda name: iter_comparisons(query, "manor", [name]),
        "sweep": lambda name: sweep.iter_sweep(query, "victory", [5, 6], [name]),
        "sensitivity": lambda name: sensitivity.iter_sensitivity(query, figures=[name]),
        "goal": lambda name: goal.search_goal(query, f"{name}=+1"),
    }[ask]
    for wrong in ("fun", "seat_4", "bots_greedy"):
        with pytest.raises(ValueError, match=f"there is no figure '{wrong}'; there are score"):
            next(asked(wrong))
    with pytest.raises(AssertionError, match="begun"):
        next(asked("bot_greedy"))


# --- Figures ----------------------------------------------------------------------


def test_headline_figures_of_a_table() -> None:
    """By hand: two games of two seats, one of them shared."""
    table = pl.DataFrame(
        {"bot_0": ["x", "x"], "bot_1": ["x", "x"], "score_0": [3.0, 5.0], "score_1": [3.0, 1.0], "place_0": [1, 1]}
        | {"place_1": [1, 2], "decisions": [10, 20], "turns": [4, 6], "finished": [True, False]}
        | {"ending": ["by_peace + war_wins", ""]}
    )
    endings = ["by_siege", "by_peace", "war_wins"]
    found = {figure.name: list(values) for figure, values in compute_table_figures(table, endings).items()}
    assert found == {
        "seat_1": [0.5, 1.0],
        "seat_2": [0.5, 0.0],
        "score": [3.0, 3.0],
        "spread": [0.0, 2.0],
        "winner_score": [3.0, 5.0],
        "margin": [0.0, 4.0],
        "turns": [4.0, 6.0],
        "decisions": [10.0, 20.0],
        "nobody": [0.0, 0.0],
        "shared": [1.0, 0.0],
        "unfinished": [0.0, 1.0],
        "ends_by_siege": [0.0, 0.0],
        "ends_by_peace": [1.0, 0.0],
        "ends_war_wins": [1.0, 0.0],
    }
    assert not any(figure.name.startswith("ends_") for figure in compute_table_figures(table, ["ended"])), (
        "one way is no question"
    )


def test_intervals_of_a_figure() -> None:
    """Wilson's for shares; for the rest Student's."""
    share = np.array([1.0] * 50 + [0.0] * 50)
    assert compute_interval(SHARE, share) == pytest.approx((0.5, *compute_wilson_interval(50, 100)))
    mean, low, high = compute_interval(POINTS, np.arange(100.0))
    assert (mean, high - mean) == pytest.approx((49.5, compute_student_t(100) * np.arange(100.0).std(ddof=1) / 10))
    assert low == pytest.approx(2 * mean - high)


def test_how_figures_are_said() -> None:
    """Shares as per cent, their differences as percentage points, with a real minus."""
    assert SHARE.format_value(0.333) == "33.3 %"
    assert SHARE.format_value(-0.05, signed=True) == "−5.0 pp"
    assert POINTS.format_value(1234.5, signed=True) == "+1,234"


# --- Versions ---------------------------------------------------------------------


def test_versions_take_options_numbers_and_files(tmp_path: Path) -> None:
    """Also numbers of a table that the printed box does not write down."""
    edit = tmp_path / "edit.toml"
    edit.write_text('[[card]]\nname = "Wheat"\ngain = { crops = 9 }\n')
    printed = load("manor")
    edited = load("manor", edit, {"rules.buy_price": 2, "victory": 9})
    assert printed.box_hash != edited.box_hash
    assert edited.changed_options() == {"victory": 9}
    said = list_side_changes({"edit": edited.edit, "settings": edited.settings, "options": edited.changed_options()})
    assert set(said) == {"victory = 9", "card.Wheat.gain.crops = 9", "rules.buy_price = 2"}
    with pytest.raises(ValueError, match=r"rules.*buy_prize"):
        load("manor", None, {"rules.buy_prize": 2})


@slow_plain
@compiled
def test_the_experiment_on_error_rates_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its short form, for the game with the heaviest tail: no line is wrong more often than promised."""
    tool = programs.study("error_rates")
    keeping = tool.PoolStore(tmp_path)
    told = list(tool.table_rows("warfarm", ["random"], tool.QUICK, keeping))
    assert len(told) == 5
    assert all("`warfarm --unlike" in one or "`warfarm --like --line" in one for one in told)
    late = tool.PoolStore(tmp_path, until=float("-inf"))  # nothing may be played any more: what was played is there
    assert list(tool.table_rows("warfarm", ["random"], tool.QUICK, late, [tool.DRAWN])) == [told[1]]
    with pytest.raises(Interrupted):
        list(tool.table_rows("warfarm", ["greedy"], tool.QUICK, late))
    page = tmp_path / "page.md"
    monkeypatch.setattr(tool, "PAGE", page)
    for line in [*reversed(told), told[1].replace("| warfarm | random |", "| warfarm | greedy |"), told[2]]:
        tool.update_page("|".join(line.split("|")[:4]) + "|", line)
    kept = [line for line in page.read_text().splitlines() if "| warfarm | random |" in line]
    assert [line.rsplit("| ", 1)[0] + "|" for line in kept] == [line.rstrip("|") + "|" for line in told]
    for line in told:
        cells = [cell.strip() for cell in line.split("|")]
        assert float(cells[7].split("–")[0].rstrip("%")) <= 5.0, line
