"""At the table, by plain requests: seats, moves, stale and wrong ones, taking back, talk, files, restarts."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sutler.games.sixwinters.phases_actions_events import P
from sutler.web.app import create_app
from sutler.web.events import Said
from sutler.web.lobby import new_table as lobby_new_table
from sutler.web.table import moves
from sutler.web.table.people import joining
from sutler.web.table.registry import House

from .conftest import actions, facts

Open = Callable[..., str]
TWO = {"seat_0": "me", "name_0": "Agnes", "seat_1": "link", "name_1": "Perrin"}
HOT = {"seat_0": "me", "name_0": "Agnes", "seat_1": "me", "name_1": "Perrin"}
BOTS = {"seat_0": "easy", "seat_1": "normal", "seat_2": "hard"}


def page(client: TestClient, seat: str, **query: Any) -> str:
    answer = client.get(seat, params=query)
    assert answer.status_code == 200, answer.text
    return answer.text


def play(client: TestClient, seat: str, action: str, decision: int | str) -> Any:
    return client.post(f"{seat}/play", data={"action": action, "decision": decision}, headers={"hx-request": "true"})


def step(client: TestClient, seat: str) -> str:
    """Take the first action on offer; returns it."""
    shown = page(client, seat)
    action = actions(shown)[0]
    answer = play(client, seat, action, facts(shown)["decision"])
    assert answer.status_code == 200, answer.text
    return action


def house_of(client: TestClient) -> House:
    house: House = client.app.state.house  # type: ignore[attr-defined]
    return house


def room_of(client: TestClient, seat: str) -> Any:
    return house_of(client).find_seat(seat.rsplit("/", 1)[-1])[0]


def friend(client: TestClient, seat: str, name: str = "Perrin") -> str:
    """The address of the friend's seat, taken."""
    invited = invitation(client, seat)
    assert "invites you" in page(client, invited)
    assert re.search(r'<input id="name" name="name" value="[^"]+"', page(client, invited)), (
        "the name laid for the seat stands there"
    )
    answer = client.post(invited, data={"name": name})
    assert answer.status_code == 303
    return str(answer.headers["location"])


def invitation(client: TestClient, seat: str) -> str:
    """The address of the invitation that the host is shown."""
    return re.findall(r'value="http://testserver(/invited/[^"]+)"', page(client, seat))[0]


def whose(client: TestClient, *seats: str) -> str:
    return next(seat for seat in seats if actions(page(client, seat)))


# --- Opening and sitting down ---------------------------------------------------------------------


def test_two_clicks_to_a_new_game(client: TestClient) -> None:
    lobby = client.get("/").text
    assert 'href="/?game=manor#new"' in lobby
    assert "Open the table" in lobby
    assert "not on the table yet" not in lobby


def test_a_new_table_is_mine_and_stands_in_my_lobby(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    assert actions(page(client, seat))
    assert f'href="{seat}"' in client.get("/").text
    client.cookies.clear()
    assert f'href="{seat}"' not in client.get("/").text


def test_a_table_that_does_not_fit_the_game_is_refused_in_words(client: TestClient) -> None:
    alone = client.post("/tables", data={"game": "manor", "seat_0": "me"})
    assert alone.status_code == 422
    assert "2 to 6 seats" in alone.text
    odd = client.post("/tables", data={"game": "manor", **HOT, "option_victory": "many"})
    assert odd.status_code == 422
    assert "a number is asked for" in odd.text
    far = client.post("/tables", data={"game": "manor", **HOT, "option_victory": "9999"})
    assert far.status_code == 422
    assert client.post("/tables", data={"game": "chess", **HOT}).status_code == 404
    assert client.post("/tables", data={"game": "manor", **HOT, "seat_1": "king"}).status_code == 422


def test_options_reach_the_game(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT, option_victory="8", option_no_map="1")
    room = room_of(client, seat)
    assert room.created.options == {"victory": 8, "no_map": True}
    assert room.pos.view(0)["target"] == 8
    assert "Every card" in page(client, seat) or "No map" in page(client, seat)


def test_a_friend_takes_the_seat_by_its_link(client: TestClient, new_table: Open) -> None:
    seat = new_table(**TWO)
    invited, room = invitation(client, seat), room_of(client, seat)
    assert client.get(f"/seat/{room.make_seat_token(1)}").status_code == 404, "nobody has come for it"
    before = page(client, seat)
    other = friend(client, seat, "Wulf")
    assert other == f"/seat/{room.make_seat_token(1)}"
    assert other not in before + page(client, seat), "the host never sees the friend's own link"
    assert invited not in page(client, seat), "an invitation that was used is shown no more"
    assert "Wulf" in page(client, seat)
    assert client.get(other).status_code == 200


def test_an_invitation_works_once(client: TestClient, new_table: Open) -> None:
    seat = new_table(**TWO)
    invited, mine = invitation(client, seat), dict(client.cookies)
    client.cookies.clear()
    other = friend(client, seat, "Wulf")
    assert client.get(invited).headers["location"] == other, "who took the seat comes back to it"
    for cookies in (mine, {}):
        client.cookies = cookies  # type: ignore[assignment]
        used = client.get(invited)
        assert used.status_code == 410
        assert "was used" in used.text
        assert client.post(invited, data={"name": "Osric"}).status_code == 410
        assert "/seat/" not in used.text
    assert room_of(client, seat).seats[1].name == "Wulf"


def test_two_who_take_one_seat_at_once_get_it_once(client: TestClient, new_table: Open) -> None:
    seat = new_table(**TWO)
    invited, codes = invitation(client, seat), list[int]()
    names = ("Wulf", "Osric", "Ebba")

    def take(name: str) -> None:
        codes.append(client.post(invited, data={"name": name}).status_code)

    friends = [threading.Thread(target=take, args=(name,)) for name in names]
    for one in friends:
        one.start()
    for one in friends:
        one.join()
    assert sorted(codes) == [303, 410, 410]


def test_who_may_watch(client: TestClient, new_table: Open) -> None:
    alone, friends = new_table(**HOT), new_table(**TWO)
    for seat, more, status in ((alone, {}, 200), (friends, {}, 404)):
        room = room_of(client, seat)
        for rest in ("", "/now", "/game.json", "/explain?key=rule:1"):
            if status == 404:
                assert client.get(f"/watch/{room.id}{rest}", params=more).status_code == status
        assert client.get(f"/watch/{room.id}").status_code == status
        assert ("/watch/" in page(client, seat)) == (status == 200)
    for chosen, status in (("yes", 200), ("no", 404)):
        room = room_of(client, new_table(**TWO, watch=chosen))
        assert client.get(f"/watch/{room.id}").status_code == status
    unseen = client.post("/tables", data={"game": "manor", **BOTS, "watch": "no"})
    assert unseen.status_code == 422
    assert "sit down yourself" in unseen.text
    lonely = client.post("/tables", data={"game": "manor", "seat_0": "link", "seat_1": "easy"})
    assert lonely.status_code == 422
    assert "sit down at the table too" in lonely.text


def test_the_watchers_page_holds_no_secret(client: TestClient, new_table: Open) -> None:
    seat = new_table(**TWO, watch="yes")
    room = room_of(client, seat)
    friend(client, seat)
    watched = page(client, f"/watch/{room.id}")
    for i in range(2):
        assert room.make_seat_token(i) not in watched
    assert room.id not in room.make_seat_token(0), "nor does a link hold the table's name"
    assert actions(watched) == []


def test_the_file_of_a_game_is_given_out_when_it_is_over(
    client: TestClient, new_table: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_new_table, "draw_seed", lambda: 987654321012)
    seat = new_table(**HOT, option_victory="5")
    room = room_of(client, seat)
    for base in (seat, f"/watch/{room.id}"):
        early = client.get(f"{base}/game.json")
        assert early.status_code == 403
        assert "when the game is over" in early.text
        assert "987654321012" not in early.text + page(client, base) + client.get("/").text
    finish(room)
    for base in (seat, f"/watch/{room.id}"):
        late = client.get(f"{base}/game.json")
        assert late.status_code == 200
        assert late.json()["seed"] == room.created.seed == 987654321012
        assert room.make_seat_token(0) not in late.text


@pytest.mark.parametrize(
    "path", ["/seat/nonsense", "/watch/aaaaaaaaaaaa", "/learn/chess", "/nowhere", "/seat/" + "a" * 39]
)
def test_a_wrong_link_is_answered_with_help(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "To the lobby" in answer.text
    assert "Traceback" not in answer.text


def test_a_bot_has_no_link(client: TestClient, new_table: Open) -> None:
    seat = new_table()
    assert client.get(f"/seat/{room_of(client, seat).make_seat_token(1)}").status_code == 404


# --- Moving -----------------------------------------------------------------------------------------


def test_a_click_is_answered_with_the_new_picture(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    shown = page(client, seat)
    answer = play(client, seat, actions(shown)[0], facts(shown)["decision"])
    assert answer.status_code == 200
    assert facts(answer.text)["decision"] == "1"
    assert "<hx-partial" in answer.text


def test_a_second_click_changes_nothing(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    action = actions(page(client, seat))[0]
    assert play(client, seat, action, 0).status_code == 200
    again = play(client, seat, action, 0)
    assert again.status_code == 409
    assert "already decided" in again.text
    assert facts(again.text)["decision"] == "1", "the answer brings the present picture along"
    assert room_of(client, seat).decision == 1


def test_two_tabs_at_once_move_once(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    room, action = room_of(client, seat), actions(page(client, seat))[0]
    codes: list[int] = []
    tabs = [threading.Thread(target=lambda: codes.append(play(client, seat, action, 0).status_code)) for _ in range(4)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(codes) == [200, 409, 409, 409]
    assert room.decision == 1


def test_an_illegal_action_says_which_rule(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    before = room_of(client, seat).pos.digest()
    answer = play(client, seat, "accept", 0)
    assert answer.status_code == 422
    assert "data-rule=" in answer.text
    assert play(client, seat, "dance on the table", 0).status_code == 422
    assert room_of(client, seat).pos.digest() == before


def test_another_seats_turn_is_not_mine(client: TestClient, new_table: Open) -> None:
    mine = new_table(**TWO, watch="yes")
    other = friend(client, mine)
    active = whose(client, mine, other)
    idle = other if active == mine else mine
    action = actions(page(client, active))[0]
    answer = play(client, idle, action, 0)
    assert answer.status_code == 422
    assert "turn to decide" in answer.text
    watch = f"/watch/{room_of(client, mine).id}"
    assert play(client, watch, action, 0).status_code == 422
    assert room_of(client, mine).decision == 0


def test_why_not_and_explanations(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    assert "<p>" in client.get(f"{seat}/why", params={"at": "space:1"}).text
    assert "Wheat" in client.get(f"{seat}/explain", params={"key": "card:Wheat"}).text
    assert "River" in client.get(f"{seat}/explain", params={"key": "land:River"}).text
    assert "5.4" in client.get(f"{seat}/explain", params={"key": "rule:5.4"}).text
    assert client.get(f"{seat}/explain", params={"key": "card:Unicorn"}).text == ""


def test_where_nothing_is_ever_done_it_says_what_is_asked(client: TestClient, new_table: Open) -> None:
    """WARFARM: nothing aims at another farm's Fire before somebody strikes it, and one's own pays for units later on
    (it said "You have too few tokens for this unit." to somebody who was choosing what to begin with)."""
    seat = new_table(game="warfarm", seat_0="me", seat_1="link", seat_2="link", option_first_seat="0")
    for spot in ("token:1:fire", "token:0:religion"):
        told = client.get(f"{seat}/why", params={"at": spot}).text
        assert "Nothing can be done here just now." in told, spot
        assert "choose what you begin with" in told, spot
        assert 'data-rule="2.3"' in told, spot


def test_orders_from_other_sites_are_not_taken(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    answer = client.post(
        f"{seat}/play", data={"action": "done", "decision": 0}, headers={"origin": "https://evil.example"}
    )
    assert answer.status_code == 403
    assert room_of(client, seat).decision == 0


def test_headers_that_say_nonsense_break_nothing(client: TestClient, new_table: Open) -> None:
    """A number that is none, or is endless, where the page says what it shows; addresses that are none."""
    seat = new_table(**HOT)
    known = re.findall(r'data-log="([^"]*)"', client.get(seat).text)[0]
    whole = client.get(f"{seat}/now").text.count("data-moment=")
    for number in ("\u00b2", "9" * 5000, "-1", "1_0"):
        said = {"sutler-log": f"{known.rpartition('.')[0]}.{number}".encode("latin-1")}
        assert client.get(f"{seat}/now", headers=said).text.count("data-moment=") == whole
    assert client.post(f"{seat}/play", headers={"origin": "http://["}).status_code == 403
    assert client.get("/language/de", headers={"referer": "http://["}).headers["location"] == "/"
    with TestClient(create_app("sqlite://", warm=False, hosts=["play.example"])) as named:
        assert named.get("/", headers={"host": "["}).status_code == 421


# --- Taking back ---------------------------------------------------------------------------------------


def until(client: TestClient, seat: str, wanted: Callable[[Any], bool]) -> None:
    """Play until something is so."""
    room = room_of(client, seat)
    for _ in range(200):
        if wanted(room):
            return
        actions_now = [one.name for one in room.pos.actions()]
        quiet = next((one for one in actions_now if one in ("done", "pass", "decline")), actions_now[0])
        moves.play_action(room, (room.pos.seat,), room.decision, quiet)
    raise AssertionError("it never came to that")


def test_undo_takes_back_what_revealed_nothing(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    room = room_of(client, seat)
    until(client, seat, lambda room: any(one.name.startswith("offer") for one in room.pos.actions()))
    before, decision = room.pos.digest(), room.decision
    offer = next(one.name for one in room.pos.actions() if one.name.startswith("offer"))
    assert play(client, seat, offer, decision).status_code == 200
    assert room.pos.digest() != before
    assert client.post(f"{seat}/undo", data={"decision": decision + 1}).status_code == 200
    assert room.pos.digest() == before
    assert client.post(f"{seat}/undo", data={"decision": decision + 1}).status_code == 409, "a second click"
    assert room.pos.digest() == before


def test_a_friend_may_let_me_take_back(client: TestClient, new_table: Open) -> None:
    mine = new_table(**TWO)
    other = friend(client, mine)
    room = room_of(client, mine)
    active = whose(client, mine, other)
    idle = other if active == mine else mine
    before = repr(room.pos.view(None))
    step(client, active)
    decision = {"decision": room.decision}
    assert client.post(f"{active}/ask-back", data=decision).status_code == 200
    assert "asks to take back" in page(client, idle)
    assert client.post(f"{active}/answer-back", data={**decision, "yes": "1"}).status_code == 422, "not by oneself"
    assert client.post(f"{idle}/answer-back", data={**decision, "yes": ""}).status_code == 200
    assert room.asked is None
    assert client.post(f"{active}/ask-back", data=decision).status_code == 200
    assert client.post(f"{idle}/answer-back", data={**decision, "yes": "1"}).status_code == 200
    assert repr(room.pos.view(None)) == before
    assert client.post(f"{idle}/answer-back", data={**decision, "yes": "1"}).status_code == 409


# --- Nothing is lost ------------------------------------------------------------------------------------


def test_a_room_is_rebuilt_after_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with TestClient(create_app(url, bot_pause=0, warm=False), follow_redirects=False) as client:
        seat = str(client.post("/tables", data={"game": "manor", **TWO}).headers["location"])
        other = friend(client, seat, "Wulf")
        for _ in range(12):
            step(client, whose(client, seat, other))
        client.post(f"{seat}/say", data={"text": "well played"})
        digest = room_of(client, seat).pos.digest()
    with TestClient(create_app(url, bot_pause=0, warm=False), follow_redirects=False) as client:
        again = page(client, seat)
        assert room_of(client, seat).pos.digest() == digest
        assert facts(again)["decision"] == "12"
        assert "Wulf" in again
        assert "well played" in again
        step(client, whose(client, seat, other))


def test_what_cannot_be_kept_has_not_happened(
    client: TestClient, new_table: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = new_table(**HOT)
    room = room_of(client, seat)
    before, action = room.pos.digest(), actions(page(client, seat))[0]

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(house_of(client).store, "append_events", full)
        with pytest.raises(OSError, match="disk"):
            moves.play_action(room, (0, 1), 0, action)
    assert room.pos.digest() == before
    assert room.decision == 0
    assert play(client, seat, action, 0).status_code == 200


def test_looking_back_shows_the_board_as_it_was(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    first = page(client, seat)
    for _ in range(6):
        step(client, seat)
    back = client.get(f"{seat}/now", params={"moment": 0}).text
    assert facts(back)["moment"] == "0"
    assert "A look back" in back
    assert actions(back) == []
    assert first.count('class="land ') == back.count('class="land ')
    assert facts(client.get(f"{seat}/now", params={"moment": 999}).text)["moment"] == "6"


def test_the_log_is_sent_once(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    shown = page(client, seat)
    step(client, seat)
    told = facts(shown)["log"]
    news = client.get(f"{seat}/now", headers={"sutler-log": told}).text
    whole = client.get(f"{seat}/now").text
    assert news.count('class="line"') < whole.count('class="line"')
    assert 'id="l0"' in whole
    assert 'id="l0"' not in news


# --- Around the game ----------------------------------------------------------------------------------------


def test_talk_is_told_as_it_was_written(client: TestClient, new_table: Open) -> None:
    seat = new_table(**TWO, watch="yes")
    client.post(f"{seat}/say", data={"text": "<b>Bread</b> & beer"})
    assert "&lt;b&gt;Bread&lt;/b&gt; &amp; beer" in page(client, seat)
    assert client.post(f"{seat}/say", data={"text": "   "}).status_code == 422
    watch = f"/watch/{room_of(client, seat).id}"
    client.post(f"{watch}/say", data={"text": "good luck"})
    assert "a watcher" in page(client, seat)


def test_a_team_is_reckoned_as_one(client: TestClient, new_table: Open) -> None:
    """Six Winters is won or lost by all: one column, one curve, no place, and in a sentence how it ended and what that is called."""
    seat = new_table(game="sixwinters", seat_0="me", seat_1="link")
    room = room_of(client, seat)
    room.pos.state.phase, room.pos.state.outcome = P.over, 1
    shown = page(client, seat)
    assert "Brightdune is saved." in shown
    assert "all of you" in shown
    assert "<polyline" not in shown, "a level line would tell nothing"
    assert '<th scope="row">Place' not in shown
    assert "share the victory" not in shown


def test_bots_play_to_the_end_and_the_game_is_reckoned(client: TestClient) -> None:
    answer = client.post("/tables", data={"game": "manor", **BOTS, "seat_2": "easy", "option_victory": "5"})
    watch = str(answer.headers["location"])
    assert watch.startswith("/watch/")
    room = house_of(client).get_room(watch.rsplit("/", 1)[-1])
    wait_for(room, lambda: room.pos.over)
    shown = page(client, watch)
    assert 'class="breakdown"' in shown
    assert "<polyline" in shown
    lobby = client.get("/").text
    assert "won" in lobby or "over" in lobby


def test_a_game_goes_out_as_a_file_and_comes_back_to_be_replayed(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT, option_victory="5")
    finish(room_of(client, seat))
    written = client.get(f"{seat}/game.json")
    assert "attachment" in written.headers["content-disposition"]
    answer = client.post("/files", files={"file": ("game.json", written.content)})
    assert answer.status_code == 303, answer.text
    watch = str(answer.headers["location"]).split("?")[0]
    room = house_of(client).get_room(watch.rsplit("/", 1)[-1])
    assert room.pos.digest() == room_of(client, seat).pos.digest()
    assert "A look back" in page(client, watch, moment=0)


@pytest.mark.parametrize("data", [b"", b"not json", b"[]", b"{}", b'{"game": "manor"}', b"[" * 5000, b"\xff\xfe\x00"])
def test_a_broken_file_is_refused_in_words(client: TestClient, data: bytes) -> None:
    answer = client.post("/files", files={"file": ("game.json", data)})
    assert answer.status_code in (404, 422)
    assert "Traceback" not in answer.text


def test_a_file_with_a_wrong_move_is_refused(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT, option_victory="5")
    finish(room_of(client, seat))
    raw = json.loads(client.get(f"{seat}/game.json").content)
    text = json.dumps(raw).replace(json.dumps(room_of(client, seat).actions[1][1]), '"dance"')
    answer = client.post("/files", files={"file": ("game.json", text.encode())})
    assert answer.status_code == 422
    assert "cannot be replayed" in answer.text


def test_a_rematch_seats_the_same_people(client: TestClient, new_table: Open) -> None:
    seat = new_table(seat_0="me", name_0="Agnes", seat_1="me", name_1="Perrin", option_victory="5")
    room = room_of(client, seat)
    assert client.post(f"{seat}/rematch").status_code == 422, "not before the end"
    finish(room)
    first = client.post(f"{seat}/rematch").headers["hx-redirect"]
    assert client.post(f"{seat}/rematch").headers["hx-redirect"] == first, "one rematch, however often it is asked for"
    following = room_of(client, first)
    assert [plan.name for plan in following.seats] == ["Perrin", "Agnes"], "the other begins"
    assert following.created.options == room.created.options
    assert following.created.seed != room.created.seed


def test_a_hint_is_a_legal_choice(client: TestClient, new_table: Open) -> None:
    seat = new_table(**HOT)
    answer = client.get(f"{seat}/hint", headers={"hx-request": "true"})
    assert "The hard bot would choose" in answer.text
    assert ", because it " in answer.text
    watch = f"/watch/{room_of(client, seat).id}"
    assert "not yours" in client.get(f"{watch}/hint", headers={"hx-request": "true"}).text


def test_the_house_keeps_secrets_at_home(client: TestClient) -> None:
    headers = client.get("/").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"


def finish(room: Any) -> None:
    """Play a room to its end with the steady bot."""
    from sutler.web.game_shelf import make_bot

    bot = make_bot("normal")
    for _ in range(5000):
        if room.pos.over:
            return
        seat = room.pos.seat
        moves.play_action(room, (seat,), room.decision, str(bot.choose(room.view_for_bot(seat))))
    raise AssertionError("the game does not end")


def wait_for(room: Any, ready: Callable[[], bool], seconds: float = 120.0) -> None:
    """Wait until something is so; looks again whenever the room has changed."""
    moved = threading.Event()
    redraw = room.redraw_all_pages

    def redrawing() -> None:
        redraw()
        moved.set()

    room.redraw_all_pages = redrawing
    deadline = threading.Event()
    timer = threading.Timer(seconds, deadline.set)
    timer.start()
    try:
        while not ready():
            assert not deadline.is_set(), "it takes too long"
            moved.wait(0.5)
            moved.clear()
    finally:
        timer.cancel()
        del room.redraw_all_pages


def test_the_app_can_be_made_twice(app: FastAPI) -> None:
    assert create_app("sqlite://", warm=False) is not app


def test_a_view_is_drawn_up_once_however_many_look(app: Any, new_table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was seen at the last move is remembered from when it was seen; a past that has changed is forgotten."""
    from sutler.core.play.position import Position
    from sutler.web.table.table_as_seen import build_look, get_view_at

    drawn: list[int | None] = []
    view = Position.view
    monkeypatch.setattr(Position, "view", lambda pos, seat=None: drawn.append(seat) or view(pos, seat))
    new_table(seat_0="me", seat_1="me")
    (room,) = app.state.house._alive.values()
    for _ in range(2):
        build_look(room, (0,), 0)
    assert drawn.count(0) == 1
    moves.play_action(room, (0, 1), 0, room.pos.actions()[0].name)
    seen = build_look(room, (0,), 0)
    assert drawn.count(0) == 2
    assert seen.view == view(room.pos, 0)
    before = get_view_at(room, 0, 0)
    assert drawn.count(0) == 2
    assert before == view(room.pos.at(0), 0)
    joining.rename_seat(room, 0, "Somebody else")
    assert get_view_at(room, 0, 1)["seats"][0]["name"] == "Somebody else"


def test_of_much_talk_the_last_is_shown_and_the_rest_is_on_a_page(app: Any, client: Any, new_table: Open) -> None:
    """What is shown with every picture stays small; nothing that was said is lost."""
    url = new_table(**HOT)
    (room,) = app.state.house._alive.values()
    for i in range(250):
        room.talk.append(Said(seat=0, name="Agnes", text=f"word {i}."))
    shown = re.findall(r'data-said="(\d+)".*?<span>(.*?)</span>', client.get(f"{url}/now").text)
    assert [(int(n), text) for n, text in shown] == [(i + 1, f"word {i}.") for i in range(210, 250)]
    assert "What was said before (210)" in client.get(f"{url}/now").text
    late, early = client.get(f"{url}/talk").text, client.get(f"{url}/talk", params={"before": 50}).text
    assert re.findall(r"word (\d+)\.", late) == [str(i) for i in range(50, 250)]
    assert f'href="{url}/talk?before=50"' in late
    assert re.findall(r"word (\d+)\.", early) == [str(i) for i in range(50)]
    assert "said before" not in early
