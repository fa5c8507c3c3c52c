"""What newcomers stumbled over in a first game of Medieval Manor and of Bellum, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

import sutler
from sutler.core.actions import Action
from sutler.core.text.coaching import Coaching
from sutler.web.lobby import new_table
from sutler.web.table.teaching.hints import AskedDecision, build_advice
from sutler.web.view import jinja_templates

from .short import decision, decisions, offered, open_short, wait_for_another
from .test_lessons import opened

Visit = Callable[..., Any]
SMALL_PHONE = {"width": 360, "height": 740, "has_touch": True, "dark": True}


# --- Words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats", "turn"),
    [
        ("manor", 3, "turn 1"),
        ("bellum", 4, "before the war"),
        ("threeyears", 4, "year 1 of 3, "),
        ("warfarm", 3, "round 1"),
        ("sixwinters", 2, "year 1"),
    ],
)
def test_a_moment_is_named_in_the_words_of_its_game(game: str, seats: int, turn: str) -> None:
    """Bellum has years and no turns: a look back read "Leader", and who took the lead did so "at 79"."""
    view = sutler.load(game).new(seats=seats, seed=1).view(None)
    alone = str(jinja_templates.describe_moment(game, view, has_phase=False))
    assert alone.startswith(turn)
    assert str(jinja_templates.describe_moment(game, view)).startswith(alone)


def test_after_a_lesson_the_red_button_is_the_first_game(client: TestClient) -> None:
    """Whoever came from the end of a lesson was told to play it."""
    red = r'<button class="choice commit">.*?<span>([^<]*)'
    for after, wanted in (("", "Play the first lesson"), ("lesson", "Play a first game"), ("game", "The whole game")):
        told = client.get(f"/learn/manor?after={after}").text
        assert {text.split(",")[0] for text in re.findall(red, told)} == {wanted}


class FirstThenSecond:
    """A bot that ranks the choices as they are listed."""

    def explain(self, view: Any) -> list[tuple[Action, float, int]]:
        return [(one, 0.5, 9) for one in view.actions()]


def test_the_next_best_choice_is_told_whole() -> None:
    """ "Next best: 1 crop" meant one crop and one animal."""
    pos = sutler.load("manor").new(seats=2, seed=1)
    view = pos.for_seat(pos.seat)
    first, second = [one.name for one in view.actions()[:2]]
    asked = AskedDecision({first: ("2 animals", ""), second: ("1 crop", "and 1 animal")}, "", Coaching(), "feed")
    assert build_advice(view, asked, FirstThenSecond()).instead == "1 crop (and 1 animal)"


# --- At the table -----------------------------------------------------------------------------------------

ALIKE = """() => { const log = document.getElementById('log'), lines = document.getElementById('lines');
  for (let i = 0; i < 60; i++) {
    const one = document.createElement('li'); one.className = 'line'; one.textContent = `line ${i}`; lines.append(one); }
  log.scrollTop = log.scrollHeight; }"""
LEFT_BELOW = (
    "() => { const log = document.getElementById('log'); return log.scrollHeight - log.scrollTop - log.clientHeight; }"
)


def test_the_log_stays_at_its_newest_line_when_its_room_changes(visit: Visit) -> None:
    """The coach had more to say, the log became lower, and what the others had just done was below its edge."""
    page = visit(width=1440, height=900, calm=True)
    open_short(page, "manor")
    page.evaluate(ALIKE)
    page.wait_for_function(f"() => ({LEFT_BELOW})() < 2")
    page.set_viewport_size({"width": 1440, "height": 640})
    page.wait_for_function(f"() => ({LEFT_BELOW})() < 2")
    page.evaluate("document.getElementById('log').scrollTop = 0")
    page.wait_for_function(f"() => ({LEFT_BELOW})() > 100")
    page.set_viewport_size({"width": 1440, "height": 700})
    page.wait_for_function("() => innerHeight === 700")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate(LEFT_BELOW) > 100, "who reads further up is left there"


OUT_OF_LAND = """() => {
  const good = '+<b>2</b> <span class="gold"><svg class="icon"></svg></span>', two = `${good} ${good}`;
  for (const one of document.querySelectorAll('.ghost > span')) one.innerHTML = two;
  return [...document.querySelectorAll('.ghost, .ghost > span, .ghost .icon, .land .card')].filter((one) => {
    const a = one.getBoundingClientRect(), b = one.closest('.land').getBoundingClientRect();
    return a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1;
  }).map((one) => one.outerHTML.slice(0, 60)); }"""
HIDDEN_BONUS = """() => [...document.querySelectorAll('.bonus')].filter((one) => one.getClientRects().length).filter((one) => {
  const box = one.getBoundingClientRect(), land = one.closest('.land').getBoundingClientRect();
  return box.bottom > land.bottom + 1; }).length"""


@pytest.mark.parametrize("look", [{"width": 1440, "height": 900}, SMALL_PHONE], ids=["desk", "phone"])
def test_what_lies_on_a_land_fits_it(visit: Visit, look: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two goods ran over the next land; on a low land a card, and a land's bonus, lay under the land below."""
    monkeypatch.setattr(new_table, "draw_seed", lambda: 1)  # a game in which three cards come to lie on lands soon
    page = visit(calm=True, **look)
    open_short(page, "manor", coach="yes", seat_1="easy", seat_2="easy", option_swaps="0", option_buys="0")
    placed = 0
    for _ in decisions(page, 90):
        may = offered(page)
        placing = next((one for one in may if one["action"].startswith(("on ", "place "))), None)
        if may[0]["action"].startswith("on "):
            assert page.evaluate(HIDDEN_BONUS) == 0
            assert page.evaluate(OUT_OF_LAND) == []
            placed += 1
        if placed == 3:
            return
        before = decision(page)
        page.eval_on_selector(f"#{(placing or may[-1])['id']}", "one => one.click()")
        wait_for_another(page, before)
    raise AssertionError(f"placed {placed} cards only")


COSTS_HIDDEN = """() => { const hand = document.getElementById('hand');
  const one = hand.querySelector('li:has(.cost)') ?? hand.querySelector('li');
  if (!one.querySelector('.cost')) one.querySelector('.card').insertAdjacentHTML('beforeend', '<span class="cost">3</span>');
  for (let i = 0; i < 6; i++) hand.append(one.cloneNode(true));
  return [...hand.querySelectorAll('.cost')].filter((cost) => { const box = cost.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return at?.closest('.card') !== cost.closest('.card'); }).length; }"""


def test_cards_that_overlap_show_what_they_cost(visit: Visit) -> None:
    page = visit(width=1440, height=900, calm=True)
    open_short(page, "manor")
    assert page.evaluate(COSTS_HIDDEN) == 0


LAST_LINE = """() => { const says = document.getElementById('coach-says'), coach = document.getElementById('coach');
  says.innerHTML = '<p>Best now</p><p>it leaves you more goods</p><p>crops 7 instead of 4</p><p class="last">every one of them</p>';
  const box = says.querySelector('.last').getBoundingClientRect(), at = document.elementFromPoint(box.x + 5, box.y + box.height / 2);
  return at?.closest('.last') !== null; }"""


LOW_LINKS = """() => [...document.querySelectorAll('#coach footer :is(a, button)')]
  .filter((one) => one.getClientRects().length && one.getBoundingClientRect().height < 44).length"""


def test_on_a_small_phone_the_coach_has_room_for_a_reason(visit: Visit) -> None:
    """Two lines were left to it above the links; the links come after what is said."""
    page = visit(calm=True, **SMALL_PHONE)
    open_short(page, "manor", coach="yes", seat_1="easy", seat_2="easy")
    assert page.evaluate(LAST_LINE)
    assert page.evaluate(LOW_LINKS) == 0


# --- The map on a phone -------------------------------------------------------------------------------------

AMISS = """() => { const frame = document.querySelector('.lit-frame').getBoundingClientRect();
  const rider = document.querySelector('#plate [data-piece="leader:Gustav Adolf"]').getBoundingClientRect();
  return Math.hypot(frame.x + frame.width / 2 - rider.x - rider.width / 2, frame.y + frame.height / 2 - rider.y - rider.height / 2); }"""
ZOOMED = """() => { const map = document.querySelector('#plate .map'), box = map.getBoundingClientRect();
  const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
  map.dispatchEvent(new WheelEvent('wheel', { deltaY: -60, bubbles: true, cancelable: true, ...at })); }"""
RIDERS = """() => { const sums = document.getElementById('battle').getBoundingClientRect();
  const map = document.querySelector('.map').getBoundingClientRect();
  return ['Gustav Adolf', 'Banér', 'Tilly'].filter((name) => {
    const box = document.querySelector(`#plate [data-piece="leader:${name}"]`).getBoundingClientRect();
    return box.top >= sums.bottom - 1 && box.bottom <= map.bottom + 1; }).length; }"""
CUT = """() => { const row = document.getElementById('choices').getBoundingClientRect();
  return [...document.querySelectorAll('#choices .pinned .choice')]
    .filter((one) => one.getBoundingClientRect().right > row.right + 1).length; }"""


def test_the_first_lesson_of_bellum_shows_both_riders_and_points_at_one(visit: Visit) -> None:
    """One of "these two riders" stood behind the sums; the hand stayed where the map had been; "No battle" was cut off."""
    page = visit(calm=True, **SMALL_PHONE)
    opened(page, "bellum")
    page.wait_for_function(f"() => ({AMISS})() < 6")
    assert page.evaluate(RIDERS) == 3
    assert page.evaluate(CUT) == 0
    page.evaluate(ZOOMED)
    page.wait_for_function(f"() => ({AMISS})() < 6")


SEEN_OF_LIT = """() => { const map = document.querySelector('.map').getBoundingClientRect();
  const lit = [...document.querySelectorAll('.reach .hex.legal, .leaders .leader.legal')].map((one) => one.getBoundingClientRect());
  const seen = lit.filter((one) => one.left >= map.left - 2 && one.right <= map.right + 2
    && one.top >= map.top - 2 && one.bottom <= map.bottom + 2);
  return [lit.length, seen.length]; }"""


def test_after_the_others_were_followed_the_map_shows_what_is_asked(visit: Visit) -> None:
    """It stayed where the last of them had marched; and between two armies far apart nothing was lit."""
    page = visit(pace="normal", **SMALL_PHONE)
    bots = {f"seat_{i}": "easy" for i in range(1, 4)}
    open_short(page, "bellum", **bots)
    asked = 0
    for _ in decisions(page, 12):
        page.wait_for_function("() => document.getElementById('table').dataset.moment === ''")
        page.wait_for_function(f"() => {{ const [lit, seen] = ({SEEN_OF_LIT})(); return !lit || seen >= lit / 3; }}")
        asked += page.evaluate(SEEN_OF_LIT)[0] > 0
        before, may = decision(page), offered(page)
        page.eval_on_selector(f"#{may[-1]['id']}", "one => one.click()")
        wait_for_another(page, before)
    assert asked >= 2
