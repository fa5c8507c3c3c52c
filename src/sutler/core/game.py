"""The Python face: a `Definition` is a game's folder, a `Game` its rules with a box and options, a `Position` one game.

game = load("manor", victory=20)
pos = game.new(seats=3, seed=7)
pos.play("place Wheat")
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from sutler.core.actions import Action, ActionNames, ActionTable, Names
from sutler.core.bits import has, members
from sutler.core.box import BoxError, Info, Option, edited, hash_of, options_of, read_toml, validated, with_setting
from sutler.core.chance import new_luck, reseed, seed_luck
from sutler.core.events import EventTable, Told, drain, new_buffer
from sutler.core.guide import Guide
from sutler.core.record import NOBODY, Record
from sutler.core.rule import Home, home_of
from sutler.core.speech import Choice, Line, LogLine, Prompt, Refusal, Speaker
from sutler.core.template import instantiate
from sutler.core.text import Sentence

ENGINE = Path(__file__).with_name("engine.py")
SEED_LIMIT = 1 << 62
GAME_STREAM, REDEAL_STREAM = 0, 1


class IllegalAction(ValueError):
    """An action that cannot be taken now: `reason` says why, `rule` which paragraph stands in the way."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


class Definition:
    """What a game's folder brings: its modules' names, checked against the contract.

    The rules it must have (arguments as in docs/write-a-game.md): setup, recount, check, start, legal, apply, is_over,
    is_midway, why_not, score, rank, evaluate, observe, redeal; the plain functions: pack, view, prompt, choice,
    breakdown; and, if it likes, complete (for scenario files).
    """

    RULES = (
        "setup",
        "recount",
        "check",
        "start",
        "legal",
        "apply",
        "is_over",
        "is_midway",
        "why_not",
        "score",
        "rank",
        "evaluate",
        "observe",
        "redeal",
    )
    TABLES = ("BOX", "STATE", "ACTIONS", "EVENTS", "Sheet", "FAULTS", "REFUSALS", "N_OBSERVED")
    WORDS = ("pack", "view", "prompt", "choice", "breakdown")
    OPTIONAL = ("complete", "prune", "SCALE", "RELUCTANCE", "COOPERATIVE")  # the last four: see docs/bots.md

    def __init__(self, package: str, file: str, *modules: ModuleType) -> None:
        self.package = package
        self.name = package.rpartition(".")[2]
        self.folder = Path(file).parent
        found: dict[str, Any] = {}
        for wanted in (*self.RULES, *self.TABLES, *self.WORDS):
            owners = [module for module in modules if wanted in vars(module)]
            if not owners:
                raise TypeError(f"{package}: the contract asks for {wanted!r}; no module of the game has it")
            found[wanted] = vars(owners[-1])[wanted]
        for wanted in self.OPTIONAL:
            found[wanted] = next((vars(module)[wanted] for module in modules if wanted in vars(module)), None)
        self._found = found
        self.state: Record = found["STATE"]
        self.box: Record = found["BOX"]
        self.actions: ActionTable = found["ACTIONS"]
        self.events: EventTable = found["EVENTS"]
        self.asked = self.actions.always_asked()
        self._templates: dict[Path, ModuleType] = {}
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_found"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def home(self) -> Home:
        """Where its rules are compiled and cached."""
        return home_of(self.folder / "box.py")

    @property
    def engine(self) -> ModuleType:
        """The engine, with this game's rules."""
        return self.template(ENGINE)

    def template(self, path: Path, **more: Any) -> ModuleType:
        """A template module with this game's rules among its globals, made once."""
        with self._lock:
            if path not in self._templates:
                given = {name: self._found[name] for name in self.RULES} | more
                self._templates[path] = instantiate(path, f"{self.package}._{path.stem}", self.home, **given)
            return self._templates[path]

    @cached_property
    def guide(self) -> Guide:
        """The guide, by paragraphs."""
        return Guide.load(self.folder / "guide.md")

    @cached_property
    def printed(self) -> dict[str, Any]:
        """`box.toml` as plain data."""
        return read_toml(self.folder / "box.toml")

    @cached_property
    def info(self) -> Info:
        """Title, designer, players, length."""
        return validated(Info, self.printed.get("game", {}), f"{self.name}/box.toml [game]")


class Game:
    """Rules, a box and options: what is needed to play. Made by `sutler.load`."""

    def __init__(
        self,
        definition: Definition,
        box: str | Path | Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.definition = definition
        self.name = definition.name
        source = f"{self.name}/box.toml"
        data = definition.printed
        if box is not None:
            self.edit: dict[str, Any] = dict(box) if isinstance(box, Mapping) else read_toml(Path(box))
            source = source if isinstance(box, Mapping) else str(box)
            data = edited(data, self.edit)
        else:
            self.edit = {}
        self._options = options_of(data, source)
        chosen = {name: option.default for name, option in self._options.items()}
        self.settings: dict[str, Any] = {}
        for key, value in {**(settings or {}), **(options or {})}.items():
            key = key.removeprefix("options.")
            if key in self._options:
                try:
                    chosen[key] = self._options[key].check(value)
                except ValueError as error:
                    raise BoxError(f"option {error}") from None
            elif "." in key:
                data = with_setting(data, key, value)
                self.settings[key] = value
            else:
                raise BoxError(f"{self.name} has no option {key!r}; it has {', '.join(self._options)}")
        self.chosen = chosen
        self.sheet = validated(definition.Sheet, data, source)
        self.box = self.packed(self.sheet)
        self.box_hash = hash_of({key: value for key, value in data.items() if key not in ("game", "options")})
        self.names: Names = self.sheet.names()
        try:
            self.action_names = ActionNames(definition.actions, self.names)
        except ValueError as error:
            raise BoxError(f"{source}: {error}") from None

    def packed(self, sheet: Any) -> Any:
        """A sheet with the chosen options as a box record; BoxError when they contradict each other."""
        return self.definition.pack(sheet, self.chosen, self._options)

    def __repr__(self) -> str:
        return f"<Game {self.name}, box {self.box_hash}>"

    @property
    def title(self) -> str:
        """The game's name in full."""
        return self.definition.info.title

    @property
    def info(self) -> Info:
        """Title, designer, players, length, source."""
        return self.definition.info

    @property
    def min_seats(self) -> int:
        """The fewest seats."""
        return self.info.seats[0]

    @property
    def max_seats(self) -> int:
        """The most seats."""
        return self.info.seats[1]

    @property
    def guide(self) -> Guide:
        """How to play, by paragraphs."""
        return self.definition.guide

    @property
    def folder(self) -> Path:
        """The game's folder."""
        return self.definition.folder

    def options(self) -> list[Option]:
        """What may be chosen before a game."""
        return list(self._options.values())

    def changed_options(self) -> dict[str, Any]:
        """The options that differ from the printed game."""
        return {name: value for name, value in self.chosen.items() if value != self._options[name].default}

    def new(
        self,
        seats: int | None = None,
        seed: int = 0,
        position: str | Path | None = None,
        names: Sequence[str] = (),
    ) -> Position:
        """A new game, or one from a scenario file. ValueError for a wrong number of seats, BoxError for a bad file."""
        if position is not None:
            from sutler.core.scenario import load_position

            loaded: Position = load_position(self, Path(position), seats, seed, names)
            return loaded
        seats = self.min_seats if seats is None else seats
        pos = Position(self, self.blank(seats, seed), seed, names)
        pos._begin()
        return pos

    def blank(self, seats: int, seed: int) -> Any:
        """A state with nothing but its seats and its generator; ValueError when either is out of range."""
        if not self.min_seats <= seats <= self.max_seats:
            raise ValueError(f"{self.title} is for {self.min_seats} to {self.max_seats} seats, not {seats}")
        if not 0 <= seed < SEED_LIMIT:
            raise ValueError(f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {seed}")
        if fault := getattr(self.sheet, "unfit", lambda box, seats: "")(self.box, seats):
            raise BoxError(fault)
        state = self.definition.state.new()
        state.n_seats = seats
        seed_luck(state, seed, GAME_STREAM)
        return state

    def from_bytes(self, data: bytes, names: Sequence[str] = ()) -> Position:
        """A position from `Position.to_bytes`, without its past. ValueError if the bytes are no state of this game."""
        state = self.definition.state.from_bytes(data)
        if fault := self._unsound(state):
            raise ValueError(f"these bytes are no position of {self.title}: {fault}")
        pos = Position(self, state, 0, names)
        pos._settle()
        if not pos.over and pos._n_legal == 0:
            raise ValueError(f"these bytes are no position of {self.title}: nobody can do anything")
        return pos

    def _unsound(self, state: Any) -> str:
        """What is wrong with a state from outside, in words: compiled rules would not notice, and read anything."""
        if not self.min_seats <= state.n_seats <= self.max_seats:
            return f"{state.n_seats} seats"
        for path, one, value in self.definition.state.leaves(state):
            listed = self.names.get(one.of) if one.of else None
            numbers = members(value)[-1:] if one.is_set else [int(value)] if listed is not None else []
            if listed is not None and any(not NOBODY <= number < len(listed) for number in numbers):
                return f"{path}: there is no {one.of} number {numbers[0]}"
        if fault := int(self.definition.check(self.box, state)):
            return str(self.definition.FAULTS[fault])
        counted = self.definition.state.copy(state)
        self.definition.recount(self.box, counted)
        return "" if counted.tobytes() == state.tobytes() else "what is counted for speed is counted wrongly"


@dataclass(frozen=True)
class Decision:
    """One decision taken: who, what, among how many, the state before it, and what was told."""

    seat: int
    action: int
    n_legal: int
    before: bytes
    told: tuple[Told, ...]


class Position:
    """A game being played: the state, the decisions that led to it, and the log."""

    def __init__(self, game: Game, state: Any, seed: int, names: Sequence[str] = ()) -> None:
        self.game = game
        self.state = state
        self.seed = seed
        self.names = list(names) or [f"Seat {i + 1}" for i in range(int(state.n_seats))]
        self.decisions: list[Decision] = []
        self.opening: tuple[Told, ...] = ()
        self.opening_state = b""
        self.from_seed = False
        self._out = game.definition.actions.new_ids()
        self._n_legal = 0

    def __repr__(self) -> str:
        whose = "over" if self.over else f"seat {self.seat} to act"
        return f"<Position {self.game.name}, decision {len(self.decisions)}, {whose}>"

    # --- playing ---

    def _begin(self) -> None:
        d, buffer = self.game.definition, new_buffer()
        self._n_legal = int(d.engine.begin(self.game.box, self.state, buffer, self._out, d.asked))
        self.opening = tuple(drain(d.events, buffer))
        self.opening_state = self.state.tobytes()
        self.from_seed = True

    def _settle(self) -> None:
        d, buffer = self.game.definition, new_buffer()
        self._n_legal = int(d.engine.settle(self.game.box, self.state, buffer, self._out, d.asked))
        self.opening = tuple(drain(d.events, buffer))
        self.opening_state = self.state.tobytes()

    @property
    def seat(self) -> int | None:
        """Whose decision it is; None when the game is over."""
        return None if self.over else int(self.state.to_act)

    @property
    def n_seats(self) -> int:
        """How many sit at the table."""
        return int(self.state.n_seats)

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return bool(self.game.definition.is_over(self.state))

    def legal_ids(self) -> list[int]:
        """The ids of the legal actions, ascending."""
        return [] if self.over else members(self._out.ids)

    def asides(self) -> list[Action]:
        """What the seat to act may do beside its decision (blocks marked `aside`): for people, never in a bot's list."""
        blocks = self.game.definition.actions.blocks
        beside = (self.game.action_names[i] for name in blocks if blocks[name].aside for i in self._ids(name))
        return [action for action in beside if self.why_not(action) is None]

    def _ids(self, block: str) -> range:
        return self.game.definition.actions.ids(block)

    def actions(self) -> list[Action]:
        """The legal actions."""
        return [self.game.action_names[i] for i in self.legal_ids()]

    def action(self, what: Action | int | str) -> Action:
        """An action by id or name; IllegalAction when there is none such."""
        if isinstance(what, Action):
            return what
        if isinstance(what, str):
            found = self.game.action_names.find(what)
            if found is None:
                like = self.game.action_names.like(what)
                hint = f"; did you mean {' or '.join(repr(name) for name in like)}?" if like else ""
                raise IllegalAction(f"{self.game.title} has no action called {what!r}{hint}")
            return found
        if not 0 <= int(what) < len(self.game.action_names):
            raise IllegalAction(f"{self.game.title} has no action number {what}")
        return self.game.action_names[int(what)]

    def play(self, what: Action | int | str) -> tuple[Told, ...]:
        """Take a legal action; returns what happened. IllegalAction leaves everything as it was."""
        action = self.action(what)
        if refusal := self.why_not(action):
            raise IllegalAction(refusal.text, refusal.rule)
        d, buffer = self.game.definition, new_buffer()
        before, seat, n_legal = self.state.tobytes(), int(self.state.to_act), self._n_legal
        self._n_legal = int(d.engine.advance(self.game.box, self.state, buffer, self._out, d.asked, action.id))
        told = tuple(drain(d.events, buffer))
        self.decisions.append(Decision(seat, action.id, n_legal, before, told))
        return told

    def why_not(self, what: Action | int | str) -> Refusal | None:
        """None when the action is legal now, else the reason and its paragraph."""
        try:
            action = self.action(what)
        except IllegalAction as error:
            return Refusal(error.reason, error.rule)
        if self.over:
            return Refusal("The game is over.", "")
        if has(self._out.ids, action.id):
            return None
        d = self.game.definition
        reason = int(d.why_not(self.game.box, self.state, action.id))
        if reason == 0 and d.actions.blocks[action.block].aside:
            return None
        text, rule = d.REFUSALS[reason]
        return Refusal(text, rule or action.rule)

    def why_not_at(self, at: str) -> list[Refusal]:
        """Why nothing can be done at a spot of the table now: one refusal a kind of action that aims there."""
        if self.over:
            return [Refusal("The game is over.", "")]
        found: dict[str, Refusal] = {}
        for i in range(len(self.game.action_names)):
            if self.choice(i).at == at and (refusal := self.why_not(i)):
                found.setdefault(refusal.text, refusal)
        # a reason of the present decision says more than "not asked now"
        telling = [refusal for refusal in found.values() if refusal.text != self.game.definition.REFUSALS[1][0]]
        return telling or list(found.values())

    # --- seeing ---

    @property
    def speaker(self) -> Speaker:
        """Words for this table: the box's names and the seats'."""
        return Speaker(self.game.names, self.names)

    def prompt(self, seat: int | None = None) -> Prompt:
        """What is asked, in one sentence, as this seat (None: a watcher) reads it."""
        prompt: Prompt = self.game.definition.prompt(self.game.box, self.state, self.speaker, seat)
        return prompt

    def choice(self, action: int) -> Choice:
        """How the table shows an action."""
        one = self.game.action_names[action]
        choice: Choice = self.game.definition.choice(self.game.box, self.state, self.speaker, one)
        return choice

    def choices(self, seat: int | None = None) -> list[Choice]:
        """The legal actions as the table shows them; empty for a seat that does not decide now."""
        if self.over or (seat is not None and seat != self.seat):
            return []
        return [self.choice(i) for i in self.legal_ids()]

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat (None: a watcher) may know, as plain data, built from nothing."""
        view: dict[str, Any] = self.game.definition.view(self.game.box, self.state, self.speaker, seat)
        return view

    def told(self) -> list[tuple[int, Told]]:
        """Everything told so far, with the number of the decision it followed (0: the opening)."""
        every = [(0, told) for told in self.opening]
        for number, decision in enumerate(self.decisions, 1):
            every += [(number, told) for told in decision.told]
        return every

    def log(self, seat: int | None = None, since: int = 0) -> list[LogLine]:
        """The log as this seat may read it, from decision `since` on."""
        speaker = self.speaker
        mine = [(number, told) for number, told in self.told() if told.is_for(seat)]
        return [_log_line(i, number, told, speaker) for i, (number, told) in enumerate(mine) if number >= since]

    def scores(self) -> list[float]:
        """Each seat's points as they stand."""
        out = np.zeros(self.n_seats)
        self.game.definition.score(self.game.box, self.state, out)
        return [float(x) for x in out]

    def places(self) -> list[int]:
        """Each seat's place as it stands, from 1; equal seats share one."""
        out = np.zeros(self.n_seats)
        self.game.definition.rank(self.game.box, self.state, out)
        return [int(x) for x in out]

    def breakdown(self, seat: int) -> list[Line]:
        """What a seat's score is made of."""
        lines: list[Line] = self.game.definition.breakdown(self.game.box, self.state, self.speaker, seat)
        return lines

    def result(self) -> list[dict[str, Any]]:
        """Per seat: its place, score and the parts of it."""
        return [
            {"seat": seat, "place": place, "score": score, "lines": self.breakdown(seat)}
            for seat, (place, score) in enumerate(zip(self.places(), self.scores(), strict=True))
        ]

    # --- taking back ---

    def can_undo(self, seat: int | None = None) -> bool:
        """May the last decision be taken back (by this seat)?

        Yes when it drew no random number and nobody learned anything by it; the second is tried on redeals: in worlds
        that a seat cannot tell apart, the same action must be possible and leave that seat with the same view.
        """
        if not self.decisions:
            return False
        last = self.decisions[-1]
        if seat is not None and last.seat != seat:
            return False
        before = self.game.definition.state.from_bytes(last.before)
        if not np.array_equal(before.rng, self.state.rng):
            return False
        return not any(self._learned(viewer, before, last.action) for viewer in range(self.n_seats))

    def _learned(self, viewer: int, before: Any, action: int, worlds: int = 6) -> bool:
        d, box = self.game.definition, self.game.box
        seen: str | None = None
        luck = new_luck(len(self.decisions), REDEAL_STREAM)
        for _ in range(worlds):
            twin = d.state.copy(before)
            d.redeal(box, twin, viewer, luck)
            if twin.tobytes() == before.tobytes():
                return False  # nothing is hidden from this seat but chance itself
            out, buffer = d.actions.new_ids(), new_buffer(on=False)
            d.legal(box, twin, out)
            if not has(out.ids, action):
                return True
            d.engine.advance(box, twin, buffer, out, d.asked, action)
            if seen is None:
                seen = repr(self.view(viewer))
            if repr(d.view(box, twin, self.speaker, viewer)) != seen:
                return True
        return False

    def undo(self) -> None:
        """Take the last decision back, whatever it was; where people play ask `can_undo`. ValueError at the start."""
        if not self.decisions:
            raise ValueError("there is nothing to take back")
        self.state = self.game.definition.state.from_bytes(self.decisions.pop().before)
        d = self.game.definition
        self._n_legal = int(d.engine.settle(self.game.box, self.state, new_buffer(on=False), self._out, d.asked))

    # --- copying and keeping ---

    def copy(self) -> Position:
        """A copy that shares nothing that changes."""
        twin = Position(self.game, self.game.definition.state.copy(self.state), self.seed, self.names)
        twin.decisions = list(self.decisions)
        twin.opening, twin.opening_state, twin.from_seed = self.opening, self.opening_state, self.from_seed
        twin._out.ids[:] = self._out.ids
        twin._n_legal = self._n_legal
        return twin

    def at(self, decision: int) -> Position:
        """The position after that many decisions. IndexError beyond the present."""
        if not 0 <= decision <= len(self.decisions):
            raise IndexError(f"decision {decision}: the game has had {len(self.decisions)}")
        past = self.copy()
        if decision < len(self.decisions):
            past.state = self.game.definition.state.from_bytes(self.decisions[decision].before)
            past.decisions = past.decisions[:decision]
            d = self.game.definition
            buffer = new_buffer(on=False)
            past._n_legal = int(d.engine.settle(self.game.box, past.state, buffer, past._out, d.asked))
        return past

    def to_bytes(self) -> bytes:
        """The state; `Game.from_bytes` reads it."""
        data: bytes = self.state.tobytes()
        return data

    def digest(self) -> str:
        """A short fingerprint of the state."""
        return hashlib.sha256(self.to_bytes()).hexdigest()[:16]

    def for_seat(self, seat: int, seed: int = 0) -> SeatView:
        """What a bot in this seat is handed; never the position itself."""
        return SeatView(self, seat, seed)

    def save(self, path: str | Path) -> None:
        """Write the game file."""
        from sutler.core.gamefile import write_game

        write_game(self, Path(path))


class SeatView:
    """A seat's decision as a bot gets it.

    It holds one redeal of the true state, in which whatever the seat cannot know, the dice to come included, has been
    drawn anew; the truth is not in it, so no bot can peek.
    """

    def __init__(self, pos: Position, seat: int, seed: int) -> None:
        self.game = pos.game
        self.seat = seat
        self.names = list(pos.names)
        self.legal = pos.legal_ids() if pos.seat == seat else []
        mixed = int.from_bytes(hashlib.sha256(f"{seed} {len(pos.decisions)}".encode()).digest()[:7], "big")
        self.luck = new_luck(mixed, REDEAL_STREAM)
        self._world = self._redealt(pos.state)

    def _redealt(self, state: Any) -> Any:
        world = self.game.definition.state.copy(state)
        self.game.definition.redeal(self.game.box, world, self.seat, self.luck)
        reseed(world, self.luck)
        return world

    def redeal(self) -> Any:
        """A state that agrees with all this seat knows, drawn anew each time."""
        return self._redealt(self._world)

    def actions(self) -> list[Action]:
        """The legal actions."""
        return [self.game.action_names[i] for i in self.legal]

    def view(self) -> dict[str, Any]:
        """What the seat may know, as plain data."""
        speaker = Speaker(self.game.names, self.names)
        view: dict[str, Any] = self.game.definition.view(self.game.box, self._world, speaker, self.seat)
        return view

    def observation(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What the seat may know, as numbers for a learner: shape (N_OBSERVED,)."""
        d = self.game.definition
        out = np.zeros(d.N_OBSERVED, np.float32)
        d.observe(self.game.box, self._world, self.seat, out)
        return out


def _log_line(index: int, decision: int, told: Told, speaker: Speaker) -> LogLine:
    names = [name for name, _ in told.event.parts]
    seat = told.args[names.index("seat")] if "seat" in names else None
    sentence: Sentence = speaker.tell(told)
    return LogLine(index, decision, sentence, told.event.rule, told.kind, told.event.icon, told.event.heading, seat)
