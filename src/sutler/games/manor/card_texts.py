"""The text of Medieval Manor's cards, generated from the numbers of the box, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from sutler.core.files.entry_records import read_entry
from sutler.core.text.language import get_language, load_tongue
from sutler.core.text.language import join_with_and as in_a_row
from sutler.games.manor.box import (
    ANIMALS,
    BAN_CROPS,
    BAN_PLAY,
    BOUNTY,
    CARD,
    CROPS,
    SELF,
    STEAL_CARD,
    TOKEN_NAMES,
    TOKEN_ONE,
    TYPE_NAMES,
    UPGRADE,
    CardEntry,
)
from sutler.games.manor.rules.work import upgrade_cost_base

_ = load_tongue(Path(__file__).parent)


def tokens_by_name(tokens: Any) -> dict[str, int]:
    """The number of each token by name, from an array in the order of the tokens; zeros are kept."""
    return {name: int(n) for name, n in zip(TOKEN_NAMES, tokens, strict=False)}


def cards_with_prices(box: Any, state: Any, names: Any) -> dict[str, Any]:
    """Every card by name, as the view shows it, with the price of each upgrade for the seat to act."""
    base = int(upgrade_cost_base(box, state, int(state.to_act)))
    return dict(_build_cards_with_costs(base, *_cache_key(box, names)))


@lru_cache(maxsize=64)
def _build_cards_with_costs(base: int, *printed: Any) -> dict[str, Any]:
    """The printed cards by name, with the cost of each upgrade; cached, so that many views share one object.

    `base` is the cost of any upgrade before the card's own change; `printed` is the cache key of `_cache_key`.
    """
    return {
        name: {**one, "cost": max(0, base + one["cost_change"]) if one["type"] == TYPE_NAMES[UPGRADE] else None}
        for name, one in _printed_texts(*printed).items()
    }


def printed_cards(box: Any, names: Any) -> dict[str, Any]:
    """Every card by name, as it is printed."""
    return _printed_texts(*_cache_key(box, names))


def _cache_key(box: Any, names: Any) -> tuple[Any, ...]:
    """A cache key of the cards of a box: their packed data, the reader's language and the names; also the arguments of `_printed_texts`."""
    return (box.card.tobytes(), get_language(), *(tuple(names[key]) for key in ("card", "marks", "icon", "ground")))


@lru_cache(maxsize=16)
def _printed_texts(
    data: bytes,
    reader: str,
    names: tuple[str, ...],
    marks: tuple[str, ...],
    icons: tuple[str, ...],
    grounds: tuple[str, ...],
) -> dict[str, Any]:
    """The printed text of the cards by name; `data` is the packed card records, `reader` the language (part of the cache key)."""
    cards = np.frombuffer(data, CARD.dtype)
    told = zip(cards, names, marks, icons, grounds, strict=False)
    return {name: _card_view(one, mark, icon, ground) for one, name, mark, icon, ground in told}


def _card_view(card: Any, marks: str, icon: str, ground: str) -> dict[str, Any]:
    """One card as plain data: the fields of its entry, its pictures, and its text."""
    return read_entry(CardEntry, card) | {
        "marks": [mark for mark in marks.split(", ") if mark],
        "icon": icon,
        "ground": ground,
        "harm": list(_harm_sentences(card.harm)) if card.harm.there else [],
        "text": _build_card_text(card),
    }


def amount_in_words(n: int, plural: str) -> str:
    """A number of things in words: "1 crop", "2 crops". `plural` is the plural: "cards", "goods", "upgrades" or the name of a token."""
    if plural == "cards":
        return _.many("{n} card", "{n} cards", n)
    if plural == "goods":
        return _.many("{n} good", "{n} goods", n)
    if plural == "upgrades":
        return _.many("{n} upgrade", "{n} upgrades", n)
    called = _(TOKEN_ONE[TOKEN_NAMES.index(plural)], "token:one") if n == 1 else _(plural, "token")
    return f"{n} {called}"


def list_amounts_in_words(amounts: Any) -> str:
    """An enumeration in words, "2 crops and 1 card", of amounts given in the order of the tokens, then cards; zeros are left out."""
    names = (*TOKEN_NAMES, "cards")
    return in_a_row([amount_in_words(int(n), name) for name, n in zip(names, amounts, strict=False) if n])


def card_text(box: Any, card: int) -> str:
    """The text of a card, given by number: its effect in sentences."""
    return _build_card_text(box.card[card])


def _build_card_text(card: Any) -> str:
    return ". ".join(_card_sentences(card)) + "."


def _card_sentences(card: Any) -> Iterator[str]:
    """The sentences of a card's text, without full stops."""
    if card.harm.there:
        yield from _harm_sentences(card.harm)
        return
    if card.gain.any():
        gains = list_amounts_in_words(card.gain)
        yield _("Gain {what}", what=gains) if card.type == BOUNTY else _("Gain {what} each turn", what=gains)
    if card.lose.any():
        yield _("Lose {what}", what=list_amounts_in_words(card.lose))
    if card.draw_now:
        yield _.many("Draw {n} card", "Draw {n} cards", int(card.draw_now))
    if card.draw_next:
        yield _.many("Draw {n} more card next turn", "Draw {n} more cards next turn", int(card.draw_next))
    if card.steal.there:
        loot = amount_in_words(int(card.steal.count), "cards" if card.steal.what == STEAL_CARD else "goods")
        yield _("Take {what} from another seat", what=loot)
    if card.convert.there:
        given, got = list_amounts_in_words(card.convert.give), list_amounts_in_words(card.convert.get)
        yield _("You may turn {given} into {got}, as often as you like", given=given, got=got)
    if int(card.helps) >> CROPS & 1:
        yield _("Crops played next to it yield 1 more")
    if int(card.helps) >> ANIMALS & 1:
        yield _("Animals played next to it yield 1 more")
    if card.hand_size:
        yield _("Hand limit +{n}", n=card.hand_size)
    if card.discount:
        yield _("Your upgrades cost {n} less", n=card.discount)
    if card.cost_change:
        n = abs(int(card.cost_change))
        yield _("Costs {n} less", n=n) if card.cost_change < 0 else _("Costs {n} more", n=n)
    if card.end.victory:
        yield _("{n} victory at the end of the game", n=card.end.victory)
    if card.end.per_upgrade:
        yield _("{n} victory for each of your upgrades at the end of the game", n=card.end.per_upgrade)


def _harm_sentences(harm: Any) -> Iterator[str]:
    """The sentences on what a hardship does, without full stops."""
    mine = harm.who == SELF
    if harm.lose.any():
        what = list_amounts_in_words(harm.lose)
        yield _("Whoever draws it loses {what}", what=what) if mine else _("Everybody loses {what}", what=what)
    lost = [_(name, "token") for i, name in enumerate(TOKEN_NAMES) if int(harm.lose_all) >> i & 1]
    if lost:
        what = in_a_row(lost)
        yield _("Whoever draws it loses all {what}", what=what) if mine else _("Everybody loses all {what}", what=what)
    if harm.hand:
        yield _("Whoever draws it discards the whole hand") if mine else _("Everybody discards the whole hand")
    if harm.upgrade:
        what = amount_in_words(int(harm.upgrade), "upgrades")
        if mine:
            yield _("Whoever draws it loses {what} at random", what=what)
        else:
            yield _("Everybody loses {what} at random", what=what)
    if harm.ban & BAN_CROPS:
        yield _("Nobody gains crops this turn")
    if harm.ban & BAN_PLAY:
        yield _("Nobody plays a card this turn")
