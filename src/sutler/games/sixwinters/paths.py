"""How many dice a progress card still needs (guide 6.1): counted once for every cell and value, when the box is packed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.games.sixwinters.box import CELLS, EQUAL, FACES, MINUS_ONE, NEVER, PLUS_ONE, SIDE

STEP = {PLUS_ONE: 1, MINUS_ONE: -1, EQUAL: 0}


def count_need(card: Any) -> None:
    """Fill `need`: 0 on the end cell; elsewhere one more than the best of the cells and values that may come next."""
    card.need[:] = NEVER
    places = [(cell, v) for cell in range(CELLS) for v in values(card.cells[cell])]
    for cell, v in places:
        if cell == card.end:
            card.need[cell][v - 1] = 0
    for _ in range(CELLS * FACES):
        before = card.need.copy()
        for cell, v in places:
            least = min((int(card.need[n][w - 1]) for n, w in following(card, cell, v)), default=NEVER)
            card.need[cell][v - 1] = min(int(card.need[cell][v - 1]), least + 1)
        if (card.need == before).all():
            return


def values(cell: Any) -> Iterator[int]:
    """The values that a cell takes, whatever lies before it."""
    for v in range(1, FACES + 1):
        if cell.there and cell.value in (0, v):
            yield v


def following(card: Any, cell: int, v: int) -> Iterator[tuple[int, int]]:
    """The cells and values that may follow a die of value v; no path comes back to where it began."""
    for n in range(CELLS):
        beside = abs(n // SIDE - cell // SIDE) <= 1 and abs(n % SIDE - cell % SIDE) <= 1
        if beside and n not in (cell, card.start):
            for w in values(card.cells[n]):
                step = STEP.get(int(card.cells[n].relation))
                if step is None or w == v + step:
                    yield n, w
