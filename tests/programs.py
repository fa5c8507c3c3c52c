"""Load programs that belong to no package, such as those in tools/ and studies/, as modules for their tests."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
TOOLS, STUDIES = ROOT / "tools", ROOT / "studies"


def program(path: Path) -> ModuleType:
    """Execute the program at this path and return it as a module named like its file. A second call executes it again."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tool(name: str) -> ModuleType:
    """Load `tools/NAME.py`."""
    return program(TOOLS / f"{name}.py")


def study(name: str) -> ModuleType:
    """Import `studies/NAME.py`, once; the studies that it imports are found beside it."""
    sys.path.insert(0, str(STUDIES))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(STUDIES))
