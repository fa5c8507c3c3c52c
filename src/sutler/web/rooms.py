"""A table with its seats: the position, who may do what, the bots, and telling everybody when something has changed.

A room is made of events (`protocol`), kept by the store; `House` opens rooms and brings them back after a restart.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from sutler.web.games import Shelf
from sutler.web.links import invitation_token, new_table_id, read_invitation, read_token, seat_token
from sutler.web.protocol import (
    Acted,
    AnsweredBack,
    AskedBack,
    Created,
    Ended,
    Event,
    Joined,
    Lost,
    Refused,
    Rematch,
    Renamed,
    Said,
    SeatPlan,
    Stale,
    Standing,
    Trouble,
    Undone,
    Used,
)
from sutler.web.store import Conflict, Kept, Store

LOG = logging.getLogger("sutler.web")
ROOMS_KEPT_OPEN = 200
LOBBY_PAUSE = 0.4


@dataclass(frozen=True)
class Look:
    """What one pair of eyes sees of a table at one moment; everything a page is drawn from."""

    eyes: int | None
    decision: int
    moment: int | None
    """The decision looked at, None for now."""
    to_act: int | None
    over: bool
    view: dict[str, Any]
    prompt: Any
    choices: list[Any]
    log: list[Any]
    since: int
    """Lines of the log told after this decision are news."""
    before: dict[str, Any] | None
    """What these eyes saw right after their own last decision."""
    can_undo: bool
    hand_over: int | None
    """The seat the screen must be handed to before anything more is shown."""
    result: list[Any]


@dataclass
class Asked:
    """A seat wants to take something back."""

    seat: int
    to: int


@dataclass
class Room:
    """One table. Everything that reads or changes it holds `lock`; nothing slow is done while holding it."""

    id: str
    house: House
    created: Created
    game: Any
    pos: Any
    lock: threading.RLock = field(default_factory=threading.RLock)
    seq: int = 0
    seats: list[SeatPlan] = field(default_factory=list)
    taken: list[bool] = field(default_factory=list)
    """Whether somebody has come for a seat kept for a friend."""
    actions: list[tuple[int, str]] = field(default_factory=list)
    talk: list[Said] = field(default_factory=list)
    asked: Asked | None = None
    refused: int | None = None
    next_table: str = ""
    changes: int = 0
    touched: float = 0.0
    _ears: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = field(default_factory=set)
    _bots_busy: bool = False
    _chart: list[tuple[int, list[float]]] | None = None
    _logs: dict[int | None, list[Any]] = field(default_factory=dict)
    log_epoch: int = 0
    """Counts how often lines already told had to be taken back or told anew."""
    _before: dict[tuple[int | None, int], dict[str, Any]] = field(default_factory=dict)
    _standing_due: bool = False

    # --- Opening ------------------------------------------------------------------------------------

    @classmethod
    def from_events(cls, house: House, table: str, kept: list[Kept]) -> Room:
        """The room these events have made."""
        created = kept[0].event
        if not isinstance(created, Created):
            raise Trouble("The record of this table is damaged: it has no beginning.", status=500)
        game = house.shelf.game(created.game, created.options, created.box_toml)
        room = cls(table, house, created, game, None)
        room.seats = list(created.seats)
        room.taken = [seat.kind != "link" for seat in created.seats]
        for one in kept:
            room._take(one.event, play=False)
        room.seq = kept[-1].seq + 1
        room._replay()
        room.changes = room.seq
        return room

    def _replay(self) -> None:
        """Play the game from its start to where its actions lead."""
        pos = self.game.new(seats=len(self.seats), seed=self.created.seed, names=[seat.name for seat in self.seats])
        for _, action in self.actions:
            pos.play(action)
        self.pos = pos

    def _rewind(self, to: int) -> None:
        """Take decisions back until `to` are left."""
        while len(self.actions) > to:
            self.pos.undo()
            self.actions.pop()
        self._forget()

    def _forget(self) -> None:
        """Throw away what was derived from a past that has changed."""
        self._chart, self._logs, self._before = None, {}, {}
        self.log_epoch += 1

    # --- Events -------------------------------------------------------------------------------------

    def commit(self, *events: Event) -> None:
        """Keep events, let them take effect, tell everybody. If they cannot be kept, nothing has happened."""
        try:
            self.house.store.append(self.id, self.seq, events)
        except Conflict as conflict:
            self._reload()
            raise Stale("Somebody else moved at the same moment. Look again, then choose.") from conflict
        except Exception:
            self._reload()
            raise
        self.seq += len(events)
        for event in events:
            self._take(event, play=True)
        self._note_standing()
        self.tell()

    def _reload(self) -> None:
        fresh = Room.from_events(self.house, self.id, self.house.store.events(self.id))
        for name in ("pos", "seq", "seats", "taken", "actions", "talk", "asked", "refused", "next_table"):
            setattr(self, name, getattr(fresh, name))
        self._forget()
        self.tell()

    def _take(self, event: Event, play: bool) -> None:
        """Let an event take effect. `play`: its action is on the position already; else it is played later."""
        match event:
            case Acted():
                self.actions.append((event.seat, event.action))
                self.asked = self.refused = None
            case Undone():
                self.asked = self.refused = None
                if play:
                    self._rewind(event.to)
                else:
                    del self.actions[event.to :]
            case Joined():
                self.taken[event.seat] = True
                self._rename(event.seat, event.name)
            case Renamed():
                self._rename(event.seat, event.name)
            case AskedBack():
                self.asked, self.refused = Asked(event.seat, event.to), None
            case AnsweredBack():
                self.asked, self.refused = None, event.seat
            case Said():
                self.talk.append(event)
            case Rematch():
                self.next_table = event.table
            case _:
                pass

    def _rename(self, seat: int, name: str) -> None:
        self.seats[seat] = self.seats[seat].model_copy(update={"name": name})
        self._forget()
        if self.pos is not None:
            self.pos.names = [one.name for one in self.seats]

    # --- Doing --------------------------------------------------------------------------------------

    @property
    def decision(self) -> int:
        """How many decisions were made so far."""
        return len(self.actions)

    @property
    def running(self) -> bool:
        """Is there anything to come, and somebody to whom it comes? A game laid out from a file is only looked at."""
        return not self.pos.over and any(plan.kind != "file" for plan in self.seats)

    @property
    def version(self) -> str:
        """Changes whenever anything on the page may have."""
        return f"{self.house.boot}.{self.changes}"

    def act(self, seats: tuple[int, ...], decision: int, action: str) -> None:
        """One of these seats answers the question numbered `decision` with this action."""
        with self.lock:
            if self.pos.over:
                raise Stale("The game is over; nothing more can be done.")
            if decision != self.decision:
                raise Stale("That was already decided. Here is the table as it stands now.")
            seat = self.pos.seat
            if seat not in seats:
                raise Refused(f"It is {self.seats[seat].name}’s turn to decide, not yours.")
            self._play(seat, action)

    def _play(self, seat: int, action: str) -> None:
        try:
            self.pos.play(action)
        except Exception as error:
            reason = getattr(error, "reason", None)
            if reason is None:
                raise
            raise Refused(str(reason), str(getattr(error, "rule", "") or "")) from error
        events: list[Event] = [Acted(decision=self.decision, seat=seat, action=action)]
        if self.pos.over:
            events.append(Ended(scores=tuple(float(score) for score in self.pos.scores())))
        self.commit(*events)
        self.wake()

    def undo(self, seats: tuple[int, ...], decision: int) -> None:
        """Take back the last decision, when it was made here and nothing was revealed by it."""
        with self.lock:
            if decision != self.decision:
                raise Stale("The table has moved on; nothing was taken back.")
            if not self.actions or self.actions[-1][0] not in seats:
                raise Refused("The last decision was not yours. You can ask to take back.")
            seat = self.actions[-1][0]
            if not self.can_undo(seats):
                raise Refused("Something was revealed or drawn since. You can ask the others to take it back.")
            self.commit(Undone(seat=seat, to=self.decision - 1))
            self.wake()

    def say(self, said: Said) -> None:
        """Words at the table."""
        with self.lock:
            self.commit(said)

    def can_undo(self, seats: tuple[int, ...]) -> bool:
        """May one of these seats take the last decision back by itself?"""
        if not self.actions or self.actions[-1][0] not in seats or self.pos.over:
            return False
        return bool(self.pos.can_undo(self.actions[-1][0]))

    def can_ask_back(self, seats: tuple[int, ...]) -> bool:
        """Is there something one of these seats could ask to take back?"""
        return self.asked is None and not self.pos.over and any(seat in seats for seat, _ in self.actions)

    # --- Seeing -------------------------------------------------------------------------------------

    def look(self, seats: tuple[int, ...], eyes: int | None, moment: int | None = None) -> Look:
        """The table as these seats see it, through `eyes` if they are theirs."""
        with self.lock:
            pos = self.pos
            to_act, over = pos.seat, bool(pos.over)
            eyes, hand_over = self._whose_eyes(seats, eyes, moment)
            shown = pos
            if moment is not None:
                moment = max(0, min(moment, self.decision))
                shown = pos.at(moment)
            since = self._since(seats)
            acting = moment is None and to_act in seats and hand_over is None and eyes == to_act
            return Look(
                eyes=eyes,
                decision=self.decision,
                moment=moment,
                to_act=to_act if moment is None else shown.seat,
                over=over,
                view=shown.view(eyes),
                prompt=shown.prompt(eyes),
                choices=list(pos.choices(to_act)) if acting else [],
                log=self._log(eyes),
                since=since,
                before=self._seen_at(since, eyes) if 0 < since < self.decision and moment is None else None,
                can_undo=moment is None and self.can_undo(seats),
                hand_over=hand_over,
                result=list(pos.result()) if over else [],
            )

    def _seen_at(self, decision: int, eyes: int | None) -> dict[str, Any]:
        """What these eyes saw after so many decisions; asked again at every change until the next own decision."""
        if (eyes, decision) not in self._before:
            self._before = {key: view for key, view in self._before.items() if key[0] != eyes}
            self._before[eyes, decision] = self.pos.at(decision).view(eyes)
        return self._before[eyes, decision]

    def _log(self, eyes: int | None) -> list[Any]:
        """The log these eyes may read; what was told once is not put into words again."""
        known = self._logs.setdefault(eyes, [])
        upto = known[-1].decision if known else -1
        if upto < self.decision:
            known.extend(self.pos.log(eyes, since=upto + 1))
        return list(known)

    def _hides(self, seat: int) -> bool:
        """Does this seat know anything that not everybody knows? Then the screen is handed over before it is shown."""
        mine, all_see = dict(self.pos.view(seat)), dict(self.pos.view(None))
        mine.pop("seat", None)
        all_see.pop("seat", None)
        return mine != all_see

    def _latest(self, seats: tuple[int, ...]) -> int:
        return next((seat for seat, _ in reversed(self.actions) if seat in seats), seats[0])

    def _since(self, seats: tuple[int, ...]) -> int:
        """How many decisions there were when these seats had last decided."""
        for i in range(len(self.actions) - 1, -1, -1):
            if self.actions[i][0] in seats:
                return i + 1
        return 0

    def _whose_eyes(
        self, seats: tuple[int, ...], eyes: int | None, moment: int | None
    ) -> tuple[int | None, int | None]:
        """Through whose eyes these seats look, and whom the screen must be handed to first."""
        to_act = self.pos.seat
        if to_act is None and eyes is not None and 0 <= eyes < len(self.seats):
            return eyes, None  # a game that is over hides nothing
        if not seats:
            return None, None
        if to_act in seats and to_act != eyes and moment is None:
            if len(seats) > 1 and self._hides(to_act):
                return None, to_act
            return to_act, None
        return (eyes if eyes in seats else self._latest(seats)), None

    def refusals(self, at: str) -> list[Any]:
        """Why nothing can be done at a spot of the table just now."""
        with self.lock:
            return list(self.pos.why_not_at(at))

    def reason(self, action: str) -> str:
        """Why this action cannot be taken now; "" when it can, or there is no such action."""
        with self.lock:
            if self.game.action_names.find(action) is None:
                return ""
            refusal = self.pos.why_not(action)
            return "" if refusal is None else str(refusal.text)

    def snapshot(self, seat: int) -> Any:
        """What a bot is given to decide for a seat: a seat's view of a copy, so that the game may go on meanwhile."""
        with self.lock:
            return self.pos.copy().for_seat(seat)

    def chart(self) -> list[tuple[int, list[float]]]:
        """(decision, scores) through the game, for the picture at its end."""
        with self.lock:
            if self._chart is None:
                step = max(1, self.decision // 160)
                picked = sorted({*range(0, self.decision + 1, step), self.decision})
                self._chart = [(d, [float(score) for score in self.pos.at(d).scores()]) for d in picked]
            return self._chart

    def token(self, seat: int) -> str:
        """The secret of a seat's link."""
        return seat_token(self.house.key, self.id, seat)

    def invitation(self, seat: int) -> str:
        """The secret of the invitation to a seat kept for a friend; "" when somebody has come."""
        return "" if self.taken[seat] else invitation_token(self.house.key, self.id, seat)

    def join(self, seat: int, name: str) -> None:
        """Somebody takes the seat that was kept; Used when it is taken."""
        with self.lock:
            if self.taken[seat]:
                raise Used("This invitation was used. Whoever took the seat has a link of their own to it.")
            self.commit(Joined(seat=seat, name=name))

    def group(self, seat: int) -> tuple[int, ...]:
        """The seats played through one link: all of this browser's seats hang together, a friend's stands alone."""
        if self.seats[seat].kind == "me":
            return tuple(i for i, one in enumerate(self.seats) if one.kind == "me")
        return (seat,)

    # --- Telling ------------------------------------------------------------------------------------

    def tell(self) -> None:
        """Something has changed: everybody at the table, and watching, is told."""
        self.changes += 1
        for loop, ear in tuple(self._ears):
            with contextlib.suppress(RuntimeError):  # a loop that is just closing
                loop.call_soon_threadsafe(ear.set)

    @contextlib.contextmanager
    def listening(self) -> Any:
        """An asyncio event that is set whenever the room changes."""
        ear = (asyncio.get_running_loop(), asyncio.Event())
        self._ears.add(ear)
        try:
            yield ear[1]
        finally:
            self._ears.discard(ear)

    def _note_standing(self, wait: bool = False) -> None:
        """Keep the lobby's line about this table; nobody at the table waits for it."""
        if wait:
            self.house.store.stand(self.standing())
        elif not self._standing_due:
            self._standing_due = True
            self.house.write_later(self._stand_soon)

    def _stand_soon(self) -> None:
        self.house.closing.wait(
            LOBBY_PAUSE
        )  # several decisions in a row make one line; the last is written in any case
        self._standing_due = False
        self.house.store.stand(self.standing())

    def standing(self) -> Standing:
        """This table's line in the lobby."""
        with self.lock:
            pos, seats, decisions = self.pos.copy(), tuple(self.seats), self.decision
        view = pos.view(None)
        labels = dict(view.get("phases", ()))
        where = ", ".join(
            part
            for part in (f"turn {view['turn']}" if "turn" in view else "", labels.get(view.get("phase"), ""))
            if part
        )
        best: tuple[int, ...] = ()
        if pos.over:
            best = tuple(int(row["seat"]) for row in pos.result() if row.get("place") == 1)
        return Standing(
            table=self.id,
            game=self.created.game,
            title=str(self.game.title),
            where=where,
            to_act=pos.seat,
            over=bool(pos.over),
            open_to_watch=self.created.open_to_watch,
            seats=seats,
            winners=best,
            decisions=decisions,
        )

    # --- Bots ---------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Let the bots play if one of them is to decide. Clicks never wait for them."""
        with self.lock:
            if self._bots_busy or self.pos.over or self.seats[self.pos.seat].kind != "bot":
                return
            self._bots_busy = True
        self.house.work(self._bots)

    def _bots(self) -> None:
        """Play for the bots until a person is to decide."""
        while True:
            with self.lock:
                seat = self.pos.seat
                if self.house.closing.is_set() or self.pos.over or self.seats[seat].kind != "bot":
                    self._bots_busy = False
                    return
                decision, level = self.decision, self.seats[seat].level
                sees = self.pos.copy().for_seat(seat)
            begun = time.monotonic()
            try:
                action = self._name_of(sees, self.house.shelf.bot(level).choose(sees))
            except Exception:  # a bot that stumbles must not stop the game
                LOG.exception("the %s bot stumbled at table %s, decision %d", level, self.id, decision)
                action = str(self.pos.actions()[0].name)
            self.house.closing.wait(max(0.0, self.house.bot_pause - (time.monotonic() - begun)))
            with self.lock:
                if decision == self.decision and seat == self.pos.seat and not self.house.closing.is_set():
                    try:
                        self._play(seat, action)
                    except Exception:
                        self._bots_busy = False
                        raise

    def _name_of(self, sees: Any, action: Any) -> str:
        """The name of a legal action given by name, or by id at the decision a bot has just seen."""
        return action if isinstance(action, str) else str(self.game.action_names[int(action)].name)


class House:
    """All tables: opens them, brings them back from the store, lends the bots a room to think in."""

    def __init__(self, store: Store, shelf: Shelf, bot_pause: float = 0.35) -> None:
        self.store = store
        self.shelf = shelf
        self.bot_pause = bot_pause
        self.key = store.key()
        self.boot = secrets.token_hex(3)
        self.closing = threading.Event()
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="bot")
        self._scribe = ThreadPoolExecutor(max_workers=1, thread_name_prefix="scribe")

    def warm(self) -> None:
        """Fetch the rules while nobody is waiting for them."""
        self.shelf.warm()

    def open(self, created: Created) -> Room:
        """A new table."""
        table = new_table_id()
        kept_event: Event = created
        self.store.append(table, 0, [kept_event])
        room = self.room(table)
        room._note_standing(wait=True)
        room.wake()
        return room

    def lay_out(self, created: Created, events: Sequence[Event]) -> Room:
        """A table on which a finished or broken-off game lies, to be looked at."""
        table = new_table_id()
        self.store.append(table, 0, [created, *events])
        room = self.room(table)
        room._note_standing(wait=True)
        return room

    def room(self, table: str) -> Room:
        """The room of this name; from the store when it is not open. Lost when there is none."""
        with self._lock:
            room = self._rooms.get(table)
            if room is None:
                kept = self.store.events(table)
                if not kept:
                    raise Lost("There is no such table.")
                room = Room.from_events(self, table, kept)
                self._rooms[table] = room
                self._close_some()
                fresh = True
            else:
                self._rooms.move_to_end(table)
                fresh = False
        if fresh:
            room.wake()
        return room

    def _close_some(self) -> None:
        """Let go of rooms nobody has visited for long; the store remembers them."""
        for table in list(self._rooms):
            if len(self._rooms) <= ROOMS_KEPT_OPEN:
                return
            room = self._rooms[table]
            if not room._ears and not room._bots_busy:
                del self._rooms[table]

    def seat(self, token: str) -> tuple[Room, int]:
        """The room and seat a secret link leads to. Lost when it leads nowhere."""
        found = read_token(self.key, token)
        if found is None:
            raise Lost("This link leads to no seat. Perhaps a few of its letters were lost on the way.")
        table, seat = found
        room = self.room(table)
        if seat >= len(room.seats) or room.seats[seat].kind not in ("me", "link") or not room.taken[seat]:
            raise Lost("This link leads to no seat.")
        return room, seat

    def invited(self, token: str) -> tuple[Room, int]:
        """The room and seat somebody is invited to. Lost when there is no such invitation."""
        found = read_invitation(self.key, token)
        if found is None:
            raise Lost("This is no invitation. Perhaps a few of its letters were lost on the way.")
        room = self.room(found[0])
        if found[1] >= len(room.seats) or room.seats[found[1]].kind != "link":
            raise Lost("This is no invitation.")
        return room, found[1]

    def watched(self, table: str) -> Room:
        """The room of this name, if one may watch there; else as if there were none."""
        room = self.room(table)
        if not room.created.open_to_watch:
            raise Lost("There is no such table.")
        return room

    def work(self, job: Any) -> None:
        """Do something slow elsewhere."""
        if not self.closing.is_set():
            self._pool.submit(job)

    def write_later(self, job: Any) -> None:
        """Bring the lobby up to date when there is time."""
        if not self.closing.is_set():
            self._scribe.submit(job)

    def later(self, job: Any) -> Any:
        """Do something slow elsewhere and wait for it there: a future."""
        return self._pool.submit(job)

    def close(self) -> None:
        """Stop thinking; everything is kept already."""
        self.closing.set()
        self.shelf.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._scribe.shutdown(wait=True)
        self.store.close()
