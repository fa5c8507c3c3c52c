"""Names for the rows of the table of operations, as files write them, such as `Tripwire enter, step 1`.

A row's number follows from the order in which a sheet's effects are packed (`packing.py`); the order is told here a second time, and a test
compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sutler.games.sixwinters import box as b
from sutler.games.sixwinters.cards.vocabulary import Op

MOMENT_OF = {
    "passive": b.MOMENT.standing,
    "leave": b.MOMENT.standing,
    "enter": b.MOMENT.enter,
    "activation": b.MOMENT.activation,
    "overcome": b.MOMENT.overcome,
    "action": b.MOMENT.action,
    "free": b.MOMENT.free,
    "enter_play": b.MOMENT.enter_play,
}
"""The moment at which an effect happens, by the word that a card entry uses for it."""
WORDS_OF_MOMENTS = ("standing", "enter", "activation", "overcome", "action", "free", "enter play")


def list_row_names(sheet: Any) -> list[str]:
    """The name of each row of the table of operations, for a checked sheet; row 0, which is no operation, is called "none"."""
    names = ["none"]
    for label, ops in _iter_operation_lists(sheet):
        _append_operation_names(names, label, ops)
    return names


def _append_operation_names(names: list[str], label: str, ops: Sequence[Op]) -> None:
    """Append the names of a list of operations, and behind them those of the operations inside each."""
    names += [f"{label}, step {i + 1}" for i in range(len(ops))]
    for i, op in enumerate(ops):
        for k, inner in enumerate(op.options if op.options else [op.ops] if op.ops else []):
            _append_operation_names(names, f"{label}, step {i + 1}, option {k + 1}", inner)


def _iter_operation_lists(sheet: Any) -> Iterator[tuple[str, Sequence[Op]]]:
    """(label, operations) of every effect, in the order of packing."""
    for card in (*sheet.obstacle, *sheet.location):
        for moment, word in enumerate(WORDS_OF_MOMENTS):
            yield f"{card.name} {word}", [op for one in card.effect if MOMENT_OF[one.when] == moment for op in one.ops]
    for card in sheet.mission:
        for side in ("base", "difficult"):
            yield f"{card.name} setup {side}", [op for line in card.setup if line.at == side for op in line.ops]
        yield f"{card.name} passed", [op for line in card.passed for op in line.ops]
        yield f"{card.name} failed", [op for line in card.failed for op in line.ops]
    for card in sheet.character:
        for k, one in enumerate(card.ability):
            yield f"{card.name} ability {k + 1}", one.ops if one.ruling is None else one.ruling.ops
    for one in sheet.campaign_effect:
        yield f"effect {one.name}", one.ops
    for one in sheet.reserve_action:
        yield f"reserve {one.name}", one.ops
    for scheme in sheet.scheme:
        for one in scheme.effect:
            yield f"scheme {scheme.name} {one.value}", one.ops
    for one in sheet.event:
        yield f"event {one.name} {one.season} {one.symbols}", one.ops
    for card in sheet.character:
        for k, one in enumerate(card.ability):
            if one.ruling is not None:
                yield f"{card.name} ability {k + 1} as printed", one.ops
