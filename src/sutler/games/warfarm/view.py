"""The view of WARFARM: the table as plain data, limited to what a seat may see (guide 1.9); browser and terminal draw it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from sutler.core.record import NOBODY
from sutler.core.text.language import get_language, join_with_and
from sutler.core.text.sentences import Speaker
from sutler.games.warfarm import state as s
from sutler.games.warfarm.box import (
    CARD,
    DECK_NAMES,
    DECKS,
    DOES_NAMES,
    FARMLAND,
    GOOD_NAMES,
    GOOD_ONE,
    GOOD_WORDS,
    GOODS,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    LAND_FARMER,
    LAND_SOLDIER,
    PLAIN_SPOTS,
    SEATS,
    SPOT_UNIT,
    STEP_NAMES,
    TOKENS,
    TYPE_NAMES,
    VISITING,
    WON_NAMES,
    WORKERS,
)
from sutler.games.warfarm.phases_actions_events import PHASES, P
from sutler.games.warfarm.rules.exploring_and_turn_end import card_count
from sutler.games.warfarm.rules.use import is_unlocked
from sutler.games.warfarm.text import _

# --- For people ---------------------------------------------------------------------------

STEP_WORDS = ("Start", "Draw and produce", "Play", "Build", "Defend", "Attack", "Explore and farm", "End")
BRANCHES = ("resource", "farm", "military", "religion")
SPOT_WORDS = (
    "Farmer in the field",
    "Farmer at the Farmland",
    "Explorer at home",
    "Soldier in reserve",
    "Soldier at the Farmland",
    "Disciple at home",
    "Cannon",
    *("Disciple visiting" for _ in range(SEATS)),
    "Soldier returning",
    *(f"Explorer at {deck}" for deck in DECK_NAMES),
)


def amounts_by_name(values: Any) -> dict[str, int]:
    """The number of each token and unit by name, from an array in their order; zeros are left out."""
    return {name: int(n) for name, n in zip(GOOD_NAMES, values, strict=False) if n}


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data, limited to what a seat may see; `seat` is None for a watcher."""
    names = speaker.names
    return {
        "turn": max(1, int(state.round_no)),
        "max_rounds": int(box.options.max_rounds),
        "phase": STEP_NAMES[state.step],
        "phases": [(name, _(word, "title")) for name, word in zip(STEP_NAMES, STEP_WORDS, strict=True)][
            0 if STEP_NAMES[state.step] == "start" else 1 :
        ],
        "asking": PHASES.words[state.phase],
        "active": int(state.active),
        "first": int(state.first),
        "n_seats": SEATS,
        "seat": seat,
        "to_act": None if state.phase == P.over else int(state.to_act),
        "winner": None if state.winner == NOBODY else int(state.winner),
        "won_by": WON_NAMES[state.won_by],
        "card": None if state.card == NOBODY else names["card"][state.card],
        "weapon": weapon_name(state),
        "surprise": bool(state.is_surprise),
        "doubles": int(state.doubles),
        "left": int(state.left),
        "decks": [_deck_view(box, state, names, deck, seat) for deck in range(DECKS)],
        "seats": [_seat_view(box, state, speaker, one, seat) for one in range(SEATS)],
        "cards": printed_cards(box, names),
    }


def weapon_name(state: Any) -> str:
    """The name of the weapon whose target is being chosen; "" while none is."""
    if state.phase != P.target:
        return ""
    if state.job == s.LIFE_JOB:
        return "Life or Death"
    return ("Soldier", "Cannon", "Mercenaries", "guard")[state.weapon]


def _deck_view(box: Any, state: Any, names: Any, deck: int, seat: int | None) -> dict[str, Any]:
    """One deck as the view shows it: its cards, its discards, and the seats that it is open to."""
    designs, discards = box.deck[deck].designs[: box.deck[deck].n_designs].tolist(), state.discards.tolist()
    open_to = [bool(state.seats[one].is_alive and is_unlocked(box, state, one, deck)) for one in range(SEATS)]
    return printed_deck(box, deck) | {
        "cards": n_cards_in_deck(box, state, deck),
        "discards": {names["card"][card]: discards[card] for card in designs if discards[card]},
        "designs": [names["card"][card] for card in designs],
        "open_to": open_to,
        "open": open_to[state.active if seat is None else seat],
    }


def n_cards_in_deck(box: Any, state: Any, deck: int) -> int:
    """The number of cards left in a deck."""
    return int(state.deck[box.deck[deck].designs[: box.deck[deck].n_designs]].sum())


def printed_deck(box: Any, deck: int) -> dict[str, Any]:
    """A deck as its place on the table shows it: its branch, its level, and the goods that unlock it."""
    needs = tuple(box.deck[deck].needs.tolist())
    return {
        "index": deck,
        "name": DECK_NAMES[deck],
        "branch": BRANCHES[(deck + 2) // 3],
        "level": (deck - 1) % 3 + 1 if deck else 0,
        "needs": amounts_by_name(needs),
        "needs_text": _goods_in_words(needs, get_language()) or _("open to all"),
    }


@lru_cache(maxsize=256)
def _goods_in_words(goods: tuple[int, ...], wanted: str) -> str:
    """An enumeration of goods in words, from the number of each; `wanted`, the reader's language, keeps the cached texts apart."""
    return join_with_and([amount_in_words(good, n) for good, n in enumerate(goods) if n])


def amount_in_words(good: int, n: int) -> str:
    """A number of tokens or units of one kind in words: "1 Farmer"."""
    return f"{n} {_(GOOD_ONE[good], 'good:one') if n == 1 else _(GOOD_WORDS[good], 'good')}"


def _seat_view(box: Any, state: Any, speaker: Speaker, seat: int, viewer: int | None) -> dict[str, Any]:
    """One seat's part of the view; `viewer` is the seat that sees it, None for a watcher."""
    me = state.seats[seat]
    names = speaker.names["card"]
    mine = seat == viewer
    held = [(card, n) for card, n in enumerate(me.hand.tolist()[: len(names)]) if n]
    goods, spots = me.goods.tolist(), me.spots.tolist()
    backs = [0] * DECKS
    for card, n in held:
        backs[box.card[card].deck] += n
    if box.options.hidden_traps:
        for card in me.traps[: int(me.n_traps)]:
            backs[box.card[card].deck] += 1
    return {
        "seat": seat,
        "name": str(speaker.word("seat", seat)),
        "alive": bool(me.is_alive),
        "tokens": {GOOD_NAMES[token]: goods[token] for token in range(TOKENS)},
        "goals": _goal_views(box, me),
        "units": {GOOD_NAMES[unit]: goods[unit] for unit in range(TOKENS, GOODS)},
        "spots": [
            {
                "spot": spot,
                "unit": GOOD_NAMES[SPOT_UNIT[spot]],
                "words": _spot_in_words(speaker, spot),
                "n": spots[spot],
            }
            for spot in range(PLAIN_SPOTS)
            if spots[spot]
        ],
        "table": [_table_card_view(box, me, names, slot) for slot in range(int(me.n_table))],
        "traps": [_trap_view(box, me, names, hole, mine) for hole in range(int(me.n_traps))],
        "shown": [name for name, n in zip(names, me.shown.tolist(), strict=False) for _ in range(n)],
        "n_miracles": int(me.miracles).bit_count(),
        "n_hand": int(me.n_hand),
        "hand": [names[card] for card, n in held for _ in range(n)] if mine else None,
        "backs": [(DECK_NAMES[deck], n) for deck, n in enumerate(backs) if n],
        "farming": int(me.farming),
        "praying": int(me.praying),
        "bound": bool(me.is_bound),
        "peace_with": [other for other in range(SEATS) if int(me.peace) >> other & 1],
        "n_units": int(s.n_units(state, seat)),
        "n_cards": int(card_count(box, state, seat)),
        "defence": list(_attackable_part_views(box, me, names, mine)),
    }


def _goal_views(box: Any, me: Any) -> list[dict[str, Any]]:
    """For each way to win on its own, the number that a seat has and the number that it needs, as plain data."""
    farm, growth = tuple(box.rules.farm_win.tolist()), tuple(box.rules.growth_win.tolist())
    goods = me.goods.tolist()

    def count_progress(wanted: tuple[int, ...]) -> int:
        return sum(map(min, goods, wanted))

    return [
        {
            "name": "farm",
            "n": count_progress(farm),
            "of": sum(farm),
            "rule": "14.1",
            "wants": _goods_in_words(farm, get_language()),
        },
        {
            "name": "growth",
            "n": count_progress(growth),
            "of": sum(growth),
            "rule": "14.3",
            "wants": _goods_in_words(growth, get_language()),
        },
        {
            "name": "miracles",
            "n": int(me.miracles).bit_count(),
            "of": int(box.rules.miracles_win),
            "rule": "14.4",
            "wants": _("{n} different Miracles, played", n=int(box.rules.miracles_win)),
        },
    ]


def _attackable_part_views(box: Any, me: Any, names: Any, mine: bool) -> Iterator[dict[str, Any]]:
    """The parts of a farm that can be attacked, each with its number of guards; `mine`: may the viewer see the seat's Traps?"""
    land = amount_in_words(FARMLAND, int(me.goods[FARMLAND]))
    yield _guard_view("land", land, int(me.spots[LAND_SOLDIER]), int(me.spots[LAND_FARMER]))
    for slot in range(int(me.n_table)):
        soldiers, farmers = int(me.posts[GUARD_SOLDIERS, slot]), int(me.posts[GUARD_FARMERS, slot])
        yield _guard_view(f"card:{slot}", _(names[int(me.table[slot])], "card"), soldiers, farmers)
    for hole in range(int(me.n_traps)):
        card = int(me.traps[hole])
        what = _(names[card], "card") if mine else back_in_words(box, card)
        yield _guard_view(f"trap:{hole}", what[:1].upper() + what[1:], int(me.trap_guards[hole]), 0)


def back_in_words(box: Any, card: int) -> str:
    """The words for a face-down Trap as other seats see it: with its deck (1.9), or without it where Traps are secret (15.9)."""
    if box.options.hidden_traps:
        return _("a face-down Trap")
    return _("a {deck} Trap", deck=_(DECK_NAMES[box.card[card].deck], "deck"))


def _guard_view(at: str, what: str, soldiers: int, farmers: int) -> dict[str, Any]:
    """One attackable part of a farm as plain data, with its number of guards; `at`: the part's key, `what`: its name."""
    return {"at": at, "what": what, "soldiers": soldiers, "farmers": farmers, "open": soldiers + farmers == 0}


def _table_card_view(box: Any, me: Any, names: Any, slot: int) -> dict[str, Any]:
    """A Table card of a seat with the units on it, as plain data; `me` is the seat's record."""
    card = int(me.table[slot])
    return {
        "slot": slot,
        "card": names[card],
        "soldiers": int(me.posts[GUARD_SOLDIERS, slot]),
        "farmers": int(me.posts[GUARD_FARMERS, slot]),
        "workers": int(me.posts[WORKERS, slot]),
        "worker": GOOD_NAMES[box.card[card].worker] if box.card[card].n_workers else "",
        "places": int(box.card[card].n_workers),
    }


def _trap_view(box: Any, me: Any, names: Any, hole: int, mine: bool) -> dict[str, Any]:
    """A Trap of a seat as plain data; `mine`: does the viewer own it? `me` is the seat's record."""
    card = int(me.traps[hole])
    return {
        "hole": hole,
        "deck": DECK_NAMES[box.card[card].deck] if mine or not box.options.hidden_traps else None,
        "card": names[card] if mine else None,
        "soldiers": int(me.trap_guards[hole]),
    }


def printed_cards(box: Any, names: Any) -> dict[str, dict[str, Any]]:
    """Every card as it is printed, by name."""
    told = (tuple(names[key]) for key in ("card", "text", "icon", "rule"))
    return dict(_printed_cards(get_language(), box.card.tobytes(), *told))


@lru_cache(maxsize=16)
def _printed_cards(
    wanted: str, data: bytes, called: tuple[str, ...], *words: tuple[str, ...]
) -> dict[str, dict[str, Any]]:
    """The printed cards by name, in the reader's language (`wanted`); `data` is the packed card records. Cached."""
    told = zip(called, np.frombuffer(data, CARD.dtype), *words, strict=False)
    return {name: _card_view(one, text, icon, rule) for name, one, text, icon, rule in told}


def _card_view(one: Any, text: str, icon: str, rule: str) -> dict[str, Any]:
    """A card as the view shows it, with its sentence in the reader's language; `one`: its record of the box."""
    return {
        "type": TYPE_NAMES[one.type],
        "deck": DECK_NAMES[one.deck],
        "branch": BRANCHES[(int(one.deck) + 2) // 3],
        "level": (int(one.deck) - 1) % 3 + 1 if one.deck else 0,
        "does": DOES_NAMES[one.does],
        "copies": int(one.copies),
        "pay": amounts_by_name(one.pay),
        "gain": amounts_by_name(one.gain),
        "workers": f"{one.n_workers} {_(GOOD_ONE[one.worker], 'good:one')}" if one.n_workers else "",
        "text": _(text, "text"),
        "icon": icon,
        "rule": rule,
    }


def _spot_in_words(speaker: Speaker, spot: int) -> str:
    """The place of a unit in the reader's language; `spot`: a number of SPOT_WORDS, or a visit to a seat."""
    if VISITING <= spot < VISITING + SEATS:
        return _("Disciple visiting {name}", name=speaker.word("seat", spot - VISITING))
    return _(SPOT_WORDS[spot], "place")
