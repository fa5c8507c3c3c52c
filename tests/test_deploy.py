"""The files for hosts say what the command line understands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from sutler.cli import app

FOLDER = Path(__file__).parents[1] / "deploy"
ORDER = re.compile(r"sutler (serve|worker|warm|backup)\b((?:[^\n`;]|\n {6,})*)")


@pytest.mark.parametrize(
    "name", ["compose.yaml", "Dockerfile", "sutler.service", "sutler-worker@.service", "sutler-backup.service"]
)
def test_every_order_in_the_files_is_understood(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    text = re.sub(r'", "', " ", re.sub(r"^\s*#.*$", "", text, flags=re.M))
    orders = ORDER.findall(text)
    assert orders, "nothing is started"
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for command, rest in orders:
        known = {option for one in commands[command].params for option in (*one.opts, *one.secondary_opts)}
        assert set(re.findall(r"--[a-z-]+", rest)) <= known, (command, rest)


def test_no_password_stands_in_them() -> None:
    for path in FOLDER.iterdir():
        assert not re.search(r"postgresql://[^@\s]*:[^@\s]*@", path.read_text(encoding="utf-8")), path.name
    assert (FOLDER / "env.example").read_text(encoding="utf-8").endswith("PGPASSWORD=\n")


def orders(name: str) -> list[list[str]]:
    """Every order in a file for hosts, word by word; what is filled in later stands there as a word."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    if name == "compose.yaml":
        found = [str(one["command"]) for one in composed()["services"].values() if "command" in one]
    elif name == "Dockerfile":
        found = [" ".join(json.loads(one)) for one in re.findall(r"^CMD (.*)$", text, re.M)]
        found += re.findall(r"^RUN (sutler .*)$", text, re.M)
    else:
        found = re.findall(r"^ExecStart(?:Pre)?=(.*)$", text, re.M)
    return [re.sub(r"\$\{[^}]*\}", "filled", one).split() for one in found]


def composed() -> Any:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "name", ["compose.yaml", "Dockerfile", "sutler.service", "sutler-worker@.service", "sutler-backup.service"]
)
def test_every_order_is_parsed_to_its_last_word(name: str) -> None:
    """As the command line itself reads them: options with their values, arguments, nothing left over."""
    root: Any = typer.main.get_command(app)
    found = orders(name)
    assert found
    for program, command, *rest in found:
        assert program.endswith("sutler")
        root.commands[command].make_context(command, list(rest))


GUIDE = Path(__file__).parents[1] / "docs" / "hosting.md"
PRINTED = re.compile(
    r"(?:^|`|exec web |/bin/)sutler ((?:serve|worker|admin|backup|restore|copy-database)\b[^`#\n]*(?:\n  [^`#\n]*)?)",
    re.M,
)


def test_every_order_that_is_printed_for_hosts_is_understood() -> None:
    """Word by word, through the commands of a command, as whoever copies it would have it."""
    found = PRINTED.findall(GUIDE.read_text(encoding="utf-8"))
    whole = [one.split() for one in found if len(one.split()) > 1]
    assert {"serve", "worker", "admin", "backup", "restore", "copy-database"} == {words[0] for words in whole}
    for words in whole:
        command: Any = typer.main.get_command(app)
        while words and hasattr(command, "commands"):
            name = next(word for word in words if word in command.commands)
            before, words = words[: words.index(name)], words[words.index(name) + 1 :]
            known = {option for one in command.params for option in one.opts}
            assert {word for word in before if word.startswith("-")} <= known, (name, before)
            command = command.commands[name]
        command.make_context(command.name, list(words))


def test_what_the_containers_speak_of_is_there() -> None:
    """Services, volumes, files and settings that one part names another has; no service but the proxy is open to the net."""
    whole = composed()
    services, told = whole["services"], (FOLDER / "compose.yaml").read_text(encoding="utf-8")
    example = dict(
        line.split("=", 1) for line in (FOLDER / "env.example").read_text().splitlines() if line[:1] not in ("#", "")
    )
    assert set(re.findall(r"\$\{(\w+)", told)) == set(example)
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= set(services), name
        assert not service.get("ports") or name == "proxy", name
        for volume in service.get("volumes", ()):
            here = volume.split(":")[0]
            assert (FOLDER / here).is_file() if here.startswith(".") else here in whole["volumes"], volume
        if "build" in service:
            assert (FOLDER.parent / service["build"]["dockerfile"]).is_file()
            assert service["environment"]["PGPASSWORD"].startswith("${PGPASSWORD"), name
        for word in re.findall(r"@(\w+)/", str(service.get("command", ""))):
            assert word in services, "the database's name"
    caddy = (FOLDER / "Caddyfile").read_text(encoding="utf-8")
    upstream, port = re.findall(r"name (\w+)\s+port (\d+)", caddy)[0]
    assert upstream in services
    assert set(re.findall(r"\{\$(\w+)\}", caddy)) <= set(services["proxy"]["environment"])
    assert f"EXPOSE {port}" in (FOLDER / "Dockerfile").read_text()
    assert caddy.count("{") == caddy.count("}")


def test_the_extras_that_hosts_install_are_there() -> None:
    extras = set(tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())["project"]["optional-dependencies"])
    named = [
        extra
        for path in FOLDER.iterdir()
        for some in re.findall(r"(?:sutler|/clone)\[([\w,]+)\]|--extra (\w+)", path.read_text(encoding="utf-8"))
        for extra in "".join(some).split(",")
    ]
    assert named
    assert set(named) <= extras


def test_no_password_reaches_a_build() -> None:
    """`COPY . /src` takes what `.dockerignore` leaves; the manual tells to put passwords into deploy/.env."""
    left_out = (FOLDER.parent / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {"deploy/.env", ".venv"} <= set(left_out)
    stages = (FOLDER / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")
    assert "COPY . " not in stages[-1], "the last stage becomes the image"


def test_units_allow_as_many_files_as_the_house_has_lines() -> None:
    from sutler.web.serve import MAX_CONNECTIONS

    for name in ("sutler.service", "sutler-worker@.service"):
        (limit,) = re.findall(r"^LimitNOFILE=(\d+)$", (FOLDER / name).read_text(encoding="utf-8"), re.M)
        assert int(limit) > 2 * MAX_CONNECTIONS, name


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    """Every key and value, with a program that is there; a timer finds the service it starts."""
    names = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".service", ".timer"))
    assert {"sutler-backup.service", "sutler-backup.timer"} <= set(names)
    for name in names:
        text = (FOLDER / name).read_text(encoding="utf-8").replace("/opt/sutler/bin/sutler", "/bin/true")
        (tmp_path / name).write_text(text, encoding="utf-8")
    verify = ["systemd-analyze", "verify", "--recursive-errors=one", *(str(tmp_path / name) for name in names)]
    done = subprocess.run(verify, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path) not in done.stderr, done.stderr
    (when,) = re.findall(r"^OnCalendar=(.*)$", (FOLDER / "sutler-backup.timer").read_text(encoding="utf-8"), re.M)
    assert subprocess.run(["systemd-analyze", "calendar", when], capture_output=True).returncode == 0
