"""The chapters of a report: each function makes one from an experiment, as HTML with charts and with the same data in tables.

The chapters on cards and other named things are in `named_things`.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import polars as pl

from sutler.lab.play.experiment_file import Sample
from sutler.lab.play.figures import role_kinds
from sutler.lab.play.provenance import bot_in_words
from sutler.lab.report import result_tables, usage_tables
from sutler.lab.report.html_parts import (
    caption_of,
    figure,
    format_cells,
    format_count,
    format_interval,
    format_rate,
    pictures,
    sheet,
    shortened,
    with_emphasis,
)
from sutler.lab.report.report_charts import Bar, bars, columns, even_percent, intervals, lines, number, percent
from sutler.lab.stats.estimates import games_won_together, wilson


def who_wins(sample: Sample) -> str:
    """The chapter on wins by role, by seat and by bot; in a cooperative game, on how often the game is won."""
    if sample.cooperative:
        return _won_together(sample)
    shown, sheets = [], []
    for kind in role_kinds(sample.table):
        picture, table = _roles(sample, kind)
        shown.append(picture)
        sheets.append(table)
    heads = ["", "games", "wins", "share", "95 % interval", "mean points", "mean place"]
    columns = heads if sample.has_points else [name for name in heads if name != "mean points"]
    for title, function in (("Wins by seat", result_tables.wins_by_seat), ("Wins by bot", result_tables.wins_by_bot)):
        rows = function(sample).to_dicts()
        if function is result_tables.wins_by_bot and len(rows) < 2:
            continue
        first = next(iter(rows[0]))
        drawn = [Bar(row[first], row["share"], row["low"], row["high"]) for row in rows]
        said = "; ".join(f"{row[first]} {percent(row['share'])}" for row in rows)
        shown.append(figure(title, intervals(drawn, f"{title}: {said}", rows[0]["even"]), caption_of(function)))
        body = [
            dict(zip(heads, [row[first], format_count(row["games"]), f"{row['wins']:,.1f}", percent(row["share"]), format_interval(row),
                             f"{row['score']:.2f}", f"{row['place']:.2f}"], strict=True))
            for row in rows
        ]  # fmt: skip
        sheets.append(sheet(title, columns, [[row[name] for name in columns] for row in body]))
    return pictures(*shown, *sheets)


def _won_together(sample: Sample) -> str:
    """The chapter on wins in a cooperative game."""
    k, n = games_won_together(sample.table)
    low, high = wilson(k, n)
    won = Bar("The table", k / n, low, high)
    title = "Games won"
    shown = figure(title, intervals([won], f"{title}: {percent(k / n)}", None), "All win or lose together.")
    row = [format_count(n), format_count(k), percent(k / n), format_interval({"low": low, "high": high})]
    return pictures(shown, sheet(title, ["games", "won", "share", "95 % interval"], [row]))


def _roles(sample: Sample, kind: str) -> tuple[str, str]:
    """A chart and a table of the wins of each role of a kind, such as each power."""
    title, rows = f"Wins by {kind}", result_tables.wins_by_role(sample, kind).to_dicts()
    drawn = [Bar(shortened(row[kind], 14), row["share"], row["low"], row["high"]) for row in rows]
    said = "; ".join(f"{row[kind]} {percent(row['share'])}" for row in rows)
    even = sum(row["even"] for row in rows) / len(rows)
    picture = figure(title, intervals(drawn, f"{title}: {said}", even), caption_of(result_tables.wins_by_role))
    body = [
        [
            row[kind],
            format_count(row["games"]),
            f"{row['wins']:,.1f}",
            percent(row["share"]),
            format_interval(row),
            percent(row["even"]),
        ]
        for row in rows
    ]
    return picture, sheet(title, ["", "games", "wins", "share", "95 % interval", "even"], body)


def points(sample: Sample) -> str:
    """The chapter on final scores and margins of victory; "" where the game counts no points."""
    if not sample.has_points:
        return ""
    shown = [
        _histogram("Points at the end", sample.results["score"], "points", "How many seats ended with so many points.")
    ]
    if sample.seats > 1 and not sample.cooperative:
        shown.append(
            _histogram(
                "Ahead at the end", result_tables.margins(sample), "points ahead", caption_of(result_tables.margins)
            )
        )
    found = result_tables.points_by_place(sample)
    say = [number, format_count, *[number] * (len(found.columns) - 2)]
    return pictures(*shown, sheet("Points by place", found.columns, format_cells(found, say)))


def _histogram(title: str, values: pl.Series, below: str, caption: str) -> str:
    """A figure with a histogram of these values as shares; "" where there are none. `below`: the label of the axis."""
    found = result_tables.histogram(values)
    if found.is_empty():
        return ""
    width = float(found["high"][0] - found["low"][0])
    total = max(1, int(found["count"].sum()))
    drawn = [(row["low"], row["count"] / total) for row in found.to_dicts()]
    most = max(found.to_dicts(), key=lambda row: row["count"])
    said = f"{title}: most often {number(most['low'])}" + (f" to {number(most['high'])}" if width > 1 else "")
    return figure(title, columns(drawn, said, below, even_percent, width), caption)


def length(sample: Sample) -> str:
    """The chapter on the length of games, in turns and in decisions."""
    names = [name for name in ("turns", "decisions") if name in sample.table.columns]
    shown = [
        _histogram(f"Length in {name}", sample.table[name], name, f"The share of games that took so many {name}.")
        for name in names
    ]
    found = result_tables.game_lengths(sample)
    caption = " ".join(caption_of(result_tables.game_lengths).split())
    return (
        pictures(*shown)
        + f"<p>{escape(caption)}</p>"
        + sheet("Length of a game", found.columns, format_cells(found, [str, *[number] * 6]))
    )


def lead(sample: Sample) -> str:
    """The chapter on changes of the lead and on when games are decided; "" where seats do not compete."""
    if sample.cooperative or sample.seats < 2:
        return ""
    changes, when, behind = (
        result_tables.lead_changes(sample),
        result_tables.decided_by(sample),
        result_tables.comebacks(sample),
    )
    first = columns(
        [(row["changes"], row["share"]) for row in changes.to_dicts()],
        "Changes of the lead in a game",
        "changes of the lead",
        even_percent,
    )
    said = f"Decided by the middle of the game: {percent(when['share'][5])}"
    second = lines(
        [("games", when["share"].to_list())], when["at"].to_list(), said, "of the game’s decisions", even_percent, 1.0
    )
    sheets = [
        sheet(
            "Changes of the lead",
            ["changes", "games", "share"],
            format_cells(changes, [number, format_count, percent]),
        ),
        sheet(
            "Decided by then",
            ["part of the game", "share of games"],
            format_cells(when, [lambda at: f"{at} %", percent]),
        ),
        sheet(
            "How far the winner had been behind, in points",
            behind.columns,
            format_cells(behind, [number] * 6),
            words=0,
        ),
    ]
    shown = pictures(
        figure("Changes of the lead", first, caption_of(result_tables.lead_changes)),
        figure("When it was decided", second, caption_of(result_tables.decided_by)),
    )
    return shown + pictures(*sheets)


def endings(sample: Sample) -> str:
    """The chapter on the ways in which games ended."""
    found = result_tables.endings(sample)
    names = [_ending_in_words(sample, row) for row in found["ending"]]
    drawn = list(zip(names, found["share"].to_list(), strict=True))
    said = "; ".join(f"{name} {percent(share)}" for name, share in drawn)
    rows = [
        [name, format_count(row["games"]), percent(row["share"]), number(row["turns"])]
        for name, row in zip(names, found.to_dicts(), strict=True)
    ]
    unit = "mean turns" if "turns" in sample.table.columns else "mean decisions"
    return pictures(
        figure("How games end", bars(drawn, said), caption_of(result_tables.endings)),
        sheet("How games end", ["", "games", "share", unit], rows),
    )


def _ending_in_words(sample: Sample, ending: str) -> str:
    """A way to end, as words: the texts of its events."""
    if ending == "not finished" or ending == "":
        return "Cut: not finished" if ending else "The last turn is over"
    said = " + ".join(usage_tables.words_of(sample, event) for event in ending.split(" + "))
    return said[:1].upper() + said[1:]


def belongings(sample: Sample) -> str:
    """The chapter on what seats own: score and goods at each tenth of the game, from its start to its end."""
    shown, rows = [], []
    for name in result_tables.tracks(sample):
        found = result_tables.belongings(sample, name)
        who = sorted(found["who"].cast(pl.String).unique().to_list(), key=lambda one: (one != "winners", one))
        series = [(one, found.filter(pl.col("who") == one)["mean"].to_list()) for one in who]
        ends = "; ".join(f"{one} {number(values[-1])}" for one, values in series)
        title = name[:1].upper() + name[1:]
        picture = lines(series, [10 * k for k in range(11)], f"{title}, at the end: {ends}", "of the game’s decisions")
        shown.append(figure(title, picture, f"{title}: {_holders_in_words(who)} on average, through the game."))
        rows += [[name, one, *[number(values[k]) for k in (0, 2, 4, 6, 8, 10)]] for one, values in series]
    heads = ["", "who", "at first", "20 %", "40 %", "60 %", "80 %", "at the end"]
    return pictures(*shown) + sheet("Owned on average, by part of the game", heads, rows, words=2)


def _holders_in_words(who: Sequence[str]) -> str:
    """The holders that a chart compares, as part of its caption."""
    return "what winners and the others had" if "winners" in who else f"what {', '.join(who)} had"


def rules(sample: Sample) -> str:
    """The chapter on the paragraphs of the game's guide: which of them came into play."""
    found = result_tables.coverage(sample)
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
    parts = [f"<p>{with_emphasis(caption_of(result_tables.coverage))}</p>"]
    parts += [key, f'<ul class="rules">{"".join(items)}</ul>']
    if not never.is_empty():
        body = [[row["number"], row["title"], row["chapter"]] for row in never.to_dicts()]
        parts.append(sheet("Rules that were never used", ["paragraph", "title", "chapter"], body, words=3))
    fired = found.filter(pl.col("state") == "fired").to_dicts()
    body = [
        [row["number"], row["title"], format_count(row["times"]), format_rate(row["times"] / sample.games)]
        for row in fired
    ]
    parts.append(sheet("Rules that were used", ["paragraph", "title", "times", "times a game"], body, words=2))
    return "".join(parts)


def about(sample: Sample) -> str:
    """The chapter on the experiment itself: all that is needed to repeat it."""
    told = sample.about
    bots = ", ".join(bot_in_words(one) for one in told["bots"])
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
