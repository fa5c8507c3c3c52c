"""WARFARM, by Lixin You and her team: three farms, tokens, cards, raids and traps. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.warfarm import box, evaluate, positions, rules, scoring, state, view
from sutler.games.warfarm.rules import common, refusals

GAME = Definition(__name__, __file__, box, state, common, rules, refusals, scoring, evaluate, view, positions)
