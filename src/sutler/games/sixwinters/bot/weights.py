"""The weights of the bots of Six Winters: `NUMBERS` is the record, `WEIGHTS` its row for a campaign.

`LAST_WEIGHTS` is the row for the last session of a shorter game. A weight that both have alike is a constant in the module that uses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import build_weights, field, record
from sutler.games.sixwinters.box import N_SKILLS, RES

if TYPE_CHECKING:
    from sutler.core.typing import Row

    class Numbers:
        """The weights as a record: a row of `NUMBERS`."""

        step: Row[float]
        skill: Row[float]
        rank: Row[float]
        lore_last: float
        trade: float
        way: float
        shy: float
        calm_end: float
        next_year: float
        far: float
        winning: float
        newcomer: float
        symbol: float
        die: float
        to_create: float
        to_roll: float
        empty: float
        another_place: float
        trapped: float
        to_trade: float


RANKS = 6  # a skill has rank 0 to 5
NUMBERS = record(
    "Numbers",
    field("step", "f8", RES),  # the worth of a step of progress, by resource
    field("skill", "f8", N_SKILLS),  # how much a skill's ranks count
    field("rank", "f8", RANKS),  # the worth of a skill, by its rank
    ("lore_last", "f8"),  # a rank of Lore in the last year, which The Severing asks for
    ("trade", "f8"),  # action dice for a die of another pool that the wheel turns into the one that fits
    ("way", "f8"),  # an action die spent on the way to where the next die of a card comes cheaper
    ("shy", "f8"),  # the unseen cost of any fight
    ("calm_end", "f8"),  # the share of the care for stress that is left in the last turn of a session
    ("next_year", "f8"),  # how many turns more a threat tag too many counts, because obstacles stay for the next year
    ("far", "f8"),  # the weight of the work that a final mission asks for before its obstacles
    ("winning", "f8"),  # points beyond those of the score for a mission that wins the campaign
    ("newcomer", "f8"),  # the share of its printed worth that a new character is worth for each year to come
    ("symbol", "f8"),  # a symbol of a mission that is filled
    ("die", "f8"),  # a die still to be found for a card
    # The cost of the next die of a card, in action dice, at the place where a character stands:
    ("to_create", "f8"),  # the pool has one, and there is an action die for it
    ("to_roll", "f8"),  # the pool has dice, none of which fits
    ("empty", "f8"),  # the pool is empty now, but it is the right place
    ("another_place", "f8"),  # another place is needed
    ("trapped", "f8"),  # another place is needed, and it can be reached only by way of a third
    ("to_trade", "f8"),  # below this cost no trade is needed
)
WEIGHTS: Numbers = build_weights(
    NUMBERS,
    step=(0.592, 0.96, 0.997, 1.38, 0.748, 16.4),  # Sorcery opens The Severing, which wins
    skill=(0.68, 0.82, 0.828, 0.405, 0.662, 0.841, 0.512, 0.62),
    rank=(0.0, 0.658, 0.822, 0.993, 2.44, 2.73),
    lore_last=1.29,
    trade=2.16,
    way=1.11,
    shy=0.0,
    calm_end=0.498,
    next_year=1.26,
    far=1.62,
    winning=77.0,
    newcomer=0.0157,
    symbol=0.584,
    die=0.74,
    to_create=1.5,
    to_roll=1.04,
    empty=2.55,
    another_place=2.28,
    trapped=4.31,
    to_trade=0.344,
)
CHANGED_IN_LAST = {
    "step": (2.28, 0.13, 0.03, 0.41, 0.68, 0.95),
    "trade": 4.72,
    "symbol": 46.0,
    "die": 2.66,
    "to_create": 0.3,
    "to_roll": 9.2,
    "empty": 43.6,
    "another_place": 8.2,
    "trapped": 33.5,
    "to_trade": 2.48,
}
"""The weights that differ in the last session of a game that ends before the campaign: its missions count, and the dice for their symbols.

Tuned as `studies/best_response.py` does, over first years with one and two seats, for missions passed instead of campaigns won. In a
campaign these numbers would neglect the years to come.
"""
LAST_WEIGHTS: Numbers = build_weights(
    NUMBERS, **{one.name: getattr(WEIGHTS, one.name) for one in NUMBERS.fields} | CHANGED_IN_LAST
)
