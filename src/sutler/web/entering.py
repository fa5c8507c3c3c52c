"""Acting out of turn: in some games several people act as they talk, and whoever likes takes the word.

Such a game has a block `step_in`: an action that gives the word to another seat and changes nothing else. A seat to which it
could be given sees its own choices at any time; when it takes one, it steps in and acts, as two decisions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.position import Position
    from sutler.core.speech import Choice
    from sutler.web.rooms import Room

STEP_IN = "step_in"


def has_no_turns(pos: Position) -> bool:
    """May the word be taken at all just now?"""
    return not pos.over and any(action.block == STEP_IN for action in pos.actions())


def way_in(pos: Position, seats: tuple[int, ...]) -> tuple[Action, Position] | None:
    """The action that gives the word to one of these seats, and the position after it; None when there is none."""
    if STEP_IN not in pos.game.definition.actions.blocks or pos.seat in seats or pos.over:
        return None
    for action in pos.actions():
        if action.block == STEP_IN:
            after = pos.copy()
            after.play(action)
            if after.seat in seats:
                return action, after
    return None


def choices_of(after: Position, seat: int) -> list[Choice]:
    """What the seat could do once it has stepped in, but for giving the word away again."""
    return [choice for choice in after.choices(seat) if after.game.action_names[choice.id].block != STEP_IN]


def only_others_since(room: Room, decision: int, seats: tuple[int, ...]) -> bool:
    """Has nobody but others decided since, in a step without turns? Then an answer given meanwhile still stands."""
    since = room.actions[decision:]
    return bool(since) and has_no_turns(room.pos) and all(seat not in seats for seat, _ in since)
