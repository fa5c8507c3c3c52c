"""The answers of a report. Each is one function from an experiment's record to a table; its docstring is the caption.

All shares of games count a shared first place in parts: two seats that win together have half a game each.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.lab.experiment import unfold
from sutler.lab.figures import has_points, plays
from sutler.lab.measures import difference, discoveries, shrunk, simultaneous, wilson, wins
from sutler.lab.simulate import between, played_by

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FEW_NAMES = 8  # up to so many things of a kind are goods, and what flows is told; more are cards or places
SELDOM = 0.25
OFTEN = 20  # times that something must have been offered before it is said that nobody ever takes it
NARROW = 0.05  # an interval wider than this to either side is called too wide to go by


class Unreadable(ValueError):
    """A file that is no record of an experiment; the message says what is wrong with it."""


@dataclass(frozen=True)
class Sample:
    """An experiment read back: a row a game, and all that the file says about itself."""

    table: pl.DataFrame
    about: dict[str, Any]

    @property
    def games(self) -> int:
        """How many games."""
        return len(self.table)

    @property
    def seats(self) -> int:
        """How many sat at the table."""
        return int(self.about["seats"])

    @cached_property
    def results(self) -> pl.DataFrame:
        """A row a game and seat: who sat there, points, place, the part of the win."""
        places = [pl.col(f"place_{seat}") for seat in range(self.seats)]
        firsts = pl.sum_horizontal([(place == 1).cast(pl.Int32) for place in places])
        table = self.table.with_row_index("game")
        return pl.concat(
            [
                table.select(
                    "game",
                    seat=pl.lit(seat, pl.Int8),
                    bot=pl.col(f"bot_{seat}"),
                    score=pl.col(f"score_{seat}"),
                    place=places[seat],
                    won=pl.when(places[seat] == 1).then(1.0 / firsts).otherwise(0.0),
                )
                for seat in range(self.seats)
            ]
        )

    @property
    def cooperative(self) -> bool:
        """Do all win or lose together?"""
        return bool(self.about["cooperative"])

    @cached_property
    def has_points(self) -> bool:
        """Does the game count points? Where they say no more than who has won, it does not."""
        return has_points(*(self.results.select(pl.col(name).cast(pl.Float64)).to_numpy() for name in ("score", "won")))

    @property
    def who(self) -> str:
        """Between whom these games were: it stands beside every claim."""
        return between([played_by(one) for one in self.about["bots"]], self.seats)

    @cached_property
    def events(self) -> pl.DataFrame:
        """What was told, by game, kind and seat."""
        return unfold(self.table, "events").drop_nulls("event")

    @cached_property
    def uses(self) -> pl.DataFrame:
        """The same by every named thing, with the paragraph of the event."""
        rules = {name: rule for name, (rule, _, _) in self.about["events"].items()}
        used = unfold(self.table, "uses").drop_nulls("event")
        return used.with_columns(rule=pl.col("event").cast(pl.String).replace(rules))

    @cached_property
    def course(self) -> pl.DataFrame:
        """Score and belongings at each tenth of the game."""
        return unfold(self.table, "course").drop_nulls("at")

    @cached_property
    def choices(self) -> pl.DataFrame:
        """What could be done, and what was: by action and seat, over all games."""
        columns = ["block", "action", "seat", "offered", "taken", "unasked"]
        return pl.DataFrame(self.about["choices"], schema=columns, orient="row")


def read(path: Path) -> Sample:
    """An experiment from its file. Unreadable says what is wrong: no such file, cut short, or no record of ours."""
    try:
        metadata = pl.read_parquet_metadata(path)
        table = pl.read_parquet(path)
    except FileNotFoundError:
        raise Unreadable(f"{path}: there is no such file") from None
    except (pl.exceptions.PolarsError, OSError) as error:
        first = str(error).splitlines()[0]
        raise Unreadable(f"{path}: not a whole Parquet file; was it cut short? ({first})") from None
    about = json.loads(metadata["sutler"]) if "sutler" in metadata else {}
    if "choices" not in about or "course" not in table.columns:
        raise Unreadable(f"{path}: no record of games; make one with sutler simulate GAME --out {path.name}")
    return Sample(table, about | {"file": path.name})


# --- who wins ---


def by_seat(sample: Sample) -> pl.DataFrame:
    """How often each seat won, with intervals that hold for all seats together 95 times in 100. The line is an even share."""
    names = [pl.lit(f"Seat {seat + 1}").alias(f"bot_{seat}") for seat in range(sample.seats)]
    found = wins(sample.table.with_columns(names), simultaneous(sample.seats))
    return found.rename({"bot": "seat"}).sort("seat")


def by_bot(sample: Sample) -> pl.DataFrame:
    """How often each bot won a seat's share of games. The line is an even share."""
    return wins(sample.table)


def roles(sample: Sample, kind: str) -> pl.DataFrame:
    """How often each won of those it was played in, with intervals that hold for all of them together 95 times in 100. Even is
    its part of the seats."""
    parts = plays(sample.table, kind)
    rows = []
    won = sample.results.sort("game", "seat")["won"].to_numpy().reshape(sample.games, sample.seats)
    for role, sits in parts.items():
        played = sits.any(axis=1)
        n, wins_of = int(played.sum()), float(np.where(sits, won, 0.0).sum())
        low, high = wilson(wins_of, n, simultaneous(len(parts)))
        rows.append((role, n, wins_of, wins_of / n, low, high, float(sits[played].mean())))
    columns = [kind, "games", "wins", "share", "low", "high", "even"]
    return pl.DataFrame(rows, schema=columns, orient="row").sort("share", descending=True)


def nobody(sample: Sample) -> float:
    """The share of games in which no seat is first."""
    return float((sample.results.group_by("game").agg(pl.col("won").sum())["won"] == 0).mean() or 0.0)  # type: ignore[arg-type]


# --- points ---


def _spread(values: pl.Expr) -> list[pl.Expr]:
    shares = [values.quantile(q, "linear").alias(f"{round(q * 100)} %") for q in QUANTILES]
    return [values.mean().alias("mean"), *shares]


def points(sample: Sample) -> pl.DataFrame:
    """Points at the end by place: half of all games lie between the 25 % and the 75 % column."""
    return sample.results.group_by("place").agg(pl.len().alias("seats"), *_spread(pl.col("score"))).sort("place")


def histogram(values: pl.Series, most: int = 24) -> pl.DataFrame:
    """How many fall between `low` and `high` (not included), in about so many steps of a round width."""
    values = values.drop_nulls().cast(pl.Float64)
    if values.is_empty():
        return pl.DataFrame(schema={"low": pl.Float64, "high": pl.Float64, "count": pl.Int64})
    every = sorted(values.to_list())
    most_of_it = (
        every[int(0.995 * len(every))] - every[int(0.005 * len(every))]
    )  # a stray game does not coarsen the rest
    span = max(most_of_it, (every[-1] - every[0]) / 3) + 1
    width = next(w for k in range(12) for w in (10**k, 2 * 10**k, 5 * 10**k) if span / w <= most)
    found = values.to_frame("v").group_by(low=(pl.col("v") / width).floor() * width).agg(count=pl.len().cast(pl.Int64))
    lows = found["low"].to_list()
    first, last = round(min(lows) / width), round(max(lows) / width)
    steps = pl.DataFrame({"low": [float(k * width) for k in range(first, last + 1)]})
    return steps.join(found, on="low", how="left").with_columns(
        pl.col("count").fill_null(0), high=pl.col("low") + width
    )


def margins(sample: Sample) -> pl.Series:
    """By how many points the first place was ahead of the second; 0 where they were level."""
    scores = pl.concat_list([f"score_{seat}" for seat in range(sample.seats)]).list.sort(descending=True)
    if sample.seats < 2:
        return pl.Series("margin", [], dtype=pl.Float64)
    return sample.table.select(margin=scores.list.get(0) - scores.list.get(1))["margin"]


# --- length and course ---


def length(sample: Sample) -> pl.DataFrame:
    """How long games lasted, in turns and in decisions (a choice with a single possibility is none)."""
    kinds = [name for name in ("turns", "decisions") if name in sample.table.columns]
    rows = [
        sample.table.select(pl.lit(name).alias("counted in"), *_spread(pl.col(name).cast(pl.Float64))) for name in kinds
    ]
    return pl.concat(rows)


def lead(sample: Sample) -> pl.DataFrame:
    """How often the lead went from one seat to another in a game. Many changes: it is a race; none: it is a procession."""
    counted = sample.table.group_by(changes=pl.col("lead_changes")).agg(games=pl.len()).sort("changes")
    return counted.with_columns(share=pl.col("games") / sample.games)


def decided(sample: Sample) -> pl.DataFrame:
    """The share of games already decided: from there on the later winner was ahead alone, to the end. A curve that rises
    early means that the rest of the game was played for nothing; one that jumps at the end, that the last points decide."""
    share = sample.table.select(at=pl.col("decided") / pl.max_horizontal("decisions", pl.lit(1)))["at"]
    tenths = [k / 10 for k in range(11)]
    return pl.DataFrame(
        {"at": [10 * k for k in range(11)], "share": [int((share <= t + 1e-12).sum()) / sample.games for t in tenths]}
    )


def comebacks(sample: Sample) -> pl.DataFrame:
    """How far the later winner had been behind the best seat at worst, in points."""
    return sample.table.select(*_spread(pl.col("behind")))


def endings(sample: Sample) -> pl.DataFrame:
    """How games ended, as the game itself says it."""
    return (
        sample.table.group_by(ending=pl.when(pl.col("finished")).then("ending").otherwise(pl.lit("not finished")))
        .agg(games=pl.len(), turns=pl.col("turns" if "turns" in sample.table.columns else "decisions").mean())
        .with_columns(share=pl.col("games") / sample.games)
        .sort("games", descending=True)
    )


def tracks(sample: Sample) -> list[str]:
    """What seats own that is worth a picture: at some tenth of the game one or more of it on average."""
    names = [name for name in sample.course.columns if name not in ("game", "at", "who", "seat")]
    names = [name for name in names if name != "score" or sample.has_points]
    found = sample.course.group_by("at").agg(pl.col(names).cast(pl.Float64).mean().fill_nan(None))
    return [name for name in names if name == "score" or (found[name].abs().max() or 0) >= 1]  # type: ignore[operator]


def belongings(sample: Sample, name: str) -> pl.DataFrame:
    """What winners and the others owned on average, from the set table to the end."""
    course = sample.course.filter(pl.col(name).is_not_null())
    if course["seat"].null_count() < len(course):
        won = sample.results.select(
            "game", "seat", who=pl.when(pl.col("won") > 0).then(pl.lit("winners")).otherwise(pl.lit("the others"))
        )
        course = course.drop("who").join(won, on=["game", "seat"])
    return course.group_by("who", "at").agg(mean=pl.col(name).cast(pl.Float64).mean()).sort("who", "at")


# --- things ---


NUMBER = r"\{n\d*(?::n)?\}"
OF_SEATS = {"other": "another seat", "victim": "another seat"}


def words_of(sample: Sample, event: str) -> str:
    """What an event says, without who and how many: "plays card on land", "gains tokens"."""
    text = str(sample.about["events"][event][1]).replace("{seat} ", "")
    text = re.sub(r"\{\w+:#\w+\|(\w+)\}", r"\1", text)
    text = re.sub(NUMBER + r" \{([a-z]+?)\d*(?::\w+)?\}", lambda part: many(part[1]), text)
    text = re.sub(NUMBER + r" (?=\w)", "", text)
    text = re.sub(NUMBER, "…", text)
    return re.sub(r"\{([a-z]+?)\d*(?::\w+)?\}", lambda part: OF_SEATS.get(part[1], part[1]), text)


def many(kind: str) -> str:
    """A kind of thing in the plural."""
    return kind if kind.endswith("s") else kind[:-1] + "ies" if kind.endswith("ty") else kind + "s"


def kinds(sample: Sample) -> list[str]:
    """The kinds of things that events about seats name, those that seats choose among first."""
    chosen = {kind for _, parts in sample.about["blocks"].values() for kind in parts}
    counted = sample.uses.filter(pl.col("seat").is_not_null()).group_by("kind").agg(n=pl.col("name").n_unique())
    found = [
        str(kind) for kind in counted.sort("n", descending=True)["kind"] if len(names_of(sample, str(kind))) > FEW_NAMES
    ]
    return sorted(found, key=lambda kind: kind not in chosen)


def names_of(sample: Sample, kind: str) -> list[str]:
    """Every name of a kind that the box has, used or not."""
    return list(sample.about["names"].get(kind, []))


def unseen(sample: Sample, kind: str) -> list[str]:
    """Names of which nothing was told in any game."""
    seen = set(sample.uses.filter(pl.col("kind") == kind)["name"].cast(pl.String).unique())
    return [name for name in dict.fromkeys(names_of(sample, kind)) if name not in seen]


def main_rule(sample: Sample, kind: str) -> str:
    """The paragraph by which things of a kind are used: one with an action that chooses them, told most often."""
    chosen = {rule for rule, parts in sample.about["blocks"].values() if kind in parts}
    told = sample.uses.filter((pl.col("kind") == kind) & pl.col("seat").is_not_null())
    counted = told.group_by("rule").agg(n=pl.col("count").sum())
    counted = counted.with_columns(chosen=pl.col("rule").is_in(list(chosen)))
    return str(counted.sort(["chosen", "n", "rule"], descending=[True, True, False])["rule"][0])


def impact(sample: Sample, kind: str, rule: str) -> pl.DataFrame:
    """How much oftener seats won when this happened to them than when it did not. It is a correlation: a card may come up
    because its owner is winning already. What a card does by itself, `sutler impact` finds out by changing only the card.
    Seats of one game are not independent, one wins and the others lose: the intervals count games. *Shrunk* draws what is
    little known towards the mean of all; of those that *stand out*, at most one in twenty does so by chance."""
    used = sample.uses.filter((pl.col("kind") == kind) & (pl.col("rule") == rule) & pl.col("seat").is_not_null())
    each = used.group_by("game", "seat", "name").agg(count=pl.col("count").sum())
    each = each.join(sample.results.select("game", "seat", "won"), on=["game", "seat"])
    by_game = each.group_by("game", name=pl.col("name").cast(pl.String)).agg(
        times=pl.col("count").sum(), seats=pl.len(), wins=pl.col("won").sum()
    )
    won = sample.results.group_by("game").agg(pl.col("won").sum()).sort("game")["won"].to_numpy()
    found = {name: rows for (name,), rows in by_game.group_by("name")}
    rows = [
        {"name": name, **_gap(found.get(name), won, sample.seats)} for name in dict.fromkeys(names_of(sample, kind))
    ]
    table = pl.DataFrame(rows, schema=IMPACT).with_columns(per_game=pl.col("times") / sample.games)
    known = table["gap"].is_not_null().to_numpy()
    gaps, errors = (table.filter(known)[column].to_list() for column in ("gap", "error"))
    chances = [math.erfc(abs(gap) / max(error, 1e-12) / math.sqrt(2)) for gap, error in zip(gaps, errors, strict=True)]
    steady, stands = iter(shrunk(gaps, errors)), iter(discoveries(chances))
    return table.with_columns(
        shrunk=pl.Series([next(steady) if one else None for one in known], dtype=pl.Float64),
        stands_out=pl.Series([one and next(stands) for one in known], dtype=pl.Boolean),
    ).sort("gap", descending=True, nulls_last=True)


IMPACT: Any = {
    "name": pl.String,
    **dict.fromkeys(("times", "seats"), pl.Int64),
    **dict.fromkeys(("wins", "won", "gap", "low", "high", "error"), pl.Float64),
}


def _gap(mine: pl.DataFrame | None, won: Any, n_seats: int) -> dict[str, Any]:
    """Of seats to which a thing happened, and of the others: shares of wins, their difference, and its interval by games.

    `won`: what the seats of each game won together. The interval is Newcombe's, of as many seats as are worth so many
    independent ones: the variance of the difference, summed game by game, says how many.
    """
    if mine is None:
        return {"times": 0, "seats": 0, "wins": 0.0}
    n, wins_with = int(mine["seats"].sum()), float(mine["wins"].sum())
    found: dict[str, Any] = {"times": int(mine["times"].sum()), "seats": n, "wins": wins_with, "won": wins_with / n}
    rest, wins_without = len(won) * n_seats - n, float(won.sum()) - wins_with
    if rest == 0:
        return found
    p, q = wins_with / n, wins_without / rest
    here, mine_won = np.zeros(len(won)), np.zeros(len(won))
    at = mine["game"].to_numpy()
    here[at], mine_won[at] = mine["seats"].to_numpy(), mine["wins"].to_numpy()
    pulls = (mine_won - p * here) / n - (won - mine_won - q * (n_seats - here)) / rest
    alone = p * (1 - p) / n + q * (1 - q) / rest
    worth = max(1.0, float((pulls**2).sum()) / alone) if alone > 0 else 1.0
    low, high = difference((wins_with / worth, n / worth), (wins_without / worth, rest / worth))  # in independent seats
    return found | {"gap": p - q, "low": low, "high": high, "error": math.sqrt(alone * worth)}


def flows(sample: Sample) -> pl.DataFrame:
    """Where goods come from and where they go: how often a game, and how much, by what happened."""
    few = [kind for kind in sample.uses["kind"].cast(pl.String).unique() if len(names_of(sample, kind)) <= FEW_NAMES]
    told = sample.uses.filter(pl.col("kind").cast(pl.String).is_in(few) & (pl.col("amount") != 0))
    return (
        told.group_by("event", "rule", name=pl.col("name").cast(pl.String))
        .agg(times=pl.col("count").sum() / sample.games, amount=pl.col("amount").cast(pl.Int64).sum() / sample.games)
        .sort("event", "amount", descending=[False, True])
    )


def taken(sample: Sample) -> pl.DataFrame:
    """What seats could do and what they did: how often an action was offered, and in how many of these cases it was taken."""
    found = sample.choices.group_by("block", "action").agg(pl.col("offered", "taken", "unasked").sum())
    return found.with_columns(share=pl.col("taken") / pl.col("offered")).sort(
        "block", "share", descending=[False, True]
    )


def seldom(sample: Sample) -> pl.DataFrame:
    """What was taken less than a quarter as often as others of its kind, when it was offered: candidates for a second look.
    Only what was offered in a tenth as many cases as there were games, or more."""
    found = taken(sample).filter(pl.col("offered") > 0)
    whole = found.group_by("block").agg(usual=pl.col("taken").sum() / pl.col("offered").sum())
    found = found.join(whole, on="block").with_columns(ratio=pl.col("share") / pl.col("usual"))
    return found.filter(
        (pl.col("usual") > 0) & (pl.col("ratio") < SELDOM) & (pl.col("offered") >= sample.games / 10)
    ).sort("ratio", "action")


# --- what is odd ---


def cycles(sample: Sample) -> list[dict[str, Any]]:
    """Runs of actions that came again and again without anything between them, in the longest games and a few others. *Pays* says
    that each round brought the seat something and cost it nothing that is counted: a loop that a player could ride."""
    return list(sample.about.get("cycles", []))


def longest(sample: Sample, most: int = 5) -> pl.DataFrame:
    """The longest games, and how many times as long as half of all games they are."""
    half = float(sample.table["decisions"].median() or 1)  # type: ignore[arg-type]
    found = sample.table.select("seed", "decisions").sort("decisions", "seed", descending=[True, False]).head(most)
    return found.with_columns(times=pl.col("decisions") / half)


def never(sample: Sample) -> pl.DataFrame:
    """What was offered in a tenth as many cases as there were games, or more, and never once taken: with 95 % certainty a bot
    takes it in fewer than three of so many cases."""
    found = sample.choices.group_by("block", "action").agg(pl.col("offered", "taken").sum())
    return found.filter((pl.col("taken") == 0) & (pl.col("offered") >= max(OFTEN, sample.games / 10))).sort(
        "offered", "action", descending=[True, False]
    )


def undone(sample: Sample) -> pl.DataFrame:
    """What the box and the rules hold and these bots never did in any of these games: endings that were not reached, events that
    were not told, actions that were not taken, and by name the things of each kind that never came up, or were never used by the
    paragraph that things of their kind are mostly used by."""
    told = set(sample.events["event"].cast(pl.String).unique())
    done = set(sample.choices.filter(pl.col("taken") + pl.col("unasked") > 0)["block"].unique())
    endings = sample.about.get("endings", [])  # files of earlier versions do not say
    rows = []
    for event, (rule, *_) in sample.about["events"].items():
        if event not in told:
            rows.append(("endings" if event in endings else "events", rule, words_of(sample, event)))
    rows += [
        ("actions", rule, block.replace("_", " "))
        for block, (rule, _) in sample.about["blocks"].items()
        if block not in done
    ]
    for kind in kinds(sample):
        absent, rule = unseen(sample, kind), main_rule(sample, kind)
        used = set(sample.uses.filter((pl.col("kind") == kind) & (pl.col("rule") == rule))["name"].cast(pl.String))
        names = [name for name in dict.fromkeys(names_of(sample, kind)) if name not in used and name not in absent]
        rows += [(f"{many(kind)} never seen", "", name) for name in absent]
        rows += [(f"{many(kind)} never used", rule, name) for name in names]
    return pl.DataFrame(rows, schema=["what", "rule", "name"], orient="row")


def dominated(sample: Sample) -> pl.DataFrame:
    """What is seldom taken for its kind and did not win more for those who had it: candidates for being worse than the rest. Bots
    that misjudge a card pass it over too; `sutler impact` says what it is worth by itself."""
    passed, rows = seldom(sample), []
    for kind in kinds(sample):
        for one in impact(sample, kind, main_rule(sample, kind)).to_dicts():
            of = passed.filter(pl.col("action").str.ends_with(" " + str(one["name"])))
            if len(of) and (one["gap"] is None or one["gap"] <= 0):
                rows.append(
                    (one["name"], kind, of["offered"].sum(), of["taken"].sum(), one["gap"], one["low"], one["high"])
                )
    columns = {"name": pl.String, "kind": pl.String, "offered": pl.Int64, "taken": pl.Int64}
    return pl.DataFrame(rows, schema=columns | dict.fromkeys(("gap", "low", "high"), pl.Float64), orient="row")


# --- rules ---


def coverage(sample: Sample) -> pl.DataFrame:
    """Which paragraphs of the guide came to pass. *Never* means that something in the rules carries the paragraph's number,
    an event or an action, and that it did not happen once; *silent* that nothing does, so that play cannot show it."""
    told = sample.events.group_by(event=pl.col("event").cast(pl.String)).agg(n=pl.col("count").sum())
    done = sample.choices.group_by("block").agg(n=(pl.col("taken") + pl.col("unasked")).sum())
    happened = (dict(told.iter_rows()), dict(done.iter_rows()))
    tied: dict[str, int] = {}
    for kinds, times in zip((sample.about["events"], sample.about["blocks"]), happened, strict=True):
        by_rule: dict[str, int] = {}
        for name, (rule, *_) in kinds.items():
            by_rule[rule] = by_rule.get(rule, 0) + times.get(name, 0)
        tied |= {rule: max(n, tied.get(rule, 0)) for rule, n in by_rule.items()}  # what is done is mostly told as well
    rows = [
        (number, chapter, title, kind, tied.get(number, 0), _state(tied.get(number)))
        for number, chapter, title, kind in sample.about["paragraphs"]
    ]
    columns = ["number", "chapter", "title", "kind", "times", "state"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def _state(times: int | None) -> str:
    if times is None:
        return "silent"
    return "fired" if times else "never"


# --- is it enough? ---


def warnings(sample: Sample) -> list[str]:
    """What to keep in mind before believing any of it."""
    found = []
    widest = max(max(row["share"] - row["low"], row["high"] - row["share"]) for row in by_seat(sample).to_dicts())
    if widest > NARROW:
        need = -(-round(sample.games * (widest / NARROW) ** 2) // 100) * 100
        found.append(
            f"The sample is small: with {sample.games:,} games a seat’s share of wins is known to ±{widest:.0%} only. "
            f"About {need:,} games would bring it to ±{NARROW:.0%}."
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


def sure(won: float, n: int) -> bool:
    """Is a share that was seen so often known to about NARROW?"""
    low, high = wilson(won, n)
    return n > 0 and (high - low) / 2 <= NARROW
