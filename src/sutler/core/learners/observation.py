"""The observation: all that a seat may know as one row of numbers, generated from the `seen_by` of each field of the state.

A field is `seen_by` "everybody", "owner" (the seat that its row belongs to), "nobody", or it is "derived" (computed from other
fields). Any other word W names a rule of the game, one of three: `knows_W(box, state, seat, of)` says whether `seat` may know the
element that belongs to seat `of`; `observe_element_W(box, state, seat, of, out, at)` writes the known part of one element into `out`
from index `at` on; `observe_field_W(box, state, seat, out, at)` writes the whole field.

Seats are numbered from the observer's own on. A set takes one number for each thing it could hold, a phase one for each phase, an
integer used as bits 64; an unknown number is -1. Numbers of seats that nobody sits in stay 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sutler.core.files.toml import read_toml_file
from sutler.core.record import Field, Record
from sutler.core.rule import Rule
from sutler.core.tables import PhaseTable

WORD = 64
COUNT, ID, BITS, SEAT = "count", "id", "bits", "seat"
"""The kinds of observed numbers: a count, the index of a named thing, a yes or no, and a seat numbered from the observer's own on."""
MEASURED = "learners.toml"
"""The file in a game's folder that completes the spec: how large counts become, and which numbers are bits or ids."""
UNMEASURED_SCALE = 16.0
Numbers = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class Observed:
    """The place of a field in the observation: number [i, j] of `shape` is at `offset + i * steps[0] + j * steps[1]`.

    `meaning` describes one number of the field; `axes` says what each index of `shape` counts ("seat", "land", or "" where it has no
    name). `kind` is "count", "id" (the index of an `entity`, below `cardinality`; -1 for none or unknown), "seat" (a seat, numbered from
    the observer's own on) or "bits" (0 or 1; with a `cardinality` the number is a bit set of that many things). Numbers lie between `low`
    and `high`, and seldom above `scale`.
    """

    name: str
    offset: int
    shape: tuple[int, ...]
    steps: tuple[int, ...]
    meaning: str
    axes: tuple[str, ...] = ()
    kind: str = COUNT
    entity: str = ""
    cardinality: int = 0
    low: float = 0.0
    high: float = 1.0
    scale: float = 1.0

    def slice_observation(self, observation: Numbers) -> Numbers:
        """The numbers of this field in an observation, as a read-only view of the field's shape."""
        size = observation.itemsize
        there = observation[self.offset :]
        return np.lib.stride_tricks.as_strided(there, self.shape, [step * size for step in self.steps], writeable=False)


@dataclass(frozen=True)
class _Here:
    """A place in the record while source is generated: source expressions for it, its offset and its seat, and the indent."""

    expr: str
    at: str
    who: str = ""
    depth: int = 1


class Observer:
    """Lays out the fields of a state as a row of numbers, and writes the source of the rule that fills it."""

    def __init__(self, package: str, state: Record, phases: PhaseTable, found: dict[str, Any]) -> None:
        self.package, self.state, self.phases, self.found = package, state, phases, found
        self.features: tuple[str, ...] = tuple(found.get("OBSERVED_MORE", ()))
        self.spec = list(self._build_spec(state, "", 0, (), (), ()))
        own = self._record_width(state)
        wide = self._find_largest_bound()
        self.spec += [
            Observed(name, own + i, (), (), "as the game reckons it", low=-wide, high=wide, scale=UNMEASURED_SCALE)
            for i, name in enumerate(self.features)
        ]
        self.n = own + len(self.features)
        self._own = own

    # --- How wide ---

    def _element_width(self, one: Field) -> int:
        """The number of observed numbers that one element of a field takes."""
        if isinstance(one.type, Record):
            return self._record_width(one.type)
        if one.seen_by == "derived" or (one.seen_by == "nobody" and not one.counted):
            return 0
        if one.seen_by == "nobody":
            return 1
        if one.is_set:
            return one.size
        if one.of == "phase":
            return len(self.phases)
        return WORD if one.type == "u8" else 1

    def _get_shape(self, one: Field) -> tuple[int, ...]:
        """The dimensions of a field, without the words that a set is stored in."""
        return one.shape[:-1] if one.is_set else one.shape

    def _field_width(self, one: Field) -> int:
        """The number of observed numbers that a whole field takes."""
        n = self._element_width(one)
        for size in self._get_shape(one):
            n *= size
        return n

    def _record_width(self, layout: Record) -> int:
        """The number of observed numbers that a record takes."""
        return sum(self._field_width(one) for one in layout.fields)

    # --- In words ---

    def _build_spec(
        self, layout: Record, path: str, at: int, outer: tuple[int, ...], steps: tuple[int, ...], axes: tuple[str, ...]
    ) -> Iterator[Observed]:
        """Yield the observed fields of a record. `at`: its offset; `outer`, `steps`, `axes`: the dimensions of arrays around it."""
        for one in layout.fields:
            here, n = f"{path}.{one.name}" if path else one.name, self._element_width(one)
            inner, step = list[int](), n
            for size in reversed(self._get_shape(one)):
                inner.insert(0, step)
                step *= size
            shape, strides = (*outer, *self._get_shape(one)), (*steps, *inner)
            counted = (*axes, *((one.by or "") if i == 0 else "" for i in range(len(inner))))
            if isinstance(one.type, Record):
                yield from self._build_spec(one.type, here, at, shape, strides, counted)
            elif n > 1:
                what = one.of or "" if one.is_set or one.of == "phase" else ""
                made = Observed(here, at, (*shape, n), (*strides, 1), self._describe_meaning(one), (*counted, what))
                yield self._add_kind(made, one)
            elif n:
                yield self._add_kind(Observed(here, at, shape, strides, self._describe_meaning(one), counted), one)
            at += self._field_width(one)

    def _add_kind(self, made: Observed, one: Field) -> Observed:
        """The field `made` completed by the kind and bounds that the state's record declares."""
        if one.is_set and one.seen_by == "nobody":
            return replace(made, kind=COUNT, high=float(one.size), scale=float(one.size))
        if one.is_set or one.of == "phase" or one.type == "u8":
            return replace(made, kind=BITS)
        if one.of:
            return replace(made, kind=SEAT if one.of == "seat" else ID, entity=one.of, low=-1.0)
        kinds = np.iinfo(str(one.type))
        low = min(float(kinds.min), 0.0 if one.seen_by in ("everybody", "nobody") else -1.0)
        return replace(made, low=low, high=float(kinds.max), scale=UNMEASURED_SCALE)

    def _find_largest_bound(self) -> float:
        """The bound of numbers that a game computes itself (`observe_more`): the largest value of its state's widest signed integer."""
        widest = 2
        for _, one, _ in self.state.iter_values(self.state.new()):
            if not one.is_set and isinstance(one.type, str) and one.type[0] == "i":
                widest = max(widest, int(one.type[1:]))
        return float((1 << (8 * widest - 1)) - 1)

    def _describe_meaning(self, one: Field) -> str:
        """A description of one number of a field, in English."""
        known = {"everybody": "", "owner": "; one's own only", "nobody": ""}.get(one.seen_by, "; as far as it is known")
        if one.is_set:
            return (f"how many of {one.of}" if one.seen_by == "nobody" else f"1 for each {one.of} in the set") + known
        if one.of == "seat":
            return "a seat, counted from the observer's own; -1: none" + known
        if one.of == "phase":
            return "1 for the decision at hand: " + ", ".join(self.phases.words)
        if one.type == "u8":
            return "bits, one number each" + known
        return (f"the number of a {one.of}; -1: none" if one.of else "a number") + known

    # --- As source ---

    def build_sources(self) -> dict[str, str]:
        """The source of the rule `observe`, by its name."""
        lines = ["@rule", "def observe(box, state, seat, out):", "    n = int(state.n_seats)"]
        lines += self._record_source(self.state, _Here("state", ""), 0)
        if self.features:
            lines.append(f"    observe_more(box, state, seat, out, {self._own})")
        return {"observe": "\n".join(lines) + "\n"}

    def _record_source(self, layout: Record, here: _Here, at: int) -> Iterator[str]:
        """Yield lines of source that write all fields of a record; `at`: its offset from `here`."""
        for one in layout.fields:
            if isinstance(self.found.get(f"observe_field_{one.seen_by}"), Rule):
                yield f"{'    ' * here.depth}observe_field_{one.seen_by}(box, state, seat, out, {here.at}{at})"
            elif self._field_width(one):
                place = _Here(f"{here.expr}.{one.name}", f"{here.at}{at}", here.who, here.depth)
                yield from self._field_source(one, self._get_shape(one), one.by, place)
            at += self._field_width(one)

    def _field_source(self, one: Field, shape: tuple[int, ...], by: str | None, here: _Here) -> Iterator[str]:
        """Yield lines of source that write a field index by index; an index over seats begins with the observer's own."""
        indent = "    " * here.depth
        if not shape:
            yield from self._element_source(one, here)
            return
        i, step = f"i{here.depth}", self._element_width(one)
        for size in shape[1:]:
            step *= size
        at = f"{here.at} + {i} * {step}"
        if by == "seat":
            who = f"seat{here.depth}"
            yield f"{indent}for {i} in range(n):"
            yield f"{indent}    {who} = (seat + {i}) % n"
            inner = _Here(f"{here.expr}[{who}]", at, who, here.depth + 1)
        else:
            yield f"{indent}for {i} in range({shape[0]}):"
            inner = _Here(f"{here.expr}[{i}]", at, here.who, here.depth + 1)
        yield from self._field_source(one, shape[1:], None, inner)

    def _element_source(self, one: Field, here: _Here) -> Iterator[str]:
        """Yield lines of source that write what the seat may know of one element of a field."""
        indent = "    " * here.depth
        if isinstance(one.type, Record):
            row, start = f"row{here.depth}", f"at{here.depth}"
            yield f"{indent}{row} = {here.expr}"
            yield f"{indent}{start} = {here.at}"
            yield from self._record_source(one.type, _Here(row, f"{start} + ", here.who, here.depth), 0)
            return
        if one.seen_by in ("everybody", "nobody"):
            yield from self._known_element_source(one, here)
            return
        if one.seen_by == "owner":
            if not here.who:
                raise TypeError(f"{self.package}: {one.name} is seen by its owner, but no index of it counts seats")
            test = f"{here.who} == seat"
        elif isinstance(self.found.get(f"observe_element_{one.seen_by}"), Rule):
            yield f"{indent}observe_element_{one.seen_by}(box, state, seat, {here.who or 'seat'}, out, {here.at})"
            return
        elif isinstance(self.found.get(f"knows_{one.seen_by}"), Rule):
            test = f"knows_{one.seen_by}(box, state, seat, {here.who or 'seat'})"
        else:
            raise TypeError(
                f"{self.package}: {one.name} is seen_by {one.seen_by!r}: no rule observe_element_{one.seen_by} or knows_…"
            )
        yield f"{indent}if {test}:"
        yield from self._known_element_source(one, _Here(here.expr, here.at, here.who, here.depth + 1))
        if not one.is_set and self._element_width(one) == 1:
            yield f"{indent}else:"
            yield f"{indent}    out[{here.at}] = -1"

    def _known_element_source(self, one: Field, here: _Here) -> Iterator[str]:
        """Yield lines of source that write one known element into the observation."""
        indent = "    " * here.depth
        if one.is_set and one.seen_by == "nobody":
            yield f"{indent}out[{here.at}] = count({here.expr})"
        elif one.is_set:
            yield f"{indent}mark_set(out, {here.at}, {here.expr})"
        elif one.of == "phase":
            yield f"{indent}out[{here.at} + {here.expr}] = 1"
        elif one.of == "seat":
            yield f"{indent}out[{here.at}] = {here.expr}"
            yield f"{indent}if {here.expr} >= 0:"
            yield f"{indent}    out[{here.at}] = ({here.expr} - seat + n) % n"
        elif one.type == "u8":
            yield f"{indent}mark_word(out, {here.at}, {here.expr})"
        else:
            yield f"{indent}out[{here.at}] = {here.expr}"


def count_things(layout: Record) -> dict[str, int]:
    """{kind of thing ("card", "seat"): how many there are}, where the sizes of a record's arrays and sets tell it."""
    sizes: dict[str, int] = {}
    for one in layout.fields:
        if one.by and one.shape:
            sizes[one.by] = max(sizes.get(one.by, 0), one.shape[0])
        if one.is_set and one.of:
            sizes[one.of] = max(sizes.get(one.of, 0), one.size)
        if isinstance(one.type, Record):
            for name, n in count_things(one.type).items():
                sizes[name] = max(sizes.get(name, 0), n)
    return sizes


def add_sizes(spec: list[Observed], sizes: Mapping[str, int], folder: Path) -> list[Observed]:
    """The spec's fields with the cardinality of ids (from `sizes`, by kind) and the scales, bits and ids of `learners.toml` in `folder`."""
    path = folder / MEASURED
    said = read_toml_file(path) if path.exists() else {}
    return [_add_size(one, sizes, said) for one in spec]


def _add_size(one: Observed, sizes: Mapping[str, int], said: Mapping[str, Mapping[str, Any]]) -> Observed:
    """An observed field completed with its cardinality, scale and bits; `said`: the content of `learners.toml`."""
    if one.kind in (ID, SEAT):
        n = sizes[one.entity]
        return replace(one, cardinality=n, high=float(n - 1), scale=float(max(1, n - 1)))
    if one.kind == BITS:
        return one
    if one.name in said.get("bits", {}):
        n = int(said["bits"][one.name])
        most = float((1 << n) - 1)
        return replace(
            one, kind=BITS, cardinality=n, low=-1.0 if "known" in one.meaning else 0.0, high=most, scale=most
        )
    for start, (entity, n) in said.get("ids", {}).items():
        if one.name.startswith(start):
            return replace(one, kind=ID, entity=entity, cardinality=n, low=-1.0, high=float(n - 1), scale=float(n - 1))
    largest = said.get("largest", {}).get(one.name)
    return one if largest is None else replace(one, scale=float(max(1, largest)))
