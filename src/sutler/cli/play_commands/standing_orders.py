"""Standing orders in the terminal (`core.play.standing_orders`): answers that people give in advance, kept until the program ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from sutler.core.play import standing_order_answers, standing_orders
from sutler.core.text.language import _

if TYPE_CHECKING:
    from collections.abc import Collection

    from sutler.core.actions import Action
    from sutler.core.events import Told
    from sutler.core.play.position import Position


class Standing:
    """The standing orders that each seat has given."""

    def __init__(self) -> None:
        self.given: dict[int, list[str]] = {}

    def find_answer(self, pos: Position) -> tuple[str, Action] | None:
        """(words, action) of the standing order that answers the open decision for the seat to act; None if none does."""
        found = standing_order_answers.find_first_answer(pos, self.given.get(int(pos.seat or 0), ()))
        return None if found is None else (pos.game.definition.orders[found[0]].to_words(pos.game.tongue), found[1])

    def drop_ended_orders(self, pos: Position, events: Collection[Told]) -> list[tuple[int, str]]:
        """Drop the standing orders that these events end; returns (seat, order in words) for each."""
        gone = []
        for seat, given in self.given.items():
            for name in standing_order_answers.find_ended_orders(pos, seat, given, events):
                given.remove(name)
                gone.append((seat, pos.game.definition.orders[name].to_words(pos.game.tongue)))
        return gone

    def give_or_withdraw(self, pos: Position, seat: int, number_or_words: str) -> str:
        """Give the order of this number or these words, or withdraw it; returns a sentence about what was done."""
        rows, tongue = pos.game.definition.orders, pos.game.tongue
        names = list(rows)
        wanted = number_or_words.casefold()
        found = (
            names[int(number_or_words) - 1 : int(number_or_words)]
            if number_or_words.isdigit() and int(number_or_words)
            else []
        )
        found = found or [name for name in names if wanted in (name, rows[name].to_words(tongue).casefold())]
        if not found:
            return _("There is no such automatic answer; o lists those of {game}.", game=pos.game.title)
        name, given = found[0], self.given.get(seat, [])
        self.given[seat] = standing_orders.update_order_names(given, name, name not in given)
        if name in given:
            return _("Taken back: {order}.", order=rows[name].to_words(tongue))
        return _("It stands {until}: {order}.", until=tongue(rows[name].ends), order=rows[name].to_words(tongue))

    def list_orders(self, pos: Position, seat: int) -> list[Text]:
        """A line for each order that the game has; those that the seat has given are marked."""
        given = self.given.get(seat, ())
        rows = pos.game.definition.orders.items()
        return [
            Text(f"{number:>3}  ", "bold")
            .append(
                (_("stands") + ": " if name in given else "") + row.to_words(pos.game.tongue),
                "green" if name in given else "",
            )
            .append(f"  {pos.game.tongue(row.ends)}  {row.rule}", "dim")
            for number, (name, row) in enumerate(rows, 1)
        ]
