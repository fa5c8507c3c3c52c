"""Words for things on the table (dice, places, obstacles), and the names of the spots where they lie."""

from __future__ import annotations

from typing import Any

from sutler.core.text.sentences import Speaker, Word
from sutler.games.sixwinters.box import FACES, POOL
from sutler.games.sixwinters.cards.card_texts import Called, _, list_sentence_parts, translate_name
from sutler.games.sixwinters.rules.abilities import user
from sutler.games.sixwinters.rules.common import threat_level
from sutler.games.sixwinters.state import PART
from sutler.games.sixwinters.view.land import asset_die, assets_at_slot

# --- The hero in hand ---------------------------------------------------------------------------------------


def hero_in_question(state: Any) -> int:
    """The index, among the characters in play, of the one that the present decision is about; -1 for none."""
    if state.part in (PART.advance, PART.place) and state.k < state.n_heroes:
        return int(state.k)
    h = int(user(state, int(state.to_act)))
    return h if h >= 0 else int(state.actor) if state.n_heroes else -1


# --- Words for things -----------------------------------------------------------------------------------------


def die_word(one: Any) -> Word:
    """A die as a part of a sentence, which is drawn; `one`: its (resource or "action", value)."""
    res, value = one
    return Word(
        "die",
        str(value) if res == "action" else f"{translate_name('resource', res.capitalize())} {value}",
        f"{res}:{value}:plain" if res == "action" else f"{res}:{value}",
    )


def place_word(state: Any, speaker: Speaker, slot: int) -> Word:
    """A place as a part of a sentence, with the name of the location that lies there."""
    return Word("place", Called(speaker.names)["location_called"][state.location_at[slot]], str(slot))


def obstacle_word(speaker: Speaker, card: int) -> Word:
    """An obstacle as a part of a sentence, with its name; `card`: its card number."""
    return Word("obstacle", Called(speaker.names)["obstacle_called"][card], str(card))


def scheme_effect(box: Any, state: Any, names: Any) -> tuple[str, str, bool]:
    """The name and the text of the effect of the scheme's die in question, and whether the threat level lets it take effect (8.8)."""
    if state.scheme < 0:
        return "", "", False
    scheme, value = int(state.scheme), int(state.sub) % FACES
    name, text, _lasts = list_sentence_parts(names, "scheme_text", scheme * FACES + value)
    return name, text, value + 1 <= threat_level(box, state, int(box.scheme[scheme].resource))


def format_dice_count(n_dice: int) -> str:
    """A number of dice with its noun: "1 die", "2 dice"."""
    return _.many("{n} die", "{n} dice", n_dice)


# --- Where things lie ---------------------------------------------------------------------------------------------


class Aims:
    """Finds the spots at which buttons aim, for the character that the present decision is about."""

    def __init__(self, box: Any, state: Any, speaker: Speaker) -> None:
        self.box, self.state, self.speaker, self.names = box, state, speaker, Called(speaker.names)
        self.h = hero_in_question(state)
        self.ch = int(state.heroes[self.h].character) if self.h >= 0 else -1
        self.slot = int(state.heroes[self.h].slot) if self.h >= 0 else -1

    def spot_of_source(self, source: int) -> str | None:
        """The spot of the die with a source number: on the mat, at the character's place, or in a pool."""
        if source < FACES:
            return f"die:{self.ch}:{source + 1}"
        if source < POOL:
            return self.asset_spot(source - FACES)
        res, value = asset_die(source - POOL)
        return f"pool:{res}:{value}"

    def asset_spot(self, code: int) -> str:
        """The spot of an asset by its number: at the character's place, or else at the first place that has such an asset."""
        res, value = asset_die(code)
        slots = [self.slot, *range(9)] if self.slot >= 0 else list(range(9))
        where = next((slot for slot in slots if [res, value] in assets_at_slot(self.state, slot)), slots[0])
        return f"asset:{where}:{res}:{value}"

    def word_for_spent_die(self, spent: int) -> Word:
        """A die that is to be spent, as a part of a sentence.

        `spent`: its number among action dice (below 6) and pool dice.
        """
        return die_word(["action", spent + 1] if spent < FACES else asset_die(spent - FACES))

    def spot_of_spent_die(self, die: int) -> str | None:
        """The spot of a die that is to be spent. `die`: below 6 the value of an action die less 1, from 6 on 6 plus that of a pool die."""
        return self.spot_of_source(die if die < FACES else die - FACES + POOL)
