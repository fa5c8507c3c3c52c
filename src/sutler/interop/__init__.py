"""The interfaces of other libraries that learners use, one file for each library, each an optional extra. They only translate."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.game import Game


class Missing(ImportError):
    """An optional library is not installed; the message says what to install."""


def wanted(module: str, extra: str) -> ModuleType:
    """Import an optional library; Missing, with the command that installs it, if it is not there."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and not module.startswith(error.name):
            raise
        raise Missing(f'{module} is not installed; it comes with: pip install "sutler[{extra}]"') from None


@contextlib.contextmanager
def said_if_compiling(game: Game) -> Iterator[None]:
    """Say on the standard error, in one line, that rules are being compiled, if any are inside: it takes a while."""
    if game.definition.home.interpreted:
        yield
        return
    from sutler.core.machine.events import told_of_compiling

    said: list[str] = []

    def begun(what: str) -> None:
        if not said:
            said.append(what)
            beforehand = f"`sutler warm {game.name}` does it beforehand"
            print(f"sutler: compiling {game.title} for this machine, once; {beforehand}", file=sys.stderr, flush=True)

    with told_of_compiling(begun):
        yield


def warm(game: Game) -> None:
    """Compile what learners' interfaces call, or load it from the cache."""
    from sutler.interop.session import Session
    from sutler.interop.vector import Vector

    session = Session(game)
    session.reset(1)
    session.step(session.legal()[0])
    session.returns()
    for bots in ("", "random"):
        games = Vector(game, 2, bots=bots, threads=1)
        games.reset(seed=1)
        games.step(games.sample())
        games.decide("greedy")
        games.show()
        games.close()
