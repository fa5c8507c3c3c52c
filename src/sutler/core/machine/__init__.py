"""The compiler: whatever names it. Imported when the first rule is compiled, or its machine code is loaded."""

from __future__ import annotations

from typing import Any

from numba.core import config
from numba.extending import typeof_impl

from sutler.core.machine import words as words  # what it registers with the compiler
from sutler.core.machine.cache import HomeCache
from sutler.core.machine.compiler import MachineCode, SharedMachineCode, caller, entry, inner, shared_inner
from sutler.core.rule import Rule, homes, other_processor

compiler_flags: Any = config
if other_processor():
    compiler_flags.CPU_NAME, compiler_flags.CPU_FEATURES = other_processor(), ""


def _name_of(rule: Rule) -> str:
    return f"{rule.home.cache.name}/{rule.kept_in}:{rule.plain.__qualname__}"


def _shared_rule(name: str) -> Any:
    """The dispatcher of the shared rule of that name; None if this process has none."""
    cache, _, _ = name.partition("/")
    for home in homes():
        if home.cache.name == cache:
            for rule in reversed(home.rules):
                if rule.shared and _name_of(rule) == name:
                    return rule.inner
    return None


def inner_of(rule: Rule) -> Any:
    """The version of a rule that compiled code calls."""
    if not rule.shared:
        return inner(rule.plain, rule.inline)
    made = shared_inner(rule.plain, _name_of(rule))
    made._cache = HomeCache(rule.plain, rule.home, f"{rule.kept_in}/shared", SharedMachineCode, _shared_rule)
    return made


def entry_of(rule: Rule) -> Any:
    """The version of a rule that Python calls."""
    made = entry(caller(rule.plain, rule) if rule.shared else rule.plain)
    made._cache = HomeCache(rule.plain, rule.home, rule.kept_in, MachineCode, _shared_rule)
    return made


@typeof_impl.register(Rule)
def _typeof_rule(value: Rule, context: Any) -> Any:
    """The type by which compiled code sees a Rule among its globals: that of the compiled function in it."""
    return typeof_impl(value.inner, context)
