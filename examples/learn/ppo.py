"""Masked PPO on thousands of games a call: python ppo.py manor --minutes 10

It plays one seat against bots and learns from wins and losses alone; where all play together it plays every seat and learns from the
score. Its weights go to bots/GAME.npz, which bots/learned.py plays with, its curve to GAME.csv. One file to read and to change: the
network, the games played, the loss, the loop.
"""

from __future__ import annotations

import argparse
import csv
import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

import sutler
from sutler.lab.stats.estimates import compute_wilson_interval

HERE = Path(__file__).parent
BARRED = -1e9  # the logit of an action that is not legal
EXAM_SEED = 1_000_000_000  # games that no training has seen


@dataclass(frozen=True)
class Plan:
    """How it learns. Every number here is worth a try."""

    games: int = 256  # side by side
    steps: int = 64  # decisions in each between two updates
    batch: int = 2048
    epochs: int = 2
    hidden: int = 128
    rate: float = 1e-3
    discount: float = 0.997
    trace: float = 0.95  # how far an advantage looks ahead (the lambda of GAE)
    clip: float = 0.2
    wonder: float = 0.01  # what entropy is worth


class Played(NamedTuple):
    """What was seen and done: arrays of shape (steps, games, ...)."""

    seen: Any
    legal: Any
    action: Any  # its number among the choices
    chance: Any  # the logarithm of the probability that the action had
    value: Any
    reward: Any
    won: Any  # the share of the win: a shared first place in parts, and 1 if all won together
    end: Any


# --- The network ------------------------------------------------------------


def new_weights(seed: int, table: Table, hidden: int) -> dict[str, Any]:
    """Two hidden layers, and from the second one number an action and one for the value."""
    weights: dict[str, Any] = {}
    key, seen, actions = jax.random.key(seed), len(table.reads), len(table.acts) + 1
    for name, rows, columns, scale in (
        ("first", seen, hidden, 1.4),
        ("second", hidden, hidden, 1.4),
        ("policy", hidden, actions, 0.01),
        ("value", hidden, 1, 1.0),
    ):
        key, own = jax.random.split(key)
        weights[name] = jax.random.normal(own, (rows, columns)) * scale / np.sqrt(rows)
        weights[f"{name}_bias"] = jnp.zeros(columns)
    return weights


def think(weights: Any, seen: Any, legal: Any) -> tuple[Any, Any]:
    """The logarithms of the policy's probabilities, and the value: of a batch of observations."""
    x = jnp.sign(seen) * jnp.log1p(jnp.abs(seen))  # counts of ten and of a hundred are not worlds apart
    x = jax.nn.relu(x @ weights["first"] + weights["first_bias"])
    x = jax.nn.relu(x @ weights["second"] + weights["second_bias"])
    logits = jnp.where(legal > 0, x @ weights["policy"] + weights["policy_bias"], BARRED)
    return jax.nn.log_softmax(logits), (x @ weights["value"] + weights["value_bias"])[..., 0]


@jax.jit
def act(weights: Any, seen: Any, legal: Any, luck: Any) -> tuple[Any, Any, Any]:
    """An action for each game, drawn by a number above 0 and up to 1; the logarithm of its probability; the value."""
    chances, value = think(weights, seen, legal)
    heap = jnp.cumsum(jnp.exp(chances), 1)
    action = jnp.argmax(heap >= luck[:, None] * heap[:, -1:], 1)
    return action, jnp.take_along_axis(chances, action[:, None], 1)[:, 0], value


# --- Playing ----------------------------------------------------------------


class Table:
    """Many games at once, seen through what matters: the numbers that change in random play, the actions that come up in it.

    A table of two has no third seat, and nothing is read or weighed for it. Should only actions be legal that never came up, the
    last choice stands for the first of them.
    """

    def __init__(self, games: Any, reads: Any = None, acts: Any = None) -> None:
        self.games = games
        self.reads, self.acts = (reads, acts) if reads is not None else self._look()
        self.rest = np.setdiff1d(np.arange(games.masks.shape[1]), self.acts)

    def _look(self, steps: int = 500) -> tuple[Any, Any]:
        seen, info = self.games.reset(seed=0)
        low, high, ever = seen.min(0), seen.max(0), info["action_mask"].any(0)
        for _ in range(steps):
            seen, _, _, _, info = self.games.step(self.games.sample())
            low, high = np.minimum(low, seen.min(0)), np.maximum(high, seen.max(0))
            ever |= info["action_mask"].any(0)
        return np.flatnonzero(high > low), np.flatnonzero(ever)

    def look(self) -> tuple[Any, Any]:
        """What is seen and which choices there are, of every game: copies, for the next step writes over the games' own."""
        legal = self.games.masks
        return self.games.observations[:, self.reads], np.c_[legal[:, self.acts], legal[:, self.rest].any(1)]

    def step(self, choice: Any) -> tuple[Any, Any, Any]:
        """Take a choice in every game: rewards, what was won, ends."""
        action = np.append(self.acts, 0)[choice]
        for row in np.flatnonzero(choice == len(self.acts)):
            action[row] = self.rest[self.games.masks[row, self.rest].argmax()]
        _, reward, over, cut, info = self.games.step(action)
        return reward, info["won"], over | cut


def play(table: Table, weights: Any, luck: Any, steps: int) -> tuple[Played, Any]:
    """So many decisions in each game; and the value of where they stand."""
    rows = []
    for _ in range(steps):
        seen, legal = table.look()
        action, chance, value = act(weights, seen, legal, 1 - luck.random(len(seen), np.float32))
        reward, won, end = table.step(np.asarray(action))
        rows.append((seen, legal, action, chance, value, reward, won, end))
    last = act(weights, *table.look(), np.ones(len(reward), np.float32))[2]
    return Played(*(np.stack(column) for column in zip(*rows, strict=True))), last


def advantages(played: Played, last: Any, plan: Plan) -> Any:
    """How much better than expected each decision went (generalised advantage estimation)."""
    out, ahead, value = np.zeros_like(played.value), 0.0, np.asarray(last)
    for t in reversed(range(len(out))):
        goes_on = 1.0 - played.end[t]
        surprise = played.reward[t] + plan.discount * value * goes_on - played.value[t]
        ahead = surprise + plan.discount * plan.trace * goes_on * ahead
        out[t], value = ahead, played.value[t]
    return out


def exam(table: Table, weights: Any, seed: int = EXAM_SEED, most: int = 20_000) -> tuple[float, int]:
    """The share of games won (a shared first place in parts) of one game a row, and how many of them came to their end."""
    games, luck = table.games, np.random.default_rng(seed)
    games.reset(seed=seed)
    done, won = np.zeros(games.num_envs, bool), np.zeros(games.num_envs)
    for _ in range(most):
        action, _, _ = act(weights, *table.look(), 1 - luck.random(games.num_envs, np.float32))
        _, share, end = table.step(np.asarray(action))
        first = end & ~done
        won[first] = share[first]
        done |= end
        if done.all():
            break
    return float(won.sum() / games.num_envs), int(done.sum())


# --- Learning ---------------------------------------------------------------


def loss(weights: Any, batch: Any, plan: Plan) -> Any:
    """PPO's clipped objective, the error of the value, and a little for trying things."""
    seen, legal, action, before, gain, target = batch
    chances, value = think(weights, seen, legal)
    ratio = jnp.exp(jnp.take_along_axis(chances, action[:, None], 1)[:, 0] - before)
    kept = jnp.clip(ratio, 1 - plan.clip, 1 + plan.clip)
    policy = -jnp.minimum(ratio * gain, kept * gain).mean()
    entropy = -(jnp.exp(chances) * jnp.where(legal > 0, chances, 0)).sum(1).mean()
    return policy + 0.5 * jnp.square(value - target).mean() - plan.wonder * entropy


def optimiser(plan: Plan) -> Any:
    """Adam, with steps of bounded length."""
    return optax.chain(optax.clip_by_global_norm(0.5), optax.adam(plan.rate, eps=1e-5))


@functools.partial(jax.jit, static_argnames="plan", donate_argnames=("weights", "memory"))
def improve(weights: Any, memory: Any, batch: Any, plan: Plan) -> tuple[Any, Any]:
    """One step down the gradient of the loss."""
    steps, memory = optimiser(plan).update(jax.grad(loss)(weights, batch, plan), memory)
    return optax.apply_updates(weights, steps), memory


def learn_from(weights: Any, memory: Any, played: Played, gain: Any, luck: Any, plan: Plan) -> tuple[Any, Any]:
    """A few times over everything that was played, in batches drawn by lot."""
    target = gain + played.value
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    columns = (played.seen, played.legal, played.action, played.chance, gain, target)
    flat = [column.reshape(-1, *column.shape[2:]) for column in columns]
    for _ in range(plan.epochs):
        drawn = luck.permutation(len(flat[0]))
        for picked in drawn.reshape(-1, min(plan.batch, len(drawn))):
            weights, memory = improve(weights, memory, tuple(column[picked] for column in flat), plan)
    return weights, memory


def train(
    table: Table, weights: Any, plan: Plan, seed: int, enough: Callable[[int, float], bool], told: Callable[..., None]
) -> dict[str, Any]:
    """Play and learn until it is enough (updates so far, seconds so far); `told` hears how it goes. Returns the weights."""
    table.games.reset(seed=seed)
    luck = np.random.default_rng(seed)
    memory, updates, began = optimiser(plan).init(weights), 0, time.monotonic()
    while not enough(updates, time.monotonic() - began):
        played, last = play(table, weights, luck, plan.steps)
        weights, memory = learn_from(weights, memory, played, advantages(played, last, plan), luck, plan)
        updates += 1
        told(updates, time.monotonic() - began, played, weights)
    return {name: np.asarray(one) for name, one in weights.items()}


class Diary:
    """The curve: of the games that ended in ten updates, how many were won, and the mean reward at their end.

    A line each, on the screen and in a file.
    """

    def __init__(self, path: Path, keep: Callable[[Any], None], goes_on: bool = False) -> None:
        self.path, self.keep, self.decisions = path, keep, 0
        self._forget()
        self.worked = time.process_time()
        if goes_on and path.exists():
            return
        with path.open("w", newline="") as file:
            csv.writer(file).writerow(["seconds", "processor", "updates", "decisions", "games", "won", "reward"])

    def _forget(self) -> None:
        self.ended, self.won, self.reward = 0, 0.0, 0.0

    def __call__(self, updates: int, seconds: float, played: Played, weights: Any) -> None:
        """After each update."""
        self.ended += int(played.end.sum())
        self.won += float(played.won.sum())
        self.reward += float(played.reward.sum())
        self.decisions += played.end.size
        if updates % 10:
            return
        if self.ended:
            worked = time.process_time() - self.worked
            line = [round(seconds), round(worked), updates, self.decisions, self.ended]
            line += [round(self.won / self.ended, 4), round(self.reward / self.ended, 4)]
            with self.path.open("a", newline="") as file:
                csv.writer(file).writerow(line)
            print(
                "{:5} s ({} of a processor), update {}, {:,} decisions: {} games, {:.1%} won, {:+.3f}".format(*line),
                flush=True,
            )
            self._forget()
        self.keep(weights)


def asked() -> argparse.Namespace:
    """What stands on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", help="one of `sutler games`, such as manor")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to learn (10)")
    parser.add_argument(
        "--updates", type=int, help="how often to learn, whatever it takes: the same result each time; 0: only the exam"
    )
    parser.add_argument("--seats", type=int, help="how many sit there; the fewest of two or more if left out")
    parser.add_argument(
        "--bots",
        help="who sits in the other seats, with commas (random); where all play together, nobody: the learner plays all seats",
    )
    parser.add_argument("--set", action="append", default=[], metavar="KEY=NUMBER", help="an option, such as offers=0")
    parser.add_argument("--games", type=int, default=Plan.games, help="games side by side (256)")
    parser.add_argument("--exam", type=int, default=1000, help="games to judge it by at the end (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go-on", action="store_true", help="begin with the weights that are there")
    parser.add_argument("--out", type=Path, default=HERE / "bots", help="the folder of learned.py")
    return parser.parse_args()


def main() -> None:
    """Learn, keep the weights and the curve, and say how good it has become."""
    given = asked()
    plan = Plan(games=given.games)
    game = sutler.load(
        given.game, settings={key: int(value) for key, _, value in (one.partition("=") for one in given.set)}
    )
    bots = given.bots if given.bots is not None else "" if game.definition.COOPERATIVE else "random"
    if not (bots or game.definition.COOPERATIVE):
        raise SystemExit("one learner in all seats is made for games that are won together: name --bots")
    games = functools.partial(sutler.vector, game, seats=given.seats or max(2, game.min_seats), bots=bots, copy=False)
    path = given.out / f"{given.game}.npz"
    before = dict(np.load(path)) if given.go_on else {}
    table = Table(games(num_envs=plan.games), before.pop("reads", None), before.pop("acts", None))

    def keep(weights: Any) -> None:
        np.savez(path, reads=table.reads, acts=table.acts, **weights)

    def enough(updates: int, seconds: float) -> bool:
        return seconds > given.minutes * 60 if given.updates is None else updates >= given.updates

    begun = {name: jnp.asarray(one) for name, one in before.items()} or new_weights(given.seed, table, plan.hidden)
    weights = train(table, begun, plan, given.seed, enough, Diary(path.with_suffix(".csv"), keep, given.go_on))
    keep(weights)
    won, ended = exam(Table(games(num_envs=given.exam), table.reads, table.acts), weights)
    low, high = compute_wilson_interval(won * given.exam, given.exam)
    against = f" against {bots}" if bots else ""
    print(f"{won:.1%} of {given.exam} new games won{against} (95 %: {low:.1%} to {high:.1%}); {ended} ended")


if __name__ == "__main__":
    main()
