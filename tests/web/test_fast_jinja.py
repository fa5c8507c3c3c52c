"""The quicker Jinja draws what Jinja draws."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from jinja2 import Environment
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context
from markupsafe import Markup, escape

from sutler.web.events import Created, SeatPlan
from sutler.web.table.people import joining
from sutler.web.table.registry import House
from sutler.web.view import fast_jinja, jinja_templates, page_parts


def as_jinja_draws() -> fast_jinja.FastEnvironment:
    """The same templates as Jinja itself draws them, each thing anew."""
    slow = fast_jinja.FastEnvironment(
        loader=jinja_templates.get_environment().loader, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    slow.code_generator_class, slow.context_class = CodeGenerator, Context
    slow.filters.update(jinja_templates.get_environment().filters)
    slow.globals.update(jinja_templates.get_environment().globals)
    slow.globals["kept"] = lambda name, macro: lambda *args, by=None: macro(*args)
    slow.globals["each"] = lambda name, macro, items, *given: Markup("".join(macro(one, *given) for one in items))
    return slow


@pytest.mark.parametrize("game", ["manor", "bellum", "threeyears", "warfarm", "sixwinters"])
def test_a_page_is_the_same_to_the_letter(
    game: str, client: TestClient, new_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the beginning and at every moment of a game, with what was drawn before kept, for all who sit there."""
    luck = random.Random(3)
    seats = {f"seat_{i}": "me" for i in range(3)} | {"name_0": "<Agnes> & 'Co\"", "name_1": "Osric"}
    seat = new_table(game=game, **seats)
    quickly, slow = jinja_templates.get_environment(), as_jinja_draws()
    for _ in range(12):
        fast = client.get(seat).text
        with monkeypatch.context() as patch:
            patch.setattr(jinja_templates, "get_environment", lambda: slow)
            patch.setattr(page_parts, "get_or_draw_cached", lambda _name, _things, draw: Markup(draw()))
            patch.setattr(page_parts, "CACHED_PARTS", {})
            assert client.get(seat).text == fast
        assert jinja_templates.get_environment() is quickly
        room = client.app.state.house.find_seat(seat.removeprefix("/seat/"))[0]  # type: ignore[attr-defined]
        room.play_action(room.pos.seat, luck.choice(room.pos.actions()).name)
    assert "&lt;Agnes&gt; &amp; &#39;Co&#34;" in fast
    assert "<Agnes>" not in fast


@pytest.mark.parametrize("game", ["manor", "bellum", "threeyears", "warfarm", "sixwinters"])
def test_whole_games_are_drawn_the_same_for_each_seat_and_a_watcher(
    game: str, app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was drawn for others, earlier or at another table, is never shown for something else."""
    house: House = app.state.house
    luck = random.Random(11)
    plans = tuple(SeatPlan(kind="link", name=name) for name in ("Agnes", "Perrin", "Osric"))
    slow = as_jinja_draws()
    room = house.open_table(Created(game=game, seed=5, seats=plans))
    for seat, plan in enumerate(plans):
        joining.take_seat(room, seat, plan.name)
    pages = [*(f"/seat/{room.make_seat_token(seat)}" for seat in range(3)), f"/watch/{room.id}"]
    while not room.pos.over and room.decision < 240:
        assert room.pos.seat is not None
        fast = {page: client.get(page).text for page in (pages[room.pos.seat], pages[-1])}
        if room.decision % 12 == 0:
            with monkeypatch.context() as patch:
                patch.setattr(jinja_templates, "get_environment", lambda: slow)
                patch.setattr(page_parts, "get_or_draw_cached", lambda _name, _things, draw: Markup(draw()))
                patch.setattr(page_parts, "CACHED_PARTS", {})
                for page, drawn in fast.items():
                    assert client.get(page).text == drawn, (page, room.decision)
        room.play_action(room.pos.seat, luck.choice(room.pos.actions()).name)


def test_pieces_of_a_map_are_drawn_once_for_each_item_and_what_is_beside_it() -> None:
    drawn: list[str] = []

    def note(text: str) -> str:
        drawn.append(text)
        return text

    env = fast_jinja.FastEnvironment(autoescape=True)
    env.globals.update(each=fast_jinja.draw_each, note=note)
    draw = env.from_string("{% macro m(a, k) %}{{ note(a.n) }}{{ k }};{% endmacro %}{{ each('piece', m, items, k) }}")
    items = [{"n": "<"}, {"n": "b"}]
    assert draw.render(items=items, k="1") == "&lt;1;b1;"
    assert draw.render(items=[*items, {"n": "c"}], k="1") == "&lt;1;b1;c1;"
    assert draw.render(items=items, k="2") == "&lt;2;b2;"
    assert drawn == ["<", "b", "c", "<", "b"]


def test_a_thing_is_drawn_anew_where_something_else_is_lit() -> None:
    lit = {"die:1:6": [{"by": "spend"}], "die:12:1": [{"by": "keep"}], "box": [{"by": "x"}]}
    assert fast_jinja.make_lit_key(lit, "die:1:") == [("die:1:6", "spend")]
    assert fast_jinja.make_lit_key(lit, "die:12:", "box") == [("die:12:1", "keep"), ("box", "x")]
    assert fast_jinja.make_lit_key({}, "die") == []


def test_rows_are_found_and_grouped() -> None:
    rows = [{"id": "a", "of": 1, "x": 3}, {"id": "b", "of": None, "x": 4}, {"id": "c", "of": 1, "x": 5}]
    assert fast_jinja.index_rows(rows, "id")["b"] is rows[1]
    assert fast_jinja.group_rows(rows, "of") == {1: [rows[0], rows[2]], None: [rows[1]]}
    assert fast_jinja.select_columns(rows, "id", "x") == [("a", 3), ("b", 4), ("c", 5)]
    assert fast_jinja.pair_rows(rows, "id", {"c": 7}) == [(rows[0], None), (rows[1], None), (rows[2], 7)]


def test_what_is_kept_is_told_apart_by_what_it_is_given() -> None:
    env = fast_jinja.FastEnvironment(autoescape=True)
    env.globals.update(kept=fast_jinja.cache_macro, same=fast_jinja.make_cache_key)
    text = "{% macro m(a) %}{{ a.n }}{{ x }}{% endmacro %}{% set k = kept(name, m) %}{{ k(a, by=same(a)) }}"
    draw = env.from_string(text).render
    assert [draw(a={"n": n}, x="!", name="apart") for n in ("<", 1, 2, 1)] == ["&lt;!", "1!", "2!", "1!"]
    assert draw(a={"n": 1}, x="?", name="apart") == "1!", (
        "what a macro sees beside what it is given must not be used in it"
    )
    assert draw(a={"n": 1}, x="?", name="another") == "1?"
    assert fast_jinja.make_cache_key(Markup("x")) != fast_jinja.make_cache_key("x"), (
        "a text marked as safe is another one"
    )


@pytest.mark.parametrize("value", ["plain", "<b>", 'a"b', "it's", "&amp;", Markup("<b>"), 7, -1.5, None, True, ["<"]])
def test_what_is_put_in_is_quoted_as_jinja_quotes_it(value: object) -> None:
    assert str(fast_jinja.escape_value(value)) == str(escape(value))


@pytest.mark.parametrize("text", ["{a} of <b>{n}</b>", "{{a}} {a}{a}", "none", "{n:03d} {a!r} {a}"])
@pytest.mark.parametrize("a", ["<x>", Markup("<x>"), "plain"])
def test_a_text_is_filled_in_as_markup_fills_it_in(text: str, a: str) -> None:
    assert fast_jinja.fill_fields(text, {"a": a, "n": 7}) == Markup(text).format(a=a, n=7)


def test_an_if_that_comes_to_nothing_is_no_text() -> None:
    text = "[{{ '<' if a }}|{{ 'x' ~ ('y' if a) }}|{{ ('y' if a) is defined }}|{{ ('y' if a) or 'z' }}]"
    for a in (True, False):
        by_jinja = Environment(autoescape=True).from_string(text).render(a=a)
        assert fast_jinja.FastEnvironment(autoescape=True).from_string(text).render(a=a) == by_jinja


def test_an_icon_is_drawn_as_it_is_called() -> None:
    icon = fast_jinja.make_icon_function(lambda name: f"i-{name}")
    by_template = Environment(autoescape=True).from_string(
        '<svg class="icon{{ " " ~ cls if cls }}"{% if label %} role="img" aria-label="{{ label }}"{% else %} '
        'aria-hidden="true"{% endif %}><use href="#{{ symbol(name) }}"/></svg>'
    )
    for name, label, cls in (("wheat", "", ""), ("wheat", "<crops>", ""), ("pig", "", 'a"b'), ("pig", "pigs", "big")):
        drawn = by_template.render(name=name, label=label, cls=cls, symbol=lambda name: f"i-{name}")
        assert icon(name, label, cls) == drawn


@pytest.mark.parametrize("name", ["Agnes", "O'Neil", "<i>", "A & B", Markup("<i>A</i>")])
def test_a_field_that_is_escaped_leaves_the_text_around_it_alone(name: str) -> None:
    """`<b>{name}</b> moves to {place}` keeps its marks, whatever the names are."""
    told = fast_jinja.fill_fields("<b>{name}</b> moves to {place}", {"name": name, "place": "Parisa's Glen"})
    assert told == f"<b>{escape(name)}</b> moves to Parisa&#39;s Glen"
