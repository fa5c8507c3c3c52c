"""What a search asks of Three Years of War at the end of a course, and where a course ends (`win_chance.py`)."""

import pytest

from sutler.bots import bot
from sutler.bots.kit import get_kit
from sutler.bots.kit.records import LUCK
from sutler.core.bits import members, remove
from sutler.games.threeyears.bot.season_start_win_chance import is_quiet, judge_course

from .table import GAME


def test_only_where_a_season_is_to_be_bid_for_anew_is_it_quiet():
    """Not once anybody has bid, nor once anybody has passed."""
    pos = GAME.new(seats=3, seed=5)
    assert is_quiet(pos.state)
    passed = GAME.new(seats=3, seed=5)
    passed.play("pass")
    assert not is_quiet(passed.state)
    pos.play(next(action for action in pos.actions() if action.block == "play"))
    assert not is_quiet(pos.state)


@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_seat_has_counts_for_it(seat):
    """A card fewer, a Despair more, and less renown in the last season lower the outlook; as a lead it is counted in SCALE."""
    pos = GAME.new(seats=3, seed=5)
    state = pos.state
    whole = judge_course(GAME.box, state, seat, None)
    card = next(iter(members(state.seats[seat].hand)))
    remove(state.seats[seat].hand, card)
    fewer = judge_course(GAME.box, state, seat, None)
    assert 0.5 < whole - fewer < 4.0
    state.seats[seat].tracks[:] = 1
    assert judge_course(GAME.box, state, seat, None) < fewer
    state.year, state.season = 2, 3
    before = judge_course(GAME.box, state, seat, None)
    state.seats[seat].renown += 4
    assert 3.0 < judge_course(GAME.box, state, seat, None) - before < 6.0


def test_a_course_goes_on_to_where_a_season_begins_or_the_war_is_over():
    """So no bid is judged before what it bought is known; `horizon` is the least it plays."""
    pos = GAME.new(seats=3, seed=8)
    kit, luck = get_kit(GAME), LUCK.new()
    luck.rng[:] = 1, 2, 3, 4
    row = bot("search", rounds=10, playout_nodes=4).packed(GAME)
    assert row.horizon == 0
    pos.play("pass")
    assert pos.seat is not None
    seen = pos.for_seat(pos.seat)
    scratch = kit.scratch_for_view(seen, new=True)
    scratch.search.state = seen.world
    scratch.search.out.ids[:] = scratch.out.ids
    kit.search.play_until_quiet(GAME.box, scratch, row, luck, len(seen.legal))
    assert is_quiet(scratch.search.state)
    assert scratch.search.state.season == pos.state.season + 1
