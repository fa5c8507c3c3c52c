"""The kinds of questions that a game can declare: each has one function, from games to a sentence, a chart and a table.

Some of these functions stand in `counting_questions`, `headline_questions` and `variant_questions`; `ANSWERS` has them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from sutler.lab.designer.claims_across_bots import (
    build_headline_evidence,
    describe_logged_games,
    judge_claims_across_bots,
    judge_logged_games,
)
from sutler.lab.designer.counting_questions import add_causes, answer_count, count_events_by_game
from sutler.lab.designer.declared_questions import Answer, Question, QuestionContext
from sutler.lab.designer.headline_questions import (
    answer_changes,
    answer_figures,
    answer_tables,
    format_value_cell,
    list_table_headers,
    list_table_rows,
    render_beyond_bounds_note,
)
from sutler.lab.designer.variant_questions import answer_seats, answer_sweep, answer_without
from sutler.lab.play.event_logs import LoggedGames, LogSettings, play_and_log
from sutler.lab.play.headline_figures import Figure, Numbers
from sutler.lab.report.study_charts import Bar, Curve, render_curves, render_interval_bars
from sutler.lab.report.study_pages import render_chart_with_caption, render_table
from sutler.lab.stats.estimates import format_count_with_noun
from sutler.lab.studies.claim_verdicts import Evidence, Level, Proportion

RARE_SHARE = 0.05
"""A supply is large enough where it runs out in at most this share of games."""
SUPPLY_GAMES_DIVISOR = 4
"""The games with an unlimited supply are those asked for divided by this number."""


# --- outcome: event `passed`, event `failed` ---------------------------------------------------------------------


def answer_outcome(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about how games end and with how many points.

    For each part of the game it also has the share of attempts that passed.
    """
    watched = context.watched
    wanted = [f"ends_{watched.game.definition.events.endings[0]}", "score"]
    held = judge_logged_games(
        context,
        lambda one: build_headline_evidence(context, one.table, wanted),
        alone=_count_attempts_by_part(question, context, watched),
    )
    won, score = sorted(held.lines, key=lambda line: not line.figure.share)
    said = (
        f"{format_value_cell(won.figure, won.values[0])} of {context.sheet.game}s are won; "
        f"{format_value_cell(score.figure, score.values[0])} points on average."
    )
    others = [
        f"{bot} {won.figure.format_value(a[0])} and {score.figure.format_value(b[0])}"
        for bot, a, b in zip(held.bots[1:], won.values[1:], score.values[1:], strict=True)
    ]
    said += f" Between others, won and points: {'; '.join(others)}." if others else ""
    drawn, cells = [], []
    for line in held.alone:
        value, low, high = line.values[0]
        drawn.append(Bar(line.figure.label, low, value, high, f"{100 * value:.0f} %"))
        cells.append((line.figure.label, format_value_cell(line.figure, line.values[0])))
    kinds = f"{question.passed}, of all {question.passed} or {question.failed}"
    shown = render_chart_with_caption(
        render_interval_bars(drawn, 0.0, "share", percent=True), f"By {context.sheet.part}: {kinds}."
    )
    body = (
        render_table(list_table_headers(["figure"], held, context.sheet.game), list_table_rows([won, score], held)),
        shown,
        render_table((context.sheet.part, question.passed), cells),
        *render_beyond_bounds_note(held),
    )
    return Answer(
        question,
        said,
        body,
        held.verdict,
        describe_logged_games(context) + held.describe_other_bots(context.sheet.game),
    )


def _count_attempts_by_part(
    question: Question, context: QuestionContext, logged: LoggedGames
) -> dict[Figure, Proportion]:
    """For each part of the game, the number of attempts and the number that passed."""
    passed, failed = logged.select_kinds(question.passed), logged.select_kinds(question.failed)
    found = {}
    for part in sorted(set(passed["part"]) | set(failed["part"])):
        k, m = (count_events_by_game(of.filter(pl.col("part") == part), logged.games) for of in (passed, failed))
        name = f"{context.sheet.part} {part}"
        found[Figure(name, name, "", share=True)] = Proportion(k, k + m)
    return found


# --- risk: `probe`, `event`, `cause`, `causes` that end it -----------------------------------------------------------


def match_probes_to_causes(probed: pl.DataFrame, causes: pl.DataFrame) -> pl.DataFrame:
    """The probed decisions after which an event of `causes` came before the next probed decision, whose index is `end`.

    Other probed decisions, such as that of the first of several seats who must all agree to roll, led to no roll yet.
    """
    ends = probed.with_columns(end=pl.col("i").shift(-1).over("game").fill_null(1 << 30))
    came = causes.select("game", "i", at="i").sort("i")
    first = ends.sort("i").join_asof(came, on="i", by="game", strategy="forward", check_sortedness=False)
    return first.filter(pl.col("at") < pl.col("end")).sort("game", "i")


def answer_risk(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about a feared event: how often it came, by the chance that was predicted for it."""
    probed = context.watched.probes.filter(pl.col("probe") == question.probe).sort("game", "i")
    if not len(probed):
        return Answer(question, "No such decision was met.", ())
    hits = add_causes(context.watched, question.event, [question.cause, *question.causes])
    hits = hits.filter(pl.col("cause") == question.cause)
    by_game_hits: dict[int, list[tuple[int, int]]] = {}
    for row in hits.iter_rows(named=True):
        if row["since"] is not None:
            by_game_hits.setdefault(row["game"], []).append((row["since"], row["i"]))
    rolled, chances, came = [], [], []
    for row in match_probes_to_causes(probed, context.watched.select_kinds(question.cause)).iter_rows(named=True):
        rolled.append(row["game"])
        chances.append(row["value"])
        falls = by_game_hits.get(row["game"], [])
        came.append(any(row["i"] <= since and i < row["end"] for since, i in falls))
    edges = [0.0, 1e-9, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0 + 1e-9]
    told = ["none", "under 5%", "5–10%", "10–20%", "20–35%", "35–50%", "50–75%", "over 75%"]
    p, c = np.array(chances), np.array(came, dtype=bool)
    rolls = pl.DataFrame({"game": np.array(rolled, np.int64), "p": p, "came": c})
    every = {"every roll": rolls} | {
        name: rolls.filter((pl.col("p") >= a) & (pl.col("p") < b))
        for name, a, b in zip(told, edges[:-1], edges[1:], strict=True)
    }
    games = context.watched.games
    shares: dict[Figure, Evidence] = {
        Figure(name, name, "", share=True): Proportion(
            count_events_by_game(mine.filter(pl.col("came")), games), count_events_by_game(mine, games)
        )
        for name, mine in every.items()
        if len(mine) or name == "every roll"
    }
    all_of_them, *bins = judge_claims_across_bots(context, [{}], [games], first_group_only=shares).alone
    drawn = [
        Bar(one.figure.label, low, value, high, f"{100 * value:.0f} % of {len(every[one.figure.label]):,}")
        for one in bins
        for value, low, high in one.values
    ]
    rows = [
        (
            one.figure.label,
            f"{len(every[one.figure.label]):,}",
            f"{float(every[one.figure.label]['p'].to_numpy().mean()):.1%}",
            format_value_cell(one.figure, one.values[0]),
        )
        for one in bins
    ]
    blind = int((c & (p < 0.05)).sum())
    said = f"In {format_value_cell(all_of_them.figure, all_of_them.values[0])} of rolls somebody fell; "
    said += f"{blind} of {format_count_with_noun(int(c.sum()), 'such roll')} came where the chance told was under 5 %."
    body = render_chart_with_caption(
        render_interval_bars(drawn, 0.0, "how often it came", percent=True),
        "By the chance that was told before the roll.",
    )
    return Answer(question, said, (body, render_table(("told", "rolls", "mean chance", "came"), rows)))


# --- supply: `event` with part `of`, `field` indexed by `of`, `setting` with `room`, `values` ------------------------


def answer_supply(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about a supply: how often it ran out, and how large it should be.

    The size needed is read from the peaks in games in which the supply is unlimited.
    """
    watched, kind = context.watched, question.key_parts[0]
    found = watched.select_kinds(question.event)
    column = watched.find_column(question.event, kind)
    names = [str(name) for name in watched.game.names[kind]]
    wide = context.load_variant({question.setting: question.room})
    n = context.count_games_for_further_questions(SUPPLY_GAMES_DIVISOR)
    wanted = LogSettings(context.sheet.opens, [question.field])
    free = play_and_log(wide, context.query.bots, context.query.n_seats, n, context.query.seed, wanted, context.tell)
    peaks = {name: free.ends[f"{question.field}_{r}"].to_numpy() for r, name in enumerate(names)}
    sizes = [int(value) for value in question.values]
    any_of_them = np.max(list(peaks.values()), axis=0)
    short = {name: found.filter(pl.col(column) == r) for r, name in enumerate(names)}
    alone = {_build_share_figure(name): _build_games_with_events(mine, watched.games) for name, mine in short.items()}
    alone |= {
        _build_share_figure(f"{name}, {size}"): Level((of > size).astype(np.float64), share=True)
        for name, of in (peaks | {"any": any_of_them}).items()
        for size in sizes
    }
    out = Figure("out", f"some {kind} could not be taken", "", share=True)
    held = judge_logged_games(
        context, lambda one: {out: _build_games_with_events(one.select_kinds(question.event), one.games)}, alone=alone
    )
    seen = {line.figure.name: line.values[0] for line in held.alone}
    curved = [
        Curve(name, *(list(part) for part in zip(*(seen[f"{name}, {size}"] for size in sizes), strict=True)))
        for name in names
    ]
    enough = next((size for size in sizes if seen[f"any, {size}"][0] <= RARE_SHARE), None)
    last = seen[f"any, {enough or sizes[-1]}"]
    too_few = (
        f"{enough or sizes[-1]} of each {'are still' if enough else 'are'} too few in {format_value_cell(out, last)}"
    )
    said = f"In {format_value_cell(out, held.lines[0].values[0])} of {context.sheet.game}s some {kind} could not be taken. {too_few}."
    drawn = render_curves([str(size) for size in sizes], curved, "of each in the box", lambda v: f"{100 * v:.0f} %")
    caption = f"The share of {format_count_with_noun(n, context.sheet.game)}, with as many as anybody could want, "
    caption += "in which more than so many were in play."
    body = [
        render_chart_with_caption(drawn, caption),
        render_shortages(question, context, short, [format_value_cell(out, seen[name]) for name in names]),
    ]
    body += (
        [render_table(list_table_headers(["figure"], held, context.sheet.game), list_table_rows(held.lines, held))]
        if held.is_held
        else []
    )
    return Answer(
        question,
        said,
        tuple(body),
        held.verdict,
        describe_logged_games(context) + held.describe_other_bots(context.sheet.game),
    )


def _build_share_figure(name: str) -> Figure:
    """A figure called `name` that is a share of games."""
    return Figure(name, name, "", share=True)


def _build_games_with_events(events: pl.DataFrame, games: int) -> Level:
    """For each game whether it has any of these events, as evidence for a share of games."""
    return Level((count_events_by_game(events, games) > 0).astype(np.float64), share=True)


def render_shortages(
    question: Question, context: QuestionContext, failed_events: Mapping[str, pl.DataFrame], games_with: Sequence[str]
) -> str:
    """A table of shortages as HTML: how often each thing was lacking, by part of the game, and the share of games with a shortage.

    `failed_events`: for each thing, the events in which it could not be taken; `games_with`: for each thing, the share of games as
    text.
    """
    games = context.watched.games
    parts = sorted({part for mine in failed_events.values() for part in mine["part"]})
    cells = [
        (name, *(f"{len(mine.filter(pl.col('part') == part)) / games:.1f}" for part in parts), told)
        for (name, mine), told in zip(failed_events.items(), games_with, strict=True)
    ]
    return render_table(
        (question.key_parts[0], *(f"{context.sheet.part} {part}" for part in parts), "games with it"), cells
    )


# --- fates: `of` things that `came`, and their `ends` -----------------------------------------------------------------


def answer_fates(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about the fate of things that came into play: what removed them, how many stayed, for how long."""
    found = _collect_fates(question, context.watched)
    words = [*dict.fromkeys(question.ends.values()), question.stays]
    every = {word: Figure(word, word, "", share=True) for word in words}

    def read(watched: LoggedGames) -> dict[Figure, Proportion]:
        fate = found if watched is context.watched else _collect_fates(question, watched)
        came = fate.count_arrivals(watched.games)
        return {every[word]: Proportion(fate.count_things_with_fate(word, watched.games), came) for word in words}

    held = judge_logged_games(context, read)
    order = sorted(held.lines, key=lambda one: -one.values[0][0])
    came = len(found.fates) / context.watched.games
    said = f"Of {came:.1f} a {context.sheet.game}: "
    said += "; ".join(f"{line.figure.label} {format_value_cell(line.figure, line.values[0])}" for line in order) + "."
    if question.moved:
        said += f" Stayed to the end and never moved: {100 * found.never_moved / max(1, len(found.fates)):.0f} %."
    first = next(iter(question.ends.values()))
    if question.clock and (turns := [turns for _, word, turns in found.fates if word == first]):
        said += f" Turns until “{first}”: {np.mean(turns):.1f} on average."
    drawn = [
        Bar(line.figure.label, low, value, high, f"{100 * value:.0f} %")
        for line in order
        for value, low, high in line.values[:1]
    ]
    shown = render_chart_with_caption(
        render_interval_bars(drawn, 0.0, "share", percent=True), f"Of all that {question.came.replace('_', ' ')}."
    )
    body = (
        shown,
        render_table(list_table_headers(["what became of it"], held, context.sheet.game), list_table_rows(order, held)),
    )
    return Answer(
        question,
        said,
        body,
        held.verdict,
        describe_logged_games(context) + held.describe_other_bots(context.sheet.game),
    )


@dataclass
class _Fates:
    """The fates of all things that came into play, over all games."""

    fates: list[tuple[int, str, int]] = field(default_factory=list)
    """(game, fate in words, turns until then) of each thing."""
    never_moved: int = 0
    """The number of things that stayed to the end where they had come to."""

    def count_arrivals(self, games: int) -> Numbers:
        """The number of things that came into play in each game, shape (games,)."""
        return self._count_by_game([game for game, _, _ in self.fates], games)

    def count_things_with_fate(self, fate: str, games: int) -> Numbers:
        """The number of things with this fate in each game, shape (games,)."""
        return self._count_by_game([game for game, end, _ in self.fates if end == fate], games)

    def _count_by_game(self, found: list[int], games: int) -> Numbers:
        """The number of times that each game's number occurs in the list, shape (games,)."""
        return np.bincount(np.array(found, np.int64), minlength=games).astype(np.float64)


def _collect_fates(question: Question, logged: LoggedGames) -> _Fates:
    """The fate of each thing that came into play: the first event after its arrival that ends its stay.

    A thing that comes into play again counts as a new one.
    """
    thing = question.key_parts[0]
    kinds = [question.came, *question.ends, *([question.moved] if question.moved else []), *question.clock]
    rows = logged.events.filter(pl.col("kind").is_in(kinds)).sort("game", "i")
    column = {kind: logged.find_column(kind, thing) for kind in kinds if kind not in question.clock}
    found, here = _Fates(), dict[int, list[int]]()
    game = turn = 0

    def record_stays(things: Iterable[list[int]]) -> None:
        """Record that these things, each as [moves, turn of arrival], stayed to the end of their game."""
        for moves, since in things:
            found.fates.append((game, question.stays, turn - since))
            found.never_moved += not moves

    for row in rows.iter_rows(named=True):
        if row["game"] != game:
            record_stays(here.values())
            here, game, turn = {}, row["game"], 0
        kind = row["kind"]
        if kind in question.clock:
            turn += 1
            continue
        card = row[column[kind]]
        if kind == question.came:
            if card in here:
                found.fates.append((game, question.stays, turn - here[card][1]))
            here[card] = [0, turn]
        elif card in here and kind == question.moved:
            here[card][0] += 1
        elif card in here:
            found.fates.append((game, question.ends[kind], turn - here.pop(card)[1]))
    record_stays(here.values())
    return found


ANSWERS: dict[str, Callable[[Question, QuestionContext], Answer]] = {
    "figures": answer_figures,
    "tables": answer_tables,
    "changes": answer_changes,
    "outcome": answer_outcome,
    "count": answer_count,
    "risk": answer_risk,
    "supply": answer_supply,
    "fates": answer_fates,
    "seats": answer_seats,
    "sweep": answer_sweep,
    "without": answer_without,
}
