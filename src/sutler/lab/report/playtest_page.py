"""The page of a playtest: people's answers and remarks, their games beside bots' games, and how well bots predict people."""

from __future__ import annotations

import math
from html import escape

from sutler.lab.play.headline_figures import Figure
from sutler.lab.report.study_pages import render_heading, render_lead, render_note, render_page, render_table
from sutler.lab.stats.estimates import format_count_with_noun
from sutler.lab.studies.playtest import AGAIN_ANSWERS, LENGTH_ANSWERS, Interval, Playtest, Version

WORDS = {
    "yes": "gladly",
    "perhaps": "perhaps",
    "no": "rather not",
    "short": "too short",
    "right": "just right",
    "long": "too long",
}


def render_playtest_page(found: Playtest) -> str:
    """The whole page of a playtest as HTML."""
    body = [render_lead(found.answer()), *_render_answers(found), *_render_remarks(found)]
    for letter, one in _assign_letters(found):
        body += _render_version_section(found, letter, one)
    body.append(render_heading("Every game"))
    rows = [
        (
            one.name,
            letter,
            str(version.seats),
            f"{one.minutes:.0f}",
            ", ".join(one.players),
            _format_scores(one.end.scores()),
        )
        for letter, version in _assign_letters(found)
        for one in version.sittings
    ]
    body.append(render_table(("table", "version", "seats", "minutes", "who", "points"), rows))
    return render_page(f"{found.about['title']}: what people make of it", body, found.about)


def _assign_letters(found: Playtest) -> list[tuple[str, Version]]:
    """The versions of a playtest, each with a letter: A for the one that was played most often."""
    return [(chr(ord("A") + i % 26) + (str(i // 26) if i >= 26 else ""), one) for i, one in enumerate(found.versions)]


def _format_scores(scores: list[float]) -> str:
    """The scores of a game as text, with spaces between."""
    return " ".join(f"{one:g}" for one in scores)


def _render_answers(found: Playtest) -> list[str]:
    """The table of people's answers to both questions, a row for each version; a note where nobody has answered."""
    asked = [
        (letter, one)
        for letter, one in _assign_letters(found)
        if any([*s.again, *s.length] != [] for s in one.sittings)
    ]
    if not asked:
        return [render_note("Nobody has answered how it was.")]
    heads = (
        "version",
        "seats",
        "games",
        *(f"again: {WORDS[one]}" for one in AGAIN_ANSWERS),
        *(WORDS[one] for one in LENGTH_ANSWERS),
    )
    rows = []
    for letter, one in asked:
        again = [answer for sitting in one.sittings for answer in sitting.again]
        length = [answer for sitting in one.sittings for answer in sitting.length]
        counts = [*(again.count(key) for key in AGAIN_ANSWERS), *(length.count(key) for key in LENGTH_ANSWERS)]
        rows.append((letter, str(one.seats), str(len(one.sittings)), *map(str, counts)))
    return [render_heading("How was it?"), render_table(heads, rows)]


def _render_remarks(found: Playtest) -> list[str]:
    """The list of people's remarks, each with a link to the position that it is about; empty where there are none."""
    rows = [
        (one.name, remark)
        for one in found.sittings
        for remark in sorted(one.remarks, key=lambda remark: remark.decision)
    ]
    if not rows:
        return []
    lines = []
    for name, remark in rows:
        where = f"{escape(name)}, after {remark.decision} decisions"
        place = f'<a href="{escape(remark.link, quote=True)}">{where}</a>' if remark.link else where
        lines.append(f"<dt>{place}</dt><dd>{escape(remark.text)}</dd>")
    return [render_heading("What they told you"), f"<dl>{''.join(lines)}</dl>"]


def _render_version_section(found: Playtest, letter: str, version: Version) -> list[str]:
    """The section on one version: headline figures of people and of bots, and the share of people's decisions that a bot predicts."""
    rows = [
        (figure.label, _format_value_cell(figure, people), _format_value_cell(figure, bots))
        for figure, (people, bots) in version.figures.items()
    ]
    body = [
        render_heading(f"Version {letter}, {version.seats} seats"),
        render_note(f"{version.changes[:1].upper()}{version.changes[1:]}."),
        render_table(("figure", "people", found.bot), rows),
    ]
    share, low, high = version.foreseen.compute_share_predicted()
    asked = int(version.foreseen.asked.sum())
    said = (
        f"{format_count_with_noun(len(version.sittings), 'game')} of people; intervals are 95 %. Of {asked:,} "
        f"decisions of people a {found.bot} bot would "
    )
    said += f"have taken {share:.0%} ({low:.0%} to {high:.0%}), drawing lots {version.foreseen.chance_share():.0%}."
    if version.stated is not None:
        better = "better than" if version.stated.brier < version.stated.even else "no better than"
        said += f" Chances stated to people at four moments a game were {better} an even share: Brier score {version.stated.brier:.3f} "
        said += f"of {version.stated.asked}, an even share {version.stated.even:.3f}."
    return [*body, render_note(said)]


def _format_value_cell(figure: Figure, values: Interval) -> str:
    """A mean with its interval as text; a dash where nothing is known."""
    mean, low, high = values
    if math.isnan(mean):
        return "–"
    if math.isinf(low):
        return f"{figure.format_value(mean)} (one game: no interval)"
    if low == high:
        return figure.format_value(mean)
    return f"{figure.format_value(mean)} ({figure.format_value(low)} to {figure.format_value(high)})"
