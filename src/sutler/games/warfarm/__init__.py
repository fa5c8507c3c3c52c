"""WARFARM, by Lixin You and her team: three farms, tokens, cards, raids and traps. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.warfarm import (
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
from sutler.games.warfarm.bot import evaluate
from sutler.games.warfarm.rules import (
    attack,
    build,
    chosen_units,
    exploring_and_turn_end,
    karma,
    picking,
    play,
    posts,
    targets,
    traps,
    turn,
    upkeep,
    use,
    winning,
)
from sutler.games.warfarm.text import labels

RULES = (
    turn,
    upkeep,
    play,
    use,
    chosen_units,
    build,
    posts,
    attack,
    targets,
    karma,
    picking,
    exploring_and_turn_end,
    traps,
    winning,
)
GAME = Definition(
    *(__name__, __file__, phases_actions_events, box, packing, state),
    *RULES,
    *(scoring, evaluate, observe, view, labels, standing_orders, scenario_positions),
)
