"""Contract tests of play: what must hold for every game after every decision, under any rules."""

import math

import numpy as np
import pytest

from sutler.contract.cases import EVERY_CASE, SMALLEST_TABLES, TABLE_SIZES, Case
from sutler.contract.helpers import walk
from sutler.core.bits import has, members
from sutler.core.files.gamefile import format_game_file
from sutler.core.files.replay import replay_from_text
from sutler.core.play.position import Position
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.simulate import play_games

STEPS = 120
MAX_RANDOM_DECISIONS = 250_000  # decisions; random games end long before


def has_chance_after_setup(case: Case) -> bool:
    """Is a random number drawn after the setup? Not in every game: in Bellum none is."""
    pos = case.new_position(seed=8)
    dealt = pos.state.rng.copy()
    return any(not np.array_equal(here.state.rng, dealt) for here in walk(pos, seed=8, most=STEPS))


def assert_sound(pos: Position) -> None:
    """Assert that the state passes the game's check, that derived counts are right, and that an open decision has legal actions."""
    game, d = pos.game, pos.game.definition
    fault = int(d.check(game.box, pos.state))
    assert fault == 0, d.FAULTS[fault]
    if not PLAIN_ONLY or len(pos.decisions) % 8 == 0:  # recounting takes long in plain Python
        counted = d.state.copy(pos.state)
        d.recount(game.box, counted)
        assert counted.tobytes() == pos.to_bytes(), d.state.list_changes(counted, pos.state)
    legal = pos.legal_ids()
    if pos.over:
        assert legal == []
        assert pos.seat is None
    else:
        assert pos.seat in range(pos.n_seats)
        assert len(legal) > 1 or (len(legal) == 1 and has(d.asked.ids, legal[0])), "a forced choice was left open"
        if d.two_of is not None:
            assert_tried_actions_are_legal(pos)
    assert len(pos.scores()) == pos.n_seats
    assert all(math.isfinite(score) for score in pos.scores())


def assert_tried_actions_are_legal(pos: Position) -> None:
    """Assert that the actions that the game's `two_of` gives are legal, and that it gives none in the middle of a move."""
    game, d = pos.game, pos.game.definition
    seen = d.actions.ids_record.new()
    if d.two_of(game.box, pos.state, seen):
        assert len(members(seen.ids)) > 1
        assert not d.is_midway(game.box, pos.state)
    assert set(members(seen.ids)) <= set(pos.legal_ids())


def assert_bytes_round_trip(pos: Position) -> None:
    """Assert that a position made from a position's bytes has the same bytes and legal actions."""
    back = pos.game.from_bytes(pos.to_bytes())
    assert back.to_bytes() == pos.to_bytes()
    assert back.legal_ids() == pos.legal_ids()


@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_every_step_is_sound(case: Case) -> None:
    """After every decision of a random game the position is sound.

    Its game file replays, in plain Python, to the same bytes, legal actions and events after every decision.
    """
    pos = case.new_position()
    pos.names = [f"Name {i} \u00e4\u2192" for i in range(case.seats)]
    for here in walk(pos, seed=case.seats, most=STEPS // 3 if PLAIN_ONLY and case.options else STEPS):
        assert_sound(here)
        if len(here.decisions) % 20 == 0:
            assert_bytes_round_trip(here)
    home = pos.game.definition.home
    home.interpreted = True
    try:
        back = replay_from_text(format_game_file(pos.build_game_file()))
    finally:
        home.interpreted = PLAIN_ONLY
    for n, (again, first) in enumerate(zip(back.decisions, pos.decisions, strict=True), 1):
        assert again == first, f"decision {n}"
    assert back.to_bytes() == pos.to_bytes()
    assert back.log(0) == pos.log(0)
    assert back.game.changed_options() == pos.game.changed_options()


@pytest.mark.parametrize("case", TABLE_SIZES, ids=str)
def test_one_seed_is_one_game(case: Case) -> None:
    """Equal seeds and equal decisions give equal states; another seed gives another game."""
    first = [pos.to_bytes() for pos in walk(case.new_position(seed=11), seed=1, most=60)]
    again = [pos.to_bytes() for pos in walk(case.new_position(seed=11), seed=1, most=60)]
    other = [pos.to_bytes() for pos in walk(case.new_position(seed=12), seed=1, most=60)]
    assert first == again
    assert first[0] != other[0]


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_a_copy_shares_nothing(case: Case) -> None:
    """Playing on in a copy leaves the original unchanged, and the reverse."""
    pos = case.new_position()
    for _ in walk(pos, most=25):
        pass
    before, log, legal = pos.to_bytes(), pos.log(0), pos.legal_ids()
    twin = pos.copy()
    assert twin.to_bytes() == before
    for _ in walk(twin, seed=3, most=25):
        pass
    assert (pos.to_bytes(), pos.log(0), pos.legal_ids()) == (before, log, legal)
    assert twin.to_bytes() != before
    kept = twin.to_bytes()
    pos.play(legal[0])
    assert twin.to_bytes() == kept


@pytest.mark.parametrize("case", TABLE_SIZES if not PLAIN_ONLY else SMALLEST_TABLES, ids=str)
def test_random_games_end(case: Case) -> None:
    """Random games end, their places are a ranking, and a seat with more points never has a worse place."""
    game = case.load()
    rows, states = play_games(
        game, ["random"] * case.seats, seed=0, games=1 if PLAIN_ONLY else 5, max_decisions=MAX_RANDOM_DECISIONS
    )
    for row, state in zip(rows, states, strict=True):
        assert row["finished"], f"still going after {row['decisions']} decisions"
        pos = game.from_bytes(state.tobytes())
        assert pos.over
        assert int(game.definition.check(game.box, state)) == 0
        places, scores = pos.places(), pos.scores()
        if game.definition.COOPERATIVE:
            assert places in ([1] * case.seats, [case.seats] * case.seats), "some win and some do not"
        else:
            assert places == [1 + sum(other < place for other in places) for place in places], (
                "places are not a ranking"
            )
            assert min(places) == 1
        for a in range(case.seats):
            assert math.isfinite(scores[a])
            assert math.isclose(sum(line.points for line in pos.breakdown(a)), scores[a]), "the parts do not add up"
            for b in range(case.seats):
                assert not (scores[a] > scores[b] and places[a] > places[b]), "more points, a worse place"


@pytest.mark.compiled
@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_the_end_is_told(case: Case) -> None:
    """An event marked as an ending follows the last decision and no other one, since the lab counts endings by these events."""
    pos = case.new_position(seed=3)
    for _ in walk(pos, seed=3, most=MAX_RANDOM_DECISIONS):
        pass
    assert pos.over
    assert {at for at, told in pos.told() if told.event.ending} == {len(pos.decisions)}


@pytest.mark.parametrize("case", TABLE_SIZES if not PLAIN_ONLY else SMALLEST_TABLES, ids=str)
def test_undo_restores_every_byte(case: Case) -> None:
    """A decision that may be taken back drew no random number, and taking it back restores every byte and choice."""
    pos = case.new_position()
    taken_back = drawn = 0
    for _ in range(STEPS):
        if pos.over:
            break
        before, legal, seat, rng = pos.to_bytes(), pos.legal_ids(), pos.seat, pos.state.rng.copy()
        action = legal[len(pos.decisions) * 7 % len(legal)]
        pos.play(action)
        after = pos.to_bytes()
        if not np.array_equal(rng, pos.state.rng):
            drawn += 1
            assert not pos.can_undo(seat)
            assert not pos.can_undo()
        others = [other for other in range(case.seats) if other != seat]
        assert not any(pos.can_undo(other) for other in others), "one seat takes back another's decision"
        if pos.can_undo(seat):
            taken_back += 1
            pos.undo()
            assert (pos.to_bytes(), pos.legal_ids(), pos.seat) == (before, legal, seat)
            pos.play(action)
            assert pos.to_bytes() == after
    assert taken_back > 0
    assert drawn > 0 or not has_chance_after_setup(case)
    for _ in range(len(pos.decisions)):
        pos.undo()
    assert pos.to_bytes() == case.new_position().to_bytes()
    assert not pos.can_undo()
    with pytest.raises(ValueError, match="nothing to take back"):
        pos.undo()


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_earlier_positions_can_be_visited(case: Case) -> None:
    """`at(n)` gives the position after n decisions, and leaves the present position unchanged."""
    pos = case.new_position()
    past = [(here.to_bytes(), here.legal_ids()) for here in walk(pos, seed=6, most=30)]
    for n, (data, legal) in enumerate(past):
        then = pos.at(n)
        assert (then.to_bytes(), then.legal_ids(), len(then.decisions)) == (data, legal, n)
    assert pos.to_bytes() == past[-1][0]
    with pytest.raises(IndexError):
        pos.at(len(past))


@pytest.mark.skipif(PLAIN_ONLY, reason="nothing is compiled")
@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_compiled_and_plain_games_are_equal(case: Case) -> None:
    """Whole games by the loop of simulations end alike compiled and in plain Python: results, last state and evaluations."""
    ends = []
    game = case.load()
    home = game.definition.home
    for interpreted in (False, True):
        home.interpreted = interpreted
        try:
            rows, states = play_games(game, ["random"] * case.seats, seed=3, max_decisions=MAX_RANDOM_DECISIONS)
            values = [float(game.definition.evaluate(game.box, states[0], seat)) for seat in range(case.seats)]
            ends.append((rows.tobytes(), states.tobytes(), values))
        finally:
            home.interpreted = False
    assert ends[0] == ends[1]
