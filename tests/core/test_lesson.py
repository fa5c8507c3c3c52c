"""Lessons are played to their end by the rules, and a fault in one is told by file, step and field."""

from __future__ import annotations

from pathlib import Path

import pytest

import sutler
from sutler.core.files.box import BoxError
from sutler.core.play.registry import find_game_folder
from sutler.core.text.lesson import Step, list_spot_names, play_lesson, read_lesson, read_lessons

LESSONS = [(game, name) for game in sutler.games() for name in read_lessons(find_game_folder(game))]
MANOR = find_game_folder("manor") / "lessons" / "first.toml"


@pytest.mark.parametrize(("game", "name"), LESSONS)
def test_a_lesson_is_played_to_its_end(game: str, name: str) -> None:
    path = find_game_folder(game) / "lessons" / f"{name}.toml"
    lesson = read_lesson(path)
    moments = list(play_lesson(lesson, sutler.load(game), str(path)))
    assert [moment.number for moment in moments] == list(range(1, len(lesson.step) + 1))
    assert len(moments) >= 6
    assert moments[-1].position.over == (lesson.step[-1].end == "over")
    assert sum(len(step.wait) for step in lesson.step) >= 3, "a lesson in which one does nothing is a speech"
    for number, step in enumerate(lesson.step, 1):
        assert step.more.count(". ") <= 5, f"step {number} says more than one reads"


def test_the_lesson_of_the_manor_ends_as_it_says() -> None:
    lesson = read_lesson(MANOR)
    *_, last = play_lesson(lesson, sutler.load("manor"))
    assert last.step.say == "15 at the end of the turn: *you win*, 15 to 12."
    assert last.position.scores() == [15, 12]
    assert last.position.places() == [1, 2]


def spoilt(tmp_path: Path, old: str, new: str) -> Path:
    """The first lesson with something else in one place."""
    text = MANOR.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path = tmp_path / "spoilt.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('say = "You want *victory tokens*."', 'say = "You want victory tokens."', "step 1, field say: one thing stands between"),
        ('say = "You want *victory tokens*."', f'say = "You want *{"x" * 90}*."', "step 1, field say: 102 letters, 90 fit"),
        ('point = "hand"', "", "step 3, field point: one thing is lit"),
        ('point = "hand"', "points = 3", "step 3: field points"),
        ('end = "over"', "", "step 13, field end: the last step says how"),
        ('point = "hand"', 'point = "hand"\nend = "stop"', "step 3, field end: only the last step"),
        ('wait = ["place Plow Team"]', 'wait = ["place Plough"]', "step 4, field wait: 'place Plough': Medieval Manor has no"),
        ('wait = ["on Good Fields"]', 'wait = ["on River"]', "step 5, field wait: 'on River'"),
        ('others = ["place Goats", ', 'others = ["place Timber", ', "step 5, field others: 'on Pasture'"),
        ('others = ["place Timber"]', "", "step 9, field wait: Perrin is to decide when 'place Bakery' is waited for"),
        ('other = { "place *"', 'other = { "plaice *"', "step 4, field other: no action is called 'plaice *'"),
        ('others = ["done"]', "", "step 13, field end: the game is not over; Perrin is to decide"),
        ('names = ["Agnes", "Perrin"]', 'names = ["Agnes"]', "field names: 1 names, 2 seats"),
        ("you = 0", "you = 2", "field you: there is no seat 2"),
    ],
)  # fmt: skip
def test_a_fault_is_told_by_file_step_and_field(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = spoilt(tmp_path, old, new)
    with pytest.raises(BoxError) as error:
        list(play_lesson(read_lesson(path), sutler.load("manor"), str(path)))
    assert str(error.value).startswith(str(path))
    assert told in str(error.value)


def test_a_wrong_choice_gets_the_first_answer_that_fits() -> None:
    step = Step(say="", wait=["a"], other={"place Wheat": "Wheat.", "place *": "Later.", "*": "No."})
    assert step.find_reply("Place wheat") == "Wheat."
    assert step.find_reply("place Goats") == "Later."
    assert step.find_reply("done") == "No."
    assert "lit" in Step(say="", wait=["a"]).find_reply("done")
    assert "go on" in Step(say="").find_reply("done")


def test_a_spot_is_found_under_its_name_and_its_number() -> None:
    names = {"land": ["River", "Pasture"], "card": ["Wheat"]}
    assert list_spot_names("space:Pasture", names) == ("space:Pasture", "space:1")
    assert list_spot_names("card:Wheat", names) == ("card:Wheat", "card:0")
    assert list_spot_names("hand", names) == ("hand",)
