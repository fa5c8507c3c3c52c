"""Medieval Manor, by Warpspawn Games: cards on a shared map, trading, feeding peasants. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.manor import (
    box,
    observe,
    packing,
    phases_actions_events,
    scenario_positions,
    scoring,
    standing_orders,
    state,
    view,
)
from sutler.games.manor.bot import deals, evaluate, evaluation_cache, sale_pruning
from sutler.games.manor.rules import convert, draw_phase, ending, feeding, sale, theft, trade, turn, upgrade, work
from sutler.games.manor.text import labels

RULES = (draw_phase, trade, work, sale, convert, theft, upgrade, feeding, ending, turn)
GAME = Definition(
    *(__name__, __file__, phases_actions_events, box, packing, state),
    *RULES,
    *(
        scoring,
        evaluate,
        evaluation_cache,
        sale_pruning,
        deals,
        observe,
        view,
        labels,
        standing_orders,
        scenario_positions,
    ),
)
