"""Medieval Manor, by Warpspawn Games: cards on a shared map, trading, feeding peasants. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.manor import (
    box,
    deals,
    evaluate,
    midway,
    notes,
    observe,
    orders,
    packing,
    position,
    scoring,
    state,
    table,
    view,
    words,
)
from sutler.games.manor.rules import convert, draw, ending, feeding, sale, theft, trade, turn, upgrade, work

RULES = (draw, trade, work, sale, convert, theft, upgrade, feeding, ending, turn)
GAME = Definition(
    *(__name__, __file__, table, box, packing, state),
    *RULES,
    *(scoring, evaluate, notes, midway, deals, observe, view, words, orders, position),
)
