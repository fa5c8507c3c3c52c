"""Optional libraries: imported where they are installed, else named with what to install; and a word while rules are compiled."""

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
