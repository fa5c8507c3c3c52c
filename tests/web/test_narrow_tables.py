"""A phone 360 pixels wide with the coach: what a decision is about is seen at once, and what is advised is drawn into sight."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from .short import decision, decisions, offered, open_short, wait_for_another, wanted
from .test_puzzles import puzzle_of

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True, "calm": True}
CLAIMS = """() => {
  const plate = document.querySelector('#plate').getBoundingClientRect();
  const claims = [...document.querySelectorAll('#plate .claim')].map((one) => one.getBoundingClientRect());
  return {
    count: claims.length, height: Math.round(plate.height),
    whole: claims.filter((one) => one.left >= plate.left && one.right <= plate.right)
      .filter((one) => one.top >= plate.top && one.bottom <= plate.bottom).length,
    stage: document.querySelector('.phases [aria-current]').textContent.trim(),
  };
}"""


def do(page: Any, one: dict[str, str]) -> None:
    """Choose it and wait for what comes."""
    before = decision(page)
    page.eval_on_selector(f"#{one['id']}", "one => one.click()")
    wait_for_another(page, before)


def test_three_claims_are_whole_and_the_board_keeps_its_height(visit: Callable[..., Any]) -> None:
    """Three Years: 128 pixels of board showed two of three claims in part; between two bids it grew and shrank."""
    page = visit(**PHONE)
    open_short(page, "threeyears", coach="yes", seat_2="me")
    seen = []
    for _ in decisions(page, 8):
        seen.append(page.evaluate(CLAIMS))
        bids = [one for one in offered(page) if one["action"].startswith("play")]
        do(page, bids[0] if bids and len(seen) < 4 else offered(page)[-1])
    bidding = [one for one in seen if one["stage"] == "Influence"]
    assert len(bidding) > 3
    assert {one["height"] for one in bidding} == {bidding[0]["height"]}
    assert bidding[0]["height"] >= 165
    assert [one["whole"] for one in bidding] == [3] * len(bidding)


@pytest.mark.parametrize("width", [1440, 1920])
def test_the_board_keeps_its_height_while_bids_are_made(visit: Callable[..., Any], width: int) -> None:
    """Three Years on a desk: the sets over one's cards took 50 pixels from the board at each own turn."""
    page = visit(width=width, height=900, calm=True)
    open_short(page, "threeyears", seat_1="easy", seat_2="easy")
    heights = set()
    for _ in decisions(page, 4):
        found = page.evaluate(CLAIMS)
        if found["stage"] != "Influence":
            break
        heights.add(found["height"])
        page.evaluate(
            "() => { for (const one of document.querySelectorAll('.set')) one.remove(); }"
        )  # as while others bid
        heights.add(page.evaluate(CLAIMS)["height"])
        do(page, offered(page)[0])
    assert len(heights) == 1


ADVISED = """() => {
  const inside = (one) => {
    const row = one.closest('.offered, .hand').getBoundingClientRect(), box = one.getBoundingClientRect();
    return box.left >= row.left - 1 && box.right <= row.right + 1;
  };
  return [document.querySelector('.offered .choice.advised'), document.querySelector('#hand .advised')].map(inside);
}"""


def advise(page: Any, pick: Callable[[list[dict[str, str]]], dict[str, str] | None]) -> None:
    """The coach advises what `pick` takes of what is offered."""

    def answer(route: Any) -> None:
        one = pick(offered(page))
        told = f'<h3 data-advised="{one["action"]}">That</h3>' if one else "<p>Nothing.</p>"
        route.fulfill(status=200, content_type="text/html", body=told)

    page.route("**/hint?coach=true", answer)


def test_what_is_advised_is_drawn_into_sight(visit: Callable[..., Any]) -> None:
    """Three Years: the last of the bids lay beyond the right edge, in the row of choices and in the hand."""
    page = visit(**PHONE)
    advise(page, lambda all: [one for one in all if one["action"].startswith("play")][-1])
    open_short(page, "threeyears", coach="yes", seat_1="easy", seat_2="easy")
    page.wait_for_selector(".offered .choice.advised")
    assert page.evaluate(ADVISED) == [True, True]
    assert page.evaluate("() => scrollX === 0 && document.querySelector('#table').scrollLeft === 0")


def test_a_coach_who_means_a_die_marks_the_die(visit: Callable[..., Any]) -> None:
    """Six Winters: a die of a seat is not the seat; the ring round the seat was seen as a line between two of them."""
    page = visit(width=1440, height=900, calm=True)
    advise(page, lambda all: next((one for one in all if one["action"].startswith("pay action")), None))
    open_short(page, "sixwinters", coach="yes")
    luck = random.Random(1)
    for _ in decisions(page, 30):
        every = offered(page)
        if any(one["action"].startswith("pay action") for one in every):
            break
        ways = [one for one in every if one["action"].startswith("move to")]
        do(page, ways[0] if ways else wanted("sixwinters", every, luck))
    page.wait_for_selector("#seats [data-at].advised")
    assert page.locator(".seat.advised").count() == 0


def test_so_many_times_lies_on_the_choices_own_end(visit: Callable[..., Any]) -> None:
    """Three Years: beside two choices of a row, "×2" stood alone at the beginning of the next row."""
    page = visit(**PHONE)
    answer = page.request.post("/puzzles/threeyears/2", max_redirects=0)
    page.goto(answer.headers["location"])
    for action in puzzle_of("threeyears", 2).line:
        page.wait_for_selector(f'#choices .choice[data-action="{action}"]', state="attached")
        if page.locator("#choices .choice.times").count():
            break
        do(page, next(one for one in offered(page) if one["action"] == action))
    pairs = page.eval_on_selector_all(
        "#choices .choice.times",
        """all => all.map((one) => [one.previousElementSibling, one].map((it) => it.getBoundingClientRect()))
          .map(([whole, end]) => [end.right - whole.right, end.top - whole.top, end.left > whole.left ? 0 : 1, end.width >= 44 ? 0 : 1])""",
    )
    assert pairs
    assert all(abs(gap) <= 1 for pair in pairs for gap in pair), pairs


def test_help_of_two_lines_is_not_cut_through(visit: Callable[..., Any]) -> None:
    """On a desk the sentence under the question has one line: of a second one the upper half was seen."""
    page = visit(width=1440, height=900, calm=True)
    open_short(page, "sixwinters")
    page.eval_on_selector(
        "#prompt > div > p", "one => { one.textContent = 'Place the location on any slot. '.repeat(9); }"
    )
    cut = page.eval_on_selector(
        "#prompt > div > p",
        "one => one.getBoundingClientRect().bottom - one.parentElement.getBoundingClientRect().bottom",
    )
    assert cut <= 1


SEATS = """() => {
  const box = (one) => one.getBoundingClientRect(), shown = (one) => one.getClientRects().length > 0;
  const parts = (seat) => [...seat.querySelectorAll('header > *, .tracks > li, .tokens > li, .facedown > li')].filter(shown);
  const leaves = (one, seat) => one.right > seat.right + 1 || one.bottom > seat.bottom + 1 || one.left < seat.left;
  return {
    height: Math.round(box(document.querySelector('#seats')).height), top: Math.round(box(document.querySelector('#plate')).top),
    outside: [...document.querySelectorAll('#seats .seat')].flatMap((seat) => parts(seat).filter((one) => leaves(box(one), box(seat)))
      .map((one) => seat.querySelector('.tokens').textContent + one.closest('ul')?.textContent)),
  };
}"""
GIVE_ALL = """() => {
  const seat = document.querySelector('#seats .seat:nth-of-type(2)'), tokens = seat.querySelector('.tokens');
  while (tokens.children.length > 2) tokens.lastElementChild.remove();
  for (let i = 0; i < 3; i++) tokens.append(tokens.firstElementChild.cloneNode(true));
  seat.querySelector('.facedown')?.remove();
  const one = `<li>${tokens.querySelector('svg').outerHTML}<b>×10</b></li>`;
  tokens.insertAdjacentHTML('afterend', `<ul class="facedown">${one}</ul>`);
}"""
GIVE_KNOWN = """(tokens_beside) => {
  const seat = document.querySelector('#seats .seat:nth-of-type(1)'), tokens = seat.querySelector('.tokens');
  while (tokens.children.length > 2) tokens.lastElementChild.remove();
  for (let i = 0; i < tokens_beside; i++) tokens.append(tokens.firstElementChild.cloneNode(true));
  seat.querySelector('.facedown')?.remove();
  const icon = tokens.querySelector('svg').outerHTML;
  tokens.insertAdjacentHTML('afterend', `<ul class="facedown"><li class="known">${icon}<b>1 Hope</b></li><li>${icon}</li></ul>`);
}"""
A_FACE = """() => {
  const third = document.querySelector('#seats .seat:nth-of-type(3)'), tokens = third.querySelector('.tokens');
  third.querySelector('.facedown')?.remove();
  const button = `<button class="face" id="a-face">${tokens.querySelector('svg').outerHTML}<b>1</b></button>`;
  tokens.insertAdjacentHTML('afterend', `<ul class="facedown"><li class="legal">${button}</li></ul>`);
  const face = document.getElementById('a-face').getBoundingClientRect(), seat = third.getBoundingClientRect();
  const inside = face.left >= seat.left && face.right <= seat.right && face.bottom <= seat.bottom + 1;
  return { size: Math.min(face.width, face.height), inside };
}"""


@pytest.mark.parametrize("width", [360, 390])
def test_seats_take_three_rows_and_show_all_they_have(visit: Callable[..., Any], width: int) -> None:
    """Three Years: three seats took 112 of 740 pixels, from the board; it stays where it is from one decision to the next."""
    page = visit(**{**PHONE, "width": width})
    open_short(page, "threeyears", coach="yes", seat_1="easy", seat_2="easy")
    found = []
    for number in decisions(page, 14):
        found.append(page.evaluate(SEATS))
        do(page, offered(page)[0 if number % 2 else -1])
    assert max(one["height"] for one in found) <= 76
    assert {one["top"] for one in found} == {found[0]["top"]}
    assert [one["outside"] for one in found if one["outside"]] == []
    page.evaluate(GIVE_ALL)
    assert page.evaluate(SEATS)["outside"] == []
    assert page.evaluate(SEATS)["height"] == found[0]["height"]
    assert page.evaluate(A_FACE) == {"size": 44, "inside": True}


@pytest.mark.parametrize("width", [360, 390])
def test_a_known_token_beside_all_others_stays_in_its_seat(visit: Callable[..., Any], width: int) -> None:
    """Three Years: a Writ that one knows, a Despair, Hope and Scouts lay beyond the edge of the seat at 360 pixels."""
    page = visit(**{**PHONE, "width": width})
    open_short(page, "threeyears", coach="yes", seat_1="easy", seat_2="easy")
    for tokens_beside in range(4):  # Hope, Scouts, Doom
        page.evaluate(GIVE_KNOWN, tokens_beside)
        assert page.evaluate(SEATS)["outside"] == []


def test_a_new_phase_is_seen_from_the_top_of_its_board(visit: Callable[..., Any]) -> None:
    """Three Years: whoever had looked at the rulers below found the claims of the next season cut through."""
    page = visit(**PHONE)
    open_short(page, "threeyears", coach="yes", seat_1="easy", seat_2="easy")
    seen = set[str]()
    for _ in decisions(page, 14):
        state = page.evaluate(CLAIMS)
        if seen and state["stage"] not in seen and not page.locator("#plate .legal").count():
            assert page.evaluate("() => document.querySelector('.war').scrollTop") == 0
            return
        seen = {state["stage"]}
        page.evaluate("() => { document.querySelector('.war').scrollTop = 400; }")
        do(page, offered(page)[-1])
    pytest.fail("no phase began in which nothing lies on the board")
