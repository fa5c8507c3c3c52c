"""The jobs of the process that reads what guests send (`guest_process`): each takes plain data and gives plain data.

Run as a program it serves jobs from its standard input, each within a limit of processor seconds and of memory.
"""

from __future__ import annotations

import base64
import math
import os
import sys
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sutler.core.language import read_in
from sutler.core.rule import PLAIN_ONLY
from sutler.web.errors import Trouble
from sutler.web.events import Created
from sutler.web.jobs.guest_process import PLAIN_FACTOR, receive, send, too_dear
from sutler.web.shelf import Shelf

try:
    import resource
except ImportError:  # not on Windows: there only the clock on the wall ends a job
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from sutler.core.game import Game

JOBS: dict[str, Callable[[Shelf, dict[str, Any]], Any]] = {}


def job(function: Callable[[Shelf, dict[str, Any]], Any]) -> Callable[[Shelf, dict[str, Any]], Any]:
    """Enter a function among the jobs, under its own name."""
    JOBS[function.__name__] = function
    return function


@job
def prepare_table(shelf: Shelf, given: dict[str, Any]) -> Any:
    """The plan of a new table with the guest's box, settings and position, and with what bots play before it."""
    from sutler.web.lobby import late_start, uploads

    created = Created.model_validate(given["created"])
    files = {kind: uploads.Attached(name, base64.b64decode(data)) for kind, (name, data) in given["files"].items()}
    created = uploads.with_files(shelf, created, files)
    return late_start.with_before(shelf, created, given["before"]).model_dump(mode="json")


@job
def open_toml(shelf: Shelf, given: dict[str, Any]) -> Any:
    """What a TOML file is: {"lesson": the plan of its table}, or {"game", "kind", "seats", "title"} to fill in a form with."""
    from sutler.web.lobby import uploads

    file = uploads.Attached(given["name"], base64.b64decode(given["data"]))
    if (lesson := uploads.taught(shelf, file)) is not None:
        return {"lesson": lesson.model_dump(mode="json")}
    found = uploads.opened(shelf, file, given["chosen"])
    return {"game": found.game, "kind": found.kind, "seats": found.seats, "title": found.title}


@job
def open_game(shelf: Shelf, given: dict[str, Any]) -> Any:
    """A game file or a playthrough, replayed: {"created", "events", "box"} for a table on which it lies."""
    from sutler.web.lobby import game_files

    data = base64.b64decode(given["data"])
    laid = game_files.replayed_play(shelf, given["name"], data) if given["play"] else game_files.replayed(shelf, data)
    return laid.model_dump(mode="json")


@job
def check_question(shelf: Shelf, given: dict[str, Any]) -> Any:
    """Nothing, where a question can be asked of the lab; else it is refused in words."""
    from sutler.lab.designer.questions import Question
    from sutler.web.lab.service import require_possible

    require_possible(Question.model_validate(given))
    return None


@job
def print_game(shelf: Shelf, given: dict[str, Any]) -> Any:
    """A printed game as sheets: one page of HTML."""
    from sutler.web.lobby.print_sheets import printed_box

    return printed_box(shelf.game(given["game"]), given["paper"])


@job
def print_edited_game(shelf: Shelf, given: dict[str, Any]) -> Any:
    """The game that a question to the lab asks about, with the question's edit, as sheets: one page of HTML."""
    from sutler.lab.designer.questions import Question, edited_game
    from sutler.web.lobby.print_sheets import printed_page

    return printed_page(edited_game(Question.model_validate(given["question"])), given["paper"])


class _Shelf(Shelf):
    """Games whose rules run compiled where machine code is kept already; nothing is compiled here."""

    seconds = 0
    """Processor seconds of the job that is being done."""

    def game(self, name: str, *args: Any, **more: Any) -> Game:
        """A game, as the house has it; a job that needs rules as plain Python may take longer."""
        from sutler.core.registry import definition

        if name in self.installed():
            home = definition(name).home
            home.interpreted = PLAIN_ONLY or not home.is_warm
            if home.interpreted:
                limit_processor(self.seconds * PLAIN_FACTOR)
        return super().game(name, *args, **more)


def limit_processor(seconds: int) -> None:
    """End this process when it has worked so many processor seconds from now on."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + seconds, hard))


def limit_memory(more: int) -> None:
    """Let this process allocate so many bytes more than it has mapped now; beyond that there is a MemoryError."""
    if resource is None or not os.path.exists("/proc/self/statm"):
        return
    with open("/proc/self/statm", encoding="ascii") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (mapped + more, hard))


def answer(shelf: Shelf, message: dict[str, Any]) -> dict[str, Any]:
    """Do one job: {"answer": …}, {"trouble": [text, rule, status]} or {"fault": traceback}; "last" where the process must go."""
    read_in(message["language"])
    try:
        return {"answer": JOBS[message["job"]](shelf, message["given"])}
    except Trouble as trouble:
        return {"trouble": [trouble.text, trouble.rule, trouble.status]}
    except MemoryError:
        return {"trouble": [too_dear().text, "", too_dear().status], "last": True}
    except Exception:
        return {"fault": traceback.format_exc(), "last": True}


def main(arguments: list[str]) -> int:
    """Serve jobs until there are no more. `arguments`: how many bytes a job may allocate."""
    pipe_in, pipe_out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed must not get among the answers
    import sutler.web.lobby.late_start
    import sutler.web.lobby.uploads  # noqa: F401  (what is loaded now counts for no job)

    shelf, memory = _Shelf(), int(arguments[0])
    send(pipe_out, {"ready": True})
    while (message := receive(pipe_in)) is not None:
        shelf.seconds = int(message["seconds"])
        limit_processor(shelf.seconds)
        limit_memory(memory)
        send(pipe_out, answer(shelf, message))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
