"""`@rule`: one source, run as plain Python or compiled. The only file that names the compiler.

A `Rule` is callable from Python and from other rules. Called from compiled code it is the compiled function; called from
Python it is whatever its *home* says: a game's folder starts interpreted when its machine code is not yet in the cache, and
is switched over, in the middle of a game if need be, once it is. States are the same bytes either way.

Compiled code is cached under a folder named by a fingerprint of everything it was made from: the sources and TOML files of
its home and of `core`, the versions and the flags. Numba's own cache looks at one file only and would hand out stale code.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config as compiler_flags
from numba.extending import typeof_impl

CORE = Path(__file__).parent
PLAIN_ONLY = os.environ.get("SUTLER_PLAIN", "") not in ("", "0")
KEPT_FINGERPRINTS = 4  # older machine code of the same home is deleted


def cache_root() -> Path:
    """Where compiled rules are kept: $SUTLER_CACHE, else the user's cache folder."""
    if named := os.environ.get("SUTLER_CACHE"):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "sutler"


def _digest_folder(digest: Any, folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml") and path.is_file():
            digest.update(str(path.relative_to(folder)).encode())
            digest.update(path.read_bytes())


class Home:
    """A folder whose rules are compiled and cached together: a game, or `core` itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rules: list[Rule] = []
        self.interpreted = folder == CORE or PLAIN_ONLY  # core's words are tiny: from Python they run as they stand
        digest = hashlib.sha256()
        versions = (sys.version, numba.__version__, np.__version__, platform.machine(), str(compiler_flags.BOUNDSCHECK))
        digest.update(repr(versions).encode())
        for part in {folder, CORE}:
            _digest_folder(digest, part)
        self.fingerprint = digest.hexdigest()[:16]

    @property
    def cache(self) -> Path:
        """The folder of this home's machine code."""
        return cache_root() / f"{self.folder.name}-{self.fingerprint}"

    @property
    def is_warm(self) -> bool:
        """Has a complete set of machine code been left in the cache?"""
        return (self.cache / "complete").exists()

    def mark_warm(self) -> None:
        """Say that everything has been compiled, and sweep out what older sources left behind."""
        self.cache.mkdir(parents=True, exist_ok=True)
        (self.cache / "complete").touch()
        siblings = sorted(
            cache_root().glob(f"{self.folder.name}-*"), key=lambda path: path.stat().st_mtime, reverse=True
        )
        for old in siblings[KEPT_FINGERPRINTS:]:
            if old != self.cache:
                shutil.rmtree(old, ignore_errors=True)


_homes: dict[Path, Home] = {}
_lock = threading.RLock()


def home_of(file: str | Path) -> Home:
    """The home a source file belongs to: the nearest folder with a `box.toml`, else `core`."""
    folder = next((parent for parent in Path(file).resolve().parents if (parent / "box.toml").exists()), CORE)
    with _lock:
        if folder not in _homes:
            _homes[folder] = Home(folder)
        return _homes[folder]


class Rule:
    """A function of records that runs compiled or as plain Python, with the same result to the byte."""

    def __init__(self, function: Callable[..., Any], home: Home, inline: bool, part: str = "") -> None:
        functools.update_wrapper(self, function)
        self.plain = function
        self.home = home
        self.part = part  # the folder in the home's cache, for a template from outside it (see core.template)
        with _lock:
            before = compiler_flags.CACHE_DIR
            compiler_flags.CACHE_DIR = str(home.cache / part)
            try:
                self.fast = numba.njit(nogil=True, cache=True, inline="always" if inline else "never")(function)
            finally:
                compiler_flags.CACHE_DIR = before
        home.rules.append(self)

    def __call__(self, *args: Any) -> Any:
        return (self.plain if self.home.interpreted else self.fast)(*args)

    def __repr__(self) -> str:
        return f"<rule {self.__module__}.{self.__qualname__}>"


@typeof_impl.register(Rule)
def _typeof_rule(value: Rule, context: Any) -> Any:
    """Compiled code that meets a Rule among its globals sees the compiled function in it."""
    return typeof_impl(value.fast, context)


def rule(function: Callable[..., Any] | None = None, *, inline: bool = False) -> Any:
    """Mark a function as a rule. It may allocate nothing, raise nothing and print nothing."""
    if function is None:
        return functools.partial(rule, inline=inline)
    home = function.__globals__.get("__home__") or home_of(function.__code__.co_filename)
    return Rule(function, home, inline, function.__globals__.get("__part__", ""))
