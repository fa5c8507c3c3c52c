"""Time the five commands of docs/learn.md, from nothing to a bot at the table: python studies/first_commands.py [--minutes M] [--write].

The commands are read from the page and run in a new folder with a new environment, in which the package is the wheel of this checkout.
The time of `sutler warm manor` is printed beside them and not counted. `--minutes`: train only so long, for a trial. `--write` writes the
table into the page, between its marks.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "learn.md"
COMMANDS = re.compile(r"## From nothing.*?```sh\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"(<!-- first commands -->\n).*?(<!-- end -->)", re.DOTALL)
SERVE_LIMIT_SECONDS = 300
POLL_SECONDS = 0.2


def commands() -> list[str]:
    """The five commands, as they stand in docs/learn.md."""
    found = COMMANDS.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return found[1].strip().splitlines()


def processor_seconds() -> float:
    """The seconds of processor time used by all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(command: str, folder: Path, env: dict[str, str]) -> tuple[float, float, str]:
    """Run a command of the page; returns (processor seconds, seconds on the clock, the last line it printed)."""
    worked, begun = processor_seconds(), time.monotonic()
    done = subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command}: {done.stderr[-2000:]}")
    lines = [line for line in done.stdout.splitlines() if line.strip()] or [""]
    return processor_seconds() - worked, time.monotonic() - begun, lines[-1]


def timed_until_served(command: str, folder: Path, env: dict[str, str]) -> tuple[float, float, str]:
    """Run the page's command that starts the server, until a page offers the learned bot; returns as `timed`."""
    words = command.replace(" --open", " --port 0")
    settings, _, rest = words.partition(" sutler ")
    env = env | dict([settings.split("=", 1)])
    worked, begun = processor_seconds(), time.monotonic()
    house = subprocess.Popen(["sutler", *shlex.split(rest)], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert house.stdout is not None
        address = next(found[0] for line in house.stdout if (found := re.search(r"http://[\w.:]+", line)))
        while time.monotonic() - begun < SERVE_LIMIT_SECONDS:
            try:
                with urllib.request.urlopen(f"{address}/?game=manor", timeout=60) as page:
                    if "learned" in page.read().decode():
                        break
            except OSError:
                pass
            time.sleep(POLL_SECONDS)
        else:
            raise SystemExit("the page never offered the learned bot")
        waited = time.monotonic() - begun
    finally:
        house.send_signal(signal.SIGINT)
        house.wait(60)
    return processor_seconds() - worked, waited, address


def main() -> None:
    """Run the commands, and print or write their times."""
    parsed = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parsed.add_argument("--minutes", type=float, help="how long to learn, in place of what the page says")
    parsed.add_argument("--write", action="store_true", help="write the table into the page")
    said = parsed.parse_args()
    install, new, learn, judge, serve = commands()
    if said.minutes is not None:
        learn = re.sub(r"--minutes \S+", f"--minutes {said.minutes}", learn)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        uv = shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
        subprocess.run([uv, "build", "--quiet", "--wheel", "--out-dir", name, str(ROOT)], check=True)
        (wheel,) = folder.glob("*.whl")
        subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
        bare = {key: value for key, value in os.environ.items() if not key.startswith("SUTLER_")}
        env = bare | {"PATH": f"{folder / 'env' / 'bin'}:{os.environ['PATH']}", "XDG_DATA_HOME": str(folder / "data")}
        rows = [
            (
                install,
                *timed(install.replace("sutler[", f"{wheel}[").replace("pip ", "pip --no-cache-dir ", 1), folder, env),
            )
        ]
        warming = timed("sutler warm manor", folder, env)
        print(f"warming: {warming[0]:.0f} s of a processor, {warming[1]:.0f} s", flush=True)
        for command in (new, learn, judge):
            rows.append((command, *timed(command, folder, env)))
            print(rows[-1], flush=True)
        rows.append((serve, *timed_until_served(serve, folder, env)))
        print(rows[-1], flush=True)
    load = os.getloadavg()[1]
    lines = [f"| `{command}` | {worked:.0f} | {waited:,.0f} |\n" for command, worked, waited, _ in rows]
    when = f"{date.today():%d %B %Y}".lstrip("0")
    table = (
        f"At full length, {when}, {os.cpu_count()} processors, load {load:.0f}; rules warm already. `serve`: until its page offers\n"
        "*learned*. Repeated by `python studies/first_commands.py --write`.\n\n"
        "| command | seconds of a processor | seconds on the clock |\n|---|---|---|\n" + "".join(lines)
    )
    table += f"\nThe third ended with: *{rows[2][3]}*\n"
    print(table)
    if said.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(BLOCK.sub(lambda match: match[1] + table + match[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
