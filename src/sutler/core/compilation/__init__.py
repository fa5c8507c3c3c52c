"""Everything that uses the compiler (Numba). It is imported only when a rule is compiled or its machine code is loaded."""

from __future__ import annotations

from typing import Any

from numba import typeof
from numba.core import config
from numba.extending import typeof_impl

from sutler.core.compilation import intrinsics as intrinsics  # what it registers with the compiler
from sutler.core.compilation.compiler import MachineCode, SharedMachineCode, caller, entry, inner, shared_inner, widened
from sutler.core.compilation.disk_cache import HomeCache, name_of
from sutler.core.rule import Rule, other_processor

compiler_flags: Any = config
if other_processor():
    compiler_flags.CPU_NAME, compiler_flags.CPU_FEATURES = other_processor(), ""


def inner_of(rule: Rule) -> Any:
    """The compiled function of a rule that other compiled code calls (see `core.compilation.compiler`)."""
    if not rule.shared:
        return inner(rule.plain, rule.inline)
    made = shared_inner(rule.plain, name_of(rule))
    made._cache = HomeCache(rule.plain, rule.home, f"{rule.kept_in}/shared", SharedMachineCode)
    return made


def entry_of(rule: Rule) -> Any:
    """The compiled function of a rule that Python calls (see `core.compilation.compiler`)."""
    made = entry(caller(rule.plain, rule) if rule.shared else rule.plain)
    made._cache = HomeCache(rule.plain, rule.home, rule.kept_in, MachineCode)
    return made


def address_of(rule: Rule, args: tuple[Any, ...]) -> int:
    """The memory address of a shared rule's machine code, compiled for the types of these arguments (used by `core.calls_by_address`)."""
    return rule.inner.address(tuple(widened(typeof(one)) for one in args))  # type: ignore[no-any-return]


@typeof_impl.register(Rule)
def _typeof_rule(value: Rule, context: Any) -> Any:
    """The Numba type of a Rule in the globals of compiled code: that of its inner compiled function."""
    return typeof_impl(value.inner, context)
