"""`sutler.vector` is one of Gymnasium's vector environments: made by name, cut, dealt anew, never without a legal action."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import sutler
from sutler.core.play.game import Game
from sutler.core.play.position import IllegalAction
from sutler.interop.session import Session
from sutler.interop.vector import Vector, vector

gymnasium = pytest.importorskip("gymnasium")
pytestmark = pytest.mark.usefixtures("example")


def states(games: Vector) -> list[bytes]:
    """The bytes of every game's state."""
    return [row["state"].tobytes() for row in games.rows]


def test_it_is_a_vector_env(example: Game) -> None:
    """Its class, spaces, metadata and five values are those that Gymnasium's learners ask for."""
    games = vector(example, num_envs=4, seats=3, bots="random", threads=1)
    assert isinstance(games, gymnasium.vector.VectorEnv)
    assert games.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    assert games.num_envs == 4
    seen, info = games.reset(seed=1)
    assert games.observation_space.contains(seen)
    assert games.single_observation_space.contains(seen[0])
    assert games.single_action_space.n == info["action_mask"].shape[1]
    for _ in range(20):
        actions = games.action_space.sample()
        assert info["action_mask"][np.arange(4), actions].all()
        seen, rewards, terminations, truncations, info = games.step(actions)
        assert games.observation_space.contains(seen)
        assert rewards.shape == terminations.shape == truncations.shape == (4,)
        assert info["_action_mask"].all()
        assert info["rewards"].shape == (4, 3)
    games.close()


def test_it_is_made_by_name(example: Game) -> None:
    """`make_vec` gives the fast one, with options and a limit; the seat goes round as it does in single games."""
    import sutler.interop.gym

    assert "sutler/manor-v0" in gymnasium.registry
    sutler.interop.gym.register_games()
    games = gymnasium.make_vec(
        "sutler/market-v0", num_envs=3, vectorization_mode="vector_entry_point", seats=3, bots="random", rounds=7
    )
    assert isinstance(games.unwrapped, Vector)
    assert games.game.changed_options() == {"rounds": 7}
    _, info = games.reset(seed=0)
    assert info["seat"].tolist() == [0, 1, 2]
    assert games.spec.id == "sutler/market-v0"
    games.close()


def test_gymnasiums_wrappers_take_it(example: Game) -> None:
    """Statistics of episodes, transformed observations (the last ones too), information as a list."""
    from gymnasium.wrappers import vector as wrappers

    plain = vector(example, num_envs=3, seats=2, bots="random", threads=1, autoreset_mode="NextStep")
    games = wrappers.DictInfoToList(
        wrappers.RecordEpisodeStatistics(
            wrappers.VectorizeTransformObservation(
                plain,
                gymnasium.wrappers.TransformObservation,
                func=lambda seen: seen + 1000.0,
                observation_space=plain.single_observation_space,
            )
        )
    )
    seen, info = games.reset(seed=1)
    ended, waited = 0, np.zeros(3, bool)
    for _ in range(60):
        seen, rewards, over, cut, info = games.step(plain.sample())
        assert seen.min() >= 900
        assert not (over & waited).any()
        for row in np.flatnonzero(over | cut):
            ended += 1
            assert info[row]["episode"]["r"] == rewards[row]
            assert info[row]["action_mask"].all()
        waited = over | cut
    assert ended
    games.close()


def test_a_game_may_wait_to_be_dealt(example: Game) -> None:
    """NEXT_STEP: the last position is shown where it was reached; the games are those of SAME_STEP, a step later each."""
    same = vector(example, num_envs=1, seats=2, bots="random", threads=1)
    later = vector(example, num_envs=1, seats=2, bots="random", threads=1, autoreset_mode="NextStep")
    same.reset(seed=3)
    later.reset(seed=3)
    ended = 0
    for _ in range(40):
        action = same.sample()
        one, other = same.step(action), later.step(action)
        assert one[1:4] == other[1:4]
        if one[2][0]:
            ended += 1
            assert (other[0][0] == one[4]["final_obs"][0]).all()
            assert other[4]["action_mask"].all()
            assert "final_obs" not in other[4]
            other = later.step([-1])
            assert not other[2].any()
        assert (one[0] == other[0]).all()
    assert ended
    with pytest.raises(ValueError, match="autoreset_mode is"):
        vector(example, num_envs=1, autoreset_mode="never")
    same.close()
    later.close()


def test_the_last_observation_is_kept(example: Game) -> None:
    """What the seat that acted knows at the end, the reward of each seat, a mask of ones: as in games played one by one."""
    games = vector(example, num_envs=3, seats=2, threads=1)
    alone = [Session(example, 2) for _ in range(3)]
    _, info = games.reset(seed=5)
    for row, session in enumerate(alone):
        session.reset(5 + row)
    ended = 0
    for _ in range(60):
        actions, actors = games.sample(), games.seats.copy()
        _, rewards, over, cut, info = games.step(actions)
        for row, session in enumerate(alone):
            session.step(int(actions[row]))
            assert not cut[row]
            assert over[row] == session.over
            assert rewards[row] == pytest.approx(session.rewards()[actors[row]])
            assert info["rewards"][row] == pytest.approx(session.rewards())
            assert info["won"][row] == pytest.approx(session.win_shares()[actors[row]])
            assert info["_won"][row] == session.over
            if session.over:
                assert sum(session.win_shares()) == pytest.approx(1)
                ended += 1
                assert info["_final_obs"][row]
                assert (info["final_obs"][row] == session.observation(int(actors[row]))).all()
                assert info["final_info"]["action_mask"][row].all()
                assert session.mask().all()
                session.reset(int(games.rows["seed"][row]) - 3)
    assert ended == 3
    games.close()


def test_games_are_cut(example: Game) -> None:
    """After so many decisions of the learner, with the observation to go on from; the next game is dealt in the same step."""
    games = vector(example, num_envs=2, seats=2, bots="random", threads=1, max_episode_steps=3)
    games.reset(seed=1)
    for k in range(1, 10):
        _, rewards, over, cut, info = games.step(games.sample())
        assert cut.all() == (k % 3 == 0)
        assert not over.any()
        assert not rewards.any()
        if cut.any():
            mask = info["final_info"]["action_mask"]
            assert 0 < mask[0].sum() < mask.shape[1]
            assert info["final_obs"][0].any()
            assert (games.rows["game_steps"] == 0).all()
    games.close()


def test_no_mask_is_ever_empty(example: Game) -> None:
    """A masked softmax is never divided by zero, neither here nor in Gymnasium's own vector of single games."""
    from sutler.interop.gym import SeatEnv

    many = gymnasium.vector.SyncVectorEnv([lambda: SeatEnv(example, "random", seats=2, illegal="draw")] * 2)
    _, info = many.reset(seed=1)
    ended = 0
    for _ in range(40):
        assert info["action_mask"].sum(axis=1).min() > 0
        *_, over, _, info = many.step(info["action_mask"].argmax(axis=1))
        ended += int(over.sum())
    assert ended
    many.close()


def test_what_was_returned_stays(example: Game) -> None:
    """An observation kept by a learner is not overwritten by the next step, unless that is asked for; arrays begin where JAX wants them."""
    games = vector(example, num_envs=5, seats=2, threads=1)
    seen, info = games.reset(seed=1)
    before, mask = seen.copy(), info["action_mask"].copy()
    for k in range(4):
        later, *_, info_later = games.step(games.sample())
        assert (seen == before).all()
        assert (info["action_mask"] == mask).all()
        assert later.ctypes.data % 64 == info_later["action_mask"].ctypes.data % 64 == 0, k
    own = vector(example, num_envs=5, seats=2, threads=1, copy=False)
    seen, _ = own.reset(seed=1)
    later, *_ = own.step(own.sample())
    assert later is seen
    assert seen.ctypes.data % 64 == 0
    games.close()
    own.close()


def test_jax_takes_the_arrays_over(example: Game) -> None:
    """The same memory: no copy."""
    jax = pytest.importorskip("jax")
    games = vector(example, num_envs=16, seats=2, threads=1)
    seen, _ = games.reset(seed=1)
    taken = jax.dlpack.from_dlpack(seen, copy=False)
    assert taken.unsafe_buffer_pointer() == seen.ctypes.data
    games.close()


def test_an_illegal_action_takes_none(example: Game) -> None:
    """In no game, whichever it is: what was there before is there still."""
    games = vector(example, num_envs=3, threads=1)
    _, info = games.reset(seed=1)
    before = states(games)
    actions = info["action_mask"].argmax(axis=1)
    actions[2] = int(np.flatnonzero(info["action_mask"][2] == 0)[0])
    with pytest.raises(IllegalAction, match="game 2: "):
        games.step(actions)
    assert states(games) == before
    games.close()


def test_a_pickled_copy_goes_on(example: Game) -> None:
    """The same positions, observations and chances: the games go on alike."""
    games = vector(example, num_envs=4, seats=3, bots="random,greedy", threads=1, max_episode_steps=50)
    games.reset(seed=1)
    for _ in range(5):
        games.step(games.sample())
    twin = pickle.loads(pickle.dumps(games))
    assert (twin.masks == games.masks).all()
    assert (twin.observations == games.observations).all()
    for _ in range(30):
        actions = games.sample()
        assert (twin.sample() == actions).all()
        ours, theirs = games.step(actions), twin.step(actions)
        assert all((a == b).all() for a, b in zip(ours[:4], theirs[:4], strict=True))
    games.reset()
    twin.reset()
    assert (games.rows["seed"] == twin.rows["seed"]).all()
    pickle.loads(pickle.dumps(vector(example, num_envs=2, threads=1))).reset(seed=1)
    games.close()
    twin.close()


def test_a_reset_without_a_seed_deals_other_games(example: Game) -> None:
    """And the same others, if the generator began alike."""
    games, met = vector(example, num_envs=2, threads=1), []
    for _ in range(2):
        games.reset(seed=4)
        games.reset()
        met.append(games.rows["seed"].copy())
    assert (met[0] == met[1]).all()
    assert met[0][0] > 10
    games.close()


def test_bots_say_what_they_would_do(example: Game) -> None:
    """A label for every game, the same when asked again from the same reset; no game is touched by asking."""
    games = vector(example, num_envs=6, seats=2, threads=1)
    games.reset(seed=2)
    before, lucks = states(games), [row["lucks"].tobytes() for row in games.rows]
    labels = games.decide("greedy")
    games.decide("random")
    assert states(games) == before
    assert [row["lucks"].tobytes() for row in games.rows] == lucks
    assert games.masks[np.arange(6), labels].all()
    mixed = games.decide(["greedy", "random"], who=np.arange(6) % 2)
    assert mixed.shape == (6,)
    games.reset(seed=2)
    assert (games.decide("greedy") == labels).all()
    greedy = sutler.bot("greedy")
    assert (games.decide(greedy) == games.decide("greedy:noise=0")).all()
    with pytest.raises(ValueError, match="who"):
        games.decide("greedy", who=[1] * 6)
    games.close()
