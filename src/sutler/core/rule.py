"""`@rule`: one source, run as plain Python or compiled.

What names the compiler is the room `core.compilation`, imported when the first rule is compiled or loaded: it takes seconds.

A `Rule` is callable from Python and from other rules. Called from compiled code it is the compiled function; called
from Python it is what its *home* says: a game's folder starts interpreted when its machine code is not yet in the
cache, and is switched over, in the middle of a game if need be, once it is. States are the same bytes either way.

Compiled code is cached under a folder named by a fingerprint of everything it was made from: what the rules of its
home mean (`core.fingerprint`), core's modules that they call, the versions, the processor and the flags; below it, templates
from elsewhere and generated rules have parts of their own. Numba's own cache looks at one file only and would hand
out stale code; it also lets two processes write the same file for different signatures.
"""

from __future__ import annotations

import contextlib
import functools
import getpass
import hashlib
import importlib
import json
import os
import platform
import shutil
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, overload

from sutler.core.fingerprint import hash_meaning_of_game, hash_meaning_of_module

try:
    import fcntl
except ImportError:  # not on Windows: two processes may then compile the same thing, which costs only time
    fcntl = None  # type: ignore[assignment]

CORE = Path(__file__).parent
BOTS = CORE.parent / "bots"
PLAIN_ONLY = os.environ.get("SUTLER_PLAIN", "") not in ("", "0")
COMPILED_IN_CORE = (
    "actions",
    "bits",
    "chance",
    "engine",
    "events",
    "fingerprint",
    "calls_by_address",
    "compilation/disk_cache",
    "compilation/compiler",
    "compilation/compiler_passes",
    "compilation/intrinsics",
    "names",
    "rule_tables",
    "protocol",
    "record",
    "rule",
    "tables",
    "per_game_modules",
)
"""The modules of core that machine code is made from; they import no others."""
DIGEST_BYTES = hashlib.sha256().digest_size
BROUGHT = CORE.parent / "compiled"
"""Machine code that the installation brought, a folder for each home, with `made.json` beside them (`tools/release.py`)."""
V3, V3_FEATURES = "x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
"""The processors it is made for, in the compiler's word, and what they can do: nearly all since 2015."""
KEPT_FINGERPRINTS = 4  # older machine code of the same home is deleted
MEANINGS, KEPT_MEANINGS = "meanings", 64  # a file of 32 bytes for each state of the sources


@functools.cache
def _default_cache_root() -> Path:
    """The user's cache folder, or a private temporary folder where there is none or other users may write to it."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: a user without a home
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sutler"
        root.mkdir(parents=True, exist_ok=True)
        if os.access(root, os.W_OK | os.X_OK):
            return root
    user = os.getuid() if hasattr(os, "getuid") else getpass.getuser()
    root = Path(tempfile.gettempdir()) / f"sutler-{user}"
    with contextlib.suppress(OSError):
        root.mkdir(mode=0o700, exist_ok=True)
        if _is_owned_by_user_only(root):
            return root
    return Path(tempfile.mkdtemp(prefix="sutler-"))  # somebody else made that folder: what lies in it is not run


def _is_owned_by_user_only(folder: Path) -> bool:
    """Does this user alone own and write to this real folder? Machine code in it is run without further checks."""
    if not hasattr(os, "getuid"):
        return folder.is_dir()
    told = folder.lstat()
    return (
        stat.S_ISDIR(told.st_mode) and told.st_uid == os.getuid() and not told.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


def find_cache_root() -> Path:
    """The folder for compiled rules: $SUTLER_CACHE, else the user's cache folder, else a temporary one."""
    named = os.environ.get("SUTLER_CACHE")
    return Path(named) if named else _default_cache_root()


def _get_cached_digest(sources: Sequence[Path], compute: Callable[[], bytes]) -> bytes:
    """The digest (32 bytes) that `compute` makes from these files, cached by their contents: computing it takes up to a second."""
    key = hashlib.sha256(repr((sys.version, (CORE / "fingerprint.py").read_bytes())).encode())
    for path in sources:
        key.update(repr((path.parts[-3:], path.read_bytes())).encode())
    kept = find_cache_root() / MEANINGS / key.hexdigest()
    with contextlib.suppress(OSError):
        if len(known := kept.read_bytes()) == DIGEST_BYTES:
            return known
    digest = compute()
    with contextlib.suppress(OSError):  # if it cannot be written, it is computed again next time
        kept.parent.mkdir(parents=True, exist_ok=True)
        made = kept.with_name(f"{kept.name}.{os.getpid()}.{threading.get_ident()}")
        made.write_bytes(digest)
        made.replace(kept)
    return digest


def _hash_modules(paths: Sequence[Path]) -> bytes:
    """The cached digest of these modules together."""
    return _get_cached_digest(
        paths, lambda: hashlib.sha256(b"".join(hash_meaning_of_module(path) for path in paths)).digest()
    )


@functools.cache
def _hash_folder(folder: Path) -> bytes:
    """A digest of what a game's machine code depends on, or of the modules of core that rules call."""
    if folder == CORE:
        return _hash_modules([CORE / f"{name}.py" for name in COMPILED_IN_CORE])
    box = [one for one in (folder / "box.toml",) if one.exists()]
    return _get_cached_digest([*box, *sorted(folder.rglob("*.py"))], lambda: hash_meaning_of_game(folder))


@functools.cache
def _hash_templates() -> bytes:
    """The cached digest of all bot templates and of the bots' records."""
    return _hash_modules(sorted([*BOTS.rglob("_[a-z]*.py"), BOTS / "kit" / "records.py"]))


@contextlib.contextmanager
def locked_file(path: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """A context that holds the lock file at `path`; `waiting` is called if another process holds it.

    The lock is the operating system's and ends with the process, so a crash leaves none behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if waiting is not None:
                    waiting()
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _sort_newest_first(paths: Iterable[Path]) -> list[Path]:
    """The paths by time of writing, newest first; those that another process deletes meanwhile are left out."""
    written = []
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            written.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(written, reverse=True)]


def collect_versions() -> dict[str, str]:
    """{name: version} of Python, the system, Numba, llvmlite and NumPy, on which machine code depends."""
    python, system = str(sys.implementation.cache_tag), f"{sys.platform} {platform.machine()}"
    return {"python": python, "system": system} | {name: version(name) for name in ("numba", "llvmlite", "numpy")}


def explain_unfit_shipped_code() -> str | None:
    """The reason, in words, why the machine code that came with this installation does not fit; "" if it fits, None if none came."""
    try:
        made = json.loads((BROUGHT / "made.json").read_text())
    except (OSError, ValueError):
        return None
    for what, is_here in collect_versions().items():
        if made.get(what) != is_here:
            return f"it is for {what} {made.get(what)}, and this is {is_here}"
    can = _get_host_processor()[1]
    lacking = [one for one in V3_FEATURES if not can.get(one)]
    return f"this processor lacks {', '.join(lacking)}" if lacking else ""


@functools.cache
def _get_host_processor() -> tuple[str, Any]:
    """(name, features) of this machine's processor, as LLVM reports them."""
    from llvmlite.binding import get_host_cpu_features, get_host_cpu_name

    return get_host_cpu_name(), get_host_cpu_features()


@functools.cache
def get_target_processor() -> str:
    """The processor type that rules are compiled for if it is not this machine's own; "" if it is.

    It is the type of the machine code that came with the installation, or $SUTLER_PROCESSOR (see `tools/release.py`).
    """
    return os.environ.get("SUTLER_PROCESSOR") or (V3 if explain_unfit_shipped_code() == "" else "")


class Home:
    """A folder whose rules are compiled and cached together: a game, or `core` itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rules: list[Rule] = []
        self.made: set[str] = (
            set()
        )  # the parts of the game's rules that were made (see core.per_game_modules.build_module_from_source)
        self.interpreted = folder == CORE or PLAIN_ONLY  # core's words are tiny: from Python they run as they stand

    @functools.cached_property
    def fingerprint(self) -> str:
        """A digest of everything that the machine code depends on."""
        name, features = _get_host_processor()
        processor = (get_target_processor(), "") if get_target_processor() else (name, features.flatten())
        flags = os.environ.get("NUMBA_BOUNDSCHECK", "")
        digest = hashlib.sha256(repr((*collect_versions().values(), flags, *processor)).encode())
        for part in (_hash_folder(self.folder), _hash_folder(CORE)):
            digest.update(part)
        return digest.hexdigest()[:16]

    def copy_shipped_code(self) -> None:
        """Copy the machine code that came with this installation into the cache, if it fits this home and the cache has none."""
        brought = BROUGHT / self.cache.name
        if not brought.is_dir() or self.cache.exists():
            return
        copy = self.cache.with_name(f"copying-{self.cache.name}-{os.getpid()}")
        with contextlib.suppress(OSError):  # another process was quicker, or there is no room: then it is compiled
            shutil.copytree(brought, copy)
            copy.rename(self.cache)
        shutil.rmtree(copy, ignore_errors=True)

    @property
    def rules_fingerprint(self) -> str:
        """A fingerprint of what the rules mean, equal on every machine; what is printed in the box is no part of it."""
        return hashlib.sha256(_hash_folder(self.folder) + _hash_folder(CORE)).hexdigest()[:16]

    @property
    def cache(self) -> Path:
        """The folder of this home's machine code."""
        return find_cache_root() / f"{self.folder.name}-{self.fingerprint}"

    @property
    def _mark(self) -> Path:
        """The path of the file that marks this home's machine code as complete."""
        chances = self.folder / "chances.toml"  # a search is paid by them
        told = chances.read_bytes() if chances.exists() else b""
        parts = hashlib.sha256(_hash_templates() + repr(sorted(self.made)).encode() + told)
        return self.cache / f"complete-{parts.hexdigest()[:12]}"

    @property
    def is_warm(self) -> bool:
        """Is the cached machine code complete, bots included, with every file at its full size?"""
        self.copy_shipped_code()
        try:
            listed = json.loads(self._mark.read_text())
            return all((self.cache / name).stat().st_size == size for name, size in listed.items())
        except (OSError, ValueError, AttributeError):
            return False

    def mark_warm(self) -> None:
        """Mark the machine code as complete, with the size of each file, and delete what older sources left behind."""
        self.cache.mkdir(parents=True, exist_ok=True)
        files = {str(one.relative_to(self.cache)): one.stat().st_size for one in sorted(self.cache.rglob("*.nbc"))}
        made = self._mark.with_suffix(f".{os.getpid()}")
        made.write_text(json.dumps(files))
        made.replace(self._mark)
        for home in (self, find_home(CORE / "rule.py")):
            siblings = [path for path in find_cache_root().glob(f"{home.folder.name}-*") if path != home.cache]
            for old in _sort_newest_first(siblings)[KEPT_FINGERPRINTS - 1 :]:
                shutil.rmtree(old, ignore_errors=True)
        for known in _sort_newest_first((find_cache_root() / MEANINGS).glob("*"))[KEPT_MEANINGS:]:
            known.unlink(missing_ok=True)

    def hold_compile_lock(self, waiting: Callable[[], None] | None = None) -> contextlib.AbstractContextManager[None]:
        """Hold the lock that keeps other processes from compiling this home; `waiting` is called if one is compiling it already."""
        return locked_file(self.cache / "lock", waiting)


_homes: dict[Path, Home] = {}


def list_homes() -> list[Home]:
    """All homes whose rules have been imported in this process."""
    return list(_homes.values())


_lock = threading.RLock()


def find_home(file: str | Path) -> Home:
    """The home of a source file: the nearest folder with a `box.toml`, else `core`."""
    folder = next((parent for parent in Path(file).resolve().parents if (parent / "box.toml").exists()), CORE)
    with _lock:
        if folder not in _homes:
            _homes[folder] = Home(folder)
        return _homes[folder]


class _Here(threading.local):
    """How rules run in this thread: compiled or plain. A plain call stays plain to its end, even if its home is switched."""

    plain = False
    compiled: Home | None = None


_here = _Here()


@contextlib.contextmanager
def run_home_compiled(home: Home) -> Iterator[None]:
    """Run a home's rules compiled in this thread, while others still run them as plain Python."""
    before, _here.compiled = _here.compiled, home
    try:
        yield
    finally:
        _here.compiled = before


def _import_compiler() -> Any:
    """The compiler's package, imported at the first call, which takes seconds."""
    return importlib.import_module("sutler.core.compilation")


class Rule:
    """A function of records that runs compiled or as plain Python, with the same result to the byte."""

    def __init__(
        self, function: Callable[..., Any], home: Home, inline: bool, part: str = "", shared: bool = False
    ) -> None:
        functools.update_wrapper(self, function)
        self.plain = function
        self.home = home
        self.part = part  # the folder in the home's cache, for a template from outside it (see core.per_game_modules)
        self.inline, self.shared = inline, shared
        home.rules.append(self)

    @functools.cached_property
    def inner(self) -> Any:
        """The compiled function that other compiled code calls, made at the first access."""
        return _import_compiler().get_compiled_for_rules(self)

    @functools.cached_property
    def fast(self) -> Any:
        """The compiled function that Python calls, made at the first access."""
        return _import_compiler().get_compiled_for_python(self)

    @property
    def cache_folder_name(self) -> str:
        """The name of the folder of this rule's machine code, within its home's cache."""
        return f"{self.part}/{self.plain.__module__}" if self.part else self.plain.__module__

    def compile_separately(self) -> None:
        """From now on, compile this rule once by itself; other rules call it by its address (see `core.compilation.compiler`)."""
        if "inner" not in self.__dict__:  # a second definition of the same game finds it shared already
            self.shared = True

    def runs_compiled(self) -> bool:
        """Does a call of this rule from Python run machine code, in this thread and at this moment?"""
        return not _here.plain and (not self.home.interpreted or _here.compiled is self.home)

    def compile_for(self, *args: Any) -> None:
        """Compile this shared rule for arguments of these types, or load it from the cache, without calling it."""
        _import_compiler().compile_shared_rule(self, args)

    def address(self, *args: Any) -> int:
        """The memory address of a shared rule's machine code for arguments of these types. TypeError if it does not return an int."""
        return _import_compiler().get_machine_code_address(self, args)  # type: ignore[no-any-return]

    def __call__(self, *args: Any) -> Any:
        """Run the rule, compiled or as plain Python, whichever is set for its home and this thread."""
        if _here.plain:
            return self.plain(*args)
        if not self.runs_compiled():
            _here.plain = True
            try:
                return self.plain(*args)
            finally:
                _here.plain = False
        return self.fast(*args)

    def __repr__(self) -> str:
        return f"<rule {self.plain.__module__}.{self.plain.__qualname__}>"


F = TypeVar("F", bound=Callable[..., Any])


@overload
def rule(function: F) -> F: ...
@overload
def rule(function: None = None, *, inline: bool = False, shared: bool = False) -> Callable[[F], F]: ...
def rule(function: Callable[..., Any] | None = None, *, inline: bool = False, shared: bool = False) -> Any:
    """Mark a function as a rule. It may allocate nothing, raise nothing and print nothing.

    `inline`: it becomes part of every rule that calls it. `shared`: it is large, called from many places, and compiled once for all.
    """
    if function is None:
        return functools.partial(rule, inline=inline, shared=shared)
    home = function.__globals__.get("__home__") or find_home(function.__code__.co_filename)
    return Rule(function, home, inline, function.__globals__.get("__part__", ""), shared)
