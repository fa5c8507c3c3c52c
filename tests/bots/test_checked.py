"""A bot file is checked when it is named, and a bot with nothing but `choose(view)` plays wherever bots do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from click.testing import Result
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import sutler
from sutler.bots import BotFault, bot_from, choose_checked_action
from sutler.core.play.game import Game
from sutler.interop.gym import SeatEnv
from sutler.lab.play.rollouts import RolloutTable
from sutler.web.app import create_app
from sutler.web.table import moves

ROOT = Path(__file__).parents[2]
CLASS = "class Mine:\n    def choose(self, view):\n        return view.actions()[0]\n"
FUNCTION = "def choose(view):\n    return view.actions()[0]\n"
SLOTTED = "class Mine:\n    __slots__ = ()\n    def choose(self, view):\n        return view.actions()[0]\n"
BY_ID = "def choose(view):\n    return view.legal[0]\n"
BY_NAME = "def choose(view):\n    return view.actions()[0].name\n"


@pytest.fixture
def market(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The small game, quicker as it stands than compiled."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
    game = sutler.load("market", rounds=5)
    monkeypatch.setattr(game.definition.home, "interpreted", True)
    return game


@pytest.fixture(params=[CLASS, FUNCTION, SLOTTED, BY_ID, BY_NAME], ids=["class", "function", "slots", "id", "name"])
def mine(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bot file with no name in it; on the shelf too."""
    (tmp_path / "mine.py").write_text(request.param)
    monkeypatch.setenv("SUTLER_BOTS", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return "./mine.py"


def run(*arguments: object, typed: str = "") -> Result:
    """A command of `sutler`, inside this process."""
    from sutler.cli import app

    return CliRunner().invoke(app, [str(one) for one in arguments], input=typed)


# --- it plays wherever bots do ---


def test_its_name_is_its_files(mine: str) -> None:
    """By path, and by name from the shelf."""
    assert bot_from(mine).name == bot_from("mine").name == "mine"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("simulate market --bots ./mine.py,random --games 2 --seats 2", "mine"),
        ("tournament market --bots ./mine.py,random --games 2 --seats 2", "mine"),
        ("play market --seats 2 --me none --bots ./mine.py --seed 3", "The end"),
        ("bot check ./mine.py --game market --games 2", "Every decision was legal and in time."),
        ("export games.parquet --game market --bots ./mine.py --games 1 --seats 2", ""),
        ("compare market --bots ./mine.py --games 200 --seats 2 --set rounds=5 --b rounds=6", "mine"),
    ],
    ids=["simulate", "tournament", "play", "check", "export", "compare"],
)
@pytest.mark.usefixtures("market")
def test_it_plays_on_the_command_line(
    command: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the end, with exit code 0."""
    (tmp_path / "mine.py").write_text(CLASS)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    done = run(*command.split())
    assert done.exit_code == 0, done.output[-2000:]
    assert words in done.output


def test_it_plays_in_python(market: Game, mine: str) -> None:
    """Simulated, as a learner's opponent, by name or made in Python; tables say who played."""
    table = sutler.simulate(market, [mine, "random"], games=2)
    assert set(table["bot_0"]) == {"mine", "random"}
    env = SeatEnv(market, bots=[mine])
    env.reset(seed=1)
    _, _, ended, _, _ = env.step(env.session.legal()[0])
    assert not ended


@pytest.mark.usefixtures("market", "mine")
def test_it_plays_at_the_web_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As a level of the house: it decides by itself, and nothing is logged of a bot that stumbled."""
    (tmp_path / "levels.toml").write_text('[own]\nbot = "mine.py"\n')
    with TestClient(create_app("sqlite://", bot_pause=0.0, warm=False), follow_redirects=False) as client:
        opened = client.post("/tables", data={"game": "market", "seat_0": "me", "name_0": "Wat", "seat_1": "own"})
        assert opened.status_code == 303, opened.text
        house: Any = client.app.state.house  # type: ignore[attr-defined]
        assert house.get_bot("own").name == "mine"
        room, until = house.get_room(house.store.list_tables()[0]), monotonic() + 60
        while room.decision < 6 and monotonic() < until:
            if room.pos.seat == 0:
                moves.play_action(room, (0,), room.decision, room.pos.actions()[0].name)
            sleep(0.01)
        assert {one.seat for one in room.pos.decisions} == {0, 1}
    assert "stumbled" not in caplog.text


class Bare:
    """A bot made in Python, of nothing but `choose`."""

    def choose(self, view: Any, worlds: int = 3) -> Any:
        """The first action; `worlds` has a default, so it need not be handed in."""
        return view.actions()[0]


@dataclass(frozen=True)
class Frozen(Bare):
    """The same with settings."""

    depth: int = 2


def first(view: Any) -> Any:
    """A bot that is a function."""
    return view.actions()[0]


@pytest.mark.parametrize(("player", "name"), [(Bare(), "Bare"), (Frozen(), "Frozen"), (first, "first")])
def test_a_bot_made_in_python(market: Game, player: Any, name: str) -> None:
    """It goes by its class, or by its function."""
    assert set(sutler.simulate(market, [player], games=1, seats=2)["bot_1"]) == {name}


# --- what cannot play is refused when it is named, with file and line ---


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "\nclass Mine:\n    def choose(self, view, legal, rng):\n        ...\n",
            r"mine\.py, line 3: choose is handed the view and nothing else; write `def choose\(self, view\)`",
        ),
        ("class Mine:\n    def choose(view):\n        ...\n", r"mine\.py, line 2: .*write `def choose\(self, view\)`"),
        ("def choose(view, legal): ...\n", r"mine\.py, line 1: .*write `def choose\(view\)`"),
        ("def choose(): ...\n", r"mine\.py, line 1: .*write `def choose\(view\)`"),
        ("class Mine:\n    async def choose(self, view): ...\n", r"mine\.py, line 2: choose is asynchronous"),
        ("class Mine:\n    def choose(self, view):\n        yield 1\n", r"mine\.py, line 2: .*a generator"),
        ("class Mine:\n    choose = 3\n", r"mine\.py: it has no method `choose`"),
        ("class Mine:\n    name = 7\n    def choose(self, view): ...\n", r"mine\.py, line 3: its name is 7"),
        (
            "class Mine:\n    def __init__(self, depth): ...\n    def choose(self, view): ...\n",
            r"mine\.py, line 3: Mine wants depth; give each a default",
        ),
        (
            "class Mine:\n    def __init__(self):\n        1 / 0\n    def choose(self, view): ...\n",
            r"mine\.py, line 3: Mine cannot be made: ZeroDivisionError",
        ),
        ("import nowhere\n", r"mine\.py, line 1: ModuleNotFoundError: No module named 'nowhere'"),
        ("def choose(view)\n", r"mine\.py, line 1: SyntaxError"),
        ("x = 1\n", r"mine\.py: which one\? It has no class with a method `choose`, and no function `choose`"),
    ],
)
def test_a_file_that_cannot_play_is_refused_when_named(text: str, words: str, tmp_path: Path) -> None:
    """Before anything is compiled or played."""
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(ValueError, match=words):
        bot_from(str(tmp_path / "mine.py"))


@pytest.mark.usefixtures("market")
def test_the_command_line_never_calls_it_a_fault_of_ours(tmp_path: Path) -> None:
    """One line, exit code 2, the file and its line."""
    (tmp_path / "mine.py").write_text("class Mine:\n    def choose(self, view, legal, rng): ...\n")
    done = run("simulate", "market", "--bots", tmp_path / "mine.py", "--games", 1)
    assert done.exit_code == 2
    assert "mine.py, line 2: choose is handed the view and nothing else" in done.output
    assert "a fault of ours" not in done.output


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("None", r"line 2: choose gives back what is no action: .*one whole number, not None"),
        ("5000", r"line 2: choose gives back what is no action: .*no action number 5000"),
        ("'walk'", r"line 2: choose gives back what is no action: .*no action called 'walk'"),
        ("next(i for i in range(99) if i not in view.legal)", r"line 2: the bot chose '.*', which is not legal"),
        ("view.nothing", r"line 3: the bot fails: AttributeError"),
    ],
)
def test_what_it_does_wrong_is_blamed_on_its_file(market: Game, answer: str, words: str, tmp_path: Path) -> None:
    """With the line, in the lab as at the table."""
    (tmp_path / "mine.py").write_text(f"\ndef choose(view):\n    return {answer}\n")
    for play in (
        lambda spec: sutler.simulate(market, [spec], games=1, seats=2),
        lambda spec: choose_checked_action(bot_from(spec), market.new(2, seed=1).for_seat(0)),
    ):
        with pytest.raises(BotFault, match=rf"mine\.py, {words}"):
            play(str(tmp_path / "mine.py"))


def test_a_class_handed_in_place_of_a_bot(market: Game) -> None:
    """Said at once, with what to write."""
    with pytest.raises(BotFault, match=r"Bare is a class; hand in a bot made of it: Bare\(\)"):
        sutler.simulate(market, [Bare], games=1, seats=2)  # type: ignore[list-item]
    with pytest.raises(BotFault, match="it has no method `choose`"):
        RolloutTable(market, [object()], 2)  # type: ignore[list-item]


def test_settings_of_a_plain_class(tmp_path: Path) -> None:
    """What its `__init__` takes, as a dataclass's fields are."""
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n    def __init__(self, depth=2):\n        self.depth = depth\n    def choose(self, view): ...\n"
    )
    assert bot_from(f"{file}:depth=5").depth == 5  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="has no setting 'width'; it has depth"):
        bot_from(f"{file}:width=5")


def test_every_door_asks_bots_in_one_way() -> None:
    """Nothing but `sutler.bots` calls a bot's `choose`, so that each door blames faults on the bot's own file."""
    names = ("_user_bots", "__init__", "greedy", "search", "policy", "_reasons")
    ours = {f"bots/{name}.py" for name in names}
    source = ROOT / "src" / "sutler"
    calling = [path for path in source.rglob("*.py") if ".choose(" in path.read_text("utf-8")]
    calls = {path.relative_to(source).as_posix() for path in calling}
    assert calls - ours == {"contract/test_views_and_words.py", "cli/play_commands/game_loop.py"}, (
        "a hint and a contract ask bots of ours"
    )
