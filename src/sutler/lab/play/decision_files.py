"""Files of decisions, written a table at a time: Parquet, or Arrow's own format (Feather) where the name ends in `.arrow`.

Parquet is what every program reads, and the smaller one. Arrow costs half as much to write, and wants pyarrow (extra `arrow`).
Both carry a description of their own (`spec_in`). A file is there when it is whole: until then it is written beside its place.
"""

from __future__ import annotations

import contextlib
import json
import queue
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import polars as pl
from polars.io.plugins import register_io_source

from sutler.core.extras import wanted

SPEC = "sutler"
"""The key of the file's metadata under which it describes itself."""
PARQUET, ARROW = ".parquet", ".arrow"
SUFFIXES = (PARQUET, ARROW)
MAX_PARTS_WAITING = 2
"""Tables that wait for the thread that writes."""
WAIT_SECONDS = 0.2
"""How often the thread that writes is asked whether it is still there."""


class DecisionFile(Protocol):
    """A file being written."""

    def add(self, part: pl.DataFrame) -> None:
        """Write these rows down. OSError or a PolarsError where the file cannot be written."""


@contextlib.contextmanager
def decision_file(to: Path, columns: dict[str, Any], spec: str, group_rows: int) -> Iterator[DecisionFile]:
    """A file that tables of these columns are added to; inside an error nothing is left of it.

    `spec`: its description; `group_rows`: rows of a row group of Parquet. ValueError for a name with another ending, or for Arrow
    without pyarrow.
    """
    if to.suffix not in SUFFIXES:
        raise ValueError(f"{to}: name a file that ends in {' or '.join(SUFFIXES)}")
    with tempfile.TemporaryDirectory(dir=to.resolve().parent, prefix=f".{to.name}-") as folder:
        whole = Path(folder) / "whole"
        if to.suffix == ARROW:
            with _arrow_file(whole, columns, spec) as file:
                yield file
        else:
            parquet = _ParquetFile(whole, columns, spec, group_rows)
            try:
                yield parquet
            except BaseException:
                parquet.give_up()
                raise
            parquet.close()
        whole.replace(to)


def spec_in(path: Path) -> dict[str, Any]:
    """The description that an exported file carries: its game, options, encoding, the numbers of an observation, the actions."""
    if path.suffix == ARROW:
        arrow = _pyarrow()
        with arrow.memory_map(str(path)) as memory:
            text = arrow.ipc.open_file(memory).schema.metadata[SPEC.encode()].decode()
    else:
        text = pl.read_parquet_metadata(path)[SPEC]
    found: dict[str, Any] = json.loads(text)
    return found


def _pyarrow() -> Any:
    """The library of Arrow's own format, its part for files loaded; Missing without the extra."""
    wanted("pyarrow.ipc", "arrow")
    return wanted("pyarrow", "arrow")


class _ArrowFile:
    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def add(self, part: pl.DataFrame) -> None:
        """Write these rows down."""
        self._writer.write_table(part.to_arrow())


@contextlib.contextmanager
def _arrow_file(to: Path, columns: dict[str, Any], spec: str) -> Iterator[_ArrowFile]:
    arrow = _pyarrow()
    schema = pl.DataFrame(schema=columns).to_arrow().schema.with_metadata({SPEC: spec})
    options = arrow.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
    with arrow.ipc.new_file(str(to), schema, options=options) as writer:
        yield _ArrowFile(writer)


class _Abandoned(Exception):
    """Ends the thread that writes: the file is not wanted any more."""


class _ParquetFile:
    """A Parquet file written by a thread of its own, to which tables are handed over: polars asks for them one by one."""

    def __init__(self, to: Path, columns: dict[str, Any], spec: str, group_rows: int) -> None:
        self._waiting: queue.Queue[pl.DataFrame | None] = queue.Queue(MAX_PARTS_WAITING)
        self._abandoned = False
        self._trouble: BaseException | None = None
        self._plan = register_io_source(self._handed_over, schema=columns)
        self._thread = threading.Thread(target=self._write, args=(to, spec, group_rows), name="writing", daemon=True)
        self._thread.start()

    def add(self, part: pl.DataFrame) -> None:
        """Write these rows down."""
        self._hand_over(part)

    def close(self) -> None:
        """Finish the file."""
        self._hand_over(None)
        self._thread.join()
        if self._trouble is not None:
            raise self._trouble

    def give_up(self) -> None:
        """End the thread; what it has written is of no use."""
        self._abandoned = True
        if self._thread.is_alive():
            with contextlib.suppress(BaseException):
                self._hand_over(None)
        self._thread.join()

    def _hand_over(self, part: pl.DataFrame | None) -> None:
        while self._thread.is_alive():
            with contextlib.suppress(queue.Full):
                self._waiting.put(part, timeout=WAIT_SECONDS)
                return
        if self._trouble is not None:
            raise self._trouble

    def _handed_over(self, *_: Any) -> Iterator[pl.DataFrame]:
        while (part := self._waiting.get()) is not None:
            yield part
        if self._abandoned:
            raise _Abandoned

    def _write(self, to: Path, spec: str, group_rows: int) -> None:
        try:
            self._plan.sink_parquet(
                to,
                compression="zstd",
                compression_level=1,
                statistics=False,
                row_group_size=group_rows,
                metadata={SPEC: spec},
            )
        except BaseException as error:
            self._trouble = error
