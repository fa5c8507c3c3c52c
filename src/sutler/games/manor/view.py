"""The view of Medieval Manor: the table as plain data for people."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from sutler.core.bits import count
from sutler.core.fast_record_reading import list_set_members
from sutler.core.record import NOBODY
from sutler.core.text.sentences import Speaker
from sutler.games.manor.box import (
    BAN_CROPS,
    BAN_PLAY,
    COLUMNS,
    KIND_NAMES,
    LAND,
    LANDS,
    STAGE_NAMES,
    TOKENS,
    VICTORY,
    S,
)
from sutler.games.manor.card_texts import cards_with_prices, tokens_by_name
from sutler.games.manor.observe import are_left_out_hardships_known
from sutler.games.manor.phases_actions_events import PHASES, P
from sutler.games.manor.rules.ending import hand_limit
from sutler.games.manor.rules.trade import reader, writer
from sutler.games.manor.scoring import end_victory
from sutler.games.manor.state import hand_holder


def card_names(speaker: Speaker, cards: Any) -> list[str]:
    """The names of a set of cards, in the order of the box, for the reader."""
    names = _display_names(speaker)
    return [names[card] for card in list_set_members(cards)]


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data. It is the same for every seat: nothing is hidden from one seat that another knows."""
    names = speaker.names
    return {
        "turn": int(state.turn),
        "phase": STAGE_NAMES[state.stage],
        "phases": [
            (name, speaker.tongue(title, "title"))
            for name, title in zip(STAGE_NAMES, speaker.names["title"], strict=True)
        ],
        "step": phase_name(state),
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
        "deck_cards": _names_of_possible_cards(box, state, speaker, is_separate_deck=False),
        "discards": int(count(state.discards)),
        "discard_cards": card_names(speaker, state.discards),
        "hardship_cards": _names_of_possible_cards(box, state, speaker, is_separate_deck=True),
        "hardships_out": card_names(speaker, state.removed),
        "table": card_names(speaker, state.table),
        "spaces": _land_views(box, state, names),
        "seats": [_seat_view(box, state, speaker, one) for one in range(int(state.n_seats))],
        "bans": {"crops": bool(state.ban & BAN_CROPS), "play": bool(state.ban & BAN_PLAY)},
        "offer": _offer_view(state, speaker),
        "aside": card_names(speaker, state.aside),
        "placing": None if state.card == NOBODY else names["card"][state.card],
        "discarding": _cards_to_discard(state, speaker),
        "cards": cards_with_prices(box, state, names),
    }


def _cards_to_discard(state: Any, speaker: Speaker) -> list[str]:
    """The cards of the hand that are chosen to be discarded, for a good (5.9) or for a new card (3.5), and not discarded yet."""
    chosen = [state.other, state.card] if state.phase == P.sell_good else [state.other]
    return [_display_names(speaker)[card] for card in chosen if card != NOBODY]


def _names_of_possible_cards(box: Any, state: Any, speaker: Speaker, is_separate_deck: bool) -> list[str]:
    """The names of the cards that may be in the deck; with `is_separate_deck`, in the separate deck of hardships (9.3).

    Hardships that were left out of the game are among them until it is known which these are (9.2).
    """
    cards = set(list_set_members(state.hardships if is_separate_deck else state.deck))
    if is_separate_deck == bool(box.options.hardship_deck) and not are_left_out_hardships_known(state):
        cards |= set(list_set_members(state.boxed))
    names = _display_names(speaker)
    return [names[card] for card in sorted(cards)]


def _display_names(speaker: Speaker) -> Any:
    """The display names of all cards, by the card's number."""
    return speaker.names.get("card_called", speaker.names["card"])


def phase_name(state: Any) -> str:
    """The name of the open decision's phase."""
    return PHASES.words[int(state.phase)]


def _land_views(box: Any, state: Any, names: Any) -> list[dict[str, Any]]:
    """The lands in the order of the map, each with what is printed on the land, the card on it and its owner."""
    printed = _printed_lands(box.land.tobytes(), tuple(names["land"]))
    place, lies, owner = state.place.tolist(), state.lies.tolist(), state.owner.tolist()
    laid = sorted((land for land in range(LANDS) if place[land] != NOBODY), key=place.__getitem__)
    return [
        {
            "index": land,
            "row": place[land] // COLUMNS,
            "col": place[land] % COLUMNS,
            **printed[land],
            "card": None if lies[land] == NOBODY else names["card"][lies[land]],
            "owner": None if lies[land] == NOBODY else owner[land],
        }
        for land in laid
    ]


@lru_cache(maxsize=16)
def _printed_lands(data: bytes, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """The name, kind and bonus printed on each land of a box, by number; `data` is the packed land records. Cached."""
    return [
        {
            "land": name,
            "kind": KIND_NAMES[one.kind],
            "bonus": {what: n for what, n in tokens_by_name(one.bonus).items() if n},
        }
        for name, one in zip(names, np.frombuffer(data, LAND.dtype), strict=False)
    ]


def _seat_view(box: Any, state: Any, speaker: Speaker, seat: int) -> dict[str, Any]:
    """One seat's part of the view."""
    me = state.seats[seat]
    on_map = {*state.lies.tolist()}
    upgrades = list_set_members(me.upgrades)
    return {
        "seat": seat,
        "name": str(speaker.word("seat", seat)),
        "lord": bool(state.lord == seat),
        **tokens_by_name(me.tokens),
        "actions_left": max(0, int(me.tokens[TOKENS - 1] - me.worked)) if state.stage == S.work else 0,
        "passed": bool(me.has_passed),
        "hand": card_names(speaker, state.seats[hand_holder(box, seat)].hand),
        "hand_limit": int(hand_limit(box, state, seat)),
        "upgrades": [speaker.names["card"][card] for card in upgrades if card not in on_map],
        "played_upgrades": [speaker.names["card"][card] for card in upgrades if card in on_map],
        "next_draw_bonus": int(me.extra_next),
        "offers_left": max(0, int(box.options.offers - me.n_offers)),
        "end_value": 0 if state.phase == P.over else int(end_victory(box, state, seat)),
        "score": int(me.tokens[VICTORY]),
    }


def _offer_view(state: Any, speaker: Speaker) -> dict[str, Any] | None:
    """The offer that is being written or answered, as plain data; None if there is none."""
    if state.offer.partner == NOBODY:
        return None
    return {
        "from": int(writer(state)),
        "to": int(reader(state)),
        "give": {name: n for name, n in tokens_by_name(state.offer.give).items() if n},
        "give_cards": card_names(speaker, state.offer.give_cards),
        "want": {name: n for name, n in tokens_by_name(state.offer.want).items() if n},
        "want_cards": card_names(speaker, state.offer.want_cards),
    }
