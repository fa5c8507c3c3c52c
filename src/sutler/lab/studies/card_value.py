"""The value of cards, by intervention: after a seat has drawn a card, the game goes on with it and with something in its place.

The naive figure, how much more often seats win that drew the card, mixes the effect of the card with that of drawing many cards: a seat
that draws many draws each card more often, and wins more often. Here both games have the same past and the same dice, and only the card
differs. *Another* is a card drawn at random from the pile that the card came from, among those that seats draw at all, and the two
change places; a *blank* is the card itself, in the hand and without effect; for *none* the card is put back and the seat has one card less.

It works for games that keep their cards in sets or count them (`lab.play.card_locations`). For blanks the sheet must be able to blank a
card (`blanked(kind, i)`: the same box in which the card has no effect, or None), and where there are several piles, say to which of them a
card belongs (`pile(kind, i)`). Every exchange must pass the game's own `check`.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.core.chance import below, new_luck
from sutler.core.play.game import Game
from sutler.lab.play.card_locations import Draw, Places, find_card_fields
from sutler.lab.play.headline_figures import Numbers
from sutler.lab.play.provenance import write_findings
from sutler.lab.play.query import Query
from sutler.lab.play.rollouts import (
    MAX_DECISIONS_SCANNED,
    SAMPLED_GAMES,
    SAMPLING_STREAM,
    RolloutTable,
    are_beyond_chance,
    compute_seat_win_shares,
    is_state_valid,
    mean_and_half_width,
    open_thread_pool,
    play_moments,
    play_seat_outcomes,
)
from sutler.lab.play.simulate import concatenate_states

MAX_EXCHANGE_TRIES = 20  # tries to find another card that passes the game's check


@dataclass(frozen=True)
class Moment:
    """A draw of a card from which a game is played on: the game's seed, the draw, and the state after it."""

    seed: int
    draw: Draw
    state: Any


@dataclass(frozen=True)
class CardValue:
    """The value of one card to the seat that draws it: its effect on win rate and lead; and the naive figure."""

    name: str
    draws: int
    won_other: tuple[float, float]  # mean and half the 95 % interval
    lead_other: tuple[float, float]
    won_blank: tuple[float, float]
    lead_blank: tuple[float, float]
    won_none: tuple[float, float]
    lead_none: tuple[float, float]
    naive: tuple[float, float]  # share of wins of the seats that drew it minus that of the other seats

    stands: tuple[bool, bool] = (False, False)
    """Is the lead over another card, and over a blank, significant among all cards, at a false discovery rate of 5 %?"""

    @property
    def is_known(self) -> bool:
        """Were there enough draws to compare the card with another card?"""
        return not math.isnan(self.lead_other[0])


@dataclass(frozen=True)
class Impact:
    """The values of cards, the best first."""

    cards: tuple[CardValue, ...]
    about: dict[str, Any]

    def table(self) -> pl.DataFrame:
        """A table with a row for each card."""
        rows = [
            {"card": one.name, "draws": one.draws, "stands_other": one.stands[0], "stands_blank": one.stands[1]}
            | {
                f"{name}{end}": value
                for name in ("won_other", "lead_other", "won_blank", "lead_blank", "won_none", "lead_none", "naive")
                for end, value in zip(("", "_half"), getattr(one, name), strict=True)
            }
            for one in self.cards
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def write(self, path: Path) -> None:
        """Write the table as .parquet (with versions and command inside) or .csv."""
        write_findings(self.table(), path, self.about)


def estimate_card_impact(
    query: Query,
    card_names: Sequence[str] = (),
    per_game: int = 6,
    hand_field: str | None = None,
) -> Impact:
    """Play games, pick up to `per_game` draws in each, and play on from them with the card and with something in its place.

    `card_names`: names of the cards asked about, all if empty. `hand_field`: the field of cards at the seats in which drawn cards arrive;
    None for
    `hand_field`, or else the first. Ctrl-C ends it with the draws played by then. ValueError where it cannot be asked, or for a cluster.
    """
    game, games, seed = query.version, query.get_games_or(SAMPLED_GAMES), query.seed
    with open_thread_pool(query, "a card") as pool:
        places, wanted = find_cards_asked_about(game, card_names, hand_field)
        names = list(game.names[places.kind])
        table = RolloutTable(game, query.bots, query.seats)
        courses = list(
            pool.map(lambda k: _play_and_pick_draws(table, places, seed + k, wanted, per_game), range(games))
        )
        drawable = {thing for one in courses for thing in one.drawn_by}
        moments = [moment for one in courses for moment in one.moments]
        outcomes = play_moments(
            pool, query, moments, lambda moment: _play_draw_variants(table, places, moment, drawable)
        )
    tried_of = dict.fromkeys(names[thing] for thing in sorted({one.draw.thing for one, _ in outcomes}))
    found = [
        _estimate_card_value(
            name, {i for i, one in enumerate(names) if one == name}, outcomes, courses
        )  # cards of one name count as one
        for name in tried_of
    ]
    found.sort(key=lambda one: (not one.is_known, -one.lead_other[0]))
    draws = [one.draws for one in found]
    other, blank = (
        are_beyond_chance([getattr(one, f"lead_{instead}") for one in found], draws) for instead in ("other", "blank")
    )
    found = [replace(one, stands=(a, b)) for one, a, b in zip(found, other, blank, strict=True)]
    return Impact(tuple(found), table.collect_metadata(games, seed) | {"kind": places.kind, "hand": places.hand.name})


def find_cards_asked_about(
    game: Game, card_names: Sequence[str] = (), hand_field: str | None = None
) -> tuple[Places, set[int]]:
    """(the fields where the game keeps its cards, the numbers of the cards asked about); ValueError where there are none."""
    places = find_card_fields(game.definition, hand_field)
    if not places.has_deck(game.new(game.min_seats, seed=1).state):
        raise ValueError(f"{game.title} has no deck to draw from; there is no card to ask about")
    names = [name.casefold() for name in game.names[places.kind]]
    if unknown := [one for one in card_names if one.casefold() not in names]:
        near = difflib.get_close_matches(unknown[0].casefold(), names, n=2)
        meant = [game.names[places.kind][names.index(one)] for one in near]
        hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
        raise ValueError(f"there is no {places.kind} {unknown[0]!r} in {game.title}{hint}")
    asked = {one.casefold() for one in card_names}
    return places, {i for i, name in enumerate(names) if not asked or name in asked}


@dataclass(frozen=True)
class _Course:
    """The record of one game: which seats drew each card, each seat's share of the win, and the draws that were picked."""

    drawn_by: dict[int, set[int]]
    won: Numbers
    moments: list[Moment]


def _play_and_pick_draws(table: RolloutTable, places: Places, seed: int, wanted: set[int], per_game: int) -> _Course:
    """One whole game, played now, with up to `per_game` of its draws of `wanted` cards, picked at random, each card at most once."""
    states = np.zeros(1, table.game.definition.state.dtype)
    states["n_seats"] = table.n
    kept = np.zeros(MAX_DECISIONS_SCANNED, states.dtype)
    results, n = table.play_to_end(table.game.box, states, seed, True, kept)
    names = table.game.names[places.kind]
    draws = places.find_draws(kept[:n], table.n)
    drawn_by: dict[int, set[int]] = {}
    for one in draws:
        drawn_by.setdefault(one.thing, set()).add(one.seat)
    asked = [one for one in draws if one.thing in wanted]
    luck = new_luck(seed, SAMPLING_STREAM)
    picked: list[Draw] = []
    while asked and len(picked) < per_game:
        one = asked[int(below(luck, len(asked)))]
        picked.append(one)
        # each card at most once in a game, so that its draws are independent
        asked = [other for other in asked if names[other.thing] != names[one.thing]]
    moments = [Moment(seed, one, kept[one.at : one.at + 1].copy()) for one in picked]
    return _Course(
        drawn_by, compute_seat_win_shares(results, table.n, bool(table.game.definition.COOPERATIVE))[0], moments
    )


def _play_draw_variants(
    table: RolloutTable, places: Places, drawn: Moment, drawable: set[int]
) -> dict[str, tuple[float, float]]:
    """The outcomes of playing on from one draw, by variant: "with" the card, "other", "none", "blank", where possible.

    `drawable`: the numbers of the cards that seats draw at all.
    """
    draw, luck = drawn.draw, new_luck(drawn.seed * MAX_DECISIONS_SCANNED + drawn.draw.at, SAMPLING_STREAM)
    definition, box = table.game.definition, table.game.box
    variants = {"with": drawn.state.copy()}
    pile = getattr(table.game.sheet, "pile", lambda kind, thing: None)
    lying = [
        i
        for i in places.list_source_cards(drawn.state[0], draw)
        if i in drawable and pile(places.kind, i) == pile(places.kind, draw.thing)
    ]
    for _ in range(min(MAX_EXCHANGE_TRIES, 4 * len(lying))):
        other = drawn.state.copy()
        places.replace_drawn_card(other, draw, lying[int(below(luck, len(lying)))])
        if is_state_valid(definition, box, other[0]):
            variants["other"] = other
            break
    none = drawn.state.copy()
    places.undo_draw(none, draw)
    if is_state_valid(definition, box, none[0]):
        variants["none"] = none
    found = dict(
        zip(
            variants,
            play_seat_outcomes(table, box, concatenate_states(*variants.values()), drawn.seed, draw.seat),
            strict=True,
        )
    )
    blank, same = table.find_blank(places.kind, draw.thing), drawn.state.copy()
    can = blank is not None and places.make_blank(same, draw.seat, draw.thing, blank.thing)
    if blank is not None and can and is_state_valid(definition, blank.box, same[0]):
        (found["blank"],) = play_seat_outcomes(table, blank.box, same, drawn.seed, draw.seat)
    return found


def _estimate_card_value(
    name: str, card_numbers: set[int], tried: Sequence[tuple[Moment, Any]], courses: Sequence[_Course]
) -> CardValue:
    """The value of the card called `name`, from the outcomes of its draws. `card_numbers`: its numbers."""
    mine = [outcome for moment, outcome in tried if moment.draw.thing in card_numbers]

    def gain(which: int, instead: str) -> tuple[float, float]:
        return mean_and_half_width([one["with"][which] - one[instead][which] for one in mine if instead in one])

    having, lacking = _split_wins_by_card(card_numbers, courses)
    (a, half_a), (b, half_b) = mean_and_half_width(having), mean_and_half_width(lacking)
    naive = (a - b, math.hypot(half_a, half_b))
    pairs = [gain(which, instead) for instead in ("other", "blank", "none") for which in (0, 1)]
    return CardValue(name, len(mine), *pairs, naive)  # type: ignore[call-arg, arg-type]


def _split_wins_by_card(card_numbers: set[int], courses: Sequence[_Course]) -> tuple[list[float], list[float]]:
    """(the shares of wins of seats that drew one of these cards, those of seats that did not)."""
    sides: tuple[list[float], list[float]] = ([], [])
    for one in courses:
        for seat, won in enumerate(one.won):
            has = any(seat in one.drawn_by.get(thing, ()) for thing in card_numbers)
            sides[0 if has else 1].append(float(won))
    return sides
