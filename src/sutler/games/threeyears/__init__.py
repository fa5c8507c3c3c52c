"""Three Years of War, by Jay Little: bidding for the least bad share of each season. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.threeyears import box, evaluate, position, rules, scoring, state, view
from sutler.games.threeyears.rules import common, refusals

GAME = Definition(__name__, __file__, box, state, common, rules, refusals, scoring, evaluate, view, position)
