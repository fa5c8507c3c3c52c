"""Bellum se ipsum alet, by Nicholas Hjelmberg: armies that must feed themselves. See README.md, guide.md."""

from sutler.core.definition import Definition
from sutler.games.bellum import (
    box,
    evaluate,
    levels,
    notes,
    observe,
    orders,
    packing,
    positions,
    scoring,
    setup,
    state,
    table,
    view,
    words,
)
from sutler.games.bellum.rules import battle, city, feed, march, preparation, retreat, strength, turn

RULES = (preparation, battle, strength, retreat, city, feed, march, turn)
GAME = Definition(
    *(__name__, __file__, table, box, packing, state, setup, positions),
    *RULES,
    *(scoring, evaluate, notes, observe, view, words, levels, orders),
)
