"""Pages of what designers ask beyond one comparison: does it hold between other bots, which numbers matter, what reaches a goal."""

from __future__ import annotations

from sutler.lab.across import Across, Line
from sutler.lab.drawings import Bar, bars
from sutler.lab.pages import heading, lead, note, page, picture, table

ALONE = "Each bot sits in every seat; the same seeds for all. Intervals hold together, of every figure with every bot, 95 times in 100."


def across_page(found: Across) -> str:
    """What each bot makes of every figure: the shares of roles and seats as pictures, everything as a table."""
    lines = found.lines
    who = ", ".join(f"{rung.bot} ({rung.games:,} games)" for rung in found.rungs)
    body = [lead(found.answer()), note(f"{found.about['seats']} seats; between {who}. {ALONE}")]
    shown = [one for one in lines if one.even is not None]
    if shown:
        body.append(heading("Who is favoured, and by whom?"))
        body += [picture(_by_bot(found, one), _caption(one)) for one in shown]
    heads = ["figure", *(rung.bot for rung in found.rungs), "verdict"]
    cells = [[one.figure.label, *(_said(one, value) for value in one.values), one.verdict] for one in lines]
    body += [heading("Every figure"), table(heads, cells)]
    body.append(
        note(
            "Holds: every difference from the first bot lies within five points of a hundred, or a tenth of the mean, or all bots "
            "see a share on the same side of even. Depends on the bot: some difference leaves out zero and is more than that."
        )
    )
    return page(f"{found.about['title']}: does it hold between other bots?", body, found.about)


def _by_bot(found: Across, line: Line) -> str:
    drawn = []
    for k, (rung, (mean, low, high)) in enumerate(zip(found.rungs, line.values, strict=True)):
        tone = ("less", "", "more")[line.side(k) + 1]
        drawn.append(Bar(rung.bot, 100 * low, 100 * mean, 100 * high, line.figure.say(mean), tone))
    return bars(drawn, 100 * (line.even or 0.0), "% of games")


def _caption(line: Line) -> str:
    return f"{line.figure.label[:1].upper()}{line.figure.label[1:]}: {line.verdict}. The line is an even share."


def _said(line: Line, value: tuple[float, float, float]) -> str:
    mean, low, high = value
    return f"{line.figure.say(mean)} ({line.figure.say(low)} to {line.figure.say(high)})"
