"""A walk over a first game of each title with a mouse that rests where it has clicked; what a decision needs is looked for at each.

On a desk and on two phones, with the coach: whatever declines, ends or seals is in reach; something is lit or stands as a button;
what is lit is what a click acts on; nothing lies over it; the board stays where it is; what is advised can be read in both themes.
Playback runs on under the resting mouse.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from .everywhere import barred, kind_of
from .short import FORMS, decision, drawn, offered, open_short, wait_for_another, wanted

pytestmark = pytest.mark.browser

SIZES = {"desk": (1440, 900), "phone": (390, 844), "small phone": (360, 740)}
DECISIONS = 24
BOARD = {"sixwinters": ".nine"}
"""What is looked for where it lies, if not the whole plate: here another page is laid in its place, and what counts is where it comes
back to."""
TOP = """(board) => {
  const box = document.querySelector(board)?.getBoundingClientRect();
  return box?.height ? Math.round(box.top) : null;
}"""
HURRY = """const later = setTimeout; window.setTimeout = (job, ms = 0, ...more) => later(job, ms > 300 ? ms / 20 : ms, ...more);"""
"""What a page waits for before it goes on is over twenty times as soon."""

COACH = """const asked = fetch; window.fetch = (address, ...more) => {
  if (!String(address).includes('/hint?')) return asked(address, ...more);
  const one = document.querySelector('#choices .choice.commit[data-action]') ?? document.querySelector('#choices .choice[data-action]');
  const told = document.createElement('h3');
  told.dataset.advised = one.dataset.action;
  told.textContent = `Best now: ${one.textContent}`;
  return Promise.resolve(new Response(`${told.outerHTML}<p>Why: it feeds both peasants tonight.</p>`));
};"""
"""The coach always advises what ends or seals, where it is offered, and thinks no time over it."""
ASKED = """() => document.getElementById('follow').hidden
  && document.querySelector('#reckoning, #choices [data-action], #choices [data-eyes]')"""
LOOK = """() => {
  const told = [], LIT = '.legal, .lit, .may-go, .next, .pickable, .choice, .pointer, .set';
  const isHit = (one, x, y) => document.elementFromPoint(x, y)?.closest('*') && one.contains(document.elementFromPoint(x, y));
  const spans = ({ left, right }) => [left + 3, (left + right) / 2, right - 3];
  const inReach = (one) => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && spans(box).every((x) => isHit(one, x, (box.top + box.bottom) / 2));
  };
  const name = (one) => one.getAttribute('aria-label') || one.textContent.trim().replace(/\\s+/g, ' ');
  const called = (one) => `${one.tagName}.${one.getAttribute('class') ?? ''}`;
  const button = (one) => one.closest('details:not([open])')?.querySelector('summary') ?? one;
  const all = [...document.querySelectorAll('#choices .choice[data-action]')];
  const spots = [...document.querySelectorAll('#table [data-at], #seats [data-at]')];
  const aims = new Set(all.map((one) => one.dataset.for).filter(Boolean));
  const acting = spots.filter((one) => aims.has(one.dataset.at)), acts = new Set(acting);
  for (const one of all) {
    const seals = one.matches('.quiet, .commit') && !one.dataset.for && !one.dataset.about;
    if (seals && !inReach(button(one))) told.push(`out of reach: ${name(button(one))}`);
  }
  const anything = acting.some((one) => one.getBoundingClientRect().width > 0) || all.some((one) => inReach(button(one)));
  if (!anything) told.push(`nothing lit or shown: ${all.map(name).slice(0, 5)}`);
  const shining = new Set(acting.filter((one) => one.closest(LIT)).map((one) => one.dataset.at));
  for (const one of acting) if (!shining.has(one.dataset.at)) told.push(`acts and is not lit: ${one.dataset.at} ${called(one)}`);
  for (const one of spots) {
    const look = acts.has(one) ? null : one.closest('.legal, .lit, .may-go');
    if (look && !look.matches('.seat') && !acting.some((other) => look.contains(other))) told.push(`lit and does not act: ${name(one)}`);
  }
  const isShown = (one, x, y) => {
    for (let up = one.parentElement; up; up = up.parentElement) {
      const box = up.getBoundingClientRect(), cuts = getComputedStyle(up).overflow !== 'visible';
      if (cuts && (x < box.left || x > box.right || y < box.top || y > box.bottom)) return false;
    }
    return x > 0 && y > 0 && x < innerWidth && y < innerHeight;
  };
  for (const one of acting) {
    const box = one.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    if (!box.width || getComputedStyle(one).pointerEvents === 'none' || !isShown(one, x, y)) continue;
    const hit = document.elementFromPoint(x, y);
    if (hit && !one.contains(hit) && !hit.closest('[data-at], .lens')) told.push(`${one.dataset.at} lies under ${called(hit)}`);
  }
  const slip = document.getElementById('slip');
  if (!slip.hidden) told.push(`a slip is open: ${slip.textContent.trim().slice(0, 60)}`);
  return told;
}"""
"""What is wrong with the decision on the screen: which ending choice is out of reach, what is lit and shut, or open and dark, what lies
over what is asked. A map that pans may lie under its own lens."""
POINT = """([id, at]) => {
  for (const one of [document.getElementById(id), ...document.querySelectorAll(`#table [data-at="${CSS.escape(at)}"]`)]) {
    const box = one?.getBoundingClientRect(), x = box?.x + box?.width / 2, y = box?.y + box?.height / 2;
    if (box?.width && one.contains(document.elementFromPoint(x, y))) return [x, y];
  }
  return null;
}"""
"""Where a choice can be clicked: its button, else its spot."""


def click(page: Any, chosen: dict[str, str]) -> bool:
    """Clicks a choice with the mouse, which then rests there; False: by its button out of sight, since neither it nor a spot is seen."""
    at = page.evaluate(POINT, [chosen["id"], chosen["at"]])
    if not at:
        page.eval_on_selector(f"#{chosen['id']}", "one => one.click()")
        return False
    fitting = [one["id"] for one in offered(page) if one["at"] == chosen["at"]]
    page.mouse.click(*at)
    if chosen["at"] and len(fitting) > 1:
        row = page.locator("#slip .menu .choice").nth(fitting.index(chosen["id"]))
        if row.is_visible():
            row.click()
    if (seal := page.locator("#choices [data-seal]")).count():
        seal.click()
    return True


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", FORMS)
def test_at_every_decision(visit: Callable[..., Any], game: str) -> None:
    page = visit(width=1440, height=900, pace="normal", calm=True)
    page.set_default_timeout(60_000)
    page.add_init_script(HURRY + COACH)
    open_short(page, game, coach="yes", **({"seat_1": "easy", "seat_2": "easy"} if game == "manor" else {}))
    luck, found, unclicked, kinds = random.Random(5), list[str](), 0, set[str]()
    tops: dict[str, set[int]] = {}
    for number in range(DECISIONS):
        page.wait_for_function(ASKED)
        if page.locator("#choices [data-eyes]").count():
            page.click("#choices [data-eyes]")
            page.wait_for_selector("#choices [data-eyes]", state="detached")
        if page.locator("#reckoning").count():
            break
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{game} {number} {size}: {one}" for one in page.evaluate(LOOK)]
            top = page.evaluate(TOP, BOARD.get(game, "#plate"))
            tops.setdefault(size, set()).update(() if top is None else (top,))
        page.set_viewport_size({"width": 1440, "height": 900})
        if kind_of(page) not in kinds:
            kinds.add(kind_of(page))
            page.wait_for_selector("#choices .advised", state="attached")
            for theme in ("dark", "light"):
                page.emulate_media(color_scheme=theme)
                found += barred(page, f"{game} {number}, {theme}", "color-contrast", within="#prompt")
        before, one = decision(page), wanted(game, offered(page), luck) if number % 3 else luck.choice(offered(page))
        unclicked += not click(page, one)
        wait_for_another(page, before)
    assert unclicked <= DECISIONS / 4
    assert all(len(one) == 1 for one in tops.values()), f"the board moves: {tops}"
    assert found == [], "\n".join(found)


def test_playback_runs_on_under_a_resting_mouse(visit: Callable[..., Any]) -> None:
    """What others did is told where one has just clicked: it waited there for ever, as if the game hung."""
    page, rested = visit(width=1440, height=900, pace="normal", calm=True), 0
    page.set_default_timeout(60_000)
    page.add_init_script(HURRY)
    form = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "easy", "seat_2": "easy"}
    page.goto(page.request.post("/tables", form=form, max_redirects=0).headers["location"])
    drawn(page)
    for _ in range(12):
        page.wait_for_function(ASKED)
        before = decision(page)
        seen = (page.evaluate(POINT, [one["id"], one["at"]]) for one in reversed(offered(page)))
        page.mouse.click(*next(at for at in seen if at))  # it stays there
        wait_for_another(page, before)
        page.wait_for_timeout(100)
        rested += page.evaluate("document.getElementById('follow').matches(':hover')")
        if rested > 1:
            break
    page.wait_for_function(ASKED)
    assert rested > 1, "it was told where the mouse lay"


SHUT = """() => {
  const aims = new Set([...document.querySelectorAll('#choices .choice[data-action]')].map((one) => one.dataset.for).filter(Boolean));
  const kinds = new Map();
  for (const one of document.querySelectorAll('#table [data-at], #table [data-explain], #seats [data-at], #seats [data-explain]')) {
    if (one.closest('#prompt') || one.closest('[data-at]')?.dataset.at && aims.has(one.closest('[data-at]').dataset.at)) continue;
    if (one.matches('button:not([data-at])')) continue;
    const box = one.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    const hit = box.width > 8 && x > 0 && y > 0 && x < innerWidth && y < innerHeight ? document.elementFromPoint(x, y) : null;
    if (!hit || hit.closest('[data-at], [data-explain]') !== one) continue;
    const kind = (one.dataset.at ?? `about ${one.dataset.explain}`).split(':')[0] + ' ' + (one.getAttribute('class') ?? '').split(' ')[0];
    if (!kinds.has(kind)) kinds.set(kind, [kind, x, y]);
  }
  return [...kinds.values()];
}"""
"""One of each kind of thing in sight that nothing can be done with: what it is, and where."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("size", ["desk", "phone"])
@pytest.mark.parametrize("game", FORMS)
def test_a_click_on_what_is_not_lit_explains_it(visit: Callable[..., Any], game: str, size: str) -> None:
    """It never acts, and never just does nothing: it says what stands in the way, or what it is."""
    width, height = SIZES[size]
    touch = {"has_touch": True, "is_mobile": True} if size == "phone" else {}
    page, luck, silent, tried = (
        visit(width=width, height=height, calm=True, **touch),
        random.Random(2),
        list[str](),
        set[str](),
    )
    page.set_default_timeout(60_000)
    page.add_init_script(HURRY)
    open_short(page, game)
    for _ in range(6):
        page.wait_for_function(ASKED)
        if page.locator("#choices [data-eyes]").count():
            page.click("#choices [data-eyes]")
            page.wait_for_selector("#choices [data-eyes]", state="detached")
        before = decision(page)
        for kind, x, y in page.evaluate(SHUT):
            if kind in tried:
                continue
            tried.add(kind)
            page.touchscreen.tap(x, y) if touch else page.mouse.click(x, y)
            try:
                page.wait_for_function(
                    "() => !document.getElementById('slip').hidden && document.getElementById('slip').innerText.trim()",
                    timeout=20_000,
                )
            except Exception:
                silent.append(f"{game}, {size}: {kind}")
            assert decision(page) == before, f"{kind} acted"
            page.keyboard.press("Escape")
            page.mouse.move(2, 2)
        one = wanted(game, offered(page), luck)
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)
    assert len(tried) > 1
    assert silent == [], silent
