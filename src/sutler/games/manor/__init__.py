"""Medieval Manor, by Warpspawn Games: cards on a shared map, trading, feeding peasants. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.manor import box, evaluate, scoring, state, table, view
from sutler.games.manor.rules import draw, ending, feeding, trade, turn, upgrade, work

RULES = (draw, trade, work, upgrade, feeding, ending, turn)
GAME = Definition(__name__, __file__, table, box, state, *RULES, scoring, evaluate, view)
