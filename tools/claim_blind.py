"""A standing opponent for Three Years of War: a bidder that never looks at the claim cards.

    sutler tournament threeyears --bots greedy,tools/claim_blind.py:after=1
    python tools/auction.py --seats 4 --blind 1

Bots that weigh the claims ought to beat it; where it beats them, either they bid badly or the claims are not worth bidding for.
"""

from __future__ import annotations

from dataclasses import dataclass

from sutler.bots.greedy import GreedyBot
from sutler.core.actions import Action
from sutler.core.seat import SeatView
from sutler.games.threeyears.rules.influence import icons_needed, n_in_set
from sutler.games.threeyears.state import n_passed


@dataclass(frozen=True)
class ClaimBlind:
    """Plays the smallest set it can until so many seats have passed, then passes; all else it leaves to the greedy bot.

    after: how many must have passed; 0 passes at once, 1 is never the first to pass while it can help it.
    """

    name = "claim-blind"

    after: int = 1

    def choose(self, view: SeatView) -> Action:
        """Bid by the number of seats out."""
        sets = [action for action in view.actions() if action.block == "play"]
        passing = [action for action in view.actions() if action.block == "give_up"]
        if not passing:
            return GreedyBot().choose(view)
        state = view.redeal()
        if not sets or n_passed(state) >= self.after:
            return passing[0]
        return min(sets, key=lambda action: n_in_set(int(icons_needed(state, action.args[0])), action.args[1]))
