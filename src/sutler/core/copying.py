"""`copy_into(target, source)`: copy one record over another of the same kind. Compiled, it is a single block move."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic, overload


def copy_into(target: Any, source: Any) -> None:
    """Copy every field of the source record into the target; they share no memory afterwards."""
    for name in target.dtype.names:
        target[name] = source[name]


@intrinsic
def _move(typingctx: Any, target: Any, source: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(  # type: ignore[no-untyped-call]
            builder, args[0], args[1], context.get_constant(types.intp, target.size), 1
        )
        return context.get_dummy_value()

    return types.void(target, source), generate


@overload(copy_into, inline="always")
def _fast_copy_into(target: Any, source: Any) -> Any:  # pragma: no cover - runs inside the compiler
    if isinstance(target, types.Record) and target == source:

        def generated(target: Any, source: Any) -> Any:
            _move(target, source)  # type: ignore[call-arg]

        return generated
    return None
