"""The differences between two boxes, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sutler.core.files.box import is_named_list

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
