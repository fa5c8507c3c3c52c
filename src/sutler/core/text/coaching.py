"""The coach of a first game: its sentences about each phase, read from a game's `coach.toml`.

[[say]]                                  # said once, beside the advice
at = ["swap"]                            # phases of the game
action = "swap"                          # only beside the advice of an action whose name begins so; may be left out, in [[thumb]] too
text = "Two cards for one thins your hand."

[[rather]]                               # advised to a beginner instead of what a strong bot would do
at = ["difficulty"]
action = "difficulty easy"
why = "it is your first year"

[[thumb]]                                # told as the reason of an advice for which no number speaks
at = ["pay"]
text = "high dice are worth more later on"

[first_game]                             # what a first game leaves out, as options of the box, and how that is told
options = { difficulty = "easy" }
text = "one year, easy"
"""

from __future__ import annotations

from collections.abc import Sequence
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


class FirstGame(Entry):
    """How a first game differs from a whole one: the options that are set for it, and the words that say so."""

    options: dict[str, bool | int | str] = {}
    text: str = ""


class Coaching(Entry):
    """All that a game's coach says: the content of `coach.toml`."""

    say: list[Saying] = []
    rather: list[Preference] = []
    thumb: list[RuleOfThumb] = []
    first_game: FirstGame = FirstGame()

    def find_saying(self, phase: str, action: str) -> str:
        """The coach's sentence about a phase and what is advised in it, the first that fits; "" where there is none."""
        return _find_first_text(self.say, phase, action)

    def find_rule_of_thumb(self, phase: str, action: str) -> str:
        """The reason to give for advising this action in a phase, where no figure explains it, the first that fits; "": none."""
        return _find_first_text(self.thumb, phase, action)

    def find_preference(self, phase: str) -> Preference | None:
        """The action that a beginner is advised in a phase; None where the advice is a strong bot's."""
        return next((one for one in self.rather if phase in one.at), None)


def _find_first_text(sayings: Sequence[Saying], phase: str, action: str) -> str:
    """The text of the first of these sentences about advising this action in a phase; "" where there is none."""
    return next((one.text for one in sayings if one.is_about(phase, action)), "")


def read_coaching(folder: Path) -> Coaching:
    """The coaching of the game in a folder, empty where it has none; BoxError names file and field."""
    path = folder / FILE_NAME
    return validate_sheet(Coaching, read_toml(path), str(path)) if path.exists() else Coaching()
