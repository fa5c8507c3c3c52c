"""The Learn page of a game: its primer, its lessons, and its guide paragraph by paragraph.

A primer is a template in the game's folder, `lessons/primer.html`. It uses the macros of the board and views of the first lesson,
so it shows the real cards and pieces, and follows every change of the box.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sutler.bots import bot
from sutler.core.text.language import get_language
from sutler.core.text.lesson import build_opening_position, play_lesson
from sutler.web.errors import Lost
from sutler.web.table.teaching.hints import load_coaching
from sutler.web.table.teaching.lessons import load_lessons
from sutler.web.view import jinja_templates

if TYPE_CHECKING:
    from sutler.core.play.game import Game
    from sutler.core.text.lesson import Lesson
    from sutler.web.events import OptionValue
    from sutler.web.game_shelf import Cover
    from sutler.web.table.registry import House


def render_learn_page(house: House, name: str, theme: str, after: str = "") -> str:
    """The Learn page of a game as HTML. Raises Lost where there is no such game.

    `theme`: "day", "candle", or "" for the browser's choice; `after`: "lesson" or "game" where the reader comes from the end of one, so
    that the button for what comes next is the red one.
    """
    cover = next((cover for cover in house.shelf.list_covers() if cover.name == name), None)
    if cover is None:
        raise Lost("There is no guide to a game that is not on the table.")
    game = house.shelf.load_game(name)
    folder = house.shelf.find_game_folder(name)
    lessons, coaching = load_lessons(folder), load_coaching(folder)
    context: dict[str, Any] = {
        "cover": cover,
        "game": game,
        "theme": theme,
        "lessons": lessons,
        "files": jinja_templates.board_file_urls(name),
        "sprite": jinja_templates.sprite_url(name),
        "symbol": jinja_templates.make_symbol_finder(name),
        "phase_rules": (),
        "base": "",
        "after": after,
        "seats": _choose_first_seats(house, cover, lessons.get("first")),
        "first_game": coaching.first_game,
        "as_printed": _to_form_fields(game, {}),
        "as_first": _to_form_fields(game, coaching.first_game.options),
        "primer": "",
    }
    if (folder / "lessons" / "primer.html").exists():
        context["primer"] = _render_primer(name, house.shelf.load_game(name, lessons["first"].options), get_language())
    return jinja_templates.render("learn.html", **context)


def _choose_first_seats(house: House, cover: Cover, lesson: Lesson | None) -> list[str]:
    """The plans of the seats of a first table: "me" and bots, as many as is usual for the game, but no fewer than in its first lesson.

    (With three seats in Bellum, one of them would lead two powers.) The bots are "easy"; where all win or lose together they are
    "normal", since a weak partner makes the game harder.
    """
    usual = house.shelf.load_box_summary(cover.name).usual_seats
    level = "normal" if house.shelf.load_game(cover.name).definition.COOPERATIVE else "easy"
    return ["me"] + [level] * (max(usual, lesson.seats if lesson else 0) - 1)


def _to_form_fields(game: Game, options: Mapping[str, OptionValue]) -> dict[str, str]:
    """The fields of the new-table form that stand for these options; options that are on by default are included.

    (A browser does not send a checkbox that is not ticked, so a missing field counts as switched off.)
    """
    wanted: dict[str, OptionValue] = {one.name: one.default for one in game.options() if one.kind == "flag"}
    wanted |= options
    return {
        f"option_{name}": "yes" if value is True else str(value) for name, value in wanted.items() if value is not False
    }


@functools.cache
def _render_primer(name: str, game: Game, language_code: str) -> str:
    """A game's primer as HTML, rendered once for each language.

    `game`: with the options of its first lesson; `language_code`: the language, as part of the cache key.
    """
    lesson = load_lessons(game.folder)["first"]
    view = build_opening_position(lesson, game, bots=bot).view(lesson.you)
    arms = view.get("arms") or [i % 6 + 1 for i in range(lesson.seats)]
    context: dict[str, Any] = {
        "lit": {},
        "reasons": {},
        "before": None,
        "arms": arms,
        "symbol": jinja_templates.make_symbol_finder(name),
    }
    more = {"board": jinja_templates.load_board_macros(name, context), "view": view}
    return jinja_templates.render(
        f"{name}/lessons/primer.html", at=_make_step_view_finder(game, lesson), **context, **more
    )


def _make_step_view_finder(game: Game, lesson: Lesson) -> Callable[[int], dict[str, Any]]:
    """A function of a step's number that gives the learner's view when that step of the lesson begins."""

    def view_at_step(step: int) -> dict[str, Any]:
        """The learner's view at the beginning of this step."""
        moment = next(one for one in play_lesson(lesson, game, bots=bot) if one.number == step)
        return moment.position.view(lesson.you)

    return view_at_step
