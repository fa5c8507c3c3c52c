"""Sentences of a coach about each kind of question in a first game, written as data in a game's `coach.toml`.

[[say]]                                  # said once, beside the advice
at = ["swap"]                            # phases of the game's table.py
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

from pathlib import Path

from sutler.core.files.box import Entry, read_toml, validated

FILE_NAME = "coach.toml"


class Saying(Entry):
    """A sentence about the questions of some phases."""

    at: list[str]
    text: str


class RuleOfThumb(Saying):
    """The reason for an advice in some phases, for the actions whose names begin so, or for any."""

    action: str = ""

    def is_about(self, action: str) -> bool:
        """Is it the reason for this action?"""
        return action.startswith(self.action)


class Preference(Entry):
    """An action that a beginner is advised in some phases, and why."""

    at: list[str]
    action: str
    why: str


class FirstGame(Entry):
    """How a first game differs from a whole one: the options that are set for it, and the words that say so."""

    options: dict[str, bool | int | str] = {}
    text: str = ""


class Coaching(Entry):
    """All that a game's coach says."""

    say: list[Saying] = []
    rather: list[Preference] = []
    thumb: list[RuleOfThumb] = []
    first_game: FirstGame = FirstGame()

    def saying(self, phase: str) -> str:
        """The sentence about a phase; "" where there is none."""
        return next((one.text for one in self.say if phase in one.at), "")

    def rule_of_thumb(self, phase: str, action: str) -> str:
        """The reason for an advice in a phase for which no number speaks; "" where there is none."""
        return next((one.text for one in self.thumb if phase in one.at and one.is_about(action)), "")

    def preference(self, phase: str) -> Preference | None:
        """The action a beginner is advised in a phase; None where the bot advises."""
        return next((one for one in self.rather if phase in one.at), None)


def coaching_in(folder: Path) -> Coaching:
    """The coaching of the game in a folder, empty where it has none; BoxError names file and field."""
    path = folder / FILE_NAME
    return validated(Coaching, read_toml(path), str(path)) if path.exists() else Coaching()
