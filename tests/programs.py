"""Programs that stand in files of their own, such as those in tools/, as modules for their tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

TOOLS = Path(__file__).parents[1] / "tools"


def program(path: Path) -> ModuleType:
    """The program at this path, run anew as a module that is called as its file is."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tool(name: str) -> ModuleType:
    """One of the tools, by its name."""
    return program(TOOLS / f"{name}.py")
