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
    choices,
    creating,
    effects_ability,
    ending,
    heroes,
    overcome,
    party,
    payments,
    preparation,
    reaction,
    scheme,
    settling,
    shared_card,
    stashing,
    trading,
    turn,
)

RULES = (
    *(preparation, party, turn, actions, creating, trading, stashing, abilities, effects_ability, cards, shared_card),
    *(overcome, reaction, choices, payments, heroes, scheme, settling, ending),
    campaign,
)

GAME = Definition(
    *(__name__, __file__, table, box, sheet, packing, state, setup, check, positions),
    *RULES,
    *(scoring, observe, evaluate, sensible, picture, prompts, words, account, orders),
)
