"""Six Winters, by Phil Lewis and Ziapelta Games: a co-operative campaign of six years. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.sixwinters import (
    box,
    check,
    observe,
    orders,
    packing,
    picture,
    positions,
    scoring,
    setup,
    state,
    table,
)
from sutler.games.sixwinters.bot import evaluate, pruning
from sutler.games.sixwinters.cards import sheet
from sutler.games.sixwinters.rules import (
    abilities,
    actions,
    campaign,
    cards,
    common,
    creating,
    ending,
    heroes,
    overcome,
    payments,
    preparation,
    tracks,
    turn,
)
from sutler.games.sixwinters.rules.effects import ability
from sutler.games.sixwinters.text import labels, prompts, sums

RULES = (
    *(preparation, turn, actions, creating, abilities, ability, cards, overcome, common, payments, heroes),
    *(tracks, ending, campaign),
)

GAME = Definition(
    *(__name__, __file__, table, box, sheet, packing, state, setup, check, positions),
    *RULES,
    *(scoring, observe, evaluate, pruning, picture, prompts, labels, sums, orders),
)
