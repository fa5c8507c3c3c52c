"""A designer's questions of headline figures: what they are, at tables of every size, and what a change does to them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from sutler.core.game import Game
from sutler.lab.across import MEAN_NEAR, SHARE_NEAR, Line, Rung, evens, rung
from sutler.lab.asked import Answer, Asked, Question
from sutler.lab.drawings import Bar, bars
from sutler.lab.figures import Figure, Numbers
from sutler.lab.measures import difference, many, simultaneous
from sutler.lab.pages import picture, table
from sutler.lab.simulate import simulate
from sutler.lab.standing import called, headline, held_against, lines_of, played, verdict
from sutler.lab.watching import Watched

BY_SIZE = ("power_", "ends_")
"""Figures told from the largest to the least; seats stay in their order."""
SAID = 6
"""So many figures are said in the sentence; the table has all."""
MORE, LESS, LITTLE, SAME, FEW = "more", "less", "no matter", "the same", "too few games"


def span(figure: Figure, low: float, high: float) -> str:
    """An interval, as people read it."""
    return f"{figure.say(low)} to {figure.say(high)}"


def at(question: Question, figure: Figure) -> int:
    """Where a figure stands among those asked for."""
    return next(i for i, name in enumerate(question.figures) if figure.name.startswith(name))


# --- figures: `figures` ----------------------------------------------------------------------------------------


def figures(question: Question, asked: Asked) -> Answer:
    """Headline figures between these bots, beside what is even, and held against the ladder."""
    lines, rungs = lines_of(asked, headline(asked, question.figures))
    order = sorted(
        lines,
        key=lambda one: (at(question, one.figure), -one.values[0][0] if one.figure.name.startswith(BY_SIZE) else 0),
    )
    told = [
        f"{one.figure.label}: {one.figure.say(one.values[0][0])} ({span(one.figure, *one.values[0][1:])})"
        for one in order
    ]
    told[0] = told[0][:1].upper() + told[0][1:]
    said = "; ".join(told[:SAID]) + (f"; and {len(told) - SAID} more" if len(told) > SAID else "") + "."
    apart = [one for one in order if one.even is not None]
    if apart:
        off = [one.figure.label for one in apart if one.side(0)]
        said += f" Even is {_evens(apart)}; " + (f"told from it: {', '.join(off)}." if off else "none is told from it.")
    body = [_drawn(kind, [one.bot for one in rungs]) for kind in _kinds(order)]
    # the verdict beside the name, as `across` has it: a phone shows two columns
    heads = ("figure", "verdict", *(f"{one.bot}, {many(one.games, asked.sheet.game)}" for one in rungs))
    rows = [
        (one.figure.label, one.verdict if len(rungs) > 1 else "", *(_cell(one.figure, value) for value in one.values))
        for one in order
    ]
    body.append(table(heads, rows))
    return Answer(
        question, said, tuple(body), verdict(lines, rungs), played(asked) + held_against(rungs, asked.sheet.game)
    )


def _evens(lines: Sequence[Line]) -> str:
    return ", ".join(dict.fromkeys(one.figure.say(one.even) for one in lines if one.even is not None))


def _cell(figure: Figure, value: tuple[float, float, float]) -> str:
    return f"{figure.say(value[0])} ({span(figure, *value[1:])})"


def _kinds(lines: Sequence[Line]) -> list[list[Line]]:
    """What can be drawn on one axis: all shares, then every other figure by itself."""
    shares = [one for one in lines if one.figure.share]
    return [group for group in (shares, *([one] for one in lines if not one.figure.share)) if group]


def _drawn(lines: Sequence[Line], bots: Sequence[str]) -> str:
    """Shares side by side between the first bots; any other figure between each of the bots."""
    share = lines[0].figure.share
    if not share:
        figure, values = lines[0].figure, lines[0].values
        drawn = [
            Bar(bot, low, mean, high, figure.say(mean)) for bot, (mean, low, high) in zip(bots, values, strict=True)
        ]
        return picture(
            bars(drawn, 0.0, figure.label),
            f"{figure.label.capitalize()} between each of these bots, with its interval.",
        )
    drawn = []
    for one in lines:
        value, low, high = one.values[0]
        tone = {1: "more", -1: "less", 0: ""}[one.side(0)]
        drawn.append(Bar(one.figure.label, low, value, high, one.figure.say(value), tone))
    even = next((one.even for one in lines if one.even is not None), None)
    rule = f"; the line is an even share, {lines[0].figure.say(even)}" if even is not None else ""
    first = f" Between {bots[0]}; the others stand in the table." if len(bots) > 1 else ""
    caption = f"Share of games, with its interval{rule}.{first}"
    return picture(bars(drawn, even or 0.0, "share of games", percent=True), caption)


def wanted(every: Mapping[Figure, Numbers], question: Question) -> list[tuple[Figure, Numbers]]:
    """Those of all figures that are asked for."""
    return [(one, values) for one, values in every.items() if one.name.startswith(tuple(question.figures))]


# --- tables: `figures` at each of `seats` ------------------------------------------------------------------------------


def tables(question: Question, asked: Asked) -> Answer:
    """Headline figures at tables of several sizes; where something is even, how far from it."""
    n = asked.beside(question.share)
    found = {seats: _of(asked.watched.game, asked, seats, n) for seats in question.seats}
    kept = [
        (seats, one, values, even.get(one.name))
        for seats, (every, even, _) in found.items()
        for one, values in sorted(wanted(every, question), key=lambda pair: at(question, pair[0]))
    ]
    if not kept:
        raise ValueError(f"games of {asked.name} have no figure {' or '.join(question.figures)}")
    z = simultaneous(len(kept))
    rows: list[tuple[str, ...]] = []
    uneven: list[Bar] = []
    plain: dict[Figure, list[Bar]] = {}
    off: list[str] = []
    wide = 0.0
    for seats, one, values, even in kept:
        value, low, high = Rung("", n, {one: values}).of(one, z)
        name = f"{many(seats, 'player')}: {one.label}"
        side = "" if even is None else MORE if low > even else LESS if high < even else ""
        if even is None:
            plain.setdefault(one, []).append(Bar(many(seats, "player"), low, value, high, one.say(value)))
        else:
            gap = value - even
            uneven.append(Bar(name, low - even, gap, high - even, f"{100 * gap:+.1f} pp".replace("-", "−"), side))
            off += [f"{name} {one.say(value)} ({span(one, low, high)}), even {one.say(even)}"] if side else []
            wide = max(wide, high - value, value - low)
        rows.append(
            (
                many(seats, "player"),
                one.label,
                _cell(one, (value, low, high)),
                "" if even is None else one.say(even),
                side,
            )
        )
    told = [f"{one.label}: " + ", ".join(f"{bar.label} {bar.told}" for bar in drawn) for one, drawn in plain.items()]
    if uneven:
        told.append(
            "Told from even: " + "; ".join(off)
            if off
            else f"Nothing is told from even; what is further from it than {100 * wide:.1f} points would be seen"
        )
    body = (
        [picture(bars(uneven, 0.0, "points from even", percent=True), "How far from an even share, with its interval.")]
        if uneven
        else []
    )
    body += [
        picture(bars(drawn, 0.0, one.label, percent=one.share), f"{one.label.capitalize()}, with its interval.")
        for one, drawn in plain.items()
    ]
    body.append(table(("table", "figure", "value", "even", ""), rows))
    on = f"{many(n, asked.sheet.game)} at each table between {called(asked.bots)}"
    return Answer(question, ". ".join(told) + ".", tuple(body), _of_tables(uneven, off), on)


def _of_tables(uneven: Sequence[Bar], off: Sequence[str]) -> str:
    if not uneven:
        return "between these bots"
    return f"{many(len(off), 'share')} of {len(uneven)} beyond chance" if off else "none beyond chance"


def _of(
    game: Game, asked: Asked, seats: int, n: int
) -> tuple[Mapping[Figure, Numbers], Mapping[str, float], pl.DataFrame]:
    players = list(asked.bots) if len(asked.bots) == seats else [asked.bots[0]]
    told = simulate(game, players, n, asked.seed, progress=asked.tell, seats=seats)
    return rung(game.definition, told, "").figures, evens(told), told


# --- changes: `figures` with each of `changes` -------------------------------------------------------------------


def changes(question: Question, asked: Asked) -> Answer:
    """What each change does to the figures: the same seeds with it and without."""
    n = asked.beside(question.share)
    game = asked.watched.game
    base, _, before = _of(game, asked, asked.seats, n)
    asked_for = sorted((one for one, _ in wanted(base, question)), key=lambda one: at(question, one))
    if not asked_for:
        raise ValueError(f"games of {asked.name} have no figure {' or '.join(question.figures)}")
    z = simultaneous(len(asked_for) * len(question.changes))
    rows: list[tuple[str, ...]] = []
    drawn: dict[Figure, list[Bar]] = {one: [] for one in asked_for}
    seen: dict[str, list[str]] = {}
    for change in question.changes:
        found, _, after = _of(asked.otherwise(change.set), asked, asked.seats, n)
        same = _alike(before, after)
        for one in asked_for:
            if one not in found:
                continue
            gap, low, high = apart(one, base[one], found[one], z)
            kind = SAME if same else beyond(one, float(base[one].mean()), low, high)
            tone = kind if kind in (MORE, LESS) else ""
            drawn[one].append(Bar(change.title, low, gap, high, one.say(gap, sign=True), tone))
            cell = f"{one.say(gap, sign=True)} ({one.say(low, sign=True)} to {one.say(high, sign=True)})"
            rows.append(
                (
                    change.title,
                    one.label,
                    one.say(float(base[one].mean())),
                    one.say(float(found[one].mean())),
                    cell,
                    kind,
                )
            )
            if tone:
                seen.setdefault(change.title, []).append(f"{one.label} {cell}")
    told = [f"{title}: {', '.join(of)}." for title, of in seen.items()]
    said = " ".join(told) or f"None of these changes is seen to move {' or '.join(one.label for one in asked_for[:3])}."
    body = [
        picture(
            bars(of, 0.0, f"{one.label}, with the change less without", percent=one.share),
            f"{one.label.capitalize()}: what each change does, with its interval.",
        )
        for one, of in drawn.items()
        if any(bar.tone for bar in of) or len(asked_for) == 1
    ]
    body.append(table(("change", "figure", "as it is", "changed", "difference", ""), rows))
    kinds = [row[-1] for row in rows]
    words = f"{sum(kind in (MORE, LESS) for kind in kinds)} of {len(kinds)} differences beyond chance"
    few = sum(kind == FEW for kind in kinds)
    words += f", {few} for which there are too few games" if few else ""
    on = f"{many(n, asked.sheet.game)} at {many(asked.seats, 'seat')} with and without each change, between {called(asked.bots)}"
    return Answer(question, said, tuple(body), words, on)


def _alike(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Is every game the same in all that is told of it?"""
    return one.columns == other.columns and one.equals(other)


def apart(figure: Figure, before: Numbers, after: Numbers, z: float) -> tuple[float, float, float]:
    """How much more a figure is with a change, and its interval: shares by Newcombe, means by the pairs of one seed."""
    gap = float(after.mean() - before.mean())
    if figure.share:
        low, high = difference((float(after.sum()), len(after)), (float(before.sum()), len(before)), z)
        return gap, low, high
    n = len(before)
    half = z * float(np.std(after - before, ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return gap, gap - half, gap + half


def beyond(figure: Figure, mean: float, low: float, high: float) -> str:
    """More or less where the interval leaves out zero; no matter where it lies within what is near; else too few games."""
    if low > 0 or high < 0:
        return MORE if low > 0 else LESS
    near = SHARE_NEAR if figure.share else MEAN_NEAR * abs(mean)
    return LITTLE if -near <= low and high <= near else FEW


def counted(question: Question, asked: Asked, answer: Answer, things: Mapping[str, Mapping[str, int]]) -> Answer:
    """A count held against the ladder: how often the event is told in a game, and of which of these things (a name, and its columns)."""
    all_of_it: dict[Figure, Mapping[str, int]] = {Figure("count", "in all", ""): {}}
    named = all_of_it | {Figure(name, name, ""): row for name, row in things.items()}

    def read(watched: Watched) -> Mapping[Figure, Numbers]:
        told = watched.of(question.event)
        return {figure: _a_game(told, row, watched.games) for figure, row in named.items()}

    lines, rungs = lines_of(asked, read)
    others = "; ".join(f"{one.bot} {value[0]:.2f}" for one, value in zip(rungs[1:], lines[0].values[1:], strict=True))
    said = answer.said + (f" Between others: {others}." if others else "")
    on = played(asked) + held_against(rungs, asked.sheet.game)
    return replace(answer, said=said, verdict=verdict(lines, rungs), played=on)


def _a_game(told: pl.DataFrame, row: Mapping[str, int], games: int) -> Numbers:
    """How many of these events each game has."""
    kept = told.filter(pl.all_horizontal(pl.lit(True), *(pl.col(name) == value for name, value in row.items())))
    per = kept.group_by("game").len()["len"].to_numpy().astype(np.float64)
    return np.concatenate([per, np.zeros(games - len(per))])
