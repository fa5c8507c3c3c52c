"""Bots that are other programs: docs/bot-protocol.md, line by line, and what becomes of programs that do not keep to it."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sutler
from sutler.bots import bot, bot_from, notify_finish
from sutler.bots._program_bots import CommandBot, Fault, ProgramConnection
from sutler.cli.developer_commands.bot import Findings, play_trial_game
from sutler.core.play.position import Position
from sutler.lab.play.simulate import simulate

PROGRAMS = Path(__file__).parents[2] / "examples" / "programs"
CURIOUS = f"{sys.executable} {PROGRAMS / 'curious.py'}"
HELLO = 'import json, sys\nprint(json.dumps({"type": "hello", "protocol": 1, "wants": WANTS}), flush=True)\n'
EACH = "for line in sys.stdin:\n    told = json.loads(line)\n    if told['type'] == 'decide':\n        "

Made = Callable[..., CommandBot]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Made]:
    """A bot of this Python: what it does once it has said hello; ended with the test."""
    made: list[CommandBot] = []

    def one(does: str, seconds: float = 20.0, wants: tuple[str, ...] = (), memory: float = 2048.0) -> CommandBot:
        path = tmp_path / f"program{len(made)}.py"
        path.write_text(HELLO.replace("WANTS", repr(list(wants))) + does)
        made.append(CommandBot(f"{sys.executable} {path}", seconds, memory=memory))
        return made[-1]

    yield one
    for each in made:
        each.close()


def table(game: str = "manor") -> Position:
    return sutler.load(game).new(seats=2, seed=4)


def decided(by: CommandBot, pos: Position | None = None) -> str:
    """What it chooses at a fresh table; always legal, whatever the program does."""
    pos = pos or table()
    assert pos.seat is not None
    view = pos.for_seat(pos.seat)
    action = by.choose(view)
    assert action.id in view.legal
    return action.name


@pytest.mark.parametrize("game", sutler.games())
@pytest.mark.parametrize("command", [CURIOUS, f"node {PROGRAMS / 'tidy.mjs'}"], ids=["python", "node"])
def test_the_examples_play_every_game(command: str, game: str) -> None:
    """Against chance, a hundred decisions or to the end; everything they do is legal and in time."""
    if command.startswith("node") and not shutil.which("node"):
        pytest.skip("there is no Node here")
    player = bot_from(f"cmd:seconds=60:{command}")
    assert isinstance(player, CommandBot)
    pos = sutler.load(game).new(seed=2)
    others = bot("random")
    own = 0
    while not pos.over and own < 100:
        assert pos.seat is not None
        view = pos.for_seat(pos.seat)
        own += pos.seat == 0
        pos.play((player if pos.seat == 0 else others).choose(view))
    notify_finish({0: player}, pos)
    player.close()
    assert player.faults == []
    assert own > 0
    assert player.name in ("curious", "tidy")


def test_the_lab_plays_them() -> None:
    """A program among others in a simulation, under its own name."""
    played = simulate(sutler.load("threeyears"), [bot_from(f"cmd:seconds=60:{CURIOUS}"), "random"], games=2, seed=1)
    assert set(played["bot_0"]) == {"curious", "random"}


def test_what_a_program_is_told(program: Made, tmp_path: Path) -> None:
    """The game once, then the decision with what it wants; nothing of our environment but a few names."""
    heard = tmp_path / "heard.json"
    by = program(
        "import os\ntold = [json.loads(sys.stdin.readline()) for _ in range(3)]\n"
        f"json.dump([told, dict(os.environ)], open({str(heard)!r}, 'w'))\n"
        "print(json.dumps({'type': 'play', 'id': 1, 'action': told[2]['legal'][-1]['id']}), flush=True)\nsys.stdin.read()\n",
        wants=("view", "observation"),
    )
    pos = table()
    name = decided(by, pos)
    (hello, game, decide), environment = json.loads(heard.read_text())
    assert pos.seat is not None
    view = pos.for_seat(pos.seat)
    assert hello == {"type": "hello", "protocol": 1, "sutler": sutler.__version__}
    assert [game["actions"][i][0] for i in view.legal] == [one.name for one in view.actions()]
    assert game["seats"] == 2
    kinds = {one[0]: one[4:] for one in game["observation"]}
    assert kinds["lies"] == ["id", 112, -1.0, 111.0, 111.0], "a program can make of it what it likes"
    assert [one["id"] for one in decide["legal"]] == view.legal
    assert decide["legal"][-1]["name"] == name
    assert decide["view"] == json.loads(json.dumps(view.view()))
    assert decide["observation"] == pytest.approx(view.observation().tolist(), abs=1e-6)
    assert set(environment) <= {"PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV"}


def test_a_redeal_is_a_world_that_agrees(program: Made, tmp_path: Path) -> None:
    """On request, and another one each time; what all see is as it is."""
    heard = tmp_path / "heard.json"
    by = program(
        EACH + "worlds = []\n        for _ in range(2):\n"
        "            print(json.dumps({'type': 'redeal', 'id': told['id']}), flush=True)\n"
        "            worlds.append(json.loads(sys.stdin.readline()))\n"
        f"        json.dump(worlds, open({str(heard)!r}, 'w'))\n"
        "        print(json.dumps({'type': 'play', 'id': told['id'], 'action': told['legal'][0]['name']}), flush=True)\n"
    )
    pos = table()
    decided(by, pos)
    worlds = json.loads(heard.read_text())
    assert [one["type"] for one in worlds] == ["world", "world"]
    assert worlds[0]["state"] != worlds[1]["state"]
    for one in worlds:
        assert one["state"]["to_act"] == pos.seat
        assert one["state"]["n_seats"] == 2
        assert one["state"]["rng"] != pos.state.rng.tolist()


@pytest.mark.parametrize(
    ("does", "fault"),
    [
        ("", "ended with code 0"),
        ("sys.exit(3)", "ended with code 3"),
        (EACH + "print('nonsense', flush=True)", "no JSON"),
        (EACH + "print('[1]', flush=True)", "was wanted"),
        (EACH + "print(json.dumps({'type': 'hello'}), flush=True)", "was wanted"),
        (EACH + "print('x' * (2 << 20), flush=True)", "a line of more than"),
        (EACH + "print(json.dumps({'type': 'play', 'id': told['id'], 'action': 10**6}), flush=True)", "not legal"),
        (EACH + "print(json.dumps({'type': 'play', 'id': told['id'], 'action': 'fly'}), flush=True)", "not legal"),
        (EACH + "print(json.dumps({'type': 'play', 'id': told['id'], 'action': True}), flush=True)", "not legal"),
        (EACH + "print(json.dumps({'type': 'play', 'id': told['id']}), flush=True)", "not legal"),
        (EACH + "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "by signal 9"),
    ],
)
def test_a_fault_costs_the_decision_and_not_the_game(program: Made, does: str, fault: str) -> None:
    """Chance decides; the fault is told in words."""
    by = program(does)
    decided(by)
    assert len(by.faults) == 1
    assert fault in by.faults[0]


def test_one_that_stalls_loses_its_time(program: Made) -> None:
    """No answer, or only answers to a decision long gone."""
    by = program("sys.stdin.read()", seconds=0.1)
    decided(by)
    late = program(
        EACH + "print(json.dumps({'type': 'play', 'id': 0, 'action': told['legal'][0]['id']}), flush=True)", 0.1
    )
    decided(late)
    assert ["in time" in one for one in by.faults + late.faults] == [True, True]


def test_one_that_floods_is_bounded(program: Made) -> None:
    """It may write without end: we read so much and no more."""
    by = program(EACH + "\n        while True: print('{}', flush=True)")
    decided(by)
    assert "was wanted" in by.faults[0]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds another program's memory")
def test_memory_is_bounded(program: Made) -> None:
    """A program that takes more than it may comes to its end."""
    by = program(EACH + "all = bytearray(1 << 30)", memory=256)
    decided(by)
    assert "ended with code 1" in by.faults[0]


def test_it_is_started_again_and_given_up_in_the_end(program: Made) -> None:
    """Five faults; then it is not asked again, and the game goes on."""
    by = program("sys.exit(1)")
    pos = table()
    for _ in range(8):
        pos.play(decided(by, pos))
    assert len(by.faults) == 5


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/nowhere/at/all", "cannot be started"),
        (f'{sys.executable} -c "print(1)"', "was wanted"),
        (f"""{sys.executable} -c 'print("{{\\"type\\": \\"hello\\", \\"protocol\\": 9}}")'""", "speaks protocol 9"),
        (
            f"""{sys.executable} -c 'print("{{\\"type\\": \\"hello\\", \\"protocol\\": 1, \\"wants\\": [\\"all\\"]}}")'""",
            "wants",
        ),
    ],
)
def test_a_bad_beginning_is_told(command: str, fault: str) -> None:
    """Before any decision."""
    with pytest.raises(Fault, match=fault):
        ProgramConnection(command, 20.0, 2048)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cmd:", "write the program after"),
        ("cmd:seconds=2:", "write the program after"),
        ("cmd:seconds=soon:./it", "seconds is a number"),
        ("cmd:memory=0:./it", "more than 0"),
        ("cmd:./it 'unclosed", "quotation"),
    ],
)
def test_bad_specs_are_told(spec: str, message: str) -> None:
    """When they are written, not when they are played."""
    with pytest.raises(ValueError, match=message):
        bot_from(spec)


def test_programs_are_not_for_everybody() -> None:
    """Where strangers write the names, as on the lab's page, no program is started."""
    with pytest.raises(ValueError, match="bots go by name"):
        bot_from("cmd:./mybot", files=False)


def test_settings_travel_to_other_workers(program: Made) -> None:
    """A copy is another program with the same settings."""
    by = bot_from("cmd:seconds=2:memory=512:./my bot.sh")
    assert pickle.loads(pickle.dumps(by)) == by == CommandBot("./my bot.sh", 2.0, memory=512.0)


def test_the_check_tells_what_is_wrong(program: Made) -> None:
    """`sutler bot check`: the faults of a bad one, none of a good one."""
    good, bad = Findings(), Findings()
    player = bot_from(f"cmd:seconds=60:{CURIOUS}")
    play_trial_game(sutler.load("threeyears"), [player, bot("random")], 0, 1, good)
    play_trial_game(sutler.load("threeyears"), [program("sys.exit(1)"), bot("random")], 1, 1, bad)
    player.close()  # type: ignore[attr-defined]
    assert good.decisions > 10
    assert good.wrong == []
    assert bad.wrong == ["ended with code 1"] * 5
