"""The chapters of a report about cards and other named things, about choices, and about oddities."""

from __future__ import annotations

from html import escape
from typing import Any

import polars as pl

from sutler.lab.play.experiment_file import Sample
from sutler.lab.report import result_tables, usage_tables
from sutler.lab.report.html_parts import (
    find_caption,
    format_count,
    format_rate,
    render_emphasis,
    render_figure,
    render_side_by_side,
    render_table,
    shorten_name,
)
from sutler.lab.report.report_charts import Bar, format_percent, format_signed_points, render_interval_chart

MIN_SEATS_KNOWN = 30  # from so many seats on the share of wins is drawn
MAX_ROWS_AT_ENDS = 12  # rows of a chart from each end of a long list
MAX_NAMES_IN_CELL = 60  # the most names in one cell of a table


def render_things_chapter(sample: Sample) -> str:
    """The chapter on named things: how often each is used, how often its users win, and how goods flow."""
    parts = [_render_impact_section(sample, kind) for kind in usage_tables.list_kinds(sample)]
    flows = usage_tables.build_flows_table(sample)
    if not flows.is_empty():
        rows = [
            [
                usage_tables.find_event_words(sample, str(row["event"])),
                row["rule"],
                row["name"],
                format_rate(row["times"]),
                format_rate(row["amount"]),
            ]
            for row in flows.to_dicts()
        ]
        parts.append(
            "<h3>Goods</h3><p>" + escape(" ".join(find_caption(usage_tables.build_flows_table).split())) + "</p>"
        )
        parts.append(
            render_table(
                "Goods that came and went",
                ["what happened", "paragraph", "", "times a game", "amount a game"],
                rows,
                word_columns=3,
            )
        )
    return "".join(parts)


def _render_impact_section(sample: Sample, kind: str) -> str:
    """The section on one kind of named thing: which events are counted, a chart, and a table of uses and wins."""
    rule = usage_tables.find_main_rule(sample, kind)
    found = usage_tables.build_impact_table(sample, kind, rule)
    events = [event for event, (its, _, _) in sample.about["events"].items() if its == rule]
    what = " or ".join(
        f"“{usage_tables.find_event_words(sample, event)}”"
        for event in events
        if event in _find_events_naming(sample, kind)
    )
    words = f"Counted are {what} (paragraph {rule})."
    if unseen := usage_tables.find_never_seen(sample, kind):
        words += f" Nothing at all was told of {', '.join(unseen)}."
    inside = render_side_by_side(_render_impact_chart(kind, found), _render_impact_table(kind, found))
    return f"<h3>{escape(_format_plural_title(kind))}</h3><p>{escape(words)}</p>{inside}"


def _render_impact_chart(kind: str, found: pl.DataFrame) -> str:
    """A chart of how much more often seats win with each named thing than without; "" if too little is known."""
    enough = found.filter(pl.col("gap").is_not_null() & (pl.col("seats") >= MIN_SEATS_KNOWN)).to_dicts()
    if not enough:
        return ""
    ends = enough if len(enough) <= 2 * MAX_ROWS_AT_ENDS else [*enough[:MAX_ROWS_AT_ENDS], *enough[-MAX_ROWS_AT_ENDS:]]
    drawn = [
        Bar(
            shorten_name(row["name"]),
            row["gap"],
            row["low"],
            row["high"],
            not result_tables.is_precise(row["wins"], row["seats"]),
        )
        for row in ends
    ]
    first, last = drawn[0], drawn[-1]
    best = f"Most for {first.name}, {format_signed_points(first.value)}; least for {last.name}, {format_signed_points(last.value)}"
    caption = find_caption(usage_tables.build_impact_table)
    if any(bar.faint for bar in drawn):
        caption += " Hollow dots rest on few games."
    if len(drawn) < len(enough):
        caption += f" Of {len(enough)} the {MAX_ROWS_AT_ENDS} at either end are shown."
    title = f"{_format_plural_title(kind)} and winning, in points of a hundred"
    return render_figure(title, render_interval_chart(drawn, best, 0.0, format_signed_points, 128), caption)


def _render_impact_table(kind: str, found: pl.DataFrame) -> str:
    """A table of uses and wins of each thing of a kind."""
    rows, few = [], []
    for i, row in enumerate(found.iter_rows(named=True)):
        said = ["–", "–", "–", "–", ""]
        if row["won"] is not None:
            said[0] = format_percent(row["won"])
        if row["gap"] is not None:
            said[1:] = [
                *(
                    format_signed_points(row["gap"]),
                    f"{format_signed_points(row['low'])} to {format_signed_points(row['high'])}",
                    format_signed_points(row["shrunk"]),
                ),
                "stands out" if row["stands_out"] else "",
            ]
        rows.append([row["name"], format_rate(row["per_game"]), format_count(row["seats"]), *said])
        if row["seats"] < MIN_SEATS_KNOWN:
            few.append(i)
    heads = [
        "",
        "times a game",
        "seats it happened to",
        "these won",
        "more than the rest",
        "95 % interval",
        "shrunk",
        "",
    ]
    caption = f"{_format_plural_title(kind)}: use, and wins of those who did" + (
        f" (·: fewer than {MIN_SEATS_KNOWN} seats)" if few else ""
    )
    return render_table(caption, heads, rows, uncertain_rows=few)


def _find_events_naming(sample: Sample, kind: str) -> set[str]:
    """The names of the events that name things of this kind."""
    return set(sample.uses.filter(pl.col("kind") == kind)["event"].cast(pl.String).unique())


def _format_plural_title(kind: str) -> str:
    """The name of a kind of thing in the plural, with a capital letter, as a title."""
    return usage_tables.format_plural(kind[:1].upper() + kind[1:])


def render_choices_chapter(sample: Sample) -> str:
    """The chapter on choices: how often each kind is offered and taken, and the actions that are seldom taken for their kind."""
    found = usage_tables.count_choices(sample)
    blocks = (
        found.group_by("block")
        .agg(pl.col("offered", "taken", "unasked").sum())
        .with_columns(share=pl.col("taken") / pl.col("offered"))
        .sort("offered", descending=True)
    )
    games = sample.games
    rows = [
        [row["block"].replace("_", " "), sample.about["blocks"][row["block"]][0], format_rate(row["offered"] / games),
         format_rate(row["taken"] / games), format_rate(row["unasked"] / games),
         "–" if not row["offered"] else format_percent(row["share"])]
        for row in blocks.to_dicts()
    ]  # fmt: skip
    heads = ["", "paragraph", "offered a game", "taken a game", "taken unasked", "taken of offered"]
    caption = (
        " ".join(find_caption(usage_tables.count_choices).split())
        + " Taken unasked is what a seat had to do, having no other choice."
    )
    parts = [f"<p>{escape(caption)}</p>", render_table("Choices by kind", heads, rows, word_columns=2)]
    seldom = usage_tables.fold_numbered_actions(usage_tables.list_seldom_taken_actions(sample)).head(
        2 * MAX_ROWS_AT_ENDS
    )
    if not seldom.is_empty():
        body = [
            [
                row["action"],
                format_count(row["offered"]),
                format_count(row["taken"]),
                format_percent(row["share"]),
                format_percent(row["usual"]),
            ]
            for row in seldom.to_dicts()
        ]
        parts.append(
            f"<h3>Seldom taken</h3><p>{render_emphasis(find_caption(usage_tables.list_seldom_taken_actions))}</p>"
        )
        parts.append(
            render_table("Seldom taken for its kind", ["", "offered", "taken", "share", "usual of its kind"], body)
        )
    return "".join(parts)


def render_oddities_chapter(sample: Sample) -> str:
    """The chapter on repetitions, the longest games, what is never done, and what seems worse than the rest."""
    rows = [
        [
            str(row["seed"]),
            format_count(row["decisions"]),
            f"{row['times']:.1f}",
            build_replay_command(sample, row["seed"], 0),
        ]
        for row in result_tables.find_longest_games(sample).to_dicts()
    ]
    parts = [f"<p>{render_emphasis(find_caption(result_tables.list_cycles))}</p>"]
    body = [
        [describe_cycle_round(one), f"{one['repeats']:,}", ", ".join(dict.fromkeys(rule for _, _, rule in one["actions"])),
         _describe_cycle_gains(one), build_replay_command(sample, one["seed"], one["at"])]
        for one in result_tables.list_cycles(sample)
    ]  # fmt: skip
    heads = ["once round", "times in a row", "paragraphs", "each round brings", "to look at it"]
    parts.append(render_table("What repeats itself", heads, body, word_columns=5) if body else "<p>Nothing did.</p>")
    heads = ["seed", "decisions", "times half of all", "to look at it"]
    parts.append(render_table("The longest games", heads, rows))
    parts.append(_render_never_done_table(sample))
    never = result_tables.find_actions_never_taken(sample)
    if len(never):
        paragraphs = sample.about["blocks"]
        body = [
            [one["action"], paragraphs[one["block"]][0], format_count(one["offered"])]
            for one in never.head(24).to_dicts()
        ]
        more = f" The {len(body)} offered most of {len(never)}." if len(never) > len(body) else ""
        parts.append(
            f"<h3>Never taken</h3><p>{render_emphasis(find_caption(result_tables.find_actions_never_taken))}{more}</p>"
        )
        parts.append(render_table("Offered and never taken", ["", "paragraph", "offered"], body, word_columns=2))
    worse = result_tables.find_dominated_choices(sample)
    if len(worse):
        body = [
            [
                one["name"],
                one["kind"],
                format_count(one["offered"]),
                format_count(one["taken"]),
                format_count(one["seats"]),
                format_signed_points(one["gap"]),
                f"{format_signed_points(one['low'])} to {format_signed_points(one['high'])}",
                format_signed_points(one["shrunk"]),
            ]
            for one in worse.to_dicts()
        ]
        parts.append(
            f"<h3>Worse than the rest?</h3><p>{render_emphasis(find_caption(result_tables.find_dominated_choices))}</p>"
        )
        heads = ["", "kind", "offered", "taken", "seats that had it", "less won", "95 % interval", "shrunk"]
        parts.append(render_table("Passed over, and worse for it", heads, body, word_columns=2))
    return "".join(parts)


def _render_never_done_table(sample: Sample) -> str:
    """A table of what never happened in these games, a row for each kind and paragraph."""
    found = result_tables.find_never_done(sample).group_by("what", "rule", maintain_order=True).agg(pl.col("name"))
    if found.is_empty():
        return "<p>These bots did all that can be done.</p>"
    rows = []
    for one in found.to_dicts():
        more = f", and {len(one['name']) - MAX_NAMES_IN_CELL} more" if len(one["name"]) > MAX_NAMES_IN_CELL else ""
        rows.append([one["what"], one["rule"], ", ".join(one["name"][:MAX_NAMES_IN_CELL]) + more])
    caption = "Never done by these bots"
    text = f"<h3>{caption}</h3><p>{render_emphasis(find_caption(result_tables.find_never_done))}</p>"
    return text + render_table(caption, ["", "paragraph", "by name"], rows, word_columns=3)


def describe_cycle_round(cycle: dict[str, Any], max_actions: int = 4) -> str:
    """The actions of one round of a cycle in words, at most `max_actions` of them."""
    said = [f"seat {seat + 1}: {name}" for seat, name, _ in cycle["actions"]]
    return "; ".join(said[:max_actions]) + (f"; and {len(said) - max_actions} more" if len(said) > max_actions else "")


def _describe_cycle_gains(cycle: dict[str, Any]) -> str:
    """The gains, in each round, of the seat that begins a cycle, in words."""
    said = ", ".join(f"{value:+.3g} {name}".replace("-", "−") for name, value in cycle["gains"].items())
    return (said or "nothing that is counted") + (" (it pays)" if cycle["pays"] else "")


def build_replay_command(sample: Sample, seed: int, decision: int) -> str:
    """The command line that shows the game with this seed after `decision` decisions."""
    return f"sutler replay {sample.about['file']} --seed {seed} --at {decision}"
