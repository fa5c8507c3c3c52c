"""Answers to questions about headline figures: their values, their values for each number of seats, and the effect of changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from sutler.lab.designer.claims_across_bots import (
    HeldClaims,
    build_headline_evidence,
    compute_even_shares_won,
    describe_logged_games,
    join_with_verdicts,
    judge_claims_across_bots,
    judge_logged_games,
)
from sutler.lab.designer.declared_questions import Answer, Question, QuestionContext
from sutler.lab.play.bot_groups import format_bot_names
from sutler.lab.play.headline_figures import Figure, Numbers
from sutler.lab.report.study_charts import Bar, render_interval_bars
from sutler.lab.report.study_pages import render_chart_with_caption, render_note, render_table
from sutler.lab.stats.estimates import capitalize_first, format_count_with_noun, round_up_games
from sutler.lab.stats.three_valued_verdict import SHARE_MATTERS, Verdict, judge_moved
from sutler.lab.studies.claim_verdicts import MEAN_NEAR, Estimate, Evidence, JudgedClaim, Level, Shift

SORTED_PREFIXES = ("power_", "ends_")
"""Beginnings of the names of figures that are sorted by size; seats stay in their order."""
MAX_FIGURES_SAID = 6
"""The most figures named in the sentence; the table has all."""
MORE_VERDICT, LESS_VERDICT, NO_MATTER, UNCHANGED, TOO_FEW_GAMES = (
    "more",
    "less",
    "too small to matter",
    "the same",
    "too few games",
)


def find_figure_order(question: Question, figure: Figure) -> int:
    """The sort key of a figure: its index among those that the question asks for; StopIteration if it is not among them."""
    return next(i for i, name in enumerate(question.figures) if figure.name.startswith(name))


def format_value_cell(figure: Figure, value: Estimate, signed: bool = False) -> str:
    """A value with its interval as text; with `signed`, as a difference with its sign."""
    return f"{figure.format_value(value[0], signed)} ({figure.format_interval(*value[1:], signed)})"


def label_figure(part: str, figure: Figure) -> Figure:
    """A copy of a figure whose name and label begin with `part`, such as a number of players or the title of a change."""
    return replace(figure, name=f"{part}: {figure.name}", label=f"{part}: {figure.sentence_label}")


def render_beyond_bounds_note(held: HeldClaims) -> list[str]:
    """A list with a paragraph about means that depend on a few extreme games, as HTML; empty where no mean does."""
    return [render_note(f"{'; '.join(held.extreme_game_remarks)}.")] if held.extreme_game_remarks else []


def list_table_headers(
    first: Sequence[str], held: HeldClaims, game_word: str, last: Sequence[str] = ()
) -> tuple[str, ...]:
    """The column headers of a table of claims: `first`, the verdict, each group's bots with their number of games, `last`.

    `game_word`: the word for one game. The verdict is second, since a phone shows two columns.
    """
    verdict = ["verdict"] if held.is_held else []
    return (
        *first,
        *verdict,
        *(f"{bot}, {format_count_with_noun(n, game_word)}" for bot, n in zip(held.bots, held.games, strict=True)),
        *last,
    )


def list_table_rows(claims: Sequence[JudgedClaim], held: HeldClaims) -> list[tuple[str, ...]]:
    """The rows of a table of claims: the label, the verdict, and the value of each group."""
    return [
        (
            one.figure.label,
            *([one.verdict] if held.is_held else []),
            *(format_value_cell(one.figure, value) for value in one.values),
        )
        for one in claims
    ]


# --- figures: `figures` ----------------------------------------------------------------------------------------


def answer_figures(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about the size of headline figures between these bots.

    Figures are compared with even shares and with those of other bots.
    """
    held = judge_logged_games(
        context, lambda watched: build_headline_evidence(context, watched.table, question.figures), even=True
    )
    order = sorted(
        held.lines,
        key=lambda one: (
            find_figure_order(question, one.figure),
            -one.values[0][0] if one.figure.name.startswith(SORTED_PREFIXES) else 0,
        ),
    )
    told = [f"{one.figure.sentence_label}: {format_value_cell(one.figure, one.values[0])}" for one in order]
    told[0] = capitalize_first(told[0])
    said = (
        "; ".join(told[:MAX_FIGURES_SAID])
        + (f"; and {len(told) - MAX_FIGURES_SAID} more" if len(told) > MAX_FIGURES_SAID else "")
        + "."
    )
    apart = [one for one in order if one.even is not None]
    if apart:
        off = [one.figure.label for one in apart if one.find_side_of_even(0)]
        said += f" Even is {_describe_even_shares(apart)}; " + (
            f"surely off it: {', '.join(off)}." if off else "none is surely off it."
        )
    body = [_render_bars_between_bots(kind, held.bots) for kind in _group_claims_by_axis(order)]
    body += [
        render_table(list_table_headers(["figure"], held, context.sheet.game), list_table_rows(order, held)),
        *render_beyond_bounds_note(held),
    ]
    return Answer(
        question,
        said,
        tuple(body),
        held.verdict,
        describe_logged_games(context) + held.describe_other_bots(context.sheet.game),
    )


def _describe_even_shares(claims: Sequence[JudgedClaim]) -> str:
    """The distinct even shares of these claims, as text."""
    return ", ".join(dict.fromkeys(one.figure.format_value(one.even) for one in claims if one.even is not None))


def _group_claims_by_axis(claims: Sequence[JudgedClaim]) -> list[list[JudgedClaim]]:
    """The claims grouped by the axis of their chart: all shares together, then every other figure alone."""
    shares = [one for one in claims if one.figure.share]
    return [group for group in (shares, *([one] for one in claims if not one.figure.share)) if group]


def _render_bars_between_bots(claims: Sequence[JudgedClaim], bots: Sequence[str]) -> str:
    """A chart, as HTML: the shares between the first bots, or one other figure between each of the bots."""
    share = claims[0].figure.share
    if not share:
        figure, values = claims[0].figure, claims[0].values
        drawn = [
            Bar(bot, low, mean, high, figure.format_value(mean))
            for bot, (mean, low, high) in zip(bots, values, strict=True)
        ]
        return render_chart_with_caption(
            render_interval_bars(drawn, 0.0, figure.label),
            f"{capitalize_first(figure.label)} between each of these bots, with its interval.",
        )
    drawn = []
    for one in claims:
        value, low, high = one.values[0]
        tone = {1: "more", -1: "less", 0: ""}[one.find_side_of_even(0)]
        drawn.append(Bar(one.figure.label, low, value, high, one.figure.format_value(value), tone))
    even = next((one.even for one in claims if one.even is not None), None)
    rule = f"; the line is an even share, {claims[0].figure.format_value(even)}" if even is not None else ""
    first = f" Between {bots[0]}; the others stand in the table." if len(bots) > 1 else ""
    caption = f"Share of games, with its interval{rule}.{first}"
    return render_chart_with_caption(render_interval_bars(drawn, even or 0.0, "share of games", percent=True), caption)


# --- tables: `figures` at each of `seats` ------------------------------------------------------------------------------


def answer_tables(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about headline figures for each number of players.

    Figures are compared with even shares and with those of other bots.
    """
    n, game = context.count_games_for_further_questions(question.share), context.watched.game
    found: list[dict[Figure, Evidence]] = [{} for _ in context.groups]
    even: list[dict[str, float]] = [{} for _ in context.groups]
    size: dict[Figure, tuple[str, Figure]] = {}
    for seats in question.seats:
        name = format_count_with_noun(seats, "player")
        for k, group in enumerate(context.groups):
            played_there = group.play_games(game, seats, n)
            by_name = compute_even_shares_won(context, played_there)
            seen = build_headline_evidence(context, played_there, question.figures)
            for one in sorted(seen, key=lambda figure: find_figure_order(question, figure)):
                claim = label_figure(name, one)
                found[k][claim], size[claim] = seen[one], (name, one)
                even[k] |= {claim.name: by_name[one.name]} if one.name in by_name else {}
    held = judge_claims_across_bots(context, found, [one.count_games_to_play(n) for one in context.groups], even)
    has_even = any(one.even is not None for one in held.lines)
    rows = [
        (*row, _format_even_cell(one)) if has_even else row
        for one, row in zip(held.lines, list_table_rows(held.lines, held), strict=True)
    ]
    told, body = _describe_sizes(held.lines, size)
    body += [
        render_table(
            list_table_headers(["table and figure"], held, context.sheet.game, ["even"] if has_even else []), rows
        ),
        *render_beyond_bounds_note(held),
    ]
    on = f"{format_count_with_noun(held.games[0], context.sheet.game)} at each table between {format_bot_names(context.query.bots)}"
    return Answer(question, told, tuple(body), held.verdict, on + held.describe_other_bots(context.sheet.game))


def _format_even_cell(claim: JudgedClaim) -> str:
    """The even share of a claim's figure, and whether the first bots' value is surely above or below it; "" without an even share."""
    side = ("", f", {MORE_VERDICT}", f", {LESS_VERDICT}")[claim.find_side_of_even(0)]
    return "" if claim.even is None else f"{claim.figure.format_value(claim.even)}{side}"


def _describe_sizes(claims: Sequence[JudgedClaim], size: Mapping[Figure, tuple[str, Figure]]) -> tuple[str, list[str]]:
    """The sentences and the charts of figures for several numbers of players.

    `size`: by figure of a claim, the number of players in words and the figure without that number.
    """
    uneven: list[Bar] = []
    plain: dict[Figure, list[Bar]] = {}
    off: list[str] = []
    furthest = 0.0
    for line in claims:
        value, low, high = line.values[0]
        name, one = size[line.figure]
        if line.even is None:
            plain.setdefault(one, []).append(Bar(name, low, value, high, one.format_value(value)))
            continue
        side = ("", MORE_VERDICT, LESS_VERDICT)[line.find_side_of_even(0)]
        gap = one.format_value(value - line.even, signed=True)
        uneven.append(Bar(line.figure.label, low - line.even, value - line.even, high - line.even, gap, side))
        off += (
            [f"{line.figure.label} {format_value_cell(one, line.values[0])}, even {one.format_value(line.even)}"]
            if side
            else []
        )
        furthest = max(furthest, high - line.even, line.even - low)
    told = [
        f"{capitalize_first(one.sentence_label)}: "
        f"{'; '.join(_describe_bar(one, bar) for bar in _pick_first_and_last(drawn))}"
        for one, drawn in plain.items()
    ]
    if uneven:
        nothing = f"Nothing is surely off even; it may be off by up to {100 * furthest:.1f} points"
        told.append("Surely off even: " + "; ".join(off) if off else nothing)
    body = [
        render_chart_with_caption(
            render_interval_bars(drawn, 0.0, one.label, percent=one.share),
            f"{capitalize_first(one.label)}, with its interval.",
        )
        for one, drawn in plain.items()
    ]
    if uneven:
        caption = "How far from an even share, with its interval."
        body.insert(
            0, render_chart_with_caption(render_interval_bars(uneven, 0.0, "points from even", percent=True), caption)
        )
    return "\n".join(f"{one}." for one in told), body


def _describe_bar(figure: Figure, bar: Bar) -> str:
    """The value of a bar with its interval, and the number of players that it belongs to, in words."""
    return f"{format_value_cell(figure, (bar.value, bar.low, bar.high))} at {bar.label}"


def _pick_first_and_last(bars_by_size: Sequence[Bar]) -> list[Bar]:
    """The bars for the smallest and for the largest number of players."""
    return [bars_by_size[0], bars_by_size[-1]] if len(bars_by_size) > 1 else list(bars_by_size)


# --- changes: `figures` with each of `changes` -------------------------------------------------------------------


def answer_changes(question: Question, context: QuestionContext) -> Answer:
    """The answer to a question about the effect of each change on headline figures.

    Games with and without the change have equal seeds; effects are compared with those between other bots.
    """
    n = context.count_games_for_further_questions(question.share)
    versions = {change.title: context.load_variant(change.set) for change in question.changes}
    context = context.keep_bots_able_to_play(list(versions.values()))
    turned: dict[Figure, tuple[str, Figure]] = {}
    found: list[dict[Figure, Evidence]] = []
    same: set[str] = set()
    for k, group in enumerate(context.groups):
        before = group.list_unchanged_games(n)
        seen: dict[Figure, Evidence] = {}
        for change in question.changes:
            after = group.play_games(versions[change.title], context.query.n_seats, n)
            same |= {change.title} if not k and _are_tables_equal(before, after) else set()
            for one, moved in _compute_change_effects(question, context, before, after).items():
                seen[label_figure(change.title, one)] = moved
                turned[label_figure(change.title, one)] = change.title, one
        found.append(seen)
    nothing = [dict.fromkeys((one.name for one in seen), 0.0) for seen in found]
    held = judge_claims_across_bots(context, found, [one.count_games_to_play(n) for one in context.groups], nothing)
    rows, kinds = [], []
    for line in held.lines:
        title, one = turned[line.figure]
        shift = found[0][line.figure]
        assert isinstance(shift, Shift)
        kind = UNCHANGED if title in same else _judge_effect(line, shift)
        kinds.append(kind)
        rows.append(
            (
                line.figure.label,
                *([line.verdict] if held.is_held else []),
                *(format_value_cell(one, value, signed=True) for value in line.values),
                kind,
                f"{one.format_value(float(shift.before.mean()))} to {one.format_value(float(shift.after.mean()))}",
            )
        )
    said, body = _describe_changes(held, turned, question)
    body += [
        render_table(list_table_headers(["change and figure"], held, context.sheet.game, ["effect", "from, to"]), rows),
        *render_beyond_bounds_note(held),
    ]
    on = (
        f"{format_count_with_noun(n, context.sheet.game)} at "
        f"{format_count_with_noun(context.query.n_seats, 'seat')} with and without each change"
    )
    on += f", between {format_bot_names(context.query.bots)}"
    return Answer(
        question,
        said,
        tuple(body),
        _describe_certainty(kinds, held, _estimate_games_to_decide(held, kinds, found[0], n)),
        on + held.describe_other_bots(context.sheet.game),
    )


def _compute_change_effects(
    question: Question, context: QuestionContext, before: pl.DataFrame, after: pl.DataFrame
) -> dict[Figure, Shift]:
    """The evidence for the effect of a change on every figure that the question asks for and that both tables of games have."""
    sides = [build_headline_evidence(context, side, question.figures) for side in (before, after)]
    shared = sorted((one for one in sides[0] if one in sides[1]), key=lambda one: find_figure_order(question, one))
    return {one: Shift(_extract_values(sides[0][one]), _extract_values(sides[1][one]), one.share) for one in shared}


def _extract_values(evidence: Evidence) -> Numbers:
    """The values of a figure, one for each game, as an array."""
    assert isinstance(evidence, Level)
    return evidence.values


def _are_tables_equal(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Do two tables of games agree in every column but the box?"""
    return one.columns == other.columns and one.drop("box").equals(other.drop("box"))


def _judge_effect(claim: JudgedClaim, shift: Shift) -> str:
    """The verdict on an effect: more, less, too small to matter, or too few games."""
    if side := claim.find_side_of_even(0):
        return (MORE_VERDICT, LESS_VERDICT)[side < 0]
    _, low, high = claim.values[0]
    return (
        NO_MATTER if judge_moved(low, high, _compute_largest_negligible_effect(shift)) is Verdict.NO else TOO_FEW_GAMES
    )


def _compute_largest_negligible_effect(shift: Shift) -> float:
    """The largest effect that does not matter, in the figure's own unit."""
    return SHARE_MATTERS if shift.share else MEAN_NEAR * abs(float(shift.before.mean()))


def _describe_changes(
    held: HeldClaims, changed_figures: Mapping[Figure, tuple[str, Figure]], question: Question
) -> tuple[str, list[str]]:
    """The sentences about changes whose effect is beyond chance, and the charts of all effects.

    `changed_figures`: by figure of a claim, the title of the change and the figure without that title.
    """
    drawn: dict[Figure, list[Bar]] = {}
    seen: dict[str, list[tuple[str, str]]] = {}
    for line in held.lines:
        title, one = changed_figures[line.figure]
        value, low, high = line.values[0]
        tone = ("", MORE_VERDICT, LESS_VERDICT)[line.find_side_of_even(0)]
        drawn.setdefault(one, []).append(Bar(title, low, value, high, one.format_value(value, signed=True), tone))
        if tone:
            moved = f"{one.sentence_label} {format_value_cell(one, line.values[0], signed=True)}"
            seen.setdefault(title, []).append((moved, line.verdict if held.is_held else ""))
    told = [f"{title}: {join_with_verdicts(of)}." for title, of in seen.items()]
    said = "\n".join(map(capitalize_first, told))
    body = [
        render_chart_with_caption(
            render_interval_bars(of, 0.0, f"{one.label}, with the change less without", percent=one.share),
            f"{capitalize_first(one.label)}: what each change does, with its interval.",
        )
        for one, of in drawn.items()
        if any(bar.tone for bar in of) or len(drawn) == 1
    ]
    names = " or ".join(
        f"{f'“{one.label}”' if one.sentence_label == one.label else one.sentence_label} ({_describe_range(one, of)})"
        for one, of in drawn.items()
    )
    none = "None of these changes is seen" if len(question.changes) > 1 else "The change is not seen"
    return said or f"{none} to move {names}.", body


def _describe_range(figure: Figure, drawn: Sequence[Bar]) -> str:
    """The range of the effects of some changes on a figure, in words."""
    ends = figure.format_interval(min(bar.low for bar in drawn), max(bar.high for bar in drawn), signed=True)
    return f"{'each somewhere in' if len(drawn) > 1 else 'somewhere in'} {ends}"


def _estimate_games_to_decide(
    held: HeldClaims, kinds: Sequence[str], found: Mapping[Figure, Evidence], games: int
) -> int:
    """The estimated number of games that would show whether each undecided effect matters; 0 if none is undecided.

    `kinds`: the verdict of each claim; `games`: the number of games that were played.
    """
    needed = 0.0
    for line, kind in zip(held.lines, kinds, strict=True):
        shift = found[line.figure]
        if (
            kind == TOO_FEW_GAMES
            and isinstance(shift, Shift)
            and (near := _compute_largest_negligible_effect(shift)) > 0
        ):
            _, low, high = line.values[0]
            needed = max(needed, games * ((high - low) / 2 / near) ** 2)
    return round_up_games(needed) if needed else 0


def _describe_certainty(kinds: Sequence[str], held: HeldClaims, games_needed: int) -> str:
    """The number of differences beyond chance, and whether other bots show them too, in words.

    `kinds`: the verdict of each claim; `games_needed`: the number of games that would settle the rest.
    """
    moved = sum(kind in (MORE_VERDICT, LESS_VERDICT) for kind in kinds)
    words = f"{moved} of {format_count_with_noun(len(kinds), 'difference')} beyond chance"
    few = sum(kind == TOO_FEW_GAMES for kind in kinds)
    told = f" (about {games_needed:,} a version would tell)" if games_needed else ""
    words += f", {few} for which there are too few games{told}" if few else ""
    return f"{words}. Between other bots: {held.verdict}" if held.is_held else words
