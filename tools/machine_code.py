"""Add compiled machine code to a wheel, so that nothing has to be compiled after it is installed.

    python tools/machine_code.py dist/sutler-0.1.0-py3-none-any.whl            # for this Python
    python tools/machine_code.py dist/… --python 3.12 --games manor,bellum    # for another one, fewer games

Installs the wheel into a fresh environment, compiles the games there for x86-64-v3, writes a wheel for Linux and that
Python beside it, and tries it in another fresh environment: the seconds to the first simulation are printed.
`tools/release.py VERSION --build` calls it for each supported Python that is here.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV = shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
PLATFORM = "manylinux_2_28_x86_64"
PROCESSOR = "x86-64-v3"
MAX_FIRST_SIMULATION_S = 5.0
KEPT = (".nbi", ".nbc")
MADE = "import json; from sutler.core.rule import collect_versions; print(json.dumps(collect_versions()))"


def uv(*arguments: str) -> None:
    """Run uv; if it fails, once more with the system's certificates. SystemExit if that fails too."""
    for more in ({}, {"UV_NATIVE_TLS": "1"}):
        if subprocess.run([UV, *arguments], env=os.environ | more, check=False).returncode == 0:
            return
    raise SystemExit(f"uv {' '.join(arguments)} failed")


class Environment:
    """A new virtual environment with a wheel in it, isolated from this machine: no other PATH, an empty home."""

    def __init__(self, folder: Path, python: str, wheel: Path) -> None:
        self.bin = folder / "env" / "bin"
        self.env = {"PATH": str(self.bin), "HOME": str(folder), "PYTHONUTF8": "1"}
        uv("venv", "--quiet", "--python", python, str(folder / "env"))
        uv("pip", "install", "--quiet", "--python", str(self.bin / "python"), str(wheel))

    def run(self, *words: str, **more: str) -> str:
        """The output of a command of the environment; SystemExit if it fails. `more`: environment variables."""
        command = [str(self.bin / words[0]), *words[1:]]
        done = subprocess.run(command, env=self.env | more, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stderr}")
        return done.stdout


def compiled(environment: Environment, cache: Path, games: list[str]) -> dict[str, bytes]:
    """Compile games in an environment; returns {name: content} of the files to add to the wheel. `cache`: an empty folder."""
    environment.run("sutler", "warm", *games, SUTLER_CACHE=str(cache), SUTLER_PROCESSOR=PROCESSOR)
    files = {"sutler/compiled/made.json": environment.run("python", "-c", MADE).encode()}
    for file in sorted(cache.rglob("*")):
        if file.suffix in KEPT or file.name.startswith("complete-"):
            files[f"sutler/compiled/{file.relative_to(cache).as_posix()}"] = file.read_bytes()
    return files


def retagged(wheel: Path, tag: str, added: dict[str, bytes]) -> Path:
    """Write a copy of a pure wheel with the files `added`, under another platform tag, with a new RECORD; returns its path."""
    name, version, *_ = wheel.name.split("-")
    made = wheel.with_name(f"{name}-{version}-{tag}.whl")
    with zipfile.ZipFile(wheel) as old:
        files = {one: old.read(one) for one in old.namelist() if not one.endswith(("/RECORD", "/"))}
    folder = f"{name}-{version}.dist-info"
    said = files[f"{folder}/WHEEL"].decode().splitlines()
    kept = [line for line in said if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    files[f"{folder}/WHEEL"] = "\n".join([*kept, "Root-Is-Purelib: false", f"Tag: {tag}", ""]).encode()
    files |= added
    rows = [f"{one},sha256={_digest(data)},{len(data)}" for one, data in files.items()]
    files[f"{folder}/RECORD"] = "\n".join([*rows, f"{folder}/RECORD,,", ""]).encode()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for one, data in files.items():
            new.writestr(one, data)
    return made


def _digest(data: bytes) -> str:
    """The SHA-256 digest of data in the form that a wheel's RECORD uses."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def first_simulation(wheel: Path, python: str, game: str) -> float:
    """Install a wheel in a new environment; returns the seconds that its first simulation by greedy bots takes."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(Path(folder), python, wheel)
        environment.run("python", "-c", "import numba, polars")  # libraries' own bytecode, which an installer may write
        start = time.perf_counter()
        environment.run("sutler", "simulate", game, "--bots", "greedy", "--games", "100")
        return time.perf_counter() - start


def with_machine_code(wheel: Path, python: str, games: list[str]) -> tuple[Path, float]:
    """Make the wheel with machine code for one Python, and try it; returns (its path, seconds to the first simulation)."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(Path(folder), python, wheel)
        version = environment.run("python", "-c", "import sys; print('cp%d%d' % sys.version_info[:2])").strip()
        added = compiled(environment, Path(folder) / "compiled", games)
    made = retagged(wheel, f"{version}-{version}-{PLATFORM}", added)
    return made, first_simulation(made, python, games[0] if games else "manor")


def main() -> int:
    """Make one wheel. Returns 1 if its first simulation takes too long."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--python", default=sys.executable, help="such as 3.12; otherwise the one that runs this")
    parser.add_argument("--games", default="", help="manor,bellum: only these")
    asked = parser.parse_args()
    made, seconds = with_machine_code(asked.wheel, asked.python, [one for one in asked.games.split(",") if one])
    print(f"{made} ({made.stat().st_size / 1e6:.1f} MB): the first simulation took {seconds:.1f} s")
    return int(seconds > MAX_FIRST_SIMULATION_S)


if __name__ == "__main__":
    sys.exit(main())
