"""Bots that are programs in any language, asked by JSON lines on standard input and output (docs/bot-protocol.md).

The program is told only what its seat may know. If it crashes, stalls or answers nonsense, that decision is drawn at random, the fault
is logged and kept in `faults`, and the program is started again; the game goes on.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import logging
import math
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.position import Position, SeatView

LOG = logging.getLogger("sutler.bots")
PREFIX = "cmd:"
PROTOCOL = 1
MAX_ANSWER_BYTES = 1 << 20
MAX_UNREAD_ANSWERS = 64  # lines that are kept until they are read; a program that writes more is blocked in its write
MAX_FAULTS = 5
"""After this many faults a program is not asked again: the rest of its decisions are drawn at random."""
WANTS = ("view", "observation")
READ_TIMEOUT_S = 5.0
"""Seconds to wait for the program to read a line before that counts as a fault."""
PASSED_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")
"""The environment variables that are passed to the program; others may hold secrets."""


class Fault(Exception):
    """An error: the program failed to answer a question; the message says how."""


def parse_command_bot(spec: str) -> CommandBot:
    """The bot of a spec such as `cmd:./mybot` or `cmd:seconds=2:memory=512:./mybot --deep`. ValueError says what is wrong with it."""
    settings: dict[str, float] = {}
    rest = spec.removeprefix(PREFIX)
    while True:
        head, colon, tail = rest.partition(":")
        key, equals, value = head.partition("=")
        if not (colon and equals and key in ("seconds", "start", "memory")):
            break
        try:
            settings[key] = float(value)
        except ValueError:
            raise ValueError(f"{spec}: {key} is a number, not {value!r}") from None
        if not 0 < settings[key] < math.inf:
            raise ValueError(f"{spec}: {key} is more than 0")
        rest = tail
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise ValueError(f"{spec}: {error}") from None
    if not words:
        raise ValueError(f"{spec}: write the program after {PREFIX}, such as {PREFIX}./mybot")
    return CommandBot(rest.strip(), **settings)


@dataclass(frozen=True)
class CommandBot:
    """A bot that asks a program for each decision. The program is started at the first one and killed when this process ends."""

    command: str
    seconds: float = 5.0
    """Seconds that a decision may take."""
    start: float = 20.0
    """Seconds until the program must have said hello."""
    memory: float = 2048.0
    """MiB of memory that the program may use; without effect on systems that cannot limit it (macOS, Windows)."""
    faults: list[str] = field(default_factory=list, init=False, compare=False, repr=False)
    _talk: list[ProgramConnection] = field(default_factory=list, init=False, compare=False, repr=False)
    _lock: Any = field(default_factory=threading.Lock, init=False, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The program's name; a script's, where an interpreter runs it."""
        words = [one for one in shlex.split(self.command) if not one.startswith("-")]
        scripts = [one for one in words[1:] if Path(one).is_file()]
        return Path([*scripts, *words][0]).stem

    def __reduce__(self) -> tuple[Any, ...]:
        """Reduce the bot to its settings for pickling, so that each worker of the lab starts a program of its own."""
        return CommandBot, (self.command, self.seconds, self.start, self.memory)

    def choose(self, view: SeatView) -> Action:
        """The action that the program answers with; a random legal one where it fails or has failed MAX_FAULTS times."""
        from sutler.core.chance import below

        with self._lock:
            if len(self.faults) < MAX_FAULTS:
                try:
                    return view.game.action_names[self._ensure_connection().ask_for_action(view, self.seconds)]
                except Fault as fault:
                    self._record_fault(str(fault))
        return view.game.action_names[view.legal[int(below(view.luck, len(view.legal)))]]

    def finish(self, pos: Position, seat: int) -> None:
        """Send the program the scores and places of a finished game."""
        with self._lock:
            if self._talk and pos.over:
                said = {"type": "result", "seat": seat, "scores": pos.scores(), "places": pos.places()}
                try:
                    self._talk[0].write_message(said)
                except Fault as fault:
                    self._record_fault(str(fault))

    def close(self) -> None:
        """Kill the program, if it runs."""
        while self._talk:
            self._talk.pop().kill_program()

    def _ensure_connection(self) -> ProgramConnection:
        """Return the connection to the program; start it first if it does not run."""
        if not self._talk:
            self._talk.append(ProgramConnection(self.command, self.start, int(self.memory)))
        return self._talk[0]

    def _record_fault(self, fault: str) -> None:
        """Count and log a fault, and end the program; after MAX_FAULTS it is asked no more."""
        self.faults.append(fault)
        last = "; it is not asked again" if len(self.faults) == MAX_FAULTS else ""
        LOG.warning("the bot %r: %s%s", self.command, fault, last)
        self.close()


class ProgramConnection:
    """A running program with the pipes to it: sends questions and reads answers, each within a time limit."""

    def __init__(self, command: str, start: float, memory: int) -> None:
        self.wants: frozenset[str] = frozenset()
        self._number = 0
        self._told: set[str] = set()
        self._heard: queue.Queue[bytes] = queue.Queue(MAX_UNREAD_ANSWERS)
        try:
            self._program = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={key: os.environ[key] for key in PASSED_ENVIRONMENT if key in os.environ},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise Fault(f"cannot be started: {error}") from None
        atexit.register(self.kill_program)
        _limit_memory(self._program.pid, memory)
        self._threads = [threading.Thread(target=self._read_lines, daemon=True)]
        self._threads[0].start()
        try:
            self._exchange_greetings(start)
        except Fault:
            self.kill_program()
            raise

    def _exchange_greetings(self, start: float) -> None:
        """Greet the program and keep what its greeting wants; Fault if none comes within `start` seconds, or of another protocol."""
        from sutler.version import installed_version

        self.write_message({"type": "hello", "protocol": PROTOCOL, "sutler": installed_version()})
        answer = self._read_answer(time.monotonic() + start, "hello")
        if answer.get("protocol") != PROTOCOL:
            raise Fault(f"speaks protocol {answer.get('protocol')!r}; this is {PROTOCOL}")
        wants = answer.get("wants", [])
        if not isinstance(wants, list) or not set(map(str, wants)) <= set(WANTS):
            raise Fault(f"wants {wants!r}; there is {' and '.join(WANTS)}")
        self.wants = frozenset(wants)

    def ask_for_action(self, view: SeatView, time_limit_s: float) -> int:
        """The id of the action that the program chooses. Fault where it gives no legal answer within `time_limit_s`."""
        self._number += 1
        until = time.monotonic() + time_limit_s
        key = self._send_game_once(view)
        self.write_message(self._build_question(view, key, time_limit_s))
        while True:
            answer = self._read_answer(until, "play", "redeal")
            if answer.get("id") != self._number:
                continue  # too late for an earlier one
            if answer["type"] == "play":
                return _parse_action(view, answer.get("action"))
            self.write_message({"type": "world", "id": self._number, "state": record_to_data(view.redeal())})

    def _send_game_once(self, view: SeatView) -> str:
        """Send the description of a game, unless it was sent before; returns the key by which questions refer to it."""
        game = view.game
        told = {"game": game.name, "options": game.chosen, "box": game.box_hash, "seats": len(view.names)}
        key = json.dumps(told, sort_keys=True, default=str)
        if key not in self._told:
            self._told.add(key)
            actions = [
                [one.name, one.block, *one.args]
                for one in map(game.action_names.__getitem__, range(len(game.action_names)))
            ]
            observed = [
                [
                    one.name,
                    one.offset,
                    list(one.shape),
                    one.meaning,
                    one.kind,
                    one.cardinality,
                    one.low,
                    one.high,
                    one.scale,
                ]
                for one in game.observation_spec()
            ]
            more = {"title": game.title, "actions": actions, "observation": observed}
            self.write_message({"type": "game", "key": key, **told, **more})
        return key

    def _build_question(self, view: SeatView, key: str, seconds: float) -> dict[str, Any]:
        """The message that asks for a decision of the view's seat within `seconds`, with what the program wants; `key`: the game's."""
        legal = [{"id": one.id, "name": one.name, "rule": one.rule} for one in view.actions()]
        said = {"type": "decide", "id": self._number, "game": key, "seat": view.seat, "names": view.names}
        said |= {"seconds": seconds, "legal": legal}
        if "view" in self.wants:
            said["view"] = view.view()
        if "observation" in self.wants:
            said["observation"] = [round(float(one), 6) for one in view.observation()]
        return said

    def write_message(self, message: dict[str, Any]) -> None:
        """Write one message as a JSON line. Fault where the program has not read it after READ_TIMEOUT_S."""
        line = (json.dumps(message, ensure_ascii=False, default=_to_json_value) + "\n").encode()
        said = threading.Thread(target=self._write_line, args=(line,), daemon=True)
        said.start()
        said.join(READ_TIMEOUT_S)
        if said.is_alive():
            self._threads.append(said)
            raise Fault("does not read what it is told")

    def _write_line(self, line: bytes) -> None:
        """Write a line to the program; nothing is raised if it has ended."""
        assert self._program.stdin is not None
        with contextlib.suppress(OSError):  # it has ended; the answer that does not come says so
            self._program.stdin.write(line)
            self._program.stdin.flush()

    def _read_answer(self, deadline: float, *kinds: str) -> dict[str, Any]:
        """Wait for a message of one of these kinds until `deadline` (`time.monotonic`) and return it; Fault for anything else."""
        try:
            line = self._heard.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise Fault(f"gave no answer in time (wanted: {' or '.join(kinds)})") from None
        if not line:
            code = self._program.wait()
            raise Fault(f"ended with code {code}" if code >= 0 else f"was ended by signal {-code}")
        if len(line) >= MAX_ANSWER_BYTES:
            raise Fault(f"wrote a line of more than {MAX_ANSWER_BYTES:,} bytes")
        try:
            answer = json.loads(line)
        except ValueError:
            raise Fault(f"wrote a line that is no JSON: {line[:80]!r}") from None
        if not isinstance(answer, dict) or answer.get("type") not in kinds:
            raise Fault(f"answered {line[:80]!r} where {' or '.join(kinds)} was wanted")
        return answer

    def _read_lines(self) -> None:
        """Put the program's lines into the queue of heard ones until it ends, then an empty one (runs in a thread)."""
        assert self._program.stdout is not None
        while line := self._program.stdout.readline(MAX_ANSWER_BYTES):
            self._heard.put(line)
        self._heard.put(b"")

    def kill_program(self) -> None:
        """Kill the program and the processes it started, and close the pipes."""
        atexit.unregister(self.kill_program)
        with contextlib.suppress(OSError, AttributeError):  # it has ended by itself; Windows has no groups
            os.killpg(self._program.pid, signal.SIGKILL)
        self._program.kill()
        self._program.wait()
        while any(one.is_alive() for one in self._threads):
            with contextlib.suppress(queue.Empty):  # whoever waits to put another line there may go
                self._heard.get(timeout=0.01)
        for pipe in (self._program.stdin, self._program.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()


def _parse_action(view: SeatView, answer: Any) -> int:
    """The id of the action that an answer gives by id or by name. Fault where it is not legal."""
    names = view.game.action_names
    found = names.find_action(answer) if isinstance(answer, str) else None
    i = found.id if found is not None else answer
    if isinstance(i, bool) or not isinstance(i, int) or i not in view.legal:
        raise Fault(f"chose {answer!r}, which is not legal")
    return i


def _limit_memory(pid: int, mib: int) -> None:
    """Limit the memory of a process to this many MiB, where the system can."""
    try:
        import resource

        resource.prlimit(pid, resource.RLIMIT_DATA, (mib << 20, mib << 20))
    except (ImportError, AttributeError, OSError):
        pass


def record_to_data(value: Any) -> Any:
    """A record, or an array of records, as dictionaries and lists that JSON can hold."""
    names = value.dtype.names if hasattr(value, "dtype") else None
    if names and value.shape == ():
        return {name: record_to_data(value[name]) for name in names}
    if names:
        return [record_to_data(one) for one in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _to_json_value(value: Any) -> Any:
    """The plain value of a NumPy number or array; the text of anything else that JSON has no form for."""
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else str(value)
