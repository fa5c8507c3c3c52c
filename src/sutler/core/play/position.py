"""A `Position` is one game being played: its state, the decisions that led to it, its events; a `SeatView` is one seat's part of it."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sutler.core.actions import Action
from sutler.core.actions import IllegalAction as IllegalAction
from sutler.core.bits import has
from sutler.core.chance import GAME_STREAM, REDEAL_STREAM, derive_seed_after_undo, new_luck, reseed, seed_luck
from sutler.core.engine import BEGIN, SETTLE, STUCK
from sutler.core.events import Told, drain_events, new_event_buffer
from sutler.core.fast_record_reading import list_set_members
from sutler.core.files.gamefile import FORMAT, MARK_DECISIONS, GameFile, compute_digest, format_game_file
from sutler.core.tables import FINE, NOT_NOW
from sutler.core.text.sentences import Choice, Line, LogLine, Prompt, Refusal, Sentence, Speaker
from sutler.version import installed_version

if TYPE_CHECKING:
    from sutler.core.play.game import Game

MAX_IN_A_ROW = 9
"""The most times in a row that an action is offered with one click."""
UNDO_REDEALS = 6
"""The number of redeals compared to see whether a decision taught a seat anything (`can_undo`)."""


class Stuck(RuntimeError):
    """An error: the rules reach no decision, because they force actions without end or leave none in a game that is not over."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision taken: the seat, the action's id, the number of legal actions, the bytes of the state before, the events after."""

    seat: int
    action: int
    n_legal: int
    before: bytes
    told: tuple[Told, ...]


class SeatView:
    """The open decision of one seat as a bot gets it.

    `world` is a redeal of the true state: everything that the seat cannot know, future dice included, is drawn anew, so no bot can peek.
    `legal`: the ids of the legal actions. `luck`: a source of random numbers for the bot.
    """

    def __init__(self, game: Game, state: Any, seat: int, legal: list[int], names: Sequence[str], seed: int) -> None:
        self.game = game
        self.seat = seat
        self.names = list(names)
        self.legal = legal
        self.luck = new_luck(seed, REDEAL_STREAM)
        self.world = self._redeal_state(state)

    def _redeal_state(self, state: Any) -> Any:
        """A copy of the state in which everything hidden from the seat is drawn at random again, future dice included."""
        world = self.game.definition.state.copy(state)
        self.game.definition.redeal(self.game.box, world, self.seat, self.luck)
        reseed(world, self.luck)
        return world

    def redeal(self) -> Any:
        """A state that agrees with everything this seat knows, with everything else drawn at random at each call."""
        return self._redeal_state(self.world)

    def actions(self) -> list[Action]:
        """The legal actions."""
        return [self.game.action_names[i] for i in self.legal]

    def view(self) -> dict[str, Any]:
        """The view of the seat, as plain data."""
        speaker = Speaker(self.game.names, self.names, self.game.tongue)
        view: dict[str, Any] = self.game.definition.view(self.game.box, self.world, speaker, self.seat)
        return view

    def observation(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The observation of the seat, as numbers for a learner: shape (N_OBSERVED,)."""
        d = self.game.definition
        out = np.zeros(d.N_OBSERVED, np.float32)
        d.observe(self.game.box, self.world, self.seat, out)
        return out


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
        self.again: list[tuple[int, int]] = []
        """The undos after which the random generator was reseeded: (number of decisions made at that time, number of the undo)."""
        self._out = game.definition.actions.new_ids()
        self.n_legal = 0

    def __repr__(self) -> str:
        whose = "over" if self.over else f"seat {self.seat} to act"
        return f"<Position {self.game.name}, decision {len(self.decisions)}, {whose}>"

    # --- playing ---

    def begin(self) -> None:
        """Set up the game and go to the first decision."""
        self._go_to_first_decision(BEGIN)
        self.from_seed = True

    def settle(self) -> None:
        """Go from a state laid out by hand to its first decision."""
        self._go_to_first_decision(SETTLE)

    def _go_to_first_decision(self, how: int) -> None:
        """Go to the first decision, and keep the events until then in `opening` and the state in `opening_state`."""
        d, buffer = self.game.definition, new_event_buffer()
        self._store_legal_count(d.engine.go(self.game.box, self.state, buffer, self._out, d.asked, how))
        self.opening = tuple(drain_events(d.events, buffer))
        self.opening_state = self.state.tobytes()

    def _restore_state(self, to: bytes) -> None:
        """Return to an earlier state, given as its bytes `to`; no events are recorded."""
        d = self.game.definition
        self.state = d.state.from_bytes(to)
        self.n_legal = int(
            d.engine.go(self.game.box, self.state, new_event_buffer(on=False), self._out, d.asked, SETTLE)
        )

    def _store_legal_count(self, n_legal: Any, action: Action | None = None) -> None:
        """Store the engine's number of legal actions; Stuck when there is none and the game goes on. `action`: the one just taken."""
        self.n_legal = int(n_legal)
        if self.n_legal > 0 or self.over:
            return
        why = "force one action after another without end" if self.n_legal == STUCK else "leave nothing to do"
        after = "at the start" if action is None else f"after {action.name!r}, decision {len(self.decisions) + 1}"
        raise Stuck(
            f"{self.game.title}, {self.n_seats} seats, seed {self.seed}: the rules {why} {after}, "
            f"in phase {int(self.state.phase)} with seat {int(self.state.to_act)} to act"
        )

    @property
    def seat(self) -> int | None:
        """The seat to act; None when the game is over."""
        return None if self.over else int(self.state.to_act)

    @property
    def n_seats(self) -> int:
        """The number of seats."""
        return int(self.state.n_seats)

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return bool(self.game.definition.has_ended(self.state))

    def legal_ids(self) -> list[int]:
        """The ids of the legal actions, ascending."""
        return [] if self.over else list(list_set_members(self._out.ids))

    def asides(self) -> list[Action]:
        """The legal actions that people have beside the decision, such as surrender (blocks marked `aside`); bots never get them."""
        blocks = self.game.definition.actions.blocks
        beside = (
            self.game.action_names[i] for name in blocks if blocks[name].aside for i in self._list_block_ids(name)
        )
        return [action for action in beside if self.why_not(action) is None]

    def _list_block_ids(self, block: str) -> range:
        """The action ids of a block."""
        return self.game.definition.actions.ids(block)

    def actions(self) -> list[Action]:
        """The legal actions."""
        return [self.game.action_names[i] for i in self.legal_ids()]

    def action(self, what: Action | int | str) -> Action:
        """The action of an id or a name; IllegalAction when there is none."""
        return self.game.action(what)

    def play(self, what: Action | int | str) -> tuple[Told, ...]:
        """Take a legal action; returns the events. IllegalAction leaves everything as it was."""
        action = self.action(what)
        if refusal := self.why_not(action):
            raise IllegalAction(refusal.text, refusal.rule)
        d, buffer = self.game.definition, new_event_buffer()
        before, seat, n_legal = self.state.tobytes(), int(self.state.to_act), self.n_legal
        self._store_legal_count(d.engine.go(self.game.box, self.state, buffer, self._out, d.asked, action.id), action)
        told = tuple(drain_events(d.events, buffer))
        self.decisions.append(Decision(seat, action.id, n_legal, before, told))
        return told

    def why_not(self, what: Action | int | str) -> Refusal | None:
        """The reason why an action is not legal now, with its paragraph; None when it is legal."""
        try:
            action = self.action(what)
        except IllegalAction as error:
            return Refusal(error.reason, error.rule)
        if self.over:
            return Refusal(self.game.tongue("The game is over."), "")
        against = self._find_refusal(action)
        return None if against is None else against[0]

    def why_not_at(self, at: str) -> list[Refusal]:
        """The reasons why no action that aims at a spot of the table is legal now; empty if one of them is legal.

        Only the most relevant reasons, without repetitions; `at` names the spot ("card:Wheat").
        """
        if self.over:
            return [Refusal(self.game.tongue("The game is over."), "")]
        there, names = self.game.at_spot, self.game.action_names
        aimed = there.get(at, []) if there is not None else [i for i in range(len(names)) if self.choice(i).at == at]
        against = [one for i in aimed if (one := self._find_refusal(names[i]))]
        most = max((weight for _, weight in against), default=0)
        return list({refusal.text: refusal for refusal, weight in against if weight == most > 0}.values())

    def _find_refusal(self, action: Action) -> tuple[Refusal, int] | None:
        """(the refusal of an action, how relevant it is); None if the action is legal.

        Relevance: 2 if the action belongs to this decision, 1 for "not now", 0 if it belongs to another decision.
        """
        d, phase = self.game.definition, int(self.state.phase)
        if has(self._out.ids, action.id):
            return None
        reason = int(d.why_not(self.game.box, self.state, action.id))
        if reason == FINE and d.actions.blocks[action.block].aside:
            return None
        weight = 1 if reason == NOT_NOW else 2 * d.is_asked.plain(phase, action.id)
        return d.build_refusal(reason, action, phase), weight

    # --- seeing ---

    @property
    def speaker(self) -> Speaker:
        """The `Speaker` that puts this game's numbers into words, with the box's names and the names of the seats."""
        return Speaker(self.game.names, self.names, self.game.tongue)

    def prompt(self, seat: int | None = None) -> Prompt:
        """The question that is open, in one sentence, as this seat (None: a watcher) reads it."""
        prompt: Prompt = self.game.definition.prompt(self.game.box, self.state, self.speaker, seat)
        return prompt

    def choice(self, action: int) -> Choice:
        """The action of this id as the page shows it (label, effect, spot), whether it is legal or not."""
        one = self.game.action_names[action]
        choice: Choice = self.game.definition.choice(self.game.box, self.state, self.speaker, one)
        told = choice.block == one.block and choice.args == one.args
        return choice if told else replace(choice, block=one.block, args=one.args)

    def choices(self, seat: int | None = None) -> list[Choice]:
        """The legal actions as the page shows them; empty for a seat that does not decide now."""
        if self.over or (seat is not None and seat != self.seat):
            return []
        found = [self.choice(i) for i in self.legal_ids()]
        if all(one.tone == "quiet" and one.at for one in found):  # where nothing else is asked they are no way round
            found = [replace(one, tone="") for one in found]
        repeated = self.game.definition.REPEATED or ()
        return [replace(one, times=self.times_in_a_row(one.id)) if one.block in repeated else one for one in found]

    def times_in_a_row(self, action: int) -> int:
        """How many times in a row the seat to act can take a legal action before it is asked something else or a random number is drawn.

        At most MAX_IN_A_ROW; found by playing on a copy.
        """
        d, state = self.game.definition, self.game.definition.state.copy(self.state)
        silent, legal, times = new_event_buffer(on=False), d.actions.new_ids(), 0
        legal.ids[:] = self._out.ids
        begun = int(state.to_act), int(state.phase), state.rng.tobytes()
        while times < MAX_IN_A_ROW and not d.has_ended(state) and has(legal.ids, action):
            if (int(state.to_act), int(state.phase), state.rng.tobytes()) != begun:
                break
            d.engine.go(self.game.box, state, silent, legal, d.asked, action)
            times += 1
        return times

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """The view of a seat (None: a watcher) as plain data, computed again at each call."""
        view: dict[str, Any] = self.game.definition.view(self.game.box, self.state, self.speaker, seat)
        return view

    def told(self) -> list[tuple[int, Told]]:
        """All events so far, each as (number of the decision after which it happened, 0 for the setup; the event)."""
        every = [(0, told) for told in self.opening]
        for number, decision in enumerate(self.decisions, 1):
            every += [(number, told) for told in decision.told]
        return every

    def log(self, seat: int | None = None, since: int = 0, first: int | None = None) -> list[LogLine]:
        """The lines of the log that a seat (None: a watcher) may read, from decision number `since` on.

        `first`: the number of lines before these, if it is known; earlier events are then not read again.
        """
        speaker = self.speaker
        if first is not None and since > 0:
            late = enumerate(self.decisions[since - 1 :], since)
            new = _group_log_lines((number, told) for number, one in late for told in one.told if told.is_for(seat))
            return [_build_log_line(i, number, run, speaker) for i, (number, run) in enumerate(new, first)]
        mine = _group_log_lines((number, told) for number, told in self.told() if told.is_for(seat))
        return [_build_log_line(i, number, run, speaker) for i, (number, run) in enumerate(mine) if number >= since]

    def scores(self) -> list[float]:
        """Each seat's points in this position."""
        out = np.zeros(self.n_seats)
        self.game.definition.score(self.game.box, self.state, out)
        return [float(x) for x in out]

    def places(self) -> list[int]:
        """Each seat's place in this position, from 1; equal seats share one."""
        out = np.zeros(self.n_seats)
        self.game.definition.rank(self.game.box, self.state, out)
        return [int(x) for x in out]

    def breakdown(self, seat: int) -> list[Line]:
        """The parts of a seat's score."""
        return list(self.game.definition.breakdown(self.game.box, self.state, self.speaker, seat))

    def account(self, number: str) -> list[Line]:
        """The parts of a number that the table shows. `number`: "score:0" for seat 0's score, others as in the game's `text/labels.py`.

        The parts add up to the number; empty if the game does not know it. Only what everybody may know is included.
        """
        kind, _, key = number.partition(":")
        if kind == "score":
            seat = int(key) if key.isdecimal() else self.n_seats
            if seat >= self.n_seats:
                return []
            if lines := self.breakdown(seat):
                return lines
        d = self.game.definition
        lines = list(d.account(self.game.box, self.state, self.speaker, kind, key)) if d.account else []
        if lines or not d.account_past:
            return lines
        opening, told = d.state.from_bytes(self.opening_state), (one for _, one in self.told() if one.is_for(None))
        return list(d.account_past(opening, told, self.speaker, kind, key))

    def result(self) -> list[dict[str, Any]]:
        """The result of each seat: its place, score and the parts of the score."""
        ends = enumerate(zip(self.places(), self.scores(), strict=True))
        return [{"seat": i, "place": place, "score": score, "lines": self.breakdown(i)} for i, (place, score) in ends]

    # --- taking back ---

    def can_undo(self, seat: int | None = None) -> bool:
        """May the last decision be taken back (by this seat)?

        Yes when it drew no random number and no seat learned anything by it. Learning is tested on redeals: in states that a seat cannot
        tell apart, the same action must be legal and leave that seat with the same knowledge.
        """
        if not self.decisions:
            return False
        last = self.decisions[-1]
        if seat is not None and last.seat != seat:
            return False
        before = self.game.definition.state.from_bytes(last.before)
        if not np.array_equal(before.rng, self.state.rng):
            return False
        luck = _make_redeal_luck(len(self.decisions))
        return not any(self._has_learned(viewer, before, last.action, luck.copy()) for viewer in range(self.n_seats))

    def _has_learned(self, viewer: int, before: Any, action: int, luck: Any) -> bool:
        """Has the seat `viewer` learned anything by an action: can it now tell apart states that it could not tell apart before?

        `before`: the state before the action; `luck`: the source of random numbers for the redeals.
        """
        d, box, seen = self.game.definition, self.game.box, b""
        is_aside = d.actions.blocks[d.actions.block_of(action)].aside
        for _ in range(UNDO_REDEALS):
            twin = d.state.copy(before)
            d.redeal(box, twin, viewer, luck)
            if twin.tobytes() == before.tobytes():
                return False  # nothing is hidden from this seat but chance itself
            if is_aside or int(d.why_not(box, twin, action)) != FINE:
                return True
            out, buffer = d.actions.new_ids(), new_event_buffer(on=False)
            d.engine.go(box, twin, buffer, out, d.asked, action)
            seen = seen or self._known_bytes(viewer, self.state)
            if self._known_bytes(viewer, twin) != seen:
                return True
        return False

    def _known_bytes(self, viewer: int, state: Any) -> bytes:
        """Bytes of everything that the seat `viewer` knows in a state; equal for states that the seat cannot tell apart."""
        d = self.game.definition
        twin = d.state.copy(state)
        d.redeal(self.game.box, twin, viewer, _make_redeal_luck(0).copy())
        return bytes(twin.tobytes())

    def undo(self) -> None:
        """Take the last decision back, whatever it revealed; online, ask `can_undo` first. ValueError when there is none."""
        if not self.decisions:
            raise ValueError("there is nothing to take back")
        self._restore_state(self.decisions.pop().before)
        self.again = [one for one in self.again if one[0] <= len(self.decisions)]

    def reseed_after_undo(self, number: int) -> None:
        """Reseed the random generator, so that nobody can roll the same dice twice by an undo.

        `number`: how many undos this game has had; the new generator is computed from it and the game's seed.
        """
        seed_luck(self.state, derive_seed_after_undo(self.seed, number), GAME_STREAM)
        self.again.append((len(self.decisions), number))

    # --- copying and keeping ---

    def copy(self) -> Position:
        """A copy that shares no mutable part with the original."""
        twin = Position(self.game, self.game.definition.state.copy(self.state), self.seed, self.names)
        twin.decisions = list(self.decisions)
        twin.opening, twin.opening_state, twin.from_seed = self.opening, self.opening_state, self.from_seed
        twin.again = list(self.again)
        twin._out.ids[:] = self._out.ids
        twin.n_legal = self.n_legal
        return twin

    def at(self, decision: int) -> Position:
        """The position after this many decisions. IndexError beyond the present."""
        if not 0 <= decision <= len(self.decisions):
            raise IndexError(f"decision {decision}: the game has had {len(self.decisions)}")
        past = self.copy()
        if decision < len(self.decisions):
            past.decisions = past.decisions[:decision]
            past._restore_state(self.decisions[decision].before)
        return past

    def to_bytes(self) -> bytes:
        """The state's bytes; `Game.from_bytes` reads them."""
        return bytes(self.state.tobytes())

    def digest(self) -> str:
        """A short fingerprint of the state."""
        return compute_digest(self.to_bytes())

    def for_seat(self, seat: int, seed: int = 0) -> SeatView:
        """The `SeatView` that a bot in this seat decides from: a redeal of the state. `seed`: for the redeal and the bot's own luck."""
        legal = self.legal_ids() if self.seat == seat else []
        mixed = int.from_bytes(hashlib.sha256(f"{seed} {len(self.decisions)}".encode()).digest()[:7], "big")
        return SeatView(self.game, self.state, seat, legal, self.names, mixed)

    def build_game_file(self) -> GameFile:
        """The content of this game's file: its box, options, seed, actions and result."""
        game = self.game
        opening = "" if self.from_seed else base64.b64encode(self.opening_state).decode()
        result = [{"place": row["place"], "score": row["score"]} for row in self.result()] if self.over else []
        return GameFile(
            sutler=FORMAT,
            version=installed_version(),
            game=game.name,
            box_hash=game.box_hash,
            box_edit=game.edit,
            settings=game.settings,
            box=game.data,
            rules=game.definition.home.rules_fingerprint,
            options=game.changed_options(),
            seats=self.n_seats,
            names=self.names,
            seed=self.seed,
            opening=opening,
            again=self.again,
            marks=[compute_digest(one.before) for one in self.decisions[::MARK_DECISIONS]],
            actions=[game.action_names[decision.action].name for decision in self.decisions],
            result=result,
            digest=self.digest(),
        )

    def save(self, path: str | Path) -> None:
        """Write the game file to `path`."""
        Path(path).write_text(format_game_file(self.build_game_file()), encoding="utf-8")


@functools.lru_cache(maxsize=1024)
def _make_redeal_luck(number: int) -> Any:
    """The random generator for redeals that are compared with each other. Cached by `number`: copy it before drawing from it."""
    return new_luck(number, REDEAL_STREAM)


def _group_log_lines(every: Iterable[tuple[int, Told]]) -> list[tuple[int, list[Told]]]:
    """The events of each line of the log, as (number of the decision after which they happened, the events)."""
    lines: list[tuple[int, list[Told]]] = []
    for number, told in every:
        if lines and lines[-1][0] == number and told.shares_log_line_with(lines[-1][1][-1]):
            lines[-1][1].append(told)
        else:
            lines.append((number, [told]))
    return lines


def _build_log_line(index: int, decision: int, run: Sequence[Told], speaker: Speaker) -> LogLine:
    """The line of the log for a run of events that share one sentence; `index`: the line's index in the log."""
    told, names = run[0], [name for name, _ in run[0].event.parts]
    seat = told.args[names.index("seat")] if "seat" in names else None
    sentence: Sentence = speaker.tell(*run)
    event = told.event
    return LogLine(index, decision, sentence, event.rule, told.kind, event.icon, event.heading, seat, tuple(run))
