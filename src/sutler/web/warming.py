"""The very first start: rules run as plain Python while another process compiles them, so that nobody waits to play.

`python -m sutler.web.warming manor` compiles one game, by playing it with every kind of bot, and says so in the cache.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from typing import Any

from sutler.web.games import bot_of

LOG = logging.getLogger("sutler.web")
ENOUGH = 120
"""Decisions after which everything that is called has been called."""


def compile_by_playing(game: Any, bots: bool = True) -> None:
    """Call whatever a table calls, compiled; what is in the cache already is only fetched."""
    pos = game.new(seats=game.min_seats, seed=1)
    players = [bot_of("easy"), bot_of("normal")] if bots else []
    for i in range(ENOUGH):
        if pos.over:
            break
        seat = pos.seat
        pos.view(seat), pos.choices(seat), pos.prompt(seat), pos.log(seat, since=i), pos.can_undo(seat), pos.why_not_at("space:0")
        sees = pos.for_seat(seat)
        pos.play(players[i % 2].choose(sees) if players else pos.actions()[i % len(pos.actions())])
    pos.scores(), pos.result(), pos.at(0)
    if bots and not pos.over:
        bot_of("hard").choose(pos.for_seat(pos.seat))


def fetch(game: Any) -> None:
    """Make a game ready in this process: at once when it was compiled before, else in plain Python until that is done."""
    home = game.definition.home
    if home.interpreted:  # asked for by the environment
        return
    if home.is_warm:
        compile_by_playing(game, bots=False)
        return
    home.interpreted = True
    threading.Thread(target=_compile_elsewhere, args=(game,), daemon=True, name=f"compile {game.name}").start()


def _compile_elsewhere(game: Any) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sutler.web.warming", game.name], capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        game.definition.home.interpreted = False
        compile_by_playing(game, bots=False)
    else:
        LOG.warning("%s could not be compiled; it is played in plain Python: %s", game.name, done.stderr.strip()[-400:])


def main(name: str) -> None:
    """Compile one game and leave it in the cache."""
    import sutler

    game = sutler.load(name)
    compile_by_playing(game)
    game.definition.home.mark_warm()


if __name__ == "__main__":
    main(sys.argv[1])
