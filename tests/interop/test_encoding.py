"""Every number of an observation has a kind and bounds that it keeps; encoded, it is what its kind says, compiled as in NumPy."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import sutler
from sutler.core.learners.encoding import Encoding
from sutler.core.learners.observation import BITS, COUNT, ID, SEAT
from sutler.core.rule import PLAIN_ONLY
from sutler.interop.session import Session
from sutler.interop.vector import vector

KINDS: tuple[Any, ...] = ("raw", "scaled", "onehot")
FORMS = list(product(KINDS, (False, True)))


def played(name: str, steps: int, seats: int | None = None) -> Any:
    """The observations of every seat, raw, through a random game."""
    game, luck = sutler.load(name), np.random.default_rng(3)
    session = Session(game, seats or game.max_seats)
    session.reset(3)
    for _ in range(steps):
        for seat in range(session.seats):
            yield session.observation(seat)
        if session.over:
            break
        session.step(int(luck.choice(session.legal())))


@pytest.mark.parametrize("name", sutler.games())
def test_every_number_has_a_kind(name: str) -> None:
    """A count, an id with its cardinality, bits or a seat; bounds and a scale; a name for each index that counts seats."""
    game = sutler.load(name)
    for one in game.observation_spec():
        assert one.kind in (COUNT, ID, BITS, SEAT)
        assert one.low < one.high
        assert one.scale > 0
        assert len(one.axes) == len(one.shape)
        assert (one.cardinality > 0) == (one.kind in (ID, SEAT) or (one.kind == BITS and one.high > 1)), one.name
        assert one.kind not in (ID, SEAT) or one.high == one.cardinality - 1
    if name == "manor":
        assert {one.name: one.axes for one in game.observation_spec()}["seats.tokens"] == ("seat", "token")


@pytest.mark.parametrize("name", sutler.games())
def test_no_observation_leaves_its_bounds(name: str) -> None:
    """Not one number of one seat, raw or encoded, in a random game."""
    game = sutler.load(name)
    coded = [Encoding(game, game.max_seats, kind, compact) for kind, compact in FORMS]
    for raw in played(name, 150):
        for one in coded:
            seen = one.encode(raw)
            assert seen.shape == (one.n,) == one.low.shape == one.high.shape
            inside = (one.low <= seen) & (seen <= one.high)
            assert inside.all(), [(one.names[k], seen[k], one.low[k], one.high[k]) for k in np.flatnonzero(~inside)[:5]]
            assert one.kind == "raw" or (one.low.min() >= -1 and one.high.max() <= 1)


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="thousands of decisions want compiled rules")
@pytest.mark.parametrize("name", sutler.games())
def test_no_observation_of_many_games_leaves_its_bounds(name: str) -> None:
    """The same of games of random and of greedy play, at the smallest and the largest table, to their end."""
    game = sutler.load(name)
    for seats, bot in product({game.min_seats, game.max_seats}, ("random", "greedy")):
        games = vector(game, num_envs=24, seats=seats, threads=1, copy=False, max_episode_steps=2000)
        seen, _ = games.reset(seed=7)
        low, high = games.encoding.low, games.encoding.high
        for k in range(600 if bot == "random" else 120):
            inside = (low <= seen) & (seen <= high)
            assert inside.all(), [games.encoding.names[k] for k in np.flatnonzero(~inside.all(axis=0))[:5]]
            seen, *_ = games.step(games.sample() if bot == "random" or k % 8 == 7 else games.decide(bot))
        games.close()


@pytest.mark.parametrize("name", ["manor", "bellum"])
@pytest.mark.parametrize(("kind", "compact"), FORMS)
def test_compiled_and_plain_encode_alike(name: str, kind: Any, compact: bool) -> None:
    """What many games show at once is what NumPy makes of the raw numbers, in the shape that the space says."""
    games = vector(name, num_envs=2, seats=2, threads=1, encoding=kind, compact=compact)
    bare = vector(name, num_envs=2, seats=2, threads=1)
    seen, raw = games.reset(seed=1)[0], bare.reset(seed=1)[0]
    for _ in range(25):
        assert (seen == games.encoding.encode(raw)).all()
        assert games.single_observation_space.contains(seen[0])
        actions = games.sample()
        seen, raw = games.step(actions)[0], bare.step(actions)[0]
    games.close()
    bare.close()


def test_ids_are_spread() -> None:
    """One number for each card that may lie on a land, all 0 where none lies; a seat is one of those that sit there; a set stays a set."""
    game = sutler.load("manor")
    coded, spec = Encoding(game, 2, "onehot", compact=True), {one.name: one for one in game.observation_spec()}
    raw = np.zeros(coded.n_raw, np.float32)
    raw[spec["lies"].offset + 3], raw[spec["owner"].offset + 3] = 17, 1
    raw[spec["lies"].offset + 4] = raw[spec["owner"].offset + 4] = -1
    seen = dict(zip(coded.names, coded.encode(raw), strict=True))
    assert seen["lies[3]=17"] == seen["owner[3]=1"] == 1
    assert sum(value for name, value in seen.items() if name.startswith("lies[3]=")) == 1
    assert not any(value for name, value in seen.items() if name.startswith(("lies[4]=", "owner[4]=")))
    assert "owner[3]=2" not in seen
    assert "seats.hand[1][0]" in seen


def test_empty_seats_are_left_out() -> None:
    """At a table of two the numbers of seats three to six; none that is left out ever says anything."""
    game = sutler.load("manor")
    whole, compact = Encoding(game, 2), Encoding(game, 2, compact=True)
    assert whole.n == game.definition.N_OBSERVED
    assert compact.n < 0.7 * whole.n
    left = np.isin(whole.names, compact.names, invert=True)
    for raw in played("manor", 60, seats=2):
        assert not raw[left].any()
        assert (compact.encode(raw) == raw[~left]).all()
    with pytest.raises(ValueError, match="encoding is one of raw, scaled, onehot"):
        Encoding(game, 2, "planes")  # type: ignore[arg-type]


def test_bits_are_split() -> None:
    """A number that is a set of leaders becomes one number a leader."""
    game = sutler.load("bellum")
    coded, spec = Encoding(game, 2, "scaled"), {one.name: one for one in game.observation_spec()}
    raw = np.zeros(coded.n_raw, np.float32)
    raw[spec["fight.side"].offset] = 0b10000010
    seen = dict(zip(coded.names, coded.encode(raw), strict=True))
    assert [seen[f"fight.side={k}"] for k in range(8)] == [0, 1, 0, 0, 0, 0, 0, 1]


def test_single_environments_encode_too() -> None:
    """Gymnasium's and PettingZoo's, within their spaces."""
    gymnasium = pytest.importorskip("gymnasium")
    from sutler.interop.gym import SeatEnv
    from sutler.interop.pettingzoo import env

    one = SeatEnv("manor", "random", seats=2, encoding="onehot", compact=True)
    seen, _ = one.reset(seed=1)
    assert isinstance(one.observation_space, gymnasium.spaces.Box)
    assert one.observation_space.contains(seen)
    assert one.observation_space.high.max() == 1
    table = env("manor", seats=2, encoding="scaled", compact=True)
    table.reset(seed=1)
    assert table.observation_space("seat_0").contains(table.last()[0])
