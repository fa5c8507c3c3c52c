"""The cache of compiled rules on disk: Numba's cache, in the folders of `core.rule.Home`, each file with a digest of its content."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import pickle
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching

from sutler.core.compilation.compiler import MachineCode
from sutler.core.rule import DIGEST_BYTES, Home, Rule, find_cache_root, list_homes, locked_file

_log = logging.getLogger("sutler.compiled")


class _Locator(caching._CacheLocator):
    """Tells Numba the folder of a rule's machine code: one for its module, in its home's folder, named by the fingerprint."""

    def __init__(self, home: Home, part: str) -> None:
        self.home, self.part = home, part

    def get_cache_path(self) -> str:
        return str(self.home.cache / self.part)

    def get_source_stamp(self) -> str:
        return self.home.fingerprint

    def get_disambiguator(self) -> str:
        return "rule"  # not its line: a comment above it would move it


class _OwnFiles(caching.IndexDataCacheFile):
    """Numba's index of cached code, with unique file names, and a lock while the index of a home is written.

    Two games that are compiled at the same time both write code of core's functions, each for its own records. Each file begins with a
    digest of the rest: a file that is damaged or half copied counts as missing, and its code is compiled again.
    """

    def save(self, key: Any, data: Any) -> None:
        with locked_file(Path(self._cache_path) / "lock-index"):
            super().save(key, data)  # type: ignore[no-untyped-call]

    def _load_index(self) -> Any:
        try:
            stamp, known = self._read(self._index_path) or ("", {})
        except FileNotFoundError:
            return {}
        return known if stamp == self._source_stamp else {}

    def _save_index(self, overloads: Any) -> None:
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))  # type: ignore[no-untyped-call]

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)  # type: ignore[no-untyped-call]

    def _read(self, path: str) -> Any:
        """The data in a file of the cache; None if it is damaged."""
        kept = Path(path).read_bytes()
        digest, data = kept[:DIGEST_BYTES], kept[DIGEST_BYTES:]
        if hashlib.sha256(data).digest() == digest:
            return pickle.loads(data)
        _warn_of_damage_once(
            next((one for one in Path(path).parents if one.parent == find_cache_root()), Path(path).parent)
        )
        return None

    def _write(self, path: str, data: Any) -> None:
        dumped: bytes = self._dump(data)  # type: ignore[no-untyped-call]
        with self._open_for_write(path) as file:  # type: ignore[no-untyped-call]
            file.write(hashlib.sha256(dumped).digest() + dumped)

    def _data_name(self, number: int) -> str:
        return f"{self._index_name.removesuffix('.nbi')}.{uuid.uuid4().hex[:12]}.nbc"


@functools.cache
def _warn_of_damage_once(folder: Path) -> None:
    """Warn that a folder holds damaged files, once for each folder."""
    _log.warning("compiled code in %s is damaged; what is missing is compiled again", folder)


def name_rule(rule: Rule) -> str:
    """The name of a shared rule in cached code that calls it."""
    return f"{rule.home.cache.name}/{rule.cache_folder_name}:{rule.plain.__qualname__}"


def find_shared_rule(name: str) -> Any:
    """The dispatcher of the shared rule of that name; None if this process has none."""
    cache, _, _ = name.partition("/")
    for home in list_homes():
        if home.cache.name == cache:
            for rule in reversed(home.rules):
                if rule.shared and name_rule(rule) == name:
                    return rule.inner
    return None


class HomeCache(caching.FunctionCache):
    """Numba's cache, kept in the folder of a `Home`."""

    def __init__(self, function: Callable[..., Any], home: Home, part: str, written: type[MachineCode]) -> None:
        home.copy_shipped_code()
        locator = _Locator(home, part)
        here = type("Here", (), {"from_function": staticmethod(lambda *_: locator)})
        given = {"_locator_classes": [here], "shared_rule": staticmethod(find_shared_rule)}
        self._impl_class: Any = type("Impl", (written,), given)
        super().__init__(function)  # type: ignore[no-untyped-call]
        files: Any = _OwnFiles
        self._cache_file = files(locator.get_cache_path(), self._impl.filename_base, locator.get_source_stamp())

    def hold_compile_lock(self, signature: tuple[Any, ...]) -> contextlib.AbstractContextManager[None]:
        """Hold the lock that keeps other processes from compiling the function for these argument types."""
        kind = hashlib.sha256(repr(signature).encode()).hexdigest()[:12]
        return locked_file(Path(self._cache_path) / f"lock-{self._impl.filename_base}-{kind}")
