"""A PostgreSQL of the tests' own, from the system's packages: started in a folder of its own, with a database for each test."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg

FAST_SETTINGS = {"fsync": "off", "listen_addresses": "''", "max_connections": "80", "shared_buffers": "32MB"}
"""It is its clients that are killed, never itself: nothing has to be on the disk."""
CAREFUL = {"listen_addresses": "''", "max_connections": "200", "shared_buffers": "128MB"}
"""As it comes, for figures (`studies/load.py`): what is kept is on the disk."""


def binaries() -> Path | None:
    """Where PostgreSQL's own programs are; None where it is not installed."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    return next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


class Postgres:
    """A server that runs. It refuses to be root, so it runs as whoever its package made for it."""

    def __init__(self, programs: Path, settings: Mapping[str, str] = FAST_SETTINGS) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="sutler-postgres-"))
        self._as: dict[str, Any] = {}
        if os.getuid() == 0:
            names = {one.pw_name for one in pwd.getpwall()}
            user = next(name for name in ("postgres", "nobody") if name in names)
            shutil.chown(self.folder, user)
            self._as = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
        self._numbers = itertools.count()
        data, plain = self.folder / "data", os.environ | {"LC_ALL": "C"}
        make = [programs / "initdb", "-D", data, "-U", "sutler", "-A", "trust", "-E", "UTF8", "--no-sync"]
        done = subprocess.run(make, capture_output=True, text=True, cwd=self.folder, env=plain, **self._as)
        assert done.returncode == 0, done.stderr
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self._control("start", "-w", "-l", str(self.folder / "log"), "-o", f"{options} -k {self.folder}")

    def _control(self, *what: str) -> None:
        command = [self.programs / "pg_ctl", "-D", self.folder / "data", *what]
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.folder, **self._as
        )
        assert done.returncode == 0, done.stderr

    def database(self) -> str:
        """The address of a new database."""
        name = f"house_{next(self._numbers)}"
        with psycopg.connect(host=str(self.folder), user="sutler", dbname="postgres", autocommit=True) as line:
            line.execute(f"CREATE DATABASE {name}")
        return f"postgresql://sutler@/{name}?host={self.folder}"

    def close(self) -> None:
        """Stop it, whoever is still connected, and take its folder away."""
        self._control("stop", "-m", "immediate", "-w")
        shutil.rmtree(self.folder, ignore_errors=True)


def started() -> Iterator[Postgres]:
    """One server for all tests of a worker."""
    programs = binaries()
    if programs is None:
        import pytest

        if os.environ.get("CI"):
            raise RuntimeError("PostgreSQL is not installed; tools/postgres.sh does that")
        pytest.skip("no PostgreSQL here: run tools/postgres.sh")
    server = Postgres(programs)
    yield server
    server.close()
