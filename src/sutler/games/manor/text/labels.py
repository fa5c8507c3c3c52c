"""Words of Medieval Manor that depend on the position: parts of questions, labels and effects of actions, the lines of a score.

The sentences themselves stand in the rows of `phases_actions_events.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.actions import Action
from sutler.core.bits import bit, members
from sutler.core.record import NOBODY
from sutler.core.text.sentences import Line, Sentence, Speaker, Sum, Word
from sutler.games.manor.box import (
    ANIMALS,
    BAN_CROPS,
    BOUNTY,
    CROPS,
    KIND_NAMES,
    LANDS,
    PEASANTS,
    TOKENS,
    TYPE_NAMES,
    UPGRADE,
    VICTORY,
    S,
)
from sutler.games.manor.card_texts import _, amount_in_words, card_text, list_amounts_in_words
from sutler.games.manor.phases_actions_events import P
from sutler.games.manor.rules.ending import hand_limit
from sutler.games.manor.rules.trade import reader, writer
from sutler.games.manor.rules.work import cost_of, lands_for, yield_of

SUMS = {"cost": Sum("What {what} costs"), "yield": Sum("What {what} brings here", apart=True)}
REPEATED = ("give_up", "give", "want", "steal_good", "convert", "use")
"""The actions that people often take several times in a row: the page offers it as one choice with a number."""
LEANINGS = {
    "farmer": "crops",
    "herdsman": "animals",
    "merchant": "gold",
    "mason": "resources",
    "pilgrim": "victory tokens",
    "patriarch": "taking peasants in",
    "builder": "upgrades",
    "bandit": "other people’s goods",
    "lord": "the castle",
    "pedlar": "deals",
    "miser": "making no deals",
}
"""The style of a bot, by the name of the persona whose plan it follows, as words that follow "leans to"."""

OTHER_NAMES = {"kind": KIND_NAMES, "type": TYPE_NAMES}
"""Names in the box that people read, in addition to those of cards and lands."""

SPOTS = {
    "card": "card:{}",
    "land": "space:{}",
    "seat": "seat:{}",
    "good": "good:{}",
    "token": "good:{}",
}


def prompt_values(box: Any, state: Any, speaker: Speaker) -> dict[str, int | str]:
    """The values for the names in the prompt of the open decision: numbers, another seat, a card and its text."""
    found: dict[str, int | str] = {"n": _number_in_prompt(box, state), "other": _other_seat_in_prompt(state)}
    shown = state.other if state.phase in (P.swap_second, P.sell_second) else state.card
    if state.phase == P.buy:
        found |= {"n": int(box.rules.buy_price), "n2": int(box.rules.buy_draw)}
    if shown != NOBODY:
        found["card"] = int(shown)
        found["text"] = card_text(box, int(shown))
    return found


def left(box: Any, state: Any, speaker: Speaker) -> Sentence:
    """A sentence with the number of actions that the seat to act still has in the work phase; () in other phases."""
    if state.stage != S.work:
        return ()
    me = state.seats[state.to_act]
    n = max(0, int(me.tokens[PEASANTS] - me.worked))
    return speaker.say("{n} {n:#action left|actions left}", n=n)


def _number_in_prompt(box: Any, state: Any) -> int:
    """The number in the prompt of the open decision: offers left, the price, the hand limit, or the amount still to be paid."""
    if state.phase == P.offer:
        return int(box.options.offers - state.seats[state.to_act].n_offers)
    if state.phase == P.grow:
        return int(box.rules.grow_price)
    if state.phase == P.limit:
        return int(hand_limit(box, state, int(state.to_act)))
    return int(state.due)


def _other_seat_in_prompt(state: Any) -> int:
    """The second seat in the prompt of the open decision, beside the seat to act: the partner in a deal, or the victim of a theft."""
    if state.phase == P.compose:
        return int(reader(state))
    if state.phase == P.answer:
        return int(writer(state))
    return int(state.victim)


REST_PAID_IN = {"pay_gold": "resources", "feed_crops": "animals"}
"""The good that pays the rest of a price, by block of actions; an action that pays all in it is labelled with this good alone."""


def label(box: Any, state: Any, speaker: Speaker, action: Action) -> str:
    """The label of an action where it differs from the label in the action's row, else "".

    Such labels are "Done", a price from the box, or the whole of a payment.
    """
    if action.block == "buy":
        price, drawn = (
            amount_in_words(int(box.rules.buy_price), "goods"),
            amount_in_words(int(box.rules.buy_draw), "cards"),
        )
        return _("Pay {price} for {cards}", price=price, cards=drawn)
    if action.block in REST_PAID_IN and not action.args[0]:
        return amount_in_words(int(state.due), REST_PAID_IN[action.block])
    return _("Done") if action.block == "done" and state.phase in (P.use, P.convert, P.offer) else ""


def effect(box: Any, state: Any, speaker: Speaker, action: Action) -> Iterator[Any]:
    """The effect of an action in a few words: what a card brings or costs, what a conversion turns into what."""
    seat = int(state.to_act)
    if action.block == "on" and state.phase == P.choose_land:
        card, land = int(state.card), action.args[0]
        if lands_for(box, state, card) & bit(land) and box.card[card].type == BOUNTY:
            yield from _yield_in_words(box, state, speaker, card, land)
    elif action.block == "place" and action.args[0] < len(speaker.names["card"]):
        card = action.args[0]
        if box.card[card].type == UPGRADE:
            yield _("costs {n}", n=cost_of(box, state, seat, card))
        elif box.card[card].type == BOUNTY:
            yield from _yield_in_words(box, state, speaker, card, NOBODY)
    elif action.block in ("convert", "use"):
        card = int(state.card) if action.block == "convert" else action.args[0]
        if 0 <= card < len(speaker.names["card"]) and box.card[card].convert.there:
            yield f"{list_amounts_in_words(box.card[card].convert.give)} → {list_amounts_in_words(box.card[card].convert.get)}"
    elif action.block in REST_PAID_IN and 0 < action.args[0] < int(state.due):
        yield _("and {amount}", amount=amount_in_words(int(state.due) - action.args[0], REST_PAID_IN[action.block]))
    elif action.block == "finish":
        yield _("no more actions this turn")


def _yield_in_words(box: Any, state: Any, speaker: Speaker, card: int, land: int) -> Iterator[Any]:
    """The yield of a card in words and tokens, such as "+2 crops +1 gold"; `land`: NOBODY where none is chosen yet."""
    gap: Sentence = ()
    for token in range(TOKENS):
        n = 0 if token == CROPS and state.ban & BAN_CROPS else int(yield_of(box, state, card, land, token))
        if n:
            yield from (*gap, *speaker.say("+{n} {token}", n=n, token=token))
            gap = (" ",)


def account(box: Any, state: Any, speaker: Speaker, kind: str, key: str) -> list[Line]:
    """The lines of a sum in the view, for the seat to act: a card's yield on a land, or the cost of an upgrade; [] for an unknown key.

    `kind` is "yield" with a key such as "Corn:5" (card and land), or "cost" with the name of a card.
    """
    name, _, land = key.rpartition(":") if kind == "yield" else (key, "", "")
    cards = list(speaker.names["card"])
    card = cards.index(name) if name in cards else NOBODY
    if card == NOBODY:
        return []
    if kind == "yield" and land.isdecimal() and int(land) < LANDS and state.place[int(land)] != NOBODY:
        return [line for token in range(TOKENS) for line in yield_lines(box, state, speaker, card, int(land), token)]
    if kind == "cost" and box.card[card].type == UPGRADE:
        return cost_lines(box, state, speaker, int(state.to_act), card)
    return []


def yield_lines(box: Any, state: Any, speaker: Speaker, card: int, land: int, token: int) -> list[Line]:
    """The lines that add up to a card's yield of one token on a land (5.3), with what a Blight takes away (3.3).

    [] for a token that the card does not yield.
    """
    printed, total = int(box.card[card].gain[token]), int(yield_of(box, state, card, land, token))
    if printed <= 0:
        return []
    good = speaker.word("token", token)
    lines = [Line((speaker.word("card", card), ": ", good), printed, "5.3")]
    bonus = int(box.land[land].bonus[token])
    if bonus:
        lines.append(Line((speaker.word("land", land), ": ", good), bonus, "5.3"))
    for near in list_set_bits(int(state.near[land])):
        lies = int(state.lies[near])
        if lies != NOBODY and token in HELPED_TOKENS and int(box.card[lies].helps) & int(bit(token)):
            lines.append(Line(speaker.say("{card} on {land}", card=lies, land=near), 1, "5.3"))
    rest = total - sum(int(line.points) for line in lines)
    if rest:
        lines.append(Line((_("never below 0"),), rest, "5.3"))
    if total and token == CROPS and state.ban & BAN_CROPS:
        lines.append(Line((Word("card", speaker.tongue("Blight", "card"), "Blight"),), -total, "3.3"))
    return lines


HELPED_TOKENS = (CROPS, ANIMALS)


def list_set_bits(bits: int) -> list[int]:
    """The numbers of the bits that are set, in ascending order."""
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


def cost_lines(box: Any, state: Any, speaker: Speaker, seat: int, card: int) -> list[Line]:
    """The lines that add up to the cost of an upgrade for a seat (5.8)."""
    upgrades = state.seats[seat].upgrades
    owned = members(upgrades)
    lines = [Line((_("any upgrade"),), int(box.rules.upgrade_cost), "5.8")]
    if owned:
        lines.append(
            Line((_("{upgrades} in play", upgrades=amount_in_words(len(owned), "upgrades")),), len(owned), "5.8")
        )
    for one in owned:
        if box.card[one].discount:
            lines.append(Line((speaker.word("card", one),), -int(box.card[one].discount), "5.8"))
    if box.card[card].cost_change:
        lines.append(Line((speaker.word("card", card),), int(box.card[card].cost_change), "5.8"))
    rest = int(cost_of(box, state, seat, card)) - sum(int(line.points) for line in lines)
    return [*lines, Line((_("never below 0"),), rest, "5.8")] if rest else lines


# --- For the lab ----------------------------------------------------------------

OWNED = {
    "hand": "cards in hand",
    "upgrades": "upgrades built",
    **dict.fromkeys(("extra_draw", "extra_next", "worked", "n_offers"), ""),
}

# --- Scores -------------------------------------------------------------------


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """The lines of a seat's score: tokens won, and once the game is over what each upgrade adds (8.3)."""
    me = state.seats[seat]
    owned = len(members(me.upgrades))
    lines = []
    for card in members(me.upgrades):
        worth = int(box.card[card].end.victory + box.card[card].end.per_upgrade * owned)
        if worth:
            lines.append(Line((speaker.word("card", card),), worth, "8.3"))
    added = sum(int(line.points) for line in lines) if state.phase == P.over else 0
    tokens = Line((_("Victory tokens"),), int(me.tokens[VICTORY]) - added, "8.3")
    return [tokens, *(lines if state.phase == P.over else [])]
