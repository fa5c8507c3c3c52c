"""A house below the root of its site: every address it names, every cookie and every redirect stays below its path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from sutler.web import serve
from sutler.web.accounts import mail_links
from sutler.web.accounts.mailer import SmtpServer
from sutler.web.app import create_app
from sutler.web.root_path import mount_below, parse_root_path
from sutler.web.routes.admin import KEY_NAME, hash_key

from .conftest import GUESTS, KEEPERS_WORD, PATIENCE, served
from .mailserver import MailServer
from .test_hosting import LINES, needs_nginx, proxied
from .test_rate_limits import TWO

ROOT = "/games"
SOURCES = Path(serve.__file__).parent
ADDRESS = re.compile(r"""(?:["'`]|url\(|(?:href|src|action)=)/(?=[\w?#$"'`{])""")
"""A text that begins with a slash: an address below the root of the site, whatever the house's own is."""
HARMLESS = re.compile(r"""(?:root\(\) ~ "|address ~ "|replace\(/[_+]/g, "|replace\("[_+]", ")/$""")
"""Behind the path of the house or its whole address, or a letter of base64."""


def written_by_hand(path: Path) -> Iterator[str]:
    """The lines of a template or script that name an address without asking where the house stands."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for found in ADDRESS.finditer(line):
            if not HARMLESS.search(line[: found.end()]):
                yield f"{path.name}:{number}: {line[max(0, found.start() - 30) : found.end() + 30]}"


def test_no_template_and_no_script_writes_an_address_by_hand() -> None:
    files = [one for kind in ("html", "js", "css", "webmanifest") for one in sorted(SOURCES.rglob(f"*.{kind}"))]
    files += [one for kind in ("html", "js", "css") for one in sorted((SOURCES.parent / "games").rglob(f"*.{kind}"))]
    assert len(files) > 60
    assert [line for path in files if "vendor" not in path.parts for line in written_by_hand(path)] == []


@pytest.mark.parametrize(
    "line",
    ['<a href="/lab">', "hx-post='/tables'", "fetch(`/me`)", "url(/static/a.png)", '"start_url": "/"', 'link="/me")'],
)
def test_an_address_written_by_hand_is_found(line: str, tmp_path: Path) -> None:
    file = tmp_path / "one.html"
    file.write_text(line)
    assert list(written_by_hand(file))


@pytest.mark.parametrize("path", ["games", "/a b", "/a//b", "/..", "/a?b", "https://x/"])
def test_what_is_no_path_is_told_in_words(path: str) -> None:
    with pytest.raises(ValueError, match="--root-path"):
        parse_root_path(path)


def test_a_path_may_end_with_a_slash_and_have_parts() -> None:
    assert [parse_root_path(one) for one in ("", "/", "/games/", "/a/b")] == ["", "", "/games", "/a/b"]


@pytest.fixture
def desk() -> Iterator[TestClient]:
    app = create_app("sqlite://", bot_pause=0.0, warm=False, hosts=("play.example",))
    mount_below(app, f"{ROOT}/")
    app.state.guests = GUESTS
    with TestClient(app, "https://play.example", follow_redirects=False) as one:
        yield one


def test_redirects_cookies_and_links_stay_below_the_path(desk: TestClient) -> None:
    lobby = desk.get(f"{ROOT}/")
    assert lobby.status_code == desk.get(ROOT).status_code == 200
    cookie = lobby.headers["set-cookie"]
    assert cookie.startswith("__Secure-sutler_browser="), "__Host- cookies may have no path"
    assert f"Path={ROOT}/;" in cookie
    opened = desk.post(f"{ROOT}/tables", data=TWO)
    seat = opened.headers["location"]
    assert (opened.status_code, seat.startswith(f"{ROOT}/seat/")) == (303, True)
    page = desk.get(seat).text
    watched = desk.get(desk.post(f"{ROOT}/tables", data=TWO | {"watch": "yes"}).headers["location"]).text
    assert set(re.findall(r'"(https?:[^"]*/watch/)', watched)) == {f"https://play.example{ROOT}/watch/"}
    (invited,) = set(re.findall(r"https://play.example[^\"]*/invited/\w+", page))
    assert invited.startswith(f"https://play.example{ROOT}/invited/")
    assert desk.get(invited).status_code == 200
    assert {
        one
        for one in re.findall(r'(?:href|src|action|hx-\w+)="(/[^"]*)"', lobby.text + page)
        if not one.startswith(f"{ROOT}/")
    } == set()
    chosen = desk.get(f"{ROOT}/language/de", headers={"referer": f"https://play.example{seat}"})
    assert chosen.headers["location"] == seat
    assert (
        desk.get(f"{ROOT}/language/en", headers={"referer": "https://play.example/other"}).headers["location"]
        != "/other"
    )
    lost = desk.get(f"{ROOT}/nowhere").text
    assert f'href="{ROOT}/"' in lost
    known = desk.get(f"{ROOT}/me").text
    assert TWO["name_0"] in known or seat in known, "the cookie is sent and understood"


def test_what_is_asked_for_elsewhere_is_not_the_houses(desk: TestClient) -> None:
    for path in ("/", "/tables", "/gamesome/", "/static/house.js"):
        answer = desk.get(path)
        assert (answer.status_code, f"under {ROOT}/" in answer.text) == (404, True), path
    assert desk.get("/healthz").status_code == desk.get(f"{ROOT}/healthz").status_code == 200


def test_the_keepers_cookie_is_for_the_keepers_page_only(desk: TestClient) -> None:
    desk.app.state.house.store.set_value(KEY_NAME, hash_key(KEEPERS_WORD))  # type: ignore[attr-defined]
    came = desk.post(f"{ROOT}/admin", data={"word": KEEPERS_WORD})
    assert came.headers["location"] == f"{ROOT}/admin"
    assert f"Path={ROOT}/admin" in came.headers["set-cookie"]
    assert desk.get(f"{ROOT}/admin").status_code == 200


def test_a_link_by_mail_leads_below_the_path(desk: TestClient) -> None:
    desk.get(f"{ROOT}/")
    with MailServer() as server:
        post = SmtpServer("127.0.0.1", server.port, False, "sutler@play.example")
        desk.app.state.postman = mail_links.LinkMailer(post)  # type: ignore[attr-defined]
        desk.post(f"{ROOT}/me/mail", data={"address": "agnes@mail.example"})
        (link,) = re.findall(r"https://\S+", server.next().get_content())
    assert link.startswith(f"https://play.example{ROOT}/me/mail/")
    assert desk.get(link).status_code == 200


def test_files_for_installed_pages_and_the_worker_for_messages_know_no_path(desk: TestClient) -> None:
    """They take it from their own address, so one file serves every house."""
    told = json.loads(desk.get(f"{ROOT}/static/manifest.webmanifest").text)
    assert (told["start_url"], told["scope"], told["icons"][0]["src"]) == ("../", "../", "favicon.svg")
    assert "registration.scope" in desk.get(f"{ROOT}/bell-worker.js").text


@needs_nginx
@pytest.mark.browser
def test_the_whole_house_is_walked_through_nginx_below_a_path(chromium: Any, tmp_path: Path) -> None:
    """Lobby, new table, invitation, move, words, lab, own page, the keeper's page: nothing is asked for above the path."""
    server = served(f"sqlite:///{tmp_path / 'tables.sqlite'}", root_path=ROOT)
    lines = LINES.replace("location / {", f"location {ROOT}/ {{")
    with server as address, proxied(tmp_path, int(address.rpartition(":")[2]), lines) as walked:
        server.app.state.house.store.set_value(KEY_NAME, hash_key(KEEPERS_WORD))
        base = f"https://127.0.0.1:{walked.proxy}{ROOT}"
        asked: list[tuple[str, int]] = []
        people = [chromium.new_context(ignore_https_errors=True, reduced_motion="reduce") for _ in range(2)]
        for person in people:
            person.set_default_timeout(PATIENCE)
            person.on("response", lambda one: asked.append((urlsplit(one.url).path, one.status)))
        agnes, perrin = (person.new_page() for person in people)
        troubles: list[str] = []
        for page in (agnes, perrin):
            page.on("pageerror", lambda error: troubles.append(str(error)))
        agnes.goto(base)
        agnes.wait_for_selector("html[data-drawn=yes]", state="attached")
        agnes.click("[data-theme-toggle]")
        cookies = {one["name"]: one["path"] for one in people[0].cookies()}
        assert set(cookies.values()) == {f"{ROOT}/"}, cookies
        agnes.goto(f"{base}/?game=manor")
        opened = agnes.request.post(f"{base}/tables", form=TWO, max_redirects=0)
        agnes.goto(f"https://127.0.0.1:{walked.proxy}{opened.headers['location']}")
        agnes.wait_for_selector("body[data-live=yes]")
        perrin.goto(agnes.locator("[id^=invite-]").first.input_value())
        perrin.locator("main button.commit, form button.commit").first.click()
        perrin.wait_for_url(f"{base}/seat/*")
        perrin.wait_for_selector("body[data-live=yes]")
        agnes.wait_for_selector("#waiting", state="detached")
        mover = next(page for page in (agnes, perrin) if page.locator("[data-action]").count())
        before = mover.locator("#table").get_attribute("data-decision")
        mover.locator("[data-action]").first.evaluate("one => one.click()")
        mover.wait_for_function("n => document.getElementById('table').dataset.decision !== n", arg=before)
        other = agnes if mover is perrin else perrin
        other.wait_for_function("n => document.getElementById('table').dataset.decision !== n", arg=before)
        for path in (
            "/",
            "/learn/manor",
            "/lab?game=manor",
            "/lab/box/manor",
            "/me",
            "/print/manor?paper=a4",
            "/admin",
        ):
            assert agnes.goto(base + path).status in (200, 403), path
            for link in agnes.eval_on_selector_all(
                "a[href], form[action]", "all => all.map(one => one.href || one.action)"
            ):
                assert urlsplit(link).path.startswith(f"{ROOT}/") or not link.startswith(base[: -len(ROOT)]), (
                    path,
                    link,
                )
        agnes.fill("input[name=word]", KEEPERS_WORD)
        agnes.keyboard.press("Enter")
        agnes.wait_for_selector("text=medieval manor >> nth=0")
        assert agnes.url == f"{base}/admin"
        for person in people:
            person.close()
    assert troubles == []
    assert [one for one in asked if not one[0].startswith(f"{ROOT}/")] == [(ROOT, 301)], "nginx adds the slash"
    assert {status for _, status in asked} <= {200, 204, 301, 303, 304, 403}, sorted(asked, key=lambda one: -one[1])[:5]
