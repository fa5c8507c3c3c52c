"""Personas: bots with one plan of a game, such as the monk of WARFARM. Where the plan says nothing they are the greedy bot.

A game brings its own in `personas.py`: their names in `PLANS`, and the rule `wants(box, state, plan, legal, out)`, which puts into
`out` those of the legal actions that the plan would take. They are what newer bots are tried against: no plan ought to beat them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sutler.bots.greedy import NODES_IN_PLAIN
from sutler.bots.kit import Compiled, Settings
from sutler.bots.kit.records import scale_of
from sutler.core.bits import assign, clear, count, first_from, is_empty
from sutler.core.game import Game
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import best_of, greedy_choice, greedy_values
    from sutler.bots.kit.nothing import want_nothing as wants


@dataclass(frozen=True)
class Persona(Compiled):
    """One plan of a game. plan: its name; redeals, nodes: as the greedy bot's.

    lean: by how much more than it brings, in parts of the game's SCALE, the plan holds what it wants; 0: it does that whatever it costs.
    """

    plan: str = ""
    redeals: int = 1
    nodes: int = 200
    lean: float = 0.0

    def __post_init__(self) -> None:
        if self.lean < 0:
            raise ValueError(
                "a persona's lean is 0 or more: 0 is the plan whatever it costs, 0.5 a clear lead given for it by half"
            )

    def fitted(self, game: Game) -> Any:
        """While rules run as plain Python it looks at less: nobody waits at the table for plain Python."""
        few = replace(self, redeals=1, nodes=min(self.nodes, NODES_IN_PLAIN))
        return (few if game.definition.home.interpreted else self).packed(game)

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
        bot.own[0], bot.own[1] = plans.index(self.plan), self.lean * scale_of(game.definition)
        return bot


@rule
def leaning_choice(box: Any, desk: Any, bot: Any, luck: Any) -> Any:
    """The greedy bot's decision, where what the plan wants is worth `bot.own[1]` more."""
    if greedy_values(box, desk, bot, luck) == 1:
        return first_from(desk.greedy.options.ids, 0)
    wanted = desk.search.fresh.ids  # nobody searches meanwhile
    clear(wanted)
    wants(box, desk.world, int(bot.own[0]), desk.out.ids, wanted)
    action = first_from(wanted, 0)
    while action >= 0:
        desk.greedy.value[action] += bot.own[1]
        action = first_from(wanted, action + 1)
    return best_of(desk.greedy.value, desk.greedy.options, luck, 0.0)


@rule
def decide(box: Any, desk: Any, bot: Any, luck: Any) -> Any:
    """What the plan wants; among several such things, and where it wants nothing, what the greedy bot would.

    With a lean it is the greedy bot's decision, what the plan wants being held so much dearer.
    """
    if bot.own[1] > 0.0:
        return leaning_choice(box, desk, bot, luck)
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
