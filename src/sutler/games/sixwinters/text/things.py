"""Words for things on the table, and the spots that they lie at: the hero in hand, dice, places, obstacles."""

from __future__ import annotations

from typing import Any

from sutler.core.text.marked_text import Word
from sutler.core.text.sentences import Speaker
from sutler.games.sixwinters.box import FACES, POOL
from sutler.games.sixwinters.cards.printed import Called, _, called, parts
from sutler.games.sixwinters.picture.land import assets_at, die
from sutler.games.sixwinters.rules.abilities import user
from sutler.games.sixwinters.rules.common import threat_level
from sutler.games.sixwinters.state import PART

# --- The hero in hand ---------------------------------------------------------------------------------------


def hero_in_hand(state: Any) -> int:
    """The hero in hand; -1 for none."""
    if state.part in (PART.advance, PART.place) and state.k < state.n_heroes:
        return int(state.k)
    h = int(user(state, int(state.to_act)))
    return h if h >= 0 else int(state.actor) if state.n_heroes else -1


# --- Words for things -----------------------------------------------------------------------------------------


def die_word(one: Any) -> Word:
    """A die, drawn."""
    res, value = one
    return Word(
        "die",
        str(value) if res == "action" else f"{called('resource', res.capitalize())} {value}",
        f"{res}:{value}:plain" if res == "action" else f"{res}:{value}",
    )


def place_word(state: Any, speaker: Speaker, slot: int) -> Word:
    """A place by its location's name."""
    return Word("place", Called(speaker.names)["location_called"][state.location_at[slot]], str(slot))


def obstacle_word(speaker: Speaker, card: int) -> Word:
    """An obstacle by its name."""
    return Word("obstacle", Called(speaker.names)["obstacle_called"][card], str(card))


def scheme_effect(box: Any, state: Any, names: Any) -> tuple[str, str, bool]:
    """8.8: what the scheme's die in question would do: its name, its text, and whether the level lets it work."""
    if state.scheme < 0:
        return "", "", False
    scheme, value = int(state.scheme), int(state.sub) % FACES
    name, text, _lasts = parts(names, "scheme_text", scheme * FACES + value)
    return name, text, value + 1 <= threat_level(box, state, int(box.scheme[scheme].resource))


def counted(n: int) -> str:
    """A number of dice, in words."""
    return _.many("{n} die", "{n} dice", n)


# --- Where things lie ---------------------------------------------------------------------------------------------


class Aims:
    """Whose hand the table speaks to, and where the dice lie that a button aims at."""

    def __init__(self, box: Any, state: Any, speaker: Speaker) -> None:
        self.box, self.state, self.speaker, self.names = box, state, speaker, Called(speaker.names)
        self.h = hero_in_hand(state)
        self.ch = int(state.heroes[self.h].character) if self.h >= 0 else -1
        self.slot = int(state.heroes[self.h].slot) if self.h >= 0 else -1

    def spot(self, source: int) -> str | None:
        """A die by its source: on the mat, at the place, in a pool."""
        if source < FACES:
            return f"die:{self.ch}:{source + 1}"
        if source < POOL:
            return self.asset_spot(source - FACES)
        res, value = die(source - POOL)
        return f"pool:{res}:{value}"

    def asset_spot(self, code: int) -> str:
        """An asset: here, or at the first place that has one."""
        res, value = die(code)
        slots = [self.slot, *range(9)] if self.slot >= 0 else list(range(9))
        where = next((slot for slot in slots if [res, value] in assets_at(self.state, slot)), slots[0])
        return f"asset:{where}:{res}:{value}"

    def spend_die(self, one: int) -> Word:
        """The thing that is spent as an action die, in words."""
        return die_word(["action", one + 1] if one < FACES else die(one - FACES))

    def spend_spot(self, one: int) -> str | None:
        """The spot of the table at which a die that may be spent lies."""
        return self.spot(one if one < FACES else one - FACES + POOL)
