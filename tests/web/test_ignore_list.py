"""A player mutes another for themselves: at every table, until they want to hear them again; nobody else can tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.web.accounts import ignore_list, privacy
from sutler.web.accounts.device_transfer import move_person
from sutler.web.errors import TooMany
from sutler.web.tokens import hash_browser

from .short import drawn
from .test_rate_limits import TWO
from .test_reports import RUDE, Table

PRAISE = "A fine trade, thank you."


@pytest.fixture
def table(app: FastAPI, client: TestClient) -> Table:
    """Agnes and Perrin at a table; Perrin has been rude."""
    return Table(app, client)


def mute(table: Table, who: TestClient, at: str, seat: int, muted: str = "yes") -> Any:
    return who.post(f"{at}/mute", data={"seat": seat, "muted": muted})


def test_what_a_muted_player_says_is_hidden_from_one_person_alone(table: Table) -> None:
    answer = mute(table, table.agnes, table.hers, 1)
    assert answer.status_code == 200
    assert RUDE not in table.agnes.get(table.hers).text
    assert "Good day!" in table.agnes.get(table.hers).text, "her own words stay"
    table.say(table.perrin, table.his, PRAISE)
    assert PRAISE not in table.agnes.get(table.hers).text
    assert PRAISE not in table.agnes.get(f"{table.hers}/now").text
    assert PRAISE not in table.agnes.get(f"{table.hers}/talk").text
    assert "Perrin, whom you have muted" in table.agnes.get(f"{table.hers}/talk").text
    his = table.perrin.get(table.his).text
    assert RUDE in his
    assert PRAISE in his
    assert 'aria-pressed="true"' not in his.partition('id="muting"')[2].partition("</p>")[0], "he cannot tell"
    assert RUDE in table.perrin.get(f"/watch/{table.room.id}").text, "nor is it hidden from others"


def test_a_muted_player_is_heard_again(table: Table) -> None:
    mute(table, table.agnes, table.hers, 1)
    assert "Hear Perrin again" in table.agnes.get(table.hers).text
    mute(table, table.agnes, table.hers, 1, "")
    page = table.agnes.get(table.hers).text
    assert RUDE in page
    assert "Mute Perrin" in page


def test_it_holds_at_every_other_table_and_is_undone_on_ones_own_page(table: Table) -> None:
    mute(table, table.agnes, table.hers, 1)
    there = table.agnes.post("/tables", data=TWO).headers["location"]
    invited = re.findall(r"/invited/\w+", table.agnes.get(there).text)[0]
    his = table.perrin.post(invited, data={"name": "Osric"}).headers["location"]
    table.say(table.perrin, his, PRAISE)
    assert PRAISE not in table.agnes.get(there).text, "under another name, too"
    assert "You have muted 1 person" in table.agnes.get("/me").text
    assert table.agnes.post("/me/unmute").status_code == 303
    assert PRAISE in table.agnes.get(there).text
    assert "You have muted" not in table.agnes.get("/me").text


def test_nobody_mutes_a_bot_an_empty_seat_or_themselves(
    table: Table, client: TestClient, new_table: Callable[..., str]
) -> None:
    assert mute(table, table.agnes, table.hers, 0).status_code == 422
    assert mute(table, table.agnes, table.hers, 5).status_code == 404
    assert mute(table, table.agnes, f"/watch/{table.room.id}", 1).status_code == 422, "a watcher sits nowhere"
    alone = new_table()
    assert mute(table, client, alone, 1).status_code == 404, "a bot"
    assert 'id="muting"' not in client.get(alone).text
    assert ignore_list.count_ignored(table.store, hash_browser(str(table.agnes.cookies["sutler_browser"]))) == 0


def test_a_list_moves_with_its_owner_and_is_gone_with_either(table: Table) -> None:
    agnes, perrin = (hash_browser(str(one.cookies["sutler_browser"])) for one in (table.agnes, table.perrin))
    mute(table, table.agnes, table.hers, 1)
    assert privacy.collect_personal_data(table.store, agnes)["people muted"] == 1
    move_person(table.store, str(table.agnes.cookies["sutler_browser"]), "telephone")
    assert ignore_list.count_ignored(table.store, agnes) == 0
    assert ignore_list.find_ignored_seats(table.store, hash_browser("telephone"), table.room.id) == {1}
    move_person(table.store, str(table.perrin.cookies["sutler_browser"]), "his telephone")
    assert ignore_list.find_ignored_seats(table.store, hash_browser("telephone"), table.room.id) == {1}, (
        "he stays muted"
    )
    move_person(table.store, "his telephone", "telephone")
    assert ignore_list.count_ignored(table.store, hash_browser("telephone")) == 0, "nobody mutes themselves"
    mute(table, table.perrin, table.his, 0)
    assert ignore_list.count_ignored(table.store, perrin) > 0
    privacy.delete_personal_data(table.store, hash_browser("telephone"))
    assert ignore_list.count_ignored(table.store, perrin) < 2, "who is forgotten is on nobody's list"


def test_a_list_is_bounded(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ignore_list, "MAX_IGNORED", 0)
    with pytest.raises(TooMany):
        ignore_list.ignore_seat(table.store, "somebody", table.room.id, 1)


def test_somebody_muted_leaves_no_mark_of_news(visit: Callable[..., Any]) -> None:
    """On a phone: what they say is neither shown nor announced, and what others say is."""
    agnes, perrin = visit(width=390, height=844, has_touch=True), visit()
    agnes.goto("/")
    agnes.goto(agnes.request.post("/tables", form=TWO, max_redirects=0).headers["location"])
    drawn(agnes)
    perrin.goto(agnes.locator(".invite input").input_value())
    perrin.fill("#name", "Perrin")
    perrin.click(".joining button")
    drawn(perrin)
    agnes.reload()
    drawn(agnes)
    agnes.tap("#open-log")
    agnes.tap("#tab-talk")
    agnes.get_by_role("button", name="Mute Perrin").tap()
    agnes.get_by_role("button", name="Hear Perrin again").wait_for()
    agnes.tap("[data-side-close]")
    perrin.click("#tab-talk")
    perrin.fill("#say", RUDE)
    perrin.press("#say", "Enter")
    agnes.wait_for_selector("#talk li[data-said='1']", state="attached")
    assert not agnes.locator("#open-log .unread").is_visible()
    agnes.tap("#open-log")
    agnes.tap("#tab-talk")
    assert RUDE not in agnes.inner_text("#talk-panel")
    agnes.get_by_role("button", name="Hear Perrin again").tap()
    agnes.get_by_text(RUDE).wait_for()
