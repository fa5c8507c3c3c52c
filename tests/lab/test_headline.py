"""A designer's questions of headline figures: planted truths are found, nothing is found where nothing was planted, and verdicts hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sutler
from sutler.bots import bot_from
from sutler.lab.designer import declared_questions
from sutler.lab.designer.headline_questions import LESS_VERDICT, MORE_VERDICT, NO_MATTER, TOO_FEW_GAMES, _judge_effect
from sutler.lab.designer.question_kinds import ANSWERS
from sutler.lab.designer.run_questions import answer_questions
from sutler.lab.play.bot_groups import Group
from sutler.lab.play.event_logs import LoggedGames
from sutler.lab.play.query import Query
from sutler.lab.studies.claim_verdicts import SIDE_ONLY_VERDICT, JudgedClaim, Shift

WON = sutler.lab.play.headline_figures.Figure("seat_1", "won by seat 1", "", share=True)


def table(n: int, won: float, turns: float) -> pl.DataFrame:
    """Games of two, of which seat 1 wins this share, of about so many turns."""
    first = np.arange(n) < won * n
    luck = np.random.default_rng(n)
    return pl.DataFrame(
        {
            "place_0": np.where(first, 1, 2),
            "place_1": np.where(first, 2, 1),
            "score_0": np.where(first, 9, 5),
            "score_1": np.where(first, 4, 7),
            "bot_0": ["a"] * n,
            "bot_1": ["a"] * n,
            "turns": luck.normal(turns, 1.0, n),
            "decisions": np.full(n, 50),
            "finished": np.full(n, True),
            "ending": ["ended"] * n,
        }
    )


def watched(game: sutler.Game, found: pl.DataFrame) -> LoggedGames:
    empty = pl.DataFrame({"game": [], "kind": []}, schema={"game": pl.Int32, "kind": pl.String})
    return LoggedGames(game, len(found), empty, pl.DataFrame(), pl.DataFrame(), found)


def of(
    game: sutler.Game, first: pl.DataFrame, *others: pl.DataFrame, games: int = 40
) -> declared_questions.QuestionContext:
    """Asked of a table of games, held against others."""
    tell: Any = lambda done, most: None  # noqa: E731
    groups = [Group([bot_from("greedy")], lambda one=one: watched(game, one), 1, tell) for one in others]  # type: ignore[misc]
    sheet = declared_questions.Sheet(question=[])
    return declared_questions.QuestionContext(
        Query(game, "random", 2, games), sheet, watched(game, first), tell, groups
    )


def question(kind: Any, **more: Any) -> declared_questions.Question:
    return declared_questions.Question(kind=kind, title="?", **more)


def test_a_favoured_seat_is_told_from_even_and_holds_where_others_see_it(market: sutler.Game) -> None:
    """70 % where 50 is even; one other bot sees it too."""
    asking = of(market, table(400, 0.7, 10), table(400, 0.62, 10))
    found = ANSWERS["figures"](question("figures", figures=["seat_"]), asking)
    assert "Won by seat 1: 70.0 %" in found.said
    assert "Even is 50.0 %; surely off it: won by seat 1, won by seat 2." in found.said
    assert found.verdict == SIDE_ONLY_VERDICT, "how much, too few games tell"
    assert found.played == "400 games at 2 seats between random; held against 400 games between each of: greedy"
    assert found.body[0].startswith("<figure><svg")


def test_what_another_bot_does_not_see_depends_on_the_bot(market: sutler.Game) -> None:
    """Even with the other; and with nobody to ask, the answer says that these alone were asked."""
    ask_for = question("figures", figures=["seat_1", "turns"])
    found = ANSWERS["figures"](ask_for, of(market, table(400, 0.7, 10), table(400, 0.5, 10)))
    assert found.verdict == "holds: length in turns; depends on the bot: won by seat 1"
    assert '<th scope="col">figure</th><th scope="col" class="word">verdict</th>' in found.body[-1], (
        "beside the name, or a phone hides it"
    )
    alone = ANSWERS["figures"](ask_for, of(market, table(400, 0.5, 10)))
    assert alone.verdict == "asked of these bots only"
    assert "none is surely off it" in alone.said


def test_a_change_that_changes_nothing_is_the_same_and_a_real_one_is_seen(market: sutler.Game) -> None:
    """Rounds set to what they are: the same games, not one different; set to 20, four times as long."""
    played = sutler.simulate(sutler.load("market", rounds=5), ["random"], games=40, seed=1, seats=2)
    ways = [{"title": "as it is", "set": {"rounds": 5}}, {"title": "twenty", "set": {"rounds": 20}}]
    found = ANSWERS["changes"](question("changes", figures=["decisions", "seat_1"], changes=ways), of(market, played))
    assert found.said.startswith("Twenty: length in decisions +")
    assert "as it is" not in found.said
    assert found.body[-1].count("<td>the same</td>") == 2
    assert found.body[-1].count("<td>more</td>") == 1
    assert found.verdict.startswith("1 of 4 differences beyond chance")
    assert found.played == "40 games at 2 seats with and without each change, between random"


def test_tables_of_every_size_are_beside_their_own_even_share(market: sutler.Game) -> None:
    """A half of two, a third of three; a length has nothing that is even."""
    asking = question("tables", figures=["seat_", "decisions"], seats=[2, 3])
    found = ANSWERS["tables"](asking, of(market, table(40, 0.5, 5)))
    assert found.said.startswith(
        "Length in decisions: 10.00 (9.88 to 10.12) at 2 players; 15.00 (14.88 to 15.12) at 3 players."
    )
    assert found.body[-1].count("<td>50.0\u00a0%</td>") == 2
    assert found.body[-1].count("<td>33.3\u00a0%</td>") == 3
    assert found.verdict == declared_questions.ONE_BOT_VERDICT


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [
        (0.01, 0.2, MORE_VERDICT),
        (-0.2, -0.01, LESS_VERDICT),
        (-0.02, 0.015, NO_MATTER),
        (-0.04, 0.04, TOO_FEW_GAMES),
        (float("-inf"), float("inf"), TOO_FEW_GAMES),
    ],
)
def test_what_an_interval_says_of_a_change(low: float, high: float, kind: str) -> None:
    nothing = np.zeros(4)
    assert _judge_effect(JudgedClaim(WON, ((0.0, low, high),), (0.0,)), Shift(nothing, nothing, share=True)) == kind


def test_a_ladder_is_played_once_for_all_questions(
    market: sutler.Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two questions, one other bot: its games are played when the first asks for them, and not again."""
    sheet = declared_questions.Sheet(
        ladder=["random", "greedy"],
        question=[question("figures", figures=["seat_"]), question("figures", figures=["decisions"])],
    )
    from sutler.lab.designer import run_questions

    monkeypatch.setattr(run_questions, "load_question_sheet", lambda name: sheet)
    told: list[str] = []
    answers = list(
        answer_questions(
            Query("market", "random", 2, 4, settings={"rounds": 5}), lambda what, done, most: told.append(what)
        )
    )
    assert [one.question for one in answers] == sheet.question
    assert told.count("watched") == 4
    assert told.count("between greedy") == 4
    assert "between random" not in told, "who is asked about is not held against itself"
    assert all("held against 4 games between each of: greedy" in one.played for one in answers)
