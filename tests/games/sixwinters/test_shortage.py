"""Where little is left: dice in the supply, dice in pools. What is offered and why the rest is not, on positions laid out at random."""

import random

import pytest

from games.sixwinters.scene import Scene, offers, pool
from sutler.contract.helpers import play
from sutler.core.bits import has, members
from sutler.core.events import new_event_buffer
from sutler.games.sixwinters.box import FACES, MOMENT, N_REGIONS, POOL, RES, SLOTS
from sutler.games.sixwinters.cards.vocabulary import DO, MILITARY
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.rules import abilities, actions, creating, tracks
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
    pos = scene.pools(technology=[1] * (due + more)).go()
    assert ("use military sabotage" in offers(pos)) == (more == 1)
    if more:
        play(pos, "use Military Sabotage")
        while any(name.startswith("pay") for name in offers(pos)):
            play(pos, min(name for name in offers(pos) if name.startswith("pay")))
        assert pool(pos, "technology") == []
        assert int(pos.state.obstacle_at[card]) >= SLOTS


def test_an_ability_that_makes_dice_wants_them_in_the_supply() -> None:
    """14.73: one more of the asset's kind for a die that is shifted or turned, two for a split, one for each face of a conversion."""
    tried = set()
    for c in range(7):
        scene = Scene()
        scene.heroes(f"{scene.game.names['character'][c]} at Eastkeep").ready()
        for k in range(len(scene.box.character[c].ability)):
            ability = scene.box.character[c].ability[k]
            if ability.there == 0 or ability.effect.n == 0:
                continue
            op = scene.box.ops[ability.effect.first]
            makes = {DO.shift: 1, DO.flip: 1, DO.split: 2, DO.convert: sum(int(n) > 0 for n in op.faces)}
            if op.op not in makes:
                continue
            tried.add(int(op.op))
            r, v = c % RES, 3
            for left in range(4):
                scene.state.in_play[r] = int(scene.box.rules.dice_each) - left
                pays = abilities.pays_off(scene.box, scene.state, 0, op, FACES + r * FACES + v - 1)
                assert bool(pays) == (left >= makes[op.op]), (c, k, left)
                assert abilities.pays_off(scene.box, scene.state, 0, op, v - 1), "an action die is no resource's"
    assert len(tried) >= 3


def test_a_text_about_a_pile_wants_a_card_in_that_pile() -> None:
    """14.73: of the region it names, or of any; cards of other regions do not help."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
    box, state = scene.box, scene.state
    effects = [box.location[i].effect[m] for i in range(box.n_locations) for m in (MOMENT.action, MOMENT.free)]
    effects += [one.effect for c in range(box.n_characters) for one in box.character[c].ability if one.there]
    found = set()
    before = state.n_draw.copy()
    for effect in effects:
        decks = [int(box.ops[i].deck) for i in range(effect.first, effect.first + effect.n)]
        kinds = [int(box.ops[i].op) for i in range(effect.first, effect.first + effect.n)]
        if len(kinds) != 1 or kinds[0] != DO.discard_deck_top:
            continue
        for region in range(N_REGIONS):
            state.n_draw[:] = 0
            state.n_draw[region] = before[region]
            wanted = decks[0] in (region, N_REGIONS)
            assert bool(actions.is_of_use(box, state, effect, 0)) == wanted
            found.add(wanted)
    assert True in found


@pytest.mark.parametrize(("pool_value", "offered"), [(1, False), (2, True), (5, True)])
def test_a_pool_die_cancels_a_die_of_the_scheme(pool_value: int, offered: bool) -> None:
    """8.8, 14.66: by War of Attrition a Military pool die that is not lower; both go to the supply."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").scheme("Nowhere is Safe", "espionage 2")
    scene.effects("War of Attrition").pools(military=[pool_value]).ready()
    state = scene.state
    r = next(i for i in range(RES) if state.scheme_dice[i, 2])
    state.sub = r * FACES + 1
    tracks.offer_cancelling(scene.box, state, r, 2)
    source = POOL + MILITARY * FACES + pool_value - 1
    assert members(state.options) == ([source] if offered else [])
    if offered:
        before = [int(n) for n in state.in_play]
        tracks.cancel_scheme_die(scene.box, state, new_event_buffer(), source)
        assert (int(state.pools[MILITARY, pool_value - 1]), int(state.scheme_dice[r, 2])) == (0, 0)
        gone = [a - int(b) for a, b in zip(before, state.in_play, strict=True)]
        assert gone == [(i == r) + (i == MILITARY) for i in range(RES)]
