"""The lab of a house of several processes: questions stand in the database, any worker answers, every process shows the answer.

A bot's decision is one transaction (`due`); a question may take hours, and so long nothing must be held open. Whoever takes one
up holds it for a while, and says so again and again. Who does not is taken for dead, and another goes on from what was brought in.
Everything that is written of an answer is written only as long as one holds the question: nobody who comes late doubles anything.
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
from sutler.web.lab.service import Experiment, answering, end, hear, owned, possible, room_for, settle
from sutler.web.storage.schema import FINDINGS, QUESTIONS
from sutler.web.storage.shared_jobs import database_time
from sutler.web.storage.store import Store, aware
from sutler.web.tokens import new_table_id

if TYPE_CHECKING:
    from sutler.lab.designer.questions import Question

LOG = logging.getLogger("sutler.web")
HELD = 20.0
"""Seconds for which a question is held without a word."""
SAYS = 2.0
"""Seconds after which whoever holds it says so, and brings in what there is."""
LOOKS = 1.0
"""Seconds after which somebody who has nothing to do looks again."""
ASKING = 0x5A71E5
"""The number of the lock under which questions are counted and put in line."""
LARGEST = 64_000_000
"""Bytes of a file that is brought in; a larger table of games is not kept."""
REPORT, GAMES, QUESTION = "report.html", "games.parquet", "question.json"
OPEN = ("waiting", "running")


@dataclass
class Shown(Experiment):
    """A question as the database has it; `files`: what there is of its answer."""

    files: frozenset[str] = frozenset()

    @property
    def report(self) -> Path | None:
        """Where the page with the answer would lie, if there is one; `SharedLab.path` fetches it."""
        return self.folder / REPORT if REPORT in self.files else None

    @property
    def games(self) -> Path | None:
        """The same of the games it was read from."""
        return self.folder / GAMES if GAMES in self.files else None


class SharedLab:
    """All experiments of a house on PostgreSQL. `hands`: so many questions this process answers at the same time."""

    def __init__(self, store: Store, hands: int = 0) -> None:
        self.store = store
        self.folder = Path(tempfile.mkdtemp(prefix="sutler-lab-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.hands = [Hand(store) for _ in range(hands)]
        for hand in self.hands:
            hand.start()

    # --- What there is ---

    @property
    def experiments(self) -> dict[str, Experiment]:
        """By id, the oldest first."""
        return {one.id: one for one in self._found()}

    def one(self, id: str) -> Experiment:
        """An experiment; Lost when there is none."""
        for one in self._found(QUESTIONS.c.id == id):
            return one
        raise Lost("There is no such question in the lab.")

    def mine(self, id: str, owner: str) -> Experiment:
        """An experiment that this person asked for; Refused when it is another's."""
        return owned(self.one(id), owner)

    def path(self, id: str, name: str) -> Path | None:
        """A file that belongs to the answer, fetched as it stands now; None when there is none."""
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

    def _found(self, *which: ColumnElement[bool]) -> list[Experiment]:
        from sutler.lab.designer.questions import Question

        rows = select(QUESTIONS).where(*which).order_by(QUESTIONS.c.asked)
        names = select(FINDINGS.c.question, FINDINGS.c.name).where(FINDINGS.c.name.in_((REPORT, GAMES)))
        if which:
            names = names.where(FINDINGS.c.question.in_(select(QUESTIONS.c.id).where(*which)))
        with self.store.engine.connect() as connection:
            files: dict[str, set[str]] = {}
            for id, name in connection.execute(names):
                files.setdefault(id, set()).add(name)
            return [
                Shown(
                    row.id,
                    self.folder / row.id,
                    Question.model_validate_json(row.body),
                    aware(row.asked),
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

    # --- What one does ---

    def ask(self, question: Question, owner: str = "") -> Experiment:
        """Put a question in line; Refused, in words, when it cannot be asked."""
        possible(question)
        id = new_table_id()
        row: dict[str, Any] = {"id": id, "owner": owner, "body": question.model_dump_json(), "state": "waiting"}
        row |= {"done": 0, "most": question.games, "said": "", "trouble": "", "holder": ""}

        def write(connection: Connection) -> None:
            connection.execute(select(func.pg_advisory_xact_lock(ASKING)))
            waiting = select(QUESTIONS.c.owner).where(QUESTIONS.c.state.in_(OPEN))
            room_for(owner, list(connection.scalars(waiting)))
            connection.execute(QUESTIONS.insert().values(**row, asked=database_time()))

        self.store.write(write)
        return self.one(id)

    def stop(self, id: str, owner: str = "") -> None:
        """Leave it unanswered; what is known by now is kept. Whoever is at it leaves off within seconds."""
        self.mine(id, owner)
        self._change(id, OPEN, state="stopped", holder="")

    def go_on(self, id: str, owner: str = "") -> None:
        """Take up a stopped or failed question again."""
        self.mine(id, owner)
        self._change(id, ("stopped", "failed"), state="waiting", trouble="")

    def forget(self, id: str, owner: str = "") -> None:
        """Throw the question and its report away."""
        self.mine(id, owner)

        def write(connection: Connection) -> None:
            connection.execute(delete(QUESTIONS).where(QUESTIONS.c.id == id))
            connection.execute(delete(FINDINGS).where(FINDINGS.c.question == id))

        self.store.write(write)
        shutil.rmtree(self.folder / id, ignore_errors=True)

    def _change(self, id: str, states: tuple[str, ...], **values: str) -> None:
        which = (QUESTIONS.c.id == id, QUESTIONS.c.state.in_(states))
        self.store.write(lambda connection: connection.execute(update(QUESTIONS).where(*which).values(**values)))

    def close(self) -> None:
        """Leave off; what is open is taken up by another, or when the house opens again."""
        for hand in self.hands:
            hand.closing.set()
        for hand in self.hands:
            hand.join(10)


# --- Whoever answers ----------------------------------------------------------------------------------


class Gone(Exception):
    """The question is not ours any more: stopped, forgotten, or another has taken it up."""


@dataclass(frozen=True)
class Claim:
    """A question that is in hand, the word by which the database knows whose hand it is, and how far others had come."""

    id: str
    body: str
    word: str
    done: int = 0
    said: str = ""


class Hand(threading.Thread):
    """Answers one question at a time, each in a process of its own and in a folder of its own."""

    def __init__(self, store: Store) -> None:
        super().__init__(name="lab", daemon=True)
        self.store = store
        self.closing = threading.Event()

    def run(self) -> None:
        """Until it is closed."""
        while not self.closing.is_set():
            try:
                claim = self.claim()
                if claim is None:
                    self.closing.wait(LOOKS)
                else:
                    self.answer(claim)
            except (DBAPIError, OSError) as error:
                LOG.warning("a question of the lab was left where it was: %s", error)
                self.closing.wait(SAYS)

    def claim(self) -> Claim | None:
        """Take up a question nobody holds: of whoever's last was begun longest ago, the oldest; None when there is none."""
        own, others, word = QUESTIONS.c, QUESTIONS.alias(), secrets.token_hex(8)
        lost = and_(own.state == "running", own.until < database_time())
        last = select(func.max(others.c.begun)).where(others.c.owner == own.owner).scalar_subquery()
        query = select(own.id, own.body, own.done, own.said).where(or_(own.state == "waiting", lost))
        query = query.order_by(last.nulls_first(), own.asked).limit(1).with_for_update(skip_locked=True)
        taken = {"state": "running", "holder": word, "until": database_time(HELD), "begun": database_time()}
        with self.store.engine.begin() as connection:
            found = connection.execute(query).first()
            if found is None:
                return None
            connection.execute(update(QUESTIONS).where(own.id == found.id).values(**taken))
            return Claim(found.id, found.body, word, found.done, found.said)

    def answer(self, claim: Claim) -> None:
        """Go on with a question from what was brought in, until it is answered or is not ours any more."""
        from sutler.lab.designer.questions import Question

        with tempfile.TemporaryDirectory(prefix="sutler-lab-") as name:
            folder = Path(name)
            brought = self._fetched(claim, folder)
            question = Question.model_validate_json(claim.body)
            one = Experiment(
                claim.id, folder, question, self.store.now(), "running", claim.done, question.games, claim.said
            )
            child = answering(folder)
            ear = threading.Thread(target=hear, args=(one, child), daemon=True)
            ear.start()
            try:
                while ear.is_alive() and not self.closing.is_set():
                    ear.join(SAYS)
                    self.bring(claim, one, brought)
                if ear.is_alive():
                    self._put_back(claim)
                    return
                errors = child.communicate()[1]
                settle(one, child.returncode, errors)
                self.bring(claim, one, brought)
            except Gone:
                pass
            finally:
                end(child)
                child.communicate()

    def _fetched(self, claim: Claim, folder: Path) -> dict[str, tuple[int, int]]:
        """Lay out what others have done of it; what was laid out, by name."""
        (folder / QUESTION).write_text(claim.body, encoding="utf-8")
        query = select(FINDINGS.c.name, FINDINGS.c.data).where(FINDINGS.c.question == claim.id)
        with self.store.engine.connect() as connection:
            for name, data in connection.execute(query):
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        return _there(folder)

    def bring(self, claim: Claim, one: Experiment, brought: dict[str, tuple[int, int]]) -> None:
        """Say that one is at it, how far it is, and keep what is new; all of it or nothing. Gone where it is not ours any more."""
        there = _there(one.folder)
        new = {}
        for name, mark in there.items():
            if brought.get(name) != mark and mark[1] <= LARGEST:
                with contextlib.suppress(FileNotFoundError):  # a part that has just gone into the whole
                    new[name] = (one.folder / name).read_bytes()
        gone = [name for name in brought if name not in there]
        told = {"state": one.state, "done": one.done, "most": one.most, "said": one.said, "trouble": one.trouble}
        ours = (QUESTIONS.c.id == claim.id, QUESTIONS.c.holder == claim.word)

        def write(connection: Connection) -> None:
            said = update(QUESTIONS).where(*ours).values(**told, until=database_time(HELD))
            if connection.execute(said).rowcount != 1:
                raise Gone
            mine = FINDINGS.c.question == claim.id
            connection.execute(delete(FINDINGS).where(mine, FINDINGS.c.name.in_([*new, *gone])))
            if new:
                rows = [{"question": claim.id, "name": name, "data": data} for name, data in new.items()]
                connection.execute(FINDINGS.insert(), rows)

        self.store.write(write)
        for name in gone:
            del brought[name]
        brought.update({name: there[name] for name in new})

    def _put_back(self, claim: Claim) -> None:
        """Somebody else may go on at once."""
        ours = (QUESTIONS.c.id == claim.id, QUESTIONS.c.holder == claim.word)
        back = update(QUESTIONS).where(*ours).values(state="waiting", holder="")
        self.store.write(lambda connection: connection.execute(back))


def _there(folder: Path) -> dict[str, tuple[int, int]]:
    """The files of an answer that are whole, with what changes when they do."""
    found = {}
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            stat = path.stat()
            if path.is_file() and path.name != QUESTION and not path.stem.endswith(".new"):
                found[path.relative_to(folder).as_posix()] = (stat.st_mtime_ns, stat.st_size)
    return found
