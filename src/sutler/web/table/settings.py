"""Settings of a table besides the game's options, from a form and in words: the clock, and how long absent people are waited for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from sutler.core.text.language import _, many
from sutler.web.errors import Refused
from sutler.web.events import MAX_CLOCK_S, ClockPlan, Created

UNITS = {"s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hour": 3600, "d": 86400, "day": 86400}
UNITS |= {"sekunde": 1, "minuten": 60, "minute": 60, "stunde": 3600, "tag": 86400}
_TIME = re.compile(r"\s*(\d{1,5}(?:[.,]\d)?)\s*([a-z]+?)s?\s*", re.IGNORECASE)
PER = ("move", "game")


def parse_duration(text: str, field_name: str) -> int:
    """The seconds of a duration as people write it ("30 s", "5 min", "3 days").

    Raises Refused where it cannot be read; `field_name`: its name there.
    """
    found = _TIME.fullmatch(text)
    unit = UNITS.get(found[2].lower()) if found else None
    if found is None or unit is None:
        raise Refused(
            "{what}: write a time like “30 s”, “5 min”, “2 h” or “3 days”, not {text!r}.",
            what=field_name,
            text=text[:40],
        )
    seconds = round(float(found[1].replace(",", ".")) * unit)
    if seconds > MAX_CLOCK_S:
        raise Refused("{what}: two months are the most; {text!r} is longer.", what=field_name, text=text[:40])
    return seconds


def format_duration_in_words(seconds: int) -> str:
    """A duration in words: "30 minutes", "1 day", "90 seconds"."""
    if seconds % 86400 == 0:
        return many("{n} day", "{n} days", seconds // 86400)
    if seconds % 3600 == 0:
        return many("{n} hour", "{n} hours", seconds // 3600)
    if seconds % 60 == 0:
        return many("{n} minute", "{n} minutes", seconds // 60)
    return many("{n} second", "{n} seconds", seconds)


def describe_clock(clock: ClockPlan) -> str:
    """The time that a clock gives, in a few words: "2 minutes for each decision"."""
    time = format_duration_in_words(clock.seconds)
    return (
        _("{time} for each decision", time=time) if clock.per == "move" else _("{time} for the whole game", time=time)
    )


def get_lab_notice() -> str:
    """A sentence, shown before people sit down, that the lab may count the game."""
    text = "When the game is over its moves may be counted in the lab, without names and without talk. You may tell its designer something."
    return _(text)


def describe_agreement(created: Created) -> str:
    """The table's settings of clock, waiting and the lab in a few sentences."""
    clock, said = created.clock, [_("No clock.")]
    if clock is not None:
        time, back = (
            format_duration_in_words(clock.seconds),
            format_duration_in_words(clock.refill) if clock.refill else "",
        )
        out = _("a bot takes the seat over") if clock.then == "bot" else _("that is shown, nothing more")
        if clock.per == "move":
            said = [_("{time} for each decision; when it is out, {then}.", time=time, then=out)]
        elif not back:
            said = [_("{time} for the whole game; when it is out, {then}.", time=time, then=out)]
        else:
            said = [
                _(
                    "{time} for the whole game, and {back} back after each decision; when it is out, {then}.",
                    time=time,
                    back=back,
                    then=out,
                )
            ]
    if created.patience:
        said.append(
            _(
                "If someone is away for {time}, the others can let a bot take over.",
                time=format_duration_in_words(created.patience),
            )
        )
    if created.counts:
        said.append(get_lab_notice())
    return " ".join(said)


def parse_settings(form: Mapping[str, str]) -> dict[str, Any]:
    """The fields of `Created` about clock, waiting and the lab, from a form. Raises Refused where they do not fit."""
    found: dict[str, Any] = {"waits": form.get("waits") == "yes", "counts": form.get("counts") == "yes"}
    if patience := form.get("patience", "").strip():
        found["patience"] = parse_duration(patience, _("Patience"))
    per = form.get("clock", "")
    if per not in PER:
        return found
    seconds = parse_duration(form.get("time", "") or "", _("The clock"))
    refill = form.get("refill", "").strip()
    back = parse_duration(refill, _("What comes back")) if refill and per == "game" else 0
    then = "bot" if form.get("then") == "bot" else "shown"
    try:
        found["clock"] = ClockPlan.model_validate({"per": per, "seconds": seconds, "refill": back, "then": then})
    except ValidationError:
        raise Refused("The clock: five seconds are the least.") from None
    return found
