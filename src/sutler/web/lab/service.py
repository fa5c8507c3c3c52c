"""The lab of one process: questions are queued, a separate process answers one at a time, and reports are kept in a folder."""

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
from sutler.web.tokens import draw_table_id

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.lab.designer.questions import Question

State = Literal["waiting", "running", "done", "stopped", "failed"]
MAX_WAITING = 20
MAX_WAITING_PER_OWNER = 3
ROUNDS_PER_SECOND = 500
MAX_THINKING = 4_000_000
"""The largest question, in games times search rounds per decision: about a day of one core."""
MAX_THREADS = 16
WORK_SETTINGS = ("redeals", "nodes", "playout_nodes", "horizon", "threads")
"""Settings of bots to which their thinking time is proportional."""
STATE_FILE = "state.json"
NICENESS = 10
"""Niceness (scheduling priority of Unix) of the process that answers, so that clicks do not wait for the lab."""


@dataclass
class Experiment:
    """A question to the lab with the state of its answer. `done` of at most `most` games are played; `said`: results so far, in words."""

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
    """The person who asked: the hash of their browser's cookie; "" for questions from before owners were stored."""

    @property
    def open(self) -> bool:
        """Is the question still to be answered?"""
        return self.state in ("waiting", "running")

    @property
    def report(self) -> Path | None:
        """The path of the report; None while there is none."""
        path = self.folder / "report.html"
        return path if path.exists() else None

    @property
    def games(self) -> Path | None:
        """The path of the table of games behind the report; None while there is none."""
        path = self.folder / "games.parquet"
        return path if path.exists() else None

    def save_state(self) -> None:
        """Write the state to the folder."""
        told = {"asked": self.asked.isoformat(), "state": self.state, "done": self.done, "most": self.most}
        told |= {"said": self.said, "trouble": self.trouble, "owner": self.owner}
        aside = self.folder / (STATE_FILE + ".new")
        aside.write_text(json.dumps(told), encoding="utf-8")
        aside.replace(self.folder / STATE_FILE)


class Lab:
    """All questions to the lab of one server. A question that was running when the server closed is continued when it opens again."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(tempfile.mkdtemp(prefix="sutler-lab-"))
        if folder is None:  # without a folder the questions are deleted with the lab
            weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self._lock = threading.Condition()
        self._found: dict[str, Experiment] | None = None
        self._worker: threading.Thread | None = None
        self._child: tuple[str, subprocess.Popen[str]] | None = None
        self._closed = False
        self._served: dict[str, int] = {}
        """{owner: the number of the latest answer to one of their questions, counted over all owners}."""

    # --- Stored questions ---

    @property
    def experiments(self) -> dict[str, Experiment]:
        """All questions by id, oldest first; read from the folder on first use."""
        with self._lock:
            if self._found is None:
                self._found = {}
                for path in self.folder.glob(f"*/{STATE_FILE}"):
                    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):  # another folder
                        one = _read_experiment(path.parent)
                        self._found[one.id] = one
                self._found = dict(sorted(self._found.items(), key=lambda item: item[1].asked))
                self._ensure_worker()
            return self._found

    def get_experiment(self, id: str) -> Experiment:
        """The question with this id. Raises Lost when there is none."""
        try:
            return self.experiments[id]
        except KeyError:
            raise Lost("There is no such question in the lab.") from None

    # --- Changes ---

    def ask_question(self, question: Question, owner: str = "", is_checked: bool = False) -> Experiment:
        """Queue a question. Raises Refused where it cannot be asked, or too many wait.

        `owner`: the hash of the person's cookie; `is_checked`: was `require_question_possible` called already?
        """
        from sutler.lab.designer.questions import QUESTION_FILE

        if not is_checked:
            require_question_possible(question)
        with self._lock:
            require_queue_space(owner, [one.owner for one in self.experiments.values() if one.open])
            id = draw_table_id()
            folder = self.folder / id
            folder.mkdir(parents=True)
            (folder / QUESTION_FILE).write_text(question.model_dump_json(indent=1), encoding="utf-8")
            one = Experiment(id, folder, question, datetime.now(UTC), most=question.games, owner=owner)
            one.save_state()
            self.experiments[id] = one
            self._ensure_worker()
            return one

    def get_own_experiment(self, id: str, owner: str) -> Experiment:
        """The question with this id. Raises Refused when another person asked it."""
        return require_owner(self.get_experiment(id), owner)

    def find_file(self, id: str, name: str) -> Path | None:
        """The path of a file of an answer (`name`: "report.html"); None when there is none."""
        path = self.get_experiment(id).folder / name
        return path if path.exists() else None

    def stop_question(self, id: str, owner: str = "") -> None:
        """Stop answering a question; results so far are kept. Raises Refused when another person asked it."""
        with self._lock:
            one = self.get_own_experiment(id, owner)
            if one.open:
                one.state = "stopped"
                one.save_state()
                if self._child is not None and self._child[0] == id:
                    terminate_process(self._child[1])

    def resume_question(self, id: str, owner: str = "") -> None:
        """Continue a stopped or failed question. Raises Refused when another person asked it."""
        with self._lock:
            one = self.get_own_experiment(id, owner)
            if one.state in ("stopped", "failed"):
                one.state, one.trouble = "waiting", ""
                one.save_state()
                self._ensure_worker()

    def delete_question(self, id: str, owner: str = "") -> None:
        """Delete a question and its report. Raises Refused when another person asked it."""
        with self._lock:
            self.stop_question(id, owner)
            one = self.experiments.pop(id)
            shutil.rmtree(one.folder, ignore_errors=True)

    def close(self) -> None:
        """Stop the process that answers; open questions are continued when the server opens again."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()
            if self._child is not None:
                terminate_process(self._child[1])
        if self._worker is not None:
            self._worker.join(5)

    def wait_until_done(self, id: str, timeout: float) -> bool:
        """Wait until a question is answered or given up; return False after `timeout` seconds."""
        with self._lock:
            return self._lock.wait_for(lambda: not self.get_experiment(id).open, timeout)

    # --- Answering, one at a time ---

    def _ensure_worker(self) -> None:
        """Start the thread that answers questions, if one is open."""
        if self._worker is None and any(one.open for one in (self._found or {}).values()):
            self._worker = threading.Thread(target=self._answer_questions, name="lab", daemon=True)
            self._worker.start()
        self._lock.notify_all()

    def _answer_questions(self) -> None:
        """Answer questions, one after another, until the lab is closed or none is open."""
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._closed or self._choose_next_question() is not None)
                one = self._choose_next_question()
                if self._closed or one is None:
                    return
                one.state = "running"
                self._served[one.owner] = max(self._served.values(), default=0) + 1
                one.save_state()
                child = start_worker(one.folder)
                self._child = (one.id, child)
            self._follow_worker(one, child)

    def _choose_next_question(self) -> Experiment | None:
        """The next question: the oldest of the owner whose latest answer is longest ago. None where none is open."""
        waiting = [one for one in self.experiments.values() if one.open]
        return min(waiting, key=lambda one: (self._served.get(one.owner, 0), one.asked), default=None)

    def _follow_worker(self, experiment: Experiment, child: subprocess.Popen[str]) -> None:
        """Read the progress that the answering process reports until it ends, and record the outcome."""
        read_progress(experiment, child)
        _, errors = child.communicate()
        with self._lock:
            self._child = None
            if experiment.state == "running" and not self._closed:
                record_outcome(experiment, child.returncode, errors)
            if experiment.folder.exists():
                experiment.save_state()
            self._lock.notify_all()


def require_question_possible(question: Question) -> None:
    """Raise Refused, with the reason, where a question cannot be asked."""
    from sutler.lab.designer.questions import require_askable_question

    try:
        require_askable_question(question)
        require_affordable(question)
    except (ValueError, OverflowError) as error:
        raise Refused(_to_sentence(str(error))) from None


def require_queue_space(owner: str, waiting: Sequence[str]) -> None:
    """Raise Refused where the queue is full, or holds too many questions of this owner. `waiting`: the owners of the queued questions."""
    if waiting.count(owner) >= MAX_WAITING_PER_OWNER:
        raise Refused(f"{MAX_WAITING_PER_OWNER} questions of yours stand in line; stop one of them first.")
    if len(waiting) >= MAX_WAITING:
        raise Refused(f"{MAX_WAITING} questions stand in line; stop one of them first.")


def require_owner(experiment: Experiment, owner: str) -> Experiment:
    """The question, if this owner asked it; raises Refused otherwise."""
    if experiment.owner != owner:
        raise Refused(
            "Somebody else asked this question. You can read the answer, and ask one of your own.", status=403
        )
    return experiment


# --- The process that answers -------------------------------------------------------------------------


def start_worker(folder: Path) -> subprocess.Popen[str]:
    """Start a process, with low priority, that answers the question in a folder; return the process."""
    child = subprocess.Popen(
        [sys.executable, "-m", "sutler.lab.designer.worker", str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, child.pid, NICENESS)
    return child


def read_progress(experiment: Experiment, child: subprocess.Popen[str]) -> None:
    """Copy the progress that the process reports into the question's record `experiment`, until the process closes its output."""
    assert child.stdout is not None
    for line in child.stdout:
        with contextlib.suppress(ValueError, TypeError):
            told = json.loads(line)
            experiment.trouble = told.get("trouble", experiment.trouble)
            if told.get("most"):
                experiment.done, experiment.most = told["done"], told["most"]
            experiment.said = told.get("said") or experiment.said


def record_outcome(experiment: Experiment, exit_code: int, errors: str) -> None:
    """Record the end of the process that answers: the question is answered (exit code 0), or failed with the text of `errors`."""
    experiment.state = "done" if exit_code == 0 else "failed"
    if experiment.state == "failed":
        last = errors.strip().splitlines()[-1:] or [f"the process ended with {exit_code}"]
        experiment.trouble = _to_sentence(experiment.trouble or last[0])


def require_affordable(question: Question) -> None:
    """Raise ValueError where a question would take the lab days; such a question is asked on the command line."""
    from sutler.bots import parse_bots
    from sutler.lab.designer.questions import count_max_games

    games = count_max_games(question)
    sides = [side for side in (question.bots, question.bots_b) if side.strip()]
    thinking = max(compute_thinking_factor(bot) for side in sides for bot in parse_bots(side, files=False))
    if question.kind == "ladder":
        thinking = max([thinking, *(float(one) for one in question.rounds.split(",") if one.strip())])
    if not games * thinking <= MAX_THINKING:
        raise ValueError(
            f"that is {games:,} games of bots that think {thinking:,.0f} times as long as the greedy one; here "
            f"{MAX_THINKING:,} are the most. Ask for fewer, or ask it in a terminal"
        )


def compute_thinking_factor(bot: Bot) -> float:
    """How many times longer than the greedy bot this bot thinks about a decision. Raises ValueError for too many threads."""
    from sutler.bots.search import USUAL_SETTINGS

    if (threads := getattr(bot, "threads", 1)) > MAX_THREADS:
        raise ValueError(f"{threads:,} threads are too many; here {MAX_THREADS} are the most")
    rounds = getattr(bot, "rounds", 0) or ROUNDS_PER_SECOND * getattr(bot, "budget", 0.0)
    settings: list[Any] = [one for one in fields(bot) if one.name in WORK_SETTINGS] if is_dataclass(bot) else []
    named = [
        (getattr(bot, one.name), USUAL_SETTINGS[one.name] if one.default is None else one.default) for one in settings
    ]
    more = [max(1.0, value / usual) for value, usual in named if value is not None]
    return float(max(1.0, rounds) * math.prod(more))


def _read_experiment(folder: Path) -> Experiment:
    """The question stored in a folder, with its state."""
    from sutler.lab.designer.questions import QUESTION_FILE, Question

    told = json.loads((folder / STATE_FILE).read_text(encoding="utf-8"))
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


def terminate_process(child: subprocess.Popen[str]) -> None:
    """Ask a process to end; does nothing where it has ended."""
    with contextlib.suppress(OSError):
        child.terminate()


def _to_sentence(text: str) -> str:
    """The text with a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
