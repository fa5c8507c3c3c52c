"""Tables whose game begins later than the printed game: bots play the earlier part."""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING

from sutler.core.files.box import BoxError
from sutler.web.errors import Refused
from sutler.web.events import Created
from sutler.web.game_shelf import Shelf
from sutler.web.sentence_html import get_game_texts
from sutler.web.table.registry import House

if TYPE_CHECKING:
    from sutler.core.files.box import Option
    from sutler.core.play.game import Game

LEVELS = ("normal", "easy")
"""Levels of bots that may play the earlier part: fast ones, whose decisions depend on the seed only."""


def play_earlier_part(shelf: Shelf, created: Created, level: str) -> Created:
    """The plan of a table that begins after bots of this level have played the earlier part; unchanged where `level` is ""."""
    if not level:
        return created
    if level not in LEVELS:
        raise Refused(
            "Bots of the levels {levels} can play what lies before, not {level!r}.",
            levels=", ".join(LEVELS),
            level=level[:40],
        )
    if created.opening:
        raise Refused("A position of your own begins where it stands: no bots can play what lies before it.")
    game = shelf.load_unsaved_game(created.game, created.options, created.edit, created.settings)
    later = _find_start_option(game)
    if game.chosen[later.name] == later.low:
        raise Refused(
            "{option}: nothing lies before {n} that bots could play. Choose a later one.",
            option=get_game_texts(created.game)(later.label),
            n=later.low,
        )
    return _play_with_bots(game, created, level)


def replay_earlier_part(house: House, created: Created) -> Created:
    """The plan of a rematch that begins after bots have played the earlier part again, under the new seed.

    The plan is unchanged where the first table began at the game's beginning.
    """
    if not created.before:
        return created
    game = house.load_game_of_table(created)
    later = _find_start_option(game)
    begun = game.from_bytes(base64.b64decode(created.opening))
    options = {**game.changed_options(), later.name: int(getattr(begun.state, later.until))}
    return _play_with_bots(
        house.shelf.load_unsaved_game(created.game, options, created.edit, created.settings), created, created.before
    )


def _find_start_option(game: Game) -> Option:
    """The game's option that says at which turn, year or season the game begins. Raises Refused where it has none."""
    if game.option_to_begin_later is None:
        raise Refused("{game} begins as it is set up: nothing lies before that bots could play.", game=game.title)
    return game.option_to_begin_later


def _play_with_bots(game: Game, created: Created, level: str) -> Created:
    """The plan of a table that begins where bots of this level have brought the game, playing it from its beginning.

    Raises Refused where they cannot.
    """
    from sutler.bots import bot, choose_checked_action

    require_compiled(game)
    try:
        pos = game.new(len(created.seats), created.seed, before=partial(choose_checked_action, bot(level)))
    except BoxError as error:
        raise Refused("This does not go together: {what}", what=error) from None
    opening = base64.b64encode(pos.opening_state).decode()
    return created.model_copy(update={"opening": opening, "before": level, "options": dict(pos.game.changed_options())})


def require_compiled(game: Game) -> None:
    """Raise Refused while a game's rules run as plain Python: letting bots play its earlier part would take minutes."""
    if game.definition.home.interpreted:
        raise Refused(
            "The rules of {game} are still being made ready on this machine, and bots are slow. Try again in a minute.",
            game=game.title,
        )
