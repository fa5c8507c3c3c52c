"""The shared seed: a shuffle that anyone can check, mixed from a sealed seed and the players' own numbers.

Each player's browser gives a number when it first comes to the table, before it has seen a card; as long as nobody has
moved all is dealt anew with it. A table that never gets one begins all the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from sutler.core.chance import undo_seed
from sutler.core.play.seal import hash_of_numbers, sealed_text
from sutler.web.errors import Refused
from sutler.web.events import Event, Joined, Mixed
from sutler.web.table.room import Room

WAIT = 3.0
"""Seconds that a bot waits with the first move of a game for the numbers of those who play."""


@dataclass(frozen=True)
class Shuffle:
    """The facts of a table's shuffle that a page shows: the seal from the start; seed, nonce and all else when the game is over."""

    seal: str
    bond: str
    wanted: bool
    """Is this browser asked for a number?"""
    may_change: bool
    """May the cards still be dealt again?"""
    opened: bool = False
    text: str = ""
    """The text that the seal is a digest of; seed and nonce are in it."""
    seed: str = ""
    nonce: str = ""
    numbers: tuple[tuple[str, str], ...] = ()
    """The players' names and numbers."""
    luck: str = ""
    """The seed of the deal."""
    again: tuple[tuple[int, int, str], ...] = ()
    """Redraws of luck after an undo, each: decisions made, the number of the redraw, the seed from then on."""


def bond(room: Room) -> str:
    """A digest of the seal and all numbers given so far, in their order."""
    return hash_of_numbers(room.created.seal, [one.number for one in room.numbers])


def may_change(room: Room) -> bool:
    """May numbers still change the deal: is it sealed, and has nobody moved yet?"""
    made = room.created
    fixed = made.opening or made.lesson or not made.seal or not room.services.asks_for_numbers
    return not fixed and not room.begun and room.running


def is_number_wanted(room: Room, seats: tuple[int, ...]) -> bool:
    """Is a number still to come from the players at these seats?"""
    return bool(seats) and may_change(room) and all(one.seat not in seats for one in room.numbers)


def bot_delay(room: Room, event: Event | None = None) -> float:
    """Seconds a bot waits with its decision; at the beginning longer, for the numbers of those who have come.

    `event`: it is about to take effect.
    """
    people = {i for i, plan in enumerate(room.seats) if plan.kind in ("me", "link") and room.taken[i]}
    if isinstance(event, Joined):
        people.add(event.seat)
    if isinstance(event, Mixed):
        people.difference_update(room.group(event.seat))
    if any(is_number_wanted(room, room.group(seat)) for seat in people):
        return max(WAIT, room.services.bot_pause)
    return room.services.bot_pause


def mix_in_number(room: Room, seats: tuple[int, ...], number: str, seen: str) -> bool:
    """Mix a number into the seed and deal again. False where somebody else gave one since the giver looked."""
    with room.lock:
        if not is_number_wanted(room, seats):
            raise Refused("The cards are dealt: nothing more is mixed into the shuffle.")
        if seen != bond(room):
            return False
        room.commit(Mixed(seat=seats[0], number=number))
        return True


def shuffle_shown(room: Room, seats: tuple[int, ...]) -> Shuffle | None:
    """The shuffle as these seats' page shows it; None where nothing was sealed. The caller holds the lock."""
    made = room.created
    if not made.seal:
        return None
    shuffle = Shuffle(made.seal, bond(room), is_number_wanted(room, seats), may_change(room))
    if room.running:
        return shuffle
    luck = room.seed
    return Shuffle(
        made.seal,
        shuffle.bond,
        wanted=False,
        may_change=False,
        opened=True,
        text=sealed_text(room.game, len(made.seats), made.seed, made.nonce),
        seed=str(made.seed),
        nonce=made.nonce,
        numbers=tuple((room.seats[one.seat].name, one.number) for one in room.numbers),
        luck=str(luck),
        again=tuple((decision, number, str(undo_seed(luck, number))) for decision, number in room.rerolls),
    )
