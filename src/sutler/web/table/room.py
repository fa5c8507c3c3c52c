"""A table with its seats: the position, what has happened at it, and telling everybody when something has changed.

A room is made of events (`protocol`), kept by the store; the house opens rooms and brings them back after a restart.
What people do at it stands in files of its own: `moves`, `proposals`, `takeback`, `sitting`, `talking`, `clocks`, `presence`, `resuming`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING

from sutler.core.orders import with_order
from sutler.core.seal import mixed
from sutler.web.errors import Lost, Refused, Stale, Trouble
from sutler.web.events import (
    Acted,
    AnsweredBack,
    AskedBack,
    CameBack,
    Created,
    Ended,
    Event,
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
from sutler.web.jobs.gil_priority import Turn
from sutler.web.storage.store import Conflict, Kept
from sutler.web.table import bot_turns, clocks, feedback, rules_changed, standing_orders, subscribers, turn_notices
from sutler.web.table.rules_changed import beginning
from sutler.web.table.seating import Chairs
from sutler.web.table.snapshot import Memory
from sutler.web.table.subscribers import Ear
from sutler.web.tokens import seat_luck, seat_token

if TYPE_CHECKING:
    from sutler.core.game import Game
    from sutler.core.position import Position
    from sutler.core.replay import Break
    from sutler.core.seat import SeatView
    from sutler.web.table.hints import Advice
    from sutler.web.table.registry import House


SNAPSHOT = 25
"""The state is kept after every so-manieth decision."""
OF_THIS_PROCESS = {
    *("id", "house", "game", "lock", "changes", "memory", "thinking", "gone"),
    *("errand", "advice", "wound", "ears", "came"),
}
"""What of a room is not made of its events, and stays when they are read again."""


@dataclass
class Asked:
    """A seat wants to take something back."""

    seat: int
    to: int


@dataclass
class Proposal:
    """What a seat proposes at a team's decision, and whether anybody else has seen it."""

    seat: int
    action: str
    seen: bool = False


@dataclass
class Room:
    """One table. Everything that reads or changes it holds `lock`; nothing slow is done while holding it."""

    id: str
    house: House
    created: Created
    game: Game
    pos: Position
    lock: Turn = field(default_factory=Turn)
    seq: int = 0
    seats: list[SeatPlan] = field(default_factory=list)
    chairs: Chairs = field(init=False)
    """Who has come, who is stood in for, and since when one waits for whom."""
    actions: list[tuple[int, str]] = field(default_factory=list)
    talk: list[Said] = field(default_factory=list)
    orders: dict[int, list[str]] = field(default_factory=dict)
    """The standing orders that seats have given."""
    notes: list[Noted] = field(default_factory=list)
    """What players have told the designer."""
    whispers: list[int] = field(default_factory=list)
    """By whom or for whom something was kept that nobody else hears of, once each time."""
    asked: Asked | None = None
    refused: int | None = None
    proposed: Proposal | None = None
    next_table: str = ""
    turned: int = 0
    """By how many chairs everybody has moved up there."""
    taught: list[int] = field(default_factory=lambda: [0])
    """How many decisions there were when each step of the lesson began, up to the present one."""
    changes: int = 0
    again: list[tuple[int, int]] = field(default_factory=list)
    """Where luck was drawn anew: (decisions made then, the how-manieth taking back it was)."""
    taken_back: int = 0
    """How often luck was drawn anew in all."""
    numbers: list[Mixed] = field(default_factory=list)
    """The players' own numbers, mixed into the seed in this order."""
    begun: bool = False
    """Has anybody ever moved? From then on nothing is dealt anew."""
    broken: Break | None = None
    """Where the rules of today lead the game elsewhere; somebody who sits here must say how it goes on."""
    kept_state: tuple[int, bytes] | None = None
    """What it could go on from: the state after so many decisions."""
    memory: Memory = field(default_factory=Memory)
    thinking: bool = False
    """A bot's decision stands in line, or is being thought about."""
    gone: bool = False
    """Was the table taken away?"""
    errand: int = 0
    """The number of that decision among all that were put in line."""
    advice: tuple[tuple[int, str], Future[Advice]] | None = None
    """The hint somebody has asked for at this decision, in this language."""
    wound: datetime | None = None
    """When the clock is looked at next."""
    ears: dict[Ear, tuple[int, ...]] = field(default_factory=dict)
    """The pages that listen, and for which seats."""
    came: int = 0
    """How often somebody has begun or left off listening while one waits for all to sit."""

    # --- Opening ------------------------------------------------------------------------------------

    def __post_init__(self) -> None:
        self.chairs = Chairs.of(self.created)

    @property
    def taken(self) -> list[bool]:
        """Whether somebody has come for each seat."""
        return self.chairs.taken

    @classmethod
    def from_events(cls, house: House, table: str, kept: list[Kept]) -> Room:
        """The room these events have made."""
        created = kept[0].event
        if isinstance(created, Removed):
            raise Lost("Whoever keeps the house has taken this table away.")
        if not isinstance(created, Created):
            raise Trouble("The record of this table is damaged: it has no beginning.", status=500)
        game = house.game_of(created)
        room = cls(table, house, created, game, beginning(game, created, created.opening))
        room.seats = list(created.seats)
        for one in kept:
            room.take(one.event, one.at, live=False)
        room.seq = kept[-1].seq + 1
        room.changes = room.seq
        rules_changed.follow(room)
        return room

    def _rewind(self, to: int) -> None:
        """Take decisions back until `to` are left."""
        while len(self.actions) > to:
            self.pos.undo()
            self.actions.pop()
        self.memory.forget()

    def whole(self) -> None:
        """Refused while somebody has to say how the game goes on."""
        if self.broken is not None:
            raise Refused("The rules have changed since this game began. Say first how it is to go on.")

    # --- Events -------------------------------------------------------------------------------------

    def commit(self, *events: Event) -> None:
        """Keep events, let them take effect, tell everybody. If they cannot be kept, nothing has happened."""
        with self.lock:
            try:
                bot = bot_turns.waiting(self, events)
                at = self.house.store.append(self.id, self.seq, events, *self._kept_of_state(events), bot)
            except Conflict as conflict:
                self._reload()
                raise Stale("Somebody else moved at the same moment. Look again, then choose.") from conflict
            except Exception:
                with contextlib.suppress(Exception):  # what cannot be written may not be readable either
                    self._reload()
                raise
            self.seq += len(events)
            for event in events:
                self.take(event, at, live=True)
            if not feedback.is_private(events):  # the lobby would tell of it
                self.house.note(self)
            clocks.wind(self)
            self.tell()
            if isinstance(events[0], Joined | Mixed | Ordered | CameBack):
                bot_turns.wake(self, anew=isinstance(events[0], Joined | Mixed))  # bots wait for those who are to come

    def _kept_of_state(self, events: Sequence[Event]) -> tuple[tuple[int, bytes] | None, int | None]:
        """What is kept along with these: (now and then a state and its decision, the decision from which on older ones are void)."""
        first = events[0]
        if isinstance(first, Acted) and (first.decision + 1) % SNAPSHOT == 0 and not self.pos.over:
            return (first.decision + 1, self.pos.to_bytes()), None
        if isinstance(first, Undone):
            return None, first.to
        return None, 0 if isinstance(first, Resumed) else None

    def read_again(self) -> None:
        """What was kept has been changed; pages show it with the next picture."""
        with self.lock:
            self._reload()

    def _reload(self) -> None:
        fresh = Room.from_events(self.house, self.id, self.house.store.events(self.id))
        for name in {one.name for one in fields(Room)} - OF_THIS_PROCESS:
            setattr(self, name, getattr(fresh, name))
        self.memory.forget()
        self.tell()

    def catch_up(self) -> None:
        """Read after what other processes have kept of this table."""
        from sutler.core.position import IllegalAction

        with self.lock:
            news = self.house.store.events(self.id, since=self.seq)
            if not news:
                return
            if isinstance(news[-1].event, Removed):
                self.house.gone(self.id)
                return
            if self.broken is not None or any(isinstance(one.event, Resumed) for one in news):
                self._reload()
                return
            try:
                for one in news:
                    if isinstance(one.event, Acted):
                        self.pos.play(one.event.action)
                    self.take(one.event, one.at, live=True)
            except IllegalAction:  # the other process has other rules: the game is followed as far as all agrees
                self._reload()
            else:
                self.seq = news[-1].seq + 1
                clocks.wind(self)
                self.tell()

    def take(self, event: Event, at: datetime, live: bool) -> None:
        """Let an event of this time take effect. `live`: its action is on the position already; else `resuming.follow` plays it."""
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
                self.memory.forget()
            case Undone():
                self._undo(event, live)
            case Resumed():
                self.proposed = None
                self.actions.clear()
                self.again.clear()
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
                self.whispers.append(event.seat)
            case Noted():
                self.notes.append(event)
                self.whispers.append(event.seat)
            case Said():
                self.talk.append(event)
            case Taught():
                self.taught[event.step :] = [event.decision]
            case Rematch():
                self.next_table, self.turned = event.table, event.turned
            case _:
                pass

    def _undo(self, event: Undone, live: bool) -> None:
        """Decisions are taken back; where luck had been drawn, other luck is to come."""
        self.asked = self.refused = self.proposed = None
        self.orders.pop(event.seat, None)  # what was done by them would be done again
        if live:
            self._rewind(event.to)
        else:
            del self.actions[event.to :]
        self.again = [one for one in self.again if one[0] <= event.to]
        if event.again:
            self.taken_back = event.again
            self.again.append((event.to, event.again))
            if live:
                self.pos.draw_again(event.again)

    def _rename(self, seat: int, name: str) -> None:
        self.seats[seat] = self.seats[seat].model_copy(update={"name": name})
        self.memory.forget()
        self.pos.names = [one.name for one in self.seats]

    # --- Doing --------------------------------------------------------------------------------------

    @property
    def decision(self) -> int:
        """How many decisions were made so far."""
        return len(self.actions)

    @property
    def seed(self) -> int:
        """What cards and dice come from: the seed that was sealed, with the players' own numbers."""
        return mixed(self.created.seed, self.created.seal, [one.number for one in self.numbers])

    @property
    def running(self) -> bool:
        """Is there anything to come, and somebody to whom it comes? A game from a file is only looked at."""
        return not self.pos.over and any(plan.kind != "file" for plan in self.seats)

    @property
    def version(self) -> str:
        """Changes whenever anything on a watcher's page may have."""
        return subscribers.version(self, ())

    @property
    def now(self) -> datetime:
        """What time it is in the house."""
        return self.house.store.now()

    def play(self, seat: int, action: str) -> None:
        """This seat takes an action; the caller holds the lock and knows that it is its turn."""
        from sutler.core.position import IllegalAction

        try:
            told = self.pos.play(action)
        except IllegalAction as error:
            raise Refused(error.reason, error.rule) from error
        events: list[Event] = [
            Acted(decision=self.decision, seat=seat, action=action),
            *standing_orders.lifted(self, told),
        ]
        ends = [Ended(scores=tuple(map(float, self.pos.scores())))] if self.pos.over else []
        self.commit(*events, *ends)
        bot_turns.wake(self)
        turn_notices.turn_begins(self, before=seat)

    # --- Answering ---------------------------------------------------------------------------------

    def for_bot(self, seat: int) -> SeatView:
        """What a bot is given to decide for a seat: redealt from the state, so that the game may go on meanwhile."""
        with self.lock:
            return self.pos.for_seat(seat, seat_luck(self.house.key, self.id, seat))

    def token(self, seat: int) -> str:
        """The secret of a seat's link."""
        return seat_token(self.house.key, self.id, seat)

    @property
    def is_idle(self) -> bool:
        """Does nobody listen, and no bot think?"""
        return not self.ears and not self.thinking

    def group(self, seat: int) -> tuple[int, ...]:
        """The seats played through one link: all of this browser's seats hang together, a friend's stands alone."""
        if self.seats[seat].kind == "me":
            return tuple(i for i, one in enumerate(self.seats) if one.kind == "me")
        return (seat,)

    # --- Telling ------------------------------------------------------------------------------------

    def tell(self, changes: int | None = None) -> None:
        """Something has changed: everybody at the table, and watching, is told."""
        self.changes = self.seq if changes is None else changes
        subscribers.wake(self)
