"""The room of a table: its position, its seats, its events, and committing new ones.

A room is made of events (`web.events`), which the store keeps; `registry` opens rooms and brings them back after a restart.
What people do at it stands in files of their own, which import this one: `moves`, `proposals`, `undo`, `joining`, `chat`, `clocks`,
`rules_changed`. What follows from an event is no business of the room: it notifies its listeners (`listeners`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sutler.core.play.orders import ended_orders, with_order
from sutler.core.play.seal import mixed_seed
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
from sutler.web.table.opening import beginning, replay
from sutler.web.table.people.seating import Chairs
from sutler.web.table.render_cache import RenderCache
from sutler.web.table.services import Services
from sutler.web.tokens import seat_luck, seat_token

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.events import Told
    from sutler.core.files.replay import Break
    from sutler.core.play.game import Game
    from sutler.core.play.position import Position
    from sutler.core.play.seat import SeatView

LOG = logging.getLogger("sutler.web")
SNAPSHOT_INTERVAL = 25
"""Decisions after which the state is stored along with the events."""
OF_THIS_PROCESS = {
    *("id", "services", "game", "lock", "changes", "cache", "thinking", "gone"),
    *("bot_job", "advice", "review", "next_clock_check", "subscribers", "came"),
}
"""Fields of a room that are not made of its events, and stay when these are read again."""
Subscriber = tuple[asyncio.AbstractEventLoop, asyncio.Event]
"""A page that listens: its event is set, in its loop, whenever something on it may have changed."""


@dataclass
class Asked:
    """A seat's request to take something back."""

    seat: int
    to: int


@dataclass
class Proposal:
    """An action that a seat proposes at a team's decision, and whether anybody else has seen it."""

    seat: int
    action: str
    seen: bool = False


@dataclass
class Room:
    """One table. Everything that reads or changes it holds `lock`; nothing slow is done while holding it."""

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
    """The standing orders that seats have given."""
    notes: list[Noted] = field(default_factory=list)
    """Feedback of players to the designer."""
    private_events: list[int] = field(default_factory=list)
    """The seats of events that nobody else hears of, one entry an event."""
    asked: Asked | None = None
    refused: int | None = None
    proposed: Proposal | None = None
    next_table: str = ""
    turned: int = 0
    """The number of seats by which everybody moved up at the rematch."""
    taught: list[int] = field(default_factory=lambda: [0])
    """The number of decisions when each step of the lesson began, up to the present one."""
    changes: int = 0
    rerolls: list[tuple[int, int]] = field(default_factory=list)
    """Redraws of luck after an undo: (decisions made then, the number of the redraw in this game)."""
    n_rerolls: int = 0
    """The number of redraws of luck in all."""
    numbers: list[Mixed] = field(default_factory=list)
    """The players' own numbers, mixed into the seed in this order."""
    begun: bool = False
    """Has anybody ever moved? From then on the cards are not dealt again."""
    broken: Break | None = None
    """The decision from which today's rules lead the game elsewhere; a player must say how it goes on."""
    kept_state: tuple[int, bytes] | None = None
    """A stored state that the game could go on from: (decisions made, its bytes)."""
    cache: RenderCache = field(default_factory=RenderCache)
    thinking: bool = False
    """A bot's decision stands in line, or is being thought about."""
    gone: bool = False
    """Was the table taken away?"""
    bot_job: int = 0
    """The number of the bot's decision that stands in line now; older ones are passed over."""
    advice: tuple[tuple[int, str], Future[Any]] | None = None
    """The hint somebody has asked for at this decision, in this language (`hints.Advice`)."""
    review: Future[Any] | None = None
    """The decisions that cost most in the game that is over, once somebody has asked (`lab.studies.review.CostlyDecision`)."""
    next_clock_check: datetime | None = None
    """When the time limit is enforced next."""
    subscribers: dict[Subscriber, tuple[int, ...]] = field(default_factory=dict)
    """The pages that listen, and for which seats."""
    came: int = 0
    """The number of arrivals and departures while the table waited for all to sit."""

    # --- Opening ------------------------------------------------------------------------------------

    def __post_init__(self) -> None:
        self.chairs = Chairs.of(self.created)

    @property
    def taken(self) -> list[bool]:
        """Whether somebody has come for each seat."""
        return self.chairs.taken

    @classmethod
    def from_events(cls, services: Services, table: str, kept: list[StoredEvent]) -> Room:
        """The room that these stored events make. Lost where the table was taken away, RequestError where its record is damaged."""
        created = kept[0].event
        if isinstance(created, Removed):
            raise Lost("Whoever keeps the house has taken this table away.")
        if not isinstance(created, Created):
            raise RequestError("The record of this table is damaged: it has no beginning.", status=500)
        game = services.game_of(created)
        room = cls(table, services, created, game, beginning(game, created, created.opening))
        room.seats = list(created.seats)
        for one in kept:
            room.apply_event(one.event, one.at, live=False)
        room.seq = kept[-1].seq + 1
        room.changes = room.seq
        room._replay()
        return room

    def _replay(self) -> None:
        """Play the actions again to where the game stands; where changed rules lead it elsewhere, as far as all agrees."""
        self.pos.names = [seat.name for seat in self.seats]
        actions, states = [action for _, action in self.actions], self.services.store.snapshots(self.id)
        self.broken, self.kept_state = replay(self.pos, actions, states, dict(self.rerolls))
        if self.broken is not None:
            LOG.warning("table %s, %s", self.id, self.broken)
            del self.actions[self.broken.agreed :]

    def _rewind(self, to: int) -> None:
        """Undo decisions until `to` are left."""
        while len(self.actions) > to:
            self.pos.undo()
            self.actions.pop()
        self.cache.forget()

    def require_sound(self) -> None:
        """Refuse while somebody has to say how the game goes on after a change of rules."""
        if self.broken is not None:
            raise Refused("The rules have changed since this game began. Say first how it is to go on.")

    # --- Events -------------------------------------------------------------------------------------

    def commit(self, *events: Event) -> None:
        """Store events, let them take effect, notify the listeners. If they cannot be stored, nothing has happened."""
        with self.lock:
            try:
                job = self.services.listeners.job_after(self, events)
                at = self.services.store.append(self.id, self.seq, events, *self._kept_of_state(events), job)
            except Conflict as conflict:
                self._reload()
                raise Stale("Somebody else moved at the same moment. Look again, then choose.") from conflict
            except Exception:
                with contextlib.suppress(Exception):  # what cannot be written may not be readable either
                    self._reload()
                raise
            self.seq += len(events)
            for event in events:
                self.apply_event(event, at, live=True)
            for listener in self.services.listeners.committed:
                listener(self, events)

    def _kept_of_state(self, events: Sequence[Event]) -> tuple[tuple[int, bytes] | None, int | None]:
        """The states to store with events: (a decision and the state after it, at times; the decision that makes later states void)."""
        first = events[0]
        if isinstance(first, Acted) and (first.decision + 1) % SNAPSHOT_INTERVAL == 0 and not self.pos.over:
            return (first.decision + 1, self.pos.to_bytes()), None
        if isinstance(first, Undone):
            return None, first.to
        return None, 0 if isinstance(first, Resumed) else None

    def read_again(self) -> None:
        """Read all events again: they were changed in the store."""
        with self.lock:
            self._reload()

    def _reload(self) -> None:
        fresh = Room.from_events(self.services, self.id, self.services.store.events(self.id))
        for name in {one.name for one in fields(Room)} - OF_THIS_PROCESS:
            setattr(self, name, getattr(fresh, name))
        self.cache.forget()
        self.redraw()

    def catch_up(self) -> bool:
        """Read what other processes have stored of this table. False where they took the table away."""
        from sutler.core.play.position import IllegalAction

        with self.lock:
            news = self.services.store.events(self.id, since=self.seq)
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
                    self.apply_event(one.event, one.at, live=True)
            except IllegalAction:  # the other process has other rules: the game is followed as far as all agrees
                self._reload()
            else:
                self.seq = news[-1].seq + 1
                for listener in self.services.listeners.caught_up:
                    listener(self, [one.event for one in news])
            return True

    def apply_event(self, event: Event, at: datetime, live: bool) -> None:
        """Apply an event of this time to the room. `live`: its action is on the position already; else `_replay` plays it."""
        self.chairs.take(event, at)
        match event:
            case Acted():
                self.begun = True
                self.actions.append((event.seat, event.action))
                self.asked = self.refused = self.proposed = None
            case Mixed():
                self.numbers.append(event)
                self.pos = beginning(self.game, self.created, seed=self.seed)
                self.pos.names = [one.name for one in self.seats]
                self.cache.forget()
            case Undone():
                self._undo(event, live)
            case Resumed():
                self.proposed = None
                self.actions.clear()
                self.rerolls.clear()
                self.begun = True
                self.pos = beginning(self.game, self.created, event.state, self.seed)
            case Joined() | Renamed():
                self._rename(event.seat, event.name)
            case AskedBack():
                self.asked, self.refused = Asked(event.seat, event.to), None
            case AnsweredBack():
                self.asked, self.refused = None, event.seat
            case Proposed():
                self.proposed = Proposal(event.seat, event.action)
            case Noticed():
                self.proposed = self.proposed and replace(self.proposed, seen=True)
            case Ordered():
                self.orders[event.seat] = with_order(self.orders.get(event.seat, ()), event.order, event.stands)
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

    def _undo(self, event: Undone, live: bool) -> None:
        """Undo decisions; where luck was drawn since, new luck is drawn from now on."""
        self.asked = self.refused = self.proposed = None
        self.orders.pop(event.seat, None)  # what was done by them would be done again
        if live:
            self._rewind(event.to)
        else:
            del self.actions[event.to :]
        self.rerolls = [one for one in self.rerolls if one[0] <= event.to]
        if event.again:
            self.n_rerolls = event.again
            self.rerolls.append((event.to, event.again))
            if live:
                self.pos.reseed_after_undo(event.again)

    def _rename(self, seat: int, name: str) -> None:
        self.seats[seat] = self.seats[seat].model_copy(update={"name": name})
        self.cache.forget()
        self.pos.names = [one.name for one in self.seats]

    # --- Doing --------------------------------------------------------------------------------------

    @property
    def decision(self) -> int:
        """The number of decisions made so far."""
        return len(self.actions)

    @property
    def seed(self) -> int:
        """The seed of cards and dice: the one that was sealed, mixed with the players' own numbers."""
        return mixed_seed(self.created.seed, self.created.seal, [one.number for one in self.numbers])

    @property
    def running(self) -> bool:
        """Does anybody still play here? A game from a file is only looked at."""
        return not self.pos.over and any(plan.kind != "file" for plan in self.seats)

    @property
    def now(self) -> datetime:
        """The time by the store's clock, which all processes share."""
        return self.services.store.now()

    def play(self, seat: int, action: Action | str) -> None:
        """Let a seat take an action; the caller holds the lock and knows that it is its turn. Refused, with the rule, if illegal."""
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
            *self._ended_orders(told),
        ]
        ends = [Ended(scores=tuple(map(float, self.pos.scores())))] if self.pos.over else []
        self.commit(*events, *ends)

    def _ended_orders(self, told: Collection[Told]) -> list[Event]:
        """The standing orders that end with what a move has told."""
        return [
            Ordered(seat=seat, order=name, stands=False)
            for seat, given in sorted(self.orders.items())
            for name in ended_orders(self.pos, seat, given, told)
        ]

    # --- Answering ---------------------------------------------------------------------------------

    def for_bot(self, seat: int) -> SeatView:
        """The seat's view for a bot, on a copy of the position, so that the game may go on meanwhile."""
        with self.lock:
            return self.pos.for_seat(seat, seat_luck(self.services.key, self.id, seat))

    def token(self, seat: int) -> str:
        """The token of a seat's link."""
        return seat_token(self.services.key, self.id, seat)

    @property
    def is_idle(self) -> bool:
        """Does nobody listen, and no bot think?"""
        return not self.subscribers and not self.thinking

    def group(self, seat: int) -> tuple[int, ...]:
        """The seats played through one link: all of the host's together, each friend's alone."""
        if self.seats[seat].kind == "me":
            return tuple(i for i, one in enumerate(self.seats) if one.kind == "me")
        return (seat,)

    # --- Telling ------------------------------------------------------------------------------------

    def redraw(self, changes: int | None = None) -> None:
        """Let every page of the table be drawn again. `changes`: the number that its version gets, as many as there are events if none."""
        self.changes = self.seq if changes is None else changes
        for listener in self.services.listeners.redraw:
            listener(self)
