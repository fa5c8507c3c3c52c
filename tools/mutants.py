"""Mutation testing of a game's rules: which small changes do its tests notice? `make mutants GAME=manor`.

Changes one thing of the rules at a time (a comparison, an operator, a number, a condition, a statement left out), and runs the game's own
and the contract's tests that execute this line, in plain Python, until one fails or the budget of MAX_TEST_SECONDS is spent: first those
that are fast, and that noticed earlier changes of lines they execute. Prints the changes that survive: rules without a test, or lines
without effect. `tools/mutations.py` finds the changes and leaves out those that are listed as equivalent.

Tests are collected once and run once to find the lines that each executes, and only those again whose files have changed since; those
that take too long to be used are printed. Each change is made in a forked process, by replacing the code of one rule. `--again FILE` tries
only the survivors that an earlier run printed into FILE.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import hashlib
import json
import mmap
import os
import re
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

os.environ |= {"SUTLER_PLAIN": "1"}

from mutations import Mutant, in_order, mutants_of, without_same

from sutler.core.play.registry import load_definition
from sutler.core.rule import Rule, find_cache_root, find_home

ROOT = Path(__file__).parents[1]
TIMEOUT_FACTOR = 10
"""A test that takes this many times its usual time is stopped as hanging; the change counts as noticed."""
CASES_PER_CONTRACT_TEST = 4
SLOW_TEST_SECONDS = 2.0
"""Tests that take more processor time than this are not used."""
COVERAGE_NAME = "statements_seen"
"""The name of the global variable in which instrumented rules record the statements that they execute."""
MAX_TEST_SECONDS = 8.0
"""The budget of processor time for the tests of one change, as measured while statements are recorded."""
IMPORTED = re.compile(r"^ *(?:from|import) (.+)", re.MULTILINE)
USUAL_SHARE_NOTICED = 0.1, 5
"""The share of changes that a test is expected to notice before it has been tried, and how many tries this assumption counts as."""


# --- Running tests -------------------------------------------------------------


def files_of_tests(game: str) -> list[str]:
    """The paths of a game's own tests and of the contract suite, as arguments for pytest."""
    tests = ROOT / "tests"
    places = (
        tests / "games" / game,
        tests / "naive" / f"test_{game}.py",
        tests / "contract",
        ROOT / "src" / "sutler" / "contract",
    )
    return [str(place) for place in places if place.exists()]


class Trial:
    """A pytest plugin that collects the tests, finds which lines each executes, and tries one change after the other."""

    def __init__(self, folder: Path, chosen: list[Mutant], places: list[str], longest: float) -> None:
        self.folder, self.chosen, self.places, self.longest = folder, chosen, places, longest
        self.rules: dict[tuple[str, int], list[Rule]] = {}
        for one in find_home(folder / "box.toml").rules:
            code = one.plain.__code__
            if code.co_filename.startswith(str(folder)) and Path(code.co_filename).exists():  # some rules are generated
                key = (os.path.relpath(code.co_filename, folder), code.co_firstlineno)
                self.rules.setdefault(key, []).append(one)
        self.runs: dict[tuple[str, int], list[int]] = {}  # indices of tests by (file, line) of a statement
        self.seconds: list[float] = []
        self.functions: list[str] = []  # the test function that each test is a case of
        self.noticed = 0
        self.runs_of: Counter[int] = Counter()  # changes that each test was run for
        self.noticed_by: Counter[int] = Counter()  # and that it noticed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all changes, instead of the loop by which pytest runs the tests."""
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
        """Find the statements that each test executes and its time: cached, so that only tests whose files have changed are run."""
        kept = find_cache_root() / f"mutants-{self.folder.name}-{self.digest()}.json"
        told = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {"tests": {}, "places": []}
        digests = {item.nodeid: self.digest_of_test(item.path) for item in session.items}
        due = [item for item in session.items if told["tests"].get(item.nodeid, [""])[0] != digests[item.nodeid]]
        if due:
            fresh = self._fresh(session, due, kept.with_suffix(".new"))
            told["places"] = fresh["places"]
            told["tests"] |= {name: [digests[name], *found] for name, found in fresh["tests"].items()}
            kept.write_text(json.dumps(told), encoding="utf-8")
        self.seconds = [0.0] * len(session.items)
        self.functions = [item.nodeid.partition("[")[0] for item in session.items]
        long: Counter[str] = Counter()
        for index, item in enumerate(session.items):
            _, seconds, seen = told["tests"][item.nodeid]
            if seconds >= SLOW_TEST_SECONDS:
                long[self.functions[index]] += 1
                continue
            self.seconds[index] = seconds
            for number in seen:
                file, line = told["places"][number]
                self.runs.setdefault((file, line), []).append(index)
        print(f"{len(session.items)} tests, {len(due)} of them new, take {sum(self.seconds):.0f} s", flush=True)
        for name, n in long.most_common():
            print(f"left out, longer than {SLOW_TEST_SECONDS:g} s each: {n} of {name}", flush=True)

    def digest(self) -> str:
        """A hash of the game's files, the core and what all tests share, by which results are cached."""
        places = [Path(__file__), self.folder, ROOT / "src" / "sutler" / "core", ROOT / "src" / "sutler" / "contract"]
        files = {path for place in places for path in (place.rglob("*") if place.is_dir() else [place])}
        return digest_of(files | set((ROOT / "tests").rglob("conftest.py")))

    def digest_of_test(self, path: Path) -> str:
        """A hash of a test's file, of the modules beside the tests that it imports, and of what is kept of games, if it reads that."""
        files = files_behind(path)
        if any("golden" in one.read_text(encoding="utf-8") for one in files):
            golden = ROOT / "tests" / "golden"
            files = files | {golden / kind / f"{self.folder.name}.txt" for kind in ("passages", "cards")}
        return digest_of(files)

    def _fresh(self, session: pytest.Session, due: list[pytest.Item], path: Path) -> dict[str, Any]:
        """Run tests in a forked process, which writes the statements that they execute into the file `path`."""
        child = os.fork()
        if child == 0:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(self._traced(session, due)), encoding="utf-8")
                os._exit(0)
            finally:
                traceback.print_exc()
                os._exit(1)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            raise pytest.UsageError("the tests could not be run to find the statements they execute")
        fresh: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        path.unlink()
        if "failed" in fresh:
            raise pytest.UsageError(f"this test fails without a change, fix it first: {fresh['failed']}")
        return fresh

    def _traced(self, session: pytest.Session, due: list[pytest.Item]) -> dict[str, Any]:
        """Run tests with instrumented rules; returns the seconds and executed statements of each, by its id."""
        noter, seen = _Noter(), bytearray()
        for file in sorted({file for file, _ in self.rules}):
            module = noter.noting(self.folder / file, file)
            for (of, line), ones in self.rules.items():
                for one in ones if of == file else ():
                    one.plain.__globals__[COVERAGE_NAME] = seen
                    one.plain.__code__ = code_of(module, line)
        seen[:] = bytes(len(noter.places))
        signal.signal(signal.SIGVTALRM, lambda *_: pytest.skip("too long"))
        silent()
        tests: dict[str, Any] = {}
        for index, item in enumerate(due):
            seen[:] = bytes(len(seen))
            start = time.process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, SLOW_TEST_SECONDS)
            with contextlib.suppress(
                pytest.skip.Exception
            ):  # the alarm rang when the test was over, before its report was made
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after(due, index))
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            seconds = time.process_time() - start
            if session.testsfailed:
                return {"failed": item.nodeid}
            tests[item.nodeid] = seconds, [number for number, hit in enumerate(seen) if hit]
        return {"tests": tests, "places": noter.places}

    # --- One change ---

    def tests_for(self, mutant: Mutant) -> list[int]:
        """Indices of the tests that execute the changed line, within the budget of time, in the order in which they are run.

        The k-th case of a test function counts as k times as dear as it is: functions are tried before all cases of a few.
        """
        cases: Counter[str] = Counter()
        costs = {}
        for index in sorted(self.runs.get((mutant.file, mutant.statement), ()), key=self.cost):
            cases[self.functions[index]] += 1
            costs[index] = self.cost(index) * cases[self.functions[index]]
        chosen: list[int] = []
        spent = 0.0
        for index in sorted(costs, key=costs.__getitem__):
            spent += self.seconds[index]
            if not chosen or spent < self.longest:
                chosen.append(index)
        return chosen

    def cost(self, index: int) -> float:
        """Seconds that a test takes for each change that it is expected to notice, judged by those it was run for."""
        share, tries = USUAL_SHARE_NOTICED
        expected = (self.noticed_by[index] + share * tries) / (self.runs_of[index] + tries)
        return self.seconds[index] / expected

    def tried(self, session: pytest.Session, mutant: Mutant) -> str:
        """Try a change in a forked process; returns "" if a test noticed it, else why none did."""
        tests = self.tests_for(mutant)
        if not tests:
            return "no test executes it"
        reached = mmap.mmap(-1, len(tests))  # shared with the child: a byte for each test that was begun
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGVTALRM, lambda *_: os._exit(1))
            silent()
            code = changed(self.folder, mutant)
            for rule in self.rules[mutant.file, mutant.rule]:
                rule.plain.__code__ = code
            items = [session.items[index] for index in tests]
            for number, item in enumerate(items):
                reached[number] = 1
                signal.setitimer(signal.ITIMER_VIRTUAL, 2 + TIMEOUT_FACTOR * self.seconds[tests[number]])
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after(items, number))
                if session.testsfailed:
                    os._exit(1)
            os._exit(0)
        is_noticed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0
        begun = tests[: sum(reached[:])]
        self.runs_of.update(begun)
        self.noticed_by.update(begun[-1:] if is_noticed else ())
        return "" if is_noticed else f"survived {len(tests)} tests"


def digest_of(files: Iterable[Path]) -> str:
    """A short hash of the sources, boxes and kept games among these files."""
    digest = hashlib.sha256()
    for path in sorted(files):
        if path.suffix in (".py", ".toml", ".txt") and path.exists():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@functools.cache
def files_behind(path: Path) -> frozenset[Path]:
    """A test's file, and the modules in the folder of tests that it imports, and that those import."""
    found, due = {path}, [path]
    while due:
        for line in IMPORTED.findall(due.pop().read_text(encoding="utf-8")):
            words = line.replace(",", " ").replace("(", " ").split()
            names = [words[0], *(f"{words[0]}.{word}" for word in words[2:])]
            modules = {(ROOT / "tests" / name.replace(".", "/")).with_suffix(".py") for name in names}
            due += (new := [one for one in modules - found if one.exists()])
            found |= set(new)
    return frozenset(found)


def few_alike(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests to use: all of a game's own, and CASES_PER_CONTRACT_TEST evenly spread cases of each test of the contract suite."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    chosen = []
    for name, own in cases.items():
        step = max(1.0, (len(own) - 1) / (CASES_PER_CONTRACT_TEST - 1)) if "sutler/contract/" in name else 1.0
        chosen += [own[round(i * step)] for i in range(len(own)) if round(i * step) < len(own)]
    return chosen


def after(items: list[pytest.Item], index: int) -> pytest.Item | None:
    """The test after the one at `index`, for pytest to keep the fixtures that it needs; None after the last one."""
    return items[index + 1] if index + 1 < len(items) else None


def silent() -> None:
    """Discard the output of a forked process."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


class _Noter(ast.NodeTransformer):
    """Inserts before each statement of a rule one that records that it is executed."""

    def __init__(self) -> None:
        self.file = ""
        self.places: list[tuple[str, int]] = []  # file and line of each number

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Instrument the statements in a node and below it."""
        super().generic_visit(node)
        for block in ("body", "orelse"):
            if isinstance(statements := getattr(node, block, None), list):
                noted = [two for one in statements for two in (self.note(one), one)]
                setattr(node, block, noted)
        return node

    def note(self, statement: ast.stmt) -> ast.stmt:
        """A statement to put before `statement`, which records that it is executed."""
        note = ast.parse(f"{COVERAGE_NAME}[{len(self.places)}] = 1").body[0]
        self.places.append((self.file, statement.lineno))
        return ast.copy_location(note, statement)

    def noting(self, path: Path, file: str) -> CodeType:
        """The instrumented code of a file."""
        self.file = file
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                self.generic_visit(node)
        return compile(ast.fix_missing_locations(tree), str(path), "exec")


def code_of(module: CodeType, rule: int) -> CodeType:
    """The code of the function that begins in line `rule` of a module. LookupError if there is none."""
    for one in module.co_consts:
        if isinstance(one, CodeType) and one.co_firstlineno == rule:
            return one
    raise LookupError(f"{module.co_filename}:{rule}")


def changed(folder: Path, mutant: Mutant) -> CodeType:
    """The code of the rule with the change made."""
    path = folder / mutant.file
    sound = path.read_bytes()
    source = sound[: mutant.start] + mutant.new.encode() + sound[mutant.end :]
    return code_of(compile(source, str(path), "exec"), mutant.rule)


def main() -> int:
    """Sample changes, try them, print the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="skip so many of the sample")
    parser.add_argument("--only", default="", help="only changes whose line contains this")
    parser.add_argument("--again", type=Path, help="only the survivors printed into this file")
    parser.add_argument("--tests", nargs="+", help="only these tests")
    parser.add_argument("--longest", type=float, default=MAX_TEST_SECONDS, help="seconds of tests for one change")
    told = parser.parse_args()
    folder = load_definition(told.game).folder
    every = [one for one in without_same(told.game, mutants_of(told.game)) if told.only in str(one)]
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
