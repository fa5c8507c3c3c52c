"""A player reports a line or a person; the keeper decides; nobody at the table learns of it, and a muted person plays on in silence."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select
from typer.testing import CliRunner

from sutler.cli import app as cli
from sutler.web import rate_limits
from sutler.web.accounts import moderation, privacy, reports
from sutler.web.accounts.privacy import FORGOTTEN_NAME
from sutler.web.app import create_app
from sutler.web.errors import Lost, Refused, TooMany
from sutler.web.rate_limits import Limits
from sutler.web.routes.admin import KEY_NAME, hash_key
from sutler.web.storage.schema import REPORTS
from sutler.web.storage.store import Store
from sutler.web.table.people import subscribers
from sutler.web.table.room import Room
from sutler.web.tokens import hash_browser

from .conftest import actions, facts
from .test_admin import WORDS, keeper
from .test_rate_limits import TWO

RUDE, WHY = "You sheep-stealing oaf!", "He insults everybody"


class Table:
    """Agnes and Perrin at a table; Perrin has been rude in the second line."""

    def __init__(self, app: FastAPI, agnes: TestClient) -> None:
        self.app, self.agnes, self.store = app, agnes, app.state.house.store
        self.store.set_value(KEY_NAME, hash_key(WORDS))
        self.hers = agnes.post("/tables", data=TWO | {"watch": "yes"}).headers["location"]
        agnes.get(self.hers)
        self.perrin = TestClient(app, follow_redirects=False)
        invited = re.findall(r"/invited/\w+", agnes.get(self.hers).text)[0]
        self.his = self.perrin.post(invited, data={"name": "Perrin"}).headers["location"]
        self.perrin.get(self.his)
        self.say(agnes, self.hers, "Good day!")
        self.say(self.perrin, self.his, RUDE)

    @staticmethod
    def say(who: TestClient, at: str, text: str) -> str:
        return who.post(f"{at}/say", data={"text": text}).text

    @property
    def room(self) -> Room:
        return self.app.state.house.list_loaded_rooms()[0]  # type: ignore[no-any-return]

    def report(self, about: str = "line:2", why: str = WHY) -> Any:
        return self.agnes.post(f"{self.hers}/report", data={"about": about, "reason": why})

    def decide(self, decision: str, hours: str = "") -> int:
        (one, *_) = reports.load_open_reports(self.store)
        told = {"decision": decision, "hours": hours}
        return keeper(self.app).post(f"/admin/reports/{one.number}", data=told).status_code

    def rows(self) -> list[Any]:
        with self.store.engine.connect() as connection:
            return list(connection.execute(select(REPORTS)))


@pytest.fixture
def table(app: FastAPI, client: TestClient) -> Table:
    return Table(app, client)


def test_the_keeper_reads_what_was_said_and_why(table: Table) -> None:
    told = table.report()
    assert (told.status_code, "Nobody at the table is told" in told.text) == (200, True)
    page = keeper(table.app).get("/admin").text
    for words in (RUDE, "Good day!", WHY, "Perrin", hash_browser(table.agnes.cookies["sutler_browser"])[:8]):
        assert words.replace("'", "&#39;") in page, words
    assert table.decide("dismiss") == 303
    assert RUDE not in keeper(table.app).get("/admin").text
    assert [deed.what for deed in moderation.load_newest_entries(table.store)] == ["dismissed"]
    table.report(why="Once more")
    page = keeper(table.app).get("/admin").text
    assert "of whose 1 earlier reports 1 were dismissed" in page


def test_whoever_is_reported_never_learns_of_it(table: Table) -> None:
    """Not by a page, not by news, not by what they may download; nor does whoever watches."""
    watch = f"/watch/{table.room.id}"
    eyes = [(table.perrin, table.his), (table.perrin, watch), (TestClient(table.app), watch)]
    his_seat = table.room.seats.index(next(one for one in table.room.seats if one.name == "Perrin"))
    before = (
        [who.get(at).text for who, at in eyes],
        subscribers.compute_page_version(table.room, (his_seat,)),
        table.room.seq,
    )
    mine = table.perrin.get("/me/data").text
    assert table.report().status_code == table.report(f"seat:{his_seat}", "As a person").status_code == 200
    after = (
        [who.get(at).text for who, at in eyes],
        subscribers.compute_page_version(table.room, (his_seat,)),
        table.room.seq,
    )
    assert after == before
    assert table.perrin.get("/me/data").text == mine
    assert len(table.rows()) == 2
    assert table.decide("dismiss") == 303
    assert ([who.get(at).text for who, at in eyes], table.perrin.get("/me/data").text) == (before[0], mine)
    assert WHY in table.agnes.get("/me/data").text, "whoever reported has their own words"


def test_a_hidden_line_is_hidden_from_everybody(table: Table) -> None:
    table.report()
    assert table.decide("hide") == 303
    for who, at in ((table.agnes, table.hers), (table.perrin, table.his)):
        for page in (who.get(at).text, who.get(f"{at}/talk").text):
            assert RUDE not in page
            assert "hidden by whoever keeps this house" in page
    assert "Good day!" in table.agnes.get(table.hers).text
    table.app.state.house._rooms.clear()
    table.app.state.house._alive.clear()
    assert RUDE not in table.agnes.get(table.hers).text, "after a restart, too"


def test_a_muted_person_is_told_plays_on_and_says_nothing_anywhere(table: Table) -> None:
    table.report()
    assert table.decide("mute", "2") == 303
    page = table.perrin.get(table.his).text
    assert "has muted you until 20" in page
    assert "You can go on playing" in page
    assert f'hx-post="{table.his}/say"' not in page
    assert RUDE not in page, "the line is hidden, too"
    assert f'hx-post="{table.hers}/say"' in table.agnes.get(table.hers).text
    assert "has muted you" in table.say(table.perrin, table.his, "Another word")
    assert table.perrin.post(f"{table.his}/rename", data={"name": "Oaf Agnes"}).status_code == 422
    assert "has muted you" in table.say(table.perrin, f"/watch/{table.room.id}", "From the gallery")
    elsewhere = table.perrin.post("/tables", data=TWO).headers["location"]
    assert "has muted you" in table.say(table.perrin, elsewhere, "At another table")
    assert "has muted you" in table.say(TestClient(table.app), table.his, "By another browser, from the same seat")
    assert len(table.room.talk) == 2
    for who, at in ((table.agnes, table.hers), (table.perrin, table.his)):
        found = who.get(at).text
        if offered := actions(found):
            played = who.post(f"{at}/play", data={"decision": facts(found)["decision"], "action": offered[0]})
            assert played.status_code == 200
    admin = keeper(table.app)
    key = f"muted {hash_browser(table.perrin.cookies['sutler_browser'])}"
    assert key in admin.get("/admin").text
    assert admin.post("/admin/bans/lift", data={"who": key}).status_code == 303
    assert "Sorry!" in table.say(table.perrin, table.his, "Sorry!")
    assert table.perrin.get("/").status_code == 200, "a mute shuts nobody out"


@pytest.mark.parametrize(
    ("about", "why", "status"),
    [
        ("line:1", WHY, 422),
        ("line:9", WHY, 404),
        ("seat:5", WHY, 404),
        ("line:0", WHY, 422),
        ("line:2", "", 422),
        ("line:2", "x" * 501, 422),
        ("all", WHY, 422),
    ],
)
def test_what_cannot_be_reported_is_refused(table: Table, about: str, why: str, status: int) -> None:
    assert table.report(about, why).status_code == status
    assert table.rows() == []


def test_who_watches_or_keeps_no_cookies_reports_nothing(table: Table) -> None:
    told = {"about": "line:2", "reason": WHY}
    assert table.agnes.post(f"/watch/{table.room.id}/report", data=told).status_code == 422
    assert TestClient(table.app).post(f"{table.hers}/report", data=told).status_code == 422


def test_a_report_is_kept_once_and_one_person_has_only_so_many(table: Table) -> None:
    assert [table.report().status_code for _ in range(3)] == [200] * 3
    assert len(table.rows()) == 1
    for n in range(reports.MAX_OPEN_OF_ONE - 1):
        table.say(table.perrin, table.his, f"word {n}")
        reports.report_line(table.store, table.room.id, table.room.talk, n + 2, (9,), table.rows()[0].reporter, WHY)
    table.say(table.perrin, table.his, "one more")
    with pytest.raises(TooMany):
        reports.report_line(table.store, table.room.id, table.room.talk, 11, (9,), table.rows()[0].reporter, WHY)


def test_one_seat_with_many_cookies_leaves_the_queue_to_others(table: Table) -> None:
    """A person who changes their cookie is many reporters; from one table only so many reports wait."""
    told = {"about": "seat:1", "reason": WHY}
    for _ in range(reports.MAX_OPEN_AT_TABLE + 5):
        stranger = TestClient(table.app, cookies={"sutler_browser": secrets.token_hex()})
        stranger.post(f"{table.hers}/report", data=told)
    assert len(table.rows()) == reports.MAX_OPEN_AT_TABLE


def test_one_address_reports_only_so_often() -> None:
    """Tables of one's own are cheap; of one address the keeper sees ten reports at once, and then one every ten minutes."""
    assert rate_limits.classify_request("POST", "/seat/x/report") == "report"
    limits = Limits()
    assert [bool(limits.count_request("192.0.2.1", "report")) for _ in range(11)] == [False] * 10 + [True]
    assert not limits.count_request("192.0.2.2", "report")


def test_strangers_decide_nothing_and_a_report_is_decided_once(table: Table) -> None:
    table.report()
    number = table.rows()[0].id
    for who in (table.agnes, table.perrin):
        assert who.post(f"/admin/reports/{number}", data={"decision": "mute"}).status_code == 404
    (one,) = reports.load_open_reports(table.store)
    assert table.decide("dismiss") == 303
    with pytest.raises(Lost):
        reports.load_open_report(table.store, number)
    assert keeper(table.app).post(f"/admin/reports/{number}", data={"decision": "mute"}).status_code == 404
    with pytest.raises(Refused, match="no line"):
        reports.decide_report(table.store, reports.Report(**{**vars(one), "line": None}), "hide")
    with pytest.raises(Refused, match="watcher"):
        reports.decide_report(table.store, reports.Report(**{**vars(one), "people": ()}), "mute")


@pytest.mark.parametrize("who", ["reporter", "reported"])
def test_reports_go_with_the_person_who_made_them_or_whom_they_are_about(table: Table, who: str) -> None:
    table.report()
    one = table.agnes if who == "reporter" else table.perrin
    table.app.state.house.forget_person(hash_browser(one.cookies["sutler_browser"]))
    assert table.rows() == []
    assert FORGOTTEN_NAME in table.agnes.get(table.hers).text


def test_reports_go_with_their_table(table: Table) -> None:
    table.report()
    table.app.state.house.remove_table(table.room.id)
    assert table.rows() == []


def test_a_mute_ends(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    store: Store = app.state.house.store
    store.run_in_transaction(
        lambda one: moderation.write_ban(one, "muted x", moderation.datetime(2020, 1, 1, tzinfo=moderation.UTC))
    )
    assert moderation.find_mute_end(store, ["x"]) is None
    store.run_in_transaction(lambda one: moderation.write_ban(one, "muted x", None))
    assert moderation.find_mute_end(store, ["x", "y"]) == moderation.FOR_GOOD
    assert moderation.find_mute_end(store, ["y"]) is None
    assert privacy.collect_personal_data(store, "x")["muted until"].startswith("9999")


@pytest.mark.browser
def test_a_line_is_chosen_and_reported_in_the_page(visit: Callable[..., Any], house: str) -> None:
    agnes, perrin = visit(calm=True), visit(calm=True)
    agnes.goto(house + agnes.request.post("/tables", form=TWO, max_redirects=0).headers["location"])
    invited = agnes.locator("[id^=invite-]").first.input_value()
    perrin.goto(house + perrin.request.post(invited, form={"name": "Perrin"}, max_redirects=0).headers["location"])
    perrin.wait_for_selector("body[data-live=yes]")
    perrin.request.post(f"{perrin.url}/say", form={"text": RUDE})
    agnes.wait_for_selector("body[data-live=yes]")
    agnes.click("#tab-talk")
    agnes.wait_for_selector(f"text={RUDE}")
    agnes.click(".reporting summary")
    agnes.wait_for_selector(f'#report-about option:first-child:has-text("{RUDE}")', state="attached")
    agnes.fill("#report-reason", WHY)
    agnes.click(".reporting button")
    agnes.wait_for_selector("#toasts >> text=Nobody at the table is told")
    assert not agnes.locator(".reporting[open]").count()
    perrin.click("#tab-talk")
    perrin.click(".reporting summary")
    assert RUDE not in perrin.locator("#report-about").inner_text(), "one's own lines are not among them"


# --- The keeper's commands ---------------------------------------------------------------------------


def ask(store: Store, *words: str) -> str:
    """What `sutler admin` answers to these words."""
    done = CliRunner().invoke(cli, ["admin", "--database", store.url, *words], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Table]:
    """A house on a file, open while commands are given."""
    app = create_app(f"sqlite:///{tmp_path / 'house.sqlite'}", warm=False, lab=False)
    with TestClient(app, follow_redirects=False) as agnes:
        yield Table(app, agnes)


def test_reports_are_read_and_decided_by_commands_while_the_house_is_open(kept: Table) -> None:
    """The line is hidden at the open table, whoever said it is muted there, and nobody's next move is refused for it."""
    assert ask(kept.store, "reports").strip() == "No report waits."
    kept.report()
    told = ask(kept.store, "reports")
    for words in (RUDE, "Good day!", WHY, "Perrin", "line 2", kept.room.id):
        assert words in told, words
    number = told.split()[0]
    ask(kept.store, "decide", number, "mute", "--hours", "2")
    kept.app.state.house.ban_list.refresh()
    assert RUDE not in kept.agnes.get(kept.hers).text
    assert "muted you until" in kept.perrin.get(kept.his).text
    seat = kept.room.pos.seat
    assert seat is not None
    who, at = (kept.agnes, kept.hers) if kept.room.seats[seat].name == "Agnes" else (kept.perrin, kept.his)
    told_now = {"action": kept.room.pos.actions()[0].name, "decision": kept.room.decision}
    assert who.post(f"{at}/play", data=told_now).status_code == 200
    assert [deed.what for deed in moderation.load_newest_entries(kept.store)] == ["muted"]
    again = CliRunner().invoke(cli, ["admin", "--database", kept.store.url, "decide", number, "dismiss"])
    assert (again.exit_code, "decided already" in again.output) == (2, True)


def test_somebody_is_muted_and_unmuted_by_commands(kept: Table) -> None:
    he = hash_browser(kept.perrin.cookies["sutler_browser"])
    ask(kept.store, "mute", he[:8])
    assert "muted you" in kept.say(kept.perrin, kept.his, "Sheep!")
    assert f"muted {he}" in ask(kept.store, "book")
    ask(kept.store, "unmute", he[:8])
    assert "muted you" not in kept.say(kept.perrin, kept.his, "Sheep!")
    refused = CliRunner().invoke(cli, ["admin", "--database", kept.store.url, "mute", "192.0.2.7"])
    assert (refused.exit_code, "person" in refused.output) == (2, True)


def test_what_cannot_be_is_refused_by_the_command_before_anything_is_hidden(kept: Table) -> None:
    kept.report(about=f"seat:{[one.name for one in kept.room.seats].index('Perrin')}")
    done = CliRunner().invoke(cli, ["admin", "--database", kept.store.url, "decide", "1", "hide"])
    assert (done.exit_code, "about no line" in done.output) == (2, True)
    assert RUDE in kept.agnes.get(kept.hers).text
