"""A bot in a file of one's own: named by its path, or by its name when its folder is on the shelf; plain or compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sutler
from sutler.bots import bot, bot_from, list_bot_names, load_levels, parse_bots
from sutler.bots.kit import is_compiled, list_rule_files
from sutler.core.play.game import Game
from sutler.lab.play.experiment import Plan
from sutler.lab.play.simulate import simulate

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
THRIFTY, CAUTIOUS = EXAMPLES / "thrifty.py", EXAMPLES / "cautious.py"
BROKEN = "from sutler.bots.nowhere import Bot\n"
RULE = """from dataclasses import dataclass
from sutler.bots.kit import Compiled
from sutler.core.bits import first_from
from sutler.core.rule import rule


@dataclass(frozen=True)
class One(Compiled):
    name = "{name}"


@rule
def last_of(ids):
    action, found = first_from(ids, 0), -1
    while action >= 0:
        found = action
        action = first_from(ids, action + 1)
    return found


@rule
def decide(box, scratch, bot, luck):
    return {choice}
"""
TWO = "class One:\n    def choose(self, view): ...\nclass Two(One): ...\n"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own, on the shelf."""
    monkeypatch.setenv("SUTLER_BOTS", str(tmp_path))
    return tmp_path


def test_a_bot_goes_by_its_file() -> None:
    """With or without its class, with or without settings."""
    assert bot(str(THRIFTY)) == bot(f"{THRIFTY}:Thrifty") == bot_from(f" {THRIFTY}:Thrifty:whim=8 ")
    assert bot_from(f"{THRIFTY}:whim=3") == bot(str(THRIFTY), whim=3)
    assert [one.name for one in parse_bots(f"{THRIFTY},greedy,{CAUTIOUS}:every=2")] == ["thrifty", "greedy", "cautious"]


def test_a_folder_on_the_shelf_gives_names_and_levels(shelf: Path) -> None:
    """The file's name is the bot's; `levels.toml` adds to what the lobby offers and takes nothing away."""
    (shelf / "saver.py").write_text(THRIFTY.read_text())
    (shelf / "_helper.py").write_text("not a bot")
    (shelf / "levels.toml").write_text('[miserly]\nbot = "saver.py:Thrifty"\nwhim = 99\n[easy]\nbot = "saver"\n')
    assert "saver" in list_bot_names()
    assert "_helper" not in list_bot_names()
    assert bot("saver").name == "thrifty"
    assert bot("miserly").whim == 99  # type: ignore[attr-defined]
    assert bot("easy").name == "greedy"
    assert list(load_levels()) == ["easy", "normal", "hard", "miserly"]


def test_a_house_may_offer_a_style(shelf: Path) -> None:
    """A persona with its lean is a level as any other bot is."""
    (shelf / "levels.toml").write_text('[praying]\nbot = "monk"\nlean = 0.5\n')
    assert bot("praying") == bot("monk", lean=0.5)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nowhere.py", "there is no such file"),
        ("broken.py", "ModuleNotFoundError"),
        ("two.py", "which one.* It has One, Two"),
        ("two.py:Three", "there is no bot 'Three'"),
        ("empty.py", "no class with a method `choose`"),
        (f"{THRIFTY}:Thrifty:whim", "write settings as"),
        (f"{THRIFTY}:zeal=1", "has no setting 'zeal'"),
        ("unheard_of", "there is no bot 'unheard_of'"),
    ],
)
def test_what_is_wrong_is_said(spec: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In words, with the file."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"broken": BROKEN, "two": TWO, "empty": ""}.items():
        (tmp_path / f"{name}.py").write_text(text)
    with pytest.raises(ValueError, match=message):
        bot_from(spec)


def test_a_bad_level_is_said_too(shelf: Path) -> None:
    """With file and entry."""
    (shelf / "levels.toml").write_text("[miserly]\nwhim = 3\n")
    with pytest.raises(ValueError, match=r"levels\.toml: \[miserly\]: field bot"):
        load_levels()


def test_files_are_not_for_everybody() -> None:
    """Where others write the names, as on the lab's page, no file is run."""
    with pytest.raises(ValueError, match="here bots go by name"):
        parse_bots(f"greedy,{THRIFTY}", files=False)


def test_who_plays_in_compiled_code() -> None:
    """Bots whose rule is known, from as many files as there are; a class that decides otherwise is asked itself."""

    class Contrary(type(bot("greedy"))):  # type: ignore[misc]
        def choose(self, view: Any) -> Any:
            return view.actions()[-1]

    ours, own = bot("greedy"), bot(str(CAUTIOUS))
    assert is_compiled([ours, own, bot("random")])
    assert list_rule_files([ours, own]) == [CAUTIOUS]
    assert not is_compiled([ours, bot(str(THRIFTY))])  # a class that is asked in Python
    assert is_compiled([own, bot("pilgrim"), bot("judge")])
    assert not is_compiled([Contrary()])


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The small game, quicker as it stands than compiled."""
    monkeypatch.setenv("SUTLER_GAMES", str(EXAMPLES.parent))
    game = sutler.load("market", rounds=5)
    game.definition.home.interpreted = True
    return game


def test_bots_with_rules_of_their_own_share_a_table(tmp_path: Path, market: Game) -> None:
    """Two files of one's own at one table: each is asked for its own decisions, with its own settings."""
    for name, choice in (("first", "first_from(scratch.out.ids, 0)"), ("last", "last_of(scratch.out.ids)")):
        (tmp_path / f"{name}.py").write_text(RULE.format(name=name, choice=choice))
    first, last = (bot(str(tmp_path / f"{name}.py")) for name in ("first", "last"))
    assert is_compiled([first, last])
    assert list_rule_files([last, first]) == [tmp_path / "first.py", tmp_path / "last.py"]
    together = simulate(market, [first, last], games=4, seed=3, threads=1)
    assert together.equals(simulate(market, [first, last], games=4, seed=3, threads=2))
    for one in (first, last):
        assert not together.equals(simulate(market, [one, one], games=4, seed=3, threads=1))
    pos = market.new(seed=3)
    while not pos.over:  # one decision at a time, as at a table
        view = pos.for_seat(pos.seat or 0)
        pos.play((first, last)[pos.seat or 0].choose(view))
    assert [together["score_0"][0], together["score_1"][0]] == pos.scores()


def test_both_kinds_play_whole_games(market: Game) -> None:
    """One seed gives one table; the compiled one plays on the same scratch as ours, its settings being read there."""
    game = market
    for specs in ([str(THRIFTY), "random"], [f"{CAUTIOUS}:every=2", "random"]):
        table = simulate(game, specs, games=5, seed=3, threads=1)
        assert table["finished"].all()
        assert table.equals(simulate(game, specs, games=5, seed=3, threads=2))
    always, never = (
        simulate(game, [f"{CAUTIOUS}:every={n}", "greedy"], games=5, seed=3, threads=1) for n in (1, 1 << 30)
    )
    assert not always.equals(never)


def test_the_compiled_one_chooses_at_a_table_too() -> None:
    """A legal action, the same again."""
    pos = sutler.load("manor").new(2, seed=2)
    assert pos.seat is not None
    one = bot(str(CAUTIOUS))
    first = one.choose(pos.for_seat(pos.seat, seed=5))
    assert first.id in pos.legal_ids()
    assert first == one.choose(pos.for_seat(pos.seat, seed=5))


def test_an_experiment_knows_the_file(tmp_path: Path) -> None:
    """Another version of the file is another experiment."""
    game, told = sutler.load("manor"), []
    for every in (4, 5):
        file = tmp_path / str(every) / "cautious.py"
        file.parent.mkdir()
        file.write_text(CAUTIOUS.read_text().replace("nodes: int = 100", f"nodes: int = {every}"))
        told.append(Plan(game, [str(file), "random"], 2, 1).to_dict()["bots' code"])
    assert told[0] != told[1]
