"""A game is played again from its record; where the rules have changed since, those who play say how it goes on."""

from __future__ import annotations

import base64
import logging
from typing import TYPE_CHECKING

from sutler.web.errors import Refused, Stale
from sutler.web.events import Resumed, Undone
from sutler.web.table import bot_turns

if TYPE_CHECKING:
    from sutler.core.game import Game
    from sutler.core.position import Position
    from sutler.web.events import Created
    from sutler.web.table.room import Room

LOG = logging.getLogger("sutler.web")


def beginning(game: Game, created: Created, opening: str = "", seed: int | None = None) -> Position:
    """Where a game begins: its setup, or a state that was laid out or kept. `seed`: the table's own if left out."""
    names = [seat.name for seat in created.seats]
    seed = created.seed if seed is None else seed
    if not opening:
        return game.new(len(created.seats), seed, names=names)
    pos = game.from_bytes(base64.b64decode(opening), names)
    pos.seed = seed
    return pos


def follow(room: Room) -> None:
    """Play the game again to where it stands; where changed rules lead it elsewhere, as far as all agrees."""
    from sutler.core.gamefile import digest_of
    from sutler.core.replay import follow

    room.pos.names = [seat.name for seat in room.seats]
    states = room.house.store.snapshots(room.id)
    marks = {decision: digest_of(state) for decision, state in states.items()}
    room.broken = follow(room.pos, [action for _, action in room.actions], marks, dict(room.again))
    if room.broken is None:
        return
    LOG.warning("table %s, %s", room.id, room.broken)
    del room.actions[room.broken.agreed :]
    while len(room.pos.decisions) > room.broken.agreed:
        room.pos.undo()
    later = [decision for decision in sorted(states, reverse=True) if decision > room.broken.agreed]
    room.kept_state = next(((n, states[n]) for n in later if _is_sound(room.game, states[n])), None)


def _is_sound(game: Game, state: bytes) -> bool:
    try:
        game.from_bytes(state)
    except ValueError:
        return False
    return True


def go_on(room: Room, seats: tuple[int, ...], from_snapshot: bool) -> None:
    """Somebody who sits here says how a game goes on that cannot be played again to where it stood."""
    with room.lock:
        if room.broken is None:
            raise Stale("The game goes on already.")
        if not seats:
            raise Refused("Only those who play can say how it goes on.")
        if not from_snapshot:
            room.commit(Undone(seat=seats[0], to=room.broken.agreed))
        elif room.kept_state is not None:
            decision, state = room.kept_state
            told = base64.b64encode(state).decode()
            room.commit(Resumed(seat=seats[0], decision=decision, state=told))
        else:
            raise Refused("No later state was kept that the rules of today can go on from.")
        room.broken = room.kept_state = None
        room.memory.forget()
        room.tell()
        bot_turns.wake(room)
