"""The version of this installation."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """The installed version: the release, or between two releases a development version that counts commits; "0.0.0" if not installed."""
    try:
        return version("sutler")
    except PackageNotFoundError:
        return "0.0.0"
