"""Market: what a seat may know, and the words for people."""

from __future__ import annotations

from typing import Any

import numpy as np

from sutler.core.actions import Action
from sutler.core.bits import has, members
from sutler.core.chance import below
from sutler.core.rule import rule
from sutler.core.speech import Choice, Line, Prompt, Speaker
from sutler.games.market.box import ACTIONS, KINDS, SEATS, WARES
from sutler.games.market.rules import OVER, points

N_OBSERVED = 3 + KINDS + 2 * WARES + SEATS * (1 + WARES)


@rule
def observe(box, state, seat, out):
    """The open table and one's own customer, as numbers; seats in order from one's own."""
    out[0] = state.round_no
    out[1] = (state.to_act - seat + state.n_seats) % state.n_seats
    out[2] = state.n_seats
    out[3 + state.customer[seat]] = 1
    at = 3 + KINDS
    for ware in range(WARES):
        out[at + ware] = has(state.stall, ware)
        out[at + WARES + ware] = has(state.cart, ware)
    at += 2 * WARES
    for k in range(state.n_seats):
        one = (seat + k) % state.n_seats
        out[at] = state.coins[one]
        for ware in range(WARES):
            out[at + 1 + ware] = has(state.owned[one], ware)
        at += 1 + WARES


@rule
def redeal(box, state, seat, luck):
    """What this seat cannot know is drawn anew: the customers of the others, until the end shows them."""
    if state.phase == OVER:
        return
    left = np.uint64((1 << KINDS) - 1) & ~(np.uint64(1) << np.uint64(state.customer[seat]))
    for other in range(state.n_seats):
        if other != seat:
            kind = below(luck, KINDS)
            while left >> np.uint64(kind) & np.uint64(1) == np.uint64(0):
                kind = below(luck, KINDS)
            left &= ~(np.uint64(1) << np.uint64(kind))
            state.customer[other] = kind


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data. Built from nothing, so that nothing slips through."""

    def wares(held: Any) -> list[str]:
        return [str(speaker.word("ware", ware)) for ware in members(held)]

    def customer(of: int) -> str | None:
        known = of == seat or state.phase == OVER
        return str(speaker.word("kind", int(state.customer[of]))) if known else None

    return {
        "round": int(state.round_no),
        "rounds": int(box.rounds),
        "seat": seat,
        "to_act": None if state.phase == OVER else int(state.to_act),
        "stall": wares(state.stall),
        "cart": wares(state.cart),
        "seats": [
            {
                "seat": one,
                "name": str(speaker.word("seat", one)),
                "coins": int(state.coins[one]),
                "wares": wares(state.owned[one]),
                "customer": customer(one),
            }
            for one in range(int(state.n_seats))
        ],
    }


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The question of the present decision."""
    if state.phase == OVER:
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
    return Choice(action.id, action.name, label, effect, at, ACTIONS.blocks["buy"].rule)


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
