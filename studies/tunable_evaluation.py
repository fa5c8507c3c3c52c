"""A game's judgement with its numbers as an argument: the same rules, made anew so that what stands in them as a number is told.

`studies/best_response.py` plays with thousands of slightly different judgements; compiling each would take a minute. Here every rule below
the greedy bot's decision that speaks of a number of the game's judgement (a name in capitals that is a fraction, a tuple of such or
a record of `core.weights`) is written out once more, with those numbers as a record `by` that is handed on from rule to rule.
All other rules are used as they are.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots.kit import kit_of
from sutler.core.game import Game
from sutler.core.record import Record, field, record
from sutler.core.rule import Rule
from sutler.core.template import generate

FIXED = {"UNIT32", "SCALE", "WON", "VICTORY", "CLINCHED", "OUT", "GONE", "MOST", "NEVER_WORTH_IT"}
"""Numbers that are no judgement: units, what a finished game is worth, and what stands for never."""
LOOP = '''
@rule
def play(by, box, results, states, bots, desk):
    """Games in which bot k judges by its own of `by[i]`, as long as there is such a row, and the others as they do."""
    for i in range(len(results)):
        one = results[i]
        state = states[i]
        n = open_game(box, state, one, desk, True)
        while n > 0 and one.decisions < one.most:
            seat = int(state.to_act)
            k = int(one.bots[seat])
            if k < by.shape[1]:
                imagine(box, desk.world, state, seat, desk.lucks[seat])
                action = greedy_choice__by(by[i, k], box, desk, bots[k], desk.lucks[seat])
            else:
                action = choose(box, state, bots, one, desk, n)
            n = take(box, state, one, desk, action)
            desk.told.n_told = 0
        close_game(box, state, one, n)
'''


@dataclass(frozen=True)
class Judge:
    """A game's judgement with its numbers told. numbers: their record; now: those of the game; play: the loop (see LOOP)."""

    numbers: Record
    now: Any
    play: Any


def judge_of(game: Game, beside: Path | None = None) -> Judge:
    """The judgement of the game's greedy bot; `beside`: the file of a bot of another kind at the table."""
    kit = kit_of(game)
    rewriter = _Rewriter(game.definition.package)
    rewriter.speaks(kit.greedy.greedy_choice)
    numbers, now = rewriter.numbers()
    games = kit.games(beside)
    given = {name: getattr(games, name) for name in ("open_game", "choose", "take", "close_game")}
    given |= {"imagine": kit.greedy.imagine} | rewriter.given
    used = (kit.greedy.greedy_choice.part, games.choose.part)  # machine code goes by the source alone
    source = f"# {used}\nfrom sutler.core.rule import rule\n" + "\n\n".join([*rewriter.written, LOOP])
    module = generate(f"{game.definition.package}._by", Path("by.py"), source, game.definition.home, **given)
    return Judge(numbers, now, module.play)


class _Rewriter:
    """Finds the rules that speak of numbers, and writes them out with `by`."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.values: dict[str, Any] = {}
        self.given: dict[str, Any] = {}
        self.written: list[str] = []
        self._speaks: dict[int, str] = {}  # by rule: its new name; "" for one that speaks of no number

    def numbers(self) -> tuple[Record, Any]:
        """Their record, and the game's own."""
        names = sorted(self.values)
        kind = record("By", *(_field(f"n_{name}", self.values[name]) for name in names))
        now = kind.new()
        for name in names:  # the game's own
            setattr(now, f"n_{name}", self.values[name])
        return kind, now

    def speaks(self, one: Rule) -> str:
        """The rule's name among those that are handed the numbers; "": it stays as it is."""
        if id(one) in self._speaks:
            return self._speaks[id(one)]
        self._speaks[id(one)] = ""
        known, tree = one.plain.__globals__, _tree(one)
        # in order, for machine code goes by the source
        names = sorted(set(one.plain.__code__.co_names) & set(known))  # not those that are local
        told = [name for name in names if self._is_number(name, known[name], one)]
        rules = {name: self.speaks(known[name]) for name in names if isinstance(known[name], Rule)}
        if not told and not any(rules.values()):
            return ""
        new = tree.name + "__by"
        while any(new == other for other in self._speaks.values()):
            new += "_"
        self._speaks[id(one)] = new
        keys = {name: self._key(name, known[name]) for name in told}
        others = {name: known[name] for name in names if name not in told and not rules.get(name)}
        self.written.append(_with_by(tree, new, keys, rules, {name: self._at(name, others[name]) for name in others}))
        return new

    def _is_number(self, name: str, value: Any, one: Rule) -> bool:
        module = one.plain.__module__
        if not module.startswith(f"{self.package}.") or module.startswith(
            f"{self.package}._"
        ):  # a template's are no judgement
            return False
        if name in FIXED or not name.isupper():
            return False
        fractions = isinstance(value, tuple) and all(isinstance(each, float) for each in value)
        return isinstance(value, float | np.void) or fractions

    def _key(self, name: str, value: Any) -> str:
        """What a number is called in the record; another of the same name, in another module, has a longer one."""
        while name in self.values and self.values[name] is not value and self.values[name] != value:
            name += "_"
        self.values[name] = value
        return name

    def _at(self, name: str, value: Any) -> str:
        """The name under which a global is given: its own, unless another module means something else by it."""
        while name in self.given and self.given[name] is not value:
            name += "_"
        self.given[name] = value
        return name


def _with_by(tree: Any, new: str, keys: dict[str, str], rules: dict[str, str], others: dict[str, str]) -> str:
    """A rule's source under its new name: numbers by their keys in `by_`, which is handed on; other names as they are given."""

    class Told(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            self.generic_visit(node)
            if isinstance(node.func, ast.Name) and node.func.id in rules.values():
                node.args.insert(0, ast.Name("by_", ast.Load()))
            return node

        def visit_Name(self, node: ast.Name) -> ast.AST:
            if node.id in keys:
                return ast.Attribute(ast.Name("by_", ast.Load()), f"n_{keys[node.id]}", ast.Load())
            return ast.Name(rules.get(node.id) or others.get(node.id, node.id), node.ctx)

    tree = Told().visit(tree)
    tree.name = new
    tree.args.args.insert(0, ast.arg("by_"))
    return ast.unparse(ast.fix_missing_locations(tree))


def _tree(one: Rule) -> Any:
    """The function, bare of annotations."""
    tree: Any = ast.parse(textwrap.dedent(inspect.getsource(one.plain))).body[0]
    tree.returns = None
    tree.decorator_list = [ast.Name("rule", ast.Load())]
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
    return tree


def _field(name: str, value: Any) -> Any:
    """The field that holds a number, a row of them or a record of them."""
    if isinstance(value, tuple):
        return field(name, "f8", len(value))
    if isinstance(value, np.void):
        rows = [(key, "f8", value.dtype[key].shape) for key in value.dtype.names or ()]
        return field(
            name, record(name, *(field(key, kind, *shape) if shape else (key, kind) for key, kind, shape in rows))
        )
    return (name, "f8")


def spread(judge: Judge) -> np.ndarray[Any, np.dtype[Any]]:
    """The game's own numbers in a row, as `told` takes them."""
    return np.frombuffer(judge.now.tobytes(), np.float64).copy()


def told(judge: Judge, rows: np.ndarray[Any, np.dtype[Any]]) -> Any:
    """Rows of numbers, shape (n, numbers), as records."""
    return np.frombuffer(np.ascontiguousarray(rows).tobytes(), judge.numbers.dtype).copy()


def names(judge: Judge) -> list[str]:
    """What each number of a row is called."""
    return [path.removeprefix("n_") for path, _, _ in judge.numbers.leaves(judge.now)]
