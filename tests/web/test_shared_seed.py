"""Shuffles that anyone can check: numbers of the players' own, told and checked at the end, by the browser and the command."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from sutler.cli import app as cli
from sutler.core.play.sealed_luck import compute_seal, hash_numbers, mix_seed
from sutler.web.app import create_app
from sutler.web.errors import Refused
from sutler.web.events import Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.jobs.job_queue import QUICK_LANE
from sutler.web.lobby import game_files
from sutler.web.table import moves, undo, verifiable_shuffle
from sutler.web.table.people import joining
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.services import Services

from .conftest import served

ONE, TWO = "1" * 32, "2" * 32
FRIENDS = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="link", name="Perrin"))


@pytest.fixture(autouse=True)
def with_numbers(monkeypatch: pytest.MonkeyPatch, no_luck: None) -> None:
    """Here browsers do give numbers."""
    monkeypatch.setattr(Services, "asks_for_numbers", True)


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(create_app("sqlite://", bot_pause=0.0, warm=False), follow_redirects=False) as one:
        yield one


def house_of(client: TestClient) -> House:
    house: House = client.app.state.house  # type: ignore[attr-defined]
    return house


def table(house: House, *others: SeatPlan, **more: Any) -> Room:
    return house.open_table(Created(game="manor", seed=4, options={"victory": 5}, seats=(*FRIENDS, *others), **more))


def give(client: TestClient, room: Room, seat: int, number: str) -> int:
    form = {"number": number, "bond": verifiable_shuffle.compute_bond(room)}
    return client.post(f"/seat/{room.make_seat_token(seat)}/shuffle", data=form).status_code


def to_the_end(room: Room) -> None:
    luck = random.Random(3)
    while not room.pos.over:
        moves.play_action(room, (room.pos.seat or 0,), room.decision, luck.choice(room.pos.actions()).name)


def test_a_number_that_is_given_deals_anew_until_the_first_move(client: TestClient) -> None:
    room = table(house_of(client))
    sealed, first = room.created.seal, room.pos.to_bytes()
    assert room.pos.seed == 4
    assert give(client, room, 0, ONE) == 200
    assert room.pos.seed == mix_seed(4, sealed, [ONE]) != 4
    second = room.pos.to_bytes()
    assert second != first
    assert give(client, room, 0, TWO) == 422, "one number a player"
    joining.take_seat(room, 1, "Perrin")
    assert room.pos.names == ["Agnes", "Perrin"]
    assert give(client, room, 1, TWO) == 200
    assert room.pos.seed == mix_seed(4, sealed, [ONE, TWO])
    assert room.pos.to_bytes() not in (first, second)
    assert room.pos.names == ["Agnes", "Perrin"]
    assert room.created.seal == sealed, "what was sealed stays sealed"


def test_after_the_first_move_nothing_is_dealt_anew_whatever_is_taken_back(client: TestClient) -> None:
    room = table(house_of(client))
    joining.take_seat(room, 1, "Perrin")
    seat = room.pos.seat or 0
    moves.play_action(room, (seat,), 0, room.pos.actions()[0].name)
    dealt = room.pos.to_bytes()
    assert give(client, room, 0, ONE) == 422
    assert room.pos.to_bytes() == dealt
    undo.ask_for_undo(room, (seat,), 1)
    undo.answer_undo_request(room, (1 - seat,), 1, True)
    assert room.decision == 0
    assert give(client, room, 0, ONE) == 422


def test_who_gave_a_number_unseen_by_another_has_to_look_again(client: TestClient) -> None:
    room = table(house_of(client))
    joining.take_seat(room, 1, "Perrin")
    before = verifiable_shuffle.compute_bond(room)
    assert give(client, room, 0, ONE) == 200
    address, form = f"/seat/{room.make_seat_token(1)}/shuffle", {"number": TWO, "bond": before}
    answer = client.post(address, data=form)
    assert answer.status_code == 409
    assert client.post(address, data=form | answer.json()).status_code == 200
    assert [one.number for one in room.numbers] == [ONE, TWO]


def test_who_watches_gives_no_number_and_nothing_is_asked_where_all_is_laid_out(client: TestClient) -> None:
    house = house_of(client)
    room = table(house)
    form = {"number": ONE, "bond": verifiable_shuffle.compute_bond(room)}
    assert client.post(f"/watch/{room.id}/shuffle", data=form).status_code == 422
    assert "data-wanted" in client.get(f"/seat/{room.make_seat_token(0)}").text
    assert "data-wanted" not in client.get(f"/watch/{room.id}").text
    opened = house.open_table(room.created.model_copy(update={"opening": encoded(room)}))
    with pytest.raises(Refused):
        verifiable_shuffle.mix_in_number(opened, (0,), ONE, verifiable_shuffle.compute_bond(opened))


def encoded(room: Room) -> str:
    import base64

    return base64.b64encode(room.pos.to_bytes()).decode()


def test_what_was_mixed_in_is_kept(client: TestClient) -> None:
    house = house_of(client)
    room = table(house)
    give(client, room, 0, ONE)
    joining.take_seat(room, 1, "Perrin")
    give(client, room, 1, TWO)
    for _ in range(7):
        moves.play_action(room, (room.pos.seat or 0,), room.decision, room.pos.actions()[0].name)
    before = room.pos.to_bytes()
    house.shelf = Shelf()
    house._rooms.clear()
    house._alive.clear()
    found = house.get_room(room.id)
    assert found is not room
    assert (found.pos.to_bytes(), found.seed) == (before, room.seed)
    assert give(client, found, 0, ONE) == 422


def test_a_bot_that_begins_waits_for_those_who_are_to_come(client: TestClient) -> None:
    house = house_of(client)
    thought: list[tuple[Any, float]] = []
    house.job_queue.add_job = lambda job, lane, after=0.0: lane is QUICK_LANE and thought.append((job, after))  # type: ignore
    seats = (SeatPlan(kind="bot", name="Osric", level="easy"), *FRIENDS)
    room = house.open_table(Created(game="manor", seed=4, seats=seats, nonce="n", seal="s"))
    assert room.pos.seat == 0
    assert thought == [], "a friend is to come"
    joining.take_seat(room, 2, "Perrin")
    assert [after for _, after in thought if after == verifiable_shuffle.WAIT] == [verifiable_shuffle.WAIT], (
        "then their numbers are waited for"
    )
    begins = (
        f"{n:032x}" for n in range(99) if begins_with(room, mix_seed(4, hash_numbers("s", [ONE]), [f"{n:032x}"])) == 0
    )
    assert verifiable_shuffle.mix_in_number(room, (1,), ONE, "s")
    assert verifiable_shuffle.mix_in_number(room, (2,), next(begins), hash_numbers("s", [ONE]))
    assert room.pos.seat == 0
    job, after = thought[-1]
    assert after == 0.0, "all are here"
    first = next(job for job, after in thought if after == verifiable_shuffle.WAIT)
    first()
    assert room.decision == 0, "an errand that was put in line anew is passed over"
    job()
    assert room.decision == 1


def begins_with(room: Room, seed: int) -> int | None:
    seat: int | None = room.game.new(3, seed).seat
    return seat


def test_the_command_checks_seal_numbers_and_what_was_taken_back(client: TestClient, tmp_path: Path) -> None:
    room = table(house_of(client))
    give(client, room, 0, ONE)
    joining.take_seat(room, 1, "Perrin")
    give(client, room, 1, TWO)
    drawn_anew = 0
    luck = random.Random(3)
    while not room.pos.over:
        before = room.pos.state.rng.tolist()
        seat = room.pos.seat or 0
        moves.play_action(room, (seat,), room.decision, luck.choice(room.pos.actions()).name)
        if not room.pos.over and drawn_anew < 2 and room.pos.state.rng.tolist() != before:
            undo.ask_for_undo(room, (seat,), room.decision)
            undo.answer_undo_request(room, (1 - seat,), room.decision, True)
            drawn_anew += 1
    file = tmp_path / "game.json"
    file.write_bytes(game_files.export_game_file(room))
    kept = json.loads(file.read_text())
    assert kept["drawn"] == 4
    assert kept["numbers"] == [[0, ONE], [1, TWO]]
    assert compute_seal(room.game, 2, 4, kept["nonce"]) == kept["seal"]
    done = CliRunner().invoke(cli, ["replay", str(file), "--verify"])
    assert done.exit_code == 0, done.output
    assert ONE in done.output
    assert done.output.count("taken back") == drawn_anew == 2
    for wrong in (
        {"drawn": 5},
        {"numbers": [[1, TWO], [0, ONE]]},
        {"numbers": [[0, ONE]]},
        {"seed": 7},
        {"nonce": "0" * 32},
    ):
        file.write_text(json.dumps(kept | wrong))
        assert CliRunner().invoke(cli, ["replay", str(file), "--verify"]).exit_code == 2, wrong
    house = house_of(client)
    laid = game_files.open_replay_table(house, game_files.replay_game_file(house.shelf, json.dumps(kept).encode()))
    assert laid.pos.to_bytes() == room.pos.to_bytes()
    assert laid.seed == room.seed
    page = client.get(f"/watch/{laid.id}").text
    assert ONE in page
    assert TWO in page


def test_nothing_is_told_before_the_end(client: TestClient) -> None:
    room = table(house_of(client))
    give(client, room, 0, ONE)
    joining.take_seat(room, 1, "Perrin")
    for address in (f"/seat/{room.make_seat_token(0)}", f"/seat/{room.make_seat_token(1)}", f"/watch/{room.id}"):
        page = client.get(address).text + client.get(f"{address}/now").text
        assert room.created.seal in page
        for secret in (room.created.nonce, str(room.seed)):
            assert secret not in page
    to_the_end(room)
    page = client.get(f"/seat/{room.make_seat_token(1)}").text
    for secret in (room.created.nonce, str(room.seed), ONE):
        assert secret in page


def test_a_chain_of_bonds_depends_on_all_before() -> None:
    assert hash_numbers("a", []) == "a"
    assert hash_numbers("a", [ONE, TWO]) != hash_numbers("a", [TWO, ONE])
    assert hash_numbers(hash_numbers("a", [ONE]), [TWO]) == hash_numbers("a", [ONE, TWO])
    assert mix_seed(7, "a", []) == 7


# --- In a browser ---------------------------------------------------------------------------------------


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[tuple[House, str]]:
    server = served(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    with server as address:
        yield server.app.state.house, address


def holds(page: Any) -> list[str]:
    """What the browser says of each check: yes, no, or nothing."""
    page.locator("#choices [data-check-shuffle]").click()
    page.locator("#checks li").first.wait_for()
    return [str(one.get_attribute("data-holds")) for one in page.locator("#checks li").all()]


def test_browsers_give_numbers_and_check_them_at_the_end(open_house: tuple[House, str], chromium: Any) -> None:
    house, address = open_house
    room = table(house)
    contexts = [chromium.new_context(base_url=address) for _ in range(3)]
    host, friend, watcher = (one.new_page() for one in contexts)
    host.goto(f"/seat/{room.make_seat_token(0)}")
    host.locator("body:not([data-shuffling])").wait_for()
    friend.goto(f"/invited/{joining.create_invitation_token(room, 1)}")
    friend.locator("#name").fill("Perrin")
    friend.locator("button.commit").click()
    friend.locator("body[data-ready]:not([data-shuffling])").wait_for()
    watcher.goto(f"/watch/{room.id}")
    watcher.locator("body[data-ready]").wait_for()
    assert [one.seat for one in room.numbers] == [0, 1]
    assert room.pos.seed != 4
    seat = room.pos.seat or 0
    moves.play_action(room, (seat,), 0, room.pos.actions()[0].name)
    undo.ask_for_undo(room, (seat,), 1)
    undo.answer_undo_request(room, (1 - seat,), 1, True)
    to_the_end(room)
    taken_back = len(room.rerolls)
    for page in (host, friend, watcher):
        page.reload()
        page.locator("#choices [data-check-shuffle]").wait_for()
    for page in (host, friend):
        assert holds(page) == ["yes"] * (4 + taken_back) + [""]
    assert holds(watcher) == ["yes", "yes", "", "yes", *["yes"] * taken_back, ""]
    for page, what in ((host, "seal"), (friend, "number"), (friend, "bond")):
        page.evaluate(
            """(what) => { const all = JSON.parse(localStorage.getItem("sutler-shuffles"));
            for (const one of Object.values(all)) one[what] = one[what].replace(/./g, "7");
            localStorage.setItem("sutler-shuffles", JSON.stringify(all)); }""",
            what,
        )
        assert "no" in holds(page), what
    for attribute, value in (("seed", "5"), ("luck", "5"), ("nonce", "0"), ("numbers", "[]")):
        watcher.evaluate("([name, value]) => { shuffle.dataset[name] = value }", [attribute, value])
        assert "no" in holds(watcher), attribute
        watcher.reload()
        watcher.locator("body[data-ready]").wait_for()
    for context in contexts:
        context.close()
