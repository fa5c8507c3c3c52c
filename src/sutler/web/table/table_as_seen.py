"""A table as one viewer sees it at one moment; its parts are cached so that they are not computed again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.bots.kit.win_probability import estimate_win_chances
from sutler.core.text.language import _, get_language
from sutler.web.table import out_of_turn, standing_orders
from sutler.web.table.room import Chart, Room, View
from sutler.web.table.teaching import puzzles

if TYPE_CHECKING:
    from sutler.core.play.position import Position
    from sutler.core.text.sentences import Choice, LogLine, Prompt, Refusal

CHART_POINTS = 160
CHANCE_POINTS = 60
CACHED_VIEWS = 2
"""Views that are cached of each seat in each language: the present one, and the one after its player's last move."""


@dataclass(frozen=True)
class Look:
    """A table as one seat (or a watcher: None) sees it at one moment: everything that a page is drawn from."""

    eyes: int | None
    decision: int
    moment: int | None
    """The number of decisions made at the earlier moment that is shown; None for the present."""
    to_act: int | None
    over: bool
    view: View
    prompt: Prompt
    choices: list[Choice]
    log: list[LogLine]
    since: int
    """The number of decisions after which lines of the log are new to the viewer."""
    before: View | None
    """The viewer's view right after their own last decision."""
    can_undo: bool
    hand_over: int | None
    """The seat to whose player the screen must be handed before anything secret is shown; None for none."""
    result: list[dict[str, Any]]
    begun: bool = True
    """Has the game begun? Before that it is dealt again whenever somebody joins, so nothing of the deal is shown."""


def build_look(room: Room, seats: tuple[int, ...], eyes: int | None, moment: int | None = None) -> Look:
    """The table as these seats see it; with `eyes`, through that seat if it is theirs.

    `moment`: the number of decisions made, None for now.
    """
    with room.lock:
        pos = room.pos
        to_act, over = pos.seat, pos.over
        begun = not room.chairs.waiting
        moment = moment if begun else None
        eyes, hand_over = choose_viewing_seat(room, seats, eyes, moment)
        hand_over = hand_over if begun else None
        shown = pos
        if moment is not None:
            moment = max(0, min(moment, room.decision))
            shown = pos.at(moment)
        since = count_decisions_until_own_last(room, seats)
        away = not begun or eyes in room.chairs.stood_in
        done = (
            moment is None and standing_orders.find_order_answer(room) is not None
        )  # a standing order decides: no choices are shown
        acting = moment is None and not done and to_act in seats and hand_over is None and eyes == to_act
        here = moment is None and hand_over is None and eyes is not None and eyes in seats
        entered = out_of_turn.find_step_in_action(pos, (eyes,)) if here and eyes is not None else None
        asked = acting or (here and entered is None and out_of_turn.asks_whole_team(room))
        choices = (
            list(pos.choices(to_act))
            if asked
            else out_of_turn.list_choices_after_step_in(entered[1], eyes or 0)
            if entered
            else []
        )
        return Look(
            eyes=eyes,
            decision=room.decision,
            moment=moment,
            to_act=None if not begun else to_act if moment is None else shown.seat,
            over=over,
            view=get_view_at(room, eyes, room.decision if moment is None else moment),
            prompt=entered[1].prompt(eyes) if entered else shown.prompt(eyes),
            choices=choices if room.broken is None and not away and not puzzles.is_turn_over(room) else [],
            log=get_log(room, eyes) if begun else [],
            since=since,
            before=get_view_at(room, eyes, since) if 0 < since < room.decision and moment is None else None,
            can_undo=moment is None and can_undo(room, seats),
            hand_over=hand_over,
            result=list(pos.result()) if over else [],
            begun=begun,
        )


def choose_viewing_seat(
    room: Room, seats: tuple[int, ...], eyes: int | None, moment: int | None
) -> tuple[int | None, int | None]:
    """(the seat whose view is shown, the seat to whose player the screen must be handed first); None for either where there is none.

    `seats`: those of the page; `eyes`: the seat that the page asks for.
    """
    to_act = room.pos.seat
    if to_act is None and eyes is not None and 0 <= eyes < len(room.seats):
        return eyes, None  # everybody may see everything once the game is over
    if not seats:
        return None, None
    if (
        to_act is not None
        and to_act in seats
        and to_act != eyes
        and moment is None
        and standing_orders.find_order_answer(room) is None
    ):
        if len(seats) > 1 and knows_hidden_things(room, to_act):
            return None, to_act
        return to_act, None
    return (eyes if eyes in seats else _find_last_decider(room, seats)), None


def knows_hidden_things(room: Room, seat: int) -> bool:
    """Does this seat know anything that other seats do not? Then the screen must be handed over before its view is shown."""
    known = room.cache.hides.get(seat)
    if known is None or known[0] != room.decision:
        mine, all_see = dict(get_view_at(room, seat, room.decision)), dict(get_view_at(room, None, room.decision))
        mine.pop("seat", None)
        all_see.pop("seat", None)
        known = room.cache.hides[seat] = (room.decision, mine != all_see)
    return known[1]


def get_view_at(room: Room, eyes: int | None, decision: int) -> View:
    """The view of a seat (or of a watcher: None) after this many decisions, computed once for all pages."""
    views = room.cache.views
    asked = (eyes, decision, get_language())
    view = views.pop(asked, None)
    if view is None:
        view = (room.pos if decision == room.decision else room.pos.at(decision)).view(eyes)
        alike = [one for one in views if one[0] == eyes and one[2] == asked[2]]
        for oldest in alike[: len(alike) + 1 - CACHED_VIEWS]:
            del views[oldest]
    views[asked] = view
    return view


def list_refusals(room: Room, spot: str) -> list[Refusal]:
    """The reasons why nothing can be done at a spot of the table now."""
    with room.lock:
        return list(room.pos.why_not_at(spot))


def why_not_part(room: Room, block: str, part: int) -> str:
    """The reason why the action of this block with this one part (a number) cannot be taken now; "" when it can, or there is none."""
    with room.lock:
        if part < 0 or len(room.game.definition.actions.blocks[block].kinds) != 1:
            return ""
        refusal = room.pos.why_not(room.game.definition.actions.encode(block, part))
        return "" if refusal is None else refusal.text


def can_undo(room: Room, seats: tuple[int, ...]) -> bool:
    """May one of these seats undo the last decision without asking?"""
    if not room.actions or room.actions[-1][0] not in seats or room.pos.over:
        return False
    if room.cache.undo[0] != room.decision:
        room.cache.undo = (room.decision, room.pos.can_undo(room.actions[-1][0]))
    return room.cache.undo[1]


def can_ask_for_undo(room: Room, seats: tuple[int, ...]) -> bool:
    """Is there a decision of these seats for whose undo they could ask the others?"""
    return room.asked is None and not room.pos.over and any(seat in seats for seat, _ in room.actions)


def count_decisions_until_own_last(room: Room, seats: tuple[int, ...]) -> int:
    """The number of decisions up to the last one made by these seats, which is included; 0 if they made none."""
    for i in range(len(room.actions) - 1, -1, -1):
        if room.actions[i][0] in seats:
            return i + 1
    return 0


def build_score_chart(room: Room, field: str = "") -> Chart:
    """(decisions made, scores of all seats) through the game, for the chart at its end.

    `field`: the field to show instead of the score.
    """
    with room.lock:
        if room.cache.chart is None:
            picked = spread_evenly(room.decision, CHART_POINTS)
            room.cache.chart = [(d, read_chart_values(room.pos.at(d), field)) for d in picked]
        return room.cache.chart


def build_chance_chart(room: Room) -> Chart:
    """(decisions made, chances to win in hundredths) through a finished game; empty while its rules run as plain Python."""
    with room.lock:
        if room.cache.chances is None:
            slow = room.game.definition.home.interpreted
            room.cache.chances = (
                [] if slow else compute_chance_curve(room.pos, spread_evenly(room.decision, CHANCE_POINTS))
            )
        return room.cache.chances


def compute_chance_curve(pos: Position, decisions: list[int]) -> Chart:
    """(decisions made, chances of all seats in hundredths), each as the seat that decided could know them; empty where not known.

    `decisions`: the decisions of the points (`bots.kit.win_probability`).
    """
    found: Chart = []
    for d in decisions:
        then = pos.at(d)
        if then.seat is not None and (known := estimate_win_chances(then.for_seat(then.seat))) is not None:
            found.append((d, [float(round(100 * one)) for one in known]))
    return found


def spread_evenly(decisions: int, max_count: int) -> list[int]:
    """About `max_count` numbers spread over 0 to `decisions`, both ends among them."""
    return sorted({*range(0, decisions + 1, max(1, decisions // max_count)), decisions})


def read_chart_values(pos: Position, field: str) -> list[float]:
    """The value of each seat that a chart shows: the field of the view that `field` names ("tokens.farmland"), or for "" the score."""
    if not field:
        return [float(score) for score in pos.scores()]
    rows = pos.view(None)["seats"]
    for part in field.split("."):
        rows = [row[part] for row in rows]
    return [float(value) for value in rows]


def find_lead_changes(chart: Chart, max_count: int = 5) -> list[int]:
    """The last `max_count` decisions at which another seat took the lead alone."""
    found: list[int] = []
    leader = None
    for decision, row in chart:
        first = [seat for seat, value in enumerate(row) if value == max(row)]
        if len(first) == 1 and first[0] != leader:
            if leader is not None:
                found.append(decision)
            leader = first[0]
    return found[-max_count:]


def read_turn_and_phase(view: View) -> tuple[int | None, str]:
    """(turn, phase) of a view: the turn's number (0 before the first, None where the game has no turns), and the phase's name."""
    return view.get("turn"), dict(view.get("phases", ())).get(view.get("phase"), "")


def format_turn_and_phase(turn: int | None, phase: str) -> str:
    """A turn and a phase in words. `turn`: 0 while the game is set up, None for none."""
    told = "" if turn is None else _("turn {n}", n=turn) if turn else _("setting up")
    return ", ".join(part for part in (told, phase) if part)


def get_log(room: Room, eyes: int | None) -> list[LogLine]:
    """The log that a seat (or a watcher: None) may read; each line is put into words once."""
    reader = (eyes, get_language())
    known = room.cache.logs.setdefault(reader, [])
    upto = room.cache.told.get(reader, -1)
    if upto < room.decision:
        new, same = room.pos.log(eyes, since=upto + 1, first=len(known)), room.cache.lines
        known.extend(same.setdefault(line, line) for line in new)
        room.cache.told[reader] = room.decision
    return list(known)


def _find_last_decider(room: Room, seats: tuple[int, ...]) -> int:
    """The one of these seats that decided last; the first of them if none has."""
    return next((seat for seat, _ in reversed(room.actions) if seat in seats), seats[0])
