"""Market: a small complete game, to learn from. docs/write-a-game.md walks through it."""

from sutler.core.definition import Definition
from sutler.games.market import box, observe, rules, view, words

GAME = Definition(__name__, __file__, box, rules, observe, view, words)
