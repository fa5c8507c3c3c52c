"""Guide 1 and 2: the game, its parts and setting up."""

from collections import Counter

import pytest

import sutler
from games.manor.table import PRINTED, cards, has, offered, phase, play, stage, table, tokens, work
from sutler.contract.helpers import walk
from sutler.core.bits import members
from sutler.games.manor.box import TOKEN_NAMES
from sutler.games.manor.option_parsing import is_edge_place

GAME = sutler.load("manor")
TABLES = range(2, 7)


def lands(pos):
    """The lands in play, in reading order."""
    place = {int(p): name for name, p in zip(pos.game.names["land"], pos.state.place, strict=True) if p >= 0}
    return [place[i] for i in range(len(place))]


def test_what_it_is_about():
    """1.1: the game ends in the turn in which somebody has 15 victory tokens; every land holds one card at a time."""
    pos = GAME.new(seats=3, seed=5)
    for here in walk(pos, seed=5):
        lying = [int(card) for card in here.state.lies if card >= 0]
        assert len(lying) == len(set(lying))
        if not here.over and stage(here) == "draw":
            assert max(here.scores()) < 15
    assert max(pos.scores()) >= 15


def test_six_kinds_of_token():
    """1.2: crops and animals are food, gold and resources money, all four goods; peasants and victory are none."""
    pos = work(
        {"crops": 1, "animals": 1, "gold": 1, "resources": 1, "victory": 9, "peasants": 9, "hand": ["Beans", "Rye"]}
    )
    play(pos, "sell Beans")
    assert {action.name for action in pos.actions()} == {"gain crops", "gain animals", "gain gold", "gain resources"}
    assert TOKEN_NAMES[:4] == ("crops", "animals", "gold", "resources")
    rich = table({"victory": 9, "peasants": 9, "crops": 2, "gold": 1}, phase="buy")
    assert phase(rich) == "buy"
    poor = table({"victory": 9, "peasants": 9, "crops": 2}, {"crops": 2}, phase="buy")
    assert phase(poor) != "buy"  # two goods and eighteen other tokens are not three goods


def test_tokens_never_run_out():
    """1.2: there are always enough tokens of every kind."""
    pos = work({"crops": 3000, "hand": ["Wheat", "Oats"]})
    play(pos, "place Wheat", "on Good Fields")
    assert has(pos, 0)["crops"] == 3004


@pytest.mark.parametrize(
    ("land", "kind", "bonus"),
    [
        ("River", "River", {"gold": 1}),
        ("Fertile Fields", "Fields", {"crops": 1}),
        ("Good Fields", "Fields", {}),
        ("Poor Fields", "Fields", {"crops": -1}),
        ("Pasture", "Pasture", {"animals": 1}),
        ("Woods", "Woods", {}),
        ("Hills", "Hills", {}),
        ("Road", "Road", {}),
        ("Village", "Village", {}),
        ("Market", "Market", {}),
        ("Church", "Church", {}),
        ("Castle", "Castle", {}),
        ("Irrigated Fields", "Fields", {"crops": 2}),
        ("Hunting Grounds", "Woods", {"animals": 1}),
        ("Mountains", "Hills", {"resources": 1}),
        ("Forest", "Woods", {"resources": 1}),
    ],
)
def test_lands(land, kind, bonus):
    """1.3: each land's kind and what it adds or takes."""
    space = next(space for space in table(n=4).view()["spaces"] if space["land"] == land)
    assert (space["kind"], space["bonus"]) == (kind, bonus)


def test_three_types_of_card():
    """1.4: 59 bounties, 32 upgrades, 10 hardships; hardships are never played."""
    view = GAME.new(2, 0).view()
    assert Counter(card["type"] for card in view["cards"].values()) == {"bounty": 59, "upgrade": 32, "hardship": 10}
    pos = work({"hand": ["Wheat", "Oats"]})
    refusal = pos.why_not("place Plague")
    assert (refusal.text, refusal.rule) == ("This is a hardship: it is never played.", "1.4")


@pytest.mark.parametrize("lord", range(4))
def test_the_lord_goes_first(lord):
    """1.5: the Lord goes first in every phase, the others follow clockwise."""
    order = [(lord + k) % 4 for k in range(4)]
    deck = ["Beans", "Rye", "Corn", "Wheat", "Oats", "Wool", "Goats", "Sheep", "Pigs", "Flax", "Apples", "Barley"]
    pos = table(*[{"crops": 6, "animals": 6}] * 4, n=4, lord=lord, deck=deck)
    seen = {"buy": [], "swap": [], "offer": [], "work": [], "feed": [], "grow": []}
    while pos.state.turn == 1:
        seen[phase(pos)].append(pos.seat)
        play(pos, "done" if "done" in offered(pos) else "pass" if "pass" in offered(pos) else "feed crops 1")
    assert seen == dict.fromkeys(seen, order)


def test_six_phases():
    """1.6: draw, trade, work, upgrade, feeding, end; everybody finishes one before the next begins."""
    pos = GAME.new(seats=3, seed=1)
    for _ in walk(pos, seed=2, most=900):
        pass
    told = [event.get_part("stage") for _, event in pos.told() if event.kind == "phase"]
    assert len(told) > 24
    assert told == [i % 6 for i in range(len(told))]


@pytest.mark.parametrize("seats", TABLES)
def test_size_of_the_map(seats):
    """2.1: the twelve basic lands with two or three seats, all sixteen with four to six."""
    rows = PRINTED[:3] if seats < 4 else PRINTED
    every = {land for row in rows for land in row}
    for seed in range(20):
        assert set(lands(GAME.new(seats, seed))) == every
    assert (GAME.min_seats, GAME.max_seats) == (2, 6)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_map_is_drawn_at_random(seats):
    """2.1: among all layouts that keep to the edge rule; every land but Road and River comes to every space."""
    n = 12 if seats == 2 else 16
    seen = {land: Counter() for row in PRINTED for land in row}
    for seed in range(400):
        for place, land in enumerate(lands(GAME.new(seats, seed))):
            seen[land][place] += 1
    edge = {place for place in range(n) if is_edge_place(place, n)}
    for land in ("Woods", "Castle", "Pasture"):
        assert set(seen[land]) == set(range(n))
    for land in ("Road", "River"):
        assert set(seen[land]) == edge
        assert max(seen[land].values()) < 2 * min(seen[land].values()), "some edge space is liked better"


def test_road_and_river_lie_on_the_edge():
    """2.2: never in the middle."""
    for seats in TABLES:
        n = 12 if seats < 4 else 16
        middle = {5, 6} if n == 12 else {5, 6, 9, 10}
        assert {place for place in range(n) if not is_edge_place(place, n)} == middle
        for seed in range(30):
            order = lands(GAME.new(seats, seed))
            assert not middle & {order.index("Road"), order.index("River")}


@pytest.mark.parametrize("seats", TABLES)
def test_what_you_begin_with(seats):
    """2.3: 2 peasants, 4 crops and 3 cards, none of them a hardship; all hardships are in the deck."""
    for seed in range(30):
        state = GAME.blank(seats, seed)
        GAME.definition.setup(GAME.box, state)
        for seat in range(seats):
            assert list(state.seats[seat].tokens) == [4, 0, 0, 0, 0, 2]
            assert len(members(state.seats[seat].hand)) == 3
        assert set(members(GAME.box.hardships)) <= set(members(state.deck))
        assert len(members(state.deck)) == 101 - 3 * seats


def test_first_hands_are_dealt_at_random():
    """2.3: every card that is no hardship comes to a first hand, about equally often."""
    seen = Counter()
    for seed in range(400):
        state = GAME.blank(6, seed)
        GAME.definition.setup(GAME.box, state)
        for seat in range(6):
            seen.update(members(state.seats[seat].hand))
    assert len(seen) == 91
    assert min(seen.values()) > 45  # 79 expected
    assert max(seen.values()) < 120


def test_the_first_lord_is_drawn_by_lot():
    """2.4: every seat is first Lord about equally often."""
    lords = Counter(int(GAME.new(4, seed).state.lord) for seed in range(400))
    assert set(lords) == {0, 1, 2, 3}
    assert all(75 < n < 125 for n in lords.values())


def test_table_helper_lays_out_what_it_says():
    """The tests' own words: nothing on the table but what is named."""
    pos = work({"hand": ["Wheat", "Oats"], "crops": 2}, {"peasants": 5, "upgrades": ["Mine"]}, lies={"River": "Pigs"})
    assert tokens(pos, 0) == {"crops": 2}
    assert tokens(pos, 1) == {}
    assert has(pos, 1)["peasants"] == 5
    assert cards(pos, pos.state.table) == {"Pigs"}
    assert lands(pos) == [land for row in PRINTED[:3] for land in row]
    assert "Pigs" not in cards(pos, pos.state.deck)
