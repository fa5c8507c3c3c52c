"""The lab of a house of several processes: asked here, answered there, and whoever is killed at it loses and doubles nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select, update

from sutler.web.app import create_app
from sutler.web.errors import Lost, Refused
from sutler.web.lab.multiprocess_service import GAMES, REPORT, ClaimLost, LabWorker, SharedLab
from sutler.web.storage.schema import FINDINGS, QUESTIONS
from sutler.web.storage.shared_jobs import database_time_expression
from sutler.web.storage.store import Store

from .test_processes import Process, start
from .test_shared import until

__all__ = ["start"]
FORM = {"kind": "play", "game": "market", "bots": "random", "settings": "rounds=5", "seats": "2", "seed": "1"}


@pytest.fixture(autouse=True)
def market(monkeypatch: pytest.MonkeyPatch) -> None:
    """The little game of the examples, answered in plain Python: hundreds of games take a moment."""
    monkeypatch.setenv("SUTLER_GAMES", str(Path(__file__).parents[2] / "examples"))
    monkeypatch.setenv("SUTLER_PLAIN", "1")


def question(games: int = 20, seed: int = 1) -> Any:
    from sutler.lab.designer.questions import Question

    return Question(kind="play", game="market", bots="random", settings="rounds=5", seats=2, games=games, seed=seed)


@pytest.fixture
def process(shared_database: str) -> Iterator[Callable[..., SharedLab]]:
    """The lab as another process has it."""
    opened: list[SharedLab] = []

    def one(hands: int = 0) -> SharedLab:
        opened.append(SharedLab(Store(shared_database), hands))
        return opened[-1]

    yield one
    for lab in opened:
        lab.close()
        lab.store.close()


def pass_over(lab: SharedLab) -> None:
    """As if whoever holds a question had not been heard of for long."""
    lab.store.run_in_transaction(
        lambda connection: connection.execute(update(QUESTIONS).values(until=database_time_expression(-1.0)))
    )


def table(path: Path | None) -> pl.DataFrame:
    assert path is not None
    return pl.read_parquet(path)


def test_asked_here_answered_there_and_read_everywhere(process: Callable[..., SharedLab]) -> None:
    here, elsewhere = process(), process()
    one = here.ask_question(question(), "Agnes")
    assert elsewhere.get_experiment(one.id).state == "waiting"
    process(hands=1)
    until(lambda: not here.get_experiment(one.id).open)
    found = elsewhere.get_experiment(one.id)
    assert (found.state, found.done, found.trouble) == ("done", 20, "")
    assert found.report
    assert found.games
    for lab in (here, elsewhere):
        page = lab.find_file(one.id, REPORT)
        assert page is not None
        assert "<svg" in page.read_text(encoding="utf-8")
        assert len(table(lab.find_file(one.id, GAMES))) == 20
    elsewhere.delete_question(one.id, "Agnes")
    with pytest.raises(Lost):
        here.get_experiment(one.id)
    assert here.find_file(one.id, REPORT) is None


def test_the_pages_are_the_same_in_every_process(shared_database: str, process: Callable[..., SharedLab]) -> None:
    apps = [create_app(shared_database, bot_pause=0.0, warm=False, bots=False) for _ in range(2)]
    with TestClient(apps[0], follow_redirects=False) as here, TestClient(apps[1], follow_redirects=False) as there:
        address = here.post("/lab", data=FORM | {"games": "20"}).headers["location"]
        assert "stands in line" in there.get(address).text
        assert "/stop" not in there.get(address).text, "it is another's"
        assert there.post(f"{address}/stop").status_code == 403
        process(hands=1)
        until(lambda: 'data-state="done"' in there.get(f"{address}/now").text)
        for one in (here, there):
            assert "<svg" in one.get(f"{address}/report.html").text
            assert one.get(f"{address}/games.parquet").content[:4] == b"PAR1"
        there.cookies.update(here.cookies)
        assert there.post(f"{address}/forget").status_code == 303
        assert here.get(address).status_code == 404


def test_whoever_is_killed_at_it_loses_and_doubles_nothing(
    shared_database: str, process: Callable[..., SharedLab], start: Callable[..., None], tmp_path: Path
) -> None:
    """A worker dies (SIGKILL) amid its games; another goes on from those that were kept, and the answer is the same."""
    from sutler.bots import parse_bots
    from sutler.lab.designer.questions import build_edited_game
    from sutler.lab.play.experiment import Plan, run

    asked, lab = question(games=2500), process()
    one = lab.ask_question(asked)
    first = Process("worker", shared_database, "--threads", "1")
    start(first)
    until(lambda: lab.get_experiment(one.id).done >= 3 * 128)
    first.kill()
    far = lab.get_experiment(one.id).done
    assert lab.get_experiment(one.id).state == "running", "nobody knows yet"
    with lab.store.engine.connect() as connection:
        parts = connection.scalar(select(func.count()).where(FINDINGS.c.name.endswith(".parquet")))
    assert parts
    pass_over(lab)
    start(Process("worker", shared_database, "--threads", "1"))
    seen: list[int] = []
    until(lambda: seen.append(lab.get_experiment(one.id).done) or not lab.get_experiment(one.id).open)
    assert min(seen) >= far, "it did not begin anew"
    assert lab.get_experiment(one.id).state == "done", lab.get_experiment(one.id).trouble
    run(Plan(build_edited_game(asked), parse_bots("random"), 2500, 1, 2), tmp_path / GAMES)
    assert table(lab.find_file(one.id, GAMES)).equals(table(tmp_path / GAMES))
    with lab.store.engine.connect() as connection:
        names = set(connection.scalars(select(FINDINGS.c.name)))
    assert not [name for name in names if "parts" in name], "what has gone into the whole is gone"


def test_whoever_comes_late_writes_nothing(process: Callable[..., SharedLab]) -> None:
    lab = process()
    one = lab.ask_question(question())
    slow, quick = LabWorker(lab.store), LabWorker(lab.store)
    late = slow.claim_question()
    assert late is not None
    assert quick.claim_question() is None, "it is in hand"
    pass_over(lab)
    now = quick.claim_question()
    assert now is not None
    report = one.folder / REPORT
    report.parent.mkdir(parents=True)
    report.write_text("late")
    one.done = 7
    with pytest.raises(ClaimLost):
        slow.store_progress(late, one, {})
    assert lab.get_experiment(one.id).done == 0
    assert lab.find_file(one.id, "anything") is None
    assert not lab.get_experiment(one.id).report
    slow._release_claim(late)
    assert lab.get_experiment(one.id).state == "running", "it is another's now"
    quick.store_progress(now, one, {})
    assert lab.get_experiment(one.id).done == 7
    lab.stop_question(one.id)
    with pytest.raises(ClaimLost):
        quick.store_progress(now, one, {})
    assert lab.get_experiment(one.id).state == "stopped"
    lab.resume_question(one.id)
    assert lab.get_experiment(one.id).state == "waiting"


def test_everybody_in_turn_whoever_is_asked(process: Callable[..., SharedLab]) -> None:
    here, there = process(), process()
    mine = [here.ask_question(question(seed=seed), "Agnes").id for seed in range(3)]
    other = there.ask_question(question(), "Perrin").id
    claims = [LabWorker(lab.store).claim_question() for lab in (here, there, here, there, here)]
    assert [one and one.id for one in claims] == [mine[0], other, mine[1], mine[2], None]
    with pytest.raises(Refused, match="3 questions of yours"):
        there.ask_question(question(), "Agnes")
    with pytest.raises(Refused, match="Somebody else"):
        there.stop_question(mine[0], "Perrin")
    for i in range(16):
        (here, there)[i % 2].ask_question(question(), f"guest {i}")
    with pytest.raises(Refused, match="20 questions"):
        there.ask_question(question(), "one more")


def test_a_worker_that_is_asked_to_stop_hands_it_back(process: Callable[..., SharedLab]) -> None:
    lab, other = process(), process(hands=1)
    one = lab.ask_question(question(games=100_000))
    until(lambda: lab.get_experiment(one.id).state == "running")
    other.close()
    assert lab.get_experiment(one.id).state == "waiting"


def test_a_question_that_cannot_be_answered_says_why(process: Callable[..., SharedLab]) -> None:
    lab = process()
    one = lab.ask_question(question())
    broken = lab.get_experiment(one.id).question.model_copy(update={"edit": "[[card"}).model_dump_json()
    lab.store.run_in_transaction(lambda connection: connection.execute(update(QUESTIONS).values(body=broken)))
    process(hands=1)
    until(lambda: not lab.get_experiment(one.id).open)
    assert lab.get_experiment(one.id).state == "failed"
    assert lab.get_experiment(one.id).trouble
