"""Guide 3: the draw phase, and hardships whenever they come."""

from collections import Counter

import pytest

import sutler
from games.manor.table import cards, hand, has, offered, phase, play, refused, stage, table, tokens, upgrades, work
from sutler.contract.helpers import said
from sutler.core.bits import add, members
from sutler.games.manor.phases_actions_events import A
from sutler.games.manor.rules.common import allow_pair

GAME = sutler.load("manor")
TWELVE = ["Beans", "Rye", "Corn", "Wheat", "Oats", "Wool", "Goats", "Sheep", "Pigs", "Flax", "Apples", "Barley"]


def n_hands(pos):
    return [len(hand(pos, seat)) for seat in range(pos.n_seats)]


# --- 3.1 -----------------------------------------------------------------------


@pytest.mark.parametrize("peasants", [(1, 1), (2, 5), (4, 3)])
def test_one_card_more_than_peasants(peasants):
    """3.1: each seat is dealt one card more than it has peasants, on top of what it holds."""
    pos = table(*({"peasants": n, "hand": [card]} for n, card in zip(peasants, TWELVE, strict=False)), deck=TWELVE[2:])
    play(pos, *["done"] * 2)
    assert n_hands(pos) == [1 + n + 1 for n in peasants]
    assert stage(pos) == "trade"


@pytest.mark.parametrize("card", ["Fallow Field", "Clover & Rape", "both"])
def test_two_more_next_turn(card):
    """3.1: 2 more for every Fallow Field and Clover & Rape played in the turn before, for who played it."""
    played = ["Fallow Field", "Clover & Rape"] if card == "both" else [card]
    seats = [{"hand": played, "crops": 1}, {"crops": 1}]
    pos = work(*seats, options={"offers": 0, "swaps": 0}, deck=[*TWELVE, "Millet", "Stone", "Herbs"])
    play(pos, f"place {played[0]}", "on Good Fields")
    if card == "both":
        play(pos, "place Clover & Rape", "on Poor Fields")
    assert (stage(pos), pos.state.turn) == ("work", 2)
    assert n_hands(pos) == [3 + 2 * len(played), 3]
    assert [seat.extra_draw for seat in pos.state.seats][:2] == [2 * len(played), 0]
    assert not any(seat.extra_next for seat in pos.state.seats)


def test_the_number_is_fixed_when_the_deal_begins():
    """3.1: a Plague halfway changes nothing, and the hardship is one of the cards, not replaced."""
    pos = table({"peasants": 3}, {"peasants": 1}, deck=["Plague", "Beans", "Rye", "Corn", "Oats", "Wool"], discards=[])
    play(pos, *["done"] * (len(hand(pos, 0)) >= 2))
    struck = [event.get_part("seat") for _, event in pos.told() if event.kind == "hardship"]
    dealt = [event.get_part("seat") for _, event in pos.told() if event.kind == "dealt"]
    assert dealt.count(0) + struck.count(0) == 4
    assert dealt.count(1) + struck.count(1) == 2
    assert has(pos, 0)["peasants"] == 2


def test_a_seat_finishes_its_draws_before_the_next_begins():
    """3.1: dealing, 3.4 and 3.5 of one seat come before the next seat's deal."""
    pos = table({"crops": 3}, {"crops": 3}, deck=TWELVE)
    assert (pos.seat, phase(pos), n_hands(pos)) == (0, "buy", [3, 0])
    play(pos, "done")
    assert (pos.seat, phase(pos), n_hands(pos)) == (0, "swap", [3, 0])
    play(pos, "done")
    assert (pos.seat, phase(pos), n_hands(pos)) == (1, "buy", [3, 3])


# --- 3.2 and 3.3 ----------------------------------------------------------------


def struck_by(card, *seats, n=3, **more):
    """The work phase after seat 0 has drawn this hardship with Small Game.

    The last seat has a Smithy and 2 resources, so that whatever happens the game waits for it in the upgrade phase.
    """
    first, *others = [*seats, *({} for _ in range(n - len(seats)))]
    smithy = {"upgrades": [*others[-1].get("upgrades", []), "Smithy"], "resources": others[-1].get("resources", 2)}
    others[-1] = {**others[-1], **smithy}
    first = {**first, "hand": ["Small Game", *first.get("hand", ["Stone", "Iron Ore"])]}
    pos = work(first, *others, n=n, deck=[card], **more)
    play(pos, "place Small Game")
    return pos


@pytest.mark.parametrize(
    "card",
    [
        *("Blight", "Peasant Rebellion", "Fire", "Thieves", "Scandal", "Heresy", "Plague"),
        *("Foraging Army", "Kings Tax Collector", "Pestilence"),
    ],
)
def test_a_hardship_strikes_at_once_and_leaves_the_game(card):
    """3.2: whenever it is drawn, here in the work phase; it never reaches a hand or the discards."""
    pos = struck_by(card)
    assert cards(pos, pos.state.removed) == {card}
    assert card not in hand(pos, 0) | cards(pos, pos.state.discards) | cards(pos, pos.state.deck)
    assert f"{card} strikes Seat 1" in said(pos, list(pos.decisions[-1].told))


def test_hardships_strike_before_the_next_card_is_dealt():
    """3.2: with two cards to deal, Heresy takes only what had been dealt before it."""
    seen = set()
    for seed in range(12):
        pos = table(
            {"peasants": 1, "hand": ["Wool"]}, {"peasants": 1}, deck=["Heresy", "Beans", "Rye", "Corn"], seed=seed
        )
        order = [
            pos.game.names["card"][event.get_part("card")]
            for _, event in pos.told()
            if event.kind in ("dealt", "hardship") and event.get_part("seat") == 0
        ]
        if "Heresy" in order:
            kept = set(order[order.index("Heresy") + 1 :])
            assert hand(pos, 0) == kept
            assert "Wool" in cards(pos, pos.state.discards)
            seen.add(len(kept))
    assert seen == {0, 1}


def test_losses_stop_at_nothing():
    """3.2: nobody goes below 0 victory tokens, and nobody loses the last peasant."""
    pos = struck_by("Scandal", {"victory": 1})
    assert has(pos, 0)["victory"] == 0
    pos = struck_by("Plague", {"peasants": 1}, {"peasants": 1}, {"peasants": 3})
    assert [has(pos, seat)["peasants"] for seat in range(3)] == [1, 1, 2]


GOODS = {"crops": 2, "animals": 3, "gold": 4, "resources": 5, "victory": 6}


@pytest.mark.parametrize(
    ("card", "mine", "others"),
    [
        ("Thieves", {"resources": 0}, {}),
        ("Scandal", {"victory": 4}, {}),
        ("Plague", {"peasants": 2}, {"peasants": 2}),
        ("Foraging Army", {"crops": 0, "animals": 0}, {"crops": 0, "animals": 0}),
        ("Kings Tax Collector", {"gold": 0}, {"gold": 0}),
        ("Pestilence", {"animals": 0}, {"animals": 0}),
        ("Blight", {}, {}),
        ("Peasant Rebellion", {}, {}),
        ("Fire", {}, {}),
        ("Heresy", {}, {}),
    ],
)
def test_what_hardships_take(card, mine, others):
    """3.3: what each hardship takes from the seat that drew it and from the others; everything else stays."""
    seats = [{**GOODS, "peasants": 3, "hand": ["Stone", "Iron Ore"] if seat == 0 else []} for seat in range(3)]
    pos = struck_by(card, *seats)
    grown = {**GOODS, "peasants": 3, "animals": 4}  # Small Game itself brings an animal before it draws
    assert has(pos, 0) == {**grown, **mine}
    for seat in (1, 2):
        assert has(pos, seat) == {**GOODS, "peasants": 3, **others}


def test_heresy_takes_every_hand():
    """3.3: every seat discards its hand."""
    pos = struck_by("Heresy", {"hand": ["Stone"]}, {"hand": ["Beans", "Rye"]}, {"hand": ["Mine"]})
    assert n_hands(pos) == [0, 0, 0]
    assert (stage(pos), pos.seat) == ("upgrade", 2)
    assert {"Stone", "Beans", "Rye", "Mine"} <= cards(pos, pos.state.discards)


def test_rebellion_stops_cards_but_not_sales():
    """3.3: Peasant Rebellion: nobody plays a card, two cards still buy a good (the author's answer)."""
    pos = struck_by("Peasant Rebellion", {}, {"hand": ["Wheat", "Corn"], "gold": 9})
    assert offered(pos) == {"sell Wheat", "sell Corn", "pass"}
    assert refused(pos, "place Wheat") == "3.3"
    play(pos, "sell Wheat", "gain gold")
    assert has(pos, 1)["gold"] == 10


def test_bans_end_with_the_turn():
    """3.3: Blight and Rebellion hold for the rest of this turn only."""
    for card in ("Blight", "Peasant Rebellion"):
        pos = work(
            {"hand": ["Small Game"]}, {"hand": []}, deck=[card], discards=TWELVE, options={"offers": 0, "swaps": 0}
        )
        play(pos, "place Small Game")
        assert (pos.state.turn, pos.state.ban) == (2, 0)


def test_blight_stops_crops_from_everywhere():
    """3.3: not by harvest, upgrade, conversion, theft or trade, and not for two cards; the card may still be played."""
    pos = struck_by("Blight", {}, {"hand": ["Spice Trade", "Beans", "Rye"], "peasants": 3}, {"crops": 3, "gold": 1})
    play(pos, "place Spice Trade", "on Market")  # harvest: the gold comes, the crop does not
    assert tokens(pos, 1) == {"gold": 2}
    play(pos, "place Stone", "sell Beans")
    assert offered(pos) == {"gain animals", "gain gold", "gain resources"}
    assert refused(pos, "gain crops") == "3.3"


def test_blight_stops_stolen_crops():
    """3.3: a thief finds no crops worth taking, and nobody to rob who has nothing else."""
    pos = struck_by("Blight", {}, {"hand": ["Banditry", "Beans"]}, {"crops": 3, "gold": 1})
    play(pos, "place Banditry", "on Road")
    assert offered(pos) == {"steal from seat 0", "steal from seat 2"}  # an animal, gold and resources
    play(pos, "steal from seat 2")
    assert refused(pos, "steal crops") == "3.3"
    play(pos, "steal resources")
    assert offered(pos) == {"steal gold", "steal resources"}
    pos = work({"hand": ["Banditry", "Beans"]}, {"crops": 3}, ban=1)
    play(pos, "place Banditry", "on Road")
    assert tokens(pos, 1) == {"crops": 3}
    assert phase(pos) == "work"


def test_blight_stops_crops_of_upgrades():
    """3.3: neither an Orchard's yield nor a conversion into nothing but crops."""
    mine = {"upgrades": ["Orchard", "Bazaar", "Mine", "Inn"], "hand": ["Stone"], "gold": 3}
    pos = struck_by("Blight", mine, n=2)
    play(pos, "place Stone")
    assert (pos.seat, phase(pos)) == (0, "use")
    assert tokens(pos, 0) == {"animals": 1, "resources": 3, "gold": 3 + 1 + 1}  # Bazaar and Mine bring gold
    assert offered(pos) == {"use Inn", "done"}
    assert refused(pos, "use Bazaar") == "3.3"


def test_blight_stops_crops_in_trade():
    """3.3: crops cannot be given or asked for."""
    pos = table({"crops": 3, "gold": 1}, {"crops": 3}, phase="offer", ban=1)
    play(pos, "offer seat 1")
    assert "give gold" in offered(pos)
    assert refused(pos, "give crops") == "3.3"
    assert refused(pos, "want crops") == "3.3"


def test_fire_takes_an_upgrade_at_random():
    """3.3: Fire: one of the upgrades of the seat that drew it, to the discard pile; every one is about as likely."""
    mine = ["Mine", "Inn", "Docks", "Weaver"]
    lost = Counter()
    for seed in range(80):
        pos = struck_by("Fire", {"upgrades": mine}, {"upgrades": ["Bakery"]}, seed=seed)
        assert upgrades(pos, 1) == {"Bakery"}
        (burnt,) = set(mine) - upgrades(pos, 0)
        assert burnt in cards(pos, pos.state.discards)
        lost[burnt] += 1
    assert set(lost) == set(mine)
    assert min(lost.values()) > 8


def test_fire_without_upgrades():
    """3.3: without upgrades nothing happens."""
    pos = struck_by("Fire", {"gold": 3}, {"upgrades": ["Bakery"]})
    assert (tokens(pos, 0), upgrades(pos, 1)) == ({"gold": 3, "animals": 1}, {"Bakery"})


def test_fire_frees_the_land_of_an_upgrade():
    """3.3: an upgrade that still lies on the map burns too, and its land is free again."""
    pos = struck_by("Fire", {"upgrades": ["Mine"]}, {"hand": ["Gold & Silver", "Goats"]}, lies={"Hills": "Mine"}, n=2)
    assert upgrades(pos, 0) == set()
    assert "place Gold & Silver" in offered(pos)
    play(pos, "place Gold & Silver")
    assert pos.state.lies[pos.game.names["land"].index("Hills")] == pos.game.names["card"].index("Gold & Silver")


# --- 3.4 to 3.7 ---------------------------------------------------------------


def test_three_goods_for_a_choice_of_cards():
    """3.4: any 3 goods, draw three, keep one, discard the other two."""
    pos = table({"crops": 1, "gold": 2, "resources": 2}, {}, deck=TWELVE)
    play(pos, "buy three", "give up crops", "give up gold", "give up resources")
    drawn = {name.removeprefix("keep ") for name in offered(pos)}
    assert len(drawn) == 3
    assert not drawn & hand(pos, 0)
    kept = min(drawn)
    before = hand(pos, 0)
    play(pos, f"keep {kept}")
    assert hand(pos, 0) == before | {kept}
    assert drawn - {kept} <= cards(pos, pos.state.discards)
    assert tokens(pos, 0) == {"gold": 1, "resources": 1}
    assert phase(pos) == "swap"  # once a turn


def test_giving_up_is_only_from_what_there_is():
    """3.4: goods only, and only those one has; with fewer than three the choice is not offered."""
    pos = table({"crops": 1, "gold": 2, "victory": 5}, {}, deck=TWELVE)
    play(pos, "buy three")
    assert offered(pos) == {"give up crops", "give up gold"}
    assert refused(pos, "give up animals") == "3.4"
    assert phase(table({"crops": 2, "victory": 5}, {}, deck=TWELVE)) == "swap"


def test_a_hardship_discarded_does_nothing():
    """3.4: it goes to the discard pile and can come back."""
    deck = ["Plague", "Heresy", "Wheat"]
    pos = table({"peasants": 3}, {"gold": 3, "peasants": 3}, to_act=1, phase="buy", deck=deck)
    play(pos, "buy three")
    assert offered(pos) == {"keep Plague", "keep Heresy", "keep Wheat"}
    play(pos, "keep Wheat")
    assert {"Plague", "Heresy"} <= cards(pos, pos.state.discards)
    assert [has(pos, seat)["peasants"] for seat in range(2)] == [3, 3]
    assert cards(pos, pos.state.removed) == set()


def test_a_hardship_kept_strikes():
    """3.4: one you keep acts at once and leaves the game."""
    deck = ["Plague", "Heresy", "Wheat"]
    pos = table({"peasants": 3}, {"gold": 3, "peasants": 3}, to_act=1, phase="buy", deck=deck)
    play(pos, "buy three", "keep Plague")
    assert [has(pos, seat)["peasants"] for seat in range(2)] == [2, 2]
    assert cards(pos, pos.state.removed) == {"Plague"}
    assert hand(pos, 1) == set()
    assert stage(pos) == "trade"


def test_fewer_than_three_cards_to_look_at():
    """3.4: with two cards left in the game, one of those two."""
    pos = table({"gold": 3, "hand": TWELVE[2:]}, phase="buy", deck=TWELVE[:2], discards=[], removed=rest(TWELVE))
    told = play(pos, "buy three")
    assert offered(pos) == {"keep Beans", "keep Rye"}
    assert "Seat 1 pays 3 goods and draws 2 cards" in said(pos, told)


def rest(but):
    """All cards of the game but these."""
    return [name for name in GAME.names["card"] if name not in but]


def test_two_cards_for_one():
    """3.5: last of all two cards from the hand for one new card, once a turn."""
    pos = table({"gold": 3, "hand": ["Stone", "Mine"]}, {}, deck=TWELVE)
    play(pos, "done", "swap Stone")
    assert refused(pos, "swap Stone") == "3.5"
    before = hand(pos, 0)
    play(pos, "swap Mine")
    assert cards(pos, pos.state.discards) >= {"Stone", "Mine"}
    assert len(hand(pos, 0)) == len(before) - 1
    assert pos.seat == 1  # neither 3.4 nor 3.5 again


def test_of_the_first_card_none_is_barred():
    """3.5: only the card given first may not be given again. Before it nothing is, wherever these actions stand in the table of all."""
    pos = table({}, {"hand": ["Stone", "Mine", "Inn"]}, to_act=1, phase="swap", deck=TWELVE)
    another = GAME.action_names[A.swap - 1].name

    def offered_beside_another() -> set[str]:
        out = GAME.definition.actions.new_ids()
        add(out.ids, A.swap - 1)
        allow_pair(GAME.box, pos.state, 1, A.swap, out)
        return {GAME.action_names[one].name for one in members(out.ids)}

    assert offered_beside_another() == {another, "swap Stone", "swap Mine", "swap Inn"}
    play(pos, "swap Stone")
    assert offered_beside_another() == {another, "swap Mine", "swap Inn"}


def test_an_exchange_after_a_purchase():
    """3.4, 3.5: who has bought may exchange too, and each is once a turn."""
    pos = table({"gold": 3, "hand": ["Stone", "Mine", "Inn"]}, {}, deck=TWELVE)
    play(pos, "buy three")  # gold alone is paid unasked
    play(pos, min(offered(pos)))
    assert phase(pos) == "swap"
    play(pos, "swap Stone", "swap Mine")
    assert pos.seat == 1


def test_a_hardship_drawn_in_exchange_strikes():
    """3.5 and 3.2: the new card may be a hardship."""
    pos = table({}, {"hand": ["Stone", "Mine", "Inn"], "victory": 5}, to_act=1, phase="swap", deck=["Scandal"])
    play(pos, "swap Stone", "swap Mine")
    assert (hand(pos, 1), has(pos, 1)["victory"]) == ({"Inn"}, 3)
    assert cards(pos, pos.state.removed) == {"Scandal"}


def test_an_empty_deck_is_made_anew():
    """3.6: the discard pile becomes the new deck."""
    piles = {"deck": [], "discards": ["Wheat", "Corn"], "removed": rest(SEEN)}
    pos = table({}, {"hand": ["Stone", "Mine", "Inn"]}, to_act=1, phase="swap", **piles)
    play(pos, "swap Stone", "swap Mine")
    new = hand(pos, 1) - {"Inn"}
    assert new < {"Wheat", "Corn", "Stone", "Mine"}
    assert len(new) == 1
    assert "reshuffled" in [event.kind for event in pos.decisions[-1].told]


SEEN = ["Stone", "Mine", "Inn", "Wheat", "Corn"]


def test_no_cards_at_all():
    """3.6: with deck and discards empty no card is drawn, and 3.4 and conversions into cards cannot be chosen."""
    used = ["Brewery", "Inn", "Small Game", "Stone"]
    none = {"deck": [], "discards": [], "removed": rest(used)}
    pos = table({"gold": 9}, {"hand": used}, **none)
    assert n_hands(pos) == [0, 4]
    assert (phase(pos), pos.seat) == ("swap", 1)  # nobody was asked to pay for cards
    pos = table({"gold": 9, "upgrades": ["Brewery", "Inn"], "hand": used[2:]}, phase="use", **none)
    assert refused(pos, "use Brewery") == "3.6"
    assert refused(pos, "use Inn") == ""
    pos = work({"hand": used}, **none)
    play(pos, "place Small Game")
    assert hand(pos, 0) == {"Brewery", "Inn", "Stone"}


def test_all_hands_are_open():
    """3.7: every seat and every watcher sees every hand; the deck is known but for its order."""
    pos = table({"hand": ["Stone"]}, {"hand": ["Mine"]}, deck=TWELVE)
    views = [pos.view(viewer) for viewer in (0, 1, None)]
    for view in views:
        assert [set(seat["hand"]) for seat in view["seats"]] == [hand(pos, 0), hand(pos, 1)]
        assert set(view["deck_cards"]) == cards(pos, pos.state.deck)
    assert {**views[0], "seat": None} == {**views[1], "seat": None} == views[2]
    # what comes next is not in the view: other dice bring other cards
    drawn = set()
    for seed in range(8):
        other = pos.copy()
        other.state = pos.for_seat(0, seed).redeal()
        play(other, "done")
        drawn.add(frozenset(hand(other, 1)))
    assert len(drawn) > 1


@pytest.mark.parametrize(("card", "bans"), [("Fire", 0), ("Thieves", 0), ("Blight", 1), ("Peasant Rebellion", 1)])
def test_only_a_hardship_that_forbids_something_says_so(card, bans):
    """3.3: of Blight and Peasant Rebellion it is told what they forbid; the others forbid nothing."""
    assert [one.kind for one in struck_by(card).decisions[-1].told].count("ban") == bans
