"""What a seat may know of Bellum, for people, bots and learners; and the words of prompts and choices."""

from __future__ import annotations

from typing import Any

from sutler.core.chance import below
from sutler.core.rule import rule
from sutler.core.speech import Choice, Line, Prompt, Speaker
from sutler.games.bellum import state as s
from sutler.games.bellum.rules.battle import ATTACKING, most_to_commit

N_OBSERVED = 8


@rule
def observe(box, state, seat, out):
    """The table as numbers."""
    out[0] = state.round_no


@rule
def redeal(box, state, seat, luck):
    """Only a commitment that is chosen and not yet shown is hidden (8.1): drawn anew for all but its owner."""
    if state.phase == s.ANSWER and state.seat_of[state.fight.attacker] != seat:
        most = most_to_commit(box, state, int(state.fight.attacker), int(state.fight.side))
        state.fight.commit[ATTACKING] = below(luck, most + 1)


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    return {}


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    return Prompt(("?",))


def choice(box: Any, state: Any, speaker: Speaker, action: Any) -> Choice:
    return Choice(action.id, action.name, (action.name,))


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    return []
