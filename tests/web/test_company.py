"""Those who play together: clocks, waiting for all to sit, bots that stand in, and another go with the chairs turned. By a given clock."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

import sutler
from sutler.web.app import create_app
from sutler.web.errors import Refused, Stale
from sutler.web.events import ClockPlan, Created, SeatPlan, StoodIn
from sutler.web.game_shelf import Shelf
from sutler.web.jobs.job_queue import JobQueue
from sutler.web.lobby import new_table
from sutler.web.lobby.new_table import render_invitation
from sutler.web.storage.store import Store
from sutler.web.table import bot_turns, clocks, moves
from sutler.web.table.clocks import format_duration
from sutler.web.table.lobby_row import build_standing
from sutler.web.table.people import joining
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.settings import describe_agreement, parse_duration, parse_settings
from sutler.web.table.table_as_seen import read_turn_and_phase

from .conftest import served

AGNES, PERRIN, EBBA = (SeatPlan(kind="me", name="Agnes"), *(SeatPlan(kind="link", name=n) for n in ("Perrin", "Ebba")))
DAY = 86400


class Time:
    """The clock on the wall: it goes when it is told to, and rings whoever waits for it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def goes(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Waiting(JobQueue):
    """Errands that are done when the test says so, by the same clock."""

    def __init__(self, time: Time) -> None:
        super().__init__(workers=0, clock=lambda: time.now.timestamp())

    def do(self) -> int:
        """All that is due; how many there were."""
        done = 0
        while (taken := self.line.take_due_job(self.clock())) is not None:
            taken[0]()
            done += 1
        return done


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def house(time: Time) -> Iterator[House]:
    one = House(Store("sqlite://", time), Shelf(), bot_pause=0.0, job_queue=Waiting(time))
    yield one
    one.store.engine.dispose()


def table(house: House, *people: SeatPlan, sit: bool = True, **more: Any) -> Room:
    seats = people or (AGNES, PERRIN)
    room = house.open_table(Created(game="manor", seed=4, seats=seats, **more))
    for seat, plan in enumerate(seats if sit else ()):
        if plan.kind == "link":
            joining.take_seat(room, seat, plan.name)
    return room


def act(room: Room) -> int:
    """Whoever is to decide does something; who it was."""
    seat = room.pos.seat
    assert seat is not None
    moves.play_action(room, (seat,), room.decision, room.pos.actions()[0].name)
    return int(seat)


def act_as(room: Room, seat: int) -> None:
    """The game goes on until this seat is to decide."""
    for _ in range(60):
        if room.pos.seat == seat:
            return
        act(room)
    raise AssertionError("this seat is never asked")


def do(room: Room) -> None:
    """All that is due now, without looking at what is not."""
    job_queue = room.services.jobs
    assert isinstance(job_queue, Waiting)
    job_queue.do()


def left(room: Room, seat: int) -> float:
    return room.chairs.compute_remaining(seat, room.pos.seat, room.store_time)


# --- The clock ------------------------------------------------------------------------------------------


def test_a_clock_by_the_move_begins_anew_with_every_decision(house: House, time: Time) -> None:
    room = table(house, clock=ClockPlan(per="move", seconds=60))
    first = room.pos.seat
    assert first is not None
    time.goes(40)
    assert left(room, first) == 20
    assert left(room, 1 - first) == 60
    act(room)
    assert {left(room, 0), left(room, 1)} == {60}


def test_a_clock_by_the_game_goes_down_and_is_refilled(house: House, time: Time) -> None:
    room = table(house, clock=ClockPlan(per="game", seconds=600, refill=10))
    time.goes(40)
    seat = act(room)
    assert room.chairs.left[seat] == 570
    time.goes(1000)  # over: nothing is owed later, and what comes back comes back
    other = act(room)
    assert room.chairs.left[other] == 10 if other != seat else room.chairs.left[seat] == 10


def test_a_clock_survives_a_restart(house: House, time: Time) -> None:
    room = table(house, clock=ClockPlan(per="game", seconds=600, refill=10))
    for _ in range(7):
        time.goes(11)
        act(room)
    time.goes(5)
    before = [left(room, seat) for seat in (0, 1)]
    house._rooms.clear()
    house._alive.clear()
    again = house.get_room(room.id)
    assert again is not room
    assert [left(again, seat) for seat in (0, 1)] == before
    assert sum(before) == 1200 - 7 * 11 + 7 * 10 - 5


def test_nobodys_time_runs_before_all_sit(house: House, time: Time) -> None:
    room = table(house, sit=False, waits=True, clock=ClockPlan(per="move", seconds=60, then="bot"))
    time.goes(DAY)
    do(room)
    assert not room.chairs.stood_in
    assert left(room, 0) == left(room, 1) == 60
    joining.take_seat(room, 1, "Perrin")
    time.goes(59)
    do(room)
    assert not room.chairs.stood_in
    time.goes(2)
    do(room)
    assert len(room.chairs.stood_in) == 1


@pytest.mark.parametrize("seconds", [60, 3 * DAY])
def test_a_bot_takes_over_when_time_is_out(house: House, time: Time, seconds: int) -> None:
    room = table(house, clock=ClockPlan(per="move", seconds=seconds, then="bot"))
    late, before = room.pos.seat, room.decision
    assert late is not None
    time.goes(seconds - 1)
    do(room)
    assert room.decision == before
    assert not room.chairs.stood_in
    time.goes(2)
    do(room)
    assert room.chairs.stood_in[late].why == "time"
    assert room.decision > before, "the bot has decided"
    with pytest.raises(Refused, match="A bot plays for you"):
        moves.play_action(room, (late,), room.decision, room.pos.actions()[0].name)
    clocks.take_back_seats(room, (late,))
    assert not room.chairs.stood_in
    act_as(room, late)
    assert left(room, late) == seconds


def test_time_that_is_out_is_only_shown_where_that_was_agreed(house: House, time: Time) -> None:
    room = table(house, clock=ClockPlan(per="move", seconds=60))
    late = room.pos.seat
    assert late is not None
    time.goes(75)
    do(room)
    assert left(room, late) == -15
    assert not room.chairs.stood_in
    act(room)


def test_a_clock_for_the_whole_game_that_is_out_stays_out(house: House, time: Time) -> None:
    room = table(house, clock=ClockPlan(per="game", seconds=60, then="bot"))
    late = room.pos.seat
    assert late is not None
    time.goes(61)
    do(room)
    with pytest.raises(Refused, match="Your time for this game is out"):
        clocks.take_back_seats(room, (late,))
    assert late in room.chairs.stood_in


def test_time_that_ran_out_while_the_house_was_closed_has_run_out(house: House, time: Time) -> None:
    room = table(house, clock=ClockPlan(per="move", seconds=60, then="bot"))
    house.write_listings([room.id])
    late, was = room.pos.seat, room.id
    time.goes(30)
    house._rooms.clear()
    house._alive.clear()
    house.services.jobs = Waiting(time)
    time.goes(DAY)
    del room
    house.start_clocks()
    assert isinstance(house.job_queue, Waiting)
    house.job_queue.do()
    time.goes(1)
    house.job_queue.do()
    assert late in house.get_room(was).chairs.stood_in


def test_a_click_that_comes_too_late_is_told_so(house: House, time: Time) -> None:
    room = table(house, clock=ClockPlan(per="move", seconds=60, then="bot"))
    late = room.pos.seat
    assert late is not None
    time.goes(61)
    with pytest.raises(Refused, match="A bot plays for you"):
        moves.play_action(room, (late,), room.decision, room.pos.actions()[0].name)


# --- Waiting for all to sit --------------------------------------------------------------------------------


def test_nothing_happens_until_all_sit(house: House) -> None:
    bot = SeatPlan(kind="bot", name="Wulf", level="easy")
    room = table(house, AGNES, PERRIN, bot, sit=False, waits=True)
    do(room)
    assert room.chairs.waiting
    assert room.decision == 0
    assert not bot_turns.is_bot_to_decide(room)
    with pytest.raises(Refused, match="begins when everybody sits"):
        moves.play_action(room, (0,), 0, room.pos.actions()[0].name)
    joining.take_seat(room, 1, "Perrin")
    assert not room.chairs.waiting


def test_a_game_begins_with_bots_in_empty_seats_until_their_people_come(house: House) -> None:
    room = table(house, AGNES, PERRIN, EBBA, sit=False, waits=True)
    with pytest.raises(Refused, match="Whoever set the table"):
        clocks.begin_game(room, (1,), with_bots=True)
    clocks.begin_game(room, (0,), with_bots=True)
    do(room)
    assert set(room.chairs.stood_in) == {1, 2}
    assert room.pos.seat == 0
    joining.take_seat(room, 2, "Ebba")
    assert set(room.chairs.stood_in) == {1}
    assert room.chairs.is_person(2)
    with pytest.raises(Stale):
        clocks.begin_game(room, (0,), with_bots=True)


# --- Somebody does not come ------------------------------------------------------------------------------------


def test_a_bot_stands_in_when_all_who_stay_agree(house: House, time: Time) -> None:
    room = table(house, AGNES, PERRIN, EBBA, patience=600)
    act_as(room, 1)
    time.goes(599)
    with pytest.raises(Refused, match="There is still time: 0:01"):
        clocks.agree_to_bot(room, (0,), 1)
    time.goes(1)
    with pytest.raises(Refused, match="Only the others"):
        clocks.agree_to_bot(room, (1,), 1)
    with pytest.raises(Refused, match="Only the others"):
        clocks.agree_to_bot(room, (), 1)
    clocks.agree_to_bot(room, (0,), 1)
    assert not room.chairs.stood_in, "Ebba was not asked yet"
    clocks.agree_to_bot(room, (0,), 1)
    assert not room.chairs.stood_in, "nobody agrees twice"
    clocks.agree_to_bot(room, (2,), 1)
    assert room.chairs.stood_in[1].why == "agreed"
    do(room)
    assert room.pos.seat != 1
    clocks.take_back_seats(room, (1,))
    assert room.chairs.is_person(1)


def test_consent_is_forgotten_when_the_person_decides(house: House, time: Time) -> None:
    room = table(house, AGNES, PERRIN, EBBA, patience=600)
    act_as(room, 1)
    time.goes(600)
    clocks.agree_to_bot(room, (0,), 1)
    act(room)
    act_as(room, 1)
    assert not room.chairs.agreed
    with pytest.raises(Refused, match="still time"):
        clocks.agree_to_bot(room, (2,), 1)


# --- Once more ---------------------------------------------------------------------------------------------------


def test_everybody_moves_up_a_chair_for_the_next_game(house: House) -> None:
    room = table(house, AGNES, PERRIN, SeatPlan(kind="bot", name="Wulf", level="easy"), options={"victory": 5})
    following = new_table.open_rematch(house, room, (0,))
    assert [plan.name for plan in following.seats] == ["Perrin", "Wulf", "Agnes"]
    assert following.persons_have_come == [True, True, True]
    assert joining.compute_rematch_seat(room, 0) == 2
    assert new_table.open_rematch(house, room, (1,)) is following
    assert [plan.name for plan in new_table.open_rematch(house, following, (0,)).seats] == ["Wulf", "Agnes", "Perrin"]


# --- Words --------------------------------------------------------------------------------------------------------


def test_times_are_read_and_told_in_words() -> None:
    assert [parse_duration(text, "") for text in ("30 s", "5min", "1.5 h", "3 days", "1 day")] == [
        30,
        300,
        5400,
        3 * DAY,
        DAY,
    ]
    for wrong in ("", "soon", "5", "-1 min", "9999 days", "5 parsecs"):
        with pytest.raises(Refused):
            parse_duration(wrong, "The clock")
    assert [format_duration(x) for x in (45, 723.9, 12000, 2 * DAY + 4 * 3600, -15)] == [
        "0:45",
        "12:03",
        "3 h 20",
        "2 d 4 h",
        "−0:15",
    ]


def test_a_form_says_what_was_agreed() -> None:
    plan = parse_settings(
        {"clock": "game", "time": "30 min", "refill": "20 s", "then": "bot", "patience": "1 day", "waits": "yes"}
    )
    assert plan["clock"] == ClockPlan(per="game", seconds=1800, refill=20, then="bot")
    assert plan["patience"] == DAY
    assert plan["waits"]
    assert "counted in the lab, without names" in describe_agreement(
        Created(game="manor", seed=1, seats=(AGNES,), counts=True)
    )
    assert parse_settings({"clock": "", "time": "nonsense"}) == {"waits": False, "counts": False}
    with pytest.raises(Refused, match="five seconds"):
        parse_settings({"clock": "move", "time": "1 s"})


# --- Over HTTP -----------------------------------------------------------------------------------------------------

FORM = {"game": "manor", "seat_0": "me", "name_0": "Agnes", "seat_1": "link", "name_1": "Perrin", "waits": "yes"}


def test_a_table_is_set_waited_at_and_played_by_the_clock(time: Time) -> None:
    app = create_app("sqlite://", bot_pause=0.0, warm=False)
    app.state.house.store.now = time
    with TestClient(app, follow_redirects=False) as agnes, TestClient(app, follow_redirects=False) as perrin:
        seat = agnes.post("/tables", data={**FORM, "clock": "move", "time": "2 min", "patience": "3 min"}).headers[
            "location"
        ]
        page = agnes.get(seat).text
        assert "has not come yet" in page
        assert "2 minutes for each decision; when it is out, that is shown" in page
        assert "data-action" not in page.split('id="table"')[1].split('id="hand"')[0]
        invitation = page.split("/invited/")[1].split('"')[0]
        friend = perrin.post(f"/invited/{invitation}", data={"name": "Perrin"}).headers["location"]
        room = app.state.house.list_loaded_rooms()[0]
        who, other = (agnes, perrin) if room.pos.seat == 0 else (perrin, agnes)
        links = {agnes: seat, perrin: friend}
        time.goes(100)
        assert 'data-left="20.0" data-runs' in who.get(links[who]).text
        page = other.get(links[other]).text
        assert 'id="absent" data-wait="80.0" hidden' in page
        refused = other.post(f"{links[other]}/stand-in", data={"seat": str(room.pos.seat)})
        assert refused.status_code == 422
        assert "There is still time: 1:20" in refused.text
        time.goes(80)
        late = room.pos.seat
        assert other.post(f"{links[other]}/stand-in", data={"seat": str(late)}).status_code == 200
        assert room.chairs.stood_in[late].why == "agreed"
        page = who.get(links[who]).text
        assert "plays for you" in page
        assert "Take my seat back" in page
        assert who.post(f"{links[who]}/back").status_code == 200
        assert who.post(f"{links[who]}/back").status_code == 409
        assert not room.chairs.stood_in


# --- In a browser ---------------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_one_waits_sees_who_comes_and_gets_the_seat_back(chromium: Any) -> None:
    server = served("sqlite://")
    with server as address:
        agnes, perrin = (chromium.new_context(base_url=address).new_page() for _ in range(2))
        form = {**FORM, "seat_2": "link", "name_2": "Ebba", "clock": "move", "time": "2 h"}
        agnes.goto(agnes.request.post("/tables", form=form, max_redirects=0).headers["location"])
        perrin.goto(agnes.input_value("#invite-2"))
        perrin.fill("#name", "Perrin")
        perrin.click("text=Take the seat")
        agnes.wait_for_selector("#waiting li:nth-child(2).is-here >> text=here")
        perrin.goto("/")
        agnes.wait_for_selector("#waiting li:nth-child(2).is-away")
        agnes.click("text=Start now, bots in empty seats")
        agnes.wait_for_selector("#waiting", state="detached")
        assert agnes.locator("#seats time.clock").count() == 3
        room = server.app.state.house.list_loaded_rooms()[0]
        with room.lock:
            room.commit_events(StoodIn(seat=1, level="easy", why="agreed", asked=room.pos.seat == 1))
        perrin.goto(f"/seat/{room.make_seat_token(1)}")
        perrin.wait_for_function("() => document.querySelector('#seat-1 header p').textContent.startsWith('you')")
        assert set(room.chairs.stood_in) == {2}
        for page in (agnes, perrin):
            page.context.close()


def test_who_is_invited_to_a_table_that_counts_is_told_before_they_sit_down(house: House) -> None:
    """On the invitation, and at the table; where it does not count, nothing is said."""
    for counts in (True, False):
        room = table(house, sit=False, counts=counts)
        page = render_invitation(room, 1, "/t/x", "Perrin", "day", "https://play.example")
        assert ('id="counted"' in page) == counts
        assert ("agrees to that" in page) == counts


@pytest.mark.parametrize("game", ["manor", "bellum", "threeyears", "warfarm", "sixwinters"])
def test_how_far_a_game_is_says_the_lobby_alike_whoever_has_looked(game: str) -> None:
    """Its line is made from whatever somebody has just seen."""
    luck, pos = random.Random(game), sutler.load(game).new(seats=3, seed=1)
    for _ in range(60):
        assert len({read_turn_and_phase(pos.view(eyes)) for eyes in (None, 0, 1, 2)}) == 1
        if pos.over:
            return
        pos.play(luck.choice(pos.legal_ids()))


def test_a_line_of_another_release_never_closes_the_lobby(house: House, time: Time) -> None:
    from sutler.web.lobby import lobby_page
    from sutler.web.storage.schema import STANDINGS

    said_more, unreadable = table(house), table(house)
    for room, wrong in ((said_more, {"where": "turn 1"}), (unreadable, {"turn": "late"})):
        body = json.dumps(build_standing(room).model_dump(mode="json") | wrong)
        old = STANDINGS.update().where(STANDINGS.c.table_id == room.id).values(body=body)
        house.store.run_in_transaction(lambda connection, old=old: connection.execute(old))

    def listed() -> set[str]:
        lobby_page.render_lobby(house, "Ebba", "light", "somebody", "manor")
        return {one.table for _, one in house.store.load_standings([said_more.id, unreadable.id])}

    assert house.store.list_unreadable_standings() == [unreadable.id]
    assert listed() == {said_more.id}
    house.rewrite_unreadable_listings()
    do(said_more)
    time.goes(60)
    do(said_more)
    assert house.store.list_unreadable_standings() == []
    assert listed() == {said_more.id, unreadable.id}
