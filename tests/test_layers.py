"""Imports point one way: core <- games, bots <- lab, interop <- web <- cli. Delete a game's folder and nothing else breaks."""

import ast
from collections.abc import Iterator
from pathlib import Path

import sutler

ROOT = Path(sutler.__file__).parent
MAY_IMPORT = {
    "core": {"core"},
    "games": {"core"},  # and each game its own folder
    "cardkit": {"core", "cardkit"},
    "bots": {"core", "bots"},
    "lab": {"core", "bots", "lab"},
    "interop": {"core", "bots", "interop"},
    "web": {"core", "bots", "lab", "web"},
    "cli": {"core", "cardkit", "bots", "lab", "web", "cli"},
    "contract": {"core", "lab", "contract"},
}
COMPILER = {"numba", "llvmlite"}
NAMES_THE_COMPILER = {
    "core/rule.py",  # asks it which processor this is
    "core/compilation/__init__.py",
    "core/compilation/disk_cache.py",
    "core/compilation/compiler.py",
    "core/compilation/compiler_passes.py",
    "core/compilation/intrinsics.py",
}

CIRCLES = {
    "a game makes positions, and a position has its game": {"sutler.core.play.game", "sutler.core.play.position"},
}
"""The circles that there are still: which modules may import each other. A module that is not named here is in none."""


def imports(path: Path) -> Iterator[str]:
    """The modules a file imports, `sutler.core.play.game` style, wherever in the file, those for its types as well."""
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


FLOORS_OF_WEB = ("jobs", "storage", "accounts", "table", "view", "paper", "lobby", "lab", "http", "routes")
"""The folders of web, the lowest first: what lies in one imports its own folder and those before it. Files at web's root are as low as
`jobs`, but for those that put a program together, which stand above all."""
ENTRANCES_OF_WEB = {"app", "guest_worker", "serve", "worker"}


def test_the_folders_of_web_stand_on_each_other() -> None:
    """routes -> http -> lab, lobby -> view -> table -> accounts -> storage -> jobs; imports for types are imports too."""
    web = ROOT / "web"
    for path in sorted(web.rglob("*.py")):
        folder = path.relative_to(web).parts[0] if path.parent != web else "jobs"
        if folder == "migrations" or (path.parent == web and path.stem in ENTRANCES_OF_WEB):
            continue
        for module in imports(path):
            parts = module.split(".")
            if parts[:2] != ["sutler", "web"] or len(parts) < 3:
                continue
            other = parts[2] if (web / parts[2]).is_dir() else "jobs"
            named = f"{path.relative_to(ROOT)} imports {module}"
            assert parts[2] not in ENTRANCES_OF_WEB, named
            assert FLOORS_OF_WEB.index(other) <= FLOORS_OF_WEB.index(folder), named


NOTIFYING = {"bot_turns.wake", "turn_notices.ring", "subscribers.notify", "clocks.set_timer", "Room.redraw_all_pages"}


def test_only_the_list_of_listeners_notifies() -> None:
    """Who must hear of an event stands in `House._listeners`; nothing else calls bots, clocks, pages or people by hand."""
    for path in sorted((ROOT / "web").rglob("*.py")):
        if path.stem in ("registry", "services"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            assert called not in NOTIFYING, f"{path.relative_to(ROOT)}: {called}"


def test_only_core_names_the_compiler() -> None:
    """Rules know nothing of it, so that they can be run plain or compiled by something else."""
    for path in sorted(ROOT.rglob("*.py")):
        named = {module for module in imports(path) if module.split(".")[0] in COMPILER}
        assert not named or str(path.relative_to(ROOT)) in NAMES_THE_COMPILER, f"{path.relative_to(ROOT)}: {named}"


def test_core_names_no_game() -> None:
    """Games are found by looking, never listed."""
    for layer in ("core", "bots", "lab", "web", "cli", "interop"):
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
