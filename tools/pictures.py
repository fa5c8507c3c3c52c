"""Take the pictures of the documentation in a browser: each game's table, in the middle of a game between greedy bots.

    python tools/pictures.py [GAME …] [--theme day|candle] [--out docs/pictures]
    python tools/pictures.py [GAME …] --covers      the covers, for previews of invitations, into the games' folders

The same seeds give the same positions; fonts and shading depend on the installed Chromium. Needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sutler
from sutler.core.play.position import Position

ROOT = Path(__file__).resolve().parents[1]
WINDOW_WIDTH_PX, WINDOW_HEIGHT_PX = 1280, 800
NAMES = ("Agnes", "Perrin", "Osric", "Mildred", "Wat", "Isolde")


@dataclass(frozen=True)
class Moment:
    """A position to show: the first in the game of this seed, after at least `decisions`, in which seat 1 has at least `choices`."""

    seats: int
    seed: int
    decisions: int
    choices: int = 3


MOMENTS = {
    "bellum": Moment(seats=4, seed=5, decisions=60, choices=2),
    "manor": Moment(seats=3, seed=1, decisions=311, choices=5),
    "sixwinters": Moment(seats=2, seed=4, decisions=80, choices=4),
    "threeyears": Moment(seats=4, seed=2, decisions=60, choices=3),
    "warfarm": Moment(seats=3, seed=8, decisions=77),
}


def shown_position(name: str) -> Position:
    """The position that a game's picture shows, with the decisions that led to it."""
    moment = MOMENTS.get(name, Moment(seats=sutler.load(name).max_seats, seed=1, decisions=12, choices=2))
    return _played(name, moment)


def _played(name: str, moment: Moment) -> Position:
    """Play a game between greedy bots up to a moment, or, if it ends earlier, to its last position with enough choices."""
    pos = sutler.load(name).new(seats=moment.seats, seed=moment.seed, names=NAMES[: moment.seats])
    bot, latest = sutler.bot("greedy"), 0
    while not pos.over:
        decided = len(pos.decisions)
        if pos.seat == 0 and len(pos.legal_ids()) >= moment.choices:
            if decided >= moment.decisions:
                return pos
            latest = decided
        pos.play(bot.choose(pos.for_seat(pos.seat, decided)))
    if not latest:
        raise SystemExit(
            f"{name}: seat 1 never has {moment.choices} choices; choose another moment in {Path(__file__).name}"
        )
    print(f"{name}: the game is over before {moment.decisions} decisions; the picture shows decision {latest}")
    return _played(name, replace(moment, decisions=latest))


@contextmanager
def house() -> Iterator[tuple[Any, str]]:
    """Run a server for a `with` block; yields (its `House`, its address)."""
    import uvicorn

    from sutler.web.app import create_app

    app = create_app(warm=False, lab=False)
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    running = threading.Thread(target=server.run, kwargs={"sockets": [door]})
    running.start()
    try:
        yield app.state.house, f"http://127.0.0.1:{door.getsockname()[1]}"
    finally:
        server.should_exit = True
        running.join()


def table_of(keeper: Any, pos: Position) -> str:
    """Open a table with this position on the server; returns the path of seat 1's page. `keeper`: the server's `House`."""
    from sutler.web.events import Acted, Created, SeatPlan

    names = pos.game.action_names
    seats = tuple(SeatPlan(kind="file" if i else "me", name=NAMES[i]) for i in range(pos.n_seats))
    done = [Acted(decision=i, seat=one.seat, action=names[one.action].name) for i, one in enumerate(pos.decisions)]
    room = keeper.open_table_with_events(Created(game=pos.game.name, seed=pos.seed, seats=seats, nonce="picture"), done)
    return f"/seat/{room.make_seat_token(0)}"


COVER_AS_CARD = """name => {
  const cover = document.getElementById(`cover-${name}`);
  const card = document.createElement("main");
  card.style.cssText = `position:fixed;inset:0;z-index:9;display:grid;grid-template-columns:1.25fr 1fr;padding:26px;gap:0;
    background:var(--card);--wash:${cover.style.getPropertyValue("--wash")}`;
  const scene = cover.querySelector(".scene");
  scene.style.cssText = "inline-size:100%;block-size:100%;aspect-ratio:auto;border:2px solid var(--ink-2);background:var(--plate)";
  const words = document.createElement("div");
  words.style.cssText = `display:grid;align-content:center;justify-items:center;gap:26px;padding:36px;text-align:center;
    border:2px solid var(--ink-2);border-inline-start:0;background:color-mix(in oklab, var(--wash), var(--card) 55%)`;
  const head = document.createElement("h1");
  head.style.cssText = "font:400 72px/1.02 var(--old);text-wrap:balance;margin:0";
  head.textContent = cover.querySelector("h2").textContent;
  const kind = document.createElement("p");
  kind.style.cssText = "font-size:27px;font-weight:500;line-height:1.3;text-wrap:balance;margin:0";
  kind.textContent = `Sutler · ${cover.querySelector(".imprint dd").textContent} players`;
  words.append(head, kind);
  card.append(scene, words);
  const wrap = document.createElement("div");
  wrap.className = "cover";
  wrap.style.cssText = "all:unset";
  wrap.append(card);
  document.body.append(wrap);
}"""
"""JavaScript that lays the cover of the game `name` over the lobby, in the shape of a preview card."""


def take_covers(page: Any, address: str, games: Sequence[str]) -> None:
    """Save a picture of the cover of each game in its folder."""
    from sutler.core.play.registry import find_game_folder
    from sutler.web.view.jinja_templates import COVER_HEIGHT_PX, COVER_PICTURE, COVER_WIDTH_PX

    page.set_viewport_size({"width": COVER_WIDTH_PX, "height": COVER_HEIGHT_PX})
    for name in games:
        page.goto(address)
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
        page.evaluate(COVER_AS_CARD, name)
        page.evaluate("document.fonts.ready")
        path = find_game_folder(name) / COVER_PICTURE
        page.screenshot(path=path, type="jpeg", quality=70)
        print(path)


def main() -> int:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", default=sutler.games())
    parser.add_argument("--theme", choices=["day", "candle"], default="day")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--covers", action="store_true", help="the covers, for previews of invitations")
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    path = os.environ.get("SUTLER_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with house() as (keeper, address), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(
            viewport={"width": WINDOW_WIDTH_PX, "height": WINDOW_HEIGHT_PX},
            color_scheme="light" if asked.theme == "day" else "dark",
            reduced_motion="reduce",
        )
        if asked.covers:
            take_covers(page, address, asked.games)
        for name in () if asked.covers else asked.games:
            page.goto(address + table_of(keeper, shown_position(name)))
            page.wait_for_selector("html[data-drawn=yes]")
            page.evaluate("document.fonts.ready")
            page.screenshot(path=asked.out / f"{name}.jpg", type="jpeg", quality=72)
            print(asked.out / f"{name}.jpg")
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
