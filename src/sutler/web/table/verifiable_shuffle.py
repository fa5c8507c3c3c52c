"""The shared seed: a shuffle that anyone can check, mixed from a committed seed and the players' own random numbers.

Each player's browser gives a number when it first comes to the table, before it has seen a card; as long as nobody has moved, all cards
are dealt again with the number mixed in. A table that gets no numbers begins all the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from sutler.core.chance import derive_seed_after_undo
from sutler.core.play.sealed_luck import build_sealed_text, hash_numbers
from sutler.web.errors import Refused
from sutler.web.events import Event, Joined, Mixed
from sutler.web.table.room import Room

WAIT = 3.0
"""Seconds that a bot waits with the first move of a game for numbers from the players' browsers."""


@dataclass(frozen=True)
class Shuffle:
    """The facts about a table's shuffle that its page shows.

    The seal (commitment) from the start; seed, nonce and numbers after the game. `bond`: a digest of the seal and all numbers given so
    far.
    """

    seal: str
    bond: str
    wanted: bool
    """Is this browser asked for a number?"""
    may_change: bool
    """May the cards still be dealt again?"""
    opened: bool = False
    text: str = ""
    """The text of which the seal is a digest, with seed and nonce."""
    seed: str = ""
    nonce: str = ""
    numbers: tuple[tuple[str, str], ...] = ()
    """The players' names and numbers."""
    luck: str = ""
    """The seed with which the cards were dealt: seed and numbers mixed."""
    again: tuple[tuple[int, int, str], ...] = ()
    """New random numbers after an undo, each: (decisions made, number of the undo, the seed from then on)."""


def compute_bond(room: Room) -> str:
    """A digest of the committed seed's seal and of all numbers that players have given so far, in order."""
    return hash_numbers(room.created.seal, [one.number for one in room.numbers])


def may_change_deal(room: Room) -> bool:
    """Can players' numbers still change the deal: is the seed sealed, and has nobody moved yet?"""
    made = room.created
    fixed = made.opening or made.lesson or not made.seal or not room.services.asks_for_numbers
    return not fixed and not room.begun and room.is_running


def is_number_wanted(room: Room, seats: tuple[int, ...]) -> bool:
    """Is a number from the players at these seats still missing?"""
    return bool(seats) and may_change_deal(room) and all(one.seat not in seats for one in room.numbers)


def compute_bot_delay(room: Room, event: Event | None = None) -> float:
    """Seconds that a bot waits with its decision; at the beginning of a game longer, for the numbers of players who have come.

    `event`: an event about to be committed, which counts already.
    """
    people = {i for i, plan in enumerate(room.seats) if plan.kind in ("me", "link") and room.persons_have_come[i]}
    if isinstance(event, Joined):
        people.add(event.seat)
    if isinstance(event, Mixed):
        people.difference_update(room.list_seats_of_same_link(event.seat))
    if any(is_number_wanted(room, room.list_seats_of_same_link(seat)) for seat in people):
        return max(WAIT, room.services.bot_pause)
    return room.services.bot_pause


def mix_in_number(room: Room, seats: tuple[int, ...], number: str, seen: str) -> bool:
    """Mix a player's number into the seed and deal again; return whether that was done.

    `seen`: the `bond` that the player's browser saw; if another number was given since, nothing is done. Raises Refused where no number is
    wanted.
    """
    with room.lock:
        if not is_number_wanted(room, seats):
            raise Refused("The cards are dealt: nothing more is mixed into the shuffle.")
        if seen != compute_bond(room):
            return False
        room.commit_events(Mixed(seat=seats[0], number=number))
        return True


def build_shuffle_panel(room: Room, seats: tuple[int, ...]) -> Shuffle | None:
    """The shuffle as the page of these seats shows it; None where nothing was sealed. The caller holds the lock."""
    made = room.created
    if not made.seal:
        return None
    shuffle = Shuffle(made.seal, compute_bond(room), is_number_wanted(room, seats), may_change_deal(room))
    if room.is_running:
        return shuffle
    luck = room.seed
    return Shuffle(
        made.seal,
        shuffle.bond,
        wanted=False,
        may_change=False,
        opened=True,
        text=build_sealed_text(room.game, len(made.seats), made.seed, made.nonce),
        seed=str(made.seed),
        nonce=made.nonce,
        numbers=tuple((room.seats[one.seat].name, one.number) for one in room.numbers),
        luck=str(luck),
        again=tuple((decision, number, str(derive_seed_after_undo(luck, number))) for decision, number in room.rerolls),
    )
