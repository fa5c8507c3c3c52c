"""Golden playthroughs are what the rules do now; reprinting stops where an action has become illegal."""

import re
from pathlib import Path

import pytest

import sutler
from sutler.core.files.golden import (
    STOPPED_COMMENT,
    main,
    parse_golden_file,
    replay_and_reprint,
    write_random_playthrough,
)

GOLDEN = Path(__file__).parent.parent / "golden"
GAME = re.compile(r"^game (\w+)", re.MULTILINE)


def game_of(path: Path) -> str:
    """Which game a playthrough is of."""
    found = GAME.search(path.read_text(encoding="utf-8"))
    assert found, path
    return found[1]


FILES = [path for path in sorted(GOLDEN.glob("*.play")) if game_of(path) in sutler.games()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    """If this fails, read the diff that `make golden` makes: either a rule broke, or a rule was changed on purpose."""
    text = path.read_text(encoding="utf-8")
    assert STOPPED_COMMENT not in text
    assert replay_and_reprint(text, path.parent).splitlines() == text.splitlines()


def test_there_are_goldens() -> None:
    """Scripted ones and random ones."""
    assert len([path for path in FILES if path.stem.startswith("rulebook-")]) >= 5
    assert len([path for path in FILES if path.stem.startswith("random-")]) >= 3


def test_printed_numbers_stand_in_the_scripts() -> None:
    """The examples of the rulebook, as numbers in the text: 5 and 3 crops, 5 and 3 money, 1 victory, 1 gold a card."""
    wheat = (GOLDEN / "rulebook-manor-wheat.play").read_text(encoding="utf-8")
    assert "seats[0].tokens[crops] 1->6" in wheat
    assert "seats[0].tokens[crops] 1->4" in (GOLDEN / "rulebook-manor-wheat-poor.play").read_text(encoding="utf-8")
    assert "due 0->5" in (GOLDEN / "rulebook-manor-third-upgrade.play").read_text(encoding="utf-8")
    assert "due 0->3" in (GOLDEN / "rulebook-manor-orchard.play").read_text(encoding="utf-8")
    upgrades = (GOLDEN / "rulebook-manor-upgrades.play").read_text(encoding="utf-8")
    assert "seats[0].tokens[victory] 6->7" in upgrades
    assert "seats[0].tokens[gold] 1->2" in upgrades


SCRIPT = """game manor   seats 2   seed 3
option map = printed
# a script by hand
done
"""


def test_a_script_is_filled_in() -> None:
    """A bare action becomes a full line; comments and options stay; reprinting again changes nothing."""
    text = replay_and_reprint(SCRIPT)
    assert text.splitlines()[:3] == SCRIPT.splitlines()[:3]
    assert text.splitlines()[3].startswith("  1  seat ")
    assert re.fullmatch(r"  1  seat \d  done  of \d   .*to_act \d->\d.*", text.splitlines()[3])
    assert replay_and_reprint(text) == text
    assert parse_golden_file(text).lines == ["# a script by hand", "done"]


def test_reprinting_stops_at_an_illegal_action() -> None:
    """It says why and keeps what is left, so that nothing is lost."""
    text = replay_and_reprint(SCRIPT + "place Wheat\ndone\n")
    assert f"{STOPPED_COMMENT}Decide first whether to discard two cards for a new one. (3.5)" in text
    assert text.endswith("place Wheat\ndone\n")
    assert replay_and_reprint(text) == text


def test_the_end_of_a_game_is_printed() -> None:
    """Places and scores in the last line."""
    text = write_random_playthrough("manor", 2, 1, 100_000, victory="5", offers="0")
    assert text.splitlines()[-1].startswith("over   seat 0 place ")
    assert replay_and_reprint(text) == text


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files are reprinted in place; a stop is told and gives 1."""
    good, bad = tmp_path / "good.play", tmp_path / "bad.play"
    good.write_text(SCRIPT, encoding="utf-8")
    bad.write_text(SCRIPT + "accept\n", encoding="utf-8")
    assert main([str(good)]) == 0
    assert main([str(good), str(bad)]) == 1
    assert "No offer waits for your answer. (4.2)" in capsys.readouterr().out
    assert main(["--random", "manor", "2", "7", "3", "map=printed"]) == 0
    assert "option map = printed" in capsys.readouterr().out


def test_a_bad_head_is_refused() -> None:
    """The first line says what is played."""
    with pytest.raises(ValueError, match="line 1"):
        parse_golden_file("manor 2\n")
