"""Proposals: a decision of a whole team is shown to all its members before it is played.

A team's action (`Block.team`) may be chosen by any person at the table, and is then a proposal. It is played when another person chooses
the same action, or when the proposer repeats it after somebody else has seen it, or while nobody else is at the table. Where no other
people play it is played at once; bots are not asked. A proposal is an event of the table and no part of the game.
"""

from __future__ import annotations

import contextlib
from typing import Any

from sutler.core.actions import Action
from sutler.core.text.language import join_with_and
from sutler.web.errors import Refused, Stale
from sutler.web.events import Noticed, Proposed
from sutler.web.table import out_of_turn
from sutler.web.table.people import subscribers
from sutler.web.table.room import Room
from sutler.web.table.undo import list_people_to_ask


def is_team_action_of(room: Room, seats: tuple[int, ...], action: Action) -> bool:
    """Is this action the team's to choose, and does a person sit at one of these seats?"""
    sits = any(map(room.chairs.is_person, seats)) and out_of_turn.asks_whole_team(room)
    return sits and out_of_turn.is_team_decision(room.pos, action.block)


def act_or_propose(room: Room, seats: tuple[int, ...], decision: int, action: Action) -> None:
    """Play a team's action if nobody else need see it first, else propose it to the team.

    `decision`: the number of decisions that the page has seen; raises Stale where it is old, Refused where the action is illegal. The
    caller holds the lock and has checked the table.
    """
    if decision != room.decision:
        raise Stale("That was already decided. Here is the table as it stands now.")
    if refusal := room.pos.why_not(action):
        raise Refused(refusal.text, refusal.rule)
    asked = int(room.pos.seat or 0)
    if _is_played_at_once(room, seats, action.name):
        room.play_action(asked, action)
    else:
        seat = asked if asked in seats else seats[0]
        room.commit_events(Proposed(seat=seat, decision=room.decision, action=action.name))


def _is_played_at_once(room: Room, seats: tuple[int, ...], action: str) -> bool:
    """Is the action played when these seats choose it now? Raises Refused where they proposed it before and nobody has seen it."""
    before = room.proposed
    if not list_people_to_ask(room, seats):
        return True
    if before is None or before.action != action:
        return False
    if before.seat not in seats or may_play_own_proposal(room):
        return True
    raise Refused("{names} has not seen it yet.", names=_join_names(room, _list_awaited_present(room)))


def may_play_own_proposal(room: Room) -> bool:
    """May the proposer now play the proposed action without an answer?

    Yes if another person has seen it, or nobody else is at the table.
    """
    made = room.proposed
    return made is not None and (made.seen or not _list_awaited_present(room))


def list_awaited_seats(room: Room) -> list[int]:
    """The seats of the people whose answer a proposal waits for. The caller holds the lock."""
    return [] if room.proposed is None else list_people_to_ask(room, room.list_seats_of_same_link(room.proposed.seat))


def _list_awaited_present(room: Room) -> list[int]:
    """The awaited seats whose people look at the table now."""
    return [seat for seat in list_awaited_seats(room) if seat in subscribers.list_present_seats(room)]


def _join_names(room: Room, seats: list[int]) -> str:
    """The names of these seats as a list in words."""
    return join_with_and([room.seats[seat].name for seat in seats])


def mark_seen(room: Room, seats: tuple[int, ...]) -> None:
    """Record that the people of these seats have seen another's proposal, because their page is about to show it."""
    with room.lock:
        made = room.proposed
        if made is None or made.seen or not seats or made.seat in seats or room.broken is not None:
            return
        with contextlib.suppress(Stale):  # another process was quicker; the next page shows it
            room.commit_events(Noticed(seat=seats[0]))


def build_proposal_panel(room: Room, seats: tuple[int, ...]) -> dict[str, Any] | None:
    """The proposal, for the page of these seats; None where nothing is proposed, and for watchers. The caller holds the lock."""
    made = room.proposed
    if made is None or not seats or (action := room.game.action_names.find_action(made.action)) is None:
        return None
    return {
        "seat": made.seat,
        "mine": made.seat in seats,
        "choice": room.pos.choice(action.id),
        "others": _join_names(room, list_awaited_seats(room)),
        "seen": made.seen,
        "insist": may_play_own_proposal(room),
    }
