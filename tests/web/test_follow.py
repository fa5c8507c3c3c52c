"""What others did, an act each: as data from the house, as one line of the log, and followed in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from sutler.core.events import Told
from sutler.core.play.game import load
from sutler.core.text.sentences import LogLine, Speaker, Word
from sutler.web.lobby.new_table import BOT_NAMES
from sutler.web.table.people import joining
from sutler.web.view import game_log, recent_moves
from web.conftest import actions, facts

from .short import open_short
from .test_browser import CHOICE, choose, decision, open_table, ready

Visit = Callable[..., Any]
SPEAKER = Speaker({})


def line(index: int, decision: int, kind: str, seat: int | None, *words: str | Word) -> LogLine:
    return LogLine(index, decision, tuple(words), "5.2", kind, "card", False, seat)


def test_what_a_decision_did_to_its_seat_is_one_line() -> None:
    """The card stands first, gains become figures, the rest folds; what befalls another seat has a line of its own."""
    wheat = line(0, 1, "placed", 0, Word("seat", "Ebba", "0"), " plays ", Word("card", "Wheat", "Wheat"))
    gain = line(
        1, 1, "gained", 0, Word("seat", "Ebba", "0"), " gains ", Word("num", "3"), " ", Word("good", "crops", "crops")
    )
    lord = line(2, 1, "lordship", 0, Word("seat", "Ebba", "0"), " becomes Lord")
    other = line(
        3, 1, "lost", 1, Word("seat", "Osric", "1"), " loses ", Word("num", "1"), " ", Word("good", "gold", "gold")
    )
    drawn = line(4, 0, "dealt", 0, "a card")
    found = game_log.group_entries([wheat, gain, lord, other, drawn, drawn], [0])
    assert [len(one.lines) for one in found] == [3, 1, 1, 1]
    text = game_log.render_lines(
        [wheat, gain, lord, other], [0], SPEAKER, "manor", {"cards": {"Wheat": {"icon": "wheat"}}}
    )
    assert text.count('class="line"') == 2
    assert '<span class="crops"><b>+3</b>' in text
    assert "becomes Lord" in re.search("<details.*?</details>", text)[0]  # type: ignore[index]
    assert 'href="#i-wheat"' in text or 'href="#wheat"' in text


def test_equal_decisions_in_a_row_are_told_in_one_sentence() -> None:
    """Who gives up a crop and another one reads "gives up 2 crops", with the cost of both; what is not the same begins anew."""
    pos = load("manor").new(2, seed=1)
    event, crops, gold = (
        pos.game.definition.events.events["gave_up"],
        *(pos.game.names["token"].index(one) for one in ("crops", "gold")),
    )
    lines, actors = [], []
    for number, (seat, token) in enumerate([(0, crops), (0, crops), (0, crops), (0, gold), (1, gold)], 1):
        told = Told("gave_up", event, -1, (seat, token))
        lines.append(LogLine(number - 1, number, pos.speaker.tell(told), "3.4", "gave_up", "", False, seat, (told,)))
        actors.append(seat)
    text = game_log.render_lines(lines, actors, pos.speaker, "manor", {})
    sums = [re.sub("<.*?>", "", one) for one in re.findall("<template>(.*?)</template>", text)]
    assert sums == ["Seat 1 gives up 2 crops", "Seat 1 gives up 3 crops"]
    assert re.findall('data-run="(.)"', text) == ["2", "3"]
    assert (
        game_log.render_lines(lines, actors, pos.speaker, "manor", {}, 2)
        == text[text.index('<li class="line" id="l2"') :]
    )
    assert game_log.render_lines(lines, actors, pos.speaker, "manor", {}, len(lines)) == ""


def test_the_arms_are_of_whom_the_sentence_names() -> None:
    """ "Perrin draws Turnips" stood beside the arms of Osric, whose pass let him draw."""
    perrin = (Word("seat", "Perrin", "1"), " draws ", Word("card", "Turnips", "Turnips"))
    assert recent_moves.find_named_seat(perrin, 2) == 1
    assert recent_moves.find_named_seat(("A card is drawn",), 2) == 2


def test_a_look_back_counts_no_further_than_there_are_decisions(client: Any, new_table: Any) -> None:
    """Followed to its end it read "before decision 3 of 2"."""
    url = new_table(seat_0="me", name_0="Agnes", seat_1="me", name_1="Perrin")
    for _ in range(2):
        page = client.get(url).text
        client.post(f"{url}/play", data={"action": actions(page)[-1], "decision": facts(page)["decision"]})
    assert "The board before the first decision." in client.get(f"{url}/now?moment=0").text
    assert "The board after 1 of 2 decisions." in client.get(f"{url}/now?moment=1").text


def test_the_house_tells_each_act(client: Any, new_table: Any) -> None:
    """One's own are marked; the newest moment is that of the last decision; nothing is told twice."""
    url = new_table(seat_0="me", name_0="Agnes", seat_1="me", name_1="Perrin")
    for _ in range(8):
        page = client.get(url).text
        client.post(f"{url}/play", data={"action": actions(page)[0], "decision": facts(page)["decision"]})
    told = client.get(f"{url}/acts?since=0").text
    moments = [int(n) for n in re.findall(r'data-moment="(\d+)"', told)]
    assert moments == sorted(set(moments)) != []
    assert moments[-1] <= 8
    assert set(re.findall(r'data-own="(\w+)"', told)) == {"yes"}
    assert "data-moment" not in client.get(f"{url}/acts?since=8").text


def test_news_come_with_the_picture(client: Any, new_table: Any) -> None:
    """One answer has what others did and the picture: of now where nothing need be followed, else after the first of it."""
    agnes = new_table(seat_0="me", name_0="Agnes", seat_1="link", name_1="Perrin")
    room = client.app.state.house.find_seat(agnes.removeprefix("/seat/"))[0]
    joining.take_seat(room, 1, "Perrin")
    pages = [agnes, f"/seat/{room.make_seat_token(1)}"]
    seen = set()
    while room.decision < 40:
        seat, since = room.pos.seat, room.decision
        client.post(f"{pages[seat]}/play", data={"action": room.pos.actions()[0].name, "decision": since})
        for who, page in enumerate(pages):
            for at_once in (False, True):
                told = client.get(f"{page}/now", params={"since": since, "at_once": at_once}).text
                others = [line for line in re.findall(r"<li data-moment=[^>]*>", told) if 'data-own="no"' in line]
                assert not others or who != seat
                follows = bool(others) and not at_once and (room.pos.seat != who or 'data-touches="yes"' in others[0])
                assert ("data-followed" in told) == follows
                assert facts(told)["moment"] == (str(since + 1) if follows else "")
                seen.add((bool(others), at_once, follows))
        assert "data-own" not in client.get(f"{agnes}/now").text
    assert seen == {
        (False, False, False),
        (False, True, False),
        (True, False, True),
        (True, True, False),
        (True, False, False),
    }


@pytest.mark.browser
def test_bots_are_followed_one_act_at_a_time(visit: Visit) -> None:
    """By step: each act waits to be sent on; the board shows its moment; the end brings the choices back."""
    page = visit(pace="step")
    open_table(page, {0: "me", 1: "normal", 2: "normal"})
    for _ in range(60):
        page.wait_for_selector(f"#follow:not([hidden]), {CHOICE}", state="attached")
        if page.locator("#follow:not([hidden])").count():
            break
        choose(page)
    page.wait_for_selector("#follow:not([hidden])")
    page.wait_for_function("() => document.getElementById('table').dataset.moment !== ''")
    told = page.inner_text("[data-follow-told]")
    assert re.search("|".join(BOT_NAMES), told), told
    assert told == page.text_content("#announced")
    before = decision(page)
    page.keyboard.press("1")  # a digit ends it and is not played
    page.wait_for_function("() => document.getElementById('table').dataset.moment === ''")
    page.wait_for_selector("#follow", state="hidden")
    assert decision(page) >= before


AS_IT_OPENS = """document.addEventListener('DOMContentLoaded', () => {
  const bar = document.getElementById('follow');
  if (bar) new MutationObserver(() => {
    if (bar.hidden || window.hit !== undefined) return;
    const box = bar.querySelector('[data-follow-pause]').getBoundingClientRect();
    window.hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('button') !== null;
  }).observe(bar, { attributeFilter: ['hidden'] });
});"""
"""Notes whether a click at the bar's *Pause* would press it in the moment in which the bar opens."""


@pytest.mark.browser
def test_a_click_meant_for_what_lay_there_does_not_pause(visit: Visit) -> None:
    """The bar opens where one clicks: a second click, or one under way, stopped the playback for good. Then it can be pressed."""
    page = visit(pace="step")
    page.add_init_script(AS_IT_OPENS)
    open_table(page, {0: "me", 1: "normal", 2: "normal"})
    for _ in range(60):
        page.wait_for_selector(f"#follow:not([hidden]), {CHOICE}", state="attached")
        if page.locator("#follow:not([hidden])").count():
            break
        choose(page)
    page.click("[data-follow-pause]")
    assert page.evaluate("window.hit") is False
    page.wait_for_selector("[data-pace=slow][aria-pressed=true]", state="attached")


@pytest.mark.browser
def test_a_lost_line_stays_told_until_it_is_back(visit: Visit) -> None:
    """Choices are out while nothing can be sent, and no key is played; then all is as before."""
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    page.context.set_offline(True)
    page.wait_for_selector("#lost:not([hidden])")
    before = decision(page)
    assert page.evaluate("document.getElementById('choices').inert")
    page.keyboard.press("1")
    page.locator('#table [data-at^="card:"]').first.click(force=True)
    assert page.locator("#lost").is_visible()
    assert decision(page) == before
    page.context.set_offline(False)
    page.wait_for_selector("#lost", state="hidden")
    assert not page.evaluate("document.getElementById('choices').inert")
    choose(page)
    ready(page)
    before = decision(page)
    page.route("**/play", lambda route: route.abort())  # an order that does not get through
    page.locator(CHOICE).last.click()
    page.wait_for_selector("#lost:not([hidden])")
    page.wait_for_selector("#toasts [data-kind=trouble]")
    page.unroute("**/play")
    page.wait_for_selector("#lost", state="hidden")
    assert decision(page) == before
    assert page.text_content("#announced") == "Connected again."
    assert page.locator("#toasts > *").all_inner_texts() == []


@pytest.mark.browser
def test_an_order_on_a_slow_line_is_seen_to_be_under_way(visit: Visit) -> None:
    """At once what was chosen is held and the rest shut, then words say why one waits; a key pressed meanwhile is not played."""
    page = visit(width=390, height=844)
    open_table(page, {0: "me", 1: "me"})
    under_way: list[Any] = []
    page.route("**/play", lambda route: under_way.append(route))
    before = decision(page)
    page.locator(CHOICE).first.click()
    assert page.evaluate("document.body.classList.contains('busy')")
    assert page.locator("#choices .sending").count() == 1
    assert page.locator(CHOICE).nth(1).evaluate("one => getComputedStyle(one).pointerEvents") == "none"
    page.wait_for_selector("#prompt .at-the-table", state="visible")
    page.keyboard.press("2")
    assert len(under_way) == 1
    under_way[0].continue_()
    page.wait_for_function("was => Number(document.getElementById('table').dataset.decision) > was", arg=before)
    page.wait_for_selector("#prompt .at-the-table", state="hidden")
    assert not page.evaluate("document.body.classList.contains('busy')")


@pytest.mark.browser
def test_the_board_stays_where_it_is(visit: Visit) -> None:
    """The choice area has one height, whatever is asked; the list of all opens and closes by its key."""
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    tops = set()
    for _ in range(12):
        tops.add(page.evaluate("Math.round(document.getElementById('plate').getBoundingClientRect().top)"))
        choose(page)
    assert len(tops) == 1
    page.keyboard.press(",")
    assert page.evaluate("document.body.classList.contains('listing')") == (page.locator(CHOICE).count() > 0)
    page.keyboard.press("Escape")
    assert not page.evaluate("document.body.classList.contains('listing')")


OVER_THE_BOARD = """() => {
  document.body.classList.add('following');
  const told = document.getElementById('follow');
  told.hidden = false;
  const [above, below] = [told, document.querySelector('#table .plate')].map((one) => one.getBoundingClientRect());
  return Math.min(above.bottom, below.bottom) - Math.max(above.top, below.top);
}"""
"""How far what is told of an act lies over the board, in pixels: more than none hides what the act is about."""


@pytest.mark.browser
@pytest.mark.parametrize("game", ["manor", "threeyears", "warfarm", "bellum", "sixwinters"])
def test_on_a_phone_what_is_told_lies_beside_the_board(visit: Visit, game: str) -> None:
    """It stands where the choices stood. It hid the Manor's first row of lands, and of Six Winters a third of the board."""
    page = visit(width=390, height=844, calm=True)
    open_short(page, game)
    assert page.evaluate(OVER_THE_BOARD) <= 1


ALIKE = """() => {
  const last = document.querySelector('#lines > .line:last-child');
  const line = (words) => { const one = last.cloneNode(true); delete one.dataset.counted; one.removeAttribute('id');
    one.querySelector('.more')?.remove(); one.querySelector('.line-at > span').textContent = words; return one; };
  const told = ['Agnes fishes', 'Agnes fishes', 'Agnes fishes', 'Perrin rests'];
  for (const words of told) document.getElementById('lines').append(line(words));
  document.dispatchEvent(new CustomEvent('htmx:after:swap', { bubbles: true }));
  return [...document.querySelectorAll('#lines > .line:not([hidden])')].slice(-2)
    .map((one) => [one.querySelector('.line-at > span').textContent, one.querySelector('.alike')?.dataset.n ?? '1']);
}"""
"""Three lines that read alike come to the log, and another; returns the last two that are seen, and how often."""


SUMMED = """() => {
  const last = document.querySelector('#lines > .line:last-child');
  const line = (words, run, sum) => { const one = last.cloneNode(true); delete one.dataset.counted; one.removeAttribute('id');
    one.querySelector('.more')?.remove(); one.querySelector('.line-at > span').textContent = words;
    if (run > 1) { one.dataset.run = run; one.insertAdjacentHTML('beforeend', `<template><span>${sum}</span></template>`); }
    return one; };
  const told = [['gives up 1 crop'], ['gives up 1 crop', 2, 'gives up 2 crops'], ['gives up 1 crop', 3, 'gives up 3 crops'], ['rests']];
  for (const one of told) document.getElementById('lines').append(line(...one));
  document.dispatchEvent(new CustomEvent('htmx:after:swap', { bubbles: true }));
  return [...document.querySelectorAll('#lines > .line:not([hidden]) .line-at')].slice(-2).map((one) => one.textContent.trim());
}"""
"""Three lines that add up come to the log, and another; returns the last two that are seen."""


@pytest.mark.browser
def test_the_log_follows_the_slider_and_counts_what_is_alike(visit: Visit) -> None:
    """The line of the moment that is shown is marked and in sight; six equal lines in a row are one, ×6."""
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    for _ in range(8):
        choose(page)
    page.add_style_tag(content="#log { block-size: 60px; }")
    page.evaluate("sutler.table.lookAt(2)")
    page.wait_for_selector("#lines .line.shown")
    log_box, line_box = (page.locator(one).last.bounding_box() for one in ("#log", "#lines .line.shown"))
    assert log_box["y"] - 1 <= line_box["y"] < log_box["y"] + log_box["height"]
    assert int(page.locator("#lines .line.shown").last.get_attribute("data-decision")) <= 2
    page.evaluate("sutler.table.toNow()")
    page.wait_for_selector(CHOICE, state="attached")
    assert page.evaluate(ALIKE) == [["Agnes fishes", "3"], ["Perrin rests", "1"]]
    assert page.evaluate(SUMMED) == ["gives up 3 crops", "rests"]
