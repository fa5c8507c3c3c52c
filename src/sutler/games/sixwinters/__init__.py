"""Six Winters, by Phil Lewis and Ziapelta Games: a co-operative campaign of six years (see README.md and guide.md)."""

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
from sutler.games.sixwinters.rules import campaign
from sutler.games.sixwinters.text import labels, prompts, sums

GAME = Definition(
    *(__name__, __file__, table, box, sheet, packing, state, setup, check, positions),
    *campaign.CHAPTERS,
    campaign,
    *(scoring, observe, evaluate, pruning, picture, prompts, labels, sums, orders),
)
