"""Template modules: code written once against the contract, compiled once per game.

A generic function that closed over a game's rules would be compiled again in every process, because the compiler's cache
knows closures by their identity. So the engine and the bots are modules whose globals *are* the rules of one game: one file is
run once under each game's own module name, and its machine code is cached in that game's home.
"""

from __future__ import annotations

import hashlib
import linecache
import sys
import types
from pathlib import Path
from typing import Any

from sutler.core.fingerprint import hash_meaning_of_module
from sutler.core.rule import CORE, Home, Rule


def instantiate_template(path: Path, name: str, home: Home, **given: Any) -> types.ModuleType:
    """The module at `path`, run under the name `name` with `given` (the rules it needs) among its globals."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    module.__dict__.update(given, __home__=home, __part__=name_machine_code_folder(path, given))
    sys.modules[name] = module  # before it runs: its dataclasses look there
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    return module


def build_module_from_source(name: str, path: Path, source: str, home: Home, **given: Any) -> types.ModuleType:
    """The module `name` made by running generated source; debuggers and tracebacks look for the source at `path`.

    given: globals of the module. Whoever generates rules that a game always needs adds the module's `__part__` to `home.made`, so that
    the game's machine code counts as complete only with these rules.
    """
    part = f"made-{hashlib.sha256(source.encode()).hexdigest()[:12]}"
    linecache.cache[str(path)] = (len(source), None, source.splitlines(keepends=True), str(path))
    module = types.ModuleType(name)
    module.__file__ = str(path)
    module.__dict__.update(given, __home__=home, __part__=part)
    exec(compile(source, str(path), "exec"), module.__dict__)
    sys.modules[name] = module
    return module


def name_machine_code_folder(path: Path, given: dict[str, Any]) -> str:
    """The name of the folder of a template's machine code, within its game's cache.

    A game's fingerprint covers its own rules and `core`. A template from elsewhere, such as a bot, has a folder named by a digest of its
    own source and of the templates and generated rules it uses, so that editing a bot recompiles that bot and not the game.
    """
    used = sorted({one.part for one in given.values() if isinstance(one, Rule)} - {""})
    if path.is_relative_to(CORE) and not used:
        return ""
    digest = hashlib.sha256(hash_meaning_of_module(path))
    digest.update(repr(used).encode())
    digest.update(repr(sorted((name, one) for name, one in given.items() if not isinstance(one, Rule))).encode())
    return f"{path.stem}-{digest.hexdigest()[:12]}"
