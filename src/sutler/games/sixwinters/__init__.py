"""Six Winters, by Phil Lewis and Ziapelta Games: a co-operative campaign of six years. See README.md and guide.md."""

from sutler.core.definition import Definition
from sutler.games.sixwinters import (
    box,
    evaluate,
    observe,
    packing,
    picture,
    prompts,
    scoring,
    sensible,
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
    effects_ability,
    ending,
    heroes,
    overcome,
    payments,
    preparation,
    turn,
)

RULES = (
    *(preparation, turn, actions, abilities, effects_ability, cards, overcome, choices, payments, heroes, ending),
    campaign,
)

GAME = Definition(
    *(__name__, __file__, table, box, packing, state),
    *RULES,
    *(scoring, observe, evaluate, sensible, picture, prompts, words),
)
