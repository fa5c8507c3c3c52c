"""Market: the words for people."""

from __future__ import annotations

from typing import Any

from sutler.core.actions import Action
from sutler.core.bits import members
from sutler.core.text.sentences import Line, Sentence, Speaker
from sutler.games.market.rules import points

SPOTS = {"ware": "ware:{}"}


def left(box: Any, state: Any, speaker: Speaker) -> Sentence:
    """How long the market still lasts."""
    return speaker.say("{n} rounds left after this one", n=int(box.options.rounds - state.round_no))


def effect(box: Any, state: Any, speaker: Speaker, action: Action) -> Sentence:
    """What an action brings."""
    if action.block == "work":
        return speaker.say("+{n} coins", n=int(box.rules.wage))
    one = box.ware[action.args[0]]
    return speaker.say("{n} coins, worth {worth:n}", n=int(one.cost), worth=int(one.worth))


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """3.2: what the score is made of."""
    lines = []
    for ware in members(state.owned[seat]):
        one = box.ware[ware]
        wanted = one.kind == state.customer[seat]
        lines.append(
            Line((speaker.word("ware", ware),), float(one.worth) * (2 if wanted else 1), "3.3" if wanted else "3.2")
        )
    assert sum(line.points for line in lines) == points(box, state, seat)
    return lines
