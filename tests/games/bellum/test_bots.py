"""What the bots know of Bellum: an attack with nothing is none, what the next turn brings, when to stay and what to hide."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

import sutler
from games.bellum.table import POWERS, board, city_at, game, rules_with, run, upright
from sutler.bots import bot
from sutler.contract.helpers import play
from sutler.core.events import new_event_buffer
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.games.bellum.bot import battle_commitments, evaluate, threats
from sutler.games.bellum.bot.evaluation_cache import NOTES
from sutler.games.bellum.bot.map_survey import (
    besiegeable_city_bits,
    compute_stands,
    next_city_round,
    survey_sites,
    union_of_hexes,
    unopposed_site_bits,
)
from sutler.games.bellum.bot.site_worth import compute_promises
from sutler.games.bellum.bot.undisturbed_forecast import forecast_turns
from sutler.games.bellum.box import S
from sutler.games.bellum.hexes import union
from sutler.games.bellum.phases_actions_events import P
from sutler.games.bellum.rules import city, feed, influence, supply
from sutler.games.bellum.rules.common import ATTACKING, DEFENDING

LEADERS = {"Gustav Adolf": "1005", "Tilly": "1006"}


def thought_about(pos, seed=0):
    """The actions that the greedy bot weighs."""
    return {action.name for action, *_ in sutler.bot("greedy").explain(pos.for_seat(pos.seat, seed))}


def test_who_attacks_commits_something():
    """8.1: an attacker that commits 0 cannot win; who always committed the same could be read, so it is drawn."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, 3), "Austria": (6, 5)})
    assert thought_about(pos) == {"attack Tilly", "end battles"}
    play(pos, "attack Tilly")
    drawn = [thought_about(pos, seed) for seed in range(30)]
    assert all(len(one) == 1 for one in drawn)
    assert {"commit 1", "commit 3"} <= set.union(*drawn) <= {"commit 1", "commit 2", "commit 3"}


@pytest.mark.parametrize(("strong", "weak"), [(3, 5), (5, 3), (7, 7), (2, 1), (9, 4)])
def test_little_is_gained_by_knowing_how_a_side_commits(strong, weak):
    """8.1: the best answer to either mixture brings its side hardly more than its own mixture does."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, strong), "Austria": (6, weak)})
    play(pos, "attack Tilly")
    state, box = pos.state, pos.game.box
    attacker, defender = (np.array(one) for one in battle_commitments.both_mixtures(box, state))
    assert attacker.sum() == pytest.approx(1)
    assert defender.sum() == pytest.approx(1)
    edge = battle_commitments.attackers_edge(box, state)
    attacks = np.array(battle_commitments.commitment_worths(state, edge, ATTACKING, tuple(defender)))[1 : strong + 1]
    answers = np.array(battle_commitments.commitment_worths(state, edge, DEFENDING, tuple(attacker)))[: weak + 1]
    assert attacks.max() - attacks @ attacker[1 : strong + 1] < 1.0
    assert answers.max() - answers @ defender[: weak + 1] < 1.0


def test_what_a_defender_commits_is_drawn():
    """8.1: both choose in secret; who always chose the same could be read. It does not hang on what the attacker has chosen."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, 3), "Austria": (6, 5)})
    play(pos, "attack Tilly")
    answers = []
    for force in (1, 3):
        after = pos.copy()
        play(after, f"commit {force}")
        answers.append([thought_about(after, seed) for seed in range(30)])
    assert answers[0] == answers[1]
    assert all(len(one) == 1 for one in answers[0])
    assert len(set.union(*answers[0])) > 1


def test_who_has_no_strength_attacks_nobody():
    """8.1: there is nothing to commit."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, 0)})
    assert thought_about(pos) == {"end battles"}


def test_no_token_is_tilted_for_nothing():
    """11.2: strength rises by 2 a turn at most; what is tilted beyond that feeds nobody, and rests when it is wanted."""
    land = ["1004", "1005", "1006", "1104", "0904", "0905", "0906", "0907", "1106"]
    pos = game(leaders={"Gustav Adolf": "1005"}, levels={"Sweden": (9, 3)}, tokens={"Sweden": land}, stage="feed")
    assert {"feed 3", "feed 6", "feed 9"} <= {action.name for action in pos.actions()}
    assert thought_about(pos) == {"feed 3", "feed 4", "feed 5"}


def test_standing_still_is_said_once():
    """12.4: of the last leader to move, by ending the turn; of the first, it is a move of its own."""
    pos = game(leaders={"Gustav Adolf": "1005", "Banér": "1004"}, stage="leader")
    assert {"move Gustav Adolf Altmark", "end turn"} <= thought_about(pos)
    play(pos, "move Gustav Adolf Altmark")
    assert "move Banér Prignitz" in {action.name for action in pos.actions()}
    assert "end turn" in thought_about(pos)
    assert "move Banér Prignitz" not in thought_about(pos)


def forecast(box, state, power):
    """A power's next two turns, without notes."""
    with run_rules_plainly():  # sets of hexes are no arguments from outside
        seen = survey_sites(box, state)
        return forecast_turns(
            box, state, power, seen, compute_stands(box, state), compute_promises(box, state, power, seen), None
        )


def next_turn(pos, power):
    """Supply and strength of a power after its next turn, if nobody moves before and it feeds all it may."""
    box, after = pos.game.box, pos.copy()
    after.state.round_no = next_city_round(box, pos.state, power)
    after.state.power, after.state.moved = power, 0
    for stage in ("city", "influence"):
        run(after, stage)
    buffer = new_event_buffer()
    after.state.stage, after.state.step, after.state.phase = S.feed, 0, P.moving
    feed.proceed_feed(box, after.state, buffer)
    if after.state.phase == P.feed:
        feed.do_feed(box, after.state, buffer, 0, feed.feeds_at_most(after.state, power))
    if after.state.stage == S.feed:
        feed.proceed_feed(box, after.state, buffer)
    me = after.state.powers[power]
    return int(me.supply), int(me.strength)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_next_turn_is_foreseen(seed):
    """9 to 11: cities, tokens, range, supply and feeding as the rules themselves have them, wherever random play leads."""
    pos, chooser = rules_with().new(seats=4, seed=seed), bot("random")
    seen = 0
    while not pos.over and len(pos.decisions) < 120:
        pos.play(chooser.choose(pos.for_seat(pos.seat)))
        if not pos.over and pos.state.phase == P.move and len(pos.decisions) % 9 == 0:
            for power in range(4):
                assert forecast(pos.game.box, pos.state, power)[:2] == next_turn(pos, power)
                seen += 1
    assert seen >= 12


@pytest.mark.parametrize("more", [{}, {"Dresden": "major"}, {"Dresden": "major", "Prag": "minor"}])
def test_who_besieges_stays(more):
    """9.2, 9.5: a siege that succeeds next turn is not walked away from, whatever stands near."""
    pos = game(
        year=1622,
        leaders={"Gustav Adolf": "1005", "Banér": "1004"},
        tokens={"Sweden": ["1004", "1005", "1104"]},
        cities={"Berlin": ("medium", None, None, "Sweden", "full", "1622"), **more},
        stage="leader",
    )
    while pos.state.power == 0:
        pos.play(bot("greedy").choose(pos.for_seat(0)))
    assert city_at(pos, "Berlin")["besieger"] == "Sweden"


def by_site(box, holds):
    """Sites as bits: those of which it holds."""
    return sum(1 << site for site in range(int(box.n_sites)) if holds(site))


def check_sites(box, state, power, seen):
    """What `survey_sites` has of a power, against the rules."""
    alone, to_take = unopposed_site_bits(power, seen), besiegeable_city_bits(power, seen)
    assert alone == by_site(box, lambda site: city.is_alone_at(box, state, power, site))
    assert to_take == by_site(box, lambda site: city.can_besiege(box, state, power, site))
    assert seen.held[power] == by_site(box, lambda site: state.site[site].holder == power)
    assert seen.besieged[power] == by_site(box, lambda site: state.site[site].besieger == power)
    sites, stands, foes = compute_promises(box, state, power, seen), compute_stands(box, state), seen.enemies[power]
    assert union(sites.beset, union_of_hexes(stands.reach, foes)) == influence.enemy_reach(box, state, power)
    assert union(sites.foreign, union_of_hexes(stands.tokens, foes)) == supply.held_by_enemies(box, state, power)
    assert sum(
        threats.are_leaders_adjacent(stands, power, other) << other for other in range(4) if other != power
    ) == sum((threats.find_leader_near(box, state, power, other) >= 0) << other for other in range(4) if other != power)
    return [alone != 0, to_take != 0, seen.besieged[power] != 0]


@pytest.mark.parametrize(("seats", "options"), [(4, {}), (3, {}), (4, {"alliance": True})])
def test_all_sites_at_once_are_what_each_is_by_the_rules(seats, options):
    """9.1, 10.1, 10.6, 12.2: what is found once for the whole map, against the rules site by site."""
    pos, chooser = rules_with(**options).new(seats=seats, seed=3), bot("random")
    box, met = pos.game.box, np.zeros(3, int)
    while not pos.over and len(pos.decisions) < 140:
        pos.play(chooser.choose(pos.for_seat(pos.seat)))
        if len(pos.decisions) % 5 == 0:
            with run_rules_plainly():
                seen = survey_sites(box, pos.state)
                for power in range(4):
                    met += check_sites(box, pos.state, power, seen)
    assert min(met) > 0


def ahead_of(power, **what):
    """What a power may expect of its next turn, its leaders having marched; Sweden's HQ is Stralsund."""
    pos = game(power=POWERS[power], stage="leader", **what)
    return forecast(pos.game.box, pos.state, power)


def test_supply_is_not_counted_on_where_a_neighbour_can_cut_it():
    """10.1, 10.5: from 1005 the HQ is in range over 1104, which a leader who comes from 1205 to 1204 takes."""
    home = {"year": 1622, "tokens": {"Sweden": ["1104"]}, "levels": {"Sweden": (4, 4)}}
    calm = ahead_of(0, leaders={"Gustav Adolf": "1005"}, **home)
    assert calm.supply == calm.firm > 0
    assert calm.strength == calm.fed
    cut = ahead_of(0, leaders={"Gustav Adolf": "1005", "Tilly": "1205"}, **home)
    assert cut.supply == calm.supply
    assert cut.firm == 0
    assert cut.fed < cut.strength


def test_what_replaces_a_tilted_token_does_not_feed():
    """10.2: what Sweden takes next turn and others have tilted is Sweden's then, but tilted, and rests first."""
    where = {"year": 1622, "leaders": {"Gustav Adolf": "1005"}, "levels": {"Sweden": (4, 2)}}
    pos = board(tokens={"Sweden": ["1104"]}, **where)
    run(pos, "influence")
    taken = sorted(upright(pos, "Sweden") - {"1104"})
    bare = ahead_of(0, tokens={"Sweden": ["1104"]}, **where)
    tilted = ahead_of(0, tokens={"Sweden": ["1104"]}, tilted={"Austria": taken}, **where)
    assert bare.strength == 4
    assert tilted.strength <= 1


@pytest.mark.parametrize(("symbol", "firm"), [("half", 0), ("full", 4)])
def test_a_city_about_to_fall_supplies_nothing_for_certain(symbol, firm):
    """9.2: Tilly's siege of Berlin succeeds in Austria's next city phase, or a round later."""
    berlin = ("medium", "Sweden", 6, "Austria", symbol, "1620")
    where = {"leaders": {"Gustav Adolf": "1104", "Tilly": "1005"}, "cities": {"Berlin": berlin}}
    to_come = ahead_of(0, year=1622, tokens={"Sweden": ["1104"]}, **where)
    assert (to_come.supply, to_come.firm) == (9, 5 + firm)


@pytest.mark.parametrize(("strength", "danger"), [(1, True), (5, True), (9, False)])
def test_who_is_stronger_next_door_is_feared(strength, danger):
    """8.3: Tilly with 6 stands next to Gustav Adolf and attacks where he can win; who has had his turn does not."""
    near = {"leaders": LEADERS, "levels": {"Sweden": (6, strength), "Austria": (6, 6)}}
    assert (ahead_of(0, **near).danger > 0.2) == danger
    assert ahead_of(0, leaders={**LEADERS, "Tilly": "1206"}, levels=near["levels"]).danger == 0


def test_the_judgement_before_can_still_be_played_against():
    """studies/opponents: without foresight of neighbours; a number of which the judgement knows nothing would be passed over."""
    foe = json.loads(
        (Path(__file__).parents[3] / "studies" / "opponents" / "bellum-before.json").read_text(encoding="utf-8")
    )
    for name in foe["numbers"]:
        assert isinstance(getattr(evaluate, name, None) or getattr(threats, name, None), float), name


@pytest.mark.parametrize(("seats", "options"), [(4, {}), (3, {}), (4, {"alliance": True})])
def test_what_is_noted_is_what_would_be_reckoned(seats, options):
    """Whatever positions follow one another, as bots look at them, the same notes change no value by a bit."""
    pos, chooser, luck = rules_with(**options).new(seats=seats, seed=3), bot("random"), random.Random(1)
    box, notes, kept = pos.game.box, NOTES.new(), 0
    home = pos.game.definition.home
    was, home.interpreted = home.interpreted, True
    try:
        while not pos.over:
            looked_at = pos.copy()
            looked_at.play(luck.choice(pos.legal_ids()))
            pos.play(chooser.choose(pos.for_seat(pos.seat)))
            for here in (looked_at, pos) if len(pos.decisions) % 3 == 0 else ():
                seat, before = luck.randrange(seats), notes.tobytes()
                assert evaluate.evaluate_noting(box, here.state, seat, notes) == evaluate.evaluate(
                    box, here.state, seat
                )
                kept += before == notes.tobytes()
    finally:
        home.interpreted = was
    assert kept > 0
