"""Where little is left: dice in the supply, dice in pools. What is offered and why the rest is not, on positions laid out at random."""

import random

import pytest

from games.sixwinters.scene import Scene, offers, pool
from sutler.contract.helpers import play
from sutler.core.bits import has
from sutler.games.sixwinters.box import FACES, RES, SLOTS
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.rules import creating
from sutler.games.sixwinters.rules.land import difficulty


def scattered(seed: int) -> Scene:
    """Two characters somewhere, some dice in their hands and many in pools; of two kinds the supply has none left, or one."""
    luck = random.Random(seed)
    scene = Scene()
    places = [scene.game.names["slot"][slot] for slot in luck.sample(range(SLOTS), 2)]
    scene.heroes(f"Thea at {places[0]}", f"Keel at {places[1]}")
    scene.dice([luck.randint(1, FACES) for _ in range(luck.randint(1, 4))], [luck.randint(1, FACES)])
    for r in range(RES):
        for _ in range(luck.randrange(4)):
            scene.state.pools[r, luck.randrange(FACES)] += 1
        if luck.random() < 0.5:
            scene.state.assets[luck.randrange(SLOTS), r, luck.randrange(FACES)] += 1
    for r in luck.sample(range(RES), 2):
        left = int(scene.box.rules.dice_each) - int(n_dice_in_play(scene.state, r)) - luck.randrange(2)
        scene.state.assets[luck.randrange(SLOTS), r, luck.randrange(FACES)] += left
    return scene


@pytest.mark.parametrize("seed", range(16))
def test_what_is_offered_is_what_no_rule_refuses(seed: int) -> None:
    """5.1 to 5.10: of every action of the actions step."""
    pos = scattered(seed).go()
    d = pos.game.definition
    ids = d.actions.new_ids()
    d.legal(pos.game.box, pos.state, ids)
    asides = {action.id for action in pos.asides()}
    for action in pos.game.action_names:
        is_fine = int(d.why_not(pos.game.box, pos.state, action.id)) == 0
        assert is_fine == (bool(has(ids.ids, action.id)) or action.id in asides), action.name


@pytest.mark.parametrize("seed", range(16))
def test_the_lowest_die_that_can_be_traded(seed: int) -> None:
    """5.7: into or out of the pool of the place, one step along the wheel, with a die of the other kind left."""
    scene = scattered(seed).ready()
    box, state = scene.box, scene.state
    for slot in range(SLOTS):
        here = int(box.place[slot].resource)
        dice = [
            v + 1
            for r in range(RES)
            for into in range(RES)
            for v in range(FACES)
            if here in (r, into) and state.pools[r, v] > 0 and creating.trades_into(box, state, r, into)
        ]
        assert int(creating.lowest_to_trade(box, state, slot)) == min(dice, default=FACES + 1)


@pytest.mark.parametrize("more", [0, 1])
def test_military_sabotage_costs_more_than_the_difficulty(more: int) -> None:
    """9.11, 14.28: Technology dice of exactly the unit's difficulty are too few, one point more is enough, and all of it is paid."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1], [1]).effects("Military Sabotage")
    scene.obstacles("Loomwood", "Legionary 1").ready()
    card = scene.number("obstacle", "Legionary 1")
    due = int(difficulty(scene.box, scene.state, card))
    pos = scene.pools(technology=[*[1] * (due - 1), 1 + more]).go()
    assert ("use military sabotage" in offers(pos)) == (more == 1)
    if more:
        play(pos, "use Military Sabotage")
        while any(name.startswith("pay") for name in offers(pos)):
            play(pos, min(name for name in offers(pos) if name.startswith("pay")))
        assert pool(pos, "technology") == []
        assert int(pos.state.obstacle_at[card]) >= SLOTS
