"""Three Years of War, by Jay Little: bidding for the least bad share of each season. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.threeyears import (
    box,
    observe,
    packing,
    phases_actions_events,
    scenario_positions,
    scoring,
    standing_orders,
    state,
    view,
)
from sutler.games.threeyears.bot import evaluate, season_start_win_chance
from sutler.games.threeyears.rules import claims, gains, icons, influence, interludes, scouting, stakes, turn
from sutler.games.threeyears.text import labels

RULES = (influence, stakes, claims, gains, icons, scouting, interludes, turn)
GAME = Definition(
    __name__,
    __file__,
    phases_actions_events,
    box,
    packing,
    state,
    *RULES,
    scoring,
    evaluate,
    season_start_win_chance,
    observe,
    view,
    labels,
    standing_orders,
    scenario_positions,
)
