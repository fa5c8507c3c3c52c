"""Bounds and numbers: what is said exactly at nothing, and that the first card or token of its kind is one like any."""

import random

import pytest

import sutler
from sutler.core.bits import add, clear, members, remove
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.threeyears import scoring
from sutler.games.threeyears.box import SEASON_KEYS, S
from sutler.games.threeyears.phases_actions_events import P, R
from sutler.games.threeyears.rules import interludes, scouting
from sutler.games.threeyears.rules.influence import nth_of_both

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


def test_used_claim_cards_are_said_to_return_only_if_there_are_any():
    """11.1: not in the first year, when none has been used; in the second each season's come back, and it is said once."""
    game = sutler.load("threeyears", recycle_claims=True)
    for used in (0, 1, 4):
        state = blank(3, season="spring", game=game)
        spring = [claim for claim in members(state.claims) if game.box.claim[claim].season == 0]
        for claim in spring[:used]:
            remove(state.claims, claim)
        state.stage = S.taxes
        assert told(state, game).count("recycled") == (used > 0)
        turned = [int(claim) for claim in state.offer[:3]]
        assert not set(turned) & set(members(state.claims))
        assert len([claim for claim in members(state.claims) if game.box.claim[claim].season == 0]) == len(spring) - 3


@pytest.mark.parametrize("season", range(4))
@pytest.mark.parametrize("event", range(4))
def test_how_many_interlude_cards_are_still_to_come(event, season):
    """8.8, 9.1: one is turned up a year, in its season; the first look shows the next, the second the one after it."""
    for year in range(3):
        for is_up in (False, True):
            state = blank(3, season=SEASON_KEYS[season], year=year + 1)
            state.card = 0 if is_up else NOBODY
            turned = year + (season > event or (season == event and is_up))
            left = int(GAME.box.n_cards[event]) - turned
            assert int(scouting.n_upcoming(GAME.box, state, event)) == left
            for depth in range(left + 1):
                state.depth[event] = depth
                assert bool(scouting.can_look_event(GAME.box, state, event)) == (depth < left)
                assert int(scouting.place_to_see(GAME.box, state, event)) == turned + depth
                reason = scouting.why_not_look_event(GAME.box, state, 0, event)
                assert reason == (R.fine if depth < left else R.no_more_cards)


@pytest.mark.parametrize("card", range(6))
def test_a_merchant_takes_exactly_its_price(card):
    """9.2: with just so much gold one buys, with one less not, and from each merchant once."""
    state = blank(2)
    state.card, state.phase = card, P.market
    for row in range(3):
        price = int(GAME.box.market[card].rows[row].price)
        for gold in range(10):
            state.seats[0].tracks[0] = gold
            for used in range(8):
                state.used = used
                can = gold >= price and not used >> row & 1
                assert bool(interludes.can_buy(GAME.box, state, 0, row)) == can
                wanted = R.bought_already if used >> row & 1 else R.fine if can else R.too_dear
                assert interludes.why_not_buy(GAME.box, state, 0, row) == wanted


@pytest.mark.parametrize("card", range(6))
@pytest.mark.parametrize("once", [False, True])
def test_an_exchange_takes_exactly_its_food(once, card):
    """9.5, 9.6, 11.6: more food than the resource, and as much as it costs; each side that the card has; by option once."""
    game = sutler.load("threeyears", exchange_once=once)
    box, state = game.box, blank(2, game=game)
    state.card, state.phase = card, P.reap
    one, me = box.reaping[card], state.seats[0]
    for food in range(10):
        for other in range(10):
            me.tracks[int(one.compare)], me.tracks[2] = other, food
            surplus = food > int(me.tracks[int(one.compare)])
            assert bool(interludes.has_surplus(box, state, 0)) == surplus
            for used in (0, 1):
                state.used = used
                left = not once or used == 0
                assert bool(interludes.is_exchange_left(box, state)) == left
                for side in range(2):
                    there = side < one.n_offers
                    can = there and surplus and left and food >= one.pay_food
                    assert bool(interludes.can_exchange(box, state, 0, side)) == can
                    reasons = [(not there, R.no_offer), (not surplus, R.no_surplus), (not left, R.exchanged_already)]
                    wanted = next((why for is_so, why in reasons if is_so), R.fine if can else R.no_food)
                    assert interludes.why_not_exchange(box, state, 0, side) == wanted


@pytest.mark.parametrize("n", range(12))
def test_nine_cards_are_kept(n):
    """9.8: nine may stay, the tenth goes."""
    state = blank(2)
    for card in members(state.deck)[:n]:
        move(state, card, state.deck, state.seats[0].hand)
    assert bool(interludes.is_over_limit(GAME.box, state, 0)) == (n > 9)


@pytest.mark.parametrize("seed", range(20))
def test_ranks_of_a_battle(seed):
    """9.3, 9.4: all on the most are first, all on the next most second; if any are left, all on the least are last."""
    luck = random.Random(seed)
    seats = luck.randint(2, 5)
    state = blank(seats, season="summer", lead=luck.randrange(seats))
    state.card = luck.randrange(6)
    track = int(GAME.box.battle[state.card].compare)
    values = [luck.choice((0, 1, 4, 9)) for _ in range(seats)]
    for seat, value in enumerate(values):
        state.seats[seat].tracks[track] = value
    buffer = new_event_buffer()
    interludes.rank_seats(GAME.box, state, buffer)
    steps = sorted(set(values), reverse=True)
    ranks = {
        steps[0]: "first",
        **({steps[1]: "second"} if steps[1:] else {}),
        **({steps[-1]: "last"} if steps[2:] else {}),
    }
    round_table = [(int(state.lead) + k) % seats for k in range(seats)]
    wanted = [
        (name, seat) for name in ("first", "second", "last") for seat in round_table if ranks.get(values[seat]) == name
    ]
    assert [(one.kind, int(one.args[0])) for one in drain_events(GAME.definition.events, buffer)] == wanted


@pytest.mark.parametrize("holdings", range(10))
def test_more_as_many_or_fewer(holdings):
    """9.7: holdings against the resource on the card."""
    for card in range(6):
        compare = int(GAME.box.bitter[card].compare)
        for other in range(10):
            state = blank(2, season="winter")
            state.card = card
            state.seats[1].tracks[compare], state.seats[1].tracks[3] = other, holdings
            beside = int(state.seats[1].tracks[compare])
            buffer = new_event_buffer()
            interludes.compare_holdings(GAME.box, state, buffer, 1)
            kind = "sheltered" if holdings > beside else "crowded" if holdings == beside else "exposed"
            assert [one.kind for one in drain_events(GAME.definition.events, buffer)] == [kind]


@pytest.mark.parametrize("seed", range(20))
def test_points_places_and_bonus(seed):
    """10.4 to 10.6: one renown for each seat with less, in five things; less Despair and Doom; on a tie who lost less."""
    luck = random.Random(seed)
    seats = luck.randint(2, 5)
    state = at_the_end(seats)
    state.phase = P.over
    rows = []
    for seat in range(seats):
        me = state.seats[seat]
        me.tracks[:] = [luck.choice((0, 3, 3, 9)) for _ in range(4)]
        me.renown, me.doom = luck.choice((0, 4, 9)), luck.choice((0, 0, 1))
        for _ in range(luck.randrange(3)):
            move(state, members(state.despairs)[luck.randrange(5)], state.despairs, me.despair)
        for _ in range(luck.randrange(3)):
            move(state, members(state.deck)[0], state.deck, me.hand)
        rows.append([*(int(n) for n in me.tracks), len(members(me.hand))])
    points, lost = [], []
    for seat in range(seats):
        me = state.seats[seat]
        bonus = [sum(other[i] < rows[seat][i] for other in rows) for i in range(5)]
        assert [int(scoring.bonus_in_category(state, seat, i)) for i in range(5)] == bonus
        despair = sum(int(state.despair_face[token]) for token in members(me.despair))
        lost.append(despair + 5 * int(me.doom))
        points.append(int(me.renown) + sum(bonus) - lost[-1])
        assert (
            int(scoring.final_points(GAME.box, state, seat))
            == int(scoring.public_points(GAME.box, state, seat))
            == points[-1]
        )
    keys = [(p, -n) for p, n in zip(points, lost, strict=True)]
    for one in range(seats):
        for other in range(seats):
            assert bool(scoring.is_ahead(GAME.box, state, one, other)) == (keys[one] > keys[other])
        assert bool(scoring.is_first(GAME.box, state, one)) == (keys[one] == max(keys))
