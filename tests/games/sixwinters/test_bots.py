"""What bots see in Six Winters: how many dice a card needs, and which choices are worth a look."""

from __future__ import annotations

import random

import pytest

from sutler.bots.kit import kit_of
from sutler.contract.helpers import loaded
from sutler.core.bits import members
from sutler.games.sixwinters import plan, sensible
from sutler.games.sixwinters.box import NEVER
from sutler.games.sixwinters.table import A, P

GAME = loaded("sixwinters", sessions=1)


def needed(card: str, start: int) -> int:
    """How many dice come after a die of this value on the card's start."""
    printed = GAME.box.card[GAME.names["card"].index(card)]
    return int(printed.need[printed.start, start - 1])


@pytest.mark.parametrize(
    ("card", "start", "more"),
    [
        ("Tinkering", 1, 2),
        ("On Two Fronts", 4, 3),  # worked example X16: four dice in all
        ("Cautious Progress", 2, NEVER),  # X17: it would need a 0
        ("Cautious Progress", 3, 2),
        ("At What Price?", 3, 5),  # the one card whose shortest way the cells bar
    ],
)
def test_how_many_dice_a_card_needs(card: str, start: int, more: int) -> None:
    assert needed(card, start) == more


def test_every_card_can_be_completed() -> None:
    for card in GAME.names["card"][: int(GAME.box.n_cards)]:
        assert min(needed(card, value) for value in range(1, 7)) < NEVER, card


def test_a_bot_looks_at_legal_choices_only_and_always_at_one() -> None:
    """Over a session in which somebody takes any of the choices that are left, at random."""
    luck, seen = random.Random(5), set()
    pos = GAME.new(2, seed=5)
    for _ in range(160):
        if pos.over:
            break
        legal = GAME.definition.actions.ids_record.new()
        GAME.definition.legal(GAME.box, pos.state, legal)
        left = legal.copy()
        sensible.prune(GAME.box, pos.state, left)
        offered = members(left.ids)
        assert offered
        assert set(offered) <= set(members(legal.ids))
        seen.add(int(pos.state.phase))
        pos.play(GAME.action_names[luck.choice(offered)])
    assert {P.act, P.pay, P.allocate} <= seen


def test_an_asset_that_fits_goes_onto_the_card() -> None:
    """Nothing else is looked at, and then the card needs a die less."""
    pos = GAME.new(2, seed=5)
    for _ in range(200):
        legal = GAME.definition.actions.ids_record.new()
        GAME.definition.legal(GAME.box, pos.state, legal)
        sensible.prune(GAME.box, pos.state, legal)
        offered = members(legal.ids)
        if A.put <= offered[0] < A.put + 576:
            assert len(offered) == 1
            h = int(pos.state.actor)
            due, card = plan.dice_to_go(GAME.box, pos.state, h), int(pos.state.heroes[h].card)
            pos.play(GAME.action_names[offered[0]])
            if due > 1:
                assert plan.dice_to_go(GAME.box, pos.state, h) == due - 1
            else:
                assert int(pos.state.heroes[h].card) != card
            return
        pos.play(GAME.action_names[offered[0]])
    pytest.fail("no asset was ever put on a card")


def test_a_search_is_paid_for_winning_the_campaign() -> None:
    """Two campaigns that end with the same score: the one that is won is worth more, in the unit of those that go on."""
    pos = GAME.new(2, seed=5)
    kit = kit_of(GAME)
    desk, paid = kit.desk(tells=False), {}
    pos.state.phase = P.over
    for outcome in (1, 2):
        pos.state.outcome = outcome
        kit.search.pay_end(GAME.box, pos.state, desk)
        paid[outcome] = float(desk.search.payoff[0])
    assert paid[1] > 0.95 > 0.6 > paid[2]


def test_what_can_be_done_with_a_die_is_what_nothing_speaks_against() -> None:
    """5.5 to 5.7: the quick way to the choices and the reasons agree on every id, over a session played by chance."""
    luck, pos, k = random.Random(3), GAME.new(1, seed=3), 0
    ids = [one for block in ("use_location", "create", "trade") for one in GAME.definition.actions.ids(block)]
    open_ones = 0
    while not pos.over:
        k += 1
        legal = set(pos.legal_ids())
        if k % 4 == 0:
            free = {one for one in ids if pos.why_not(one) is None}
            assert free == legal & set(ids)
            open_ones += len(free)
        pos.play(luck.choice(sorted(legal)))
    assert open_ones > 20
