"""What a stranger sends costs the house nothing but a line: it is tried out in a process of its own, within limits."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from sutler.core.text.language import use_language
from sutler.web.errors import RequestError, TooMany
from sutler.web.guest_worker import JOBS
from sutler.web.jobs.guest_process import MAX_WAITING_PER_CLIENT, GuestProcess

from .conftest import GUESTS, served
from .test_uploads import SEATS, opened

ENDLESS = b'game = "manor"\nseats = 2\n[until]\nturn = 2000000\n'
DOTTED = ".".join(["a"] * 20_000).encode() + b" = 1"


@pytest.fixture
def guests() -> Iterator[GuestProcess]:
    one = GuestProcess(seconds=1)
    yield one
    one.close()


def given_position(data: bytes) -> dict[str, Any]:
    import base64

    from sutler.web.events import Created, SeatPlan

    plan = Created(game="manor", seed=1, seats=(SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Osric")))
    files = {"position": ["mine.toml", base64.b64encode(data).decode()]}
    return {"created": plan.model_dump(mode="json"), "files": files, "before": ""}


def test_a_job_that_never_ends_is_ended_and_the_next_one_is_done(guests: GuestProcess) -> None:
    """The limit is one of processor seconds, so that a busy machine refuses nobody."""
    with pytest.raises(RequestError, match="more time or memory"):
        guests.submit_job("a", "prepare_table", given_position(ENDLESS)).result(240)
    soon = given_position(ENDLESS.replace(b"2000000", b"2"))
    assert guests.submit_job("a", "prepare_table", soon, seconds=60).result(240)["opening"]


def test_a_job_that_wants_all_memory_is_ended() -> None:
    """One of a megabyte cannot even read what it is given; the next process has what it needs."""
    guests = GuestProcess(seconds=60, memory=1 << 20)
    with pytest.raises(RequestError, match="more time or memory"):
        guests.submit_job("a", "prepare_table", given_position(b"title = '" + b"x" * 5_000_000 + b"'")).result(240)
    guests.memory = 1 << 30
    with pytest.raises(RequestError, match="no position"):
        guests.submit_job("a", "prepare_table", given_position(b"title = 'x'")).result(240)
    guests.close()


def test_trouble_comes_back_in_the_readers_language(guests: GuestProcess) -> None:
    with use_language("de"), pytest.raises(RequestError, match="kein TOML") as told:
        GUESTS.submit_job("a", "prepare_table", given_position(DOTTED)).result(240)
    assert told.value.status == 422
    with use_language("de"), pytest.raises(RequestError, match="mehr Zeit oder Speicher"):
        guests.submit_job("a", "prepare_table", given_position(ENDLESS)).result(240)


def test_each_client_in_turn_and_no_more_than_a_few_each() -> None:
    """Whoever sends most waits longest; nobody fills the line."""
    guests, done = GuestProcess(), list[str]()
    gate = threading.Event()

    def at_work(job: Any) -> None:
        gate.wait(60)
        done.append(job.client)

    guests._run_in_child = at_work  # type: ignore[method-assign, assignment]
    first = guests.submit_job("greedy", "x", {})
    while guests._running is None:
        pass
    jobs = [first, *(guests.submit_job("greedy", "x", {}) for _ in range(MAX_WAITING_PER_CLIENT))]
    with pytest.raises(TooMany):
        guests.submit_job("greedy", "x", {})
    jobs.append(guests.submit_job("modest", "x", {}))
    gate.set()
    for job in jobs:
        job.result(60)
    assert done.index("modest") == 1
    guests.close()


def test_who_took_much_time_waits_for_who_took_little() -> None:
    """Jobs are not counted, but how long they took: one long job of a stranger weighs more than several small ones of a visitor."""
    guests, done = GuestProcess(), list[str]()
    gate = threading.Event()

    def at_work(job: Any) -> None:
        if job.name == "long":
            gate.wait(60)
        done.append(job.client)

    guests._run_in_child = at_work  # type: ignore[method-assign, assignment]
    jobs = [guests.submit_job("stranger", "long", {})]
    while guests._running is None:
        pass
    jobs += [guests.submit_job("stranger", "short", {}), *(guests.submit_job("visitor", "short", {}) for _ in range(3))]
    gate.set()
    for job in jobs:
        job.result(60)
    assert done == ["stranger", "visitor", "visitor", "visitor", "stranger"]
    guests.close()


@pytest.mark.parametrize(("starved", "ends"), [(True, True), (False, False)], ids=["compiled", "plain"])
def test_nobody_waits_for_ever_for_a_job_that_gets_no_processor(
    monkeypatch: pytest.MonkeyPatch, starved: bool, ends: bool
) -> None:
    """On a busy machine processor seconds pass slowly; a job is ended by the clock too, later where its rules are not compiled."""
    from sutler.web.jobs import guest_process

    program = f"""
import sys, time
from sutler.web.jobs.guest_process import read_message, write_message
write_message(sys.stdout.buffer, {{"ready": True}})
read_message(sys.stdin.buffer)
if not {starved}:
    write_message(sys.stdout.buffer, {{"plain": True}})
time.sleep(2)
write_message(sys.stdout.buffer, {{"answer": "done"}})
"""
    real = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda command, **more: real([command[0], "-c", program], **more))
    monkeypatch.setattr(guest_process, "WALL_FACTOR", 0.5)
    monkeypatch.setattr(guest_process, "PLAIN_FACTOR", 120)
    guests = GuestProcess(seconds=1)
    asked = guests.submit_job("a", "x", {})
    if ends:
        with pytest.raises(RequestError, match="more time or memory"):
            asked.result(60)
    else:
        assert asked.result(60) == "done"
    guests.close()


def test_plain_rules_raise_a_jobs_limit_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that fits no game is tried with each of them; the limit does not grow with every one."""
    from sutler.core.play.registry import load_definition
    from sutler.web import guest_worker

    limits = list[int]()
    monkeypatch.setattr(guest_worker, "limit_processor_time", limits.append)
    monkeypatch.setattr(guest_worker, "PLAIN_ONLY", True)
    monkeypatch.setattr(load_definition("manor").home, "interpreted", True)
    shelf, told = guest_worker._GuestShelf(), list[dict[str, Any]]()
    shelf.tell = told.append
    for _ in range(2):
        shelf.limit_next_job(5)
        for _ in range(3):
            shelf.load_game("manor")
    assert limits == [5, 30, 5, 30]
    assert told == [{"plain": True}] * 2


def test_every_job_takes_and_gives_plain_data() -> None:
    assert set(JOBS) == {
        "prepare_table",
        "open_toml",
        "open_game",
        "check_question",
        "print_game",
        "print_edited_game",
    }


def test_what_a_guest_sends_is_not_read_in_the_house(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one parser of such files is called here."""
    from sutler.core.files import gamefile, golden, toml

    for module, name in ((toml, "_check_cost"), (gamefile, "parse_game_file"), (golden, "parse_golden_file")):
        monkeypatch.setattr(module, name, lambda *args: pytest.fail("read in the house"))
    assert opened(client, box=b"[rules]\nno_such = 1\n").status_code == 422
    for name in ("mine.toml", "mine.play", "mine.json"):
        answer = client.post("/files", files={"file": (name, b"nonsense = [", "text/plain")})
        assert answer.status_code == 422, name


@pytest.mark.parametrize("name", ["%E2%A0%80", "%00", "a" * 4000, "%FF%FE"])
def test_no_name_in_a_cookie_breaks_a_page(client: Any, name: str) -> None:
    client.cookies.set("sutler_name", name)
    assert client.get("/").status_code == 200
    assert client.post("/tables", data=SEATS).status_code == 303


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf[rules]\nno_such = 1\n",
        b"x = " + b"1" * 5_000,
        DOTTED,
        b'"' + b"a." * 2_000 + b'a" = 1',
        b"[[card]]\nname = ' '\n",
        b"\x00\x01\x02",
    ],
    ids=["byte order mark", "5,000 digits", "20,000 parts", "a path of 2,000 parts", "a blank name", "bytes"],
)
@pytest.mark.parametrize("kind", ["box", "settings", "position"])
def test_no_file_is_answered_with_a_500(client: Any, kind: str, data: bytes) -> None:
    assert opened(client, **{kind: data}).status_code == 422
    assert client.post("/files", files={"file": ("mine.toml", data, "text/plain")}).status_code == 422


@pytest.mark.compiled
def test_while_strangers_ask_for_the_dearest_the_house_answers(tmp_path: Any) -> None:
    """Eight keys of 20,000 parts and ten endless positions at once: the house says that it is well, and a table opens."""
    with served(f"sqlite:///{tmp_path / 'tables.sqlite'}", guests=None) as address:

        async def storm() -> list[int]:
            async with httpx.AsyncClient(base_url=address, timeout=300) as one:
                dear = [one.post("/files", files={"file": ("a.toml", DOTTED, "text/plain")}) for _ in range(8)]
                dear += [
                    one.post("/tables", data=SEATS, files={"position": ("a.toml", ENDLESS, "text/plain")})
                    for _ in range(10)
                ]
                storming = asyncio.gather(*dear)
                calm = []
                while len(calm) < 20:
                    calm.append((await one.get("/healthz", timeout=30)).status_code)
                calm.append((await one.post("/tables", data=SEATS, timeout=120)).status_code)
                refused = {answer.status_code for answer in await storming}
                assert refused <= {422, 429, 503}, refused
                return calm

        from .conftest import run_apart

        assert run_apart(storm()) == [200] * 20 + [303]
