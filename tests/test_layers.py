"""Imports point one way: core <- games, bots <- lab <- web <- terminal, and interop. Delete a game's folder and nothing else breaks."""

import ast
from collections.abc import Iterator
from pathlib import Path

import sutler

ROOT = Path(sutler.__file__).parent
MAY_IMPORT = {
    "core": {"core"},
    "games": {"core"},  # and each game its own folder
    "bots": {"core", "bots"},
    "lab": {"core", "bots", "lab"},
    "interop": {"core", "bots", "interop"},
    "web": {"core", "bots", "lab", "web"},
    "terminal": {"core", "bots", "lab", "web", "terminal"},
    "commands": {"core", "bots", "interop", "lab", "web", "terminal", "contract", "commands"},
    "contract": {"core", "lab", "contract"},
}
COMPILER = {"numba", "llvmlite"}
NAMES_THE_COMPILER = {
    "core/rule.py",
    "core/bits.py",
    "core/copying.py",
    "core/compiler.py",
    "core/numbers.py",
    "core/warm.py",
}

CIRCLES = {
    "what a game, its positions and its seats know of each other": {
        "sutler.core.definition",
        "sutler.core.game",
        "sutler.core.gamefile",
        "sutler.core.orders",
        "sutler.core.position",
        "sutler.core.registry",
        "sutler.core.scenario",
        "sutler.core.seat",
    },
    "a room, the registry of rooms, and what is done at a table": {
        "sutler.web.storage.change_feed",
        "sutler.web.table.bot_turns",
        "sutler.web.table.bot_workers",
        "sutler.web.table.clocks",
        "sutler.web.table.feedback",
        "sutler.web.table.hints",
        "sutler.web.table.lessons",
        "sutler.web.table.listing",
        "sutler.web.table.moves",
        "sutler.web.table.out_of_turn",
        "sutler.web.table.proposals",
        "sutler.web.table.registry",
        "sutler.web.table.room",
        "sutler.web.table.rules_changed",
        "sutler.web.table.shared_seed",
        "sutler.web.table.snapshot",
        "sutler.web.table.standing_orders",
        "sutler.web.table.subscribers",
        "sutler.web.table.turn_notices",
        "sutler.web.table.undo",
    },
}
"""The circles that there are still: which modules may import each other. A module that is not named here is in none."""


def imports(path: Path) -> Iterator[str]:
    """The modules a file imports, `sutler.core.game` style, wherever in the file, those for its types as well."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_point_one_way() -> None:
    """A layer imports what lies below it; a game imports core and itself."""
    for layer, allowed in MAY_IMPORT.items():
        for path in sorted((ROOT / layer).rglob("*.py")):
            for module in imports(path):
                parts = module.split(".")
                if parts[0] != "sutler" or len(parts) == 1 or not (ROOT / parts[1]).is_dir():
                    continue
                own = layer == "games" and parts[1] == "games" and (len(parts) < 3 or parts[2] in path.parts)
                assert parts[1] in allowed or own, f"{path.relative_to(ROOT)} imports {module}"


def circles_of(needs: dict[str, set[str]]) -> list[set[str]]:
    """The sets of modules that import each other, directly or through others, where there is more than one in it."""
    below: dict[str, set[str]] = {}
    for name in needs:
        found, waiting = set[str](), [name]
        while waiting:
            for other in needs[waiting.pop()] - found:
                found.add(other)
                waiting.append(other)
        below[name] = found
    each = {frozenset({name} | {other for other in below[name] if name in below[other]}) for name in needs}
    return [set(circle) for circle in each if len(circle) > 1]


def test_no_modules_import_each_other() -> None:
    """Not by way of others either, not for types only, and not from inside functions: that hides a circle without breaking it."""
    files = {".".join(["sutler", *path.relative_to(ROOT).with_suffix("").parts]): path for path in ROOT.rglob("*.py")}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}
    needs = {
        name: {module for module in imports(path) if module in files and module != name} for name, path in files.items()
    }
    for name, needed in needs.items():  # a package is asked for things, not for whatever lies in it
        needs[name] = {module for module in needed if not name.startswith(f"{module}.")}
    for circle in circles_of(needs):
        assert any(circle <= known for known in CIRCLES.values()), f"these import each other: {sorted(circle)}"


def test_only_core_names_the_compiler() -> None:
    """Rules know nothing of it, so that they can be run plain or compiled by something else."""
    for path in sorted(ROOT.rglob("*.py")):
        named = {module for module in imports(path) if module.split(".")[0] in COMPILER}
        assert not named or str(path.relative_to(ROOT)) in NAMES_THE_COMPILER, f"{path.relative_to(ROOT)}: {named}"


def test_core_names_no_game() -> None:
    """Games are found by looking, never listed."""
    for layer in ("core", "bots", "lab", "web", "terminal", "interop"):
        for path in sorted((ROOT / layer).rglob("*.py")):
            assert not any(m.startswith("sutler.games.") for m in imports(path)), path.relative_to(ROOT)


def test_nothing_grows_too_long() -> None:
    """A function over 60 lines, one with more than 9 arguments: each wants to be parted."""
    for path in sorted(ROOT.rglob("*.py")):
        text, where = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                told = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                assert len(told) <= 9, f"{where}: {node.name} has {len(told)} arguments"
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                assert length <= 60, f"{where}: {node.name} has {length} lines"
