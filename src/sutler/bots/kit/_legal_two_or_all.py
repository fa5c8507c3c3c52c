"""Template of `legal` for positions that a bot only looks at (see `core.per_game_modules`).

Bots look at many positions for each decision, and for most of them it only matters whether there is a choice at all. A game's rule
`two_of` may name two legal actions quickly; then the others are not computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.core.protocol import legal

    def two_of(box: Any, state: Any, out: Any) -> bool:
        """Put two legal actions into `out` and return True, or return False where they are not found quickly. A game need not have it."""


@rule
def allow_two_or_all(box: Any, state: Any, out: Any) -> None:
    """Put legal actions into `out`: two of them where `two_of` finds them, else all."""
    if not two_of(box, state, out):
        legal(box, state, out)
