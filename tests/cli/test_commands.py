"""Every command: what it shows, and what it says when asked for what cannot be."""

from __future__ import annotations

import functools
import json
import re
import runpy
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import typer
from click.testing import Result

import sutler as library
from cli.conftest import python
from sutler.cli.errors import print_errors_as_sentences

Run = Callable[..., Result]


def played(path: Path, decisions: int = 12, **options: object) -> Path:
    """A game file of some decisions."""
    pos = library.load("manor", **options).new(seats=2, seed=5)
    for _ in range(decisions):
        pos.play(pos.legal_ids()[0])
    pos.save(path)
    return path


# --- Help -----------------------------------------------------------------------


def test_help_imports_nothing_heavy() -> None:
    """`sutler --help` loads neither compiler nor arrays nor tables."""
    code = """
import sys
sys.argv = ["sutler", "--help"]
from sutler.cli import main
try:
    main()
except SystemExit as end:
    assert end.code in (0, None), end.code
heavy = {"numba", "numpy", "polars", "llvmlite", "pydantic", "fastapi", "sqlalchemy", "asyncio"} & set(sys.modules)
print("HEAVY", sorted(heavy), len(sys.modules))
"""
    done = python(code)
    assert "HEAVY []" in done.stdout, done.stdout[-500:] + done.stderr
    assert "simulate" in done.stdout


def test_help_loads_little() -> None:
    """Help comes at once, because nothing is loaded that takes its time: no compiler, no arrays, no tables, no server."""
    code = """
import sys
sys.argv = ['sutler', '--help']
from sutler.cli import app
try:
    app()
finally:
    heavy = {'numba', 'numpy', 'polars', 'pydantic', 'fastapi', 'sqlalchemy', 'jinja2', 'ray', 'openskill'}
    print('LOADED', sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600)
    assert "LOADED []" in done.stdout


def test_every_command_has_help(sutler: Run) -> None:
    """Each command explains itself."""
    top = sutler("--help")
    names = ("games", "play", "serve", "simulate", "report", "replay", "bench", "guide", "warm", "box")
    for name in names:
        assert re.search(rf"\b{name}\b", top.output), name
        shown = sutler(name, "--help")
        assert shown.exit_code == 0
        assert len(shown.output.splitlines()) > 4


def test_version(sutler: Run) -> None:
    """The version is the package's."""
    assert sutler("--version").output.strip() == f"sutler {library.__version__}"


# --- Lists ----------------------------------------------------------------------


def test_games_are_listed(sutler: Run) -> None:
    """Every game with its players, length, weight and options."""
    shown = sutler("games")
    assert shown.exit_code == 0
    for name in library.games():
        assert name in shown.output
    for word in ("Medieval Manor", "2–6", "45–60", "hardships"):
        assert word in shown.output


def test_guide(sutler: Run) -> None:
    """Chapters; one paragraph; a chapter; a search."""
    assert "5.4" in sutler("guide", "manor").output
    one = sutler("guide", "manor", "5.4").output
    assert one.startswith("5.4")
    assert "our ruling" in one
    assert sutler("guide", "manor", "§5.4").output == one
    chapter = sutler("guide", "manor", "5").output
    assert "5.1" in chapter
    assert "5.4" in chapter
    assert "conversion" in sutler("guide", "manor", "conversion").output.casefold()


def test_box_check_lists_differences(sutler: Run, home: Path) -> None:
    """Changed, taken out, new, and numbers of the rules that the printed box does not even write down."""
    edit = home / "edit.toml"
    edit.write_text(
        '[[card]]\nname = "Wheat"\ngain = { crops = 9 }\n\n[[card]]\nname = "Sheep"\nremove = true\n\n'
        '[[card]]\nname = "Beet Leaves"\ntype = "bounty"\non = ["Fields"]\ngain = { crops = 1 }\n\n[rules]\nbuy_price = 2\n'
    )
    shown = sutler("box", "check", edit)
    assert shown.exit_code == 0, shown.output
    assert "Medieval Manor, 4 differences" in shown.output
    assert 'card "Wheat" gain.crops: 4 → 9' in shown.output
    assert '− card "Sheep" is taken out' in shown.output
    assert '+ card "Beet Leaves" is new' in shown.output
    assert "rules.buy_price: 3 → 2" in shown.output


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            "[rules]\nupgrade_cots = 2\n",
            "field rules.upgrade_cots: there is no such field; did you mean 'upgrade_cost'?",
        ),
        (
            '[[card]]\nname = "Whaet"\n',
            "[[card]] \"Whaet\", field type: it is missing from a new entry; did you mean 'Wheat'?",
        ),
        ("[rules]\nbuy_price = 500\n", "field rules.buy_price: 500 is too large: at most 99"),
    ],
)
def test_an_edit_with_a_fault_is_told_of_the_game_that_it_is_for(
    sutler: Run, home: Path, edit: str, message: str
) -> None:
    """Without --game each of these was told of another game, where nothing like it is."""
    (home / "edit.toml").write_text(edit)
    done = sutler("box", "check", "edit.toml")
    assert done.exit_code == 2
    assert (
        done.output.strip() == f"sutler: edit.toml fits no game. The nearest is Medieval Manor:\nedit.toml: {message}"
    )
    assert sutler("box", "check", "edit.toml", "--game", "manor").output.strip() == f"sutler: edit.toml: {message}"


# --- Games ----------------------------------------------------------------------


def test_replay_shows_the_log(sutler: Run, home: Path) -> None:
    """The whole log, or one moment's table."""
    file = played(home / "game.json")
    whole = sutler("replay", file)
    assert whole.exit_code == 0, whole.output
    assert "12 decisions" in whole.output
    assert "Turn 1" in whole.output
    start, later = sutler("replay", file, "--at", 0), sutler("replay", file, "--at", 12)
    assert start.exit_code == later.exit_code == 0
    assert "Turn 1" in start.output
    assert start.output != later.output


def test_replay_steps(sutler: Run, home: Path) -> None:
    """Enter goes on, q leaves."""
    file = played(home / "game.json", 3)
    all_of_it = sutler("replay", file, "--step", typed="\n\n\n\n")
    assert [f"after decision {n} of 3" in all_of_it.output for n in range(4)] == [True] * 4
    left = sutler("replay", file, "--step", typed="\nq\n")
    assert "after decision 1 of 3" in left.output
    assert "after decision 2 of 3" not in left.output


def test_replay_reviews_only_what_is_over(sutler: Run, home: Path) -> None:
    """While a game goes on a look back would tell secrets; the error names the file."""
    refused = sutler("replay", played(home / "game.json", 3), "--review")
    assert refused.exit_code != 0
    assert "is not over" in refused.output


def test_replay_reviews_a_game(sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each costly decision with its question, both choices, and how often each wins; or that there is none."""
    from sutler.lab.studies import costly_decisions

    pos = library.load("manor", victory=5, offers=0).new(seats=2, seed=4)
    while not pos.over:
        pos.play(pos.legal_ids()[0])
    pos.save(home / "over.json")
    names = pos.game.action_names
    made = pos.decisions[3]
    found = [costly_decisions.CostlyDecision(3, made.seat, names[made.action], names[0], 0.2, 0.5, 0.1, 100)]
    monkeypatch.setattr(costly_decisions, "find_costly_decisions", lambda pos, seats: found)
    told = " ".join(sutler("replay", home / "over.json", "--review").output.split())
    assert "Decision 3, " in told
    assert "50 games in 100, not 20 (± 10 on the difference; normal bots, 100 games each way)" in told
    found.clear()
    assert "nothing else was clearly better" in sutler("replay", home / "over.json", "--review").output


# --- What cannot be ---------------------------------------------------------------

WRONG = [
    (["play", "manr"], "there is no game 'manr'.*Did you mean manor"),
    (["guide", "chess"], "there is no game 'chess'"),
    (["warm", "chess"], "there is no game 'chess'|SUTLER_PLAIN is set"),
    (["simulate", "chess"], "there is no game 'chess'"),
    (["play", "manor", "--set", "speed=3"], "manor has no option 'speed'"),
    (["play", "manor", "--set", "victory=99"], "victory: 99 is outside 5 to 40"),
    (["play", "manor", "--set", "victory=many"], "victory: 'many' is not a whole number"),
    (["play", "manor", "--set", "victory"], "write a setting as KEY=VALUE"),
    (["play", "manor", "--set", "rules.buy_price=cheap"], "rules.buy_price|valid integer"),
    (["play", "manor", "--seats", "9"], "2 to 6 seats, not 9"),
    (["play", "manor", "--seed", "-1"], "a seed is a whole number"),
    (["play", "manor", "--me", "7"], "name seats from 1 to 3"),
    (["play", "manor", "--me", "none", "--bots", "none"], "wants bots in all seats"),
    (["play", "manor", "--bots", "genius"], "there is no bot 'genius'"),
    (["play", "manor", "--bots", "random", "--names", "Ann,Bob"], "3 seats want 3 names"),
    (["play", "manor", "--box", "none.toml"], "none.toml: there is no such file"),
    (["play", "manor", "--position", "none.toml"], "none.toml: there is no such file"),
    (["play", "empty.json"], "there is no game|is no game file"),
    (["box", "check", "none.toml"], "none.toml: there is no such file"),
    (["box", "check", "broken.toml"], "broken.toml: not a TOML file: .*line 1"),
    (["box", "check", "unknown.toml"], r'unknown.toml: \[\[card\]\] "Wheat", field gains'),
    (["box", "check", "unknown.toml", "--game", "manor"], r'\[\[card\]\] "Wheat", field gains'),
    (["replay", "none.json"], "none.json: cannot be read"),
    (["replay", "empty.json"], "empty.json: not a game file"),
    (["replay", "broken.json"], "broken.json: not a game file"),
    (["replay", "other.json"], "other.json: there is no game 'chess'"),
    (["replay", "illegal.json"], "illegal.json: decision 3, 'pass': .*3.5|illegal.json: decision 3"),
    (["replay", "changed.json"], "changed.json: decision 13: played again it ends elsewhere"),
    (["replay", "game.json", "--at", "99"], "the game has 12 decisions"),
    (["guide", "manor", "99.9"], "no paragraph '99.9'"),
    (["simulate", "manor", "--out", "table.txt"], "end it in .parquet .*or .csv"),
    (["simulate", "manor", "--out", "nowhere/table.csv"], "there is no such folder"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_wrong_input_is_told_in_words(sutler: Run, home: Path, arguments: list[str], message: str) -> None:
    """One message that says what is wrong, exit code 2, no traceback."""
    (home / "broken.toml").write_text("[[card]\n")
    (home / "unknown.toml").write_text('[[card]]\nname = "Wheat"\ngains = { crops = 3 }\n')
    (home / "empty.json").write_text("{}")
    (home / "broken.json").write_text('{"sutler": 1,')
    file = json.loads(played(home / "game.json").read_text())
    (home / "other.json").write_text(json.dumps(file | {"game": "chess"}))
    (home / "changed.json").write_text(json.dumps(file | {"digest": "0" * 16}))
    (home / "illegal.json").write_text(json.dumps(file | {"actions": [*file["actions"][:2], "pass", "pass"]}))
    done = sutler(*arguments)
    assert done.exit_code == 2, done.output
    assert re.search(message, done.output), done.output
    assert "Traceback" not in done.output
    assert done.output.startswith("sutler: ")


def test_a_fault_of_ours_is_no_traceback_either(sutler: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody expected is told apart from what the user can mend: exit code 1."""
    monkeypatch.setattr("sutler.core.play.registry._find_game_folders", functools.partial(divmod, 1, 0))
    done = sutler("games")
    assert done.exit_code == 1
    assert "a fault of ours: ZeroDivisionError" in done.output
    assert "Traceback" not in done.output


def test_a_fault_in_ones_own_game_names_its_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was "a fault of ours … please tell us", with neither file nor line."""
    mine = tmp_path / "box.py"
    mine.write_text("from sutler.core.actions import ActionTable\n\nACTIONS = ActionTable(1, 2)\n", encoding="utf-8")
    with pytest.raises(typer.Exit) as ended, print_errors_as_sentences():
        runpy.run_path(str(mine))
    assert ended.value.exit_code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"sutler: a fault in {mine}, line 3 (ACTIONS = ActionTable(1, 2)): TypeError")
    mine.write_text("def rule(:\n", encoding="utf-8")
    with pytest.raises(typer.Exit), print_errors_as_sentences():
        runpy.run_path(str(mine))
    assert f"a fault in {mine}, line 1 (def rule(:): SyntaxError" in capsys.readouterr().err


def test_usage_errors_leave_with_two(sutler: Run) -> None:
    """What Typer itself refuses."""
    for arguments in (["frobnicate"], ["simulate", "manor", "--games", "0"], ["serve", "--port", "99999"], ["play"]):
        assert sutler(*arguments).exit_code == 2


def test_a_closed_pipe_is_no_error() -> None:
    """`sutler guide manor | head -1`."""
    code = "import sys; sys.argv = ['sutler', 'guide', 'manor']; from sutler.cli import main; main()"
    command = f'"{sys.executable}" -c "{code}" | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert "Medieval Manor" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["--help"], ["guide", "manor", "5.4"], ["simulate", "--help"]], ids=" ".join)
def test_a_short_command_imports_nothing_heavy(words: list[str]) -> None:
    """Help and guides come at once: no compiler, no tables, no web."""
    code = (
        f"import sys; sys.argv = ['sutler', *{words}]; from sutler.cli import app; app(standalone_mode=False)\n"
        "print([one for one in ('numba', 'numpy', 'polars', 'starlette') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stdout + done.stderr


def test_a_port_that_is_taken(sutler: Run) -> None:
    """Said in words; exit code 2."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        done = sutler("serve", "--port", door.getsockname()[1])
    assert done.exit_code == 2, done.output
    assert "cannot be had" in done.output
    assert "Traceback" not in done.output


# --- Simulations ------------------------------------------------------------------


@pytest.mark.compiled
def test_simulate(sutler: Run, home: Path) -> None:
    """Who wins, by bot and by seat, with intervals; one row a game in the file, the same for the same seed."""
    options = ("--games", 12, "--set", "victory=5", "--set", "offers=0", "--seed", 4)
    done = sutler("simulate", "manor", "--bots", "greedy,random", *options, "--out", "a.parquet")
    assert done.exit_code == 0, done.output
    for words in ("12 games of Medieval Manor", "decisions/s", "greedy", "random", "seat 2", "95 % interval"):
        assert words in done.output
    again = sutler("simulate", "manor", "--bots", "greedy,random", *options, "--out", "b.csv")
    assert again.exit_code == 0
    rows = pl.read_parquet(home / "a.parquet")
    assert len(rows) == 12
    assert rows["seed"].to_list() == list(range(4, 16))
    assert pl.read_csv(home / "b.csv")["decisions"].to_list() == rows["decisions"].to_list()
    alone = sutler("simulate", "manor", "--bots", "greedy", *options, "--seats", 2)
    assert "greedy in every seat" in alone.output
    assert alone.output.count("95 % interval") == 1, (
        "of the seats; that a bot wins its even share against itself says nothing"
    )
    huge = sutler("simulate", "manor", "--games", 10**19)
    assert huge.exit_code == 2
    assert "each game has its own seed" in huge.output


@pytest.mark.compiled
def test_an_interrupted_simulation_goes_on(sutler: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C: what is there and how to go on, and 130; then the same command does the rest, another one is refused."""
    from sutler.lab.play import experiment

    put = experiment.PartsFolder.write_part

    def put_one(shelf: experiment.PartsFolder, first: int, end: int, span: experiment.Span) -> None:
        if first > 0:
            raise KeyboardInterrupt
        put(shelf, first, end, span)

    monkeypatch.setattr(experiment, "SPAN_GAMES", 2)
    monkeypatch.setattr(experiment.PartsFolder, "write_part", put_one)
    command = ("simulate", "manor", "--bots", "random", "--games", 6, "--set", "victory=5", "--out", "a.parquet")
    stopped = sutler(*command)
    assert stopped.exit_code == 130
    assert "Interrupted: 2 of 6 games are kept in a.parquet.parts" in " ".join(stopped.output.split())
    monkeypatch.setattr(experiment.PartsFolder, "write_part", put)
    other = sutler(*command, "--seed", 9)
    assert other.exit_code == 2
    assert "another experiment (seed was 1, now 9)" in other.output
    done = sutler(*command)
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "4 games of Medieval Manor" in said
    assert "and 2 kept from before" in said
    assert len(pl.read_parquet(home / "a.parquet")) == 6
    assert not (home / "a.parquet.parts").exists()
    assert sutler("report", "a.parquet").exit_code == 0
    assert "Medieval Manor: 6 games" in (home / "a.html").read_text(encoding="utf-8")
    assert "there is no such file" in sutler("report", "b.parquet").output


def test_simulate_with_an_edited_box(sutler: Run, home: Path) -> None:
    """The table of results says which box it was."""
    (home / "edit.toml").write_text("[rules]\nbuy_price = 1\n")
    for name, more in (("printed", ()), ("edited", ("--box", "edit.toml"))):
        options = ("--games", 2, "--set", "victory=5", "--bots", "random", "--seats", 2, "--out", f"{name}.parquet")
        done = sutler("simulate", "manor", *options, *more)
        assert done.exit_code == 0, done.output
    boxes = [pl.read_parquet(home / f"{name}.parquet")["box"][0] for name in ("printed", "edited")]
    assert boxes[0] != boxes[1]


@pytest.mark.compiled
def test_bench_as_json_and_beside_what_was_kept(sutler: Run, home: Path) -> None:
    """Figures by name, fit to be kept and compared: one a thousand times as good then is worse now, one a thousandth is better."""
    options = ("bench", "manor", "--seats", 2, "--set", "offers=0", "--seconds", "0.05")
    done = sutler(*options, "--json")
    assert done.exit_code == 0, done.output
    then = json.loads(done.output)
    found = then["manor"]
    assert sum(0 < one["lowest"] <= one["value"] <= one["highest"] for one in found["figures"].values()) > 5
    assert "machine" in found
    assert found["options"] == "offers=0"
    assert found["figures"]["random play, 2 seats, one thread"]["unit"] == "decisions/s"

    for name, times in (("random play, 2 seats, one thread", 1000), ("search, one thread", 0.001)):
        one = found["figures"][name]
        one |= {part: one[part] * times for part in ("value", "lowest", "highest")}
    found["machine"] = "an abacus"
    old = home / "old.json"
    old.write_text(json.dumps(then))
    done = sutler(*options, "--compare", old)
    assert done.exit_code == 0, done.output
    rows = {line.split(" (")[0].strip(): line for line in done.output.splitlines()}
    assert rows["random play, 2 seats, one thread"].split()[-1] == "worse"
    assert rows["search, one thread"].split()[-1] == "better"
    assert rows["state"].endswith("as before") or "as before" in rows["state"]
    assert "measured with another machine: an abacus" in done.output


def test_bench_refuses_what_holds_no_figures(sutler: Run, home: Path) -> None:
    """Another file, or one of other games, is said before anything is measured."""
    old = home / "old.json"
    old.write_text('{"manor": {"machine": "an abacus"}}')
    assert "holds no figures" in sutler("bench", "--compare", old).output
    old.write_text("{}")
    assert "has no figures of manor" in sutler("bench", "manor", "--compare", old).output
    assert "No such file" in sutler("bench", "--compare", home / "nothing.json").output


@pytest.mark.compiled
def test_bench_says_what_it_cannot_measure(sutler: Run) -> None:
    """An option without a game, a table too large."""
    assert "--set needs a game" in sutler("bench", "--set", "offers=0").output
    done = sutler("bench", "manor", "--seats", 9)
    assert done.exit_code == 2
    assert "2 to 6" in done.output
