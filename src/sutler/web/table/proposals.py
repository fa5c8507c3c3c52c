"""What the team decides is shown to everybody before it holds.

Where an action is the team's (`Block.team`), anybody at the table may choose it. It is then a proposal: it holds when another person
chooses the same, or when whoever proposed it says it again after somebody else has seen it, or while nobody else is at the table.
Where no other people sit it holds at once; bots are not asked. A proposal is an event of the room and no part of the game.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from sutler.core.language import listed
from sutler.web.errors import Refused, Stale
from sutler.web.events import Noticed, Proposed
from sutler.web.table import clocks, moves, out_of_turn, subscribers
from sutler.web.table.undo import others

if TYPE_CHECKING:
    from sutler.web.table.room import Room


def act(room: Room, seats: tuple[int, ...], decision: int, action: str) -> None:
    """One of these seats chooses: for itself it holds, for the team it may be a proposal first."""
    with room.lock:
        room.whole()
        clocks.look(room)
        found = room.game.action_names.find(action)
        sits = any(map(room.chairs.is_person, seats)) and out_of_turn.asks_all(room)
        if not sits or found is None or not out_of_turn.is_the_teams(room.pos, found.block):
            moves.act(room, seats, decision, action)
            return
        if decision != room.decision:
            raise Stale("That was already decided. Here is the table as it stands now.")
        if refusal := room.pos.why_not(found):
            raise Refused(refusal.text, refusal.rule)
        asked = int(room.pos.seat or 0)
        if _holds(room, seats, found.name):
            room.play(asked, found.name)
        else:
            seat = asked if asked in seats else seats[0]
            room.commit(Proposed(seat=seat, decision=room.decision, action=found.name))


def _holds(room: Room, seats: tuple[int, ...], action: str) -> bool:
    """Does it hold when one of these seats chooses it now? Refused when it was said before and nobody has seen it."""
    before = room.proposed
    if not others(room, seats):
        return True
    if before is None or before.action != action:
        return False
    if before.seat not in seats or may_insist(room):
        return True
    raise Refused("{names} has not seen it yet.", names=_called(room, _present(room)))


def may_insist(room: Room) -> bool:
    """May whoever proposed it do it now without an answer?"""
    made = room.proposed
    return made is not None and (made.seen or not _present(room))


def awaited(room: Room) -> list[int]:
    """The people whose answer a proposal waits for: all but whoever made it. The caller holds the lock."""
    return [] if room.proposed is None else others(room, room.group(room.proposed.seat))


def _present(room: Room) -> list[int]:
    """Those of them who are at the table now."""
    return [seat for seat in awaited(room) if seat in subscribers.present(room)]


def _called(room: Room, seats: list[int]) -> str:
    return listed([room.seats[seat].name for seat in seats])


def notice(room: Room, seats: tuple[int, ...]) -> None:
    """A page of these seats is about to show what somebody else has proposed."""
    with room.lock:
        made = room.proposed
        if made is None or made.seen or not seats or made.seat in seats or room.broken is not None:
            return
        with contextlib.suppress(Stale):  # another process was quicker; the next picture will tell
            room.commit(Noticed(seat=seats[0]))


def shown(room: Room, seats: tuple[int, ...]) -> dict[str, Any] | None:
    """What is proposed, as the page of these seats shows it; None for nothing, and for watchers. The caller holds the lock."""
    made = room.proposed
    if made is None or not seats or (action := room.game.action_names.find(made.action)) is None:
        return None
    return {
        "seat": made.seat,
        "mine": made.seat in seats,
        "choice": room.pos.choice(action.id),
        "others": _called(room, awaited(room)),
        "seen": made.seen,
        "insist": may_insist(room),
    }
