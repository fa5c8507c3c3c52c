"""The compiler passes for rules: those of Numba's passes that a rule can need, without the events, timers and checks around each.

A rule is a plain function of records, without closures, `with`, lists or loops over mixed tuples, so the passes for these would find
nothing to do. What Numba does around its passes took a quarter of the time of translating a rule.
"""

from __future__ import annotations

import functools
from types import CodeType
from typing import Any

from llvmlite import ir as llvm
from numba.core import compiler, targetconfig, typed_passes, untyped_passes
from numba.core.compiler_machinery import PassManager

STEPS = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.InlineInlinables,
    untyped_passes.DeadBranchPrune,
    untyped_passes.ReconstructSSA,
    untyped_passes.DeadBranchPrune,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.InlineOverloads,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
SPECIAL_NAMES = {"literally", "literal_unroll", "prange", "objmode"}
"""Names of Numba's that need steps of their own."""


class _Steps(PassManager):
    """Numba's pass manager, reduced to running the passes."""

    def _runPass(self, index: int, one: Any, state: Any) -> None:
        one.analysis = self._analysis
        one.run_initialization(state)
        one.run_pass(state)
        one.run_finalizer(state)


@functools.cache
def _steps() -> Any:
    made: Any = _Steps("rule")  # type: ignore[no-untyped-call]
    for one in STEPS:
        made.add_pass(one, one.__name__)
    made.finalize()
    return made


class RuleCompiler(compiler.Compiler):
    """Numba's compiler with the passes that a rule needs, or with all passes for functions that use more of Python than rules do."""

    def define_pipelines(self) -> list[Any]:
        """The steps for the function at hand."""
        return [_steps()] if _is_plain(self.state.func_id.func.__code__) else super().define_pipelines()


def _is_plain(code: CodeType) -> bool:
    nested = any(isinstance(one, CodeType) for one in code.co_consts)
    return not nested and not getattr(code, "co_exceptiontable", b"") and SPECIAL_NAMES.isdisjoint(code.co_names)


def _remembered_sizes() -> None:
    """Cache the size of each LLVM type: Numba asks for that of a record at every use."""
    asked = llvm.Type.get_abi_size
    known: dict[str, int] = {}

    def size(one: Any, target: Any, context: Any = None) -> int:
        name = str(one)
        if name.startswith("%"):  # named in one module, and perhaps otherwise in another
            return int(asked(one, target, context))
        if name not in known:
            known[name] = int(asked(one, target, context))
        return known[name]

    llvm.Type.get_abi_size = size


def _quick_flags() -> None:
    """Make the comparison of compilation flags fast: Numba compares them for every call of a function, reading each through a property."""

    def values(one: Any) -> dict[str, Any]:
        kind = type(one)
        if "_usual" not in kind.__dict__:
            kind._usual = {name: option.default for name, option in kind.options.items()}
        return {**kind._usual, **one._values}

    targetconfig.TargetConfig.values = values  # type: ignore[method-assign]


_remembered_sizes()
_quick_flags()
