"""Only the parts of a page that differ are sent: put together they are the whole page, whatever happened between."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from sutler.web.view import fast_jinja, jinja_templates, page_parts
from sutler.web.view.viewer import Viewer
from web.conftest import actions, facts

Open = Callable[..., str]
PARTIAL = re.compile(r'<hx-partial hx-target="([^"]+)" hx-swap="(\w+)">(.*?)</hx-partial>', re.DOTALL)
ALONE = {"seat_0": "me", "seat_1": "me"}
IN_MAIN = ("prompt", "between", "plate", "hand")
STILL = re.compile(
    r'<g id="still-(\w+)" data-still>(.*?)</g>\s*(?=<g id="all-realms"|<g class="tokens"|<g class="names")', re.DOTALL
)
EMPTY = re.compile(r'<g id="still-(\w+)" data-still></g>')
AT = {target: name for name, target in page_parts.PARTS.items()}


class Page:
    """A page as a browser keeps it: it says what it shows, and puts what it is sent in its place."""

    def __init__(self, client: TestClient, seat: str) -> None:
        self.client, self.seat = client, seat
        self.shown: dict[str, str] = {}
        self.marks = self.log = ""
        self.sent: set[str] = set()
        self.take(client.get(f"{seat}/now").text)

    def take(self, text: str) -> str:
        """Put an answer in its place; the answer."""
        found = {target: (swap, html) for target, swap, html in PARTIAL.findall(text)}
        swap, main = found.pop("#table")
        assert swap in ("none", "outerMorph")
        self.sent = {AT[target] for target in found if target in AT}
        if swap == "outerMorph":
            self.shown |= in_main(main)
            self.sent |= set(IN_MAIN)
        sent = {AT[target]: html for target, (_, html) in found.items() if target in AT}
        self.empty = len(EMPTY.findall("".join(sent.values())))
        self.letters = {name: len(html) for name, html in sent.items()}
        self.shown |= {name: filled(html, self.shown.get(name, "")) for name, html in sent.items()}
        self.marks = re.search(r'data-parts="([^"]*)"', main)[1]
        self.log = facts(text).get("log", self.log)
        self.decision = int(facts(text)["decision"])
        return text

    def heads(self) -> dict[str, str]:
        return {"Sutler-Log": self.log, "Sutler-Parts": self.marks}

    def now(self, **query: int) -> str:
        return self.take(self.client.get(f"{self.seat}/now", params=query, headers=self.heads()).text)

    def order(self, what: str, **form: object) -> str:
        return self.take(self.client.post(f"{self.seat}/{what}", data=form, headers=self.heads()).text)

    def play(self, action: str) -> str:
        return self.order("play", action=action, decision=self.decision)


def in_main(main: str) -> dict[str, str]:
    """The parts that stand in the table itself."""
    starts = [main.index(f'id="{page_parts.PARTS[name][1:]}">') for name in IN_MAIN]
    ends = [main.rindex("<div", 0, start) for start in starts[1:]] + [main.rindex("</main>")]
    return {
        name: main[main.index(">", start) + 1 : main.rindex("</div>", start, end)]
        for name, start, end in zip(IN_MAIN, starts, ends, strict=True)
    }


def filled(html: str, before: str) -> str:
    """A part with the pieces in it that came empty, since the page shows them."""
    shown = {found[1]: found[2] for found in STILL.finditer(before)}
    return EMPTY.sub(lambda found: f'<g id="still-{found[1]}" data-still>{shown[found[1]]}</g>', html)


@pytest.mark.parametrize("game", ["manor", "bellum", "threeyears", "warfarm", "sixwinters"])
def test_what_is_sent_in_parts_is_the_whole_page(client: TestClient, new_table: Open, game: str) -> None:
    """Moves, words, takings back, looks back, lost lines: after each the page shows what one that comes now is shown."""
    luck = random.Random(7)
    seat = new_table(game=game, seat_0="me", seat_1="me", **({"seat_2": "me"} if game == "warfarm" else {}))
    page = Page(client, seat)
    for step in range(25):
        offered = actions(page.shown["prompt"])
        if offered and luck.random() < 0.7:
            page.play(luck.choice(offered))
        elif luck.random() < 0.3:
            page.order("say", text=f"word {step}")
        elif luck.random() < 0.4:
            page.order("undo", decision=page.decision)
        elif luck.random() < 0.5 and page.decision:
            page.now(moment=luck.randrange(page.decision))
            page.now()
        else:  # a line that was lost meanwhile: somebody else has moved on
            other = Page(client, seat)
            if choices := actions(other.shown["prompt"]):
                other.play(luck.choice(choices))
            page.now()
        if "data-eyes=" in page.shown["prompt"]:  # the screen is handed over
            page.now(eyes=int(re.search(r'data-eyes="(\d)"', page.shown["prompt"])[1]))
        eyes = facts(client.get(f"{seat}/now").text)["eyes"]
        fresh = Page(client, seat)
        page.now()
        assert page.marks == fresh.marks, (step, eyes)
        assert page.shown == fresh.shown


def test_the_printed_map_is_sent_once(client: TestClient, new_table: Open) -> None:
    """What lies on Bellum's map changes with a move; sea, land, rivers and grid come only to who does not show them."""
    page = Page(client, new_table(game="bellum", **ALONE))
    whole = len(page.shown["plate"])
    page.play(actions(page.shown["prompt"])[0])
    assert page.empty == 3
    assert page.letters["plate"] < 0.6 * whole
    assert EMPTY.search(page.shown["plate"]) is None
    assert len(page.shown["plate"]) > 0.9 * whole
    page.marks = re.sub(r" ~\S+", "", page.marks)
    page.order("undo", decision=page.decision)
    assert page.empty == 0  # whoever does not name them is sent them


def test_what_has_not_changed_is_not_sent(client: TestClient, new_table: Open) -> None:
    """Words change the talk alone; a page that shows all of it is sent nothing but what the table says of itself."""
    page = Page(client, new_table(**ALONE))
    page.order("say", text="Good evening")
    assert page.sent == {"talk"}
    assert "Good evening" in page.shown["talk"]
    text = page.now()
    assert page.sent == set()
    assert len(text) < 700


def test_marks_that_are_not_from_here_bring_the_whole_page(client: TestClient, new_table: Open) -> None:
    seat = new_table(**ALONE)
    whole = client.get(f"{seat}/now").text
    for said in ("", "nonsense", "other:AAAAAAAA", "x" * 5000, "top", ": :"):
        assert client.get(f"{seat}/now", headers={"Sutler-Parts": said}).text == whole
    wrong = " ".join(f"{name}:AAAAAAAA" for name in page_parts.PARTS)
    page = Page(client, seat)
    page.marks = wrong
    page.shown.clear()
    page.now()
    assert set(page.shown) == page.sent, "marks of other parts: each is sent anew"


def test_a_page_that_looks_back_keeps_what_stands_beside(client: TestClient, new_table: Open) -> None:
    """Talk and the rules of the phase are those of now; they are not sent with a moment, nor said to be shown anew."""
    page = Page(client, new_table(**ALONE))
    page.play(actions(page.shown["prompt"])[0])
    before = page_parts.parse_marks(page.marks)
    page.now(moment=0)
    assert not page.sent & set(page_parts.PRESENT_ONLY)
    beside = [
        name for name in page_parts.PRESENT_ONLY if name in before
    ]  # there is nobody to tell anything where nothing is counted
    assert beside == ["talk", "phase_rules"]
    assert {name: page_parts.parse_marks(page.marks)[name] for name in beside} == {
        name: before[name] for name in beside
    }


@pytest.mark.parametrize("game", ["manor", "sixwinters"])
def test_a_part_that_is_kept_is_drawn_from_nothing_but_what_it_is_kept_by(
    game: str, client: TestClient, new_table: Open
) -> None:
    """Otherwise one page would be shown what belongs to another. Everything else that a page knows is taken away here."""
    seat = new_table(game=game, **ALONE)
    house = client.app.state.house  # type: ignore[attr-defined]
    room, place = house.find_seat(seat.removeprefix("/seat/"))
    whole = Viewer(room, room.list_seats_of_same_link(place), seat)._build_context(None, None)
    printed = jinja_templates.build_shared_context({"symbol": whole["symbol"]})
    for name, by in page_parts.SHARED_PARTS.items():
        little = jinja_templates.build_shared_context({one: whole[one] for one in by} | {"symbol": whole["symbol"]})
        little.update(jinja_templates.load_shared_macros(printed))
        assert jinja_templates.render_with(f"parts/{name}.html", little) == page_parts.render_parts(whole)[name], name


def test_nothing_is_kept_that_holds_a_link(client: TestClient, new_table: Open) -> None:
    """What is kept outlives a table: no seat's secret may lie in it."""
    seat = new_table(**ALONE)
    assert f'hx-post="{seat}/order"' in client.get(seat).text
    kept = [markup for drawn in fast_jinja.list_all_caches() for markup in drawn.values()]
    assert kept, "nothing is kept"
    assert not any("/seat/" in markup for markup in kept)
