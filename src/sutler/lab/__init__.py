"""The lab: play many games (`simulate`), ask questions of them (`measures`), and measure the machine (`bench`)."""

from __future__ import annotations

from sutler.core.game import Game


def warm(game: Game) -> None:
    """Compile, or load from the cache, what simulations of a game call."""
    from sutler.lab.simulate import simulate

    simulate(game, ["random"], games=1, threads=1)
