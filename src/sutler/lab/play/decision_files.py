"""Files of decisions, written one table after another: Parquet, or Arrow's own format where the name ends in `.arrow`.

Every program reads Parquet, and its files are smaller. Arrow (Feather) costs half as much time to write, and needs pyarrow (extra
`arrow`). Files of both formats carry a description of themselves (`spec_in`). A file gets its name when it is complete; until then it
is written in a temporary folder beside it.
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

from sutler.core.optional_imports import import_optional

SPEC = "sutler"
"""The key in the file's metadata of the file's description of itself."""
PARQUET, ARROW = ".parquet", ".arrow"
SUFFIXES = (PARQUET, ARROW)
MAX_PARTS_WAITING = 2
"""The number of tables that may wait for the writing thread."""
WAIT_SECONDS = 0.2
"""How long to wait for room in the queue before testing whether the writing thread is still alive."""


class DecisionFile(Protocol):
    """A file of decisions that is being written."""

    def add_rows(self, part: pl.DataFrame) -> None:
        """Append these rows to the file. OSError or a PolarsError where the file cannot be written."""


@contextlib.contextmanager
def open_decision_file(path: Path, columns: dict[str, Any], spec: str, group_rows: int) -> Iterator[DecisionFile]:
    """Open a file for tables with these columns during the block; if the block raises, no file is left.

    `spec`: the file's description of itself; `group_rows`: rows in each row group of Parquet. ValueError for a name with another
    ending, and for Arrow where pyarrow is missing.
    """
    if path.suffix not in SUFFIXES:
        raise ValueError(f"{path}: name a file that ends in {' or '.join(SUFFIXES)}")
    with tempfile.TemporaryDirectory(dir=path.resolve().parent, prefix=f".{path.name}-") as folder:
        whole = Path(folder) / "whole"
        if path.suffix == ARROW:
            with _open_arrow_file(whole, columns, spec) as file:
                yield file
        else:
            parquet = _ParquetFile(whole, columns, spec, group_rows)
            try:
                yield parquet
            except BaseException:
                parquet.give_up()
                raise
            parquet.close()
        whole.replace(path)


def spec_in(path: Path) -> dict[str, Any]:
    """The description in an exported file: game, options, encoding, the name of each observed number, the actions."""
    if path.suffix == ARROW:
        arrow = _import_pyarrow()
        with arrow.memory_map(str(path)) as memory:
            text = arrow.ipc.open_file(memory).schema.metadata[SPEC.encode()].decode()
    else:
        text = pl.read_parquet_metadata(path)[SPEC]
    found: dict[str, Any] = json.loads(text)
    return found


def _import_pyarrow() -> Any:
    """The module pyarrow, with its part for files loaded; Missing where the extra is not installed."""
    import_optional("pyarrow.ipc", "arrow")
    return import_optional("pyarrow", "arrow")


class _ArrowFile:
    """A file in Arrow's format that tables are added to."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def add_rows(self, part: pl.DataFrame) -> None:
        """Append these rows to the file."""
        self._writer.write_table(part.to_arrow())


@contextlib.contextmanager
def _open_arrow_file(path: Path, columns: dict[str, Any], spec: str) -> Iterator[_ArrowFile]:
    """Open a file in Arrow's format for tables with these columns; closed when the block ends."""
    arrow = _import_pyarrow()
    schema = pl.DataFrame(schema=columns).to_arrow().schema.with_metadata({SPEC: spec})
    options = arrow.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
    with arrow.ipc.new_file(str(path), schema, options=options) as writer:
        yield _ArrowFile(writer)


class _Abandoned(Exception):
    """Raised within the thread that writes a file, to end it when the file is no longer wanted."""


class _ParquetFile:
    """A Parquet file that a thread of its own writes.

    The writer of polars asks for tables one by one; they come to it through a queue.
    """

    def __init__(self, to: Path, columns: dict[str, Any], spec: str, group_rows: int) -> None:
        self._waiting: queue.Queue[pl.DataFrame | None] = queue.Queue(MAX_PARTS_WAITING)
        self._abandoned = False
        self._trouble: BaseException | None = None
        self._plan = register_io_source(self._iter_queued_tables, schema=columns)
        self._thread = threading.Thread(
            target=self._write_queued_tables, args=(to, spec, group_rows), name="writing", daemon=True
        )
        self._thread.start()

    def add_rows(self, part: pl.DataFrame) -> None:
        """Append these rows to the file."""
        self._enqueue_table(part)

    def close(self) -> None:
        """Complete the file; raises the error of the writing thread, if there was one."""
        self._enqueue_table(None)
        self._thread.join()
        if self._trouble is not None:
            raise self._trouble

    def give_up(self) -> None:
        """End the writing thread after an error; the file that it has begun is not complete."""
        self._abandoned = True
        if self._thread.is_alive():
            with contextlib.suppress(BaseException):
                self._enqueue_table(None)
        self._thread.join()

    def _enqueue_table(self, part: pl.DataFrame | None) -> None:
        """Put a table into the queue, or None for the end; raises the writing thread's error if that thread has ended."""
        while self._thread.is_alive():
            with contextlib.suppress(queue.Full):
                self._waiting.put(part, timeout=WAIT_SECONDS)
                return
        if self._trouble is not None:
            raise self._trouble

    def _iter_queued_tables(self, *_: Any) -> Iterator[pl.DataFrame]:
        """Yield the tables in the queue until None comes; raises _Abandoned if the file is no longer wanted."""
        while (part := self._waiting.get()) is not None:
            yield part
        if self._abandoned:
            raise _Abandoned

    def _write_queued_tables(self, path: Path, spec: str, group_rows: int) -> None:
        """Write the file from the tables in the queue; an error is kept for the thread that adds tables."""
        try:
            self._plan.sink_parquet(
                path,
                compression="zstd",
                compression_level=1,
                statistics=False,
                row_group_size=group_rows,
                metadata={SPEC: spec},
            )
        except BaseException as error:
            self._trouble = error
