"""Games offered through the interfaces of learning libraries: a file for each library, which is an optional extra. No rules here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.play.game import Game


def warm(game: Game) -> None:
    """Compile the machine code that the interfaces in this folder call for a game, or load it from the cache."""
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
    """Compile what the interfaces call for each built-in bot that has compiled code of its own (a template)."""
    from sutler.bots import list_bots_with_own_rules
    from sutler.interop.vector import Vector

    for bot in list_bots_with_own_rules(game):
        games = Vector(game, 2, seats=game.min_seats, bots=[bot] if game.min_seats > 1 else (), threads=1)
        games.reset(seed=1)
        games.step(games.sample())
        games.decide(bot)
        games.close()
