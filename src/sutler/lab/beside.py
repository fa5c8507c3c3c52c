"""A designer's questions that play other tables beside the first: of another size, at another setting, with something taken out."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from sutler.core.game import Game
from sutler.core.registry import definition
from sutler.lab.asked import Answer, Asked, Question
from sutler.lab.drawings import Bar, Curve, bars, curves
from sutler.lab.measures import mean_of, share_said
from sutler.lab.pages import picture, table
from sutler.lab.simulate import simulate


def _figures(game: Game, asked: Asked, seats: int, question: Question) -> dict[str, Any]:
    """Games of one version at one table: share won, mean score, events a game."""
    n, events = asked.beside(question.share), question.events
    players = list(asked.bots) if len(asked.bots) > 1 else [asked.bots[0]] * seats
    played, told = simulate(game, players, n, asked.seed, events=True, progress=asked.tell, seats=seats)
    ending = game.definition.events.endings[0]
    won = int(played["ending"].str.split(" + ").list.contains(ending).sum())
    score = played["score_0"].to_numpy()
    per = {
        row["event"]: row["count"] for row in told.group_by("event").agg(pl.col("count").sum()).iter_rows(named=True)
    }
    counted = {words: per.get(event, 0) / n for event, words in events.items()}
    return {"n": n, "won": won, "scores": score, **counted}


def _row(name: str, found: dict[str, Any], events: dict[str, str]) -> tuple[str, ...]:
    score, low, high = mean_of(found["scores"])
    counted = [f"{found[words]:.1f}" for words in events.values()]
    return (name, share_said(found["won"], found["n"]), f"{score:.1f} ({low:.1f} to {high:.1f})", *counted)


def seats(question: Question, asked: Asked) -> Answer:
    """The same bots at tables of other sizes."""
    found = {n: _figures(asked.watched.game, asked, n, question) for n in question.seats}
    names = {n: f"{n} {'player' if n == 1 else 'players'}" for n in found}
    drawn = [
        Bar(names[n], *_around(mean_of(one["scores"])), f"{mean_of(one['scores'])[0]:.1f}") for n, one in found.items()
    ]
    best = max(found, key=lambda n: float(np.mean(found[n]["scores"])))
    won = ", ".join(f"{names[n]} {one['won'] / one['n']:.0%}" for n, one in found.items())
    points = ", ".join(f"{names[n]} {np.mean(one['scores']):.1f}" for n, one in found.items())
    rows = [_row(names[n], one, question.events) for n, one in found.items()]
    said = f"Won: {won}. Points, most at {best}: {points}."
    heads = ("table", "won", "score", *question.events.values())
    note = f"Mean score of {found[question.seats[0]]['n']} {asked.sheet.game}s each."
    return Answer(
        question,
        said,
        (picture(bars(drawn, float(np.mean(found[best]["scores"])), "points"), note), table(heads, rows)),
    )


def _around(found: tuple[float, float, float]) -> tuple[float, float, float]:
    middle, low, high = found
    return low, middle, high


def sweep(question: Question, asked: Asked) -> Answer:
    """A setting over its values, at tables of several sizes."""
    rows, lines = [], []
    for n in question.seats:
        scores = []
        for value in question.values:
            game = asked.otherwise({question.setting: int(value)})
            found = _figures(game, asked, n, question)
            scores.append(mean_of(found["scores"]))
            rows.append(_row(f"{n} players, {value}", found, question.events))
        lines.append(
            Curve(f"{n} players", [m for m, _, _ in scores], [a for _, a, _ in scores], [b for _, _, b in scores])
        )
    drawn = curves([str(value) for value in question.values], lines, question.setting, lambda v: f"{v:.0f}")
    gaps = [abs(lines[0].values[k] - lines[-1].values[k]) for k in range(len(question.values))]
    even = question.values[int(np.argmin(gaps))]
    said = (
        f"The tables of {question.seats[0]} and {question.seats[-1]} score most alike at {question.setting} = {even}."
    )
    heads = ("table, value", "won", "score", *question.events.values())
    return Answer(question, said, (picture(drawn, "Mean score, with its interval."), table(heads, rows)))


def edits(question: Question, printed: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is taken out of the box, one after another: entries by the question's edit, or what is `emptied` of an entry, or of
    each of a list that it has (its `piece`), which stays in its place.
    """
    emptied = [question.emptied] if isinstance(question.emptied, str) else question.emptied
    for name in question.names:
        if question.edit:
            yield name, tomllib.loads(question.edit.format(name=name))
            continue
        entry = next(one for one in printed[question.entries] if one["name"] == name)
        if not question.piece:
            yield name, {question.entries: [{"name": name} | bare(entry, emptied)]}
            continue
        listed = entry[question.piece]
        for k in range(len(listed)):
            left = [one | bare(one, emptied) if i == k else one for i, one in enumerate(listed)]
            yield f"{name} {k + 1}", {question.entries: [{"name": name, question.piece: left}]}


def bare(entry: Mapping[str, Any], emptied: Sequence[str]) -> dict[str, Any]:
    """What an entry has of this, with nothing in it: a list becomes empty, anything else is not printed at all."""
    return {key: [] if isinstance(entry[key], list) else None for key in emptied if key in entry}


def without(question: Question, asked: Asked) -> Answer:
    """By intervention: the same seeds with one thing taken out of the box."""
    base = _figures(asked.watched.game, asked, asked.seats, question)
    rows, drawn = [], []
    for name, edit in edits(question, definition(asked.name).printed):
        game = asked.otherwise({}, edit)
        found = _figures(game, asked, asked.seats, question)
        gap, low, high = mean_of(base["scores"] - found["scores"])
        drawn.append(Bar(name, low, gap, high, f"{gap:+.1f}", "more" if low > 0 else "less" if high < 0 else ""))
        rows.append((name, share_said(found["won"], found["n"]), f"{gap:+.2f} ({low:+.2f} to {high:+.2f})"))
    drawn.sort(key=lambda one: -one.value)
    best = drawn[0]
    clear = [one.label for one in drawn if one.tone]
    said = f"{best.label} brings most: {best.value:+.1f} points. " + (
        f"Beyond chance: {', '.join(clear)}." if clear else "None of it is beyond chance."
    )
    note = f"Points a {asked.sheet.game} with it less those without, {base['n']} pairs of the same seed."
    return Answer(
        question, said, (picture(bars(drawn, 0.0, "points"), note), table(("without", "won", "brought"), rows))
    )
