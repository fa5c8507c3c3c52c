"""Chapters 6 to 8 of the guide: seasonal stakes, draft and claims, icons. X numbers the worked cases."""

import pytest

import sutler
from sutler.core.bits import add, count, members, remove
from sutler.games.threeyears.box import ICON_NAMES, S
from sutler.games.threeyears.phases_actions_events import P

from .table import (
    GAME,
    bidding,
    blank,
    despair,
    drafting,
    give_writ,
    go,
    hand,
    log,
    offer,
    offered,
    resolving,
    take,
    told,
    tracks,
)

# --- Stakes (6) ---------------------------------------------------------------


def staking(seats=4, season="spring", shown=("",), lead=0, claims=()):
    """All have passed; these cards were played, seat by seat."""
    state = blank(seats, season=season, lead=lead)
    for seat in range(seats):
        state.seats[seat].marker = seat + 1
    for seat, words in enumerate(shown):
        take(GAME, state, state.seats[seat].shown, words)
    offer(state, *claims)
    state.stage = S.stakes
    return state


def test_what_becomes_a_stake():
    """6.1, X12: in Winter a Winter card with symbols becomes a stake, a Summer card with symbols does not."""
    pos = go(staking(3, "winter", ["Hanging Judge, wi1", "Master Gunner"]))
    assert [card["name"] for card in pos.view()["loose"]] == ["Hanging Judge"]
    names = {card["name"] for card in pos.view()["discards"]}
    assert "Master Gunner" in names
    assert len(pos.view()["discards"]) == 2


def test_no_stakes():
    """6.1: without stakes the draft begins."""
    pos = go(staking(3, "winter", ["wi1", "Master Gunner"]))
    assert pos.state.phase == P.draft
    assert pos.view()["loose"] == []


def test_earlier_sets_count_too():
    """6.1: cards played before the last set, and by seats that passed later, are gathered as well."""
    state = staking(3, "spring", ["sp1"])
    take(GAME, state, state.seats[1].spent, "Tax Farmer")
    pos = go(state)
    assert [card["name"] for card in pos.view()["loose"]] == ["Tax Farmer"]


def test_lead_assigns_stakes_one_by_one():
    """6.2, 6.3, X11: five stakes on four claim cards: four different ones first, the fifth anywhere."""
    stakes = "Seed Merchant, Guild Treasurer, Barefoot Friar, Tax Farmer, Unpaid Rat-Catcher"
    pos = go(staking(4, "spring", [stakes], lead=2))
    claims = [claim["claim"] for claim in pos.view()["claims"]]
    assert pos.seat == 2
    assert {f"stake {name.strip()}" for name in stakes.split(",")} == offered(pos)
    tied = []
    for stake in ("Tax Farmer", "Seed Merchant", "Barefoot Friar"):
        pos.play(f"stake {stake}")
        assert offered(pos) == {f"on {claim}" for claim in claims if claim not in tied}
        tied.append(min(offered(pos)).removeprefix("on "))
        if len(tied) > 1:
            assert pos.why_not(f"on {tied[0]}").rule == "6.3"
        pos.play(f"on {tied[-1]}")
    pos.play("stake Guild Treasurer")  # only one claim card has none yet
    assert pos.state.phase == P.stake_on  # one stake left: no need to say which
    assert offered(pos) == {f"on {claim}" for claim in claims}
    pos.play(f"on {claims[0]}")
    assert pos.state.phase == P.draft
    assert sorted(len(claim["stakes"]) for claim in pos.view()["claims"]) == [1, 1, 1, 2]


def test_all_stakes_must_be_assigned():
    """6.2: there is no way out of it."""
    pos = go(staking(3, "spring", ["Tax Farmer, Guild Treasurer"]))
    assert all(name.startswith("stake") for name in offered(pos))
    assert pos.why_not("stake Barefoot Friar").rule == "6.2"
    assert pos.why_not("done") is not None


# --- Draft (7) ------------------------------------------------------------------


def test_draft_goes_by_markers():
    """7.1: marker 1 first; the last takes what is left without being asked."""
    state = blank(3, season="spring")
    offer(state, "Toll at the Thawed Ford", "The Seed Wagons", "Masons for Hire")
    for seat, marker in enumerate((3, 1, 2)):
        state.seats[seat].marker = marker
    state.stage = S.draft
    pos = go(state)
    assert pos.seat == 1
    pos.play("draft Masons for Hire")
    assert pos.seat == 2
    assert pos.why_not("draft Masons for Hire").rule == "7.1"
    assert pos.why_not("draft Pikes for Wages").rule == "5.1"
    pos.play("draft The Seed Wagons")
    assert "Seat 1 takes Toll at the Thawed Ford" in log(pos)
    assert tracks(pos, 0)[0] == 8
    assert tracks(pos, 1) == [6, 5, 5, 7]
    assert tracks(pos, 2) == [6, 5, 7, 5]


def test_claims_are_resolved_one_after_another_in_draft_order():
    """7.2: the first seat's whole card before the second's: its Thief finds the gold the second has not got yet."""
    state = drafting(blank(2, season="spring", gold=[5, 0]))
    offer(state, "Light Fingers on Market Day", "Toll at the Thawed Ford")
    pos = go(state)
    pos.play("draft Light Fingers on Market Day")
    pos.play("target seat 1")
    pos.play("target seat 1")
    assert despair(pos, 1) == 2
    assert tracks(pos, 0)[0] == 5
    assert tracks(pos, 1)[0] == 3


def test_stakes_count_as_printed():
    """7.3, 7.4, X13: gold of the card first, then the Despair of the stake; the cards go where 7.6 says."""
    state = drafting(blank(2, season="spring"))
    offer(state, "Tithe Barn Dues", "The Seed Wagons")
    take(GAME, state, state.tied[0], "Tax Farmer")
    pos = go(state)
    view = next(claim for claim in pos.view()["claims"] if claim["slot"] == 0)
    assert [card["name"] for card in view["stakes"]] == ["Tax Farmer"]
    pos.play("draft Tithe Barn Dues")
    told = log(pos)
    assert told.index("Seat 1 gains 2 gold") < told.index("Seat 1 takes Despair 1")
    assert despair(pos, 0) == 1
    assert "Tax Farmer" in {card["name"] for card in pos.view()["discards"]}


def test_afterwards_markers_and_cards_go_back():
    """7.6: no marker, no claim card and no stake stays with anybody in the next season."""
    state = drafting(blank(2, season="summer"))
    offer(state, "Deserters Come In", "Victory at the Bridge")
    used = {int(state.offer[0]), int(state.offer[1])}
    pos = go(state)
    pos.play("draft Deserters Come In")
    while pos.state.season == 1:
        pos.play(pos.legal_ids()[0])
    assert all(pos.state.seats[seat].marker == 0 for seat in range(2))
    assert not used & set(members(pos.state.claims))


def test_sections_go_from_top_to_bottom():
    """7.4: green, then locusts, then red."""
    pos = resolving(blank(2, food=[0, 5]), food=1, locusts=1, rats=1)
    pos.play("blight food")
    assert despair(pos, 0) == 2  # 1 food gained, 2 eaten by locusts (one short), 1 by rats (short)
    assert tracks(pos, 0)[2] == 0
    assert tracks(pos, 1)[2] == 4


def test_order_is_asked_where_it_matters():
    """7.5: a target beside a look; one symbol at a time."""
    pos = resolving(blank(3), thief=2, scout=1)
    assert offered(pos) == {"resolve thief", "resolve scout"}
    assert pos.why_not("resolve gold").rule == "7.5"
    pos.play("resolve thief")
    pos.play("target seat 1")
    assert offered(pos) == {"resolve thief", "resolve scout"}
    pos.play("resolve scout")
    pos.play("look at Marketplace")
    assert pos.state.phase == P.target


def test_order_matters_when_aiming_at_oneself_makes_room():
    """7.5: on a full track, a Siege against oneself before the gain."""
    pos = resolving(blank(2, holdings=[9, 5]), holdings=1, siege=1)
    assert offered(pos) == {"resolve holdings", "resolve siege"}
    pos.play("resolve siege")
    pos.play("target seat 0")
    assert tracks(pos, 0)[3] == 9


@pytest.mark.parametrize(
    ("gain", "aim", "n", "now"), [("soldiers", "casualty", 2, 1), ("holdings", "siege", 2, 1), ("gold", "thief", 1, 0)]
)
def test_order_matters_when_blows_at_oneself_may_come_to_zero(gain, aim, n, now):
    """7.5, 7.6: whoever takes all that is left from itself before the gain ends otherwise than after it."""
    pos = resolving(blank(2, **{gain: [now, 5]}), **{gain: 1, aim: n})
    assert offered(pos) == {f"resolve {gain}", f"resolve {aim}"}


def test_only_what_is_due_is_put_in_order():
    """7.5: a track that starts from zero matters only to who aims at that track."""
    for gain, aim in (("gold", "siege"), ("soldiers", "siege"), ("holdings", "casualty")):
        pos = resolving(blank(2, **{gain: [0, 5]}), **{gain: 1, aim: 1})
        assert pos.state.phase == P.target, (gain, aim)


def test_one_symbol_at_a_time():
    """7.5: of two draws that are due the first is taken, one card of it, and the table is told."""
    pos = resolving(blank(3), thief=1, cards=2)
    assert offered(pos) == {"resolve thief", "resolve cards"}
    before = hand(pos, 0)
    pos.play("resolve cards")
    assert hand(pos, 0) == before + 1
    assert offered(pos) == {"resolve thief", "resolve cards"}
    assert any("draws" in line for line in log(pos))


def test_hope_runs_out_aloud():
    """8.5, 1.12: the table is told that no token is left only when one is missing."""
    for left, missing in ((3, False), (2, False), (1, True)):
        state = drafting(blank(2))
        state.hopes, state.actor, state.due[ICON_NAMES.index("hope")] = left, 0, 2
        kinds = told(state)
        assert ("gained" in kinds, "none_left" in kinds) == (True, missing)


def test_order_is_not_asked_where_it_does_not_matter():
    """7.5: gains among themselves, and a target beside gains that it cannot touch."""
    pos = resolving(blank(2), gold=2, writ=1, renown=1, cards=1)
    assert pos.state.phase == P.draft
    pos = resolving(blank(2), siege=1, soldiers=1, renown=1, holdings=1)
    assert pos.state.phase == P.target
    assert tracks(pos, 0) == [5, 6, 5, 6]


# --- Icons (8) ------------------------------------------------------------------


def test_gains_stop_at_nine():
    """8.1, 1.3, X16: what would go above 9 is lost."""
    pos = resolving(blank(2, gold=[8, 5], food=[9, 5]), gold=3, food=1, soldiers=1)
    assert tracks(pos, 0) == [9, 6, 9, 5]


def test_casualty_and_siege():
    """8.2, 8.4: different symbols may hit different seats, oneself too."""
    pos = resolving(blank(3), casualty=2)
    pos.play("target seat 1")
    pos.play("target seat 0")
    assert [tracks(pos, seat)[1] for seat in range(3)] == [4, 4, 5]
    pos = resolving(blank(3), siege=1)
    pos.play("target seat 2")
    assert [tracks(pos, seat)[3] for seat in range(3)] == [5, 5, 4]
    assert pos.why_not("target seat 2") is not None


def test_no_target_beyond_the_table():
    """8.4, 1.2."""
    pos = resolving(blank(3), casualty=1)
    assert offered(pos) == {"target seat 0", "target seat 1", "target seat 2"}
    assert pos.why_not("target seat 3").rule == "1.2"


def test_opponents_only():
    """11.5: by option nobody aims at itself; then no order is asked for the sake of doing so."""
    game = sutler.load("threeyears", own_targets=False)
    pos = resolving(blank(3, game=game), game=game, siege=1)
    assert offered(pos) == {"target seat 1", "target seat 2"}
    assert pos.why_not("target seat 0").rule == "11.5"
    pos = resolving(blank(3, game=game, holdings=[9, 5, 5]), game=game, holdings=1, siege=1)
    assert pos.state.phase == P.target


def test_thief():
    """8.3: a gold changes hands."""
    pos = resolving(blank(2), thief=1)
    pos.play("target seat 1")
    assert (tracks(pos, 0)[0], tracks(pos, 1)[0]) == (6, 4)


def test_thief_finds_nothing():
    """8.3, 8.13, E14: the target takes a Despair, the thief gains nothing."""
    pos = resolving(blank(2, gold=[5, 0]), thief=1)
    pos.play("target seat 1")
    assert (tracks(pos, 0)[0], tracks(pos, 1)[0], despair(pos, 1)) == (5, 0, 1)


def test_thief_with_a_full_purse():
    """8.3: the target loses, the gain is lost."""
    pos = resolving(blank(2, gold=[9, 5]), thief=1)
    pos.play("target seat 1")
    assert (tracks(pos, 0)[0], tracks(pos, 1)[0]) == (9, 4)


@pytest.mark.parametrize(("gold", "suffers"), [(5, 0), (9, 0), (0, 1)])
def test_thief_on_oneself(gold, suffers):
    """8.4: nothing changes, but for a Despair without gold."""
    pos = resolving(blank(2, gold=[gold, 5]), thief=1)
    pos.play("target seat 0")
    assert (tracks(pos, 0)[0], despair(pos, 0)) == (gold, suffers)


def test_hope_and_renown():
    """8.5, 1.8, 1.11: one for each symbol; Hope from its supply."""
    pos = resolving(blank(2), hope=1, renown=3)
    assert (int(pos.state.seats[0].hope), int(pos.state.hopes), int(pos.state.seats[0].renown)) == (1, 9, 3)


def test_supplies_run_out():
    """1.12: with no token left the icon does nothing."""
    state = blank(2)
    state.hopes, state.scouts = 1, 0
    state.seats[1].hope, state.seats[1].scouts = 9, 12
    pos = resolving(state, hope=2, scout=1)
    assert int(pos.state.seats[0].hope) == 1
    assert int(pos.state.seats[0].scouts) == 0
    state = blank(2)
    for token in members(state.writs):
        remove(state.writs, token)
    pos = resolving(state, writ=1)
    assert count(pos.state.seats[0].writs) == 0


def test_writ_is_drawn_face_down():
    """8.6, 1.9: its owner sees it, nobody else."""
    pos = resolving(blank(2), writ=2)
    assert count(pos.state.seats[0].writs) == 2
    assert count(pos.state.writs) == 22
    mine, theirs = pos.view(0)["seats"][0]["writs"], pos.view(1)["seats"][0]["writs"]
    assert all(one["shows"] for one in mine)
    assert [one["shows"] for one in theirs] == [None, None]


def test_cards():
    """8.9: as many as the silhouette says."""
    pos = resolving(blank(2), cards=2)
    assert hand(pos, 0) == 2


def test_locusts():
    """8.10, X14: two of the chosen resource for the chooser, one for the others; what is missing costs Despair."""
    pos = resolving(blank(3, food=[1, 0, 5]), locusts=1)
    assert offered(pos) == {"blight gold", "blight soldiers", "blight food", "blight holdings"}
    pos.play("blight food")
    assert [tracks(pos, seat)[2] for seat in range(3)] == [0, 0, 4]
    assert [despair(pos, seat) for seat in range(3)] == [1, 1, 0]


def test_locusts_twice():
    """8.10: each locust is its own choice."""
    pos = resolving(blank(2), locusts=2)
    pos.play("blight gold")
    pos.play("blight holdings")
    assert tracks(pos, 0) == [3, 5, 5, 3]
    assert tracks(pos, 1) == [4, 5, 5, 4]


def test_death_rats_ruin():
    """8.11: a soldier, a food, a holding for each."""
    pos = resolving(blank(2), death=1, rats=2, ruin=3)
    assert tracks(pos, 0) == [5, 4, 3, 2]


def test_despair_then_doom():
    """8.12, 1.7: Despair while there is any, then Doom."""
    state = blank(2)
    for token in members(state.despairs)[2:]:
        remove(state.despairs, token)
        add(state.dispelled, token)
    pos = resolving(state, despair=3)
    assert (despair(pos, 0), int(pos.state.seats[0].doom)) == (2, 1)


def test_losing_at_zero():
    """8.13, X15: no soldier and two Deaths cost two Despair."""
    pos = resolving(blank(2, soldiers=[0, 5]), death=2)
    assert (tracks(pos, 0)[1], despair(pos, 0)) == (0, 2)


# --- Writs (8.7) ------------------------------------------------------------------


def test_reveal_with_any_decision():
    """8.7, X27: applied at once, excess lost, out of the game; the decision stays."""
    state = blank(3, soldiers=[8, 5, 5])
    give_writ(state, 0, "2 Soldiers")
    for seat in range(3):
        take(GAME, state, state.seats[seat].hand, "sp1")
    offer(state)
    state.stage = S.influence
    pos = go(state)
    assert "reveal 2 Soldiers" in offered(pos)
    assert pos.why_not("reveal 3 Gold").rule == "8.7"
    pos.play("reveal 2 Soldiers")
    assert (pos.seat, pos.state.phase) == (0, P.bid)
    assert tracks(pos, 0)[1] == 9
    assert count(pos.state.seats[0].writs) == 0
    assert count(pos.state.writs) == 23


def test_the_only_writ_shows_its_own_kind():
    """8.7: a seat reveals the kind of the Writ it has and no other, be it the very first of the pile."""
    state = blank(3)
    remove(state.writs, 0)
    add(state.seats[0].writs, 0)
    for seat in range(3):
        take(GAME, state, state.seats[seat].hand, "sp1")
    offer(state)
    state.stage = S.influence
    pos = go(state)
    own = GAME.names["writ"][state.writ_face[0]]
    assert {name for name in offered(pos) if name.startswith("reveal")} == {f"reveal {own}"}
    for name in GAME.names["writ"]:
        assert name == own or pos.why_not(f"reveal {name}").rule == "8.7"


def test_reveal_before_a_despair():
    """8.7, 8.13, X28: a Casualty on a seat without soldiers: its Writ saves it."""
    state = blank(2, soldiers=[5, 0])
    give_writ(state, 1, "2 Soldiers")
    pos = resolving(state, casualty=1)
    pos.play("target seat 1")
    assert (pos.seat, pos.state.phase) == (1, P.last_chance)
    pos.play("reveal 2 Soldiers")
    assert (tracks(pos, 1)[1], despair(pos, 1)) == (1, 0)


def test_keeping_the_writ_before_a_despair():
    """8.7, 8.13: at any time, so before each Despair: kept for the first, it may still save the second."""
    state = blank(2, soldiers=[0, 5])
    give_writ(state, 0, "2 Soldiers")
    pos = resolving(state, death=2)
    assert offered(pos) == {"keep", "reveal 2 Soldiers"}
    pos.play("keep")
    assert (pos.state.phase, despair(pos, 0)) == (P.last_chance, 1)
    again = GAME.from_bytes(pos.to_bytes())
    again.play("reveal 2 Soldiers")
    assert (tracks(again, 0)[1], despair(again, 0), again.state.phase) == (1, 1, P.draft)
    pos.play("keep")
    assert (despair(pos, 0), pos.state.phase) == (2, P.draft)


def test_a_writ_kept_may_be_revealed_before_another_loss():
    """8.7: at any time, so also between the losses of one card: kept for the soldiers, revealed for the food."""
    state = blank(2, soldiers=[0, 5], food=[0, 5])
    give_writ(state, 0, "2 Food")
    pos = resolving(state, death=1, rats=1)
    assert said(pos) == "Seat 1, reveal a Writ before you lose 1 soldier?"
    pos.play("keep")
    assert (pos.state.phase, despair(pos, 0)) == (P.last_chance, 1)
    assert said(pos) == "Seat 1, reveal a Writ before you lose 1 food?"
    pos.play("reveal 2 Food")
    assert (tracks(pos, 0)[2], despair(pos, 0)) == (1, 1)


def test_the_last_chance_says_what_each_answer_leads_to():
    """8.7, 8.13: how many tokens keeping costs, and how many are left after each Writ."""
    state = blank(2, soldiers=[0, 5])
    for writ in ("1 Gold and 1 Soldier", "3 Soldiers", "3 Gold"):
        give_writ(state, 0, writ)
    pos = resolving(state, death=2)
    effects = {choice.name: "".join(map(str, choice.effect)) for choice in pos.choices(0)}
    assert effects == {
        "keep": "1 Despair",
        "reveal 1 Gold and 1 Soldier": "+ 1 gold, 1 soldier, then 1 Despair",
        "reveal 3 Soldiers": "+ 3 soldiers, then no Despair",
        "reveal 3 Gold": "+ 3 gold, then 2 Despair",
    }


def said(pos):
    return "".join(str(part) for part in pos.prompt(0).text)


def test_a_writ_that_does_not_help_is_asked_for_again():
    """8.7: after a Writ that brings no soldier the next is asked for."""
    state = blank(2, soldiers=[0, 5])
    give_writ(state, 0, "3 Gold")
    give_writ(state, 0, "1 Hope")
    pos = resolving(state, death=1)
    pos.play("reveal 3 Gold")
    assert offered(pos) == {"keep", "reveal 1 Hope"}


def test_reveal_before_the_own_claim():
    """8.7, 7.2: whoever has a Writ is asked before its claim card."""
    state = drafting(blank(2, season="spring"))
    offer(state, "Tithe Barn Dues", "The Seed Wagons")
    give_writ(state, 1, "2 Food")
    pos = go(state)
    pos.play("draft Tithe Barn Dues")
    pos.play("keep")  # asked as the last to draft, before the first claim
    assert (pos.seat, pos.state.phase) == (1, P.window)
    assert tracks(pos, 0)[0] == 7
    pos.play("reveal 2 Food")
    assert tracks(pos, 1)[2] == 9


def test_the_last_to_draft_may_reveal_before_the_first_claim():
    """8.7, 7.1: its claim card is left over, and the last Hope would go to who drafted first."""
    state = drafting(blank(2, season="spring"))
    offer(state, "Tithe Barn Dues", "The Seed Wagons")
    give_writ(state, 1, "1 Hope")
    pos = go(state)
    pos.play("draft Tithe Barn Dues")
    assert (pos.seat, pos.state.phase, pos.state.stage) == (1, P.window, S.draft)
    assert tracks(pos, 0)[0] == 5, "no claim has been resolved"
    assert "".join(map(str, pos.prompt(1).help)) == "The claims are resolved next."
    pos.play("reveal 1 Hope")
    assert int(pos.state.seats[1].hope) == 1
    assert tracks(pos, 0)[0] == 7


def test_no_reveal_while_a_set_is_put_together():
    """8.7, 5.8: first the set."""
    pos = bidding(["sp1, Guild Treasurer", "sp1", "sp1"])
    state = pos.state
    give_writ(state, 0, "2 Food")
    pos = GAME.from_bytes(state.tobytes())
    pos.play("play Spring without doubles")
    assert pos.why_not("reveal 2 Food").rule == "5.8"
    assert not any(name.startswith("reveal") for name in offered(pos))


def test_the_owner_is_told_which_writ_it_drew():
    """8.6: nobody else."""
    state = drafting(blank(2, season="spring"))
    offer(state, "A Letter Under Wax", "The Seed Wagons")
    pos = go(state)
    pos.play("draft A Letter Under Wax")
    drawn = [event for _, event in pos.told() if event.kind == "own_writ"]
    assert len(drawn) == 2
    assert all(event.is_for(0) and not event.is_for(1) and not event.is_for(None) for event in drawn)


def test_nothing_is_told_of_cards_that_are_not_there():
    """8.9, 4.2: with no card in deck and discards nobody draws, and nobody is said to."""
    state = blank(2)
    for card in members(state.deck):
        remove(state.deck, card)
        add(state.seats[1].hand, card)
    state = drafting(state)
    offer(state, "The Old Chancellor Returns", "The Seed Wagons")
    pos = go(state)
    pos.play("draft The Old Chancellor Returns")
    assert hand(pos, 0) == 0
    assert "drew" not in [event.kind for _, event in pos.told()]


def test_the_first_card_of_a_box_is_a_stake_like_any():
    """7.3: Tax Farmer listed before all other influence cards."""
    listed = sorted(GAME.definition.printed["influence"], key=lambda one: one["name"] != "Tax Farmer")
    game = sutler.load("threeyears", {"replace": ["influence"], "influence": listed})
    state = drafting(blank(2, season="spring", game=game), game)
    offer(state, "Tithe Barn Dues", "The Seed Wagons", game=game)
    take(game, state, state.tied[0], "Tax Farmer")
    pos = go(state, game)
    pos.play("draft Tithe Barn Dues")
    assert despair(pos, 0) == 1
