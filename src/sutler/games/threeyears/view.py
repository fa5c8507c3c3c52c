"""What a seat may know of Three Years of War (guide 1.14), for people, bots and learners; and the words of the table.

Hidden are the hands of others, the decks, what is on face-down Despair (its owner does not know it either) and on the
Writs of others. What a seat has seen as a scout stays in its view.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sutler.core.actions import Action
from sutler.core.bits import (
    add,
    assign,
    bit,
    clear,
    count,
    count_both,
    first_from,
    has,
    lowest,
    members,
    merge,
    nth,
    nth_bit,
    popcount,
    remove,
    take_away,
)
from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.speech import Choice, Line, Prompt, Speaker
from sutler.core.text import Fragment, Sentence
from sutler.games.threeyears import state as s
from sutler.games.threeyears.box import (
    ACTIONS,
    BATTLE,
    CARDS,
    CASUALTY,
    DOUBLES,
    EVENT_NAMES,
    FOOD,
    GOLD,
    GREEN,
    HOLDINGS,
    ICON_NAMES,
    ICON_ONE,
    ICONS,
    KINDS,
    LOCUSTS,
    MARKETPLACE,
    PHASE_NAMES,
    REAPING,
    ROWS,
    SEASON_NAMES,
    SEASONS,
    SEATS,
    SIEGE,
    SOLDIERS,
    STAGE_NAMES,
    THIEF,
    TRACKS,
    WRIT_KINDS,
)
from sutler.games.threeyears.rules.icons import n_upcoming
from sutler.games.threeyears.rules.influence import can_play, icons_needed, nth_of_both
from sutler.games.threeyears.scoring import HAND, bonus_for, bonus_of, despair_value, negative_of

# --- Redealing what a seat cannot know (guide 1.14) ---------------------------


@rule
def redeal(box, state, seat, luck):
    """Draw anew, in agreement with all this seat knows: the hands of others, face-down tokens, interlude cards."""
    redeal_hands(box, state, seat, luck)
    redeal_despair(state, seat, luck)
    redeal_writs(state, seat, luck)
    redeal_interludes(box, state, seat, luck)


@rule
def redeal_hands(box, state, seat, luck):
    """The others' hands and the deck are drawn anew from the cards that lie in any of them.

    Who is putting a set together keeps what is in it, and first draws what the set still needs.
    """
    for other in range(state.n_seats):
        if other != seat:
            merge(state.deck, state.seats[other].hand)  # out of the hands when they are drawn anew, below
    picker = NOBODY
    if state.phase == s.PICK and state.to_act != seat:
        picker = int(state.to_act)
        take_away(state.deck, state.picked)
        hand = state.seats[picker].hand
        n = count(hand)
        assign(hand, state.picked)
        draw_for_set(box, state, hand, luck)
        draw_up_to(state, hand, n, luck)
    for other in range(state.n_seats):
        if other != seat and other != picker:
            hand = state.seats[other].hand
            n = count(hand)
            clear(hand)
            draw_up_to(state, hand, n, luck)


@rule
def draw_up_to(state, hand, n, luck):
    """Cards from the deck until there are n in the hand."""
    for _ in range(n - count(hand)):
        card = nth(state.deck, below(luck, count(state.deck)))
        remove(state.deck, card)
        add(hand, card)


@rule
def draw_for_set(box, state, hand, luck):
    """What a set under way still needs: doubles and singles of its season, of kinds that may still be chosen."""
    start = int(box.first_kind[state.suit])
    stop = int(box.first_kind[state.suit + 1])
    for pips in range(2, 0, -1):
        wanted = int(state.twos)
        first = int(state.kind)
        if pips == 1:
            wanted = int(state.ones)
            if state.twos > 0:
                first = start
        for _ in range(wanted):
            n = 0
            for kind in range(first, stop):
                if box.kind[kind].pips == pips:
                    n += count_both(state.deck, box.kind[kind].cards)
            k = below(luck, n)
            for kind in range(first, stop):
                if box.kind[kind].pips == pips:
                    n = count_both(state.deck, box.kind[kind].cards)
                    if 0 <= k < n:
                        card = nth_of_both(state.deck, box.kind[kind].cards, k)
                        remove(state.deck, card)
                        add(hand, card)
                    k -= n


@rule
def redeal_despair(state, seat, luck):
    """What is on the tokens that the seat has not seen, in the pile or before anybody, is dealt anew."""
    hidden = state.despairs[0]
    for other in range(state.n_seats):
        hidden |= state.seats[other].despair[0]
    redeal_faces(state.despair_face, hidden & ~state.seats[seat].seen_despair[0], luck)


@rule
def redeal_writs(state, seat, luck):
    """The same for Writs in the pile and before others; a seat knows its own."""
    hidden = state.writs[0]
    for other in range(state.n_seats):
        if other != seat:
            hidden |= state.seats[other].writs[0]
    redeal_faces(state.writ_face, hidden & ~state.seats[seat].seen_writs[0], luck)


@rule
def redeal_faces(faces, hidden, luck):
    """Shuffle what is at the places in `hidden`. Sorted first, so that the outcome tells nothing of how it was before."""
    sort_faces(faces, hidden)
    while hidden != 0:
        a = lowest(hidden)
        b = nth_bit(hidden, below(luck, popcount(hidden)))
        hidden &= ~bit(a)
        swap_faces(faces, a, b)


@rule
def sort_faces(faces, hidden):
    """The faces at these places in ascending order: each face in turn comes to the front of what is left."""
    face = 0
    while hidden != 0:
        left = hidden
        while left != 0:
            place = lowest(left)
            left &= ~bit(place)
            if faces[place] == face:
                front = lowest(hidden)
                hidden &= ~bit(front)
                swap_faces(faces, front, place)
        face += 1


@rule
def swap_faces(faces, a, b):
    """Two places change what is there."""
    held = faces[a]
    faces[a] = faces[b]
    faces[b] = held


@rule
def redeal_interludes(box, state, seat, luck):
    """Cards face down that the seat has not seen change places within their deck."""
    for event in range(SEASONS):
        n = int(box.n_cards[event])
        hidden = np.uint64(0)
        for place in range(n - n_upcoming(box, state, event), n):
            if not int(state.seats[seat].seen_cards[event]) >> place & 1:
                hidden |= bit(place)
        redeal_faces(state.interludes[event], hidden, luck)


# --- For learners -----------------------------------------------------------------

TABLE_FEATURES = 16 + s.OVER + 1 + SEASONS * CARDS
SLOT_FEATURES = ICONS + 2
SEAT_FEATURES = TRACKS + 12
HAND_FEATURES = SEASONS * 2 + KINDS + WRIT_KINDS
N_OBSERVED = TABLE_FEATURES + SEATS * SLOT_FEATURES + SEATS * SEAT_FEATURES + HAND_FEATURES
"""How many numbers `observe` writes: table, claim cards, seats from one's own on, one's own hand and Writs."""


@rule
def observe(box, state, seat, out):
    """What the seat may know as numbers; seats in order from its own. `out` is zeros, float32, N_OBSERVED long."""
    out[0] = state.year
    out[1] = state.season
    out[2] = state.stage
    out[3] = state.total
    out[4] = from_me(state, seat, state.lead)
    out[5] = from_me(state, seat, state.to_act)
    out[6] = from_me(state, seat, state.bidder)
    out[7] = state.n_seats
    out[8] = count(state.deck)
    out[9] = count(state.discards)
    out[10] = count(state.despairs)
    out[11] = count(state.writs)
    out[12] = state.hopes
    out[13] = state.scouts
    out[14] = state.card
    out[15] = count(state.loose)
    at = 16
    out[at + state.phase] = 1
    at += s.OVER + 1
    for event in range(SEASONS):
        for place in range(CARDS):
            if int(state.seats[seat].seen_cards[event]) >> place & 1:
                out[at + place] = 1 + state.interludes[event, place]
        at += CARDS
    for slot in range(state.n_seats):
        if state.offer[slot] != NOBODY:
            for icon in range(ICONS):
                out[at + icon] = slot_icons(box, state, slot, icon)
            out[at + ICONS] = 1
            if state.taker[slot] != NOBODY:
                out[at + ICONS + 1] = 1 + from_me(state, seat, state.taker[slot])
        at += SLOT_FEATURES
    at = TABLE_FEATURES + SEATS * SLOT_FEATURES
    for k in range(state.n_seats):
        observe_seat(box, state, seat, (seat + k) % state.n_seats, out, at)
        at += SEAT_FEATURES
    at = TABLE_FEATURES + SEATS * SLOT_FEATURES + SEATS * SEAT_FEATURES
    me = state.seats[seat]
    for season in range(SEASONS):
        out[at + season * 2] = count_both(me.hand, box.of_shape[season, 0])
        out[at + season * 2 + 1] = count_both(me.hand, box.of_shape[season, 1])
    at += SEASONS * 2
    for kind in range(box.n_kinds):
        out[at + kind] = count_both(me.hand, box.kind[kind].cards)
    at += KINDS
    token = first_from(me.writs, 0)
    while token >= 0:
        out[at + int(state.writ_face[token])] += 1
        token = first_from(me.writs, token + 1)


@rule
def from_me(state, seat, other):
    """How far to the left another seat sits."""
    return (other - seat + state.n_seats) % state.n_seats


@rule
def slot_icons(box, state, slot, icon):
    """7.3: how often an icon stands on a claim card and the stakes on it."""
    n = int(box.claim[state.offer[slot]].icons[icon])
    card = first_from(state.tied[slot], 0)
    while card >= 0:
        n += box.card[card].icons[icon]
        card = first_from(state.tied[slot], card + 1)
    return n


@rule
def observe_seat(box, state, seat, other, out, at):
    """A seat as another sees it."""
    them = state.seats[other]
    for track in range(TRACKS):
        out[at + track] = them.tracks[track]
    at += TRACKS
    out[at] = them.renown
    out[at + 1] = them.hope
    out[at + 2] = them.doom
    out[at + 3] = them.scouts
    out[at + 4] = count(them.despair)
    out[at + 5] = count(them.writs)
    out[at + 6] = count(them.hand)
    out[at + 7] = them.marker
    out[at + 8] = 1 + them.claim
    out[at + 9] = count(them.shown) + count(them.spent)
    token = first_from(them.despair, 0)
    while token >= 0:
        if has(state.seats[seat].seen_despair, token):
            out[at + 10] += state.despair_face[token]
            out[at + 11] += 1
        token = first_from(them.despair, token + 1)


# --- For people -----------------------------------------------------------------


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data, as this seat (None: a watcher) may know it."""
    names = speaker.names
    season, event = int(state.season), int(state.season)
    return {
        "year": int(state.year) + 1,
        "phases": [(name, name.capitalize()) for name in STAGE_NAMES],
        "phase": STAGE_NAMES[state.stage],
        "years": int(box.options.years),
        "season": SEASON_NAMES[season],
        "seasons": list(SEASON_NAMES),
        "stage": STAGE_NAMES[state.stage],
        "step": PHASE_NAMES[state.phase],
        "lead": int(state.lead),
        "total": int(state.total),
        "n_seats": int(state.n_seats),
        "seat": seat,
        "to_act": None if state.phase == s.OVER else int(state.to_act),
        "track_max": int(box.rules.track_max),
        "hand_limit": int(box.rules.hand_limit),
        "reconstructed": list(names["reconstructed"]),
        "despair_costs": _despair_costs(box),
        "supplies": {
            "influence": int(count(state.deck)),
            "discards": int(count(state.discards)),
            "despair": int(count(state.despairs)),
            "writs": int(count(state.writs)),
            "hope": int(state.hopes),
            "scouts": int(state.scouts),
        },
        "discards": _cards(box, names, state.discards),
        "claims": [_slot(box, state, names, slot) for slot in _slots(state)],
        "loose": _cards(box, names, state.loose),
        "markers": [_marker(box, state, number) for number in range(1, int(state.n_seats) + 1)],
        "event": EVENT_NAMES[event],
        "interlude": None if state.card == NOBODY else _interlude(box, names, event, int(state.card)),
        "resolved": _resolved(box, state, names),
        "upcoming": [_deck(box, state, names, one, seat) for one in range(SEASONS)],
        "due": {name: int(state.due[i]) for i, name in enumerate(ICON_NAMES) if state.due[i]},
        "actor": None if state.actor == NOBODY else int(state.actor),
        "looks": int(state.looks),
        "bought": [row for row in range(ROWS) if state.phase == s.MARKET and int(state.used) >> row & 1],
        "seats": [_seat(box, state, speaker, one, seat) for one in range(int(state.n_seats))],
        "hand": [] if seat is None else _hand(box, state, names, seat),
        "picked": _cards(box, names, state.picked) if state.to_act == seat else [],
        "cards": _all_cards(box, names),
    }


def _despair_costs(box: Any) -> list[int]:
    """1.7: the least and the most that a Despair token of this box costs."""
    values = [int(box.despair_value[token]) for token in members(box.despairs)]
    return [min(values, default=0), max(values, default=0)]


PRINTED: dict[tuple[bytes, tuple[str, ...]], dict[str, dict[str, Any]]] = {}
"""The printed cards of each box, made once."""


def _all_cards(box: Any, names: Any) -> dict[str, dict[str, Any]]:
    """The printed cards by name, for explanations."""
    key = box.tobytes(), (*names["claim"], *names["influence"])
    if key not in PRINTED:
        claims = {
            name: {"season": SEASON_NAMES[box.claim[i].season], **sections(box.claim[i].icons)}
            for i, name in enumerate(names["claim"])
        }
        cards = {name: _card(box, names, card) for card, name in reversed(list(enumerate(names["influence"])))}
        PRINTED[key] = {"claim": claims, "influence": cards}
    return PRINTED[key]


def icon_counts(icons: Any) -> dict[str, int]:
    """Icons by name."""
    return {name: int(n) for name, n in zip(ICON_NAMES, icons, strict=True) if n}


def sections(icons: Any) -> dict[str, dict[str, int]]:
    """Icons by section of the card."""
    counted = icon_counts(icons)
    place = {name: "green" if i < GREEN else "grey" if i == LOCUSTS else "red" for i, name in enumerate(ICON_NAMES)}
    return {part: {k: n for k, n in counted.items() if place[k] == part} for part in ("green", "grey", "red")}


def _card(box: Any, names: Any, card: int) -> dict[str, Any]:
    one = box.card[card]
    return {
        "name": names["influence"][card],
        "kind": names["kind"][one.kind],
        "season": SEASON_NAMES[one.season],
        "icons": int(one.pips),
        "stakes": sections(one.icons) if one.is_stake else None,
    }


def _cards(box: Any, names: Any, cards: Any) -> list[dict[str, Any]]:
    return [_card(box, names, card) for card in members(cards)]


def _hand(box: Any, state: Any, names: Any, seat: int) -> list[dict[str, Any]]:
    cards = members(state.seats[seat].hand)
    return [_card(box, names, card) for card in sorted(cards, key=lambda card: (int(box.card[card].kind), card))]


def _slots(state: Any) -> list[int]:
    """Where claim cards lie, in the order of the cards, as the choices stand too."""
    slots = [slot for slot in range(int(state.n_seats)) if state.offer[slot] != NOBODY]
    return sorted(slots, key=lambda slot: int(state.offer[slot]))


def _slot(box: Any, state: Any, names: Any, slot: int) -> dict[str, Any]:
    claim = int(state.offer[slot])
    taker = int(state.taker[slot])
    return {
        "slot": slot,
        "claim": names["claim"][claim],
        "season": SEASON_NAMES[box.claim[claim].season],
        **sections(box.claim[claim].icons),
        "stakes": _cards(box, names, state.tied[slot]),
        "taker": None if taker == NOBODY else taker,
    }


def _marker(box: Any, state: Any, number: int) -> dict[str, Any]:
    holders = [seat for seat in range(int(state.n_seats)) if state.seats[seat].marker == number]
    return {
        "number": number,
        "holder": holders[0] if holders else None,
        "gain": icon_counts(box.space_gain[state.n_seats, number]),
        "first_pass": number == int(state.n_seats),
    }


def _interlude(box: Any, names: Any, event: int, card: int) -> dict[str, Any]:
    told: dict[str, Any] = {"event": EVENT_NAMES[event], "name": names["interlude"][event * CARDS + card]}
    if event == MARKETPLACE:
        one = box.market[card]
        told["rows"] = [{"price": int(one.price[r]), "gain": icon_counts(one.gain[r])} for r in range(ROWS)]
    elif event == BATTLE:
        one = box.battle[card]
        told["compare"] = ICON_NAMES[one.compare]
        results = (icon_counts(result) for result in one.result)
        told |= dict(zip(("first", "second", "last"), results, strict=True))
    elif event == REAPING:
        one = box.reaping[card]
        told["compare"], told["pay_food"] = ICON_NAMES[one.compare], int(one.pay)
        told["offers"] = [icon_counts(one.offer[k]) for k in range(one.n_offers)]
    else:
        one = box.bitter[card]
        told["compare"] = ICON_NAMES[one.compare]
        results = (icon_counts(result) for result in one.result)
        told |= dict(zip(("more", "equal", "fewer"), results, strict=True))
    return told


def _resolved(box: Any, state: Any, names: Any) -> dict[str, Any] | None:
    """The interlude before this season, while the next has not come; None before the first."""
    event = (int(state.season) - 1) % SEASONS
    year = int(state.year) - int(state.season == 0)
    if state.card != NOBODY or year < 0:
        return None
    return _interlude(box, names, event, int(state.interludes[event, year]))


def _deck(box: Any, state: Any, names: Any, event: int, seat: int | None) -> dict[str, Any]:
    n, left = int(box.n_cards[event]), int(n_upcoming(box, state, event))
    order = [int(card) for card in state.interludes[event][:n]]
    seen = [int(state.seats[one].seen_cards[event]) for one in range(int(state.n_seats))]
    return {
        "event": EVENT_NAMES[event],
        "turned": [_interlude(box, names, event, card) for card in order[: n - left]],
        "down": [
            {
                "card": _interlude(box, names, event, order[place])
                if seat is not None and seen[seat] >> place & 1
                else None,
                "seen_by": [one for one in range(int(state.n_seats)) if seen[one] >> place & 1],
            }
            for place in range(n - left, n)
        ],
    }


def _tokens(state: Any, owned: Any, field: str, viewer: int | None, face: Any, is_open: bool) -> list[dict[str, Any]]:
    """Tokens as a seat sees them, in the order they were taken."""
    told = []
    for token in members(owned):
        seen_by = [one for one in range(int(state.n_seats)) if has(getattr(state.seats[one], field), token)]
        known = is_open or viewer in seen_by
        told.append({"token": token, "shows": face(token) if known else None, "seen_by": seen_by})
    return told


def _seat(box: Any, state: Any, speaker: Speaker, seat: int, viewer: int | None) -> dict[str, Any]:
    me = state.seats[seat]
    names = speaker.names
    over = bool(state.phase == s.OVER)
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
        "despair": _tokens(
            state, me.despair, "seen_despair", viewer, lambda token: int(state.despair_face[token]), over
        ),
        "writs": _tokens(
            state, me.writs, "seen_writs", viewer, lambda token: names["writ"][state.writ_face[token]], viewer == seat
        ),
        "cards": int(count(me.hand)),
        "shown": _cards(box, names, me.shown),
        "spent": _cards(box, names, me.spent),
        "marker": int(me.marker) or None,
        "claim": None if claim == NOBODY else names["claim"][state.offer[claim]],
        "standing": None if me.standing == NOBODY else int(me.standing),
        "bonus": int(bonus_of(state, seat)),
        "score": int(me.renown) + int(bonus_of(state, seat)) - int(negative_of(box, state, seat)),
    }


# --- Prompts ------------------------------------------------------------------

PROMPTS = {
    s.BID: ("{seat}, exert influence or pass.", "", "5.2"),
    s.PICK: ("{seat}, which card goes into the set?", "Still to choose: {n}.", "5.8"),
    s.STAKE: ("{seat}, choose a seasonal stake to assign.", "You are lead player.", "6.2"),
    s.STAKE_ON: ("{seat}, which claim gets {kind}?", "Its symbols will count as printed on the card.", "6.3"),
    s.DRAFT: ("{seat}, take a claim card.", "With claim marker {n}.", "7.1"),
    s.ORDER: ("{seat}, which symbol comes first?", "The order within a section is yours.", "7.5"),
    s.TARGET: ("{seat}, whom does {icon} hit?", "{text}", "8.4"),
    s.LOCUST: ("{seat}, where do the locusts settle?", "You lose 2 of it, everybody else 1.", "8.10"),
    s.LOOK: ("{seat}, look at something hidden.", "Looks left: {n}.", "8.8"),
    s.WINDOW: ("{seat}, reveal a Writ?", "{text}", "8.7"),
    s.LAST_CHANCE: ("{seat}, reveal a Writ before you lose {n} {resource}?", "You have none. {text}", "8.7"),
    s.MARKET: ("{seat}, buy at the Marketplace?", "Each merchant once; {n} gold in hand.", "9.2"),
    s.REAP: ("{seat}, exchange food?", "You have {n} food, more than {icon}.", "9.6"),
    s.LIMIT: ("{seat}, discard down to {n} cards.", "One card at a time.", "9.8"),
}


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The question of the present decision, in one sentence."""
    if state.phase == s.OVER:
        return Prompt(("The game is over.",), (), "10.6")
    text, help_text, number = PROMPTS[int(state.phase)]
    parts: dict[str, int | str] = {"seat": int(state.to_act), "season": int(state.season), "icon": int(state.icon)}
    parts |= {"n": _number(box, state), "kind": int(state.kind), "text": _window_words(box, state)}
    if state.phase == s.BID:
        help_text = _bid_words(box, state, seat)
        parts["n2"] = int(state.total) + 1
    if state.phase == s.REAP:
        parts["icon"] = int(box.reaping[state.card].compare)
    if state.phase == s.LAST_CHANCE:
        text, help_text = _last_words(state)
        parts |= _at_stake(box, state)
    left: Sentence = ()
    if state.phase == s.BID:
        left = speaker.say("influence is {n}", n=int(state.total))
    elif state.phase in (s.STAKE, s.STAKE_ON):
        left = speaker.say("{n} to assign", n=int(count(state.loose)))
    return Prompt(speaker.say(text, **parts), speaker.say(help_text, **parts), number, left)


HUNGER = ("{seat}, reveal a Writ before you go hungry?", "You have {n} food against {n2} {resource}. {text}")


def _last_words(state: Any) -> tuple[str, str]:
    """8.7: the question names the resource, also where it is food against another."""
    return HUNGER if _track_short(state) == NOBODY else PROMPTS[s.LAST_CHANCE][:2]


def _at_stake(box: Any, state: Any) -> dict[str, int | str]:
    """8.7, 8.13, 9.5: what is to be lost, and what it will cost."""
    seat = int(state.to_act)
    track = _track_short(state)
    if track == NOBODY:
        compare, levels = int(box.reaping[state.card].compare), state.seats[seat].tracks
        cost = despair_words(state, 1)
        return {"n": int(levels[FOOD]), "n2": int(levels[compare]), "resource": compare, "text": f"Otherwise: {cost}."}
    n = int(state.owed[seat, track])
    return {"n": n, "resource": track, "text": f"Otherwise: {despair_words(state, n)}."}


def _track_short(state: Any) -> int:
    return int(s.track_short(state, state.to_act))


def despair_words(state: Any, n: int) -> str:
    """8.12: so many Despair tokens, or Doom where the supply ends."""
    despair = min(n, int(count(state.despairs)))
    told = [f"{k} {word}" for k, word in ((despair, "Despair"), (n - despair, "Doom")) if k]
    return " and ".join(told) or "no Despair"


def _after_reveal(box: Any, state: Any, kind: int) -> str:
    """8.7: what a Writ revealed at the last moment would leave of the loss."""
    seat = int(state.to_act)
    gain, most = box.writ_gain[kind], int(box.rules.track_max)
    levels = [min(most, int(n) + int(gain[i])) for i, n in enumerate(state.seats[seat].tracks)]
    track = _track_short(state)
    if track == NOBODY:
        compare = int(box.reaping[state.card].compare)
        return f"then {despair_words(state, 1) if levels[FOOD] < levels[compare] else 'no Despair'}"
    return f"then {despair_words(state, max(0, int(state.owed[seat, track]) - levels[track]))}"


def _bid_words(box: Any, state: Any, seat: int | None) -> str:
    """What it takes; whether the hand has it is for its owner's eyes."""
    if seat is not None and seat == state.to_act and not _has_set(box, state, seat):
        return "No set in your hand reaches the influence total."
    if state.total == 0:
        return "Influence starts at zero: any one card opens."
    return "Match {n} with {season}, or raise to {n2:n} with another season."


def _has_set(box: Any, state: Any, seat: int) -> bool:
    return any(can_play(box, state, seat, season, n) for season in range(SEASONS) for n in range(DOUBLES))


def _window_words(box: Any, state: Any) -> str:
    if state.phase == s.TARGET:
        return "Anybody, yourself included." if box.options.own_targets else "Any opponent."
    if state.stage == s.CLAIMING:
        return "Your claim card is resolved next."
    return "The interlude card is resolved next."


def _number(box: Any, state: Any) -> int:
    me = state.seats[state.to_act]
    numbers = {
        s.BID: max(1, int(state.total)),
        s.PICK: int(state.twos + state.ones),
        s.DRAFT: int(me.marker),
        s.LOOK: int(state.looks),
        s.MARKET: int(me.tracks[0]),
        s.REAP: int(me.tracks[2]),
        s.LIMIT: int(box.rules.hand_limit),
    }
    return numbers.get(int(state.phase), 0)


# --- Choices ------------------------------------------------------------------

LABELS = {
    "give_up": "Pass",
    "play": "{season} {set}",
    "pick": "{kind}",
    "stake": "{kind}",
    "on": "{claim}",
    "draft": "{claim}",
    "resolve": "{icon}",
    "target": "{seat}",
    "blight": "Locusts on {resource}",
    "look_event": "The next card of {event}",
    "look_despair": "{despair} of {seat}",
    "look_writ": "{token} of {seat}",
    "reveal": "Reveal {writ}",
    "keep": "Keep your Writs",
    "buy": "{gain}",
    "exchange": "{gain}",
    "discard": "Discard {kind}",
    "done": "Done",
}

SPOTS = {
    "pick": "card:{}",
    "stake": "stake:{}",
    "on": "claim:{}",
    "draft": "claim:{}",
    "resolve": "due:{}",
    "target": "seat:{}",
    "blight": "track:{}",
    "look_event": "event:{}",
    "look_despair": "despair:{}",
    "look_writ": "token:{}",
    "reveal": "writ:{}",
    "buy": "row:{}",
    "exchange": "offer:{}",
    "discard": "card:{}",
}


AIMED_AT = {CASUALTY: SOLDIERS, SIEGE: HOLDINGS, THIEF: GOLD}
"""The track that a target loses from."""


def set_words(state: Any, season: int, doubles: int) -> str:
    """A set by the icons on its cards: "2+2+1"."""
    singles = max(0, int(icons_needed(state, season)) - 2 * doubles)
    return "+".join(["2"] * doubles + ["1"] * singles)


def icon_words(icons: Any) -> str:
    """Icons in a few words: "2 gold, 1 Despair"."""
    told = []
    for i, n in enumerate(icons):
        if n:
            told.append(f"{n} {ICON_ONE[i] if n == 1 else ICON_NAMES[i]}")
    return ", ".join(told) or "nothing"


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """How the table shows one action: its words, what it would do, and the spot it aims at."""
    block = ACTIONS.blocks[action.block]
    parts: dict[str, int | str] = dict(zip(block.kinds, action.args, strict=True))
    at = None
    if action.block == "play":
        season, doubles = action.args
        parts["set"] = set_words(state, season, doubles) or "set"
        at = f"set:{SEASON_NAMES[season]}-{doubles}"
    elif action.block in ("look_despair", "look_writ"):
        owner = _owner(state, action)
        parts["seat"] = "nobody" if owner == NOBODY else owner
    elif action.block in ("buy", "exchange"):
        parts["gain"] = _gain_words(box, state, action)
    if action.block in SPOTS:
        kind = block.kinds[0]
        named = kind not in ("seat", "row", "offer", "despair", "token")
        at = SPOTS[action.block].format(str(speaker.word(kind, action.args[0])) if named else action.args[0])
    label = speaker.say(LABELS[action.block], **parts)
    return Choice(
        action.id, action.name, label, tuple(_effect(box, state, speaker, action)), at, block.rule, block.tone
    )


def _owner(state: Any, action: Action) -> int:
    """Before whom the token lies that this look is at; NOBODY when before none."""
    find = s.owner_of_despair if action.block == "look_despair" else s.owner_of_writ
    return int(find(state, action.args[0]))


def _gain_words(box: Any, state: Any, action: Action) -> str:
    k = action.args[0]
    if state.card == NOBODY:
        return f"row {k + 1}" if action.block == "buy" else f"offer {k + 1}"
    gain = box.market[state.card].gain[k] if action.block == "buy" else box.reaping[state.card].offer[k]
    words = icon_words(gain)
    return words[0].upper() + words[1:]


def _effect(box: Any, state: Any, speaker: Speaker, action: Action) -> Iterator[Fragment]:
    """What an action would bring, in a few words."""
    if action.block == "give_up":
        marker = int(state.n_seats - s.n_passed(state))
        yield f"claim marker {marker}"
        gain = box.space_gain[state.n_seats, marker]
        if gain.any():
            yield f", {icon_words(gain)}"
        if marker == state.n_seats:
            yield ", lead player, and a Despair"
    elif action.block == "play":
        season, doubles = action.args
        if can_play(box, state, int(state.to_act), season, doubles):
            singles = max(0, int(icons_needed(state, season)) - 2 * doubles)
            total = 2 * doubles + singles
            yield f"matches {total}" if total == state.total else f"raises to {total}"
    elif action.block in ("draft", "on") and (slot := _slot_of(state, action.args[0])) != NOBODY:
        icons = [int(slot_icons(box, state, slot, icon)) for icon in range(ICONS)]
        yield icon_words(icons)
    elif action.block in ("stake", "discard", "pick") and action.args[0] < box.n_kinds:
        icons = _kind_icons(box, action.args[0])
        if any(icons):
            yield f"as a stake: {icon_words(icons)}"
    elif action.block == "target" and int(state.icon) in AIMED_AT:
        track = AIMED_AT[int(state.icon)]
        n = int(state.seats[action.args[0]].tracks[track])
        yield f"has {n} {ICON_ONE[track] if n == 1 else ICON_NAMES[track]}" if n else "has none: a Despair"
    elif action.block == "blight":
        yield f"you have {int(state.seats[state.to_act].tracks[action.args[0]])}"
    elif action.block == "reveal" and action.args[0] < box.n_writ_kinds:
        yield f"+ {icon_words(box.writ_gain[action.args[0]])}"
        if state.phase == s.LAST_CHANCE:
            yield f", {_after_reveal(box, state, action.args[0])}"
    elif action.block == "keep" and state.phase == s.LAST_CHANCE:
        track = _track_short(state)
        yield despair_words(state, 1 if track == NOBODY else int(state.owed[state.to_act, track]))
    elif action.block in ("look_despair", "look_writ"):
        yield from _seers(state, speaker, action)
    elif action.block == "buy" and state.card != NOBODY:
        yield f"for {box.market[state.card].price[action.args[0]]} gold"
    elif action.block == "exchange" and state.card != NOBODY:
        yield f"for {box.reaping[state.card].pay} food"


def _seers(state: Any, speaker: Speaker, action: Action) -> Iterator[Fragment]:
    """8.8: who has seen the token: that is what tells it from others of its owner."""
    field = "seen_despair" if action.block == "look_despair" else "seen_writs"
    seers = [one for one in range(int(state.n_seats)) if has(getattr(state.seats[one], field), action.args[0])]
    for i, one in enumerate(seers):
        yield ", " if i else "seen by "
        yield speaker.word("seat", one)


def _slot_of(state: Any, claim: int) -> int:
    slots = [slot for slot in range(int(state.n_seats)) if state.offer[slot] == claim]
    return slots[0] if slots else NOBODY


def _kind_icons(box: Any, kind: int) -> list[int]:
    cards = members(box.kind[kind].cards)
    return [int(n) for n in box.card[cards[0]].icons] if cards else []


# --- Scores -------------------------------------------------------------------


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """10.5: renown, the bonus of each category, Despair once it is turned up, Doom."""
    me = state.seats[seat]
    lines = [Line(("Renown",), int(me.renown), "8.5")]
    for category in range(HAND + 1):
        label = ("Cards in hand",) if category == HAND else ("Most ", speaker.word("resource", category))
        lines.append(Line(label, int(bonus_for(state, seat, category)), "10.4"))
    if state.phase == s.OVER:
        lines.append(Line(("Despair",), -int(despair_value(box, state, seat)), "10.3"))
    if me.doom:
        lines.append(Line(("Doom",), -int(me.doom) * int(box.rules.doom_value), "10.5"))
    return lines
