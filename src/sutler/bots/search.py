"""The searching bot: Monte Carlo tree search over redeals (see `_search`), on as many threads as wanted."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from typing import Any

from sutler.bots import quick_enough_at_table
from sutler.bots.greedy import GreedyBot
from sutler.bots.kit import Kit, Settings, kit_of, legal_choice, only_choice
from sutler.bots.kit.records import LUCK, SEARCH, scale_of
from sutler.core.actions import Action
from sutler.core.chance import seed_luck
from sutler.core.play.game import Game
from sutler.core.play.seat import SeatView

SEARCH_STREAM = 2000  # of the generators that the trees have, see core.chance
SLICE_SECONDS = 0.02  # seconds between two looks at the clock
FIRST_ROUNDS = 8
SHORT_ROUNDS = 100  # a search of at most this many rounds trusts the greedy values more than what it has seen, where the game says so
SETTLED_SHARE = 0.75  # of the remaining time's visits: when the leader cannot be caught, stop


@dataclass(frozen=True)
class SearchBot(Settings):
    """A search of a number of rounds, or of as many as fit in `budget` seconds.

    rounds: how many, 0 for by time; budget: seconds a decision; threads: trees searched side by side, 0 by time for one on every
    core that no other search has (by rounds: one); horizon: decisions played on after a new node; wander: the share of these
    taken at random; curiosity, warmth, open_mind, doubt: how the tree weighs what it has seen little of (`_search.select`);
    calm: how many times the game's SCALE a clear lead is. Up to SHORT_ROUNDS, settings not given are those of the game's SHORT_SEARCH.
    """

    name = "search"
    kind = SEARCH

    rounds: int = 0
    budget: float = 1.0
    threads: int = 1
    nodes: int = 60
    horizon: int = 12
    playout_nodes: int = 20
    wander: float = 0.1
    curiosity: float = 1.0
    warmth: float = 0.15
    open_mind: float = 0.2
    doubt: float = 0.05
    calm: float = 1.0

    def __post_init__(self) -> None:
        if self.rounds < 0 or self.horizon < 0 or self.nodes < 1 or self.playout_nodes < 1 or self.threads < 0:
            raise ValueError("search: rounds, horizon and threads are whole numbers from 0; nodes from 1")
        if self.budget <= 0 and self.rounds == 0:
            raise ValueError("search: give it a budget in seconds or a number of rounds")
        if not 0 <= self.wander <= 1 or not 0 <= self.open_mind <= 1 or self.warmth <= 0 or self.calm <= 0:
            raise ValueError("search: wander and open_mind are shares from 0 to 1, warmth and calm are more than 0")

    def packed(self, game: Game) -> Any:
        """The record; with few rounds, settings left at their default are those that the game wants."""
        usual = {one.name: one.default for one in fields(SearchBot)}
        wanted = dict(game.definition.SEARCH or {})
        if 0 < self.rounds <= SHORT_ROUNDS:
            wanted |= game.definition.SHORT_SEARCH or {}
        fitted = replace(self, **{name: value for name, value in wanted.items() if getattr(self, name) == usual[name]})
        bot = Settings.packed(fitted, game)
        bot.own[0] = fitted.calm * scale_of(game.definition)
        return bot

    def choose(self, view: SeatView) -> Action:
        """The action tried most."""
        if only := only_choice(view):
            return only
        if view.game.definition.home.interpreted:
            return GreedyBot().choose(view)  # nobody waits at the table for plain Python to search
        if (other := quick_enough_at_table(self, view.game)) is not self:
            decided: Action = other.choose(view)
            return decided
        rows = self.explain(view)
        return view.game.action_names[legal_choice(view, rows[0][0].id)]

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """For each action, most tried first: itself, its mean payoff (0 to 1) and how often it was tried."""
        if view.game.definition.home.interpreted:
            return GreedyBot().explain(view)
        if (other := quick_enough_at_table(self, view.game)) is not self:
            return list(other.explain(view))
        kit, wanted = kit_of(view.game), self.threads or (1 if self.rounds else available_cores())
        trees = [_Tree(kit, self, view, number) for number in range(wanted)]
        if self.rounds > 0:
            self._by_rounds(trees)
        else:
            self._by_time(trees)
        return ranked_by_visits(view, [tree.scratch for tree in trees])

    def _by_rounds(self, trees: Sequence[_Tree]) -> None:
        """Search an equal number of rounds in each tree, so that the machine's load changes nothing."""
        rounds = -(-self.rounds // len(trees))
        if len(trees) == 1:
            trees[0].go(rounds)
            return
        with ThreadPoolExecutor(len(trees)) as pool:
            list(pool.map(lambda tree: tree.go(rounds), trees))

    def _by_time(self, trees: Sequence[_Tree]) -> None:
        """Search the first tree until the time is up or all is settled; the others beside it, as long as there are cores for them."""
        done, me = threading.Event(), threading.get_ident()
        shares = SHARES if self.threads == 0 else _Shares(self.threads)
        shares.enter(me)
        helpers = [
            threading.Thread(target=_search_beside, args=(tree, number, shares, me, done), daemon=True)
            for number, tree in enumerate(trees[1:], start=1)
        ]
        for helper in helpers:
            helper.start()
        try:
            self._lead_on(trees)
        finally:
            done.set()
            for helper in helpers:
                helper.join()
            shares.leave(me)

    def _lead_on(self, trees: Sequence[_Tree]) -> None:
        first = trees[0]
        start, end = time.perf_counter(), time.perf_counter() + self.budget
        first.go(FIRST_ROUNDS)
        while (now := time.perf_counter()) < end:
            first.go_on()
            speed = sum(tree.rounds for tree in trees) / max(1e-6, time.perf_counter() - start)
            if visit_lead(trees) > SETTLED_SHARE * speed * max(0.0, end - now) or first.is_forced():
                return


def visit_lead(trees: Sequence[_Tree]) -> int:
    """The visits by which the first action is ahead of the second, all trees together."""
    visits: dict[int, int] = {}
    for tree in trees:
        for action, n, _ in children(tree.scratch):
            visits[action] = visits.get(action, 0) + n
    most = sorted(visits.values(), reverse=True)
    return most[0] - most[1] if len(most) > 1 else sum(most)


# --- Who has which core ---


def available_cores() -> int:
    """The number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Shares:
    """Cores shared evenly among the searches at work: each has at least one tree, and the first ones what is left over."""

    def __init__(self, cores: int) -> None:
        self.cores = cores
        self._lock = threading.Lock()
        self._at_work: list[int] = []

    def enter(self, search: int) -> None:
        """Begin a search, named by its thread."""
        with self._lock:
            self._at_work.append(search)

    def leave(self, search: int) -> None:
        """End a search."""
        with self._lock:
            self._at_work.remove(search)

    def of(self, search: int) -> int:
        """The number of trees that a search may work on now."""
        with self._lock:
            if search not in self._at_work:
                return 1
            even, over = divmod(self.cores, len(self._at_work))
            return max(1, even + (self._at_work.index(search) < over))


SHARES = _Shares(available_cores())
"""How this process shares its cores among searches at work."""


def _search_beside(tree: _Tree, number: int, shares: _Shares, search: int, done: threading.Event) -> None:
    """Search in a further tree, slice by slice, while the search's share allows."""
    while not done.is_set():
        if number < shares.of(search):
            tree.go_on()
        else:
            done.wait(SLICE_SECONDS)


class _Tree:
    """One search tree in a scratch record of its own."""

    def __init__(self, kit: Kit, settings: SearchBot, view: SeatView, number: int) -> None:
        self.kit, self.box = kit, view.game.box
        self.bot, self.scratch = settings.packed(view.game), kit.scratch_for(view, fresh=True)
        self.luck = LUCK.new()
        drawn = view.luck.rng
        seed_luck(self.luck, int(drawn[0]) | (int(drawn[1]) & 0x3FFFFFFF) << 32, SEARCH_STREAM + number)
        self.rounds, self.slice = 0, FIRST_ROUNDS
        kit.search.new_tree(self.scratch.search)

    def go(self, rounds: int) -> None:
        """Search this many rounds more."""
        self.kit.search.search_on(self.box, self.scratch, self.bot, self.luck, rounds)
        self.rounds += rounds

    def go_on(self) -> None:
        """Search on for about a slice of time."""
        before = time.perf_counter()
        self.go(self.slice)
        took = max(1e-6, time.perf_counter() - before)
        self.slice = max(1, min(100_000, int(self.slice * SLICE_SECONDS / took)))

    def is_forced(self) -> bool:
        """Is there only one sensible action?"""
        return len(children(self.scratch)) <= 1


def children(scratch: Any) -> list[tuple[int, int, float]]:
    """The actions at the root of the tree in a scratch record: id, visits, sum of payoffs."""
    rows, tree = [], scratch.search.tree
    at = int(tree["child"][0])
    while at >= 0:
        one = tree[at]
        rows.append((int(one["action"]), int(one["visits"]), float(one["total"])))
        at = int(one["sibling"])
    return rows


def ranked_by_visits(view: SeatView, scratches: Sequence[Any]) -> list[tuple[Action, float, int]]:
    """The actions, payoffs and visits that searches of one decision left in their scratch records, together, as in `SearchBot.explain`."""
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for scratch in scratches:
        for action, n, total in children(scratch):
            visits[action] = visits.get(action, 0) + n
            totals[action] = totals.get(action, 0.0) + total
    names = view.game.action_names
    rows = [(names[i], totals[i] / n if n else 0.0, n) for i, n in visits.items()]
    if not rows:
        return [(names[i], 0.0, 0) for i in view.legal]
    return sorted(rows, key=lambda row: (-row[2], -row[1], row[0].id))
