"""What lies on a plate is seen on it: with four seats and cards bid, at 1440 and 1920 pixels, nothing is cut off at its edge."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import sutler

from .short import STAKES_TIED, decision, decisions, offered, open_short, wait_for_another, wanted
from .test_everywhere import CUT_THROUGH

pytestmark = pytest.mark.browser

GUARDS = Path(sutler.__file__).parent / "games" / "warfarm" / "scenarios" / "guards.toml"
"""Before the first attack on a guarded farm."""

SCREENS = [(1440, 900, "light"), (1920, 1080, "dark")]


def screens(page: Any) -> Iterator[int]:
    """The picture as it stands on one screen after the other, drawn; gives the width."""
    for width, height, theme in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        yield width


CUT = """() => {
  const plate = document.querySelector('#plate').getBoundingClientRect();
  return [...document.querySelectorAll('#plate .ruler, #plate .played li, #plate .claim, #plate .deck, #plate .pawn, #plate .lying')]
    .filter((one) => one.getBoundingClientRect().bottom > plate.bottom + 1)
    .concat([...document.querySelectorAll('#plate .scene .yard .flat')].filter(
      (one) => one.getBoundingClientRect().top < one.closest('.scene').getBoundingClientRect().top))
    .map((one) => (one.textContent.trim() || one.closest('[aria-label]').ariaLabel).slice(0, 40));
}"""


def test_bids_claims_and_rulers_of_four_seats(visit: Callable[..., Any]) -> None:
    """Three Years: a column a seat, the set that counts marked, all four rulers above the plate's edge."""
    page = visit(calm=True)
    open_short(page, "threeyears", **{f"seat_{i}": "me" for i in range(4)})
    luck, marked = random.Random(3), 0
    for _ in decisions(page, 60):
        for width in screens(page):
            assert page.evaluate(CUT) == [], width
            tops = page.eval_on_selector_all(
                ".played > li", "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"
            )
            assert len(set(tops)) == 1, f"one row, {width}"
        best = page.locator(".played .best")
        if best.count():
            marked += 1
            total = page.inner_text(".total b")
            assert {one.inner_text() for one in best.locator(".beat").all()} <= {f"bids {total}"}
        before, one = decision(page), luck.choice(offered(page))
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)
    assert marked > 5


MEET = """const meet = (a, b, by = 1) =>
  a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;"""
COVERED = """() => [...document.querySelectorAll('.claim:has(.stake)')].map((one) => {
  const bands = [...one.querySelectorAll('.band')], slips = [...one.querySelectorAll('.stake')];
  const end = Math.max(...bands.map((band) => band.getBoundingClientRect().bottom));
  const begin = Math.min(...slips.map((slip) => slip.getBoundingClientRect().top));
  return { claim: one.id, bands: bands.length, slips: slips.length, over: Math.round(end - begin) };
})"""
"""Of every claim with a stake: by how many pixels its last row lies under the topmost slip."""


@pytest.mark.parametrize(("width", "height"), [(1440, 800), (1280, 720), (1366, 768), (1440, 900)])
def test_a_stake_covers_no_row_of_its_claim(visit: Callable[..., Any], width: int, height: int) -> None:
    """Three Years in a low window: the picture of a claim gives way to what is tied to it, never a row of what it brings.

    Nor does anything lie below the plate's edge, or one claim beside another's.
    """
    page = visit(width=width, height=height, calm=True)
    open_short(page, "threeyears", position=STAKES_TIED, **{f"seat_{i}": "easy" for i in range(1, 4)})
    seen = page.evaluate(COVERED)
    assert sorted((one["bands"], one["slips"]) for one in seen) == [(2, 1), (2, 1), (3, 2), (3, 2)]
    assert [one for one in seen if one["over"] > 0] == []
    assert page.evaluate(CUT) == []
    sides = page.eval_on_selector_all(
        ".claim", "all => all.map((one) => one.getBoundingClientRect()).map((at) => [at.left, at.right])"
    )
    assert all(right < left for (_, right), (left, _) in pairwise(sides))
    spilt = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    assert page.eval_on_selector_all(".almanac .deck, .almanac .markers, .claim .stake", spilt) == []


HEAVIER = """() => {
  for (const band of document.querySelectorAll('.claim .band')) {
    const last = [...band.children].at(-1);
    for (let n = 0; n < 2; n++) last.append(last.firstElementChild?.cloneNode(true) ?? '');
    band.append(last.cloneNode(true));
  }
  for (const name of document.querySelectorAll('.claim .stake > span')) name.textContent = 'Granary Commissioner';
}"""
"""Every claim brings more, and what is tied to it has a long name, as with cards that the position does not hold."""


LEVEL = f"""() => {{ {MEET}
  return [...document.querySelectorAll('.scale-line')].flatMap((line) => {{
    const all = [...line.querySelectorAll('.shield')].map((one) => one.getBoundingClientRect());
    const numbers = [...line.querySelectorAll('b')].map((one) => one.getBoundingClientRect());
    const covers = (one, i) => all.slice(i + 1).some((other) => meet(one, other, one.width / 2)) || numbers.some((b) => meet(one, b));
    return all.filter(covers);
  }}).map((one) => one.left); }}"""
"""Where arms stand that lie more than half over others of their ruler, or on a number."""


def test_level_houses_lie_side_by_side_on_a_ruler(visit: Callable[..., Any]) -> None:
    """Three Years on a laptop, at the beginning: all four hold as much; the fourth's arms lay on the number of the next mark."""
    page = visit(width=1280, height=800, calm=True)
    open_short(page, "threeyears", **{f"seat_{i}": "me" for i in range(4)})
    next(decisions(page, 3))
    assert page.locator(".scale-line .crowd .shield").count() == 16
    for size in ((1280, 800), (1440, 900), (1440, 800)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate(LEVEL) == [], size
        assert page.evaluate(CUT) == [], size


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 860), (1440, 900)])
def test_who_is_on_guard_is_read(visit: Callable[..., Any], width: int, height: int) -> None:
    """WARFARM on a laptop: the words under who stands at the gate lay below the edge of the farm."""
    page = visit(width=width, height=height, calm=True)
    open_short(page, "warfarm", GUARDS)
    next(decisions(page, 3))
    low = """all => all.map((one) => one.closest('.scene').getBoundingClientRect().bottom - one.getBoundingClientRect().bottom)"""
    told = page.eval_on_selector_all(".gate .place h4", low)
    assert told
    assert min(told) >= 0


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1440, 900)])
def test_a_claim_is_never_wider_than_its_column(visit: Callable[..., Any], width: int, height: int) -> None:
    """Three Years on a laptop: four claims beside one another, whatever they bring; one lay over its neighbour."""
    page = visit(width=width, height=height, calm=True)
    open_short(page, "threeyears", position=STAKES_TIED, **{f"seat_{i}": "easy" for i in range(1, 4)})
    page.evaluate(HEAVIER)
    wider = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.trim())"
    assert page.eval_on_selector_all(".claim .claim-card, .claim .sheet, .claim .stake", wider) == []


FARMS = """() => [...document.querySelectorAll('#plate .farm')].map((one) => {
  const scene = one.querySelector('.scene').getBoundingClientRect();
  return { seat: Number(one.id.slice(5)), left: scene.left, top: scene.top, height: scene.height,
           plots: one.querySelectorAll('.plot').length, own: one.querySelectorAll('.plot.own').length };
})"""


def test_three_farms_lie_under_one_horizon(visit: Callable[..., Any]) -> None:
    """WARFARM: who looks is in the middle, fields are counted at a glance, nothing is cut, and an empty hand moves nothing."""
    page = visit(calm=True)
    open_short(page, "warfarm", option_max_rounds="6")
    luck, plates, hands = random.Random(3), set[tuple[int, int]](), set[bool]()
    for number in decisions(page, 90):
        for width in screens(page) if number % 3 == 0 else ():
            assert page.evaluate(CUT) == [], width
            farms = page.evaluate(FARMS)
            assert len({(one["top"], one["height"]) for one in farms}) == 1, f"one horizon, {width}"
            assert [one["seat"] for one in farms] == [(farms[0]["seat"] + i) % 3 for i in range(3)]
            across = sorted(range(3), key=lambda i: farms[i]["left"])
            assert across == [1, 0, 2], f"you in the middle, {width}"
            plates.add((width, round(page.locator("#plate").bounding_box()["height"])))
        farms = page.evaluate(FARMS)
        owned = page.eval_on_selector_all("#seats .seat .score", "all => all.map((one) => parseInt(one.textContent))")
        assert {one["seat"]: one["own"] for one in farms} == dict(enumerate(owned))
        assert all(one["plots"] == (12 if one["own"] <= 12 else 24) for one in farms)
        hands.add(bool(page.locator(".hand .hit").count()))
        may = offered(page)
        fetches = [one for one in may if one["action"].startswith(("explore", "build Explorer"))]
        before, one = decision(page), luck.choice(fetches or may)
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)
    assert hands == {True, False}
    assert len(plates) == len(SCREENS), plates


CLIPPED = """() => {
  const seen = document.querySelector('#choices').getBoundingClientRect(), phase = document.querySelector('.phases [aria-current]');
  const all = [...document.querySelectorAll('#choices > :not(.offered, .pinned), #choices :is(.offered, .pinned) > *')];
  const beyond = all.filter((one) => one.getBoundingClientRect().bottom > seen.bottom);
  return [...beyond, ...(phase.scrollWidth > phase.clientWidth || !phase.clientWidth ? [phase] : [])].map((one) => one.textContent.trim());
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740)])
def test_a_long_question_leaves_its_answers_in_sight(visit: Callable[..., Any], width: int, height: int) -> None:
    """German on a phone: a question of two lines, two answers, a standing order below them, the phase in full above."""
    page = visit(width=width, height=height, locale="de-DE")
    open_short(page, "manor", seat_1="easy")
    page.wait_for_selector("#choices .order")
    lines = page.eval_on_selector(
        "#prompt h2", "one => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)"
    )
    assert lines > 1.5, "two lines"
    assert page.evaluate(CLIPPED) == []


@pytest.mark.parametrize("width", [390, 360])
def test_all_four_houses_are_above_on_a_phone(visit: Callable[..., Any], width: int) -> None:
    """Three Years on a phone: every seat in sight, and the claims at the plate's top, above the almanac."""
    page = visit(width=width, height=844)
    open_short(page, "threeyears", **{f"seat_{i}": "easy" for i in range(1, 4)})
    page.wait_for_selector(".claims")
    right = page.eval_on_selector_all("#seats .seat", "all => all.map((one) => one.getBoundingClientRect().right)")
    assert len(right) == 4
    assert max(right) <= width
    top = page.locator("#plate .claims").bounding_box()["y"]
    plate = page.locator("#plate").bounding_box()
    assert plate["y"] <= top < plate["y"] + plate["height"] / 2


def test_staged_cards_are_seen_when_they_are_asked_for(visit: Callable[..., Any]) -> None:
    """Six Winters on a phone: whoever takes a staged card sees them, and the land again afterwards."""
    page = visit(width=390, height=844)
    open_short(page, "sixwinters")
    luck, seen = random.Random(3), list[str]()
    for _ in range(20):
        asked = all(one["at"].startswith("staged:") for one in offered(page))
        assert page.locator(".staging .pcard").first.is_visible() == asked
        assert page.locator(".nine").is_visible() != asked or page.locator(".nine").count() == 0
        seen.append("cards" if asked else "land")
        if seen[-2:] == ["cards", "land"]:
            break
        before, one = decision(page), wanted("sixwinters", offered(page), luck)
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)
    assert seen[-2:] == ["cards", "land"]


OUT_OF_ROW = """() => { const row = document.querySelector('#choices').getBoundingClientRect();
  return [...document.querySelectorAll('#choices .choice.pad')]
    .filter((one) => one.getBoundingClientRect().right > row.right + 1).map((one) => one.textContent); }"""
UNDER_THE_SUMS = """() => { const sums = document.getElementById('battle').getBoundingClientRect();
  const map = document.querySelector('.map').getBoundingClientRect();
  return [...document.querySelectorAll('.map .leader.fights')].map((one) => one.getBoundingClientRect()).filter((at) =>
    at.top < sums.bottom - 1 || at.bottom > map.bottom + 1 || at.left < map.left - 1 || at.right > map.right + 1).length; }"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844), (360, 740)])
def test_a_battle_is_seen_while_strength_is_committed(visit: Callable[..., Any], width: int, height: int) -> None:
    """Bellum: every amount stands in sight on a desk, once; on a phone whoever fights stands below the sums, not under them."""
    page = visit(width=width, height=height, calm=True)
    open_short(page, "bellum")
    for _ in decisions(page, 30):
        if page.locator("#battle[data-secret]").count():
            break
        may = offered(page)
        before, one = decision(page), next((one for one in may if one["action"].startswith("attack")), may[0])
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)
    pads = page.locator("#choices .choice.pad")
    assert pads.count() >= 4
    assert pads.nth(1).inner_text().split()[:2] in (["1"], ["1", "counts"]), "the number once"
    assert page.locator(".map .leader.fights").count() >= 2
    if width > 640:
        assert page.evaluate(OUT_OF_ROW) == []
    else:
        assert page.evaluate(UNDER_THE_SUMS) == 0


LAST_YEAR = Path(sutler.__file__).parent / "games/sixwinters/scenarios/last-year.toml"
SPILT = """() => {
  const inside = (one, of) => { const a = one.getBoundingClientRect(), b = of.getBoundingClientRect();
    return !a.width || (a.left >= b.left - 1 && a.right <= b.right + 1); };
  const cards = [...document.querySelectorAll('.pcard > div')].filter(
    (card) => [...card.querySelectorAll('h4, .pfoot > *')].some((one) => !inside(one, card)));
  const labels = [...document.querySelectorAll('.tally .lab')].filter((one) => { const b = one.querySelector('b');
    if (!b) return false;
    const range = document.createRange(); range.selectNode(b.nextSibling);
    const a = range.getBoundingClientRect(), o = b.getBoundingClientRect();
    return a.left < o.right && a.top < o.bottom - 1 && a.bottom > o.top + 1; });
  const dice = [...document.querySelectorAll('.nine .loc')].filter((loc) =>
    [...loc.querySelectorAll('.die, .far, .flat')].some((one) => !inside(one, loc)));
  const years = [...document.querySelectorAll('.winter')].filter((one) => one.offsetWidth && one.scrollWidth > one.clientWidth);
  return [...cards, ...labels, ...dice, ...years].map((one) => one.textContent.trim().replace(/\\s+/g, ' ').slice(0, 40));
}"""
"""Progress cards, lines of the tally, places and years of the journal whose parts lie beyond them or over each other."""
OUT_OF_SIGHT = """() => { const seen = document.querySelector('#choices').getBoundingClientRect();
  return [...document.querySelectorAll('#choices .commit')].slice(0, 1)
    .filter((one) => one.getBoundingClientRect().bottom > seen.bottom + 1).map((one) => one.textContent); }"""

CUT_HEADS = """() => [...document.querySelectorAll('.heads span:not(.back)')]
  .filter((one) => one.offsetWidth && one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
"""Regions whose names are cut over the small land of a phone."""
CUT_LAND = """() => { const [land, plate] = ['.nine', '.field'].map((at) => document.querySelector(at).getBoundingClientRect());
  return land.right - plate.right; }"""
"""So much of the land lies beyond the plate."""
BELOW = "() => { const all = document.querySelector('.seats'); return all.scrollHeight - all.clientHeight; }"
"""So much of the mats lies below the edge."""
TOUCHING = """() => [...document.querySelectorAll('.mat')].flatMap((mat) => {
  const hands = mat.querySelector('.hands'), first = hands?.querySelector('.die'), more = [];
  if (!first || !first.offsetParent) return [];
  while (hands.querySelectorAll('.die').length < 7) { more.push(first.cloneNode(true)); hands.prepend(more.at(-1)); }
  const marks = [...mat.querySelectorAll('.stress .box.at')].map((one) => one.getBoundingClientRect());
  const dice = [...hands.querySelectorAll('.die')].map((one) => one.getBoundingClientRect());
  const low = Math.max(...marks.map((one) => one.bottom)) + 3, top = Math.min(...dice.map((one) => one.top));
  const rows = new Set(dice.map((one) => one.top)).size, over = Math.max(...dice.map((one) => one.right)) - innerWidth;
  more.forEach((one) => one.remove());
  return low > top || rows > 1 || over > 0 ? [[mat.ariaLabel, low - top, rows, over]] : [];
})"""
"""Mats of a phone on which seven action dice would touch a stress die's mark, need a second row or leave the screen."""


def test_a_late_year_has_room_on_every_screen(visit: Callable[..., Any]) -> None:
    """Six Winters' last year: cards of two rewards keep them, a fight's labels stand apart, and a phone shows what goes on."""
    page = visit(calm=True)
    open_short(page, "sixwinters", position=LAST_YEAR, seat_1="me")
    luck, fights, crowds, turns = random.Random(3), 0, 0, 0
    for _ in decisions(page, 45):
        for width, height in ((1440, 900), (390, 844), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.evaluate(SPILT) == [], width
            if width < 640:
                assert page.evaluate(OUT_OF_SIGHT) == []
                assert page.evaluate(CUT_HEADS) == [], width
                assert page.evaluate(TOUCHING) == [], width
            elif page.locator(".mat.acting").count():
                turns += 1
                assert page.evaluate(BELOW) <= 0, "the partner's mat is in sight"
                if turns == 1:
                    page.set_viewport_size({"width": 820, "height": 1100})
                    assert page.evaluate(CUT_LAND) <= 1, "an upright tablet shows all three regions"
                    for size in ((768, 1024), (820, 1180), (1024, 768), (1440, 900)):
                        page.set_viewport_size({"width": size[0], "height": size[1]})
                        assert page.evaluate(PRICED) == [], "no place's name lies under what it costs to go there"
        fights += page.locator("#overcome").count()
        crowds += page.locator("#choices :is(.offered, .pinned) > *").count() > 5
        before, one = decision(page), wanted("sixwinters", offered(page), luck)
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)
    assert fights
    assert crowds
    assert turns


PRICED = f"""() => {{ {MEET}
  return [...document.querySelectorAll('.loc:has(.far)')].flatMap((loc) => {{
    const [price, row] = ['.far', 'h3'].map((one) => loc.querySelector(one).getBoundingClientRect());
    const all = new Range(); all.selectNodeContents(loc.querySelector('h3'));
    const {{ left, right }} = all.getBoundingClientRect(), name = {{ left, right, top: row.top, bottom: row.bottom }};
    const people = [...loc.querySelectorAll('.people .flat')].map((one) => one.getBoundingClientRect());
    const is_under = meet(name, price) || right > loc.getBoundingClientRect().right || people.some((one) => meet(one, price, 3));
    return is_under ? [loc.getAttribute('aria-label')] : [];
  }}); }}"""
COVERED_COACH = f"""() => {{ {MEET}
  const [one, other] = ['.tiny', '#coach'].map((at) => document.querySelector(at).getBoundingClientRect());
  return meet(one, other); }}"""


def test_a_coach_is_covered_by_nothing_on_a_phone(visit: Callable[..., Any]) -> None:
    """Bellum's first game: the small map lay on what the coach says, and on the way to the primer."""
    page = visit(width=390, height=844, calm=True)
    open_short(page, "bellum", coach="yes", **{f"seat_{i}": "easy" for i in range(1, 4)})
    page.wait_for_selector("#coach-says :not(.none)")
    assert page.locator(".tiny").is_visible()
    assert page.evaluate(COVERED_COACH) is False


ON_ONE_ANOTHER = f"""() => {{ {MEET}
  return [...document.querySelectorAll('.pl .seat > header')].flatMap((head) => {{
    const words = (one) => {{ const all = new Range(); all.selectNodeContents(one); return all.getBoundingClientRect(); }};
    const parts = [...head.children].map((one) => [one.textContent.trim(), words(one)]).filter(([, at]) => at.width);
    return parts.flatMap(([one, a], i) => parts.slice(i + 1).filter(([, b]) => meet(a, b)).map(([other]) => `${{one}} on ${{other}}`));
  }}); }}"""


def test_a_primers_seat_is_read_whole(visit: Callable[..., Any]) -> None:
    """Bellum's, the one with a power beside the name, lay its score on that."""
    page = visit(calm=True)
    page.goto("/learn/bellum")
    page.wait_for_selector("html[data-drawn=yes]")
    assert page.locator(".pl .seat > header").count()
    assert page.evaluate(ON_ONE_ANOTHER) == []


UNDER_LIGHT = """() => [...document.querySelectorAll('.map :is(.river-name, .town-name)')].filter((one) =>
  !(document.querySelector('.map .reach').compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)).length"""
NAMES_MEET = f"""() => {{ {MEET}
  const [lit, rivers] = ['.reach-name', '.river-name'].map((all) =>
    [...document.querySelectorAll(all)].map((one) => [one.textContent, one.getBoundingClientRect()]));
  return lit.flatMap(([one, a]) => rivers.filter(([, b]) => meet(a, b, 7)).map(([other]) => `${{one}} on ${{other}}`)); }}"""


def test_names_lie_over_what_is_lit(visit: Callable[..., Any]) -> None:
    """Bellum: rivers and cities are read where areas are lit, and a lit area's name lies on no river's."""
    page, lit = visit(calm=True), 0
    open_short(page, "bellum", **{f"seat_{i}": "me" for i in range(4)})
    assert page.locator(".river-name").count() > 5
    assert page.evaluate(UNDER_LIGHT) == 0
    for _ in decisions(page, 16):
        assert page.evaluate(NAMES_MEET) == []
        lit += page.locator(".reach-name").count()
        may = offered(page)
        before, one = decision(page), next((one for one in may if one["action"].startswith("move")), may[0])
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)
    assert lit > 20


TARGETS = """() => [...document.querySelectorAll('.farm-ways a[href^="#farm"]')].map((way) => {
  const farm = document.querySelector(way.getAttribute('href'));
  const marked = getComputedStyle(way).boxShadow !== 'none';
  return { farm: farm.id, top: farm.getBoundingClientRect().top, lit: farm.querySelector('.legal') !== null, marked };
})"""
"""Each farm, where it stands, whether something on it can be chosen, and whether the way to it says so."""


def test_a_target_on_a_phone_is_above_what_can_not_be_hit(visit: Callable[..., Any]) -> None:
    """WARFARM: one's own farm comes first, but once a Soldier is chosen those he can attack; the ways to them are marked."""
    page = visit(width=390, height=844, has_touch=True, calm=True)
    open_short(page, "warfarm", GUARDS)
    for _ in decisions(page, 2):
        assert min(page.evaluate(TARGETS), key=lambda one: one["top"])["farm"] == "farm-0"
        before = decision(page)
        page.click('#choices [data-action="attack with a Soldier"]')
        wait_for_another(page, before)
        farms = sorted(page.evaluate(TARGETS), key=lambda one: one["top"])
        assert [one["farm"] for one in farms] == ["farm-1", "farm-2", "farm-0"]
        assert [one["lit"] for one in farms] == [one["marked"] for one in farms] == [True, True, False]
        assert page.evaluate(CUT_THROUGH) == [], "no row of choices is cut"
        return
    raise AssertionError("nobody is asked")


def test_a_fourth_seat_on_a_phone_is_begun(visit: Callable[..., Any]) -> None:
    """Medieval Manor: three seats that filled the screen hid that there is a fourth to be scrolled to."""
    page = visit(width=390, height=844, has_touch=True, calm=True)
    open_short(page, "manor", seat_2="me", seat_3="me")
    begins = page.eval_on_selector(
        "#seats", "all => { all.scrollLeft = 0; return all.querySelector('#seat-3').getBoundingClientRect().left; }"
    )
    assert begins < 390 - 24


BESIDE = f"""() => {{ {MEET}
  const slip = document.getElementById('beside');
  const [at, sheet] = [slip, document.querySelector('.sheet')].map((one) => one.getBoundingClientRect());
  const under = (all) => [...document.querySelectorAll(all)].filter((one) => meet(one.getBoundingClientRect(), at)).length;
  const beyond = at.left < sheet.left || at.top < sheet.top || at.right > sheet.right || at.bottom > sheet.bottom;
  return {{ area: slip.querySelector('h4').firstChild.textContent, beyond, reach: under('.map .reach .hex.legal'),
            way: under('.map .way .step, .map .leader.chosen'), steps: document.querySelectorAll('.map .way .step').length }};
}}"""
"""Of the slip that says what comes of a march: what of the way to that area, and of the areas in reach, lies under it."""


def test_a_marchs_slip_stands_beside_its_way_and_reach(visit: Callable[..., Any]) -> None:
    """Bellum on a desk: pointed at, an area's slip hides neither itself nor its way, and seldom any area one could go to instead."""
    page, seen = visit(width=1440, height=900, calm=True), list[dict[str, Any]]()
    open_short(page, "bellum")
    for _ in decisions(page, 30):
        may = offered(page)
        marches = page.get_attribute(".sheet", "data-marches") not in (None, "", "{}")
        for hex_ in page.locator(".map .reach .hex.legal").all() if marches else ():
            page.evaluate("document.getElementById('beside').querySelector('h4')?.remove()")
            hex_.dispatch_event("pointerover", {"bubbles": True, "pointerType": "mouse"})
            page.wait_for_selector("#beside:not([hidden]) h4")
            seen.append(page.evaluate(BESIDE))
        if len(seen) > 12:
            break
        before, one = decision(page), next((one for one in may if one["action"].startswith("move")), may[0])
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)
    assert len(seen) > 12
    assert [one for one in seen if one["way"] or one["beyond"] or not one["steps"] or one["reach"] > 3] == []
    assert sum(one["reach"] == 0 for one in seen) > len(seen) / 2


@pytest.mark.parametrize(("width", "most"), [(390, 4), (360, 2)])
def test_a_phone_says_why_one_is_asked(visit: Callable[..., Any], width: int, most: int) -> None:
    """Three Years, where choices leave room: "you lose 2, everybody else 1", "no set in your hand reaches it"; a strip stood empty."""
    page, told = visit(width=width, height=844, has_touch=True, calm=True), 0
    open_short(page, "threeyears", position=STAKES_TIED, **{f"seat_{i}": "me" for i in range(4)})
    luck = random.Random(3)
    for _ in decisions(page, 40):
        if (
            page.locator("#choices :is(.offered, .pinned) > *").count() <= most
            and not page.locator("#prompt.crowded").count()
        ):
            assert page.locator("#prompt > div > p").first.is_visible(), page.inner_text("#prompt h2")
            assert page.evaluate(CLIPPED) == []
            told += 1
        before, one = decision(page), luck.choice(offered(page))
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)
    assert told > 3
