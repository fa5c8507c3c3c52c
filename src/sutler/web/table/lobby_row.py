"""A table's row in the lobby's list, derived from its room."""

from __future__ import annotations

from sutler.core.text.language import ENGLISH, use_language
from sutler.web.storage.listing_row import Offer, Standing
from sutler.web.table import proposals
from sutler.web.table.people.joining import list_free_seats
from sutler.web.table.room import Room
from sutler.web.table.table_as_seen import get_view_at, read_turn_and_phase
from sutler.web.table.teaching import lessons, puzzles


def _build_offer(room: Room) -> Offer | None:
    """The seats that anybody may take now, with the table's terms; None where there are none."""
    made = room.created
    free = tuple(list_free_seats(room))
    if not free:
        return None
    return Offer(free=free, as_printed=_is_printed_game(room), newcomers=made.newcomers, clock=made.clock)


def _is_printed_game(room: Room) -> bool:
    """Is the printed game played, from its beginning?"""
    made = room.created
    return not (made.options or made.edit or made.settings or made.opening or made.lesson)


def _is_rated(room: Room) -> bool:
    """Has the printed game been played to its end by people alone, each against the others?"""
    people = (
        all(plan.kind in ("me", "link") for plan in room.seats) and all(room.persons_have_come) and len(room.seats) > 1
    )
    rivals = people and not room.chairs.stood_in and not room.game.definition.COOPERATIVE
    return room.pos.over and rivals and _is_printed_game(room)


def build_standing(room: Room) -> Standing:
    """The row of a table for the lobby's list."""
    with room.lock:
        pos = room.pos
        with use_language(ENGLISH):  # the row is stored, and read in any language
            turn, phase = read_turn_and_phase(get_view_at(room, None, room.decision))  # a watcher's view
        begun = not room.chairs.waiting
        step, steps = lessons.count_progress(room)
        places = tuple(int(place) for place in pos.places()) if pos.over else ()
        return Standing(
            table=room.id,
            game=room.created.game,
            title=room.game.title,
            begun=begun,
            turn=turn if begun else None,
            phase=phase if begun else "",
            step=step,
            steps=steps,
            to_act=pos.seat if begun else None,
            awaited=tuple(proposals.list_awaited_seats(room)),
            over=pos.over or lessons.is_lesson_finished(room) or puzzles.is_turn_over(room),
            open_to_watch=room.created.open_to_watch,
            seats=tuple(room.seats),
            winners=tuple(seat for seat, place in enumerate(places) if place == 1),
            places=places,
            best_turns=room.best_turns or (),
            rated=_is_rated(room),
            decisions=room.decision,
            lesson=room.created.lesson,
            deadline=None if pos.over else room.chairs.compute_deadline(pos.seat),
            offer=_build_offer(room),
            said=len(room.talk),
            seq=room.seq,
        )
