"""Bots of one's own, checked when they are named: a class with `choose(view)`, or a function `choose(view)`.

`make_bot` makes the bot of a file, `checked` takes a bot that was made in Python, and `decided` asks either for a decision. What is wrong
with it is said as a BotFault, with its file and line.
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

from sutler.core.play.illegal import IllegalAction

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.seat import SeatView

OURS = __name__.partition(".")[0]
WRITE = (
    "choose is handed the view and nothing else; write `def choose({before}view)`: "
    "view.actions() are the legal actions, view.luck is a generator of its own"
)


class BotFault(ValueError):
    """A bot of one's own failed: the message says which file, which line, and why."""


@dataclass(frozen=True)
class FunctionBot:
    """A function `choose(view)` as a bot."""

    function: Callable[[SeatView], Any]
    name: str

    def choose(self, view: SeatView) -> Any:
        """The function's answer."""
        return self.function(view)


# --- From a file ----------------------------------------------------------------


@functools.cache
def module_at(path: Path) -> Any:
    """The module in a file, run once. ValueError when it cannot be run."""
    name = f"sutler_bot_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise BotFault(f"{path}{_line(error, str(path))}: {type(error).__name__}: {error}") from error
    return module


def bot_in_module(module: Any, path: Path, name: str | None) -> Any:
    """The bot in a file: its class with `choose`, or its function `choose` where no class has one; `name` picks among several.

    ValueError when there is none, or more than one and none is named.
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
    """The bot made from a file's class or function with these settings. BotFault when it cannot be asked."""
    if not isinstance(maker, type):
        return checked(FunctionBot(maker, default_name))
    missing = [
        key
        for key, one in inspect.signature(maker).parameters.items()
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and key not in settings
    ]
    if missing:
        raise BotFault(f"{source_place(maker)}: {maker.__name__} wants {', '.join(missing)}; give each a default")
    try:
        made = maker(**settings)
    except ValueError:
        raise  # a setting that it refuses in its own words
    except Exception as error:
        raise BotFault(
            f"{source_place(maker, error)}: {maker.__name__} cannot be made: {type(error).__name__}: {error}"
        ) from error
    return checked(made, default_name)


# --- Made in Python ---------------------------------------------------------------


def checked(player: Any, default_name: str = "") -> Any:
    """The bot itself, with a name if it had none (`default_name`, or its class's); a bare function becomes a bot.

    BotFault when it has no `choose` that can be handed a view and nothing else.
    """
    if is_ours(player):
        return player
    if inspect.isroutine(player):
        player = FunctionBot(player, default_name or player.__name__)
    if isinstance(player, type):
        raise BotFault(
            f"{source_place(player)}: {player.__name__} is a class; hand in a bot made of it: {player.__name__}()"
        )
    _must_take_a_view(player)
    name = getattr(player, "name", None)
    if name is not None and not isinstance(name, str):
        raise BotFault(f"{source_place(player)}: its name is {name!r}; a bot's name is a text")
    if not name:
        _give_name(player, default_name or type(player).__name__)
    return player


def _must_take_a_view(player: Any) -> None:
    choose = player.function if isinstance(player, FunctionBot) else getattr(player, "choose", None)
    if not callable(choose):
        raise BotFault(f"{source_place(player)}: it has no method `choose`")
    if inspect.iscoroutinefunction(choose) or inspect.isgeneratorfunction(choose) or inspect.isasyncgenfunction(choose):
        raise BotFault(f"{source_place(player)}: choose is asynchronous or a generator; it gives back one action")
    try:
        inspect.signature(choose).bind(None)
    except ValueError:
        return  # it has no signature, as what is written in C
    except TypeError:
        before = "" if isinstance(player, FunctionBot) else "self, "
        raise BotFault(f"{source_place(player)}: {WRITE.format(before=before)}") from None


def _give_name(player: Any, name: str) -> None:
    """Set the name on the bot; on its class where its bots have no room for it (`__slots__`)."""
    try:
        object.__setattr__(player, "name", name)
    except (AttributeError, TypeError):
        type(player).name = name


# --- Asked ------------------------------------------------------------------------


def decided(player: Any, view: SeatView) -> Action:
    """The action that a bot chooses; one of one's own may say it by its id or its name.

    BotFault where a bot of one's own fails, or chooses what is not legal.
    """
    if is_ours(player):
        chosen: Action = player.choose(view)
        return chosen
    try:
        answer = player.choose(view)
    except Exception as error:
        raise BotFault(f"{source_place(player, error)}: the bot fails: {type(error).__name__}: {error}") from error
    try:
        action = view.game.action(answer)
    except IllegalAction as fault:
        raise BotFault(f"{source_place(player)}: choose gives back what is no action: {fault}") from None
    if action.id not in view.legal:
        raise BotFault(f"{source_place(player)}: the bot chose {action.name!r}, which is not legal")
    return action


def is_ours(player: Any) -> bool:
    """Does this bot's class come with Sutler, and not merely wrap a function of somebody's own?"""
    return type(player).__module__.partition(".")[0] == OURS and not isinstance(player, FunctionBot)


def source_place(what: Any, error: BaseException | None = None) -> str:
    """The place in a bot's own file where it failed, or else of its `choose`: `mine.py, line 4`."""
    code = what.function if isinstance(what, FunctionBot) else what if isinstance(what, type) else type(what)
    try:
        file = inspect.getfile(code)
    except (TypeError, OSError):  # typed in, not read from a file
        file = getattr(code, "__qualname__", repr(code))
    if error is not None and (line := _line(error, file)):
        return file + line
    made = getattr(inspect.unwrap(getattr(code, "choose", code)), "__code__", None)
    return f"{file}, line {made.co_firstlineno}" if made is not None and made.co_filename == file else file


def _line(error: BaseException, file: str) -> str:
    """The last line of this file that the error came through, as ", line 4"; "" where it came through none."""
    lines = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines.append(error.lineno)
    return f", line {lines[-1]}" if lines else ""
