"""Ratings of people in each game, by OpenSkill (Plackett-Luce), from finished games between people only.

They are derived from the rows of finished tables and kept in memory: nothing is stored about anybody for them, and a person who asks
to be forgotten has none. A game counts if the printed game was played from its beginning to its end, everybody sat at a browser of
their own, and no bot stood in at the end.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sutler.web.storage.listing_row import Standing
from sutler.web.storage.store import Store

AVERAGE, PER_MEAN = 1500, 40
"""A newcomer's rating in points, and the points for one unit of OpenSkill's mean (25 at first; its uncertainty of 8.3 is 333 points)."""
OVERLAP = timedelta(minutes=5)
"""How far back rows are read again: another process may have written one a little late."""


@dataclass(frozen=True)
class Rating:
    """A person's rating in one game. `doubt`: 1.96 times OpenSkill's uncertainty, in points; `games`: the number of rated games."""

    points: int
    doubt: int
    games: int


class Ratings:
    """The ratings of all people on one server. Before each answer, games that have ended since the last one are counted."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._since = datetime(1970, 1, 1, tzinfo=UTC)
        self._counted: set[str] = set()
        self._rated: dict[tuple[str, str], tuple[float, float, int]] = {}
        """{(game, hash of a browser's cookie): (mean, uncertainty, games)}."""

    def get_ratings(self, browser: str) -> dict[str, Rating]:
        """A person's ratings by game. `browser`: the hash of their cookie."""
        with self._lock:
            self._count_new_games()
            return {game: _build_rating(*told) for (game, who), told in self._rated.items() if who == browser}

    def get_game_ratings(self, game: str) -> dict[str, Rating]:
        """The ratings of all people in one game, by the hash of their cookie."""
        with self._lock:
            self._count_new_games()
            return {who: _build_rating(*told) for (name, who), told in self._rated.items() if name == game}

    def drop_person(self, browser: str) -> None:
        """Drop a person's ratings. `browser`: the hash of their cookie."""
        with self._lock:
            self._rated = {key: value for key, value in self._rated.items() if key[1] != browser}

    def _count_new_games(self) -> None:
        """Count the games that have ended since the last call."""
        for at, one in self._store.load_rated_standings(self._since - OVERLAP):
            self._since = max(self._since, at)
            if one.table not in self._counted:
                self._counted.add(one.table)
                self._count_game(one)

    def _count_game(self, standing: Standing) -> None:
        """Update the ratings with one finished game, if each seat was played by a different person."""
        held = self._store.load_browsers_at_table(standing.table)
        people = sorted((seats[0], browser) for browser, seats in held.items() if len(seats) == 1)
        if [seat for seat, _ in people] != list(range(len(standing.seats))) or len(held) != len(people):
            return  # a person played several seats, or was forgotten, or a seat was played from two browsers
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        before = [self._rated.get((standing.game, browser), (model.mu, model.sigma, 0)) for _, browser in people]
        teams: list[list[Any]] = [[model.rating(mu=mean, sigma=doubt)] for mean, doubt, _ in before]
        after = model.rate(teams, ranks=[float(place) for place in standing.places])
        for (_, browser), (_, _, games), (person,) in zip(people, before, after, strict=True):
            self._rated[standing.game, browser] = (person.mu, person.sigma, games + 1)


def _build_rating(mean: float, doubt: float, games: int) -> Rating:
    """The rating in points. `mean`, `doubt`: OpenSkill's mean and uncertainty."""
    return Rating(round(AVERAGE + PER_MEAN * (mean - 25)), round(PER_MEAN * 1.96 * doubt), games)
