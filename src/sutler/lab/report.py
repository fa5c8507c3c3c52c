"""A report: one HTML file that says what an experiment showed, in pictures with captions and in tables with the same answers.

It needs nothing but itself (letters, colours and pictures are inside), so it can be mailed, printed and kept.
"""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

import sutler
from sutler.lab import answers
from sutler.lab.answers import Sample
from sutler.lab.charts import Bar, bars, columns, even_percent, intervals, lines, number, percent, signed

HERE = Path(__file__).parent
LOOKS = Path(sutler.__file__).parent / "web" / "static"  # the table's colours and letters
FACES = ("im-fell-dw-pica-latin-400-normal", "alegreya-sans-latin-500-normal", "alegreya-sans-latin-700-normal")
ENOUGH = 30  # seats to whom something happened, before its share of wins is drawn as known
MOST_ROWS = 12  # at either end of a long list, in a picture


def report(path: Path) -> str:
    """The report of an experiment's file. answers.Unreadable says what is wrong with the file."""
    sample = answers.read(path)
    sections = [
        ("seats", "Who wins", who_wins(sample)),
        ("points", "Points", points(sample)),
        ("length", "Length", length(sample)),
        ("lead", "The lead", "" if sample.about["cooperative"] or sample.seats < 2 else lead(sample)),
        ("endings", "How games end", endings(sample)),
        ("belongings", "What seats own", belongings(sample)),
        ("things", "Cards and other things", things(sample)),
        ("choices", "Choices", choices(sample)),
        ("rules", "Rules that came to pass", rules(sample)),
        ("about", "Where these figures come from", about(sample)),
    ]
    shown = [(key, title, inside) for key, title, inside in sections if inside]
    links = "".join(f'<li><a href="#{key}">{escape(title)}</a></li>' for key, title, _ in shown)
    body = "".join(f'<section id="{key}"><h2>{escape(title)}</h2>{inside}</section>' for key, title, inside in shown)
    title = f"{sample.about['title']}: {sample.games:,} games"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style()}</style></head><body><header><h1>{escape(title)}</h1><p>{subtitle(sample)}</p>"
        f'<nav aria-label="Sections"><ul>{links}</ul></nav></header><main>{warned(sample)}{in_short(sample)}{body}</main>'
        "</body></html>\n"
    )


def style() -> str:
    """The look of the table, and the report's own sheet."""
    return look() + (HERE / "report.css").read_text(encoding="utf-8")


@functools.cache
def look() -> str:
    """The colours and sizes of the table with its letters inside, for any page that stands by itself."""
    tokens = (LOOKS / "tokens.css").read_text(encoding="utf-8")
    faces = re.findall(r"@font-face \{.*?\}\n", tokens)
    for face in faces:
        name = re.search(r"fonts/([\w-]+)\.woff2", face)
        tokens = tokens.replace(face, _inside(face, name[1]) if name and name[1] in FACES else "")
    return tokens


def _inside(face: str, name: str) -> str:
    data = base64.b64encode((LOOKS / "fonts" / f"{name}.woff2").read_bytes()).decode()
    return face.replace(f"fonts/{name}.woff2", f"data:font/woff2;base64,{data}")


# --- pieces ---


def figure(title: str, picture: str, caption: str) -> str:
    """A picture and what it shows."""
    return f"<figure>{picture}<figcaption><b>{escape(title)}</b>{_stressed(caption)}</figcaption></figure>"


def _stressed(words: str) -> str:
    """Words between asterisks in italics, between backticks as typed."""
    said = re.sub(r"\*(\w+)\*", r"<em>\1</em>", escape(" ".join(words.split())))
    return re.sub(r"`(.+?)`", r"<code>\1</code>", said)


def pictures(*figures: str) -> str:
    """Pictures, and tables, side by side where there is room."""
    return f'<div class="pictures">{"".join(figures)}</div>'


def sheet(
    caption: str, heads: Sequence[str], rows: Sequence[Sequence[Any]], words: int = 1, few: Sequence[int] = ()
) -> str:
    """A table; the first `words` columns are words, the rest numbers. Rows in `few` rest on too few games."""
    head = "".join(
        f'<th scope="col"{_words(i < words)}>{escape(name)}</th>' if name else "<td></td>"
        for i, name in enumerate(heads)
    )
    body = "".join(
        f"<tr{' class=few' if i in few else ''}>"
        + "".join(
            f'<th scope="row">{escape(str(cell))}</th>'
            if k == 0
            else f"<td{_words(k < words)}>{escape(str(cell))}</td>"
            for k, cell in enumerate(row)
        )
        + "</tr>"
        for i, row in enumerate(rows)
    )
    return (
        f'<div class="sheet" tabindex="0" role="region" aria-label="{escape(caption)}"><table><caption>{escape(caption)}'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _words(yes: bool) -> str:
    return " class=words" if yes else ""


def told(frame: pl.DataFrame, say: Sequence[Any]) -> list[list[str]]:
    """The rows of a table, each column said in its own way."""
    return [
        ["–" if cell is None else how(cell) for how, cell in zip(say, row, strict=True)] for row in frame.iter_rows()
    ]


def whole(value: float) -> str:
    """A count."""
    return f"{value:,.0f}"


def per_game(value: float) -> str:
    """How often a game."""
    return f"{value:,.2f}"


def doc(function: Any) -> str:
    """The caption of a figure is its function's docstring."""
    return str(function.__doc__ or "")


# --- the head of the page ---


def subtitle(sample: Sample) -> str:
    """Who played what."""
    names = [str(one["name"]) for one in sample.about["bots"]]
    who = f"{sample.seats} {names[0]} bots" if len(set(names)) == 1 else f"the bots {', '.join(names)}"
    chosen = ", ".join(
        f"{key}={value}" for key, value in {**sample.about["options"], **sample.about["settings"]}.items()
    )
    edited = " The box was edited." if sample.about["edit"] else ""
    how = f" with {chosen}" if chosen else " as printed" if not edited else ""
    return escape(f"Played by {who}{how}, from seed {sample.about['seed']} on.{edited}")


def warned(sample: Sample) -> str:
    """What to keep in mind."""
    found = answers.warnings(sample)
    rows = "".join(f"<li>{escape(one)}</li>" for one in found)
    return (
        f'<aside class="warn" aria-label="Keep in mind"><h2>Keep in mind</h2><ul>{rows}</ul></aside>' if found else ""
    )


def in_short(sample: Sample) -> str:
    """The answers in a few sentences."""
    found = [*_seats_in_short(sample), *_length_in_short(sample), *_rules_in_short(sample)]
    rows = "".join(f"<li><b>{escape(head)}</b> {escape(rest)}</li>" for head, rest in found)
    return f'<ul class="short" aria-label="In short">{rows}</ul>'


def _seats_in_short(sample: Sample) -> list[tuple[str, str]]:
    if sample.seats < 2 or sample.about["cooperative"]:
        return []
    rows, even = answers.by_seat(sample).to_dicts(), 1 / sample.seats
    off = [row for row in rows if not row["low"] <= even <= row["high"]]
    if not off:
        low, high = min(row["share"] for row in rows), max(row["share"] for row in rows)
        seats = (
            "No seat is seen to be favoured.",
            f"Each won {percent(low)} to {percent(high)}; an even share is {percent(even)}.",
        )
    else:
        said = ", ".join(f"{row['seat']} won {percent(row['share'])} ({between(row)})" for row in off)
        seats = "The seats are not even.", f"{said}; an even share is {percent(even)}."
    half = sample.table.select(at=pl.col("decided") / pl.max_horizontal("decisions", pl.lit(1)))["at"]
    early = float((half <= 0.5).sum()) / sample.games
    middle = percent(round(float(half.quantile(0.5) or 0), 2))
    margin = answers.margins(sample).quantile(0.5)
    return [
        seats,
        ("When it is decided.", f"In half of the games not before {middle} of all decisions were taken; {percent(early)} "
         "were decided in their first half."),
        ("How close it is.", f"In half of the games the first is no more than {number(float(margin or 0))} points ahead."),
    ]  # fmt: skip


def _length_in_short(sample: Sample) -> list[tuple[str, str]]:
    said = [
        f"{number(row['25 %'])} to {number(row['75 %'])} {row['counted in']}"
        for row in answers.length(sample).to_dicts()
    ]
    return [("How long it takes.", f"The middle half of all games lasts {' and '.join(said)}.")]


def _rules_in_short(sample: Sample) -> list[tuple[str, str]]:
    found = answers.coverage(sample)
    never = found.filter(pl.col("state") == "never")
    shown = len(found.filter(pl.col("state") != "silent"))
    if never.is_empty():
        return [("The rules.", f"Each of the {shown} paragraphs that play can show came to pass.")]
    names = ", ".join(f"{row['number']} {row['title']}" for row in never.head(6).to_dicts())
    more = " and others" if len(never) > 6 else ""
    return [("The rules.", f"{len(never)} of {shown} paragraphs that play can show never came to pass: {names}{more}.")]


def between(row: dict[str, Any]) -> str:
    """An interval in words."""
    return f"{row['low'] * 100:.1f} to {row['high'] * 100:.1f} %"


# --- sections ---


def who_wins(sample: Sample) -> str:
    """By seat, and by bot where they differ."""
    even, shown, sheets = 1 / sample.seats, [], []
    heads = ["", "games", "wins", "share", "95 % interval", "mean points", "mean place"]
    for title, function in (("Wins by seat", answers.by_seat), ("Wins by bot", answers.by_bot)):
        rows = function(sample).to_dicts()
        if function is answers.by_bot and len(rows) < 2:
            continue
        first = next(iter(rows[0]))
        drawn = [Bar(row[first], row["share"], row["low"], row["high"]) for row in rows]
        said = "; ".join(f"{row[first]} {percent(row['share'])}" for row in rows)
        shown.append(figure(title, intervals(drawn, f"{title}: {said}", even), doc(function)))
        body = [
            [row[first], whole(row["games"]), f"{row['wins']:,.1f}", percent(row["share"]), between(row),
             f"{row['score']:.2f}", f"{row['place']:.2f}"]
            for row in rows
        ]  # fmt: skip
        sheets.append(sheet(title, heads, body))
    return pictures(*shown, *sheets)


def points(sample: Sample) -> str:
    """Final scores and margins."""
    shown = [
        _histogram("Points at the end", sample.results["score"], "points", "How many seats ended with so many points.")
    ]
    if sample.seats > 1 and not sample.about["cooperative"]:
        shown.append(_histogram("Ahead at the end", answers.margins(sample), "points ahead", doc(answers.margins)))
    found = answers.points(sample)
    say = [number, whole, *[number] * (len(found.columns) - 2)]
    return pictures(*shown, sheet("Points by place", found.columns, told(found, say)))


def _histogram(title: str, values: pl.Series, below: str, caption: str) -> str:
    found = answers.histogram(values)
    if found.is_empty():
        return ""
    width = float(found["high"][0] - found["low"][0])
    total = max(1, int(found["count"].sum()))
    drawn = [(row["low"], row["count"] / total) for row in found.to_dicts()]
    most = max(found.to_dicts(), key=lambda row: row["count"])
    said = f"{title}: most often {number(most['low'])}" + (f" to {number(most['high'])}" if width > 1 else "")
    return figure(title, columns(drawn, said, below, even_percent, width), caption)


def length(sample: Sample) -> str:
    """Turns and decisions."""
    names = [name for name in ("turns", "decisions") if name in sample.table.columns]
    shown = [
        _histogram(f"Length in {name}", sample.table[name], name, f"The share of games that took so many {name}.")
        for name in names
    ]
    found = answers.length(sample)
    caption = " ".join(doc(answers.length).split())
    return (
        pictures(*shown)
        + f"<p>{escape(caption)}</p>"
        + sheet("Length of a game", found.columns, told(found, [str, *[number] * 6]))
    )


def lead(sample: Sample) -> str:
    """Changes of the lead, and when games were decided."""
    changes, when, behind = answers.lead(sample), answers.decided(sample), answers.comebacks(sample)
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
        sheet("Changes of the lead", ["changes", "games", "share"], told(changes, [number, whole, percent])),
        sheet("Decided by then", ["part of the game", "share of games"], told(when, [lambda at: f"{at} %", percent])),
        sheet("How far the winner had been behind, in points", behind.columns, told(behind, [number] * 6), words=0),
    ]
    shown = pictures(
        figure("Changes of the lead", first, doc(answers.lead)),
        figure("When it was decided", second, doc(answers.decided)),
    )
    return shown + pictures(*sheets)


def endings(sample: Sample) -> str:
    """What ended games."""
    found = answers.endings(sample)
    names = [_ending(sample, row) for row in found["ending"]]
    drawn = list(zip(names, found["share"].to_list(), strict=True))
    said = "; ".join(f"{name} {percent(share)}" for name, share in drawn)
    rows = [
        [name, whole(row["games"]), percent(row["share"]), number(row["turns"])]
        for name, row in zip(names, found.to_dicts(), strict=True)
    ]
    unit = "mean turns" if "turns" in sample.table.columns else "mean decisions"
    return pictures(
        figure("How games end", bars(drawn, said), doc(answers.endings)),
        sheet("How games end", ["", "games", "share", unit], rows),
    )


def _ending(sample: Sample, ending: str) -> str:
    if ending == "not finished" or ending == "":
        return "Cut: not finished" if ending else "The last turn is over"
    said = " + ".join(answers.words_of(sample, event) for event in ending.split(" + "))
    return said[:1].upper() + said[1:]


def belongings(sample: Sample) -> str:
    """Score and goods from the set table to the end."""
    shown, rows = [], []
    for name in answers.tracks(sample):
        found = answers.belongings(sample, name)
        who = sorted(found["who"].cast(pl.String).unique().to_list(), key=lambda one: (one != "winners", one))
        series = [(one, found.filter(pl.col("who") == one)["mean"].to_list()) for one in who]
        ends = "; ".join(f"{one} {number(values[-1])}" for one, values in series)
        title = name[:1].upper() + name[1:]
        picture = lines(series, [10 * k for k in range(11)], f"{title}, at the end: {ends}", "of the game’s decisions")
        shown.append(figure(title, picture, f"{title}: {_whose(who)} on average, through the game."))
        rows += [[name, one, *[number(values[k]) for k in (0, 2, 4, 6, 8, 10)]] for one, values in series]
    heads = ["", "who", "at first", "20 %", "40 %", "60 %", "80 %", "at the end"]
    return pictures(*shown) + sheet("Owned on average, by part of the game", heads, rows, words=2)


def _whose(who: Sequence[str]) -> str:
    return "what winners and the others had" if "winners" in who else f"what {', '.join(who)} had"


def things(sample: Sample) -> str:
    """Use and impact of everything that has a name; what goods flow."""
    parts = [_impact(sample, kind) for kind in answers.kinds(sample)]
    flows = answers.flows(sample)
    if not flows.is_empty():
        rows = [
            [
                answers.words_of(sample, str(row["event"])),
                row["rule"],
                row["name"],
                per_game(row["times"]),
                per_game(row["amount"]),
            ]
            for row in flows.to_dicts()
        ]
        parts.append("<h3>Goods</h3><p>" + escape(" ".join(doc(answers.flows).split())) + "</p>")
        parts.append(
            sheet(
                "Goods that came and went",
                ["what happened", "paragraph", "", "times a game", "amount a game"],
                rows,
                words=3,
            )
        )
    return "".join(parts)


def _impact(sample: Sample, kind: str) -> str:
    """One kind of thing: what is counted, how it went with winning, and the table."""
    rule = answers.main_rule(sample, kind)
    found = answers.impact(sample, kind, rule)
    events = [event for event, (its, _, _) in sample.about["events"].items() if its == rule]
    what = " or ".join(f"“{answers.words_of(sample, event)}”" for event in events if event in _events_of(sample, kind))
    words = f"Counted are {what} (paragraph {rule})."
    if unseen := answers.unseen(sample, kind):
        words += f" Nothing at all was told of {', '.join(unseen)}."
    inside = pictures(_impact_picture(kind, found), _impact_sheet(kind, found))
    return f"<h3>{escape(_many(kind))}</h3><p>{escape(words)}</p>{inside}"


def _impact_picture(kind: str, found: pl.DataFrame) -> str:
    enough = found.filter(pl.col("gap").is_not_null() & (pl.col("seats") >= ENOUGH)).to_dicts()
    if not enough:
        return ""
    ends = enough if len(enough) <= 2 * MOST_ROWS else [*enough[:MOST_ROWS], *enough[-MOST_ROWS:]]
    drawn = [
        Bar(_short(row["name"]), row["gap"], row["low"], row["high"], not answers.sure(row["wins"], row["seats"]))
        for row in ends
    ]
    first, last = drawn[0], drawn[-1]
    best = f"Most for {first.name}, {signed(first.value)}; least for {last.name}, {signed(last.value)}"
    caption = doc(answers.impact)
    if any(bar.faint for bar in drawn):
        caption += " Hollow dots rest on few games."
    if len(drawn) < len(enough):
        caption += f" Of {len(enough)} the {MOST_ROWS} at either end are shown."
    title = f"{_many(kind)} and winning, in points of a hundred"
    return figure(title, intervals(drawn, best, 0.0, signed, 128), caption)


def _impact_sheet(kind: str, found: pl.DataFrame) -> str:
    rows, few = [], []
    for i, row in enumerate(found.iter_rows(named=True)):
        said = ["–", "–", "–", "–", ""]
        if row["won"] is not None:
            said[0] = percent(row["won"])
        if row["gap"] is not None:
            said[1:] = [
                *(signed(row["gap"]), f"{signed(row['low'])} to {signed(row['high'])}", signed(row["shrunk"])),
                "stands out" if row["stands_out"] else "",
            ]
        rows.append([row["name"], per_game(row["per_game"]), whole(row["seats"]), *said])
        if row["seats"] < ENOUGH:
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
    caption = f"{_many(kind)}: use, and wins of those who did" + (f" (·: fewer than {ENOUGH} seats)" if few else "")
    return sheet(caption, heads, rows, few=few)


def _events_of(sample: Sample, kind: str) -> set[str]:
    return set(sample.uses.filter(pl.col("kind") == kind)["event"].cast(pl.String).unique())


def _many(kind: str) -> str:
    return kind[:1].upper() + kind[1:] + ("s" if not kind.endswith("s") else "")


def _short(name: str, most: int = 20) -> str:
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


def choices(sample: Sample) -> str:
    """What was offered and what was taken: all kinds of choice, then what is seldom taken for its kind."""
    found = answers.taken(sample)
    blocks = (
        found.group_by("block")
        .agg(pl.col("offered", "taken", "unasked").sum())
        .with_columns(share=pl.col("taken") / pl.col("offered"))
        .sort("offered", descending=True)
    )
    games = sample.games
    rows = [
        [row["block"].replace("_", " "), sample.about["blocks"][row["block"]][0], per_game(row["offered"] / games),
         per_game(row["taken"] / games), per_game(row["unasked"] / games), "–" if not row["offered"] else percent(row["share"])]
        for row in blocks.to_dicts()
    ]  # fmt: skip
    heads = ["", "paragraph", "offered a game", "taken a game", "taken unasked", "taken of offered"]
    caption = " ".join(doc(answers.taken).split()) + " Taken unasked is what a seat had to do, having no other choice."
    parts = [f"<p>{escape(caption)}</p>", sheet("Choices by kind", heads, rows, words=2)]
    seldom = answers.seldom(sample).head(2 * MOST_ROWS)
    if not seldom.is_empty():
        body = [
            [row["action"], whole(row["offered"]), whole(row["taken"]), percent(row["share"]), percent(row["usual"])]
            for row in seldom.to_dicts()
        ]
        parts.append(f"<h3>Seldom taken</h3><p>{_stressed(doc(answers.seldom))}</p>")
        parts.append(sheet("Seldom taken for its kind", ["", "offered", "taken", "share", "usual of its kind"], body))
    return "".join(parts)


def rules(sample: Sample) -> str:
    """The guide, paragraph by paragraph."""
    found = answers.coverage(sample)
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
        f'<p class="key"><span><span class="chip fired">1.1</span> came to pass ({counts["fired"]})</span>'
        f'<span><span class="chip never">1.1</span> never ({counts["never"]})</span>'
        f'<span><span class="chip silent">1.1</span> silent ({counts["silent"]})</span></p>'
    )
    parts = [f"<p>{_stressed(doc(answers.coverage))}</p>"]
    parts += [key, f'<ul class="rules">{"".join(items)}</ul>']
    if not never.is_empty():
        body = [[row["number"], row["title"], row["chapter"]] for row in never.to_dicts()]
        parts.append(sheet("Paragraphs that never came to pass", ["paragraph", "title", "chapter"], body, words=3))
    fired = found.filter(pl.col("state") == "fired").to_dicts()
    body = [[row["number"], row["title"], whole(row["times"]), per_game(row["times"] / sample.games)] for row in fired]
    parts.append(sheet("Paragraphs that came to pass", ["paragraph", "title", "times", "times a game"], body, words=2))
    return "".join(parts)


def about(sample: Sample) -> str:
    """The experiment, so that it can be made again."""
    told = sample.about
    bots = ", ".join(_bot(one) for one in told["bots"])
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
        "versions": ", ".join(f"{key} {value}" for key, value in told["versions"].items()),
        "made": told["made"],
    }
    listed = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in rows.items())
    return f'<p>To make them again: <code>{escape(told["command"])}</code></p><dl class="about">{listed}</dl>' + (
        "<p>Intervals are Wilson’s at 95 %, those of the seats hold together; of differences Newcombe’s, counted by games. One in twenty "
        "misses, so of a hundred cards about five lie outside theirs by chance alone; of those that stand out, at most one in "
        "twenty does (Benjamini and Hochberg).</p>"
    )


def _bot(one: dict[str, Any]) -> str:
    if one["name"] != "search":
        return str(one["name"])
    return f"search ({one['rounds']} rounds)"
