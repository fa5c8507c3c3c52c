"""The kinds of a designer's questions (`asked`): each one function from games to a sentence, a picture and a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from sutler.core.registry import definition
from sutler.lab.asked import Answer, Asked, Question
from sutler.lab.beside import seats, sweep, without
from sutler.lab.drawings import Bar, Curve, bars, curves
from sutler.lab.measures import mean_of, share_said, wilson
from sutler.lab.pages import note, picture, table
from sutler.lab.standing import headline, held_against, lines_of, played, verdict
from sutler.lab.turning import changes, counted, figures, tables
from sutler.lab.watching import Watched, Watching, watch

PICTURED = 16
"""So many lines has a picture; the table has them all."""
MOST_PARTS = 8
"""Of a game of more parts, things are not told apart by part."""
HELD = 4
"""So many of the commonest things are held against other bots by themselves."""
SELDOM = 12
"""So many of the things that came least often are named."""
FEWER = 4
"""Games watched a second time, with more in the box, are so many times fewer."""


def names_of(asked: Asked, kind: str, numbers: Sequence[Any]) -> list[str]:
    """Numbers of a kind of thing as words."""
    listed = asked.watched.game.names.get(kind)
    return [str(listed[n]) if listed is not None and 0 <= n < len(listed) else str(n) for n in numbers]


# --- outcome: event `passed`, event `failed` ---------------------------------------------------------------------


def outcome(question: Question, asked: Asked) -> Answer:
    """How games end and score; by part, how many of what was undertaken was passed."""
    ends, watched = asked.watched.ends, asked.watched
    won = int(ends["won"].sum())
    score, low, high = mean_of(ends["score"].to_numpy())
    said = f"{share_said(won, len(ends))} of games are won; {score:.1f} points on average ({low:.1f} to {high:.1f})."
    passed, failed = watched.of(question.passed), watched.of(question.failed)
    rows = []
    for part in sorted(set(passed["part"]) | set(failed["part"])):
        k, m = len(passed.filter(pl.col("part") == part)), len(failed.filter(pl.col("part") == part))
        rows.append((f"{asked.sheet.part} {part}", k, k + m))
    drawn = [Bar(name, *(wilson(k, n)[0], k / n, wilson(k, n)[1]), f"{k / n:.0%}") for name, k, n in rows if n]
    cells = [(name, f"{n:,}", share_said(k, n)) for name, k, n in rows if n]
    kinds = f"{question.passed}, of all {question.passed} or {question.failed}"
    heads = (asked.sheet.part, "missions", question.passed)
    shown = picture(bars(drawn, 0.0, "share", percent=True), f"By {asked.sheet.part}: {kinds}.")
    lines, rungs = lines_of(asked, headline(asked, [f"ends_{watched.game.definition.events.endings[0]}", "score"]))
    others = [
        f"{one.bot} {a[0]:.0%} and {b[0]:.1f}"
        for one, a, b in zip(
            rungs[1:], *(line.values[1:] for line in sorted(lines, key=lambda one: not one.figure.share)), strict=True
        )
    ]
    said += f" Between others, won and points: {'; '.join(others)}." if others else ""
    on = played(asked) + held_against(rungs, asked.sheet.game)
    return Answer(question, said, (shown, table(heads, cells)), verdict(lines, rungs), on)


# --- count: `event`, told apart by `of`; `causes` ---------------------------------------------------------------


def count(question: Question, asked: Asked) -> Answer:
    """How often an event was told, by thing and part, and what was told last before it."""
    watched = asked.watched
    columns = [watched.arg(question.event, part) for part in question.parts]
    found = watched.of(question.event)
    games = watched.games
    per_game = found.group_by("game").len()["len"].to_numpy()
    every = np.concatenate([per_game, np.zeros(games - len(per_game))])
    middle, low, high = mean_of(every)
    without = games - len(per_game)
    rest = f"; none at all in {without / games:.0%} of them." if without else ", at least one in each."
    one_game = asked.sheet.game
    said = f"{middle:.2f} a {one_game} ({low:.2f} to {high:.2f}){rest}"
    if not len(found):
        return counted(question, asked, Answer(question, f"Never, in {games:,} games.", ()), {})
    things = found.group_by(columns or pl.lit(0).alias("all")).len().sort("len", descending=True)
    labels = [_labelled(question, asked, row, columns) for row in things.iter_rows(named=True)]
    parts = sorted(set(found["part"]))
    parts = parts if 1 < len(parts) <= MOST_PARTS else []
    rows, drawn = [], []
    for label, row in list(zip(labels, things.iter_rows(named=True), strict=True))[: question.most]:
        mine = found.filter(pl.all_horizontal([pl.lit(True), *(pl.col(name) == row[name] for name in columns)]))
        counts = mine.group_by("game").len()["len"].to_numpy()
        value, a, b = mean_of(np.concatenate([counts, np.zeros(games - len(counts))]))
        drawn.append(Bar(label, max(0.0, a), value, b, f"{value:.2f}"))
        by_part = [f"{len(mine.filter(pl.col('part') == part)) / games:.2f}" for part in parts]
        rows.append((label, *by_part, f"{value:.2f}", *_does(question, asked, label)))
    of_each = [f"{len(found.filter(pl.col('part') == part)) / games:.2f}" for part in parts]
    rows.append(("all", *of_each, f"{middle:.2f}", *([""] if question.piece else [])))
    most = " The commonest; the table has more." if len(drawn) > PICTURED else ""
    body = [picture(bars(drawn[:PICTURED], 0.0, f"a {one_game}"), f"A {one_game}'s mean, with its interval.{most}")]
    heads = (question.parts[0] if question.parts else "", *(f"{asked.sheet.part} {part}" for part in parts), "all")
    body.append(table((*heads, "what it does") if question.piece else heads, rows, words=bool(question.piece)))
    body += _seldom(question, asked, things)
    if question.causes:
        caused, cells = _causes(question, asked)
        body.append(table(("cause", "times", "share"), cells))
        said += f" Most often by {caused}." if caused else ""
    if question.parts and not question.piece and len(labels) > 1:
        said += f" Most: {', '.join(f'{row[0]} {row[-1]}' for row in rows[:-1][:3])}."
    first = zip(labels[:HELD], things.iter_rows(named=True), strict=False)
    told_apart = {label: {name: row[name] for name in columns} for label, row in first} if columns else {}
    return counted(question, asked, Answer(question, said, tuple(body)), told_apart)


def _labelled(question: Question, asked: Asked, row: dict[str, Any], columns: list[str]) -> str:
    if not columns:
        return question.event.replace("_", " ")
    kinds = dict(asked.watched.game.definition.events.events[question.event].parts)
    told = [names_of(asked, kinds[part], [row[name]])[0] for part, name in zip(question.parts, columns, strict=True)]
    return " ".join(told)


def _does(question: Question, asked: Asked, label: str) -> list[str]:
    """The printed words of a piece told as "Thea 7", where the question names `entries` and a `piece`."""
    if not question.piece:
        return []
    name, number = label.rsplit(" ", 1)
    entry = next(one for one in definition(asked.name).printed[question.entries] if one["name"] == name)
    return [entry[question.piece][int(number) - 1]["text"]]


def _seldom(question: Question, asked: Asked, things: pl.DataFrame) -> list[str]:
    """Things of one kind: the last of a long list, with their means, and those that never came."""
    if len(question.parts) != 1:
        return []
    part = question.parts[0]
    kind = dict(asked.watched.game.definition.events.events[question.event].parts)[part]
    games, seen = asked.watched.games, {int(row[0]): int(row[1]) for row in things.iter_rows()}
    told = []
    if last := list(seen)[question.most :][-SELDOM:]:
        named = zip(names_of(asked, kind, last), last, strict=True)
        told.append(note("Least often: " + ", ".join(f"{name} ({seen[n] / games:.2f})" for name, n in named) + "."))
    if never := [str(name) for n, name in enumerate(asked.watched.game.names[kind]) if n not in seen]:
        told.append(note(f"Never, in {games:,} games: {', '.join(never)}."))
    return told


def with_causes(watched: Watched, event: str, causes: Sequence[str]) -> pl.DataFrame:
    """Each of these events with the kind of cause told last before it, and that one's place."""
    kinds = watched.events.filter(pl.col("kind").is_in([event, *causes])).sort("game", "i")
    is_cause = pl.col("kind").is_in(list(causes))
    return kinds.with_columns(
        cause=pl.when(is_cause).then(pl.col("kind")).forward_fill().over("game"),
        since=pl.when(is_cause).then(pl.col("i")).forward_fill().over("game"),
    ).filter(pl.col("kind") == event)


def _causes(question: Question, asked: Asked) -> tuple[str, list[tuple[str, str, str]]]:
    found = with_causes(asked.watched, question.event, list(question.causes))
    words: dict[str, int] = {}
    for kind, n in found.group_by("cause").len().iter_rows():
        word = question.causes.get(kind or "", "something else")
        words[word] = words.get(word, 0) + n
    order = sorted(words, key=lambda word: -words[word])
    cells = [(word, f"{words[word]:,}", share_said(words[word], len(found))) for word in order]
    return (order[0] if order else ""), cells


# --- risk: `probe`, `event`, `cause`, `causes` that end it -------------------------------------------------------------------------------


def followed(probed: pl.DataFrame, causes: pl.DataFrame) -> pl.DataFrame:
    """The probes after which their cause came before the next probe, which stands in `end`: whoever agrees to roll, as one of
    several must, is asked as well, and then nothing is rolled yet.
    """
    ends = probed.with_columns(end=pl.col("i").shift(-1).over("game").fill_null(1 << 30))
    came = causes.select("game", "i", at="i").sort("i")
    first = ends.sort("i").join_asof(came, on="i", by="game", strategy="forward", check_sortedness=False)
    return first.filter(pl.col("at") < pl.col("end")).sort("game", "i")


def risk(question: Question, asked: Asked) -> Answer:
    """The chance told before a roll against how often it came: between this probe and the next, by this cause."""
    probed = asked.watched.probes.filter(pl.col("probe") == question.probe).sort("game", "i")
    if not len(probed):
        return Answer(question, "No such decision was met.", ())
    hits = with_causes(asked.watched, question.event, [question.cause, *question.causes])
    hits = hits.filter(pl.col("cause") == question.cause)
    by_game: dict[int, list[tuple[int, int]]] = {}
    for row in hits.iter_rows(named=True):
        if row["since"] is not None:
            by_game.setdefault(row["game"], []).append((row["since"], row["i"]))
    chances, came = [], []
    for row in followed(probed, asked.watched.of(question.cause)).iter_rows(named=True):
        chances.append(row["value"])
        falls = by_game.get(row["game"], [])
        came.append(any(row["i"] <= since and i < row["end"] for since, i in falls))
    edges = [0.0, 1e-9, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0 + 1e-9]
    told = ["none", "under 5%", "5–10%", "10–20%", "20–35%", "35–50%", "50–75%", "over 75%"]
    p, c = np.array(chances), np.array(came)
    rows, drawn = [], []
    for name, a, b in zip(told, edges[:-1], edges[1:], strict=True):
        mine = (p >= a) & (p < b)
        n, k = int(mine.sum()), int((c & mine).sum())
        if n:
            low, high = wilson(k, n)
            drawn.append(Bar(name, low, k / n, high, f"{k / n:.0%} of {n:,}"))
            rows.append((name, f"{n:,}", f"{p[mine].mean():.1%}", share_said(k, n)))
    blind = int((c & (p < 0.05)).sum())
    said = f"In {share_said(int(c.sum()), len(c))} of rolls somebody fell; {blind} of {int(c.sum())} times the chance told was under 5%."
    body = picture(bars(drawn, 0.0, "how often it came", percent=True), "By the chance that was told before the roll.")
    return Answer(question, said, (body, table(("told", "rolls", "mean chance", "came"), rows)))


# --- supply: `event` of `of`, `field` by the same, `setting` with `room`, `values` -----------------------------------


def supply(question: Question, asked: Asked) -> Answer:
    """How often the supply ran out, and how large it would have to be: peaks where nothing runs out."""
    watched, kind = asked.watched, question.parts[0]
    found = watched.of(question.event)
    column = watched.arg(question.event, kind)
    names = watched.game.names[kind]
    run_out = found["game"].n_unique()
    said = f"In {share_said(run_out, watched.games)} of {asked.sheet.game}s some {kind} could not be taken."
    body = [shortages(question, asked, found, column)]
    wide = asked.otherwise({question.setting: question.room})
    n = asked.beside(FEWER)
    wanted = Watching(asked.sheet.opens, [question.field])
    free = watch(wide, asked.bots, asked.seats, n, asked.seed, wanted, asked.tell)
    sizes = [int(value) for value in question.values]
    lines = []
    for r, name in enumerate(names):
        peaks = free.ends[f"{question.field}_{r}"].to_numpy()
        shares = [float((peaks > size).mean()) for size in sizes]
        ends = [wilson(share * n, n) for share in shares]
        lines.append(Curve(str(name), shares, [a for a, _ in ends], [b for _, b in ends]))
    every = np.max([free.ends[f"{question.field}_{r}"].to_numpy() for r in range(len(names))], axis=0)
    enough = next((size for size in sizes if float((every > size).mean()) <= 0.05), None)
    tail = (
        f"{enough} of each would do in 19 of 20 {asked.sheet.game}s."
        if enough
        else f"Even {sizes[-1]} are too few in {float((every > sizes[-1]).mean()):.0%}."
    )
    drawn = curves([str(size) for size in sizes], lines, "of each in the box", lambda v: f"{v:.0%}")
    body.insert(
        0,
        picture(
            drawn,
            f"The share of {n} {asked.sheet.game}s, with as many as anybody could want, in which more than so many were in play.",
        ),
    )
    return Answer(question, f"{said} {tail}", tuple(body))


def shortages(question: Question, asked: Asked, found: pl.DataFrame, column: str) -> str:
    """When it ran out, and of what: times a game in each part, and the share of games in which it did at all."""
    watched, parts = asked.watched, sorted(set(found["part"]))
    cells = []
    for r, name in enumerate(watched.game.names[question.parts[0]]):
        mine = found.filter(pl.col(column) == r)
        times = [f"{len(mine.filter(pl.col('part') == part)) / watched.games:.1f}" for part in parts]
        cells.append((str(name), *times, share_said(mine["game"].n_unique(), watched.games)))
    return table((question.parts[0], *(f"{asked.sheet.part} {part}" for part in parts), "games with it"), cells)


# --- fates: `of` things that `came`, and their `ends` -----------------------------------------------------------------


def fates(question: Question, asked: Asked) -> Answer:
    """Of everything that came: what became of it first, how often it was moved, how long it took."""
    watched, thing = asked.watched, question.parts[0]
    kinds = [question.came, *question.ends, *([question.moved] if question.moved else []), *question.clock]
    rows = watched.events.filter(pl.col("kind").is_in(kinds)).sort("game", "i")
    column = {kind: watched.arg(kind, thing) for kind in kinds if kind not in question.clock}
    ended: dict[str, int] = {}
    steps: dict[str, list[int]] = {}
    still = came = never = 0
    open_now: dict[int, list[int]] = {}
    game = turn = -1
    for row in rows.iter_rows(named=True):
        if row["game"] != game:
            still += len(open_now)
            never += sum(1 for moves, _ in open_now.values() if not moves)
            open_now, game, turn = {}, row["game"], 0
        kind = row["kind"]
        if kind in question.clock:
            turn += 1
            continue
        card = row[column[kind]]
        if kind == question.came:
            if card in open_now:
                still += 1
            open_now[card] = [0, turn]
            came += 1
        elif kind == question.moved:
            if card in open_now:
                open_now[card][0] += 1
        elif card in open_now:
            _, since = open_now.pop(card)
            word = question.ends[kind]
            ended[word] = ended.get(word, 0) + 1
            steps.setdefault(word, []).append(turn - since)
    still += len(open_now)
    never += sum(1 for moves, _ in open_now.values() if not moves)
    ended[question.stays] = still
    order = sorted(ended, key=lambda word: -ended[word])
    said = (
        "; ".join(f"{ended[word] / max(1, came):.0%} {word}" for word in order)
        + f", of {came / watched.games:.1f} a {asked.sheet.game}."
    )
    if question.moved:
        said += f" {never / max(1, came):.0%} of all stayed to the end and never moved."
    if question.clock:
        first = next(iter(question.ends.values()))
        taken = steps.get(first, [])
        said += f" {first.capitalize()} after {np.mean(taken):.1f} turns on average." if taken else ""
    drawn = []
    for word in order:
        low, high = wilson(ended[word], came)
        drawn.append(Bar(word, low, ended[word] / max(1, came), high, f"{ended[word] / max(1, came):.0%}"))
    return Answer(
        question,
        said,
        (picture(bars(drawn, 0.0, "share", percent=True), f"Of all that {question.came.replace('_', ' ')}."),),
    )


ANSWERS: dict[str, Callable[[Question, Asked], Answer]] = {
    "figures": figures,
    "tables": tables,
    "changes": changes,
    "outcome": outcome,
    "count": count,
    "risk": risk,
    "supply": supply,
    "fates": fates,
    "seats": seats,
    "sweep": sweep,
    "without": without,
}
