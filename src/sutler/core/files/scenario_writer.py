"""Writes the scenario file of a position: every field that such a file may have, by name."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sutler.core.actions import Names
from sutler.core.bits import members
from sutler.core.files.scenario import FIELDS_NOT_FROM_FILES, Scenario, add_seat_names
from sutler.core.files.toml import to_toml_key, to_toml_value
from sutler.core.play.position import Position
from sutler.core.record import NOBODY, Field, Record


def build_scenario(pos: Position) -> Scenario:
    """The scenario from which this position can be set up again. Future dice are not part of it: they follow from the seed."""
    names = {kind: [str(one) for one in listed] for kind, listed in pos.game.names.items()}
    writer = _Writer(add_seat_names(names, pos.n_seats), pos.n_seats)
    state = writer.to_table(pos.game.definition.state, pos.state, top=True)
    return Scenario(game=pos.game.name, seats=pos.n_seats, options=pos.game.changed_options(), state=state)


def format_scenario(scenario: Scenario) -> str:
    """A scenario as the text of its TOML file, a line for each field of the state."""
    head = {"game": scenario.game, "title": scenario.title, "text": scenario.text, "seats": scenario.seats}
    lines = [f"{key} = {to_toml_value(value)}" for key, value in head.items() if value != ""]
    for name, table in (("options", scenario.options), ("state", scenario.state)):
        if table:
            lines += [
                "",
                f"[{name}]",
                *(f"{to_toml_key(key)} = {to_toml_value(value)}" for key, value in table.items()),
            ]
    return "\n".join(lines) + "\n"


class _Writer:
    """Turns records into tables of plain data, numbers into names wherever a name belongs to one thing only."""

    def __init__(self, names: Names, seats: int) -> None:
        self.names, self.seats = names, seats
        self.shared = {
            kind: {one for one, n in Counter(name.casefold() for name in listed).items() if n > 1}
            for kind, listed in names.items()
        }

    def to_table(self, layout: Record, record: Any, top: bool = False) -> dict[str, Any]:
        """{field: value} of a record, without fields that the rules derive from others. `top`: the record is the state itself."""
        return {
            one.name: self.to_value(one, getattr(record, one.name), one.shape[:-1] if one.is_set else one.shape, one.by)
            for one in layout.fields
            if one.seen_by != "derived" and not (top and one.name in FIELDS_NOT_FROM_FILES)
        }

    def to_value(self, one: Field, value: Any, shape: tuple[int, ...], by: str | None, first: int = 0) -> Any:
        """The value of a field as plain data: a list, a table by names, a name or a number.

        `shape`, `by`: the dimensions that are left, and the kind of thing that the first one counts. `first`: the index of the name that
        belongs to the lowest bit, for a field whose bits are things.
        """
        if shape:
            size = min(shape[0], self.seats) if by == "seat" else shape[0]
            listed = self.names.get(by or "", ())
            if by != "seat" and listed and not self.shared[str(by)]:
                return {
                    name: self.to_value(one, value[i], shape[1:], None, i * one.each)
                    for i, name in enumerate(listed[:size])
                }
            return [self.to_value(one, value[i], shape[1:], None, i * one.each) for i in range(size)]
        if isinstance(one.type, Record):
            return self.to_table(one.type, value)
        if one.is_set:
            return [self.find_name(str(one.of), number) for number in members(value)]
        if one.bits is not None:
            listed = self.names.get(one.bits, ())
            on = [first + i for i in range(int(value).bit_length()) if int(value) >> i & 1]
            return [self.find_name(one.bits, i) for i in on] if all(i < len(listed) for i in on) else int(value)
        return self.find_name(one.named, int(value)) if one.named is not None else int(value)

    def find_name(self, kind: str, number: int) -> str | int:
        """The name of thing `number` of a kind; the number where it has no name, or shares it with another thing."""
        listed = self.names.get(kind, ())
        if number == NOBODY or not 0 <= number < len(listed) or listed[number].casefold() in self.shared[kind]:
            return number
        return listed[number]
