"""Bellum, small print: what a line of a rule says where the worked cases of test_rules.py do not reach it."""

import pytest

from games.bellum.table import POWERS, board, city_at, codes, game, goals, hex_of, put, rules_with, run, why
from sutler.contract.helpers import play
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.bellum import scoring
from sutler.games.bellum.box import CITY
from sutler.games.bellum.phases_actions_events import P, R
from sutler.games.bellum.rules import battle, city, march, retreat, strength, turn

SWEDEN, AUSTRIA, _, SPAIN = range(4)
MEETING = {"Gustav Adolf": "1005", "Tilly": "1006"}


def test_the_next_round_with_a_symbol():
    """9.2, 9.3: never the present round, and never an earlier one; none is the number of rounds."""
    pos = board()
    box, state = pos.game.box, pos.state
    years = [(int(box.year[k].siege), int(box.year[k].resistance)) for k in range(box.n_rounds)]
    for now in range(len(years)):
        state.round_no = now
        for part, rule in ((0, city.round_of_fall), (1, city.round_of_revolt)):
            for symbol in {year[part] for year in years}:
                later = [k for k, year in enumerate(years) if k > now and year[part] == symbol]
                assert int(rule(box, state, symbol)) == (later[0] if later else len(years)), (now, symbol)


def test_an_occupation_that_nobody_will_end_is_told_without_an_end():
    """9.2, 9.3: where no later round shows its symbol."""
    ended = set()
    for now in range(int(board().game.box.n_rounds) - 1):
        pos = board(leaders={"Gustav Adolf": "1005"}, cities={"Berlin": "minor"})
        pos.state.round_no, buffer = now, new_event_buffer()
        city.occupy(pos.game.box, pos.state, buffer, SWEDEN, pos.game.names["site"].index("Berlin"), 0)
        told = [one.kind for one in drain_events(pos.game.definition.events, buffer)]
        revolts = int(city.round_of_revolt(pos.game.box, pos.state, int(pos.game.box.year[now].resistance)))
        assert told.count("occupied") == 1
        assert ("until" in told) == (revolts < pos.game.box.n_rounds)
        ended.add("until" in told)
    assert ended == {False, True}


@pytest.mark.parametrize("power", range(4))
def test_each_leader_is_at_home_in_the_hq_of_its_power(power):
    """12.3: and in nobody else's."""
    pos = board()
    plan = pos.game.box.plan[0]
    for leader in (2 * power, 2 * power + 1):
        for other in range(4):
            home = int(pos.game.box.site_hex[plan.hq[other]])
            pos.state.powers[power].leader[leader % 2] = home
            assert bool(march.is_at_home(pos.game.box, pos.state, leader)) == (other == power)


def test_the_losers_own_leaders_retreat_before_its_allys():
    """8.8, 14.9: whichever of the two powers is named first in the box."""
    pos = board(options={"alliance": True}, leaders={"Spinola": "1005", "Tilly": "1006"})
    fight = pos.state.fight
    fight.loser, fight.to_retreat = SPAIN, 0b01000000 | 0b1000
    assert int(retreat.retreating_power(pos.state)) == SPAIN
    fight.to_retreat = 0b1000
    assert int(retreat.retreating_power(pos.state)) == AUSTRIA
    fight.to_retreat = 0
    assert int(retreat.retreating_power(pos.state)) == NOBODY


def test_feeding_is_midway_from_the_first_token_on():
    """11.1: before it, and while a leader moves, nothing is."""
    pos = board()
    for phase, fed, midway in ((P.feed, 0, False), (P.feed, 1, True), (P.move, 1, False), (P.commit, 0, True)):
        pos.state.phase, pos.state.n_fed = phase, fed
        assert bool(turn.is_midway(pos.game.box, pos.state)) == midway


def test_nobody_counts_tokens_of_a_power_that_is_no_ally():
    """13.1: Austria lacks a token that Spain has; allied, the two have all (14.12)."""
    held = {"Austria": ["Sweden"], "Spain": ["France"]}
    alone, allied = board(held=held), board(held=held, options={"alliance": True})
    assert not scoring.has_all_tokens(alone.game.box, alone.state, AUSTRIA)
    assert scoring.has_all_tokens(allied.game.box, allied.state, AUSTRIA)
    almost = board(held={"Austria": ["Sweden", "France"], "Spain": ["Austria"]})
    assert not scoring.has_all_tokens(almost.game.box, almost.state, AUSTRIA)


def test_who_leads_what_is_told_once():
    """4.2: at the start of a game; a position set up midway just goes on."""
    told = [event.kind for _, event in rules_with().new(4, seed=1).told()]
    assert told.count("leads") == 4
    assert "leads" not in [event.kind for _, event in game(leaders=MEETING).told()]


def test_tiles_dealt_by_lot_are_told_and_no_others():
    """4.5: each city with the size of its tile; where seats place them nothing lies yet (4.4)."""
    pos = rules_with(city_tiles="random").new(4, seed=1)
    dealt = {(event.get_part("site"), event.get_part("size")) for _, event in pos.told() if event.kind == "dealt"}
    cities = {(i, int(one.extent)) for i, one in enumerate(pos.state.site) if pos.game.box.plan[0].role[i] == CITY}
    assert dealt == cities
    assert "dealt" not in [event.kind for _, event in rules_with().new(4, seed=1).told()]


def test_a_tile_that_lies_is_no_longer_in_the_supply():
    """4.4: one less of its size."""
    pos = rules_with().new(4, seed=1)
    before = [int(n) for n in pos.state.tiles]
    action = next(action for action in pos.actions() if action.block == "place")
    pos.play(action)
    size = action.args[0]
    assert [int(n) for n in pos.state.tiles] == [n - (k == size) for k, n in enumerate(before)]


def test_a_battle_phase_that_has_ended_has_no_attacks():
    """8.3: whoever stands next to whom."""
    pos = game(leaders=MEETING)
    assert pos.state.phase == P.attack
    assert battle.has_attack(pos.game.box, pos.state)
    pos.state.began = 0
    assert not battle.has_attack(pos.game.box, pos.state)


def test_why_not_attack_before_anybody_has_a_turn():
    """8.3: while the cities are placed the reason is that it is not asked now; in battle, whose leader it is."""
    pos = rules_with().new(4, seed=1)
    assert why(pos, "attack Tilly")[0] not in ("This is your own leader.", "This leader is not on the board.")
    assert why(game(leaders=MEETING), "attack Banér") == ("This is your own leader.", "8.3")


def test_an_empty_hex_while_cities_are_placed():
    """4.4: nothing but marches aims there; whose leader that would be is not what is asked."""
    pos = rules_with().new(4, seed=1)
    assert {one.text for one in pos.why_not_at("hex:0108")} == {
        "Give a city its size first.",
        "No leader has to retreat.",
    }


def test_committing_too_much_is_refused_in_battle_only():
    """8.1: what is more than the strength level; outside a battle it is not asked."""
    pos = game(leaders=MEETING, levels={"Sweden": (6, 3)})
    outside = why(pos, "commit 9")
    play(pos, "attack Tilly")
    assert why(pos, "commit 9") != outside
    play(pos, "commit 1")
    pos.state.powers[AUSTRIA].strength = 2
    assert why(pos, "commit 9") != outside


def test_the_reason_names_the_committing_powers_own_strength():
    """8.1: the attacker's level binds the attacker, whatever the defender's is; and the other way round."""
    refused = ("You cannot commit more than your strength level.", "8.1")
    pos = game(leaders=MEETING, levels=dict.fromkeys(POWERS, (9, 9)) | {"Sweden": (3, 3)})
    play(pos, "attack Tilly")
    assert why(pos, "commit 4") == refused
    pos = game(leaders=MEETING, levels=dict.fromkeys(POWERS, (2, 2)) | {"Sweden": (9, 9)})
    play(pos, "attack Tilly")
    play(pos, "commit 1")
    assert why(pos, "commit 4") == refused


def test_a_defenders_best_site_helps():
    """8.6: of two own cities the one that adds more; a city of others adds nothing."""
    pos = board(leaders={"Gustav Adolf": "1005"}, cities={"Berlin": ("major", "Sweden", 3)})
    box, state = pos.game.box, pos.state
    berlin = pos.game.names["site"].index("Berlin")
    beside = next(k for k in range(int(box.n_land)) if int(box.plan[0].touches[k]) >> berlin & 1)
    state.powers[SWEDEN].leader[0] = beside
    assert int(strength.defended_site(box, state, SWEDEN, 1)) == berlin
    state.site[berlin].holder = AUSTRIA
    found = int(strength.defended_site(box, state, SWEDEN, 1))
    assert found == NOBODY or found != berlin


def test_a_city_beside_an_allys_leader_does_not_help():
    """8.6: it must lie next to a leader of the defender itself, not of who fights beside it."""
    pos = board(leaders={"Gustav Adolf": "1404", "Wallenstein": "1106"}, cities={"Berlin": ("major", "Sweden", 3)})
    box, state = pos.game.box, pos.state
    gustav, wallenstein = (1 << pos.game.names["leader"].index(name) for name in ("Gustav Adolf", "Wallenstein"))
    assert int(strength.defended_site(box, state, SWEDEN, gustav | wallenstein)) == NOBODY
    put(pos, "Gustav Adolf", "1004")
    assert int(strength.defended_site(box, state, SWEDEN, gustav | wallenstein)) != NOBODY


def test_a_leader_that_has_marched_is_not_called_again():
    """12.4: the reason says so; and somebody else's leader is not one's own."""
    pos = game(leaders={"Gustav Adolf": "1005", "Banér": "1204"})
    while pos.state.phase != P.move:
        pos.play(pos.legal_ids()[-1])
    leader = int(pos.state.mover)
    assert why(pos, "lead Tilly") == ("This is not your leader.", "12.4")
    pos.state.moved |= 1 << leader
    other = leader ^ 1
    pos.state.mover = other
    name = pos.game.names["leader"][leader]
    assert why(pos, f"lead {name}") == ("This leader has moved already.", "12.4")


def test_why_a_leader_cannot_be_sent():
    """12.5: a leader off the board after a march, and one on the board while another returns; else there is no way."""
    reasons = {}
    for on_board in (False, True):
        for moved in (0, 2):
            for returning in (0, 1):
                pos = put(board(leaders={"Banér": "1204"}), "Gustav Adolf", "1005" if on_board else None)
                pos.state.moved, pos.state.is_returning = moved, returning
                found = int(march.why_not_out(pos.game.box, pos.state, 0))
                reasons[on_board, moved, returning] = found
    assert {key for key, name in reasons.items() if name == R.returning} == {
        (False, 2, 0),
        (True, 0, 1),
        (True, 2, 1),
    }
    assert set(reasons.values()) == {R.returning, R.no_way}


def test_a_siege_of_this_round_does_not_end_in_it():
    """9.2: a major city takes the tile with the present symbol, and falls when that symbol comes again."""
    pos = board(year=1632, leaders={"Gustav Adolf": "1005"}, cities={"Berlin": "major"})
    for _ in range(2):
        run(pos, "city")
        assert (city_at(pos, "Berlin")["besieger"], city_at(pos, "Berlin")["holder"]) == ("Sweden", None)
    berlin = pos.game.names["site"].index("Berlin")
    later = int(city.round_of_fall(pos.game.box, pos.state, int(pos.state.site[berlin].siege)))
    pos.state.round_no = later
    run(pos, "city")
    assert city_at(pos, "Berlin")["holder"] == "Sweden"


@pytest.mark.parametrize(("steps", "abroad"), [(3, 2), (3, 1), (3, 0), (2, 2), (2, 1), (2, 0), (1, 2), (1, 0)])
def test_a_march_is_as_long_as_the_box_says(steps, abroad):
    """12.1: so many areas over own tokens; from the first area without one on, so many more."""
    options = {"settings": (("rules.steps", steps), ("rules.steps_abroad", abroad))}
    bare = board(leaders={"Wallenstein": "0807"}, options=options)
    near = {code: codes(bare, bare.game.box.near[hex_of(code)]) for code in codes(bare, bare.game.box.plan[0].land)}
    away, reached = {"0807": 0}, ["0807"]
    for here in reached:
        for there in sorted((near[here] & set(near)) - set(away)):
            away[there] = away[here] + 1
            reached.append(there)
    assert max(away[code] for code in goals(bare, "Wallenstein")) == min(steps, 1 + abroad)
    own = board(leaders={"Wallenstein": "0807"}, tokens={"Austria": list(near)}, options=options)
    assert max(away[code] for code in goals(own, "Wallenstein")) == steps
