"""The chapters of a report: each function makes one from an experiment, as HTML with charts and with the same data in tables.

The chapters on cards and other named things are in `named_things`.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import polars as pl

from sutler.lab.play.experiment_file import Sample
from sutler.lab.play.headline_figures import list_role_kinds
from sutler.lab.play.provenance import describe_bot
from sutler.lab.report import result_tables, usage_tables
from sutler.lab.report.html_parts import (
    find_caption,
    format_cells,
    format_count,
    format_interval,
    format_rate,
    render_emphasis,
    render_figure,
    render_side_by_side,
    render_table,
    shorten_name,
)
from sutler.lab.report.report_charts import (
    Bar,
    format_number,
    format_percent,
    format_round_percent,
    render_bar_chart,
    render_histogram,
    render_interval_chart,
    render_line_chart,
)
from sutler.lab.stats.estimates import compute_wilson_interval, count_games_won_together


def render_wins_chapter(sample: Sample) -> str:
    """The chapter on wins by role, by seat and by bot; in a cooperative game, on how often the game is won."""
    if sample.cooperative:
        return _render_cooperative_wins(sample)
    shown, sheets = [], []
    for kind in list_role_kinds(sample.table):
        picture, table = _render_role_wins(sample, kind)
        shown.append(picture)
        sheets.append(table)
    heads = ["", "games", "wins", "share", "95 % interval", "mean points", "mean place"]
    columns = heads if sample.has_points else [name for name in heads if name != "mean points"]
    for title, function in (
        ("Wins by seat", result_tables.build_wins_by_seat_table),
        ("Wins by bot", result_tables.build_wins_by_bot_table),
    ):
        rows = function(sample).to_dicts()
        if function is result_tables.build_wins_by_bot_table and len(rows) < 2:
            continue
        first = next(iter(rows[0]))
        drawn = [Bar(row[first], row["share"], row["low"], row["high"]) for row in rows]
        said = "; ".join(f"{row[first]} {format_percent(row['share'])}" for row in rows)
        shown.append(
            render_figure(
                title, render_interval_chart(drawn, f"{title}: {said}", rows[0]["even"]), find_caption(function)
            )
        )
        body = [
            dict(zip(heads, [row[first], format_count(row["games"]), f"{row['wins']:,.1f}", format_percent(row["share"]),
                             format_interval(row), f"{row['score']:.2f}", f"{row['place']:.2f}"], strict=True))
            for row in rows
        ]  # fmt: skip
        sheets.append(render_table(title, columns, [[row[name] for name in columns] for row in body]))
    return render_side_by_side(*shown, *sheets)


def _render_cooperative_wins(sample: Sample) -> str:
    """The chapter on wins in a cooperative game."""
    k, n = count_games_won_together(sample.table)
    low, high = compute_wilson_interval(k, n)
    won = Bar("The table", k / n, low, high)
    title = "Games won"
    shown = render_figure(
        title, render_interval_chart([won], f"{title}: {format_percent(k / n)}", None), "All win or lose together."
    )
    row = [format_count(n), format_count(k), format_percent(k / n), format_interval({"low": low, "high": high})]
    return render_side_by_side(shown, render_table(title, ["games", "won", "share", "95 % interval"], [row]))


def _render_role_wins(sample: Sample, kind: str) -> tuple[str, str]:
    """A chart and a table of the wins of each role of a kind, such as each power."""
    title, rows = f"Wins by {kind}", result_tables.build_wins_by_role_table(sample, kind).to_dicts()
    drawn = [Bar(shorten_name(row[kind], 14), row["share"], row["low"], row["high"]) for row in rows]
    said = "; ".join(f"{row[kind]} {format_percent(row['share'])}" for row in rows)
    even = sum(row["even"] for row in rows) / len(rows)
    picture = render_figure(
        title,
        render_interval_chart(drawn, f"{title}: {said}", even),
        find_caption(result_tables.build_wins_by_role_table),
    )
    body = [
        [
            row[kind],
            format_count(row["games"]),
            f"{row['wins']:,.1f}",
            format_percent(row["share"]),
            format_interval(row),
            format_percent(row["even"]),
        ]
        for row in rows
    ]
    return picture, render_table(title, ["", "games", "wins", "share", "95 % interval", "even"], body)


def render_points_chapter(sample: Sample) -> str:
    """The chapter on final scores and margins of victory; "" where the game counts no points."""
    if not sample.has_points:
        return ""
    shown = [
        _render_histogram(
            "Points at the end", sample.results["score"], "points", "How many seats ended with so many points."
        )
    ]
    if sample.seats > 1 and not sample.cooperative:
        shown.append(
            _render_histogram(
                "Ahead at the end",
                result_tables.compute_margins(sample),
                "points ahead",
                find_caption(result_tables.compute_margins),
            )
        )
    found = result_tables.build_points_by_place_table(sample)
    say = [format_number, format_count, *[format_number] * (len(found.columns) - 2)]
    return render_side_by_side(*shown, render_table("Points by place", found.columns, format_cells(found, say)))


def _render_histogram(title: str, values: pl.Series, axis_label: str, caption: str) -> str:
    """A figure as HTML with a histogram of these values as shares; "" if there are no values. `axis_label`: the axis's label."""
    found = result_tables.build_histogram(values)
    if found.is_empty():
        return ""
    width = float(found["high"][0] - found["low"][0])
    total = max(1, int(found["count"].sum()))
    drawn = [(row["low"], row["count"] / total) for row in found.to_dicts()]
    most = max(found.to_dicts(), key=lambda row: row["count"])
    said = f"{title}: most often {format_number(most['low'])}" + (
        f" to {format_number(most['high'])}" if width > 1 else ""
    )
    return render_figure(title, render_histogram(drawn, said, axis_label, format_round_percent, width), caption)


def render_length_chapter(sample: Sample) -> str:
    """The chapter on the length of games, in turns and in decisions."""
    names = [name for name in ("turns", "decisions") if name in sample.table.columns]
    shown = [
        _render_histogram(
            f"Length in {name}", sample.table[name], name, f"The share of games that took so many {name}."
        )
        for name in names
    ]
    found = result_tables.build_game_lengths_table(sample)
    caption = " ".join(find_caption(result_tables.build_game_lengths_table).split())
    return (
        render_side_by_side(*shown)
        + f"<p>{escape(caption)}</p>"
        + render_table("Length of a game", found.columns, format_cells(found, [str, *[format_number] * 6]))
    )


def render_lead_chapter(sample: Sample) -> str:
    """The chapter on changes of the lead and on when games are decided; "" where seats do not compete."""
    if sample.cooperative or sample.seats < 2:
        return ""
    changes, when, behind = (
        result_tables.build_lead_changes_table(sample),
        result_tables.build_decided_by_table(sample),
        result_tables.build_comebacks_table(sample),
    )
    first = render_histogram(
        [(row["changes"], row["share"]) for row in changes.to_dicts()],
        "Changes of the lead in a game",
        "changes of the lead",
        format_round_percent,
    )
    said = f"Decided by the middle of the game: {format_percent(when['share'][5])}"
    second = render_line_chart(
        [("games", when["share"].to_list())],
        when["at"].to_list(),
        said,
        "of the game’s decisions",
        format_round_percent,
        1.0,
    )
    sheets = [
        render_table(
            "Changes of the lead",
            ["changes", "games", "share"],
            format_cells(changes, [format_number, format_count, format_percent]),
        ),
        render_table(
            "Decided by then",
            ["part of the game", "share of games"],
            format_cells(when, [lambda at: f"{at} %", format_percent]),
        ),
        render_table(
            "How far the winner had been behind, in points",
            behind.columns,
            format_cells(behind, [format_number] * 6),
            word_columns=0,
        ),
    ]
    shown = render_side_by_side(
        render_figure("Changes of the lead", first, find_caption(result_tables.build_lead_changes_table)),
        render_figure("When it was decided", second, find_caption(result_tables.build_decided_by_table)),
    )
    return shown + render_side_by_side(*sheets)


def render_endings_chapter(sample: Sample) -> str:
    """The chapter on the ways in which games ended."""
    found = result_tables.build_endings_table(sample)
    names = [_describe_ending(sample, row) for row in found["ending"]]
    drawn = list(zip(names, found["share"].to_list(), strict=True))
    said = "; ".join(f"{name} {format_percent(share)}" for name, share in drawn)
    rows = [
        [name, format_count(row["games"]), format_percent(row["share"]), format_number(row["turns"])]
        for name, row in zip(names, found.to_dicts(), strict=True)
    ]
    unit = "mean turns" if "turns" in sample.table.columns else "mean decisions"
    return render_side_by_side(
        render_figure("How games end", render_bar_chart(drawn, said), find_caption(result_tables.build_endings_table)),
        render_table("How games end", ["", "games", "share", unit], rows),
    )


def _describe_ending(sample: Sample, ending: str) -> str:
    """The words for a way to end: the texts of the events that end the game so."""
    if ending == "not finished" or ending == "":
        return "Cut: not finished" if ending else "The last turn is over"
    said = " + ".join(usage_tables.find_event_words(sample, event) for event in ending.split(" + "))
    return said[:1].upper() + said[1:]


def render_belongings_chapter(sample: Sample) -> str:
    """The chapter on what seats own: score and goods at each tenth of the game, from its start to its end."""
    shown, rows = [], []
    for name in result_tables.list_charted_tracks(sample):
        found = result_tables.build_belongings_table(sample, name)
        who = sorted(found["who"].cast(pl.String).unique().to_list(), key=lambda one: (one != "winners", one))
        series = [(one, found.filter(pl.col("who") == one)["mean"].to_list()) for one in who]
        ends = "; ".join(f"{one} {format_number(values[-1])}" for one, values in series)
        title = name[:1].upper() + name[1:]
        picture = render_line_chart(
            series, [10 * k for k in range(11)], f"{title}, at the end: {ends}", "of the game’s decisions"
        )
        shown.append(render_figure(title, picture, f"{title}: {_describe_holders(who)} on average, through the game."))
        rows += [[name, one, *[format_number(values[k]) for k in (0, 2, 4, 6, 8, 10)]] for one, values in series]
    heads = ["", "who", "at first", "20 %", "40 %", "60 %", "80 %", "at the end"]
    return render_side_by_side(*shown) + render_table(
        "Owned on average, by part of the game", heads, rows, word_columns=2
    )


def _describe_holders(holders: Sequence[str]) -> str:
    """The holders that a chart compares, as part of its caption."""
    return "what winners and the others had" if "winners" in holders else f"what {', '.join(holders)} had"


def render_rules_chapter(sample: Sample) -> str:
    """The chapter on the paragraphs of the game's guide: which of them were used, which never."""
    found = result_tables.build_rule_coverage(sample)
    items = []
    for (chapter,), rows in found.group_by("chapter", maintain_order=True):
        chips = "".join(
            f'<li><span class="chip {row["state"]}" title="{escape(row["title"])}">{row["number"]}</span></li>'
            for row in rows.to_dicts()
        )
        items.append(f"<li><span>{escape(str(chapter))}</span><ul>{chips}</ul></li>")
    never = found.filter(pl.col("state") == "never")
    counts = {state: len(found.filter(pl.col("state") == state)) for state in ("fired", "never", "silent")}
    key = (
        f'<p class="key"><span><span class="chip fired">1.1</span> used ({counts["fired"]})</span>'
        f'<span><span class="chip never">1.1</span> never ({counts["never"]})</span>'
        f'<span><span class="chip silent">1.1</span> silent ({counts["silent"]})</span></p>'
    )
    parts = [f"<p>{render_emphasis(find_caption(result_tables.build_rule_coverage))}</p>"]
    parts += [key, f'<ul class="rules">{"".join(items)}</ul>']
    if not never.is_empty():
        body = [[row["number"], row["title"], row["chapter"]] for row in never.to_dicts()]
        parts.append(
            render_table("Rules that were never used", ["paragraph", "title", "chapter"], body, word_columns=3)
        )
    fired = found.filter(pl.col("state") == "fired").to_dicts()
    body = [
        [row["number"], row["title"], format_count(row["times"]), format_rate(row["times"] / sample.games)]
        for row in fired
    ]
    parts.append(
        render_table("Rules that were used", ["paragraph", "title", "times", "times a game"], body, word_columns=2)
    )
    return "".join(parts)


def render_about_chapter(sample: Sample) -> str:
    """The chapter on the experiment itself, with everything that is needed to repeat it."""
    told = sample.about
    bots = ", ".join(describe_bot(one) for one in told["bots"])
    edit = {"edit of the box": str(told["edit"])} if told["edit"] else {}
    chosen = (
        ", ".join(f"{key}={value}" for key, value in {**told["options"], **told["settings"]}.items()) or "as printed"
    )
    rows = {
        "game": f"{told['title']} ({told['game']}), {sample.seats} seats",
        "bots": bots + (", rotated through the seats" if told["rotated"] else ", each in its seat"),
        "games": f"{sample.games:,}, seeds {told['seed']} to {told['seed'] + sample.games - 1}",
        "options": chosen,
        **edit,
        "box": told["box"],
        "rules": told["rules"],
        "bots' code": told.get("bots_code", "not told"),  # missing in files of earlier versions
        **({"commit": told["commit"]} if told.get("commit") else {}),
        "versions": ", ".join(f"{key} {value}" for key, value in told["versions"].items()),
        "made": told["made"],
    }
    listed = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in rows.items())
    return f'<p>To make them again: <code>{escape(told["command"])}</code></p><dl class="about">{listed}</dl>' + (
        "<p>Intervals are Wilson’s at 95 %, those of the seats hold together; of differences Newcombe’s, counted by games. One in twenty "
        "misses, so of a hundred cards about five lie outside theirs by chance alone; of those that stand out, at most one in "
        "twenty does (Benjamini and Hochberg).</p>"
    )
