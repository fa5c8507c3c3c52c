"""Runs jobs on files from visitors in a separate process: boxes, positions, lessons, game files, questions to the lab.

Such a job may take any time and memory: a position may say "play on until turn 2,000,000", a box may make a round that never ends.
So it runs outside the server, one job at a time, within limits of processor time and memory that the operating system enforces.
A job that passes a limit ends together with its process and is answered with an error message; a new process is started for the
next job. Jobs travel as JSON over pipes; `sutler.web.guest_worker` defines them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import struct
import subprocess
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO, Any, TypeVar

from sutler.core.text.language import get_language, use_language
from sutler.web.errors import Refused, RequestError, TooMany

LOG = logging.getLogger("sutler.web")
T = TypeVar("T")

CPU_SECONDS = 5
"""Processor seconds of one job whose rules run compiled."""
PLAIN_FACTOR = 6
"""Factor by which a job may take more processor time while its rules still run as plain Python."""
WALL_FACTOR = 6
"""Factor from a job's processor seconds to its limit in real time; other work may keep the machine busy. So nobody waits longer than half
a minute for a stranger's job that never ends (three minutes where its rules run as plain Python)."""
MEMORY_BYTES = 1 << 30
"""Bytes that a job may allocate beyond what its process used before."""
MAX_WAITING = 24
"""The most waiting jobs of all clients together."""
MAX_WAITING_PER_CLIENT = 3
"""The most waiting jobs of one client."""
IDLE_SECONDS = 300.0
"""Idle seconds after which the process ends and frees its memory."""
NICENESS = 5
"""Niceness (scheduling priority of Unix) of the process, so that the server runs first. It gets a third of what the server gets."""
_LENGTH = struct.Struct(">I")


@dataclass
class _Job:
    """A queued job, and the future of its answer. `seconds`: its limit of processor seconds; `language`: of its error messages."""

    client: str
    name: str
    given: dict[str, Any]
    seconds: int
    language: str
    answer: Future[Any] = field(default_factory=Future)


class GuestProcess:
    """Runs visitors' jobs one at a time, clients taking turns. Its process is started with the first job.

    `seconds`: limit of processor seconds for a job that names none; `memory`: bytes that a job may allocate.
    """

    def __init__(self, seconds: int = CPU_SECONDS, memory: int = MEMORY_BYTES) -> None:
        self.seconds, self.memory = seconds, memory
        self._changed = threading.Condition()
        self._waiting: deque[_Job] = deque()
        self._used: defaultdict[str, float] = defaultdict(float)
        """Seconds that each client's jobs have taken since the queue was last empty; the client with the least comes next."""
        self._running: _Job | None = None
        self._worker: threading.Thread | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._lane: ThreadPoolExecutor | None = None

    async def run_job(self, client: str, name: str, given: dict[str, Any], seconds: int | None = None) -> Any:
        """The result of a job, once it is done. Raises RequestError where the job is refused or passes a limit.

        `client`: the address the request came from; `name`: the job (`guest_worker.JOBS`); `given`: its plain data; `seconds`: its limit
        of processor seconds, None for the usual one.
        """
        return await asyncio.wrap_future(self.submit_job(client, name, given, seconds))

    def submit_job(self, client: str, name: str, given: dict[str, Any], seconds: int | None = None) -> Future[Any]:
        """Queue a job, with the arguments of `run_job`; return a future of its result. Raises TooMany where the queue is full."""
        job = _Job(client, name, given, seconds or self.seconds, get_language())
        with self._changed:
            mine = sum(one.client == client for one in self._waiting)
            if mine >= MAX_WAITING_PER_CLIENT:
                raise TooMany("What you sent before is still being read. Nothing is lost; try again in a moment.")
            if len(self._waiting) >= MAX_WAITING:
                raise TooMany("Many files are being read just now. Nothing is lost; try again in a moment.", status=503)
            self._waiting.append(job)
            if self._worker is None:
                self._worker = threading.Thread(target=self._run_queue, name="guest jobs", daemon=True)
                self._worker.start()
            self._changed.notify_all()
        return job.answer

    async def run_in_server_thread(self, job: Callable[[], T]) -> T:
        """The result of `job`, run in the server itself, in a thread that runs one such job at a time.

        For the part of a visitor's request that follows once its file was tried out in the other process.
        """
        with self._changed:
            if self._lane is None:
                self._lane = ThreadPoolExecutor(1, thread_name_prefix="guest lane")
            lane = self._lane
        from contextvars import copy_context

        return await asyncio.get_running_loop().run_in_executor(lane, copy_context().run, job)

    def close(self) -> None:
        """End the process and cancel the jobs that wait."""
        with self._changed:
            self._closed = True
            waiting, self._waiting = list(self._waiting), deque()
            self._changed.notify_all()
            if self._child is not None:
                self._child.kill()
            if self._lane is not None:
                self._lane.shutdown(wait=False, cancel_futures=True)
        for job in waiting:
            job.answer.cancel()
        if self._worker is not None:
            self._worker.join(5)

    # --- The thread that passes jobs to the process ------------------------------------------------------

    def _run_queue(self) -> None:
        """Run the queued jobs in the process, one after another, until the server closes."""
        while (job := self._wait_for_next_job()) is not None:
            if not job.answer.set_running_or_notify_cancel():
                continue
            begun = time.monotonic()
            try:
                with use_language(job.language):
                    job.answer.set_result(self._run_in_child(job))
            except BaseException as error:
                job.answer.set_exception(error)
            with self._changed:
                self._running = None
                self._used[job.client] += time.monotonic() - begun
        self._kill_child()

    def _wait_for_next_job(self) -> _Job | None:
        """Wait for a job and return it, first of the client whose jobs took least time so far; None when the server closes."""
        with self._changed:
            while not self._closed and not self._waiting:
                if not self._changed.wait(IDLE_SECONDS):
                    self._kill_child()
            if self._closed:
                return None
            job = min(self._waiting, key=lambda one: self._used[one.client])
            self._waiting.remove(job)
            if not self._waiting:
                self._used.clear()
            self._running = job
            return job

    def _run_in_child(self, job: _Job) -> Any:
        """Run one job in the process and return its result. Raises RequestError where it is refused or passes a limit."""
        child = self._ensure_child()
        told = {"job": job.name, "given": job.given, "language": job.language, "seconds": job.seconds}
        clock = _kill_after(child, job.seconds * WALL_FACTOR)
        try:
            write_message(_require_pipe(child.stdin), told)
            said = read_message(_require_pipe(child.stdout))
            if said is not None and said.get("plain"):
                clock.cancel()
                clock = _kill_after(child, job.seconds * PLAIN_FACTOR * WALL_FACTOR)
                said = read_message(_require_pipe(child.stdout))
        except OSError:
            said = None
        finally:
            clock.cancel()
        if said is None:
            self._kill_child()
            raise build_limit_error()
        if said.get("last"):
            self._kill_child()
        if "trouble" in said:
            text, rule, status = said["trouble"]
            raise RequestError(text, rule=rule, status=status)
        if "fault" in said:
            raise RuntimeError(f"a guest's job failed: {job.name}\n{said['fault']}")
        return said["answer"]

    def _ensure_child(self) -> subprocess.Popen[bytes]:
        """The process that runs jobs, started if there is none."""
        with self._changed:
            if self._closed:
                raise RuntimeError("the house is closed")
            if self._child is not None and self._child.poll() is None:
                return self._child
            command = [sys.executable, "-m", "sutler.web.guest_worker", str(self.memory)]
            child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._child = child
        if read_message(_require_pipe(child.stdout)) is None:
            LOG.error("the process for guests' files did not start (it ended with %s)", child.wait())
        if hasattr(os, "setpriority"):  # not before: whoever comes next waits for the imports
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, child.pid, NICENESS)
        return child

    def _kill_child(self) -> None:
        """Kill the process that runs jobs, if there is one."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for pipe in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):
                _require_pipe(pipe).close()
        child.wait()


def _kill_after(child: subprocess.Popen[bytes], seconds: float) -> threading.Timer:
    """A started timer that kills the process after this many seconds."""
    clock = threading.Timer(seconds, child.kill)
    clock.daemon = True
    clock.start()
    return clock


def build_limit_error() -> Refused:
    """The error for a job that passes its limit of time or memory."""
    return Refused("This takes more time or memory than a guest of this house may ask for: make it smaller.")


def _require_pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    """The pipe, after a check that the process was started with one; raises AssertionError for None."""
    assert pipe is not None
    return pipe


def write_message(pipe: IO[bytes], message: dict[str, Any]) -> None:
    """Write one message to a pipe: its length in four bytes, then JSON."""
    data = json.dumps(message).encode()
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def read_message(pipe: IO[bytes]) -> dict[str, Any] | None:
    """Read one message from a pipe; None where the writing process has ended."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = pipe.read(length)
    if len(data) < length:
        return None
    message: dict[str, Any] = json.loads(data)
    return message
