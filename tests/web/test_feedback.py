"""What players tell whoever designs the game: only where it is counted, each for themselves; and what the designer makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from sutler.cli import app
from sutler.cli.design_commands.playtest import build_sitting, compute_minutes_played
from sutler.cli.kept_games import read_counted_rooms
from sutler.web.accounts import privacy
from sutler.web.errors import Refused
from sutler.web.events import Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.people import feedback, subscribers
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.tokens import hash_browser
from sutler.web.view.viewer import Viewer

from .test_company import Time

SEATS = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Perrin"))
SHORT = {"victory": 5, "offers": 0}


def counted(house: House, **more: Any) -> Room:
    """A short table that the lab counts."""
    return house.open_table(Created(game="manor", seed=4, seats=SEATS, options=SHORT, counts=True, **more))


def to_the_end(room: Room, time: Time | None = None) -> Room:
    """Both play whatever comes first; ten seconds a decision."""
    while not room.pos.over:
        if time:
            time.goes(10)
        moves.play_action(room, (room.pos.seat or 0,), room.decision, room.pos.actions()[0].name)
    return room


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def house(tmp_path: Path, time: Time) -> Any:
    one = House(Store(f"sqlite:///{tmp_path / 'tables.sqlite'}", time), Shelf(), bot_pause=0.0)
    yield one
    one.close()


def page(room: Room, seats: tuple[int, ...]) -> str:
    return Viewer(room, seats, "/seat").render_page(theme="")


def test_a_remark_is_kept_with_its_moment_and_nobody_else_hears_of_it(house: House) -> None:
    """Agnes's page shows it with the way back to the moment; neither Perrin's nor a watcher's changes by a byte."""
    room = counted(house)
    before = [page(room, seats) for seats in ((1,), ())]
    versions = [subscribers.compute_page_version(room, seats) for seats in ((1,), ())]
    feedback.give_feedback(room, (0,), text="Too dear!")
    assert 'href="/seat?moment=0"' in page(room, (0,))
    assert "Too dear!" in page(room, (0,))
    assert [page(room, seats) for seats in ((1,), ())] == before
    assert [subscribers.compute_page_version(room, seats) for seats in ((1,), ())] == versions
    again = House(Store(str(house.store.engine.url)), Shelf())
    assert [one.text for one in again.get_room(room.id).notes] == ["Too dear!"], "kept"
    again.close()


def test_how_it_was_is_asked_at_the_end_and_what_was_said_last_counts(house: House) -> None:
    room = counted(house)
    with pytest.raises(Refused, match="when the game is over"):
        feedback.give_feedback(room, (0,), again="yes")
    assert "how-was-it" not in page(room, (0,))
    to_the_end(room)
    assert "how-was-it" in page(room, (0,))
    assert "how-was-it" not in page(room, ())
    for told in ({"again": "no"}, {"length": "long"}, {"again": "yes"}):
        feedback.give_feedback(room, (0,), **told)
    assert feedback.find_last_answers(room.notes, 0) == ("yes", "long")
    assert feedback.find_last_answers(room.notes, 1) == ("", "")


def test_there_is_nobody_to_tell_where_nothing_is_counted(house: House) -> None:
    """Nor for watchers; empty words are none; and nobody fills the disk."""
    private = house.open_table(Created(game="manor", seed=4, seats=SEATS, options=SHORT))
    assert 'class="telling"' not in page(private, (0,))
    with pytest.raises(Refused, match="counted in the lab"):
        feedback.give_feedback(private, (0,), text="Hello?")
    room = counted(house)
    assert 'class="telling"' not in page(room, ())
    with pytest.raises(Refused, match="counted in the lab"):
        feedback.give_feedback(room, (), text="Hello?")
    with pytest.raises(Refused, match="a few words"):
        feedback.give_feedback(room, (0,))
    for _ in range(feedback.MAX_NOTES_EACH):
        feedback.give_feedback(room, (0,), text="And another thing.")
    with pytest.raises(Refused, match="no more is kept"):
        feedback.give_feedback(room, (0,), text="And another thing.")
    feedback.give_feedback(room, (1,), text="I come to words as well.")  # and is not told how much others have told


def test_what_somebody_told_is_theirs(house: House) -> None:
    """It is in the export of what is kept about a person, and gone when they are forgotten; the answer to a question stays, nobody's."""
    room = to_the_end(counted(house))
    house.store.record_seats(hash_browser("agnes"), room.id, (0,))
    feedback.give_feedback(room, (0,), text="Too dear!", again="yes")
    told = privacy.collect_personal_data(house.store, hash_browser("agnes"))
    assert "Too dear!" in str(told)
    privacy.delete_personal_data(house.store, hash_browser("agnes"))
    kept = [one.event.model_dump_json() for one in house.store.load_events(room.id)]
    assert not any("Too dear!" in one for one in kept)
    assert any('"again":"yes"' in one for one in kept)


def test_the_designer_reads_it(house: House, time: Time, tmp_path: Path) -> None:
    """`sutler playtest`: every counted game, no name, remarks with their moment, and what a bot would have done, counted again here."""
    room = counted(house)
    feedback.give_feedback(room, (0,), text="Where do <I> begin?")
    to_the_end(room, time)
    feedback.give_feedback(room, (1,), text="", again="perhaps", length="short")
    to_the_end(counted(house, edit={"rules": {"buy_price": 2}}), time)
    to_the_end(
        house.open_table(Created(game="manor", seed=4, seats=SEATS, options=SHORT))
    )  # nobody agreed to be counted
    rooms = list(read_counted_rooms(str(tmp_path / "tables.sqlite"), "manor"))
    assert len(rooms) == 2
    acted = len(rooms[0][0].pos.decisions)
    assert compute_minutes_played(rooms[0][1]) == pytest.approx((acted - 1) / 6)
    one = build_sitting(rooms[0][0], rooms[0][1], "https://play.example/")
    assert (one.again, one.length, one.players) == (["perhaps"], ["short"], ["person", "person"])
    assert one.remarks[0].link == f"https://play.example/watch/{room.id}?moment=0"
    words = ["playtest", str(tmp_path / "tables.sqlite"), "--game", "manor", "--bot", "random", "--games", "8"]
    for name in ("it.html", "it.csv"):
        done = CliRunner().invoke(app, [*words, "--out", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
    html = (tmp_path / "it.html").read_text(encoding="utf-8")
    assert "2 games of Medieval Manor; people played 4 seats" in html
    assert "Where do &lt;I&gt; begin?" in html
    assert "buy_price" in html
    assert "(one game: no interval)" in html, "each version was played once"
    assert "Agnes" not in html
    assert "Perrin" not in html
    table = pl.read_csv(tmp_path / "it.csv")
    row = table.filter((pl.col("figure") == "decisions") & (pl.col("box") == rooms[0][0].game.box_hash))
    assert row["people"].item() == acted
    nothing = CliRunner().invoke(app, [*words[:3], "bellum"])
    assert nothing.exit_code == 2
    assert "opened to be counted" in nothing.output
