"""Compiled forms of small helper functions that take one or two machine instructions.

They are bit operations (`core.bits`), copying a record (`core.record`), a call through a pointer (`core.calls_by_address`) and
numbers by name (`core.names`); the plain Python forms stand in those modules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import lower_constant
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, lower_getattr_generic, overload, register_model, typeof_impl

from sutler.core.bits import lowest, nth_bit, popcount
from sutler.core.calls_by_address import NOT_COMPILED, call_by_address
from sutler.core.names import Numbers
from sutler.core.record import copy_into

_ONE = np.uint64(1)

# --- Bits of a word ---------------------------------------------------------------


@intrinsic
def _emit_count_ones(typingctx: Any, word: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def _emit_count_trailing_zeros(typingctx: Any, word: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


@intrinsic
def _emit_deposit_bits(typingctx: Any, word: Any, mask: Any) -> Any:  # pragma: no cover - runs inside the compiler
    """Emit the processor's deposit of the bits of `word` at the ones of `mask`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(64)
        deposit = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(wide, [wide, wide]), "llvm.x86.bmi.pdep.64"
        )
        return builder.call(deposit, args)

    return types.uint64(types.uint64, types.uint64), generate


HAS_PDEP = get_host_cpu_features().get("bmi2", False)
"""True if this processor scatters bits in one instruction (BMI2 `pdep`); otherwise `nth_bit` searches by halves."""


@overload(popcount, inline="always")
def _overload_popcount(word: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def generated(word: Any) -> Any:
        return _emit_count_ones(np.uint64(word))

    return generated


@overload(lowest, inline="always")
def _overload_lowest(word: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def generated(word: Any) -> Any:
        return _emit_count_trailing_zeros(np.uint64(word))

    return generated


@overload(nth_bit, inline="always")
def _overload_nth_bit(word: Any, k: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def deposited(word: Any, k: Any) -> Any:
        return _emit_count_trailing_zeros(_emit_deposit_bits(_ONE << np.uint64(k), np.uint64(word)))

    def searched(word: Any, k: Any) -> Any:
        place = 0
        for half in (32, 16, 8, 4, 2, 1):
            low = word & ((_ONE << np.uint64(half)) - _ONE)
            n: Any = _emit_count_ones(np.uint64(low))
            if k >= n:
                k -= n
                word = word >> np.uint64(half)
                place += half
            else:
                word = low
        return place

    return deposited if HAS_PDEP else searched


# --- A record copied: a single block move -------------------------------------------


@intrinsic
def _emit_memory_copy(typingctx: Any, target: Any, source: Any) -> Any:  # pragma: no cover - runs inside the compiler
    """Emit one copy of the memory of record `source` over that of `target`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(  # type: ignore[no-untyped-call]
            builder, args[0], args[1], context.get_constant(types.intp, target.size), 1
        )
        return context.get_dummy_value()

    return types.void(target, source), generate


@overload(copy_into, inline="always")
def _overload_copy_into(target: Any, source: Any) -> Any:  # pragma: no cover - runs inside the compiler
    if isinstance(target, types.Record) and target == source:

        def generated(target: Any, source: Any) -> Any:
            _emit_memory_copy(target, source)  # type: ignore[call-arg]

        return generated
    return None


# --- A rule called by its address: a jump -------------------------------------------


@intrinsic
def _emit_call_by_address(
    typingctx: Any, code: Any, row: Any, box: Any, scratch: Any, luck: Any
) -> Any:  # pragma: no cover - runs inside the compiler
    """Emit a call of the machine code at `code` with the address of `row`, the box, the scratch and the luck."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at, record, *others = args
        kinds = (box, scratch, box, luck)  # of the row only the address is handed on, as of every record
        called = context.call_conv.get_function_type(types.int64, kinds)
        others.insert(2, builder.inttoptr(record, context.get_value_type(box)))
        status, result = context.call_conv.call_function(
            builder, builder.inttoptr(at, called.as_pointer()), types.int64, kinds, others
        )
        with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
            context.call_conv.return_status_propagate(builder, status)
        return result

    return types.int64(types.int64, types.int64, box, scratch, luck), generate


@overload(call_by_address, inline="always")
def _overload_call_by_address(
    code: Any, number: Any, row: Any, box: Any, scratch: Any, luck: Any
) -> Any:  # pragma: no cover - runs inside the compiler
    def generated(code: Any, number: Any, row: Any, box: Any, scratch: Any, luck: Any) -> Any:
        return NOT_COMPILED if code == 0 else _emit_call_by_address(code, row, box, scratch, luck)

    return generated


# --- A number by its name: an attribute is a constant ---------------------------------


class _NumbersType(types.Type):
    def __init__(self, numbers: Numbers) -> None:
        self.values = dict(numbers._list_pairs())
        super().__init__(name=repr(numbers))


@typeof_impl.register(Numbers)
def _type_of_named_numbers(value: Numbers, context: Any) -> Any:
    return _NumbersType(value)


register_model(_NumbersType)(models.OpaqueModel)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = _NumbersType

    def generic_resolve(self, value: Any, attr: str) -> Any:  # type: ignore[override]
        return types.intp if attr in value.values else None


@lower_constant(_NumbersType)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_numbers_constant(
    context: Any, builder: Any, kind: Any, value: Any
) -> Any:  # pragma: no cover - runs inside the compiler
    return context.get_dummy_value()


@lower_getattr_generic(_NumbersType)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_number_by_name(
    context: Any, builder: Any, kind: Any, value: Any, name: str
) -> Any:  # pragma: no cover - likewise
    return context.get_constant(types.intp, kind.values[name])
