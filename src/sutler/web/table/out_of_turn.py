"""Acting out of turn: in some games several players decide together, and any of them may act next.

Such a game has a block `step_in`: an action that passes the turn to another seat and changes nothing else. A seat to which the turn could
be passed sees its own choices at any time; when it takes one, it steps in and acts, as two decisions.

A bot among people is a partner: it acts when somebody passes it the turn, or when all people are done. It does not end the step by
itself, but passes the turn back once more.

A team's decision (`Block.team`) is offered to everybody who sits at the table; `proposals` has it shown to the others before it is
played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.web.table.room import Room

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.position import Position
    from sutler.core.text.sentences import Choice

STEP_IN = "step_in"


def has_no_turns(pos: Position) -> bool:
    """May several players act in this position, without taking turns?"""
    return not pos.over and any(action.block == STEP_IN for action in pos.actions())


def find_step_in_action(pos: Position, seats: tuple[int, ...]) -> tuple[Action, Position] | None:
    """(the action that passes the turn to one of these seats, the position after it); None where no such action is legal."""
    if STEP_IN not in pos.game.definition.actions.blocks or pos.seat in seats or pos.over:
        return None
    for action in pos.actions():
        if action.block == STEP_IN:
            after = pos.copy()
            after.play(action)
            if after.seat in seats:
                return action, after
    return None


def list_choices_after_step_in(after: Position, seat: int) -> list[Choice]:
    """The choices of a seat that has stepped in (position `after`), without those that pass the turn on again."""
    return [choice for choice in after.choices(seat) if after.game.action_names[choice.id].block != STEP_IN]


def is_team_decision(pos: Position, block: str) -> bool:
    """Are the actions of this block a decision of the whole team now?"""
    d = pos.game.definition
    return not pos.over and list(d.phases.phases)[int(pos.state.phase)] in d.actions.team_phases(block)


def asks_whole_team(room: Room) -> bool:
    """Is the present decision a team's, so that any person at the table may answer it?"""
    seat = room.pos.seat
    if room.chairs.waiting or not room.chairs.is_person(seat):
        return False
    return any(is_team_decision(room.pos, action.block) for action in room.pos.actions())


def have_only_others_decided(room: Room, decision: int, seats: tuple[int, ...]) -> bool:
    """Have only other seats decided since decision number `decision`, in a step without turns?

    If so, an answer to that decision is still valid.
    """
    since = room.actions[decision:]
    return bool(since) and has_no_turns(room.pos) and all(seat not in seats for seat, _ in since)


def find_yielding_action(room: Room, seat: int, action: str) -> str | None:
    """The action by which a bot passes the turn to people instead of taking the action it chose; None if it may take that one."""
    if STEP_IN not in room.pos.game.definition.actions.blocks:
        return None
    people = tuple(filter(room.chairs.is_person, range(len(room.seats))))
    if not people or not has_no_turns(room.pos) or (found := find_step_in_action(room.pos, people)) is None:
        return None
    mine = [action for action in room.pos.actions() if _declares_done(room.pos, action.name)]
    if mine and _passes_turn_to(room.pos, mine[0].name, people):  # some person is not done yet
        return None if _was_last_action_to_pass_turn(room, people) else found[0].name
    return (
        found[0].name
        if _declares_done(room.pos, action) and not _was_passed_turn_declined(room, seat, people)
        else None
    )


def _declares_done(pos: Position, action: str) -> bool:
    """Does this action declare that the seat is done?"""
    blocks = pos.game.definition.actions.blocks
    return any(one.name == action and blocks[one.block].tone == "commit" for one in pos.actions())


def _passes_turn_to(pos: Position, action: str, people: tuple[int, ...]) -> bool:
    """Does one of these seats act next after this action, without a random number being drawn, so that the step goes on?"""
    after = pos.copy()
    after.play(action)
    return after.seat in people and after.state["rng"].tobytes() == pos.state["rng"].tobytes()


def _was_last_action_to_pass_turn(room: Room, people: tuple[int, ...]) -> bool:
    """Was it an action of passing the turn that these seats took last?"""
    last = next((action for seat, action in reversed(room.actions) if seat in people), "")
    return _find_block(room, last) == STEP_IN


def _was_passed_turn_declined(room: Room, seat: int, people: tuple[int, ...]) -> bool:
    """Did this seat just pass the turn to one of these people, who then declared to be done?"""
    if len(room.actions) < 2:
        return False
    (giver, gave), (taker, took) = room.actions[-2:]
    blocks = room.pos.game.definition.actions.blocks
    had_no_wish = taker in people and blocks[_find_block(room, took)].tone == "commit"
    return giver == seat and _find_block(room, gave) == STEP_IN and had_no_wish


def _find_block(room: Room, action: str) -> str:
    """The block of an action by the action's name; "" for no action."""
    found = room.pos.game.action_names.find_action(action)
    return found.block if found else ""
