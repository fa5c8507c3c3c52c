"""Generates the source of the rules that every game needs, such as `apply` and `legal`, from the game's tables.

A game writes each action, phase and reason as one row, with the rules that belong to it (`why_not_place`, `do_place`, perhaps
`allow_place`). From these are generated, as source that a debugger shows and the compiler caches: `legal`, `apply`, `why_not`,
`is_asked`, `is_midway`, `is_over` and `observe`; and, from a game's `is_ahead`, `rank`: one place down for each seat ahead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from sutler.core.actions import ActionTable
from sutler.core.learners.observation import Observer
from sutler.core.per_game_modules import build_module_from_source
from sutler.core.rule import Home, Rule
from sutler.core.tables import FINE, NOT_NOW, PhaseTable
from sutler.core.text.prompts_and_choices import add_default_words

HEAD = '''"""Made from the tables of {package}: see sutler.core.generated_rules."""

from sutler.core.bits import allow, allow_range, count, mark_set, mark_word
from sutler.core.rule import rule
'''
RANK = """@rule
def rank(box, state, out):
    for seat in range(state.n_seats):
        place = 1
        for other in range(state.n_seats):
            if is_ahead(box, state, other, seat):
                place += 1
        out[seat] = place
"""


class ContractError(TypeError):
    """An error: the tables and the rules of a game do not fit together; the message says what is missing."""


def add_generated_rules(package: str, folder: Path, home: Home, modules: Sequence[ModuleType]) -> dict[str, Any]:
    """{name: object} of a game's modules and of rules generated from its tables; a rule that the game itself writes is kept.

    ContractError where a table is missing, or a rule that the tables need.
    """
    found: dict[str, Any] = {}
    for module in modules:
        found.update(vars(module))
    for table in ("PHASES", "ACTIONS", "EVENTS", "REFUSALS", "FAULTS", "STATE", "BOX"):
        if table not in found:
            raise ContractError(f"{package}: the contract asks for {table!r}; no module of the game has it")
    maker = _Maker(package, found)
    observer = Observer(package, found["STATE"], found["PHASES"], found)
    made = {**maker.build_sources(), **observer.build_sources()}
    wanted = {name: text for name, text in made.items() if not isinstance(found.get(name), Rule)}
    given = {name: one for name, one in found.items() if isinstance(one, Rule)}
    source = "\n\n".join([HEAD.format(package=package), *wanted.values()])
    module = build_module_from_source(f"{package}._contract", folder / "_contract.py", source, home, **given)
    home.made.add(module.__part__)
    found.update({name: getattr(module, name) for name in wanted})
    return add_default_words({"N_OBSERVED": observer.n, "OBSERVATION": observer.spec, **found})


class _Maker:
    """Generates rules that dispatch: from an action to its block's rules, from a phase to the blocks it allows."""

    def __init__(self, package: str, found: dict[str, Any]) -> None:
        self.package, self.found = package, found
        self.actions: ActionTable = found["ACTIONS"]
        self.phases: PhaseTable = found["PHASES"]
        for name, block in self.actions.blocks.items():
            self._require_rule(f"do_{name}", ("box", "state", "events", "seat"), len(block.kinds))
            if not block.free:
                self._require_rule(f"why_not_{name}", ("box", "state", "seat"), len(block.kinds))
            elif f"why_not_{name}" in found:
                raise ContractError(
                    f"{package}: the row of {name!r} says that it is free, and why_not_{name} says why not"
                )
            if f"allow_{name}" in found:
                self._require_rule(f"allow_{name}", ("box", "state", "seat", "out"), 0)
            for phase in self.actions.phases(name):
                if phase not in self.phases.phases:
                    raise ContractError(f"{package}: {name!r} is asked for in {phase!r}, and there is no such phase")
            if strange := set(self.actions.team_phases(name)) - set(self.actions.phases(name)):
                raise ContractError(f"{package}: {name!r} is the team's in {strange.pop()!r}, where nobody asks for it")
            if not block.when and not block.aside:
                raise ContractError(f"{package}: no phase asks for {name!r}")

    def _require_rule(self, name: str, opening: tuple[str, ...], n_args: int) -> None:
        """Raise ContractError unless the game has a rule of this name that takes the `opening` parameters and `n_args` more."""
        one = self.found.get(name)
        if not isinstance(one, Rule):
            raise ContractError(f"{self.package}: the tables ask for a rule {name!r}; no module of the game has it")
        code = one.plain.__code__
        has = code.co_varnames[: code.co_argcount]
        if len(has) != len(opening) + n_args:
            wanted = ", ".join([*opening, *(f"part {i + 1}" for i in range(n_args))])
            raise ContractError(f"{self.package}: {name} takes ({', '.join(has)}); the tables hand it ({wanted})")

    def build_sources(self) -> dict[str, str]:
        """The source of each generated rule, by the rule's name."""
        places = {"rank": RANK} if isinstance(self.found.get("is_ahead"), Rule) else {}
        return places | {
            "legal": self._legal_source(),
            "apply": self._apply_source(),
            "is_asked": self._is_asked_source(),
            "why_not": self._why_not_source(),
            "is_midway": self._phase_rule_source("is_midway", "(box, state)", "midway"),
            "is_over": self._phase_rule_source("is_over", "(state)", "over"),
        }

    # --- By action ---

    def _arguments_source(self, block: str, index: str) -> str:
        """The arguments of a block's call after the opening ones, as source; `index` counts within the block."""
        shape = self.actions.shape(block)
        if len(shape) < 2:
            return "".join(f", {index}" for _ in shape)
        out: list[str] = []
        below = 1
        for size in reversed(shape):
            whole = f"({index}) // {below}" if below > 1 else f"({index})"
            out.append(f"{whole} % {size}" if len(out) < len(shape) - 1 else whole)
            below *= size
        return "".join(f", {part}" for part in reversed(out))

    def _binary_search_source(self, names: Sequence[str], leaf: Any, depth: int = 1) -> Iterator[str]:
        """Source of a binary search over blocks: an id finds its block in a few comparisons."""
        indent = "    " * depth
        if len(names) == 1:
            yield from (indent + line for line in leaf(names[0]))
            return
        half = len(names) // 2
        yield f"{indent}if action < {self.actions.first[names[half]]}:  # {names[half]}"
        yield from self._binary_search_source(names[:half], leaf, depth + 1)
        yield f"{indent}else:"
        yield from self._binary_search_source(names[half:], leaf, depth + 1)

    def _index_source(self, block: str) -> str:
        """An expression for an action's index within its block."""
        return f"action - {self.actions.first[block]}"

    def _apply_source(self) -> str:
        """The source of the rule `apply`, which calls the rule `do_BLOCK` of the action's block."""

        def call_block_rule(name: str) -> list[str]:
            return [f"do_{name}(box, state, events, seat{self._arguments_source(name, self._index_source(name))})"]

        lines = self._binary_search_source(list(self.actions.blocks), call_block_rule)
        head = "@rule\ndef apply(box, state, events, action):\n    seat = int(state.to_act)\n"
        return head + "\n".join(lines) + "\n    proceed(box, state, events)\n"

    def _why_not_source(self) -> str:
        """The source of the rule `why_not`, which asks the block's rule `why_not_BLOCK`, then whether the phase asks for the action."""

        def call_block_rule(name: str) -> list[str]:
            if self.actions.blocks[name].free:
                return [f"reason = {FINE}"]
            return [
                f"reason = int(why_not_{name}(box, state, seat{self._arguments_source(name, self._index_source(name))}))"
            ]

        lines = self._binary_search_source(list(self.actions.blocks), call_block_rule)
        head = f"@rule\ndef why_not(box, state, action):\n    seat = int(state.to_act)\n    reason = {FINE}\n"
        return (
            head
            + "\n".join(lines)
            + f"\n    if reason == {FINE} and not is_asked(state.phase, action):\n        reason = {NOT_NOW}\n    return reason\n"
        )

    def _is_asked_source(self) -> str:
        """The source of the rule `is_asked(phase, action)`, which says whether a phase asks for an action."""

        def test_block_phases(name: str) -> list[str]:
            phases = self.actions.phases(name)
            return [f"return {self._phase_test_source('phase', phases)}" if phases else "return True"]

        return (
            "@rule\ndef is_asked(phase, action):\n"
            + "\n".join(self._binary_search_source(list(self.actions.blocks), test_block_phases))
            + "\n"
        )

    # --- By phase ---

    def _phase_test_source(self, value: str, phases: Sequence[str]) -> str:
        """An expression that is true if `value` is the number of one of these phases; "False" for no phases."""
        return " or ".join(f"{value} == {getattr(self.phases.numbers, phase)}" for phase in phases) or "False"

    def _phase_rule_source(self, name: str, arguments: str, column: str) -> str:
        """The source of a rule that is true in the phases whose row has a true value in `column`."""
        rows = [phase for phase, row in self.phases.phases.items() if getattr(row, column)]
        return f"@rule\ndef {name}{arguments}:\n    return {self._phase_test_source('state.phase', rows)}\n"

    def _legal_source(self) -> str:
        """The source of the rule `legal`, which allows the legal actions of the blocks that the phase asks for."""
        lines = ["@rule", "def legal(box, state, out):", "    phase = state.phase", "    seat = int(state.to_act)"]
        word = "if"
        for phase in self.phases.phases:
            blocks = [
                name
                for name, block in self.actions.blocks.items()
                if phase in self.actions.phases(name) and not block.aside
            ]
            if blocks:
                lines.append(f"    {word} phase == {getattr(self.phases.numbers, phase)}:  # {phase}")
                lines += [line for name in blocks for line in self._allow_block_source(name)]
                word = "elif"
        return "\n".join(lines) + "\n"

    def _allow_block_source(self, name: str) -> list[str]:
        """Source lines that allow the legal actions of a block: by the game's own `allow_BLOCK`, or by asking `why_not_BLOCK` for each."""
        first, n = self.actions.first[name], len(self.actions.ids(name))
        if f"allow_{name}" in self.found:
            return [f"        allow_{name}(box, state, seat, out)"]
        if self.actions.blocks[name].free:
            return [f"        allow(out, {first})" if n == 1 else f"        allow_range(out, {first}, {n})"]
        if n == 1:
            return [f"        if why_not_{name}(box, state, seat) == {FINE}:", f"            allow(out, {first})"]
        return [
            f"        for i in range({n}):",
            f"            if why_not_{name}(box, state, seat{self._arguments_source(name, 'i')}) == {FINE}:",
            f"                allow(out, {first} + i)",
        ]
