"""The options of a box declared once: from the declarations in `box.toml`, the record that rules read.

`OPTIONS = Options(Path(__file__).with_name("box.toml"))` is that record, `OPTIONS.write_options(box.options, options)` writes the chosen
options into it, and a rule asks `box.options.victory`.

| in the box | in the record |
|---|---|
| a number with its bounds | the number: `i2`, or `i4` where the bounds ask for it |
| yes or no | `i1` |
| a choice among numbers | the number |
| a choice among words | `i1`, the word's index as printed; `OPTIONS.number("deeds", "experience")` gives it a name for rules |
| any other text | nothing: packing makes of it what rules need |

An edited box may change words, bounds and defaults; it cannot add an option that no rule knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sutler.core.files.box import BoxError, Option, read_options, read_toml
from sutler.core.files.entry_records import choose_integer_type
from sutler.core.record import Record, field

Value = int | bool | str


class Options(Record):
    """The record type for the options that a printed box declares. `box`: the path of its `box.toml`."""

    def __init__(self, box: Path) -> None:
        self.printed = read_options(read_toml(box), str(box))
        held = ((name, _field_type(one)) for name, one in self.printed.items())
        super().__init__("Options", tuple(field(name, kind) for name, kind in held if kind))

    def words(self, name: str) -> list[str]:
        """The values of an option that is a choice among words, in the order of their numbers in the record; [] for other options."""
        return _choice_values(self.printed[name])

    def number(self, name: str, value: Value) -> int:
        """The number that stands for an option's value in the record; BoxError if the rules do not know the value."""
        words = self.words(name)
        if not words:
            try:
                return int(value)
            except ValueError:
                raise BoxError(f"option {name}: the rules know numbers, not {value!r}") from None
        if str(value) not in words:
            raise BoxError(f"option {name}: the rules know {', '.join(words)}, not {value!r}")
        return words.index(str(value))

    def write_options(self, row: Any, chosen: Mapping[str, Value]) -> None:
        """Write the chosen options ({name: value}) into their record `row`.

        An option that is missing in `chosen`, because an older box does not declare it, gets its value `before`, else its default.
        """
        for one in self.fields:
            printed = self.printed[one.name]
            undeclared = printed.default if printed.before is None else printed.before
            number = self.number(one.name, chosen.get(one.name, undeclared))
            fits = np.iinfo(str(one.type))
            if not fits.min <= number <= fits.max:
                raise BoxError(f"option {one.name}: {number} is outside {fits.min} to {fits.max}")
            setattr(row, one.name, number)


def _choice_values(option: Option) -> list[str]:
    """The values of a choice among words; empty for any other option."""
    values = [one.value for one in option.choices]
    return [] if all(isinstance(value, int) for value in values) else [str(value) for value in values]


def _field_type(option: Option) -> str:
    """The integer type of an option's field in the record; "" for a text, which has no field."""
    if option.kind == "text":
        return ""
    if option.kind == "flag" or _choice_values(option):
        return "i1"
    bounds = [option.low, option.high] if option.kind == "number" else [one.value for one in option.choices]
    numbers = [int(one) for one in bounds if one is not None]
    if len(numbers) < 2:
        raise TypeError(f"options.{option.name}: a number says its bounds, low and high")
    return choose_integer_type(numbers)
