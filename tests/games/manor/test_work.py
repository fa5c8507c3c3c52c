"""Guide 5: the work phase."""

import pytest

import sutler
from games.manor.table import cards, hand, has, offered, phase, play, refused, stage, tokens, upgrades, work
from sutler.contract.helpers import given, said
from sutler.core.events import drain_events, new_event_buffer
from sutler.games.manor.box import TOKEN_NAMES
from sutler.games.manor.rules import common

# --- 5.1 and 5.2 ----------------------------------------------------------------


def test_one_action_at_a_time():
    """5.1: round and round from the Lord, an action for each peasant."""
    pos = work(
        {"peasants": 1, "hand": ["Beans", "Iron Ore"]},
        {"peasants": 3, "hand": ["Rye", "Stone", "Wool"]},
        {"peasants": 2, "hand": ["Oats", "Taxes"]},
        n=3,
        lord=1,
        to_act=1,
    )
    order = []
    while stage(pos) == "work":
        order.append(pos.seat)
        name = min(name for name in offered(pos) if name.startswith("place "))
        play(pos, name)
        if phase(pos) == "choose land":
            play(pos, min(offered(pos)))
    assert order == [1, 2, 0, 1, 2, 1]


def test_a_new_peasant_acts_at_once():
    """5.1: peasants are counted as they are now (the author's answer on Marriage and Midwife)."""
    pos = work({"peasants": 1, "hand": ["Midwife", "Beans"]}, {"peasants": 1})
    play(pos, "place Midwife")
    assert (pos.seat, phase(pos)) == (0, "work")
    assert "place Beans" in offered(pos)


def test_a_lost_peasant_may_cost_an_action():
    """5.1: one lost before its action is an action less."""
    pos = work(
        {"peasants": 2, "hand": ["Small Game", "Beans"]}, {"peasants": 2, "hand": ["Rye", "Corn"]}, deck=["Plague"]
    )
    play(pos, "place Small Game", "place Rye", "on Good Fields")
    assert stage(pos) != "work"
    assert hand(pos, 0) >= {"Beans"}


@pytest.mark.parametrize(
    ("card", "lands"),
    [
        ("Wheat", {"Fertile Fields", "Good Fields", "Poor Fields", "Irrigated Fields"}),
        ("Timber", {"Woods", "Hunting Grounds", "Forest"}),
        ("Stone", {"Hills", "Mountains"}),
        ("Oysters & Crabs", {"River"}),
        ("Collect Tolls", {"Road"}),
        ("Midwife", {"Village"}),
        ("Money Lender", {"Market"}),
        ("Indulgences", {"Church"}),
        ("Tournament", {"Castle"}),
        ("Sheep", {"Fertile Fields", "Good Fields", "Poor Fields", "Irrigated Fields", "Pasture"}),
        ("Cattle Enclosures", {"Pasture"}),
    ],
)
def test_cards_go_on_lands_of_their_kinds(card, lands):
    """5.2: Fields, Woods and Hills mean every land of that kind."""
    pos = work({"hand": [card, "Inn"], "gold": 9}, {"hand": ["Taxes", "Tithe"]}, n=4)
    land = min(lands)
    play(pos, f"place {card}")
    if len(lands) > 1:  # with one land only, nobody is asked
        assert offered(pos) == {f"on {land}" for land in lands}
        assert refused(pos, "on River") == "5.2"
        play(pos, f"on {land}")
    assert any(f"plays {card} on {land}" in line for line in said(pos, [event for _, event in pos.told()]))


def test_a_taken_land_takes_no_second_card():
    """5.2: whoever put it there; with no land left the card cannot be played."""
    pos = work({"hand": ["Wheat", "Oats", "Oysters & Crabs"]}, lies={"Good Fields": "Beans", "River": "Cloth Trade"})
    assert refused(pos, "place Oysters & Crabs") == "5.2"
    play(pos, "place Wheat")
    assert offered(pos) == {"on Fertile Fields", "on Poor Fields"}
    assert pos.why_not("on Good Fields").text == "This land already holds a card."
    assert pos.why_not("on Castle").text == "The card does not belong on this land."
    assert pos.why_not("on Forest").text == "This land is not in the game."
    play(pos, "on Poor Fields")
    assert refused(pos, "place Mine") == "5.2"


# --- 5.3: the harvest ---------------------------------------------------------------


def brought(card, land, lies=None, n=4, **more):
    """What a bounty brings on a land, beside what lies there."""
    pos = work({"hand": [card, "Inn", "Bakery"], **more}, {"hand": ["Taxes", "Tithe"]}, n=n, lies=lies or {})
    before = has(pos, 0)
    play(pos, f"place {card}")
    if phase(pos) == "choose land":
        play(pos, f"on {land}")
    after = has(pos, 0)
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}


@pytest.mark.parametrize(
    ("card", "land", "gain"),
    [
        ("Wheat", "Fertile Fields", {"crops": 5}),
        ("Wheat", "Good Fields", {"crops": 4}),
        ("Wheat", "Poor Fields", {"crops": 3}),
        ("Wheat", "Irrigated Fields", {"crops": 6}),
        ("Goats", "Pasture", {"animals": 3}),
        ("Goats", "Hills", {"animals": 2}),
        ("Stag Hunt", "Hunting Grounds", {"animals": 3}),
        ("Cloth Trade", "River", {"gold": 3, "resources": 1}),
        ("Stone", "Mountains", {"resources": 4}),
        ("Timber", "Forest", {"resources": 4}),
        ("Gold & Silver", "Mountains", {"gold": 3}),  # the mountains add only to what the card yields
        ("Wool", "Fertile Fields", {"resources": 2}),
        ("Wool", "Pasture", {"resources": 2}),
        ("Timber", "Hunting Grounds", {"resources": 3}),
        ("Flax", "Poor Fields", {"resources": 1}),  # 1 crop less 1: nothing, never less
        ("Slaughter Livestock", "Fertile Fields", {"animals": 4}),
        ("Settlers", "River", {"peasants": 1}),
        ("Fallow Field", "Irrigated Fields", {}),
    ],
)
def test_lands_add_to_what_a_card_yields(card, land, gain):
    """5.3: the printed tokens and the land's bonus or loss, if the card itself yields that token."""
    assert brought(card, land) == gain


HELPERS = {
    "Compost": "Cabbage",
    "Cultivar": "Plow Team",
    "Manure": "Pigs",
    "Pollination": "Honey & Wax",
}


@pytest.mark.parametrize("mark", HELPERS)
def test_neighbours_that_help_crops(mark):
    """5.3: 1 crop for each Compost, Cultivar, Manure or Pollination next to it, if the card yields crops."""
    lies = {"Good Fields": HELPERS[mark]}
    assert brought("Wheat", "Poor Fields", lies) == {"crops": 4}
    assert brought("Wheat", "Irrigated Fields", lies) == {"crops": 6}  # not next to it
    assert brought("Collect Tolls", "Road", lies) == {"gold": 2}
    assert brought("Goats", "Hills", lies) == {"animals": 2}


def test_fodder_helps_animals():
    """5.3: 1 animal for each Fodder next to it, if the card yields animals; Fodder does nothing for crops."""
    assert brought("Goats", "Pasture", {"Fertile Fields": "Oats"}) == {"animals": 4}
    assert brought("Wheat", "Good Fields", {"Fertile Fields": "Oats"}) == {"crops": 4}
    assert brought("Wool", "Pasture", {"Fertile Fields": "Oats"}) == {"resources": 2}


@pytest.mark.parametrize(
    ("card", "crops", "animals"), [("Beans", 5, 2), ("Plow Team", 6, 2), ("Oats", 5, 3), ("Corn", 6, 3)]
)
def test_a_card_helps_from_when_it_lies(card, crops, animals):
    """5.3: what is played helps what is played next to it afterwards, each with what its marks say and no more."""
    for grown, land, token, n in (("Wheat", "Fertile Fields", "crops", crops), ("Goats", "Hills", "animals", animals)):
        pos = work({"hand": [card, "Inn", "Bakery"]}, {"hand": [grown, "Tavern"]})
        play(pos, f"place {card}", "on Good Fields", f"place {grown}", f"on {land}")
        assert has(pos, 1)[token] == n


def test_every_neighbour_counts_once():
    """5.3: several neighbours add up, but a card with two marks that help crops counts once, and diagonals never."""
    around = {"Fertile Fields": "Corn", "Poor Fields": "Plow Team"}
    assert brought("Wheat", "Good Fields", around) == {"crops": 6}
    assert brought("Wheat", "Good Fields", {"Pasture": "Sheep", "Road": "Salt Trade"}) == {"crops": 4}
    assert brought("Wheat", "Fertile Fields", {"Pasture": "Sheep", "Good Fields": "Plow Team"}) == {"crops": 7}


def test_anybodys_card_helps():
    """5.3: whoever put it there."""
    pos = work({"hand": ["Plow Team", "Inn", "Bakery"]}, {"hand": ["Wheat", "Tavern"]})
    play(pos, "place Plow Team", "on Good Fields", "place Wheat", "on Fertile Fields")
    assert has(pos, 1)["crops"] == 6


def test_nothing_is_paid_later():
    """5.3: a helper that comes after the harvest changes nothing."""
    pos = work({"hand": ["Wheat", "Inn", "Bakery"]}, {"hand": ["Plow Team", "Tavern"]})
    play(pos, "place Wheat", "on Fertile Fields")
    assert has(pos, 0)["crops"] == 5
    play(pos, "place Plow Team", "on Good Fields")
    assert has(pos, 0)["crops"] == 5
    assert has(pos, 1)["crops"] == 4  # Wheat is Compost


def test_the_printed_example():
    """5.3: Wheat: 5 on Fertile Fields, 3 on Poor Fields, 6 on Fertile Fields beside Plow Team."""
    assert brought("Wheat", "Fertile Fields") == {"crops": 5}
    assert brought("Wheat", "Poor Fields") == {"crops": 3}
    assert brought("Wheat", "Fertile Fields", {"Good Fields": "Plow Team"}) == {"crops": 6}


@pytest.mark.parametrize("card", ["Small Game", "Berries, Acorns, Nuts"])
def test_some_bounties_draw_a_card(card):
    """5.3: Small Game and Berries, Acorns, Nuts draw one at once."""
    pos = work({"hand": [card, "Inn"]}, {"hand": ["Taxes", "Tithe"]}, deck=["Stone"])
    play(pos, f"place {card}")
    assert hand(pos, 0) == {"Inn", "Stone"}


# --- 5.4 to 5.7 -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "token", "gain"),
    [
        ("Crafts Fair", "resources", 1),
        ("Feast Day", "animals", 1),
        ("Harvest", "crops", 1),
        ("Caravan", "gold", 1),
        ("Pilgrimage", "peasants", 2),
        ("Levy Troops", "peasants", 2),
    ],
)
def test_conversions_on_a_bounty(card, token, gain):
    """5.4: as often as you can pay, with what the card has just brought; the last peasant stays."""
    pos = work({token: 3, "hand": [card, "Inn", "Bakery"]}, {"hand": ["Taxes", "Tithe"]})
    before = has(pos, 0)
    play(pos, f"place {card}")
    if phase(pos) == "choose land":
        play(pos, max(offered(pos)))
    n = 0
    while phase(pos) == "convert":
        play(pos, "convert")
        n += 1
    if token == "peasants":
        assert n == 2
        assert has(pos, 0) == {**before, "peasants": 1, "victory": 1 + 2 * gain}
    else:
        assert n == 4
        assert has(pos, 0) == {**before, token: 0, "victory": 4 * gain}


def test_a_conversion_is_made_while_playing_or_not_at_all():
    """5.4: declining ends it; no other action brings it back."""
    pos = work({"gold": 2, "hand": ["Caravan", "Inn"]}, {"hand": ["Taxes", "Tithe"]})
    play(pos, "place Caravan", "on Road", "convert", "done")
    assert tokens(pos, 0) == {"gold": 2, "victory": 1}
    assert refused(pos, "convert") == "5.1"


def test_lands_and_neighbours_add_nothing_to_conversions():
    """5.4: on Fertile Fields beside a Plow Team, Harvest yields 3 crops and each still turns into 1."""
    pos = work({"hand": ["Harvest", "Inn"]}, {"hand": ["Taxes", "Tithe"]}, lies={"Good Fields": "Plow Team"})
    play(pos, "place Harvest", "on Fertile Fields")
    assert has(pos, 0)["crops"] == 3
    play(pos, "convert")
    assert (has(pos, 0)["crops"], has(pos, 0)["victory"]) == (2, 1)


def test_feudal_dues_takes_a_card_from_a_hand():
    """5.5: the thief chooses seat and card, from the hand and never an upgrade (the author's answer)."""
    pos = work(
        {"hand": ["Feudal Dues", "Inn"]},
        {"hand": ["Wheat", "Corn"], "upgrades": ["Mine"]},
        {"hand": ["Goats"]},
        {},
        n=4,
    )
    play(pos, "place Feudal Dues")
    assert offered(pos) == {"steal from seat 1", "steal from seat 2"}
    play(pos, "steal from seat 1")
    assert offered(pos) == {"steal Wheat", "steal Corn"}
    assert refused(pos, "steal Mine") == "5.5"
    assert pos.why_not("steal Mine").text == "They do not have this."
    play(pos, "steal Corn")
    assert (hand(pos, 0), hand(pos, 1)) == ({"Corn", "Inn"}, {"Wheat"})
    assert has(pos, 0)["victory"] == 1


def test_feudal_obligations_takes_one_good():
    """5.5: one good of the thief's choice, never a token that is no good."""
    pos = work(
        {"hand": ["Feudal Obligations", "Inn"]},
        {"gold": 2, "crops": 1, "victory": 5, "peasants": 5, "hand": ["Wool", "Goats"]},
    )
    play(pos, "place Feudal Obligations")
    assert offered(pos) == {"steal gold", "steal crops"}
    play(pos, "steal gold")
    assert tokens(pos, 0) == {"gold": 1, "victory": 1}
    assert tokens(pos, 1) == {"gold": 1, "crops": 1, "victory": 5}


def test_banditry_takes_two_goods_from_one_seat():
    """5.5: both from the same seat, alike or not."""
    pos = work({"hand": ["Banditry", "Inn"]}, {"gold": 1, "crops": 2, "hand": ["Wool"]}, {"animals": 9}, n=3)
    play(pos, "place Banditry", "on Road", "steal from seat 1", "steal gold")
    assert phase(pos) != "steal" or offered(pos) == {"steal crops"}
    assert tokens(pos, 0) == {"gold": 1, "crops": 1}
    assert tokens(pos, 1) == {"crops": 1}
    assert tokens(pos, 2) == {"animals": 9}


def test_a_thief_takes_what_is_there():
    """5.5: fewer if there are fewer; nothing if nobody has anything."""
    pos = work({"hand": ["Banditry", "Inn"]}, {"gold": 1, "hand": ["Wool"]})
    play(pos, "place Banditry", "on Road")
    assert (tokens(pos, 0), tokens(pos, 1)) == ({"gold": 1}, {})
    pos = work({"hand": ["Banditry", "Inn"]}, {"victory": 3, "hand": ["Wool"]})
    play(pos, "place Banditry", "on Road")
    assert tokens(pos, 0) == {}
    assert pos.seat == 1


def test_money_lender():
    """5.6: 4 gold for 1 victory token; without one it may be played, and nothing is lost."""
    assert brought("Money Lender", "Market", victory=3) == {"gold": 4, "victory": -1}
    assert brought("Money Lender", "Market") == {"gold": 4}


@pytest.mark.parametrize("card", ["Tournament", "Stables", "Marriage", "Fortress"])
def test_a_card_on_the_castle_makes_its_player_lord(card):
    """5.7: bounty or upgrade, at once."""
    pos = work({"hand": ["Inn", "Beans"]}, {"hand": [card, "Wool"], "gold": 9}, {"hand": ["Goats"]}, n=3)
    play(pos, "place Beans", "on Good Fields", f"place {card}")
    if phase(pos) == "choose land":
        play(pos, "on Castle")
    assert pos.state.lord == 1
    assert pos.view()["seats"][1]["lord"]
    assert pos.seat == 2  # the order of the running phase stays
    assert "Seat 2 becomes Lord of the Manor" in said(pos, list(pos.decisions[-1].told))


def test_only_the_castle_makes_a_lord():
    """5.7: the same card elsewhere does not."""
    pos = work({"hand": ["Inn", "Beans"]}, {"hand": ["Marriage", "Wool"]})
    play(pos, "place Beans", "on Good Fields", "place Marriage", "on Church")
    assert pos.state.lord == 0


def test_who_is_lord_already_becomes_nothing():
    """5.7: a card of the Lord's own on the Castle is no news."""
    pos = work({"hand": ["Tournament", "Inn"]}, {"hand": ["Wool", "Goats"]}, lord=0)
    play(pos, "place Tournament")
    assert pos.state.lord == 0
    assert "lordship" not in [event.kind for event in pos.decisions[-1].told]


def test_the_new_lord_goes_first_from_the_next_phase():
    """5.7: the upgrade phase of the same turn begins with the new Lord."""
    rich = {"upgrades": ["Inn"], "gold": 9, "crops": 9}
    pos = work(
        {**rich, "hand": ["Beans"]}, {"upgrades": ["Smithy"], "resources": 2, "crops": 9, "hand": ["Tournament"]}
    )
    play(pos, "place Beans", "on Good Fields", "place Tournament")
    assert (stage(pos), pos.seat) == ("upgrade", 1)


# --- 5.8: upgrades ------------------------------------------------------------------


def cost(card, owned=(), money=30):
    """What an upgrade costs a seat that owns these, as its purse tells."""
    pos = work({"hand": [card, "Wool"], "upgrades": list(owned), "gold": money}, {"hand": ["Goats"]}, n=4)
    if refused(pos, f"place {card}"):
        return None
    play(pos, f"place {card}")
    if phase(pos) == "choose land":
        play(pos, min(offered(pos)))
    return money - has(pos, 0)["gold"]


@pytest.mark.parametrize("n", range(5))
def test_three_and_one_more_for_each_owned(n):
    """5.8: 3 money, and 1 more for each upgrade already owned."""
    owned = ["Inn", "Docks", "Weaver", "Bakery", "Butcher"][:n]
    assert cost("Mine", owned) == 3 + n
    assert cost("Cathedral", owned) == cost("Fortress", owned) == 5 + n
    for cheap in ("Orchard", "Woodcutters", "Tavern", "Stables"):
        assert cost(cheap, owned) == 1 + n


def test_the_printed_cost_example():
    """5.8: with two upgrades the third costs 5, the Orchard 3."""
    assert cost("Mine", ["Inn", "Docks"]) == 5
    assert cost("Orchard", ["Inn", "Docks"]) == 3


def test_brick_maker():
    """5.8: 3 less for every later upgrade, for the rest of the game; never below 0; none on itself."""
    assert cost("Brick Maker") == 3
    assert cost("Mine", ["Brick Maker"]) == 1
    assert cost("Cathedral", ["Brick Maker"]) == 3
    assert cost("Orchard", ["Brick Maker"]) == 0
    assert cost("Mine", ["Brick Maker", "Inn", "Docks"]) == 3


def test_no_money_no_upgrade():
    """5.8: gold and resources both count, nothing else does."""
    poor = {"gold": 1, "resources": 1, "crops": 9, "animals": 9, "victory": 9}
    assert refused(work({"hand": ["Mine", "Wool"], **poor}), "place Mine") == "5.8"
    assert refused(work({"hand": ["Mine", "Wool"], **poor, "gold": 2}), "place Mine") == ""


def test_gold_and_resources_may_be_mixed():
    """5.8: the payer chooses the split, and no impossible one."""
    pos = work({"hand": ["Mine", "Wool"], "gold": 2, "resources": 2}, {"hand": ["Goats"]})
    play(pos, "place Mine")
    assert offered(pos) == {"pay gold 1", "pay gold 2"}
    assert refused(pos, "pay gold 0") == "5.8"
    play(pos, "pay gold 1")
    assert tokens(pos, 0) == {"gold": 1}
    assert upgrades(pos, 0) == {"Mine"}


def test_an_upgrade_pays_nothing_when_placed():
    """5.8: it begins in this turn's upgrade phase."""
    pos = work({"hand": ["Mine", "Wool"], "gold": 3}, {"hand": ["Goats"]})
    play(pos, "place Mine")
    assert tokens(pos, 0) == {}
    pos = work({"hand": ["Cathedral"], "gold": 5, "crops": 1})
    play(pos, "place Cathedral")
    assert stage(pos) != "work"
    assert has(pos, 0)["victory"] == 1


def test_upgrades_on_the_map_are_owned():
    """5.8: they count for the cost of the next, and a Brick Maker among them discounts it."""
    pos = work({"hand": ["Mine", "Docks", "Wool"], "gold": 7, "peasants": 3}, {"hand": ["Goats"]})
    play(pos, "place Mine", "pass", "place Docks")
    assert has(pos, 0)["gold"] == 0
    pos = work({"hand": ["Brick Maker", "Docks", "Wool"], "gold": 4, "peasants": 3}, {"hand": ["Goats"]})
    play(pos, "place Brick Maker", "on Hills", "pass", "place Docks")
    assert has(pos, 0)["gold"] == 0
    assert upgrades(pos, 0) == {"Brick Maker", "Docks"}


def test_an_upgrade_holds_its_land_this_turn_only():
    """5.8: later it lies off the map and no longer touches it (the author's answer on the Fortress)."""
    pos = work(
        {"hand": ["Fortress", "Wool"], "gold": 5, "crops": 1},
        {"hand": ["Tournament", "Levy Troops"], "crops": 1},
        options={"offers": 0, "swaps": 0},
        deck=["Goats", "Beans", "Rye", "Corn", "Oats", "Sheep"],
    )
    play(pos, "place Fortress")
    assert refused(pos, "place Tournament") == "5.2"
    assert [space["card"] for space in pos.view()["spaces"] if space["land"] == "Castle"] == ["Fortress"]
    play(pos, "pass", "pass")
    assert (pos.state.turn, stage(pos)) == (2, "work")
    assert upgrades(pos, 0) == {"Fortress"}
    assert all(space["card"] is None for space in pos.view()["spaces"])
    play(pos, next(name for name in offered(pos) if name == "pass"))
    assert refused(pos, "place Tournament") == ""


# --- 5.9 to 5.11 ------------------------------------------------------------------


def test_the_second_card_to_discard_is_the_question_itself():
    """5.9: beside the work to discard is a way round; once the first card lies there, nothing else is asked, and the cards are lit."""
    pos = work({"peasants": 2, "hand": ["Wheat", "Inn", "Beans"]})
    assert {one.tone for one in pos.choices() if one.block == "sell"} == {"quiet"}
    play(pos, "sell Wheat")
    assert [(one.name, one.tone) for one in pos.choices()] == [("sell Beans", ""), ("sell Inn", "")]


@pytest.mark.parametrize("good", ["crops", "animals", "gold", "resources"])
def test_two_cards_for_a_good(good):
    """5.9: an action: discard two cards, gain one good of any type."""
    pos = work({"hand": ["Wheat", "Mine", "Inn"]}, {"hand": ["Goats"]})
    play(pos, "sell Wheat")
    assert refused(pos, "sell Wheat") == "5.9"
    play(pos, "sell Inn", f"gain {good}")
    assert tokens(pos, 0) == {good: 1}
    assert hand(pos, 0) == {"Mine"}
    assert cards(pos, pos.state.discards) == {"Wheat", "Inn"}
    assert (pos.seat, pos.view()["seats"][0]["actions_left"]) == (1, 1)


def test_one_card_buys_nothing():
    """5.9: it takes two; the last two will do."""
    pos = work({"hand": ["Wheat", "Inn"]})
    assert refused(pos, "sell Wheat") == ""
    play(pos, "sell Wheat", "gain gold")  # the second is then the only one left
    assert (tokens(pos, 0), hand(pos, 0)) == ({"gold": 1}, set())
    assert refused(work({"hand": ["Wheat"]}), "sell Wheat") == "5.9"


def test_who_can_do_nothing_is_skipped():
    """5.10: no pass: when Fire burns what lay on the Castle, the seat that had nothing to do acts again."""
    pos = work(
        {"hand": ["Tournament"]},
        {"hand": ["Small Game", "Goats", "Wool"], "upgrades": ["Fortress"]},
        lies={"Castle": "Fortress"},
        owner={"Castle": 1},
        deck=["Fire"],
        to_act=1,
    )
    assert refused(pos, "place Tournament")
    play(pos, "place Small Game")
    assert pos.seat == 0
    assert offered(pos) == {"place Tournament", "pass"}
    assert not pos.view()["seats"][0]["passed"]


def test_nobody_who_can_do_nothing_is_said_to_pass():
    """5.10: the log tells passes, and a seat that is skipped has made none."""
    pos = work({"hand": ["Wool"]}, {"peasants": 1, "hand": ["Goats", "Beans"]})
    play(pos, "place Wool", "on Pasture", "place Goats", "on Hills")
    assert "passed" not in [event.kind for _, event in pos.told()]
    assert stage(pos) != "work"


def test_passing_is_final():
    """5.10: the remaining actions of this phase are lost."""
    pos = work({"peasants": 3, "hand": ["Wheat", "Oats"]}, {"peasants": 2, "hand": ["Goats", "Wool", "Beans"]})
    play(pos, "pass", "place Goats", "on Hills")
    assert pos.seat == 1
    play(pos, "place Wool", "on Pasture")
    assert stage(pos) != "work"
    assert hand(pos, 0) >= {"Wheat", "Oats"}


def test_the_end_of_the_work():
    """5.11: bounties go to the discard pile, upgrades to their owners, and every land is free."""
    pos = work(
        {"hand": ["Wheat", "Inn"], "gold": 3}, {"hand": ["Oats", "Smithy"], "gold": 5, "resources": 2, "peasants": 2}
    )
    play(pos, "place Wheat", "on Good Fields", "place Oats", "on Poor Fields", "place Inn", "on Road")
    play(pos, "place Smithy", "on Village", "pay gold 3")
    assert stage(pos) == "upgrade"
    assert cards(pos, pos.state.discards) == {"Wheat", "Oats"}
    assert (upgrades(pos, 0), upgrades(pos, 1)) == ({"Inn"}, {"Smithy"})
    assert all(space["card"] is None for space in pos.view()["spaces"])
    assert cards(pos, pos.state.table) == set()


def test_what_costs_more_than_any_money_is_not_offered():
    """5.8: upgrades that cost 20, and a seat without money; one that is 16 cheaper at a price of 16 is free."""
    dear = sutler.load("manor", None, {"rules.upgrade_cost": 20, "map": "printed"})
    rows = [{"hand": ["Inn", "Wool"], "tokens": {"peasants": 2}}, {"hand": [], "tokens": {"peasants": 2}}]
    pos = given(dear, seats=rows, phase="work", to_act=0, lord=0)
    assert "place Wool" in offered(pos)
    assert "place Inn" not in offered(pos)
    gift = sutler.load("manor", None, {"rules.upgrade_cost": 16, "card.Inn.cost_change": -16, "map": "printed"})
    assert "place Inn" in offered(given(gift, seats=rows, phase="work", to_act=0, lord=0))


@pytest.mark.parametrize(("price", "asked"), [(63, True), (64, False), (65, False)])
def test_a_price_larger_than_an_action_can_name_is_not_asked(price, asked):
    """5.8: 64 money and more: as little gold as resources leave to pay."""
    game = sutler.load("manor", None, {"rules.upgrade_cost": price, "map": "printed"})
    rich = {"hand": ["Inn", "Wool"], "tokens": {"gold": 100, "resources": 60, "peasants": 2}}
    pos = given(game, seats=[rich, {"hand": [], "tokens": {"peasants": 2}}], phase="work", to_act=0, lord=0)
    play(pos, "place Inn", "on Road")
    if asked:
        assert offered(pos) == {f"pay gold {n}" for n in range(3, 64)}
    else:
        assert (has(pos, 0)["gold"], has(pos, 0)["resources"]) == (100 - (price - 60), 0)


@pytest.mark.parametrize("n", [1, 40])
def test_1_2_no_more_than_a_number_holds(n):
    """1.2: with 9,999 crops nothing more comes, in machine code as in plain Python; the log says what came."""
    for run in (common.gain, common.gain.plain):
        pos = work({"crops": 9998, "hand": ["Wheat"]})
        events = new_event_buffer()
        run(pos.game.box, pos.state, events, 0, TOKEN_NAMES.index("crops"), n)
        run(pos.game.box, pos.state, events, 0, TOKEN_NAMES.index("crops"), n)
        assert has(pos, 0)["crops"] == 9999
        assert [one.get_part("n") for one in drain_events(pos.game.definition.events, events)] == [1]


def test_cards_that_are_to_be_discarded_are_marked_until_they_are():
    """5.9: the first card looked like any other while the second was asked for."""
    pos = work({"peasants": 2, "hand": ["Beans", "Rye", "Oats"]}, {"peasants": 1})
    assert pos.view(0)["discarding"] == []
    play(pos, "sell Beans")
    assert pos.view(0)["discarding"] == ["Beans"]
    play(pos, "sell Rye")
    assert pos.view(0)["discarding"] == ["Beans", "Rye"]
    play(pos, "gain crops")
    assert pos.view(0)["discarding"] == []
