"""In real browsers: two people and a bot play a whole game, one by keyboard alone on a phone; what may go wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from sutler.core.rule import PLAIN_ONLY

from .everywhere import barred_in_either_theme
from .test_everywhere import SMALL, WIDE

pytestmark = pytest.mark.browser

Visit = Callable[..., Any]
CHOICE = "#choices .choice[data-action]"
SHORT = "5"
"""Victory tokens that end these games: enough to see every phase, soon enough to be done."""


def ready(page: Any) -> None:
    """The page is drawn and listens."""
    page.wait_for_selector("html[data-drawn=yes]")
    page.wait_for_selector("body[data-ready=yes]")


def open_table(page: Any, seats: dict[int, str], victory: str = SHORT) -> str:
    """From the lobby to a new table, by clicks; returns its address."""
    page.goto("/?game=manor")
    page.wait_for_selector("html[data-drawn=yes]")
    for seat in range(6):
        kind = seats.get(seat, "none")
        box = page.locator(f"#place-{seat}")
        if box.is_hidden():
            if kind == "none":
                continue
            page.click("[data-add-seat]")
        if not (kind == "none" and seat < 2):
            page.locator(f"#place-{seat} input[value={kind}]").check(force=True)
    page.click("details.otherwise summary")
    page.fill("#option-victory", victory)
    page.click("text=Open the table")
    page.wait_for_url(re.compile("/seat/"))
    ready(page)
    return str(page.url)


def decision(page: Any) -> int:
    return int(page.get_attribute("#table", "data-decision"))


def is_over(page: Any) -> bool:
    return page.locator("#reckoning").count() > 0


def choose(page: Any) -> str | None:
    """Choose something sensible with the mouse: on the board if a choice is there, else by its button."""
    choices = page.eval_on_selector_all(
        CHOICE, "all => all.map(one => ({id: one.id, action: one.dataset.action, at: one.dataset.for ?? ''}))"
    )
    if not choices:
        return None
    wanted = (
        "keep",
        "on ",
        "place",
        "convert",
        "use",
        "grow",
        "take in",
        "feed",
        "pay",
        "discard",
        "give up",
        "steal",
        "gain",
    )
    best = next((c for want in wanted for c in choices if c["action"].startswith(want)), None)
    best = best or next((c for c in choices if c["action"] in ("done", "pass", "decline", "cancel")), choices[0])
    before = decision(page)
    spot = page.locator(f'#table [data-at="{best["at"]}"]') if best["at"].startswith(("space:", "card:")) else None
    same = [c for c in choices if c["at"] == best["at"]]
    if spot is not None and spot.count() == 1 and len(same) == 1:
        spot.click()
    else:
        press(page, str(best["id"]))
    page.wait_for_function("before => Number(document.getElementById('table').dataset.decision) !== before", arg=before)
    return str(best["action"])


def test_two_browsers_and_a_bot_play_a_whole_game(visit: Visit) -> None:
    agnes, perrin = visit(), visit(width=1100, dark=True)
    open_table(agnes, {0: "me", 1: "link", 2: "normal"})
    link = agnes.input_value(".invite input")
    perrin.goto(link)
    perrin.fill("#name", "Perrin")
    perrin.click("text=Take the seat")
    ready(perrin)
    agnes.wait_for_selector("#waiting", state="detached")
    moves = {"agnes": 0, "perrin": 0}
    for _ in range(3000):
        for name, page in (("agnes", agnes), ("perrin", perrin)):
            if choose(page) is not None:
                moves[name] += 1
        if is_over(agnes):
            break
        agnes.wait_for_function(
            "() => document.querySelector('#reckoning, #choices .choice[data-action]') !== null"
            " || !document.querySelector('#seat-0.turn')"
        )
    assert is_over(agnes)
    perrin.wait_for_selector("#reckoning")
    assert min(moves.values()) > 5
    for page in (agnes, perrin):
        assert page.locator(".breakdown tfoot td").count() >= 6
        for chart in (".chart:not(#odds)", "#odds"):
            assert page.locator(f"{chart} .lines-chart polyline").count() == 3
    # and once more, everybody one chair further on: whoever begins now, perhaps the bot, may have moved already
    over = agnes.url
    agnes.click("text=Rematch")
    agnes.wait_for_url(lambda url: url != over)
    ready(agnes)
    perrin.wait_for_selector("text=To the rematch")
    perrin.click("text=To the rematch")
    ready(perrin)
    assert agnes.url != perrin.url


def press(page: Any, choice: str) -> None:
    """A choice by its button, in its fold if it lies in one; what is folded away on the board still takes the focus."""
    button = page.locator(f"#{choice}")
    fold = button.locator("xpath=ancestor::details[not(@open)]/summary")
    if fold.count():
        fold.click()
    if page.locator("#prompt.folds").count():
        button.focus()
        page.keyboard.press("Enter")
    else:
        button.click()


def focus_by_tab(page: Any, wanted: str, most: int = 80) -> None:
    """Go on with Tab until something is focused; whoever has only a keyboard can do no more."""
    for _ in range(most):
        if page.evaluate("wanted => document.activeElement?.matches(wanted) ?? false", wanted):
            return
        page.keyboard.press("Tab")
    at = page.evaluate("() => document.activeElement.outerHTML.slice(0, 200)")
    raise AssertionError(f"{wanted} cannot be reached by keyboard; it stands at {at}")


def test_a_whole_game_by_keyboard_on_a_small_phone(visit: Visit) -> None:
    page = visit(width=360, height=740)
    page.goto("/?game=manor")
    page.wait_for_selector("html[data-drawn=yes]")
    focus_by_tab(page, "details.otherwise summary", 120)
    page.keyboard.press("Enter")
    focus_by_tab(page, "#option-victory", 40)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(SHORT)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/seat/"))
    ready(page)
    for turn in range(3000):
        page.wait_for_function("() => document.querySelector('#reckoning, #choices .choice[data-action]') !== null")
        if is_over(page):
            break
        before = decision(page)
        numbers = page.eval_on_selector_all(
            CHOICE, "all => all.map(one => [one.dataset.number, one.dataset.action, one.dataset.for ?? ''])"
        )
        wanted = (
            "keep",
            "on ",
            "place",
            "convert",
            "use",
            "take in",
            "feed",
            "pay",
            "discard",
            "give up",
            "steal",
            "gain",
        )
        best = next((one for want in wanted for one in numbers if one[1].startswith(want)), None)
        best = best or next((one for one in numbers if one[1] in ("done", "pass", "decline", "cancel")), numbers[0])
        spot = f'#table [data-at="{best[2]}"]'
        if turn % 5 == 4 and best[2].startswith(("space:", "card:")) and page.locator(spot).count() == 1:
            focus_by_tab(page, spot, 200)
            page.keyboard.press("Enter")
        else:
            page.keyboard.type(best[0])
        page.wait_for_function(
            "before => Number(document.getElementById('table').dataset.decision) !== before", arg=before
        )
        assert page.evaluate(WIDE) == [], "nothing runs out of the screen"
    assert is_over(page)


def test_arrows_walk_and_escape_closes(visit: Visit) -> None:
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    page.keyboard.press("ArrowDown")
    assert page.evaluate("() => document.activeElement.matches('#table .choice, #table [data-at]')")
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("() => document.activeElement.matches('#table .choice, #table [data-at]')")
    page.focus('[data-at="space:0"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#slip[data-kind=why]:not([hidden])")
    page.keyboard.press("Escape")
    assert page.locator("#slip").is_hidden()


def test_a_spot_that_cannot_be_used_says_why(visit: Visit) -> None:
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    page.click('[data-at="space:2"]')
    page.wait_for_selector("#slip[data-kind=why]:not([hidden])")
    assert page.inner_text("#slip").strip()
    rule = page.locator("#slip [data-rule]")
    if rule.count():
        number = rule.first.get_attribute("data-rule")
        rule.first.click()
        page.wait_for_selector(f'[id="rule-{number}"].found')


def test_pointing_explains(visit: Visit) -> None:
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    page.hover("#hand .card >> nth=0")
    page.wait_for_selector("#slip[data-kind=explain]:not([hidden])")
    assert page.locator("#slip h4").count() >= 1
    page.hover("#top h1")
    page.wait_for_selector("#slip", state="hidden")


def test_the_rules_are_searched(visit: Visit) -> None:
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    page.click("#open-rules")
    page.click("#tab-rules")
    page.wait_for_selector("#guide .paragraph")
    assert page.locator("#phase-rules .paragraph").count() > 0
    page.fill("#find-rule", "feeding peasant food")
    shown = page.locator("#guide .paragraph:visible")
    assert 0 < shown.count() < page.locator("#guide .paragraph").count()
    page.fill("#find-rule", "zeppelin")
    page.wait_for_selector("#no-rule:not([hidden])")


def test_looking_back_and_returning(visit: Visit) -> None:
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    for _ in range(6):
        choose(page)
    page.locator(".line-at").first.click()
    page.wait_for_selector("body.looking-back")
    assert page.locator(CHOICE).count() == 0
    page.click("[data-step='1']")
    page.wait_for_function("() => Number(document.getElementById('table').dataset.moment) >= 1")
    page.keyboard.press("Escape")
    page.wait_for_selector("body:not(.looking-back)")
    page.wait_for_selector(CHOICE, state="attached")


def test_a_lost_line_is_taken_up_again(visit: Visit) -> None:
    agnes, perrin = visit(), visit()
    open_table(agnes, {0: "me", 1: "link"})
    perrin.goto(agnes.input_value(".invite input"))
    perrin.fill("#name", "Perrin")
    perrin.click("text=Take the seat")
    ready(perrin)
    agnes.wait_for_selector("#waiting", state="detached")
    mover, sleeper = (agnes, perrin) if agnes.locator(CHOICE).count() else (perrin, agnes)
    sleeper.context.set_offline(True)
    choose(mover)
    now = decision(mover)
    sleeper.context.set_offline(False)
    sleeper.evaluate("() => dispatchEvent(new Event('online'))")
    sleeper.wait_for_function("now => Number(document.getElementById('table').dataset.decision) >= now", arg=now)


def test_a_double_click_is_one_click(visit: Visit) -> None:
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    page.locator("#choices .choice.quiet[data-action]").first.dblclick()
    page.wait_for_function("() => document.getElementById('table').dataset.decision === '1'")
    page.reload()  # what the house says, after whatever the second click has sent
    ready(page)
    assert decision(page) == 1


def test_two_tabs_of_one_seat_agree(visit: Visit) -> None:
    page = visit()
    address = open_table(page, {0: "me", 1: "me"})
    other = page.context.new_page()
    other.goto(address)
    ready(other)
    choose(page)
    other.wait_for_function("() => document.getElementById('table').dataset.decision === '1'")
    choose(other)
    page.wait_for_function("() => document.getElementById('table').dataset.decision === '2'")


def test_the_screen_is_handed_over_where_hands_are_hidden(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    from sutler.web.table import table_as_seen

    monkeypatch.setattr(table_as_seen, "knows_hidden_things", lambda *_: True)
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    for _ in range(30):
        page.wait_for_selector("#choices [data-eyes]")
        assert page.locator("#hand").count() == 0, "nobody's hand is shown before the screen is handed over"
        page.click("#choices [data-eyes]")
        page.wait_for_selector("#hand")
        while page.locator(CHOICE).count():
            choose(page)
        if page.locator("#choices [data-eyes]").count():
            return
    raise AssertionError("the other seat's turn never came")


def test_talk_reaches_the_others(visit: Visit) -> None:
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    watcher = visit()
    watcher.goto(page.evaluate("() => document.querySelector('#watch-link').value"))
    ready(watcher)
    page.click("#tab-talk")
    page.fill("#say", "Bread for all!")
    page.keyboard.press("Enter")
    page.wait_for_selector("#talk >> text=Bread for all!")
    watcher.wait_for_selector("#talk >> text=Bread for all!", state="attached")
    page.wait_for_function("() => document.getElementById('say').value === ''", timeout=10_000)
    assert watcher.locator(CHOICE).count() == 0


def test_what_was_said_is_marked_until_it_is_seen(visit: Visit) -> None:
    """At the table, also when one comes back or shuts the sheet over it, and in the lobby: not one's own words, nor what was seen."""
    form = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "link", "name_1": "Perrin"}
    agnes, perrin = visit(), visit(width=390, height=844, has_touch=True, calm=True)
    agnes.goto(agnes.request.post("/tables", form=form, max_redirects=0).headers["location"])
    perrin.goto(agnes.input_value(".invite input"))
    perrin.fill("#name", "Perrin")
    perrin.click("text=Take the seat")
    ready(perrin)
    seat, mark = perrin.url, "#open-log .unread"
    agnes.click("#tab-talk")
    for words in ("Bread for all!", "And beer."):
        agnes.fill("#say", words)
        agnes.press("#say", "Enter")
        perrin.wait_for_selector(mark)
        perrin.goto("/")
        perrin.wait_for_selector(".tables .unread")
        perrin.goto(seat)
        perrin.wait_for_selector(mark)
        perrin.tap("#open-log")
        perrin.tap("#tab-talk")
        perrin.wait_for_selector(mark, state="hidden")
        perrin.tap("[data-side-close]")
    for page in (agnes, perrin):
        page.goto("/")
        assert page.locator(".tables .unread").count() == 1
        assert not page.locator(".tables .unread").is_visible()


def test_theme_and_sound_are_remembered(visit: Visit) -> None:
    page = visit()
    open_table(page, {0: "me", 1: "me"})
    page.click("#theme")
    theme = page.get_attribute("html", "data-theme")
    assert theme == "candle"
    page.click("#sound")
    page.reload()
    ready(page)
    assert page.get_attribute("html", "data-theme") == theme
    assert page.get_attribute("#sound", "aria-pressed") == "true"


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_serious_for_axe(visit: Visit, width: int) -> None:
    """In either theme; on a phone whatever is touched is large enough, too. On a desk test_everywhere.py looks at pages as they open."""
    page = visit(width=width, calm=True, has_touch=width < 500, is_mobile=width < 500)
    found: list[str] = []

    def check(name: str) -> None:
        page.wait_for_selector("html[data-drawn=yes]")
        if width > 500 and name in ("lobby", "guide", "lab", "box", "trouble"):
            return
        found.extend(barred_in_either_theme(page, name))
        found.extend(f"{name}: {one}" for one in page.evaluate(SMALL) if width < 500 and " line-at " not in one)

    page.goto("/")
    check("lobby")
    page.goto("/learn/manor")
    check("guide")
    page.goto("/me")
    page.click("text=Show me a code")
    check("my page")
    page.goto("/lab?game=manor")
    check("lab")
    page.click("text=What does a change do?")
    page.fill("#edit", "[[card]]\nname = 'Tournament'\ngain.glory = 1")
    page.click("text=Play it out")
    check("lab, a wrong question")
    assert page.evaluate(WIDE) == []
    page.click("text=How do I get there?")
    check("lab, a goal")
    page.goto("/lab/box/manor")
    check("box")
    assert page.evaluate(WIDE) == []
    page.goto("/seat/nonsense")
    check("trouble")
    open_table(page, {0: "me", 1: "link", 2: "easy"})
    check("table")
    link = page.locator(".invite input").first.get_attribute("value")
    seat = page.url
    page.goto(link)
    check("invitation")
    page.goto(seat)
    ready(page)
    for name in ("rules", "talk", "log"):
        if width < 1100:
            page.evaluate("() => document.body.classList.add('side-open')")
        page.click(f"#tab-{name}")
        check(name)
    page.evaluate("() => document.body.classList.remove('side-open')")
    open_table(page, {0: "me", 1: "me"})
    for _ in range(40):
        if choose(page) is None or is_over(page):
            break
        if page.locator(".land.legal").count():
            check("placing")
            break
    assert not found, "\n".join(found)


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of manor want compiled rules")
def test_a_question_in_the_lab(visit: Visit) -> None:
    """Wrong at first, then asked, played out while one looks on, read, and forgotten; on a phone."""
    page = visit(width=390, height=844)
    page.goto("/")
    page.click("text=Lab")
    page.wait_for_selector("html[data-drawn=yes]")
    assert not page.is_visible("#edit")
    page.click("text=What does a change do?")
    page.fill("#edit", "[[card]]\nname = 'Tournament'\ngain.glory = 4")
    page.click("text=Who plays, and how often")
    page.fill("#settings", "offers=0 victory=5")
    page.fill("#bots", "random")
    page.fill("#games", "250")
    page.click("text=Play it out")
    assert "field gain.glory" in page.inner_text("[role=alert]")
    page.fill("#edit", page.input_value("#edit").replace("glory", "victory"))
    page.click("text=Play it out")
    page.wait_for_url(re.compile("/lab/[a-z2-7]+$"))
    page.wait_for_selector("#progress[data-state=done]", timeout=600_000)
    assert "250 games a side played" in page.inner_text("#progress")
    assert page.evaluate(WIDE) == [], "nothing runs out of the screen"
    with page.context.expect_page() as opened:
        page.click("text=Read the report")
    opened.value.wait_for_selector("svg")
    assert "does it make a difference?" in opened.value.inner_text("h1")
    page.click("text=Forget it")
    page.wait_for_url(re.compile("/lab$"))
    assert "No question has been asked yet" in page.inner_text("main")


STILL = """() => ["still-waters", "still-print", "still-names"].map(id => document.getElementById(id).querySelectorAll("*").length)"""
"""How much is drawn in the pieces of Bellum's map that are sent once."""


def test_the_printed_map_stays_on_the_page(visit: Visit) -> None:
    """What is printed on Bellum's map is sent with the page and never again: it stands there, once and whole, whatever is clicked."""
    page = visit()
    form = {"game": "bellum", "seat_0": "me", "seat_1": "me"}
    page.goto(page.request.post("/tables", form=form, max_redirects=0).headers["location"])
    page.wait_for_selector("body[data-ready=yes]")
    printed = page.evaluate(STILL)
    assert min(printed) > 3
    for _ in range(4):
        before = page.get_attribute("#table", "data-decision")
        page.locator("#choices .choice[data-action]").first.dispatch_event("click")
        page.wait_for_selector(f"#table:not([data-decision='{before}'])", state="attached")
        page.wait_for_selector("[data-still][hx-morph-skip]", state="attached")
        assert page.evaluate(STILL) == printed
        assert page.locator("[data-still]").count() == 3


def test_a_table_is_opened_once_however_long_it_takes(visit: Visit) -> None:
    """While bots play what came before, the button says so and takes no second touch; whoever comes back finds it as it was."""
    page = visit(width=390, height=844)
    page.goto("/?game=manor")
    sent: list[str] = []

    def held(route: Any) -> None:
        sent.append(route.request.method)
        route.fulfill(status=204)  # nothing comes of it, and the page stays

    page.route("**/tables", held)
    seen = page.eval_on_selector(
        ".go .commit", "one => { one.click(); one.click(); return [one.disabled, one.textContent]; }"
    )
    assert seen == [True, "The table is being set …"]
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.wait_for_selector(".go .commit:enabled >> text=Open the table")
    assert sent == ["POST"]


CUT_CHOICES = """() => [...document.querySelectorAll('.option select')].filter((one) => {
  const whole = one.cloneNode(true);
  whole.style.cssText = 'max-inline-size: none; position: absolute';
  one.after(whole);
  const wanted = whole.getBoundingClientRect().width;
  whole.remove();
  return wanted > one.getBoundingClientRect().width + 1;
}).map((one) => one.selectedOptions[0].text)"""
"""What is chosen in a list that is too narrow for it."""


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_a_new_table_on_a_small_phone(visit: Visit, locale: str) -> None:
    """Six Winters has the most to choose: no choice is cut, and nothing is wider than the screen."""
    page = visit(width=360, height=740, locale=locale)
    page.goto("/?game=sixwinters")
    page.wait_for_selector("html[data-drawn=yes]")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate(CUT_CHOICES) == []
    assert page.evaluate(WIDE) == []
