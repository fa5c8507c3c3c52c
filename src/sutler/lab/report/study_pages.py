"""The answers of studies as pages: each is one HTML file that needs no other file and can be printed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sutler.lab.play.headline_figures import Figure
from sutler.lab.play.rollouts import describe_missing_blanks
from sutler.lab.play.rollouts import format_mean_with_half_width as impact_said
from sutler.lab.report.html_parts import keep_options_whole, load_page_css, load_tables_script
from sutler.lab.report.study_charts import Bar, Curve, render_curves, render_interval_bars
from sutler.lab.stats.three_valued_verdict import find_side_of_point
from sutler.lab.studies.card_value import Impact
from sutler.lab.studies.compare import VERDICT_WORDS, Comparison, Effect, is_derived_figure
from sutler.lab.studies.sweep import Point, Sweep
from sutler.lab.studies.tournament import (
    Share,
    Tournament,
    build_ladder_table,
    build_matrix_table,
    build_role_tables,
    build_seat_table,
    describe_controls,
    describe_ladder,
    describe_strongest_bot,
)

STYLE = """
:root { --more: var(--may); --less: var(--wax); --c1: var(--seat-1-text); --c2: var(--seat-2-text); --c3: var(--seat-3-text);
  --c4: var(--seat-4-text); --c5: var(--seat-5-text); --c6: var(--seat-6-text); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 58rem; padding: 2.5rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 500 1rem/1.5 var(--plain); font-variant-numeric: lining-nums tabular-nums; }
h1, h2 { font-family: var(--old); font-weight: 400; line-height: 1.2; text-wrap: balance; }
h1 { margin: 0; font-size: clamp(2rem, 6vw, 3.25rem); } h2 { margin: 2.5rem 0 .25rem; font-size: 1.75rem; }
p { margin: .5rem 0; max-width: 42rem; } .lead { font: 400 1.35rem/1.4 var(--old); margin: 1rem 0; }
.said { font-size: 1.1rem; margin: .75rem 0; padding-inline-start: 1.2rem; max-width: 42rem; } .said li { margin: .3rem 0; }
a { color: inherit; text-underline-offset: .2em; } .quiet, figcaption, footer { color: var(--ink-2); font-size: .92rem; }
figure { margin: 1rem 0 0; break-inside: avoid; overflow-x: auto; } figure { max-width: 34rem; }
svg { width: 100%; height: auto; overflow: visible; }
svg text { fill: var(--ink); font: 500 14px var(--plain); font-variant-numeric: lining-nums tabular-nums; }
svg .name { paint-order: stroke; stroke: var(--paper); stroke-width: 5px; } svg .seen .name { stroke-width: 2px; }
.tick { fill: var(--ink-2); text-anchor: middle; font-size: 12px; } .tick.end { text-anchor: end; }
.grid { stroke: var(--hair); stroke-width: 1; } .axis { stroke: var(--ink); stroke-width: 1.5; }
.even { stroke: var(--ink-2); stroke-width: 1; stroke-dasharray: 2 3; }
.bar { stroke: var(--ink-2); stroke-width: 4; stroke-linecap: round; } circle { fill: var(--ink-2); }
.more .bar { stroke: var(--more); } .more circle { fill: var(--more); }
.less .bar { stroke: var(--less); } .less circle { fill: var(--less); }
.tick.start { text-anchor: start; } .zone { fill: var(--more); fill-opacity: .14; stroke: var(--more); stroke-dasharray: 4 3; }
.dot circle { opacity: .45; } .front circle { fill: var(--paper); stroke: var(--ink); stroke-width: 1.75; }
.seen .bar { stroke: var(--c2); stroke-width: 2.5; } .seen circle { fill: var(--c2); } .seen .name { font-weight: 700; }
polyline { fill: none; stroke-width: 2; } polygon { opacity: .16; stroke: none; }
.c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); } .c4 { --c: var(--c4); } .c5 { --c: var(--c5); }
.c6 { --c: var(--c6); } [class^="c"] polyline { stroke: var(--c); } [class^="c"] polygon, [class^="c"] circle { fill: var(--c); }
.scroll { overflow-x: auto; inline-size: fit-content; max-inline-size: calc(50% + 50vw - 1.5rem); }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: lining-nums tabular-nums; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--hair); text-align: right; white-space: nowrap; }
th:first-child, td:first-child, .word { text-align: left; }
th { vertical-align: bottom; font-weight: 600; color: var(--ink-2); font-size: .92rem; }
th.long { white-space: normal; } td.word { white-space: normal; min-width: 8.5rem; }
.words td, .words th { text-align: left; white-space: normal; vertical-align: top; }
.words td:last-child { min-width: 14rem; } dt { font-weight: 600; } dd { margin: 0 0 .5rem; }
tr { break-inside: avoid; } .option { white-space: nowrap; } code { font-size: .92em; overflow-wrap: anywhere; }
footer { margin-top: 3rem; border-top: 1px solid var(--hair); padding-top: .75rem; }
@media (max-width: 40rem) { td:first-child, th:first-child { white-space: normal; min-width: 6.5rem; } td { vertical-align: top; }
  td.word { min-width: 5.5rem; } td:nth-child(n+3) { white-space: normal; } }
@page { margin: 14mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt sans-serif; } }
@media print { :root { color-scheme: light; } body { padding: 0; max-width: none; } }
"""


LONG_HEAD_CHARS = 22
"""The most letters of a column's head that are kept on one line."""


def render_page(title: str, body: Sequence[str], about: Mapping[str, Any]) -> str:
    """A whole HTML page with this title and body.

    `about`: the command, commit and versions with which the page can be made again, for its footer.
    """
    versions = ", ".join(f"{key} {value}" for key, value in about["versions"].items())
    at = f"; commit {about['commit']}" if about.get("commit") else ""
    bots = f"; bots {about['bots_code']}" if about.get("bots_code") else ""  # files of older versions do not say
    code = f"rules {about['rules']}{bots}{at}"
    foot = f"<code>{escape(about['command'])}</code><br>{escape(versions)}; {escape(code)}; {about['made']}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{load_page_css()}{STYLE}</style></head>\n'
        f"<body><h1>{escape(title)}</h1>\n"
        + "\n".join(body)
        + f"\n<footer>{foot}</footer>{load_tables_script()}</body></html>\n"
    )


def join_units(text: str) -> str:
    """The text with a no-break space between each number and its unit (% or pp)."""
    return re.sub(r"(?<=\d) (?=%|pp\b)", "\u00a0", text)


def join_intervals(text: str) -> str:
    """The text with no-break spaces within each interval in brackets, such as (10.0 to 14.1 %), so that a narrow cell breaks before it."""
    return re.sub(r"\([^()]* to [^()]*\)", lambda found: found[0].replace(" ", "\u00a0"), text)


def render_text(text: str) -> str:
    """A text as HTML, in which no line ends within an option such as --games, nor between a number and its unit."""
    return keep_options_whole(escape(join_units(text)))


def render_lead(text: str) -> str:
    """The answer as a paragraph in large letters, as HTML; a command at its end stands alone in letters that can be copied."""
    if found := re.fullmatch(r"(.*[:?]) (sutler [a-z-]+ .*[^.])", text):
        return f'<p class="lead">{render_text(found[1])}</p><p><code>{render_text(found[2])}</code></p>'
    return f'<p class="lead">{render_text(text)}</p>'


def render_heading(text: str) -> str:
    """The heading of a section, as HTML."""
    return f"<h2>{escape(text)}</h2>"


def render_note(text: str) -> str:
    """A paragraph of explanation in smaller letters, as HTML."""
    return f'<p class="quiet">{render_text(text)}</p>'


def render_chart_with_caption(svg: str, caption: str) -> str:
    """A chart with its caption, as HTML."""
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def render_table(headers: Sequence[str], rows: Sequence[Sequence[str]], all_words: bool = False) -> str:
    """A table as HTML. The first column and one called verdict hold words, the others numbers; with `all_words`, all columns hold words."""
    kinds = [
        ' class="word"' if one == "verdict" else ' class="long"' if len(one) > LONG_HEAD_CHARS else ""
        for one in headers
    ]
    top = "".join(f'<th scope="col"{kind}>{escape(one)}</th>' for one, kind in zip(headers, kinds, strict=True))
    lines = [
        "<tr>"
        + "".join(
            f"<td{kind}>{escape(join_units(join_intervals(cell)))}</td>" for cell, kind in zip(row, kinds, strict=False)
        )
        + "</tr>"
        for row in rows
    ]
    kind = ' class="words"' if all_words else ""
    return (
        f'<div class="scroll"><table{kind}><thead><tr>{top}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def render_glossary(figures: Sequence[Figure]) -> str:
    """A list, as HTML, that explains each figure; figures with one explanation share an entry."""
    labels: dict[str, list[str]] = {}
    for figure in figures:
        labels.setdefault(figure.caption, []).append(figure.label)
    said = (f"<dt>{escape(', '.join(names))}</dt><dd>{escape(caption)}</dd>" for caption, names in labels.items())
    return f'<dl class="quiet">{"".join(said)}</dl>'


def render_comparison_page(found: Comparison) -> str:
    """The HTML page of a comparison: the answer, a chart of all effects in standard deviations, and a table of all figures."""
    moved = [one for one in found.effects if one.sd > 0 and one.differ > 0]
    rows = [
        Bar(
            one.label,
            one.low / one.sd,
            one.effect / one.sd,
            one.high / one.sd,
            one.figure.format_value(one.effect, signed=True),
            one.verdict if one.verdict in ("more", "less") else "",
        )
        for one in moved
    ]
    body = [render_lead(found.answer()), _render_sides_table(found)]
    if rows:
        ends = find_chart_ends(moved, rows)
        caption = (
            "Each dot is what b has more than a, the bar its interval, in standard deviations of one game, so that all "
            "figures share one scale; the number beside it is in the figure's own unit. Green is more, red is less."
        )
        if any(not ends[0] <= end <= ends[1] for bar in rows for end in (bar.low, bar.high)):
            caption += " A bar that runs into the edge goes on beyond it."
        body += [
            render_heading("What changes"),
            render_chart_with_caption(render_interval_bars(rows, 0.0, "standard deviations", ends=ends), caption),
        ]
    body += [
        render_heading("The figures"),
        render_comparison_table(found),
        render_note(
            f"{found.games:,} games a side of at most {found.most:,}, the same seeds and seats on both. {1 - found.alpha:.0%} sure that "
            f"every interval in this table is right, whenever the comparison stops. {found.describe_differences_too_small()}"
            " Usual figures: games beyond what "
            "nearly all others are count as the bound; the plain means of all games stand beside them. pp: percentage points."
        ),
        *(render_note(said) for said in found.describe_games_beyond_bounds()),
        *(
            [render_note(f"If the differences stay as seen, a side needs: {'; '.join(outlook)}.")]
            if (outlook := found.list_games_that_would_settle())
            else []
        ),
        render_glossary([one.figure for one in found.effects]),
    ]
    return render_page(f"{found.about['title']}: does it make a difference?", body, found.about)


def find_chart_ends(effects: Sequence[Effect], rows: Sequence[Bar]) -> tuple[float, float]:
    """The ends of a comparison's axis: all values, and the whole intervals of what is not derived from another figure.

    What is derived of groups of games has few observations, and intervals so wide that all others would shrink to dots.
    """
    shown = [one.value for one in rows]
    shown += [
        end
        for effect, one in zip(effects, rows, strict=True)
        for end in (one.low, one.high)
        if not is_derived_figure(effect.figure) or effect.is_settled
    ]
    return min(shown), max(shown)


def render_comparison_table(found: Comparison) -> str:
    """A table of every figure of a comparison: verdict, difference, interval, and values on both sides."""
    heads = ("figure", "verdict", "b less a", "95 % interval", "a", "b", "plain a", "plain b", "games that differ")
    cells = [
        (
            one.label,
            VERDICT_WORDS[one.verdict],
            one.figure.format_value(one.effect, signed=True) if one.differ else "0",
            one.figure.format_interval(one.low, one.high, signed=True) if one.differ else "",
            one.figure.format_value(one.a),
            one.figure.format_value(one.b),
            *(
                "" if one.tail is None else one.figure.format_value(mean)
                for mean in (one.tail.means if one.tail else (0.0, 0.0))
            ),
            f"{one.share_of_pairs_that_differ:.0%}",
        )
        for one in found.effects
    ]
    return render_table(heads, cells)


def _render_sides_table(found: Comparison) -> str:
    """A table of the two sides of a comparison: what is changed, seats, bots and box."""
    sides = found.about["sides"]
    rows = [
        (
            name,
            ", ".join(list_side_changes(one)) or "as printed",
            str(one["seats"]),
            ", ".join(dict.fromkeys(one["bots"])),
            one["box"],
        )
        for name, one in sides.items()
    ]
    return render_table(("side", "what is changed", "seats", "bots", "box"), rows, all_words=True)


def list_side_changes(side: Mapping[str, Any]) -> list[str]:
    """The changes on one side of a comparison as texts: options, settings, and each field that the side's edit sets."""
    plain = {**side["options"], **side["settings"]}
    return [f"{key} = {value}" for key, value in plain.items()] + list(_list_edit_fields(side["edit"]))


def _list_edit_fields(edit: Any, path: str = "") -> list[str]:
    """The fields that an edit sets, as texts `path = value`. `path`: the path so far."""
    if isinstance(edit, Mapping):
        return [
            leaf for key, value in edit.items() if key != "name" for leaf in _list_edit_fields(value, f"{path}.{key}")
        ]
    if isinstance(edit, list) and edit and all(isinstance(one, Mapping) and "name" in one for one in edit):
        return [leaf for one in edit for leaf in _list_edit_fields(one, f"{path}.{one['name']}")]
    return [f"{path.strip('.')} = {edit}"]


def render_sweep_page(found: Sweep) -> str:
    """The HTML page of a sweep: curves of each figure over the values of the parameter, with intervals, and tables."""
    at = [str(point.value) for point in found.points]
    about = found.about
    body = [*([render_lead(said)] if (said := found.answer()) else [])]
    body += [
        render_note(f"{about['games']:,} games a value, {about['seats']} seats, bots: {', '.join(about['bots'])}.")
    ]
    for title, caption, names in SWEEP_PICTURES:
        drawn = [one for one in found.figures if one.name.startswith(names) and _is_nonzero(found, one)]
        if drawn:
            even = 1 / about["seats"] if names == ("seat_",) else None
            svg = render_curves(at, [_build_curve(found, one) for one in drawn], found.key, drawn[0].format_tick, even)
            cells = [[str(point.value), *(_format_mean(point, one) for one in drawn)] for point in found.points]
            body += [
                render_heading(title),
                render_chart_with_caption(svg, caption),
                render_table([found.key, *(one.label for one in drawn)], cells),
            ]
    still = [one.label for one in found.figures if not _is_nonzero(found, one)]
    if still:
        body.append(render_note(f"Nought at every value: {', '.join(still)}."))
    body += [
        render_note(
            "Means ± half their 95 % intervals; those of all seats hold together, so do those of all endings. The same seeds at every "
            "value; what is said above compares them pair by pair with the first value, all together 95 % sure."
        ),
        render_glossary(found.figures),
    ]
    return render_page(f"{about['title']}: {found.key} from {at[0]} to {at[-1]}", body, about)


def render_tournament_page(found: Tournament, ladder: bool) -> str:
    """The HTML page of a tournament, or with `ladder` of a ladder: strengths of bots, shares of wins by seat, the control.

    The control is a table where all seats are one bot, so that every chair should win equally often.
    """
    about, even = found.about, 1 / found.n_seats
    body = [render_note(describe_controls(found))]
    if found.list_tables_with_two_bots():
        body.insert(0, render_lead(describe_ladder(found) if ladder else describe_strongest_bot(found)))
    if found.list_tables_with_two_bots() and ladder:
        climbed = [
            (one, share)
            for one in range(1, len(found.entrants))
            if (share := found.compute_wins_alone_against(one, 0)) is not None
        ]
        drawn = [_build_share_bar(found.labels[one], share) for one, share in climbed]
        caption = f"Games won alone among seats of {found.entrants[0]}; the line is what an equal would win."
        body += [
            render_heading("Does thinking longer pay?"),
            render_chart_with_caption(render_interval_bars(drawn, 100 * even, "% of games"), caption),
        ]
        body.append(render_table(*build_ladder_table(found)))
    elif found.list_tables_with_two_bots():
        rated = sorted(zip(found.entrants, found.compute_ratings(), strict=True), key=lambda one: -one[1][0])
        drawn = [Bar(name, m - 2 * d, m, m + 2 * d, f"{m:.1f} ± {2 * d:.1f}") for name, (m, d) in rated]
        caption = "OpenSkill ratings and twice their uncertainty; everybody begins at 25, the line."
        body += [
            render_heading("How strong?"),
            render_chart_with_caption(render_interval_bars(drawn, 25.0, "rating"), caption),
        ]
        body += [render_heading("Who ends ahead of whom?"), render_table(*build_matrix_table(found))]
        body.append(
            render_note("The share of games in which a seat of the row's bot ends ahead of one of the column's.")
        )
    seats = [(name, found.compute_wins_by_seat(one)) for one, name in enumerate(found.labels)]
    known = [(name, shares) for name, shares in seats if shares is not None]
    lines = [
        Curve(f"seat {seat + 1}", *zip(*((s[seat].value, s[seat].low, s[seat].high) for _, s in known), strict=True))
        for seat in range(found.n_seats)
    ]
    at = [name for name, _ in known]
    caption = (
        "Share of games each seat wins between equals, bot by bot; the band is the 95 % interval, the dotted line even."
    )
    svg = render_curves(at, lines, "all seats played by", lambda value: f"{100 * value:g} %", even)
    body += [
        render_heading("Is every seat as good, as bots get better?"),
        render_chart_with_caption(svg, caption),
        render_table(*build_seat_table(found)),
    ]
    body += [render_table(*told) for told in build_role_tables(found)]
    body.append(
        render_note(
            "Control: at a table where all seats are one bot, its chairs, which go round the seats, must win alike; p is how often "
            "chance alone moves one of them as far."
        )
    )
    return render_page(f"{about['title']}: {'a ladder' if ladder else 'a tournament'}", body, about)


def _build_share_bar(name: str, share: Share) -> Bar:
    """A row of a chart with a share in percent, coloured where it is surely more or less than even."""
    tone = ("", "more", "less")[find_side_of_point(share.low, share.high, share.even)]
    return Bar(name, 100 * share.low, 100 * share.value, 100 * share.high, f"{share.value:.1%}", tone)


REPLACEMENTS = ("another card", "a blank", "no card")


def describe_impact(found: Impact) -> str:
    """The answer in a sentence or two: the cards whose value differs, beyond chance, from another card's or a blank's."""
    told = []
    for k, (instead, name) in enumerate((("another", "lead_other"), ("a blank", "lead_blank"))):
        values = [(getattr(one, name), one) for one in found.cards if not math.isnan(getattr(one, name)[0])]
        stand = sorted((pair for pair in values if pair[1].stands[k]), key=lambda pair: -pair[0][0])
        if not values:
            continue
        if not stand:
            told.append(f"No {found.about['kind']} is measurably better or worse than {instead}, so far.")
            continue
        good = [f"{one.name} ({impact_said(value)})" for value, one in stand if value[0] > 0]
        bad = [f"{one.name} ({impact_said(value)})" for value, one in reversed(stand) if value[0] < 0]
        told += [f"Worth more than {instead}, in lead: {', '.join(good[:5])}{_describe_rest(good)}."] if good else []
        told += [f"Worth less than {instead}: {', '.join(bad[:5])}{_describe_rest(bad)}."] if bad else []
    return " ".join(told) or "Too few draws to say anything."


def _describe_rest(names: Sequence[str]) -> str:
    """The end of a list of which five names are given: the number of the others, in words."""
    return f" and {len(names) - 5} more" if len(names) > 5 else ""


def render_impact_page(found: Impact) -> str:
    """The HTML page on the values of cards: a chart of the lead that each card adds over another one, and a table of all values."""
    about, kind = found.about, found.about["kind"]
    drawn = []
    for one in found.cards:
        mean, half = one.lead_other
        if one.is_known:
            tone = ("more" if mean > 0 else "less") if one.stands[0] else ""
            drawn.append(Bar(one.name, mean - half, mean, mean + half, impact_said(one.lead_other), tone))
    body = [
        render_lead(describe_impact(found)),
        render_note(
            f"{about['games']:,} games, {about['seats']} seats, bots: {', '.join(about['bots'])}."
            + ("" if about["hand"].endswith("hand") else f" Drawn: into {about['hand'].split('.')[-1]}.")
        ),
        render_note(
            "From the moment a seat has drawn it, the same game with the same dice is played on with it, with another drawn at "
            "random in its place, with it as a blank that does nothing, and with none. So the figures are what it does, not who gets to "
            "draw it."
        ),
    ]
    if drawn:
        caption = (
            "Points of lead over the mean of the others that it adds, drawn instead of another; bars are 95 % intervals: about "
            "one in twenty misses. Coloured is what is beyond chance among all of these: of such findings "
            "at most one in twenty is due to chance."
        )
        body += [
            render_heading(f"Which {kind} is worth drawing?"),
            render_chart_with_caption(render_interval_bars(drawn, 0.0, "points of lead"), caption),
        ]
    heads = [
        kind,
        "draws",
        *(f"{what}: instead of {one}" for what in ("lead", "wins") for one in REPLACEMENTS),
        "raw gap",
    ]
    rows = [
        [one.name, f"{one.draws:,}"]
        + [impact_said(value) for value in (one.lead_other, one.lead_blank, one.lead_none)]
        + [impact_said(value, True) for value in (one.won_other, one.won_blank, one.won_none, one.naive)]
        for one in found.cards
    ]
    body += [render_heading("The figures"), render_table(heads, rows)]
    body.append(
        render_note(
            "Raw gap: how much more often seats win that drew it than seats that did not, which mixes luck and skill of whoever drew "
            "it; ?: too few draws to say."
            f"{describe_missing_blanks(about)}"
        )
    )
    return render_page(f"{about['title']}: what is a {kind} worth?", body, about)


SWEEP_PICTURES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "Is every seat as good?",
        "Share of games each seat wins; the band is the 95 % interval, the dotted line even.",
        ("seat_",),
    ),
    ("Who wins?", "Share of games the seats of each bot win.", ("bot_",)),
    ("Scores", "Points at the end.", ("score", "spread", "winner_score", "margin")),
    ("Length in turns", "Turns until the end.", ("turns",)),
    ("Length in decisions", "Decisions of all seats until the end.", ("decisions",)),
    (
        "How games end",
        "Shares of games, as each line is named; what the names mean stands below.",
        ("ends_", "shared", "unfinished"),
    ),
)


def _build_curve(found: Sweep, figure: Figure) -> Curve:
    """The values of a figure over the points of a sweep, with their intervals."""
    means, lows, highs = zip(*(point.figures[figure] for point in found.points), strict=True)
    return Curve(figure.label, means, lows, highs)


def _is_nonzero(found: Sweep, figure: Figure) -> bool:
    """Is the figure's mean other than zero at any point of the sweep?"""
    return any(point.figures[figure][0] != 0 for point in found.points)


def _format_mean(point: Point, figure: Figure) -> str:
    """The mean of a figure at one point of a sweep with half its interval, as text."""
    mean, low, high = point.figures[figure]
    return f"{figure.format_value(mean)} ± {figure.format_value((high - low) / 2)}"
