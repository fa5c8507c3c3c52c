"""What the bots know of Bellum: an attack with nothing is none."""

import sutler
from games.bellum.table import game
from sutler.contract.helpers import play

LEADERS = {"Gustav Adolf": "1005", "Tilly": "1006"}


def thought_about(pos):
    """The actions that the greedy bot weighs."""
    return {action.name for action, *_ in sutler.bot("greedy").explain(pos.for_seat(pos.seat))}


def test_who_attacks_commits_something():
    """8.1: an attacker that commits 0 cannot win."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, 3)})
    assert thought_about(pos) == {"attack Tilly", "end battles"}
    play(pos, "attack Tilly")
    assert thought_about(pos) == {"commit 1", "commit 2", "commit 3"}
    play(pos, "commit 3")
    assert "commit 0" in thought_about(pos), "the defender may spare its strength"


def test_who_has_no_strength_attacks_nobody():
    """8.1: there is nothing to commit."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, 0)})
    assert thought_about(pos) == {"end battles"}
