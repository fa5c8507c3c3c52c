"""Market: the words for people."""

from __future__ import annotations

from typing import Any

from sutler.core.actions import Action
from sutler.core.bits import members
from sutler.core.speech import Choice, Line, Prompt, Speaker
from sutler.games.market.box import P
from sutler.games.market.rules import points


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The question of the present decision."""
    if state.phase == P.over:
        return Prompt(("The game is over.",), (), "3.1")
    text = speaker.say("{seat}, work or buy.", seat=int(state.to_act))
    left = int(box.rounds - state.round_no)
    return Prompt(text, (), "2.1", speaker.say("{n} rounds left after this one", n=left))


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """How the table shows one action."""
    if action.block == "work":
        return Choice(action.id, action.name, ("Work",), speaker.say("+{n} coins", n=int(box.wage)), None, action.rule)
    ware = action.args[0]
    label = speaker.say("Buy {ware}", ware=ware)
    one = box.ware[ware]
    effect = speaker.say("{n} coins, worth {worth:n}", n=int(one.cost), worth=int(one.worth))
    at = f"ware:{speaker.word('ware', ware)}"
    return Choice(action.id, action.name, label, effect, at, action.rule)


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
