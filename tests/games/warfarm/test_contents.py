"""What is in the box of WARFARM, and whether box, guide and pictures agree; what each seat may know of it."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import sutler
from games.warfarm.farms import A, B, farms, owns
from sutler.contract.helpers import offered, play
from sutler.core.files.box import BoxError
from sutler.core.text.sentences import to_plain_text

FOLDER = Path(sutler.__file__).parent / "games" / "warfarm"
BOX = tomllib.loads((FOLDER / "box.toml").read_text(encoding="utf-8"))
GUIDE = (FOLDER / "guide.md").read_text(encoding="utf-8")
SPRITE = (FOLDER / "board" / "icons.svg").read_text(encoding="utf-8")
PARAGRAPHS = re.findall(r"^\*\*(\d+\.\d+)\*\*", GUIDE, re.MULTILINE)


def test_copies_by_level():
    """1.7: four of each design of level I, three of level II, two of level III; twelve, nine and eight cards a deck."""
    for card in BOX["card"]:
        level = card["deck"].split(" ")[-1]
        if card["type"] != "resource":
            assert card["copies"] == {"I": 4, "II": 3, "III": 2}[level], card["name"]
    for branch in ("Farm", "Military", "Religion"):
        designs = [card for card in BOX["card"] if card["deck"].startswith(branch + " ")]
        assert len(designs) == 11


def test_guide_points_at_paragraphs_that_exist():
    assert len(PARAGRAPHS) == len(set(PARAGRAPHS))
    assert set(re.findall(r"\b\d+\.\d+\b", GUIDE)) <= set(PARAGRAPHS)


def test_every_card_has_its_paragraph():
    """11 to 13: one paragraph a design, in the order of the box, under its name."""
    cards = [card for card in BOX["card"] if card["type"] != "resource"]
    assert [card["rule"] for card in cards] == [p for p in PARAGRAPHS if p.split(".")[0] in ("11", "12", "13")]
    for card in cards:
        assert f"**{card['rule']}** *{card['name']}*" in GUIDE


def test_every_option_has_its_paragraph():
    """Chapter 15 follows the options, one paragraph each, in the same order; the house rules are named as ours."""
    assert [option["rule"] for option in BOX["options"].values()] == [p for p in PARAGRAPHS if p.startswith("15.")]
    for name in ("max_rounds", "standstill_rounds", "relief_farmer"):
        assert BOX["options"][name]["label"].startswith("House rule")


def test_rulings_index_is_complete():
    """16.1: it names exactly the paragraphs that hold a ruling."""
    body, index = GUIDE.split("**16.1**")
    ruled = {re.findall(r"^\*\*(\d+\.\d+)\*\*", part, re.MULTILINE)[-1] for part in body.split("> Ruling:")[:-1]}
    assert ruled == set(re.findall(r"\d+\.\d+", index.split("**16.2**")[0]))


def test_every_card_has_a_picture_of_its_own():
    icons = [card["icon"] for card in BOX["card"]]
    assert len(set(icons)) == len(icons)
    assert {f"i-{icon}" for icon in icons} <= set(re.findall(r'<symbol id="([^"]+)"', SPRITE))


def test_designs_by_type():
    """1.5, 1.7: the sheet's counts of each type, its 33 designs together."""
    types = [card["type"] for card in BOX["card"] if card["type"] != "resource"]
    assert {kind: types.count(kind) for kind in set(types)} == {
        "table": 18,
        "once": 6,
        "trap": 5,
        "permanent": 1,
        "miracle": 3,
    }


def test_nine_decks_and_the_resources():
    """1.6: three decks for each branch and one of Resources; what is discarded goes to the discards of its own deck."""
    assert [deck["name"] for deck in BOX["deck"]] == [
        "Resource",
        *(f"{branch} {level}" for branch in ("Farm", "Military", "Religion") for level in ("I", "II", "III")),
    ]
    pos = farms("play", {"hand": ["Surprise Attack", "Steel"]})
    play(pos, "play Surprise Attack", "play Steel")
    piles = {deck["name"]: deck["discards"] for deck in pos.view(A)["decks"] if deck["discards"]}
    assert piles == {"Resource": {"Steel": 1}, "Military III": {"Surprise Attack": 1}}


def test_what_units_are_made_of():
    """1.3: a Farmer and a Water, a Steel or a Religion; for a Cannon 2 Steel."""
    assert BOX["rules"]["recipes"] == {
        "explorer": {"water": 1},
        "soldier": {"steel": 1},
        "disciple": {"religion": 1},
        "cannon": {"steel": 2},
    }


def test_a_token_in_a_unit_is_no_token():
    """1.2: the tenth Religion went into the tenth Disciple; nine are left, and nobody has won."""
    pos = farms("build", {"land": 12, "farmers": 1, "disciples": 9, "religion": 10})
    play(pos, "build Disciple")
    assert owns(pos, A, n_disciples=10, religion=9)
    assert not pos.over


def test_there_is_one_winner():
    """1.1: whoever wins first ends the game, and the others share the second place."""
    pos = farms("play", {"land": 12, "farmers": 11, "hand": ["Farmer"]}, {"disciples": 9}, {})
    play(pos, "play Farmer")
    assert pos.places() == [1, 2, 2]


def test_what_is_reconstructed_can_be_edited():
    """16.2: each design says how many copies there are; with other numbers in the box, that many lie in the deck."""
    pos = sutler.load("warfarm", box={"card": [{"name": "Water Wheel", "copies": 7}]}).new(seats=3)
    assert int(pos.state.deck[pos.game.names["card"].index("Water Wheel")]) == 7


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"card": [{"name": "Mine", "does": "temple2"}]}, "field does"),
        ({"card": [{"name": "Mine", "copies": 40}]}, "table cards are too many"),
        ({"card": [{"name": "Free Market Reform", "prices": {"steel": 0}}]}, "taken for ever"),
        ({"card": [{"name": "Tithing", "workers": {"cannon": 1}}]}, "field workers"),
        ({"rules": {"start": {"farmland": 0}}}, "nobody begins without Farmland"),
        ({"rules": {"start": {"soldier": 1}}}, "only Farmers and tokens"),
        ({"card": [{"name": "Mine", "gain": {"steel": "two"}}]}, 'card]] "Mine", field gain.steel'),
    ],
    ids=str,
)
def test_a_wrong_box_is_refused_in_words(edit, words):
    """A designer is told the card and the field."""
    with pytest.raises(BoxError, match=re.escape(words)):
        sutler.load("warfarm", box=edit)


def test_a_box_of_ones_own():
    """Numbers may be edited and cards added: a Mine of 3 Steel, and a new card that uses a known rule."""
    spring = {"name": "Spring", "deck": "Farm I", "type": "table", "does": "produce", "copies": 1, "gain": {"water": 5}}
    game = sutler.load("warfarm", box={"card": [{"name": "Mine", "gain": {"steel": 3}}, spring]})
    pos = farms("produce", {"table": ["Mine", "Spring"], "farmers": 1}, game=game)
    assert int(pos.state.seats[A].goods[2]) == 3
    assert int(pos.state.seats[A].goods[1]) == 5


# --- 1.9 What is hidden ----------------------------------------------------------------------------


def test_hands_and_traps_are_hidden():
    """1.9: of the others' cards a seat sees number and deck, never the name; a watcher sees no hand at all."""
    pos = farms(
        "play", {"hand": ["Lost Homeland"], "traps": ["Martyrdom"]}, {"hand": ["The Great Flood"], "traps": ["Guard"]}
    )
    mine, theirs = pos.view(A)["seats"][A], pos.view(A)["seats"][B]
    assert (mine["hand"], mine["traps"][0]["card"]) == (["Lost Homeland"], "Martyrdom")
    assert (theirs["hand"], theirs["traps"][0]["card"], theirs["n_hand"]) == (None, None, 1)
    assert theirs["backs"] == [("Military II", 1), ("Religion III", 1)]  # hand and Traps together
    assert theirs["traps"][0]["deck"] is None
    seen = json.dumps({**pos.view(None), "cards": {}, "decks": []})
    assert not any(name in seen for name in ("Lost Homeland", "Martyrdom", "The Great Flood", '"Guard"'))


def test_a_drawn_card_is_told_to_its_owner_only():
    """3.8: the others read which deck it came from."""
    pos = farms("produce", {"away": {"Farm III": 1}})
    drawn = [to_plain_text(line.sentence) for line in pos.log(A) if line.kind == "drew_card"]
    assert len(drawn) == 1
    for viewer in (B, None):
        assert not [line for line in pos.log(viewer) if line.kind == "drew_card"]
        assert [line for line in pos.log(viewer) if line.kind == "drew"]


def test_redeals_keep_what_is_known():
    """1.9: number and deck of every hidden card stay, own cards stay; the cards themselves change."""
    hidden = {"hand": ["Water Wheel", "Irrigation", "Wild"], "traps": ["Guard"]}
    pos = farms("play", {"hand": ["Conscription Reform", "Farmer"]}, hidden)
    hands = set()
    for seed in range(12):
        world = pos.for_seat(A, seed).redeal()
        assert world.seats[A].tobytes() == pos.state.seats[A].tobytes()
        twin = pos.copy()
        twin.state = world
        assert twin.view(A) == pos.view(A)
        hands.add(world.seats[B].hand.tobytes())
    assert len(hands) > 3


def test_a_trap_of_two_kinds_is_a_secret():
    """1.9, 10.3: with a second kind of Trap in the deck a redeal may turn the one into the other."""
    pit = {"name": "Pit", "deck": "Military I", "type": "trap", "does": "monk", "copies": 4}
    game = sutler.load("warfarm", box={"card": [pit]}, hidden_traps=False)
    pos = farms("play", {"hand": ["Farmer"]}, {"traps": ["Pit"]}, game=game)
    assert pos.view(A)["seats"][B]["traps"][0]["deck"] == "Military I"
    seen = {int(pos.for_seat(A, seed).redeal().seats[B].traps[0]) for seed in range(20)}
    assert {game.names["card"][card] for card in seen} == {"Pit", "Forced Reinforcement"}


def test_a_hand_that_cannot_be_played_is_asked_all_the_same():
    """1.9: ending the play step unasked would tell the others that nothing could be played."""
    pos = farms("play", {"hand": ["Lost Homeland"]})
    assert pos.seat == A
    assert offered(pos) == {"end playing"}
