"""The learners' interfaces pass their own libraries' checkers, agree with one another, and tell nothing a seat may not know."""

from __future__ import annotations

import pickle
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sutler
from sutler.bots.kit.records import OWN
from sutler.bots.kit.repeatable_bots import ROUNDS
from sutler.core.chance import new_luck
from sutler.core.optional_imports import Missing, import_optional
from sutler.core.play.game import Game
from sutler.core.play.position import IllegalAction
from sutler.core.rule import PLAIN_ONLY
from sutler.interop.gym import SeatEnv
from sutler.interop.session import Session, compute_observation_bounds
from sutler.interop.vector import vector

pytestmark = pytest.mark.usefixtures("example")
ROOT = Path(__file__).parents[2]
CAUTIOUS = str(ROOT / "examples" / "bots" / "cautious.py")
GAMES = [name for name in sutler.games() if sutler.load(name).max_seats > 1]
whole = pytest.mark.skipif(PLAIN_ONLY, reason="whole games of the larger ones want compiled rules")


def walked(game: Game, seats: int, steps: int, seed: int = 1) -> Session:
    """A session after so many random decisions."""
    session, luck = Session(game, seats), np.random.default_rng(seed)
    session.reset(seed)
    for _ in range(steps):
        if session.over:
            break
        session.step(int(luck.choice(session.legal())))
    return session


# --- Sessions -----------------------------------------------------------------


@pytest.mark.parametrize("name", sutler.games())
def test_a_session_is_the_game(name: str) -> None:
    """The same seed and actions as a position: the same state, choices and observation."""
    game = sutler.load(name)
    session, pos = Session(game), game.new(seed=5)
    session.reset(5)
    for k in range(40):
        if pos.over:
            break
        assert session.state.tobytes() == pos.to_bytes()
        assert session.legal() == pos.legal_ids() == np.flatnonzero(session.mask()).tolist()
        assert pos.seat is not None
        assert (session.observation(pos.seat) == pos.for_seat(pos.seat).observation()).all()
        action = pos.legal_ids()[k * 5 % len(pos.legal_ids())]
        session.step(action)
        pos.play(action)


@pytest.mark.parametrize("name", sutler.games())
def test_nothing_hidden_reaches_an_observation(name: str) -> None:
    """Two worlds that a seat cannot tell apart: the same numbers for it."""
    game = sutler.load(name)
    for steps in (0, 7, 23, 60):
        session = walked(game, game.max_seats, steps)
        for seat in range(session.seats):
            twin = session.copy()
            game.definition.redeal(game.box, twin.state, seat, new_luck(steps + 3, 1))
            assert (twin.observation(seat) == session.observation(seat)).all()
            low, high = compute_observation_bounds(session)
            assert (low <= session.observation(seat)).all()
            assert (session.observation(seat) <= high).all()


def test_rewards_sum_to_nothing(example: Game) -> None:
    """The winner's is 1, ties are shared, and before the end there is none."""
    for seed in range(20):
        session = walked(example, 3, 1000, seed)
        assert session.over
        rewards = session.rewards()
        assert rewards.sum() == pytest.approx(0.0, abs=1e-5)
        assert rewards.max() <= 1.0
        assert rewards.min() >= -0.5 - 1e-6
    assert not walked(example, 3, 3).rewards().any()


def test_what_is_illegal_is_said_with_its_paragraph(example: Game) -> None:
    """Nothing is changed by it."""
    session = walked(example, 2, 4)
    before = session.state.tobytes()
    illegal = next(i for i in range(session.n_actions) if i not in session.legal())
    with pytest.raises(IllegalAction) as told:
        session.step(illegal)
    assert told.value.rule
    assert session.state.tobytes() == before
    with pytest.raises(IllegalAction, match="no action number 99999"):
        session.step(99_999)
    with pytest.raises(ValueError, match="seats"):
        Session(example, 99)


def test_sessions_travel(example: Game) -> None:
    """Pickled, copied: the same game goes on, and shares nothing."""
    session = walked(example, 2, 6)
    for twin in (session.copy(), pickle.loads(pickle.dumps(session))):
        assert twin.state.tobytes() == session.state.tobytes()
        assert twin.legal() == session.legal()
        twin.step(twin.legal()[-1])
        assert twin.state.tobytes() != session.state.tobytes()


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(Missing, match=r'pip install "sutler\[gym\]"'):
        import_optional("gymnasium", "gym")


# --- Gymnasium ------------------------------------------------------------------


@whole
@pytest.mark.compiled
@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_checks_every_game(name: str) -> None:
    """Its own checker, warnings as errors, at every number of seats."""
    from gymnasium.utils.env_checker import check_env

    game = sutler.load(name)
    for seats in range(max(2, game.min_seats), game.max_seats + 1):
        check_env(SeatEnv(game, ["random"], seats=seats, illegal="draw"), skip_render_check=True)


def test_a_gymnasium_game(example: Game) -> None:
    """The same seed deals the same; samples are legal; the reward comes with the end; masks where sb3-contrib looks."""
    env = SeatEnv(example, ["random"], seats=3)
    seen, info = env.reset(seed=4)
    again, _ = SeatEnv(example, ["random"], seats=3).reset(seed=4)
    assert (seen == again).all()
    total, over = 0.0, False
    while not over:
        action = int(env.action_space.sample())
        assert info["action_mask"][action] == env.action_masks()[action] == 1
        seen, reward, over, cut, info = env.step(action)
        assert not cut
        assert over or reward == 0
        total += reward
    assert total == env.session.rewards()[env.seat]
    with pytest.raises(ValueError, match="do not fill"):
        SeatEnv(example, ["random", "random", "random"], seats=3)
    with pytest.raises(ValueError, match="seat 7"):
        SeatEnv(example, ["random"], seats=3, seat=7)


@whole
@pytest.mark.compiled
def test_gymnasium_makes_every_game_by_name() -> None:
    """Also as many at once, as its learners want them; options of the game and the table go with the name."""
    import gymnasium

    env = gymnasium.make("sutler/manor-v0", seats=3, bots="random", offers=0)
    seen, _ = env.reset(seed=1)
    table = env.unwrapped
    assert isinstance(table, SeatEnv)
    assert (table.session.seats, table.session.game.changed_options()) == (3, {"offers": 0})
    many = gymnasium.make_vec("sutler/manor-v0", num_envs=2, seats=3, bots="random", offers=0)
    assert many.reset(seed=1)[0].shape == (2, *seen.shape)
    others = {"sutler/bellum-v0", "sutler/sixwinters-v0", "sutler/threeyears-v0", "sutler/warfarm-v0"}
    assert others <= set(gymnasium.registry)


def test_a_seat_is_one_of_many(example: Game) -> None:
    """Against bots that play compiled a single game is the same as one of `sutler.vector`, to the end; pickled, it goes on alike."""
    env = SeatEnv(example, "greedy,random", seats=3, seat=1, encoding="scaled")
    games = vector(example, 1, seats=3, bots="greedy,random", seat=1, threads=1, encoding="scaled")
    for _ in range(3):
        seen, info = env.reset(seed=8)
        games.reset(seed=env.session.seed)
        over, steps = False, 0
        while not over:
            assert (seen == games.observations[0]).all()
            assert (info["action_mask"] == games.masks[0]).all()
            action = int(games.sample()[0])
            twin = pickle.loads(pickle.dumps(env)) if steps == 2 else None
            seen, reward, over, cut, info = env.step(action)
            if twin is not None:
                assert (twin.step(action)[0] == seen).all()
            _, rewards, ends, _, told = games.step([action])
            steps += 1
            assert not cut
            assert (over, reward) == (ends[0], pytest.approx(rewards[0]))
            assert env.session.decisions == steps
        assert (seen == told["final_obs"][0]).all()
        assert info["action_mask"].all()
        with pytest.raises(IllegalAction, match="over"):
            env.step(0)
    games.close()


def test_an_asked_bot_plays_too(example: Game) -> None:
    """A bot that only Python can ask sits there as well; the games end, and illegal actions are refused or drawn over."""

    class Last:
        name = "last"

        def choose(self, view: Any) -> Any:
            return view.actions()[-1]

    env = SeatEnv(example, [Last()], seats=2, illegal="draw")
    _, info = env.reset(seed=1)
    over = False
    while not over:
        *_, over, _, info = env.step(10_000)
        assert "no action number" in info["refused"]


def test_the_table_is_drawn(example: Game) -> None:
    """In letters as in the terminal, before, during and after the game; nothing without a render mode."""
    from sutler.interop.pettingzoo import env as table_of

    env = SeatEnv(example, "random", seats=2, render_mode="ansi")
    with pytest.raises(RuntimeError, match="call reset first"):
        env.render()
    env.reset(seed=1)
    over = False
    while not over:
        drawn = env.render()
        assert drawn
        assert "coins" in drawn
        *_, over, _, _ = env.step(env.action_space.sample())
    assert "coins" in (env.render() or "")
    assert SeatEnv(example, "random", seats=2).render() is None
    table = table_of(example, seats=2, render_mode="ansi")
    table.reset(seed=1)
    assert "coins" in (table.render() or "")
    for made in (table_of, lambda one, **how: SeatEnv(one, "random", **how), sutler.vector):
        with pytest.raises(ValueError, match="render_mode is"):
            made(example, seats=2, render_mode="svg")


def test_the_table_as_a_picture(example: Game) -> None:
    """One size throughout, letters in it, another picture after an action; as the suites of both libraries ask for it."""
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import render_test

    from sutler.interop.pettingzoo import env as table_of
    from sutler.interop.table_pictures import PAPER, SHAPE

    env = SeatEnv(example, "random", seats=2, render_mode="rgb_array", illegal="draw")
    with pytest.raises(RuntimeError, match="call reset first"):
        env.render()
    env.reset(seed=1)
    first = env.render()
    env.step(env.action_space.sample())
    assert (first.shape, first.dtype) == (SHAPE, np.uint8)
    assert (first != PAPER).any()
    assert (first != env.render()).any()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without a spec it does not make one for each mode
        check_env(env)
    render_test(lambda **how: table_of(example, seats=2, **how))
    games = sutler.vector(example, num_envs=2, seats=2, threads=1, render_mode="rgb_array")
    games.reset(seed=1)
    frames = games.render()
    assert isinstance(frames, tuple)
    assert [one.shape for one in frames] == [SHAPE, SHAPE]
    table = table_of(example, seats=2, render_mode="rgb_array")
    assert sutler.vector(example, num_envs=1, seats=2, threads=1).render() is None
    table.reset(seed=1)
    assert table.render().shape == SHAPE


@pytest.mark.parametrize("name", GAMES)
def test_every_letter_has_a_glyph(name: str) -> None:
    """Whatever a terminal's table shows is in the font that pictures are drawn with; tall tables are made smaller."""
    from PIL import ImageFont

    from sutler.core.text.drawing import draw_table_as_text
    from sutler.interop.table_pictures import FONTS, SHAPE, render_picture

    font = ImageFont.truetype(next(FONTS.glob("*-400-*.ttf")), 15)
    missing = bytes(font.getmask("\uffff"))
    game = sutler.load(name)
    pos, luck = game.new(game.max_seats, seed=1), np.random.default_rng(1)
    for _ in range(40):
        if pos.over:
            break
        letters = {one for one in draw_table_as_text(pos, pos.seat) if not one.isspace()}
        assert [one for one in letters if bytes(font.getmask(one)) == missing] == []
        pos.play(int(luck.choice(pos.legal_ids())))
    assert render_picture(pos, pos.seat).shape == SHAPE


def test_torchrl_takes_a_seat_with_masks(example: Game) -> None:
    """The lines of docs/learn.md, where TorchRL is installed: a rollout by chance takes legal actions only."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("torchrl")
    from torchrl.data import Binary
    from torchrl.envs import ActionMask, GymWrapper, TransformedEnv
    from torchrl.envs.libs.gym import default_info_dict_reader

    table = GymWrapper(SeatEnv(example, "random", seats=2), categorical_action_encoding=True)
    legal = {"action_mask": Binary(int(table.action_space.n), dtype=torch.bool)}
    table.set_info_dict_reader(default_info_dict_reader(["action_mask"], legal))
    played = TransformedEnv(table, ActionMask()).rollout(5)
    assert played["action_mask"][torch.arange(len(played)), played["action"]].all()


def test_samples_are_drawn_as_gymnasium_draws_them(example: Game) -> None:
    """Among the legal ids, by the space's own generator, number for number as with a mask."""
    from gymnasium.spaces import Discrete

    env = SeatEnv(example, "random", seats=2)
    env.reset(seed=1)
    other = Discrete(env.action_space.n)
    env.action_space.seed(7), other.seed(7)
    assert [env.action_space.sample() for _ in range(30)] == [other.sample(env.action_masks()) for _ in range(30)]


def test_pettingzoo_knows_the_whole_table(example: Game) -> None:
    """`state()` is what the seats know, one after the other, in its space."""
    from sutler.interop.pettingzoo import env as table_of

    table = table_of(example, seats=3)
    with pytest.raises(RuntimeError, match="call reset first"):
        table.state()
    table.reset(seed=1)
    state = table.state()
    assert table.state_space.contains(state)
    assert (state.reshape(3, -1)[2] == table.observe("seat_2")["observation"]).all()


def test_gymnasium_refuses_or_draws(example: Game) -> None:
    """An illegal action raises; where it is drawn over, info says why."""
    env = SeatEnv(example, ["random"], seats=2)
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.action_masks() == 0)[0])
    with pytest.raises(IllegalAction):
        env.step(illegal)
    kind = SeatEnv(example, ["random"], seats=2, illegal="draw")
    kind.reset(seed=1)
    *_, info = kind.step(illegal)
    assert "(" in info["refused"]


# --- PettingZoo -----------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Observation")  # it would rather have no masks beside observations
@pytest.mark.parametrize("name", ["market", *GAMES])
def test_pettingzoo_checks_every_game(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its own tests of interface and seeds."""
    from pettingzoo.test import api_test, seed_test

    from sutler.interop.pettingzoo import env

    small = name == "market"
    api_test(env(name), num_cycles=200 if small else 30)
    seed_test(lambda: env(name), num_cycles=50 if small else 10)
    if small:
        cut = env(name, max_cycles=5)
        cut.reset(seed=1)
        steps = 0
        for agent in cut.agent_iter():
            seen, _, over, ended, _ = cut.last()
            steps += not (over or ended)
            cut.step(None if over or ended else int(np.flatnonzero(seen["action_mask"])[0]))
            assert agent.startswith("seat_")
        assert steps == 5


# --- OpenSpiel --------------------------------------------------------------------


@pytest.fixture(scope="module")
def spiel(example: Game) -> Any:
    """OpenSpiel, knowing our games."""
    pyspiel = pytest.importorskip("pyspiel")
    import sutler.interop.openspiel

    assert {f"sutler_{name}" for name in ["market", *sutler.games()]} <= set(sutler.interop.openspiel.register())
    return pyspiel


def test_openspiel_simulates(spiel: Any) -> None:
    """Its random simulation test: clones, serialises, observes, at every decision of a game."""
    spiel.random_sim_test(spiel.load_game("sutler_market(players=3)"), 2, True, False)


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_plays_every_game(spiel: Any, name: str) -> None:
    """Loaded by name, walked, resampled: a seat sees the same in another world."""
    game = spiel.load_game(f"sutler_{name}")
    state, luck = game.new_initial_state(), np.random.default_rng(3)
    for k in range(25):
        if state.is_terminal():
            break
        if k in (5, 20):
            seat = state.current_player()
            twin = state.resample_from_infostate(seat, luck.random)
            assert twin.observation_string(seat) == state.observation_string(seat)
            assert twin.legal_actions() == state.legal_actions()
        if state.is_chance_node():
            state.apply_action(int(luck.integers(1024)))
        else:
            state.apply_action(int(luck.choice(state.legal_actions())))
    assert game.observation_tensor_shape() == [len(state.observation_tensor(0))]


def test_openspiels_bots_play_ours(spiel: Any) -> None:
    """A search of theirs and random bots finish a game of Market; the one that redeals finds a legal action."""
    from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts
    from open_spiel.python.bots import uniform_random

    game, luck = spiel.load_game("sutler_market(players=3)"), np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, luck)
    bots = [
        mcts.MCTSBot(game, 1.0, 4, rollouts, random_state=luck),
        uniform_random.UniformRandomBot(1, luck),
        uniform_random.UniformRandomBot(2, luck),
    ]
    dealt = game.new_initial_state()
    dealt.apply_action(3)
    dealt.apply_action(4)
    redealing = ismcts.ISMCTSBot(game, rollouts, uct_c=1.0, max_simulations=8, random_state=luck)
    assert redealing.step(dealt) in dealt.legal_actions()
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, luck)
    assert sum(returns) == pytest.approx(0.0, abs=1e-5)


# --- Many at once -----------------------------------------------------------------


def shown(told: Any) -> tuple[Any, Any]:
    """Observations and legal actions of what `reset` returns."""
    return told[0], told[1]["action_mask"]


@pytest.mark.parametrize("name", ["market", pytest.param("manor", marks=[whole, pytest.mark.compiled])])
def test_many_games_are_many_sessions(name: str) -> None:
    """Step by step the same observation, mask, seat and reward as games played one by one, dealt anew included."""
    games = vector(name, num_envs=5, seats=2, threads=2)
    alone = [Session(games.game, 2) for _ in range(5)]
    seeds = [10 + i for i in range(5)]
    seen, legal = shown(games.reset(seed=10))
    for session, seed in zip(alone, seeds, strict=True):
        session.reset(seed)
    luck, ended = np.random.default_rng(2), 0
    for _ in range(150):
        actions = [int(luck.choice(np.flatnonzero(row))) for row in legal]
        seen, _, ends, _, info = games.step(actions)
        legal = info["action_mask"]
        for i, session in enumerate(alone):
            session.step(actions[i])
            assert session.over == ends[i]
            assert info["rewards"][i] == pytest.approx(session.rewards())
            if session.over:
                ended += 1
                seeds[i] += 5
                session.reset(seeds[i])
            assert (legal[i] == session.mask()).all()
            assert (seen[i] == session.observation(session.seat)).all()
            assert games.seats[i] == session.seat
    assert ended > 0 or name != "market"
    games.close()


def test_many_games_against_bots(example: Game) -> None:
    """Only the learner's seat is asked; rewards are its own, and on the whole a random learner loses to greedy bots."""
    games = vector(example, num_envs=40, seats=3, bots=["greedy"], seat=1, threads=1)
    _, legal = shown(games.reset(seed=3))
    luck, earned = np.random.default_rng(1), []
    for _ in range(60):
        assert (games.seats == 1).all()
        actions = [int(luck.choice(np.flatnonzero(row))) for row in legal]
        _, rewards, ends, _, info = games.step(actions)
        legal = info["action_mask"]
        assert rewards.shape == (40,)
        assert not rewards[~ends].any()
        earned += list(rewards[ends])
    assert len(earned) > 20
    assert np.mean(earned) < 0
    games.close()


def test_many_games_against_a_bot_of_its_own_file(example: Game) -> None:
    """Its rule decides, as it does in the lab: from the same seed the same games, one at a time or many at once."""
    played = sutler.simulate(example, ["random", CAUTIOUS], games=4, seed=3, rotate=False, threads=1)
    games = vector(example, num_envs=4, bots=[CAUTIOUS], seats=2, threads=1)
    games.reset(seed=3)
    ended = np.zeros(4, bool)
    while not ended.all():
        _, _, ends, _, _ = games.step(games.sample())
        for row in np.flatnonzero(ends & ~ended):
            scores = played.row(int(row), named=True)
            assert games.rows[row]["points"][:2].tolist() == [scores["score_0"], scores["score_1"]]
        ended |= ends
    games.close()


def test_a_level_is_who_the_game_says() -> None:
    """`hard` by rounds, for no clock makes games that can be played again; in Six Winters it is the judge, with its net."""
    games = vector("manor", num_envs=1, seats=2, bots="hard", threads=1)
    assert games.bots["rounds"].tolist() == [0, ROUNDS]
    games.close()
    games = vector("sixwinters", num_envs=1, seats=2, bots="hard", threads=1)
    assert games.bots["row"].astype(bool).tolist() == [False, True]  # where its network is
    assert games.bots["kind"].tolist() == [-1, OWN]
    games.close()


def test_samples_are_legal_and_the_same_again(example: Game) -> None:
    """Each is legal; the same after the same reset; and over many, every legal action comes up."""
    games, met = vector(example, num_envs=50, seats=2, threads=1), []
    for _ in range(2):
        _, legal = shown(games.reset(seed=9))
        rounds = []
        for _ in range(12):
            drawn = games.sample().copy()
            assert legal[np.arange(50), drawn].all()
            rounds.append(drawn)
            legal = games.step(drawn)[-1]["action_mask"]
        met.append(np.stack(rounds))
    assert (met[0] == met[1]).all()
    alike = vector(example, num_envs=50, seats=2, threads=1)
    alike.reset(seed=9)
    alike.rows["out"]["ids"] = alike.rows["out"]["ids"][0]
    assert set(alike.sample().tolist()) == set(np.flatnonzero(alike.masks[0]).tolist())
    games.close()
    alike.close()


def test_what_many_games_refuse(example: Game) -> None:
    """An illegal action names its game and paragraph; wrong shapes and bots are said in words."""
    games = vector(example, num_envs=3, threads=1)
    _, legal = shown(games.reset())
    actions = [int(np.flatnonzero(row)[0]) for row in legal]
    wrong = [*actions[:2], int(np.flatnonzero(legal[2] == 0)[0])]
    with pytest.raises(IllegalAction, match="game 2: ") as told:
        games.step(wrong)
    assert told.value.rule
    with pytest.raises(ValueError, match="one action for each of 3 games"):
        games.step([0, 0])
    with pytest.raises(ValueError, match="do not fill"):
        vector(example, num_envs=2, seats=4, bots=["random", "random"])
    games.close()


# --- What a stranger mistypes --------------------------------------------------------


def test_before_the_first_game_one_is_told_to_begin(example: Game) -> None:
    """Not what a compiler says of a state that is none, and no actions of -1."""
    from sutler.interop.pettingzoo import env

    one, table, games = (
        SeatEnv(example, ["random"], seats=2),
        env(example, seats=2),
        vector(example, num_envs=2, threads=1),
    )
    for early in (
        one.action_masks,
        lambda: one.step(0),
        lambda: table.step(0),
        table.last,
        games.sample,
        lambda: games.step([0, 0]),
    ):
        with pytest.raises(RuntimeError, match="call reset first"):
            early()
    games.close()


def test_an_action_is_a_whole_number(example: Game) -> None:
    """2.7 is not 2, an array is not its only number, and nothing is no action; whatever is a whole number will do."""
    session = walked(example, 2, 4)
    for wrong in (2.7, np.array([3]), None, "3"):
        with pytest.raises(IllegalAction, match="whole number"):
            session.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(IllegalAction, match="whole number"):
        example.new(seats=2).play(2.7)  # type: ignore[arg-type]
    legal = session.legal()[0]
    session.step(np.int64(legal))  # type: ignore[arg-type]
    games = vector(example, num_envs=2, threads=1)
    games.reset()
    with pytest.raises(ValueError, match="whole numbers, not float64"):
        games.step([0.5, 1.0])
    games.close()


def test_bots_and_options_are_named_the_same_way_everywhere(example: Game) -> None:
    """A text names bots as on the command line, settings and all; options stand beside the name of a game, not of a loaded one."""
    from sutler.interop.pettingzoo import env

    assert [one.name for one in SeatEnv(example, "random,greedy:noise=0.5").bots] == ["random", "greedy"]
    games = vector(example, num_envs=1, bots="greedy", seats=3, threads=1)
    assert games.bots["kind"].tolist() == [-1, *[games.bots["kind"][1]] * 2]
    games.close()
    for made in (vector, SeatEnv, env):
        with pytest.raises(ValueError, match="has been loaded already; its options"):
            made(example, hands=3)
    alike = [vector("market", num_envs=1, threads=1, **how) for how in ({"options": {"rounds": 7}}, {"rounds": 7})]
    assert alike[0].game.changed_options() == alike[1].game.changed_options() == {"rounds": 7}
    for one in alike:
        one.close()
    with pytest.raises(ValueError, match=r"bot_from\('search:rounds=3'\)"):
        sutler.bot("search:rounds=3")


def test_too_many_games_are_told_in_bytes(example: Game) -> None:
    """How much memory they would want (here more than any machine can name), instead of the layout of a state."""
    with pytest.raises(
        MemoryError, match=r"1,000,000,000,000 games of [\d,]+ bytes each are [\d,]+ GB.*smaller num_envs"
    ):
        vector(example, num_envs=10**12, threads=1)
