"""Parses TOML files from users within a limit of cost, and writes values as TOML.

`tomllib` takes time and memory that grow with the square of the parts of a dotted key, recurses with the depth of
brackets, and refuses very long whole numbers with an error that is no TOML error. A single file of 40 kB can keep a
core busy for seconds; such files are refused here by a scan that looks at each character once.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

MAX_KEY_PARTS = 32
MAX_DEPTH = 32
"""The deepest nesting of brackets."""
MAX_DIGITS = 64
"""The most digits in a row, outside of strings."""
MAX_DOTTED_KEYS = 20_000
"""The most dots outside of strings in a whole file."""

_TOKENS = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)'  # strings over several lines, and of one line; those that never end reach the end
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*(?:"|$)'
    r"|'[^'\n]*(?:'|$)"
    r"|\#[^\n]*"
    rf"|(?P<digits>[0-9][0-9_]{{{MAX_DIGITS},}}|0[xob][0-9A-Fa-f_]{{{MAX_DIGITS},}})"
    r"|(?P<mark>[\n=,{}\[\].])",
    re.DOTALL | re.MULTILINE,
)


class TomlError(ValueError):
    """A text that is no TOML, or one that would cost too much to read; the message says why and where."""


def parse_toml(text: str, bounded: bool = True) -> dict[str, Any]:
    """The tables of a TOML text as plain data; TomlError if the text is not TOML or, with `bounded`, would cost too much to read.

    `bounded` may be off for files on this machine's own disk, which then need not be scanned first.
    """
    if bounded:
        _check_cost(text)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError, OverflowError, MemoryError, TypeError, KeyError, IndexError) as error:
        raise TomlError(str(error) or type(error).__name__) from None


def read_toml_file(path: Path) -> dict[str, Any]:
    """The tables of a TOML file on this machine's disk. TomlError for its content, OSError where it cannot be read."""
    try:
        return parse_toml(path.read_bytes().decode("utf-8-sig"), bounded=False)
    except UnicodeDecodeError as error:
        raise TomlError(f"not text in UTF-8 (byte {error.start + 1})") from None


def to_toml_value(value: Any) -> str:
    """A value written as TOML on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{to_toml_key(key)} = {to_toml_value(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(to_toml_value(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def to_toml_key(key: str) -> str:
    """A key written as TOML, in quotes where it needs them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _check_cost(text: str) -> None:
    """Raise TomlError where parsing would cost too much: keys with many parts, deep nesting, very long numbers."""
    parts = dots = depth = 0
    for found in _TOKENS.finditer(text):
        if found["digits"]:
            raise _build_cost_error(text, found, f"a number of more than {MAX_DIGITS} digits")
        mark = found["mark"]
        if mark is None:
            continue
        if mark == ".":
            parts, dots = parts + 1, dots + 1
            if parts >= MAX_KEY_PARTS:
                raise _build_cost_error(text, found, f"a key of more than {MAX_KEY_PARTS} parts")
            if dots > MAX_DOTTED_KEYS:
                raise _build_cost_error(text, found, f"more than {MAX_DOTTED_KEYS:,} dotted keys")
            continue
        parts = 0
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise _build_cost_error(text, found, f"brackets more than {MAX_DEPTH} deep")
        elif mark in "]}":
            depth = max(depth - 1, 0)


def _build_cost_error(text: str, found: re.Match[str], what: str) -> TomlError:
    """The TomlError that says what in the text would cost too much to parse, with its line."""
    return TomlError(f"line {text.count(chr(10), 0, found.start()) + 1}: {what}")
