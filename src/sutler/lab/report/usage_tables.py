"""The tables of a report about named things: which cards and goods are used, how often their users win, which actions are taken.

The docstring of such a function is also the caption of its table in reports (`find_caption`).
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import polars as pl

from sutler.lab.play.experiment_file import Sample
from sutler.lab.stats.estimates import compute_share_difference_interval, control_false_discoveries, shrink_to_mean

MAX_GOODS_NAMES = 8  # kinds with at most so many names are goods, those with more are cards or places
MIN_LIKE_FOLDED = 4  # from so many actions on that differ only in a number they share one row
SELDOM_RATIO = 0.25
NUMBER_PATTERN = r"\{(?:n\d*(?::n)?|count)\}"
SEAT_WORDS = {"other": "another seat", "victim": "another seat"}


def find_event_words(sample: Sample, event: str) -> str:
    """The text of an event without its seat, numbers and cards' sentences: "plays card on land", "gains tokens"."""
    text = str(sample.about["events"][event][1]).replace("{seat} ", "")
    text = re.sub(r": \{\w+_text\}", "", text)
    text = re.sub(r"\{\w+:#[^|}]+\|([^}]+)\}", r"\1", text)
    text = re.sub(NUMBER_PATTERN + r" \{([a-z]+?)\d*(?::\w+)?\}", lambda part: format_plural(part[1]), text)
    text = re.sub(NUMBER_PATTERN + r" (?=\w)", "", text)
    text = re.sub(NUMBER_PATTERN, "…", text)
    return re.sub(r"\{([a-z_]+?)\d*(?::\w+)?\}", lambda part: SEAT_WORDS.get(part[1], part[1].replace("_", " ")), text)


def format_plural(kind: str) -> str:
    """The plural of the word for a kind of thing."""
    return kind if kind.endswith("s") else kind[:-1] + "ies" if kind.endswith("ty") else kind + "s"


def list_kinds(sample: Sample) -> list[str]:
    """The kinds of things, other than goods, that events of seats name; kinds that seats choose among come first."""
    chosen = {kind for _, parts in sample.about["blocks"].values() for kind in parts}
    counted = sample.uses.filter(pl.col("seat").is_not_null()).group_by("kind").agg(n=pl.col("name").n_unique())
    found = [
        str(kind)
        for kind in counted.sort("n", descending=True)["kind"]
        if len(list_names_of_kind(sample, str(kind))) > MAX_GOODS_NAMES
    ]
    return sorted(found, key=lambda kind: kind not in chosen)


def list_names_of_kind(sample: Sample, kind: str) -> list[str]:
    """All names of a kind of thing in the box, used or not."""
    return list(sample.about["names"].get(kind, []))


def find_never_seen(sample: Sample, kind: str) -> list[str]:
    """The names of a kind of thing that no event named in any game."""
    seen = set(sample.uses.filter(pl.col("kind") == kind)["name"].cast(pl.String).unique())
    return [name for name in dict.fromkeys(list_names_of_kind(sample, kind)) if name not in seen]


def find_main_rule(sample: Sample, kind: str) -> str:
    """The paragraph by which most things of a kind are used, if possible one with an action that chooses among them."""
    chosen = {rule for rule, parts in sample.about["blocks"].values() if kind in parts}
    told = sample.uses.filter((pl.col("kind") == kind) & pl.col("seat").is_not_null())
    counted = told.group_by("rule").agg(n=pl.col("count").sum())
    counted = counted.with_columns(chosen=pl.col("rule").is_in(list(chosen)))
    return str(counted.sort(["chosen", "n", "rule"], descending=[True, True, False])["rule"][0])


def build_impact_table(sample: Sample, kind: str, rule: str) -> pl.DataFrame:
    """Impact: how much more often seats won when this happened to them than when it did not. This is a correlation: a card may come up
    because its owner is winning already. What a card does by itself, `sutler impact` finds out by changing only the card. Seats of one
    game are not independent, since one wins and the others lose: the intervals take games as their unit. *Shrunk* draws differences that
    are little known towards the mean of all; of the things that *stand out*, at most one in twenty does so by chance.
    """
    used = sample.uses.filter((pl.col("kind") == kind) & (pl.col("rule") == rule) & pl.col("seat").is_not_null())
    each = used.group_by("game", "seat", "name").agg(count=pl.col("count").sum())
    each = each.join(sample.results.select("game", "seat", "won"), on=["game", "seat"])
    by_game = each.group_by("game", name=pl.col("name").cast(pl.String)).agg(
        times=pl.col("count").sum(), seats=pl.len(), wins=pl.col("won").sum()
    )
    won = sample.results.group_by("game").agg(pl.col("won").sum()).sort("game")["won"].to_numpy()
    found = {name: rows for (name,), rows in by_game.group_by("name")}
    rows = [
        {"name": name, **_compute_win_gap(found.get(name), won, sample.seats)}
        for name in dict.fromkeys(list_names_of_kind(sample, kind))
    ]
    table = pl.DataFrame(rows, schema=IMPACT).with_columns(per_game=pl.col("times") / sample.games)
    known = table["gap"].is_not_null().to_numpy()
    gaps, errors = (table.filter(known)[column].to_list() for column in ("gap", "error"))
    chances = [math.erfc(abs(gap) / max(error, 1e-12) / math.sqrt(2)) for gap, error in zip(gaps, errors, strict=True)]
    steady, stands = iter(shrink_to_mean(gaps, errors)), iter(control_false_discoveries(chances))
    return table.with_columns(
        shrunk=pl.Series([next(steady) if one else None for one in known], dtype=pl.Float64),
        stands_out=pl.Series([one and next(stands) for one in known], dtype=pl.Boolean),
    ).sort("gap", descending=True, nulls_last=True)


IMPACT: Any = {
    "name": pl.String,
    **dict.fromkeys(("times", "seats"), pl.Int64),
    **dict.fromkeys(("wins", "won", "gap", "low", "high", "error"), pl.Float64),
}


def _compute_win_gap(seats_with: pl.DataFrame | None, all_wins: Any, n_seats: int) -> dict[str, Any]:
    """The wins of seats that had a thing, against those of the other seats: counts, difference of shares, its interval and error.

    `seats_with`: for each game with the thing, the seats that had it and their wins; None where no seat ever had it. `all_wins`: the
    wins of all seats of each game. The interval is Newcombe's, for the effective number of independent seats, which follows from the
    variance of the difference, summed game by game.
    """
    if seats_with is None:
        return {"times": 0, "seats": 0, "wins": 0.0}
    n, wins_with = int(seats_with["seats"].sum()), float(seats_with["wins"].sum())
    found: dict[str, Any] = {
        "times": int(seats_with["times"].sum()),
        "seats": n,
        "wins": wins_with,
        "won": wins_with / n,
    }
    rest, wins_without = len(all_wins) * n_seats - n, float(all_wins.sum()) - wins_with
    if rest == 0:
        return found
    p, q = wins_with / n, wins_without / rest
    here, mine_won = np.zeros(len(all_wins)), np.zeros(len(all_wins))
    at = seats_with["game"].to_numpy()
    here[at], mine_won[at] = seats_with["seats"].to_numpy(), seats_with["wins"].to_numpy()
    pulls = (mine_won - p * here) / n - (all_wins - mine_won - q * (n_seats - here)) / rest
    alone = p * (1 - p) / n + q * (1 - q) / rest
    worth = max(1.0, float((pulls**2).sum()) / alone) if alone > 0 else 1.0
    low, high = compute_share_difference_interval(
        (wins_with / worth, n / worth), (wins_without / worth, rest / worth)
    )  # in independent seats
    return found | {"gap": p - q, "low": low, "high": high, "error": math.sqrt(alone * worth)}


def build_flows_table(sample: Sample) -> pl.DataFrame:
    """Flows of goods, gained and spent: for each event, how often in a game and how much in a game."""
    few = [
        kind
        for kind in sample.uses["kind"].cast(pl.String).unique()
        if len(list_names_of_kind(sample, kind)) <= MAX_GOODS_NAMES
    ]
    told = sample.uses.filter(pl.col("kind").cast(pl.String).is_in(few) & (pl.col("amount") != 0))
    return (
        told.group_by("event", "rule", name=pl.col("name").cast(pl.String))
        .agg(times=pl.col("count").sum() / sample.games, amount=pl.col("amount").cast(pl.Int64).sum() / sample.games)
        .sort("event", "amount", descending=[False, True])
    )


# --- choices ---


def count_choices(sample: Sample) -> pl.DataFrame:
    """How often each action was offered to a seat, and in how many of these decisions it was taken."""
    found = sample.choices.group_by("block", "action").agg(pl.col("offered", "taken", "unasked").sum())
    return found.with_columns(share=pl.col("taken") / pl.col("offered")).sort(
        "block", "share", descending=[False, True]
    )


def list_seldom_taken_actions(sample: Sample) -> pl.DataFrame:
    """Actions that were taken less than a quarter as often as others of their kind, when offered: candidates for a second look.
    Only actions offered in at least a tenth as many decisions as there were games are listed.
    """
    found = count_choices(sample).filter(pl.col("offered") > 0)
    whole = found.group_by("block").agg(usual=pl.col("taken").sum() / pl.col("offered").sum())
    found = found.join(whole, on="block").with_columns(ratio=pl.col("share") / pl.col("usual"))
    return found.filter(
        (pl.col("usual") > 0) & (pl.col("ratio") < SELDOM_RATIO) & (pl.col("offered") >= sample.games / 10)
    ).sort("ratio", "action")


def fold_numbered_actions(actions: pl.DataFrame) -> pl.DataFrame:
    """The table of seldom taken actions with one row for actions that differ only in a number: `look at Despair 1 … 24`."""
    numbers = pl.col("action").str.extract(r" (\d+)$").cast(pl.Int64)
    counted = actions.with_columns(stem=pl.col("action").str.replace(r" \d+$", ""), number=numbers)
    many = counted.group_by("block", "stem").agg(
        like=pl.len(),
        first=pl.col("number").min(),
        last=pl.col("number").max(),
        unnumbered=pl.col("number").null_count(),
    )
    counted = counted.join(many, on=["block", "stem"]).with_columns(
        folded=(pl.col("like") >= MIN_LIKE_FOLDED) & (pl.col("unnumbered") == 0)
    )
    alike = (
        counted.filter(pl.col("folded"))
        .group_by("block", "stem", "first", "last")
        .agg(pl.col("offered", "taken").sum(), pl.col("usual").first(), pl.col("ratio").mean())
        .with_columns(
            action=pl.format("{} {} … {}", "stem", "first", "last"), share=pl.col("taken") / pl.col("offered")
        )
    )
    columns = ["action", "offered", "taken", "share", "usual", "ratio"]
    return pl.concat(
        [counted.filter(~pl.col("folded")).select(columns), alike.select(columns)], how="vertical_relaxed"
    ).sort("ratio", "action")
