"""Oware, paragraph by paragraph. Run by tests/cli/test_docs.py, or with
SUTLER_GAMES=examples/oware/sutler_oware pytest examples/oware/tests
"""

import pytest

import sutler
from sutler.contract.helpers import given, offered, play, said, walk

if "oware" not in sutler.games():
    pytest.skip("Oware is on the shelf with SUTLER_GAMES=examples/oware/sutler_oware", allow_module_level=True)


def board(south, north, to_act=0, taken=None, **state):
    """South's houses 1 to 6, North's houses 1 to 6; seeds that lie nowhere have been taken, by South if nothing else is said."""
    options = state.pop("options", {})
    left = 48 - sum(south) - sum(north)
    return given(
        "oware",
        phase="sow",
        to_act=to_act,
        seeds=[*south, *north],
        taken=taken or [left, 0],
        options=options,
        **state,
    )


def houses(pos):
    """South's and North's seeds."""
    seeds = [int(n) for n in pos.state.seeds]
    return seeds[:6], seeds[6:]


def test_four_seeds_in_every_house():
    """1.1: two rows of six with four each."""
    assert houses(sutler.load("oware").new(seats=2, seed=1)) == ([4] * 6, [4] * 6)


def test_turns_alternate():
    """1.2: seat 1 begins, and nobody sows twice."""
    pos = sutler.load("oware").new(seats=2, seed=1)
    order = []
    for here in walk(pos, most=7):
        order.append(here.seat)
    assert order == [0, 1, 0, 1, 0, 1, 0, 1]


def test_everything_is_open():
    """1.3: a watcher sees what a seat sees."""
    pos = sutler.load("oware").new(seats=2, seed=1)
    assert {**pos.view(None), "seat": 0} == pos.view(0)


def test_sowing_goes_round_against_the_clock():
    """2.1: one seed a house, from one's own row into the other's; the other's houses are not one's to sow."""
    pos = sutler.load("oware").new(seats=2, seed=1)
    assert offered(pos) == {f"sow South {i}" for i in range(1, 7)}
    assert pos.why_not("sow North 1").rule == "2.1"
    play(pos, "sow South 5")
    assert houses(pos) == ([4, 4, 4, 4, 0, 5], [5, 5, 5, 4, 4, 4])


def test_the_house_they_came_from_stays_empty():
    """2.2: thirteen seeds go once round past it, and into the next."""
    pos = board([1, 0, 13, 0, 0, 0], [4, 4, 4, 4, 4, 4])
    play(pos, "sow South 3")
    assert houses(pos) == ([2, 1, 0, 2, 2, 1], [5, 5, 5, 5, 5, 5])


def test_an_empty_house_cannot_be_sown():
    """2.3: nothing in it."""
    assert board([0, 1, 0, 0, 0, 4], [4] * 6).why_not("sow South 1").rule == "2.3"


def test_the_other_is_fed():
    """2.4: with the other side empty, only a sowing that reaches it; otherwise all are free."""
    pos = board([3, 0, 0, 0, 1, 1], [0] * 6)
    assert offered(pos) == {"sow South 6"}
    assert pos.why_not("sow South 1").rule == pos.why_not("sow South 5").rule == "2.4"
    assert len(offered(board([3, 0, 0, 0, 1, 1], [0, 0, 0, 1, 0, 0]))) == 3


@pytest.mark.parametrize(("there", "taken"), [(0, 0), (1, 2), (2, 3), (3, 0)])
def test_two_or_three_are_taken(there, taken):
    """3.1: what makes two or three, nothing else."""
    pos = board([4, 0, 0, 0, 0, 1], [there, 4, 0, 0, 0, 4])
    before = int(pos.state.taken[0])
    play(pos, "sow South 6")
    assert pos.state.taken[0] - before == taken
    assert houses(pos)[1][0] == (0 if taken else there + 1)


def test_those_before_it_are_taken_too():
    """3.2: backwards from the last seed, as long as there are two or three."""
    pos = board([4, 0, 0, 0, 0, 3], [1, 2, 1, 0, 0, 4])
    told = said(pos, play(pos, "sow South 6"))
    assert told[1:4] == ["Seat 1 takes 2 from North 3", "Seat 1 takes 3 from North 2", "Seat 1 takes 2 from North 1"]
    assert houses(pos)[1] == [0, 0, 0, 0, 0, 4]


def test_the_first_that_does_not_fit_ends_it():
    """3.3: a house of four in between shields the one before it; one's own side is never captured."""
    pos = board([4, 0, 0, 0, 0, 3], [1, 3, 1, 0, 0, 4])
    play(pos, "sow South 6")
    assert houses(pos)[1] == [2, 4, 0, 0, 0, 4]
    pos = board([1, 1, 1, 0, 0, 4], [4, 0, 0, 0, 0, 3], to_act=1)
    play(pos, "sow North 6")
    assert houses(pos) == ([0, 0, 0, 0, 0, 4], [4, 0, 0, 0, 0, 0])
    pos = board([4, 1, 0, 0, 0, 2], [1, 0, 0, 0, 0, 4])
    play(pos, "sow South 1")
    assert houses(pos)[0] == [0, 2, 1, 1, 1, 2]


def test_a_grand_slam_takes_nothing():
    """3.4: all that the other has: the sowing stands and nothing is taken, but with the option it is."""
    pos = board([4, 0, 0, 0, 0, 2], [1, 1, 0, 0, 0, 0])
    told = said(pos, play(pos, "sow South 6"))
    assert told[1] == "Seat 1 takes nothing: it would have been everything"
    assert houses(pos) == ([4, 0, 0, 0, 0, 0], [2, 2, 0, 0, 0, 0])
    game = sutler.load("oware", grand_slams=True)
    pos = given(game, phase="sow", seeds=[4, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0], taken=[20, 20])
    play(pos, "sow South 6")
    assert pos.over
    assert [int(n) for n in pos.state.taken] == [28, 20]


def test_more_than_half_ends_the_game():
    """4.1: at twenty-five, not at twenty-four."""
    for before, over in ((23, True), (22, False)):
        pos = board([4, 0, 0, 0, 0, 1], [1, 4, 0, 0, 0, 4], taken=[before, 48 - 14 - before])
        play(pos, "sow South 6")
        assert pos.over == over


def test_who_cannot_be_fed_leaves_the_rest():
    """4.2: North has nothing and South cannot reach: everybody keeps their own side's."""
    pos = board([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1], to_act=1, taken=[23, 23])
    play(pos, "sow North 6")
    assert pos.over
    assert [int(n) for n in pos.state.taken] == [25, 23]


def test_no_end_in_sight():
    """4.3: the sixtieth sowing without a capture is the last."""
    pos = board([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], taken=[23, 23], quiet=59)
    play(pos, "sow South 1")
    assert pos.over
    assert [int(n) for n in pos.state.taken] == [24, 24]


def test_most_seeds_win():
    """4.4: more seeds, or a draw."""
    pos = board([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], taken=[23, 23], quiet=59)
    play(pos, "sow South 1")
    assert pos.places() == [1, 1]
    *_, last = walk(sutler.load("oware").new(seats=2, seed=3), seed=2)
    south, north = last.scores()
    assert south + north + sum(last.state.seeds) == 48
    assert south != north
    assert last.places() == ([1, 2] if south > north else [2, 1])
