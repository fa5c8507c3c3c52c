"""Template modules: code written once against the contract, compiled once per game.

A generic function that closed over a game's rules would be compiled anew in every process, because the compiler's cache
knows closures by their identity. So the engine and the bots are modules whose globals *are* the rules of one game: the
same file is run again under each game's own module name, and its machine code is cached in that game's home.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

from sutler.core.rule import Home


def instantiate(path: Path, name: str, home: Home, **given: Any) -> types.ModuleType:
    """Run the module at `path` as `name`, with `given` (the rules it asks for) among its globals."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    module.__dict__.update(given, __home__=home)
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    sys.modules[name] = module
    return module
