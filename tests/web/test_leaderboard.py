"""The house's tables of the best: by choice, by what a rating is at least, and gone with the person."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.accounts import leaderboard, moderation, privacy
from sutler.web.accounts.device_transfer import move_person
from sutler.web.accounts.leaderboard import MAX_PLACES, MIN_GAMES, list_best_players
from sutler.web.accounts.ratings import Ratings
from sutler.web.storage.store import Store
from sutler.web.tokens import hash_browser

from .conftest import served
from .test_ratings import over

STRENGTH = {"strong": 3.0, "fair": 1.0, "weak": 0.3}


@pytest.fixture
def store(app: FastAPI) -> Store:
    """The house's store, in which three people of planted strengths have played thirty games."""
    one, luck = app.state.house.store, random.Random(5)
    minutes = iter(range(10_000))
    one.now = lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=next(minutes))
    for n in range(30):
        people = tuple(luck.sample(list(STRENGTH), 3))
        drawn = sorted(people, key=lambda who: luck.expovariate(STRENGTH[who]))
        hashes = tuple(hash_browser(who) for who in people)
        over(one, f"game {n}", tuple(drawn.index(who) + 1 for who in people), hashes)
    return one  # type: ignore[no-any-return]


def person(app: FastAPI, who: str) -> TestClient:
    """Somebody's browser."""
    one = TestClient(app, follow_redirects=False)
    one.cookies.set("sutler_browser", who)
    one.cookies.set("sutler_name", f"Dame%20{who}")
    return one


def names(store: Store, game: str = "manor") -> list[str]:
    return [one.name for one in list_best_players(store, Ratings(store), game)]


def test_nobody_is_listed_who_has_not_asked_for_it(app: FastAPI, store: Store) -> None:
    fair, stranger = person(app, "fair"), TestClient(app)
    assert names(store) == []
    assert "The best at" not in stranger.get("/").text
    assert "List me" in fair.get("/me").text
    assert "/me/listed" not in stranger.get("/me").text, "who has played nothing is not asked"
    assert fair.post("/me/listed", data={"listed": "yes"}).status_code == 303
    page = stranger.get("/?game=manor").text
    assert "The best at Medieval Manor" in page
    assert "Dame fair" in page
    assert "Dame strong" not in page
    assert '<tr class="own">' in fair.get("/?game=manor").text
    assert hash_browser("fair") not in page
    assert "The best at" not in stranger.get("/?game=bellum").text, "a table a game"
    assert "List me no more" in fair.get("/me").text
    fair.post("/me/listed", data={"listed": ""})
    assert "The best at" not in stranger.get("/?game=manor").text


def test_they_stand_by_what_their_rating_is_at_least(app: FastAPI, store: Store) -> None:
    for who in STRENGTH:
        person(app, who).post("/me/listed", data={"listed": "yes"})
    found = list_best_players(store, Ratings(store), "manor", hash_browser("fair"))
    assert [one.name for one in found] == ["Dame strong", "Dame fair", "Dame weak"]
    assert [one.mine for one in found] == [False, True, False]
    at_least = [one.rating.points - one.rating.doubt for one in found]
    assert at_least == sorted(at_least, reverse=True)
    lucky = hash_browser("lucky")
    leaderboard.list_person(store, lucky, "Lucky")
    for n in range(MIN_GAMES - 1):
        over(store, f"lucky {n}", (1, 2), (lucky, hash_browser("weak")))
    assert "Lucky" not in names(store), "too few games"
    over(store, "lucky at last", (1, 2), (lucky, hash_browser("weak")))
    assert names(store)[0] != "Lucky"
    assert "Lucky" in names(store)


def test_only_the_first_places_are_shown_and_equals_share_one(app: FastAPI) -> None:
    store: Store = app.state.house.store
    for n in range(2 * MAX_PLACES):
        pair = (f"{n} a", f"{n} b")
        for one in pair:
            leaderboard.list_person(store, one, one)
        for game in range(MIN_GAMES):
            over(store, f"{n} {game}", (1, 2), pair)
    found = list_best_players(store, Ratings(store), "manor")
    assert len(found) == MAX_PLACES
    assert {one.place for one in found} == {1}, "all have won as often against as strong a person"


def test_who_goes_by_another_name_is_listed_under_it(app: FastAPI, store: Store) -> None:
    fair = person(app, "fair")
    fair.post("/me/listed", data={"listed": "yes"})
    fair.post("/name", data={"name": "Isolde"})
    person(app, "weak").post("/name", data={"name": "Nobody"})
    assert names(store) == ["Isolde"]


@pytest.mark.parametrize("key", ["person", "muted"])
def test_who_is_shut_out_or_muted_is_not_shown(app: FastAPI, store: Store, key: str) -> None:
    person(app, "fair").post("/me/listed", data={"listed": "yes"})
    store.run_in_transaction(lambda one: moderation.write_ban(one, f"{key} {hash_browser('fair')}", None))
    assert names(store) == []


def test_the_listing_goes_with_the_person(app: FastAPI, store: Store) -> None:
    fair = person(app, "fair")
    fair.post("/me/listed", data={"listed": "yes"})
    assert fair.get("/me/data").json()["listed as"] == "Dame fair"
    move_person(store, "fair", "fair elsewhere")
    assert leaderboard.is_listed(store, hash_browser("fair elsewhere"))
    assert not leaderboard.is_listed(store, hash_browser("fair"))
    privacy.delete_personal_data(store, hash_browser("fair elsewhere"))
    assert not leaderboard.is_listed(store, hash_browser("fair elsewhere"))
    assert privacy.collect_personal_data(store, hash_browser("fair elsewhere"))["listed as"] is None


def test_who_keeps_no_cookies_cannot_be_listed(app: FastAPI) -> None:
    assert TestClient(app).post("/me/listed", data={"listed": "yes"}).status_code == 422


@pytest.mark.browser
def test_names_without_a_space_widen_no_page_on_a_telephone(chromium: Any) -> None:
    server = served("sqlite://")
    with server as address:
        store, people = server.app.state.house.store, ("W" * 24, "M" * 24)
        for n in range(MIN_GAMES):
            over(store, f"game {n}", (1, 2), people)
        for one in people:
            leaderboard.list_person(store, one, one)
        context = chromium.new_context(base_url=address, viewport={"width": 390, "height": 844})
        page = context.new_page()
        for path in ("/?game=manor", "/me"):
            page.goto(path)
            page.wait_for_selector("html[data-drawn=yes]", state="attached")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        context.close()
