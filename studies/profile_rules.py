"""Profile a game's compiled rules: which of them take the time.

    python studies/profile_rules.py GAME random|greedy|search [--seconds 3] [--set offers=0]

Linux's `perf` samples this process. Compiled code has no symbols in memory, so the names are read from the object files that the compiler
made: a rule that was not inlined into its caller is a function of its own, and its time contains that of the rules inlined into it.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba.core import codegen

import sutler
from sutler.bots import bot
from sutler.cli.errors import parse_settings
from sutler.core.play.game import Game
from sutler.lab.bench.speed import _sampled_positions
from sutler.lab.play.simulate import simulate

SHT_SYMTAB, STT_FUNC, STB_GLOBAL = 2, 2, 1
"""Constants of the ELF format."""
ROWS_SHOWN = 24


class LoadedCode:
    """Records every object file that the compiler loads after this object was made."""

    def __init__(self) -> None:
        self.found: list[tuple[Any, bytes]] = []
        library: Any = codegen.CPUCodeLibrary
        before, kept = library._set_compiled_object, self.found

        def keep(one: Any, code: bytes) -> None:
            kept.append((one, bytes(code)))
            before(one, code)

        library._set_compiled_object = keep

    def functions(self) -> Iterator[tuple[int, int, str]]:
        """Every function in memory: (address, length in bytes, name of the rule)."""
        for library, code in self.found:
            functions, bases = list(elf_functions(code)), dict[int, int]()
            for name, section, at, _, is_global in functions:
                if is_global and section not in bases:
                    address = library._codegen._engine.get_function_address(name)
                    if address:
                        bases[section] = address - at
            for name, section, at, size, _ in functions:
                if section in bases:
                    yield bases[section] + at, size, plain_name(name)


def elf_functions(code: bytes) -> Iterator[tuple[str, int, int, int, bool]]:
    """The functions of an ELF object file: (name, section, offset in it, length, is it global?)."""
    (at,) = struct.unpack_from("<Q", code, 40)
    size, n = struct.unpack_from("<HH", code, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, at + i * size) for i in range(n)]
    for _, kind, _, _, start, length, link, *_ in sections:
        if kind != SHT_SYMTAB:
            continue
        words = sections[link][4]
        for place in range(start, start + length, 24):
            word, info, _, section, value, extent = struct.unpack_from("<IBBHQQ", code, place)
            if info & 15 == STT_FUNC and section:
                name = code[words + word : code.index(b"\0", words + word)].decode()
                yield name, section, value, extent, info >> 4 == STB_GLOBAL


def plain_name(mangled: str) -> str:
    """The name of a rule from a mangled symbol: `_ZN6sutler5games5manor…` is `sutler.games.manor…`."""
    parts, rest = list[str](), mangled.removeprefix("_ZN")
    while found := re.match(r"\d+", rest):
        end = found.end() + int(found.group())
        parts.append(rest[found.end() : end])
        rest = rest[end:]
    return ".".join(parts).replace("_2e", ".") or mangled


def worker(game: Game, kind: str) -> Callable[[int], int]:
    """A function that plays piece i of the work and returns its number of decisions (for "search", of rounds)."""
    seats = max(game.min_seats, min(3, game.max_seats))
    if kind == "search":
        positions, searcher = _sampled_positions(game, seats), bot("search", rounds=50)

        def search(i: int) -> int:
            pos = positions[i % len(positions)]
            return sum(tried for _, _, tried in searcher.explain(pos.for_seat(pos.seat, seed=i)))  # type: ignore[attr-defined]

        return search
    games = 512 if kind == "random" else 8
    return lambda i: int(simulate(game, [kind] * seats, games, 1 + i * games, threads=1)["decisions"].sum())


def profile(work: Callable[[int], int], seconds: float, functions: Iterator[tuple[int, int, str]]) -> tuple[str, float]:
    """The report of perf for so many seconds of processor time, and the nanoseconds for each decision."""
    symbols = Path(f"/tmp/perf-{os.getpid()}.map")  # perf looks for names there
    symbols.write_text("".join(f"{at:x} {size:x} {name}\n" for at, size, name in sorted(functions)))
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/perf.data"
        perf = subprocess.Popen(["perf", "record", "-q", "-o", data, "-e", "cycles:u", "-p", str(os.getpid())])
        time.sleep(0.5)
        done, i, start = 0, 1, time.process_time()
        while (took := time.process_time() - start) < seconds:
            done, i = done + work(i), i + 1
        perf.send_signal(signal.SIGINT)
        perf.wait()
        report = subprocess.run(
            ["perf", "report", "-i", data, "--stdio", "-s", "sym"], capture_output=True, text=True, check=True
        )
    symbols.unlink()
    return report.stdout, took / done * 1e9


def main() -> None:
    """Print a line for each rule, sorted by time."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("kind", choices=("random", "greedy", "search"))
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--set", action="append", default=[], help="an option of the game: offers=0")
    options = parser.parse_args()
    loaded = LoadedCode()
    work = worker(sutler.load(options.game, None, parse_settings(options.set)), options.kind)
    work(0)
    report, each = profile(work, options.seconds, loaded.functions())
    print(f"{options.game}, {options.kind}: {each:,.0f} ns a {'round' if options.kind == 'search' else 'decision'}")
    rows = [line for line in report.splitlines() if "%" in line]
    for line in rows[:ROWS_SHOWN]:
        print(line.replace("[.]", "").rstrip()[:110])


if __name__ == "__main__":
    main()
