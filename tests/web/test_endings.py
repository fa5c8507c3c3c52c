"""The end of a game as a curve with a unit, and what is in force as words on the board."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import sutler
from sutler.web.table.table_as_seen import compute_chance_curve, find_lead_changes, read_chart_values, spread_evenly
from sutler.web.view import jinja_templates
from sutler.web.view.final_scores import draw_score_chart, has_different_values

from .short import STAKES_TIED, decision, decisions, offered, open_short, wait_for_another


def test_a_turning_point_is_where_somebody_else_leads_alone() -> None:
    """A tie turns nothing, and the first to lead has taken the lead from nobody."""
    rows = [(0, [0.0, 0.0]), (3, [2.0, 1.0]), (6, [2.0, 2.0]), (9, [2.0, 3.0]), (12, [4.0, 3.0])]
    assert find_lead_changes(rows) == [9, 12]
    assert find_lead_changes(rows, max_count=1) == [12]
    assert find_lead_changes([]) == []


@pytest.mark.parametrize(
    ("game", "count", "word"), [("warfarm", "tokens.farmland", "Farmland of each"), ("manor", "", "victory tokens")]
)
def test_a_curve_says_what_it_counts(game: str, count: str, word: str) -> None:
    """WARFARM's curve is of Farmland, which a seat has at every moment, and not of an estimate."""
    assert jinja_templates.read_score_curve(game) == (count, word)
    pos = sutler.load(game).new(seats=3, seed=1)
    told = (
        [seat["tokens"]["farmland"] for seat in pos.view(None)["seats"]] if count else [float(s) for s in pos.scores()]
    )
    assert read_chart_values(pos, count) == told


def test_the_chances_at_the_end_are_those_a_hint_would_have_told() -> None:
    """Hundredths that add up, one row where somebody decided, none where nothing was measured; the last moment is of nobody."""
    pos = sutler.load("manor").new(seats=3, seed=1)
    for _ in range(12):
        pos.play(pos.legal_ids()[0])
    rows = compute_chance_curve(pos, spread_evenly(12, 4))
    assert [decision for decision, _ in rows] == [0, 3, 6, 9, 12]
    assert all(abs(sum(row) - 100) <= 2 for _, row in rows)
    assert spread_evenly(5, 60) == [0, 1, 2, 3, 4, 5]
    drawn = draw_score_chart(
        rows,
        ["Agnes", "Perrin", "Osric"],
        [1, 2, 3],
        jinja_templates.read_shield_charges("manor"),
        description="Chances",
    )
    assert 'aria-label="Chances: Agnes ' in drawn


def test_what_binds_everybody_stands_on_the_board() -> None:
    """3.4: Blight and Peasant Rebellion, until the turn ends; a barred card says which of them bars it."""
    view = sutler.load("manor").new(seats=3, seed=1).view(0)
    context = {
        "lit": {},
        "reasons": {},
        "before": None,
        "symbol": jinja_templates.make_symbol_finder("manor"),
        "look": None,
    }
    board = jinja_templates.load_board_macros("manor", context)
    assert "in-force" not in board.board(view)
    view["bans"] = {"crops": True, "play": True}
    view["phase"] = "work"
    drawn = str(board.board(view))
    assert "Blight" in drawn
    assert "Peasant Rebellion" in drawn
    view["seat"] = next(seat["seat"] for seat in view["seats"] if seat["hand"])
    assert "Peasant Rebellion: not this turn." in str(board.hand(view))


def test_warfarms_reckoning_says_how_far_each_had_come() -> None:
    """14.1-14.4: a row for each road to victory, a column for each seat in the order of the reckoning, the winner's marked."""
    view = sutler.load("warfarm").new(seats=3, seed=1).view(None)
    for seat in view["seats"]:
        seat["goals"][0]["n"] = 10 + seat["seat"]
    board = jinja_templates.load_board_macros(
        "warfarm", {"lit": {}, "reasons": {}, "before": None, "symbol": str, "look": None}
    )
    drawn = str(board.stood(view, [{"seat": 2, "place": 1}, {"seat": 0, "place": 2}, {"seat": 1, "place": 3}]))
    rows = [re.findall(r"<td[^>]*>([^<]+)</td>", row) for row in drawn.split("</tr>")[:-1]]
    assert rows[0] == ["12/24", "10/24", "11/24"]
    assert len(rows) == 3
    assert drawn.count('<td class="won">') == 3
    assert "10 Religion" in drawn


def test_a_level_curve_is_not_drawn() -> None:
    """Six Winters after a year of failures: one point from the first decision to the last."""
    assert not has_different_values([(0, [1.0]), (90, [1.0]), (189, [1.0])])
    assert has_different_values([(0, [1.0]), (90, [1.0]), (189, [2.0])])
    assert has_different_values([(0, [1.0, 0.0]), (189, [1.0, 0.0])])
    assert not has_different_values([])


def draw_board(game: str, view: dict[str, Any]) -> Any:
    """The macros of a game's board; its arms are the first ones."""
    context = {"lit": {}, "reasons": {}, "before": None, "look": None, "arms": [1, 2, 3, 4]}
    return jinja_templates.load_board_macros(game, context | {"symbol": jinja_templates.make_symbol_finder(game)})


def test_the_end_of_six_winters_says_what_the_points_are_worth() -> None:
    """11.8: the ladder of titles under the reckoning, with the one that was reached; the journal without years nobody played."""
    view = sutler.load("sixwinters", sessions=1).new(seats=2, seed=1).view(None)
    drawn = str(draw_board("sixwinters", view).after_reckoning(view))
    assert re.findall(r'<li style="--a:0" class="on">(\w+)<small>1–10', drawn) == ["Beginner"]
    assert "Grand Champion of Brightdune" in drawn
    assert 'class="journal"' in drawn


def test_whose_result_is_read_first_is_asked_beside_what_they_have_come_to() -> None:
    """11.2: two missions, one of them met in half, stood nowhere while the order of their results was asked."""
    pos = sutler.load("sixwinters", sessions=1).new(seats=2, seed=1)
    while len(pos.view(None)["missions"]) < 2:
        pos.play(pos.legal_ids()[0])
    view = pos.view(None) | {"stage": "end", "phase": "results", "results": []}
    board = draw_board("sixwinters", view)
    names = [one["name"] for one in view["missions"]]
    assert (
        re.findall(r'<article class="verdict to-read">.*?</svg>([^<]+?) <', str(board.board(view)), re.DOTALL) == names
    )
    view["results"] = [{"mission": names[0], "passed": False, "text": []}]
    assert str(board.board(view)).count("to-read") == 1


@pytest.mark.parametrize("event", ["more", "offers"])
def test_an_interlude_says_who_stands_where_before_it_is_resolved(event: str) -> None:
    """Three Years, 9.5 and 9.6: more, equal or fewer, as the tracks are now; that asked to be compared in one's head."""
    game, seed = sutler.load("threeyears"), 0
    while True:
        seed += 1
        pos, luck = game.new(seats=3, seed=seed), random.Random(seed)
        while not pos.over and event not in (pos.view(0)["interlude"] or {}):
            pos.play(luck.choice(pos.legal_ids()))
        if not pos.over:
            break
    view = pos.view(0)
    mine = "food" if event == "offers" else "holdings"
    for seat, held in zip(view["seats"], (3, 5, 7), strict=True):
        seat[mine], seat[view["interlude"]["compare"]], seat["standing"] = held, 5, None
    drawn = str(draw_board("threeyears", view).interlude(view, view["interlude"], True))
    places = [
        re.findall(r'<span class="sr">([^<]+)</span>', one) for one in re.findall(r"<dt>(.*?)</dt>", drawn, re.DOTALL)
    ]
    assert places == [[view["seats"][i]["name"]] for i in (2, 1, 0)]
    view["seats"][0]["standing"] = 0  # it was resolved for this seat, which has paid since
    again = str(draw_board("threeyears", view).interlude(view, view["interlude"], True))
    assert view["seats"][0]["name"] in re.findall(r"<dt>(.*?)</dt>", again, re.DOTALL)[0]


def test_a_curve_that_falls_below_nothing_stands_on_its_lowest_line() -> None:
    """Three Years of War ends below 0: the lowest line lay on the words under the picture, at -4 while the axis ended at -3."""
    drawn = draw_score_chart(
        [(0, [0, 0]), (4, [8, -3])], ["Agnes", "Perrin"], [1, 2], jinja_templates.read_shield_charges("threeyears")
    )
    lines = [float(y) for y in re.findall(r'class="grid" d="M\d+ ([\d.]+)H', drawn)]
    below = float(re.search(r'class="tick middle" x="[\d.]+" y="([\d.]+)"', drawn)[1])
    assert below - max(lines) > 18
    assert ">-4</text>" in drawn


def test_warfarms_reckoning_on_time_shows_what_was_compared() -> None:
    """15.1: Farmland, then units. "1, -, -" told nobody why 6 of 24 won before 7 of 24."""
    view = sutler.load("warfarm").new(seats=3, seed=1).view(None)
    board = jinja_templates.load_board_macros(
        "warfarm", {"lit": {}, "reasons": {}, "before": None, "symbol": str, "look": None}
    )
    result = [{"seat": 2, "place": 1}, {"seat": 0, "place": 2}, {"seat": 1, "place": 3}]
    assert "Farmland at the end" not in str(board.stood(view, result))
    view["won_by"] = "time"
    view["seats"][2]["n_units"] = 9
    rows = [re.findall(r"<td[^>]*>([^<]+)</td>", row) for row in str(board.stood(view, result)).split("</tr>")[:-1]]
    assert rows[-2:] == [["6", "6", "6"], ["9", "2", "2"]]


def test_the_curve_carries_what_stands_on_the_shields() -> None:
    """Bellum's powers have crests of their own; rings mark where somebody else has come to lead."""
    assert jinja_templates.read_shield_charges("manor")[:3] == ("deer-head", "boar", "bee")
    crests = jinja_templates.read_shield_charges("bellum")
    assert len(crests) == 4
    assert not set(crests) & {"deer-head", "boar", "bee"}
    drawn = draw_score_chart([(0, [1, 1]), (4, [1, 3]), (8, [1, 4])], ["Agnes", "Perrin"], [3, 4], crests, turning=[4])
    assert f'href="#{crests[2]}"' in drawn
    assert f'href="#{crests[3]}"' in drawn
    assert drawn.count('class="turn s4"') == 1


def test_setting_up_is_a_phase_of_warfarm() -> None:
    """2.3: while seats choose what they begin with, that is what is underlined; later it is gone."""
    pos = sutler.load("warfarm").new(seats=3, seed=1)
    view = pos.view(None)
    assert view["phase"] == view["phases"][0][0] == "start"
    while pos.view(None)["phase"] == "start":
        pos.play(pos.legal_ids()[0])
    assert pos.view(None)["phases"][0][0] == "produce"


def test_a_flat_curve_of_chances_looks_flat() -> None:
    """Of a campaign lost from the beginning, "2, 1, 0" filled the picture as if much had happened."""
    drawn = draw_score_chart(
        [(0, [2]), (4, [0])], ["all"], [1], jinja_templates.read_shield_charges("sixwinters"), least_axis_end=100
    )
    assert [int(one) for one in re.findall(r'class="tick" [^>]*>(\d+)<', drawn)] == [0, 20, 40, 60, 80, 100]
    points = [float(y) for y in re.findall(r"[\d.]+,([\d.]+)", re.search(r'points="([^"]+)"', drawn)[1])]
    assert max(points) - min(points) < 5


# --- In a browser -----------------------------------------------------------------------------------------


def play_out(page: Any) -> None:
    """On to the end of the game, by luck."""
    luck = random.Random(3)
    for _ in decisions(page, 400):
        before, one = decision(page), luck.choice(offered(page))
        page.eval_on_selector(f"#{one['id']}", "one => one.click()")
        wait_for_another(page, before)


@pytest.mark.browser
def test_the_coach_says_that_it_is_over_and_advises_nothing(visit: Callable[..., Any]) -> None:
    """As soon as the last decision is made, and to whoever opens the page later; it is asked about decisions only."""
    page, asked = visit(width=1280, height=800, calm=True), list[str]()

    def advise(route: Any) -> None:
        asked.append(decision(page))
        route.fulfill(status=200, content_type="text/html", body='<h3 data-advised="pass">Pass</h3>')

    page.route("**/hint?coach=true", advise)
    open_short(page, "threeyears", position=STAKES_TIED, coach="yes", **{f"seat_{i}": "me" for i in range(4)})
    play_out(page)
    for opened_anew in (False, True):
        if opened_anew:
            page.reload()
        page.wait_for_selector("#reckoning")
        page.wait_for_function(
            "() => document.querySelector('#coach-says .none')?.textContent.startsWith('Game over.')"
        )
        assert page.locator("#coach-says h3, [data-advised], .choice.advised").count() == 0
    assert asked
    assert decision(page) not in asked


RECKONING = """() => {
  const all = document.getElementById('reckoning'), cells = [...all.querySelectorAll('th, td')];
  const won = [...all.querySelectorAll('thead th')].findIndex((one) => one.matches('.won'));
  const over = (one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth;
  const words = (one) => { const range = new Range(); range.selectNodeContents(one); return range.getBoundingClientRect(); };
  const thin = cells.filter((one) => words(one).width > one.getBoundingClientRect().width + 1);
  const says = (all) => all.map((one) => one.textContent.trim());
  return {
    sideways: document.documentElement.scrollWidth > innerWidth || over(all),
    cut: says([...cells, ...all.querySelectorAll('figure, figcaption, svg.lines-chart')].filter(over).concat(thin)),
    small: says(cells.filter((one) => one.textContent.trim() && parseFloat(getComputedStyle(one).fontSize) < 11.5)),
    unmarked: [...all.querySelectorAll('tr')].filter((row) => [...row.cells].some((one, i) => one.matches('.won') !== (i === won))).length,
    winner: won, ground: won < 0 ? '' : getComputedStyle(all.querySelector('tfoot th + td')).backgroundColor,
    units: says([...all.querySelectorAll('figcaption')]),
    ticks: [...all.querySelectorAll('.lines-chart .tick')].map((one) => one.getBoundingClientRect().height),
  };
}"""
"""What a phone shows of the reckoning: what lies beyond a side, is cut or small, and how the winner's column is marked."""


DRAWN_ALONG = """() => {
  const table = document.getElementById('table'), last = document.getElementById('reckoning').lastElementChild;
  table.scrollTop = table.scrollHeight;
  const room = table.getBoundingClientRect();
  return {
    buttons: document.querySelector('#choices .choice').getBoundingClientRect().bottom < room.top,
    end: last.getBoundingClientRect().bottom <= room.bottom + 1,
  };
}"""
"""Whether the buttons are drawn out of the way with the rest, and the reckoning's end is reached."""


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 360])
def test_a_phones_reckoning_is_whole(visit: Callable[..., Any], width: int) -> None:
    """Three Years with four seats: nothing lies beyond the side, the winner's column is marked from head to foot, curves have a unit."""
    page = visit(width=width, height=844, has_touch=True, calm=True)
    open_short(page, "threeyears", position=STAKES_TIED, **{f"seat_{i}": "me" for i in range(4)})
    play_out(page)
    seen = page.evaluate(RECKONING)
    assert not seen["sideways"]
    assert seen["cut"] == []
    assert seen["small"] == []
    assert seen["winner"] == 1
    assert seen["unmarked"] == 0
    assert seen["ground"] != "rgba(0, 0, 0, 0)"
    assert seen["units"][0].startswith("Renown")
    assert min(seen["ticks"]) >= 8
    assert page.evaluate(DRAWN_ALONG) == {"buttons": True, "end": True}, (
        "in one piece, with nothing that stays in the way"
    )
