"""The first position of a table, and the replay of its actions up to the present one."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sutler.web.events import Created

if TYPE_CHECKING:
    from sutler.core.files.replay import Break
    from sutler.core.play.game import Game
    from sutler.core.play.position import Position


def create_first_position(game: Game, created: Created, opening: str = "", seed: int | None = None) -> Position:
    """The first position of a game: its setup, or a given state. `opening`: that state in base 64; `seed`: the table's own if None."""
    names = [seat.name for seat in created.seats]
    seed = created.seed if seed is None else seed
    if not opening:
        return game.new(len(created.seats), seed, names=names)
    pos = game.from_bytes(base64.b64decode(opening), names)
    pos.seed = seed
    return pos


def replay_actions(
    pos: Position, actions: Sequence[str], states: Mapping[int, bytes], rerolls: Mapping[int, int]
) -> tuple[Break | None, tuple[int, bytes] | None]:
    """Play these actions on a position; if the rules have changed so that the game differs, stop at the last decision on which all agrees.

    `states`: stored states by the number of decisions before them; `rerolls`: {decisions made: number of the undo} where random numbers
    were drawn anew. Return (where the game breaks off, or None; the latest later state from which it could go on, with its number of
    decisions, or None).
    """
    from sutler.core.files.gamefile import compute_digest
    from sutler.core.files.replay import play_actions

    marks = {decision: compute_digest(state) for decision, state in states.items()}
    broken = play_actions(pos, list(actions), marks, dict(rerolls))
    if broken is None:
        return None, None
    while len(pos.decisions) > broken.agreed:
        pos.undo()
    later = [decision for decision in sorted(states, reverse=True) if decision > broken.agreed]
    return broken, next(((n, states[n]) for n in later if _is_readable_state(pos.game, states[n])), None)


def _is_readable_state(game: Game, state: bytes) -> bool:
    """Can this stored state be read under the present rules?"""
    try:
        game.from_bytes(state)
    except ValueError:
        return False
    return True
