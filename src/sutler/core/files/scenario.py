"""Scenario files: any position of a game, written in TOML by the names of its things and laid over a game just set up.

game = "manor"
seats = 2
[state]
phase = "work"
lies = { "Fertile Fields" = "Wheat" }
[[state.seats]]
hand = ["Apples", "Corn"]
tokens = { crops = 3 }

A thing that the file names is taken away from where the setup had put it; fields that the file leaves out stay as set up. The game's
`complete` then puts the other things where they belong, and its `check` refuses what cannot be. A file that gives every field of the
state lays out exactly that position, even in the middle of a move (`core.files.scenario_writer` writes such files). Without a `phase`
the game begins from the position as it would from its setup. With `until = { year = 4 }` the game is played on until those fields of
the state have reached these values, differently for each seed: at random, or by bots of the level `by`
(`core.play.game.build_scenario_position`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from sutler.core.actions import Names
from sutler.core.bits import add, clear, members, remove
from sutler.core.definition import Definition
from sutler.core.files.box import BoxError, Entry, read_toml, validate_sheet
from sutler.core.names import did_you_mean
from sutler.core.record import NOBODY, Field, Record

FIELDS_NOT_FROM_FILES = {
    "rng": "the dice come from the seed, not from the file",
    "n_seats": "write `seats` at the head of the file instead",
}


class Scenario(Entry):
    """The content of a scenario file. `title` and `text` are for people; `options` are those of the game that the position is of."""

    game: str
    title: str = ""
    text: str = ""
    seats: int
    options: dict[str, Any] = {}
    until: dict[str, int] = {}
    by: Literal["chance", "easy", "normal"] = "chance"
    state: dict[str, Any] = {}


def read_game_scenarios(folder: Path) -> dict[str, Scenario]:
    """{name: scenario} of the positions that come with the game in a folder, in its folder `scenarios`."""
    return {path.stem: read_scenario(path) for path in sorted((folder / "scenarios").glob("*.toml"))}


def read_scenario(path: Path) -> Scenario:
    """The scenario in a file; BoxError names the file and the field."""
    return validate_sheet(Scenario, read_toml(path), str(path))


def set_up_state(
    definition: Definition, box: Any, names: Names, state: Any, buffer: Any, file: Scenario, source: str
) -> None:
    """Set up the blank `state` as the file describes it, recount and check it; where the file names no phase, start the game's first one.

    `names`: of the box's things. Events go to `buffer`. BoxError says what is wrong, beginning with `source`.
    """
    definition.setup(box, state)
    setter = _Setter(names, file.seats, source)
    setter.write_table(definition.state, state, file.state, "")
    for of, numbers in setter.named.items():
        _remove_placed_things(definition.state, state, of, numbers, setter.written)
    if definition.complete is not None and not setter.writes_every_field(definition.state):
        try:
            definition.complete(box, state, setter.written.keys())
        except BoxError as error:
            raise BoxError(f"{source}: [state] {error}") from None
    definition.recount(box, state)
    if fault := int(definition.check(box, state)):
        raise BoxError("; ".join([f"{source}: [state]: {definition.FAULTS[fault]}", *setter.twice]))
    if "phase" not in setter.written:
        definition.start(box, state, buffer)


def _remove_placed_things(layout: Record, state: Any, of: str, numbers: set[int], written: Collection[str]) -> None:
    """Remove things that the file places (`numbers`, of kind `of`) from every set of the state that the file does not write."""
    for path, one, words in layout.iter_values(state):
        if one.is_set and one.of == of and path not in written:
            for number in numbers:
                remove(words, number)


@dataclass
class _Place:
    """A place in a state that a value can be written to: a field of a record, or an element of an array."""

    holder: Any
    key: Any  # a field's name or an index

    def write_value(self, value: Any) -> None:
        """Write a value to this place."""
        if isinstance(self.key, str):
            setattr(self.holder, self.key, value)
        else:
            self.holder[self.key] = value

    def read_value(self) -> Any:
        """The value at this place, or the array or record there."""
        return getattr(self.holder, self.key) if isinstance(self.key, str) else self.holder[self.key]


def add_seat_names(names: Names, seats: int) -> dict[str, Sequence[str]]:
    """A game's lists of names, with a list "seat" of one name for each seat at the table: Seat 1, Seat 2 … where the game has none."""
    called = names.get("seat") or [f"Seat {i + 1}" for i in range(seats)]
    return {**names, "seat": list(called)[:seats]}


class _Setter:
    """Writes a file's values into a state and remembers which fields were written and which things were named."""

    def __init__(self, names: Names, seats: int, source: str) -> None:
        self.names = add_seat_names(names, seats)
        self.seats, self.source = seats, source
        self.written: dict[str, None] = {}  # the paths, in the order of the file
        self.named: dict[str, set[int]] = {}
        self.sets: dict[tuple[str, int], str] = {}
        self.twice: list[str] = []

    def writes_every_field(self, layout: Record, path: str = "") -> bool:
        """Does the file give a value for every field of the layout that a file can give?"""
        for one in layout.fields:
            if one.seen_by == "derived" or (not path and one.name in FIELDS_NOT_FROM_FILES):
                continue
            for here in self._list_paths(one, f"{path}.{one.name}" if path else one.name):
                inside = isinstance(one.type, Record) and not self.writes_every_field(one.type, here)
                if here not in self.written or inside:
                    return False
        return True

    def _list_paths(self, one: Field, path: str) -> list[str]:
        """The paths of all values of a field, such as "lies[3]": one for each index of an array, but only for seats at the table."""
        places = [path]
        for k, size in enumerate(one.shape[:-1] if one.is_set else one.shape):
            named = self.names.get(one.by or "", ()) if k == 0 else ()
            n = min(size, len(named)) if named else size
            places = [f"{here}[{i}]" for here in places for i in range(n)]
        return places

    def make_error(self, path: str, why: str) -> BoxError:
        """The BoxError for a fault at a path of the file, for the caller to raise."""
        return BoxError(f"{self.source}: [state] {path}: {why}")

    def write_table(self, layout: Record, record: Any, values: Any, path: str) -> None:
        """Write a table of the file into a record of this layout. `path`: where the table stands, for messages."""
        if not isinstance(values, Mapping):
            raise self.make_error(path, f"a table with the fields of {layout.name} is expected, not {values!r}")
        by_name = {one.name: one for one in layout.fields}
        for key, value in values.items():
            here = f"{path}.{key}" if path else key
            if key not in by_name:
                raise self.make_error(here, f"{layout.name} has no such field{did_you_mean(key, by_name)}")
            if not path and key in FIELDS_NOT_FROM_FILES:
                raise self.make_error(here, FIELDS_NOT_FROM_FILES[key])
            one = by_name[key]
            shape = one.shape[:-1] if one.is_set else one.shape
            self.write_field(one, shape, one.by, _Place(record, key), value, here)

    def write_field(
        self, one: Field, shape: tuple[int, ...], by: str | None, spot: _Place, value: Any, path: str, first: int = 0
    ) -> None:
        """Write a value of the file into a field, index by index.

        `shape`, `by`: the dimensions that are left, and the kind of thing that the first one counts. `first`: the index of the name that
        belongs to the lowest bit, for a field whose bits are things.
        """
        self.written[path] = None
        if shape:
            for i, element in self.list_entries(shape[0], by, value, path):
                self.write_field(
                    one, shape[1:], None, _Place(spot.read_value(), i), element, f"{path}[{i}]", i * one.each
                )
        elif isinstance(one.type, Record):
            self.write_table(one.type, spot.read_value(), value, path)
        elif one.is_set:
            self.write_set(one, spot.read_value(), value, path)
        else:
            number = (
                self.parse_bits(one, value, path, first)
                if isinstance(value, list)
                else self.parse_number(one.named, value, path)
            )
            low, high = (int(x) for x in (np.iinfo(one.type).min, np.iinfo(one.type).max))
            if not low <= number <= high:
                raise self.make_error(path, f"{number} is outside {low} to {high}")
            spot.write_value(number)
            if one.of and number != NOBODY:
                self.named.setdefault(one.of, set()).add(number)

    def list_entries(self, size: int, by: str | None, value: Any, path: str) -> list[tuple[int, Any]]:
        """The (index, value) pairs that a list, or a table by names of kind `by`, gives for an array of `size` elements."""
        if isinstance(value, Mapping) and by is not None:
            return [(self.parse_index(by, key, size, path), element) for key, element in value.items()]
        if not isinstance(value, list):
            wanted = f"a list, or a table by {by}," if by else "a list"
            raise self.make_error(path, f"{wanted} is expected, not {value!r}")
        fits = min(size, self.seats) if by == "seat" else size
        if len(value) > fits:
            raise self.make_error(path, f"{len(value)} entries, {fits} fit")
        return list(enumerate(value))

    def write_set(self, one: Field, words: Any, value: Any, path: str) -> None:
        """Write a list of names into a set."""
        if not isinstance(value, list):
            raise self.make_error(path, f"a list is expected, not {value!r}")
        clear(words)
        for element in value:
            number = self.parse_index(str(one.of), element, len(words) * 64, path)
            if number in members(words):
                raise self.make_error(path, f"{element!r} is named twice")
            add(words, number)
            if first := self.sets.setdefault((str(one.of), number), path):
                if first != path:
                    self.twice.append(f"{element!r} stands in {first} and in {path}")
            self.named.setdefault(str(one.of), set()).add(number)

    def parse_bits(self, one: Field, value: list[Any], path: str, first: int) -> int:
        """The bit set, as an int, of the things in a list of names. `first`: the index of the name for the lowest bit."""
        if one.bits is None:
            raise self.make_error(path, f"a whole number is expected, not {value!r}")
        size = 8 * int(np.dtype(one.type).itemsize) if isinstance(one.type, str) else None
        numbers = [self.parse_index(one.bits, element, None if one.each else size, path) - first for element in value]
        for element, number in zip(value, numbers, strict=True):
            if one.each and not 0 <= number < one.each:
                raise self.make_error(path, f"{element!r} belongs elsewhere in the list")
        return sum({1 << number for number in numbers})

    def parse_number(self, of: str | None, value: Any, path: str) -> int:
        """The number that stands for a value of the file: a number, true or false, or a name of kind `of` (None: no names)."""
        if isinstance(value, bool):
            return int(value)
        if of is not None and value != NOBODY:
            return self.parse_index(of, value, None, path)
        if not isinstance(value, int):
            raise self.make_error(path, f"a whole number is expected, not {value!r}")
        return value

    def parse_index(self, of: str, value: Any, size: int | None, path: str) -> int:
        """The index of a thing of kind `of`, given by its name or its index; below `size`, if that is known. Raises BoxError otherwise."""
        listed, kind = self.names.get(of), of.replace("_", " ")
        n = size if listed is None else len(listed) if size is None else min(size, len(listed))
        if isinstance(value, int) and not isinstance(value, bool):
            if value < 0 or (n is not None and value >= n):
                raise self.make_error(path, f"there is no {kind} number {value}")
            return value
        if not isinstance(value, str) or listed is None:
            raise self.make_error(path, f"the name of a {kind} is expected, not {value!r}")
        wanted = " ".join(value.split()).casefold()
        for i, name in enumerate(listed[:n]):
            if name.casefold() == wanted:
                return i
        raise self.make_error(path, f"there is no {kind} {value!r}{did_you_mean(value, listed[:n])}")
