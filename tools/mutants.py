"""Which changes of a game's rules do its tests notice? `make mutants GAME=manor`: one changed line after the other.

In a copy of the sources one small thing of the rules is changed at a time (a comparison, a sign, a number, a condition, a
statement left out), and those of the game's own and the contract's tests that run this rule are run, in plain Python, the
quickest first. What they all let pass is printed: a rule without a test, a line that does nothing, or another way to say the same.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
PARTS = ("src", "tests", "examples", "docs", "tools", "pyproject.toml", "README.md", "Makefile")
RULES = ("rules.py", "rules/**/*.py", "scoring.py")
SWAPS: dict[type[ast.AST], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.And: "or",
    ast.Or: "and",
}
SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
SIGNS |= {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.And: "and", ast.Or: "or"}
PATIENCE = 20  # times as long as its tests take otherwise, then a mutant has noticeably hung


@dataclass(frozen=True)
class Mutant:
    """One change: in which file and line, from where to where, and what stands there instead."""

    file: str
    line: int
    rule: int  # the line its rule begins in
    start: int
    end: int
    new: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


# --- Making them --------------------------------------------------------------


class _Maker(ast.NodeVisitor):
    """Finds every small change of a source."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.source = file, source
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line.encode()))
        self.starts, self.raw = starts, source.encode()
        self.found: list[Mutant] = []
        self.inside = 0  # the first line of the rule that is looked through

    def at(self, node: Any, end: bool = False) -> int:
        """A node's place in the file, in bytes."""
        if end:
            return self.starts[node.end_lineno - 1] + int(node.end_col_offset)
        return self.starts[node.lineno - 1] + int(node.col_offset)

    def add(self, node: Any, start: int, end: int, new: str) -> None:
        """A change; `node` says in which line it is shown."""
        old = self.raw[start:end].decode()
        if self.inside and old != new:
            words = " ".join(f"{old} -> {new}".split())
            self.found.append(Mutant(self.file, int(node.lineno), self.inside, start, end, new, words[:90]))

    def swap(self, left: Any, right: Any, operator: ast.AST) -> None:
        """The sign between two nodes."""
        start, end = self.at(left, end=True), self.at(right)
        sign = SIGNS.get(type(operator))
        if sign is None:
            return
        where = self.raw[start:end].find(sign.encode())
        if where >= 0:
            self.add(left, start + where, start + where + len(sign), SWAPS[type(operator)])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        ruled = any("rule" in ast.dump(one) for one in node.decorator_list)
        self.inside = min(one.lineno for one in node.decorator_list) if ruled else 0
        for one in node.body:
            self.visit(one)
        self.inside = 0

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, right, operator in zip([node.left, *node.comparators], node.comparators, node.ops, strict=False):
            self.swap(left, right, operator)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.swap(node.left, node.right, node.op)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.swap(left, right, node.op)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.add(node, self.at(node), self.at(node.operand), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add(node, self.at(node), self.at(node, end=True), str(not node.value))
        elif isinstance(node.value, int):
            self.add(node, self.at(node), self.at(node, end=True), str(node.value + 1))

    def visit_If(self, node: ast.If) -> None:
        for new in ("True", "False"):
            self.add(node, self.at(node.test), self.at(node.test, end=True), new)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.add(node, self.at(node), self.at(node, end=True), "pass")
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not isinstance(node.targets[0], ast.Name):
            self.add(node, self.at(node), self.at(node, end=True), "pass")
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add(node, self.at(node), self.at(node, end=True), "pass")
        self.swap(node.target, node.value, node.op)
        self.visit(node.value)


def mutants_of(folder: Path) -> list[Mutant]:
    """Every small change of a game's rules."""
    found: list[Mutant] = []
    for pattern in RULES:
        for path in sorted(folder.glob(pattern)):
            source = path.read_text(encoding="utf-8")
            maker = _Maker(str(path.relative_to(folder)), source)
            maker.visit(ast.parse(source))
            found += maker.found
    return found


# --- Running tests -------------------------------------------------------------


class Tracer:
    """A pytest plugin: which tests run which rules, and how long each takes."""

    def __init__(self, folder: Path) -> None:
        self.prefix = f"{folder}{os.sep}"
        self.rules: dict[tuple[str, int], set[str]] = {}
        self.seconds: dict[str, float] = {}
        self.now: set[tuple[str, int]] = set()

    def trace(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note calls of the rules; what they do inside is not followed."""
        name = frame.f_code.co_filename
        if name.startswith(self.prefix):
            self.now.add((name.removeprefix(self.prefix), frame.f_code.co_firstlineno))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins, its fixtures included."""
        self.now, self.start = set(), time.perf_counter()
        sys.settrace(self.trace)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """And ends."""
        sys.settrace(None)
        self.seconds[nodeid] = time.perf_counter() - self.start
        for one in self.now:
            self.rules.setdefault(one, set()).add(nodeid)


def tests_of(game: str) -> list[str]:
    """A game's own tests and the contract's, as arguments for pytest."""
    return [
        one for one in (f"tests/games/{game}", "tests/contract", f"tests/naive/test_{game}.py") if Path(one).exists()
    ]


def run(arguments: list[str], plugins: list[Any], seconds: float = 0.0) -> int:
    """Run pytest in a process split off from this one; its exit code, or -1 when it took too long."""
    child = os.fork()
    if child == 0:
        import pytest

        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not browser and not compiled"]
        os._exit(int(pytest.main([*options, *arguments], plugins=plugins)))
    until = time.monotonic() + (seconds or 1e9)
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return -1


def traced(game: str, folder: Path) -> Tracer:
    """Run all tests once and see which rules each of them runs."""
    import json

    tracer, out = Tracer(folder), Path("traced.json")

    class Keep:
        def pytest_sessionfinish(self) -> None:
            lines = [(file, line, sorted(tests)) for (file, line), tests in tracer.rules.items()]
            out.write_text(json.dumps({"lines": lines, "seconds": tracer.seconds}))

    code = run([*tests_of(game), "-k", game], [tracer, Keep()])
    if code != 0:
        raise SystemExit(f"the tests of {game} fail as they stand ({code}); mend them first")
    told = json.loads(out.read_text())
    tracer.rules = {(file, line): set(tests) for file, line, tests in told["lines"]}
    tracer.seconds = told["seconds"]
    return tracer


def outcomes(chosen: list[Mutant], folder: Path, tracer: Tracer) -> Iterator[tuple[Mutant, str]]:
    """What became of each mutant: noticed, or why not."""
    for one in chosen:
        tests = sorted(tracer.rules.get((one.file, one.rule), ()), key=lambda name: tracer.seconds[name])
        if not tests:
            yield one, "no test runs it"
            continue
        path = folder / one.file
        sound = path.read_bytes()
        path.write_bytes(sound[: one.start] + one.new.encode() + sound[one.end :])
        try:
            code = run(tests, [], 10 + PATIENCE * sum(tracer.seconds[name] for name in tests))
        finally:
            path.write_bytes(sound)
        yield one, "survived" if code == 0 else ""


def main() -> int:
    """Sample, run, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", default="", help="only in files whose name contains this")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for part in PARTS:
            source, target = ROOT / part, Path(place) / part
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy(source, target)
        os.chdir(place)
        os.environ |= {"SUTLER_PLAIN": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": f"{place}/src"}
        sys.dont_write_bytecode = True
        sys.path[:0] = [f"{place}/src"]
        import sutler.core.game  # noqa: F401 - what all tests need, once for all of them

        folder = Path(place) / "src" / "sutler" / "games" / told.game
        every = [one for one in mutants_of(folder) if told.file in one.file]
        chosen = random.Random(told.seed).sample(every, min(told.sample, len(every)))
        tracer = traced(told.game, folder)
        noticed = 0
        for number, (one, why) in enumerate(outcomes(sorted(chosen, key=str), folder, tracer), 1):
            noticed += not why
            if why:
                print(f"{one}   [{why}]", flush=True)
            elif number % 20 == 0:
                print(f"... {noticed} of {number} noticed", flush=True)
        print(f"{told.game}: {noticed} of {len(chosen)} noticed ({noticed / max(1, len(chosen)):.0%}), of {len(every)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
