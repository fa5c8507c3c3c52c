"""What a seat may know of Medieval Manor, for people, bots and learners; and the words of prompts and choices.

All hands are open (guide 3.7). Hidden are the order of the deck and the dice, both in the generator, and which
hardships were left out of the game (9.2): cards that may be either are shown as cards that may still come.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from sutler.core.actions import Action
from sutler.core.bits import add, bit, clear, count, first_from, has, members, merge, remove
from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.speech import Choice, Line, Prompt, Speaker
from sutler.core.text import Sentence, Word
from sutler.games.manor import state as s
from sutler.games.manor.box import (
    BAN_CROPS,
    BAN_PLAY,
    BOUNTY,
    CARD,
    CARDS,
    COLUMNS,
    HARDSHIP,
    KIND_NAMES,
    KINDS,
    LANDS,
    STAGE_NAMES,
    TOKEN_NAMES,
    TOKENS,
    TYPE_NAMES,
    UPGRADE,
    VICTORY,
    S,
)
from sutler.games.manor.rules.ending import hand_limit
from sutler.games.manor.rules.work import cost_of, lands_for, upgrade_cost_base, yield_of
from sutler.games.manor.scoring import end_value
from sutler.games.manor.table import ACTIONS, PHASES, P

# --- For bots and learners ----------------------------------------------------


@rule
def see_deck(box, state, seat, of, out, at):
    """9.2: the cards that may come: those of the deck, and with them the hardships left out unseen."""
    may_come(state.deck, state.boxed, box.options.hardship_deck == 0, out, at)


@rule
def see_hardships(box, state, seat, of, out, at):
    """9.3: the same for hardships in a deck of their own."""
    may_come(state.hardships, state.boxed, box.options.hardship_deck == 1, out, at)


@rule
def may_come(cards, boxed, is_mixed, out, at):
    """A 1 for each of these cards, and for each boxed one if nobody can tell them apart."""
    for card in range(CARDS):
        if has(cards, card) or (is_mixed and has(boxed, card)):
            out[at + card] = 1


@rule
def redeal(box, state, seat, luck):
    """9.2: any of the hardships not yet seen may be the ones left out. A deck without order is a set (3.7)."""
    missing = count(state.boxed)
    if missing == 0:
        return
    if box.options.hardship_deck == 1:
        merge(state.hardships, state.boxed)
    else:
        merge(state.deck, state.boxed)
    clear(state.boxed)
    left = count(state.unseen)
    card = first_from(state.unseen, 0)
    while card >= 0:
        if below(luck, left) < missing:
            missing -= 1
            remove(state.deck, card)
            remove(state.hardships, card)
            add(state.boxed, card)
        left -= 1
        card = first_from(state.unseen, card + 1)


# --- For people -----------------------------------------------------------------


def card_names(speaker: Speaker, cards: Any) -> list[str]:
    """The names of a set of cards, in the order of the box."""
    return [str(speaker.word("card", card)) for card in members(cards)]


def tokens_of(tokens: Any) -> dict[str, int]:
    """Tokens by name."""
    return {name: int(n) for name, n in zip(TOKEN_NAMES, tokens, strict=False)}


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data; the same for every seat, since nothing is hidden from one that another knows."""
    names = speaker.names
    return {
        "turn": int(state.turn),
        "phase": STAGE_NAMES[state.stage],
        "phases": [(name, name.capitalize()) for name in STAGE_NAMES],
        "step": s_name(state),
        "lord": int(state.lord),
        "target": int(box.options.victory),
        "n_seats": int(state.n_seats),
        "seat": seat,
        "to_act": None if state.phase == P.over else int(state.to_act),
        "map": bool(box.options.no_map == 0),
        "common_hand": bool(box.options.common_hand == 1),
        "rows": sum(1 for place in state.place if place != NOBODY) // COLUMNS,
        "cols": COLUMNS,
        "deck": int(count(state.deck)),
        "deck_cards": _may_come(box, state, speaker, apart=False),
        "discards": int(count(state.discards)),
        "discard_cards": card_names(speaker, state.discards),
        "hardship_cards": _may_come(box, state, speaker, apart=True),
        "hardships_out": card_names(speaker, state.removed),
        "table": card_names(speaker, state.table),
        "spaces": [_space(box, state, names, land) for land in _lands_in_order(state)],
        "seats": [_seat(box, state, speaker, one) for one in range(int(state.n_seats))],
        "bans": {"crops": bool(state.ban & BAN_CROPS), "play": bool(state.ban & BAN_PLAY)},
        "offer": _offer(state, speaker),
        "aside": card_names(speaker, state.aside),
        "placing": None if state.card == NOBODY else names["card"][state.card],
        "cards": _cards(box, state, names),
    }


def _may_come(box: Any, state: Any, speaker: Speaker, apart: bool) -> list[str]:
    """The cards that may be in the deck, or in the hardships' own; those left out unseen may be there too (9.2)."""
    cards = set(members(state.hardships if apart else state.deck))
    if apart == bool(box.options.hardship_deck):
        cards |= set(members(state.boxed))
    return [str(speaker.word("card", card)) for card in sorted(cards)]


def s_name(state: Any) -> str:
    """The decision at hand, by name."""
    return PHASES.words[int(state.phase)]


def _lands_in_order(state: Any) -> list[int]:
    laid = [land for land in range(LANDS) if state.place[land] != NOBODY]
    return sorted(laid, key=lambda land: int(state.place[land]))


def _space(box: Any, state: Any, names: Any, land: int) -> dict[str, Any]:
    place = int(state.place[land])
    lying = int(state.lies[land])
    return {
        "index": land,
        "row": place // COLUMNS,
        "col": place % COLUMNS,
        "land": names["land"][land],
        "kind": KIND_NAMES[box.land[land].kind],
        "bonus": {name: n for name, n in tokens_of(box.land[land].bonus).items() if n},
        "card": None if lying == NOBODY else names["card"][lying],
        "owner": None if lying == NOBODY else int(state.owner[land]),
    }


def _seat(box: Any, state: Any, speaker: Speaker, seat: int) -> dict[str, Any]:
    me = state.seats[seat]
    on_map = {int(state.lies[land]) for land in range(LANDS)}
    upgrades = members(me.upgrades)
    return {
        "seat": seat,
        "name": str(speaker.word("seat", seat)),
        "lord": bool(state.lord == seat),
        **tokens_of(me.tokens),
        "actions_left": max(0, int(me.tokens[TOKENS - 1] - me.worked)) if state.stage == S.work else 0,
        "passed": bool(me.has_passed),
        "hand": card_names(speaker, state.seats[s.holder(box, seat)].hand),
        "hand_limit": int(hand_limit(box, state, seat)),
        "upgrades": [speaker.names["card"][card] for card in upgrades if card not in on_map],
        "played_upgrades": [speaker.names["card"][card] for card in upgrades if card in on_map],
        "next_draw_bonus": int(me.extra_next),
        "offers_left": max(0, int(box.options.offers - me.n_offers)),
        "end_value": 0 if state.phase == P.over else int(end_value(box, state, seat)),
        "score": int(me.tokens[VICTORY]),
    }


def _offer(state: Any, speaker: Speaker) -> dict[str, Any] | None:
    if state.offer.to_seat == NOBODY:
        return None
    return {
        "from": int((state.first + state.kth) % state.n_seats),
        "to": int(state.offer.to_seat),
        "give": {name: n for name, n in tokens_of(state.offer.give).items() if n},
        "give_cards": card_names(speaker, state.offer.give_cards),
        "want": {name: n for name, n in tokens_of(state.offer.want).items() if n},
        "want_cards": card_names(speaker, state.offer.want_cards),
    }


def _cards(box: Any, state: Any, names: Any) -> dict[str, Any]:
    """Every card in words, with what an upgrade would cost the seat to act."""
    seat = int(state.to_act)
    printed = _printed(box.card.tobytes(), *(tuple(names[key]) for key in ("card", "marks", "icon", "ground")))
    base, change = int(upgrade_cost_base(box, state, seat)), "cost_change"
    return {
        name: {**one, "cost": max(0, base + one[change]) if one["type"] == TYPE_NAMES[UPGRADE] else None}
        for name, one in printed.items()
    }


@lru_cache(maxsize=16)
def _printed(
    data: bytes, names: tuple[str, ...], marks: tuple[str, ...], icons: tuple[str, ...], grounds: tuple[str, ...]
) -> dict[str, Any]:
    """What is printed on the cards, put into words once a box."""
    cards = np.frombuffer(data, CARD.dtype)
    told = zip(cards, names, marks, icons, grounds, strict=False)
    return {name: _card(one, mark, icon, ground) for one, name, mark, icon, ground in told}


def _card(one: Any, marks: str, icon: str, ground: str) -> dict[str, Any]:
    parts = (*TOKEN_NAMES, "cards")
    return {
        "type": TYPE_NAMES[one.type],
        "on": [KIND_NAMES[kind] for kind in range(KINDS) if int(one.kinds) >> kind & 1],
        "gain": {name: n for name, n in tokens_of(one.gain).items() if n},
        "lose": {name: n for name, n in tokens_of(one.lose).items() if n},
        "marks": [mark for mark in marks.split(", ") if mark],
        "icon": icon,
        "ground": ground,
        "draw_now": int(one.draw_now),
        "draw_next": int(one.draw_next),
        "steal": ("", "card", "good")[one.steal],
        "n_steal": int(one.n_steal),
        "convert": {
            "give": {name: int(n) for name, n in zip(parts, one.pay, strict=True) if n},
            "get": {name: int(n) for name, n in zip(parts, one.get, strict=True) if n},
        }
        if one.converts
        else None,
        "cost_change": int(one.cost_change),
        "discount": int(one.discount),
        "hand_size": int(one.hand_size),
        "end_victory": int(one.end_victory),
        "end_per_upgrade": int(one.end_per_upgrade),
        "harm": list(_harm_words(one)) if one.type == HARDSHIP else [],
        "text": _card_text(one),
    }


def _amount(n: int, token: str) -> str:
    one = {"crops": "crop", "animals": "animal", "resources": "resource", "peasants": "peasant", "cards": "card"}
    return f"{n} {one.get(token, token) if n == 1 else token}"


def _list(amounts: Any) -> str:
    names = (*TOKEN_NAMES, "cards")
    return " and ".join(_amount(int(n), name) for name, n in zip(names, amounts, strict=False) if n)


def card_text(box: Any, card: int) -> str:
    """What a card does, in words made from the box."""
    return _card_text(box.card[card])


def _card_text(one: Any) -> str:
    return ". ".join(_card_sentences(one)) + "."


def _card_sentences(one: Any) -> Iterator[str]:
    if one.type == HARDSHIP:
        yield from _harm_words(one)
        return
    each = "" if one.type == BOUNTY else " each turn"
    if one.gain.any():
        yield f"Gain {_list(one.gain)}{each}"
    if one.lose.any():
        yield f"Lose {_list(one.lose)}"
    if one.draw_now:
        yield f"Draw {_amount(int(one.draw_now), 'cards')}"
    if one.draw_next:
        yield f"Draw {one.draw_next} more cards next turn"
    if one.steal:
        loot = _amount(int(one.n_steal), "cards") if one.steal == 1 else f"{one.n_steal} goods"
        yield f"Take {loot} from another seat"
    if one.converts:
        yield f"You may turn {_list(one.pay)} into {_list(one.get)}, as often as you like"
    if one.helps_crops:
        yield "Crops played next to it yield 1 more"
    if one.helps_animals:
        yield "Animals played next to it yield 1 more"
    if one.hand_size:
        yield f"Hand limit +{one.hand_size}"
    if one.discount:
        yield f"Your upgrades cost {one.discount} less"
    if one.cost_change:
        yield f"Costs {abs(one.cost_change)} {'less' if one.cost_change < 0 else 'more'}"
    if one.end_victory:
        yield f"{one.end_victory} victory at the end of the game"
    if one.end_per_upgrade:
        yield f"{one.end_per_upgrade} victory for each of your upgrades at the end of the game"


def _harm_words(one: Any) -> Iterator[str]:
    who = "Whoever draws it" if one.harm_who == 0 else "Everybody"
    if one.harm_lose.any():
        yield f"{who} loses {_list(one.harm_lose)}"
    lost = [name for i, name in enumerate(TOKEN_NAMES) if int(one.harm_lose_all) >> i & 1]
    if lost:
        yield f"{who} loses all {' and '.join(lost)}"
    if one.harm_hand:
        yield f"{who} discards the whole hand"
    if one.harm_upgrades:
        yield f"{who} loses {_amount(int(one.harm_upgrades), 'upgrades').replace('1 upgrades', '1 upgrade')} at random"
    if one.ban & BAN_CROPS:
        yield "Nobody gains crops this turn"
    if one.ban & BAN_PLAY:
        yield "Nobody plays a card this turn"


# --- Prompts ------------------------------------------------------------------

PROMPTS = {
    P.buy: ("{seat}, draw three cards and keep one?", "It costs any three goods.", "3.4"),
    P.give_up: ("{seat}, give up a good.", "{n} still to pay.", "3.4"),
    P.keep: (
        "{seat}, keep one of these cards.",
        "The others are discarded; a hardship you keep strikes at once.",
        "3.4",
    ),
    P.swap: ("{seat}, discard two cards for a new one?", "Choose the first, or leave it.", "3.5"),
    P.swap_second: ("{seat}, choose the second card to discard.", "You discard {card} too.", "3.5"),
    P.offer: ("{seat}, do you want to trade?", "Choose a partner; {n} offers left this turn.", "4.2"),
    P.compose: (
        "{seat}, write your offer to {other:seat}.",
        "Add what you give and what you want, then send it.",
        "4.2",
    ),
    P.answer: (
        "{seat}, do you take the offer of {other:seat}?",
        "Everything on the slip changes hands at once.",
        "4.2",
    ),
    P.work: ("{seat}, play a card or discard two for a good.", "", "5.1"),
    P.choose_land: ("{seat}, place {card}.", "{text}", "5.2"),
    P.pay: ("{seat}, pay {n} for {card}.", "Choose how much of it in gold; the rest is resources.", "5.8"),
    P.convert: ("{seat}, convert with {card}?", "{text}", "5.4"),
    P.steal_from: ("{seat}, whom does {card} rob?", "Take {n} from one other seat.", "5.5"),
    P.steal: ("{seat}, take something from {other:seat}.", "{n} still to take.", "5.5"),
    P.sell_second: (
        "{seat}, choose the second card to discard.",
        "{card} and one more for a good of your choice.",
        "5.9",
    ),
    P.sell_good: ("{seat}, take one good.", "For the two cards you discard.", "5.9"),
    P.use: ("{seat}, use your upgrades?", "Conversions in any order, as often as you like.", "6.2"),
    P.spend: ("{seat}, discard a card for {card}.", "{n} still to discard.", "6.2"),
    P.feed: ("{seat}, feed your peasants.", "{n} food in any mix; one peasant feeds itself.", "7.1"),
    P.grow: ("{seat}, take in another peasant?", "It costs {n} food.", "7.3"),
    P.grow_feed: ("{seat}, pay {n} food for the new peasant.", "Any mix of crops and animals.", "7.3"),
    P.limit: ("{seat}, discard down to {n} cards.", "Choose one card at a time.", "8.1"),
}


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The question of the present decision, in one sentence."""
    if state.phase == P.over:
        return Prompt(("The game is over.",), (), "8.2")
    text, help_text, number = PROMPTS[int(state.phase)]
    to_act = int(state.to_act)
    parts: dict[str, int | str] = {"seat": to_act, "n": _number(box, state), "other": _other(state)}
    shown = state.other if state.phase in (P.swap_second, P.sell_second) else state.card
    if shown != NOBODY:
        parts["card"] = int(shown)
        parts["text"] = card_text(box, int(shown))
    left: Sentence = ()
    if state.stage == S.work:
        n = max(0, int(state.seats[to_act].tokens[TOKENS - 1] - state.seats[to_act].worked))
        left = (Word("num", str(n)), " action left" if n == 1 else " actions left")
    return Prompt(speaker.say(text, **parts), speaker.say(help_text, **parts), number, left)


def _number(box: Any, state: Any) -> int:
    if state.phase == P.offer:
        return int(box.options.offers - state.seats[state.to_act].n_offers)
    if state.phase == P.grow:
        return int(box.rules.grow_price)
    if state.phase == P.limit:
        return int(hand_limit(box, state, int(state.to_act)))
    return int(state.due)


def _other(state: Any) -> int:
    if state.phase == P.compose:
        return int(state.offer.to_seat)
    if state.phase == P.answer:
        return int((state.first + state.kth) % state.n_seats)
    return int(state.victim)


# --- Choices ------------------------------------------------------------------

LABELS = {
    "buy": "Pay three goods for three cards",
    "give_up": "Give up 1 {good}",
    "keep": "Keep {card}",
    "swap": "Discard {card}",
    "offer": "Offer to {seat}",
    "give": "Give 1 {token}",
    "give_card": "Give {card}",
    "want": "Ask for 1 {token}",
    "want_card": "Ask for {card}",
    "send": "Send the offer",
    "cancel": "Tear it up",
    "accept": "Accept",
    "decline": "Decline",
    "place": "{card}",
    "on": "{land}",
    "convert": "Convert",
    "steal_from": "From {seat}",
    "steal_card": "Take {card}",
    "steal_good": "Take 1 {good}",
    "pay_gold": "{n} gold",
    "sell": "Discard {card}",
    "gain": "Take 1 {good}",
    "finish": "Pass",
    "use": "{card}",
    "spend": "Discard {card}",
    "feed_crops": "{n} crops",
    "grow": "Take in a peasant",
    "discard": "Discard {card}",
    "done": "No",
}

SPOTS = {
    "card": "card:{}",
    "land": "space:{}",
    "seat": "seat:{}",
    "good": "good:{}",
    "token": "good:{}",
}


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """How the table shows one action: its words, what it would do, and the spot it aims at."""
    block = ACTIONS.blocks[action.block]
    parts = dict(zip(block.kinds, action.args, strict=True))
    label = speaker.say(LABELS[action.block], **parts)
    at = None
    if block.kinds and block.kinds[0] in SPOTS:
        kind = block.kinds[0]
        number = action.args[0]
        named = kind in ("card", "good", "token")
        at = SPOTS[kind].format(str(speaker.word(kind, number)) if named else number)
    if action.block == "done" and state.phase in (P.use, P.convert, P.offer):
        label = ("Done",)
    effect = tuple(_effect(box, state, speaker, action))
    return Choice(action.id, action.name, label, effect, at, block.rule, block.tone)


def _effect(box: Any, state: Any, speaker: Speaker, action: Action) -> Iterator[Any]:
    """What an action would bring, in a few words."""
    seat = int(state.to_act)
    if action.block == "on" and state.phase == P.choose_land:
        card, land = int(state.card), action.args[0]
        if lands_for(box, state, card) & bit(land) and box.card[card].type == BOUNTY:
            yield from _yields(box, state, speaker, card, land)
    elif action.block == "place" and action.args[0] < len(speaker.names["card"]):
        card = action.args[0]
        if box.card[card].type == UPGRADE:
            yield f"costs {cost_of(box, state, seat, card)}"
        elif box.card[card].type == BOUNTY:
            yield from _yields(box, state, speaker, card, NOBODY)
    elif action.block in ("convert", "use"):
        card = int(state.card) if action.block == "convert" else action.args[0]
        if 0 <= card < len(speaker.names["card"]) and box.card[card].converts:
            yield f"{_list(box.card[card].pay)} → {_list(box.card[card].get)}"
    elif action.block == "pay_gold":
        yield f"and {_amount(max(0, int(state.due) - action.args[0]), 'resources')}"
    elif action.block == "feed_crops":
        yield f"and {_amount(max(0, int(state.due) - action.args[0]), 'animals')}"
    elif action.block == "finish":
        yield "no more actions this turn"


def _yields(box: Any, state: Any, speaker: Speaker, card: int, land: int) -> Iterator[Any]:
    first = True
    for token in range(TOKENS):
        n = int(yield_of(box, state, card, land, token))
        if token == 0 and state.ban & BAN_CROPS:
            n = 0
        if n:
            if not first:
                yield " "
            first = False
            yield f"+{n} "
            yield speaker.word("token", token)


# --- Scores -------------------------------------------------------------------


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """8.3: tokens won, and what each upgrade adds at the end."""
    me = state.seats[seat]
    owned = len(members(me.upgrades))
    lines = []
    for card in members(me.upgrades):
        worth = int(box.card[card].end_victory + box.card[card].end_per_upgrade * owned)
        if worth:
            lines.append(Line((speaker.word("card", card),), worth, "8.3"))
    added = sum(int(line.points) for line in lines) if state.phase == P.over else 0
    tokens = Line(("Victory tokens",), int(me.tokens[VICTORY]) - added, "8.3")
    return [tokens, *(lines if state.phase == P.over else [])]
