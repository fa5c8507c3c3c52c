"""Verdicts on claims: what holds, what depends on the bot, what has too few games; and intervals that hold together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sutler.lab.play.headline_figures import Figure, Numbers
from sutler.lab.report.html_parts import keep_options_whole, load_report_css
from sutler.lab.report.study_charts import Bar, render_interval_bars
from sutler.lab.report.study_pages import STYLE, find_chart_ends, render_lead, render_note
from sutler.lab.studies.claim_verdicts import (
    DEPENDS_VERDICT,
    HOLDS_VERDICT,
    SIDE_ONLY_VERDICT,
    SIDE_VERDICT,
    TOO_FEW_VERDICT,
    Claim,
    Level,
    Proportion,
    Shift,
    describe_shared_evaluation,
    judge_claims,
)
from sutler.lab.studies.compare import judge_figures

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
    """Two turns longer, or three: longer between both, by how much depends. Longer and shorter depend on the bot; few games say nothing."""
    assert verdict(shift(400, 2), shift(100, 2.1, 2), even=True) == HOLDS_VERDICT
    assert verdict(shift(400, 2), shift(100, 4, 2), even=True) == SIDE_VERDICT
    assert verdict(shift(400, 2), shift(8, 2.9, 2), even=True) == SIDE_ONLY_VERDICT
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


def test_endless_games_are_told_apart_from_the_usual_ones() -> None:
    """Eight games of sixty thousand decisions among two thousand: usually alike, and no word that it holds; the plain mean is told."""
    luck = np.random.default_rng(3)
    one, other = (luck.normal(100, 10, 2000) for _ in range(2))
    one[:8] = 60_000
    (line,), _ = judge_claims([Claim(Figure("decisions", "length in decisions", ""), [Level(one), Level(other)])])
    assert line.verdict != HOLDS_VERDICT
    assert line.values[0][0] == pytest.approx(100, abs=2)
    assert "9 games outside" in line.beyond
    assert "the plain mean is 33" in line.beyond
    one[:8] = other[:8] = 60_000
    assert verdict(Level(one), Level(other)) == TOO_FEW_VERDICT, "both have some; how many, too few games tell"
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


def verdicts_of_draws(shares: tuple[float, ...], n: int, even: float | None = None) -> list[str]:
    """The verdicts on a share that each bot has, of 60 answers."""
    luck = np.random.default_rng(11)
    evens = None if even is None else (even,) * len(shares)
    drawn = ([Level((luck.random(n) < one).astype(float), share=True) for one in shares] for _ in range(60))
    return [judge_claims([Claim(SEAT, seen, evens)])[0][0].verdict for seen in drawn]


def test_twice_as_often_is_never_said_to_hold() -> None:
    """Spain wins 8.0 % with one bot, 16.3 % with another: below even with both, the size depends. 0.2 % and 3.5 % depend."""
    spain = verdicts_of_draws((0.08, 0.163), 1500, even=0.25)
    assert spain.count(SIDE_VERDICT) >= 57
    rare = verdicts_of_draws((0.002, 0.035, 0.002), 5000)
    assert rare.count(DEPENDS_VERDICT) >= 57
    sieges = verdicts_of_draws((0.016, 0.0), 1500)
    assert HOLDS_VERDICT not in sieges
    role = verdicts_of_draws((0.60, 0.30, 0.31), 1500, even=0.25)
    assert HOLDS_VERDICT not in role
    assert verdicts_of_draws((0.30, 0.31), 9000, even=0.25).count(HOLDS_VERDICT) >= 57, "and what is alike still holds"
    assert verdicts_of_draws((0.004, 0.004), 20_000).count(HOLDS_VERDICT) >= 57, "what is rare with both, too"


def test_shares_that_are_told_as_plain_numbers_are_refused() -> None:
    """As numbers, 0.2 and 3.5 % lie within five points, their odds are not looked at, and they would hold."""
    for seen in (Level(coins(500, 0.002)), Shift(coins(500, 0.002), coins(500, 0.035))):
        with pytest.raises(ValueError, match="seat_1: a share, whose games must be told as shares"):
            Claim(SEAT, [seen])
    Claim(SEAT, [Level(coins(500, 0.002), share=True)])


def test_opposite_sides_of_even_never_hold() -> None:
    """Two points above even with one bot, two below with the other, both for certain: near to each other, and they depend."""
    assert set(verdicts_of_draws((0.27, 0.23), 60_000, even=0.25)) == {DEPENDS_VERDICT}


def test_an_effect_four_times_as_large_does_not_hold() -> None:
    """+21.9 points with one bot, +5.7 with the other: the same side, of another size."""
    luck = np.random.default_rng(5)

    def effect(by: float) -> Shift:
        drawn = luck.random(4000)
        return Shift((drawn < 0.3).astype(float), (drawn < 0.3 + by).astype(float), share=True)

    assert verdict(effect(0.219), effect(0.057), figure=SEAT, even=True) == SIDE_VERDICT


def test_a_mean_with_a_tail_in_one_bot_only_does_not_hold() -> None:
    """One game in fifty is thirty times as long, with one of two bots: the plain mean is 58 % more, and "holds" is not said."""
    luck = np.random.default_rng(6)
    said = []
    for _ in range(60):
        one, other = (luck.normal(100, 15, 1500) for _ in range(2))
        other[luck.random(1500) < 0.02] *= 30
        said.append(verdict(Level(one), Level(other)))
    assert HOLDS_VERDICT not in said
    assert said.count(DEPENDS_VERDICT) >= 50


def test_a_rare_count_twice_as_frequent_does_not_hold() -> None:
    """0.01 a game and 0.055 are within a twentieth of each other: on the scale of ratios they are far apart."""
    luck, falls = np.random.default_rng(8), Figure("count", "falls", "")
    seen = [Level(luck.poisson(mean, 9000).astype(float)) for mean in (0.01, 0.055)]
    ((line,), _) = judge_claims([Claim(falls, seen, None, 0.05)])
    assert line.verdict == DEPENDS_VERDICT


def test_one_judgement_is_said_to_be_one() -> None:
    """A ladder of greedy bots with noise shares one eye; greedy and search do not."""
    assert "share one judgement" in describe_shared_evaluation(["greedy", "greedy (noise 0.4, blunders 0.25)"])
    assert "All of these bots are greedy" in describe_shared_evaluation(["greedy", "greedy:noise=0.4"])
    assert describe_shared_evaluation(["greedy", "search (rounds 8)"]) == ""
    assert describe_shared_evaluation(["greedy"]) == ""


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
    assert SEAT.format_interval(0.104, 0.489) == "10.4 to 48.9 %"
    assert SEAT.format_interval(-0.104, 0.02, signed=True) == "−10.4 to +2.0 pp"
    assert TURNS.format_interval(1, 2) == "1.00 to 2.00"
    assert "25.0\u00a0%" in render_lead("Even is 25.0 %; +1.2 pp")
    assert "1.2\u00a0pp" in render_lead("Even is 25.0 %; +1.2 pp")
    drawn = render_interval_bars([Bar("a", -0.2, 0.0, 0.2, "0")], 0.0, "", percent=True)
    assert ">−20 %<" in drawn
    assert ">-" not in drawn


def test_no_line_ends_within_an_option() -> None:
    """A browser breaks "--games" after its hyphens; commands can still be copied as they are."""
    option = '<span class="option">--games</span>'
    assert render_lead("Still open. For an answer try --games 200.") == (
        f'<p class="lead">Still open. For an answer try {option} 200.</p>'
    )
    assert f"<code>sutler compare manor {option} 200" in render_lead(
        "To know: sutler compare manor --games 200 --b x=1"
    )
    assert option in render_note("At --games 400")
    assert keep_options_whole("a -- b, won--lost, -x") == "a -- b, won--lost, -x"
    assert ".option { white-space: nowrap; }" in load_report_css()
    assert ".option { white-space: nowrap; }" in STYLE


def test_what_is_derived_of_few_groups_does_not_shrink_a_chart() -> None:
    """The middle half of games rests on an eighth of the observations: its bar is cut at the edge, which is said."""
    luck = np.random.default_rng(5)
    score = Figure("score", "mean score", "")
    a, b = ({score: luck.normal(20, 3, 1000)} for _ in range(2))
    effects = judge_figures(a, b)
    rows = [
        Bar(one.label, one.low / one.sd, one.effect / one.sd, one.high / one.sd, "") for one in effects if one.sd > 0
    ]
    seen = [one for one in effects if one.sd > 0]
    low, high = find_chart_ends(seen, rows)
    wide = next(row for row, one in zip(rows, seen, strict=True) if one.figure.name == "score_middle_half")
    assert wide.low < low < wide.value < high < wide.high
    assert low <= min(row.low for row, one in zip(rows, seen, strict=True) if one.figure == score)
    cut, whole = (render_interval_bars(rows, 0.0, "x", ends=ends) for ends in ((low, high), None))
    assert cut != whole
    assert cut.count("<circle") == whole.count("<circle") == len(rows)
