"""Six Winters, by Phil Lewis and Ziapelta Games: a co-operative campaign of six years. See README.md and guide.md."""

from sutler.core.game import Definition
from sutler.games.sixwinters import box, evaluate, observe, packing, rules, scoring, state, table, view, words
from sutler.games.sixwinters.rules import abilities, actions, cards, choices, ending, heroes, overcome, payments, preparation
from sutler.games.sixwinters.rules import effects_ability, turn

GAME = Definition(
    __name__,
    __file__,
    table,
    box,
    packing,
    state,
    effects_ability,
    choices,
    heroes,
    actions,
    cards,
    abilities,
    overcome,
    turn,
    ending,
    payments,
    preparation,
    rules,
    scoring,
    observe,
    evaluate,
    view,
    words,
)
