"""Template: what may be done in a position that a bot only looks at (see `core.template`).

Bots look at many positions for each decision, and of most ask only whether there is a choice at all. A game may say where two
actions are seen at once (`two_of`); the engine made with this `legal` then stops there. Everywhere else all are reckoned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.core.protocol import legal

    def two_of(box: Any, state: Any, out: Any) -> bool:
        """Not asked of a game: where nothing has been begun and two legal actions are seen at once, put them into `out`; else False."""


@rule
def allow_two_or_all(box: Any, state: Any, out: Any) -> None:
    """Put two actions into `out` where the game finds two at once, every legal one elsewhere."""
    if not two_of(box, state, out):
        legal(box, state, out)
