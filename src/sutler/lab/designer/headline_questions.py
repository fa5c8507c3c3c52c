"""Answers to questions about headline figures: their values, their values for each number of seats, and the effect of changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from sutler.lab.designer.claims_across_bots import (
    HeldClaims,
    even_shares_won,
    games_in_words,
    headline_evidence,
    hold_claims,
    hold_logged_games,
)
from sutler.lab.designer.declared_questions import Answer, Question, QuestionContext
from sutler.lab.play.bot_groups import names_of_bots
from sutler.lab.play.figures import Figure, Numbers
from sutler.lab.report.study_charts import Bar, bars
from sutler.lab.report.study_pages import note, picture, table
from sutler.lab.stats.estimates import count_of, round_games
from sutler.lab.stats.verdict import SHARE_MATTERS, Verdict, has_moved
from sutler.lab.studies.verdicts import MEAN_NEAR, Estimate, Evidence, JudgedClaim, Level, Shift

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


def figure_order(question: Question, figure: Figure) -> int:
    """The place of a figure among those that the question asks for, as a sort key."""
    return next(i for i, name in enumerate(question.figures) if figure.name.startswith(name))


def value_cell(figure: Figure, value: Estimate, sign: bool = False) -> str:
    """A value with its interval as text; with `sign`, a difference."""
    return f"{figure.say(value[0], sign)} ({figure.span(*value[1:], sign)})"


def figure_in_part(part: str, one: Figure) -> Figure:
    """A copy of a figure whose name and label begin with `part`, such as a number of players or a change."""
    return replace(one, name=f"{part}: {one.name}", label=f"{part}: {one.subject}")


def beyond_bounds_note(held: HeldClaims) -> list[str]:
    """A paragraph about means that rest on a few extreme games, in a list; an empty list where there are none."""
    return [note(f"{'; '.join(held.beyond)}.")] if held.beyond else []


def table_heads(first: Sequence[str], held: HeldClaims, games: str, last: Sequence[str] = ()) -> tuple[str, ...]:
    """The heads of a table of claims: `first`, the verdict, each group's bots with their number of games, `last`.

    `games`: the word for one game. The verdict is second, since a phone shows two columns.
    """
    verdict = ["verdict"] if held.is_held else []
    return (
        *first,
        *verdict,
        *(f"{bot}, {count_of(n, games)}" for bot, n in zip(held.bots, held.games, strict=True)),
        *last,
    )


def table_rows(lines: Sequence[JudgedClaim], held: HeldClaims) -> list[tuple[str, ...]]:
    """The rows of a table of claims: label, verdict, and each group's value."""
    return [
        (
            one.figure.label,
            *([one.verdict] if held.is_held else []),
            *(value_cell(one.figure, value) for value in one.values),
        )
        for one in lines
    ]


# --- figures: `figures` ----------------------------------------------------------------------------------------


def figures(question: Question, context: QuestionContext) -> Answer:
    """Answer how large headline figures are between these bots, compared with even shares and with other bots."""
    held = hold_logged_games(
        context, lambda watched: headline_evidence(context, watched.table, question.figures), even=True
    )
    order = sorted(
        held.lines,
        key=lambda one: (
            figure_order(question, one.figure),
            -one.values[0][0] if one.figure.name.startswith(SORTED_PREFIXES) else 0,
        ),
    )
    told = [f"{one.figure.subject}: {value_cell(one.figure, one.values[0])}" for one in order]
    told[0] = told[0][:1].upper() + told[0][1:]
    said = (
        "; ".join(told[:MAX_FIGURES_SAID])
        + (f"; and {len(told) - MAX_FIGURES_SAID} more" if len(told) > MAX_FIGURES_SAID else "")
        + "."
    )
    apart = [one for one in order if one.even is not None]
    if apart:
        off = [one.figure.label for one in apart if one.side(0)]
        said += f" Even is {_even_shares_in_words(apart)}; " + (
            f"surely off it: {', '.join(off)}." if off else "none is surely off it."
        )
    body = [_bars_between_bots(kind, held.bots) for kind in _axis_groups(order)]
    body += [
        table(table_heads(["figure"], held, context.sheet.game), table_rows(order, held)),
        *beyond_bounds_note(held),
    ]
    return Answer(question, said, tuple(body), held.verdict, games_in_words(context) + held.against(context.sheet.game))


def _even_shares_in_words(lines: Sequence[JudgedClaim]) -> str:
    """The distinct even shares of these claims, as text."""
    return ", ".join(dict.fromkeys(one.figure.say(one.even) for one in lines if one.even is not None))


def _axis_groups(lines: Sequence[JudgedClaim]) -> list[list[JudgedClaim]]:
    """The claims grouped by the axis of their chart: all shares together, then every other figure alone."""
    shares = [one for one in lines if one.figure.share]
    return [group for group in (shares, *([one] for one in lines if not one.figure.share)) if group]


def _bars_between_bots(lines: Sequence[JudgedClaim], bots: Sequence[str]) -> str:
    """A chart of shares between the first bots, or of one other figure between each of the bots."""
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


# --- tables: `figures` at each of `seats` ------------------------------------------------------------------------------


def tables(question: Question, context: QuestionContext) -> Answer:
    """Answer how large headline figures are for each number of players, compared with even shares and with other bots."""
    n, game = context.games_at_side_table(question.share), context.watched.game
    found: list[dict[Figure, Evidence]] = [{} for _ in context.groups]
    even: list[dict[str, float]] = [{} for _ in context.groups]
    size: dict[Figure, tuple[str, Figure]] = {}
    for seats in question.seats:
        name = count_of(seats, "player")
        for k, group in enumerate(context.groups):
            played_there = group.play(game, seats, n)
            by_name = even_shares_won(context, played_there)
            seen = headline_evidence(context, played_there, question.figures)
            for one in sorted(seen, key=lambda figure: figure_order(question, figure)):
                claim = figure_in_part(name, one)
                found[k][claim], size[claim] = seen[one], (name, one)
                even[k] |= {claim.name: by_name[one.name]} if one.name in by_name else {}
    held = hold_claims(context, found, [one.games(n) for one in context.groups], even)
    rows = [
        (
            *row,
            "" if one.even is None else f"{one.figure.say(one.even)}{('', ', more', ', less')[one.side(0)]}",
        )
        for one, row in zip(held.lines, table_rows(held.lines, held), strict=True)
    ]
    told, body = _sizes_in_words(held.lines, size)
    body += [
        table(table_heads(["table and figure"], held, context.sheet.game, ["even"]), rows),
        *beyond_bounds_note(held),
    ]
    on = f"{count_of(held.games[0], context.sheet.game)} at each table between {names_of_bots(context.query.bots)}"
    return Answer(question, told, tuple(body), held.verdict, on + held.against(context.sheet.game))


def _sizes_in_words(lines: Sequence[JudgedClaim], size: Mapping[Figure, tuple[str, Figure]]) -> tuple[str, list[str]]:
    """The sentences and the charts of figures for several numbers of players.

    `size`: for each claim's figure, the number of players in words and the plain figure.
    """
    uneven: list[Bar] = []
    plain: dict[Figure, list[Bar]] = {}
    off: list[str] = []
    furthest = 0.0
    for line in lines:
        value, low, high = line.values[0]
        name, one = size[line.figure]
        if line.even is None:
            plain.setdefault(one, []).append(Bar(name, low, value, high, value_cell(one, line.values[0])))
            continue
        side = ("", MORE_VERDICT, LESS_VERDICT)[line.side(0)]
        gap = one.say(value - line.even, sign=True)
        uneven.append(Bar(line.figure.label, low - line.even, value - line.even, high - line.even, gap, side))
        off += [f"{line.figure.label} {value_cell(one, line.values[0])}, even {one.say(line.even)}"] if side else []
        furthest = max(furthest, high - line.even, line.even - low)
    told = [
        f"{one.subject[:1].upper()}{one.subject[1:]}: {'; '.join(f'{bar.told} at {bar.label}' for bar in _first_and_last(drawn))}"
        for one, drawn in plain.items()
    ]
    if uneven:
        nothing = f"Nothing is surely off even; it may be off by up to {100 * furthest:.1f} points"
        told.append("Surely off even: " + "; ".join(off) if off else nothing)
    body = [
        picture(bars(drawn, 0.0, one.label, percent=one.share), f"{one.label.capitalize()}, with its interval.")
        for one, drawn in plain.items()
    ]
    if uneven:
        caption = "How far from an even share, with its interval."
        body.insert(0, picture(bars(uneven, 0.0, "points from even", percent=True), caption))
    return ". ".join(told) + ".", body


def _first_and_last(drawn: Sequence[Bar]) -> list[Bar]:
    """The bars of the smallest and the largest number of players."""
    return [drawn[0], drawn[-1]] if len(drawn) > 1 else list(drawn)


# --- changes: `figures` with each of `changes` -------------------------------------------------------------------


def changes(question: Question, context: QuestionContext) -> Answer:
    """Answer what each change does to headline figures, from the same seeds with and without it, compared with other bots."""
    n = context.games_at_side_table(question.share)
    versions = {change.title: context.variant(change.set) for change in question.changes}
    context = context.with_able_bots(list(versions.values()))
    turned: dict[Figure, tuple[str, Figure]] = {}
    found: list[dict[Figure, Evidence]] = []
    same: set[str] = set()
    for k, group in enumerate(context.groups):
        before = group.unchanged_games(n)
        seen: dict[Figure, Evidence] = {}
        for change in question.changes:
            after = group.play(versions[change.title], context.query.n_seats, n)
            same |= {change.title} if not k and _is_unchanged(before, after) else set()
            for one, moved in _effects_of_change(question, context, before, after).items():
                seen[figure_in_part(change.title, one)] = moved
                turned[figure_in_part(change.title, one)] = change.title, one
        found.append(seen)
    nothing = [dict.fromkeys((one.name for one in seen), 0.0) for seen in found]
    held = hold_claims(context, found, [one.games(n) for one in context.groups], nothing)
    rows, kinds = [], []
    for line in held.lines:
        title, one = turned[line.figure]
        shift = found[0][line.figure]
        assert isinstance(shift, Shift)
        kind = UNCHANGED if title in same else _effect_verdict(line, shift)
        kinds.append(kind)
        rows.append(
            (
                line.figure.label,
                *([line.verdict] if held.is_held else []),
                *(value_cell(one, value, sign=True) for value in line.values),
                kind,
                f"{one.say(float(shift.before.mean()))} to {one.say(float(shift.after.mean()))}",
            )
        )
    said, body = _changes_in_words(held, turned, question)
    body += [
        table(table_heads(["change and figure"], held, context.sheet.game, ["", "from, to"]), rows),
        *beyond_bounds_note(held),
    ]
    on = f"{count_of(n, context.sheet.game)} at {count_of(context.query.n_seats, 'seat')} with and without each change"
    on += f", between {names_of_bots(context.query.bots)}"
    return Answer(
        question,
        said,
        tuple(body),
        _certainty_in_words(kinds, held, _games_to_tell(held, kinds, found[0], n)),
        on + held.against(context.sheet.game),
    )


def _effects_of_change(
    question: Question, context: QuestionContext, before: pl.DataFrame, after: pl.DataFrame
) -> dict[Figure, Shift]:
    """The effect of a change on every figure that the question asks for and that both tables of games have."""
    sides = [headline_evidence(context, side, question.figures) for side in (before, after)]
    shared = sorted((one for one in sides[0] if one in sides[1]), key=lambda one: figure_order(question, one))
    return {one: Shift(_numeric_columns(sides[0][one]), _numeric_columns(sides[1][one]), one.share) for one in shared}


def _numeric_columns(seen: Evidence) -> Numbers:
    """The values of a figure, one for each game."""
    assert isinstance(seen, Level)
    return seen.values


def _is_unchanged(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Do two tables of games agree in every column but the box?"""
    return one.columns == other.columns and one.drop("box").equals(other.drop("box"))


def _effect_verdict(line: JudgedClaim, shift: Shift) -> str:
    """The verdict on an effect: more or less, too small to matter, or too few games to say."""
    if side := line.side(0):
        return (MORE_VERDICT, LESS_VERDICT)[side < 0]
    _, low, high = line.values[0]
    return NO_MATTER if has_moved(low, high, _largest_negligible_effect(shift)) is Verdict.NO else TOO_FEW_GAMES


def _largest_negligible_effect(shift: Shift) -> float:
    """The largest effect that does not matter, in the figure's own unit."""
    return SHARE_MATTERS if shift.share else MEAN_NEAR * abs(float(shift.before.mean()))


def _changes_in_words(
    held: HeldClaims, turned: Mapping[Figure, tuple[str, Figure]], question: Question
) -> tuple[str, list[str]]:
    """The sentences about changes whose effect is beyond chance, and the charts of all effects.

    `turned`: for each claim's figure, the title of the change and the plain figure.
    """
    drawn: dict[Figure, list[Bar]] = {}
    seen: dict[str, list[str]] = {}
    for line in held.lines:
        title, one = turned[line.figure]
        value, low, high = line.values[0]
        tone = ("", MORE_VERDICT, LESS_VERDICT)[line.side(0)]
        drawn.setdefault(one, []).append(Bar(title, low, value, high, one.say(value, sign=True), tone))
        if tone:
            verdict = f", {line.verdict}" if held.is_held else ""
            seen.setdefault(title, []).append(f"{one.subject} {value_cell(one, line.values[0], sign=True)}{verdict}")
    told = [f"{title}: {'; '.join(of)}." for title, of in seen.items()]
    said = " ".join(f"{one[:1].upper()}{one[1:]}" for one in told)
    body = [
        picture(
            bars(of, 0.0, f"{one.label}, with the change less without", percent=one.share),
            f"{one.label.capitalize()}: what each change does, with its interval.",
        )
        for one, of in drawn.items()
        if any(bar.tone for bar in of) or len(drawn) == 1
    ]
    names = " or ".join(f"“{one.label}” ({_range_in_words(one, of)})" for one, of in list(drawn.items())[:3])
    none = "None of these changes is seen" if len(question.changes) > 1 else "The change is not seen"
    return said or f"{none} to move {names}.", body


def _range_in_words(figure: Figure, drawn: Sequence[Bar]) -> str:
    """The range in which the effects of some changes on a figure lie, in words."""
    ends = figure.span(min(bar.low for bar in drawn), max(bar.high for bar in drawn), sign=True)
    return f"{'each somewhere in' if len(drawn) > 1 else 'somewhere in'} {ends}"


def _games_to_tell(held: HeldClaims, kinds: Sequence[str], found: Mapping[Figure, Evidence], games: int) -> int:
    """About how many games tell whether each effect matters for which there are too few; 0 where there is none.

    `kinds`: the verdict of each claim; `games`: the number of games that were played.
    """
    needed = 0.0
    for line, kind in zip(held.lines, kinds, strict=True):
        shift = found[line.figure]
        if kind == TOO_FEW_GAMES and isinstance(shift, Shift) and (near := _largest_negligible_effect(shift)) > 0:
            _, low, high = line.values[0]
            needed = max(needed, games * ((high - low) / 2 / near) ** 2)
    return round_games(needed) if needed else 0


def _certainty_in_words(kinds: Sequence[str], held: HeldClaims, enough: int) -> str:
    """How many differences are beyond chance and whether other bots show them too, in words.

    `kinds`: the verdict of each claim; `enough`: the number of games that would settle the rest.
    """
    moved = sum(kind in (MORE_VERDICT, LESS_VERDICT) for kind in kinds)
    words = f"{moved} of {count_of(len(kinds), 'difference')} beyond chance"
    few = sum(kind == TOO_FEW_GAMES for kind in kinds)
    told = f" (about {enough:,} a version would tell)" if enough else ""
    words += f", {few} for which there are too few games{told}" if few else ""
    return f"{words}. Between other bots: {held.verdict}" if held.is_held else words
