"""Every card (guide 4 and 11 to 13). T1 to T55 are the cases of the rules notes."""

from collections import Counter

import pytest

import sutler
from games.warfarm.farms import A, B, C, decks_of_hand, farms, hand, owns, pick, table, traps, turn
from sutler.contract.helpers import offered, play, said
from sutler.core.record import NOBODY
from sutler.games.warfarm.box import MOST_DOUBLED
from sutler.games.warfarm.rules.common import note_loss
from sutler.games.warfarm.state import check

BUSY = {"farmers": 1, "water": 1}  # a seat that has something to decide, so that the game waits for it


def worker(name: str, n: int) -> tuple[str, dict[str, int]]:
    """A Table card with workers on it."""
    return name, {"workers": n}


# --- 4 Playing cards, 4.2 Resource cards -----------------------------------------------------


def test_T55_the_card_list():
    """1.7: types 18, 6, 5, 1, 3; 33 designs; 96 branch cards; 40 Resource cards."""
    cards = sutler.load("warfarm").sheet.card
    designs = Counter(card.type for card in cards)
    assert designs == {"resource": 4, "table": 18, "once": 6, "trap": 5, "permanent": 1, "miracle": 3}
    assert sum(card.copies for card in cards if card.type == "resource") == 40
    assert sum(card.copies for card in cards if card.type != "resource") == 96


def test_resource_cards():
    """4.2: each gives one thing and is discarded."""
    pos = farms("play", {"hand": ["Farmer", "Farmland", "Steel", "Wild"]})
    play(pos, "play Farmer", "play Farmland", "play Steel", "play Wild", "take Religion")
    assert owns(pos, A, farmers=1, land=7, steel=1, religion=1, n_hand=0)
    assert pos.state.discards[:4].tolist() == [1, 1, 1, 1]


def test_a_wild_offers_four_things():
    """4.2: a Farmer, a Farmland, a Steel or a Religion; no Water, no Fire."""
    pos = farms("play", {"hand": ["Wild"]})
    play(pos, "play Wild")
    assert offered(pos) == {"take Farmer", "take Farmland", "take Steel", "take Religion"}


def test_any_number_of_cards():
    """4.1: cards and uses in any order, until one ends it; a seat with a hand is asked even if nothing can be played."""
    pos = farms("play", {"hand": ["Lost Homeland"]})
    assert offered(pos) == {"end playing"}
    pos = farms("play", {**BUSY, "hand": []})
    assert "build Explorer" in offered(pos)  # an empty hand and nothing to use: on to building


def test_table_cards_traps_and_permanents_take_their_places():
    """4.3, 4.4, 4.5, 4.7: face up, face down, or the discards."""
    pos = farms("play", {"hand": ["Mine", "Guard", "Surprise Attack", "Mine"]})
    play(pos, "play Mine", "play Guard", "play Surprise Attack", "play Mine")
    assert table(pos, A) == ["Mine", "Mine"]
    assert traps(pos, A) == ["Guard"]
    assert int(pos.state.discards[pos.game.names["card"].index("Surprise Attack")]) == 1


def test_two_alike_work_twice():
    """4.3: two Mines, two Steel."""
    assert owns(farms("produce", {"table": ["Mine", "Mine"], **BUSY}), A, steel=2)


# --- 11 Farm cards ------------------------------------------------------------------------------


def test_water_wheel():
    """11.1: 2 Water."""
    assert owns(farms("produce", {"table": ["Water Wheel"], **BUSY}), A, water=3)


def test_irrigation():
    """11.2: 1 Farmland."""
    assert owns(farms("produce", {"table": ["Irrigation"], **BUSY}), A, land=7)


def test_T36_T37_combine_harvester():
    """11.4, 3.7: FL 7 and a Farmer that farmed: 8 Water; with Irrigation the Farmland counts first. The two at work farm too."""
    farm = {"land": 7, "farmers": 1, "farming": 1, "table": [worker("Combine Harvester", 2)]}
    assert owns(farms("produce", farm), A, water=10)
    assert owns(farms("produce", farm, options={"workers_idle": True}), A, water=8)
    farm = {"land": 7, **BUSY, "table": [worker("Combine Harvester", 2), "Irrigation"]}
    assert owns(farms("produce", farm), A, land=8, water=11)


def test_a_harvester_needs_both_workers():
    """11.4: with one Farmer left on it there is no Water; two Harvesters need four."""
    idle = {"workers_idle": True}
    assert owns(farms("produce", {**BUSY, "table": [worker("Combine Harvester", 1)]}, options=idle), A, water=1)
    two = [worker("Combine Harvester", 2), worker("Combine Harvester", 2)]
    assert owns(farms("produce", {**BUSY, "table": two}, options=idle), A, water=13, n_farmers=5)


def test_resource_management_as_often_as_one_likes():
    """11.5: the 43rd of a turn doubles the next Resource cards as the first does, and no number overflows."""
    for before, after in ((3, 6), (118, MOST_DOUBLED), (MOST_DOUBLED, MOST_DOUBLED)):
        pos = farms("play", {"hand": ["Resource Management", "Steel", "Mine"]}, BUSY, doubles=before)
        play(pos, "play Resource Management")
        assert int(pos.state.doubles) == after
        play(pos, "play Steel")
        assert owns(pos, A, steel=2)


def test_T39_resource_management():
    """11.5: the next three Resource cards count double, the fourth does not."""
    cards = ["Resource Management", "Farmland", "Steel", "Farmer", "Farmer"]
    pos = farms("play", {"hand": cards})
    play(pos, "play Resource Management", "play Farmland", "play Steel", "play Farmer", "play Farmer")
    assert owns(pos, A, land=8, steel=2, farmers=3)


def test_a_doubled_wild():
    """11.5: gives two of the same; Table cards in between use nothing up; the rest is lost with the turn."""
    pos = farms("play", {"hand": ["Resource Management", "Wild", "Mine", "Farmland"]}, BUSY)
    play(pos, "play Resource Management", "play Mine", "play Wild", "take Steel", "end playing")
    assert owns(pos, A, steel=2)
    turn(pos, A)
    play(pos, "play Farmland")
    assert owns(pos, A, land=7)


def test_extra_package():
    """11.6: only in a turn in which an Explorer came back from the Resource deck."""
    pos = farms("produce", {"away": {"Resource": 1}, "hand": ["Extra Package"]})
    before = len(hand(pos, A))
    play(pos, "play Extra Package")
    assert decks_of_hand(pos, A) == ["Resource"] * (before + 2)
    pos = farms("produce", {"away": {"Farm I": 1}, "hand": ["Extra Package"]})
    assert pos.why_not("play Extra Package").rule == "11.6"


def test_T42_peace_contract():
    """11.7: 3 Water to B, whose next attack step may aim nothing at A; nor at A's visiting Disciple."""
    farm_a = {"water": 3, "visiting": {B: 1}, "hand": ["Peace Contract", "Peace Contract"]}
    farm_b = {"soldiers": 1, "guards": 1, "disciples": 1, "cannons": 1, "farmers": 1, "fire": 1}
    pos = farms("play", farm_a, farm_b, {"farmers": 2})
    play(pos, "play Peace Contract", "make peace with seat 1")
    assert owns(pos, A, water=0)
    assert owns(pos, B, water=3)
    assert pos.why_not("play Peace Contract").rule == "4.1"
    play(pos, "end playing")
    for _ in range(9):
        if "end attacking" in offered(pos):
            break
        names = offered(pos)
        play(
            pos, next(name for name in ("end playing", "end building", "leave on post", "end posting") if name in names)
        )
    assert not any("seat 0" in name or "strike" in name for name in offered(pos))
    assert pos.why_not("send a Disciple to seat 0").rule == "11.7"
    assert pos.why_not("shoot Fire at seat 0").rule == "11.7"
    play(pos, "attack with a Soldier")
    assert offered(pos) == {"hit Farmland of seat 2", pick(pos, C, "Farmer in the field")}
    assert pos.why_not("hit Farmland of seat 0").rule == "11.7"


def test_a_peace_contract_ends():
    """11.7: with A's next turn; a Disciple of B that was visiting already raids all the same."""
    pos = farms("end", {"peace": 1 << B, "farmers": 1, "water": 1}, {"soldiers": 1}, active=C)
    turn(pos, B)
    play(pos, "end posting", "attack with a Soldier")
    assert "hit Farmland of seat 0" in offered(pos)
    pos = farms("start", {"peace": 1 << B, "farmers": 2}, {"visiting": {A: 1}}, active=B)
    assert "raid Farmland" in offered(pos)


def test_free_market_reform():
    """4.8, 11.8: 1 Water for one thing, any number of times; never the other way."""
    pos = farms("play", {"water": 2, "table": ["Free Market Reform"]})
    play(pos, "use Free Market Reform")
    assert offered(pos) == {"take Farmer", "take Farmland", "take Steel", "take Religion", "take Fire"}
    play(pos, "take Religion", "use Free Market Reform", "take Farmland")
    assert owns(pos, A, water=0, religion=1, land=7)
    assert "use Free Market Reform" not in offered(pos)


def test_explorers_association():
    """11.9: 2 Water for a card of Farm I or II, locked or not."""
    pos = farms("play", {"water": 4, "table": ["Explorer's Association"], "hand": ["Steel"]})
    play(pos, "use Explorer's Association")
    assert offered(pos) == {"draw from Farm I", "draw from Farm II"}
    play(pos, "draw from Farm II", "use Explorer's Association", "draw from Farm I")
    assert decks_of_hand(pos, A) == ["Farm I", "Farm II", "Resource"]
    assert owns(pos, A, water=0)
    assert pos.why_not("use Explorer's Association").rule == "4.8"


def test_shared_facility():
    """11.10: 2 Water to the owner; guarded or not; who stands on the card stays; no attack, so no spoils and no Monk."""
    farm_b = {"table": [("Mine", {"soldiers": 1}), worker("Combine Harvester", 2)], "traps": ["Ascetic Monk"], **BUSY}
    pos = farms(
        "play", {"water": 4, "table": ["Shared Facility"]}, farm_b, {"table": ["Temple"], "shown": ["The Great Fire"]}
    )
    play(pos, "use Shared Facility")
    assert offered(pos) == {"seize seat 1 1", "seize seat 1 2", "seize seat 2 1"}
    play(pos, "seize seat 1 2", "use Shared Facility", "seize seat 1 1")
    assert table(pos, A) == ["Shared Facility", "Combine Harvester", "Mine"]
    assert owns(pos, B, water=7, soldiers=1, farmers=3, n_hand=0)  # the two who were at work have farmed
    assert traps(pos, B) == ["Ascetic Monk"]


def test_T40_T41_lost_homeland():
    """11.11: not with 5 Farmland; with 4, 4 Farmland and 4 Farmers."""
    assert farms("play", {"land": 5, "hand": ["Lost Homeland"]}).why_not("play Lost Homeland").rule == "11.11"
    pos = farms("play", {"land": 4, "hand": ["Lost Homeland"]}, BUSY)
    play(pos, "play Lost Homeland")
    assert owns(pos, A, land=8, farmers=4)


# --- 12 Military cards ------------------------------------------------------------------------------


def test_mine():
    """12.2: 1 Steel."""
    assert owns(farms("produce", {"table": ["Mine"], **BUSY}), A, steel=1)


def test_T31_forced_reinforcement():
    """10.1, 12.3: A builds two Soldiers; B gets one when the step is over."""
    pos = farms("build", {"farmers": 3, "steel": 2}, {"traps": ["Forced Reinforcement"], **BUSY})
    play(pos, "build Soldier", "build Soldier")
    assert owns(pos, A, n_soldiers=1)
    assert owns(pos, B, soldiers=1)
    assert traps(pos, B) == []


def test_forced_reinforcement_waits_for_soldiers():
    """12.3: Explorers do not spring it; one's own Soldiers neither."""
    farm = {"farmers": 2, "water": 2, "traps": ["Forced Reinforcement"], "steel": 1}
    pos = farms("build", farm, {"traps": ["Forced Reinforcement"], **BUSY})
    play(pos, "build Explorer", "end building")
    assert traps(pos, A) == traps(pos, B) == ["Forced Reinforcement"]


def test_T32_two_alike():
    """10.2: B and C have both set it; only B's springs."""
    trap = {"traps": ["Forced Reinforcement"], **BUSY}
    pos = farms("build", {"farmers": 2, "steel": 1}, trap, trap)
    play(pos, "build Soldier")
    assert traps(pos, B) == []
    assert traps(pos, C) == ["Forced Reinforcement"]
    assert owns(pos, B, soldiers=1)
    assert owns(pos, A, n_soldiers=0)


def test_T30_active_troops():
    """12.4: a guard attacks and stays on guard; a Soldier in reserve attacks and stays; each once."""
    pos = farms("attack", {"guards": 1, "soldiers": 1, "table": ["Active Troops"]}, BUSY)
    play(pos, "strike from Farmland", "hit Farmland of seat 1")
    assert owns(pos, A, guards=1, returning=0)
    assert "strike from Farmland" not in offered(pos)
    play(pos, "attack with a Soldier", "hit Farmland of seat 1")
    assert owns(pos, A, soldiers=1, returning=0)
    assert owns(pos, B, land=4)
    assert pos.state.active != A


def test_active_troops_can_fall():
    """12.4, 7.9: a guard that attacks a Soldier falls with it."""
    pos = farms("attack", {"guards": 2, "table": [("Active Troops", {"soldiers": 1})]}, {"guards": 2, **BUSY})
    play(pos, "strike from Farmland", pick(pos, B, "Soldier guarding Farmland"))
    assert owns(pos, A, guards=1, n_soldiers=2)
    play(pos, "strike from card 1", pick(pos, B, "Soldier guarding Farmland"))
    assert owns(pos, A, n_soldiers=1)
    assert owns(pos, B, n_soldiers=0)


def test_mercenaries():
    """12.5: one attack a turn for each card, without loss; a guard is removed."""
    pos = farms("attack", {"table": ["Mercenaries", "Mercenaries"]}, {"guards": 1, **BUSY})
    play(pos, "attack with Mercenaries", pick(pos, B, "Soldier guarding Farmland"))
    play(pos, "attack with Mercenaries", "hit Farmland of seat 1")
    assert owns(pos, B, n_soldiers=0, land=5)
    assert pos.state.active != A


def test_execution():
    """12.6: a Soldier, on guard too, for a card of Military I or II; those returning do not count."""
    pos = farms("play", {"guards": 1, "table": ["Execution"], "hand": ["Steel"]})
    play(pos, "use Execution")
    assert offered(pos) == {"draw from Military I", "draw from Military II"}
    play(pos, "draw from Military II")
    assert owns(pos, A, n_soldiers=0)
    assert decks_of_hand(pos, A) == ["Military II", "Resource"]
    pos = farms("play", {"returning": 1, "table": ["Execution"], "hand": ["Steel"]})
    assert pos.why_not("use Execution").rule == "4.8"


def test_T33_guard():
    """12.7: both Explorers die; C draws a Resource and a Farm I card though nothing is unlocked for it."""
    pos = farms("explore", {"explorers": 2, "farmers": 3}, BUSY, {"traps": ["Guard"]})
    play(pos, "explore Resource", "explore Farm I")
    assert owns(pos, A, n_explorers=0)
    assert decks_of_hand(pos, C) == ["Farm I", "Resource"]
    assert traps(pos, C) == []


def test_a_guard_waits_for_explorers():
    """12.7: none sent, none caught."""
    pos = farms("explore", {"explorers": 2, "farmers": 3}, {"traps": ["Guard"], **BUSY})
    play(pos, "end exploring")
    assert traps(pos, B) == ["Guard"]


def test_the_fire_card():
    """12.8, 15.18: by the option each turn one Fire, or none; once for each such card."""
    pos = farms("produce", {"table": ["Fire", "Mine", "Fire"], **BUSY}, options={"fire_declined": True})
    assert offered(pos) == {"take the Fire", "leave the Fire"}
    play(pos, "take the Fire", "leave the Fire")
    assert owns(pos, A, fire=1, steel=1)


def test_T43_surprise_attack():
    """12.9: B's three guards do not help the Farmland; they stay. Cards and Traps are open as well."""
    farm = {
        "guards": 3,
        "land_farmers": 1,
        "table": [("Conscription Reform", {"soldiers": 1})],
        "traps": [("Guard", 1)],
        **BUSY,
    }
    pos = farms("play", {"soldiers": 1, "hand": ["Surprise Attack"]}, farm)
    play(pos, "play Surprise Attack", "end posting", "attack with a Soldier")
    assert {"hit Farmland of seat 1", "hit card of seat 1 1", "hit trap of seat 1 1"} <= offered(pos)
    assert pick(pos, B, "Farmer guarding Farmland") in offered(pos)
    play(pos, "hit Farmland of seat 1")
    assert owns(pos, B, land=5, guards=3)


def test_T34_defenseless_karma():
    """12.10: 2 FL, 1 So and 1 Fa lost to A: A loses 3 FL and 3 things more of B's choice, and cards are drawn."""
    farm_a = {
        "soldiers": 4,
        "guards": 1,
        "water": 2,
        "land": 6,
        "table": [("Mine", {"soldiers": 1})],
        "traps": ["Guard"],
    }
    farm_b = {"soldiers": 1, "farmers": 1, "water": 1, "traps": ["Defenseless Karma"]}
    pos = farms("attack", farm_a, farm_b)
    hits = ("hit Farmland of seat 1", "hit Farmland of seat 1", pick(pos, B, "Soldier in reserve"))
    for hit in (*hits, pick(pos, B, "Farmer in the field")):
        play(pos, "attack with a Soldier", hit)
    assert pos.seat == B
    assert owns(pos, A, land=3, n_hand=5)
    assert owns(pos, B, land=4, n_hand=5)
    assert traps(pos, B) == []
    assert offered(pos) == {
        "hit Farmland of seat 0",
        "hit card of seat 0 1",
        "hit trap of seat 0 1",
        "destroy Water",
        pick(pos, A, "Soldier guarding Farmland"),
        pick(pos, A, "Soldier guarding card 1"),
        pick(pos, A, "Soldier returning"),
    }
    play(pos, "destroy Water", pick(pos, A, "Soldier returning"), "hit card of seat 0 1")
    assert owns(pos, A, water=1, returning=2, soldiers=1, n_hand=6)
    assert table(pos, A) == []
    assert owns(pos, B, n_hand=6)


def test_T35_karma_needs_more_than_three():
    """12.10: three lost, cards not counted: it stays set."""
    farm_b = {"farmers": 1, "water": 1, "table": ["Mine"], "traps": ["Defenseless Karma"]}
    pos = farms("attack", {"soldiers": 5, "explorers": 1}, farm_b)
    for hit in (
        "hit Farmland of seat 1",
        "hit Farmland of seat 1",
        "hit card of seat 1 1",
        pick(None, B, "Farmer in the field"),
    ):
        play(pos, "attack with a Soldier", hit)
    play(pos, "end attacking")
    assert traps(pos, B) == ["Defenseless Karma"]
    assert pos.seat == A


def test_karma_counts_the_whole_turn():
    """12.10: a Farmland raided at the start of the turn counts, and a Water taken as a tithe."""
    farm_a = {"visiting": {B: 1}, "soldiers": 2, "explorers": 1, "table": [worker("Tithing", 1)]}
    pos = farms("start", farm_a, {"water": 1, "farmers": 1, "traps": ["Defenseless Karma"]}, {"water": 1})
    play(pos, "leave on post", "end posting")
    play(pos, "attack with a Soldier", "hit Farmland of seat 1", "attack with a Soldier", "hit Farmland of seat 1")
    play(pos, "end attacking")
    assert pos.seat == B
    assert traps(pos, B) == []


def test_karma_accuses_nobody_of_what_one_did_oneself():
    """12.10: own Disciples burnt and own Soldiers fallen in an attack count, but there is no attacker to strike."""
    farm_a = {
        "land": 9,
        "disciples": 4,
        "soldiers": 2,
        "religion": 9,
        "hand": ["Burnt Offering to Elder Gods", "Burnt Offering to Elder Gods"],
        "table": ["Temple"],
        "traps": ["Defenseless Karma"],
    }
    pos = farms("play", farm_a, BUSY, BUSY, lost=[1, 0, 0])
    for _ in range(2):
        play(pos, "play Burnt Offering to Elder Gods")
        for spot in ("Disciple at home", "Disciple at home", "Soldier in reserve"):
            if pick(pos, A, spot) in offered(pos):
                play(pos, pick(pos, A, spot))
        if "spare the rest" in offered(pos):
            play(pos, "spare the rest")
    assert int(pos.state.lost[A]) > 3
    assert int(pos.state.robber[A]) == NOBODY
    turn(pos, C)
    assert owns(pos, A, land=9)
    assert traps(pos, A) == ["Defenseless Karma"]


def test_a_loss_of_ones_own_doing_leaves_the_accused_as_it_was():
    """12.10: `note_loss` names another seat, and never the one that loses."""
    pos = farms("play", BUSY, BUSY)
    box, state = pos.game.box, pos.state
    note_loss(box, state, A, 1, B)
    note_loss(box, state, A, 3, A)
    assert (int(state.lost[A]), int(state.robber[A])) == (4, B)
    state.robber[A] = A
    assert pos.game.definition.FAULTS[check(box, state)].startswith("a seat is accused")


def test_karma_can_end_the_attacker():
    """12.10, 14.5: A has 3 Farmland; it is out, and its turn ends."""
    pos = farms("attack", {"land": 3, "soldiers": 4}, {"traps": ["Defenseless Karma"], **BUSY})
    for _ in range(4):
        play(pos, "attack with a Soldier", "hit Farmland of seat 1")
    assert owns(pos, A, is_alive=0)
    assert pos.state.active == B


def test_T51_life_or_death():
    """4.6, 12.11: six attacks each; B's guard and 5 Farmland, then C's 6, where there is no choice left. A keeps only its land."""
    farm_a = {
        "hand": ["Life or Death", "Steel"],
        "water": 4,
        "soldiers": 2,
        "visiting": {C: 1},
        "table": ["Temple"],
        "traps": ["Guard"],
        "shown": ["The Great Fire"],
    }
    pos = farms("play", farm_a, {"guards": 1, **BUSY})
    play(pos, "play Life or Death")
    play(pos, pick(pos, B, "Soldier guarding Farmland"), *["hit Farmland of seat 1"] * 5)
    assert owns(pos, A, land=6, water=0, n_soldiers=0, n_disciples=0, n_hand=0, n_table=0, n_traps=0, religion=0)
    assert owns(pos, B, land=1, n_soldiers=0, n_hand=5)
    assert owns(pos, C, is_alive=0)
    assert int(pos.state.seats[A].shown.sum()) == 1


def test_life_or_death_draws_no_more():
    """12.11: not even as spoils of an attack."""
    pos = farms("attack", {"soldiers": 1}, {"is_bound": 1, "shown": ["Life or Death"], **BUSY})
    play(pos, "attack with a Soldier", "hit Farmland of seat 1")
    assert owns(pos, A, n_hand=1)
    assert owns(pos, B, n_hand=0)


# --- 13 Religion cards ----------------------------------------------------------------------------------


def test_T38_tithing():
    """13.1: B's Water, and a Farmland of C, who has none."""
    pos = farms("produce", {"table": [worker("Tithing", 1)], "farmers": 1}, {"water": 2}, {"water": 0})
    assert owns(pos, A, water=1, land=7)
    assert owns(pos, B, water=1, land=6)
    assert owns(pos, C, land=5, n_hand=0)


def test_tithing_needs_its_disciple():
    """13.1: without one nothing comes."""
    assert owns(farms("produce", {"table": ["Tithing"], **BUSY}, {"water": 2}), A, water=1)


def test_pious():
    """13.2: 2 for a Resource or level I card, 3 for level II, 4 for level III; only unlocked decks."""
    farm = {"religion": 3, "disciples": 2, "soldiers": 1, "table": ["Pious"], "hand": ["Steel"]}
    pos = farms("play", farm)
    play(pos, "use Pious")
    assert offered(pos) == {f"draw from {deck}" for deck in ("Resource", "Military I", "Religion I", "Religion II")}
    assert pos.why_not("draw from Farm I").rule == "8.2"
    play(pos, "draw from Religion II")
    assert owns(pos, A, religion=0)
    assert decks_of_hand(pos, A) == ["Religion II", "Resource"]
    pos = farms("play", {**farm, "religion": 4, "disciples": 4})
    play(pos, "use Pious", "draw from Religion III")
    assert owns(pos, A, religion=0)


def test_T27_martyrdom():
    """13.3: B's guard kills A's visiting Disciple: R +3, Fa +2, the Trap is gone."""
    pos = farms("attack", {"traps": ["Martyrdom"], "visiting": {B: 1}}, {"guards": 1, **BUSY}, active=B)
    play(pos, "strike from Farmland")
    assert owns(pos, A, religion=3, farmers=2, n_disciples=0)
    assert traps(pos, A) == []


def test_martyrdom_answers_cards_but_not_the_owner():
    """13.3: Burnt Offering and The Great Fire kill; one's own sacrifice does not spring it."""
    pos = farms("play", {"hand": ["Burnt Offering to Elder Gods", "Steel"], "disciples": 1, "traps": ["Martyrdom"]},
                {"disciples": 2, "traps": ["Martyrdom"]})  # fmt: skip
    play(pos, "play Burnt Offering to Elder Gods", pick(pos, B, "Disciple at home"))
    assert owns(pos, B, religion=3, farmers=2)
    assert traps(pos, A) == ["Martyrdom"]
    play(pos, pick(pos, B, "Disciple at home"))
    assert owns(pos, B, religion=3)  # one Trap, one death


def test_T28_temple():
    """13.4: C has a Temple: R +3, Fa +1 whoever's Disciple it was; two Temples work twice."""
    pos = farms("attack", {"visiting": {B: 1}}, {"guards": 1, **BUSY}, {"table": ["Temple"], **BUSY}, active=B)
    play(pos, "strike from Farmland")
    assert owns(pos, C, religion=3, n_farmers=2)
    pos = farms(
        "play", {"hand": ["Burnt Offering to Elder Gods", "Steel"], "disciples": 1, "table": ["Temple", "Temple"]}
    )
    play(pos, "play Burnt Offering to Elder Gods")
    assert owns(pos, A, religion=6, farmers=2)


def test_temples_do_not_mourn_the_dismissed():
    """13.4: not the Disciples given up at the end of a turn, nor those of a farm that is out."""
    pos = farms("end", {"land": 1, "disciples": 2}, {"table": ["Temple"], **BUSY})
    assert owns(pos, A, n_disciples=1)
    assert owns(pos, B, religion=0)
    pos = farms("attack", {"soldiers": 1, "table": ["Temple"]}, {"land": 1, "disciples": 3}, BUSY)
    play(pos, "attack with a Soldier", "hit Farmland of seat 1")
    assert owns(pos, A, religion=0)


def test_church_reform():
    """13.5: 2 Religion for a Farmer, 3 for a Steel or a Farmland; no Religion for Religion."""
    pos = farms("play", {"religion": 5, "table": ["Church Reform"], "hand": ["Steel"]})
    play(pos, "use Church Reform")
    assert offered(pos) == {"take Farmer", "take Steel", "take Farmland"}
    assert pos.why_not("take Religion").rule == "4.8"
    play(pos, "take Farmland")
    assert owns(pos, A, religion=2, land=7)
    play(pos, "use Church Reform")
    assert owns(pos, A, religion=0, farmers=1)  # only a Farmer could be paid for


def test_burnt_offering():
    """13.6: up to two units of anybody's on any board; not returning Soldiers, not Explorers away."""
    farm_a = {"hand": ["Burnt Offering to Elder Gods", "Steel"], "disciples": 1, "farmers": 1}
    pos = farms(
        "play", farm_a, {"returning": 1, "away": {"Resource": 1}, "cannons": 1, "guards": 1}, {"visiting": {A: 1}}
    )
    play(pos, "play Burnt Offering to Elder Gods")
    assert offered(pos) == {
        "spare the rest",
        pick(pos, A, "Farmer in the field"),
        pick(pos, B, "Cannon"),
        pick(pos, B, "Soldier guarding Farmland"),
        pick(pos, C, "Disciple visiting seat 0"),
    }
    play(pos, pick(pos, B, "Soldier guarding Farmland"), pick(pos, B, "Cannon"))
    assert owns(pos, B, n_cannons=0, guards=0, n_soldiers=1)
    assert owns(pos, A, n_disciples=0)
    posts = [("Mine", {"farmers": 1}), worker("Combine Harvester", 2), ("Water Wheel", {"soldiers": 1, "farmers": 1})]
    posts += [("Conscription Reform", {})]
    pos = farms("play", farm_a, {"table": posts})
    play(pos, "play Burnt Offering to Elder Gods")
    assert offered(pos) == {
        "spare the rest",
        pick(pos, A, "Farmer in the field"),
        pick(pos, B, "Farmer guarding card 1"),
        pick(pos, B, "worker on card 2"),
        pick(pos, B, "Soldier guarding card 3"),
        pick(pos, B, "Farmer guarding card 3"),
    }
    pos = farms("play", farm_a, {"cannons": 1})
    play(pos, "play Burnt Offering to Elder Gods", "spare the rest")
    assert owns(pos, B, n_cannons=1)


def test_ascetic_monk():
    """13.7: a Table card destroyed: two Religion II cards and one Religion I, besides the spoils."""
    pos = farms("attack", {"soldiers": 1}, {"table": ["Mine"], "traps": ["Ascetic Monk"], **BUSY})
    play(pos, "attack with a Soldier", "hit card of seat 1 1")
    assert decks_of_hand(pos, B) == ["Religion I", "Religion II", "Religion II", "Resource"]
    assert traps(pos, B) == []


def test_the_great_cathedral():
    """13.8: +1 for each Disciple that brings Religion; two Cathedrals +2."""
    assert owns(
        farms("produce", {"praying": 2, "disciples": 3, "table": ["The Great Cathedral"], **BUSY}), A, religion=4
    )
    two = {"praying": 2, "disciples": 2, "table": ["The Great Cathedral"] * 2, **BUSY}
    assert owns(farms("produce", two), A, religion=6)


def test_the_great_flood():
    """13.9: B and C lose three units each, of their own choice, and get 3 Water; the card stays."""
    farm_a = {"hand": ["The Great Flood", "Steel"], "religion": 3, "disciples": 1}
    pos = farms("play", farm_a, {"farmers": 2, "explorers": 2, "soldiers": 1}, {"farmers": 2})
    play(pos, "play The Great Flood")
    assert pos.seat == B
    assert offered(pos) == {pick(pos, B, s) for s in ("Farmer in the field", "Explorer at home", "Soldier in reserve")}
    for _ in range(2):
        play(pos, pick(pos, B, "Explorer at home"))
    play(pos, pick(pos, B, "Soldier in reserve"))
    assert owns(pos, B, n_farmers=2, n_explorers=0, n_soldiers=0, water=3)
    assert owns(pos, C, n_farmers=0, water=3)  # fewer than three: all
    assert owns(pos, A, religion=0, n_disciples=0)
    assert said(pos, list(pos.decisions[0].told))[0].endswith("plays The Great Flood")
    assert int(pos.state.seats[A].shown.sum()) == 1


def test_T44_the_great_fire():
    """13.10: R 0, Di 0; B and C lose two units each of their choice and get a Fire; returning Soldiers may be given."""
    pos = farms("play", {"hand": ["The Great Fire", "Steel"], "religion": 3, "disciples": 1},
                {"farmers": 2, "returning": 2}, {"visiting": {A: 3}})  # fmt: skip
    play(pos, "play The Great Fire", pick(pos, B, "Soldier returning"), pick(pos, B, "Soldier returning"))
    assert owns(pos, B, n_farmers=2, n_soldiers=0, fire=1)
    assert owns(pos, C, n_disciples=1, fire=1)


def test_the_call_from_the_elder_gods():
    """13.11: four units in all, whatever they are, from any board; they come home to A."""
    farm_b = {"farmers": 1, "explorers": 1, "cannons": 1, "returning": 1, "table": [("Mine", {"soldiers": 1})]}
    pos = farms(
        "play", {"hand": ["The Call from the Elder Gods", "Steel"], "disciples": 2}, farm_b, {"visiting": {A: 1}}
    )
    play(pos, "play The Call from the Elder Gods")
    assert pick(pos, B, "Soldier returning") not in offered(pos)
    for seat, spot in (
        (B, "Explorer at home"),
        (B, "Cannon"),
        (B, "Soldier guarding card 1"),
        (C, "Disciple visiting seat 0"),
    ):
        play(pos, pick(pos, seat, spot))
    assert owns(pos, A, explorers=1, cannons=1, soldiers=1, disciples=1, n_disciples=1)
    assert owns(pos, B, n_farmers=1, n_soldiers=1, n_cannons=0)
    assert owns(pos, C, n_disciples=0)


def test_the_call_takes_what_there_is():
    """13.11: fewer, if there are not four."""
    pos = farms(
        "play", {"hand": ["The Call from the Elder Gods", "Steel"], "disciples": 2}, {"farmers": 1}, {"farmers": 1}
    )
    play(pos, "play The Call from the Elder Gods", pick(pos, B, "Farmer in the field"))
    assert owns(pos, A, n_farmers=2, n_disciples=0)


@pytest.mark.parametrize("miracle", ["The Great Flood", "The Great Fire", "The Call from the Elder Gods"])
def test_miracles_have_their_price(miracle):
    """4.1, 13.9 to 13.11: without a Disciple none can be played."""
    pos = farms("play", {"hand": [miracle], "religion": 9})
    assert pos.why_not(f"play {miracle}").rule == "4.1"


# --- 10.3 Traps that may be held back ----------------------------------------------------------------------


OPTIONAL = {"traps_optional": True}


def test_traps_held_back():
    """10.3, 15.7: B is asked and holds back, then C is asked and springs."""
    trap = {"traps": ["Forced Reinforcement"], **BUSY}
    pos = farms("build", {"farmers": 2, "steel": 1}, trap, trap, options=OPTIONAL)
    play(pos, "build Soldier")
    assert (pos.seat, offered(pos)) == (B, {"reveal", "keep"})
    play(pos, "keep")
    assert pos.seat == C
    play(pos, "reveal")
    assert owns(pos, C, soldiers=1)
    assert traps(pos, B) == ["Forced Reinforcement"]
    assert traps(pos, C) == []
    assert pos.seat != C


def test_martyrdom_and_monk_are_asked_too():
    """10.3: in the middle of another seat's turn, which then goes on."""
    farm = {"disciples": 1, "table": ["Mine"], "traps": ["Martyrdom", "Ascetic Monk"], **BUSY}
    pos = farms("attack", {"soldiers": 3, "explorers": 1}, farm, options=OPTIONAL)
    play(pos, "attack with a Soldier", pick(pos, B, "Disciple at home"))
    assert (pos.seat, offered(pos)) == (B, {"reveal", "keep"})
    play(pos, "reveal", "attack with a Soldier", "hit card of seat 1 1", "keep")
    assert owns(pos, B, religion=3)
    assert traps(pos, B) == ["Ascetic Monk"]
    assert pos.seat == A


def test_a_call_that_no_trap_can_answer_is_forgotten():
    """10.3: a position in which Martyrdom is waited for at a farm without a Trap goes on."""
    pos = farms("attack", {"soldiers": 1}, BUSY, options=OPTIONAL, martyrs=[0, 1, 0])
    assert pos.seat == A
    assert not pos.state.martyrs.any()


def test_who_holds_another_trap_of_that_deck_is_asked_as_well():
    """10.3: with a second Trap in Military I, B is asked and can only hold back: the question tells nothing."""
    second = {"card": [{"name": "Pit", "deck": "Military I", "type": "trap", "does": "monk", "copies": 2}]}
    game = sutler.load("warfarm", box=second, traps_optional=True)
    pos = farms("build", {"farmers": 2, "steel": 1}, {"traps": ["Pit"], **BUSY}, game=game)
    play(pos, "build Soldier")
    assert (pos.seat, offered(pos)) == (B, {"keep"})
    assert pos.why_not("reveal").rule == "10.1"


def test_karma_and_guard_are_asked_too():
    """10.3: Karma held back leaves the attacker alone; Guard held back lets the Explorers go."""
    pos = farms(
        "attack", {"soldiers": 4, "explorers": 1}, {"traps": ["Defenseless Karma", "Guard"], **BUSY}, options=OPTIONAL
    )
    for _ in range(4):
        play(pos, "attack with a Soldier", "hit Farmland of seat 1")
    assert pos.seat == B
    play(pos, "keep")
    assert owns(pos, A, land=6)
    play(pos, "explore Resource")
    assert pos.seat == B
    play(pos, "keep")
    assert owns(pos, A, n_explorers=1)
