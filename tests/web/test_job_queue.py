"""Who thinks when: told on a clock that the tests set, in the order in which errands are begun. Nothing here takes time."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

import pytest

import sutler
from sutler.bots.search import SearchBot
from sutler.web.events import Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.jobs.job_queue import HINT_LANE, IDLE_LANE, LANES, QUICK_LANE, SLOW_LANE, JobQueue, Lane, Schedule
from sutler.web.storage.store import Store
from sutler.web.table import bot_turns, moves
from sutler.web.table import registry as house_module
from sutler.web.table.people import joining
from sutler.web.table.registry import MIN_SEARCH_S, House
from sutler.web.table.room import Room

ME, FRIEND = SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="link", name="Perrin")


def bot(level: str = "easy") -> SeatPlan:
    return SeatPlan.model_validate({"kind": "bot", "name": level, "level": level})


class ByHand(JobQueue):
    """One worker that works when it is told to, on a clock of its own. Every errand takes a second, if not said otherwise."""

    def __init__(self, costs: float = 1.0) -> None:
        super().__init__()
        self.now = 0.0
        self.costs = costs
        self.begun: list[tuple[float, Lane]] = []

    def add_job(self, job: Callable[[], object], lane: Lane, after: float = 0.0) -> None:
        self.line.add_job(job, lane, self.now + after)

    def step(self) -> bool:
        """Do the next errand, waiting for it if it must be; False when there is none."""
        taken = self.line.take_due_job(self.now)
        if taken is None:
            pause = self.line.seconds_to_next(self.now)
            if pause is None:
                return False
            self.now += pause
            taken = self.line.take_due_job(self.now)
        assert taken is not None
        self.begun.append((self.now, taken[1]))
        self.now += self.costs
        taken[0]()
        return True


def order(line: Schedule, now: float, spare: bool = True) -> list[str]:
    """The names of the errands as they would be begun at this time."""
    names: list[str] = []
    while (taken := line.take_due_job(now, spare)) is not None:
        taken[0]()
        names.append(NAMES.pop())
    return names


NAMES: list[str] = []


def named(name: str) -> Callable[[], object]:
    return lambda: NAMES.append(name)


# --- The line -----------------------------------------------------------------------------------------


def test_who_keeps_people_waiting_goes_first_and_nobody_waits_for_ever() -> None:
    line = Schedule()
    for i in range(3):
        line.add_job(named(f"bots {i}"), IDLE_LANE, at=0.0)
    for i in range(8):
        line.add_job(named(f"people {i}"), QUICK_LANE, at=float(i))
    line.add_job(named("hint"), HINT_LANE, at=1.0)
    assert order(line, 8.0) == [
        *("people 0", "people 1", "hint", "bots 0"),
        *("people 2", "people 3", "people 4", "bots 1"),
        *("people 5", "people 6", "people 7", "bots 2"),
    ], "every fourth for those that have waited for more than three seconds"
    line.add_job(named("bots 3"), IDLE_LANE, at=8.0)
    for i in range(5):
        line.add_job(named(f"people {i}"), QUICK_LANE, at=9.0)
    assert order(line, 10.0)[-1] == "bots 3", "it has not waited for long"


def test_first_come_first_served_among_equals() -> None:
    line = Schedule()
    for i in range(5):
        line.add_job(named(str(i)), SLOW_LANE, at=2.0)
    assert order(line, 2.0) == list("01234")


def test_a_pause_is_a_time_in_the_line_and_not_a_sleeping_worker() -> None:
    line = Schedule()
    line.add_job(named("later"), QUICK_LANE, at=5.0)
    assert line.take_due_job(4.9) is None
    assert line.seconds_to_next(4.0) == 1.0
    line.add_job(named("at once"), IDLE_LANE, at=4.0)
    assert order(line, 4.5) == ["at once"]
    assert order(line, 5.0) == ["later"]
    assert line.seconds_to_next(5.0) is None


def test_the_last_worker_is_kept_for_who_decides_at_once() -> None:
    line = Schedule()
    for lane in LANES:
        line.add_job(named(lane.name), lane, at=0.0)
    assert order(line, 9.0, spare=False) == ["quick"]
    assert order(line, 9.0) == ["slow", "hint", "idle"]


def test_one_search_at_a_time_where_there_are_two_workers() -> None:
    """Real threads: two searches are asked for and hang; a quick bot answers all the same, the second search waits."""
    job_queue, gate, done = JobQueue(workers=2), threading.Event(), threading.Event()
    started: list[str] = []

    def search(name: str) -> None:
        started.append(name)
        gate.wait(60)

    first = job_queue.submit_job(lambda: search("first"), SLOW_LANE)
    second = job_queue.submit_job(lambda: search("second"), IDLE_LANE)
    job_queue.add_job(done.set, QUICK_LANE)
    assert done.wait(60)
    assert "second" not in started
    gate.set()
    first.result(60)
    second.result(60)
    assert started == ["first", "second"]
    job_queue.close()


def test_an_errand_that_fails_stops_nothing() -> None:
    job_queue = JobQueue(workers=1)
    with pytest.raises(ZeroDivisionError):
        job_queue.submit_job(lambda: 1 // 0, QUICK_LANE).result(60)
    assert job_queue.submit_job(lambda: 7, QUICK_LANE).result(60) == 7
    job_queue.close()
    job_queue.add_job(lambda: NAMES.append("too late"), QUICK_LANE)
    assert NAMES == []


# --- Tables ---------------------------------------------------------------------------------------------


@pytest.fixture
def job_queue() -> ByHand:
    return ByHand()


@pytest.fixture
def house(job_queue: ByHand) -> House:
    return House(Store("sqlite://"), Shelf(), bot_pause=0.35, job_queue=job_queue)


def table(house: House, *seats: SeatPlan, game: str = "threeyears") -> Room:
    return house.open_table(Created(game=game, seed=4, seats=seats))


def act(room: Room) -> None:
    assert room.pos.seat is not None
    moves.play_action(room, (room.pos.seat,), room.decision, room.pos.actions()[0].name)


def until_it_is_mine(room: Room, job_queue: ByHand, most: int = 200) -> None:
    for _ in range(most):
        if room.pos.seat == 0:
            return
        assert job_queue.step()
    raise AssertionError("it never was")


def test_a_bot_makes_one_decision_an_errand(house: House, job_queue: ByHand) -> None:
    room = table(house, bot(), bot())
    for made in range(5):
        assert room.decision == made
        assert len(job_queue.line) - len(house._due) <= 1 + bool(house._due), "it stands in line once"
        while room.decision == made:
            assert job_queue.step()


def test_two_tables_of_bots_make_nobody_wait(house: House, job_queue: ByHand) -> None:
    """However many tables of bots there are, the answer to a person's move is the next thing thought about."""
    alone = [table(house, bot(), bot()) for _ in range(6)]
    room = table(house, ME, bot())
    answers = 0
    while answers < 12:
        until_it_is_mine(room, job_queue)
        act(room)
        while room.pos.seat == 1:
            moved, due, decision = job_queue.now, job_queue.now + house.services.bot_pause, room.decision
            while room.decision == decision:
                job_queue.step()
            waited = job_queue.now - moved
            quick = [at for at, lane in job_queue.begun if at >= moved and lane is QUICK_LANE]
            assert quick[0] - due <= 2 * job_queue.costs, "what was begun already, and one that has waited for long"
            assert waited <= house.services.bot_pause + 3 * job_queue.costs
            answers += 1
    assert all(one.decision > 0 for one in alone), "they go on meanwhile"


def test_tables_of_bots_have_their_share_however_busy_people_are(house: House, job_queue: ByHand) -> None:
    """Twenty people whose bots would take all the time there is: the bots' own table moves on."""
    alone = table(house, bot(), bot())
    people = [table(house, ME, bot()) for _ in range(20)]
    for _ in range(300):
        for room in people:
            if room.pos.seat == 0:
                act(room)
        job_queue.step()
    assert alone.decision > 5
    played = sorted(room.decision for room in people)
    assert played[0] > 0, "nobody is forgotten"


def test_a_table_at_which_somebody_sits_is_waited_for(house: House) -> None:
    assert bot_turns.choose_lane(table(house, bot(), bot()), 0) is IDLE_LANE
    assert bot_turns.choose_lane(table(house, ME, bot()), 1) is QUICK_LANE
    assert bot_turns.choose_lane(table(house, ME, bot("hard")), 1) is SLOW_LANE
    lonely = table(house, ME, FRIEND, bot())
    assert bot_turns.choose_lane(lonely, 2) is QUICK_LANE


def test_a_bot_whose_decision_cannot_be_kept_tries_again_later(
    house: House, job_queue: ByHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = table(house, bot(), bot())
    with monkeypatch.context() as broken:

        def full(*_: object) -> None:
            raise OSError("the disk is full")

        broken.setattr(house.store, "append_events", full)
        job_queue.step()
        assert room.decision == 0
        assert job_queue.line.seconds_to_next(job_queue.now) == bot_turns.RETRY_SECONDS
    job_queue.step()
    assert room.decision == 1


def test_who_thinks_for_many_thinks_for_a_shorter_time(
    house: House, job_queue: ByHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(house.shelf._bots, "hard", sutler.bot("hard"))
    budgets = []
    for _ in range(20):
        one = house.get_bot("hard")
        assert isinstance(one, SearchBot)
        assert one.level == "hard"  # or it would be another bot where a game says who hard is
        budgets.append(one.budget)
        job_queue.add_job(lambda: None, SLOW_LANE)
        job_queue.line._ready[SLOW_LANE].append((0.0, 0, lambda: None, SLOW_LANE))
    assert budgets[0] == 1.0
    assert budgets == sorted(budgets, reverse=True)
    assert budgets[1] == 0.5
    assert budgets[-1] == MIN_SEARCH_S
    assert house.get_bot("easy") is house.get_bot("easy")


# --- The door -------------------------------------------------------------------------------------------


def test_while_one_table_is_fetched_the_others_are_open(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long game is played again to where it stands: nobody but those who want to that table waits."""
    slow, other = table(house, ME, bot()), table(house, ME, bot())
    forget(house)
    inside, go_on, fetch, fetched = threading.Event(), threading.Event(), Room.load_from_events, list[str]()

    def slowly(where: House, name: str, kept: list[object]) -> Room:
        fetched.append(name)
        if name == slow.id:
            inside.set()
            assert go_on.wait(60)
        return fetch(where, name, kept)  # type: ignore[arg-type]

    monkeypatch.setattr(Room, "load_from_events", slowly)
    found: list[Room] = []
    visitors = [threading.Thread(target=lambda: found.append(house.get_room(slow.id))) for _ in range(3)]
    for one in visitors:
        one.start()
    assert inside.wait(60)
    assert house.get_room(other.id).id == other.id
    assert found == []
    go_on.set()
    for one in visitors:
        one.join(60)
    assert len({id(room) for room in found}) == 1, "it was fetched once"
    assert fetched.count(slow.id) == 1


def forget(house: House) -> None:
    house._rooms.clear()
    house._alive.clear()


def test_there_are_never_two_rooms_of_a_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that the house lets go of, but that somebody still holds, is the one that the next visitor finds."""
    monkeypatch.setattr(house_module, "ROOMS_KEPT_OPEN", 2)
    held = table(house, ME, FRIEND)
    name, others = held.id, [table(house, ME, FRIEND).id for _ in range(4)]
    assert name not in house._rooms
    assert house.get_room(name) is held
    assert len(house._rooms) == 2
    del held
    for other in others:
        house.get_room(other)
    gc.collect()
    assert name not in house._alive, "what nobody holds is let go of for good"
    assert house.get_room(name).decision == 0


def test_the_lobby_is_told_in_one_go(house: House, job_queue: ByHand, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms, told, stand = [table(house, ME, FRIEND) for _ in range(3)], list[int](), house.store.write_standings
    monkeypatch.setattr(house.store, "write_standings", lambda lines: (told.append(len(lines)), stand(lines)))
    for room in rooms:
        joining.take_seat(room, 1, "Wulf")
        for _ in range(4):
            act(room)
    assert told == [], "nobody at the table waits for it"
    while job_queue.step():
        pass
    assert told == [3]
    act(rooms[0])
    house.write_listings([rooms[0].id, rooms[1].id])
    assert told == [3, 1], "whoever comes from the table sees how it stands"
