"""The store keeps events and never changes one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from sutler.web.events import ANY_EVENT, Acted, AskedBack, Created, Event, SeatPlan
from sutler.web.storage.listing_row import Standing
from sutler.web.storage.store import Conflict, Store

CREATED = Created(game="manor", seed=1, seats=(SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="bot", name="Osric")))


def test_events_come_back_in_order_and_as_they_were() -> None:
    store = Store("sqlite://")
    store.append_events("table", 0, [CREATED])
    store.append_events("table", 1, [Acted(decision=i, seat=0, action=f"place {i}") for i in range(3)])
    kept = store.load_events("table")
    assert [one.seq for one in kept] == [0, 1, 2, 3]
    assert kept[0].event == CREATED
    assert kept[2].event == Acted(decision=1, seat=0, action="place 1")
    assert store.load_events("another") == []


KINDS = """
acted agreed answered_back asked_back begun came_back created ended hidden joined mixed noted noticed ordered proposed rematch removed
renamed resumed said stood_in taught undone
"""


def test_what_kinds_are_called_in_the_stores_of_houses() -> None:
    """They are made from the names of classes; under another name what is kept could not be read. Nobody gives one by hand."""
    called = {one.model_fields["kind"].default: one for one in Event.__subclasses__()}
    assert set(called) == set(KINDS.split())
    assert ANY_EVENT.validate_json('{"kind":"asked_back","seat":1,"to":2}') == AskedBack(seat=1, to=2)
    assert AskedBack(seat=1, to=2).model_dump_json() == '{"kind":"asked_back","seat":1,"to":2}'
    with pytest.raises(ValueError, match="danced"):
        ANY_EVENT.validate_json('{"kind":"danced","seat":1}')
    with pytest.raises(ValueError, match="asked_back"):
        AskedBack(kind="joined", seat=1, to=2)


def test_a_number_is_given_once() -> None:
    store = Store("sqlite://")
    store.append_events("table", 0, [CREATED])
    with pytest.raises(Conflict):
        store.append_events("table", 0, [Acted(decision=0, seat=0, action="pass")])
    assert len(store.load_events("table")) == 1


def test_a_file_outlives_the_house(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    first = Store(url)
    first.append_events("table", 0, [CREATED])
    key = first.get_server_key()
    first.close()
    second = Store(url)
    assert second.load_events("table")[0].event == CREATED
    assert second.get_server_key() == key
    second.close()


def test_the_lobby_knows_who_sat_where_and_what_stands_open() -> None:
    store = Store("sqlite://")
    store.record_seats("hash", "one", [0, 2])
    store.record_seats("hash", "one", [0])
    assert store.load_seats_of_browser("hash") == {"one": [0, 2]}
    for over in (False, True):
        store.write_standings([Standing(table="one", game="manor", title="Medieval Manor", over=over)])
    store.write_standings([Standing(table="two", game="manor", title="Medieval Manor", open_to_watch=False)])
    assert [standing.table for _, standing in store.load_standings()] == ["one"]
    assert store.load_standings(over=False) == []
    assert [standing.table for _, standing in store.load_standings(["two"])] == ["two"]


def test_the_migrations_make_what_the_code_expects(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from sutler.web.storage.schema import META
    from sutler.web.storage.store import NEWEST_MIGRATION

    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    bare = create_engine(url)
    with bare.begin() as connection:  # an old database: it has a history, and it is behind
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    bare.dispose()
    store = Store(url)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, META) == []
        assert context.get_current_revision() == NEWEST_MIGRATION
    store.close()


def test_a_fresh_database_is_made_at_once_and_counts_as_migrated(tmp_path: Path) -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    import sutler.web.storage.store as module

    store = Store(f"sqlite:///{tmp_path / 'fresh.sqlite'}")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == module.NEWEST_MIGRATION
    store.close()
    config = Config()
    config.set_main_option("script_location", str(Path(module.__file__).parent.parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == module.NEWEST_MIGRATION


def test_who_only_looks_undoes_nothing_that_another_thread_writes() -> None:
    """A database that nobody keeps was one connection once: reads beside a write rolled it back, after it was acknowledged."""
    store = Store("sqlite://")
    table, done = "table", threading.Event()

    def look() -> None:
        while not done.is_set():
            store.load_events("nothing")

    watchers = [threading.Thread(target=look) for _ in range(3)]
    for one in watchers:
        one.start()
    try:
        for seq in range(300):
            store.append_events(table, seq, [Acted(decision=seq, seat=0, action="done")])
    finally:
        done.set()
        for one in watchers:
            one.join()
    assert len(store.load_events(table)) == 300
