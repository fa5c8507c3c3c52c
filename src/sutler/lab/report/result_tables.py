"""The tables of a report on wins, points, length, endings, oddities and rules: each function makes one from an experiment.

The docstring of such a function is also the caption of its table in reports (`find_caption`). Tables of named things are in `usage_tables`.
All shares of games count a shared first place in parts: two seats that win together have half a game each.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from sutler.lab.play.experiment_file import Sample
from sutler.lab.play.headline_figures import find_seats_by_role
from sutler.lab.report import usage_tables
from sutler.lab.stats.estimates import (
    build_win_rate_table,
    compute_bonferroni_z,
    compute_wilson_interval,
    count_games_won_together,
    format_count_with_noun,
)
from sutler.lab.stats.three_valued_verdict import find_side_of_point

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MIN_TIMES_OFFERED = 20  # an action offered less often is not reported as never taken
NARROW_HALF_WIDTH = 0.05  # an interval with a larger half width is reported as too wide


# --- who wins ---


def build_wins_by_seat_table(sample: Sample) -> pl.DataFrame:
    """The share of games that each seat won, with intervals that hold for all seats together 95 times in 100. The line marks an even
    share of the games that somebody wins.
    """
    names = [pl.lit(f"Seat {seat + 1}").alias(f"bot_{seat}") for seat in range(sample.seats)]
    found = build_win_rate_table(sample.table.with_columns(names), compute_bonferroni_z(sample.seats))
    return (
        found.rename({"bot": "seat"}).sort("seat").with_columns(even=pl.lit(compute_share_won(sample) / sample.seats))
    )


def build_wins_by_bot_table(sample: Sample) -> pl.DataFrame:
    """The share of games that each bot won, for each seat that it had. The line marks an even share of the games that somebody wins."""
    return build_win_rate_table(sample.table).with_columns(even=pl.lit(compute_share_won(sample) / sample.seats))


def build_wins_by_role_table(sample: Sample, kind: str) -> pl.DataFrame:
    """The share of its games that each role won, with intervals that hold for all roles together 95 times in 100. The even share of a
    role is its part of the seats, in the games that somebody wins.
    """
    parts = find_seats_by_role(sample.table, kind)
    rows = []
    won = sample.results.sort("game", "seat")["won"].to_numpy().reshape(sample.games, sample.seats)
    for role, sits in parts.items():
        played = sits.any(axis=1)
        n, wins_of = int(played.sum()), float(np.where(sits, won, 0.0).sum())
        low, high = compute_wilson_interval(wins_of, n, compute_bonferroni_z(len(parts)))
        even = float(sits[played].mean() * won[played].sum(axis=1).mean())
        rows.append((role, n, wins_of, wins_of / n, low, high, even))
    columns = [kind, "games", "wins", "share", "low", "high", "even"]
    return pl.DataFrame(rows, schema=columns, orient="row").sort("share", descending=True)


def compute_share_won(sample: Sample) -> float:
    """The share of games in which at least one seat is first."""
    return 1.0 - compute_share_won_by_nobody(sample)


def compute_share_won_by_nobody(sample: Sample) -> float:
    """The share of games in which no seat is first."""
    return float((sample.results.group_by("game").agg(pl.col("won").sum())["won"] == 0).mean() or 0.0)  # type: ignore[arg-type]


# --- points ---


def _build_mean_and_quantiles(values: pl.Expr) -> list[pl.Expr]:
    """The mean of some values and their quantiles, as columns."""
    shares = [values.quantile(q, "linear").alias(f"{round(q * 100)} %") for q in QUANTILES]
    return [values.mean().alias("mean"), *shares]


def build_points_by_place_table(sample: Sample) -> pl.DataFrame:
    """The distribution of final points for each place: half of the seats lie between the columns 25 % and 75 %."""
    return (
        sample.results.group_by("place")
        .agg(pl.len().alias("seats"), *_build_mean_and_quantiles(pl.col("score")))
        .sort("place")
    )


def build_histogram(values: pl.Series, max_bins: int = 24) -> pl.DataFrame:
    """A table of how many values lie between `low` and `high` (not included), in steps of a round width, at most about `max_bins`."""
    values = values.drop_nulls().cast(pl.Float64)
    if values.is_empty():
        return pl.DataFrame(schema={"low": pl.Float64, "high": pl.Float64, "count": pl.Int64})
    every = sorted(values.to_list())
    most_of_it = every[int(0.995 * len(every))] - every[int(0.005 * len(every))]  # outliers do not coarsen the rest
    span = max(most_of_it, (every[-1] - every[0]) / 3) + 1
    width = next(w for k in range(12) for w in (10**k, 2 * 10**k, 5 * 10**k) if span / w <= max_bins)
    found = values.to_frame("v").group_by(low=(pl.col("v") / width).floor() * width).agg(count=pl.len().cast(pl.Int64))
    lows = found["low"].to_list()
    first, last = round(min(lows) / width), round(max(lows) / width)
    steps = pl.DataFrame({"low": [float(k * width) for k in range(first, last + 1)]})
    return steps.join(found, on="low", how="left").with_columns(
        pl.col("count").fill_null(0), high=pl.col("low") + width
    )


def compute_margins(sample: Sample) -> pl.Series:
    """The points by which the best score was ahead of the next in each game; 0 where both were equal."""
    scores = pl.concat_list([f"score_{seat}" for seat in range(sample.seats)]).list.sort(descending=True)
    if sample.seats < 2:
        return pl.Series("margin", [], dtype=pl.Float64)
    return sample.table.select(margin=scores.list.get(0) - scores.list.get(1))["margin"]


# --- length and course ---


def build_game_lengths_table(sample: Sample) -> pl.DataFrame:
    """How long games lasted, in turns and in decisions; a choice with only one possibility is not counted as a decision."""
    kinds = [name for name in ("turns", "decisions") if name in sample.table.columns]
    rows = [
        sample.table.select(pl.lit(name).alias("counted in"), *_build_mean_and_quantiles(pl.col(name).cast(pl.Float64)))
        for name in kinds
    ]
    return pl.concat(rows)


def build_lead_changes_table(sample: Sample) -> pl.DataFrame:
    """How often the lead went from one seat to another in a game. Many changes mean a race, none a procession."""
    counted = sample.table.group_by(changes=pl.col("lead_changes")).agg(games=pl.len()).sort("changes")
    return counted.with_columns(share=pl.col("games") / sample.games)


def build_decided_by_table(sample: Sample) -> pl.DataFrame:
    """The share of games already decided at each part of the game. A game is decided from the moment when its later winner leads alone
    until the end. A curve that rises early means that the rest of the game was played for nothing; a curve that jumps at the end means
    that the last points decide.
    """
    share = sample.table.select(at=pl.col("decided") / pl.max_horizontal("decisions", pl.lit(1)))["at"]
    tenths = [k / 10 for k in range(11)]
    return pl.DataFrame(
        {"at": [10 * k for k in range(11)], "share": [int((share <= t + 1e-12).sum()) / sample.games for t in tenths]}
    )


def build_comebacks_table(sample: Sample) -> pl.DataFrame:
    """How far, in points, the later winner had been behind the best seat at the worst moment."""
    return sample.table.select(*_build_mean_and_quantiles(pl.col("behind")))


def build_endings_table(sample: Sample) -> pl.DataFrame:
    """How often games ended in each way that the game names, with the mean length of those games."""
    return (
        sample.table.group_by(ending=pl.when(pl.col("finished")).then("ending").otherwise(pl.lit("not finished")))
        .agg(games=pl.len(), turns=pl.col("turns" if "turns" in sample.table.columns else "decisions").mean())
        .with_columns(share=pl.col("games") / sample.games)
        .sort("games", descending=True)
    )


def build_ways_of_ending_table(sample: Sample) -> pl.DataFrame:
    """How often games ended in each way that the game names, the commonest first, with intervals that hold for all ways together
    95 times in 100. A game with two endings at once counts for both.
    """
    told = sample.table["ending"].str.split(" + ")
    found = list(sample.about.get("endings", []))  # files of earlier versions do not say
    rows = []
    for way in found:
        games = int(told.list.contains(way).fill_null(value=False).sum())
        rows.append(
            (
                way,
                games,
                games / sample.games,
                *compute_wilson_interval(games, sample.games, compute_bonferroni_z(len(found))),
            )
        )
    columns = {"way": pl.String, "games": pl.Int64, "share": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    return pl.DataFrame(rows, schema=columns, orient="row").sort("games", descending=True, maintain_order=True)


def list_charted_tracks(sample: Sample) -> list[str]:
    """The names of the quantities worth a chart: those of which seats have at least 1 on average at some tenth of the game."""
    names = [name for name in sample.course.columns if name not in ("game", "at", "who", "seat")]
    names = [name for name in names if name != "score" or sample.has_points]
    found = sample.course.group_by("at").agg(pl.col(names).cast(pl.Float64).mean().fill_nan(None))
    return [name for name in names if name == "score" or (found[name].abs().max() or 0) >= 1]  # type: ignore[operator]


def build_belongings_table(sample: Sample, name: str) -> pl.DataFrame:
    """The mean of one quantity, called `name`, for winners and for the others, at each tenth of the game."""
    course = sample.course.filter(pl.col(name).is_not_null())
    if course["seat"].null_count() < len(course):
        won = sample.results.select(
            "game", "seat", who=pl.when(pl.col("won") > 0).then(pl.lit("winners")).otherwise(pl.lit("the others"))
        )
        course = course.drop("who").join(won, on=["game", "seat"])
    return course.group_by("who", "at").agg(mean=pl.col(name).cast(pl.Float64).mean()).sort("who", "at")


# --- oddities ---


def list_cycles(sample: Sample) -> list[dict[str, Any]]:
    """Sequences of actions that were repeated many times with nothing between them, in the longest games and a few others. *Pays* means
    that each round gave the first seat something and cost it nothing that is counted: a loop that a player could exploit.
    """
    return list(sample.about.get("cycles", []))


def find_longest_games(sample: Sample, max_games: int = 5) -> pl.DataFrame:
    """The longest games, at most `max_games`, and how many times as many decisions they took as the median game."""
    half = float(sample.table["decisions"].median() or 1)  # type: ignore[arg-type]
    found = sample.table.select("seed", "decisions").sort("decisions", "seed", descending=[True, False]).head(max_games)
    return found.with_columns(times=pl.col("decisions") / half)


def find_actions_never_taken(sample: Sample) -> pl.DataFrame:
    """Actions that were offered in at least a tenth as many decisions as there were games, and never taken. With 95 % certainty, a
    bot takes such an action in fewer than three of that many decisions.
    """
    found = sample.choices.group_by("block", "action").agg(pl.col("offered", "taken").sum())
    return found.filter((pl.col("taken") == 0) & (pl.col("offered") >= max(MIN_TIMES_OFFERED, sample.games / 10))).sort(
        "offered", "action", descending=[True, False]
    )


def find_never_done(sample: Sample) -> pl.DataFrame:
    """Parts of the box and of the rules that never came up in any of these games: endings that were not reached, events that did not
    happen, actions that were not taken, and the named things of each kind that never appeared, or were never used by the paragraph that
    most things of their kind are used by.
    """
    told = set(sample.events["event"].cast(pl.String).unique())
    done = set(sample.choices.filter(pl.col("taken") + pl.col("unasked") > 0)["block"].unique())
    endings = sample.about.get("endings", [])  # files of earlier versions do not say
    rows = []
    for event, (rule, *_) in sample.about["events"].items():
        if event not in told:
            rows.append(
                (
                    "endings" if event in endings else "events",
                    rule,
                    usage_tables.find_event_words(sample, event),
                )
            )
    rows += [
        ("actions", rule, block.replace("_", " "))
        for block, (rule, _) in sample.about["blocks"].items()
        if block not in done
    ]
    for kind in usage_tables.list_kinds(sample):
        absent, rule = usage_tables.find_never_seen(sample, kind), usage_tables.find_main_rule(sample, kind)
        used = set(sample.uses.filter((pl.col("kind") == kind) & (pl.col("rule") == rule))["name"].cast(pl.String))
        names = [
            name
            for name in dict.fromkeys(usage_tables.list_names_of_kind(sample, kind))
            if name not in used and name not in absent
        ]
        rows += [(f"{usage_tables.format_plural(kind)} never seen", "", name) for name in absent]
        rows += [(f"{usage_tables.format_plural(kind)} never used", rule, name) for name in names]
    return pl.DataFrame(rows, schema=["what", "rule", "name"], orient="row")


def find_dominated_choices(sample: Sample) -> pl.DataFrame:
    """Choices that are seldom taken for their kind and whose owners surely won less: candidates for being worse than the rest. *Less won*
    is the difference in percentage points from seats that did not have the thing, with its 95 % interval by games; *shrunk* is that
    difference drawn towards the mean of its kind. The difference rests on the seats that had the thing, however often the choice was
    offered. Bots that misjudge a card pass it over too; `sutler impact` measures what the card is worth by itself.
    """
    passed, rows = usage_tables.list_seldom_taken_actions(sample), []
    for kind in usage_tables.list_kinds(sample):
        for one in usage_tables.build_impact_table(sample, kind, usage_tables.find_main_rule(sample, kind)).to_dicts():
            of = passed.filter(pl.col("action").str.ends_with(" " + str(one["name"])))
            if len(of) and one["stands_out"] and find_side_of_point(one["low"], one["high"]) < 0:
                taken = (of["offered"].sum(), of["taken"].sum(), one["seats"])
                rows.append((one["name"], kind, *taken, one["gap"], one["low"], one["high"], one["shrunk"]))
    columns: dict[str, Any] = {"name": pl.String, "kind": pl.String}
    columns |= dict.fromkeys(("offered", "taken", "seats"), pl.Int64)
    columns |= dict.fromkeys(("gap", "low", "high", "shrunk"), pl.Float64)
    return pl.DataFrame(rows, schema=columns, orient="row").sort("shrunk", "name")


# --- rules ---


def build_rule_coverage(sample: Sample) -> pl.DataFrame:
    """Which paragraphs of the guide were used. *Never* means that an event or an action carries the paragraph's number and did not
    happen once; *silent* means that no event or action carries the number, so that play cannot show it.
    """
    told = sample.events.group_by(event=pl.col("event").cast(pl.String)).agg(n=pl.col("count").sum())
    done = sample.choices.group_by("block").agg(n=(pl.col("taken") + pl.col("unasked")).sum())
    happened = (dict(told.iter_rows()), dict(done.iter_rows()))
    tied: dict[str, int] = {}
    for kinds, times in zip((sample.about["events"], sample.about["blocks"]), happened, strict=True):
        by_rule: dict[str, int] = {}
        for name, (rule, *_) in kinds.items():
            by_rule[rule] = by_rule.get(rule, 0) + times.get(name, 0)
        tied |= {
            rule: max(n, tied.get(rule, 0)) for rule, n in by_rule.items()
        }  # an action mostly logs an event too, so the larger count is kept
    rows = [
        (number, chapter, title, kind, tied.get(number, 0), _format_paragraph_state(tied.get(number)))
        for number, chapter, title, kind in sample.about["paragraphs"]
    ]
    columns = ["number", "chapter", "title", "kind", "times", "state"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def _format_paragraph_state(times: int | None) -> str:
    """The state of a paragraph in words: "fired", "never", or "silent" where nothing counts it (None)."""
    if times is None:
        return "silent"
    return "fired" if times else "never"


# --- warnings ---


def estimate_games_needed(seats: list[dict[str, Any]], n_seats: int) -> int:
    """About how many games (in hundreds) bring the intervals of n seats to a half width of NARROW_HALF_WIDTH.

    Each true share is taken to lie in the middle of its interval, since from a few games nothing else is known. `seats`: rows with wins and
    games.
    """
    z = compute_bonferroni_z(n_seats)
    middles = [(row["wins"] + z * z / 2) / (row["games"] + z * z) for row in seats]
    most: float = max(z * z * p * (1 - p) for p in middles)
    return math.ceil(most / NARROW_HALF_WIDTH**2 / 100) * 100


def _build_cooperative_win_row(sample: Sample) -> dict[str, Any]:
    """The share of games won in a cooperative game, with its interval, in the form of a row of the table of seats."""
    k, n = count_games_won_together(sample.table)
    low, high = compute_wilson_interval(k, n)
    return {"games": n, "wins": k, "share": k / n, "low": low, "high": high}


def list_warnings(sample: Sample) -> list[str]:
    """Sentences on the limits of the experiment that a reader should know before using its results."""
    found = []
    shares = [_build_cooperative_win_row(sample)] if sample.cooperative else build_wins_by_seat_table(sample).to_dicts()
    widest = max(max(row["share"] - row["low"], row["high"] - row["share"]) for row in shares)
    if widest > NARROW_HALF_WIDTH:
        share = "the share of games that are won" if sample.cooperative else "a seat’s share of wins"
        found.append(
            f"The sample is small: with {format_count_with_noun(sample.games, 'game')} {share} is known to ±{widest:.0%} only. "
            f"About {estimate_games_needed(shares, len(shares)):,} games would bring it to ±{NARROW_HALF_WIDTH:.0%}."
        )
    if unfinished := int((~sample.table["finished"]).sum()):
        found.append(f"{unfinished:,} games were cut because they did not end; their scores are those of the moment.")
    if all(one["name"] == "random" for one in sample.about["bots"]):
        found.append("Every seat played at random. That shows what the rules allow, not how people play.")
    if not sample.about["rotated"] and len(set(sample.table.select("^bot_.*$").row(0))) > 1:
        found.append("Bots kept their seats, so that a bot’s strength and its seat’s advantage cannot be told apart.")
    if sample.games % sample.seats and len(set(sample.table.select("^bot_.*$").row(0))) > 1:
        found.append(
            f"{sample.games:,} games do not divide by {sample.seats} seats: one bot sat once more here than there."
        )
    return found


def is_precise(won: float, n: int) -> bool:
    """Is the share of `won` wins in `n` games known to within NARROW_HALF_WIDTH to either side?"""
    low, high = compute_wilson_interval(won, n)
    return n > 0 and (high - low) / 2 <= NARROW_HALF_WIDTH
