"""The lab's commands: compare, sweep, tournament."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest
from click.testing import Result

from sutler.core.rule import PLAIN_ONLY

Run = Callable[..., Result]
SHORT = ("--set", "victory=5", "--set", "offers=0", "--bots", "random")

WRONG = [
    (["compare", "manor", "--b", "none.toml"], "none.toml: there is no such file"),
    (["compare", "manor", "--b", "a.toml", "--b", "b.toml"], "--b: one file at most"),
    (["compare", "manor", "--b", "victory=99"], "victory: 99 is outside 5 to 40"),
    (["compare", "manor", "--b", "card.Wheat.gain.crop=2"], r'\[\[card\]\] "Wheat", field gain'),
    (["compare", "manor", "--b", "rules.buy_prize=2"], "rules.buy_prize"),
    (["compare", "manor", "--b", "victory=9", "--games", "50"], "at least 200 games, not 50"),
    (["compare", "manor", "--b", "victory=9", "--out", "answer.txt"], "end it in .html"),
    (["compare", "manor", "--b", "victory=9", "--bots", "search:depth=3"], "search has no setting 'depth'"),
    (["compare", "manor", "--b", "victory=9", "--bots", "search:rounds"], "KEY=NUMBER, not 'rounds'"),
    (["compare", "manor", "--b", "victory=9", "--bots", ","], "no bots are named"),
    (["sweep", "manor", "--over", "speed=1..3"], "manor has no option 'speed'"),
    (["sweep", "manor", "--over", "victory=9..5"], "runs backwards"),
    (["sweep", "manor", "--over", "victory=5..45:5"], "victory: 45 is outside 5 to 40"),
    (["sweep", "manor", "--over", "card.Wheet.gain.crops=1..3"], "card.Wheet.gain.crops: no card of that name"),
    (["sweep", "manor", "--over", "victory=5..6", "--out", "curve.txt"], "end it in .html"),
    (["tournament", "manor", "--bots", "greedy"], "two bots or more"),
    (["tournament", "manor", "--bots", "greedy,nobody"], "there is no bot 'nobody'"),
    (["tournament", "manor", "--ladder", "9,5"], "a ladder goes up"),
    (["tournament", "manor", "--ladder", "many"], "--ladder many: write numbers of rounds"),
    (["tournament", "manor", "--seats", "7"], "2 to 6 seats, not 7"),
    (["impact", "manor", "--card", "Gryphon"], "no card 'Gryphon' in Medieval Manor"),
    (["impact", "manor", "--hand", "pocket"], "--hand pocket: there are seats.hand"),
    (["impact", "manor", "--bots", "hard"], "a number of rounds"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_wrong_input_is_told_in_words(sutler: Run, home: Path, arguments: list[str], message: str) -> None:
    """One message that says what is wrong, exit code 2, no traceback."""
    done = sutler(*arguments)
    assert done.exit_code == 2, done.output
    assert re.search(message, done.output), done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "manor", "--b", "victory=9", "--games", "50"],
        ["sweep", "manor", "--over", "victory=5..45:5"],
        ["impact", "manor", "--card", "Gryphon"],
        ["across", "manor", "--bots", "greedy"],
        ["across", "manor", "--bots", "greedy,nobody"],
        ["simulate", "manor", "--seats", "9"],
        ["questions", "sixwinters", "--question", "99"],
    ],
    ids=" ".join,
)
def test_wrong_input_is_told_before_anything_is_compiled(
    sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """Whoever mistypes does not wait a minute to hear of it."""

    def compiled(name: str) -> float:
        raise AssertionError(f"{name} was compiled first")

    for module in ("study_preparation", "design_commands.across_bots"):
        monkeypatch.setattr(f"sutler.cli.{module}.compile_with_progress", compiled)
    done = sutler(*arguments)
    assert done.exit_code == 2, done.output or done.exception


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of games of manor want compiled rules")
def test_compare(sutler: Run, home: Path) -> None:
    """The answer, the figures, and three ways of keeping it; JSON says the same."""
    question = ("compare", "manor", "--a", "base", "--b", "victory=8", *SHORT, "--games", 300, "--seed", 3)
    done = sutler(*question, "--out", "answer.html")
    assert done.exit_code == 0, done.output
    for words in ("It makes a difference", "length in turns", "won by seat 2", "95% sure", "Kept in answer.html"):
        assert words in " ".join(done.output.split()), words
    page = (home / "answer.html").read_text()
    assert "victory = 8" in page
    assert not re.search(r"(src|href)=", page)  # nothing from elsewhere
    said = json.loads(sutler(*question, "--json").output)
    assert said["answer"].split()[0] in done.output
    assert said["sides"]["b"]["options"]["victory"] == 8
    assert sutler(*question, "--out", "games.parquet").exit_code == 0
    games = pl.read_parquet(home / "games.parquet")
    assert (
        games.filter(pl.col("side") == "a")["seed"].to_list() == games.filter(pl.col("side") == "b")["seed"].to_list()
    )
    assert json.loads(pl.read_parquet_metadata(home / "games.parquet")["sutler"])["effects"] == said["effects"]


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of games of manor want compiled rules")
def test_sweep(sutler: Run, home: Path) -> None:
    """Curves in the terminal; the page and the table hold every value, also of a number the box does not write down."""
    question = ("sweep", "manor", "--over", "rules.buy_price=1..3", *SHORT, "--games", 40)
    done = sutler(*question, "--out", "curve.html")
    assert done.exit_code == 0, done.output
    for words in (
        "rules.buy_price",
        "length in turns",
        "40 games a value between random bots, 4 seats; 3 values",
        "Kept in curve.html",
    ):
        assert words in " ".join(done.output.split()), words
    assert not re.search(r"(src|href)=", (home / "curve.html").read_text())
    assert sutler(*question, "--about", "turns", "--out", "curve.csv").exit_code == 0
    rows = pl.read_csv(home / "curve.csv")
    assert rows["value"].to_list() == [1, 2, 3]
    assert rows["figure"].unique().to_list() == ["turns"]


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of manor want compiled rules")
def test_tournament(sutler: Run, home: Path) -> None:
    """Ratings, matrix, seats and controls; the page and the games."""
    question = (
        "tournament",
        "manor",
        "--bots",
        "random,greedy",
        "--set",
        "victory=5",
        "--set",
        "offers=0",
        "--seats",
        2,
        "--games",
        20,
    )
    done = sutler(*question, "--out", "tournament.html")
    assert done.exit_code == 0, done.output
    for words in ("greedy is rated highest", "ends ahead of", "between equals", "controls come out even", "3 tables"):
        assert words in done.output, words
    assert not re.search(r"(src|href)=", (home / "tournament.html").read_text())
    done = sutler("tournament", "manor", "--ladder", "2,4", *question[4:], "--games", 4, "--out", "ladder.csv")
    assert done.exit_code == 0, done.output
    assert "against the rung before" in done.output
    assert len(pl.read_csv(home / "ladder.csv")) == 6 * 4


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of manor want compiled rules")
def test_impact(sutler: Run, home: Path) -> None:
    """What cards are worth, the paired figure beside the naive one; the page and the table."""
    question = ("impact", "manor", "--set", "victory=5", "--set", "offers=0", "--games", 20, "--seats", 2)
    done = sutler(*question, "--out", "cards.html")
    assert done.exit_code == 0, done.output
    for words in ("lead: instead of", "raw gap", "Too few draws to say", "Kept in cards.html"):
        assert words in done.output, words
    assert not re.search(r"(src|href)=", (home / "cards.html").read_text())
    assert sutler(*question, "--out", "cards.csv").exit_code == 0
    assert pl.read_csv(home / "cards.csv")["draws"].sum() <= 20 * 6


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of manor want compiled rules")
@pytest.mark.parametrize("verb", ["compare", "sweep", "tournament"])
def test_what_is_interrupted_keeps_what_it_had(
    sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    """Ctrl-C at the fifth call: the looks, values or tables before it are shown and kept."""
    from sutler.lab.play import simulate as simulation

    calls = 0

    def interrupted(*arguments: object, **more: object) -> pl.DataFrame:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt
        return simulation.simulate(*arguments, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(f"sutler.lab.studies.{verb}.simulate", interrupted)
    questions = {
        "compare": ("--b", "start_crops=5", *SHORT),
        "sweep": ("--over", "victory=5..10", "--games", 10, *SHORT[2:]),
        "tournament": ("--bots", "random,greedy,easy", "--seats", 3, "--games", 3, *SHORT[:4]),
    }
    done = sutler(verb, "manor", *questions[verb], "--out", "kept.parquet")
    assert done.exit_code == 0, done.output
    assert calls == 5
    kept = pl.read_parquet(home / "kept.parquet")
    if verb == "compare":
        assert kept["side"].value_counts()["count"].to_list() == [250, 250]  # two looks
    elif verb == "sweep":
        assert kept["value"].unique().sort().to_list() == ["5", "6", "7", "8"]
    else:
        assert kept["table"].n_unique() == 4
        assert "Ended early, after 4 of 9 tables" in done.output


def answered_once(monkeypatch: pytest.MonkeyPatch, then: BaseException) -> None:
    """`sutler questions sixwinters` answers the second question and gets no further."""
    from sutler.cli.design_commands import questions
    from sutler.lab.designer import run_questions
    from sutler.lab.designer.declared_questions import Answer, load_question_sheet

    def ask(*told: object) -> Iterator[Answer]:
        yield Answer(load_question_sheet("sixwinters").question[1], "Twice.", ())
        raise then

    monkeypatch.setattr(run_questions, "answer_questions", ask)
    monkeypatch.setattr(questions, "prepare_study", lambda query: None)


def test_questions_print_and_keep_each_answer_at_once(sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens later: what was answered by then is printed and lies in the page, under its own number."""
    answered_once(monkeypatch, ValueError("the second question fell over"))
    done = sutler("questions", "sixwinters", "--games", "2", "--out", "answers.html")
    assert done.exit_code == 2
    told = "2. How often were characters knocked out?\n   By character and session; the cause is what was told last before it.\n"
    assert f"{told}   Twice.\n   [asked of these bots only]" in done.output
    page = (home / "answers.html").read_text(encoding="utf-8")
    assert "Twice." in page
    assert '<li value="2"><a href="#q2">' in page
    assert "2. How often were characters knocked out?" in page


def test_questions_that_are_interrupted_say_what_is_kept(
    sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C between two answers: the first lies in the page, and it is said."""
    answered_once(monkeypatch, KeyboardInterrupt())
    done = sutler("questions", "sixwinters", "--games", "2", "--out", "answers.html")
    assert done.exit_code == 130
    assert "Interrupted: 1 of 18 questions answered; they are in answers.html." in done.output
    assert "Twice." in (home / "answers.html").read_text(encoding="utf-8")
    assert not list(home.glob("*.new*"))


def test_a_folder_is_no_file(sutler: Run, home: Path) -> None:
    """It is told what to do, before anything is played."""
    (home / "pages.html").mkdir()
    done = sutler("across", "manor", "--out", "pages.html")
    assert done.exit_code == 2
    assert "pages.html is a folder: name a file in it" in done.output
    done = sutler("questions", "manor", "--out", "nowhere/page.html")
    assert done.exit_code == 2
    assert "there is no such folder; make it first, or name another" in done.output
