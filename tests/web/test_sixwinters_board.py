"""The board of Six Winters drawn from a scene: what is lit, that nothing is told by colour alone, that drawings exist."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

import sutler
from sutler.core.text.sentences import Word
from sutler.games.sixwinters.bot.coach import add_dangers_to_view
from sutler.web import sentence_html
from sutler.web.view import jinja_templates
from sutler.web.view.buttons import build_button_rows

SCENE = json.loads(Path(__file__).with_name("sixwinters_scene.json").read_text(encoding="utf-8"))


def drawn(lit: dict[str, list[str]] | None = None, **changes: Any) -> str:
    """Seats, board and desk of the scene as markup, with these spots lit."""
    view = {**copy.deepcopy(SCENE["view"]), "arms": [5, 6], **changes}
    view = add_dangers_to_view(view)
    told = {
        at: [
            {"said": one, "by": one, "label": one, "effect": "", "verb": one.split()[0], "tone": ""} for one in choices
        ]
        for at, choices in (lit or {}).items()
    }
    context: dict[str, Any] = {
        "lit": told,
        "reasons": {},
        "before": None,
        "arms": view["arms"],
        "symbol": jinja_templates.make_symbol_finder("sixwinters"),
    }
    board = jinja_templates.load_board_macros("sixwinters", context)
    seats = "".join(str(board.seat_facts(view, one)) for one in view["seats"])
    return seats + str(board.board(view)) + str(board.hand(view))


PAGES = {
    "table": {},
    "pools": {"overcome": {**SCENE["overcome"], "stage": "pools", "rolled": []}},
    "cancel": {"overcome": SCENE["overcome"]},
    "people": {"stage": "setup", "phase": "advancement"},
    "clear": {"stage": "end", "phase": "clear", "clear": {"picked": None, "paid": [], "rows": []}},
    "over": {"stage": "over", "phase": "score", "score": {**SCENE["view"]["score"], "won": True, "over": True}},
}


@pytest.mark.parametrize("page", PAGES)
def test_every_drawing_is_there(page):
    """No icon of the board is missing from the sprite."""
    used = set(re.findall(r'<use [^>]*href="#([^"]+)"', drawn(**PAGES[page])))
    assert used
    assert used - jinja_templates.list_symbols("sixwinters") == set()
    assert "quill-ink" not in used, "the sign for a drawing that is missing"


@pytest.mark.parametrize("page", PAGES)
def test_every_die_has_a_name_and_a_sign(page):
    """A resource die shows its icon, a rolled one its number, and both are said."""
    dice = re.findall(
        r'<(?:span|button)[^>]*class="die (\w+)[^>]*data-die="\w+:(\d)"[^>]*aria-label="([^"]+)"[^>]*>(.*?)</(?:span|button)>',
        drawn(**PAGES[page]),
        re.S,
    )
    assert len(dice) > 3
    for colour, value, said, inside in dice:
        assert colour == "action" or f"#i-{colour}" in inside
        assert (value in said and f"<b>{value}</b>" in inside) if value != "0" else "not rolled" in said


def test_what_may_be_done_is_lit_where_it_lies():
    """A lit die is a button that says what it does; an unlit one is none."""
    page = drawn({"pool:technology:2": ["create Technology 2"], "cell:2:1:2": ["place Technology 5"]})
    assert re.search(
        r'<button[^>]*data-at="pool:technology:2"[^>]*aria-label="Technology 2; create Technology 2"', page
    )
    assert re.search(r'<button[^>]*data-at="cell:2:1:2"', page)
    assert 'data-at="pool:technology:6"' not in page


def test_what_it_costs_to_go_there():
    """Every other place says its price; a closed one says so."""
    page = drawn()
    assert page.count('class="far"') == 7
    assert page.count("no way in") >= 1


def test_the_dialog_shows_the_chances_before_the_roll():
    """The tally before the commit, and the chance of each ending."""
    page = drawn(**PAGES["pools"])
    assert "What the roll may bring" in page
    assert re.search(r"<b>100%</b><span>to overcome it this round", page)
    assert "cannot be knocked out" in page
    assert "Spent either way" in page


def test_after_the_roll_it_shows_where_that_leads():
    """X6 with nothing cancelled: 1 and 3 hurt before the 4 completes it."""
    page = drawn(**PAGES["cancel"])
    assert "As the roll stands" in page
    assert re.search(r"<b>16</b><span>of 12: overcome", page)


def test_dice_in_sentences():
    """A die in a prompt or a choice is drawn, and said."""
    assert str(sentence_html.render_sentence((Word("die", "Technology 5", "technology:5"),))) == (
        '<span class="die technology" role="img" aria-label="Technology 5">'
        '<svg class="icon" aria-hidden="true"><use href="#i-technology"/></svg><b>5</b></span>'
    )
    assert "<svg" not in str(sentence_html.render_sentence((Word("die", "3", "action:3:plain"),)))


def test_a_row_of_the_year_s_end_is_one_button():
    """A click on what there is for an obstacle chooses it, and explains nothing instead."""
    number = next(iter(SCENE["view"]["obstacles"]))
    clear = {"picked": None, "paid": [], "rows": [{"id": int(number), "have": 13, "dice": []}]}
    page = drawn({f"obstacle:{number}": ["clear it"]}, stage="end", phase="clear", clear=clear)
    row = re.search(rf'<button[^>]*data-at="obstacle:{number}".*?</button>', page, re.S)
    assert row
    assert "13 of" in row[0]
    assert not re.search(r'class="[^"]*\bsum\b', row[0])


def test_a_mission_on_offer_says_what_is_for_a_difficult_one_only():
    """3.3, 3.4: the second line of the setup comes only with the star; the last missions say what they ask for."""
    offers = {one["name"]: one for one in sutler.load("sixwinters").new(2, seed=1).view(0)["offers"]}
    page = drawn(stage="setup", phase="missions", offers=list(offers.values()))
    assert [one.startswith("If difficult: ") for one in offers["The Blue Robe"]["setup"]] == [False, True]
    assert page.count('aria-label="if difficult"') == 3
    assert "If difficult" not in page


def test_a_full_pool_says_how_many_dice_must_find_room():
    """In late years a pool holds five dice and more: they grow smaller rather than lie under the next resource's name."""
    pools = {**SCENE["view"]["pools"], "diplomacy": [1, 2, 3, 4, 5, 6, 6], "military": []}
    levels = {**SCENE["view"]["levels"], "diplomacy": 5, "military": 3}
    page = drawn(pools=pools, levels=levels)
    room = {kind: int(n) for kind, n in re.findall(r'<div class="node (\w+)" style="[^"]*--n:(\d+)"', page)}
    assert room["diplomacy"] == 7
    assert room["military"] == 3


def test_the_lesser_ways_to_be_done_lie_behind_one_button():
    """5.9: saving as many dice as may be is a button of its own; one lesser way alone stays in the row."""

    def asked(*texts: str) -> list[dict[str, str]]:
        tones = ["quiet"] * (len(texts) - 1) + ["commit"]
        return [
            {"text": text, "tone": tone, "at": "", "verb": "done, saving"}
            for text, tone in zip(texts, tones, strict=True)
        ]

    _offered, (rest, folded) = build_button_rows(asked("Done: save nothing", "Done: save 1 of 6", "Done: save 2 of 6"))
    assert (folded["kind"], folded["title"]) == ("folded", "Done: save")
    assert [one["label"] for one in folded["choices"]] == ["nothing", "1 of 6"]
    assert [one["text"] for one in rest["choices"]] == ["Done: save 2 of 6"]
    _offered, (row,) = build_button_rows(asked("Done: save nothing", "Done: save 1 of 1"))
    assert [one["text"] for one in row["choices"]] == ["Done: save nothing", "Done: save 1 of 1"]


def test_what_stays_in_reach_fits_one_row_of_a_phone():
    """Three characters to go over to and an end are more than fit: those of one kind lie behind one button, the end stands alone."""
    over = [
        {"text": f"Over to {name}", "tone": "quiet", "at": "", "verb": "step"} for name in ("Menas", "Keel", "Thea")
    ]
    done = {"text": "Done: save 2 of 5", "tone": "commit", "at": "", "verb": "done, saving"}
    _offered, (folded, single) = build_button_rows([*over, done])
    assert (folded["kind"], folded["title"], len(folded["choices"])) == ("folded", "Over to", 3)
    assert single["choices"] == [done]
    _offered, (row,) = build_button_rows([*over[:2], done])
    assert len(row["choices"]) == 3
