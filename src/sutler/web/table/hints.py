"""Hints: the strong bot's choice and its estimate, computed in the background once a decision."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sutler.bots import quick_enough_at_table
from sutler.bots._reasons import carried_through, why
from sutler.bots.kit.win_probability import in_words
from sutler.core.language import _, language
from sutler.web.errors import Refused, Stale
from sutler.web.jobs.queue import HINT
from sutler.web.table.room import Room
from sutler.web.wording import plain

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.seat import SeatView

REDEALS = 2
"""How many redeals must agree on a number for it to be told as certain."""
PATIENCE = 20.0
"""Seconds that a page waits for a hint."""


@dataclass(frozen=True)
class Advice:
    """A hint: the choice, its effect, the seat's chance to win, and the warnings of the game itself."""

    action: str
    text: str
    estimate: str
    effect: str = ""
    mind: str = ""
    instead: str = ""
    """The next best, by its label."""
    because: str = ""
    """The reason for the choice rather than for the next best."""
    outcomes: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = ()
    """Its seats' numbers before and after the move, in some redeals of what the seat knows: what they agree on is certain."""


async def advise(room: Room, seats: tuple[int, ...]) -> Advice:
    """The strong bot's hint for the seat that is to decide, from that seat's view alone."""
    decision, future = await asyncio.to_thread(_asked, room, seats)
    try:
        advice = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), PATIENCE)
    except TimeoutError:
        raise Refused("The adviser is still thinking about something else. Ask again in a moment.") from None
    if decision != room.decision:
        raise Stale("The table has moved on meanwhile; ask again.")
    return advice


def _asked(room: Room, seats: tuple[int, ...]) -> tuple[int, Future[Advice]]:
    """(decision, future hint) of a queued question; a second one at the same decision gets the same future."""
    with room.lock:
        room.require_sound()
        seat, decision = room.pos.seat, room.decision
        if seat is None or seat not in seats:
            raise Refused("A hint is for the seat that decides, and that is not yours just now.")
        if room.advice is None or room.advice[0] != (decision, language()) or room.advice[1].cancelled():
            labels = {one.name: (plain(one.label), plain(one.effect)) for one in room.pos.choices(seat)}
            sees, mind = room.for_bot(seat), str(room.pos.view(seat).get("danger", {}).get("worst", ""))
            here = copy_context()  # what is thought elsewhere is told in this reader's language
            thought = room.services.jobs.ask(lambda: here.run(_thought, room, sees, labels, mind), HINT)
            room.advice = (decision, language()), thought
        return decision, room.advice[1]


def _thought(room: Room, sees: SeatView, labels: dict[str, tuple[str, str]], mind: str) -> Advice:
    """The strong bot's choice with its reason."""
    adviser = quick_enough_at_table(room.services.bot("hard"), sees.game)
    thought = adviser.explain(sees)
    action, _, tried = thought[0]
    text, effect = labels.get(action.name, (action.name, ""))
    advice = Advice(action.name, text, estimated(sees, tried), effect, mind, outcomes=_outcomes(sees, action))
    if len(thought) == 1:
        return advice
    second = thought[1][0]
    return replace(advice, instead=labels.get(second.name, ("", ""))[0], because=why(sees, action, second, adviser))


def _outcomes(sees: SeatView, action: Action) -> tuple[tuple[dict[str, Any], dict[str, Any]], ...]:
    """The seats as they see themselves before and after a move, in several redeals."""
    found = []
    for _redeal in range(REDEALS):
        world = sees.redeal().tobytes()
        after = carried_through(sees, world, action)
        if after is not None:
            shown = (sees.game.from_bytes(world).view(sees.seat), after.view(sees.seat))
            found.append(tuple({key: one.get(key) for key in ("seats", "powers")} for one in shown))
    return tuple(found)  # type: ignore[arg-type]


def estimated(sees: SeatView, tried: int) -> str:
    """The estimate in words: the chance to win where it is known (`bots.kit.win_probability`), and how many playouts it rests on."""
    played = _("it played {n} on in its head", n=f"{tried:,}")
    if not tried:
        return in_words(sees)
    return f"{chance} ({played})" if (chance := in_words(sees)) else played
