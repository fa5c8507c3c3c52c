"""Which changes of a game's rules do its tests notice? `make mutants GAME=manor`: one small change after the other.

One thing of the rules is changed at a time (a comparison, a sign, a number, a condition, a statement left out), and the game's own
and the contract's tests that run this line are run in plain Python, the quickest first, until one fails or eight seconds of tests
have passed. What they let pass is printed: a rule without a test, or a line that does nothing. Changes that say the same in other
words are listed, each with its reason, in `tests/mutants.toml`, and left out of the sample.

Tests are collected once, and run once to see which lines each comes to. Each change is made in a process split off from there, by
giving the one rule other code. `--again FILE` tries only what an earlier run, kept in that file, let pass.
"""

from __future__ import annotations

import argparse
import ast
import functools
import hashlib
import json
import os
import signal
import sys
import time
import tomllib
import traceback
from collections import Counter
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

os.environ |= {"SUTLER_PLAIN": "1"}

from sutler.core.registry import definition
from sutler.core.rule import Rule, cache_root, home_of

ROOT = Path(__file__).parents[1]
SAME = ROOT / "tests" / "mutants.toml"
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
PATIENCE = 10  # times as long as a test takes otherwise, then a change has made it hang, which is noticed
ALIKE = 4  # cases of one test of the contract that are run, of dozens
LONG = 2.0  # seconds of the processor; a test that takes longer is left out, since it would hardly come to its turn
SEEN = "statements_seen"  # where rules note what they run
LONGEST = 8.0  # seconds of tests for one change, counted as they take while what they run is noted


@dataclass(frozen=True)
class Mutant:
    """One change: in which file and line, from where to where, and what stands there instead."""

    file: str
    name: str  # of the rule
    line: int
    rule: int  # the line the rule begins in
    statement: int  # the line of the statement that it is a part of
    start: int
    end: int
    new: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.name}: {self.what}"


# --- Making them --------------------------------------------------------------


class _Maker(ast.NodeVisitor):
    """Finds every small change of a source."""

    def __init__(self, file: str, source: str, parts: dict[str, int]) -> None:
        self.file, self.source, self.parts = file, source, parts
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line.encode()))
        self.starts, self.raw = starts, source.encode()
        self.found: list[Mutant] = []
        self.name, self.inside = "", 0  # the rule that is looked through, and its first line
        self.statement = 0  # the line of the statement that is looked through

    def visit(self, node: ast.AST) -> None:
        """A node of any kind."""
        if isinstance(node, ast.stmt):
            self.statement = node.lineno
        super().visit(node)

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
            self.found.append(
                Mutant(self.file, self.name, int(node.lineno), self.inside, self.statement, start, end, new, words[:90])
            )

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
        self.name = node.name
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

    def visit_Call(self, node: ast.Call) -> None:
        """What is told beyond the parts of an event's sentence is read by nobody."""
        kind = {"tell": 1, "tell_to": 2}.get(getattr(node.func, "id", ""))
        event = node.args[kind] if kind is not None else None
        if kind is not None and isinstance(event, ast.Attribute) and event.attr in self.parts:
            node.args = node.args[: kind + 1 + self.parts[event.attr]]
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


def mutants_of(game: str) -> list[Mutant]:
    """Every small change of a game's rules."""
    found: list[Mutant] = []
    d = definition(game)
    folder, parts = d.folder, {name: len(event.parts) for name, event in d.events.events.items()}
    for pattern in RULES:
        for path in sorted(folder.glob(pattern)):
            source = path.read_text(encoding="utf-8")
            maker = _Maker(str(path.relative_to(folder)), source, parts)
            maker.visit(ast.parse(source))
            found += maker.found
    return found


# --- Running tests -------------------------------------------------------------


def files_of_tests(game: str) -> list[str]:
    """A game's own tests and the contract's, as arguments for pytest."""
    tests = ROOT / "tests"
    places = (
        tests / "games" / game,
        tests / "naive" / f"test_{game}.py",
        tests / "contract",
        ROOT / "src" / "sutler" / "contract",
    )
    return [str(place) for place in places if place.exists()]


class Trial:
    """A pytest plugin: collects the tests, finds out which runs what, and tries one change after the other."""

    def __init__(self, folder: Path, chosen: list[Mutant], places: list[str], longest: float) -> None:
        self.folder, self.chosen, self.places, self.longest = folder, chosen, places, longest
        self.rules: dict[tuple[str, int], list[Rule]] = {}
        for one in home_of(folder / "box.toml").rules:
            code = one.plain.__code__
            if code.co_filename.startswith(str(folder)) and Path(code.co_filename).exists():  # some rules are made
                key = (os.path.relpath(code.co_filename, folder), code.co_firstlineno)
                self.rules.setdefault(key, []).append(one)
        self.runs: dict[tuple[str, int], list[int]] = {}  # the tests that come to a statement of a file
        self.seconds: list[float] = []
        self.noticed = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running the tests."""
        if session.testsfailed:
            raise pytest.UsageError(f"{session.testsfailed} errors while collecting")
        session.items[:] = few_alike(session.items)
        self.trace(session)
        for number, mutant in enumerate(self.chosen, 1):
            why = self.tried(session, mutant)
            self.noticed += not why
            if why:
                print(f"{mutant}   [{why}]", flush=True)
            if number % 20 == 0:
                print(f"... {self.noticed} of {number} noticed", flush=True)
        return True

    # --- Which tests run a line ---

    def trace(self, session: pytest.Session) -> None:
        """Which statements each test comes to, and how long it takes: as an earlier run has left it, or by running all once."""
        kept = cache_root() / f"mutants-{self.folder.name}-{self.digest()}.json"
        if not kept.exists():
            self._kept(session, kept)
        told = json.loads(kept.read_text(encoding="utf-8"))
        if "failed" in told:
            kept.unlink()
            raise pytest.UsageError(f"this test fails as it stands, mend it first: {told['failed']}")
        where = {item.nodeid: index for index, item in enumerate(session.items)}
        self.seconds = [0.0] * len(session.items)
        for name, (seconds, seen) in told["tests"].items():
            self.seconds[where[name]] = seconds
            for file, line in seen:
                self.runs.setdefault((file, line), []).append(where[name])
        print(f"{len(told['tests'])} tests take {sum(self.seconds):.0f} s", flush=True)

    def digest(self) -> str:
        """A fingerprint of the rules and of the tests."""
        game, digest = self.folder.name, hashlib.sha256()
        places = [self.folder, ROOT / "src" / "sutler" / "core", *map(Path, self.places)]
        files = {path for place in places for path in (place.rglob("*") if place.is_dir() else [place])}
        files |= {ROOT / "tests" / "golden" / kind / f"{game}.txt" for kind in ("passages", "cards")}
        for path in sorted(files):
            if path.suffix in (".py", ".toml", ".txt") and path.exists():
                digest.update(path.read_bytes())
        return digest.hexdigest()[:12]

    def _kept(self, session: pytest.Session, kept: Path) -> None:
        """Run all tests once, in a process of their own, and keep what they come to."""
        child = os.fork()
        if child == 0:
            try:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(self._traced(session)), encoding="utf-8")
                os._exit(0)
            finally:
                traceback.print_exc()
                os._exit(1)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            raise pytest.UsageError("the tests could not be run to see what they come to")

    def _traced(self, session: pytest.Session) -> dict[str, Any]:
        seen: set[tuple[str, int]] = set()
        for (file, rule), ones in self.rules.items():
            for one in ones:
                one.plain.__globals__[SEEN] = seen
                one.plain.__code__ = noting(self.folder / file, file, rule)
        signal.signal(signal.SIGVTALRM, lambda *_: pytest.skip("too long"))
        silent()
        tests: dict[str, Any] = {}
        for index, item in enumerate(session.items):
            seen.clear()
            start = time.process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, LONG)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after(session.items, index))
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            seconds = time.process_time() - start
            if session.testsfailed:
                return {"failed": item.nodeid}
            if seconds < LONG:
                tests[item.nodeid] = seconds, sorted(seen)
        return {"tests": tests}

    # --- One change ---

    def tests_for(self, mutant: Mutant) -> list[int]:
        """The tests that come to the changed line, the quickest first, as far as there is time."""
        chosen, spent = [], 0.0
        for index in sorted(self.runs.get((mutant.file, mutant.statement), ()), key=self.seconds.__getitem__):
            spent += self.seconds[index]
            if not chosen or spent < self.longest:
                chosen.append(index)
        return chosen

    def tried(self, session: pytest.Session, mutant: Mutant) -> str:
        """Empty when a change was noticed, else why not."""
        tests = self.tests_for(mutant)
        if not tests:
            return "no test comes to it"
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGVTALRM, lambda *_: os._exit(1))
            silent()
            code = changed(self.folder, mutant)
            for rule in self.rules[mutant.file, mutant.rule]:
                rule.plain.__code__ = code
            items = [session.items[index] for index in tests]
            for number, item in enumerate(items):
                signal.setitimer(signal.ITIMER_VIRTUAL, 2 + PATIENCE * self.seconds[tests[number]])
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after(items, number))
                if session.testsfailed:
                    os._exit(1)
            os._exit(0)
        return "" if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) else f"survived {len(tests)} tests"


def few_alike(items: list[pytest.Item]) -> list[pytest.Item]:
    """Of a test that all games share, a few cases from first to last; of a game's own tests all."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    chosen = []
    for name, own in cases.items():
        step = max(1.0, (len(own) - 1) / (ALIKE - 1)) if "sutler/contract/" in name else 1.0
        chosen += [own[round(i * step)] for i in range(len(own)) if round(i * step) < len(own)]
    return chosen


def after(items: list[pytest.Item], index: int) -> pytest.Item | None:
    """The test that follows; pytest takes down what it does not need."""
    return items[index + 1] if index + 1 < len(items) else None


def silent() -> None:
    """Nothing of a process split off is heard."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


class _Noter(ast.NodeTransformer):
    """Lets each statement say that it is run."""

    def __init__(self, file: str) -> None:
        self.file = file

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """A node, and what is in it."""
        super().generic_visit(node)
        for block in ("body", "orelse"):
            if isinstance(statements := getattr(node, block, None), list):
                noted = [two for one in statements for two in (self.note(one), one)]
                setattr(node, block, noted)
        return node

    def note(self, statement: ast.stmt) -> ast.stmt:
        """The statement before it."""
        note = ast.parse(f"{SEEN}.add(({self.file!r}, {statement.lineno}))").body[0]
        return ast.copy_location(note, statement)


def noting(path: Path, file: str, rule: int) -> CodeType:
    """A rule's code that notes which of its statements are run."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and min((one.lineno for one in node.decorator_list), default=0) == rule:
            _Noter(file).generic_visit(node)
    return code_of(compile(ast.fix_missing_locations(tree), str(path), "exec"), rule)


def code_of(module: CodeType, rule: int) -> CodeType:
    """The code of the rule that begins in this line."""
    for one in module.co_consts:
        if isinstance(one, CodeType) and one.co_firstlineno == rule:
            return one
    raise LookupError(f"{module.co_filename}:{rule}")


def changed(folder: Path, mutant: Mutant) -> CodeType:
    """The rule's code with the change in it."""
    path = folder / mutant.file
    sound = path.read_bytes()
    source = sound[: mutant.start] + mutant.new.encode() + sound[mutant.end :]
    return code_of(compile(source, str(path), "exec"), mutant.rule)


# --- Telling ---------------------------------------------------------------------


@functools.cache
def said_the_same(game: str) -> set[tuple[str, str, str]]:
    """Changes that make no difference: file, rule and what is changed."""
    listed = tomllib.loads(SAME.read_text(encoding="utf-8")).get(game, []) if SAME.exists() else []
    return {(one["file"], one["rule"], one["change"]) for one in listed}


def in_order(every: list[Mutant], seed: int) -> list[Mutant]:
    """The changes as if shuffled: a sample stays the same while other rules change, and who is left out is replaced by the next."""
    alike: Counter[tuple[str, str, str]] = Counter()
    keys = []
    for one in every:
        kind = one.file, one.name, one.what
        alike[kind] += 1
        keys.append(hashlib.sha256(f"{seed} {kind} {alike[kind]}".encode()).digest())
    return [one for _, one in sorted(zip(keys, every, strict=True), key=itemgetter(0))]


def main() -> int:
    """Sample, run, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="go on with a sample after so many of it")
    parser.add_argument("--only", default="", help="only changes that are told with this in their line")
    parser.add_argument("--again", type=Path, help="only changes that this file, kept of an earlier run, tells of")
    parser.add_argument("--tests", nargs="+", help="only these, instead of all of the game's and the contract's")
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds of tests for one change")
    told = parser.parse_args()
    folder = definition(told.game).folder
    same = said_the_same(told.game)
    every = [one for one in mutants_of(told.game) if told.only in str(one)]
    every = [one for one in every if (one.file, one.name, one.what) not in same]
    if told.again:
        kept = {line.partition("   [")[0] for line in told.again.read_text(encoding="utf-8").splitlines()}
        every = [one for one in every if str(one) in kept]
    chosen = in_order(every, told.seed)[told.start : told.sample]
    places = told.tests or files_of_tests(told.game)
    trial, start = Trial(folder, chosen, places, told.longest), time.monotonic()
    options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "timeout=0", "--rootdir", str(ROOT)]
    marks = ["-m", "not browser and not compiled", "-k", told.game]
    code = pytest.main([*options, *marks, *places], plugins=[trial])
    if trial.seconds:
        share = f"{trial.noticed} of {len(chosen)} noticed ({trial.noticed / max(1, len(chosen)):.0%})"
        minutes = (time.monotonic() - start) / 60
        print(f"{told.game}: {share}, sampled from {len(every)} with seed {told.seed}; {minutes:.0f} min")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
