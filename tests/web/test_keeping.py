"""What was played goes on: under its own box, past changed rules in words, and nobody rolls twice or chooses the dice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import sutler
from sutler.core.files.box import read_toml
from sutler.core.files.gamefile import MARK_DECISIONS, GameFileError, format_game_file, parse_game_file
from sutler.core.files.replay import replay_to_break
from sutler.core.play.registry import load_definition
from sutler.core.play.sealed_luck import compute_seal
from sutler.web.app import create_app
from sutler.web.errors import Refused, RequestError
from sutler.web.events import Created, SeatPlan, Undone
from sutler.web.game_shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table import changed_rules, moves, undo
from sutler.web.table.people import joining
from sutler.web.table.registry import House
from sutler.web.table.room import OF_THIS_PROCESS, SNAPSHOT_INTERVAL, Room

KEPT = Path(__file__).parent.parent / "kept"
TWO = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="link", name="Perrin"))


@pytest.fixture
def house() -> Iterator[House]:
    one = House(Store("sqlite://"), Shelf(), bot_pause=0.0)
    yield one
    one.store.engine.dispose()


def table(house: House, game: str = "manor", **more: Any) -> Room:
    room = house.open_table(Created(game=game, seed=4, seats=TWO, **more))
    joining.take_seat(room, 1, "Perrin")
    return room


def act(room: Room, n: int = 1) -> None:
    for _ in range(n):
        seat = room.pos.seat
        assert seat is not None
        names = [action.name for action in room.pos.actions()]
        quiet = next((name for name in names if name in ("done", "pass", "decline")), names[0])
        moves.play_action(room, (seat,), room.decision, quiet if room.decision % 3 else names[0])


def again(house: House, room: Room) -> Room:
    """The room as it is found after the house was closed."""
    house.shelf = Shelf()
    house._rooms.clear()
    house._alive.clear()
    return house.get_room(room.id)


@pytest.fixture
def reprint(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Print a game's box anew, with something changed."""

    def changed(name: str, change: Any) -> None:
        data = json.loads(json.dumps(load_definition(name).printed))
        change(data)
        monkeypatch.setitem(load_definition(name).__dict__, "printed", data)
        monkeypatch.setitem(load_definition(name).__dict__, "_packed", {})  # as in a house that is opened anew

    return changed


# --- Boxes ----------------------------------------------------------------------------------------------


def test_a_game_goes_on_under_the_box_it_began_with(house: House, reprint: Any) -> None:
    room = table(house)
    act(room, 30)
    before, printed = room.pos.digest(), room.game.box_hash

    def dearer(data: dict[str, Any]) -> None:
        data["card"] = data["card"][1:]
        data["card"][0]["gain"] = {"gold": 5}

    reprint("manor", dearer)
    found = again(house, room)
    assert found.broken is None
    assert found.pos.digest() == before
    assert found.game.box_hash == printed
    assert house.open_table(Created(game="manor", seed=4, seats=TWO)).game.box_hash != printed, (
        "new tables have the new box"
    )
    act(found, 5)


def test_a_box_that_is_nowhere_any_more_is_told_in_words(house: House, reprint: Any) -> None:
    room = table(house)
    house.store.store_box("other", {})
    with house.store.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM boxes")
    reprint("manor", lambda data: data["card"][0].update(gain={"glory": 5}))
    with pytest.raises(RequestError, match="cards have changed"):
        again(house, room)


def test_a_box_is_kept_once(house: House) -> None:
    for _ in range(3):
        table(house)
    with house.store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM boxes").scalar() == 1


# --- Rules ----------------------------------------------------------------------------------------------


def change_the_rules(monkeypatch: pytest.MonkeyPatch, house: House, room: Room, after: int) -> None:
    """From the decision after so many on, playing leads elsewhere."""
    played = sutler.Position.play

    def otherwise(pos: Any, what: Any) -> Any:
        told = played(pos, what)
        if len(pos.decisions) == after:
            pos.state.rng[0] ^= 1
        return told

    monkeypatch.setattr(sutler.Position, "play", otherwise)


def test_changed_rules_are_told_and_what_agrees_is_shown(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room = table(house)
    act(room, 3 * SNAPSHOT_INTERVAL + 5)
    with monkeypatch.context() as changed:
        change_the_rules(changed, house, room, after=SNAPSHOT_INTERVAL + 3)
        found = again(house, room)
    assert found.broken is not None
    assert found.broken.agreed == SNAPSHOT_INTERVAL
    assert found.decision == SNAPSHOT_INTERVAL == len(found.pos.decisions)
    assert found.kept_state is not None
    assert found.kept_state[0] == 3 * SNAPSHOT_INTERVAL
    for attempt in (
        lambda: act(found),
        lambda: undo.undo_decision(found, (0, 1), found.decision),
        lambda: undo.ask_for_undo(found, (0,), found.decision),
        lambda: changed_rules.continue_game(found, (), False),
    ):
        with pytest.raises(Refused):
            attempt()


@pytest.mark.parametrize("from_snapshot", [True, False])
def test_a_broken_game_goes_on_as_those_who_play_say(
    house: House, monkeypatch: pytest.MonkeyPatch, from_snapshot: bool
) -> None:
    room = table(house)
    act(room, 2 * SNAPSHOT_INTERVAL + 5)
    with monkeypatch.context() as changed:
        change_the_rules(changed, house, room, after=SNAPSHOT_INTERVAL + 3)
        found = again(house, room)
        assert found.kept_state is not None
        state = found.kept_state[1]
        changed_rules.continue_game(found, (0,), from_snapshot)
        assert found.broken is None
        assert found.decision == (0 if from_snapshot else SNAPSHOT_INTERVAL)
        if from_snapshot:
            assert found.pos.to_bytes() == state
        act(found, 2)
        once_more = again(house, found)
    assert once_more.broken is None, "that is settled"
    assert once_more.pos.digest() == found.pos.digest()


def test_an_action_that_is_gone_names_its_paragraph(house: House) -> None:
    room = table(house)
    act(room, 10)
    file = parse_game_file(format_game_file(room.pos.build_game_file()))
    wrong = next(name for name in ("accept", "dance") if room.pos.at(4).why_not(name))
    pos, broken = replay_to_break(file.model_copy(update={"actions": [*file.actions[:4], wrong, *file.actions[5:]]}))
    assert broken is not None
    assert (broken.decision, len(pos.decisions)) == (4, 4)
    assert broken.rule
    assert broken.rule in str(broken)


def test_the_page_asks_how_a_broken_game_is_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app("sqlite://", bot_pause=0.0, warm=False)
    with TestClient(app, follow_redirects=False) as client:
        house: House = app.state.house
        room = table(house, open_to_watch=True)
        act(room, 2 * SNAPSHOT_INTERVAL + 3)
        with monkeypatch.context() as changed:
            change_the_rules(changed, house, room, after=SNAPSHOT_INTERVAL + 3)
            seat = f"/seat/{again(house, room).make_seat_token(0)}"
            shown = client.get(seat).text
            assert "The rules have changed" in shown
            assert f"From decision {SNAPSHOT_INTERVAL} on" in shown
            assert f"As it stood after decision {2 * SNAPSHOT_INTERVAL}" in shown
            assert "data-action=" not in shown
            assert "go-on" not in client.get(f"/watch/{room.id}").text, "those who watch are not asked"
            assert client.post(f"/watch/{room.id}/go-on", data={"kept": "1"}).status_code == 422
            assert client.post(f"{seat}/go-on", data={"kept": "1"}).status_code == 200
            assert "The rules have changed" not in client.get(seat).text
            assert client.post(f"{seat}/go-on", data={"kept": ""}).status_code == 409


@pytest.mark.parametrize("path", sorted(KEPT.rglob("*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_game_that_was_kept_opens(path: Path) -> None:
    """To the byte; or, where rules were changed on purpose since and that was noted, as far as it goes, and in words."""
    known = read_toml(KEPT / "breaks.toml").get(path.parent.name, {}).get(path.stem)
    file = parse_game_file(path.read_text(encoding="utf-8"))
    if known == -1:
        with pytest.raises(GameFileError):
            replay_to_break(file)
        return
    pos, broken = replay_to_break(file)
    assert (None if broken is None else broken.decision) == known, (
        f"{broken}; if the rules were changed on purpose: python tools/keep_games.py --note"
    )
    assert len(pos.decisions) == (len(file.actions) if broken is None else broken.decision)


def test_a_game_is_played_again_under_the_defaults_of_its_own_box() -> None:
    """A default that has become another since is no rule for games that were begun before."""
    pos = sutler.load("bellum", hqs_apart=False).new(4, seed=3)
    pos.play(pos.legal_ids()[0])
    file = parse_game_file(format_game_file(pos.build_game_file()))
    was = {**file.box["options"], "hqs_apart": {**file.box["options"]["hqs_apart"], "default": False}}
    older = file.model_copy(update={"options": {}, "box": {**file.box, "options": was}})
    back, broken = replay_to_break(older)
    assert (broken, back.game.chosen["hqs_apart"]) == (None, False)


# --- Luck -----------------------------------------------------------------------------------------------


def drawing(room: Room, most: int = 200) -> bool:
    """Play on to a decision that draws a card or rolls a die."""
    for _ in range(most):
        before = room.pos.state.rng.tolist()
        act(room)
        if room.pos.state.rng.tolist() != before:
            return True
    return False


@pytest.mark.parametrize("game", ["manor", "threeyears"])
def test_nobody_rolls_the_same_dice_again_by_taking_back(house: House, game: str) -> None:
    room = table(house, game)
    other = 0
    for _ in range(8):
        assert drawing(room)
        seat, name = room.actions[-1]
        seen = room.pos.state.rng.tolist()
        undo.ask_for_undo(room, (seat,), room.decision)
        undo.answer_undo_request(room, (1 - seat,), room.decision, True)
        assert (seat, name) not in room.actions[room.decision :]
        moves.play_action(room, (seat,), room.decision, name)
        other += room.pos.state.rng.tolist() != seen
    assert other == 8
    assert room.n_rerolls == 8
    assert again(house, room).pos.digest() == room.pos.digest(), "and it is kept so"
    pos, broken = replay_to_break(parse_game_file(format_game_file(room.pos.build_game_file())))
    assert broken is None
    assert pos.digest() == room.pos.digest(), "a game file says it too"


def test_what_drew_nothing_is_taken_back_as_it_was(house: House) -> None:
    room = table(house)
    for _ in range(60):
        before, decision = room.pos.to_bytes(), room.decision
        act(room)
        drew = room.pos.state.rng.tolist() != room.pos.at(decision).state.rng.tolist()
        told = undo.build_undo_event(room, room.actions[-1][0], decision)
        assert told == Undone(seat=room.actions[-1][0], to=decision, again=int(drew))
        if not drew:
            room.commit_events(told)
            assert room.pos.to_bytes() == before
            return
    raise AssertionError("everything draws")


def test_what_is_read_again_is_all_that_events_make() -> None:
    """Whatever of a room is not named as this process's own is taken from its events anew; each of those names is a field."""
    assert {one.name for one in fields(Room)} > OF_THIS_PROCESS


def test_a_bots_luck_is_its_seats_secret(house: House) -> None:
    rooms = [house.open_table(Created(game="threeyears", seed=4, seats=TWO)) for _ in range(2)]
    lucks = {room.view_for_bot(seat).luck.rng.tobytes() for room in rooms for seat in (0, 1)}
    assert len(lucks) == 4, "the decision's number alone says nothing"
    assert rooms[0].view_for_bot(0).luck.rng.tobytes() in lucks, "and the same question has the same answer"


def test_the_seal_is_shown_at_the_start_and_fits_one_seed(tmp_path: Path) -> None:
    app = create_app("sqlite://", bot_pause=0.0, warm=False)
    with TestClient(app, follow_redirects=False) as client:
        house: House = app.state.house
        room = table(house)
        shown = client.get(f"/seat/{room.make_seat_token(0)}").text
        assert room.created.seal in shown
        assert room.created.nonce not in shown
        kept = parse_game_file(format_game_file(room.pos.build_game_file())).model_copy(
            update={"nonce": room.created.nonce, "seal": room.created.seal}
        )
    assert compute_seal(room.game, 2, 4, room.created.nonce) == room.created.seal
    assert compute_seal(room.game, 2, 5, room.created.nonce) != room.created.seal
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(format_game_file(kept), encoding="utf-8")
    bad.write_text(format_game_file(kept.model_copy(update={"nonce": "0" * 32})), encoding="utf-8")
    from typer.testing import CliRunner

    from sutler.cli import app as cli

    run = CliRunner().invoke
    assert run(cli, ["replay", str(good), "--verify"]).exit_code == 0
    assert run(cli, ["replay", str(good), "--seal", kept.seal]).exit_code == 0
    assert run(cli, ["replay", str(good), "--seal", "0" * 64]).exit_code == 2
    assert run(cli, ["replay", str(bad), "--verify"]).exit_code == 2


# --- An archive -------------------------------------------------------------------------------------------


def test_an_archive_is_checked(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from sutler.cli import app as cli

    pos = sutler.load("manor").new(2, seed=3)
    for _ in range(MARK_DECISIONS + 4):
        pos.play(pos.actions()[0])
    pos.save(tmp_path / "good.json")
    run = CliRunner().invoke
    assert run(cli, ["games", "check", str(tmp_path)]).exit_code == 0
    raw = json.loads((tmp_path / "good.json").read_text(encoding="utf-8"))
    raw["marks"][1] = "0" * 16
    (tmp_path / "other.json").write_text(json.dumps(raw), encoding="utf-8")
    told = run(cli, ["games", "check", str(tmp_path)])
    assert told.exit_code == 1
    assert f"other.json: decision {MARK_DECISIONS + 1}" in told.output
    assert "2 games, 1 play again" in told.output
    assert run(cli, ["games", "check", str(tmp_path / "nowhere")]).exit_code == 2


def test_a_database_is_checked(tmp_path: Path) -> None:
    from sutler.cli.kept_games import check_archive_replays

    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    house = House(Store(url), Shelf(), bot_pause=0.0)
    room = table(house)
    act(room, 5)
    house.close()
    assert [trouble for _, trouble in check_archive_replays(str(tmp_path / "tables.sqlite"))] == [""]


def test_a_state_that_is_kept_is_no_larger_than_it_must_be(house: House) -> None:
    room = table(house)
    act(room, SNAPSHOT_INTERVAL)
    states = house.store.load_snapshots(room.id)
    assert list(states) == [SNAPSHOT_INTERVAL]
    assert states[SNAPSHOT_INTERVAL] == room.pos.to_bytes()
