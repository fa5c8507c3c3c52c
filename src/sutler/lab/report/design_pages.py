"""Pages of studies beyond a single comparison.

They are robustness between bots, sensitivity to numbers, search for one goal or several, skill, and hidden information.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from sutler.lab.play.headline_figures import Figure
from sutler.lab.play.provenance import describe_bots_for_claim
from sutler.lab.report.study_charts import Axis, Bar, Spot, render_interval_bars, render_scatter
from sutler.lab.report.study_pages import (
    render_chart_with_caption,
    render_comparison_table,
    render_heading,
    render_lead,
    render_note,
    render_page,
    render_table,
)
from sutler.lab.stats.estimates import capitalize_first
from sutler.lab.stats.three_valued_verdict import find_side_of_point
from sutler.lab.studies.claim_verdicts import JudgedClaim
from sutler.lab.studies.goal import GoalSearch
from sutler.lab.studies.hidden_information import HiddenInformation, list_labelled_measures
from sutler.lab.studies.robustness import Robustness
from sutler.lab.studies.sensitivity import Sensitivity, Variation
from sutler.lab.studies.skill import PARTS, Skill, Step, describe_depth
from sutler.lab.studies.tune import Tuning, Version, Wish

TONES = ("", "more", "less")
"""The colour of a bar by the side on which its interval lies: [0] neither, [1] more, [-1] less."""
TABLES_NOTE = (
    "Each bot sits in every seat; the same seeds for all. Intervals hold together, of every figure with every bot, "
    "95 times in 100."
)


def render_robustness_page(found: Robustness) -> str:
    """The HTML page that compares figures between bots: charts of shares by bot, and a table of all figures with verdicts."""
    lines = found.judged_claims
    who = ", ".join(f"{rung.bot} ({rung.games:,} games)" for rung in found.rungs)
    body = [render_lead(found.answer()), render_note(f"{found.about['seats']} seats; between {who}. {TABLES_NOTE}")]
    shown = [one for one in lines if one.even is not None]
    if shown:
        body.append(render_heading("Who is favoured, and by whom?"))
        body += [render_chart_with_caption(_render_chart_by_bot(found, one), _format_caption(one)) for one in shown]
    heads = ["figure", "verdict", *(rung.bot for rung in found.rungs)]  # the verdict first: a phone shows two columns
    cells = [
        [one.figure.label, one.verdict, *(_format_value_cell(one, value) for value in one.values)] for one in lines
    ]
    body += [
        render_heading("Every figure"),
        render_table(heads, cells),
        *(render_note(f"{said}.") for said in found.extreme_game_remarks),
    ]
    body.append(
        render_note(
            "Holds: every difference from the first bot lies within five points of a hundred and a quarter in log odds, or a tenth of "
            "the mean, with its rare games and without. Same side: all bots see a share on one side of even, of another size. Depends on "
            "the bot: some difference leaves out zero and is more than that."
        )
    )
    return render_page(f"{found.about['title']}: does it hold between other bots?", body, found.about)


def _render_chart_by_bot(found: Robustness, claim: JudgedClaim) -> str:
    """A chart, as HTML, of one figure's value with each bot, and of its even share."""
    drawn = []
    for k, (rung, (mean, low, high)) in enumerate(zip(found.rungs, claim.values, strict=True)):
        tone = TONES[claim.find_side_of_even(k)]
        drawn.append(Bar(rung.bot, 100 * low, 100 * mean, 100 * high, claim.figure.format_value(mean), tone))
    return render_interval_bars(drawn, 100 * (claim.even or 0.0), "% of games")


def _format_caption(claim: JudgedClaim) -> str:
    """The caption of a claim's chart: the figure and the verdict."""
    return f"{claim.figure.label[:1].upper()}{claim.figure.label[1:]}: {claim.verdict}. The line is an even share."


def _format_value_cell(claim: JudgedClaim, value: tuple[float, float, float]) -> str:
    """A mean with its interval, as text."""
    mean, low, high = value
    return f"{claim.figure.format_value(mean)} ({claim.figure.format_interval(low, high)})"


def render_hidden_information_page(found: HiddenInformation) -> str:
    """The HTML page on hidden information: how often another seat would win, the value of seeing, and the changes of all figures."""
    about = found.about
    rows = []
    for label, (value, low, high) in list_labelled_measures(found):
        tone = TONES[find_side_of_point(low, high)]
        rows.append(Bar(label, 100 * low, 100 * value, 100 * high, f"{100 * value:.1f}".replace("-", "−"), tone))
    moved = [
        Bar(one.label, low, effect, high, one.format_value(effect, signed=True), TONES[find_side_of_point(low, high)])
        for one, (_, (effect, low, high)) in found.compute_figure_changes().items()
        if one.share and find_side_of_point(low, high)
    ]
    body = [
        render_lead(found.answer()),
        render_note(
            f"{found.games:,} seeds {describe_bots_for_claim(about['bots'], about['seats'])}, {about['seats']} seats. "
            f"Each is played with hidden "
            "things as they are; again, with other guesses of the bots; with one seat that sees; and with all seats seeing. Who sees knows "
            "what lies hidden on the table, and no chance to come. Once one decision differs the dice fall otherwise, and the end may "
            "differ for that alone: other guesses show how often. What seeing is worth does not suffer from it."
        ),
        render_chart_with_caption(
            render_interval_bars(rows, 0.0, "points of a hundred"), "Each with its interval at 95 %."
        ),
    ]
    if moved:
        body += [
            render_heading("With all open"),
            render_chart_with_caption(
                render_interval_bars(moved, 0.0, "share of games"), "Shares that are seen to move."
            ),
        ]
    cells = [
        (
            one.label,
            one.format_value(was),
            one.format_value(effect, signed=True),
            f"{one.format_value(low, signed=True)} … {one.format_value(high, signed=True)}",
        )
        for one, (was, (effect, low, high)) in found.compute_figure_changes().items()
    ]
    body += [
        render_heading("Every figure"),
        render_table(("figure", "hidden", "all open less hidden", "interval"), cells),
    ]
    body.append(render_note("These intervals hold together, 95 times in 100."))
    return render_page(f"{about['title']}: what does hidden information decide?", body, about)


MAX_BARS = 14


def render_sensitivity_page(found: Sensitivity) -> str:
    """The HTML page of a sensitivity study: for each figure a chart of the effect of each number, the largest on top."""
    about = found.about
    who = describe_bots_for_claim(about["bots"], about["seats"])
    body = [
        render_lead(" ".join(found.answer(one) for one in found.figures if one.name in ("decisions", "turns"))),
        render_note(
            f"{about['games']:,} games a version {who}, {about['seats']} seats, the same seeds. One number at a time, a step down "
            "and a step up; bars are intervals, and it is 95 % sure that all of this page are right. A game far beyond "
            "nearly all others counts as one at the bound, so that no single game puts a number on top."
        ),
    ]
    for figure in found.figures:
        rows = [
            _build_variation_bar(figure, one) for _, turns in found.rank_numbers_by_effect(figure) for one in turns
        ][: 2 * MAX_BARS]
        if any(one.tone for one in rows):
            caption = f"What each step does to {figure.label}. Green: more; red: less; grey: not seen to move it."
            scale = "points of a hundred" if figure.share else figure.label
            body += [
                render_heading(capitalize_first(figure.label)),
                render_note(found.answer(figure)),
                render_chart_with_caption(render_interval_bars(rows, 0.0, scale), caption),
            ]
    still = [one.label for one in found.figures if not any(turn.is_beyond_chance(one) for turn in found.variations)]
    if still:
        body.append(render_note(f"Moved by no number that was turned: {', '.join(still)}."))
    if about["refused"]:
        body.append(render_note(f"Left out: {'; '.join(about['refused'])}."))
    return render_page(f"{about['title']}: which numbers matter?", body, about)


def _build_variation_bar(figure: Figure, variation: Variation) -> Bar:
    """A row of a chart: the effect on a figure of one number changed by one step."""
    effect, half = variation.effects[figure]
    scale = 100 if figure.share else 1
    tone = TONES[find_side_of_point(effect - half, effect + half)]
    low, high = scale * (effect - half), scale * (effect + half)
    return Bar(
        f"{variation.label} ({variation.part.rule})",
        low,
        scale * effect,
        high,
        figure.format_value(effect, signed=True),
        tone,
    )


def render_goal_page(found: GoalSearch) -> str:
    """The HTML page of a search for a goal: the answer, the candidates, and the figures of each comparison."""
    about = found.screened.about
    body = [render_lead(found.answer())]
    body.append(
        render_note(
            f"{capitalize_first(describe_bots_for_claim(about['bots'], about['seats']))}, {about['seats']} seats."
        )
    )
    if found.candidates:
        heads = ("number", "paragraph", "of the way, as screened", "disturbs most")
        rows = [
            (
                one.label,
                ", ".join(dict.fromkeys(step.part.rule for step in one.steps)),
                one.predicted_share_in_words,
                f"{one.harmed} ({one.harm:.2f} sd)",
            )
            for one in found.candidates
        ]
        body += [render_heading("What comes near"), render_table(heads, rows)]
        below = " Below: fresh games, on other seeds." if found.compared else ""
        body.append(render_note(f"A quick screening of {about['games']:,} games a version proves nothing.{below}"))
    for one, comparison in found.compared:
        body += [render_heading(one.label), render_note(f"It {found.describe_result(comparison)}.")]
        body.append(render_comparison_table(comparison))
    return render_page(
        f"{about['title']}: what reaches {found.figure.label} {found.figure.format_value(found.change, signed=True)}?",
        body,
        about,
    )


MAX_PICTURES = 6  # the most pairs of goals with a chart


def render_tuning_page(found: Tuning) -> str:
    """The HTML page of a tuning to several goals: the answer, a chart for each pair of goals, the comparisons, the best versions."""
    ranges = ", ".join(f"{one.part.name} from {one.values[0]} to {one.values[-1]}" for one in found.numbers)
    about, front = found.about, sorted(found.list_undominated, key=lambda one: one.root_mean_square_miss)
    body = [
        render_lead(found.answer()),
        render_note(
            f"{capitalize_first(describe_bots_for_claim(about['bots'], about['seats']))}, {about['seats']} seats; "
            f"{about['games']:,} games a version "
            f"screened, on the same seeds. The numbers: {ranges}."
        ),
    ]
    pairs = list(itertools.combinations(range(len(found.wishes)), 2))[:MAX_PICTURES]
    if found.versions and pairs:
        body.append(render_heading("The trade-off"))
        caption = (
            " Each dot is a version as screened, by its change from the printed game, which lies where the axes cross. The green field is "
            "what is wanted. Rings: no other version beats them in every goal. Letters: compared on fresh seeds, with intervals."
        )
        for k, (i, j) in enumerate(pairs):
            names = f"{found.wishes[i].figure.label} and {found.wishes[j].figure.label}"
            body.append(
                render_chart_with_caption(
                    _render_trade_off_chart(found, front, i, j),
                    f"{names[:1].upper()}{names[1:]}.{'' if k else caption}",
                )
            )
    for letter, (version, comparison) in zip(ascii_uppercase, found.compared, strict=False):
        body += [
            render_heading(f"{letter}: {found.format_edit(version.edit)}"),
            render_note(f"It {found.describe_result(comparison)}."),
        ]
        body.append(render_comparison_table(comparison))
    if front:
        heads = (*(one.part.name for one in found.numbers), *(one.label for one in found.wishes))
        rows = [
            (
                *(str(one.edit.get(number.part.name, "")) for number in found.numbers),
                *_format_screened_cells(found, one),
            )
            for one in front
        ]
        body += [render_heading("What no other version beats, as screened"), render_table(heads, rows)]
        body.append(
            render_note(
                "Screened with few games, and chosen for looking well: that proves nothing. An empty cell is as printed. ±: half the 95 % "
                "interval of each by itself."
            )
        )
    if found.refused:
        body.append(render_note(f"{found.refused} versions were proposed that the box refuses, or that lead nowhere."))
    return render_page(f"{about['title']}: tuned to {len(found.wishes)} goals", body, about)


def _format_screened_cells(found: Tuning, one: Version) -> list[str]:
    """The cells of a screened version's row: its change of each goal's figure, with half the interval."""
    pairs = zip(found.wishes, one.effects, strict=True)
    return [
        f"{wish.figure.format_value(effect, signed=True)} ± {wish.figure.format_value(half)}"
        for wish, (effect, half) in pairs
    ]


def _render_trade_off_chart(found: Tuning, undominated: list[Version], i: int, j: int) -> str:
    """A chart, as HTML, of all versions by their effects on the goals number `i` and `j`.

    `undominated`: the versions that no other version beats in every goal.
    """
    ax, ay = (_build_axis(found.wishes[k]) for k in (i, j))
    units = [100 if found.wishes[k].figure.share else 1 for k in (i, j)]
    ringed = {id(one) for one in undominated}
    spots = [
        Spot(units[0] * one.effects[i][0], units[1] * one.effects[j][0], kind="front" if id(one) in ringed else "")
        for one in sorted(found.versions, key=lambda one: id(one) in ringed)
    ]
    for letter, (_, comparison) in zip(ascii_uppercase, found.compared, strict=False):
        mine = [found.list_goal_effects(comparison)[k][1] for k in (i, j)]
        (x, wide), (y, tall) = (
            (unit * (one.low + one.high) / 2, unit * (one.high - one.low) / 2)
            for unit, one in zip(units, mine, strict=True)
        )
        spots.append(Spot(x, y, wide, tall, letter, "seen"))
    return render_scatter(spots, ax, ay, f"{ax.label} and {ay.label}")


def _build_axis(wish: Wish) -> Axis:
    """The axis of a chart for a goal's figure, with the wanted zone marked."""
    unit = 100 if wish.figure.share else 1
    label = f"{wish.figure.label}, change{' in points of a hundred' if wish.figure.share else ''}"
    ends = (unit * (wish.change - wish.near), unit * (wish.change + wish.near))
    return Axis(label, *ends, lambda value: f"{value:+g}".replace("-", "−") if value else "0")


def render_skill_page(found: Skill, known_ladders: Mapping[str, Sequence[Step]]) -> str:
    """The HTML page of a ladder of bots: each step in Elo as a chart, and the parts of the variance as a table.

    `known_ladders`: the ladders of known games, by title, for comparison.
    """
    about = found.about
    ladders = {about["title"]: found.steps, **known_ladders}
    rows = [
        Bar(
            f"{title}: {one.label}",
            low,
            value,
            high,
            one.elo_in_words.partition(" (")[0],
            TONES[find_side_of_point(low, high)],
        )
        for title, steps in ladders.items()
        for one in steps
        for value, low, high in [one.elo]
        if math.isfinite(value)
    ]
    heads = ("game", "step", "deals", "Elo", *PARTS)
    cells = [
        (title, one.label, f"{one.deals:,}", one.elo_in_words, *map(str, one.parts))
        for title, steps in ladders.items()
        for one in steps
    ]
    depths = "; ".join(f"{title} {describe_depth(steps)}" for title, steps in ladders.items())
    body = [
        render_lead(found.answer()),
        render_note(
            f"{about['seats']} seats. Two neighbours of the ladder play the same deals, each seat held by both in turn. Elo: 400 times "
            "the decimal logarithm of the odds that a seat of one ends ahead of a seat of the other; the intervals of a ladder hold "
            "together, 95 times in 100."
        ),
        *(
            [
                render_chart_with_caption(
                    render_interval_bars(rows, 0.0, "Elo"), "Each step of the ladder, with its interval."
                )
            ]
            if rows
            else []
        ),
        render_note(f"From the foot of each ladder to its top, in Elo: {depths}."),
        render_heading("How much is who played?"),
        render_table(heads, cells),
        render_note(
            "Shares of the variance of where a seat ends. Who played: the two bots' means. Seat: the seats' means. Deal: how far a "
            "seat's ends go together, with one bot in it and with the other, in games from one seed. Rest: chance on the way, and how "
            "decisions meet. Intervals are 95 %, each by itself. All of it between these bots: better players may make more of a "
            "game, or less."
        ),
    ]
    return render_page(f"{about['title']}: how deep is skill, how much is luck?", body, about)
