"""The version of this installation."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """The tag it was built from; between two tags, the next version's number of steps; "0.0.0" where it was never installed."""
    try:
        return version("sutler")
    except PackageNotFoundError:
        return "0.0.0"
