"""The manual for hosts, walked: nginx and Caddy with the lines of the page in front of the house as the systemd unit starts it."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from fastapi.testclient import TestClient

from sutler.web.app import create_app

from .conftest import actions, facts
from .test_rate_limits import TWO

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
UNIT = (ROOT / "deploy" / "sutler.service").read_text(encoding="utf-8")
NAME = "play.example"
(LINES,) = re.findall(r"```nginx\n(.*?)```", GUIDE, re.DOTALL)
PATIENCE_S = 120.0
NGINX = shutil.which("nginx") or next((path for path in ("/usr/sbin/nginx",) if os.path.exists(path)), None)
CADDY, CADDYFILE = shutil.which("caddy"), ROOT / "deploy" / "Caddyfile"
needs_caddy = pytest.mark.skipif(CADDY is None, reason="there is no Caddy here (Debian: apt install caddy)")
needs_nginx = pytest.mark.skipif(NGINX is None, reason="there is no nginx here (Debian: apt install nginx-light)")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def waits_for(port: int, process: subprocess.Popen[Any]) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        assert process.poll() is None, "it has ended"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise AssertionError("nobody answers")


def certificate(folder: Path) -> None:
    """A certificate for the house's name, which nobody else trusts."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))


def settings(folder: Path, port: int, house: int, lines: str) -> Path:
    """An nginx of the test's own, with TLS, whose one `location` is that of the page."""
    here = textwrap.dedent(lines).replace("127.0.0.1:8000", f"127.0.0.1:{house}").replace("/var/log/nginx", str(folder))
    user = "user root;" if os.geteuid() == 0 else ""
    file = folder / "nginx.conf"
    file.write_text(
        f"""{user}
        daemon off; pid {folder}/pid; error_log {folder}/error.log;
        events {{}}
        http {{
          access_log {folder}/access.log;
          client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
          uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
          server {{
            listen 127.0.0.1:{port} ssl; server_name {NAME};
            ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
            {here}
          }}
        }}"""
    )
    return file


def order_of_the_unit(port: int, folder: Path) -> list[str]:
    """What systemd starts, but for the port, and where the games are kept."""
    (started,) = re.findall(r"^ExecStart=\S+/sutler (.*)$", UNIT, re.M)
    words = started.replace("--port 8000", f"--port {port}").split()
    return [sys.executable, "-m", "sutler.cli", *words, "--database", f"sqlite:///{folder}/tables.sqlite"]


@dataclass
class Walked:
    """Where the house is reached: by the proxy, as anybody does, and on its own machine."""

    proxy: int
    house: int
    folder: Path

    def visitor(self, **headers: str) -> httpx.Client:
        """Somebody's browser, which says where its orders come from."""
        told = {"Host": f"{NAME}:{self.proxy}", "Origin": f"https://{NAME}:{self.proxy}", **headers}
        return httpx.Client(base_url=f"https://127.0.0.1:{self.proxy}", headers=told, verify=trusting(), timeout=60)


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@contextlib.contextmanager
def proxied(folder: Path, house: int, lines: str = LINES) -> Iterator[Walked]:
    certificate(folder)
    port = free_port()
    nginx = subprocess.Popen([str(NGINX), "-p", str(folder), "-c", str(settings(folder, port, house, lines))])
    try:
        waits_for(port, nginx)
        yield Walked(port, house, folder)
    finally:
        nginx.terminate()
        nginx.wait(30)


@contextlib.contextmanager
def caddy_in_front(folder: Path, house: int) -> Iterator[Walked]:
    """Caddy by the house's file, with a certificate of its own, in front of one process instead of those that compose names."""
    port = free_port()
    told, n = re.subn(
        r"dynamic a \{.*?\n\t\t\}", f"to 127.0.0.1:{house}", CADDYFILE.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    assert n == 1
    own = f"{{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tdefault_sni {NAME}\n\thttp_port {free_port()}\n\thttps_port {port}\n"
    (folder / "Caddyfile").write_text(told.replace("{\n\tgrace_period", f"{own}\tgrace_period", 1))
    there = {**os.environ, "SUTLER_NAME": NAME, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "caddy.log").open("w") as log:
        caddy = subprocess.Popen(
            [str(CADDY), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")], env=there, stderr=log
        )
        try:
            waits_for(port, caddy)
            waits_for_certificate(port)
            yield Walked(port, house, folder)
        finally:
            caddy.terminate()
            caddy.wait(30)


def waits_for_certificate(port: int) -> None:
    """Wait until Caddy has made the certificate that it makes when it starts."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with (
            contextlib.suppress(ssl.SSLError, OSError),
            socket.create_connection(("127.0.0.1", port), timeout=5) as line,
            trusting().wrap_socket(line, server_hostname=NAME),
        ):
            return
        time.sleep(0.1)
    raise AssertionError("no certificate")


def play_through(walked: Walked) -> None:
    """Open a table through the proxy, follow its invitation, play a move and hear of it."""
    with walked.visitor() as agnes, walked.visitor() as perrin:
        assert agnes.get("/").status_code == 200
        opened = agnes.post("/tables", data=TWO)
        assert opened.status_code == 303, opened.text
        assert "__Host-sutler_browser" in opened.headers["set-cookie"]
        page = agnes.get(opened.headers["location"])
        assert page.headers["strict-transport-security"]
        (link,) = set(re.findall(r"(\w+://[^\"]*/invited/[^\"]+)\"", page.text))
        assert link.startswith(f"https://{NAME}:{walked.proxy}/invited/"), link
        joined = perrin.post(link[link.index("/invited/") :], data={"name": "Perrin"})
        assert joined.status_code == 303, joined.text
        seats = {agnes: opened.headers["location"], perrin: joined.headers["location"]}
        who = next(one for one, seat in seats.items() if actions(one.get(seat).text))
        page = who.get(seats[who]).text
        decision, action = facts(page)["decision"], actions(page)[0]
        moved = who.post(f"{seats[who]}/play", data={"decision": decision, "action": action})
        assert moved.status_code == 200, moved.text
        with who.stream("GET", "/events", params={"at": seats[who]}) as news:
            assert "retry" in next(news.iter_text()), "news is passed on as it comes"


@pytest.fixture(scope="module")
def unit_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The house as its unit starts it; its port."""
    folder, port = tmp_path_factory.mktemp("unit"), free_port()
    (told,) = re.findall(r"FORWARDED_ALLOW_IPS=(\S+)", UNIT)
    there = {**os.environ, "FORWARDED_ALLOW_IPS": told, "XDG_DATA_HOME": str(folder), "SUTLER_PLAIN": "1"}
    with subprocess.Popen(order_of_the_unit(port, folder), env=there) as house:
        try:
            waits_for(port, house)
            yield port
        finally:
            house.terminate()
            house.wait(60)


@needs_nginx
def test_the_house_is_played_at_through_nginx_as_the_page_has_it(unit_house: int, tmp_path: Path) -> None:
    with proxied(tmp_path, unit_house) as walked:
        play_through(walked)
        assert not (tmp_path / "access.log").read_text(), "no secret link in a log"


@needs_nginx
def test_nginx_tells_no_link_of_a_request_that_failed(tmp_path: Path) -> None:
    """The house is not there: whoever reads the proxy's log of errors must not get anybody's seat by it."""
    with proxied(tmp_path, free_port()) as walked, walked.visitor() as agnes:
        assert agnes.get("/seat/secret").status_code == 502
    assert "secret" not in "".join(file.read_text() for file in tmp_path.glob("*.log"))


@needs_caddy
def test_the_house_is_played_at_through_caddy_by_its_file(unit_house: int, tmp_path: Path) -> None:
    with caddy_in_front(tmp_path, unit_house) as walked:
        play_through(walked)
    assert "/seat/" not in (tmp_path / "caddy.log").read_text()


@needs_caddy
def test_caddy_tells_no_link_of_a_request_that_failed(tmp_path: Path) -> None:
    with caddy_in_front(tmp_path, free_port()) as walked, walked.visitor() as agnes:
        told = agnes.post("/seat/secret/play", headers={"Referer": f"https://{NAME}/seat/secret"})
        assert told.status_code == 502
    log = (tmp_path / "caddy.log").read_text()
    assert "connection refused" in log, "the fault itself is told"
    assert "secret" not in log


@needs_nginx
def test_the_house_tells_programs_on_its_own_machine_how_it_is_and_nobody_else(unit_house: int, tmp_path: Path) -> None:
    here = f"http://127.0.0.1:{unit_house}"
    for path in ("/healthz", "/readyz", "/metrics"):
        assert httpx.get(here + path, timeout=60).status_code == 200, path
    # nginx and the visitor are on one machine here: the visitor's address is one that nginx says
    lines = LINES.replace("$remote_addr", "192.0.2.7")
    with proxied(tmp_path, unit_house, lines) as walked, walked.visitor(**{"X-Forwarded-For": "127.0.0.1"}) as stranger:
        assert stranger.get("/healthz").status_code == 200
        assert stranger.get("/metrics").status_code == 404


@needs_nginx
@pytest.mark.parametrize("left_out", ["proxy_set_header Host"])
def test_who_leaves_a_line_out_is_told_which(unit_house: int, tmp_path: Path, left_out: str) -> None:
    lines = "\n".join(line for line in LINES.splitlines() if left_out not in line)
    assert lines != LINES
    with proxied(tmp_path, unit_house, lines) as walked, walked.visitor() as one:
        told = one.get("/")
        assert told.status_code == 421
        assert "proxy_set_header Host $http_host;" in told.text
        assert NAME in told.text
        assert "127.0.0.1" in told.text


def test_an_order_that_seems_to_come_from_elsewhere_names_both_names(caplog: pytest.LogCaptureFixture) -> None:
    """As behind an nginx that passes its own name on; whoever keeps the house reads it in the log, once."""
    app = create_app("sqlite://", warm=False)
    one = TestClient(app)
    with caplog.at_level(logging.WARNING):
        told = [
            one.post("/tables", headers={"host": "127.0.0.1:8000", "origin": "https://play.example"}) for _ in range(3)
        ]
    assert {answer.status_code for answer in told} == {403}
    for words in ("play.example", "127.0.0.1:8000", "proxy_set_header Host $http_host;"):
        assert words in told[0].text
    assert caplog.text.count("play.example") == 1
    app.state.house.close()


def test_a_house_whose_database_is_gone_is_not_ready(tmp_path: Path) -> None:
    app = create_app(f"sqlite:///{tmp_path}/tables.sqlite", warm=False)
    one = TestClient(app, raise_server_exceptions=False)
    assert one.get("/readyz").json() == {"status": "ready"}
    app.state.house.store.close()
    for path in tmp_path.iterdir():
        path.unlink()
    tmp_path.rmdir()
    assert one.get("/readyz").status_code == 503
    assert one.get("/healthz").status_code == 200
    tmp_path.mkdir()
