"""Nobody gains time by taking back, coming back, or by what others do; and nobody loses any by it. Each kind of clock."""

from __future__ import annotations

import pytest

from sutler.web.errors import Refused
from sutler.web.events import Acted, CameBack, ClockPlan, Created, Joined, SeatPlan, StoodIn, Undone
from sutler.web.table import clocks
from sutler.web.table import undo as taking_back
from sutler.web.table.people import joining
from sutler.web.table.people.seating import Chairs
from sutler.web.table.room import Room

from .test_company import AGNES, PERRIN, House, Time, act, act_as, do, house, left, table, time  # noqa: F401

GAME = ClockPlan(per="game", seconds=300, refill=60)
MOVE = ClockPlan(per="move", seconds=60, then="bot")
BOTS = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="bot", name="Wulf", level="easy"))


def back(room: Room) -> None:
    """The last decision is taken back; with the others' consent, where it needs one."""
    seat = room.actions[-1][0]
    try:
        taking_back.undo_decision(room, (seat,), room.decision)
    except Refused:
        taking_back.ask_for_undo(room, (seat,), room.decision)
        if room.asked:
            taking_back.answer_undo_request(room, tuple(i for i in range(2) if i != seat), room.decision, yes=True)


def test_deciding_and_taking_back_farms_no_time(house: House, time: Time) -> None:  # noqa: F811
    """Five times: with 60 s back for each decision it would be 300 s more."""
    room = table(house, clock=GAME)
    seat = room.pos.seat
    assert seat is not None
    for _ in range(5):
        time.goes(3)
        act(room)
        back(room)
    assert room.pos.seat == seat
    assert left(room, seat) == 300 - 5 * 3
    assert left(room, 1 - seat) == 300


def test_who_takes_back_pays_for_all_that_passed_and_nobody_else(house: House, time: Time) -> None:  # noqa: F811
    room = table(house, clock=GAME)
    first = room.pos.seat
    assert first is not None
    time.goes(10)
    act(room)
    made = room.decision
    time.goes(20)
    while room.pos.seat == first:
        act(room)
    time.goes(40)
    taking_back.ask_for_undo(room, (first,), room.decision)
    last = room.asked.to if room.asked else room.decision
    time.goes(5)
    if room.asked:
        taking_back.answer_undo_request(room, (1 - first,), room.decision, yes=True)
    assert left(room, 1 - first) == 300, "he thought for 45 s about what is taken back"
    had = 300 - 10 + 60 if made <= last else 300
    assert room.chairs.left[first] >= had
    assert left(room, first) == room.chairs.left[first] - room.chairs.used
    time.goes(1)
    act(room)
    assert sum(left(room, seat) for seat in (0, 1)) == 600 + 60 * room.decision - 10 - 20 - 40 - 5 - 1


def test_a_clock_by_the_move_goes_on_after_a_take_back(house: House, time: Time) -> None:  # noqa: F811
    room = table(house, *BOTS, clock=ClockPlan(per="move", seconds=60))
    act_as(room, 0)
    time.goes(50)
    act(room)
    time.goes(5)
    back(room)
    assert left(room, 0) == 5
    act(room)
    back(room)
    time.goes(1)
    assert left(room, 0) == 4, "nor by deciding again"


def test_what_is_out_of_time_by_now_is_not_taken_back(house: House, time: Time) -> None:  # noqa: F811
    """A bot would make the decision at once: whoever asks would lose it without a warning."""
    room = table(house, clock=MOVE)
    time.goes(50)
    seat = act(room)
    act_as(room, seat)
    time.goes(11)
    with pytest.raises(Refused, match="it stands"):
        taking_back.ask_for_undo(room, (seat,), room.decision)
    shown = table(house, clock=ClockPlan(per="move", seconds=60))
    time.goes(50)
    seat = act(shown)
    time.goes(11)
    back(shown)
    assert left(shown, seat) == -1, "where time is only shown, it is"


def test_it_is_so_after_a_restart_too(house: House, time: Time) -> None:  # noqa: F811
    room = table(house, clock=GAME)
    for _ in range(3):
        time.goes(7)
        act(room)
    back(room)
    time.goes(2)
    before = [left(room, seat) for seat in (0, 1)]
    house._rooms.clear()
    house._alive.clear()
    again = house.get_room(room.id)
    assert again is not room
    assert [left(again, seat) for seat in (0, 1)] == before


def test_whose_time_is_out_does_not_come_back_for_the_same_decision(house: House, time: Time) -> None:  # noqa: F811
    """The bot takes a moment: whoever is quicker had the whole time once more, again and again."""
    room = table(house, clock=MOVE)
    late = room.pos.seat
    assert late is not None
    time.goes(61)
    clocks.enforce_time_limit(room)
    with pytest.raises(Refused, match="the bot makes it"):
        clocks.take_back_seats(room, (late,))
    do(room)
    clocks.take_back_seats(room, (late,))
    act_as(room, late)
    assert left(room, late) == 60, "the next decision has time of its own"


def test_time_that_passed_before_a_bot_stood_in_is_used(house: House, time: Time) -> None:  # noqa: F811
    room = table(house, clock=ClockPlan(per="game", seconds=600), patience=100)
    absent = room.pos.seat
    assert absent is not None
    time.goes(110)
    clocks.agree_to_bot(room, (1 - absent,), absent)
    assert absent in room.chairs.stood_in
    time.goes(50)
    clocks.take_back_seats(room, (absent,))
    time.goes(10)
    assert left(room, absent) == 600 - 110 - 10, "the bot's 50 s are nobody's"
    act(room)
    assert room.chairs.left[absent] == 480


def test_a_friend_who_comes_winds_nobodys_clock(house: House, time: Time) -> None:  # noqa: F811
    room = table(house, AGNES, PERRIN, sit=False, clock=ClockPlan(per="move", seconds=60))
    while room.pos.seat != 0:
        act(room)
    time.goes(40)
    joining.take_seat(room, 1, "Perrin")
    assert left(room, 0) == 20


# --- Told on chairs alone -----------------------------------------------------------------------------------


def chairs(clock: ClockPlan) -> Chairs:
    seats = tuple(SeatPlan(kind="me", name=name) for name in ("Agnes", "Perrin"))
    return Chairs.from_plan(Created(game="manor", seed=1, seats=seats, clock=clock))


def test_who_takes_the_word_leaves_the_other_their_time(time: Time) -> None:  # noqa: F811
    """Where there are no turns: the one who thought is charged, the one who stepped in is not, and nothing comes back for it."""
    one = chairs(GAME)
    one.apply_event(one.created, time.now)
    time.goes(30)
    one.apply_event(Acted(decision=0, seat=1, action="step_in Perrin", instead_of=0), time.now)
    assert one.left == [270, 300]
    one.apply_event(Acted(decision=1, seat=1, action="rest"), time.now)
    assert one.left == [270, 360]


def test_changed_rules_cost_nobody_time(time: Time) -> None:  # noqa: F811
    one = chairs(GAME)
    one.apply_event(one.created, time.now)
    time.goes(30)
    one.apply_event(Acted(decision=0, seat=0, action="rest"), time.now)
    time.goes(86400)
    one.apply_event(Undone(seat=1, to=0, rules_changed=True), time.now)
    assert one.compute_remaining(0, 0, time.now) == 300


def test_every_second_is_somebodys(time: Time) -> None:  # noqa: F811
    """Whatever happens in which order: all that is left is what there was, less all time in which a person was to decide, plus a refill for
    each decision that stands."""
    import random

    luck = random.Random(7)
    for _ in range(200):
        one = chairs(ClockPlan(per="game", seconds=10_000, refill=60))
        one.apply_event(one.created, time.now)
        asked, made, passed, refills, bots = 0, list[int](), 0.0, list[bool](), 0
        for _ in range(25):
            step, person = luck.randrange(1, 30), asked not in one.stood_in
            time.goes(step)
            passed += step if person else 0
            do = luck.random()
            if do < 0.5:
                one.apply_event(Acted(decision=len(made), seat=asked, action="x"), time.now)
                made.append(asked)
                refills.append(person)
                bots = bots if person else len(made)
                asked = luck.randrange(2)
            elif do < 0.7 and len(made) > bots and not one.stood_in:  # a bot's seconds would be paid for, too
                to = luck.randrange(bots, len(made))
                asked = made[to]
                one.apply_event(Undone(seat=asked, to=to), time.now)
                del made[to:], refills[to:]
            elif do < 0.8 and person:
                bots = len(made) + 1
                one.apply_event(StoodIn(seat=asked, level="normal", why="agreed", asked=True), time.now)
            elif do < 0.9 and not person:
                bots = len(made) + 1
                one.apply_event(CameBack(seat=asked, asked=True), time.now)
            elif do > 0.95:
                one.apply_event(Joined(seat=1 - asked, name="Perrin", asked=False), time.now)
        whole = sum(one.compute_remaining(seat, asked, time.now) for seat in (0, 1))
        if asked in one.stood_in:
            whole -= one.used
        assert whole == pytest.approx(20_000 - passed + 60 * sum(refills))
