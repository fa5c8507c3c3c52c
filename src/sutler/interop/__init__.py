"""The interfaces of other libraries that learners use, one file for each library, each an optional extra. They only translate."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.play.game import Game


def warm(game: Game) -> None:
    """Compile what learners' interfaces call, or load it from the cache."""
    from sutler.interop.session import Session
    from sutler.interop.vector import Vector

    session = Session(game)
    session.reset(1)
    session.step(session.legal()[0])
    session.returns()
    for bots in ("", "random"):
        games = Vector(game, 2, bots=bots, threads=1)
        games.reset(seed=1)
        games.step(games.sample())
        games.decide("greedy")
        games.show()
        games.close()


def warm_own(game: Game) -> None:
    """Compile what learners' interfaces call for each kind of our bots with a template of its own."""
    from sutler.bots import with_own_rules
    from sutler.interop.vector import Vector

    for bot in with_own_rules(game):
        games = Vector(game, 2, seats=game.min_seats, bots=[bot] if game.min_seats > 1 else (), threads=1)
        games.reset(seed=1)
        games.step(games.sample())
        games.decide(bot)
        games.close()
