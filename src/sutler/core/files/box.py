"""The box, all that is printed of a game: its TOML file read, edited and checked; BoxError names file, entry and field."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, TypeGuard, TypeVar

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError, model_validator

from sutler.core.files.constraints import Origins, list_repeated
from sutler.core.files.toml import MAX_KEY_PARTS, TomlError, read_toml_file
from sutler.core.files.validation_messages import describe_fault
from sutler.core.names import did_you_mean


class BoxError(ValueError):
    """An error in a box, scenario or option; the message names the file, the entry and the field."""


class Entry(BaseModel):
    """A table of a TOML file: unknown keys are errors, numbers are not silently converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Blanking(Entry):
    """A sheet in which one card can be made to do nothing (a blank), for experiments; no file can ask for it.

    The game's `pack` calls `is_blank` for each card.
    """

    BLANKS: ClassVar[tuple[str, ...]] = ()
    """The kinds of thing that can be blanked."""
    _blank: tuple[str, int] | None = PrivateAttr(None)

    def blanked(self, kind: str, i: int) -> Self | None:
        """A copy of the sheet in which card `i` of a kind does nothing.

        None if the card does nothing already; BoxError if cards of this kind cannot be blank.
        """
        if kind not in self.BLANKS:
            return None
        sheet = self.model_copy()
        sheet._blank = (kind, i)
        return sheet

    def is_blank(self, kind: str, i: int) -> bool:
        """Does card `i` of this kind do nothing in this sheet?"""
        return self._blank == (kind, i)


class Choice(Entry):
    """One value of an option, with its words for people."""

    value: int | str
    label: str
    text: str = ""


class Option(Entry):
    """A rule that may be chosen before a game begins."""

    name: str
    label: str
    text: str
    rule: str
    kind: Literal["number", "flag", "choice", "text"]
    default: int | bool | str
    low: int | None = None
    high: int | None = None
    before: int | bool | str | None = None
    """The value under which games were played whose older box does not declare the option; None: the default."""
    choices: list[Choice] = []
    until: str = ""
    """The field of the state at whose value the game then begins, for an option that begins the game later than printed (`Game.new`)."""

    @model_validator(mode="after")
    def _check_default(self) -> Option:
        """Check that the option's default is one of its values (a validator of Pydantic)."""
        self.check(self.default)
        return self

    def check(self, value: Any) -> int | bool | str:
        """The value converted to the option's type; ValueError in words when it does not fit."""
        if self.kind == "flag":
            return self._parse_flag(value)
        if self.kind == "text":
            return str(value)
        if self.kind == "choice":
            for choice in self.choices:
                if str(value).casefold() in (str(choice.value).casefold(), choice.label.casefold()):
                    return choice.value
            raise ValueError(f"{self.name}: {value!r} is not one of {', '.join(str(c.value) for c in self.choices)}")
        try:
            number = int(value)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name}: {value!r} is not a whole number") from None
        low, high = self.low, self.high
        if (low is not None and number < low) or (high is not None and number > high):
            raise ValueError(f"{self.name}: {number} is outside {low} to {high}")
        return number

    def _parse_flag(self, value: Any) -> bool:
        """The value of a yes-or-no option from a bool or a word such as "yes"; ValueError for anything else."""
        if isinstance(value, bool):
            return value
        if str(value).casefold() in ("1", "true", "yes", "on"):
            return True
        if str(value).casefold() in ("0", "false", "no", "off"):
            return False
        raise ValueError(f"{self.name}: {value!r} is neither yes nor no")


class Info(Entry):
    """The facts about a game for covers and catalogues."""

    title: str
    designer: str
    tagline: str
    blurb: str
    mood: str = ""
    minutes: str
    weight: int
    seats: list[int]
    best: int | None = None
    source: str


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as plain data; BoxError names the file and the line when it is not TOML."""
    try:
        return read_toml_file(path)
    except FileNotFoundError:
        raise BoxError(f"{path}: there is no such file") from None
    except OSError as error:
        raise BoxError(f"{path}: cannot be read ({error})") from None
    except TomlError as error:
        raise BoxError(f"{path}: not a TOML file: {error}") from None


def apply_edit(base: Any, edit: Any, where: str = "") -> Any:
    """Merge an edit into `base` and return the result.

    Tables are merged key by key; lists of named tables are merged entry by entry, by the field that `find_name_field` finds (an unknown
    name is added, `remove = true` removes an entry); anything else is replaced. `replace = ["card"]` at the top of the edit replaces the
    whole table `card`. `where`: the path to `base`, for messages.
    """
    if not where and isinstance(base, Mapping) and isinstance(edit, Mapping) and "replace" in edit:
        return apply_edit(*_clear_replaced_tables(base, edit))
    if isinstance(base, Mapping) and isinstance(edit, Mapping):
        merged = dict(base)
        for key, value in edit.items():
            merged[key] = apply_edit(base[key], value, f"{where}.{key}") if key in base else value
        return merged
    if (key := find_name_field(base)) and key == find_name_field(edit):
        entries = {entry[key]: entry for entry in base}
        table = where.strip(".")
        for name in list_repeated(entry[key] for entry in edit):
            raise BoxError(f'[[{table}]] "{name}", field {key}: used twice')
        for entry in edit:
            name = entry[key]
            if entry.get("remove"):
                if name not in entries:
                    raise BoxError(f"{table} {name!r}: cannot remove what is not in the box")
                del entries[name]
            else:
                entries[name] = apply_edit(entries.get(name, {}), entry, where)
        return list(entries.values())
    return edit


def _clear_replaced_tables(base: Mapping[str, Any], edit: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """`base` without the tables that the edit replaces whole, and the edit without its key `replace`."""
    whole = edit["replace"]
    if not isinstance(whole, list) or not all(name in base and name in edit for name in whole):
        raise BoxError(f"replace: {whole!r} is no list of tables that are in the box and in the edit")
    return (
        {key: value for key, value in base.items() if key not in whole},
        {key: value for key, value in edit.items() if key != "replace"},
    )


KEYS = ("name", "resource", "region")
"""The fields that can name the tables of a list; the first that every table has is used."""


KEY_ITSELF = "[key]"
"""The last step in the path of a fault where Pydantic found the key of a table wrong, not the value under it."""


def find_name_field(value: Any) -> str:
    """The field by which the tables in a list are named: the first of KEYS whose value is different in each; "" if there is none."""
    if not isinstance(value, list) or not value or not all(isinstance(entry, Mapping) for entry in value):
        return ""
    for key in KEYS:
        called = [entry.get(key) for entry in value]
        if all(isinstance(one, str) for one in called) and (key == "name" or len(set(called)) == len(called)):
            return key
    return ""


def is_named_list(value: Any) -> TypeGuard[list[Mapping[str, Any]]]:
    """Is this a list of tables, each with a name?"""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(entry, Mapping) and isinstance(entry.get("name"), str) for entry in value)
    )


def with_setting(data: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """A copy of a box's data with the value at `key` changed, such as "card.Wheat.gain.crops", where entries are found by their names.

    BoxError if there is no such entry.
    """
    if key.count(".") >= MAX_KEY_PARTS:
        raise BoxError(f"{key[:60]}…: no parameter has more than {MAX_KEY_PARTS} parts")
    head, _, rest = key.partition(".")
    if called := find_name_field(data.get(head)):
        entries = data[head]
        for i, entry in enumerate(entries):
            name = str(entry[called])
            if rest.casefold().startswith(name.casefold() + ".") and name:
                changed = with_setting(dict(entry), rest[len(name) + 1 :], value)
                return data | {head: [*entries[:i], changed, *entries[i + 1 :]]}
        raise BoxError(f"{key}: no {head} of that name; write it as {head}.NAME.FIELD")
    if rest and isinstance(data.get(head), list):
        raise BoxError(f"{key}: {head} is a list of plain values; give all of it")
    if rest:
        inner = data.get(head, {})  # a table that the printed box leaves to its defaults is made
        if not isinstance(inner, Mapping):
            raise BoxError(f"{key}: {head!r} is no table in the box; it has {', '.join(data)}")
        return data | {head: with_setting(dict(inner), rest, value)}
    return data | {head: value}


Sheet = TypeVar("Sheet", bound=BaseModel)


def parse_value(text: str) -> int | bool | str:
    """The value of a text that was typed: a whole number, true or false, else the text itself."""
    text = text.strip()
    if text.lstrip("-").isdigit():
        return int(text)
    return text.casefold() == "true" if text.casefold() in ("true", "false") else text


def parse_setting_pairs(pairs: Iterable[str]) -> dict[str, int | bool | str]:
    """{key: value} of texts `KEY=VALUE`; BoxError names a text without that form."""
    found: dict[str, int | bool | str] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            raise BoxError(f"{pair}: write a setting as KEY=VALUE, such as victory=20")
        found[key.strip()] = parse_value(text)
    return found


def validate_sheet(model: type[Sheet], data: Mapping[str, Any], source: str | Origins) -> Sheet:
    """The data of a box as a checked sheet of this model; BoxError lists every fault with file, entry and field, in plain words."""
    origins = Origins(source) if isinstance(source, str) else source
    if faults := [origins.add_source(fault) for key in data for fault in _find_bad_names(key, data[key])]:
        raise BoxError("\n".join(faults))
    try:
        return model.model_validate(data)
    except ValidationError as error:
        told = [
            f"{_format_place(data, fault['loc'])}: {describe_fault(model, fault)}{_suggest_name(data, fault, origins)}"
            for fault in error.errors()
        ]
        raise BoxError("\n".join(dict.fromkeys(origins.add_source(fault) for fault in told))) from None


def _suggest_name(data: Mapping[str, Any], fault: Mapping[str, Any], origins: Origins) -> str:
    """The name that was probably meant, if an entry that an edit adds lacks a field and its name is almost another's; else "".

    A misspelt name in an edit is no fault by itself: it adds an entry, which then lacks what the entry that was meant has.
    """
    loc = fault["loc"]
    if (
        fault["type"] != "missing"
        or len(loc) != 3
        or not is_named_list(data.get(loc[0]))
        or not origins.is_edited(loc[0])
    ):
        return ""
    names = [entry["name"] for entry in data[loc[0]]]
    name = names.pop(loc[1])
    meant = did_you_mean(name, names)
    return f" from a new entry{meant}" if meant else ""


def _find_bad_names(key: str, entries: Any) -> Iterator[str]:
    """Yield a message for each name in a list of tables that is empty, oddly spaced or used twice. `key`: the list's name in the file."""
    seen: set[str] = set()
    for i, entry in enumerate(entries if isinstance(entries, list) else []):
        name = entry.get("name") if isinstance(entry, Mapping) else None
        if isinstance(name, str):
            if not name or name != " ".join(name.split()):
                yield f'[[{key}]] "{name or f"number {i + 1}"}", field name: empty or with stray spaces'
            if name.casefold() in seen:
                yield f'[[{key}]] "{name}", field name: used twice'
            seen.add(name.casefold())


def _format_place(data: Any, loc: tuple[int | str, ...]) -> str:
    """The place of a fault in words, such as `[[card]] "Wheat", field gain.crops`, from `loc`, the steps that Pydantic gives."""
    entry, here = "", data
    fields: list[str] = []
    for step in loc:
        if isinstance(step, int) and isinstance(here, list) and step < len(here):
            here = here[step]
            name = (
                next((here[one] for one in KEYS if isinstance(here.get(one), str)), None)
                if isinstance(here, Mapping)
                else None
            )
            if entry or not isinstance(here, Mapping):
                fields[-1:] = [f"{fields[-1] if fields else ''} (number {step + 1})"]
            else:
                entry = f'[[{".".join(fields)}]] "{name or f"number {step + 1}"}"'
                fields = []
        elif step != KEY_ITSELF:
            here = here.get(step) if isinstance(here, Mapping) else None
            fields.append(str(step))
    field = ".".join(fields)
    if entry:
        return f"{entry}, field {field}" if field else entry
    return f"field {field}" if field else "the file"


def read_options(data: Mapping[str, Any], source: str) -> dict[str, Option]:
    """{name: option} of the options that a box declares; BoxError names the file `source`."""
    declared = data.get("options", {})
    if not isinstance(declared, Mapping):
        raise BoxError(f"{source}: field options: a table is expected, not {declared!r}")
    for name, entry in declared.items():
        if not isinstance(entry, Mapping):
            raise BoxError(f"{source}: options.{name}: a table with label, text, rule, kind and default is expected")
    return {name: validate_sheet(Option, {**entry, "name": name}, source) for name, entry in declared.items()}


def hash_data(data: Any) -> str:
    """A short fingerprint of plain data (dicts, lists, texts, numbers), equal on every machine."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


MAX_LISTED_ENTRIES = 12
"""Two differing lists of plain values with more entries than this, counted together, are described by their lengths alone."""


def list_box_differences(before: Any, after: Any, where: str = "") -> Iterator[str]:
    """Yield one line for each difference between two boxes: `card "Wheat" gain.crops: 3 → 4`."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in [*before, *(key for key in after if key not in before)]:
            path = f"{where}.{key}" if where and not where.endswith('"') else f"{where} {key}".strip()
            yield from list_box_differences(before.get(key), after.get(key), path)
    elif is_named_list(before) and is_named_list(after):
        old, new = ({entry["name"]: entry for entry in entries} for entries in (before, after))
        for name in [*old, *(name for name in new if name not in old)]:
            label = f'{where} "{name}"'
            if name not in new:
                yield f"− {label} is taken out"
            elif name not in old:
                yield f"+ {label} is new"
            else:
                yield from list_box_differences(old[name], new[name], label)
    elif (
        before != after
        and isinstance(before, list)
        and isinstance(after, list)
        and len(before) + len(after) > MAX_LISTED_ENTRIES
    ):
        yield f"{where}: {len(after)} entries in the place of {len(before)}"
    elif before != after:
        yield f"{where}: {_format_value(before)} → {_format_value(after)}"


def _format_value(value: Any) -> str:
    """A value in words. A table lists its fields that are not empty or 0, as in `{price 1, gain {gold 2}}`; a list its entries."""
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        told = [
            f"{key} {_format_value(inner)}"
            for key, inner in value.items()
            if inner not in (None, 0, "", [], {}) and _format_value(inner) != "{}"
        ]
        return f"{{{', '.join(told)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_format_value, value))}]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
