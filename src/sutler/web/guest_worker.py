"""The process that tries out files which visitors send, outside the server, within limits of processor time and memory.

`JOBS` holds its jobs by name; each takes plain data (JSON) and returns plain data. `jobs.guest_process` starts this module as a program
and writes jobs to its standard input.
"""

from __future__ import annotations

import base64
import functools
import math
import os
import sys
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sutler.core.rule import PLAIN_ONLY
from sutler.core.text.language import set_language
from sutler.web.errors import RequestError
from sutler.web.events import Created
from sutler.web.game_shelf import Shelf
from sutler.web.jobs.guest_process import PLAIN_FACTOR, build_limit_error, read_message, write_message

try:
    import resource
except ImportError:  # not on Windows: there only the clock on the wall ends a job
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from sutler.core.play.game import Game

JOBS: dict[str, Callable[[Shelf, dict[str, Any]], Any]] = {}


def register_job(function: Callable[[Shelf, dict[str, Any]], Any]) -> Callable[[Shelf, dict[str, Any]], Any]:
    """Register a function as a job, under its own name."""
    JOBS[function.__name__] = function
    return function


@register_job
def prepare_table(shelf: Shelf, given: dict[str, Any]) -> Any:
    """The plan (`Created`) of a new table, with the visitor's files applied to it: box, settings, position.

    `given`: "created", the plan so far; "files", name and base 64 content by kind of file; "before", the level of the bots that play up
    to the position from which the game begins.
    """
    from sutler.web.lobby import late_start, uploads

    created = Created.model_validate(given["created"])
    files = {kind: uploads.AttachedFile(name, base64.b64decode(data)) for kind, (name, data) in given["files"].items()}
    created = uploads.apply_files(shelf, created, files)
    return late_start.play_earlier_part(shelf, created, given["before"]).model_dump(mode="json")


@register_job
def open_toml(shelf: Shelf, given: dict[str, Any]) -> Any:
    """The kind of an uploaded TOML file.

    {"lesson": the plan of its table}, or {"game", "kind", "seats", "title"} to fill in the form of a new table.

    `given`: "name" and "data" (base 64) of the file, and "chosen", the game that the visitor has chosen.
    """
    from sutler.web.lobby import uploads

    file = uploads.AttachedFile(given["name"], base64.b64decode(given["data"]))
    if (lesson := uploads.plan_from_lesson_file(shelf, file)) is not None:
        return {"lesson": lesson.model_dump(mode="json")}
    found = uploads.identify_file(shelf, file, given["chosen"])
    return {"game": found.game, "kind": found.kind, "seats": found.seats, "title": found.title}


@register_job
def open_game(shelf: Shelf, given: dict[str, Any]) -> Any:
    """A table that shows an uploaded game file or playthrough: {"created": its plan, "events": its moves, "box": its box}.

    `given`: "name" and "data" (base 64) of the file; "play": is it a playthrough written by hand?
    """
    from sutler.web.lobby import game_files

    data = base64.b64decode(given["data"])
    laid = (
        game_files.replay_playthrough(shelf, given["name"], data)
        if given["play"]
        else game_files.replay_game_file(shelf, data)
    )
    return laid.model_dump(mode="json")


@register_job
def check_question(shelf: Shelf, given: dict[str, Any]) -> Any:
    """Check a question to the lab, `given` as plain data. Raises Refused where it cannot be asked."""
    from sutler.lab.designer.questions import Question
    from sutler.web.lab.service import require_question_possible

    require_question_possible(Question.model_validate(given))
    return None


@register_job
def print_game(shelf: Shelf, given: dict[str, Any]) -> Any:
    """A game as printable sheets, one HTML page. `given`: "game", its name, and "paper", the size of the sheets."""
    from sutler.web.paper.layout import Layout
    from sutler.web.paper.sheets_page import render_sheets

    return render_sheets(shelf.load_game(given["game"]), Layout(given["paper"]))


@register_job
def print_edited_game(shelf: Shelf, given: dict[str, Any]) -> Any:
    """The game of a question to the lab, with the question's changes, as printable sheets: one HTML page.

    `given`: "question" as plain data, and "paper", the size of the sheets.
    """
    from sutler.lab.designer.questions import Question, build_edited_game
    from sutler.web.paper.layout import Layout
    from sutler.web.paper.sheets_page import render_sheets

    return render_sheets(build_edited_game(Question.model_validate(given["question"])), Layout(given["paper"]))


class _GuestShelf(Shelf):
    """The games that jobs on visitors' files use. Nothing is compiled here: rules run compiled only if their machine code is cached."""

    seconds = 0
    """Processor seconds of the current job."""
    may_take_longer = False
    """Was the current job's limit raised because rules run as plain Python? It is raised once, however many games the job loads."""
    tell: Callable[[dict[str, Any]], None] = staticmethod(lambda message: None)
    """Send a message to the server; called with {"plain": True} when the limit is raised, so that the server waits longer too."""

    def limit_next_job(self, seconds: int) -> None:
        """Limit the processor time of the next job to this many seconds."""
        self.seconds, self.may_take_longer = seconds, False
        limit_processor_time(seconds)

    def load_game(self, name: str, *args: Any, **more: Any) -> Game:
        """A game, as `Shelf.load_game` loads it. With rules not compiled yet, the job may take PLAIN_FACTOR times the processor time."""
        from sutler.core.compilation.warm import Scope, is_warm
        from sutler.core.play.registry import load_definition

        if name in self.list_installed_games():
            found = load_definition(name)
            home = found.home
            # a guest's job may be one of the lab's
            home.interpreted = PLAIN_ONLY or not is_warm(found, Scope.LAB)
            if home.interpreted and not self.may_take_longer:
                self.may_take_longer = True
                limit_processor_time(self.seconds * PLAIN_FACTOR)
                self.tell({"plain": True})
        return super().load_game(name, *args, **more)


def limit_processor_time(seconds: int) -> None:
    """Have the operating system end this process after this many more seconds of processor time."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + seconds, hard))


def limit_memory(extra_bytes: int) -> None:
    """Limit this process to `extra_bytes` bytes beyond what it has mapped now; any allocation past that raises MemoryError."""
    if resource is None or not os.path.exists("/proc/self/statm"):
        return
    with open("/proc/self/statm", encoding="ascii") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (mapped + extra_bytes, hard))


def run_job(shelf: Shelf, message: dict[str, Any]) -> dict[str, Any]:
    """Run the job of one message: {"answer": …}, {"trouble": [text, rule, status]} or {"fault": traceback}.

    The key "last" is added where the process must end afterwards. `message`: "job", its name; "given", its data; "language".
    """
    set_language(message["language"])
    try:
        return {"answer": JOBS[message["job"]](shelf, message["given"])}
    except RequestError as trouble:
        return {"trouble": [trouble.text, trouble.rule, trouble.status]}
    except MemoryError:
        return {"trouble": [build_limit_error().text, "", build_limit_error().status], "last": True}
    except Exception:
        return {"fault": traceback.format_exc(), "last": True}


def main(arguments: list[str]) -> int:
    """Answer jobs from standard input until it closes. `arguments`: the number of bytes that a job may allocate."""
    pipe_in, pipe_out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what jobs print goes to standard error, not among the answers
    import sutler.web.lobby.late_start
    import sutler.web.lobby.uploads  # noqa: F401  (imported now, so that no job's limits pay for it)

    shelf, memory = _GuestShelf(), int(arguments[0])
    shelf.tell = functools.partial(write_message, pipe_out)
    write_message(pipe_out, {"ready": True})
    while (message := read_message(pipe_in)) is not None:
        shelf.limit_next_job(int(message["seconds"]))
        limit_memory(memory)
        write_message(pipe_out, run_job(shelf, message))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
