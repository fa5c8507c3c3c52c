"""Log, rules and talk are within reach at every table, whatever the width of the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .short import FORMS, open_short

pytestmark = pytest.mark.browser

WINDOWS = [(360, 740), (768, 1024), (1024, 768), (1280, 800), (1440, 900)]
IN_SIGHT = """(name) => {
  const panel = document.getElementById(name), box = panel.getBoundingClientRect();
  return panel.contains(document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 60)));
}"""


@pytest.mark.parametrize("game", FORMS)
def test_log_rules_and_talk_open_in_every_window(visit: Callable[..., Any], game: str) -> None:
    """With the coach, as in a first game: in Six Winters none of them could be opened below 1376 pixels."""
    page = visit(calm=True)
    open_short(page, game, coach="yes")
    if page.locator("#choices [data-eyes]").count():
        page.click("#choices [data-eyes]")
        page.wait_for_selector("#choices [data-eyes]", state="detached")
    page.set_default_timeout(20_000)
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        if (tool := page.locator("#open-log")).is_visible():
            tool.click()
        for name in ("log", "rules", "talk"):
            page.click(f"[data-tab={name}]")
            page.wait_for_function(IN_SIGHT, arg=name)
        if (close := page.locator("[data-side-close]")).is_visible():
            close.click()
            page.wait_for_selector("#side", state="hidden")


def test_a_paragraphs_number_pushes_in_one_line_only(visit: Callable[..., Any]) -> None:
    """It was a hair higher than a line, so that the second line began further in than the third."""
    page = visit(calm=True)
    open_short(page, "manor")
    page.click("[data-tab=rules]")
    lefts = page.eval_on_selector_all(
        "#guide .paragraph > p",
        """all => all.flatMap((one) => {
          const range = new Range(); range.selectNodeContents(one);
          const boxes = [...range.getClientRects()].map((box) => ({ y: (box.top + box.bottom) / 2, x: box.left }));
          const found = [];
          let y = -1e9;
          for (const box of boxes.sort((a, b) => a.y - b.y)) {  // what is in bold type lies a little higher in its line
            if (box.y > y + 6) { found.push(Math.round(box.x)); y = box.y; }
            else found.push(Math.min(found.pop(), Math.round(box.x)));
          }
          return found.length > 2 ? [found[1] - found[2]] : [];
        })""",
    )
    assert len(lefts) > 5
    assert set(lefts) == {0}
