"""`sutler play`: games at the keyboard, scripted to the end."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import sutler as library
from cli.conftest import ROOT

Run = Callable[..., Result]
PROMPT = b"> "
QUICK = ("--set", "victory=5", "--set", "offers=0", "--set", "buys=0", "--set", "swaps=0", "--set", "hardships=0")


def test_a_game_to_the_end(sutler: Run, home: Path) -> None:
    """Two seats at one keyboard, first choice every time (the last when it is to pass): it ends with a table of scores."""
    done = sutler(
        "play",
        "manor",
        "--seats",
        2,
        "--bots",
        "none",
        "--seed",
        3,
        "--save",
        "game.json",
        *QUICK,
        typed="1\n3\n4\n5\n6\n" * 900,
    )
    assert done.exit_code == 0, done.output[-2000:]
    assert "The end" in done.output
    assert "Victory tokens" in done.output
    assert "Kept in game.json" in done.output
    pos = library.read_game_file(home / "game.json")
    assert pos.over
    assert max(pos.scores()) >= 5


def test_against_bots_to_the_end(sutler: Run) -> None:
    """Nobody at the keyboard: the bots play on their own."""
    done = sutler("play", "manor", "--me", "none", "--bots", "random", "--seats", 2, "--seed", 3, *QUICK)
    assert done.exit_code == 0, done.output[-2000:]
    assert "The end" in done.output


def test_the_table_is_drawn(sutler: Run) -> None:
    """The map with its lands, the seats, the hand with what its cards do, the prompt with its paragraph."""
    shown = sutler("play", "manor", "--seed", 3, "--bots", "random", typed="q\n").output
    for word in ("Fertile Fields", "Castle", "River", "peasants", "Agnes", "Perrin", "→ ●", "deck", "Gain", "Turn 1"):
        assert word in shown, word
    assert re.search(r"Agnes, draw 3 cards and keep one\?.*\[3\.4\]", shown)
    assert re.search(r"^1 +Pay 3 goods for 3 cards", shown, re.M)


def test_commands(sutler: Run) -> None:
    """Undo, log, rules, why not, help, unknown words, numbers out of range."""
    typed = "?\nr\nr 5.4\nr nonsense words\nw\nw place Wheat\nw Wheat\nw done\nl\nt\n77\nfrobnicate\nplace Wheet\nno\nu\nq\n"
    done = sutler("play", "manor", "--seed", 3, "--bots", "none", "--seats", 2, typed=typed)
    assert done.exit_code == 0, done.output
    for words in (
        "take back",  # the help
        "3.4  Draw phase",  # the prompt's paragraph
        "5.4  Work phase",
        "no paragraph 'nonsense words'",
        "w ACTION, such as",
        "This card is not in your hand.  5.2",
        "It can be done now.",
        "There are choices from 1 to 2.",
        "has no action called 'frobnicate'",
        "did you mean 'place Wheat'",
    ):
        assert words in done.output, words
    asked = [line.split()[0] for line in done.output.splitlines() if "draw 3 cards and keep one?" in line]
    assert asked == ["Agnes,", "Agnes,"]  # asked again after the undo


def test_hint(sutler: Run) -> None:
    """What the strong bot would do, among the choices offered."""
    done = sutler("play", "manor", "--seed", 3, "--bots", "none", "--seats", 2, typed="h\nq\n")
    assert done.exit_code == 0, done.output
    assert re.search("I would: (done|buy three)", done.output)
    assert "because it leaves you more goods" in done.output


def test_undo_stops_at_luck(sutler: Run) -> None:
    """What drew cards stays done, and it says why."""
    done = sutler("play", "manor", "--seed", 3, "--bots", "none", "--seats", 2, typed="u\n1\n1\n1\n1\nu\nu\nu\nu\nq\n")
    assert "There is nothing to take back." in done.output
    assert "It cannot be taken back" in done.output


def test_actions_by_name(sutler: Run, home: Path) -> None:
    """`done` and `DONE` are typed as the game calls them."""
    sutler("play", "manor", "--seed", 3, "--bots", "none", "--seats", 2, "--save", "a.json", typed="DONE\nq\n")
    pos = library.read_game_file(home / "a.json")
    assert [pos.game.action_names[one.action].name for one in pos.decisions] == ["done"]


def test_leaving_loses_nothing(sutler: Run, home: Path) -> None:
    """Leaving, by q or by the end of input, keeps the game; `sutler play FILE` goes on with it."""
    for typed in ("done\nq\n", "done\n"):
        left = sutler("play", "manor", "--seed", 3, "--bots", "none", "--seats", 2, typed=typed)
        file = Path(re.search(r"sutler play (\S+\.json)", left.output.replace("\n", " "))[1])  # type: ignore[index]
        assert file.parent == home / "data" / "sutler"
        assert len(library.read_game_file(file).decisions) == 1
        again = sutler("play", file, "--bots", "none", typed="done\nq\n")
        assert again.exit_code == 0, again.output
        assert len(library.read_game_file(file).decisions) == 2
        file.unlink()


def test_saving(sutler: Run, home: Path) -> None:
    """`s FILE` keeps the game there from then on; a file that cannot be written is told; an old one is not overwritten."""
    done = sutler(
        "play", "manor", "--seed", 3, "--bots", "none", "--seats", 2, typed="s no/where.json\ns b.json\ndone\ndone\nq\n"
    )
    assert "no/where.json cannot be written" in done.output
    assert "Kept in b.json" in done.output
    assert len(library.read_game_file(home / "b.json").decisions) == 2
    refused = sutler("play", "manor", "--save", "b.json")
    assert refused.exit_code == 2
    assert "exists already" in refused.output
    assert sorted(path.name for path in home.iterdir() if path.suffix != "") == ["b.json"]


def test_names_and_seats(sutler: Run) -> None:
    """Names as given; the person where they asked to sit."""
    shown = sutler(
        "play", "manor", "--seed", 3, "--bots", "random", "--me", 2, "--names", "Ann,Bob,Cat", typed="q\n"
    ).output
    assert "▲ Bob  you" in shown
    assert "● Ann  random" in shown
    assert "Bob, " in shown


def test_secrets_are_handed_over(sutler: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with secrets asks the next person to sit down before it shows theirs; one without does not."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
    secret = sutler("play", "market", "--seats", 2, "--bots", "none", "--seed", 4, typed="\nwork\n\nwork\n\nq\n").output
    assert secret.count("Hand over to") == 3
    assert secret.count("Enter when you sit there") == 3
    open_hands = sutler("play", "manor", "--seats", 2, "--bots", "none", "--seed", 4, typed="done\n" * 9 + "q\n").output
    assert "Hand over" not in open_hands


def test_a_game_without_a_drawing_of_its_own(sutler: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example game has no terminal.py and is shown all the same, secrets excepted."""
    monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
    done = sutler("play", "market", "--seats", 2, "--bots", "random", "--seed", 4, typed="1\n" * 30)
    assert done.exit_code == 0
    assert "customer" in done.output
    assert "The end" in done.output
    first = done.output.split("> ")[0].split("customer")[-1]  # the seats; the price list above names all kinds
    kinds = [kind for kind in ("cloth", "food", "drink", "iron") if re.search(rf"\b{kind}\b", first)]
    assert len(kinds) == 1  # one's own customer and nobody else's


def test_at_a_real_terminal(home: Path) -> None:
    """In a terminal proper: the first question comes, a choice is taken, Ctrl-C leaves with the game kept."""
    master, slave = pty.openpty()
    command = [sys.executable, "-c", "from sutler.cli import main; main()", "play", "manor", "--seed", "3"]
    command += ["--bots", "random", "--seats", "2"]
    env = os.environ | {"TERM": "xterm", "SUTLER_PLAIN": "1"}
    child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True)
    os.close(slave)
    try:
        read_until(master, PROMPT)
        os.write(master, b"done\n")
        shown = read_until(master, PROMPT)
        assert b"\x1b[" in shown  # in colour
        for _ in range(20):  # readline may miss a signal that comes the moment it shows its prompt
            child.send_signal(2)
            if select.select([master], [], [], 2)[0]:
                break
        rest = read_until(master, b"sutler play ")
        assert b"The game is kept" in rest
        assert b"Traceback" not in rest
        while read_some(master):
            pass
        assert child.wait(60) == 0
    finally:
        child.kill()
        child.wait()
        os.close(master)


def read_some(master: int) -> bytes:
    ready, _, _ = select.select([master], [], [], 60)
    assert ready, "nothing comes any more"
    try:
        return os.read(master, 65536)
    except OSError:  # the other end is closed
        return b""


def read_until(master: int, wanted: bytes) -> bytes:
    got, end = b"", time.monotonic() + 60
    while wanted not in got if wanted != PROMPT else not got.endswith(wanted):
        more = read_some(master)
        assert more, got[-2000:]
        assert time.monotonic() < end
        got += more
    return got


def test_a_standing_order_answers_what_it_names(sutler: Run) -> None:
    """3.4: with "Buy no cards" nobody is asked whether they buy, in any turn, until it is taken back."""
    asked = "draw 3 cards and keep one"
    typed = "o\no 3\n" + "1\n" * 40 + "q\n"
    shown = sutler("play", "manor", "--seats", 2, "--seed", 3, "--bots", "random", *QUICK[:4], typed=typed).output
    assert "Decline every offer  until the turn ends  4.2" in shown, "all of them are listed"
    assert "It stands until you take it back: Buy no cards." in shown
    assert shown.count(asked) == 1, "it was asked once, before the order was given"
    assert "as ordered: Buy no cards." in shown
    without = sutler(
        "play", "manor", "--seats", 2, "--seed", 3, "--bots", "random", *QUICK[:4], typed="1\n" * 40
    ).output
    assert without.count(asked) > 1
    back = sutler("play", "manor", "--seats", 2, "--seed", 3, "--bots", "random", typed="o buy no cards\nq\n").output
    assert "as ordered" in back
    unknown = sutler("play", "manor", "--seats", 2, "--seed", 3, "--bots", "random", typed="o 9\nq\n").output
    assert "There is no such automatic answer" in unknown


def test_no_more_sit_down_than_the_game_is_best_with(sutler: Run) -> None:
    """Six Winters is a game for two, in the terminal as in the lobby."""
    shown = sutler("play", "sixwinters", "--seed", 3, "--bots", "random", typed="q\n").output
    assert "Perrin" in shown
    assert "Osric" not in shown


def test_what_lies_before_is_played_by_a_bot(sutler: Run) -> None:
    """A game that begins later begins with what came of it; by no clock, and where there is anything before."""
    later = ("play", "sixwinters", "--seats", 1, "--seed", 3, "--set", "start_year=2")
    done = sutler(*later, "--before", "random", typed="q\n")
    assert done.exit_code == 0, done.output
    assert "Year 2" in done.output
    assert re.search(r"year 1: .*(passed|failed)", done.output)
    assert "goes by the clock" in sutler(*later, "--before", "hard").output
    assert "begins where it stands" in sutler(*later, "--before", "random", "--position", "year-four").output
    assert "nothing lies before" in sutler("play", "manor", "--before", "normal").output


def test_sizes_of_cities_stand_in_a_row_for_each_city(sutler: Run) -> None:
    """Ten cities and three sizes are ten lines, not thirty; any of the thirty can be typed."""
    shown = sutler("play", "bellum", "--seed", 3, typed="21\nq\n").output
    rows = re.findall(r"^(\S+) +(\d+) minor.* (\d+) medium.* (\d+) major", shown, re.MULTILINE)[:10]
    assert rows[0] == ("Utrecht", "1", "11", "21")
    assert sorted(int(key) for row in rows for key in row[1:]) == list(range(1, 31))
    assert "makes Utrecht a major city" in shown


def test_a_first_game_is_smaller(sutler: Run) -> None:
    """`--first-game` sets what the page Learn sets: in Bellum no sizes are asked, and nobody leads two powers; --set still counts."""
    done = sutler("play", "bellum", "--first-game", "--seed", 3, "--bots", "random", typed="q\n")
    assert done.exit_code == 0, done.output
    assert "A first game: the sizes of the cities are dealt, and the war begins at once." in done.output
    assert "give a city its size" not in done.output
    assert len(re.findall(r"leads \w+", done.output)) == len(set(re.findall(r"(\w+) leads", done.output))) == 4
    other = sutler(
        "play", "bellum", "--first-game", "--set", "city_tiles=placed", "--bots", "random", typed="q\n"
    ).output
    assert "give a city its size" in other
    plain = sutler("play", "warfarm", "--first-game", "--bots", "random", typed="q\n")
    assert plain.exit_code == 0, "a game without a smaller one is played whole"


def test_the_terminal_speaks_german(sutler: Run) -> None:
    """With `--language de` its own words are German too: commands, refusals, hints, automatic answers, the end."""
    typed = "?\nzz\n99\nh\no\no 3\nu\nw\nr qqq\ns game.json\nq\n"
    shown = sutler("--language", "de", "play", "manor", "--seed", 3, "--bots", "random", typed=typed).output
    for told in (
        *("Startzahl 3 · ? für Hilfe", "du", "den Tisch noch einmal", "gibt es keine Aktion 'zz'"),
        *("Es gibt die Möglichkeiten 1 bis", "Ich würde:", "Keine Karten kaufen", "Es gilt bis du es zurücknimmst"),
        *(
            "Agnes, wie angeordnet: Keine Karten kaufen.",
            "w AKTION",
            "hat keinen Absatz",
            "Gesichert in game.json",
            "Weiter geht es mit",
        ),
    ):
        assert told in re.sub(r"\s+", " ", shown), told
    ended = sutler(
        "--language", "de", "play", "manor", "--me", "none", "--bots", "random", "--seats", 2, "--seed", 3, *QUICK
    )
    assert "Das Ende" in ended.output
    assert "The end" not in ended.output
