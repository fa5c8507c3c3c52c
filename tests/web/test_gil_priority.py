"""Who has the floor: one thing at a time at the tables, clicks first; nobody waits with it, so nobody waits for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sutler.web.jobs.gil_priority import (
    BOT_PATIENCE_S,
    CLICK_PATIENCE_S,
    GIL_LOCK,
    LOBBY_PATIENCE_S,
    VIEW_PATIENCE_S,
    PriorityLock,
    YieldingRLock,
)
from sutler.web.routes import table
from sutler.web.storage import group_commit
from sutler.web.table import bot_turns

PATIENCE = 60.0


def waiting(one: PriorityLock, number: int) -> None:
    """Until so many stand in line; threads begin when they like."""
    end = time.monotonic() + PATIENCE
    while len(one._waiting) < number:
        assert time.monotonic() < end
        time.sleep(0.001)


def begun(job: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=job, daemon=True)
    thread.start()
    return thread


def says(one: PriorityLock, told: list[str], name: str, patience: float) -> Callable[[], None]:
    """A job that has the floor for as long as it takes to say its name."""

    def job() -> None:
        with one.hold(patience):
            told.append(name)

    return job


def ended(*threads: threading.Thread) -> None:
    for one in threads:
        one.join(PATIENCE)
        assert not one.is_alive()


def test_a_click_goes_before_whoever_came_shortly_before_and_has_time() -> None:
    one, told = PriorityLock(PATIENCE), list[str]()

    threads = []
    with one.hold(CLICK_PATIENCE_S):
        for number, (name, patience) in enumerate((("line", 2000.0), ("look", 1000.0), ("click", 0.0))):
            threads.append(begun(says(one, told, name, patience)))
            waiting(one, number + 1)
    ended(*threads)
    assert told == ["click", "look", "line"]
    assert CLICK_PATIENCE_S < BOT_PATIENCE_S < VIEW_PATIENCE_S < LOBBY_PATIENCE_S


def test_what_has_time_is_not_overtaken_for_ever() -> None:
    one, told = PriorityLock(PATIENCE), list[str]()

    with one.hold(CLICK_PATIENCE_S):
        first = begun(says(one, told, "a look that came before", 0.001))
        waiting(one, 1)
        time.sleep(0.01)
        second = begun(says(one, told, "a click that came later", 0.0))
        waiting(one, 2)
    ended(first, second)
    assert told == ["a look that came before", "a click that came later"]


def test_aside_another_has_it_and_afterwards_it_is_taken_again() -> None:
    one, at_the_disk, told = PriorityLock(PATIENCE), threading.Event(), list[str]()

    def other() -> None:
        with one.hold(LOBBY_PATIENCE_S):
            told.append("other")
            at_the_disk.set()

    with one.hold(CLICK_PATIENCE_S):
        thread = begun(other)
        waiting(one, 1)
        with one.release_during_block():
            assert not one.is_mine
            assert at_the_disk.wait(PATIENCE)
        assert one.is_mine
        with one.hold(VIEW_PATIENCE_S):  # whoever has it has it
            assert one.is_mine
        assert one.is_mine
    ended(thread)
    with one.release_during_block():  # without it there is nothing to let go of
        assert not one.is_mine
    assert told == ["other"]


def test_beside_somebody_who_has_it_for_long_the_next_goes_on() -> None:
    one, both = PriorityLock(0.01), threading.Barrier(2)

    def next_one() -> None:
        with one.hold(VIEW_PATIENCE_S):
            both.wait(PATIENCE)

    with one.hold(CLICK_PATIENCE_S):
        thread = begun(next_one)
        both.wait(PATIENCE)
    ended(thread)
    with one.hold(CLICK_PATIENCE_S):
        later = begun(next_one)
        both.wait(PATIENCE)
    ended(later)


def test_an_error_lets_go_of_it() -> None:
    one = PriorityLock(PATIENCE)
    with pytest.raises(ZeroDivisionError), one.hold(CLICK_PATIENCE_S):
        1 / 0  # noqa: B018
    with pytest.raises(ZeroDivisionError), one.hold(CLICK_PATIENCE_S), one.release_during_block():
        1 / 0  # noqa: B018
    ended(begun(lambda: one.hold(CLICK_PATIENCE_S).__enter__()))


def test_nobody_waits_for_a_table_with_the_floor() -> None:
    """Who has the table waits for the floor, who has the floor for the table: each would wait for ever."""
    one = PriorityLock(PATIENCE)
    turn, has_table, told = YieldingRLock(one), threading.Event(), list[str]()

    def writes() -> None:
        with one.hold(CLICK_PATIENCE_S), turn:
            with one.release_during_block():  # at the disk
                has_table.set()
                waiting_for_table.wait(PATIENCE)
                time.sleep(0.02)
            told.append("written")

    def looks() -> None:
        assert has_table.wait(PATIENCE)
        with one.hold(VIEW_PATIENCE_S):
            waiting_for_table.set()
            with turn, turn:
                told.append("seen")
                assert one.is_mine

    waiting_for_table = threading.Event()
    ended(begun(writes), begun(looks))
    assert told == ["written", "seen"]


def test_many_at_few_tables_are_all_done_one_at_a_time() -> None:
    one, inside = PriorityLock(PATIENCE), list[int]()
    turns = [YieldingRLock(one) for _ in range(3)]
    most, done = [0], list[int]()

    def works(number: int) -> None:
        for again in range(60):
            with one.hold(
                (CLICK_PATIENCE_S, BOT_PATIENCE_S, VIEW_PATIENCE_S, LOBBY_PATIENCE_S)[(number + again) % 4] / 100
            ):
                inside.append(number)
                most[0] = max(most[0], len(inside))
                inside.remove(number)
                with turns[again % 3], one.release_during_block():
                    time.sleep(0.0001)
        done.append(number)

    ended(*[begun(lambda number=number: works(number)) for number in range(12)])  # type: ignore[misc]
    assert sorted(done) == list(range(12))
    assert most == [1]


def test_at_a_table_everything_has_the_floor_but_what_is_at_the_disk(
    client: TestClient, new_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, set[bool]] = {}

    def noting(name: str, job: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any, **more: Any) -> Any:
            seen.setdefault(name, set()).add(GIL_LOCK.is_mine)
            return job(*given, **more)

        return noted

    monkeypatch.setattr(group_commit.GroupCommit, "write", noting("disk", group_commit.GroupCommit.write))
    monkeypatch.setattr(bot_turns, "_compute_decision", noting("bot", bot_turns._compute_decision))
    monkeypatch.setattr(table, "_respond_with_changes", noting("table", table._respond_with_changes))
    seat = new_table(seat_0="me", seat_1="easy")
    room, _ = client.app.state.house.find_seat(seat.rpartition("/")[2])  # type: ignore[attr-defined]
    bot_turns._decide_and_play(room, room.bot_job)
    assert seen["bot"] == {True}
    seen.clear()
    assert client.post(f"{seat}/say", data={"text": "Bread!"}).status_code == 200
    assert seen["table"] == {True}
    assert seen["disk"] == {False}
