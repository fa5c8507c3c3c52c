"""Every page of the house, and every phase of a short game of each title: for what must hold everywhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from .conftest import KEEPERS_WORD
from .short import FORMS, decision, drawn, is_over, offered, open_short, wait_for_another, wanted

PAGES = ["/", "/me", "/lab", "/seat/nonsense", "/admin"]
PAGES += [f"{one}{game}" for game in FORMS for one in ("/?game=", "/learn/", "/puzzles/", "/lab?game=", "/lab/box/")]


AT_REST = """async () => {
  const moves = (one) => one.playState === "running" && one.effect.getComputedTiming().endTime < Infinity;
  for (const end = performance.now() + 5000; performance.now() < end && document.getAnimations().some(moves); )
    await new Promise((later) => setTimeout(later, 20));
}"""
"""What moves has come to its place. What waits to be scrolled to, never ends or is held up for good is not waited for."""


def pages(page: Any) -> Iterator[str]:
    """The house's pages one after another; the last is what whoever keeps it sees."""
    for address in PAGES:
        page.goto(address)
        page.wait_for_selector("html[data-drawn=yes]")
        yield address
        if address == "/admin":
            page.fill("[name=word]", KEEPERS_WORD)
            page.keyboard.press("Enter")
            page.wait_for_selector("[name=who]", state="attached")
            page.wait_for_selector("html[data-drawn=yes]")
            yield "/admin, come in"


ALIKE = """() => {
  const grounds = new WeakMap(), times = new Map(), plain = 'rgba(0, 0, 0, 0),none,1,none,normal';
  const ground = (one) => {
    if (!one) return '';
    if (grounds.has(one)) return grounds.get(one);
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(one);
    const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join();
    grounds.set(one, ground(one.parentElement) + (own === plain ? '' : `|${own}`));
    return grounds.get(one);
  };
  for (const one of document.querySelectorAll('[data-alike]')) delete one.dataset.alike;
  for (const one of document.querySelectorAll('body *')) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textShadow, position } = getComputedStyle(one);
    const spared = one.closest(':disabled, [aria-disabled=true], [inert], label') !== null;
    const look = [color, fontSize, fontWeight, textShadow, position, spared, ground(one)].join('~'), n = (times.get(look) ?? 0) + 1;
    times.set(look, n);
    if (n > 3) one.dataset.alike = '';
  }
}"""
"""Of words in one colour, size and weight on one ground three are left unmarked: axe reads the colours of those alone. Two thirds of
its time went into the thousandth cell of a table. What lies over another thing is told from the pixels (contrast.py)."""
SPARING = ";axe.configure({ rules: [{ id: 'color-contrast', selector: '*:not([data-alike])' }] });"


def barred(page: Any, name: str, *rules: str, but: tuple[str, ...] = (), within: str | None = None) -> list[str]:
    """What axe finds serious or critical on the page or `within` a part of it, by all its rules, by these, or by all but some.

    It writes out what it finds at fault and nothing else: to name every spot where all is well takes twice as long as to look.
    """
    from axe_playwright_python.base import AXE_SCRIPT
    from axe_playwright_python.sync_playwright import Axe

    options: dict[str, Any] = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    options["rules"] = {one: {"enabled": False} for one in but}
    page.evaluate(AT_REST)
    page.evaluate(ALIKE)
    return [
        f"{name}: {one['id']} {[node['target'] for node in one['nodes']][:4]} {one['nodes'][0].get('failureSummary', '')[:240]}"
        for one in Axe(AXE_SCRIPT + SPARING).run(page, context=within, options=options).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def barred_in_either_theme(page: Any, name: str) -> list[str]:
    """By day all of it, and by candle what the colours decide: nothing else changes with them."""
    page.emulate_media(color_scheme="dark")
    found = barred(page, f"{name}, by candle", "color-contrast", "link-in-text-block")
    page.emulate_media(color_scheme="light")
    return found + barred(page, name)


def waiting_room(page: Any) -> None:
    form = {"game": "manor", "seat_0": "me", "seat_1": "link", "waits": "yes"}
    page.goto(page.request.post("/tables", form=form, max_redirects=0).headers["location"])
    drawn(page)


def phases(page: Any, game: str, most: int = 400) -> Iterator[str]:
    """A short game, stopped at the first decision of each kind and at its end."""
    open_short(page, game)
    luck, seen = random.Random(3), set[str]()
    for _ in range(most):
        over = is_over(page)
        kind = "end" if over else "curtain" if page.locator("#choices [data-eyes]").count() else kind_of(page)
        if kind not in seen:
            seen.add(kind)
            page.evaluate(AT_REST)
            yield f"{game}: {kind}"
        if over:
            return
        if kind == "curtain":
            page.eval_on_selector("#choices [data-eyes]", "one => one.click()")
            page.wait_for_selector("#choices [data-eyes]", state="detached")
            continue
        before, one = decision(page), wanted(game, offered(page), luck)
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)


def kind_of(page: Any) -> str:
    """What sort of decision it is: the words of the first action, without what it is about."""
    return " ".join(sorted({one["action"].split()[0] for one in offered(page)}))
