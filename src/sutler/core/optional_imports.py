"""Optional libraries: imported where they are installed, else named with what to install."""

from __future__ import annotations

import importlib
from types import ModuleType


class Missing(ImportError, ValueError):
    """An error: an optional library is not installed; the message says how to install it. Also a ValueError, which commands print."""


def import_optional(module: str, extra: str) -> ModuleType:
    """Import an optional library and return it; Missing, with the command that installs it, if it is not installed."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and not module.startswith(error.name):
            raise
        raise Missing(f'{module} is not installed; it comes with: pip install "sutler[{extra}]"') from None
