"""Games that are soon over, one of each title, all seats at this screen: for what is played to its end in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHOICE = "#choices .choice[data-action]"
ASKED = f"{CHOICE}, #choices [data-eyes], #reckoning"
POSITIONS = Path(__file__).parent.parent / "games"
LAST_YEARS = POSITIONS / "bellum" / "last_years.toml"
"""Bellum from 1644 on: two rounds to the peace."""
STAKES_TIED = POSITIONS / "threeyears" / "stakes_tied.toml"
"""Three Years of War, four seats before a draft: six stakes under four claims."""
FORMS: dict[str, dict[str, str]] = {
    "manor": {"seat_0": "me", "seat_1": "me", "option_victory": "5"},
    "bellum": {f"seat_{i}": "me" for i in range(4)},
    "threeyears": {"seat_0": "me", "seat_1": "me", "option_years": "1"},
    "warfarm": {**{f"seat_{i}": "me" for i in range(3)}, "option_first_seat": "0", "option_max_rounds": "2"},
    "sixwinters": {"seat_0": "me", "option_sessions": "1"},
}
WISHES = {
    "sixwinters": (
        *("put ", "overcome ", "serve ", "raise ", "take staged", "add ", "roll", "cancel ", "create with"),
        *("take ", "again", "ready", "done, saving 2", "done, saving 1", "done, saving 0", "go on"),
    ),
    "manor": ("keep", "on ", "place", "convert", "use", "take in", "feed", "pay", "discard", "give up"),
}
"""What is done rather than anything else, so that the game goes on; otherwise luck decides."""


def open_short(page: Any, game: str, position: Path | None = None, **more: str) -> None:
    """A table of a short game, or of a `position` in a file, drawn and listening."""
    form: dict[str, Any] = {"game": game, "name_0": "Agnes", **FORMS[game], **more}
    if position or game == "bellum":
        written = (position or LAST_YEARS).read_bytes()
        form["position"] = {"name": "war.toml", "mimeType": "application/toml", "buffer": written}
    answer = page.request.post("/tables", multipart=form, max_redirects=0, timeout=120_000)
    assert answer.status == 303, answer.text()
    page.goto(answer.headers["location"])
    drawn(page)


def drawn(page: Any) -> None:
    page.wait_for_selector("html[data-drawn=yes]")
    page.wait_for_selector("body[data-ready=yes]")


def decision(page: Any) -> str:
    return str(page.get_attribute("#table", "data-decision"))


def is_over(page: Any) -> bool:
    """Waits until something is asked, or the game is over."""
    page.wait_for_selector(ASKED, state="attached")
    return bool(page.locator("#reckoning").count())


def wait_for_another(page: Any, before: str) -> None:
    page.wait_for_function(
        "before => document.getElementById('table').dataset.decision !== before || document.querySelector('#reckoning')",
        arg=before,
    )


def offered(page: Any) -> list[dict[str, str]]:
    """What may be done: id, action, key and place of each choice."""
    found: list[dict[str, str]] = page.eval_on_selector_all(
        CHOICE,
        "all => all.map(one => ({id: one.id, action: one.dataset.action, key: one.dataset.number, at: one.dataset.for ?? ''}))",
    )
    return found


def wanted(game: str, choices: list[dict[str, str]], luck: Any) -> dict[str, str]:
    """The most wished-for choice, or any."""
    for wish in WISHES.get(game, ()):
        for one in choices:
            if one["action"].startswith(wish):
                return one
    chosen: dict[str, str] = luck.choice(choices)
    return chosen


def decisions(page: Any, most: int) -> Iterator[int]:
    """So many times, until the game is over: a decision lies open, and whoever takes the screen over has looked."""
    for number in range(most):
        if is_over(page):
            return
        if page.locator("#choices [data-eyes]").count():
            page.click("#choices [data-eyes]")
            page.wait_for_selector("#choices [data-eyes]", state="detached")
        else:
            yield number
