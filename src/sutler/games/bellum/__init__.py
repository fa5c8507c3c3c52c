"""Bellum se ipsum alet, by Nicholas Hjelmberg: armies that must feed themselves. See README.md, guide.md."""

from sutler.core.definition import Definition
from sutler.games.bellum import box, evaluate, rules, scoring, state, view
from sutler.games.bellum.rules import common, refusals

GAME = Definition(__name__, __file__, box, state, common, rules, refusals, scoring, evaluate, view)
