"""The cards of a box as a spreadsheet's table and back: nothing lost on the way, each fault told with its row and column."""

from __future__ import annotations

import copy
import csv
import io
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from sutler.cardkit.installed_card_games import card_game
from sutler.core.files.box import BoxError, apply_edit
from sutler.core.files.card_table import (
    CardTable,
    edit_to_toml,
    flatten_entry,
    list_tables,
    parse_cell,
    to_cell,
    to_csv,
)
from sutler.core.play.game import Game, load

ROOT = Path(__file__).parents[2]
GAMES = ("bellum", "manor", "sixwinters", "threeyears", "warfarm", "stalls", "highwater")


@pytest.fixture
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv("SUTLER_GAMES", "")
    file = ROOT / "examples" / "cards" / f"{request.param}.toml"
    return card_game(file) if file.exists() else load(request.param)


def read(text: str, game: Game, new: bool = False) -> dict[str, Any]:
    """The edit that a table makes, through its own file."""
    return tomllib.loads(edit_to_toml(CardTable(text, "cards.csv", new).build_edit(game)))


@pytest.mark.parametrize("game", GAMES, indirect=True)
def test_a_box_comes_back_as_it_went(game: Game) -> None:
    """Read back unchanged, a table is no edit at all; also with the cells parted as other spreadsheets part them, and their mark."""
    text = to_csv(game.data)
    assert read(text, game) == {}
    out = io.StringIO()
    csv.writer(out, delimiter=";", lineterminator="\r\n").writerows(csv.reader(io.StringIO(text)))
    assert read("\ufeff" + out.getvalue(), game) == {}


@pytest.mark.parametrize("game", GAMES, indirect=True)
def test_whatever_is_changed_comes_back(game: Game) -> None:
    """Numbers changed, entries taken out, added, moved, a field taken away: the edit makes the very data the table was made of."""
    luck = random.Random(7)
    for _ in range(12):
        wanted = copy.deepcopy(game.data)
        for table in list_tables(wanted):
            entries = wanted[table]
            for entry in luck.sample(entries, min(3, len(entries))):
                numbers = [key for key, value in flatten_entry(entry).items() if type(value) is int]
                if numbers:
                    here, *path = entry, *luck.choice(numbers).split(".")
                    for step in path[:-1]:
                        here = here[step]
                    here[path[-1]] += luck.choice([-1, 0, 1])
            if luck.random() < 0.3:
                luck.shuffle(entries)
            if luck.random() < 0.3 and len(entries) > 2:
                entries.pop(luck.randrange(len(entries)))
            if luck.random() < 0.3:
                entries[0].pop(luck.choice(list(entries[0])[1:] or [""]), None)
        table = CardTable(to_csv(wanted), "cards.csv")
        table._check_edited_box = lambda game, data: None  # type: ignore[method-assign]  # whether the game takes it is not asked here
        edit = tomllib.loads(edit_to_toml(table.build_edit(game)))
        assert (apply_edit(game.data, edit) if edit else game.data) == wanted


@pytest.mark.parametrize(
    "value",
    [
        "5",
        "true",
        "TRUE",
        " a",
        "",
        "[x",
        '"q"',
        "null",
        "1.5",
        "-3",
        "a, b; c\td\ne",
        'say "no"',
        "x.y",
        3,
        -4,
        True,
        [],
        {},
        [1, "2"],
    ],
)
def test_a_cell_means_one_thing(value: Any) -> None:
    """A text that looks like something else stays a text."""
    found = parse_cell(to_cell(value))
    assert found == value
    assert type(found) is type(value)


def test_an_edit_says_only_what_is_changed() -> None:
    """One number is one line; a card that is gone is removed; a new one is taken as new if one says so."""
    manor = load("manor")
    text = to_csv(manor.data, ["card"])
    assert read(with_cell(text, "Wheat", "gain.crops", "9"), manor) == {
        "card": [{"name": "Wheat", "gain": {"crops": 9}}]
    }
    lines = text.splitlines()
    gone = "\n".join(line for line in lines if not line.startswith("card,Wheat,"))
    assert read(gone, manor) == {"card": [{"name": "Wheat", "remove": True}]}
    added = text + next(line for line in lines if line.startswith("card,Wheat,")).replace("Wheat", "Spelt")
    (spelt,) = read(added, manor, new=True)["card"]
    assert spelt["name"] == "Spelt"
    assert load("manor", {"card": [spelt]}).sheet.card[-1].gain.crops == 4
    emptied = read(with_cell(text, "Corn", "gain.crops", ""), manor)
    assert emptied["replace"] == ["card"]


def with_cell(text: str, name: str, column: str, cell: str) -> str:
    """A table with one cell changed; the first row where `name` is empty."""
    rows = list(csv.reader(io.StringIO(text)))
    row = next(row for row in rows if not name or row[1] == name)
    row[rows[0].index(column)] = cell
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "column", "cell", "said"),
    [
        (
            "",
            "gain.crops",
            "gain.corps",
            "row 1, column gain.corps: there is no such field; did you mean 'gain.crops'?",
        ),
        ("", "name", "nmae", "row 1: there is no column 'name'; did you mean 'nmae'?"),
        ("Wheat", "name", "Whaet", "row 31, column name: card has no 'Whaet'; did you mean 'Wheat'?"),
        ("Wheat", "table", "crad", "row 31, column table: the box has no list 'crad'; did you mean 'card'?"),
        ("Wheat", "gain.crops", "four", "row 31, column gain.crops: a whole number is expected, not 'four'"),
        ("Wheat", "gain.crops", "3.5", "row 31, column gain.crops: a whole number is expected, not 3.5"),
        ("Wheat", "gain.crops", "999999", "row 31, column gain.crops: 999999 is too large"),
        ("Wheat", "type", "cropp", "row 31, column type: 'cropp' is none of"),
        ("Wheat", "on", "[Fields", """row 31, column on: '[Fields' is not written as a list is: ["Fields", "Woods"]"""),
        (
            "Wheat",
            "gain.crops",
            "{crops}",
            "row 31, column gain.crops: '{crops}' is not written as a table is: {",
        ),
        ("Wheat", "name", "Corn", "row 31, column name: 'Corn' is there twice"),
        ("Wheat", "type", "", "row 31, column type: it is missing"),
    ],
)
def test_a_fault_is_told_with_its_cell(name: str, column: str, cell: str, said: str) -> None:
    """And with what was perhaps meant."""
    manor = load("manor")
    with pytest.raises(BoxError) as told:
        CardTable(with_cell(to_csv(manor.data, ["card"]), name, column, cell), "cards.csv").build_edit(manor)
    assert f"cards.csv, {said}" in str(told.value)


def test_a_list_that_is_not_there_is_told() -> None:
    """With the nearest one."""
    with pytest.raises(BoxError, match="did you mean 'card'"):
        to_csv(load("manor").data, ["cards"])
