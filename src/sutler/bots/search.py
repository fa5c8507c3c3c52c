"""The searching bot: Monte Carlo tree search over redeals of the hidden cards (see `_search`), on one or more threads."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol

from sutler.bots import choose_quick_bot
from sutler.bots.greedy import GreedyBot
from sutler.bots.kit import Kit, Settings, find_only_action, get_kit, replace_illegal_action
from sutler.bots.kit.records import LUCK, SEARCH, find_scale
from sutler.core.actions import Action
from sutler.core.chance import seed_luck
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView

SEARCH_STREAM = 2000  # number of the first tree's stream of random numbers, see core.chance
SLICE_SECONDS = 0.02  # how long a tree is searched between two looks at the clock
FIRST_ROUNDS = 8
MAX_SLICE = 100_000
SHORT_ROUNDS = 100  # a search of at most this many rounds uses the game's SHORT_SEARCH settings
USUAL_SETTINGS: dict[str, Any] = {
    "horizon": 12,
    "wander": 0.1,
    "candidates": 8,
    "trust": 0.05,
    "differ": 0.03,
    "error": 0.0,
    "clear": 2.0,
    "curiosity": 0.3,
    "warmth": 0.15,
    "open_mind": 0.2,
    "doubt": 0.05,
    "chances": 1,
    "calm": 1.0,
}
"""The settings of a search that neither the user nor the game sets."""


@dataclass(frozen=True)
class SearchBot(Settings):
    """The bot that searches a number of rounds, or as many as fit into `budget` seconds, and takes the best action.

    A setting that is None comes from the game's SEARCH (SHORT_SEARCH up to SHORT_ROUNDS rounds), else from USUAL_SETTINGS.

    rounds: rounds of the search; 0 to search by time. budget: seconds a decision, when searching by time.
    threads: search trees, one a thread. 0 stands for one tree when searching by rounds, and by time for every core that no other
    search of this process uses.
    nodes, playout_nodes: positions that a compound move may take, in the tree and in the course after a new node.
    horizon: decisions played after a new node before the game is cut. wander: share (0 to 1) of these taken at random.

    How the tree shares out its rounds (`_search.select`): curiosity: weight of the bonus for actions tried little. warmth: temperature
    of the priors, in units of the game's SCALE. open_mind: share (0 to 1) of the prior that is spread evenly. doubt: by how much less
    than the mean an untried action is supposed to pay.

    How the root shares them out (`_search.start_sweep`): candidates: actions that share the first rounds; half as many share the next,
    and so on. 0: the root is treated like any node, and the action with most visits is taken. The next four are win chances (0 to 1):
    trust: by how much an action with an e times higher prior is supposed to win more; differ: standard deviation between actions of
    equal prior; error: the error of played courses that more rounds do not reduce; clear: number of standard deviations by which an
    action may fall behind before it is dropped.

    How a game that was cut is paid: chances: 1: by the win chances of `chances.toml`; 2: by these without the part for the seat to
    move; 0: a clear lead makes a seat e times as likely to win. calm: the size of a clear lead, in units of the game's SCALE.
    """

    name = "search"
    kind = SEARCH

    rounds: int = 0
    budget: float = 1.0
    threads: int = 1
    nodes: int = 60
    playout_nodes: int = 20
    horizon: int | None = None
    wander: float | None = None
    candidates: int | None = None
    trust: float | None = None
    differ: float | None = None
    error: float | None = None
    clear: float | None = None
    curiosity: float | None = None
    warmth: float | None = None
    open_mind: float | None = None
    doubt: float | None = None
    chances: int | None = None
    calm: float | None = None

    def __post_init__(self) -> None:
        if self.rounds < 0 or self.nodes < 1 or self.playout_nodes < 1 or self.threads < 0:
            raise ValueError("search: rounds and threads are whole numbers from 0; nodes from 1")
        if self.budget <= 0 and self.rounds == 0:
            raise ValueError("search: give it a budget in seconds or a number of rounds")
        told = USUAL_SETTINGS | self._given_settings()
        if min(told[name] for name in ("horizon", "candidates", "trust", "error", "clear")) < 0:
            raise ValueError("search: horizon, candidates, trust, error and clear are 0 or more")
        if min(told[name] for name in ("warmth", "calm", "differ")) <= 0:
            raise ValueError("search: warmth, calm and differ are more than 0")
        if not 0 <= told["wander"] <= 1 or not 0 <= told["open_mind"] <= 1 or told["chances"] not in (0, 1, 2):
            raise ValueError("search: wander and open_mind are shares from 0 to 1, chances is 0, 1 or 2")

    @property
    def searches(self) -> bool:
        """Does this bot search, so that a decision takes long? It always does."""
        return True

    def _given_settings(self) -> dict[str, Any]:
        """The settings that the user gave, without those that are left to the game."""
        return {name: value for name in USUAL_SETTINGS if (value := getattr(self, name)) is not None}

    def packed(self, game: Game) -> Any:
        """The settings as a record, completed by those of the game and USUAL_SETTINGS."""
        wanted = USUAL_SETTINGS | (game.definition.SEARCH or {})
        if 0 < self.rounds <= SHORT_ROUNDS:
            wanted |= game.definition.SHORT_SEARCH or {}
        fitted = replace(self, **wanted | self._given_settings())
        bot = Settings.packed(fitted, game)
        bot.own[0] = (wanted | self._given_settings())["calm"] * find_scale(game.definition)
        return bot

    def choose(self, view: SeatView) -> Action:
        """The best action after the search; the greedy bot's as long as the rules are not compiled."""
        if only := find_only_action(view):
            return only
        if view.game.definition.home.interpreted:
            return GreedyBot().choose(view)  # nobody waits at the table for plain Python to search
        if (other := choose_quick_bot(self, view.game)) is not self:
            decided: Action = other.choose(view)
            return decided
        rows = self.explain(view)
        return view.game.action_names[replace_illegal_action(view, rows[0][0].id)]

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """The actions, the best first: (action, mean payoff from 0 to 1, visits)."""
        if view.game.definition.home.interpreted:
            return GreedyBot().explain(view)
        if (other := choose_quick_bot(self, view.game)) is not self:
            return list(other.explain(view))
        return search_view(self, view)

    def get_template(self, kit: Kit) -> Any:
        """The search compiled for the game of a kit."""
        return kit.search


class Searcher(Protocol):
    """The settings of a bot that searches, as `search_view` reads them: rounds (0: by time), seconds, threads, and the compiled search."""

    @property
    def rounds(self) -> int:
        """Rounds of the search; 0 to search by time."""
        ...

    @property
    def budget(self) -> float:
        """Seconds a decision, when searching by time."""
        ...

    @property
    def threads(self) -> int:
        """Search trees, one a thread; 0: as `SearchBot` says."""
        ...

    def packed(self, game: Game) -> Any:
        """The record of settings that the compiled search reads; each tree has one of its own."""
        ...

    def get_template(self, kit: Kit) -> Any:
        """The search compiled for the game of a kit (`_search`)."""
        ...


def search_view(searcher: Searcher, view: SeatView) -> list[tuple[Action, float, int]]:
    """The actions of a seat's decision after a search, the best first: (action, mean payoff from 0 to 1, visits)."""
    kit, rounds = get_kit(view.game), searcher.rounds
    wanted = searcher.threads or (1 if rounds else count_available_cores())
    goal = -(-rounds // wanted)  # equal in each tree, so that the machine's load changes nothing
    trees = [_Tree(kit, searcher, view, number, goal) for number in range(wanted)]
    if rounds > 0:
        _search_by_rounds(trees)
    else:
        _search_by_time(trees, searcher.threads)
    return rank_actions(view, [tree.scratch for tree in trees], trees[0].bot)


def _search_by_rounds(trees: Sequence[_Tree]) -> None:
    """Search all trees, each for its own number of rounds."""
    if len(trees) == 1:
        trees[0].search_rounds(trees[0].goal)
        return
    with ThreadPoolExecutor(len(trees)) as pool:
        list(pool.map(lambda tree: tree.search_rounds(tree.goal), trees))


def _search_by_time(trees: Sequence[_Tree], threads: int) -> None:
    """Search the first tree until time is up or nothing is left to decide, and the other trees beside it while cores are free."""
    done, me = threading.Event(), threading.get_ident()
    shares = SHARES if threads == 0 else _Shares(threads)
    shares.register_search(me)
    helpers = [
        threading.Thread(target=_search_helper_tree, args=(tree, number, shares, me, done), daemon=True)
        for number, tree in enumerate(trees[1:], start=1)
    ]
    for helper in helpers:
        helper.start()
    try:
        first, end = trees[0], time.perf_counter() + trees[0].budget
        while time.perf_counter() < end and not first.is_settled():
            first.search_slice()
    finally:
        done.set()
        for helper in helpers:
            helper.join()
        shares.remove_search(me)


# --- Sharing the cores ---


def count_available_cores() -> int:
    """The number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Shares:
    """The cores of this process, shared evenly among the searches that run; each search has at least one tree."""

    def __init__(self, cores: int) -> None:
        self.cores = cores
        self._lock = threading.Lock()
        self._at_work: list[int] = []

    def register_search(self, search: int) -> None:
        """Register a running search, identified by its thread."""
        with self._lock:
            self._at_work.append(search)

    def remove_search(self, search: int) -> None:
        """Remove a search that has ended."""
        with self._lock:
            self._at_work.remove(search)

    def count_trees_for(self, search: int) -> int:
        """The number of trees that this search may work on at this moment."""
        with self._lock:
            if search not in self._at_work:
                return 1
            even, over = divmod(self.cores, len(self._at_work))
            return max(1, even + (self._at_work.index(search) < over))


SHARES = _Shares(count_available_cores())
"""The sharing of this process's cores among its searches with `threads=0`."""


def _search_helper_tree(tree: _Tree, tree_number: int, shares: _Shares, search: int, done: threading.Event) -> None:
    """Search tree `tree_number` of a search in slices of time, while the search's share of cores is larger than `tree_number`."""
    while not done.is_set():
        if tree_number < shares.count_trees_for(search):
            tree.search_slice()
        else:
            done.wait(SLICE_SECONDS)


class _Tree:
    """A search tree, in a scratch record of its own. goal: the number of rounds it is to have; 0 when searching by time."""

    def __init__(self, kit: Kit, settings: Searcher, view: SeatView, number: int, goal: int) -> None:
        self.search, self.box = settings.get_template(kit), view.game.box
        self.bot, self.scratch = settings.packed(view.game), kit.scratch_for_view(view, new=True)
        self.luck = LUCK.new()
        drawn = view.luck.rng
        seed_luck(self.luck, int(drawn[0]) | (int(drawn[1]) & 0x3FFFFFFF) << 32, SEARCH_STREAM + number)
        self.slice, self.goal = FIRST_ROUNDS, goal or MAX_SLICE
        self.budget, self.began = settings.budget, 0.0
        self.search.reset_tree(self.scratch.search)

    @property
    def rounds(self) -> int:
        """The number of rounds searched so far."""
        return int(self.scratch.search.tree["visits"][0])

    def search_rounds(self, rounds: int) -> None:
        """Search this many more rounds, or fewer if only one action is left."""
        self.search.search_more_rounds(self.box, self.scratch, self.bot, self.luck, rounds, self.goal)

    def search_slice(self) -> None:
        """Search for about SLICE_SECONDS; estimate from the speed how many rounds fit into the whole budget."""
        before = time.perf_counter()
        self.began = self.began or before
        self.search_rounds(self.slice)
        now = time.perf_counter()
        self.slice = max(1, min(MAX_SLICE, int(self.slice * SLICE_SECONDS / max(1e-6, now - before))))
        self.goal = int(self.rounds * self.budget / max(1e-6, now - self.began))

    def is_settled(self) -> bool:
        """Can the remaining rounds no longer change the choice?"""
        left = max(0, self.goal - self.rounds)
        with run_rules_plainly():
            return bool(self.search.is_choice_settled(self.scratch.search, self.bot, left))


def list_root_children(scratch: Any) -> list[tuple[int, int, float, float]]:
    """The actions at the root of the tree in a scratch record: (id, visits, sum of payoffs, prior)."""
    rows, tree = [], scratch.search.tree
    at = int(tree["child"][0])
    while at >= 0:
        one = tree[at]
        rows.append((int(one["action"]), int(one["visits"]), float(one["total"]), float(one["prior"])))
        at = int(one["sibling"])
    return rows


def rank_actions(view: SeatView, scratches: Sequence[Any], bot: Any) -> list[tuple[Action, float, int]]:
    """The actions of one decision, from the scratch records of all its search trees, in the form and order of `SearchBot.explain`.

    bot: the settings by which the best one is chosen.
    """
    joined: dict[int, list[float]] = {}
    for scratch in scratches:
        for action, *numbers in list_root_children(scratch):
            joined[action] = [a + b for a, b in zip(joined.get(action, (0, 0.0, 0.0)), numbers, strict=True)]
    names, search = view.game.action_names, get_kit(view.game).search
    rounds = sum(visits for visits, _, _ in joined.values())
    mean = sum(total for _, total, _ in joined.values()) / max(1, rounds)
    with run_rules_plainly():
        noise = search.compute_noise_rounds(rounds, mean, sum(float(one.search.squares) for one in scratches), bot)

    def sort_key(action: int) -> tuple[bool, float, float]:
        visits, total, prior = joined[action]
        if bot.candidates == 0:
            return visits > 0, visits, total / visits if visits else 0.0
        return visits > 0, search.compute_promise(visits, total, prior / len(scratches), mean, noise, bot), 0.0

    with run_rules_plainly():  # short, and asked once for each action
        order = sorted(sorted(joined), key=sort_key, reverse=True)
    rows = [(names[i], joined[i][1] / joined[i][0] if joined[i][0] else 0.0, int(joined[i][0])) for i in order]
    return rows or [(names[i], 0.0, 0) for i in view.legal]
