"""A designer's questions, declared as data: what is watched is what was told, and every kind counts what a hand would count."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from sutler.bots import bot_from
from sutler.core.events import EVENT, Event
from sutler.core.play.game import Game, load
from sutler.core.play.registry import load_definition
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.designer import declared_questions, run_questions
from sutler.lab.designer.claims_across_bots import judge_claims_across_bots
from sutler.lab.designer.counting_questions import add_causes, answer_count
from sutler.lab.designer.question_kinds import ANSWERS, answer_fates, answer_risk, render_shortages
from sutler.lab.designer.run_questions import answer_questions
from sutler.lab.designer.variant_questions import iter_removing_edits
from sutler.lab.play import bot_groups
from sutler.lab.play.event_logs import LoggedGames, LogSettings, find_game_part_of_events, play_and_log
from sutler.lab.play.headline_figures import Figure
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import simulate
from sutler.lab.report.study_pages import render_lead, render_table
from sutler.lab.stats.estimates import capitalize_first, compute_mean_interval, round_up_games

EXAMPLES = Path(__file__).parents[2] / "examples"
EVENTS = {
    "year": Event("1", "Year {n}"),
    "turn": Event("1", "Turn {n}"),
    "placed": Event("1", "{obstacle} comes to {place:n}"),
    "moved": Event("1", "{obstacle} moves"),
    "beaten": Event("1", "{obstacle} is beaten"),
    "gone": Event("1", "{obstacle} is gone"),
    "rolled": Event("1", "{n} dice"),
    "out": Event("1", "{character} is out"),
}
NAMES = {"obstacle": ["Wall", "Wolf"], "character": ["Ann", "Ben"]}


def watched(*told: tuple[int, str, *tuple[int, ...]], games: int = 2, probes: Any = ()) -> LoggedGames:
    """Games told by hand: (game, kind, its numbers)."""
    rows, part, places = [], 0, dict.fromkeys(range(games), 0)
    for game, kind, *args in told:
        part = args[0] if kind == "year" else part
        rows.append((game, places[game], part, kind, *(*args, *(None,) * (5 - len(args)))))
        places[game] += 1
    schema = {"game": pl.Int32, "i": pl.Int32, "part": pl.Int16, "kind": pl.String, **dict.fromkeys("abcde", pl.Int32)}
    ends = pl.DataFrame({"game": list(range(games)), "won": [False] * games, "score": [0.0] * games})
    probed = pl.DataFrame(
        list(probes),
        schema={"game": pl.Int32, "i": pl.Int32, "part": pl.Int16, "probe": pl.String, "value": pl.Float64},
        orient="row",
    )
    game = SimpleNamespace(definition=SimpleNamespace(events=SimpleNamespace(events=EVENTS)), names=NAMES, name="toy")
    return LoggedGames(game, games, pl.DataFrame(rows, schema=schema, orient="row"), ends, probed)  # type: ignore[arg-type]


def of(found: LoggedGames, **more: Any) -> declared_questions.QuestionContext:
    sheet = declared_questions.Sheet(opens="year", game="campaign", question=[])
    return declared_questions.QuestionContext(
        Query(found.game, (), 2, found.games), sheet, found, lambda done, most: None, **more
    )


def test_a_thing_ends_as_what_is_told_of_it_first():
    """The wall is beaten (and then gone), the wolf stays; a thing that comes again is counted again."""
    found = watched(
        (0, "placed", 0, 1), (0, "placed", 1, 1), (0, "moved", 1), (0, "beaten", 0), (0, "gone", 0),
        (1, "placed", 0, 1), (1, "gone", 0), (1, "placed", 0, 2),
    )  # fmt: skip
    question = declared_questions.Question(
        kind="fates", title="?", of="obstacle", came="placed", ends={"beaten": "beaten", "gone": "gone"}, moved="moved"
    )
    said = answer_fates(question, of(found)).said
    told = re.fullmatch(
        r"Of 2\.0 a campaign: still there 50\.0 % \(.* to .* %\); beaten 25\.0 % \(.*\); gone 25\.0 % \(.*\)\. "
        r"Stayed to the end and never moved: 25 %\.",
        said,
    )
    assert told, said


def test_the_cause_is_what_was_told_last_before():
    """A fall after a roll is the roll's, in the same game only."""
    found = watched((0, "rolled", 2), (0, "out", 0), (0, "moved", 1), (0, "out", 1), (1, "out", 0))
    causes = add_causes(found, "out", ["rolled", "moved"])["cause"].to_list()
    assert causes == ["rolled", "moved", None]


def test_a_count_is_a_mean_over_all_games():
    """Three falls in two games are 1.5 a campaign, also when one game has none."""
    found = watched((0, "year", 1), (0, "out", 0), (0, "out", 0), (0, "year", 2), (0, "out", 1), games=2)
    question = declared_questions.Question(kind="count", title="?", event="out", of=["character"])
    answer = answer_count(question, of(found))
    assert answer.said.startswith("1.50 a campaign")
    assert answer.said.endswith("Most: Ann (1.00), Ben (0.50)."), "the sum is none of the things"
    assert "none at all in 1 of 2." in answer.said
    page = "".join(answer.body)
    assert "<td>Ann</td><td>1.00</td><td>0.00</td><td>1.00</td>" in page
    assert "<td>all</td><td>1.00</td><td>0.50</td><td>1.50</td>" in page  # a session brings so many


def test_what_never_came_has_a_bound() -> None:
    """No event in two games is no promise that none comes: how often it can is told."""
    question = declared_questions.Question(kind="count", title="?", event="out", of=["character"])
    answer = answer_count(question, of(watched((0, "year", 1), games=2)))
    assert answer.said == "Never, in 2 campaigns, so in 77.6 % of them at most.", "1 - 0.05 ** (1 / 2)"


def test_what_seldom_or_never_came_is_named():
    """Of things of one kind: those beyond the list, and those of the box that never came."""
    question = declared_questions.Question(kind="count", title="?", event="out", of=["character"], most=1)
    often = [(0, "out", 0), (0, "out", 0), (1, "out", 0)]
    page = "".join(answer_count(question, of(watched(*often, (0, "out", 1)))).body)
    assert "Least often: Ben (0.50)." in page
    assert "Never" not in page
    answer = answer_count(question, of(watched(*often)))
    assert "Never, in 2 games: Ben." in "".join(answer.body)
    assert answer.said.endswith(", at least one in each. All of them: Ann.")


def test_a_count_of_pieces_says_what_each_does():
    """Thea's second ability, in the words of the box."""
    names = {"character": ["Thea"]}
    told = {"used": Event("1", "{character} uses ability {n}")}
    game = SimpleNamespace(
        definition=SimpleNamespace(events=SimpleNamespace(events=told)), names=names, name="sixwinters"
    )
    found = replace(watched((0, "used", 0, 2), games=1), game=game)
    question = declared_questions.Question(
        kind="count", title="?", event="used", of=["character", "n"], entries="character", piece="ability"
    )
    page = "".join(answer_count(question, replace(of(found), query=Query("sixwinters"))).body)
    printed = next(one for one in load_definition("sixwinters").printed["character"] if one["name"] == "Thea")
    assert "<td>Thea 2</td>" in page
    assert printed["ability"][1]["text"] in page


def test_a_risk_came_when_the_fall_is_of_that_roll():
    """The fall between a probe and the next one is that probe's, if its cause is the roll."""
    probes = [(0, 0, 1, "chance", 0.5), (0, 2, 1, "chance", 0.0), (1, 0, 1, "chance", 0.5)]
    found = watched((0, "rolled", 2), (0, "out", 0), (0, "rolled", 1), (1, "rolled", 2), probes=probes)
    question = declared_questions.Question(kind="risk", title="?", probe="chance", event="out", cause="rolled")
    said = answer_risk(question, of(found)).said
    assert said.startswith("In 33.3 %")
    assert said.endswith("0 of 1 such roll came where the chance told was under 5 %.")


def test_who_agrees_to_a_roll_has_not_rolled():
    """Of two who must both agree the first is asked too, and told the same chance; only what is rolled then counts."""
    probes = [(0, 0, 1, "chance", 0.5), (0, 0, 1, "chance", 0.5), (0, 2, 1, "chance", 0.9), (1, 0, 1, "chance", 0.9)]
    found = watched((0, "rolled", 2), (0, "out", 0), (1, "turn", 1), (1, "rolled", 1), (1, "out", 1), probes=probes)
    answer = answer_risk(
        declared_questions.Question(kind="risk", title="?", probe="chance", event="out", cause="rolled"), of(found)
    )
    assert (
        answer.said
        == "In 100.0 % (25.9 to 100.0 %) of rolls somebody fell; 0 of 2 such rolls came where the chance told was under 5 %."
    )


def test_when_something_ran_out():
    """Times a game by part, and in how many games at all."""
    found = watched(
        (0, "year", 1), (0, "out", 0), (0, "year", 2), (0, "out", 0), (0, "out", 1), (1, "year", 2), (1, "out", 1)
    )
    question = declared_questions.Question(kind="supply", title="?", event="out", of="character")
    short = {name: found.select_kinds("out").filter(pl.col("a") == k) for k, name in enumerate(NAMES["character"])}
    page = render_shortages(question, of(found), short, ["50%", "100%"])
    assert "<td>Ann</td><td>0.5</td><td>0.5</td><td>50%" in page
    assert "<td>Ben</td><td>0.0</td><td>1.0</td><td>100%" in page


def test_intervals_close_as_games_are_added():
    """The mean of equal numbers is certain."""
    assert compute_mean_interval(pl.Series([2.0, 2.0, 2.0]).to_numpy()) == (2.0, 2.0, 2.0)
    assert compute_mean_interval(pl.Series([2.0]).to_numpy()) == (2.0, -math.inf, math.inf), (
        "one game says nothing of others"
    )


class Careless:
    """A bot of one's own: any choice, from a generator that begins anew with each bot."""

    name = "careless"

    def __init__(self):
        self.luck = random.Random(7)

    def choose(self, view):
        return view.game.action_names[self.luck.choice(list(view.legal))]


def test_what_is_watched_is_what_was_told():
    """Every event of the same game, in order, with what was asked before a decision, and the peaks of what is on the table."""
    game = load("manor", None, {"victory": 5})
    wanted = LogSettings(probes={"turn": ("place", lambda box, state: float(state.turn))}, fields=["turn"])
    found = play_and_log(game, [Careless()], 2, games=1, seed=5, wanted=wanted)
    pos, own, places = game.new(2, 5), Careless(), []
    while not pos.over:
        action = own.choose(pos.for_seat(pos.seat))
        if action.block == "place":
            told = len(pos.opening) + sum(len(one.told) for one in pos.decisions)
            places.append((told, float(pos.state.turn)))
        pos.play(action)
    told = [*pos.opening, *(one for decision in pos.decisions for one in decision.told)]
    assert found.events["kind"].to_list() == [one.kind for one in told]
    assert found.events["a"].to_list() == [one.args[0] if one.args else 0 for one in told]
    assert found.ends["score"][0] == pytest.approx(sum(pos.scores()) / 2)
    assert found.ends["decisions"][0] == len(pos.decisions)
    assert found.ends["turn_0"][0] == int(pos.state.turn)
    assert list(zip(found.probes["i"], found.probes["value"], strict=True)) == places
    assert places


def test_the_part_is_the_number_in_the_event_that_opens_it():
    """Nothing was opened before the first of them."""
    rows = np.zeros(5, EVENT.dtype)
    rows["kind"], rows["parts"][:, 0] = [1, 0, 1, 0, 1], [9, 4, 9, 6, 9]
    assert find_game_part_of_events(rows, 0).tolist() == [0, 4, 4, 6, 6]


def test_games_of_ours_are_watched_in_compiled_code(monkeypatch):
    """They are those that `simulate` plays; one with more to tell than there is room for is played again, and is the same.

    The smallest game shows it: to compile a watched game of the manor takes 25 seconds of a processor.
    """
    monkeypatch.setenv("SUTLER_GAMES", str(EXAMPLES))
    game = load("market", None, {"rounds": 5})
    monkeypatch.setattr(game.definition.home, "interpreted", PLAIN_ONLY)
    whole = play_and_log(game, ["random"], 2, games=1, seed=5)
    table, told = simulate(game, ["random"], 1, 5, events=True, seats=2)
    assert whole.ends["decisions"].to_list() == table["decisions"].to_list()
    counts = dict(told.group_by("event").agg(pl.col("count").sum()).filter(pl.col("count") > 0).iter_rows())
    assert dict(whole.events.group_by(pl.col("kind").cast(pl.String)).len().iter_rows()) == counts
    monkeypatch.setattr("sutler.lab.play.event_logs.EVENT_ROWS", 3)
    monkeypatch.setattr("sutler.lab.play.event_logs.DECISION_ROWS", 2)
    again = play_and_log(game, ["random"], 2, games=1, seed=5)
    assert again.events.equals(whole.events)
    assert again.ends.equals(whole.ends)


def test_a_piece_is_emptied_where_it_lies():
    """Taking one ability out leaves the others in their places and with their numbers."""
    printed = {"character": [{"name": "Ann", "ability": [{"n": 1, "ops": ["a"]}, {"n": 2, "ops": ["b"]}]}]}
    question = declared_questions.Question(
        kind="without", title="?", entries="character", piece="ability", emptied="ops", names=["Ann"]
    )
    (first, one), (second, two) = iter_removing_edits(question, printed)
    assert (first, second) == ("Ann 1", "Ann 2")
    assert one["character"][0]["ability"] == [{"n": 1, "ops": []}, {"n": 2, "ops": ["b"]}]
    assert two["character"][0]["ability"] == [{"n": 1, "ops": ["a"]}, {"n": 2, "ops": []}]
    whole = declared_questions.Question(
        kind="without", title="?", edit='[[character]]\nname = "{name}"\nthere = false', names=["Ann"]
    )
    assert list(iter_removing_edits(whole, printed)) == [("Ann", {"character": [{"name": "Ann", "there": False}]})]


def test_an_entry_is_left_bare():
    """A list on it is empty, anything else not printed; what it never had is not given to it, and the rest stays."""
    printed = {"place": [{"name": "Ford", "icon": {"kind": "port"}, "effect": [1], "price": 2}, {"name": "Hill"}]}
    question = declared_questions.Question(
        kind="without", title="?", entries="place", emptied=["icon", "effect"], names=["Ford", "Hill"]
    )
    assert dict(iter_removing_edits(question, printed)) == {
        "Ford": {"place": [{"name": "Ford", "icon": None, "effect": []}]},
        "Hill": {"place": [{"name": "Hill"}]},
    }


def test_a_bare_location_does_nothing():
    """The edits of Six Winters' question leave each location in the box, its icon and texts gone."""
    question = next(
        one for one in declared_questions.load_question_sheet("sixwinters").question if one.entries == "location"
    )
    plain = load("sixwinters")
    for name, edit in iter_removing_edits(question, load_definition("sixwinters").printed):
        i = plain.names["location"].index(name)
        before, after = plain.box.location[i], load("sixwinters", edit).box.location[i]
        assert before.icon or before.effect["n"].any(), name
        assert not after.icon, name
        assert not after.effect["n"].any(), name
        assert list(before.move) == list(after.move)


def test_an_empty_ability_is_none():
    """The edit of the question in the box of the game itself: the ability is there, and cannot be used."""
    sheet = declared_questions.load_question_sheet("sixwinters")
    question = next(one for one in sheet.question if one.piece and one.emptied)
    name, edit = next(iter_removing_edits(question, load_definition("sixwinters").printed))
    game = load("sixwinters", edit)
    c = game.names["character"].index(name.rsplit(" ", 1)[0])
    abilities = game.box.character[c].ability
    assert (int(abilities[0].there), int(abilities[0].effect.n)) == (1, 0)
    assert int(abilities[1].effect.n) > 0


def test_a_question_about_what_is_never_told_is_refused():
    """The file and the question are named."""
    sheet = declared_questions.Sheet(
        question=[declared_questions.Question(kind="count", title="Why?", event="sneezed")]
    )
    with pytest.raises(ValueError, match=r"'Why\?': asks for event 'sneezed'"):
        declared_questions.check_sheet(load("manor"), sheet)


def test_a_figure_that_is_not_there_and_a_change_that_the_box_refuses_are_told_before_a_game():
    figure = declared_questions.Question(kind="figures", title="Who?", figures=["throne_"])
    with pytest.raises(ValueError, match=r"'Who\?': asks for figure 'throne_'"):
        declared_questions.check_sheet(load("manor"), declared_questions.Sheet(question=[figure]))
    change = declared_questions.Question(
        kind="changes", title="?", figures=["turns"], changes=[{"title": "all", "set": {"victory": 900}}]
    )
    with pytest.raises(ValueError, match=r"'all': .*victory"):
        declared_questions.check_sheet(load("manor"), declared_questions.Sheet(question=[change]))


def test_a_game_without_questions_says_which_have_some(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SUTLER_GAMES", str(Path(__file__).parents[2] / "examples"))
    with pytest.raises(
        ValueError, match=r"market declares no questions of its own \(bellum, manor, sixwinters, .* do\)"
    ):
        declared_questions.load_question_sheet("market")


@pytest.mark.parametrize("name", ["manor", "bellum", "threeyears", "warfarm", "sixwinters"])
def test_the_questions_of_a_game_can_be_asked(name: str):
    """Its events, figures, changes, probes and settings exist, its ladder can play, and every kind is answered."""
    sheet = declared_questions.load_question_sheet(name)
    declared_questions.check_sheet(load(name), sheet)
    assert len(sheet.question) >= 8
    assert {one.kind for one in sheet.question} <= set(ANSWERS)
    assert all(bot_from(spec) for spec in sheet.ladder)
    declared_questions.load_probes(name, sheet)
    for one in sheet.question:
        if one.setting and one.kind == "sweep":
            for value in one.values:
                load(name, None, {one.setting: int(value)})


def test_answers_come_one_by_one_and_other_tables_have_no_more_games_than_asked_for(monkeypatch: pytest.MonkeyPatch):
    """The first answer is there before any game of the next question is played; one game is one at every table."""
    monkeypatch.setattr(
        load_definition("sixwinters").home, "interpreted", True
    )  # to compile what watches takes minutes
    played: list[tuple[str, int]] = []
    sizes, really = list[int](), bot_groups.simulate

    def simulated(*given: Any, **more: Any) -> Any:
        table, told = really(*given, **more)
        sizes.append(sum(name.startswith("score_") for name in table.columns))
        return table, told

    monkeypatch.setattr(bot_groups, "simulate", simulated)
    monkeypatch.setattr(run_questions, "build_ladder_groups", lambda *given: [])
    short = {"sessions": 1}
    found = answer_questions(
        Query("sixwinters", ["random"], 2, 1, settings=short),
        lambda what, done, most: played.append((what, most)),
        [1, 14],
    )
    assert next(found).question.kind == "outcome"
    assert played == [("watched", 1)]
    assert next(found).question.kind == "seats"
    tables = [one for one in played if one[0].startswith("question 14 of ")]
    assert {most for _, most in tables} == {1}
    assert len(tables) == 4
    assert sizes == [1, 2, 3, 4], "a bot alone sits at a table of one, not at the best number"
    assert next(found, None) is None


def test_other_tables_are_of_the_game_that_is_asked_about():
    """They had been of the printed one: with `--set difficulty=normal`, what a setting or a character brings was told at easy."""
    game = load("sixwinters", None, {"difficulty": "normal", "rules.new_skill": 4})
    one = declared_questions.QuestionContext(
        Query(game, (), 2, 1),
        declared_questions.load_question_sheet("sixwinters"),
        LoggedGames(game, 1, *[pl.DataFrame()] * 3),
        print,
    )
    for other, setting in (
        (one.load_variant({"rules.dice_each": 40}), 40),
        (one.load_variant({}, {"rules": {"dice_each": 9}}), 9),
    ):
        assert other.chosen["difficulty"] == "normal"
        assert (other.sheet.rules.new_skill, other.sheet.rules.dice_each) == (4, setting)
    assert one.load_variant({"difficulty": "easy"}).chosen["difficulty"] == "easy"


@pytest.mark.parametrize(("games", "share", "some"), [(1, 8, 1), (19, 4, 19), (100, 8, 20), (1000, 8, 125)])
def test_how_many_games_a_table_beside_has(games: int, share: int, some: int):
    assert replace(of(watched()), query=Query(games=games)).count_games_for_further_questions(share) == some


WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"opens": "year"}, {}, "opens with event 'year'; there is none such"),
    ({"probes": {"pray": {"module": "risk", "names": ["faith"]}}}, {}, "before action 'pray'"),
    ({"ladder": ["greedy", "genius"]}, {}, "there is no bot 'genius'"),
    ({}, {"kind": "count", "event": "hunger", "of": ["card"]}, "event hunger tells of .*, not of card"),
    ({}, {"kind": "supply", "event": "hunger", "field": "dice"}, "field 'dice' of the state"),
    ({}, {"kind": "tables", "seats": [2, 9], "figures": ["turns"]}, "for 2 to 6 seats, not 9"),
    (
        {},
        {"kind": "figures", "figures": ["seat_5"]},
        "no figure 'seat_5'|figure 'seat_5'; there is none such at 4 seats",
    ),
    ({}, {"kind": "sweep", "setting": "victory", "values": [9, 99], "seats": [4]}, "'victory = 99': .*outside"),
    ({}, {"kind": "without", "entries": "card", "names": ["Gryphon"], "emptied": "gain"}, "no card .* 'Gryphon'"),
]


@pytest.mark.parametrize(("sheet", "question", "message"), WRONG, ids=[message for _, _, message in WRONG])
def test_a_sheet_is_looked_through_before_the_first_game(
    sheet: dict[str, Any], question: dict[str, Any], message: str
) -> None:
    """What cannot be asked is told at once, with the file: not after an hour of games, and not as a fault of ours."""
    listed = [declared_questions.Question(title="Why?", **question)] if question else []
    with pytest.raises(ValueError, match=message):
        declared_questions.check_sheet(load("manor"), declared_questions.Sheet(question=listed, **sheet))


def test_only_the_questions_that_are_asked_must_be_answerable() -> None:
    """A table of one has no seats to be favoured, but a length."""
    seats = declared_questions.Question(kind="figures", title="Who?", figures=["seat_"])
    length = declared_questions.Question(kind="figures", title="How long?", figures=["decisions"])
    sheet, game = declared_questions.Sheet(question=[seats, length]), load("sixwinters")
    declared_questions.check_sheet(game, sheet, 1, [2])
    with pytest.raises(ValueError, match="'Who\\?': asks for figure 'seat_'; there is none such at 1 seat"):
        declared_questions.check_sheet(game, sheet, 1)


@pytest.fixture
def answers(market: Game, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[declared_questions.Answer]]:
    """Questions to Market, asked of greedy bots and held against random ones."""

    def answered(
        *questions: declared_questions.Question, games: int = 24, ladder: Sequence[str] = ("random",)
    ) -> list[declared_questions.Answer]:
        sheet = declared_questions.Sheet(opens="round", question=list(questions), ladder=list(ladder))
        monkeypatch.setattr(run_questions, "load_question_sheet", lambda name: sheet)
        return list(answer_questions(Query("market", "greedy", 2, games, settings={"rounds": 5})))

    return answered


def test_what_is_not_seen_is_told_with_how_large_it_can_be(
    answers: Callable[..., list[declared_questions.Answer]],
) -> None:
    """The points of the rows move who wins by nothing that twelve games show: where it can be, and how many games would tell."""
    question = declared_questions.Question(
        kind="changes", title="?", figures=["seat_1"], changes=[{"title": "longer", "set": {"rounds": 6}}]
    )
    (answer,) = answers(question, games=12)
    told = re.fullmatch(
        r"The change is not seen to move “won by seat 1” \(somewhere in (−\d+\.\d) to \+(\d+\.\d) pp\)\.",
        answer.said,
    )
    assert told, answer.said
    enough = re.search(r"1 for which there are too few games \(about ([\d,]+) a version would tell\)", answer.verdict)
    assert enough, answer.verdict
    half = (float(told[2]) - float(told[1].replace("−", "-"))) / 2
    assert int(enough[1].replace(",", "")) == round_up_games(12 * (half / 2) ** 2)


@pytest.mark.parametrize(
    ("verdict", "short", "rest"),
    [
        ("too few games", "too few games", ""),
        (
            "depends on the bot: Settlers, Marriage; too few games: in all, Wheat",
            "depends on the bot; too few games",
            "Depends on the bot: Settlers, Marriage; too few games: in all, Wheat. ",
        ),
        (
            "3 of 9 differences beyond chance, 5 for which there are too few games (about 1,000 a version would tell). "
            "Between other bots: same side, size depends on the bot: no hardships: length in turns; too few games (6)",
            "3 of 9 differences beyond chance",
            "5 for which there are too few games (about 1,000 a version would tell). "
            "Between other bots: same side, size depends on the bot: no hardships: length in turns; too few games (6). ",
        ),
        (
            "1 of 2 differences beyond chance. Between other bots: holds",
            "1 of 2 differences beyond chance",
            "Between other bots: holds. ",
        ),
        (
            "2 hold; depends on the bot: 2 players: score; too few games (10)",
            "2 hold; depends on the bot; too few games (10)",
            "2 hold; depends on the bot: 2 players: score; too few games (10). ",
        ),
        ("7 hold; too few games (9)", "7 hold; too few games (9)", ""),
    ],
)
def test_the_list_of_questions_has_short_verdicts(verdict: str, short: str, rest: str) -> None:
    """What the verdict is about stands with the answer, not in the list above, and nothing stands there twice."""
    question = declared_questions.Question(kind="figures", title="Who?", figures=["x"])
    answer = declared_questions.Answer(question, "One.\nTwo.", (), verdict, "9 games")
    assert answer.short_verdict == short
    told = f'<p><b>{capitalize_first(short)}.</b> <span class="quiet">{rest}9 games.</span></p>'
    assert run_questions.render_verdict_line(answer) == told
    assert run_questions.render_sentences(answer.said) == ['<ul class="said"><li>One.</li><li>Two.</li></ul>']


def test_a_label_with_a_kind_is_the_subject_of_a_sentence() -> None:
    """No second colon, and the rules' own name in quotation marks."""
    assert Figure("ends_by_ruin", "ending: by ruin", "", share=True).sentence_label == "ending “by ruin”"
    assert Figure("turns", "length in turns", "").sentence_label == "length in turns"


def test_what_a_change_does_is_held_against_other_bots(answers: Callable[..., list[declared_questions.Answer]]) -> None:
    """Twice the rounds are five more between all bots; between whom, how many, and the verdict stand with each figure."""
    question = declared_questions.Question(
        kind="changes",
        title="?",
        figures=["turns", "seat_1"],
        changes=[{"title": "longer", "set": {"rounds": 10}}, {"title": "the same", "set": {"rounds": 5}}],
    )
    (answer,) = answers(question)
    assert answer.said.startswith("Longer: length in turns +5.00 (")
    assert answer.said.endswith("); between other bots: same side, too few games for its size.")
    assert answer.verdict.startswith("1 of 4 differences beyond chance")
    assert "Between other bots: same side, too few games for its size: longer: length in turns" in answer.verdict
    assert answer.played.endswith("between greedy; held against 20 games between each of: random")
    page = "".join(answer.body)
    assert '<th scope="col">change and figure</th><th scope="col" class="word">verdict</th>' in page, (
        "or a phone hides it"
    )
    assert '<td>longer: length in turns</td><td class="word">same side, too few games for its size</td>' in page
    assert "<td>the same</td><td>5.00 to 5.00</td>" in page
    (alone,) = answers(question, ladder=())
    assert "holds" not in alone.said + alone.verdict
    assert "verdict" not in "".join(alone.body)


def test_each_figure_at_each_table_has_its_verdict(answers: Callable[..., list[declared_questions.Answer]]) -> None:
    """Five rounds at every table hold; each seat is held against an even share of its own table."""
    question = declared_questions.Question(kind="tables", title="?", figures=["turns", "seat_"], seats=[2, 3])
    (answer,) = answers(question)
    assert answer.said.startswith(
        "Length in turns: 5.00 (4.76 to 5.24) at 2 players; 5.00 (4.76 to 5.24) at 3 players."
    )
    page = "".join(answer.body)
    assert '<td>3 players: length in turns</td><td class="word">' in page
    assert "3 players: won by seat 3" in page
    assert "50.0\u00a0%" in page
    assert "33.3\u00a0%" in page
    assert answer.played.startswith(
        "24 games at each table between greedy; held against 20 games between each of: random"
    )


def test_other_tables_and_settings_are_held_too(answers: Callable[..., list[declared_questions.Answer]]) -> None:
    """Kinds of co-operative games: tables of other sizes, a setting over its values, a thing taken out of the box."""
    found = answers(
        declared_questions.Question(kind="seats", title="?", seats=[2, 3], events={"bought": "wares"}),
        declared_questions.Question(kind="sweep", title="?", setting="rules.wage", values=["2", "9"], seats=[2, 3]),
        declared_questions.Question(
            kind="without",
            title="?",
            entries="ware",
            edit='[[ware]]\nname = "{name}"\nworth = 0',
            names=["Velvet", "Salt"],
        ),
        games=20,
    )
    for answer in found:
        assert answer.verdict != declared_questions.ONE_BOT_VERDICT
        assert answer.played.endswith("held against 20 games between each of: random")
        assert '<th scope="col" class="word">verdict</th>' in "".join(answer.body)
    assert "<td>3 players, 9: points</td>" in found[1].body[1]
    seats, sweep, without = (answer.said for answer in found)
    assert re.match(r"Won: 2 players \d+\.\d % \(.* to .*\), 3 players .*\. Points: 2 players .* \(", seats), seats
    assert seats.endswith(("No table surely has more points than every other.", "Surely most: 2 players.")), seats
    assert sweep.startswith(
        ("Points against rules.wage = 2, where beyond chance: ", "No other value is seen to move points")
    )
    assert "3 players less those of 2 players, by rules.wage: surely" in sweep or "told apart (each difference" in sweep
    assert without.startswith(("Points brought, where beyond chance: Velvet", "None of it is seen to bring points"))


def test_bots_of_several_kinds_sit_at_every_table() -> None:
    """Two of three seats, and round again: not the first of them alone."""
    group = bot_groups.Group([bot_from("greedy"), bot_from("random")], lambda: watched(), 1, print)
    assert [one.name for one in group._bots_by_seat(3)] == ["greedy", "random", "greedy"]


def test_a_bot_that_learned_another_box_is_not_asked_and_it_says_so() -> None:
    """Bellum's judge plays its options, not another strength at the start: that had ended the questions half way."""
    bellum = load("bellum")
    judge = bot_groups.Group([bot_from("judge")], lambda: watched(), 1, print)
    assert judge.can_play(load("bellum", None, {"out_of_range": True}))
    assert not judge.can_play(load("bellum", None, {"rules.start_strength": 4}))
    one = declared_questions.QuestionContext(
        Query(bellum, (), 2, 1),
        declared_questions.load_question_sheet("bellum"),
        LoggedGames(bellum, 1, *[pl.DataFrame()] * 3),
        print,
    )
    among = replace(one, others=[judge]).keep_bots_able_to_play(
        [bellum, load("bellum", None, {"rules.start_strength": 4})]
    )
    assert [group.name for group in among.groups[1:]] == []
    assert (
        judge_claims_across_bots(among, [{}], [1]).describe_other_bots("war")
        == "; judge learned another box and was not asked"
    )


def test_names_of_powers_keep_their_letters() -> None:
    """A caption that begins with a figure: `capitalize` had made "Won by austria" of it."""
    assert capitalize_first("won by Austria") == "Won by Austria"
    assert capitalize_first("") == ""


def test_a_command_at_the_end_of_an_answer_stands_by_itself() -> None:
    """It is to be copied, and the large letters have no plain hyphens and figures."""
    assert render_lead("One. To know: sutler compare manor --b victory=9").endswith(
        'To know:</p><p><code>sutler compare manor <span class="option">--b</span> victory=9</code></p>'
    )
    assert render_lead("Try sutler goal.") == '<p class="lead">Try sutler goal.</p>'


def test_an_interval_breaks_before_its_bracket() -> None:
    """On a phone a value stands above its interval, and the interval is whole."""
    cell = render_table(["figure", "verdict", "greedy"], [["score", "too few games", "−2.2 pp (−3.5 to −0.7 pp)"]])
    assert "<td>−2.2\u00a0pp (−3.5\u00a0to\u00a0−0.7\u00a0pp)</td>" in cell
    assert '<td class="word">too few games</td>' in cell
