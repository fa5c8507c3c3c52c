"""The interfaces that learners already use, one file a library, each an optional extra. Nothing here but translation."""

from __future__ import annotations

import importlib
from types import ModuleType


class Missing(ImportError):
    """A library is not installed; the message says what to install."""


def wanted(module: str, extra: str) -> ModuleType:
    """A library, or Missing with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and not module.startswith(error.name):
            raise
        raise Missing(f'{module} is not installed; it comes with: pip install "sutler[{extra}]"') from None
