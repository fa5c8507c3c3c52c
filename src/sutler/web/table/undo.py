"""Undo: by the player alone where nothing was revealed, else with the consent of another person. Bots always consent."""

from __future__ import annotations

from sutler.web.errors import Refused, Stale
from sutler.web.events import AnsweredBack, AskedBack, Undone
from sutler.web.table.room import Room
from sutler.web.table.table_as_seen import can_undo


def undo_decision(room: Room, seats: tuple[int, ...], decision: int) -> None:
    """Undo the last decision, if one of these seats made it and nothing was revealed since. Raises Refused otherwise.

    `decision`: the number of decisions that their page has seen; raises Stale where it is old.
    """
    with room.lock:
        room.require_sound()
        if room.created.lesson:
            raise Refused("Here, Back takes you back.")
        if decision != room.decision:
            raise Stale("The table has moved on; nothing was taken back.")
        if not room.actions or room.actions[-1][0] not in seats:
            raise Refused("The last decision was not yours. You can ask to take back.")
        seat = room.actions[-1][0]
        if not can_undo(room, seats):
            raise Refused("Something was revealed or drawn since. You can ask the others to take it back.")
        _require_time_after_undo(room, seat, room.decision - 1)
        room.commit_events(Undone(seat=seat, to=room.decision - 1))


def _require_time_after_undo(room: Room, seat: int, decision: int) -> None:
    """Raise Refused where the time for decision `decision` would be over after an undo, so that a bot would decide at once."""
    left = room.chairs.compute_remaining_after_undo(seat, decision, room.store_time)
    if left is not None and left <= 0 and room.chairs.clock is not None and room.chairs.clock.then == "bot":
        raise Refused("The time for that decision is over by now; it stands.")


def list_people_to_ask(room: Room, seats: tuple[int, ...]) -> list[int]:
    """The seats of the people whose consent is asked: no bots, none of these seats, no friends who have not come yet."""
    return [seat for seat in range(len(room.seats)) if room.chairs.is_person(seat) and seat not in seats]


def ask_for_undo(room: Room, seats: tuple[int, ...], decision: int) -> None:
    """Ask the others for an undo of the last decision of these seats; done at once where there are no other people."""
    with room.lock:
        room.require_sound()
        if decision != room.decision:
            raise Stale("Somebody moved meanwhile. Look again, then ask.")
        if room.pos.over:
            raise Refused("The game is over; what is done is done.")
        mine = [i for i, (seat, _) in enumerate(room.actions) if seat in seats]
        if not mine:
            raise Refused("You have not decided anything yet; there is nothing to take back.")
        to, seat = mine[-1], room.actions[mine[-1]][0]
        _require_time_after_undo(room, seat, to)
        if list_people_to_ask(room, seats):
            room.commit_events(AskedBack(seat=seat, to=to))
        else:
            room.commit_events(build_undo_event(room, seat, to))


def build_undo_event(room: Room, seat: int, decision: int, consent: int | None = None) -> Undone:
    """The event that undoes all decisions from number `decision` on. `consent`: the seat that agreed; None if nobody was asked.

    If random numbers were drawn since, new ones follow, so that nobody undoes a bad roll.
    """
    before = room.pos.at(decision)
    drawn = before.state.rng.tolist() != room.pos.state.rng.tolist()
    return Undone(seat=seat, to=decision, consent=consent, again=room.n_rerolls + 1 if drawn else 0)


def answer_undo_request(room: Room, seats: tuple[int, ...], decision: int, yes: bool) -> None:
    """Consent to an undo that was asked for (`yes`), or refuse it. Raises Stale where the question is no longer open."""
    with room.lock:
        asked = room.asked
        if asked is None or decision != room.decision:
            raise Stale("This question is no longer open.")
        if asked.seat in seats:
            raise Refused("Somebody else has to agree.")
        if not seats:
            raise Refused("Only those who play can answer.")
        if yes:
            _require_time_after_undo(room, asked.seat, asked.to)
            room.commit_events(build_undo_event(room, asked.seat, asked.to, seats[0]))
        else:
            room.commit_events(AnsweredBack(seat=seats[0]))
