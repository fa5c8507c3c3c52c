"""Hints: the strong bot's choice and its estimate, computed in the background once a decision."""

from __future__ import annotations

import asyncio
import functools
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.bots import quick_enough_at_table
from sutler.bots._reasons import beside_another, carried_through, why
from sutler.bots.kit.win_probability import in_words
from sutler.core.text.coaching import Coaching, coaching_in
from sutler.core.text.language import _, language
from sutler.web.errors import Refused, Stale
from sutler.web.jobs.queue import HINT
from sutler.web.table.room import Room
from sutler.web.wording import plain

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.seat import SeatView

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
    teaches: str = ""
    """The sentence of the game's coach about such a question; "" but at a first game's table."""
    outcomes: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = ()
    """Its seats' numbers before and after the move, in some redeals of what the seat knows: what they agree on is certain."""
    instead_outcomes: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = ()
    """These numbers for the next best: what both bring alike comes anyway, and is no reason."""


@dataclass(frozen=True)
class Asked:
    """A decision that advice is sought for: its choices' labels and effects by name, what the game warns of, who coaches, the phase."""

    labels: dict[str, tuple[str, str]]
    mind: str
    coach: Coaching
    phase: str


@functools.cache
def coaching_of(folder: Path) -> Coaching:
    """The coaching of the game in a folder, read once."""
    return coaching_in(folder)


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
            phase = room.game.definition.phases.words[int(room.pos.state.phase)]
            coach = coaching_of(room.game.definition.folder) if room.created.coach else Coaching()
            sees, mind = room.for_bot(seat), str(room.pos.view(seat).get("danger", {}).get("worst", ""))
            here = copy_context()  # what is thought elsewhere is told in this reader's language
            thought = room.services.jobs.ask(
                lambda: here.run(_thought, room, sees, Asked(labels, mind, coach, phase)), HINT
            )
            room.advice = (decision, language()), thought
        return decision, room.advice[1]


def _thought(room: Room, sees: SeatView, asked: Asked) -> Advice:
    """The advice of the house's strong bot, or of the game's coach."""
    return advice_for(sees, asked, quick_enough_at_table(room.services.bot("hard"), sees.game))


def advice_for(sees: SeatView, asked: Asked, adviser: Any) -> Advice:
    """The adviser's choice with its reason, or what the game's coach advises a beginner instead."""
    labels, tongue = asked.labels, sees.game.tongue
    teaches, rather = tongue(asked.coach.saying(asked.phase)), asked.coach.preference(asked.phase)
    if rather is not None and rather.action in labels:
        text, effect = labels[rather.action]
        return Advice(rather.action, text, "", effect, asked.mind, because=tongue(rather.why), teaches=teaches)
    thought = beside_another(sees, adviser.explain(sees))
    action, _, tried = thought[0]
    text, effect = labels.get(action.name, (action.name, ""))
    advice = Advice(
        action.name, text, estimated(sees, tried), effect, asked.mind, outcomes=_outcomes(sees, action), teaches=teaches
    )
    if len(thought) == 1:
        return replace(advice, because=tongue(asked.coach.rule_of_thumb(asked.phase, action.name)))
    second = thought[1][0]
    return replace(
        advice,
        instead=labels.get(second.name, ("", ""))[0],
        because=why(sees, thought, adviser) or tongue(asked.coach.rule_of_thumb(asked.phase, action.name)),
        instead_outcomes=_outcomes(sees, second),
    )


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
