"""Six Winters, by Phil Lewis and Ziapelta Games: a co-operative campaign of six years (see README.md and guide.md)."""

from sutler.core.definition import Definition
from sutler.games.sixwinters import (
    box,
    check,
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
from sutler.games.sixwinters.bot import evaluate, pruning
from sutler.games.sixwinters.cards import sheet
from sutler.games.sixwinters.rules import campaign
from sutler.games.sixwinters.text import labels, number_breakdowns, prompts

GAME = Definition(
    *(__name__, __file__, phases_actions_events, box, sheet, packing, state, setup, check, scenario_positions),
    *campaign.CHAPTERS,
    campaign,
    *(scoring, observe, evaluate, pruning, view, prompts, labels, number_breakdowns, standing_orders),
)
