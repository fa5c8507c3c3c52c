"""Questions: what cannot be asked, what one may ask about, and answers left in a folder."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import sutler
from sutler.core.play.game import load
from sutler.core.play.registry import load_definition
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.designer.questions import (
    EDIT_FILE,
    QUESTION_FILE,
    REPORT_FILE,
    Question,
    count_max_games,
    list_decision_kinds,
    list_drawable_cards,
    require_askable_question,
)
from sutler.lab.designer.worker import answer_into_folder, main
from sutler.lab.parameters import build_example_edit, list_number_names
from sutler.lab.play.headline_figures import list_figure_names
from sutler.lab.studies.compare import is_same_box

CHANGE = '[[card]]\nname = "Tournament"\ngain.victory = 4\n'
SHORT: dict[str, Any] = {"game": "manor", "bots": "random", "settings": "offers=0 victory=5"}

WRONG = [
    ({"game": "chess"}, "there is no game 'chess'"),
    ({"kind": "change"}, "what changes"),
    ({"kind": "change", "bots_b": "mighty"}, "mighty"),
    ({"kind": "change", "bots_b": "greedy,random", "seats_b": 3}, "2 bots are named for 3 seats"),
    ({"kind": "change", "bots": "greedy,random", "seats_b": 3}, "2 bots are named for 3 seats"),
    ({"kind": "change", "seats_b": 7}, "7"),
    ({"kind": "change", "bots_b": "./mine.py"}, "mine.py"),
    ({"kind": "change", "edit": CHANGE, "games": 50}, "at least 200 games, not 50"),
    ({"edit": "[[card"}, "the change cannot be read"),
    ({"edit": '[[card]]\nname = "Tournament"\ngain.glory = 4\n'}, r'\[\[card\]\] "Tournament", field gain.glory'),
    ({"settings": "victory"}, "write a setting as KEY=VALUE"),
    ({"settings": "victory=99"}, "victory: 99 is outside 5 to 40"),
    ({"bots": "greedy,random", "seats": 3}, "2 bots are named for 3 seats"),
    ({"bots": "mighty"}, "mighty"),
    ({"seats": 9}, "9"),
    ({"kind": "range", "over": "victory"}, "write it as KEY=1..8"),
    ({"kind": "range", "over": "victory=5..50:5"}, "victory: 45 is outside 5 to 40"),
    ({"kind": "worth", "cards": "Wheat, Gryphon"}, "no card 'Gryphon'"),
    ({"kind": "worth", "game": "bellum"}, "no deck to draw from"),
    ({"kind": "worth", "game": "sixwinters"}, "no card to ask about"),
    ({"kind": "choice", "choices": "sing"}, "no action of Medieval Manor begins with 'sing'"),
    ({"kind": "choice", "turn": "victory=99"}, "victory: 99 is outside 5 to 40"),
    ({"kind": "matters", "only": "dragons"}, "no number called dragons"),
    ({"kind": "matters", "edit": CHANGE}, "the printed box that are turned"),
    ({"kind": "matters", "games": 1}, "at least 2 games of each version"),
    (
        {
            "kind": "matters",
            "game": "sixwinters",
            "only": "card, mission, obstacle, event, character, location, scheme",
        },
        "name some",
    ),
    ({"kind": "goal", "want": ""}, "write it as decisions=-20%"),
    ({"kind": "goal", "want": "fun=+2"}, "there is no figure 'fun'; there are score"),
    ({"kind": "goal", "want": "seat_4=25%", "seats": 3}, "there is no figure 'seat_4'"),
    ({"kind": "goal", "want": "turns=-2", "only": "victory, dragons", "settings": "victory"}, "write a setting as"),
    ({"kind": "ladder", "rounds": "10,5"}, "a ladder goes up"),
    ({"kind": "ladder", "rounds": "ten"}, "numbers of rounds with commas"),
]


@pytest.mark.parametrize(("asked", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_cannot_be_asked_is_told_before_the_first_game(asked: dict[str, Any], message: str) -> None:
    """In words, where it is asked."""
    with pytest.raises(ValueError, match=message):
        require_askable_question(Question(**{"kind": "play", "game": "manor"} | asked))


@pytest.mark.parametrize("game", sutler.games())
def test_the_example_of_an_edit_changes_the_box(game: str) -> None:
    """It is there to begin from, so it fits the box and makes a difference."""
    edit = build_example_edit(game)
    require_askable_question(Question(kind="change", game=game, edit=edit))
    assert not is_same_box(load(game), load(game, tomllib.loads(edit)))


@pytest.mark.parametrize("game", sutler.games())
def test_what_is_named_can_be_put_over_a_range(game: str) -> None:
    """Options, rules and entries alike: what a number is, it may be set to."""
    names = list_number_names(game)
    assert len(names) == len(set(names)) > 5
    printed = load_definition(game).printed
    for name in names[:: max(9, len(names) // 30)]:
        is_option = name in printed.get("options", {})
        found: Any = printed["options"][name]["default"] if is_option else load(game).sheet.model_dump()
        for step in () if is_option else name.split("."):
            found = next(one for one in found if one["name"] == step) if isinstance(found, list) else found[step]
        require_askable_question(Question(kind="range", game=game, over=f"{name}={found}"))


def test_which_cards_can_be_asked_about() -> None:
    """Those that seats draw, each name once; none where nothing is drawn."""
    assert {"Wheat", "Abbey"} <= set(list_drawable_cards("manor"))
    assert len(list_drawable_cards("threeyears")) == len(set(list_drawable_cards("threeyears"))) > 10
    assert {"Steel", "Pious"} <= set(list_drawable_cards("warfarm"))
    assert list_drawable_cards("bellum") == list_drawable_cards("sixwinters") == []
    assert {"undertake", "use location"} <= set(list_decision_kinds("sixwinters"))


def test_the_same_on_a_command_line() -> None:
    """What the page shows can be typed."""
    change = Question(kind="change", edit=CHANGE, seats=3, **SHORT)
    assert change.build_command_line() == (
        "sutler compare manor --b change.toml --set offers=0 --set victory=5 --bots random --seats 3 "
        "--games 2000 --seed 1 --out report.html"
    )
    others = Question(kind="change", bots_b="random,greedy", seats_b=2, give_up=True, game="manor")
    assert others.build_command_line() == (
        "sutler compare manor --bots-b random,greedy --seats-b 2 --give-up --bots greedy --games 2000 --seed 1 --out report.html"
    )
    assert others.title == "Medieval Manor: as it is, and with random,greedy, 2 seats"
    require_askable_question(others)
    matters = Question(kind="matters", only="rules, card.Wild Boar", game="manor")
    assert (
        "sutler sensitivity manor --only rules --only 'card.Wild Boar' --bots greedy --games"
        in matters.build_command_line()
    )
    goal = Question(kind="goal", want="decisions=-20%", only="rules", games=200, game="manor")
    assert (
        "sutler goal manor --want decisions=-20% --most 2000 --only rules --bots greedy --games 200"
        in goal.build_command_line()
    )
    range_ = Question(kind="range", over="card.Wild Boar.gain.animals=1..3", **SHORT)
    assert "--over 'card.Wild Boar.gain.animals=1..3'" in range_.build_command_line()
    assert "--box" not in range_.build_command_line()
    worth = Question(kind="worth", cards="Wheat, Wild Boar", game="manor")
    assert "sutler impact manor --card Wheat --card 'Wild Boar' --bots greedy" in worth.build_command_line()
    assert worth.title == "Medieval Manor: what Wheat, Wild Boar is worth"
    choice = Question(kind="choice", choices="place Wheat, sell", turn="rules.buy_price=3", game="manor")
    assert (
        "impact manor --choice 'place Wheat' --choice sell --turned rules.buy_price=3 --bots"
        in choice.build_command_line()
    )
    assert choice.title == "Medieval Manor: what place Wheat, sell is worth"
    assert "impact bellum --choice all --bots greedy" in Question(kind="choice", game="bellum").build_command_line()
    assert (
        "tournament manor --ladder 5,10 --games"
        in Question(kind="ladder", rounds="5,10", game="manor").build_command_line()
    )
    assert "simulate manor --box change.toml" in Question(kind="play", edit=CHANGE, game="manor").build_command_line()


def test_every_version_counts_towards_what_a_question_costs() -> None:
    """All values of a range; a step down and a step up, and the printed game; a goal at both its steps, and what is compared."""
    one: dict[str, Any] = {"game": "manor", "games": 300}
    assert count_max_games(Question(kind="play", **one)) == 300
    assert count_max_games(Question(kind="change", **one)) == 600
    assert count_max_games(Question(kind="range", over="victory=5..7", **one)) == 900
    assert count_max_games(Question(kind="matters", only="victory, rules.buy_price", **one)) == 5 * 300
    assert (
        count_max_games(Question(kind="goal", want="turns=-2", only="victory", most=400, **one))
        == 2 * 3 * 300 + 2 * 2 * 400
    )


def test_a_goal_may_be_any_figure_that_there_is() -> None:
    """Known before the first game: shares of seats, of roles, of ways to end."""
    for game, figure in (("manor", "seat_2"), ("bellum", "power_Austria"), ("warfarm", "ends_won_farm")):
        assert figure in list_figure_names(load(game), 3)
        require_askable_question(Question(kind="goal", game=game, want=f"{figure}=+5%", seats=3))


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of games of manor want compiled rules")
@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "play", "games": 100},
        {"kind": "change", "edit": CHANGE, "games": 400},
        {"kind": "range", "over": "victory=5..7", "games": 60},
        {"kind": "worth", "cards": "Wheat", "games": 40},
        {"kind": "choice", "choices": "place", "turn": "rules.buy_price=3", "games": 40},
        {"kind": "ladder", "rounds": "2,4", "games": 4},
    ],
    ids=["play", "change", "range", "worth", "choice", "ladder"],
)
def test_an_answer_is_left_in_the_folder(tmp_path: Path, asked: dict[str, Any]) -> None:
    """A report that stands by itself, and word of how far it is."""
    told: list[tuple[int, int]] = []
    answer_into_folder(Question(**SHORT | asked), tmp_path, lambda done, most, _: told.append((done, most)))
    page = (tmp_path / REPORT_FILE).read_text()
    assert "Medieval Manor" in page
    assert "<svg" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    done, most = told[-1]
    assert 0 < done <= most
    assert (tmp_path / EDIT_FILE).read_text() == asked.get("edit", "")


def test_trouble_is_told_as_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever started the process hears why it ended."""
    (tmp_path / QUESTION_FILE).write_text(Question(kind="change", game="manor").model_dump_json())
    assert main(tmp_path) == 1
    assert "what changes" in json.loads(capsys.readouterr().out)["trouble"]
    assert main(tmp_path / "nowhere") == 1
