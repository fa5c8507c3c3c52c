"""Which rules the time goes to: python tools/hot_rules.py GAME random|greedy|search [--seconds 3] [--set offers=0]

Linux's `perf` samples this process; machine code has no names there, so they are read from what the compiler made: each rule
that was not taken into its caller is a function of its own. What stands at a rule's name holds all that was taken into it.
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
from sutler.core.game import Game
from sutler.lab.bench.speed import _positions
from sutler.lab.play.simulate import simulate
from sutler.terminal.errors import settings_from

SYMBOLS, FUNCTION, GLOBAL = 2, 2, 1  # of the ELF format
SHOWN = 24


class Loaded:
    """Every piece of machine code that is loaded from now on, with the object file it came in."""

    def __init__(self) -> None:
        self.found: list[tuple[Any, bytes]] = []
        library: Any = codegen.CPUCodeLibrary
        before, kept = library._set_compiled_object, self.found

        def keep(one: Any, code: bytes) -> None:
            kept.append((one, bytes(code)))
            before(one, code)

        library._set_compiled_object = keep

    def names(self) -> Iterator[tuple[int, int, str]]:
        """Where each function lies: address, length, the rule's name."""
        for library, code in self.found:
            functions, bases = list(_functions(code)), dict[int, int]()
            for name, section, at, _, is_global in functions:
                if is_global and section not in bases:
                    address = library._codegen._engine.get_function_address(name)
                    if address:
                        bases[section] = address - at
            for name, section, at, size, _ in functions:
                if section in bases:
                    yield bases[section] + at, size, plain_name(name)


def _functions(code: bytes) -> Iterator[tuple[str, int, int, int, bool]]:
    """The functions of an object file: name, section, place in it, length, can it be called from outside?"""
    (at,) = struct.unpack_from("<Q", code, 40)
    size, n = struct.unpack_from("<HH", code, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, at + i * size) for i in range(n)]
    for _, kind, _, _, start, length, link, *_ in sections:
        if kind != SYMBOLS:
            continue
        words = sections[link][4]
        for place in range(start, start + length, 24):
            word, about, _, section, value, extent = struct.unpack_from("<IBBHQQ", code, place)
            if about & 15 == FUNCTION and section:
                name = code[words + word : code.index(b"\0", words + word)].decode()
                yield name, section, value, extent, about >> 4 == GLOBAL


def plain_name(mangled: str) -> str:
    """`_ZN6sutler5games5manor…` as `sutler.games.manor…`."""
    parts, rest = list[str](), mangled.removeprefix("_ZN")
    while found := re.match(r"\d+", rest):
        end = found.end() + int(found.group())
        parts.append(rest[found.end() : end])
        rest = rest[end:]
    return ".".join(parts).replace("_2e", ".") or mangled


def worker(game: Game, kind: str) -> Callable[[int], int]:
    """Some work of that kind; it says how many decisions (of a search: rounds) that was."""
    seats = max(game.min_seats, min(3, game.max_seats))
    if kind == "search":
        positions, searcher = _positions(game, seats), bot("search", rounds=50)

        def search(i: int) -> int:
            pos = positions[i % len(positions)]
            return sum(tried for _, _, tried in searcher.explain(pos.for_seat(pos.seat, seed=i)))  # type: ignore[attr-defined]

        return search
    games = 512 if kind == "random" else 8
    return lambda i: int(simulate(game, [kind] * seats, games, 1 + i * games, threads=1)["decisions"].sum())


def sampled(work: Callable[[int], int], seconds: float, names: Iterator[tuple[int, int, str]]) -> tuple[str, float]:
    """What perf says of so many seconds, and the nanoseconds a decision took."""
    book = Path(f"/tmp/perf-{os.getpid()}.map")  # where perf looks for names
    book.write_text("".join(f"{at:x} {size:x} {name}\n" for at, size, name in sorted(names)))
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/perf.data"
        perf = subprocess.Popen(["perf", "record", "-q", "-o", data, "-e", "cycles:u", "-p", str(os.getpid())])
        time.sleep(0.5)
        done, i, start = 0, 1, time.process_time()
        while (took := time.process_time() - start) < seconds:
            done, i = done + work(i), i + 1
        perf.send_signal(signal.SIGINT)
        perf.wait()
        said = subprocess.run(
            ["perf", "report", "-i", data, "--stdio", "-s", "sym"], capture_output=True, text=True, check=True
        )
    book.unlink()
    return said.stdout, took / done * 1e9


def main() -> None:
    """A line a rule, the most time first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("kind", choices=("random", "greedy", "search"))
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--set", action="append", default=[], help="an option of the game: offers=0")
    given = parser.parse_args()
    loaded = Loaded()
    work = worker(sutler.load(given.game, None, settings_from(given.set)), given.kind)
    work(0)
    said, each = sampled(work, given.seconds, loaded.names())
    print(f"{given.game}, {given.kind}: {each:,.0f} ns a {'round' if given.kind == 'search' else 'decision'}")
    rows = [line for line in said.splitlines() if "%" in line]
    for line in rows[:SHOWN]:
        print(line.replace("[.]", "").rstrip()[:110])


if __name__ == "__main__":
    main()
