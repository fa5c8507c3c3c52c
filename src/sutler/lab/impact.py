"""What is a card worth? By intervention: when a seat has drawn it, the same game goes on with it, with another, a blank, none.

The naive figure, how much more often those win who drew it, mixes up what the card does and who gets to draw it: whoever
draws many cards draws any card more often, and wins more often. Here both games have the same past and the same
dice, and only the card differs: *another* is a card drawn at random from where this one came, of those that seats draw at all, and
takes its place as it takes the other's; a *blank* is the card itself, in the hand and doing nothing; for *none* it is put back and
the seat has one card less.

It asks for games that keep their cards in sets (`lab.places`), and for blanks of a sheet that can blank a card
(`blanked(kind, i)`: the same box in which that one does nothing, or None); every exchange is held against the game's own `check`.
"""

from __future__ import annotations

import difflib
import json
import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots import Bot, bot_from, here
from sutler.bots.kit import Kit, is_compiled, kit_of, own_files, packed
from sutler.core.chance import below, new_luck
from sutler.core.definition import Definition
from sutler.core.game import Game
from sutler.lab.crew import Crew
from sutler.lab.figures import Numbers
from sutler.lab.measures import student
from sutler.lab.places import Cards, Draw, bits
from sutler.lab.provenance import provenance, told_of
from sutler.lab.series import USUAL, Series
from sutler.lab.simulate import MOST_DECISIONS
from sutler.lab.states import in_line

MOST_KEPT = 2048  # decisions from the start of a game in which draws are looked for
FEWEST = 10  # draws of which something is said
GAMES = 500  # that draws are picked from
TRIES = 20  # to find another card that fits
STREAM = 3000  # of the generator that picks draws and other cards


@dataclass(frozen=True)
class Moment:
    """A draw to be tried: the game, the state after it, who and what."""

    seed: int
    draw: Draw
    state: Any


@dataclass(frozen=True)
class Worth:
    """One card: over so many draws, what it adds to the seat's share of wins and to its lead, in pairs; and the naive figure."""

    name: str
    draws: int
    won_other: tuple[float, float]  # mean and half the 95 % interval
    lead_other: tuple[float, float]
    won_blank: tuple[float, float]
    lead_blank: tuple[float, float]
    won_none: tuple[float, float]
    lead_none: tuple[float, float]
    naive: tuple[float, float]  # share of wins of those who drew it less that of the others

    @property
    def is_known(self) -> bool:
        """Were there draws enough to say what it adds, instead of another?"""
        return not math.isnan(self.lead_other[0])


@dataclass(frozen=True)
class Impact:
    """What cards are worth, the best first."""

    cards: tuple[Worth, ...]
    about: dict[str, Any]

    def table(self) -> pl.DataFrame:
        """One row a card."""
        rows = [
            {"card": one.name, "draws": one.draws}
            | {
                f"{name}{end}": value
                for name in ("won_other", "lead_other", "won_blank", "lead_blank", "won_none", "lead_none", "naive")
                for end, value in zip(("", "_half"), getattr(one, name), strict=True)
            }
            for one in self.cards
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def write(self, path: Path) -> None:
        """As .parquet (with versions and command inside) or .csv."""
        if path.suffix == ".csv":
            self.table().write_csv(path)
        else:
            self.table().write_parquet(path, metadata={"sutler": json.dumps(self.about, default=str)})


def impact(
    game: Game,
    series: Series = USUAL,
    cards: Sequence[str] = (),
    per_game: int = 6,
    hand: str | None = None,
) -> Impact:
    """Play games, pick up to `per_game` draws of each, of these cards (all if none is named), no card twice; go on from them.

    `hand` names the set at the seats that counts as drawn, `hand` or else the first one unless told. Ctrl-C ends it with the draws tried by
    then. ValueError when it cannot be asked, or of a crew of other machines.
    """
    if isinstance(series.threads, Crew):
        raise ValueError("what a card is worth is found on this machine only; a crew plays games")
    games, seed = GAMES if series.games is None else series.games, series.seed
    places, wanted = asked_of(game, cards, hand)
    names = list(game.names[places.kind])
    table = _Table(game, series.bots, series.seats)
    threads = series.threads or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        courses = list(pool.map(lambda k: _course(table, places, seed + k, wanted, per_game), range(games)))
        drawable = {thing for one in courses for thing in one.drawn_by}
        moments = [moment for one in courses for moment in one.moments]
        tried: list[tuple[Moment, dict[str, tuple[float, float]]]] = []
        try:
            for outcome in pool.map(lambda moment: (moment, _go_on(table, places, moment, drawable)), moments):
                tried.append(outcome)
                series.tell(len(tried), len(moments))
        except KeyboardInterrupt:
            if not tried:
                raise
    about = provenance(game) | {
        "title": game.title,
        "bots": sorted(set(table.told)),
        "seats": table.n,
        "games": games,
        "seed": seed,
    }
    found = [_worth(names[thing], thing, tried, courses) for thing in sorted({one.draw.thing for one, _ in tried})]
    found.sort(key=lambda one: (not one.is_known, -one.lead_other[0]))
    return Impact(tuple(found), about | {"kind": places.kind, "hand": places.hand.name})


def asked_of(game: Game, cards: Sequence[str] = (), hand: str | None = None) -> tuple[Cards, set[int]]:
    """Where the game keeps its cards, and the numbers of those asked about; ValueError where it has none, or none of that name."""
    places = Cards(game.definition, hand)
    fresh = game.new(game.min_seats, seed=1).state
    if not any(bits(one.of(fresh)).any() for one in places.shared):
        raise ValueError(f"{game.title} has no deck to draw from; there is no card to ask about")
    names = [name.casefold() for name in game.names[places.kind]]
    if unknown := [one for one in cards if one.casefold() not in names]:
        near = difflib.get_close_matches(unknown[0].casefold(), names, n=2)
        meant = [game.names[places.kind][names.index(one)] for one in near]
        hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
        raise ValueError(f"there is no {places.kind} {unknown[0]!r} in {game.title}{hint}")
    asked = {one.casefold() for one in cards}
    return places, {i for i, name in enumerate(names) if not asked or name in asked}


class _Table:
    """Who plays, and desks to play at: one a thread."""

    def __init__(self, game: Game, bots: Sequence[str | Bot], seats: int | None) -> None:
        players = [here(bot_from(one) if isinstance(one, str) else one, game) for one in bots]
        if len(players) == 1:
            players *= game.best_seats if seats is None else seats
        if seats is not None and len(players) != seats:
            raise ValueError(f"{len(players)} bots do not fill {seats} seats")
        if not is_compiled(players) or any(getattr(one, "rounds", 1) == 0 for one in players):
            raise ValueError(
                "this wants bots of ours, searches with a number of rounds: random, greedy, search:rounds=20"
            )
        self.game, self.n, self.players = game, len(players), players
        self.names = [one.name for one in players]
        self.told = told_of(players, game)
        self.kit: Kit = kit_of(game)
        self.bots = packed(players, game)
        files = own_files(players)
        self._play = self.kit.games(files[0] if files else None).play
        self._blanks: dict[tuple[str, int], Any] = {}

    def blank(self, kind: str, thing: int) -> Any:
        """The box with this one doing nothing; None where the game knows no such blank."""
        if (kind, thing) not in self._blanks:
            sheet = getattr(self.game.sheet, "blanked", lambda kind, thing: None)(kind, thing)
            box = None if sheet is None else self.game.packed(sheet)
            self._blanks[kind, thing] = box
        return self._blanks[kind, thing]

    def play(self, box: Any, states: Any, seed: int, fresh: bool, kept: Any = None) -> tuple[Any, int]:
        """Play states to their ends, the bots' own luck being the same for each; results, and how many states were kept."""
        results = np.zeros(len(states), self.kit.result.dtype)
        results["seed"], results["most"] = seed, MOST_DECISIONS
        results["bots"][:, : self.n] = (np.arange(self.n) + seed) % self.n
        desk = self.kit.desk(tells=False)
        kept = self.kit.none_kept if kept is None else kept
        self._play(box, results, states, self.bots.copy(), desk, *self.kit.no_books, kept, fresh)
        return results, int(desk.pen.n_kept)


@dataclass(frozen=True)
class _Course:
    """One whole game: which seats drew what, what each seat won, and the moments picked."""

    drawn_by: dict[int, set[int]]
    won: Numbers
    moments: list[Moment]


def _course(table: _Table, places: Cards, seed: int, wanted: set[int], per_game: int) -> _Course:
    states = np.zeros(1, table.game.definition.state.dtype)
    states["n_seats"] = table.n
    kept = np.zeros(MOST_KEPT, states.dtype)
    results, n = table.play(table.game.box, states, seed, True, kept)
    draws = places.draws(kept[:n], table.n)
    drawn_by: dict[int, set[int]] = {}
    for one in draws:
        drawn_by.setdefault(one.thing, set()).add(one.seat)
    asked = [one for one in draws if one.thing in wanted]
    luck = new_luck(seed, STREAM)
    picked: list[Draw] = []
    while asked and len(picked) < per_game:
        one = asked[int(below(luck, len(asked)))]
        picked.append(one)
        asked = [
            other for other in asked if other.thing != one.thing
        ]  # once a game: draws of a card are then independent
    moments = [Moment(seed, one, kept[one.at : one.at + 1].copy()) for one in picked]
    return _Course(drawn_by, _won(results, table.n)[0], moments)


def _won(results: Any, n: int) -> Numbers:
    first = results["places"][:, :n] == 1
    return np.asarray(first / np.maximum(1, first.sum(axis=1, keepdims=True)), np.float64)


def _go_on(table: _Table, places: Cards, moment: Moment, drawable: set[int]) -> dict[str, tuple[float, float]]:
    """From one moment: the seat's share of the win and its lead, with the card, another, a blank, none (where that can be)."""
    draw, luck = moment.draw, new_luck(moment.seed * MOST_KEPT + moment.draw.at, STREAM)
    definition, box = table.game.definition, table.game.box
    variants = {"with": moment.state.copy()}
    lying = [int(i) for i in np.flatnonzero(bits(draw.source.of(moment.state[0]))) if int(i) in drawable]
    for _ in range(min(TRIES, 4 * len(lying))):
        other = moment.state.copy()
        places.exchange(other, draw.thing, lying[int(below(luck, len(lying)))])
        if _is_sound(definition, box, other[0]):
            variants["other"] = other
            break
    none = moment.state.copy()
    places.put_back(none, draw)
    if _is_sound(definition, box, none[0]):
        variants["none"] = none
    ends = dict(zip(variants, _ends(table, box, in_line(*variants.values()), moment), strict=True))
    blanked, same = table.blank(places.kind, draw.thing), moment.state.copy()
    if blanked is not None and _is_sound(definition, blanked, same[0]):
        (ends["blank"],) = _ends(table, blanked, same, moment)
    return ends


def _ends(table: _Table, box: Any, states: Any, moment: Moment) -> list[tuple[float, float]]:
    """Played on from these states: the seat's share of the win and its lead over the mean of the others, for each."""
    results, _ = table.play(box, states, moment.seed, False)
    seat, won, points = moment.draw.seat, _won(results, table.n), results["points"][:, : table.n]
    rest = (points.sum(axis=1) - points[:, seat]) / max(1, table.n - 1)
    return list(zip(won[:, seat].tolist(), (points[:, seat] - rest).tolist(), strict=True))


def _is_sound(definition: Definition, box: Any, state: Any) -> bool:
    """Does the game accept the state, and can somebody go on from it?"""
    definition.recount(box, state)
    out = definition.actions.new_ids()
    if int(definition.check(box, state)) != 0:
        return False
    definition.legal(box, state, out)
    return bool(out.ids.any())


def _worth(name: str, thing: int, tried: Sequence[tuple[Moment, Any]], courses: Sequence[_Course]) -> Worth:
    mine = [outcome for moment, outcome in tried if moment.draw.thing == thing]

    def gain(which: int, instead: str) -> tuple[float, float]:
        return _mean([one["with"][which] - one[instead][which] for one in mine if instead in one])

    having, lacking = _parted(thing, courses)
    (a, half_a), (b, half_b) = _mean(having), _mean(lacking)
    naive = (a - b, math.hypot(half_a, half_b))
    pairs = [gain(which, instead) for instead in ("other", "blank", "none") for which in (0, 1)]
    return Worth(name, len(mine), *pairs, naive)  # type: ignore[call-arg]


def _parted(thing: int, courses: Sequence[_Course]) -> tuple[list[float], list[float]]:
    """Shares of wins of the seats that drew it, and of those that did not."""
    sides: tuple[list[float], list[float]] = ([], [])
    for one in courses:
        for seat, won in enumerate(one.won):
            sides[0 if seat in one.drawn_by.get(thing, ()) else 1].append(float(won))
    return sides


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half its 95 % interval; nothing is said of fewer than FEWEST."""
    if len(values) < FEWEST:
        return (float("nan"), float("nan"))
    return float(np.mean(values)), student(len(values)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))


def said(value: tuple[float, float], share: bool = False) -> str:
    """A mean and half its interval, as people read it; a share in percentage points."""
    mean, half = value
    if math.isnan(mean):
        return "?"
    text = f"{100 * mean:+.1f} ± {100 * half:.1f} pp" if share else f"{mean:+.2f} ± {half:.2f}"
    return text.replace("-", "−")
