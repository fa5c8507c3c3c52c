"""What a team decides is shown to all who sit there before it holds; asked for over plain requests by two people."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.app import create_app
from sutler.web.table import moves, proposals
from sutler.web.table.people import subscribers
from sutler.web.table.room import Room
from web.conftest import actions, facts, run_apart

BLUE, HONEST = "undertake The Blue Robe", "undertake Honest Days Work"


def two_people(client: TestClient, **seats: str) -> tuple[str, str]:
    """A table of Six Winters at which Ada sits and Bo has come by his link; both addresses."""
    form = {"game": "sixwinters", "seat_0": "me", "name_0": "Ada", "seat_1": "link", **seats}
    ada = str(client.post("/tables", data=form).headers["location"])
    link = re.search(r'value="[^"]*(/invited/[^"]+)"', client.get(ada).text)[1]
    bo = client.post(link, data={"name": "Bo"})
    assert bo.status_code == 303, bo.text
    return ada, str(bo.headers["location"])


def choose(client: TestClient, seat: str, action: str, decision: int | None = None) -> str:
    now = facts(client.get(seat).text)["decision"] if decision is None else decision
    return client.post(f"{seat}/play", data={"action": action, "decision": now}).text


def asked(page: str) -> str:
    """What the page says of a proposal, without its marks."""
    found = re.search(r'<span class="asking proposal">(.*?)</span>(?!</span>)\s*(<button|</?\w)', page, re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found[1])).split()) if found else ""


def orders(page: str) -> list[str]:
    """The buttons beside a proposal."""
    return re.findall(r"data-proposal[^>]*>([^<]+)<", page)


def decided(client: TestClient, seat: str) -> int:
    return int(facts(client.get(seat).text)["decision"])


def test_a_teams_decision_is_a_proposal_until_another_agrees(client: TestClient) -> None:
    ada, bo = two_people(client)
    page = choose(client, ada, BLUE)
    assert facts(page)["decision"] == "0", "nothing holds yet"
    assert asked(page) == "You propose: The Blue Robe shown to Bo"
    seen = client.get(bo).text
    assert asked(seen) == "Ada proposes: The Blue Robe or choose something else"
    assert orders(seen) == ["Agree"]
    assert HONEST in actions(seen), "he may choose something else"
    assert facts(choose(client, bo, BLUE))["decision"] == "1"
    assert asked(client.get(ada).text) == ""


def test_something_else_is_a_proposal_too(client: TestClient) -> None:
    """Whoever's seat the rules ask: anybody at the table may propose, and the other agrees."""
    ada, bo = two_people(client)
    choose(client, ada, BLUE)
    choose(client, bo, HONEST)
    assert asked(client.get(ada).text) == "Bo proposes: Honest Days Work or choose something else"
    assert facts(choose(client, ada, HONEST))["decision"] == "1"


def room_of(app: FastAPI, seat: str) -> Room:
    room: Room = app.state.house.find_seat(seat.removeprefix("/seat/"))[0]
    return room


def test_whoever_proposed_it_may_insist_once_it_was_seen(app: FastAPI, client: TestClient) -> None:
    """While Bo has the table open and has not been shown it, saying it again does nothing; afterwards it holds."""
    ada, bo = two_people(client)
    room = room_of(app, ada)

    async def while_bo_listens() -> None:
        with subscribers.register_page(room, (1,)):
            moves.play_action(room, (0,), 0, BLUE)
            again = choose(client, ada, BLUE, 0)
            assert "Bo has not seen it yet." in again
            assert orders(again) == []
            assert decided(client, ada) == 0
            before = subscribers.compute_page_version(room, ())
            client.get(f"{bo}/now")
            assert subscribers.compute_page_version(room, ()) != before, "Ada's page is told that it was seen"
            page = client.get(ada).text
            assert asked(page) == "You propose: The Blue Robe Bo: seen, no answer yet"
            assert orders(page) == ["Do it now"]
            assert facts(choose(client, ada, BLUE))["decision"] == "1"

    run_apart(while_bo_listens())


def test_nobody_waits_for_somebody_who_is_not_there(client: TestClient) -> None:
    """Bo's page is closed: it is shown as a proposal all the same, and holds when it is said again."""
    ada, _ = two_people(client)
    page = choose(client, ada, BLUE)
    assert (facts(page)["decision"], orders(page)) == ("0", ["Do it now"])
    assert facts(choose(client, ada, BLUE))["decision"] == "1"


@pytest.mark.parametrize("second", ["me", "normal", "link"])
def test_where_no_other_person_sits_it_holds_at_once(client: TestClient, second: str) -> None:
    """Two at one screen have both seen it; a bot is not asked, nor a friend who has not come yet."""
    form = {"game": "sixwinters", "seat_0": "me", "name_0": "Ada", "seat_1": second}
    ada = str(client.post("/tables", data=form).headers["location"])
    page = choose(client, ada, BLUE)
    assert facts(page)["decision"] == "1"
    assert asked(page) == ""


def test_what_is_illegal_or_late_is_no_proposal(client: TestClient) -> None:
    ada, bo = two_people(client)
    assert "final missions" not in choose(client, ada, "undertake The Severing")
    refused = client.post(f"{ada}/play", data={"action": "undertake The Severing", "decision": 0})
    assert refused.status_code == 422
    late = client.post(f"{bo}/play", data={"action": BLUE, "decision": 3})
    assert late.status_code == 409
    assert asked(client.get(bo).text) == ""


def test_only_those_who_play_are_told(client: TestClient) -> None:
    """A watcher sees no proposal and can make none; the game file knows of none; undo takes none along."""
    ada, bo = two_people(client, watch="yes")
    choose(client, ada, BLUE)
    watch = re.search(r'value="[^"]*(/watch/[^"]+)"', client.get(ada).text)[1]
    client.cookies.clear()
    page = client.get(watch).text
    assert "proposes" not in page
    assert client.post(f"{watch}/play", data={"action": BLUE, "decision": 0}).status_code == 422
    choose(client, bo, BLUE)
    choose(client, bo, HONEST)
    assert asked(client.get(ada).text).startswith("Bo proposes")
    assert facts(client.post(f"{ada}/undo", data={"decision": 1}).text)["decision"] == "0"
    assert asked(client.get(ada).text) == ""


def test_a_decision_of_ones_own_is_not_the_teams(client: TestClient) -> None:
    """3.6: whom one leads is one's own choice."""
    ada, bo = two_people(client)
    for action in (BLUE, HONEST, "difficulty easy"):
        choose(client, ada, action)
        choose(client, bo, action)
    while "begin with first" in actions(client.get(ada).text):
        choose(client, ada, "begin with first")
        choose(client, bo, "begin with first")
    before = decided(client, ada)
    assert not any(one.startswith("take ") for one in actions(client.get(bo).text))
    assert facts(choose(client, ada, "take Keel"))["decision"] == str(before + 1)


def test_a_proposal_is_there_after_a_restart(tmp_path: Path) -> None:
    """It is kept like what is said at the table; nothing that held is lost with it."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with TestClient(create_app(url, bot_pause=0.0, warm=False), follow_redirects=False) as client:
        ada, bo = two_people(client)
        choose(client, ada, BLUE)
    with TestClient(create_app(url, bot_pause=0.0, warm=False), follow_redirects=False) as client:
        assert asked(client.get(bo).text).startswith("Ada proposes: The Blue Robe")
        assert facts(choose(client, bo, BLUE))["decision"] == "1"


def test_the_lobby_names_whom_a_proposal_waits_for(app: FastAPI, client: TestClient) -> None:
    """Ada reads that it waits for Bo; Bo, in a browser of his own, that it waits for his answer; a stranger neither."""
    ada, bo = two_people(client, watch="yes")
    browser = client.cookies["sutler_browser"]
    with TestClient(app, follow_redirects=False) as friend:
        friend.get(bo)  # a first look is given a cookie, and writes nothing
        friend.get(bo)
        choose(client, ada, BLUE)
        client.cookies.set("sutler_browser", "somebody-of-no-table")
        assert "a proposal waits" not in client.get("/").text
        client.cookies.set("sutler_browser", browser)
        room = room_of(app, ada)
        assert [seat for seat in range(2) if seat in proposals.list_awaited_seats(room)] == [1]
        assert "your answer" in friend.get("/").text
        choose(friend, bo, BLUE)
        assert "your answer" not in friend.get("/").text
