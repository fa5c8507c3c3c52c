"""The lab knows no game: Market, which lies outside the package, is compared, swept, played off and asked for its cards."""

from __future__ import annotations

import pytest

from cli.conftest import python
from sutler.core.rule import PLAIN_ONLY

CODE = """
from sutler.lab.studies.compare import compare
from sutler.lab.studies.card_value import estimate_card_impact
from sutler.lab.play.query import Query
from sutler.lab.studies.sweep import run_sweep
from sutler.lab.studies.tournament import run_tournament
from sutler.core.play.game import load

def market(**settings):
    return load("market", None, {"rounds": 5} | settings)

planted = compare(Query(market(), ["random"], 2, 1200, threads=1), market(**{"ware.Linen.worth": 4}), figures=["score", "turns"])
print({name: one.verdict for name in ("score", "turns") for one in planted.effects if one.figure.name == name})
curve = run_sweep(Query("market", ["random"], 2, 20, threads=1), "rounds=5,10")
turns = next(figure for figure in curve.figures if figure.name == "turns")
print([point.figures[turns][0] for point in curve.points])
found = run_tournament(Query(market(), ["random", "greedy"], seats=2, games=10, threads=1))
print(len(found.tables), found.compute_share_ahead(1, 0).value > 0.5)
worth = estimate_card_impact(Query(market(), ["random"], 2, 20, threads=1))
print(worth.about["kind"], worth.about["hand"], sum(one.draws for one in worth.cards) > 20)
"""


@pytest.mark.skipif(PLAIN_ONLY, reason="plain Python in a process of its own: once is enough")
def test_a_game_that_the_lab_was_not_made_for() -> None:
    """Linen, worth 2, made worth 4: the score says so, the length does not; rounds are turns; greedy is ahead; wares are cards."""
    done = python(CODE, SUTLER_PLAIN="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "{'score': 'more', 'turns': 'same'}",
        "[5.0, 10.0]",
        "3 True",
        "ware owned True",
    ]
