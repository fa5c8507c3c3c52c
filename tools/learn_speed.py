"""How many decisions a second learners get, ours and other libraries': python tools/learn_speed.py [--seconds 5] [--json]

Random legal play everywhere, games dealt anew as they end, every step giving observation and mask where the library gives them. What
is counted is seconds of a processor, so that other work on the machine falls on nobody. A library that is not installed is left out:
pip install "sutler[train,openspiel,pettingzoo]" pgx rlcard "pettingzoo[classic]"
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

GAMES = 4096
Play = Iterator[int]
"""A run: each `next` plays on a little, and says how many decisions that were."""


def ours(observe: bool, threads: int = 2, **options: Any) -> Play:
    """Medieval Manor at three seats, many games a call."""
    import sutler

    games = sutler.vector("manor", n=GAMES, seats=3, observe=observe, threads=threads, options=options)
    games.reset(seed=1)
    while True:
        games.step(games.sample())
        yield GAMES


def pgx_game(name: str) -> Play:
    """A game of pgx: many at once, compiled by JAX, dealt anew as they end; its states hold observation and mask."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    made = pgx.make(name)
    step = jax.vmap(auto_reset(made.step, made.init))

    @jax.jit
    def on(states: Any, key: Any) -> Any:
        actions = jax.random.categorical(key, jnp.log(states.legal_action_mask.astype(float)))
        return step(states, actions, jax.random.split(key, GAMES))

    key = jax.random.key(1)
    states = jax.jit(jax.vmap(made.init))(jax.random.split(key, GAMES))
    while True:
        key, own = jax.random.split(key)
        states = jax.block_until_ready(on(states, own))
        yield GAMES


def rlcard_game(name: str) -> Play:
    """A game of RLCard between its random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    while True:
        paths, _ = env.run(is_training=False)
        yield sum(len(path) // 2 for path in paths)


def pettingzoo_game(env: Any) -> Play:
    """A game behind PettingZoo's interface: last, sample by the mask, step."""
    seed = 0
    while True:
        seed += 1
        env.reset(seed=seed)
        n = 0
        for agent in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            env.step(None if over or cut else env.action_space(agent).sample(seen["action_mask"]))
            n += not (over or cut)
        yield n


def openspiel_game(name: str) -> Play:
    """A game of OpenSpiel's own, in C++, played from Python, its observation asked for at every decision."""
    import pyspiel

    game, luck = pyspiel.load_game(name), random.Random(1)
    while True:
        state, n = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choices(actions, chances)[0])
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(luck.choice(state.legal_actions()))
            n += 1
        yield n


def classic(name: str) -> Play:
    """One of PettingZoo's classic games."""
    module = importlib.import_module(f"pettingzoo.classic.{name}")
    return pettingzoo_game(module.env())


RUNS: dict[str, tuple[str, Callable[[], Play]]] = {
    "Sutler, Medieval Manor, masks": ("sutler", lambda: ours(False, offers=0)),
    "Sutler, Medieval Manor, masks and observations": ("sutler", lambda: ours(True, offers=0)),
    "pgx, backgammon": ("pgx", lambda: pgx_game("backgammon")),
    "pgx, connect four": ("pgx", lambda: pgx_game("connect_four")),
    "OpenSpiel, backgammon": ("pyspiel", lambda: openspiel_game("backgammon")),
    "OpenSpiel, connect four": ("pyspiel", lambda: openspiel_game("connect_four")),
    "RLCard, Leduc hold'em": ("rlcard", lambda: rlcard_game("leduc-holdem")),
    "RLCard, Dou Dizhu": ("rlcard", lambda: rlcard_game("doudizhu")),
    "PettingZoo, connect four": ("pettingzoo", lambda: classic("connect_four_v3")),
    "PettingZoo, Leduc hold'em": ("rlcard", lambda: classic("leduc_holdem_v4")),
}


def speed(play: Play, seconds: float) -> tuple[float, float]:
    """Decisions for each second of a processor, and of the clock; what is compiled at first is not counted."""
    for _ in range(3):
        next(play)
    worked, began, n = time.process_time(), time.perf_counter(), 0
    while time.process_time() - worked < seconds:
        n += next(play)
    return n / (time.process_time() - worked), n / (time.perf_counter() - began)


def main() -> None:
    """A line a run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds of a processor for each (5)")
    parser.add_argument("--only", default="", help="runs whose names hold this")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {}
    for name, (library, run) in RUNS.items():
        if given.only in name and importlib.util.find_spec(library):
            np.random.seed(1)
            found[name] = [round(one) for one in speed(run(), given.seconds)]
            if not given.json:
                print("{:48} {:12,} a second of a processor {:12,} of the clock".format(name, *found[name]), flush=True)
    if given.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
