"""Three Years of War, by Jay Little: bidding for the least bad share of each season. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.threeyears import (
    box,
    evaluate,
    observe,
    orders,
    outlook,
    packing,
    position,
    scoring,
    state,
    table,
    view,
    words,
)
from sutler.games.threeyears.rules import claims, gains, icons, influence, interludes, scouting, stakes, turn

RULES = (influence, stakes, claims, gains, icons, scouting, interludes, turn)
GAME = Definition(
    __name__,
    __file__,
    table,
    box,
    packing,
    state,
    *RULES,
    scoring,
    evaluate,
    outlook,
    observe,
    view,
    words,
    orders,
    position,
)
