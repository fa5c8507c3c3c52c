"""The file of a card game is saved while it lies on the table: the house reads it again, and an open table offers the saved version."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sutler.cardkit.installed_card_games import card_game, install_card_game
from sutler.cardkit.saved_file_watch import SavedFiles, is_playable_file
from sutler.web.errors import RequestError
from sutler.web.events import Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.lobby import new_table
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.changed_rules import was_saved_since_start
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.view.viewer import Viewer

from .test_company import Time, Waiting

FIRST = Path(__file__).parents[2] / "src" / "sutler" / "cardkit" / "first_game.toml"
PEOPLE = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Perrin"))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game that `sutler new-game NAME --cards` writes."""
    monkeypatch.setenv("SUTLER_GAMES", "")
    monkeypatch.setenv("SUTLER_PLAIN", "1")
    there = tmp_path / "savedwhileplayed.toml"
    there.write_text(FIRST.read_text(encoding="utf-8").replace("TITLE", "Tavern Street"), encoding="utf-8")
    return there


def save(file: Path, old: str, new: str) -> None:
    """Another version of the file."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@contextlib.contextmanager
def a_house(store: Store, file: Path) -> Iterator[House]:
    """A house that has just been opened, with the file as it is now."""
    card_game(put_on_shelf_again(file)).definition.home.interpreted = True
    house = House(store, Shelf(), bot_pause=0.0, job_queue=Waiting(Time()))
    yield house


def put_on_shelf_again(file: Path) -> Path:
    """The file, after what lies on the shelf was made of it as it is now."""
    install_card_game(file)
    return file


def opened(house: House) -> Room:
    """A table at which one thing was done."""
    room = house.open_table(Created(game="savedwhileplayed", seed=4, seats=PEOPLE))
    moves.play_action(room, (0,), 0, "work")
    return room


def page(room: Room) -> str:
    """The parts of the page that whoever is to decide sees."""
    return str(Viewer(room, (0, 1), "/seat/x").render_changed_parts(eyes=room.pos.seat))


def test_an_open_table_goes_on_and_offers_the_saved_version(file: Path) -> None:
    """Three coins to begin with become five: the old table has its four still, the next table begins with five."""
    store = Store("sqlite://")
    with a_house(store, file) as house:
        room = opened(house)
        assert room.pos.state.coins[0] == 4
        assert not was_saved_since_start(room)
        assert "saved since" not in page(room)
    save(file, "start = 3", "start = 5")
    with a_house(store, file) as house:
        again = house.get_room(room.id)
        assert again.pos.state.coins[0] == 4
        assert was_saved_since_start(again)
        assert "Play the saved version" in page(again)
        following = new_table.open_rematch(house, again, (0, 1))
        assert following.pos.state.coins.tolist()[:2] == [5, 5]
        assert not was_saved_since_start(following)
        assert "To the table with the saved version" in page(again)


def test_a_game_of_ours_and_a_file_that_stayed_have_no_such_notice(file: Path) -> None:
    """A house that is closed and opened again with the same file says nothing."""
    store = Store("sqlite://")
    with a_house(store, file) as house:
        room = opened(house)
    with a_house(store, file) as house:
        assert not was_saved_since_start(house.get_room(room.id))
        manor = house.open_table(Created(game="manor", seed=4, seats=PEOPLE))
        assert not was_saved_since_start(manor)


def test_a_table_that_cannot_go_on_says_so(file: Path) -> None:
    """The saved version has a field that the cards of then do not have."""
    store = Store("sqlite://")
    with a_house(store, file) as house:
        room = opened(house)
    save(file, 'points = "number" }', 'points = "number", fame = "number" }')
    save(file, "points = 1, copies = 2", "points = 1, fame = 1, copies = 2")
    text = re.sub(r"(points = \d+)(?!, fame)(?=[, ])", r"\1, fame = 0", file.read_text(encoding="utf-8"))
    file.write_text(text, encoding="utf-8")
    with a_house(store, file) as house, pytest.raises(RequestError, match="saved with other cards"):
        house.get_room(room.id)


def test_a_file_that_is_the_same_or_half_written_is_not_read_again(file: Path) -> None:
    """Saved with the same content, or gone for a moment while an editor replaces it: nothing happens; then it is read once."""
    watched = SavedFiles([])
    watched.files = (file,)
    watched._seen = watched._read_contents()
    file.write_bytes(file.read_bytes())
    assert watched.list_changed_files() == []
    text = file.read_bytes()
    file.unlink()
    assert watched.list_changed_files() == []
    file.write_bytes(b"")
    assert watched.list_changed_files() == []
    file.write_bytes(text + b"\n# a remark\n")
    assert watched.list_changed_files() == [file]
    assert watched.list_changed_files() == []


def test_a_slip_of_the_pen_is_told_and_the_table_stays(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its line, in the words of `sutler box check`."""
    assert is_playable_file(file)
    save(file, '"Baker", trade = "food"', '"Baker", trade = "foot"')
    assert not is_playable_file(file)
    assert "did you mean 'food'?" in capsys.readouterr().err


@pytest.mark.timeout(300)
def test_the_house_reads_a_saved_file_again_at_the_same_address(file: Path, tmp_path: Path) -> None:
    """A fault first, after which the old version is still there; then another title."""
    words = [sys.executable, "-m", "sutler.cli", "serve", str(file), "--port", "0", "--no-lab"]
    database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    said = tmp_path / "said"
    with said.open("w") as out:
        house = subprocess.Popen([*words, "--database", database], stdout=out, stderr=out, env=dict(os.environ))
    try:
        waited = until(lambda: re.search(r"http://\S+", said.read_text()), house)
        where = waited.group(0)
        assert "Tavern Street" in lobby(where)
        save(file, '"Baker", trade = "food"', '"Baker", trade = "foot"')
        until(lambda: "did you mean 'food'?" in said.read_text(), house)
        assert "Tavern Street" in lobby(where)
        save(file, '"foot"', '"food"')
        save(file, "Tavern Street", "Tavern Row")
        until(lambda: said.read_text().count("The table stands at") == 2, house)
        assert f"The table stands at {where}" in said.read_text().rpartition("set anew")[2]
        assert "Tavern Row" in lobby(where)
    finally:
        house.send_signal(2)
        assert house.wait(timeout=60) == 0


def lobby(where: str) -> str:
    """The page of all games."""
    return str(urllib.request.urlopen(where, timeout=60).read().decode())


def until(seen: Callable[[], Any], house: subprocess.Popen[bytes]) -> Any:
    """What is seen as soon as something is; the house must not close meanwhile."""
    while not (found := seen()):
        assert house.poll() is None, "the house has closed"
        time.sleep(0.1)
    return found
