"""Lessons at the table: asked for by plain requests, and one played in a browser by clicking, on a desk and on a phone."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.core.play.registry import find_game_folder
from sutler.core.text.coaching import read_coaching
from sutler.core.text.lesson import read_lessons
from sutler.web.app import create_app
from sutler.web.errors import Refused
from sutler.web.table.teaching import hints
from sutler.web.view.recent_moves import find_certain_changes
from web.conftest import actions, facts

from .everywhere import barred
from .short import decision, open_short, wait_for_another

Visit = Callable[..., Any]
LESSONS = [
    (game, name)
    for game in ("manor", "bellum", "threeyears", "warfarm", "sixwinters")
    for name in read_lessons(find_game_folder(game))
]


def sit_down(client: TestClient, game: str = "manor", name: str = "first") -> str:
    """The table of a lesson; returns its address."""
    answer = client.post(f"/learn/{game}/{name}")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def said(page: str) -> tuple[int, str, str]:
    """The step that is shown, what is waited for, and the answer to a wrong click."""
    step, wanted = re.search(r'id="saying"[^>]*data-step="(\d+)"[^>]*data-wanted="([^"]*)"', page).groups()
    answer = re.search(r'id="answer"[^>]*>.*?<span>(.*?)</span>', page, re.DOTALL)[1]
    return int(step), html.unescape(wanted), html.unescape(re.sub(r"<[^>]+>", "", answer))


def guided(client: TestClient, seat: str, do: str, step: int) -> str:
    return client.post(f"{seat}/lesson", data={"do": do, "step": step}).text


def go_to(client: TestClient, seat: str, step: int) -> str:
    """Let it be shown up to a step."""
    page = client.get(seat).text
    while said(page)[0] < step:
        page = guided(client, seat, "show" if said(page)[1] else "on", said(page)[0])
    return page


def chosen(client: TestClient, seat: str, page: str, action: str) -> str:
    decision = facts(page)["decision"]
    return client.post(f"{seat}/play", data={"action": action, "decision": decision}).text


def test_a_lesson_is_done_by_doing_what_is_waited_for(client: TestClient) -> None:
    seat = sit_down(client)
    page = go_to(client, seat, 4)
    assert said(page) == (4, "place Plow Team", "")
    page = chosen(client, seat, page, "place Plow Team")
    assert said(page) == (5, "on Good Fields", "")
    page = chosen(client, seat, page, "on Good Fields")
    assert said(page)[0] == 6
    assert "Goats" in page[page.index('id="space-5"') :][:3000], "Perrin has done what the lesson says he does"


def test_a_wrong_choice_is_answered_and_not_played(client: TestClient) -> None:
    seat = sit_down(client)
    page = go_to(client, seat, 4)
    before = facts(page)["decision"]
    page = chosen(client, seat, page, "place Wheat")
    assert said(page)[2] == "That comes later. Plow Team first: it must lie before Wheat to help it."
    assert facts(page)["decision"] == before
    assert 'class="toast"' not in page
    page = chosen(client, seat, page, "place Bread")
    assert "no action called 'place Bread'" in said(page)[2]
    page = client.get(seat).text
    assert said(page)[2] == "", "the answer is gone when the page is opened again"
    page = guided(client, seat, "on", 4)
    assert said(page) == (4, "place Plow Team", "Do it first, or let it be shown to you.")
    assert said(chosen(client, sit_down_anew(client), page, "pass"))[2] == "In a moment: go on first."


def sit_down_anew(client: TestClient) -> str:
    """Somebody else's lesson, at its first step."""
    client.cookies.clear()
    return sit_down(client)


def test_back_takes_the_game_back(client: TestClient) -> None:
    seat = sit_down(client)
    page = go_to(client, seat, 9)
    decisions = int(facts(page)["decision"])
    page = chosen(client, seat, page, "place Bakery")
    assert said(page)[:2] == (9, "on Village")
    page = guided(client, seat, "back", 9)
    assert said(page)[:2] == (9, "place Bakery"), "half a step back is the beginning of the step"
    assert int(facts(page)["decision"]) == decisions
    page = guided(client, seat, "back", 9)
    page = guided(client, seat, "back", 8)
    assert said(page)[:2] == (7, "place Wheat"), "the others' doing is taken back too"
    assert int(facts(page)["decision"]) == decisions - 3
    stale = client.post(f"{seat}/lesson", data={"do": "back", "step": 12})
    assert stale.status_code == 409
    page = guided(client, seat, "again", 7)
    assert said(page)[0] == 1
    assert facts(page)["decision"] == "0"
    assert "Back takes you back" in said(client.post(f"{seat}/undo", data={"decision": 0}).text)[2]


def test_a_lesson_is_kept_where_one_stopped(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with TestClient(create_app(url, bot_pause=0.0, warm=False), follow_redirects=False) as client:
        seat = sit_down(client)
        go_to(client, seat, 7)
        assert "First lesson, step 7 of 13" in client.get("/").text
        assert sit_down(client) == seat, "whoever asks for it again comes to where it was left"
        cookies = dict(client.cookies)
    with TestClient(create_app(url, bot_pause=0.0, warm=False), follow_redirects=False, cookies=cookies) as client:
        page = client.get(seat).text
        assert said(page)[:2] == (7, "place Wheat")
        page = guided(client, seat, "back", 7)
        assert said(page)[0] == 6
        page = go_to(client, seat, 13)
        assert "The game is over" in page
        lobby = client.get("/").text
        assert "First lesson" not in lobby, "a lesson that is done is neither open nor to be replayed"
        assert sit_down(client) != seat


def test_a_lesson_is_nobody_elses(client: TestClient) -> None:
    seat = sit_down(client)
    assert 'href="/watch/' not in client.get(seat).text
    client.cookies.clear()
    assert "Seed, loaf" not in client.get("/").text
    assert client.post("/learn/manor/third").status_code == 404
    assert client.post("/learn/chess/first").status_code == 404


# --- In a browser -----------------------------------------------------------------------------------------


def opened(page: Any, game: str = "manor", name: str = "first") -> None:
    """A lesson from its beginning, drawn."""
    answer = page.request.post(f"/learn/{game}/{name}", max_redirects=0)
    page.goto(answer.headers["location"])
    page.wait_for_selector("html[data-drawn=yes]")
    page.wait_for_selector("body[data-lit=yes]")


def moved_on(page: Any, click: Callable[[], object]) -> None:
    """Click, and wait for the new picture and the new frame."""
    before = page.get_attribute("#table", "data-version")
    page.evaluate("document.body.dataset.lit = ''")
    click()
    page.wait_for_function("was => document.getElementById('table').dataset.version !== was", arg=before)
    page.wait_for_selector("body[data-lit=yes]")


FRAMED = """() => {
  const frame = document.querySelector('.lit-frame').getBoundingClientRect();
  return frame.width > 12 && frame.height > 12 && frame.left >= 0 && frame.top >= 0
    && frame.right <= innerWidth && frame.bottom <= innerHeight;
}"""
"""In sight, and more than the frame’s own edge, which is eight pixels wide: what it is about is larger than a pixel."""


SPARED = """() => {
  const hand = document.querySelector('.lit-frame svg').getBoundingClientRect();
  const below = document.elementFromPoint(hand.x + hand.width / 2, hand.y + hand.height / 2);
  return !hand.width || !below?.closest('h1');
}"""
"""The hand lies over no title."""


@pytest.mark.browser
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["desk", "phone"])
def test_a_lesson_is_played_by_clicking(visit: Visit, width: int, dark: bool) -> None:
    page = visit(width=width, dark=dark, has_touch=width < 500)
    opened(page)
    found: list[str] = []
    told: list[str] = []
    for _ in range(40):
        step, wanted = page.get_attribute("#saying", "data-step"), page.get_attribute("#saying", "data-wanted")
        assert page.evaluate(FRAMED), (step, wanted)
        assert page.evaluate(SPARED), (step, wanted)
        if step in ("1", "7", "13"):
            found += barred(page, f"step {step}")
        if page.locator("#lesson a.commit").count():
            break
        if not wanted:
            moved_on(page, lambda: page.click("#lesson [data-do=on]"))
            continue
        if wanted == "on Good Fields":  # a land that is not lit, then one that is, but is not meant
            page.click('[data-at="space:6"]')
            page.wait_for_selector("#answer:not([hidden])")
            told.append(page.inner_text("#answer"))
            page.click('[data-at="space:3"]')
            page.wait_for_function("was => document.getElementById('answer').innerText !== was", arg=told[0])
            told.append(page.inner_text("#answer"))
        spot = json.loads(page.get_attribute("#saying", "data-spots") or "[]")[:1]
        aim = page.locator(f'#table [data-at="{spot[0]}"], #seats [data-at="{spot[0]}"]') if spot else None
        button = page.locator(f'#choices [data-action="{wanted}"]')
        aim = aim if aim is not None and aim.count() and aim.first.is_visible() else button
        moved_on(page, aim.first.click)
    assert page.inner_text("#lesson .way b") == "13 of 13"
    assert page.inner_text("#seat-0 .score").strip() == "15"
    assert told[0].startswith("The card does not belong on this land."), told
    assert told[1] == "That land gives less; look between the other two fields."
    assert found == []
    page.click("#lesson a.commit")
    page.wait_for_url(re.compile("/learn/manor"))


TAKES = """() => {
  const { left, top, width, height } = document.querySelector('.lit-frame').getBoundingClientRect();
  const below = document.elementFromPoint(left + width / 2, top + height / 2);
  return document.querySelector('#saying').dataset.wanted === '' || below?.closest('button, [data-at]')?.closest('#table, #seats') != null;
}"""
"""Where something is to be done, it can be done in the middle of what is framed: nothing lies over it, no slip, no other part."""


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(("game", "name"), [one for one in LESSONS if one != ("manor", "first")])
def test_every_step_frames_something_on_the_table(visit: Visit, game: str, name: str, width: int) -> None:
    """In sight, and where something is to be done, to be touched. The Manor's first is looked at while it is played by clicking."""
    page = visit(width=width, calm=True)
    opened(page, game, name)
    missing = []
    for _ in range(60):
        step = page.get_attribute("#saying", "data-step")
        if not page.evaluate(FRAMED) or not page.evaluate(TAKES):
            missing.append((step, page.get_attribute("#saying", "data-spots")))
        if page.locator("#lesson a.commit").count():
            break
        moved_on(page, lambda: page.click("#lesson [data-do=on], #lesson [data-do=show]"))
    assert page.locator("#lesson a.commit").count() == 1
    assert missing == []


AT_ROW = """() => {
  const frame = document.querySelector('.lit-frame').getBoundingClientRect(), slip = document.getElementById('slip');
  const row = document.elementFromPoint(frame.left + frame.width / 2, frame.top + frame.height / 2)?.closest('#slip .choice');
  const lesson = document.getElementById('lesson').getBoundingClientRect(), lies = slip.getBoundingClientRect();
  const apart = lies.right <= lesson.left || lies.bottom <= lesson.top || lies.left >= lesson.right;
  return !slip.hidden && row ? [row.textContent.trim().replace(/\\s+/g, ' '), apart] : null;
}"""
"""(words of the framed row, whether the slip leaves free what the lesson says) where several things can be done on one spot."""


@pytest.mark.browser
@pytest.mark.parametrize("width", [1440, 390])
def test_of_several_things_on_one_spot_the_one_meant_is_framed(visit: Visit, width: int) -> None:
    """A click on the stress die opens two rows; the frame stayed on the die, and the rows lay over what to do."""
    page = visit(width=width, height=900, calm=True, has_touch=width < 500)
    opened(page, "sixwinters", "second")
    while page.get_attribute("#saying", "data-wanted") != "cancel 5 1":
        moved_on(page, lambda: page.click("#lesson [data-do=on], #lesson [data-do=show]"))
    spot = json.loads(page.get_attribute("#saying", "data-spots") or "[]")[0]
    page.locator(f'#table [data-at="{spot}"]').first.click()
    page.wait_for_selector("#slip .menu")
    page.wait_for_selector(".lit-frame.on-slip")
    assert page.evaluate(AT_ROW) == ["1Cancel the 5 with the 1", True]
    page.keyboard.press("Escape")
    page.wait_for_selector(".lit-frame:not(.on-slip)")


MARKED = """() => [...document.querySelectorAll('.pl .notes > [data-on]')].flatMap(note => {
  const figure = note.closest('.pl'), box = figure.getBoundingClientRect();
  const n = [...note.parentElement.querySelectorAll('[data-on]')].indexOf(note) + 1;
  const marks = [...figure.querySelectorAll('.mark')], mark = marks.find(one => one.textContent === String(n))?.getBoundingClientRect();
  const within = mark && mark.left >= box.left - 1 && mark.right <= box.right + 1 && mark.top >= box.top - 1 && mark.bottom <= box.bottom;
  const alone = mark && marks.every(one => one.textContent === String(n) || Math.hypot(
    one.getBoundingClientRect().left - mark.left, one.getBoundingClientRect().top - mark.top) > 12);
  return within && alone ? [] : [`${note.dataset.on}: ${mark ? 'beside the picture, or on another number' : 'no number'}`];
})"""


@pytest.mark.browser
@pytest.mark.parametrize("game", [game for game, name in LESSONS if name == "first"])
def test_the_numbers_of_the_notes_stand_on_the_picture(visit: Visit, game: str) -> None:
    """Notes 1 to 4 stood beside pictures that bore no numbers: one had to guess what each is about."""
    page = visit(width=1440, height=900, calm=True)
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"/learn/{game}")
        page.wait_for_selector(".pl > .mark")
        page.evaluate("document.fonts.ready")
        assert page.locator(".notes > [data-on]").count() >= 3
        assert page.evaluate(MARKED) == []


# --- What comes before and after a lesson --------------------------------------------------------------------

FIRST_GAME = {"game": "manor", "seat_0": "me", "seat_1": "easy", "seat_2": "easy", "coach": "yes", "watch": "no"}


@pytest.mark.parametrize("game", [game for game, name in LESSONS if name == "first"])
def test_learn_shows_pictures_with_paragraphs_and_leads_to_the_lesson(client: TestClient, game: str) -> None:
    page = client.get(f"/learn/{game}").text
    chapters = re.findall(r'<section class="chap" id="(\w+)" ', page)
    assert re.findall(r'<li><a href="#(\w+)"><b>\d</b>', page) == chapters
    assert len(chapters) >= 6
    assert 'id="play"' in page
    assert '<li><a href="#play">' in page, "whoever reads no further finds the first game"
    assert page.count('<figure class="pl') >= 5
    assert "&lt;b&gt;" not in page
    assert page.count(f'action="/learn/{game}/first"') == 2
    for rule in re.findall(r'href="#rule-([\d.]+)"', page):
        assert f'id="rule-{rule}"' in page, f"{rule} is no paragraph of the guide"


def first_games(client: TestClient, game: str) -> list[dict[str, str]]:
    """The forms of a Learn page that open a first game, then a whole one."""
    page = client.get(f"/learn/{game}").text.split('class="ways-in"')[1]
    forms = re.findall(r'action="/tables">(.*?)<button', page, re.DOTALL)
    return [dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form)) for form in forms]


def test_a_first_game_has_easy_bots_and_a_coach(client: TestClient) -> None:
    form = first_games(client, "manor")[0]
    assert {key: form[key] for key in FIRST_GAME} == FIRST_GAME
    table = client.get(client.post("/tables", data=form).headers["location"]).text
    assert 'id="coach"' in table
    assert table.count("easy bot") == 2


def test_a_partner_in_a_first_game_is_no_weak_one(client: TestClient) -> None:
    """Six Winters is won or lost together: beside an easy bot a first year was harder, not easier."""
    assert [form["seat_1"] for form in first_games(client, "sixwinters")] == ["normal", "normal"]
    assert "with 1 normal bot and a coach" in client.get("/learn/sixwinters").text


@pytest.mark.parametrize("game", [game for game, name in LESSONS if name == "first"])
def test_what_comes_next_is_offered_first(client: TestClient, game: str) -> None:
    """The red button: the first lesson, after it a first game, after that the whole game; both ends lead there."""
    for after, wanted in (("", "Play the first lesson"), ("lesson", "Play a first game"), ("game", "The whole game")):
        ways = client.get(f"/learn/{game}", params={"after": after}).text.split('class="ways-in"')[1]
        red = re.findall(r'<button class="choice commit">.*?<span>(.*?)<small>', ways, re.DOTALL)
        options = read_coaching(find_game_folder(game)).first_game.options
        assert [one.split(",")[0] for one in red] == [wanted if options or not after else "Play a first game"]
    seat = sit_down(client, game)
    last = len(read_lessons(find_game_folder(game))["first"].step)
    assert f'href="/learn/{game}?after=lesson#play"' in go_to(client, seat, last)


@pytest.mark.parametrize("game", [game for game, name in LESSONS if name == "first"])
def test_a_first_game_leaves_out_what_its_coach_names_and_nothing_else(
    client: TestClient, app: FastAPI, game: str
) -> None:
    """What the Learn page opens after a lesson: first with less, then a game as printed, with every switch as the box has it."""
    wanted = read_coaching(app.state.house.shelf.find_game_folder(game)).first_game
    forms = first_games(client, game)
    assert len(forms) == 1 + bool(wanted.options)
    opened = [client.post("/tables", data=form).headers["location"].split("/")[-1] for form in forms]
    assert [app.state.house.find_seat(token)[0].created.options for token in opened] == [wanted.options, {}][
        -len(forms) :
    ]
    assert (not wanted.text) == (not wanted.options)
    assert html.escape(wanted.text) in client.get(f"/learn/{game}").text


def test_the_coach_names_one_legal_choice_and_why(client: TestClient) -> None:
    ours = {**FIRST_GAME, "seat_1": "me", "seat_2": "none"}  # no bot that decides meanwhile
    seat = client.post("/tables", data=ours).headers["location"]
    page = client.get(seat).text
    page = page if "data-action=" in page else client.get(f"{seat}?eyes=1").text
    told = client.get(f"{seat}/hint?coach=true").text
    advised = html.unescape(re.search(r'data-advised="([^"]+)"', told)[1])
    assert f'data-action="{html.escape(advised)}"' in page
    assert 'class="because"' in told


def test_the_coach_tells_what_is_certain_and_teaches(client: TestClient) -> None:
    """What a move brings in every redeal is told in numbers; the game's own sentence stands beside; a beginner is advised Easy."""
    crops = [({"seats": [{"crops": 1, "gold": 2}]}, {"seats": [{"crops": 4, "gold": gold}]}) for gold in (1, 0)]
    assert [(one.label, one.now - one.was) for one in find_certain_changes("manor", 0, crops)] == [("crops", 3)]
    ours = {**FIRST_GAME, "game": "sixwinters", "seat_1": "none", "seat_2": "none"}
    seat = client.post("/tables", data=ours).headers["location"]
    for _ in range(6):
        told, page = client.get(f"{seat}/hint?coach=true").text, client.get(seat).text
        offered = actions(page)
        if "difficulty easy" in offered:
            break
        client.post(f"{seat}/play", data={"action": offered[0], "decision": facts(page)["decision"]})
    assert 'data-advised="difficulty easy"' in told
    assert "Why: it is your first year" in told
    assert 'class="teaches">Easy is for a first year' in told


def test_the_coach_refuses_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it has nothing to say, nobody is told off for a question that nobody has asked."""

    def refused(*_: object) -> None:
        raise Refused("A hint is for the seat that decides.")

    seat = client.post("/tables", data=FIRST_GAME).headers["location"]
    monkeypatch.setattr(hints, "_request_hint", refused)
    assert "A hint is for" in client.get(f"{seat}/hint").text
    assert client.get(f"{seat}/hint?coach=true").status_code == 204


def test_no_bot_at_a_first_table_has_ones_own_name(client: TestClient) -> None:
    """A newcomer who is called Perrin would play against "Perrin 2"."""
    client.post("/name", data={"name": "Perrin"})
    table = client.get(client.post("/tables", data=FIRST_GAME).headers["location"]).text
    assert "Perrin 2" not in table
    assert "Agnes" in table


def test_no_bot_takes_the_name_that_one_gives_oneself_at_this_table(client: TestClient) -> None:
    """Whose browser is known as Perrin may sit down as Agnes: no bot is called either, or "Agnes 2"."""
    client.post("/name", data={"name": "Perrin"})
    form = {"game": "warfarm", "seat_0": "me", "name_0": "Agnes", "seat_1": "easy", "seat_2": "easy"}
    table = client.get(client.post("/tables", data=form).headers["location"]).text
    assert "Agnes 2" not in table
    assert "Osric" in table
    assert "Hilde" in table


def test_a_first_game_of_bellum_has_a_power_for_each_as_in_the_lesson(client: TestClient) -> None:
    for form in first_games(client, "bellum"):
        assert [form[f"seat_{i}"] for i in range(4)] == ["me", "easy", "easy", "easy"]


def test_a_first_table_lays_as_many_places_as_the_game_is_best_with(client: TestClient) -> None:
    """Six Winters is a game for two: in the lobby, on Learn and in the lab."""
    for form in first_games(client, "sixwinters"):
        seats = {key: value for key, value in form.items() if key.startswith("seat_")}
        assert seats == {"seat_0": "me", "seat_1": "normal"}
    lobby = client.get("/?game=sixwinters").text
    assert re.findall(r'name="(seat_\d)" value="none" checked', lobby) == ["seat_2", "seat_3"]
    assert 'id="seats" type="number" name="seats" value="2"' in client.get("/lab?game=sixwinters").text


WITHIN = """part => {
  const { left, top, right, bottom } = document.querySelector('.lit-frame').getBoundingClientRect();
  return [[left + 9, top + 9], [right - 9, top + 9], [left + 9, bottom - 9], [right - 9, bottom - 9]]
    .every(([x, y]) => document.elementFromPoint(x, y)?.closest(part));
}"""
"""What is framed is seen to its corners: nothing of it is scrolled away under something else."""


@pytest.mark.browser
def test_whoever_comes_back_on_a_phone_is_shown_what_is_meant(visit: Visit) -> None:
    """Six Winters shows one part of its board at a time: the tracks are brought, and framed where they lie, also when the page is new."""
    page = visit(width=390, height=844, has_touch=True, calm=True)
    opened(page, "sixwinters")
    seat = page.url
    for step in (1, 2):
        assert page.request.post(f"{seat}/lesson", form={"do": "on", "step": str(step)}).ok
    page.goto(seat)
    page.wait_for_selector("body[data-lit=yes]")
    assert page.get_attribute("#saying", "data-step") == "3"
    assert page.evaluate(FRAMED)
    assert page.evaluate(WITHIN, ".tracks")


@pytest.mark.browser
def test_the_coach_drops_what_it_said_as_soon_as_something_else_is_asked(visit: Visit) -> None:
    """While it thought, it said "Play Farmer" though units were to be built; here it thinks for ever."""
    page = visit(calm=True)
    open_short(page, "manor", coach="yes", seat_1="easy")
    page.wait_for_selector("#coach-says h3")
    page.route("**/hint?coach=true", lambda route: None)
    before = decision(page)
    page.locator("#choices .choice[data-action]").first.click()
    wait_for_another(page, before)
    page.wait_for_selector("#coach-says .none")
    assert page.locator("#coach-says h3").count() == 0


def test_the_newest_line_of_the_log_stays_in_sight_when_the_coach_has_spoken(visit: Visit) -> None:
    """The coach thinks, then its slip grows; the log below it is shorter then, and showed its last line cut in two."""
    page = visit(1440, 900, calm=True)
    open_short(page, "manor", coach="yes", seat_1="easy")
    page.wait_for_selector("#coach-says h3")
    to_end = "() => { const log = document.getElementById('log'); return log.scrollHeight - log.scrollTop - log.clientHeight; }"
    add_lines = """() => {
      const lines = document.getElementById("lines");
      for (let i = 0; i < 60; i++) lines.append(Object.assign(document.createElement("li"), { textContent: "a line" }));
    }"""
    page.evaluate(add_lines)
    page.evaluate("() => { const log = document.getElementById('log'); log.scrollTop = log.scrollHeight; }")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    before = page.evaluate("document.getElementById('log').clientHeight")
    page.evaluate("() => { document.getElementById('coach-says').style.paddingBottom = '90px'; }")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("document.getElementById('log').clientHeight") < before, "the slip has grown"
    assert page.evaluate(to_end) < 2
    page.evaluate("() => { document.getElementById('log').scrollTop = 20; }")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("() => { document.getElementById('coach-says').style.paddingBottom = '40px'; }")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("document.getElementById('log').scrollTop") == 20, "whoever reads above is left there"


SEEN_OF_THE_BOARD = """() => {
  const plate = document.querySelector('#table .plate').getBoundingClientRect();
  return { about: document.body.dataset.about, high: Math.round(plate.height) };
}"""


@pytest.mark.browser
@pytest.mark.parametrize("game", ["manor", "threeyears", "warfarm", "bellum"])
def test_on_the_smallest_phone_the_board_is_seen(visit: Visit, game: str) -> None:
    """Where a lesson is about the board it has the room: claims lay in a strip of 10 px, lands in rows of 25."""
    page = visit(width=360, height=720, has_touch=True, calm=True)
    opened(page, game)
    cramped = []
    for _ in range(60):
        seen = page.evaluate(SEEN_OF_THE_BOARD)
        if seen["high"] and seen["high"] < (170 if seen["about"] == "board" else 56):
            cramped.append((page.get_attribute("#saying", "data-step"), seen))
        if page.locator("#lesson a.commit").count():
            break
        moved_on(page, lambda: page.click("#lesson [data-do=on], #lesson [data-do=show]"))
    assert cramped == []


IN_STRIP = """() => { const row = document.getElementById('choices').getBoundingClientRect();
  const out = (part, one) => { const a = part.getBoundingClientRect(), b = one.getBoundingClientRect();
    return a.left < b.left - 1 || a.right > b.right + 1 || a.bottom > Math.min(b.bottom, row.bottom) + 1; };
  const cut = (one) => [...one.querySelectorAll('span')].some((part) => out(part, one));
  const all = [...document.querySelectorAll('#choices .choice:not(.pad)')].filter((one) => one.getBoundingClientRect().top < row.bottom);
  return [document.body.dataset.about, all.filter(cut).map((one) => one.textContent)]; }"""
"""What a step is about, and which choices of the row that is seen lie beyond their buttons or are cut."""


@pytest.mark.browser
def test_choices_beside_a_lessons_board_are_whole(visit: Visit) -> None:
    """Bellum on the smallest phone: "Lüneburg Braun…" said neither where nor what comes of it; the row is drawn along instead."""
    page = visit(width=360, height=740, has_touch=True, calm=True)
    opened(page, "bellum")
    strips = 0
    for _ in range(11):
        about, cut = page.evaluate(IN_STRIP)
        if about != "choices":
            assert cut == [], page.get_attribute("#saying", "data-step")
            strips += page.locator("#choices .choice .gain").count()
        moved_on(page, lambda: page.click("#lesson [data-do=on], #lesson [data-do=show]"))
    assert strips > 5
