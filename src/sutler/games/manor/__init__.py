"""Medieval Manor, by Warpspawn Games: cards on a shared map, trading, feeding peasants. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.manor import box, evaluate, rules, scoring, state, view
from sutler.games.manor.rules import common, refusals

GAME = Definition(__name__, __file__, box, state, common, rules, refusals, scoring, evaluate, view)
