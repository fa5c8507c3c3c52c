"""Oware: two seats, twelve houses, forty-eight seeds."""

from sutler.core.definition import Definition
from sutler.games.oware import box, rules, view, words

GAME = Definition(__name__, __file__, box, rules, view, words)
