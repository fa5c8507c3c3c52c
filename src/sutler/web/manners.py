"""What a table agrees on before it begins, beside the game itself: the clock, how long one waits for somebody, from a form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from sutler.web.protocol import LONGEST_TIME, ClockPlan, Created, Refused

UNITS = {"s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hour": 3600, "d": 86400, "day": 86400}
_TIME = re.compile(r"\s*(\d{1,5}(?:[.,]\d)?)\s*([a-z]+?)s?\s*", re.IGNORECASE)
COUNTED = "When the game is over its moves may be counted in the lab, without names and without talk."
PER = {"move": "for each decision", "game": "for the whole game"}


def seconds_of(text: str, what: str) -> int:
    """A time as somebody writes it ("30 s", "5 min", "3 days") in seconds. Refused when it is none."""
    found = _TIME.fullmatch(text)
    unit = UNITS.get(found[2].lower()) if found else None
    if found is None or unit is None:
        raise Refused(f"{what}: write a time like “30 s”, “5 min”, “2 h” or “3 days”, not {text[:40]!r}.")
    seconds = round(float(found[1].replace(",", ".")) * unit)
    if seconds > LONGEST_TIME:
        raise Refused(f"{what}: two months are the most; {text[:40]!r} is longer.")
    return seconds


def in_words(seconds: int) -> str:
    """A time as one would say it: "30 minutes", "1 day", "90 seconds"."""
    sizes = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
    name, size = next((name, size) for name, size in sizes if seconds % size == 0)
    return f"{seconds // size} {name}{'' if seconds == size else 's'}"


def agreed_on(created: Created) -> str:
    """What was agreed, in a sentence or two."""
    clock, said = created.clock, ["No clock."]
    if clock is not None:
        back = f", and {in_words(clock.refill)} back after each decision" if clock.refill else ""
        out = "a bot takes the seat over" if clock.then == "bot" else "that is shown, nothing more"
        said = [f"{in_words(clock.seconds)} {PER[clock.per]}{back}; when it is out, {out}."]
    if created.patience:
        said.append(
            f"Whoever lets the others wait for {in_words(created.patience)} may be stood in for by a bot, if they agree."
        )
    if created.counts:
        said.append(COUNTED)
    return " ".join(said)


def manners(form: Mapping[str, str]) -> dict[str, Any]:
    """The parts of `Created` that a form says of time and of waiting; Refused, in words, where they do not fit."""
    found: dict[str, Any] = {"waits": form.get("waits") == "yes", "counts": form.get("counts") == "yes"}
    if patience := form.get("patience", "").strip():
        found["patience"] = seconds_of(patience, "Patience")
    per = form.get("clock", "")
    if per not in PER:
        return found
    seconds = seconds_of(form.get("time", "") or "", "The clock")
    refill = form.get("refill", "").strip()
    back = seconds_of(refill, "What comes back") if refill and per == "game" else 0
    then = "bot" if form.get("then") == "bot" else "shown"
    try:
        found["clock"] = ClockPlan.model_validate({"per": per, "seconds": seconds, "refill": back, "then": then})
    except ValidationError:
        raise Refused("The clock: five seconds are the least.") from None
    return found
