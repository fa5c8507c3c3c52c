"""The lab behind the page: questions stand in line, a process of its own answers one at a time, reports are kept."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sutler.web.errors import Lost, Refused
from sutler.web.tokens import new_table_id

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.lab.designer.questions import Question

State = Literal["waiting", "running", "done", "stopped", "failed"]
IN_LINE = 20
EACH_IN_LINE = 3
ROUNDS_A_SECOND = 500
MOST_THINKING = 4_000_000
"""Games times rounds of search a decision: about a day of a core."""
MOST_THREADS = 16
WORK = ("redeals", "nodes", "playout_nodes", "horizon", "threads")
"""Settings of bots of which twice as much takes twice as long."""
STATE = "state.json"
UNDER = 10
"""How much less pressing than the table it is: a click must not wait for the lab."""


@dataclass
class Experiment:
    """A question, and how far its answer is. `done` of `most` games; `said`: what can be said so far."""

    id: str
    folder: Path
    question: Question
    asked: datetime
    state: State = "waiting"
    done: int = 0
    most: int = 0
    said: str = ""
    trouble: str = ""
    owner: str = ""
    """Who asked: a hash of their browser's cookie; "" in a lab that was kept before there were owners."""

    @property
    def open(self) -> bool:
        """Is it still to be answered?"""
        return self.state in ("waiting", "running")

    @property
    def report(self) -> Path | None:
        """The page with the answer, or with as much of it as there is."""
        path = self.folder / "report.html"
        return path if path.exists() else None

    @property
    def games(self) -> Path | None:
        """The games it was read from."""
        path = self.folder / "games.parquet"
        return path if path.exists() else None

    def keep(self) -> None:
        """Write down where it stands."""
        told = {"asked": self.asked.isoformat(), "state": self.state, "done": self.done, "most": self.most}
        told |= {"said": self.said, "trouble": self.trouble, "owner": self.owner}
        aside = self.folder / (STATE + ".new")
        aside.write_text(json.dumps(told), encoding="utf-8")
        aside.replace(self.folder / STATE)


class Lab:
    """All experiments of this house. What was running when the house closed goes on when it opens again."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(tempfile.mkdtemp(prefix="sutler-lab-"))
        if folder is None:  # nobody said where to keep them
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self._lock = threading.Condition()
        self._found: dict[str, Experiment] | None = None
        self._worker: threading.Thread | None = None
        self._child: tuple[str, subprocess.Popen[str]] | None = None
        self._closed = False
        self._served: dict[str, int] = {}
        """By owner: the how-manieth answer was theirs last."""

    # --- What there is ---

    @property
    def experiments(self) -> dict[str, Experiment]:
        """By id, the oldest first; read from the folder when somebody first asks."""
        with self._lock:
            if self._found is None:
                self._found = {}
                for path in self.folder.glob(f"*/{STATE}"):
                    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):  # a folder that is not ours
                        one = _read(path.parent)
                        self._found[one.id] = one
                self._found = dict(sorted(self._found.items(), key=lambda item: item[1].asked))
                self._see_to_it()
            return self._found

    def one(self, id: str) -> Experiment:
        """An experiment; Lost when there is none."""
        try:
            return self.experiments[id]
        except KeyError:
            raise Lost("There is no such question in the lab.") from None

    # --- What one does ---

    def ask(self, question: Question, owner: str = "") -> Experiment:
        """Put a question in line; Refused, in words, when it cannot be asked."""
        from sutler.lab.designer.questions import QUESTION_FILE

        possible(question)
        with self._lock:
            room_for(owner, [one.owner for one in self.experiments.values() if one.open])
            id = new_table_id()
            folder = self.folder / id
            folder.mkdir(parents=True)
            (folder / QUESTION_FILE).write_text(question.model_dump_json(indent=1), encoding="utf-8")
            one = Experiment(id, folder, question, datetime.now(UTC), most=question.games, owner=owner)
            one.keep()
            self.experiments[id] = one
            self._see_to_it()
            return one

    def mine(self, id: str, owner: str) -> Experiment:
        """An experiment that this person asked for; Refused when it is another's."""
        return owned(self.one(id), owner)

    def path(self, id: str, name: str) -> Path | None:
        """A file that belongs to the answer ("report.html"); None when there is none."""
        path = self.one(id).folder / name
        return path if path.exists() else None

    def stop(self, id: str, owner: str = "") -> None:
        """Leave it unanswered; what is known by now is kept."""
        with self._lock:
            one = self.mine(id, owner)
            if one.open:
                one.state = "stopped"
                one.keep()
                if self._child is not None and self._child[0] == id:
                    end(self._child[1])

    def go_on(self, id: str, owner: str = "") -> None:
        """Take up a stopped or failed question again."""
        with self._lock:
            one = self.mine(id, owner)
            if one.state in ("stopped", "failed"):
                one.state, one.trouble = "waiting", ""
                one.keep()
                self._see_to_it()

    def forget(self, id: str, owner: str = "") -> None:
        """Throw the question and its report away."""
        with self._lock:
            self.stop(id, owner)
            one = self.experiments.pop(id)
            shutil.rmtree(one.folder, ignore_errors=True)

    def close(self) -> None:
        """Leave off; what is open goes on when the house opens again."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()
            if self._child is not None:
                end(self._child[1])
        if self._worker is not None:
            self._worker.join(5)

    def settled(self, id: str, timeout: float) -> bool:
        """Wait until a question is answered or given up."""
        with self._lock:
            return self._lock.wait_for(lambda: not self.one(id).open, timeout)

    # --- Answering, one at a time ---

    def _see_to_it(self) -> None:
        """There is somebody who answers, if there is anything to answer."""
        if self._worker is None and any(one.open for one in (self._found or {}).values()):
            self._worker = threading.Thread(target=self._work, name="lab", daemon=True)
            self._worker.start()
        self._lock.notify_all()

    def _work(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._closed or self._next() is not None)
                one = self._next()
                if self._closed or one is None:
                    return
                one.state = "running"
                self._served[one.owner] = max(self._served.values(), default=0) + 1
                one.keep()
                child = answering(one.folder)
                self._child = (one.id, child)
            self._listen(one, child)

    def _next(self) -> Experiment | None:
        """Everybody in turn: of the questions that wait, one of whoever was answered longest ago."""
        waiting = [one for one in self.experiments.values() if one.open]
        return min(waiting, key=lambda one: (self._served.get(one.owner, 0), one.asked), default=None)

    def _listen(self, one: Experiment, child: subprocess.Popen[str]) -> None:
        """Hear what the process tells until it is done."""
        hear(one, child)
        _, errors = child.communicate()
        with self._lock:
            self._child = None
            if one.state == "running" and not self._closed:
                settle(one, child.returncode, errors)
            if one.folder.exists():
                one.keep()
            self._lock.notify_all()


def possible(question: Question) -> None:
    """Refused, in words, where a question cannot be asked."""
    from sutler.lab.designer.questions import check_question

    try:
        check_question(question)
        affordable(question)
    except (ValueError, OverflowError) as error:
        raise Refused(_sentence(str(error))) from None


def room_for(owner: str, waiting: Sequence[str]) -> None:
    """Refused where no further question of this owner has room in line. `waiting`: the owners of those that stand there."""
    if waiting.count(owner) >= EACH_IN_LINE:
        raise Refused(f"{EACH_IN_LINE} questions of yours stand in line; stop one of them first.")
    if len(waiting) >= IN_LINE:
        raise Refused(f"{IN_LINE} questions stand in line; stop one of them first.")


def owned(one: Experiment, owner: str) -> Experiment:
    """This experiment; Refused where somebody else asked for it."""
    if one.owner != owner:
        raise Refused(
            "Somebody else asked this question. You can read the answer, and ask one of your own.", status=403
        )
    return one


# --- The process that answers -------------------------------------------------------------------------


def answering(folder: Path) -> subprocess.Popen[str]:
    """A process that answers the question in a folder, less pressing than the table."""
    child = subprocess.Popen(
        [sys.executable, "-m", "sutler.lab.designer.worker", str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, child.pid, UNDER)
    return child


def hear(one: Experiment, child: subprocess.Popen[str]) -> None:
    """Note what the process tells, until it tells no more."""
    assert child.stdout is not None
    for line in child.stdout:
        with contextlib.suppress(ValueError, TypeError):
            told = json.loads(line)
            one.trouble = told.get("trouble", one.trouble)
            if told.get("most"):
                one.done, one.most = told["done"], told["most"]
            one.said = told.get("said") or one.said


def settle(one: Experiment, code: int, errors: str) -> None:
    """The process has ended by itself: answered, or what went wrong."""
    one.state = "done" if code == 0 else "failed"
    if one.state == "failed":
        last = errors.strip().splitlines()[-1:] or [f"the process ended with {code}"]
        one.trouble = _sentence(one.trouble or last[0])


def affordable(question: Question) -> None:
    """ValueError where a question would keep the lab busy for days. Whoever wants that asks it in a terminal."""
    from sutler.bots import bots_from
    from sutler.lab.designer.questions import max_games

    games = max_games(question)
    sides = [side for side in (question.bots, question.bots_b) if side.strip()]
    thinking = max(thinking_of(bot) for side in sides for bot in bots_from(side, files=False))
    if question.kind == "ladder":
        thinking = max([thinking, *(float(one) for one in question.rounds.split(",") if one.strip())])
    if not games * thinking <= MOST_THINKING:
        raise ValueError(
            f"that is {games:,} games of bots that think {thinking:,.0f} times as long as the greedy one; here "
            f"{MOST_THINKING:,} are the most. Ask for fewer, or ask it in a terminal"
        )


def thinking_of(bot: Bot) -> float:
    """How many times as long as the greedy bot this one thinks of a decision, whatever it is called. ValueError for a crowd of threads."""
    if (threads := getattr(bot, "threads", 1)) > MOST_THREADS:
        raise ValueError(f"{threads:,} threads are too many; here {MOST_THREADS} are the most")
    rounds = getattr(bot, "rounds", 0) or ROUNDS_A_SECOND * getattr(bot, "budget", 0.0)
    settings: list[Any] = [one for one in fields(bot) if one.name in WORK] if is_dataclass(bot) else []
    more = [max(1.0, getattr(bot, one.name) / one.default) for one in settings]
    return float(max(1.0, rounds) * math.prod(more))


def _read(folder: Path) -> Experiment:
    """An experiment as it was written down."""
    from sutler.lab.designer.questions import QUESTION_FILE, Question

    told = json.loads((folder / STATE).read_text(encoding="utf-8"))
    question = Question.model_validate_json((folder / QUESTION_FILE).read_text(encoding="utf-8"))
    asked = datetime.fromisoformat(told["asked"])
    state: State = "waiting" if told["state"] == "running" else told["state"]
    return Experiment(
        folder.name,
        folder,
        question,
        asked,
        state,
        told["done"],
        told["most"],
        told["said"],
        told["trouble"],
        told.get("owner", ""),
    )


def end(child: subprocess.Popen[str]) -> None:
    with contextlib.suppress(OSError):
        child.terminate()


def _sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
