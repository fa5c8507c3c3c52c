"""Personas: bots with one plan of a game, such as the monk of WARFARM. Where the plan says nothing they are the greedy bot.

A game brings its own in `personas.py`: their names in `PLANS`, and the rule `wants(box, state, plan, legal, out)`, which puts into
`out` those of the legal actions that the plan would take. They are what newer bots are tried against: no plan ought to beat them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.bots.kit import Compiled, Settings
from sutler.core.bits import assign, clear, count, first_from, is_empty
from sutler.core.game import Game
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice
    from sutler.bots.kit import want_nothing as wants


@dataclass(frozen=True)
class Persona(Compiled):
    """One plan of a game. plan: its name; redeals, nodes: as the greedy bot's."""

    plan: str = ""
    redeals: int = 1
    nodes: int = 200

    @property
    def name(self) -> str:
        """The plan's."""
        return self.plan

    def packed(self, game: Game) -> Any:
        """The record, with the plan's number. ValueError where the game knows no such plan."""
        plans = game.definition.plans
        if self.plan not in plans:
            there = f"it has {', '.join(plans)}" if plans else "it has none"
            raise ValueError(f"{game.name} has no persona {self.plan!r}; {there}")
        bot = Settings.packed(self, game)
        bot.own[0] = plans.index(self.plan)
        return bot


@rule
def decide(box: Any, desk: Any, bot: Any, luck: Any) -> Any:
    """What the plan wants; among several such things, and where it wants nothing, what the greedy bot would."""
    legal = desk.search.fresh.ids  # nobody searches meanwhile
    wanted = desk.out.ids
    assign(legal, wanted)
    clear(wanted)
    wants(box, desk.world, int(bot.own[0]), legal, wanted)
    if is_empty(wanted):
        assign(wanted, legal)
    action = first_from(wanted, 0)
    if count(wanted) > 1:
        action = greedy_choice(box, desk, bot, luck)
    assign(wanted, legal)
    return action
