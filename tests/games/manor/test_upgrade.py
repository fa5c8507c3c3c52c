"""Guide 6: the upgrade phase."""

import pytest

import sutler
from games.manor.table import cards, hand, has, offered, phase, play, refused, stage, table, tokens, upgrades, work
from sutler.contract.helpers import given
from sutler.games.manor.box import TOKEN_NAMES


def after_work(*seats, **more):
    """The work phase is about to end: seat 0 passes, and upgrades yield."""
    first, *others = seats
    pos = work({"hand": ["Wool", "Goats"], **first}, *others, **more)
    play(pos, "pass")
    return pos


def test_each_upgrade_yields_once_by_itself():
    """6.1: its simple gain, in every turn."""
    pos = after_work({"upgrades": ["Mine", "Tannery", "Fortress", "Wind Mill", "Stables"], "hand": ["Wool", "Goats"]})
    assert tokens(pos, 0) == {"gold": 1, "resources": 1, "victory": 1, "crops": 1, "animals": 1}


def test_upgrades_built_this_turn_yield_too():
    """6.1: those still on the map included; lands and neighbours add nothing here."""
    lies = {"Good Fields": "Plow Team"}
    pos = work({"hand": ["Orchard", "Wool"], "gold": 1}, {"upgrades": ["Smithy"], "resources": 2}, lies=lies)
    play(pos, "place Orchard", "on Fertile Fields", "pass")
    assert (stage(pos), pos.seat) == ("upgrade", 1)
    assert tokens(pos, 0) == {"crops": 1}


def test_a_seat_finishes_before_the_next_begins():
    """6.1: from the Lord clockwise, gains and conversions seat by seat."""
    pos = after_work({"upgrades": ["Inn"], "gold": 2}, {"upgrades": ["Docks"], "gold": 1})
    assert (pos.seat, phase(pos)) == (0, "use")
    assert has(pos, 1)["gold"] == 1  # not yet
    play(pos, "done")
    assert has(pos, 1)["gold"] == 2


CONVERSIONS = [
    ("Watermill", {"cards": 1}, {"crops": 1}),
    ("Quarry", {"cards": 1}, {"resources": 1}),
    ("Royal Hunting Grounds", {"cards": 1}, {"animals": 1}),
    ("Mine", {"cards": 1}, {"gold": 1}),
    ("Warehouse", {"gold": 1}, {"resources": 1}),
    ("Weaver", {"crops": 1}, {"resources": 1}),
    ("Tannery", {"animals": 1}, {"resources": 1}),
    ("Bazaar", {"gold": 1}, {"crops": 1}),
    ("Cattle Enclosures", {"crops": 1}, {"animals": 1}),
    ("Docks", {"gold": 1}, {"animals": 1}),
    ("Fishing Boats", {"animals": 1}, {"gold": 1}),
    ("Vineyard", {"crops": 1}, {"gold": 1}),
    ("Cheese Maker", {"animals": 2}, {"cards": 1}),
    ("Brewery", {"gold": 2}, {"cards": 1}),
    ("Carpenter Workshop", {"resources": 2}, {"cards": 1}),
    ("Printing Press", {"crops": 2}, {"cards": 1}),
    ("Bakery", {"crops": 2}, {"victory": 1}),
    ("Inn", {"gold": 2}, {"victory": 1}),
    ("Smithy", {"resources": 2}, {"victory": 1}),
    ("Butcher", {"animals": 2}, {"victory": 1}),
    ("Guild Hall", {"resources": 1, "gold": 1}, {"victory": 1}),
    ("Abbey", {"animals": 1, "crops": 1}, {"victory": 1}),
    ("Renaissance Master", {"cards": 2}, {"victory": 1}),
]


@pytest.mark.parametrize(("card", "give", "get"), CONVERSIONS)
def test_conversions(card, give, get):
    """6.2: each as often as one likes and can pay; never with less than it costs."""
    n = give.get("cards", 0)
    held = ["Wool", "Goats", "Beans", "Rye"][: 2 * n]
    enough = {token: 2 * cost for token, cost in give.items() if token != "cards"}
    pos = table({"upgrades": [card], **enough, "hand": held}, phase="use", deck=["Stone", "Iron Ore"])
    for times in (1, 2):
        play(pos, f"use {card}")
        for _ in range(n):
            if phase(pos) == "spend":
                play(pos, min(offered(pos)))
        got = {token: times * gain for token, gain in get.items() if token != "cards"}
        left = {token: (2 - times) * cost for token, cost in give.items() if token != "cards"}
        if times == 2:
            break  # with nothing left to convert the game goes on by itself
        assert tokens(pos, 0) == {token: n for token, n in {**left, **got}.items() if n}
        assert len(hand(pos, 0)) == len(held) - n + get.get("cards", 0)
    converted = [event for event in pos.decisions[-1].told if event.kind == "converted"]
    assert len(converted) == 1
    other, token = ("Inn", "gold") if "resources" in give else ("Smithy", "resources")  # something else to decide
    poor = table({"upgrades": [card, other], token: 2, "victory": 9, "peasants": 9}, phase="use")
    assert refused(poor, f"use {card}") == "6.2"


def test_only_ones_own_and_only_conversions():
    """6.2: not another seat's upgrade, not one without a conversion."""
    pos = table({"upgrades": ["Inn", "Cathedral"], "gold": 4}, {"upgrades": ["Docks"]}, phase="use")
    assert offered(pos) == {"use Inn", "done"}
    assert pos.why_not("use Docks").text == "This upgrade is not yours."
    assert pos.why_not("use Cathedral").text == "This card has no conversion."


def test_in_any_order():
    """6.2: what one conversion brings another may use."""
    pos = table({"upgrades": ["Bazaar", "Bakery", "Vineyard"], "gold": 2, "crops": 1}, phase="use")
    play(pos, "use Bazaar", "use Bazaar", "use Bakery")
    assert tokens(pos, 0) == {"victory": 1, "crops": 1}


def test_sixty_conversions_a_turn():
    """6.2: a circle of conversions ends at 60 a seat a turn."""
    pos = table({"upgrades": ["Cattle Enclosures", "Fishing Boats", "Bazaar"], "crops": 1}, phase="use")
    n = 0
    while phase(pos) == "use":
        play(pos, next(name for name in offered(pos) if name != "done"))
        n += 1
    assert n == 60
    assert [event.kind for _, event in pos.told()].count("converted") == 60


def test_the_printed_example():
    """6.2: the Cathedral gives 1 victory; the Mine 1 gold, and then any number of cards for 1 gold each."""
    pos = after_work({"upgrades": ["Cathedral", "Mine"], "hand": ["Wool", "Goats", "Beans"]})
    assert tokens(pos, 0) == {"victory": 1, "gold": 1}
    play(pos, "use Mine", "spend Wool", "use Mine", "spend Goats")
    assert tokens(pos, 0) == {"victory": 1, "gold": 3}
    assert hand(pos, 0) == {"Beans"}
    assert cards(pos, pos.state.discards) == {"Wool", "Goats"}


def test_a_conversion_draws_the_top_card():
    """6.3: into the hand."""
    pos = table({"upgrades": ["Brewery"], "gold": 5}, phase="use", deck=["Stone"])
    play(pos, "use Brewery")
    assert (hand(pos, 0), has(pos, 0)["gold"]) == ({"Stone"}, 3)


def test_a_hardship_drawn_by_a_conversion_strikes():
    """6.3: at once (3.2)."""
    pos = table({"upgrades": ["Brewery"], "gold": 5, "victory": 4}, phase="use", deck=["Scandal"])
    play(pos, "use Brewery")
    assert (hand(pos, 0), has(pos, 0)["victory"]) == (set(), 2)
    pos = table(
        {"upgrades": ["Brewery"], "gold": 4}, {"upgrades": ["Smithy"], "resources": 2}, phase="use", deck=["Fire"]
    )
    play(pos, "use Brewery")
    assert upgrades(pos, 0) == set()
    assert pos.seat == 1  # nothing left to convert with


def test_blight_spares_a_conversion_that_brings_more_than_crops():
    """3.3, 6.2: what would bring crops alone is not offered; with an animal beside them it still is, and brings the animal."""
    seats = [
        {"upgrades": ["Bazaar", "Inn"], "hand": [], "tokens": {"crops": 0, "gold": 3, "peasants": 2}},
        {"hand": [], "upgrades": []},
    ]
    more = {"seats": seats, "phase": "use", "lord": 0, "to_act": 0, "ban": 1}
    alone = table({"upgrades": ["Bazaar", "Inn"], "gold": 3}, phase="use", ban=1)
    assert offered(alone) == {"use Inn", "done"}
    game = sutler.load("manor", map="printed")
    game.box.card[game.names["card"].index("Bazaar")].convert.get[TOKEN_NAMES.index("animals")] = 1
    pos = given(game, 2, 0, **more)
    play(pos, "use Bazaar")
    assert tokens(pos, 0) == {"gold": 2, "animals": 1}


def with_first(card):
    """The printed box, this card listed before all others, as a designer may."""
    listed = sorted(sutler.load("manor").definition.printed["card"], key=lambda one: one["name"] != card)
    return sutler.load("manor", {"replace": ["card"], "card": listed}, map="printed")


def test_the_first_card_of_a_box_is_one_like_any():
    """6.1, 6.2: it yields and converts."""
    for card, wanted in (("Mine", {"gold": 1}), ("Abbey", {"crops": 1, "animals": 1})):
        has_it = {"upgrades": [card], "hand": ["Wool", "Goats"], "tokens": {"crops": 1, "animals": 1, "peasants": 2}}
        pos = given(
            with_first(card), seats=[has_it, {"hand": [], "tokens": {"peasants": 2}}], phase="work", to_act=0, lord=0
        )
        play(pos, "pass")
        assert {token: n for token, n in has(pos, 0).items() if token in wanted} == wanted
        assert ("use Abbey" in offered(pos)) == (card == "Abbey")


def test_the_first_card_of_a_box_counts_at_the_end():
    """8.3: its value is added and told."""
    rich = {
        "upgrades": ["University"],
        "hand": ["Wool", "Goats", "Corn", "Rye"],
        "tokens": {"victory": 15, "peasants": 2},
    }
    poor = {"hand": [], "tokens": {"peasants": 2}}
    pos = given(with_first("University"), seats=[rich, poor], phase="limit", to_act=0, lord=0)
    play(pos, "discard Rye")
    assert (pos.over, pos.scores()) == (True, [16, 0])
    assert "end_value" in [event.kind for event in pos.decisions[-1].told]


def test_upgrades_that_follow_one_another_in_the_box_all_yield():
    """6.1: Woodcutters and Tavern stand side by side in the list."""
    pos = after_work({"upgrades": ["Woodcutters", "Tavern"]})
    assert tokens(pos, 0) == {"gold": 1, "resources": 1}


def test_the_first_card_of_a_box_makes_the_hand_larger():
    """8.1: its hand size counts like any."""
    owner = {"upgrades": ["Warehouse"], "hand": ["Wool", "Goats", "Corn", "Rye", "Beans"], "tokens": {"peasants": 2}}
    other = {"hand": [], "tokens": {"peasants": 2}}
    pos = given(with_first("Warehouse"), seats=[owner, other], phase="limit", to_act=0, lord=0)
    assert pos.view()["seats"][0]["hand_limit"] == 4


def test_the_first_card_of_a_box_makes_others_cheaper():
    """5.8: its discount counts like any."""
    owner = {"upgrades": ["Brick Maker"], "hand": ["Mine", "Goats"], "tokens": {"gold": 1, "peasants": 2}}
    other = {"hand": [], "tokens": {"peasants": 2}}
    pos = given(with_first("Brick Maker"), seats=[owner, other], phase="work", to_act=0, lord=0)
    assert "place Mine" in offered(pos)
