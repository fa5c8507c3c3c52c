"""Several processes, one house: on PostgreSQL they serve the same tables, and nobody can tell from which one a page comes."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import create_engine

from sutler.web.accounts.privacy import FORGOTTEN_NAME
from sutler.web.app import create_app
from sutler.web.errors import Stale
from sutler.web.events import Acted, Created, Said, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.jobs.job_queue import IDLE_LANE, LANES, QUICK_LANE, SLOW_LANE
from sutler.web.storage import databases
from sutler.web.storage.databases import parse_database_url
from sutler.web.storage.listing_row import Standing
from sutler.web.storage.store import Conflict, Store
from sutler.web.table import moves, undo
from sutler.web.table.bot_workers import BotWorkers
from sutler.web.table.people import chat, subscribers
from sutler.web.table.registry import House
from sutler.web.table.room import Room

PEOPLE = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="link", name="Perrin"))
BOTS = (SeatPlan(kind="bot", name="Osric", level="easy"), SeatPlan(kind="bot", name="Hilde", level="easy"))
CREATED = Created(game="manor", seed=1, seats=PEOPLE)
LONG = 150.0
"""Seconds after which what is waited for does not come any more."""


def until(what: Callable[[], object]) -> None:
    """Wait until it is so."""
    tick = threading.Event()
    for _ in range(int(LONG / 0.02)):
        if what():
            return
        tick.wait(0.02)
    raise AssertionError("it did not come to that")


@pytest.fixture
def open_house(shared_database: str) -> Iterator[Callable[..., House]]:
    """Another process of the same house, as far as the house can tell: nothing is shared but the database."""
    opened: list[House] = []

    def one(bot_workers: int = 0) -> House:
        opened.append(House(Store(shared_database), Shelf(), bot_pause=0.0, bot_workers=bot_workers))
        assert opened[-1].news is not None
        assert opened[-1].news.ready.wait(LONG)
        return opened[-1]

    yield one
    for house in opened:
        house.close()


def decide(room: Room) -> None:
    """Whoever is to decide takes the first action there is."""
    assert room.pos.seat is not None
    moves.play_action(room, (room.pos.seat,), room.decision, room.pos.actions()[0].name)


# --- The database -----------------------------------------------------------------------------------


def test_all_may_start_at_once_and_find_one_database(shared_database: str) -> None:
    with ThreadPoolExecutor(8) as many:
        stores = list(many.map(lambda _: Store(shared_database), range(8)))
        assert len(set(many.map(Store.get_server_key, stores))) == 1, "one key, whoever was first"
    stores[0].append_events("table", 0, [CREATED])
    assert [len(store.load_events("table")) for store in stores] == [1] * 8
    for store in stores:
        store.close()


def test_two_never_keep_the_same_number(shared_database: str) -> None:
    stores = [Store(shared_database) for _ in range(4)]
    stores[0].append_events("table", 0, [CREATED])

    def keep(i: int) -> int:
        kept = 0
        for number in range(1, 26):
            try:
                stores[i].append_events("table", number, [Acted(decision=number - 1, seat=i, action="pass")])
                kept += 1
            except Conflict:
                continue
        return kept

    with ThreadPoolExecutor(4) as many:
        assert sum(many.map(keep, range(4))) == 25
    assert [one.seq for one in stores[0].load_events("table")] == list(range(26))
    for store in stores:
        store.close()


def test_many_write_the_lobbys_lines_at_once_and_the_newest_stays(shared_database: str) -> None:
    stores = [Store(shared_database) for _ in range(4)]
    tables = [f"table {i}" for i in range(6)]

    def write(i: int) -> None:
        for seq in range(i, 40, 4):
            order = tables if i % 2 else tables[::-1]
            stores[i].write_standings([Standing(table=name, game="manor", title="Manor", seq=seq) for name in order])
            stores[i].record_seats("browser", "table 0", (0, 1))

    with ThreadPoolExecutor(4) as many:
        list(many.map(write, range(4)))
    assert {standing.seq for _, standing in stores[0].load_standings()} == {39}
    assert stores[0].load_seats_of_browser("browser") == {"table 0": [0, 1]}
    for store in stores:
        store.close()


def test_the_migrations_make_what_the_code_expects_here_too(shared_database: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from sutler.web.storage.schema import META

    bare = create_engine(parse_database_url(shared_database))
    with bare.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    bare.dispose()
    store = Store(shared_database)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), META) == []
    store.close()


@pytest.fixture
def queue(shared_database: str) -> Iterator[Any]:
    store = Store(shared_database)
    yield store
    store.close()


# --- News --------------------------------------------------------------------------------------------


def test_what_one_does_all_see(open_house: Callable[..., House]) -> None:
    here, there = open_house(), open_house()
    room = here.open_table(CREATED)
    far = there.get_room(room.id)
    for _ in range(6):
        decide(room)
    chat.add_chat_line(room, Said(seat=0, name="Agnes", text="Bread!"))
    until(lambda: far.seq == room.seq)
    assert far.pos.to_bytes() == room.pos.to_bytes()
    assert (subscribers.compute_page_version(far, ()), far.talk) == (
        subscribers.compute_page_version(room, ()),
        room.talk,
    ), "a page may come from either"
    decide(far)
    until(lambda: room.seq == far.seq)
    undo.undo_decision(room, (room.actions[-1][0],), room.decision)
    until(lambda: far.seq == room.seq)
    assert (far.decision, far.pos.to_bytes()) == (6, room.pos.to_bytes())


def test_whoever_has_heard_more_from_another_process_is_not_shown_less(shared_database: str) -> None:
    """News came from one process, the picture is asked of another, which has not heard of it yet."""
    with (
        TestClient(create_app(shared_database, warm=False, lab=False, bots=False)) as here,
        TestClient(create_app(shared_database, warm=False, lab=False, bots=False)) as there,
    ):
        house, deaf = (one.app.state.house for one in (here, there))  # type: ignore[attr-defined]
        room = house.open_table(CREATED)
        assert deaf.news.ready.wait(LONG)
        far = deaf.get_room(room.id)
        deaf.read_new_events = lambda table, seq: None
        decide(room)
        seat = f"/seat/{room.make_seat_token(0)}/now"
        before = f'data-version="{subscribers.compute_page_version(far, ())}"'
        assert before in there.get(seat).text
        for nonsense in ("", "x", subscribers.compute_page_version(far, ()), "0" * 5000, f"ffffff.{room.seq}", "²"):
            told = there.get(seat, headers={"Sutler-News": nonsense.encode()})
            assert (told.status_code, before in told.text) == (200, True)
        told = there.get(seat, headers={"Sutler-News": subscribers.compute_page_version(room, ())})
        assert f'data-version="{subscribers.compute_page_version(room, ())}"' in told.text
        assert far.seq == room.seq


def test_of_two_who_move_at_once_one_is_told_so(open_house: Callable[..., House]) -> None:
    here, there = open_house(), open_house()
    room = here.open_table(CREATED)
    far = there.get_room(room.id)
    there._alive.pop(room.id)  # it hears nothing
    decide(room)
    with pytest.raises(Stale):
        decide(far)
    assert far.pos.to_bytes() == room.pos.to_bytes(), "and sees the table as it stands"
    decide(far)
    assert [one.seq for one in here.store.load_events(room.id)] == list(range(far.seq))


def test_who_is_forgotten_is_forgotten_in_all(open_house: Callable[..., House]) -> None:
    here, there = open_house(), open_house()
    room = here.open_table(CREATED)
    here.store.record_seats("browser", room.id, (0,))
    decide(room)
    far = there.get_room(room.id)
    there.forget_person("browser")
    until(lambda: room.seats[0].name == FORGOTTEN_NAME)
    assert room.pos.to_bytes() == far.pos.to_bytes()
    assert here.store.load_seats_of_browser("browser") == {}


def test_a_line_that_was_lost_is_taken_up_and_nothing_is_missed(open_house: Callable[..., House]) -> None:
    here, there = open_house(), open_house()
    room = here.open_table(CREATED)
    far = there.get_room(room.id)
    with here.store.engine.begin() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND starts_with(query, 'LISTEN')"
        )
    decide(room)
    until(lambda: far.seq == room.seq)


@pytest.mark.parametrize("unused", [True, False])
def test_a_broken_connection_is_replaced_before_it_is_used(queue: Store, unused: bool, monkeypatch: Any) -> None:
    """One that was long unused, and each after the feed of changes has lost its own."""
    queue.append_events("table", 0, [CREATED])
    other = create_engine(parse_database_url(queue.engine.url.render_as_string(hide_password=False)))
    with other.begin() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    other.dispose()
    if unused:
        monkeypatch.setattr(databases, "PING_AFTER_S", 0.0)
    else:
        queue.connection_check.distrust_connections()
    assert len(queue.load_events("table")) == 1
    queue.append_events("table", 1, [Acted(decision=0, seat=0, action="pass")])


def test_a_worker_reads_news_when_it_decides(shared_database: str) -> None:
    """It draws no pages, so it need not follow every table it has ever decided at; where a clock runs it does."""
    here, there = (House(Store(shared_database), Shelf(), bot_workers=0, serves_pages=one) for one in (True, False))
    room = here.open_table(CREATED)
    far = there.get_room(room.id)
    decide(room)
    there.read_new_events(room.id, room.seq)
    assert far.seq < room.seq
    far.next_clock_check = far.store_time
    there.read_new_events(room.id, room.seq)
    assert far.seq == room.seq
    for house in (here, there):
        house.close()


def test_one_thread_asks_for_a_decision_once_it_is_due(queue: Store) -> None:
    """Each notification woke all threads of all workers, and each asked the database twice."""
    workers = BotWorkers(SimpleNamespace(store=queue, closing=threading.Event()), lambda _: None, threads=0)  # type: ignore[arg-type, return-value]
    now = time.monotonic()
    workers.expect_decision("one", "quick", 5.0)
    workers.expect_decision("two", "slow", 1.0)
    workers.expect_decision("three", "a lane of a newer release", 1.0)
    assert now + 5.0 <= workers._get_next_time([QUICK_LANE]) < now + 65.0
    assert workers._get_next_time([IDLE_LANE]) == math.inf
    assert not workers._take_due_time([QUICK_LANE], now + 4.0)
    assert not workers._take_due_time(LANES, now)
    assert workers._take_due_time(LANES, now + 62.0)
    assert workers._take_due_time([QUICK_LANE], now + 65.0)
    assert not workers._take_due_time(LANES, now + 1000.0), "each was taken by one thread"


def test_a_decision_that_another_process_made_is_not_asked_for(queue: Store) -> None:
    """The process that asks first makes it, and says so; a newer decision of the table takes the place of an older one."""
    workers = BotWorkers(SimpleNamespace(store=queue, closing=threading.Event()), lambda _: None, threads=0)  # type: ignore[arg-type, return-value]
    later = time.monotonic() + 1000.0
    workers.expect_decision("one", "quick", 1.0)
    workers.expect_no_decision("one")
    workers.expect_no_decision("of which nothing was heard")
    assert workers._get_next_time(LANES) == math.inf
    assert not workers._take_due_time(LANES, later)
    workers.expect_decision("one", "quick", 1.0)
    workers.expect_decision("one", "slow", 2.0)
    assert not workers._take_due_time([QUICK_LANE], later)
    assert workers._take_due_time(LANES, later)
    assert not workers._take_due_time(LANES, later)
    assert not any(workers._expected.values()), "nothing is kept of what was made"
    assert not workers._newest


def test_a_bots_decision_is_told_to_other_processes_as_made(open_house: Callable[..., House]) -> None:
    """Chat and people's moves are not: the decision that is queued is still to be made."""
    here, there = open_house(), open_house()
    told: list[str] = []
    there.expect_no_decision = told.append  # type: ignore[method-assign]
    store = here.store
    store.append_events("table", 0, [CREATED], bot=(QUICK_LANE, 0.0))
    store.append_events("another", 0, [CREATED])
    assert store.due is not None
    with store.due.claim_decision(LANES) as claim:
        assert claim is not None
        store.append_events("another", 1, [Acted(decision=0, seat=0, action="pass")])
        store.append_events("table", 1, [Acted(decision=0, seat=1, action="pass")])
    until(lambda: told == ["table"])


# --- Decisions that wait -------------------------------------------------------------------------------


def test_whoever_is_there_decides_for_the_bots(open_house: Callable[..., House]) -> None:
    web = open_house()
    room = web.open_table(Created(game="manor", seed=1, seats=BOTS))
    assert room.decision == 0, "nobody is there who thinks"
    workers = [open_house(bot_workers=2) for _ in range(2)]
    until(lambda: room.decision >= 12)
    for worker in workers:
        worker.closing.set()
    moves = [one.event.decision for one in web.store.load_events(room.id) if isinstance(one.event, Acted)]
    assert moves == list(range(len(moves)))


def test_a_decision_is_taken_once_and_goes_with_its_move(queue: Store) -> None:
    due = queue.due
    assert due is not None
    queue.append_events("table", 0, [CREATED], bot=(QUICK_LANE, 0.0))
    with due.claim_decision(LANES) as mine, ThreadPoolExecutor(1) as other:
        assert mine is not None
        assert other.submit(_claimed, queue).result() is None, "another passes it over"
        queue.append_events("table", 1, [Acted(decision=0, seat=1, action="pass")], bot=(QUICK_LANE, 0.0))
    with due.claim_decision(LANES) as following:
        assert following is not None
        assert following.seq == 2, "the first went with the move"


def _claimed(store: Store) -> str | None:
    assert store.due is not None
    with store.due.claim_decision(LANES) as claim:
        return None if claim is None else claim.table


def test_what_was_taken_and_not_done_waits_again(queue: Store) -> None:
    queue.append_events("table", 0, [CREATED], bot=(SLOW_LANE, 0.0))
    assert queue.due is not None
    with pytest.raises(ZeroDivisionError), queue.due.claim_decision(LANES):
        raise ZeroDivisionError
    assert _claimed(queue) == "table"
    with queue.due.claim_decision(LANES) as claim:
        assert claim is not None
        queue.due.postpone_claim(claim, 1000.0)
    assert _claimed(queue) is None, "put off"


def test_the_newest_decision_of_a_table_is_the_one(queue: Store) -> None:
    due = queue.due
    assert due is not None
    queue.append_events("table", 0, [CREATED], bot=(QUICK_LANE, 0.0))
    with due.claim_decision(LANES) as old, ThreadPoolExecutor(1) as other:
        assert old is not None
        moved = other.submit(
            queue.append_events, "table", 1, [Acted(decision=0, seat=0, action="x")], bot=(QUICK_LANE, 0.0)
        )
        moved.result(LONG)  # who moves never waits for who thinks
        assert not due.is_newest(old)
        with pytest.raises(Conflict):
            queue.append_events("table", 1, [Acted(decision=0, seat=1, action="pass")])
        due.finish_claim(old)
    with due.claim_decision(LANES) as new:
        assert new is not None
        assert new.seq == 2
        due.finish_claim(new)
    assert _claimed(queue) is None


def test_people_go_first_and_nobody_waits_for_ever(queue: Store) -> None:
    queue.append_events("idle", 0, [CREATED], bot=(IDLE_LANE, 0.0))
    queue.append_events("search", 0, [CREATED], bot=(SLOW_LANE, 0.0))
    queue.append_events("quick", 0, [CREATED], bot=(QUICK_LANE, 0.0))
    queue.append_events("later", 0, [CREATED], bot=(QUICK_LANE, 1000.0))
    order = []
    assert queue.due is not None
    for lanes in ([QUICK_LANE], LANES, LANES):
        with queue.due.claim_decision(lanes) as claim:
            assert claim is not None
            order.append(claim.table)
            queue.due.finish_claim(claim)
    assert order == ["quick", "search", "idle"]
    assert queue.due.count_waiting_by_lane(*LANES) == dict.fromkeys([lane.name for lane in LANES], 0)
