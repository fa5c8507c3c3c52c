"""The coach of a first game: its sentences about each phase, read from a game's `coach.toml`.

[[say]]                                  # said once at a table, beside the advice; the first that fits and was not said yet
at = ["swap"]                            # phases of the game
action = "swap"                          # only beside the advice of an action whose name begins so; may be left out, in [[thumb]] too
text = "Two cards for one thins your hand."

[[rather]]                               # advised to a beginner instead of what a strong bot would do
at = ["difficulty"]
action = "difficulty easy"
why = "it is your first year"

[[thumb]]                                # told as the reason of an advice for which no number speaks; never twice running
at = ["pay"]
text = "high dice are worth more later on"

[[last_resort]]                          # advised only where a search says for certain that it is better than the next best
at = ["move"]
action = "lead"

[first_game]                             # what a first game leaves out, as options of the box, and how that is told
options = { difficulty = "easy" }
text = "one year, easy"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sutler.core.files.box import Entry, read_toml, validate_sheet

FILE_NAME = "coach.toml"


class Saying(Entry):
    """A sentence that the coach says in the phases `at`, beside the advice of an action whose name begins with `action` ("": any)."""

    at: list[str]
    text: str
    action: str = ""

    def is_about(self, phase: str, action: str) -> bool:
        """Does this sentence belong to the advice of the action of this name in a phase?"""
        return phase in self.at and action.startswith(self.action)


class RuleOfThumb(Saying):
    """The reason that the coach gives for an advice in the phases `at`, where no number does."""


class Preference(Entry):
    """The action that the coach advises to a beginner in the phases `at`, whatever a strong bot would do, and why."""

    at: list[str]
    action: str
    why: str


class LastResort(Entry):
    """An action, by the beginning of its name, that is not advised in the phases `at` where another one is as good."""

    at: list[str]
    action: str


class FirstGame(Entry):
    """How a first game differs from a whole one: the options that are set for it, and the words that say so."""

    options: dict[str, bool | int | str] = {}
    text: str = ""


class Coaching(Entry):
    """All that a game's coach says: the content of `coach.toml`."""

    say: list[Saying] = []
    rather: list[Preference] = []
    thumb: list[RuleOfThumb] = []
    last_resort: list[LastResort] = []
    first_game: FirstGame = FirstGame()

    def list_sayings(self, phase: str, action: str) -> list[str]:
        """The coach's sentences about a phase and what is advised in it, in the order in which they are said."""
        return [one.text for one in self.say if one.is_about(phase, action)]

    def list_rules_of_thumb(self, phase: str, action: str) -> list[str]:
        """The reasons to give for advising this action in a phase, where no figure explains it.

        Where some are about this action and some about any, only the former: what speaks for an attack does not speak for leaving it.
        """
        fit = [one for one in self.thumb if one.is_about(phase, action)]
        closest = max((len(one.action) for one in fit), default=0)
        return [one.text for one in fit if len(one.action) == closest]

    def is_last_resort(self, phase: str, action: str) -> bool:
        """Is the action of this name not advised in a phase where another one is as good?"""
        return any(phase in one.at and action.startswith(one.action) for one in self.last_resort)

    def find_preference(self, phase: str) -> Preference | None:
        """The action that a beginner is advised in a phase; None where the advice is a strong bot's."""
        return next((one for one in self.rather if phase in one.at), None)


@dataclass
class CoachMemory:
    """The memory of a coach: its sentences to one seat of a table, in the reader's language, so that nothing is said twice."""

    taught: set[str] = field(default_factory=set)
    """The sentences of [[say]] that were said."""
    last_reason: str = ""
    """The reason of the last advice."""
    reasons: Counter[str] = field(default_factory=Counter)
    """How often each reason was told."""

    def pick_saying(self, texts: Iterable[str]) -> str:
        """The first of these sentences that was not said yet; "" where all were."""
        return next((text for text in texts if text not in self.taught), "")

    def pick_reason(self, texts: Iterable[str]) -> str:
        """The reason told least often of these, leaving out the last one told; "" where there is none."""
        return min(
            (text for text in texts if text and text != self.last_reason), key=self.reasons.__getitem__, default=""
        )

    def note_advice(self, saying: str, reason: str) -> None:
        """Remember what was said beside an advice; `saying` and `reason` may be ""."""
        if saying:
            self.taught.add(saying)
        if reason:
            self.reasons[reason] += 1
        self.last_reason = reason


def read_coaching(folder: Path) -> Coaching:
    """The coaching of the game in a folder, empty where it has none; BoxError names file and field."""
    path = folder / FILE_NAME
    return validate_sheet(Coaching, read_toml(path), str(path)) if path.exists() else Coaching()
