"""AA by measure: what axe leaves undecided, words on pictures, washes and hatching, is read off the pixels, everywhere, in both themes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from .contrast import too_faint
from .everywhere import pages, phases, waiting_room
from .short import FORMS

pytestmark = pytest.mark.browser

KINDS = 4
"""Decisions of each title that are looked at: the first of so many kinds."""


@pytest.mark.parametrize("dark", [False, True], ids=["day", "candle"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)], ids=["desk", "phone"])
def test_letters_stand_out_from_what_lies_below_them(
    visit: Callable[..., Any], chromium: Any, width: int, height: int, dark: bool
) -> None:
    page, desk = visit(width=width, height=height, dark=dark), chromium.new_page()
    measured, faint = 0, list[str]()
    for name in itertools.chain(pages(page), *(itertools.islice(phases(page, game), KINDS) for game in FORMS)):
        n, bad = too_faint(page, desk, name)
        measured, faint = measured + n, faint + bad
    waiting_room(page)
    faint += too_faint(page, desk, "waiting room")[1]
    desk.close()
    assert measured > 1000
    assert faint == [], "\n".join(faint)


def test_a_faint_word_is_found(visit: Callable[..., Any], chromium: Any) -> None:
    """The measure itself: grey on white of 2.3 is told, 4.8 is not, whatever the background is made of."""
    page, desk = visit(), chromium.new_page()
    line = "<p style='font: 16px sans-serif; color: {}; background: linear-gradient(#fff, #fff)'>A word to be read</p>"
    page.set_content("<body id='b'>" + line.format("#aaa") + line.format("#717171"))
    n, bad = too_faint(page, desk, "two lines")
    assert n == 2
    assert [one.split(":")[1].split(" <")[0].strip() for one in bad] == ["2.32"]
    desk.close()
