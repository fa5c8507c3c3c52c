"""The compiler: whatever names it. Imported when the first rule is compiled, or its machine code is loaded."""

from __future__ import annotations

from typing import Any

from numba import typeof
from numba.core import config
from numba.extending import typeof_impl

from sutler.core.machine import words as words  # what it registers with the compiler
from sutler.core.machine.cache import HomeCache, name_of
from sutler.core.machine.compiler import MachineCode, SharedMachineCode, caller, entry, inner, shared_inner, widened
from sutler.core.rule import Rule, other_processor

compiler_flags: Any = config
if other_processor():
    compiler_flags.CPU_NAME, compiler_flags.CPU_FEATURES = other_processor(), ""


def inner_of(rule: Rule) -> Any:
    """The version of a rule that compiled code calls."""
    if not rule.shared:
        return inner(rule.plain, rule.inline)
    made = shared_inner(rule.plain, name_of(rule))
    made._cache = HomeCache(rule.plain, rule.home, f"{rule.kept_in}/shared", SharedMachineCode)
    return made


def entry_of(rule: Rule) -> Any:
    """The version of a rule that Python calls."""
    made = entry(caller(rule.plain, rule) if rule.shared else rule.plain)
    made._cache = HomeCache(rule.plain, rule.home, rule.kept_in, MachineCode)
    return made


def address_of(rule: Rule, args: tuple[Any, ...]) -> int:
    """The address of a shared rule's machine code for arguments of these kinds; `core.indirect` says what for."""
    return rule.inner.address(tuple(widened(typeof(one)) for one in args))  # type: ignore[no-any-return]


@typeof_impl.register(Rule)
def _typeof_rule(value: Rule, context: Any) -> Any:
    """The type by which compiled code sees a Rule among its globals: that of the compiled function in it."""
    return typeof_impl(value.inner, context)
