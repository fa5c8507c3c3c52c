"""Personas: bots that follow one plan of a game, such as the monk of WARFARM, and decide like the greedy bot where the plan is silent.

A game defines its personas in `bot/personas.py`: their names in `PLANS`, and the rule `wants(box, state, plan, legal, out)`, which puts
the legal actions that the plan would take into `out`. New bots are tested against them: no simple plan ought to beat a bot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sutler.bots.greedy import NODES_IN_PLAIN
from sutler.bots.kit import Compiled, Settings, find_only_action, get_kit, replace_illegal_action
from sutler.bots.kit.records import OWN, find_scale
from sutler.core.actions import Action
from sutler.core.bits import assign, clear, count, first_from, is_empty, members
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import best_of, greedy_choice, greedy_values
    from sutler.bots.kit.default_rules import want_no_action as wants


@dataclass(frozen=True)
class Persona(Compiled):
    """The bot that follows one plan of a game.

    plan: the plan's name. lean: bonus, in units of the game's SCALE, for actions that the plan wants; 0: they are taken at any cost.
    redeals, nodes: see `GreedyBot`.
    """

    kind = OWN  # `choose` decides as the rule below does

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
        """The record for one decision at a table: with fewer positions to look at as long as the rules are not compiled."""
        few = replace(self, redeals=1, nodes=min(self.nodes, NODES_IN_PLAIN))
        return (few if game.definition.home.interpreted else self).packed(game)

    def choose(self, view: SeatView) -> Action:
        """The action that the rule `decide` below would take.

        Here the plan runs as plain Python and only the greedy part is compiled code, so that nobody at a table has to wait until this
        file is compiled too.
        """
        if only := find_only_action(view):
            return only
        kit, bot = get_kit(view.game), self.fitted(view.game)
        scratch = kit.scratch_for_view(view)
        wanted = self._find_wanted_actions(view, scratch)
        if len(wanted) == 1 and not self.lean:
            return view.game.action_names[replace_illegal_action(view, wanted[0])]
        if wanted and not self.lean:
            assign(scratch.out.ids, scratch.search.fresh.ids)
        chosen = int(kit.greedy.greedy_choice(view.game.box, scratch, bot, view.luck))
        if self.lean and wanted:
            scratch.greedy.value[wanted] += bot.own[1]
            with run_rules_plainly():
                best = int(kit.greedy.best_of(scratch.greedy.value, scratch.greedy.options, view.luck, 0.0))
            chosen = (
                best if scratch.greedy.value[best] > scratch.greedy.value[chosen] + kit.greedy.EQUAL_WITHIN else chosen
            )
        return view.game.action_names[replace_illegal_action(view, chosen)]

    def _find_wanted_actions(self, view: SeatView, scratch: Any) -> list[int]:
        """The ids of the actions that the plan wants in this view."""
        known, wanted = view.game.definition, scratch.search.fresh.ids  # nobody searches meanwhile
        assert known.personas is not None  # or `packed` has said so
        clear(wanted)
        with run_rules_plainly():
            known.personas.wants(view.game.box, scratch.world, known.plans.index(self.plan), scratch.out.ids, wanted)
        return members(wanted)

    @property
    def name(self) -> str:
        """The plan's name."""
        return self.plan

    def packed(self, game: Game) -> Any:
        """The settings as a record, with the plan's number and the bonus in `own`. ValueError where the game has no such plan."""
        plans = game.definition.plans
        if self.plan not in plans:
            there = f"it has {', '.join(plans)}" if plans else "it has none"
            raise ValueError(f"{game.name} has no persona {self.plan!r}; {there}")
        bot = Settings.packed(self, game)
        bot.own[0], bot.own[1] = plans.index(self.plan), self.lean * find_scale(game.definition)
        return bot


@rule
def choose_leaning_to_plan(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The greedy bot's decision, with `bot.own[1]` added to the value of each action that the plan wants."""
    if greedy_values(box, scratch, bot, luck) == 1:
        return first_from(scratch.greedy.options.ids, 0)
    wanted = scratch.search.fresh.ids  # nobody searches meanwhile
    clear(wanted)
    wants(box, scratch.world, int(bot.own[0]), scratch.out.ids, wanted)
    action = first_from(wanted, 0)
    while action >= 0:
        scratch.greedy.value[action] += bot.own[1]
        action = first_from(wanted, action + 1)
    return best_of(scratch.greedy.value, scratch.greedy.options, luck, 0.0)


@rule(shared=True)
def decide(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action that the plan wants; the greedy bot's choice among them if it wants several, and among all if it wants none.

    With a bonus (`bot.own[1]`) it is the greedy bot's decision with the bonus added to what the plan wants.
    """
    if bot.own[1] > 0.0:
        return choose_leaning_to_plan(box, scratch, bot, luck)
    legal = scratch.search.fresh.ids  # nobody searches meanwhile
    wanted = scratch.out.ids
    assign(legal, wanted)
    clear(wanted)
    wants(box, scratch.world, int(bot.own[0]), legal, wanted)
    if is_empty(wanted):
        assign(wanted, legal)
    action = first_from(wanted, 0)
    if count(wanted) > 1:
        action = greedy_choice(box, scratch, bot, luck)
    assign(wanted, legal)
    return action
