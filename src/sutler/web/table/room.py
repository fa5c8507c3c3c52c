"""The room of a table: its position, its seats, its events, and committing new events.

A room is derived from its events (`web.events`), which the store keeps; `registry` creates rooms and loads them after a restart. What
people can do at a table is in other modules, which import this one: `moves`, `proposals`, `undo`, `joining`, `chat`, `clocks`,
`changed_rules`. The consequences of an event are left to the room's listeners (`services.Listeners`).
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sutler.core.play.sealed_luck import mix_seed
from sutler.core.play.standing_order_answers import find_ended_orders
from sutler.core.play.standing_orders import update_order_names
from sutler.core.text.coaching import CoachMemory
from sutler.web.errors import Lost, Refused, RequestError, Stale
from sutler.web.events import (
    Acted,
    AnsweredBack,
    AskedBack,
    Created,
    Ended,
    Event,
    Hidden,
    Joined,
    Mixed,
    Noted,
    Noticed,
    Ordered,
    Proposed,
    Rematch,
    Removed,
    Renamed,
    Resumed,
    Said,
    SeatPlan,
    Taught,
    Undone,
)
from sutler.web.jobs.gil_priority import YieldingRLock
from sutler.web.storage.store import Conflict, StoredEvent
from sutler.web.table.people.seating import Chairs
from sutler.web.table.services import Services
from sutler.web.tokens import derive_bot_seed, make_seat_token

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.events import Told
    from sutler.core.files.replay import Break
    from sutler.core.play.game import Game
    from sutler.core.play.position import Position, SeatView
    from sutler.core.text.sentences import LogLine
    from sutler.web.storage.listing_row import BestTurn

LOG = logging.getLogger("sutler.web")
MAX_EVENTS = 20_000
"""The most events of one table, after which people can do nothing more there: each costs some 0.3 ms when the table is opened again."""
SNAPSHOT_INTERVAL = 25
"""The number of decisions between two states that are stored along with the events."""
OF_THIS_PROCESS = {
    *("id", "services", "game", "lock", "changes", "cache", "thinking", "gone"),
    *("bot_job", "advice", "coach_memories", "review", "best_turns", "next_clock_check", "subscribers", "came"),
}
"""Fields of a room that are not derived from its events, and are left unchanged when the events are read again."""
Subscriber = tuple[asyncio.AbstractEventLoop, asyncio.Event]
"""A page that waits for news of the table: its event is set, in its loop, whenever something on the page may have changed."""


View = dict[str, Any]
Chart = list[tuple[int, list[float]]]
"""Points of a chart: (number of decisions made, a value for each seat)."""


@dataclass
class RenderCache:
    """A cache of data derived from a game's past; everything in it is dropped when the past changes (undo)."""

    chart: Chart | None = None
    chances: Chart | None = None
    logs: dict[tuple[int | None, str], list[LogLine]] = field(default_factory=dict)
    """Log lines, by (seat or None, language)."""
    told: dict[tuple[int | None, str], int] = field(default_factory=dict)
    """The number of decisions that each log covers, by (seat or None, language)."""
    lines: dict[LogLine, LogLine] = field(default_factory=dict)
    """Lines that occur in several logs, so that each is in memory once."""
    views: dict[tuple[int | None, int, str], View] = field(default_factory=dict)
    """Recent views, by (seat or None, number of decisions made, language), the latest last."""
    parts: dict[tuple[str, str, str], tuple[tuple[Any, ...], Markup]] = field(default_factory=dict)
    """Parts of pages, by (address of the viewer, language, name of the part): the variables a part was rendered from, and its HTML."""
    undo: tuple[int, bool] = (-1, False)
    """(number of decisions made, may the last one be undone by the seat that made it?)."""
    hides: dict[int, tuple[int, bool]] = field(default_factory=dict)
    """{seat: (number of decisions made, does the seat know anything that others do not?)}."""
    epoch: int = 0
    """How often lines of the log that pages have shown were removed or changed."""

    def clear(self) -> None:
        """Drop everything, because the game's past has changed."""
        self.chart = self.chances = None
        self.logs, self.told, self.lines, self.views, self.undo, self.hides = {}, {}, {}, {}, (-1, False), {}
        self.parts = {}
        self.epoch += 1


@dataclass
class UndoRequest:
    """A seat's request to undo its decisions from number `to` on."""

    seat: int
    to: int


@dataclass
class Proposal:
    """An action that a seat proposes for a team's decision, and whether another person has seen the proposal."""

    seat: int
    action: str
    seen: bool = False


@dataclass
class Room:
    """One table. All code that reads or changes it holds `lock`; nothing slow is done while it is held."""

    id: str
    services: Services
    created: Created
    game: Game
    pos: Position
    lock: YieldingRLock = field(default_factory=YieldingRLock)
    seq: int = 0
    seats: list[SeatPlan] = field(default_factory=list)
    chairs: Chairs = field(init=False)
    """The state of the seats: who has come, where a bot stands in, and the clock."""
    actions: list[tuple[int, str]] = field(default_factory=list)
    talk: list[Said] = field(default_factory=list)
    orders: dict[int, list[str]] = field(default_factory=dict)
    """The standing orders of each seat."""
    notes: list[Noted] = field(default_factory=list)
    """Players' feedback for the designer."""
    private_events: list[int] = field(default_factory=list)
    """The seat of each event that no other seat may learn of, in order."""
    asked: UndoRequest | None = None
    refused: int | None = None
    proposed: Proposal | None = None
    next_table: str = ""
    turned: int = 0
    """The number of seats by which everybody moved for the rematch."""
    taught: list[int] = field(default_factory=lambda: [0])
    """The number of decisions at the beginning of each step of the lesson, up to the present step."""
    changes: int = 0
    rerolls: list[tuple[int, int]] = field(default_factory=list)
    """New random numbers after an undo: (decisions made then, number of the undo)."""
    n_rerolls: int = 0
    """The number of all undos after which random numbers were drawn at random again."""
    numbers: list[Mixed] = field(default_factory=list)
    """The players' own numbers, mixed into the seed in this order."""
    begun: bool = False
    """Has anybody ever moved? From then on the cards are not dealt again."""
    broken: Break | None = None
    """The decision from which the game differs under changed rules, until a player decides how it goes on; None where it does not."""
    kept_state: tuple[int, bytes] | None = None
    """(decisions made, bytes) of a stored state from which such a game could go on."""
    cache: RenderCache = field(default_factory=RenderCache)
    thinking: bool = False
    """Is a bot's decision queued or being computed?"""
    gone: bool = False
    """Was the table removed?"""
    bot_job: int = 0
    """The number of the bot's decision that is queued now; jobs with older numbers do nothing."""
    advice: tuple[tuple[int, str], Future[Any]] | None = None
    """((decisions made, language), the hint that was asked for then (`hints.Advice`))."""
    coach_memories: dict[int, CoachMemory] = field(default_factory=dict)
    """The coach's memory of what it has said to each seat that asked."""
    best_turns: tuple[BestTurn, ...] | None = None
    """The best turns of the finished game, once they were found (`best_turns`)."""
    review: Future[Any] | None = None
    """The costly decisions of the finished game, once somebody has asked (`lab.studies.costly_decisions.CostlyDecision`)."""
    next_clock_check: datetime | None = None
    """The time at which the time limit is enforced next."""
    subscribers: dict[Subscriber, tuple[int, ...]] = field(default_factory=dict)
    """The pages that wait for news, each with its seats."""
    came: int = 0
    """The number of pages opened and closed while the table waited for its players."""

    # --- Opening ------------------------------------------------------------------------------------

    def __post_init__(self) -> None:
        self.chairs = Chairs.from_plan(self.created)

    @property
    def persons_have_come(self) -> list[bool]:
        """For each seat, whether its person has come."""
        return self.chairs.taken

    @classmethod
    def load_from_events(cls, services: Services, table: str, kept: list[StoredEvent]) -> Room:
        """The room derived from these stored events.

        Raises Lost where the table was removed, RequestError where its events are damaged.
        """
        created = kept[0].event
        if isinstance(created, Removed):
            raise Lost("Whoever keeps the house has taken this table away.")
        if not isinstance(created, Created):
            raise RequestError("The record of this table is damaged: it has no beginning.", status=500)
        game = services.game_of(created)
        room = cls(table, services, created, game, create_first_position(game, created, created.opening))
        room.seats = list(created.seats)
        for one in kept:
            room.apply_event(one.event, one.at, is_played=False)
        room.seq = kept[-1].seq + 1
        room.changes = room.seq
        room._replay()
        return room

    def _replay(self) -> None:
        """Replay the actions to the present position; under changed rules, only as far as the game agrees."""
        self.pos.names = [seat.name for seat in self.seats]
        actions, states = [action for _, action in self.actions], self.services.store.load_snapshots(self.id)
        self.broken, self.kept_state = replay_actions(self.pos, actions, states, dict(self.rerolls))
        if self.broken is not None:
            LOG.warning("table %s, %s", self.id, self.broken)
            del self.actions[self.broken.agreed :]

    def _rewind(self, decision_count: int) -> None:
        """Undo decisions until `decision_count` are left."""
        while len(self.actions) > decision_count:
            self.pos.undo()
            self.actions.pop()
        self.cache.clear()

    def require_free_space(self) -> None:
        """Raise Refused where this table has so many events that opening it again would take long."""
        if self.seq >= MAX_EVENTS:
            raise Refused("So much has happened at this table that no more is kept.")

    def require_sound(self) -> None:
        """Raise Refused while a player must decide how the game goes on after a change of rules."""
        if self.broken is not None:
            raise Refused("The rules have changed since this game began. Say first how it is to go on.")

    # --- Events -------------------------------------------------------------------------------------

    def commit_events(self, *events: Event) -> None:
        """Store events, apply them, and notify the listeners.

        If they cannot be stored, nothing is changed; raises Stale where another process was first.
        """
        with self.lock:
            try:
                job = self.services.listeners.job_after(self, events)
                at = self.services.store.append_events(
                    self.id, self.seq, events, *self._plan_snapshot_changes(events), job
                )
            except Conflict as conflict:
                self._reload()
                raise Stale("Somebody else moved at the same moment. Look again, then choose.") from conflict
            except Exception:
                with contextlib.suppress(Exception):  # a store that cannot be written may be unreadable too
                    self._reload()
                raise
            self.seq += len(events)
            for event in events:
                self.apply_event(event, at, is_played=True)
            for listener in self.services.listeners.committed:
                listener(self, events)

    def _plan_snapshot_changes(self, events: Sequence[Event]) -> tuple[tuple[int, bytes] | None, int | None]:
        """The changes of stored states that must be committed with these events.

        ((number of decisions, state to store) or None, number of decisions from which on stored states are deleted or None).
        """
        first = events[0]
        if isinstance(first, Acted) and (first.decision + 1) % SNAPSHOT_INTERVAL == 0 and not self.pos.over:
            return (first.decision + 1, self.pos.to_bytes()), None
        if isinstance(first, Undone):
            return None, first.to
        return None, 0 if isinstance(first, Resumed) else None

    def reload_all_events(self) -> None:
        """Read all events again, because stored ones were changed."""
        with self.lock:
            self._reload()

    def _reload(self) -> None:
        """Derive the room again from the stored events, and have its pages drawn again."""
        fresh = Room.load_from_events(self.services, self.id, self.services.store.load_events(self.id))
        for name in {one.name for one in fields(Room)} - OF_THIS_PROCESS:
            setattr(self, name, getattr(fresh, name))
        self.cache.clear()
        self.redraw_all_pages()

    def read_new_events(self) -> bool:
        """Read the events of this table that other processes have stored; return False where they removed the table."""
        from sutler.core.play.position import IllegalAction

        with self.lock:
            news = self.services.store.load_events(self.id, since=self.seq)
            if not news:
                return True
            if isinstance(news[-1].event, Removed):
                return False
            if self.broken is not None or any(isinstance(one.event, Resumed) for one in news):
                self._reload()
                return True
            try:
                for one in news:
                    if isinstance(one.event, Acted):
                        self.pos.play(one.event.action)
                    self.apply_event(one.event, one.at, is_played=True)
            except IllegalAction:  # the other process has other rules: follow the game as far as it agrees
                self._reload()
            else:
                self.seq = news[-1].seq + 1
                for listener in self.services.listeners.caught_up:
                    listener(self, [one.event for one in news])
            return True

    def apply_event(self, event: Event, at: datetime, is_played: bool) -> None:
        """Apply an event to the room. `at`: its time; `is_played`: is its action on the position already?

        Otherwise `_replay` plays it later.
        """
        self.chairs.apply_event(event, at)
        match event:
            case Acted():
                self.begun = True
                self.actions.append((event.seat, event.action))
                self.asked = self.refused = self.proposed = None
            case Mixed():
                self.numbers.append(event)
                self.pos = create_first_position(self.game, self.created, seed=self.seed)
                self.pos.names = [one.name for one in self.seats]
                self.cache.clear()
            case Undone():
                self._apply_undo(event, is_played)
            case Resumed():
                self.proposed = None
                self.actions.clear()
                self.rerolls.clear()
                self.begun = True
                self.pos = create_first_position(self.game, self.created, event.state, self.seed)
            case Joined() | Renamed():
                self._rename_seat(event.seat, event.name)
            case AskedBack():
                self.asked, self.refused = UndoRequest(event.seat, event.to), None
            case AnsweredBack():
                self.asked, self.refused = None, event.seat
            case Proposed():
                self.proposed = Proposal(event.seat, event.action)
            case Noticed():
                self.proposed = self.proposed and replace(self.proposed, seen=True)
            case Ordered():
                self.orders[event.seat] = update_order_names(self.orders.get(event.seat, ()), event.order, event.stands)
                self.private_events.append(event.seat)
            case Noted():
                self.notes.append(event)
                self.private_events.append(event.seat)
            case Said():
                self.talk.append(event)
            case Hidden(line=line) if line < len(self.talk):
                self.talk[line] = self.talk[line].model_copy(update={"text": ""})
            case Taught():
                self.taught[event.step :] = [event.decision]
            case Rematch():
                self.next_table, self.turned = event.table, event.turned
            case _:
                pass

    def _apply_undo(self, event: Undone, is_played: bool) -> None:
        """Undo decisions; if random numbers were drawn since, new ones are drawn from now on."""
        self.asked = self.refused = self.proposed = None
        self.orders.pop(event.seat, None)  # else they would repeat the undone decisions at once
        if is_played:
            self._rewind(event.to)
        else:
            del self.actions[event.to :]
        self.rerolls = [one for one in self.rerolls if one[0] <= event.to]
        if event.again:
            self.n_rerolls = event.again
            self.rerolls.append((event.to, event.again))
            if is_played:
                self.pos.reseed_after_undo(event.again)

    def _rename_seat(self, seat: int, name: str) -> None:
        """Give a seat another name."""
        self.seats[seat] = self.seats[seat].model_copy(update={"name": name})
        self.cache.clear()
        self.pos.names = [one.name for one in self.seats]

    # --- Moves --------------------------------------------------------------------------------------

    @property
    def decision(self) -> int:
        """The number of decisions made so far."""
        return len(self.actions)

    @property
    def seed(self) -> int:
        """The seed of cards and dice: the committed one, mixed with the players' own numbers."""
        return mix_seed(self.created.seed, self.created.seal, [one.number for one in self.numbers])

    @property
    def is_running(self) -> bool:
        """Does anybody still play here? A game from a file is only looked at."""
        return not self.pos.over and any(plan.kind != "file" for plan in self.seats)

    @property
    def store_time(self) -> datetime:
        """The time by the store's clock, which all processes share."""
        return self.services.store.now()

    def play_action(self, seat: int, action: Action | str) -> None:
        """Let a seat take an action, whose turn it is; the caller holds the lock.

        Raises Refused, with the rule, if the action is illegal.
        """
        from sutler.core.play.position import IllegalAction

        asked = self.pos.seat
        try:
            told = self.pos.play(action)
        except IllegalAction as error:
            raise Refused(error.reason, error.rule) from error
        events: list[Event] = [
            Acted(
                decision=self.decision,
                seat=seat,
                action=action if isinstance(action, str) else action.name,
                instead_of=None if asked == seat else asked,
            ),
            *self._find_ended_orders(told),
        ]
        ends = [Ended(scores=tuple(map(float, self.pos.scores())))] if self.pos.over else []
        self.commit_events(*events, *ends)

    def _find_ended_orders(self, told: Collection[Told]) -> list[Event]:
        """The events that end standing orders, because of the events of a move (`told`)."""
        return [
            Ordered(seat=seat, order=name, stands=False)
            for seat, given in sorted(self.orders.items())
            for name in find_ended_orders(self.pos, seat, given, told)
        ]

    # --- Views, links and seats --------------------------------------------------------------------

    def view_for_bot(self, seat: int) -> SeatView:
        """The seat's view for a bot, on a copy of the position, so that the game may go on meanwhile."""
        with self.lock:
            return self.pos.for_seat(seat, derive_bot_seed(self.services.key, self.id, seat))

    def make_seat_token(self, seat: int) -> str:
        """The token of a seat's secret link."""
        return make_seat_token(self.services.key, self.id, seat)

    @property
    def is_idle(self) -> bool:
        """May this room be dropped from memory: no page waits for its news, and no bot computes a decision for it?"""
        return not self.subscribers and not self.thinking

    def list_seats_of_same_link(self, seat: int) -> tuple[int, ...]:
        """The seats played through one link: all of the host's together, each friend's alone."""
        if self.seats[seat].kind == "me":
            return tuple(i for i, one in enumerate(self.seats) if one.kind == "me")
        return (seat,)

    # --- Pages --------------------------------------------------------------------------------------

    def redraw_all_pages(self, changes: int | None = None) -> None:
        """Have every page of the table drawn again. `changes`: the number for the page's version, the number of events if None."""
        self.changes = self.seq if changes is None else changes
        for listener in self.services.listeners.redraw:
            listener(self)


# --- The position from stored actions ---


def create_first_position(game: Game, created: Created, opening: str = "", seed: int | None = None) -> Position:
    """The first position of a game: its setup, or a given state. `opening`: that state in base 64; `seed`: the table's own if None."""
    names = [seat.name for seat in created.seats]
    seed = created.seed if seed is None else seed
    if not opening:
        return game.new(len(created.seats), seed, names=names)
    pos = game.from_bytes(base64.b64decode(opening), names)
    pos.seed = seed
    return pos


def replay_actions(
    pos: Position, actions: Sequence[str], states: Mapping[int, bytes], rerolls: Mapping[int, int]
) -> tuple[Break | None, tuple[int, bytes] | None]:
    """Play these actions on a position; if the rules have changed so that the game differs, stop at the last decision on which all agrees.

    `states`: stored states by the number of decisions before them; `rerolls`: {decisions made: number of the undo} where random numbers
    were drawn anew. Return (where the game breaks off, or None; the latest later state from which it could go on, with its number of
    decisions, or None).
    """
    from sutler.core.files.gamefile import compute_digest
    from sutler.core.files.replay import play_actions

    marks = {decision: compute_digest(state) for decision, state in states.items()}
    broken = play_actions(pos, list(actions), marks, dict(rerolls))
    if broken is None:
        return None, None
    while len(pos.decisions) > broken.agreed:
        pos.undo()
    later = [decision for decision in sorted(states, reverse=True) if decision > broken.agreed]
    return broken, next(((n, states[n]) for n in later if _is_readable_state(pos.game, states[n])), None)


def _is_readable_state(game: Game, state: bytes) -> bool:
    """Can this stored state be read under the present rules?"""
    try:
        game.from_bytes(state)
    except ValueError:
        return False
    return True
