"""A limit stands at the thing it limits: tables where every table passes, lines where they come in, listeners by who listens."""

from __future__ import annotations

import contextlib
import socket
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select
from typer.testing import CliRunner

from sutler.web import rate_limits, serve
from sutler.web.accounts import moderation
from sutler.web.app import create_app
from sutler.web.events import Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.http import slow_clients
from sutler.web.lobby import new_table
from sutler.web.rate_limits import SITE_FACTOR, Limits, Rate, to_client_key
from sutler.web.storage.schema import EVENTS, PRESENT
from sutler.web.storage.store import Conflict, Store
from sutler.web.table import retention
from sutler.web.table import room as table_room
from sutler.web.table.people import subscribers
from sutler.web.table.registry import House

from .conftest import GUESTS
from .test_rate_limits import TWO, heard, patient_house

RATES = {"table": Rate(2, 30.0)}


@pytest.fixture
def app() -> FastAPI:
    one = create_app(
        "sqlite://", bot_pause=0.0, warm=False, limits=Limits(dict(RATES), clock=lambda: 0.0), hosts=("testserver",)
    )
    one.state.guests = GUESTS
    return one


def visitor(app: FastAPI, address: str = "192.0.2.7") -> TestClient:
    return TestClient(app, follow_redirects=False, client=(address, 5000))


PLAY = b"game manor   seats 2   seed 1\n"


# --- New tables ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["table", "lesson", "playthrough"])
def test_every_way_to_a_new_table_is_counted(app: FastAPI, way: str) -> None:
    """Two are free here; the third is refused, however it is asked for, and none is kept."""

    def opened() -> int:
        one = visitor(app)  # each without a cookie: another person behind one address
        if way == "lesson":
            return one.post("/learn/manor/first").status_code
        if way == "playthrough":
            return one.post("/files", files={"file": ("a.play", PLAY, "text/plain")}).status_code
        return one.post("/tables", data=TWO).status_code

    assert [opened() for _ in range(3)] == [303, 303, 429]
    assert len(app.state.house.store.list_tables()) == 2


def test_ways_to_a_table_share_one_quota(app: FastAPI) -> None:
    one = visitor(app)
    assert one.post("/tables", data=TWO).status_code == 303
    assert one.post("/learn/manor/first").status_code == 303
    assert one.post("/learn/manor/first").status_code == 303, "the lesson that was begun is found again"
    refused = one.post("/files", files={"file": ("a.play", PLAY, "text/plain")})
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "30"


def test_a_home_has_one_quota_however_many_addresses_it_has(app: FastAPI) -> None:
    """IPv6 counts by its network of 64 bits."""
    codes = [visitor(app, f"2001:db8:1:2::{i:x}").post("/tables", data=TWO).status_code for i in range(1, 4)]
    assert codes == [303, 303, 429]
    assert visitor(app, "2001:db8:1:3::1").post("/tables", data=TWO).status_code == 303, "the neighbour's network"
    assert visitor(app, "::ffff:192.0.2.7").post("/tables", data=TWO).status_code == 303


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::1"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_what_a_client_is(address: str, client: str) -> None:
    assert to_client_key(address) == client


def test_all_networks_of_one_customer_together_have_a_wider_limit() -> None:
    limits = Limits({"mail": Rate(5, 10.0)}, clock=lambda: 0.0)
    taken = sum(not limits.count_request(to_client_key(f"2001:db8:1:{i:x}::1"), "mail") for i in range(1000))
    assert taken == 5 * SITE_FACTOR


def test_a_ban_of_an_ipv6_address_is_one_of_its_home(tmp_path: Any) -> None:
    store = Store(f"sqlite:///{tmp_path}/tables.sqlite")
    assert moderation.ban(store, "2001:db8:1:2::5") == "address 2001:db8:1:2::/64"
    assert moderation.ban(store, "2001:db8::/32") == "address 2001:db8::/32"
    assert moderation.ban(store, "192.0.2.7") == "address 192.0.2.7/32"
    door = moderation.BanList(store, lambda table: None)
    assert door.find_ban_reason("2001:db8:1:2:ffff::9", "")
    assert door.find_ban_reason("::ffff:192.0.2.7", "")
    assert not door.find_ban_reason("2001:db9::1", "")
    assert moderation.lift_ban(store, "2001:db8:1:2::77")
    store.close()


# --- How long tables are kept -----------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def laid_out() -> tuple[Clock, House, dict[str, str]]:
    """A house with a lesson that nobody began, one that somebody did, and a game."""
    clock = Clock()
    house = House(Store("sqlite://", clock), Shelf(), bot_pause=0.0)
    plan = new_table.plan_lesson_table(house, "manor", "first")
    rooms = {"untouched": house.open_table(plan), "begun": house.open_table(plan)}
    from sutler.web.table.teaching import lessons

    lessons.press_button(rooms["begun"], (lessons.find_lesson(house.shelf, "manor", "first").you,), "on", 0)
    seats = tuple(SeatPlan(kind="me", name=name) for name in ("Agnes", "Perrin"))
    rooms["game"] = house.open_table(Created(game="manor", seed=4, seats=seats))
    for name, room in rooms.items():
        house.store.record_seats(name, room.id, (0,))
        house.queue_listing(room)
    house.write_listings([room.id for room in rooms.values()])
    return clock, house, {name: room.id for name, room in rooms.items()}


def test_lessons_that_nobody_goes_on_with_go_away() -> None:
    clock, house, tables = laid_out()
    left = lambda: {name for name, table in tables.items() if table in house.store.list_tables()}  # noqa: E731
    clock.now += timedelta(hours=20)
    house._drop_lessons()
    assert left() == {"untouched", "begun", "game"}
    clock.now += timedelta(hours=5)
    house._drop_lessons()
    assert left() == {"begun", "game"}
    assert house.find_loaded_room(tables["untouched"]) is None
    clock.now += timedelta(days=retention.LESSON_DAYS)
    house._drop_lessons()
    assert left() == {"game"}, "games stay"
    house.close()


def test_old_tables_are_pruned_whole_and_nothing_is_written_to_them_any_more() -> None:
    clock, house, tables = laid_out()
    assert retention.list_old_tables(house.store, 90) == []
    clock.now += timedelta(days=91)
    assert set(retention.list_old_tables(house.store, 90)) == set(tables.values())
    room = house.get_room(tables["game"])
    assert retention.prune_tables(house.store, [room.id]) == 1
    with house.store.engine.connect() as connection:
        kept = connection.execute(select(EVENTS.c.kind).where(EVENTS.c.table_id == room.id)).all()
        assert [one.kind for one in kept] == ["removed"]
        assert not connection.execute(select(PRESENT).where(PRESENT.c.table_id == room.id)).all()
    assert house.store.count_tables() == 2
    with pytest.raises(Conflict):
        house.store.append_events(room.id, room.seq, [room.created])
    assert moderation.load_newest_entries(house.store)[0].what == "pruned"
    house.close()


def test_pruning_on_the_command_line(tmp_path: Any) -> None:
    from sutler.cli import app as cli

    url, clock = f"sqlite:///{tmp_path}/tables.sqlite", Clock()
    clock.now = datetime.now(UTC) - timedelta(days=100)
    house = House(Store(url, clock), Shelf(), bot_pause=0.0)
    seats = tuple(SeatPlan(kind="me", name=name) for name in ("Agnes", "Perrin"))
    house.open_table(Created(game="manor", seed=4, seats=seats))
    house.close()

    def run(*more: str) -> Any:
        return CliRunner().invoke(cli, ["admin", "--database", url, "prune", *more])

    assert "1 tables would be" in run("--older", "90d", "--dry-run").output
    assert "0 tables are" in run("--older", "101d").output
    for wrong in ("0d", "-3d", "soon", "99999999d"):
        assert run("--older", wrong).exit_code == 2, wrong
    assert "1 tables are" in run("--older", "90d", "--unfinished").output
    assert Store(url).list_tables() == []


# --- Looks ------------------------------------------------------------------------------------------------


def people(app: FastAPI) -> int:
    with app.state.house.store.engine.connect() as connection:
        return len(connection.execute(select(PRESENT.c.browser).distinct()).all())


def test_a_look_without_a_cookie_writes_nobody_down(app: FastAPI) -> None:
    """Previews of a link, which messengers fetch, are no people; who comes back, or listens, is one."""
    seat = visitor(app).post("/tables", data=TWO).headers["location"]
    for _ in range(25):
        assert visitor(app).get(seat).status_code == 200
    assert people(app) == 1
    friend = visitor(app)
    friend.get(seat)
    friend.get(seat)
    assert people(app) == 2


def test_whoever_sits_here_already_is_not_written_down_again(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    one = visitor(app)
    seat = one.post("/tables", data=TWO).headers["location"]
    monkeypatch.setattr(type(app.state.house.store), "run_in_transaction", lambda *_: pytest.fail("written again"))
    assert one.get(seat).status_code == 200


# --- Listeners and lines ------------------------------------------------------------------------------------


def test_no_number_of_watchers_deafens_a_player(app: FastAPI) -> None:
    room = app.state.house.find_seat(visitor(app).post("/tables", data=TWO).headers["location"].rpartition("/")[2])[0]
    watchers = {(None, object()): () for _ in range(subscribers.MAX_SUBSCRIBERS)}
    room.subscribers.update(watchers)
    with pytest.raises(subscribers.TooMany):
        subscribers.require_free_place(room, ())
    subscribers.require_free_place(room, (0,))
    room.subscribers.update({(None, object()): (1,) for _ in range(subscribers.MAX_SUBSCRIBERS_OF_SEATS)})
    subscribers.require_free_place(room, (0,))
    with pytest.raises(subscribers.TooMany):
        subscribers.require_free_place(room, (1,))


def test_one_client_holds_so_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next is hung up on, and when some are closed there is room again. A proxy's lines are not counted: they are many people's."""
    monkeypatch.setattr(slow_clients.TimedHttpProtocol, "per_client", 5)
    asked = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    with patient_house() as address, contextlib.ExitStack() as held:
        for _ in range(8):
            held.enter_context(socket.create_connection(address, timeout=60))
        assert heard(address, asked).startswith(b"HTTP/1.1 200"), "this machine is a proxy, as uvicorn has it"
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    with patient_house() as address:
        with contextlib.ExitStack() as held:
            for _ in range(5):
                held.enter_context(socket.create_connection(address, timeout=60))
            assert heard(address, asked) == b""
        end = time.monotonic() + 30
        while (answer := heard(address, asked)) == b"" and time.monotonic() < end:
            pass
        assert answer.startswith(b"HTTP/1.1 200")
    assert not slow_clients.TimedHttpProtocol._open


def test_the_limit_of_files_is_raised_and_never_lowered() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, before[1]))
        serve.raise_file_limit(600)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 600
        serve.raise_file_limit(550)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 600
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


# --- What is made large beforehand -----------------------------------------------------------------------


def test_a_table_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, orders and taking back are all kept: four a second for a day would take minutes to open again."""
    app = create_app("sqlite://", bot_pause=0.0, warm=False)
    agnes = visitor(app)
    seat = agnes.post("/tables", data=TWO).headers["location"]
    monkeypatch.setattr(table_room, "MAX_EVENTS", 4)
    answers = [agnes.post(f"{seat}/rename", data={"name": f"Agnes {n}"}) for n in range(5)]
    assert [one.status_code for one in answers] == [200, 200, 200, 422, 422]
    assert "no more is kept" in answers[-1].text
    assert agnes.get(seat).status_code == 200


def test_tables_that_must_be_replayed_are_counted(tmp_path: Any) -> None:
    """One stream names 48 tables; each costs as much as a look at it."""
    url = f"sqlite:///{tmp_path}/tables.sqlite"
    agnes = visitor(create_app(url, bot_pause=0.0, warm=False))
    seats = [agnes.post("/tables", data=TWO).headers["location"] for _ in range(3)]
    app = create_app(url, bot_pause=0.0, warm=False, limits=Limits({"opening": Rate(2, 30.0)}, clock=lambda: 0.0))
    agnes = visitor(app)
    assert agnes.get("/events", params={"at": seats}).status_code == 429
    assert [agnes.get(seat).status_code for seat in (*seats, *seats)] == [200, 200, 429] * 2
    assert visitor(app, "192.0.2.8").get(seats[2]).status_code == 200
    assert agnes.get(seats[2]).status_code == 200  # it is in memory now


def test_what_is_kept_of_somebody_is_told_only_so_often() -> None:
    """It is read from all their tables: half a second of a processor for two hundred."""
    assert rate_limits.classify_request("GET", "/me/data") == "own data"
    limits = Limits()
    assert [bool(limits.count_request("192.0.2.1", "own data")) for _ in range(4)] == [False] * 3 + [True]
