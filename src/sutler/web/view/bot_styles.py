"""Bots with a style in people's words: to what each leans, at its seat, at the head of the log and under the reckoning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from sutler.bots import plan_of
from sutler.core.language import _
from sutler.web import wording

if TYPE_CHECKING:
    from sutler.web.table.room import Room


def leanings(room: Room) -> list[str]:
    """By seat, to what its bot leans: "prayer"; "" where nobody says that it leans to anything."""
    plans = [plan_of(one.level) if one.kind == "bot" else "" for one in room.seats]
    return [room.game.definition.leaning(plan) if plan else "" for plan in plans]


def first_line(room: Room) -> Markup:
    """What the log begins with: "Agnes leans to prayer. Wulf leans to farming."; nothing where no bot has a style."""
    told = [
        _("{name} leans to {what}.", name=room.seats[seat].name, what=what)
        for seat, what in enumerate(leanings(room))
        if what
    ]
    return Markup(f'<li class="styles" id="l-styles">{wording.quoted(" ".join(told))}</li>' if told else "")
