"""Hints: the strong bot's choice and its estimate, computed in the background, once for each decision."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Sequence
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.bots import choose_quick_bot
from sutler.bots._reasons import Row, add_best_other_action, explain_first_choice, play_action_through
from sutler.bots.kit.win_probability import describe_win_chance
from sutler.core.text.coaching import Coaching, CoachMemory, read_coaching
from sutler.core.text.language import _, get_language
from sutler.web.errors import Refused, Stale
from sutler.web.jobs.job_queue import HINT_LANE
from sutler.web.sentence_html import to_plain_text
from sutler.web.table.room import Room

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.position import Position, SeatView

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
    stakes: tuple[str, ...] = ()
    """Sentences with figures about the choice, such as the odds of a battle, by the game's `text/stakes.py`."""
    outcomes: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = ()
    """(view before, view after) of the choice in several redeals, reduced to the seats' numbers; changes that all share are certain."""
    instead_outcomes: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = ()
    """`outcomes` of the second best choice; changes that both choices make are no reason to prefer one."""


@dataclass(frozen=True)
class AskedDecision:
    """A decision for which a hint is computed.

    `labels`: (label, effect) of the choices by name; `mind`: the game's own warning; `coach`: the game's coach; `phase`: the phase's
    name; `memory`: what the coach has said to the seat.
    """

    labels: dict[str, tuple[str, str]]
    mind: str
    coach: Coaching
    phase: str
    memory: CoachMemory = field(default_factory=CoachMemory)


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
            memory = room.coach_memories.setdefault(seat, CoachMemory())
            asked = AskedDecision(labels, mind, coach, phase, memory)
            thought = room.services.jobs.submit_job(lambda: here.run(_compute_advice, room, sees, asked), HINT_LANE)
            room.advice = (decision, get_language()), thought
        return decision, room.advice[1]


def _compute_advice(room: Room, view: SeatView, asked: AskedDecision) -> Advice:
    """The advice of the server's strong bot, or of the game's coach."""
    return build_advice(view, asked, choose_quick_bot(room.services.bot("hard"), view.game))


def build_advice(view: SeatView, asked: AskedDecision, bot: Any) -> Advice:
    """The advice of a bot (`bot`) for this view, with its reason, or the coach's for a beginner where it has any.

    Where only one action is possible that is all that is said, and the bot is not asked. What the coach says is noted in the memory.
    """
    labels = asked.labels
    if len(labels) == 1:
        only, (text, effect) = next(iter(labels.items()))
        return Advice(only, text, "", effect, asked.mind, because=_("nothing else is possible now"))
    advice = _advise_as_preferred(view, asked) or _advise_as_bot(view, asked, bot)
    asked.memory.note_advice(advice.teaches, advice.because)
    return advice


def _advise_as_preferred(view: SeatView, asked: AskedDecision) -> Advice | None:
    """The advice that the game's author prefers for beginners; None where there is none for this decision."""
    rather = asked.coach.find_preference(asked.phase)
    if rather is None or rather.action not in asked.labels:
        return None
    text, effect = asked.labels[rather.action]
    because, teaches = view.game.tongue(rather.why), _pick_saying(view, asked, rather.action)
    return Advice(rather.action, text, "", effect, asked.mind, because=because, teaches=teaches)


def _advise_as_bot(view: SeatView, asked: AskedDecision, bot: Any) -> Advice:
    """The bot's advice, with the figures that speak for it, or else a rule of thumb of the game's author."""
    thought = level_close_results(put_last_resort_back(bot.explain(view), asked.coach, asked.phase))
    thought = put_safer_action_first(view, add_best_other_action(view, thought), asked.coach)
    action, _value, tried = thought[0]
    text, effect = asked.labels.get(action.name, (action.name, ""))
    thumbs = [view.game.tongue(one) for one in asked.coach.list_rules_of_thumb(asked.phase, action.name)]
    thumb = asked.memory.pick_reason(thumbs)
    advice = Advice(
        action.name,
        text,
        format_estimate(view, tried),
        effect,
        asked.mind,
        outcomes=_sample_outcomes(view, action),
        teaches=_pick_saying(view, asked, action.name),
        stakes=_describe_stakes(view, action),
    )
    if len(thought) == 1:
        return replace(advice, because=thumb)
    second = thought[1][0]
    label, further = asked.labels.get(second.name, ("", ""))
    because = explain_first_choice(view, thought, bot, thumb)
    return replace(
        advice,
        instead=f"{label} ({further})" if further else label,
        because=because if because != asked.memory.last_reason else asked.memory.pick_reason(thumbs),
        instead_outcomes=_sample_outcomes(view, second),
    )


def _pick_saying(view: SeatView, asked: AskedDecision, action: str) -> str:
    """The next sentence that the coach has to say about advising this action, in the reader's language; "" where it has said all."""
    sayings = asked.coach.list_sayings(asked.phase, action)
    return asked.memory.pick_saying(view.game.tongue(one) for one in sayings)


def put_last_resort_back(ranked: Sequence[Row], coach: Coaching, phase: str) -> Sequence[Row]:
    """The actions with values that a bot gave; a last resort (`Coaching.last_resort`) goes behind the next action that is as good."""
    if not ranked or not coach.is_last_resort(phase, ranked[0][0].name):
        return ranked
    others = (row for row in ranked[1:] if not coach.is_last_resort(phase, row[0].name))
    instead = next((row for row in others if is_close_in_search(ranked[0], row)), None)
    return ranked if instead is None else [instead, *(row for row in ranked if row is not instead)]


def put_safer_action_first(view: SeatView, ranked: Sequence[Row], coach: Coaching) -> Sequence[Row]:
    """The actions with values that a bot gave; what the game thinks safer for beginners (`text/stakes.py`) goes first, as good as the best.

    Only a coach does so: a hint without one is the bot's.
    """
    found = _open_stakes(view, ranked[0][0]) if ranked and coach.say else None
    name = found[0].find_safer_action(found[1], ranked[0][0]) if found else ""
    if not name:
        return ranked
    safer, (_best, value, n) = view.game.action(name), ranked[0]
    return [(safer, value, n), *(row for row in ranked if row[0].id != safer.id)]


def level_close_results(ranked: Sequence[Row]) -> Sequence[Row]:
    """The actions with values that a bot gave; the second gets the first's value if a search cannot tell the two apart."""
    if len(ranked) < 2 or not is_close_in_search(*ranked[:2]):
        return ranked
    (_best, value, _n), (other, _value, n_other) = ranked[:2]
    return [ranked[0], (other, value, n_other), *ranked[2:]]


def is_close_in_search(one: Row, other: Row) -> bool:
    """Were both actions searched, and do their shares of games won differ by no more than the 95 % interval of the difference?"""
    from sutler.lab.stats.estimates import compute_share_difference_interval

    low, high = compute_share_difference_interval(_count_games_won(one), _count_games_won(other))
    return bool(one[2] and other[2] and low <= 0 <= high)


def _count_games_won(row: Row) -> tuple[float, int]:
    """(games that a search won with an action, games tried): a margin of victory in its value may lie a little beyond 0 or 1."""
    _action, value, n = row
    return min(max(value, 0.0), 1.0) * n, n


def _open_stakes(view: SeatView, action: Action) -> tuple[Any, Position] | None:
    """The game's `text/stakes.py`, and a redeal in which it can look at the action; None where there is none, or it is not legal there."""
    part = view.game.definition.import_part("text", "stakes")
    if part is None:
        return None
    pos = view.game.from_bytes(view.redeal().tobytes())
    return (part, pos) if action.id in pos.legal_ids() else None


def _describe_stakes(view: SeatView, action: Action) -> tuple[str, ...]:
    """The sentences with figures that the game has about an action (`text/stakes.py`), from what the seat may know."""
    found = _open_stakes(view, action)
    return tuple(found[0].describe_stakes(found[1], view.seat, action)) if found else ()


def _sample_outcomes(view: SeatView, action: Action) -> tuple[tuple[dict[str, Any], dict[str, Any]], ...]:
    """Pairs of the seats' numbers before and after a move, one pair for each of several redeals.

    None where the move ends a stage of the turn: what the next stage brings by itself, such as a meal, would be counted with it.
    """
    found = []
    for _redeal in range(REDEALS):
        world = view.redeal().tobytes()
        before, after = view.game.from_bytes(world), play_action_through(view, world, action)
        if after is not None and not _is_other_stage(before, after):
            shown = (before.view(view.seat), after.view(view.seat))
            found.append(tuple({key: one.get(key) for key in ("seats", "powers")} for one in shown))
    return tuple(found)  # type: ignore[arg-type]


def _is_other_stage(before: Position, after: Position) -> bool:
    """Are two positions in different stages of the turn?"""
    rows = before.game.definition.phases.rows
    was, now = (rows[int(pos.state.phase)].stage for pos in (before, after))
    return bool(was and now and was != now)


def format_estimate(view: SeatView, playouts: int) -> str:
    """The estimate in words: the chance to win where it is known (`bots.kit.win_probability`), and the number of playouts (`playouts`)."""
    played = _("it played {n} on in its head", n=f"{playouts:,}")
    if not playouts:
        return describe_win_chance(view)
    return f"{chance} ({played})" if (chance := describe_win_chance(view)) else played
