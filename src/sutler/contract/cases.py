"""The games, numbers of seats and options that the contract suite plays: those of every game in the registry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import sutler
from sutler.core.files.box import BoxError, Option
from sutler.core.play.game import Game
from sutler.core.play.position import Position

GAMES = sutler.games()


@dataclass(frozen=True)
class Case:
    """One case of a parametrized test: a game, a number of seats and options."""

    game: str
    seats: int
    options: tuple[tuple[str, Any], ...] = field(default=())

    def __str__(self) -> str:
        return "-".join([self.game, str(self.seats), *(f"{name}={value}" for name, value in self.options)])

    def load(self) -> Game:
        """The game of this case: rules, box and options."""
        return load_game(self.game, self.options)

    def new_position(self, seed: int = 7) -> Position:
        """A new game of this case."""
        return self.load().new(self.seats, seed)


@cache
def load_game(name: str, options: tuple[tuple[str, Any], ...] = ()) -> Game:
    """The game of this name with these options, loaded once and cached."""
    return sutler.load(name, **dict(options))


def list_extreme_values(option: Option) -> list[Any]:
    """The first and last values of an option's range, except its default; [] for an option that is a text."""
    if option.kind == "flag":
        ends: list[Any] = [True, False]
    elif option.kind == "choice":
        ends = [option.choices[0].value, option.choices[-1].value]
    elif option.kind == "number":
        ends = [option.low, option.high]
    else:
        ends = []
    return [value for value in dict.fromkeys(ends) if value is not None and value != option.default]


def list_cases_of_every_size() -> list[Case]:
    """Every game at every number of seats."""
    return [Case(name, n) for name in GAMES for n in range(load_game(name).min_seats, load_game(name).max_seats + 1)]


def list_smallest_cases() -> list[Case]:
    """Every game once, with the smallest number of seats that has an opponent."""
    return [Case(name, max(2, load_game(name).min_seats)) for name in GAMES]


def _iterate_cases_with_options() -> Iterator[Case]:
    """Yield a case for each extreme value of each option of every game, each with another number of seats where the option allows it."""
    for name in GAMES:
        game = load_game(name)
        for i, option in enumerate(game.options()):
            for j, value in enumerate(list_extreme_values(option)):
                sizes = range(game.min_seats, game.max_seats + 1)
                for k in range(len(sizes)):  # each value with another number of seats, where the option allows it
                    case = Case(name, sizes[-1 - (i + j + k) % len(sizes)], ((option.name, value),))
                    if accepts_options(case):
                        yield case
                        break


def accepts_options(case: Case) -> bool:
    """Can the game of this case be set up with its options and its number of seats?"""
    try:
        case.load().blank(case.seats, 0)
    except BoxError as error:
        return not str(error).startswith("option ")
    return True


TABLE_SIZES = list_cases_of_every_size()
SMALLEST_TABLES = list_smallest_cases()
WITH_OPTIONS = list(_iterate_cases_with_options())
EVERY_CASE = TABLE_SIZES + WITH_OPTIONS
