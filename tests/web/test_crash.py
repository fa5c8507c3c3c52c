"""The tool that kills the house: it kills, and it would see a move that is lost or counted twice."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sutler.web.protocol import Acted, Created, SeatPlan
from sutler.web.store import Store

TOOL = Path(__file__).parents[2] / "tools" / "crash.py"


@pytest.fixture(scope="module")
def crash() -> Any:
    spec = importlib.util.spec_from_file_location("crash", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_sees_what_is_lost_or_twice(crash: Any) -> None:
    store = Store("sqlite://")
    seats = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Perrin"))
    moves = [Acted(decision=n, seat=0, action="pass") for n in (0, 1)]
    store.append("one", 0, [Created(game="manor", seed=1, seats=seats), *moves])
    assert crash.faults(store, {"one": 2}) == []
    assert crash.faults(store, {"one": 3}) == ["one: 3 decisions were acknowledged, 2 are kept"]
    store.append("one", 3, [Acted(decision=1, seat=0, action="pass")])
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
