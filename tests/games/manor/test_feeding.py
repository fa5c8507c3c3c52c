"""Guide 7: the feeding phase."""

import pytest

from games.manor.table import has, offered, phase, play, refused, stage, tokens, work


def feeding(*seats, **more):
    """The end of a work phase in which nobody does anything, so that feeding comes next.

    The last seat holds five cards: the game waits for it in the end phase, should nobody decide anything before.
    """
    n = more.pop("n", 2)
    rows = [*seats, *({} for _ in range(n - len(seats)))]
    rows[-1] = {**rows[-1], "hand": ["Wool", "Goats", "Beans", "Rye", "Oats"]}
    pos = work(*rows, n=n, **more)
    play(pos, "pass")
    return pos


def fed(pos):
    """What the feeding phase has told: (seat, kind, number)."""
    kinds = ("fed", "hunger", "grew")
    return [(e.get_part("seat"), e.kind, e.args[1] if len(e.args) > 1 else 0) for _, e in pos.told() if e.kind in kinds]


@pytest.mark.parametrize("peasants", [1, 2, 4, 6])
def test_one_food_for_each_peasant_but_one(peasants):
    """7.1: with 4 peasants, 3 food; with one, none."""
    pos = feeding({"peasants": peasants, "crops": peasants + 1}, {"peasants": 1})
    assert fed(pos) == ([(0, "fed", peasants - 1)] if peasants > 1 else [])
    assert has(pos, 0)["crops"] == 2


def test_crops_and_animals_may_be_mixed():
    """7.1: the seat chooses the mix, and no impossible one."""
    pos = feeding({"peasants": 4, "crops": 2, "animals": 2})
    assert (phase(pos), offered(pos)) == ("feed", {"feed crops 1", "feed crops 2"})
    assert refused(pos, "feed crops 3") == "7.1"
    assert refused(pos, "feed crops 0") == "7.1"
    play(pos, "feed crops 1")
    assert tokens(pos, 0) == {"crops": 1}


def test_from_the_lord_clockwise():
    """7.1: each seat in turn."""
    pos = feeding(*({"peasants": 2, "crops": 1} for _ in range(3)), n=3, lord=2, to_act=2)
    assert [seat for seat, _, _ in fed(pos)] == [2, 0, 1]


def test_whoever_can_must():
    """7.1: nobody is asked whether to feed."""
    pos = feeding({"peasants": 3, "crops": 2})
    assert (0, "fed", 2) in fed(pos)


def test_hunger():
    """7.2: too little food: all of it is spent, 1 peasant and 2 victory tokens are lost, however many go hungry."""
    pos = feeding({"peasants": 6, "crops": 1, "animals": 2, "gold": 7, "victory": 9}, {"peasants": 1})
    assert (0, "hunger") in [row[:2] for row in fed(pos)]
    assert has(pos, 0) == {"peasants": 5, "crops": 0, "animals": 0, "gold": 7, "resources": 0, "victory": 7}


def test_hunger_does_not_go_below_nothing():
    """7.2: victory tokens stop at 0; the last peasant is never lost, for it feeds itself."""
    pos = feeding({"peasants": 2, "victory": 1}, {"peasants": 1, "victory": 1})
    assert has(pos, 0)["peasants"] == 1
    assert has(pos, 0)["victory"] == 0
    assert has(pos, 1) == {"peasants": 1, "victory": 1, "crops": 0, "animals": 0, "gold": 0, "resources": 0}


def test_a_new_peasant():
    """7.3: when all were fed, 5 more food, mixed at will, for 1 peasant, once a turn."""
    pos = feeding({"peasants": 2, "crops": 9, "animals": 7})
    play(pos, "feed crops 1")
    assert offered(pos) == {"take in a peasant", "done"}
    play(pos, "take in a peasant")
    assert offered(pos) == {f"feed crops {n}" for n in range(6)}
    play(pos, "feed crops 2")
    assert has(pos, 0)["peasants"] == 3
    assert (has(pos, 0)["crops"], has(pos, 0)["animals"]) == (6, 4)
    assert stage(pos) != "feeding"  # ten food are left, but once is enough


def test_one_kind_of_food_is_paid_unasked():
    """7.1, 7.3: with crops alone there is no split to choose, and one peasant a turn is all."""
    pos = feeding({"peasants": 2, "crops": 12})
    assert offered(pos) == {"take in a peasant", "done"}
    play(pos, "take in a peasant")
    assert (has(pos, 0)["peasants"], has(pos, 0)["crops"]) == (3, 6)
    assert stage(pos) != "feeding"


def test_a_new_peasant_may_be_declined():
    """7.3: it is a choice."""
    pos = feeding({"peasants": 1, "crops": 5})
    play(pos, "done")
    assert has(pos, 0)["peasants"] == 1
    assert has(pos, 0)["crops"] == 5


def test_not_without_five_food_and_not_when_hungry():
    """7.3: what is left after feeding counts; whoever went hungry has nothing left."""
    pos = feeding({"peasants": 3, "crops": 6}, {"peasants": 7, "crops": 5})
    assert (0, "grew", 5) not in fed(pos)
    assert has(pos, 0)["crops"] == 4
    assert not any(kind == "grew" for _, kind, _ in fed(pos))
    assert refused(pos, "take in a peasant") == "7.3"


def test_a_payment_larger_than_an_action_can_name_is_not_asked():
    """7.1: 64 food and more: as many animals as there are, the rest crops."""
    pos = feeding({"peasants": 65, "crops": 40, "animals": 40})
    assert (has(pos, 0)["crops"], has(pos, 0)["animals"]) == (16, 0)
    asked = feeding({"peasants": 64, "crops": 40, "animals": 40})
    assert phase(asked) == "feed"
