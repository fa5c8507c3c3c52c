"""Hints: the strong bot's choice and its estimate, computed in the background, once for each decision."""

from __future__ import annotations

import asyncio
import functools
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.bots import choose_quick_bot
from sutler.bots._reasons import add_best_other_action, explain_first_choice, play_action_through
from sutler.bots.kit.win_probability import describe_win_chance
from sutler.core.text.coaching import Coaching, read_coaching
from sutler.core.text.language import _, get_language
from sutler.web.errors import Refused, Stale
from sutler.web.jobs.job_queue import HINT_LANE
from sutler.web.sentence_html import to_plain_text
from sutler.web.table.room import Room

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.position import SeatView

REDEALS = 2
"""The number of redeals that must agree on a change of a number for it to be shown as certain."""
PATIENCE = 20.0
"""Seconds that a page waits for a hint."""


@dataclass(frozen=True)
class Advice:
    """A hint for a decision: the choice (`action`, `text`), its effect, the seat's chance to win, and the game's own warning (`mind`)."""

    action: str
    text: str
    estimate: str
    effect: str = ""
    mind: str = ""
    instead: str = ""
    """The label of the second best choice, its effect in brackets."""
    because: str = ""
    """The reason to prefer the choice to the second best."""
    teaches: str = ""
    """A sentence of the game's coach about this kind of decision; "" except at tables with a coach."""
    outcomes: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = ()
    """(view before, view after) of the choice in several redeals, reduced to the seats' numbers; changes that all share are certain."""
    instead_outcomes: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = ()
    """`outcomes` of the second best choice; changes that both choices make are no reason to prefer one."""


@dataclass(frozen=True)
class AskedDecision:
    """A decision for which a hint is computed.

    `labels`: (label, effect) of the choices by name; `mind`: the game's own warning; `coach`: the game's coach; `phase`: the phase's
    name.
    """

    labels: dict[str, tuple[str, str]]
    mind: str
    coach: Coaching
    phase: str


@functools.cache
def load_coaching(folder: Path) -> Coaching:
    """The coaching texts of the game in this folder, read once."""
    return read_coaching(folder)


async def find_hint(room: Room, seats: tuple[int, ...]) -> Advice:
    """The strong bot's hint for the seat that is to decide, from that seat's view alone.

    `seats`: those of the person who asks. Raises Refused where it is not their turn, or the hint takes too long; raises Stale where
    somebody has moved.
    """
    decision, future = await asyncio.to_thread(_request_hint, room, seats)
    try:
        advice = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), PATIENCE)
    except TimeoutError:
        raise Refused("The adviser is still thinking about something else. Ask again in a moment.") from None
    if decision != room.decision:
        raise Stale("The table has moved on meanwhile; ask again.")
    return advice


def _request_hint(room: Room, seats: tuple[int, ...]) -> tuple[int, Future[Advice]]:
    """(decision, future hint) for the present decision. Further requests for the same decision get the same future."""
    with room.lock:
        room.require_sound()
        seat, decision = room.pos.seat, room.decision
        if seat is None or seat not in seats or room.chairs.waiting:
            raise Refused("A hint is for the seat that decides, and that is not yours just now.")
        if room.advice is None or room.advice[0] != (decision, get_language()) or room.advice[1].cancelled():
            labels = {one.name: (to_plain_text(one.label), to_plain_text(one.effect)) for one in room.pos.choices(seat)}
            phase = room.game.definition.phases.words[int(room.pos.state.phase)]
            coach = load_coaching(room.game.definition.folder) if room.created.coach else Coaching()
            sees, mind = room.view_for_bot(seat), str(room.pos.view(seat).get("danger", {}).get("worst", ""))
            here = copy_context()  # another thread computes the hint, in the language of this reader
            thought = room.services.jobs.submit_job(
                lambda: here.run(_compute_advice, room, sees, AskedDecision(labels, mind, coach, phase)), HINT_LANE
            )
            room.advice = (decision, get_language()), thought
        return decision, room.advice[1]


def _compute_advice(room: Room, view: SeatView, asked: AskedDecision) -> Advice:
    """The advice of the server's strong bot, or of the game's coach."""
    return build_advice(view, asked, choose_quick_bot(room.services.bot("hard"), view.game))


def build_advice(view: SeatView, asked: AskedDecision, bot: Any) -> Advice:
    """The advice of a bot (`bot`) for this view, with its reason, or the coach's for a beginner where it has any.

    Where only one action is possible that is all that is said, and the bot is not asked.
    """
    labels, tongue = asked.labels, view.game.tongue
    if len(labels) == 1:
        only, (text, effect) = next(iter(labels.items()))
        return Advice(only, text, "", effect, asked.mind, because=_("nothing else is possible now"))
    rather = asked.coach.find_preference(asked.phase)
    if rather is not None and rather.action in labels:
        text, effect = labels[rather.action]
        teaches = tongue(asked.coach.find_saying(asked.phase, rather.action))
        return Advice(rather.action, text, "", effect, asked.mind, because=tongue(rather.why), teaches=teaches)
    thought = add_best_other_action(view, bot.explain(view))
    action, _value, tried = thought[0]
    text, effect = labels.get(action.name, (action.name, ""))
    thumb = tongue(asked.coach.find_rule_of_thumb(asked.phase, action.name))
    advice = Advice(
        action.name,
        text,
        format_estimate(view, tried),
        effect,
        asked.mind,
        outcomes=_sample_outcomes(view, action),
        teaches=tongue(asked.coach.find_saying(asked.phase, action.name)),
    )
    if len(thought) == 1:
        return replace(advice, because=thumb)
    second = thought[1][0]
    label, further = labels.get(second.name, ("", ""))
    return replace(
        advice,
        instead=f"{label} ({further})" if further else label,
        because=explain_first_choice(view, thought, bot, thumb),
        instead_outcomes=_sample_outcomes(view, second),
    )


def _sample_outcomes(view: SeatView, action: Action) -> tuple[tuple[dict[str, Any], dict[str, Any]], ...]:
    """Pairs of the seats' numbers before and after a move, one pair for each of several redeals."""
    found = []
    for _redeal in range(REDEALS):
        world = view.redeal().tobytes()
        after = play_action_through(view, world, action)
        if after is not None:
            shown = (view.game.from_bytes(world).view(view.seat), after.view(view.seat))
            found.append(tuple({key: one.get(key) for key in ("seats", "powers")} for one in shown))
    return tuple(found)  # type: ignore[arg-type]


def format_estimate(view: SeatView, playouts: int) -> str:
    """The estimate in words: the chance to win where it is known (`bots.kit.win_probability`), and the number of playouts (`playouts`)."""
    played = _("it played {n} on in its head", n=f"{playouts:,}")
    if not playouts:
        return describe_win_chance(view)
    return f"{chance} ({played})" if (chance := describe_win_chance(view)) else played
