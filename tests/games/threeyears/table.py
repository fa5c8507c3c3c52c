"""Helpers for the tests of Three Years of War: positions laid out by hand, in the words of the rules.

A card is written "sp1" (a plain Spring single), "wi2" (a plain Winter double), or by its name.
"""

from __future__ import annotations

from typing import Any

import sutler
from sutler.core.bits import add, clear, count, members, merge, remove
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.play.position import Position
from sutler.core.record import NOBODY
from sutler.games.threeyears.box import CARDS, EVENT_NAMES, ICON_NAMES, SEASON_KEYS, TRACKS, S
from sutler.games.threeyears.phases_actions_events import P
from sutler.games.threeyears.rules import turn as rules

GAME = sutler.load("threeyears")
NAMES = GAME.names


def names_of(game: Any, what: str) -> list[str]:
    return list(game.names[what])


def card_like(game: Any, state: Any, word: str) -> int:
    """An influence card of the deck that fits the word."""
    for card in members(state.deck):
        one = game.box.card[card]
        plain = f"{SEASON_KEYS[one.season][:2]}{one.icons}"
        if names_of(game, "influence")[card] == word or (word == plain and not one.is_stake):
            return card
    raise LookupError(f"no card {word!r} in the deck")


def take(game: Any, state: Any, target: Any, words: str) -> None:
    """Move cards, separated by commas, from the deck to a hand or a place on the table."""
    for word in filter(None, (word.strip() for word in words.split(","))):
        card = card_like(game, state, word)
        remove(state.deck, card)
        add(target, card)


def blank(seats: int = 3, lead: int = 0, season: str = "spring", year: int = 1, game: Any = GAME, **tracks: Any) -> Any:
    """A table in mid-season: empty hands, all decks full; `gold=[5, 0, 3]` sets tracks seat by seat."""
    state = game.blank(seats, 1)
    game.definition.setup(game.box, state)
    for seat in range(seats):
        merge(state.deck, state.seats[seat].hand)
        clear(state.seats[seat].hand)
    state.lead = state.bidder = lead
    state.season = SEASON_KEYS.index(season)
    state.year = year - 1
    for name, values in tracks.items():
        for seat, value in enumerate(values):
            if name in ICON_NAMES[:TRACKS]:
                state.seats[seat].tracks[ICON_NAMES.index(name)] = value
            else:
                setattr(state.seats[seat], name, value)
    return state


def offer(state: Any, *claims: str, game: Any = GAME) -> None:
    """Turn up these claim cards."""
    for slot in range(int(state.n_seats)):
        claim = names_of(game, "claim").index(claims[slot]) if slot < len(claims) else members(state.claims)[slot]
        remove(state.claims, claim)
        state.offer[slot] = claim


def go(state: Any, game: Any = GAME) -> Position:
    """Let the rules run to the next decision."""
    state.phase = P.moving
    rules.proceed(game.box, state, new_event_buffer(False))
    return game.from_bytes(state.tobytes())


def told(state: Any, game: Any = GAME) -> list[str]:
    """What kinds of events the table is told while the rules run to the next decision."""
    state.phase, buffer = P.moving, new_event_buffer()
    rules.proceed(game.box, state, buffer)
    return [one.kind for one in drain_events(game.definition.events, buffer)]


def bidding(hands: list[str], total: int = 0, season: str = "spring", game: Any = GAME, **more: Any) -> Position:
    """Seat 0 is to bid, with these hands ("sp1, su2") seat by seat."""
    state = blank(len(hands), season=season, game=game, **more)
    for seat, words in enumerate(hands):
        take(game, state, state.seats[seat].hand, words)
    offer(state, game=game)
    state.stage, state.total, state.bidder = S.influence, total, 0
    return go(state, game)


def drafting(state: Any, game: Any = GAME) -> Any:
    """Markers go to seats 0, 1, 2 in order, and the draft is about to begin."""
    for seat in range(int(state.n_seats)):
        state.seats[seat].marker = seat + 1
    if state.offer[0] == NOBODY:
        offer(state, game=game)
    state.stage, state.kth, state.step = S.draft, 0, 0
    return state


def resolving(state: Any, seat: int = 0, game: Any = GAME, **icons: int) -> Position:
    """A seat resolves these icons; afterwards the draft is asked for, which ends what the test looks at."""
    drafting(state, game)
    for name, n in icons.items():
        state.due[ICON_NAMES.index(name)] = n
    state.actor = seat
    return go(state, game)


def interlude(state: Any, card: str, game: Any = GAME) -> Position:
    """The card is turned up and resolved as far as no decision is needed."""
    number = names_of(game, "interlude").index(card)
    event, wanted = divmod(number, CARDS)
    state.season = event
    deck = state.interludes[event]
    place = list(deck).index(wanted)
    deck[place], deck[state.year] = deck[state.year], wanted
    state.stage, state.kth, state.step = S.interlude, 0, 0
    assert EVENT_NAMES[event]
    return go(state, game)


def give_writ(state: Any, seat: int, name: str, game: Any = GAME) -> None:
    """The seat owns this Writ."""
    kind = names_of(game, "writ").index(name)
    token = next(token for token in members(state.writs) if state.writ_face[token] == kind)
    remove(state.writs, token)
    add(state.seats[seat].writs, token)


def give_despair(state: Any, seat: int, *values: int, game: Any = GAME) -> None:
    """The seat owns Despair tokens of these values."""
    for value in values:
        token = next(token for token in members(state.despairs) if state.despair_face[token] == value)
        remove(state.despairs, token)
        add(state.seats[seat].despair, token)


def offered(pos: Position) -> set[str]:
    """The names of the legal actions."""
    return {action.name for action in pos.actions()}


def plays(pos: Position) -> set[str]:
    """The sets on offer, as "spring 2+1"."""
    sets = set()
    for action in pos.actions():
        if action.block == "play":
            label = "".join(str(part) for part in pos.choice(action.id).label)
            sets.add(label.lower())
    return sets


def tracks(pos: Position, seat: int) -> list[int]:
    """Gold, Soldiers, Food, Holdings."""
    return [int(n) for n in pos.state.seats[seat].tracks]


def despair(pos: Position, seat: int) -> int:
    """How many Despair tokens a seat has."""
    return int(count(pos.state.seats[seat].despair))


def hand(pos: Position, seat: int) -> int:
    """How many cards a seat holds."""
    return int(count(pos.state.seats[seat].hand))


def log(pos: Position, seat: int | None = None) -> list[str]:
    """The log as sentences."""
    return ["".join(str(part) for part in line.sentence) for line in pos.log(seat)]
