"""Notification of each function that the compiler begins to compile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from numba.core import event


class _Listener(event.Listener):
    """Called by the compiler whenever it begins a function."""

    def __init__(self, begun: Callable[[str], None]) -> None:
        self.begun = begun

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        self.begun(f"{function.__module__.removeprefix('sutler.')}.{function.__qualname__}")

    def on_end(self, event: Any) -> None:
        pass


def notify_of_compiling(begun: Callable[[str], None]) -> AbstractContextManager[Any]:
    """A context in which `begun` is called with the name of every function whose compiling begins, in this process."""
    return event.install_listener("numba:compile", _Listener(begun))
