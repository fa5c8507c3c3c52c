"""Slow, obvious second versions of the tricky parts of Medieval Manor, made from the view alone, against the rules.

They share nothing with the rules but the rulebook: no bits, no records, no tables made in advance.
"""

from itertools import pairwise
from typing import Any

from hypothesis import given as when
from hypothesis import settings
from hypothesis import strategies as st

from sutler.contract.helpers import given, load_game, walk
from sutler.core.play.position import Position
from sutler.games.manor.box import TOKEN_NAMES
from sutler.games.manor.rules.work import cost_of, yield_of

GAME = load_game("manor", map="random")
CARDS = GAME.names["card"]
VIEW = GAME.new(4, 0).view()
BOUNTIES = [name for name, card in VIEW["cards"].items() if card["type"] == "bounty"]
UPGRADES = [name for name, card in VIEW["cards"].items() if card["type"] == "upgrade"]
HELPS = {"crops": {"Compost", "Cultivar", "Manure", "Pollination"}, "animals": {"Fodder"}}


def harvest(view: dict[str, Any], card: str, land: dict[str, Any]) -> dict[str, int]:
    """5.3, read aloud: what the card says, the land, and whoever lies next door."""
    brought = {}
    for token, printed in view["cards"][card]["gain"].items():
        n = printed + land["bonus"].get(token, 0)
        for other in view["spaces"]:
            steps = abs(other["row"] - land["row"]) + abs(other["col"] - land["col"])
            if steps == 1 and other["card"] and HELPS.get(token, set()) & set(view["cards"][other["card"]]["marks"]):
                n += 1
        brought[token] = max(n, 0)
    return {token: n for token, n in brought.items() if n}


def price(view: dict[str, Any], seat: int, card: str) -> int:
    """5.8, read aloud."""
    owned = view["seats"][seat]["upgrades"] + view["seats"][seat]["played_upgrades"]
    cost = 3 + len(owned)
    if card in ("Orchard", "Woodcutters", "Tavern", "Stables"):
        cost -= 2
    if card in ("Fortress", "Cathedral"):
        cost += 2
    if "Brick Maker" in owned:
        cost -= 3
    return max(0, cost)


def placements(view: dict[str, Any], seat: int) -> set[str]:
    """5.2 and 5.8, read aloud: which cards of the hand may be played."""
    me = view["seats"][seat]
    free = {space["kind"] for space in view["spaces"] if space["card"] is None}
    found = set()
    for card in me["hand"]:
        fits = bool(free & set(view["cards"][card]["on"])) or not view["map"]
        paid = view["cards"][card]["type"] != "upgrade" or price(view, seat, card) <= me["gold"] + me["resources"]
        if fits and paid and not view["bans"]["play"]:
            found.add(f"place {card}")
    return found


def ranking(view: dict[str, Any]) -> list[int]:
    """8.4, read aloud: sorted by victory, upgrades and gold; equals share."""
    key = [(-s["victory"], -len(s["upgrades"] + s["played_upgrades"]), -s["gold"]) for s in view["seats"]]
    order = sorted(range(len(key)), key=lambda seat: key[seat])
    places = {order[0]: 1}
    for n, (ahead, behind) in enumerate(pairwise(order), 2):
        places[behind] = places[ahead] if key[ahead] == key[behind] else n
    return [places[seat] for seat in range(len(key))]


def shuffled(names: list[str], most: int) -> st.SearchStrategy[list[str]]:
    """Some of the names, none twice."""
    return st.lists(st.sampled_from(names), unique=True, max_size=most)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A work phase with cards lying about, hands, upgrades and purses of all kinds."""
    seats = draw(st.integers(2, 6))
    lands = GAME.names["land"][: 12 if seats < 4 else 16]
    cards = iter(draw(st.permutations(BOUNTIES))[:50])
    lying = {land: next(cards) for land in draw(shuffled(lands, 9))}
    upgrades = iter(draw(st.permutations(UPGRADES)))
    purse = st.fixed_dictionaries(
        {name: st.integers(1 if name == "peasants" else 0, 7) for name in TOKEN_NAMES if name != "victory"}
        | {"victory": st.sampled_from([0, 3, 14])}
    )
    rows = []
    for _ in range(seats):
        hand = [next(cards) for _ in range(draw(st.integers(0, 4)))] + [
            next(upgrades) for _ in range(draw(st.integers(1, 2)))
        ]
        owned = [next(upgrades) for _ in range(draw(st.integers(0, 3)))]
        rows.append({"hand": hand, "upgrades": owned, "tokens": draw(purse)})
    owner = {land: draw(st.integers(0, seats - 1)) for land in lying}
    return given(
        GAME, seats, draw(st.integers(0, 99)), phase="work", lord=0, to_act=0, lies=lying, owner=owner, seats=rows
    )


@when(positions())
@settings(max_examples=40)
def test_harvest(pos: Position) -> None:
    """5.3: every bounty on every land in play."""
    view = pos.view()
    for space in view["spaces"]:
        for card in BOUNTIES[:: len(space["land"])]:
            counted = {
                token: int(yield_of(pos.game.box, pos.state, CARDS.index(card), space["index"], i))
                for i, token in enumerate(TOKEN_NAMES)
            }
            assert {token: n for token, n in counted.items() if n} == harvest(view, card, space), (card, space)


@when(positions())
@settings(max_examples=40)
def test_prices(pos: Position) -> None:
    """5.8: every upgrade for every seat."""
    view = pos.view()
    for seat in range(pos.n_seats):
        for card in UPGRADES:
            assert int(cost_of(pos.game.box, pos.state, seat, CARDS.index(card))) == price(view, seat, card)


@when(positions())
@settings(max_examples=60)
def test_placements(pos: Position) -> None:
    """5.2: what may be played."""
    if pos.seat is not None and pos.view()["step"] == "work":
        names = {action.name for action in pos.actions() if action.block == "place"}
        assert names == placements(pos.view(), pos.seat)


@when(positions())
@settings(max_examples=60)
def test_ranking(pos: Position) -> None:
    """8.4: who is ahead."""
    assert pos.places() == ranking(pos.view())


def test_placements_while_playing() -> None:
    """5.2 and 5.8: the same along real games, with and without a map."""
    for options in ({}, {"no_map": True}):
        n = 0
        pos = load_game("manor", **options).new(3, 8)
        for here in walk(pos, seed=8, most=1500):
            if not here.over and here.view()["step"] == "work" and n < 120:
                n += 1
                names = {action.name for action in here.actions() if action.block == "place"}
                assert names == placements(here.view(), here.seat)
        assert n > 60
