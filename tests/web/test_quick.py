"""The quicker Jinja draws what Jinja draws."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from jinja2 import Environment
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context
from markupsafe import Markup, escape

from sutler.web import pages, quick


@pytest.mark.parametrize("game", ["manor", "bellum", "threeyears", "warfarm"])
def test_a_page_is_the_same_to_the_letter(
    game: str, client: TestClient, new_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = {f"seat_{i}": "me" for i in range(3)} | {"name_0": "<Agnes> & 'Co\"", "name_1": "Osric"}
    seat = new_table(game=game, **seats)
    fast = client.get(seat).text
    slow = quick.Templates(
        loader=pages.templates().loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    slow.code_generator_class, slow.context_class = CodeGenerator, Context
    slow.filters.update(pages.templates().filters)
    slow.globals.update(pages.templates().globals)
    monkeypatch.setattr(pages, "templates", lambda: slow)
    assert client.get(seat).text == fast
    assert "&lt;Agnes&gt; &amp; &#39;Co&#34;" in fast
    assert "<Agnes>" not in fast


@pytest.mark.parametrize("value", ["plain", "<b>", 'a"b', "it's", "&amp;", Markup("<b>"), 7, -1.5, None, True, ["<"]])
def test_what_is_put_in_is_quoted_as_jinja_quotes_it(value: object) -> None:
    assert str(quick.quoted(value)) == str(escape(value))


def test_an_icon_is_drawn_as_it_is_called() -> None:
    icon = quick.icons(lambda name: f"i-{name}")
    by_template = Environment(autoescape=True).from_string(
        '<svg class="icon{{ " " ~ cls if cls }}"{% if label %} role="img" aria-label="{{ label }}"{% else %} '
        'aria-hidden="true"{% endif %}><use href="#{{ symbol(name) }}"/></svg>'
    )
    for name, label, cls in (("wheat", "", ""), ("wheat", "<crops>", ""), ("pig", "", 'a"b'), ("pig", "pigs", "big")):
        drawn = by_template.render(name=name, label=label, cls=cls, symbol=lambda name: f"i-{name}")
        assert icon(name, label, cls) == drawn
