"""Template of `imagine` for a bot that sees hidden cards (see `core.per_game_modules`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.chance import reseed
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.core.protocol import redeal


@rule
def copy_true_state(box: Any, world: Any, true_state: Any, seat: Any, luck: Any) -> Any:
    """Make `world` a copy of the state `true_state`, hidden cards included; only future chance gets a new seed.

    A redeal is made and thrown away, so that this bot uses as many random numbers as one that cannot see, and both play alike until
    hidden cards make a difference.
    """
    copy_into(world, true_state)
    redeal(box, world, seat, luck)
    copy_into(world, true_state)
    reseed(world, luck)
