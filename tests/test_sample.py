"""A sample of the tests: within its budget, of every function a case, and in the course of time everything."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sample import LONG, function_of, read_costs, rest, sample, write_costs

BUDGET = 100.0
COSTS = {f"tests/a.py::test_{k}[{game}]": 0.1 * (k % 7) for k in range(60) for game in ("manor", "bellum", "warfarm")}
COSTS |= {"tests/a.py::test_war": 40.0, "tests/a.py::test_peace": 90.0}


@given(
    costs=st.dictionaries(st.text("ab[", min_size=1, max_size=6), st.floats(0, 500), max_size=12),
    seed=st.text(max_size=3),
)
def test_it_keeps_within_its_budget(costs: dict[str, float], seed: str) -> None:
    names = list(costs)
    chosen = sample(names, costs, BUDGET, seed)
    assert sum(costs[name] for name in chosen) <= BUDGET
    assert chosen == sample(names[::-1], costs, BUDGET, seed)
    more = rest(names, costs, chosen, BUDGET, seed)
    assert not more & chosen
    assert sum(costs[name] for name in more) <= BUDGET


def test_of_every_function_there_is_a_case_and_another_seed_takes_another() -> None:
    chosen = sample(list(COSTS), COSTS, 30.0, "1")
    short = {function_of(name) for name, seconds in COSTS.items() if seconds <= LONG * 30.0}
    assert {function_of(name) for name in chosen} == short
    assert chosen != sample(list(COSTS), COSTS, 30.0, "2")


def test_what_is_new_is_always_in_it() -> None:
    assert "tests/b.py::test_new" in sample([*COSTS, "tests/b.py::test_new"], COSTS, 0.0, "1")


def test_in_the_course_of_time_everything_is_run() -> None:
    """The long ones by what is run of the rest."""
    seen: set[str] = set()
    for seed in range(60):
        chosen = sample(list(COSTS), COSTS, 60.0, str(seed))
        seen |= chosen | rest(list(COSTS), COSTS, chosen, BUDGET, str(seed))
    assert seen == set(COSTS)


def test_costs_are_noted_beside_those_of_before(tmp_path: Path) -> None:
    path = tmp_path / "costs.json"
    assert read_costs("plain", path) == {}
    write_costs("plain", {"a": 1.234, "gone": 2.0}, ["a", "gone"], path)
    write_costs("compiled", {"a": 9.0}, ["a"], path)
    write_costs("plain", {"b": 0.5}, ["a", "b"], path)
    assert read_costs("plain", path) == {"a": 1.23, "b": 0.5}
    assert read_costs("compiled", path) == {"a": 9.0}
