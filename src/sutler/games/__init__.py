"""The games, a folder each. Python hangs a package on its parent by name, so this one answers when called: `sutler.games()`."""

from __future__ import annotations

import sys
import types


class _Games(types.ModuleType):
    def __call__(self) -> list[str]:
        """The names of all games, in alphabetical order."""
        from sutler.core.registry import games

        return games()


sys.modules[__name__].__class__ = _Games
