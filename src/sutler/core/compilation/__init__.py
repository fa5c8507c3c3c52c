"""Everything that uses the compiler (Numba). It is imported only when a rule is compiled or its machine code is loaded."""

from __future__ import annotations

from typing import Any

from numba import typeof
from numba.core import config
from numba.extending import typeof_impl

from sutler.core.compilation import intrinsics as intrinsics  # what it registers with the compiler
from sutler.core.compilation.compiler import (
    MachineCode,
    SharedMachineCode,
    compile_caller,
    compile_entry,
    compile_inner,
    compile_shared_inner,
    widen_number_type,
)
from sutler.core.compilation.disk_cache import HomeCache, name_rule
from sutler.core.rule import Rule, get_target_processor

compiler_flags: Any = config
if get_target_processor():
    compiler_flags.CPU_NAME, compiler_flags.CPU_FEATURES = get_target_processor(), ""


def get_compiled_for_rules(rule: Rule) -> Any:
    """The compiled function of a rule that other compiled code calls (see `core.compilation.compiler`)."""
    if not rule.shared:
        return compile_inner(rule.plain, rule.inline)
    made = compile_shared_inner(rule.plain, name_rule(rule))
    made._cache = HomeCache(rule.plain, rule.home, f"{rule.cache_folder_name}/shared", SharedMachineCode)
    return made


def get_compiled_for_python(rule: Rule) -> Any:
    """The compiled function of a rule that Python calls (see `core.compilation.compiler`)."""
    made = compile_entry(compile_caller(rule.plain, rule) if rule.shared else rule.plain)
    made._cache = HomeCache(rule.plain, rule.home, rule.cache_folder_name, MachineCode)
    return made


def compile_shared_rule(rule: Rule, args: tuple[Any, ...]) -> None:
    """Compile a shared rule for the types of these arguments, or load it from the cache."""
    rule.inner.compile(tuple(widen_number_type(typeof(one)) for one in args))


def get_machine_code_address(rule: Rule, args: tuple[Any, ...]) -> int:
    """The memory address of a shared rule's machine code, compiled for the types of these arguments (used by `core.calls_by_address`)."""
    return rule.inner.get_address(tuple(widen_number_type(typeof(one)) for one in args))  # type: ignore[no-any-return]


@typeof_impl.register(Rule)
def _typeof_rule(value: Rule, context: Any) -> Any:
    """The Numba type of a Rule in the globals of compiled code: that of its inner compiled function."""
    return typeof_impl(value.inner, context)
