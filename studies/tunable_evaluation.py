"""A game's evaluation with its parameters as an argument, so that thousands of variants play without being compiled again.

The greedy bot's evaluation has its parameters as constants: names in capitals whose value is a fraction, a tuple of fractions or a record
of `core.record`. Every rule below the greedy bot's decision that uses such a constant is written out once more under the name
NAME__by, with a record of all parameters as its first argument `by_`. Rules that use none are called as they are. `best_response.py` and
`league.py` play with these rules.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots.kit import get_kit
from sutler.core.per_game_modules import build_module_from_source
from sutler.core.play.game import Game
from sutler.core.record import Record, field, record
from sutler.core.rule import Rule

NOT_PARAMETERS = {"UNIT32", "SCALE", "WON", "VICTORY", "CLINCHED", "OUT", "GONE", "MOST"}
"""Constants that are not varied: units, the worth of a finished game, and "never"."""
PLAY_SOURCE = '''
@rule
def play(by, box, results, states, bots, scratch):
    """Play games i in which bot k evaluates by the parameters by[i, k]; bots beyond by.shape[1] decide as usual."""
    for i in range(len(results)):
        one = results[i]
        state = states[i]
        n = go_to_first_decision(box, state, one, scratch, True)
        while n > 0 and one.decisions < one.most:
            seat = int(state.to_act)
            k = int(one.bots[seat])
            if k < by.shape[1]:
                imagine(box, scratch.world, state, seat, scratch.lucks[seat])
                action = greedy_choice__by(by[i, k], box, scratch, bots[k], scratch.lucks[seat])
            else:
                action = choose(box, state, bots, one, scratch, n)
            n = take(box, state, one, scratch, action)
            count_events(scratch, one)
        write_game_result(box, state, one, n)
'''


@dataclass(frozen=True)
class TunableEvaluation:
    """An evaluation with parameters as an argument. layout: their record type; own: the game's values; play: see PLAY_SOURCE."""

    layout: Record
    own: Any
    play: Any


def tunable(game: Game) -> TunableEvaluation:
    """The evaluation of the game's greedy bot, compiled with parameters."""
    kit = get_kit(game)
    rewriter = _Rewriter(game.definition.package)
    rewriter.rewrite(kit.greedy.greedy_choice)
    layout, own = rewriter.parameters()
    games = kit.game_loop
    given = {name: getattr(games, name) for name in ("go_to_first_decision", "choose", "take", "write_game_result")}
    given |= {"imagine": kit.greedy.imagine, "count_events": kit.recorder.count_events} | rewriter.given
    used = (
        kit.greedy.greedy_choice.part,
        games.choose.part,
    )  # named in the source, which is the key of cached machine code
    source = f"# {used}\nfrom sutler.core.rule import rule\n" + "\n\n".join([*rewriter.sources, PLAY_SOURCE])
    module = build_module_from_source(
        f"{game.definition.package}._by", Path("by.py"), source, game.definition.home, **given
    )
    return TunableEvaluation(layout, own, module.play)


class _Rewriter:
    """Finds the rules that use parameters, and writes them out with the argument `by_`."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.values: dict[str, Any] = {}
        self.given: dict[str, Any] = {}
        self.sources: list[str] = []
        self._new_names: dict[int, str] = {}  # by id of the rule; "" for a rule that uses no parameter

    def parameters(self) -> tuple[Record, Any]:
        """The record type of all parameters found, and a record of the game's own values."""
        names = sorted(self.values)
        kind = record("By", *(_field(f"n_{name}", self.values[name]) for name in names))
        own = kind.new()
        for name in names:
            setattr(own, f"n_{name}", self.values[name])
        return kind, own

    def rewrite(self, one: Rule) -> str:
        """Write out the rule and those it calls with the argument `by_`. Returns its new name, or "" if it uses no parameter."""
        if id(one) in self._new_names:
            return self._new_names[id(one)]
        self._new_names[id(one)] = ""
        known, tree = one.plain.__globals__, _tree(one)
        # sorted, so that the source, and with it the key of cached machine code, stays the same; local names are left out
        names = sorted(set(one.plain.__code__.co_names) & set(known))
        parameters = [name for name in names if self._is_parameter(name, known[name], one)]
        rules = {name: self.rewrite(known[name]) for name in names if isinstance(known[name], Rule)}
        if not parameters and not any(rules.values()):
            return ""
        new = tree.name + "__by"
        while any(new == other for other in self._new_names.values()):
            new += "_"
        self._new_names[id(one)] = new
        keys = {name: self._key(name, known[name]) for name in parameters}
        others = {name: known[name] for name in names if name not in parameters and not rules.get(name)}
        self.sources.append(
            _with_by(tree, new, keys, rules, {name: self._global_name(name, others[name]) for name in others})
        )
        return new

    def _is_parameter(self, name: str, value: Any, one: Rule) -> bool:
        """Is this global of the rule a constant of the game's evaluation that may be varied?"""
        module = one.plain.__module__
        if not module.startswith(f"{self.package}.") or module.startswith(
            f"{self.package}._"
        ):  # constants of templates are not the game's
            return False
        if name in NOT_PARAMETERS or not name.isupper():
            return False
        fractions = isinstance(value, tuple) and all(isinstance(each, float) for each in value)
        return isinstance(value, float | np.void) or fractions

    def _key(self, name: str, value: Any) -> str:
        """The parameter's key in the record; a different one of the same name, from another module, gets underscores appended."""
        while name in self.values and self.values[name] is not value and self.values[name] != value:
            name += "_"
        self.values[name] = value
        return name

    def _global_name(self, name: str, value: Any) -> str:
        """The name under which a global is passed to the new module: its own, with underscores if another module uses it otherwise."""
        while name in self.given and self.given[name] is not value:
            name += "_"
        self.given[name] = value
        return name


def _with_by(tree: Any, new: str, keys: dict[str, str], rules: dict[str, str], others: dict[str, str]) -> str:
    """The rule's source under its new name. keys: parameters, read from `by_`; rules: those that are passed `by_`; others: new names."""

    class WithParameters(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            self.generic_visit(node)
            if isinstance(node.func, ast.Name) and node.func.id in rules.values():
                node.args.insert(0, ast.Name("by_", ast.Load()))
            return node

        def visit_Name(self, node: ast.Name) -> ast.AST:
            if node.id in keys:
                return ast.Attribute(ast.Name("by_", ast.Load()), f"n_{keys[node.id]}", ast.Load())
            return ast.Name(rules.get(node.id) or others.get(node.id, node.id), node.ctx)

    tree = WithParameters().visit(tree)
    tree.name = new
    tree.args.args.insert(0, ast.arg("by_"))
    return ast.unparse(ast.fix_missing_locations(tree))


def _tree(one: Rule) -> Any:
    """The rule's syntax tree, without annotations."""
    tree: Any = ast.parse(textwrap.dedent(inspect.getsource(one.plain))).body[0]
    tree.returns = None
    tree.decorator_list = [ast.Name("rule", ast.Load())]
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
    return tree


def _field(name: str, value: Any) -> Any:
    """A field for a number, a tuple of numbers or a record of numbers."""
    if isinstance(value, tuple):
        return field(name, "f8", len(value))
    if isinstance(value, np.void):
        rows = [(key, "f8", value.dtype[key].shape) for key in value.dtype.names or ()]
        return field(
            name, record(name, *(field(key, kind, *shape) if shape else (key, kind) for key, kind, shape in rows))
        )
    return (name, "f8")


def own_parameters(evaluation: TunableEvaluation) -> np.ndarray[Any, np.dtype[Any]]:
    """The game's own parameters: shape (parameters,)."""
    return np.frombuffer(evaluation.own.tobytes(), np.float64).copy()


def as_records(evaluation: TunableEvaluation, rows: np.ndarray[Any, np.dtype[Any]]) -> Any:
    """Rows of parameters, shape (n, parameters), as n records."""
    return np.frombuffer(np.ascontiguousarray(rows).tobytes(), evaluation.layout.dtype).copy()


def parameter_names(evaluation: TunableEvaluation) -> list[str]:
    """The names of the parameters, in the order of a row."""
    return [path.removeprefix("n_") for path, _, _ in evaluation.layout.iter_values(evaluation.own)]
