"""A box is checked for sense: what the rules take for granted is refused in plain words, with file, entry, field and a suggestion."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import sutler
from sutler.core.files.constraints import find_broken_constraints
from sutler.core.play.game import Game

SIX = "sixwinters"
EVERY_EVENT = list(sutler.load(SIX).definition.printed["event"])
THEA = next(one for one in sutler.load(SIX).definition.printed["character"] if one["name"] == "Thea")
FIRST_SCHEME = sutler.load(SIX).definition.printed["scheme"][0]
MISSION = sutler.load(SIX).definition.printed["mission"][0]
ROUNDS = [
    *sutler.load("bellum").definition.printed["round"][:2][::-1],
    *sutler.load("bellum").definition.printed["round"][2:],
]
NOTHING = dict.fromkeys(("crops", "animals", "gold", "resources", "victory", "peasants", "cards"), 0)
LESS_SCHEME = {"name": FIRST_SCHEME["name"], "effect": [{"name": FIRST_SCHEME["effect"][0]["name"], "remove": True}]}
PEOPLE, CARDS = (sutler.load(SIX).definition.printed[key] for key in ("character", "card"))
STAGE_1 = [one for one in CARDS if one.get("stage") == 1]
HARDSHIPS = [one for one in sutler.load("manor").definition.printed["card"] if one["type"] == "hardship"]
LEADERS = sutler.load("bellum").definition.printed["power"][0]["leaders"]
ALL_ROUNDS = sutler.load("bellum").definition.printed["round"]
RISING = [ALL_ROUNDS[0], {**ALL_ROUNDS[1], "hq_supply": 9}, *ALL_ROUNDS[2:]]
ONE_LEADER = [{"name": LEADERS[1]["name"], "remove": True}]
FOR_SALE = dict.fromkeys(("farmer", "farmland", "steel", "religion", "fire"), -1)
FREE = dict.fromkeys((one["name"] for one in sutler.load("warfarm").definition.printed["deck"]), 0)
FEW_CARDS = sutler.load("threeyears").definition.printed["influence"][:2]
BRIGHTDUNE = next(one for one in sutler.load(SIX).definition.printed["region"] if one["region"] == "brightdune")


def twice_eastkeep() -> dict[str, Any]:
    """Two slots of Brightdune with one location."""
    slots = [dict(one) for one in BRIGHTDUNE["slots"]]
    slots[1]["starting_location"] = slots[0]["starting_location"]
    return {"region": [{"region": "brightdune", "slots": slots}]}


MACHINES = re.compile(r"Input should|Extra inputs|Field required|Value error|validation error")
"""What a checking program says of itself."""


def one_fewer(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return entries[:-1]


IMPOSSIBLE: list[tuple[str, Any, str]] = [
    (
        SIX,
        {"obstacle": [{"name": "Zarrah", "threats": ["technology"]}]},
        '"Zarrah", field threats: a resource whose track',
    ),
    (SIX, {"scheme": [{"name": FIRST_SCHEME["name"], "resource": "technology"}]}, "this one has none (3.5)"),
    (SIX, twice_eastkeep(), '[[region]] "brightdune", field slots.starting_location: a location lies on one slot only'),
    (
        SIX,
        {"card": [{"name": "Tinkering", "picture": [">any >any<"]}]},
        '"Tinkering", field picture: a card has one start',
    ),
    (SIX, {"card": [{"name": "Tinkering", "picture": [">any< any<"]}]}, "a card has one end"),
    (SIX, {"card": [{"name": "Tinkering", "picture": [">any6 any+1<"]}]}, "no dice can finish this card"),
    (SIX, {"character": [{"name": "Thea", "skills": {"lore": 99}}]}, '"Thea", field skills.lore: a rank is at most'),
    (SIX, {"track": [{"resource": "sorcery", "numbers": [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 5]}]}, "never fall"),
    (
        SIX,
        {"character": [{"name": "Thea", "ability": one_fewer(THEA["ability"][:5] + THEA["ability"][6:] * 2)}]},
        "each number once",
    ),
    (
        SIX,
        {
            "scheme": [
                {"name": FIRST_SCHEME["name"], "effect": [{"name": FIRST_SCHEME["effect"][0]["name"], "remove": True}]}
            ]
        },
        "each value from 1 to 6",
    ),
    (SIX, {"mission": [{"name": MISSION["name"], "goal_difficult": []}]}, "the difficult goal asks for all"),
    (
        SIX,
        {"replace": ["event"], "event": one_fewer(EVERY_EVENT)},
        "0 for fall and 3 symbols: each season has one event",
    ),
    (
        SIX,
        {"wheel": ["support", "support", "espionage"]},
        "field wheel: support: a resource stands on the wheel of trade once",
    ),
    (SIX, {"obstacle": [{"name": "Zarrah", "stress": []}]}, "an obstacle gives stress"),
    (
        "manor",
        {"card": [{"name": "Crafts Fair", "convert": {"get": NOTHING}}]},
        "a conversion brings something",
    ),
    (
        "manor",
        {"card": [{"name": "Wheat", "on": ["Fields", "Fields"]}]},
        '"Wheat", field on: a kind of land is named once',
    ),
    (
        "warfarm",
        {"rules": {"recipes": {"soldier": {"steel": 0}}}},
        "field rules.recipes.soldier: a unit costs something",
    ),
    ("warfarm", {"rules": {"miracles_win": 0}}, "field rules.miracles_win: a win by Miracles takes one at least"),
    (
        "threeyears",
        {"rules": {"track_max": 5}, "reaping": [{"name": "Bread before Banners", "pay_food": 6}]},
        '"Bread before Banners", field pay_food: no track holds so much',
    ),
    ("threeyears", {"rules": {"hand_limit": 1}}, "field rules.hand_limit: a hand may hold what it begins with"),
    ("bellum", {"round": ROUNDS}, "[[round]]: year 1618: the years of the rounds follow one another"),
    (SIX, {"character": [{"name": one["name"], "unlocked_at_start": False} for one in PEOPLE]}, "are unlocked when"),
    (
        SIX,
        {"replace": ["card"], "card": [one for one in CARDS if one.get("stage") != 1] + STAGE_1[:2]},
        "stage 1: a stage",
    ),
    (SIX, {"obstacle": [{"name": "Zarrah", "difficulty": -3}]}, "-3 is too small: at least 1"),
    (
        SIX,
        {"location": [{"name": "Eastkeep"}, {"name": "Eastkeep"}]},
        '[[location]] "Eastkeep", field name: used twice',
    ),
    ("manor", {"card": [{"name": "Wheat", "icon": "whaet"}]}, "field icon, 'whaet' (did you mean 'wheat'?)"),
    ("warfarm", {"card": [{"name": "Farmer", "icon": "framer"}]}, "field icon, 'framer' (did you mean 'farmer'?)"),
    ("manor", {"card": [{"name": "Wheat", "count": -1}]}, '"Wheat", field count: -1 is none of'),
    ("manor", {"card": [{"name": "Wheat", "gain": {"corps": 3}}]}, "no such field; did you mean 'crops'?"),
    ("manor", {"card": [{"name": "Wheat", "on": ["Feilds"]}]}, "did you mean 'Fields'?"),
    ("manor", {"land": [{"name": "River", "remove": True}]}, "[[land]]: 11 basic lands do not fill rows of 4"),
    ("manor", {"land": [{"name": "River"}, {"name": "River"}]}, '[[land]] "River", field name: used twice'),
    ("manor", {"card": [{"name": "Plague", "on": ["Fields"]}]}, "means nothing on a card of type hardship"),
    ("manor", {"card": [{"name": "Wheat", "on": []}]}, "name at least one kind of land"),
    ("manor", {"card": [{"name": "Crafts Fair", "convert": {"give": NOTHING}}]}, "a conversion must cost something"),
    ("manor", {"card": [{"name": "Wheat", "steal": {"what": "good", "count": 0}}]}, "steal.count: 0 is too small"),
    ("manor", {"replace": ["card"], "card": HARDSHIPS}, "[[card]]: some card is no hardship"),
    ("warfarm", {"card": [{"name": "Farmer", "copies": 101}]}, "101 is too large: at most 100"),
    ("warfarm", {"card": [{"name": "Farmer", "deck": "Resorce"}]}, "did you mean 'Resource'?"),
    (
        "warfarm",
        {"card": [{"name": "Pious", "fees": {"Relgion I": 1}}]},
        "field fees.Relgion I: 'Relgion I' is none of",
    ),
    ("warfarm", {"card": [{"name": "Pious", "fees": {"Relgion I": 1}}]}, "did you mean 'Religion I'?"),
    ("warfarm", {"rules": {"start": {"farmland": 2, "farmer": 9}}}, "rules.start: nobody begins with more units"),
    ("warfarm", {"rules": {"farm_win": {"farmland": 6, "farmer": 2}}}, "rules.farm_win: what the farms begin with"),
    ("warfarm", {"card": [{"name": "Farmer", "workers": {"farmer": 1}}]}, '"Farmer", field workers: workers stand on'),
    ("warfarm", {"rules": {"cannon_shots": 0}}, "rules.cannon_shots: a Cannon that is manned shoots"),
    ("warfarm", {"card": [{"name": "Wild", "prices": FOR_SALE}]}, '"Wild", field prices: something can be chosen'),
    ("warfarm", {"card": [{"name": "Pious", "fees": FREE}]}, '"Pious", field fees: a card to draw with'),
    ("warfarm", {"card": [{"name": "Defenseless Karma", "count": 0, "land": 0}]}, "Karma strikes something"),
    ("warfarm", {"card": [{"name": "Farmer", "does": "temple"}]}, "a resource card does one of give, wild"),
    ("bellum", {"rules": {"start_supply": -1}}, "rules.start_supply: -1 is too small"),
    ("bellum", {"rules": {"most_committed": 500}}, "500 is too large: at most 99"),
    ("bellum", {"rules": {"most_committed": 0}}, "rules.most_committed: from 1 to 21"),
    ("bellum", {"rules": {"city_tiles": [1, 1, 1]}}, "12 cities, but rules.city_tiles has fewer tiles"),
    ("bellum", {"rules": {"city_supply": [6, 4, 2, 0]}}, "rules.city_supply: a larger city is worth no less"),
    ("bellum", {"power": [{"name": "Sweden", "ally": "Fance"}]}, "allies must name each other"),
    (
        "bellum",
        {"power": [{"name": "Sweden", "leaders": ONE_LEADER}]},
        '"Sweden", field leaders: two leaders are wanted',
    ),
    (
        "bellum",
        {"power": [{"name": "Sweden", "leaders": LEADERS[:1] * 2}]},
        '[[power.leaders]] "Gustav Adolf", field name: used twice',
    ),
    ("bellum", {"replace": ["round"], "round": []}, "2 to 32 rounds are wanted, the last one with peace = true"),
    ("bellum", {"replace": ["round"], "round": RISING}, "year 1620: what a headquarters brings never rises"),
    (
        "bellum",
        {"replace": ["river"], "river": [{"river": "Seine", "sides": ["0108-1410"]}]},
        "is no side between two hexes",
    ),
    ("threeyears", {"influence": [{"name": "Idle Thatcher", "copies": -1}]}, "copies: -1 is too small"),
    ("threeyears", {"influence": [{"name": "Idle Thatcher", "icons": 9}]}, "icons: 9 is too large: at most 2"),
    ("threeyears", {"claim": [{"name": "The Last Granary", "season": "wintr"}]}, "did you mean 'winter'?"),
    ("threeyears", {"claim": [{"name": "The Last Granary", "green": {"glod": 3}}]}, "did you mean 'gold'?"),
    ("threeyears", {"claim": [{"name": "The Last Granary"}, {"name": "The Last Granary"}]}, "field name: used twice"),
    ("threeyears", {"rules": {"track_start": 12}}, "field track_start: above track_max"),
    ("threeyears", {"replace": ["despair"], "despair": []}, "[[despair]]: there is Despair to take"),
    ("threeyears", {"despair": [{"value": 0, "count": 3}]}, "[[despair]]: value 0: a Despair costs at least 1 renown"),
    (
        "threeyears",
        {"marker": [{"seats": 4, "space": 5, "gain": {"gold": 1}}]},
        "with 4 seats there is no space 5",
    ),
    ("threeyears", {"writ": [{"name": "2 Gold", "count": 500}]}, "500 is too large"),
    ("threeyears", {"replace": ["influence"], "influence": FEW_CARDS}, "too few to deal 5 hands"),
    (
        "threeyears",
        {"battle": [{"name": "Clash at the Cattle Ford", "compare": "soldier"}]},
        "did you mean 'soldiers'?",
    ),
]


@pytest.mark.parametrize(("game", "edit", "words"), IMPOSSIBLE, ids=[words[-40:] for _, _, words in IMPOSSIBLE])
def test_an_impossible_box_is_refused_in_words(game: str, edit: dict[str, Any], words: str) -> None:
    """Each breach names its entry and field, and the paragraph that takes it for granted."""
    with pytest.raises(sutler.BoxError, match=re.escape(words)) as error:
        sutler.load(game, box=edit)
    assert not MACHINES.search(str(error.value))


@pytest.mark.parametrize("name", sutler.games())
def test_the_printed_box_is_sound_and_every_row_cites_a_paragraph(name: str) -> None:
    game: Game = sutler.load(name)
    assert list(find_broken_constraints(game.sheet, game.box)) == []
    rows = getattr(game.sheet, "SOUND", ())
    assert rows
    for one in rows:
        found = re.search(r"\(([\d.]+)\)$", one.words)
        assert found, one.words
        assert game.guide.find_paragraph(found[1]), one.words


def laid(tmp_path: Path, text: str) -> str:
    """A designer's file."""
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


FAULTS = [
    (
        '[[obstacle]]\nname = "Zarrah"\nskil = "combat"\n',
        "mine.toml: [[obstacle]] \"Zarrah\", field skil: there is no such field; did you mean 'skill'?",
    ),
    ('[[obstacle]]\nname = "Zarrah"\nskill = "combad"\n', "did you mean 'combat'?"),
    (
        '[[obstacle]]\nname = "Zarrah"\ndifficulty = "x"\n',
        "mine.toml: [[obstacle]] \"Zarrah\", field difficulty: a whole number is expected, not 'x'",
    ),
    ('[[obstacle]]\nname = "Zarrah"\ndifficulty = 0\n', "0 is too small: at least 1"),
    ('[[obstacle]]\nname = "New"\n', 'mine.toml: [[obstacle]] "New", field region: it is missing'),
    (
        '[[obstacle]]\nname = "Zarah"\ndifficulty = 5\n',
        "mine.toml: [[obstacle]] \"Zarah\", field region: it is missing from a new entry; did you mean 'Zarrah'?",
    ),
    (
        '[[obstacle]]\nname = "Zarrah"\n[[obstacle.effect]]\nwhen = "overcome"\ntext = "x"\nops = [{ op = "stres", who = "all" }]\n',
        "there is no op 'stres'; did you mean 'stress'?",
    ),
    (
        '[[obstacle]]\nname = "Zarrah"\n[[obstacle.effect]]\nwhen = "overcome"\ntext = "x"\n'
        'ops = [{ op = "place_obstacle", obstacle = "Zara", at = "here" }]\n',
        "mine.toml: [[obstacle]] \"Zarrah\", field ops.obstacle: there is no obstacle 'Zara'; did you mean 'Zarrah'?",
    ),
    (
        '[[reserve_action]]\nname = "Sabotage"\nremove = true\n',
        'mine.toml, laid over sixwinters/box.toml: [[character]] "Keel", field starting_reserve_action: there is no reserve action',
    ),
    (
        '[[track]]\nresource = "sorcery"\nstart_threat = 13\n',
        'mine.toml: [[track]] "sorcery", field start_threat: 13 is too large: at most 12',
    ),
    (
        '[[location]]\nname = "Eastkeep"\n[[location]]\nname = "Eastkeep"\n',
        'mine.toml: [[location]] "Eastkeep", field name: used twice',
    ),
    ('[[location]]\nname = "Atlantis"\nremove = true\n', "mine.toml: location 'Atlantis': cannot remove what is not"),
    (
        '[[region]]\nregion = "brightdune"\ntitle = "Home"\nslots = []\n',
        'mine.toml: [[region]] "brightdune", field slots: too few: at least 3, 0 are there',
    ),
]


@pytest.mark.parametrize(("text", "words"), FAULTS, ids=[words[-30:] for _, words in FAULTS])
def test_a_fault_names_the_file_it_comes_from_in_plain_words(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(sutler.BoxError) as error:
        sutler.load(SIX, box=laid(tmp_path, text))
    assert words in str(error.value)
    assert not MACHINES.search(str(error.value))


def test_a_setting_is_named_as_it_was_given() -> None:
    """Tracks and regions are edited by what they are of, in a setting as in a file."""
    assert sutler.load(SIX, settings={"track.sorcery.start_threat": 6}).box.track[5].start_threat == 6
    with pytest.raises(
        sutler.BoxError,
        match=r"^setting track\.sorcery\.start_threat: \[\[track\]\] \"sorcery\", field start_threat: 16",
    ):
        sutler.load(SIX, settings={"track.sorcery.start_threat": 16})
    with pytest.raises(
        sutler.BoxError, match=r"setting card\.Wheat\.gain\.crops: .*a whole number is expected, not 'many'"
    ):
        sutler.load("manor", settings={"card.Wheat.gain.crops": "many"})
