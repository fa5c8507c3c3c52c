"""Choices that all make at once, unseen, and piles whose order counts: tests/cardkit/duel.toml has both."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from sutler.cardkit.game_file_reader import parse_card_game
from sutler.cardkit.operation_source import MAX_IN_ORDER
from sutler.core.bits import members
from sutler.core.files.box import BoxError
from sutler.core.play.game import Game
from sutler.core.play.position import Position

DUEL = Path(__file__).with_name("duel.toml")


@pytest.fixture
def duel(loaded: Callable[[Path], Game]) -> Game:
    """The game."""
    return loaded(DUEL)


def with_two_sorts(game: Game) -> tuple[Position, list[str]]:
    """A position in which the first seat has two sorts of blades to choose from, and its choices."""
    for seed in range(20):
        pos = game.new(3, seed)
        names = [action.name for action in pos.actions()]
        if len(names) > 1:
            return pos, names
    raise AssertionError("no such deal")


def test_what_is_asked_names_both_places(loaded: Callable[[Path], Game], tmp_path: Path) -> None:
    """ "Choose a card of hand for chosen." was read twice; where the file asks in its own words, those are asked."""
    unasked = tmp_path / "unasked.toml"
    unasked.write_text(DUEL.read_text().replace(', ask = "Choose a blade, unseen"', ""))
    assert loaded(unasked).new(3, 0).prompt().text[1:] == (", choose a card from hand; it goes to chosen.",)
    assert loaded(DUEL).new(3, 0).prompt().text[1:] == (": Choose a blade, unseen.",)


def test_what_one_has_chosen_is_not_known_to_the_next(duel: Game) -> None:
    """Whatever the first lays down, the second sees the same, to the last number, and may do the same; its owner sees it."""
    pos, names = with_two_sorts(duel)
    after = []
    for name in names[:2]:
        then = pos.copy()
        then.play(name)
        assert then.seat == 1
        after.append(then)
    one, other = after
    assert (one.for_seat(1, 1).observation() == other.for_seat(1, 1).observation()).all()
    assert [action.name for action in one.actions()] == [action.name for action in other.actions()]
    assert (one.for_seat(0, 1).observation() != other.for_seat(0, 1).observation()).any()
    for then in after:  # and nobody else's log says it either
        assert not any(word in str(line.sentence) for line in then.log(1) for word in ("Knife", "Sword", "Halberd"))


def test_all_are_turned_over_at_once_when_the_last_has_chosen(duel: Game) -> None:
    """Three lines, one for each, and the highest takes the prize."""
    pos = duel.new(3, seed=1)
    chosen = []
    while pos.log(2)[-1].kind != "emptied":
        assert not any(line.kind == "shown" for line in pos.log(2))
        chosen.append(pos.actions()[-1].name)
        pos.play(chosen[-1])
    assert len(chosen) == 3
    assert [line.seat for line in pos.log(2) if line.kind == "shown"] == [0, 1, 2]
    assert int(pos.state.prizes.sum()) == 1


def next_turn(pos: Position) -> int:
    """Go on to the turns after a duel; whose it is."""
    while pos.actions()[0].name.startswith("pick"):
        pos.play(pos.actions()[0].name)
    assert pos.seat is not None
    return pos.seat


def test_what_is_laid_on_a_pile_is_drawn_first(duel: Game) -> None:
    """In every game and with every luck the card that was laid on top comes back at once."""
    for seed in range(8):
        pos = duel.new(2, seed)
        seat = next_turn(pos)
        hand = members(pos.state.hand[seat])
        lay = next(action.name for action in pos.actions() if action.name.startswith("lay"))
        pos.play(lay)
        assert members(pos.state.hand[seat]) == hand, "what was laid there came back"


def test_a_pile_that_is_mixed_has_no_order(duel: Game) -> None:
    """Nothing lies on top for sure, and the cards are all there still."""
    drawn = set()
    for luck in range(12):
        pos = duel.new(2, seed=3)
        seat = next_turn(pos)
        pile = set(members(pos.state.pile[seat]))
        pos.state.rng = [(luck + 1) * 2654435761 % 2**32 + k for k in range(4)]
        pos.play("mix")
        assert int(pos.state.pile_n[seat]) == 0
        (card,) = pile - set(members(pos.state.pile[seat]))
        drawn.add(card)
    assert len(drawn) > 1


def test_random_games_keep_every_order_sound(duel: Game) -> None:
    """Checked after each decision: what lies in order lies in the pile, once; dealt again it does too, as many as before."""
    luck = random.Random(1)
    for seed in range(4):
        pos = duel.new(4, seed)
        while not pos.over:
            pos.play(luck.choice(pos.actions()).name)
            assert duel.definition.rules.check(duel.box, pos.state) == 0
            again = pos.for_seat(0, seed + 7).redeal()
            assert duel.definition.rules.check(duel.box, again) == 0
            assert again.pile_n.tolist() == pos.state.pile_n.tolist()


def test_a_broken_order_is_found(duel: Game) -> None:
    """The same card twice, and one that lies elsewhere."""
    pos = duel.new(2, seed=1)
    assert int(pos.state.pile_n[0]) == 6 <= MAX_IN_ORDER
    pos.state.pile_order[0, 0] = pos.state.pile_order[0, 1]
    assert duel.definition.rules.check(duel.box, pos.state) != 0
    pos = duel.new(2, seed=1)
    pos.state.pile_order[0, 0] = members(pos.state.hand[0])[0]
    assert duel.definition.rules.check(duel.box, pos.state) != 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('seen_by = "nobody", ordered = true', "ordered = true", "only a pile that lies face down has an order"),
        (
            'op = "reveal", from = "chosen"',
            'op = "reveal", from = "shown"',
            "'shown' hides nothing that its owner knows",
        ),
        ('op = "shuffle", from = "pile"', 'op = "shuffle", from = "heap"', "'heap' has no order"),
    ],
)
def test_slips_of_the_pen_are_told(old: str, new: str, said: str) -> None:
    """Each with what to write instead."""
    text = DUEL.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(BoxError, match=said):
        parse_card_game(text.replace(old, new))
