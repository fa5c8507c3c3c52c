"""The page of a game's puzzles, the puzzle of the day in the lobby, and the table where a puzzle is solved."""

from __future__ import annotations

import base64
import functools
from dataclasses import dataclass

from sutler.core.play.puzzle import Puzzle, build_puzzle_position, choose_puzzle_of_day
from sutler.core.text.language import get_language, many
from sutler.web.errors import Lost
from sutler.web.events import Created, SeatPlan
from sutler.web.game_shelf import Cover, Shelf
from sutler.web.sentence_html import format_number
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.teaching.puzzles import PREFIX, describe_task, find_puzzle, load_puzzles
from sutler.web.view import jinja_templates


@dataclass(frozen=True)
class Row:
    """A puzzle in a list: its game, its number from 1, its task and the length of its solution in words."""

    game: str
    title: str
    number: int
    task: str
    steps: str
    where: str = ""
    """The turn and phase in which the puzzle begins. Only on the page of its game: the lobby loads no rules."""
    standing: tuple[tuple[str, str], ...] = ()
    """Each seat's name and points when the puzzle begins; empty where the goal is no number of points."""
    you: int = 0
    """The solver's seat, from 0."""

    @property
    def key(self) -> str:
        """The name under which a browser stores that this puzzle is solved."""
        return f"{self.game}:{self.number}"


def _build_row(
    cover: Cover, number: int, puzzle: Puzzle, starting_turn: str = "", standing: tuple[tuple[str, str], ...] = ()
) -> Row:
    """The row of a puzzle in a list. `number`: from 1; `starting_turn`: when it begins; `standing`: each seat's name and points then."""
    steps = many("{n} step", "{n} steps", len(puzzle.line))
    return Row(cover.name, cover.title, number, describe_task(puzzle), steps, starting_turn, standing, puzzle.you)


@functools.lru_cache(maxsize=1024)
def _describe_start(
    shelf: Shelf, game: str, number: int, language_code: str
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """(the turn and phase in which a puzzle begins, each seat's name and points then). `language_code`: as part of the cache key."""
    puzzle = find_puzzle(shelf, game, number)
    pos = build_puzzle_position(puzzle, shelf.load_game(game, puzzle.options))
    points = pos.scores() if puzzle.goal == "points" else []
    standing = tuple((name, format_number(one)) for name, one in zip(puzzle.names, points, strict=False))
    return jinja_templates.describe_moment(game, pos.view(puzzle.you)), standing


def render_puzzles_page(house: House, name: str, theme: str) -> str:
    """The page of a game's puzzles as HTML. Raises Lost where there is no such game, or it has no puzzles."""
    covers = [cover for cover in house.shelf.list_covers() if load_puzzles(house.shelf.find_game_folder(cover.name))]
    cover = next((cover for cover in covers if cover.name == name), None)
    if cover is None:
        raise Lost("There are no puzzles of that game.")
    listed = load_puzzles(house.shelf.find_game_folder(name))
    rows = [
        _build_row(cover, i, one, *_describe_start(house.shelf, name, i, get_language()))
        for i, one in enumerate(listed, 1)
    ]
    return jinja_templates.render(
        "puzzles.html",
        cover=cover,
        covers=covers,
        rows=rows,
        today=choose_puzzle_of_today(house),
        theme=theme,
        sprite=jinja_templates.sprite_url(),
    )


def choose_puzzle_of_today(house: House) -> Row | None:
    """The puzzle of the day, by the date of the server's clock (UTC); None where no game has puzzles."""
    found = [(cover, load_puzzles(house.shelf.find_game_folder(cover.name))) for cover in house.shelf.list_covers()]
    if not any(listed for _, listed in found):
        return None
    game, puzzle = choose_puzzle_of_day(house.store.now().date(), [len(listed) for _, listed in found])
    cover, listed = found[game]
    return _build_row(cover, puzzle + 1, listed[puzzle])


def open_puzzle_table(house: House, browser: str, game: str, number: int) -> tuple[Room, int]:
    """(the browser's unfinished table of this puzzle, or a new one; the solver's seat there). Raises Lost when there is no such puzzle.

    `browser`: the hash of its cookie; `number`: the puzzle's, from 1.
    """
    puzzle, held = find_puzzle(house.shelf, game, number), house.store.load_seats_of_browser(browser)
    house.write_listings(list(held))
    for _at, standing in house.store.load_standings(list(held), over=False):
        if (standing.game, standing.lesson) == (game, f"{PREFIX}{number}"):
            return house.get_room(standing.table), puzzle.you
    room = house.open_table(plan_puzzle_table(house, puzzle, number))
    house.store.record_seats(browser, room.id, (puzzle.you,))
    return room, puzzle.you


def plan_puzzle_table(house: House, puzzle: Puzzle, number: int) -> Created:
    """The plan of the table for a puzzle. `number`: the puzzle's, from 1."""
    game = house.shelf.load_game(puzzle.game, puzzle.options)
    seats = tuple(
        SeatPlan(kind="me" if seat == puzzle.you else "file", name=called) for seat, called in enumerate(puzzle.names)
    )
    return Created(
        game=puzzle.game,
        options=puzzle.options,
        seed=puzzle.seed,
        seats=seats,
        open_to_watch=False,
        box_hash=str(game.box_hash),
        opening=base64.b64encode(build_puzzle_position(puzzle, game).to_bytes()).decode(),
        lesson=f"{PREFIX}{number}",
    )
