"""Six Winters, by Phil Lewis and Ziapelta Games: a co-operative campaign of six years. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.sixwinters import (
    account,
    box,
    check,
    evaluate,
    observe,
    orders,
    packing,
    picture,
    positions,
    prompts,
    scoring,
    sensible,
    setup,
    sheet,
    state,
    table,
    words,
)
from sutler.games.sixwinters.rules import (
    abilities,
    actions,
    campaign,
    cards,
    common,
    creating,
    effects_ability,
    ending,
    heroes,
    overcome,
    payments,
    preparation,
    tracks,
    turn,
)

RULES = (
    *(preparation, turn, actions, creating, abilities, effects_ability, cards, overcome, common, payments, heroes),
    *(tracks, ending, campaign),
)

GAME = Definition(
    *(__name__, __file__, table, box, sheet, packing, state, setup, check, positions),
    *RULES,
    *(scoring, observe, evaluate, sensible, picture, prompts, words, account, orders),
)
