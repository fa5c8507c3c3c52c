"""The tables of a game, with a row for each: its phases, the reasons for refusing an action, the faults that a state may have.

The rules `ask` and `go_on` open and close a phase; for them a state has `phase` and `to_act`, and PHASES a row `moving`.
`P = PHASES.numbers` gives the rows' numbers by name; rules do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sutler.core.names import Numbers
from sutler.core.rule import rule

FINE, NOT_NOW = 0, 1
"""Two results of every `why_not`: nothing is against the action; something else is being asked."""
MOVING = 0
"""The phase in which no decision is open: the row `moving` comes first."""
NOT_ASKED = "That is not what is being asked now."


@dataclass(frozen=True)
class Phase:
    """A decision that may be open: the paragraph it stands in, and what it is about.

    `ask` is the question, a sentence in which {seat} is the seat to act, and `help` a line below it. `now` says to a player who
    tries something else what to do first ("Choose a land for the card first."). `midway`: the seat has begun something that it
    must carry through. `stage`: the part of the turn it belongs to. `over`: the game has ended.
    """

    rule: str
    ask: str = ""
    help: str = ""
    now: str = ""
    stage: str = ""
    midway: bool = False
    over: bool = False


class PhaseTable:
    """The decisions of one game, numbered in order, `moving` first; `words` names them for people and files."""

    def __init__(self, **phases: Phase) -> None:
        phases = {name: phases[name] for name in sorted(phases, key=lambda name: name != "moving")}
        self.phases = phases
        self.numbers = Numbers("phase", list(phases))
        self.words = tuple(name.replace("_", " ") for name in phases)
        self.rows = tuple(phases.values())

    def __len__(self) -> int:
        return len(self.rows)

    def list_stage_indexes(self, stages: Sequence[str]) -> tuple[int, ...]:
        """For each phase, the index of its stage in `stages`; -1 where its row names none."""
        return tuple(stages.index(row.stage) if row.stage else -1 for row in self.rows)


@dataclass(frozen=True)
class Refusal:
    """A reason why something cannot be done now, with the paragraph that says so ("": the paragraph of the action)."""

    text: str
    rule: str = ""


class RefusalTable:
    """The reasons for refusing actions in one game. The two of core come first, so the game's own are numbered from 2."""

    def __init__(self, **refusals: Refusal) -> None:
        self.refusals = refusals
        self.names = ("fine", "not_now", *refusals)
        self.rows = (Refusal("This is legal."), Refusal(NOT_ASKED), *refusals.values())
        self.numbers = Numbers("refusal", self.names)

    def __iter__(self) -> Iterator[Refusal]:
        return iter(self.refusals.values())

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: int) -> Refusal:
        return self.rows[number]

    def list_game_refusals(self) -> tuple[Refusal, ...]:
        """All refusals of the game, in order, without `fine` (number 0, which means no refusal)."""
        return self.rows[1:]


class FaultTable:
    """The faults that a state may have, in words; `check` returns the number of one, or 0."""

    def __init__(self, **faults: str) -> None:
        self.numbers = Numbers("fault", {name: i for i, name in enumerate(faults, 1)})
        self._texts = ("", *faults.values())

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, number: int) -> str:
        return self._texts[number]


@rule
def ask(state: Any, phase: int, seat: int) -> None:
    """Open a decision: set the phase, and the seat that decides."""
    state.phase = phase
    state.to_act = seat


@rule
def go_on(state: Any) -> None:
    """Mark the state as having no open decision, so that the rules continue by themselves."""
    state.phase = MOVING
