"""`sutler learn`: lessons at the keyboard, scripted to their end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import Result

from sutler.core.play.registry import find_game_folder, games
from sutler.core.text.lesson import read_lessons

Run = Callable[..., Result]
LESSONS = [(game, name) for game in games() for name in read_lessons(find_game_folder(game))]


@pytest.mark.parametrize(("game", "name"), LESSONS)
def test_a_lesson_is_shown_to_its_end(sutler: Run, game: str, name: str) -> None:
    """`m` does what is waited for, or goes on."""
    steps = len(read_lessons(find_game_folder(game))[name].step)
    done = sutler("learn", game, name, typed="m\n" * 60)
    assert done.exit_code == 0, done.output[-2000:]
    assert f"{steps} of {steps}" in done.output
    ends = f"That was the lesson.\nNow a first game: sutler play {game} --first-game --bots easy"
    assert done.output.rstrip().endswith(ends)


def test_what_is_waited_for_is_done_and_all_else_is_answered(sutler: Run) -> None:
    """Enter goes on where nothing is to be done; a wrong choice gets the lesson's answer, a barred one its reason."""
    done = sutler("learn", "manor", typed="\n\n\n\nplace Wheat\nplace Plow Team\non Hills\non Good Fields\nq\n")
    assert done.exit_code == 0, done.output[-2000:]
    assert "Do it first, or let it be shown to you: m" in done.output
    assert "That comes later. Plow Team first" in done.output
    assert "The card does not belong on this land." in done.output
    assert "6 of 13" in done.output
    assert "nothing of it is kept" in done.output


def test_back_takes_the_game_back(sutler: Run) -> None:
    """Half a step back is the beginning of the step; then the step before, with what the others did."""
    done = sutler("learn", "manor", typed="\n\n\nm\nb\nm\nm\nb\nq\n")
    assert done.exit_code == 0, done.output[-2000:]
    assert done.output.count("4 of 13") == 2
    assert done.output.count("5 of 13") == 3
    assert done.output.count("6 of 13") == 1


def test_a_lesson_that_is_not_there(sutler: Run) -> None:
    """The lessons that are there are named."""
    done = sutler("learn", "manor", "third")
    assert done.exit_code != 0
    assert "it has first" in done.output
