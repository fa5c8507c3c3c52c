"""One walk over every page of the house and a short game of each title, on which all is measured that must hold everywhere.

AA: what axe leaves undecided, words on pictures, washes and hatching, is read off the pixels in both themes. On a phone whatever is
touched is 44 px high and wide, links in running text aside, and shown whole or not at all. Nothing is wider than the screen, and axe
finds nothing serious. The desk reads English, the phone German, whose words are longer; test_browser.py looks at a phone in English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .contrast import too_faint
from .everywhere import barred, pages, phases, waiting_room
from .short import FORMS

pytestmark = pytest.mark.browser

COLOURS = "color-contrast"
SHADES = tuple(f"{page}{game}" for game in list(FORMS)[1:] for page in ("/lab?game=", "/lab/box/"))
"""Pages of the lab wear no colours of a game: whether what lies below the screen is faint is looked at on the first game's."""
KINDS, BARRED = 4, 8
"""Decisions of each title whose words are measured, and of the Manor those axe looks at: the first of so many kinds. For thumbs a
game is walked to its end."""
DESK: dict[str, Any] = {"width": 1440, "height": 900}
PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True, "locale": "de-DE"}

SMALL = """() => [...document.querySelectorAll('a[href], button, summary, input:not([type=hidden]), select, [role=tab]')]
  .filter((one) => {
    if (one.disabled || one.closest('[inert], [hidden], dialog:not([open]), .sr, .skip') || one.matches('.para')) return false;
    const style = getComputedStyle(one), box = one.getBoundingClientRect(), laid = getComputedStyle(one, '::after');
    if (!one.checkVisibility({ visibilityProperty: true }) || style.display === 'inline' || style.pointerEvents === 'none') return false;
    if (!box.width || style.clipPath === 'inset(50%)') return false;
    const around = one.closest('label')?.getBoundingClientRect() ?? box;
    const wide = Math.max(box.width, around.width, parseFloat(laid.width) || 0);
    const high = Math.max(box.height, around.height, parseFloat(laid.height) || 0);
    return wide < 43.5 || high < 43.5;
  }).map((one) => {
    const { width, height } = one.getBoundingClientRect();
    return `small: ${one.tagName} ${one.id} ${one.className} ${Math.round(width)}x${Math.round(height)}`;
  })"""
"""What is smaller, with its size. An area around it counts: a label, or one that is laid over it. What takes no touch, and what
only a keyboard comes to, does not."""
WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter(one => one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).visibility !== 'hidden')
  .filter(one => !one.closest('.hand, .row, .covers')).slice(0, 5).map(one => one.outerHTML.slice(0, 160))"""
"""What makes the page wider than the screen."""
CUT_THROUGH = """() => {
  const all = document.querySelector('#choices')?.getBoundingClientRect();
  return [...document.querySelectorAll('#choices .choice')].filter((one) => {
    if (getComputedStyle(one).clipPath !== 'none') return false; // it stands on the map, and here for readers only
    const { top, bottom, height } = one.getBoundingClientRect();
    const box = one.closest('.offered')?.getBoundingClientRect() ?? all;
    const shown = Math.min(bottom, box.bottom, all.bottom) - Math.max(top, box.top, all.top);
    if (!height || shown <= 1) return one.closest('.pinned') && height && shown < height - 1;
    return shown < height * (one.closest('.pinned') ? 0.97 : 0.25);
  }).concat([...document.querySelectorAll('.advisor')].filter((one) => one.scrollHeight > one.clientHeight + 1))
    .map((one) => `cut through: ${one.textContent}`);
}"""
"""Choices of which the screen shows a sliver (half a row says that there is more), what declines or seals if it is not whole, and cards
of the hand whose foot does not fit."""


def walk(page: Any, part: str) -> Iterator[str]:
    """The house, with a room in which one waits, or a game."""
    if part != "house":
        yield from phases(page, part)
        return
    yield from pages(page)
    waiting_room(page)
    yield "waiting room"


def shape_of(page: Any, name: str, form: dict[str, Any]) -> list[str]:
    """What is wider than the screen; on a phone what is too small for a thumb or cut through."""
    scripts = (WIDE, SMALL, CUT_THROUGH) if form is PHONE else (WIDE,)
    return [f"{name}: {one}" for script in scripts for one in page.evaluate(script)]


def is_translated(page: Any, name: str) -> bool:
    """Is it told in the reader's language? The lab and the keeper's pages are English for everybody; said rightly either way."""
    translated = not name.startswith(("/lab", "/admin"))
    reader = page.evaluate("() => navigator.language.slice(0, 2)")
    assert page.get_attribute("html", "lang") == (reader if translated else "en"), name
    return translated


@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", ["house", *FORMS])
@pytest.mark.parametrize("form", [DESK, PHONE], ids=["desk", "phone"])
def test_what_must_hold_everywhere(visit: Callable[..., Any], chromium: Any, form: dict[str, Any], part: str) -> None:
    page, desk = visit(calm=True, **form), chromium.new_page()
    themes = ("light", "dark") if form is PHONE else ("dark", "light")  # axe looks by the second
    measured, found = 0, list[str]()
    for number, name in enumerate(walk(page, part)):
        found += shape_of(page, name, form)
        for theme in themes if part == "house" or number < KINDS else ():
            page.emulate_media(color_scheme=theme)
            n, faint = too_faint(page, desk, f"{name}, {theme}")
            measured, found = measured + n, found + faint
        if part == "house" or (part == "manor" and number < BARRED):
            seen_before = (COLOURS,) if name in SHADES else ()
            found += barred(page, name, but=seen_before) if is_translated(page, name) or form is DESK else []
        elif number >= KINDS and form is DESK:
            break
    desk.close()
    assert measured > 100
    assert found == [], "\n".join(found)


def test_a_faint_word_and_a_small_button_without_a_name_are_found(visit: Callable[..., Any], chromium: Any) -> None:
    """The measures themselves: grey on white of 2.3 is told, 4.8 is not, whatever the background is made of; in either theme."""
    page, desk = visit(), chromium.new_page()
    line = "<p style='font: 16px sans-serif; color: {}; background: linear-gradient(#fff, #fff)'>A word to be read</p>"
    by_candle = "<style>@media (prefers-color-scheme: dark) { p { color: #ccc !important; } }</style>"
    page.set_content("<body id='b'>" + line.format("#aaa") + line.format("#717171") + by_candle)
    told = {}
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        n, bad = too_faint(page, desk, "two lines")
        assert n == 2
        told[theme] = [one.split(":")[1].split(" <")[0].strip() for one in bad]
    assert told == {"dark": ["1.61", "1.61"], "light": ["2.32"]}
    desk.close()
    page.set_content("<button style='all: unset; display: block; width: 40px; height: 50px'></button>")
    assert page.evaluate(SMALL) == ["small: BUTTON   40x50"]
    assert "button-name" in [one.split(":")[1].split()[0] for one in barred(page, "a button")]


def test_a_faint_word_among_many_alike_is_found(visit: Callable[..., Any]) -> None:
    """Axe passes over words that look like three before them; not over one that is faint by itself, or by where it lies, or all of them."""
    page = visit()
    many = "<p hidden>A word</p>" * 9 + "<p>A word to be read</p>" * 9
    faint = {
        "": [],
        "<p id='one' style='color: #aaa'>Grey</p>": ["#one"],
        "<div style='background: #aaa'><p id='one'>A word <b style='color: #666'>Dark</b></p></div>": ["b"],
        "<div style='opacity: 0.4'><p id='one'>A word to be read</p></div>": ["#one"],
        "<style>p { color: #aaa }</style><p>A word to be read</p>": [
            "p:nth-child(10)",
            "p:nth-child(11)",
            "p:nth-child(12)",
        ],
    }
    for fault, where in faint.items():
        page.set_content(f"<html lang='en'><title>Words</title><main><h1>Words</h1><div>{many}</div>{fault}</main>")
        told = [one for one in barred(page, "words") if "color-contrast" in one]
        assert bool(told) == bool(where)
        assert all(f"'{one}'" in told[0] for one in where), (told, where)
