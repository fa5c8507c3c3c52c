"""Games in which all win or lose together: what is told is what the table won, of no seat and of no bot by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from sutler.cli.design_commands.simulate import print_results
from sutler.lab.designer.questions import Question, require_askable_question
from sutler.lab.play.experiment_file import Sample
from sutler.lab.play.query import Query
from sutler.lab.play.rollouts import compute_seat_win_shares
from sutler.lab.report import chapters, result_tables
from sutler.lab.report.report import _build_win_claims
from sutler.lab.stats.estimates import count_games_won_together
from sutler.lab.studies.tournament import iter_tournament


def campaigns(won: list[bool], seats: int = 2) -> pl.DataFrame:
    """So many games of two, won by all or by nobody."""
    columns: dict[str, Any] = {}
    for seat in range(seats):
        columns |= {f"bot_{seat}": ["greedy"] * len(won), f"score_{seat}": [30.0 if one else 10.0 for one in won]}
        columns |= {f"place_{seat}": [1 if one else seats + 1 for one in won]}
    return pl.DataFrame(
        columns | {"decisions": [9] * len(won), "finished": [True] * len(won), "ending": [""] * len(won)}
    )


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_the_terminal_tells_what_the_table_won(capsys: pytest.CaptureFixture[str], seats: int) -> None:
    """Three of four games are three of four, at every table; no seat has a half of them."""
    print_results("Six Winters", campaigns([True, True, True, False] * 5, seats), 1.0, win_together=True)
    said = capsys.readouterr().out
    assert "75.0%" in said
    assert "53.1% – 88.8%" in said
    assert "seat 1" not in said
    assert "37.5%" not in said
    assert "25.00" in said, "mean points"


def test_a_report_tells_what_the_table_won() -> None:
    """Its first line with an interval; its first chapter by the table; and how many games would do is asked of that share."""
    sample = Sample(
        campaigns([True, True, True, False] * 5),
        {"seats": 2, "bots": [{"name": "greedy"}] * 2, "cooperative": True, "rotated": True},
    )
    ((head, rest, _),) = _build_win_claims(sample)
    assert head == "How often it is won."
    assert rest.startswith("75.0")
    assert "53" in rest
    assert "88.8" in rest
    page = chapters.render_wins_chapter(sample)
    assert "Games won" in page
    assert "Wins by seat" not in page
    assert any("the share of games that are won is known to" in one for one in result_tables.list_warnings(sample))
    assert sample.results["won"].sum() == 30, "all of it is each seat's"


def test_playing_on_counts_a_won_game_whole() -> None:
    """What a decision adds to winning is not halved because two win."""
    results = np.zeros(2, [("places", "i1", (4,))])
    results["places"][0, :2], results["places"][1, :2] = 1, 3
    assert compute_seat_win_shares(results, 2, cooperative=True).tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert compute_seat_win_shares(results, 2, cooperative=False).tolist() == [[0.5, 0.5], [0.0, 0.0]]
    assert count_games_won_together(campaigns([True, False, False])) == (1, 3)


def test_nobody_beats_anybody_in_a_tournament() -> None:
    """It is refused in words, with what to ask instead; on the lab's page too."""
    with pytest.raises(ValueError, match=r"all win or lose together.*sutler across sixwinters --bots"):
        next(iter_tournament(Query("sixwinters", ["random", "greedy"])))
    with pytest.raises(ValueError, match="all win or lose together"):
        require_askable_question(Question(kind="ladder", game="sixwinters"))
