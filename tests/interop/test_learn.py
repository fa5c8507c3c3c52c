"""The programs of `examples/learn`: what they learn beats what has not learned, on the same games; the bot plays what was learned."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import programs
import sutler
from sutler.bots import bot_from
from sutler.core.play.game import Game
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.simulate import simulate

LEARN = Path(__file__).parents[2] / "examples" / "learn"
OPTIONS = {"offers": 0, "victory": 5}
SMALL = LEARN / "four-lands.toml"


# --- The leaderboard ------------------------------------------------------------


def test_the_curves_are_those_that_were_kept() -> None:
    """The page's table is what the study makes of the files in docs/curves; every game has rows of its own, each with its command."""
    study = programs.program(LEARN.parents[1] / "studies" / "leaderboard.py")
    page = study.PAGE.read_text(encoding="utf-8")
    assert study.with_curves(page) == page
    for name, contest in study.CONTESTS.items():
        rows = page.partition(f"<!-- leaderboard: {name} -->\n")[2].partition("<!-- end -->")[0]
        assert rows.startswith(study.HEAD)
        for one, among, games in contest.rows:
            seats = ",".join([one, *[among or one] * (contest.seats - 1)])
            assert f"--bots {seats}" in rows
            assert f"--games {games} " in rows
    with pytest.raises(ValueError, match="no table of chess"):
        study.with_rows(page, "chess", [])


# --- Learning from wins -------------------------------------------------------


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A table of short games, the weights before and after a few updates, and the folder of the bot that has them."""
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    ppo = programs.program(LEARN / "ppo.py")
    plan = ppo.Plan(games=64, steps=32, batch=512, hidden=32, rate=3e-3)
    table = ppo.Table(sutler.vector("manor", num_envs=64, seats=2, bots=["random"], options=OPTIONS))
    before = ppo.new_weights(1, table, plan.hidden)
    untaught = {name: np.asarray(one) for name, one in before.items()}
    after = ppo.train(table, before, plan, 1, lambda updates, _: updates >= 12, lambda *_: None)
    folder = tmp_path_factory.mktemp("learned")
    shutil.copytree(LEARN / "bots", folder, dirs_exist_ok=True)
    np.savez(folder / "manor.npz", reads=table.reads, acts=table.acts, **after)
    return ppo, table, untaught, after, folder


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="thousands of games want compiled rules")
class TestPpo:
    """A few seconds of the training that takes ten minutes in docs/learn.md."""

    def test_it_wins_more_than_before(self, taught: Any) -> None:
        """The same 64 games, which no training saw, against the same random bots."""
        ppo, table, before, after, _ = taught
        unlearned, ended = ppo.exam(table, before)
        assert ended == 64
        learned, ended = ppo.exam(table, after)
        assert ended == 64
        assert learned > unlearned + 0.2

    def test_the_bot_is_the_policy(self, taught: Any) -> None:
        """NumPy at the table and JAX in training give every action the same chance, also those that never came up in training."""
        ppo, table, _, after, folder = taught
        learned = programs.program(folder / "learned.py")
        seen, legal = table.look()
        ours, _ = ppo.think(after, seen, legal)
        weights = learned.weights_of("manor")
        for row in range(0, 64, 7):
            ids = np.flatnonzero(table.games.masks[row])
            chances = learned.chances(weights, table.games.observations[row], ids)
            columns = np.searchsorted(table.acts, ids)
            assert chances == pytest.approx(np.exp(ours[row])[columns], abs=1e-4)
        strange = np.array([table.acts[0], *table.rest[:2]])
        chances = learned.chances(weights, table.games.observations[0], strange)
        assert chances.sum() == pytest.approx(1)
        assert chances[0] > 0
        assert chances[1] > 0
        assert chances[2] == 0

    def test_it_sits_at_the_table(self, taught: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        """As a level of the lobby, and in the lab by its path; a game it has not learned is said."""
        *_, folder = taught
        monkeypatch.setenv("SUTLER_BOTS", str(folder))
        assert sutler.bots.load_levels()["learned"] == (str(folder / "learned.py"), {})
        game = sutler.load("manor", **OPTIONS)
        played, again = [simulate(game, ["learned", "random"], games=4, seed=1) for _ in range(2)]
        assert played.height == 4
        assert played.equals(again)
        pos = sutler.load("bellum").new(seed=1)
        with pytest.raises(ValueError, match="has not learned bellum yet"):
            bot_from(str(folder / "learned.py")).choose(pos.for_seat(pos.seat))

    def test_an_action_nobody_has_met(self, taught: Any) -> None:
        """The last choice stands for the first legal action that never came up in random play."""
        ppo, table, *_ = taught
        few = ppo.Table(table.games, table.reads, table.acts[:1])
        few.games.reset(seed=1)
        _, legal = few.look()
        wanted = few.games.masks[:, few.rest].argmax(1)
        assert legal[:, 1].all()
        before = few.games.rows["steps"].copy()
        few.step(np.ones(64, int))
        assert (few.games.rows["steps"] == before + 1).all()
        assert few.rest[wanted].min() > 0


def test_a_curve_counts_what_was_won(tmp_path: Path) -> None:
    """Where all play together a reward above nothing is no win: the game says what was won, and the curve has both."""
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    ppo = programs.program(LEARN / "ppo.py")
    none, path = np.zeros((1, 4)), tmp_path / "curve.csv"
    earned, won, ends = np.array([[0.4, 0.6, 0.5, 0.9]]), np.array([[0.0, 1.0, 0.0, 0.0]]), np.array([[1, 1, 1, 0]])
    played = ppo.Played(none, none, none, none, none, earned * ends, won, ends)
    diary = ppo.Diary(path, lambda _: None)
    for updates in range(1, 11):
        diary(updates, 1.0, played, None)
    (row,) = csv.DictReader(path.read_text().splitlines())
    assert (row["games"], row["won"], row["reward"]) == ("30", "0.3333", "0.5")


# --- Solving ------------------------------------------------------------------


def test_what_can_be_gained_falls() -> None:
    """Four rounds on a game of two deals: far less can be gained against the average than after one."""
    pytest.importorskip("pyspiel")
    cfr = programs.program(LEARN / "cfr.py")
    game = cfr.small(2)
    gains = {done: cfr.gain(game, policy) for done, policy in cfr.solved(game, 4)}
    assert list(gains) == [1, 2, 4]
    assert gains[4] < gains[1] / 2
    assert gains[4] >= 0


def test_a_game_of_so_many_deals() -> None:
    """One chance node, all deals equally likely, another box; serialised and back it is the same."""
    pyspiel = pytest.importorskip("pyspiel")
    game = programs.program(LEARN / "cfr.py").small(5)
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(k, 0.2) for k in range(5)]
    state.apply_action(3)
    assert not state.is_chance_node()
    twin = pyspiel.load_game(str(game)).deserialize_state(state.serialize())
    assert twin.information_state_string() == state.information_state_string()
    assert twin.legal_actions() == state.legal_actions()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert sum(state.returns()) == 0
    with pytest.raises(Exception, match="deals=-1"):
        pyspiel.load_game("sutler_manor", {"deals": -1})


def test_four_lands_end_with_their_first_turn() -> None:
    """The box is a game of its own: four lands, eight cards, one turn."""
    game, luck = sutler.load("manor", SMALL), np.random.default_rng(1)
    assert [land.name for land in game.sheet.land] == ["Good Fields", "Woods", "Village", "Castle"]
    for seed in range(20):
        pos = game.new(seats=2, seed=seed)
        while not pos.over:
            pos.play(game.action_names[int(luck.choice(pos.legal_ids()))])
        assert pos.state.turn == 1


# --- The picture ----------------------------------------------------------------


def test_a_curve_is_drawn(tmp_path: Path) -> None:
    """Every row of the table is a point of the line; the file is SVG by itself."""
    table = tmp_path / "curve.csv"
    table.write_text("decisions,won\n1000,0.5\n2000,0.75\n3000,1\n")
    drawn = ElementTree.fromstring(
        programs.program(LEARN / "curve.py").drawn(table, "decisions", "won", "Decisions", 1000)
    )
    (series,) = [one for one in drawn.iter() if one.tag.endswith("polyline")]
    points = [tuple(map(float, point.split(","))) for point in series.attrib["points"].split()]
    assert len(points) == 3
    assert {"2", "Decisions", "50\N{NO-BREAK SPACE}%"} <= {one.text for one in drawn.iter() if one.tag.endswith("text")}
    assert points[0][1] > points[1][1] > points[2][1]


# --- Other libraries ------------------------------------------------------------


def test_pufferlib_steps_many_games(example: Game) -> None:
    """Where PufferLib is: its own vector of our environments; a policy that reads what is legal is never refused, another is put right."""
    pytest.importorskip("pufferlib")
    torch = pytest.importorskip("torch")
    import pufferlib.vector

    puffer = programs.program(LEARN / "with_pufferlib.py")
    how = {"game": "market", "num_games": 3, "bots": "random", "seats": 2, "threads": 1}
    games = pufferlib.vector.make(puffer.Games, num_envs=2, env_kwargs=how, backend=pufferlib.vector.Serial)
    policy, (seen, _) = puffer.Masked(games.driver_env), games.reset(seed=1)
    ended, refused = 0, 0
    for step in range(60):
        with torch.no_grad():
            logits, _ = policy(torch.as_tensor(seen))
        n = logits.shape[1]
        actions = torch.distributions.Categorical(logits=logits).sample().numpy()
        assert seen[np.arange(6), seen.shape[1] - n + actions].all()
        if step % 10 == 9:
            actions[0] = seen[0, -n:].argmin()
        seen, _, terminals, _, told = games.step(actions)
        ended += int(terminals.sum())
        refused += sum(one.get("refused", 0) for one in told)
    assert ended
    assert refused == 6
    games.close()


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_rllib_trains_a_seat(example: Game) -> None:
    """Where Ray is: a round of its PPO, by a module that reads what is legal; an illegal action would end it."""
    ray = pytest.importorskip("ray")
    pytest.importorskip("torch")
    rllib = programs.program(LEARN / "with_rllib.py")
    ray.init(num_cpus=1, include_dashboard=False)
    learner = rllib.plan({"game": "market", "bots": "random", "seats": 2}, 64).build_algo()
    played = learner.train()["env_runners"]
    assert played["num_env_steps_sampled"] == 64
    assert -1 <= played["episode_return_mean"] <= 1
    learner.stop()
    ray.shutdown()
