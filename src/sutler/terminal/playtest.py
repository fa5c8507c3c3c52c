"""`sutler playtest`: what people's games at a house's tables tell whoever designs the game."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, known_game, told
from sutler.terminal.keeping import check_out, keep

if TYPE_CHECKING:
    from sutler.lab.studies.playtest import Sitting
    from sutler.web.storage.store import Kept
    from sutler.web.table.room import Room

PAUSE = timedelta(minutes=30)
"""Longer than this nobody thinks: it is left out of the minutes."""


def playtest_in_terminal(house: str, game: str, bot: str, games: int, seed: int, site: str, out: Path | None) -> None:
    """Read the tables, play bots beside them, tell what came of it."""
    with told():
        check_out(out)
        name = known_game(game)
        from sutler.bots import bot_from
        from sutler.lab.report.playtest_page import playtest_page
        from sutler.lab.studies.playtest import playtest
        from sutler.terminal.archive import counted_rooms
        from sutler.terminal.warm import show_warming

        sittings = [sitting_of(room, kept, site) for room, kept in counted_rooms(house, name)]
        if not sittings:
            raise Trouble(f"no game of {name} that is over was opened to be counted in the lab")
        show_warming(name)
        found = playtest(sittings, bot_from(bot), games, seed)
        console().print(f"\n{found.answer()}\n", style="bold")
        for one in found.sittings:
            for remark in one.remarks:
                console().print(f"{one.name}, {remark.decision}: {remark.text}", markup=False, highlight=False)
        keep(found, out, lambda: playtest_page(found))


def sitting_of(room: Room, kept: list[Kept], site: str) -> Sitting:
    """A room's game without its people's names."""
    from sutler.lab.studies.playtest import PERSON, Remark, Sitting
    from sutler.web.table.feedback import answers

    players = [one.level if one.kind == "bot" else PERSON for one in room.created.seats]
    given = [answers(room.notes, seat) for seat in range(len(players))]
    at = f"{site.rstrip('/')}/watch/{room.id}?moment=" if site and room.created.open_to_watch else ""
    remarks = [Remark(one.decision, one.text, f"{at}{one.decision}" if at else "") for one in room.notes if one.text]
    again, length = ([one for one in row if one] for row in zip(*given, strict=True))
    return Sitting(room.id, room.pos, players, minutes_of(kept), again, length, remarks)


def minutes_of(kept: list[Kept]) -> float:
    """From the first decision to the last, without the times at which nobody played."""
    times = [one.at for one in kept if one.event.kind == "acted"]
    steps = (later - earlier for earlier, later in pairwise(times))
    return sum((one for one in steps if one <= PAUSE), timedelta()).total_seconds() / 60
