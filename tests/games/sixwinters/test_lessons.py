"""The two lessons end as they say they do, and what the table says on the way reads as people say it."""

from __future__ import annotations

from games.sixwinters.scene import dice
from sutler.contract.helpers import load_game
from sutler.core.play.registry import find_game_folder
from sutler.core.text.lesson import Moment, play_lesson, read_lesson
from sutler.core.text.sentences import to_plain_text
from sutler.games.sixwinters.cards.vocabulary import DIPLOMACY, PSYCHE


def moments(name: str) -> list[Moment]:
    path = find_game_folder("sixwinters") / "lessons" / f"{name}.toml"
    return list(play_lesson(read_lesson(path), load_game("sixwinters"), str(path)))


def test_the_first_lesson_ends_in_summer() -> None:
    """8.6: Radia is gone, so two Diplomacy tags are left and the threat stands where it stood; one symbol is served."""
    *_, last = moments("first")
    view = last.position.view(0)
    assert (view["season"], view["turn"]) == ("summer", 3)
    assert (int(last.position.state.tags[DIPLOMACY]), int(last.position.state.threat[DIPLOMACY])) == (2, 3)
    assert [goal["met"] for goal in view["missions"][0]["goals"]].count("") == 1


def test_the_second_lesson_leaves_fuscus_distracted() -> None:
    """7.6, 9.2: both are overcome, the 3 and the 5 are left, and psyche began anew in the first box."""
    *_, last = moments("second")
    hero = last.position.state.heroes[0]
    assert dice(last.position) == [3, 5]
    assert (int(hero.stress[PSYCHE]), int(hero.box_no[PSYCHE])) == (4, 1)
    log = [to_plain_text(line.sentence) for line in last.position.log(0)]
    assert "Imperial Guard is overcome" in log, "three cards bear that name; their numbers are not for people"


def test_who_takes_it_is_asked_by_the_die() -> None:
    """7.7: a stress die together is a question of its own, not "which character?"."""
    first = next(one for one in rehearse_until("second", "The 1 hurts"))
    assert to_plain_text(first.prompt(0).text) == "Who takes the 1?"


def rehearse_until(name: str, say: str):  # type: ignore[no-untyped-def]
    path = find_game_folder("sixwinters") / "lessons" / f"{name}.toml"
    for moment in play_lesson(read_lesson(path), load_game("sixwinters"), str(path)):
        if moment.step.say.startswith(say):
            yield moment.position
