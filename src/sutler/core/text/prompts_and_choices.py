"""Prompts, choices and spots of the table, made from a game's tables of phases and actions.

A game adds what the tables cannot say as plain functions in its `text/labels.py`, all of them optional: `prompt_values(box, state,
speaker)` gives the values for the names in braces in its questions; `left(box, state, speaker)` what is still to do; `label(box, state,
speaker, action)` a label in place of the table's, or ""; `effect(box, state, speaker, action)` what an action would bring; `account(box,
state, speaker, kind, key)` the parts of a number that everybody sees ("supply", "Spain"). Two tables belong to these: `SUMS` has the
titles of such numbers, by kind; `SPOTS` the spot of each kind of part: `{"card": "card:{}", "land": "space:{}"}`. A game may also define
`prompt`, `choice` or `spot(names, action)` itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sutler.core.actions import Action, ActionTable, Names
from sutler.core.tables import PhaseTable
from sutler.core.text.sentences import Choice, Prompt, Speaker

BY_NUMBER = ("seat", "space", "land", "n")
"""Kinds whose spots are identified by number; others by name, which a box may change."""


class Words:
    """Prompts, choices and spots of one game. `found`: the names in the game's modules, such as ACTIONS, PHASES and SPOTS."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.actions: ActionTable = found["ACTIONS"]
        self.phases: PhaseTable = found["PHASES"]
        self.spots: Mapping[str, str] = found.get("SPOTS", {})
        self._prompt_values = found.get("prompt_values", lambda box, state, speaker: {})
        self._left = found.get("left", lambda box, state, speaker: ())
        self._label = found.get("label", lambda box, state, speaker, action: "")
        self._effect = found.get("effect", lambda box, state, speaker, action: ())
        self._spot = found.get("spot", self.spot)

    def prompt(self, box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
        """The question of the open decision, from the table of phases."""
        row = self.phases.rows[int(state.phase)]
        if row.over:
            return Prompt((speaker.tongue("The game is over."),), (), row.rule)
        parts = {"seat": int(state.to_act), **self._prompt_values(box, state, speaker)}
        return Prompt(
            speaker.say(row.ask, **parts), speaker.say(row.help, **parts), row.rule, self._left(box, state, speaker)
        )

    def choice(self, box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
        """An action as the page shows it, from the row of its block in the table of actions."""
        block = self.actions.blocks[action.block]
        parts = dict(zip(block.kinds, action.args, strict=True))
        label = speaker.say(self._label(box, state, speaker, action) or block.label or action.name, **parts)
        effect = tuple(self._effect(box, state, speaker, action))
        at = self._spot(speaker.names, action)
        amount = action.args[-1] if block.kinds and block.kinds[-1] not in speaker.names else None
        named = (action.id, action.name, label, effect, at, action.rule, block.tone)
        return Choice(*named, action.block, action.args, amount)

    def spot(self, names: Names, action: Action) -> str | None:
        """The spot on the table that an action aims at: that of its first part, if `SPOTS` has its kind; else None."""
        kinds = self.actions.blocks[action.block].kinds
        if not kinds or kinds[0] not in self.spots:
            return None
        number, listed = action.args[0], names.get(kinds[0])
        named = listed is not None and kinds[0] not in BY_NUMBER
        word = listed[number] if listed is not None and number < len(listed) else f"{kinds[0]} {number}"
        return self.spots[kinds[0]].format(word if named else number)


def add_default_words(found: Mapping[str, Any]) -> dict[str, Any]:
    """The names in a game's modules (`found`), with `prompt`, `choice` and `spot` made from its tables where the game defines none."""
    words = Words(found)
    made = {"prompt": words.prompt, "choice": words.choice}
    spot = {"spot": words.spot} if "choice" not in found else {}
    return {**made, **spot, **found}
