"""Market: a small complete game, to learn from. docs/write-a-game.md walks through it."""

from sutler.core.definition import Definition
from sutler.games.market import box, labels, observe, rules, view

GAME = Definition(__name__, __file__, box, rules, observe, view, labels)
