"""How rules become machine code: an *inner* version that other rules call, and an *entry* that Python calls.

By default Numba makes every function a program of its own: everything it calls is linked in, optimised and turned into machine
code again, at every level up to the game loop, and once more for every width of number it is called with. Here the inner version
of a rule is translated once for each kind of record and left unoptimised; only an entry collects the inner versions of everything
below it and is optimised, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import llvmlite.binding as binding
import numba
from numba.core import codegen, compiler, environment, registry, types, typing

ENVIRONMENT = "_ZN08NumbaEnv"  # prefix of the symbols by which compiled functions raise; see `_EntryLibrary`


class _InnerLibrary(codegen.JITCodeLibrary):
    """The translation of one rule, neither optimised nor run; entries collect it."""

    def finalize(self) -> None:
        """Mark the library as finished without optimising it."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: nothing calls an inner version from outside."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """A stand-in for the compiler's back end: environments are set when an entry is loaded."""
        return _NoEnvironment


class _NoEnvironment:
    @staticmethod
    def set_env(name: str, env: Any) -> None:
        """Do nothing."""


class _EntryLibrary(codegen.JITCodeLibrary):
    """The machine code of one entry: its own translation and those of all rules below it, optimised together."""

    def finalize(self) -> None:
        """Collect the libraries below, then finish as Numba does."""
        self._linking_libraries = list(gathered(self._linking_libraries))
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise with internal linkage: what is called once is inlined into its caller, what is never called is dropped."""
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
    """The given libraries and all that they call, each once."""
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
    """Numba's usual compiler steps, without the wrappers by which Python and C call a function."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, *rest: Any) -> None:
        flags, _ = rest
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        made = _InnerLibrary(targetctx.codegen(), "rule")
        super().__init__(typingctx, targetctx, made, args, return_type, *rest)


class _EntryCompiler(compiler.Compiler):
    """Numba's usual compiler steps, with a library that collects those below it."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, *rest: Any) -> None:
        flags, _ = rest
        flags.no_cfunc_wrapper = True
        made = _EntryLibrary(targetctx.codegen(), "entry")
        made.enable_object_caching()
        super().__init__(typingctx, targetctx, made, args, return_type, *rest)


def widened(one: Any) -> Any:
    """The type as which a number is passed: one width for all, so that a rule is compiled once."""
    if isinstance(one, types.Omitted):
        one = numba.typeof(one.value)
    one = types.unliteral(one)
    if isinstance(one, types.Integer) and one.bitwidth < 64:
        return types.int64
    if isinstance(one, types.Float):
        return types.float64
    return one


class Inner(registry.CPUDispatcher):
    """The dispatcher of a rule's inner version."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The call template that Numba asks for, for the version that these argument types need."""
        pysig, args = self._compiler.fold_argument_types(args, kws)
        args = tuple(widened(one) for one in args)
        self.compile(args)
        name = self.py_func.__name__
        template = typing.make_concrete_template(f"Rule({name})", key=name, signatures=self.nopython_signatures)
        return template, pysig, args, {}


def inner(function: Callable[..., Any], inline: bool) -> Any:
    """A rule's inner version, which compiled code calls."""
    options = {"nopython": True, "nogil": True, "boundscheck": None, "inline": "always" if inline else "never"}
    return Inner(function, targetoptions=options, pipeline_class=_InnerCompiler)


def entry(function: Callable[..., Any]) -> Any:
    """A rule's entry, which Python calls."""
    return numba.njit(nogil=True, pipeline_class=_EntryCompiler)(function)
