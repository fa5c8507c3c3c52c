"""What is in the box of Medieval Manor, and whether box, guide and pictures agree. No rules are played here."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import sutler

FOLDER = Path(sutler.__file__).parent / "games" / "manor"
BOX = tomllib.loads((FOLDER / "box.toml").read_text(encoding="utf-8"))
GUIDE = (FOLDER / "guide.md").read_text(encoding="utf-8")
SPRITE = (FOLDER / "board" / "icons.svg").read_text(encoding="utf-8")
PARAGRAPHS = re.findall(r"^\*\*(\d+\.\d+)\*\*", GUIDE, re.MULTILINE)


def test_counts():
    """1.4: 59 bounties, 32 upgrades and 10 hardships, counted in the rulebook's list; every name once."""
    counts = Counter(card["type"] for card in BOX["card"] for _ in range(card["count"]))
    assert counts == {"bounty": 59, "upgrade": 32, "hardship": 10}
    assert len({card["name"] for card in BOX["card"]}) == 101


def test_lands():
    """2.1: twelve basic lands and four extra; every card's land kinds exist among the basic ones."""
    basic = [land for land in BOX["land"] if not land.get("extra")]
    assert (len(basic), len(BOX["land"])) == (12, 16)
    kinds = {land["kind"] for land in basic}
    assert all(set(card["on"]) <= kinds for card in BOX["card"] if card["type"] != "hardship")


@pytest.mark.parametrize("n_rows", [3, 4])
def test_printed_map_keeps_road_and_river_on_the_edge(n_rows):
    """2.2 and 9.17: the printed order is a lawful map in both sizes."""
    for space, land in enumerate(BOX["land"][: n_rows * 4]):
        row, col = divmod(space, 4)
        assert not land.get("edge") or row in (0, n_rows - 1) or col in (0, 3)
    assert {land["name"] for land in BOX["land"] if land.get("edge")} == {"Road", "River"}


def test_marks_help_what_they_say():
    """5.3: Fodder helps animals; Compost, Cultivar, Manure and Pollination help crops."""
    for card in BOX["card"]:
        helped = {"animals" if mark == "Fodder" else "crops" for mark in card.get("marks", [])}
        assert set(card.get("helps", [])) == helped, card["name"]


def test_every_option_has_its_paragraph():
    """Chapter 9 follows the options, one paragraph each, in the same order."""
    assert [option["rule"] for option in BOX["options"].values()] == [p for p in PARAGRAPHS if p.startswith("9.")]


def test_rulings_index_is_complete():
    """10.1 names exactly the paragraphs that hold a ruling."""
    body, index = GUIDE.split("**10.1**")
    ruled = {re.findall(r"^\*\*(\d+\.\d+)\*\*", part, re.MULTILINE)[-1] for part in body.split("> Ruling:")[:-1]}
    assert ruled == set(re.findall(r"\d+\.\d+", index.split("**10.2**")[0]))


def test_guide_points_at_paragraphs_that_exist():
    assert len(PARAGRAPHS) == len(set(PARAGRAPHS))
    assert set(re.findall(r"\b\d+\.\d+\b", GUIDE)) == set(PARAGRAPHS)


def test_every_card_has_a_picture_of_its_own():
    icons = [card["icon"] for card in BOX["card"]]
    assert len(set(icons)) == len(icons)
    assert {f"i-{icon}" for icon in icons} <= set(re.findall(r'<symbol id="([^"]+)"', SPRITE))


@pytest.mark.parametrize(
    ("card", "field"),
    [({"name": "Wheat", "discount": 1}, "discount"), ({"name": "Mine", "steal": {"what": "card"}}, "steal")],
)
def test_a_field_that_a_card_of_its_type_has_no_use_for(card, field):
    """5.5, 5.8: a bounty lowers no costs and an upgrade steals nothing: better refused than silently without effect."""
    with pytest.raises(sutler.BoxError, match=f"field {field}: means nothing on a card of type"):
        sutler.load("manor", box={"card": [card]})
