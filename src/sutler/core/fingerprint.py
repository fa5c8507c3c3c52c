"""A digest of everything that machine code is made from, and nothing else: editing a text, a comment or a label recompiles nothing.

A game's machine code depends on its rules and on the constants, records and tables they name, in any file; not on functions for
people, docstrings, comments, annotations of functions or the box (an argument, not code). Annotations of a class count: they are
its fields, and records are made from them (core.entry). Strings in a table's rows are texts, except those that name phases and parts.
Of the box only the declared options count, with their bounds and values, since a record is made from them too (core.options).
"""

from __future__ import annotations

import ast
import functools
import hashlib
import threading
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WORDS = {
    "Event": set[str](),
    "Refusal": set[str](),
    "Phase": {"stage", "midway", "over"},
    "Block": {"when", "free", "aside"},
    "operation": {"holds", "runs"},
}
"""The row classes of tables, each with those keyword arguments that are not only texts."""
RULE_ARGUMENTS = {"Block": slice(1, 2), "operation": slice(1)}
"""The positional arguments of rows that are not only texts: the kinds of an action's parts, the name of an operation."""
TABLES = ("PHASES", "ACTIONS", "EVENTS", "REFUSALS", "FAULTS", "STATE", "BOX", "OBSERVED_MORE")
"""The names that rules are generated from (see core.contract), even where no rule refers to them."""


class _Bare(ast.NodeTransformer):
    """A visitor that removes from a syntax tree everything that means nothing to the compiler."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
            node.body = kept  # type: ignore[attr-defined]
        return super().generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [_turn_field_into_assignment(one) if isinstance(one, ast.AnnAssign) else one for one in node.body]
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if not any(isinstance(one, ast.Call) and _get_called_name(one) == "operation" for one in node.decorator_list):
            node.returns = None  # an operation's says whether it is done at once (core.rule_tables)
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _get_called_name(node)
        if name in WORDS:
            node.args = node.args[RULE_ARGUMENTS[name]] if name in RULE_ARGUMENTS else []
            node.keywords = [one for one in node.keywords if one.arg in WORDS[name]]
        elif name == "FaultTable":
            node.keywords = [ast.keyword(one.arg, ast.Constant("")) for one in node.keywords]
        return self.generic_visit(node)


def _get_called_name(node: ast.Call) -> str:
    """The name of the function that is called, "" where it is no plain name."""
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _turn_field_into_assignment(node: ast.AnnAssign) -> ast.Assign:
    """A class field as an assignment that keeps its type and its bounds."""
    told = [node.annotation] if node.value is None else [node.annotation, node.value]
    return ast.Assign([node.target], ast.Tuple(told, ast.Load()))


_ONE_AT_A_TIME = threading.Lock()
"""Held while parsing: Python 3.11 counts the depth of trees for all threads together, and fails where two parse at once."""


def _dump_without_text(node: ast.AST) -> str:
    """A syntax tree as text, without line numbers."""
    return ast.dump(node, include_attributes=False)


def _parse_without_text(path: Path) -> ast.Module:
    """The syntax tree of a file without docstrings, annotations and words for people, which change no machine code."""
    with _ONE_AT_A_TIME:
        parsed = ast.parse(path.read_text(encoding="utf-8"))
    tree: ast.Module = _Bare().visit(parsed)
    return tree


@functools.cache
def hash_meaning_of_module(path: Path) -> bytes:
    """A digest of all code in a module; texts, comments and annotations are left out."""
    return hashlib.sha256(_dump_without_text(_parse_without_text(path)).encode()).digest()


# --- A game: the rules, and what they speak of ------------------------------------------------


@dataclass
class _Module:
    """One file of a game: the names that its top level binds, and those that it imports."""

    name: str
    binds: dict[str, list[ast.AST]] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
    seconds: dict[str, str] = field(default_factory=dict)
    """Aliases of rules: `do_wait = do_pass`."""


def _is_rule(node: ast.FunctionDef) -> bool:
    """Is the function decorated with `rule`?"""
    named = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    return any(isinstance(one, ast.Name) and one.id == "rule" for one in named)


def _iter_bound_names(node: ast.AST) -> Iterator[str]:
    """The names that a top-level statement binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AugAssign | ast.For | ast.With | ast.If | ast.Try | ast.While):
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                yield one.id


def _read_module(folder: Path, path: Path) -> _Module:
    """The imports, rules and top-level names of a module of the folder."""
    parts = path.relative_to(folder).with_suffix("").parts
    module = _Module(".".join(part for part in parts if part != "__init__"))
    for node in _parse_without_text(path).body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module.imports[alias.asname or alias.name] = (node.module or "", alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                module.imports[alias.asname or alias.name.split(".")[0]] = (alias.name, "")
        else:
            if isinstance(node, ast.FunctionDef) and _is_rule(node):
                module.rules.append(node.name)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
                module.seconds |= dict.fromkeys(_iter_bound_names(node), node.value.id)
            for name in _iter_bound_names(node):
                module.binds.setdefault(name, []).append(node)
    return module


class _Walk:
    """Follows names from the rules to everything they refer to, across the files of one game."""

    def __init__(self, folder: Path) -> None:
        self.modules = {one.name: one for one in (_read_module(folder, path) for path in sorted(folder.rglob("*.py")))}
        self.seen: dict[tuple[str, str], str] = {}
        for module in self.modules.values():
            seconds = [name for name, first in module.seconds.items() if self._is_rule_name(module, first)]
            for name in (*module.rules, *seconds, *(table for table in TABLES if table in module.binds)):
                self._add_needed_name(module, name)

    def _is_rule_name(self, module: _Module, name: str) -> bool:
        """Is this the name of a rule, or an alias of one, of this file or of another of the game?"""
        if name in module.seconds:
            return self._is_rule_name(module, module.seconds[name])
        if name not in module.imports:
            return name in module.rules
        source, original = module.imports[name]
        inside = self._find_module_of_game(source)
        return inside is not None and self._is_rule_name(inside, original)

    def _add_needed_name(self, module: _Module, name: str) -> None:
        """Mark a name of a module as needed, and with it every name that its code refers to."""
        key = (module.name, name)
        if key in self.seen:
            return
        if name in module.binds:
            nodes = module.binds[name]
            self.seen[key] = " ".join(_dump_without_text(node) for node in nodes)
            for node in nodes:
                self._follow_names_in(module, node)
        elif name in module.imports:
            source, original = module.imports[name]
            self.seen[key] = f"{source}.{original}"
            if inside := self._find_module_of_game(source):
                self._add_needed_name(inside, original)

    def _find_module_of_game(self, source: str) -> _Module | None:
        """The module of this game that an import names: `sutler.games.manor.rules.work` is its `rules.work`; None for any other."""
        parts = source.split(".")
        return self.modules.get(".".join(parts[3:])) if parts[:2] == ["sutler", "games"] else None

    def _follow_names_in(self, module: _Module, node: ast.AST) -> None:
        """Add every name that a piece of code uses to the names that are needed."""
        for one in ast.walk(node):
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
                source, original = module.imports.get(one.value.id, ("", ""))
                if inside := self._find_module_of_game(f"{source}.{original}"):
                    self._add_needed_name(inside, one.attr)
            if isinstance(one, ast.Name):
                self._add_needed_name(module, one.id)


def _list_options_seen_by_rules(box: Path) -> list[tuple[Any, ...]]:
    """The options of a box reduced to what rules read: kind, bounds and values of each, without texts."""
    declared = tomllib.loads(box.read_text(encoding="utf-8")).get("options", {}) if box.exists() else {}
    return [
        (
            name,
            one.get("kind"),
            one.get("low"),
            one.get("high"),
            [choice.get("value") for choice in one.get("choices", ())],
        )
        for name, one in declared.items()
    ]


def hash_meaning_of_game(folder: Path) -> bytes:
    """A digest of a game's rules and of everything they refer to."""
    told = sorted((*key, text) for key, text in _Walk(folder).seen.items())
    return hashlib.sha256(repr((told, _list_options_seen_by_rules(folder / "box.toml"))).encode()).digest()
