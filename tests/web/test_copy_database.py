"""A house moves from a file to PostgreSQL and back: games, seats, boxes, ratings, all of it or nothing."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, Table, insert
from sqlalchemy.types import Boolean, DateTime, Integer, LargeBinary
from typer.testing import CliRunner

from sutler.cli import app
from sutler.web.accounts import moderation
from sutler.web.accounts.ratings import Ratings
from sutler.web.events import Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.storage import copy_database
from sutler.web.storage.copy_database import copy_database as copied
from sutler.web.storage.databases import DatabaseError, hold_sqlite_file_lock
from sutler.web.storage.schema import META
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.registry import House
from sutler.web.table.room import Room

from .test_ratings import over

PEOPLE = (SeatPlan(kind="me", name="Agnès 🐑"), SeatPlan(kind="link", name="Perrin"))
NOON = datetime(2026, 3, 29, 12, 0, 0, 123456, tzinfo=UTC)


def decide(room: Room) -> None:
    """Take the first action there is."""
    assert room.pos.seat is not None
    moves.play_action(room, (room.pos.seat,), room.decision, room.pos.actions()[0].name)


def some_row(table: Table, n: int) -> dict[str, Any]:
    """A row with something in every column."""
    made: dict[str, Any] = {}
    for column in table.columns:
        match column.type:
            case Boolean():
                made[column.name] = bool(n % 2)
            case DateTime():
                made[column.name] = NOON + timedelta(microseconds=n)
            case LargeBinary():
                made[column.name] = bytes(range(n, 256))
            case Integer():
                made[column.name] = 900 + n
            case _:
                made[column.name] = f"{n} ü"
    return made


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The address of a house with a game that is being played, a kept box, rated games, a ban, and rows in every other table."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    house = House(Store(url), Shelf(), bot_pause=0.0, bot_workers=0)
    room = house.open_table(Created(game="manor", seed=1, seats=PEOPLE))
    decide(room)
    house.store.record_seats("agnes", room.id, (0,))
    over(house.store, "rated", (1, 2), ("agnes", "perrin"))
    house.store.store_box("kept", {"box": ["whole"]})
    moderation.ban(house.store, "192.0.2.7")
    house.close()
    store = Store(url)
    with store.engine.begin() as connection:
        for table in META.sorted_tables:
            if table.name not in ("standings", "events"):
                connection.execute(insert(table), [some_row(table, n) for n in range(3)])
    store.close()
    return url


def test_a_house_goes_on_in_postgresql_and_comes_back(file: str, shared_database: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["copy-database", file, shared_database])
    assert done.exit_code == 0, done.output
    rows = {line.split()[0]: int(line.split()[1].replace(",", "")) for line in done.output.splitlines()[:-1]}
    assert rows == {table.name: rows[table.name] for table in META.sorted_tables}
    assert min(rows.values()) > 0, "the test has something in every table"
    before, after = Store(file), House(Store(shared_database), Shelf(), bot_pause=0.0, bot_workers=0)
    try:
        assert after.store.get_server_key() == before.get_server_key(), "the links still open"
        assert Ratings(after.store).get_ratings("agnes") == Ratings(before).get_ratings("agnes") != {}
        assert after.store.load_box("kept") == {"box": ["whole"]}
        assert moderation.load_bans(after.store) == moderation.load_bans(before)
        (table,) = before.load_seats_of_browser("agnes").keys() - {"rated"}
        room = after.get_room(table)
        decide(room)
        moved = len(after.store.load_events(table))
        assert moved == len(before.load_events(table)) + 1, "new rows are numbered after the old"
        moderation.ban(after.store, "192.0.2.8")
    finally:
        before.close()
        after.close()
    back = tmp_path / "back.sqlite"
    there = copied(shared_database, f"sqlite:///{back}")
    assert {one.name: one.rows for one in there}["events"] == rows["events"] + 1
    assert stat.S_IMODE(back.stat().st_mode) == 0o600
    again = Store(f"sqlite:///{back}")
    assert len(again.load_events(table)) == moved
    again.close()


def test_nothing_is_laid_over_a_house(file: str, shared_database: str, tmp_path: Path) -> None:
    other = f"sqlite:///{tmp_path / 'other.sqlite'}"
    store = Store(other)
    key = store.get_server_key()
    store.close()
    done = CliRunner().invoke(app, ["copy-database", file, other])
    assert (done.exit_code, "a house is there already (house)" in done.output) == (2, True), done.output
    assert CliRunner().invoke(app, ["copy-database", file, shared_database]).exit_code == 0
    done = CliRunner().invoke(app, ["copy-database", other, shared_database])
    assert (done.exit_code, "a house is there already" in done.output) == (2, True), done.output
    store = Store(other)
    assert store.get_server_key() == key
    store.close()


def test_open_houses_and_wrong_names_are_refused_in_words(file: str, shared_database: str, tmp_path: Path) -> None:
    with hold_sqlite_file_lock(file), pytest.raises(DatabaseError, match="another process has this house open"):
        copied(file, shared_database)
    with psycopg.connect(shared_database), pytest.raises(DatabaseError, match="close every house and worker"):
        copied(file, shared_database)
    with pytest.raises(DatabaseError, match="same database"):
        copied(file, file)
    nowhere = tmp_path / "nowhere.sqlite"
    with pytest.raises(DatabaseError, match="no such database"):
        copied(f"sqlite:///{nowhere}", shared_database)
    assert not nowhere.exists(), "looking makes no house"
    assert {one.rows > 0 for one in copied(file, shared_database)} == {True}, "and nothing was begun"


def test_a_row_that_arrives_differently_undoes_the_copy(
    file: str, shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = copy_database._copy_rows

    def careless(old: Connection, new: Connection, table: Table) -> None:
        whole(old, new, table)
        if table.name == "snapshots":
            new.exec_driver_sql("UPDATE snapshots SET state = '\\x00' WHERE decision = 901")

    monkeypatch.setattr(copy_database, "_copy_rows", careless)
    with pytest.raises(DatabaseError, match="the table snapshots arrived differently"):
        copied(file, shared_database)
    monkeypatch.undo()
    assert {one.rows > 0 for one in copied(file, shared_database)} == {True}, "the target was still empty"


def test_an_open_house_on_postgresql_is_copied_into_files_that_rotate_and_can_be_put_back(
    file: str, shared_database: str, tmp_path: Path
) -> None:
    copied(file, shared_database)
    folder = tmp_path / "copies"
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"sutler-2020010{day}-000000.sqlite").touch()
    house = House(Store(shared_database), Shelf(), bot_pause=0.0, bot_workers=0)
    try:
        (table,) = house.store.load_seats_of_browser("agnes").keys() - {"rated"}
        decide(house.get_room(table))
        done = CliRunner().invoke(app, ["backup", str(folder), "--daily", "2", "--database", shared_database])
        assert (done.exit_code, "2 older ones deleted" in done.output) == (0, True), done.output
        decide(house.get_room(table))
        moved = len(house.store.load_events(table))
    finally:
        house.close()
    (old, new) = sorted(folder.iterdir())
    assert (old.name, stat.S_IMODE(new.stat().st_mode)) == ("sutler-20200103-000000.sqlite", 0o600)
    again = House(Store(f"sqlite:///{new}"), Shelf(), bot_pause=0.0, bot_workers=0)
    try:
        assert len(again.store.load_events(table)) == moved - 1, "as it stood when the copy was made"
        decide(again.get_room(table))
    finally:
        again.close()
    refused = CliRunner().invoke(app, ["restore", str(new), "--database", shared_database])
    assert (refused.exit_code, "copy-database sqlite:///COPY" in refused.output.replace("\n", " ")) == (2, True)


def test_a_copy_of_postgresql_that_cannot_be_made_leaves_nothing_behind(shared_database: str, tmp_path: Path) -> None:
    old = tmp_path / "sutler-20200101-000000.sqlite"
    old.touch()
    nowhere = shared_database.replace("/house_", "/no_such_house_")
    assert CliRunner().invoke(app, ["backup", str(tmp_path), "--keep", "1", "--database", nowhere]).exit_code == 2
    assert list(tmp_path.glob("sutler-*.sqlite")) == [old]
