"""The numbers by which bots of Six Winters value things: `NUMBERS` is the record, `WEIGHTS` the row that `evaluate.py` uses.

What was never tuned stands as a plain number where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import field, record
from sutler.core.weights import weights
from sutler.games.sixwinters.box import N_SKILLS, RES

TO_TRADE = 0.344  # how far a die is off (see `plan`): one of another pool fits, and the wheel turns it into this one

if TYPE_CHECKING:
    from sutler.core.typing import Row

    class Numbers:
        """A row of `NUMBERS`."""

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


RANKS = 6  # none to five
NUMBERS = record(
    "Numbers",
    field("step", "f8", RES),  # of progress, by resource
    field("skill", "f8", N_SKILLS),  # how much a skill's ranks count
    field("rank", "f8", RANKS),  # so many ranks in a skill
    ("lore_last", "f8"),  # a rank of Lore in the last year, which The Severing asks for
    ("trade", "f8"),  # action dice for a die of another pool that the wheel turns into the one that fits
    ("way", "f8"),  # an action die spent on the way to where the next die of a card comes cheaper
    ("shy", "f8"),  # of what any fight brings, what a bot does not see in it
    ("calm_end", "f8"),  # of the care for stress, in the last turn of a session
    ("next_year", "f8"),  # turns more for which a threat tag too many counts: obstacles stay
    ("far", "f8"),  # of what a final mission asks for before its obstacles
    ("winning", "f8"),  # points, beside those of the score: a mission that wins the campaign
    ("newcomer", "f8"),  # a character that joins: of what it can do, for each year to come
)
WEIGHTS: Numbers = weights(
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
)
