"""Nothing secret leaves: two worlds that differ only in what one cannot know give the same bytes at every address.

Every route of the application is asked, as its router lists them: for every seat, for a watcher and for a stranger, at
moments spread over whole games of every game. A route without an entry here fails the test.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import sutler
from sutler.core.chance import new_luck, reseed
from sutler.core.events import Told, new_event_buffer
from sutler.core.play.game import Position
from sutler.core.play.standing_order_answers import find_possible_answers
from sutler.web.app import create_app
from sutler.web.events import Created, SeatPlan
from sutler.web.http import log_lines
from sutler.web.table.lobby_row import build_standing
from sutler.web.table.registry import House
from sutler.web.table.room import Room, UndoRequest
from sutler.web.tokens import hash_browser

from .asking import Answer, Asker, routes

TABLE = "secretsecret"
CLOSE = 2
"""At so many moments of a game every route is asked; at one moment of each phase, the table as it stands."""
KEPT = Path(__file__).parent.parent / "kept"
Form = dict[str, Any]


@dataclass(frozen=True)
class Moment:
    """A position in the course of a game, and who looks at it (None: not at the table)."""

    pos: Position
    seat: int | None

    @property
    def n(self) -> int:
        """Decisions made so far."""
        return len(self.pos.decisions)

    def spots(self) -> list[str]:
        """Places on the table, some of which can be chosen now and some not."""
        named = [f"{of}:{names[len(names) // 2]}" for of, names in self.pos.game.names.items() if names]
        return [*named[:3], "seat:1"]

    def actions(self) -> list[str]:
        """Actions that cannot be taken now, spread over the table of all."""
        every = self.pos.game.action_names
        step = max(1, len(every) // 5)
        return [every[i].name for i in range(0, len(every), step) if self.pos.why_not(i) is not None]


# --- What is asked, by route ------------------------------------------------------------------------


def pages(m: Moment) -> list[Form]:
    return [{}, {"moment": m.n // 2}, {"eyes": 1}, {"since": str(max(0, m.n - 2))}]


def plays(m: Moment) -> list[Form]:
    wrong = [{"action": name, "decision": m.n} for name in m.actions()]
    late = [{"action": action.name, "decision": m.n - 1} for action in m.pos.actions()[:1]]
    return [*wrong, *late, {"action": "dance", "decision": m.n}, {"action": "", "decision": "x"}]


def backs(m: Moment) -> list[Form]:
    return [{"decision": m.n}, {"decision": m.n - 1}]


def orders(m: Moment) -> list[Form]:
    """Standing orders that answer nothing now, given and taken back; one for another's seat, and one there is not."""
    later = [name for name in m.pos.game.definition.orders if name not in find_possible_answers(m.pos)]
    said = [{"order": name, "seat": m.seat or 0, "stands": stands} for name in later for stands in ("1", "")]
    return [*said, {"order": "dance", "seat": m.seat or 0}, *({**one, "seat": 1 - (m.seat or 0)} for one in said[:1])]


def sums(m: Moment) -> list[str]:
    """Numbers that tell what they are made of."""
    names = m.pos.game.names
    supply = [f"sum:{level}:{power}" for power in names.get("power", ()) for level in ("supply", "strength")]
    cards = list(names.get("card", ()))[:6] if m.pos.game.name == "manor" else []
    return supply + [f"sum:yield:{card}:3" for card in cards] + [f"sum:cost:{card}" for card in cards]


AT_THE_TABLE: dict[str, Callable[[Moment], list[Form]]] = {
    "GET ": pages,
    "GET /now": pages,
    "GET /acts": lambda m: [{"since": str(max(0, m.n - 2))}],
    "POST /play": plays,
    "POST /shuffle": lambda m: [{"number": "0" * 32, "bond": "0" * 64}, {}],
    "POST /undo": backs,
    "POST /ask-back": backs,
    "POST /answer-back": lambda m: [{"decision": m.n, "yes": yes} for yes in ("1", "")],
    "POST /order": orders,
    "POST /go-on": lambda m: [{"kept": ""}, {"kept": "1"}],
    "POST /say": lambda m: [{"text": "Bread!"}, {}],
    "POST /report": lambda m: [{"about": about, "reason": "Rude!"} for about in ("seat:1", "line:1", "seat:5")] + [{}],
    "POST /mute": lambda m: [{"seat": seat, "muted": muted} for seat in (1, 5) for muted in ("yes", "")] + [{}],
    "POST /tell": lambda m: [{"text": "Too dear!"}, {}],
    "POST /rename": lambda m: [{"name": "Wulf"}],
    "POST /rematch": lambda m: [{}],
    "GET /review": lambda m: [{}],
    "POST /play-on": lambda m: [{"decision": n} for n in (0, m.n - 1, m.n)],
    "POST /begin": lambda m: [{"bots": "1"}, {}],
    "POST /stand-in": lambda m: [{"seat": seat} for seat in range(m.pos.n_seats)],
    "POST /back": lambda m: [{}],
    "POST /puzzle": lambda m: [{"do": "show", "decision": m.n}, {}],
    "POST /lesson": lambda m: [{"do": "on", "step": "1"}, {}],
    "GET /talk": lambda m: [{}, {"before": "1"}],
    "GET /hint": lambda m: [{}],
    "GET /why": lambda m: [{"at": spot} for spot in m.spots()],
    "GET /explain": lambda m: [{"key": key} for key in ("rule:1", "sum:score:0", "sum:score:1", *m.spots(), *sums(m))],
    "GET /game.json": lambda m: [{}],
}
"""Under the seats' and the watchers' addresses: the forms or queries sent."""

ELSEWHERE: dict[str, Callable[[Moment], list[tuple[str, Form]]]] = {
    "GET /": lambda m: [("/", {"game": m.pos.game.name})],
    "POST /tables": lambda m: [("/tables", {"game": m.pos.game.name})],
    "POST /name": lambda m: [("/name", {"name": "Wulf"})],
    "GET /me": lambda m: [("/me", {})],
    "GET /me/data": lambda m: [("/me/data", {})],
    "POST /me/listed": lambda m: [("/me/listed", {"listed": "yes"}), ("/me/listed", {})],
    "POST /me/again": lambda m: [("/me/again", {"table": TABLE}), ("/me/again", {})],
    "POST /me/unmute": lambda m: [("/me/unmute", {})],
    "POST /me/forget": lambda m: [("/me/forget", {"sure": TABLE})],
    "POST /me/code": lambda m: [],  # every code is another
    "POST /me/here": lambda m: [("/me/here", {"code": TABLE})],
    "POST /me/passkeys/offer": lambda m: [("/me/passkeys/offer", {})],
    "POST /me/passkeys": lambda m: [("/me/passkeys", {"credential": TABLE})],
    "POST /me/passkeys/question": lambda m: [("/me/passkeys/question", {})],
    "POST /me/passkeys/enter": lambda m: [("/me/passkeys/enter", {"credential": TABLE})],
    "POST /me/passkeys/remove": lambda m: [("/me/passkeys/remove", {"key": "0" * 64})],
    "POST /me/passkeys/leave": lambda m: [("/me/passkeys/leave", {})],
    "POST /me/mail": lambda m: [("/me/mail", {"address": TABLE})],
    "POST /me/mail/remove": lambda m: [("/me/mail/remove", {"address": "0" * 64})],
    "GET /me/mail/{token}": lambda m: [(f"/me/mail/{TABLE}", {})],
    "POST /me/mail/{token}": lambda m: [(f"/me/mail/{TABLE}", {"bring": "yes"})],
    "GET /bell-worker.js": lambda m: [("/bell-worker.js", {})],
    "POST /me/bell": lambda m: [("/me/bell", {"endpoint": TABLE})],
    "POST /me/bell/off": lambda m: [("/me/bell/off", {"endpoint": TABLE})],
    "GET /language/{wanted}": lambda m: [("/language/de", {})],
    "GET /words/{wanted}.js": lambda m: [("/words/de.js", {})],
    "POST /files": lambda m: [("/files", {"file": TABLE})],
    "GET /invited/{token}": lambda m: [(f"/invited/{TABLE}", {})],
    "POST /invited/{token}": lambda m: [(f"/invited/{TABLE}", {"name": "Wulf"})],
    "GET /open/{table}": lambda m: [(f"/open/{TABLE}", {})],
    "POST /open/{table}": lambda m: [(f"/open/{TABLE}", {"name": "Wulf"})],
    "POST /find": lambda m: [("/find", {"game": TABLE})],
    "GET /learn/{game}": lambda m: [(f"/learn/{m.pos.game.name}", {})],
    "GET /puzzles/{game}": lambda m: [(f"/puzzles/{m.pos.game.name}", {})],
    "POST /puzzles/{game}/{number}": lambda m: [(f"/puzzles/{m.pos.game.name}/0", {})],
    "POST /learn/{game}/{lesson}": lambda m: [(f"/learn/{m.pos.game.name}/{TABLE}", {})],
    "GET /print/{game}": lambda m: [
        (f"/print/{m.pos.game.name}", {"paper": "a0"})
    ],  # laid out from the game alone, in seconds
    "GET /sprite/{game}.svg": lambda m: [(f"/sprite/{m.pos.game.name}.svg", {})],
    "GET /games/{game}/{name}": lambda m: [(f"/games/{m.pos.game.name}/{TABLE}", {})],
    "GET /admin": lambda m: [("/admin", {})],
    "POST /admin": lambda m: [("/admin", {"word": TABLE})],
    "GET /admin/people/{browser}": lambda m: [("/admin/people/" + "0" * 64, {})],
    "POST /admin/people/{browser}/forget": lambda m: [("/admin/people/" + "0" * 64 + "/forget", {})],
    "POST /admin/tables/{table}/remove": lambda m: [(f"/admin/tables/{TABLE}/remove", {})],
    "POST /admin/reports/{number}": lambda m: [("/admin/reports/1", {"decision": "dismiss"})],
    "POST /admin/bans": lambda m: [("/admin/bans", {"who": "192.0.2.7"})],
    "POST /admin/bans/lift": lambda m: [("/admin/bans/lift", {"who": "192.0.2.7"})],
    "GET /healthz": lambda m: [("/healthz", {})],
    "GET /readyz": lambda m: [("/readyz", {})],
    "GET /events": lambda m: [("/events", {"at": f"/seat/{TABLE}"})],
    "GET /openapi.json": lambda m: [("/openapi.json", {})],
    "GET /lab": lambda m: [("/lab", {"game": m.pos.game.name})],
    "POST /lab": lambda m: [("/lab", {"game": TABLE})],
    "GET /lab/box/{game}": lambda m: [(f"/lab/box/{m.pos.game.name}", {"words": "cost"})],
    "GET /lab/notebook/{name}": lambda m: [("/lab/notebook/dearer", {})],
    "GET /lab/notebook/{name}/{version}/{number}/report.html": lambda m: [("/lab/notebook/dearer/1/1/report.html", {})],
    "GET /lab/{id}": lambda m: [(f"/lab/{TABLE}", {})],
    "GET /lab/{id}/now": lambda m: [(f"/lab/{TABLE}/now", {})],
    "POST /lab/{id}/{order}": lambda m: [(f"/lab/{TABLE}/stop", {})],
    "GET /lab/{id}/report.html": lambda m: [(f"/lab/{TABLE}/report.html", {})],
    "GET /lab/{id}/sheets.html": lambda m: [(f"/lab/{TABLE}/sheets.html", {})],
    "GET /lab/{id}/games.parquet": lambda m: [(f"/lab/{TABLE}/games.parquet", {})],
    "MOUNT /static": lambda m: [(f"/static/{TABLE}", {})],
}
"""Everywhere else: the addresses, with what is sent."""
TABLES = ("/seat/{token}", "/watch/{table}")


def test_every_route_of_the_application_is_asked() -> None:
    listed = {route.replace(" ", f" {base}", 1) for route in AT_THE_TABLE for base in TABLES} | set(ELSEWHERE)
    assert routes(create_app(warm=False)) == listed


# --- Two worlds -------------------------------------------------------------------------------------


def walked(name: str) -> tuple[list[Position], list[Position]]:
    """Moments of a whole game: some to look at closely, and one of each phase."""
    kept, phases = list(course(name)), {}
    for pos in kept:
        phases[int(pos.state.phase)] = pos  # the latest: more has happened by then
    spread = [kept[(2 * i + 1) * len(kept) // (2 * CLOSE)] for i in range(CLOSE)]
    return spread, list(phases.values())


def course(name: str) -> Iterator[Position]:
    """A whole game: one that was kept, or, where a new game has none, one at random."""
    played, luck = sorted(KEPT.glob(f"*/{name}-*.json"))[:1], random.Random(5)
    old = sutler.read_game_file(played[0]) if played else None
    game = sutler.load(name) if old is None else old.game
    pos = game.new(max(2, game.min_seats) if old is None else old.n_seats, seed=11 if old is None else old.seed)
    while not pos.over and (old is None or len(pos.decisions) < len(old.decisions)):
        yield pos.copy()
        pos.play(luck.choice(pos.legal_ids()) if old is None else old.decisions[len(pos.decisions)].action)


@cache
def luck_of(number: int) -> Any:
    return new_luck(number)


def redealt(pos: Position, data: bytes, seat: int | None) -> Any:
    """The state anew in all this seat cannot know; for a watcher, in all that one seat or another cannot know."""
    d = pos.game.definition
    state = d.state.from_bytes(data)
    for one in (0, pos.n_seats - 1) if seat is None else (seat,):
        d.redeal(pos.game.box, state, one, luck_of(3))
    reseed(state, luck_of(3))
    return state


def veiled(told: Told, seat: int | None) -> Told:
    return told if told.is_for(seat) else replace(told, args=tuple(0 for _ in told.args))


def other_world(pos: Position, seat: int | None) -> Position:
    """A world that this seat cannot tell from `pos`: what others hold, did in secret and will roll is another."""
    there, n = pos.copy(), len(pos.decisions)
    mine = [i for i, one in enumerate(pos.decisions) if one.seat == seat]
    near = range(max(0, min([n, *mine[-2:]]) - 2), n + 1)  # as far back as anything asked here goes
    states = dict(zip(near, chain(pos, seat, near), strict=True))
    states.setdefault(n // 2, redealt(pos, pos.decisions[n // 2].before if n else there.to_bytes(), seat))
    there.seed = pos.seed + 1
    there.decisions = [
        replace(
            one,
            action=one.action if one.seat == seat else 0,
            before=states[i].tobytes() if i in states else b"nobody asks for this",
            told=tuple(veiled(told, seat) for told in one.told),
        )
        for i, one in enumerate(pos.decisions)
    ]
    there.state = states[n]
    return there


def chain(pos: Position, seat: int | None, numbers: range) -> Iterator[Any]:
    """The other world's states before these decisions: one leads to the next where the seat itself led there."""
    before = None
    for i in numbers:
        state = None if before is None else led_on(pos, i - 1, before, seat)
        if state is None:
            state = redealt(pos, bytes_at(pos, i), seat)
            if before is not None and not drew(pos, i - 1):
                state.rng[:] = before.rng
        yield state
        before = state


def bytes_at(pos: Position, number: int) -> bytes:
    return pos.decisions[number].before if number < len(pos.decisions) else pos.to_bytes()


def drew(pos: Position, number: int) -> bool:
    """Was luck drawn by this decision?"""
    read = pos.game.definition.state.from_bytes
    return bool((read(bytes_at(pos, number)).rng != read(bytes_at(pos, number + 1)).rng).any())


def led_on(pos: Position, number: int, before: Any, seat: int | None) -> Any:
    """Where my own decision leads in the other world; None if it was not mine, or more came of it than I did."""
    d, one = pos.game.definition, pos.decisions[number]
    here = d.state.from_bytes(bytes_at(pos, number + 1))
    if one.seat != seat or drew(pos, number):
        return None
    state = d.state.copy(before)
    if d.why_not(pos.game.box, state, one.action):
        return None
    d.engine.go(pos.game.box, state, new_event_buffer(on=False), d.actions.new_ids(), d.asked, one.action)
    seen = [repr(d.view(pos.game.box, world, pos.speaker, seat)) for world in (here, state)]
    return state if seen[0] == seen[1] else None


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
"""The clock of the house stands still while two worlds are asked."""


class Worlds:
    """One house in which a table stands now in this world, now in the other."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.app = create_app("sqlite://", bot_pause=0.0, warm=False)
        self.house: House = self.app.state.house
        self.ask = Asker(self.app)
        monkeypatch.setattr(log_lines, "assign_request_id", lambda: "number")
        monkeypatch.setattr(self.house, "queue_listing", lambda *_: None)  # the lobby's line is written here
        monkeypatch.setattr(self.house.store, "append_events", lambda *_: None)
        monkeypatch.setattr(self.house.store, "now", lambda: NOON)  # the puzzle of the day changes at midnight
        monkeypatch.setitem(self.house.shelf._bots, "hard", sutler.bot("search", rounds=4))

    def lay(
        self, pos: Position, seat: int | None, open_to_watch: bool, asked: bool = False, in_lobby: bool = False
    ) -> None:
        """Put the table into a world. Names of others' actions are not for this seat to see."""
        n, past = pos.n_seats, past_of(pos, seat)
        seats = [SeatPlan(kind="link" if i else "me", name=f"Seat {i + 1}") for i in range(n)]
        created = Created(game=pos.game.name, seed=pos.seed, seats=tuple(seats), open_to_watch=open_to_watch)
        room = Room(TABLE, self.house.services, created, pos.game, pos.copy())
        room.seats, room.chairs.taken, room.seq, room.changes = seats, [True] * n, 5, 5
        room.actions = list(past)
        if asked and pos.decisions:
            room.asked = UndoRequest(pos.decisions[-1].seat, len(pos.decisions) - 1)
        self.house._alive[TABLE] = self.house._rooms[TABLE] = room
        if in_lobby:
            self.house.store.write_standings([build_standing(room)])

    def same(self, m: Moment, method: str, path: str, sent: Form, **how: Any) -> Answer:
        """The same request in both worlds; what comes back must be the same to the last byte."""
        query, body = ({}, sent) if method == "POST" else (sent, {})
        answers = []
        for pos in (m.pos, other_of(m)):
            self.lay(pos, m.seat, **how)
            answers.append(self.ask("GET" if method == "MOUNT" else method, path, query, body))
        here, there = answers
        assert here.status < 500, (method, path, sent)
        assert here == there, difference(f"{method} {path} {sent}", here, there)
        return here


@cache
def past_of(pos: Position, seat: int | None) -> list[tuple[int, str]]:
    """Who did what, as the room keeps it; what others did is told by no name."""
    names = pos.game.action_names
    return [
        (one.seat, names[one.action].name if one.seat == seat else f"secret of {pos.seed}") for one in pos.decisions
    ]


OTHERS: dict[tuple[int, int | None], Position] = {}


def other_of(m: Moment) -> Position:
    """The other world of a moment, made once."""
    key = (id(m.pos), m.seat)
    if key not in OTHERS:
        OTHERS[key] = other_world(m.pos, m.seat)
    return OTHERS[key]


def difference(what: str, here: Answer, there: Answer) -> str:
    if here.status != there.status or here.headers != there.headers:
        return f"{what}: {here.status} {here.headers} and {there.status} {there.headers}"
    at = next((i for i, (a, b) in enumerate(zip(here.body, there.body, strict=False)) if a != b), 0)
    return f"{what}: …{here.body[max(0, at - 120) : at + 80]!r} and …{there.body[max(0, at - 20) : at + 80]!r}"


@pytest.fixture
def worlds(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worlds]:
    both = Worlds(monkeypatch)
    OTHERS.clear()
    yield both
    both.ask.close()
    both.house.close()


@pytest.mark.timeout(900)  # thousands of requests, and as many pages of a large table
@pytest.mark.parametrize("name", sutler.games())
def test_two_worlds_give_the_same_bytes_at_every_address(worlds: Worlds, name: str) -> None:
    close, phases = walked(name)
    asked = strange(worlds, Moment(close[-1], None))
    for pos in [*close, *phases]:
        for seat in (*range(pos.n_seats), None):
            m = Moment(pos, seat)
            base = f"/watch/{TABLE}" if seat is None else f"/seat/{seat_link(worlds, pos, seat)}"
            for route, forms in AT_THE_TABLE.items() if pos in close else [("GET ", lambda _: [{}])]:
                method, rest = route.split(" ")
                for sent in forms(m):
                    worlds.same(m, method, base + rest, sent, open_to_watch=True, asked=rest == "/answer-back")
                    asked += 1
            assert "event: table" in worlds.same(m, "GET", "/events", {"at": base}, open_to_watch=True).text
    assert asked > 200


def seat_link(worlds: Worlds, pos: Position, seat: int) -> str:
    worlds.lay(pos, seat, open_to_watch=True)
    return worlds.house._rooms[TABLE].make_seat_token(seat)


def strange(worlds: Worlds, m: Moment) -> int:
    """Somebody who knows the table's name, and everything an address can say, but was given no link."""
    asked = 0
    for route, forms in AT_THE_TABLE.items():
        method, rest = route.split(" ")
        for base in (f"/watch/{TABLE}", f"/seat/{TABLE}"):
            answer = worlds.same(m, method, base + rest, forms(m)[0], open_to_watch=False)
            assert answer.status in (404, 422), route
            asked += 1
    for route, addresses in ELSEWHERE.items():
        for path, sent in addresses(m):
            answer = worlds.same(m, route.split(" ")[0], path, sent, open_to_watch=False, in_lobby=path == "/")
            text = answer.text.replace(path, "")
            if route == "GET /events":  # it says back which of the addresses it was asked about it does not know
                text = text.replace(sent["at"], "")
            assert TABLE not in text, f"{route}: a private table's name"
            asked += 1
    return asked


def test_the_other_world_is_another() -> None:
    """The test would find something: shown to the seats that may know, the two worlds differ."""
    close, _ = walked("threeyears")
    for pos in close:
        there = other_world(pos, 0)
        assert there.to_bytes() != pos.to_bytes()
        assert repr(there.view(1)) != repr(pos.view(1)), "the other's hand is another"
        assert repr(there.view(0)) == repr(pos.view(0))


def test_a_leak_is_told_with_its_address(worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a question to which the whole state, what nobody may know among it, adds one word; each address is asked but once."""
    close, _ = walked("manor")
    m = Moment(close[0], 0)
    base = f"/seat/{seat_link(worlds, m.pos, 0)}"
    worlds.same(m, "GET", base, {}, open_to_watch=True)
    asked = Position.prompt

    def leaky(pos: Position, seat: int | None = None) -> Any:
        prompt = asked(pos, seat)
        return replace(prompt, text=f"{prompt.text} {pos.digest()}")

    monkeypatch.setattr(Position, "prompt", leaky)
    for route in ("", "/now"):
        with pytest.raises(AssertionError, match=f"GET {base}{route} "):
            worlds.same(m, "GET", base + route, {}, open_to_watch=True)


def test_the_lobby_knows_my_tables_and_no_secret(worlds: Worlds) -> None:
    close, _ = walked("manor")
    worlds.house.store.record_seats(hash_browser("somebody"), TABLE, (0,))
    answer = worlds.same(Moment(close[1], 0), "GET", "/", {}, open_to_watch=False, in_lobby=True)
    assert "/seat/" in answer.text


def test_the_lobbys_line_is_what_everybody_may_see(worlds: Worlds) -> None:
    """A seat has just looked and knows more of where the game is: the line says what a watcher sees."""
    close, _ = walked("manor")
    worlds.lay(close[1], 0, open_to_watch=True)
    room = worlds.house._alive[TABLE]
    line = build_standing(room)
    room.cache.views.clear()
    seen = dict(room.pos.view(0)) | {"turn": 99, "phase": "mine", "phases": [("mine", "What only I know")]}
    room.cache.views[0, room.decision, "en"] = seen
    assert build_standing(room) == line
