"""What is kept is kept: on the disk, for nobody else to read, with copies; and what is wrong is said in words."""

from __future__ import annotations

import sqlite3
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from sutler.cli import app
from sutler.web.events import Acted, Created, SeatPlan
from sutler.web.storage import backup
from sutler.web.storage.databases import DatabaseError, hold_sqlite_file_lock
from sutler.web.storage.store import Store

CREATED = Created(game="manor", seed=1, seats=(SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="bot", name="Osric")))


def url(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    file = tmp_path / "tables.sqlite"
    store = Store(url(file))
    store.append_events("table", 0, [CREATED, Acted(decision=0, seat=0, action="pass")])
    store.close()
    return file


def test_an_acknowledged_move_is_on_the_disk(kept: Path) -> None:
    store = Store(url(kept))
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2, "full"
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    store.close()


def test_nobody_else_on_the_machine_reads_it(kept: Path) -> None:
    kept.chmod(0o644)
    store = Store(url(kept))
    store.append_events("table", 2, [Acted(decision=1, seat=1, action="pass")])
    for part in kept.parent.glob("tables.sqlite*"):
        assert stat.S_IMODE(part.stat().st_mode) == 0o600, part.name
    store.close()


def test_a_copy_is_made_while_the_house_is_open_and_brought_back(kept: Path, tmp_path: Path) -> None:
    run, copy, store = CliRunner().invoke, tmp_path / "copy.sqlite", Store(url(kept))
    key = store.get_server_key()
    done = run(app, ["backup", str(copy), "--database", url(kept)])
    assert (done.exit_code, "2 events" in done.output) == (0, True), done.output
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert run(app, ["backup", str(copy), "--database", url(kept)]).exit_code == 2, "nothing is overwritten"
    store.append_events("table", 2, [Acted(decision=1, seat=1, action="pass")])
    store.close()
    done = run(app, ["restore", str(copy), "--database", url(kept)])
    assert done.exit_code == 0, done.output
    again = Store(url(kept))
    assert len(again.load_events("table")) == 2
    assert again.get_server_key() == key, "the links still open"
    again.close()
    (kept_aside,) = kept.parent.glob("tables.sqlite.before-*[0-9]")
    aside = Store(url(kept_aside))
    assert len(aside.load_events("table")) == 3, "what stood there is kept beside it"
    aside.close()


def test_no_bad_copy_takes_the_place_of_a_good_one(kept: Path, tmp_path: Path) -> None:
    run, bad = CliRunner().invoke, tmp_path / "bad.sqlite"
    before = kept.read_bytes()
    bad.write_bytes(b"not a database at all, but long enough to look at" * 100)
    empty = tmp_path / "empty.sqlite"
    sqlite3.connect(empty).close()
    torn = tmp_path / "torn.sqlite"
    torn.write_bytes(before[: len(before) // 2])
    for file in (bad, empty, torn, tmp_path / "nowhere.sqlite"):
        done = run(app, ["restore", str(file), "--database", url(kept)])
        assert done.exit_code == 2, file
        assert "sutler:" in done.output
        assert kept.read_bytes() == before
    assert run(app, ["restore", str(kept), "--database", "postgresql+psycopg://somewhere/x"]).exit_code == 2


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda file: file.write_bytes(b"this is no database" * 500), "no database, or a damaged one"),
        (lambda file: sqlite3.connect(file).execute("CREATE TABLE shop (id)").connection.close(), "another program's"),
        (lambda file: file.mkdir(), "cannot be opened"),
    ],
    ids=["damaged", "foreign", "folder"],
)
def test_a_database_that_cannot_be_used_is_told_in_words(tmp_path: Path, prepare: object, said: str) -> None:
    file = tmp_path / "tables.sqlite"
    prepare(file)  # type: ignore[operator]
    with pytest.raises(DatabaseError, match=said):
        Store(url(file))


def test_a_newer_database_is_not_touched(kept: Path) -> None:
    with sqlite3.connect(kept) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(DatabaseError, match="newer Sutler"):
        Store(url(kept))


def test_wrong_addresses_are_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    with pytest.raises(DatabaseError, match="names no database"):
        Store("nonsense")
    with pytest.raises(DatabaseError, match="no such kind"):
        Store("oracular://x/y")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DatabaseError, match=r"sutler\[postgres\]"):
        Store("postgresql+psycopg://user:secret@127.0.0.1:1/x")
    with pytest.raises(DatabaseError) as told:
        Store("postgresql+psycopg://user:secret@127.0.0.1:1/x")
    assert "secret" not in str(told.value)


def test_a_restore_waits_for_nobody_and_disturbs_no_open_house(kept: Path, tmp_path: Path) -> None:
    """A house that is open keeps every move that it acknowledged: the restore is refused and changes nothing."""
    run, copy = CliRunner().invoke, tmp_path / "copy.sqlite"
    assert run(app, ["backup", str(copy), "--database", url(kept)]).exit_code == 0
    with hold_sqlite_file_lock(url(kept)):
        store = Store(url(kept))
        done = run(app, ["restore", str(copy), "--database", url(kept)])
        assert (done.exit_code, "another process has this house open" in done.output) == (2, True), done.output
        store.append_events("table", 2, [Acted(decision=1, seat=1, action="pass")])
        store.close()
    again = Store(url(kept))
    assert len(again.load_events("table")) == 3, "the move that was acknowledged after it"
    again.close()


def test_a_second_restore_keeps_both_houses_that_were_there(kept: Path, tmp_path: Path) -> None:
    run, copy = CliRunner().invoke, tmp_path / "copy.sqlite"
    assert run(app, ["backup", str(copy), "--database", url(kept)]).exit_code == 0
    for _ in range(2):
        assert run(app, ["restore", str(copy), "--database", url(kept)]).exit_code == 0
    assert len([one for one in kept.parent.glob("tables.sqlite.before-*") if one.suffix not in ("-wal", "-shm")]) >= 2


def test_a_restore_that_is_cut_short_leaves_the_old_house(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy is whole and on the disk before anything of the old house moves."""
    run, copy = CliRunner().invoke, tmp_path / "copy.sqlite"
    assert run(app, ["backup", str(copy), "--database", url(kept)]).exit_code == 0
    before = kept.read_bytes()

    def no_power(path: Path) -> None:
        raise OSError("the power is gone")

    monkeypatch.setattr(backup, "_sync_to_disk", no_power)
    assert run(app, ["restore", str(copy), "--database", url(kept)]).exit_code == 2
    assert kept.read_bytes() == before


def test_copies_of_days_weeks_and_months_are_kept_and_the_others_deleted(kept: Path, tmp_path: Path) -> None:
    """Every six hours for a hundred days: of each of the last 7 days, 4 weeks and 3 months the newest, and the 2 newest of all."""
    folder, rotation = tmp_path / "copies", backup.Rotation(2, daily=7, weekly=4, monthly=3)
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    times = [begin + timedelta(hours=6 * n) for n in range(400)]
    folder.mkdir()
    for at in times[:-1]:
        (folder / f"sutler-{at:{backup.TIME_FORMAT}}.sqlite").touch()
    others = [folder / name for name in ("tables.sqlite", "sutler-20260101.sqlite", "notes.txt")]
    for one in others:
        one.touch()
    copy, events, gone = backup.backup_and_rotate(url(kept), folder, rotation, lambda: times[-1])
    assert (events, stat.S_IMODE(copy.stat().st_mode)) == (2, 0o600)
    left = sorted(path.name[7:-7] for path in folder.iterdir() if path not in others)
    assert left == sorted(
        {"20260228-180000", "20260331-180000"}
        | {f"202604{day:02}-180000" for day in range(4, 11)}
        | {"20260410-120000", "20260410-180000"}
        | {"20260322-180000", "20260329-180000", "20260405-180000"}
    )
    assert len(gone) == 400 - len(left)
    assert all(one.exists() for one in others), "nobody else's file is touched"


def test_where_no_copy_can_be_made_no_copy_is_deleted(tmp_path: Path) -> None:
    old = tmp_path / "sutler-20200101-000000.sqlite"
    old.touch()
    done = CliRunner().invoke(app, ["backup", str(tmp_path), "--keep", "1", "--database", url(tmp_path / "no.sqlite")])
    assert done.exit_code == 2
    assert old.exists()


def test_a_folder_of_copies_is_kept_from_the_command_line(kept: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"sutler-2020010{day}-000000.sqlite").touch()
    done = CliRunner().invoke(app, ["backup", str(folder), "--daily", "2", "--database", url(kept)])
    assert (done.exit_code, "2 events; 2 older ones deleted" in done.output) == (0, True), done.output
    (old, new) = sorted(folder.iterdir())
    assert old.name == "sutler-20200103-000000.sqlite"
    assert backup.count_events_in_copy(new) == 2


HARMLESS_WHILE_OPEN = {"backup", "admin", "serve", "worker"}
"""Commands of a house that may run while it is open: a copy is SQLite's own, what the keeper does the database puts in order, and a
second house or worker asks for the lock itself."""


def test_every_command_that_takes_a_database_asks_for_its_lock_or_is_known_to_do_no_harm(
    kept: Path, tmp_path: Path
) -> None:
    """A new command with `--database` has to be named here, or be refused while a house is open."""
    copy = tmp_path / "copy.sqlite"
    assert CliRunner().invoke(app, ["backup", str(copy), "--database", url(kept)]).exit_code == 0
    group: Any = typer.main.get_command(app)
    with_database = {
        name for name, one in group.commands.items() if any("--database" in option.opts for option in one.params)
    }
    assert with_database >= {"backup", "restore", "admin", "serve"}
    with hold_sqlite_file_lock(url(kept)):
        for name in with_database - HARMLESS_WHILE_OPEN:
            done = CliRunner().invoke(app, [name, str(copy), "--database", url(kept)])
            assert (done.exit_code, "has this house open" in done.output) == (2, True), (name, done.output)
