"""The compiler passes for rules: those of Numba's passes that a rule can need, without the events, timers and checks around each.

A rule is a plain function of records, without closures, `with`, lists or loops over mixed tuples, so the passes for these would find
nothing to do. What Numba does around its passes took a quarter of the time of translating a rule.
"""

from __future__ import annotations

import functools
from types import CodeType
from typing import Any

from llvmlite import ir as llvm
from numba.core import compiler, errors, ir, target_extension, targetconfig, typed_passes, types, untyped_passes, utils
from numba.core.compiler_machinery import PassManager
from numba.core.runtime import context

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
def _build_steps() -> Any:
    """The steps of the compiler that rules pass through, in order; made once."""
    made: Any = _Steps("rule")  # type: ignore[no-untyped-call]
    for one in STEPS:
        made.add_pass(one, one.__name__)
    made.finalize()
    return made


class RuleCompiler(compiler.Compiler):
    """Numba's compiler with the passes that a rule needs, or with all passes for functions that use more of Python than rules do."""

    def define_pipelines(self) -> list[Any]:
        """The steps for the function at hand."""
        return [_build_steps()] if _is_plain(self.state.func_id.func.__code__) else super().define_pipelines()


def _is_plain(code: CodeType) -> bool:
    """Has this code no inner function, no exception handling, and none of SPECIAL_NAMES?"""
    nested = any(isinstance(one, CodeType) for one in code.co_consts)
    return not nested and not getattr(code, "co_exceptiontable", b"") and SPECIAL_NAMES.isdisjoint(code.co_names)


def _cache_type_sizes() -> None:
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


def _speed_up_flag_comparison() -> None:
    """Make the comparison of compilation flags faster, which Numba does for every call of a function."""

    def values(one: Any) -> dict[str, Any]:
        kind = type(one)
        if "_usual" not in kind.__dict__:
            kind._usual = {name: option.default for name, option in kind.options.items()}
        return {**kind._usual, **one._values}

    targetconfig.TargetConfig.values = values  # type: ignore[method-assign]


def _speed_up_variable_listing() -> None:
    """Make Numba find the variables of an instruction by the types of its parts, which is faster."""
    found: dict[type, str] = {}

    def kind_of(one: type) -> str:
        kinds = ((ir.Var, "variable"), (ir.Inst, "instruction"), ((list, tuple), "sequence"), (dict, "mapping"))
        found[one] = next((name for base, name in kinds if issubclass(one, base)), "other")  # type: ignore[arg-type]
        return found[one]

    def list_variables(self: Any, part: Any) -> list[Any]:
        kind = found.get(type(part)) or kind_of(type(part))
        if kind == "other":
            return []
        if kind == "variable":
            return [part]
        if kind == "instruction":
            return list(part.list_vars())
        inside: list[Any] = []
        for one in part.values() if kind == "mapping" else part:
            kind = found.get(type(one)) or kind_of(type(one))
            if kind == "variable":
                inside.append(one)
            elif kind != "other":
                inside += list_variables(self, one)
        return inside

    ir.Inst._rec_list_vars = list_variables  # type: ignore[method-assign]


def _cache_call_resolution() -> None:
    """Make Numba remember which version of its functions fits which argument types, without messages about those that do not fit.

    Numba goes through all versions at each call, prints each one that does not fit, and asks again at the next `+` of two integers.
    """
    asked = types.BaseFunction.get_call_type

    def find_fitting(self: Any, context: Any, args: Any, kws: Any) -> Any:
        named = tuple(kws.items()) if kws else ()
        kept = self.__dict__.setdefault("_kept_calls", {})
        if (args, named) in kept:
            return kept[args, named]
        made = _find_first_fitting_signature(self, context, args, kws)
        if made is None:
            return asked(self, context, args, kws)  # says why nothing fits
        kept[args, named] = made
        return made

    types.BaseFunction.get_call_type = find_fitting  # type: ignore[method-assign]


def _find_first_fitting_signature(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """The signature of the first version that fits, tried in Numba's order; None if there is none."""
    target = target_extension.get_local_target(context)
    plain_args = tuple(types.unliteral(one) for one in args)
    if any(isinstance(one, types.Poison) for one in (*args, *kws.values())):
        return None
    plain_kws = {name: types.unliteral(one) for name, one in kws.items()}
    for version in utils.order_by_target_specificity(target, function.templates, fnkey=function.key[0]):
        one = version(context)
        for literal in (True, False) if one.prefer_literal else (False, True):
            try:
                made = one.apply(args, kws) if literal else one.apply(plain_args, plain_kws)
            except errors.NumbaError:
                continue
            if made is not None:
                function._impl_keys[made.args] = one.get_impl_key(made)
                return made
    return None


def _write_errors_without_colours() -> None:
    """Write errors without colours: Numba colours every message again, and most are about versions that do not fit and are never shown."""

    def return_message(self: Any, message: str, color: Any = None, style: Any = None) -> str:
        return message

    if hasattr(errors, "HighlightColorScheme"):
        errors.HighlightColorScheme._markup = return_message  # type: ignore[method-assign]


def _skip_reference_counting() -> None:
    """Make Numba look for counted references only in types that can hold one, not in numbers and records."""
    asked = context.NRTContext.get_meminfos

    def find_references(self: Any, builder: Any, kind: Any, value: Any) -> Any:
        return (
            asked(self, builder, kind, value) if self._context.data_model_manager[kind].contains_nrt_meminfo() else []
        )

    context.NRTContext.get_meminfos = find_references  # type: ignore[method-assign]


def _disable_dead_code_removal() -> None:
    """Switch Numba's own removal of dead code off, and leave that to LLVM.

    It removes `row.chance[k] = x` where `row` came out of a tuple of arrays, since it does not see that `row.chance` is a part of
    `row`.
    """
    typed_passes.dead_code_elimination = lambda *_, **__: None


_disable_dead_code_removal()
_cache_type_sizes()
_speed_up_flag_comparison()
_write_errors_without_colours()
_skip_reference_counting()
_speed_up_variable_listing()
_cache_call_resolution()
