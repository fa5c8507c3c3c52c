"""Oware: two seats, twelve houses, forty-eight seeds."""

from sutler.core.definition import Definition
from sutler.games.oware import box, labels, rules, view

GAME = Definition(__name__, __file__, box, rules, view, labels)
