"""Template: `imagine` for a bot that sees what is hidden (see `core.template`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.chance import reseed
from sutler.core.copying import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.core.protocol import redeal


@rule
def look(box: Any, world: Any, source: Any, seat: Any, luck: Any) -> Any:
    """Make `world` the truth of `source`, with all that is hidden in it; only chance to come is drawn again.

    A redeal is made and thrown away: the bot's luck is spent like that of a bot that cannot see, and both play alike until what is
    hidden makes a difference.
    """
    copy_into(world, source)
    redeal(box, world, seat, luck)
    copy_into(world, source)
    reseed(world, luck)
