"""Tables whose rules have changed since they began, by an update of the server or by a saved file of a card game.

A game that cannot be replayed under new rules goes on as a player decides. A table whose file was saved goes on unchanged, and a new
one uses the saved version.
"""

from __future__ import annotations

import base64
from pathlib import Path

from sutler.web.errors import Refused, RequestError, Stale
from sutler.web.events import Created, Event, Resumed, Undone
from sutler.web.table.room import Room

CARD_FILE = "cards.toml"
"""The designer's file in a card game's folder (`sutler.cardkit.game_folder_source`)."""


def is_card_game(folder: Path) -> bool:
    """Was the game in this folder made from a card game's file?"""
    return (folder / CARD_FILE).exists()


def was_saved_since_start(room: Room) -> bool:
    """Has the file of this table's game been saved, with other rules or cards, since the table began?"""
    made, shelf = room.created, room.services.shelf
    if not is_card_game(room.game.definition.home.folder):
        return False
    try:
        today = shelf.load_game(made.game, made.options, made.edit, made.settings)
    except RequestError:  # an option that the table uses was removed
        return True
    return (made.rules, made.box) != (today.definition.home.rules_fingerprint, today.box_fingerprint)


def use_saved_file(created: Created) -> Created:
    """The plan of a table that uses a card game's file as it is saved now, instead of the box that the earlier table began with."""
    return created.model_copy(update={"box": "", "box_hash": "", "rules": ""})


def continue_game(room: Room, seats: tuple[int, ...], from_snapshot: bool) -> None:
    """Go on with a game that cannot be replayed to its end under the changed rules.

    `seats`: those of the player who decides; `from_snapshot`: go on from a stored state, else from the last decision on which the replay
    agrees. Raises Stale where the game is not broken, Refused where there is no stored state.
    """
    with room.lock:
        if room.broken is None:
            raise Stale("The game goes on already.")
        if not seats:
            raise Refused("Only those who play can say how it goes on.")
        event: Event
        if not from_snapshot:
            event = Undone(seat=seats[0], to=room.broken.agreed, rules_changed=True)
        elif room.kept_state is not None:
            decision, state = room.kept_state
            event = Resumed(seat=seats[0], decision=decision, state=base64.b64encode(state).decode())
        else:
            raise Refused("No later state was kept that the rules of today can go on from.")
        # if the event cannot be stored, the room is read again, and both are set anew
        room.broken = room.kept_state = None
        room.cache.clear()
        room.commit_events(event)
