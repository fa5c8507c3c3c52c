"""The store keeps events and never changes one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sutler.web.protocol import Acted, Created, SeatPlan, Standing
from sutler.web.store import Conflict, Store

CREATED = Created(game="manor", seed=1, seats=(SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="bot", name="Osric")))


def test_events_come_back_in_order_and_as_they_were() -> None:
    store = Store("sqlite://")
    store.append("table", 0, [CREATED])
    store.append("table", 1, [Acted(decision=i, seat=0, action=f"place {i}") for i in range(3)])
    kept = store.events("table")
    assert [one.seq for one in kept] == [0, 1, 2, 3]
    assert kept[0].event == CREATED
    assert kept[2].event == Acted(decision=1, seat=0, action="place 1")
    assert store.events("another") == []


def test_a_number_is_given_once() -> None:
    store = Store("sqlite://")
    store.append("table", 0, [CREATED])
    with pytest.raises(Conflict):
        store.append("table", 0, [Acted(decision=0, seat=0, action="pass")])
    assert len(store.events("table")) == 1


def test_a_file_outlives_the_house(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    first = Store(url)
    first.append("table", 0, [CREATED])
    key = first.key()
    first.close()
    second = Store(url)
    assert second.events("table")[0].event == CREATED
    assert second.key() == key
    second.close()


def test_the_lobby_knows_who_sat_where_and_what_stands_open() -> None:
    store = Store("sqlite://")
    store.seated("hash", "one", [0, 2])
    store.seated("hash", "one", [0])
    assert store.seats_of("hash") == {"one": [0, 2]}
    for over in (False, True):
        store.stand(Standing(table="one", game="manor", title="Medieval Manor", over=over))
    store.stand(Standing(table="two", game="manor", title="Medieval Manor", open_to_watch=False))
    assert [standing.table for _, standing in store.standings()] == ["one"]
    assert store.standings(over=False) == []
    assert [standing.table for _, standing in store.standings(["two"])] == ["two"]


def test_the_migrations_make_what_the_code_expects(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from sutler.web.store import META

    store = Store(f"sqlite:///{tmp_path / 'fresh.sqlite'}")
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), META) == []
    store.close()
