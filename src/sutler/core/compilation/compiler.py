"""How rules become machine code: an *inner* version that other rules call, and an *entry* that Python calls.

By default Numba makes every function a program of its own: everything it calls is linked in, optimised and turned into machine
code again, at every level up to the game loop, and once more for every width of number it is called with. Here the inner version
of a rule is translated once for each kind of record and left unoptimised; only an entry collects the inner versions of everything
below it and is optimised, once.

A few large rules are *shared* (`@rule(shared=True)`, and those of the contract that `core.protocol.SHARED` names): they are
optimised once, kept in the cache, and called by their address. An entry does not collect what lies below them, so that a new entry
(a bot of one's own, a watched game) translates itself and not the game again, in this process and in every later one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import llvmlite.binding as binding
import numba
from numba.core import caching, codegen, compiler, environment, event, registry, types, typing
from numba.core.compiler_lock import global_compiler_lock

from sutler.core.compilation.compiler_passes import RuleCompiler

ENVIRONMENT = "_ZN08NumbaEnv"  # prefix of the symbols by which compiled functions raise; see `_EntryLibrary`


class _UnoptimisedLibrary(codegen.JITCodeLibrary):
    """A compiled library whose functions are not optimised one by one, since an entry is optimised as a whole later."""

    def _optimize_functions(self, module: Any) -> None:
        """Leave the functions as they are: an entry is optimised as a whole later (`_finalize_specific`)."""
        module.data_layout = self._codegen._data_layout


class _InnerLibrary(_UnoptimisedLibrary):
    """The LLVM code of one rule, neither optimised nor run; entries that need it link it in."""

    def finalize(self) -> None:
        """Mark the library as complete, without optimising it."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function's machine code: always 0, since inner versions are linked into entries and never called."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """A substitute for the compiler's back end that sets no environment: environments are set when an entry is loaded."""
        return _NoEnvironment


class _NoEnvironment:
    @staticmethod
    def set_env(name: str, env: Any) -> None:
        """Do nothing, in place of setting an environment object."""


class _EntryLibrary(_UnoptimisedLibrary):
    """The machine code of one entry: its own LLVM code and that of all rules it calls, optimised together.

    shared: the shared rules that it calls by their addresses.
    """

    shared: tuple[_SharedLibrary, ...] = ()

    def finalize(self) -> None:
        """Link in the code of all rules that are called, directly or not, then finish as Numba does."""
        below = list(gather_needed_libraries(self._linking_libraries))
        self.shared = tuple(one for one in below if isinstance(one, _SharedLibrary))
        self._linking_libraries = [one for one in below if not isinstance(one, _SharedLibrary)]
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise with internal linkage: functions called once are inlined, functions never called are dropped."""
        for one in self._final_module.functions:
            if not one.is_declaration and one.linkage == binding.Linkage.linkonce_odr:
                one.linkage = "internal"
        super()._optimize_final_module()

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for name in self.environments():
            self._codegen.set_env(name, environment.lookup_environment(name))

    def environments(self) -> Iterator[str]:
        """The names of the environment objects that this code refers to, which Numba needs to raise exceptions."""
        for one in self._final_module.global_variables:
            if one.name.startswith(ENVIRONMENT) and environment.lookup_environment(one.name) is not None:
                yield one.name

    def symbols(self) -> set[str]:
        """The names of the functions in this code that other code can call."""
        return {one.name for one in self._final_module.functions if one.linkage == binding.Linkage.external}

    def load_machine_code(self, machine_code: bytes, symbols: Iterable[str]) -> None:
        """Use this machine code from the cache. symbols: the names of the functions in it."""
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()
        self._codegen._engine._defined_symbols.update(symbols)


class _SharedLibrary(_EntryLibrary):
    """The machine code of a shared rule and all rules it calls; entries call it and do not link it in.

    rule: its dispatcher; signature: its argument types; symbol: its name in machine code.
    """

    rule: Shared
    signature: tuple[Any, ...]
    symbol: str

    @property
    def codegen(self) -> Any:
        """A code generator whose `set_env` does nothing: Python never calls a shared rule, so it needs no environment object."""
        return _NoEnvironment


def gather_needed_libraries(libraries: list[Any]) -> Iterator[Any]:
    """The given libraries and all libraries that they call, each once, without those that shared rules call."""
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


class _InnerCompiler(RuleCompiler):
    """Numba's compiler without the wrappers by which Python and C call a function."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, *rest: Any) -> None:
        flags, _ = rest
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        made = _InnerLibrary(targetctx.codegen(), "rule")
        super().__init__(typingctx, targetctx, made, args, return_type, *rest)


class _EntryCompiler(RuleCompiler):
    """Numba's compiler, whose library collects the code of all functions that the compiled one calls."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, *rest: Any) -> None:
        flags, _ = rest
        flags.no_cfunc_wrapper = True
        made = _EntryLibrary(targetctx.codegen(), "entry")
        made.enable_object_caching()
        super().__init__(typingctx, targetctx, made, args, return_type, *rest)


class _SharedCompiler(RuleCompiler):
    """Numba's compiler for a shared rule: no wrappers, and a library that collects the code of all rules it calls."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, *rest: Any) -> None:
        flags, _ = rest
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        made = _SharedLibrary(targetctx.codegen(), "shared")
        made.enable_object_caching()
        super().__init__(typingctx, targetctx, made, args, return_type, *rest)


def widen_number_type(one: Any) -> Any:
    """The type as which an argument is passed: int64 for any integer, float64 for any float, so that a rule is compiled only once."""
    if isinstance(one, types.Omitted):
        one = numba.typeof(one.value)
    one = types.unliteral(one)
    if isinstance(one, types.Integer) and one.bitwidth < 64:
        return types.int64
    if isinstance(one, types.Float):
        return types.float64
    return one


class _Dispatcher(registry.CPUDispatcher):
    """Numba's dispatcher without its timers, which would be notified of every call into LLVM once for each function being compiled."""

    def compile(self, signature: Any) -> Any:
        """The entry point of the function compiled for these argument types; it is compiled or loaded if necessary."""
        with global_compiler_lock, self._compiling_counter:
            known = self.overloads.get(tuple(signature))
            return self._load_or_compile(signature) if known is None else known.entry_point

    def _load_or_compile(self, signature: Any) -> Any:
        """The entry point of the function for these argument types, from the cache or compiled."""
        made = self._cache.load_overload(signature, self.targetctx)
        if made is not None:
            self._cache_hits[signature] += 1
            self.targetctx.insert_user_function(made.entry_point, made.fndesc, [made.library])
            self.add_overload(made)
            return made.entry_point
        self._cache_misses[signature] += 1
        about = {"dispatcher": self, "args": signature, "return_type": None}
        with event.trigger_event("numba:compile", data=about):
            made = self._compiler.compile(signature, None)
            self.add_overload(made)
        self._cache.save_overload(signature, made)
        return made.entry_point


class Inner(_Dispatcher):
    """The Numba dispatcher of a rule's inner version, which other compiled rules call."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The call template that Numba asks for, of the function compiled for these argument types."""
        pysig, args = self._compiler.fold_argument_types(args, kws)
        args = tuple(widen_number_type(one) for one in args)
        if args not in self.overloads:
            self.compile(args)
        name = self.py_func.__name__
        template = typing.make_concrete_template(f"Rule({name})", key=name, signatures=self.nopython_signatures)
        return template, pysig, args, {}


class Shared(Inner):
    """The dispatcher of a shared rule. name: how cached code that calls the rule refers to it."""

    name: str

    def _load_or_compile(self, signature: Any) -> Any:
        """The entry point of the function for these argument types, from the cache or compiled, by one process at a time.

        Entries in the cache name the symbol of the shared rule they call: had two processes compiled it at once, the entries of one of
        them would call what the other has overwritten.
        """
        with self._cache.hold_compile_lock(signature):
            return super()._load_or_compile(signature)

    def add_overload(self, cres: Any) -> None:
        """Keep a compiled function, and note on its library the dispatcher, argument types and symbol."""
        made = cres.library
        made.rule, made.signature, made.symbol = self, tuple(cres.signature.args), cres.fndesc.mangled_name
        super().add_overload(cres)

    def find_kept_library(self, signature: tuple[Any, ...]) -> _SharedLibrary | None:
        """The library compiled for these argument types, from this process or the cache; None if there is none. It is not compiled."""
        if signature not in self.overloads:
            found = self._cache.load_overload(signature, self.targetctx)
            if found is None:
                return None
            self.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
            self.add_overload(found)
        library: _SharedLibrary = self.overloads[signature].library
        return library

    def get_address(self, signature: tuple[Any, ...]) -> int:
        """The memory address of the function compiled for these argument types, compiling it if necessary.

        TypeError where it does not return an int.
        """
        if signature not in self.overloads:
            self.compile(signature)
        made = self.overloads[signature]
        if made.signature.return_type != types.int64:
            name = self.py_func.__qualname__
            raise TypeError(
                f"{name} returns {made.signature.return_type}, where the number of an action is wanted: an int"
            )
        return int(made.library.get_pointer_to_function(made.library.symbol))


class MachineCode(caching.CompileResultCacheImpl):
    """Reads and writes an entry in the cache: its machine code, and which shared rules it calls."""

    library_class: type[_EntryLibrary] = _EntryLibrary
    shared_rule: Callable[[str], Shared | None]  # the shared rule of that name in this process

    def reduce(self, cres: Any) -> Any:
        """The data of a compiled function to store in the cache, in the order in which `rebuild` reads them."""
        library, fndesc = cres.library, cres.fndesc
        library._ensure_finalized()
        calls = [(one.rule.name, one.signature, one.symbol) for one in library.shared]
        fndesc.typemap = fndesc.calltypes = None  # large, and not needed again
        environments = [environment.lookup_environment(name) for name in library.environments()]
        code = library._get_compiled_object(), library.symbols()
        return calls, code, library.name, fndesc, cres.environment, cres.signature, environments

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """The compiled function from stored data; None where a shared rule that it calls is missing or was compiled again since."""
        calls, code, name, fndesc, env, signature, environments = payload
        for called, argument_types, symbol in calls:
            rule = self.shared_rule(called)
            found = None if rule is None else rule.find_kept_library(argument_types)
            if found is None or found.symbol != symbol:
                return None
        library = self.library_class(target_context.codegen(), name)
        library.load_machine_code(*code)
        for one in environments:
            target_context.codegen().set_env(one.env_name, one)
        return compiler.compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            library=library,
            environment=env,
            entry_point=target_context.get_executable(library, fndesc, env),
            fndesc=fndesc,
            type_annotation="",
            signature=signature,
            objectmode=False,
            lifted=(),
            reload_init=(),
            referenced_envs=tuple(environments),
        )


class SharedMachineCode(MachineCode):
    """Reads and writes a shared rule in the cache."""

    library_class = _SharedLibrary


def compile_inner(function: Callable[..., Any], inline: bool) -> Any:
    """The compiled function of a rule that other compiled code calls."""
    options = {"nopython": True, "nogil": True, "boundscheck": None, "inline": "always" if inline else "never"}
    return Inner(function, targetoptions=options, pipeline_class=_InnerCompiler)


def compile_shared_inner(function: Callable[..., Any], name: str) -> Any:
    """The compiled function of a shared rule that other compiled code calls. name: unique among shared rules."""
    options = {"nopython": True, "nogil": True, "boundscheck": None, "inline": "never"}
    made = Shared(function, targetoptions=options, pipeline_class=_SharedCompiler)
    made.name = name
    return made


def compile_entry(function: Callable[..., Any]) -> Any:
    """The compiled function of a rule that Python calls."""
    return _Dispatcher(
        function, targetoptions={"nopython": True, "nogil": True, "boundscheck": None}, pipeline_class=_EntryCompiler
    )


def compile_caller(function: Callable[..., Any], target: Any) -> Callable[..., Any]:
    """A function with the name and parameters of `function` that only calls `target`: the entry of a shared rule."""
    names = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
    made: dict[str, Any] = {"target": target, "__name__": function.__module__}
    exec(f"def {function.__name__}({names}):\n    return target({names})", made)
    return made[function.__name__]  # type: ignore[no-any-return]


def _cache_type_repr(kind: Any) -> None:
    """Make all types of this class cache their `repr`, which is long and which Numba asks for at every step."""
    written = kind.__repr__

    def name(one: Any) -> str:
        known: str | None = one.__dict__.get("_name_written")
        if known is None:
            known = one.__dict__["_name_written"] = written(one)
        return known

    kind.__repr__ = name


_cache_type_repr(types.Record)
_cache_type_repr(types.NestedArray)


class _Listener(event.Listener):
    """Calls a function whenever the compiler begins to compile a function."""

    def __init__(self, begun: Callable[[str], None]) -> None:
        self.begun = begun

    def on_start(self, event: Any) -> None:
        """Call `begun` with the name of the function whose compiling begins."""
        function = event.data["dispatcher"].py_func
        self.begun(f"{function.__module__.removeprefix('sutler.')}.{function.__qualname__}")

    def on_end(self, event: Any) -> None:
        """Do nothing; the compiler calls this at the end of each function, and only beginnings are reported."""


def notify_of_compiling(begun: Callable[[str], None]) -> AbstractContextManager[Any]:
    """A context in which `begun` is called with the name of every function whose compiling begins, in this process."""
    return event.install_listener("numba:compile", _Listener(begun))
