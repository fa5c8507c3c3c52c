"""Bots that users write: a class with a method `choose(view)`, or a function `choose(view)`, checked as soon as it is named.

`make_bot` makes a bot from the class or function of a file, `checked` checks a bot that was made in Python, and `decided` asks a bot
for a decision. What is wrong is told as a BotFault, with the user's file and line.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.core.actions import IllegalAction

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.position import SeatView

OURS = __name__.partition(".")[0]
WRITE = (
    "choose is handed the view and nothing else; write `def choose({before}view)`: "
    "view.actions() are the legal actions, view.luck is a generator of its own"
)


class BotFault(ValueError):
    """An error: a bot that a user wrote has failed; the message says in which file and line, and why."""


@dataclass(frozen=True)
class FunctionBot:
    """A bot made from a function `choose(view)`."""

    function: Callable[[SeatView], Any]
    name: str

    def choose(self, view: SeatView) -> Any:
        """The function's answer for a view."""
        return self.function(view)


# --- From a file ----------------------------------------------------------------


@functools.cache
def load_module(path: Path) -> Any:
    """The module made by running a Python file; each file is run once. BotFault, with its line, where it fails."""
    name = f"sutler_bot_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise BotFault(f"{path}{_format_error_line(error, str(path))}: {type(error).__name__}: {error}") from error
    return module


def find_bot_in_module(module: Any, path: Path, name: str | None) -> Any:
    """The class with a method `choose` in a file's module, or its function `choose` where there is no such class.

    name: which one, where there are several. ValueError where there is none of this name, or several and `name` is None.
    """
    own = {key: one for key, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__}
    classes = {key: one for key, one in own.items() if isinstance(one, type) and hasattr(one, "choose")}
    functions = {key: one for key, one in own.items() if key == "choose" and inspect.isroutine(one)}
    if name is not None and name in classes | functions:
        return (classes | functions)[name]
    there = classes or functions
    if name is not None or len(there) != 1:
        listed = ", ".join(there) or "no class with a method `choose`, and no function `choose`"
        raise ValueError(f"{path}: {f'there is no bot {name!r}.' if name else 'which one?'} It has {listed}.")
    return next(iter(there.values()))


def make_bot(maker: Any, settings: Mapping[str, Any], default_name: str) -> Any:
    """The checked bot made from a class or a function.

    settings: arguments for the class. default_name: the bot's name, if it has none. BotFault where it cannot be made or has no usable
    `choose`; a ValueError that the class raises about a setting is passed on.
    """
    if not isinstance(maker, type):
        return check_bot(FunctionBot(maker, default_name))
    missing = [
        key
        for key, one in inspect.signature(maker).parameters.items()
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and key not in settings
    ]
    if missing:
        raise BotFault(
            f"{format_source_place(maker)}: {maker.__name__} wants {', '.join(missing)}; give each a default"
        )
    try:
        made = maker(**settings)
    except ValueError:
        raise  # a setting that it refuses in its own words
    except Exception as error:
        raise BotFault(
            f"{format_source_place(maker, error)}: {maker.__name__} cannot be made: {type(error).__name__}: {error}"
        ) from error
    return check_bot(made, default_name)


# --- Made in Python ---------------------------------------------------------------


def check_bot(player: Any, default_name: str = "") -> Any:
    """The bot, after checking that it has a `choose` that takes a view and nothing else; BotFault otherwise.

    A plain function is wrapped into a FunctionBot. A bot without a name gets `default_name`, or the name of its class.
    """
    if is_built_in(player):
        return player
    if inspect.isroutine(player):
        player = FunctionBot(player, default_name or player.__name__)
    if isinstance(player, type):
        raise BotFault(
            f"{format_source_place(player)}: {player.__name__} is a class; hand in a bot made of it: {player.__name__}()"
        )
    _require_takes_view(player)
    name = getattr(player, "name", None)
    if name is not None and not isinstance(name, str):
        raise BotFault(f"{format_source_place(player)}: its name is {name!r}; a bot's name is a text")
    if not name:
        _set_bot_name(player, default_name or type(player).__name__)
    return player


def _require_takes_view(player: Any) -> None:
    """Raise BotFault, with file and line, unless the bot has a method (or is a function) that takes one view."""
    choose = player.function if isinstance(player, FunctionBot) else getattr(player, "choose", None)
    if not callable(choose):
        raise BotFault(f"{format_source_place(player)}: it has no method `choose`")
    if inspect.iscoroutinefunction(choose) or inspect.isgeneratorfunction(choose) or inspect.isasyncgenfunction(choose):
        raise BotFault(
            f"{format_source_place(player)}: choose is asynchronous or a generator; it gives back one action"
        )
    try:
        inspect.signature(choose).bind(None)
    except ValueError:
        return  # it has no signature, as what is written in C
    except TypeError:
        before = "" if isinstance(player, FunctionBot) else "self, "
        raise BotFault(f"{format_source_place(player)}: {WRITE.format(before=before)}") from None


def _set_bot_name(player: Any, name: str) -> None:
    """Set the bot's name; on its class where the object has no place for it (`__slots__`)."""
    try:
        object.__setattr__(player, "name", name)
    except (AttributeError, TypeError):
        type(player).name = name


# --- Asked ------------------------------------------------------------------------


def choose_checked_action(player: Any, view: SeatView) -> Action:
    """The action that a bot chooses in a view. A bot that a user wrote may return an Action, its id or its name.

    BotFault where such a bot raises, or chooses what is not legal.
    """
    if is_built_in(player):
        chosen: Action = player.choose(view)
        return chosen
    try:
        answer = player.choose(view)
    except Exception as error:
        raise BotFault(
            f"{format_source_place(player, error)}: the bot fails: {type(error).__name__}: {error}"
        ) from error
    try:
        action = view.game.action(answer)
    except IllegalAction as fault:
        raise BotFault(f"{format_source_place(player)}: choose gives back what is no action: {fault}") from None
    if action.id not in view.legal:
        raise BotFault(f"{format_source_place(player)}: the bot chose {action.name!r}, which is not legal")
    return action


def is_built_in(player: Any) -> bool:
    """Does this bot come with Sutler? A FunctionBot does not, since it wraps a user's function."""
    return type(player).__module__.partition(".")[0] == OURS and not isinstance(player, FunctionBot)


def format_source_place(bot: Any, error: BaseException | None = None) -> str:
    """The place to name in a BotFault: the line where the bot failed with `error`, else the line of its `choose` (`mine.py, line 4`)."""
    code = bot.function if isinstance(bot, FunctionBot) else bot if isinstance(bot, type) else type(bot)
    try:
        file = inspect.getfile(code)
    except (TypeError, OSError):  # typed in, not read from a file
        file = getattr(code, "__qualname__", repr(code))
    if error is not None and (line := _format_error_line(error, file)):
        return file + line
    made = getattr(inspect.unwrap(getattr(code, "choose", code)), "__code__", None)
    return f"{file}, line {made.co_firstlineno}" if made is not None and made.co_filename == file else file


def _format_error_line(error: BaseException, file: str) -> str:
    """The last line of this file in the error's traceback, as ", line 4"; "" where the file is not in it."""
    lines = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines.append(error.lineno)
    return f", line {lines[-1]}" if lines else ""
