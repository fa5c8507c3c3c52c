"""The suite's own pytest markers, where the project that runs it has not declared them."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers and their meaning."""
    config.addinivalue_line("markers", "compiled: needs the compiler, so not run with SUTLER_PLAIN=1")
    config.addinivalue_line("markers", "timeout: seconds a test may take (pytest-timeout)")
