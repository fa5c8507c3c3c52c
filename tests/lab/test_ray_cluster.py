"""A crew of other machines: a cluster of two workers plays the same games, to the byte, also when one of them dies."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sutler
from sutler.bots import bot
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.experiment import PartsFolder, Plan, run
from sutler.lab.play.ray_cluster import Crew, Order, connect_crew, import_ray
from sutler.lab.play.simulate import Run, simulate, simulate_span_on_worker

GAMES = 300
SHORT: dict[str, Any] = {"offers": 0, "victory": 5}

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of games of manor want compiled rules"),
]


def test_an_order_says_all_that_matters() -> None:
    """Whoever gets it plays the same span; whoever has other sources refuses."""
    game = sutler.load("manor", {"card": [{"name": "Tournament", "gain": {"victory": 4}}]}, **SHORT)
    order = Order.from_game(game, build_repeatable_bots(["random", "greedy"], game), 5, True, simulate_span_on_worker)
    arrived: Order = pickle.loads(pickle.dumps(order))
    there = arrived.load_game()
    assert (there.box_hash, there.chosen) == (game.box_hash, game.chosen)
    whole = simulate(game, ["random", "greedy"], 12, 5, threads=1)
    assert pl.concat([arrived.play(arrived, there, 0, 5), arrived.play(arrived, there, 5, 12)]).equals(whole)
    with pytest.raises(ValueError, match="another version of Sutler or of Medieval Manor"):
        replace(arrived, code="older").load_game()


def test_without_a_cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """None asked for, none there; one asked for where none runs, in words."""
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))  # where Ray notes the cluster that runs here
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with connect_crew(None) as crew:
        assert crew is None
    with pytest.raises(ValueError, match=r"--ray auto: there is no cluster to be had"), connect_crew("auto"):
        pass


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that plays nothing and two workers.

    Where a worker was killed nobody answers the head's call, five times in five seconds, and it is missed. A worker that is there but slow,
    with a busy machine below it, is waited for: two minutes a call, not ten seconds.
    """
    import_ray()
    from ray.cluster_utils import Cluster

    small = {"object_store_memory": 80 * 2**20, "include_dashboard": False}
    calls = {"health_check_timeout_ms": 120_000, "health_check_period_ms": 1000, "health_check_failure_threshold": 5}
    one = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "_system_config": calls, **small})
    one.add_node(num_cpus=1, **small)
    one.add_node(num_cpus=1, **small)
    yield one
    one.shutdown()


@pytest.fixture(scope="module")
def crew(cluster: Any) -> Iterator[Crew]:
    """The cluster, connected to."""
    with connect_crew(cluster.address) as one:
        assert one is not None
        assert one.size == 2
        yield one


def test_the_same_experiment_to_the_byte(crew: Crew, tmp_path: Path) -> None:
    """Table, events, uses and courses, and what the file tells of itself."""
    plan = Plan(sutler.load("manor", **SHORT), ["random", "greedy"], GAMES, 7)
    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    done: list[int] = []
    run(plan, here)
    run(plan, there, crew, progress=lambda n, _: done.append(n))
    assert done[-1] == GAMES
    assert pl.read_parquet(there).equals(pl.read_parquet(here))
    events = ".events.parquet"
    assert pl.read_parquet(there.with_suffix(events)).equals(pl.read_parquet(here.with_suffix(events)))


def test_the_same_table_whoever_plays(crew: Crew) -> None:
    """Comparisons, sweeps and tournaments are made of such tables."""
    game = sutler.load("manor", **SHORT)
    assert simulate(game, ["greedy", "random", "random"], 50, 3, threads=crew).equals(
        simulate(game, ["greedy", "random", "random"], 50, 3, threads=1)
    )
    with pytest.raises(ValueError, match="on this machine only"):
        simulate(game, ["random"], 4, threads=crew, events=True)


def test_trouble_over_there_is_told_here(crew: Crew) -> None:
    """A worker with other sources plays nothing."""
    game = sutler.load("manor", **SHORT)
    order = replace(
        Order.from_game(game, build_repeatable_bots(["random"] * 2, game), 1, True, simulate_span_on_worker),
        code="older",
    )
    with pytest.raises(ValueError, match="install the same everywhere"):
        list(crew.play_spans(order, [(0, 2)]))


def test_a_worker_killed_midway_loses_nothing(crew: Crew, cluster: Any, tmp_path: Path) -> None:
    """Its span is played again by the other one; the table is that of a run without trouble."""
    game = sutler.load("manor", **SHORT)
    players = build_repeatable_bots(["greedy", "greedy", "random"], game)
    order = Order.from_game(game, players, 11, True, simulate_span_on_worker)
    spans = [(first, first + 40) for first in range(0, 480, 40)]
    parts: dict[int, pl.DataFrame] = {}
    for (first, _), table in crew.play_spans(order, spans):
        if not parts:
            doomed = next(node for node in cluster.worker_nodes)
            cluster.remove_node(doomed, allow_graceful=False)
        parts[first] = table
    whole = Run(game, players, 480, 11, True)
    whole.play_all_games(threads=1)
    assert pl.concat([parts[first] for first, _ in spans]).equals(whole.table())


DRIVER = """
import os, sys
from pathlib import Path
import sutler
from sutler.lab.play.ray_cluster import connect_crew
from sutler.lab.play.experiment import Plan, run

def told(done, games):
    os.write(int(sys.argv[3]), b"%d" % done)
    sys.stdin.read()  # goes no further: it waits to be killed

with connect_crew(sys.argv[1]) as crew:
    run(Plan(sutler.load("manor", offers=0, victory=5), ["random", "greedy"], 600, 7), Path(sys.argv[2]), crew, told)
"""


def test_a_driver_killed_midway_and_begun_again_loses_nothing(crew: Crew, cluster: Any, tmp_path: Path) -> None:
    """What it had is not played again, and the files are those of a run without trouble, a worker being lost as well."""
    plan = Plan(sutler.load("manor", **SHORT), ["random", "greedy"], 600, 7)
    out, without_trouble = tmp_path / "games.parquet", tmp_path / "quiet.parquet"
    hears, tells = os.pipe()  # a line of its own: whatever Ray says of its nodes goes elsewhere
    command = [sys.executable, "-c", DRIVER, cluster.address, str(out), str(tells)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[tells]) as driver, open(hears, "rb", 0) as line:
        os.close(tells)
        done = int(line.read(16))
        driver.kill()
    assert driver.returncode < 0, "killed, not ended"
    assert not out.exists()
    shelf = PartsFolder.open_beside(out, plan)
    assert [done] == [end - first for first, end in plan.spans if shelf.has_part(first, end)], "one part was finished"
    cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20, include_dashboard=False)
    doomed = next(node for node in cluster.worker_nodes)
    kept: list[int] = []

    def lose_a_worker(done: int, games: int) -> None:
        if doomed in cluster.worker_nodes:
            cluster.remove_node(doomed, allow_graceful=False)

    run(plan, out, crew, progress=lose_a_worker, report_kept=kept.append)
    assert kept == [done]
    run(plan, without_trouble)
    for name in (".parquet", ".events.parquet"):
        assert pl.read_parquet(out.with_suffix(name)).equals(pl.read_parquet(without_trouble.with_suffix(name)))


def test_bots_of_every_judgement_play_the_same_there(crew: Crew) -> None:
    """A careless one's, a persona's and a search's: an answer for several bots may be got from a crew."""
    game = sutler.load("manor", **SHORT)
    players = ["greedy", bot("greedy", noise=0.5), "farmer", bot("search", rounds=4)]
    here = simulate(game, players, 8, 3, threads=1)  # compiled once, for the workers too
    assert simulate(game, players, 8, 3, threads=crew).equals(here)


def test_what_a_crew_has_played_is_kept_here(crew: Crew, tmp_path: Path) -> None:
    """Interrupted, the parts stay beside the file, and a run on this machine goes on from them."""
    plan = Plan(sutler.load("manor", **SHORT), ["random", "random"], GAMES, 7)
    out = tmp_path / "games.parquet"

    def interrupt(done: int, games: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Exception, match="the same command goes on from there"):
        run(plan, out, crew, progress=interrupt)
    shelf = PartsFolder.open_beside(out, plan)
    assert any(shelf.has_part(*span) for span in plan.spans)
    kept: list[int] = []
    table = run(plan, out, report_kept=kept.append).collect()
    assert kept[0] > 0
    assert len(table) == GAMES
