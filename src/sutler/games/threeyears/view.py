"""The view of Three Years of War: the table as plain data, limited to what one seat may know (guide 1.14)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from sutler.core.bits import count, has, members
from sutler.core.files.entry_records import read_entry
from sutler.core.record import NOBODY
from sutler.core.text.sentences import Speaker
from sutler.games.threeyears.box import (
    CARD,
    CARDS,
    EVENT_NAMES,
    ICON_NAMES,
    ROWS,
    SEASON_NAMES,
    SEASONS,
    STAGE_NAMES,
    TRACKS,
    BattleEntry,
    BitterEntry,
    ClaimEntry,
    MarketEntry,
    ReapingEntry,
    Sections,
)
from sutler.games.threeyears.phases_actions_events import PHASES, P
from sutler.games.threeyears.rules.scouting import n_upcoming
from sutler.games.threeyears.scoring import points_lost, total_bonus


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data, limited to what a seat may know; `seat` is None for a watcher."""
    names = speaker.names
    season, event = int(state.season), int(state.season)
    return {
        "year": int(state.year) + 1,
        "phases": [(name, speaker.tongue(name.capitalize())) for name in STAGE_NAMES],
        "phase": STAGE_NAMES[state.stage],
        "years": int(box.options.years),
        "season": SEASON_NAMES[season],
        "seasons": list(SEASON_NAMES),
        "stage": STAGE_NAMES[state.stage],
        "step": PHASES.words[state.phase],
        "lead": int(state.lead),
        "total": int(state.total),
        "n_seats": int(state.n_seats),
        "seat": seat,
        "to_act": None if state.phase == P.over else int(state.to_act),
        "track_max": int(box.rules.track_max),
        "hand_limit": int(box.rules.hand_limit),
        "reconstructed": list(names["reconstructed"]),
        "despair_costs": _despair_cost_bounds(box),
        "supplies": {
            "influence": int(count(state.deck)),
            "discards": int(count(state.discards)),
            "despair": int(count(state.despairs)),
            "writs": int(count(state.writs)),
            "hope": int(state.hopes),
            "scouts": int(state.scouts),
        },
        "discards": _card_views(box, names, state.discards),
        "claims": [_claim_slot_view(box, state, names, slot) for slot in _claim_slots(state)],
        "loose": _card_views(box, names, state.loose),
        "markers": [_marker_view(box, state, number) for number in range(1, int(state.n_seats) + 1)],
        "event": EVENT_NAMES[event],
        "interlude": None if state.card == NOBODY else interlude_card(box, names, event, int(state.card)),
        "resolved": _last_interlude(box, state, names),
        "upcoming": [_deck_view(box, state, names, one, seat) for one in range(SEASONS)],
        "due": {name: int(state.due[i]) for i, name in enumerate(ICON_NAMES) if state.due[i]},
        "actor": None if state.actor == NOBODY else int(state.actor),
        "looks": int(state.looks),
        "bought": [row for row in range(ROWS) if state.phase == P.market and int(state.used) >> row & 1],
        "seats": [_seat_view(box, state, speaker, one, seat) for one in range(int(state.n_seats))],
        "hand": [] if seat is None else _hand_views(box, state, names, seat),
        "picked": _card_views(box, names, state.picked) if state.to_act == seat else [],
        "cards": printed_cards(box, names),
    }


def _despair_cost_bounds(box: Any) -> list[int]:
    """The least and the most points that a Despair token of this box costs (1.7)."""
    values = [int(box.despair_value[token]) for token in members(box.despairs)]
    return [min(values, default=0), max(values, default=0)]


ENTRY_OF_EVENT = (MarketEntry, BattleEntry, ReapingEntry, BitterEntry)
"""The model of `box.py` that the interlude cards of each event are written by."""

PRINTED_CARDS: dict[tuple[bytes, tuple[str, ...]], dict[str, dict[str, Any]]] = {}
"""A cache of the printed cards, by packed box and names."""


def printed_cards(box: Any, names: Any) -> dict[str, dict[str, Any]]:
    """The printed claim and influence cards by name, under the keys "claim" and "influence"."""
    key = box.tobytes(), (*names["claim"], *names["influence"])
    if key not in PRINTED_CARDS:
        claims = {name: _printed_claim(box, i) for i, name in enumerate(names["claim"])}
        cards = {name: _card_view(box, names, card) for card, name in reversed(list(enumerate(names["influence"])))}
        PRINTED_CARDS[key] = {"claim": claims, "influence": cards}
    return PRINTED_CARDS[key]


def icon_counts(icons: Any) -> dict[str, int]:
    """The number of each icon by name, from an array in the order of ICON_NAMES; zeros are left out."""
    return {name: int(n) for name, n in zip(ICON_NAMES, icons, strict=True) if n}


def _printed_claim(box: Any, claim: int) -> dict[str, Any]:
    """The season of a claim card, and its icons by section."""
    one = box.claim[claim]
    return {**read_entry(ClaimEntry, one), "season": SEASON_NAMES[one.season]}


def _card_view(box: Any, names: Any, card: int) -> dict[str, Any]:
    """An influence card as plain data."""
    return dict(_printed_card(box.card[card].tobytes(), names["influence"][card], tuple(names["kind"])))


@lru_cache(maxsize=1024)
def _printed_card(data: bytes, name: str, kinds: tuple[str, ...]) -> dict[str, Any]:
    """The printed data of an influence card; `data` is its packed record. Cached."""
    one = np.frombuffer(data, CARD.dtype)[0]
    return {
        "name": name,
        "kind": kinds[one.kind],
        "season": SEASON_NAMES[one.season],
        "icons": int(one.icons),
        "stakes": read_entry(Sections, one.stakes) if one.is_stake else None,
    }


def _card_views(box: Any, names: Any, cards: Any) -> list[dict[str, Any]]:
    """The cards of a set as the view shows them."""
    return [_card_view(box, names, card) for card in members(cards)]


def _hand_views(box: Any, state: Any, names: Any, seat: int) -> list[dict[str, Any]]:
    """A seat's hand as plain data, sorted by kind of card."""
    cards = members(state.seats[seat].hand)
    return [_card_view(box, names, card) for card in sorted(cards, key=lambda card: (int(box.card[card].kind), card))]


def _claim_slots(state: Any) -> list[int]:
    """The slots that hold claim cards, in the order of the cards' numbers, which is also the order of the actions."""
    slots = [slot for slot in range(int(state.n_seats)) if state.offer[slot] != NOBODY]
    return sorted(slots, key=lambda slot: int(state.offer[slot]))


def _claim_slot_view(box: Any, state: Any, names: Any, slot: int) -> dict[str, Any]:
    """The claim card in a slot with its stakes, as plain data."""
    claim = int(state.offer[slot])
    taker = int(state.taker[slot])
    return {
        "slot": slot,
        "claim": names["claim"][claim],
        **_printed_claim(box, claim),
        "stakes": _card_views(box, names, state.tied[slot]),
        "taker": None if taker == NOBODY else taker,
    }


def _marker_view(box: Any, state: Any, number: int) -> dict[str, Any]:
    """A claim marker as plain data: who holds it and what its space brings."""
    holders = [seat for seat in range(int(state.n_seats)) if state.seats[seat].marker == number]
    return {
        "number": number,
        "holder": holders[0] if holders else None,
        "gain": icon_counts(box.space[state.n_seats, number].icons),
        "first_pass": number == int(state.n_seats),
    }


def interlude_card(box: Any, names: Any, event: int, card: int) -> dict[str, Any]:
    """An interlude card as it is printed; `card` is its number within the event's deck."""
    entry, row = ENTRY_OF_EVENT[event], (box.market, box.battle, box.reaping, box.bitter)[event][card]
    return {"event": EVENT_NAMES[event], "name": names["interlude"][event * CARDS + card], **read_entry(entry, row)}


def _last_interlude(box: Any, state: Any, names: Any) -> dict[str, Any] | None:
    """The interlude card of the season before, shown until the next one is turned up; None before the first."""
    event = (int(state.season) - 1) % SEASONS
    year = int(state.year) - int(state.season == 0)
    if state.card != NOBODY or year < 0:
        return None
    return interlude_card(box, names, event, int(state.interludes[event, year]))


def _deck_view(box: Any, state: Any, names: Any, event: int, seat: int | None) -> dict[str, Any]:
    """The deck of an interlude event as plain data, limited to what `seat` may see."""
    n, left = int(box.n_cards[event]), int(n_upcoming(box, state, event))
    order = [int(card) for card in state.interludes[event][:n]]
    seen = [int(state.seats[one].seen_cards[event]) for one in range(int(state.n_seats))]
    return {
        "event": EVENT_NAMES[event],
        "turned": [interlude_card(box, names, event, card) for card in order[: n - left]],
        "down": [
            {
                "card": interlude_card(box, names, event, order[place])
                if seat is not None and seen[seat] >> place & 1
                else None,
                "seen_by": [one for one in range(int(state.n_seats)) if seen[one] >> place & 1],
            }
            for place in range(n - left, n)
        ],
    }


def _token_views(
    state: Any, owned: Any, field: str, viewer: int | None, face: Any, is_open: bool
) -> list[dict[str, Any]]:
    """Tokens as plain data, as the seat `viewer` sees them, in the order in which they were taken.

    `field` names the seat's field with the tokens it has seen, `face` gives what a token shows, `is_open`: does every seat see the
    faces?
    """
    told = []
    for token in members(owned):
        seen_by = [one for one in range(int(state.n_seats)) if has(getattr(state.seats[one], field), token)]
        known = is_open or viewer in seen_by
        told.append({"token": token, "shows": face(token) if known else None, "seen_by": seen_by})
    return told


def _seat_view(box: Any, state: Any, speaker: Speaker, seat: int, viewer: int | None) -> dict[str, Any]:
    """One seat's part of the view, as `viewer` may see it."""
    me = state.seats[seat]
    names = speaker.names
    over = bool(state.phase == P.over)
    claim = int(me.claim)
    return {
        "seat": seat,
        "name": str(speaker.word("seat", seat)),
        "lead": bool(state.lead == seat),
        **{name: int(n) for name, n in zip(ICON_NAMES[:TRACKS], me.tracks, strict=True)},
        "renown": int(me.renown),
        "hope": int(me.hope),
        "doom": int(me.doom),
        "scouts": int(me.scouts),
        "despair": _token_views(
            state, me.despair, "seen_despair", viewer, lambda token: int(state.despair_face[token]), over
        ),
        "writs": _token_views(
            state, me.writs, "seen_writs", viewer, lambda token: names["writ"][state.writ_face[token]], viewer == seat
        ),
        "cards": int(count(me.hand)),
        "shown": _card_views(box, names, me.shown),
        "spent": _card_views(box, names, me.spent),
        "marker": int(me.marker) or None,
        "claim": None if claim == NOBODY else names["claim"][state.offer[claim]],
        "standing": None if me.standing == NOBODY else int(me.standing),
        "bonus": int(total_bonus(state, seat)),
        "score": int(me.renown) + int(total_bonus(state, seat)) - int(points_lost(box, state, seat)),
    }
