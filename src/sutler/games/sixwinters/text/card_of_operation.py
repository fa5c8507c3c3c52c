"""Finds the card on which an operation is printed, and its sentence, to show players which card asks a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.games.sixwinters.box import ABILITIES, FACES, MOMENTS, N_REGIONS
from sutler.games.sixwinters.cards.card_texts import (
    WHEN,
    Called,
    _,
    list_sentence_parts,
    remove_beginning,
    sentences_of_card,
    translate_name,
)
from sutler.games.sixwinters.cards.operation_row_names import MOMENT_OF
from sutler.games.sixwinters.cards.vocabulary import DO, RESOURCES

SPOKEN = [[said for moment, said in WHEN.items() if MOMENT_OF[moment] == at and said] for at in range(MOMENTS)]
"""The words with which sentences begin, by the number of the moment; sentences of standing effects have none."""


@dataclass(frozen=True)
class Origin:
    """The name of a card, and the sentences that an operation belongs to."""

    name: str
    text: str


NONE = Origin("", "")


def find_card_of_operation(box: Any, names: Any, operation: int) -> Origin:
    """The card on which an operation is printed, with its sentences; `operation`: its row in the table of operations."""
    last, found = 0, NONE
    for effects, told in _operation_rows_by_kind(box, names):
        first = np.where((effects["n"] > 0) & (effects["first"] <= operation), effects["first"], 0)
        at = int(first.argmax())
        if int(first.flat[at]) > last:
            last = int(first.flat[at])
            found = told(*(int(i) for i in np.unravel_index(at, first.shape)))
    return found


def _operation_rows_by_kind(box: Any, names: Any) -> Iterator[tuple[Any, Any]]:
    """Yield, for each kind of card, the first rows of its operations, and a function that makes an Origin from a card's indexes."""

    read = Called(names)

    def of_card(kind: str) -> Any:
        return lambda card, moment: Origin(
            read[f"{kind}_called"][card], _sentences_of_moment(names, f"{kind}_text", card, moment)
        )

    def of_mission(kind: str, says: str) -> Any:
        def find_result_origin(mission: int, *_: int) -> Origin:
            lines = [
                line
                for line in sentences_of_card(names, kind, mission)
                if not says or remove_beginning(line, says) is not None
            ]
            return Origin(read["mission"][mission], " ".join(lines))

        return find_result_origin

    def of_scheme(scheme: int, value: int) -> Origin:
        name, text, _ = list_sentence_parts(names, "scheme_text", scheme * FACES + value)
        return Origin(name, text)

    def of_event(season: int, shown: int) -> Origin:
        at = season * (N_REGIONS + 1) + shown
        return Origin(read["event"][at], read["event_text"][at])

    def of_ability(c: int, k: int) -> Origin:
        return Origin(read["character"][c], read["ability_text"][c * ABILITIES + k])

    yield np.asarray(box.obstacle["effect"]), of_card("obstacle")
    yield np.asarray(box.location["effect"]), of_card("location")
    yield np.asarray(box.mission["setup"]), of_mission("mission_setup", "")
    yield np.asarray(box.mission["passed"]), of_mission("mission_text", "Passed: ")
    yield np.asarray(box.mission["failed"]), of_mission("mission_text", "Failed: ")
    yield np.asarray(box.scheme["effect"]), of_scheme
    yield np.asarray(box.event), of_event
    yield np.asarray(box.effect), lambda k: Origin(read["effect"][k], read["effect_text"][k])
    yield np.asarray(box.reserve), lambda k: Origin(read["reserve"][k], read["reserve_text"][k])
    yield np.asarray(box.character["ability"]["effect"]), of_ability


def _sentences_of_moment(names: Any, kind: str, card: int, moment: int) -> str:
    """The sentences of a card that begin with the words for a moment; all its sentences if none does."""
    lines = sentences_of_card(names, kind, card)
    at = [line for line in lines if any(remove_beginning(line, begins) is not None for begins in SPOKEN[moment])]
    return " ".join(at or lines)


# --- Options --------------------------------------------------------------------------------------------------


def option_in_words(box: Any, names: Any, operation: int, option: int) -> str:
    """The words of an option that a card offers: those on the card, or, if it lists no options, the names of the option's operations."""
    text, row = find_card_of_operation(box, names, operation).text, box.ops[operation]
    said = text.partition(_("choose one: "))[2].rstrip(".").split(";")
    if len(said) == int(row.n_options):
        return _capitalize(said[option].strip())
    return _capitalize(
        ", ".join(
            _operation_in_words(box.ops[i])
            for i in range(int(row.first[option]), int(row.first[option] + row.n[option]))
        )
    )


def _operation_in_words(row: Any) -> str:
    """An operation in words, made of its name, its resource and its number, such as "threat Military -3"."""
    words = [list(DO)[int(row.op) - 1].replace("_", " ")]
    if 0 <= row.resource < len(RESOURCES):
        words.append(translate_name("resource", RESOURCES[int(row.resource)].capitalize()))
    if row.by:
        words.append(f"{int(row.by):+d}")
    return " ".join(words)


def _capitalize(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
