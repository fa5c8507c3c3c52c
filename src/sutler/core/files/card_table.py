"""The cards of a box as a table for a spreadsheet (CSV), and back as an edit of the box.

A row is an entry of one of the box's lists: the column `table` names the list, `name` the entry; the other columns are the entry's
fields, `gain.crops` for a field within a field. A cell holds a number, true or false, or a text; any other value is written as JSON, and
so is a text that would be read back as something else. An empty cell means that the entry has no such field.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from sutler.core.files.box import BoxError, apply_edit, find_name_field
from sutler.core.files.toml import to_toml_key, to_toml_value
from sutler.core.files.validation_messages import describe_fault
from sutler.core.names import did_you_mean
from sutler.core.play.game import Game

TABLE, NAME = "table", "name"
NO_TABLES = ("game", "options", "option")
DELIMITERS = ",;\t"
"""The characters that spreadsheets put between cells."""
WHOLE_NUMBER = re.compile(r"-?\d{1,18}")
MAX_FAULTS = 20


def list_tables(data: Mapping[str, Any]) -> list[str]:
    """The names of a box's lists whose entries are tables, such as "card"."""
    return [key for key, value in data.items() if key not in NO_TABLES and _is_table(value)]


def _is_table(value: Any) -> bool:
    """Is this a list of tables that is not empty?"""
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def to_csv(data: Mapping[str, Any], tables: Iterable[str] | None = None) -> str:
    """Lists of a box as CSV text: those named in `tables`, or all if None. BoxError names a list that the box does not have."""
    there = list_tables(data)
    wanted = list(tables) if tables is not None else there
    for one in wanted:
        if one not in there:
            raise BoxError(f"the box has no list {one!r}{did_you_mean(one, there)}; it has {', '.join(there)}")
    rows = []
    for table in wanted:
        for key, called, entry in _iter_named_entries(data[table]):
            cells = {path: to_cell(value) for path, value in flatten_entry(entry).items() if path != key}
            if taken := {TABLE, NAME} & cells.keys():
                raise BoxError(
                    f"{table} has a field {taken.pop()!r}, which is what a column of the file is called already"
                )
            rows.append({TABLE: table, NAME: called} | cells)
    columns = list(dict.fromkeys([TABLE, NAME, *(column for row in rows for column in row)]))
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _iter_named_entries(entries: list[Mapping[str, Any]]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield (the field that names the entries, the entry's name, the entry); names are "#1", "#2" where entries have none."""
    key = find_name_field(entries)
    for i, entry in enumerate(entries, 1):
        yield key, str(entry[key]) if key else f"#{i}", entry


def flatten_entry(entry: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """{path: value} of an entry, such as {"gain.crops": 3}; `before`: the path of the table around it.

    A table with a key that is empty or holds a dot stays whole, since its paths would be read wrongly.
    """
    found: dict[str, Any] = {}
    for key, value in entry.items():
        parts = isinstance(value, Mapping) and value and not any("." in inner or not inner for inner in value)
        found |= flatten_entry(value, f"{before}{key}.") if parts else {f"{before}{key}": value}
    return found


def to_cell(value: Any) -> str:
    """The text of a cell for a value: a text unchanged if it would be read back as the same text, anything else as JSON."""
    return value if isinstance(value, str) and _is_read_as_it_stands(value) else json.dumps(value, ensure_ascii=False)


def _is_read_as_it_stands(text: str) -> bool:
    """Is this text read back as the same text if a cell holds it without quotes?"""
    try:
        return bool(text) and text == text.strip() and parse_cell(text) == text
    except ValueError:
        return False


def _describe_bad_cell(cell: str) -> str:
    """An explanation, with an example, of a cell that begins like a list, a table or quoted text but is not a valid one."""
    kind, example = {
        "[": ("list", '["Fields", "Woods"]'),
        "{": ("table", '{"crops": 2, "gold": 1}'),
    }.get(cell.strip()[:1], ("quoted text", '"Wheat"'))
    return f"{cell!r} is not written as a {kind} is: {example}"


def parse_cell(cell: str) -> Any:
    """The value of a cell that is not empty; ValueError where the cell begins like JSON but is not."""
    text = cell.strip()
    if WHOLE_NUMBER.fullmatch(text):
        return int(text)
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    if text[:1] in ("[", "{", '"') or text in ("null", "NaN"):
        return json.loads(text)
    try:
        return float(text) if "." in text and not text.endswith(".") else text
    except ValueError:
        return text


@dataclass(frozen=True)
class Row:
    """A row of the file: its number as a spreadsheet counts it, the entry's name, and its fields as nested tables."""

    number: int
    name: str
    fields: dict[str, Any]


class CardTable:
    """A CSV file read for one game; `faults` lists the errors in words, each with row and column."""

    def __init__(self, text: str, source: str, new_names: bool = False) -> None:
        """Split the text into rows. `source`: its name in messages. `new_names`: a name that the box lacks is a new entry, not an error."""
        self.source, self.new_names, self.faults = source, new_names, list[str]()
        self.columns: list[str] = []
        self.tables: dict[str, list[Row]] = {}
        text = text.removeprefix("\ufeff")
        head = text.partition("\n")[0]
        self.rows = list(csv.reader(io.StringIO(text), delimiter=max(DELIMITERS, key=head.count)))

    def build_edit(self, game: Game) -> dict[str, Any]:
        """The edit of the game's box that gives its entries the file's values; BoxError lists all faults, with row and column."""
        self._read_rows(game)
        self._raise_faults()
        edit: dict[str, Any] = {}
        replaced = []
        for table in self.tables:
            entries, wanted = game.data[table], self._build_entries(table, game.data[table])
            changes = _find_changes(entries, wanted)
            if (apply_edit(entries, changes) if changes else entries) != wanted:  # a field taken away, or another order
                changes = wanted
                replaced += [table] if find_name_field(entries) else []
            if changes:
                edit[table] = changes
        edit = {"replace": replaced} | edit if replaced else edit
        self._check_edited_box(game, apply_edit(game.data, edit))
        self._raise_faults()
        return edit

    def _read_rows(self, game: Game) -> None:
        """Read all rows into `tables`, and collect faults: columns, lists and names that the box does not have, or that are there twice."""
        if not self.rows:
            raise BoxError(f"{self.source}: an empty file; sutler box csv {game.name} > cards.csv makes one")
        self.columns = [one.strip() for one in self.rows[0]]
        there = list_tables(game.data)
        known = {path for table in there for entry in game.data[table] for path in flatten_entry(entry)}
        for column in (TABLE, NAME):
            if column not in self.columns:
                self._add_fault(1, "", f"there is no column {column!r}{did_you_mean(column, self.columns)}")
        for at, column in enumerate(self.columns):
            if self.columns.index(column) != at:
                self._add_fault(1, column, "this column is there twice")
            elif column not in known | {TABLE, NAME} and not self._has_field(game, column):
                self._add_fault(1, column or f"number {at + 1}", f"there is no such field{did_you_mean(column, known)}")
        self._raise_faults()
        for number, cells in enumerate(self.rows[1:], 2):
            if any(cell.strip() for cell in cells):
                self._read_row(number, cells, there)
        for table, rows in self.tables.items():
            self._check_names(table, rows, game.data[table])

    def _read_row(self, number: int, cells: list[str], there: list[str]) -> None:
        """Read one row's cells into `tables`; collects its faults. `number`: the row's, `there`: the names of the box's lists."""
        if len(cells) > len(self.columns) and any(cell.strip() for cell in cells[len(self.columns) :]):
            self._add_fault(number, "", f"{len(cells)} cells, and the first row names {len(self.columns)} columns")
            return
        row = {column: cell for column, cell in zip(self.columns, cells, strict=False) if cell.strip()}
        table, name = row.pop(TABLE, "").strip(), row.pop(NAME, "").strip()
        if table not in there:
            self._add_fault(number, TABLE, f"the box has no list {table!r}{did_you_mean(table, there)}")
            return
        if not name:
            self._add_fault(number, NAME, "it is empty")
        fields: dict[str, Any] = {}
        for column, cell in row.items():
            try:
                _set_nested(fields, column.split("."), parse_cell(cell))
            except ValueError:
                self._add_fault(number, column, _describe_bad_cell(cell))
        self.tables.setdefault(table, []).append(Row(number, name, fields))

    def _check_names(self, table: str, rows: list[Row], entries: list[Mapping[str, Any]]) -> None:
        """Collect a fault for each name in a list's rows that is there twice, or that the box does not have."""
        known = [called for _, called, _ in _iter_named_entries(entries)]
        counted = Counter(row.name for row in rows)
        for row in rows:
            if counted[row.name] > 1:
                self._add_fault(row.number, NAME, f"{row.name!r} is there twice")
            elif row.name not in known and not self.new_names and find_name_field(entries):
                meant = did_you_mean(row.name, [one for one in known if one not in counted])
                self._add_fault(
                    row.number, NAME, f"{table} has no {row.name!r}{meant}; --new takes names that are not there as new"
                )

    def _build_entries(self, table: str, entries: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The entries of a list as the file has them, their fields in the order that the box has. `entries`: those of the box."""
        key, known = find_name_field(entries), {called: entry for _, called, entry in _iter_named_entries(entries)}
        return [
            _sort_fields_like(({key: row.name} if key else {}) | row.fields, known.get(row.name, {}))
            for row in self.tables[table]
        ]

    def _check_edited_box(self, game: Game, data: Mapping[str, Any]) -> None:
        """Check the edited box by its game's model, and collect each fault with its row and column."""
        model = game.definition.Sheet
        try:
            model.model_validate(data)
        except ValidationError as error:
            for fault in error.errors():
                table, at, *rest = (*fault["loc"], "")
                rows = self.tables.get(str(table))
                said = describe_fault(model, fault)
                if rows and isinstance(at, int) and at < len(data[str(table)]):
                    entry = data[str(table)][at]
                    key = find_name_field(data[str(table)])
                    row = next((one for one in rows if one.name == (entry.get(key) if key else f"#{at + 1}")), rows[0])
                    self._add_fault(row.number, self._find_column(rest), said)
                else:
                    self.faults.append(f"{self.source}: {table}: {said}")

    def _find_column(self, steps: list[Any]) -> str:
        """The name of the column for a field, given by its path in an entry (`steps`); the path as text if no column holds it."""
        for n in range(len(steps), 0, -1):
            path = ".".join(str(step) for step in steps[:n] if step != "")
            if path in self.columns:
                return path
        return ".".join(str(step) for step in steps if isinstance(step, str) and step)

    def _has_field(self, game: Game, column: str) -> bool:
        """May an entry of some list of the game's box have this field, even if none has it now?"""
        schema = game.definition.Sheet.model_json_schema()
        return any(_is_in_schema(schema, ["[]", *column.split(".")], table) for table in list_tables(game.data))

    def _add_fault(self, row: int, column: str, said: str) -> None:
        """Add a fault with its row and column ("" if it is about the whole row)."""
        where = f"row {row}" + (f", column {column}" if column else "")
        self.faults.append(f"{self.source}, {where}: {said}")

    def _raise_faults(self) -> None:
        """Raise BoxError with the first MAX_FAULTS of the collected faults, if there are any."""
        if self.faults:
            more = [f"… and {len(self.faults) - MAX_FAULTS} more"] if len(self.faults) > MAX_FAULTS else []
            raise BoxError("\n".join([*dict.fromkeys(self.faults[:MAX_FAULTS]), *more]))


def _find_changes(entries: list[Mapping[str, Any]], wanted: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries of an edit that turns a list into `wanted`: changed fields, new entries, removals; all of `wanted` if none has a name."""
    key = find_name_field(entries)
    if not key:
        return [] if wanted == entries else wanted
    known = {str(entry[key]): entry for entry in entries}
    found = []
    for entry in wanted:
        old = known.pop(str(entry[key]), None)
        if old is None:
            found.append(entry)
        elif changed := _find_difference(old, entry):
            found.append({key: entry[key]} | changed)
    return found + [{key: name, "remove": True} for name in known]


def _is_in_schema(schema: Mapping[str, Any], steps: list[str], table: str) -> bool:
    """Does a box's JSON schema allow this path in the list `table`? `steps`: field names, "[]" for an item of a list."""
    here: list[Mapping[str, Any]] = [schema.get("properties", {}).get(table, {})]
    for step in steps:
        here = [one for found in here for one in _resolve_schema(schema, found)]
        here = [
            inner
            for one in here
            if isinstance(
                inner := one.get("items")
                if step == "[]"
                else one.get("properties", {}).get(step, one.get("additionalProperties")),
                Mapping,
            )
        ]
    return bool(here)


def _resolve_schema(schema: Mapping[str, Any], here: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The schemas that a schema stands for, after following "$ref" and "anyOf"."""
    if "$ref" in here:
        return _resolve_schema(schema, schema["$defs"][str(here["$ref"]).rpartition("/")[2]])
    if "anyOf" in here:
        return [found for one in here["anyOf"] for found in _resolve_schema(schema, one)]
    return [here]


def _set_nested(fields: dict[str, Any], path: list[str], value: Any) -> None:
    """Set the field at a path in nested tables; ValueError where a step of the path has a value that is not a table."""
    for step in path[:-1]:
        fields = fields.setdefault(step, {})
        if not isinstance(fields, dict):
            raise ValueError(f"{step} has a value of its own already")
    fields[path[-1]] = value


def _sort_fields_like(entry: dict[str, Any], like: Mapping[str, Any]) -> dict[str, Any]:
    """The entry with its keys in the order of the entry `like`, so that a file written and read back stays the same text."""
    keys = [key for key in like if key in entry] + [key for key in entry if key not in like]
    return {
        key: _sort_fields_like(entry[key], like[key])
        if isinstance(entry[key], dict) and isinstance(like.get(key), Mapping)
        else entry[key]
        for key in keys
    }


def _find_difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `new` that differ from `old`; of tables within, only the fields that differ."""
    found: dict[str, Any] = {}
    for key, value in new.items():
        before = old.get(key)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            if inner := _find_difference(before, value):
                found[key] = inner
        elif before != value or type(before) is not type(value):
            found[key] = value
    return found


def edit_to_toml(edit: Mapping[str, Any]) -> str:
    """The text of a TOML file for an edit of a box."""
    lines = [f"{key} = {to_toml_value(value)}" for key, value in edit.items() if key == "replace"]
    for table, entries in edit.items():
        for entry in entries if table != "replace" else ():
            lines += ["", f"[[{to_toml_key(table)}]]"]
            lines += [
                f"{'.'.join(map(to_toml_key, path))} = {to_toml_value(value)}" for path, value in _iter_paths(entry)
            ]
    return "\n".join(lines).lstrip("\n") + "\n"


def _iter_paths(entry: Mapping[str, Any], before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield (path, value) of each value in an entry, tables within it taken apart; `before`: the path of the table around it."""
    for key, value in entry.items():
        if isinstance(value, Mapping) and value:
            yield from _iter_paths(value, (*before, key))
        else:
            yield (*before, key), value
