"""Errors of commands as messages without a traceback; exit code 2 where the user can correct something, else 1."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import typer


class CommandError(Exception):
    """An error that the user can correct; the message says what cannot be done, and why."""


@contextlib.contextmanager
def print_errors_as_sentences() -> Iterator[None]:
    """Print errors raised in the `with` block as sentences and exit: with 2 where the user can correct something, 1 for a bug in Sutler.

    With SUTLER_TRACE=1 errors are raised.
    """
    try:
        yield
    except (typer.Exit, typer.Abort, KeyboardInterrupt, BrokenPipeError, SystemExit):
        raise
    except Exception as error:
        if os.environ.get("SUTLER_TRACE"):
            raise
        from sutler.core.files.box import BoxError

        if _is_disk_full(error):
            print(
                f"sutler: the disk is full, or nothing more can be written there ({error}): make room, or name another place",
                file=sys.stderr,
            )
            raise typer.Exit(2) from None
        if place := find_place_in_user_file(error):
            print(f"sutler: {place}: {type(error).__name__}: {error}", file=sys.stderr)
            raise typer.Exit(2) from None
        text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
        if isinstance(error, (CommandError, BoxError, ValueError, KeyError, OSError)) and text:
            print(f"sutler: {text}", file=sys.stderr)
            raise typer.Exit(2) from None
        print(
            f"sutler: a fault of ours: {type(error).__name__}: {text}\n"
            "Nothing of yours was lost. Run it again with SUTLER_TRACE=1 and please tell us what it says.",
            file=sys.stderr,
        )
        raise typer.Exit(1) from None


def find_place_in_user_file(error: BaseException) -> str:
    """The place of an error in a user's own game or bot, as "a fault in FILE, line N"; "" if it arose in Sutler or a library."""
    import sysconfig
    import traceback

    import sutler
    from sutler.core.files.box import BoxError

    if isinstance(error, CommandError | BoxError):
        return ""
    if isinstance(error, SyntaxError) and error.filename:
        file, line, code = error.filename, error.lineno or 0, error.text or ""
    else:
        frames = traceback.extract_tb(error.__traceback__)
        if not frames:
            return ""
        file, line, code = frames[-1].filename, frames[-1].lineno or 0, frames[-1].line or ""
    ours = (str(Path(sutler.__file__).parent), *(sysconfig.get_path(kind) for kind in ("stdlib", "purelib", "platlib")))
    if not Path(file).is_file() or Path(file).resolve().is_relative_to(sys.prefix) or file.startswith(ours):
        return ""
    said = f" ({code.strip()})" if code.strip() else ""
    return f"a fault in {file}, line {line}{said}"


def _is_disk_full(error: BaseException) -> bool:
    """Does this error mean that the disk is full?

    Libraries raise errors of their own classes for that, so the message is searched too.
    """
    return getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or os.strerror(errno.ENOSPC) in str(error)


def require_game_name(name: str) -> str:
    """The name of a game as registered, from a name in any case or from a card game's file (FILE.toml).

    CommandError suggests similar names.
    """
    import difflib

    from sutler.core.play.registry import games

    if name.endswith(".toml"):
        return register_card_game_file(Path(name))

    names = games()
    if name.casefold() in names:
        return name.casefold()
    near = difflib.get_close_matches(name.casefold(), names, n=2, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise CommandError(f"there is no game {name!r}; there are {', '.join(names)}.{hint}")


def register_card_game_file(file: Path) -> str:
    """Install a card game's file for this process, and return the game's name.

    Prints, once for each file, what can never happen in the game.
    """
    from sutler.cardkit.trial_games import install_and_try_card_game

    if file.is_file() and not re.search(
        r"^\s*\[+ *(game|kind|cards) *\]", file.read_text("utf-8", "replace"), re.MULTILINE
    ):
        raise CommandError(
            f"{file} is no card game: it has no [game]. Is it an edit of a box? Then: sutler play GAME --box {file}"
        )
    name, notes = install_and_try_card_game(file)
    for note in notes if str(file) not in _noted else []:
        print(f"sutler: {note}", file=sys.stderr)
    _noted.add(str(file))
    return name


_noted: set[str] = set()
"""The files whose notes on what can never happen were printed already."""


def parse_settings(pairs: list[str]) -> dict[str, int | bool | str]:
    """{key: value} of the settings `KEY=VALUE` typed after `--set`; BoxError names one that has no such form."""
    from sutler.core.files.box import parse_setting_pairs

    return parse_setting_pairs(pairs)
