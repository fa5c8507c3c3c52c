"""Card locations: which fields of the state hold cards, which of these belong to a seat, and which cards each seat drew.

The fields are found in the declaration of the state (`set_of("card", "hand", …)`), so a game that keeps its cards in sets needs no
further code. Where equal copies are only counted, the hand is the field called `hand` (`field("hand", "i1", CARDS, by="card")`), and
piles are counted likewise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from sutler.core.definition import Definition
from sutler.core.record import Field, Record

Bits = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Place:
    """A field of the state that can hold cards: the path, the declaration, and whether the first index counts seats."""

    path: tuple[str, ...]
    field: Field
    by_seat: bool

    @property
    def name(self) -> str:
        """The path joined with dots, such as `seats.hand`."""
        return ".".join(self.path)

    def get_values(self, states: Any) -> Any:
        """A view of this field's values in a state, or in an array of states."""
        for step in self.path:
            states = states[step]
        return states


@dataclass(frozen=True)
class Draw:
    """A card that a seat took from a shared pile."""

    at: int  # index of the first kept state in which the seat has it
    thing: int  # number of the card
    seat: int
    source: Place  # the shared pile it came from


class CardSets:
    """The fields of a game's state that hold one kind of card as sets, where each card exists once.

    `hand`: the name of the field that is the hand; None takes the one called `hand`, or the first set of a seat. ValueError where no
    seat has a set of things.
    """

    def __init__(self, definition: Definition, hand: str | None = None) -> None:
        everything = list_state_fields(definition)
        held = [one for one in everything if one.by_seat and one.field.is_set]
        if not held:
            raise ValueError(
                f"{definition.info.title} keeps no set of things at the seats; there is no card to ask about"
            )
        self.hand = _choose_hand_field(held, hand)
        self.kind = str(self.hand.field.of)
        self.sets = [one for one in everything if one.field.is_set and one.field.of == self.kind]
        self.held = [one for one in self.sets if one.by_seat]
        self.shared = [one for one in self.sets if not one.by_seat and not one.field.shape[:-1]]
        self.numbers = [one for one in everything if not one.field.is_set and one.field.of == self.kind]
        self.indexed = [
            one for one in everything if one.field.by == self.kind and not isinstance(one.field.type, Record)
        ]

    def find_draws(self, states: Any, n_seats: int) -> list[Draw]:
        """The cards that went from a shared pile into a seat's hand between two successive states.

        `states`: an array in order of play.
        """
        if len(states) < 2:
            return []
        hands = unpack_bit_sets(self.hand.get_values(states))[:, :n_seats]
        anywhere = np.any([unpack_bit_sets(one.get_values(states)).any(axis=1) for one in self.held], axis=0)
        came = hands[1:] & ~hands[:-1] & ~anywhere[:-1, None, :]
        lay = [unpack_bit_sets(one.get_values(states)) for one in self.shared]
        found = []
        for t, seat, thing in zip(*np.nonzero(came), strict=True):
            source = next((p for p, where in zip(self.shared, lay, strict=True) if where[t, thing]), None)
            if source is not None:
                found.append(Draw(int(t) + 1, int(thing), int(seat), source))
        return found

    def has_deck(self, state: Any) -> bool:
        """Does a shared pile hold any card in this state?"""
        return any(unpack_bit_sets(one.get_values(state)).any() for one in self.shared)

    def list_source_cards(self, state: Any, draw: Draw) -> list[int]:
        """The numbers of the cards that lie, in this state, in the pile from which a card was drawn."""
        return [int(i) for i in np.flatnonzero(unpack_bit_sets(draw.source.get_values(state)))]

    def replace_drawn_card(self, states: Any, draw: Draw, card: int) -> None:
        """Change these states in place as if the seat had drawn the card `card` instead."""
        self.swap_cards(states, draw.thing, card)

    def make_blank(self, states: Any, seat: int, thing: int, blank: int) -> bool:
        """Is card `thing` the blank card? The states stay as they are then, since the box itself was changed."""
        return thing == blank

    def swap_cards(self, states: Any, one: int, other: int) -> None:
        """Swap the cards `one` and `other` in each of these states, in place and in every field that names them."""
        for place in self.sets:
            words = place.get_values(states)
            differ = (
                words[..., one >> 6] >> np.uint64(one & 63) ^ words[..., other >> 6] >> np.uint64(other & 63)
            ) & np.uint64(1)
            words[..., one >> 6] ^= differ << np.uint64(one & 63)
            words[..., other >> 6] ^= differ << np.uint64(other & 63)
        for place in self.numbers:
            values = place.get_values(states)
            was_one, was_other = values == one, values == other
            values[was_one], values[was_other] = other, one
        for place in self.indexed:
            values = place.get_values(states)
            values = np.moveaxis(values, values.ndim - len(place.field.shape), -1)
            values[..., [one, other]] = values[..., [other, one]]

    def undo_draw(self, states: Any, draw: Draw) -> None:
        """Undo the draw in each of these states, in place: the card returns to its pile, and the seat has one card less."""
        bit = np.uint64(1) << np.uint64(draw.thing & 63)
        self.hand.get_values(states)[..., draw.seat, draw.thing >> 6] &= ~bit
        draw.source.get_values(states)[..., draw.thing >> 6] |= bit


class CardCounts:
    """The fields of a game's state that hold one kind of card as counts of copies, for each seat and each pile.

    `hand`: the name of the field that is the hand; None takes the one called `hand`.
    """

    def __init__(self, definition: Definition, hand: str | None = None) -> None:
        everything = [one for one in list_state_fields(definition) if _field_counts_copies(one.field)]
        self.hand = _choose_hand_field(
            [one for one in everything if one.by_seat and one.path[-1] in ("hand", hand)], hand
        )
        self.kind = str(self.hand.field.by)
        self.shared = [
            one for one in everything if not one.by_seat and one.field.by == self.kind and len(one.path) == 1
        ]

    def find_draws(self, states: Any, n_seats: int) -> list[Draw]:
        """The cards of which a seat has more copies, and a shared pile fewer, in one state than in the state before.

        `states`: an array in order of play.
        """
        if len(states) < 2:
            return []
        hands = self.hand.get_values(states)[:, :n_seats].astype(np.int64)
        fell = [np.diff(one.get_values(states).astype(np.int64), axis=0) < 0 for one in self.shared]
        found = []
        for t, seat, thing in zip(*np.nonzero(np.diff(hands, axis=0) > 0), strict=True):
            source = next((p for p, less in zip(self.shared, fell, strict=True) if less[t, thing]), None)
            if source is not None:
                found.append(Draw(int(t) + 1, int(thing), int(seat), source))
        return found

    def has_deck(self, state: Any) -> bool:
        """Does a shared pile hold any card in this state?"""
        return any(one.get_values(state).any() for one in self.shared)

    def list_source_cards(self, state: Any, draw: Draw) -> list[int]:
        """The numbers of the cards in the pile from which a card was drawn, each repeated for each of its copies."""
        return [int(i) for i, n in enumerate(draw.source.get_values(state)) for _ in range(int(n))]

    def replace_drawn_card(self, states: Any, draw: Draw, card: int) -> None:
        """Change these states in place as if the seat had drawn a copy of the card `card` instead."""
        self.undo_draw(states, draw)
        self.hand.get_values(states)[..., draw.seat, card] += 1
        draw.source.get_values(states)[..., card] -= 1

    def undo_draw(self, states: Any, draw: Draw) -> None:
        """Undo the draw in each of these states, in place: the copy returns to its pile, and the seat has one card less."""
        self.hand.get_values(states)[..., draw.seat, draw.thing] -= 1
        draw.source.get_values(states)[..., draw.thing] += 1

    def make_blank(self, states: Any, seat: int, thing: int, blank: int) -> bool:
        """Replace one copy of card `thing` in the seat's hand by card `blank`, in place, in all these states; return whether it was done.

        Nothing is changed, and False returned, where the hand lacks the card in any of the states.
        """
        held = self.hand.get_values(states)
        if thing != blank and (held[..., seat, thing] < 1).any():
            return False
        held[..., seat, thing] -= 1
        held[..., seat, blank] += 1
        return True


Places: TypeAlias = CardSets | CardCounts


def find_card_fields(definition: Definition, hand: str | None = None) -> Places:
    """The fields in which the game keeps its cards: CardCounts where hands count copies, else CardSets.

    ValueError where the game keeps no cards at seats.
    """
    counted = any(
        one.by_seat and one.path[-1] == "hand" and _field_counts_copies(one.field)
        for one in list_state_fields(definition)
    )
    return (CardCounts if counted else CardSets)(definition, hand)


def list_state_fields(definition: Definition) -> list[Place]:
    """Every field of a game's state, also those within records; records that only group other fields are left out."""
    return list(_iter_fields(definition.state, definition.info.seats[1]))


def _field_counts_copies(field: Field) -> bool:
    """Does the field count copies of a kind of card?"""
    return (
        not field.is_set and field.of is None and field.by not in (None, "seat") and not isinstance(field.type, Record)
    )


def _choose_hand_field(card_fields: list[Place], name: str | None) -> Place:
    """The field that is the hand: the one named `name`; without a name, the one called "hand", else the first."""
    named = [one for one in card_fields if name in (None, one.name, one.path[-1])]
    if not named:
        raise ValueError(f"--hand {name}: there are {', '.join(one.name for one in card_fields)}")
    return next((one for one in named if one.path[-1] == "hand"), named[0])


def unpack_bit_sets(bit_sets: Any) -> Bits:
    """The bit sets as an array of booleans, true for each member; its last axis counts the cards."""
    raw = np.ascontiguousarray(bit_sets).view(np.uint8)
    return np.unpackbits(raw, axis=-1, bitorder="little").astype(np.bool_)


def _iter_fields(record: Record, seats: int, path: tuple[str, ...] = (), by_seat: bool = False) -> Iterator[Place]:
    """Yield every field of a record and of the records in it. `seats`: the size of an index that counts seats."""
    for one in record.fields:
        outer = one.shape[:-1] if one.is_set else one.shape
        mine = by_seat or (not path and outer[:1] == (seats,))
        if isinstance(one.type, Record):
            yield from _iter_fields(one.type, seats, (*path, one.name), mine)
        else:
            yield Place((*path, one.name), one, mine)
