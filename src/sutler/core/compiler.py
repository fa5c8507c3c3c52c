"""How rules become machine code: an *inner* version that other rules call, and an *entry* for what Python calls.

Left to itself the compiler makes every function a program of its own: all that it calls is linked in, optimised and turned into
machine code once more, at every level up to the game loop, and anew for every width of number it is called with. Here the inner
version of a rule stays what it was translated to, once for each kind of record; only an entry gathers the inner versions
of everything below it and is optimised, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import llvmlite.binding as binding
import numba
from numba.core import codegen, compiler, environment, registry, types, typing

ENVIRONMENT = "_ZN08NumbaEnv"  # how the compiler calls what a function needs to raise; see `_Entry`


class _InnerLibrary(codegen.JITCodeLibrary):
    """The translation of one rule. It is neither optimised nor run, only gathered by entries."""

    def finalize(self) -> None:
        """Stay as it is; what it calls is gathered by entries too."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is none: nobody calls it from outside."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """The compiler's back end, as far as it is asked here: environments are set when an entry is loaded."""
        return _NoEnvironment


class _NoEnvironment:
    @staticmethod
    def set_env(name: str, env: Any) -> None:
        """Not yet."""


class _EntryLibrary(codegen.JITCodeLibrary):
    """The machine code of one entry: its own translation and those of all rules below it, optimised together."""

    def finalize(self) -> None:
        """Gather, then go on as usual."""
        self._linking_libraries = list(gathered(self._linking_libraries))
        super().finalize()

    def _optimize_final_module(self) -> None:
        """What was gathered is this entry's alone: what is called once goes into its caller, what is not called goes."""
        for one in self._final_module.functions:
            if not one.is_declaration and one.linkage == binding.Linkage.linkonce_odr:
                one.linkage = "internal"
        super()._optimize_final_module()

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for one in self._final_module.global_variables:
            if one.name.startswith(ENVIRONMENT):
                env = environment.lookup_environment(one.name)
                if env is not None:
                    self._codegen.set_env(one.name, env)


def gathered(libraries: list[Any]) -> Iterator[Any]:
    """Translations and all those that they call, each once."""
    seen: set[int] = set()
    waiting = list(libraries)
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, _InnerLibrary):
            waiting += one._linking_libraries


class _InnerCompiler(compiler.Compiler):
    """The usual steps, without the wrappers by which Python and C call a function."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, *rest: Any) -> None:
        flags, _ = rest
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        made = _InnerLibrary(targetctx.codegen(), "rule")
        super().__init__(typingctx, targetctx, made, args, return_type, *rest)


class _EntryCompiler(compiler.Compiler):
    """The usual steps, with a library that gathers."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, *rest: Any) -> None:
        flags, _ = rest
        flags.no_cfunc_wrapper = True
        made = _EntryLibrary(targetctx.codegen(), "entry")
        made.enable_object_caching()
        super().__init__(typingctx, targetctx, made, args, return_type, *rest)


def widened(one: Any) -> Any:
    """The type a number is handed over as: one width for all, so that a rule is compiled once."""
    if isinstance(one, types.Omitted):
        one = numba.typeof(one.value)
    one = types.unliteral(one)
    if isinstance(one, types.Integer) and one.bitwidth < 64:
        return types.int64
    if isinstance(one, types.Float):
        return types.float64
    return one


class Inner(registry.CPUDispatcher):
    """What compiled rules call."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """As the compiler asks for the version that a call needs."""
        pysig, args = self._compiler.fold_argument_types(args, kws)
        args = tuple(widened(one) for one in args)
        self.compile(args)
        name = self.py_func.__name__
        template = typing.make_concrete_template(f"Rule({name})", key=name, signatures=self.nopython_signatures)
        return template, pysig, args, {}


def inner(function: Callable[..., Any], inline: bool) -> Any:
    """The version that compiled code calls."""
    options = {"nopython": True, "nogil": True, "boundscheck": None, "inline": "always" if inline else "never"}
    return Inner(function, targetoptions=options, pipeline_class=_InnerCompiler)


def entry(function: Callable[..., Any]) -> Any:
    """The version that Python calls."""
    return numba.njit(nogil=True, pipeline_class=_EntryCompiler)(function)
