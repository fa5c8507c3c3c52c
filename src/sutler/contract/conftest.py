"""The suite's own markers, where the project that runs it has not declared them."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Say what the markers mean."""
    config.addinivalue_line("markers", "compiled: needs the compiler, so not run with SUTLER_PLAIN=1")
    config.addinivalue_line("markers", "timeout: seconds a test may take (pytest-timeout)")
