"""The values of decisions as sentences, as a table, and as an HTML page."""

from __future__ import annotations

import math

from sutler.lab.play.rollouts import describe_missing_blanks, format_mean_with_half_width
from sutler.lab.report.study_charts import Bar, render_interval_bars
from sutler.lab.report.study_pages import (
    render_chart_with_caption,
    render_heading,
    render_lead,
    render_note,
    render_page,
    render_table,
)
from sutler.lab.stats.estimates import format_count_with_noun
from sutler.lab.studies.decision_value import Choice, Choices

MAX_BARS = 24


def _choose_value_word(found: Choices) -> str:
    """The word for what a value is measured in: "lead", or "points" in a game that all seats win or lose together."""
    return "points" if found.about["together"] else "lead"


def list_column_names(found: Choices) -> list[str]:
    """The names of the table's columns; those about blanks and about changed settings only where there are such values."""
    gain = _choose_value_word(found)
    heads = ["choice", "games", "done in", gain, "where bots did it", "where they left it", "wins"]
    heads += ["not a blank"] if _has_values(found, "lead_blank") else []
    heads += [f"with {found.about['turned']}"] if found.about["turned"] else []
    return heads


def format_choice_cells(found: Choices, choice: Choice) -> list[str]:
    """The cells of one choice's row, as text."""
    cells = [choice.name, f"{choice.games:,}", f"{choice.done:.0%}"]
    cells += [
        format_mean_with_half_width(choice.lead),
        format_mean_with_half_width(choice.lead_done),
        format_mean_with_half_width(choice.lead_left),
        format_mean_with_half_width(choice.won, True),
    ]
    cells += [format_mean_with_half_width(choice.lead_blank)] if _has_values(found, "lead_blank") else []
    cells += [format_mean_with_half_width(choice.lead_turned)] if found.about["turned"] else []
    return cells


def _has_values(found: Choices, field: str) -> bool:
    """Has any choice a value in the field called `field`?"""
    return any(not math.isnan(getattr(one, field)[0]) for one in found.choices)


def render_explanation(found: Choices) -> str:
    """A paragraph that explains the columns, and says in which games and between which bots the values were found."""
    about = found.about
    gain = "Points of all" if about["together"] else "Lead: points of the seat less the mean of the others"
    turned = f" The last column: with {about['turned']} from the decision on, less without." if about["turned"] else ""
    at = format_count_with_noun(about["seats"], "seat")
    return (
        f"{gain}: the difference between doing it and not, replayed from the same position with the same dice; ± is half the 95 % "
        f"interval, of which about one in twenty misses. Done in: the share of these decisions in which the bot did it. "
        f"One decision a game and choice, of {about['games']:,} games at {at} between {' and '.join(about['bots'])} bots. "
        f"Of fewer than ten nothing is said (?).{turned}{describe_missing_blanks(about)}"
    )


def describe_answer(found: Choices) -> str:
    """The answer in a sentence or two: the choices whose value is beyond chance among all of them."""
    stand = [one for one in found.choices if one.stands]
    if not stand:
        return "No choice is seen to be worth more done than left, nor less."
    good = [f"{one.name} ({format_mean_with_half_width(one.lead)})" for one in stand if one.lead[0] > 0]
    bad = [f"{one.name} ({format_mean_with_half_width(one.lead)})" for one in reversed(stand) if one.lead[0] < 0]
    told = [f"Worth doing, in {_choose_value_word(found)}: {', '.join(good[:5])}."] if good else []
    told += [f"Better left: {', '.join(bad[:5])}."] if bad else []
    return " ".join(told)


def render_choices_page(found: Choices) -> str:
    """The HTML page on the values of decisions: the answer, a chart, and a table."""
    shown = [one for one in found.choices if not math.isnan(one.lead[0])]
    drawn = []
    for one in shown if len(shown) <= MAX_BARS else (*shown[: MAX_BARS // 2], *shown[-MAX_BARS // 2 :]):
        mean, half = one.lead
        tone = ("more" if mean > 0 else "less") if one.stands else ""
        drawn.append(
            Bar(one.name, mean - half, mean, mean + half, format_mean_with_half_width(one.lead).split(" ±")[0], tone)
        )
    body = [render_lead(describe_answer(found))]
    if drawn:
        caption = (
            "With it done less with it left, and the 95 % interval. Coloured is what is beyond chance among all of these: of such findings "
            "at most one in twenty is due to chance."
        )
        body.append(render_chart_with_caption(render_interval_bars(drawn, 0.0, _choose_value_word(found)), caption))
    body += [
        render_heading("All of them"),
        render_table(list_column_names(found), [format_choice_cells(found, one) for one in found.choices]),
        render_note(render_explanation(found)),
    ]
    return render_page(f"{found.about['title']}: what is a decision worth?", body, found.about)
