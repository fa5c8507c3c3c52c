"""Which tests are run when there is not time for all: `pytest --within 300 --seed 7` (`make test` does so).

`tests/costs.json` says how long each test took when all were run (`pytest --note-costs`). Of every test function one case is
taken, by the seed, the cheap ones first; then further cases, until the budget is spent. What is not in the file is new and always
run. Another seed takes other cases, so that several runs come round to all of them but those that cost more than a fair part of the
budget; these are run by `make test-all` alone, in CI in turn (`--rest`), and before a release.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

COSTS = Path(__file__).parent / "costs.json"
LONG = 0.02
"""Of the budget, what one test may cost to be taken into a sample: a longer one would crowd out fifty others."""


def function_of(name: str) -> str:
    """The test function of a case: `tests/a.py::test_b[manor-3]` is one of `tests/a.py::test_b`."""
    return name.partition("[")[0]


def sample(names: Sequence[str], costs: Mapping[str, float], budget: float, seed: str) -> set[str]:
    """The names of the tests to run: together they take at most `budget` seconds, by `costs` (seconds by name).

    Tests without a cost are all in it, and cost nothing. The same names, costs and seed give the same sample.
    """
    luck = random.Random(seed)
    chosen = {name for name in names if name not in costs}
    cases: dict[str, list[str]] = {}
    for name in sorted(set(names) - chosen):
        if costs[name] <= LONG * budget:
            cases.setdefault(function_of(name), []).append(name)
    first, further = [], []
    for function in cases.values():
        luck.shuffle(function)
        first.append(function[0])
        further += function[1:]
    luck.shuffle(further)
    spent = 0.0
    for name in (*sorted(first, key=lambda one: costs[one]), *further):
        if spent + costs[name] <= budget:
            spent += costs[name]
            chosen.add(name)
    return chosen


def rest(names: Sequence[str], costs: Mapping[str, float], sampled: set[str], budget: float, seed: str) -> set[str]:
    """Further tests within another budget: of those that `sample` left out, the long ones too, some by the seed."""
    left = sorted(set(names) - sampled)
    random.Random(f"rest {seed}").shuffle(left)
    spent, chosen = 0.0, set()
    for name in left:
        if spent + costs.get(name, 0.0) <= budget:
            spent += costs.get(name, 0.0)
            chosen.add(name)
    return chosen


def read_costs(mode: str, path: Path = COSTS) -> dict[str, float]:
    """How long each test takes, in seconds of one worker, in this mode ("compiled" or "plain"); empty if nothing was noted."""
    return dict(json.loads(path.read_text()).get(mode, {})) if path.exists() else {}


def write_costs(mode: str, costs: Mapping[str, float], known: Iterable[str], path: Path = COSTS) -> None:
    """Put these costs beside those noted before; of this mode, tests that are not among `known` any more are dropped."""
    noted = json.loads(path.read_text()) if path.exists() else {}
    kept = set(known)
    both = {**noted.get(mode, {}), **{name: round(seconds, 2) for name, seconds in costs.items()}}
    noted[mode] = {name: both[name] for name in sorted(both) if name in kept}
    lines = [
        f'"{mode}": {{\n' + ",\n".join(f"{json.dumps(name)}: {seconds}" for name, seconds in of.items()) + "\n}"
        for mode, of in sorted(noted.items())
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
