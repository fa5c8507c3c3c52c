"""Ratings of people: which games count, and that whoever wins more is rated higher."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.accounts.ratings import AVERAGE, PER_MEAN, Ratings
from sutler.web.events import Created, Joined, SeatPlan
from sutler.web.routes.my_page import list_opponents
from sutler.web.storage.listing_row import Standing
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.lobby_row import build_standing
from sutler.web.table.registry import House
from sutler.web.tokens import hash_browser

PEOPLE = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="link", name="Perrin"))


@pytest.fixture
def store() -> Iterator[Store]:
    """An empty store, a minute later at each look."""
    minutes = iter(range(10_000))
    one = Store("sqlite://", lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=next(minutes)))
    yield one
    one.close()


def over(store: Store, table: str, places: tuple[int, ...], people: tuple[str, ...], **more: Any) -> None:
    """Store a finished, rated game at which these people sat."""
    plans = tuple(SeatPlan(kind="me", name=who) for who in people)
    first = tuple(seat for seat, place in enumerate(places) if place == 1)
    told: dict[str, Any] = {"places": places, "winners": first, "seats": plans, "rated": True, "over": True} | more
    store.write_standings([Standing(table=table, game="manor", title="Medieval Manor", **told)])
    for seat, who in enumerate(people):
        store.record_seats(who, table, (seat,))


def test_who_wins_more_is_rated_higher(store: Store) -> None:
    """Three people of planted strengths, a hundred games: the ratings stand in their order, further apart than their doubts."""
    ratings, luck = Ratings(store), random.Random(5)
    strength = {"strong": 3.0, "fair": 1.0, "weak": 0.3}
    for n in range(100):
        people = tuple(luck.sample(list(strength), 3))
        drawn = sorted(people, key=lambda who: luck.expovariate(strength[who]))
        over(store, f"game {n}", tuple(drawn.index(who) + 1 for who in people), people)
    found = {who: ratings.get_ratings(who)["manor"] for who in strength}
    assert [found[who].games for who in strength] == [100, 100, 100]
    assert found["strong"].points - found["fair"].points > 50
    assert found["fair"].points - found["weak"].points > 50
    assert found["strong"].points > AVERAGE > found["weak"].points
    newcomer = 1.96 * PER_MEAN * 25 / 3
    assert all(0 < one.doubt < newcomer / 2 for one in found.values())


def test_each_game_counts_once(store: Store) -> None:
    """Also when its row is written again, as when somebody talks afterwards; a house opened anew comes to the same."""
    ratings = Ratings(store)
    over(store, "a", (1, 2), ("one", "other"))
    first = ratings.get_ratings("one")["manor"]
    over(store, "a", (1, 2), ("one", "other"))
    assert ratings.get_ratings("one")["manor"] == first == Ratings(store).get_ratings("one")["manor"]
    over(store, "b", (1, 2), ("one", "other"))
    assert ratings.get_ratings("one")["manor"].games == 2
    assert ratings.get_ratings("nobody") == {}


def test_one_browser_at_two_seats_is_no_rival(store: Store) -> None:
    """Nor does a game count of which somebody was forgotten, or which was played from two browsers at one seat."""
    ratings = Ratings(store)
    over(store, "alone", (1, 2), ("one", "one"))
    over(store, "two browsers", (1, 2), ("one", "other"))
    store.record_seats("third", "two browsers", (1,))
    over(store, "forgotten", (1, 2), ("one", "gone"))
    store.run_in_transaction(
        lambda connection: connection.exec_driver_sql("DELETE FROM present WHERE browser = 'gone'")
    )
    over(store, "not rated", (1, 2), ("one", "other"), rated=False)
    assert ratings.get_ratings("one") == {}


def test_whoever_is_forgotten_has_no_rating(store: Store) -> None:
    ratings = Ratings(store)
    over(store, "a", (1, 2), ("one", "other"))
    assert ratings.get_ratings("one")
    ratings.drop_person("one")
    assert ratings.get_ratings("one") == {}
    assert ratings.get_ratings("other")


def played(house: House, **more: Any) -> Standing:
    """The row of a short game of two people that was played to its end."""
    room = house.open_table(Created(**{"game": "manor", "seed": 4, "seats": PEOPLE, **more}))
    if room.seats[1].kind == "link":
        room.commit_events(Joined(seat=1, name="Perrin"))
    room.pos.game.box.options["victory"] = 5  # the printed game, cut short
    room.pos.game.box.options["offers"] = 0
    luck = random.Random(1)
    while not room.pos.over:
        moves.play_action(room, (room.pos.seat or 0,), room.decision, luck.choice(room.pos.actions()).name)
    return build_standing(room)


def test_only_the_printed_game_among_people_counts(app: FastAPI) -> None:
    """Not with other options, other rules, a bot, from a position, in a game that all win together."""
    with TestClient(app):
        house: House = app.state.house
        assert played(house).rated
        assert sorted(played(house).places) == [1, 2]
        assert not played(house, options={"victory": 6}).rated
        assert not played(house, settings={"card.Wheat.gain.crops": 3}).rated
        room = house.open_table(Created(game="manor", seed=4, seats=PEOPLE))
        assert not build_standing(room).rated, "it is not over"


def test_the_page_shows_rating_and_company(app: FastAPI) -> None:
    with TestClient(app, cookies={"sutler_browser": "me"}) as one:
        house: House = app.state.house
        over(house.store, "a", (1, 2), (hash_browser("me"), "other"))
        page = one.get("/me").text
    points = Ratings(house.store).get_ratings(hash_browser("me"))["manor"].points
    assert points > AVERAGE
    assert f'<p class="rating"><b>{points}</b>' in page
    assert "Played with" in page


def test_the_company_is_counted_by_name() -> None:
    plans = (SeatPlan(kind="me", name="I"), SeatPlan(kind="link", name="Wulf"), SeatPlan(kind="bot", name="Perrin"))
    told: dict[str, Any] = {"game": "manor", "title": "Manor", "seats": plans, "over": True}
    rows = [Standing(table=str(n), winners=winners, **told) for n, winners in enumerate([(0,), (1,), (2,), (0, 1)])]
    (found,) = list_opponents(rows, {str(n): [0] for n in range(4)})
    assert (found.name, found.games, found.won, found.lost) == ("Wulf", 4, 2, 1)
