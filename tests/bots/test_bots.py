"""Every bot in every game: legal, the same for the same seed, blind to what its seat cannot know, honest in its errors."""

from __future__ import annotations

import itertools
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sutler
from sutler.bots import LEVELS, bot, list_bot_names
from sutler.bots.kit import get_kit
from sutler.bots.kit.policy_network import PolicyWeights, find_shipped_policy_file
from sutler.bots.kit.win_probability import load_corrections
from sutler.bots.search import USUAL_SETTINGS, SearchBot
from sutler.core.chance import new_luck
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.play.position import Position
from sutler.core.rule import PLAIN_ONLY

STEPS = 12 if PLAIN_ONLY else 150
QUICK: dict[str, dict[str, Any]] = {"search": {"rounds": 8, "horizon": 3}, "hard": {"rounds": 8, "horizon": 3}}
compiled = pytest.mark.compiled


def quick(name: str) -> Any:
    """A bot, with little to think about."""
    return bot(name, **QUICK.get(name, {}))


def tables() -> list[tuple[str, int]]:
    """Every game with its fewest and its most seats."""
    found = []
    for name in sutler.games():
        game = sutler.load(name)
        found += [(name, seats) for seats in sorted({game.min_seats, game.max_seats})]
    return found


def course(pos: Position, one: Any, most: int) -> list[str]:
    """The actions of a game in which the bot takes every seat."""
    taken: list[str] = []
    while not pos.over and len(taken) < most:
        assert pos.seat is not None
        action = one.choose(pos.for_seat(pos.seat, seed=3))
        assert action.id in pos.legal_ids(), f"{one.name} chose {action}, which is not legal"
        pos.play(action)
        taken.append(action.name)
    return taken


@pytest.mark.parametrize(("game", "seats"), tables())
@pytest.mark.parametrize("name", ["random", "greedy", "search", "easy"])
def test_a_bot_plays_legal_actions_and_the_same_again(game: str, seats: int, name: str) -> None:
    """Whatever is on offer, trades and compound moves included; one seed gives one game."""
    rules = sutler.load(game)
    steps = STEPS if name != "search" else max(8, STEPS // 3)
    first = course(rules.new(seats, seed=5), quick(name), steps)
    again = course(rules.new(seats, seed=5), quick(name), steps)
    assert first == again
    assert first


@pytest.mark.parametrize(("game", "seats"), tables())
@pytest.mark.parametrize("name", ["greedy", "search"])
def test_a_bot_sees_nothing_its_seat_cannot_know(game: str, seats: int, name: str) -> None:
    """Two worlds that differ only in what the seat cannot know, chance included, give the same view: and the same choice."""
    rules, one = sutler.load(game), quick(name)
    pos = rules.new(seats, seed=11)
    luck, compared = np.random.default_rng(2), 0
    for step in range(STEPS // 4):
        if pos.over:
            break
        seat = pos.seat
        assert seat is not None
        if pos.for_seat(seat).legal and step % 3 == 0:
            twin = pos.copy()
            rules.definition.redeal(rules.box, twin.state, seat, new_luck(step))
            twin.state.rng[:] = luck.integers(1, 2**32, 4)
            if twin.to_bytes() != pos.to_bytes():
                here, there = pos.for_seat(seat, seed=4), twin.for_seat(seat, seed=4)
                if here.redeal().tobytes() == there.redeal().tobytes():
                    here, there = pos.for_seat(seat, seed=4), twin.for_seat(seat, seed=4)
                    assert one.choose(here).id == one.choose(there).id
                    compared += 1
        pos.play(int(luck.choice(pos.legal_ids())))
    if game == "manor":
        assert compared > 0


@pytest.mark.parametrize("name", ["greedy", "search"])
def test_a_bot_cannot_foresee_the_dice(name: str) -> None:
    """In manor all that is hidden is chance: with another generator in the true state, every choice stays the same."""
    pos, one, luck = sutler.load("manor").new(3, seed=8), quick(name), np.random.default_rng(3)
    for _ in range(STEPS // 3):
        twin = pos.copy()
        twin.state.rng[:] = luck.integers(1, 2**32, 4)
        assert one.choose(pos.for_seat(pos.seat, seed=1)) == one.choose(twin.for_seat(pos.seat, seed=1))
        pos.play(int(luck.choice(pos.legal_ids())))


@pytest.mark.parametrize("name", ["random", "greedy", "search", *LEVELS])
def test_explain_speaks_of_legal_actions_best_first(name: str) -> None:
    """The table's hint: actions, estimates, and for a search how often each was tried."""
    pos = sutler.load("manor").new(3, seed=4)
    for action in ("done", "done"):
        pos.play(action)
    rows = quick(name).explain(pos.for_seat(pos.seat))
    assert rows
    assert {action.id for action, _, _ in rows} <= set(pos.legal_ids())
    if name in ("search", "hard") and not PLAIN_ONLY:  # what was never tried comes last
        tried = [tried > 0 for _, _, tried in rows]
        assert tried == sorted(tried, reverse=True)
    else:
        assert [value for _, value, _ in rows] == sorted((value for _, value, _ in rows), reverse=True)


@compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="plain Python does not search")
@pytest.mark.parametrize("candidates", [0, 8])
def test_search_counts_its_rounds_and_threads_add_up(candidates: int) -> None:
    """Visits are the rounds asked for, or fewer where they settle it; two threads with fixed rounds give the same table every time."""
    pos, how = sutler.load("manor").new(3, seed=4), {"rounds": 60, "candidates": candidates}
    one = bot("search", **how).explain(pos.for_seat(pos.seat))
    two = bot("search", threads=2, **how)
    rows = two.explain(pos.for_seat(pos.seat))
    for told in (one, rows):
        tried = sum(tried for _, _, tried in told)
        assert tried == 60 if candidates == 0 else 8 < tried <= 60
        assert all(-0.1 <= value <= 1.1 for _, value, _ in told)
    assert rows == two.explain(pos.for_seat(pos.seat))
    assert bot("hard", **how).explain(pos.for_seat(pos.seat)) == one  # whatever cores there are


@compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="plain Python does not search")
@pytest.mark.parametrize("candidates", [0, 8])
def test_a_search_stops_once_nothing_is_left_to_decide(monkeypatch: pytest.MonkeyPatch, candidates: int) -> None:
    """It chooses what all its rounds would have chosen, and what the table is told comes first.

    Its rounds are compiled with the game; what asks after each whether to stop would be compiled for this test alone.
    """
    from sutler.bots.search import _Tree, rank_actions

    game, one = sutler.load("manor"), bot("search", rounds=40, candidates=candidates)
    search = get_kit(game).search
    for name in ("keep_sensible", "is_choice_settled", "find_most_visited_child", "find_most_promising"):
        monkeypatch.setattr(search, name, run_rules_plainly()(getattr(search, name)))
    pos, tried = game.new(3, seed=6), []
    for _ in range(60):
        sees = pos.for_seat(pos.seat, seed=2)
        if len(sees.legal) > 1:
            whole, stops = (_Tree(get_kit(game), one, pos.for_seat(pos.seat, seed=2), 0, 40) for _ in range(2))
            whole.search_rounds(40)
            chosen = search.search_choice.plain(game.box, stops.scratch, stops.bot, stops.luck)
            if (rows := rank_actions(sees, [whole.scratch], whole.bot))[0][2]:
                assert chosen == rows[0][0].id
                tried.append(int(stops.scratch.search.tree["visits"][0]))
        pos.play(bot("greedy").choose(sees))
    assert min(tried) < 30
    assert max(tried) <= 40


@compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="plain Python does not search")
def test_a_search_is_the_same_compiled_and_plain() -> None:
    """To the last bit of every node: redeals, courses, what they are paid, and how the rounds are shared out."""
    from sutler.bots.search import _Tree

    game = sutler.load("warfarm")
    pos = game.new(3, seed=2)
    one, compared = bot("search", rounds=12, horizon=4, candidates=4), 0
    while compared < 2:  # decisions with more than one sensible action
        trees = [_Tree(get_kit(game), one, pos.for_seat(pos.seat, seed=2), 0, 12) for _ in range(2)]
        trees[0].search_rounds(12)
        if trees[0].rounds > 4:
            with run_rules_plainly():
                trees[1].search_rounds(12)
            assert trees[0].scratch.search.tree.tobytes() == trees[1].scratch.search.tree.tobytes()
            compared += 1
        pos.play(bot("greedy").choose(pos.for_seat(pos.seat, seed=2)))


@compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="plain Python does not search")
def test_a_search_by_the_policy_is_the_same_compiled_and_plain() -> None:
    """Every node has the same action and visits, and payoffs as near as numbers of 32 bits added in another order are."""
    from sutler.bots.search import _Tree

    game = sutler.load("warfarm")
    pos, one, compared = game.new(3, seed=2), bot("policy", rounds=8), 0
    while compared < 2:  # decisions with more than one sensible action
        trees = [_Tree(get_kit(game), one, pos.for_seat(pos.seat, seed=2), 0, 8) for _ in range(2)]
        trees[0].search_rounds(8)
        if trees[0].rounds > 4:
            with run_rules_plainly():
                trees[1].search_rounds(8)
            here, there = (tree.scratch.search.tree for tree in trees)
            assert all((here[name] == there[name]).all() for name in ("action", "seat", "visits", "possible"))
            assert here["total"] == pytest.approx(there["total"], abs=1e-3)
            compared += 1
        pos.play(bot("greedy").choose(pos.for_seat(pos.seat, seed=2)))


@compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="plain Python does not search")
def test_at_a_table_of_other_seats_a_searching_policy_is_the_search(tmp_path: Path) -> None:
    """Its decisions and what a hint is told are those of the search of as many rounds, in games played in compiled code too."""
    game, four = sutler.load("manor"), tmp_path / "four.npz"
    learned = PolicyWeights.read(find_shipped_policy_file(game.definition), game)
    four.write_bytes(replace(learned, seats=(4,)).file(game))
    pos, both = game.new(3, seed=4), (bot("policy", rounds=12, weights=str(four)), bot("search", rounds=12))
    for _ in range(12):
        rows = [one.explain(pos.for_seat(pos.seat, seed=5)) for one in both]
        assert rows[0] == rows[1]
        pos.play(rows[0][0][0])
    played = [sutler.simulate(game, [one], games=1, seed=3, seats=3) for one in both]
    names = [f"bot_{seat}" for seat in range(3)]
    assert played[0].drop(names).equals(played[1].drop(names))


def tried_as(rows: list[tuple[int, float, float]], **more: Any) -> tuple[int, int]:
    """The actions that a search chooses by promise and by visits, where its root has these (visits, mean payoff, prior)."""
    search = get_kit(sutler.load("manor")).search
    work, row = (
        get_kit(sutler.load("manor")).create_scratch(tells=False).search,
        bot("search", **more).packed(sutler.load("manor")),
    )
    with run_rules_plainly():
        search.reset_tree(work)
        for action, (visits, mean, prior) in enumerate(rows):
            at = search.add_node(work, action, 0, int(work.tree[0].child))
            work.tree[0].child = at
            one = work.tree[at]
            one.visits, one.total, one.prior = visits, visits * mean, prior
            work.tree[0].visits += visits
            work.tree[0].total += one.total
            work.squares += visits * (mean**2 + 0.01)
        best, most = search.find_most_promising(work, row, 1), search.find_most_visited_child(work.tree)
        return int(work.tree[best].action), int(work.tree[most].action)


def test_a_search_takes_what_promises_most_and_not_what_it_tried_most() -> None:
    """Fifteen rounds that brought 0.13 are no better than nine that brought 0.285; a single lucky round, or a faint one, is nothing yet."""
    assert tried_as([(15, 0.13, 0.3), (9, 0.285, 0.2)]) == (1, 0)
    assert tried_as([(15, 0.25, 0.5), (1, 0.4, 0.01)]) == (0, 0)
    assert tried_as([(15, 0.25, 0.3), (15, 0.25, 0.2)]) == (0, 0)  # a prior decides between equals
    assert tried_as([(2000, 0.25, 0.9), (2000, 0.27, 0.05)], error=0.0)[0] == 1  # and wears off


def test_a_sweep_tries_its_rivals_on_one_redeal_and_ever_fewer_share_the_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Eight actions of the root, each once a sweep with the same luck; after a third of the rounds four, after two thirds two."""
    from sutler.bots.search import _Tree, list_root_children

    game = sutler.load("manor")
    pos = game.new(3, seed=4)
    with run_rules_plainly():
        for _ in range(40):
            view = pos.for_seat(pos.seat, seed=2)
            tree = _Tree(get_kit(game), bot("search", rounds=60, horizon=0, clear=1000.0), view, 0, 60)
            tree.search_rounds(1)
            if len(list_root_children(tree.scratch)) >= 8:
                break
            pos.play(bot("greedy").choose(view))
        search, met = get_kit(game).search, list[tuple[int, ...]]()
        imagine = search.imagine

        def noted(box: Any, world: Any, source: Any, seat: int, luck: Any) -> None:
            met.append(tuple(int(one) for one in luck.rng))
            imagine(box, world, source, seat, luck)

        monkeypatch.setattr(search, "imagine", noted)
        search.reset_tree(tree.scratch.search)
        tree.search_rounds(60)
    assert tree.rounds == len(met) == 60
    sweeps = [sum(1 for _ in sweep) for _, sweep in itertools.groupby(met)]
    assert sweeps[:-1] == [8] * 3 + [4] * 4 + [2] * (len(sweeps) - 8)
    assert len(set(met)) == len(sweeps)


def paid(game: str, seats: int, lead: float, **more: Any) -> float:
    """The first seat's payoff where a game is cut after its first decisions with this lead, in parts of SCALE, over each other seat."""
    pos = sutler.load(game).new(seats, seed=3)
    kit, row = get_kit(pos.game), bot("search", **more).packed(pos.game)
    search, scratch = kit.search, kit.create_scratch(tells=False)

    def judge_course(box: Any, state: Any, seat: int, notes: Any) -> float:
        return lead * pos.game.definition.SCALE if seat == 0 else 0.0

    before = search.judge_course
    try:
        search.judge_course = judge_course
        with run_rules_plainly():
            search.write_cut_payoffs(pos.game.box, pos.state, scratch, row)
    finally:
        search.judge_course = before
    return float(scratch.search.payoff[0])


def test_a_lead_is_paid_by_the_chance_it_is() -> None:
    """Where leads as they are come to the same, chances still tell which of two moves wins more often."""
    assert paid("manor", 4, 8.0, chances=0) - paid("manor", 4, 6.0, chances=0) < 0.01
    assert paid("manor", 4, 8.0) - paid("manor", 4, 6.0) > 0.05
    assert paid("manor", 4, 0.0, chances=2) == pytest.approx(0.25)
    assert paid("manor", 4, 0.0) != pytest.approx(0.25, abs=0.003)  # it is worth something to be the seat that decides
    assert paid("threeyears", 4, 2.0) == paid(
        "threeyears", 4, 2.0, chances=0
    )  # its `judge_course` speaks of chances itself


@pytest.mark.parametrize("game", sutler.games())
def test_the_curves_of_a_search_are_those_people_are_shown(game: str) -> None:
    """At the knots of `chances.toml` and between them; a number of seats that was not measured has those of the nearest."""
    definition = sutler.load(game).definition
    kit, known = get_kit(definition), load_corrections(definition)
    on_curve = kit.search.interpolate_curve.plain
    assert known is not None
    for row in known.rows:
        if definition.COOPERATIVE or definition.judge_course:
            assert (kit.curves[row.seats, 1:] == [[1.0] * 5, [0.0] * 5]).all()
            continue
        for time in (-1.0, *row.at, 2.5, 99.0):
            assert on_curve(kit.curves, row.seats, 1, time) == pytest.approx(np.interp(time, row.at, row.sure))
            assert on_curve(kit.curves, row.seats, 2, time) == pytest.approx(np.interp(time, row.at, row.turn))
    if game == "warfarm":
        assert (kit.curves[2] == kit.curves[3]).all()


@compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="plain Python does not search")
def test_partners_measure_from_where_they_stand() -> None:
    """A campaign under way is worth so much that, measured from nothing, every choice came close to 1 and looked like the others."""
    pos, greedy = sutler.load("sixwinters").new(2, seed=7), bot("greedy")
    for _ in range(120):
        pos.play(greedy.choose(pos.for_seat(pos.seat)))
    values: list[float] = []
    while len(values) < 2:  # where bots see more than one choice worth a thought
        seen = pos.for_seat(pos.seat)
        values = [value for _, value, tried in bot("search", rounds=60, horizon=6).explain(seen) if tried]
        pos.play(greedy.choose(seen))
    assert 0.1 < min(values) < max(values) < 0.9


@compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="plain Python does not search")
def test_search_keeps_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the clock it ends in time: here a clock that goes on by a hundredth of a second at each look."""
    from sutler.bots import search

    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        return looks / 100

    pos = sutler.load("manor").new(3, seed=4)
    one = bot("hard", budget=0.2, threads=1)
    monkeypatch.setattr(search.time, "perf_counter", clock)
    assert one.choose(pos.for_seat(pos.seat)) in pos.actions()
    assert 4 < looks <= 26  # twenty hundredths, and the slice that was begun before


def test_searches_share_the_cores() -> None:
    """One search has them all, two share them evenly; none is without, however many there are."""
    from sutler.bots.search import _Shares

    shares = _Shares(3)
    shares.register_search(7)
    assert shares.count_trees_for(7) == 3
    shares.register_search(8)
    assert [shares.count_trees_for(7), shares.count_trees_for(8)] == [2, 1]
    for search in range(9, 12):
        shares.register_search(search)
    assert [shares.count_trees_for(search) for search in range(7, 12)] == [1] * 5
    shares.remove_search(7)
    assert shares.count_trees_for(7) == 1  # it is at its end
    for search in range(8, 11):
        shares.remove_search(search)
    assert shares.count_trees_for(11) == 3


def test_a_further_tree_works_only_while_a_core_is_left_for_it() -> None:
    """It goes on slice by slice while the share reaches to it, waits while it does not, and ends with the search."""
    from sutler.bots.search import _search_helper_tree, _Shares

    shares, done, went = _Shares(2), threading.Event(), list[str]()
    shares.register_search(1)

    class Tree:
        def search_slice(self) -> None:
            went.append("on")
            shares.register_search(2)  # somebody else begins

    class Done(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            went.append("waits")
            if len(went) == 4:
                done.set()
            else:
                shares.remove_search(2)
            return done.is_set()

        def is_set(self) -> bool:
            return done.is_set()

    _search_helper_tree(Tree(), 1, shares, 1, Done())  # type: ignore[arg-type]
    assert went == ["on", "waits", "on", "waits"]


def test_a_game_says_how_it_is_searched_and_whoever_asks_otherwise_is_heard() -> None:
    """WARFARM's leads are small beside what comes: there a short search trusts the greedy values more, and is less sure of a lead."""
    game, other = sutler.load("warfarm"), sutler.load("manor")
    wanted, scale = game.definition.SHORT_SEARCH, game.definition.SCALE
    assert wanted
    one = SearchBot(rounds=40).packed(game)
    assert (one.rounds, one.horizon) == (40, USUAL_SETTINGS["horizon"])
    assert one.warmth == pytest.approx(wanted["warmth"] * scale)
    assert one.own[0] == pytest.approx(wanted["calm"] * scale)
    told = SearchBot(rounds=40, warmth=0.5, calm=2.0).packed(game)
    assert (told.warmth, told.own[0]) == pytest.approx((0.5 * scale, 2.0 * scale))
    for rounds, where in ((40, other), (1000, game), (0, game)):  # a long search knows better
        plain, unit = SearchBot(rounds=rounds).packed(where), where.definition.SCALE
        assert (plain.warmth, plain.own[0]) == pytest.approx((USUAL_SETTINGS["warmth"] * unit, unit))


def test_what_a_game_wants_of_all_its_searches_holds_for_long_ones_too() -> None:
    """Three Years of War has its courses go on to where a season begins; whoever names a horizon is heard."""
    game = sutler.load("threeyears")
    for rounds in (0, 40, 1000):
        row = SearchBot(rounds=rounds).packed(game)
        assert {name: row[name] for name in ("horizon", "wander", "curiosity")} == {
            "horizon": 0,
            "wander": 0.0,
            "curiosity": 0.3,
        }
    for name in (
        "bellum",
        "warfarm",
    ):  # they search by visits, unless somebody asks for candidates, be it the usual number
        game_of_visits = sutler.load(name)
        row, told = (
            SearchBot(rounds=40).packed(game_of_visits),
            SearchBot(rounds=40, candidates=8).packed(game_of_visits),
        )
        assert (row.candidates, row.chances, row.curiosity, told.candidates) == (0, 0, 1.0, 8)
    assert (
        SearchBot(rounds=1000, horizon=USUAL_SETTINGS["horizon"]).packed(game).horizon == USUAL_SETTINGS["horizon"] != 0
    )


def test_errors_are_in_words() -> None:
    """An unknown bot, an unknown setting, a senseless value."""
    with pytest.raises(
        ValueError,
        match="there is no bot 'clever'; there are greedy, judge, policy, random, search, easy",
    ):
        bot("clever")
    with pytest.raises(ValueError, match="greedy has no setting 'budget'; it has redeals"):
        bot("greedy", budget=1)
    with pytest.raises(ValueError, match="random has no setting 'x'; it has none"):
        bot("random", x=1)
    with pytest.raises(ValueError, match="blunders a share"):
        bot("greedy", blunders=2)
    with pytest.raises(ValueError, match="redeals and nodes"):
        bot("greedy", redeals=0)
    with pytest.raises(ValueError, match="warmth, calm and differ are more than 0"):
        bot("search", calm=0)
    with pytest.raises(ValueError, match="a budget in seconds or a number of rounds"):
        bot("search", budget=0)
    pos = sutler.load("manor").new(3, seed=4)
    assert pos.seat is not None
    for name in ("greedy", "search"):
        with pytest.raises(ValueError, match="has nothing to decide now"):
            bot(name).choose(pos.for_seat((pos.seat + 1) % 3))
    assert set(list_bot_names()) == {
        "random",
        "greedy",
        "judge",
        "policy",
        "search",
        "easy",
        "normal",
        "hard",
    }
