"""The number of dice still to be placed to complete a progress card, for a die of each value on each cell (guide 6.1).

It is computed once, when the box is packed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sutler.games.sixwinters.box import CELLS, FACES, NO_END, RELATION, SIDE

Cell = tuple[bool, int, int]  # whether the cell exists, its value, the required relation to the die before
STEP = {RELATION.plus_one: 1, RELATION.minus_one: -1, RELATION.equal: 0}
"""The difference to the value of the die before, by the relation printed on a cell."""


def fill_dice_needed(card: Any) -> None:
    """Fill the table `need` of a card: for a die of each value on each cell, the number of further dice that complete the card.

    The end cell needs 0; any other cell one more than the best of the cells and values that may come next. NO_END: no dice can complete
    the card from there.
    """
    cells = [(bool(cell.there), int(cell.value), int(cell.relation)) for cell in card.cells]
    start, end = int(card.start), int(card.end)
    places = [(n, v) for n in range(CELLS) for v in accepted_values(cells[n])]
    after = {place: list(next_cells_and_values(cells, start, *place)) for place in places}
    need = {place: 0 if place[0] == end else NO_END for place in places}
    while True:
        better = {one: min([need[one], *(need[other] + 1 for other in after[one])]) for one in places}
        if better == need:
            break
        need = better
    card.need[:] = NO_END
    for (n, v), least in need.items():
        card.need[n][v - 1] = least


def accepted_values(cell: Cell) -> Iterator[int]:
    """The die values that a cell accepts, whatever die was put before it."""
    there, value, _ = cell
    return (v for v in range(1, FACES + 1) if there and value in (0, v))


def next_cells_and_values(cells: Sequence[Cell], start: int, cell: int, value: int) -> Iterator[tuple[int, int]]:
    """The (cell, value) pairs that may follow a die of value `value` on `cell`.

    A path never returns to its start cell.
    """
    for n in range(CELLS):
        beside = abs(n // SIDE - cell // SIDE) <= 1 and abs(n % SIDE - cell % SIDE) <= 1
        if beside and n not in (cell, start):
            for w in accepted_values(cells[n]):
                step = STEP.get(cells[n][2])
                if step is None or w == value + step:
                    yield n, w
