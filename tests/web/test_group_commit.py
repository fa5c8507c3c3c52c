"""What several want written at one moment is written at once, and each bears its own faults only."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import IntegrityError

from sutler.web.storage.group_commit import GroupCommit

WAITING = 5


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A database with a table of numbers that are given once."""
    made = create_engine(f"sqlite:///{tmp_path / 'numbers.sqlite'}", connect_args={"check_same_thread": False})
    with made.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (n INTEGER PRIMARY KEY)")
    yield made
    made.dispose()


def adding(n: int) -> Any:
    return lambda connection: connection.exec_driver_sql(f"INSERT INTO numbers VALUES ({n})")


def kept(engine: Engine) -> list[int]:
    with engine.connect() as connection:
        return [row[0] for row in connection.exec_driver_sql("SELECT n FROM numbers ORDER BY n")]


def written_at_once(engine: Engine, numbers: list[int]) -> tuple[list[Future[None]], int]:
    """Write a number, and while it is being written let these come: (what came of each, transactions that were kept)."""
    together, commits = GroupCommit(engine), []
    event.listen(engine, "commit", commits.append)
    begun, may_end = threading.Event(), threading.Event()

    def slow(connection: Any) -> None:
        adding(0)(connection)
        begun.set()
        assert may_end.wait(30)

    with ThreadPoolExecutor(len(numbers) + 1) as pool:
        first = pool.submit(together.write, slow)
        assert begun.wait(30)
        rest = [pool.submit(together.write, adding(n)) for n in numbers]
        while len(together._waiting) < len(numbers):
            threading.Event().wait(0.001)
        may_end.set()
    return [first, *rest], len(commits)


def test_all_who_wait_are_written_in_one_go(engine: Engine) -> None:
    told, commits = written_at_once(engine, list(range(1, WAITING + 1)))
    assert [one.exception() for one in told] == [None] * (WAITING + 1)
    assert kept(engine) == list(range(WAITING + 1))
    assert commits == 2


def test_a_fault_is_borne_by_whoever_made_it(engine: Engine) -> None:
    told, _ = written_at_once(engine, [1, 2, 2, 3])
    faults = [one.exception() for one in told]
    assert sum(isinstance(one, IntegrityError) for one in faults) == 1
    assert sum(one is None for one in faults) == 4
    assert kept(engine) == [0, 1, 2, 3]


def test_nothing_of_what_fails_is_kept(engine: Engine) -> None:
    def half(connection: Any) -> None:
        adding(7)(connection)
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        GroupCommit(engine).write(half)
    assert kept(engine) == []
