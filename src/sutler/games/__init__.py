"""The games, a folder each. The package can be called: `sutler.games()` gives their names, whatever was imported before."""

from __future__ import annotations

import sys
import types


class _Shelf(types.ModuleType):
    """The package as a callable, since importing `sutler.games.manor` puts it where the function `sutler.games` was."""

    def __call__(self) -> list[str]:
        from sutler.core.play.registry import games

        return games()


sys.modules[__name__].__class__ = _Shelf
