"""Bots in Medieval Manor: they feed their people, finish what they have won, and are not to be milked in trade."""

from __future__ import annotations

import pytest

import sutler
from sutler.bots import bot
from sutler.core.position import Position
from sutler.core.rule import PLAIN_ONLY

from helpers import given, offered, play

PLENTY = {"crops": 6, "animals": 4, "gold": 5, "resources": 5, "victory": 5, "peasants": 3}


def asked(give: dict[str, int], want: dict[str, int]) -> Position:
    """One of two equal seats offers the other a trade, which is to answer now."""
    pos = given("manor", n=2, seed=1)
    for seat in (0, 1):
        for place, n in enumerate(PLENTY.values()):
            pos.state.seats[seat].tokens[place] = n
    for _ in range(60):
        if any(name.startswith("offer") for name in offered(pos)):
            break
        play(pos, "done")
    play(pos, next(name for name in sorted(offered(pos)) if name.startswith("offer")))
    for token, n in give.items():
        play(pos, *[f"give {token}"] * n)
    for token, n in want.items():
        play(pos, *[f"want {token}"] * n)
    play(pos, "send")
    return pos


@pytest.mark.parametrize(
    ("give", "want", "answer"),
    [
        ({"gold": 3}, {}, "accept"),
        ({"victory": 1}, {"crops": 1}, "accept"),
        ({}, {"gold": 1}, "decline"),
        ({"crops": 1}, {"victory": 1}, "decline"),
        ({"crops": 1}, {"animals": 1}, "decline"),
    ],
    ids=["a gift", "a bargain", "begging", "milking", "nothing in it"],
)
@pytest.mark.parametrize("name", ["greedy", "search"])
def test_answers_to_offers(name: str, give: dict[str, int], want: dict[str, int], answer: str) -> None:
    """4.2: accepted is what leaves the bot clearly better off, and nothing else."""
    pos = asked(give, want)
    one = bot(name, **({"rounds": 150} if name == "search" else {}))
    assert one.choose(pos.for_seat(pos.seat)).name == answer


def test_a_bot_makes_no_offers_and_leaves_a_slip_it_finds() -> None:
    """4.2: composing comes to an end."""
    pos = given("manor", n=2, seed=1)
    for _ in range(60):
        found = [name for name in sorted(offered(pos)) if name.startswith("offer")]
        if found:
            break
        play(pos, "done")
    assert bot("greedy").choose(pos.for_seat(pos.seat)).name == "done"
    play(pos, found[0])
    assert bot("greedy").choose(pos.for_seat(pos.seat)).name == "cancel"


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="whole games want compiled rules")
def test_greedy_beats_random() -> None:
    """Sixty games with fixed seeds, seats in rotation: one greedy bot wins nine in ten against two random ones, and more."""
    table = sutler.simulate(sutler.load("manor", offers=0), ["greedy", "random", "random"], games=60, seed=1)
    from sutler.lab.measures import wins

    assert wins(table).row(0, named=True)["bot"] == "greedy"
    assert wins(table).row(0, named=True)["share"] >= 0.95


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="whole games want compiled rules")
def test_normal_beats_easy() -> None:
    """The levels are levels."""
    from sutler.lab.measures import wins

    table = sutler.simulate(sutler.load("manor", offers=0), ["normal", "easy", "easy"], games=90, seed=1)
    found = {row["score"]: row["share"] for row in wins(table).to_dicts()}
    assert found[max(found)] > 0.4


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="whole games want compiled rules")
def test_games_of_greedy_bots_end() -> None:
    """A bot that leads wants the game to end, and plays on its own till then in a few dozen turns."""
    table = sutler.simulate(sutler.load("manor", offers=0), ["greedy"] * 3, games=60, seed=1)
    assert table["finished"].all()
    assert table["turns"].max() < 60
