"""Verdicts on claims: what holds, what depends on the bot, what has too few games; and intervals that hold together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sutler.lab.play.figures import Figure, Numbers
from sutler.lab.report.study_charts import Bar, bars
from sutler.lab.report.study_pages import lead
from sutler.lab.studies.verdicts import (
    DEPENDS_VERDICT,
    HOLDS_VERDICT,
    TOO_FEW_VERDICT,
    Claim,
    Level,
    Proportion,
    Shift,
    judge_claims,
)

SEAT = Figure("seat_1", "won by seat 1", "", share=True)
TURNS = Figure("turns", "length in turns", "")


def coins(n: int, share: float) -> Numbers:
    """So many games, of which this share is won."""
    return (np.arange(n) < share * n).astype(float)


def shift(n: int, effect: float, seed: int = 1) -> Shift:
    """A change that makes games of about ten turns longer by this."""
    luck = np.random.default_rng(seed)
    before = luck.normal(10, 1, n)
    return Shift(before, before + luck.normal(effect, 0.5, n))


def verdict(*seen: Shift | Level | Proportion, figure: Figure = TURNS, even: bool = False) -> str:
    """On one claim."""
    ((line,), _) = judge_claims([Claim(figure, seen, (0.0,) * len(seen) if even else None)])
    return line.verdict


def test_what_a_change_does_holds_where_all_see_it_on_one_side() -> None:
    """Two turns longer, or three: longer between both. Longer and shorter depend on the bot; few games say nothing."""
    assert verdict(shift(400, 2), shift(100, 3, 2), even=True) == HOLDS_VERDICT
    assert verdict(shift(400, 2), shift(100, -2, 2), even=True) == DEPENDS_VERDICT
    assert verdict(shift(400, 2), shift(100, 0, 2), even=True) == DEPENDS_VERDICT, (
        "nothing, where it is two turns with the first"
    )
    assert verdict(shift(400, 0.02), shift(400, -0.02, 2), even=True) == HOLDS_VERDICT, "nothing of note between both"
    assert verdict(shift(8, 1), shift(4, 0, 2), even=True) == TOO_FEW_VERDICT


def test_a_change_that_no_pair_shows_is_as_sure_as_the_games_are_many() -> None:
    """Of twenty pairs alike another may differ, so that nothing is certain; of a thousand hardly one does."""
    for n, said in ((20, TOO_FEW_VERDICT), (2000, HOLDS_VERDICT)):
        won = coins(n, 0.5)
        assert verdict(Shift(won, won, share=True), Shift(won, won, share=True), figure=SEAT, even=True) == said
    (line,), z = judge_claims([Claim(SEAT, [Shift(coins(20, 0.5), coins(20, 0.5), share=True)])])
    _, low, high = line.values[0]
    assert high == -low == pytest.approx(1 - math.erfc(z / math.sqrt(2)) ** (1 / 20))


def test_a_part_of_what_came_is_known_by_games_not_by_things() -> None:
    """A thousand things of ten games, alike within each, say no more than ten."""
    of = np.full(10, 100.0)
    (line,), _ = judge_claims([Claim(SEAT, [Proportion(of * coins(10, 0.5), of)])])
    value, low, high = line.values[0]
    assert value == 0.5
    assert high - low > 0.6
    (line,), _ = judge_claims([Claim(SEAT, [Proportion(np.full(10, 50.0), of)])])
    assert 0.05 < line.values[0][2] - line.values[0][1] < 0.1, "no narrower than a thousand things that are each alone"


def test_one_endless_game_decides_nothing() -> None:
    """Eight games of sixty thousand decisions among two thousand: the same bots, and the verdict says so; the plain mean is told."""
    luck = np.random.default_rng(3)
    one, other = (luck.normal(100, 10, 2000) for _ in range(2))
    one[:8] = 60_000
    (line,), _ = judge_claims([Claim(Figure("decisions", "length in decisions", ""), [Level(one), Level(other)])])
    assert line.verdict == HOLDS_VERDICT
    assert line.values[0][0] == pytest.approx(100, abs=2)
    assert "9 games lie beyond" in line.beyond
    assert "the plain mean is 33" in line.beyond
    rare = np.where(np.arange(2000) < 40, 1.0, 0.0)
    (line,), _ = judge_claims([Claim(Figure("count", "falls", ""), [Level(rare), Level(rare)], least=0.05)])
    assert line.values[0][0] == pytest.approx(0.02), "what is seldom is not far beyond nearly all others"
    assert line.beyond == ""


def test_never_seen_in_a_few_games_is_not_never() -> None:
    """None in a thousand games and none in twenty: too few to say that it never comes between the others too."""
    none = [Level(np.zeros(1000)), Level(np.zeros(20))]
    (line,), _ = judge_claims([Claim(Figure("count", "falls", ""), none, least=0.05)])
    assert line.verdict == TOO_FEW_VERDICT
    many = [Level(np.zeros(1000)), Level(np.zeros(500))]
    (line,), _ = judge_claims([Claim(Figure("count", "falls", ""), many, least=0.05)])
    assert line.verdict == HOLDS_VERDICT


def test_all_intervals_of_an_answer_hold_together() -> None:
    """Two bots alike and three figures of 20 games: in at most one of twenty answers an interval misses, or a verdict says that it
    depends on the bot. Counted by figures alone, as is usual for one bot, it was one of eight."""
    luck, wrong, answers = np.random.default_rng(7), 0, 1500
    named = [Figure(f"f{k}", "", "") for k in range(3)]
    for _ in range(answers):
        claims = [Claim(one, [Level(luck.normal(0, 1, 20)), Level(luck.normal(0, 1, 20))]) for one in named]
        lines, _ = judge_claims(claims)
        wrong += any(
            one.verdict == DEPENDS_VERDICT or any(not low <= 0 <= high for _, low, high in one.values) for one in lines
        )
    assert wrong / answers <= 0.05


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_games_are_told_as_few(n: int) -> None:
    """One, two or three games between each: no verdict but too few games, no warning, no endless number where there is none."""
    for seen in (
        Level(np.arange(n, dtype=float)),
        shift(n, 1),
        Level(coins(n, 1), share=True),
        Proportion(coins(n, 1), coins(n, 1)),
    ):
        figure = SEAT if not seen.unbounded_values else TURNS
        assert verdict(seen, seen, figure=figure) == TOO_FEW_VERDICT


def test_an_interval_tells_its_unit_once_and_no_line_begins_with_one() -> None:
    """10.4 to 48.9 %, with the sign on its number; minus as it is printed, in charts too."""
    assert SEAT.span(0.104, 0.489) == "10.4 to 48.9 %"
    assert SEAT.span(-0.104, 0.02, sign=True) == "−10.4 to +2.0 pp"
    assert TURNS.span(1, 2) == "1.00 to 2.00"
    assert "25.0\u00a0%" in lead("Even is 25.0 %; +1.2 pp")
    assert "1.2\u00a0pp" in lead("Even is 25.0 %; +1.2 pp")
    drawn = bars([Bar("a", -0.2, 0.0, 0.2, "0")], 0.0, "", percent=True)
    assert ">−20 %<" in drawn
    assert ">-" not in drawn
