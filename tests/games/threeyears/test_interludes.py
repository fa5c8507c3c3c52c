"""Chapters 9 and 10 of the guide: the four interludes, the hand limit, the end and its scoring."""

import re

import pytest

import sutler
from sutler.core.bits import add, count, members, remove
from sutler.core.events import new_event_buffer
from sutler.games.threeyears.box import SCOUT, S
from sutler.games.threeyears.phases_actions_events import P
from sutler.games.threeyears.rules import turn as rules
from sutler.games.threeyears.rules.interludes import AS_MANY
from sutler.games.threeyears.rules.scouting import begin_scouting

from .table import (
    GAME,
    blank,
    despair,
    give_despair,
    give_writ,
    hand,
    interlude,
    log,
    offered,
    resolving,
    take,
    tracks,
)

# --- Marketplace (9.2) -----------------------------------------------------------


def test_market_each_row_once():
    """9.2, E18: three rows at 1, 1 and 2: four gold, three benefits, and no row twice."""
    pos = interlude(blank(2), "Stalls along the Swollen River")
    pos.play("buy row 1")
    assert pos.why_not("buy row 1").rule == "9.2"
    pos.play("buy row 2")
    pos.play("buy row 3")
    assert tracks(pos, 0) == [1, 6, 6, 5]
    assert int(pos.state.seats[0].renown) == 2
    assert pos.seat == 1


def test_market_needs_gold():
    """9.2: the price must be at hand; nothing affordable, nothing asked."""
    pos = interlude(blank(3, gold=[0, 1, 5]), "Stalls along the Swollen River")
    assert pos.seat == 1
    assert offered(pos) == {"buy row 1", "buy row 2", "done"}
    refusal = pos.why_not("buy row 3")
    assert (refusal.rule, "gold" in refusal.text) == ("9.2", True)


def test_market_goes_round_from_the_lead_and_takes_effect_at_once():
    """9.2, 3.3, 3.4: the lead player first; done ends a turn; scouting comes at once."""
    pos = interlude(blank(3, lead=1), "Scriveners' Row")
    assert pos.seat == 1
    pos.play("buy row 1")
    assert pos.state.phase == P.look
    pos.play("done")
    pos.play("buy row 3")
    assert count(pos.state.seats[1].writs) == 1
    pos.play("done")
    assert pos.seat == 2


def test_market_with_a_writ_of_gold():
    """9.2, 8.7: a seat without gold is asked while it has a Writ, and may buy with it."""
    state = blank(2, gold=[0, 0])
    give_writ(state, 0, "2 Gold")
    pos = interlude(state, "Stalls along the Swollen River")
    assert pos.state.phase == P.window
    pos.play("keep")
    assert offered(pos) == {"done", "reveal 2 Gold"}
    pos.play("reveal 2 Gold")
    assert "buy row 3" in offered(pos)


def test_market_remembers_each_row_for_itself():
    """9.2: a row bought leaves the others as they were; a second time is refused for that reason, whatever the gold."""
    pos = interlude(blank(2, gold=[2, 0]), "Stalls along the Swollen River")
    pos.play("buy row 2")
    assert offered(pos) == {"buy row 1", "done"}
    assert "already" in pos.why_not("buy row 2").text
    assert "gold" in pos.why_not("buy row 3").text


def test_market_is_left_when_all_is_bought():
    """9.2: with nothing more to buy a Writ of gold is no reason to stay."""
    state = blank(2)
    give_writ(state, 0, "2 Gold")
    pos = interlude(state, "Stalls along the Swollen River")
    pos.play("keep")
    for row in (1, 2, 3):
        pos.play(f"buy row {row}")
    assert pos.seat == 1


def test_the_other_decks_wait_while_a_card_is_up():
    """9.1: the card that is up counts for its own deck only."""
    pos = interlude(blank(2), "Stalls along the Swollen River")
    down = [len(deck["down"]) for deck in pos.view()["upcoming"]]
    assert down == [down[1] - 1, down[1], down[1], down[1]]


# --- Field of Battle (9.3, 9.4) -----------------------------------------------------


@pytest.mark.parametrize(
    ("soldiers", "standing"),
    [
        ([7, 7, 4, 4], [0, 0, 1, 1]),  # X19
        ([5, 5, 5, 5], [0, 0, 0, 0]),  # X20
        ([6, 4, 2, 2], [0, 1, 2, 2]),  # X21
        ([8, 6, 5, 3], [0, 1, -1, 2]),
        ([3, 9, 9, 1], [1, 0, 0, 2]),
        ([0, 0, 1, 0], [1, 1, 0, 1]),
    ],
)
def test_second_or_last(soldiers, standing):
    """9.3, 9.4: all on the highest are first, all on the next second; only what is left can be last."""
    state = blank(4, soldiers=soldiers)
    state.season, state.card = 1, 0
    from sutler.games.threeyears.rules.interludes import rank_seats

    rank_seats(GAME.box, state, new_event_buffer(False))
    assert [int(state.seats[seat].standing) for seat in range(4)] == standing


def test_battle_results():
    """9.3, 9.4: rewards left to right, losses to the last."""
    pos = interlude(blank(3, soldiers=[6, 4, 2]), "Clash at the Cattle Ford")
    assert [int(pos.state.seats[seat].renown) for seat in range(3)] == [2, 1, 0]
    assert tracks(pos, 2) == [5, 1, 5, 4]


def test_two_seats_have_no_last():
    """1.2, 9.4: of two the lower is second."""
    pos = interlude(blank(2, soldiers=[6, 2]), "No Quarter Given")
    assert [int(pos.state.seats[seat].renown) for seat in range(2)] == [3, 1]
    assert despair(pos, 1) == 0


def test_ranks_are_fixed_before_rewards():
    """9.4: a reward that is itself compared does not change the ranks."""
    pos = interlude(blank(3, gold=[5, 4, 3], soldiers=[5, 5, 5]), "The Army that Was Bought")
    assert [int(pos.state.seats[seat].renown) for seat in range(3)] == [2, 0, 0]
    assert [tracks(pos, seat)[1] for seat in range(3)] == [6, 6, 5]
    assert despair(pos, 2) == 1


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_last_of_a_battle_may_answer_from_a_file(seats):
    """9.3, 8.7: whoever is the last in turn and in arms is asked, and the position is one that can be laid."""
    state = blank(seats, soldiers=[5] * (seats - 2) + [4, 0])
    give_writ(state, seats - 1, "2 Soldiers")
    pos = interlude(state, "No Quarter Given")
    pos.play("keep")  # when the card was turned up
    assert (pos.seat, pos.state.phase) == (seats - 1, P.last_chance)
    assert GAME.from_bytes(pos.to_bytes()).legal_ids() == pos.legal_ids()


def test_battle_rewards_go_round_from_the_lead():
    """9.4: with one Writ left the tie goes clockwise from the lead player."""
    state = blank(3, lead=2, soldiers=[6, 2, 6])
    for token in members(state.writs)[1:]:
        from sutler.core.bits import remove

        remove(state.writs, token)
    pos = interlude(state, "Broken Squares")
    assert [count(pos.state.seats[seat].writs) for seat in range(3)] == [0, 0, 1]


# --- Reaping (9.5, 9.6) ----------------------------------------------------------------


def test_food_below_costs_despair():
    """9.5, X24; 9.5, X25: less costs a Despair, the same nothing."""
    pos = interlude(blank(3, food=[3, 5, 4], soldiers=[5, 5, 4]), "Bread before Banners")
    assert [despair(pos, seat) for seat in range(3)] == [1, 0, 0]


def test_exchange_until_level():
    """9.6, X22: after the first exchange still more: again; then level: done, no Despair."""
    pos = interlude(blank(2, food=[6, 5], soldiers=[4, 5]), "Bread before Banners")
    pos.play("exchange for offer 1")
    assert pos.seat == 0
    pos.play("exchange for offer 1")
    assert tracks(pos, 0)[:3] == [7, 4, 4]
    assert despair(pos, 0) == 0


def test_exchange_too_far():
    """9.6, X23: the exchange raises what is compared: Food 4 below Gold 5 costs a Despair."""
    pos = interlude(blank(2, gold=[4, 5], food=[5, 5]), "Brokers at the Threshing Floor")
    pos.play("exchange for offer 1")
    assert tracks(pos, 0)[0] == 5
    assert despair(pos, 0) == 1


def test_exchange_offers():
    """9.6: one side of the slash; the food must be there; without a surplus there is none."""
    pos = interlude(blank(2, food=[6, 6], holdings=[1, 5]), "Cellars and Lofts")
    assert offered(pos) == {"exchange for offer 1", "exchange for offer 2", "done"}
    pos.play("exchange for offer 2")
    assert tracks(pos, 0)[2:] == [4, 2]
    pos.play("done")
    assert pos.seat == 1
    pos = interlude(blank(2, food=[1, 5], holdings=[0, 5]), "Cellars and Lofts")
    assert pos.state.phase != P.reap


def test_a_writ_revealed_while_exchanging_is_compared_anew():
    """8.7, 9.5: two gold more are more than the food, which costs a Despair; the table hears of the Writ's gain and no other."""
    state = blank(2, gold=[4, 5], food=[5, 5])
    give_writ(state, 0, "2 Gold")
    pos = interlude(state, "Brokers at the Threshing Floor")
    pos.play("keep")
    assert "exchange for offer 1" in offered(pos)
    pos.play("reveal 2 Gold")
    assert despair(pos, 0) == 1
    assert [line for line in log(pos) if "gains" in line] == ["Seat 1 gains 2 gold"]


def test_a_surplus_is_told():
    """9.5: done with more food: everybody hears it, and nothing is lost."""
    pos = interlude(blank(2, food=[9, 5]), "Bread before Banners")
    pos.play("done")
    assert "Seat 1 has more food than soldiers" in log(pos)
    assert despair(pos, 0) == 0


def test_exchange_is_never_forced():
    """9.6, 3.4: more food, and still done."""
    pos = interlude(blank(2, food=[9, 5]), "Bread before Banners")
    pos.play("done")
    assert tracks(pos, 0)[2] == 9
    assert despair(pos, 0) == 0


def test_writ_of_food_when_the_card_is_turned_up():
    """8.7, 9.5, E17: food rises before the comparison; whoever has a Writ is asked once round, again after a reveal."""
    state = blank(3, food=[4, 5, 5])
    give_writ(state, 0, "2 Food")
    give_writ(state, 1, "3 Gold")
    pos = interlude(state, "Bread before Banners")
    assert (pos.seat, pos.state.phase) == (0, P.window)
    pos.play("reveal 2 Food")
    assert (pos.seat, pos.state.phase) == (1, P.window)
    pos.play("keep")
    assert (pos.seat, pos.state.phase) == (1, P.window)  # somebody revealed: asked once more
    pos.play("keep")
    assert pos.state.phase == P.reap
    assert tracks(pos, 0)[2] == 6


def test_last_chance_before_hunger():
    """8.7, 9.5: a Writ won in the exchange itself can still help."""
    state = blank(2, food=[6, 5], holdings=[5, 5])
    pos = interlude(state, "The Monastery's Bargain")
    pos.play("exchange for offer 1")
    assert (pos.seat, pos.state.phase) == (0, P.last_chance)
    pos.play("keep")
    assert despair(pos, 0) == 1


def test_a_writ_may_be_revealed_where_food_is_level():
    """8.7, 9.5, 9.6: a Writ of food won in the exchange makes the next exchange possible; one that is kept ends the harvest."""
    state = blank(2, food=[7, 5], holdings=[5, 5])
    pos = interlude(state, "The Monastery's Bargain")
    pos.play("exchange for offer 1")
    state = GAME.from_bytes(pos.to_bytes()).state
    assert (pos.seat, pos.state.phase) == (0, P.reap)
    own = GAME.names["writ"][state.writ_face[members(state.seats[0].writs)[0]]]
    assert offered(pos) == {"done", f"reveal {own}"}
    assert (
        "".join(map(str, pos.prompt(0).help))
        == "You have 5 food, as much as holdings: nothing happens, unless a Writ changes it."
    )
    forget = members(state.seats[0].writs)[0]
    remove(state.seats[0].writs, forget)
    add(state.writs, forget)
    give_writ(state, 0, "2 Food")
    fed = GAME.from_bytes(state.tobytes())
    fed.play("reveal 2 Food")
    assert offered(fed) == {"done", "exchange for offer 1"}
    kept = GAME.from_bytes(state.tobytes())
    kept.play("done")
    assert (despair(kept, 0), int(kept.state.seats[0].standing)) == (0, AS_MANY)


def test_hunger_is_asked_for_with_its_numbers():
    """8.7, 9.5: food against what it is measured by; each answer says what it leads to."""
    state = blank(2, food=[3, 5], soldiers=[5, 5])
    give_writ(state, 0, "1 Soldier and 1 Food")
    give_writ(state, 0, "2 Food")
    pos = interlude(state, "Bread before Banners")
    pos.play("keep")  # when the card was turned up
    assert pos.state.phase == P.last_chance
    prompt = pos.prompt(0)
    assert "".join(map(str, prompt.text)) == "Seat 1, reveal a Writ before you go hungry?"
    assert "".join(map(str, prompt.help)) == "You have 3 food against 5 soldiers. Otherwise: 1 Despair."
    effects = {choice.name: "".join(map(str, choice.effect)) for choice in pos.choices(0)}
    assert effects == {
        "keep": "1 Despair",
        "reveal 2 Food": "+ 2 food, then no Despair",
        "reveal 1 Soldier and 1 Food": "+ 1 soldier, 1 food, then 1 Despair",
    }


def test_one_exchange_a_harvest():
    """11.6: by option the exchange is made once; the comparison after it still costs what it costs."""
    game = sutler.load("threeyears", exchange_once=True)
    pos = interlude(blank(2, food=[8, 3], soldiers=[3, 5], game=game), "Bread before Banners", game)
    pos.play("exchange for offer 1")
    assert despair(pos, 1) == 1  # seat 0 was not asked again, and seat 1 went hungry
    assert tracks(pos, 0) == [6, 3, 7, 5]
    pos = interlude(blank(2, food=[5, 5], gold=[4, 9], game=game), "Brokers at the Threshing Floor", game)
    pos.play("exchange for offer 1")
    assert despair(pos, 0) == 1


# --- The Bitter Months (9.7, 9.8) ----------------------------------------------------------


def test_bitter_months():
    """9.7, X26: more, as many, fewer holdings than food."""
    pos = interlude(blank(3, holdings=[6, 5, 4]), "The Wells Freeze Over")
    assert [tracks(pos, seat)[2] for seat in range(3)] == [6, 4, 3]
    assert int(pos.state.seats[0].renown) == 1


def test_hand_limit():
    """9.8, E16: eleven cards after The Bitter Months: nine in hand, two more in the discard pile."""
    state = blank(2)
    take(GAME, state, state.seats[0].hand, "sp1, sp1, sp1, su1, su1, su1, au1, au1, au1, wi1, wi1")
    pos = interlude(state, "The Longest Night")
    assert (pos.seat, pos.state.phase) == (0, P.limit)
    assert offered(pos) == {f"discard a plain {season} single" for season in ("Spring", "Summer", "Autumn", "Winter")}
    assert pos.why_not("discard Tax Farmer").rule == "9.8"
    before = count(pos.state.discards)
    pos.play("discard a plain Winter single")
    pos.play("discard a plain Spring single")
    assert count(pos.state.discards) == before + 2
    assert hand(pos, 0) == 9 + 3  # the next Spring's taxes


def test_every_card_of_the_hand_may_go():
    """9.8: the first card of the box like any other."""
    first = GAME.names["influence"][0]
    state = blank(2)
    take(GAME, state, state.seats[0].hand, f"{first}, su1, su1, su1, au1, au1, au1, wi1, wi1, wi1, wi1")
    assert 0 in members(state.seats[0].hand)
    pos = interlude(state, "The Longest Night")
    kind = GAME.names["kind"][int(GAME.box.card[0].kind)]
    assert f"discard {kind}" in offered(pos)
    assert len(offered(pos)) == 4


def test_a_scout_with_nothing_left_to_see():
    """8.8: the token is taken, and there is no look where a box has but three cards a deck, and nobody holds anything hidden."""
    box = GAME.box.copy()
    box.n_cards[:] = 3
    state = blank(2, season="winter", year=3)
    state.card = int(state.interludes[3, 2])
    state.due[SCOUT] = 1
    begin_scouting(box, state, new_event_buffer(), 0)
    assert (int(state.seats[0].scouts), int(state.looks)) == (1, 0)


def test_no_hand_limit_in_other_seasons():
    """9.8: only after Winter."""
    state = blank(2, food=[5, 5])
    take(GAME, state, state.seats[0].hand, "sp1, sp1, sp1, su1, su1, su1, au1, au1, au1, wi1, wi1")
    pos = interlude(state, "Bread before Banners")
    assert pos.state.season == 3
    assert hand(pos, 0) == 12


def test_hand_limit_in_the_last_year():
    """9.8, 3.1: also after the third Winter, before the end."""
    state = blank(2, year=3)
    take(GAME, state, state.seats[1].hand, "sp1, sp1, sp1, su1, su1, su1, au1, au1, au1, wi1")
    pos = interlude(state, "The Longest Night")
    assert (pos.seat, pos.state.phase) == (1, P.limit)
    pos.play("discard a plain Winter single")
    assert pos.over
    assert hand(pos, 1) == 9


def test_interlude_cards_are_used_once():
    """9.1, 1.6: three of six are turned up, all different."""
    state = blank(2, year=2)
    pos = interlude(state, "The Longest Night")
    turned = pos.view()["upcoming"][3]
    assert turned["turned"][-1]["name"] == "The Longest Night"
    assert len(turned["turned"]) == 2
    assert len(turned["down"]) == 4


# --- The end (10) ---------------------------------------------------------------------------


def ending(seats=3, **more):
    """After the last hand limit."""
    state = blank(seats, year=3, season="winter", **more)
    state.stage = S.end
    return state


def finish(state):
    events = new_event_buffer(True)
    state.phase = P.moving
    rules.proceed(GAME.box, state, events)
    pos = GAME.from_bytes(state.tobytes())
    told = ["".join(map(str, pos.speaker.tell(one))) for one in GAME.definition.events.read_events(events)]
    return pos, told


def test_writs_are_revealed_first():
    """10.1: applied with all limits; the Hope they bring counts in 10.2."""
    state = ending(2, gold=[8, 5])
    give_writ(state, 0, "2 Gold")
    give_writ(state, 0, "1 Hope")
    give_despair(state, 0, 4)
    pos, told = finish(state)
    assert tracks(pos, 0)[0] == 9
    assert despair(pos, 0) == 0
    revealed = next(i for i, line in enumerate(told) if re.fullmatch(r"Seat 1 reveals Writ \d+: 2 Gold", line))
    taken = next(
        i for i, line in enumerate(told) if re.fullmatch(r"Hope takes Despair \d+, worth 4, from Seat 1", line)
    )
    assert revealed < taken


def test_hope():
    """10.2, E19, 1.8: three Hope, two Despair, one Doom: the Despair goes, the Doom stays."""
    state = ending(2)
    state.seats[0].hope, state.seats[0].doom, state.hopes = 3, 1, 7
    for token in members(state.despairs):
        remove(state.despairs, token)
        add(state.dispelled if token % 2 else state.seats[1].despair, token)
    state.seats[0].despair[0] = 0
    give_from_other(state, 2)
    pos, _ = finish(state)
    assert despair(pos, 0) == 0
    assert pos.scores()[0] == -5
    assert pos.places()[0] == 1


def give_from_other(state, n):
    for token in members(state.seats[1].despair)[:n]:
        remove(state.seats[1].despair, token)
        add(state.seats[0].despair, token)


def test_despair_is_turned_up():
    """10.3, 10.5, 1.7: what is left costs what it shows, and everybody sees it then."""
    state = ending(2)
    give_despair(state, 0, 1, 2, 3)
    before = GAME.definition.view(GAME.box, state, GAME.new(seats=2, seed=1).speaker, 0)
    assert before["seats"][0]["despair"][0]["shows"] is None
    pos, told = finish(state)
    assert pos.scores() == [-6.0, 0.0]
    assert sorted(one["shows"] for one in pos.view(1)["seats"][0]["despair"]) == [1, 2, 3]
    assert "Seat 1 turns up Despair worth 6" in told


def test_bonus_of_alex_brady_chris_morgan_and_sam():
    """10.4, E15: Gold 5, 3, 3, 1, 1 earns 4, 2, 2, 0, 0."""
    pos, _ = finish(ending(5, gold=[5, 3, 3, 1, 1]))
    assert pos.scores() == [4, 2, 2, 0, 0]
    assert [line.points for line in pos.breakdown(1)][1] == 2


def test_bonus_for_cards_in_hand():
    """10.4, X31: 4, 4 and 2 cards earn 1, 1 and 0."""
    state = ending(3)
    for seat, words in enumerate(("sp1, sp1, sp1, sp1", "su1, su1, su1, su1", "au1, au1")):
        take(GAME, state, state.seats[seat].hand, words)
    pos, _ = finish(state)
    assert pos.scores() == [1, 1, 0]


def test_bonus_over_all_five():
    """10.4: each of the four tracks and the hand for itself."""
    pos, _ = finish(ending(3, gold=[9, 0, 1], soldiers=[0, 9, 1], food=[5, 5, 5], holdings=[3, 2, 2]))
    assert pos.scores() == [2 + 2, 2, 1 + 1]


def test_score():
    """10.5: renown and bonus less Despair and Doom, line by line."""
    state = ending(2, renown=[20, 11], doom=[0, 1])
    give_despair(state, 0, 4)
    for token in members(state.despairs):
        remove(state.despairs, token)
        add(state.dispelled, token)
    state.seats[0].tracks[0] = 6
    pos, _ = finish(state)
    assert pos.scores() == [20 + 1 - 4, 11 - 5]
    for seat in range(2):
        assert sum(line.points for line in pos.breakdown(seat)) == pos.scores()[seat]


def test_tie_goes_to_fewer_negative_points():
    """10.6, X29: 7 with 9 lost, 7 with 6 lost, 3: the second wins."""
    state = ending(3, renown=[16, 13, 3])
    give_despair(state, 0, 4, 3, 2)
    give_despair(state, 1, 3, 3)
    pos, _ = finish(state)
    assert pos.scores() == [7, 7, 3]
    assert pos.places() == [2, 1, 3]


def test_shared_victory():
    """10.6: the same points and the same losses."""
    pos, _ = finish(ending(3, renown=[4, 4, 1]))
    assert pos.places() == [1, 1, 3]


def test_negative_winner():
    """1.1, 10.6, 10.7, X30: -2, -5 and -9: the first wins, and all three are told of their disgrace."""
    state = ending(3)
    give_despair(state, 0, 2)
    give_despair(state, 1, 4, 1)
    give_despair(state, 2, 4, 3, 2)
    pos, told = finish(state)
    assert pos.scores() == [-2, -5, -9]
    assert pos.places() == [1, 2, 3]
    assert sum("disgrace" in line for line in told) == 3
    assert [line for line in told if "forgotten" in line] == [
        "Seat 1 wins all the same, with less than nothing; it will soon be forgotten"
    ]


def test_order_of_the_end():
    """10.1: each step for all seats, from the lead player, before the next."""
    state = ending(3, lead=1)
    for seat in range(3):
        give_writ(state, seat, "2 Renown")
        give_despair(state, seat, 1)
    _, told = finish(state)
    firsts = [line for line in told if "reveals" in line or "turns up" in line]
    assert [line.split(" ")[1] for line in firsts] == ["2", "3", "1", "2", "3", "1"]
    assert ["reveals" in line for line in firsts] == [True] * 3 + [False] * 3


def test_a_level_harvest_is_told():
    """9.5: as much food as soldiers: said, and nothing lost."""
    pos = interlude(blank(2, food=[9, 5]), "Bread before Banners")
    pos.play("done")
    assert "Seat 2 has as much food as soldiers" in log(pos)
    assert despair(pos, 1) == 0


def test_nothing_is_told_of_what_is_not_there():
    """10.3, 10.4: no Despair turned up where there is none, no bonus of nothing."""
    state = ending(2, gold=[3, 1])
    give_despair(state, 1, 2)
    _, lines = finish(state)
    assert [line for line in lines if "turns up" in line] == ["Seat 2 turns up Despair worth 2"]
    assert not [line for line in lines if " 0 " in line]


def test_doom_counts_against_a_seat_that_is_forgotten():
    """10.5, 10.7: a winner with less than nothing through Doom alone."""
    state = ending(2, doom=[1, 2])
    for token in members(state.despairs):
        remove(state.despairs, token)
        add(state.dispelled, token)
    pos, lines = finish(state)
    assert pos.scores() == [-5, -10]
    assert [line for line in lines if "forgotten" in line] == [
        "Seat 1 wins all the same, with less than nothing; it will soon be forgotten"
    ]


# --- Print read in two ways (11.7 to 11.9) ---------------------------------------------------------------


@pytest.mark.parametrize(("at_once", "renown"), [(False, 0), (True, 1)])
def test_the_bitter_months_compare_once(at_once, renown):
    """9.7, 11.7: with a box in which seat 0's row takes a holding of seat 1, whose row is settled before by option."""
    wells = {"bitter": [{"name": "The Wells Freeze Over", "more": {"renown": 1, "siege": 1}}]}
    game = sutler.load("threeyears", wells, compare_at_once=at_once)
    pos = interlude(blank(2, holdings=[6, 6], game=game), "The Wells Freeze Over", game)
    pos.play("target seat 1")
    while pos.state.phase == P.target:
        pos.play("target seat 1")
    assert int(pos.state.seats[1].renown) == renown


@pytest.mark.parametrize(("one", "taken"), [(False, 3), (True, 1)])
def test_a_loss_beyond_zero(one, taken):
    """8.13, 11.8: three Deaths without a soldier cost three Despair, by option one."""
    game = sutler.load("threeyears", one_despair=one)
    pos = resolving(blank(2, soldiers=[0, 5], game=game), game=game, death=3)
    assert despair(pos, 0) == taken


@pytest.mark.parametrize(("together", "looks"), [(False, [1, 2]), (True, [4])])
def test_two_scouts(together, looks):
    """8.8, 11.9: one look, then two; by option both tokens first, and two looks for each."""
    game = sutler.load("threeyears", scouts_together=together)
    pos = resolving(blank(2, game=game), game=game, scout=2)
    seen = []
    while pos.state.phase in (P.look, P.resolve):
        if pos.state.phase == P.look and (
            not seen or pos.state.looks > seen[-1] or len(seen) < pos.state.seats[0].scouts
        ):
            seen.append(int(pos.state.looks))
        pos.play(pos.legal_ids()[0])
    assert pos.state.seats[0].scouts == 2
    assert seen[: len(looks)] == looks
