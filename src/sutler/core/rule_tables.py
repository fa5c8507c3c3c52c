"""Tables of rules: which rule goes with which number, and the operations of a card language, each declared once above its rule.

A game whose cards are lists of operations keeps one `OperationTable`. `@operation("pool_set", needs="resource value")` above a rule is
that operation's row: its name, the fields a card must give it, those it may, and tags. Numbers by name, the check of a card's fields and
the rule that finds an operation's rule (`dispatch`) all follow from the rows, so that a new operation is one decorated rule. `RuleTable`
does the same for any enumeration: what a frame is about, the parts of a session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sutler.core.names import Numbers, did_you_mean
from sutler.core.per_game_modules import build_module_from_source
from sutler.core.rule import Rule, find_home

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Operation:
    """One operation's row: the fields it needs, those it may have, its tags, and the rule it stands above."""

    name: str
    rule: Any
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    holds: bool = False
    """Does the operation hold as long as its card is in play, instead of happening once? Then other rules ask for it."""
    runs: bool = True
    """Does `dispatch` run its rule? False for what holds, and for what other rules ask for."""


class OperationError(TypeError):
    """An error: an operation's row and its rule do not fit together; the message says what is wrong."""


class _LateNumbers(Numbers):
    """The numbers of rows in a table to which rows may still be added: they are assigned, by name, when the first is asked for."""

    def __init__(self, of: str, rows: dict[str, Operation]) -> None:
        self.__dict__.update(_of=of, _rows=rows, _values={})

    def _assign_numbers(self) -> None:
        """Number the operations by name, once all rows are known; nothing if they are numbered."""
        if not self.__dict__["_values"]:
            rows: dict[str, Operation] = self.__dict__["_rows"]
            super().__init__(self.__dict__["_of"], {name: number for number, name in enumerate(sorted(rows), 1)})

    def __getattr__(self, name: str) -> int:
        if not name.startswith("_") and not self.__dict__["_values"]:
            self._assign_numbers()
            return int(getattr(self, name))
        return super().__getattr__(name)

    def _list_pairs(self) -> list[tuple[str, int]]:
        self._assign_numbers()
        return super()._list_pairs()


class RuleTable:
    """A table of rules, one for each value of an enumeration: `@on_part("restore")` above a rule registers it for that name.

    A rule is handed what its arguments are called: one of `arguments`, which the rule that `dispatch` makes takes as well, or one of
    `gives`, each with the expression for it in terms of those before.
    """

    def __init__(self, numbers: Numbers, arguments: Sequence[str], **gives: str) -> None:
        self.numbers, self.arguments, self.gives = numbers, tuple(arguments), gives
        self.rules: dict[str, Rule] = {}

    def of(self, name: str) -> Callable[[F], F]:
        """A decorator that registers a rule under `name`; OperationError if there is one already, or if its parameters are wrong."""

        def register(rule: F) -> F:
            self.add(name, rule)
            return rule

        return register

    def add(self, name: str, rule: Any) -> None:
        """Register a rule under `name`; errors as for `of`."""
        if not isinstance(rule, Rule):
            raise OperationError(f"{name!r}: the row stands above @rule")
        if name in self.rules:
            raise OperationError(f"{name!r}: there is a rule for it already")
        if strange := [asked for asked in _list_parameters(rule) if asked not in (*self.arguments, *self.gives)]:
            raise OperationError(f"{name!r}: its rule asks for {strange[0]!r}, which it is not handed")
        self.rules[name] = rule

    def dispatch(self, name: str, file: str) -> Any:
        """A generated rule that calls the rule registered for `number`, its last argument.

        It returns whether that is done: what the rule says, True where the rule says nothing or where there is none. All rules must
        have been added before.
        """
        given = {rule.plain.__name__: rule for rule in self.rules.values()}
        lines = [
            f'"""Made from the rows of rules that {name} runs: see sutler.core.rule_tables."""',
            "from sutler.core.rule import rule",
            "@rule",
            f"def run({', '.join([*self.arguments, 'number'])}):",
            *(f"    {local} = {expression}" for local, expression in self.gives.items()),
            *self._iter_binary_search_lines(self._list_in_number_order(), 1),
            "    return True",
        ]
        made = f"_rules_by_{self.numbers.__dict__['_of']}"
        path, source = Path(file).with_name(f"{made}.py"), "\n".join(lines) + "\n"
        module = build_module_from_source(
            f"{name}.{made}", path, source, find_home(file), NUMBERS=self.numbers, **given
        )
        find_home(file).made.add(module.__part__)
        return module.run

    def _list_in_number_order(self) -> list[str]:
        """The names, in the order of their numbers."""
        return [name for name in self.numbers if name in self.rules]

    def _iter_binary_search_lines(self, names: Sequence[str], depth: int) -> Iterator[str]:
        """Source lines of a binary search by `number` over these names, which stand in the order of their numbers."""
        indent = "    " * depth
        if len(names) > 1:
            half = len(names) // 2
            yield f"{indent}if number < NUMBERS.{names[half]}:"
            yield from self._iter_binary_search_lines(names[:half], depth + 1)
            yield f"{indent}else:"
            yield from self._iter_binary_search_lines(names[half:], depth + 1)
            return
        yield f"{indent}if number == NUMBERS.{names[0]}:"
        rule = self.rules[names[0]]
        call = f"{rule.plain.__name__}({', '.join(_list_parameters(rule))})"
        if rule.plain.__annotations__.get("return") in ("None", None):
            yield f"{indent}    {call}"
        else:
            yield f"{indent}    return bool({call})"


class OperationTable(RuleTable):
    """The operations of one game, by name; `numbers` are those that rules and boxes know them by (0 is none).

    An operation that no rule carries out is done at once.
    """

    def __init__(self, arguments: Sequence[str], tags: Sequence[str] = (), **gives: str) -> None:
        self.rows: dict[str, Operation] = {}
        super().__init__(_LateNumbers("op", self.rows), arguments, **gives)
        self.tags = tuple(tags)

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.rows.values())

    def __len__(self) -> int:
        return len(self.rows)

    def row(
        self, name: str, needs: str = "", may: str = "", tags: str = "", holds: bool = False, runs: bool | None = None
    ) -> Callable[[F], F]:
        """The decorator of an operation's rule; `needs`, `may` and `tags` are words with spaces between.

        `holds` and `runs` as in `Operation`; what holds is not run, unless `runs` says so.

        Raises OperationError where the name is taken, a tag unknown, or the rule asks for something it cannot be handed.
        """

        def register(rule: F) -> F:
            if name in self.rows or self.numbers.__dict__["_values"]:
                raise OperationError(f"{name!r}: there is an operation already, or the numbers have been given out")
            run = not holds if runs is None else runs
            one = Operation(name, rule, tuple(needs.split()), tuple(may.split()), tuple(tags.split()), holds, run)
            if strange := sorted(set(one.tags) - set(self.tags)):
                raise OperationError(f"{name!r}: there is no tag {strange[0]!r}")
            if one.runs:
                self.add(name, rule)
            self.rows[name] = one
            return rule

        return register

    def find_fault(self, name: str, given: set[str]) -> str:
        """The fault of an operation of this name with these fields on a card, in words; "" if there is none."""
        row = self.rows.get(name)
        if row is None:
            return f"there is no op {name!r}{did_you_mean(name, self.rows)}"
        known = (*row.needs, *row.may)
        if strange := sorted(given - set(known)):
            return f"op {name} has no field {', '.join(strange)}{did_you_mean(strange[0], known)}"
        if missing := sorted(set(row.needs) - given):
            return f"op {name} needs {', '.join(missing)}"
        return ""

    def _list_in_number_order(self) -> list[str]:
        """The names of the operations, in the order of their numbers."""
        return sorted(self.rules)  # as they will be numbered


def _list_parameters(rule: Rule) -> tuple[str, ...]:
    """The names of a rule's parameters."""
    code = rule.plain.__code__
    return code.co_varnames[: code.co_argcount]
