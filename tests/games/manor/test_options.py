"""Guide 9 and 10: every option, and where the rulings stand."""

import re
from collections import Counter

import numpy as np
import pytest

import sutler
from games.manor.table import (
    PRINTED,
    cards,
    hand,
    has,
    offered,
    phase,
    play,
    refused,
    stage,
    table,
    tokens,
    upgrades,
    work,
)
from sutler.contract.helpers import load_game, said, walk
from sutler.core.bits import members
from sutler.games.manor.box import TOKEN_NAMES
from sutler.games.manor.observe import are_left_out_hardships_known

GAME = sutler.load("manor")
HARDSHIPS = {
    *("Blight", "Peasant Rebellion", "Fire", "Thieves", "Scandal"),
    *("Heresy", "Plague", "Foraging Army", "Kings Tax Collector", "Pestilence"),
}
TWELVE = ["Beans", "Rye", "Corn", "Wheat", "Oats", "Wool", "Goats", "Sheep", "Pigs", "Flax", "Apples", "Barley"]


def setup(seats=2, seed=0, **options):
    """A table just set up, before the first draw phase."""
    game = load_game("manor", **options)
    state = game.blank(seats, seed)
    game.definition.setup(game.box, state)
    return game, state


@pytest.mark.parametrize("target", [5, 9, 40])
def test_another_target(target):
    """9.1: the game ends at another number than 15."""
    for victory in (target - 1, target):
        pos = table({"victory": victory, "hand": TWELVE[:4]}, phase="limit", options={"victory": target})
        play(pos, "discard Rye")
        assert pos.over == (victory == target)
    with pytest.raises(sutler.BoxError, match="victory: 41 is outside 5 to 40"):
        sutler.load("manor", victory=41)


@pytest.mark.parametrize("n", [0, 4, 9])
def test_fewer_hardships(n):
    """9.2: only so many are in the deck; which ones is drawn at random."""
    seen = Counter()
    for seed in range(60):
        game, state = setup(seed=seed, hardships=n)
        inside = {game.names["card"][card] for card in members(state.deck)} & HARDSHIPS
        assert len(inside) == n
        assert len(members(state.boxed)) == 10 - n
        seen.update(inside)
    assert set(seen) == (HARDSHIPS if n else set())


def test_nobody_is_told_which_hardships_are_out():
    """9.2: views, logs and numbers are the same whichever were left out, until they have been seen."""
    game = sutler.load("manor", hardships=4, victory=40)
    pos = game.new(2, 1)
    worlds = set()
    for here in walk(pos, seed=4, most=300):
        if len(here.decisions) % 60:
            continue
        if are_left_out_hardships_known(here.state):
            break
        hidden = set(members(here.state.boxed))
        assert hidden <= set(members(here.state.unseen))
        shown = here.view(0)["deck_cards"]
        assert {game.names["card"][card] for card in hidden} <= set(shown)
        assert len(shown) == here.view(0)["deck"] + len(hidden)
        for seed in range(6):
            other = here.copy()
            other.state = here.for_seat(0, seed).redeal()
            assert other.view(0) == here.view(0)
            assert len(members(other.state.boxed)) == 6
            # what has been seen stays what it was
            assert np.array_equal(other.state.removed, here.state.removed)
            assert np.array_equal(other.state.discards, here.state.discards)
            worlds.add(tuple(members(other.state.boxed)))
    assert len(worlds) > 10


def test_a_redeal_leaves_out_every_unseen_hardship_equally_often():
    """9.2: none is likelier than another."""
    pos = sutler.load("manor", hardships=5).new(2, 3)
    unseen = members(pos.state.unseen)
    out = Counter(card for seed in range(300) for card in members(pos.for_seat(0, seed).redeal().boxed))
    assert set(out) == set(unseen)
    expected = 300 * 5 / len(unseen)
    assert all(0.75 * expected < n < 1.25 * expected for n in out.values())


def rolls(seeds, **more):
    """What the dice of the second turn said, and whom which hardship struck."""
    for seed in seeds:
        options = {"hardship_deck": True, "swaps": 0, "offers": 0}
        pos = table({"hand": TWELVE[:4]}, phase="limit", seed=seed, options=options, **more)
        play(pos, "discard Rye")
        told = list(pos.decisions[-1].told)
        eyes = next(event.get_part("n") for event in told if event.kind == "dice")
        struck = [(event.get_part("card"), event.get_part("seat")) for event in told if event.kind == "hardship"]
        yield eyes, struck, [event.kind for event in told], pos


def test_hardships_as_a_deck_of_their_own():
    """9.3: two dice before any card is dealt; on an 11 a seat drawn at random takes a hardship, which is then gone."""
    eyes_seen, hit = Counter(), Counter()
    for eyes, struck, kinds, pos in rolls(range(150)):
        eyes_seen[eyes] += 1
        assert kinds.index("dice") < kinds.index("dealt")
        assert len(struck) == (1 if eyes == 11 else 0)
        assert not HARDSHIPS & (cards(pos, pos.state.deck) | cards(pos, pos.state.discards))
        if struck:
            hit[struck[0][1]] += 1
            assert len(members(pos.state.hardships)) == 9
            assert cards(pos, pos.state.removed) == {pos.game.names["card"][struck[0][0]]}
    assert min(eyes_seen) >= 2
    assert max(eyes_seen) <= 12
    assert eyes_seen[7] > eyes_seen[3]
    assert set(hit) == {0, 1}


def test_no_hardships_left():
    """9.3: then nothing happens."""
    empty = {"hardships": [], "removed": sorted(HARDSHIPS)}
    assert any(eyes == 11 for eyes, *_ in rolls(range(60), **empty))
    assert not any(struck for _, struck, *_ in rolls(range(60), **empty))


def test_without_the_map():
    """9.4: every card can always be played, any number of them; lands and neighbours add nothing."""
    hands = {"hand": ["Wheat", "Oats", "Corn", "Beans", "Rye", "Indulgences"], "peasants": 6}
    pos = work(hands, {"hand": ["Taxes", "Tithe"]}, options={"no_map": True})
    assert pos.view()["spaces"] == []
    play(pos, "place Wheat")
    assert tokens(pos, 0) == {"crops": 4}
    play(pos, "pass", "place Oats", "place Corn", "place Beans", "place Rye")
    assert tokens(pos, 0) == {"crops": 4 + 2 + 4 + 3 + 3}
    assert cards(pos, pos.state.table) == {"Wheat", "Oats", "Corn", "Beans", "Rye"}
    play(pos, "place Indulgences")
    assert cards(pos, pos.state.table) == set()  # 5.11


@pytest.mark.parametrize("card", ["Levy Troops", "Tournament", "Feudal Dues", "Feudal Obligations", "Fortress"])
def test_cards_of_the_castle_without_a_map(card):
    """9.4: a card whose only land is the Castle makes its player Lord; one with other lands does not."""
    mine = {"hand": [card, "Marriage", "Stables"], "gold": 9, "peasants": 3}
    pos = work({"hand": ["Wool", "Goats"]}, mine, {"hand": ["Taxes", "Tithe"]}, n=3, options={"no_map": True})
    play(pos, "pass", "place Marriage")
    assert pos.state.lord == 0
    play(pos, "pass", f"place {card}")
    assert pos.state.lord == 1


def test_one_hand_for_everybody():
    """9.5: the first hands are put together; the Lord draws a card for every peasant in play, and no more."""
    _, state = setup(3, common_hand=True)
    assert len(members(state.seats[0].hand)) == 9
    assert not members(state.seats[1].hand)
    pos = table({"peasants": 3, "hand": ["Stone"]}, {"peasants": 1}, options={"common_hand": True}, deck=TWELVE)
    assert len(hand(pos, 0)) == 1 + 3 + 1
    assert pos.view()["seats"][1]["hand"] == pos.view()["seats"][0]["hand"]
    dealt = [event.get_part("seat") for _, event in pos.told() if event.kind == "dealt"]
    assert dealt == [0] * 4


def test_more_cards_for_the_common_hand():
    """9.5: 2 for each Fallow Field and Clover & Rape played by anybody in the turn before."""
    options = {"common_hand": True, "offers": 0, "swaps": 0}
    seats = [{"hand": ["Fallow Field", "Clover & Rape"], "crops": 1, "peasants": 1}, {"crops": 1, "peasants": 1}]
    pos = work(*seats, options=options, deck=TWELVE)
    play(pos, "place Fallow Field", "on Good Fields", "place Clover & Rape", "on Poor Fields")
    assert pos.state.turn == 2
    assert len(hand(pos, 0)) == 1 + 1 + 2 + 2


def test_everybody_plays_from_the_common_hand():
    """9.5: what the cards bring is one's own; discards and conversions use the common hand; nobody steals it."""
    options = {"common_hand": True}
    seats = [{"hand": ["Wheat", "Goats", "Feudal Dues", "Stone", "Wool"]}, {"upgrades": ["Mine"], "gold": 1}]
    pos = work(*seats, options=options)
    play(pos, "place Wheat", "on Good Fields")
    assert "place Goats" in offered(pos)
    play(pos, "place Feudal Dues")
    assert (has(pos, 1)["victory"], pos.state.lord, pos.seat) == (1, 1, 0)  # nothing stolen
    play(pos, "pass", "pass")
    assert (stage(pos), pos.seat) == ("upgrade", 1)
    play(pos, "use Mine", "spend Stone")
    assert has(pos, 1)["gold"] == 3
    assert hand(pos, 0) == {"Goats", "Wool"}
    trade = table({"hand": ["Wheat"], "gold": 1}, {}, phase="offer", options=options)
    play(trade, "offer seat 1")
    assert offered(trade) == {"give gold", "give peasants", "want peasants", "cancel"}
    assert refused(trade, "give Wheat") == "9.5"


def test_nobody_asks_for_a_card_of_the_common_hand():
    """9.5: it is everybody's already, whoever sits where its cards are kept."""
    trade = table({"hand": ["Wheat"]}, {"gold": 1}, phase="offer", to_act=1, lord=1, options={"common_hand": True})
    play(trade, "offer seat 0")
    assert offered(trade) == {"give gold", "give peasants", "want peasants", "cancel"}
    assert refused(trade, "want Wheat") == "9.5"


def test_hardships_and_the_common_hand():
    """9.5: the Lord's deal strikes the Lord; what a seat draws itself strikes it; Heresy takes the common hand."""
    options = {"common_hand": True, "buys": 0, "offers": 0}
    deal = {"deck": ["Scandal", "Beans", "Rye"], "discards": TWELVE[3:]}
    pos = table({"peasants": 1, "victory": 5}, {"peasants": 1, "victory": 5}, options=options, **deal)
    assert [has(pos, seat)["victory"] for seat in range(2)] == [3, 5]
    pos = table({"hand": TWELVE[:4]}, {"victory": 5}, phase="swap", to_act=1, options=options, deck=["Scandal"])
    play(pos, "swap Rye", "swap Corn")
    assert has(pos, 1)["victory"] == 3
    pos = table({"hand": TWELVE[:4]}, {"victory": 5}, phase="swap", to_act=1, options=options, deck=["Heresy"])
    play(pos, "swap Rye", "swap Corn")
    lost = [event.get_part("card") for event in pos.decisions[-1].told if event.kind == "lost_card"]
    assert {pos.game.names["card"][card] for card in lost} == {"Beans", "Wheat"}


def test_the_lord_discards_from_the_common_hand():
    """9.5: down to 3, or what 9.6 says, and 1 more for each Warehouse and Printing Press in play."""
    seats = [{"hand": TWELVE[:8], "upgrades": ["Warehouse"]}, {"upgrades": ["Printing Press"]}]
    pos = table(*seats, lord=1, to_act=1, phase="limit", options={"common_hand": True, "hand_limit": 4})
    n = 0
    while phase(pos) == "limit":
        assert pos.seat == 1
        play(pos, min(offered(pos)))
        n += 1
    assert n == 8 - (4 + 1 + 1)


@pytest.mark.parametrize("limit", [1, 5, 10])
def test_another_hand_limit(limit):
    """9.6: 1 to 10 instead of 3."""
    pos = table({"hand": TWELVE}, phase="limit", options={"hand_limit": limit})
    n = 0
    while phase(pos) == "limit":
        play(pos, min(offered(pos)))
        n += 1
    assert n == 12 - limit


@pytest.mark.parametrize(
    ("rule", "option", "token", "values"),
    [
        ("9.7", "start_peasants", "peasants", (1, 6)),
        ("9.8", "start_crops", "crops", (0, 20)),
        ("9.9", "start_animals", "animals", (7, 20)),
        ("9.10", "start_gold", "gold", (7, 20)),
        ("9.11", "start_resources", "resources", (7, 20)),
    ],
)
def test_richer_and_poorer_starts(rule, option, token, values):
    """9.7, 9.8, 9.9, 9.10 and 9.11: peasants, crops, animals, gold and resources at the start; the rest as ever."""
    assert next(one.rule for one in GAME.options() if one.name == option) == rule
    start = {"crops": 4, "animals": 0, "gold": 0, "resources": 0, "victory": 0, "peasants": 2}
    for value in values:
        _, state = setup(4, **{option: value})
        for seat in range(4):
            found = dict(zip(start, (int(n) for n in state.seats[seat].tokens), strict=True))
            assert found == {**start, token: value}


@pytest.mark.parametrize("n", [0, 5, 8])
def test_cards_at_the_start(n):
    """9.12: 0 to 8, never a hardship."""
    for seed in range(10):
        game, state = setup(6, seed, start_cards=n)
        for seat in range(6):
            dealt = {game.names["card"][card] for card in members(state.seats[seat].hand)}
            assert len(dealt) == n
            assert not dealt & HARDSHIPS


@pytest.mark.parametrize("n", [0, 1, 9])
def test_offers_a_turn(n):
    """9.13: 0 to 9; with 0 there is no trade phase."""
    pos = table({"gold": 99}, {}, phase="swap", to_act=1, options={"offers": n}, kth=1, deck=[])
    made = 0
    while phase(pos) == "swap":
        play(pos, "done")
    while stage(pos) == "trade" and pos.seat == 0:
        play(pos, "offer seat 1", "give gold", "send", "decline")
        made += 1
    assert made == n
    told = [event.get_part("stage") for _, event in pos.told() if event.kind == "phase"]
    assert (1 in told) == (n > 0)


@pytest.mark.parametrize("n", [0, 2, 3])
def test_paid_draws_a_turn(n):
    """9.14: 0 to 3."""
    pos = table({"gold": 30}, options={"buys": n}, deck=TWELVE)
    bought = 0
    while phase(pos) == "buy" and pos.seat == 0:
        play(pos, "buy three")
        play(pos, min(name for name in offered(pos) if name.startswith("keep")))
        bought += 1
    assert bought == n
    assert has(pos, 0)["gold"] == 30 - 3 * n


@pytest.mark.parametrize("deal_first", [False, True])
@pytest.mark.parametrize("bought", [0, 1, 2])
def test_paid_draws_are_not_counted_as_exchanges(bought, deal_first):
    """3.5, 9.14, 9.15, 9.23: whoever has paid for fewer draws than allowed, or for all, may still exchange once."""
    options = {"buys": 2, "swaps": 1, "deal_first": deal_first}
    pos = table({"gold": 30}, {}, options=options, deck=TWELVE)
    for _ in range(bought):
        play(pos, "buy three")
        play(pos, min(name for name in offered(pos) if name.startswith("keep")))
    if bought < 2:
        play(pos, "done")
    assert (phase(pos), pos.seat) == ("swap", 0)
    play(pos, min(name for name in offered(pos) if name.startswith("swap")))
    play(pos, min(name for name in offered(pos) if name.startswith("swap")))
    assert (phase(pos), pos.seat) != ("swap", 0)


@pytest.mark.parametrize("n", [0, 2, 3])
def test_exchanges_a_turn(n):
    """9.15: 0 to 3; paid draws still come first."""
    pos = table({"gold": 3, "hand": ["Stone", "Mine", "Inn", "Taxes"]}, options={"swaps": n}, deck=TWELVE)
    assert phase(pos) == "buy"
    play(pos, "done")
    swapped = 0
    while phase(pos) == "swap" and pos.seat == 0:
        play(pos, min(name for name in offered(pos) if name.startswith("swap")))
        play(pos, min(name for name in offered(pos) if name.startswith("swap")))
        swapped += 1
        assert refused(pos, "buy three")  # the time for it is over
    assert swapped == n


def test_a_named_first_lord():
    """9.16: by lot, or the seat one names, which must be in the game."""
    for seat in range(3):
        game = sutler.load("manor", first_lord=seat)
        assert {int(game.new(3, seed).state.lord) for seed in range(5)} == {seat}
        assert sutler.load("manor", first_lord=f"seat {seat + 1}").chosen["first_lord"] == seat
    with pytest.raises(sutler.BoxError, match=r"first_lord: seat 6 is not in a game of 4 \(9.16\)"):
        sutler.load("manor", first_lord=5).new(4)


def order_of(pos):
    """The lands in reading order."""
    return [space["land"] for space in pos.view()["spaces"]]


@pytest.mark.parametrize("seats", [3, 4])
def test_the_printed_map(seats):
    """9.17: the lands in the order of the rulebook's list, row by row."""
    rows = PRINTED[:3] if seats == 3 else PRINTED
    assert order_of(sutler.load("manor", map="printed").new(seats)) == [land for row in rows for land in row]


def test_a_map_of_ones_own():
    """9.17: the names of all lands in play, row by row from the top left."""
    mine = (
        "Castle, Road, River, Woods, Church, Village, Market, Hills, Pasture, Poor Fields, Good Fields, Fertile Fields"
    )
    pos = sutler.load("manor", map=mine).new(2)
    assert order_of(pos) == mine.split(", ")
    assert [(s["row"], s["col"]) for s in pos.view()["spaces"]] == [(i // 4, i % 4) for i in range(12)]


BASIC = [land for row in PRINTED[:3] for land in row]


@pytest.mark.parametrize(
    ("lands", "seats", "why"),
    [
        (["Rivr", *BASIC[1:]], 2, "there is no land 'Rivr'"),
        (BASIC[:-1], 2, "each of the 12 basic lands once"),
        ([*BASIC[:-1], "River"], 2, "each of the 12 basic lands once"),
        ([*BASIC[:-1], "Forest"], 2, "none of the extra ones"),
        (["Woods", *BASIC[1:4], *["Pasture", "River"], *BASIC[6:]], 2, "River must lie on an edge"),
        (BASIC, 4, "4 seats play on 16 lands"),
        ([*PRINTED[3], *BASIC], 2, "2 seats play on 12 lands"),
    ],
)
def test_maps_that_are_refused(lands, seats, why):
    """9.17: every land in play exactly once; Road or River in the middle is refused."""
    with pytest.raises(sutler.BoxError, match=re.escape(why)):
        sutler.load("manor", map=",".join(lands)).new(seats)


def test_the_rulings_stand_where_the_index_says():
    """10.1: exactly the paragraphs of kind ruling, and every one has a test here that names it."""
    index = GAME.guide.find_paragraph("10.1").text
    assert set(re.findall(r"\d+\.\d+", index)) == {p.number for p in GAME.guide.paragraphs if p.kind == "ruling"}


def test_where_the_author_has_answered():
    """10.2: the five answers, one after the other."""
    # a peasant gained in the work phase acts in it (5.1)
    pos = work({"peasants": 1, "hand": ["Marriage", "Wool"]}, {"peasants": 1})
    play(pos, "place Marriage", "on Church")
    assert pos.seat == 0
    # the Brick Maker's discount needs no playing again (5.8)
    pos = work({"hand": ["Mine", "Docks", "Wool"], "upgrades": ["Brick Maker"], "gold": 3, "peasants": 3})
    play(pos, "place Mine", "place Docks")
    assert has(pos, 0)["gold"] == 0
    assert upgrades(pos, 0) == {"Brick Maker", "Mine", "Docks"}
    # Feudal Dues takes from the hand (5.5): with no cards in it, nothing
    pos = work({"hand": ["Feudal Dues", "Wool", "Goats"]}, {"upgrades": ["Inn"]})
    play(pos, "place Feudal Dues")
    assert phase(pos) == "work"
    # two cards still buy a good in a rebellion (3.3)
    pos = work({"hand": ["Wheat", "Wool"]}, ban=2)
    assert offered(pos) == {"sell Wheat", "sell Wool", "pass"}
    # the Fortress is placed once (5.8): in play it makes nobody Lord again
    pos = work({"upgrades": ["Fortress"], "hand": ["Wool", "Goats"]}, lord=1, to_act=1, first=1)
    assert not any("Fortress" in name for name in offered(pos))
    assert "Fortress" not in said(pos, [event for _, event in pos.told()])


def test_the_hardships_left_out_become_known():
    """9.2: when as many as are in the game have been seen, the others cannot come any more, and the view says so."""
    for seed in range(30):
        pos = sutler.load("manor", hardships=2).new(2, seed)
        for here in walk(pos, seed, 250):
            out, deck = here.view()["hardships_out"], here.view()["deck_cards"]
            hidden = [card for card in deck if card in HARDSHIPS]
            assert set(hidden) >= cards(here, here.state.deck) & HARDSHIPS
            assert len(out) < 2 or hidden == []
            if len(out) == 2:
                break
    pos = sutler.load("manor", hardships=0).new(2)
    assert not HARDSHIPS & set(pos.view()["deck_cards"])


def test_hardships_left_out_by_name():
    """9.18: what is named is not in the game; the number of 9.2 is drawn from the rest."""
    game, state = setup(2, without="plague,  Fire", hardships=8)
    left = {game.names["card"][card] for card in members(state.deck)} & HARDSHIPS
    assert left == HARDSHIPS - {"Plague", "Fire"}
    assert "Fire" not in game.new(2).view()["deck_cards"]
    game, state = setup(2, without="Plague", hardships=3)
    left = {game.names["card"][card] for card in members(state.deck)} & HARDSHIPS
    assert (len(left), "Plague" in left) == (3, False)
    with pytest.raises(sutler.BoxError, match=r"no hardship 'Wheat'.*9\.18"):
        sutler.load("manor", without="Wheat")


def test_victory_tokens_at_the_start():
    """9.19: everybody begins with as many."""
    _, state = setup(3, start_victory=4)
    assert [int(state.seats[seat].tokens[4]) for seat in range(3)] == [4, 4, 4]


def test_upgrades_at_the_start():
    """9.20: so many each, no two alike, in play from the beginning: they count for the cost and are collected."""
    seen = set()
    for seed in range(20):
        game, state = setup(3, seed, start_upgrades=2)
        owned = [game.names["card"][card] for seat in range(3) for card in members(state.seats[seat].upgrades)]
        deck = {game.names["card"][card] for card in members(state.deck)}
        assert len(owned) == len(set(owned)) == 6
        assert {game.new(3, seed).view()["cards"][card]["type"] for card in owned} == {"upgrade"}
        assert not set(owned) & deck
        seen |= set(owned)
    assert len(seen) > 20
    pos = sutler.load("manor", start_upgrades=2, hardships=0).new(3)
    discount = 3 * ("Brick Maker" in pos.view()["seats"][pos.seat]["upgrades"])
    assert pos.view()["cards"]["Mine"]["cost"] == 5 - discount


def test_a_handicap():
    """9.21: more or less of anything for the seats named; never less than nothing; seats must be in the game."""
    game = sutler.load(
        "manor", handicap="seat 2: 3 gold, 1 upgrade, -1 card; Seat 3: -20 crops, -5 peasants, +2 victory"
    )
    seats = game.new(3, 4).view()["seats"]
    assert [seat["gold"] for seat in seats] == [0, 3, 0]
    assert [len(seat["upgrades"]) for seat in seats] == [0, 1, 0]
    assert [seat["crops"] for seat in seats] == [4, 4, 0]
    assert [seat["peasants"] for seat in seats] == [2, 2, 1]
    assert [seat["victory"] for seat in seats] == [0, 0, 2]
    _, state = setup(3, handicap="seat 2: -1 card")
    assert [len(members(state.seats[seat].hand)) for seat in range(3)] == [3, 2, 3]
    with pytest.raises(sutler.BoxError, match=r"seat 3 is not in a game of 2 \(9\.21\)"):
        game.new(2)
    for wrong in (
        "seat 9: 1 gold",
        "seat 1: gold",
        "seat 1: 1 castle",
        "seat 1: 21 gold",
        "seat 1: -1 upgrade",
        "gold 3",
    ):
        with pytest.raises(sutler.BoxError, match=r"handicap: .*9\.21"):
            sutler.load("manor", handicap=wrong)


# --- Print read in two ways ---------------------------------------------------------------------------


@pytest.mark.parametrize(("any_moment", "ends"), [(False, False), (True, True)])
def test_9_22_victory_at_any_moment(any_moment, ends):
    """8.2, 9.22: a seat has 15 victory in the work phase and gives one away: the game ends only by option."""
    options = {"any_moment": any_moment, "offers": 0}
    pos = work({"victory": 15, "crops": 9, "hand": ["Wheat"]}, {"crops": 9, "hand": ["Rye"]}, options=options)
    play(pos, "pass")
    pos.state.seats[0].tokens[TOKEN_NAMES.index("victory")] = 14
    for _ in range(60):
        if pos.over or stage(pos) == "draw":
            break
        names = offered(pos)
        play(pos, next((one for one in ("pass", "done") if one in names), sorted(names)[0]))
    assert pos.over == ends
    assert ("reached" in {one.kind for _, one in pos.told()}) == ends


def test_9_23_all_are_dealt_first():
    """3.1, 9.23: all are dealt; then each may pay for a draw, beginning with the Lord; lastly each may exchange."""
    for first in (False, True):
        pos = sutler.load("manor", deal_first=first, start_gold=6, hardships=0, offers=0).new(3, seed=1)
        dealt = {one.args[0] for one in pos.opening if one.kind == "dealt"}
        assert len(dealt) == (3 if first else 1)
        order = []
        while stage(pos) == "draw" and not pos.over:
            order.append((phase(pos), (pos.seat - pos.state.lord) % 3))
            play(pos, "done")
        buys, swaps = [("buy", k) for k in range(3)], [("swap", k) for k in range(3)]
        by_seat = [one for pair in zip(buys, swaps, strict=True) for one in pair]
        assert order == (buys + swaps if first else by_seat)
