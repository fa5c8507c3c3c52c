"""Personas: bots with one plan, named by it; they play by the rules, want something, and leave the rest to the greedy bot."""

from __future__ import annotations

import pytest

import sutler
from sutler.bots import bot, bot_from, list_personas
from sutler.bots.kit import get_kit, is_compiled
from sutler.bots.kit.records import LUCK
from sutler.bots.persona import Persona
from sutler.core.bits import add, members
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.rule import PLAIN_ONLY

STEPS = 25 if PLAIN_ONLY else 120
PLANS = [("threeyears", plan) for plan in list_personas("threeyears")]
if PLAIN_ONLY:  # of the other games a few, step by step: the template is the same
    PLANS = [(game, plan) for game in ("manor", "bellum", "warfarm") for plan in list_personas(game)[::4]]


def test_a_persona_goes_by_its_plan() -> None:
    """Of every competitive game there are at least five; settings as the greedy bot's."""
    for game in ("manor", "bellum", "threeyears", "warfarm"):
        assert len(list_personas(game)) >= 5
    assert bot("monk").name == "monk"
    assert bot_from("claim-blind:redeals=2") == bot("claim-blind", redeals=2)
    assert set(list_personas("warfarm")) < set(list_personas())
    assert is_compiled([bot("monk"), bot("farmer"), bot("greedy")])


def test_a_game_that_knows_no_such_plan_says_which_it_knows() -> None:
    """A monk has nothing to do in the market."""
    pos = sutler.load("manor").new(3, seed=1)
    assert pos.seat is not None
    with pytest.raises(ValueError, match="manor has no persona 'monk'; it has farmer, herdsman"):
        bot("monk").choose(pos.for_seat(pos.seat))
    with pytest.raises(ValueError, match="lean is 0 or more"):
        bot("monk", lean=-1)
    with pytest.raises(ValueError, match=r"there is no bot 'clever'; .* and the personas .*monk"):
        bot("clever")


@pytest.mark.parametrize(("game", "plan"), PLANS)
def test_a_persona_does_what_its_plan_wants(game: str, plan: str) -> None:
    """What it wants is legal, and where it wants one thing that is what it does; the same again from the same seed."""
    rules = sutler.load(game)
    known = rules.definition
    pos, one = rules.new(rules.min_seats, seed=4), bot(plan)
    for _ in range(STEPS):
        if pos.over:
            break
        assert pos.seat is not None
        view = pos.for_seat(pos.seat, seed=2)
        legal, out = known.actions.new_ids(), known.actions.new_ids()
        for action in view.legal:
            add(legal.ids, action)
        with run_rules_plainly():
            known.personas.wants(rules.box, view.redeal(), known.plans.index(plan), legal.ids, out.ids)
        assert set(members(out.ids)) <= set(view.legal)
        chosen = one.choose(view)
        assert chosen.id in view.legal
        if len(members(out.ids)) == 1:
            assert chosen.id == members(out.ids)[0]
        pos.play(chosen)


def test_a_persona_that_leans_weighs_its_plan() -> None:
    """Bid high and it is the plan, where that is thought about at all; next to nothing, and it is the greedy bot's choice."""
    rules = sutler.load("threeyears")
    known, pos, differs = rules.definition, rules.new(4, seed=4), 0
    plan = known.plans.index("hoarder")
    for _ in range(STEPS):
        assert pos.seat is not None
        view = pos.for_seat(pos.seat, seed=2)
        chosen = {lean: bot("hoarder", lean=lean).choose(pos.for_seat(pos.seat, seed=2)).id for lean in (1e-9, 1e9)}
        normal = bot("greedy", redeals=1).choose(view)
        assert chosen[1e-9] == normal.id
        legal, out = known.actions.new_ids(), known.actions.new_ids()
        for action in view.legal:
            add(legal.ids, action)
        with run_rules_plainly():
            known.personas.wants(rules.box, view.redeal(), plan, legal.ids, out.ids)
        thought = {action.id for action, *_ in bot("greedy").explain(pos.for_seat(pos.seat, seed=2))}
        if wanted := set(members(out.ids)) & thought:
            assert chosen[1e9] in wanted
            differs += normal.id not in wanted
        pos.play(normal)
    assert differs > 0


@pytest.mark.skipif(not PLAIN_ONLY, reason="one rule by itself is compiled for half a minute")
@pytest.mark.parametrize(("game", "plan"), [("manor", "herdsman"), ("threeyears", "spy")])
@pytest.mark.parametrize("lean", [0.0, 0.5])
def test_at_a_table_it_does_what_it_does_in_whole_games(game: str, plan: str, lean: float) -> None:
    """There the plan and the greedy bot are asked one after the other, here one rule does both."""
    rules, one = sutler.load(game), Persona(plan, lean=lean)
    kit, pos, followed = get_kit(rules), rules.new(rules.min_seats, seed=4), 0
    decide = kit.compile_own_template(one.file()).decide
    for _ in range(STEPS):
        assert pos.seat is not None
        view, luck = pos.for_seat(pos.seat, seed=2), LUCK.new()
        luck.rng[:] = view.luck.rng
        normal = bot("greedy").choose(pos.for_seat(pos.seat, seed=2))
        chosen = one.choose(view)
        if len(view.legal) > 1:
            assert chosen.id == decide(rules.box, kit.scratch_for_view(view), one.fitted(rules), luck)
        followed += chosen != normal
        pos.play(chosen)
    assert followed > 0


@pytest.mark.compiled
def test_personas_play_whole_games_in_compiled_code() -> None:
    """Beside bots of ours, counted as any other bot, and the same on one thread as on two."""
    game = sutler.load("threeyears")
    table = sutler.simulate(game, ["claim-blind", "greedy", "spy"], games=12, seed=3)
    assert table.equals(sutler.simulate(game, ["claim-blind", "greedy", "spy"], games=12, seed=3, threads=1))
    assert set(table["bot_0"]) == {"claim-blind", "greedy", "spy"}
