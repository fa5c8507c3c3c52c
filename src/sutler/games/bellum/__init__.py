"""Bellum se ipsum alet, by Nicholas Hjelmberg: armies that must feed themselves (see README.md and guide.md)."""

from sutler.core.definition import Definition
from sutler.games.bellum import (
    box,
    observe,
    packing,
    phases_actions_events,
    scenario_positions,
    scoring,
    setup,
    standing_orders,
    state,
    view,
)
from sutler.games.bellum.bot import evaluate, evaluation_cache
from sutler.games.bellum.rules import battle, city, feed, march, preparation, retreat, strength, turn
from sutler.games.bellum.text import labels, number_breakdowns

RULES = (preparation, battle, strength, retreat, city, feed, march, turn)
GAME = Definition(
    *(__name__, __file__, phases_actions_events, box, packing, state, setup, scenario_positions),
    *RULES,
    *(scoring, evaluate, evaluation_cache, observe, view, labels, number_breakdowns, standing_orders),
)
