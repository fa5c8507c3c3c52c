"""What is printed on the cards of Medieval Manor, in words made from the box."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from sutler.core.entry import written
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


def tokens_of(tokens: Any) -> dict[str, int]:
    """Tokens by name."""
    return {name: int(n) for name, n in zip(TOKEN_NAMES, tokens, strict=False)}


def cards_in_words(box: Any, state: Any, names: Any) -> dict[str, Any]:
    """Every card in words, with what an upgrade would cost the seat to act."""
    base = int(upgrade_cost_base(box, state, int(state.to_act)))
    return dict(_priced(base, *_as_printed(box, names)))


@lru_cache(maxsize=64)
def _priced(base: int, *printed: Any) -> dict[str, Any]:
    """The printed cards with what upgrades cost, before a card's own change: the same for many pictures."""
    return {
        name: {**one, "cost": max(0, base + one["cost_change"]) if one["type"] == TYPE_NAMES[UPGRADE] else None}
        for name, one in _printed(*printed).items()
    }


def printed_cards(box: Any, names: Any) -> dict[str, Any]:
    """Every card as it is printed, by name."""
    return _printed(*_as_printed(box, names))


def _as_printed(box: Any, names: Any) -> tuple[Any, ...]:
    """What tells the cards of one box from those of another."""
    return (box.card.tobytes(), *(tuple(names[key]) for key in ("card", "marks", "icon", "ground")))


@lru_cache(maxsize=16)
def _printed(
    data: bytes, names: tuple[str, ...], marks: tuple[str, ...], icons: tuple[str, ...], grounds: tuple[str, ...]
) -> dict[str, Any]:
    """What is printed on the cards, put into words once a box."""
    cards = np.frombuffer(data, CARD.dtype)
    told = zip(cards, names, marks, icons, grounds, strict=False)
    return {name: _card(one, mark, icon, ground) for one, name, mark, icon, ground in told}


def _card(one: Any, marks: str, icon: str, ground: str) -> dict[str, Any]:
    return written(CardEntry, one) | {
        "marks": [mark for mark in marks.split(", ") if mark],
        "icon": icon,
        "ground": ground,
        "harm": list(_harm_words(one.harm)) if one.harm.there else [],
        "text": _card_text(one),
    }


ONE = dict(zip(TOKEN_NAMES, TOKEN_ONE, strict=True)) | {
    "cards": "card",
    "goods": "good",
    "upgrades": "upgrade",
}


def amount(n: int, what: str) -> str:
    """So many of something: "1 crop", "2 crops"."""
    return f"{n} {ONE.get(what, what) if n == 1 else what}"


def listed(amounts: Any) -> str:
    names = (*TOKEN_NAMES, "cards")
    return " and ".join(amount(int(n), name) for name, n in zip(names, amounts, strict=False) if n)


def card_text(box: Any, card: int) -> str:
    """What a card does, in words made from the box."""
    return _card_text(box.card[card])


def _card_text(one: Any) -> str:
    return ". ".join(_card_sentences(one)) + "."


def _card_sentences(one: Any) -> Iterator[str]:
    if one.harm.there:
        yield from _harm_words(one.harm)
        return
    each = "" if one.type == BOUNTY else " each turn"
    if one.gain.any():
        yield f"Gain {listed(one.gain)}{each}"
    if one.lose.any():
        yield f"Lose {listed(one.lose)}"
    if one.draw_now:
        yield f"Draw {amount(int(one.draw_now), 'cards')}"
    if one.draw_next:
        yield f"Draw {one.draw_next} more {'card' if one.draw_next == 1 else 'cards'} next turn"
    if one.steal.there:
        loot = amount(int(one.steal.count), "cards" if one.steal.what == STEAL_CARD else "goods")
        yield f"Take {loot} from another seat"
    if one.convert.there:
        yield f"You may turn {listed(one.convert.give)} into {listed(one.convert.get)}, as often as you like"
    for helped in (CROPS, ANIMALS):
        if int(one.helps) >> helped & 1:
            yield f"{TOKEN_NAMES[helped].capitalize()} played next to it yield 1 more"
    if one.hand_size:
        yield f"Hand limit +{one.hand_size}"
    if one.discount:
        yield f"Your upgrades cost {one.discount} less"
    if one.cost_change:
        yield f"Costs {abs(one.cost_change)} {'less' if one.cost_change < 0 else 'more'}"
    if one.end.victory:
        yield f"{one.end.victory} victory at the end of the game"
    if one.end.per_upgrade:
        yield f"{one.end.per_upgrade} victory for each of your upgrades at the end of the game"


def _harm_words(harm: Any) -> Iterator[str]:
    who = "Whoever draws it" if harm.who == SELF else "Everybody"
    if harm.lose.any():
        yield f"{who} loses {listed(harm.lose)}"
    lost = [name for i, name in enumerate(TOKEN_NAMES) if int(harm.lose_all) >> i & 1]
    if lost:
        yield f"{who} loses all {' and '.join(lost)}"
    if harm.hand:
        yield f"{who} discards the whole hand"
    if harm.upgrade:
        yield f"{who} loses {amount(int(harm.upgrade), 'upgrades').replace('1 upgrades', '1 upgrade')} at random"
    if harm.ban & BAN_CROPS:
        yield "Nobody gains crops this turn"
    if harm.ban & BAN_PLAY:
        yield "Nobody plays a card this turn"
