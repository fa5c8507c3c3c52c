"""Moves: the one entrance for actions that people choose on a page.

The table is checked and the action looked up here, once. Then the action goes to whatever handles it: the lesson, the puzzle, the team
that must see a proposal first, or just the rules.
"""

from __future__ import annotations

from sutler.core.actions import Action
from sutler.web.errors import Refused, Stale
from sutler.web.table import clocks, out_of_turn, proposals
from sutler.web.table.room import Room
from sutler.web.table.teaching import lessons, puzzles


def play_action(room: Room, seats: tuple[int, ...], decision: int, action_name: str, times: int = 1) -> None:
    """Play the action of this name for one of these seats, several `times` in a row where that is possible.

    `decision`: the number of decisions that their page has seen. Raises Refused, with the rule's paragraph, where the action is illegal or
    not theirs; raises Stale where somebody has decided meanwhile.
    """
    with room.lock:
        room.require_sound()
        action = room.game.action_names.find_action(action_name)
        times = min(times, _count_possible_times(room, seats, action)) if times > 1 else 1
        if puzzles.is_puzzle(room.created.lesson):
            puzzles.play_puzzle_action(room, seats, decision, action_name, times)
            return
        if room.created.lesson:
            lessons.play_lesson_action(room, seats, decision, action_name, times)
            return
        clocks.enforce_time_limit(room)
        if action is not None and proposals.is_team_action_of(room, seats, action):
            proposals.act_or_propose(room, seats, decision, action)
        else:
            _play_once(room, seats, decision, action or action_name)
            for _again in range(times - 1):
                _play_once(room, seats, room.decision, action_name)


def _count_possible_times(room: Room, seats: tuple[int, ...], action: Action | None) -> int:
    """How many times in a row one of these seats can take this action now; 1 where it cannot, or there is no such action."""
    if action is None or room.pos.seat not in seats or action.id not in room.pos.legal_ids():
        return 1
    return room.pos.times_in_a_row(action.id)


def _play_once(room: Room, seats: tuple[int, ...], decision: int, action: Action | str) -> None:
    """Play an action for one of these seats.

    `action`: its name where the game has no such action, so that the rules refuse it in words.
    """
    if room.pos.over:
        raise Stale("The game is over; nothing more can be done.")
    if room.chairs.waiting:
        raise Refused("The game begins when everybody sits. You can also begin it now.")
    if seats and all(seat in room.chairs.stood_in for seat in seats):
        raise Refused("A bot plays for you. Take your seat back first.")
    if decision != room.decision and not out_of_turn.have_only_others_decided(room, decision, seats):
        raise Stale("That was already decided. Here is the table as it stands now.")
    seat = room.pos.seat
    if seat is None or seat not in seats:
        seat = _take_over_turn(room, seats, action)
    room.play_action(seat, action)


def _take_over_turn(room: Room, seats: tuple[int, ...], action: Action | str) -> int:
    """Let one of these seats decide out of turn, where the game allows it before this action; return the seat.

    Raises Refused where it cannot.
    """
    entry, after = out_of_turn.find_step_in_action(room.pos, seats) or (None, None)
    if entry is None or after is None or after.seat is None:
        raise Refused("It is {name}’s turn to decide, not yours.", name=room.seats[room.pos.seat or 0].name)
    if refusal := after.why_not(action):
        raise Refused(refusal.text, refusal.rule)
    room.play_action(after.seat, entry)
    return after.seat
