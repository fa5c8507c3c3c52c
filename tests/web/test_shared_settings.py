"""What those who play together agree on, over several processes: a team's proposals and clocks, one of the processes being killed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from sutler.web.errors import Stale
from sutler.web.events import Acted, ClockPlan, Created, Proposed, StoodIn
from sutler.web.game_shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.people import joining
from sutler.web.table.registry import CLOCK_POLL_S, House
from sutler.web.table.room import Room

from .conftest import facts
from .test_company import AGNES, PERRIN, Time, Waiting, act, table
from .test_processes import Web, start  # noqa: F401  (a fixture)
from .test_proposals import BLUE, asked, orders
from .test_shared import LONG, until

PLAN = ClockPlan(per="move", seconds=60, then="bot")
OpenHouse = Callable[[], House]


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def open_house(shared_database: str, time: Time) -> Iterator[OpenHouse]:
    """Another process of one house, whose errands wait until the test does them; all go by one clock."""
    opened: list[House] = []

    def one() -> House:
        store = Store(shared_database, time)
        opened.append(House(store, Shelf(), bot_pause=0.0, job_queue=Waiting(time), bot_workers=0))
        assert opened[-1].news is not None
        assert opened[-1].news.ready.wait(LONG)
        return opened[-1]

    yield one
    for house in opened:
        house.close()


def ring(house: House) -> None:
    """All that is due in this process."""
    assert isinstance(house.job_queue, Waiting)
    house.job_queue.do()


def stood_in(house: House, room: Room) -> list[int]:
    """Who was stood in for, as it is kept."""
    return [one.event.seat for one in house.store.load_events(room.id) if isinstance(one.event, StoodIn)]


# --- Clocks -------------------------------------------------------------------------------------------


def test_time_runs_out_once_however_many_processes_look(open_house: OpenHouse, time: Time) -> None:
    """Both have the table open, and both timers ring at the same moment."""
    here, there = open_house(), open_house()
    room = table(here, AGNES, PERRIN, clock=PLAN)
    act(room)
    far = there.get_room(room.id)
    until(lambda: far.seq == room.seq)
    late = room.pos.seat
    time.goes(61)
    with ThreadPoolExecutor(2) as both:
        list(both.map(ring, (here, there)))
    assert stood_in(here, room) == [late]
    until(lambda: late in room.chairs.stood_in and late in far.chairs.stood_in)


def test_a_move_in_one_process_winds_the_clock_of_the_other(open_house: OpenHouse, time: Time) -> None:
    here, there = open_house(), open_house()
    room = table(here, AGNES, PERRIN, clock=PLAN)
    far = there.get_room(room.id)
    time.goes(50)
    act(room)
    until(lambda: far.seq == room.seq)
    time.goes(20)
    ring(there)
    assert stood_in(there, far) == [], "twenty seconds of the new sixty"
    assert far.chairs.compute_deadline(far.pos.seat) == room.chairs.compute_deadline(room.pos.seat)


def test_another_process_sees_to_a_clock_whose_process_is_gone(open_house: OpenHouse, time: Time) -> None:
    """The one had never opened the table, and the other, which had, rings no more: it was killed."""
    gone, stays = open_house(), open_house()
    stays.start_clocks()
    room = table(gone, AGNES, PERRIN, clock=PLAN)
    act(room)
    gone.write_listings([room.id])
    late = room.pos.seat
    time.goes(CLOCK_POLL_S + 1)
    ring(stays)
    assert stays.list_loaded_rooms() == [], "there is still time, so nothing is opened"
    for _ in range(3):
        time.goes(CLOCK_POLL_S + 1)
        ring(stays)
    assert stood_in(stays, room) == [late]


# --- Proposals ------------------------------------------------------------------------------------------


def test_two_who_propose_at_once_in_two_processes_are_one_after_the_other(open_house: OpenHouse) -> None:
    """One of them is kept; the other is told to look again, sees it, and may agree."""
    here, there = open_house(), open_house()
    room = here.open_table(Created(game="sixwinters", seed=1, seats=(AGNES, PERRIN)))
    joining.take_seat(room, 1, "Perrin")
    far = there.get_room(room.id)
    until(lambda: far.seq == room.seq)

    def propose(at: tuple[Room, tuple[int, ...]]) -> bool:
        try:
            moves.play_action(*at, 0, BLUE)
        except Stale:
            return False
        return True

    with ThreadPoolExecutor(2) as both:
        kept = list(both.map(propose, ((room, (0,)), (far, (1,)))))
    until(lambda: far.seq == room.seq)
    made = [type(one.event) for one in here.store.load_events(room.id)]
    assert made.count(Proposed) == 1
    assert made.count(Acted) == (1 if all(kept) else 0), "where the second came after the news, it agreed"
    assert (room.proposed is None) == all(kept)


def test_a_proposal_outlives_the_process_it_was_made_in(
    shared_database: str,
    start: Callable[..., None],  # noqa: F811
) -> None:
    """Ada proposes through one process, which is killed at once; Bo sees it through another, which starts anew, and agrees."""
    webs = [Web(shared_database) for _ in range(2)]
    start(*webs)
    form = {"game": "sixwinters", "seat_0": "me", "name_0": "Ada", "seat_1": "link"}
    ada = webs[0].ask("POST", "/tables", form)[1]
    link = re.search(r'value="[^"]*(/invited/[^"]+)"', webs[0].ask("GET", ada)[2])[1]
    bo = webs[1].ask("POST", link, {"name": "Bo"})[1]
    status, _, page = webs[0].ask("POST", f"{ada}/play", {"action": BLUE, "decision": 0})
    assert (status, facts(page)["decision"]) == (200, "0")
    webs[0].kill()
    assert asked(webs[1].ask("GET", bo)[2]).startswith("Ada proposes: The Blue Robe")
    webs[1].kill()
    again = Web(shared_database)
    start(again)
    page = again.ask("GET", bo)[2]
    assert asked(page).startswith("Ada proposes: The Blue Robe")
    assert orders(page) == ["Agree"]
    assert facts(again.ask("POST", f"{bo}/play", {"action": BLUE, "decision": 0})[2])["decision"] == "1"
    store = Store(shared_database)
    (one,) = store.list_tables()
    moves = [one.event for one in store.load_events(one) if isinstance(one.event, Acted)]
    store.close()
    assert [(move.decision, move.action) for move in moves] == [(0, BLUE)]
