"""Does it hold between other bots? What holds, what depends on the bot, what has too few games; refusals in words."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import sutler
from sutler.lab.play.experiment import Plan, run
from sutler.lab.play.experiment_file import Unreadable
from sutler.lab.play.headline_figures import Figure
from sutler.lab.play.provenance import collect_provenance, describe_bots_for_claim
from sutler.lab.play.query import Query
from sutler.lab.report.design_pages import render_robustness_page
from sutler.lab.report.report import render_report
from sutler.lab.studies.robustness import (
    DEPENDS_VERDICT,
    HOLDS_VERDICT,
    SIDE_VERDICT,
    TOO_FEW_VERDICT,
    Robustness,
    Rung,
    iter_robustness,
)

SEAT = Figure("seat_1", "won by seat 1", "", share=True)
TURNS = Figure("turns", "length in turns", "")


def rung(bot: str, n: int, won: float, turns: float) -> Rung:
    """A bot whose seat 1 wins this share, in games of about so many turns."""
    luck = np.random.default_rng(len(bot))
    return Rung(bot, n, {SEAT: (np.arange(n) < won * n).astype(float), TURNS: luck.normal(turns, 1.0, n)})


def found(*rungs: Rung) -> dict[str, str]:
    """The verdicts by figure."""
    return {one.figure.name: one.verdict for one in Robustness(rungs, {"seat_1": 0.5}, {}).judged_claims}


def test_what_all_bots_see_holds() -> None:
    """A seat that wins too often with every bot is favoured, by how much depends; turns are near."""
    assert found(rung("a", 2000, 0.7, 10), rung("bb", 2000, 0.6, 10.2)) == {
        "seat_1": SIDE_VERDICT,
        "turns": HOLDS_VERDICT,
    }


def test_what_one_bot_does_not_see_depends_on_it() -> None:
    """Favoured with one, even with another; games half as long again."""
    across = Robustness((rung("a", 2000, 0.7, 10), rung("bb", 2000, 0.5, 15)), {"seat_1": 0.5}, {})
    assert {one.verdict for one in across.judged_claims} == {DEPENDS_VERDICT}
    assert across.judge_claim_about(["seat_"]) == DEPENDS_VERDICT
    assert "2 of 2 figures depend on the bot" in across.answer()


def test_one_figure_holds_and_two_hold() -> None:
    """As one says it."""
    one = Robustness((rung("a", 2000, 0.7, 10), rung("bb", 2000, 0.6, 15)), {"seat_1": 0.5}, {})
    assert one.answer() == (
        "1 of 2 figures depends on the bot: length in turns. "
        "1 lies on the same side of even between all, of another or an unknown size: won by seat 1."
    )
    two = Robustness((rung("a", 9000, 0.7, 10), rung("bb", 9000, 0.7, 10)), {"seat_1": 0.5}, {})
    assert two.answer() == "2 hold between all: won by seat 1, length in turns."


def test_few_games_say_nothing() -> None:
    """Fifty games on one side settle no share, though they settle a length."""
    assert found(rung("a", 2000, 0.5, 10), rung("bb", 50, 0.54, 10)) == {
        "seat_1": TOO_FEW_VERDICT,
        "turns": HOLDS_VERDICT,
    }


def test_what_nobody_wins_is_shared_out_to_nobody() -> None:
    """Two bots, one of which leaves half of the games to nobody: even seats are even with both."""
    luck = np.random.default_rng(1)
    nobody = Figure("nobody", "won by nobody", "", share=True)

    def part(bot: str, lost: float) -> Rung:
        drawn = luck.random(4000)
        return Rung(
            bot, 4000, {SEAT: (drawn < (1 - lost) / 2).astype(float), nobody: (drawn >= 1 - lost).astype(float)}
        )

    line = Robustness((part("a", 0.0), part("bb", 0.5)), {"seat_1": 0.5}, {}).judged_claims[0]
    assert [line.find_side_of_even(k) for k in (0, 1)] == [0, 0]
    assert line.evens == pytest.approx((0.5, 0.25), abs=0.03)


def test_a_ladder_is_played(market: sutler.Game) -> None:
    """Each bot in all seats, the same seeds; said with every setting; the page has the verdicts."""
    *_, last = iter_robustness(Query(market, ["random", "greedy:noise=0.5"], seats=2, games=8, seed=3))
    assert [one.bot for one in last.rungs] == ["random", "greedy (noise 0.5)"]
    assert last.evens["seat_1"] == 0.5
    page = render_robustness_page(last)
    assert "Every figure" in page
    assert '<th scope="col">figure</th><th scope="col" class="word">verdict</th>' in page, (
        "beside the name, or a phone hides it"
    )
    assert "greedy (noise 0.5)" in page
    assert last.shared_evaluation_in_words == ""
    greedy = Robustness((rung("greedy", 9, 0.5, 10), rung("greedy (noise 0.4)", 9, 0.5, 10)), {}, {})
    assert greedy.answer().endswith("what it is blind to, none of them shows.")
    with pytest.raises(ValueError, match="two bots or more"):
        next(iter_robustness(Query(market, ["random"])))


def test_a_report_held_against_other_bots(market: sutler.Game, tmp_path: Path) -> None:
    """Each claim that rests on a figure carries a verdict; another box is refused, the difference told."""
    for name, bot in (("one", "random"), ("other", "greedy")):
        run(Plan(market, [bot] * 2, games=6), tmp_path / f"{name}.parquet")
    alone = render_report(tmp_path / "one.parquet")
    assert "Each of these claims speaks of games between random bots only." in alone
    copied = re.sub(r'<span class="option">(.*?)</span>', r"\1", alone)
    assert "sutler across market --seats 2 --games 6 --set rounds=5 --seed 1</code>" in copied
    assert "sutler report one.parquet --across OTHER.parquet</code>" in copied
    claims = alone.partition('aria-label="In short"')[2].partition("</ul>")[0].split("<li>")[1:]
    assert all('<span class="by">between random bots</span>' in one for one in claims), "no claim stands alone"
    held = render_report(tmp_path / "one.parquet", [tmp_path / "other.parquet"])
    short = held.partition('aria-label="In short"')[2].partition("</ul>")[0]
    assert any(f"between random bots; {kind}" in short for kind in (HOLDS_VERDICT, DEPENDS_VERDICT, TOO_FEW_VERDICT))
    longer = sutler.load("market", rounds=6)
    longer.definition.home.interpreted = True
    run(Plan(longer, ["random"] * 2, games=2), tmp_path / "longer.parquet")
    with pytest.raises(Unreadable, match="only the bots may differ"):
        render_report(tmp_path / "one.parquet", [tmp_path / "longer.parquet"])


def test_between_whom() -> None:
    """As it stands beside a claim."""
    assert describe_bots_for_claim(["greedy", "greedy"], 2) == "between greedy bots"
    assert describe_bots_for_claim(["greedy", "search (rounds 8)"], 2) == "between greedy and search (rounds 8) bots"
    assert describe_bots_for_claim(["greedy"], 1) == "played by a greedy bot"


def test_seats_default_to_the_best_number(market: sutler.Game) -> None:
    """What the box calls best, else three or the nearest; never the least because it is the least."""
    five = ("manor", "bellum", "threeyears", "warfarm", "sixwinters")
    assert [sutler.load(name).best_seats for name in five] == [4, 4, 4, 3, 2]
    assert market.best_seats == min(max(3, market.min_seats), market.max_seats)
    assert collect_provenance(market)["game"] == "market"


def test_a_single_game_says_nothing() -> None:
    """No interval of a mean, so no verdict but too few games; no warning of NumPy's either."""
    lines = Robustness((rung("a", 1, 1.0, 10), rung("bb", 1, 1.0, 15)), {"seat_1": 0.5}, {}).judged_claims
    assert {one.verdict for one in lines} == {TOO_FEW_VERDICT}
    assert lines[1].values[0][1:] == (-np.inf, np.inf)
