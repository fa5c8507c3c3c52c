"""The lab of a server of several processes (`service`: of one): questions are queued in the database, any worker may answer them.

A bot's decision is one transaction (`storage.shared_jobs`); a question may take hours, and no transaction may stay open so long. So a
worker claims a question for some seconds and renews the claim regularly. When a claim runs out the worker counts as dead, and another
continues from the stored results. Results are written only while the claim is valid, so that a late worker cannot overwrite or
duplicate anything.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import shutil
import tempfile
import threading
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, or_, select, update
from sqlalchemy.exc import DBAPIError

from sutler.web.errors import Lost
from sutler.web.lab.service import (
    Experiment,
    read_progress,
    record_outcome,
    require_owner,
    require_question_possible,
    require_queue_space,
    start_worker,
    terminate_process,
)
from sutler.web.storage.schema import FINDINGS, QUESTIONS
from sutler.web.storage.shared_jobs import database_time_expression
from sutler.web.storage.store import Store, ensure_utc
from sutler.web.tokens import draw_table_id

if TYPE_CHECKING:
    from sutler.lab.designer.questions import Question

LOG = logging.getLogger("sutler.web")
CLAIM_TTL_S = 20.0
"""Seconds for which a claim is valid without being renewed."""
RENEW_SECONDS = 2.0
"""Seconds between renewals of a claim; progress is stored with each."""
POLL_SECONDS = 1.0
"""Seconds after which a worker without a question looks for one again."""
QUEUE_LOCK_ID = 0x5A71E5
"""The id of the PostgreSQL advisory lock under which questions are counted and queued."""
MAX_FILE_BYTES = 64_000_000
"""The size of the largest file that is stored; a larger table of games is not kept."""
REPORT, GAMES, QUESTION = "report.html", "games.parquet", "question.json"
OPEN_STATES = ("waiting", "running")


@dataclass
class StoredExperiment(Experiment):
    """A question and its state, as read from the database. `files`: the names of its answer's files."""

    files: frozenset[str] = frozenset()

    @property
    def report(self) -> Path | None:
        """The path to which `SharedLab.path` will write the report; None where there is no report."""
        return self.folder / REPORT if REPORT in self.files else None

    @property
    def games(self) -> Path | None:
        """The path at which `SharedLab.path` will write the table of games; None where there is none."""
        return self.folder / GAMES if GAMES in self.files else None


class SharedLab:
    """All questions to the lab of a server on PostgreSQL. `n_workers`: how many questions this process answers at the same time."""

    def __init__(self, store: Store, n_workers: int = 0) -> None:
        self.store = store
        self.folder = Path(tempfile.mkdtemp(prefix="sutler-lab-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.workers = [LabWorker(store) for _ in range(n_workers)]
        for worker in self.workers:
            worker.start()

    # --- Stored questions ---

    @property
    def experiments(self) -> dict[str, Experiment]:
        """All questions by id, oldest first."""
        return {one.id: one for one in self._query_experiments()}

    def get_experiment(self, id: str) -> Experiment:
        """The question with this id. Raises Lost when there is none."""
        for one in self._query_experiments(QUESTIONS.c.id == id):
            return one
        raise Lost("There is no such question in the lab.")

    def get_own_experiment(self, id: str, owner: str) -> Experiment:
        """The question with this id. Raises Refused when another person asked it."""
        return require_owner(self.get_experiment(id), owner)

    def find_file(self, id: str, name: str) -> Path | None:
        """Copy a file of an answer from the database to this machine; returns its path, None if the database has no such file."""
        query = select(FINDINGS.c.data).where(FINDINGS.c.question == id, FINDINGS.c.name == name)
        with self.store.engine.connect() as connection:
            data = connection.scalar(query)
        if data is None:
            return None
        path = self.folder / id / name
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_name(f"{secrets.token_hex(4)}-{path.name}")
        aside.write_bytes(data)
        return aside.replace(path)

    def _query_experiments(self, *conditions: ColumnElement[bool]) -> list[Experiment]:
        """The questions that fulfil these conditions, oldest first, read from the database."""
        from sutler.lab.designer.questions import Question

        rows = select(QUESTIONS).where(*conditions).order_by(QUESTIONS.c.asked)
        names = select(FINDINGS.c.question, FINDINGS.c.name).where(FINDINGS.c.name.in_((REPORT, GAMES)))
        if conditions:
            names = names.where(FINDINGS.c.question.in_(select(QUESTIONS.c.id).where(*conditions)))
        with self.store.engine.connect() as connection:
            files: dict[str, set[str]] = {}
            for id, name in connection.execute(names):
                files.setdefault(id, set()).add(name)
            return [
                StoredExperiment(
                    row.id,
                    self.folder / row.id,
                    Question.model_validate_json(row.body),
                    ensure_utc(row.asked),
                    row.state,
                    row.done,
                    row.most,
                    row.said,
                    row.trouble,
                    row.owner,
                    frozenset(files.get(row.id, ())),
                )
                for row in connection.execute(rows)
            ]

    # --- Changes ---

    def ask_question(self, question: Question, owner: str = "", is_checked: bool = False) -> Experiment:
        """Queue a question. Raises Refused where it cannot be asked, or too many wait.

        `owner`: the hash of the person's cookie; `is_checked`: was `require_question_possible` called already?
        """
        if not is_checked:
            require_question_possible(question)
        id = draw_table_id()
        row: dict[str, Any] = {"id": id, "owner": owner, "body": question.model_dump_json(), "state": "waiting"}
        row |= {"done": 0, "most": question.games, "said": "", "trouble": "", "holder": ""}

        def write(connection: Connection) -> None:
            """Insert the question within one transaction. Raises Refused where too many wait."""
            connection.execute(select(func.pg_advisory_xact_lock(QUEUE_LOCK_ID)))
            waiting = select(QUESTIONS.c.owner).where(QUESTIONS.c.state.in_(OPEN_STATES))
            require_queue_space(owner, list(connection.scalars(waiting)))
            connection.execute(QUESTIONS.insert().values(**row, asked=database_time_expression()))

        self.store.run_in_transaction(write)
        return self.get_experiment(id)

    def stop_question(self, id: str, owner: str = "") -> None:
        """Stop answering a question; results so far are kept. Its worker stops within seconds.

        Raises Refused when another person asked it.
        """
        self.get_own_experiment(id, owner)
        self._update_question(id, OPEN_STATES, state="stopped", holder="")

    def resume_question(self, id: str, owner: str = "") -> None:
        """Continue a stopped or failed question. Raises Refused when another person asked it."""
        self.get_own_experiment(id, owner)
        self._update_question(id, ("stopped", "failed"), state="waiting", trouble="")

    def delete_question(self, id: str, owner: str = "") -> None:
        """Delete a question and its report. Raises Refused when another person asked it."""
        self.get_own_experiment(id, owner)

        def write(connection: Connection) -> None:
            """Delete the question and its files within one transaction."""
            connection.execute(delete(QUESTIONS).where(QUESTIONS.c.id == id))
            connection.execute(delete(FINDINGS).where(FINDINGS.c.question == id))

        self.store.run_in_transaction(write)
        shutil.rmtree(self.folder / id, ignore_errors=True)

    def _update_question(self, id: str, states: tuple[str, ...], **values: str) -> None:
        """Set these columns of a question, if it is in one of these states."""
        which = (QUESTIONS.c.id == id, QUESTIONS.c.state.in_(states))
        self.store.run_in_transaction(
            lambda connection: connection.execute(update(QUESTIONS).where(*which).values(**values))
        )

    def close(self) -> None:
        """Stop this process's workers; other processes continue their questions, or this one after a restart."""
        for worker in self.workers:
            worker.closing.set()
        for worker in self.workers:
            worker.join(10)


# --- Workers ------------------------------------------------------------------------------------------


class ClaimLost(Exception):
    """An error: a worker's claim is no longer valid, since the question was stopped, deleted or claimed by another worker."""


@dataclass(frozen=True)
class Claim:
    """A worker's claim on a question. `word`: the token by which the database knows the claim; `done`, `said`: progress so far."""

    id: str
    body: str
    word: str
    done: int = 0
    said: str = ""


class LabWorker(threading.Thread):
    """A thread that answers one question at a time, each in a separate process and folder."""

    def __init__(self, store: Store) -> None:
        super().__init__(name="lab", daemon=True)
        self.store = store
        self.closing = threading.Event()

    def run(self) -> None:
        """Answer questions until the worker is closed."""
        while not self.closing.is_set():
            try:
                claim = self.claim_question()
                if claim is None:
                    self.closing.wait(POLL_SECONDS)
                else:
                    self.answer_question(claim)
            except (DBAPIError, OSError) as error:
                LOG.warning("a question of the lab was left where it was: %s", error)
                self.closing.wait(RENEW_SECONDS)

    def claim_question(self) -> Claim | None:
        """The claim on a waiting question, made now; None where no question waits.

        It is the oldest one of the owner whose latest question was begun longest ago.
        """
        own, others, word = QUESTIONS.c, QUESTIONS.alias(), secrets.token_hex(8)
        lost = and_(own.state == "running", own.until < database_time_expression())
        last = select(func.max(others.c.begun)).where(others.c.owner == own.owner).scalar_subquery()
        query = select(own.id, own.body, own.done, own.said).where(or_(own.state == "waiting", lost))
        query = query.order_by(last.nulls_first(), own.asked).limit(1).with_for_update(skip_locked=True)
        taken = {
            "state": "running",
            "holder": word,
            "until": database_time_expression(CLAIM_TTL_S),
            "begun": database_time_expression(),
        }
        with self.store.engine.begin() as connection:
            found = connection.execute(query).first()
            if found is None:
                return None
            connection.execute(update(QUESTIONS).where(own.id == found.id).values(**taken))
            return Claim(found.id, found.body, word, found.done, found.said)

    def answer_question(self, claim: Claim) -> None:
        """Continue a question from the stored results, until it is answered or the claim is lost."""
        from sutler.lab.designer.questions import Question

        with tempfile.TemporaryDirectory(prefix="sutler-lab-") as name:
            folder = Path(name)
            brought = self._write_stored_files(claim, folder)
            question = Question.model_validate_json(claim.body)
            one = Experiment(
                claim.id, folder, question, self.store.now(), "running", claim.done, question.games, claim.said
            )
            child = start_worker(folder)
            ear = threading.Thread(target=read_progress, args=(one, child), daemon=True)
            ear.start()
            try:
                while ear.is_alive() and not self.closing.is_set():
                    ear.join(RENEW_SECONDS)
                    self.store_progress(claim, one, brought)
                if ear.is_alive():
                    self._release_claim(claim)
                    return
                errors = child.communicate()[1]
                record_outcome(one, child.returncode, errors)
                self.store_progress(claim, one, brought)
            except ClaimLost:
                pass
            finally:
                terminate_process(child)
                child.communicate()

    def _write_stored_files(self, claim: Claim, folder: Path) -> dict[str, tuple[int, int]]:
        """Write the question and the files of earlier workers into the folder; return {name: (time, size)} of these files."""
        (folder / QUESTION).write_text(claim.body, encoding="utf-8")
        query = select(FINDINGS.c.name, FINDINGS.c.data).where(FINDINGS.c.question == claim.id)
        with self.store.engine.connect() as connection:
            for name, data in connection.execute(query):
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        return _list_finished_files(folder)

    def store_progress(self, claim: Claim, experiment: Experiment, stored_files: dict[str, tuple[int, int]]) -> None:
        """Renew the claim, and store progress and new files, in one transaction. Raises ClaimLost where the claim is no longer valid.

        `stored_files`: time and size of the files that are stored already, by name; updated here.
        """
        there = _list_finished_files(experiment.folder)
        new = {}
        for name, mark in there.items():
            if stored_files.get(name) != mark and mark[1] <= MAX_FILE_BYTES:
                with contextlib.suppress(FileNotFoundError):  # a partial file that was merged meanwhile
                    new[name] = (experiment.folder / name).read_bytes()
        gone = [name for name in stored_files if name not in there]
        told = {
            "state": experiment.state,
            "done": experiment.done,
            "most": experiment.most,
            "said": experiment.said,
            "trouble": experiment.trouble,
        }
        ours = (QUESTIONS.c.id == claim.id, QUESTIONS.c.holder == claim.word)

        def write(connection: Connection) -> None:
            """Renew the claim and store new files within one transaction. Raises ClaimLost where the claim is not valid any more."""
            said = update(QUESTIONS).where(*ours).values(**told, until=database_time_expression(CLAIM_TTL_S))
            if connection.execute(said).rowcount != 1:
                raise ClaimLost
            mine = FINDINGS.c.question == claim.id
            connection.execute(delete(FINDINGS).where(mine, FINDINGS.c.name.in_([*new, *gone])))
            if new:
                rows = [{"question": claim.id, "name": name, "data": data} for name, data in new.items()]
                connection.execute(FINDINGS.insert(), rows)

        self.store.run_in_transaction(write)
        for name in gone:
            del stored_files[name]
        stored_files.update({name: there[name] for name in new})

    def _release_claim(self, claim: Claim) -> None:
        """Give up the claim, so that another worker can continue at once."""
        ours = (QUESTIONS.c.id == claim.id, QUESTIONS.c.holder == claim.word)
        back = update(QUESTIONS).where(*ours).values(state="waiting", holder="")
        self.store.run_in_transaction(lambda connection: connection.execute(back))


def _list_finished_files(folder: Path) -> dict[str, tuple[int, int]]:
    """{name: (time in nanoseconds, size)} of the complete files of an answer; after a change these differ."""
    found = {}
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            stat = path.stat()
            if path.is_file() and path.name != QUESTION and not path.stem.endswith(".new"):
                found[path.relative_to(folder).as_posix()] = (stat.st_mtime_ns, stat.st_size)
    return found
