"""Tables of the lab's pages, in a browser: sorted by a click, searched by a word, as they were without either."""

from __future__ import annotations

from typing import Any

import pytest

from sutler.lab.report.html_parts import load_tables_script, render_table

WARES = [[f"ware {k}", str(k), "0"] for k in range(30)]
ROWS = [["Orchard", "0.19", "−4.2"], ["Vineyard", "1,200.5", "+3.0"], ["Dovecote", "0.03", "?"], *WARES]


@pytest.fixture
def page(chromium: Any) -> Any:
    """A page with a long table and a short one."""
    page = chromium.new_page()
    long, short = (
        render_table("Cards", ["", "used", "lead"], ROWS),
        render_table("Seats", ["", "won"], [["one", "3"], ["two", "4"]]),
    )
    page.set_content(f"<html lang='en'><body>{long}{short}{load_tables_script()}</body></html>")
    yield page
    page.close()


def column(page: Any, k: int) -> list[str]:
    """What the first five rows say in a column."""
    return [row.locator("th, td").nth(k).inner_text() for row in page.locator("tbody").first.locator("tr").all()[:5]]


def test_a_click_on_a_head_sorts(page: Any) -> None:
    """The largest first, then the least; thousands and minus signs are numbers, what is unknown comes where words do."""
    page.get_by_role("button", name="used").click()
    assert column(page, 0)[:2] == ["Vineyard", "ware 29"]
    page.get_by_role("button", name="used").click()
    assert column(page, 1)[:3] == ["0", "0.03", "0.19"]
    page.get_by_role("button", name="lead").click()
    assert page.locator("[aria-sort]").count() == 1
    assert "+3.0" in column(page, 2)


def test_a_word_leaves_the_rows_that_have_it(page: Any) -> None:
    """Of a long table; a short one has no field, and its heads are plain."""
    assert page.get_by_role("searchbox").count() == 1
    page.get_by_role("searchbox").fill("doveC")
    assert [row.inner_text().split("\t")[0] for row in page.locator("tbody").first.locator("tr:visible").all()] == [
        "Dovecote"
    ]
    page.get_by_role("searchbox").fill("")
    assert page.locator("tbody").first.locator("tr:visible").count() == len(ROWS)
    assert page.locator("table").nth(1).get_by_role("button").count() == 0
