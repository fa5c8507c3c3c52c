"""Scenario files: positions by names, and errors that name file, entry and field."""

import re
from pathlib import Path

import pytest

import sutler
from sutler.contract.helpers import given, offered, walk
from sutler.core.bits import members
from sutler.core.files.gamefile import format_game_file
from sutler.core.files.replay import replay_from_text
from sutler.core.files.scenario import Scenario, read_game_scenarios
from sutler.core.play.game import build_scenario_position

MANOR = sutler.load("manor")

GOOD = """
game = "manor"
seats = 3
[options]
map = "printed"
[state]
phase = "work"
to_act = "seat 1"
lord = 1
lies = { "Fertile Fields" = "Wheat", "River" = "herring & cod" }
owner = { "River" = 2 }
discards = ["Plague"]
[[state.seats]]
hand = []
[[state.seats]]
hand = ["Corn", "Mine"]
upgrades = ["Docks"]
tokens = { crops = 7, peasants = 3 }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "scenario.toml"
    path.write_text(text, encoding="utf-8")
    return path


def names(pos: sutler.Position, words: object) -> set[str]:
    return {pos.game.names["card"][card] for card in members(words)}


def test_a_position_by_names(tmp_path: Path) -> None:
    """What the file says is so; the rest is as set up, every card once."""
    pos = MANOR.new(position=written(tmp_path, GOOD), seed=5, names=["Agnes", "Perrin", "Osric"])
    assert (pos.seat, pos.n_seats, pos.names[1], pos.game.chosen["map"]) == (1, 3, "Perrin", "printed")
    assert names(pos, pos.state.seats[1].hand) == {"Corn", "Mine"}
    assert list(pos.state.seats[1].tokens) == [7, 0, 0, 0, 0, 3]
    assert list(pos.state.seats[0].tokens) == [4, 0, 0, 0, 0, 2]  # as set up
    assert names(pos, pos.state.discards) == {"Plague"}
    assert names(pos, pos.state.table) == {"Wheat", "Herring & Cod"}
    spaces = {space["land"]: (space["card"], space["owner"]) for space in pos.view()["spaces"] if space["card"]}
    assert spaces == {"Fertile Fields": ("Wheat", 1), "River": ("Herring & Cod", 2)}
    assert "place Corn" in offered(pos)
    for here in walk(pos, seed=1, most=60):
        assert int(MANOR.definition.check(pos.game.box, here.state)) == 0


def test_the_dice_come_from_the_seed(tmp_path: Path) -> None:
    """One seed, one position; other seeds set up other hands where the file says nothing."""
    path = written(tmp_path, GOOD)
    one, same, other = (MANOR.new(position=path, seed=seed) for seed in (1, 1, 2))
    assert one.to_bytes() == same.to_bytes()
    assert names(one, one.state.seats[2].hand) != names(other, other.state.seats[2].hand)


def test_without_a_phase_the_game_begins_here() -> None:
    """From the changed setup to the first decision, and the opening is told."""
    pos = given("manor", seats=[{"hand": ["Wheat"]}, {"hand": ["Corn"]}], lord=1)
    assert pos.state.turn == 1
    assert pos.log(0)[0].kind == "turn"
    assert "Wheat" in names(pos, pos.state.seats[0].hand)


def test_a_game_from_a_scenario_can_be_kept(tmp_path: Path) -> None:
    """Its game file holds the first state."""
    pos = MANOR.new(position=written(tmp_path, GOOD), seed=5)
    for _ in walk(pos, seed=2, most=30):
        pass
    back = replay_from_text(format_game_file(pos.build_game_file()))
    assert back.to_bytes() == pos.to_bytes()
    assert back.opening_state == pos.opening_state


def test_chance_may_play_on_before_anybody_sits_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`until` leads on, the same way for a seed; a field that is none, or is beyond it already, is refused in words."""
    head = 'game = "manor"\nseats = 2\n[until]\n'
    begun = [MANOR.new(position=written(tmp_path, head + "turn = 3"), seed=seed) for seed in (5, 5, 6)]
    assert [int(pos.state.turn) for pos in begun] == [3, 3, 3]
    assert begun[0].to_bytes() == begun[1].to_bytes() != begun[2].to_bytes()
    assert replay_from_text(format_game_file(begun[0].build_game_file())).to_bytes() == begun[0].to_bytes()
    for wrong, why in (
        ("tokens = 3", "no number called 'tokens'"),
        ("turn = -1", "beyond"),
    ):
        with pytest.raises(sutler.BoxError, match=why):
            MANOR.new(position=written(tmp_path, head + wrong), seed=5)
    monkeypatch.setattr("sutler.core.play.game.MAX_DEAL_DECISIONS", 2)
    with pytest.raises(sutler.BoxError, match="no game of seed 5 comes so far"):
        MANOR.new(position=written(tmp_path, head + "turn = 3"), seed=5)


@pytest.mark.parametrize("game", sutler.games())
def test_the_scenarios_that_come_with_a_game(game: str) -> None:
    """Each loads by its name, has a title and a text, is sound and leaves its seat a choice."""
    rules = sutler.load(game)
    for name, file in read_game_scenarios(rules.folder).items():
        assert file.title
        assert file.text
        pos = rules.new(position=name, seed=3)
        assert len(pos.legal_ids()) > 1
        assert pos.n_seats == file.seats
        for here in walk(pos, seed=3, most=40):
            assert int(rules.definition.check(pos.game.box, here.state)) == 0


@pytest.mark.parametrize("game", sutler.games())
def test_a_position_compiles_nothing_of_its_own(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody waits for it: what only sets up, counts and checks runs as it is written, whatever lies in the cache."""

    def compiled(*_: object) -> None:
        raise AssertionError("a rule that is called once was compiled")

    rules = sutler.load(game)
    d = rules.definition
    pos = rules.new(seats=rules.min_seats, seed=3)  # the engine's door is there
    for one in (d.setup, d.recount, d.check, d.start):
        monkeypatch.setattr(one, "fast", compiled)
    here = build_scenario_position(rules, Scenario(game=game, seats=rules.min_seats), seed=3)
    assert here.to_bytes() == pos.to_bytes()
    assert here.opening == pos.opening


def test_the_callers_options_win(tmp_path: Path) -> None:
    """An option that the table chose stays; the scenario's hold otherwise."""
    pos = sutler.load("manor", victory=9).new(position=written(tmp_path, GOOD))
    assert (pos.game.chosen["victory"], pos.game.chosen["map"]) == (9, "printed")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (('game = "manor"', 'game = "chess"'), "field game: this is a position of 'chess', not of 'manor'"),
        (("seats = 3", "seats = 9"), "is for 2 to 6 seats, not 9"),
        (("seats = 3", "seats = 2"), "there is no seat number 2"),
        (("seats = 3", 'seats = "three"'), "field seats:"),
        (("seats = 3", "seets = 3"), "field seets:"),
        (('map = "printed"', 'map = "square"'), "[options]: option map: there is no land 'square'"),
        (('map = "printed"', "maps = 1"), "[options]: manor has no option 'maps'"),
        (('phase = "work"', 'phase = "wrok"'), "[state] phase: there is no phase 'wrok'; did you mean 'work'?"),
        (('phase = "work"', 'phse = "work"'), "[state] phse: State has no such field; did you mean 'phase'?"),
        (('"seat 1"', '"seat 4"'), "[state] to_act: there is no seat 'seat 4'"),
        (("lord = 1", "lord = 1.5"), "[state] lord: the name of a seat is expected, not 1.5"),
        (("lord = 1", "rng = [1]"), "[state] rng: the dice come from the seed"),
        (("lord = 1", "n_seats = 2"), "[state] n_seats: write `seats`"),
        (("lord = 1", "turn = 40000"), "[state] turn: 40000 is outside -32768 to 32767"),
        (("lord = 1", 'turn = "x"'), "[state] turn: a whole number is expected, not 'x'"),
        (('"River" =', '"Rivre" ='), "[state] lies: there is no land 'Rivre'; did you mean 'River'?"),
        (('"Wheat"', '"Weat"'), "[state] lies[1]: there is no card 'Weat'; did you mean 'Wheat'?"),
        (('["Corn", "Mine"]', '["Corn", "Corm"]'), "[state] seats[1].hand: there is no card 'Corm'"),
        (('["Corn", "Mine"]', '["Corn", "Corn"]'), "[state] seats[1].hand: 'Corn' is named twice"),
        (('["Corn", "Mine"]', '["Corn", 500]'), "[state] seats[1].hand: there is no card number 500"),
        (('["Corn", "Mine"]', '"Corn"'), "[state] seats[1].hand: a list is expected, not 'Corn'"),
        (('["Docks"]', '["Docks", "Corn"]'), "'Corn' stands in seats[1].hand and in seats[1].upgrades"),
        (("{ crops = 7, peasants = 3 }", "{ corps = 7 }"), "seats[1].tokens: there is no token 'corps'"),
        (("{ crops = 7, peasants = 3 }", "{ peasants = 0 }"), "[state]: a seat has no peasant"),
        (("{ crops = 7, peasants = 3 }", "[1, 2, 3, 4, 5, 6, 7]"), "seats[1].tokens: 7 entries, 6 fit"),
        (("{ crops = 7, peasants = 3 }", "7"), "seats[1].tokens: a list, or a table by token, is expected"),
        (("[[state.seats]]\nhand = []", "[state.seats]\nhand = []"), "not a TOML file"),
    ],
)
def test_errors_name_file_entry_and_field(tmp_path: Path, change: tuple[str, str], why: str) -> None:
    """Whatever is wrong, the message says where and often what was meant."""
    assert change[0] in GOOD
    path = written(tmp_path, GOOD.replace(*change))
    with pytest.raises(sutler.BoxError, match=re.escape(why)) as error:
        MANOR.new(position=path)
    assert str(error.value).startswith(str(path))


def test_a_missing_file_and_wrong_seats(tmp_path: Path) -> None:
    """A file that is not there; a table of another size."""
    with pytest.raises(sutler.BoxError, match="there is no such file"):
        MANOR.new(position=tmp_path / "nothing.toml")
    with pytest.raises(sutler.BoxError, match="the position is for 3 seats, not 4"):
        MANOR.new(4, position=written(tmp_path, GOOD))


def test_the_example_of_the_manual(tmp_path: Path) -> None:
    """docs/file-formats.md shows a scenario and a box; both load and do what is said."""
    manual = (Path(__file__).parents[2] / "docs" / "file-formats.md").read_text(encoding="utf-8")
    box, scenario, *_ = re.findall(r"```toml\n(.*?)```", manual, re.DOTALL)
    pos = MANOR.new(position=written(tmp_path, scenario), seed=7)
    assert offered(pos) == {"place Wheat", "place Plow Team", "sell Wheat", "sell Plow Team", "pass"}
    edited = sutler.load("manor", box=written(tmp_path, box))
    assert edited.new(2).view()["cards"]["Wheat"]["gain"] == {"crops": 3}
    assert "Banditry" not in edited.new(2).view()["deck_cards"]
    assert edited.sheet.rules.upgrade_cost == 4
