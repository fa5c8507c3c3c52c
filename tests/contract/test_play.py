"""The contract, played: what must hold for every game after every decision, whatever its rules are."""

import math

import numpy as np
import pytest

from sutler.core.bits import has
from sutler.core.chance import new_luck
from sutler.core.events import new_buffer
from sutler.core.gamefile import dumps
from sutler.core.replay import loads
from sutler.core.rule import PLAIN_ONLY

from contract.cases import EVERY, SMALLEST, TABLE_SIZES, Case
from helpers import walk

STEPS = 120
ENOUGH = 250_000  # decisions; random games end long before
NO_CHANCE = {"bellum"}
"""Games that draw by lot only while the table is set."""


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_every_step_is_sound(case: Case) -> None:
    """What is offered applies, nothing is lost, what is counted for speed is counted rightly."""
    pos = case.new()
    d = pos.game.definition
    for here in walk(pos, seed=case.seats, most=STEPS):
        fault = int(d.check(here.game.box, here.state))
        assert fault == 0, d.FAULTS[fault]
        if not PLAIN_ONLY or len(here.decisions) % 8 == 0:  # counting anew takes long in plain Python
            counted = d.state.copy(here.state)
            d.recount(here.game.box, counted)
            assert counted.tobytes() == here.to_bytes(), d.state.diff(counted, here.state)
        legal = here.legal_ids()
        if here.over:
            assert legal == []
            assert here.seat is None
        else:
            assert here.seat in range(case.seats)
            assert len(legal) > 1 or (len(legal) == 1 and has(d.asked.ids, legal[0])), "a forced choice was left open"
        assert len(here.scores()) == case.seats
        assert all(math.isfinite(score) for score in here.scores())


@pytest.mark.parametrize("case", TABLE_SIZES, ids=str)
def test_one_seed_is_one_game(case: Case) -> None:
    """The same seed and the same decisions give the same states; another seed another game."""
    first = [pos.to_bytes() for pos in walk(case.new(seed=11), seed=1, most=60)]
    again = [pos.to_bytes() for pos in walk(case.new(seed=11), seed=1, most=60)]
    other = [pos.to_bytes() for pos in walk(case.new(seed=12), seed=1, most=60)]
    assert first == again
    assert first[0] != other[0]


@pytest.mark.parametrize("case", SMALLEST, ids=str)
def test_a_copy_shares_nothing(case: Case) -> None:
    """Playing on in a copy leaves the original as it was, and the other way round."""
    pos = case.new()
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


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_bytes_are_the_position(case: Case) -> None:
    """`from_bytes(to_bytes())` is the same position with the same choices."""
    pos = case.new()
    for here in walk(pos, seed=2, most=STEPS):
        if len(here.decisions) % 20 == 0:
            back = pos.game.from_bytes(here.to_bytes())
            assert back.to_bytes() == here.to_bytes()
            assert back.legal_ids() == here.legal_ids()


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_a_game_file_is_the_game(case: Case) -> None:
    """A game file plays again to the byte, with the same log."""
    pos = case.new()
    pos.names = [f"Name {i} \u00e4\u2192" for i in range(case.seats)]
    for _ in walk(pos, seed=4, most=50):
        pass
    back = loads(dumps(pos))
    assert back.to_bytes() == pos.to_bytes()
    assert back.log(0) == pos.log(0)
    assert back.game.changed_options() == pos.game.changed_options()
    assert [d.action for d in back.decisions] == [d.action for d in pos.decisions]


@pytest.mark.parametrize("case", TABLE_SIZES if not PLAIN_ONLY else SMALLEST, ids=str)
def test_random_games_end(case: Case) -> None:
    """Nobody can keep a game going for ever by playing at random."""
    for seed in range(1 if PLAIN_ONLY else 5):
        pos = case.new(seed)
        d = pos.game.definition
        events, luck = new_buffer(on=False), new_luck(seed, 5)
        n = int(d.engine.play_out(pos.game.box, pos.state, events, pos._out, d.asked, luck, ENOUGH))
        assert pos.over, f"still going after {n} decisions"
        assert int(d.check(pos.game.box, pos.state)) == 0
        places, scores = pos.places(), pos.scores()
        assert places == [1 + sum(other < place for other in places) for place in places], "places are not a ranking"
        assert min(places) == 1
        for a in range(case.seats):
            assert math.isfinite(scores[a])
            assert math.isclose(sum(line.points for line in pos.breakdown(a)), scores[a]), "the parts do not add up"
            for b in range(case.seats):
                assert not (scores[a] > scores[b] and places[a] > places[b]), "more points, a worse place"


@pytest.mark.compiled
@pytest.mark.parametrize("case", SMALLEST, ids=str)
def test_the_end_is_told(case: Case) -> None:
    """What a game marks as an ending comes with its last decision and never before: the lab counts how games end by it."""
    pos = case.new(seed=3)
    for _ in walk(pos, seed=3, most=ENOUGH):
        pass
    assert pos.over
    assert {at for at, told in pos.told() if told.event.ending} == {len(pos.decisions)}


@pytest.mark.parametrize("case", TABLE_SIZES if not PLAIN_ONLY else SMALLEST, ids=str)
def test_undo_by_proof(case: Case) -> None:
    """What may be taken back drew no random number, and taking it back restores every byte and choice."""
    pos = case.new()
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
    assert (drawn > 0) == (case.game not in NO_CHANCE)
    for _ in range(len(pos.decisions)):
        pos.undo()
    assert pos.to_bytes() == case.new().to_bytes()
    assert not pos.can_undo()
    with pytest.raises(ValueError, match="nothing to take back"):
        pos.undo()


@pytest.mark.parametrize("case", SMALLEST, ids=str)
def test_the_past_can_be_visited(case: Case) -> None:
    """`at(n)` is the position after n decisions, and leaves the present alone."""
    pos = case.new()
    past = [(here.to_bytes(), here.legal_ids()) for here in walk(pos, seed=6, most=30)]
    for n, (data, legal) in enumerate(past):
        then = pos.at(n)
        assert (then.to_bytes(), then.legal_ids(), len(then.decisions)) == (data, legal, n)
    assert pos.to_bytes() == past[-1][0]
    with pytest.raises(IndexError):
        pos.at(len(past))


@pytest.mark.skipif(PLAIN_ONLY, reason="nothing is compiled")
@pytest.mark.parametrize("case", EVERY, ids=str)
def test_compiled_and_plain_agree_to_the_byte(case: Case) -> None:
    """The same decisions in machine code and in plain Python: the same bytes and the same events after each."""
    compiled, plain = case.new(), None
    home = compiled.game.definition.home
    home.interpreted = True
    try:
        plain = case.new()
    finally:
        home.interpreted = False
    assert plain.to_bytes() == compiled.to_bytes()
    for _ in walk(compiled, seed=8, most=STEPS):
        pass
    home.interpreted = True
    try:
        for n, decision in enumerate(compiled.decisions, 1):
            told = plain.play(decision.action)
            assert told == decision.told
            if n < len(compiled.decisions):
                assert plain.to_bytes() == compiled.decisions[n].before, f"decision {n}"
                assert plain.n_legal == compiled.decisions[n].n_legal
    finally:
        home.interpreted = False
    assert plain.to_bytes() == compiled.to_bytes()


@pytest.mark.skipif(PLAIN_ONLY, reason="nothing is compiled")
@pytest.mark.parametrize("case", SMALLEST, ids=str)
def test_a_whole_game_compiled_and_plain(case: Case) -> None:
    """To the very end, scores and places included."""
    ends = []
    pos = case.new()
    home = pos.game.definition.home
    for interpreted in (False, True):
        home.interpreted = interpreted
        try:
            pos = case.new(seed=3)
            d = pos.game.definition
            luck = new_luck(3, 5)
            n = int(d.engine.play_out(pos.game.box, pos.state, new_buffer(on=False), pos._out, d.asked, luck, ENOUGH))
            values = [float(d.evaluate(pos.game.box, pos.state, seat)) for seat in range(case.seats)]
            ends.append((n, pos.to_bytes(), pos.scores(), pos.places(), values))
        finally:
            home.interpreted = False
    assert ends[0] == ends[1]
