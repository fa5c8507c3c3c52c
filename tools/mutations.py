"""Find the small changes of a game's rules that `tools/mutants.py` tries.

Changes without effect are listed with a reason in `tests/mutants.toml`. An entry names the file, the rule and the change; if several
changes have this name, `line`, the text of the line, and `nth`, counted from 1, say which one is meant.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import tomllib
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from sutler.core.play.registry import load_definition

EQUIVALENT_MUTANTS = Path(__file__).parents[1] / "tests" / "mutants.toml"
MAX_OLD_TEXT_CHARS = 80
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


@dataclass(frozen=True)
class Mutant:
    """A change: bytes `start` to `end` of a file are replaced by `new`."""

    file: str
    name: str  # of the rule
    line: int
    column: int
    rule: int  # the line the rule begins in
    statement: int  # the line of the statement that it is a part of
    start: int
    end: int
    new: str
    what: str
    text: str  # of the line

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column} {self.name}: {self.what}"


class _Maker(ast.NodeVisitor):
    """Collects every small change of a source file."""

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
        """Visit a node, noting the statement that it belongs to."""
        if isinstance(node, ast.stmt):
            self.statement = node.lineno
        super().visit(node)

    def at(self, node: Any, end: bool = False) -> int:
        """The offset in bytes of a node's start in the file, or of its end with `end`."""
        if end:
            return self.starts[node.end_lineno - 1] + int(node.end_col_offset)
        return self.starts[node.lineno - 1] + int(node.col_offset)

    def add(self, start: int, end: int, new: str) -> None:
        """Add a change of the bytes from `start` to `end`, if they are in a rule."""
        old = " ".join(self.raw[start:end].decode().split())
        if self.inside and old != new:
            line = bisect_right(self.starts, start)
            first, after = self.starts[line - 1], self.starts[line]
            self.found.append(
                Mutant(
                    file=self.file,
                    name=self.name,
                    line=line,
                    column=start - first + 1,
                    rule=self.inside,
                    statement=self.statement,
                    start=start,
                    end=end,
                    new=new,
                    what=f"{old[:MAX_OLD_TEXT_CHARS]} -> {new}",
                    text=self.raw[first:after].decode().strip(),
                )
            )

    def swap(self, left: Any, right: Any, operator: ast.AST) -> None:
        """Add a change of the operator between two nodes."""
        start, end = self.at(left, end=True), self.at(right)
        sign = SIGNS.get(type(operator))
        if sign is None:
            return
        where = self.raw[start:end].find(sign.encode())
        if where >= 0:
            self.add(start + where, start + where + len(sign), SWAPS[type(operator)])

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
            self.add(self.at(node), self.at(node.operand), "")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Skip arguments of an event that its sentence does not use."""
        kind = {"tell": 1, "tell_to": 2}.get(getattr(node.func, "id", ""))
        event = node.args[kind] if kind is not None else None
        if kind is not None and isinstance(event, ast.Attribute) and event.attr in self.parts:
            node.args = node.args[: kind + 1 + self.parts[event.attr]]
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add(self.at(node), self.at(node, end=True), str(not node.value))
        elif isinstance(node.value, int):
            self.add(self.at(node), self.at(node, end=True), str(node.value + 1))

    def visit_If(self, node: ast.If) -> None:
        for new in ("True", "False"):
            self.add(self.at(node.test), self.at(node.test, end=True), new)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.add(self.at(node), self.at(node, end=True), "pass")
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not isinstance(node.targets[0], ast.Name):
            self.add(self.at(node), self.at(node, end=True), "pass")
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add(self.at(node), self.at(node, end=True), "pass")
        self.swap(node.target, node.value, node.op)
        self.visit(node.value)


def mutants_of(game: str) -> list[Mutant]:
    """All small changes of a game's rules."""
    found: list[Mutant] = []
    d = load_definition(game)
    folder, parts = d.folder, {name: len(event.parts) for name, event in d.events.events.items()}
    for pattern in RULES:
        for path in sorted(folder.glob(pattern)):
            source = path.read_text(encoding="utf-8")
            maker = _Maker(str(path.relative_to(folder)), source, parts)
            maker.visit(ast.parse(source))
            found += maker.found
    return found


def in_order(every: list[Mutant], seed: int) -> list[Mutant]:
    """The changes in an order given by hashes of their names and the seed, so that a sample stays the same when other rules change."""
    alike: Counter[tuple[str, str, str]] = Counter()
    keys = []
    for one in every:
        kind = one.file, one.name, one.what
        alike[kind] += 1
        keys.append(hashlib.sha256(f"{seed} {kind} {alike[kind]}".encode()).digest())
    return [one for _, one in sorted(zip(keys, every, strict=True), key=itemgetter(0))]


# --- Equivalent mutants ---------------------------------------------------------


@functools.cache
def listed(game: str) -> tuple[dict[str, Any], ...]:
    """The entries of a game in the file EQUIVALENT_MUTANTS."""
    return tuple(tomllib.loads(EQUIVALENT_MUTANTS.read_text(encoding="utf-8")).get(game, ()))


def meant(every: list[Mutant], entry: dict[str, Any]) -> list[Mutant]:
    """The changes that an entry of EQUIVALENT_MUTANTS names."""
    named = entry["file"], entry["rule"], entry["change"]
    found = [
        one for one in every if (one.file, one.name, one.what) == named and entry.get("line", one.text) == one.text
    ]
    return found[entry["nth"] - 1 : entry["nth"]] if "nth" in entry else found


def without_same(game: str, every: list[Mutant]) -> list[Mutant]:
    """The changes without those listed as equivalent in EQUIVALENT_MUTANTS."""
    same = {one for entry in listed(game) for one in meant(every, entry)}
    return [one for one in every if one not in same]
