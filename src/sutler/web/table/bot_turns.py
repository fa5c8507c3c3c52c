"""Bots' turns at a table: one decision at a time, after a pause in which people can see the last one. Clicks never wait for them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sutler.bots import choose_checked_action, is_style_spec
from sutler.web.errors import Lost, Stale
from sutler.web.events import Acted, Begun, CameBack, Event, Joined, Mixed, Ordered, Resumed, StoodIn, Undone
from sutler.web.jobs.gil_priority import BOT_PATIENCE_S, GIL_LOCK
from sutler.web.jobs.job_queue import IDLE_LANE, QUICK_LANE, SLOW_LANE, Lane
from sutler.web.table import out_of_turn, standing_orders, verifiable_shuffle
from sutler.web.table.room import Room

if TYPE_CHECKING:
    from sutler.core.play.position import SeatView
    from sutler.web.storage.shared_jobs import Claim, SharedJobs


LOG = logging.getLogger("sutler.web")
AT_ONCE = ("easy", "normal")
"""The levels of bots that decide at once; any other may search."""
RETRY_SECONDS = 5.0
"""Seconds after which a decision that could not be stored is tried again."""
MAX_TRIES = 5
"""Attempts to play a decision while others write to the table."""
TURN_CHANGES = Acted | Undone | Resumed | Begun | StoodIn | Joined | Mixed | Ordered | CameBack
"""Events after which a bot or a standing order may be the next to decide."""


def on_events(room: Room, events: Sequence[Event]) -> None:
    """Queue a bot's decision if a bot is to decide after these events."""
    if isinstance(events[0], TURN_CHANGES):
        # after these two a longer pause begins anew: bots wait for players' numbers
        queue_decision(room, replace=isinstance(events[0], Joined | Mixed))


def queue_decision(room: Room, pause: float | None = None, replace: bool = False) -> None:
    """Queue the decision of the bot that is to decide now. `pause`: seconds, None for the usual; `replace`: even if one is queued already.

    Where several processes share the database it was queued with the events already (`find_job_after`).
    """
    with room.lock:
        seat = room.pos.seat
        if room.services.store.shared or (room.thinking and not replace) or not is_bot_to_decide(room) or seat is None:
            return
        room.thinking = True
        room.bot_job += 1
        number = room.bot_job
        room.services.jobs.add_job(
            lambda: _decide_and_play(room, number),
            choose_lane(room, seat),
            compute_delay(room) if pause is None else pause,
        )


def is_bot_to_decide(room: Room) -> bool:
    """Is the present decision to be made by a bot or a standing order? Not before the first move while friends are awaited."""
    seat = room.pos.seat
    here = room.begun or room.chairs.began or all(room.persons_have_come)
    if room.gone or room.broken is not None or not here or seat is None:
        return False
    return bool(room.chairs.get_bot_level(seat)) or standing_orders.find_order_answer(room) is not None


def compute_delay(room: Room) -> float:
    """Seconds to wait before the present decision of a bot or standing order."""
    return (
        standing_orders.draw_order_answer_delay(room)
        if standing_orders.find_order_answer(room) is not None
        else verifiable_shuffle.compute_bot_delay(room)
    )


def choose_lane(room: Room, seat: int) -> Lane:
    """The lane of the job queue for this seat's decision: by whether people wait for it, and whether the bot searches."""
    if not any(map(room.chairs.is_person, range(len(room.seats)))):
        return IDLE_LANE
    level = room.chairs.get_bot_level(seat)
    return QUICK_LANE if level in ("", *AT_ONCE) or is_style_spec(level) else SLOW_LANE


def find_job_after(room: Room, events: Sequence[Event]) -> tuple[Lane, float] | None:
    """(lane, pause in seconds) of the bot's decision that must be queued after these events; None where none must.

    The events are not committed yet, but a move among them is on the position already.
    """
    if standing_orders.find_order_answer(room, events) is not None or (
        room.orders and isinstance(events[0], Undone | CameBack)
    ):
        return QUICK_LANE, standing_orders.draw_order_answer_delay(room)
    seats = [seat for seat in range(len(room.seats)) if room.chairs.get_bot_level(seat)]
    seats += [one.seat for one in events if isinstance(one, StoodIn)]
    if isinstance(events[0], Acted):
        seats = [room.pos.seat] if room.pos.seat in seats else []
    elif not isinstance(events[0], Undone | Resumed | Begun | Joined | Mixed | StoodIn):
        return None
    if not seats or (isinstance(events[0], Joined | Mixed) and room.begun):
        return None
    return choose_lane(room, seats[0]), verifiable_shuffle.compute_bot_delay(room, events[0])


# --- Deciding -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Thought:
    """A bot's decision together with the state in which it was made."""

    seat: int
    state: bytes
    action: str
    order: bool = False
    """Was it made by a standing order?"""


def _compute_decision(room: Room) -> Thought | None:
    """The decision of the bot or standing order that is to decide now; None where there is none."""
    with room.lock:
        seat, decision = room.pos.seat, room.decision
        if seat is None or not is_bot_to_decide(room):
            return None
        state = room.pos.to_bytes()
        if (found := standing_orders.find_order_answer(room)) is not None:
            return Thought(seat, state, found[1].name, order=True)
        sees = room.view_for_bot(seat)
    if choose_lane(room, seat) is QUICK_LANE:
        return Thought(seat, state, _choose_action(room, sees, decision))
    with GIL_LOCK.release_during_block():  # a search may take long
        return Thought(seat, state, _choose_action(room, sees, decision))


def _play_computed_decision(room: Room, thought: Thought) -> bool:
    """Play a bot's decision unless the position has changed meanwhile; return whether it was played."""
    for _ in range(MAX_TRIES):
        try:
            with room.lock:
                if room.services.closing.is_set() or room.pos.to_bytes() != thought.state or not is_bot_to_decide(room):
                    return False
                found = standing_orders.find_order_answer(room)
                if thought.order != (found is not None) or (found and found[1].name != thought.action):
                    return False  # an undo came meanwhile, or a person is back at the seat
                gives_way = (
                    None if thought.order else out_of_turn.find_yielding_action(room, thought.seat, thought.action)
                )
                room.play_action(thought.seat, gives_way or thought.action)
                return True
        except Stale:  # another process wrote first, perhaps only chat; the room was read again
            continue
    return False


def _decide_and_play(room: Room, number: int) -> None:
    """Decide and play for the bot whose turn it is, then queue the next bot. `number`: of this job; an outdated job does nothing."""
    if number != room.bot_job:
        return
    pause: float | None = None
    try:
        with GIL_LOCK.hold(BOT_PATIENCE_S):
            if (thought := _compute_decision(room)) is not None:
                _play_computed_decision(room, thought)
    except Exception:
        LOG.exception("nothing came of decision %d at table %s; it will be tried again", room.decision, room.id)
        pause = RETRY_SECONDS
    with room.lock:
        if number != room.bot_job:
            return
        room.thinking = False
        queue_decision(room, pause)


def decide_claimed(
    get_room: Callable[[str], Room], closing: threading.Event, shared_jobs: SharedJobs, claim: Claim
) -> None:
    """Make and play the decision that this thread has claimed from the database; one that is void by now is only deleted.

    `get_room`: gives a table's room; `closing`: set when the server closes; `shared_jobs`: the queue.
    """
    try:
        room = get_room(claim.table)
        while not closing.is_set():
            with GIL_LOCK.hold(BOT_PATIENCE_S):
                if not room.read_new_events():
                    raise Lost("There is no such table.")
                thought = _compute_decision(room)
                if thought is not None and _play_computed_decision(room, thought):
                    return  # storing the move has deleted the row
            if thought is None or not shared_jobs.is_newest(claim):
                shared_jobs.finish_claim(claim)
                return
    except Lost:
        shared_jobs.finish_claim(claim)
    except Exception:
        LOG.exception("nothing came of a decision at table %s; it will be tried again", claim.table)
        shared_jobs.postpone_claim(claim, RETRY_SECONDS)


def _choose_action(room: Room, view: SeatView, decision: int) -> str:
    """The action that the seat's bot chooses, by name; the first legal one if the bot fails. `view`: the seat's view."""
    level = room.chairs.get_bot_level(view.seat)
    try:
        return choose_checked_action(room.services.bot(level), view).name
    except Exception:  # a bot that stumbles must not stop the game
        LOG.exception("the %s bot stumbled at table %s, decision %d", level, room.id, decision)
        return view.actions()[0].name
