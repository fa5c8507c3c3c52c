"""What pictures keep from one to the next: the same as if it were asked anew of the position."""

from __future__ import annotations

import random
from typing import Any

import sutler
from sutler.games.sixwinters.cards.vocabulary import RESOURCES
from sutler.games.sixwinters.rules.actions import (
    BY_FOOT,
    BY_GATE,
    BY_SHIP,
    dice_price,
    has_way,
    is_barred_way,
    pool_price,
)
from sutler.games.sixwinters.rules.land import difficulty, is_in_play
from sutler.games.sixwinters.scoring import team_points
from sutler.games.sixwinters.view import land

GAME = sutler.load("sixwinters")
BOX = GAME.box


def price(state: Any, here: int, there: int) -> int | None:
    """What the cheapest way costs, by the rules; None: it is barred."""
    if is_barred_way(BOX, state, here, there):
        return None
    ways = [how for how in (BY_FOOT, BY_SHIP, BY_GATE) if has_way(BOX, state, here, there, how)]
    return min(int(dice_price(BOX, state, here, there, how)) for how in ways)


def check(state: Any, view: dict[str, Any]) -> set[int]:
    """Difficulties, ways and points are those of this very position. Returns what cards in play add to difficulties."""
    in_play = [card for card in range(int(BOX.n_obstacles)) if is_in_play(state, card)]
    hard = {str(card): int(difficulty(BOX, state, card)) for card in in_play}
    assert {card: one["difficulty"] for card, one in view["obstacles"].items()} == hard
    assert view["score"]["points"] == team_points(BOX, state)
    at = next((one["slot"] for one in view["characters"] if one["ch"] == view["me"]), None)
    for slot in view["slots"]:
        assert [view["obstacles"][str(card)]["id"] for card in slot["obstacles"]] == slot["obstacles"]
        if slot["go"] is not None:
            assert slot["go"]["dice"] == price(state, at, slot["slot"])
            entering = {name: int(pool_price(BOX, state, slot["slot"], r)) for r, name in enumerate(RESOURCES)}
            assert slot["go"]["pool"] == {name: n for name, n in entering.items() if n}
    return {n for one in view["obstacles"].values() for words, n in one["parts"] if words == "cards in play"}


def test_what_is_kept_of_a_picture_is_what_the_rules_say_now() -> None:
    luck, pos = random.Random(26), GAME.new(1, seed=26)
    added: set[int] = set()
    for _ in range(60):
        pos.play(luck.choice(pos.legal_ids()))
        if pos.over:
            break
        added |= check(pos.state, pos.view(pos.seat))
    assert added, "cards in play bear on difficulties"


def test_a_die_on_an_obstacle_is_seen_at_once() -> None:
    """A piece that is kept goes by all that it shows: dice on the card, its mission, its place."""
    pos = GAME.new(2, seed=3)
    while not pos.view(None)["obstacles"]:
        pos.play(pos.legal_ids()[0])
    before = pos.view(None)["obstacles"]
    card = int(next(iter(before)))
    assert before[str(card)]["dice"] == []
    pos.state.die_on[0], pos.state.die_is[0], pos.state.n_on_cards = card, 7, 1
    assert pos.view(None)["obstacles"][str(card)]["dice"] == [land.asset_die(7)]
