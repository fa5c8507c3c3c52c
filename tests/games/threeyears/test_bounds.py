"""Bounds and numbers: what is said exactly at nothing, and that the first card or token of its kind is one like any."""

import random

import pytest

import sutler
from sutler.core.bits import add, clear, members, remove
from sutler.games.threeyears.box import SEASON_KEYS, S
from sutler.games.threeyears.rules.influence import nth_of_both
from sutler.games.threeyears.table import P

from .table import GAME, blank, drafting, give_despair, go, offer, offered, resolving, told


def at_the_end(seats, **more):
    """The war is over but for its reckoning."""
    state = blank(seats, year=3, season="winter", **more)
    state.stage = S.end
    return state


@pytest.mark.parametrize(("renown", "disgraced"), [((3, 2), []), ((2, 1), [2]), ((1, 0), [1, 2])])
def test_with_exactly_nothing_no_house_falls_apart(renown, disgraced):
    """10.7: below zero, not at it; the best is forgotten only if it is below zero itself."""
    state = at_the_end(2, renown=renown)
    give_despair(state, 0, 2)
    give_despair(state, 1, 2)
    kinds = told(state)
    assert kinds.count("disgrace") == len(disgraced)
    assert kinds.count("forgotten") == (1 in disgraced)


def move(state, token, supply, holder):
    """One token of a supply goes to a seat."""
    remove(supply, token)
    add(holder, token)


def test_the_first_despair_costs_what_it_shows():
    """1.7, 10.3: token 0 among a seat's Despair, alone and beside another one."""
    for others in ((), (7,)):
        state = at_the_end(2)
        for token in (0, *others):
            move(state, token, state.despairs, state.seats[0].despair)
        lost = sum(int(state.despair_face[token]) for token in (0, *others))
        assert told(state).count("sorrow") == 1
        assert GAME.from_bytes(state.tobytes()).scores() == [-lost, 0]


def test_the_first_writ_is_revealed_at_the_end():
    """10.1: token 0 like any; all that a seat has are revealed."""
    for others in ((), (9,), (9, 17)):
        state = at_the_end(2)
        for token in (0, *others):
            move(state, token, state.writs, state.seats[1].writs)
        assert told(state).count("revealed") == 1 + len(others)
        assert not members(state.seats[1].writs)


@pytest.mark.parametrize("others", [(), (3,), (3, 11)])
def test_a_scout_may_look_at_the_first_of_all_tokens(others):
    """8.8: every Despair of anybody and every Writ of another seat, the first of the supply included, each once."""
    state = blank(3)
    for token in (0, *others):
        move(state, token, state.despairs, state.seats[0].despair)
        move(state, token, state.writs, state.seats[2].writs)
    pos = resolving(state, scout=1)
    tokens = {name for name in offered(pos) if name != "done" and not any(e in name for e in GAME.names["event"])}
    assert len(tokens) == 2 * (1 + len(others))
    first = min(tokens)
    pos.play(first)
    assert pos.state.phase != P.look


def test_the_first_card_of_all_is_played_and_said_so():
    """5.3, 5.7: card 0 alone is a set like any."""
    first = GAME.box.card[0]
    state = blank(3, season=SEASON_KEYS[first.season])
    move(state, 0, state.deck, state.seats[0].hand)
    for seat in (1, 2):
        move(state, members(state.deck)[-1], state.deck, state.seats[seat].hand)
    offer(state)
    state.stage, state.total, state.bidder = S.influence, 0, 0
    pos = go(state)
    pos.play(next(name for name in sorted(offered(pos)) if name.startswith("play")))
    assert [event.args[1] for event in pos.decisions[-1].told if event.kind == "played"] == [0]
    assert members(pos.state.seats[0].shown) == [0]


@pytest.mark.parametrize("place", ["shown", "spent"])
def test_the_first_card_of_all_becomes_a_stake(place):
    """6.1: Tax Farmer, listed before all other influence cards, in the last set or an earlier one."""
    listed = sorted(GAME.definition.printed["influence"], key=lambda one: one["name"] != "Tax Farmer")
    game = sutler.load("threeyears", {"replace": ["influence"], "influence": listed})
    state = drafting(blank(2, season="spring", game=game), game)
    move(state, 0, state.deck, getattr(state.seats[1], place))
    state.stage, state.step = S.stakes, 0
    pos = go(state, game)
    pos.play(min(offered(pos)))
    assert sorted(len(members(pos.state.tied[slot])) for slot in range(2)) == [0, 1]


def test_the_kth_card_of_two_sets_is_what_counting_finds():
    """5.1: the cards of a season that still lie face down, one after another, over all words of a set; then none."""
    luck = random.Random(11)
    for size in (0, 1, 9, 40):
        one, other = ({*luck.sample(range(64), size)} for _ in range(2))
        words = blank(2)
        clear(words.claims)
        for claim in one:
            add(words.claims, claim)
        both = sorted(one & other)
        others = words.claims.copy()
        clear(others)
        for claim in other:
            add(others, claim)
        assert [int(nth_of_both(words.claims, others, k)) for k in range(len(both) + 2)] == [*both, -1, -1]
