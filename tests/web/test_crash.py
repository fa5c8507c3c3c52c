"""The crash tests (studies/crash_recovery*.py): they kill the server, and would see a move that is lost or stored twice."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import programs
from sutler.web.events import Acted, Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table.registry import House

TOOL = programs.STUDIES / "crash_recovery.py"
SHARED = programs.STUDIES / "crash_recovery_postgres.py"


@pytest.fixture(scope="module")
def crash() -> Any:
    return programs.program(TOOL)


def test_it_sees_what_is_lost_or_twice(crash: Any) -> None:
    store = Store("sqlite://")
    seats = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Perrin"))
    moves = [Acted(decision=n, seat=0, action="pass") for n in (0, 1)]
    store.append_events("one", 0, [Created(game="manor", seed=1, seats=seats), *moves])
    assert crash.faults(store, {"one": 2}) == []
    assert crash.faults(store, {"one": 3}) == ["one: 3 decisions were acknowledged, 2 are kept"]
    store.append_events("one", 3, [Acted(decision=1, seat=0, action="pass")])
    assert crash.faults(store, {"one": 2}) == ["one: decisions are kept as [0, 1, 1]"]


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be split off there")
def test_a_killed_house_has_lost_nothing() -> None:
    plain = os.environ | {"SUTLER_PLAIN": "1"}
    done = subprocess.run(
        [sys.executable, str(TOOL), "--kills", "2"], capture_output=True, text=True, timeout=240, env=plain
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 kills" in done.stdout
    assert ", 0 faults" in done.stdout


def test_it_sees_another_move_in_the_place_of_an_acknowledged_one(tmp_path: Path) -> None:
    tool, url = programs.program(SHARED), f"sqlite:///{tmp_path / 'tables.sqlite'}"
    (table,) = tool.opened(url, "manor", 1, random.Random(1))
    house = House(Store(url), Shelf(), bot_pause=60.0)
    room = house.get_room(table)
    with room.lock:
        if not room.actions:  # else the bot had begun
            room.play_action(room.pos.seat or 0, room.pos.actions()[0].name)
    done = room.actions[0][1]
    house.close()
    kept = sum(isinstance(one.event, Acted) for one in Store(url).load_events(table))
    assert tool.faults(url, [table], [(table, 0, done)]) == (kept, [])
    for decision, action in ((0, "dance"), (kept + 7, done)):
        assert len(tool.faults(url, [table], [(table, decision, action)])[1]) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be split off there")
def test_a_house_of_several_processes_has_lost_nothing(shared_database: str) -> None:
    plain = os.environ | {"SUTLER_PLAIN": "1"}
    done = subprocess.run(
        [sys.executable, str(SHARED), shared_database, "--kills", "2", "--tables", "1"],
        capture_output=True,
        text=True,
        timeout=240,
        env=plain,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 faults" in done.stdout
