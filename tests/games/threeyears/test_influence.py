"""Chapters 3 to 5 of the guide: the course of the war, taxes, exerting influence. E and X number the worked cases."""

import itertools
import random

import pytest

import sutler
from sutler.core.bits import count, members
from sutler.core.play.position import IllegalAction
from sutler.games.threeyears.box import S
from sutler.games.threeyears.phases_actions_events import P, R

from .table import GAME, bidding, blank, despair, go, hand, log, offered, plays, take


def refusal(pos, name):
    found = pos.why_not(name)
    assert found is not None
    return found.rule


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_setting_up(seats):
    """1.3, 2.1, 2.2, 2.3, 2.4: five on every track, four cards and the first taxes, as many markers and claims as seats."""
    pos = GAME.new(seats=seats, seed=3)
    for seat in range(seats):
        assert [int(n) for n in pos.state.seats[seat].tracks] == [5, 5, 5, 5]
        assert hand(pos, seat) == 4 + 3
        assert pos.state.seats[seat].marker == 0
    assert len(pos.view()["markers"]) == seats
    assert len(pos.view()["claims"]) == seats
    assert count(pos.state.deck) == 90 - 7 * seats
    assert count(pos.state.despairs) == 60


def test_first_lead_is_drawn_by_lot():
    """2.5: every seat leads some games, and the lead bids first (3.3)."""
    positions = [GAME.new(seats=4, seed=seed) for seed in range(40)]
    assert {int(pos.state.lead) for pos in positions} == {0, 1, 2, 3}
    assert all(pos.seat == pos.state.lead for pos in positions)


def test_seats():
    """1.2: two to five."""
    assert (GAME.min_seats, GAME.max_seats) == (2, 5)
    with pytest.raises(ValueError, match="2 to 5"):
        GAME.new(seats=6)


def test_year_goes_through_seasons_and_events():
    """3.1, 3.2, 9.1: four seasons, each with its event, three times; then the end."""
    pos = GAME.new(seats=2, seed=5)
    while not pos.over:
        pos.play(random.Random(len(pos.decisions)).choice(pos.legal_ids()))
    headings = ["".join(map(str, line.sentence)) for line in pos.log() if line.heading]
    wanted = []
    for year in ("Year 1", "Year 2", "Year 3"):
        wanted += [year, "Spring", "Marketplace", "Summer", "Field of Battle", "Autumn", "Reaping What Was Sown"]
        wanted += ["Winter", "The Bitter Months"]
    assert [heading.split(":")[0] for heading in headings] == [*wanted, "The war is over"]


@pytest.mark.parametrize(("season", "cards"), [("spring", 3), ("summer", 1), ("autumn", 1), ("winter", 1)])
def test_taxes(season, cards):
    """4.1: three cards before Spring, one before the other seasons, for everybody."""
    state = blank(4, season=season)
    state.stage = S.taxes
    pos = go(state)
    assert [hand(pos, seat) for seat in range(4)] == [cards] * 4


def test_taxes_go_round_from_the_lead():
    """3.3, 4.1: the lead player draws first: with two cards left and nothing to shuffle, the last gets none."""
    state = blank(3, lead=1, season="summer")
    for card in members(state.deck)[:-2]:
        take_away(state, card)
    state.stage = S.taxes
    pos = go(state)
    assert [hand(pos, seat) for seat in range(3)][1:] == [1, 1]
    assert count(pos.state.deck) == 0


def take_away(state, card):
    """Put a card of the deck before seat 0, where no shuffle finds it."""
    from sutler.core.bits import add, remove

    remove(state.deck, card)
    add(state.seats[0].spent, card)


def test_running_out_of_cards():
    """4.2, X32: one card in the deck and five discarded; three drawn leave three in a new deck."""
    from sutler.core.bits import add, remove

    state = blank(2, season="spring")
    cards = members(state.deck)
    for card in cards[:5]:
        remove(state.deck, card)
        add(state.discards, card)
    for card in cards[6:]:
        take_away(state, card)
    state.stage = S.taxes
    from sutler.core.events import new_event_buffer
    from sutler.games.threeyears.rules.common import draw_influence

    assert draw_influence(GAME.box, state, new_event_buffer(False), 1, 3) == 3
    assert (count(state.deck), count(state.discards), count(state.seats[1].hand)) == (3, 0, 3)


def test_nothing_left_to_shuffle():
    """4.2: with deck and discards empty, the draw is lost."""
    from sutler.core.events import new_event_buffer
    from sutler.games.threeyears.rules.common import draw_influence

    state = blank(2)
    for card in members(state.deck)[1:]:
        take_away(state, card)
    assert draw_influence(GAME.box, state, new_event_buffer(False), 1, 3) == 1
    assert hand_size(state, 1) == 1


def hand_size(state, seat):
    return count(state.seats[seat].hand)


def test_claims_come_from_the_face_down_part():
    """5.1: used claim cards do not come back; all cards turned up are of the season."""
    pos = GAME.new(seats=5, seed=11)
    seen = set()
    rng = random.Random(1)
    while not pos.over:
        if pos.state.phase == P.bid and int(pos.state.total) == 0:
            turn = (int(pos.state.year), int(pos.state.season))
            for claim in pos.view()["claims"]:
                assert claim["season"] == pos.view()["season"]
                assert (claim["claim"], *turn) in seen or not any(claim["claim"] == c for c, *_ in seen)
                seen.add((claim["claim"], *turn))
        pos.play(rng.choice(pos.legal_ids()))
    assert len({claim for claim, *_ in seen}) == 60


def test_bidding_goes_round_and_skips_who_has_passed():
    """5.2: from the lead clockwise, until one is left."""
    pos = bidding(["sp1, sp1, sp1", "sp1, sp1, sp1", "sp1, sp1, sp1"])
    order = []
    for action in ("play Spring without doubles", "pass", "play Spring without doubles", "play Spring without doubles"):
        order.append(pos.seat)
        pos.play(action)
    assert order == [0, 1, 2, 0]
    assert pos.seat == 2


# --- Sets -------------------------------------------------------------------------


def test_opening():
    """5.6, E2, X1: any single card opens, a double makes 2, and nobody is bound to its season."""
    pos = bidding(["sp1, sp2", "su1, su1", "sp1"])
    assert plays(pos) == {"spring 1", "spring 2"}
    pos.play("play Spring without doubles")
    assert pos.state.total == 1
    assert plays(pos) == {"summer 1+1"}


def test_opening_with_a_double():
    """5.6, 5.7, X1."""
    pos = bidding(["sp2", "su1", "su1"])
    pos.play("play Spring with one double")
    assert pos.state.total == 2


@pytest.mark.parametrize(
    ("season", "total", "held", "wanted"),
    [
        ("summer", 2, "su2", {"summer 2"}),  # E5
        ("summer", 2, "su1, su1", {"summer 1+1"}),  # E6
        ("summer", 2, "sp1, sp1, sp1, sp2", {"spring 1+1+1", "spring 2+1"}),  # E7
        ("summer", 2, "au1, au2", {"autumn 2+1"}),  # E7
        ("summer", 2, "sp1, wi2", set()),  # E8: never two seasons
        ("summer", 2, "sp1, wi1, wi1", set()),  # E8
        ("spring", 1, "su1, su1, su1, su1", {"summer 1+1"}),  # E9: no over-paying
        ("spring", 1, "sp1", {"spring 1"}),  # E10
        ("spring", 1, "sp2", {"spring 2"}),  # E11
        ("spring", 1, "su2, su1, su1", {"summer 2", "summer 1+1"}),  # E12
        ("spring", 1, "su1", set()),  # E13
        ("spring", 1, "sp1, sp1", {"spring 1"}),  # X2
        ("spring", 2, "sp2, sp1", {"spring 2"}),  # X3
        ("spring", 3, "sp2, sp2", {"spring 2+2"}),  # X4
        ("spring", 2, "su2, su2", {"summer 2+2"}),  # X5
        ("spring", 2, "su2, su1", {"summer 2+1"}),  # X6
        ("spring", 2, "su2, su2, su1", {"summer 2+2", "summer 2+1"}),  # X7
        ("spring", 4, "sp2, sp2, sp1, sp1, sp1, sp1", {"spring 2+2", "spring 2+1+1", "spring 1+1+1+1"}),
        ("spring", 4, "su2, su2, su1, su1, su1", {"summer 2+2+1", "summer 2+1+1+1"}),
    ],
)
def test_legal_sets(season, total, held, wanted):
    """5.3, 5.4, 5.5, 5.8: what may be played on a total."""
    pos = bidding([held, "wi1", "wi1"], total=total, season=season)
    assert plays(pos) == wanted


def test_any_season_may_be_played():
    """5.3, E3: Winter cards in Summer."""
    pos = bidding(["wi2, wi1", "", ""], total=2, season="summer")
    assert plays(pos) == {"winter 2+1"}


def test_three_seasons_in_one_set_are_illegal():
    """5.3, E4: one card each of three seasons make no set of three icons."""
    pos = bidding(["sp1, su1, wi1", "", ""], total=2, season="autumn")
    assert plays(pos) == set()
    assert refusal(pos, "play Spring without doubles") == "5.5"
    assert refusal(pos, "play Autumn without doubles") == "5.3"


def test_too_few_cards_in_season_and_out_of_it():
    """5.4, 5.5, 5.3: the paragraph is that of matching in season and of raising out of it, or says what is missing."""
    pos = bidding(["sp1, wi1, su2, su2", "", ""], total=3)
    assert refusal(pos, "play Spring without doubles") == "5.4"
    assert refusal(pos, "play Winter without doubles") == "5.5"
    assert refusal(pos, "play Autumn without doubles") == "5.3"
    assert pos.why_not("play Summer with two doubles") is None
    assert "singles" in pos.why_not("play Summer with one double").text
    pos = bidding(["su1, su1, su1, su1", "", ""], total=3)
    assert "doubles" in pos.why_not("play Summer with one double").text


def test_refusal_of_overpaying():
    """5.8: the reason is told."""
    pos = bidding(["su2, su2, su2, su1", "", ""], total=1)
    assert refusal(pos, "play Summer with two doubles") == "5.8"
    with pytest.raises(IllegalAction, match=r"fewest cards necessary"):
        pos.play("play Summer with two doubles")


def test_total_after_a_set():
    """5.7: the new total is the last set alone; the cards played before are turned face down."""
    pos = bidding(["su2, sp1", "sp2, sp2", "sp1"], total=1)
    pos.play("play Summer with one double")
    assert pos.state.total == 2
    pos.play("play Spring with one double")
    assert pos.state.total == 2
    assert "Seat 2 matches: influence stays at 2" in log(pos)
    assert count(pos.state.seats[0].shown) == 1


def test_earlier_sets_are_turned_down():
    """5.7: a second set of the same seat replaces the first on the table."""
    pos = bidding(["sp1, sp1, su1, su1", "sp1, sp1"], total=0)
    pos.play("play Spring without doubles")
    pos.play("play Spring without doubles")
    pos.play("play Spring without doubles")
    me = pos.view()["seats"][0]
    assert (len(me["shown"]), len(me["spent"])) == (1, 1)


def test_choice_of_cards_is_asked_where_they_differ():
    """5.8: with a plain single and one with symbols the table asks which; with like cards it does not."""
    pos = bidding(["sp1, Guild Treasurer, sp2", "sp1", "sp1"])
    pos.play("play Spring without doubles")
    assert offered(pos) == {"use Guild Treasurer", "use a plain Spring single"}
    pos.play("use Guild Treasurer")
    assert [card["name"] for card in pos.view()["seats"][0]["shown"]] == ["Guild Treasurer"]
    pos = bidding(["sp1, sp1, sp2", "sp1", "sp1"])
    pos.play("play Spring without doubles")
    assert pos.seat == 1


def test_doubles_are_chosen_before_singles():
    """5.8: each set can be put together in one way only."""
    pos = bidding(["su2, Master Gunner, su1, Camp Surgeon", "", ""], total=2)
    pos.play("play Summer with one double")
    assert offered(pos) == {"use Master Gunner", "use a plain Summer double"}
    pos.play("use a plain Summer double")
    assert offered(pos) == {"use Camp Surgeon", "use a plain Summer single"}
    pos.play("use Camp Surgeon")
    assert pos.state.total == 3


def test_nothing_else_while_a_set_is_put_together():
    """5.8: finish the set first."""
    pos = bidding(["sp1, Guild Treasurer", "sp1", "sp1"])
    pos.play("play Spring without doubles")
    assert refusal(pos, "pass") == "5.8"
    assert refusal(pos, "use Tax Farmer") == "5.8"


def naive_sets(cards, season, total):
    """5.8 word for word: every subset of cards, of one season, enough icons, and no card that could be left out."""
    found = set()
    for n in range(1, len(cards) + 1):
        for chosen in itertools.combinations(cards, n):
            seasons = {one for one, _ in chosen}
            if len(seasons) > 1:
                continue
            need = max(1, total) if seasons == {season} else total + 1
            icons = sum(pips for _, pips in chosen)
            if icons >= need and all(icons - pips < need for _, pips in chosen):
                found.add((chosen[0][0], sum(pips == 2 for _, pips in chosen), n))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_sets_against_every_subset(seed):
    """5.8: the rule by shapes finds what trying all subsets finds."""
    rng = random.Random(seed)
    season, total = rng.randrange(4), rng.randrange(6)
    state = blank(3, season=("spring", "summer", "autumn", "winter")[season])
    cards = rng.sample(members(state.deck), rng.randrange(9))
    from sutler.core.bits import add, remove

    for card in cards:
        remove(state.deck, card)
        add(state.seats[0].hand, card)
    state.season, state.total, state.phase = season, total, P.bid
    from sutler.games.threeyears.rules.influence import icons_needed, n_in_set, why_not_play

    found = {
        (q, doubles, int(n_in_set(icons_needed(state, q), doubles)))
        for q in range(4)
        for doubles in range(16)
        if why_not_play(GAME.box, state, 0, q, doubles) == R.fine
    }
    assert found == naive_sets(
        [(int(GAME.box.card[c].season), int(GAME.box.card[c].icons)) for c in cards], season, total
    )


# --- Passing ------------------------------------------------------------------------


def test_first_pass_of_five():
    """5.9, 5.10, E1: marker 5, the lead marker and one Despair, nothing else."""
    pos = bidding(["sp1, su1"] * 5, lead=0)
    pos.play("play Spring without doubles")
    before = [int(n) for n in pos.state.seats[1].tracks]
    pos.play("pass")
    me = pos.state.seats[1]
    assert (int(me.marker), int(pos.state.lead), despair(pos, 1)) == (5, 1, 1)
    assert [int(n) for n in me.tracks] == before
    assert hand(pos, 1) == 2
    assert pos.seat == 2


def test_second_pass_takes_what_lies_beside_its_marker():
    """1.13, 5.9: the next marker and its space; neither lead nor Despair."""
    pos = bidding(["sp1, sp1"] * 4)
    pos.play("pass")
    gain = next(marker["gain"] for marker in pos.view()["markers"] if marker["number"] == 3)
    cards, gold = hand(pos, 1), int(pos.state.seats[1].tracks[0])
    pos.play("pass")
    me = pos.state.seats[1]
    assert (int(me.marker), int(pos.state.lead), despair(pos, 1)) == (3, 0, 0)
    assert hand(pos, 1) == cards + gain.get("cards", 0)
    assert int(me.tracks[0]) == gold + gain.get("gold", 0)


def test_marker_spaces_can_be_switched_off():
    """11.3: markers then bring nothing besides the order."""
    game = sutler.load("threeyears", marker_spaces=False)
    pos = game.new(seats=5, seed=1)
    assert all(not marker["gain"] for marker in pos.view()["markers"])
    assert any(marker["gain"] for marker in GAME.new(seats=5, seed=1).view()["markers"])


def test_first_pass_with_no_despair_left():
    """8.12, 5.10, X17: a Doom token instead."""
    state = blank(3)
    for token in members(state.despairs):
        from sutler.core.bits import add, remove

        remove(state.despairs, token)
        add(state.dispelled, token)
    for seat in range(3):
        take(GAME, state, state.seats[seat].hand, "sp1")
    state.stage, state.bidder = S.influence, 0
    from .table import offer

    offer(state)
    pos = go(state)
    pos.play("pass")
    assert (int(pos.state.seats[0].doom), despair(pos, 0), int(pos.state.lead)) == (1, 0, 0)


def test_last_one_in_pays_nothing():
    """5.11, X9: the first two pass; the third has marker 1 and all its cards."""
    pos = bidding(["sp1", "sp1", "sp1"])
    pos.play("pass")
    pos.play("pass")
    assert int(pos.state.seats[2].marker) == 1
    assert hand(pos, 2) == 1
    assert pos.state.total == 0
    assert pos.state.stage == S.draft


def test_empty_hand_can_only_pass():
    """5.9, X8: everybody sees it, so the table does it."""
    pos = bidding(["", "sp1", "sp1"])
    assert int(pos.state.seats[0].marker) == 3
    assert pos.seat == 1


def test_having_to_pass_is_asked_where_it_is_secret():
    """5.9, 1.14: cards enough but none that fit: the seat is asked all the same, so that nobody learns of it."""
    pos = bidding(["su1, wi1", "sp1", "sp1"], total=2)
    assert offered(pos) == {"pass"}
    assert pos.seat == 0


def test_new_lead_from_the_first_pass_on():
    """5.10, X10: B led, C passes first: C assigns stakes, begins the interlude and the next season."""
    pos = bidding(["Guild Treasurer", "sp1", "sp1"], lead=0)
    pos.play("play Spring without doubles")
    pos.play("pass")
    pos.play("pass")
    assert int(pos.state.lead) == 1
    assert pos.state.phase == P.stake_on
    assert pos.seat == 1


def test_total_never_falls():
    """5.4, 5.5, 5.7: in random games the total does not fall within a season."""
    pos = GAME.new(seats=4, seed=2)
    rng = random.Random(0)
    before = (0, 0, 0)
    for _ in range(120):
        if pos.over:
            break
        now = (int(pos.state.year), int(pos.state.season), int(pos.state.total))
        assert now[:2] != before[:2] or now[2] >= before[2]
        before = now
        pos.play(rng.choice(pos.legal_ids()))


def test_strictly_the_fewest():
    """11.2: with a double in hand two singles are not allowed; without it they are."""
    game = sutler.load("threeyears", strict_fewest=True)
    pos = bidding(["su2, su1, su1", "", ""], total=1, game=game)
    assert plays(pos) == {"summer 2"}
    assert pos.why_not("play Summer without doubles").rule == "11.2"
    pos = bidding(["su1, su1", "", ""], total=1, game=game)
    assert plays(pos) == {"summer 1+1"}
    pos = bidding(["su2, su2, su1", "", ""], total=2, game=game)
    assert plays(pos) == {"summer 2+2", "summer 2+1"}


def test_recycled_claims():
    """11.1: all sixteen claim cards are shuffled every year."""
    game = sutler.load("threeyears", recycle_claims=True)
    pos = game.new(seats=5, seed=4)
    rng = random.Random(1)
    turned = []
    while not pos.over:
        if pos.state.phase == P.bid and int(pos.state.total) == 0 and int(pos.state.season) == 0:
            turned.append((int(pos.state.year), tuple(c["claim"] for c in pos.view()["claims"])))
        pos.play(rng.choice(pos.legal_ids()))
    by_year = [set(next(claims for year, claims in turned if year == wanted)) for wanted in range(3)]
    assert by_year[0] & by_year[1] | by_year[1] & by_year[2] | by_year[0] & by_year[2]


def test_years():
    """11.4: one year is four seasons."""
    pos = sutler.load("threeyears", years=1).new(seats=3, seed=1)
    rng = random.Random(1)
    while not pos.over:
        pos.play(rng.choice(pos.legal_ids()))
    headings = ["".join(map(str, line.sentence)) for line in pos.log() if line.heading]
    assert headings.count("Spring") == 1
    assert "Year 2" not in headings


def test_claims_turned_up_are_told():
    """5.1: the log names each claim card as it comes."""
    pos = GAME.new(3, 1)
    told = [line.removesuffix(" is turned up") for line in log(pos) if line.endswith(" is turned up")]
    assert sorted(told) == sorted(claim["claim"] for claim in pos.view()["claims"])


def test_a_pass_is_told():
    """5.9: with the marker it takes."""
    pos = bidding(["sp1, su1"] * 5, lead=0)
    pos.play("play Spring without doubles")
    pos.play("pass")
    assert "passed" in [event.kind for event in pos.decisions[-1].told]


def test_cards_one_does_not_hold_are_not_chosen():
    """5.8: the reason, for whoever points at one."""
    pos = bidding(["sp1, su1", "au1", "wi2"])
    kind = next(kind for kind in GAME.names["kind"] if kind.startswith("a plain Winter"))
    assert pos.why_not(f"use {kind}").text == "You hold no such card."
