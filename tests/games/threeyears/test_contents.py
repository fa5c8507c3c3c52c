"""What is in the box of Three Years of War, and whether box, guide, words and tests agree. No rules are played here."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import sutler
from sutler.core.files.box import BoxError
from sutler.games.threeyears.box import GREEN, ICON_NAMES, LOCUSTS
from sutler.games.threeyears.phases_actions_events import ACTIONS, EVENTS, PHASES, REFUSALS

FOLDER = Path(sutler.__file__).parent / "games" / "threeyears"
BOX = tomllib.loads((FOLDER / "box.toml").read_text(encoding="utf-8"))
GUIDE = (FOLDER / "guide.md").read_text(encoding="utf-8")
GAME = sutler.load("threeyears")
PARAGRAPHS = [paragraph.number for paragraph in GAME.guide.paragraphs]
SEASONS = ["spring", "summer", "autumn", "winter"]


def test_claim_cards():
    """1.4: sixteen a season, each icon in its section (the file cannot say it otherwise), every name once."""
    assert Counter(claim["season"] for claim in BOX["claim"]) == dict.fromkeys(SEASONS, 16)
    assert len({claim["name"] for claim in BOX["claim"]}) == 64
    assert all(claim.get("green") or claim.get("red") or claim.get("grey") for claim in BOX["claim"])


def test_seasons_grow_grim():
    """1.4: red and grey icons on a claim card, on average, grow from Spring to Winter."""
    harm = []
    for season in SEASONS:
        cards = [claim for claim in BOX["claim"] if claim["season"] == season]
        harm.append(sum(sum(card.get("red", {}).values()) + sum(card.get("grey", {}).values()) for card in cards))
    spring, summer, autumn, winter = harm
    assert 3 * spring < min(summer, autumn)
    assert 1.5 * max(summer, autumn) < winter


def test_influence_cards():
    """1.5: ninety, of one or two icons, about as many of each season."""
    cards = Counter()
    for card in BOX["influence"]:
        cards[card["season"]] += card.get("copies", 1)
        assert card["icons"] in (1, 2)
    assert cards.total() == 90
    assert max(cards.values()) - min(cards.values()) <= 1


def test_interlude_cards():
    """1.6, 9.2, 9.3, 9.6: six an event; market rows cost four gold together; most battles rank soldiers."""
    assert {event: len(BOX[event]) for event in ("marketplace", "battle", "reaping", "bitter")} == {
        "marketplace": 6,
        "battle": 6,
        "reaping": 6,
        "bitter": 6,
    }
    assert all(sum(row["price"] for row in card["rows"]) == 4 for card in BOX["marketplace"])
    assert sum(card["compare"] == "soldiers" for card in BOX["battle"]) > 3
    assert all(card["pay_food"] >= 1 for card in BOX["reaping"])
    assert all(card["compare"] != "holdings" for card in BOX["bitter"])


def test_tokens():
    """1.7, 1.9, 1.12: how many there are, and Writs with published icons only."""
    assert sum(entry["count"] for entry in BOX["despair"]) == 60
    assert sum(writ["count"] for writ in BOX["writ"]) == 24
    assert {icon for writ in BOX["writ"] for icon in writ["gain"]} <= {*ICON_NAMES[:4], "renown", "hope"}


def test_numbers_in_the_guide_are_those_of_the_box():
    """1.7, 1.12: the guide's reconstructed numbers."""
    text = GAME.guide.find_paragraph("1.7").text.replace("\n", " ")
    for entry in BOX["despair"]:
        assert re.search(rf"\b{entry['count']} (are )?worth {entry['value']}\b", text)
    supply = BOX["supply"]
    assert f"{supply['hope']} Hope and {supply['scout']} Scout tokens" in GUIDE


def test_first_pass_space_is_empty():
    """1.13: the rulebook's example: marker 5 of five brings nothing; no table's last marker does."""
    assert not [marker for marker in BOX["marker"] if marker["space"] == marker["seats"]]


def test_reconstruction_is_marked():
    """1.4, 1.5, 1.6, 1.7, 1.9, 1.12, 1.13, 12.1: in the file, in the guide, in the lobby and in the view."""
    marked = {paragraph.number for paragraph in GAME.guide.paragraphs if paragraph.kind == "reconstruction"}
    assert marked == {"1.4", "1.5", "1.6", "1.7", "1.9", "1.12", "1.13"}
    assert set(BOX["reconstructed"]) <= set(BOX)
    assert "reconstruction" in GAME.info.blurb
    assert "reconstruction" in GAME.info.source
    assert GAME.new(seats=3, seed=1).view()["reconstructed"] == BOX["reconstructed"]


def test_rulings_index_is_complete():
    """12.2: it names exactly the paragraphs that hold a ruling."""
    body, index = GUIDE.split("**12.2**")
    ruled = {re.findall(r"^\*\*(\d+\.\d+)\*\*", part, re.MULTILINE)[-1] for part in body.split("> Ruling:")[:-1]}
    assert ruled == set(re.findall(r"\d+\.\d+", index.split("**12.3**")[0]))


def test_options_have_their_paragraphs():
    """11.1, 11.2, 11.3, 11.4: chapter 11 follows the options in order."""
    assert [option["rule"] for option in BOX["options"].values()] == [p for p in PARAGRAPHS if p.startswith("11.")]


def test_words_point_at_paragraphs_that_exist():
    """Actions, events, refusals and prompts."""
    assert len(PARAGRAPHS) == len(set(PARAGRAPHS))
    named = {block.rule for block in ACTIONS.blocks.values()}
    named |= {event.rule for event in EVENTS.events.values()}
    named |= {one.rule for one in REFUSALS if one.rule} | {one.rule for one in PHASES.rows}
    assert named <= set(PARAGRAPHS)
    assert all(block.label for block in ACTIONS.blocks.values())
    assert all(row.ask and row.now for row in PHASES.rows[1:-1])


def test_sections():
    """7.4: twelve green icons, then locusts, then four red ones."""
    assert (GREEN, ICON_NAMES[LOCUSTS], len(ICON_NAMES)) == (12, "locusts", 17)


def test_table_is_small():
    """Fewer than two thousand actions, and a state of less than four kilobytes."""
    assert ACTIONS.n < 2000
    assert GAME.definition.state.dtype.itemsize < 4096


# --- Boxes of one's own (12.4) ----------------------------------------------------


def edited(**edit):
    return sutler.load("threeyears", box=edit)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"claim": [{"name": "Toll at the Thawed Ford", "green": {"locusts": 1}}]}, r"Toll.*green.locusts"),
        ({"claim": [{"name": "Toll at the Thawed Ford", "red": {"gold": 1}}]}, r"Toll.*red.gold"),
        ({"claim": [{"name": "One More", "season": "spring", "green": {"gold": 1}}]}, "room for 64"),
        ({"influence": [{"name": "Seed Merchant", "icons": 3}]}, r"Seed Merchant.*icons"),
        ({"bitter": [{"name": "The Longest Night", "compare": "holdings"}]}, "against themselves"),
        ({"reaping": [{"name": "Bread before Banners", "compare": "food"}]}, "against itself"),
        ({"reaping": [{"name": "Bread before Banners", "offers": [{"food": 1}]}]}, "must cost food"),
        ({"writ": [{"name": "2 Gold", "gain": {"scout": 1}}]}, r"2 Gold.*gain.scout"),
        ({"marker": [{"seats": 3, "space": 4, "gain": {"gold": 1}}]}, "no space 4"),
        ({"despair": [{"value": 1, "count": 65}]}, "despair"),
    ],
)
def test_wrong_boxes_are_refused_in_words(edit, said):
    """12.4, 1.4, 1.5: the file, the entry and the field."""
    with pytest.raises(BoxError, match=said):
        edited(**edit)


def test_too_few_claims_for_the_table():
    """5.1: three years of five need fifteen cards a season."""
    game = edited(claim=[{"name": name, "remove": True} for name in ("Toll at the Thawed Ford", "The Seed Wagons")])
    game.new(seats=4, seed=1)
    with pytest.raises(BoxError, match="Spring has 14 claim cards, 5 seats need 15"):
        game.new(seats=5, seed=1)


def test_another_card_is_another_box():
    """12.4: an edited card plays, and the box's fingerprint says so."""
    game = edited(claim=[{"name": "Toll at the Thawed Ford", "green": {"gold": 5}}])
    assert game.box_hash != GAME.box_hash
    assert game.box.claim[0].icons[0] == 5


def test_a_whole_list_of_ones_own():
    """12.4: `replace` brings a table whole; what is not a reconstruction any more is no longer marked."""
    writs = [{"name": "A Purse", "count": 3, "gain": {"gold": 1}}, {"name": "A Prayer", "gain": {"hope": 1}}]
    game = edited(replace=["writ"], writ=writs, reconstructed=["claim"])
    assert game.names["writ"] == ["A Purse", "A Prayer"]
    assert game.new(seats=3, seed=1).view()["supplies"]["writs"] == 4
    assert game.new(seats=3, seed=1).view()["reconstructed"] == ["claim"]
    with pytest.raises(BoxError, match="no list of tables"):
        edited(replace=["wirt"])
