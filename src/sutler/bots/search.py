"""The searching bot: Monte Carlo tree search over redeals (see `_search`), on as many threads as wanted."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from sutler.bots.greedy import GreedyBot
from sutler.bots.kit import Kit, Settings, kit_of, one_of, only_choice
from sutler.bots.kit.records import LUCK, SEARCH
from sutler.core.actions import Action
from sutler.core.chance import seed_luck
from sutler.core.seat import SeatView

SEARCH_STREAM = 2000  # of the generators that the trees have, see core.chance
SLICE = 0.02  # seconds between two looks at the clock
SETTLED = 0.75  # of the remaining time's visits: when the leader cannot be caught, stop


@dataclass(frozen=True)
class SearchBot(Settings):
    """As many rounds as asked for, or as fit in `budget` seconds.

    rounds: how many, 0 for by time; budget: seconds a decision; threads: trees searched side by side; horizon: decisions
    played on after a new node; wander: the share of these taken at random; curiosity, warmth, open_mind, doubt: how the tree
    weighs what it has seen little of (`_search.select`).
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

    def __post_init__(self) -> None:
        if self.rounds < 0 or self.horizon < 0 or self.nodes < 1 or self.playout_nodes < 1 or self.threads < 1:
            raise ValueError("search: rounds and horizon are whole numbers from 0; nodes and threads from 1")
        if self.budget <= 0 and self.rounds == 0:
            raise ValueError("search: give it a budget in seconds or a number of rounds")
        if not 0 <= self.wander <= 1 or not 0 <= self.open_mind <= 1 or self.warmth <= 0:
            raise ValueError("search: wander and open_mind are shares from 0 to 1, warmth is more than 0")

    def choose(self, view: SeatView) -> Action:
        """The action tried most."""
        if only := only_choice(view):
            return only
        if view.game.definition.home.interpreted:
            return GreedyBot().choose(view)  # nobody waits at the table for plain Python to search
        rows = self.explain(view)
        return view.game.action_names[one_of(view, rows[0][0].id)]

    def explain(self, view: SeatView) -> list[tuple[Action, float, int]]:
        """Per action, most tried first: itself, its mean payoff (0 to 1) and how often it was tried."""
        if view.game.definition.home.interpreted:
            return GreedyBot().explain(view)
        kit = kit_of(view.game)
        trees = [_Tree(kit, self, view, number) for number in range(self.threads)]
        if self.threads == 1:
            self._run(trees[0])
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(self._run, trees))
        visits: dict[int, int] = {}
        totals: dict[int, float] = {}
        for tree in trees:
            for action, n, total in tree.children():
                visits[action] = visits.get(action, 0) + n
                totals[action] = totals.get(action, 0.0) + total
        names = view.game.action_names
        rows = [(names[i], totals[i] / n if n else 0.0, n) for i, n in visits.items()]
        if not rows:
            return [(names[i], 0.0, 0) for i in view.legal]
        return sorted(rows, key=lambda row: (-row[2], -row[1], row[0].id))

    def _run(self, tree: _Tree) -> None:
        if self.rounds > 0:
            tree.go(-(-self.rounds // self.threads))
            return
        tree.go(8)
        start, end, rounds = time.perf_counter(), time.perf_counter() + self.budget, 8
        while (now := time.perf_counter()) < end:
            before = time.perf_counter()
            tree.go(rounds)
            took = max(1e-6, time.perf_counter() - before)
            rounds = max(1, min(100_000, int(rounds * SLICE / took)))
            speed = tree.rounds / max(1e-6, time.perf_counter() - start)
            if tree.lead() > SETTLED * speed * max(0.0, end - now) or tree.is_forced():
                return


class _Tree:
    """One search tree on a desk of its own."""

    def __init__(self, kit: Kit, settings: SearchBot, view: SeatView, number: int) -> None:
        self.kit, self.box = kit, view.game.box
        self.bot, self.desk = settings.packed(view.game), kit.desk_for(view, fresh=True)
        self.luck = LUCK.new()
        drawn = view.luck.rng
        seed_luck(self.luck, int(drawn[0]) | (int(drawn[1]) & 0x3FFFFFFF) << 32, SEARCH_STREAM + number)
        self.rounds = 0
        kit.search.plant(self.desk.search)

    def go(self, rounds: int) -> None:
        """Search on."""
        self.kit.search.search_on(self.box, self.desk, self.bot, self.luck, rounds)
        self.rounds += rounds

    def children(self) -> list[tuple[int, int, float]]:
        """The root's actions: id, visits, sum of payoffs."""
        rows, tree = [], self.desk.search.tree
        at = int(tree["child"][0])
        while at >= 0:
            one = tree[at]
            rows.append((int(one["action"]), int(one["visits"]), float(one["total"])))
            at = int(one["sibling"])
        return rows

    def lead(self) -> int:
        """How many visits the first action is ahead of the second."""
        visits = sorted((n for _, n, _ in self.children()), reverse=True)
        return visits[0] - visits[1] if len(visits) > 1 else visits[0] if visits else 0

    def is_forced(self) -> bool:
        """Is there but one sensible action?"""
        return len(self.children()) <= 1
