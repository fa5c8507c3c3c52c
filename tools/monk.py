"""A standing opponent for WARFARM: it prays and raids.

    sutler tournament warfarm --bots greedy,tools/monk.py

It begins with Religion, takes Religion whenever it may choose, makes a Disciple of every Farmer it can, and sends them all, every
turn, to the neighbour with the fewest Soldiers; everything else it leaves to the greedy bot. Bots that know what a Disciple takes,
and what a Soldier on guard is for, ought to beat it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sutler.bots.greedy import GreedyBot
from sutler.core.actions import Action
from sutler.core.seat import SeatView
from sutler.games.warfarm.box import DISCIPLE, FARMER, FARMLAND, RELIGION, SEATS, SOLDIER, THINGS


@dataclass(frozen=True)
class Monk:
    """Prays and raids.

    keeps: so many Farmers stay what they are; hoard: so much loose Religion is enough for it to choose other things.
    """

    name = "monk"

    keeps: int = 1
    hoard: int = 3

    def choose(self, view: SeatView) -> Action:
        """By its plan where it has one."""
        by_block: dict[str, list[Action]] = {}
        for action in view.actions():
            by_block.setdefault(action.block, []).append(action)
        state = view.redeal()
        me = state.seats[view.seat]
        return self._planned(view, state, me, by_block) or GreedyBot().choose(view)

    def _planned(self, view: SeatView, state: Any, me: Any, by_block: dict[str, list[Action]]) -> Action | None:
        wanted = [action for action in by_block.get("begin", []) if THINGS[action.args[0]] == RELIGION]
        if me.goods[RELIGION] < self.hoard:
            wanted += [action for action in by_block.get("take", []) if THINGS[action.args[0]] == RELIGION]
        if me.goods[FARMER] > self.keeps:
            wanted += [action for action in by_block.get("build", []) if action.args[0] == DISCIPLE - FARMER - 1]
        if by_block.get("raid") and len(view.legal) > 1:
            farmers = by_block.get("unit", [])
            wanted += farmers if me.goods[FARMER] < me.goods[FARMLAND] else by_block["raid"]
        if wanted:
            return wanted[0]
        sends = by_block.get("send", [])
        return min(sends, key=lambda action: self._soldiers(state, action.args[0])) if sends else None

    def _soldiers(self, state: Any, host: int) -> tuple[int, int]:
        """The neighbour with the fewest Soldiers, and of these the one with the most Farmland."""
        them = state.seats[host % SEATS]
        return int(them.goods[SOLDIER]), -int(them.goods[FARMLAND])
